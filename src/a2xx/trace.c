/* SPDX-License-Identifier: MIT */
/* trace.c - looking on while one lane runs.
 *
 * In:      a batch, one of its lanes.
 * Out:     each step of the lane. It executes as in a run, but without others beside it; those of its quad excepted. */
#include <fenv.h>
#include <stdlib.h>

#include "a2xx/core.h"
#include "base/bits.h"

enum { QUAD = 4 };

struct watcher {
    void (*trace)(void *user, const struct tess_a2xx_step *step);
    void *user;
    unsigned lane; /* of the machine */
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

/* Components that were made, the others 0. */
static unsigned made(const struct a2xx_machine *machine, enum tess_a2xx_step_kind kind, bool done)
{
    if (!done || kind == TESS_A2XX_STEP_CONTROL)
        return 0;
    if (kind == TESS_A2XX_STEP_FETCH || is_reduction(machine, kind))
        return 15;
    return machine->code->alu[machine->line / 2].vector_mask;
}

static void copy_registers(const struct a2xx_machine *machine, struct watcher *watcher)
{
    for (unsigned i = 0; i < A2XX_REGISTERS; i++)
        for (unsigned c = 0; c < 4; c++)
            watcher->registers[i][c] = value_of(&machine->registers[i][c], watcher->lane);
}

static void look(struct a2xx_machine *machine, enum tess_a2xx_step_kind kind, a2xx_mask lanes,
                 a2xx_mask done)
{
    struct watcher *watcher = machine->watcher;
    unsigned lane = watcher->lane, components;
    if (!(lanes >> lane & 1))
        return;
    copy_registers(machine, watcher);
    struct tess_a2xx_step step = {
        .lane = machine->batch->base + machine->first + lane,
        .number = machine->executed[lane] + machine->step,
        .kind = kind,
        .slot = machine->line / 2,
        .half = kind == TESS_A2XX_STEP_CONTROL ? machine->line % 2 : 0,
        .skipped = !(done >> lane & 1),
        .scalar = value_of(&machine->previous, lane),
        .predicate = machine->predicate >> lane & 1,
        .killed = machine->killed >> lane & 1,
        .a0 = machine->a0[lane],
        .al = machine->al[lane],
        .registers = (const float(*)[4])watcher->registers,
    };
    components = made(machine, kind, !step.skipped);
    for (unsigned c = 0; c < 4; c++)
        if (components >> c & 1)
            step.vector[c] = value_of(&machine->values.made[is_reduction(machine, kind) ? 0 : c],
                                      lane);
    step.export_mask = step.skipped ? 0 : machine->watched_exports;
    watcher->trace(watcher->user, &step);
}

static void run_watched(struct a2xx_machine *machine, struct watcher *watcher, size_t lane,
                        bool quads)
{
    fenv_t before;
    fegetenv(&before);
    fesetenv(FE_DFL_ENV);
    machine->watcher = watcher;
    machine->watch = look;
    machine->stats = (struct tess_a2xx_stats){0};
    machine->runaway = machine->failed = false;
    watcher->lane = quads ? (unsigned)(lane % QUAD) : 0;
    a2xx_run_lanes(machine, lane - watcher->lane, quads ? QUAD : 1);
    machine->watch = NULL;
    fesetenv(&before);
}

enum tess_status tess_a2xx_trace(struct tess_a2xx *a2xx, const struct tess_a2xx_batch *batch,
                                 size_t lane,
                                 void (*trace)(void *user, const struct tess_a2xx_step *step),
                                 void *user)
{
    if (!a2xx_batch_is_valid(a2xx, batch) || lane >= batch->count || !trace)
        return TESS_INVALID;
    struct a2xx_machine *machine = a2xx_machine_ready(a2xx, 0, batch);
    struct watcher *watcher = malloc(sizeof *watcher);
    if (!machine || !watcher) {
        free(watcher);
        return TESS_NO_MEMORY;
    }
    *watcher = (struct watcher){.trace = trace, .user = user};
    run_watched(machine, watcher, lane, batch->quads);
    free(watcher);
    a2xx_add_stats(&a2xx->stats, &machine->stats);
    struct fault_log found;
    fault_log_take(&found, &machine->faults);
    fault_log_merge(&a2xx->faults, &found);
    fault_log_free(&found);
    a2xx_apply_writes(a2xx, &machine->writes);
    return a2xx_run_ended(a2xx, batch, machine->runaway, machine->failed);
}
