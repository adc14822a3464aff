/* SPDX-License-Identifier: MIT */
/* many.c - tests thousands of buffers, textures, draws and frames.
 *
 * Expected: each object draws one small square in its own colour. The arithmetic was done by
 * hand. */
#include "gl_test.h"

#include <stdio.h>

/* Returns the colour of object n. */
static struct rgba color_of(int n)
{
    return RGBA(n & 255, n >> 8 & 255, (n * 37) & 255, 255);
}

static struct rgba pixels_picture(int x, int y)
{
    return color_of(y * GL_SIDE + x);
}

/* 4096 vertex buffers exist at the same time, one for each pixel. All of them are drawn in one
 * frame. */
static void vertex_buffers(void)
{
    enum { COUNT = GL_SIDE * GL_SIDE };
    static GLuint buffers[COUNT];
    gl_program("attribute vec2 position; attribute vec4 value; varying vec4 v;"
               "void main() { gl_Position = vec4(position, 0, 1); v = value; gl_PointSize = 1.0; }",
               gl_fragment_value);
    glGenBuffers(COUNT, buffers);
    for (int i = 0; i < COUNT; i++) {
        struct rgba c = color_of(i);
        const float vertex[] = {gl_ndc((float)(i % GL_SIDE) + 0.5f),
                                gl_ndc((float)(i / GL_SIDE) + 0.5f),
                                (float)c.r / 255,
                                (float)c.g / 255,
                                (float)c.b / 255,
                                1};
        glBindBuffer(GL_ARRAY_BUFFER, buffers[i]);
        glBufferData(GL_ARRAY_BUFFER, sizeof(vertex), vertex, GL_STATIC_DRAW);
    }
    glEnableVertexAttribArray(POSITION);
    glEnableVertexAttribArray(VALUE);
    for (int i = 0; i < COUNT; i++) {
        glBindBuffer(GL_ARRAY_BUFFER, buffers[i]);
        glVertexAttribPointer(POSITION, 2, GL_FLOAT, GL_FALSE, 24, NULL);
        glVertexAttribPointer(VALUE, 4, GL_FLOAT, GL_FALSE, 24, (const void *)8);
        glDrawArrays(GL_POINTS, 0, 1);
    }
    EXPECT_PICTURE(pixels_picture, 0);
    glDeleteBuffers(COUNT, buffers);
}

/* 1024 textures of one texel exist at the same time. */
static struct rgba squares_picture(int x, int y)
{
    return color_of(y / 2 * 32 + x / 2);
}

static void textures(void)
{
    enum { COUNT = 1024 };
    static GLuint all[COUNT];
    for (int i = 0; i < COUNT; i++) {
        struct rgba c = color_of(i);
        const uint8_t texel[] = {(uint8_t)c.r, (uint8_t)c.g, (uint8_t)c.b, (uint8_t)c.a};
        all[i] = gl_texture(GL_RGBA, GL_UNSIGNED_BYTE, 1, 1, texel);
    }
    gl_program(gl_vertex_texture, gl_fragment_texture);
    for (int i = 0; i < COUNT; i++) {
        float x = (float)(i % 32 * 2), y = (float)(i / 32 * 2);
        glBindTexture(GL_TEXTURE_2D, all[i]);
        gl_textured_quad(x, y, x + 2, y + 2, 0, 0, 1, 1);
    }
    EXPECT_PICTURE(squares_picture, 0);
    glDeleteTextures(COUNT, all);
}

/* 6000 draws in one frame use the same tiles, so the tile lists become long. Each draw adds (1,
 * 0, 0) to one of 24 columns, 250 times per column. */
static void draws(void)
{
    glEnable(GL_BLEND);
    glBlendFunc(GL_ONE, GL_ONE);
    gl_use_color(1 / 255.0f, 0, 0, 0);
    for (int i = 0; i < 6000; i++)
        gl_quad((float)(i % 24), 0, (float)(i % 24 + 1), 64, 0);
    EXPECT_RECT(0, 0, 24, 64, RGBA(250, 0, 0, 0), 0);
    EXPECT_RECT(24, 0, 40, 64, BLACK, 0);
}

/* One draw has 60000 triangles, 15 for each of 4000 pixels. The tile lists exceed a few hundred
 * KiB. */
