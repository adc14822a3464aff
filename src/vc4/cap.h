/* SPDX-License-Identifier: MIT */
/* cap.h - Coverage Accumulation Pipe (CAP): how much of each pixel the shapes drawn so far cover.
 *
 * In:  primitives whose state has record 96's "Coverage Pipe Select"; its oversample and update modes.
 * Out: for fragment shaders (signal 7), a level or a mask of 16 samples for each pixel.
 *
 * Plain data; a part of the tile buffer, whose Z and stencil memory it is in silicon. */
#ifndef VC4_CAP_H
#define VC4_CAP_H

#include <stdbool.h>
#include <stdint.h>

#include "vc4/fep.h"
#include "vc4/lanes.h"
#include "vc4/pse.h"
#include "vc4/state.h"

enum { CAP_WIDTH = 64, CAP_HEIGHT = 64, CAP_PIXELS = CAP_WIDTH * CAP_HEIGHT, CAP_SAMPLES = 16 };

/* Values of record 96's "Coverage Update Mode". */
enum cap_update { CAP_NONZERO, CAP_ODD, CAP_OR, CAP_ZERO };

struct cap {
    bool used; /* there are counts; else all are zero, whatever stands in .winding */
    /* Windings around each sample, modulo 256; pixel (x, y) of the tile is y * CAP_WIDTH + x, sample
     * 4 * row + column of its grid. A sample is covered if its count is not zero. */
    uint8_t winding[CAP_PIXELS][CAP_SAMPLES];
};

/* What reading does, for a fragment shader's whole run (manual table 29, Coverage_Read_Mode). */
struct cap_read_mode {
    bool mask;  /* 16 bits, else 8-bit levels */
    bool leave; /* the coverage as it is, else clear it */
};

/* The quads that a shader runs for. Lane i is pixel (i & 1, (i >> 1) & 1) of quad i >> 2. */
struct cap_quads {
    uint16_t x[4], y[4]; /* of lane 0, screen pixels */
    lane_mask lanes;     /* which pixels are the shader's */
};

struct cap_read_mode cap_read_mode(uint32_t configuration);

/* Nothing is covered. */
void cap_clear(struct cap *cap);

/* Adds a primitive's samples, in pixels of the window, under the state's oversample and update modes.
 * Forward primitives wind by +1, reverse ones by -1. */
void cap_draw(struct cap *cap, const struct pse_primitive *primitive, uint32_t configuration,
              const struct fep_window *window);

/* Signal 7: what all 16 lanes read; only the shader's own pixels are cleared. Returns the lanes whose
 * pixels had any coverage. */
lane_mask cap_read(struct cap *cap, const struct cap_quads *quads, struct cap_read_mode mode,
                   lanes *out);

/* The lanes of those quads in which any pixel has coverage: what the FEP lets through with early
 * coverage. */
lane_mask cap_covered_quads(const struct cap *cap, const struct cap_quads *quads);

#endif
