/* SPDX-License-Identifier: MIT */
/* trace.c - traces the execution of lanes of a batch.
 *
 * In:      a batch, and one of its lanes or all of them.
 * Out:     each step of the traced lanes. All lanes of the batch run, because a lane's path may
 *          depend on other lanes. The caller can stop the batch after an instruction; machine 0
 *          keeps the state of the lanes. The counters and findings so far are added to those of the
 *          handle. */
#include <fenv.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "a2xx/shader/alu.h"
#include "a2xx/shader/core.h"
#include "base/bits.h"
#include "exec/waves.h"
#include "program/operations.h"

struct watcher {
    tess_a2xx_tracer *trace;
    void *user;
    size_t lane; /* index of the traced lane in the batch, or TESS_A2XX_EVERY_LANE */
    const struct tess_a2xx_program *program;
    /* State of all lanes before the instruction. */
    struct {
        struct a2xx_row registers[A2XX_REGISTERS][4];
        a2xx_mask predicate, killed;
        int16_t a0[A2XX_LANES], al[A2XX_LANES];
    } rows;
    float registers[A2XX_REGISTERS][4], before[A2XX_REGISTERS][4];
    struct operations operations;
};

static float value_of(const struct a2xx_row *row, unsigned lane)
{
    return bits_float(row->lane[lane]);
}

static bool is_reduction(const struct a2xx_machine *machine, enum tess_a2xx_step_kind kind)
{
    return kind == TESS_A2XX_STEP_ALU &&
           a2xx_op_is_reduction(machine->code->alu[machine->line / 2].insn.vector_opc);
}

static void copy_registers(const struct a2xx_row (*from)[4], unsigned lane, float to[][4])
{
    for (unsigned i = 0; i < A2XX_REGISTERS; i++)
        for (unsigned c = 0; c < 4; c++)
            to[i][c] = value_of(&from[i][c], lane);
}

/* Records the state of all lanes before the instruction. */
static void look_before(struct a2xx_machine *machine)
{
    struct watcher *watcher = machine->watcher;
    memcpy(watcher->rows.registers, machine->registers, sizeof watcher->rows.registers);
    memcpy(watcher->rows.a0, machine->a0, sizeof watcher->rows.a0);
    memcpy(watcher->rows.al, machine->al, sizeof watcher->rows.al);
    watcher->rows.predicate = machine->predicate;
    watcher->rows.killed = machine->killed;
}

/* --- operations --- */

/* Returns the register or constant that an operand of the lane reads. A register number above 63
 * wraps around. A constant outside of the stage's window has the value 0. */
static const float *operand_values(const struct a2xx_machine *machine, unsigned lane,
                                   const struct listed_operand *operand)
{
    static const float zeros[4];
    const struct watcher *watcher = machine->watcher;
    int index = operand->number;
    if (operand->place & A2XX_PLACE_AL)
        index += watcher->rows.al[lane];
    if (operand->place & A2XX_PLACE_A0)
        index += watcher->rows.a0[lane];
    if (!(operand->place & A2XX_PLACE_CONSTANT))
        return watcher->before[index & (A2XX_REGISTERS - 1)];
    int place = a2xx_constant_place(machine, &machine->code->alu[machine->line / 2], index);
    return place < 0 ? zeros : machine->constants->value[place];
}

static void set_operands(const struct a2xx_machine *machine, unsigned lane,
                         const struct listed_operation *from, struct tess_operation *to)
{
    for (unsigned i = 0; i < from->count; i++) {
        const struct listed_operand *operand = &from->operands[i];
        const float *values = operand_values(machine, lane, operand);
        for (unsigned c = 0; c < operand->component_count; c++) {
            float value = values[operand->components[c]];
            value = operand->absolute ? fabsf(value) : value;
            to->operands[i].values[c] = operand->negative ? -value : value;
        }
    }
}

