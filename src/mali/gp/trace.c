/* SPDX-License-Identifier: MIT */
/* trace.c - traces the execution of a vertex.
 *
 * In:      a vertex.
 * Out:     struct tess_gp_step for each instruction.
 * The caller can stop the vertex after an instruction; machine 0 keeps the state of the vertex. The
 * counters and findings so far are added to those of the handle. The program is decoded again for
 * the trace, so that each write takes effect at its exact time. */
#include <fenv.h>
#include <string.h>

#include "base/bits.h"
#include "mali/gp/gp.h"
#include "mali/gp/steps.h"
#include "mali/gp/units.h"

struct watcher {
    tess_gp_tracer *trace;
    void *user;
    struct tess_gp_step step;
    float registers[GP_REGISTERS][GP_COMPONENTS];
};

static float of_lane0(const gp_lanes *value)
{
    return bits_float((*value)[0]);
}

static void copy_load0(const struct gp_machine *machine, const struct gp_insn *insn, float to[4])
{
    const struct gp_memory *memory = machine->memory;
    for (unsigned c = 0; c < GP_COMPONENTS; c++)
        to[c] = of_lane0(insn->register0_attribute
                             ? &memory->attributes[insn->register0_addr][c]
                             : &memory->registers[insn->register0_addr * 4 + c]);
}

static void copy_row(const struct gp_machine *machine, uint32_t row, float to[4])
{
    for (unsigned c = 0; c < GP_COMPONENTS; c++)
        to[c] = bits_float(gp_row_component(machine, row, c, 0));
}

/* Records the state of the processor before the instruction. */
static void look_before(struct gp_machine *machine, const struct gp_insn *insn,
                        struct watcher *watcher)
{
    struct tess_gp_step *step = &watcher->step;
    const struct gp_memory *memory = machine->memory;
    unsigned offset = gp_row_offset(insn);
    for (unsigned i = 0; i < GP_REGISTERS * GP_COMPONENTS; i++)
        watcher->registers[i / 4][i % 4] = of_lane0(&memory->registers[i]);
    for (unsigned i = 0; i < GP_ADDRESSES; i++)
        step->addresses[i] = (int32_t)memory->address[i][0];
    copy_load0(machine, insn, step->load0);
    memcpy(step->load1, watcher->registers[insn->register1_addr], sizeof step->load1);
    step->row_number = (insn->load_addr + (offset ? memory->address[offset][0] : 0)) % TESS_GP_ROWS;
    copy_row(machine, step->row_number, step->row);
}

/* Records the results of the instruction and the state after it. */
static void look_after(struct gp_machine *machine, const struct gp_line *line,
                       struct watcher *watcher)
{
    struct tess_gp_step *step = &watcher->step;
    const struct gp_set *now = (const struct gp_set *)machine->base[GP_BASE_NOW];
    step->active = ~gp_idle_units(&line->insn) & ((1u << TESS_GP_UNITS) - 1);
    for (unsigned unit = 0; unit < TESS_GP_UNITS; unit++)
        step->results[unit] = step->active >> unit & 1 ? of_lane0(&now->unit[unit]) : 0;
    if (line->late && step->active >> TESS_GP_MUL0 & 1)
        step->results[TESS_GP_MUL0] = of_lane0(&now->late);
    step->taken = line->branch && now->unit[TESS_GP_PASS][0] << 1 != 0;
}

static void watch(struct gp_machine *machine, bool done)
{
    struct watcher *watcher = machine->watcher;
    const struct gp_line *line = &machine->code->line[machine->group->pc];
    struct tess_gp_step *step = &watcher->step;
    if (!done) {
        look_before(machine, &line->insn, watcher);
        return;
    }
    look_after(machine, line, watcher);
    step->vertex = machine->batch->base + machine->first_vertex;
    step->instruction = machine->group->pc;
    step->cycle = machine->group->cycle;
    step->registers = (const float(*)[4])watcher->registers;
    if (!watcher->trace(watcher->user, step))
        gp_stop_lanes(machine);
}

/* --- runs --- */

/* Runs the vertex, or continues the stopped vertex. */
static void run_watched(struct tess_gp *gp, struct gp_machine *machine, size_t vertex)
{
    fenv_t before;
    fegetenv(&before);
    fesetenv(FE_DFL_ENV);
    machine->stats = (struct tess_gp_stats){0};
    machine->runaway = machine->failed = false;
    machine->watch = watch;
    gp->busy = true;
    if (gp->stopped) {
        gp_resume_lanes(machine);
    } else {
        gp_machine_clear(machine);
        gp_run_lanes(machine, vertex, 1);
    }
    gp->stopped = machine->group_count > 0;
    machine->watch = NULL;
    fesetenv(&before);
}

/* Adds the counters and findings of the machine to those of the handle. */
static void gather(struct tess_gp *gp, struct gp_machine *machine)
{
    struct item_log found;
    gp_add_stats(&gp->stats, &machine->stats);
    item_log_take(&found, &machine->faults);
    item_log_merge(&gp->faults, &found);
    item_log_free(&found);
}

static enum tess_status run(struct tess_gp *gp, const struct tess_gp_batch *batch, size_t vertex,
                            struct watcher *watcher)
{
    struct gp_machine *machine = gp_machine_ready(gp, 0, gp->watched_code, batch);
    if (!machine)
        return TESS_NO_MEMORY;
    machine->watcher = watcher;
    run_watched(gp, machine, vertex);
    gather(gp, machine);
    enum tess_status status = gp->stopped && !gp->faults.failed
                                  ? TESS_STOPPED
                                  : gp_run_ended(gp, batch, machine->runaway, machine->failed);
    gp->stopped = status == TESS_STOPPED;
    gp->busy = false;
    return status;
}

static enum tess_status make_code(struct tess_gp *gp)
{
    return gp->watched_code ? TESS_OK : gp_decode_for(gp, true, &gp->watched_code);
}

enum tess_status tess_gp_trace(struct tess_gp *gp, const struct tess_gp_batch *batch, size_t vertex,
                               tess_gp_tracer *trace, void *user)
{
    struct watcher watcher = {.trace = trace, .user = user};
    if (!gp_batch_is_valid(gp, batch) || !trace)
        return TESS_INVALID;
    gp->stopped = false;
    enum tess_status status = make_code(gp);
    return status ? status : run(gp, batch, vertex, &watcher);
}

enum tess_status tess_gp_resume(struct tess_gp *gp, const struct tess_gp_batch *batch,
                                tess_gp_tracer *trace, void *user)
{
    struct watcher watcher = {.trace = trace, .user = user};
    if (!gp_batch_is_valid(gp, batch) || !trace || !gp->stopped)
        return TESS_INVALID;
    enum tess_status status = make_code(gp);
    return status ? status : run(gp, batch, 0, &watcher);
}
