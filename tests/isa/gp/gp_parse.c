/* SPDX-License-Identifier: MIT */
/* gp_parse.c - tests the assembly of GP programs: slots to words, words to slots, directives, and
 * errors.
 *
 * Expected words have two sources: docs/hardware/utgard.md, section 13, whose words were decoded
 * back with Mesa's printer, and words built by hand from the field table of Utgard-GP.md
 * (github.com/cwabbott0/mali-isa-docs). Errors follow docs/isa/gp.md. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <tessera/isa.h>

#include "../../random.h"
#include "../../register.h"
#include "base/bits.h"
#include "isa/gp/parse.h"
#include "isa/gp/print.h"

#define COUNT(table) (sizeof(table) / sizeof(table)[0])

#ifdef __SANITIZE_ADDRESS__
enum { RANDOM_WORDS = 100000, PAIRS = 1 };
#else
enum { RANDOM_WORDS = 500000, PAIRS = 128 };
#endif

/* --- words --- */

/* The example words of docs/hardware/utgard.md, section 13. */
static const struct {
    const char *text;
    uint32_t words[GP_WORDS];
} vectors[] = {
    {"load.attr 0; mul0.mov attr.z; mul1.mov attr.w; acc0.mov attr.x; acc1.mov attr.y; "
     "store0.varying 0, acc0, acc1; "
     "store1.varying 0, mul0, mul1",
     {0xb00b0ec2, 0x43802ac1, 0x40034400, 0x000ad508}},
    {"nop", {0xad4ad6b5, 0x038002b5, 0x0007ff80, 0x000ad500}},
    {"load.attr 1; load.unif 5; mul0.mul unif.x, attr.y",
     {0xad4ad42c, 0x478142b5, 0x0007ff80, 0x000ad500}},
    {"load.unif 5; acc0.add mul0[-1], unif.z; store0.reg 3, acc0, _",
     {0x748ad6b5, 0x038142b5, 0x0c07fc00, 0x000ad500}},
    {"load.reg1 2; mul0.complex2 reg1.x, reg1.x; mul1.mov reg1.x; complex.rcp reg1.x",
     {0xad4b1084, 0x038002b5, 0x0147ff81, 0x000a9130}},
    {"mul0.complex1 complex[-1], mul0[-1], complex[-1], mul1[-1]",
     {0xad49da56, 0x038002b5, 0x0007ff80, 0x000ad510}},
    {"acc0.mov mul0[-2]; store0.varying 1, acc0, _",
     {0xb68ad6b5, 0x03800ab5, 0x4407fc00, 0x000ad500}},
    {"load.unif 0; pass.mov unif.x; branch 3", {0xad4ad6b5, 0x038002b5, 0x0007ffe0, 0x03d65500}},
    {"load.reg0 1; load.reg1 2; load.unif 7; mul0.select reg1.x, unif.x, reg0.x",
     {0xad4ab080, 0x0781c2b5, 0x0007ff81, 0x000ad540}},
    {"load.unif 9; pass.clamp pass[-1]; store0.varying 2, pass, _",
     {0xad4ad6b5, 0x038242b5, 0x4807fe00, 0x000a5700}},
    {"complex.addr1 pass[-1]", {0xad4ad6b5, 0x038002b5, 0x0347ff80, 0x000ad100}},
};

static void parse(const char *text, uint32_t words[GP_WORDS])
{
    struct asm_error error = {0};
    if (gp_parse(text, strlen(text), NULL, words, &error) != GP_PARSE_OK)
        fail_msg("%s: %s at %zu", text, error.text, error.offset);
}

TEST(test_vectors)
{
    for (size_t i = 0; i < COUNT(vectors); i++) {
        uint32_t words[GP_WORDS];
        char text[GP_LINE_MAX];
        parse(vectors[i].text, words);
        assert_memory_equal(words, vectors[i].words, sizeof words);
        gp_print_line(text, sizeof text, words, NULL);
        assert_string_equal(text, vectors[i].text);
    }
}

/* Slots and the fields that they set, from Utgard-GP.md. All other fields are those of an idle
 * instruction. */
#define F(name, value)             \
    {                              \
        GP_FIELD_##name + 1, value \
    }
