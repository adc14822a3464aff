/* SPDX-License-Identifier: MIT */
/* blend.c - tests blending: all factors with all equations, separate factors and equations,
 * constant colour, colour masks, targets without alpha.
 *
 * Expected: the two tables of OpenGL ES 2.0.25, section 4.1.6, computed in double from the stored
 * bytes. The tolerance is 2 of 255: each of two products may be rounded to 8 bits before the
 * addition (5.2 leaves the precision of blending open). */
#include "gl_test.h"

#include <math.h>

enum { CELL = 4, ROW = GL_SIDE / CELL, TOLERANCE = 2 };

static const double source[4] = {0.8, 0.4, 0.2, 0.6}, destination[4] = {0.2, 0.6, 1.0, 0.4},
                    constant[4] = {0.4, 0.8, 0.6, 0.2};

static const GLenum factors[] = {
    GL_ZERO,
    GL_ONE,
    GL_SRC_COLOR,
    GL_ONE_MINUS_SRC_COLOR,
    GL_DST_COLOR,
    GL_ONE_MINUS_DST_COLOR,
    GL_SRC_ALPHA,
    GL_ONE_MINUS_SRC_ALPHA,
    GL_DST_ALPHA,
    GL_ONE_MINUS_DST_ALPHA,
    GL_CONSTANT_COLOR,
    GL_ONE_MINUS_CONSTANT_COLOR,
    GL_CONSTANT_ALPHA,
    GL_ONE_MINUS_CONSTANT_ALPHA,
    GL_SRC_ALPHA_SATURATE,
};
enum { FACTORS = sizeof(factors) / sizeof(*factors), DESTINATION_FACTORS = FACTORS - 1 };

/* Returns a factor by the table of blending functions, for component i. Component 3 is alpha. */
static double factor_value(GLenum factor, int i, double destination_alpha)
{
    double d = i == 3 ? destination_alpha : destination[i];
    switch (factor) {
    case GL_ONE: return 1;
    case GL_SRC_COLOR: return source[i];
    case GL_ONE_MINUS_SRC_COLOR: return 1 - source[i];
    case GL_DST_COLOR: return d;
    case GL_ONE_MINUS_DST_COLOR: return 1 - d;
    case GL_SRC_ALPHA: return source[3];
    case GL_ONE_MINUS_SRC_ALPHA: return 1 - source[3];
    case GL_DST_ALPHA: return destination_alpha;
    case GL_ONE_MINUS_DST_ALPHA: return 1 - destination_alpha;
    case GL_CONSTANT_COLOR: return constant[i];
    case GL_ONE_MINUS_CONSTANT_COLOR: return 1 - constant[i];
    case GL_CONSTANT_ALPHA: return constant[3];
    case GL_ONE_MINUS_CONSTANT_ALPHA: return 1 - constant[3];
    case GL_SRC_ALPHA_SATURATE: return i == 3 ? 1 : fmin(source[3], 1 - destination_alpha);
    default: return 0;
    }
}

/* Computes an equation by the table of blend equations, or by EXT_blend_minmax, which ignores
 * the factors. */
static double blend(GLenum equation, GLenum source_factor, GLenum destination_factor, int i,
                    double destination_alpha)
{
    double d = i == 3 ? destination_alpha : destination[i];
    double s_part = source[i] * factor_value(source_factor, i, destination_alpha);
    double d_part = d * factor_value(destination_factor, i, destination_alpha);
    switch (equation) {
    case GL_FUNC_SUBTRACT: return s_part - d_part;
    case GL_FUNC_REVERSE_SUBTRACT: return d_part - s_part;
    case GL_MIN_EXT: return fmin(source[i], d);
    case GL_MAX_EXT: return fmax(source[i], d);
    default: return s_part + d_part;
    }
}

static void start(void)
{
    glClearColor((float)destination[0], (float)destination[1], (float)destination[2],
                 (float)destination[3]);
    glClear(GL_COLOR_BUFFER_BIT);
    glEnable(GL_BLEND);
    glBlendColor((float)constant[0], (float)constant[1], (float)constant[2], (float)constant[3]);
    gl_use_color((float)source[0], (float)source[1], (float)source[2], (float)source[3]);
}

static void draw_cell(int number)
{
    float x = (float)(number % ROW * CELL), y = (float)(number / ROW * CELL);
    gl_quad(x, y, x + CELL, y + CELL, 0);
}

