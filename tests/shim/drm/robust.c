/* SPDX-License-Identifier: MIT */
/* robust.c - programs that robust.py runs under `tessera gl`: it kills them, limits their
 * resources, and runs several at the same time. They are cases of the harness of tests/gl and
 * contain no code of Tessera.
 *
 * In:  the name of a case; the number of a socket in the environment variable SHARED.
 * Out: lines, exit status.
 * Expected: the pixels that the same calls draw without interference; fork(2), execve(2), exit(3);
 * OpenGL ES 2.0.25, 2.5 (GL_OUT_OF_MEMORY); EGL_EXT_image_dma_buf_import. */
#include "../../gl/gl_test.h"

#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

/* --- a frame that takes some time to draw --- */

static struct rgba texel_picture(int x, int y)
{
    return RGBA(4 * x, 4 * y, (x ^ y) * 4, 255);
}

static GLuint make_texture(void)
{
    static uint8_t texels[GL_SIDE * GL_SIDE * 4];
    for (int i = 0; i < GL_SIDE * GL_SIDE; i++) {
        struct rgba c = texel_picture(i % GL_SIDE, i / GL_SIDE);
        const uint8_t bytes[] = {(uint8_t)c.r, (uint8_t)c.g, (uint8_t)c.b, (uint8_t)c.a};
        memcpy(texels + 4 * i, bytes, 4);
    }
    return gl_texture(GL_RGBA, GL_UNSIGNED_BYTE, GL_SIDE, GL_SIDE, texels);
}

/* Draws a frame of 40 textured quads over 256 x 256 pixels. Their colours are added. `first`
 * selects the quads. */
static void draw_frame(GLuint texture, int first)
{
    glClearColor(0, 0, 0.2f, 1);
    glClear(GL_COLOR_BUFFER_BIT);
    glBindTexture(GL_TEXTURE_2D, texture);
    glEnable(GL_BLEND);
    glBlendFunc(GL_SRC_ALPHA, GL_ONE_MINUS_SRC_COLOR);
    gl_program(gl_vertex_texture, gl_fragment_texture);
    for (int i = first; i < first + 40; i++) {
        float x = (float)(i * 7 % 40), y = (float)(i * 11 % 44);
        gl_textured_quad(x, y, x + 24, y + 20, 0, 0, 1 + (float)(i % 3), 1);
    }
}

enum { SIDE = 256 };

static void start_frames(GLuint *texture)
{
    GLuint target;
    gl_texture_target(&target, GL_RGBA, GL_UNSIGNED_BYTE, SIDE, SIDE);
    *texture = make_texture();
    glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_WRAP_S, GL_REPEAT);
}

static uint32_t hash_frame(void)
{
    static uint8_t pixels[SIDE * SIDE * 4];
    uint32_t hash = 2166136261u;
    glReadPixels(0, 0, SIDE, SIDE, GL_RGBA, GL_UNSIGNED_BYTE, pixels);
    for (size_t i = 0; i < sizeof(pixels); i++)
        hash = (hash ^ pixels[i]) * 16777619u;
    return hash;
}

/* Draws ten frames and prints their hashes. */
static void hashes(void)
{
    GLuint texture;
    start_frames(&texture);
    for (int i = 0; i < 10; i++) {
        draw_frame(texture, i);
        printf("frame %d: %08x\n", i, hash_frame());
    }
}

/* Draws until the process is killed. Creates and deletes buffers and textures between the
 * frames. */
static void spin(void)
{
    GLuint texture;
    start_frames(&texture);
    printf("ready %ld\n", (long)getpid());
    fflush(stdout);
    for (int i = 0;; i++) {
        GLuint other = make_texture();
        draw_frame(i % 2 ? texture : other, i % 50);
        if (i % 5 == 0)
            hash_frame();
        glDeleteTextures(1, &other);
    }
}

/* --- exit in the middle of a frame --- */

static void half_a_frame(void)
{
    GLuint texture;
    start_frames(&texture);
    draw_frame(texture, 0);
    hash_frame();
    draw_frame(texture, 1);
    glFlush();
    draw_frame(texture, 2);
}

static void ends_by_exit(void)
{
    half_a_frame();
    exit(7);
}

static void ends_at_once(void)
{
    half_a_frame();
    _exit(8);
}

static void ends_by_abort(void)
{
    const struct rlimit none = {0, 0};
    setrlimit(RLIMIT_CORE, &none);
    half_a_frame();
    abort();
}

