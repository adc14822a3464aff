/* SPDX-License-Identifier: MIT */
/* program.c - see program.h. */
#include "vc4/qpu/program.h"

#include <stdio.h>

#include "base/bits.h"
#include "vc4/watch/loop.h"

void program_enter(struct fault_log *log, struct bus *bus, const struct qpu *qpu)
{
    const uint8_t *bytes = bus_peek(bus, qpu->pc, 8);
    uint64_t word = bytes ? load_le64(bytes) : 0;
    fault_enter_shader(log, qpu->start, qpu->pc, bytes ? &word : NULL, qpu->number);
}

/* Describes the loop in which a program runs, and moves the finding's place to the loop's branch,
 * because this instruction decides whether the loop ends. Sets an empty text if no loop is
 * found. */
static void describe_loop(struct fault_log *log, struct bus *bus, const struct qpu *qpu, char *text,
                          size_t size)
{
    struct loop loop;
    char what[320];
    text[0] = 0;
    if (!loop_find(bus, qpu->pc, &loop))
        return;
    loop_describe(bus, &loop, what, sizeof what);
    snprintf(text, size, "; the instructions from 0x%08x to 0x%08x repeat: %s", loop.first,
             loop.last, what);
    const uint8_t *bytes = bus_peek(bus, loop.branch, 8);
    uint64_t word = bytes ? load_le64(bytes) : 0;
    fault_enter_shader(log, qpu->start, loop.branch, bytes ? &word : NULL, qpu->number);
}

void program_report_limit(struct fault_log *log, struct bus *bus, const struct qpu *qpu,
                          uint64_t own, uint64_t total)
{
    char loop[420];
    program_enter(log, bus, qpu);
    describe_loop(log, bus, qpu, loop, sizeof loop);
    if (qpu->instructions >= own)
        fault(log, FAULT_BUDGET, "the program has executed %llu instructions without ending%s",
              (unsigned long long)qpu->instructions, loop);
    else
        fault(log, FAULT_BUDGET, "the programs have executed %llu instructions in this run%s",
              (unsigned long long)total, loop);
    fault_leave_shader(log);
}

void program_report_clocks(struct fault_log *log, struct bus *bus, const struct qpu *qpu)
{
    char loop[420];
    program_enter(log, bus, qpu);
    describe_loop(log, bus, qpu, loop, sizeof loop);
    fault(log, FAULT_BUDGET,
          "the program on QPU %u has not ended after %llu clocks and %llu instructions%s",
          qpu->number, (unsigned long long)qpu_clock(qpu), (unsigned long long)qpu->instructions,
          loop);
    fault_leave_shader(log);
}

void program_report_wait(struct fault_log *log, struct bus *bus, const struct qpu *qpu,
                         const struct qpu_shared *shared)
{
    char text[96], hint[200];
    program_enter(log, bus, qpu);
    fault(log, FAULT_QPU_STUCK, "QPU %u waits for %s" WITH_HINT "%s", qpu->number,
          qpu_wait_text(qpu, shared, text, sizeof text),
          qpu_wait_hint(qpu, shared, hint, sizeof hint));
    fault_leave_shader(log);
}

static bool is_semaphore(const struct qpu_insn *insn, uint32_t semaphore, bool acquires)
{
    return insn->form == QPU_FORM_SEMAPHORE && bits_get(insn->immediate, 4, 4) == acquires &&
           bits_get(insn->immediate, 3, 0) == semaphore;
}

bool program_find_semaphore(struct bus *bus, uint32_t start, uint32_t semaphore, bool acquires,
                            uint32_t *where)
{
    enum { LONGEST = 4096, WORD = 8, BRANCH_BASE = 4 * WORD, END_SLOTS = 2 };
    uint32_t reached = 0, end = LONGEST * WORD;
    for (uint32_t at = 0; at < end; at += WORD) {
        const uint8_t *bytes = bus_peek(bus, start + at, WORD);
        if (!bytes)
            return false;
        struct qpu_insn insn = qpu_decode(load_le64(bytes));
        *where = start + at;
        if (is_semaphore(&insn, semaphore, acquires))
            return true;
        uint32_t target = at + BRANCH_BASE + insn.immediate;
        bool branch = insn.form == QPU_FORM_BRANCH && insn.rel && !insn.reg;
        if (branch && target < LONGEST * WORD && target > reached)
            reached = target;
        if (insn.sig == QPU_SIG_PROGRAM_END && at >= reached)
            end = at + (END_SLOTS + 1) * WORD;
    }
    return false;
}
