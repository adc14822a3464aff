/* SPDX-License-Identifier: MIT */
/* mipmap.c - tests levels of detail: selection, bias, interpolation, generated levels, incomplete
 * textures, sizes other than powers of two.
 *
 * Expected: OpenGL ES 2.0.25, 3.7.7 (minification: level = log2(texels per pixel) + bias), 3.7.11
 * (generation: 2 x 2 means), 3.8.2 (incomplete textures are (0, 0, 0, 1)). */
#include "gl_test.h"

#include <stdlib.h>

static const struct rgba level_colors[] = {
    /* clang-format off */
    {255, 0,   0,   255},
    {0,   255, 0,   255},
    {0,   0,   255, 255},
    {255, 255, 0,   255},
    {0,   255, 255, 255},
    {255, 0,   255, 255},
    {255, 255, 255, 255},
    /* clang-format on */
};

static void fill_level(GLenum target, int level, int width, int height, struct rgba color)
{
    uint8_t *pixels = malloc(4 * (size_t)width * (size_t)height);
    CHECK(pixels);
    for (int i = 0; i < width * height; i++) {
        pixels[4 * i] = (uint8_t)color.r;
        pixels[4 * i + 1] = (uint8_t)color.g;
        pixels[4 * i + 2] = (uint8_t)color.b;
        pixels[4 * i + 3] = (uint8_t)color.a;
    }
    glTexImage2D(target, level, GL_RGBA, width, height, 0, GL_RGBA, GL_UNSIGNED_BYTE, pixels);
    free(pixels);
}

static int level_size(int size, int level)
{
    return size >> level ? size >> level : 1;
}

/* Makes a texture in which each level has a different colour. */
static void make_levels(int width, int height, GLint filter)
{
    GLuint texture;
    glGenTextures(1, &texture);
    glBindTexture(GL_TEXTURE_2D, texture);
    glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_MIN_FILTER, filter);
    for (int level = 0; level < 7; level++) {
        fill_level(GL_TEXTURE_2D, level, level_size(width, level), level_size(height, level),
                   level_colors[level]);
        if (level_size(width, level) == 1 && level_size(height, level) == 1)
            break;
    }
}

/* A quad of 64 >> level pixels that shows a whole texture of 64 x 64 has exactly this level of
 * detail. */
static void chosen(void)
{
    make_levels(64, 64, GL_NEAREST_MIPMAP_NEAREST);
    gl_program(gl_vertex_texture, gl_fragment_texture);
    for (int level = 0; level < 7; level++) {
        int side = 64 >> level;
        gl_textured_quad(0, 0, (float)side, (float)side, 0, 0, 1, 1);
        EXPECT_RECT(0, 0, side, side, level_colors[level], 0);
    }
    /* The quad has twice as many texels per pixel in one direction as in the other. The larger
     * number of texels per pixel determines the level. */
    gl_textured_quad(0, 0, 32, 8, 0, 0, 1, 1);
    EXPECT_RECT(0, 0, 32, 8, level_colors[3], 0);
    /* A magnified texture uses the base level. */
    glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_WRAP_S, GL_CLAMP_TO_EDGE);
    gl_textured_quad(0, 0, 64, 64, 0, 0, 0.25f, 0.25f);
    EXPECT_RECT(0, 0, 64, 64, level_colors[0], 0);
}

/* Level 1 is the nearest level between 2^(1/2) and 2^(3/2) texels per pixel. The rows show 64
 * texels on 60, 40, 34, 30, 24 and 20 pixels. */
static void rounded(void)
{
    static const int rows[][2] = {{60, 0}, {40, 1}, {34, 1}, {30, 1}, {24, 1}, {20, 2}};
    make_levels(64, 64, GL_NEAREST_MIPMAP_NEAREST);
    gl_program(gl_vertex_texture, gl_fragment_texture);
    for (int i = 0; i < 6; i++) {
        int side = rows[i][0];
        gl_textured_quad(0, 0, (float)side, (float)side, 0, 0, 1, 1);
        EXPECT_RECT(0, 0, side, side, level_colors[rows[i][1]], 0);
    }
}

