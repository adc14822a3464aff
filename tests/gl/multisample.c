/* SPDX-License-Identifier: MIT */
/* multisample.c - tests multisampling with four samples per pixel: edges, the resolve, depth per
 * sample, coverage, alpha to coverage.
 *
 * Expected: a pixel is the mean of its four samples (OpenGL ES 2.0.25, sections 3.2 and 4.1.3). The
 * implementation chooses the sample positions. In Mesa's v3d_context.c, for the successor of this
 * hardware, they are (1/8, -3/8), (-3/8, -1/8), (3/8, 1/8), (-1/8, 3/8) from the pixel's centre.
 * Each quarter of a pixel's width and of its height contains one sample, so an edge at k / 4 of the
 * pixel covers k samples. */
#include "gl_test.h"

static EGLSurface surface;
static EGLContext context;

static void start(void)
{
    const EGLint size[] = {EGL_WIDTH, GL_SIDE, EGL_HEIGHT, GL_SIDE, EGL_NONE};
    const EGLint attributes[] = {EGL_CONTEXT_CLIENT_VERSION, 2, EGL_NONE};
    EGLConfig config = gl_config(8, 8, 24, 8, 4);
    if (!config)
        gl_skip("no configuration has four samples");
    eglBindAPI(EGL_OPENGL_ES_API);
    context = eglCreateContext(gl_display(), config, EGL_NO_CONTEXT, attributes);
    surface = eglCreatePbufferSurface(gl_display(), config, size);
    CHECK(context != EGL_NO_CONTEXT && surface != EGL_NO_SURFACE);
    CHECK(eglMakeCurrent(gl_display(), surface, surface, context));
    GLint buffers, samples;
    glGetIntegerv(GL_SAMPLE_BUFFERS, &buffers);
    glGetIntegerv(GL_SAMPLES, &samples);
    CHECK(buffers == 1 && samples == 4);
    glViewport(0, 0, GL_SIDE, GL_SIDE);
    glDisable(GL_DITHER);
    glClear(GL_COLOR_BUFFER_BIT | GL_DEPTH_BUFFER_BIT | GL_STENCIL_BUFFER_BIT);
}

static void end(void)
{
    EXPECT_ERROR(GL_NO_ERROR);
    eglMakeCurrent(gl_display(), EGL_NO_SURFACE, EGL_NO_SURFACE, EGL_NO_CONTEXT);
    eglDestroySurface(gl_display(), surface);
    eglDestroyContext(gl_display(), context);
}

/* Returns the colour of a pixel in which k of 4 samples are white: 255 k / 4, rounded either
 * way. */
static struct rgba share(int k)
{
    int value = (255 * k + 2) / 4;
    return RGBA(value, value, value, value);
}

static void clear(void)
{
    start();
    glClearColor(0.2f, 0.4f, 0.6f, 0.8f);
    glClear(GL_COLOR_BUFFER_BIT);
    EXPECT_RECT(0, 0, 64, 64, RGBA(51, 102, 153, 204), 0);
    end();
}

/* The right edge is at x = 10 + k/4, so k samples of pixel 10 are covered. */
static void vertical_edges(void)
{
    start();
    gl_use_color(1, 1, 1, 1);
    for (int k = 0; k <= 4; k++)
        gl_quad(4, (float)(12 * k), 10 + (float)k / 4, (float)(12 * k + 12), 0);
    for (int k = 0; k <= 4; k++) {
        EXPECT_RECT(4, 12 * k, 6, 12, WHITE, 0);
        EXPECT_RECT(10, 12 * k, 1, 12, share(k), 1);
        EXPECT_RECT(11, 12 * k, 53, 12, BLACK, 0);
    }
    end();
}

static void horizontal_edges(void)
{
    start();
    gl_use_color(1, 1, 1, 1);
    for (int k = 0; k <= 4; k++)
        gl_quad((float)(12 * k), 4, (float)(12 * k + 12), 10 + (float)k / 4, 0);
    for (int k = 0; k <= 4; k++) {
        EXPECT_RECT(12 * k, 4, 12, 6, WHITE, 0);
        EXPECT_RECT(12 * k, 10, 12, 1, share(k), 1);
        EXPECT_RECT(12 * k, 11, 12, 53, BLACK, 0);
    }
    end();
}

