/* SPDX-License-Identifier: MIT */
/* tlb_fragment.h - private to the Tile Buffer: sets of lanes and samples of a fragment.
 *
 * A set of lanes has bit i for lane i. A set of samples is that of one quad of a multisample tile:
 * bit 4*s + p for sample s of pixel p, in the order of the planes. */
#ifndef VC4_TILE_TLB_FRAGMENT_H
#define VC4_TILE_TLB_FRAGMENT_H

#include "base/bits.h"
#include "vc4/lanes/lane_bytes.h"
#include "vc4/lanes/quad.h"
#include "vc4/tile/tlb_kernels.h"

enum { TLB_QUADS = LANES / 4, TLB_ANY_SAMPLE = 0xf };

/* Returns the multisample flags of a quad's pixels, one byte per pixel. */
static inline uint32_t tlb_quad_flags(const struct tlb_fragment *fragment, uint32_t q)
{
    return load_le32(&fragment->ms_flags[q * 4]);
}

/* Returns the lanes that have any flag. */
static inline lane_mask tlb_covered(const struct tlb_fragment *fragment)
{
    return lane_bytes_any(fragment->ms_flags, TLB_ANY_SAMPLE);
}

/* Returns the lanes that have the flag of a sample. */
static inline lane_mask tlb_covered_at(const struct tlb_fragment *fragment, uint32_t sample)
{
    return lane_bytes_any(fragment->ms_flags, (uint8_t)(1u << sample));
}

/* Convert a quad's flags to a set of samples and back. */
static inline uint32_t tlb_samples_of(uint32_t flags)
{
    uint32_t set = 0;
    for (uint32_t sample = 0; sample < 4; sample++)
        set |= quad_mask_of_bytes(flags >> sample) << sample * 4;
    return set;
}

static inline uint32_t tlb_flags_of(uint32_t samples)
{
    uint32_t flags = 0;
    for (uint32_t sample = 0; sample < 4; sample++)
        flags |= quad_bytes(samples >> sample * 4 & 0xf) << sample;
    return flags;
}

/* Returns the pixels that have any sample in a set of samples. */
static inline uint32_t tlb_pixels_of(uint32_t samples)
{
    return (samples | samples >> 4 | samples >> 8 | samples >> 12) & 0xf;
}

/* Returns the lanes of quad q that have any sample in a set of samples. */
static inline lane_mask tlb_lanes_of(uint32_t samples, uint32_t q)
{
    return (lane_mask)(tlb_pixels_of(samples) << q * 4);
}

/* Sets flags to the multisample flags of the fragment's lanes in `set`, and to 0 in other lanes. */
static inline void tlb_flags_in(uint8_t flags[LANES], const struct tlb_fragment *fragment,
                                lane_mask set)
{
    memcpy(flags, fragment->ms_flags, LANES);
    lane_bytes_clear(flags, (lane_mask)~set);
}

/* Returns the number of quads that have any of the lanes. */
static inline uint32_t tlb_count_quads(lane_mask set)
{
    unsigned pairs = set | set >> 2, quads = (pairs | pairs >> 1) & 0x1111;
    return quads * 0x1111 >> 12 & 0xf;
}

/* Returns the places of sample 0 of a fragment's quads. Positions wrap around at the tile's size,
 * because shaders can write any position to the quad registers. Keeps the places for later calls
 * with the same positions. */
static inline const struct tlb_places *tlb_places(const struct tlb *tlb,
                                                  struct tlb_fragment *fragment)
{
    const size_t size = sizeof fragment->x;
    if (memcmp(fragment->placed_x, fragment->x, size) != 0 ||
        memcmp(fragment->placed_y, fragment->y, size) != 0) {
        fragment->places = tlb->kernels->places(&tlb->tile, fragment->x, fragment->y);
        memcpy(fragment->placed_x, fragment->x, size);
        memcpy(fragment->placed_y, fragment->y, size);
    }
    return &fragment->places;
}

/* Returns the places of the four samples of a quad of a multisample tile. index is the place of its
 * sample 0. */
static inline struct tlb_places tlb_sample_places(uint32_t index)
{
    return (struct tlb_places){{index, index + 4, index + 8, index + 12}};
}

/* Returns the first word of a sample in a plane. The places of sample 0 are then those of the
 * sample. */
static inline uint32_t *tlb_sample_plane(uint32_t *plane, uint32_t sample)
{
    return plane + sample * 4;
}

/* Returns the words of one quad of 16 lanes. */
static inline quad_words tlb_quad_of(const lanes *value, uint32_t q)
{
    return quad_load((const char *)value + q * sizeof(quad_words));
}

/* Sets *all to the four words of quad q, once for each sample. */
static inline void tlb_for_samples(lanes *all, const lanes *value, uint32_t q)
{
    const quad_words words = tlb_quad_of(value, q);
    for (uint32_t sample = 0; sample < 4; sample++)
        quad_store((char *)all + sample * sizeof words, words);
}

#endif
