/* SPDX-License-Identifier: MIT */
/* framebuffer.c - tests framebuffer objects: textures, renderbuffers, switching, cube faces,
 * levels, and incomplete framebuffers.
 *
 * Expected: OpenGL ES 2.0.25, 4.4. */
#include "gl_test.h"

static void clear_to(float r, float g, float b, float a)
{
    glClearColor(r, g, b, a);
    glClear(GL_COLOR_BUFFER_BIT);
}

/* Draws into a texture and then samples it. Row 0 must be the lowest row for the draw and for the
 * sampling. */
static struct rgba quarters_picture(int x, int y)
{
    return x < 32 ? (y < 32 ? RED : BLUE) : (y < 32 ? GREEN : WHITE);
}

static void draw_quarters(void)
{
    gl_use_color(1, 0, 0, 1);
    gl_quad(0, 0, 32, 32, 0);
    gl_use_color(0, 1, 0, 1);
    gl_quad(32, 0, 64, 32, 0);
    gl_use_color(0, 0, 1, 1);
    gl_quad(0, 32, 32, 64, 0);
    gl_use_color(1, 1, 1, 1);
    gl_quad(32, 32, 64, 64, 0);
}

static void sampled(void)
{
    GLuint texture;
    gl_texture_target(&texture, GL_RGBA, GL_UNSIGNED_BYTE, 32, 32);
    draw_quarters();
    gl_bind_target();
    gl_program(gl_vertex_texture, gl_fragment_texture);
    gl_textured_quad(0, 0, 64, 64, 0, 0, 1, 1);
    EXPECT_PICTURE(quarters_picture, 0);
}

/* Eight targets are drawn to alternately, in parts. Earlier contents must stay. */
static void switching(void)
{
    enum { TARGETS = 8 };
    GLuint framebuffers[TARGETS], textures[TARGETS];
    for (int i = 0; i < TARGETS; i++) {
        framebuffers[i] = gl_texture_target(&textures[i], GL_RGBA, GL_UNSIGNED_BYTE, 16 + 9 * i,
                                            80 - 7 * i);
        clear_to(0, 0, 1, 1);
    }
    gl_use_color(0, 1, 0, 1);
    for (int part = 0; part < 4; part++)
        for (int i = 0; i < TARGETS; i++) {
            glBindFramebuffer(GL_FRAMEBUFFER, framebuffers[i]);
            glViewport(0, 0, GL_SIDE, GL_SIDE);
            gl_quad((float)(4 * part), (float)(4 * part), (float)(4 * part + 4),
                    (float)(4 * part + 4), 0);
        }
    for (int i = 0; i < TARGETS; i++) {
        glBindFramebuffer(GL_FRAMEBUFFER, framebuffers[i]);
        for (int part = 0; part < 4; part++)
            EXPECT_RECT(4 * part, 4 * part, 4, 4, GREEN, 0);
        EXPECT_RECT(16, 0, 9 * i, 16, BLUE, 0);
        EXPECT_RECT(0, 16, 16 + 9 * i, 80 - 7 * i - 16, BLUE, 0);
    }
}

/* Two textures are drawn alternately, each from the other with 10/255 added. After 20 steps the
 * result is exactly 200/255, because all sums are whole bytes. */
static void ping_pong(void)
{
    GLuint framebuffers[2], textures[2];
    for (int i = 0; i < 2; i++) {
        framebuffers[i] = gl_texture_target(&textures[i], GL_RGBA, GL_UNSIGNED_BYTE, 24, 40);
        clear_to(0, 0, 0, 0);
    }
    GLuint program = gl_program(
        gl_vertex_texture,
        "precision mediump float; uniform sampler2D texture; uniform vec4 more; varying vec2 v;"
        "void main() { gl_FragColor = texture2D(texture, v) + more; }");
    glUniform4f(gl_uniform(program, "more"), 10 / 255.0f, 0, 5 / 255.0f, 1 / 255.0f);
    for (int i = 1; i <= 20; i++) {
        glBindFramebuffer(GL_FRAMEBUFFER, framebuffers[i % 2]);
        glBindTexture(GL_TEXTURE_2D, textures[(i + 1) % 2]);
        gl_textured_quad(0, 0, 64, 64, 0, 0, 1, 1);
    }
    EXPECT_RECT(0, 0, 24, 40, RGBA(200, 0, 100, 20), 0);
}