/* A diagonal edge covers 64 pixels partly, each by a whole number of samples. In total, half of
 * the picture is covered. */
static void diagonal(void)
{
    static const float corners[] = {-1, -1, 1, -1, 1, 1};
    start();
    gl_use_color(1, 1, 1, 1);
    glVertexAttribPointer(POSITION, 2, GL_FLOAT, GL_FALSE, 0, corners);
    glEnableVertexAttribArray(POSITION);
    glDrawArrays(GL_TRIANGLES, 0, 3);
    for (int i = 0; i < 64; i++) {
        struct rgba is = gl_pixel(i, i);
        CHECK(gl_near(is, share(1), 1) || gl_near(is, share(2), 1) || gl_near(is, share(3), 1));
        if (i > 0)
            EXPECT_RECT(0, i, i, 1, BLACK, 0);
        if (i < 63)
            EXPECT_RECT(i + 1, i, 63 - i, 1, WHITE, 0);
    }
    end();
}

/* Two triangles that share an edge must cover all samples exactly once, so adding 1/5 results in
 * 1/5. */
static void shared_edge(void)
{
    static const float corners[] = {-1, -1, 1, -1, -0.3f, 1,     -0.3f, 1,  1,
                                    -1, 1,  1, -1, -1,    -0.3f, 1,     -1, 1};
    start();
    glEnable(GL_BLEND);
    glBlendFunc(GL_ONE, GL_ONE);
    gl_use_color(0.2f, 0.4f, 0.6f, 0.2f);
    glVertexAttribPointer(POSITION, 2, GL_FLOAT, GL_FALSE, 0, corners);
    glEnableVertexAttribArray(POSITION);
    glDrawArrays(GL_TRIANGLES, 0, 9);
    EXPECT_RECT(0, 0, 64, 64, RGBA(51, 102, 153, 51), 0);
    end();
}

/* Depth is stored per sample. A nearer quad covers two samples of pixel 10, so a farther quad is
 * visible in the other two. */
static void depth_per_sample(void)
{
    start();
    glEnable(GL_DEPTH_TEST);
    gl_use_color(0, 1, 0, 1);
    gl_quad(0, 0, 10.5f, 64, -0.5f);
    gl_use_color(0, 0, 1, 1);
    gl_quad(0, 0, 64, 64, 0);
    EXPECT_RECT(0, 0, 10, 64, GREEN, 0);
    EXPECT_RECT(10, 0, 1, 64, RGBA(0, 128, 128, 255), 1);
    EXPECT_RECT(11, 0, 53, 64, BLUE, 0);
    end();
}

/* glSampleCoverage(k / 4) covers k of the four samples. If inverted, it covers the other
 * samples. */
static void coverage(void)
{
    start();
    glEnable(GL_SAMPLE_COVERAGE);
    gl_use_color(1, 1, 1, 1);
    for (int k = 0; k <= 4; k++) {
        glSampleCoverage((float)k / 4, GL_FALSE);
        gl_quad((float)(12 * k), 0, (float)(12 * k + 12), 32, 0);
        glSampleCoverage((float)k / 4, GL_TRUE);
        gl_quad((float)(12 * k), 32, (float)(12 * k + 12), 64, 0);
    }
    for (int k = 0; k <= 4; k++) {
        EXPECT_RECT(12 * k, 0, 12, 32, share(k), 1);
        EXPECT_RECT(12 * k, 32, 12, 32, share(4 - k), 1);
    }
    end();
}

/* A coverage value and its inverse together cover all samples of each pixel. */
static void coverage_complements(void)
{
    start();
    glEnable(GL_SAMPLE_COVERAGE);
    gl_use_color(0, 1, 0, 1);
    glSampleCoverage(0.5f, GL_FALSE);
    gl_quad(0, 0, 64, 64, 0);
    glSampleCoverage(0.5f, GL_TRUE);
    gl_quad(0, 0, 64, 64, 0);
    EXPECT_RECT(0, 0, 64, 64, GREEN, 0);
    end();
}

/* Alpha 0 covers no sample, and alpha 1 covers all. A larger alpha covers at least as many
 * samples as a smaller one (section 4.1.3). Each result is a whole number of samples. */
