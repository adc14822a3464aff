/* SPDX-License-Identifier: MIT */
/* exec.c - see exec.h.
 *
 * In:      code, constants, a batch.
 * Out:     exports, memory writes, findings, counters.
 * Source:  docs/hardware/a2xx.md, sections 3, 4, 11 and 12. */
#include "a2xx/shader/exec.h"

#include <stdlib.h>
#include <string.h>

#include "a2xx/shader/alu.h"
#include "a2xx/shader/exports.h"
#include "a2xx/shader/find.h"
#include "a2xx/shader/flow.h"
#include "a2xx/shader/sanitize.h"
#include "a2xx/shader/units.h"
#include "base/bits.h"

/* --- instructions of clauses --- */

static void watch(struct a2xx_machine *machine, enum tess_a2xx_step_kind kind, a2xx_mask lanes,
                  a2xx_mask done)
{
    if (machine->watch)
        machine->watch(machine, kind, lanes, done);
}

static void watch_before(struct a2xx_machine *machine)
{
    if (machine->watch_before)
        machine->watch_before(machine);
}

/* Returns the lanes that pass an instruction's predicate. */
static a2xx_mask let(struct a2xx_machine *machine, bool predicated, bool condition, a2xx_mask lanes)
{
    return predicated ? a2xx_test_predicate(machine, lanes, condition) : lanes;
}

static void run_alu(struct a2xx_machine *machine, const struct a2xx_place *place, uint32_t slot,
                    a2xx_mask lanes)
{
    const struct a2xx_alu_code *code = &machine->code->alu[slot];
    a2xx_mask done = let(machine, code->insn.is_predicated, code->insn.pred_condition, lanes);
    watch_before(machine);
    machine->stats.alu += count_lanes(lanes);
    machine->watched_exports = 0;
    if (done) {
        if (machine->checked)
            a2xx_check_alu(machine, code, place, done);
        a2xx_run_alu(machine, code, done);
        machine->watched_exports = a2xx_export_mask(&code->insn);
        if (machine->checked && machine->watched_exports && !code->insn.vector_dest_rel)
            a2xx_check_export(machine, code->insn.vector_dest, machine->watched_exports, done);
        if (code->insn.export_data &&
            a2xx_export_buffer(code->insn.vector_dest) == A2XX_BUFFER_MEMORY)
            FOR_LANES(lane, done)
        machine->memory_line[lane] = (uint16_t)machine->line;
    }
    watch(machine, TESS_A2XX_STEP_ALU, lanes, done);
}

static void run_fetch(struct a2xx_machine *machine, const struct a2xx_place *place, uint32_t slot,
                      a2xx_mask lanes)
{
    const struct a2xx_fetch *fetch = &machine->code->fetch[slot];
    bool condition, predicated = a2xx_fetch_is_predicated(fetch, &condition);
    a2xx_mask done = let(machine, predicated, condition, lanes);
    watch_before(machine);
    machine->watched_exports = 0;
    if (done) {
        if (machine->checked)
            a2xx_check_fetch(machine, fetch, place, done);
        a2xx_run_fetch(machine, slot, done);
    }
    watch(machine, TESS_A2XX_STEP_FETCH, lanes, done);
}

/* Runs the instructions of a clause from instruction `first` on. Returns the number of the first
 * instruction that has not been executed. */
static unsigned run_clause(struct a2xx_machine *machine, const struct a2xx_exec *exec,
                           a2xx_mask lanes, unsigned first)
{
    struct a2xx_place place = {.exec = exec, .number = first, .partly = lanes != machine->group};
    for (; place.number < exec->count && !machine->stop; place.number++) {
        uint32_t slot = exec->address + place.number;
        if (slot >= machine->code->slots) {
            a2xx_find(machine, A2XX_FAULT_CLAUSE_OUTSIDE, lanes,
                      "the clause reaches slot %u, but the program has only %u slots", slot,
                      machine->code->slots);
            break;
        }
        machine->line = 2 * slot;
        machine->step++;
        if (a2xx_is_fetch(exec, place.number))
            run_fetch(machine, &place, slot, lanes);
        else
            run_alu(machine, &place, slot, lanes);
    }
    return place.number;
}

/* --- control flow --- */

/* Ends the program for the given lanes. */
static void retire(struct a2xx_machine *machine, a2xx_mask lanes)
{
    a2xx_commit_memory(machine, lanes);
    machine->alive &= ~lanes;
}

static void count(struct a2xx_machine *machine, a2xx_mask lanes, unsigned instructions)
{
    if (lanes == A2XX_ALL_LANES)
        for (unsigned lane = 0; lane < A2XX_LANES; lane++)
            machine->executed[lane] += instructions;
    else
        FOR_LANES(lane, lanes) machine->executed[lane] += instructions;
}

