/* SPDX-License-Identifier: MIT */
/* fetch.h - the fetch units: vertex and texture fetches of 64 lanes at once.
 *
 * In:      a decoded fetch instruction, the fetch constants, memory, and an index or coordinates
 *          for each lane.
 * Out:     four components for each lane, before the instruction's dst_swiz; errors for each lane.
 * Source:  docs/hardware/a2xx.md, sections 14 to 17, 26, 27. Open points are choices:
 *          docs/a2xx/texture.md. */
#ifndef A2XX_FETCH_H
#define A2XX_FETCH_H

#include <stdbool.h>
#include <stdint.h>

#include <tessera/a2xx.h>

#include "a2xx/lanes.h"
#include "a2xx/memory.h"
#include "isa/a2xx/a2xx_isa.h"
#include "isa/a2xx/facts.h"

/* Errors of a fetch. Those before A2XX_FETCH_LANES depend on the lane. The others concern the
 * instruction and its constant, so all active lanes have them. */
enum a2xx_fetch_fault {
    A2XX_FETCH_UNMAPPED, /* unmapped memory, which reads as 0 */
    /* vertex: the element extends beyond the constant's size; dwords beyond it are 0 */
    A2XX_FETCH_BEYOND,
    A2XX_FETCH_INDEX,      /* vertex: the index is infinite or NaN */
    A2XX_FETCH_COORDINATE, /* texture: a coordinate is infinite or NaN, and counts as 0 */
    A2XX_FETCH_UNSET,      /* all words of the constant are 0; the result is 0, 0, 0, 0 */
    A2XX_FETCH_LANES = A2XX_FETCH_UNSET,
    /* the format is undefined, or its layout is unknown; the result is 0, 0, 0, 0 */
    A2XX_FETCH_FORMAT,
    /* vertex: a format with blocks, which cannot be read; the result is 0, 0, 0, 0 */
    A2XX_FETCH_KIND,
    A2XX_FETCH_TYPE,   /* the constant has the other type (texture 2, vertex 3) */
    A2XX_FETCH_OPCODE, /* undefined operation; the result is 0, 0, 0, 0 */
    A2XX_FETCH_OFFSET, /* vertex: the element extends into the next vertex */
    /* vertex: stride or offset is not a multiple of 4 bytes; the fetch uses it anyway */
    A2XX_FETCH_ALIGN,
    /* texture on the Xenos: instruction and constant have different dimensions; the fetch uses
     * the constant's */
    A2XX_FETCH_DIMENSION,
    A2XX_FETCH_PITCH, /* texture: the pitch is smaller than the width */
    A2XX_FETCH_FAULTS
};

struct a2xx_fetch_report {
    uint64_t lanes[A2XX_FETCH_FAULTS]; /* bit i: lane i */
    uint32_t address; /* first unreadable address of the lowest lane with this error */
    /* For vertex fetches: location of the element within a vertex, number of the vertex
     * constant, bytes of its buffer, and offset in the buffer of the first element beyond it. */
    struct a2xx_element element;
    uint32_t constant;
    uint64_t size;
    int64_t at;
};

/* Inputs of a stage's fetches. */
struct a2xx_fetch_unit {
    enum tess_a2xx_variant variant;
    const uint32_t *constants; /* TESS_A2XX_FETCH_WORDS words */
    const struct a2xx_memory *memory;
};

/* State that SET_TEX_LOD and SET_GRADIENTS set for each lane. Zero at the start of a program. */
struct a2xx_texture_state {
    float lod[A2XX_LANES];
    float right[3][A2XX_LANES], down[3][A2XX_LANES]; /* gradients to the right, and downwards */
};

/* Executes a vertex fetch for the active lanes. `data` of other lanes does not change. `index` is a
 * component of the source register. `full` is the last full fetch, or insn itself if there is
 * none. A mini fetch of the Xenos takes constant and stride from full, so index must then be the
 * index that full has read. Errors are added to *report. */
void a2xx_vertex_fetch(const struct a2xx_fetch_unit *unit, const struct a2xx_vertex *insn,
                       const struct a2xx_vertex *full, const float index[A2XX_LANES],
                       uint64_t active, float data[4][A2XX_LANES],
                       struct a2xx_fetch_report *report);

/* Executes a texture fetch. `coords` are the source's components, selected by src_swiz, of all
 * lanes, since inactive lanes contribute to the gradients of their neighbours. If quads is set,
 * lanes 4n to 4n + 3 are the upper left, upper right, lower left and lower right pixel.
 * Otherwise computed levels of detail and gradients are 0. Opcodes that only set state change
 * *state and not data. */
void a2xx_texture_fetch(const struct a2xx_fetch_unit *unit, const struct a2xx_texture *insn,
                        const float coords[3][A2XX_LANES], uint64_t active, bool quads,
                        struct a2xx_texture_state *state, float data[4][A2XX_LANES],
                        struct a2xx_fetch_report *report);

#endif
