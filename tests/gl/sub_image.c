/* SPDX-License-Identifier: MIT */
/* sub_image.c - tests parts of textures that glTexSubImage2D replaces, also between draws of one
 * frame, and unpack alignment.
 *
 * Expected: OpenGL ES 2.0.25, sections 3.6.1 (unpacking) and 3.7.2 (parts). */
#include "gl_test.h"

#include <string.h>

/* The expected contents of the texture. Textures have one to four bytes per texel. */
static struct {
    struct rgba texels[GL_SIDE * GL_SIDE];
    uint8_t bytes[GL_SIDE * GL_SIDE * 4 + 64];
} now;

static struct rgba now_picture(int x, int y)
{
    return now.texels[y * GL_SIDE + x];
}

static void expect_now(void)
{
    gl_program(gl_vertex_texture, gl_fragment_texture);
    gl_textured_quad(0, 0, 64, 64, 0, 0, 1, 1);
    EXPECT_PICTURE(now_picture, 0);
}

/* Rectangles whose corners have different positions within tiles and microtiles. */
static const int boxes[][4] = {
    /* clang-format off */
    {0,  0,  64, 64},
    {0,  0,  4,  4},
    {4,  4,  4,  4},
    {3,  5,  2,  2},
    {1,  1,  1,  1},
    {16, 16, 16, 16},
    {15, 17, 18, 14},
    {32, 0,  32, 32},
    {31, 31, 33, 33},
    {0,  63, 64, 1},
    {63, 0,  1,  64},
    {5,  40, 57, 3},
    {60, 60, 4,  4},
    {7,  9,  0,  0},
    /* clang-format on */
};
enum { BOXES = sizeof(boxes) / sizeof(*boxes) };

static struct rgba color_of(int round, int x, int y)
{
    return RGBA((round * 40 + x) & 255, (y * 3 + round) & 255, (round * 19) & 255, 255 - round);
}

static void fill_box(int round, const int *box)
{
    for (int y = 0; y < box[3]; y++)
        for (int x = 0; x < box[2]; x++) {
            struct rgba c = color_of(round, x, y);
            now.texels[(box[1] + y) * GL_SIDE + box[0] + x] = c;
            const uint8_t bytes[] = {(uint8_t)c.r, (uint8_t)c.g, (uint8_t)c.b, (uint8_t)c.a};
            memcpy(now.bytes + 4 * (y * box[2] + x), bytes, 4);
        }
}

/* Replaces a part of the texture. */
static void send_box(int round, const int *box)
{
    fill_box(round, box);
    glTexSubImage2D(GL_TEXTURE_2D, 0, box[0], box[1], box[2], box[3], GL_RGBA, GL_UNSIGNED_BYTE,
                    now.bytes);
}

/* Replaces the parts one by one, and checks the texture after each. */
static void rgba(void)
{
    gl_texture(GL_RGBA, GL_UNSIGNED_BYTE, GL_SIDE, GL_SIDE, NULL);
    for (int i = 0; i < BOXES; i++) {
        send_box(i, boxes[i]);
        expect_now();
    }
}

/* Replaces all parts without a draw in between. */
static void rgba_at_once(void)
{
    gl_texture(GL_RGBA, GL_UNSIGNED_BYTE, GL_SIDE, GL_SIDE, NULL);
    for (int i = 0; i < BOXES; i++)
        send_box(i, boxes[i]);
    expect_now();
}

static void luminance(void)
{
    glPixelStorei(GL_UNPACK_ALIGNMENT, 1);
    gl_texture(GL_LUMINANCE, GL_UNSIGNED_BYTE, GL_SIDE, GL_SIDE, NULL);
    for (int i = 0; i < BOXES; i++) {
        const int *box = boxes[i];
        for (int k = 0; k < box[2] * box[3]; k++) {
            int x = k % box[2], y = k / box[2], l = (x * 5 + y * 7 + i * 30) & 255;
            now.texels[(box[1] + y) * GL_SIDE + box[0] + x] = RGBA(l, l, l, 255);
            now.bytes[k] = (uint8_t)l;
        }
        glTexSubImage2D(GL_TEXTURE_2D, 0, box[0], box[1], box[2], box[3], GL_LUMINANCE,
                        GL_UNSIGNED_BYTE, now.bytes);
        expect_now();
    }
}

/* A row of 5 RGB texels has 15 bytes, and starts at a multiple of the alignment. The stride is
 * 15, 16, 16, 16 for the alignments 1, 2, 4, 8. */
static void alignment(void)
{
    static const int strides[][2] = {{1, 15}, {2, 16}, {4, 16}, {8, 16}};
    for (int i = 0; i < 4; i++) {
        memset(now.bytes, 0xee, sizeof(now.bytes));
        for (int k = 0; k < 5 * 7 * 3; k++)
            now.bytes[k / 15 * strides[i][1] + k % 15] = (uint8_t)(k * 2 + i);
        glPixelStorei(GL_UNPACK_ALIGNMENT, strides[i][0]);
        gl_texture(GL_RGB, GL_UNSIGNED_BYTE, 5, 7, now.bytes);
        gl_program(gl_vertex_texture, gl_fragment_texture);
        gl_textured_quad(0, 0, 5, 7, 0, 0, 1, 1);
        for (int t = 0; t < 35; t++)
            EXPECT_PIXEL(t % 5, t / 5, RGBA(t * 6 + i, t * 6 + 2 + i, t * 6 + 4 + i, 255), 0);
    }
    glPixelStorei(GL_UNPACK_ALIGNMENT, 3);
    EXPECT_ERROR(GL_INVALID_VALUE);
}

