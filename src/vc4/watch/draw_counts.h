/* SPDX-License-Identifier: MIT */
/* draw_counts.h - a draw, and the counts of its primitives and pixels (draws.h). */
#ifndef VC4_WATCH_DRAW_COUNTS_H
#define VC4_WATCH_DRAW_COUNTS_H

#include <stdbool.h>
#include <stdint.h>

#include <tessera/vc4.h>

#include "vc4/state/state.h"

/* Counts of a draw, and state that the notes contain. */
struct draw_counts {
    uint64_t of[TESS_VC4_DRAW_COUNTS];
    uint64_t at_clear; /* number of pixels that failed the depth test against the clear value */
    uint64_t blended;  /* number of unchanged pixels whose shader read the tile's colour */
    uint32_t clear_z;  /* depth clear value at the tests that at_clear counts */
    /* Setup of the first failed stencil test: DRAW_STENCIL_KNOWN, function << 16, reference << 8
     * and compare mask (manual table 27), with DRAW_STENCIL_BACK for back faces. 0 if no test has
     * failed. */
    uint32_t stencil;
};

#define DRAW_STENCIL_KNOWN (UINT32_C(1) << 31)
#define DRAW_STENCIL_BACK  (UINT32_C(1) << 30)

/* A primitive list record. */
struct draw_record {
    uint32_t address;
    uint8_t code, thread;
    uint8_t mode;    /* enum primitive_mode; valid for records 32 and 33 */
    uint32_t length; /* number of vertices; valid for records 32 and 33 */
    uint64_t flush;  /* number of the binner's next flush, which completes the draw's tile lists */
    const struct cl_state *state;
};

/* An area in pixels; right and top are exclusive. */
struct draw_area {
    int32_t left, bottom, right, top;
};

/* A draw whose counts may still change. */
struct draw_live {
    struct draw_record record; /* record.state is invalid; use the member state instead */
    struct cl_state state;
    uint32_t row;             /* index in draws.row */
    bool executed;            /* true if the draw was executed since the last report */
    struct draw_area outside; /* bounds of all primitives outside the clip window, or empty */
    struct draw_counts counts;
};

#endif
