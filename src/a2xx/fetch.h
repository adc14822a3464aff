/* SPDX-License-Identifier: MIT */
/* fetch.h - the fetch units: vertex and texture fetches of 64 lanes at once.
 *
 * In:      a decoded fetch instruction, the fetch constants, memory, and an index or coordinates of each lane.
 * Out:     four components for each lane, before the instruction's dst_swiz; and what was wrong, lane by lane.
 * Source:  digest a2xx.md, sections 14 to 17, 26, 27; what they leave open is a choice: docs/a2xx/texture.md. */
#ifndef A2XX_FETCH_H
#define A2XX_FETCH_H

#include <stdbool.h>
#include <stdint.h>

#include <tessera/a2xx.h>

#include "a2xx/lanes.h"
#include "a2xx/memory.h"
#include "isa/a2xx/a2xx_isa.h"
#include "isa/a2xx/facts.h"

/* What may be wrong with a fetch. Those before A2XX_FETCH_LANES depend on the lane, the others concern the instruction and its
 * constant, so that all its active lanes have them. */
enum a2xx_fetch_fault {
    A2XX_FETCH_UNMAPPED,   /* memory that is not mapped: what is there reads as 0 */
    A2XX_FETCH_BEYOND,     /* vertex: not wholly within the constant's size: dwords beyond are 0 */
    A2XX_FETCH_INDEX,      /* vertex: the index is no number, or not within 24 bits */
    A2XX_FETCH_COORDINATE, /* texture: a coordinate is infinite or no number, and counts as 0 */
    A2XX_FETCH_UNSET,      /* the constant is 0 all over: the result is 0, 0, 0, 0 */
    A2XX_FETCH_LANES = A2XX_FETCH_UNSET,
    A2XX_FETCH_FORMAT, /* the format does not exist, or nobody knows its layout: 0, 0, 0, 0 */
    A2XX_FETCH_KIND,   /* vertex: a format of blocks, which it cannot read: 0, 0, 0, 0 */
    A2XX_FETCH_TYPE,   /* the constant is of the other kind: texture 2, vertex 3 */
    A2XX_FETCH_OPCODE, /* undefined: 0, 0, 0, 0 */
    A2XX_FETCH_OFFSET, /* vertex: an element reaches into the next vertex */
    A2XX_FETCH_ALIGN,  /* vertex: stride or offset is not a multiple of 4 bytes; obeyed here */
    A2XX_FETCH_DIMENSION, /* texture of the Xenos: instruction and constant differ; the constant's counts */
    A2XX_FETCH_PITCH, /* texture: rows are shorter than the texture is wide */
    A2XX_FETCH_FAULTS
};

struct a2xx_fetch_report {
    uint64_t lanes[A2XX_FETCH_FAULTS]; /* bit i: lane i */
    uint32_t address;                  /* the first that could not be read, of the lowest lane */
    /* Of vertex fetches: where elements are, the vertex constant, the bytes of its buffer, and the place in it of the first
     * element beyond. */
    struct a2xx_element element;
    uint32_t constant;
    uint64_t size;
    int64_t at;
};

/* What fetches of a stage read. */
struct a2xx_fetch_unit {
    enum tess_a2xx_variant variant;
    const uint32_t *constants; /* TESS_A2XX_FETCH_WORDS */
    const struct a2xx_memory *memory;
};

/* What the setting opcodes set, of each lane. Programs begin with zeros. */
struct a2xx_texture_state {
    float lod[A2XX_LANES];
    float right[3][A2XX_LANES], down[3][A2XX_LANES]; /* gradients */
};

/* Fetches for the lanes of active; data of others are left as they are. index is a register's component. full is the last full
 * fetch, where Xenos's mini fetches take constant, stride and index from: give them the values that it read. insn itself if
 * there is none. Faults are added to *report. */
void a2xx_vertex_fetch(const struct a2xx_fetch_unit *unit, const struct a2xx_vertex *insn,
                       const struct a2xx_vertex *full, const float index[A2XX_LANES],
                       uint64_t active, float data[4][A2XX_LANES],
                       struct a2xx_fetch_report *report);

/* The same for every other opcode. coords: the source's components by src_swiz, of all lanes: lanes that are not active give
 * their neighbours gradients. quads: lanes 4n to 4n + 3 are left and right above, left and right below; else computed levels of
 * detail and gradients are 0. Opcodes that only set something change *state, and leave data as they are. */
void a2xx_texture_fetch(const struct a2xx_fetch_unit *unit, const struct a2xx_texture *insn,
                        const float coords[3][A2XX_LANES], uint64_t active, bool quads,
                        struct a2xx_texture_state *state, float data[4][A2XX_LANES],
                        struct a2xx_fetch_report *report);

#endif
