/* SPDX-License-Identifier: MIT */
/* depth.c - tests the depth test: functions, mask, range, slopes, polygon offset, clipping at the
 * near and the far plane.
 *
 * Expected: OpenGL ES 2.0.25, 2.12.1 (depth range), 3.5.2 (offset), 4.1.5. */
#include "gl_test.h"

static const GLenum functions[] = {GL_NEVER,   GL_LESS,     GL_EQUAL,  GL_LEQUAL,
                                   GL_GREATER, GL_NOTEQUAL, GL_GEQUAL, GL_ALWAYS};

static void start(float depth)
{
    glClearColor(0, 0, 1, 1);
    glClearDepthf(depth);
    glClear(GL_COLOR_BUFFER_BIT | GL_DEPTH_BUFFER_BIT);
    glEnable(GL_DEPTH_TEST);
    glDepthFunc(GL_LESS);
    gl_use_color(0, 1, 0, 1);
}

/* The stored depth is 1/2, which is exactly z = 0. In the three rows, the new depth is less, equal
 * and greater. */
static struct rgba functions_picture(int x, int y)
{
    int bit = y < 16 ? 1 : y < 32 ? 2 : 4; /* bit in the masks below */
    static const int passing[] = {0, 1, 2, 1 | 2, 4, 1 | 4, 2 | 4, 7};
    return y < 48 && passing[x / 8] & bit ? GREEN : BLUE;
}

static void test_functions(void)
{
    start(1);
    glDepthFunc(GL_ALWAYS);
    gl_use_color(0, 0, 1, 1);
    gl_quad(0, 0, 64, 64, 0);
    gl_use_color(0, 1, 0, 1);
    for (int i = 0; i < 8; i++) {
        glDepthFunc(functions[i]);
        for (int row = 0; row < 3; row++)
            gl_quad((float)(8 * i), (float)(16 * row), (float)(8 * i + 8), (float)(16 * row + 16),
                    0.25f * (float)(row - 1));
    }
    EXPECT_PICTURE(functions_picture, 0);
}

/* With the depth mask off, a nearer quad is drawn but its depth is not stored. Without the depth
 * test, depth is not stored either. */
static void mask(void)
{
    start(1);
    glDepthMask(GL_FALSE);
    gl_quad(0, 0, 64, 64, -0.5f);
    glDepthMask(GL_TRUE);
    glDisable(GL_DEPTH_TEST);
    gl_quad(0, 0, 64, 64, -0.5f);
    glEnable(GL_DEPTH_TEST);
    gl_use_color(1, 0, 0, 1);
    gl_quad(0, 0, 32, 64, 0.5f);
    EXPECT_RECT(0, 0, 32, 64, RED, 0);
    EXPECT_RECT(32, 0, 32, 64, GREEN, 0);
}

/* Window depth is ((far - near) z + near + far) / 2. With the range 0.25..0.5, z = 1 is 0.5.
 * With the range 0.75..0.5, z = -1 is 0.75, and z = 1 is 0.5. */
static void range(void)
{
    start(0.6f);
    glDepthRangef(0.25f, 0.5f);
    gl_quad(0, 0, 16, 64, 1); /* depth 0.5: passes */
    glDepthRangef(0.75f, 0.5f);
    gl_quad(16, 0, 32, 64, 1);  /* depth 0.5: passes */
    gl_quad(32, 0, 48, 64, -1); /* depth 0.75: fails */
    glDepthRangef(-5, 0.4f);    /* the range is clamped to 0..0.4 */
    gl_quad(48, 0, 64, 64, 1);
    EXPECT_RECT(0, 0, 32, 64, GREEN, 0);
    EXPECT_RECT(32, 0, 16, 64, BLUE, 0);
    EXPECT_RECT(48, 0, 16, 64, GREEN, 0);
}

/* Draws a quad whose depth goes from z0 at the left to z1 at the right. */
static void draw_slope(float z0, float z1)
{
    const float corners[] = {-1, -1, z0, 1, -1, z1, -1, 1, z0, 1, 1, z1};
    glBindBuffer(GL_ARRAY_BUFFER, 0);
    glVertexAttribPointer(POSITION, 3, GL_FLOAT, GL_FALSE, 0, corners);
    glEnableVertexAttribArray(POSITION);
    glDrawArrays(GL_TRIANGLE_STRIP, 0, 4);
    glDisableVertexAttribArray(POSITION);
}

/* The depth goes from 0 to 1. It is 1/2 at x = 32, which is between two pixels. */
static void slope(void)
{
    start(0.5f);
    draw_slope(-1, 1);
    EXPECT_RECT(0, 0, 32, 64, GREEN, 0);
    EXPECT_RECT(32, 0, 32, 64, BLUE, 0);
}

/* Two slopes cross. At each pixel, the nearer slope is visible. */
static void crossing(void)
{
    start(1);
    draw_slope(-0.75f, 0.75f);
    gl_use_color(1, 0, 0, 1);
    draw_slope(0.75f, -0.75f);
    EXPECT_RECT(0, 0, 32, 64, GREEN, 0);
    EXPECT_RECT(32, 0, 32, 64, RED, 0);
}

/* The window depth rises by 1/128 per pixel. The factor 8 adds 8/128, which moves the crossing 8
 * pixels to the left. The factor -8 moves it 8 pixels to the right. Each half of the picture has
 * one factor. The crossing is half a pixel away from the pixel centres, so that the offset's
 * precision does not matter. */
