/* SPDX-License-Identifier: MIT */
/* scissor.c - tests the scissor test, viewports, and clipping at the view volume.
 *
 * Expected: OpenGL ES 2.0.25, 2.12.1 (viewport), 2.13 (clipping), 4.1.2 (scissor). */
#include "gl_test.h"

/* Rectangles with different corners, some outside of the target, and some empty. */
static const int boxes[][4] = {
    /* clang-format off */
    {0,   0,   64,  64},
    {1,   1,   1,   1},
    {31,  15,  2,   34},
    {63,  63,  1,   1},
    {0,   17,  64,  1},
    {17,  0,   1,   64},
    {-10, -10, 20,  20},
    {50,  50,  100, 100},
    {10,  10,  0,   5},
    {64,  0,   5,   64},
    {-5,  3,   5,   3},
    {5,   7,   47,  43},
    /* clang-format on */
};
enum { BOXES = sizeof(boxes) / sizeof(*boxes) };

static const int *box;

static struct rgba box_picture(int x, int y)
{
    bool in = x >= box[0] && x < box[0] + box[2] && y >= box[1] && y < box[1] + box[3];
    return in ? GREEN : BLACK;
}

static void scissor(void)
{
    glEnable(GL_SCISSOR_TEST);
    gl_use_color(0, 1, 0, 1);
    for (int i = 0; i < BOXES; i++) {
        box = boxes[i];
        glDisable(GL_SCISSOR_TEST);
        glClear(GL_COLOR_BUFFER_BIT);
        glEnable(GL_SCISSOR_TEST);
        glScissor(box[0], box[1], box[2], box[3]);
        gl_quad(0, 0, 64, 64, 0);
        EXPECT_PICTURE(box_picture, 0);
    }
}

static void draw_full(void)
{
    static const float corners[] = {-1, -1, 1, -1, -1, 1, 1, 1};
    glVertexAttribPointer(POSITION, 2, GL_FLOAT, GL_FALSE, 0, corners);
    glEnableVertexAttribArray(POSITION);
    glDrawArrays(GL_TRIANGLE_STRIP, 0, 4);
    glDisableVertexAttribArray(POSITION);
}

/* A quad from -1 to 1 in x and y must fill the viewport. */
static void viewport(void)
{
    gl_use_color(0, 1, 0, 1);
    for (int i = 0; i < BOXES; i++) {
        box = boxes[i];
        glClear(GL_COLOR_BUFFER_BIT);
        glViewport(box[0], box[1], box[2], box[3]);
        draw_full();
        EXPECT_PICTURE(box_picture, 0);
    }
}

/* A triangle that is far larger than the view volume is clipped at the viewport's edges. */
static void clipped(void)
{
    static const float corners[] = {-50, -50, 50, -50, 0, 80};
    static const int middle[4] = {11, 21, 30, 20};
    box = middle;
    glViewport(box[0], box[1], box[2], box[3]);
    gl_use_color(0, 1, 0, 1);
    glVertexAttribPointer(POSITION, 2, GL_FLOAT, GL_FALSE, 0, corners);
    glEnableVertexAttribArray(POSITION);
    glDrawArrays(GL_TRIANGLES, 0, 3);
    EXPECT_PICTURE(box_picture, 0);
}

/* A quad is three times as wide as the viewport, with a value from 0 to 3. In the viewport the
 * value goes from 1 to 2. The shader subtracts 1, so the result is x / 64. */
static struct rgba ramp_picture(int x, int y)
{
    (void)y;
    return RGBA(gl_byte((x + 0.5) / 64), 0, 0, 255);
}

