/* SPDX-License-Identifier: MIT */
/* qpu_io.c - register-mapped input and output of the QPU (manual table 14) and its load signals.
 * qpu_io_vpm.c and qpu_io_tlb.c contain the accesses to the VPM and to the tile buffer.
 *
 * In:       reads, writes and signals of the current instruction.
 * Out:      calls to the units to which the QPU is connected; changes of the QPU's uniform pointer
 *           and accumulators.
 * Source:   manual section 3, "Register-Mapped Input/Output"; docs/vc4/qpu.md lists the
 *           corrections. */
#include "vc4/qpu/qpu_io.h"

#include "base/bits.h"
#include "base/text.h"
#include "vc4/qpu/qpu_cycles.h"
#include "vc4/qpu/qpu_io_private.h"
#include "vc4/qpu/qpu_trace.h"
#include "vc4/qpu/sfu.h"
#include "vc4/raster/vri.h"
#include "vc4/tile/tlb.h"
#include "vc4/tmu/tmu.h"
#include "vc4/vpm/vpm.h"
#include "vc4/watch/race.h"

enum { UNIFORM_LATENCY = 3, SFU_LATENCY = 3 };
enum { COORDINATE_MASK = (1 << 11) - 1 }; /* width of a coordinate, manual table 29 */

/* Informs the sanitizer that a program has acquired or released a semaphore, or the mutex if number
 * is QPU_SEMAPHORES. */
static void qpu_io_sync(const struct qpu_run *run, uint32_t number, bool acquire)
{
    struct race *race = run->ports->race;
    if (!race || run->qpu->kind != QPU_USER)
        return;
    if (number == QPU_SEMAPHORES)
        race_mutex(race, run->qpu->number, acquire);
    else
        race_semaphore(race, run->qpu->number, number, acquire);
}

/* --- uniforms --- */

/* True if the uniform stream has another uniform. Reports findings only if the instruction uses the
 * value, because assemblers leave unused uniform addresses on read ports. */
static bool uniform_available(struct qpu_run *run, bool used)
{
    struct qpu *qpu = run->qpu;
    bool available = qpu->uniforms_enabled && qpu->uniforms_left > 0;
    if (!used)
        return available;
    if (qpu->uniform_delay)
        QPU_FAULT(run, FAULT_QPU_UNIFORM_LATENCY,
                  "a uniform is read %u instruction%s after its address was written",
                  UNIFORM_LATENCY - qpu->uniform_delay,
                  UNIFORM_LATENCY - qpu->uniform_delay == 1 ? "" : "s");
    if (!qpu->uniforms_enabled)
        QPU_FAULT(run, FAULT_QPU_UNIFORM_DISABLED,
                  "a uniform is read, but the program has no uniforms");
    else if (!available)
        QPU_FAULT(run, FAULT_QPU_UNIFORM_OVERRUN,
                  "a uniform is read past the limit of %llu uniforms in V3D_SRQUL",
                  (unsigned long long)qpu->times.uniforms);
    return available;
}

/* Reports a uniform at an unmapped address. The finding is at the instruction that set the uniform
 * address, or names the register or record that set the address when the program started. */
static void report_wild_uniform(struct qpu_run *run, uint32_t address)
{
    const struct qpu *qpu = run->qpu;
    if (qpu->uniform_set) {
        qpu_fault_from(
            run, FAULT_BUS_UNMAPPED, qpu->uniform_set_at,
            "uniform fetch: read of 4 bytes at 0x%08x is outside mapped memory; this instruction "
            "sets the uniform address to 0x%08x, and the instruction at 0x%08x reads a "
            "uniform" WITH_HINT
            "write the bus address of the uniforms in element 0, or map memory at the address",
            address, qpu->uniform_first, qpu->pc);
        return;
    }
    const char *giver = qpu->kind == QPU_USER ? "V3D_SRQUA" : "the shader record";
    qpu_outside(run);
    fault_at(
        run->ports->log, FAULT_BUS_UNMAPPED, address,
        "uniform fetch: read of 4 bytes at 0x%08x is outside mapped memory; %s sets the uniforms "
        "address to 0x%08x" WITH_HINT
        "set the uniforms address in %s to an array with all uniforms that the program reads, or "
        "map memory at the address",
        address, giver, qpu->uniform_first, giver);
    qpu_inside(run);
}

