/* SPDX-License-Identifier: MIT */
/* clear.c - tests clearing: colours, masks, scissor, depth, stencil, and each format that can be
 * rendered to.
 *
 * Expected: OpenGL ES 2.0.25, 4.2.3 (clearing), 2.1.2 (fixed point: a component c of n bits is c /
 * (2^n - 1)). */
#include "gl_test.h"

#include <math.h>

#define ALL (GL_COLOR_BUFFER_BIT | GL_DEPTH_BUFFER_BIT | GL_STENCIL_BUFFER_BIT)

/* Multiples of 1/5 are exact in 8 bits: k / 5 is 51 k. */
static void color(void)
{
    for (int k = 0; k <= 5; k++) {
        glClearColor((float)k / 5, (float)(5 - k) / 5, 0.4f, (float)k / 5);
        glClear(GL_COLOR_BUFFER_BIT);
        EXPECT_RECT(0, 0, GL_SIDE, GL_SIDE, RGBA(51 * k, 255 - 51 * k, 102, 51 * k), 0);
    }
}

/* Clear values are clamped to [0, 1] (section 4.3.1). */
static void clamped(void)
{
    glClearColor(2, -1, 1000, 1);
    glClear(GL_COLOR_BUFFER_BIT);
    EXPECT_RECT(0, 0, GL_SIDE, GL_SIDE, RGBA(255, 0, 255, 255), 0);
}

static struct rgba scissored_picture(int x, int y)
{
    return x >= 5 && x < 38 && y >= 33 && y < 42 ? RED : GREEN;
}

static void scissored(void)
{
    glClearColor(0, 1, 0, 1);
    glClear(GL_COLOR_BUFFER_BIT);
    glEnable(GL_SCISSOR_TEST);
    glScissor(5, 33, 33, 9);
    glClearColor(1, 0, 0, 1);
    glClear(GL_COLOR_BUFFER_BIT);
    EXPECT_PICTURE(scissored_picture, 0);
}

/* Clears with each of the 16 colour masks over (0.2, 0.4, 0.6, 0.8). Masked components must stay
 * unchanged. */
static void masked(void)
{
    for (int mask = 0; mask < 16; mask++) {
        glColorMask(GL_TRUE, GL_TRUE, GL_TRUE, GL_TRUE);
        glClearColor(0.2f, 0.4f, 0.6f, 0.8f);
        glClear(GL_COLOR_BUFFER_BIT);
        glColorMask(mask & 1, (mask & 2) != 0, (mask & 4) != 0, (mask & 8) != 0);
        glClearColor(1, 1, 0, 0);
        glClear(GL_COLOR_BUFFER_BIT);
        EXPECT_RECT(
            0, 0, GL_SIDE, GL_SIDE,
            RGBA(mask & 1 ? 255 : 51, mask & 2 ? 255 : 102, mask & 4 ? 0 : 153, mask & 8 ? 0 : 204),
            0);
    }
}

/* The depth is cleared to 1/2. With GL_LESS, a quad at window depth 1/4 passes, and one at 3/4
 * fails. */
static void depth(void)
{
    glClearDepthf(0.5f);
    glClearColor(0, 0, 1, 1);
    glClear(ALL);
    glEnable(GL_DEPTH_TEST);
    gl_use_color(0, 1, 0, 1);
    gl_quad(0, 0, 32, 64, -0.5f);
    gl_quad(32, 0, 64, 64, 0.5f);
    EXPECT_RECT(0, 0, 32, 64, GREEN, 0);
    EXPECT_RECT(32, 0, 32, 64, BLUE, 0);
}

/* glDepthMask also applies to clears (section 4.2.3). */
static void depth_masked(void)
{
    glClearDepthf(0);
    glClear(GL_DEPTH_BUFFER_BIT);
    glDepthMask(GL_FALSE);
    glClearDepthf(1);
    glClear(ALL);
    glEnable(GL_DEPTH_TEST);
    gl_use_color(1, 0, 0, 1);
    gl_quad(0, 0, 64, 64, 0.9f);
    EXPECT_RECT(0, 0, 64, 64, BLACK, 0);
}

static void expect_stencil(int value)
{
    glClearColor(1, 0, 0, 1);
    glClear(GL_COLOR_BUFFER_BIT);
    glEnable(GL_STENCIL_TEST);
    glStencilFunc(GL_EQUAL, value, 0xff);
    gl_use_color(0, 1, 0, 1);
    gl_quad(0, 0, 64, 64, 0);
    glDisable(GL_STENCIL_TEST);
    EXPECT_RECT(0, 0, 64, 64, GREEN, 0);
}

static void stencil(void)
{
    for (int value = 0; value < 256; value += 51) {
        glClearStencil(value);
        glClear(GL_STENCIL_BUFFER_BIT);
        expect_stencil(value);
    }
}

/* The stencil is 0x5a. A clear to 0xc3 with the mask 0x0f results in 0x53. */
static void stencil_masked(void)
{
    glClearStencil(0x5a);
    glClear(GL_STENCIL_BUFFER_BIT);
    glStencilMask(0x0f);
    glClearStencil(0xc3);
    glClear(GL_STENCIL_BUFFER_BIT);
    expect_stencil(0x53);
}

/* Only the depth is cleared. The stencil values, which may share words with the depth, must not
 * change. */
