/* SPDX-License-Identifier: MIT */
/* a2xx_seed.c - tests the statements of seed 002 (A2XX Shader Instruction Set Architecture) about
 * programs, each as a program. Where docs/hardware/a2xx.md, section 18, corrects a statement, the
 * correction is tested.
 *
 * Texts are the seed's. Words are those of docs/hardware/a2xx.md, section 19, which Mesa's
 * disassembler has decoded. Values are worked out by hand, and those of the lighting program are
 * computed from its GLSL in double precision. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <stdio.h>
#include <string.h>

#include <tessera/a2xx.h>

#include "../data/a2xx_lighting.h"
#include "../register.h"

enum { TEXT_MAX = 8192, SLOTS_MAX = 64 };

static void print_diag(void *user, const struct tess_finding *diag)
{
    (void)user;
    print_message("%s: %s\n", diag->id, diag->text);
}

static const struct tess_sink sink = {.report = print_diag};

/* Assembles a text, which must have no errors. Returns the number of its slots. */
static size_t assemble(const char *text, uint32_t words[3 * SLOTS_MAX])
{
    const struct tess_asm_options options = {.machine = TESS_MACHINE_A2XX, .skip_check = true};
    uint8_t *bytes;
    size_t size;
    assert_int_equal(tess_assemble_text(text, strlen(text), "seed", &options, sink, &bytes, &size),
                     TESS_OK);
    assert_int_equal(size % 12, 0);
    assert_true(size <= sizeof(uint32_t) * 3 * SLOTS_MAX);
    memcpy(words, bytes, size);
    tess_free(bytes);
    return size / 12;
}

static void assert_words(const char *text, const uint32_t *words, size_t slots)
{
    uint32_t made[3 * SLOTS_MAX];
    assert_int_equal(assemble(text, made), slots);
    assert_memory_equal(made, words, slots * 12);
}

/* --- running --- */

/* Inputs of a pixel program, and its result, which is exported as colour 0. */
struct pixel {
    float registers[4][4];
    float constants[4][4];
    float colour[4];
    bool killed;
};

static void run_pixel(const char *text, struct pixel *pixel)
{
    const struct tess_asm_options options = {.machine = TESS_MACHINE_A2XX, .skip_check = true};
    struct tess_a2xx_options how = {.machine.threads = 1, .machine.sanitize = TESS_SANITIZE_OFF};
    struct tess_a2xx_program *program;
    struct tess_a2xx *a2xx;
    uint8_t killed = 0;
    struct tess_a2xx_batch batch = {.stage = TESS_A2XX_PIXEL, .count = 1, .killed = &killed};
    assert_int_equal(
        tess_a2xx_program_read(text, strlen(text), "seed.a2xx", &options, sink, &program), TESS_OK);
    how.machine.sink = sink;
    assert_int_equal(tess_a2xx_create(&a2xx, &how), TESS_OK);
    assert_int_equal(tess_a2xx_set_constants(a2xx, TESS_A2XX_PIXEL, 0, &pixel->constants[0][0], 4),
                     TESS_OK);
    assert_int_equal(tess_a2xx_load(a2xx, TESS_A2XX_PIXEL, program), TESS_OK);
    for (unsigned i = 0; i < 4; i++)
        batch.registers[i] = (const float(*)[4]) & pixel->registers[i];
    batch.exports[TESS_A2XX_COLOUR] = &pixel->colour;
    assert_int_equal(tess_a2xx_run(a2xx, &batch), TESS_OK);
    pixel->killed = killed;
    tess_a2xx_destroy(a2xx);
    tess_a2xx_program_free(program);
}

/* Runs instructions in a pixel program that exports R3. */
static void run_lines(const char *lines, struct pixel *pixel)
{
    char text[TEXT_MAX];
    int length = snprintf(text, sizeof text,
                          "EXEC\n%s\nALLOC PARAM/PIXEL SIZE(0x0)\nEXEC_END\n"
                          "      ALU: MAXv export0 = R3, R3\n",
                          lines);
    assert_true(length > 0 && (size_t)length < sizeof text);
    run_pixel(text, pixel);
}

