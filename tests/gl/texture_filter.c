/* SPDX-License-Identifier: MIT */
/* texture_filter.c - tests nearest and linear filters with all wrap modes, and the faces of cube
 * maps.
 *
 * Expected: OpenGL ES 2.0.25, sections 3.7.5 (cube maps), 3.7.6 (wrap modes), 3.7.7 and 3.7.8
 * (filters). */
#include "gl_test.h"

#include <math.h>

static const GLenum wraps[] = {GL_REPEAT, GL_MIRRORED_REPEAT, GL_CLAMP_TO_EDGE};

/* Returns the texel that a wrap mode selects for any integer i in a row of `size` texels. */
static int wrapped(GLenum wrap, int i, int size)
{
    int period = wrap == GL_MIRRORED_REPEAT ? 2 * size : size;
    int rest = ((i % period) + period) % period;
    switch (wrap) {
    case GL_REPEAT: return rest;
    case GL_MIRRORED_REPEAT: return rest < size ? rest : period - 1 - rest;
    default: return i < 0 ? 0 : i >= size ? size - 1 : i;
    }
}

static struct {
    GLenum wrap_s, wrap_t;
    int width, height;
} now;

static struct rgba texel(int x, int y)
{
    x = wrapped(now.wrap_s, x, now.width);
    y = wrapped(now.wrap_t, y, now.height);
    return RGBA(x * 255 / (now.width - 1), y * 255 / (now.height - 1), (x + y) % 2 * 255, 255);
}

static void make_texture(int width, int height, GLint filter)
{
    now.width = width;
    now.height = height;
    now.wrap_s = now.wrap_t = GL_CLAMP_TO_EDGE;
    gl_texture_of(width, height, texel);
    glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_MIN_FILTER, filter);
    glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_MAG_FILTER, filter);
    gl_program(gl_vertex_texture, gl_fragment_texture);
}

/* The 64 pixels show coordinates -2 to 2, so each repetition has 16 pixels. */
static double coordinate(int pixel)
{
    return (pixel + 0.5) / 16 - 2;
}

static struct rgba nearest_picture(int x, int y)
{
    return texel((int)floor(coordinate(x) * now.width), (int)floor(coordinate(y) * now.height));
}

static void draw_all_wraps(gl_picture *picture, int tolerance)
{
    for (int i = 0; i < 9; i++) {
        now.wrap_s = wraps[i % 3];
        now.wrap_t = wraps[i / 3];
        glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_WRAP_S, (GLint)now.wrap_s);
        glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_WRAP_T, (GLint)now.wrap_t);
        gl_textured_quad(0, 0, 64, 64, -2, -2, 2, 2);
        EXPECT_PICTURE(picture, tolerance);
    }
}

static void nearest(void)
{
    make_texture(8, 4, GL_NEAREST);
    draw_all_wraps(nearest_picture, 0);
}

static double mixed(double a, double b, double share)
{
    return a + (b - a) * share;
}

static struct rgba linear_picture(int x, int y)
{
    double u = coordinate(x) * now.width - 0.5, v = coordinate(y) * now.height - 0.5;
    int i = (int)floor(u), j = (int)floor(v);
    struct rgba c[4] = {texel(i, j), texel(i + 1, j), texel(i, j + 1), texel(i + 1, j + 1)};
    double values[3];
    for (int k = 0; k < 3; k++) {
        double corner[4];
        for (int n = 0; n < 4; n++)
            corner[n] = k == 0 ? c[n].r : k == 1 ? c[n].g : c[n].b;
        values[k] = mixed(mixed(corner[0], corner[1], u - i), mixed(corner[2], corner[3], u - i),
                          v - j);
    }
    return RGBA((int)lrint(values[0]), (int)lrint(values[1]), (int)lrint(values[2]), 255);
}

/* The tolerance is 3, because hardware filters have weights of about eight bits. */
static void linear(void)
{
    make_texture(8, 4, GL_LINEAR);
    draw_all_wraps(linear_picture, 3);
}

/* 5 x 3 texels (OES_texture_npot, for wraps other than CLAMP_TO_EDGE). Each repetition has 16
 * pixels. No texel edge is at a pixel centre, because (p + 0.5) / 16 * 5 is never an integer. */
static void nearest_npot(void)
{
    gl_need("GL_OES_texture_npot");
    make_texture(5, 3, GL_NEAREST);
    draw_all_wraps(nearest_picture, 0);
}

static void linear_npot(void)
{
    gl_need("GL_OES_texture_npot");
    make_texture(5, 3, GL_LINEAR);
    draw_all_wraps(linear_picture, 3);
}

/* Linear magnification, with 4 texels on 32 pixels, and nearest minification, with 64 texels on
 * 32 pixels. */