static void offset_factor(void)
{
    start(0.5f);
    glEnable(GL_POLYGON_OFFSET_FILL);
    glEnable(GL_SCISSOR_TEST);
    glScissor(0, 0, 64, 32);
    glPolygonOffset(8, 0);
    draw_slope(-0.5f, 0.5f);
    glScissor(0, 32, 64, 32);
    glPolygonOffset(-8, 0);
    draw_slope(-0.5f, 0.5f);
    EXPECT_RECT(0, 0, 24, 32, GREEN, 0);
    EXPECT_RECT(24, 0, 40, 32, BLUE, 0);
    EXPECT_RECT(0, 32, 40, 32, GREEN, 0);
    EXPECT_RECT(40, 32, 24, 32, BLUE, 0);
}

/* One unit is the smallest difference of depth that can be resolved. A coplanar quad passes with
 * a negative offset, and fails with a positive offset. */
static void offset_units(void)
{
    start(1);
    gl_quad(0, 0, 64, 64, 0.25f);
    glEnable(GL_POLYGON_OFFSET_FILL);
    gl_use_color(1, 0, 0, 1);
    glPolygonOffset(0, -2);
    gl_quad(0, 0, 16, 64, 0.25f);
    glDepthFunc(GL_LEQUAL);
    glPolygonOffset(0, 2);
    gl_quad(16, 0, 32, 64, 0.25f);
    glPolygonOffset(0, 0);
    gl_quad(32, 0, 48, 64, 0.25f);
    glDisable(GL_POLYGON_OFFSET_FILL);
    glPolygonOffset(0, 2);
    gl_quad(48, 0, 64, 64, 0.25f);
    EXPECT_RECT(0, 0, 16, 64, RED, 0);
    EXPECT_RECT(16, 0, 16, 64, GREEN, 0);
    EXPECT_RECT(32, 0, 32, 64, RED, 0);
}

/* z goes from -2 to 2, so only the middle half is inside -1..1 (section 2.13). */
static void clipping(void)
{
    start(1);
    glDisable(GL_DEPTH_TEST);
    draw_slope(-2, 2);
    EXPECT_RECT(0, 0, 16, 64, BLUE, 0);
    EXPECT_RECT(16, 0, 32, 64, GREEN, 0);
    EXPECT_RECT(48, 0, 16, 64, BLUE, 0);
}

/* Draws a plane in perspective. w goes from 1 at the left to 3 at the right, and z/w from -1 to
 * 1/3. Window depth is linear in x (3.5.1: z is interpolated without perspective), from 0 to
 * 2/3, and is 1/3 at x = 32. */
static void perspective(void)
{
    static const float corners[] = {-1, -1, -1, 1, 3, -3, 1, 3, -1, 1, -1, 1, 3, 3, 1, 3};
    start(1 / 3.0f);
    glVertexAttribPointer(POSITION, 4, GL_FLOAT, GL_FALSE, 0, corners);
    glEnableVertexAttribArray(POSITION);
    glDrawArrays(GL_TRIANGLE_STRIP, 0, 4);
    EXPECT_RECT(0, 0, 32, 64, GREEN, 0);
    EXPECT_RECT(32, 0, 32, 64, BLUE, 0);
}

/* A depth buffer of 16 bits must resolve a difference of 1/1000. */
static void sixteen_bits(void)
{
    GLuint buffer;
    glGenRenderbuffers(1, &buffer);
    glBindRenderbuffer(GL_RENDERBUFFER, buffer);
    glRenderbufferStorage(GL_RENDERBUFFER, GL_DEPTH_COMPONENT16, GL_SIDE, GL_SIDE);
    glFramebufferRenderbuffer(GL_FRAMEBUFFER, GL_STENCIL_ATTACHMENT, GL_RENDERBUFFER, 0);
    glFramebufferRenderbuffer(GL_FRAMEBUFFER, GL_DEPTH_ATTACHMENT, GL_RENDERBUFFER, buffer);
    CHECK(glCheckFramebufferStatus(GL_FRAMEBUFFER) == GL_FRAMEBUFFER_COMPLETE);
    start(1);
    gl_quad(0, 0, 64, 64, 0.5f);
    gl_use_color(1, 0, 0, 1);
    gl_quad(0, 0, 32, 64, 0.499f);
    gl_quad(32, 0, 64, 64, 0.501f);
    EXPECT_RECT(0, 0, 32, 64, RED, 0);
    EXPECT_RECT(32, 0, 32, 64, GREEN, 0);
}

/* With EXT_frag_depth, the shader's depth is 1/4 at the left and 3/4 at the right. The stored
 * depth is 1/2. */
static void from_shader(void)
{
    gl_need("GL_EXT_frag_depth");
    start(0.5f);
    gl_program(gl_vertex_texture,
               "#extension GL_EXT_frag_depth : require\n"
               "precision highp float; varying vec2 v; void main() {"
               "gl_FragDepthEXT = v.x < 0.5 ? 0.25 : 0.75; gl_FragColor = vec4(0, 1, 0, 1); }");
    gl_textured_quad(0, 0, 64, 64, 0, 0, 1, 1);
    EXPECT_RECT(0, 0, 32, 64, GREEN, 0);
    EXPECT_RECT(32, 0, 32, 64, BLUE, 0);
}

const struct gl_case gl_cases[] = {
    /* clang-format off */
    /* clang-format off */
    {"functions",     test_functions, ON_BOTH},
    {"mask",          mask,           ON_BOTH},
    {"range",         range,          ON_BOTH},
    {"slope",         slope,          ON_BOTH},
    {"crossing",      crossing,       ON_BOTH},
    {"offset_factor", offset_factor,  ON_BOTH},
    {"offset_units",  offset_units,   ON_BOTH},
    {"clipping",      clipping,       ON_BOTH},
    {"perspective",   perspective,    ON_BOTH},
    {"from_shader",   from_shader,    ON_BOTH},
    {"sixteen_bits",  sixteen_bits,   ON_FBO},
    {NULL,            NULL,           ON_BOTH},
    /* clang-format on */
    /* clang-format on */
};
