/* SPDX-License-Identifier: MIT */
/* ops.c - tests each operation of the A2xx. Values are from docs/hardware/a2xx.md, sections 7 to
 * 10 and 12, or computed by hand. */
#include <float.h>
#include <math.h>

#include "../../register.h"
#include "a2xx/shader/functions.h"
#include "a2xx/shader/ops.h"
#include "rig.h"

#define INF INFINITY

enum { ONE_LANE = 1 };

static const float tiny = 0x1p-130f; /* a denormal */

/* Runs one vector operation on R0, R1 and R2, and exports its result R3. */
static void run_vector(struct rig *rig, unsigned opcode)
{
    const struct a2xx_alu alu[] = {
        {RIG_OPS(opcode, A2XX_S_RETAIN_PREV), RIG_REGISTERS, .vector_dest = 3,
         .vector_write_mask = 15, .src1 = 0, .src2 = 1, .src3 = 2},
        {RIG_OPS(A2XX_V_MAX, A2XX_S_MAX), RIG_REGISTERS, .export_data = 1, .vector_dest = 0,
         .vector_write_mask = 15, .src1 = 3, .src2 = 3},
    };
    rig->inputs = 3;
    rig_pixel(rig, alu, 2);
    assert_int_equal(rig_run(rig, ONE_LANE), TESS_OK);
}

/* Compares the bits of two floats, so that zeros of different signs are different. All NaNs are
 * equal. */
static void same(const char *what, unsigned component, float got, float wanted)
{
    if (isnan(wanted) ? !isnan(got) : float_bits(got) != float_bits(wanted))
        fail_msg("%s.%c: %a, not %a", what, "xyzw"[component], (double)got, (double)wanted);
}

static void set(struct rig *rig, unsigned number, const float value[4])
{
    memcpy(rig->in[number][0], value, sizeof rig->in[number][0]);
}

struct vector_row {
    unsigned opcode;
    float s1[4], s2[4], s3[4], result[4];
};

