/* SPDX-License-Identifier: MIT */
/* contexts.c - tests contexts and displays that are created and destroyed, share objects, and are
 * used in threads.
 *
 * Expected: EGL 1.5, sections 2.4 (sharing), 3.7.3 (binding) and 3.2 (after eglTerminate() the
 * current context can be used until it is released). */
#include "gl_test.h"

#include <pthread.h>
#include <stdio.h>
#include <string.h>

static EGLSurface make_surface(int width, int height)
{
    const EGLint size[] = {EGL_WIDTH, width, EGL_HEIGHT, height, EGL_NONE};
    EGLSurface surface = eglCreatePbufferSurface(gl_display(), gl_config(8, 8, 24, 8, 0), size);
    CHECK(surface != EGL_NO_SURFACE);
    return surface;
}

static void make_current(EGLSurface surface, EGLContext context)
{
    CHECK(eglMakeCurrent(gl_display(), surface, surface, context));
}

static void make_none_current(void)
{
    CHECK(eglMakeCurrent(gl_display(), EGL_NO_SURFACE, EGL_NO_SURFACE, EGL_NO_CONTEXT));
}

static void clear_to(float r, float g, float b)
{
    glClearColor(r, g, b, 1);
    glClear(GL_COLOR_BUFFER_BIT);
}

/* Creates and destroys a hundred contexts, each with a surface, and with a texture and a buffer
 * that the test does not delete. */
static void come_and_go(void)
{
    for (int i = 0; i < 100; i++) {
        EGLContext context = gl_context(EGL_NO_CONTEXT);
        EGLSurface surface = make_surface(32, 32);
        make_current(surface, context);
        clear_to((float)(i % 6) / 5, 0, 1);
        gl_texture(GL_RGBA, GL_UNSIGNED_BYTE, 64, 64, NULL);
        if (i % 10 == 0)
            EXPECT_RECT(0, 0, 32, 32, RGBA(51 * (i % 6), 0, 255, 255), 0);
        make_none_current();
        eglDestroySurface(gl_display(), surface);
        eglDestroyContext(gl_display(), context);
    }
}

/* A context is destroyed while it is current and has pending draws. It can be used until it is
 * released. */
static void destroyed_while_current(void)
{
    EGLContext context = gl_context(EGL_NO_CONTEXT);
    EGLSurface surface = make_surface(32, 32);
    make_current(surface, context);
    clear_to(0, 1, 0);
    eglDestroyContext(gl_display(), context);
    eglDestroySurface(gl_display(), surface);
    EXPECT_RECT(0, 0, 32, 32, GREEN, 0);
    make_none_current();
    CHECK(!eglMakeCurrent(gl_display(), EGL_NO_SURFACE, EGL_NO_SURFACE, context));
}

/* Alternates between two contexts on two surfaces. Each must have its own state and pixels. */
static void in_turn(void)
{
    EGLContext contexts[2] = {gl_context(EGL_NO_CONTEXT), gl_context(EGL_NO_CONTEXT)};
    EGLSurface surfaces[2] = {make_surface(32, 32), make_surface(48, 16)};
    for (int i = 0; i < 2; i++) {
        make_current(surfaces[i], contexts[i]);
        glClearColor(i == 0, i == 1, 0, 1);
        glEnable(GL_SCISSOR_TEST);
    }
    for (int round = 0; round < 8; round++)
        for (int i = 0; i < 2; i++) {
            make_current(surfaces[i], contexts[i]);
            glScissor(4 * round, 0, 4, 16);
            glClear(GL_COLOR_BUFFER_BIT);
        }
    for (int i = 0; i < 2; i++) {
        make_current(surfaces[i], contexts[i]);
        EXPECT_RECT(0, 0, 32, 16, i == 0 ? RED : GREEN, 0);
    }
    make_none_current();
    for (int i = 0; i < 2; i++) {
        eglDestroySurface(gl_display(), surfaces[i]);
        eglDestroyContext(gl_display(), contexts[i]);
    }
}

/* A second context uses a texture, a buffer and a program of the first context. The objects must
 * remain after the first context is destroyed. */
