/* SPDX-License-Identifier: MIT */
/* sampler_state.h - the state of a sampler, and the job that its parts share: one level of one face
 * to sample (sampler.h). */
#ifndef VC4_TMU_SAMPLER_STATE_H
#define VC4_TMU_SAMPLER_STATE_H

#include <stdbool.h>
#include <stdint.h>
#include <string.h>

#include "vc4/lanes/lanes.h"
#include "vc4/memory/bus.h"
#include "vc4/tmu/texture.h"

enum {
    SAMPLER_TAPS = 8, /* limit of texels per lane: four from each of two levels */
    LEVEL_TAPS = 4,   /* limit of texels per lane from one level */
};

/* Steps of a position inside a texel. Coordinate k / width is exactly at texel k, for every k. */
enum { SUBTEXELS = 4096 };

/* Texels outside mapped memory, which read as 0. */
struct sampler_outside {
    uint32_t texels;            /* number of such texels */
    uint32_t address;           /* address of the first such texel */
    uint32_t level, x, y;       /* level and texel numbers of the first such texel */
    uint32_t start, size_bytes; /* address and size of the level of the first such texel */
};

/* Texels of all lanes before the filter. Taps are numbered as in filter_quad(). */
struct sampler_taps {
    lanes *address;               /* bus addresses of the cells, by tap */
    lane_mask inside[LEVEL_TAPS]; /* lanes whose texel is inside the image */
    lanes outside[LEVEL_TAPS];    /* all ones in lanes whose texel is in the border; set only if
                                     the job is bordered */
    lanes column[2], row[2];      /* texel numbers; set only if a cell has several texels */
    lanes x, y;                   /* weights, 0 to FILTER_ONE; set only if the filter is linear */
    lanes word[LEVEL_TAPS][2];    /* result words of each tap; set only if the filter is linear and
                                     the channels are halves */
};

struct sampler_kernels;

/* State of a sampler that is kept between requests, and information about the latest request. Must
 * be zero-initialised. */
struct sampler {
    struct bus *bus;
    bool traced;                           /* true to fill address[] and used[] */
    bool plain;                            /* true to use only the plain functions, for tests */
    bool chosen;                           /* true if .kernels is set */
    const struct sampler_kernels *kernels; /* set for this host, or NULL */
    struct etc1_cache etc1;

    lanes address[SAMPLER_TAPS];  /* bus addresses of the cells that were read, by tap and lane; a
                                     cell is a texel or block */
    lane_mask used[SAMPLER_TAPS]; /* lanes that read each tap */
    uint32_t taps;
    struct sampler_outside outside;
    uint32_t errata; /* bits FILTER_HW2619, FILTER_HW2645 */

    /* Values of the job that is processed. */
    struct sampler_taps found;
    lanes cell[LEVEL_TAPS];
};

/* One level of one face, the lanes' coordinates on it, and the lanes that sample it with the same
 * filter. */
struct sampler_job {
    const struct texture *texture;
    const struct texture_level *level;
    const uint8_t *host;  /* host address of the level; NULL unless the whole level is mapped */
    uint32_t address;     /* bus address of the level */
    uint32_t border;      /* border colour */
    const lanes *place;   /* s and t as float32 bits, one after the other */
    bool centred;         /* true if s and t run from -1 to 1, as on a cube's faces, instead of from
                             0 to 1 */
    bool bordered;        /* true if texels can be outside the image, in the border */
    bool linear;          /* true for four texels, false for the nearest one */
    lane_mask mask;       /* lanes to sample */
    uint32_t number, tap; /* number of the level; index of the first tap in sampler->address[]: 0
                             for a lane's first level, 4 for the second */
};

/* Copies a value. For an assignment, compilers without wide vectors use a temporary copy. */
static inline void copy_lanes(lanes *to, const lanes *from)
{
    memcpy(to, from, sizeof *to);
}

/* Copies the lanes in mask. */
static inline void put_lanes(lanes *to, const lanes *from, lane_mask mask)
{
    if (mask == ALL_LANES) {
        copy_lanes(to, from);
        return;
    }
    static const lanes bit = {1,     2,     4,     8,     0x10,   0x20,   0x40,   0x80,
                              0x100, 0x200, 0x400, 0x800, 0x1000, 0x2000, 0x4000, 0x8000};
    lanes chosen = (lanes)((bit & mask) != 0);
    *to = (*from & chosen) | (*to & ~chosen);
}

#endif
