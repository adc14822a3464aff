/* SPDX-License-Identifier: MIT */
/* lines.c - tests lines: covered pixels, widths, strips, loops, values along lines, clipping.
 *
 * Expected: the diamond rule of OpenGL ES 2.0.25, section 3.4.1. Rules 1 to 4 of this section
 * permit a difference of one pixel. So the tests draw lines through pixel centres. The inner pixels
 * of such lines are certain, and their ends are not checked. */
#include "gl_test.h"

#include <math.h>
#include <stdlib.h>

struct end {
    float x, y; /* position in pixels */
};

static void draw(GLenum mode, const struct end *ends, int count)
{
    float positions[2 * 64];
    for (int i = 0; i < count; i++) {
        positions[2 * i] = gl_ndc(ends[i].x);
        positions[2 * i + 1] = gl_ndc(ends[i].y);
    }
    glVertexAttribPointer(POSITION, 2, GL_FLOAT, GL_FALSE, 0, positions);
    glEnableVertexAttribArray(POSITION);
    glDrawArrays(mode, 0, count);
    glDisableVertexAttribArray(POSITION);
}

static void draw_line(float x0, float y0, float x1, float y1)
{
    const struct end ends[] = {{x0, y0}, {x1, y1}};
    draw(GL_LINES, ends, 2);
}

static void start(void)
{
    glClearColor(0, 0, 0, 0);
    glClear(GL_COLOR_BUFFER_BIT);
    gl_use_color(0, 1, 0, 1);
}

/* Checks the number of green pixels. Each open end of a line may add or remove one pixel. */
static void expect_green(int count, int open_ends)
{
    int is = gl_count(GL_SIDE, GL_SIDE, GREEN);
    if (abs(is - count) > open_ends)
        FAIL("%d pixels are green, expected %d, give or take %d", is, count, open_ends);
}

static void horizontal(void)
{
    start();
    draw_line(10.5f, 20.5f, 50.5f, 20.5f);
    EXPECT_RECT(11, 20, 39, 1, GREEN, 0);
    expect_green(40, 1);
    EXPECT_RECT(0, 0, 64, 20, BLACK, 0);
    EXPECT_RECT(0, 21, 64, 43, BLACK, 0);
}

static void vertical(void)
{
    start();
    draw_line(33.5f, 60.5f, 33.5f, 3.5f);
    EXPECT_RECT(33, 4, 1, 56, GREEN, 0);
    expect_green(57, 1);
    EXPECT_RECT(0, 0, 33, 64, BLACK, 0);
    EXPECT_RECT(34, 0, 30, 64, BLACK, 0);
}

static void diagonal(void)
{
    start();
    draw_line(5.5f, 5.5f, 45.5f, 45.5f);
    for (int i = 6; i < 45; i++)
        EXPECT_PIXEL(i, i, GREEN, 0);
    expect_green(40, 1);
}

/* Draws a line in one of the eight octants. Each column must have one pixel, which is at most
 * one pixel away from the line (rules 1 and 3). */
static void check_slope(double x1, double y1)
{
    start();
    draw_line(32.5f, 32.5f, (float)x1, (float)y1);
    double dx = x1 - 32.5, dy = y1 - 32.5;
    bool steep = fabs(dy) > fabs(dx);
    int length = (int)fabs(steep ? dy : dx);
    expect_green(length, 1);
    for (int i = 1; i < length; i++) {
        double along = (steep ? dy : dx) < 0 ? -i : i;
        double x = 32.5 + (steep ? along * dx / dy : along),
               y = 32.5 + (steep ? along : along * dy / dx);
        int column = (int)floor(steep ? y : x), around = (int)floor(steep ? x : y), seen = 0;
        for (int aside = -1; aside <= 1; aside++) {
            struct rgba color = steep ? gl_pixel(around + aside, column)
                                      : gl_pixel(column, around + aside);
            seen += gl_near(color, GREEN, 0);
        }
        if (seen != 1)
            FAIL("the line to (%g, %g) has %d pixels in column %d", x1, y1, seen, column);
    }
}

static void slopes(void)
{
    static const double ends[][2] = {
        /* clang-format off */
        {60.5, 40.5},
        {40.5, 60.5},
        {25.5, 60.5},
        {4.5,  44.5},
        {4.5,  22.5},
        {27.5, 4.5},
        {41.5, 4.5},
        {60.5, 25.5},
        /* clang-format on */
    };
    for (int i = 0; i < 8; i++)
        check_slope(ends[i][0], ends[i][1]);
}

/* A wide line has `width` pixels in each column (section 3.4.2). A line of even width may be
 * half a pixel too high or too low. */
