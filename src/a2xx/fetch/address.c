/* SPDX-License-Identifier: MIT */
/* address.c - see address.h. */
#include "a2xx/fetch/address.h"

enum {
    BLOCKS = 32,       /* numbers of rows and columns, in blocks, are padded to a multiple of this
                          number */
    LAYERS = 4,        /* number of layers of a volume is padded to a multiple of this number */
    PAGE = 4096,       /* alignment of levels, and of layers of cubes and stacks, in bytes */
    ROW = 256,         /* alignment of linear rows on the Xenos, in bytes */
    PACKED_TEXELS = 4, /* log2 of the size, in texels, up to which levels are packed */
};

static uint64_t align_up(uint64_t value, uint64_t unit)
{
    return (value + unit - 1) / unit * unit;
}

static uint32_t log2_up(uint32_t value)
{
    return value > 1 ? 32 - (uint32_t)__builtin_clz(value - 1) : 0;
}

static uint32_t log2_down(uint32_t value)
{
    return 31 - (uint32_t)__builtin_clz(value | 1);
}

static uint32_t smaller(uint32_t size, uint32_t level)
{
    return size >> level ? size >> level : 1;
}

/* --- blocks --- */

const struct a2xx_format *a2xx_block_format(enum tess_a2xx_variant variant, uint32_t code)
{
    static const struct a2xx_format none = {
        .kind = A2XX_FORMAT_NONE, .bytes = 1, .width = 1, .height = 1};
    const struct a2xx_format *format = &a2xx_formats[variant][code];
    return format->name ? format : &none;
}

/* Computes an offset in a tiled texture. `bytes` is the offset that results from whole tiles and
 * from the position in a small tile. The bits of `bytes` are moved to the positions that the bits
 * of bank, pipe and odd do not use. */
static uint64_t spread(uint64_t bytes, uint32_t bank, uint32_t pipe, uint32_t odd)
{
    return bytes >> 8 << 12 | (uint64_t)bank << 11 | (bytes >> 5 & 7) << 8 | pipe << 6 |
           (bytes >> 4 & 1) << 5 | odd << 4 | (bytes & 15);
}

static uint64_t tiled_2d(const struct a2xx_level *level, uint32_t block, uint32_t x, uint32_t y)
{
    uint64_t tile = (uint64_t)(y / 32) * (level->pitch / 32) + x / 32;
    uint64_t bytes = (tile << 6 | (y >> 1 & 7) << 3 | (x & 7)) * block;
    return spread(bytes, y >> 4 & 1, (x >> 3 & 3) ^ (y >> 3 & 1) << 1, y & 1);
}

static uint64_t tiled_3d(const struct a2xx_level *level, uint32_t block, uint32_t x, uint32_t y,
                         uint32_t z)
{
    uint64_t row = (uint64_t)(z / 4) * (level->rows / 16) + y / 16;
    uint64_t tile = row * (level->pitch / 32) + x / 32;
    uint64_t bytes = (tile << 7 | (z & 3) << 5 | (y >> 1 & 3) << 3 | (x & 7)) * block;
    uint32_t bank = (y >> 3 ^ z >> 2) & 1;
    return spread(bytes, bank, (x >> 3 & 3) ^ bank << 1, y & 1);
}

/* Layouts of blocks in memory. */
enum order { LINEAR, TILED_2D, TILED_3D };

static enum order order_of(const struct a2xx_layout *layout)
{
    return !layout->tiled ? LINEAR : layout->dimension == A2XX_3D ? TILED_3D : TILED_2D;
}

static inline uint64_t block_offset(const struct a2xx_layout *layout,
                                    const struct a2xx_level *level, enum order order, uint32_t x,
                                    uint32_t y, uint32_t z)
{
    x += level->x;
    y += level->y;
    z += layout->dimension == A2XX_3D ? level->z : 0;
    if (order == LINEAR)
        return level->offset + z * level->layer + y * level->row + (uint64_t)x * layout->block;
    if (order == TILED_3D)
        return level->offset + tiled_3d(level, layout->block, x, y, z);
    return level->offset + z * level->layer + tiled_2d(level, layout->block, x, y);
}

uint64_t a2xx_block_offset(const struct a2xx_layout *layout, const struct a2xx_level *level,
                           uint32_t x, uint32_t y, uint32_t z)
{
    return block_offset(layout, level, order_of(layout), x, y, z);
}

void a2xx_block_offsets(const struct a2xx_layout *layout, const uint8_t level[A2XX_LANES],
                        const int32_t x[A2XX_LANES], const int32_t y[A2XX_LANES],
                        const int32_t z[A2XX_LANES], uint64_t offset[A2XX_LANES])
{
    unsigned right = (unsigned)__builtin_ctz(layout->format->width);
    unsigned down = (unsigned)__builtin_ctz(layout->format->height);
    const enum order order = order_of(layout);
    for (unsigned i = 0; i < A2XX_LANES; i++)
        offset[i] = block_offset(layout, &layout->level[level[i]], order, (uint32_t)x[i] >> right,
                                 (uint32_t)y[i] >> down, (uint32_t)z[i]);
}

/* --- levels --- */

/* Sets the size of level 0 and the number of layers. */
static void set_sizes(struct a2xx_layout *layout, const struct a2xx_texture_constant *constant)
{
    struct a2xx_level *level = &layout->level[0];
    *level = (struct a2xx_level){
        .width = constant->width + 1, .height = constant->height + 1, .depth = 1};
    switch (layout->dimension) {
    case A2XX_1D:
        level->width = constant->width_1d + 1;
        level->height = 1;
        break;
    case A2XX_2D: layout->layers = constant->stacked ? constant->depth + 1 : 1; break;
    case A2XX_3D:
        level->width = constant->width_3d + 1;
        level->height = constant->height_3d + 1;
        level->depth = constant->depth_3d + 1;
        break;
    case A2XX_CUBE: layout->layers = A2XX_FACES; break;
    }
}

