/* SPDX-License-Identifier: MIT */
/* qpu_articles.c - every shader word of the JayStation articles (docs/sources.md) must decode to
 * the text that its author wrote beside it.
 *
 * The strings are the articles' comments, line by line. A parser in this file reads them, with the
 * names of the manual's tables 2, 4, 12, 13 and 14, and compares them with the decoded fields. The
 * explainer must write the same lines. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "../../register.h"
#include "isa/qpu/qpu_isa.h"

#define COUNT(table) (sizeof(table) / sizeof(table)[0])

#define NO_ADD       "add op: No operation, add cond: never"
#define NO_MUL       "mul op: No operation, mul cond: never"
#define NO_SIGNAL    "signal: no signal"
#define NO_PACK      "pack mode: 32->32 No pack (NOP) (PM0)"

struct word {
    uint32_t low, high;
    const char *lines[5];
};

/* Words of the article "Vertex and Coordinate Shaders". */
static const struct word vertex_shaders[] = {
    {0x009e7000, 0x100009e7, {NO_ADD, NO_MUL, NO_SIGNAL}},
    {0x1a341ac0,
     0xe0020c67,
     {"add write addr: 49 (VPMVCD_RD_SETUP A), cond: always", "write swap: 0, set flags: 0, pm: 0",
      NO_PACK, "immediate type is 0x70, loaded 32 immediate is 0x1A341AC0"}},
    {0x009e7000, 0x100009e7, {NO_ADD, NO_MUL, NO_SIGNAL}},
    {0x009e7000, 0x100009e7, {NO_ADD, NO_MUL, NO_SIGNAL}},
    {0x009e7000, 0x100009e7, {NO_ADD, NO_MUL, NO_SIGNAL}},
    {0x15c27df7,
     0x10020027,
     {"add pipe: Bitwise OR, R0, VPM_READ, NOP, cond: always", NO_MUL, NO_SIGNAL}},
    {0x15c27df7,
     0x10020067,
     {"add pipe: Bitwise OR, R1, VPM_READ, NOP, cond: always", NO_MUL, NO_SIGNAL}},
    {0x15c27df7,
     0x100200a7,
     {"add pipe: Bitwise OR, R2, VPM_READ, NOP, cond: always", NO_MUL, NO_SIGNAL}},
    {0x17bc1ac0,
     0xe0021c67,
     {"add write addr: 49 (VPMVCD_WR_SETUP B), cond: always", "write swap: 1, set flags: 0, pm: 0",
      NO_PACK, "immediate type is 0x70, loaded 32 immediate is 0x17BC1AC0"}},
    {0x15027df7,
     0x10020c27,
     {"add pipe: Bitwise OR, VPM_WRITE, R0, NOP, cond: always", NO_MUL, NO_SIGNAL}},
    {0x15067df7,
     0x10020c27,
     {"add pipe: Bitwise OR, VPM_WRITE, R1, NOP, cond: always", NO_MUL, NO_SIGNAL}},
    {0x150a7df7,
     0x10020c27,
     {"add pipe: Bitwise OR, VPM_WRITE, R2, NOP, cond: always", NO_MUL, NO_SIGNAL}},
    {0x009e7000, 0x500009e7, {NO_ADD, NO_MUL, "signal: scoreboard unlock"}},
    {0x009e7000, 0x300009e7, {NO_ADD, NO_MUL, "signal: program end"}},
    {0x009e7000, 0x100009e7, {NO_ADD, NO_MUL, NO_SIGNAL}},
    {0x009e7000, 0x100009e7, {NO_ADD, NO_MUL, NO_SIGNAL}},
    {0x009e7000, 0x100009e7, {NO_ADD, NO_MUL, NO_SIGNAL}},
    {0x1a741ac0,
     0xe0020c67,
     {"add write addr: 49 (VPMVCD_RD_SETUP A), cond: always", "write swap: 0, set flags: 0, pm: 0",
      NO_PACK, "immediate type is 0x70, loaded 32 immediate is 0x1A741AC0"}},
    {0x009e7000, 0x100009e7, {NO_ADD, NO_MUL, NO_SIGNAL}},
    {0x009e7000, 0x100009e7, {NO_ADD, NO_MUL, NO_SIGNAL}},
    {0x009e7000, 0x100009e7, {NO_ADD, NO_MUL, NO_SIGNAL}},
    {0x15c27df7,
     0x10020027,
     {"add pipe: Bitwise OR, R0, VPM_READ, NOP, cond: always", NO_MUL, NO_SIGNAL}},
    {0x15c27df7,
     0x10020067,
     {"add pipe: Bitwise OR, R1, VPM_READ, NOP, cond: always", NO_MUL, NO_SIGNAL}},
    {0x15c27df7,
     0x100200a7,
     {"add pipe: Bitwise OR, R2, VPM_READ, NOP, cond: always", NO_MUL, NO_SIGNAL}},
    {0x15c27df7,
     0x100200e7,
     {"add pipe: Bitwise OR, R3, VPM_READ, NOP, cond: always", NO_MUL, NO_SIGNAL}},
    {0x15c27df7,
     0x10020127,
     {"add pipe: Bitwise OR, R4, VPM_READ, NOP, cond: always", NO_MUL, NO_SIGNAL}},
    {0x15c27df7,
     0x10020167,
     {"add pipe: Bitwise OR, R5, VPM_READ, NOP, cond: always", NO_MUL, NO_SIGNAL}},
    {0x15c27df7,
     0x100201a7,
     {"add pipe: Bitwise OR, R6, VPM_READ, NOP, cond: always", NO_MUL, NO_SIGNAL}},
    {0x17bc1ac0,
     0xe0021c67,
     {"add write addr: 49 (VPMVCD_WR_SETUP B), cond: always", "write swap: 1, set flags: 0, pm: 0",
      NO_PACK, "immediate type is 0x70, loaded 32 immediate is 0x17BC1AC0"}},
    {0x15027df7,
     0x10020c27,
     {"add pipe: Bitwise OR, VPM_WRITE, R0, NOP, cond: always", NO_MUL, NO_SIGNAL}},
    {0x15067df7,
     0x10020c27,
     {"add pipe: Bitwise OR, VPM_WRITE, R1, NOP, cond: always", NO_MUL, NO_SIGNAL}},
    {0x150a7df7,
     0x10020c27,
     {"add pipe: Bitwise OR, VPM_WRITE, R2, NOP, cond: always", NO_MUL, NO_SIGNAL}},
    {0x150e7df7,
     0x10020c27,
     {"add pipe: Bitwise OR, VPM_WRITE, R3, NOP, cond: always", NO_MUL, NO_SIGNAL}},
    {0x15127df7,
     0x10020c27,
     {"add pipe: Bitwise OR, VPM_WRITE, R4, NOP, cond: always", NO_MUL, NO_SIGNAL}},
    {0x15167df7,
     0x10020c27,
     {"add pipe: Bitwise OR, VPM_WRITE, R5, NOP, cond: always", NO_MUL, NO_SIGNAL}},
    {0x151a7df7,
     0x10020c27,
     {"add pipe: Bitwise OR, VPM_WRITE, R6, NOP, cond: always", NO_MUL, NO_SIGNAL}},
    {0x009e7000, 0x500009e7, {NO_ADD, NO_MUL, "signal: scoreboard unlock"}},
    {0x009e7000, 0x300009e7, {NO_ADD, NO_MUL, "signal: program end"}},
    {0x009e7000, 0x100009e7, {NO_ADD, NO_MUL, NO_SIGNAL}},
    {0x009e7000, 0x100009e7, {NO_ADD, NO_MUL, NO_SIGNAL}},
};

