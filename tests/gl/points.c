/* SPDX-License-Identifier: MIT */
/* points.c - tests points: positions, sizes, gl_PointCoord, clipping.
 *
 * Expected: OpenGL ES 2.0.25, section 3.3: a point is a square of the point size around the vertex.
 * Section 2.13: a point is clipped by its centre. */
#include "gl_test.h"

/* Attribute 0 contains x and y in pixels. Attribute 1 contains the size and a colour number. */
static const char vertex_source[] =
    "attribute vec2 position; attribute vec2 value; varying float v;"
    "void main() { gl_Position = vec4(position / 32.0 - 1.0, 0, 1); gl_PointSize = value.x; v = "
    "value.y; }";
static const char fragment_source[] = "precision mediump float; varying float v; void main() { "
                                      "gl_FragColor = vec4(v, 1.0 - v, 0, 1); }";

struct point {
    float x, y, size, color;
};

static void draw_points(const struct point *points, int count)
{
    glVertexAttribPointer(POSITION, 2, GL_FLOAT, GL_FALSE, sizeof(*points), &points->x);
    glVertexAttribPointer(VALUE, 2, GL_FLOAT, GL_FALSE, sizeof(*points), &points->size);
    glEnableVertexAttribArray(POSITION);
    glEnableVertexAttribArray(VALUE);
    glDrawArrays(GL_POINTS, 0, count);
}

/* Draws points of size 1 at the centre of every second pixel. */
static struct rgba single_picture(int x, int y)
{
    return x % 2 == 0 && y % 2 == 0 ? (x < 32 ? GREEN : RED) : BLACK;
}

static void single(void)
{
    static struct point points[32 * 32];
    for (int i = 0; i < 32 * 32; i++)
        points[i] = (struct point){(float)(i % 32 * 2) + 0.5f, (float)(i / 32 * 2) + 0.5f, 1,
                                   i % 32 >= 16};
    gl_program(vertex_source, fragment_source);
    draw_points(points, 32 * 32);
    EXPECT_PICTURE(single_picture, 0);
}

/* Points of sizes 1 to 16 are centred at a pixel's centre (odd sizes) or corner (even sizes), so
 * that their edges are between pixels. */
static void sizes(void)
{
    gl_program(vertex_source, fragment_source);
    for (int size = 1; size <= 16; size++) {
        float half = (float)size / 2;
        const struct point points[] = {{10 + half, 20 + half, (float)size, 0}};
        glClear(GL_COLOR_BUFFER_BIT);
        draw_points(points, 1);
        EXPECT_RECT(10, 20, size, size, GREEN, 0);
        CHECK(gl_count(GL_SIDE, GL_SIDE, BLACK) == GL_SIDE * GL_SIDE - size * size);
    }
}

/* Each point of a draw has a different size. Later points cover earlier ones. */
static void own_sizes(void)
{
    static const struct point points[] = {
        /* clang-format off */
        {16,    16,    20, 0},
        {16,    16,    10, 1},
        {48,    16,    4,  1},
        {48.5f, 48.5f, 1,  0},
        /* clang-format on */
    };
    gl_program(vertex_source, fragment_source);
    draw_points(points, 4);
    EXPECT_RECT(6, 6, 20, 5, GREEN, 0);
    EXPECT_RECT(11, 11, 10, 10, RED, 0);
    EXPECT_RECT(46, 14, 4, 4, RED, 0);
    EXPECT_PIXEL(48, 48, GREEN, 0);
    CHECK(gl_count(GL_SIDE, GL_SIDE, GREEN) == 20 * 20 - 10 * 10 + 1);
    CHECK(gl_count(GL_SIDE, GL_SIDE, RED) == 10 * 10 + 4 * 4);
}

/* A point of the largest supported size covers the expected square. */
static void largest(void)
{
    GLfloat range[2];
    glGetFloatv(GL_ALIASED_POINT_SIZE_RANGE, range);
    CHECK(range[0] <= 1 && range[1] >= 1);
    float size = range[1] < 48 ? range[1] : 48;
    const struct point points[] = {{32, 32, size, 0}};
    gl_program(vertex_source, fragment_source);
    draw_points(points, 1);
    int low = 32 - (int)size / 2, all = (int)size / 2 * 2;
    EXPECT_RECT(low, low, all, all, GREEN, 0);
}

/* gl_PointCoord is s = 1/2 + (xf + 1/2 - xw) / size, t = 1/2 - (yf + 1/2 - yw) / size. t
 * increases downwards. */
static struct rgba sprite_picture(int x, int y)
{
    return RGBA(gl_byte((x + 0.5) / 64), gl_byte(1 - (y + 0.5) / 64), 0, 255);
}

