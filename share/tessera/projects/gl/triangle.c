/* triangle.c - draws a triangle with OpenGL ES 2.0, without a window, and writes picture.ppm. */
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <EGL/egl.h>
#include <EGL/eglext.h>
#include <GLES2/gl2.h>

enum { SIZE = 256 };

static const char vertex_text[] =
    "attribute vec2 position;\n"
    "attribute vec3 colour;\n"
    "varying vec3 v_colour;\n"
    "void main() { gl_Position = vec4(position, 0.0, 1.0); v_colour = colour; }\n";

static const char fragment_text[] = "precision mediump float;\n"
                                    "varying vec3 v_colour;\n"
                                    "void main() { gl_FragColor = vec4(v_colour, 1.0); }\n";

/* Vertices: x, y, red, green, blue. */
static const GLfloat corners[] = {
    -0.75f, -0.75f, 1, 0, 0, /* red, on the left */
    0.75f,  -0.75f, 0, 1, 0, /* green, on the right */
    0,      0.75f,  0, 0, 1, /* blue, at the top */
};

static int fail(const char *what)
{
    fprintf(stderr, "triangle: %s\n", what);
    return 1;
}

/* Makes a context without a window current. The context draws into framebuffer objects only. */
static int make_context(void)
{
    static const EGLint version[] = {EGL_CONTEXT_CLIENT_VERSION, 2, EGL_NONE};
    PFNEGLGETPLATFORMDISPLAYEXTPROC get_display =
        (PFNEGLGETPLATFORMDISPLAYEXTPROC)eglGetProcAddress("eglGetPlatformDisplayEXT");
    EGLDisplay display = get_display
                             ? get_display(EGL_PLATFORM_SURFACELESS_MESA, EGL_DEFAULT_DISPLAY, NULL)
                             : EGL_NO_DISPLAY;
    if (display == EGL_NO_DISPLAY || !eglInitialize(display, NULL, NULL) ||
        !eglBindAPI(EGL_OPENGL_ES_API))
        return 0;
    EGLContext context = eglCreateContext(display, EGL_NO_CONFIG_KHR, EGL_NO_CONTEXT, version);
    return context != EGL_NO_CONTEXT &&
           eglMakeCurrent(display, EGL_NO_SURFACE, EGL_NO_SURFACE, context);
}

static int make_target(void)
{
    GLuint texture, framebuffer;
    glGenTextures(1, &texture);
    glBindTexture(GL_TEXTURE_2D, texture);
    glTexImage2D(GL_TEXTURE_2D, 0, GL_RGBA, SIZE, SIZE, 0, GL_RGBA, GL_UNSIGNED_BYTE, NULL);
    glGenFramebuffers(1, &framebuffer);
    glBindFramebuffer(GL_FRAMEBUFFER, framebuffer);
    glFramebufferTexture2D(GL_FRAMEBUFFER, GL_COLOR_ATTACHMENT0, GL_TEXTURE_2D, texture, 0);
    return glCheckFramebufferStatus(GL_FRAMEBUFFER) == GL_FRAMEBUFFER_COMPLETE;
}

/* Compiles a shader and attaches it to the program. Prints the compiler's messages on failure. */
static int attach(GLuint program, GLenum type, const char *text)
{
    char log[4096] = "";
    GLint compiled;
    GLuint shader = glCreateShader(type);
    glShaderSource(shader, 1, &text, NULL);
    glCompileShader(shader);
    glGetShaderiv(shader, GL_COMPILE_STATUS, &compiled);
    glGetShaderInfoLog(shader, sizeof log, NULL, log);
    if (!compiled)
        fprintf(stderr, "triangle: the %s shader is wrong:\n%s",
                type == GL_VERTEX_SHADER ? "vertex" : "fragment", log);
    glAttachShader(program, shader);
    return compiled;
}

static int make_program(void)
{
    char log[4096] = "";
    GLint linked;
    GLuint program = glCreateProgram();
    if (!attach(program, GL_VERTEX_SHADER, vertex_text) ||
        !attach(program, GL_FRAGMENT_SHADER, fragment_text))
        return 0;
    glBindAttribLocation(program, 0, "position");
    glBindAttribLocation(program, 1, "colour");
    glLinkProgram(program);
    glGetProgramiv(program, GL_LINK_STATUS, &linked);
    glGetProgramInfoLog(program, sizeof log, NULL, log);
    if (!linked)
        fprintf(stderr, "triangle: the shaders do not fit together:\n%s", log);
    glUseProgram(program);
    return linked;
}

static void draw(void)
{
    glViewport(0, 0, SIZE, SIZE);
    glClearColor(0, 0, 0, 1);
    glClear(GL_COLOR_BUFFER_BIT);
    glVertexAttribPointer(0, 2, GL_FLOAT, GL_FALSE, 5 * sizeof *corners, corners);
    glVertexAttribPointer(1, 3, GL_FLOAT, GL_FALSE, 5 * sizeof *corners, corners + 2);
    glEnableVertexAttribArray(0);
    glEnableVertexAttribArray(1);
    glDrawArrays(GL_TRIANGLES, 0, 3);
}

/* Writes the framebuffer as a PPM file, top row first. */
static int write_picture(const char *path)
{
    static uint8_t pixels[SIZE][SIZE][4];
    FILE *file = fopen(path, "wb");
    if (!file)
        return 0;
    glReadPixels(0, 0, SIZE, SIZE, GL_RGBA, GL_UNSIGNED_BYTE, pixels);
    fprintf(file, "P6\n%d %d\n255\n", SIZE, SIZE);
    for (int y = SIZE - 1; y >= 0; y--)
        for (int x = 0; x < SIZE; x++)
            fwrite(pixels[y][x], 1, 3, file);
    return fclose(file) == 0;
}

int main(void)
{
    if (!make_context())
        return fail("there is no OpenGL ES 2.0 without a window here");
    printf("drawn by %s\n", (const char *)glGetString(GL_RENDERER));
    if (!make_target() || !make_program())
        return fail("the driver refuses the target or the program");
    draw();
    return write_picture("picture.ppm") ? 0 : fail("picture.ppm cannot be written");
}
