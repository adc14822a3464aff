/* SPDX-License-Identifier: MIT */
/* tlb_depth.c - Tile Buffer, shader side: Z and stencil tests, and early Z.
 *
 * In:       writes to registers 43 and 44 of fragment shaders, for 16 pixels; Z of the FEP.
 * Out:      the plane of Z and stencil; multisample flags reduced by failed tests.
 * Source:   manual section 5, tables 26 to 29.
 * Modelled: a 24-bit Z and an 8-bit stencil for each sample.
 * Differs:  the silicon's early-Z buffer has a reduced resolution. In this model, early Z uses the
 *           tile's Z, and so rejects only pixels that would also fail the depth test. The silicon
 *           uses either the front or the back stencil setup for a whole batch (erratum HW-2924). In
 *           this model, each pixel uses the setup of its own face, as in the manual, with a
 *           warning. See docs/vc4/tlb.md. */
#include "vc4/tile/tlb.h"

#include "vc4/tile/tlb_fragment.h"
#include "vc4/tile/tlb_memory.h"

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

/* --- depth and stencil --- */

/* Compares two values. The function's code has three bits: bit 0 passes less, bit 1 passes equal,
 * and bit 2 passes greater. */
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

/* Numbers of quads of a Z write, for the performance counters: quads with a test, quads in which a
 * sample passed the stencil test, and quads in which a sample passed both tests. */
struct tested {
    uint32_t quads, stencil_passed, passed;
};

/* Stores a sample's Z and stencil after its tests. */
static void update_sample(uint32_t *zs, uint32_t value, unsigned lane, struct tlb_traces *traces)
{
    if (*zs != value)
        traces->changed |= (lane_mask)lane;
    *zs = value;
}

/* Runs both tests for one sample of a lane. *zs is the sample's Z and stencil word. `lane` is the
 * lane's bit. Sets the lane's bit in *stencil_passed if the sample passes the stencil test. Returns
 * true if the sample passes both tests. */
static bool test_sample(const struct tlb *tlb, struct tlb_fragment *fragment,
                        const struct tlb_stencil *face, uint32_t z, uint32_t *zs, unsigned lane,
                        unsigned *stencil_passed)
{
    struct tlb_traces *traces = &fragment->traces;
    uint32_t stored_z = *zs >> 8, stencil = *zs & 0xff;
    if (face->enabled && !stencil_passes(face, stencil)) {
        stencil = stencil_update(face, face->stencil_fail_op, stencil);
        update_sample(zs, stored_z << 8 | stencil, lane, traces);
        traces->stencil_failed |= (lane_mask)lane;
        return false;
    }
    *stencil_passed |= lane;
    bool passes = compare(fragment->depth_function, z, stored_z);
    if (!passes) {
        traces->depth_failed |= (lane_mask)lane;
        traces->at_clear |= (lane_mask)(stored_z == tlb->clear_z ? lane : 0);
    } else if (face->enabled && face->write_mask) {
        traces->stored |= (lane_mask)lane;
    }
    if (face->enabled)
        stencil = stencil_update(face, passes ? face->z_pass_op : face->z_fail_op, stencil);
    if (passes && fragment->depth_update)
        stored_z = z;
    update_sample(zs, stored_z << 8 | stencil, lane, traces);
    return passes;
}

/* Returns the flags that represent one sample of a pixel. */
static uint32_t sample_flags(const struct tlb *tlb, uint32_t sample)
{
    return tlb->tile.samples == 1 ? TLB_ANY_SAMPLE : 1u << sample;
}

/* Runs the tests of a lane's samples. index is the index of the lane's first sample. Sets the
 * lane's bit in the sets of lanes with a sample that passes. */
static void test_lane(struct tlb *tlb, struct tlb_fragment *fragment, uint32_t number,
                      uint32_t index, uint32_t z, unsigned *stencil_passed, unsigned *passed)
{
    uint8_t *flags = &fragment->ms_flags[number];
    const unsigned lane = 1u << number;
    const struct tlb_stencil *face = fragment->rev_flag & lane ? &fragment->back : &fragment->front;
    for (uint32_t sample = 0; sample < tlb->tile.samples; sample++) {
        uint32_t bits = sample_flags(tlb, sample);
        if (!(*flags & bits))
            continue;
        if (test_sample(tlb, fragment, face, z, &tlb->zs[index + sample * 4], lane, stencil_passed))
            *passed |= lane;
        else
            *flags &= (uint8_t)~bits;
    }
}

