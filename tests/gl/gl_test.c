/* SPDX-License-Identifier: MIT */
/* gl_test.c - the harness: contexts, targets, comparisons.
 *
 * In:  gl_cases[] of the program; its command line.
 * Out: lines on standard output, the exit status, pictures on request.
 * Sources: the specifications of EGL 1.5, EGL_MESA_platform_surfaceless and OpenGL ES 2.0.25. */
#include "gl_test.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { PASSED, FAILED, SKIPPED, NO_DRIVER = 77 };

static struct {
    EGLDisplay display;
    EGLContext context;
    EGLSurface surface;
    GLuint target;        /* framebuffer object, or 0 for the pixel buffer */
    GLuint color_program; /* program of gl_use_color() in this case */
    GLint color;
    const char *program, *name, *where;
    const char *about;    /* text of gl_about(), or NULL */
    const char *folder;   /* folder for pictures, or NULL to write none */
    unsigned pictures;    /* pictures written in this case */
    const char *renderer; /* required part of GL_RENDERER */
    jmp_buf end;
} test;

/* --- Results of a case --- */

void gl_fail(const char *file, int line, const char *format, ...)
{
    const char *base = strrchr(file, '/');
    va_list list;
    if (test.about)
        printf("%s\n", test.about);
    va_start(list, format);
    printf("%s:%d: %s%s: ", base ? base + 1 : file, line, test.name, test.where);
    vprintf(format, list);
    putchar('\n');
    va_end(list);
    longjmp(test.end, FAILED);
}

void gl_about(const char *text)
{
    test.about = text;
}

void gl_skip(const char *why)
{
    printf("%s%s: skipped: %s\n", test.name, test.where, why);
    longjmp(test.end, SKIPPED);
}

void gl_expect_error(const char *file, int line, GLenum error)
{
    GLenum is = glGetError();
    if (is != error)
        gl_fail(file, line, "the error is 0x%04x, expected 0x%04x", is, error);
}

/* --- Pictures --- */

static void write_picture(const uint8_t *pixels, int width, int height)
{
    char path[4096];
    snprintf(path, sizeof(path), "%s/%s-%s%s-%u.ppm", test.folder, test.program, test.name,
             test.target ? "" : "-pbuffer", ++test.pictures);
    FILE *file = fopen(path, "wb");
    if (!file) {
        perror(path);
        return;
    }
    fprintf(file, "P6\n%d %d\n255\n", width, height);
    for (int y = height - 1; y >= 0; y--)
        for (int x = 0; x < width; x++)
            fwrite(pixels + 4 * ((size_t)y * (size_t)width + (size_t)x), 1, 3, file);
    if (fclose(file) != 0)
        perror(path);
}

static uint8_t *read_pixels(int x, int y, int width, int height)
{
    size_t size = 4 * (size_t)width * (size_t)height;
    uint8_t *pixels = malloc(size);
    if (!pixels)
        FAIL("no memory");
    memset(pixels, 0xa5, size);
    GLint alignment;
    glGetIntegerv(GL_PACK_ALIGNMENT, &alignment);
    glPixelStorei(GL_PACK_ALIGNMENT, 1);
    glReadPixels(x, y, width, height, GL_RGBA, GL_UNSIGNED_BYTE, pixels);
    glPixelStorei(GL_PACK_ALIGNMENT, alignment);
    if (glGetError() != GL_NO_ERROR) {
        free(pixels);
        FAIL("glReadPixels() failed");
    }
    return pixels;
}

static struct rgba pixel_at(const uint8_t *pixels, int width, int x, int y)
{
    const uint8_t *p = pixels + 4 * ((size_t)y * (size_t)width + (size_t)x);
    return RGBA(p[0], p[1], p[2], p[3]);
}

bool gl_near(struct rgba one, struct rgba other, int tolerance)
{
    return abs(one.r - other.r) <= tolerance && abs(one.g - other.g) <= tolerance &&
           abs(one.b - other.b) <= tolerance && abs(one.a - other.a) <= tolerance;
}

/* Differences of two pictures: the first wrong pixel with both of its colours, the number of
 * wrong pixels, and the rectangle around them. */
struct differences {
    int count, x, y, left, right, bottom, top;
    struct rgba is, expected;
};

static void add_difference(struct differences *d, int x, int y, struct rgba is,
                           struct rgba expected)
{
    if (d->count++ == 0)
        *d = (struct differences){1, x, y, x, x, y, y, is, expected};
    d->left = x < d->left ? x : d->left;
    d->right = x > d->right ? x : d->right;
    d->top = y;
}