static const struct {
    const char *text;
    struct {
        unsigned next, value; /* next: field number + 1, or 0 at the end */
    } fields[8];
} slots[] = {
    /* clang-format off */
    /* clang-format off */
    {"load.attr 15",                    {F(register0_attribute, 1), F(register0_addr, 15)}},
    {"load.reg0 15",                    {F(register0_addr, 15)}},
    {"load.reg1 9",                     {F(register1_addr, 9)}},
    {"load.unif 511",                   {F(load_addr, 511)}},
    {"load.temp 3",                     {F(load_addr, 3)}},
    {"load.unif 2 + 3 * 4, addr1",      {F(load_addr, 14), F(load_offset, 1)}},
    {"load.temp 0 , addr2",             {F(load_offset, 2)}},
    {"load.temp 1,addr3",               {F(load_addr, 1), F(load_offset, 3)}},
    {"mul0.mul attr.x, -reg1.w",        {F(mul0_src0, 0), F(mul0_src1, 7), F(mul0_neg, 1)}},
    {"mul0.mul -reg0.y, -unif.z",       {F(mul0_src0, 1), F(mul0_src1, 14)}},
    {"mul1.mul -temp.w, ident",         {F(mul1_src0, 15), F(mul1_src1, 22), F(mul1_neg, 1)}},
    {"mul1.mov -complex[-1]",           {F(mul1_src0, 22), F(mul1_src1, 22), F(mul1_neg, 1)}},
    {"mul0.mov acc0[-1]",               {F(mul0_src0, 16), F(mul0_src1, 22)}},
    {"mul0.mul acc1[-1], mul0[-1]",     {F(mul0_src0, 17), F(mul0_src1, 18)}},
    {"mul0.mul mul1[-1], pass[-1]",     {F(mul0_src0, 19), F(mul0_src1, 20)}},
    {"mul0.mul unused, pass[-2]",       {F(mul0_src0, 21), F(mul0_src1, 23)}},
    {"mul0.mul acc0[-2], acc1[-2]",     {F(mul0_src0, 24), F(mul0_src1, 25)}},
    {"mul0.mul mul0[-2], mul1[-2]",     {F(mul0_src0, 26), F(mul0_src1, 27)}},
    {"mul0.mul attr[-1].x, reg0[-1].y", {F(mul0_src0, 28), F(mul0_src1, 29)}},
    {"mul0.mul attr[ - 1 ].z, attr [-1].w", {F(mul0_src0, 30), F(mul0_src1, 31)}},
    {"mul0.mul src(8), src(9 + 2)",     {F(mul0_src0, 8), F(mul0_src1, 11)}},
    {"mul0.complex2 attr.x, attr.x; mul1.mul unif.x, unif.y",
     {F(mul0_src0, 0), F(mul0_src1, 0), F(mul_op, 3), F(mul1_src0, 12), F(mul1_src1, 13)}},
    {"mul0.select acc0[-1], complex[-1], complex[-1]",
     {F(mul_op, 4), F(mul0_src1, 16), F(mul1_src0, 22), F(mul0_src0, 22)}},
    {"acc0.add -attr.x, -reg1.x",
     {F(acc0_src0, 0), F(acc0_src1, 4), F(acc0_src0_neg, 1), F(acc0_src1_neg, 1)}},
    {"acc1.mov attr.y",                 {F(acc1_src0, 1), F(acc1_src1, 22), F(acc1_src1_neg, 1)}},
    {"acc1.add attr.y, ident",          {F(acc1_src0, 1), F(acc1_src1, 22)}},
    {"acc0.floor -attr.x",
     {F(acc0_src0, 0), F(acc0_src1, 0), F(acc0_src0_neg, 1), F(acc_op, 1)}},
    {"acc1.sign attr.x",                {F(acc1_src0, 0), F(acc1_src1, 0), F(acc_op, 2)}},
    {"acc0.ge unif.x, unif.y; acc1.ge unif.y, unif.x",
     {F(acc0_src0, 12), F(acc0_src1, 13), F(acc1_src0, 13), F(acc1_src1, 12), F(acc_op, 4)}},
    {"acc0.lt unif.x, ident",           {F(acc0_src0, 12), F(acc0_src1, 22), F(acc_op, 5)}},
    {"acc0.min unif.x, unif.y",         {F(acc0_src0, 12), F(acc0_src1, 13), F(acc_op, 6)}},
    {"acc1.max unif.x, -unif.x",
     {F(acc1_src0, 12), F(acc1_src1, 12), F(acc1_src1_neg, 1), F(acc_op, 7)}},
    {"complex.exp2 pass[-1]",           {F(complex_op, 2), F(complex_src, 20)}},
    {"complex.log2 attr.x",             {F(complex_op, 3), F(complex_src, 0)}},
    {"complex.rsqrt attr.x",            {F(complex_op, 4), F(complex_src, 0)}},
    {"complex.rcp attr.x",              {F(complex_op, 5), F(complex_src, 0)}},
    {"complex.mov complex[-1]",         {F(complex_op, 9), F(complex_src, 22)}},
    {"complex.addr01; pass.mov attr.x", {F(complex_op, 10), F(pass_src, 0)}},
    {"complex.addr0 attr.x",            {F(complex_op, 12), F(complex_src, 0)}},
    {"complex.addr2 attr.x",            {F(complex_op, 14), F(complex_src, 0)}},
    {"complex.addr3 attr.x",            {F(complex_op, 15), F(complex_src, 0)}},
    {"pass.mov complex[-1]",            {F(pass_src, 22)}},
    {"pass.preexp2 attr.x",             {F(pass_op, 4), F(pass_src, 0)}},
    {"pass.postlog2 mul0[-2]",          {F(pass_op, 5), F(pass_src, 26)}},
    {"store0.varying 3, mul0, complex",
     {F(store0_varying, 1), F(store0_addr, 3), F(store0_src_x, 2), F(store0_src_y, 6)}},
    {"store1.reg 4, mul1, src(5)",
     {F(store1_addr, 4), F(store1_src_z, 3), F(store1_src_w, 5)}},
    {"store0.temp acc0, acc1; store1.temp _, pass", {F(store0_temporary, 1), F(store1_temporary, 1),
      F(store0_src_x, 0), F(store0_src_y, 1), F(store1_src_w, 4), F(unknown_1, 12)}},
    {"branch 259",                      {F(branch, 1), F(branch_target, 3), F(unknown_1, 13)}},
    {"branch 511",                      {F(branch, 1), F(branch_target, 255), F(unknown_1, 13)}},
    {"branch 0",                        {F(branch, 1), F(branch_target_lo, 1), F(unknown_1, 13)}},
    /* field.* slots are applied after all other slots, in any position. */
    {"field.load_addr 7; load.unif 5",  {F(load_addr, 7)}},
    {"mul0.mul attr.x, attr.y; field.mul_op 7", {F(mul0_src0, 0), F(mul0_src1, 1), F(mul_op, 7)}},
    {"nop; field.unknown_1 0xf",        {F(unknown_1, 15)}},
    {"; ;mul0.mov attr.x;;",            {F(mul0_src0, 0), F(mul0_src1, 22)}},
    /* clang-format on */
    /* clang-format on */
};

TEST(test_slots)
{
    for (size_t i = 0; i < COUNT(slots); i++) {
        uint32_t words[GP_WORDS], expected[GP_WORDS];
        struct gp_insn insn = gp_nop();
        for (size_t k = 0; slots[i].fields[k].next > 0; k++)
            gp_field_set(&insn, slots[i].fields[k].next - 1, slots[i].fields[k].value);
        gp_encode(&insn, expected);
        parse(slots[i].text, words);
        if (memcmp(words, expected, sizeof words) != 0)
            fail_msg("%s", slots[i].text);
    }
}

