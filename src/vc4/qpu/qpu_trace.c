/* SPDX-License-Identifier: MIT */
/* qpu_trace.c - see qpu_trace.h.
 *
 * Source: manual table 14, for the functions of register addresses. */
#include "vc4/qpu/qpu_trace.h"

#include <string.h>

#include "vc4/vpm/vpm.h"

/* --- functions of register addresses --- */

/* Events of an address: one for accesses through file A, one for accesses through file B. 0 stands
 * for none, since a uniform's event has another origin. */
struct access {
    uint8_t kind[2];
    const char *detail;
};

/* clang-format off */
#define EACH(a, b) {TESS_VC4_EVENT_##a, TESS_VC4_EVENT_##b}
#define BOTH(event) EACH(event, event)
/* clang-format on */

static const struct access reads[64] = {
    [QPU_RD_VARYING] = {BOTH(VARYING), NULL},
    [QPU_RD_XY_COORD] = {BOTH(PIXELS_READ), "coordinates"},
    [QPU_RD_MS_REV] = {BOTH(PIXELS_READ), "flags"},
    [QPU_RD_VPM] = {BOTH(VPM_READ), NULL},
    [QPU_RD_VPM_BUSY] = {EACH(DMA_LOAD_BUSY, DMA_STORE_BUSY), NULL},
    [QPU_RD_VPM_WAIT] = {EACH(DMA_LOAD_WAIT, DMA_STORE_WAIT), NULL},
    [QPU_RD_MUTEX] = {BOTH(MUTEX_ACQUIRE), NULL},
};

static const struct access writes[64] = {
    [QPU_WR_TMU_NOSWAP] = {BOTH(TMU_NOSWAP), NULL},
    [QPU_WR_HOST_INT] = {BOTH(INTERRUPT), NULL},
    [QPU_WR_UNIFORM_ADDRESS] = {BOTH(UNIFORM_ADDRESS), NULL},
    [QPU_WR_QUAD_XY] = {BOTH(PIXELS_WRITE), "coordinates"},
    [QPU_WR_MS_REV] = {BOTH(PIXELS_WRITE), "flags"},
    [QPU_WR_STENCIL_SETUP] = {BOTH(TLB_WRITE), "stencil"},
    [QPU_WR_TLB_Z] = {BOTH(TLB_WRITE), "z"},
    [QPU_WR_TLB_COLOUR_MS] = {BOTH(TLB_WRITE), "sample colour"},
    [QPU_WR_TLB_COLOUR_ALL] = {BOTH(TLB_WRITE), "colour"},
    [QPU_WR_TLB_ALPHA_MASK] = {BOTH(TLB_WRITE), "mask"},
    [QPU_WR_VPM] = {BOTH(VPM_WRITE), NULL},
    [QPU_WR_VPM_SETUP] = {EACH(VPM_READ_SETUP, VPM_WRITE_SETUP), NULL},
    [QPU_WR_VPM_ADDRESS] = {EACH(DMA_LOAD, DMA_STORE), NULL},
    [QPU_WR_MUTEX_RELEASE] = {BOTH(MUTEX_RELEASE), NULL},
    [QPU_WR_SFU_RECIP] = {BOTH(SFU), "recip"},
    [QPU_WR_SFU_RECIPSQRT] = {BOTH(SFU), "recipsqrt"},
    [QPU_WR_SFU_EXP] = {BOTH(SFU), "exp"},
    [QPU_WR_SFU_LOG] = {BOTH(SFU), "log"},
    [QPU_WR_TMU0_S] = {BOTH(TMU_WRITE), "0 s"},
    [QPU_WR_TMU0_S + 1] = {BOTH(TMU_WRITE), "0 t"},
    [QPU_WR_TMU0_S + 2] = {BOTH(TMU_WRITE), "0 r"},
    [QPU_WR_TMU0_S + 3] = {BOTH(TMU_WRITE), "0 b"},
    [QPU_WR_TMU1_S] = {BOTH(TMU_WRITE), "1 s"},
    [QPU_WR_TMU1_S + 1] = {BOTH(TMU_WRITE), "1 t"},
    [QPU_WR_TMU1_S + 2] = {BOTH(TMU_WRITE), "1 r"},
    [QPU_WR_TMU1_S + 3] = {BOTH(TMU_WRITE), "1 b"},
};

/* --- kinds of events --- */

enum {
    ADDRESS = 1,
    SETUP = 2,   /* .number is a setup word */
    NUMERAL = 4, /* .number is the detail */
    IN_R4 = 8,   /* the values are loaded into r4 */
};