/* 64 texels on 64 / 2^(1/2) = 45.25 pixels is level 1/2, the mean of two levels. The tolerance
 * of 8 of 255 allows a fraction of about 5 bits. */
static void between(void)
{
    make_levels(64, 64, GL_LINEAR_MIPMAP_LINEAR);
    gl_program(gl_vertex_texture, gl_fragment_texture);
    gl_textured_quad(0, 0, 45.2548f, 45.2548f, 0, 0, 1, 1);
    EXPECT_RECT(0, 0, 44, 44, RGBA(128, 128, 0, 255), 8);
    gl_textured_quad(0, 0, 64, 64, 0, 0, 1, 1);
    EXPECT_RECT(0, 0, 64, 64, RGBA(255, 0, 0, 255), 0);
    gl_textured_quad(0, 0, 32, 32, 0, 0, 1, 1);
    EXPECT_RECT(0, 0, 32, 32, RGBA(0, 255, 0, 255), 0);
    /* 64 / 2^(3/4) pixels is level 3/4. */
    gl_textured_quad(0, 0, 38.0546f, 38.0546f, 0, 0, 1, 1);
    EXPECT_RECT(0, 0, 37, 37, RGBA(64, 191, 0, 255), 8);
}

/* Tests texture2D() with a bias. At one texel per pixel, the level is equal to the bias. */
static void bias(void)
{
    make_levels(64, 64, GL_NEAREST_MIPMAP_NEAREST);
    GLuint program = gl_program(
        gl_vertex_texture,
        "precision mediump float; uniform sampler2D texture; uniform float bias; varying vec2 v;"
        "void main() { gl_FragColor = texture2D(texture, v, bias); }");
    static const struct {
        float bias;
        int level;
    } rows[] = {{0, 0}, {1, 1}, {2.2f, 2}, {3.9f, 4}, {6, 6}, {20, 6}, {-3, 0}};
    for (int i = 0; i < 7; i++) {
        glUniform1f(gl_uniform(program, "bias"), rows[i].bias);
        gl_textured_quad(0, 0, 64, 64, 0, 0, 1, 1);
        EXPECT_RECT(0, 0, 64, 64, level_colors[rows[i].level], 0);
    }
}

/* The fragment shader selects the level (EXT_shader_texture_lod). */
static void given(void)
{
    gl_need("GL_EXT_shader_texture_lod");
    make_levels(64, 64, GL_NEAREST_MIPMAP_NEAREST);
    GLuint program = gl_program(
        gl_vertex_texture,
        "#extension GL_EXT_shader_texture_lod : require\n"
        "precision mediump float; uniform sampler2D texture; uniform float level; varying vec2 v;"
        "void main() { gl_FragColor = texture2DLodEXT(texture, v, level); }");
    for (int level = 0; level < 7; level++) {
        glUniform1f(gl_uniform(program, "level"), (float)level);
        gl_textured_quad(0, 0, 64, 64, 0, 0, 1, 1);
        EXPECT_RECT(0, 0, 64, 64, level_colors[level], 0);
    }
}

/* A rectangular texture has levels until both sides are 1. */
static void oblong(void)
{
    make_levels(64, 8, GL_NEAREST_MIPMAP_NEAREST);
    gl_program(gl_vertex_texture, gl_fragment_texture);
    for (int level = 0; level < 7; level++) {
        int width = 64 >> level, height = level_size(8, level);
        gl_textured_quad(0, 0, (float)width, (float)height, 0, 0, 1, 1);
        EXPECT_RECT(0, 0, width, height, level_colors[level], 0);
    }
}

/* Levels by OES_texture_npot: 40 x 24, 20 x 12, 10 x 6, 5 x 3, 2 x 1, 1 x 1. */
static void no_powers_of_two(void)
{
    gl_need("GL_OES_texture_npot");
    make_levels(40, 24, GL_NEAREST_MIPMAP_NEAREST);
    gl_program(gl_vertex_texture, gl_fragment_texture);
    for (int level = 0; level < 4; level++) {
        int width = 40 >> level, height = 24 >> level;
        gl_textured_quad(0, 0, (float)width, (float)height, 0, 0, 1, 1);
        EXPECT_RECT(0, 0, width, height, level_colors[level], 0);
    }
}

