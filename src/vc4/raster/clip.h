/* SPDX-License-Identifier: MIT */
/* clip.h - the PTB's clipper: splits a primitive in clip space into the parts that can be drawn.
 *
 * In:  vertices with clip coordinates, records 105 and 106.
 * Out: parts, which are points, lines or triangles. The vertices of a part are original vertices or
 *      new vertices. The binner writes new vertices to the renderer's clipped primitive records
 *      (manual table 44). */
#ifndef VC4_RASTER_CLIP_H
#define VC4_RASTER_CLIP_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "vc4/state/state.h"
#include "vc4/state/vertex.h"

enum {
    CLIP_MAX_PARTS = 8,    /* most parts of a triangle that seven planes cut */
    CLIP_VERTEX_BYTES = 32 /* size of a vertex in a clipped primitive record */
};

struct clip_vertex {
    int32_t x, y;   /* position in 1/16 pixel, relative to the viewport centre */
    float z, inv_w; /* Zs, 1/Wc */
    /* Weights of the original vertices. A varying is the sum of weight[k] * varying of vertex k. */
    float weight[3];
};

struct clip_part {
    uint8_t clipped; /* bit k is set if vertex k is new and needs an entry in a record */
    struct clip_vertex vertex[3];
};

/* Converts a primitive of 1, 2 or 3 vertices to a part without clipping. */
void clip_whole(struct clip_part *part, unsigned vertices, const struct vertex *const vertex[3]);

/* Clips a primitive against -Wc <= Zc <= Wc, Wc > 0 and the range of screen coordinates. Returns
 * the number of parts, or 0 if nothing remains or a coordinate is not finite. A primitive that is
 * entirely inside becomes one part with original vertices only. */
unsigned clip_primitive(struct clip_part part[CLIP_MAX_PARTS], const struct cl_state *state,
                        unsigned vertices, const struct vertex *const vertex[3]);

/* Returns true if all clip coordinates of the vertices are finite. */
bool clip_is_finite(unsigned vertices, const struct vertex *const vertex[3]);

/* Writes the clipped primitive record of a part, with an entry for each new vertex. Returns the
 * record's length in bytes. */
size_t clip_record_write(const struct clip_part *part, uint8_t out[3 * CLIP_VERTEX_BYTES]);

/* Reads one entry of a clipped primitive record. */
struct clip_vertex clip_record_read(const uint8_t bytes[CLIP_VERTEX_BYTES]);

/* Computes in *out the vertex that the renderer draws for an entry of a clipped primitive record.
 * original contains the primitive's original vertices. Flat varyings (state->flat_shade) are copied
 * from the provoking vertex. */
void clip_replace(struct vertex *out, const struct clip_vertex *clipped,
                  const struct cl_state *state, unsigned vertices, unsigned varyings,
                  const struct vertex *const original[3]);

#endif