/* Runs a clause from instruction `first` on, and ends the program if the clause is the last. */
static void finish_exec(struct a2xx_machine *machine, const struct a2xx_cf *cf, a2xx_mask lanes,
                        unsigned first)
{
    unsigned instructions = run_clause(machine, &cf->exec, lanes, first);
    machine->clause.open = machine->stop && instructions < cf->exec.count;
    if (machine->clause.open) {
        machine->clause.number = (uint8_t)instructions;
        machine->clause.lanes = lanes;
        return;
    }
    machine->step = 0;
    count(machine, lanes, instructions);
    machine->most += instructions;
    if (!a2xx_is_end(cf->opcode))
        return;
    machine->line = machine->here;
    if (machine->checked)
        a2xx_check_end(machine, lanes);
    retire(machine, lanes);
}

static void run_exec(struct a2xx_machine *machine, const struct a2xx_cf *cf)
{
    const struct a2xx_exec *exec = &cf->exec;
    a2xx_mask lanes = machine->group;
    if (a2xx_is_boolean_exec(cf->opcode))
        lanes = a2xx_test_bool(machine, exec->bool_address, exec->condition);
    else if (a2xx_is_predicated_exec(cf->opcode))
        lanes = a2xx_test_predicate(machine, lanes, exec->condition);
    watch(machine, TESS_A2XX_STEP_CONTROL, machine->group, lanes);
    if (lanes)
        finish_exec(machine, cf, lanes, 0);
}

/* Executes ALLOC. Completes the memory exports so far, and reserves space for exports. */
static void run_alloc(struct a2xx_machine *machine, const struct a2xx_alloc *alloc)
{
    a2xx_commit_memory(machine, machine->group);
    if (machine->checked)
        a2xx_check_alloc(machine, alloc, machine->group);
}

static void run_control(struct a2xx_machine *machine, const struct a2xx_cf *cf)
{
    a2xx_mask done = machine->group;
    watch_before(machine);
    a2xx_move(machine, machine->group, machine->here + 1);
    machine->watched_exports = 0;
    machine->most++;
    machine->stats.control += count_lanes(machine->group);
    switch (cf->form) {
    case A2XX_FORM_EXEC:
        run_exec(machine, cf);
        if (!machine->clause.open)
            count(machine, machine->group, 1);
        return;
    case A2XX_FORM_LOOP:
        done = a2xx_run_loop(machine, &cf->loop);
        done = cf->opcode == A2XX_CF_LOOP_START ? machine->group & ~done : done;
        break;
    case A2XX_FORM_JUMP: done = a2xx_run_jump(machine, &cf->jump); break;
    case A2XX_FORM_ALLOC: run_alloc(machine, &cf->alloc); break;
    default: break;
    }
    watch(machine, TESS_A2XX_STEP_CONTROL, machine->group, done);
    count(machine, machine->group, 1);
}

/* Ends the lanes of the group that have reached the instruction limit. Called when any lane may
 * have reached it. Returns false if no lane of the group is left. */
static bool stop_runaways(struct a2xx_machine *machine)
{
    a2xx_mask lanes = 0;
    machine->most = 0;
    FOR_LANES(lane, machine->group)
    if (machine->executed[lane] >= machine->limit)
        lanes |= (a2xx_mask)1 << lane;
    FOR_LANES(lane, machine->alive & ~lanes)
    machine->most = machine->executed[lane] > machine->most ? machine->executed[lane]
                                                            : machine->most;
    if (!lanes)
        return true;
    a2xx_find_runaway(machine, lanes);
    machine->runaway = true;
    retire(machine, lanes);
    machine->group &= ~lanes;
    return machine->group != 0;
}

/* Sets the group's position, at which findings are reported. If control flow has left the program,
 * ends the group and returns false. */
static bool is_inside(struct a2xx_machine *machine)
{
    uint32_t last = 2 * machine->code->slots - 1;
    machine->line = machine->here <= last ? machine->here : last;
    machine->step = 0;
    if (machine->here > last) {
        a2xx_find(machine, A2XX_FAULT_CONTROL_OUTSIDE, machine->group,
                  "control flow continues after the program's end, at %u of %u", machine->here,
                  last + 1);
        retire(machine, machine->group);
        return false;
    }
    if (machine->here >= 2 * machine->code->cf_slots) {
        machine->line = machine->here & ~1u; /* so that both halves of a slot have only one
                                                finding */
        a2xx_find(machine, A2XX_FAULT_CONTROL_IN_CODE, machine->group,
                  "half of an ALU or fetch instruction is executed as control flow %u",
                  machine->here);
        machine->line = machine->here;
    }
    return true;
}

/* Continues a clause in which the lanes have stopped. */
static void resume_clause(struct a2xx_machine *machine)
{
    finish_exec(machine, &machine->code->cf[machine->here], machine->clause.lanes,
                machine->clause.number);
    if (!machine->clause.open)
        count(machine, machine->group, 1);
}

static void run_groups(struct a2xx_machine *machine)
{
    if (machine->clause.open)
        resume_clause(machine);
    while (!machine->stop && a2xx_choose_group(machine)) {
        if (!is_inside(machine))
            continue;
        if (machine->most >= machine->limit && !stop_runaways(machine))
            continue;
        run_control(machine, &machine->code->cf[machine->here]);
    }
}

/* --- lanes --- */

