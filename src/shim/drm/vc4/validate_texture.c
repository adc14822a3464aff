/* SPDX-License-Identifier: MIT */
/* validate_texture.c - checks that a request to a TMU stays inside its buffer object.
 *
 * In:  a request's parameters, from a job's uniforms.
 * Out: the first parameter with the texture's address.
 *
 * Source: Linux, drivers/gpu/drm/vc4/vc4_validate.c (reloc_tex); VideoCore IV 3D Architecture
 *         Reference Guide, section 4, tables 15 to 18. */

#include "base/bits.h"
#include "isa/cl/texture_words.h"
#include "shim/drm/vc4/surface.h"
#include "shim/drm/vc4/validate.h"

enum { WORD_BYTES = 4, CUBE_FACES = 6, BLOCK = 4, TYPE_RGBA32R = 16 };

/* Bytes per pixel by texture type. For ETC1, bytes per block of 4 x 4 pixels. 0 for types that the
 * kernel does not allow. */
static const uint8_t pixel_bytes[32] = {
    [0] = 4, /* RGBA8888 */
    [1] = 4, /* RGBX8888 */
    [2] = 2, /* RGBA4444 */
    [3] = 2, /* RGBA5551 */
    [4] = 2, /* RGB565 */
    [5] = 1, /* LUMINANCE */
    [6] = 1, /* ALPHA */
    [7] = 2, /* LUMALPHA */
    [TEXTURE_TYPE_ETC1] = 8,
    [9] = 2,  /* S16F */
    [10] = 1, /* S8 */
    [11] = 2, /* S16 */
    [TYPE_RGBA32R] = 4,
};

struct texture {
    uint32_t offset, levels, width, height, type;
    uint32_t cube_stride; /* bytes between faces, or 0 if the texture is not a cube map */
};

static uint32_t parameter(const struct shader_sample *sample, const uint8_t *uniforms,
                          unsigned number)
{
    return sample->offset[number] == SHADER_NOWHERE ? 0
                                                    : load_le32(uniforms + sample->offset[number]);
}

static int check_direct(const struct bo *bo, uint32_t offset, uint32_t limit, struct refusal *why)
{
    if (offset > bo->size - WORD_BYTES)
        return refuse(why, "read words inside the buffer object",
                      "words are read from byte %u on, but buffer object %u has only %u bytes",
                      offset, bo->number, bo->size);
    if (limit > bo->size - offset - WORD_BYTES)
        return refuse(why, "clamp the offset to the last word of the buffer object",
                      "words are read from byte %u on, with offsets up to %u, but buffer object %u "
                      "has only %u bytes",
                      offset, limit, bo->number, bo->size);
    return 0;
}

/* Finds the stride of a cube map, which is in parameter 2 or 3. Bits 31:30 of each of these
 * parameters give its purpose. */
static int find_cube(struct texture *texture, uint32_t p2, uint32_t p3, struct refusal *why)
{
    const uint32_t parameters[2] = {p2, p3};
    for (unsigned i = 0; i < 2; i++) {
        if (TEXTURE_READ(&parameters[i], TEXTURE_CUBE, PTYPE) != TEXTURE_PTYPE_CUBE)
            continue;
        if (texture->cube_stride)
            return refuse(why, "set the stride in parameter 2 or 3, not in both",
                          "the stride of the cube map is set twice");
        texture->cube_stride = texture_cube_stride(parameters[i]);
    }
    if (!texture->cube_stride)
        return refuse(why, "set the stride in parameter 2 or 3",
                      "the stride of the cube map is not set");
    return 0;
}

static uint32_t level_size(uint32_t pixels, uint32_t level)
{
    return pixels >> level ? pixels >> level : 1;
}

/* Checks the smaller mipmap levels. Each level is stored directly before the next larger level. */
static int check_levels(const struct texture *texture, enum surface_format format,
                        struct refusal *why)
{
    const uint32_t bytes = pixel_bytes[texture->type];
    uint32_t offset = texture->offset;
    for (uint32_t level = 1; level <= texture->levels; level++) {
        const uint32_t width = level_size(texture->width, level),
                       height = level_size(texture->height, level);
        if (format == SURFACE_T && surface_is_lt(width, height, bytes))
            format = SURFACE_LT;
        const uint32_t size = surface_bytes(format, width, height, bytes);
        if (offset < size)
            return refuse(why, "leave room for the smaller levels before the largest",
                          "level %u (%u x %u) needs %u bytes, but only %u are available before the "
                          "next larger level",
                          level, width, height, size, offset);
        offset -= size;
    }
    return 0;
}

static int check_texture(struct texture *texture, const struct bo *bo, struct refusal *why)
{
    const uint32_t bytes = pixel_bytes[texture->type];
    if (!bytes)
        return refuse(why, "use a texture type that the kernel allows",
                      "texture type %u is not allowed", texture->type);
    if (texture->type == TEXTURE_TYPE_ETC1) {
        texture->width = (texture->width + BLOCK - 1) / BLOCK;
        texture->height = (texture->height + BLOCK - 1) / BLOCK;
    }
    enum surface_format format = surface_is_lt(texture->width, texture->height, bytes) ? SURFACE_LT
                                                                                       : SURFACE_T;
    if (texture->type == TYPE_RGBA32R)
        format = SURFACE_RASTER;
    const uint32_t last_face = texture->offset + texture->cube_stride * (CUBE_FACES - 1);
    const int error = surface_check(bo, last_face, format, texture->width, texture->height, bytes,
                                    why);
    return error ? error : check_levels(texture, format, why);
}

int validate_sample(const struct shader_sample *sample, const struct bo *bo,
                    const uint8_t *uniforms, uint8_t *uniforms_to, struct refusal *why)
{
    const uint32_t words[] = {parameter(sample, uniforms, 0), parameter(sample, uniforms, 1)};
    struct texture texture = {
        .offset = texture_address(words),
        .levels = TEXTURE_READ(words, TEXTURE, LEVELS),
        .width = texture_size(TEXTURE_READ(words, TEXTURE, WIDTH)),
        .height = texture_size(TEXTURE_READ(words, TEXTURE, HEIGHT)),
        .type = texture_type(words),
    };
    const bool is_cube = !sample->is_direct && TEXTURE_READ(words, TEXTURE, CUBE_MAP);
    int error = 0;
    if (is_cube)
        error = find_cube(&texture, parameter(sample, uniforms, 2), parameter(sample, uniforms, 3),
                          why);
    if (!error)
        error = sample->is_direct ? check_direct(bo, words[0], words[1], why)
                                  : check_texture(&texture, bo, why);
    if (error)
        why->rule = "drm-texture";
    else
        store_le32(uniforms_to + sample->offset[0], bo->memory.address + words[0]);
    return error;
}
