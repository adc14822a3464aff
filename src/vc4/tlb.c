/* SPDX-License-Identifier: MIT */
/* tlb.c - Tile Buffer, shader side: Z and stencil tests, colour and alpha-mask access.
 *
 * In:       writes to registers 43 to 47 and load signals of fragment shaders, for 16 pixels.
 * Out:      the tile's planes; colour and mask to shaders; multisample flags reduced by failed
 *           tests.
 * Source:   manual section 5, tables 26 to 29; Mesa vc4_program.c for how drivers use them.
 * Modelled: tiles of one or four samples a pixel, with 32-bit or 64-bit colour, 24-bit Z, 8-bit
 *           stencil and 8-bit mask each.
 * Differs:  the early-Z buffer of the silicon has a reduced resolution; here the tile's Z itself
 *           serves, which rejects no more than the depth test would. Silicon takes front or back
 *           stencil for a whole batch (erratum HW-2924); here each pixel takes its own, as the
 *           manual says, with a warning. See docs/vc4/tlb.md. */
#include "vc4/tlb.h"

#include <string.h>

#include "base/bits.h"
#include "isa/cl/cl.h"
#include "vc4/quad.h"
#include "vc4/tlb_memory.h"

enum { QUADS = LANES / 4, Z_MASK = 0xffffff, ANY_SAMPLE = 0xf };

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

/* --- quads --- */

/* Words of one quad of 16 lanes. */
static quad_words quad_of(const lanes *value, uint32_t q)
{
    return quad_load((const char *)value + q * sizeof(quad_words));
}

/* Puts value where the condition holds. */
static void blend_quad(uint32_t *at, quad_words value, quad_words condition)
{
    quad_store(at, (quad_load(at) & ~condition) | (value & condition));
}

static bool is_zero(quad_words value)
{
    uint64_t half[2];
    memcpy(half, &value, sizeof half);
    return (half[0] | half[1]) == 0;
}

/* Multisample flags of the pixels of a quad that are in the mask, a byte each. */
static uint32_t flags_of(const struct tlb_fragment *fragment, uint32_t q, lane_mask mask)
{
    return load_le32(&fragment->ms_flags[q * 4]) & quad_bytes((uint32_t)mask >> q * 4 & 0xf) * 0xff;
}

/* Flags -> a 1 for each pixel that has any, in its byte. */
static uint32_t any_sample(uint32_t flags)
{
    uint32_t pairs = flags | flags >> 2;
    return (pairs | pairs >> 1) & 0x01010101;
}

/* The pixels of all quads that have any. */
static lane_mask covered_pixels(const struct tlb_fragment *fragment)
{
    unsigned pixels = 0;
    for (uint32_t q = 0; q < QUADS; q++)
        pixels |= quad_mask_of_bytes(any_sample(load_le32(&fragment->ms_flags[q * 4]))) << q * 4;
    return (lane_mask)pixels;
}

/* The pixels whose flags have a sample. Without multisampling any flag means the pixel. */
static quad_words pixels_with(const struct tlb *tlb, uint32_t flags, uint32_t sample)
{
    uint32_t bits = tlb->tile.samples == 1 ? ANY_SAMPLE : 1u << sample;
    quad_words pixels = {bits, bits << 8, bits << 16, bits << 24};
    return (quad_words)((quad_all(flags) & pixels) != 0);
}

/* Index of a quad's first sample. Shaders can write the quad registers: positions wrap. */
static uint32_t quad_index(const struct tlb *tlb, const struct tlb_fragment *fragment, uint32_t q)
{
    return tlb_sample_index(&tlb->tile, fragment->x[q] & ~1u, fragment->y[q] & ~1u, 0);
}

/* The flags that stand for one sample of a pixel. */
static uint32_t sample_flags(const struct tlb *tlb, uint32_t sample)
{
    return tlb->tile.samples == 1 ? ANY_SAMPLE : 1u << sample;
}

/* --- depth and stencil --- */

/* A function's code is itself a set: bit 0 = less, bit 1 = equal, bit 2 = greater. */
static bool compare(enum tlb_compare function, uint32_t incoming, uint32_t stored)
{
    uint32_t relation = incoming < stored ? 0 : incoming == stored ? 1 : 2;
    return function >> relation & 1;
}

