/* SPDX-License-Identifier: MIT */
/* loop.c - see loop.h.
 *
 * In:       the code around the current instruction of a program that has run for too long.
 * Out:      a loop, and a description of its branch.
 * Method:   candidates are branches back over the instruction. A register is fixed in a loop if the
 *           loop does not write it, or computes it only from fixed registers. A branch always has
 *           the same outcome if its flags come from fixed registers.
 * Left out: branches to addresses in registers; loops of more than 4096 instructions. */
#include "vc4/watch/loop.h"

#include <string.h>

#include "base/bits.h"
#include "isa/qpu/facts.h"
#include "isa/qpu/sides.h"

enum { LONGEST = 4096, WORD = 8, SLOTS = 3, FLAGS = 1u << FACTS_FLAGS, LOADED = 1u << QPU_MUX_R4 };

/* Registers of files A and B, accumulators and flags, one bit each. */
struct set {
    uint32_t file[2];
    uint8_t accumulators;
};

static bool facts_at(struct bus *bus, uint32_t address, struct qpu_facts *facts)
{
    const uint8_t *bytes = bus_peek(bus, address, WORD);
    if (bytes)
        *facts = qpu_facts(load_le64(bytes));
    return bytes != NULL;
}

static bool is_fixed_branch(const struct qpu_facts *facts)
{
    return facts->insn.form == QPU_FORM_BRANCH && !facts->insn.reg;
}

static uint32_t target_of(const struct qpu_facts *facts, uint32_t address)
{
    return facts->insn.immediate + (facts->insn.rel ? address + (SLOTS + 1) * WORD : 0);
}

/* Returns true if each execution of an instruction reads the same value from port A or B. The port
 * is then unused, or reads a fixed register, or the element or QPU number. */
static bool is_fixed_port(const struct set *fixed, const struct qpu_facts *facts, unsigned file)
{
    unsigned address = facts->port[file];
    if (facts->port_condition[file] == QPU_COND_NEVER || address == QPU_NOP)
        return true;
    return address < 32 ? fixed->file[file] >> address & 1 : address == QPU_RD_ELEMENT_QPU;
}

/* Returns true if an instruction has the same results in each iteration. */
static bool gives_same(const struct set *fixed, const struct qpu_facts *facts)
{
    unsigned unknown = facts->reads & ~(unsigned)fixed->accumulators;
    bool loads = facts->r4_load || facts->insn.form == QPU_FORM_SEMAPHORE;
    return unknown == 0 && !loads && is_fixed_port(fixed, facts, 0) &&
           is_fixed_port(fixed, facts, 1);
}

/* Removes the registers that an instruction changes from the set. */
static void take_out(struct set *fixed, const struct qpu_facts *facts)
{
    fixed->accumulators &= (uint8_t)~facts->sets;
    for (unsigned unit = 0; unit < 2; unit++)
        if (facts->write[unit].present && facts->write[unit].address < 32)
            fixed->file[facts->write[unit].file_b] &= ~(UINT32_C(1) << facts->write[unit].address);
}

/* Returns all registers except the registers that the loop writes. If fixed is not NULL, the result
 * also includes the registers that the loop computes only from fixed registers. */
static struct set without_changes(struct bus *bus, const struct loop *loop, const struct set *fixed)
{
    struct set left = {{UINT32_MAX, UINT32_MAX}, UINT8_MAX};
    for (uint32_t at = loop->first; at <= loop->last; at += WORD) {
        struct qpu_facts facts;
        if (facts_at(bus, at, &facts) && !(fixed && gives_same(fixed, &facts)))
            take_out(&left, &facts);
    }
    return left;
}

/* Returns the registers that never change in the loop: the registers that the loop does not write,
 * and the registers that the loop computes only from such registers. */
static struct set fixed_in(struct bus *bus, const struct loop *loop)
{
    struct set fixed = without_changes(bus, loop, NULL), before;
    do {
        before = fixed;
        fixed = without_changes(bus, loop, &before);
    } while (memcmp(&before, &fixed, sizeof fixed) != 0);
    return fixed;
}

/* Returns true if the instruction at `at` can leave the loop: it ends the program, or is a branch
 * out of the loop. The loop's own branch does not count. */
static bool leaves(const struct loop *loop, const struct qpu_facts *facts, uint32_t at)
{
    if (facts->accesses & ACCESS_END)
        return true;
    if (facts->insn.form != QPU_FORM_BRANCH || at == loop->branch)
        return false;
    uint32_t target = target_of(facts, at);
    return facts->insn.reg || target < loop->first || target > loop->last;
}

static bool has_exit(struct bus *bus, const struct loop *loop)
{
    for (uint32_t at = loop->first; at <= loop->last; at += WORD) {
        struct qpu_facts facts;
        if (facts_at(bus, at, &facts) && leaves(loop, &facts, at))
            return true;
    }
    return false;
}

/* Returns the last instruction before the loop's branch that sets flags. If no such instruction
 * exists, returns the last instruction of the whole loop that sets flags, or 0. */
