/* SPDX-License-Identifier: MIT */
/* tlb.c - Tile Buffer, shader side: Z and stencil tests, colour and alpha-mask access.
 *
 * In:       writes to registers 43 to 47 and load signals of fragment shaders, for 16 pixels.
 * Out:      the tile's planes; colour and mask to shaders; multisample flags reduced by failed
 *           tests.
 * Source:   manual section 5, tables 26 to 29; Mesa vc4_program.c for how drivers use them.
 * Modelled: tiles of 64 x 64 pixels with a 32-bit colour, 24-bit Z and 8-bit stencil each.
 * Left out: multisampling and 64-bit colour (reported as not modelled).
 * Differs:  the early-Z buffer of the silicon has a reduced resolution; here the tile's Z itself
 *           serves, which rejects no more than the depth test would. Silicon takes front or back stencil for a whole batch (erratum HW-2924); here each
 *           pixel takes its own, as the manual says. See docs/vc4/tlb.md. */
#include "vc4/tlb.h"

#include "base/bits.h"
#include "isa/cl/cl.h"
#include "vc4/tlb_memory.h"

enum { Z_MASK = 0xffffff };

/* Operations of manual table 27. */
enum stencil_op {
    STENCIL_ZERO,
    STENCIL_KEEP,
    STENCIL_REPLACE,
    STENCIL_INC_SATURATE,
    STENCIL_DEC_SATURATE,
    STENCIL_INVERT,
    STENCIL_INC,
    STENCIL_DEC,
};

/* The first field of a stencil setup word. */
enum { SETUP_WRITE_MASKS, SETUP_FRONT, SETUP_BACK };

/* Index of a lane's pixel. Shaders can write the quad registers: positions wrap in the tile. */
static uint32_t pixel_index(const struct tlb_fragment *fragment, uint32_t lane)
{
    uint32_t quad = lane >> 2;
    uint32_t x = (fragment->x[quad] + (lane & 1)) % TLB_WIDTH;
    uint32_t y = (fragment->y[quad] + ((lane >> 1) & 1)) % TLB_HEIGHT;
    return y * TLB_WIDTH + x;
}

static bool is_written(const struct tlb_fragment *fragment, lane_mask mask, uint32_t lane)
{
    return (mask >> lane & 1) && fragment->ms_flags[lane];
}

/* A function's code is itself a set: bit 0 = less, bit 1 = equal, bit 2 = greater. */
static bool compare(enum tlb_compare function, uint32_t incoming, uint32_t stored)
{
    uint32_t relation = incoming < stored ? 0 : incoming == stored ? 1 : 2;
    return function >> relation & 1;
}

static bool stencil_passes(const struct tlb_stencil *face, uint32_t stored)
{
    return compare((enum tlb_compare)face->function, face->reference & face->compare_mask,
                   stored & face->compare_mask);
}

static uint32_t stencil_result(enum stencil_op op, uint32_t stored, uint32_t reference)
{
    switch (op) {
    case STENCIL_ZERO: return 0;
    case STENCIL_KEEP: return stored;
    case STENCIL_REPLACE: return reference;
    case STENCIL_INC_SATURATE: return stored == 0xff ? 0xff : stored + 1;
    case STENCIL_DEC_SATURATE: return stored == 0 ? 0 : stored - 1;
    case STENCIL_INVERT: return ~stored & 0xff;
    case STENCIL_INC: return (stored + 1) & 0xff;
    case STENCIL_DEC: return (stored - 1) & 0xff;
    }
    return stored;
}

static uint32_t stencil_update(const struct tlb_stencil *face, uint8_t op, uint32_t stored)
{
    uint32_t result = stencil_result((enum stencil_op)op, stored, face->reference);
    return (stored & ~(uint32_t)face->write_mask) | (result & face->write_mask);
}

