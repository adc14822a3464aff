/* SPDX-License-Identifier: MIT */
/* texture.c - see texture.h.
 *
 * Source:   manual section 4, tables 15 to 19, and appendix A; Mesa vc4_resource.c
 *           (vc4_setup_slices) and the kernel's vc4_validate.c for the chain of levels; piglit's
 *           fbo-generatemipmap-npot, which passes on a Raspberry Pi 3 (Mesa,
 *           src/broadcom/ci/broadcom-rpi3-fails.txt), for the range of coordinates in smaller
 *           levels.
 * Modelled: every field; errata HW-2753 and HW-2898.
 * Choices:  child images of smaller levels, see docs/vc4/tmu.md; the cache swizzle has no effect on
 *           results and counts. */
#include "vc4/tmu/texture.h"

#include "base/bits.h"
#include "isa/cl/texture_words.h"

/* Bits of parameters 2 and 3 that must be 0 (table 17). */
enum {
    CUBE_RESERVED = 0x00000ffe,
    CHILD_RESERVED = 0x3f800800,
};

/* Filters by MINFILT, manual table 19. */
static const struct {
    bool linear, mip, mip_blend;
} min_filters[] = {
    /* clang-format off */
    {true,  false, false},
    {false, false, false},
    {false, true,  false},
    {false, true,  true},
    {true,  true,  false},
    {true,  true,  true},
    /* clang-format on */
};

enum { MIN_FILTERS = sizeof min_filters / sizeof *min_filters };

static uint32_t min_filter(const struct texture *texture)
{
    return TEXTURE_READ(texture->parameter, TEXTURE, MIN_FILTER);
}

static void take_base(struct texture *texture)
{
    const uint32_t *words = texture->parameter;
    texture->base = texture_address(words);
    texture->cache_swizzle = TEXTURE_READ(words, TEXTURE, CACHE_SWIZZLE);
    texture->cube = TEXTURE_READ(words, TEXTURE, CUBE_MAP);
    texture->axis[1].flip = TEXTURE_READ(words, TEXTURE, FLIP_Y);
    texture->levels = TEXTURE_READ(words, TEXTURE, LEVELS) + 1;
}

static void take_size(struct texture *texture)
{
    const uint32_t *words = texture->parameter;
    const bool is_etc1 = texture_type(words) == TEXTURE_TYPE_ETC1;
    texture->axis[0].size = texture_size(TEXTURE_READ(words, TEXTURE, WIDTH));
    texture->axis[1].size = texture_size(TEXTURE_READ(words, TEXTURE, HEIGHT));
    texture->axis[0].window = texture->axis[0].size;
    texture->axis[1].window = texture->axis[1].size;
    texture->axis[0].wrap = TEXTURE_READ(words, TEXTURE, WRAP_S);
    texture->axis[1].wrap = TEXTURE_READ(words, TEXTURE, WRAP_T);
    texture->bordered = texture->axis[0].wrap == WRAP_BORDER ||
                        texture->axis[1].wrap == WRAP_BORDER;
    texture->mag_linear = !TEXTURE_READ(words, TEXTURE, MAG_FILTER);
    texture->block_flip = is_etc1 && !TEXTURE_READ(words, TEXTURE, ETC_FLIP) ? 3 : 0;
}

static void take_filter(struct texture *texture)
{
    uint32_t number = min_filter(texture);
    if (number >= MIN_FILTERS)
        return;
    texture->min_linear = min_filters[number].linear;
    texture->mip = min_filters[number].mip && texture->levels > 1;
    texture->mip_blend = texture->mip && min_filters[number].mip_blend;
    texture->detailed = texture->mip || texture->mag_linear != texture->min_linear;
}

/* Reads parameter 2 or 3. Each of these parameters contains its own type, so their order does not
 * matter. */
