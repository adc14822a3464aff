/* SPDX-License-Identifier: MIT */
/* renderer.c - prints GL_RENDERER of a context without a surface. With the argument "draw", also
 * clears a framebuffer and waits for the GPU.
 *
 * Out: a line on standard output; exit status 0, or 1 if there is no context. */
#include <stdio.h>
#include <string.h>

#include <EGL/egl.h>
#include <EGL/eglext.h>
#include <GLES2/gl2.h>

static int complain(const char *what)
{
    fprintf(stderr, "%s: EGL error 0x%x\n", what, (unsigned)eglGetError());
    return 1;
}

static void draw(void)
{
    GLuint texture, framebuffer;
    glGenTextures(1, &texture);
    glBindTexture(GL_TEXTURE_2D, texture);
    glTexImage2D(GL_TEXTURE_2D, 0, GL_RGBA, 64, 64, 0, GL_RGBA, GL_UNSIGNED_BYTE, NULL);
    glGenFramebuffers(1, &framebuffer);
    glBindFramebuffer(GL_FRAMEBUFFER, framebuffer);
    glFramebufferTexture2D(GL_FRAMEBUFFER, GL_COLOR_ATTACHMENT0, GL_TEXTURE_2D, texture, 0);
    glClear(GL_COLOR_BUFFER_BIT);
    glFinish();
}

int main(int count, char **arguments)
{
    static const EGLint wanted[] = {EGL_SURFACE_TYPE, EGL_PBUFFER_BIT, EGL_RENDERABLE_TYPE,
                                    EGL_OPENGL_ES2_BIT, EGL_NONE},
                        version[] = {EGL_CONTEXT_CLIENT_VERSION, 2, EGL_NONE};
    EGLConfig config;
    EGLint found;
    PFNEGLGETPLATFORMDISPLAYEXTPROC get = (PFNEGLGETPLATFORMDISPLAYEXTPROC)eglGetProcAddress(
        "eglGetPlatformDisplayEXT");
    EGLDisplay display = get ? get(EGL_PLATFORM_SURFACELESS_MESA, EGL_DEFAULT_DISPLAY, NULL)
                             : EGL_NO_DISPLAY;
    if (!eglInitialize(display, NULL, NULL))
        return complain("eglInitialize");
    eglBindAPI(EGL_OPENGL_ES_API);
    if (!eglChooseConfig(display, wanted, &config, 1, &found) || found == 0)
        return complain("eglChooseConfig");
    EGLContext context = eglCreateContext(display, config, EGL_NO_CONTEXT, version);
    if (!context || !eglMakeCurrent(display, EGL_NO_SURFACE, EGL_NO_SURFACE, context))
        return complain("eglCreateContext");
    puts((const char *)glGetString(GL_RENDERER));
    if (count > 1 && strcmp(arguments[1], "draw") == 0)
        draw();
    eglTerminate(display);
    return 0;
}