/* Words of the article "VPM, VCD, and VCM For Vertex Shaders". */
static const struct word vpm[] = {
    {0x009e7000, 0x100009e7, {NO_ADD, NO_MUL, NO_SIGNAL}},
    {0x15827df7,
     0x10020027,
     {"add pipe: Bitwise OR, R0, UNIFORM_READ, NOP, cond: always", NO_MUL, NO_SIGNAL}},
    {0x15827df7,
     0x10020067,
     {"add pipe: Bitwise OR, R1, UNIFORM_READ, NOP, cond: always", NO_MUL, NO_SIGNAL}},
    {0x15827df7,
     0x100200a7,
     {"add pipe: Bitwise OR, R2, UNIFORM_READ, NOP, cond: always", NO_MUL, NO_SIGNAL}},
    {0x17bc1ac2,
     0xe0021c67,
     {"add write addr: 49 (VPMVCD_WR_SETUP B), cond: always", "write swap: 1, set flags: 0, pm: 0",
      NO_PACK, "immediate type is 0x70, loaded 32 immediate is 0x17BC1AC2"}},
    {0x00000000,
     0xe0020c27,
     {"add write addr: 48 (VPM_WRITE A), cond: always", "write swap: 0, set flags: 0, pm: 0",
      NO_PACK, "immediate type is 0x70, loaded 32 immediate is 0.000000"}},
    {0x3f800000,
     0xe0020c27,
     {"add write addr: 48 (VPM_WRITE A), cond: always", "write swap: 0, set flags: 0, pm: 0",
      NO_PACK, "immediate type is 0x70, loaded 32 immediate is 1.000000"}},
    {0x15027df7,
     0x10020c27,
     {"add pipe: Bitwise OR, VPM_WRITE, R0, NOP, cond: always", NO_MUL, NO_SIGNAL}},
    {0x15067df7,
     0x10020c27,
     {"add pipe: Bitwise OR, VPM_WRITE, R1, NOP, cond: always", NO_MUL, NO_SIGNAL}},
    {0x150a7df7,
     0x10020c27,
     {"add pipe: Bitwise OR, VPM_WRITE, R2, NOP, cond: always", NO_MUL, NO_SIGNAL}},
    {0x0e004dc0,
     0xd2020827,
     {"add pipe: Integer shift right, ACC0, R0, int 4, cond: always", "unpack mode: 16a->32",
      NO_MUL}},
    {0x0e004dc0,
     0xd4020867,
     {"add pipe: Integer shift right, ACC1, R0, int 4, cond: always", "unpack mode: 16b->32",
      NO_MUL}},
    {0x080001f7,
     0x10022827,
     {"add pipe: Signed integer to floating point, ACC0, acc r0, R0, cond: always", NO_MUL,
      NO_SIGNAL}},
    {0x080003f7,
     0x10022867,
     {"add pipe: Signed integer to floating point, ACC1, acc r1, R0, cond: always", NO_MUL,
      NO_SIGNAL}},
    {0x3b4d1ed9,
     0xe00208a7,
     {"add write addr: 34 (ACC2 A), cond: always", "write swap: 0, set flags: 0, pm: 0", NO_PACK,
      "immediate type is 0x70, loaded 32 immediate is 0.003130"}},
    {0x3b88d181,
     0xe00208e7,
     {"add write addr: 35 (ACC3 A), cond: always", "write swap: 0, set flags: 0, pm: 0", NO_PACK,
      "immediate type is 0x70, loaded 32 immediate is 0.004175"}},
    {0x20000dc2,
     0x100079e0,
     {NO_ADD, "mul pipe: Floating point multiply, ACC0, acc r0, acc r2, cond: always", NO_SIGNAL}},
    {0x20000dcb,
     0x100079e1,
     {NO_ADD, "mul pipe: Floating point multiply, ACC1, acc r1, acc r3, cond: always", NO_SIGNAL}},
    {0x020201c0,
     0xd0020827,
     {"add pipe: Floating point subtract, ACC0, acc r0, float 1.f, cond: always", NO_MUL}},
    {0x020203c0,
     0xd0020867,
     {"add pipe: Floating point subtract, ACC1, acc r1, float 1.f, cond: always", NO_MUL}},
    {0x17bc1ac0,
     0xe0021c67,
     {"add write addr: 49 (VPMVCD_WR_SETUP B), cond: always", "write swap: 1, set flags: 0, pm: 0",
      NO_PACK, "immediate type is 0x70, loaded 32 immediate is 0x17BC1AC0"}},
    {0x159e7000,
     0x10020c27,
     {"add pipe: Bitwise OR, VPM_WRITE, acc r0, acc r0, cond: always", NO_MUL, NO_SIGNAL}},
    {0x159e7249,
     0x10020c27,
     {"add pipe: Bitwise OR, VPM_WRITE, acc r1, acc r1, cond: always", NO_MUL, NO_SIGNAL}},
    {0x83904000,
     0xe0021c67,
     {"add write addr: 49 (VPMVCD_WR_SETUP B), cond: always", "write swap: 1, set flags: 0, pm: 0",
      NO_PACK, "immediate type is 0x70, loaded 32 immediate is 0x83904000"}},
    {0x15800df7,
     0xd0021ca7,
     {"add pipe: Bitwise OR, VPM_ST_ADDR, UNIFORM_READ, int 0, cond: always", NO_MUL}},
    {0x009e7000, 0x500009e7, {NO_ADD, NO_MUL, "signal: scoreboard unlock"}},
    {0x009e7000, 0x300009e7, {NO_ADD, NO_MUL, "signal: program end"}},
    {0x009e7000, 0x100009e7, {NO_ADD, NO_MUL, NO_SIGNAL}},
    {0x009e7000, 0x100009e7, {NO_ADD, NO_MUL, NO_SIGNAL}},
};