static void take_extra(struct texture *texture, uint32_t word)
{
    uint32_t reserved = 0;
    switch (TEXTURE_READ(&word, TEXTURE_CUBE, PTYPE)) {
    case TEXTURE_PTYPE_CUBE:
        texture->cube_stride = texture_cube_stride(word);
        texture->absolute_lod = TEXTURE_READ(&word, TEXTURE_CUBE, BIAS_ONLY);
        reserved = CUBE_RESERVED;
        break;
    case TEXTURE_PTYPE_CHILD_SIZE:
        texture->child_size = true;
        texture->axis[0].window = texture_size(TEXTURE_READ(&word, TEXTURE_CHILD_SIZE, WIDTH));
        texture->axis[1].window = texture_size(TEXTURE_READ(&word, TEXTURE_CHILD_SIZE, HEIGHT));
        reserved = CHILD_RESERVED;
        break;
    case TEXTURE_PTYPE_CHILD_OFFSET:
        texture->child_offset = true;
        texture->axis[0].offset = TEXTURE_READ(&word, TEXTURE_CHILD_OFFSET, X);
        texture->axis[1].offset = TEXTURE_READ(&word, TEXTURE_CHILD_OFFSET, Y);
        reserved = CHILD_RESERVED;
        break;
    default: break;
    }
    texture->child = texture->child_size || texture->child_offset;
    if (word & reserved)
        texture->warnings |= 1u << TEXTURE_RESERVED;
}

static uint32_t next_power_of_two(uint32_t value)
{
    return value <= 1 ? 1 : UINT32_C(1) << (32 - __builtin_clz(value - 1));
}

/* Returns the number of levels from level 0 down to a level of one texel. Level 0 counts as padded
 * to powers of two. */
static uint32_t whole_chain(const struct texture *texture)
{
    uint32_t s = texture->axis[0].size, t = texture->axis[1].size;
    return 1 + (uint32_t)__builtin_ctz(next_power_of_two(s > t ? s : t));
}

static void find_warnings(struct texture *texture)
{
    uint32_t width = texture->axis[0].size;
    if (texture->levels > whole_chain(texture))
        texture->warnings |= 1u << TEXTURE_LEVEL_COUNT;
    if (texture->format && texture->format->raster && width != next_power_of_two(width) &&
        texture->axis[1].size > 1)
        texture->warnings |= 1u << TEXTURE_RASTER_WIDTH;
    if (texture->child_size != texture->child_offset)
        texture->warnings |= 1u << TEXTURE_CHILD_HALF;
}

static bool filters(const struct texture *texture)
{
    return texture->mag_linear || texture->min_linear || texture->mip_blend;
}

/* Checks for types and filters that manual tables 18 and 19 do not have, and for linear filters of
 * types that cannot be filtered. */
static bool check_type(const struct texture *texture, struct fault_log *log, const char *from)
{
    if (!texture->format) {
        fault(log, FAULT_TMU_TYPE, "texture type %u does not exist%s",
              texture_type(texture->parameter), from);
        return false;
    }
    if (min_filter(texture) >= MIN_FILTERS) {
        fault(log, FAULT_TMU_PARAMETER, "minification filter %u does not exist%s",
              min_filter(texture), from);
        return false;
    }
    if (texture->format->blend == TEXEL_BLEND_NEVER && filters(texture)) {
        fault(log, FAULT_TMU_PARAMETER,
              "texture type %s can only be point sampled, but a filter is linear%s",
              texture->format->name, from);
        return false;
    }
    return true;
}

static bool check_cube(const struct texture *texture, struct fault_log *log, const char *from)
{
    if (!texture->cube)
        return true;
    if (texture->bordered) {
        fault(log, FAULT_TMU_PARAMETER,
              "a cube map has wrap mode border, but register R contains a coordinate and not the "
              "border colour%s",
              from);
        return false;
    }
    if (texture->cube_stride == 0) {
        fault(log, FAULT_TMU_PARAMETER,
              "a cube map has no stride between faces (parameter 2 or 3 with PTYPE 1 sets it)%s",
              from);
        return false;
    }
    return true;
}

static bool check_child(const struct texture *texture, struct fault_log *log, const char *from)
{
    const struct texture_axis *s = &texture->axis[0], *t = &texture->axis[1];
    if (texture->child_size && (s->window == 2048 || t->window == 2048)) {
        fault(log, FAULT_TMU_CHILD_2048,
              "child image of %ux%u texels: a width or height of 2048 does not work (erratum "
              "HW-2753)%s",
              s->window, t->window, from);
        return false;
    }
    if (s->offset + s->window > s->size || t->offset + t->window > t->size) {
        fault(log, FAULT_TMU_PARAMETER,
              "child image of %ux%u texels at (%u, %u) exceeds its parent image of %ux%u texels%s",
              s->window, t->window, s->offset, t->offset, s->size, t->size, from);
        return false;
    }
    return true;
}

