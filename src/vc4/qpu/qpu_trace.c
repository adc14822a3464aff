/* SPDX-License-Identifier: MIT */
/* qpu_trace.c - see qpu_trace.h.
 *
 * Source: manual table 14, for the functions of register addresses. */
#include "vc4/qpu/qpu_trace.h"

#include <string.h>

#include "vc4/vpm/vpm.h"

/* --- functions of register addresses --- */

enum { FILE_A = 1, FILE_B = 2, BOTH = FILE_A | FILE_B };

struct access {
    uint8_t first, last; /* range of addresses */
    uint8_t files;
    uint8_t kind;
};

static const struct access reads[] = {
    /* clang-format off */
    {QPU_RD_VARYING,  QPU_RD_VARYING,  BOTH,   TESS_VC4_EVENT_VARYING},
    {QPU_RD_XY_COORD, QPU_RD_MS_REV,   BOTH,   TESS_VC4_EVENT_PIXELS_READ},
    {QPU_RD_VPM,      QPU_RD_VPM,      BOTH,   TESS_VC4_EVENT_VPM_READ},
    {QPU_RD_VPM_BUSY, QPU_RD_VPM_BUSY, FILE_A, TESS_VC4_EVENT_DMA_LOAD_BUSY},
    {QPU_RD_VPM_BUSY, QPU_RD_VPM_BUSY, FILE_B, TESS_VC4_EVENT_DMA_STORE_BUSY},
    {QPU_RD_VPM_WAIT, QPU_RD_VPM_WAIT, FILE_A, TESS_VC4_EVENT_DMA_LOAD_WAIT},
    {QPU_RD_VPM_WAIT, QPU_RD_VPM_WAIT, FILE_B, TESS_VC4_EVENT_DMA_STORE_WAIT},
    {QPU_RD_MUTEX,    QPU_RD_MUTEX,    BOTH,   TESS_VC4_EVENT_MUTEX_ACQUIRE},
    /* clang-format on */
};

static const struct access writes[] = {
    /* clang-format off */
    {QPU_WR_TMU_NOSWAP,      QPU_WR_TMU_NOSWAP,      BOTH,   TESS_VC4_EVENT_TMU_NOSWAP},
    {QPU_WR_HOST_INT,        QPU_WR_HOST_INT,        BOTH,   TESS_VC4_EVENT_INTERRUPT},
    {QPU_WR_UNIFORM_ADDRESS, QPU_WR_UNIFORM_ADDRESS, BOTH,   TESS_VC4_EVENT_UNIFORM_ADDRESS},
    {QPU_WR_QUAD_XY,         QPU_WR_MS_REV,          BOTH,   TESS_VC4_EVENT_PIXELS_WRITE},
    {QPU_WR_STENCIL_SETUP,   QPU_WR_TLB_ALPHA_MASK,  BOTH,   TESS_VC4_EVENT_TLB_WRITE},
    {QPU_WR_VPM,             QPU_WR_VPM,             BOTH,   TESS_VC4_EVENT_VPM_WRITE},
    {QPU_WR_VPM_SETUP,       QPU_WR_VPM_SETUP,       FILE_A, TESS_VC4_EVENT_VPM_READ_SETUP},
    {QPU_WR_VPM_SETUP,       QPU_WR_VPM_SETUP,       FILE_B, TESS_VC4_EVENT_VPM_WRITE_SETUP},
    {QPU_WR_VPM_ADDRESS,     QPU_WR_VPM_ADDRESS,     FILE_A, TESS_VC4_EVENT_DMA_LOAD},
    {QPU_WR_VPM_ADDRESS,     QPU_WR_VPM_ADDRESS,     FILE_B, TESS_VC4_EVENT_DMA_STORE},
    {QPU_WR_MUTEX_RELEASE,   QPU_WR_MUTEX_RELEASE,   BOTH,   TESS_VC4_EVENT_MUTEX_RELEASE},
    {QPU_WR_SFU_RECIP,       QPU_WR_SFU_LOG,         BOTH,   TESS_VC4_EVENT_SFU},
    {QPU_WR_TMU0_S,          63,                     BOTH,   TESS_VC4_EVENT_TMU_WRITE},
    /* clang-format on */
};

