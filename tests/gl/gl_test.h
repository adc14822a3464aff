/* SPDX-License-Identifier: MIT */
/* gl_test.h - a small harness for OpenGL ES 2.0 programs whose pixels are known beforehand.
 *
 * In:  the cases of a program; whatever EGL and GLES2 the system loader finds.
 * Out: one line for each case, and what differs where; exit status 0: all good, 1: not so, 77: there is no EGL at all.
 * Left out: window systems. Each case has a fresh context, and is run on a framebuffer object and on a pixel buffer (whose rows
 * drivers keep upside down), both of RGBA8888 with depth and stencil.
 *
 *     PROGRAM [--list] [--renderer TEXT] [--write FOLDER] [CASE]... */
#ifndef GL_TEST_H
#define GL_TEST_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <EGL/egl.h>
#include <EGL/eglext.h>
#include <GLES2/gl2.h>
#include <GLES2/gl2ext.h>

enum { GL_SIDE = 64 }; /* the target's width and height */

struct rgba {
    int r, g, b, a; /* 0..255 */
};
#define RGBA(...) ((struct rgba){__VA_ARGS__})
#define BLACK     RGBA(0, 0, 0, 0)
#define WHITE     RGBA(255, 255, 255, 255)
#define RED       RGBA(255, 0, 0, 255)
#define GREEN     RGBA(0, 255, 0, 255)
#define BLUE      RGBA(0, 0, 255, 255)
#define YELLOW    RGBA(255, 255, 0, 255)

enum gl_target {
    ON_BOTH, /* a framebuffer object, and once more a pixel buffer */
    ON_FBO,  /* for what makes its own targets, or would find the same on both */
    ON_NONE, /* without a context: the case makes its own */
};

struct gl_case {
    const char *name;
    void (*run)(void);
    enum gl_target target;
};

/* What each program defines; the last one has no name. */
extern const struct gl_case gl_cases[];

/* --- Ends of a case --- */

/* Says what is wrong, and ends the case. */
_Noreturn void gl_fail(const char *file, int line, const char *format, ...)
    __attribute__((format(printf, 3, 4)));
#define FAIL(...)   gl_fail(__FILE__, __LINE__, __VA_ARGS__)
#define CHECK(what) ((what) ? (void)0 : FAIL("not so: %s", #what))

/* What the case is about from now on: a line above what is wrong. */
void gl_about(const char *text);

/* The case cannot be run here, and that is allowed by the specification. */
_Noreturn void gl_skip(const char *why);

/* glGetError() gives this. */
void gl_expect_error(const char *file, int line, GLenum error);
#define EXPECT_ERROR(error) gl_expect_error(__FILE__, __LINE__, error)

/* --- Pictures --- */

/* The pixels of a rectangle of the bound framebuffer, all of one colour, give or take tolerance in each component. */
void gl_expect_rect(const char *file, int line, int x, int y, int width, int height,
                    struct rgba color, int tolerance);
#define EXPECT_RECT(x, y, width, height, color, tolerance) \
    gl_expect_rect(__FILE__, __LINE__, x, y, width, height, color, tolerance)
#define EXPECT_PIXEL(x, y, color, tolerance) \
    gl_expect_rect(__FILE__, __LINE__, x, y, 1, 1, color, tolerance)

/* The pixels of the lower left width * height, each of the colour that the function gives. */
typedef struct rgba gl_picture(int x, int y);
void gl_expect_picture(const char *file, int line, int width, int height, gl_picture *picture,
                       int tolerance);
#define EXPECT_PICTURE(picture, tolerance) \
    gl_expect_picture(__FILE__, __LINE__, GL_SIDE, GL_SIDE, picture, tolerance)
#define EXPECT_PICTURE_OF(width, height, picture, tolerance) \
    gl_expect_picture(__FILE__, __LINE__, width, height, picture, tolerance)

/* One pixel as it is. */
struct rgba gl_pixel(int x, int y);

/* How many pixels of the lower left width * height have this colour exactly. */
int gl_count(int width, int height, struct rgba color);

/* Whether no component differs by more than tolerance. */
bool gl_near(struct rgba one, struct rgba other, int tolerance);

/* A component 0..1 as 0..255, rounded. */
int gl_byte(double value);

/* --- Drawing --- */

enum { POSITION, VALUE, VALUE_2 }; /* where the attributes position, value and value_2 are */

/* A linked program, in use. Ends the case if it does not compile. */
GLuint gl_program(const char *vertex, const char *fragment);

/* One shader, and 0 if it does not compile. */
GLuint gl_shader(GLenum type, const char *source);

/* Where a uniform is; ends the case if it is not there. */
GLint gl_uniform(GLuint program, const char *name);

/* Draws in one colour from now on. */
void gl_use_color(float r, float g, float b, float a);

/* Puts the value attribute, a vec4, out as it is. */
extern const char gl_vertex_value[], gl_fragment_value[];

/* Samples 2D texture unit 0 (uniform "texture") at the value attribute. */
extern const char gl_vertex_texture[], gl_fragment_texture[];

/* Two triangles from pixel (x0, y0) to (x1, y1) of a viewport of the target's size, at depth z (-1..1). */
void gl_quad(float x0, float y0, float x1, float y1, float z);

/* The same, with value being (s0, t0) to (s1, t1). */
void gl_textured_quad(float x0, float y0, float x1, float y1, float s0, float t0, float s1,
                      float t1);

/* Pixels of the target to normalised device coordinates. */
float gl_ndc(float pixel);

/* --- Objects --- */

/* A framebuffer with one texture, bound and with a viewport; complete or the case ends. */
GLuint gl_texture_target(GLuint *texture, GLenum format, GLenum type, int width, int height);

/* A texture of one level, nearest, clamped, bound to the unit in use. pixels may be NULL. */
GLuint gl_texture(GLenum format, GLenum type, int width, int height, const void *pixels);

/* An RGBA texture whose texel (x, y) is what the function gives. */
GLuint gl_texture_of(int width, int height, gl_picture *picture);

/* A bound texture without an image, nearest, clamped. */
GLuint gl_texture_empty(void);

/* A renderbuffer as the bound framebuffer's colours; complete or the case ends. */
GLuint gl_color_renderbuffer(GLenum format);

/* The whole word in the list of extensions. */
bool gl_has(const char *extension);
void gl_need(const char *extension); /* or the case is skipped */

/* --- EGL --- */

EGLDisplay gl_display(void); /* initialised */
bool egl_has(const char *extension);

/* A configuration for pixel buffers with these sizes exactly; NULL: none. */
EGLConfig gl_config(int red, int alpha, int depth, int stencil, int samples);

/* A GLES2 context of gl_config(8, 8, 24, 8, 0), not current; shares with the other one. */
EGLContext gl_context(EGLContext share);

/* The extension's function; ends the case if there is none. */
void *gl_function(const char *name);

/* Binds the target that the harness has made for this case. */
void gl_bind_target(void);

#endif