static uint32_t load_uniform(struct qpu_run *run, uint32_t address, bool used)
{
    const uint8_t *word = bus_peek(run->ports->bus, address, 4);
    if (used)
        bus_observe(run->ports->bus, BUS_QPU_UNIFORM, address, 4, false);
    if (word || !used)
        return word ? load_le32(word) : 0;
    report_wild_uniform(run, address);
    return 0;
}

uint32_t qpu_io_uniform(struct qpu_run *run, bool used)
{
    struct qpu *qpu = run->qpu;
    if (!uniform_available(run, used))
        return 0;
    uint32_t address = qpu->uniform & ~UINT32_C(3);
    qpu->uniform += 4;
    qpu->times.uniforms++;
    run->uniforms_size = 0; /* the open line may be another one than this line */
    qpu_uniform_line(run, address & BUS_ADDRESS_MASK, 0);
    if (qpu->uniforms_left != UINT32_MAX)
        qpu->uniforms_left--;
    uint32_t value = load_uniform(run, address, used);
    qpu_trace_uniform(run, address, value);
    return value;
}

/* Writes the uniform address. A write in file A sets the address, and a write in file B adds to the
 * address. */
void qpu_io_set_uniform(struct qpu *qpu, bool file_a, uint32_t value, uint32_t pc)
{
    qpu->uniform = file_a ? value : qpu->uniform + value;
    qpu->uniform_set = true;
    qpu->uniform_set_at = pc;
    qpu->uniform_first = qpu->uniform;
    qpu->uniforms_enabled = true;
    qpu->uniforms_left = UINT32_MAX;
    qpu->uniform_delay = UNIFORM_LATENCY;
}

/* --- reads --- */

static const lanes element_numbers = {0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15};

/* Sets *value to the result of a read of ELEMENT_NUMBER (file A) or QPU_NUMBER (file B). */
void qpu_io_number(const struct qpu *qpu, bool file_a, lanes *value)
{
    if (file_a)
        *value = element_numbers;
    else
        alu_splat(value, qpu->number);
}

/* Reads a varying. After the last varying the data is undefined. Such a read is reported only if an
 * operand uses the data. */
static void read_varying(struct qpu_run *run, bool used, lanes *value)
{
    if (!qpu_io_is_fragment(run, run->ports->vri, "varying read"))
        return;
    struct vri *vri = run->ports->vri;
    const bool must_compute = vri->next >= vri->prepared;
    qpu_varying(run->qpu);
    if (must_compute)
        qpu_outside(run);
    bool found = vri_read(vri, value, &run->c);
    if (must_compute)
        qpu_inside(run);
    run->r5_loaded = found;
    run->qpu->shadow.r[5] = ALL_LANES;
    if (!found && used)
        QPU_FAULT(run, FAULT_QPU_VARYING_NONE,
                  "a varying is read after all varyings have been read");
}

/* Reads X or Y coordinates. Lane i is pixel (i & 1, i >> 1 & 1) of its quad. Only fragment shaders
 * have quads with coordinates. In other programs every quad is at (0, 0). */
static void read_coordinate(struct qpu_run *run, bool x, lanes *value)
{
    const struct tlb_fragment *fragment = run->ports->fragment;
    for (unsigned i = 0; i < LANES; i++) {
        uint32_t quad = 0;
        if (fragment)
            quad = x ? fragment->x[i >> 2] : fragment->y[i >> 2];
        (*value)[i] = (quad + ((x ? i : i >> 1) & 1)) & COORDINATE_MASK;
    }
}

static void read_flags(struct qpu_run *run, bool multisample, bool used, lanes *value)
{
    const struct tlb_fragment *fragment = run->ports->fragment;
    if ((!fragment && !used) ||
        !qpu_io_is_fragment(run, fragment, multisample ? "MS_FLAGS read" : "REV_FLAG read"))
        return;
    for (unsigned i = 0; i < LANES; i++)
        (*value)[i] = multisample ? fragment->ms_flags[i] : (uint32_t)fragment->rev_flag >> i & 1;
}