/* 64 draws, with a change of the texture's only texel between them. Each draw must use the texel
 * that is set at the time of the draw. The flush is for Mesa's vc4, which does not order such
 * changes after pending draws (its list of failures of a Raspberry Pi 3 has
 * fbo.render.texsubimage for this reason). */
static struct rgba times_picture(int x, int y)
{
    int number = y / 8 * 8 + x / 8;
    return RGBA(number * 4, 255 - number * 4, number, 255);
}

static void between_draws(void)
{
    gl_texture(GL_RGBA, GL_UNSIGNED_BYTE, 1, 1, NULL);
    gl_program(gl_vertex_texture, gl_fragment_texture);
    for (int i = 0; i < 64; i++) {
        float x = (float)(i % 8 * 8), y = (float)(i / 8 * 8);
        struct rgba c = times_picture((int)x, (int)y);
        const uint8_t bytes[] = {(uint8_t)c.r, (uint8_t)c.g, (uint8_t)c.b, (uint8_t)c.a};
        glTexSubImage2D(GL_TEXTURE_2D, 0, 0, 0, 1, 1, GL_RGBA, GL_UNSIGNED_BYTE, bytes);
        gl_textured_quad(x, y, x + 8, y + 8, 0, 0, 1, 1);
        glFlush();
    }
    EXPECT_PICTURE(times_picture, 0);
}

/* Replacing parts of levels and of cube faces must not change other levels or faces. */
static void levels(void)
{
    static const uint8_t red[] = {255, 0, 0, 255}, green[] = {0, 255, 0, 255};
    memset(now.bytes, 0, sizeof(now.bytes));
    GLuint texture = gl_texture(GL_RGBA, GL_UNSIGNED_BYTE, 8, 8, now.bytes);
    for (int level = 1; level <= 3; level++)
        glTexImage2D(GL_TEXTURE_2D, level, GL_RGBA, 8 >> level, 8 >> level, 0, GL_RGBA,
                     GL_UNSIGNED_BYTE, now.bytes);
    glTexSubImage2D(GL_TEXTURE_2D, 1, 3, 0, 1, 1, GL_RGBA, GL_UNSIGNED_BYTE, red);
    glTexSubImage2D(GL_TEXTURE_2D, 2, 0, 1, 1, 1, GL_RGBA, GL_UNSIGNED_BYTE, green);
    glBindTexture(GL_TEXTURE_2D, texture);
    glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_MIN_FILTER, GL_NEAREST_MIPMAP_NEAREST);
    gl_program(gl_vertex_texture, gl_fragment_texture);
    gl_textured_quad(0, 0, 8, 8, 0, 0, 1, 1);
    EXPECT_RECT(0, 0, 8, 8, BLACK, 0);
    gl_textured_quad(0, 0, 4, 4, 0, 0, 1, 1);
    EXPECT_RECT(0, 0, 3, 4, BLACK, 0);
    EXPECT_PIXEL(3, 0, RED, 0);
    EXPECT_RECT(3, 1, 1, 3, BLACK, 0);
    gl_textured_quad(0, 0, 2, 2, 0, 0, 1, 1);
    EXPECT_PIXEL(0, 1, GREEN, 0);
    EXPECT_RECT(0, 0, 2, 1, BLACK, 0);
}

static void errors(void)
{
    gl_texture(GL_RGBA, GL_UNSIGNED_BYTE, 8, 8, NULL);
    glTexSubImage2D(GL_TEXTURE_2D, 0, 5, 0, 4, 4, GL_RGBA, GL_UNSIGNED_BYTE, now.bytes);
    EXPECT_ERROR(GL_INVALID_VALUE);
    glTexSubImage2D(GL_TEXTURE_2D, 0, -1, 0, 4, 4, GL_RGBA, GL_UNSIGNED_BYTE, now.bytes);
    EXPECT_ERROR(GL_INVALID_VALUE);
    glTexSubImage2D(GL_TEXTURE_2D, 1, 0, 0, 1, 1, GL_RGBA, GL_UNSIGNED_BYTE, now.bytes);
    EXPECT_ERROR(GL_INVALID_OPERATION);
}

const struct gl_case gl_cases[] = {
    /* clang-format off */
    /* clang-format off */
    {"rgba",          rgba,          ON_BOTH},
    {"rgba_at_once",  rgba_at_once,  ON_FBO},
    {"luminance",     luminance,     ON_FBO},
    {"alignment",     alignment,     ON_FBO},
    {"between_draws", between_draws, ON_BOTH},
    {"levels",        levels,        ON_FBO},
    {"errors",        errors,        ON_FBO},
    {NULL,            NULL,          ON_BOTH},
    /* clang-format on */
    /* clang-format on */
};