/* --- All factors: one cell per pair --- */

static GLenum equation;

static struct rgba factors_picture(int x, int y)
{
    int pair = y / CELL * ROW + x / CELL;
    GLenum s = pair < FACTORS * DESTINATION_FACTORS ? factors[pair % FACTORS] : GL_ZERO;
    GLenum d = pair < FACTORS * DESTINATION_FACTORS ? factors[pair / FACTORS] : GL_ONE;
    GLenum e = pair < FACTORS * DESTINATION_FACTORS ? equation : GL_FUNC_ADD;
    double values[4];
    for (int i = 0; i < 4; i++)
        values[i] = blend(e, s, d, i, destination[3]);
    return RGBA(gl_byte(values[0]), gl_byte(values[1]), gl_byte(values[2]), gl_byte(values[3]));
}

static void check_factors(GLenum which)
{
    equation = which;
    start();
    glBlendEquation(equation);
    for (int pair = 0; pair < FACTORS * DESTINATION_FACTORS; pair++) {
        glBlendFunc(factors[pair % FACTORS], factors[pair / FACTORS]);
        draw_cell(pair);
    }
    EXPECT_PICTURE(factors_picture, TOLERANCE);
}

static void add(void)
{
    check_factors(GL_FUNC_ADD);
}

static void subtract(void)
{
    check_factors(GL_FUNC_SUBTRACT);
}

static void reverse_subtract(void)
{
    check_factors(GL_FUNC_REVERSE_SUBTRACT);
}

static void minimum(void)
{
    gl_need("GL_EXT_blend_minmax");
    check_factors(GL_MIN_EXT);
}

static void maximum(void)
{
    gl_need("GL_EXT_blend_minmax");
    check_factors(GL_MAX_EXT);
}

/* --- Separate colour and alpha --- */

/* clang-format off */
static const struct separate {
    GLenum color, alpha, source_color, destination_color, source_alpha, destination_alpha;
} separate_rows[] = {
    {GL_FUNC_ADD, GL_FUNC_ADD, GL_SRC_ALPHA, GL_ONE_MINUS_SRC_ALPHA, GL_ONE, GL_ZERO},
    {GL_FUNC_ADD, GL_FUNC_ADD, GL_SRC_ALPHA, GL_ONE_MINUS_SRC_ALPHA, GL_ZERO, GL_ONE},
    {GL_FUNC_ADD, GL_FUNC_SUBTRACT, GL_ONE, GL_ONE, GL_ONE, GL_ONE},
    {GL_FUNC_SUBTRACT, GL_FUNC_ADD, GL_ONE, GL_CONSTANT_COLOR, GL_CONSTANT_ALPHA, GL_DST_ALPHA},
    {GL_FUNC_REVERSE_SUBTRACT, GL_FUNC_ADD, GL_DST_COLOR, GL_ONE, GL_DST_COLOR, GL_SRC_COLOR},
    {GL_FUNC_ADD, GL_FUNC_REVERSE_SUBTRACT, GL_ONE_MINUS_DST_ALPHA, GL_DST_ALPHA, GL_ZERO,
     GL_SRC_ALPHA},
    {GL_FUNC_ADD, GL_FUNC_ADD, GL_SRC_ALPHA_SATURATE, GL_ONE, GL_SRC_ALPHA_SATURATE, GL_ZERO},
};
/* clang-format on */
enum { SEPARATE_ROWS = sizeof(separate_rows) / sizeof(*separate_rows) };

static void separate(void)
{
    start();
    for (int i = 0; i < SEPARATE_ROWS; i++) {
        const struct separate *row = &separate_rows[i];
        glBlendEquationSeparate(row->color, row->alpha);
        glBlendFuncSeparate(row->source_color, row->destination_color, row->source_alpha,
                            row->destination_alpha);
        draw_cell(i);
    }
    for (int i = 0; i < SEPARATE_ROWS; i++) {
        const struct separate *row = &separate_rows[i];
        int values[4];
        for (int c = 0; c < 3; c++)
            values[c] = gl_byte(
                blend(row->color, row->source_color, row->destination_color, c, destination[3]));
        values[3] = gl_byte(
            blend(row->alpha, row->source_alpha, row->destination_alpha, 3, destination[3]));
        EXPECT_RECT(i * CELL, 0, CELL, CELL, RGBA(values[0], values[1], values[2], values[3]),
                    TOLERANCE);
    }
}