/* Runs the tests if a face has a stencil test. */
static struct tested test_with_stencil(struct tlb *tlb, struct tlb_fragment *fragment,
                                       const lanes *z, lane_mask mask)
{
    const struct tlb_places places = tlb_places(tlb, fragment);
    lane_mask tested = tlb_covered(fragment) & mask;
    unsigned stencil_passed = 0, passed = 0;
    for (unsigned left = tested; left; left &= left - 1) {
        uint32_t number = (uint32_t)__builtin_ctz(left);
        test_lane(tlb, fragment, number, places.index[number / 4] + number % 4,
                  (*z)[number] & Z_MASK, &stencil_passed, &passed);
    }
    return (struct tested){tlb_count_quads(tested), tlb_count_quads((lane_mask)stencil_passed),
                           tlb_count_quads((lane_mask)passed)};
}

static struct tlb_depth depth_of(const struct tlb *tlb, const struct tlb_fragment *fragment)
{
    return (struct tlb_depth){.function = fragment->depth_function,
                              .update = fragment->depth_update,
                              .clear_z = tlb->clear_z};
}

/* Runs the depth test of one sample per pixel. */
static struct tested test_depth(struct tlb *tlb, struct tlb_fragment *fragment, const lanes *z,
                                lane_mask mask)
{
    const struct tlb_depth depth = depth_of(tlb, fragment);
    const struct tlb_places places = tlb_places(tlb, fragment);
    struct tlb_traces *traces = &fragment->traces;
    lane_mask tested = tlb_covered(fragment) & mask;
    struct tlb_depth_result result = tlb_kernels_native()->depth(tlb->zs, &places, z, tested,
                                                                 &depth);
    uint32_t quads = tlb_count_quads(tested);
    traces->changed |= result.changed;
    if (!result.failed)
        return (struct tested){quads, quads, quads};
    traces->depth_failed |= result.failed;
    traces->at_clear |= result.at_clear;
    tlb_uncover(fragment, result.failed);
    return (struct tested){quads, quads, tlb_count_quads(tested & (lane_mask)~result.failed)};
}

static lane_mask lanes_of(uint32_t pixels, uint32_t q)
{
    return (lane_mask)(pixels << q * 4);
}

/* Runs the depth test of a quad in a multisample tile. index is the index of the quad's first
 * sample. Returns the samples that pass. */
static uint32_t test_quad_samples(struct tlb *tlb, struct tlb_fragment *fragment, uint32_t q,
                                  uint32_t index, const lanes *z, uint32_t tested)
{
    const struct tlb_depth depth = depth_of(tlb, fragment);
    const struct tlb_places places = tlb_sample_places(index);
    lanes z4;
    struct tlb_traces *traces = &fragment->traces;
    tlb_for_samples(&z4, z, q);
    struct tlb_depth_result result = tlb_kernels_native()->depth(tlb->zs, &places, &z4,
                                                                 (uint16_t)tested, &depth);
    traces->changed |= lanes_of(tlb_pixels_of(result.changed), q);
    if (!result.failed)
        return tested;
    uint8_t *flags = &fragment->ms_flags[q * 4];
    traces->depth_failed |= lanes_of(tlb_pixels_of(result.failed), q);
    traces->at_clear |= lanes_of(tlb_pixels_of(result.at_clear), q);
    store_le32(flags, load_le32(flags) & ~tlb_flags_of(result.failed));
    return tested & ~(uint32_t)result.failed;
}

/* Returns the samples of quad q whose flags are set, for the lanes in mask. */
static uint32_t quad_samples(const struct tlb_fragment *fragment, uint32_t q, lane_mask mask)
{
    return tlb_samples_of(tlb_quad_flags(fragment, q) &
                          quad_bytes((uint32_t)mask >> q * 4 & 0xf) * 0xff);
}

static struct tested test_depth_samples(struct tlb *tlb, struct tlb_fragment *fragment,
                                        const lanes *z, lane_mask mask)
{
    const struct tlb_places places = tlb_places(tlb, fragment);
    struct tested tested = {0};
    for (uint32_t q = 0; q < TLB_QUADS; q++) {
        uint32_t samples = quad_samples(fragment, q, mask);
        if (!samples)
            continue;
        tested.quads++;
        if (test_quad_samples(tlb, fragment, q, places.index[q], z, samples))
            tested.passed++;
    }
    tested.stencil_passed = tested.quads;
    return tested;
}