/* --- words to text and back --- */

static void check_round_trip(const uint32_t words[GP_WORDS])
{
    static const struct gp_surroundings none = {0};
    uint32_t again[GP_WORDS];
    char text[GP_LINE_MAX];
    size_t length = gp_print_line(text, sizeof text, words, &none);
    assert_true(length < sizeof text);
    parse(text, again);
    if (memcmp(words, again, sizeof again) != 0)
        fail_msg("%08x %08x %08x %08x: %s", words[0], words[1], words[2], words[3], text);
}

TEST(test_random_words)
{
    uint64_t random = 1;
    for (unsigned i = 0; i < RANDOM_WORDS; i++) {
        uint32_t words[GP_WORDS];
        for (unsigned w = 0; w < GP_WORDS; w += 2) {
            uint64_t pair = next_random64(&random);
            memcpy(&words[w], &pair, sizeof pair);
        }
        check_round_trip(words);
    }
}

static void flip(uint32_t words[GP_WORDS], unsigned bit)
{
    words[bit / 32] ^= UINT32_C(1) << bit % 32;
}

/* Flips each single bit of the words, and then pairs of bits. */
static void check_flips(const uint32_t words[GP_WORDS], unsigned others)
{
    for (unsigned bit = 0; bit < 128; bit++) {
        uint32_t flipped[GP_WORDS];
        memcpy(flipped, words, sizeof flipped);
        flip(flipped, bit);
        check_round_trip(flipped);
        for (unsigned other = 0; other < bit && other < others; other++) {
            flip(flipped, other);
            check_round_trip(flipped);
            flip(flipped, other);
        }
    }
}

TEST(test_flipped_bits)
{
    for (size_t i = 0; i < COUNT(vectors); i++)
        check_flips(vectors[i].words, PAIRS);
    for (size_t i = 0; i < COUNT(slots); i++) {
        uint32_t words[GP_WORDS];
        parse(slots[i].text, words);
        check_round_trip(words);
        check_flips(words, 1);
    }
}

static const char *label(void *user, unsigned instruction)
{
    static char name[16];
    if (instruction == 4)
        return NULL;
    snprintf(name, sizeof name, "%s%u", (const char *)user, instruction);
    return name;
}

TEST(test_surroundings)
{
    struct gp_surroundings around = {.instructions = 5, .label = label, .user = "L"};
    uint32_t words[GP_WORDS], before[GP_WORDS];
    char text[GP_LINE_MAX];
    parse("pass.mov reg0[-1].x; branch 3", words);
    gp_print_line(text, sizeof text, words, &around);
    assert_string_equal(text, "pass.mov reg0[-1].x; branch L3");
    parse("load.attr 2", before);
    around.previous = before;
    gp_print_line(text, sizeof text, words, &around);
    assert_string_equal(text, "pass.mov attr[-1].x; branch L3");
    around.instructions = 3; /* now the branch's target is outside of the program */
    gp_print_line(text, sizeof text, words, &around);
    assert_string_equal(text, "pass.mov attr[-1].x; field.branch 1; field.branch_target_lo 1; "
                              "field.unknown_1 13; field.branch_target 3");
    parse("branch 4", words);
    around.instructions = 5;
    gp_print_line(text, sizeof text, words, &around);
    assert_string_equal(text, "branch 4");
    assert_int_equal(gp_print_line(text, 5, words, &around), 8);
    assert_string_equal(text, "bran");
    /* floor does not read the field of the second operand, so the field may have any value. */
    parse("acc0.floor acc1[-1]", words);
    gp_print_line(text, sizeof text, words, NULL);
    assert_string_equal(text, "acc0.floor acc1[-1]");
    /* The changed bits are in no named slot. */
    gp_print_line(text, sizeof text,
                  (const uint32_t[]){0xad4ad6b5, 0x038002b5, 0x0007ff80, 0x010ad500}, NULL);
    assert_string_equal(text, "field.branch_target 1");
}

/* --- errors of a line --- */