static void assert_colour(const struct pixel *pixel, float x, float y, float z, float w)
{
    assert_true(pixel->colour[0] == x);
    assert_true(pixel->colour[1] == y);
    assert_true(pixel->colour[2] == z);
    assert_true(pixel->colour[3] == w);
}

/* Returns inputs for most programs in this file. */
static struct pixel some_pixel(void)
{
    return (struct pixel){
        .registers = {{1, 2, 3, 4}, {-5, 0.5F, 7.75F, -2.25F}, {16, 4, 0.25F, 1}, {0, 0, 0, 0}},
        .constants = {{10, 20, 30, 40}, {0, 1, -1, 0.5F}, {3, 3, 3, 3}, {2, 4, 8, 16}},
    };
}

/* --- listings --- */

/* Words of the first listing. CONST(10) of the listing is written as (10, 0). */
static const uint32_t first_words[] = {0x00031003, 0x00001000, 0xc2000000, 0x00001004, 0x00001000,
                                       0xc4000000, 0x00000005, 0x00002000, 0x00000000, 0x08a81000,
                                       0x00392a88, 0x0000000c, 0x140f803e, 0x00000000, 0xe2010100};

TEST(first_listing)
{
    assert_words(
        "EXEC ADDR(0x3) CNT(0x1)\n"
        "   (S)FETCH:    VERTEX  R1.xyz1 = R0.x FMT_32_32_32_FLOAT UNSIGNED STRIDE(12) CONST(10)\n"
        "ALLOC COORD SIZE(0x0)\n"
        "EXEC ADDR(0x4) CNT(0x1)\n"
        "      ALU:  MAXv    export62 = R1, R1   ; gl_Position\n"
        "ALLOC PARAM/PIXEL SIZE(0x0)\n"
        "EXEC_END ADDR(0x5) CNT(0x0)\n",
        first_words, 5);
}

TEST(second_listing_is_the_same_in_memory)
{
    assert_words(
        "EXEC ADDR(0x3) CNT(0x1)\n"
        "ALLOC COORD SIZE(0x0)\n"
        "EXEC ADDR(0x4) CNT(0x1)\n"
        "ALLOC PARAM/PIXEL SIZE(0x0)\n"
        "EXEC_END ADDR(0x5) CNT(0x0)\n"
        "   (S)FETCH:    VERTEX  R1.xyz1 = R0.x FMT_32_32_32_FLOAT UNSIGNED STRIDE(12) CONST(10)\n"
        "      ALU:  MAXv    export62 = R1, R1   ; gl_Position\n",
        first_words, 5);
}

TEST(addr_and_cnt_may_be_left_out)
{
    assert_words(
        "EXEC\n"
        "   (S)FETCH:    VERTEX  R1.xyz1 = R0.x FMT_32_32_32_FLOAT UNSIGNED STRIDE(12) CONST(10)\n"
        "ALLOC COORD SIZE(0x0)\n"
        "EXEC\n"
        "      ALU:  MAXv    export62 = R1, R1   ; gl_Position\n"
        "ALLOC PARAM/PIXEL SIZE(0x0)\n"
        "EXEC_END\n",
        first_words, 5);
}

/* --- control flow --- */

/* An EXEC_END skips the rest of the program, even if it is in the middle. */
TEST(exec_end_ends)
{
    struct pixel pixel = some_pixel();
    run_pixel("ALLOC PARAM/PIXEL SIZE(0x0)\n"
              "EXEC\n ALU: MAXv export0 = R0, R0\n"
              "EXEC_END\n ALU: MAXv R3 = R0, R0\n"
              "EXEC_END\n ALU: MAXv export0 = R1, R1\n",
              &pixel);
    assert_colour(&pixel, 1, 2, 3, 4);
}

/* SIZE(0) allocates one export and SIZE(1) two, so the field is the number minus one. This is
 * true in both halves of a slot. */