/* Words of the article "Texturing". */
static const struct word texturing[] = {
    {0x203e3df7,
     0x110059e0,
     {NO_ADD, "mul pipe: Floating point multiply, ACC0, R15, VARYING_READ, cond: always"}},
    {0x213e3177,
     0x11024821,
     {"add pipe: Floating point add, ACC0, acc r0, acc r5, cond: always",
      "mul pipe: Floating point multiply, ACC1, R15, VARYING_READ, cond: always"}},
    {0x013e3377,
     0x11020e67,
     {"add pipe: Floating point add, TMU0_T, acc r1, acc r5, cond: always", NO_MUL}},
    {0x159e7000,
     0x10020e27,
     {"add pipe: Bitwise OR, TMU0_S_RETIRING, acc r0, acc r0, cond: always", NO_MUL}},
    {0x009e7000, 0xa00009e7, {NO_ADD, NO_MUL, "signal: load data from tmu0 to r4"}},
    {0x159e7924,
     0x10020ba7,
     {"add pipe: Bitwise OR, TLB_COLOUR_ALL, acc r4, acc r4, cond: always", NO_MUL}},
};

/* Words of the article "Shaders, Uniforms, and Varyings". */
static const struct word uniforms[] = {
    {0x20820df7,
     0xd14059e5,
     {NO_ADD, "mul pipe: Floating point multiply, ACC5, UNIFORM_READ, float 1.f, cond: always",
      "pack mode: 32->8a Convert mul float result to 8-bit color in range [0, 1.0] (PM1)"}},
};