static void take_mutex(struct qpu_run *run)
{
    struct qpu_shared *shared = run->ports->shared;
    shared->mutex_held = true;
    shared->mutex_left = false;
    shared->mutex_owner = (uint8_t)run->qpu->number;
    shared->mutex_pc = run->qpu->pc;
    if (run->qpu->kind == QPU_USER)
        shared->mutex_taken |= (uint16_t)(1u << run->qpu->number);
    qpu_io_sync(run, QPU_SEMAPHORES, true);
    qpu_take_mutex(run);
}

/* Acquires the mutex. qpu.c has checked that the mutex is free or that this program holds the
 * mutex. */
static void acquire_mutex(struct qpu_run *run, bool file_a, lanes *value)
{
    const struct qpu_shared *shared = run->ports->shared;
    if (qpu_has_mutex(shared, run->qpu))
        QPU_FAULT(run, FAULT_QPU_MUTEX_TWICE,
                  "the program acquires the mutex again, after the instruction at 0x%08x, without "
                  "releasing it",
                  shared->mutex_pc);
    else
        take_mutex(run);
    qpu_io_number(run->qpu, file_a, value);
}

static void repeat_last(const uint32_t last[4], lanes *value)
{
    for (unsigned i = 0; i < LANES; i++)
        (*value)[i] = last[i & 3];
}

static void read_reserved(struct qpu_run *run, bool file_a, unsigned address, bool used,
                          lanes *value)
{
    qpu_io_number(run->qpu, file_a, value);
    if (used)
        QPU_FAULT(run, FAULT_QPU_RESERVED, "register address %u cannot be read", address);
}

void qpu_io_read(struct qpu_run *run, bool file_a, unsigned address, bool used, lanes *value)
{
    alu_splat(value, 0);
    switch (address) {
    case QPU_RD_UNIFORM: alu_splat(value, qpu_io_uniform(run, used)); break;
    case QPU_RD_VARYING: read_varying(run, used, value); break;
    case QPU_RD_ELEMENT_QPU: qpu_io_number(run->qpu, file_a, value); break;
    case QPU_NOP: repeat_last(file_a ? run->qpu->last_a : run->qpu->last_b, value); break;
    case QPU_RD_XY_COORD: read_coordinate(run, file_a, value); break;
    case QPU_RD_MS_REV: read_flags(run, file_a, used, value); break;
    case QPU_RD_VPM: qpu_io_read_vpm(run, used, value); break;
    case QPU_RD_VPM_BUSY: qpu_io_read_dma_busy(run, file_a, value); break;
    case QPU_RD_VPM_WAIT:
        if (qpu_io_finish_dma(run, file_a))
            qpu_io_number(run->qpu, file_a, value);
        break;
    case QPU_RD_MUTEX: acquire_mutex(run, file_a, value); break;
    default: read_reserved(run, file_a, address, used, value); break;
    }
    qpu_trace_read(run, file_a, address, value);
}

/* --- TMU and SFU --- */

static void load_tmu(struct qpu_run *run, unsigned unit, lanes *value)
{
    bool found = tmu_read(run->ports->tmu, unit, value);
    qpu_tmu_result(run, unit);
    if (found)
        return;
    QPU_FAULT(run, FAULT_TMU_EMPTY, "TMU%u has no result to load", unit);
    qpu_break(run);
}

void qpu_io_load(struct qpu_run *run, enum qpu_sig sig, lanes *value)
{
    alu_splat(value, 0);
    if (sig == QPU_SIG_LOAD_TMU0 || sig == QPU_SIG_LOAD_TMU1)
        load_tmu(run, sig == QPU_SIG_LOAD_TMU1, value);
    else
        qpu_io_load_tlb(run, sig, value);
    qpu_trace_load(run, sig, value);
}