/* Both tests for one pixel whose Z and stencil word is *zs. */
static bool test_pixel(const struct tlb_fragment *fragment, const struct tlb_stencil *face,
                       uint32_t z, uint32_t *zs)
{
    uint32_t stored_z = *zs >> 8, stencil = *zs & 0xff;
    if (face->enabled && !stencil_passes(face, stencil)) {
        *zs = stored_z << 8 | stencil_update(face, face->stencil_fail_op, stencil);
        return false;
    }
    bool passes = compare(fragment->depth_function, z, stored_z);
    if (face->enabled)
        stencil = stencil_update(face, passes ? face->z_pass_op : face->z_fail_op, stencil);
    if (passes && fragment->depth_update)
        stored_z = z;
    *zs = stored_z << 8 | stencil;
    return passes;
}

void tlb_fragment_start(struct tlb_fragment *fragment)
{
    fragment->front = (struct tlb_stencil){.enabled = false};
    fragment->back = (struct tlb_stencil){.enabled = false};
    fragment->colour_reads = fragment->colour_writes = 0;
}

/* Manual table 27. */
static struct tlb_stencil stencil_configuration(uint32_t word)
{
    static const uint8_t write_masks[4] = {0x01, 0x03, 0x0f, 0xff};
    return (struct tlb_stencil){
        .enabled = true,
        .write_mask = write_masks[bits_get(word, 29, 28)],
        .z_fail_op = (uint8_t)bits_get(word, 27, 25),
        .z_pass_op = (uint8_t)bits_get(word, 24, 22),
        .stencil_fail_op = (uint8_t)bits_get(word, 21, 19),
        .function = (uint8_t)bits_get(word, 18, 16),
        .reference = (uint8_t)bits_get(word, 15, 8),
        .compare_mask = (uint8_t)bits_get(word, 7, 0),
    };
}

void tlb_stencil_setup(struct tlb *tlb, struct tlb_fragment *fragment, uint32_t word)
{
    (void)tlb;
    uint32_t selected = (uint32_t)bits_get(word, 31, 30);
    if (selected == SETUP_WRITE_MASKS) {
        fragment->front.write_mask = (uint8_t)bits_get(word, 7, 0);
        fragment->back.write_mask = (uint8_t)bits_get(word, 15, 8);
        return;
    }
    if (selected & SETUP_FRONT)
        fragment->front = stencil_configuration(word);
    if (selected & SETUP_BACK)
        fragment->back = stencil_configuration(word);
}

/* A flag of record 113, by its bit in the record. */
static bool frame_bit(const struct tlb *tlb, unsigned bit)
{
    return tlb->frame.flags >> (bit - CL_TILE_RENDERING_MODE_MULTISAMPLE_BIT) & 1;
}

/* Whether the depth function goes the way that record 113 keeps the early-Z buffer for. */
static bool has_early_z(const struct tlb *tlb, enum tlb_compare function)
{
    if (frame_bit(tlb, CL_TILE_RENDERING_MODE_EARLY_Z_DISABLE_BIT))
        return false;
    if (frame_bit(tlb, CL_TILE_RENDERING_MODE_EARLY_Z_DIRECTION_BIT))
        return function == TLB_GT || function == TLB_GE;
    return function == TLB_LT || function == TLB_LE;
}

lane_mask tlb_early_z(const struct tlb *tlb, const struct tlb_fragment *fragment, const lanes *z)
{
    bool tested = has_early_z(tlb, fragment->depth_function);
    unsigned covered = 0, quads = 0; /* quads: all four lanes of those that stay */
    for (uint32_t lane = 0; lane < LANES; lane++) {
        if (!fragment->ms_flags[lane])
            continue;
        covered |= 1u << lane;
        uint32_t stored = tlb->zs[pixel_index(fragment, lane)] >> 8;
        if (!tested || compare(fragment->depth_function, (*z)[lane] & Z_MASK, stored))
            quads |= 0xfu << (lane & ~3u);
    }
    return (lane_mask)(covered & quads);
}

void tlb_write_z(struct tlb *tlb, struct tlb_fragment *fragment, const lanes *z, lane_mask mask)
{
    for (uint32_t lane = 0; lane < LANES; lane++) {
        if (!is_written(fragment, mask, lane))
            continue;
        const struct tlb_stencil *face = fragment->rev_flag >> lane & 1 ? &fragment->back
                                                                        : &fragment->front;
        if (!test_pixel(fragment, face, (*z)[lane] & Z_MASK, &tlb->zs[pixel_index(fragment, lane)]))
            fragment->ms_flags[lane] = 0;
    }
}