/* clang-format off */
static const struct vector_row vector_rows[] = {
    {A2XX_V_ADD, {1, -2, INF, 0.5f}, {2, 2, -INF, 0.25f}, {0}, {3, 0, NAN, 0.75f}},
    {A2XX_V_ADD, {-0.0f, -0.0f, FLT_MAX, 0x1p-130f}, {0.0f, -0.0f, FLT_MAX, 1}, {0},
     {0.0f, -0.0f, INF, 1}},
    /* 0 times any number is +0 */
    {A2XX_V_MUL, {2, 0, -0.0f, INF}, {3, INF, -5, 0}, {0}, {6, 0, 0, 0}},
    {A2XX_V_MUL, {0, -3, INF, 0x1p-100f}, {NAN, 0.5f, -2, 0x1p-100f}, {0}, {0, -1.5f, -INF, 0}},
    /* denormal operands and results become 0 */
    {A2XX_V_MUL, {0x1p-130f, -0x1p-60f, 1, 1}, {INF, 0x1p-70f, NAN, 2}, {0}, {0, -0.0f, NAN, 2}},
    /* NaN in source 1: source 2; if equal: source 1 */
    {A2XX_V_MAX, {1, NAN, -0.0f, 5}, {2, 7, 0.0f, NAN}, {0}, {2, 7, -0.0f, NAN}},
    {A2XX_V_MIN, {1, NAN, -0.0f, 5}, {2, 7, 0.0f, NAN}, {0}, {1, 7, 0.0f, NAN}},
    {A2XX_V_SETE, {1, 2, NAN, -0.0f}, {1, 3, NAN, 0.0f}, {0}, {1, 0, 0, 1}},
    {A2XX_V_SETGT, {1, 4, NAN, 2}, {1, 3, 1, INF}, {0}, {0, 1, 0, 0}},
    {A2XX_V_SETGTE, {1, 4, NAN, 2}, {1, 3, 1, INF}, {0}, {1, 1, 0, 0}},
    {A2XX_V_SETNE, {1, 4, NAN, 2}, {1, 3, NAN, 2}, {0}, {0, 1, 1, 0}},
    {A2XX_V_FRAC, {1.25f, -1.25f, INF, 3}, {0}, {0}, {0.25f, 0.75f, NAN, 0}},
    {A2XX_V_TRUNC, {1.75f, -1.75f, -0.5f, 0x1p30f}, {0}, {0}, {1, -1, -0.0f, 0x1p30f}},
    {A2XX_V_FLOOR, {1.75f, -1.25f, -0.5f, -INF}, {0}, {0}, {1, -2, -1, -INF}},
    /* +0 + -0 is +0 */
    {A2XX_V_MULADD, {2, 0, 0, 3}, {3, INF, NAN, -1}, {4, 5, -0.0f, 3}, {10, 5, 0, 0}},
    {A2XX_V_MULADD, {0x1.000002p0f, 1, 1, 1}, {0x1.000002p0f, 1, 1, 1}, {-0x1.000004p0f, 1, 1, 1},
     {0, 2, 2, 2}}, /* product and sum are rounded separately */
    {A2XX_V_CNDE, {0, -0.0f, 1, NAN}, {1, 2, 3, 4}, {5, 6, 7, 8}, {1, 2, 7, 8}},
    {A2XX_V_CNDGTE, {0, -1, 1, NAN}, {1, 2, 3, 4}, {5, 6, 7, 8}, {1, 6, 3, 8}},
    {A2XX_V_CNDGT, {0, -1, 1, NAN}, {1, 2, 3, 4}, {5, 6, 7, 8}, {5, 6, 3, 8}},
    {A2XX_V_DOT4, {1, 2, 3, 4}, {5, 6, 7, 8}, {0}, {70, 70, 70, 70}},
    {A2XX_V_DOT4, {1, 0, 0, 0}, {5, INF, NAN, 8}, {0}, {5, 5, 5, 5}},
    {A2XX_V_DOT3, {1, 2, 3, INF}, {5, 6, 7, 8}, {0}, {38, 38, 38, 38}},
    {A2XX_V_DOT2ADD, {1, 2, INF, INF}, {5, 6, 7, 8}, {100, INF, INF, INF}, {117, 117, 117, 117}},
    /* greatest is z; (1, 2, 3) is read as zzxy and yxzz */
    {A2XX_V_CUBE, {3, 3, 1, 2}, {2, 1, 3, 3}, {0}, {-2, 1, 6, 4}},
    {A2XX_V_CUBE, {-3, -3, 1, 2}, {2, 1, -3, -3}, {0}, {-2, -1, -6, 5}},
    {A2XX_V_CUBE, {1, 1, 2, 3}, {3, 2, 1, 1}, {0}, {1, 2, 6, 2}},                     /* y */
    {A2XX_V_CUBE, {1, 1, 2, -3}, {-3, 2, 1, 1}, {0}, {-1, 2, -6, 3}},
    {A2XX_V_CUBE, {1, 1, 3, 2}, {2, 3, 1, 1}, {0}, {-2, -1, 6, 0}},                   /* x */
    {A2XX_V_CUBE, {1, 1, -3, 2}, {2, -3, 1, 1}, {0}, {-2, 1, -6, 1}},
    {A2XX_V_MAX4, {1, 4, 3, 2}, {0}, {0}, {4, 4, 4, 4}},
    /* if equal: the first component */
    {A2XX_V_MAX4, {-0.0f, 0.0f, -1, -1}, {0}, {0}, {-0.0f, -0.0f, -0.0f, -0.0f}},
    {A2XX_V_PRED_SETE_PUSH, {0, 9, 9, 0}, {0, 9, 9, 0}, {0}, {0, 0, 0, 0}},
    {A2XX_V_PRED_SETNE_PUSH, {0, 9, 9, 0}, {0, 9, 9, 1}, {0}, {1, 1, 1, 1}},
    {A2XX_V_PRED_SETGT_PUSH, {2, 9, 9, 2}, {1, 9, 9, 1}, {0}, {3, 3, 3, 3}},
    {A2XX_V_PRED_SETGTE_PUSH, {0, 9, 9, 0}, {0, 9, 9, -1}, {0}, {0, 0, 0, 0}},
    {A2XX_V_DST, {9, 3, 5, 9}, {9, 4, 9, 7}, {0}, {1, 12, 5, 7}},
    {A2XX_V_DST, {9, 0, 5, 9}, {9, INF, 9, 7}, {0}, {1, 0, 5, 7}},
    {A2XX_V_MOVA, {1, 2, 3, 4}, {4, 3, 2, 1}, {0}, {4, 3, 3, 4}},
};
/* clang-format on */