static void sprite(void)
{
    static const struct point points[] = {{32, 32, 64, 0}};
    GLfloat range[2];
    glGetFloatv(GL_ALIASED_POINT_SIZE_RANGE, range);
    if (range[1] < 64)
        gl_skip("points of size 64");
    gl_program(
        vertex_source,
        "precision mediump float; void main() { gl_FragColor = vec4(gl_PointCoord, 0, 1); }");
    draw_points(points, 1);
    EXPECT_PICTURE(sprite_picture, 1);
}

/* gl_PointCoord is used as a texture coordinate, together with a varying. Row 0 of the texels is
 * the upper row. */
static struct rgba textured_picture(int x, int y)
{
    struct rgba color = y >= 16 ? (x < 16 ? RED : GREEN) : (x < 16 ? BLUE : WHITE);
    return x < 32 && y < 32 ? color : BLACK;
}

static void textured_sprite(void)
{
    static const uint8_t texels[] = {255, 0, 0,   255, 0,   255, 0,   255,
                                     0,   0, 255, 255, 255, 255, 255, 255};
    static const struct point points[] = {{16, 16, 32, 1}};
    gl_texture(GL_RGBA, GL_UNSIGNED_BYTE, 2, 2, texels);
    gl_program(vertex_source,
               "precision mediump float; uniform sampler2D texture; varying float v;"
               "void main() { gl_FragColor = v * texture2D(texture, gl_PointCoord); }");
    draw_points(points, 1);
    EXPECT_PICTURE(textured_picture, 0);
}

/* Points outside of the view volume are not drawn. A point whose centre is just inside is drawn
 * as far as it is on the target. Points whose centre is just outside are not tested, because
 * hardware that clips pixels instead of points draws a part of them. */
static void clipping(void)
{
    static const struct point outside[] = {
        /* clang-format off */
        {-9, 32, 16, 0},
        {73, 32, 16, 0},
        {32, -9, 16, 0},
        {32, 80, 16, 0},
        /* clang-format on */
    };
    static const struct point inside[] = {{1, 32, 16, 0}};
    gl_program(vertex_source, fragment_source);
    draw_points(outside, 4);
    EXPECT_RECT(0, 0, 64, 64, BLACK, 0);
    draw_points(inside, 1);
    EXPECT_RECT(0, 24, 9, 16, GREEN, 0);
    CHECK(gl_count(GL_SIDE, GL_SIDE, GREEN) == 9 * 16);
}

/* Points are drawn with the depth test and with blending. */
static void depth_and_blend(void)
{
    static const struct point points[] = {{20, 20, 16, 1}, {28, 20, 16, 0}};
    gl_program(vertex_source, fragment_source);
    glEnable(GL_BLEND);
    glBlendFunc(GL_ONE, GL_ONE);
    draw_points(points, 2);
    EXPECT_RECT(12, 12, 8, 16, RED, 0);
    EXPECT_RECT(20, 12, 8, 16, YELLOW, 0);
    EXPECT_RECT(28, 12, 8, 16, GREEN, 0);
}

/* Draws points with glDrawElements(). */
static void elements(void)
{
    static const uint16_t order[] = {3, 0, 2};
    static const struct point points[] = {
        /* clang-format off */
        {4,  4, 8, 1},
        {12, 4, 8, 1},
        {20, 4, 8, 0},
        {28, 4, 8, 0},
        /* clang-format on */
    };
    gl_program(vertex_source, fragment_source);
    draw_points(points, 0);
    glDrawElements(GL_POINTS, 3, GL_UNSIGNED_SHORT, order);
    EXPECT_RECT(0, 0, 8, 8, RED, 0);
    EXPECT_RECT(8, 0, 8, 8, BLACK, 0);
    EXPECT_RECT(16, 0, 16, 8, GREEN, 0);
}

const struct gl_case gl_cases[] = {
    /* clang-format off */
    /* clang-format off */
    {"single",          single,          ON_BOTH},
    {"sizes",           sizes,           ON_BOTH},
    {"own_sizes",       own_sizes,       ON_BOTH},
    {"largest",         largest,         ON_FBO},
    {"sprite",          sprite,          ON_BOTH},
    {"textured_sprite", textured_sprite, ON_BOTH},
    {"clipping",        clipping,        ON_BOTH},
    {"depth_and_blend", depth_and_blend, ON_FBO},
    {"elements",        elements,        ON_FBO},
    {NULL,              NULL,            ON_BOTH},
    /* clang-format on */
    /* clang-format on */
};
