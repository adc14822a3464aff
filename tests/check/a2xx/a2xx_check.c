/* SPDX-License-Identifier: MIT */
/* a2xx_check.c - tests each rule of the A2xx checker with a program that breaks the rule and a
 * program that obeys it.
 *
 * The programs follow the sources that rules.def names for each rule, mainly the first listing of
 * freedreno's wiki and docs/hardware/a2xx.md. Places of findings are lines of the program. */
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

#define SHOWN_RULES "front/examples/rules_a2xx.def"
#include "../frame/shown.h"

enum { NOWHERE = 0 };

/* Pieces of the first listing of freedreno's wiki, a vertex program. */
#define GET      "FETCH: VERTEX R1 = R0.x FMT_32_32_32_32_FLOAT SIGNED STRIDE(16) CONST(20, 0)\n"
#define FETCH    "EXEC\n" GET
#define COORD    "ALLOC COORD SIZE(0)\n"
#define SHOW     "ALU: MAXv export62 = R1, R1\n"
#define POSITION COORD "EXEC\n" SHOW
#define LAST     "ALLOC PARAM/PIXEL SIZE(0)\nEXEC_END\n"
#define PASS     "ALU: MAXv export0 = R1, R1\n"
/* Lines 1 to 5 of a vertex program. A clause may follow them. */
#define VERTEX FETCH POSITION
/* The end of a pixel program, and a macro that puts a clause into a whole pixel program. */
#define COLOUR      "ALLOC PARAM/PIXEL SIZE(0)\nEXEC_END\nALU: MAXv export0 = R0, R0\n"
#define PIXEL(text) "EXEC\n" text COLOUR
#define SAMPLE      "FETCH: SAMPLE R0 = R0.xyx CONST(0)\n"
#define SETP        "ALU: PRED_SETEs R0.____ = R0\n"
#define MOVA        "ALU: MOVAs R0.____ = R0\n"
#define NOTHING     "ALU: MAXv R0.____ = R0, R0\n"
#define MEMORY      "ALLOC MEMORY SIZE(0)\nEXEC\n"
#define ADDRESS     "ALU: MULADDv export32 = C3, C1, R0\n"
#define DATA        "ALU: MAXv export33 = R0, R0\n"
#define FOUR(text)  text text text text
/* A loop that lanes may leave at different times. */
#define BREAK(text, condition)                                                        \
    "EXEC\nALU: MAXv R1 = C0, C0\nLOOP_START ADDR(end) LOOP_ID(0)\nbody: EXEC\n" text \
    "LOOP_END ADDR(body) LOOP_ID(0) PRED_BREAK COND(" condition ")\nend: " COLOUR

