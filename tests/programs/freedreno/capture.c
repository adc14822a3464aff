/* SPDX-License-Identifier: MIT */
/* freedreno_capture OUT.rd SHADER.vert SHADER.frag - draws once with two shaders, and records the
 * requests of Mesa's driver to the kernel. The file has the format of freedreno's own captures,
 * sections of {type, size}, which freedreno.py and Mesa's cffdump read.
 *
 * In:      shaders of OpenGL ES 2.0; the textures of texels.h. The environment selects the driver
 *          (docs/a2xx/mesa.md).
 * Out:     OUT.rd; the compiler's messages on stderr. Exit status 1 if a shader is refused, 2 on
 *          other errors.
 * Source:  include/drm-uapi/msm_drm.h of Mesa 22.3.6 for the requests;
 *          src/freedreno/.gitlab-ci/traces for the file.
 * Choice:  ioctl() is defined here, and so precedes that of the C library and of Mesa's fake
 *          device. */
#include <EGL/egl.h>
#include <EGL/eglext.h>
#include <GLES2/gl2.h>
#include <dlfcn.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/mman.h>

#include "../glsl/texels.h"

enum {
    REFUSED = 1,
    FAILED = 2,
    SIZE = 512, /* size of the picture; larger than the on-chip memory, so that the driver also
                   creates programs for binning */
    VERTICES = 4,
    NAME = 256,
};

static FILE *out;

static void fail(int status, const char *text)
{
    fprintf(stderr, "%s\n", text);
    exit(status);
}

/* --- the driver's side --- */

struct gem_new {
    uint64_t size;
    uint32_t flags, handle;
};

struct gem_info {
    uint32_t handle, info;
    uint64_t value;
    uint32_t length, pad;
};

struct submit_buffer {
    uint32_t flags, handle;
    uint64_t presumed;
};

struct submit_command {
    uint32_t type, buffer, offset, size, pad, relocation_count;
    uint64_t relocations;
};

/* The fields of the kernel's request that this file reads. */
struct submit {
    uint32_t flags, fence, buffer_count, command_count;
    uint64_t buffers, commands;
};

enum {
    /* Numbers of requests. The driver's own requests begin at 0x40. */
    GEM_NEW = 0x42,
    GEM_INFO = 0x43,
    GEM_SUBMIT = 0x46,
    INFO_OFFSET = 0, /* offset for mmap() */
    INFO_ADDRESS = 1,
    INFO_SET_ADDRESS = 4,
    COMMAND_RUN = 1,
    /* Types of the file's sections. */
    ADDRESS = 3,
    COMMANDS_AT = 6,
    CONTENTS = 12,
    HANDLES = 4096,
    LARGEST = 1 << 16, /* larger buffers are pictures, and are not recorded */
};

static int (*next_ioctl)(int, unsigned long, void *);
static uint64_t sizes[HANDLES], addresses[HANDLES]; /* size and address of each buffer, indexed
                                                       by handle */

static void write_section(uint32_t type, const void *bytes, size_t size)
{
    uint32_t header[] = {type, (uint32_t)size};
    fwrite(header, sizeof header, 1, out);
    fwrite(bytes, 1, size, out);
}

static void write_buffer(int fd, const struct submit_buffer *buffer)
{
    struct gem_info info = {.handle = buffer->handle, .info = INFO_OFFSET};
    uint64_t size = buffer->handle < HANDLES ? sizes[buffer->handle] : 0;
    if (!size || next_ioctl(fd, _IOWR('d', GEM_INFO, struct gem_info), &info) != 0)
        fail(FAILED, "a buffer of the driver is not known");
    if (size > LARGEST)
        return;
    void *bytes = mmap(NULL, size, PROT_READ, MAP_SHARED, fd, (off_t)info.value);
    if (bytes == MAP_FAILED)
        fail(FAILED, "a buffer of the driver cannot be read");
    uint32_t place[] = {(uint32_t)addresses[buffer->handle], (uint32_t)size};
    write_section(ADDRESS, place, sizeof place);
    write_section(CONTENTS, bytes, size);
    munmap(bytes, size);
}

