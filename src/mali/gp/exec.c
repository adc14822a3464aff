/* SPDX-License-Identifier: MIT */
/* exec.c - see exec.h.
 *
 * All vertices begin as one group. A branch that only some lanes take splits the group. The group
 * at the lowest instruction runs first, so that groups reach a common instruction where their paths
 * join. Two groups at a common instruction are united when their latest instructions and all other
 * pipeline state are the same. */
#include "mali/gp/exec.h"

#include <stdlib.h>
#include <string.h>

#include "base/clear.h"
#include "mali/gp/attribute.h"
#include "mali/gp/code.h"
#include "mali/gp/find.h"
#include "mali/gp/flow_analysis.h"
#include "mali/gp/sanitize.h"
#include "mali/gp/steps.h"
#include "mali/gp/varying.h"

/* --- groups --- */

static struct gp_set *set_of(struct gp_group *group, unsigned back)
{
    return &group->set[(group->slot + GP_SETS - back) % GP_SETS];
}

/* Makes `group` the group that executes. */
static void enter(struct gp_machine *machine, struct gp_group *group)
{
    machine->group = group;
    machine->alone = machine->group_count == 1;
    machine->base[GP_BASE_NOW] = (uint8_t *)set_of(group, 0);
    machine->base[GP_BASE_P1] = (uint8_t *)set_of(group, 1);
    machine->base[GP_BASE_P2] = (uint8_t *)set_of(group, 2);
}

/* Rotates the sets of results. The current set becomes p1, and p1 becomes p2. */
static void turn(struct gp_machine *machine)
{
    uint8_t *last = machine->base[GP_BASE_P2];
    machine->base[GP_BASE_P2] = machine->base[GP_BASE_P1];
    machine->base[GP_BASE_P1] = machine->base[GP_BASE_NOW];
    machine->base[GP_BASE_NOW] = last;
    machine->group->slot = machine->group->slot == GP_SETS - 1 ? 0 : machine->group->slot + 1;
}

static struct gp_group *new_group(struct gp_machine *machine)
{
    struct gp_group **group = &machine->groups[machine->group_count];
    if (!*group)
        *group = aligned_alloc(64, sizeof **group);
    if (!*group) {
        machine->failed = true;
        return NULL;
    }
    machine->group_count++;
    return *group;
}

static void remove_group(struct gp_machine *machine, struct gp_group *group)
{
    unsigned last = --machine->group_count, i = 0;
    while (machine->groups[i] != group)
        i++;
    machine->groups[i] = machine->groups[last];
    machine->groups[last] = group;
}

static void set_mask(struct gp_group *group, gp_mask mask)
{
    group->mask = mask;
    group->lanes = count_lanes(mask);
}

/* Ends the program for some lanes of the group, and writes their varyings. */
static void retire(struct gp_machine *machine, struct gp_group *group, gp_mask lanes)
{
    gp_varyings_write(machine, lanes);
    set_mask(group, group->mask & ~lanes);
    if (!group->mask)
        remove_group(machine, group);
}

/* Ends the lanes that have reached the instruction limit, and sets the group's next deadline for
 * the other lanes. Called at the group's deadline. */
static void stop_runaways(struct gp_machine *machine, struct gp_group *group)
{
    gp_mask lanes = 0;
    uint64_t rest = machine->limit;
    for (gp_mask left = group->mask; left; left &= left - 1) {
        unsigned lane = first_lane(left);
        uint64_t executed = group->cycle + machine->offset[lane];
        if (executed >= machine->limit)
            lanes |= (gp_mask)1 << lane;
        else if (machine->limit - executed < rest)
            rest = machine->limit - executed;
    }
    group->deadline = group->cycle + rest;
    if (!lanes)
        return;
    gp_find_runaway(machine, lanes);
    machine->runaway = true;
    retire(machine, group, lanes);
}

/* --- uniting groups --- */

static bool is_alike(const struct gp_group *a, const struct gp_group *b)
{
    return a->pc == b->pc && a->p1 == b->p1 && a->p2 == b->p2 && a->jumped1 == b->jumped1 &&
           a->jumped2 == b->jumped2 && a->function1 == b->function1 &&
           a->function2 == b->function2 && !a->pending && !b->pending;
}

static void copy(gp_lanes *to, const gp_lanes *from, gp_mask lanes)
{
    (void)lanes;
    *to = *from;
}

