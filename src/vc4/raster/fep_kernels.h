/* SPDX-License-Identifier: MIT */
/* fep_kernels.h - private to the FEP: the parts of its work that operate on many pixels at once,
 * with one set of functions for each width of host vectors. All sets have the same results.
 *
 * In:  the edges of a primitive that cross a block of pixels; its planes of Z and 1/Wc.
 * Out: the pixels of the block that are inside all edges; Z and W of quads. */
#ifndef VC4_RASTER_FEP_KERNELS_H
#define VC4_RASTER_FEP_KERNELS_H

#include <stdbool.h>
#include <stdint.h>

#include "exec/cpu.h"
#include "vc4/raster/fep_batch.h"
#include "vc4/raster/pse.h"

/* Size of a block in pixels. A row of a block has one bit for each pixel of a 64-bit mask. */
enum { FEP_BLOCK = 64 };

/* A part of the window that is drawn at once. */
struct fep_block {
    int32_t left, bottom;   /* position of the first pixel in the frame; even */
    uint32_t width, height; /* in pixels */
    uint32_t skip;          /* number of columns that are not drawn, from column 0 on */
    uint32_t samples;       /* 1 for the centre of a pixel, or FEP_SAMPLES */
};

/* Covered pixels of a block. Bit x of row[y * samples + s] is set if sample s of the pixel (x, y)
 * is covered. Kernels set up to three rows too many. */
enum { FEP_COVER_ROWS = FEP_BLOCK * FEP_SAMPLES, FEP_COVER_SPARE = 4 };

struct fep_cover {
    uint64_t row[FEP_COVER_ROWS + FEP_COVER_SPARE];
};

/* The planes of a primitive in a block. The value at the centre of pixel (x, y) of the block is
 * column[x] + row[y]. The sum has the same bits as at0 + dx*(x - x0) + dy*(y - y0), because column
 * is at0 + dx*(x - x0), row is dy*(y - y0), and the distances are exact: positions are multiples of
 * 1/256 below 2^14. */
struct fep_plane {
    double column[FEP_BLOCK], row[FEP_BLOCK];
};

struct fep_planes {
    int32_t left, bottom; /* position of the block in the frame */
    struct fep_plane z, inv_w;
    double z_offset;
    bool w_varies; /* false if W is the same at all pixels; .inv_w is then undefined */
    uint32_t w[4]; /* W of a quad if w_varies is false */
};

struct fep_kernels {
    /* Sets the covered pixels of a block, in the columns from block->skip on. Returns false if the
     * block is outside an edge; the pixels are then undefined. */
    bool (*cover)(const struct fep_block *block, const struct pse_primitive *primitive,
                  struct fep_cover *cover);

    /* Sets the planes .z and .inv_w for the first `width` columns and the first `height` rows of
     * the block. The caller sets the other members. */
    void (*planes)(struct fep_planes *planes, const struct pse_primitive *primitive, uint32_t width,
                   uint32_t height);

    /* Sets Z and W of the quads from `first` to end - 1 of a batch. The positions of the quads are
     * in the block. */
    void (*values)(const struct fep_planes *planes, struct fep_batch *batch, uint32_t first,
                   uint32_t end);
};

/* The set for vectors of 16 bytes, which every host supports, and the set for x86-64 with AVX2. */
extern const struct fep_kernels fep_kernels_portable, fep_kernels_avx2;

/* Returns the fastest set of this host. */
static inline const struct fep_kernels *fep_kernels_native(void)
{
    return CPU_FASTEST(&fep_kernels_portable, &fep_kernels_avx2);
}

#endif
