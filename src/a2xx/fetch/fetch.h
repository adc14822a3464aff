/* SPDX-License-Identifier: MIT */
/* fetch.h - the fetch units, which execute a vertex or texture fetch for 64 lanes.
 *
 * In:      a decoded fetch instruction, the fetch constants, memory, and an index or coordinates
 *          for each lane.
 * Out:     four components for each lane, before the instruction's dst_swiz; errors for each lane.
 * Source:  docs/hardware/a2xx.md, sections 14 to 17, 26, 27. docs/a2xx/texture.md lists the choices
 *          where these sections are silent. */
#ifndef A2XX_FETCH_FETCH_H
#define A2XX_FETCH_FETCH_H

#include <stdbool.h>
#include <stdint.h>

#include <tessera/a2xx.h>

#include "a2xx/fetch/memory.h"
#include "a2xx/lanes/lanes.h"
#include "isa/a2xx/a2xx_isa.h"
#include "isa/a2xx/facts.h"

/* Errors of a fetch. The errors before A2XX_FETCH_LANES occur in single lanes. The other errors
 * concern the instruction and its constant, so they occur in all active lanes. */
enum a2xx_fetch_fault {
    A2XX_FETCH_UNMAPPED, /* the memory is not mapped and reads as 0 */
    /* vertex fetch: the element extends past the end of the buffer in the constant; dwords past the
     * end are 0 */
    A2XX_FETCH_BEYOND,
    A2XX_FETCH_INDEX,      /* vertex fetch: the index is infinite or NaN */
    A2XX_FETCH_COORDINATE, /* texture fetch: a coordinate is infinite or NaN, and is replaced by
                              0 */
    A2XX_FETCH_UNSET,      /* all words of the constant are 0; the result is 0, 0, 0, 0 */
    A2XX_FETCH_LANES = A2XX_FETCH_UNSET,
    /* the format is undefined, or its layout is unknown; the result is 0, 0, 0, 0 */
    A2XX_FETCH_FORMAT,
    /* vertex fetch: the format has blocks of texels, which cannot be read; the result is 0, 0, 0,
     * 0 */
    A2XX_FETCH_KIND,
    A2XX_FETCH_TYPE,   /* the constant has the wrong type (2 is texture, 3 is vertex) */
    A2XX_FETCH_OPCODE, /* undefined operation; the result is 0, 0, 0, 0 */
    A2XX_FETCH_OFFSET, /* vertex fetch: the element extends into the next vertex */
    /* vertex fetch: the stride or offset is not a multiple of 4 bytes, and is used unchanged */
    A2XX_FETCH_ALIGN,
    /* texture fetch on the Xenos: instruction and constant have different dimensions; the
     * constant's dimension is used */
    A2XX_FETCH_DIMENSION,
    A2XX_FETCH_PITCH, /* texture fetch: the pitch is smaller than the width */
    A2XX_FETCH_FAULTS
};

struct a2xx_fetch_report {
    uint64_t lanes[A2XX_FETCH_FAULTS]; /* bit i is 1 if lane i has the error */
    uint32_t address; /* address of the first failed access of the lowest lane with an error */
    /* Set by vertex fetches: position of the element in a vertex, number of the vertex constant,
     * size of the constant's buffer in bytes, and offset in the buffer of the first element that
     * extends past its end. */
    struct a2xx_element element;
    uint32_t constant;
    uint64_t size;
    int64_t at;
};

/* Inputs that all fetches of a stage use. */
struct a2xx_fetch_unit {
    enum tess_a2xx_variant variant;
    const uint32_t *constants; /* words of all fetch constants, TESS_A2XX_FETCH_WORDS in number */
    const struct a2xx_memory *memory;
};

/* State that SET_TEX_LOD and SET_GRADIENTS set for each lane. All values are 0 at the start of a
 * program. */
struct a2xx_texture_state {
    float lod[A2XX_LANES];
    float right[3][A2XX_LANES], down[3][A2XX_LANES]; /* gradients to the right, and downwards */
};

/* Executes a vertex fetch for the active lanes. `data` of other lanes does not change. `index` is
 * the index of each lane, from the source register. `full` is the last full fetch, or insn if there
 * was none. A mini fetch of the Xenos uses the constant and the stride of `full`. For a mini fetch,
 * `index` must be the index that the full fetch has used. Errors are added to *report. */
void a2xx_vertex_fetch(const struct a2xx_fetch_unit *unit, const struct a2xx_vertex *insn,
                       const struct a2xx_vertex *full, const float index[A2XX_LANES],
                       uint64_t active, float data[4][A2XX_LANES],
                       struct a2xx_fetch_report *report);

/* Executes a texture fetch. `coords` has the components of the source that src_swiz selects. All
 * lanes must have coordinates, because inactive lanes contribute to the gradients of their
 * neighbours. If quads is true, lanes 4n to 4n + 3 are the upper left, upper right, lower left and
 * lower right pixels of a quad. Otherwise computed levels of detail and gradients are 0. Opcodes
 * that only set state change *state and do not change data. */
void a2xx_texture_fetch(const struct a2xx_fetch_unit *unit, const struct a2xx_texture *insn,
                        const float coords[3][A2XX_LANES], uint64_t active, bool quads,
                        struct a2xx_texture_state *state, float data[4][A2XX_LANES],
                        struct a2xx_fetch_report *report);

#endif
