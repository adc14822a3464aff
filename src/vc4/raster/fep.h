/* SPDX-License-Identifier: MIT */
/* fep.h - Front End Pipe: rasterises primitives, interpolates Z and W, and collects quads for
 * fragment shaders.
 *
 * In:  primitives from the PSE, the window to draw in.
 * Out: batches of up to four quads, through a callback.
 *
 * A batch may contain several primitives of the same state and type. No two quads of a batch have
 * the same position. */
#ifndef VC4_RASTER_FEP_H
#define VC4_RASTER_FEP_H

#include <stdbool.h>
#include <stdint.h>

#include "vc4/raster/fep_batch.h"
#include "vc4/raster/pse.h"
#include "vc4/time/pctr.h"

/* Pixels that may be drawn: the intersection of tile and clip window. right and top are
 * exclusive. */
struct fep_window {
    int32_t left, bottom, right, top;
    bool multisample; /* true if coverage is tested at four samples, not at the pixel's centre */
};

typedef void fep_shade(void *user, const struct fep_batch *batch);

enum { FEP_SLOTS = 4 };

/* Initialise with zeros. */
struct fep {
    struct fep_batch batch;
    struct pse_primitive slot[FEP_SLOTS]; /* ring of the batch's primitives */
    uint32_t slots;                       /* number of used slots; the last precedes next_slot */
    uint32_t next_slot;
    uint64_t quads; /* number of quads with at least one covered pixel, since creation */
};

/* What the FEP is connected to. */
struct fep_ports {
    struct pctr_counts *counts; /* NULL if events are not counted */
    fep_shade *shade;           /* receives the batches */
    void *user;                 /* argument of shade */
};

/* Result of drawing a primitive. */
struct fep_drawn {
    uint32_t quads;      /* number of quads that are shaded */
    uint32_t cut_pixels; /* number of covered pixels outside the Z limits */
};

struct state_stream;

/* Lists the fields for saved states (base/state.h). */
void fep_fields(struct state_stream *stream, struct fep *fep);

/* Rasterises a primitive inside the window, with quads in raster order within each block of 64 x 64
 * pixels. state contains the Z limits of record 104. Calls ports->shade for each full batch, before
 * fep_draw() returns or during a later draw. */
struct fep_drawn fep_draw(struct fep *fep, const struct fep_ports *ports,
                          const struct pse_primitive *primitive, const struct cl_state *state,
                          const struct fep_window *window);

/* Shades the remaining quads. Call it before the state changes and at the end of the tile. */
void fep_flush(struct fep *fep, const struct fep_ports *ports);

#endif