static void alpha_to_coverage(void)
{
    start();
    glEnable(GL_SAMPLE_ALPHA_TO_COVERAGE);
    int last = -1;
    for (int k = 0; k <= 8; k++) {
        gl_use_color(1, 1, 1, (float)k / 8);
        gl_quad((float)(6 * k), 0, (float)(6 * k + 6), 64, 0);
    }
    for (int k = 0; k <= 8; k++) {
        int sum = 0;
        for (int i = 0; i < 4; i++) /* implementations may dither in 2 x 2 pixels */
            sum += gl_pixel(6 * k + 2 + i % 2, 30 + i / 2).r;
        CHECK(sum >= last);
        CHECK(k != 0 || sum == 0);
        CHECK(k != 8 || sum == 4 * 255);
        last = sum;
    }
    end();
}

/* A texture is drawn with a viewport as large as the target. Multisampling must not change which
 * texels are sampled. */
static struct rgba texels_picture(int x, int y)
{
    return RGBA(4 * x, 4 * y, 255 - 4 * x, 255);
}

static void textured(void)
{
    start();
    gl_texture_of(64, 64, texels_picture);
    gl_program(gl_vertex_texture, gl_fragment_texture);
    gl_textured_quad(0, 0, 64, 64, 0, 0, 1, 1);
    EXPECT_PICTURE(texels_picture, 0);
    end();
}

/* After a read of the target, further draws must still find the samples of earlier draws, not only
 * the resolved picture. Two quads of half a pixel cover a whole pixel. */
static void read_between(void)
{
    start();
    glEnable(GL_BLEND);
    glBlendFunc(GL_ONE, GL_ONE);
    gl_use_color(1, 1, 1, 1);
    gl_quad(0, 0, 20.5f, 64, 0);
    EXPECT_RECT(20, 0, 1, 64, share(2), 1);
    gl_quad(20.5f, 0, 40, 64, 0);
    EXPECT_RECT(0, 0, 40, 64, WHITE, 0);
    EXPECT_RECT(40, 0, 24, 64, BLACK, 0);
    end();
}

/* With EXT_multisampled_render_to_texture, the texture contains the resolved picture. */
static void to_texture(void)
{
    gl_need("GL_EXT_multisampled_render_to_texture");
    PFNGLFRAMEBUFFERTEXTURE2DMULTISAMPLEEXTPROC attach = gl_function(
        "glFramebufferTexture2DMultisampleEXT");
    GLuint texture, framebuffer = gl_texture_target(&texture, GL_RGBA, GL_UNSIGNED_BYTE, 64, 64);
    glBindFramebuffer(GL_FRAMEBUFFER, framebuffer);
    attach(GL_FRAMEBUFFER, GL_COLOR_ATTACHMENT0, GL_TEXTURE_2D, texture, 0, 4);
    CHECK(glCheckFramebufferStatus(GL_FRAMEBUFFER) == GL_FRAMEBUFFER_COMPLETE);
    glClear(GL_COLOR_BUFFER_BIT);
    gl_use_color(1, 1, 1, 1);
    gl_quad(0, 0, 10.5f, 64, 0);
    EXPECT_RECT(10, 0, 1, 64, share(2), 1);
}

const struct gl_case gl_cases[] = {
    /* clang-format off */
    /* clang-format off */
    {"clear",                clear,                ON_NONE},
    {"vertical_edges",       vertical_edges,       ON_NONE},
    {"horizontal_edges",     horizontal_edges,     ON_NONE},
    {"diagonal",             diagonal,             ON_NONE},
    {"shared_edge",          shared_edge,          ON_NONE},
    {"depth_per_sample",     depth_per_sample,     ON_NONE},
    {"coverage",             coverage,             ON_NONE},
    {"coverage_complements", coverage_complements, ON_NONE},
    {"alpha_to_coverage",    alpha_to_coverage,    ON_NONE},
    {"textured",             textured,             ON_NONE},
    {"read_between",         read_between,         ON_NONE},
    {"to_texture",           to_texture,           ON_FBO},
    {NULL,                   NULL,                 ON_BOTH},
    /* clang-format on */
    /* clang-format on */
};