static void write_submit(int fd, const struct submit *submit)
{
    const struct submit_buffer *buffers = (const void *)(uintptr_t)submit->buffers;
    const struct submit_command *commands = (const void *)(uintptr_t)submit->commands;
    for (uint32_t i = 0; i < submit->buffer_count; i++)
        write_buffer(fd, &buffers[i]);
    for (uint32_t i = 0; i < submit->command_count; i++) {
        if (commands[i].type != COMMAND_RUN)
            continue;
        uint32_t handle = buffers[commands[i].buffer].handle;
        uint32_t address = (uint32_t)addresses[handle] + commands[i].offset;
        uint32_t place[] = {address, commands[i].size / 4};
        write_section(COMMANDS_AT, place, sizeof place);
    }
}

/* Records the size or the address of a buffer from a request's argument or result. */
static void remember(unsigned request, const void *argument)
{
    const struct gem_new *made = argument;
    const struct gem_info *info = argument;
    if (request == GEM_NEW && made->handle < HANDLES)
        sizes[made->handle] = made->size;
    else if (request == GEM_INFO && info->handle < HANDLES &&
             (info->info == INFO_ADDRESS || info->info == INFO_SET_ADDRESS))
        addresses[info->handle] = info->value;
}

/* Replaces the C library's ioctl(), to observe Mesa's requests to the kernel. */
__attribute__((visibility("default"))) int ioctl(int fd, unsigned long request, ...)
{
    va_list arguments;
    va_start(arguments, request);
    void *argument = va_arg(arguments, void *);
    va_end(arguments);
    if (!next_ioctl) {
        void *function = dlsym(RTLD_NEXT, "ioctl");
        memcpy(&next_ioctl, &function, sizeof next_ioctl);
    }
    bool is_driver = _IOC_TYPE(request) == 'd';
    if (is_driver && out && _IOC_NR(request) == GEM_SUBMIT)
        write_submit(fd, argument);
    int status = next_ioctl(fd, request, argument);
    if (is_driver && status == 0)
        remember(_IOC_NR(request), argument);
    return status;
}

/* --- drawing --- */

static void open_display(void)
{
    PFNEGLGETPLATFORMDISPLAYEXTPROC get_display =
        (PFNEGLGETPLATFORMDISPLAYEXTPROC)eglGetProcAddress("eglGetPlatformDisplayEXT");
    EGLDisplay display = get_display
                             ? get_display(EGL_PLATFORM_SURFACELESS_MESA, EGL_DEFAULT_DISPLAY, NULL)
                             : EGL_NO_DISPLAY;
    static const EGLint any[] = {EGL_RENDERABLE_TYPE, EGL_OPENGL_ES2_BIT, EGL_NONE},
                        version[] = {EGL_CONTEXT_CLIENT_VERSION, 2, EGL_NONE};
    EGLConfig config = NULL;
    EGLint count = 0;
    if (!eglInitialize(display, NULL, NULL) || !eglBindAPI(EGL_OPENGL_ES_API))
        fail(FAILED, "EGL does not start");
    eglChooseConfig(display, any, &config, 1, &count);
    EGLContext context = eglCreateContext(display, count ? config : NULL, EGL_NO_CONTEXT, version);
    if (!eglMakeCurrent(display, EGL_NO_SURFACE, EGL_NO_SURFACE, context))
        fail(FAILED, "EGL has no context");
    const char *renderer = (const char *)glGetString(GL_RENDERER);
    if (!renderer || !strstr(renderer, "FD2"))
        fail(FAILED, renderer ? renderer : "no renderer");
}

static void open_picture(void)
{
    GLuint texture, frame;
    glGenTextures(1, &texture);
    glBindTexture(GL_TEXTURE_2D, texture);
    glTexImage2D(GL_TEXTURE_2D, 0, GL_RGBA, SIZE, SIZE, 0, GL_RGBA, GL_UNSIGNED_BYTE, NULL);
    glGenFramebuffers(1, &frame);
    glBindFramebuffer(GL_FRAMEBUFFER, frame);
    glFramebufferTexture2D(GL_FRAMEBUFFER, GL_COLOR_ATTACHMENT0, GL_TEXTURE_2D, texture, 0);
    if (glCheckFramebufferStatus(GL_FRAMEBUFFER) != GL_FRAMEBUFFER_COMPLETE)
        fail(FAILED, "no frame buffer");
    glViewport(0, 0, SIZE, SIZE);
}