/* The same for a quad of values below 2^31. */
static quad_words compare_quad(enum tlb_compare function, quad_words incoming, quad_words stored)
{
    quad_words less = (quad_words)((quad_ints)incoming < (quad_ints)stored);
    quad_words equal = (quad_words)(incoming == stored);
    return (less & quad_all(-(function & 1u))) | (equal & quad_all(-(function >> 1 & 1u))) |
           (~(less | equal) & quad_all(-(function >> 2 & 1u)));
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

/* What became of samples in the two tests, as sets of pixels: quads are counted by them. */
struct tested {
    uint32_t stencil_passed, passed;
};

/* Both tests for one sample whose Z and stencil word is *zs. */
static bool test_sample(const struct tlb_fragment *fragment, const struct tlb_stencil *face,
                        uint32_t z, uint32_t *zs, struct tested *tested)
{
    uint32_t stored_z = *zs >> 8, stencil = *zs & 0xff;
    if (face->enabled && !stencil_passes(face, stencil)) {
        *zs = stored_z << 8 | stencil_update(face, face->stencil_fail_op, stencil);
        return false;
    }
    tested->stencil_passed = 1;
    bool passes = compare(fragment->depth_function, z, stored_z);
    if (face->enabled)
        stencil = stencil_update(face, passes ? face->z_pass_op : face->z_fail_op, stencil);
    if (passes && fragment->depth_update)
        stored_z = z;
    *zs = stored_z << 8 | stencil;
    tested->passed |= passes;
    return passes;
}

/* A quad's tests, where a face has a stencil test; index is that of its first sample. */
static struct tested test_with_stencil(struct tlb *tlb, struct tlb_fragment *fragment, uint32_t q,
                                       uint32_t index, quad_words z, uint32_t flags)
{
    struct tested tested = {0};
    for (uint32_t sample = 0; sample < tlb->tile.samples; sample++)
        for (uint32_t i = 0; i < 4; i++) {
            uint32_t lane = q * 4 + i, bits = sample_flags(tlb, sample);
            const struct tlb_stencil *face = fragment->rev_flag >> lane & 1 ? &fragment->back
                                                                            : &fragment->front;
            if (flags >> i * 8 & bits &&
                !test_sample(fragment, face, z[i], &tlb->zs[index + sample * 4 + i], &tested))
                fragment->ms_flags[lane] &= (uint8_t)~bits;
        }
    return tested;
}

/* A quad's depth test; what fails loses its flags. */
static struct tested test_depth(struct tlb *tlb, struct tlb_fragment *fragment, uint32_t q,
                                uint32_t index, quad_words z, uint32_t flags)
{
    uint32_t failed = 0;
    for (uint32_t sample = 0; sample < tlb->tile.samples; sample++) {
        uint32_t *zs = &tlb->zs[index + sample * 4];
        quad_words stored = quad_load(zs), tested = pixels_with(tlb, flags, sample);
        quad_words passes = compare_quad(fragment->depth_function, z, stored >> 8) & tested;
        if (fragment->depth_update)
            blend_quad(zs, z << 8 | (stored & 0xff), passes);
        failed |= quad_bytes(quad_mask(tested & ~passes)) * sample_flags(tlb, sample);
    }
    uint8_t *kept = &fragment->ms_flags[q * 4];
    store_le32(kept, load_le32(kept) & ~failed);
    return (struct tested){.stencil_passed = 1, .passed = (flags & ~failed) != 0};
}

static void count_tested(struct tlb *tlb, struct tested tested)
{
    if (!tested.stencil_passed)
        pctr_add(tlb->counts, PCTR_TLB_QUADS_STENCIL_FAILED, 1);
    pctr_add(tlb->counts, tested.passed ? PCTR_TLB_QUADS_TESTS_PASSED : PCTR_TLB_QUADS_TESTS_FAILED,
             1);
}

static bool same_stencil(const struct tlb_stencil *a, const struct tlb_stencil *b)
{
    if (!a->enabled && !b->enabled)
        return true;
    return a->enabled == b->enabled && a->z_fail_op == b->z_fail_op &&
           a->z_pass_op == b->z_pass_op && a->stencil_fail_op == b->stencil_fail_op &&
           a->function == b->function && a->reference == b->reference &&
           a->compare_mask == b->compare_mask && a->write_mask == b->write_mask;
}

/* Erratum HW-2924: silicon takes one face's setup for all quads of a Z write. */
static void check_faces(struct tlb *tlb, const struct tlb_fragment *fragment, lane_mask mask)
{
    unsigned faces = 0; /* bit 0 = front, bit 1 = back */
    for (uint32_t lane = 0; lane < LANES; lane++)
        if (mask >> lane & 1 && fragment->ms_flags[lane])
            faces |= fragment->rev_flag >> lane & 1 ? 2 : 1;
    if (faces == 3 && !same_stencil(&fragment->front, &fragment->back))
        fault(tlb->log, FAULT_TLB_STENCIL_FACES,
              "quads of both faces are in one Z write, and the faces differ in their stencil "
              "setup; the silicon takes one face's for all of them (erratum HW-2924)");
}

void tlb_fragment_start(struct tlb_fragment *fragment)
{
    fragment->front = (struct tlb_stencil){.enabled = false};
    fragment->back = (struct tlb_stencil){.enabled = false};
    fragment->colour_reads = fragment->colour_writes = fragment->colour_all_writes = 0;
    fragment->tested = false;
    fragment->untested_colour = 0;
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

void tlb_write_z(struct tlb *tlb, struct tlb_fragment *fragment, const lanes *z, lane_mask mask)
{
    bool stencil = fragment->front.enabled || fragment->back.enabled;
    if (stencil)
        check_faces(tlb, fragment, mask);
    for (uint32_t q = 0; q < QUADS; q++) {
        uint32_t flags = flags_of(fragment, q, mask);
        if (!flags)
            continue;
        quad_words incoming = quad_of(z, q) & Z_MASK;
        uint32_t index = quad_index(tlb, fragment, q);
        count_tested(tlb, (stencil ? test_with_stencil : test_depth)(tlb, fragment, q, index,
                                                                     incoming, flags));
    }
}

/* --- early Z --- */

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

/* Whether a sample of the quad can pass the depth test. */
static bool can_pass(const struct tlb *tlb, const struct tlb_fragment *fragment, uint32_t q,
                     quad_words z, uint32_t flags)
{
    uint32_t index = quad_index(tlb, fragment, q);
    quad_words passes = {0};
    for (uint32_t sample = 0; sample < tlb->tile.samples; sample++) {
        quad_words stored = quad_load(&tlb->zs[index + sample * 4]) >> 8;
        passes |= compare_quad(fragment->depth_function, z, stored) &
                  pixels_with(tlb, flags, sample);
    }
    return !is_zero(passes);
}

static void check_reloaded(struct tlb *tlb)
{
    if (!tlb->reloaded || tlb->tile.samples == 1)
        return;
    tlb->reloaded = false;
    fault(tlb->log, FAULT_TLB_EARLY_Z_RELOAD,
          "early Z in a multisample tile that was loaded from a full dump: the silicon's early-Z "
          "buffer is wrong there (erratum HW-2905)");
}

lane_mask tlb_early_z(struct tlb *tlb, const struct tlb_fragment *fragment, const lanes *z)
{
    bool tested = has_early_z(tlb, fragment->depth_function);
    if (tested)
        check_reloaded(tlb);
    unsigned left = 0;
    for (uint32_t q = 0; q < QUADS; q++) {
        uint32_t flags = flags_of(fragment, q, ALL_LANES);
        if (!flags)
            continue;
        if (!tested || can_pass(tlb, fragment, q, quad_of(z, q) & Z_MASK, flags))
            left |= quad_mask_of_bytes(any_sample(flags)) << q * 4;
        else
            pctr_add(tlb->counts, PCTR_FEP_CLIPPED_QUADS, 1);
    }
    return (lane_mask)left;
}

/* --- colour --- */

/* Which sample and which of its words an access of a sequence is about. */
struct place {
    uint32_t sample, word;
};

static struct place place_of(const struct tlb *tlb, uint32_t access)
{
    uint32_t sample = tlb->tile.words == 2 ? access >> 1 : access;
    return (struct place){.sample = sample & (tlb->tile.samples - 1),
                          .word = access & (tlb->tile.words - 1)};
}

/* Remembers which samples were written, as long as others may be undefined. */
static void note_drawn(struct tlb *tlb, uint32_t index, quad_words written)
{
    if (!tlb_contents_known(tlb))
        tlb->drawn[index / 64] |= (uint64_t)quad_mask(written) << index % 64;
}

/* Writes samples first to last - 1 of a quad. */
static void write_samples(struct tlb *tlb, uint32_t index, quad_words value, uint32_t flags,
                          uint32_t first, uint32_t last, uint32_t word)
{
    for (uint32_t sample = first; sample < last; sample++) {
        quad_words written = pixels_with(tlb, flags, sample);
        uint32_t at = index + sample * 4;
        blend_quad(&tlb->colour[at + word * TLB_SECOND_WORDS], value, written);
        note_drawn(tlb, at, written);
    }
}

void tlb_write_colour(struct tlb *tlb, struct tlb_fragment *fragment, const lanes *colour,
                      lane_mask mask, bool all)
{
    bool every = all || tlb->tile.samples == 1;
    struct place place = place_of(tlb, every ? fragment->colour_all_writes++
                                             : fragment->colour_writes++);
    uint32_t first = every ? 0 : place.sample;
    uint32_t last = every ? tlb->tile.samples : first + 1;
    uint64_t written = 0;
    for (uint32_t q = 0; q < QUADS; q++) {
        uint32_t flags = flags_of(fragment, q, mask);
        if (!flags)
            continue;
        write_samples(tlb, quad_index(tlb, fragment, q), quad_of(colour, q), flags, first, last,
                      place.word);
        written++;
    }
    if (first == 0 && place.word == 0)
        pctr_add(tlb->counts, PCTR_TLB_QUADS_WRITTEN, written);
}

void tlb_read_colour(struct tlb *tlb, struct tlb_fragment *fragment, lanes *out)
{
    struct place place = place_of(tlb, fragment->colour_reads++);
    uint32_t offset = place.word * TLB_SECOND_WORDS + place.sample * 4;
    for (uint32_t q = 0; q < QUADS; q++)
        quad_store((char *)out + q * sizeof(quad_words),
                   quad_load(&tlb->colour[quad_index(tlb, fragment, q) + offset]));
}

/* --- alpha mask and coverage --- */

static void require_mask(struct tlb *tlb, const char *access)
{
    if (!tlb_has_mask(tlb))
        fault(tlb->log, FAULT_TLB_CONFIG,
              "alpha-mask %s, but Tile Rendering Mode does not enable the VG mask buffer" WITH_HINT
              "set bit 8 of the flags of record 113 (vg_mask)",
              access);
}

void tlb_write_mask(struct tlb *tlb, struct tlb_fragment *fragment, const lanes *value,
                    lane_mask mask)
{
    require_mask(tlb, "write");
    for (uint32_t lane = 0; lane < LANES; lane++) {
        if (!(mask >> lane & 1))
            continue;
        uint32_t index = quad_index(tlb, fragment, lane >> 2) + (lane & 3);
        for (uint32_t sample = 0; sample < tlb->tile.samples; sample++)
            if (fragment->ms_flags[lane] & sample_flags(tlb, sample))
                tlb->mask[index + sample * 4] = (uint8_t)(*value)[lane];
    }
}

void tlb_read_mask(struct tlb *tlb, struct tlb_fragment *fragment, lanes *out)
{
    require_mask(tlb, "read");
    for (uint32_t lane = 0; lane < LANES; lane++)
        (*out)[lane] = tlb->mask[quad_index(tlb, fragment, lane >> 2) + (lane & 3)];
}

/* --- coverage --- */

static struct cap_quads quads_of(const struct tlb_fragment *fragment)
{
    struct cap_quads quads = {.lanes = covered_pixels(fragment)};
    memcpy(quads.x, fragment->x, sizeof quads.x);
    memcpy(quads.y, fragment->y, sizeof quads.y);
    return quads;
}

/* The coverage of the current tile. */
static struct cap *coverage(const struct tlb *tlb)
{
    return &tlb->cap[tlb->tile.halves == TLB_HALVES ? tlb->half : 0];
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
    lane_mask covered = cap_read(coverage(tlb), &quads, fragment->coverage_read, out);
    for (uint32_t lane = 0; lane < LANES; lane += 4)
        if (quads.lanes >> lane & 0xf)
            pctr_add(tlb->counts,
                     covered >> lane & 0xf ? PCTR_TLB_QUADS_COVERAGE : PCTR_TLB_QUADS_NO_COVERAGE,
                     1);
}

void tlb_accumulate(struct tlb *tlb, const struct pse_primitive *primitive,
                    const struct cl_state *state, const struct fep_window *window)
{
    check_coverage_mode(tlb, "accumulation");
    if (!coverage(tlb)->used && (tlb->clear_z || tlb->clear_stencil))
        fault(tlb->log, FAULT_CAP_CLEAR,
              "coverage is accumulated in a tile that was cleared to Z 0x%06x, stencil 0x%02x",
              tlb->clear_z, tlb->clear_stencil);
    cap_draw(coverage(tlb), primitive, state->configuration, window);
}

lane_mask tlb_early_coverage(const struct tlb *tlb, const struct tlb_fragment *fragment)
{
    if (!frame_bit(tlb, CL_TILE_RENDERING_MODE_COVERAGE_BIT) ||
        frame_bit(tlb, CL_TILE_RENDERING_MODE_EARLY_Z_DISABLE_BIT))
        return covered_pixels(fragment);
    struct cap_quads quads = quads_of(fragment);
    lane_mask covered = cap_covered_quads(coverage(tlb), &quads);
    for (uint32_t lane = 0; lane < LANES; lane += 4)
        pctr_add(tlb->counts, PCTR_TLB_QUADS_NO_COVERAGE,
                 (quads.lanes & ~covered) >> lane & 0xf && !(covered >> lane & 0xf));
    return covered;
}
