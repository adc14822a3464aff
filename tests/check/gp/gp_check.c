/* SPDX-License-Identifier: MIT */
/* gp_check.c - tests each rule of the GP checker with a program that breaks the rule and a program
 * that obeys it.
 *
 * The programs follow the sources that rules.def names for each rule: distances and sequences are
 * those of "Latencies" and "Complex functions" in Utgard-GP.md
 * (github.com/cwabbott0/mali-isa-docs), and codes are those of docs/hardware/utgard.md. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <tessera/isa.h>

#include "../../register.h"
#include "check/frame/rules.h"

#define SHOWN_RULES "front/examples/rules_gp.def"
#include "../frame/shown.h"

enum { BYTES = 16, NOWHERE = -1 };

/* A value that the program reads from a row, and continuations that use the value. */
#define VALUE "load.unif 0; acc0.mov unif.x\n"
#define KEEP  "; store0.reg 0, acc0, _\n"
#define SHOW  "; store0.varying 0, acc0, _\n"
#define STORE "load.unif 0; acc0.mov unif.x; store0.reg 3, acc0, _\n"

/* The steps of a complex function, up to complex1. Two instructions later, the result is
 * mul0[-2]. */
#define FIRST(function) \
    "load.unif 0; complex." function " unif.x; mul0.complex2 unif.x, unif.x; mul1.mov unif.x\n"
#define LAST       "mul0.complex1 complex[-1], mul0[-1], complex[-1], mul1[-1]\n"
#define RCP        FIRST("rcp") LAST
#define PREEXP2    "load.unif 0; pass.preexp2 unif.x\n"
#define TEMPORARY  "load.unif 0; complex.addr0 unif.y; acc0.mov unif.x; store0.temp acc0, _"
#define HEAP       ".temporary heap, 4\n.constant zero, 0\n"
#define HEAP_STORE "load.unif zero; complex.addr0 unif.x; acc0.mov unif.y; store0.temp acc0, _\n"
#define HEAP_LOAD  "load.temp heap; acc0.mov unif.x; store0.reg 0, acc0, _\n"
#define GO         "load.unif 0; pass.mov unif.x; branch over"
#define ALWAYS     ".constant one, 1\n"
#define POSITION   ".varying gl_Position, 0\n.uniform u\n"
#define XYZW                                                                                       \
    "load.unif u; acc0.mov unif.x; acc1.mov unif.y; store0.varying 0, acc0, acc1; store1.varying " \
    "0, acc0, acc1\n"