static GLuint compile(GLenum stage, const char *path)
{
    static char text[1 << 16], log[4096];
    const char *texts = text;
    FILE *file = fopen(path, "rb");
    if (!file)
        fail(FAILED, path);
    text[fread(text, 1, sizeof text - 1, file)] = 0;
    fclose(file);
    GLuint shader = glCreateShader(stage);
    GLint good = 0;
    glShaderSource(shader, 1, &texts, NULL);
    glCompileShader(shader);
    glGetShaderiv(shader, GL_COMPILE_STATUS, &good);
    glGetShaderInfoLog(shader, sizeof log, NULL, log);
    if (!good)
        fail(REFUSED, log);
    return shader;
}

static GLuint link_program(const char *vertex, const char *fragment)
{
    static char log[4096];
    GLuint program = glCreateProgram();
    GLint good = 0;
    glAttachShader(program, compile(GL_VERTEX_SHADER, vertex));
    glAttachShader(program, compile(GL_FRAGMENT_SHADER, fragment));
    glLinkProgram(program);
    glGetProgramiv(program, GL_LINK_STATUS, &good);
    glGetProgramInfoLog(program, sizeof log, NULL, log);
    if (!good)
        fail(REFUSED, log);
    glUseProgram(program);
    return program;
}

/* Returns the number of locations of an attribute. A matrix has one location per column. */
static int columns(GLenum type)
{
    return type == GL_FLOAT_MAT2 ? 2 : type == GL_FLOAT_MAT3 ? 3 : type == GL_FLOAT_MAT4 ? 4 : 1;
}

/* Creates a buffer of four floats per vertex for each attribute. The values do not matter. */
static void set_attributes(GLuint program)
{
    static const GLfloat values[VERTICES][4] = {
        /* clang-format off */
        {-1, -1, 0, 1},
        {1,  -1, 0, 1},
        {1,  1,  0, 1},
        {-1, 1,  0, 1},
        /* clang-format on */
    };
    GLint count = 0;
    glGetProgramiv(program, GL_ACTIVE_ATTRIBUTES, &count);
    for (GLint i = 0; i < count; i++) {
        char name[NAME];
        GLint size;
        GLenum type;
        glGetActiveAttrib(program, (GLuint)i, sizeof name, NULL, &size, &type, name);
        GLint first = glGetAttribLocation(program, name);
        for (GLint place = first; first >= 0 && place < first + columns(type); place++) {
            GLuint buffer;
            glGenBuffers(1, &buffer);
            glBindBuffer(GL_ARRAY_BUFFER, buffer);
            glBufferData(GL_ARRAY_BUFFER, sizeof values, values, GL_STATIC_DRAW);
            glVertexAttribPointer((GLuint)place, 4, GL_FLOAT, GL_FALSE, sizeof values[0], NULL);
            glEnableVertexAttribArray((GLuint)place);
        }
    }
}

struct layout {
    const char *word;
    GLenum format, type;
};

static const struct layout layouts[] = {
    /* clang-format off */
    {"565",       GL_RGB,       GL_UNSIGNED_SHORT_5_6_5},
    {"4444",      GL_RGBA,      GL_UNSIGNED_SHORT_4_4_4_4},
    {"5551",      GL_RGBA,      GL_UNSIGNED_SHORT_5_5_5_1},
    {"luminance", GL_LUMINANCE, GL_UNSIGNED_BYTE},
    {"alpha",     GL_ALPHA,     GL_UNSIGNED_BYTE},
    {"",          GL_RGBA,      GL_UNSIGNED_BYTE},
    /* clang-format on */
};

/* Packs a texel. Returns its size in bytes. */
static size_t pack(GLenum type, GLenum format, const uint8_t in[4], uint8_t *to)
{
    unsigned packed;
    switch (type) {
    case GL_UNSIGNED_SHORT_5_6_5:
        packed = texel_bits(in[0], 5) << 11 | texel_bits(in[1], 6) << 5 | texel_bits(in[2], 5);
        break;
    case GL_UNSIGNED_SHORT_4_4_4_4:
        packed = texel_bits(in[0], 4) << 12 | texel_bits(in[1], 4) << 8 |
                 texel_bits(in[2], 4) << 4 | texel_bits(in[3], 4);
        break;
    case GL_UNSIGNED_SHORT_5_5_5_1:
        packed = texel_bits(in[0], 5) << 11 | texel_bits(in[1], 5) << 6 |
                 texel_bits(in[2], 5) << 1 | texel_bits(in[3], 1);
        break;
    default: {
        size_t size = format == GL_RGBA ? 4 : 1;
        memcpy(to, in, size);
        return size;
    }
    }
    to[0] = (uint8_t)packed;
    to[1] = (uint8_t)(packed >> 8);
    return 2;
}

