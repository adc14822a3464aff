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

#include "isa/qpu/setup.h"
#include "vc4/tile/tlb_fragment.h"
#include "vc4/tile/tlb_memory.h"

/* --- depth and stencil --- */

/* Numbers of quads of a Z write, for the performance counters: quads with a test, quads in which a
 * sample passed the stencil test, and quads in which a sample passed both tests. */
struct tested {
    uint32_t quads, stencil_passed, passed;
};

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
    struct tlb_traces *traces = &fragment->traces;
    lane_mask tested = tlb_covered(fragment) & mask;
    struct tlb_depth_result result = tlb->kernels->depth(tlb->zs, tlb_places(tlb, fragment), z,
                                                         tested, &depth);
    const lane_mask failed = (lane_mask)result.failed;
    uint32_t quads = tlb_count_quads(tested);
    traces->changed |= (lane_mask)result.changed;
    if (!failed)
        return (struct tested){quads, quads, quads};
    traces->depth_failed |= failed;
    traces->at_clear |= (lane_mask)result.at_clear;
    lane_bytes_clear(fragment->ms_flags, failed);
    return (struct tested){quads, quads, tlb_count_quads(tested & (lane_mask)~failed)};
}

/* Removes flags of a fragment. */
static void remove_flags(struct tlb_fragment *fragment, const uint8_t flags[LANES])
{
    for (uint32_t lane = 0; lane < LANES; lane++)
        fragment->ms_flags[lane] &= (uint8_t)~flags[lane];
}

/* Runs the depth test of all samples in a multisample tile. */
static struct tested test_depth_samples(struct tlb *tlb, struct tlb_fragment *fragment,
                                        const lanes *z, lane_mask mask)
{
    const struct tlb_depth depth = depth_of(tlb, fragment);
    struct tlb_traces *traces = &fragment->traces;
    struct tlb_samples_result result;
    uint8_t flags[LANES];
    tlb_flags_in(flags, fragment, mask);
    tlb->kernels->depth_samples(tlb->zs, tlb_places(tlb, fragment), z, flags, &depth, &result);
    uint32_t quads = tlb_count_quads(lane_bytes_any(flags, TLB_ANY_SAMPLE));
    lane_mask failed = lane_bytes_any(result.failed, TLB_ANY_SAMPLE);
    traces->changed |= result.changed;
    if (!failed)
        return (struct tested){quads, quads, quads};
    traces->depth_failed |= failed;
    traces->at_clear |= lane_bytes_any(result.at_clear, TLB_ANY_SAMPLE);
    remove_flags(fragment, result.failed);
    return (struct tested){quads, quads, tlb_count_quads(tlb_covered(fragment) & mask)};
}

/* --- stencil --- */

/* Returns the lanes whose stencil setup can write. */
static lane_mask stencil_writers(const struct tlb_fragment *fragment)
{
    const struct tlb_stencil *front = &fragment->front, *back = &fragment->back;
    const lane_mask reverse = fragment->rev_flag;
    return (lane_mask)((front->enabled && front->write_mask ? ~reverse : 0) |
                       (back->enabled && back->write_mask ? reverse : 0));
}

/* Runs both tests of one sample per pixel. */
static struct tlb_stencil_result test_stencil(struct tlb *tlb, struct tlb_fragment *fragment,
                                              const lanes *z, lane_mask tested)
{
    const struct tlb_depth depth = depth_of(tlb, fragment);
    const struct tlb_stencil_test stencil = {&fragment->front, &fragment->back, fragment->rev_flag};
    struct tlb_stencil_result result = tlb->kernels->stencil(tlb->zs, tlb_places(tlb, fragment), z,
                                                             tested, &depth, &stencil);
    lane_bytes_clear(fragment->ms_flags, (lane_mask)(result.stencil_failed | result.depth_failed));
    return result;
}

/* Runs both tests of the samples of quad q in a multisample tile. Adds the pixels that have a
 * sample with a result to *all. Sets the bits of the quad's pixels that pass the stencil test and
 * both tests in *stencil_passed and *passed. */
static void test_quad_stencil(struct tlb *tlb, struct tlb_fragment *fragment, const lanes *z,
                              uint32_t q, uint32_t tested, struct tlb_stencil_result *all,
                              unsigned *stencil_passed, unsigned *passed)
{
    const struct tlb_depth depth = depth_of(tlb, fragment);
    const struct tlb_places places = tlb_sample_places(tlb_places(tlb, fragment)->index[q]);
    const uint32_t reverse = fragment->rev_flag >> q * 4 & 0xf;
    const struct tlb_stencil_test stencil = {&fragment->front, &fragment->back,
                                             (uint16_t)(reverse * 0x1111)};
    lanes z4;
    tlb_for_samples(&z4, z, q);
    struct tlb_stencil_result result = tlb->kernels->stencil(tlb->zs, &places, &z4,
                                                             (uint16_t)tested, &depth, &stencil);
    uint32_t failed = result.stencil_failed | result.depth_failed;
    uint8_t *flags = &fragment->ms_flags[q * 4];
    store_le32(flags, load_le32(flags) & ~tlb_flags_of(failed));
    all->stencil_failed |= tlb_lanes_of(result.stencil_failed, q);
    all->depth_failed |= tlb_lanes_of(result.depth_failed, q);
    all->at_clear |= tlb_lanes_of(result.at_clear, q);
    all->changed |= tlb_lanes_of(result.changed, q);
    *stencil_passed |= tlb_lanes_of(tested & ~result.stencil_failed, q);
    *passed |= tlb_lanes_of(tested & ~failed, q);
}

