/* SPDX-License-Identifier: MIT */
/* extensions.c - tests extensions that have no separate test program: vertex array objects, several
 * draws in a call, discarded buffers, mapped ranges, base vertices, texture borders.
 *
 * Expected: the extensions' specifications. */
#include "gl_test.h"

#include <string.h>

static void set_square(GLuint buffer, float left)
{
    const float corners[] = {gl_ndc(left), -1, gl_ndc(left + 16), -1,
                             gl_ndc(left), 1,  gl_ndc(left + 16), 1};
    glBindBuffer(GL_ARRAY_BUFFER, buffer);
    glBufferData(GL_ARRAY_BUFFER, sizeof(corners), corners, GL_STATIC_DRAW);
    glVertexAttribPointer(POSITION, 2, GL_FLOAT, GL_FALSE, 0, NULL);
    glEnableVertexAttribArray(POSITION);
}

/* Draws four vertex array objects, each in its own column. They are not bound in the order in which
 * they were created. */
static void vertex_arrays(void)
{
    gl_need("GL_OES_vertex_array_object");
    PFNGLGENVERTEXARRAYSOESPROC generate = gl_function("glGenVertexArraysOES");
    PFNGLBINDVERTEXARRAYOESPROC bind = gl_function("glBindVertexArrayOES");
    GLuint arrays[4], buffers[4];
    generate(4, arrays);
    glGenBuffers(4, buffers);
    for (int i = 0; i < 4; i++) {
        bind(arrays[i]);
        set_square(buffers[i], (float)(16 * i));
    }
    for (int i = 3; i >= 0; i--) {
        bind(arrays[i]);
        gl_use_color((float)i / 5, 1, 0, 1);
        glDrawArrays(GL_TRIANGLE_STRIP, 0, 4);
    }
    bind(0);
    for (int i = 0; i < 4; i++)
        EXPECT_RECT(16 * i, 0, 16, 64, RGBA(51 * i, 255, 0, 255), 0);
}

/* One call draws the columns 0, 2 and 3 of the four strips in an array. */
static void several_draws(void)
{
    static const GLint first[] = {0, 8, 12};
    static const GLsizei count[] = {4, 4, 4};
    float corners[4][8];
    gl_need("GL_EXT_multi_draw_arrays");
    PFNGLMULTIDRAWARRAYSEXTPROC draw = gl_function("glMultiDrawArraysEXT");
    for (int i = 0; i < 4; i++) {
        float left = gl_ndc((float)(16 * i)), right = gl_ndc((float)(16 * i + 16));
        const float strip[] = {left, -1, right, -1, left, 1, right, 1};
        memcpy(corners[i], strip, sizeof(strip));
    }
    gl_use_color(0, 1, 0, 1);
    glVertexAttribPointer(POSITION, 2, GL_FLOAT, GL_FALSE, 0, corners);
    glEnableVertexAttribArray(POSITION);
    draw(GL_TRIANGLE_STRIP, first, count, 3);
    EXPECT_RECT(0, 0, 16, 64, GREEN, 0);
    EXPECT_RECT(16, 0, 16, 64, BLACK, 0);
    EXPECT_RECT(32, 0, 32, 64, GREEN, 0);
}

/* Depth and stencil are discarded. The colours must stay. The next frame clears depth and
 * stencil, and must be correct. */
static void discarded(void)
{
    gl_need("GL_EXT_discard_framebuffer");
    PFNGLDISCARDFRAMEBUFFEREXTPROC discard = gl_function("glDiscardFramebufferEXT");
    static const GLenum attachments[] = {GL_DEPTH_ATTACHMENT, GL_STENCIL_ATTACHMENT};
    glEnable(GL_DEPTH_TEST);
    for (int i = 0; i < 3; i++) {
        glClear(GL_COLOR_BUFFER_BIT | GL_DEPTH_BUFFER_BIT | GL_STENCIL_BUFFER_BIT);
        gl_use_color(0, 1, 0, 1);
        gl_quad(0, 0, 32, 64, -0.5f);
        gl_use_color(1, 0, 0, 1);
        gl_quad(0, 0, 64, 64, 0);
        discard(GL_FRAMEBUFFER, 2, attachments);
        EXPECT_RECT(0, 0, 32, 64, GREEN, 0);
        EXPECT_RECT(32, 0, 32, 64, RED, 0);
    }
}