void tlb_write_colour(struct tlb *tlb, struct tlb_fragment *fragment, const lanes *colour,
                      lane_mask mask, bool all)
{
    (void)all;
    for (uint32_t lane = 0; lane < LANES; lane++) {
        if (!is_written(fragment, mask, lane))
            continue;
        uint32_t index = pixel_index(fragment, lane);
        tlb->colour[index] = (*colour)[lane];
        if (!tlb->contents_known)
            tlb->drawn[index / TLB_WIDTH] |= UINT64_C(1) << index % TLB_WIDTH;
    }
}

void tlb_read_colour(struct tlb *tlb, struct tlb_fragment *fragment, lanes *out)
{
    for (uint32_t lane = 0; lane < LANES; lane++)
        (*out)[lane] = tlb->colour[pixel_index(fragment, lane)];
}

static void require_mask(struct tlb *tlb, const char *access)
{
    if (!tlb_has_mask(tlb))
        fault(tlb->log, FAULT_TLB_CONFIG,
              "alpha-mask %s, but Tile Rendering Mode does not enable the VG mask buffer", access);
}

void tlb_write_mask(struct tlb *tlb, struct tlb_fragment *fragment, const lanes *value,
                    lane_mask mask)
{
    require_mask(tlb, "write");
    for (uint32_t lane = 0; lane < LANES; lane++)
        if (is_written(fragment, mask, lane))
            tlb->mask[pixel_index(fragment, lane)] = (uint8_t)(*value)[lane];
}

void tlb_read_mask(struct tlb *tlb, struct tlb_fragment *fragment, lanes *out)
{
    require_mask(tlb, "read");
    for (uint32_t lane = 0; lane < LANES; lane++)
        (*out)[lane] = tlb->mask[pixel_index(fragment, lane)];
}

/* --- coverage --- */

static struct cap_quads quads_of(const struct tlb_fragment *fragment)
{
    struct cap_quads quads = {.lanes = 0};
    for (uint32_t quad = 0; quad < 4; quad++) {
        quads.x[quad] = fragment->x[quad];
        quads.y[quad] = fragment->y[quad];
    }
    for (uint32_t lane = 0; lane < LANES; lane++)
        quads.lanes |= (lane_mask)((fragment->ms_flags[lane] != 0) << lane);
    return quads;
}

static void check_coverage_mode(struct tlb *tlb, const char *access)
{
    if (frame_bit(tlb, CL_TILE_RENDERING_MODE_MULTISAMPLE_BIT))
        fault(tlb->log, FAULT_CAP_MODE, "coverage %s in multisample mode", access);
}

void tlb_read_coverage(struct tlb *tlb, struct tlb_fragment *fragment, lanes *out)
{
    struct cap_quads quads = quads_of(fragment);
    check_coverage_mode(tlb, "load");
    cap_read(tlb->cap, &quads, fragment->coverage_read, out);
}

void tlb_accumulate(struct tlb *tlb, const struct pse_primitive *primitive,
                    const struct cl_state *state, const struct fep_window *window)
{
    check_coverage_mode(tlb, "accumulation");
    if (!tlb->cap->used && (tlb->clear_z || tlb->clear_stencil))
        fault(tlb->log, FAULT_CAP_CLEAR,
              "coverage is accumulated in a tile that was cleared to Z 0x%06x, stencil 0x%02x",
              tlb->clear_z, tlb->clear_stencil);
    cap_draw(tlb->cap, primitive, state->configuration, window);
}

lane_mask tlb_early_coverage(const struct tlb *tlb, const struct tlb_fragment *fragment)
{
    struct cap_quads quads = quads_of(fragment);
    bool tested = frame_bit(tlb, CL_TILE_RENDERING_MODE_COVERAGE_BIT) &&
                  !frame_bit(tlb, CL_TILE_RENDERING_MODE_EARLY_Z_DISABLE_BIT);
    return tested ? cap_covered_quads(tlb->cap, &quads) : quads.lanes;
}