/* Loads a register of all lanes from the batch. */
static void load_registers(struct a2xx_machine *machine, unsigned number, unsigned count)
{
    const float(*from)[4] = machine->batch->registers[number];
    for (unsigned lane = 0; lane < count; lane++)
        for (unsigned c = 0; c < 4; c++)
            machine->registers[number][c].lane[lane] = float_bits(from[machine->first + lane][c]);
    for (unsigned c = 0; c < 4; c++)
        machine->shadow.written[number][c] = A2XX_ALL_LANES;
    machine->unflushed |= UINT64_C(1) << number;
}

/* Sets R0.x of each vertex to the number of the vertex. */
static void load_numbers(struct a2xx_machine *machine, unsigned count)
{
    size_t number = machine->batch->base + machine->first;
    for (unsigned lane = 0; lane < count; lane++)
        machine->registers[0][0].lane[lane] = float_bits((float)(number + lane));
    machine->shadow.written[0][0] = A2XX_ALL_LANES;
}

static void load_inputs(struct a2xx_machine *machine, unsigned count)
{
    for (unsigned i = 0; i < A2XX_REGISTERS; i++) {
        if (machine->code->registers >> i & 1 || machine->watch)
            memset(machine->registers[i], 0, sizeof machine->registers[i]);
        if (machine->batch->registers[i])
            load_registers(machine, i, count);
    }
    if (machine->code->stage == TESS_A2XX_VERTEX && !machine->batch->registers[0])
        load_numbers(machine, count);
}

static void load_helpers(struct a2xx_machine *machine, unsigned count)
{
    machine->helpers = 0;
    if (!machine->batch->helper)
        return;
    for (unsigned lane = 0; lane < count; lane++)
        if (machine->batch->helper[machine->first + lane])
            machine->helpers |= (a2xx_mask)1 << lane;
}

/* Clears values of earlier lanes that no instruction can read. A memory export writes all
 * components of an element, also those that the lane has not exported, and exports with a relative
 * number leave .memory_line unchanged. The other values are in traces and saved states. */
static void clear_leftovers(struct a2xx_machine *machine)
{
    const uint64_t memory = UINT64_C(0x3f) << A2XX_EXPORT_ADDRESS;
    if (machine->export_numbers & memory)
        memset(machine->exports + A2XX_EXPORT_ADDRESS, 0, 6 * sizeof machine->exports[0]);
    memset(machine->memory_line, 0, sizeof machine->memory_line);
    if (!machine->watch)
        return;
    memset(machine->exports, 0, sizeof machine->exports);
    memset(machine->at, 0, sizeof machine->at);
    memset(machine->loop_id, 0, sizeof machine->loop_id);
    memset(machine->back, 0, sizeof machine->back);
}

/* Clears the state that is 0 at the start of every program (docs/hardware/a2xx.md, section 12). */
static void reset(struct a2xx_machine *machine)
{
    clear_leftovers(machine);
    memset(&machine->previous, 0, sizeof machine->previous);
    memset(&machine->index, 0, sizeof machine->index);
    memset(machine->full, 0, sizeof machine->full);
    memset(&machine->texture, 0, sizeof machine->texture);
    memset(machine->a0, 0, sizeof machine->a0);
    memset(machine->al, 0, sizeof machine->al);
    memset(machine->loops, 0, sizeof machine->loops);
    memset(machine->calls, 0, sizeof machine->calls);
    memset(machine->iteration, 0, sizeof machine->iteration);
    memset(machine->executed, 0, sizeof machine->executed);
    memset(machine->exported, 0, sizeof machine->exported);
    memset(machine->sent, 0, sizeof machine->sent);
    memset(&machine->shadow, 0, sizeof machine->shadow);
    machine->unflushed = machine->values.flush ? 0 : UINT64_MAX;
    machine->predicate = machine->killed = 0;
    machine->most = machine->step = 0;
    machine->clause.open = machine->stop = false;
    machine->export_numbers = 0;
    machine->together = true;
    machine->common = 0;
}

bool a2xx_run_lanes(struct a2xx_machine *machine, size_t first, unsigned count)
{
    machine->earlier_writes = machine->writes.count;
    machine->first = first;
    machine->alive = A2XX_ALL_LANES >> (A2XX_LANES - count);
    reset(machine);
    load_inputs(machine, count);
    load_helpers(machine, count);
    machine->stats.lanes += count;
    return a2xx_resume_lanes(machine);
}

bool a2xx_resume_lanes(struct a2xx_machine *machine)
{
    run_groups(machine);
    if (machine->alive)
        return false;
    a2xx_write_exports(machine);
    a2xx_sort_writes(&machine->writes, machine->earlier_writes);
    return true;
}

/* --- machines --- */

struct a2xx_machine *a2xx_machine_create(void)
{
    struct a2xx_machine *machine = aligned_alloc(64, sizeof *machine);
    if (!machine)
        return NULL;
    memset(machine, 0, sizeof *machine);
    machine->faults = (struct item_log){.rules = A2XX_FAULTS, .lines = A2XX_FAULT_LINES};
    return machine;
}

void a2xx_machine_free(struct a2xx_machine *machine)
{
    if (!machine)
        return;
    item_log_free(&machine->faults);
    free(machine->writes.list);
    free(machine);
}