/* Copies those results of another group that later instructions read (enum gp_need). */
static void blend_set(const struct gp_machine *machine, struct gp_set *to,
                      const struct gp_set *from, gp_mask lanes, unsigned needed)
{
    void (*blend)(gp_lanes *, const gp_lanes *,
                  gp_mask) = lanes == GP_ALL_LANES ? copy : machine->handlers->blend;
    for (unsigned unit = 0; unit < TESS_GP_UNITS; unit++)
        if (needed >> unit & 1)
            blend(&to->unit[unit], &from->unit[unit], lanes);
    for (unsigned c = 0; c < GP_COMPONENTS && needed & GP_NEED_LOAD0; c++)
        blend(&to->load0[c], &from->load0[c], lanes);
    if (needed & GP_NEED_OPERAND)
        blend(&to->operand, &from->operand, lanes);
    if (machine->code->holds)
        blend(&to->late, &from->late, lanes);
}

static void blend_sets(const struct gp_machine *machine, struct gp_group *to, struct gp_group *from,
                       gp_mask lanes)
{
    const struct gp_line *line = &machine->code->line[to->pc];
    blend_set(machine, set_of(to, 1), set_of(from, 1), lanes, line->needed1);
    blend_set(machine, set_of(to, 2), set_of(from, 2), lanes, line->needed2);
}

static void unite(struct gp_machine *machine, struct gp_group *to, struct gp_group *from)
{
    uint64_t ahead = from->cycle - to->cycle, deadline = from->deadline - ahead;
    if (to->pc < machine->code->lines)
        blend_sets(machine, to, from, from->mask);
    for (gp_mask left = from->mask; left; left &= left - 1)
        machine->offset[first_lane(left)] += ahead;
    set_mask(to, to->mask | from->mask);
    to->deadline = deadline < to->deadline ? deadline : to->deadline;
    remove_group(machine, from);
}

static void unite_with_others(struct gp_machine *machine, struct gp_group *group)
{
    for (unsigned i = machine->group_count; i-- > 0;)
        if (machine->groups[i] != group && is_alike(machine->groups[i], group))
            unite(machine, group, machine->groups[i]);
}

/* --- branches --- */

/* Takes the branch for the whole group. The caller has performed all pending writes. Earlier
 * results stay the same number of instructions back. */
static void jump(struct gp_group *group, uint32_t target)
{
    if (group->pending)
        gp_landing_clear(group);
    group->pc = target;
    group->jumped1 = true;
}

/* Moves the lanes that take the branch to a new group. The other lanes continue in the old
 * group. */
static void part(struct gp_machine *machine, struct gp_group *group, gp_mask taken, uint32_t target)
{
    struct gp_group *other = new_group(machine);
    set_mask(group, group->mask & ~taken);
    /* new_group() has set machine->failed, so the run will fail */
    if (!other)
        return;
    other->pc = target;
    other->p1 = group->p1;
    other->p2 = group->p2;
    other->jumped2 = group->jumped2;
    other->function1 = group->function1;
    other->function2 = group->function2;
    other->cycle = group->cycle;
    other->deadline = group->deadline;
    other->slot = group->slot;
    set_mask(other, taken);
    gp_landing_clear(other);
    jump(other, target);
    blend_sets(machine, other, group, GP_ALL_LANES);
    machine->alone = false;
}

/* Executes the branch at instruction `here` for the lanes that take it. There must be at least one
 * such lane. */
static void branch(struct gp_machine *machine, struct gp_group *group, gp_mask taken, uint32_t here)
{
    uint32_t target = machine->code->line[here].target;
    machine->stats.taken += count_lanes(taken);
    if (group->pending)
        gp_land_all(machine, group, taken);
    if (target >= machine->code->lines) {
        group->pc = here;
        gp_report(machine, FAULT_BRANCH_OUTSIDE, taken,
                  "the branch target is instruction %u, but the program has only %u instructions",
                  target, machine->code->lines);
        group->pc = here + 1;
        retire(machine, group, taken);
    } else if (taken == group->mask) {
        jump(group, target);
    } else {
        part(machine, group, taken, target);
    }
}

/* --- instructions --- */

/* Makes the result of complex1 visible as the result of mul0, two instructions after the
 * complex1. */
static void settle_late(struct gp_machine *machine, const struct gp_group *group)
{
    struct gp_set *p2 = (struct gp_set *)machine->base[GP_BASE_P2];
    if (group->p2 != GP_NOWHERE && machine->code->line[group->p2].late)
        p2->unit[TESS_GP_MUL0] = p2->late;
}

static void do_steps(struct gp_machine *machine, const struct gp_line *line)
{
    const struct gp_step *step = machine->code->steps + line->steps;
    if (machine->watch)
        machine->watch(machine, false);
    if (machine->code->checked)
        gp_check(machine);
    for (; step->run; step++)
        step->run(machine, step);
    if (machine->watch)
        machine->watch(machine, true);
}

/* Executes the group's current instruction. Returns true if all lanes continue with the next
 * instruction. */