static void both_filters(void)
{
    make_texture(4, 4, GL_NEAREST);
    glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_MAG_FILTER, GL_LINEAR);
    glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_WRAP_S, GL_REPEAT);
    /* Magnified along s in one row of texels. All pixels are near the middle between texels 0
     * and 1, whose red is 0 and 85. */
    gl_textured_quad(0, 0, 64, 64, 0.25f - 1 / 256.0f, 0.125f, 0.25f + 1 / 256.0f, 0.125f);
    EXPECT_RECT(0, 0, 64, 64, RGBA(43, 0, 128, 255), 4);
    /* Minified, with 1.25 texels per pixel from the middle of texel 0 on. Pixel p shows texel
     * floor(1.25 p + 1.125) % 4, which is 2 at pixel 1. */
    gl_textured_quad(0, 0, 64, 64, 0, 0.125f, 20, 20.125f);
    EXPECT_PIXEL(0, 0, RGBA(0, 85, 255, 255), 0);
}

/* --- Cube maps --- */

/* The faces of the cube map have four texels each. Red depends on the face, green on s, and blue
 * on t. */
static void make_cube(void)
{
    GLuint texture;
    glGenTextures(1, &texture);
    glBindTexture(GL_TEXTURE_CUBE_MAP, texture);
    glTexParameteri(GL_TEXTURE_CUBE_MAP, GL_TEXTURE_MIN_FILTER, GL_NEAREST);
    glTexParameteri(GL_TEXTURE_CUBE_MAP, GL_TEXTURE_MAG_FILTER, GL_NEAREST);
    for (int face = 0; face < 6; face++) {
        uint8_t pixels[16];
        for (int i = 0; i < 4; i++) {
            pixels[4 * i] = (uint8_t)(40 * face + 10);
            pixels[4 * i + 1] = (uint8_t)(i % 2 * 255);
            pixels[4 * i + 2] = (uint8_t)(i / 2 * 255);
            pixels[4 * i + 3] = 255;
        }
        glTexImage2D(GL_TEXTURE_CUBE_MAP_POSITIVE_X + (GLenum)face, 0, GL_RGBA, 2, 2, 0, GL_RGBA,
                     GL_UNSIGNED_BYTE, pixels);
    }
}

/* For each face, its axis, and the axes of s and t with their signs (section 3.7.5). */
static const struct {
    int major, sign, s, s_sign, t, t_sign;
} faces[6] = {
    /* clang-format off */
    {0, 1,  2, -1, 1, -1},
    {0, -1, 2, 1,  1, -1},
    {1, 1,  0, 1,  2, 1},
    {1, -1, 0, 1,  2, -1},
    {2, 1,  0, 1,  1, -1},
    {2, -1, 0, -1, 1, -1},
    /* clang-format on */
};

/* Computes a direction to texel (s, t) of a face: the face's axis, moved by 0.4 along s and t.
 * The length is arbitrary. */
static void cube_direction(int face, int s, int t, float length, float direction[3])
{
    direction[faces[face].major] = length * (float)faces[face].sign;
    direction[faces[face].s] = length * 0.4f * (float)(faces[face].s_sign * (s ? 1 : -1));
    direction[faces[face].t] = length * 0.4f * (float)(faces[face].t_sign * (t ? 1 : -1));
}

static void cube(void)
{
    make_cube();
    GLuint program = gl_program(
        gl_vertex_texture,
        "precision mediump float; uniform samplerCube texture; uniform vec3 direction;"
        "void main() { gl_FragColor = textureCube(texture, direction); }");
    GLint uniform = gl_uniform(program, "direction");
    for (int i = 0; i < 24; i++) {
        float direction[3];
        cube_direction(i / 4, i % 2, i / 2 % 2, i % 3 ? 1 : 7.5f, direction);
        glUniform3fv(uniform, 1, direction);
        gl_quad((float)(i % 8 * 8), (float)(i / 8 * 8), (float)(i % 8 * 8 + 8),
                (float)(i / 8 * 8 + 8), 0);
    }
    for (int i = 0; i < 24; i++)
        EXPECT_RECT(i % 8 * 8, i / 8 * 8, 8, 8,
                    RGBA(40 * (i / 4) + 10, i % 2 * 255, i / 2 % 2 * 255, 255), 0);
}

/* With directions from varyings, one draw shows all texels of a face. On the face +z, s
 * increases with x, and t decreases with y. */
static struct rgba front_picture(int x, int y)
{
    return RGBA(170, x < 32 ? 0 : 255, y < 32 ? 255 : 0, 255);
}

static void cube_varying(void)
{
    make_cube();
    gl_program(gl_vertex_texture,
               "precision mediump float; uniform samplerCube texture; varying vec2 v;"
               "void main() { gl_FragColor = textureCube(texture, vec3(v, 1)); }");
    gl_textured_quad(0, 0, 64, 64, -1, -1, 1, 1);
    EXPECT_PICTURE(front_picture, 0);
}

const struct gl_case gl_cases[] = {
    /* clang-format off */
    /* clang-format off */
    {"nearest",      nearest,      ON_BOTH},
    {"linear",       linear,       ON_BOTH},
    {"nearest_npot", nearest_npot, ON_FBO},
    {"linear_npot",  linear_npot,  ON_FBO},
    {"both_filters", both_filters, ON_FBO},
    {"cube",         cube,         ON_BOTH},
    {"cube_varying", cube_varying, ON_BOTH},
    {NULL,           NULL,         ON_BOTH},
    /* clang-format on */
    /* clang-format on */
};