TEST(alloc_size_is_the_number_minus_one)
{
    uint32_t words[3 * SLOTS_MAX];
    assert_int_equal(assemble("ALLOC COORD SIZE(0x0)\nALLOC PARAM/PIXEL SIZE(0x1)\nEXEC_END\n"
                              " ALU: MAXv export62 = R0, R0\n",
                              words),
                     3);
    /* Opcode 12 is ALLOC. Bits 41 and 42 are its type, 1 or 2. The listing's words begin with
     * 0xc2 and 0xc4. */
    assert_int_equal(words[0], 0);
    assert_int_equal(words[1], 0x0001c200);
    assert_int_equal(words[2], 0xc4000000);
}

/* An odd number of clauses is padded with a NOP, which may be written or implied. A NOP between
 * clauses has no effect. */
TEST(nop_fills_the_second_clause)
{
    uint32_t with[3 * SLOTS_MAX], without[3 * SLOTS_MAX];
    const char *text = "ALLOC PARAM/PIXEL SIZE(0x0)\nNOP\nEXEC_END\n ALU: MAXv export0 = R0, R0\n";
    char padded[TEXT_MAX];
    snprintf(padded, sizeof padded, "%sNOP\n", text);
    assert_int_equal(assemble(text, without), 3);
    assert_int_equal(assemble(padded, with), 3);
    assert_memory_equal(with, without, 3 * 12);
    assert_int_equal(with[4] >> 16, 0);
    assert_int_equal(with[5], 0);
    struct pixel pixel = some_pixel();
    run_pixel(padded, &pixel);
    assert_colour(&pixel, 1, 2, 3, 4);
}

TEST(further_opcodes_manage_loops)
{
    struct pixel pixel = some_pixel();
    run_pixel("@loop(0) 3, 0, 1\n"
              "LOOP_START ADDR(done) LOOP_ID(0)\n"
              "body:\n"
              "EXEC\n ALU: ADDv R3 = R3, R0\n"
              "LOOP_END ADDR(body) LOOP_ID(0)\n"
              "done:\n"
              "ALLOC PARAM/PIXEL SIZE(0x0)\n"
              "EXEC_END\n ALU: MAXv export0 = R3, R3\n",
              &pixel);
    assert_colour(&pixel, 3, 6, 9, 12);
}

/* --- ALU --- */

/* The combined instruction MULv R2.xyz_ = R3.zzzw, C10 with RCP R4.x___ = R0 is tested for its
 * words and its results. */
TEST(combined_example)
{
    uint32_t words[3 * SLOTS_MAX];
    const char *pair = "EXEC_END\n      ALU:    MULv    R2.xyz_ = R3.zzzw, C10\n"
                       "              RCP R4.x___ = R0\n";
    assert_int_equal(assemble(pair, words), 2);
    const uint32_t expected[] = {0x4c170402, 0x00060000, 0xa1030a00};
    assert_memory_equal(words + 3, expected, sizeof expected);

    struct pixel pixel = some_pixel();
    run_lines("ALU: MULv R3.xyz_ = R1.zzzw, C2\n RCP R3.___w = R0\n", &pixel);
    assert_colour(&pixel, 23.25F, 23.25F, 23.25F, 0.25F); /* 7.75 * 3, and 1 / R0.w in w */
}

TEST(scalar_alone)
{
    struct pixel pixel = some_pixel();
    run_lines("ALU: MAXv R0.____ = R0, R0\n RSQ R3.___w = R2.xyzx\n", &pixel);
    assert_colour(&pixel, 0, 0, 0, 0.25F); /* 1 / sqrt(16) */
    uint32_t words[3 * SLOTS_MAX];
    assert_int_equal(
        assemble("EXEC_END\n ALU: MAXv R0.____ = R0, R0\n RSQ R0.___w = R4.xyzx\n", words), 2);
    const uint32_t expected[] = {0x58800000, 0x00000040, 0xe2000004};
    assert_memory_equal(words + 3, expected, sizeof expected);
}

/* An instruction has three sources. If MULADDv uses the third, it is written first. Otherwise
 * the third is the source of the scalar operation. */
