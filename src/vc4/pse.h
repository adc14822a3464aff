/* SPDX-License-Identifier: MIT */
/* pse.h - Primitive Setup Engine: from shaded vertices to edges and interpolation planes.
 *
 * In:  one to three vertices and the state.
 * Out: struct pse_primitive, all that the FEP and the VRI need. */
#ifndef VC4_PSE_H
#define VC4_PSE_H

#include <stdbool.h>
#include <stdint.h>

#include "vc4/outline.h"
#include "vc4/state.h"
#include "vc4/vcm.h"
#include "vc4/vri.h"

enum { PSE_MAX_EDGES = OUTLINE_MAX_CORNERS };

/* One edge: the inside is where e = a*x + b*y + c >= 0, with ties resolved inside c (the fill
 * rule). x and y are raster coordinates; (a, b) points inside. */
struct pse_edge {
    int64_t a, b, c;
};

/* A plane over the window: its value at (x, y) is at0 + dx*(x - x0) + dy*(y - y0), in pixels; the
 * centre of pixel (0, 0) is (0.5, 0.5). */
struct pse_plane {
    double at0, dx, dy;
};

struct pse_primitive {
    uint32_t edge_count;
    struct pse_edge edge[PSE_MAX_EDGES];
    int32_t left, bottom, right, top; /* pixels that can be covered, half open, not clipped to a
                                         window; bottom is the smallest memory row */
    double x0, y0;                    /* origin of the planes, pixels: the provoking vertex */
    struct pse_plane z, inv_w;
    double z_offset; /* depth offset, added to Zs */
    bool reverse;    /* back-facing */
    bool no_area;    /* why pse_setup() returned false: else facing */
    uint32_t draw;   /* the draw that it belongs to, for counts; set by the caller */
    enum primitive_type type;
    struct vri_primitive varyings; /* last: only .count of its entries are valid, see pse_copy() */
};

/* Whether signed area (in any unit; (x1-x0)(y2-y0) - (x2-x0)(y1-y0), y along memory rows) means a
 * reverse-facing triangle under record 96, and whether triangles of that facing are drawn. Points
 * and lines count as forward, and are drawn in any case. */
bool pse_is_reverse(const struct cl_state *state, int64_t signed_area);
bool pse_is_drawn(const struct cl_state *state, bool reverse);

/* Sets up a primitive. It has 1, 2 or 3 vertices as type says; the last vertex is the provoking
 * one. Clipped vertices (manual table 44) come in with their varyings already combined. False when
 * nothing is to be drawn (culled, no area): .no_area and .reverse say which of the two, and whether it is
 * reverse-facing. RHTs have no vertices; see vg_setup(). */
bool pse_setup(struct pse_primitive *out, const struct cl_state *state,
               const struct shader_record *record, enum primitive_type type,
               const struct vertex *const vertex[3]);

/* For primitives that come as convex shapes (VG mode): the edges, as struct edge has them, with the fill rule
 * added, and the bounds; then Zs and 1/Wc that are the same everywhere, with no varyings. */
void pse_set_convex(struct pse_primitive *out, const struct edge *edge, uint32_t edges,
                    struct corner low, struct corner high);
void pse_set_constant(struct pse_primitive *out, const struct cl_state *state,
                      enum primitive_type type, double z, double inv_w);

/* Copies a primitive without the unused part of its varyings. */
void pse_copy(struct pse_primitive *to, const struct pse_primitive *from);

#endif