TEST(test_vector)
{
    for (size_t i = 0; i < sizeof vector_rows / sizeof vector_rows[0]; i++) {
        const struct vector_row *row = &vector_rows[i];
        static struct rig rig;
        memset(&rig, 0, sizeof rig);
        set(&rig, 0, row->s1);
        set(&rig, 1, row->s2);
        set(&rig, 2, row->s3);
        run_vector(&rig, row->opcode);
        for (unsigned c = 0; c < 4; c++)
            same(a2xx_vector_ops[row->opcode].mnemonic, c, rig.out[0][0][c], row->result[c]);
        rig_free(&rig);
    }
}

struct scalar_row {
    unsigned opcode;
    float a, b, previous, result;
};

static const struct scalar_row scalar_rows[] = {
    /* clang-format off */
    /* clang-format off */
    {A2XX_S_ADD,              3,      4,   0,        7},
    {A2XX_S_ADD_PREV,         3,      9,   5,        8},
    {A2XX_S_MUL,              3,      4,   0,        12},
    {A2XX_S_MUL,              0,      INF, 0,        0},
    {A2XX_S_MUL_PREV,         3,      9,   5,        15},
    {A2XX_S_MUL_PREV,         -0.0f,  9,   INF,      0},
    {A2XX_S_MUL_PREV2,        3,      1,   5,        15},
    {A2XX_S_MUL_PREV2,        3,      0,   5,        -FLT_MAX},
    {A2XX_S_MUL_PREV2,        3,      INF, 5,        -FLT_MAX},
    {A2XX_S_MUL_PREV2,        3,      1,   -FLT_MAX, -FLT_MAX},
    {A2XX_S_MUL_PREV2,        3,      1,   INF,      -FLT_MAX},
    {A2XX_S_MAX,              3,      4,   0,        4},
    {A2XX_S_MAX,              NAN,    4,   0,        4},
    {A2XX_S_MIN,              3,      4,   0,        3},
    {A2XX_S_SETE,             -0.0f,  9,   0,        1},
    {A2XX_S_SETGT,            0,      9,   0,        0},
    {A2XX_S_SETGTE,           0,      9,   0,        1},
    {A2XX_S_SETNE,            NAN,    9,   0,        1},
    {A2XX_S_FRAC,             -0.25f, 9,   0,        0.75f},
    {A2XX_S_TRUNC,            -2.5f,  9,   0,        -2},
    {A2XX_S_FLOOR,            -2.5f,  9,   0,        -3},
    {A2XX_S_EXP_IEEE,         3,      9,   0,        8},
    {A2XX_S_EXP_IEEE,         0.5f,   9,   0,        0x1.6a09e6p0f},  /* sqrt 2 = 1.41421356.. */
    {A2XX_S_EXP_IEEE,         -200,   9,   0,        0},
    {A2XX_S_EXP_IEEE,         128,    9,   0,        INF},
    {A2XX_S_LOG_CLAMP,        0,      9,   0,        -FLT_MAX},
    {A2XX_S_LOG_CLAMP,        8,      9,   0,        3},
    {A2XX_S_LOG_IEEE,         0,      9,   0,        -INF},
    {A2XX_S_LOG_IEEE,         1,      9,   0,        0},
    {A2XX_S_LOG_IEEE,         -1,     9,   0,        NAN},
    {A2XX_S_RECIP_CLAMP,      -0.0f,  9,   0,        -FLT_MAX},
    {A2XX_S_RECIP_FF,         -0.0f,  9,   0,        -0.0f},
    {A2XX_S_RECIP_IEEE,       -0.0f,  9,   0,        -INF},
    {A2XX_S_RECIP_IEEE,       4,      9,   0,        0.25f},
    {A2XX_S_RECIP_IEEE,       3,      9,   0,        0x1.555556p-2f},
    {A2XX_S_RECIPSQ_CLAMP,    0,      9,   0,        FLT_MAX},
    {A2XX_S_RECIPSQ_FF,       0,      9,   0,        0},
    {A2XX_S_RECIPSQ_IEEE,     0,      9,   0,        INF},
    {A2XX_S_RECIPSQ_IEEE,     -1,     9,   0,        NAN},
    {A2XX_S_RECIPSQ_IEEE,     16,     9,   0,        0.25f},
    {A2XX_S_MOVA,             3,      4,   0,        4},
    {A2XX_S_MOVA_FLOOR,       3,      4,   0,        4},
    {A2XX_S_SUB,              3,      4,   0,        -1},
    {A2XX_S_SUB_PREV,         3,      9,   5,        -2},
    {A2XX_S_PRED_SETE,        0,      9,   0,        0},
    {A2XX_S_PRED_SETNE,       0,      9,   0,        1},
    {A2XX_S_PRED_SETGT,       1,      9,   0,        0},
    {A2XX_S_PRED_SETGTE,      -1,     9,   0,        1},
    {A2XX_S_PRED_SET_INV,     1,      9,   0,        0},
    {A2XX_S_PRED_SET_INV,     0,      9,   0,        1},
    {A2XX_S_PRED_SET_INV,     3,      9,   0,        3},
    {A2XX_S_PRED_SET_POP,     1,      9,   0,        0},
    {A2XX_S_PRED_SET_POP,     3,      9,   0,        2},
    {A2XX_S_PRED_SET_CLR,     3,      9,   0,        FLT_MAX},
    {A2XX_S_PRED_SET_RESTORE, 0,      9,   0,        0},
    {A2XX_S_PRED_SET_RESTORE, 2,      9,   0,        2},
    {A2XX_S_KILLE,            1,      9,   0,        0},
    {A2XX_S_KILLGT,           0,      9,   0,        0},
    {A2XX_S_KILLGTE,          -1,     9,   0,        0},
    {A2XX_S_KILLNE,           0,      9,   0,        0},
    {A2XX_S_KILLONE,          2,      9,   0,        0},
    {A2XX_S_SQRT_IEEE,        2,      9,   0,        0x1.6a09e6p0f},
    {A2XX_S_SQRT_IEEE,        -0.0f,  9,   0,        -0.0f},
    {A2XX_S_SIN,              0,      9,   0,        0},
    {A2XX_S_SIN,              1,      9,   0,        0x1.aed548p-1f}, /* 0.841470985 */
    {A2XX_S_SIN,              INF,    9,   0,        NAN},
    {A2XX_S_COS,              0,      9,   0,        1},
    {A2XX_S_COS,              1,      9,   0,        0x1.14a28p-1f},  /* 0.540302306 */
    {A2XX_S_RETAIN_PREV,      3,      9,   5,        5},
    /* clang-format on */
    /* clang-format on */
};

