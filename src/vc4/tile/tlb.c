/* SPDX-License-Identifier: MIT */
/* tlb.c - Tile Buffer, shader side: Z and stencil tests, colour and alpha-mask access.
 *
 * In:       writes to registers 43 to 47 and load signals of fragment shaders, for 16 pixels.
 * Out:      the tile's planes; colour and mask to shaders; multisample flags reduced by failed
 *           tests.
 * Source:   manual section 5, tables 26 to 29; Mesa vc4_program.c for a driver's use of the
 *           registers.
 * Modelled: tiles with one or four samples per pixel. Each sample has a 32-bit or 64-bit colour, a
 *           24-bit Z, an 8-bit stencil and an 8-bit mask.
 * Differs:  the silicon's early-Z buffer has a reduced resolution. In this model, early Z uses the
 *           tile's Z, and so rejects only pixels that would also fail the depth test. The silicon
 *           uses either the front or the back stencil setup for a whole batch (erratum HW-2924). In
 *           this model, each pixel uses the setup of its own face, as in the manual, with a
 *           warning. See docs/vc4/tlb.md. */
#include "vc4/tile/tlb.h"

#include <string.h>

#include "base/bits.h"
#include "isa/cl/cl.h"
#include "vc4/lanes/quad.h"
#include "vc4/tile/tlb_memory.h"

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

/* Returns the words of one quad of 16 lanes. */
static quad_words quad_of(const lanes *value, uint32_t q)
{
    return quad_load((const char *)value + q * sizeof(quad_words));
}

/* Writes value in the lanes where the condition holds. Returns the bits that have changed. */
static quad_words blend_quad(uint32_t *at, quad_words value, quad_words condition)
{
    quad_words before = quad_load(at), differences = (before ^ value) & condition;
    quad_store(at, before ^ differences);
    return differences;
}

/* Adds the set bits of quad q's four words to all[]. */
static void add_bits(uint32_t all[LANES], uint32_t q, quad_words bits)
{
    quad_store(&all[q * 4], quad_load(&all[q * 4]) | bits);
}

_Static_assert(LANES == sizeof(quad_words), "the flags of a batch are as long as a quad");

/* Adds the fragment's flags to all[], for the lanes in mask. */
static void add_flags(uint8_t all[LANES], const struct tlb_fragment *fragment, lane_mask mask)
{
    if (mask == ALL_LANES)
        quad_store(all, quad_load(all) | quad_load(fragment->ms_flags));
    for (uint32_t lane = 0; lane < LANES && mask != ALL_LANES; lane++)
        if (mask >> lane & 1)
            all[lane] |= fragment->ms_flags[lane];
}

static bool is_zero(quad_words value)
{
    uint64_t half[2];
    memcpy(half, &value, sizeof half);
    return (half[0] | half[1]) == 0;
}

/* Returns the multisample flags of those pixels of a quad that are in mask, one byte per pixel. */
static uint32_t flags_of(const struct tlb_fragment *fragment, uint32_t q, lane_mask mask)
{
    return load_le32(&fragment->ms_flags[q * 4]) & quad_bytes((uint32_t)mask >> q * 4 & 0xf) * 0xff;
}

/* Converts the flags of four pixels. Each byte becomes 1 if the pixel has any flag, otherwise 0. */
static uint32_t any_sample(uint32_t flags)
{
    uint32_t pairs = flags | flags >> 2;
    return (pairs | pairs >> 1) & 0x01010101;
}

/* Returns the pixels of all quads that have any flag. */
static lane_mask covered_pixels(const struct tlb_fragment *fragment)
{
    unsigned pixels = 0;
    for (uint32_t q = 0; q < QUADS; q++)
        pixels |= quad_mask_of_bytes(any_sample(load_le32(&fragment->ms_flags[q * 4]))) << q * 4;
    return (lane_mask)pixels;
}

/* Returns the pixels whose flags include a sample. Without multisampling, any flag counts as the
 * sample. */