static uint32_t flags_from(struct bus *bus, const struct loop *loop)
{
    uint32_t before = 0, last = 0;
    for (uint32_t at = loop->first; at <= loop->last; at += WORD) {
        struct qpu_facts facts;
        if (!facts_at(bus, at, &facts) || !(facts.sets & FLAGS))
            continue;
        last = at;
        before = at < loop->branch ? at : before;
    }
    return before ? before : last;
}

/* Returns true if the instruction at `from`, which sets the flags of the loop's branch, sets the
 * same flags in each iteration, or if from is 0. */
static bool gives_same_flags(struct bus *bus, const struct loop *loop, uint32_t from)
{
    struct qpu_facts facts;
    struct set fixed = fixed_in(bus, loop);
    return !from || (facts_at(bus, from, &facts) && gives_same(&fixed, &facts));
}

static bool never_changes(struct bus *bus, const struct loop *loop)
{
    struct qpu_facts facts;
    if (!facts_at(bus, loop->branch, &facts) || has_exit(bus, loop))
        return false;
    return facts.branch_always || gives_same_flags(bus, loop, flags_from(bus, loop));
}

/* Finds the first loop that contains pc and whose branch is at address `from` or later. */
static bool next_loop(struct bus *bus, uint32_t pc, uint32_t from, struct loop *loop)
{
    for (uint32_t at = from; at - pc < LONGEST * WORD || at < pc; at += WORD) {
        struct qpu_facts facts;
        if (!facts_at(bus, at, &facts)) {
            if (at < pc)
                continue;
            return false;
        }
        uint32_t target = is_fixed_branch(&facts) ? target_of(&facts, at) : UINT32_MAX;
        if (target > pc || target > at || at + SLOTS * WORD < pc || (at - target) / WORD > LONGEST)
            continue;
        *loop = (struct loop){target, at + SLOTS * WORD, at};
        return true;
    }
    return false;
}

bool loop_find(struct bus *bus, uint32_t pc, struct loop *loop)
{
    struct loop outer;
    uint32_t back = pc < SLOTS * WORD ? pc : SLOTS * WORD; /* pc may be in a delay slot */
    bool found = next_loop(bus, pc, pc - back, loop);
    if (!found)
        return false;
    for (outer = *loop; found && !never_changes(bus, &outer);)
        found = next_loop(bus, pc, outer.branch + WORD, &outer);
    if (found)
        *loop = outer;
    return true;
}

/* --- description --- */

static const char *const conditions[16] = {
    "all Z flags are set",
    "all Z flags are clear",
    "any Z flag is set",
    "any Z flag is clear",
    "all N flags are set",
    "all N flags are clear",
    "any N flag is set",
    "any N flag is clear",
    "all C flags are set",
    "all C flags are clear",
    "any C flag is set",
    "any C flag is clear",
    "never",
    "never",
    "never",
    "always",
};

/* Appends the names of the registers that an instruction reads, such as "ra1 and r0". Appends
 * "constants" if the instruction reads no register. Returns the number of registers. */
static unsigned put_reads(struct text *out, const struct qpu_facts *facts)
{
    const char *before = "";
    unsigned count = 0;
    for (unsigned file = 0; file < 2; file++) {
        if (facts->port[file] >= 32 || facts->port_condition[file] == QPU_COND_NEVER)
            continue;
        text_put(out, "%sr%c%u", before, file ? 'b' : 'a', facts->port[file]);
        before = " and ";
        count++;
    }
    for (unsigned i = 0; i < FACTS_FLAGS; i++) {
        if (!(facts->reads >> i & 1))
            continue;
        text_put(out, "%sr%u", before, i);
        before = " and ";
        count++;
    }
    if (count == 0)
        text_put(out, "constants");
    return count;
}

static void put_flags(struct text *out, struct bus *bus, const struct loop *loop, uint32_t from)
{
    char mnemonic[96];
    struct qpu_facts facts;
    if (!facts_at(bus, from, &facts))
        return;
    qpu_print_nearest(mnemonic, sizeof mnemonic, qpu_encode(&facts.insn), from);
    text_put(out, "; the flags come from `%s` at 0x%08x", mnemonic, (unsigned)from);
    if (!gives_same_flags(bus, loop, from))
        return;
    text_put(out, ", which reads ");
    unsigned count = put_reads(out, &facts);
    if (count)
        text_put(out, ": nothing in the loop changes %s", count == 1 ? "it" : "them");
}

void loop_describe(struct bus *bus, const struct loop *loop, char *text, size_t size)
{
    struct qpu_facts facts;
    struct text out = {text, size, 0};
    text[0] = 0;
    if (!facts_at(bus, loop->branch, &facts))
        return;
    uint32_t from = flags_from(bus, loop);
    if (facts.branch_always && !has_exit(bus, loop))
        text_put(&out, "this branch always goes back, and no other instruction leaves the loop");
    else if (facts.branch_always)
        text_put(&out, "this branch always goes back");
    else if (!from)
        text_put(&out, "this branch goes back while %s, and nothing in the loop sets flags",
                 conditions[facts.insn.cond_br]);
    else
        text_put(&out, "this branch goes back while %s", conditions[facts.insn.cond_br]);
    if (!facts.branch_always && from)
        put_flags(&out, bus, loop, from);
}
