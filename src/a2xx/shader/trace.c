/* SPDX-License-Identifier: MIT */
/* trace.c - traces the execution of lanes of a batch.
 *
 * In:      a batch, and one of its lanes or all of them.
 * Out:     each step of the traced lanes. All lanes of the batch run, because a lane's path may
 *          depend on other lanes. */
#include "a2xx/shader/core.h"
#include "base/bits.h"

struct watcher {
    void (*trace)(void *user, const struct tess_a2xx_step *step);
    void *user;
    size_t lane; /* index of the traced lane in the batch, or TESS_A2XX_EVERY_LANE */
    float registers[A2XX_REGISTERS][4];
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

static void copy_registers(const struct a2xx_machine *machine, unsigned lane, float to[][4])
{
    for (unsigned i = 0; i < A2XX_REGISTERS; i++)
        for (unsigned c = 0; c < 4; c++)
            to[i][c] = value_of(&machine->registers[i][c], lane);
}

static void show(struct a2xx_machine *machine, enum tess_a2xx_step_kind kind, unsigned lane,
                 bool done)
{
    struct watcher *watcher = machine->watcher;
    bool results = done && kind != TESS_A2XX_STEP_CONTROL;
    copy_registers(machine, lane, watcher->registers);
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
    };
    for (unsigned c = 0; results && c < 4; c++)
        step.vector[c] = value_of(&machine->values.made[is_reduction(machine, kind) ? 0 : c], lane);
    step.export_mask = step.skipped ? 0 : machine->watched_exports;
    watcher->trace(watcher->user, &step);
}

static void look(struct a2xx_machine *machine, enum tess_a2xx_step_kind kind, a2xx_mask lanes,
                 a2xx_mask done)
{
    const struct watcher *watcher = machine->watcher;
    A2XX_FOR_LANES(lane, lanes)
    {
        if (watcher->lane == TESS_A2XX_EVERY_LANE || watcher->lane == machine->first + lane)
            show(machine, kind, (unsigned)lane, done >> lane & 1);
    }
}

/* Runs the batch with one host thread, so that the first machine executes all lanes. */
static enum tess_status run_watched(struct tess_a2xx *a2xx, const struct tess_a2xx_batch *batch,
                                    struct watcher *watcher)
{
    struct a2xx_machine *machine = a2xx_machine_ready(a2xx, 0, batch);
    unsigned threads = a2xx->options.threads;
    if (!machine)
        return TESS_NO_MEMORY;
    machine->watcher = watcher;
    machine->watch = look;
    a2xx->options.threads = 1;
    enum tess_status status = tess_a2xx_run(a2xx, batch);
    a2xx->options.threads = threads;
    machine->watch = NULL;
    return status;
}

enum tess_status tess_a2xx_trace(struct tess_a2xx *a2xx, const struct tess_a2xx_batch *batch,
                                 size_t lane,
                                 void (*trace)(void *user, const struct tess_a2xx_step *step),
                                 void *user)
{
    struct watcher watcher = {.trace = trace, .user = user, .lane = lane};
    if (!a2xx_batch_is_valid(a2xx, batch) || !trace ||
        (lane >= batch->count && lane != TESS_A2XX_EVERY_LANE))
        return TESS_INVALID;
    return run_watched(a2xx, batch, &watcher);
}