/* Words of the article "First Triangle", whose comments are "nop // nop // nop", "ldi tlbc,
 * 0xFFFFFFFF", "nop // nop // sbdone", "nop // nop // thrend". */
static const struct word first_triangle[] = {
    /* clang-format off */
    /* clang-format off */
    {0x009e7000, 0x100009e7, {NO_ADD, NO_MUL, NO_SIGNAL}},
    {0xffffffff, 0xe0020ba7, {"add write addr: 46 (TLB_COLOUR_ALL A), cond: always",
      "immediate type is 0x70, loaded 32 immediate is 0xFFFFFFFF"}},
    {0x009e7000, 0x500009e7, {NO_ADD, NO_MUL, "signal: scoreboard unlock"}},
    {0x009e7000, 0x300009e7, {NO_ADD, NO_MUL, "signal: program end"}},
    {0x009e7000, 0x100009e7, {NO_ADD, NO_MUL, NO_SIGNAL}},
    {0x009e7000, 0x100009e7, {NO_ADD, NO_MUL, NO_SIGNAL}},
    /* clang-format on */
    /* clang-format on */
};

/* Words of the article "QPU Demo: Triangle with NV Shader". Its assembly is translated to the
 * notation of the other articles. */
static const struct word nv_shader[] = {
    /* fmul r0, vary_rd, a15 */
    {0x203e303e,
     0x100049e0,
     {NO_ADD, "mul pipe: Floating point multiply, ACC0, VARYING_READ, R15, cond: always",
      NO_SIGNAL}},
    /* fadd r0, r0, r5 */
    {0x019e7140,
     0x10020827,
     {"add pipe: Floating point add, ACC0, acc r0, acc r5, cond: always", NO_MUL, NO_SIGNAL}},
    {0x203e303e,
     0x100049e1,
     {NO_ADD, "mul pipe: Floating point multiply, ACC1, VARYING_READ, R15, cond: always",
      NO_SIGNAL}},
    {0x019e7340,
     0x10020867,
     {"add pipe: Floating point add, ACC1, acc r1, acc r5, cond: always", NO_MUL, NO_SIGNAL}},
    {0x203e303e,
     0x100049e2,
     {NO_ADD, "mul pipe: Floating point multiply, ACC2, VARYING_READ, R15, cond: always",
      NO_SIGNAL}},
    {0x019e7540,
     0x100208a7,
     {"add pipe: Floating point add, ACC2, acc r2, acc r5, cond: always", NO_MUL, NO_SIGNAL}},
    /* li r3, -, 0xff000000 */
    {0xff000000,
     0xe00208e7,
     {"add write addr: 35 (ACC3 A), cond: always",
      "immediate type is 0x70, loaded 32 immediate is 0xFF000000"}},
    /* fmuli r3, r0, 1f pm8c; the manual's table 9 prints "8a" for all four bytes */
    {0x209e0007,
     0xd16049e3,
     {NO_ADD, "mul pipe: Floating point multiply, ACC3, acc r0, float 1.f, cond: always",
      "pack mode: 32->8c Convert mul float result to 8-bit color in range [0, 1.0] (PM1)"}},
    {0x209e000f,
     0xd15049e3,
     {NO_ADD, "mul pipe: Floating point multiply, ACC3, acc r1, float 1.f, cond: always",
      "pack mode: 32->8b Convert mul float result to 8-bit color in range [0, 1.0] (PM1)"}},
    {0x209e0017,
     0xd14049e3,
     {NO_ADD, "mul pipe: Floating point multiply, ACC3, acc r2, float 1.f, cond: always",
      "pack mode: 32->8a Convert mul float result to 8-bit color in range [0, 1.0] (PM1)"}},
    /* or tlb_clr_all, r3, r3 usb */
    {0x159e76c0,
     0x50020ba7,
     {"add pipe: Bitwise OR, TLB_COLOUR_ALL, acc r3, acc r3, cond: always", NO_MUL,
      "signal: scoreboard unlock"}},
    /* ori host_int, 1, 1 */
    {0x159c1fc0,
     0xd00209a7,
     {"add pipe: Bitwise OR, HOST_INT, int 1, int 1, cond: always", NO_MUL}},
    /* pe;;; */
    {0x009e7000, 0x300009e7, {NO_ADD, NO_MUL, "signal: program end"}},
    {0x009e7000, 0x100009e7, {NO_ADD, NO_MUL, NO_SIGNAL}},
    {0x009e7000, 0x100009e7, {NO_ADD, NO_MUL, NO_SIGNAL}},
};