/* Runs the scalar operations. Operand a is R0.w. Operand b is R0.x on Adreno and R0.z on the
 * Xenos (isa/a2xx/facts.h). The previous result is R1.w, which an earlier instruction sets. */
static void scalar_of(enum tess_a2xx_variant variant)
{
    bool xenos = variant == TESS_A2XX_XENOS;
    for (size_t i = 0; i < sizeof scalar_rows / sizeof scalar_rows[0]; i++) {
        const struct scalar_row *row = &scalar_rows[i];
        const struct a2xx_alu alu[] = {
            {RIG_OPS(A2XX_V_MAX, A2XX_S_MAX), RIG_REGISTERS, .src1 = 0, .src2 = 0, .src3 = 1,
             .src3_swiz = 1}, /* a is R1.w, b is R1.y */
            {RIG_OPS(A2XX_V_MAX, row->opcode), RIG_REGISTERS, .scalar_dest = 3,
             .scalar_write_mask = 15},
            {RIG_OPS(A2XX_V_MAX, A2XX_S_MAX), RIG_REGISTERS, .export_data = 1,
             .vector_write_mask = 15, .src1 = 3, .src2 = 3},
        };
        static struct rig rig;
        memset(&rig, 0, sizeof rig);
        rig.variant = variant;
        set(&rig, 0, (const float[4]){xenos ? NAN : row->b, NAN, xenos ? row->b : NAN, row->a});
        set(&rig, 1,
            (const float[4]){NAN, xenos ? NAN : row->previous, row->previous, row->previous});
        rig.inputs = 2;
        rig_pixel(&rig, alu, 3);
        assert_int_equal(rig_run(&rig, ONE_LANE), TESS_OK);
        for (unsigned c = 0; c < 4; c++)
            same(a2xx_scalar_ops[row->opcode].mnemonic, c, rig.out[0][0][c], row->result);
        rig_free(&rig);
    }
}

TEST(test_scalar)
{
    scalar_of(TESS_A2XX_ADRENO);
    scalar_of(TESS_A2XX_XENOS);
}