static void clipped_values(void)
{
    static const float corners[] = {-3, -3, 3, -3, -3, 3, 3, 3}, values[] = {0, 3, 0, 3};
    gl_program("attribute vec4 position; attribute float value; varying float v;"
               "void main() { gl_Position = position; v = value; }",
               "precision highp float; varying float v; void main() { gl_FragColor = vec4(v - 1.0, "
               "0, 0, 1); }");
    glVertexAttribPointer(POSITION, 2, GL_FLOAT, GL_FALSE, 0, corners);
    glVertexAttribPointer(VALUE, 1, GL_FLOAT, GL_FALSE, 0, values);
    glEnableVertexAttribArray(POSITION);
    glEnableVertexAttribArray(VALUE);
    glDrawArrays(GL_TRIANGLE_STRIP, 0, 4);
    EXPECT_PICTURE(ramp_picture, 1);
}

/* One corner of the triangle is behind the eye: (-1, 0) and (1, 0) have w = 1, and (0, 1) has w
 * = -1. At a share s of the way to that corner, y = s and w = 1 - 2 s. So y / w = t at s = t /
 * (1 + 2 t), where w = 1 / (1 + 2 t). In this row x goes from -(1 - s) to 1 - s, and x / w from
 * -(1 + t) to 1 + t. So the triangle covers the whole upper half of the viewport. */
static void behind_the_eye(void)
{
    static const float corners[] = {-1, 0, 0, 1, 1, 0, 0, 1, 0, 1, 0, -1};
    static const int upper[4] = {0, 32, 64, 32};
    box = upper;
    gl_use_color(0, 1, 0, 1);
    glVertexAttribPointer(POSITION, 4, GL_FLOAT, GL_FALSE, 0, corners);
    glEnableVertexAttribArray(POSITION);
    glDrawArrays(GL_TRIANGLES, 0, 3);
    EXPECT_PICTURE(box_picture, 0);
}

/* The largest viewport is at least as large as the target. Larger viewports are clamped to it
 * (2.12.1). */
static void largest(void)
{
    GLint most[2], now[4];
    glGetIntegerv(GL_MAX_VIEWPORT_DIMS, most);
    CHECK(most[0] >= GL_SIDE && most[1] >= GL_SIDE);
    glViewport(0, 0, most[0] + 100, most[1] + 100);
    glGetIntegerv(GL_VIEWPORT, now);
    CHECK(now[2] == most[0] && now[3] == most[1]);
    gl_use_color(0, 1, 0, 1);
    draw_full();
    EXPECT_RECT(0, 0, 64, 64, GREEN, 0);
    glViewport(0, 0, -1, 5);
    EXPECT_ERROR(GL_INVALID_VALUE);
    glScissor(0, 0, 5, -1);
    EXPECT_ERROR(GL_INVALID_VALUE);
}

/* The viewport and the scissor rectangle change between the draws of one frame. */
static struct rgba tiles_picture(int x, int y)
{
    bool odd = (x / 8 + y / 8) % 2;
    return x % 8 >= 1 && x % 8 < 7 ? (odd ? RED : GREEN) : BLACK;
}

static void many_changes(void)
{
    glEnable(GL_SCISSOR_TEST);
    for (int y = 0; y < 64; y += 8)
        for (int x = 0; x < 64; x += 8) {
            bool odd = (x / 8 + y / 8) % 2;
            glViewport(x - 3, y, 20, 8);
            glScissor(x + 1, y - 20, 6, 40);
            gl_use_color(odd, !odd, 0, 1);
            draw_full();
        }
    EXPECT_PICTURE(tiles_picture, 0);
}

const struct gl_case gl_cases[] = {
    /* clang-format off */
    /* clang-format off */
    {"scissor",        scissor,        ON_BOTH},
    {"viewport",       viewport,       ON_BOTH},
    {"clipped",        clipped,        ON_BOTH},
    {"clipped_values", clipped_values, ON_BOTH},
    {"behind_the_eye", behind_the_eye, ON_BOTH},
    {"largest",        largest,        ON_BOTH},
    {"many_changes",   many_changes,   ON_BOTH},
    {NULL,             NULL,           ON_BOTH},
    /* clang-format on */
    /* clang-format on */
};