static const struct {
    const char *text, *rule;
    size_t offset;
} errors[] = {
    /* clang-format off */
    /* clang-format off */
    {"mull0.mul attr.x, attr.y",                                      "gp-slot",           0},
    {"nop2",                                                          "gp-slot",           0},
    {"load.attr 0; 7",                                                "gp-syntax",         13},
    {"mul0.add attr.x, attr.y",                                       "gp-operation",      0},
    {"mul1.complex2 attr.x, attr.x",                                  "gp-operation",      0},
    {"load.attr 0; load.uniform 3",                                   "gp-operation",      13},
    {"mul0",                                                          "gp-operation",      0},
    {"acc0.mov attr.x; acc0.mov attr.y",                              "gp-slot-twice",     17},
    {"load.attr 1; load.reg0 1",                                      "gp-slot-twice",     13},
    {"load.temp 1; load.unif 1",                                      "gp-slot-twice",     13},
    {"field.mul_op 1; field.mul_op 1",                                "gp-slot-twice",     16},
    {"mul0.select attr.x, attr.y, attr.z; mul1.mov attr.x",           "gp-wide",           36},
    {"mul1.mov attr.x; mul0.complex1 attr.x, attr.x, attr.x, attr.x", "gp-wide",           17},
    {"acc0.min attr.x, attr.y; acc1.mov attr.x",                      "gp-acc-op",         25},
    {"acc0.add attr.x, attr.y; acc1.max attr.x, attr.z",              "gp-acc-op",         25},
    {"store0.temp acc0, _; branch 1",                                 "gp-unknown-1",      21},
    {"branch 1; store1.temp acc0, _",                                 "gp-unknown-1",      10},
    {"nop; mul0.mov attr.x",                                          "gp-nop",            5},
    {"mul0.mov attr.x; nop",                                          "gp-nop",            17},
    {"mul0.mov atr.x",                                                "gp-operand",        9},
    {"mul0.mov",                                                      "gp-operand",        8},
    {"mul0.mov 1",                                                    "gp-operand",        9},
    {"mul0.mov _",                                                    "gp-operand",        9},
    {"mul0.mov - - attr.x",                                           "gp-operand",        11},
    {"mul0.mov acc0[x]",                                              "gp-operand",        13},
    {"mul0.mov acc0[-1",                                              "gp-operand",        13},
    {"mul0.mov src 3",                                                "gp-operand",        13},
    {"mul0.mov src(3",                                                "gp-operand",        14},
    {"load.unif 3, addr0",                                            "gp-operand",        13},
    {"load.unif 3, addr11",                                           "gp-operand",        13},
    {"mul0.mov acc0",                                                 "gp-operand-back",   9},
    {"mul0.mov acc0[0]",                                              "gp-operand-back",   9},
    {"mul0.mov acc0[1]",                                              "gp-operand-back",   13},
    {"mul0.mov acc0[-3]",                                             "gp-operand-back",   9},
    {"mul0.mov acc0[-99999999999999999999]",                          "gp-operand-back",   9},
    {"mul0.mov complex[-2]",                                          "gp-operand-back",   9},
    {"mul0.mov attr[-2].x",                                           "gp-operand-back",   9},
    {"mul0.mov reg1[-1].x",                                           "gp-operand-back",   9},
    {"mul0.mov unif[-1].x",                                           "gp-operand-back",   9},
    {"mul0.mov attr",                                                 "gp-component",      9},
    {"mul0.mov attr.r",                                               "gp-component",      14},
    {"mul0.mov attr.xy",                                              "gp-component",      14},
    {"mul0.mov attr.",                                                "gp-component",      14},
    {"mul0.mov acc0[-1].x",                                           "gp-component",      9},
    {"mul0.mul attr.x, complex[-1]",                                  "gp-complex-second", 17},
    {"acc0.max attr.x, -complex[-1]",                                 "gp-complex-second", 18},
    {"mul0.select complex[-1], attr.x, attr.x",                       "gp-complex-second", 12},
    {"mul0.mul ident, attr.x",                                        "gp-ident",          9},
    {"pass.mov ident",                                                "gp-ident",          9},
    {"mul0.mul attr.x",                                               "gp-operands",       0},
    {"acc0.floor attr.x, attr.y",                                     "gp-operands",       17},
    {"pass.mov attr.x, attr.y",                                       "gp-operands",       15},
    {"nop 3",                                                         "gp-syntax",         4},
    {"load.attr",                                                     "gp-operands",       0},
    {"load.attr 1, 2",                                                "gp-operands",       11},
    {"branch",                                                        "gp-operands",       0},
    {"mul0.mov attr.x acc0.mov attr.x",                               "gp-syntax",         16},
    {"mul0.mul attr.x; mul1.mov attr.x",                              "gp-operands",       0},
    {"mul0.mul attr.x attr.y",                                        "gp-syntax",         16},
    {"mul0.complex2 -attr.x, attr.x",                                 "gp-negate",         14},
    {"complex.rcp -attr.x",                                           "gp-negate",         12},
    {"pass.mov -attr.x",                                              "gp-negate",         9},
    {"store0.reg 1, -acc0, _",                                        "gp-negate",         14},
    {"load.attr 16",                                                  "gp-range",          10},
    {"load.reg0 -1",                                                  "gp-range",          10},
    {"load.reg1 1.5",                                                 "gp-range",          10},
    {"load.unif 512",                                                 "gp-range",          10},
    {"store1.varying 16, acc0, acc1",                                 "gp-range",          15},
    {"mul0.mov src(32)",                                              "gp-range",          13},
    {"store0.reg 1, src(8), _",                                       "gp-range",          18},
    {"field.mul_op 8",                                                "gp-range",          13},
    {"field.load_addr 512",                                           "gp-range",          16},
    {"field.mull_op 1",                                               "gp-field",          0},
    {"store0.reg 1, attr.x, _",                                       "gp-store-source",   14},
    {"store0.reg 1, acc0[-1], _",                                     "gp-store-source",   18},
    {"store0.reg 1, unused, _",                                       "gp-operand",        14},
    {"store0.reg 1, acc0",                                            "gp-operands",       0},
    {"branch 512",                                                    "gp-branch",         7},
    {"branch -1",                                                     "gp-branch",         7},
    {"branch 1.0",                                                    "gp-branch",         7},
    {"branch nowhere",                                                "asm-undefined",     7},
    /* clang-format on */
    /* clang-format on */
};

TEST(test_errors)
{
    for (size_t i = 0; i < COUNT(errors); i++) {
        uint32_t words[GP_WORDS];
        struct asm_error error = {0};
        enum gp_parse_result result = gp_parse(errors[i].text, strlen(errors[i].text), NULL, words,
                                               &error);
        if (result != GP_PARSE_ERROR || strcmp(error.rule, errors[i].rule) != 0 ||
            error.offset != errors[i].offset || error.text[0] == '\0')
            fail_msg("%s: %s at %zu: %s", errors[i].text, error.rule, error.offset, error.text);
    }
}

/* A line that is cut off, or has a changed byte, is parsed or rejected. The parser must not read
 * past its end or loop. */