static const struct {
    const char *name;
    unsigned traits;
} kinds[TESS_VC4_EVENTS] = {
    [TESS_VC4_EVENT_UNIFORM] = {"uniform", ADDRESS},
    [TESS_VC4_EVENT_UNIFORM_ADDRESS] = {"uniform address", ADDRESS},
    [TESS_VC4_EVENT_VARYING] = {"varying", 0},
    [TESS_VC4_EVENT_VPM_READ] = {"vpm read", 0},
    [TESS_VC4_EVENT_VPM_WRITE] = {"vpm write", 0},
    [TESS_VC4_EVENT_VPM_READ_SETUP] = {"vpm read setup", SETUP},
    [TESS_VC4_EVENT_VPM_WRITE_SETUP] = {"vpm write setup", SETUP},
    [TESS_VC4_EVENT_DMA_LOAD] = {"dma load", ADDRESS | SETUP},
    [TESS_VC4_EVENT_DMA_STORE] = {"dma store", ADDRESS | SETUP},
    [TESS_VC4_EVENT_DMA_LOAD_WAIT] = {"dma load wait", 0},
    [TESS_VC4_EVENT_DMA_STORE_WAIT] = {"dma store wait", 0},
    [TESS_VC4_EVENT_DMA_LOAD_BUSY] = {"dma load busy", 0},
    [TESS_VC4_EVENT_DMA_STORE_BUSY] = {"dma store busy", 0},
    [TESS_VC4_EVENT_TMU_WRITE] = {"tmu write", 0},
    [TESS_VC4_EVENT_TMU_RESULT] = {"tmu result", NUMERAL | IN_R4},
    [TESS_VC4_EVENT_TMU_NOSWAP] = {"tmu noswap", 0},
    [TESS_VC4_EVENT_SFU] = {"sfu", 0},
    [TESS_VC4_EVENT_SFU_RESULT] = {"sfu result", IN_R4},
    [TESS_VC4_EVENT_SEMAPHORE_ACQUIRE] = {"semaphore acquire", NUMERAL},
    [TESS_VC4_EVENT_SEMAPHORE_RELEASE] = {"semaphore release", NUMERAL},
    [TESS_VC4_EVENT_MUTEX_ACQUIRE] = {"mutex acquire", 0},
    [TESS_VC4_EVENT_MUTEX_RELEASE] = {"mutex release", 0},
    [TESS_VC4_EVENT_INTERRUPT] = {"interrupt", 0},
    [TESS_VC4_EVENT_TLB_READ] = {"tlb read", IN_R4},
    [TESS_VC4_EVENT_TLB_WRITE] = {"tlb write", 0},
    [TESS_VC4_EVENT_PIXELS_READ] = {"pixels read", 0},
    [TESS_VC4_EVENT_PIXELS_WRITE] = {"pixels write", 0},
    [TESS_VC4_EVENT_SCOREBOARD_WAIT] = {"scoreboard wait", 0},
    [TESS_VC4_EVENT_SCOREBOARD_UNLOCK] = {"scoreboard unlock", 0},
    [TESS_VC4_EVENT_THREAD_SWITCH] = {"thread switch", 0},
    [TESS_VC4_EVENT_BRANCH] = {"branch", ADDRESS},
    [TESS_VC4_EVENT_END] = {"end", 0},
};

const char *tess_vc4_event_name(enum tess_vc4_event_kind kind)
{
    return (unsigned)kind < TESS_VC4_EVENTS ? kinds[kind].name : NULL;
}

/* --- events --- */

void qpu_trace_add(struct qpu_run *run, struct tess_vc4_event event)
{
    static const char *const numerals[] = {"0", "1", "2",  "3",  "4",  "5",  "6",  "7",
                                           "8", "9", "10", "11", "12", "13", "14", "15"};
    struct qpu_trace *trace = run->ports->trace;
    const unsigned traits = kinds[event.kind].traits;
    if (!trace || trace->now.event_count == QPU_TRACE_EVENTS)
        return;
    event.has_address = traits & ADDRESS;
    event.has_setup = traits & SETUP;
    event.in_results = traits & IN_R4;
    if (traits & NUMERAL)
        event.detail = numerals[event.number & 15];
    size_t at = trace->now.event_count++;
    if (event.values) {
        memcpy(trace->value[at], event.values, sizeof trace->value[at]);
        event.values = trace->value[at];
    }
    trace->event[at] = event;
}

