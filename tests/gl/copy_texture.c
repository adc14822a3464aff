/* SPDX-License-Identifier: MIT */
/* copy_texture.c - tests textures, and parts of textures, that are copied from the framebuffer.
 *
 * Expected: OpenGL ES 2.0.25, 3.7.2 (which components are copied). */
#include "gl_test.h"

/* Returns a pixel of the picture that is copied. A pixel's colour is its position. */
static struct rgba source_picture(int x, int y)
{
    return RGBA(4 * x, 4 * y, x < 32 ? 0 : 255, y < 32 ? 255 : 128);
}

static void make_source(void)
{
    GLuint texture = gl_texture_of(GL_SIDE, GL_SIDE, source_picture);
    gl_program(gl_vertex_texture, gl_fragment_texture);
    gl_textured_quad(0, 0, 64, 64, 0, 0, 1, 1);
    glDeleteTextures(1, &texture);
}

static void show_texture(void)
{
    glClearColor(0, 0, 0, 0);
    glClear(GL_COLOR_BUFFER_BIT);
    gl_program(gl_vertex_texture, gl_fragment_texture);
    gl_textured_quad(0, 0, 64, 64, 0, 0, 1, 1);
}

static void whole(void)
{
    make_source();
    gl_texture(GL_RGBA, GL_UNSIGNED_BYTE, 1, 1, NULL);
    glCopyTexImage2D(GL_TEXTURE_2D, 0, GL_RGBA, 0, 0, 64, 64, 0);
    show_texture();
    EXPECT_PICTURE(source_picture, 0);
}

/* Copies 32 x 16 pixels from (19, 27). One texel covers 2 x 4 pixels of the picture. */
static struct rgba part_picture(int x, int y)
{
    return source_picture(19 + x / 2, 27 + y / 4);
}

static void part(void)
{
    make_source();
    gl_texture(GL_RGBA, GL_UNSIGNED_BYTE, 1, 1, NULL);
    glCopyTexImage2D(GL_TEXTURE_2D, 0, GL_RGBA, 19, 27, 32, 16, 0);
    show_texture();
    EXPECT_PICTURE(part_picture, 0);
}

static struct rgba luminance_picture(int x, int y)
{
    int l = source_picture(x, y).r;
    return RGBA(l, l, l, 255);
}

static struct rgba alpha_picture(int x, int y)
{
    return RGBA(0, 0, 0, source_picture(x, y).a);
}

static struct rgba luminance_alpha_picture(int x, int y)
{
    int l = source_picture(x, y).r;
    return RGBA(l, l, l, source_picture(x, y).a);
}

static struct rgba rgb_picture(int x, int y)
{
    struct rgba c = source_picture(x, y);
    c.a = 255;
    return c;
}

/* Luminance is copied from red (section 3.7.2). The tolerance for RGB is 1 step of 5 bits,
 * because RGB may be stored with fewer bits. */
static void formats(void)
{
    static const struct {
        GLenum format;
        gl_picture *picture;
        int tolerance;
    } rows[] = {
        {GL_RGB, rgb_picture, 8},
        {GL_LUMINANCE, luminance_picture, 1},
        {GL_ALPHA, alpha_picture, 1},
        {GL_LUMINANCE_ALPHA, luminance_alpha_picture, 1},
    };
    for (int i = 0; i < 4; i++) {
        make_source();
        gl_texture(rows[i].format, GL_UNSIGNED_BYTE, 1, 1, NULL);
        glCopyTexImage2D(GL_TEXTURE_2D, 0, rows[i].format, 0, 0, 64, 64, 0);
        show_texture();
        EXPECT_PICTURE(rows[i].picture, rows[i].tolerance);
    }
}

/* Copies 20 x 10 pixels from (40, 3) to (5, 50) of a green texture. */
static struct rgba sub_picture(int x, int y)
{
    bool in = x >= 5 && x < 25 && y >= 50 && y < 60;
    return in ? source_picture(x - 5 + 40, y - 50 + 3) : GREEN;
}

/* Binds a green texture. A draw makes it green, because Mesa's vc4 does not keep contents from
 * glTexImage2D() when a part of the texture is replaced by a copy. (Mesa's list of failures of a
 * Raspberry Pi 3 has texture.specification.basic_copytexsubimage2d for this reason.) */
static void make_green(void)
{
    GLuint texture,
        framebuffer = gl_texture_target(&texture, GL_RGBA, GL_UNSIGNED_BYTE, GL_SIDE, GL_SIDE);
    glClearColor(0, 1, 0, 1);
    glClear(GL_COLOR_BUFFER_BIT);
    glDeleteFramebuffers(1, &framebuffer);
    gl_bind_target();
}

static void sub(void)
{
    make_source();
    make_green();
    glCopyTexSubImage2D(GL_TEXTURE_2D, 0, 5, 50, 40, 3, 20, 10);
    show_texture();
    EXPECT_PICTURE(sub_picture, 0);
}

/* Like sub(), but after a pending draw that uses the texture. */
static void sub_after_use(void)
{
    make_green();
    gl_program(gl_vertex_texture, gl_fragment_texture);
    gl_textured_quad(0, 0, 8, 8, 0, 0, 1, 1);
    GLuint texture;
    glGetIntegerv(GL_TEXTURE_BINDING_2D, (GLint *)&texture);
    make_source();
    glBindTexture(GL_TEXTURE_2D, texture);
    glCopyTexSubImage2D(GL_TEXTURE_2D, 0, 5, 50, 40, 3, 20, 10);
    show_texture();
    EXPECT_PICTURE(sub_picture, 0);
}