static const struct {
    const char *name;
    const struct word *words;
    size_t count;
} posts[] = {
    {"Vertex and Coordinate Shaders", vertex_shaders, COUNT(vertex_shaders)},
    {"VPM", vpm, COUNT(vpm)},
    {"Texturing", texturing, COUNT(texturing)},
    {"Shaders, Uniforms, and Varyings", uniforms, COUNT(uniforms)},
    {"First Triangle", first_triangle, COUNT(first_triangle)},
    {"Triangle with NV Shader", nv_shader, COUNT(nv_shader)},
};

/* Registers of table 14 that the articles use. file is 0 if both files have the register. */
struct place {
    const char *name;
    unsigned address;
    char file;
};
static const struct place read_places[] = {
    {"UNIFORM_READ", 32, 0},
    {"VARYING_READ", 35, 0},
    {"NOP", 39, 0},
    {"VPM_READ", 48, 0},
};
static const struct place write_places[] = {
    /* clang-format off */
    /* clang-format off */
    {"ACC0",            32, 0},
    {"ACC1",            33, 0},
    {"ACC2",            34, 0},
    {"ACC3",            35, 0},
    {"ACC5",            37, 0},
    {"HOST_INT",        38, 0},
    {"VPM_WRITE",       48, 0},
    {"VPMVCD_RD_SETUP", 49, 'a'},
    {"VPMVCD_WR_SETUP", 49, 'b'},
    {"VPM_ST_ADDR",     50, 'b'},
    {"TLB_COLOUR_ALL",  46, 0},
    {"TMU0_S_RETIRING", 56, 0},
    {"TMU0_T",          57, 0},
    /* clang-format on */
    /* clang-format on */
};
static const struct {
    const char *words;
    unsigned add, mul;
} operations[] = {
    {"Floating point add", 1, 0},
    {"Floating point subtract", 2, 0},
    {"Signed integer to floating point", 8, 0},
    {"Integer shift right", 14, 0},
    {"Bitwise OR", 21, 0},
    {"Floating point multiply", 0, 1},
};
static const struct {
    const char *words;
    unsigned sig;
} signals[] = {
    {"no signal", 1},
    {"program end", 3},
    {"scoreboard unlock", 5},
    {"load data from tmu0 to r4", 10},
};

static void check_write(const struct qpu_insn *insn, bool mul, const char *name)
{
    unsigned address = mul ? insn->waddr_mul : insn->waddr_add;
    char file = insn->ws == mul ? 'a' : 'b';
    unsigned number;
    if (sscanf(name, "R%u", &number) == 1) {
        assert_int_equal(address, number);
        return;
    }
    for (size_t i = 0; i < COUNT(write_places); i++) {
        if (strcmp(write_places[i].name, name) != 0)
            continue;
        assert_int_equal(address, write_places[i].address);
        if (write_places[i].file)
            assert_int_equal(file, write_places[i].file);
        return;
    }
    fail_msg("unknown write register %s", name);
}

static void check_read(const struct qpu_insn *insn, unsigned mux, const char *name)
{
    unsigned number, address = mux == QPU_MUX_A ? insn->raddr_a : insn->raddr_b;
    double real;
    if (sscanf(name, "acc r%u", &number) == 1) {
        assert_int_equal(mux, number);
        return;
    }
    assert_true(mux == QPU_MUX_A || mux == QPU_MUX_B);
    if (sscanf(name, "R%u", &number) == 1) {
        assert_int_equal(address, number);
        return;
    }
    if (sscanf(name, "int %u", &number) == 1) { /* table 5: codes 0 to 15 are 0 to 15 */
        assert_int_equal(insn->sig, 13);
        assert_int_equal(insn->raddr_b, number);
        return;
    }
    if (sscanf(name, "float %lf", &real) == 1) { /* table 5: code 32 is 1.0 */
        assert_true(real == 1.0);
        assert_int_equal(insn->sig, 13);
        assert_int_equal(insn->raddr_b, 32);
        return;
    }
    for (size_t i = 0; i < COUNT(read_places); i++) {
        if (strcmp(read_places[i].name, name) == 0) {
            assert_int_equal(address, read_places[i].address);
            return;
        }
    }
    fail_msg("unknown read register %s", name);
}

/* Checks a line of the form "add pipe: OPERATION, TARGET, SOURCE, SOURCE, cond: always". */
static void check_pipe(const struct qpu_insn *insn, bool mul, const char *text)
{
    char operation[64], target[64], first[64], second[64], condition[64];
    assert_int_equal(sscanf(text, "%63[^,], %63[^,], %63[^,], %63[^,], cond: %63s", operation,
                            target, first, second, condition),
                     5);
    size_t row = 0;
    while (row < COUNT(operations) && strcmp(operations[row].words, operation) != 0)
        row++;
    assert_true(row < COUNT(operations));
    assert_int_equal(mul ? insn->op_mul : insn->op_add,
                     mul ? operations[row].mul : operations[row].add);
    check_write(insn, mul, target);
    check_read(insn, mul ? insn->mul_a : insn->add_a, first);
    check_read(insn, mul ? insn->mul_b : insn->add_b, second);
    assert_string_equal(condition, "always");
    assert_int_equal(mul ? insn->cond_mul : insn->cond_add, 1);
}

