/* SPDX-License-Identifier: MIT */
/* trace.c - traces the execution of a vertex.
 *
 * In:      a vertex.
 * Out:     struct tess_gp_step for each instruction, with the values of all operands.
 * The caller can stop the vertex after an instruction; machine 0 keeps the state of the vertex. The
 * counters and findings so far are added to those of the handle. The program is decoded again for
 * the trace, so that each write takes effect at its exact time. */
#include <fenv.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/bits.h"
#include "mali/gp/flow_analysis.h"
#include "mali/gp/gp.h"
#include "mali/gp/steps.h"
#include "program/operations.h"

enum { PENDING_MAX = GP_SETS * GP_DELAYED_MAX };

_Static_assert(GP_SLOT_PASS - GP_SLOT_MUL0 == (int)TESS_GP_PASS &&
                   GP_SLOT_ACC0 - GP_SLOT_MUL0 == (int)TESS_GP_ACC0,
               "slots and units have the same order");

struct watcher {
    const struct tess_gp_program *program;
    tess_gp_tracer *trace;
    void *user;
    struct tess_gp_step step;
    float registers[GP_REGISTERS][GP_COMPONENTS];
    struct operations operations;
    struct tess_pending pending[PENDING_MAX];
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

/* --- operations --- */

static float operand_value(const struct gp_machine *machine, const struct tess_gp_step *step,
                           enum gp_slot slot, const struct listed_operand *operand)
{
    const struct gp_source_row row = gp_operand_row(operand->number, operand->place);
    const enum gp_base bases[GP_SETS] = {GP_BASE_NOW, GP_BASE_P1, GP_BASE_P2};
    const struct gp_set *set = (const struct gp_set *)machine->base[bases[row.back]];
    unsigned component = operand->components[0];
    switch (row.unit) {
    case GP_UNIT_NONE: return slot == GP_SLOT_MUL0 || slot == GP_SLOT_MUL1; /* the identity */
    case GP_UNIT_LOAD0: return row.back ? of_lane0(&set->load0[component]) : step->load0[component];
    case GP_UNIT_LOAD1: return step->load1[component];
    case GP_UNIT_ROW: return step->row[component];
    default: break;
    }
    enum tess_gp_unit unit = gp_result_unit(row.unit);
    return row.back ? of_lane0(&set->unit[unit]) : step->results[unit];
}

static void set_results(const struct tess_gp_step *step, enum gp_slot slot,
                        struct tess_operation *operation)
{
    const float *loaded = slot == GP_SLOT_LOAD0   ? step->load0
                          : slot == GP_SLOT_LOAD1 ? step->load1
                          : slot == GP_SLOT_ROW   ? step->row
                                                  : NULL;
    if (loaded) {
        operation->outcome = TESS_OUTCOME_LOADED;
        operation->result_count = GP_COMPONENTS;
        memcpy(operation->results, loaded, sizeof operation->results);
    } else if (slot == GP_SLOT_BRANCH) {
        operation->outcome = step->taken ? TESS_OUTCOME_TAKEN : TESS_OUTCOME_NOT_TAKEN;
    } else if (slot >= GP_SLOT_MUL0 && slot <= GP_SLOT_PASS) {
        operation->result_count = step->active >> (slot - GP_SLOT_MUL0) & 1;
        operation->results[0] = step->results[slot - GP_SLOT_MUL0];
    }
}

static void list_operations(const struct gp_machine *machine, struct watcher *watcher)
{
    struct tess_gp_step *step = &watcher->step;
    struct operations *operations = &watcher->operations;
    operations_of_gp(operations, watcher->program, step->instruction);
    operations_note(operations, watcher->program, step->instruction, step->row_number);
    for (unsigned i = 0; i < operations->listed.count; i++) {
        const struct listed_operation *from = &operations->listed.list[i];
        struct tess_operation *to = &operations->list[i];
        for (unsigned k = 0; k < from->count; k++) {
            float value = operand_value(machine, step, from->kind, &from->operands[k]);
            to->operands[k].values[0] = from->operands[k].negative ? -value : value;
        }
        set_results(step, from->kind, to);
    }
    step->operations = operations->list;
    step->operation_count = operations->listed.count;
}

/* --- pending writes --- */

/* Adds the writes of an instruction, executed in the given cycle, that the next instruction cannot
 * read yet. */
static void add_pending(const struct gp_machine *machine, struct watcher *watcher,
                        uint32_t instruction, uint64_t cycle)
{
    static const char *const targets[] = {"register", "temporary", "address"};
    struct tess_gp_step *step = &watcher->step;
    struct gp_delayed list[GP_DELAYED_MAX];
    unsigned count = gp_delayed_writes(&machine->code->line[instruction].insn, list);
    for (unsigned i = 0; i < count; i++) {
        struct tess_pending *to = &watcher->pending[step->pending_count];
        const struct gp_landing *landing = &machine->group->landing[(cycle + list[i].latency) % 4];
        bool temporary = list[i].target == GP_TARGET_TEMPORARY;
        to->cycle = cycle + list[i].latency;
        if (to->cycle <= step->cycle + 1)
            continue;
        int length = snprintf(to->text, sizeof to->text, "%s %" PRIu32 "%s",
                              targets[list[i].target], temporary ? landing->row[0] : list[i].number,
                              list[i].components ? "." : "");
        for (unsigned c = 0; c < GP_COMPONENTS; c++)
            if (list[i].components >> c & 1)
                to->text[length++] = "xyzw"[c];
        to->text[length] = 0;
        step->pending_count++;
    }
}

/* Lists the pending writes of the current instruction and of the two before it. A taken branch
 * performs all writes. */
static void list_pending(const struct gp_machine *machine, struct watcher *watcher)
{
    const struct gp_group *group = machine->group;
    bool first = group->p1 != GP_NOWHERE && !group->jumped1;
    bool second = first && group->p2 != GP_NOWHERE && !group->jumped2;
    watcher->step.pending = watcher->pending;
    watcher->step.pending_count = 0;
    if (watcher->step.taken)
        return;
    if (second)
        add_pending(machine, watcher, (uint32_t)group->p2, group->cycle - 2);
    if (first)
        add_pending(machine, watcher, (uint32_t)group->p1, group->cycle - 1);
    add_pending(machine, watcher, group->pc, group->cycle);
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
    list_operations(machine, watcher);
    list_pending(machine, watcher);
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

static enum tess_status run(struct tess_gp *gp, const struct tess_gp_batch *batch, size_t vertex,
                            struct watcher *watcher)
{
    struct gp_machine *machine = gp_machine_ready(gp, 0, gp->watched_code, batch);
    if (!machine)
        return TESS_NO_MEMORY;
    machine->watcher = watcher;
    run_watched(gp, machine, vertex);
    gp_add_stats(&gp->stats, &machine->stats);
    item_log_gather(&gp->faults, &machine->faults);
    enum tess_status status = gp->stopped && !gp->faults.failed
                                  ? TESS_STOPPED
                                  : gp_run_ended(gp, batch, machine->runaway, machine->failed);
    gp->stopped = status == TESS_STOPPED;
    gp->busy = false;
    return status;
}

/* Runs the vertex with a new watcher. */
static enum tess_status run_traced(struct tess_gp *gp, const struct tess_gp_batch *batch,
                                   size_t vertex, tess_gp_tracer *trace, void *user)
{
    enum tess_status status = gp->watched_code ? TESS_OK
                                               : gp_decode_for(gp, true, &gp->watched_code);
    struct watcher *watcher = calloc(1, sizeof *watcher);
    if (status == TESS_OK && !watcher)
        status = TESS_NO_MEMORY;
    if (status == TESS_OK) {
        watcher->program = gp->program;
        watcher->trace = trace;
        watcher->user = user;
        status = run(gp, batch, vertex, watcher);
    }
    free(watcher);
    return status;
}

enum tess_status tess_gp_trace(struct tess_gp *gp, const struct tess_gp_batch *batch, size_t vertex,
                               tess_gp_tracer *trace, void *user)
{
    if (!gp_batch_is_valid(gp, batch) || !trace)
        return TESS_INVALID;
    gp->stopped = false;
    return run_traced(gp, batch, vertex, trace, user);
}

enum tess_status tess_gp_resume(struct tess_gp *gp, const struct tess_gp_batch *batch,
                                tess_gp_tracer *trace, void *user)
{
    if (!gp_batch_is_valid(gp, batch) || !trace || !gp->stopped)
        return TESS_INVALID;
    return run_traced(gp, batch, 0, trace, user);
}
