/* SPDX-License-Identifier: MIT */
/* qpu_facts.c - tests what an instruction reads, writes, accesses and waits for.
 *
 * The expected values follow from the manual: section 3, tables 1 to 4, 12, 13 and 14, and "Summary
 * of Instruction Restrictions". They were derived by hand from the text of each line. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <string.h>

#include "../../register.h"
#include "isa/qpu/facts.h"
#include "isa/qpu/parse.h"

enum { FLAGS = 1 << FACTS_FLAGS, R0 = 1, R1 = 2, R4 = 16, R5 = 32 };

static struct qpu_facts facts_of(const char *text)
{
    struct asm_error error;
    uint64_t word = 0;
    if (qpu_parse(text, strlen(text), 0, NULL, &word, &error) != QPU_PARSE_OK)
        fail_msg("%s: %s", text, error.text);
    return qpu_facts(word);
}

static const struct row {
    const char *text;
    uint32_t accesses;
    uint8_t reads, sets;
    unsigned peripherals;
} rows[] = {
    {"nop", 0, 0, 0, 0},
    {"add r0, r0, r1", 0, R0 | R1, R0, 0},
    {"mov.ifz r0, r1", 0, R1 | FLAGS, R0, 0},
    {"sub.setf -, r0, r1", 0, R0 | R1, FLAGS, 0},
    {"mov r0, unif", ACCESS_UNIFORM, 0, R0, 0},
    {"mov r0, vary", ACCESS_VARYING, 0, R0 | R5, 0},
    {"mov ra0, vpm", ACCESS_VPM_READ, 0, 0, 0},
    {"mov vpm, r0", ACCESS_VPM_WRITE, R0, 0, 0},
    {"mov vr_setup, r0", ACCESS_READ_SETUP, R0, 0, 0},
    {"mov vw_setup, r0", ACCESS_WRITE_SETUP, R0, 0, 0},
    {"mov vr_addr, r0", ACCESS_DMA, R0, 0, 0},
    {"mov -, vw_wait", ACCESS_DMA, 0, 0, 0},
    {"mov -, mutex", ACCESS_MUTEX_READ, 0, 0, 1},
    {"mov mutex, r0", ACCESS_MUTEX_WRITE, 0, 0, 0}, /* a write of any value releases the mutex */
    {"mov irq, r0", ACCESS_INTERRUPT, 0, 0, 0},
    {"sacq r0, 3", ACCESS_SEMAPHORE, 0, R0, 1},
    {"mov recip, r0", ACCESS_SFU, R0, R4, 1},
    {"mov t0s, r0", ACCESS_TMU_WRITE, R0, 0, 1},
    {"mov t1b, r0", ACCESS_TMU_WRITE | ACCESS_TMU_UNIFORM, R0, 0, 1},
    {"nop; ldtmu0", ACCESS_TMU_READ, 0, R4, 1},
    {"mov tlbz, r0", ACCESS_TILE_WRITE, R0, 0, 1},
    {"mov stencil, r0", ACCESS_TILE_WRITE, R0, 0, 0},
    {"mov tlbc, r0", ACCESS_TILE_COLOUR_WRITE, R0, 0, 1},
    {"mov tlbc, r0; loadc", ACCESS_TILE_COLOUR_WRITE | ACCESS_TILE_COLOUR_READ, R0, R4, 1},
    {"mov tlbz, r0; ldtmu0", ACCESS_TILE_WRITE | ACCESS_TMU_READ, R0, R4, 2},
    {"mov tlbz, r0; mov tlbc, r1", ACCESS_TILE_WRITE | ACCESS_TILE_COLOUR_WRITE, R0 | R1, 0, 2},
    {"mov stencil, r0; mov tlbz, r1", ACCESS_TILE_WRITE, R0 | R1, 0, 2},
    {"mov stencil, r0; mov t0s, r1", ACCESS_TILE_WRITE | ACCESS_TMU_WRITE, R0 | R1, 0, 1},
    {"nop; thrend", ACCESS_END, 0, 0, 0},
    {"mov r0, unif; mov r1, unif", ACCESS_UNIFORM, 0, R0 | R1, 0},
    {"mov r0, r1 << r5", 0, R1 | R5, R0, 0},
    {"ldi r0, 17", 0, 0, R0, 0},
    {"ldi.setf.ifn r0, 17", 0, FLAGS, R0 | FLAGS, 0},
    {"brr -, 32", 0, 0, 0, 0},
    {"brr.anyz -, 32", 0, FLAGS, 0, 0},
};