TEST(third_source)
{
    struct pixel pixel = some_pixel();
    run_lines("ALU: MULADDv R3 = C0, R0, C2\n", &pixel);
    assert_colour(&pixel, 13, 26, 39, 52);
    uint32_t words[3 * SLOTS_MAX];
    assert_int_equal(assemble("EXEC_END\n ALU: MULADDv R0.xyz_ = C11.xxzw, -R0, R4.xxxw\n", words),
                     2);
    const uint32_t expected[] = {0x14070000, 0x04002c0c, 0xcb00040b};
    assert_memory_equal(words + 3, expected, sizeof expected);
}

TEST(vector_operations)
{
    const struct {
        const char *line;
        float x, y, z, w;
    } operations[] = {
        /* clang-format off */
        /* clang-format off */
        {"ALU: ADDv R3 = R0, R1",        -4,     2.5F,   10.75F, 1.75F},
        {"ALU: MULv R3 = R0, R1",        -5,     1,      23.25F, -9},
        {"ALU: MAXv R3 = R0, R1",        1,      2,      7.75F,  4},
        {"ALU: MAXv R3 = R1, R1",        -5,     0.5F,   7.75F,  -2.25F},
        {"ALU: MINv R3 = R0, R1",        -5,     0.5F,   3,      -2.25F},
        {"ALU: FLOORv R3 = R1",          -5,     0,      7,      -3},
        {"ALU: MULADDv R3 = R2, R0, R1", 11,     5,      23.5F,  -8},
        {"ALU: DOT4v R3 = R0, R1",       10.25F, 10.25F, 10.25F, 10.25F},
        {"ALU: DOT3v R3 = R0, R1",       19.25F, 19.25F, 19.25F, 19.25F},
        /* clang-format on */
        /* clang-format on */
    };
    for (size_t i = 0; i < sizeof operations / sizeof operations[0]; i++) {
        struct pixel pixel = some_pixel();
        run_lines(operations[i].line, &pixel);
        assert_colour(&pixel, operations[i].x, operations[i].y, operations[i].z, operations[i].w);
    }
}

/* Scalar operations read the component that the swizzle selects for w. MUL and ADD read a
 * constant and a register (docs/hardware/a2xx.md, section 8). Here these are C3.x and R0.w. The
 * swizzle's first component selects w of R0. */
TEST(scalar_operations)
{
    const struct {
        const char *line;
        float value;
    } operations[] = {
        /* clang-format off */
        /* clang-format off */
        {"MOV R3.x___ = R1",       -2.25F},
        {"EXP2 R3.x___ = R0.xyzz", 8},
        {"LOG2 R3.x___ = R2.xyzx", 4},
        {"RCP R3.x___ = R0",       0.25F},
        {"RSQ R3.x___ = R2.xyzy",  0.5F},
        {"SQRT R3.x___ = R2.xyzx", 4},
        {"MUL R3.x___ = C3.wyzx",  8},
        {"ADD R3.x___ = C3.wyzx",  6},
        /* clang-format on */
        /* clang-format on */
    };
    for (size_t i = 0; i < sizeof operations / sizeof operations[0]; i++) {
        struct pixel pixel = some_pixel();
        char lines[256];
        snprintf(lines, sizeof lines, "ALU: MAXv R0.____ = R0, R0\n %s\n", operations[i].line);
        run_lines(lines, &pixel);
        assert_colour(&pixel, operations[i].value, 0, 0, 0);
    }
}

/* PSETE sets the predicate if its operand is 0. Instructions with EQ run if the predicate is
 * true, and instructions with NE if it is false. */
TEST(predicate)
{
    static const char *const lines = "ALU: MAXv R0.____ = R0, R0\n PSETE R2.____ = C1.%s\n"
                                     "ALU: MAXvEQ R3.x___ = R0, R0\nALU: MAXvNE R3._y__ = R0, R0\n";
    for (unsigned zero = 0; zero < 2; zero++) {
        struct pixel pixel = some_pixel();
        char text[512];
        snprintf(text, sizeof text, lines, zero ? "xxxx" : "yyyy");
        run_lines(text, &pixel);
        assert_colour(&pixel, zero ? 1 : 0, zero ? 0 : 2, 0, 0);
    }
}

