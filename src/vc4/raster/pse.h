/* SPDX-License-Identifier: MIT */
/* pse.h - Primitive Setup Engine: computes edges and interpolation planes from shaded vertices.
 *
 * In:  one to three vertices and the state.
 * Out: struct pse_primitive, the complete input of the FEP and the VRI. */
#ifndef VC4_RASTER_PSE_H
#define VC4_RASTER_PSE_H

#include <stdbool.h>
#include <stdint.h>

#include "vc4/raster/outline.h"
#include "vc4/raster/vri.h"
#include "vc4/state/state.h"
#include "vc4/state/vertex.h"

enum { PSE_MAX_EDGES = OUTLINE_MAX_CORNERS };

/* An edge. A point (x, y) in raster units is inside the edge if a*x + b*y + c >= 0. c includes the
 * fill rule, which decides about points exactly on the edge. The vector (a, b) points inside. */
struct pse_edge {
    int64_t a, b, c;
};

/* A plane: a linear function of the position in the window. The value at (x, y), in pixels, is
 * at0 + dx*(x - x0) + dy*(y - y0). The centre of pixel (0, 0) is (0.5, 0.5). */
struct pse_plane {
    double at0, dx, dy;
};

struct pse_primitive {
    uint32_t edge_count;
    struct pse_edge edge[PSE_MAX_EDGES];
    /* Bounds of the pixels that can be covered, not clipped to a window. right and top are
     * exclusive. bottom is the row that comes first in memory. */
    int32_t left, bottom, right, top;
    double x0, y0; /* position of the provoking vertex in pixels, the origin of the planes */
    struct pse_plane z, inv_w;
    double z_offset; /* depth offset, added to Zs */
    bool reverse;    /* back-facing */
    bool no_area;    /* after pse_setup() returned false: true if the primitive has no area, false
                        if the primitive is culled by its facing */
    uint32_t draw;   /* number of the primitive's draw, for counts; set by the caller */
    enum primitive_type type;
    struct vri_primitive varyings; /* must be the last member, because pse_copy() copies only the
                                      first .count entries */
};

/* pse_is_reverse() returns true if a triangle is reverse-facing under record 96. pse_is_drawn()
 * returns true if triangles with the facing `reverse` are drawn. signed_area is (x1-x0)(y2-y0) -
 * (x2-x0)(y1-y0) in any unit, with y along memory rows. Points and lines count as forward and are
 * always drawn. */
bool pse_is_reverse(const struct cl_state *state, int64_t signed_area);
bool pse_is_drawn(const struct cl_state *state, bool reverse);

/* Sets up a point, a line or a triangle with 1, 2 or 3 vertices. The last vertex is the provoking
 * vertex. The varyings of clipped vertices (manual table 44) must already be computed. Returns
 * false if nothing is drawn. In this case .no_area is true if the primitive has no area. Otherwise
 * the primitive is culled, and .reverse is its facing. RHTs are set up by vg_setup(). */
bool pse_setup(struct pse_primitive *out, const struct cl_state *state,
               const struct shader_record *record, enum primitive_type type,
               const struct vertex *const vertex[3]);

/* Set up a primitive of VG mode, which is a convex shape. pse_set_convex() sets the bounds and the
 * edges, and applies the fill rule to the edges. pse_set_constant() sets a constant Zs and 1/Wc,
 * and no varyings. */
void pse_set_convex(struct pse_primitive *out, const struct edge *edge, uint32_t edges,
                    struct corner low, struct corner high);
void pse_set_constant(struct pse_primitive *out, const struct cl_state *state,
                      enum primitive_type type, double z, double inv_w);

/* Copies a primitive except the unused entries of its varyings. */
void pse_copy(struct pse_primitive *to, const struct pse_primitive *from);

#endif