static void set_image(GLenum target, const struct layout *layout, GLsizei width, GLsizei height,
                      unsigned level, unsigned face)
{
    uint8_t bytes[TEXELS_WIDTH * TEXELS_HEIGHT * 4], texel[4];
    size_t size = 0;
    for (GLsizei y = 0; y < height; y++)
        for (GLsizei x = 0; x < width; x++) {
            texel_bytes((unsigned)x, (unsigned)y, level, face, texel);
            size += pack(layout->type, layout->format, texel, bytes + size);
        }
    glTexImage2D(target, (GLint)level, (GLint)layout->format, width, height, 0, layout->format,
                 layout->type, bytes);
}

static void set_texture(const char *name, GLuint unit)
{
    bool cube = texels_are(name, "cube"), linear = texels_are(name, "linear"),
         mip = texels_are(name, "mip");
    GLenum target = cube ? GL_TEXTURE_CUBE_MAP : GL_TEXTURE_2D;
    GLint wrap = texels_are(name, "clamp")    ? GL_CLAMP_TO_EDGE
                 : texels_are(name, "mirror") ? GL_MIRRORED_REPEAT
                                              : GL_REPEAT;
    const struct layout *layout = layouts;
    GLuint texture;
    while (!texels_are(name, layout->word))
        layout++;
    glActiveTexture(GL_TEXTURE0 + unit);
    glGenTextures(1, &texture);
    glBindTexture(target, texture);
    glPixelStorei(GL_UNPACK_ALIGNMENT, 1);
    /* These parameters are set before the levels, so that the driver allocates all levels at
     * once and does not have to copy them. */
    glTexParameteri(target, GL_TEXTURE_WRAP_S, wrap);
    glTexParameteri(target, GL_TEXTURE_WRAP_T, wrap);
    glTexParameteri(target, GL_TEXTURE_MAG_FILTER, linear ? GL_LINEAR : GL_NEAREST);
    glTexParameteri(target, GL_TEXTURE_MIN_FILTER,
                    mip      ? GL_NEAREST_MIPMAP_NEAREST
                    : linear ? GL_LINEAR
                             : GL_NEAREST);
    GLsizei width = cube ? TEXELS_CUBE : TEXELS_WIDTH, height = cube ? TEXELS_CUBE : TEXELS_HEIGHT;
    for (unsigned level = 0; level == 0 || (mip && width >> level); level++)
        for (unsigned face = 0; face < (cube ? 6 : 1); face++)
            set_image(cube ? GL_TEXTURE_CUBE_MAP_POSITIVE_X + face : target, layout, width >> level,
                      height >> level ? height >> level : 1, level, face);
}

static void set_textures(GLuint program)
{
    GLint count = 0;
    GLuint unit = 0;
    glGetProgramiv(program, GL_ACTIVE_UNIFORMS, &count);
    for (GLint i = 0; i < count; i++) {
        char name[NAME];
        GLint size;
        GLenum type;
        glGetActiveUniform(program, (GLuint)i, sizeof name, NULL, &size, &type, name);
        if (type != GL_SAMPLER_2D && type != GL_SAMPLER_CUBE)
            continue;
        set_texture(name, unit);
        glUniform1i(glGetUniformLocation(program, name), (GLint)unit++);
    }
}

int main(int argc, char **argv)
{
    if (argc != 4)
        fail(FAILED, "usage: freedreno_capture OUT.rd SHADER.vert SHADER.frag");
    open_display();
    open_picture();
    GLuint program = link_program(argv[2], argv[3]);
    set_textures(program);
    set_attributes(program);
    glFinish();
    out = fopen(argv[1], "wb");
    if (!out)
        fail(FAILED, argv[1]);
    glDrawArrays(GL_TRIANGLE_STRIP, 0, VERTICES);
    glFinish();
    FILE *done = out;
    out = NULL;
    if (glGetError() != GL_NO_ERROR || fclose(done) != 0)
        fail(FAILED, "the capture is not whole");
    return 0;
}