static const struct access *find(const struct access *table, size_t count, bool file_a,
                                 unsigned address)
{
    for (size_t i = 0; i < count; i++)
        if (address >= table[i].first && address <= table[i].last &&
            (table[i].files & (file_a ? FILE_A : FILE_B)))
            return &table[i];
    return NULL;
}

/* --- events --- */

void qpu_trace_add(struct qpu_run *run, struct tess_vc4_event event)
{
    struct qpu_trace *trace = run->ports->trace;
    if (!trace || trace->now.event_count == QPU_TRACE_EVENTS)
        return;
    size_t at = trace->now.event_count++;
    if (event.values) {
        memcpy(trace->value[at], event.values, sizeof trace->value[at]);
        event.values = trace->value[at];
    }
    trace->event[at] = event;
}

void qpu_trace_uniform(struct qpu_run *run, uint32_t address, uint32_t value)
{
    uint32_t values[LANES];
    if (!run->ports->trace)
        return;
    for (unsigned i = 0; i < LANES; i++)
        values[i] = value;
    qpu_trace_add(run, (struct tess_vc4_event){
                           .kind = TESS_VC4_EVENT_UNIFORM, .address = address, .values = values});
}

/* Records that something other than an ALU writes an accumulator. */
static void note_accumulator(struct tess_vc4_step *step, unsigned number)
{
    step->accumulators |= 1u << number;
    step->lanes_accumulator[number] = ALL_LANES;
}

void qpu_trace_read(struct qpu_run *run, bool file_a, unsigned address, const lanes *value)
{
    const struct access *access = find(reads, sizeof reads / sizeof *reads, file_a, address);
    /* Reads that only wait; their value is not reported. */
    bool waits = address == QPU_RD_VPM_WAIT || address == QPU_RD_MUTEX;
    if (!access || !run->ports->trace)
        return;
    if (address == QPU_RD_VARYING && run->r5_loaded)
        note_accumulator(&run->ports->trace->now, 5);
    qpu_trace_add(run, (struct tess_vc4_event){.kind = (enum tess_vc4_event_kind)access->kind,
                                               .number = address,
                                               .values = waits ? NULL : (const uint32_t *)value});
}

/* Converts an event with 16 values to an event with one number or address, for registers that use
 * only one element. */
static struct tess_vc4_event scalar(const struct qpu_run *run, struct tess_vc4_event event)
{
    const struct vpm_port *port = run->ports->vpm_port;
    uint32_t word = event.values[0];
    switch (event.kind) {
    case TESS_VC4_EVENT_VPM_READ_SETUP:
    case TESS_VC4_EVENT_VPM_WRITE_SETUP: event.number = word; break;
    case TESS_VC4_EVENT_UNIFORM_ADDRESS:
        event.number = 0;
        event.address = run->qpu->uniform;
        break;
    case TESS_VC4_EVENT_DMA_LOAD:
    case TESS_VC4_EVENT_DMA_STORE:
        event.address = word;
        event.number = !port                                   ? 0
                       : event.kind == TESS_VC4_EVENT_DMA_LOAD ? port->load_setup
                                                               : port->store_setup;
        break;
    default: return event;
    }
    event.lanes = 0;
    event.values = NULL;
    return event;
}

void qpu_trace_write(struct qpu_run *run, bool file_a, unsigned address, const lanes *value,
                     lane_mask mask)
{
    struct qpu_trace *trace = run->ports->trace;
    if (!trace)
        return;
    bool accumulator = (address >= QPU_WR_ACC0 && address <= QPU_WR_ACC3) || address == QPU_WR_ACC5;
    if (accumulator && mask) {
        trace->now.accumulators |= 1u << (address - QPU_WR_ACC0);
        trace->now.lanes_accumulator[address - QPU_WR_ACC0] |= mask;
    }
    const struct access *access = find(writes, sizeof writes / sizeof *writes, file_a, address);
    if (!access || !mask)
        return;
    struct tess_vc4_event event = {.kind = (enum tess_vc4_event_kind)access->kind,
                                   .number = address,
                                   .lanes = mask,
                                   .values = (const uint32_t *)value};
    if (event.kind == TESS_VC4_EVENT_SFU || event.kind == TESS_VC4_EVENT_TMU_WRITE)
        event.number -= access->first;
    qpu_trace_add(run, scalar(run, event));
}