static bool execute(struct gp_machine *machine, struct gp_group *group)
{
    const struct gp_line *line = &machine->code->line[group->pc];
    if (group->pending)
        gp_land(machine, group);
    if (machine->code->holds)
        settle_late(machine, group);
    do_steps(machine, line);
    machine->stats.instructions += group->lanes;
    gp_mask taken = 0;
    if (line->branch) {
        taken = machine->handlers->nonzero(gp_at(machine, line->condition)) & group->mask;
        machine->stats.branches += group->lanes;
    }
    turn(machine);
    group->p2 = group->p1;
    group->p1 = (int32_t)group->pc++;
    group->jumped2 = group->jumped1;
    group->jumped1 = false;
    group->cycle++;
    if (taken)
        branch(machine, group, taken, (uint32_t)group->p1);
    return !taken;
}

/* Executes instructions of the group until it reaches instruction `until`, where another group is.
 * Stops earlier if the group ends, splits or jumps. */
static void run_group(struct gp_machine *machine, struct gp_group *group, uint32_t until)
{
    until = until < machine->code->lines ? until : machine->code->lines;
    do {
        if (group->cycle >= group->deadline) {
            stop_runaways(machine, group);
            return;
        }
    } while (execute(machine, group) && group->pc < until);
}

/* --- vertices --- */

/* The group that runs next: its number, and the lowest instruction of the other groups, or
 * GP_PROGRAM_MAX if there are none. */
struct next {
    unsigned number;
    uint32_t until;
};

/* Finds the first group at the lowest instruction. */
static struct next lowest(const struct gp_machine *machine)
{
    unsigned found = 0;
    uint32_t least = machine->groups[0]->pc, second = UINT32_MAX;
    for (unsigned i = 1; i < machine->group_count; i++) {
        uint32_t pc = machine->groups[i]->pc;
        if (pc < least) {
            second = least;
            least = pc;
            found = i;
        } else if (pc < second) {
            second = pc;
        }
    }
    return (struct next){found, machine->group_count > 1 ? second : GP_PROGRAM_MAX};
}

/* Returns the group that runs next, after other groups at its instruction have joined it. */
static struct next next_group(struct gp_machine *machine)
{
    struct next next = lowest(machine);
    struct gp_group *group = machine->groups[next.number];
    if (next.until != group->pc)
        return next;
    unite_with_others(machine, group);
    next.until = GP_PROGRAM_MAX;
    for (unsigned i = 0; i < machine->group_count; i++)
        if (machine->groups[i] == group)
            next.number = i;
        else if (machine->groups[i]->pc < next.until)
            next.until = machine->groups[i]->pc;
    return next;
}

/* Finds the group that runs after another group without a look at the groups that did not run. Only
 * the group that ran and the group that it parted from itself, which is the last one, are at new
 * instructions. Returns false if none of the two is alone at the lowest instruction. `groups` is
 * the number of groups before the group ran. */
static bool follow(const struct gp_machine *machine, struct next *next, unsigned groups)
{
    const uint32_t pc = machine->groups[next->number]->pc;
    if (machine->group_count == groups)
        return pc < next->until;
    const uint32_t other = machine->groups[groups]->pc;
    const bool parted = other < pc;
    const uint32_t first = parted ? other : pc, second = parted ? pc : other;
    if (machine->group_count != groups + 1 || first == second || first >= next->until)
        return false;
    next->until = second < next->until ? second : next->until;
    next->number = parted ? groups : next->number;
    return true;
}

static void finish(struct gp_machine *machine, struct gp_group *group)
{
    if (machine->code->checked)
        gp_varyings_check(machine, group->mask);
    retire(machine, group, group->mask);
}

static void run_groups(struct gp_machine *machine)
{
    struct next next;
    for (bool known = false; machine->group_count && !machine->stopped;) {
        if (!known)
            next = next_group(machine);
        const unsigned groups = machine->group_count;
        struct gp_group *group = machine->groups[next.number];
        enter(machine, group);
        if (group->pc >= machine->code->lines)
            finish(machine, group);
        else
            run_group(machine, group, next.until);
        known = group->mask && follow(machine, &next, groups);
    }
}

static void forget_temporaries(struct gp_machine *machine)
{
    for (unsigned i = 0; i < machine->stored_count; i++) {
        machine->stored[machine->stored_rows[i]] = false;
        machine->stored_by[machine->stored_rows[i]] = 0;
    }
    machine->stored_count = 0;
}

/* Clears the state that the program may read before writing it, because undefined values read as
 * 0. */
static void clear_unset(struct gp_machine *machine)
{
    const struct gp_code *code = machine->code;
    if (code->unset_registers) {
        memset(machine->memory->registers, 0, sizeof machine->memory->registers);
        memset(machine->registers_set, 0, sizeof machine->registers_set);
    }
    if (code->unset_addresses) {
        memset(machine->memory->address, 0, sizeof machine->memory->address);
        memset(machine->addresses_set, 0, sizeof machine->addresses_set);
    }
}

