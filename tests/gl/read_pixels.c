/* SPDX-License-Identifier: MIT */
/* read_pixels.c - tests glReadPixels: rectangles, pack alignment, the implementation's own format,
 * and rectangles that are partly outside.
 *
 * Expected: OpenGL ES 2.0.25, 4.3.1. */
#include "gl_test.h"

#include <math.h>
#include <string.h>

/* Draws a picture in which a pixel's colour is its position. Red and green come from varyings of
 * one draw. */
static struct rgba place_picture(int x, int y)
{
    return RGBA(4 * x, 4 * y, 4 * (63 - x), 255);
}

static void draw_places(int width, int height)
{
    gl_texture_of(64, 64, place_picture);
    gl_program(gl_vertex_texture, gl_fragment_texture);
    gl_textured_quad(0, 0, (float)width, (float)height, 0, 0, (float)width / 64,
                     (float)height / 64);
}

static bool is_place(const uint8_t *bytes, int x, int y)
{
    return gl_near(RGBA(bytes[0], bytes[1], bytes[2], bytes[3]), place_picture(x, y), 0);
}

static void rectangles(void)
{
    static const int boxes[][4] = {
        /* clang-format off */
        {0,  0,  64, 64},
        {63, 63, 1,  1},
        {3,  5,  7,  11},
        {31, 0,  2,  64},
        {0,  31, 64, 2},
        {16, 16, 32, 32},
        {9,  50, 55, 13},
        /* clang-format on */
    };
    draw_places(64, 64);
    for (int i = 0; i < 7; i++)
        gl_expect_picture(__FILE__, __LINE__, boxes[i][0] + boxes[i][2], boxes[i][1] + boxes[i][3],
                          place_picture, 0);
    static uint8_t bytes[64 * 64 * 4];
    for (int i = 0; i < 7; i++) {
        const int *box = boxes[i];
        glReadPixels(box[0], box[1], box[2], box[3], GL_RGBA, GL_UNSIGNED_BYTE, bytes);
        for (int k = 0; k < box[2] * box[3]; k++)
            if (!is_place(bytes + 4 * k, box[0] + k % box[2], box[1] + k / box[2]))
                FAIL("rectangle %d, pixel %d", i, k);
    }
}

/* With alignment 8, a row of 5 RGBA pixels (20 bytes) has a stride of 24. The bytes between rows
 * must not change. */
static void alignment(void)
{
    uint8_t bytes[24 * 7];
    draw_places(64, 64);
    memset(bytes, 0xcc, sizeof(bytes));
    glPixelStorei(GL_PACK_ALIGNMENT, 8);
    glReadPixels(10, 20, 5, 6, GL_RGBA, GL_UNSIGNED_BYTE, bytes);
    for (int i = 0; i < 24 * 6; i++) {
        int x = i % 24 / 4, y = i / 24;
        if (x < 5 && i % 4 == 0)
            CHECK(is_place(bytes + i, 10 + x, 20 + y));
        if (x == 5)
            CHECK(bytes[i] == 0xcc);
    }
    for (int i = 24 * 6; i < 24 * 7; i++)
        CHECK(bytes[i] == 0xcc);
}

/* Pixels outside of the framebuffer are undefined. The other pixels must be stored at their
 * positions. */
static void partly_outside(void)
{
    uint8_t bytes[8 * 8 * 4];
    draw_places(64, 64);
    glReadPixels(-4, -3, 8, 8, GL_RGBA, GL_UNSIGNED_BYTE, bytes);
    for (int y = 3; y < 8; y++)
        for (int x = 4; x < 8; x++)
            CHECK(is_place(bytes + 4 * (8 * y + x), x - 4, y - 3));
    glReadPixels(60, 61, 8, 8, GL_RGBA, GL_UNSIGNED_BYTE, bytes);
    for (int y = 0; y < 3; y++)
        for (int x = 0; x < 4; x++)
            CHECK(is_place(bytes + 4 * (8 * y + x), 60 + x, 61 + y));
}

/* --- The implementation's format --- */

static int bytes_of(GLenum format, GLenum type)
{
    if (type != GL_UNSIGNED_BYTE)
        return 2;
    return format == GL_RGB ? 3 : 4;
}

/* Decodes a pixel of these formats. Alpha is 255 if the format has no alpha. */
static struct rgba decoded(GLenum format, GLenum type, const uint8_t *p)
{
    unsigned word = p[0] | (unsigned)p[1] << 8;
    switch (type) {
    case GL_UNSIGNED_SHORT_5_6_5:
        return RGBA(gl_byte((word >> 11) / 31.0), gl_byte((word >> 5 & 63) / 63.0),
                    gl_byte((word & 31) / 31.0), 255);
    case GL_UNSIGNED_SHORT_4_4_4_4:
        return RGBA((int)(word >> 12) * 17, (int)(word >> 8 & 15) * 17, (int)(word >> 4 & 15) * 17,
                    (int)(word & 15) * 17);
    case GL_UNSIGNED_SHORT_5_5_5_1:
        return RGBA(gl_byte((word >> 11) / 31.0), gl_byte((word >> 6 & 31) / 31.0),
                    gl_byte((word >> 1 & 31) / 31.0), (int)(word & 1) * 255);
    default:
        if (format == GL_BGRA_EXT)
            return RGBA(p[2], p[1], p[0], p[3]);
        return RGBA(p[0], p[1], p[2], format == GL_RGB ? 255 : p[3]);
    }
}