/* Compares a rectangle with a picture or, if picture is NULL, with a colour. */
static void expect(const char *file, int line, int x0, int y0, int width, int height,
                   gl_picture *picture, struct rgba color, int tolerance)
{
    uint8_t *pixels = read_pixels(x0, y0, width, height);
    if (test.folder)
        write_picture(pixels, width, height);
    struct differences d = {0};
    for (int y = 0; y < height; y++)
        for (int x = 0; x < width; x++) {
            struct rgba is = pixel_at(pixels, width, x, y);
            struct rgba expected = picture ? picture(x0 + x, y0 + y) : color;
            if (!gl_near(is, expected, tolerance))
                add_difference(&d, x0 + x, y0 + y, is, expected);
        }
    free(pixels);
    if (d.count > 0)
        gl_fail(file, line,
                "pixel (%d, %d) is %d %d %d %d, expected %d %d %d %d (tolerance %d); %d of %d "
                "differ, in x %d..%d, y %d..%d",
                d.x, d.y, d.is.r, d.is.g, d.is.b, d.is.a, d.expected.r, d.expected.g, d.expected.b,
                d.expected.a, tolerance, d.count, width * height, d.left, d.right, d.bottom, d.top);
}

void gl_expect_rect(const char *file, int line, int x, int y, int width, int height,
                    struct rgba color, int tolerance)
{
    expect(file, line, x, y, width, height, NULL, color, tolerance);
}

void gl_expect_picture(const char *file, int line, int width, int height, gl_picture *picture,
                       int tolerance)
{
    expect(file, line, 0, 0, width, height, picture, BLACK, tolerance);
}

struct rgba gl_pixel(int x, int y)
{
    uint8_t *pixels = read_pixels(x, y, 1, 1);
    struct rgba color = pixel_at(pixels, 1, 0, 0);
    free(pixels);
    return color;
}

int gl_count(int width, int height, struct rgba color)
{
    uint8_t *pixels = read_pixels(0, 0, width, height);
    if (test.folder)
        write_picture(pixels, width, height);
    int count = 0;
    for (int i = 0; i < width * height; i++)
        count += gl_near(pixel_at(pixels, width * height, i, 0), color, 0);
    free(pixels);
    return count;
}

int gl_byte(double value)
{
    return (int)lrint(fmin(fmax(value, 0), 1) * 255);
}

/* --- Drawing --- */

const char gl_vertex_value[] = "attribute vec4 position, value; varying vec4 v; void main() { "
                               "gl_Position = position; v = value; }";
const char gl_fragment_value[] =
    "precision mediump float; varying vec4 v; void main() { gl_FragColor = v; }";
const char gl_vertex_texture[] = "attribute vec4 position, value; varying vec2 v; void main() { "
                                 "gl_Position = position; v = value.xy; }";
const char gl_fragment_texture[] =
    "precision mediump float; uniform sampler2D texture; varying vec2 v;"
    "void main() { gl_FragColor = texture2D(texture, v); }";

GLuint gl_shader(GLenum type, const char *source)
{
    GLuint shader = glCreateShader(type);
    glShaderSource(shader, 1, &source, NULL);
    glCompileShader(shader);
    GLint good = 0;
    glGetShaderiv(shader, GL_COMPILE_STATUS, &good);
    if (good)
        return shader;
    char log[2048] = "";
    glGetShaderInfoLog(shader, sizeof(log), NULL, log);
    printf("%s", log);
    glDeleteShader(shader);
    return 0;
}

GLuint gl_program(const char *vertex, const char *fragment)
{
    GLuint shaders[] = {gl_shader(GL_VERTEX_SHADER, vertex),
                        gl_shader(GL_FRAGMENT_SHADER, fragment)};
    if (!shaders[0] || !shaders[1])
        FAIL("a shader does not compile");
    GLuint program = glCreateProgram();
    glAttachShader(program, shaders[0]);
    glAttachShader(program, shaders[1]);
    glBindAttribLocation(program, POSITION, "position");
    glBindAttribLocation(program, VALUE, "value");
    glBindAttribLocation(program, VALUE_2, "value_2");
    glLinkProgram(program);
    glDeleteShader(shaders[0]);
    glDeleteShader(shaders[1]);
    GLint good = 0;
    glGetProgramiv(program, GL_LINK_STATUS, &good);
    if (!good) {
        char log[2048] = "";
        glGetProgramInfoLog(program, sizeof(log), NULL, log);
        FAIL("the program does not link: %s", log);
    }
    glUseProgram(program);
    return program;
}

GLint gl_uniform(GLuint program, const char *name)
{
    GLint location = glGetUniformLocation(program, name);
    if (location < 0)
        FAIL("no uniform %s", name);
    return location;
}

