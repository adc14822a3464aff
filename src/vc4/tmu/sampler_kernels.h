/* SPDX-License-Identifier: MIT */
/* sampler_kernels.h - the steps of texture sampling for the vector width of the host's processor.
 *
 * The functions have the same results as the plain functions of sampler_plain.c, detail.c and
 * tmu.c, which serve hosts without a set, and the requests that the functions refuse. */
#ifndef VC4_TMU_SAMPLER_KERNELS_H
#define VC4_TMU_SAMPLER_KERNELS_H

#include <stdbool.h>
#include <stdint.h>

#include "vc4/lanes/lanes.h"
#include "vc4/time/cache.h"
#include "vc4/tmu/sampler_state.h"

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

struct sampler_kernels {
    /* Fetches and filters the texels of all lanes of a level that is completely mapped. Sets
     * taps->inside, the addresses, and result if the type's channels are bytes or the filter is
     * nearest. Otherwise sets taps->word and the weights. */
    void (*sample)(const struct sampler_job *job, struct sampler_taps *taps, lanes result[2]);
    /* Computes the levels of detail of four quads of an image, in steps of 1/256. place[] has s and
     * t, and window[] the number of texels on each axis. */
    void (*details)(const lanes place[2], const double window[2], int32_t detail[4]);
    /* Like details(), but may return any other level of detail for which the nearest level is the
     * same, and which is also above 0 or also at most 0. */
    void (*rough_details)(const lanes place[2], const double window[2], int32_t detail[4]);
    /* Returns the lanes for which an access of any tap would miss or change the cache. address and
     * used have an entry for each tap. The cache has one way. */
    lane_mask (*not_latest)(const struct cache *cache, const lanes *address, const lane_mask *used,
                            unsigned taps);
};

/* Returns the set for this host's processor, or NULL if there is none. */
const struct sampler_kernels *sampler_kernels_native(void);

#ifdef __x86_64__
extern const struct sampler_kernels sampler_kernels_avx2;

/* Parts of sampler_kernels_avx2. sampler_locate_avx2() sets all members of *taps except for .word.
 * sampler_fetch_avx2() reads them, and sets .word and result. */
void sampler_locate_avx2(const struct sampler_job *job, struct sampler_taps *taps);
void sampler_fetch_avx2(const struct sampler_job *job, struct sampler_taps *taps, lanes result[2]);
#endif

#endif