/* A range is mapped, and flushed in parts, between draws that use another part of the buffer. */
static void mapped_range(void)
{
    gl_need("GL_EXT_map_buffer_range");
    PFNGLMAPBUFFERRANGEEXTPROC map = gl_function("glMapBufferRangeEXT");
    PFNGLUNMAPBUFFEROESPROC unmap = gl_function("glUnmapBufferOES");
    GLuint buffer;
    glGenBuffers(1, &buffer);
    glBindBuffer(GL_ARRAY_BUFFER, buffer);
    glBufferData(GL_ARRAY_BUFFER, 4 * sizeof(float[8]), NULL, GL_STREAM_DRAW);
    glVertexAttribPointer(POSITION, 2, GL_FLOAT, GL_FALSE, 0, NULL);
    glEnableVertexAttribArray(POSITION);
    for (int i = 0; i < 4; i++) {
        float left = gl_ndc((float)(16 * i)), right = gl_ndc((float)(16 * i + 16));
        const float strip[] = {left, -1, right, -1, left, 1, right, 1};
        void *bytes = map(GL_ARRAY_BUFFER, i * (GLintptr)sizeof(strip), sizeof(strip),
                          GL_MAP_WRITE_BIT_EXT | GL_MAP_INVALIDATE_RANGE_BIT_EXT |
                              GL_MAP_UNSYNCHRONIZED_BIT_EXT);
        CHECK(bytes);
        memcpy(bytes, strip, sizeof(strip));
        CHECK(unmap(GL_ARRAY_BUFFER));
        gl_use_color(0, (float)(i + 2) / 5, 0, 1);
        glDrawArrays(GL_TRIANGLE_STRIP, 4 * i, 4);
    }
    for (int i = 0; i < 4; i++)
        EXPECT_RECT(16 * i, 0, 16, 64, RGBA(0, 51 * (i + 2), 0, 255), 0);
}

/* Draws one array of elements four times, each time with another base vertex. */
static void base_vertex(void)
{
    gl_need("GL_OES_draw_elements_base_vertex");
    PFNGLDRAWELEMENTSBASEVERTEXOESPROC draw = gl_function("glDrawElementsBaseVertexOES");
    static const uint8_t order[] = {0, 1, 2, 3};
    float corners[4][8];
    for (int i = 0; i < 4; i++) {
        float left = gl_ndc((float)(16 * i)), right = gl_ndc((float)(16 * i + 16));
        const float strip[] = {left, -1, right, -1, left, 1, right, 1};
        memcpy(corners[i], strip, sizeof(strip));
    }
    glVertexAttribPointer(POSITION, 2, GL_FLOAT, GL_FALSE, 0, corners);
    glEnableVertexAttribArray(POSITION);
    for (int i = 0; i < 4; i++) {
        gl_use_color(1, (float)i / 5, 0, 1);
        draw(GL_TRIANGLE_STRIP, 4, GL_UNSIGNED_BYTE, order, 4 * i);
    }
    for (int i = 0; i < 4; i++)
        EXPECT_RECT(16 * i, 0, 16, 64, RGBA(255, 51 * i, 0, 255), 0);
}

/* Coordinates outside of 0 to 1 return the border colour. The 64 pixels show coordinates -1/2 to
 * 3/2, so the texture is in the inner 32 pixels. */
static struct rgba border_picture(int x, int y)
{
    bool inside = x >= 16 && x < 48 && y >= 16 && y < 48;
    return inside ? GREEN : RGBA(51, 102, 153, 204);
}

static void border(void)
{
    gl_need("GL_OES_texture_border_clamp");
    static const uint8_t texel[] = {0, 255, 0, 255};
    static const float color[] = {0.2f, 0.4f, 0.6f, 0.8f};
    gl_texture(GL_RGBA, GL_UNSIGNED_BYTE, 1, 1, texel);
    glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_WRAP_S, GL_CLAMP_TO_BORDER_OES);
    glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_WRAP_T, GL_CLAMP_TO_BORDER_OES);
    glTexParameterfv(GL_TEXTURE_2D, GL_TEXTURE_BORDER_COLOR_OES, color);
    gl_program(gl_vertex_texture, gl_fragment_texture);
    gl_textured_quad(0, 0, 64, 64, -0.5f, -0.5f, 1.5f, 1.5f);
    EXPECT_PICTURE(border_picture, 0);
}

const struct gl_case gl_cases[] = {
    {"vertex_arrays", vertex_arrays, ON_FBO},
    {"several_draws", several_draws, ON_FBO},
    {"discarded", discarded, ON_FBO},
    {"mapped_range", mapped_range, ON_FBO},
    {"base_vertex", base_vertex, ON_FBO},
    {"border", border, ON_FBO},
    {NULL, NULL, ON_BOTH},
};
