/* SPDX-License-Identifier: MIT */
/* stencil.c - tests the stencil test: functions, operations, masks, both faces.
 *
 * Expected: OpenGL ES 2.0.25, 4.1.4. */
#include "gl_test.h"

enum { CELL = 8, ROW = GL_SIDE / CELL };

static const GLenum functions[] = {GL_NEVER,   GL_LESS,     GL_EQUAL,  GL_LEQUAL,
                                   GL_GREATER, GL_NOTEQUAL, GL_GEQUAL, GL_ALWAYS};
static const GLenum operations[] = {GL_KEEP, GL_ZERO,   GL_REPLACE,   GL_INCR,
                                    GL_DECR, GL_INVERT, GL_INCR_WRAP, GL_DECR_WRAP};

static void draw_cell(int number)
{
    float x = (float)(number % ROW * CELL), y = (float)(number / ROW * CELL);
    gl_quad(x, y, x + CELL, y + CELL, 0);
}

static void start(int value)
{
    glClearColor(0, 0, 0, 1);
    glClearStencil(value);
    glClear(GL_COLOR_BUFFER_BIT | GL_STENCIL_BUFFER_BIT);
    glEnable(GL_STENCIL_TEST);
    gl_use_color(1, 1, 1, 1);
}

/* Draws the cell green if its stencil value is `value`, and red otherwise. */
static void show_cell(int number, int value)
{
    glStencilOp(GL_KEEP, GL_KEEP, GL_KEEP);
    glStencilFunc(GL_ALWAYS, 0, 0xff);
    gl_use_color(1, 0, 0, 1);
    draw_cell(number);
    glStencilFunc(GL_EQUAL, value, 0xff);
    gl_use_color(0, 1, 0, 1);
    draw_cell(number);
}

/* Returns the result of comparing (reference & mask) with (stored & mask). The reference is on
 * the left. */
static bool passes(GLenum function, int reference, int stored)
{
    switch (function) {
    case GL_LESS: return reference < stored;
    case GL_EQUAL: return reference == stored;
    case GL_LEQUAL: return reference <= stored;
    case GL_GREATER: return reference > stored;
    case GL_NOTEQUAL: return reference != stored;
    case GL_GEQUAL: return reference >= stored;
    case GL_ALWAYS: return true;
    default: return false;
    }
}

/* The stored value is 0x84. Columns are functions, and rows are references with masks. */
static const int comparisons[][2] = {
    /* clang-format off */
    {0x83, 0xff},
    {0x84, 0xff},
    {0x85, 0xff},
    {0x04, 0x0f},
    {0x74, 0x0f},
    {0xff, 0x80},
    {0x00, 0x80},
    {0x55, 0},
    /* clang-format on */
};

static struct rgba functions_picture(int x, int y)
{
    const int *row = comparisons[y / CELL];
    return passes(functions[x / CELL], row[0] & row[1], 0x84 & row[1]) ? WHITE : RGBA(0, 0, 0, 255);
}

static void test_functions(void)
{
    start(0x84);
    for (int i = 0; i < 64; i++) {
        const int *row = comparisons[i / ROW];
        glStencilFunc(functions[i % ROW], row[0], (GLuint)row[1]);
        draw_cell(i);
    }
    EXPECT_PICTURE(functions_picture, 0);
}

/* Returns the result of an operation on 8 bits, by the table of section 4.1.4. */
static int operated(GLenum operation, int value, int reference)
{
    switch (operation) {
    case GL_ZERO: return 0;
    case GL_REPLACE: return reference;
    case GL_INCR: return value == 255 ? 255 : value + 1;
    case GL_DECR: return value == 0 ? 0 : value - 1;
    case GL_INVERT: return ~value & 255;
    case GL_INCR_WRAP: return (value + 1) & 255;
    case GL_DECR_WRAP: return (value - 1) & 255;
    default: return value;
    }
}

/* Applies each operation to each of these values, for each of the three outcomes that have an
 * operation. */