static uint32_t texture_parameter(struct qpu_run *run)
{
    if (run->insn->traits & QPU_READS_UNIFORM)
        QPU_FAULT(run, FAULT_QPU_PERIPHERAL,
                  "an instruction reads a uniform, and its TMU write also reads a uniform");
    if (run->end_phase != QPU_NOT_ENDING)
        QPU_FAULT(run, FAULT_QPU_END_RULES,
                  "a TMU write reads a uniform in the last three instructions");
    return qpu_io_uniform(run, true);
}

/* Reports a lookup whose address is not a multiple of 4, because a lookup returns an aligned
 * word. */
static void check_lookup(struct qpu_run *run, const lanes *address, lane_mask mask)
{
    for (unsigned i = 0; i < LANES; i++) {
        if (!(mask >> i & 1) || (*address)[i] % 4 == 0)
            continue;
        QPU_FAULT(run, FAULT_TMU_UNALIGNED,
                  "element %u looks up 0x%08x, which is not a multiple of 4; the result is the "
                  "word at 0x%08x",
                  i, (*address)[i], (*address)[i] & ~UINT32_C(3));
        return;
    }
}

static void write_tmu(struct qpu_run *run, unsigned address, const lanes *value, lane_mask mask)
{
    unsigned unit = (address - QPU_WR_TMU0_S) >> 2;
    enum tmu_register reg = (enum tmu_register)(address & 3);
    struct tmu *tmu = run->ports->tmu;
    if (reg == TMU_S && mask != ALL_LANES)
        QPU_FAULT(run, FAULT_TMU_CONDITION, "conditional TMU write: elements 0x%04x are undefined",
                  (unsigned)(lane_mask)~mask);
    bool looks_up = reg == TMU_S && !tmu_needs_parameter(tmu, unit, reg);
    if (looks_up && run->ports->sanitize)
        check_lookup(run, value, mask);
    tmu->parameter_at = run->qpu->uniform & ~UINT32_C(3);
    uint32_t parameter = tmu_needs_parameter(tmu, unit, reg) ? texture_parameter(run) : 0;
    qpu_outside(run);
    tmu->pc = run->qpu->pc;
    tmu->origin = qpu_origin(run->qpu);
    uint32_t before = tmu_pending(tmu);
    tmu_write(tmu, run->ports->tmu_ports, unit, reg, value, parameter);
    if (reg == TMU_S)
        qpu_tmu_request(run, unit, tmu_pending(tmu) - before);
    qpu_inside(run);
}

void qpu_io_write_sfu(struct qpu *qpu, unsigned function, const lanes *value, lane_mask mask)
{
    lanes result;
    sfu_lanes(&result, (enum sfu_function)function, value);
    qpu->sfu_result = qpu->r[4];
    alu_select(&qpu->sfu_result, &result, mask);
    qpu->sfu_delay = SFU_LATENCY;
}

/* --- other writes --- */

/* Writes r5. A write in file A copies element 0 of each quad to the whole quad. A write in file B
 * copies element 0 to all elements. */
void qpu_io_write_r5(struct qpu *qpu, bool file_a, const lanes *value, lane_mask mask)
{
    for (unsigned i = 0; i < LANES; i++) {
        unsigned source = file_a ? i & ~3u : 0;
        if (mask >> source & 1)
            qpu->r[5][i] = (*value)[source];
    }
}

static void write_accumulator(struct qpu *qpu, bool file_a, unsigned number, const lanes *value,
                              lane_mask mask)
{
    if (number == 5)
        qpu_io_write_r5(qpu, file_a, value, mask);
    else
        alu_select(&qpu->r[number], value, mask);
    qpu->wrote.accumulators |= (uint8_t)(1u << number);
    qpu->wrote.accumulator_lanes |= mask;
}

/* Records that a program raised the host interrupt. Reports a second interrupt, because the host
 * treats the first one as the end of all programs. */