/* Tests swizzles that select each component, in all four positions. */
TEST(swizzles)
{
    static const char letters[] = "xyzw";
    for (unsigned code = 0; code < 256; code++) {
        struct pixel pixel = some_pixel();
        unsigned from[4];
        char line[64], names[5] = "";
        for (unsigned i = 0; i < 4; i++) {
            from[i] = code >> 2 * i & 3;
            names[i] = letters[from[i]];
        }
        snprintf(line, sizeof line, "ALU: MAXv R3 = R0.%s, R0.%s\n", names, names);
        run_lines(line, &pixel);
        assert_colour(&pixel, (float)(from[0] + 1), (float)(from[1] + 1), (float)(from[2] + 1),
                      (float)(from[3] + 1));
    }
}

TEST(masks_negate_and_absolute_value)
{
    struct pixel pixel = some_pixel();
    run_lines("ALU: MAXv R3._y_w = -R1, -R1\n", &pixel);
    assert_colour(&pixel, 0, -0.5F, 0, 2.25F);
    pixel = some_pixel();
    run_lines("ALU: MAXv R3.x__w = -|R1|, -|R1|\n", &pixel);
    assert_colour(&pixel, -5, 0, 0, -2.25F);
}

/* A single instruction can export both of its results. The program is the last example of the
 * seed. */
TEST(export_of_both)
{
    struct pixel pixel = some_pixel();
    run_pixel("ALLOC PARAM/PIXEL SIZE(0x0)\nEXEC_END\n"
              " ALU: MULv export0.xyz_ = R1, R0.xxxw\n      MOV export0.___w = C1.xyzy\n",
              &pixel);
    assert_colour(&pixel, -5, 0.5F, 7.75F, 1);
    uint32_t words[3 * SLOTS_MAX];
    assert_int_equal(assemble("EXEC_END\n ALU: MULv export0.xyz_ = R1, R0.xxxw\n"
                              "      MOV export0.___w = C12.xyzx\n",
                              words),
                     2);
    const uint32_t expected[] = {0x14878000, 0x00002c40, 0xc101000c};
    assert_memory_equal(words + 3, expected, sizeof expected);
}

/* --- the complete example --- */

/* The seed's fetches from CONST(4) by R0.z, R0.x and R0.y read slots 2, 0 and 1 of fetch
 * constant 20 (docs/hardware/a2xx.md, section 18). The rest of the program is the seed's. */
#define LIGHTING(color, position, normal)                                                    \
    " ;;;; const/register assignment:\n"                                                     \
    " ; R0: vVaryingColor\n"                                                                 \
    "EXEC\n"                                                                                 \
    "      FETCH:  VERTEX  R1.xyz_ = " color "\n"                                            \
    "      FETCH:  VERTEX  R2.xyz1 = " position "\n"                                         \
    "      FETCH:  VERTEX  R3.xyz_ = " normal "\n"                                           \
    "   (S)ALU:    MULv    R0 = R2.wwww, C7           ; -> modelviewProjectionMatrix * "     \
    "in_position\n"                                                                          \
    "      ALU:    MULADDv R0 = R0, R2.zzzz, C6       ; -> modelviewProjectionMatrix * "     \
    "in_position\n"                                                                          \
    "      ALU:    MULADDv R0 = R0, R2.yyyy, C5       ; -> modelviewProjectionMatrix * "     \
    "in_position\n"                                                                          \
    "ALLOC COORD SIZE(0x0)\n"                                                                \
    "EXEC\n"                                                                                 \
    "      ALU:    MULADDv export62 = R0, R2.xxxx, C4 ; gl_Position = ...\n"                 \
    "      ALU:    MULv    R0 = R2.wwww, C3           ; -> modelviewMatrix * in_position\n"  \
    "      ALU:    MULADDv R0 = R0, R2.zzzz, C2       ; -> modelviewMatrix * in_position\n"  \
    "      ALU:    MULADDv R0 = R0, R2.yyyy, C1       ; -> modelviewMatrix * in_position\n"  \
    "      ALU:    MULADDv R0 = R0, R2.xxxx, C0       ; vec4 vPosition4\n"                   \
    "      ALU:    MULv    R2.xyz_ = R3.zzzw, C10     ; -> normalMatrix * in_normal\n"       \
    "              RCP     R4.x___ = R0               ; -> 1 / vPosition4.w\n"               \
    "EXEC\n"                                                                                 \
    "      ALU:    MULADDv R0.xyz_ = C11.xxzw, -R0, R4.xxxw ; -> lightSource - ...\n"        \
    "      ALU:    DOT3v   R4.x___ = R0, R0                 ; -> normalize(...)\n"           \
    "      ALU:    MULADDv R2.xyz_ = R2, R3.yyyw, C9        ; -> normalMatrix * in_normal\n" \
    "      ALU:    MULADDv R2.xyz_ = R2, R3.xxxw, C8        ; vec3 vEyeNormal\n"             \
    "ALLOC PARAM/PIXEL SIZE(0x0)\n"                                                          \
    "EXEC_END\n"                                                                             \
    "      ALU:    MAXv    R0.____ = R0, R0\n"                                               \
    "              RSQ     R0.___w = R4.xyzx          ; -> normalize(...)\n"                 \
    "      ALU:    MULv    R0.xyz_ = R0, R0.wwww      ; -> vec3 vLightDir\n"                 \
    "      ALU:    DOT3v   R0.x___ = R2, R0           ; -> dot(vEyeNormal, vLightDir)\n"     \
    "      ALU:    MAXv    R0.x___ = R0, C11.wyzw     ; float diff = max(0.0, ...)\n"        \
    "      ALU:    MULv    export0.xyz_ = R1, R0.xxxw ; vVaryingColor.xyz_\n"                \
    "              MOV     export0.___w = C12.xyzx    ; vVaryingColor.___w  = 1.0\n"