TEST(test_damaged_text)
{
    uint64_t random = 7;
    for (size_t i = 0; i < COUNT(slots) + COUNT(vectors); i++) {
        const char *text = i < COUNT(slots) ? slots[i].text : vectors[i - COUNT(slots)].text;
        size_t length = strlen(text);
        for (size_t end = 0; end <= length; end++) {
            char *copy = malloc(end + 1); /* exact size, to detect overruns */
            uint32_t words[GP_WORDS];
            struct asm_error error;
            assert_non_null(copy);
            memcpy(copy, text, end);
            gp_parse(copy, end, NULL, words, &error);
            if (end > 0)
                copy[next_random64(&random) % end] = (char)next_random64(&random);
            gp_parse(copy, end, NULL, words, &error);
            free(copy);
        }
    }
}

/* --- whole programs --- */

/* The diagnostics of a program. */
struct heard {
    char text[4096]; /* a line "RULE LINE:COLUMN\n" for each diagnostic */
    char hints[2048];
};

static void hear(void *user, const struct tess_finding *diag)
{
    struct heard *heard = user;
    size_t used = strlen(heard->text);
    snprintf(heard->text + used, sizeof heard->text - used, "%s %u:%u\n", diag->id, diag->line,
             diag->column);
    used = strlen(heard->hints);
    if (diag->hint)
        snprintf(heard->hints + used, sizeof heard->hints - used, "%s\n", diag->hint);
}

static uint8_t *assemble(const char *text, enum tess_asm_format format, struct heard *heard,
                         size_t *size)
{
    const struct tess_asm_options options = {
        .machine = TESS_MACHINE_GP, .format = format, .skip_check = true};
    uint8_t *bytes = NULL;
    *heard = (struct heard){0};
    enum tess_status status = tess_assemble_text(text, strlen(text), "p.gp", &options,
                                                 (struct tess_sink){hear, heard}, &bytes, size);
    assert_true(status == TESS_OK || status == TESS_WRONG);
    assert_true((status == TESS_OK) == (bytes != NULL));
    return bytes;
}

static const struct {
    const char *text, *messages;
} programs[] = {
    /* clang-format off */
    /* clang-format off */
    /* Lines that begin with ";" continue the instruction. */
    {"mul0.mov acc0[-1]\n; mul0.mov acc0[-1]\n",          "gp-slot-twice 2:3\n"},
    {"mul0.mov acc0[-1];\n; acc0.min attr.x, attr.x\n ; acc1.mov acc0[-1]\n", "gp-acc-op 3:4\n"},
    {"mul0.mov acc0[-1]\nmul0.mov acc0[-1]\n",            ""},
    {"; mul0.mov acc0[-1]\n",                             "asm-join 1:3\n"},
    {"nop\nhere:\n; mul0.mov acc0[-1]\n",                 "asm-join 3:3\n"},
    {"acc0.mov acc0[-1]\nhere: ; mul0.mov acc0[-1]\n",    "asm-join 2:9\n"},
    {"acc0.mov acc0[-1]\n.word 1, 2, 3, 4\n; mul0.mov acc0[-1]\n", "asm-join 3:3\n"},
    {"acc0.mov acc0[-1]\n.ascii \"0123456789abcdef\"\n; mul0.mov acc0[-1]\n", "asm-join 3:3\n"},
    {"acc0.mov acc0[-1]\n.org 64\n; mul0.mov acc0[-1]\n", "asm-join 3:3\n"},
    {"nop\nacc0.mov acc0[-1]\n.back 1\n; mul0.mov acc0[-1]\n.endb\n", "asm-join 4:3\n"},
    {"a: acc0.mov acc0[-1]\n.clone a, 1\n; mul0.mov acc0[-1]\n", "asm-join 3:3\n"},
    /* Errors in the following lines are also reported. */
    {"mul0.mov atr.x\n; acc0.mov acc0\n; pass.mov acc0[-1]\n",
     "gp-operand 1:10\ngp-operand-back 2:12\n"},
    /* An operand from a load unit needs a load in a line of the same instruction. */
    {"mul0.mov attr.x\nload.attr 0; mul0.mov attr.y\n",   "gp-load-missing 1:1\n"},
    {"mul0.mov attr.x\n; load.attr 0\nnop\n",             ""},
    {"acc0.floor reg1.x\n; load.attr 0\n",                "gp-load-missing 1:1\n"},
    {"acc0.floor reg1.x; load.reg1 0\n",                  ""},
    {"pass.clamp acc0[-1]\n",                             "gp-load-missing 1:1\n"},
    {"pass.clamp acc0[-1]; field.load_addr 0\n",          ""},
    {"complex.rcp temp.y; load.unif 0\n",                 ""},
    /* Errors of branches. */
    {"nop\nbranch end\nend:\n",                           "gp-branch 2:8\n"},
    {"nop\nbranch 2\n",                                   "gp-branch 2:8\n"},
    {"nop\nbranch 1\n",                                   ""},
    {"a: nop\nbranch a + 1\n",                            "gp-branch 2:8\n"},
    {"a: nop\nbranch a - 16\n",                           "gp-branch 2:8\n"},
    {"branch b\n",                                        "asm-undefined 1:8\n"},
    {"branch 1.0",                                        "gp-branch 1:8\n"},
    /* Errors of directives. */
    {".attribute",                                        "asm-syntax 1:11\n"},
    {".attribute position",                               "asm-syntax 1:20\n"},
    {".attribute position, ",                             "asm-syntax 1:22\n"},
    {".attribute position, 16",                           "gp-range 1:22\n"},
    {".attribute position, 0, 5",                         "gp-range 1:25\n"},
    {".attribute position, 0, 0",                         "gp-range 1:25\n"},
    {".attribute position, 0, 3, 2",                      "asm-syntax 1:26\n"},
    {".attribute a, 0\n.attribute b, 0\n",                "gp-clash 2:15\n"},
    {".attribute a, 0\n.attribute a, 1\n",
     "asm-redefined 2:12\nasm-redefined 1:0\n"},
    {".set a, 3\n.attribute a, 1\n",
     "asm-redefined 2:12\nasm-redefined 1:0\n"},
    {".attribute a, n\n.set n, 1",                        "asm-forward 1:15\n"},
    {".attribute a, n",                                   "asm-undefined 1:15\n"},
    {".varying a, 15\n.varying b, 15\n",                  "gp-clash 2:13\n"},
    {".varying a, 16\n",                                  "gp-range 1:13\n"},
    {".uniform",                                          "asm-syntax 1:9\n"},
    {".uniform a, 0",                                     "gp-range 1:13\n"},
    {".uniform a, 513",                                   "gp-range 1:13\n"},
    {".uniform a, 1, 512",                                "gp-range 1:16\n"},
    {".uniform a, 2, 511",                                "gp-rows 1:16\n"},
    {".uniform a, 4, 4\n.uniform b, 2, 7",                "gp-clash 2:16\n"},
    {".uniform a, 4, 4\n.uniform b, 2, 8",                ""},
    {".uniform a, 304",                                   ""},
    {".uniform a, 305",                                   "gp-rows-driver 1:10\n"},
    {".uniform a, 512\n.uniform b",                       "gp-rows-driver 1:10\ngp-rows 2:10\n"},
    {".temporary t, 200\n.uniform a, 312",                "gp-rows-driver 2:10\n"},
    {".temporary t, 200\n.uniform a, 313",                "gp-rows 2:10\n"},
    {".constant c",                                       "asm-syntax 1:12\n"},
    {".constant c, 1, 2, 3, 4, 5",                        "asm-syntax 1:26\n"},
    {".constant c, 1,",                                   "asm-syntax 1:16\n"},
    {".constant c, 1e40",                                 "asm-range 1:14\n"},
    {".constant c, 1 2",                                  "asm-syntax 1:16\n"},
    {".temporary t 3",                                    "asm-syntax 1:14\n"},
    /* clang-format on */
    /* clang-format on */
};

