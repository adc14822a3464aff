/* SPDX-License-Identifier: MIT */
/* triangles.c - tests triangles: lists, strips, fans, faces and culling, shared edges,
 * interpolation, discarded fragments.
 *
 * Expected: OpenGL ES 2.0.25, section 2.6.1 for strips and fans. Section 3.5.1 for coverage: a
 * fragment is covered if its centre is inside, and a shared edge belongs to one of the two
 * triangles. Section 3.5.1 also defines interpolation, and that the sign of the area determines the
 * face. */
#include "gl_test.h"

#include <math.h>

static void set_positions(const float *pixels, int count)
{
    static float positions[2 * 2048];
    for (int i = 0; i < 2 * count; i++)
        positions[i] = gl_ndc(pixels[i]);
    glVertexAttribPointer(POSITION, 2, GL_FLOAT, GL_FALSE, 0, positions);
    glEnableVertexAttribArray(POSITION);
}

static void draw(GLenum mode, const float *pixels, int count)
{
    set_positions(pixels, count);
    glDrawArrays(mode, 0, count);
}

/* Draws the two halves of a square. The square's sides are between pixel centres. The diagonal
 * passes through pixel centres. */
static void list(void)
{
    static const float corners[] = {
        8, 8, 40, 8, 8, 40, 40, 8, 40, 40, 8, 40, /* the last vertex is incomplete and ignored */ 0,
        0};
    gl_use_color(0, 1, 0, 1);
    draw(GL_TRIANGLES, corners, 7);
    EXPECT_RECT(8, 8, 32, 32, GREEN, 0);
    CHECK(gl_count(GL_SIDE, GL_SIDE, GREEN) == 32 * 32);
}

/* A zigzag strip of 10 triangles forms a rectangle of 5 squares. */
static void strip(void)
{
    float corners[2 * 12];
    for (int i = 0; i < 12; i++) {
        corners[2 * i] = (float)(i / 2 * 8 + 4);
        corners[2 * i + 1] = i % 2 ? 20 : 12;
    }
    gl_use_color(0, 1, 0, 1);
    draw(GL_TRIANGLE_STRIP, corners, 12);
    EXPECT_RECT(4, 12, 40, 8, GREEN, 0);
    CHECK(gl_count(GL_SIDE, GL_SIDE, GREEN) == 40 * 8);
}

/* A fan around the middle of the target goes through the corners and the middles of the sides. */
static void fan(void)
{
    static const float corners[] = {32, 32, 8,  8,  32, 8,  56, 8,  56, 32,
                                    56, 56, 32, 56, 8,  56, 8,  32, 8,  8};
    gl_use_color(0, 1, 0, 1);
    draw(GL_TRIANGLE_FAN, corners, 10);
    EXPECT_RECT(8, 8, 48, 48, GREEN, 0);
    CHECK(gl_count(GL_SIDE, GL_SIDE, GREEN) == 48 * 48);
}

/* --- Faces --- */

/* The first half is counter-clockwise, and the second half is clockwise. */
static const float two_faces[] = {0,  0, 32, 0,  32, 64, 0,  0, 32, 64, 0,  64,
                                  32, 0, 64, 64, 64, 0,  32, 0, 32, 64, 64, 64};

static void expect_halves(struct rgba left, struct rgba right)
{
    EXPECT_RECT(0, 0, 32, 64, left, 0);
    EXPECT_RECT(32, 0, 32, 64, right, 0);
}

static void culling(void)
{
    static const struct {
        GLenum face, front;
        bool left, right;
    } rows[] = {
        {GL_BACK, GL_CCW, true, false},
        {GL_FRONT, GL_CCW, false, true},
        {GL_FRONT_AND_BACK, GL_CCW, false, false},
        {GL_BACK, GL_CW, false, true},
        {GL_FRONT, GL_CW, true, false},
        {GL_FRONT_AND_BACK, GL_CW, false, false},
    };
    gl_use_color(0, 1, 0, 1);
    for (int i = 0; i < 6; i++) {
        glClear(GL_COLOR_BUFFER_BIT);
        glEnable(GL_CULL_FACE);
        glCullFace(rows[i].face);
        glFrontFace(rows[i].front);
        draw(GL_TRIANGLES, two_faces, 12);
        expect_halves(rows[i].left ? GREEN : BLACK, rows[i].right ? GREEN : BLACK);
    }
    /* Points and lines have no back face, so culling does not remove them. */
    static const float points[] = {16.5f, 16.5f, 48.5f, 16.5f};
    glFrontFace(GL_CCW);
    glCullFace(GL_BACK);
    draw(GL_POINTS, points, 2);
    EXPECT_PIXEL(16, 16, GREEN, 0);
    EXPECT_PIXEL(48, 16, GREEN, 0);
}