/* clang-format off */
static const struct rule_case {
    enum check_rule rule;
    int at, other; /* in the bad program: lines of the finding and of its other place */
    const char *bad, *good;
} cases[] = {
    /* --- exports --- */
    {CHECK_A2XX_EXPORT_UNALLOCATED, 3, NOWHERE, SHOWN, SHOWN},
    /* On one path, a jump skips the ALLOC. */
    {CHECK_A2XX_EXPORT_UNALLOCATED, 6, 4,
     FETCH "COND_JMP ADDR(over) COND(1) BOOL_ADDR(0)\n" COORD "over: EXEC\n" SHOW LAST,
     FETCH COORD "COND_JMP ADDR(over) COND(1) BOOL_ADDR(0)\nNOP\nover: EXEC\n" SHOW LAST},
    {CHECK_A2XX_EXPORT_UNALLOCATED, 5, 3,
     FETCH "ALLOC PARAM/PIXEL SIZE(0)\nEXEC\n" SHOW COORD "EXEC_END\n",
     VERTEX LAST PASS},
    {CHECK_A2XX_EXPORT_COUNT, 9, 6, SHOWN, SHOWN},
    /* Two stores to different components of one register count as one export. */
    {CHECK_A2XX_EXPORT_COUNT, 6, 3,
     VERTEX "ALU: MAXv export63.x___ = R1, R1\n" LAST,
     FETCH COORD "EXEC\nALU: MAXv export62.xy__ = R1, R1\nALU: MAXv export62.__zw = R1, R1\n" LAST},
    {CHECK_A2XX_EXPORT_UNUSED, 6, NOWHERE,
     VERTEX "ALLOC PARAM/PIXEL SIZE(1)\nEXEC_END\n" PASS,
     VERTEX LAST},
    {CHECK_A2XX_EXPORT_ORDER, 8, 5, SHOWN, SHOWN},
    /* Reserving the position after the parameters breaks the rule if a parameter is exported.
     * Otherwise it is correct, and Mesa does so. */
    {CHECK_A2XX_EXPORT_ORDER, 4, 3,
     FETCH "ALLOC PARAM/PIXEL SIZE(0)\n" COORD "EXEC_END\n" SHOW PASS,
     "ALLOC PARAM/PIXEL SIZE(0)\n" FETCH COORD "EXEC_END\n" SHOW},
    {CHECK_A2XX_EXPORT_NUMBER, 8, NOWHERE,
     VERTEX LAST "ALU: MAXv export16 = R1, R1\n",
     VERTEX LAST "ALU: MAXv export15 = R1, R1\n"},
    {CHECK_A2XX_EXPORT_NUMBER, 3, NOWHERE,
     "ALLOC PARAM/PIXEL SIZE(0)\nEXEC_END\nALU: MAXv export4 = R0, R0\n",
     "ALLOC PARAM/PIXEL SIZE(0)\nEXEC_END\nALU: MAXv export3 = R0, R0\n"},
    {CHECK_A2XX_EXPORT_ONE, 3, NOWHERE, SHOWN, SHOWN},
    {CHECK_A2XX_POSITION_MISSING, 5, NOWHERE, SHOWN, SHOWN},
    {CHECK_A2XX_POSITION_MISSING, 4, NOWHERE,
     FETCH LAST,
     VERTEX LAST},
    {CHECK_A2XX_POSITION_MISSING, 3, NOWHERE,
     "; tessera: kind vertex\n" LAST PASS,
     "; tessera: kind vertex\n" COORD LAST "ALU: MAXv export62 = R0, R0\n"},
    {CHECK_A2XX_COLOUR_MISSING, 2, NOWHERE, SHOWN, SHOWN},
    {CHECK_A2XX_VARYING_UNDECLARED, 9, NOWHERE, SHOWN, SHOWN},
    {CHECK_A2XX_VARYING_UNWRITTEN, 2, NOWHERE, SHOWN, SHOWN},

    /* --- memory exports --- */
    {CHECK_A2XX_MEMORY_ADDRESS, 3, NOWHERE, SHOWN, SHOWN},
    {CHECK_A2XX_MEMORY_MULADD, 3, NOWHERE, SHOWN, SHOWN},
    {CHECK_A2XX_MEMORY_INTERRUPTED, 4, 3, SHOWN, SHOWN},
    {CHECK_A2XX_EXPORT_UNALLOCATED, 5, 1,
     MEMORY ADDRESS DATA ADDRESS DATA COLOUR,
     MEMORY ADDRESS DATA MEMORY ADDRESS DATA COLOUR},

    /* --- serialisation --- */
    {CHECK_A2XX_FETCH_RESULT, 8, 7,
     FETCH COORD "EXEC\n" SHOW "EXEC\n" GET "ALU: ADDv R2 = R1, R1\n" LAST,
     FETCH COORD "EXEC\n" SHOW "EXEC\n" GET "(S)ALU: ADDv R2 = R1, R1\n" LAST},
    {CHECK_A2XX_FETCH_RESULT, 3, 2,
     PIXEL(SAMPLE "ALU: MULv R0 = R0, R0\n"),
     PIXEL(SAMPLE "(S)ALU: MULv R0 = R0, R0\n")},
    /* The next clause does not wait for the fetch. A finding is reported even if only one of two
     * paths lacks the wait. */
    {CHECK_A2XX_FETCH_RESULT, 4, 2,
     "COND_EXEC BOOL_ADDR(1) COND(1)\n" SAMPLE "EXEC\nALU: MULv R0 = R0, R0\n" COLOUR,
     "COND_EXEC BOOL_ADDR(1) COND(1)\n" SAMPLE "EXEC\n(S)ALU: MULv R0 = R0, R0\n" COLOUR},
    {CHECK_A2XX_FETCH_CHAIN, 3, 2, SHOWN, SHOWN},
    {CHECK_A2XX_ALU_RESULT, 3, 2, SHOWN, SHOWN},

    /* --- control flow --- */
    {CHECK_A2XX_CLAUSE_LONG, 2, NOWHERE, SHOWN, SHOWN},
    {CHECK_A2XX_CLAUSE_EMPTY, 1, NOWHERE,
     "EXEC\n" COLOUR,
     VERTEX LAST},
    {CHECK_A2XX_CLAUSE_OVERLAP, 2, NOWHERE,
     ".layout memory\nEXEC ADDR(0) CNT(1)\nALLOC PARAM/PIXEL SIZE(0)\nEXEC_END ADDR(2) CNT(1)\n"
     "NOP\nALU: MAXv export0 = R0, R0\n",
     ".layout memory\nEXEC ADDR(2) CNT(1)\nALLOC PARAM/PIXEL SIZE(0)\nEXEC_END ADDR(2) CNT(1)\n"
     "NOP\nALU: MAXv export0 = R0, R0\n"},
    /* The program does not end before the clause, so control flow reaches the words of the
     * clause. */
    {CHECK_A2XX_CLAUSE_OVERLAP, 2, NOWHERE, SHOWN, SHOWN},
    {CHECK_A2XX_CLAUSE_OUTSIDE, 3, NOWHERE, SHOWN, SHOWN},
    {CHECK_A2XX_SLOT_UNUSED, 5, NOWHERE, SHOWN, SHOWN},
    {CHECK_A2XX_SEQUENCE_BEYOND, 3, NOWHERE, SHOWN, SHOWN},
    /* The example words of docs/hardware/a2xx.md, section 19, with an inverted sequence bit. */
    {CHECK_A2XX_SEQUENCE_KIND, 5, NOWHERE,
     ".layout memory\nEXEC ADDR(2) CNT(1) SEQ(0)\nALLOC PARAM/PIXEL SIZE(0)\n"
     "EXEC_END ADDR(3) CNT(1)\n"
     "ALU: 0x0d481000, 0x00393e88, 0x0000000c\nALU: 0x140f8000, 0, 0xe2000000\n",
     ".layout memory\nEXEC ADDR(2) CNT(1) SEQ(1)\nALLOC PARAM/PIXEL SIZE(0)\n"
     "EXEC_END ADDR(3) CNT(1)\n"
     "FETCH: 0x0d481000, 0x00393e88, 0x0000000c\nALU: 0x140f8000, 0, 0xe2000000\n"},
    {CHECK_A2XX_SEQUENCE_KIND, 5, NOWHERE, SHOWN, SHOWN},
    {CHECK_A2XX_NO_END, 2, NOWHERE, SHOWN, SHOWN},
    {CHECK_A2XX_NO_END, 4, NOWHERE,
     "COND_JMP ADDR(over) BOOL_ADDR(0) COND(1)\nALLOC PARAM/PIXEL SIZE(0)\nEXEC_END\nover: EXEC\n"
     NOTHING,
     "COND_JMP ADDR(over) BOOL_ADDR(0) COND(1)\nNOP\nover: ALLOC PARAM/PIXEL SIZE(0)\nEXEC_END\n"
     "ALU: MAXv export0 = R0, R0\n"},
    {CHECK_A2XX_END_CONDITIONAL, 2, NOWHERE, SHOWN, SHOWN},
    {CHECK_A2XX_UNREACHABLE, 4, NOWHERE, SHOWN, SHOWN},
    {CHECK_A2XX_ENDLESS, 2, NOWHERE, SHOWN, SHOWN},
    {CHECK_A2XX_TARGET_OUTSIDE, 1, NOWHERE, SHOWN, SHOWN},
    {CHECK_A2XX_JUMP_DIRECTION, 1, 4, SHOWN, SHOWN},
    {CHECK_A2XX_CF_RESERVED, 1, NOWHERE, SHOWN, SHOWN},
    {CHECK_A2XX_LOOP_DEPTH, 5, 1,
     FOUR("LOOP_START ADDR(end) LOOP_ID(0)\n") "LOOP_START ADDR(end) LOOP_ID(0)\nend: " COLOUR,
     "LOOP_START ADDR(end) LOOP_ID(0)\nbody: EXEC\n" NOTHING "LOOP_END ADDR(body) LOOP_ID(0)\nend: "
     COLOUR},
    {CHECK_A2XX_LOOP_ID, 5, 1, SHOWN, SHOWN},
    /* In the first correct program, the counter's change is predicated. In the second, all lanes
     * leave the loop together. In the third, every iteration computes the same value. */
    {CHECK_A2XX_DIVERGENT, 8, NOWHERE, SHOWN, SHOWN},
    {CHECK_A2XX_DIVERGENT, 8, NOWHERE,
     BREAK("ALU: ADDv R1 = R1, C0\nALU: SUBs R2.x___ = R0\nALU: PRED_SETGTs R2.x___ = R2\n", "0"),
     BREAK("ALU: MAXv R1 = C0, C0\nALU: SUBs R2.x___ = R1\nALU: PRED_SETGTs R2.x___ = R2\n", "0")},
    {CHECK_A2XX_DIVERGENT, 7, NOWHERE,
     BREAK("ALU: ADDv R0 = R0, C0\nALU: PRED_SETGTs R2.x___ = R0\n", "1"),
     BREAK("ALU: ADDv R1 = R0, C0\nALU: PRED_SETGTs R2.x___ = R0\n", "1")},
    {CHECK_A2XX_LOOP_END, 4, NOWHERE, SHOWN, SHOWN},
    {CHECK_A2XX_LOOP_LEFT, 8, NOWHERE, SHOWN, SHOWN},
    {CHECK_A2XX_CALL_DEPTH, 1, 1,
     "sub: COND_CALL ADDR(sub) BOOL_ADDR(0) COND(1)\n" COLOUR,
     "COND_CALL ADDR(sub) FORCE_CALL\n" COLOUR "sub: EXEC\n" NOTHING "RETURN\n"},
    {CHECK_A2XX_RETURN_OUTSIDE, 1, NOWHERE, SHOWN, SHOWN},
    {CHECK_A2XX_TOO_LONG, 3, NOWHERE, SHOWN, SHOWN},
    {CHECK_A2XX_DATA_INSIDE, 4, NOWHERE, SHOWN, SHOWN},

    /* --- co-issue --- */
    {CHECK_A2XX_COISSUE_THIRD, 3, NOWHERE, SHOWN, SHOWN},
    {CHECK_A2XX_COISSUE_THIRD, 2, NOWHERE, /* MULADDv with MUL_CONST_0 and a scalar mask */
     "EXEC\nALU: 0xa81f0201, 0, 0xeb000000\n" COLOUR,
     "EXEC\nALU: 0xa81f0201, 0, 0xe1000000\n" COLOUR},
    {CHECK_A2XX_COISSUE_OPERANDS, 2, NOWHERE, SHOWN, SHOWN},
    {CHECK_A2XX_COISSUE_PREDICATE, 4, NOWHERE, SHOWN, SHOWN},
    {CHECK_A2XX_COISSUE_EXPORT, 4, NOWHERE, SHOWN, SHOWN},
    {CHECK_A2XX_COISSUE_EXPORT, 3, NOWHERE,
     "ALLOC PARAM/PIXEL SIZE(1)\nEXEC_END\nALU: MAXv export0.xyz_ = R0, R0\n"
     "RECIP_IEEE export1.___w = R0\n",
     "ALLOC PARAM/PIXEL SIZE(1)\nEXEC_END\nALU: MAXv export0.xyz_ = R0, R0\n"
     "ALU: RECIP_IEEE export1.___w = R0\n"},
    {CHECK_A2XX_COISSUE_WRITE, 2, NOWHERE, SHOWN, SHOWN},
    /* The scalar half copies a vector. A splat or a copy of a single component is correct. */
    {CHECK_A2XX_SCALAR_SPREAD, 6, NOWHERE, SHOWN, SHOWN},
    {CHECK_A2XX_SCALAR_SPREAD, 2, NOWHERE,
     PIXEL("ALU: MULs R1.xyz_ = R0\n"),
     PIXEL("ALU: MULs R1.x___ = R0\n")},
    {CHECK_A2XX_COISSUE_EFFECTS, 2, NOWHERE, SHOWN, SHOWN},

    /* --- ALU instructions --- */
    {CHECK_A2XX_VECTOR_OPERATION, 2, NOWHERE,
     "EXEC\nALU: 0x140f0001, 0, 0xfe000000\n" COLOUR,
     "EXEC\nALU: 0x140f0001, 0, 0xfd000000\n" COLOUR},
    {CHECK_A2XX_SCALAR_OPERATION, 2, NOWHERE, SHOWN, SHOWN},
    {CHECK_A2XX_REGISTER_UNWRITTEN, 3, NOWHERE, SHOWN, SHOWN},
    {CHECK_A2XX_REGISTER_UNWRITTEN, 3, NOWHERE,
     "@varying(R0) colour\nEXEC\nALU: ADDv R0 = R0, R1\n" COLOUR,
     "@varying(R0-R1) colours\nEXEC\nALU: ADDv R0 = R0, R1\n" COLOUR},
    {CHECK_A2XX_COMPONENT_UNWRITTEN, 5, NOWHERE, SHOWN, SHOWN},
    {CHECK_A2XX_REGISTER_RANGE, 3, NOWHERE, SHOWN, SHOWN},
    {CHECK_A2XX_REGISTER_RANGE, 2, NOWHERE, /* the assembler reports this program */
     PIXEL("ALU: ADDv R64 = R0, R0\n"),
     PIXEL("ALU: ADDv R63 = R0, R0\n")},
    {CHECK_A2XX_REGISTER_A0, 4, 3, SHOWN, SHOWN},
    {CHECK_A2XX_CONSTANT_RANGE, 2, NOWHERE, SHOWN, SHOWN},
    {CHECK_A2XX_CONSTANT_RANGE, 3, NOWHERE,
     FETCH "(S)ALU: ADDv R1 = R1, C256\n" POSITION LAST,
     FETCH "(S)ALU: ADDv R1 = R1, C255\n" POSITION LAST},
    {CHECK_A2XX_CONSTANT_UNDECLARED, 3, NOWHERE, SHOWN, SHOWN},
    {CHECK_A2XX_CONSTANT_ABS, 3, NOWHERE, SHOWN, SHOWN},
    {CHECK_A2XX_CONSTANT_RELATIVE, 3, NOWHERE, SHOWN, SHOWN},
    {CHECK_A2XX_RELATIVE_UNUSED, 2, NOWHERE, SHOWN, SHOWN},
    {CHECK_A2XX_A0_SAME, 2, NOWHERE,
     PIXEL("ALU: ADDv R0 = R0, C[a0+1]\nMOVAs R1.____ = R0\n"),
     PIXEL(MOVA "ALU: ADDv R0 = R0, C[a0+1]\n")},
    {CHECK_A2XX_A0_LOST, 3, 2, SHOWN, SHOWN},
    {CHECK_A2XX_A0_LOST, 6, 2,
     PIXEL(MOVA) "ALU: ADDv R0 = R0, C[a0+1]\n",
     PIXEL(MOVA "ALU: ADDv R0 = R0, C[a0+1]\n")},
    {CHECK_A2XX_A0_UNSET, 2, NOWHERE, SHOWN, SHOWN},
    {CHECK_A2XX_AL_OUTSIDE, 2, NOWHERE, SHOWN, SHOWN},
    {CHECK_A2XX_PS_UNSET, 2, NOWHERE, SHOWN, SHOWN},
    {CHECK_A2XX_PS_IDLE, 4, NOWHERE, SHOWN, SHOWN},

    /* --- predicate --- */
    {CHECK_A2XX_PREDICATE_UNSET, 2, NOWHERE, SHOWN, SHOWN},
    {CHECK_A2XX_PREDICATE_UNSET, 1, NOWHERE,
     "COND_PRED_EXEC COND(1)\nALU: ADDvEQ R0 = R0, R0\n" COLOUR,
     "EXEC\n" SETP "COND_PRED_EXEC COND(1)\nALU: ADDvEQ R0 = R0, R0\n" COLOUR},
    {CHECK_A2XX_PREDICATE_MISSING, 4, 3, SHOWN, SHOWN},
    {CHECK_A2XX_PREDICATE_CONTRARY, 4, 3, SHOWN, SHOWN},

    /* --- stages --- */
    {CHECK_A2XX_KILL_VERTEX, 6, NOWHERE, SHOWN, SHOWN},
    {CHECK_A2XX_LOD_VERTEX, 3, NOWHERE, SHOWN, SHOWN},
    {CHECK_A2XX_SAMPLE_DIVERGENT, 5, NOWHERE, SHOWN, SHOWN},

    /* --- fetches --- */
    {CHECK_A2XX_FETCH_OPERATION, 2, NOWHERE,
     "EXEC\nFETCH: 0x10000002, 0x1ffff688, 0x00000002\n" COLOUR,
     "EXEC\nFETCH: 0x10000001, 0x1ffff688, 0x00000002\n" COLOUR},
    {CHECK_A2XX_FETCH_MUST_BE_ONE, 2, NOWHERE, SHOWN, SHOWN},
    {CHECK_A2XX_FETCH_SELECT, 2, NOWHERE, SHOWN, SHOWN},
    {CHECK_A2XX_FETCH_STRIDE, 2, NOWHERE, SHOWN, SHOWN},
    /* On the Xenos, strides and offsets are in dwords. */
    {CHECK_A2XX_FETCH_STRIDE, 2, NOWHERE,
     "EXEC\nFETCH: VERTEX R1 = R0.x FMT_8_8_8_8 SIGNED STRIDE(8) OFFSET(2) CONST(20, 0)\n"
     POSITION LAST,
     "EXEC\nFETCH: VERTEX R1 = R0.x FMT_8_8_8_8 SIGNED STRIDE(8) OFFSET(4) CONST(20, 0)\n"
     POSITION LAST},
    /* A fetch was copied with its constant, so the colours overlap the positions. Two attributes
     * that share a buffer are correct. */
    {CHECK_A2XX_FETCH_OVERLAP, 5, 4, SHOWN, SHOWN},
    {CHECK_A2XX_ATTRIBUTE_UNREAD, 4, NOWHERE,
     "@attribute(R1) position\n@attribute(R2) colour\n" VERTEX LAST,
     "@attribute(R1) position\n" VERTEX LAST},
    {CHECK_A2XX_ATTRIBUTE_USE, 4, NOWHERE,
     "@attribute(R1) colour\n@attribute(R2) position\n" VERTEX LAST,
     "@attribute(R1) position\n" VERTEX LAST},
    {CHECK_A2XX_ATTRIBUTE_USE, 5, 4,
     "@attribute(R1) position\n@attribute(R2) normal\nEXEC\n" GET
     "FETCH: VERTEX R2 = R0.x FMT_32_32_32_FLOAT SIGNED STRIDE(12) CONST(20, 1)\n"
     "(S)ALU: MAXv R3 = R1, R1\nALLOC COORD SIZE(0)\nEXEC\nALU: MAXv export62 = R2, R2\n" LAST,
     "@attribute(R1) position\n@attribute(R2) normal\nEXEC\n" GET
     "FETCH: VERTEX R2 = R0.x FMT_32_32_32_FLOAT SIGNED STRIDE(12) CONST(20, 1)\n"
     "(S)ALU: MAXv R3 = R2, R2\nALLOC COORD SIZE(0)\nEXEC\nALU: MAXv export62 = R1, R1\n" LAST},
    {CHECK_A2XX_FETCH_OFFSET, 2, NOWHERE, SHOWN, SHOWN},
    {CHECK_A2XX_FETCH_FORMAT, 2, NOWHERE, SHOWN, SHOWN},
    {CHECK_A2XX_FETCH_SWIZZLE, 2, NOWHERE,
     "EXEC\nFETCH: 0x10000001, 0x1fffffae, 0x00000002\n" COLOUR,
     "EXEC\nFETCH: 0x10000001, 0x1ffff688, 0x00000002\n" COLOUR},
    {CHECK_A2XX_FETCH_SHARED, 3, 2, SHOWN, SHOWN},
    {CHECK_A2XX_FETCH_MINI, 3, NOWHERE, SHOWN, SHOWN},
    {CHECK_A2XX_FETCH_DONE, 3, NOWHERE, SHOWN, SHOWN},
    {CHECK_A2XX_FETCH_RESERVED, 2, NOWHERE,
     "EXEC\nFETCH: 0x10000001, 0x1ffff688, 0x00000202\n" COLOUR,
     "EXEC\nFETCH: 0x10000001, 0x1ffff688, 0x00000002\n" COLOUR},
    {CHECK_A2XX_SAMPLER_UNDECLARED, 3, NOWHERE, SHOWN, SHOWN},
};
/* clang-format on */