/* The attachment of a framebuffer changes between draws. */
static void attachment_changed(void)
{
    GLuint textures[3];
    gl_texture_target(&textures[0], GL_RGBA, GL_UNSIGNED_BYTE, 64, 64);
    textures[1] = gl_texture(GL_RGBA, GL_UNSIGNED_BYTE, 64, 64, NULL);
    textures[2] = gl_texture(GL_RGB, GL_UNSIGNED_SHORT_5_6_5, 64, 64, NULL);
    for (int i = 0; i < 3; i++) {
        glFramebufferTexture2D(GL_FRAMEBUFFER, GL_COLOR_ATTACHMENT0, GL_TEXTURE_2D, textures[i], 0);
        clear_to(i == 0, i == 1, i == 2, 1);
    }
    for (int i = 0; i < 3; i++) {
        glFramebufferTexture2D(GL_FRAMEBUFFER, GL_COLOR_ATTACHMENT0, GL_TEXTURE_2D, textures[i], 0);
        EXPECT_RECT(0, 0, 64, 64, i == 0 ? RED : i == 1 ? GREEN : BLUE, 0);
    }
}

static GLuint depth_buffer(void)
{
    GLuint buffer;
    glGenRenderbuffers(1, &buffer);
    glBindRenderbuffer(GL_RENDERBUFFER, buffer);
    glRenderbufferStorage(GL_RENDERBUFFER, GL_DEPTH_COMPONENT16, GL_SIDE, GL_SIDE);
    return buffer;
}

/* Two framebuffers share a depth buffer, so a draw to the first hides a later draw to the
 * second. */
static void shared_depth(void)
{
    GLuint textures[2], depth = depth_buffer();
    GLuint first = gl_texture_target(&textures[0], GL_RGBA, GL_UNSIGNED_BYTE, 64, 64);
    glFramebufferRenderbuffer(GL_FRAMEBUFFER, GL_DEPTH_ATTACHMENT, GL_RENDERBUFFER, depth);
    gl_texture_target(&textures[1], GL_RGBA, GL_UNSIGNED_BYTE, 64, 64);
    glFramebufferRenderbuffer(GL_FRAMEBUFFER, GL_DEPTH_ATTACHMENT, GL_RENDERBUFFER, depth);
    CHECK(glCheckFramebufferStatus(GL_FRAMEBUFFER) == GL_FRAMEBUFFER_COMPLETE);
    glEnable(GL_DEPTH_TEST);
    glClear(GL_COLOR_BUFFER_BIT | GL_DEPTH_BUFFER_BIT);
    gl_use_color(1, 0, 0, 1);
    gl_quad(0, 0, 32, 64, -0.5f);
    glBindFramebuffer(GL_FRAMEBUFFER, first);
    clear_to(0, 0, 1, 1);
    gl_use_color(0, 1, 0, 1);
    gl_quad(0, 0, 64, 64, 0);
    EXPECT_RECT(0, 0, 32, 64, BLUE, 0);
    EXPECT_RECT(32, 0, 32, 64, GREEN, 0);
}

/* A depth texture (OES_depth_texture) is drawn to and then sampled. Window depths of 1/4 and 3/4
 * are shown in red. */
static void depth_texture(void)
{
    gl_need("GL_OES_depth_texture");
    GLuint color, depth = gl_texture(GL_DEPTH_COMPONENT, GL_UNSIGNED_INT, 64, 64, NULL);
    gl_texture_target(&color, GL_RGBA, GL_UNSIGNED_BYTE, 64, 64);
    glFramebufferTexture2D(GL_FRAMEBUFFER, GL_DEPTH_ATTACHMENT, GL_TEXTURE_2D, depth, 0);
    CHECK(glCheckFramebufferStatus(GL_FRAMEBUFFER) == GL_FRAMEBUFFER_COMPLETE);
    glEnable(GL_DEPTH_TEST);
    glClear(GL_COLOR_BUFFER_BIT | GL_DEPTH_BUFFER_BIT);
    gl_use_color(1, 1, 1, 1);
    gl_quad(0, 0, 32, 64, -0.5f);
    gl_quad(32, 0, 64, 64, 0.5f);
    gl_bind_target();
    glDisable(GL_DEPTH_TEST);
    glBindTexture(GL_TEXTURE_2D, depth);
    gl_program(gl_vertex_texture,
               "precision mediump float; uniform sampler2D texture; varying vec2 v;"
               "void main() { gl_FragColor = vec4(texture2D(texture, v).r, 0, 0, 1); }");
    gl_textured_quad(0, 0, 64, 64, 0, 0, 1, 1);
    EXPECT_RECT(0, 0, 32, 64, RGBA(64, 0, 0, 255), 1);
    EXPECT_RECT(32, 0, 32, 64, RGBA(191, 0, 0, 255), 1);
}

