/* SPDX-License-Identifier: MIT */
/* images.c - tests EGL images of textures and renderbuffers, and buffers that are exported as
 * dma-bufs and imported again.
 *
 * Expected: EGL_KHR_image_base, EGL_KHR_gl_texture_2D_image, EGL_KHR_gl_renderbuffer_image,
 * OES_EGL_image, EGL_MESA_image_dma_buf_export, EGL_EXT_image_dma_buf_import. */
#include "gl_test.h"

#include <sys/mman.h>
#include <unistd.h>

#define FOURCC(a, b, c, d) ((EGLint)(a) | (EGLint)(b) << 8 | (EGLint)(c) << 16 | (EGLint)(d) << 24)

static PFNEGLCREATEIMAGEKHRPROC create_image;
static PFNEGLDESTROYIMAGEKHRPROC destroy_image;
static PFNGLEGLIMAGETARGETTEXTURE2DOESPROC image_texture;

static void need(const char *extension)
{
    if (!egl_has(extension))
        gl_skip(extension);
    create_image = gl_function("eglCreateImageKHR");
    destroy_image = gl_function("eglDestroyImageKHR");
    image_texture = gl_function("glEGLImageTargetTexture2DOES");
}

static struct rgba texel_picture(int x, int y)
{
    return RGBA(4 * x, 4 * y, (x ^ y) * 4, 255);
}

static GLuint make_texture(void)
{
    return gl_texture_of(64, 64, texel_picture);
}

/* Creates a texture that uses the image's storage. */
static void bind_image(EGLImageKHR image)
{
    CHECK(image != EGL_NO_IMAGE_KHR);
    gl_texture_empty();
    image_texture(GL_TEXTURE_2D, image);
    EXPECT_ERROR(GL_NO_ERROR);
}

static void show_texture(void)
{
    gl_program(gl_vertex_texture, gl_fragment_texture);
    gl_textured_quad(0, 0, 64, 64, 0, 0, 1, 1);
}

static EGLImageKHR image_of_texture(GLuint texture)
{
    const EGLint attributes[] = {EGL_GL_TEXTURE_LEVEL_KHR, 0, EGL_NONE};
    return create_image(gl_display(), eglGetCurrentContext(), EGL_GL_TEXTURE_2D_KHR,
                        (EGLClientBuffer)(uintptr_t)texture, attributes);
}

/* A change through one texture must be visible through the other. The storage must remain when
 * the first texture is deleted. */
static void of_texture(void)
{
    static const uint8_t green[] = {0, 255, 0, 255};
    need("EGL_KHR_gl_texture_2D_image");
    GLuint texture = make_texture();
    EGLImageKHR image = image_of_texture(texture);
    bind_image(image);
    show_texture();
    EXPECT_PICTURE(texel_picture, 0);
    GLuint other;
    glGetIntegerv(GL_TEXTURE_BINDING_2D, (GLint *)&other);
    glBindTexture(GL_TEXTURE_2D, texture);
    glTexSubImage2D(GL_TEXTURE_2D, 0, 10, 20, 1, 1, GL_RGBA, GL_UNSIGNED_BYTE, green);
    glDeleteTextures(1, &texture);
    glBindTexture(GL_TEXTURE_2D, other);
    show_texture();
    EXPECT_PIXEL(10, 20, GREEN, 0);
    EXPECT_PIXEL(11, 20, texel_picture(11, 20), 0);
    CHECK(destroy_image(gl_display(), image));
    show_texture();
    EXPECT_PIXEL(63, 63, texel_picture(63, 63), 0);
}