/* --- Generated levels --- */

/* Makes a texture. In blocks of 2 x 2 texels, red is 0, 40, 80 and 120, so red is 60 in all
 * generated levels. Green depends on the quarter of the width, and blue on the half of the
 * height. */
static void make_blocks(int side)
{
    uint8_t *pixels = malloc(4 * (size_t)side * (size_t)side);
    CHECK(pixels);
    for (int i = 0; i < side * side; i++) {
        int x = i % side, y = i / side;
        pixels[4 * i] = (uint8_t)(40 * (x % 2) + 80 * (y % 2));
        pixels[4 * i + 1] = (uint8_t)(4 * x / side * 80);
        pixels[4 * i + 2] = (uint8_t)(2 * y / side * 200);
        pixels[4 * i + 3] = 255;
    }
    gl_texture(GL_RGBA, GL_UNSIGNED_BYTE, side, side, pixels);
    free(pixels);
}

/* Checks a level in which each column of texels has one of the four values. */
static void expect_level(int side)
{
    for (int column = 0; column < 4; column++)
        for (int row = 0; row < 2; row++)
            EXPECT_RECT(column * side / 4, row * side / 2, side / 4, side / 2,
                        RGBA(60, 80 * column, 200 * row, 255), 1);
}

static void generated(void)
{
    make_blocks(64);
    glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_MIN_FILTER, GL_NEAREST_MIPMAP_NEAREST);
    glGenerateMipmap(GL_TEXTURE_2D);
    gl_program(gl_vertex_texture, gl_fragment_texture);
    for (int side = 32; side >= 4; side /= 2) {
        gl_textured_quad(0, 0, (float)side, (float)side, 0, 0, 1, 1);
        expect_level(side);
    }
    /* Level 2 x 2 has two columns, each the mean of two quarters. Level 1 x 1 is the mean of
     * all. The tolerance covers the rounding in six levels. */
    gl_textured_quad(0, 0, 2, 2, 0, 0, 1, 1);
    EXPECT_PIXEL(0, 0, RGBA(60, 40, 0, 255), 3);
    EXPECT_PIXEL(1, 1, RGBA(60, 200, 200, 255), 3);
    gl_textured_quad(0, 0, 1, 1, 0, 0, 1, 1);
    EXPECT_PIXEL(0, 0, RGBA(60, 120, 100, 255), 3);
}

/* Levels are generated again after the base level is replaced, and after it is drawn to. */
static void generated_again(void)
{
    GLuint texture, framebuffer = gl_texture_target(&texture, GL_RGBA, GL_UNSIGNED_BYTE, 64, 64);
    glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_MIN_FILTER, GL_NEAREST_MIPMAP_NEAREST);
    for (int k = 0; k <= 5; k++) {
        glBindFramebuffer(GL_FRAMEBUFFER, framebuffer);
        glClearColor((float)k / 5, 0.2f, 1, 1);
        glClear(GL_COLOR_BUFFER_BIT);
        glGenerateMipmap(GL_TEXTURE_2D);
        gl_bind_target();
        gl_program(gl_vertex_texture, gl_fragment_texture);
        gl_textured_quad(0, 0, 8, 8, 0, 0, 1, 1);
        EXPECT_RECT(0, 0, 8, 8, RGBA(51 * k, 51, 255, 255), 1);
    }
}

static void generated_rgb565(void)
{
    uint16_t pixels[32 * 32];
    for (int i = 0; i < 32 * 32; i++)
        pixels[i] = (i + i / 32) % 2 ? 0xffff : 0x0000; /* chequerboard, whose mean is grey */
    gl_texture(GL_RGB, GL_UNSIGNED_SHORT_5_6_5, 32, 32, pixels);
    glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_MIN_FILTER, GL_NEAREST_MIPMAP_NEAREST);
    glGenerateMipmap(GL_TEXTURE_2D);
    gl_program(gl_vertex_texture, gl_fragment_texture);
    gl_textured_quad(0, 0, 16, 16, 0, 0, 1, 1);
    EXPECT_RECT(0, 0, 16, 16, RGBA(128, 128, 128, 255), 9);
}

