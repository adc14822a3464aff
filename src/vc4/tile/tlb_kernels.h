/* SPDX-License-Identifier: MIT */
/* tlb_kernels.h - private to the Tile Buffer: tests and writes of 16 samples at once, with one set
 * of functions for each width of host vectors. All sets have the same results.
 *
 * In:  16 values, a set of 16 bits that selects samples, and the places of the samples.
 * Out: the planes of the tile; sets of 16 bits. */
#ifndef VC4_TILE_TLB_KERNELS_H
#define VC4_TILE_TLB_KERNELS_H

#include "base/cpu.h"
#include "vc4/tile/tlb_state.h"

/* The places of 16 samples in a plane: four indices, each of which is that of four adjacent
 * samples. Bit i of a set of samples is sample i % 4 of place i / 4. Two places may be the same;
 * the places are then used in their order. */
struct tlb_places {
    uint32_t index[4];
};

/* Parameters of a depth test. */
struct tlb_depth {
    enum tlb_compare function;
    bool update;      /* true if samples that pass store their Z */
    uint32_t clear_z; /* 24 bits */
};

/* Results of a depth test, as sets of samples. */
struct tlb_depth_result {
    uint16_t failed;
    uint16_t at_clear; /* samples of .failed where the stored Z was the clear value */
    uint16_t changed;  /* samples with a changed Z */
};

struct tlb_kernels {
    /* Returns the places of sample 0 of a fragment's quads. */
    struct tlb_places (*places)(const struct tlb_geometry *tile, const uint16_t x[4],
                                const uint16_t y[4]);

    /* Runs the depth test of the samples in `tested`. zs is the plane of Z and stencil, and z has
     * values of 24 bits; higher bits are ignored. */
    struct tlb_depth_result (*depth)(uint32_t *zs, const struct tlb_places *places, const lanes *z,
                                     uint16_t tested, const struct tlb_depth *depth);

    /* Writes words to a plane, for the samples in `written`. Returns the samples that changed. */
    uint16_t (*write)(uint32_t *plane, const struct tlb_places *places, const lanes *value,
                      uint16_t written);

    /* Returns the samples of a plane whose upper 8 bits are 0. */
    uint16_t (*zero_tops)(const uint32_t *plane, const struct tlb_places *places);

    /* Reads 16 words. */
    void (*read)(const uint32_t *plane, const struct tlb_places *places, lanes *out);
};

/* The set for vectors of 16 bytes, which every host supports, and the set for x86-64 with AVX2. */
extern const struct tlb_kernels tlb_kernels_portable, tlb_kernels_avx2;

/* Returns the fastest set of this host. */
static inline const struct tlb_kernels *tlb_kernels_native(void)
{
#ifdef __x86_64__
    if (cpu_has_avx2())
        return &tlb_kernels_avx2;
#endif
    return &tlb_kernels_portable;
}

#endif