static void shared(void)
{
    static const uint8_t texels[] = {255, 0, 0, 255, 0, 255, 0, 255};
    static const float corners[] = {-1, -1, 1, -1, -1, 1, 1, 1};
    EGLContext first = gl_context(EGL_NO_CONTEXT), second = gl_context(first);
    EGLSurface surface = make_surface(GL_SIDE, GL_SIDE);
    make_current(surface, first);
    GLuint buffer, texture = gl_texture(GL_RGBA, GL_UNSIGNED_BYTE, 2, 1, texels);
    glGenBuffers(1, &buffer);
    glBindBuffer(GL_ARRAY_BUFFER, buffer);
    glBufferData(GL_ARRAY_BUFFER, sizeof(corners), corners, GL_STATIC_DRAW);
    GLuint program = gl_program(
        "attribute vec4 position; varying vec2 v;"
        "void main() { gl_Position = position; v = position.xy * 0.5 + 0.5; }",
        gl_fragment_texture);
    glFinish();
    make_current(surface, second);
    eglDestroyContext(gl_display(), first);
    glUseProgram(program);
    glBindTexture(GL_TEXTURE_2D, texture);
    glBindBuffer(GL_ARRAY_BUFFER, buffer);
    glVertexAttribPointer(POSITION, 2, GL_FLOAT, GL_FALSE, 0, NULL);
    glEnableVertexAttribArray(POSITION);
    glDrawArrays(GL_TRIANGLE_STRIP, 0, 4);
    EXPECT_RECT(0, 0, 32, 64, RED, 0);
    EXPECT_RECT(32, 0, 32, 64, GREEN, 0);
    make_none_current();
    eglDestroySurface(gl_display(), surface);
    eglDestroyContext(gl_display(), second);
}

/* A context is destroyed with all its objects, and another is created. The objects must not
 * exist in the new context. */
static void made_again(void)
{
    GLuint old = 0;
    for (int i = 0; i < 5; i++) {
        EGLContext context = gl_context(EGL_NO_CONTEXT);
        EGLSurface surface = make_surface(GL_SIDE, GL_SIDE);
        make_current(surface, context);
        CHECK(i == 0 || !glIsTexture(old));
        clear_to(0, 0, 1);
        EXPECT_RECT(0, 0, 64, 64, BLUE, 0);
        static const uint8_t texel[] = {0, 255, 0, 255};
        old = gl_texture(GL_RGBA, GL_UNSIGNED_BYTE, 1, 1, texel);
        gl_program(gl_vertex_texture, gl_fragment_texture);
        glViewport(0, 0, 64, 64);
        gl_textured_quad(0, 0, 64, 64, 0, 0, 1, 1);
        EXPECT_RECT(0, 0, 64, 64, GREEN, 0);
        make_none_current();
        eglDestroyContext(gl_display(), context);
        eglDestroySurface(gl_display(), surface);
    }
}

/* The display is terminated while a context is current. Then the display is initialised again,
 * which creates a new screen in the driver. */
static void display_again(void)
{
    for (int i = 0; i < 5; i++) {
        EGLContext context = gl_context(EGL_NO_CONTEXT);
        EGLSurface surface = make_surface(GL_SIDE, GL_SIDE);
        make_current(surface, context);
        clear_to(0, 1, 0);
        gl_texture(GL_RGBA, GL_UNSIGNED_BYTE, 256, 256, NULL);
        EXPECT_RECT(0, 0, 64, 64, GREEN, 0);
        if (i % 2 == 0)
            make_none_current();
        CHECK(eglTerminate(gl_display()));
        make_none_current();
        CHECK(eglInitialize(gl_display(), NULL, NULL));
    }
}

/* --- Threads --- */

enum { THREADS = 4, ROUNDS = 30 };

struct worker {
    pthread_t thread;
    int number;
    EGLContext context;
    EGLSurface surface;
    const char *wrong;
};

static pthread_barrier_t start_line;

/* Draws columns in the thread's own colour many times. Returns the failure, or NULL. (Only the
 * main thread may end a test case.) */