void qpu_trace_uniform(struct qpu_run *run, uint32_t address, uint32_t value)
{
    const lanes values = (lanes){0} + value;
    qpu_trace_add(run, (struct tess_vc4_event){.kind = TESS_VC4_EVENT_UNIFORM,
                                               .address = address,
                                               .values = (const uint32_t *)&values});
}

void qpu_trace_read(struct qpu_run *run, bool file_a, unsigned address, const lanes *value)
{
    struct qpu_trace *trace = run->ports->trace;
    const struct access *access = &reads[address];
    /* Reads that only wait; their value is not reported. */
    bool waits = address == QPU_RD_VPM_WAIT || address == QPU_RD_MUTEX;
    if (!trace)
        return;
    memcpy(trace->port[!file_a], value, sizeof trace->port[0]);
    if (!access->kind[!file_a])
        return;
    if (address == QPU_RD_VARYING && run->r5_loaded)
        trace->written[5] = ALL_LANES;
    qpu_trace_add(run,
                  (struct tess_vc4_event){.kind = (enum tess_vc4_event_kind)access->kind[!file_a],
                                          .number = address,
                                          .detail = access->detail,
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
    const struct access *access = &writes[address];
    bool accumulator = (address >= QPU_WR_ACC0 && address <= QPU_WR_ACC3) || address == QPU_WR_ACC5;
    if (accumulator)
        trace->written[address - QPU_WR_ACC0] |= mask;
    if (!access->kind[!file_a] || !mask)
        return;
    struct tess_vc4_event event = {.kind = (enum tess_vc4_event_kind)access->kind[!file_a],
                                   .number = address,
                                   .detail = access->detail,
                                   .lanes = mask,
                                   .values = (const uint32_t *)value};
    if (event.kind == TESS_VC4_EVENT_SFU)
        event.number -= QPU_WR_SFU_RECIP;
    if (event.kind == TESS_VC4_EVENT_TMU_WRITE)
        event.number -= QPU_WR_TMU0_S;
    qpu_trace_add(run, scalar(run, event));
}

void qpu_trace_load(struct qpu_run *run, enum qpu_sig sig, const lanes *value)
{
    struct qpu_trace *trace = run->ports->trace;
    bool tmu = sig == QPU_SIG_LOAD_TMU0 || sig == QPU_SIG_LOAD_TMU1;
    if (!trace)
        return;
    trace->written[4] = ALL_LANES;
    qpu_trace_add(run, (struct tess_vc4_event){
                           .kind = tmu ? TESS_VC4_EVENT_TMU_RESULT : TESS_VC4_EVENT_TLB_READ,
                           .number = tmu ? sig == QPU_SIG_LOAD_TMU1 : (uint32_t)sig,
                           .values = (const uint32_t *)value});
}

/* --- operands and results --- */

/* Returns the text and the facts of the instruction at pc. */
static const struct qpu_trace_word *read_word(struct qpu_run *run)
{
    const uint32_t pc = run->qpu->pc;
    const uint64_t word = run->insn->word;
    struct qpu_trace_word *known = &run->ports->trace->words[qpu_spread(pc) % QPU_TRACE_WORDS];
    if (known->pc != pc || known->word != word || !known->text[0]) {
        *known = (struct qpu_trace_word){.pc = pc, .word = word, .facts = qpu_facts(word)};
        qpu_outside(run);
        qpu_print_nearest(known->text, sizeof known->text, word, pc);
        qpu_inside(run);
    }
    return known;
}

static void add(struct tess_vc4_operand *list, size_t *count, const char *name, lane_mask mask,
                const void *before, const void *after)
{
    list[(*count)++] = (struct tess_vc4_operand){name, mask, before, after};
}

/* Returns the elements of an operand on which effects of the instruction depend. The condition
 * selects the elements of the result. A branch reads only element 15. */
static lane_mask used_lanes(const struct qpu *qpu, const struct qpu_facts *facts,
                            unsigned condition)
{
    if (facts->insn.form == QPU_FORM_BRANCH)
        return 1 << 15;
    return qpu_rotates(&facts->insn) ? ALL_LANES : qpu_condition(qpu, condition);
}

/* Adds the operands of an instruction, without reserved addresses. Their values are copied, because
 * the instruction may write the same registers. qpu_trace_read() adds the values that units return.
 * `loaded` is the value of r4. */
static void add_operands(struct qpu_trace *trace, const struct qpu *qpu,
                         const struct qpu_facts *facts, const uint32_t *loaded)
{
    size_t *count = &trace->now.operand_count;
    memset(trace->port, 0, sizeof trace->port);
    for (unsigned file = 0; file < 2; file++) {
        const unsigned address = facts->port[file], condition = facts->port_condition[file];
        const char *name = qpu_read_name("ab"[file], address);
        if (condition == QPU_COND_NEVER || !name)
            continue;
        /* A port returns the old value of a register that the previous instruction wrote. */
        if (address == (file ? qpu->wrote.b : qpu->wrote.a))
            memcpy(trace->port[file], file ? &qpu->old_b : &qpu->old_a, sizeof trace->port[file]);
        else if (address < 32)
            memcpy(trace->port[file], (file ? qpu->rb : qpu->ra) + address,
                   sizeof trace->port[file]);
        /* If both ports read the same queue, port A reads the value for both. */
        bool shared = address == facts->port[0] && qpu_pops(address);
        add(trace->operand, count, name, used_lanes(qpu, facts, condition),
            trace->port[shared ? 0 : file], NULL);
    }
    for (unsigned i = 0; i < 6; i++)
        if (facts->reads >> i & 1)
            add(trace->operand, count, qpu_accumulator_names[i],
                used_lanes(qpu, facts, facts->accumulator_condition[i]),
                i == 4 ? loaded : trace->accumulator[i], NULL);
}

static void add_results(struct qpu_trace *trace, const struct qpu *qpu)
{
    const struct qpu_wrote *wrote = &qpu->wrote;
    struct tess_vc4_step *step = &trace->now;
    size_t *count = &step->result_count;
    if (wrote->a != QPU_NO_REGISTER)
        add(trace->result, count, qpu_read_name('a', wrote->a), wrote->a_lanes, &qpu->old_a,
            &qpu->ra[wrote->a]);
    if (wrote->b != QPU_NO_REGISTER)
        add(trace->result, count, qpu_read_name('b', wrote->b), wrote->b_lanes, &qpu->old_b,
            &qpu->rb[wrote->b]);
    for (unsigned i = 0; i < 6; i++)
        if (trace->written[i])
            add(trace->result, count, qpu_accumulator_names[i], trace->written[i],
                trace->accumulator[i], &qpu->r[i]);
    step->n = qpu->n;
    step->z = qpu->z;
    step->c = qpu->c;
    step->ra = (const uint32_t(*)[LANES])qpu->ra;
    step->rb = (const uint32_t(*)[LANES])qpu->rb;
    step->accumulator = (const uint32_t(*)[LANES])qpu->r;
}

/* --- around an instruction --- */

void qpu_trace_begin(struct qpu_run *run)
{
    struct qpu_trace *trace = run->ports->trace;
    const struct qpu *qpu = run->qpu;
    const struct qpu_trace_word *word = read_word(run);
    trace->now = (struct tess_vc4_step){
        .kind = (enum tess_vc4_shader_kind)qpu->kind,
        .qpu = qpu->number,
        .shader = qpu->start,
        .pc = qpu->pc,
        .word = run->insn->word,
        .text = word->text,
        .number = qpu->instructions,
        .clock = qpu_time(qpu),
        .operands = trace->operand,
        .results = trace->result,
        .events = trace->event,
    };
    memcpy(trace->stall, qpu->times.stall, sizeof trace->stall);
    memcpy(trace->accumulator, qpu->r, sizeof trace->accumulator);
    memset(trace->written, 0, sizeof trace->written);
    const uint32_t *loaded = trace->accumulator[4];
    if (qpu->sfu_delay == 1) {
        trace->written[4] = ALL_LANES;
        qpu_trace_add(run, (struct tess_vc4_event){.kind = TESS_VC4_EVENT_SFU_RESULT,
                                                   .values = (const uint32_t *)&qpu->sfu_result});
        loaded = trace->value[0];
    }
    add_operands(trace, qpu, &word->facts, loaded);
}

static void add_signal(struct qpu_run *run)
{
    static const uint8_t of_signal[16] = {
        [QPU_SIG_THREAD_SWITCH] = TESS_VC4_EVENT_THREAD_SWITCH,
        [QPU_SIG_LAST_THREAD_SWITCH] = TESS_VC4_EVENT_THREAD_SWITCH,
        [QPU_SIG_SCOREBOARD_WAIT] = TESS_VC4_EVENT_SCOREBOARD_WAIT,
        [QPU_SIG_SCOREBOARD_UNLOCK] = TESS_VC4_EVENT_SCOREBOARD_UNLOCK,
    };
    uint8_t kind = of_signal[run->insn->insn.sig & 15];
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
    add_results(trace, qpu);
    qpu_outside(run);
    trace->tell(trace->user, &trace->now);
    qpu_inside(run);
}