static const int stored_values[] = {0, 1, 0x5a, 0x7f, 0x80, 0xa5, 0xfe, 0xff};
enum place { STENCIL_FAILS, DEPTH_FAILS, BOTH_PASS };

static void set_operation(enum place place, GLenum operation)
{
    /* The other two outcomes have an operation with a different result. */
    GLenum other = operation == GL_INVERT ? GL_ZERO : GL_INVERT;
    glStencilOp(place == STENCIL_FAILS ? operation : other,
                place == DEPTH_FAILS ? operation : other, place == BOTH_PASS ? operation : other);
    glStencilFunc(place == STENCIL_FAILS ? GL_NEVER : GL_ALWAYS, 0x3c, 0xff);
    glDepthFunc(place == DEPTH_FAILS ? GL_NEVER : GL_ALWAYS);
}

static void check_operations(enum place place)
{
    start(0);
    glStencilOp(GL_REPLACE, GL_REPLACE, GL_REPLACE);
    for (int i = 0; i < 64; i++) {
        glStencilFunc(GL_ALWAYS, stored_values[i / ROW], 0xff);
        draw_cell(i);
    }
    glEnable(GL_DEPTH_TEST);
    for (int i = 0; i < 64; i++) {
        set_operation(place, operations[i % ROW]);
        draw_cell(i);
    }
    glDisable(GL_DEPTH_TEST);
    for (int i = 0; i < 64; i++)
        show_cell(i, operated(operations[i % ROW], stored_values[i / ROW], 0x3c));
    EXPECT_RECT(0, 0, 64, 64, GREEN, 0);
}

static void stencil_fails(void)
{
    check_operations(STENCIL_FAILS);
}

static void depth_fails(void)
{
    check_operations(DEPTH_FAILS);
}

static void both_pass(void)
{
    check_operations(BOTH_PASS);
}

/* Only the bits of the mask are written: (stored & ~mask) | (0xc3 & mask). Some masks have gaps
 * between their ones. Mask 0 is left out, because Mesa 22.3.6 uses 1 in its place (vc4_state.c
 * does not send the third setup word if it is 0). */
static void write_mask(void)
{
    static const int masks[] = {0x01, 0x03, 0x02, 0x07, 0x0f, 0x1f, 0x3f,
                                0x7f, 0xff, 0xf0, 0xaa, 0x55, 0x81, 0x18};
    start(0x5a);
    glStencilOp(GL_REPLACE, GL_REPLACE, GL_REPLACE);
    glStencilFunc(GL_ALWAYS, 0xc3, 0xff);
    for (int i = 0; i < 14; i++) {
        glStencilMask((GLuint)masks[i]);
        draw_cell(i);
    }
    for (int i = 0; i < 14; i++)
        show_cell(i, (0x5a & ~masks[i]) | (0xc3 & masks[i]));
    EXPECT_RECT(0, 0, 64, 8, GREEN, 0);
    EXPECT_RECT(0, 8, 48, 8, GREEN, 0);
}

/* Draws a front-facing quad and a back-facing quad. */
static void draw_both_faces(void)
{
    gl_quad(0, 0, 32, 64, 0);
    gl_quad(64, 0, 32, 64, 0);
}

static void two_sided(void)
{
    start(16);
    glStencilFuncSeparate(GL_FRONT, GL_ALWAYS, 99, 0xff);
    glStencilFuncSeparate(GL_BACK, GL_NEVER, 77, 0xff);
    glStencilOpSeparate(GL_FRONT, GL_KEEP, GL_KEEP, GL_INCR);
    glStencilOpSeparate(GL_BACK, GL_REPLACE, GL_KEEP, GL_KEEP);
    draw_both_faces();
    EXPECT_RECT(0, 0, 32, 64, WHITE, 0);
    EXPECT_RECT(32, 0, 32, 64, RGBA(0, 0, 0, 255), 0);
    for (int i = 0; i < 64; i++)
        show_cell(i, i % ROW < 4 ? 17 : 77);
    EXPECT_RECT(0, 0, 64, 64, GREEN, 0);
}