/* clang-format off */
static const struct rule_case {
    enum check_rule rule;
    int at, other, distance; /* instructions of the finding and its other place, and their
                                distance */
    const char *bad, *good;
} cases[] = {
    /* --- lines that lack their ';' --- */
    {CHECK_GP_LINE_ALONE, 1, NOWHERE, 0,
     ".attribute a, 0\n.varying v, 0\nload.attr a; acc0.mov attr.x; acc1.mov attr.y\n"
     "store0.varying v, acc0, acc1\n",
     ".attribute a, 0\n.varying v, 0\nload.attr a; acc0.mov attr.x; acc1.mov attr.y\n"
     "; store0.varying v, acc0, acc1\n"},
    {CHECK_GP_LINE_ALONE, 1, NOWHERE, 0,
     ".attribute a, 0\n.varying v, 0\nload.attr a\nacc0.mov attr.x; store0.varying v, acc0, _\n",
     ".attribute a, 0\n.varying v, 0\nload.attr a\n; acc0.mov attr.x; store0.varying v, acc0, _\n"},
    {CHECK_GP_LINE_ALONE, 1, NOWHERE, 0,
     ".uniform u\n.varying v, 0\nload.unif u\nacc0.mov unif.x; store0.varying v, acc0, _\n",
     ".uniform u\n.varying v, 0\nload.unif u\n"
     "load.unif u; acc0.mov unif.x; store0.varying v, acc0, _\n"},
    /* --- results of units --- */
    {CHECK_GP_IDLE_RESULT, 1, 0, 1, SHOWN, SHOWN},
    {CHECK_GP_IDLE_RESULT, 2, 0, 2,
     VALUE "nop\nacc1.mov acc1[-2]; store0.reg 0, acc1, _\n",
     VALUE "nop\nacc1.mov acc0[-2]; store0.reg 0, acc1, _\n"},
    {CHECK_GP_BEFORE_START, 0, NOWHERE, 0, SHOWN, SHOWN},
    /* If the branch is taken, the read directly follows the result's instruction. If not, a nop is
     * between the two. */
    {CHECK_GP_IDLE_RESULT, 2, 1, 1,
     "load.unif 0; acc0.mov unif.x; pass.mov unif.x; branch over\nnop\nover: acc0.mov acc0[-1]"
     KEEP,
     "load.unif 0; acc0.mov unif.x; pass.mov unif.x; branch over\nnop\nover: nop\n" VALUE
     "acc0.mov acc0[-1]" KEEP},
    /* select occupies both multipliers. */
    {CHECK_GP_IDLE_RESULT, 1, 0, 1,
     "load.unif 0; mul0.select unif.x, unif.y, unif.z\nacc0.add mul1[-1], mul0[-1]" KEEP,
     "load.unif 0; mul0.select unif.x, unif.y, unif.z\nacc0.mov mul0[-1]" KEEP},
    {CHECK_GP_COMPLEX1_EARLY, 2, 1, 1,
     RCP "acc0.mov mul0[-1]" KEEP,
     RCP "nop\nacc0.mov mul0[-2]" KEEP},
    {CHECK_GP_COMPLEX1_UNREAD, 1, NOWHERE, 0, SHOWN, SHOWN},
    /* The start of a loop reads a result of the previous instruction. On the first path this is
     * the instruction before the loop, on the second it is the loop's last instruction. */
    {CHECK_GP_RESULT_PATH, 1, 1, 1,
     VALUE "again: acc0.add acc0[-1], acc0[-1]; pass.mov acc0[-1]; branch again\n",
     STORE "nop\nnop\nagain: load.reg0 3; acc0.add reg0.x, reg0.x; store0.reg 3, acc0, _\n"
     "load.reg0 3; pass.mov reg0.x; branch again\n"},
    {CHECK_GP_ACROSS_BRANCH, 2, 0, 1, SHOWN, SHOWN},
    {CHECK_GP_RESULT_UNREAD, 0, NOWHERE, 0, SHOWN, SHOWN},
    {CHECK_GP_IDENTITY, 1, 0, 1, SHOWN, SHOWN},
    {CHECK_GP_LOAD_UNREAD, 0, NOWHERE, 0, SHOWN, SHOWN},
    {CHECK_GP_LOAD_UNREAD, 0, NOWHERE, 0,
     "load.unif 1\nnop\n",
     "load.attr 1; load.unif 1; pass.clamp attr.x; store0.reg 0, pass, _\n"},

    /* --- undefined codes --- */
    {CHECK_GP_UNKNOWN_OPERATION, 0, NOWHERE, 0,
     "load.unif 0; acc0.add unif.x, unif.y; field.acc_op 3" KEEP,
     "load.unif 0; acc0.add unif.x, unif.y; field.acc_op 6" KEEP},
    {CHECK_GP_UNKNOWN_OPERATION, 0, NOWHERE, 0,
     "load.unif 0; mul0.mov unif.x; store0.reg 0, mul0, _; field.mul_op 2\n",
     "field.mul_op 2\n"},
    {CHECK_GP_UNKNOWN_OPERATION, 0, NOWHERE, 0,
     "load.unif 0; pass.mov unif.x; store0.reg 0, pass, _; field.pass_op 7\n",
     "field.pass_op 7\n"},
    {CHECK_GP_UNKNOWN_OPERATION, 0, NOWHERE, 0,
     "field.complex_op 11\n",
     "load.unif 0; complex.mov unif.x; store0.reg 0, complex, _\n"},
    {CHECK_GP_UNKNOWN_SOURCE, 0, NOWHERE, 0,
     "field.pass_src 9\n",
     "field.pass_src 21\n"},
    {CHECK_GP_SOURCE_8, 0, NOWHERE, 0,
     "field.pass_src 8\n",
     "field.pass_src 21\n"},
    {CHECK_GP_LOAD_OFFSET, 0, NOWHERE, 0,
     "load.unif 0; acc0.mov unif.x; field.load_offset 4" KEEP,
     "load.unif 0; acc0.mov unif.x; field.load_offset 3" KEEP},
    {CHECK_GP_STORE_SOURCE, 0, NOWHERE, 0,
     "load.unif 0; acc0.mov unif.x; field.store0_src_x 5\n",
     "load.unif 0; acc0.mov unif.x; field.store0_src_x 0\n"},
    {CHECK_GP_FLAGS, 0, NOWHERE, 0,
     "field.unknown_1 13\n",
     GO "\nover: nop\n"},
    {CHECK_GP_FLAGS, 0, NOWHERE, 0,
     GO "; field.unknown_1 0\nover: nop\n",
     "nop\n"},
    {CHECK_GP_FLAGS, 0, NOWHERE, 0,
     TEMPORARY "; field.unknown_1 0\n",
     TEMPORARY "\n"},

    /* --- operands --- */
    {CHECK_GP_OPERAND_UNUSED, 0, NOWHERE, 0,
     "load.unif 0; acc0.add unif.x, unused" KEEP,
     "load.unif 0; acc0.floor unif.x" KEEP},
    {CHECK_GP_OPERAND_UNUSED, 0, NOWHERE, 0,
     "load.unif 0; mul0.select unif.x, unif.y, unif.z; store0.reg 0, mul0, _; field.mul0_src0 21\n",
     "load.unif 0; mul0.select unif.x, unif.y, unif.z; store0.reg 0, mul0, _\n"},
    {CHECK_GP_IDLE_OPERAND, 0, NOWHERE, 0, SHOWN, SHOWN},
    {CHECK_GP_IDLE_OPERAND, 0, NOWHERE, 0,
     "field.complex_op 5\n",
     "load.unif 0; pass.mov unif.x; complex.addr01\n"},
    {CHECK_GP_SELECT_OPERAND, 0, NOWHERE, 0, SHOWN, SHOWN},
    {CHECK_GP_CLAMP_BOUNDS, 0, NOWHERE, 0, SHOWN, SHOWN},
    {CHECK_GP_CLAMP_SHARED, 0, NOWHERE, 0, SHOWN, SHOWN},

    /* --- complex functions --- */
    {CHECK_GP_COMPLEX1_OPERANDS, 1, NOWHERE, 0,
     FIRST("mov") LAST,
     FIRST("rsqrt") LAST},
    {CHECK_GP_COMPLEX1_OPERANDS, 1, NOWHERE, 0,
     "load.unif 0; complex.rcp unif.x; mul0.complex2 unif.x, unif.x; mul1.mov unif.y\n" LAST,
     "load.unif 0; complex.rcp unif.x; mul0.complex2 unif.x, unif.x; acc0.mov unif.x\n"
     "mul0.complex1 complex[-1], mul0[-1], complex[-1], acc0[-1]\n"},
    {CHECK_GP_COMPLEX1_OPERANDS, 1, NOWHERE, 0,
     "load.unif 0; complex.rcp unif.x; mul0.complex2 unif.y, unif.y; mul1.mov unif.x\n" LAST,
     RCP},
    {CHECK_GP_COMPLEX1_OPERANDS, 1, NOWHERE, 0,
     "load.unif 0; complex.rcp unif.x; mul0.mul unif.x, unif.x; mul1.mov unif.x\n" LAST,
     RCP},
    {CHECK_GP_COMPLEX1_OPERANDS, 1, NOWHERE, 0,
     FIRST("rcp") "mul0.complex1 complex[-1], mul0[-1], mul1[-1], mul1[-1]\n",
     RCP},
    {CHECK_GP_COMPLEX1_OPERANDS, 1, NOWHERE, 0,
     FIRST("rcp")
     "mul0.complex1 complex[-1], mul0[-1], complex[-1], mul1[-1]; field.mul0_src1 22\n", RCP},
    /* The function's argument passes through a register and through a move. */
    {CHECK_GP_COMPLEX1_OPERANDS, 4, NOWHERE, 0,
     STORE "load.unif 0; acc0.add unif.x, unif.x\nnop\n"
     "load.reg0 3; complex.rcp acc0[-2]; mul0.complex2 acc0[-2], acc0[-2]; mul1.mov reg0.x\n" LAST,
     STORE "nop\nload.unif 0; acc0.mov unif.x\n"
     "load.reg0 3; complex.rcp acc0[-1]; mul0.complex2 reg0.x, reg0.x; mul1.mov reg0.x\n" LAST},
    {CHECK_GP_COMPLEX2_OPERANDS, 0, NOWHERE, 0,
     "load.unif 0; mul0.complex2 unif.x, unif.y\n",
     "load.unif 0; acc0.mov unif.x\nload.unif 0; mul0.complex2 unif.x, acc0[-1]\n"},
    {CHECK_GP_PARTIAL_RESULT, 1, NOWHERE, 0,
     "load.unif 0; complex.rcp unif.x\nacc0.mov complex[-1]" KEEP,
     "load.unif 0; complex.mov unif.x\nacc0.mov complex[-1]" KEEP},
    {CHECK_GP_PARTIAL_RESULT, 0, NOWHERE, 0,
     "load.unif 0; complex.rcp unif.x; store0.reg 0, complex, _\n",
     "load.unif 0; complex.mov unif.x; store0.reg 0, complex, _\n"},
    {CHECK_GP_COMPLEX2_READ, 1, NOWHERE, 0,
     "load.unif 0; mul0.complex2 unif.x, unif.x\nacc0.add mul0[-1], mul0[-1]" KEEP,
     FIRST("rcp")
     "acc0.mov mul0[-1]; mul0.complex1 complex[-1], mul0[-1], complex[-1], mul1[-1]\n"},
    {CHECK_GP_LOG2_RAW, 3, NOWHERE, 0, SHOWN, SHOWN},
    {CHECK_GP_LOG2_MOVED, 3, NOWHERE, 0, SHOWN, SHOWN},
    {CHECK_GP_EXP2_OPERAND, 0, NOWHERE, 0,
     "load.unif 0; complex.exp2 unif.x\n",
     PREEXP2 "complex.exp2 pass[-1]\n"},
    {CHECK_GP_POSTLOG2_OPERAND, 0, NOWHERE, 0, SHOWN, SHOWN},
    {CHECK_GP_POSTLOG2_OPERAND, 3, NOWHERE, 0,
     RCP "nop\npass.postlog2 mul0[-2]; store0.reg 0, pass, _\n",
     RCP "nop\npass.mov mul0[-2]; store0.reg 0, pass, _\n"},
    {CHECK_GP_PREEXP2_READ, 1, NOWHERE, 0,
     PREEXP2 "acc0.add pass[-1], pass[-1]" KEEP,
     PREEXP2 "complex.exp2 pass[-1]; mul0.complex2 pass[-1], pass[-1]; mul1.mov pass[-1]\n" LAST},

    /* --- registers, temporaries, address registers --- */
    {CHECK_GP_REGISTER_EARLY, 1, 0, 1, SHOWN, SHOWN},
    {CHECK_GP_REGISTER_EARLY, 2, 0, 2,
     STORE "nop\nload.reg0 3; acc0.mov reg0.x" KEEP,
     STORE "nop\nnop\nload.reg0 3; acc0.mov reg0.x" KEEP},
    /* The load determines the distance. The next instruction may read the loaded value. */
    {CHECK_GP_REGISTER_EARLY, 2, 0, 2,
     STORE "nop\nload.reg0 3\nacc0.mov reg0[-1].x" KEEP,
     STORE "nop\nnop\nload.reg0 3\nacc0.mov reg0[-1].x" KEEP},
    /* A store to another component has no effect on the read. A taken branch waits for stores. */
    {CHECK_GP_REGISTER_EARLY, 3, 1, 2,
     STORE "load.unif 0; acc0.mov unif.x; store0.reg 3, _, acc0\nnop\nload.reg0 3; acc0.mov reg0.y"
     KEEP,
     "load.unif 0; acc0.mov unif.x; store0.reg 3, _, acc0\nnop\n" STORE
     "load.reg0 3; acc0.mov reg0.y" KEEP},
    {CHECK_GP_REGISTER_EARLY, 1, 0, 1,
     "load.unif 0; acc0.mov unif.x; store0.reg 3, acc0, _; pass.mov unif.x; branch over\n"
     "over: load.reg0 3; acc0.mov reg0.x" KEEP,
     ALWAYS "load.unif one; acc0.mov unif.x; store0.reg 3, acc0, _; pass.mov unif.x; branch over\n"
     "over: load.reg0 3; acc0.mov reg0.x" KEEP},
    {CHECK_GP_REGISTER_UNSET, 0, NOWHERE, 0, SHOWN, SHOWN},
    {CHECK_GP_REGISTER_UNSET, 4, NOWHERE, 0,
     GO "\n" STORE "nop\nover: nop\nload.reg0 3; acc0.mov reg0.x" SHOW,
     STORE GO "\n" STORE "nop\nover: nop\nload.reg0 3; acc0.mov reg0.x" SHOW},
    {CHECK_GP_TEMPORARY_EARLY, 3, 0, 3, SHOWN, SHOWN},
    /* The correct program stores to another row. Both rows are constants. */
    {CHECK_GP_TEMPORARY_EARLY, 1, 0, 1,
     HEAP HEAP_STORE HEAP_LOAD,
     HEAP HEAP_STORE "load.temp heap + 1; acc0.mov unif.x" KEEP},
    /* The program declares no temporary, but an address register selects the row. */
    {CHECK_GP_TEMPORARY_EARLY, 4, 3, 1,
     "load.unif 0; complex.addr1 unif.x\nnop\nnop\n" TEMPORARY
     "\nload.temp 0, addr1; acc0.mov unif.x" KEEP, TEMPORARY "\n" VALUE "nop\n"},
    {CHECK_GP_TEMPORARY_UNSET, 0, NOWHERE, 0, SHOWN, SHOWN},
    {CHECK_GP_ADDRESS_EARLY, 3, 0, 3, SHOWN, SHOWN},
    {CHECK_GP_ADDRESS_EARLY, 1, 0, 1,
     "load.unif 0; pass.mov unif.x; complex.addr01\nload.temp 0, addr1; acc0.mov unif.x" KEEP,
     "load.unif 0; complex.addr2 unif.x\nload.temp 0, addr1; acc0.mov unif.x" KEEP},
    {CHECK_GP_ADDRESS_UNSET, 0, NOWHERE, 0, SHOWN, SHOWN},
    {CHECK_GP_TEMPORARY_ADDRESS, 0, NOWHERE, 0, SHOWN, SHOWN},
    {CHECK_GP_TEMPORARY_ADDRESS, 0, NOWHERE, 0,
     "load.unif 0; complex.addr1 unif.y; acc0.mov unif.x; store0.temp acc0, _\n",
     "load.unif 0; pass.mov unif.y; complex.addr01; acc0.mov unif.x; store0.temp acc0, _\n"},

    /* --- stores --- */
    {CHECK_GP_STORE_IDLE, 0, NOWHERE, 0,
     "field.complex_op 10\n",
     "load.unif 0; pass.mov unif.x; complex.addr01\n"},
    {CHECK_GP_STORE_IDLE, 0, NOWHERE, 0,
     "field.store0_src_x 0\n",
     "load.unif 0; acc0.mov unif.x; field.store0_src_x 0\n"},
    {CHECK_GP_STORE_IDLE, 0, NOWHERE, 0,
     "load.unif 0; mul0.select unif.x, unif.y, unif.z; field.store0_src_x 3\n",
     "load.unif 0; mul0.select unif.x, unif.y, unif.z; field.store0_src_x 2\n"},
    {CHECK_GP_STORE_COMPLEX1, 1, NOWHERE, 0, SHOWN, SHOWN},
    {CHECK_GP_STORE_EMPTY, 0, NOWHERE, 0,
     "field.store0_varying 1\n",
     "field.store0_addr 1\n"},
    {CHECK_GP_TEMPORARY_FIELDS, 0, NOWHERE, 0,
     TEMPORARY "; field.store0_addr 2\n",
     TEMPORARY "; field.store1_addr 2\n"},
    {CHECK_GP_TEMPORARY_ROWS, 0, NOWHERE, 0, SHOWN, SHOWN},
    {CHECK_GP_TEMPORARY_FIELDS, 0, NOWHERE, 0,
     TEMPORARY "; field.store0_varying 1\n",
     TEMPORARY "; store1.varying 1, acc0, _\n"},
    {CHECK_GP_BRANCH_TEMPORARY, 0, NOWHERE, 0, SHOWN, SHOWN},

    /* --- branches --- */
    {CHECK_GP_BRANCH_CONDITION, 0, NOWHERE, 0, SHOWN, SHOWN},
    {CHECK_GP_BRANCH_CONDITION, 0, NOWHERE, 0,
     GO "; field.pass_op 6\nover: nop\n",
     GO "\nover: nop\n"},
    {CHECK_GP_BRANCH_OUTSIDE, 0, NOWHERE, 0, SHOWN, SHOWN},
    {CHECK_GP_BRANCH_INVERTED, 0, NOWHERE, 0, SHOWN, SHOWN},
    {CHECK_GP_BRANCH_TWINS, 1, 0, 0, SHOWN, SHOWN},
    {CHECK_GP_BRANCH_SELF, 0, NOWHERE, 0, SHOWN, SHOWN},
    {CHECK_GP_BRANCH_UNUSED, 0, NOWHERE, 0, SHOWN, SHOWN},
    {CHECK_GP_ENDLESS, 1, NOWHERE, 0, SHOWN, SHOWN},
    {CHECK_GP_UNREACHABLE, 1, NOWHERE, 0, SHOWN, SHOWN},
    {CHECK_GP_DATA_INSIDE, 1, NOWHERE, 0, SHOWN, SHOWN},
    {CHECK_GP_TOO_LONG, 512, NOWHERE, 0, SHOWN, SHOWN},

    /* --- inputs and outputs --- */
    {CHECK_GP_POSITION_UNWRITTEN, 0, NOWHERE, 0, SHOWN, SHOWN},
    {CHECK_GP_POSITION_UNWRITTEN, 2, NOWHERE, 0,
     POSITION "load.unif u; pass.mov unif.x; branch over\n" XYZW "over: nop\n",
     POSITION "load.unif u; pass.mov unif.x; branch over\nnop\nover: " XYZW},
    {CHECK_GP_VARYING_UNWRITTEN, 0, NOWHERE, 0, SHOWN, SHOWN},
    {CHECK_GP_VARYING_TWICE, 2, 1, 0, SHOWN, SHOWN},
    /* The value is lost on both paths. In the correct programs the value is kept, because a
     * branch jumps over the second store, or because the store is in a loop. */
    {CHECK_GP_VARYING_TWICE, 4, 1, 0,
     VALUE "acc0.mov acc0[-1]" SHOW GO "\nnop\nover: load.unif 0; acc0.mov unif.x" SHOW,
     VALUE "acc0.mov acc0[-1]" SHOW GO "\nagain: load.unif 0; acc0.mov unif.x" SHOW
     "load.unif 1; pass.mov unif.x; branch again\nover: nop\n"},
    {CHECK_GP_VARYING_UNDECLARED, 0, NOWHERE, 0,
     ".uniform u\n.varying v, 1\nload.unif u; acc0.mov unif.x; store0.varying 2, acc0, _\n",
     ".uniform u\n.varying v, 1\nload.unif u; acc0.mov unif.x; store0.varying v, acc0, _\n"},
    {CHECK_GP_VARYING_UNDECLARED, 0, NOWHERE, 0, SHOWN, SHOWN},
    {CHECK_GP_ATTRIBUTE_UNDECLARED, 0, NOWHERE, 0, SHOWN, SHOWN},
    {CHECK_GP_ATTRIBUTE_UNREAD, 0, NOWHERE, 0,
     ".attribute a, 1\n.attribute b, 2\nload.attr a; acc0.mov attr.x" KEEP,
     ".attribute a, 1\nload.attr a; acc0.mov attr.x" KEEP},
    {CHECK_GP_ROW_UNDECLARED, 0, NOWHERE, 0, SHOWN, SHOWN},
    {CHECK_GP_ROW_DRIVER, 0, NOWHERE, 0, SHOWN, SHOWN},
    {CHECK_GP_TEMPORARY_UNDECLARED, 0, NOWHERE, 0, SHOWN, SHOWN},
    {CHECK_GP_ROWS_OVERLAP, 0, NOWHERE, 0, SHOWN, SHOWN},
    {CHECK_GP_POSITION_W, 0, NOWHERE, 0, SHOWN, SHOWN},
};
/* clang-format on */