/* Draws to each face of a cube map, and reads the face back. */
static void cube_faces(void)
{
    GLuint texture, framebuffer;
    glGenTextures(1, &texture);
    glBindTexture(GL_TEXTURE_CUBE_MAP, texture);
    for (GLenum face = 0; face < 6; face++)
        glTexImage2D(GL_TEXTURE_CUBE_MAP_POSITIVE_X + face, 0, GL_RGBA, 16, 16, 0, GL_RGBA,
                     GL_UNSIGNED_BYTE, NULL);
    glGenFramebuffers(1, &framebuffer);
    glBindFramebuffer(GL_FRAMEBUFFER, framebuffer);
    glViewport(0, 0, 16, 16);
    for (GLenum face = 0; face < 6; face++) {
        glFramebufferTexture2D(GL_FRAMEBUFFER, GL_COLOR_ATTACHMENT0,
                               GL_TEXTURE_CUBE_MAP_POSITIVE_X + face, texture, 0);
        CHECK(glCheckFramebufferStatus(GL_FRAMEBUFFER) == GL_FRAMEBUFFER_COMPLETE);
        clear_to((float)face / 5, 0, 0, 1);
        gl_use_color(0, 1, (float)face / 5, 1);
        gl_quad(0, 0, 32, 32, 0);
    }
    for (GLenum face = 0; face < 6; face++) {
        int value = 51 * (int)face;
        glFramebufferTexture2D(GL_FRAMEBUFFER, GL_COLOR_ATTACHMENT0,
                               GL_TEXTURE_CUBE_MAP_POSITIVE_X + face, texture, 0);
        EXPECT_RECT(0, 0, 8, 8, RGBA(0, 255, value, 255), 0);
        EXPECT_RECT(8, 0, 8, 16, RGBA(value, 0, 0, 255), 0);
    }
}

/* Levels other than the base level are targets (OES_fbo_render_mipmap). Each level is cleared,
 * and drawn to with a quad of the level's size. */
static void levels(void)
{
    gl_need("GL_OES_fbo_render_mipmap");
    GLuint texture, framebuffer;
    glGenTextures(1, &texture);
    glBindTexture(GL_TEXTURE_2D, texture);
    for (int level = 0; level <= 6; level++)
        glTexImage2D(GL_TEXTURE_2D, level, GL_RGBA, 64 >> level, 64 >> level, 0, GL_RGBA,
                     GL_UNSIGNED_BYTE, NULL);
    glGenFramebuffers(1, &framebuffer);
    glBindFramebuffer(GL_FRAMEBUFFER, framebuffer);
    for (int level = 0; level <= 6; level++) {
        glFramebufferTexture2D(GL_FRAMEBUFFER, GL_COLOR_ATTACHMENT0, GL_TEXTURE_2D, texture, level);
        CHECK(glCheckFramebufferStatus(GL_FRAMEBUFFER) == GL_FRAMEBUFFER_COMPLETE);
        clear_to((float)(level % 6) / 5, 1, 0, 1);
    }
    gl_bind_target();
    glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_MIN_FILTER, GL_NEAREST_MIPMAP_NEAREST);
    gl_program(gl_vertex_texture, gl_fragment_texture);
    for (int level = 0; level <= 6; level++) {
        int side = 64 >> level;
        gl_textured_quad(0, 0, (float)side, (float)side, 0, 0, 1, 1);
        EXPECT_RECT(0, 0, side, side, RGBA(51 * (level % 6), 255, 0, 255), 0);
    }
}

/* Tests the reasons for incomplete framebuffers (section 4.4.5), and the errors when such a
 * framebuffer is used. */