static void count_tested(const struct tlb_ports *ports, const struct tested *tested)
{
    pctr_add(ports->counts, PCTR_TLB_QUADS_STENCIL_FAILED, tested->quads - tested->stencil_passed);
    pctr_add(ports->counts, PCTR_TLB_QUADS_TESTS_PASSED, tested->passed);
    pctr_add(ports->counts, PCTR_TLB_QUADS_TESTS_FAILED, tested->quads - tested->passed);
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
    struct tested tested;
    if (stencil)
        check_faces(ports, fragment, mask);
    fragment->traces.z |= mask;
    if (stencil)
        tested = test_with_stencil(tlb, fragment, z, mask);
    else if (tlb->tile.samples == 1)
        tested = test_depth(tlb, fragment, z, mask);
    else
        tested = test_depth_samples(tlb, fragment, z, mask);
    count_tested(ports, &tested);
}

/* --- early Z --- */

/* True if record 113 enables early Z, and if the depth function has the direction that the record
 * selects. */
static bool has_early_z(const struct tlb *tlb, enum tlb_compare function)
{
    if (TLB_FRAME_GET(&tlb->frame, EARLY_Z_DISABLE))
        return false;
    if (TLB_FRAME_GET(&tlb->frame, EARLY_Z_DIRECTION))
        return function == TLB_GT || function == TLB_GE;
    return function == TLB_LT || function == TLB_LE;
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

/* Returns the lanes in the same quads as the given lanes. */
static lane_mask whole_quads(lane_mask set)
{
    unsigned pairs = set | set >> 2;
    return (lane_mask)(((pairs | pairs >> 1) & 0x1111) * 0xf);
}

/* Returns the lanes of the quads in which a sample can pass the depth test. Sets *at_clear to lanes
 * that include those of other quads whose stored Z, of sample 0, is the clear value. */
static lane_mask can_pass(struct tlb *tlb, const struct tlb_fragment *fragment, const lanes *z,
                          lane_mask *at_clear)
{
    const struct tlb_depth depth = {.function = fragment->depth_function, .clear_z = tlb->clear_z};
    const struct tlb_places places = tlb_places(tlb, fragment);
    lane_mask covered = tlb_covered(fragment);
    struct tlb_depth_result result = tlb_kernels_native()->depth(tlb->zs, &places, z, covered,
                                                                 &depth);
    *at_clear = result.at_clear;
    return whole_quads(covered & (lane_mask)~result.failed);
}

/* Does the same in a multisample tile. */
static lane_mask can_samples_pass(struct tlb *tlb, const struct tlb_fragment *fragment,
                                  const lanes *z, lane_mask *at_clear)
{
    const struct tlb_depth depth = {.function = fragment->depth_function};
    const struct tlb_places places = tlb_places(tlb, fragment);
    unsigned passes = 0, clear = 0;
    for (uint32_t q = 0; q < TLB_QUADS; q++) {
        const struct tlb_places samples = tlb_sample_places(places.index[q]);
        lanes z4;
        uint32_t tested = quad_samples(fragment, q, ALL_LANES);
        tlb_for_samples(&z4, z, q);
        uint16_t failed =
            tlb_kernels_native()->depth(tlb->zs, &samples, &z4, (uint16_t)tested, &depth).failed;
        quad_words stored = quad_load(&tlb->zs[places.index[q]]);
        passes |= (tested & ~(uint32_t)failed ? 0xfu : 0) << q * 4;
        clear |= quad_mask((quad_words)(stored >> 8 == tlb->clear_z)) << q * 4;
    }
    *at_clear = (lane_mask)clear;
    return (lane_mask)passes;
}

lane_mask tlb_early_z(struct tlb *tlb, const struct tlb_ports *ports, struct tlb_fragment *fragment,
                      const lanes *z)
{
    const lane_mask covered = tlb_covered(fragment);
    lane_mask at_clear;
    if (!has_early_z(tlb, fragment->depth_function))
        return covered;
    check_reloaded(tlb, ports);
    lane_mask passes = (tlb->tile.samples == 1 ? can_pass : can_samples_pass)(tlb, fragment, z,
                                                                              &at_clear);
    lane_mask rejected = covered & (lane_mask)~passes;
    pctr_add(ports->counts, PCTR_FEP_CLIPPED_QUADS, tlb_count_quads(rejected));
    fragment->traces.at_clear |= rejected & at_clear;
    return covered & passes;
}
