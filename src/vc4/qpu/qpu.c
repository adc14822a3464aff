/* SPDX-License-Identifier: MIT */
/* qpu.c - see qpu.h.
 *
 * Source:   manual section 3; docs/vc4/qpu.md lists the corrections and choices.
 * Modelled: every instruction form with its delay slots, conditions, flags, packs and rotations;
 *           the delays of results that arrive late (registers, r4, uniform address).
 * Left out: time, which qpu_cycles.c counts. A program continues immediately after a thread switch.
 *           Programs wait only for semaphores and the mutex.
 *
 * Most instructions run in blocks (qpu_block.h). step() executes all others with qpu_execute.c, and
 * is the reference for the blocks. */
#include "vc4/qpu/qpu.h"

#include <stddef.h>

#include "base/bits.h"
#include "base/clear.h"
#include "vc4/qpu/qpu_block.h"
#include "vc4/qpu/qpu_block_run.h"
#include "vc4/qpu/qpu_io.h"
#include "vc4/qpu/qpu_run.h"
#include "vc4/qpu/qpu_shadow.h"
#include "vc4/qpu/qpu_trace.h"
#include "vc4/time/timing.h"

enum { WORD = 8 }; /* bytes of an instruction */

/* --- sequencing --- */

/* Counts a delay down. Returns true when the delay reaches 0. */
static bool expire(uint32_t *delay)
{
    return *delay && --*delay == 0;
}

/* Delivers the results that arrive before the instruction at pc executes. Returns the address of
 * the next instruction. */
static uint32_t advance(struct qpu *qpu)
{
    expire(&qpu->uniform_delay);
    if (expire(&qpu->sfu_delay))
        qpu->r[4] = qpu->sfu_result;
    return expire(&qpu->branch_delay) ? qpu->branch_target : qpu->pc + WORD;
}

/* True if the latest taken branch jumped to the address in pc. */
static bool has_branched(const struct qpu *qpu)
{
    return qpu->branched_at && qpu->branched_to == qpu->pc;
}

static void align_pc(struct qpu_run *run)
{
    struct qpu *qpu = run->qpu;
    if (qpu->pc % WORD == 0)
        return;
    qpu_fault_from(
        run, FAULT_QPU_PC, has_branched(qpu) ? qpu->branched_at : qpu->pc,
        "%s 0x%08x, which is not a multiple of 8" WITH_HINT
        "align code to 8 bytes (.align 8), and branch to or start at the address of an instruction",
        has_branched(qpu) ? "this branch jumps to" : "the instruction address is", qpu->pc);
    qpu->pc &= ~(uint32_t)(WORD - 1);
}

/* Accounts for the time of fetching the instruction at pc. */
static inline void fetch(struct qpu_run *run)
{
    uint32_t line = (run->qpu->pc & BUS_ADDRESS_MASK) / TIMING_LINE;
    if (run->qpu->times.line == line + 1)
        return;
    if (qpu_is_at_hand(run, line * TIMING_LINE))
        run->qpu->times.line = line + 1;
    else
        qpu_fetch_line(run, line * TIMING_LINE);
}

/* Counts an executed instruction in the profile, unless the instruction broke the QPU. */
static void count_step(struct qpu_run *run, uint32_t address)
{
    const uint64_t word = run->insn->word;
    qpu_blame(run, address, word);
    if (run->qpu->state != QPU_BROKEN)
        instruction_profile_count(run->ports->insn_profile, qpu_program_of(run->qpu), address,
                                  &word, 1);
}