static void check_signal(const struct qpu_insn *insn, const char *text)
{
    for (size_t i = 0; i < COUNT(signals); i++) {
        if (strcmp(signals[i].words, text) == 0) {
            assert_int_equal(insn->sig, signals[i].sig);
            return;
        }
    }
    fail_msg("unknown signal %s", text);
}

/* Checks the target of a load in a text such as "49 (VPMVCD_RD_SETUP A), cond: always". */
static void check_load_target(const struct qpu_insn *insn, const char *text)
{
    unsigned address;
    char name[64], file;
    assert_int_equal(sscanf(text, "%u (%63s %c), cond: always", &address, name, &file), 3);
    assert_int_equal(insn->waddr_add, address);
    assert_int_equal(insn->ws, file == 'B');
    assert_int_equal(insn->cond_add, 1);
    check_write(insn, false, name);
}

/* Checks the immediate in a line such as "0x70, loaded 32 immediate is 0x17BC1AC0". The value
 * may also be a float with six decimals. */
static void check_immediate(const struct qpu_insn *insn, const char *text)
{
    const char *value = strstr(text, "immediate is ") + strlen("immediate is ");
    char shown[64];
    float real;
    memcpy(&real, &insn->immediate, sizeof real);
    if (strncmp(value, "0x", 2) == 0)
        snprintf(shown, sizeof shown, "0x%X", (unsigned)insn->immediate);
    else
        snprintf(shown, sizeof shown, "%f", (double)real);
    assert_string_equal(shown, value);
    assert_int_equal(insn->form, QPU_FORM_LOAD_32);
    assert_int_equal(strtoul(text, NULL, 16), insn->sig << 3 | insn->unpack);
}

/* Checks a pack mode in a text such as "32->8a ... (PM1)". Table 9 has the modes for pm 1, table
 * 7 for pm 0. */
static void check_pack(const struct qpu_insn *insn, const char *text)
{
    unsigned pm = strstr(text, "(PM1)") != NULL, pack = 0;
    char byte;
    if (sscanf(text, "32->8%c", &byte) == 1)
        pack = 4 + (unsigned)(byte - 'a');
    assert_int_equal(insn->pm, pm);
    assert_int_equal(insn->pack, pack);
}

static bool starts(const char **text, const char *prefix)
{
    size_t length = strlen(prefix);
    if (strncmp(*text, prefix, length) != 0)
        return false;
    *text += length;
    return true;
}

static void check_line(const struct qpu_insn *insn, const char *line)
{
    unsigned swap, flags, pm;
    if (strcmp(line, NO_ADD) == 0) {
        assert_int_equal(insn->op_add, 0);
        assert_int_equal(insn->cond_add, 0);
    } else if (strcmp(line, NO_MUL) == 0) {
        assert_int_equal(insn->op_mul, 0);
        assert_int_equal(insn->cond_mul, 0);
    } else if (starts(&line, "add pipe: ")) {
        check_pipe(insn, false, line);
    } else if (starts(&line, "mul pipe: ")) {
        check_pipe(insn, true, line);
    } else if (starts(&line, "signal: ")) {
        check_signal(insn, line);
    } else if (starts(&line, "add write addr: ")) {
        check_load_target(insn, line);
    } else if (sscanf(line, "write swap: %u, set flags: %u, pm: %u", &swap, &flags, &pm) == 3) {
        assert_int_equal(insn->ws, swap);
        assert_int_equal(insn->sf, flags);
        assert_int_equal(insn->pm, pm);
    } else if (starts(&line, "pack mode: ")) {
        check_pack(insn, line);
    } else if (starts(&line, "unpack mode: 16")) {
        assert_int_equal(insn->unpack, line[0] == 'a' ? 1 : 2);
        assert_int_equal(insn->pm, 0);
    } else if (starts(&line, "immediate type is ")) {
        check_immediate(insn, line);
    } else {
        fail_msg("cannot read '%s'", line);
    }
}

TEST(test_words_decode_to_their_comments)
{
    for (size_t post = 0; post < COUNT(posts); post++) {
        for (size_t i = 0; i < posts[post].count; i++) {
            const struct word *word = &posts[post].words[i];
            struct qpu_insn insn = qpu_decode((uint64_t)word->high << 32 | word->low);
            for (size_t line = 0; line < COUNT(word->lines) && word->lines[line]; line++)
                check_line(&insn, word->lines[line]);
        }
    }
}

/* Copies the comment that the explainer prints after its fields, from the empty line on. */
static void explained(char *text, size_t size, const struct word *word)
{
    size_t length = qpu_explain(text, size, (uint64_t)word->high << 32 | word->low, 0);
    assert_true(length < size);
    const char *comment = strstr(text, "\n\n");
    assert_non_null(comment);
    memmove(text, comment, strlen(comment) + 1);
}

