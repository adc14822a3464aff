/* SPDX-License-Identifier: MIT */
/* query.c - tests strings and limits of the implementation, and occlusion queries if supported.
 *
 * Expected: OpenGL ES 2.0.25, section 6.2, the tables of implementation dependent values;
 * EXT_occlusion_query_boolean. */
#include "gl_test.h"

#include <string.h>

static void strings(void)
{
    /* A later version is allowed if it supports all of 2.0 (EGL 1.5, section 3.7.1). */
    CHECK(strncmp((const char *)glGetString(GL_VERSION), "OpenGL ES ", 10) == 0);
    CHECK(strncmp((const char *)glGetString(GL_SHADING_LANGUAGE_VERSION), "OpenGL ES GLSL ES ",
                  18) == 0);
    CHECK(glGetString(GL_RENDERER) && glGetString(GL_VENDOR));
}

static void limits(void)
{
    static const struct {
        GLenum name;
        GLint least;
    } rows[] = {
        /* clang-format off */
        /* clang-format off */
        {GL_MAX_VERTEX_ATTRIBS,               8},
        {GL_MAX_VERTEX_UNIFORM_VECTORS,       128},
        {GL_MAX_VARYING_VECTORS,              8},
        {GL_MAX_COMBINED_TEXTURE_IMAGE_UNITS, 8},
        {GL_MAX_TEXTURE_IMAGE_UNITS,          8},
        {GL_MAX_FRAGMENT_UNIFORM_VECTORS,     16},
        {GL_MAX_TEXTURE_SIZE,                 64},
        {GL_MAX_CUBE_MAP_TEXTURE_SIZE,        16},
        {GL_MAX_RENDERBUFFER_SIZE,            1},
        {GL_SUBPIXEL_BITS,                    4},
        /* clang-format on */
        /* clang-format on */
    };
    for (int i = 0; i < (int)(sizeof(rows) / sizeof(*rows)); i++) {
        GLint is = 0;
        glGetIntegerv(rows[i].name, &is);
        if (is < rows[i].least)
            FAIL("0x%04x is %d, at least %d is needed", rows[i].name, is, rows[i].least);
    }
}

static void bits(void)
{
    GLint red, alpha, depth, stencil;
    glGetIntegerv(GL_RED_BITS, &red);
    glGetIntegerv(GL_ALPHA_BITS, &alpha);
    glGetIntegerv(GL_DEPTH_BITS, &depth);
    glGetIntegerv(GL_STENCIL_BITS, &stencil);
    CHECK(red == 8 && alpha == 8 && depth == 24 && stencil == 8);
}

/* The configurations that programs usually request, including the one of this test program. */
static void configurations(void)
{
    CHECK(gl_config(8, 8, 24, 8, 0));
    CHECK(gl_config(8, 8, 0, 0, 0));
    CHECK(gl_config(5, 0, 0, 0, 0));
}

static void occlusion(void)
{
    gl_need("GL_EXT_occlusion_query_boolean");
    PFNGLGENQUERIESEXTPROC generate = gl_function("glGenQueriesEXT");
    PFNGLBEGINQUERYEXTPROC begin = gl_function("glBeginQueryEXT");
    PFNGLENDQUERYEXTPROC end = gl_function("glEndQueryEXT");
    PFNGLGETQUERYOBJECTUIVEXTPROC get = gl_function("glGetQueryObjectuivEXT");
    GLuint queries[2], any[2];
    generate(2, queries);
    glEnable(GL_DEPTH_TEST);
    gl_use_color(1, 1, 1, 1);
    gl_quad(0, 0, 64, 64, 0);
    for (int i = 0; i < 2; i++) {
        begin(GL_ANY_SAMPLES_PASSED_EXT, queries[i]);
        gl_quad(0, 0, 64, 64, i == 0 ? 0.5f : -0.5f);
        end(GL_ANY_SAMPLES_PASSED_EXT);
        get(queries[i], GL_QUERY_RESULT_EXT, &any[i]);
    }
    CHECK(!any[0] && any[1]);
}

const struct gl_case gl_cases[] = {
    /* clang-format off */
    {"strings",        strings,        ON_FBO},
    {"limits",         limits,         ON_FBO},
    {"bits",           bits,           ON_BOTH},
    {"configurations", configurations, ON_FBO},
    {"occlusion",      occlusion,      ON_FBO},
    {NULL,             NULL,           ON_BOTH},
    /* clang-format on */
};