void gl_use_color(float r, float g, float b, float a)
{
    if (!test.color_program) {
        test.color_program = gl_program(
            "attribute vec4 position; void main() { gl_Position = position; }",
            "precision mediump float; uniform vec4 color; void main() { gl_FragColor = color; }");
        test.color = gl_uniform(test.color_program, "color");
    }
    glUseProgram(test.color_program);
    glUniform4f(test.color, r, g, b, a);
}

float gl_ndc(float pixel)
{
    return 2 * pixel / GL_SIDE - 1;
}

/* Draws a strip with the current attributes and these positions. */
static void draw_strip(float x0, float y0, float x1, float y1, float z)
{
    const float corners[] = {
        gl_ndc(x0), gl_ndc(y0), z, gl_ndc(x1), gl_ndc(y0), z,
        gl_ndc(x0), gl_ndc(y1), z, gl_ndc(x1), gl_ndc(y1), z,
    };
    glBindBuffer(GL_ARRAY_BUFFER, 0);
    glVertexAttribPointer(POSITION, 3, GL_FLOAT, GL_FALSE, 0, corners);
    glEnableVertexAttribArray(POSITION);
    glDrawArrays(GL_TRIANGLE_STRIP, 0, 4);
    glDisableVertexAttribArray(POSITION);
}

void gl_quad(float x0, float y0, float x1, float y1, float z)
{
    draw_strip(x0, y0, x1, y1, z);
}

void gl_textured_quad(float x0, float y0, float x1, float y1, float s0, float t0, float s1,
                      float t1)
{
    const float values[] = {s0, t0, s1, t0, s0, t1, s1, t1};
    glBindBuffer(GL_ARRAY_BUFFER, 0);
    glVertexAttribPointer(VALUE, 2, GL_FLOAT, GL_FALSE, 0, values);
    glEnableVertexAttribArray(VALUE);
    draw_strip(x0, y0, x1, y1, 0);
    glDisableVertexAttribArray(VALUE);
}

/* --- Objects --- */

GLuint gl_texture_empty(void)
{
    GLuint texture;
    glGenTextures(1, &texture);
    glBindTexture(GL_TEXTURE_2D, texture);
    glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_MIN_FILTER, GL_NEAREST);
    glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_MAG_FILTER, GL_NEAREST);
    glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_WRAP_S, GL_CLAMP_TO_EDGE);
    glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_WRAP_T, GL_CLAMP_TO_EDGE);
    return texture;
}

GLuint gl_texture(GLenum format, GLenum type, int width, int height, const void *pixels)
{
    GLuint texture = gl_texture_empty();
    glTexImage2D(GL_TEXTURE_2D, 0, (GLint)format, width, height, 0, format, type, pixels);
    return texture;
}

GLuint gl_texture_of(int width, int height, gl_picture *picture)
{
    uint8_t *texels = malloc(4 * (size_t)width * (size_t)height), *at = texels;
    CHECK(texels);
    for (int y = 0; y < height; y++)
        for (int x = 0; x < width; x++) {
            struct rgba c = picture(x, y);
            *at++ = (uint8_t)c.r;
            *at++ = (uint8_t)c.g;
            *at++ = (uint8_t)c.b;
            *at++ = (uint8_t)c.a;
        }
    GLuint texture = gl_texture(GL_RGBA, GL_UNSIGNED_BYTE, width, height, texels);
    free(texels);
    return texture;
}

GLuint gl_color_renderbuffer(GLenum format)
{
    GLuint renderbuffer;
    glGenRenderbuffers(1, &renderbuffer);
    glBindRenderbuffer(GL_RENDERBUFFER, renderbuffer);
    glRenderbufferStorage(GL_RENDERBUFFER, format, GL_SIDE, GL_SIDE);
    glFramebufferRenderbuffer(GL_FRAMEBUFFER, GL_COLOR_ATTACHMENT0, GL_RENDERBUFFER, renderbuffer);
    CHECK(glCheckFramebufferStatus(GL_FRAMEBUFFER) == GL_FRAMEBUFFER_COMPLETE);
    return renderbuffer;
}

GLuint gl_texture_target(GLuint *texture, GLenum format, GLenum type, int width, int height)
{
    GLuint framebuffer;
    *texture = gl_texture(format, type, width, height, NULL);
    glGenFramebuffers(1, &framebuffer);
    glBindFramebuffer(GL_FRAMEBUFFER, framebuffer);
    glFramebufferTexture2D(GL_FRAMEBUFFER, GL_COLOR_ATTACHMENT0, GL_TEXTURE_2D, *texture, 0);
    CHECK(glCheckFramebufferStatus(GL_FRAMEBUFFER) == GL_FRAMEBUFFER_COMPLETE);
    glViewport(0, 0, width, height);
    return framebuffer;
}