struct seen {
    const char *id;
    struct tess_check_details details;
    char text[240];
    unsigned count;
    int at; /* expected place of the finding */
};

/* Diagnostics start with a lower-case letter, except for names, and have no period. */
static void expect_style(const char *text)
{
    bool capital = *text >= 'A' && *text <= 'Z' && text[1] >= 'a' && text[1] <= 'z';
    if (capital || strncmp(text, "A ", 2) == 0 || text[strlen(text) - 1] == '.')
        fail_msg("'%s' does not read like other diagnostics", text);
}

static void see(void *user, const struct tess_finding *finding)
{
    struct seen *seen = user;
    expect_style(finding->text);
    if (strcmp(finding->id, seen->id) != 0)
        return;
    bool here = finding->check->place.address == (uint32_t)seen->at * BYTES;
    if (++seen->count > 1 && !here)
        return;
    seen->details = *finding->check;
    snprintf(seen->text, sizeof seen->text, "%s", finding->text);
}

static void say(void *user, const struct tess_finding *diag)
{
    const char *text = user;
    fail_msg("%s\n%u: %s", text, diag->line, diag->text);
}

static struct seen check(const char *text, const struct rule_case *c)
{
    const char *id = check_rule(c->rule)->id;
    const struct tess_check_setting on = {id, TESS_WARNING};
    const struct tess_check_options options = {
        .machine = TESS_MACHINE_GP, .settings = &on, .setting_count = 1};
    struct seen seen = {.id = id, .at = c->at};
    enum tess_status status = tess_check_bytes(text, strlen(text), "test", &options,
                                               (struct tess_sink){say, (void *)(uintptr_t)text},
                                               (struct tess_sink){see, &seen});
    assert_true(status == TESS_OK || status == TESS_WRONG);
    return seen;
}

