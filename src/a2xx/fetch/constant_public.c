/* SPDX-License-Identifier: MIT */
/* constant_public.c - public functions for fetch constants and for the layout of textures in
 * memory (tessera/a2xx.h). */
#include "a2xx/fetch/address.h"

#include <tessera/a2xx.h>

enum {
    PAGE = 4096,
    COLUMNS = 32,     /* rows in memory are padded to a multiple of this number of blocks */
    XENOS_ROW = 256,  /* rows of linear textures on the Xenos are padded to a multiple of this
                         number of bytes */
    IDENTITY = 0x688, /* swizzle that selects x, y, z, w */
};

void tess_a2xx_vertex_constant(uint32_t address, uint32_t bytes, uint32_t words[2])
{
    uint32_t most = 0x3fffffc; /* largest value of the 24-bit size, which counts dwords */
    if (!words)
        return;
    words[0] = (address & ~UINT32_C(3)) | A2XX_TYPE_VERTEX;
    words[1] = bytes > most ? most : (bytes + 3) & ~UINT32_C(3);
}

/* Sets the sizes of a texture. Each field has the size minus 1. */
static void set_sizes(const struct tess_a2xx_texture *texture,
                      struct a2xx_texture_constant *constant)
{
    uint32_t width = texture->width - 1, height = texture->height - 1;
    switch ((enum a2xx_dimension)texture->dimension) {
    case A2XX_1D: constant->width_1d = width; break;
    case A2XX_2D:
        constant->width = width;
        constant->height = height;
        break;
    case A2XX_3D:
        constant->width_3d = width;
        constant->height_3d = height;
        constant->depth_3d = texture->depth - 1;
        break;
    case A2XX_CUBE:
        constant->width = width;
        constant->height = height;
        constant->depth = A2XX_FACES - 1;
        break;
    }
}

/* Returns the smallest possible distance between rows, in texels. */
static uint64_t next_pitch(const struct tess_a2xx_texture *texture)
{
    const struct a2xx_format *format = a2xx_block_format(texture->variant, texture->format);
    uint64_t unit = COLUMNS;
    while (texture->variant == TESS_A2XX_XENOS && !texture->tiled &&
           unit * format->bytes % XENOS_ROW)
        unit *= 2;
    unit *= format->width;
    return (texture->width + unit - 1) / unit * unit;
}

static void set_swizzle(const struct tess_a2xx_texture *texture,
                        struct a2xx_texture_constant *constant)
{
    constant->swizzle = texture->swizzled ? 0 : IDENTITY;
    for (unsigned i = 0; i < 4 && texture->swizzled; i++)
        constant->swizzle |= texture->swizzle[i] << 3 * i;
}

/* Returns true if the members are consistent with each other. Does not check that each member fits
 * into its field, which fits() checks. */
static bool is_possible(const struct tess_a2xx_texture *texture)
{
    bool volume = texture->dimension == A2XX_3D, line = texture->dimension == A2XX_1D;
    bool cube = texture->dimension == A2XX_CUBE;
    bool swizzle = true;
    for (unsigned i = 0; i < 4; i++)
        swizzle = swizzle && (!texture->swizzled || texture->swizzle[i] <= 5);
    return (texture->variant == TESS_A2XX_ADRENO || texture->variant == TESS_A2XX_XENOS) &&
           texture->dimension <= A2XX_CUBE && texture->format < 64 && texture->width &&
           texture->height && (volume ? texture->depth > 0 : texture->depth <= 1) &&
           (!line || texture->height == 1) && (!cube || texture->width == texture->height) &&
           texture->address % PAGE == 0 && texture->mip_address % PAGE == 0 &&
           texture->pitch % COLUMNS == 0 && swizzle && texture->mag <= 1 && texture->min <= 1 &&
           texture->mip <= 2 && (texture->levels <= 1 || texture->mip_address) &&
           texture->lod_bias >= -512 && texture->lod_bias < 512;
}

/* Returns true if each member fits in its field of the constant. */
static bool fits(const struct a2xx_texture_constant *constant)
{
#define TEXTURE_CONSTANT(name, word, low, bits, meaning) \
    if (constant->name >> (bits))                        \
        return false;
#include "a2xx/fetch/constants.def"
    return true;
}

enum tess_status tess_a2xx_texture_constant(const struct tess_a2xx_texture *texture,
                                            uint32_t words[6])
{
    if (!texture || !words || !is_possible(texture))
        return TESS_INVALID;
    uint64_t pitch = texture->pitch ? texture->pitch : next_pitch(texture);
    struct a2xx_texture_constant constant = {
        .type = A2XX_TYPE_TEXTURE,
        .sign_x = texture->sign[0],
        .sign_y = texture->sign[1],
        .sign_z = texture->sign[2],
        .sign_w = texture->sign[3],
        .clamp_x = texture->clamp[0],
        .clamp_y = texture->clamp[1],
        .clamp_z = texture->clamp[2],
        .pitch = texture->dimension == A2XX_1D ? 0 : (uint32_t)(pitch / COLUMNS),
        .tiled = texture->tiled,
        .format = texture->format,
        .endian = texture->endian,
        .clamp_policy = 1,
        .base_address = texture->address / PAGE,
        .num_format = texture->whole_numbers,
        .mag_filter = texture->mag,
        .min_filter = texture->min,
        .mip_filter = texture->mip,
        .vol_mag_filter = texture->mag,
        .vol_min_filter = texture->min,
        .max_level = texture->levels ? texture->levels - 1 : 0,
        .lod_bias = (uint32_t)texture->lod_bias & 0x3ff,
        .border_color = texture->white_border,
        .dimension = texture->dimension,
        .mip_address = texture->mip_address / PAGE,
    };
    set_sizes(texture, &constant);
    set_swizzle(texture, &constant);
    if (!fits(&constant))
        return TESS_INVALID;
    a2xx_encode_texture(&constant, words);
    return TESS_OK;
}

/* Computes the layout of a texture. Returns false if the texture cannot be encoded as a
 * constant. */
static bool layout_of(const struct tess_a2xx_texture *texture, struct a2xx_layout *layout)
{
    uint32_t words[A2XX_TEXTURE_WORDS];
    if (tess_a2xx_texture_constant(texture, words) != TESS_OK)
        return false;
    struct a2xx_texture_constant constant = a2xx_decode_texture(words);
    a2xx_layout(layout, &constant, texture->variant);
    return true;
}

void tess_a2xx_texture_size(const struct tess_a2xx_texture *texture, size_t *base, size_t *mips)
{
    struct a2xx_layout layout = {0};
    bool known = layout_of(texture, &layout);
    if (base)
        *base = known ? (size_t)layout.base_bytes : 0;
    if (mips)
        *mips = known ? (size_t)layout.mip_bytes : 0;
}

size_t tess_a2xx_texture_offset(const struct tess_a2xx_texture *texture, uint32_t level, uint32_t x,
                                uint32_t y, uint32_t z)
{
    struct a2xx_layout layout;
    if (!layout_of(texture, &layout) || level > layout.last)
        return 0;
    const struct a2xx_level *row = &layout.level[level];
    uint32_t layers = layout.dimension == A2XX_3D ? row->depth : layout.layers;
    if (x >= row->width || y >= row->height || z >= layers)
        return 0;
    return (size_t)a2xx_block_offset(&layout, row, x / layout.format->width,
                                     y / layout.format->height, z);
}