static void set_results(const struct tess_a2xx_step *step, enum a2xx_unit unit,
                        struct tess_operation *to)
{
    bool control = step->kind == TESS_A2XX_STEP_CONTROL, scalar = unit == A2XX_UNIT_SCALAR;
    to->outcome = !step->skipped ? TESS_OUTCOME_NONE
                  : control      ? TESS_OUTCOME_NOT_TAKEN
                                 : TESS_OUTCOME_SKIPPED;
    to->result_count = step->skipped || control ? 0 : scalar ? 1 : 4;
    memcpy(to->results, scalar ? &step->scalar : step->vector, to->result_count * sizeof(float));
}

static void set_operations(const struct a2xx_machine *machine, unsigned lane,
                           struct tess_a2xx_step *step)
{
    struct operations *operations = &((struct watcher *)machine->watcher)->operations;
    for (unsigned i = 0; i < operations->listed.count; i++) {
        const struct listed_operation *from = &operations->listed.list[i];
        set_operands(machine, lane, from, &operations->list[i]);
        set_results(step, from->kind, &operations->list[i]);
    }
    step->operations = operations->list;
    step->operation_count = operations->listed.count;
}

static void show(struct a2xx_machine *machine, enum tess_a2xx_step_kind kind, unsigned lane,
                 bool done)
{
    struct watcher *watcher = machine->watcher;
    bool results = done && kind != TESS_A2XX_STEP_CONTROL;
    copy_registers(machine->registers, lane, watcher->registers);
    copy_registers(watcher->rows.registers, lane, watcher->before);
    struct tess_a2xx_step step = {
        .lane = machine->batch->base + machine->first + lane,
        .number = machine->executed[lane] + machine->step,
        .kind = kind,
        .slot = machine->line / 2,
        .half = kind == TESS_A2XX_STEP_CONTROL ? machine->line % 2 : 0,
        .skipped = !done,
        .scalar = value_of(&machine->previous, lane),
        .predicate = machine->predicate >> lane & 1,
        .killed = machine->killed >> lane & 1,
        .a0 = machine->a0[lane],
        .al = machine->al[lane],
        .registers = (const float(*)[4])watcher->registers,
        .before = {.predicate = watcher->rows.predicate >> lane & 1,
                   .killed = watcher->rows.killed >> lane & 1,
                   .a0 = watcher->rows.a0[lane],
                   .al = watcher->rows.al[lane],
                   .registers = (const float(*)[4])watcher->before},
    };
    for (unsigned c = 0; results && c < 4; c++)
        step.vector[c] = value_of(&machine->values.made[is_reduction(machine, kind) ? 0 : c], lane);
    step.export_mask = step.skipped ? 0 : machine->watched_exports;
    set_operations(machine, lane, &step);
    machine->stop |= !watcher->trace(watcher->user, &step);
}

static void look(struct a2xx_machine *machine, enum tess_a2xx_step_kind kind, a2xx_mask lanes,
                 a2xx_mask done)
{
    struct watcher *watcher = machine->watcher;
    bool listed = false;
    FOR_LANES(lane, lanes)
    {
        if (watcher->lane != TESS_A2XX_EVERY_LANE && watcher->lane != machine->first + lane)
            continue;
        if (!listed && kind == TESS_A2XX_STEP_CONTROL)
            operations_of_control(&watcher->operations, watcher->program, machine->line);
        else if (!listed)
            operations_of_a2xx(&watcher->operations, watcher->program, machine->line / 2);
        listed = true;
        show(machine, kind, (unsigned)lane, done >> lane & 1);
    }
}

/* --- runs --- */

/* Runs the next lanes of the batch, or continues the stopped lanes. */
static void run_lanes(struct tess_a2xx *a2xx, struct a2xx_machine *machine)
{
    const size_t wave = (size_t)WAVES_CHUNKS * WAVES_CHUNK;
    struct a2xx_stopped *at = &a2xx->stopped;
    size_t left = at->count - at->done;
    machine->stats = (struct tess_a2xx_stats){0};
    unsigned lanes = left < A2XX_LANES ? (unsigned)left : A2XX_LANES;
    at->inside = at->inside ? !a2xx_resume_lanes(machine)
                            : !a2xx_run_lanes(machine, at->done, lanes);
    a2xx_add_stats(&a2xx->stats, &machine->stats);
    item_log_gather(&a2xx->faults, &machine->faults);
    if (at->inside)
        return;
    at->done += lanes;
    if (at->done % wave == 0)
        a2xx_apply_writes(a2xx, &machine->writes);
}