TEST(test_explainer_writes_the_comments)
{
    char text[4096];
    for (size_t post = 0; post < COUNT(posts); post++) {
        for (size_t i = 0; i < posts[post].count; i++) {
            const struct word *word = &posts[post].words[i];
            explained(text, sizeof text, word);
            for (size_t line = 0; line < COUNT(word->lines) && word->lines[line]; line++) {
                /* The explainer prints a float after its hexadecimal form. Zero has only the
                 * hexadecimal form. */
                const char *real = strstr(word->lines[line], "immediate is ");
                if (!real || strstr(real, "0x"))
                    assert_non_null(strstr(text, word->lines[line]));
                else if (word->low)
                    assert_non_null(strstr(text, real + strlen("immediate is ")));
            }
        }
    }
}

/* The two listings of "Shaders, Uniforms, and Varyings". Names, order and values are the
 * article's. Key words of the meanings in brackets are compared. In both listings, every field
 * agrees with the word. */
struct field {
    const char *name;
    unsigned value;
    const char *meaning;
};
static const struct field packed_uniform[] = {
    /* clang-format off */
    /* clang-format off */
    {"m_mul_b",     7,  "mul input 2 uses value from register file B, or small immediate"},
    {"m_mul_a",     6,  "mul input 1 uses value from register file A"},
    {"m_add_b",     7,  "add input 2 uses value from register file B, or small immediate"},
    {"m_add_a",     6,  "add input 1 uses value from register file A"},
    {"m_small_imm", 32, "1.0f"},
    {"m_raddr_a",   32, "regfile A uses register 32: "},
    {"m_op_add",    0,  "add ALU is NOP"},
    {"m_op_mul",    1,  "mul ALU "},
    {"m_waddr_mul", 37, "mul ALU writes to "},
    {"m_waddr_add", 39, "add ALU writes to NOP, no write"},
    {"m_ws",        1,  "write swap: add ALU writes to regfile B, mul ALU writes to regfile A"},
    {"m_sf",        0,  "don't set flags"},
    {"m_cond_mul",  1,  "cond always"},
    {"m_cond_add",  0,  "cond never"},
    {"m_pack",      4,  "normalized float to u8, write only R channel"},
    {"m_pm",        1,  "use mul ALU packing"},
    {"m_unpack",    0,  "no unpacking of input operands"},
    {"m_1101",      13, "small immediate signal"},
    /* clang-format on */
    /* clang-format on */
};
static const struct field interpolation[] = {
    /* clang-format off */
    /* clang-format off */
    {"m_mul_b",     7,  "mul input 2 uses value from register file B"},
    {"m_mul_a",     6,  "mul input 1 uses value from register file A"},
    {"m_add_b",     5,  "add input 2 uses accumulator ACC5"},
    {"m_add_a",     0,  "add input 1 uses accumulator ACC0"},
    {"m_raddr_b",   35, "r35b is VARYING_READ"},
    {"m_raddr_a",   15, "W for varying interp"},
    {"m_op_add",    1,  "add ALU does fadd"},
    {"m_op_mul",    1,  "mul ALU does fmul"},
    {"m_waddr_mul", 33, "mul ALU writes to r33b, is ACC1"},
    {"m_waddr_add", 32, "add ALU writes to r32a, is ACC0"},
    {"m_ws",        0,  "add ALU writes to regfile A, mul ALU writes to regfile B"},
    {"m_sf",        0,  "don't set flags"},
    {"m_cond_mul",  1,  "cond always"},
    {"m_cond_add",  1,  "cond always"},
    {"m_pack",      0,  "no packing"},
    {"m_pm",        1,  "no packing or unpacking"},
    {"m_unpack",    0,  "no unpacking"},
    {"m_signal",    1,  "no signal"},
    /* clang-format on */
    /* clang-format on */
};

static void check_listing(uint64_t word, const struct field *fields, size_t count)
{
    char text[4096];
    assert_true(qpu_explain(text, sizeof text, word, 0) < sizeof text);
    const char *line = text;
    for (size_t i = 0; i < count; i++) {
        char name[32], meaning[256];
        unsigned value;
        assert_int_equal(sscanf(line, "%31s %u (%255[^\n]", name, &value, meaning), 3);
        assert_string_equal(name, fields[i].name);
        assert_int_equal(value, fields[i].value);
        assert_non_null(strstr(meaning, fields[i].meaning));
        line = strchr(line, '\n') + 1;
    }
    assert_int_equal(*line, '\n');
}

TEST(test_field_listings)
{
    check_listing(UINT64_C(0xd14059e520820df7), packed_uniform, COUNT(packed_uniform));
    check_listing(UINT64_C(0x11024821213e3177), interpolation, COUNT(interpolation));
}