static void ends_by_signal(void)
{
    half_a_frame();
    raise(SIGTERM);
}

/* --- memory --- */

/* Creates textures of 4 MiB until the memory is used up, and deletes all of them. After that,
 * drawing must work as usual. */
static void out_of_memory(void)
{
    enum { MOST = 4096 };
    static GLuint textures[MOST];
    static uint8_t texels[1024 * 1024 * 4];
    int count = 0;
    GLenum error = GL_NO_ERROR;
    for (; count < MOST && error == GL_NO_ERROR; count++) {
        textures[count] = gl_texture(GL_RGBA, GL_UNSIGNED_BYTE, 1024, 1024, texels);
        error = glGetError();
    }
    CHECK(error == GL_OUT_OF_MEMORY);
    printf("%d textures\n", count);
    glDeleteTextures(count, textures);
    glFinish();
    make_texture();
    gl_program(gl_vertex_texture, gl_fragment_texture);
    gl_textured_quad(0, 0, GL_SIDE, GL_SIDE, 0, 0, 1, 1);
    EXPECT_PICTURE(texel_picture, 0);
}

/* Allocates small pieces of memory, each of which is freed before the next. In total, they have
 * three times the size of the GPU memory. */
static void memory_comes_back(void)
{
    static uint8_t texels[1024 * 1024 * 4];
    gl_program(gl_vertex_texture, gl_fragment_texture);
    for (int i = 0; i < 48; i++) {
        GLuint texture = gl_texture(GL_RGBA, GL_UNSIGNED_BYTE, 1024, 1024, texels);
        EXPECT_ERROR(GL_NO_ERROR);
        gl_textured_quad(0, 0, GL_SIDE, GL_SIDE, 0, 0, 1, 1);
        glFinish();
        glDeleteTextures(1, &texture);
    }
}

/* --- fork and exec in the middle of a frame --- */

static int ended(pid_t child)
{
    int status = -1;
    waitpid(child, &status, 0);
    return status;
}

/* A child exits in the middle of a frame. The parent continues the frame, which must not change. */
static void forks(void)
{
    GLuint texture;
    start_frames(&texture);
    draw_frame(texture, 3);
    uint32_t expected = hash_frame();
    for (int i = 0; i < 5; i++) {
        draw_frame(texture, 3);
        pid_t child = fork();
        if (child == 0)
            _exit(i);
        CHECK(child > 0);
        CHECK(ended(child) == i << 8);
        CHECK(hash_frame() == expected);
    }
}

/* A child continues to draw with the context while its parent waits. Both processes must draw
 * correct pictures. */
static void child_draws(void)
{
    GLuint texture;
    start_frames(&texture);
    draw_frame(texture, 3);
    uint32_t expected = hash_frame();
    draw_frame(texture, 3);
    glFinish();
    pid_t child = fork();
    if (child == 0) {
        draw_frame(texture, 5);
        hash_frame();
        draw_frame(texture, 3);
        _exit(hash_frame() == expected ? 0 : 1);
    }
    CHECK(ended(child) == 0);
    draw_frame(texture, 3);
    CHECK(hash_frame() == expected);
}

/* Starts a child that executes this program with another case. */
static pid_t run_self(const char *name)
{
    pid_t child = fork();
    if (child == 0) {
        execl("/proc/self/exe", "robust", name, (char *)NULL);
        _exit(127);
    }
    return child;
}

static void executes(void)
{
    GLuint texture;
    start_frames(&texture);
    draw_frame(texture, 3);
    uint32_t expected = hash_frame();
    draw_frame(texture, 3);
    pid_t children[2] = {run_self("hashes"), run_self("hashes")};
    draw_frame(texture, 3);
    CHECK(ended(children[0]) == 0 && ended(children[1]) == 0);
    CHECK(hash_frame() == expected);
}

/* Executes another program while this program's frame is unfinished. */
static void becomes(void)
{
    half_a_frame();
    fflush(stdout);
    execl("/proc/self/exe", "robust", "hashes", (char *)NULL);
    FAIL("exec");
}

/* --- one buffer, two processes --- */

struct buffer_note {
    EGLint fourcc, stride, offset, unused;
    EGLuint64KHR modifier;
};