/* Returns true if the batch has not ended. After a runaway lane, only the lanes that run together
 * with it run to their end. */
static bool is_left(const struct a2xx_stopped *at, const struct a2xx_machine *machine)
{
    return at->done < at->count && (at->inside || !machine->runaway) && !machine->failed;
}

/* Runs the batch until it ends or the caller stops it. One host thread executes all lanes. */
static void run_all(struct tess_a2xx *a2xx, struct a2xx_machine *machine)
{
    struct a2xx_stopped *at = &a2xx->stopped;
    fenv_t before;
    fegetenv(&before);
    fesetenv(FE_DFL_ENV);
    machine->watch = look;
    machine->watch_before = look_before;
    machine->stop = machine->failed = false;
    machine->runaway = at->runaway;
    while (is_left(at, machine) && !machine->stop)
        run_lanes(a2xx, machine);
    at->runaway = machine->runaway;
    machine->watch = NULL;
    machine->watch_before = NULL;
    fesetenv(&before);
    at->valid = is_left(at, machine);
}

static enum tess_status run_watched(struct tess_a2xx *a2xx, const struct tess_a2xx_batch *batch,
                                    struct watcher *watcher)
{
    struct a2xx_machine *machine = a2xx_machine_ready(a2xx, 0, batch);
    if (!machine)
        return TESS_NO_MEMORY;
    a2xx->busy = true;
    machine->watcher = watcher;
    run_all(a2xx, machine);
    enum tess_status status = TESS_STOPPED;
    a2xx->stopped.valid &= !a2xx->faults.failed;
    if (!a2xx->stopped.valid) {
        a2xx_apply_writes(a2xx, &machine->writes);
        status = a2xx_run_ended(a2xx, batch, machine->runaway, machine->failed);
    }
    a2xx->busy = false;
    return status;
}

/* Runs or continues the batch with a new watcher. */
static enum tess_status run_traced(struct tess_a2xx *a2xx, const struct tess_a2xx_batch *batch,
                                   size_t lane, tess_a2xx_tracer *trace, void *user)
{
    struct watcher *watcher = calloc(1, sizeof *watcher);
    if (!watcher)
        return TESS_NO_MEMORY;
    watcher->trace = trace;
    watcher->user = user;
    watcher->lane = lane;
    watcher->program = a2xx->loaded[batch->stage].program;
    enum tess_status status = run_watched(a2xx, batch, watcher);
    free(watcher);
    return status;
}

static bool is_lane(const struct tess_a2xx_batch *batch, size_t lane)
{
    return lane < batch->count || lane == TESS_A2XX_EVERY_LANE;
}

enum tess_status tess_a2xx_trace(struct tess_a2xx *a2xx, const struct tess_a2xx_batch *batch,
                                 size_t lane, tess_a2xx_tracer *trace, void *user)
{
    if (!a2xx_batch_is_valid(a2xx, batch) || !trace || !is_lane(batch, lane))
        return TESS_INVALID;
    a2xx_run_begins(a2xx, batch);
    a2xx->stopped = (struct a2xx_stopped){.stage = batch->stage, .count = batch->count};
    return run_traced(a2xx, batch, lane, trace, user);
}

enum tess_status tess_a2xx_resume(struct tess_a2xx *a2xx, const struct tess_a2xx_batch *batch,
                                  size_t lane, tess_a2xx_tracer *trace, void *user)
{
    if (!a2xx_batch_is_valid(a2xx, batch) || !trace || !is_lane(batch, lane) ||
        !a2xx->stopped.valid || batch->stage != a2xx->stopped.stage ||
        batch->count != a2xx->stopped.count)
        return TESS_INVALID;
    return run_traced(a2xx, batch, lane, trace, user);
}