/* --- Incomplete textures --- */

static void expect_incomplete(void)
{
    gl_program(gl_vertex_texture, gl_fragment_texture);
    glClearColor(1, 0, 0, 0);
    glClear(GL_COLOR_BUFFER_BIT);
    gl_textured_quad(0, 0, 64, 64, 0, 0, 1, 1);
    EXPECT_RECT(0, 0, 64, 64, RGBA(0, 0, 0, 255), 0);
}

static void incomplete(void)
{
    GLuint texture;
    /* One level is missing. */
    make_levels(64, 64, GL_NEAREST);
    glGenTextures(1, &texture);
    glBindTexture(GL_TEXTURE_2D, texture);
    for (int level = 0; level < 7; level++)
        if (level != 3)
            fill_level(GL_TEXTURE_2D, level, 64 >> level, 64 >> level, level_colors[level]);
    glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_MIN_FILTER, GL_LINEAR_MIPMAP_NEAREST);
    expect_incomplete();
    /* The missing level is added. */
    fill_level(GL_TEXTURE_2D, 3, 8, 8, level_colors[3]);
    gl_textured_quad(0, 0, 8, 8, 0, 0, 1, 1);
    EXPECT_RECT(0, 0, 8, 8, level_colors[3], 0);
    /* One level has a wrong size. */
    fill_level(GL_TEXTURE_2D, 2, 17, 16, level_colors[2]);
    expect_incomplete();
    /* Without mip mapping, only the base level is needed. */
    glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_MIN_FILTER, GL_NEAREST);
    gl_textured_quad(0, 0, 64, 64, 0, 0, 1, 1);
    EXPECT_RECT(0, 0, 64, 64, level_colors[0], 0);
    /* The texture has no levels at all. */
    glGenTextures(1, &texture);
    glBindTexture(GL_TEXTURE_2D, texture);
    expect_incomplete();
}

/* Generates the levels of a cube map. Checks them down to 4 x 4, because smaller levels depend
 * on texels of other faces. */
static void cube(void)
{
    GLuint texture;
    glGenTextures(1, &texture);
    glBindTexture(GL_TEXTURE_CUBE_MAP, texture);
    glTexParameteri(GL_TEXTURE_CUBE_MAP, GL_TEXTURE_MIN_FILTER, GL_NEAREST_MIPMAP_NEAREST);
    for (GLenum face = 0; face < 6; face++)
        for (int level = 0; level < 6; level++) {
            struct rgba color = level_colors[level];
            color.a = 51 * (int)(face % 6);
            fill_level(GL_TEXTURE_CUBE_MAP_POSITIVE_X + face, level, 32 >> level, 32 >> level,
                       color);
        }
    gl_program(gl_vertex_texture,
               "precision mediump float; uniform samplerCube texture; varying vec2 v;"
               "void main() { gl_FragColor = textureCube(texture, vec3(v * 2.0 - 1.0, 1)); }");
    for (int level = 0; level < 4; level++) {
        int side = 32 >> level;
        gl_textured_quad(0, 0, (float)side, (float)side, 0, 0, 1, 1);
        struct rgba color = level_colors[level];
        color.a = 51 * 4; /* the face +z */
        EXPECT_RECT(0, 0, side, side, color, 0);
    }
}

const struct gl_case gl_cases[] = {
    /* clang-format off */
    /* clang-format off */
    {"chosen",           chosen,           ON_BOTH},
    {"rounded",          rounded,          ON_FBO},
    {"between",          between,          ON_FBO},
    {"bias",             bias,             ON_FBO},
    {"given",            given,            ON_FBO},
    {"oblong",           oblong,           ON_FBO},
    {"no_powers_of_two", no_powers_of_two, ON_FBO},
    {"generated",        generated,        ON_BOTH},
    {"generated_again",  generated_again,  ON_FBO},
    {"generated_rgb565", generated_rgb565, ON_FBO},
    {"incomplete",       incomplete,       ON_FBO},
    {"cube",             cube,             ON_FBO},
    {NULL,               NULL,             ON_BOTH},
    /* clang-format on */
    /* clang-format on */
};
