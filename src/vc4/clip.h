/* SPDX-License-Identifier: MIT */
/* clip.h - the PTB's clipper: from a primitive in clip space to the parts of it that can be drawn.
 *
 * In:  vertices with clip coordinates, records 105 and 106.
 * Out: parts, each a primitive whose vertices are either original ones or new ones; new ones
 *      travel to the renderer as clipped primitive records (manual table 44). */
#ifndef VC4_CLIP_H
#define VC4_CLIP_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "vc4/state.h"
#include "vc4/vcm.h"

enum {
    CLIP_MAX_PARTS = 8,    /* triangles in a triangle cut by seven planes */
    CLIP_VERTEX_BYTES = 32 /* of one vertex in a clipped primitive record */
};

struct clip_vertex {
    int32_t x, y;    /* 12.4 pixels, relative to the viewport centre */
    float z, inv_w;  /* Zs, 1/Wc */
    float weight[3]; /* of the original vertices: varying = sum of weight[k] * varying of k */
};

struct clip_part {
    uint8_t clipped; /* bit k: vertex k is not the original one, and needs a record */
    struct clip_vertex vertex[3];
};

/* The primitive (1, 2 or 3 vertices) as it is. */
void clip_whole(struct clip_part *part, unsigned vertices, const struct vertex *const vertex[3]);

/* Clips against -Wc <= Zc <= Wc, Wc > 0 and the range of screen coordinates. Returns the number of
 * parts; 0 if nothing is left or a coordinate is not finite. A primitive that is wholly inside is
 * one part with nothing clipped. */
unsigned clip_primitive(struct clip_part part[CLIP_MAX_PARTS], const struct cl_state *state,
                        unsigned vertices, const struct vertex *const vertex[3]);

/* Whether all clip coordinates of the vertices are finite. */
bool clip_is_finite(unsigned vertices, const struct vertex *const vertex[3]);

/* Writes the record of a part: an entry for each clipped vertex. Returns its length. */
size_t clip_record_write(const struct clip_part *part, uint8_t out[3 * CLIP_VERTEX_BYTES]);

/* Reads one entry of a record. */
struct clip_vertex clip_record_read(const uint8_t bytes[CLIP_VERTEX_BYTES]);

/* The vertex that the renderer puts in place of a flagged one; original holds the primitive's own
 * vertices. Flat varyings (state->flat_shade) are those of the provoking vertex, unchanged. */
void clip_replace(struct vertex *out, const struct clip_vertex *clipped,
                  const struct cl_state *state, unsigned vertices, unsigned varyings,
                  const struct vertex *const original[3]);

#endif