TEST(test_programs)
{
    for (size_t i = 0; i < COUNT(programs); i++) {
        struct heard heard;
        size_t size;
        free(assemble(programs[i].text, TESS_ASM_BIN, &heard, &size));
        if (strcmp(heard.text, programs[i].messages) != 0)
            fail_msg("%s:\n%s", programs[i].text, heard.text);
    }
}

static const struct {
    const char *text, *hint;
} hints[] = {
    {"mull0.mul attr.x, attr.y", "did you mean mul0.mul?"},
    {"mul0.mull attr.x, attr.y", "did you mean mul0.mul?"},
    {"mul0.mov atr.x", "did you mean attr?"},
    {"load.attr positon\n.attribute position, 0", "did you mean position?"},
    {"field.mul_opp 3", "did you mean field.mul_op?"},
    {"rcp attr.x", ".include <gp.inc>, which defines the name"},
    {".atribute position, 0", "did you mean .attribute?"},
};

TEST(test_hints)
{
    for (size_t i = 0; i < COUNT(hints); i++) {
        struct heard heard;
        size_t size;
        free(assemble(hints[i].text, TESS_ASM_BIN, &heard, &size));
        if (!strstr(heard.hints, hints[i].hint))
            fail_msg("%s: %s", hints[i].text, heard.hints);
    }
}

static void check_words(const char *text, const uint32_t *words, size_t count)
{
    struct heard heard;
    size_t size;
    uint8_t *bytes = assemble(text, TESS_ASM_BIN, &heard, &size);
    assert_string_equal(heard.text, "");
    assert_int_equal(size, count * 4);
    for (size_t i = 0; i < count; i++)
        assert_int_equal(load_le32(bytes + 4 * i), words[i]);
    free(bytes);
}

/* A line uses the value that a symbol has at this line. A later line of the instruction may
 * change the symbol. */
TEST(test_lines_of_one_instruction)
{
    check_words(
        "  load.attr 1 # one\n  ; load.unif 5;\n  // nothing\n\n ;; mul0.mul unif.x, attr.y\n",
        vectors[2].words, 4);
    check_words(".set n, 5\nload.unif n\n.set n, 1\n; load.attr n\n; mul0.mul unif.x, attr.y\n",
                vectors[2].words, 4);
    check_words(".macro product a, b\n; mul0.mul \\a, \\b\n.endm\nload.attr 1; load.unif 5\n"
                "product unif.x, attr.y\n",
                vectors[2].words, 4);
    check_words(".rep i, 1\nload.unif 5 + i\n.endr\n.rep i, 2\n.if i == 1\n; load.attr i\n"
                "; mul0.mul unif.x, attr.y\n.endif\n.endr\n",
                vectors[2].words, 4);
}

/* A branch's target is an instruction number and does not depend on the code's address. A label
 * may be defined after its use. */
TEST(test_branch_targets)
{
    uint32_t words[16];
    for (unsigned i = 0; i < 16; i++)
        words[i] = vectors[1].words[i % 4];
    memcpy(words, vectors[7].words, sizeof vectors[7].words);
    check_words("load.unif 0\n; branch end\n; pass.mov unif.x\nnop\nnop\nend: nop\n", words, 16);
    check_words(".org 0x1000\nload.unif 0; pass.mov unif.x; branch end\nnop\nnop\nend: nop\n",
                words, 16);
    check_words(".org 0x40\nload.unif 0; pass.mov unif.x; branch 3\nnop\nnop\nend: nop\n", words,
                16);
    /* In the source, the region with the lowest address is last. */
    check_words(".org 0x30\nend: nop\n.org 0\nload.unif 0; pass.mov unif.x; branch end\nnop\nnop\n",
                words, 16);
    check_words("load.unif 0; pass.mov unif.x; branch 1f\nnop\nnop\n1: nop\n", words, 16);
}