/* Findings of one rule in one run of the checker. */
struct seen {
    const char *id, *program;
    int at;
    unsigned count;
    struct tess_check_details details;
    char text[400];
};

static void see(void *user, const struct tess_finding *finding)
{
    struct seen *seen = user;
    if (strcmp(finding->id, seen->id) != 0)
        return;
    seen->count++;
    if (seen->count > 1 && finding->line != (uint32_t)seen->at)
        return;
    seen->details = *finding->check;
    snprintf(seen->text, sizeof seen->text, "%s", finding->text);
}

/* Receives diagnostics of the rules that the assembler checks. Programs that break such a rule
 * assemble to no words. */
static void say(void *user, const struct tess_finding *diag)
{
    struct seen *seen = user;
    if (diag->id && strcmp(diag->id, seen->id) == 0) {
        seen->count++;
        seen->details.place.line = diag->line;
        snprintf(seen->text, sizeof seen->text, "%s", diag->text);
        return;
    }
    if (diag->level == TESS_ERROR)
        print_error("%s:%u: %s in:\n%s\n", diag->file ? diag->file : "", diag->line, diag->text,
                    seen->program);
}

static struct seen check_variant(const char *text, const struct rule_case *c,
                                 enum tess_a2xx_variant variant)
{
    const struct tess_check_options options = {.machine = TESS_MACHINE_A2XX, .variant = variant};
    struct seen seen = {.id = check_rule(c->rule)->id, .program = text, .at = c->at};
    enum tess_status status = tess_check_bytes(text, strlen(text), "test", &options,
                                               (struct tess_sink){say, &seen},
                                               (struct tess_sink){see, &seen});
    assert_true(status == TESS_OK || status == TESS_WRONG);
    return seen;
}