static void report_warning(const struct texture *texture, enum texture_warning warning,
                           struct fault_log *log, const char *from)
{
    const struct texture_axis *s = &texture->axis[0], *t = &texture->axis[1];
    switch (warning) {
    case TEXTURE_LEVEL_COUNT:
        fault(log, FAULT_TMU_LEVELS,
              "%u levels for a texture of %ux%u texels, which can have at most %u%s",
              texture->levels, s->size, t->size, whole_chain(texture), from);
        break;
    case TEXTURE_RASTER_WIDTH:
        fault(log, FAULT_TMU_RASTER_WIDTH,
              "texture type %s is %u texels wide, which is not a power of two; its rows are read "
              "%u texels apart (erratum HW-2898)%s",
              texture->format->name, s->size, next_power_of_two(s->size), from);
        break;
    case TEXTURE_RESERVED:
        fault(log, FAULT_TMU_RESERVED,
              "reserved bits are set in texture parameter 2 or 3 (0x%08x, 0x%08x)%s",
              texture->parameter[2], texture->parameter[3], from);
        break;
    default:
        fault(log, FAULT_TMU_CHILD_HALF, "a child image has %s but no %s%s",
              texture->child_size ? "dimensions" : "offsets",
              texture->child_size ? "offsets" : "dimensions", from);
        break;
    }
}

bool texture_check(const struct texture *texture, struct fault_log *log, const char *from)
{
    for (unsigned i = 0; i < TEXTURE_WARNINGS && texture->warnings >> i; i++)
        if (texture->warnings >> i & 1)
            report_warning(texture, (enum texture_warning)i, log, from);
    return texture->valid || (check_type(texture, log, from) && check_cube(texture, log, from) &&
                              check_child(texture, log, from));
}

void texture_setup(struct texture *texture, const uint32_t *parameter, uint32_t count)
{
    struct fault_log unheard = {0};
    *texture = (struct texture){.parameters = count};
    for (uint32_t i = 0; i < count; i++)
        texture->parameter[i] = parameter[i];
    texture->format = texel_format(texture_type(texture->parameter));
    take_base(texture);
    take_size(texture);
    for (uint32_t i = 2; i < count; i++)
        take_extra(texture, parameter[i]);
    take_filter(texture);
    find_warnings(texture);
    texture->valid = check_type(texture, &unheard, "") && check_cube(texture, &unheard, "") &&
                     check_child(texture, &unheard, "");
    texture->quick = texture->valid && !texture->warnings && count == 2 && !texture->cube &&
                     !texture->detailed && texture->format->blend != TEXEL_BLEND_HALVES;
}

/* Returns the size of a level in memory, along one axis. Level 0 has the image's size. Higher
 * levels have the sizes of an image that is padded to powers of two. */
static uint32_t level_size(uint32_t size, uint32_t level)
{
    uint32_t padded = next_power_of_two(size) >> level;
    return level == 0 ? size : padded ? padded : 1;
}

static uint32_t cells(uint32_t texels, unsigned shift)
{
    return (texels + (1u << shift) - 1) >> shift;
}

/* Computes the layout of a level in memory. Rows of raster textures are padded to a power of two,
 * as the hardware assumes (erratum HW-2898). */
static void lay_out(const struct texture *texture, uint32_t level, struct image_layout *image)
{
    const struct texel_format *format = texture->format;
    uint32_t across = level_size(texture->axis[0].size, level);
    uint32_t width = cells(format->raster ? next_power_of_two(across) : across,
                           format->width_shift);
    uint32_t height = cells(level_size(texture->axis[1].size, level), format->height_shift);
    enum layout layout = format->raster                              ? LAYOUT_RASTER
                         : layout_is_lt(width, height, format->bits) ? LAYOUT_LT
                                                                     : LAYOUT_T;
    layout_init(image, layout, width, height, format->bits);
}

/* Sets the part of a level that coordinates cover, without padding. From each level to the next,
 * the size and the offset of this part are halved and rounded down. The size is at least one
 * texel. */
static void place_window(const struct texture_axis *axis, uint32_t number, int32_t *window,
                         int32_t *offset)
{
    uint32_t halved = axis->window >> number;
    *window = halved ? (int32_t)halved : 1;
    *offset = (int32_t)(axis->offset >> number);
}