/* Every second triangle in a strip has the reverse winding, and the rule for its face is reversed,
 * too. So all triangles of a strip have the same face. */
static void culled_strip(void)
{
    static const float corners[] = {0, 0, 64, 0, 0, 32, 64, 32, 0, 64, 64, 64};
    gl_use_color(0, 1, 0, 1);
    glEnable(GL_CULL_FACE);
    draw(GL_TRIANGLE_STRIP, corners, 6);
    EXPECT_RECT(0, 0, 64, 64, GREEN, 0);
    glFrontFace(GL_CW);
    gl_use_color(1, 0, 0, 1);
    draw(GL_TRIANGLE_STRIP, corners, 6);
    EXPECT_RECT(0, 0, 64, 64, GREEN, 0);
}

static void front_facing(void)
{
    gl_program("attribute vec4 position; void main() { gl_Position = position; }",
               "precision mediump float; void main() { gl_FragColor = gl_FrontFacing ? vec4(0, 1, "
               "0, 1) : vec4(1, 0, 0, 1); }");
    draw(GL_TRIANGLES, two_faces, 12);
    expect_halves(GREEN, RED);
    glFrontFace(GL_CW);
    draw(GL_TRIANGLES, two_faces, 12);
    expect_halves(RED, GREEN);
}

/* --- Edges --- */

/* A mesh of triangles covers the whole target. Its inner corners are random. Each pixel must be
 * covered exactly once, so adding 1/5 results in 1/5. */
static void shared_edges(void)
{
    enum { CELLS = 9, CORNERS = CELLS * CELLS * 6 };
    static float corners[2 * CORNERS];
    float grid[CELLS + 1][CELLS + 1][2];
    unsigned random = 12345;
    for (int y = 0; y <= CELLS; y++)
        for (int x = 0; x <= CELLS; x++)
            for (int i = 0; i < 2; i++) {
                int k = i == 0 ? x : y;
                random = random * 1103515245 + 12345;
                float aside = (float)(random >> 16 & 1023) / 256 - 2;
                grid[y][x][i] = k == 0 ? 0 : k == CELLS ? 64 : (float)k * 64 / CELLS + aside;
            }
    int count = 0;
    for (int cell = 0; cell < CELLS * CELLS; cell++) {
        static const int order[6][2] = {{0, 0}, {0, 1}, {1, 0}, {1, 0}, {0, 1}, {1, 1}};
        for (int i = 0; i < 6; i++, count++) {
            const float *corner = grid[cell / CELLS + order[i][0]][cell % CELLS + order[i][1]];
            corners[2 * count] = corner[0];
            corners[2 * count + 1] = corner[1];
        }
    }
    glEnable(GL_BLEND);
    glBlendFunc(GL_ONE, GL_ONE);
    gl_use_color(0.2f, 0.2f, 0.2f, 0.2f);
    draw(GL_TRIANGLES, corners, CORNERS);
    EXPECT_RECT(0, 0, 64, 64, RGBA(51, 51, 51, 51), 0);
}

/* Triangles without area, and triangles that contain no pixel centre, draw nothing. */
static void nothing(void)
{
    static const float corners[] = {5,  5,     60,    60, 30,    30,    10,    10,
                                    10, 10,    10,    10, 20.6f, 20.6f, 21.4f, 20.6f,
                                    21, 21.4f, 3.55f, 1,  4.45f, 1,     4,     60};
    gl_use_color(1, 0, 0, 1);
    draw(GL_TRIANGLES, corners, 9);
    EXPECT_RECT(0, 0, 64, 64, BLACK, 0);
}

/* Each of these tiny triangles contains one pixel centre, and draws one pixel. */
static void tiny(void)
{
    static float corners[2 * 3 * 256];
    for (int i = 0; i < 256; i++) {
        float x = (float)(i % 16 * 4) + 0.5f, y = (float)(i / 16 * 4) + 0.5f;
        const float triangle[6] = {x - 0.25f, y - 0.25f, x + 0.25f, y - 0.125f, x, y + 0.25f};
        for (int k = 0; k < 6; k++)
            corners[6 * i + k] = triangle[k];
    }
    gl_use_color(0, 1, 0, 1);
    draw(GL_TRIANGLES, corners, 3 * 256);
    CHECK(gl_count(GL_SIDE, GL_SIDE, GREEN) == 256);
    for (int i = 0; i < 256; i += 17)
        EXPECT_PIXEL(i % 16 * 4, i / 16 * 4, GREEN, 0);
}

/* --- Interpolation --- */

static struct rgba ramp_picture(int x, int y)
{
    return RGBA(gl_byte((x + 0.5) / 64), gl_byte((y + 0.5) / 64), gl_byte(1 - (x + 0.5) / 64), 255);
}

