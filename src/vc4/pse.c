/* SPDX-License-Identifier: MIT */
/* pse.c - Primitive Setup Engine: edges, facing, and planes for Z, 1/Wc and varyings.
 *
 * In:        shaded vertices, the provoking one last; state of records 96, 97, 99, 101 and 103.
 * Out:       struct pse_primitive for the FEP and the VRI.
 * Source:    manual sections 2 and 6, table 38; Mesa's vc4 driver (vc4_state.c for facing,
 *            vc4_program.c for implicit varyings); asurati/x03 demo/d50.c for facing.
 * Modelled:  triangles, points, lines; facing and culling; flat shading; depth offset.
 * Left out:  RHT primitives of VG mode; multisample positions.
 * Differs:   the manual says nothing of fill rule, lines, points and depth offset. See
 *            docs/vc4/pse.md for what was chosen.
 */
#include "vc4/pse.h"

#include <stddef.h>
#include <string.h>

enum {
    RASTER_UNIT = 1 << PSE_SUBPIXEL_BITS, /* raster units in a pixel */
    RASTER_HALF = RASTER_UNIT / 2,        /* offset of a pixel centre */
    RASTER_PER_12_4 = 1 << (PSE_SUBPIXEL_BITS - 4),
    FLAT_FLAGS = 32,
};

/* A depth-offset unit: the least step of a 24-bit depth buffer. */
#define DEPTH_UNIT 0x1p-24

/* A position in raster units. |x|, |y| stay below 2^21: two int16 in 12.4, and half of the largest
 * point. */
struct corner {
    int64_t x, y;
};

/* How a plane's slopes follow from its values at the vertices before the provoking one: each vertex
 * adds (value - provoking value) * (dx, dy). */
struct slopes {
    uint32_t count;
    struct {
        double dx, dy;
    } vertex[2];
};