static void begin(struct gp_machine *machine, size_t first, unsigned count)
{
    machine->group_count = 0; /* a stopped run may have left groups */
    struct gp_group *group = new_group(machine);
    machine->first_vertex = first;
    if (!group)
        return;
    set_mask(group, GP_ALL_LANES >> (GP_LANES - count));
    group->pc = 0;
    group->p1 = group->p2 = GP_NOWHERE;
    group->jumped1 = group->jumped2 = false;
    group->function1 = group->function2 = 0;
    group->cycle = 0;
    group->deadline = machine->limit;
    group->slot = 0;
    gp_landing_clear(group);
    if (machine->code->holds || machine->watch)
        memset(group->set, 0, sizeof group->set);
    clear_unset(machine);
    clear_quickly(machine->varyings_written, sizeof machine->varyings_written);
    clear_quickly(machine->offset, sizeof machine->offset);
    clear_quickly(machine->odd_line, sizeof machine->odd_line);
    forget_temporaries(machine);
    gp_attributes_load(machine, first, count);
    machine->stats.vertices += count;
}

void gp_run_lanes(struct gp_machine *machine, size_t first, unsigned count)
{
    machine->stopped = false;
    begin(machine, first, count);
    run_groups(machine);
}

/* The group's loop tests its deadline only, so a deadline in the past ends the loop. */
void gp_stop_lanes(struct gp_machine *machine)
{
    machine->stopped = true;
    machine->group->deadline = 0;
}

void gp_resume_lanes(struct gp_machine *machine)
{
    machine->stopped = false;
    run_groups(machine);
}

/* --- machines --- */

static void *zeroed(size_t size)
{
    void *memory = aligned_alloc(64, (size + 63) / 64 * 64);
    if (memory)
        memset(memory, 0, size);
    return memory;
}

void gp_machine_clear(struct gp_machine *machine)
{
    struct gp_memory *memory = machine->memory;
    memset(memory->attributes, 0, sizeof memory->attributes);
    memset(memory->registers, 0, sizeof memory->registers);
    memset(memory->varyings, 0, sizeof memory->varyings);
    memset(memory->address, 0, sizeof memory->address);
    memset(machine->attributes_beyond, 0, sizeof machine->attributes_beyond);
    memset(machine->registers_set, 0, sizeof machine->registers_set);
    memset(machine->addresses_set, 0, sizeof machine->addresses_set);
}

bool gp_machine_prepare(struct gp_machine *machine, bool temporaries)
{
    struct gp_group *group = new_group(machine);
    if (temporaries)
        machine->temporaries = zeroed(TESS_GP_ROWS * sizeof *machine->temporaries);
    if (!group || (temporaries && !machine->temporaries))
        return false;
    memset(group, 0, sizeof *group);
    set_mask(group, 1);
    return true;
}

struct gp_machine *gp_machine_create(void)
{
    struct gp_machine *machine = calloc(1, sizeof *machine);
    if (!machine)
        return NULL;
    machine->memory = zeroed(sizeof *machine->memory);
    if (!machine->memory) {
        gp_machine_free(machine);
        return NULL;
    }
    machine->memory->one += 0x3f800000;
    machine->faults = (struct item_log){.rules = FAULT_RULES, .lines = FAULT_LINES};
    machine->base[GP_BASE_MEMORY] = (uint8_t *)machine->memory;
    return machine;
}

void gp_machine_free(struct gp_machine *machine)
{
    if (!machine)
        return;
    for (unsigned i = 0; i < GP_LANES; i++)
        free(machine->groups[i]);
    item_log_free(&machine->faults);
    free(machine->memory);
    free(machine->temporaries);
    free(machine->cells);
    free(machine);
}

static void spread_cells(struct gp_machine *machine)
{
    const gp_lanes zero = {0};
    for (uint32_t i = 0; i < machine->code->cell_count; i++) {
        const struct gp_cell *cell = &machine->code->cells[i];
        uint32_t bits;
        memcpy(&bits, &machine->rows[cell->row][cell->component], sizeof bits);
        machine->cells[i] = zero + gp_number(machine, bits);
    }
}

bool gp_machine_load(struct gp_machine *machine, const struct gp_code *code, const float (*rows)[4])
{
    free(machine->cells);
    machine->cells = zeroed((code->cell_count + 1u) * sizeof *machine->cells);
    if (code->temporaries && !machine->temporaries)
        machine->temporaries = zeroed(TESS_GP_ROWS * sizeof *machine->temporaries);
    if (!machine->cells || (code->temporaries && !machine->temporaries))
        return false;
    machine->base[GP_BASE_UNIFORMS] = (uint8_t *)machine->cells;
    machine->code = code;
    machine->handlers = gp_handlers_native();
    gp_check_reset(machine);
    machine->rows = rows;
    spread_cells(machine);
    return true;
}
