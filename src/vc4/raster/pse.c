/* SPDX-License-Identifier: MIT */
/* pse.c - Primitive Setup Engine: edges, facing, and planes for Z, 1/Wc and varyings.
 *
 * In:        shaded vertices, the provoking one last; state of records 96, 97, 99, 101 and 103.
 * Out:       struct pse_primitive for the FEP and the VRI.
 * Source:    manual sections 2 and 6, table 38; Mesa's vc4 driver (vc4_state.c for facing,
 *            vc4_program.c for implicit varyings); asurati/x03 demo/d50.c for facing.
 * Modelled:  triangles, points, lines; facing and culling; flat shading; depth offset.
 * Left out:  the shapes of VG mode's primitives (vg.c); sample positions (fep.c).
 * Choices:   fill rule, lines, points and depth offset, which the manual does not specify: see
 *            docs/vc4/pse.md.
 */
#include "vc4/raster/pse.h"

#include <stddef.h>
#include <string.h>

enum { FLAT_FLAGS = 32 };

/* Size of a depth-offset unit: the smallest step of a 24-bit depth buffer. */
#define DEPTH_UNIT 0x1p-24

/* Factors to compute the slopes of a plane from its values at the vertices. Each vertex except the
 * provoking vertex adds (value - provoking value) * (dx, dy) to the slopes. */
struct slopes {
    uint32_t count;
    struct {
        double dx, dy;
    } vertex[2];
};

/* Geometry of a primitive, computed by a function for each type. */
struct shape {
    struct outline outline;
    struct slopes slopes;
    struct pse_plane implicit[2]; /* planes of the implicit varyings, before the perspective
                                     correction; at0 is the value at the provoking vertex */
    uint32_t implicit_count;
};

static bool config_bit(const struct cl_state *state, unsigned bit)
{
    return bits_get(state->configuration, bit, bit);
}

bool pse_is_reverse(const struct cl_state *state, int64_t signed_area)
{
    bool clockwise = config_bit(state, CL_CONFIGURATION_BITS_CLOCKWISE_BIT);
    return clockwise ? signed_area > 0 : signed_area < 0;
}

bool pse_is_drawn(const struct cl_state *state, bool reverse)
{
    return config_bit(state, reverse ? CL_CONFIGURATION_BITS_REVERSE_BIT
                                     : CL_CONFIGURATION_BITS_FORWARD_BIT);
}

static double pixels(int64_t raster)
{
    return (double)raster / OUTLINE_UNIT;
}

/* Returns true if pixel centres exactly on an edge are inside the edge. This is the fill rule: true
 * for a left edge, and for a horizontal edge with the inside at larger rows. Pixel centres on an
 * edge of two triangles therefore belong to exactly one of the triangles. */
static bool owns_its_pixels(int64_t a, int64_t b)
{
    return a > 0 || (a == 0 && b > 0);
}

static struct pse_edge with_rule(struct edge edge)
{
    if (!owns_its_pixels(edge.a, edge.b))
        edge.c -= 1; /* for integers, e > 0 equals e - 1 >= 0 */
    return (struct pse_edge){edge.a, edge.b, edge.c};
}

/* Returns the first pixel whose centre is at or after a raster coordinate. */
static int32_t first_pixel(int64_t raster)
{
    return (int32_t)((raster + OUTLINE_HALF - 1) >> OUTLINE_SUBPIXEL_BITS);
}

void pse_set_convex(struct pse_primitive *out, const struct edge *edge, uint32_t edges,
                    struct corner low, struct corner high)
{
    out->edge_count = edges;
    for (uint32_t i = 0; i < edges; i++)
        out->edge[i] = with_rule(edge[i]);
    out->left = first_pixel(low.x);
    out->bottom = first_pixel(low.y);
    out->right = first_pixel(high.x);
    out->top = first_pixel(high.y);
}

static void set_outline(struct pse_primitive *out, const struct outline *outline)
{
    struct edge edge[OUTLINE_MAX_CORNERS];
    struct corner low, high;
    outline_bounds(outline, &low, &high);
    for (uint32_t i = 0; i < outline->count; i++)
        edge[i] = outline_edge(outline, i);
    pse_set_convex(out, edge, outline->count, low, high);
}

/* --- slopes and implicit varyings of each type --- */