void qpu_trace_load(struct qpu_run *run, enum qpu_sig sig, const lanes *value)
{
    struct qpu_trace *trace = run->ports->trace;
    bool tmu = sig == QPU_SIG_LOAD_TMU0 || sig == QPU_SIG_LOAD_TMU1;
    if (!trace)
        return;
    note_accumulator(&trace->now, 4);
    qpu_trace_add(run, (struct tess_vc4_event){
                           .kind = tmu ? TESS_VC4_EVENT_TMU_RESULT : TESS_VC4_EVENT_TLB_READ,
                           .number = tmu ? sig == QPU_SIG_LOAD_TMU1 : (uint32_t)sig,
                           .values = (const uint32_t *)value});
}

/* --- around an instruction --- */

void qpu_trace_begin(struct qpu_run *run)
{
    struct qpu_trace *trace = run->ports->trace;
    const struct qpu *qpu = run->qpu;
    trace->now = (struct tess_vc4_step){
        .kind = (enum tess_vc4_shader_kind)qpu->kind,
        .qpu = qpu->number,
        .shader = qpu->start,
        .pc = qpu->pc,
        .word = run->insn->word,
        .number = qpu->instructions,
        .clock = qpu_time(qpu),
        .events = trace->event,
    };
    memcpy(trace->stall, qpu->times.stall, sizeof trace->stall);
    if (qpu->sfu_delay == 1) {
        note_accumulator(&trace->now, 4);
        qpu_trace_add(run, (struct tess_vc4_event){.kind = TESS_VC4_EVENT_SFU_RESULT,
                                                   .values = (const uint32_t *)&qpu->sfu_result});
    }
}

static void add_signal(struct qpu_run *run)
{
    static const uint8_t kinds[16] = {
        [QPU_SIG_THREAD_SWITCH] = TESS_VC4_EVENT_THREAD_SWITCH,
        [QPU_SIG_LAST_THREAD_SWITCH] = TESS_VC4_EVENT_THREAD_SWITCH,
        [QPU_SIG_SCOREBOARD_WAIT] = TESS_VC4_EVENT_SCOREBOARD_WAIT,
        [QPU_SIG_SCOREBOARD_UNLOCK] = TESS_VC4_EVENT_SCOREBOARD_UNLOCK,
    };
    uint8_t kind = kinds[run->insn->insn.sig & 15];
    if (run->insn->path == QPU_PATH_ALU && kind)
        qpu_trace_add(run, (struct tess_vc4_event){.kind = (enum tess_vc4_event_kind)kind});
}

/* True if the instruction is a taken branch, which has just set .branch_delay. */
static bool branches(const struct qpu_run *run)
{
    enum { SLOTS = 3 };
    return run->insn->path == QPU_PATH_BRANCH && run->qpu->branch_delay == SLOTS;
}

static bool sets_flags(const struct qpu_run *run)
{
    const struct qpu_insn *insn = &run->insn->insn;
    return run->insn->path == QPU_PATH_BRANCH ? branches(run) && (insn->raddr_a & 1) : insn->sf;
}

static uint32_t register_of(uint8_t number)
{
    return number == QPU_NO_REGISTER ? TESS_VC4_NO_REGISTER : number;
}

static void add_results(struct tess_vc4_step *step, const struct qpu *qpu)
{
    step->written_a = register_of(qpu->wrote.a);
    step->written_b = register_of(qpu->wrote.b);
    step->lanes_a = step->written_a == TESS_VC4_NO_REGISTER ? 0 : qpu->wrote.a_lanes;
    step->lanes_b = step->written_b == TESS_VC4_NO_REGISTER ? 0 : qpu->wrote.b_lanes;
    step->n = qpu->n;
    step->z = qpu->z;
    step->c = qpu->c;
    step->ra = (const uint32_t(*)[LANES])qpu->ra;
    step->rb = (const uint32_t(*)[LANES])qpu->rb;
    step->accumulator = (const uint32_t(*)[LANES])qpu->r;
}