/* The faces have separate write masks. The results are 0 | 0x0f and 0 | 0xf0. */
static void two_sided_masks(void)
{
    start(0);
    glStencilFunc(GL_ALWAYS, 0xff, 0xff);
    glStencilOp(GL_KEEP, GL_KEEP, GL_REPLACE);
    glStencilMaskSeparate(GL_FRONT, 0x0f);
    glStencilMaskSeparate(GL_BACK, 0xf0);
    draw_both_faces();
    for (int i = 0; i < 64; i++)
        show_cell(i, i % ROW < 4 ? 0x0f : 0xf0);
    EXPECT_RECT(0, 0, 64, 64, GREEN, 0);
}

/* glFrontFace(GL_CW) swaps the faces. */
static void two_sided_clockwise(void)
{
    start(5);
    glFrontFace(GL_CW);
    glStencilFunc(GL_ALWAYS, 0, 0xff);
    glStencilOpSeparate(GL_FRONT, GL_KEEP, GL_KEEP, GL_INCR);
    glStencilOpSeparate(GL_BACK, GL_KEEP, GL_KEEP, GL_DECR);
    draw_both_faces();
    for (int i = 0; i < 64; i++)
        show_cell(i, i % ROW < 4 ? 4 : 6);
    EXPECT_RECT(0, 0, 64, 64, GREEN, 0);
}

/* A fan drawn with INVERT marks the pixels that an odd number of its triangles cover. These are
 * the area of a concave polygon. The polygon is the square without its right quarter: (0,0)
 * (64,0) (32,32) (64,64) (0,64). Pixel (x, y) is inside if x is less than about max(y, 63 - y). */
static struct rgba polygon_picture(int x, int y)
{
    double edge = y + 0.5 < 32 ? 64 - (y + 0.5) : y + 0.5;
    return x + 0.5 < edge ? GREEN : RGBA(0, 0, 0, 255);
}

static void concave_polygon(void)
{
    static const float points[] = {-1, -1, 1, -1, 0, 0, 1, 1, -1, 1};
    start(0);
    glColorMask(GL_FALSE, GL_FALSE, GL_FALSE, GL_FALSE);
    glStencilFunc(GL_ALWAYS, 0, 1);
    glStencilOp(GL_KEEP, GL_KEEP, GL_INVERT);
    glStencilMask(1);
    glVertexAttribPointer(POSITION, 2, GL_FLOAT, GL_FALSE, 0, points);
    glEnableVertexAttribArray(POSITION);
    glDrawArrays(GL_TRIANGLE_FAN, 0, 5);
    glColorMask(GL_TRUE, GL_TRUE, GL_TRUE, GL_TRUE);
    glStencilFunc(GL_EQUAL, 1, 1);
    gl_use_color(0, 1, 0, 1);
    gl_quad(0, 0, 64, 64, 0);
    /* Centres of pixels on the diagonals are on edges. Each of these pixels may be on either
     * side (section 3.5.1), so they are not tested. */
    for (int y = 0; y < 64; y++) {
        int diagonal = y < 32 ? 63 - y : y;
        EXPECT_RECT(0, y, diagonal, 1, polygon_picture(0, y), 0);
        if (diagonal < 63)
            EXPECT_RECT(diagonal + 1, y, 63 - diagonal, 1, polygon_picture(63, y), 0);
    }
}

const struct gl_case gl_cases[] = {
    /* clang-format off */
    /* clang-format off */
    {"functions",           test_functions,      ON_BOTH},
    {"stencil_fails",       stencil_fails,       ON_FBO},
    {"depth_fails",         depth_fails,         ON_FBO},
    {"both_pass",           both_pass,           ON_BOTH},
    {"write_mask",          write_mask,          ON_BOTH},
    {"two_sided",           two_sided,           ON_BOTH},
    {"two_sided_masks",     two_sided_masks,     ON_BOTH},
    {"two_sided_clockwise", two_sided_clockwise, ON_BOTH},
    {"concave_polygon",     concave_polygon,     ON_BOTH},
    {NULL,                  NULL,                ON_BOTH},
    /* clang-format on */
    /* clang-format on */
};