static void note_interrupt(struct qpu_run *run, uint32_t bit)
{
    struct qpu_shared *shared = run->ports->shared;
    uint32_t others = shared->interrupted & ~bit;
    if (others && run->ports->sanitize)
        QPU_FAULT(
            run, FAULT_QPU_INTERRUPTS,
            "QPU %u raises the host interrupt, which QPU %d has already raised; both programs "
            "run at the same time",
            run->qpu->number, __builtin_ctz(others));
    shared->interrupted |= bit;
}

static void raise_interrupt(struct qpu_run *run, const lanes *value, lane_mask mask)
{
    struct qpu_shared *shared = run->ports->shared;
    uint32_t bit = UINT32_C(1) << run->qpu->number;
    bool raised = (lane_mask)~alu_zero(value) & mask;
    if (raised && run->qpu->kind == QPU_USER)
        note_interrupt(run, bit);
    if (raised && shared->interrupt_allowed && (shared->interrupt_enabled & bit))
        shared->interrupt_latched |= bit;
}

/* Writes QUAD_X or QUAD_Y. Element 0 of each quad is the new coordinate. Bit 0 is ignored, because
 * quads are at even pixels. */
static void write_quad(struct qpu_run *run, bool x, const lanes *value, lane_mask mask)
{
    struct tlb_fragment *fragment = run->ports->fragment;
    if (!qpu_io_is_fragment(run, fragment, x ? "QUAD_X write" : "QUAD_Y write"))
        return;
    for (unsigned quad = 0; quad < 4; quad++)
        if (mask >> 4 * quad & 1)
            (x ? fragment->x : fragment->y)[quad] = (*value)[4 * quad] & 0xfffe;
}

static void write_flags(struct qpu_run *run, bool multisample, const lanes *value, lane_mask mask)
{
    struct tlb_fragment *fragment = run->ports->fragment;
    if (!qpu_io_is_fragment(run, fragment, multisample ? "MS_FLAGS write" : "REV_FLAG write"))
        return;
    if (!multisample) {
        if (mask & 1)
            fragment->rev_flag = (*value)[0] & 1 ? ALL_LANES : 0;
        return;
    }
    for (unsigned i = 0; i < LANES; i++)
        if (mask >> i & 1)
            fragment->ms_flags[i] = (*value)[i] & 15;
}

static void release_mutex(struct qpu_run *run, lane_mask mask)
{
    if (!mask)
        return;
    run->ports->shared->mutex_held = false;
    qpu_give_mutex(run);
    qpu_io_sync(run, QPU_SEMAPHORES, false);
}

void qpu_io_write(struct qpu_run *run, bool file_a, unsigned address, const lanes *value,
                  lane_mask mask)
{
    struct qpu *qpu = run->qpu;
    switch (address) {
    case QPU_WR_ACC0:
    case QPU_WR_ACC0 + 1:
    case QPU_WR_ACC0 + 2:
    case QPU_WR_ACC3:
    case QPU_WR_ACC5: write_accumulator(qpu, file_a, address - QPU_WR_ACC0, value, mask); break;
    case QPU_WR_TMU_NOSWAP:
        if (mask & 1)
            tmu_noswap(run->ports->tmu, (*value)[0]);
        break;
    case QPU_WR_HOST_INT: raise_interrupt(run, value, mask); break;
    case QPU_WR_UNIFORM_ADDRESS:
        if (mask & 1)
            qpu_io_set_uniform(qpu, file_a, (*value)[0], qpu->pc);
        break;
    case QPU_WR_QUAD_XY: write_quad(run, file_a, value, mask); break;
    case QPU_WR_MS_REV: write_flags(run, file_a, value, mask); break;
    case QPU_WR_STENCIL_SETUP:
    case QPU_WR_TLB_Z:
    case QPU_WR_TLB_COLOUR_MS:
    case QPU_WR_TLB_COLOUR_ALL:
    case QPU_WR_TLB_ALPHA_MASK: qpu_io_write_tlb(run, address, value, mask); break;
    case QPU_WR_VPM:
    case QPU_WR_VPM_SETUP:
    case QPU_WR_VPM_ADDRESS: qpu_io_write_vpm(run, file_a, address, value, mask); break;
    case QPU_WR_MUTEX_RELEASE: release_mutex(run, mask); break;
    case QPU_WR_SFU_RECIP:
    case QPU_WR_SFU_RECIPSQRT:
    case QPU_WR_SFU_EXP:
    case QPU_WR_SFU_LOG:
        qpu_sfu_request(run, 0);
        qpu_io_write_sfu(qpu, address - QPU_WR_SFU_RECIP, value, mask);
        break;
    default: write_tmu(run, address, value, mask); break;
    }
    qpu_trace_write(run, file_a, address, value, mask);
}