/* Executes one fetched instruction of any kind. */
static void step(struct qpu_run *run)
{
    struct qpu *qpu = run->qpu;
    if (qpu_waits(run, qpu_may_wait(run->insn)))
        return;
    const uint32_t address = qpu->pc;
    if (run->ports->trace)
        qpu_trace_begin(run);
    fetch(run);
    bool arrives = qpu->sfu_delay == 1;
    run->turns = expire(&qpu->branch_recent);
    uint32_t next = advance(qpu);
    if (arrives && run->ports->sanitize)
        qpu_shadow_r4(run);
    run->end_phase = run->insn->traits & QPU_ENDS ? 0 : QPU_NOT_ENDING;
    if (qpu->end_delay)
        run->end_phase = QPU_NOT_ENDING - qpu->end_delay;
    bool last = expire(&qpu->end_delay);
    run->before = qpu->wrote;
    qpu->wrote = qpu_wrote_nothing;
    run->r5_loaded = false;
    if (run->ports->sanitize)
        qpu_shadow_check(run, qpu_condition(qpu, run->insn->insn.cond_add),
                         qpu_condition(qpu, run->insn->insn.cond_mul));
    qpu_execute(run);
    if (run->ports->insn_profile)
        count_step(run, address);
    if (qpu->state == QPU_BROKEN) {
        if (run->ports->trace)
            qpu_trace_end(run, false);
        return;
    }
    qpu->instructions++;
    if (last) {
        qpu_io_end(run);
        qpu->state = QPU_ENDED;
    }
    qpu->pc = next;
    align_pc(run);
    if (run->ports->trace)
        qpu_trace_end(run, last);
    qpu->delays = qpu->uniform_delay || qpu->branch_recent || qpu->sfu_delay || qpu->branch_delay ||
                  qpu->end_delay;
}

static bool takes_register(struct qpu_run *run, uint32_t pc)
{
    const uint8_t *bytes = bus_peek(run->ports->bus, pc, WORD);
    return bytes && qpu_decode(load_le64(bytes)).reg;
}

static void report_wild_branch(struct qpu_run *run)
{
    uint32_t at = run->qpu->branched_at;
    qpu_fault_from(
        run, FAULT_QPU_PC, at, "this branch jumps to 0x%08x, where no memory is mapped%s%s",
        run->qpu->pc,
        takes_register(run, at) ? "; the target is read from element 15 of a register" WITH_HINT
                                : "",
        takes_register(run, at)
            ? "write the address of an instruction to element 15 of the register: the address of a "
              "label, or the return address that a branch wrote to its link register"
            : "");
}

static void report_wild_start(struct qpu_run *run)
{
    const struct qpu *qpu = run->qpu;
    QPU_FAULT(run, FAULT_QPU_PC, "the program's address 0x%08x is not mapped" WITH_HINT "%s",
              qpu->pc,
              qpu->kind == QPU_USER
                  ? "write the address of the program's first instruction to V3D_SRQPC, or pass it "
                    "to the function that starts the program"
                  : "set the code address in the shader record to the address of the program's "
                    "first instruction");
}

/* Reports a program that runs past the end of memory. */
static void report_no_end(struct qpu_run *run)
{
    qpu_fault_from(
        run, FAULT_QPU_PC, run->qpu->pc - WORD,
        "the program continues after this instruction at 0x%08x, where no memory is "
        "mapped" WITH_HINT
        "end the program with a program-end signal (thrend) and the two instructions after it",
        run->qpu->pc);
}

static void report_no_code(struct qpu_run *run)
{
    const struct qpu *qpu = run->qpu;
    if (has_branched(qpu))
        report_wild_branch(run);
    else if (qpu->instructions == 0)
        report_wild_start(run);
    else
        report_no_end(run);
}

/* Finds the region of memory around pc. If pc is not mapped, reports a finding and returns
 * false. */
static bool find_code(struct qpu_run *run)
{
    struct qpu *qpu = run->qpu;
    uint32_t available;
    const uint8_t *code = bus_span(run->ports->bus, qpu->pc, &available);
    if (code && available >= WORD) {
        run->code = code;
        run->code_base = qpu->pc & BUS_ADDRESS_MASK;
        run->code_size = available;
        return true;
    }
    run->insn = NULL;
    report_no_code(run);
    qpu_break(run);
    return false;
}

/* Returns the host address of the code at pc, and stores the number of mapped bytes in *size. If no
 * instruction is mapped at pc, reports a finding and returns NULL. */
static const uint8_t *locate(struct qpu_run *run, uint32_t *size)
{
    uint32_t offset = (run->qpu->pc & BUS_ADDRESS_MASK) - run->code_base;
    if (offset >= run->code_size || run->code_size - offset < WORD) {
        if (!find_code(run))
            return NULL;
        offset = 0;
    }
    *size = run->code_size - offset;
    return run->code + offset;
}

static void run_ops(struct qpu_run *run, const struct qpu_block *block)
{
    const struct qpu_op *op = &run->ports->cache->blocks.op[block->first_op];
    for (run->last_op = op + block->ops; op < run->last_op; op++)
        op->run(run->qpu, op, run);
}