/* --- Masks --- */

/* Draws with sixteen masks, with blending (source + destination) and without. A masked component
 * must keep the destination exactly. */
static void masks(void)
{
    start();
    glBlendFunc(GL_ONE, GL_ONE);
    for (int i = 0; i < 32; i++) {
        glColorMask(i & 1, (i & 2) != 0, (i & 4) != 0, (i & 8) != 0);
        if (i == 16)
            glDisable(GL_BLEND);
        draw_cell(i);
    }
    for (int i = 0; i < 32; i++) {
        int values[4];
        for (int c = 0; c < 4; c++) {
            double drawn = i < 16 ? source[c] + destination[c] : source[c];
            values[c] = gl_byte(i & 1 << c ? drawn : destination[c]);
        }
        EXPECT_RECT(i % ROW * CELL, i / ROW * CELL, CELL, CELL,
                    RGBA(values[0], values[1], values[2], values[3]), 1);
    }
}

/* --- Targets of other formats --- */

/* A target without alpha has the destination alpha 1 (4.1.6). The tolerance is a step of 5 bits
 * (8.2 of 255) before blending, and another step after. The last factor, GL_SRC_ALPHA_SATURATE,
 * is left out, because for such targets Mesa 22.3.6 sets a factor's red instead of its alpha to
 * 1 (vc4_nir_lower_blend.c shifts by four bytes if there is no alpha). */
static struct rgba opaque_picture(int x, int y)
{
    int number = y / CELL * ROW + x / CELL;
    double values[4];
    for (int i = 0; i < 3; i++)
        values[i] = number < DESTINATION_FACTORS
                        ? blend(GL_FUNC_ADD, factors[number], GL_DST_ALPHA, i, 1)
                        : destination[i];
    return RGBA(gl_byte(values[0]), gl_byte(values[1]), gl_byte(values[2]), 255);
}

static void without_alpha(void)
{
    gl_color_renderbuffer(GL_RGB565);
    start();
    for (int i = 0; i < DESTINATION_FACTORS; i++) {
        glBlendFunc(factors[i], GL_DST_ALPHA);
        draw_cell(i);
    }
    EXPECT_PICTURE(opaque_picture, 17);
}

/* 64 layers of (4, 3, 2, 1) / 255 are added to black. Red is 64 * 4 = 256, clamped to 255. */
static void many_layers(void)
{
    glEnable(GL_BLEND);
    glBlendFunc(GL_ONE, GL_ONE);
    gl_use_color(4 / 255.0f, 3 / 255.0f, 2 / 255.0f, 1 / 255.0f);
    for (int i = 0; i < 64; i++)
        gl_quad(0, 0, GL_SIDE, GL_SIDE, 0);
    EXPECT_RECT(0, 0, GL_SIDE, GL_SIDE, RGBA(255, 192, 128, 64), 0);
}

/* The two triangles of one draw overlap. The second must be blended with the output of the
 * first. */
static void within_a_draw(void)
{
    static const float twice[] = {-1, -1, 3, -1, -1, 3, -1, -1, 3, -1, -1, 3};
    glEnable(GL_BLEND);
    glBlendFunc(GL_ONE, GL_ONE);
    gl_use_color(0.2f, 0.4f, 0.6f, 0.2f);
    glVertexAttribPointer(POSITION, 2, GL_FLOAT, GL_FALSE, 0, twice);
    glEnableVertexAttribArray(POSITION);
    glDrawArrays(GL_TRIANGLES, 0, 6);
    EXPECT_RECT(0, 0, GL_SIDE, GL_SIDE, RGBA(102, 204, 255, 102), 0);
}

const struct gl_case gl_cases[] = {
    /* clang-format off */
    /* clang-format off */
    {"add",              add,              ON_FBO},
    {"subtract",         subtract,         ON_FBO},
    {"reverse_subtract", reverse_subtract, ON_FBO},
    {"minimum",          minimum,          ON_FBO},
    {"maximum",          maximum,          ON_FBO},
    {"separate",         separate,         ON_BOTH},
    {"masks",            masks,            ON_BOTH},
    {"without_alpha",    without_alpha,    ON_FBO},
    {"many_layers",      many_layers,      ON_BOTH},
    {"within_a_draw",    within_a_draw,    ON_BOTH},
    {NULL,               NULL,             ON_BOTH},
    /* clang-format on */
    /* clang-format on */
};