static void widths(void)
{
    GLfloat range[2];
    glGetFloatv(GL_ALIASED_LINE_WIDTH_RANGE, range);
    CHECK(range[0] <= 1 && range[1] >= 1);
    for (int width = 1; width <= 16 && (float)width <= range[1]; width++) {
        start();
        glLineWidth((float)width);
        draw(GL_LINES, (struct end[]){{10.5f, 32.5f}, {50.5f, 32.5f}}, 2);
        EXPECT_RECT(11, 32 - (width - 1) / 2, 39, width % 2 ? width : width - 1, GREEN, 0);
        int count = 0;
        for (int y = 0; y < 64; y++)
            count += gl_near(gl_pixel(30, y), GREEN, 0);
        if (count != width)
            FAIL("a line of width %d has %d pixels", width, count);
    }
    glLineWidth(0);
    EXPECT_ERROR(GL_INVALID_VALUE);
}

/* A strip draws three sides of a square, and a loop draws all four. */
static const struct end square[] = {{10.5f, 10.5f}, {50.5f, 10.5f}, {50.5f, 50.5f}, {10.5f, 50.5f}};

static void expect_side(int x, int y, int width, int height, bool there)
{
    EXPECT_RECT(x, y, width, height, there ? GREEN : BLACK, 0);
}

static void expect_square(bool last)
{
    expect_side(11, 10, 39, 1, true);
    expect_side(50, 11, 1, 39, true);
    expect_side(11, 50, 39, 1, true);
    expect_side(10, 11, 1, 39, last);
    EXPECT_RECT(11, 11, 39, 39, BLACK, 0);
}

static void strip(void)
{
    start();
    draw(GL_LINE_STRIP, square, 4);
    expect_square(false);
    expect_green(120, 3);
}

static void loop(void)
{
    start();
    draw(GL_LINE_LOOP, square, 4);
    expect_square(true);
    expect_green(160, 4);
}

/* A loop is drawn from elements. GL_LINES draws only two lines from the same four elements. */
static void elements(void)
{
    static const uint8_t order[] = {2, 3, 0, 1};
    start();
    draw(GL_LINES, square, 4);
    expect_side(11, 10, 39, 1, true);
    expect_side(50, 11, 1, 39, false);
    expect_side(11, 50, 39, 1, true);
    expect_green(80, 2);
    start();
    float positions[8];
    for (int i = 0; i < 4; i++) {
        positions[2 * i] = gl_ndc(square[i].x);
        positions[2 * i + 1] = gl_ndc(square[i].y);
    }
    glVertexAttribPointer(POSITION, 2, GL_FLOAT, GL_FALSE, 0, positions);
    glEnableVertexAttribArray(POSITION);
    glDrawElements(GL_LINE_LOOP, 4, GL_UNSIGNED_BYTE, order);
    expect_square(true);
}

/* Values are interpolated between the ends of a line: red increases from 0 to 1 over 63 pixels,
 * so it is k / 63 at each centre. */
static void values(void)
{
    static const float positions[] = {0.5f / 32 - 1, 0.5f / 32, 63.5f / 32 - 1, 0.5f / 32},
                       colors[] = {0, 1, 0, 1, 1, 0, 0, 1};
    start();
    gl_program(gl_vertex_value, gl_fragment_value);
    glVertexAttribPointer(POSITION, 2, GL_FLOAT, GL_FALSE, 0, positions);
    glVertexAttribPointer(VALUE, 4, GL_FLOAT, GL_FALSE, 0, colors);
    glEnableVertexAttribArray(POSITION);
    glEnableVertexAttribArray(VALUE);
    glDrawArrays(GL_LINES, 0, 2);
    for (int x = 1; x < 63; x++)
        EXPECT_PIXEL(x, 32, RGBA(gl_byte(x / 63.0), gl_byte(1 - x / 63.0), 0, 255), 2);
}

/* Tests that lines are clipped at the view volume. */
static void clipping(void)
{
    start();
    draw(GL_LINES,
         (struct end[]){{-100.5f, 7.5f},
                        {200.5f, 7.5f},
                        {9.5f, -64.5f},
                        {9.5f, 30.5f},
                        {-50.5f, -5.5f},
                        {-1.5f, 80.5f}},
         6);
    EXPECT_RECT(0, 7, 64, 1, GREEN, 0);
    EXPECT_RECT(9, 0, 1, 30, GREEN, 0);
    expect_green(64 + 30 - 1, 1);
}

const struct gl_case gl_cases[] = {
    /* clang-format off */
    /* clang-format off */
    {"horizontal", horizontal, ON_BOTH},
    {"vertical",   vertical,   ON_BOTH},
    {"diagonal",   diagonal,   ON_BOTH},
    {"slopes",     slopes,     ON_FBO},
    {"widths",     widths,     ON_BOTH},
    {"strip",      strip,      ON_BOTH},
    {"loop",       loop,       ON_BOTH},
    {"elements",   elements,   ON_FBO},
    {"values",     values,     ON_BOTH},
    {"clipping",   clipping,   ON_BOTH},
    {NULL,         NULL,       ON_BOTH},
    /* clang-format on */
    /* clang-format on */
};