/* Ends the program after the block's last instruction. */
static void end_program(struct qpu_run *run)
{
    unsigned last = run->block->count - 1u;
    struct qpu *qpu = run->qpu;
    qpu_block_fetch(run, last);
    qpu->pc += last * (uint32_t)WORD;
    qpu->instructions += last + 1u;
    if (!qpu_io_end_quietly(run)) {
        qpu_set_instruction(run, run->ports->cache->blocks.word[run->block->first_word + last]);
        qpu_io_end(run);
    }
    qpu->instructions--;
    qpu->state = QPU_ENDED;
    qpu_block_leave(run, last);
}

/* Counts the first count instructions of the block in the profile. */
static void count_block(struct qpu_run *run, uint32_t first, uint64_t count)
{
    const uint64_t *words = &run->ports->cache->blocks.word[run->block->first_word];
    instruction_profile_count(run->ports->insn_profile, qpu_program_of(run->qpu), first, words,
                              (uint32_t)count);
}

static void run_block(struct qpu_run *run, const struct qpu_block *block)
{
    struct qpu *qpu = run->qpu;
    const uint32_t first = qpu->pc;
    const uint64_t executed = qpu->instructions;
    run->block = block;
    run->turns = block->branches;
    fetch(run);
    qpu_block_blame(run, 0);
    run->next = qpu->pc + block->count * (uint32_t)WORD;
    run->taken = false;
    run->end_phase = QPU_NOT_ENDING;
    qpu->wrote = qpu_wrote_nothing;
    qpu->written |= block->writes;
    run_ops(run, block);
    if (run->ports->insn_profile)
        count_block(run, first,
                    qpu->state != QPU_RUNNING ? qpu->instructions - executed : block->count);
    if (qpu->state != QPU_RUNNING)
        return;
    qpu_block_fetch(run, block->count - 1u);
    if (block->ends)
        end_program(run);
    qpu->sfu_delay = block->sfu_delay;
    qpu->uniform_delay = block->uniform_delay;
    qpu->delays = block->sfu_delay || block->uniform_delay;
    qpu->instructions += block->count;
    qpu->pc = run->next;
    if (qpu->pc % WORD) {
        qpu_set_block_instruction(
            run, run->ports->cache->blocks.word[block->first_word + block->count - 1u]);
        align_pc(run);
    }
}

/* Computes the needed constants that have not been computed yet. */
static void make_constants(struct qpu *qpu, uint64_t needed)
{
    for (uint64_t left = needed & ~qpu->constants_made; left; left &= left - 1) {
        unsigned number = (unsigned)__builtin_ctzll(left);
        if (number >= QPU_CONSTANT_ELEMENTS)
            qpu_io_number(qpu, number == QPU_CONSTANT_ELEMENTS, &qpu->constant[number]);
        else
            alu_splat(&qpu->constant[number], qpu_small_immediate(number));
    }
    qpu->constants_made |= needed;
}

/* Runs the block at pc. Returns false if there is no block or if the block must not run now. The
 * block must not run if a result is pending that its translation does not take into account, or if
 * the instruction limit would be reached inside the block. */
static bool try_block(struct qpu_run *run, const uint8_t *code, uint32_t size, uint64_t budget)
{
    struct qpu *qpu = run->qpu;
    if (qpu->delays || !run->ports->cache || run->ports->sanitize || run->ports->trace)
        return false;
    const struct qpu_block *block = qpu_block_find(&run->ports->cache->blocks,
                                                   qpu->pc & BUS_ADDRESS_MASK, code, size);
    if (block->count == 0 || block->count > budget || block->read_a == qpu->wrote.a ||
        block->read_b == qpu->wrote.b || (block->rotated & qpu->wrote.accumulators) ||
        (run->ports->alone && block->shares))
        return false;
    if (qpu_waits(run, block->wait))
        return true;
    if (block->constants & ~qpu->constants_made)
        make_constants(qpu, block->constants);
    run_block(run, block);
    return true;
}

/* True if the current instruction has effects that other QPUs can see, or ends the program. */
static bool meets_others(const struct qpu_run *run)
{
    return run->qpu->end_delay || (run->insn->traits & (QPU_SHARES | QPU_ENDS));
}