TEST(test_rows)
{
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        const struct qpu_facts facts = facts_of(rows[i].text);
        if (facts.accesses != rows[i].accesses || facts.reads != rows[i].reads ||
            facts.sets != rows[i].sets || facts_peripherals(&facts) != rows[i].peripherals)
            fail_msg("%s: accesses 0x%x, reads 0x%x, sets 0x%x, %u peripherals", rows[i].text,
                     facts.accesses, facts.reads, facts.sets, facts_peripherals(&facts));
    }
}

/* Returns true if "OP r0, r1, r1" in the add ALU has a result that does not depend on r1. The
 * assembler replaces such lines by a load of 0. */
static bool makes_zero(const char *line, enum qpu_add_op op)
{
    struct qpu_insn insn = facts_of(line).insn;
    insn.op_add = (uint8_t)op;
    return qpu_facts(qpu_encode(&insn)).makes_zero;
}

TEST(test_zero)
{
    assert_true(makes_zero("add r0, r1, r1", QPU_ADD_XOR));
    assert_true(makes_zero("add r0, r1, r1", QPU_ADD_SUB));
    assert_true(makes_zero("add r0, r1, r1", QPU_ADD_V8SUBS));
    assert_true(makes_zero("add r0, r1, r1; v8subs r2, r3, r3", QPU_ADD_XOR));
    assert_false(makes_zero("add r0, r1, r1", QPU_ADD_OR));
    assert_false(makes_zero("add r0, r1, r1; mov r2, r3", QPU_ADD_XOR));
}

TEST(test_ports)
{
    const struct qpu_facts facts = facts_of("add.ifz r0, ra3, rb7");
    assert_int_equal(facts.port[0], 3);
    assert_int_equal(facts.port[1], 7);
    assert_int_equal(facts.port_condition[0], QPU_COND_ZS);
    assert_true(facts_reads_register(&facts, 1, 7));
    assert_false(facts_reads_register(&facts, 0, 7));
    const struct qpu_facts immediate = facts_of("add r0, r1, 7");
    assert_int_equal(immediate.port[1], QPU_NOP);
    const struct qpu_facts both = facts_of("add.ifn r0, r1, r2; fmul.ifz r3, r2, r0");
    assert_int_equal(both.accumulator_condition[0], QPU_COND_ZS);
    assert_int_equal(both.accumulator_condition[1], QPU_COND_NS);
    assert_int_equal(both.accumulator_condition[2], QPU_COND_ALWAYS);
    assert_int_equal(both.accumulator_condition[3], QPU_COND_NEVER);
}

TEST(test_writes)
{
    const struct qpu_facts facts = facts_of("mov ra3, r0; mov rb4, r1");
    assert_true(facts_writes_register(&facts, 0, 3));
    assert_true(facts_writes_register(&facts, 1, 4));
    assert_false(facts_writes_register(&facts, 1, 3));
    assert_true(facts_writes(&facts, 4));
}

TEST(test_sides)
{
    const struct qpu_insn swapped = facts_of("mov rb3, r0; mov ra4, r1").insn;
    assert_false(qpu_add_side(&swapped).file_a);
    assert_true(qpu_mul_side(&swapped).file_a);
    const struct qpu_insn flags = facts_of("nop; mul24.setf -, r0, r1").insn;
    const struct qpu_side add = qpu_add_side(&flags), mul = qpu_mul_side(&flags);
    assert_true(qpu_sets_flags(&flags, &mul));
    assert_false(qpu_sets_flags(&flags, &add));
    assert_true(qpu_idles(&flags, &add));
    assert_false(qpu_writes(&mul));
    assert_true(qpu_has_effect(&flags, &mul));
}