/* Texts about a word in the articles that the tables above do not cover: setup words, targets,
 * signals. The first two columns are the word. Its explanation must contain the text. */
static const struct {
    uint32_t low, high;
    const char *says;
} remarks[] = {
    /* clang-format off */
    /* clang-format off */
    /* The article "Vertex and Coordinate Shaders": horizontal read, elem size 32, stride 1, num 3;
     * y = 0 */
    {0x1a341ac0,       0xe0020c67,
     "VPM read setup: horizontal, elem size 32, stride 1, num 3, y = 0\n"},
    {0x1a741ac0,       0xe0020c67,
     "VPM read setup: horizontal, elem size 32, stride 1, num 7, y = 0\n"},
    {0x17bc1ac0,       0xe0021c67, "VPM write setup: horizontal, elem size 32, stride 1, y = 0\n"},
    {0x15c27df7,       0x10020027, "vpm: reads the next vector of the VPM read"},
    {0x15027df7,       0x10020c27, "vpm: writes a vector to the VPM"},
    {0x009e7000,       0x500009e7, "signal: scoreboard unlock"},
    {0x009e7000,       0x300009e7, "the program ends after the next two instructions"},
    /* The article "VPM": y = 2; horiz DMA store, 7 rows of length 16, XY addr (0, 0), 32-bit,
     * offset 0; load uniform to DMA store address, initiate DMA */
    {0x17bc1ac2,       0xe0021c67, "VPM write setup: horizontal, elem size 32, stride 1, y = 2\n"},
    {0x83904000,       0xe0021c67,
     "DMA store setup: horizontal, 7 rows of length 16, XY addr (0, 0), 32-bit, offset 0\n"},
    {0x15800df7,       0xd0021ca7, "unif: reads the next uniform\n"},
    {0x15800df7,       0xd0021ca7, "vw_addr: starts the DMA store of the VPM to this address"},
    {0x159e7000,       0x10020c27, "the operands are equal, so this moves the value"},
    /* The article "Texturing": triggering first sampler param uniform read; kicking it all off;
     * load data; exporting */
    {0x013e3377,       0x11020e67,
     "t0t: writes T to TMU0, which fetches the next uniform as a parameter\n"},
    {0x159e7000,       0x10020e27,
     "t0s: writes S to TMU0, which fetches the next uniform as a parameter and starts"},
    {0x009e7000,       0xa00009e7, "result of TMU0, which is in r4 for the next instruction"},
    {0x159e7924,       0x10020ba7, "tlbc: writes the pixel's colour to the tile buffer"},
    /* The article "Shaders, Uniforms, and Varyings": reading a varying triggers a write of C to
     * accumulator 5 */
    {0x213e3177,       0x11024821, "C, which is in r5 for the next instruction"},
    {0x159c1fc0,       0xd00209a7, "irq: interrupts the host"},
    /* Setup words built by hand from tables 32 to 37: 16-bit, vertical, laned, x = 5, y = 16, half
     * 1; a load of 2 rows of 8; pitches. */
    {1 << 12 | 1 << 10 | 1 << 8 | 1 << 5 | 5 << 1 | 1, 0xe0021c67,
     "VPM write setup: vertical, elem size 16, stride 1, x = 5, y = 16, part 1, laned\n"},
    {0x80000000 | 3 << 28 | 2 << 24 | 8 << 20 | 2 << 16 | 1 << 11 | 9 << 4 | 4, 0xe0020c67,
     "DMA load setup: vertical, 2 rows of length 8, XY addr (4, 9), 16-bit, offset 1, VPM pitch "
     "16, " "memory pitch 32\n"},
    {0x90000000 | 100, 0xe0020c67, "DMA load pitch: 100 bytes"},
    {0xc0010000 | 12,  0xe0021c67,
     "DMA store stride: 12 bytes between rows in memory, rows packed"},
    /* clang-format on */
    /* clang-format on */
};

TEST(test_remarks)
{
    char text[4096];
    for (size_t i = 0; i < COUNT(remarks); i++) {
        uint64_t word = (uint64_t)remarks[i].high << 32 | remarks[i].low;
        assert_true(qpu_explain(text, sizeof text, word, 0) < sizeof text);
        if (!strstr(text, remarks[i].says))
            fail_msg("'%s' lacks '%s'", text, remarks[i].says);
    }
}

/* Manual, "Branches": a branch has three delay slots, and the link address is the address after
 * them. */
TEST(test_branch_remarks)
{
    char text[4096];
    qpu_explain(text, sizeof text, UINT64_C(0xf03807e7ffffff68), 0x78); /* the word of brr.anynz
                                                                           ra31, -152 */
    assert_non_null(strstr(text, "branch to 0x00000000 (relative), cond: any Z flag clear\n"));
    assert_non_null(strstr(text, "the return address, 0x00000098, is written if"));
    assert_non_null(strstr(text, "the three instructions after the branch are always executed"));
}