static void send_buffer(int to, const struct buffer_note *note, int fd)
{
    union {
        char room[CMSG_SPACE(sizeof(int))];
        struct cmsghdr head;
    } control = {0};
    struct iovec part = {(void *)note, sizeof(*note)};
    struct msghdr message = {.msg_iov = &part,
                             .msg_iovlen = 1,
                             .msg_control = &control,
                             .msg_controllen = sizeof(control)};
    control.head = (struct cmsghdr){CMSG_LEN(sizeof(int)), SOL_SOCKET, SCM_RIGHTS};
    memcpy(CMSG_DATA(&control.head), &fd, sizeof(fd));
    CHECK(sendmsg(to, &message, 0) == (ssize_t)sizeof(*note));
}

static int receive_buffer(int from, struct buffer_note *note)
{
    union {
        char room[CMSG_SPACE(sizeof(int))];
        struct cmsghdr head;
    } control = {0};
    struct iovec part = {note, sizeof(*note)};
    struct msghdr message = {.msg_iov = &part,
                             .msg_iovlen = 1,
                             .msg_control = &control,
                             .msg_controllen = sizeof(control)};
    CHECK(recvmsg(from, &message, MSG_CMSG_CLOEXEC) == (ssize_t)sizeof(*note));
    CHECK(control.head.cmsg_type == SCM_RIGHTS);
    int fd;
    memcpy(&fd, CMSG_DATA(&control.head), sizeof(fd));
    return fd;
}

/* Waits until the other process has reached the same point. */
static void meet(int at)
{
    char byte = 1;
    CHECK(write(at, &byte, 1) == 1);
    CHECK(read(at, &byte, 1) == 1);
}

static int shared_socket(void)
{
    const char *number = getenv("SHARED");
    if (!number)
        FAIL("no SHARED");
    return atoi(number);
}

static struct buffer_note export_texture(GLuint texture, int *fd)
{
    PFNEGLCREATEIMAGEKHRPROC create = gl_function("eglCreateImageKHR");
    PFNEGLEXPORTDMABUFIMAGEQUERYMESAPROC query = gl_function("eglExportDMABUFImageQueryMESA");
    PFNEGLEXPORTDMABUFIMAGEMESAPROC export = gl_function("eglExportDMABUFImageMESA");
    EGLImageKHR image = create(gl_display(), eglGetCurrentContext(), EGL_GL_TEXTURE_2D_KHR,
                               (EGLClientBuffer)(uintptr_t)texture, NULL);
    struct buffer_note note = {0};
    int planes;
    CHECK(image != EGL_NO_IMAGE_KHR);
    CHECK(query(gl_display(), image, &note.fourcc, &planes, &note.modifier));
    CHECK(export(gl_display(), image, fd, &note.stride, &note.offset));
    return note;
}

static void import_texture(const struct buffer_note *note, int fd)
{
    PFNEGLCREATEIMAGEKHRPROC create = gl_function("eglCreateImageKHR");
    PFNGLEGLIMAGETARGETTEXTURE2DOESPROC target = gl_function("glEGLImageTargetTexture2DOES");
    const EGLint attributes[] = {
        EGL_WIDTH,
        GL_SIDE,
        EGL_HEIGHT,
        GL_SIDE,
        EGL_LINUX_DRM_FOURCC_EXT,
        note->fourcc,
        EGL_DMA_BUF_PLANE0_FD_EXT,
        fd,
        EGL_DMA_BUF_PLANE0_OFFSET_EXT,
        note->offset,
        EGL_DMA_BUF_PLANE0_PITCH_EXT,
        note->stride,
        EGL_DMA_BUF_PLANE0_MODIFIER_LO_EXT,
        (EGLint)note->modifier,
        EGL_DMA_BUF_PLANE0_MODIFIER_HI_EXT,
        (EGLint)(note->modifier >> 32),
        EGL_NONE,
    };
    EGLImageKHR image = create(gl_display(), EGL_NO_CONTEXT, EGL_LINUX_DMA_BUF_EXT, NULL,
                               attributes);
    CHECK(image != EGL_NO_IMAGE_KHR);
    gl_texture(GL_RGBA, GL_UNSIGNED_BYTE, 1, 1, NULL);
    target(GL_TEXTURE_2D, image);
    EXPECT_ERROR(GL_NO_ERROR);
}

/* Draws a picture for the other process. Then reads the picture that the other process has drawn
 * over it: half red, half blue. The other process draws both halves, because Mesa's vc4 does not
 * preserve the contents of an imported buffer when it draws to the buffer. */
