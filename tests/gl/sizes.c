/* SPDX-License-Identifier: MIT */
/* sizes.c - tests the largest and the smallest targets and textures.
 *
 * Expected: OpenGL ES 2.0.25, sections 4.4.3 and 3.7.1. The implementation defines the limits. */
#include "gl_test.h"

/* Clears a target of at least 2 x 2 pixels, draws to one corner, and reads the corners. */
static void check_target(int width, int height)
{
    GLuint texture,
        framebuffer = gl_texture_target(&texture, GL_RGBA, GL_UNSIGNED_BYTE, width, height);
    glClearColor(0, 0, 1, 1);
    glClear(GL_COLOR_BUFFER_BIT);
    gl_use_color(0, 1, 0, 1);
    /* Draws the upper right quarter. gl_quad() converts pixel 32 of 64 to the middle in device
     * coordinates, whatever the target's size is. */
    gl_quad(32, 32, 64, 64, 0);
    EXPECT_PIXEL(width - 1, height - 1, GREEN, 0);
    EXPECT_RECT(0, 0, width / 2, 1, BLUE, 0);
    EXPECT_RECT((width + 1) / 2, height - 1, width / 2, 1, GREEN, 0);
    EXPECT_RECT(0, height - 1, width / 2, 1, BLUE, 0);
    EXPECT_RECT(width - 1, 0, 1, height / 2, BLUE, 0);
    EXPECT_RECT(width - 1, (height + 1) / 2, 1, height / 2, GREEN, 0);
    gl_bind_target();
    glDeleteFramebuffers(1, &framebuffer);
    glDeleteTextures(1, &texture);
}

static void largest_target(void)
{
    GLint most;
    glGetIntegerv(GL_MAX_RENDERBUFFER_SIZE, &most);
    CHECK(most >= 1024);
    most = most > 2048 ? 2048 : most;
    check_target(most, most);
    check_target(most, 2);
    check_target(2, most);
}

static void targets(void)
{
    static const int sides[][2] = {
        /* clang-format off */
        /* clang-format off */
        {2,    2},
        {3,    2},
        {16,   16},
        {17,   65},
        {65,   17},
        {256,  3},
        {63,   129},
        {640,  480},
        {1366, 2},
        {1023, 64},
        /* clang-format on */
        /* clang-format on */
    };
    for (int i = 0; i < 10; i++)
        check_target(sides[i][0], sides[i][1]);
}

/* A target of one pixel is drawn to, and cleared. */
static void one_pixel(void)
{
    GLuint texture;
    gl_texture_target(&texture, GL_RGBA, GL_UNSIGNED_BYTE, 1, 1);
    glClearColor(1, 0, 0, 1);
    glClear(GL_COLOR_BUFFER_BIT);
    EXPECT_PIXEL(0, 0, RED, 0);
    gl_use_color(0, 1, 0, 1);
    gl_quad(0, 0, 64, 64, 0);
    EXPECT_PIXEL(0, 0, GREEN, 0);
    gl_bind_target();
    gl_program(gl_vertex_texture, gl_fragment_texture);
    glBindTexture(GL_TEXTURE_2D, texture);
    gl_textured_quad(0, 0, 64, 64, -3, -3, 5, 5);
    EXPECT_RECT(0, 0, 64, 64, GREEN, 0);
}

/* Tests the largest texture. The colour of each texel is its position. Each draw shows a corner
 * of 64 x 64 texels. */
static struct rgba corner_picture(int x, int y)
{
    return RGBA(x * 4, y * 4, 0, 255);
}

static int corner_x, corner_y;

static struct rgba texel_picture(int x, int y)
{
    int s = corner_x + x, t = corner_y + y;
    return RGBA(s & 255, t & 255, (s >> 8) + 16 * (t >> 8), 255);
}

static void largest_texture(void)
{
    GLint most;
    glGetIntegerv(GL_MAX_TEXTURE_SIZE, &most);
    CHECK(most >= 64);
    int side = most > 2048 ? 2048 : most;
    corner_x = corner_y = 0;
    gl_texture_of(side, side, texel_picture);
    EXPECT_ERROR(GL_NO_ERROR);
    gl_program(gl_vertex_texture,
               "precision highp float; uniform sampler2D texture; varying vec2 v;"
               "void main() { gl_FragColor = texture2D(texture, v); }");
    for (int i = 0; i < 5; i++) {
        float size = (float)side;
        corner_x = i == 4 ? side / 2 - 29 : i % 2 * (side - 64);
        corner_y = i == 4 ? side / 2 - 31 : i / 2 * (side - 64);
        gl_textured_quad(0, 0, 64, 64, (float)corner_x / size, (float)corner_y / size,
                         (float)(corner_x + 64) / size, (float)(corner_y + 64) / size);
        EXPECT_PICTURE(texel_picture, 0);
    }
    glTexImage2D(GL_TEXTURE_2D, 0, GL_RGBA, most + 1, 1, 0, GL_RGBA, GL_UNSIGNED_BYTE, NULL);
    EXPECT_ERROR(GL_INVALID_VALUE);
}

/* A texture of 64 x 64 texels covers a target of 1024 x 768 pixels, so each texel has 16 x 12
 * pixels. */
static struct rgba magnified_picture(int x, int y)
{
    return corner_picture(x / 16, y / 12);
}

static void large_picture(void)
{
    GLuint target;
    gl_texture_target(&target, GL_RGBA, GL_UNSIGNED_BYTE, 1024, 768);
    gl_texture_of(64, 64, corner_picture);
    gl_program(gl_vertex_texture, gl_fragment_texture);
    gl_textured_quad(0, 0, 64, 64, 0, 0, 1, 1);
    EXPECT_PICTURE_OF(1024, 768, magnified_picture, 0);
}

const struct gl_case gl_cases[] = {
    /* clang-format off */
    {"largest_target",  largest_target,  ON_FBO},
    {"targets",         targets,         ON_FBO},
    {"one_pixel",       one_pixel,       ON_FBO},
    {"largest_texture", largest_texture, ON_FBO},
    {"large_picture",   large_picture,   ON_FBO},
    {NULL,              NULL,            ON_BOTH},
    /* clang-format on */
};