#define FORMAT " FMT_32_32_32_FLOAT SIGNED STRIDE(12) "

static const char seed_text[] = LIGHTING("R0.z" FORMAT "CONST(4)", "R0.x" FORMAT "CONST(4)",
                                         "R0.y" FORMAT "CONST(4)");
static const char today_text[] = LIGHTING(
    "R0.x" FORMAT "CONST(20, 2)", "R0.x" FORMAT "CONST(20, 0)", "R0.x" FORMAT "CONST(20, 1)");

TEST(complete_example_words)
{
    uint32_t words[3 * SLOTS_MAX], old[3 * SLOTS_MAX];
    assert_int_equal(assemble(today_text, words), LIGHTING_SLOTS);
    expect_lighting_words(words);

    /* In the seed's syntax, the register's component selects one of the three slots of the
     * constant. The constant's number lacks its highest bit. */
    assert_int_equal(assemble(seed_text, old), LIGHTING_SLOTS);
    assert_memory_equal(old, words, LIGHTING_SLOTS * 3 * sizeof *words);
}

/* Multiplies a column-major matrix and a vector. */
static void transform(const float *matrix, unsigned rows, unsigned columns, const double *vector,
                      double *result)
{
    for (unsigned row = 0; row < rows; row++) {
        result[row] = 0;
        for (unsigned column = 0; column < columns; column++)
            result[row] += (double)matrix[4 * column + row] * vector[column];
    }
}

/* Computes main() of the seed's GLSL in double precision. */
static void lighting(const float (*constants)[4], const float in_position[3],
                     const float in_normal[3], const float in_color[3], double position[4],
                     double color[4])
{
    const double light[3] = {2, 2, 20};
    const double vertex[4] = {in_position[0], in_position[1], in_position[2], 1};
    const double normal[3] = {in_normal[0], in_normal[1], in_normal[2]};
    double eye[4], eye_normal[3], direction[3], length = 0, diff = 0;
    transform(&constants[4][0], 4, 4, vertex, position);
    transform(&constants[8][0], 3, 3, normal, eye_normal);
    transform(&constants[0][0], 4, 4, vertex, eye);
    for (unsigned i = 0; i < 3; i++) {
        direction[i] = light[i] - eye[i] / eye[3];
        length += direction[i] * direction[i];
    }
    for (unsigned i = 0; i < 3; i++)
        diff += eye_normal[i] * direction[i] / sqrt(length);
    for (unsigned i = 0; i < 3; i++)
        color[i] = (diff > 0 ? diff : 0) * (double)in_color[i];
    color[3] = 1;
}