static quad_words pixels_with(const struct tlb *tlb, uint32_t flags, uint32_t sample)
{
    uint32_t bits = tlb->tile.samples == 1 ? ANY_SAMPLE : 1u << sample;
    quad_words pixels = {bits, bits << 8, bits << 16, bits << 24};
    return (quad_words)((quad_all(flags) & pixels) != 0);
}

/* Returns the index of a quad's first sample. Positions wrap around at the tile's size, because
 * shaders can write any position to the quad registers. */
static uint32_t quad_index(const struct tlb *tlb, const struct tlb_fragment *fragment, uint32_t q)
{
    return tlb_sample_index(&tlb->tile, fragment->x[q] & ~1u, fragment->y[q] & ~1u, 0);
}

/* Returns the flags that represent one sample of a pixel. */
static uint32_t sample_flags(const struct tlb *tlb, uint32_t sample)
{
    return tlb->tile.samples == 1 ? ANY_SAMPLE : 1u << sample;
}

/* --- depth and stencil --- */

/* Compares two values. The function's code has three bits: bit 0 passes less, bit 1 passes equal,
 * and bit 2 passes greater. */
static bool compare(enum tlb_compare function, uint32_t incoming, uint32_t stored)
{
    uint32_t relation = incoming < stored ? 0 : incoming == stored ? 1 : 2;
    return function >> relation & 1;
}

/* Compares four pairs of values below 2^31. */
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

/* Test results of a quad, for the performance counters. stencil_passed is 1 if any sample passed
 * the stencil test. passed is 1 if any sample passed both tests. */
struct tested {
    uint32_t stencil_passed, passed;
};

/* Stores a sample's Z and stencil after its tests. */
static void update_sample(uint32_t *zs, uint32_t value, uint32_t lane, struct tlb_traces *traces)
{
    traces->differences[lane] |= *zs ^ value;
    *zs = value;
}

/* Runs both tests for one sample of a lane. *zs is the sample's Z and stencil word. Returns true if
 * the sample passes. */
static bool test_sample(const struct tlb *tlb, struct tlb_fragment *fragment,
                        const struct tlb_stencil *face, uint32_t z, uint32_t *zs, uint32_t lane,
                        struct tested *tested)
{
    struct tlb_traces *traces = &fragment->traces;
    uint32_t stored_z = *zs >> 8, stencil = *zs & 0xff;
    if (face->enabled && !stencil_passes(face, stencil)) {
        stencil = stencil_update(face, face->stencil_fail_op, stencil);
        update_sample(zs, stored_z << 8 | stencil, lane, traces);
        traces->stencil_failed[lane] = ANY_SAMPLE;
        return false;
    }
    tested->stencil_passed = 1;
    bool passes = compare(fragment->depth_function, z, stored_z);
    if (!passes) {
        traces->depth_failed[lane] = ANY_SAMPLE;
        traces->at_clear |= (lane_mask)((stored_z == tlb->clear_z) << lane);
    } else if (face->enabled && face->write_mask) {
        traces->stored[lane] = ANY_SAMPLE;
    }
    if (face->enabled)
        stencil = stencil_update(face, passes ? face->z_pass_op : face->z_fail_op, stencil);
    if (passes && fragment->depth_update)
        stored_z = z;
    update_sample(zs, stored_z << 8 | stencil, lane, traces);
    tested->passed |= passes;
    return passes;
}

/* Runs the tests of a quad if a face has a stencil test. index is the index of the quad's first
 * sample. */
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
                !test_sample(tlb, fragment, face, z[i], &tlb->zs[index + sample * 4 + i], lane,
                             &tested))
                fragment->ms_flags[lane] &= (uint8_t)~bits;
        }
    return tested;
}

static lane_mask lanes_of(uint32_t pixels, uint32_t q)
{
    return (lane_mask)(pixels << q * 4);
}

/* Returns the pixels whose stored Z is the clear value. */
static uint32_t at_clear(const struct tlb *tlb, quad_words stored)
{
    return quad_mask((quad_words)(stored >> 8 == tlb->clear_z));
}

/* Clears the flags of a quad's samples that have failed the depth test, and records the
 * failures. */