/* Returns true if the level is in the tile that small levels share. The positions in that tile are
 * those of xenia, whose authors found them by examining textures of games. */
static bool place_packed(const struct a2xx_layout *layout, uint32_t number)
{
    const struct a2xx_level *base = &layout->level[0];
    uint32_t width = log2_up(base->width), height = log2_up(base->height);
    uint32_t least = width < height ? width : height;
    return least <= PACKED_TEXELS + number;
}

static void set_packed(const struct a2xx_layout *layout, uint32_t number, struct a2xx_level *level)
{
    const struct a2xx_level *base = &layout->level[0];
    uint32_t width = log2_up(base->width), height = log2_up(base->height);
    uint32_t least = width < height ? width : height;
    uint32_t first = least > PACKED_TEXELS ? least - PACKED_TEXELS : 0, packed = number - first;
    bool wide = width > height;
    uint32_t along = packed < 3 ? 16U >> packed
                                : (1U << ((wide ? width : height) - first)) >> (packed - 2);
    bool down = packed < 3 ? wide : !wide;
    level->x = down ? 0 : along / layout->format->width;
    level->y = down ? along / layout->format->height : 0;
    if (packed >= 3 && along < 4) {
        uint32_t depth = log2_up(base->depth);
        level->z = depth > 1 + packed ? (depth - packed) * 4 : 4;
    }
}

/* Sets the size of a level in memory. pitch and rows are in texels. They are powers of two for all
 * levels except the base level. */
static void set_memory(struct a2xx_layout *layout, struct a2xx_level *level, uint32_t pitch,
                       uint32_t rows, bool base, enum tess_a2xx_variant variant)
{
    const struct a2xx_format *format = layout->format;
    level->pitch = (uint32_t)align_up(align_up(pitch, format->width) / format->width, BLOCKS);
    level->rows = layout->dimension == A2XX_1D
                      ? 1
                      : (uint32_t)align_up(align_up(rows, format->height) / format->height, BLOCKS);
    level->row = (uint64_t)level->pitch * layout->block;
    if (!layout->tiled && !base && variant == TESS_A2XX_XENOS)
        level->row = align_up(level->row, ROW);
    level->layer = level->row * level->rows;
    if (layout->dimension != A2XX_3D)
        level->layer = align_up(level->layer, PAGE);
}

static uint64_t level_bytes(const struct a2xx_layout *layout, const struct a2xx_level *level,
                            uint32_t depth)
{
    if (layout->dimension == A2XX_3D)
        return align_up(level->layer * align_up(depth, LAYERS), PAGE);
    return level->layer * layout->layers;
}

static void set_level(struct a2xx_layout *layout, uint32_t number, bool packs,
                      enum tess_a2xx_variant variant)
{
    const struct a2xx_level *base = &layout->level[0];
    struct a2xx_level *level = &layout->level[number];
    *level = (struct a2xx_level){
        .width = smaller(base->width, number),
        .height = smaller(base->height, number),
        .depth = smaller(base->depth, number),
    };
    uint32_t stored = number;
    bool packed = packs && place_packed(layout, number);
    while (packed && stored > 0 && place_packed(layout, stored - 1))
        stored--;
    set_memory(layout, level, smaller(1U << log2_up(base->width), stored),
               smaller(1U << log2_up(base->height), stored), false, variant);
    if (packed)
        set_packed(layout, number, level);
    if (packed && stored < number && number > 1) {
        level->offset = layout->level[number - 1].offset;
        return;
    }
    level->offset = layout->mip_bytes;
    layout->mip_bytes += level_bytes(layout, level, smaller(1U << log2_up(base->depth), stored));
}

/* Returns the distance between blocks, in bytes. In tiled textures the distance is a power of two.
 * Blocks of 3 or 12 bytes are then 4 or 16 bytes apart. */
static uint32_t block_bytes(const struct a2xx_layout *layout)
{
    uint32_t bytes = layout->format->bytes;
    return layout->tiled ? 1U << log2_up(bytes) : bytes;
}

void a2xx_layout(struct a2xx_layout *layout, const struct a2xx_texture_constant *constant,
                 enum tess_a2xx_variant variant)
{
    *layout = (struct a2xx_layout){
        .format = a2xx_block_format(variant, constant->format),
        .dimension = (enum a2xx_dimension)constant->dimension,
        .tiled = constant->tiled && constant->dimension != A2XX_1D,
        .layers = 1,
    };
    layout->block = block_bytes(layout);
    set_sizes(layout, constant);
    struct a2xx_level *base = &layout->level[0];
    uint32_t pitch = constant->pitch * 32;
    layout->narrow = layout->dimension != A2XX_1D && pitch < base->width;
    bool packs = constant->packed_mips && layout->dimension != A2XX_1D;
    set_memory(layout, base, pitch ? pitch : base->width, base->height, true, variant);
    if (packs && place_packed(layout, 0))
        set_packed(layout, 0, base);
    layout->base_bytes = level_bytes(layout, base, base->depth);

    uint32_t most = base->width > base->height ? base->width : base->height;
    most = log2_down(most > base->depth ? most : base->depth);
    layout->last = !constant->mip_address       ? 0
                   : constant->max_level < most ? constant->max_level
                                                : most;
    for (uint32_t i = 1; i <= layout->last; i++)
        set_level(layout, i, packs, variant);
}
