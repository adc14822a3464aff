/* SPDX-License-Identifier: MIT */
/* sampler_kernels.h - the steps of texture sampling for the vector width of the host's processor.
 *
 * The functions have the same results as the plain functions of sampler_plain.c, detail.c and
 * tmu.c, which serve hosts without a set, and the requests that the functions refuse. */
#ifndef VC4_TMU_SAMPLER_KERNELS_H
#define VC4_TMU_SAMPLER_KERNELS_H

#include <stdint.h>

#include "vc4/lanes/lanes.h"
#include "vc4/time/cache.h"
#include "vc4/tmu/sampler_state.h"

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
    /* Finds the accesses of one or four taps of all lanes that may be the first of their lines.
     * Lanes are in order, and the taps of a lane in order. Bit lane * 4 + tap of the result is 0
     * only if there is no such tap, or if an earlier access is on the same line of TMU_CACHE_LINE
     * bytes. */
    uint64_t (*fresh_lines)(const lanes *address, unsigned taps);
    /* Returns the accesses of one or four taps of all lanes to the line with this number, numbered
     * like those of fresh_lines(). */
    uint64_t (*on_line)(const lanes *address, unsigned taps, uint32_t line);
};

/* Returns the set for this host's processor, or NULL if there is none. */
const struct sampler_kernels *sampler_kernels_native(void);

#ifdef __x86_64__
extern const struct sampler_kernels sampler_kernels_avx2;

/* Parts of sampler_kernels_avx2. sampler_locate_avx2() sets all members of *taps except for .word.
 * The functions for fetches, by type and filter, read them, and set .word and result. */
typedef void sampler_fetch(const struct sampler_job *job, struct sampler_taps *taps,
                           lanes result[2]);
void sampler_locate_avx2(const struct sampler_job *job, struct sampler_taps *taps);
extern sampler_fetch *const sampler_fetches_avx2[][2];
sampler_fetch sampler_fetch_bordered_avx2;
#endif

#endif