static void describe_triangle(struct shape *shape, const struct corner p[3])
{
    double scale = (double)OUTLINE_UNIT / (double)shape->outline.area; /* slopes are per pixel */
    shape->slopes.count = 2;
    shape->slopes.vertex[0].dx = (double)(p[1].y - p[2].y) * scale;
    shape->slopes.vertex[0].dy = (double)(p[2].x - p[1].x) * scale;
    shape->slopes.vertex[1].dx = (double)(p[2].y - p[0].y) * scale;
    shape->slopes.vertex[1].dy = (double)(p[0].x - p[2].x) * scale;
}

/* Sets up a point's implicit varyings, the coordinates inside the point. The y coordinate decreases
 * from row to row in memory. */
static void describe_point(struct shape *shape)
{
    double slope = 1 / pixels(2 * shape->outline.half);
    shape->implicit[0] = (struct pse_plane){.at0 = 0.5, .dx = slope};
    shape->implicit[1] = (struct pse_plane){.at0 = 0.5, .dy = -slope};
    shape->implicit_count = 2;
}

/* Sets up a line. Values of vertices change along the major axis only. The implicit varying is a
 * coordinate that changes from 0 to 1 across the line's width, and is constant along the line. */
static void describe_line(struct shape *shape, const struct corner end[2])
{
    int64_t x = end[0].x - end[1].x, y = end[0].y - end[1].y;
    double across = 1 / pixels(2 * shape->outline.half);
    shape->implicit_count = 1;
    shape->slopes.count = 1;
    if (shape->outline.x_major) {
        shape->slopes.vertex[0].dx = 1 / pixels(x);
        shape->implicit[0] = (struct pse_plane){
            .at0 = 0.5, .dx = -across * (double)y / (double)x, .dy = across};
    } else {
        shape->slopes.vertex[0].dy = 1 / pixels(y);
        shape->implicit[0] = (struct pse_plane){
            .at0 = 0.5, .dx = across, .dy = -across * (double)x / (double)y};
    }
}

static bool set_shape(struct shape *shape, const struct cl_state *state, enum primitive_type type,
                      const struct vertex *const vertex[3])
{
    struct corner position[3] = {{0, 0}};
    if (type == PRIMITIVE_RHT)
        return false;
    for (uint32_t i = 0; i <= (uint32_t)type; i++)
        position[i] = outline_position(state, vertex[i]->x, vertex[i]->y);
    if (!outline_set(&shape->outline, state, type, position, vertex[0]->point_size))
        return false;
    shape->slopes = (struct slopes){0};
    shape->implicit_count = 0;
    switch (type) {
    case PRIMITIVE_POINT: describe_point(shape); break;
    case PRIMITIVE_LINE: describe_line(shape, position); break;
    default: describe_triangle(shape, position); break;
    }
    return true;
}
_Static_assert(PRIMITIVE_POINT == 0 && PRIMITIVE_LINE == 1 && PRIMITIVE_TRIANGLE == 2,
               "a type is one less than its vertices");

/* --- planes --- */

/* Returns the plane through the vertices' values. The provoking vertex's value is the last. */
static struct pse_plane plane_through(const struct slopes *slopes, const double value[3])
{
    struct pse_plane plane = {.at0 = value[slopes->count]};
    for (uint32_t i = 0; i < slopes->count; i++) {
        plane.dx += (value[i] - plane.at0) * slopes->vertex[i].dx;
        plane.dy += (value[i] - plane.at0) * slopes->vertex[i].dy;
    }
    return plane;
}

static void set_planes(struct pse_primitive *out, const struct slopes *slopes,
                       const struct vertex *const vertex[3])
{
    double z[3], inv_w[3];
    for (uint32_t i = 0; i <= slopes->count; i++) {
        z[i] = vertex[i]->z;
        inv_w[i] = vertex[i]->inv_w;
    }
    out->z = plane_through(slopes, z);
    out->inv_w = plane_through(slopes, inv_w);
}

static double magnitude(double value)
{
    return value < 0 ? -value : value;
}

/* Returns the depth offset of record 101. The record contains the upper halves of two floats,
 * factor and units. */