/* Draws to a renderbuffer, and samples it through an image. */
static void of_renderbuffer(void)
{
    need("EGL_KHR_gl_renderbuffer_image");
    GLuint buffer, framebuffer;
    glGenRenderbuffers(1, &buffer);
    glBindRenderbuffer(GL_RENDERBUFFER, buffer);
    glRenderbufferStorage(GL_RENDERBUFFER, GL_RGBA8_OES, 64, 64);
    glGenFramebuffers(1, &framebuffer);
    glBindFramebuffer(GL_FRAMEBUFFER, framebuffer);
    glFramebufferRenderbuffer(GL_FRAMEBUFFER, GL_COLOR_ATTACHMENT0, GL_RENDERBUFFER, buffer);
    EGLImageKHR image = create_image(gl_display(), eglGetCurrentContext(), EGL_GL_RENDERBUFFER_KHR,
                                     (EGLClientBuffer)(uintptr_t)buffer, NULL);
    for (int i = 0; i < 3; i++) {
        glBindFramebuffer(GL_FRAMEBUFFER, framebuffer);
        gl_use_color(i == 0, i == 1, i == 2, 1);
        gl_quad(0, 0, 64, 64, 0);
        gl_bind_target();
        bind_image(image);
        show_texture();
        EXPECT_RECT(0, 0, 64, 64, i == 0 ? RED : i == 1 ? GREEN : BLUE, 0);
    }
    CHECK(destroy_image(gl_display(), image));
}

struct exported {
    int fourcc, planes, fd;
    EGLuint64KHR modifier;
    EGLint stride, offset;
};

static struct exported export(EGLImageKHR image)
{
    PFNEGLEXPORTDMABUFIMAGEQUERYMESAPROC query = gl_function("eglExportDMABUFImageQueryMESA");
    PFNEGLEXPORTDMABUFIMAGEMESAPROC get = gl_function("eglExportDMABUFImageMESA");
    struct exported result = {.fd = -1};
    CHECK(query(gl_display(), image, &result.fourcc, &result.planes, &result.modifier));
    CHECK(result.planes == 1);
    CHECK(get(gl_display(), image, &result.fd, &result.stride, &result.offset));
    CHECK(result.fd >= 0 && result.stride >= 4 * 64);
    return result;
}

static EGLImageKHR import(const struct exported *from, int width, int height)
{
    const EGLint attributes[] = {
        EGL_WIDTH,
        width,
        EGL_HEIGHT,
        height,
        EGL_LINUX_DRM_FOURCC_EXT,
        from->fourcc,
        EGL_DMA_BUF_PLANE0_FD_EXT,
        from->fd,
        EGL_DMA_BUF_PLANE0_OFFSET_EXT,
        from->offset,
        EGL_DMA_BUF_PLANE0_PITCH_EXT,
        from->stride,
        EGL_DMA_BUF_PLANE0_MODIFIER_LO_EXT,
        (EGLint)from->modifier,
        EGL_DMA_BUF_PLANE0_MODIFIER_HI_EXT,
        (EGLint)(from->modifier >> 32),
        EGL_NONE,
    };
    return create_image(gl_display(), EGL_NO_CONTEXT, EGL_LINUX_DMA_BUF_EXT, NULL, attributes);
}

/* A texture is exported as a dma-buf and imported again. Whether it is tiled or not, the pixels
 * must be the same. Later draws must be visible in both textures. */
static void dma_buf(void)
{
    need("EGL_MESA_image_dma_buf_export");
    need("EGL_EXT_image_dma_buf_import_modifiers");
    GLuint texture = make_texture();
    EGLImageKHR image = image_of_texture(texture);
    struct exported exported = export(image);
    EGLImageKHR again = import(&exported, 64, 64);
    close(exported.fd);
    bind_image(again);
    show_texture();
    EXPECT_PICTURE(texel_picture, 0);
    GLuint framebuffer;
    glGenFramebuffers(1, &framebuffer);
    glBindFramebuffer(GL_FRAMEBUFFER, framebuffer);
    glFramebufferTexture2D(GL_FRAMEBUFFER, GL_COLOR_ATTACHMENT0, GL_TEXTURE_2D, texture, 0);
    CHECK(glCheckFramebufferStatus(GL_FRAMEBUFFER) == GL_FRAMEBUFFER_COMPLETE);
    glClearColor(0, 1, 0, 1);
    glClear(GL_COLOR_BUFFER_BIT);
    glFinish();
    gl_bind_target();
    show_texture();
    EXPECT_RECT(0, 0, 64, 64, GREEN, 0);
    destroy_image(gl_display(), again);
    destroy_image(gl_display(), image);
}