/* Runs the program while its state is QPU_RUNNING, for at most `limit` instructions. After `enough`
 * instructions, also stops at the end of the next branch. */
static void run_until(struct qpu_run *run, uint64_t enough, uint64_t limit)
{
    struct qpu *qpu = run->qpu;
    while (qpu->state == QPU_RUNNING) {
        uint32_t size;
        if (qpu->instructions == limit || (run->turns && qpu->instructions >= enough)) {
            qpu->state = QPU_LIMIT;
            return;
        }
        const uint8_t *code = locate(run, &size);
        if (!code)
            return;
        if (try_block(run, code, size, limit - qpu->instructions))
            continue;
        qpu_set_instruction(run, load_le64(code));
        if (run->ports->alone && meets_others(run)) {
            qpu->state = QPU_LIMIT;
            return;
        }
        step(run);
    }
}

static uint64_t sum_u64(uint64_t a, uint64_t b)
{
    return a > UINT64_MAX - b ? UINT64_MAX : a + b;
}

enum qpu_state qpu_run_turn(struct qpu *qpu, const struct qpu_ports *ports, uint64_t turn,
                            uint64_t more)
{
    if (qpu->state != QPU_RUNNING && qpu->state != QPU_WAITING && qpu->state != QPU_LIMIT)
        return qpu->state;
    struct qpu_run run;
    run.qpu = qpu;
    run.ports = ports;
    run.insn = NULL;
    run.code_size = 0;
    run.code_base = 0;
    run.uniforms_size = 0;
    run.uniforms_base = 0;
    run.turns = false;
    run.slice = ports->slices ? shared_units_of(ports->slices, qpu->number) : NULL;
    run.entry.path = QPU_PATH_NONE;
    run.entries = ports->cache ? ports->cache->entry : &run.entry;
    run.entry_mask = ports->cache ? QPU_CACHE - 1 : 0;

    qpu->state = QPU_RUNNING;
    const struct qpu_cycles before = qpu_cycles(qpu);
    uint64_t enough = sum_u64(qpu->instructions, turn);
    fpmode_enter(&run.fpmode);
    align_pc(&run);
    run_until(&run, enough, sum_u64(enough, more));
    fpmode_leave(&run.fpmode);
    fault_leave_shader(ports->log);
    if (ports->counts)
        qpu_count_events(qpu, &before, ports->counts);
    return qpu->state;
}

enum qpu_state qpu_run(struct qpu *qpu, const struct qpu_ports *ports, uint64_t max_instructions)
{
    return qpu_run_turn(qpu, ports, max_instructions, 0);
}

/* Clears only the registers that were written. Most programs write few registers. */
static void clear_registers(struct qpu *qpu)
{
    for (uint64_t left = qpu->written; left; left &= left - 1) {
        unsigned number = (unsigned)__builtin_ctzll(left);
        alu_splat(number < 32 ? &qpu->ra[number] : &qpu->rb[number - 32], 0);
    }
    qpu->written = 0;
}

_Static_assert((offsetof(struct qpu, shadow) - offsetof(struct qpu, r)) % 8 == 0, "whole words");

void qpu_start(struct qpu *qpu, enum qpu_kind kind, uint32_t number, uint32_t pc, uint32_t uniforms)
{
    const size_t first = offsetof(struct qpu, r), end = offsetof(struct qpu, shadow);
    clear_registers(qpu);
    clear_quickly((char *)qpu + first, end - first);
    qpu->state = QPU_RUNNING;
    qpu->kind = kind;
    qpu->number = number;
    qpu->start = qpu->pc = pc;
    qpu->uniform = qpu->uniform_first = uniforms;
    qpu->uniform_set = false;
    qpu->uniforms_enabled = uniforms != 0;
    qpu->uniforms_left = UINT32_MAX;
    qpu->wrote = qpu_wrote_nothing;
    qpu_shadow_start(&qpu->shadow, kind == QPU_FRAGMENT);
}

void qpu_give_fragment(struct qpu *qpu, const lanes *w, const lanes *z)
{
    qpu->ra[15] = *w;
    qpu->rb[15] = *z;
    qpu->written |= qpu_register_bit(true, 15) | qpu_register_bit(false, 15);
}