/* Computes 1 / sqrt() of 64 floats, and compares the results with those of a2xx_rsqrt(). */
static void compare_recipsq(const struct a2xx_handlers *handlers, uint32_t first, uint32_t step)
{
    static struct a2xx_row a;
    static struct a2xx_values values = {.a = &a, .lanes = A2XX_ALL_LANES};
    for (unsigned lane = 0; lane < A2XX_LANES; lane++)
        a.lane[lane] = first + lane * step;
    handlers->scalar[A2XX_S_RECIPSQ_IEEE](&values);
    for (unsigned lane = 0; lane < A2XX_LANES; lane++)
        same("recipsq", 3, bits_float(values.ps.lane[lane]), a2xx_rsqrt(bits_float(a.lane[lane])));
}

/* Tests a sample of all floats, with the portable functions and with the host's. */
TEST(test_recipsq)
{
    const uint32_t step = 4099;
    for (uint64_t first = 0; first <= UINT32_MAX; first += step * A2XX_LANES) {
        compare_recipsq(&a2xx_handlers_portable, (uint32_t)first, step);
        compare_recipsq(a2xx_handlers_native(), (uint32_t)first, step);
    }
}

/* Tests C5.w * R7.x, C5.w + R7.x and C5.w - R7.x. Register number 7 consists of opcode bit 0,
 * the select bit, and bit 2 of the swizzle (docs/hardware/a2xx.md, section 8). */
static void const_ops_of(enum tess_a2xx_variant variant)
{
    static const struct {
        unsigned opcode;
        float result;
    } rows[] = {
        {A2XX_S_MUL_CONST_1, 12},
        {A2XX_S_ADD_CONST_1, 7},
        {A2XX_S_SUB_CONST_1, -1},
    };
    for (unsigned i = 0; i < 3; i++) {
        static struct rig rig;
        const struct a2xx_alu alu[] = {
            {RIG_OPS(A2XX_V_MAX, rows[i].opcode), .src1_sel = 1, .src2_sel = 1, .scalar_dest = 3,
             .scalar_write_mask = 1, .src3 = 5, .src3_sel = 1, .src3_swiz = 1 << 2},
            {RIG_OPS(A2XX_V_MAX, A2XX_S_MAX), RIG_REGISTERS, .export_data = 1,
             .vector_write_mask = 1, .src1 = 3, .src2 = 3},
        };
        memset(&rig, 0, sizeof rig);
        rig.variant = variant;
        rig.inputs = 8;
        set(&rig, 7, (const float[4]){4, 0, 0, 0});
        rig_pixel(&rig, alu, 2);
        rig_constant(&rig, 5, 0, 0, 0, 3);
        assert_int_equal(rig_run(&rig, ONE_LANE), TESS_OK);
        same("const", 0, rig.out[0][0][0], rows[i].result);
        rig_free(&rig);
    }
}

/* Operations with a constant are tested on both variants. On the Xenos, other operations use
 * some of the register number's swizzle bits to select their second operand. */
TEST(test_const_ops)
{
    const_ops_of(TESS_A2XX_ADRENO);
    const_ops_of(TESS_A2XX_XENOS);
}

/* RECIPSQ_IEEE reads the old value of R2, although the DOT3v of the same instruction overwrites
 * R2 (FRE, tests/cat.c). */
TEST(test_old_registers)
{
    static struct rig rig;
    const struct a2xx_alu alu[] = {
        {RIG_OPS(A2XX_V_DOT3, A2XX_S_RECIPSQ_IEEE), RIG_REGISTERS, .vector_dest = 0,
         .vector_write_mask = 8, .src1 = 1, .src2 = 1, .scalar_dest = 0, .scalar_write_mask = 1,
         .src3 = 0},
        {RIG_OPS(A2XX_V_MAX, A2XX_S_MAX), RIG_REGISTERS, .export_data = 1, .vector_write_mask = 15,
         .src1 = 0, .src2 = 0},
    };
    rig.inputs = 2;
    set(&rig, 0, (const float[4]){7, 8, 9, 4});
    set(&rig, 1, (const float[4]){1, 2, 3, 5});
    rig_pixel(&rig, alu, 2);
    assert_int_equal(rig_run(&rig, ONE_LANE), TESS_OK);
    const float wanted[4] = {0.5f, 8, 9, 14};
    for (unsigned c = 0; c < 4; c++)
        same("old", c, rig.out[0][0][c], wanted[c]);
    assert_int_equal(rig.findings, 0);
    rig_free(&rig);
}