static void depth_without_stencil(void)
{
    glClearStencil(0x77);
    glClearDepthf(1);
    glClear(ALL);
    glClearDepthf(0.5f);
    glClear(GL_DEPTH_BUFFER_BIT);
    expect_stencil(0x77);
}

/* Clears and draws alternate, also on parts of the target. Later ones overwrite earlier ones. */
static void between_draws(void)
{
    glClearColor(0, 0, 1, 1);
    glClear(ALL);
    gl_use_color(1, 0, 0, 1);
    gl_quad(0, 0, 64, 64, 0);
    glClear(ALL);
    gl_use_color(0, 1, 0, 1);
    gl_quad(0, 0, 16, 64, 0);
    glEnable(GL_SCISSOR_TEST);
    glScissor(8, 0, 16, 64);
    glClearColor(1, 1, 0, 1);
    glClear(ALL);
    EXPECT_RECT(0, 0, 8, 64, GREEN, 0);
    EXPECT_RECT(8, 0, 16, 64, YELLOW, 0);
    EXPECT_RECT(24, 0, 40, 64, BLUE, 0);
}

/* --- Formats --- */

static int bits_of(GLenum name)
{
    GLint bits;
    glGetRenderbufferParameteriv(GL_RENDERBUFFER, name, &bits);
    return bits;
}

/* Rounds a component to the format's bits. A format without alpha reads as 1 (section 4.3.1). */
static int stored(double value, int bits)
{
    if (bits == 0)
        return 255;
    double most = (1 << bits) - 1;
    return gl_byte(rint(value * most) / most);
}

/* Returns one step of the coarsest component. The tolerance is one step, because hardware may
 * always round in the same direction. */
static int step(int bits)
{
    return 255 / ((1 << bits) - 1);
}

static void check_format(GLenum format, int red, int green, int blue, int alpha)
{
    GLuint renderbuffer = gl_color_renderbuffer(format);
    /* A renderbuffer may have more bits than requested (section 4.4.3), but must not have fewer. */
    int bits[] = {bits_of(GL_RENDERBUFFER_RED_SIZE), bits_of(GL_RENDERBUFFER_GREEN_SIZE),
                  bits_of(GL_RENDERBUFFER_BLUE_SIZE), bits_of(GL_RENDERBUFFER_ALPHA_SIZE)};
    CHECK(bits[0] >= red && bits[1] >= green && bits[2] >= blue && bits[3] >= alpha);
    static const double values[] = {0, 0.2, 1.0 / 3, 0.5, 0.7, 1};
    for (int i = 0; i < 6; i++) {
        /* Alpha is 0 or 1, because some formats have a single bit of alpha. */
        double r = values[i], g = values[5 - i], b = values[(i + 2) % 6], a = i & 1;
        glClearColor((float)r, (float)g, (float)b, (float)a);
        glClear(GL_COLOR_BUFFER_BIT);
        /* Draws the colour too, which tests the format conversion of shader outputs. */
        gl_use_color((float)r, (float)g, (float)b, (float)a);
        gl_quad(0, 0, 32, 64, 0);
        EXPECT_RECT(
            0, 0, 64, 64,
            RGBA(stored(r, bits[0]), stored(g, bits[1]), stored(b, bits[2]), stored(a, bits[3])),
            step(bits[0]));
    }
    glDeleteRenderbuffers(1, &renderbuffer);
}

static void rgba4(void)
{
    check_format(GL_RGBA4, 4, 4, 4, 4);
}

static void rgb5_a1(void)
{
    check_format(GL_RGB5_A1, 5, 5, 5, 1);
}

static void rgb565(void)
{
    check_format(GL_RGB565, 5, 6, 5, 0);
}

static void rgb8_rgba8(void)
{
    gl_need("GL_OES_rgb8_rgba8");
    check_format(GL_RGB8_OES, 8, 8, 8, 0);
    check_format(GL_RGBA8_OES, 8, 8, 8, 8);
}

/* These colours are exact in RGB565: 0, 1, 8/31 = 66, 21/63 = 85. */
static void rgb565_exact(void)
{
    gl_color_renderbuffer(GL_RGB565);
    glClearColor(8 / 31.0f, 21 / 63.0f, 1, 0);
    glClear(GL_COLOR_BUFFER_BIT);
    EXPECT_RECT(0, 0, 64, 64, RGBA(66, 85, 255, 255), 0);
}

const struct gl_case gl_cases[] = {
    /* clang-format off */
    /* clang-format off */
    {"color",                 color,                 ON_BOTH},
    {"clamped",               clamped,               ON_BOTH},
    {"scissored",             scissored,             ON_BOTH},
    {"masked",                masked,                ON_BOTH},
    {"depth",                 depth,                 ON_BOTH},
    {"depth_masked",          depth_masked,          ON_BOTH},
    {"stencil",               stencil,               ON_BOTH},
    {"stencil_masked",        stencil_masked,        ON_BOTH},
    {"depth_without_stencil", depth_without_stencil, ON_BOTH},
    {"between_draws",         between_draws,         ON_BOTH},
    {"rgba4",                 rgba4,                 ON_FBO},
    {"rgb5_a1",               rgb5_a1,               ON_FBO},
    {"rgb565",                rgb565,                ON_FBO},
    {"rgb8_rgba8",            rgb8_rgba8,            ON_FBO},
    {"rgb565_exact",          rgb565_exact,          ON_FBO},
    {NULL,                    NULL,                  ON_BOTH},
    /* clang-format on */
    /* clang-format on */
};