static void incomplete(void)
{
    GLuint framebuffer, buffer;
    uint8_t pixel[4];
    glGenFramebuffers(1, &framebuffer);
    glBindFramebuffer(GL_FRAMEBUFFER, framebuffer);
    CHECK(glCheckFramebufferStatus(GL_FRAMEBUFFER) == GL_FRAMEBUFFER_INCOMPLETE_MISSING_ATTACHMENT);
    glClear(GL_COLOR_BUFFER_BIT);
    EXPECT_ERROR(GL_INVALID_FRAMEBUFFER_OPERATION);
    gl_use_color(1, 1, 1, 1);
    gl_quad(0, 0, 64, 64, 0);
    EXPECT_ERROR(GL_INVALID_FRAMEBUFFER_OPERATION);
    glReadPixels(0, 0, 1, 1, GL_RGBA, GL_UNSIGNED_BYTE, pixel);
    EXPECT_ERROR(GL_INVALID_FRAMEBUFFER_OPERATION);
    /* A depth format cannot be a colour attachment, and storage of size zero is incomplete. */
    glGenRenderbuffers(1, &buffer);
    glBindRenderbuffer(GL_RENDERBUFFER, buffer);
    glFramebufferRenderbuffer(GL_FRAMEBUFFER, GL_COLOR_ATTACHMENT0, GL_RENDERBUFFER, buffer);
    CHECK(glCheckFramebufferStatus(GL_FRAMEBUFFER) == GL_FRAMEBUFFER_INCOMPLETE_ATTACHMENT);
    glRenderbufferStorage(GL_RENDERBUFFER, GL_DEPTH_COMPONENT16, 16, 16);
    CHECK(glCheckFramebufferStatus(GL_FRAMEBUFFER) == GL_FRAMEBUFFER_INCOMPLETE_ATTACHMENT);
    glRenderbufferStorage(GL_RENDERBUFFER, GL_RGB565, 16, 16);
    CHECK(glCheckFramebufferStatus(GL_FRAMEBUFFER) == GL_FRAMEBUFFER_COMPLETE);
    glClear(GL_COLOR_BUFFER_BIT);
    EXPECT_ERROR(GL_NO_ERROR);
    GLint most;
    glGetIntegerv(GL_MAX_RENDERBUFFER_SIZE, &most);
    glRenderbufferStorage(GL_RENDERBUFFER, GL_RGB565, most + 1, 16);
    EXPECT_ERROR(GL_INVALID_VALUE);
}

/* If a texture is deleted while it is attached to the bound framebuffer, it must be detached
 * (section 4.4.3). */
static void deleted(void)
{
    GLuint texture;
    gl_texture_target(&texture, GL_RGBA, GL_UNSIGNED_BYTE, 32, 32);
    clear_to(1, 0, 0, 1);
    glDeleteTextures(1, &texture);
    CHECK(glCheckFramebufferStatus(GL_FRAMEBUFFER) == GL_FRAMEBUFFER_INCOMPLETE_MISSING_ATTACHMENT);
    gl_bind_target();
    clear_to(0, 1, 0, 1);
    EXPECT_RECT(0, 0, 64, 64, GREEN, 0);
}

/* Tests a framebuffer with colour only, and one with depth only. The framebuffer with depth only
 * is complete, and draws to it have no visible result. */
static void depth_only(void)
{
    GLuint framebuffer, color, depth = depth_buffer();
    glGenFramebuffers(1, &framebuffer);
    glBindFramebuffer(GL_FRAMEBUFFER, framebuffer);
    glFramebufferRenderbuffer(GL_FRAMEBUFFER, GL_DEPTH_ATTACHMENT, GL_RENDERBUFFER, depth);
    CHECK(glCheckFramebufferStatus(GL_FRAMEBUFFER) == GL_FRAMEBUFFER_COMPLETE);
    glEnable(GL_DEPTH_TEST);
    glClear(GL_DEPTH_BUFFER_BIT);
    gl_use_color(1, 1, 1, 1);
    gl_quad(16, 0, 48, 64, -0.5f);
    glFinish();
    gl_texture_target(&color, GL_RGBA, GL_UNSIGNED_BYTE, 64, 64);
    glFramebufferRenderbuffer(GL_FRAMEBUFFER, GL_DEPTH_ATTACHMENT, GL_RENDERBUFFER, depth);
    clear_to(0, 0, 1, 1);
    gl_use_color(0, 1, 0, 1);
    gl_quad(0, 0, 64, 64, 0);
    EXPECT_RECT(0, 0, 16, 64, GREEN, 0);
    EXPECT_RECT(16, 0, 32, 64, BLUE, 0);
    EXPECT_RECT(48, 0, 16, 64, GREEN, 0);
}

const struct gl_case gl_cases[] = {
    /* clang-format off */
    /* clang-format off */
    {"sampled",            sampled,            ON_BOTH},
    {"switching",          switching,          ON_FBO},
    {"ping_pong",          ping_pong,          ON_FBO},
    {"attachment_changed", attachment_changed, ON_FBO},
    {"shared_depth",       shared_depth,       ON_FBO},
    {"depth_texture",      depth_texture,      ON_BOTH},
    {"cube_faces",         cube_faces,         ON_FBO},
    {"levels",             levels,             ON_BOTH},
    {"incomplete",         incomplete,         ON_FBO},
    {"deleted",            deleted,            ON_BOTH},
    {"depth_only",         depth_only,         ON_FBO},
    {NULL,                 NULL,               ON_BOTH},
    /* clang-format on */
    /* clang-format on */
};
