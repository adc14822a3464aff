/* SPDX-License-Identifier: MIT */
/* sync.c - tests fences, native fence files, and glFinish.
 *
 * Expected: EGL_KHR_fence_sync, EGL_KHR_wait_sync, EGL_ANDROID_native_fence_sync. */
#include "gl_test.h"

#include <poll.h>
#include <unistd.h>

static PFNEGLCREATESYNCKHRPROC create_sync;
static PFNEGLCLIENTWAITSYNCKHRPROC client_wait;
static PFNEGLDESTROYSYNCKHRPROC destroy_sync;

static void get_functions(void)
{
    create_sync = gl_function("eglCreateSyncKHR");
    client_wait = gl_function("eglClientWaitSyncKHR");
    destroy_sync = gl_function("eglDestroySyncKHR");
}

static void draw_green(void)
{
    gl_use_color(0, 1, 0, 1);
    gl_quad(0, 0, 64, 64, 0);
}

/* A fence after a draw must become signalled, and stay signalled. */
static void fence(void)
{
    if (!egl_has("EGL_KHR_fence_sync"))
        gl_skip("EGL_KHR_fence_sync");
    get_functions();
    draw_green();
    EGLSyncKHR sync = create_sync(gl_display(), EGL_SYNC_FENCE_KHR, NULL);
    CHECK(sync != EGL_NO_SYNC_KHR);
    CHECK(client_wait(gl_display(), sync, EGL_SYNC_FLUSH_COMMANDS_BIT_KHR, EGL_FOREVER_KHR) ==
          EGL_CONDITION_SATISFIED_KHR);
    CHECK(client_wait(gl_display(), sync, 0, 0) == EGL_CONDITION_SATISFIED_KHR);
    PFNEGLGETSYNCATTRIBKHRPROC get = gl_function("eglGetSyncAttribKHR");
    EGLint status = 0;
    CHECK(get(gl_display(), sync, EGL_SYNC_STATUS_KHR, &status) && status == EGL_SIGNALED_KHR);
    CHECK(destroy_sync(gl_display(), sync));
    EXPECT_RECT(0, 0, 64, 64, GREEN, 0);
}

/* The GPU waits for a fence that another context has created. */
static void wait(void)
{
    if (!egl_has("EGL_KHR_wait_sync"))
        gl_skip("EGL_KHR_wait_sync");
    get_functions();
    PFNEGLWAITSYNCKHRPROC wait_sync = gl_function("eglWaitSyncKHR");
    draw_green();
    EGLSyncKHR sync = create_sync(gl_display(), EGL_SYNC_FENCE_KHR, NULL);
    glFlush();
    CHECK(wait_sync(gl_display(), sync, 0) == EGL_TRUE);
    CHECK(destroy_sync(gl_display(), sync));
    EXPECT_RECT(0, 0, 64, 64, GREEN, 0);
}

/* A fence is exported as a file. The file becomes readable, and can be imported into another
 * fence. The program must close the file. */
static void native(void)
{
    if (!egl_has("EGL_ANDROID_native_fence_sync"))
        gl_skip("EGL_ANDROID_native_fence_sync");
    get_functions();
    PFNEGLDUPNATIVEFENCEFDANDROIDPROC dup_fence = gl_function("eglDupNativeFenceFDANDROID");
    const EGLint none[] = {EGL_SYNC_NATIVE_FENCE_FD_ANDROID, EGL_NO_NATIVE_FENCE_FD_ANDROID,
                           EGL_NONE};
    draw_green();
    EGLSyncKHR sync = create_sync(gl_display(), EGL_SYNC_NATIVE_FENCE_ANDROID, none);
    CHECK(sync != EGL_NO_SYNC_KHR);
    glFlush();
    int fd = dup_fence(gl_display(), sync);
    CHECK(fd >= 0);
    struct pollfd poll_fd = {.fd = fd, .events = POLLIN};
    CHECK(poll(&poll_fd, 1, 10000) == 1 && (poll_fd.revents & POLLIN));
    CHECK(destroy_sync(gl_display(), sync));
    const EGLint given[] = {EGL_SYNC_NATIVE_FENCE_FD_ANDROID, fd, EGL_NONE};
    sync = create_sync(gl_display(), EGL_SYNC_NATIVE_FENCE_ANDROID,
                       given); /* EGL owns this file now */
    CHECK(sync != EGL_NO_SYNC_KHR);
    PFNEGLWAITSYNCKHRPROC wait_sync = gl_function("eglWaitSyncKHR");
    CHECK(wait_sync(gl_display(), sync, 0) == EGL_TRUE);
    CHECK(client_wait(gl_display(), sync, 0, EGL_FOREVER_KHR) == EGL_CONDITION_SATISFIED_KHR);
    draw_green();
    CHECK(destroy_sync(gl_display(), sync));
    EXPECT_RECT(0, 0, 64, 64, GREEN, 0);
}

/* The program waits for many fences, not in the order in which they were created. */
static void many(void)
{
    enum { COUNT = 100 };
    EGLSyncKHR syncs[COUNT];
    if (!egl_has("EGL_KHR_fence_sync"))
        gl_skip("EGL_KHR_fence_sync");
    get_functions();
    for (int i = 0; i < COUNT; i++) {
        draw_green();
        syncs[i] = create_sync(gl_display(), EGL_SYNC_FENCE_KHR, NULL);
        glFlush();
    }
    for (int i = 0; i < COUNT; i++) {
        EGLSyncKHR sync = syncs[(i * 37 + 5) % COUNT];
        CHECK(client_wait(gl_display(), sync, 0, EGL_FOREVER_KHR) == EGL_CONDITION_SATISFIED_KHR);
        CHECK(destroy_sync(gl_display(), sync));
    }
}

const struct gl_case gl_cases[] = {
    /* clang-format off */
    {"fence",  fence,  ON_FBO},
    {"wait",   wait,   ON_FBO},
    {"native", native, ON_FBO},
    {"many",   many,   ON_FBO},
    {NULL,     NULL,   ON_BOTH},
    /* clang-format on */
};