/* Copies 16 x 16 pixels from (-8, -8), and from (60, 60). Texels from outside of the framebuffer
 * are undefined. The other texels must be copied. */
static void partly_outside(void)
{
    make_source();
    make_green();
    glCopyTexSubImage2D(GL_TEXTURE_2D, 0, 0, 0, -8, -8, 16, 16);
    glCopyTexSubImage2D(GL_TEXTURE_2D, 0, 32, 32, 60, 60, 16, 16);
    show_texture();
    EXPECT_PIXEL(8, 8, source_picture(0, 0), 0);
    EXPECT_PIXEL(15, 12, source_picture(7, 4), 0);
    EXPECT_PIXEL(35, 34, source_picture(63, 62), 0);
    EXPECT_RECT(48, 0, 16, 64, GREEN, 0);
    EXPECT_RECT(0, 16, 32, 48, GREEN, 0);
}

/* Copies several times from one texture's framebuffer to the next texture. */
static void chain(void)
{
    GLuint textures[4];
    for (int i = 0; i < 4; i++) {
        gl_texture_target(&textures[i], GL_RGBA, GL_UNSIGNED_BYTE, 64, 64);
        if (i == 0)
            make_source();
        else {
            glClearColor(0, 1, 0, 1);
            glClear(GL_COLOR_BUFFER_BIT);
        }
    }
    GLuint framebuffer;
    glGenFramebuffers(1, &framebuffer);
    glBindFramebuffer(GL_FRAMEBUFFER, framebuffer);
    for (int i = 0; i < 3; i++) {
        glFramebufferTexture2D(GL_FRAMEBUFFER, GL_COLOR_ATTACHMENT0, GL_TEXTURE_2D, textures[i], 0);
        glBindTexture(GL_TEXTURE_2D, textures[i + 1]);
        glCopyTexSubImage2D(GL_TEXTURE_2D, 0, 0, 0, 0, 0, 64, 64);
    }
    glFramebufferTexture2D(GL_FRAMEBUFFER, GL_COLOR_ATTACHMENT0, GL_TEXTURE_2D, textures[3], 0);
    EXPECT_PICTURE(source_picture, 0);
}

/* Copies to a face of a cube map, and to a level. */
static void face_and_level(void)
{
    GLuint texture;
    make_source();
    glGenTextures(1, &texture);
    glBindTexture(GL_TEXTURE_CUBE_MAP, texture);
    glTexParameteri(GL_TEXTURE_CUBE_MAP, GL_TEXTURE_MIN_FILTER, GL_NEAREST);
    glTexParameteri(GL_TEXTURE_CUBE_MAP, GL_TEXTURE_MAG_FILTER, GL_NEAREST);
    for (GLenum face = 0; face < 6; face++)
        glCopyTexImage2D(GL_TEXTURE_CUBE_MAP_POSITIVE_X + face, 0, GL_RGBA, 10 * (GLint)face, 0, 1,
                         1, 0);
    glCopyTexSubImage2D(GL_TEXTURE_CUBE_MAP_NEGATIVE_Y, 0, 0, 0, 63, 63, 1, 1);
    GLuint program = gl_program(
        gl_vertex_texture,
        "precision mediump float; uniform samplerCube texture; uniform vec3 direction;"
        "void main() { gl_FragColor = textureCube(texture, direction); }");
    static const float directions[6][3] = {
        /* clang-format off */
        {1,  0,  0},
        {-1, 0,  0},
        {0,  1,  0},
        {0,  -1, 0},
        {0,  0,  1},
        {0,  0,  -1},
        /* clang-format on */
    };
    for (int face = 0; face < 6; face++) {
        glUniform3fv(gl_uniform(program, "direction"), 1, directions[face]);
        gl_quad(0, 0, 64, 64, 0);
        EXPECT_RECT(0, 0, 64, 64, face == 3 ? source_picture(63, 63) : source_picture(10 * face, 0),
                    0);
    }
}

/* Alpha cannot be copied from a framebuffer that has no alpha. */
static void errors(void)
{
    GLuint source;
    gl_texture_target(&source, GL_RGB, GL_UNSIGNED_SHORT_5_6_5, 16, 16);
    gl_texture(GL_RGBA, GL_UNSIGNED_BYTE, 16, 16, NULL);
    glCopyTexImage2D(GL_TEXTURE_2D, 0, GL_RGBA, 0, 0, 16, 16, 0);
    EXPECT_ERROR(GL_INVALID_OPERATION);
    glCopyTexSubImage2D(GL_TEXTURE_2D, 0, 8, 8, 0, 0, 16, 16);
    EXPECT_ERROR(GL_INVALID_VALUE);
}

const struct gl_case gl_cases[] = {
    /* clang-format off */
    /* clang-format off */
    {"whole",          whole,          ON_BOTH},
    {"part",           part,           ON_BOTH},
    {"formats",        formats,        ON_BOTH},
    {"sub",            sub,            ON_BOTH},
    {"sub_after_use",  sub_after_use,  ON_BOTH},
    {"partly_outside", partly_outside, ON_BOTH},
    {"chain",          chain,          ON_FBO},
    {"face_and_level", face_and_level, ON_BOTH},
    {"errors",         errors,         ON_FBO},
    {NULL,             NULL,           ON_BOTH},
    /* clang-format on */
    /* clang-format on */
};