/* What the types of primitive have to say about themselves. */
struct shape {
    struct corner corner[PSE_MAX_EDGES];
    uint32_t corner_count;
    struct slopes slopes;
    struct pse_plane implicit[2]; /* implicit varyings, before perspective; .at0 is at the vertex */
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

static struct corner window_position(const struct cl_state *state, const struct vertex *vertex)
{
    return (struct corner){
        .x = ((int64_t)state->viewport_x + vertex->x) * RASTER_PER_12_4,
        .y = ((int64_t)state->viewport_y + vertex->y) * RASTER_PER_12_4,
    };
}

static double pixels(int64_t raster)
{
    return (double)raster / RASTER_UNIT;
}

/* limit for anything larger, low for anything smaller and for NaN. */
static float clamp_float(float value, float low, float limit)
{
    if (!(value > low))
        return low;
    return value < limit ? value : limit;
}

/* Half of a guest's size in pixels, in raster units; size is within 0 and PSE_MAX_POINT_SIZE. */
static int64_t half_size(float size)
{
    return (int64_t)((double)size * RASTER_HALF + 0.5);
}

/* Twice the area, positive where the corners go round clockwise as displayed with row 0 on top. */
static int64_t signed_area(const struct corner *corner, uint32_t count)
{
    int64_t area = 0;
    for (uint32_t i = 1; i + 1 < count; i++)
        area += (corner[i].x - corner[0].x) * (corner[i + 1].y - corner[0].y) -
                (corner[i + 1].x - corner[0].x) * (corner[i].y - corner[0].y);
    return area;
}

/* The fill rule: pixel centres exactly on an edge belong to it if it is a left edge, or a
 * horizontal one with the inside at larger rows. An edge that two triangles share is such an edge
 * for one of them. */
static bool owns_its_pixels(int64_t a, int64_t b)
{
    return a > 0 || (a == 0 && b > 0);
}

/* The edge between two corners of a polygon whose area is positive when it goes from, to. */
static struct pse_edge edge_between(struct corner from, struct corner to)
{
    struct pse_edge edge = {.a = from.y - to.y, .b = to.x - from.x};
    edge.c = -(edge.a * from.x + edge.b * from.y);
    if (!owns_its_pixels(edge.a, edge.b))
        edge.c -= 1; /* in integers, e > 0 is e - 1 >= 0 */
    return edge;
}

static void set_edges(struct pse_primitive *out, const struct shape *shape, int64_t area)
{
    out->edge_count = shape->corner_count;
    for (uint32_t i = 0; i < shape->corner_count; i++) {
        struct corner from = shape->corner[i];
        struct corner to = shape->corner[(i + 1) % shape->corner_count];
        out->edge[i] = area > 0 ? edge_between(from, to) : edge_between(to, from);
    }
}

/* The first pixel whose centre is at or behind a raster coordinate. */
static int32_t first_pixel(int64_t raster)
{
    return (int32_t)((raster + RASTER_HALF - 1) >> PSE_SUBPIXEL_BITS);
}

static void set_bounds(struct pse_primitive *out, const struct shape *shape)
{
    struct corner low = shape->corner[0], high = low;
    for (uint32_t i = 1; i < shape->corner_count; i++) {
        struct corner corner = shape->corner[i];
        low.x = corner.x < low.x ? corner.x : low.x;
        low.y = corner.y < low.y ? corner.y : low.y;
        high.x = corner.x > high.x ? corner.x : high.x;
        high.y = corner.y > high.y ? corner.y : high.y;
    }
    out->left = first_pixel(low.x);
    out->bottom = first_pixel(low.y);
    out->right = first_pixel(high.x);
    out->top = first_pixel(high.y);
}

/* --- shapes --- */

static bool shape_triangle(struct shape *shape, const struct corner position[3])
{
    memcpy(shape->corner, position, 3 * sizeof *position);
    shape->corner_count = 3;
    int64_t area = signed_area(position, 3);
    if (area == 0)
        return false;

    double scale = (double)RASTER_UNIT / (double)area; /* slopes are per pixel */
    const struct corner *p = position;
    shape->slopes.count = 2;
    shape->slopes.vertex[0].dx = (double)(p[1].y - p[2].y) * scale;
    shape->slopes.vertex[0].dy = (double)(p[2].x - p[1].x) * scale;
    shape->slopes.vertex[1].dx = (double)(p[2].y - p[0].y) * scale;
    shape->slopes.vertex[1].dy = (double)(p[0].x - p[2].x) * scale;
    return true;
}

/* A square around the vertex. Its coordinate y falls as memory rows grow: for the hardware row 0 is
 * the bottom of the picture. */
static void shape_point(struct shape *shape, struct corner position, float point_size)
{
    int64_t half = half_size(clamp_float(point_size, PSE_MIN_POINT_SIZE, PSE_MAX_POINT_SIZE));
    int64_t left = position.x - half, right = position.x + half;
    int64_t low = position.y - half, high = position.y + half;
    shape->corner[0] = (struct corner){left, low};
    shape->corner[1] = (struct corner){right, low};
    shape->corner[2] = (struct corner){right, high};
    shape->corner[3] = (struct corner){left, high};
    shape->corner_count = 4;

    double slope = 1 / pixels(2 * half);
    shape->implicit[0] = (struct pse_plane){.at0 = 0.5, .dx = slope};
    shape->implicit[1] = (struct pse_plane){.at0 = 0.5, .dy = -slope};
    shape->implicit_count = 2;
}

/* A parallelogram: the line is widened along its minor axis; values change along its major axis
 * only. */
static bool shape_line(struct shape *shape, const struct corner position[2], float line_width)
{
    int64_t half = half_size(clamp_float(line_width, 0, PSE_MAX_LINE_WIDTH));
    int64_t x = position[0].x - position[1].x, y = position[0].y - position[1].y;
    if (half == 0 || (x == 0 && y == 0))
        return false;

    bool x_major = (x < 0 ? -x : x) >= (y < 0 ? -y : y);
    struct corner aside = x_major ? (struct corner){0, half} : (struct corner){half, 0};
    for (uint32_t i = 0; i < 4; i++) {
        struct corner end = position[i == 1 || i == 2];
        int64_t side = i < 2 ? -1 : 1;
        shape->corner[i] = (struct corner){end.x + side * aside.x, end.y + side * aside.y};
    }
    shape->corner_count = 4;

    /* Across the width: 0 to 1 along the minor axis, the same all along the line. */
    double across = 1 / pixels(2 * half);
    shape->implicit_count = 1;
    shape->slopes.count = 1;
    if (x_major) {
        shape->slopes.vertex[0].dx = 1 / pixels(x);
        shape->implicit[0] = (struct pse_plane){
            .at0 = 0.5, .dx = -across * (double)y / (double)x, .dy = across};
    } else {
        shape->slopes.vertex[0].dy = 1 / pixels(y);
        shape->implicit[0] = (struct pse_plane){
            .at0 = 0.5, .dx = across, .dy = -across * (double)x / (double)y};
    }
    return true;
}

static bool set_shape(struct shape *shape, const struct cl_state *state, enum primitive_type type,
                      const struct vertex *const vertex[3])
{
    static const uint32_t vertex_count[] = {
        [PRIMITIVE_POINT] = 1, [PRIMITIVE_LINE] = 2, [PRIMITIVE_TRIANGLE] = 3, [PRIMITIVE_RHT] = 0};
    struct corner position[3];
    for (uint32_t i = 0; i < vertex_count[type]; i++)
        position[i] = window_position(state, vertex[i]);
    shape->slopes = (struct slopes){0};
    shape->implicit_count = 0;
    switch (type) {
    case PRIMITIVE_POINT: shape_point(shape, position[0], vertex[0]->point_size); return true;
    case PRIMITIVE_LINE: return shape_line(shape, position, state->line_width);
    case PRIMITIVE_TRIANGLE: return shape_triangle(shape, position);
    case PRIMITIVE_RHT: break;
    }
    return false;
}

/* --- planes --- */

/* The plane through the vertices' values; the provoking vertex's comes last. */
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

/* Record 101 holds the upper halves of two floats. */
static double depth_offset(const struct cl_state *state, const struct pse_plane *z)
{
    uint32_t word = state->depth_offset;
    double factor = bits_float((uint32_t)bits_get(word, 15, 0) << 16);
    double units = bits_float((uint32_t)bits_get(word, 31, 16) << 16);
    double dx = magnitude(z->dx), dy = magnitude(z->dy);
    return factor * (dx > dy ? dx : dy) + units * DEPTH_UNIT;
}

static bool is_flat(const struct cl_state *state, uint32_t n)
{
    return n < FLAT_FLAGS && bits_get(state->flat_shade, n, n);
}

/* VP through (value - C) / Wc, so that VP * W + C is the value in perspective. */
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

/* Point and line coordinates come before the record's own varyings. */
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
    if (!set_shape(&shape, state, type, vertex))
        return false;
    int64_t area = signed_area(shape.corner, shape.corner_count);
    out->reverse = type == PRIMITIVE_TRIANGLE && pse_is_reverse(state, area);
    if (!pse_is_drawn(state, out->reverse))
        return false;

    set_edges(out, &shape, area);
    set_bounds(out, &shape);
    out->type = type;
    struct corner origin = window_position(state, vertex[shape.slopes.count]);
    out->x0 = out->varyings.x0 = pixels(origin.x);
    out->y0 = out->varyings.y0 = pixels(origin.y);
    set_planes(out, &shape.slopes, vertex);
    bool offset = type == PRIMITIVE_TRIANGLE &&
                  config_bit(state, CL_CONFIGURATION_BITS_DEPTH_OFFSET_BIT);
    out->z_offset = offset ? depth_offset(state, &out->z) : 0;
    set_varyings(&out->varyings, &shape, state, record->varyings, vertex);
    return true;
}

void pse_copy(struct pse_primitive *to, const struct pse_primitive *from)
{
    size_t used = offsetof(struct pse_primitive, varyings.varying) +
                  from->varyings.count * sizeof from->varyings.varying[0];
    memcpy(to, from, used);
}