/* An exported component can be in the vector's mask, in the scalar's mask, in both (1.0), or in
 * neither with bit 14 set (0.0). See docs/hardware/a2xx.md, section 10. */
TEST(test_export_masks)
{
    static struct rig rig;
    const struct a2xx_alu alu[] = {
        {RIG_OPS(A2XX_V_MAX, A2XX_S_MAX), RIG_REGISTERS, .export_data = 1, .vector_write_mask = 5,
         .scalar_write_mask = 6, .scalar_dest_rel = 1, .src1 = 0, .src2 = 0, .src3 = 0},
    };
    rig.inputs = 1;
    set(&rig, 0, (const float[4]){7, 8, 9, 4});
    rig.out[0][0][3] = 99;
    rig_pixel(&rig, alu, 1);
    assert_int_equal(rig_run(&rig, ONE_LANE), TESS_OK);
    const float wanted[4] = {7, 7, 1, 0}; /* MAXs of w and x, max(4, 7), is 7 */
    for (unsigned c = 0; c < 4; c++)
        same("export", c, rig.out[0][0][c], wanted[c]);
    rig_free(&rig);
}

/* Clamp limits the written value, but not the previous result. A NaN is clamped to 0. */
TEST(test_clamp)
{
    static struct rig rig;
    const struct a2xx_alu alu[] = {
        {RIG_OPS(A2XX_V_MAX, A2XX_S_ADD), RIG_REGISTERS, .vector_dest = 3, .vector_write_mask = 15,
         .vector_clamp = 1, .src1 = 0, .src2 = 0, .scalar_clamp = 1, .scalar_dest = 4,
         .scalar_write_mask = 1, .src3 = 1},
        {RIG_OPS(A2XX_V_MAX, A2XX_S_RETAIN_PREV), RIG_REGISTERS, .scalar_dest = 4,
         .scalar_write_mask = 2},
        {RIG_OPS(A2XX_V_MAX, A2XX_S_MAX), RIG_REGISTERS, .export_data = 1, .vector_write_mask = 15,
         .src1 = 3, .src2 = 3},
        {RIG_OPS(A2XX_V_MAX, A2XX_S_MAX), RIG_REGISTERS, .export_data = 1, .vector_dest = 1,
         .vector_write_mask = 3, .src1 = 4, .src2 = 4},
    };
    rig.inputs = 2;
    set(&rig, 0, (const float[4]){-1, 0.5f, 2, NAN});
    set(&rig, 1, (const float[4]){3, 0, 0, 4});
    rig_pixel(&rig, alu, 4);
    assert_int_equal(rig_run(&rig, ONE_LANE), TESS_OK);
    const float wanted[4] = {0, 0.5f, 1, 0};
    for (unsigned c = 0; c < 4; c++)
        same("clamp", c, rig.out[0][0][c], wanted[c]);
    same("scalar", 0, rig.out[1][0][0], 1);
    same("previous", 1, rig.out[1][0][1], 7);
    rig_free(&rig);
}

/* The absolute value is taken before negation. abs_constants applies to constants. Denormal
 * operands are 0. */
TEST(test_modifiers)
{
    static struct rig rig;
    const struct a2xx_alu alu[] = {
        {RIG_OPS(A2XX_V_ADD, A2XX_S_MAX), .src1_sel = 1, .src3_sel = 1, .vector_dest = 3,
         .vector_write_mask = 15, .abs_constants = 1, .src1 = 0x80, .src1_negate = 1, .src2 = 6,
         .src2_sel = 0, .src2_swiz = 0x6c},
        {RIG_OPS(A2XX_V_MAX, A2XX_S_MAX), RIG_REGISTERS, .export_data = 1, .vector_write_mask = 15,
         .src1 = 3, .src2 = 3},
    };
    rig.inputs = 1;
    set(&rig, 0, (const float[4]){-3, 3, tiny, -10});
    rig_pixel(&rig, alu, 2);
    rig_constant(&rig, 6, -5, 100, 200, 300); /* the swizzle 0x6c is .xxxx */
    assert_int_equal(rig_run(&rig, ONE_LANE), TESS_OK);
    const float wanted[4] = {2, 2, 5, -5};
    for (unsigned c = 0; c < 4; c++)
        same("modifiers", c, rig.out[0][0][c], wanted[c]);
    rig_free(&rig);
}