static void ramp(void)
{
    static const float corners[] = {0, 0, 64, 0, 0, 64, 64, 64},
                       values[] = {0, 0, 1, 1, 1, 0, 0, 1, 0, 1, 1, 1, 1, 1, 0, 1};
    gl_program(gl_vertex_value, gl_fragment_value);
    set_positions(corners, 4);
    glVertexAttribPointer(VALUE, 4, GL_FLOAT, GL_FALSE, 0, values);
    glEnableVertexAttribArray(VALUE);
    glDrawArrays(GL_TRIANGLE_STRIP, 0, 4);
    EXPECT_PICTURE(ramp_picture, 1);
}

/* Section 3.5.1: f = (a f_a / w_a + b f_b / w_b) / (a / w_a + b / w_b). w is 1 at the left and 4
 * at the right. */
static struct rgba perspective_picture(int x, int y)
{
    double b = (x + 0.5) / 64;
    (void)y;
    return RGBA(gl_byte(b / 4 / (1 - b + b / 4)), 0, 0, 255);
}

static void perspective(void)
{
    static const float positions[] = {-1, -1, 0, 1, 4, -4, 0, 4, -1, 1, 0, 1, 4, 4, 0, 4};
    static const float values[] = {0, 0, 0, 1, 1, 0, 0, 1, 0, 0, 0, 1, 1, 0, 0, 1};
    gl_program(gl_vertex_value, gl_fragment_value);
    glVertexAttribPointer(POSITION, 4, GL_FLOAT, GL_FALSE, 0, positions);
    glVertexAttribPointer(VALUE, 4, GL_FLOAT, GL_FALSE, 0, values);
    glEnableVertexAttribArray(POSITION);
    glEnableVertexAttribArray(VALUE);
    glDrawArrays(GL_TRIANGLE_STRIP, 0, 4);
    EXPECT_PICTURE(perspective_picture, 2);
}

/* --- Fragments --- */

static struct rgba coordinates_picture(int x, int y)
{
    return RGBA(gl_byte((x + 0.5) / 255), gl_byte((y + 0.5) / 255), 128, 64);
}

/* gl_FragCoord contains the pixel's centre, the window depth (1/2 for z = 0), and 1/w (w = 4).
 * The tolerance is 1, because x.5 may be rounded either way. */
static void coordinates(void)
{
    static const float positions[] = {-4, -4, 0, 4, 4, -4, 0, 4, -4, 4, 0, 4, 4, 4, 0, 4};
    gl_program("attribute vec4 position; void main() { gl_Position = position; }",
               "precision highp float; void main() { gl_FragColor = vec4(gl_FragCoord.xy / 255.0, "
               "gl_FragCoord.zw); }");
    glVertexAttribPointer(POSITION, 4, GL_FLOAT, GL_FALSE, 0, positions);
    glEnableVertexAttribArray(POSITION);
    glDrawArrays(GL_TRIANGLE_STRIP, 0, 4);
    EXPECT_PICTURE(coordinates_picture, 1);
}

static struct rgba chequered_picture(int x, int y)
{
    return (x + y) % 2 ? GREEN : BLUE;
}

/* Discarded fragments must write neither colour nor depth, so the blue quad behind them is
 * visible. */
static void discarded(void)
{
    glEnable(GL_DEPTH_TEST);
    gl_program("attribute vec4 position; varying vec2 v; void main() { gl_Position = position; v = "
               "position.xy * 32.0 + 32.0; }",
               "precision highp float; varying vec2 v; void main() { if (mod(floor(v.x) + "
               "floor(v.y), 2.0) < 0.5) discard;"
               "gl_FragColor = vec4(0, 1, 0, 1); }");
    gl_quad(0, 0, 64, 64, -0.5f);
    gl_use_color(0, 0, 1, 1);
    gl_quad(0, 0, 64, 64, 0);
    EXPECT_PICTURE(chequered_picture, 0);
}

const struct gl_case gl_cases[] = {
    /* clang-format off */
    /* clang-format off */
    {"list",         list,         ON_BOTH},
    {"strip",        strip,        ON_BOTH},
    {"fan",          fan,          ON_BOTH},
    {"culling",      culling,      ON_BOTH},
    {"culled_strip", culled_strip, ON_BOTH},
    {"front_facing", front_facing, ON_BOTH},
    {"shared_edges", shared_edges, ON_BOTH},
    {"nothing",      nothing,      ON_FBO},
    {"tiny",         tiny,         ON_BOTH},
    {"ramp",         ramp,         ON_BOTH},
    {"perspective",  perspective,  ON_BOTH},
    {"coordinates",  coordinates,  ON_BOTH},
    {"discarded",    discarded,    ON_BOTH},
    {NULL,           NULL,         ON_BOTH},
    /* clang-format on */
    /* clang-format on */
};