static bool has_word(const char *list, const char *word)
{
    size_t length = strlen(word);
    for (const char *at = list; at && (at = strstr(at, word)); at += length)
        if ((at == list || at[-1] == ' ') && (at[length] == ' ' || at[length] == '\0'))
            return true;
    return false;
}

bool gl_has(const char *extension)
{
    return has_word((const char *)glGetString(GL_EXTENSIONS), extension);
}

void gl_need(const char *extension)
{
    if (!gl_has(extension))
        gl_skip(extension);
}

/* --- EGL --- */

EGLDisplay gl_display(void)
{
    return test.display;
}

bool egl_has(const char *extension)
{
    return has_word(eglQueryString(test.display, EGL_EXTENSIONS), extension);
}

void *gl_function(const char *name)
{
    void *function = (void *)eglGetProcAddress(name);
    if (!function)
        FAIL("no function %s", name);
    return function;
}

static EGLint config_value(EGLConfig config, EGLint name)
{
    EGLint value = -1;
    eglGetConfigAttrib(test.display, config, name, &value);
    return value;
}

EGLConfig gl_config(int red, int alpha, int depth, int stencil, int samples)
{
    const EGLint wanted[] = {
        EGL_RENDERABLE_TYPE,
        EGL_OPENGL_ES2_BIT,
        EGL_SURFACE_TYPE,
        EGL_PBUFFER_BIT,
        EGL_RED_SIZE,
        red,
        EGL_ALPHA_SIZE,
        alpha,
        EGL_DEPTH_SIZE,
        depth,
        EGL_STENCIL_SIZE,
        stencil,
        EGL_SAMPLES,
        samples,
        EGL_NONE,
    };
    EGLConfig configs[64];
    EGLint count = 0;
    eglChooseConfig(test.display, wanted, configs, 64, &count);
    for (EGLint i = 0; i < count; i++)
        if (config_value(configs[i], EGL_RED_SIZE) == red &&
            config_value(configs[i], EGL_ALPHA_SIZE) == alpha &&
            config_value(configs[i], EGL_DEPTH_SIZE) == depth &&
            config_value(configs[i], EGL_SAMPLES) == samples)
            return configs[i];
    return NULL;
}

EGLContext gl_context(EGLContext share)
{
    const EGLint attributes[] = {EGL_CONTEXT_CLIENT_VERSION, 2, EGL_NONE};
    eglBindAPI(EGL_OPENGL_ES_API);
    return eglCreateContext(test.display, gl_config(8, 8, 24, 8, 0), share, attributes);
}

static bool open_display(void)
{
    PFNEGLGETPLATFORMDISPLAYEXTPROC get = (PFNEGLGETPLATFORMDISPLAYEXTPROC)eglGetProcAddress(
        "eglGetPlatformDisplayEXT");
    if (!get)
        return false;
    test.display = get(EGL_PLATFORM_SURFACELESS_MESA, EGL_DEFAULT_DISPLAY, NULL);
    return test.display != EGL_NO_DISPLAY && eglInitialize(test.display, NULL, NULL);
}

/* --- Targets --- */

static void make_framebuffer(void)
{
    GLuint buffers[2];
    glGenFramebuffers(1, &test.target);
    glBindFramebuffer(GL_FRAMEBUFFER, test.target);
    glGenRenderbuffers(2, buffers);
    glBindRenderbuffer(GL_RENDERBUFFER, buffers[0]);
    glRenderbufferStorage(GL_RENDERBUFFER, GL_RGBA8_OES, GL_SIDE, GL_SIDE);
    glBindRenderbuffer(GL_RENDERBUFFER, buffers[1]);
    glRenderbufferStorage(GL_RENDERBUFFER, GL_DEPTH24_STENCIL8_OES, GL_SIDE, GL_SIDE);
    glFramebufferRenderbuffer(GL_FRAMEBUFFER, GL_COLOR_ATTACHMENT0, GL_RENDERBUFFER, buffers[0]);
    glFramebufferRenderbuffer(GL_FRAMEBUFFER, GL_DEPTH_ATTACHMENT, GL_RENDERBUFFER, buffers[1]);
    glFramebufferRenderbuffer(GL_FRAMEBUFFER, GL_STENCIL_ATTACHMENT, GL_RENDERBUFFER, buffers[1]);
    glBindRenderbuffer(GL_RENDERBUFFER, 0);
    CHECK(glCheckFramebufferStatus(GL_FRAMEBUFFER) == GL_FRAMEBUFFER_COMPLETE);
}