/* A killed pixel has no exports and is marked as killed. Its program runs to the end. */
TEST(test_kill)
{
    static struct rig rig;
    static uint8_t killed[4];
    const struct a2xx_alu alu[] = {
        {RIG_OPS(A2XX_V_MAX, A2XX_S_KILLGT), RIG_REGISTERS, .scalar_dest = 3,
         .scalar_write_mask = 1, .src3 = 0},
        {RIG_OPS(A2XX_V_MAX, A2XX_S_MAX), RIG_REGISTERS, .export_data = 1, .vector_write_mask = 15,
         .src1 = 0, .src2 = 0},
    };
    rig.inputs = 1;
    for (unsigned i = 0; i < 4; i++)
        rig.in[0][i][3] = i % 2 ? 1 : -1;
    for (unsigned i = 0; i < 4; i++)
        rig.out[0][i][3] = 99;
    rig.batch.killed = killed;
    rig_pixel(&rig, alu, 2);
    assert_int_equal(rig_run(&rig, 4), TESS_OK);
    for (unsigned i = 0; i < 4; i++) {
        assert_int_equal(killed[i], i % 2);
        same("kill", 3, rig.out[0][i][3], i % 2 ? 99 : -1);
    }
    struct tess_a2xx_stats stats;
    tess_a2xx_get_stats(rig.a2xx, &stats);
    assert_int_equal(stats.killed, 2);
    rig_free(&rig);
}

/* MOVAs rounds a0 to nearest, MOVA_FLOORs rounds a0 down. The range of a0 is -256 to 255. The
 * next instruction uses the new a0. */
TEST(test_address)
{
    static const struct {
        unsigned opcode;
        float value, constant;
    } rows[] = {
        {A2XX_S_MOVA, 1.5f, 12},
        {A2XX_S_MOVA_FLOOR, 1.75f, 11},
        {A2XX_S_MOVA, -0.5f, 10},
    };
    for (unsigned i = 0; i < 3; i++) {
        static struct rig rig;
        const struct a2xx_alu alu[] = {
            {RIG_OPS(A2XX_V_MAX, rows[i].opcode), RIG_REGISTERS, .scalar_dest = 3,
             .scalar_write_mask = 1, .src3 = 0},
            {RIG_OPS(A2XX_V_MAX, A2XX_S_MAX), .src3_sel = 1, .export_data = 1,
             .vector_write_mask = 1, .src1 = 10, .src1_sel = 0, .src2 = 10, .src2_sel = 0,
             .const_0_rel = 1, .const_1_rel = 1, .address_mode = 1},
        };
        memset(&rig, 0, sizeof rig);
        rig.inputs = 1;
        set(&rig, 0, (const float[4]){rows[i].value, 0, 0, rows[i].value});
        rig_pixel(&rig, alu, 2);
        for (unsigned c = 9; c < 14; c++)
            rig_constant(&rig, c, (float)c, 0, 0, 0);
        assert_int_equal(rig_run(&rig, ONE_LANE), TESS_OK);
        same("address", 0, rig.out[0][0][0], rows[i].constant);
        rig_free(&rig);
    }
}

/* Tests optional choices of the model. With a single rounding, the MULADDv -(1 + 2^-22) + (1 +
 * 2^-23)^2 is 2^-46. If denormals are kept, a denormal result is not 0. */
TEST(test_choices)
{
    static struct rig rig;
    rig.options.choices.fused_muladd = true;
    set(&rig, 0, (const float[4]){0x1.000002p0f, 0, 1, 1});
    set(&rig, 1, (const float[4]){0x1.000002p0f, INF, 1, 1});
    set(&rig, 2, (const float[4]){-0x1.000004p0f, 4, 1, 1});
    run_vector(&rig, A2XX_V_MULADD);
    same("fused", 0, rig.out[0][0][0], 0x1p-46f);
    same("fused", 1, rig.out[0][0][1], 4);
    rig_free(&rig);
    memset(&rig, 0, sizeof rig);
    rig.options.choices.keep_denormals = true;
    set(&rig, 0, (const float[4]){0x1p-100f, 0, 1, 1});
    set(&rig, 1, (const float[4]){0x1p-30f, INF, 1, 1});
    run_vector(&rig, A2XX_V_MUL);
    same("kept", 0, rig.out[0][0][0], 0); /* the move to the export flushes its denormal operand */
    rig_free(&rig);
}
