/* SPDX-License-Identifier: MIT */
/* texture.h - the config parameters of a texture request (manual tables 15 to 17), decoded,
 * together with the position of every level in memory. A texture unit keeps the decoded textures of
 * its latest requests.
 *
 * In:  one to four parameters.
 * Out: struct texture, and findings about the parameters. */
#ifndef VC4_TMU_TEXTURE_H
#define VC4_TMU_TEXTURE_H

#include <stdbool.h>
#include <stdint.h>

#include "vc4/fault/fault.h"
#include "vc4/memory/layout.h"
#include "vc4/tmu/texel.h"

enum {
    TEXTURE_PARAMETERS = 4,
    TEXTURE_LEVELS = 16,
    TEXTURE_FACES = 6,
};

enum texture_wrap { WRAP_REPEAT, WRAP_CLAMP, WRAP_MIRROR, WRAP_BORDER };

/* One axis of a texture, s or t. */
struct texture_axis {
    uint32_t size;   /* size of level 0, in texels */
    uint32_t window; /* number of texels that coordinates 0..1 cover at level 0: the size of the
                        image, or of the child image if there is one */
    uint32_t offset; /* position of the child image, in texels */
    enum texture_wrap wrap;
    bool flip;
};

/* How the bits of a texel number on one axis move to the texel's offset in memory. The texel number
 * is shifted right by .cell. Then the bits of .mask[i] move left by .shift[i]. */
struct texture_spread {
    uint32_t cell; /* log2 of the number of texels in a cell, or in a byte of a smaller type */
    uint32_t mask[3], shift[3];
    uint32_t all; /* all bits of an offset that can be set */
};

/* The layout of a level as movements of bits. The third mask of rows counts only if .binary is
 * true; otherwise the rows of tiles are multiplied. memory/layout.h describes the same layouts. */
struct texture_bits {
    struct texture_spread column, row;
    uint32_t twin; /* bit of a column's offset that is combined by exclusive-or with the next
                            lower bit; 0 except in T-format */
    uint32_t
        tile_shift;     /* log2 of a tile's height in cells. Outside of T-format, rows of microtiles
                            or of texels count as tiles. */
    uint32_t tile_row;  /* bytes from one row of tiles to the next */
    uint32_t odd_mask;  /* bits of a column's offset that are inverted in odd rows of tiles, which
                            run from right to left in T-format; otherwise 0 */
    uint32_t odd_rows;  /* number of rows of tiles that are added to odd rows */
    uint32_t odd_shift; /* distance of the lowest bit of a tile's row from bit 31, if .binary */
    bool cells;         /* true if a cell or a byte contains several texels */
    bool binary; /* true if the window, which then begins at texel 0, and the rows of tiles have
                    sizes that are powers of two. The masks then have no bits outside the window. */
};

/* Position of a level in memory. All faces of a cube have the same levels. */
struct texture_level {
    struct image_layout image;
    struct texture_bits bits;
    uint32_t below;               /* number of bytes from the start of this level to the start of
                                     level 0, which has the higher address */
    int32_t window[2], offset[2]; /* .window and .offset of struct texture_axis, for this level */
};

struct texture {
    uint32_t parameter[TEXTURE_PARAMETERS];
    uint32_t parameters;               /* number of parameters; 0 marks an unused entry */
    const struct texel_format *format; /* NULL if the type does not exist */
    struct texture_axis axis[2];
    uint32_t base;   /* bus address of level 0, face 0 */
    uint32_t levels; /* 1..16 */
    uint32_t cache_swizzle;
    uint32_t block_flip; /* value that is combined by exclusive-or with the row inside an ETC1
                            block */
    bool cube;
    uint32_t cube_stride; /* bytes from one face to the next */
    bool absolute_lod;    /* true if coordinate b is the level of detail, false if b is a bias */
    bool child, child_size, child_offset;
    bool mag_linear, min_linear;
    bool mip;       /* true if the minification filter selects a level */
    bool mip_blend; /* true if the minification filter blends two levels */
    bool detailed;  /* true if the result depends on the level of detail */
    bool bordered;  /* true if texels can be in the border */
    bool valid;     /* true if texture_setup() found no error */
    bool quick;     /* true if the texture has two parameters, no finding about it is possible, its
                          result is one word, and levels of detail do not matter */
    uint32_t warnings; /* bit n is 1 for enum texture_warning n */
    uint32_t ready;    /* bit n is 1 if level[n] is filled in */
    struct texture_level level[TEXTURE_LEVELS];
};

enum texture_warning {
    TEXTURE_LEVEL_COUNT,
    TEXTURE_RASTER_WIDTH,
    TEXTURE_RESERVED,
    TEXTURE_CHILD_HALF,
    TEXTURE_WARNINGS
};

/* Decodes 2 to 4 parameters. Reports no findings. */
void texture_setup(struct texture *texture, const uint32_t *parameter, uint32_t count);

/* Reports mistakes in a texture. `from` names the source of the parameters, and is appended to each
 * message. Returns false if the hardware's result would be undefined. */
bool texture_check(const struct texture *texture, struct fault_log *log, const char *from);

/* Computes a level. Used by texture_level(). */
const struct texture_level *texture_find_level(struct texture *texture, uint32_t number);

/* Returns a level of a texture. number must be less than texture->levels. */
static inline const struct texture_level *texture_level(struct texture *texture, uint32_t number)
{
    return texture->ready >> number & 1 ? &texture->level[number]
                                        : texture_find_level(texture, number);
}

#endif