static void reject(const struct tlb *tlb, struct tlb_fragment *fragment, uint32_t q, uint32_t index,
                   uint32_t failed)
{
    struct tlb_traces *traces = &fragment->traces;
    uint8_t *kept = &fragment->ms_flags[q * 4], *gone = &traces->depth_failed[q * 4];
    store_le32(kept, load_le32(kept) & ~failed);
    store_le32(gone, load_le32(gone) | failed);
    for (uint32_t sample = 0; sample < tlb->tile.samples; sample++) {
        quad_words fails = pixels_with(tlb, failed, sample);
        uint32_t cleared = quad_mask(fails) &
                           at_clear(tlb, quad_load(&tlb->zs[index + sample * 4]));
        traces->at_clear |= lanes_of(cleared, q);
    }
}

/* Runs a quad's depth test. */
static struct tested test_depth(struct tlb *tlb, struct tlb_fragment *fragment, uint32_t q,
                                uint32_t index, quad_words z, uint32_t flags)
{
    quad_words differences = {0};
    uint32_t failed = 0;
    for (uint32_t sample = 0; sample < tlb->tile.samples; sample++) {
        uint32_t *zs = &tlb->zs[index + sample * 4];
        quad_words stored = quad_load(zs), tested = pixels_with(tlb, flags, sample);
        quad_words passes = compare_quad(fragment->depth_function, z, stored >> 8) & tested;
        if (fragment->depth_update)
            differences |= blend_quad(zs, z << 8 | (stored & 0xff), passes);
        failed |= quad_bytes(quad_mask(tested & ~passes)) * sample_flags(tlb, sample);
    }
    add_bits(fragment->traces.differences, q, differences);
    if (failed)
        reject(tlb, fragment, q, index, failed);
    return (struct tested){.stencil_passed = 1, .passed = (flags & ~failed) != 0};
}