static void move_bits(struct texture_spread *spread, unsigned i, unsigned first, unsigned count,
                      unsigned to)
{
    spread->mask[i] = count < 32 ? ((1u << count) - 1) << first : UINT32_MAX << first;
    spread->shift[i] = to - first;
}

/* Sets the bits of columns and rows inside microtiles, and of microtiles inside tiles. The masks of
 * tiles have all higher bits. */
static void find_bits(const struct texel_format *format, const struct image_layout *image,
                      struct texture_bits *bits)
{
    enum { ALL = 32, UTILE = 6, SUBTILE = 10, TWIN = 11, TILE = 12 }; /* bits of an offset */
    const unsigned small = image->bits_shift < 3 ? 3u - image->bits_shift : 0;
    const unsigned width = image->width_shift - small, height = image->height_shift;
    const unsigned cell = image->bits_shift + small - 3u,
                   tile = (unsigned)__builtin_ctz(bits->tile_row);
    bits->column.cell = format->width_shift + small;
    bits->row.cell = format->height_shift;
    bits->cells = bits->column.cell || bits->row.cell;
    if (image->layout == LAYOUT_RASTER) {
        move_bits(&bits->column, 0, 0, ALL, cell);
        move_bits(&bits->row, 2, 0, ALL, tile);
        return;
    }
    const bool t_format = image->layout == LAYOUT_T;
    bits->tile_shift = t_format ? height + 3 : height;
    move_bits(&bits->column, 0, 0, width, cell);
    move_bits(&bits->column, 1, width, t_format ? 2 : ALL, UTILE);
    move_bits(&bits->row, 0, 0, height, width + cell);
    move_bits(&bits->row, 2, bits->tile_shift, ALL, tile);
    if (!t_format)
        return;
    move_bits(&bits->column, 2, width + 2, ALL, TWIN);
    move_bits(&bits->row, 1, height, 3, UTILE + 2);
    bits->twin = 1u << TWIN;
    bits->odd_rows = 1;
    bits->odd_mask = UINT32_MAX << TILE | 1u << (SUBTILE + 1);
}

static void limit_bits(struct texture_spread *spread, int32_t window)
{
    spread->all = 0;
    for (unsigned i = 0; i < 3; i++) {
        spread->mask[i] &= (uint32_t)(window - 1) >> spread->cell;
        spread->all |= spread->mask[i] << spread->shift[i];
    }
}

static void set_bits(const struct texel_format *format, struct texture_level *level)
{
    const struct image_layout *image = &level->image;
    struct texture_bits *bits = &level->bits;
    uint32_t utiles = image->layout == LAYOUT_RASTER ? 0 : image->stride_px >> image->width_shift;
    *bits = (struct texture_bits){.tile_row = image->layout == LAYOUT_RASTER ? image->stride_bytes
                                              : image->layout == LAYOUT_LT
                                                  ? utiles * UTILE_BYTES
                                                  : utiles / TILE_UTILES * TILE_BYTES};
    find_bits(format, image, bits);
    bits->binary = is_power_of_two((uint32_t)level->window[0]) &&
                   is_power_of_two((uint32_t)level->window[1]) && level->offset[0] == 0 &&
                   level->offset[1] == 0 && is_power_of_two(bits->tile_row);
    if (!bits->binary)
        return;
    limit_bits(&bits->column, level->window[0]);
    limit_bits(&bits->row, level->window[1]);
    bits->odd_mask &= bits->tile_row - 1;
    bits->odd_rows = 0;
    bits->odd_shift = 31 - (uint32_t)__builtin_ctz(bits->tile_row);
}

/* Level 0 begins at the texture's base address. Every other level ends where the next larger level
 * begins. */
const struct texture_level *texture_find_level(struct texture *texture, uint32_t number)
{
    struct texture_level *level = &texture->level[number];
    level->below = 0;
    for (uint32_t i = 1; i <= number; i++) {
        lay_out(texture, i, &level->image);
        level->below += level->image.size_bytes;
    }
    if (number == 0)
        lay_out(texture, 0, &level->image);
    for (unsigned i = 0; i < 2; i++)
        place_window(&texture->axis[i], number, &level->window[i], &level->offset[i]);
    set_bits(texture->format, level);
    texture->ready |= 1u << number;
    return level;
}