/* --- end of program --- */

void qpu_io_end(struct qpu_run *run)
{
    const struct qpu_ports *ports = run->ports;
    const struct vri *vri = ports->vri;
    if (!run->qpu->scoreboard_done)
        qpu_scoreboard_unlock(run);
    if (vri && vri->next < vri->count)
        QPU_FAULT(run,
                  vri->count - vri->next == vri->implicit ? FAULT_QPU_VARYING_IMPLICIT
                                                          : FAULT_QPU_VARYING_UNREAD,
                  "%u of %u varying%s %s not read", vri->count - vri->next, vri->count,
                  text_plural(vri->count), vri->count - vri->next == 1 ? "was" : "were");
    if (ports->tmu && tmu_pending(ports->tmu)) {
        qpu_fault_from(run, FAULT_TMU_LEFT, tmu_oldest(ports->tmu),
                       "%u TMU result%s not loaded; this instruction requested the %s",
                       tmu_pending(ports->tmu), tmu_pending(ports->tmu) == 1 ? " was" : "s were",
                       tmu_pending(ports->tmu) == 1 ? "result" : "first result");
        tmu_reset(ports->tmu);
    }
    if (ports->tmu && tmu_unfinished(ports->tmu)) {
        qpu_fault_from(run, FAULT_TMU_UNFINISHED, tmu_last_parameter(ports->tmu), "%s",
                       "TMU T, R or B was written without a later write to S");
        tmu_reset(ports->tmu);
    }
    if (ports->vpm && ports->vpm_port) {
        qpu_io_report_time(run->qpu, ports->vpm_port);
        qpu_outside(run);
        vpm_end(ports->vpm_ports, ports->vpm_port);
        qpu_inside(run);
    }
    const struct qpu_shadow *shadow = &run->qpu->shadow;
    if (shadow->other_switch && !shadow->last_switch)
        qpu_fault_from(run, FAULT_QPU_SWITCH_NO_LAST, shadow->switch_at, "%s",
                       "the last thread switch does not use the last-thread-switch signal");
    struct qpu_shared *shared = ports->shared;
    if (qpu_has_mutex(shared, run->qpu)) {
        qpu_fault_from(
            run, FAULT_QPU_MUTEX_LEFT, shared->mutex_pc, "%s",
            "the program ends while it holds the mutex, which this instruction acquired");
        shared->mutex_left = true;
    }
}

/* --- semaphores --- */

static void trace_semaphore(struct qpu_run *run, unsigned number, bool acquire)
{
    lanes value;
    alu_splat(&value, run->ports->shared->semaphore[number]);
    qpu_trace_add(run, (struct tess_vc4_event){.kind = acquire ? TESS_VC4_EVENT_SEMAPHORE_ACQUIRE
                                                               : TESS_VC4_EVENT_SEMAPHORE_RELEASE,
                                               .number = number,
                                               .values = (const uint32_t *)&value});
}

static void note_release(struct qpu_run *run, unsigned number)
{
    run->ports->shared->released_at[number] = run->qpu->pc;
    run->ports->shared->released_by[number] = (uint8_t)run->qpu->number;
}

void qpu_semaphore(struct qpu_run *run, unsigned number, bool acquire)
{
    uint8_t *value = &run->ports->shared->semaphore[number];
    *value = (uint8_t)(acquire ? *value - 1 : *value + 1);
    if (!acquire)
        note_release(run, number);
    qpu_io_sync(run, number, acquire);
    qpu_change_semaphore(run, number, acquire);
    if (run->ports->trace)
        trace_semaphore(run, number, acquire);
}