static void count_tested(const struct tlb_ports *ports, const struct tested *tested)
{
    if (!tested->stencil_passed)
        pctr_add(ports->counts, PCTR_TLB_QUADS_STENCIL_FAILED, 1);
    pctr_add(ports->counts,
             tested->passed ? PCTR_TLB_QUADS_TESTS_PASSED : PCTR_TLB_QUADS_TESTS_FAILED, 1);
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

/* Reports erratum HW-2924 if one Z write has quads of both faces with different stencil setups. The
 * silicon uses one face's setup for all quads of a Z write. */
static void check_faces(const struct tlb_ports *ports, const struct tlb_fragment *fragment,
                        lane_mask mask)
{
    unsigned faces = 0; /* bit 0 for front, bit 1 for back */
    for (uint32_t lane = 0; lane < LANES; lane++)
        if (mask >> lane & 1 && fragment->ms_flags[lane])
            faces |= fragment->rev_flag >> lane & 1 ? 2 : 1;
    if (faces == 3 && !same_stencil(&fragment->front, &fragment->back))
        fault(ports->log, FAULT_TLB_STENCIL_FACES,
              "one Z write has quads of both faces, whose stencil setups differ; the silicon uses "
              "the setup of one face for all quads (erratum HW-2924)");
}

void tlb_fragment_start(struct tlb_fragment *fragment)
{
    fragment->front = (struct tlb_stencil){.enabled = false};
    fragment->back = (struct tlb_stencil){.enabled = false};
    fragment->colour_reads = fragment->colour_writes = fragment->colour_all_writes = 0;
    fragment->tested = false;
    fragment->untested_colour = 0;
    fragment->traces = (struct tlb_traces){0};
}

/* Decodes a stencil setup word (manual table 27). */
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

void tlb_write_z(struct tlb *tlb, const struct tlb_ports *ports, struct tlb_fragment *fragment,
                 const lanes *z, lane_mask mask)
{
    bool stencil = fragment->front.enabled || fragment->back.enabled;
    if (stencil)
        check_faces(ports, fragment, mask);
    fragment->traces.z |= mask;
    for (uint32_t q = 0; q < QUADS; q++) {
        uint32_t flags = flags_of(fragment, q, mask);
        if (!flags)
            continue;
        quad_words incoming = quad_of(z, q) & Z_MASK;
        uint32_t index = quad_index(tlb, fragment, q);
        struct tested tested = (stencil ? test_with_stencil : test_depth)(tlb, fragment, q, index,
                                                                          incoming, flags);
        count_tested(ports, &tested);
    }
}

/* --- early Z --- */

/* Returns a flag of record 113. bit is the number of the flag's bit in the record. */
static bool frame_bit(const struct tlb *tlb, unsigned bit)
{
    return tlb->frame.flags >> (bit - CL_TILE_RENDERING_MODE_MULTISAMPLE_BIT) & 1;
}

/* True if record 113 enables early Z, and if the depth function has the direction that the record
 * selects. */
static bool has_early_z(const struct tlb *tlb, enum tlb_compare function)
{
    if (frame_bit(tlb, CL_TILE_RENDERING_MODE_EARLY_Z_DISABLE_BIT))
        return false;
    if (frame_bit(tlb, CL_TILE_RENDERING_MODE_EARLY_Z_DIRECTION_BIT))
        return function == TLB_GT || function == TLB_GE;
    return function == TLB_LT || function == TLB_LE;
}

/* True if a sample of the quad can pass the depth test. */
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

static void check_reloaded(struct tlb *tlb, const struct tlb_ports *ports)
{
    if (!tlb->reloaded || tlb->tile.samples == 1)
        return;
    tlb->reloaded = false;
    fault(ports->log, FAULT_TLB_EARLY_Z_RELOAD,
          "early Z in a multisample tile that was loaded from a full dump; the silicon's early-Z "
          "buffer is wrong in such tiles (erratum HW-2905)");
}

lane_mask tlb_early_z(struct tlb *tlb, const struct tlb_ports *ports, struct tlb_fragment *fragment,
                      const lanes *z)
{
    bool tested = has_early_z(tlb, fragment->depth_function);
    if (tested)
        check_reloaded(tlb, ports);
    unsigned left = 0;
    for (uint32_t q = 0; q < QUADS; q++) {
        uint32_t flags = flags_of(fragment, q, ALL_LANES);
        if (!flags)
            continue;
        uint32_t pixels = quad_mask_of_bytes(any_sample(flags));
        if (!tested || can_pass(tlb, fragment, q, quad_of(z, q) & Z_MASK, flags)) {
            left |= pixels << q * 4;
            continue;
        }
        pctr_add(ports->counts, PCTR_FEP_CLIPPED_QUADS, 1);
        quad_words stored = quad_load(&tlb->zs[quad_index(tlb, fragment, q)]);
        fragment->traces.at_clear |= lanes_of(pixels & at_clear(tlb, stored), q);
    }
    return (lane_mask)left;
}

/* --- colour --- */

/* The sample and the word of a colour access. The number of the access in the shader determines
 * both. */
struct place {
    uint32_t sample, word;
};

static struct place place_of(const struct tlb *tlb, uint32_t access)
{
    uint32_t sample = tlb->tile.words == 2 ? access >> 1 : access;
    return (struct place){.sample = sample & (tlb->tile.samples - 1),
                          .word = access & (tlb->tile.words - 1)};
}

/* Records the written samples, unless the whole tile was cleared or loaded before. */
static void note_drawn(struct tlb *tlb, uint32_t index, quad_words written)
{
    if (!tlb_contents_known(tlb))
        tlb->drawn[index / 64] |= (uint64_t)quad_mask(written) << index % 64;
}

/* Writes the samples from `first` to last - 1 of a quad. Returns the bits of colours that have
 * changed. */
static quad_words write_samples(struct tlb *tlb, uint32_t index, quad_words value, uint32_t flags,
                                uint32_t first, uint32_t last, uint32_t word)
{
    quad_words differences = {0};
    for (uint32_t sample = first; sample < last; sample++) {
        quad_words written = pixels_with(tlb, flags, sample);
        uint32_t at = index + sample * 4;
        differences |= blend_quad(&tlb->colour[at + word * TLB_SECOND_WORDS], value, written);
        note_drawn(tlb, at, written);
    }
    return differences;
}

void tlb_write_colour(struct tlb *tlb, const struct tlb_ports *ports, struct tlb_fragment *fragment,
                      const lanes *colour, lane_mask mask, bool all)
{
    bool every = all || tlb->tile.samples == 1;
    struct place place = place_of(tlb, every ? fragment->colour_all_writes++
                                             : fragment->colour_writes++);
    uint32_t first = every ? 0 : place.sample;
    uint32_t last = every ? tlb->tile.samples : first + 1;
    struct tlb_traces *traces = &fragment->traces;
    add_flags(traces->coloured, fragment, mask);
    uint64_t written = 0;
    for (uint32_t q = 0; q < QUADS; q++) {
        uint32_t flags = flags_of(fragment, q, mask);
        if (!flags)
            continue;
        quad_words value = quad_of(colour, q);
        add_bits(traces->differences, q,
                 write_samples(tlb, quad_index(tlb, fragment, q), value, flags, first, last,
                               place.word));
        written++;
    }
    if (first == 0 && place.word == 0)
        pctr_add(ports->counts, PCTR_TLB_QUADS_WRITTEN, written);
}

void tlb_read_colour(struct tlb *tlb, struct tlb_fragment *fragment, lanes *out)
{
    struct place place = place_of(tlb, fragment->colour_reads++);
    uint32_t offset = place.word * TLB_SECOND_WORDS + place.sample * 4;
    for (uint32_t q = 0; q < QUADS; q++)
        quad_store((char *)out + q * sizeof(quad_words),
                   quad_load(&tlb->colour[quad_index(tlb, fragment, q) + offset]));
}

/* --- results --- */

/* Returns the lanes that have any sample flag. */
static lane_mask flagged(const uint8_t flags[LANES])
{
    unsigned set = 0;
    for (uint32_t q = 0; q < QUADS; q++)
        set |= quad_mask_of_bytes(any_sample(load_le32(&flags[q * 4]))) << q * 4;
    return (lane_mask)set;
}

/* Returns the lanes whose word is not 0. */
static lane_mask with_bits(const uint32_t words[LANES])
{
    unsigned set = 0;
    for (uint32_t q = 0; q < QUADS; q++)
        set |= quad_mask((quad_words)(quad_load(&words[q * 4]) != 0)) << q * 4;
    return (lane_mask)set;
}

/* Returns the lanes whose pixels have alpha 0 in all samples. */
static lane_mask without_alpha(const struct tlb *tlb, const struct tlb_fragment *fragment)
{
    unsigned set = 0;
    for (uint32_t q = 0; q < QUADS; q++) {
        const uint32_t *colour = &tlb->colour[quad_index(tlb, fragment, q)];
        quad_words all = {0};
        for (uint32_t sample = 0; sample < tlb->tile.samples; sample++)
            all |= quad_load(&colour[sample * 4]);
        set |= quad_mask((quad_words)(all >> 24 == 0)) << q * 4;
    }
    return (lane_mask)set;
}

struct tlb_results tlb_results(const struct tlb *tlb, const struct tlb_fragment *fragment)
{
    const struct tlb_traces *traces = &fragment->traces;
    lane_mask coloured = flagged(traces->coloured), stored = flagged(traces->stored);
    if (fragment->depth_update)
        stored |= traces->z & covered_pixels(fragment);
    struct tlb_results results = {
        .stencil_failed = flagged(traces->stencil_failed),
        .depth_failed = flagged(traces->depth_failed),
        .at_clear = traces->at_clear,
        .written = coloured | stored,
        .changed = with_bits(traces->differences),
    };
    if (tlb->tile.words == 1)
        results.alpha_zero = coloured & without_alpha(tlb, fragment);
    return results;
}

/* --- alpha mask and coverage --- */

static void require_mask(struct tlb *tlb, const struct tlb_ports *ports, const char *access)
{
    if (!tlb_has_mask(tlb))
        fault(ports->log, FAULT_TLB_CONFIG,
              "alpha-mask %s, but Tile Rendering Mode does not enable the VG mask buffer" WITH_HINT
              "set bit 8 of the flags of record 113 (vg_mask)",
              access);
}

static void write_mask(uint8_t *at, uint8_t value, uint32_t lane, struct tlb_traces *traces)
{
    traces->stored[lane] = ANY_SAMPLE;
    traces->differences[lane] |= *at ^ value;
    *at = value;
}

void tlb_write_mask(struct tlb *tlb, const struct tlb_ports *ports, struct tlb_fragment *fragment,
                    const lanes *value, lane_mask mask)
{
    require_mask(tlb, ports, "write");
    for (uint32_t lane = 0; lane < LANES; lane++) {
        if (!(mask >> lane & 1))
            continue;
        uint32_t index = quad_index(tlb, fragment, lane >> 2) + (lane & 3);
        for (uint32_t sample = 0; sample < tlb->tile.samples; sample++)
            if (fragment->ms_flags[lane] & sample_flags(tlb, sample))
                write_mask(&tlb->mask[index + sample * 4], (uint8_t)(*value)[lane], lane,
                           &fragment->traces);
    }
}

void tlb_read_mask(struct tlb *tlb, const struct tlb_ports *ports, struct tlb_fragment *fragment,
                   lanes *out)
{
    require_mask(tlb, ports, "read");
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

/* Returns the coverage buffer of the current tile. */
static struct cap *coverage(const struct tlb *tlb, const struct tlb_ports *ports)
{
    return &ports->cap[tlb->tile.halves == TLB_HALVES ? tlb->half : 0];
}

static void check_coverage_mode(struct tlb *tlb, const struct tlb_ports *ports, const char *access)
{
    if (frame_bit(tlb, CL_TILE_RENDERING_MODE_MULTISAMPLE_BIT))
        fault(ports->log, FAULT_CAP_MODE, "coverage %s in multisample mode", access);
}

void tlb_read_coverage(struct tlb *tlb, const struct tlb_ports *ports,
                       struct tlb_fragment *fragment, lanes *out)
{
    struct cap_quads quads = quads_of(fragment);
    check_coverage_mode(tlb, ports, "load");
    lane_mask covered = cap_read(coverage(tlb, ports), &quads, fragment->coverage_read, out);
    for (uint32_t lane = 0; lane < LANES; lane += 4)
        if (quads.lanes >> lane & 0xf)
            pctr_add(ports->counts,
                     covered >> lane & 0xf ? PCTR_TLB_QUADS_COVERAGE : PCTR_TLB_QUADS_NO_COVERAGE,
                     1);
}

void tlb_accumulate(struct tlb *tlb, const struct tlb_ports *ports,
                    const struct pse_primitive *primitive, const struct cl_state *state,
                    const struct fep_window *window)
{
    check_coverage_mode(tlb, ports, "accumulation");
    if (!coverage(tlb, ports)->used && (tlb->clear_z || tlb->clear_stencil))
        fault(ports->log, FAULT_CAP_CLEAR,
              "coverage is accumulated in a tile that was cleared to Z 0x%06x, stencil 0x%02x",
              tlb->clear_z, tlb->clear_stencil);
    cap_draw(coverage(tlb, ports), primitive, state->configuration, window);
}

lane_mask tlb_early_coverage(const struct tlb *tlb, const struct tlb_ports *ports,
                             const struct tlb_fragment *fragment)
{
    if (!frame_bit(tlb, CL_TILE_RENDERING_MODE_COVERAGE_BIT) ||
        frame_bit(tlb, CL_TILE_RENDERING_MODE_EARLY_Z_DISABLE_BIT))
        return covered_pixels(fragment);
    struct cap_quads quads = quads_of(fragment);
    lane_mask covered = cap_covered_quads(coverage(tlb, ports), &quads);
    for (uint32_t lane = 0; lane < LANES; lane += 4)
        pctr_add(ports->counts, PCTR_TLB_QUADS_NO_COVERAGE,
                 (quads.lanes & ~covered) >> lane & 0xf && !(covered >> lane & 0xf));
    return covered;
}
