/* SPDX-License-Identifier: MIT */
/* fep_batch.h - a batch of quads, the output of the FEP. */
#ifndef VC4_RASTER_FEP_BATCH_H
#define VC4_RASTER_FEP_BATCH_H

#include <stdint.h>

#include "vc4/lanes/lanes.h"

enum { FEP_SAMPLES = 4 }; /* samples per pixel with multisampling */

/* Four quads for one fragment shader run (manual table 29). Lane i is pixel (i & 1, (i >> 1) & 1)
 * of quad i / 4. Row y = 0 comes first in memory. All fields of unused quads are 0. */
struct fep_batch {
    uint32_t quads;      /* number of used quads, 1 to 4 */
    uint16_t x[4], y[4]; /* position of each quad's lane 0 in the frame, in pixels; even */
    /* Lanes whose pixel is in the window and has at least one sample inside the primitive. */
    lane_mask covered;
    lane_mask reverse; /* lanes of back-facing primitives */
    /* Bit s is set if sample s is covered. Without multisampling, bits 0 to 3 are all set for
     * covered pixels. */
    uint8_t ms_flags[LANES];
    lanes w;              /* float bits of 1 / (interpolated 1/Wc) */
    lanes z;              /* Z as 24-bit integers */
    uint8_t primitive[4]; /* index in fep.slot of each quad's primitive */
};

#endif