static void check_renderer(void)
{
    const char *is = (const char *)glGetString(GL_RENDERER);
    if (test.renderer && (!is || !strstr(is, test.renderer)))
        FAIL("the renderer is %s, not %s", is, test.renderer);
}

static void make_context(bool framebuffer)
{
    const EGLint size[] = {EGL_WIDTH, GL_SIDE, EGL_HEIGHT, GL_SIDE, EGL_NONE};
    test.context = gl_context(EGL_NO_CONTEXT);
    CHECK(test.context != EGL_NO_CONTEXT);
    test.surface = eglCreatePbufferSurface(test.display, gl_config(8, 8, 24, 8, 0), size);
    CHECK(test.surface != EGL_NO_SURFACE);
    CHECK(eglMakeCurrent(test.display, test.surface, test.surface, test.context));
    check_renderer();
    if (framebuffer)
        make_framebuffer();
    glViewport(0, 0, GL_SIDE, GL_SIDE);
    glDisable(GL_DITHER);
    glClear(GL_COLOR_BUFFER_BIT | GL_DEPTH_BUFFER_BIT | GL_STENCIL_BUFFER_BIT);
}

static void drop_context(void)
{
    eglMakeCurrent(test.display, EGL_NO_SURFACE, EGL_NO_SURFACE, EGL_NO_CONTEXT);
    if (test.surface != EGL_NO_SURFACE)
        eglDestroySurface(test.display, test.surface);
    if (test.context != EGL_NO_CONTEXT)
        eglDestroyContext(test.display, test.context);
    test.surface = EGL_NO_SURFACE;
    test.context = EGL_NO_CONTEXT;
    test.target = test.color_program = 0;
}

void gl_bind_target(void)
{
    glBindFramebuffer(GL_FRAMEBUFFER, test.target);
    glViewport(0, 0, GL_SIDE, GL_SIDE);
}

/* --- Running cases --- */

static int run_on(const struct gl_case *one, bool context, bool framebuffer)
{
    test.name = one->name;
    test.where = one->target != ON_BOTH ? ""
                 : framebuffer          ? " (framebuffer object)"
                                        : " (pixel buffer)";
    test.about = NULL;
    test.pictures = 0;
    int end = setjmp(test.end);
    if (end == 0) {
        if (context)
            make_context(framebuffer);
        one->run();
        if (context)
            EXPECT_ERROR(GL_NO_ERROR);
    }
    drop_context();
    if (end == PASSED)
        printf("%s%s: good\n", test.name, test.where);
    fflush(stdout);
    return end;
}

/* Returns true if no run of the case has failed. */
static bool run_case(const struct gl_case *one)
{
    bool good = run_on(one, one->target != ON_NONE, one->target != ON_NONE) != FAILED;
    if (one->target == ON_BOTH)
        good &= run_on(one, true, false) != FAILED;
    return good;
}

static bool is_wanted(const char *name, int count, char **names)
{
    bool wanted = count == 0;
    for (int i = 0; i < count; i++)
        wanted |= strcmp(name, names[i]) == 0;
    return wanted;
}

static int run_cases(int count, char **names)
{
    int run = 0;
    bool good = true;
    for (const struct gl_case *one = gl_cases; one->name; one++)
        if (is_wanted(one->name, count, names)) {
            good &= run_case(one);
            run++;
        }
    if (run == 0)
        printf("there is no such case\n");
    return good && run > 0 ? 0 : 1;
}

static int list_cases(void)
{
    for (const struct gl_case *one = gl_cases; one->name; one++)
        printf("%s\n", one->name);
    return 0;
}

/* Removes an option from the command line and returns its value. Returns NULL if the option is
 * not there. */
static const char *option(int *count, char **arguments, const char *name)
{
    if (*count < 2 || strcmp(arguments[0], name) != 0)
        return NULL;
    const char *value = arguments[1];
    *count -= 2;
    memmove(arguments, arguments + 2, (size_t)*count * sizeof(*arguments));
    return value;
}

int main(int count, char **arguments)
{
    const char *base = strrchr(arguments[0], '/');
    test.program = base ? base + 1 : arguments[0];
    count--;
    arguments++;
    if (count > 0 && strcmp(arguments[0], "--list") == 0)
        return list_cases();
    test.renderer = option(&count, arguments, "--renderer");
    test.folder = option(&count, arguments, "--write");
    if (!open_display()) {
        printf("there is no EGL display without a window system\n");
        return NO_DRIVER;
    }
    int status = run_cases(count, arguments);
    eglTerminate(test.display);
    return status;
}