static void check_own_format(int tolerance)
{
    GLint format, type;
    uint8_t bytes[64 * 4];
    draw_places(64, 64);
    glGetIntegerv(GL_IMPLEMENTATION_COLOR_READ_FORMAT, &format);
    glGetIntegerv(GL_IMPLEMENTATION_COLOR_READ_TYPE, &type);
    glPixelStorei(GL_PACK_ALIGNMENT, 1);
    glReadPixels(0, 40, 64, 1, (GLenum)format, (GLenum)type, bytes);
    EXPECT_ERROR(GL_NO_ERROR);
    for (int x = 0; x < 64; x++) {
        struct rgba is = decoded((GLenum)format, (GLenum)type,
                                 bytes + x * bytes_of((GLenum)format, (GLenum)type));
        if (!gl_near(is, place_picture(x, 40), tolerance))
            FAIL("format 0x%04x, type 0x%04x: pixel %d is %d %d %d %d", format, type, x, is.r, is.g,
                 is.b, is.a);
    }
}

static void own_format(void)
{
    check_own_format(0);
}

/* A colour read from an RGB565 target may differ by a step of 5 bits. */
static void own_format_rgb565(void)
{
    glFramebufferRenderbuffer(GL_FRAMEBUFFER, GL_DEPTH_ATTACHMENT, GL_RENDERBUFFER, 0);
    glFramebufferRenderbuffer(GL_FRAMEBUFFER, GL_STENCIL_ATTACHMENT, GL_RENDERBUFFER, 0);
    gl_color_renderbuffer(GL_RGB565);
    check_own_format(8);
    EXPECT_PICTURE(place_picture, 8);
}

/* Reads in the format of EXT_read_format_bgra. */
static void bgra(void)
{
    gl_need("GL_EXT_read_format_bgra");
    uint8_t bytes[64 * 4];
    draw_places(64, 64);
    glReadPixels(0, 7, 64, 1, GL_BGRA_EXT, GL_UNSIGNED_BYTE, bytes);
    for (int x = 0; x < 64; x++)
        CHECK(
            gl_near(decoded(GL_BGRA_EXT, GL_UNSIGNED_BYTE, bytes + 4 * x), place_picture(x, 7), 0));
}

/* NV_read_depth returns window depths of 1/4 and 3/4, with a tolerance of a step of 16 bits. */
static void depth(void)
{
    static uint32_t values[64 * 64];
    gl_need("GL_NV_read_depth");
    glEnable(GL_DEPTH_TEST);
    gl_use_color(1, 1, 1, 1);
    gl_quad(0, 0, 32, 64, -0.5f);
    gl_quad(32, 0, 64, 64, 0.5f);
    glReadPixels(0, 0, 64, 64, GL_DEPTH_COMPONENT, GL_UNSIGNED_INT, values);
    EXPECT_ERROR(GL_NO_ERROR);
    for (int i = 0; i < 64 * 64; i++) {
        double aside = values[i] / 4294967295.0 - (i % 64 < 32 ? 0.25 : 0.75);
        if (fabs(aside) > 1 / 65536.0)
            FAIL("depth 0x%08x at (%d, %d)", values[i], i % 64, i / 64);
    }
}

/* Reads targets of odd sizes. */
static void odd_sizes(void)
{
    static const int sides[][2] = {{1, 1}, {1, 64}, {64, 1}, {33, 17}, {5, 63}, {63, 5}};
    for (int i = 0; i < 6; i++) {
        GLuint texture;
        gl_texture_target(&texture, GL_RGBA, GL_UNSIGNED_BYTE, sides[i][0], sides[i][1]);
        glViewport(0, 0, GL_SIDE, GL_SIDE);
        draw_places(64, 64);
        EXPECT_PICTURE_OF(sides[i][0], sides[i][1], place_picture, 0);
    }
}

/* A read between two draws of a frame must not end the frame. */
static void between_draws(void)
{
    glClearColor(0, 0, 1, 1);
    glClear(GL_COLOR_BUFFER_BIT);
    gl_use_color(0, 1, 0, 1);
    for (int i = 0; i < 8; i++) {
        EXPECT_RECT(8 * i, 0, 64 - 8 * i, 64, BLUE, 0);
        gl_quad((float)(8 * i), 0, (float)(8 * i + 8), 64, 0);
        EXPECT_RECT(0, 0, 8 * i + 8, 64, GREEN, 0);
    }
}

const struct gl_case gl_cases[] = {
    /* clang-format off */
    /* clang-format off */
    {"rectangles",        rectangles,        ON_BOTH},
    {"alignment",         alignment,         ON_BOTH},
    {"partly_outside",    partly_outside,    ON_BOTH},
    {"own_format",        own_format,        ON_BOTH},
    {"own_format_rgb565", own_format_rgb565, ON_FBO},
    {"bgra",              bgra,              ON_BOTH},
    {"depth",             depth,             ON_BOTH},
    {"odd_sizes",         odd_sizes,         ON_FBO},
    {"between_draws",     between_draws,     ON_BOTH},
    {NULL,                NULL,              ON_BOTH},
    /* clang-format on */
    /* clang-format on */
};