static void triangles(void)
{
    enum { COUNT = 60000 };
    static float corners[COUNT * 6];
    for (int i = 0; i < COUNT; i++) {
        float x = (float)(i % 4000 % GL_SIDE), y = (float)(i % 4000 / GL_SIDE);
        const float triangle[] = {gl_ndc(x), gl_ndc(y),        gl_ndc(x + 1),
                                  gl_ndc(y), gl_ndc(x + 0.5f), gl_ndc(y + 1)};
        for (int k = 0; k < 6; k++)
            corners[6 * i + k] = triangle[k];
    }
    glEnable(GL_BLEND);
    glBlendFunc(GL_ONE, GL_ONE);
    gl_use_color(0, 10 / 255.0f, 0, 0);
    glVertexAttribPointer(POSITION, 2, GL_FLOAT, GL_FALSE, 0, corners);
    glEnableVertexAttribArray(POSITION);
    glDrawArrays(GL_TRIANGLES, 0, 3 * COUNT);
    EXPECT_RECT(0, 0, 64, 62, RGBA(0, 150, 0, 0), 0);
    EXPECT_RECT(0, 62, 32, 1, RGBA(0, 150, 0, 0), 0);
    EXPECT_RECT(32, 62, 32, 1, BLACK, 0);
    EXPECT_RECT(0, 63, 64, 1, BLACK, 0);
}

/* 2000 triangles cover the whole target of 320 x 192 pixels, so that each is in the lists of all
 * tiles. */
static void large_triangles(void)
{
    static float corners[2000][3][3];
    GLuint texture;
    gl_texture_target(&texture, GL_RGBA, GL_UNSIGNED_BYTE, 320, 192);
    for (int i = 0; i < 2000; i++)
        for (int k = 0; k < 3; k++) {
            corners[i][k][0] = k == 1 ? 3 : -1;
            corners[i][k][1] = k == 2 ? 3 : -1;
        }
    glClear(GL_COLOR_BUFFER_BIT);
    glEnable(GL_BLEND);
    glBlendFunc(GL_ONE, GL_ONE);
    gl_use_color(1 / 255.0f, 0, 0, 0);
    glVertexAttribPointer(POSITION, 3, GL_FLOAT, GL_FALSE, 0, corners);
    glEnableVertexAttribArray(POSITION);
    glDrawArrays(GL_TRIANGLES, 0, 3 * 200);
    EXPECT_RECT(0, 0, 320, 192, RGBA(200, 0, 0, 0), 0);
    glDrawArrays(GL_TRIANGLES, 0, 3 * 2000);
    EXPECT_RECT(0, 0, 320, 192, RGBA(255, 0, 0, 0), 0);
}

/* Draws 500 complete frames, and checks some of them. */
static void frames(void)
{
    for (int i = 0; i < 500; i++) {
        glClearColor((float)(i % 6) / 5, 0, 0, 1);
        glClear(GL_COLOR_BUFFER_BIT);
        gl_use_color(0, (float)(i % 6) / 5, 1, 1);
        gl_quad(0, 0, 32, 64, 0);
        glFinish();
        if (i % 50 == 0) {
            EXPECT_RECT(0, 0, 32, 64, RGBA(0, 51 * (i % 6), 255, 255), 0);
            EXPECT_RECT(32, 0, 32, 64, RGBA(51 * (i % 6), 0, 0, 255), 0);
        }
    }
}

/* 2000 textures are created, used and deleted within a frame. Their memory must be freed. */
static void short_lives(void)
{
    gl_program(gl_vertex_texture, gl_fragment_texture);
    static uint8_t texels[64 * 64 * 4];
    for (int i = 0; i < 2000; i++) {
        struct rgba c = color_of(i);
        for (int k = 0; k < 64 * 64 * 4; k++)
            texels[k] = (uint8_t)(k % 4 == 0 ? c.r : k % 4 == 1 ? c.g : k % 4 == 2 ? c.b : c.a);
        GLuint texture = gl_texture(GL_RGBA, GL_UNSIGNED_BYTE, 64, 64, texels);
        float x = (float)(i % 1024 % 32 * 2), y = (float)(i % 1024 / 32 * 2);
        gl_textured_quad(x, y, x + 2, y + 2, 0, 0, 1, 1);
        glDeleteTextures(1, &texture);
    }
    for (int i = 976; i < 2000; i += 31)
        EXPECT_RECT(i % 1024 % 32 * 2, i % 1024 / 32 * 2, 2, 2, color_of(i), 0);
}

const struct gl_case gl_cases[] = {
    /* clang-format off */
    /* clang-format off */
    {"vertex_buffers",  vertex_buffers,  ON_FBO},
    {"textures",        textures,        ON_FBO},
    {"draws",           draws,           ON_BOTH},
    {"triangles",       triangles,       ON_FBO},
    {"large_triangles", large_triangles, ON_FBO},
    {"frames",          frames,          ON_BOTH},
    {"short_lives",     short_lives,     ON_FBO},
    {NULL,              NULL,            ON_BOTH},
    /* clang-format on */
    /* clang-format on */
};
