/* SPDX-License-Identifier: MIT */
/* tlb.c - Tile Buffer, shader side: access to colour, alpha mask and coverage. Tests of Z and
 * stencil are in tlb_depth.c.
 *
 * In:       writes to registers 45 to 47 and load signals of fragment shaders, for 16 pixels.
 * Out:      the tile's planes; colour and mask to shaders.
 * Source:   manual section 5, tables 26 to 29; Mesa vc4_program.c for a driver's use of the
 *           registers.
 * Modelled: tiles with one or four samples per pixel. Each sample has a 32-bit or 64-bit colour and
 *           an 8-bit mask. */
#include "vc4/tile/tlb.h"

#include <string.h>

#include "isa/cl/cl.h"
#include "vc4/tile/tlb_fragment.h"
#include "vc4/tile/tlb_memory.h"

void tlb_fragment_start(struct tlb_fragment *fragment)
{
    fragment->front = (struct tlb_stencil){.enabled = false};
    fragment->back = (struct tlb_stencil){.enabled = false};
    fragment->colour_reads = fragment->colour_writes = fragment->colour_all_writes = 0;
    fragment->tested = false;
    fragment->untested_colour = 0;
    fragment->traces = (struct tlb_traces){0};
    fragment->placed_x[0] = 1;
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
static void note_drawn(struct tlb *tlb, const struct tlb_places *places, uint32_t sample,
                       uint32_t written)
{
    if (tlb_contents_known(tlb))
        return;
    for (uint32_t i = 0; i < 4; i++) {
        uint32_t index = places->index[i] + sample * 4;
        tlb->drawn[index / 64] |= (uint64_t)(written >> i * 4 & 0xf) << index % 64;
    }
}

/* Returns the plane of a word of the colours. */
static uint32_t *colour_plane(struct tlb *tlb, uint32_t word)
{
    return tlb->colour + word * TLB_SECOND_WORDS;
}

/* Writes one sample of each quad. Returns the lanes that have changed. */
static lane_mask write_sample(struct tlb *tlb, const struct tlb_places *places, struct place place,
                              const lanes *value, lane_mask written)
{
    note_drawn(tlb, places, place.sample, written);
    return tlb->kernels->write(tlb_sample_plane(colour_plane(tlb, place.word), place.sample),
                               places, value, written);
}

/* Writes all samples of each quad in a multisample tile. Returns the lanes that have changed. */
static lane_mask write_samples(struct tlb *tlb, const struct tlb_fragment *fragment,
                               const struct tlb_places *places, uint32_t word, const lanes *value,
                               lane_mask mask)
{
    uint8_t flags[LANES];
    tlb_flags_in(flags, fragment, mask);
    for (uint32_t sample = 0; sample < FEP_SAMPLES; sample++)
        note_drawn(tlb, places, sample, lane_bytes_any(flags, (uint8_t)(1u << sample)));
    return tlb->kernels->write_samples(colour_plane(tlb, word), places, value, flags);
}

/* Writes colour in tiles with one word per pixel. */
static void write_pixels(struct tlb *tlb, const struct tlb_ports *ports,
                         struct tlb_fragment *fragment, const lanes *colour, lane_mask mask)
{
    const lane_mask written = tlb_covered(fragment) & mask;
    const struct tlb_places *places = tlb_places(tlb, fragment);
    note_drawn(tlb, places, 0, written);
    fragment->traces.coloured |= written;
    fragment->traces.changed |= tlb->kernels->write(tlb->colour, places, colour, written);
    pctr_add(ports->counts, PCTR_TLB_QUADS_WRITTEN, tlb_count_quads(written));
}

void tlb_write_colour(struct tlb *tlb, const struct tlb_ports *ports, struct tlb_fragment *fragment,
                      const lanes *colour, lane_mask mask, bool all)
{
    if (tlb->tile.samples == 1 && tlb->tile.words == 1) {
        write_pixels(tlb, ports, fragment, colour, mask);
        return;
    }
    const bool single = tlb->tile.samples == 1;
    struct place place = place_of(tlb, all || single ? fragment->colour_all_writes++
                                                     : fragment->colour_writes++);
    struct tlb_traces *traces = &fragment->traces;
    const struct tlb_places *places = tlb_places(tlb, fragment);
    lane_mask written = tlb_covered(fragment) & mask;
    traces->coloured |= written;
    if (all && !single) {
        traces->changed |= write_samples(tlb, fragment, places, place.word, colour, mask);
        place.sample = 0;
    } else {
        lane_mask chosen = single ? written : tlb_covered_at(fragment, place.sample) & mask;
        traces->changed |= write_sample(tlb, places, place, colour, chosen);
    }
    if (place.sample == 0 && place.word == 0)
        pctr_add(ports->counts, PCTR_TLB_QUADS_WRITTEN, tlb_count_quads(written));
}

void tlb_read_colour(struct tlb *tlb, struct tlb_fragment *fragment, lanes *out)
{
    struct place place = place_of(tlb, fragment->colour_reads++);
    tlb->kernels->read(tlb_sample_plane(colour_plane(tlb, place.word), place.sample),
                       tlb_places(tlb, fragment), out);
}

/* --- results --- */

/* Returns the lanes whose pixels have alpha 0 in all samples. */
static lane_mask without_alpha(const struct tlb *tlb, struct tlb_fragment *fragment)
{
    const struct tlb_places *places = tlb_places(tlb, fragment);
    unsigned set = ALL_LANES;
    for (uint32_t sample = 0; sample < tlb->tile.samples; sample++)
        set &= tlb->kernels->zero_tops(tlb->colour + 4 * sample, places);
    return (lane_mask)set;
}

struct tlb_results tlb_results(const struct tlb *tlb, struct tlb_fragment *fragment)
{
    const struct tlb_traces *traces = &fragment->traces;
    lane_mask stored = traces->stored;
    if (fragment->depth_update)
        stored |= traces->z & tlb_covered(fragment);
    struct tlb_results results = {
        .stencil_failed = traces->stencil_failed,
        .depth_failed = traces->depth_failed,
        .at_clear = traces->at_clear,
        .written = traces->coloured | stored,
        .changed = traces->changed,
    };
    if (tlb->tile.words == 1)
        results.alpha_zero = traces->coloured & without_alpha(tlb, fragment);
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

/* Writes the mask of a lane's samples whose flags are set. index is the index of the lane's first
 * sample. */
static void write_lane(struct tlb *tlb, struct tlb_fragment *fragment, uint32_t lane,
                       uint32_t index, uint8_t value)
{
    struct tlb_traces *traces = &fragment->traces;
    for (uint32_t sample = 0; sample < tlb->tile.samples; sample++) {
        uint32_t bits = tlb->tile.samples == 1 ? TLB_ANY_SAMPLE : 1u << sample;
        uint8_t *at = &tlb->mask[index + sample * 4];
        if (!(fragment->ms_flags[lane] & bits))
            continue;
        traces->stored |= (lane_mask)(1u << lane);
        traces->changed |= (lane_mask)((*at != value) << lane);
        *at = value;
    }
}

void tlb_write_mask(struct tlb *tlb, const struct tlb_ports *ports, struct tlb_fragment *fragment,
                    const lanes *value, lane_mask mask)
{
    require_mask(tlb, ports, "write");
    const struct tlb_places *places = tlb_places(tlb, fragment);
    for (uint32_t lane = 0; lane < LANES; lane++)
        if (mask >> lane & 1)
            write_lane(tlb, fragment, lane, places->index[lane / 4] + lane % 4,
                       (uint8_t)(*value)[lane]);
}

void tlb_read_mask(struct tlb *tlb, const struct tlb_ports *ports, struct tlb_fragment *fragment,
                   lanes *out)
{
    require_mask(tlb, ports, "read");
    const struct tlb_places *places = tlb_places(tlb, fragment);
    for (uint32_t lane = 0; lane < LANES; lane++)
        (*out)[lane] = tlb->mask[places->index[lane / 4] + lane % 4];
}

/* --- coverage --- */

static struct cap_quads quads_of(const struct tlb_fragment *fragment)
{
    struct cap_quads quads = {.lanes = tlb_covered(fragment)};
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
    if (TLB_FRAME_GET(&tlb->frame, MULTISAMPLE))
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
    if (!TLB_FRAME_GET(&tlb->frame, COVERAGE) || TLB_FRAME_GET(&tlb->frame, EARLY_Z_DISABLE))
        return tlb_covered(fragment);
    struct cap_quads quads = quads_of(fragment);
    lane_mask covered = cap_covered_quads(coverage(tlb, ports), &quads);
    for (uint32_t lane = 0; lane < LANES; lane += 4)
        pctr_add(ports->counts, PCTR_TLB_QUADS_NO_COVERAGE,
                 (quads.lanes & ~covered) >> lane & 0xf && !(covered >> lane & 0xf));
    return covered;
}