static const char *work(const struct worker *worker)
{
    static const char *const vertex =
        "attribute vec4 position; void main() { gl_Position = position; }";
    static const char *const fragment =
        "precision mediump float; uniform vec4 color; void main() { gl_FragColor = color; }";
    if (!eglMakeCurrent(gl_display(), worker->surface, worker->surface, worker->context))
        return "eglMakeCurrent";
    GLuint shaders[] = {gl_shader(GL_VERTEX_SHADER, vertex),
                        gl_shader(GL_FRAGMENT_SHADER, fragment)};
    GLuint program = glCreateProgram();
    glAttachShader(program, shaders[0]);
    glAttachShader(program, shaders[1]);
    glBindAttribLocation(program, 0, "position");
    glLinkProgram(program);
    glUseProgram(program);
    glViewport(0, 0, GL_SIDE, GL_SIDE);
    glEnableVertexAttribArray(0);
    for (int round = 0; round < ROUNDS; round++) {
        int value = (round * 7 + worker->number * 60) % 256;
        float right = gl_ndc((float)(8 + worker->number * 8));
        const float corners[] = {-1, -1, right, -1, -1, 1, right, 1};
        uint8_t pixels[2][4];
        glClear(GL_COLOR_BUFFER_BIT);
        glUniform4f(glGetUniformLocation(program, "color"), (float)value / 255, 0, 1, 1);
        glVertexAttribPointer(0, 2, GL_FLOAT, GL_FALSE, 0, corners);
        glDrawArrays(GL_TRIANGLE_STRIP, 0, 4);
        glReadPixels(7 + worker->number * 8, round, 2, 1, GL_RGBA, GL_UNSIGNED_BYTE, pixels);
        if (pixels[0][0] != value || pixels[0][2] != 255 || pixels[1][0] != 0 || pixels[1][2] != 0)
            return "a pixel";
    }
    if (glGetError() != GL_NO_ERROR)
        return "glGetError";
    return eglMakeCurrent(gl_display(), EGL_NO_SURFACE, EGL_NO_SURFACE, EGL_NO_CONTEXT) ? NULL
                                                                                        : "release";
}

static void *run_worker(void *argument)
{
    struct worker *worker = argument;
    pthread_barrier_wait(&start_line);
    worker->wrong = work(worker);
    eglReleaseThread();
    return NULL;
}

static void run_threads(bool share)
{
    struct worker workers[THREADS] = {0};
    pthread_barrier_init(&start_line, NULL, THREADS);
    for (int i = 0; i < THREADS; i++) {
        struct worker *worker = &workers[i];
        worker->number = i;
        worker->context = gl_context(share && i > 0 ? workers[0].context : EGL_NO_CONTEXT);
        worker->surface = make_surface(GL_SIDE, GL_SIDE);
        CHECK(pthread_create(&worker->thread, NULL, run_worker, worker) == 0);
    }
    for (int i = 0; i < THREADS; i++)
        pthread_join(workers[i].thread, NULL);
    pthread_barrier_destroy(&start_line);
    for (int i = 0; i < THREADS; i++) {
        eglDestroySurface(gl_display(), workers[i].surface);
        eglDestroyContext(gl_display(), workers[i].context);
        if (workers[i].wrong)
            FAIL("thread %d: %s", i, workers[i].wrong);
    }
}

static void threads(void)
{
    run_threads(false);
}

static void sharing_threads(void)
{
    run_threads(true);
}

/* Uses one context in several threads, one thread after the other. */
static void *wander(void *argument)
{
    struct worker *worker = argument;
    worker->wrong = work(worker);
    return NULL;
}

static void wandering(void)
{
    struct worker worker = {.context = gl_context(EGL_NO_CONTEXT),
                            .surface = make_surface(GL_SIDE, GL_SIDE)};
    for (int i = 0; i < 4; i++) {
        worker.number = i;
        CHECK(pthread_create(&worker.thread, NULL, wander, &worker) == 0);
        pthread_join(worker.thread, NULL);
        if (worker.wrong)
            FAIL("thread %d: %s", i, worker.wrong);
    }
    eglDestroySurface(gl_display(), worker.surface);
    eglDestroyContext(gl_display(), worker.context);
}

const struct gl_case gl_cases[] = {
    /* clang-format off */
    /* clang-format off */
    {"come_and_go",             come_and_go,             ON_NONE},
    {"destroyed_while_current", destroyed_while_current, ON_NONE},
    {"in_turn",                 in_turn,                 ON_NONE},
    {"shared",                  shared,                  ON_NONE},
    {"made_again",              made_again,              ON_NONE},
    {"display_again",           display_again,           ON_NONE},
    {"threads",                 threads,                 ON_NONE},
    {"sharing_threads",         sharing_threads,         ON_NONE},
    {"wandering",               wandering,               ON_NONE},
    {NULL,                      NULL,                    ON_BOTH},
    /* clang-format on */
    /* clang-format on */
};