TEST(test_interface)
{
    static const char source[] = ".attribute position, 0\n.attribute uv, 3, 2\n"
                                 ".varying gl_Position, 1\n.uniform first\n"
                                 ".uniform placed, 2, 2\n.uniform mvp, 4\n"
                                 ".constant one_two, 1, 2.0, late\n.set late, -0.5\n"
                                 ".temporary heap, 16\nload.attr uv; load.unif one_two\n";
    /* mvp does not fit between first and placed, so its rows follow placed. */
    static const char lines[] =
        "attribute position 0 4\nattribute uv 3 2\nvarying gl_Position 1 4\n"
        "uniform first 0 1\nuniform placed 2 2\nuniform mvp 4 4\n"
        "constant one_two 8 0x3f800000 0x40000000 0xbf000000 0x00000000\n"
        "temporary heap 9 16\n";
    struct heard heard;
    size_t size;
    uint8_t *bytes = assemble(source, TESS_ASM_ELF, &heard, &size);
    assert_string_equal(heard.text, "");
    bool found = false;
    for (size_t at = 0; at + strlen(lines) < size && !found; at++)
        found = memcmp(bytes + at, lines, strlen(lines)) == 0;
    free(bytes);
    assert_true(found);
    check_words(source, (const uint32_t[]){0xad4ad6b5, 0x4f8202b5, 0x0007ff80, 0x000ad500}, 4);
}

TEST(test_formats)
{
    struct heard heard;
    size_t size;
    char *text = (char *)assemble("nop\ncomplex.addr1 pass[-1]\n", TESS_ASM_HEX, &heard, &size);
    static const char hex[] = "0xad4ad6b5, 0x038002b5, 0x0007ff80, 0x000ad500,\n"
                              "0xad4ad6b5, 0x038002b5, 0x0347ff80, 0x000ad100\n";
    assert_int_equal(size, strlen(hex));
    assert_memory_equal(text, hex, size);
    free(text);
}

/* --- the macros of gp.inc --- */

/* Fields of each instruction of the macros, worked out by hand from docs/hardware/utgard.md,
 * sections 3, 4, 9 and 11. */
#define RCP_1(x)                                                                       \
    F(mul0_src0, x), F(mul0_src1, x), F(mul_op, 3), F(mul1_src0, x), F(mul1_src1, 22), \
        F(complex_src, x)
#define LAST                                                                                 \
    {                                                                                        \
        F(mul0_src0, 22), F(mul0_src1, 18), F(mul1_src0, 22), F(mul1_src1, 19), F(mul_op, 1) \
    }
#define IDLE     \
    {            \
        {        \
            0, 0 \
        }        \
    }
