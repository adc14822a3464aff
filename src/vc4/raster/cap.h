/* SPDX-License-Identifier: MIT */
/* cap.h - Coverage Accumulation Pipe (CAP): counts how many samples of each pixel drawn shapes
 * cover.
 *
 * In:  primitives drawn while record 96 selects the coverage pipe; the oversample and update modes
 *      of record 96.
 * Out: for fragment shaders (signal 7), a level or a mask of 16 samples for each pixel.
 *
 * struct cap is part of the model's tile buffer. In silicon, coverage shares the memory of Z and
 * stencil. */
#ifndef VC4_RASTER_CAP_H
#define VC4_RASTER_CAP_H

#include <stdbool.h>
#include <stdint.h>

#include "vc4/lanes/lanes.h"
#include "vc4/raster/fep.h"
#include "vc4/raster/pse.h"
#include "vc4/state/state.h"

enum { CAP_WIDTH = 64, CAP_HEIGHT = 64, CAP_PIXELS = CAP_WIDTH * CAP_HEIGHT, CAP_SAMPLES = 16 };

/* Values of record 96's "Coverage Update Mode". */
enum cap_update { CAP_NONZERO, CAP_ODD, CAP_OR, CAP_ZERO };

struct cap {
    bool used; /* false if all winding counts are 0; the contents of winding are then undefined */
    /* Winding count of each sample, modulo 256. The index of pixel (x, y) of the tile is y *
     * CAP_WIDTH + x. The index of a sample is 4 * row + column in the pixel's 4 x 4 grid. A sample
     * is covered if its count is not 0. */
    uint8_t winding[CAP_PIXELS][CAP_SAMPLES];
};

/* Mode of all coverage reads of one fragment shader run (manual table 29, Coverage_Read_Mode). */
struct cap_read_mode {
    bool mask;  /* true if reads return masks of 16 samples; false if reads return 8-bit levels */
    bool leave; /* true if reads keep the coverage; false if reads clear the coverage */
};

/* The four quads of a batch of a fragment shader. Lane i is pixel (i & 1, (i >> 1) & 1) of quad
 * i / 4. */
struct cap_quads {
    uint16_t x[4], y[4]; /* position of the quad's lane 0, in pixels of the screen */
    lane_mask lanes;     /* lanes whose pixels the primitive covers */
};

struct state_stream;

/* Lists the fields for saved states (base/state.h). */
void cap_fields(struct state_stream *stream, struct cap *cap);

struct cap_read_mode cap_read_mode(uint32_t configuration);

/* Sets the winding counts of all samples to 0. */
void cap_clear(struct cap *cap);

/* Updates the counts of the samples that a primitive covers inside the window (in pixels).
 * configuration is the value of record 96, which contains the oversample mode and the update mode.
 * In the mode CAP_NONZERO, forward primitives add 1 to the count and reverse primitives subtract
 * 1. */
void cap_draw(struct cap *cap, const struct pse_primitive *primitive, uint32_t configuration,
              const struct fep_window *window);

/* Executes signal 7: writes the coverage of all 16 lanes to *out. Clears the coverage of the pixels
 * of quads->lanes unless mode.leave is set. Returns the lanes of quads->lanes whose pixels had any
 * coverage before. */
lane_mask cap_read(struct cap *cap, const struct cap_quads *quads, struct cap_read_mode mode,
                   lanes *out);

/* Returns the lanes of quads->lanes that are in a quad where at least one pixel of quads->lanes has
 * coverage. With early coverage, the FEP passes only the returned lanes. */
lane_mask cap_covered_quads(const struct cap *cap, const struct cap_quads *quads);

#endif