static double depth_offset(const struct cl_state *state, const struct pse_plane *z)
{
    uint32_t word = state->depth_offset;
    double factor = bits_float((uint32_t)bits_get(word, 15, 0) << 16);
    double units = bits_float((uint32_t)bits_get(word, 31, 16) << 16);
    double dx = magnitude(z->dx), dy = magnitude(z->dy);
    return factor * (dx > dy ? dx : dy) + units * DEPTH_UNIT;
}

static void set_depth_offset(struct pse_primitive *out, const struct cl_state *state)
{
    bool offset = out->type == PRIMITIVE_TRIANGLE &&
                  config_bit(state, CL_CONFIGURATION_BITS_DEPTH_OFFSET_BIT);
    out->z_offset = offset ? depth_offset(state, &out->z) : 0;
}

static bool is_flat(const struct cl_state *state, uint32_t n)
{
    return n < FLAT_FLAGS && bits_get(state->flat_shade, n, n);
}

/* Returns the coefficients of varying n. C is the value at the provoking vertex. The plane is that
 * of (value - C) / Wc. The fragment shader multiplies the plane by W and adds C. */
static struct vri_coefficients smooth_varying(const struct slopes *slopes,
                                              const struct vertex *const vertex[3], uint32_t n)
{
    float c = vertex[slopes->count]->varying[n];
    double partial[3] = {0};
    for (uint32_t i = 0; i < slopes->count; i++)
        partial[i] = ((double)vertex[i]->varying[n] - c) * vertex[i]->inv_w;
    struct pse_plane plane = plane_through(slopes, partial);
    return (struct vri_coefficients){.a = plane.dx, .b = plane.dy, .c = c};
}

/* Sets the varyings: point and line coordinates first, then the record's varyings. */
static void set_varyings(struct vri_primitive *out, const struct shape *shape,
                         const struct cl_state *state, uint32_t count,
                         const struct vertex *const vertex[3])
{
    const struct vertex *provoking = vertex[shape->slopes.count];
    uint32_t slot = 0;
    for (; slot < shape->implicit_count; slot++) {
        struct pse_plane plane = shape->implicit[slot];
        double inv_w = provoking->inv_w;
        out->varying[slot] = (struct vri_coefficients){
            .a = plane.dx * inv_w, .b = plane.dy * inv_w, .c = (float)plane.at0};
    }
    for (uint32_t n = 0; n < count && n < VERTEX_MAX_VARYINGS; n++, slot++)
        out->varying[slot] = is_flat(state, n)
                                 ? (struct vri_coefficients){.c = provoking->varying[n]}
                                 : smooth_varying(&shape->slopes, vertex, n);
    out->count = slot;
    out->implicit = shape->implicit_count;
}

bool pse_setup(struct pse_primitive *out, const struct cl_state *state,
               const struct shader_record *record, enum primitive_type type,
               const struct vertex *const vertex[3])
{
    struct shape shape;
    out->reverse = false;
    out->no_area = !set_shape(&shape, state, type, vertex);
    if (out->no_area)
        return false;
    out->reverse = type == PRIMITIVE_TRIANGLE && pse_is_reverse(state, shape.outline.area);
    if (type == PRIMITIVE_TRIANGLE && !pse_is_drawn(state, out->reverse))
        return false;

    set_outline(out, &shape.outline);
    out->type = type;
    const struct vertex *provoking = vertex[shape.slopes.count];
    struct corner origin = outline_position(state, provoking->x, provoking->y);
    out->x0 = out->varyings.x0 = pixels(origin.x);
    out->y0 = out->varyings.y0 = pixels(origin.y);
    set_planes(out, &shape.slopes, vertex);
    set_depth_offset(out, state);
    set_varyings(&out->varyings, &shape, state, record->varyings, vertex);
    return true;
}

void pse_set_constant(struct pse_primitive *out, const struct cl_state *state,
                      enum primitive_type type, double z, double inv_w)
{
    out->type = type;
    out->x0 = out->y0 = out->varyings.x0 = out->varyings.y0 = 0;
    out->z = (struct pse_plane){.at0 = z};
    out->inv_w = (struct pse_plane){.at0 = inv_w};
    out->varyings.count = out->varyings.implicit = 0;
    set_depth_offset(out, state);
}

void pse_copy(struct pse_primitive *to, const struct pse_primitive *from)
{
    size_t used = offsetof(struct pse_primitive, varyings.varying) +
                  from->varyings.count * sizeof from->varyings.varying[0];
    memcpy(to, from, used);
}
