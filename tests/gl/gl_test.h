/* SPDX-License-Identifier: MIT */
/* gl_test.h - a small harness for OpenGL ES 2.0 programs with known pixels.
 *
 * In:  the cases of a program; the EGL and GLES2 that the system loader finds.
 * Out: one line per case, and the place and size of differences; exit status 0 if all cases pass, 1
 *      if not, 77 if there is no EGL.
 * Left out: window systems. Each case has a new context, and runs on a framebuffer object and on a
 * pixel buffer (drivers store its rows upside down), both of RGBA8888 with depth and stencil.
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
    int r, g, b, a; /* from 0 to 255 */
};
#define RGBA(...) ((struct rgba){__VA_ARGS__})
#define BLACK     RGBA(0, 0, 0, 0)
#define WHITE     RGBA(255, 255, 255, 255)
#define RED       RGBA(255, 0, 0, 255)
#define GREEN     RGBA(0, 255, 0, 255)
#define BLUE      RGBA(0, 0, 255, 255)
#define YELLOW    RGBA(255, 255, 0, 255)

enum gl_target {
    ON_BOTH, /* runs on a framebuffer object, and then on a pixel buffer */
    ON_FBO,  /* for cases that create their own targets, or that behave the same on both */
    ON_NONE, /* runs without a context, for cases that create their own */
};

struct gl_case {
    const char *name;
    void (*run)(void);
    enum gl_target target;
};

/* The cases of the program. The last entry has no name. */
extern const struct gl_case gl_cases[];

/* --- Results of a case --- */

/* Prints the failure and ends the case. */
_Noreturn void gl_fail(const char *file, int line, const char *format, ...)
    __attribute__((format(printf, 3, 4)));
#define FAIL(...)   gl_fail(__FILE__, __LINE__, __VA_ARGS__)
#define CHECK(what) ((what) ? (void)0 : FAIL("not so: %s", #what))

/* Sets a line that is printed before the next failure. */
void gl_about(const char *text);

/* Skips the case. For features that this implementation lacks and need not support. */
_Noreturn void gl_skip(const char *why);

/* Compares the value of glGetError() with the expected value. */
void gl_expect_error(const char *file, int line, GLenum error);
#define EXPECT_ERROR(error) gl_expect_error(__FILE__, __LINE__, error)

/* --- Pictures --- */

/* Checks that all pixels in a rectangle of the bound framebuffer have a colour. The tolerance is
 * per component. */
void gl_expect_rect(const char *file, int line, int x, int y, int width, int height,
                    struct rgba color, int tolerance);
#define EXPECT_RECT(x, y, width, height, color, tolerance) \
    gl_expect_rect(__FILE__, __LINE__, x, y, width, height, color, tolerance)
#define EXPECT_PIXEL(x, y, color, tolerance) \
    gl_expect_rect(__FILE__, __LINE__, x, y, 1, 1, color, tolerance)

/* Checks width * height pixels at the lower left. The picture function returns the expected
 * colour of each pixel. */
typedef struct rgba gl_picture(int x, int y);
void gl_expect_picture(const char *file, int line, int width, int height, gl_picture *picture,
                       int tolerance);
#define EXPECT_PICTURE(picture, tolerance) \
    gl_expect_picture(__FILE__, __LINE__, GL_SIDE, GL_SIDE, picture, tolerance)
#define EXPECT_PICTURE_OF(width, height, picture, tolerance) \
    gl_expect_picture(__FILE__, __LINE__, width, height, picture, tolerance)

/* Reads one pixel. */
struct rgba gl_pixel(int x, int y);

/* Returns the number of pixels that have exactly this colour, of width * height pixels at the
 * lower left. */
int gl_count(int width, int height, struct rgba color);

/* Returns true if no component differs by more than tolerance. */
bool gl_near(struct rgba one, struct rgba other, int tolerance);

/* Converts a component from 0..1 to 0..255, rounded. */
int gl_byte(double value);

/* --- Drawing --- */

enum { POSITION, VALUE, VALUE_2 }; /* locations of the attributes position, value and value_2 */

/* Links a program and uses it. Ends the case if a shader does not compile. */
GLuint gl_program(const char *vertex, const char *fragment);

/* Compiles a shader. Returns 0 if it does not compile. */
GLuint gl_shader(GLenum type, const char *source);

/* Returns the location of a uniform. Ends the case if it does not exist. */
GLint gl_uniform(GLuint program, const char *name);

/* Sets the colour of all following draws. */
void gl_use_color(float r, float g, float b, float a);

/* Shaders that write the vec4 attribute "value" as the colour. */
extern const char gl_vertex_value[], gl_fragment_value[];

/* Shaders that sample 2D texture unit 0 (uniform "texture") at the attribute "value". */
extern const char gl_vertex_texture[], gl_fragment_texture[];

/* Draws two triangles from pixel (x0, y0) to (x1, y1) of a viewport of the target's size, at depth
 * z (-1..1). */
void gl_quad(float x0, float y0, float x1, float y1, float z);

/* Like gl_quad(), and the attribute "value" goes from (s0, t0) to (s1, t1). */
void gl_textured_quad(float x0, float y0, float x1, float y1, float s0, float t0, float s1,
                      float t1);

/* Converts a pixel position of the target to normalised device coordinates. */
float gl_ndc(float pixel);

/* --- Objects --- */

/* Creates and binds a framebuffer with one texture, and sets the viewport. Ends the case if the
 * framebuffer is incomplete. */
GLuint gl_texture_target(GLuint *texture, GLenum format, GLenum type, int width, int height);

/* Creates a texture of one level with a nearest filter and clamped coordinates, and binds it to
 * the current unit. pixels may be NULL. */
GLuint gl_texture(GLenum format, GLenum type, int width, int height, const void *pixels);

/* Creates an RGBA texture. The function returns the colour of texel (x, y). */
GLuint gl_texture_of(int width, int height, gl_picture *picture);

/* Creates a texture without an image, with a nearest filter, and binds it. */
GLuint gl_texture_empty(void);

/* Attaches a renderbuffer as the colour buffer of the bound framebuffer. Ends the case if the
 * framebuffer is incomplete. */
GLuint gl_color_renderbuffer(GLenum format);

/* Returns true if the extension is in the list of extensions. */
bool gl_has(const char *extension);
void gl_need(const char *extension); /* skips the case if the extension is missing */

/* --- EGL --- */

EGLDisplay gl_display(void); /* the display, which is initialised */
bool egl_has(const char *extension);

/* Returns a configuration for pixel buffers with exactly these sizes, or NULL. */
EGLConfig gl_config(int red, int alpha, int depth, int stencil, int samples);

/* Creates a GLES2 context of gl_config(8, 8, 24, 8, 0), and does not make it current. It shares
 * objects with the context "share". */
EGLContext gl_context(EGLContext share);

/* Returns an extension's function. Ends the case if it does not exist. */
void *gl_function(const char *name);

/* Binds the target that gl_test.c created for this case. */
void gl_bind_target(void);

#endif