enum { VERTICES = 5, BUFFER = 0x10000 };

static float buffers[3][VERTICES][3] = {
    {{0, 0, 0}, {1, -2, 3}, {-4, 0.5F, 2}, {0.125F, 8, -1}, {3, 3, 3}}, /* values of in_position */
    {{0, 0, 1},
     {0.6F, 0, 0.8F},
     {0, -1, 0},
     {-0.36F, 0.48F, 0.8F},
     {0, 1, 0}}, /* values of in_normal */
    {{1, 1, 1},
     {1, 0.5F, 0.25F},
     {0.2F, 0.3F, 0.4F},
     {0, 1, 0},
     {1, 0, 1}}, /* values of in_color */
};
static const float constants[13][4] = {
    /* clang-format off */
    /* clang-format off */
    {0.8F,  0.6F,  0,     0},
    {-0.6F, 0.8F,  0,     0},
    {0,     0,     1,     0},
    {0.5F,  -1,    -6,    1},
    {1.2F,  0.7F,  0,     0},
    {-0.9F, 1.1F,  0,     0},
    {0,     0,     -1.2F, -1},
    {0.75F, -1.5F, 5,     6},
    {0.8F,  0.6F,  0,     0},
    {-0.6F, 0.8F,  0,     0},
    {0,     0,     1,     0},
    {2,     2,     20,    0},
    {1,     0,     0,     0},
    /* clang-format on */
    /* clang-format on */
};

TEST(complete_example_gives_what_its_glsl_says)
{
    const struct tess_asm_options options = {.machine = TESS_MACHINE_A2XX, .skip_check = true};
    struct tess_a2xx_options how = {.machine.threads = 1};
    struct tess_a2xx_program *program;
    struct tess_a2xx *a2xx;
    float position[VERTICES][4], color[VERTICES][4];
    assert_int_equal(tess_a2xx_program_read(today_text, strlen(today_text), "seed.a2xx", &options,
                                            sink, &program),
                     TESS_OK);
    assert_int_equal(tess_a2xx_program_stage(program), TESS_A2XX_VERTEX);
    how.machine.sink = sink;
    assert_int_equal(tess_a2xx_create(&a2xx, &how), TESS_OK);
    assert_int_equal(tess_a2xx_set_constants(a2xx, TESS_A2XX_VERTEX, 0, &constants[0][0], 13),
                     TESS_OK);
    for (uint32_t i = 0; i < 3; i++) {
        uint32_t words[2];
        tess_a2xx_vertex_constant(BUFFER * (i + 1), sizeof buffers[i], words);
        assert_int_equal(
            tess_a2xx_map(a2xx, BUFFER * (i + 1), buffers[i], sizeof buffers[i], false), TESS_OK);
        assert_int_equal(tess_a2xx_set_fetch(a2xx, 2 * (20 * 3 + i), words, 2), TESS_OK);
    }
    assert_int_equal(tess_a2xx_load(a2xx, TESS_A2XX_VERTEX, program), TESS_OK);
    struct tess_a2xx_batch batch = {.stage = TESS_A2XX_VERTEX, .count = VERTICES};
    batch.exports[TESS_A2XX_POSITION] = position;
    batch.exports[TESS_A2XX_PARAMETER] = color;
    assert_int_equal(tess_a2xx_run(a2xx, &batch), TESS_OK);
    for (unsigned v = 0; v < VERTICES; v++) {
        double expected_position[4], expected_color[4];
        lighting(constants, buffers[0][v], buffers[1][v], buffers[2][v], expected_position,
                 expected_color);
        for (unsigned i = 0; i < 4; i++) {
            assert_true(fabs((double)position[v][i] - expected_position[i]) < 1e-5);
            assert_true(fabs((double)color[v][i] - expected_color[i]) < 1e-5);
        }
    }
    tess_a2xx_destroy(a2xx);
    tess_a2xx_program_free(program);
}