static void gives(void)
{
    int fd, at = shared_socket();
    GLuint texture,
        framebuffer = gl_texture_target(&texture, GL_RGBA, GL_UNSIGNED_BYTE, GL_SIDE, GL_SIDE);
    GLuint source = make_texture();
    gl_program(gl_vertex_texture, gl_fragment_texture);
    gl_textured_quad(0, 0, GL_SIDE, GL_SIDE, 0, 0, 1, 1);
    struct buffer_note note = export_texture(texture, &fd);
    glFinish();
    send_buffer(at, &note, fd);
    close(fd);
    meet(at);
    glBindFramebuffer(GL_FRAMEBUFFER, framebuffer);
    EXPECT_RECT(0, 0, GL_SIDE, GL_SIDE / 2, RED, 0);
    EXPECT_RECT(0, GL_SIDE / 2, GL_SIDE, GL_SIDE / 2, BLUE, 0);
    glDeleteTextures(1, &source);
}

static void takes(void)
{
    struct buffer_note note;
    int at = shared_socket(), fd = receive_buffer(at, &note);
    GLuint framebuffer, texture;
    import_texture(&note, fd);
    close(fd);
    glGetIntegerv(GL_TEXTURE_BINDING_2D, (GLint *)&texture);
    gl_program(gl_vertex_texture, gl_fragment_texture);
    gl_textured_quad(0, 0, GL_SIDE, GL_SIDE, 0, 0, 1, 1);
    EXPECT_PICTURE(texel_picture, 0);
    glGenFramebuffers(1, &framebuffer);
    glBindFramebuffer(GL_FRAMEBUFFER, framebuffer);
    glFramebufferTexture2D(GL_FRAMEBUFFER, GL_COLOR_ATTACHMENT0, GL_TEXTURE_2D, texture, 0);
    CHECK(glCheckFramebufferStatus(GL_FRAMEBUFFER) == GL_FRAMEBUFFER_COMPLETE);
    gl_use_color(1, 0, 0, 1);
    gl_quad(0, 0, GL_SIDE, GL_SIDE / 2, 0);
    gl_use_color(0, 0, 1, 1);
    gl_quad(0, GL_SIDE / 2, GL_SIDE, GL_SIDE, 0);
    glFinish();
    meet(at);
}

/* --- a shader that never ends --- */

/* Draws with a shader that never ends. The GPU must be reset, as by Linux after some seconds. The
 * program must continue. */
static void stuck(void)
{
    GLuint program = gl_program(
        gl_vertex_texture,
        "precision highp float; varying vec2 v; uniform float step; void main() {"
        "float x = v.x; for (int i = 0; i < 2; i += int(step)) x += 0.5;"
        "gl_FragColor = vec4(x); }");
    glUniform1f(gl_uniform(program, "step"), 0);
    gl_textured_quad(0, 0, GL_SIDE, GL_SIDE, 0, 0, 1, 1);
    glFinish();
    printf("after\n");
    fflush(stdout);
    gl_bind_target();
    glClearColor(0, 0, 1, 1);
    glClear(GL_COLOR_BUFFER_BIT);
    gl_use_color(0, 1, 0, 1);
    gl_quad(0, 0, GL_SIDE, GL_SIDE / 2, 0);
    EXPECT_RECT(0, 0, GL_SIDE, GL_SIDE / 2, GREEN, 0);
    EXPECT_RECT(0, GL_SIDE / 2, GL_SIDE, GL_SIDE / 2, BLUE, 0);
}

const struct gl_case gl_cases[] = {
    /* clang-format off */
    /* clang-format off */
    {"hashes",            hashes,            ON_FBO},
    {"spin",              spin,              ON_FBO},
    {"ends_by_exit",      ends_by_exit,      ON_FBO},
    {"ends_at_once",      ends_at_once,      ON_FBO},
    {"ends_by_abort",     ends_by_abort,     ON_FBO},
    {"ends_by_signal",    ends_by_signal,    ON_FBO},
    {"out_of_memory",     out_of_memory,     ON_FBO},
    {"memory_comes_back", memory_comes_back, ON_FBO},
    {"forks",             forks,             ON_FBO},
    {"child_draws",       child_draws,       ON_FBO},
    {"executes",          executes,          ON_FBO},
    {"becomes",           becomes,           ON_FBO},
    {"gives",             gives,             ON_FBO},
    {"takes",             takes,             ON_FBO},
    {"stuck",             stuck,             ON_FBO},
    {NULL,                NULL,              ON_BOTH},
    /* clang-format on */
    /* clang-format on */
};