static const struct {
    const char *text;
    unsigned count;
    struct {
        unsigned next, value;
    } fields[9][16];
} macros[] = {
    {"load.reg1 2\n; rcp reg1.x", 2, {{RCP_1(4), F(complex_op, 5), F(register1_addr, 2)}, LAST}},
    {"load.attr 3\n; rsqrt attr.y",
     2,
     {{RCP_1(1), F(complex_op, 4), F(register0_addr, 3), F(register0_attribute, 1)}, LAST}},
    {"sqrt acc1[-2]",
     5,
     {{RCP_1(25), F(complex_op, 4)}, LAST, IDLE, {RCP_1(26), F(complex_op, 5)}, LAST}},
    {"exp2 complex[-1]",
     3,
     {{F(pass_op, 4), F(pass_src, 22)},
      {F(mul0_src0, 20), F(mul0_src1, 20), F(mul_op, 3), F(complex_op, 2), F(complex_src, 20)},
      {F(mul0_src0, 22), F(mul0_src1, 18), F(mul1_src0, 22), F(mul1_src1, 23), F(mul_op, 1)}}},
    {"log2 pass[-1]",
     4,
     {{RCP_1(20), F(complex_op, 3)}, LAST, IDLE, {F(pass_op, 5), F(pass_src, 26)}}},
    {"load.unif 0\n; select acc0[-1], unif.x, complex[-1]",
     1,
     {{F(mul_op, 4), F(mul0_src1, 16), F(mul1_src0, 12), F(mul0_src0, 22)}}},
    {"abs mul0[-1]", 1, {{F(acc_op, 7), F(acc0_src0, 18), F(acc0_src1, 18), F(acc0_src1_neg, 1)}}},
    {"abs mul0[-1], acc1",
     1,
     {{F(acc_op, 7), F(acc1_src0, 18), F(acc1_src1, 18), F(acc1_src1_neg, 1)}}},
    {"gt mul0[-1], mul1[-1]", 1, {{F(acc_op, 5), F(acc0_src0, 19), F(acc0_src1, 18)}}},
    {"le mul0[-1], mul1[-1], acc1", 1, {{F(acc_op, 4), F(acc1_src0, 19), F(acc1_src1, 18)}}},
    {"not acc0[-1]", 1, {{F(acc_op, 4), F(acc0_src0, 16), F(acc0_src0_neg, 1), F(acc0_src1, 22)}}},
    {"eq mul0[-1], mul1[-1]",
     2,
     {{F(acc_op, 4), F(acc0_src0, 18), F(acc0_src1, 19), F(acc1_src0, 19), F(acc1_src1, 18)},
      {F(acc_op, 6), F(acc0_src0, 16), F(acc0_src1, 17)}}},
    {"ne mul0[-1], mul1[-1]",
     2,
     {{F(acc_op, 5), F(acc0_src0, 18), F(acc0_src1, 19), F(acc1_src0, 19), F(acc1_src1, 18)},
      {F(acc_op, 7), F(acc0_src0, 16), F(acc0_src1, 17)}}},
    {"ceil mul0[-1]",
     2,
     {{F(acc_op, 1), F(acc0_src0, 18), F(acc0_src1, 0), F(acc0_src0_neg, 1)},
      {F(acc0_src0, 16), F(acc0_src0_neg, 1), F(acc0_src1, 22), F(acc0_src1_neg, 1)}}},
    {"fract mul0[-1]",
     2,
     {{F(acc_op, 1), F(acc0_src0, 18), F(acc0_src1, 0), F(mul1_src0, 18), F(mul1_src1, 22)},
      {F(acc0_src0, 19), F(acc0_src1, 16), F(acc0_src1_neg, 1)}}},
    {"position_transform 6, 20, 9",
     8,
     {{RCP_1(3), F(complex_op, 5), F(register0_addr, 6)},
      LAST,
      IDLE,
      {F(load_addr, 9), F(pass_op, 6), F(pass_src, 26), F(store1_varying, 1), F(store1_src_w, 4)},
      {F(register0_addr, 6), F(mul0_src0, 0), F(mul0_src1, 20), F(mul1_src0, 1), F(mul1_src1, 20)},
      {F(register0_addr, 6), F(load_addr, 20), F(mul0_src0, 2), F(mul0_src1, 23), F(mul1_src0, 19),
       F(mul1_src1, 13), F(acc0_src0, 12), F(acc0_src1, 22), F(acc0_src1_neg, 1), F(complex_op, 9),
       F(complex_src, 14)},
      {F(load_addr, 21), F(mul0_src0, 26), F(mul0_src1, 16), F(mul1_src0, 22), F(mul1_src1, 18),
       F(acc1_src0, 19), F(acc1_src1, 13), F(store0_varying, 1), F(store0_src_y, 1)},
      {F(load_addr, 21), F(acc0_src0, 18), F(acc0_src1, 12), F(acc1_src0, 19), F(acc1_src1, 14),
       F(store0_varying, 1), F(store0_src_x, 0), F(store1_varying, 1), F(store1_src_z, 1)}}},
    {"position_transform_unclamped 6, 19 + 1, 3",
     7,
     {{RCP_1(3), F(complex_op, 5), F(register0_addr, 6)},
      LAST,
      IDLE,
      {F(register0_addr, 6), F(mul0_src0, 0), F(mul0_src1, 26), F(mul1_src0, 1), F(mul1_src1, 26),
       F(pass_src, 26), F(store1_varying, 1), F(store1_addr, 3), F(store1_src_w, 4)},
      {F(register0_addr, 6), F(load_addr, 20), F(mul0_src0, 2), F(mul0_src1, 20), F(mul1_src0, 19),
       F(mul1_src1, 13), F(acc0_src0, 12), F(acc0_src1, 22), F(acc0_src1_neg, 1), F(complex_op, 9),
       F(complex_src, 14)},
      {F(load_addr, 21), F(mul0_src0, 26), F(mul0_src1, 16), F(mul1_src0, 22), F(mul1_src1, 18),
       F(acc1_src0, 19), F(acc1_src1, 13), F(store0_varying, 1), F(store0_addr, 3),
       F(store0_src_y, 1)},
      {F(load_addr, 21), F(acc0_src0, 18), F(acc0_src1, 12), F(acc1_src0, 19), F(acc1_src1, 14),
       F(store0_varying, 1), F(store0_addr, 3), F(store0_src_x, 0), F(store1_varying, 1),
       F(store1_addr, 3), F(store1_src_z, 1)}}},
    {"point_size acc0[-1], 12, 5",
     2,
     {{F(load_addr, 12), F(pass_op, 6), F(pass_src, 16)},
      {F(load_addr, 12), F(mul0_src0, 20), F(mul0_src1, 14), F(store0_varying, 1),
       F(store0_addr, 5), F(store0_src_x, 2)}}},
    {"point_size_clamped acc0[-1], 12, 5",
     1,
     {{F(load_addr, 12), F(pass_op, 6), F(pass_src, 16), F(store0_varying, 1), F(store0_addr, 5),
       F(store0_src_x, 4)}}},
};

TEST(test_macros)
{
    for (size_t i = 0; i < COUNT(macros); i++) {
        uint32_t words[9 * GP_WORDS];
        char text[200];
        for (unsigned k = 0; k < macros[i].count; k++) {
            struct gp_insn insn = gp_nop();
            for (unsigned f = 0; macros[i].fields[k][f].next > 0; f++)
                gp_field_set(&insn, macros[i].fields[k][f].next - 1, macros[i].fields[k][f].value);
            gp_encode(&insn, words + k * GP_WORDS);
        }
        snprintf(text, sizeof text, ".include <gp.inc>\n%s\n", macros[i].text);
        check_words(text, words, macros[i].count * GP_WORDS);
    }
}

/* A ';' before a macro joins only the macro's first instruction to the previous instruction. */
TEST(test_joined_macros)
{
    struct heard heard;
    size_t size;
    const char *twice = ".macro two\n mul0.mov attr.x\n load.attr 1; mul0.mov attr.y\n.endm\n"
                        "load.attr 1\n; two\n; acc0.mov attr.z\n";
    free(assemble(twice, TESS_ASM_BIN, &heard, &size));
    assert_string_equal(heard.text, "");
    assert_int_equal(size, 2 * GP_INSN_BYTES);
    free(assemble(".macro two\n mul0.mov attr.x\n.endm\nmul0.mov attr.y\n; two\n", TESS_ASM_BIN,
                  &heard, &size));
    assert_string_equal(heard.text, "gp-slot-twice 2:2\nasm-context 5:0\n");
    /* Macros that call other macros. The first macro is empty. */
    free(assemble(".macro none\n.endm\n.macro one\n mul0.mov acc0[-1]\n.endm\n"
                  ".macro both\n none\n one\n one\n.endm\nload.attr 1\n; both\n",
                  TESS_ASM_BIN, &heard, &size));
    assert_string_equal(heard.text, "");
    assert_int_equal(size, 2 * GP_INSN_BYTES);
    free(assemble(".macro none\n.endm\nnop\n; none\nnop\n", TESS_ASM_BIN, &heard, &size));
    assert_string_equal(heard.text, "");
    assert_int_equal(size, 2 * GP_INSN_BYTES);
}
