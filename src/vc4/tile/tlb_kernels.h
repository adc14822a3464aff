/* SPDX-License-Identifier: MIT */
/* tlb_kernels.h - private to the Tile Buffer: tests and writes of 16 samples at once, with one set
 * of functions for each width of host vectors. All sets have the same results.
 *
 * In:  16 values, a set of 16 bits that selects samples, and the places of the samples.
 * Out: the planes of the tile; sets of 16 bits. */
#ifndef VC4_TILE_TLB_KERNELS_H
#define VC4_TILE_TLB_KERNELS_H

#include "exec/cpu.h"
#include "vc4/tile/tlb_state.h"

/* Number of pixels of a step of the functions for rows. The width of a tile is a multiple. */
enum { TLB_ROW_STEP = 8 };

/* Parameters of a depth test. */
struct tlb_depth {
    enum tlb_compare function;
    bool update;      /* true if samples that pass store their Z */
    uint32_t clear_z; /* 24 bits */
};

/* Results of a depth test, as sets of samples. */
struct tlb_depth_result {
    uint32_t failed;
    uint32_t at_clear; /* samples of .failed where the stored Z was the clear value */
    uint32_t changed;  /* samples with a changed Z */
};

/* Results of a depth test in a multisample tile, as multisample flags of each lane. */
struct tlb_samples_result {
    uint8_t failed[LANES];
    uint8_t at_clear[LANES]; /* samples of .failed where the stored Z was the clear value */
    lane_mask changed;       /* lanes that have a sample with a changed Z */
};

/* Parameters of a stencil test. */
struct tlb_stencil_test {
    const struct tlb_stencil *front, *back; /* a test that is not enabled passes */
    uint16_t reverse;                       /* samples that use the setup of the back */
};

/* Results of a stencil test and a depth test, as sets of samples. */
struct tlb_stencil_result {
    uint32_t stencil_failed;
    uint32_t depth_failed; /* samples that passed the stencil test and failed the depth test */
    uint32_t at_clear;     /* samples of .depth_failed where the stored Z was the clear value */
    uint32_t changed;      /* samples with a changed Z or stencil */
};

struct tlb_kernels {
    /* Returns the places of sample 0 of a fragment's quads. */
    struct tlb_places (*places)(const struct tlb_geometry *tile, const uint16_t x[4],
                                const uint16_t y[4]);

    /* Runs the depth test of the samples in `tested`. zs is the plane of Z and stencil, and z has
     * values of 24 bits; higher bits are ignored. */
    struct tlb_depth_result (*depth)(uint32_t *zs, const struct tlb_places *places, const lanes *z,
                                     uint16_t tested, const struct tlb_depth *depth);

    /* Does the same for all samples of a multisample tile. places are the places of sample 0.
     * Bit s of tested[i] selects sample s of lane i. */
    void (*depth_samples)(uint32_t *zs, const struct tlb_places *places, const lanes *z,
                          const uint8_t tested[LANES], const struct tlb_depth *depth,
                          struct tlb_samples_result *result);

    /* Runs the stencil test, then the depth test, of the samples in `tested`. */
    struct tlb_stencil_result (*stencil)(uint32_t *zs, const struct tlb_places *places,
                                         const lanes *z, uint16_t tested,
                                         const struct tlb_depth *depth,
                                         const struct tlb_stencil_test *stencil);

    /* Writes words to a plane, for the samples in `written`. Returns the samples that changed. */
    uint16_t (*write)(uint32_t *plane, const struct tlb_places *places, const lanes *value,
                      uint16_t written);

    /* Writes the word of each lane to those of its samples whose flags are set in `written`.
     * places are the places of sample 0. Returns the lanes that changed. */
    lane_mask (*write_samples)(uint32_t *plane, const struct tlb_places *places, const lanes *value,
                               const uint8_t written[LANES]);

    /* Returns the samples of a plane whose upper 8 bits are 0. */
    uint16_t (*zero_tops)(const uint32_t *plane, const struct tlb_places *places);

    /* Reads 16 words. */
    void (*read)(const uint32_t *plane, const struct tlb_places *places, lanes *out);

    /* --- rows of pixels; count is rounded up to a multiple of TLB_ROW_STEP --- */

    /* Copies sample 0 of a row of quads to the two rows of their pixels. `samples` is 1 or 4. */
    void (*split)(const uint32_t *quads, uint32_t samples, uint32_t count, uint32_t *low,
                  uint32_t *high);

    /* Does the same with the rounded mean of each pixel's four samples. */
    void (*split_means)(const uint32_t *quads, uint32_t count, uint32_t *low, uint32_t *high);

    /* Packs RGBA8888 to BGR565. Before a channel loses its n lowest bits, the upper n bits of the
     * pixel's threshold of four bits are added. The threshold of pixel x is at x & 3. */
    void (*pack_565)(const uint32_t *words, const uint8_t thresholds[4], uint32_t count,
                     uint16_t *pixels);
};

/* The set for vectors of 16 bytes, which every host supports, and the set for x86-64 with AVX2. */
extern const struct tlb_kernels tlb_kernels_portable, tlb_kernels_avx2;

/* Returns the fastest set of this host. */
static inline const struct tlb_kernels *tlb_kernels_native(void)
{
    return CPU_FASTEST(&tlb_kernels_portable, &tlb_kernels_avx2);
}

#endif