void qpu_trace_end(struct qpu_run *run, bool ended)
{
    struct qpu_trace *trace = run->ports->trace;
    struct qpu *qpu = run->qpu;
    add_signal(run);
    if (branches(run))
        qpu_trace_add(run, (struct tess_vc4_event){.kind = TESS_VC4_EVENT_BRANCH,
                                                   .address = qpu->branch_target});
    if (ended)
        qpu_trace_add(run, (struct tess_vc4_event){.kind = TESS_VC4_EVENT_END});
    for (unsigned i = 0; i < QPU_STALLS; i++)
        trace->now.stalls[i] = qpu->times.stall[i] - trace->stall[i];
    trace->now.broken = qpu->state == QPU_BROKEN;
    trace->now.next = qpu->pc;
    trace->now.flags_set = !trace->now.broken && sets_flags(run);
    add_results(&trace->now, qpu);
    qpu_outside(run);
    trace->tell(trace->user, &trace->now);
    qpu_inside(run);
}

/* --- names --- */

const char *tess_vc4_event_name(enum tess_vc4_event_kind kind)
{
    static const char *const names[TESS_VC4_EVENTS] = {
        [TESS_VC4_EVENT_UNIFORM] = "uniform",
        [TESS_VC4_EVENT_UNIFORM_ADDRESS] = "uniform address",
        [TESS_VC4_EVENT_VARYING] = "varying",
        [TESS_VC4_EVENT_VPM_READ] = "vpm read",
        [TESS_VC4_EVENT_VPM_WRITE] = "vpm write",
        [TESS_VC4_EVENT_VPM_READ_SETUP] = "vpm read setup",
        [TESS_VC4_EVENT_VPM_WRITE_SETUP] = "vpm write setup",
        [TESS_VC4_EVENT_DMA_LOAD] = "dma load",
        [TESS_VC4_EVENT_DMA_STORE] = "dma store",
        [TESS_VC4_EVENT_DMA_LOAD_WAIT] = "dma load wait",
        [TESS_VC4_EVENT_DMA_STORE_WAIT] = "dma store wait",
        [TESS_VC4_EVENT_DMA_LOAD_BUSY] = "dma load busy",
        [TESS_VC4_EVENT_DMA_STORE_BUSY] = "dma store busy",
        [TESS_VC4_EVENT_TMU_WRITE] = "tmu write",
        [TESS_VC4_EVENT_TMU_RESULT] = "tmu result",
        [TESS_VC4_EVENT_TMU_NOSWAP] = "tmu noswap",
        [TESS_VC4_EVENT_SFU] = "sfu",
        [TESS_VC4_EVENT_SFU_RESULT] = "sfu result",
        [TESS_VC4_EVENT_SEMAPHORE_ACQUIRE] = "semaphore acquire",
        [TESS_VC4_EVENT_SEMAPHORE_RELEASE] = "semaphore release",
        [TESS_VC4_EVENT_MUTEX_ACQUIRE] = "mutex acquire",
        [TESS_VC4_EVENT_MUTEX_RELEASE] = "mutex release",
        [TESS_VC4_EVENT_INTERRUPT] = "interrupt",
        [TESS_VC4_EVENT_TLB_READ] = "tlb read",
        [TESS_VC4_EVENT_TLB_WRITE] = "tlb write",
        [TESS_VC4_EVENT_PIXELS_READ] = "pixels read",
        [TESS_VC4_EVENT_PIXELS_WRITE] = "pixels write",
        [TESS_VC4_EVENT_SCOREBOARD_WAIT] = "scoreboard wait",
        [TESS_VC4_EVENT_SCOREBOARD_UNLOCK] = "scoreboard unlock",
        [TESS_VC4_EVENT_THREAD_SWITCH] = "thread switch",
        [TESS_VC4_EVENT_BRANCH] = "branch",
        [TESS_VC4_EVENT_END] = "end",
    };
    return (unsigned)kind < TESS_VC4_EVENTS ? names[kind] : NULL;
}