/* A context of another display imports the same buffer. The display has its own open file of the
 * device, with its own handles. */
static void other_context(void)
{
    need("EGL_MESA_image_dma_buf_export");
    need("EGL_EXT_image_dma_buf_import_modifiers");
    GLuint texture = make_texture();
    EGLImageKHR image = image_of_texture(texture);
    struct exported exported = export(image);
    EGLSurface surface = eglGetCurrentSurface(EGL_DRAW);
    EGLContext first = eglGetCurrentContext(), second = gl_context(EGL_NO_CONTEXT);
    glFinish();
    CHECK(eglMakeCurrent(gl_display(), surface, surface, second));
    EGLImageKHR again = import(&exported, 64, 64);
    close(exported.fd);
    bind_image(again);
    glViewport(0, 0, 64, 64);
    show_texture();
    EXPECT_PICTURE(texel_picture, 0);
    destroy_image(gl_display(), again);
    CHECK(eglMakeCurrent(gl_display(), surface, surface, first));
    eglDestroyContext(gl_display(), second);
    gl_bind_target();
    destroy_image(gl_display(), image);
}

/* The program maps a dma-buf. A linear dma-buf has the pixels row by row. */
static void mapped(void)
{
    need("EGL_MESA_image_dma_buf_export");
    need("EGL_EXT_image_dma_buf_import_modifiers");
    GLuint texture = make_texture();
    EGLImageKHR image = image_of_texture(texture);
    struct exported exported = export(image);
    glFinish();
    size_t size = (size_t)lseek(exported.fd, 0, SEEK_END);
    CHECK(size != (size_t)-1 && size >= 64 * 64 * 4);
    const uint8_t *bytes = mmap(NULL, size, PROT_READ, MAP_SHARED, exported.fd, 0);
    CHECK(bytes != MAP_FAILED);
    /* In any order of the texels, the sum of all bytes is the same. */
    unsigned long sum = 0, expected = 0;
    for (size_t i = 0; i < 64 * 64 * 4; i++)
        sum += bytes[(size_t)exported.offset + i];
    for (int i = 0; i < 64 * 64; i++) {
        struct rgba c = texel_picture(i % 64, i / 64);
        expected += (unsigned long)(c.r + c.g + c.b + c.a);
    }
    munmap((void *)bytes, size);
    close(exported.fd);
    destroy_image(gl_display(), image);
    CHECK(sum == expected);
}

/* A file that is not a dma-buf must be refused, and so must a stride that is too small. Later
 * calls must succeed. */
static void refused(void)
{
    need("EGL_EXT_image_dma_buf_import");
    int pipes[2];
    CHECK(pipe(pipes) == 0);
    const struct exported wrong = {
        .fourcc = FOURCC('A', 'B', '2', '4'), .planes = 1, .fd = pipes[0], .stride = 256};
    CHECK(import(&wrong, 64, 64) == EGL_NO_IMAGE_KHR);
    CHECK(eglGetError() != EGL_SUCCESS);
    close(pipes[0]);
    close(pipes[1]);
    gl_use_color(0, 1, 0, 1);
    gl_quad(0, 0, 64, 64, 0);
    EXPECT_RECT(0, 0, 64, 64, GREEN, 0);
}

const struct gl_case gl_cases[] = {
    {"of_texture", of_texture, ON_BOTH},
    {"of_renderbuffer", of_renderbuffer, ON_FBO},
    {"dma_buf", dma_buf, ON_FBO},
    {"other_context", other_context, ON_FBO},
    {"mapped", mapped, ON_FBO},
    {"refused", refused, ON_FBO},
    {NULL, NULL, ON_BOTH},
};