static struct seen check(const char *text, const struct rule_case *c)
{
    return check_variant(text, c,
                         c->rule == CHECK_A2XX_FETCH_MINI ? TESS_A2XX_XENOS : TESS_A2XX_ADRENO);
}

/* Microsoft's compiler always reserves one parameter (docs/a2xx/mesa.md), so a reserved
 * parameter without an export causes no finding. */
TEST(test_parameters_of_the_xenos)
{
    const struct rule_case one = {.rule = CHECK_A2XX_EXPORT_COUNT}, *c = &one;
    const char *two = VERTEX LAST PASS "ALU: MAXv export1 = R1, R1\n";
    const char *three = VERTEX "ALLOC PARAM/PIXEL SIZE(1)\nEXEC_END\n" PASS
                               "ALU: MAXv export1 = R1, R1\nALU: MAXv export2 = R1, R1\n";
    assert_int_equal(check_variant(two, c, TESS_A2XX_ADRENO).count, 1);
    assert_int_equal(check_variant(two, c, TESS_A2XX_XENOS).count, 0);
    assert_int_equal(check_variant(three, c, TESS_A2XX_XENOS).count, 1);
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
        bool here = bad.count > 0 && finding->place.line == (uint32_t)c->at;
        bool other = finding->has_other ? finding->other.line == (uint32_t)c->other
                                        : c->other == NOWHERE;
        if (here && other && good.count == 0)
            continue;
        print_error("%s (case %zu): found %u at line %u, other %u: %s; in the good program %u: "
                    "%s\n%s\n",
                    bad.id, i, bad.count, finding->place.line, finding->other.line, bad.text,
                    good.count, good.text, bad.program);
        failed++;
    }
    assert_int_equal(failed, 0);
}

TEST(test_each_rule_has_a_case)
{
    bool has[CHECK_RULES] = {false};
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++)
        has[cases[i].rule] = true;
    for (unsigned rule = 0; rule < CHECK_RULES; rule++)
        if (!has[rule] && check_rule(rule)->machines == 1u << TESS_MACHINE_A2XX)
            fail_msg("%s has no case", check_rule((enum check_rule)rule)->id);
}