/* Runs the tests if a face has a stencil test. */
static struct tested test_with_stencil(struct tlb *tlb, struct tlb_fragment *fragment,
                                       const lanes *z, lane_mask mask)
{
    struct tlb_traces *traces = &fragment->traces;
    const lane_mask tested = tlb_covered(fragment) & mask;
    struct tlb_stencil_result result = {0};
    unsigned stencil_passed = 0, passed = 0;
    if (tlb->tile.samples == 1) {
        result = test_stencil(tlb, fragment, z, tested);
        stencil_passed = tested & ~result.stencil_failed;
        passed = stencil_passed & ~result.depth_failed;
    } else {
        uint8_t flags[LANES];
        tlb_flags_in(flags, fragment, mask);
        for (uint32_t q = 0; q < TLB_QUADS; q++)
            test_quad_stencil(tlb, fragment, z, q, tlb_samples_of(load_le32(&flags[q * 4])),
                              &result, &stencil_passed, &passed);
    }
    traces->stencil_failed |= (lane_mask)result.stencil_failed;
    traces->depth_failed |= (lane_mask)result.depth_failed;
    traces->at_clear |= (lane_mask)result.at_clear;
    traces->changed |= (lane_mask)result.changed;
    traces->stored |= stencil_writers(fragment) & (lane_mask)passed;
    return (struct tested){tlb_count_quads(tested), tlb_count_quads((lane_mask)stencil_passed),
                           tlb_count_quads((lane_mask)passed)};
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

static struct tlb_stencil stencil_configuration(uint32_t word)
{
    static const uint8_t write_masks[4] = {0x01, 0x03, 0x0f, 0xff};
    return (struct tlb_stencil){
        .enabled = true,
        .write_mask = write_masks[setup_get(word, SETUP_STENCIL_WRITE_MASK)],
        .z_fail_op = (uint8_t)setup_get(word, SETUP_STENCIL_Z_FAIL_OP),
        .z_pass_op = (uint8_t)setup_get(word, SETUP_STENCIL_Z_PASS_OP),
        .stencil_fail_op = (uint8_t)setup_get(word, SETUP_STENCIL_FAIL_OP),
        .function = (uint8_t)setup_get(word, SETUP_STENCIL_FUNCTION),
        .reference = (uint8_t)setup_get(word, SETUP_STENCIL_REFERENCE),
        .compare_mask = (uint8_t)setup_get(word, SETUP_STENCIL_COMPARE_MASK),
    };
}

void tlb_stencil_setup(struct tlb *tlb, struct tlb_fragment *fragment, uint32_t word)
{
    (void)tlb;
    uint32_t selected = setup_get(word, SETUP_STENCIL_FACES);
    if (selected == SETUP_FACES_MASKS) {
        fragment->front.write_mask = (uint8_t)setup_get(word, SETUP_STENCIL_FRONT_MASK);
        fragment->back.write_mask = (uint8_t)setup_get(word, SETUP_STENCIL_BACK_MASK);
        return;
    }
    if (selected & SETUP_FACES_FRONT)
        fragment->front = stencil_configuration(word);
    if (selected & SETUP_FACES_BACK)
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
static lane_mask can_pass(struct tlb *tlb, struct tlb_fragment *fragment, const lanes *z,
                          lane_mask *at_clear)
{
    const struct tlb_depth depth = {.function = fragment->depth_function, .clear_z = tlb->clear_z};
    lane_mask covered = tlb_covered(fragment);
    struct tlb_depth_result result = tlb->kernels->depth(tlb->zs, tlb_places(tlb, fragment), z,
                                                         covered, &depth);
    *at_clear = (lane_mask)result.at_clear;
    return whole_quads(covered & (lane_mask)~result.failed);
}

/* Does the same in a multisample tile. */
static lane_mask can_samples_pass(struct tlb *tlb, struct tlb_fragment *fragment, const lanes *z,
                                  lane_mask *at_clear)
{
    const struct tlb_depth depth = {.function = fragment->depth_function};
    const struct tlb_places *places = tlb_places(tlb, fragment);
    struct tlb_samples_result result;
    unsigned passes = 0, clear = 0;
    tlb->kernels->depth_samples(tlb->zs, places, z, fragment->ms_flags, &depth, &result);
    for (uint32_t q = 0; q < TLB_QUADS; q++) {
        quad_words stored = quad_load(&tlb->zs[places->index[q]]);
        uint32_t passed = tlb_quad_flags(fragment, q) & ~load_le32(&result.failed[q * 4]);
        passes |= (passed ? 0xfu : 0) << q * 4;
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