TEST(test_rules)
{
    unsigned failed = 0;
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        const struct rule_case *c = &cases[i];
        const char *id = check_rule(c->rule)->id;
        struct seen bad = check(case_program(c->bad, id, false), c);
        struct seen good = check(case_program(c->good, id, true), c);
        const struct tess_check_details *finding = &bad.details;
        bool here = bad.count > 0 && finding->place.address == (uint32_t)c->at * BYTES;
        bool other = finding->has_other ? finding->other.address == (uint32_t)c->other * BYTES
                                        : c->other == NOWHERE;
        if (here && other && finding->distance == (uint32_t)c->distance && good.count == 0)
            continue;
        print_error("%s (case %zu): found %u at %u, other %d, distance %u: %s; in the good program "
                    "%u: %s\n",
                    bad.id, i, bad.count, finding->place.address / BYTES,
                    finding->has_other ? (int)finding->other.address / BYTES : NOWHERE,
                    finding->distance, bad.text, good.count, good.text);
        failed++;
    }
    assert_int_equal(failed, 0);
}

/* Four stores to an undeclared varying cause one finding. Four stores to a varying that is
 * declared with two components cause two findings. */
TEST(test_undeclared_once)
{
    const struct rule_case c = {.rule = CHECK_GP_VARYING_UNDECLARED};
    assert_int_equal(check(".uniform u\n" XYZW, &c).count, 1);
    assert_int_equal(check(".uniform u\n.varying v, 0, 2\n" XYZW, &c).count, 2);
}

TEST(test_each_rule_has_a_case)
{
    bool has[CHECK_RULES] = {false};
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++)
        has[cases[i].rule] = true;
    for (unsigned rule = 0; rule < CHECK_RULES; rule++)
        if (!has[rule] && check_rule(rule)->machines == 1u << TESS_MACHINE_GP)
            fail_msg("%s has no case", check_rule((enum check_rule)rule)->id);
}
