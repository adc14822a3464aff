/* SPDX-License-Identifier: MIT */
/* fep.h - Front End Pipe: rasteriser, Z and W interpolation; collects quads for fragment shaders.
 *
 * In:  primitives from the PSE, the window to draw in.
 * Out: batches of up to four quads, through a callback.
 *
 * A batch may mix primitives of the same state and type; two quads of one batch never have the same
 * position. */
#ifndef VC4_FEP_H
#define VC4_FEP_H

#include <stdbool.h>
#include <stdint.h>

#include "vc4/lanes.h"
#include "vc4/pctr.h"
#include "vc4/pse.h"

/* Four quads for one fragment shader run (manual table 29). Lane i is pixel (i & 1, (i >> 1) & 1)
 * of quad i >> 2; y grows with the memory row. Everything of a quad that is not in use is zero. */
struct fep_batch {
    uint32_t quads;          /* 1..4 in use */
    uint16_t x[4], y[4];     /* top-left pixel of each quad, even, screen coordinates */
    lane_mask covered;       /* lanes inside their primitive and the window, at any sample */
    lane_mask reverse;       /* lanes of back-facing primitives */
    uint8_t ms_flags[LANES]; /* bit s: sample s is covered; all four without multisampling */
    lanes w;                 /* float bits of 1 / (interpolated 1/Wc) */
    lanes z;                 /* 24-bit integers */
    uint8_t primitive[4];    /* slot in fep.slot of each quad's primitive */
};

/* Pixels that may be drawn: tile and clip window intersected; half open. */
struct fep_window {
    int32_t left, bottom, right, top;
    bool multisample; /* coverage of each sample, else of the pixel's centre */
};

enum { FEP_SAMPLES = 4 };

/* Where in a pixel its samples are, in raster units (OUTLINE_UNIT to a pixel): the choice of the
 * successor V3D 3.3 (Mesa, v3d_context.c). */
extern const struct fep_position {
    int16_t x, y;
} fep_sample_positions[FEP_SAMPLES];

typedef void fep_shade(void *user, const struct fep_batch *batch);

enum { FEP_SLOTS = 4 };

/* All zero at first, but for counts. */
struct fep {
    struct pctr_counts *counts; /* may be NULL */
    struct fep_batch batch;
    struct pse_primitive slot[FEP_SLOTS]; /* the primitives that the batch refers to */
    uint32_t slots;                       /* so many of them, up to next_slot */
    uint32_t next_slot;
    uint64_t quads; /* with at least one covered pixel, since creation */
};

/* What became of one primitive. */
struct fep_drawn {
    uint32_t quads;      /* that are shaded */
    uint32_t cut_pixels; /* covered ones outside of the Z limits */
};

/* Rasterises one primitive inside the window; quads in raster order of each 64 x 64 pixels. state
 * gives the Z limits of record 104. Calls shade for each full batch, which happens before fep_draw() returns
 * or at a later draw. */
struct fep_drawn fep_draw(struct fep *fep, const struct pse_primitive *primitive,
                          const struct cl_state *state, const struct fep_window *window,
                          fep_shade *shade, void *user);

/* Shades what is left, before the state changes or the tile ends. */
void fep_flush(struct fep *fep, fep_shade *shade, void *user);

#endif
