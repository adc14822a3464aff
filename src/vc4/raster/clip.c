/* SPDX-License-Identifier: MIT */
/* clip.c - the PTB's clipper.
 *
 * In:       Xc, Yc, Zc, Wc of each vertex; viewport scales of records 105 and 106.
 * Out:      parts of the primitive, and the bytes of manual table 44.
 * Source:   manual section 9, table 44; the planes are those of OpenGL ES.
 * Modelled: triangles are cut plane by plane (Sutherland and Hodgman) and drawn as a fan. Lines are
 *           shortened. Points are dropped if their centre is outside.
 * Choices:  x and y are clipped only where screen coordinates would exceed signed 12.4, since
 *           silicon rasterises outside the viewport (comment in Mesa's vc4_emit.c) and its guard
 *           band is not published. New positions are truncated to 12.4, as in Mesa's shaders. Z,
 *           1/Wc and weights are those of the primitive at the truncated position. Flat varyings
 *           come from the original provoking vertex. See docs/vc4/ptb.md.
 *
 * A cut is always computed from the inside vertex to the outside vertex. Two triangles that share
 * an edge therefore get the same new position on this edge. All computations use correctly rounded
 * operations on doubles. */
#include "vc4/raster/clip.h"

#include <math.h>
#include <string.h>

#include "base/bits.h"

enum { X, Y, Z, W };

/* Planes in the order of clipping. Near and far leave only points with Wc >= |Zc|. PLANE_W then
 * removes points whose Wc is 0 or nearly 0. */
enum plane {
    PLANE_NEAR,
    PLANE_FAR,
    PLANE_W,
    PLANE_LEFT,
    PLANE_RIGHT,
    PLANE_BOTTOM,
    PLANE_TOP,
    PLANES,
};

enum { NEW_VERTEX = 3, MAX_CORNERS = 3 + PLANES };

/* Smallest Wc, large enough for a finite float 1/Wc. */
#define LEAST_W 0x1p-100

/* Range of signed 12.4 screen coordinates, in 1/16 pixel. */
#define LEAST_12_4 -32768.0
#define MOST_12_4  32767.0

struct corner {
    double at[4];
    double weight[3];
    unsigned original;         /* number of the original vertex, or NEW_VERTEX */
    struct clip_vertex vertex; /* the vertex to draw, set after clipping */
};

struct polygon {
    unsigned count;
    struct corner corner[MAX_CORNERS];
};

/* Returns a value that is positive inside a plane, 0 on the plane and negative outside. The value
 * is a linear function of the point, and proportional to the distance. */
static double distance(enum plane plane, const struct cl_state *state, const double at[4])
{
    double x = at[X] * state->clipper_x, y = at[Y] * state->clipper_y;
    switch (plane) {
    case PLANE_W: return at[W] - LEAST_W;
    case PLANE_NEAR: return at[W] + at[Z];
    case PLANE_FAR: return at[W] - at[Z];
    case PLANE_LEFT: return x - LEAST_12_4 * at[W];
    case PLANE_RIGHT: return MOST_12_4 * at[W] - x;
    case PLANE_BOTTOM: return y - LEAST_12_4 * at[W];
    default: return MOST_12_4 * at[W] - y;
    }
}

/* Returns the point where the edge from an inside corner to an outside corner crosses a plane. from
 * and to are the distances of the two corners from the plane. */
static struct corner cut(const struct corner *inside, const struct corner *outside, double from,
                         double to)
{
    struct corner corner = {.original = NEW_VERTEX};
    double t = from / (from - to);
    for (unsigned i = 0; i < 4; i++)
        corner.at[i] = inside->at[i] + t * (outside->at[i] - inside->at[i]);
    for (unsigned i = 0; i < 3; i++)
        corner.weight[i] = inside->weight[i] + t * (outside->weight[i] - inside->weight[i]);
    return corner;
}

/* Computes the distances of all corners from a plane. Returns the number of corners outside. */
static unsigned measure(const struct polygon *polygon, enum plane plane,
                        const struct cl_state *state, double to[MAX_CORNERS])
{
    unsigned outside = 0;
    for (unsigned i = 0; i < polygon->count; i++) {
        to[i] = distance(plane, state, polygon->corner[i].at);
        outside += !(to[i] >= 0);
    }
    return outside;
}

/* Adds a corner to the polygon. A plane adds at most one corner to a convex polygon, so there is
 * always room; the check is there in case of rounding errors. */
static void add_corner(struct polygon *polygon, struct corner corner)
{
    if (polygon->count < MAX_CORNERS)
        polygon->corner[polygon->count++] = corner;
}

static void clip_polygon(struct polygon *polygon, const double to[MAX_CORNERS])
{
    struct polygon old = *polygon;
    polygon->count = 0;
    for (unsigned i = 0; i < old.count; i++) {
        unsigned next = (i + 1) % old.count;
        const struct corner *a = &old.corner[i], *b = &old.corner[next];
        if (to[i] >= 0)
            add_corner(polygon, *a);
        if (to[i] > 0 && to[next] < 0)
            add_corner(polygon, cut(a, b, to[i], to[next]));
        else if (to[i] < 0 && to[next] > 0)
            add_corner(polygon, cut(b, a, to[next], to[i]));
    }
}

static void clip_line(struct polygon *line, const double to[MAX_CORNERS])
{
    unsigned outside = to[0] < 0 ? 0 : 1;
    unsigned inside = 1 - outside;
    line->corner[outside] = cut(&line->corner[inside], &line->corner[outside], to[inside],
                                to[outside]);
}

/* Clips to all planes. Returns false if nothing remains. */
static bool clip_all_planes(struct polygon *polygon, const struct cl_state *state)
{
    for (enum plane plane = 0; plane < PLANES; plane++) {
        double to[MAX_CORNERS];
        unsigned outside = measure(polygon, plane, state, to);
        if (outside == 0)
            continue;
        if (outside == polygon->count)
            return false;
        if (polygon->count == 2)
            clip_line(polygon, to);
        else
            clip_polygon(polygon, to);
    }
    return polygon->count > 0;
}

static int32_t to_12_4(double value)
{
    if (!(value > LEAST_12_4))
        return (int32_t)LEAST_12_4;
    return value < MOST_12_4 ? (int32_t)value : (int32_t)MOST_12_4;
}

static struct clip_vertex original_vertex(const struct vertex *vertex, unsigned number)
{
    struct clip_vertex out = {
        .x = vertex->x, .y = vertex->y, .z = vertex->z, .inv_w = vertex->inv_w};
    out.weight[number] = 1;
    return out;
}

static struct clip_vertex new_vertex(const struct corner *corner, const struct cl_state *state)
{
    double w = corner->at[W];
    struct clip_vertex out = {
        .x = to_12_4(corner->at[X] / w * state->clipper_x),
        .y = to_12_4(corner->at[Y] / w * state->clipper_y),
        .z = (float)(corner->at[Z] / w * state->clipper_z_scale + state->clipper_z_offset),
        .inv_w = (float)(1 / w),
    };
    for (unsigned i = 0; i < 3; i++)
        out.weight[i] = (float)corner->weight[i];
    return out;
}

/* --- new vertices in the planes of the whole primitive --- */

/* Screen coordinates in 1/16 pixel, Zs and 1, each multiplied by Wc. */
struct place {
    double x, y, z, w;
};

/* Largest accepted change of a weight when a vertex moves to the 12.4 grid. A larger change shows
 * that the primitive is much thinner than a grid step. */
#define MOST_SHIFT 4.0

/* Largest accepted differences between a shader's screen coordinates and the screen coordinates
 * computed from the clip coordinates. They differ because shaders use inexact SFU results and
 * truncate X and Y. */
#define SAME_PIXEL 16.0
#define SAME_RATIO 0x1p-10

static bool is_close(double a, double b, double reach)
{
    return fabs(a - b) <= reach;
}

/* Returns the screen position that the shader computed for a vertex. If this position is not close
 * to the projection of the clip coordinates, returns the projection. This happens for example if Wc
 * is negative. */
static struct place place_of(const struct vertex *vertex, const struct cl_state *state)
{
    const float *at = vertex->clip;
    double w = at[W];
    struct place clip = {(double)at[X] * state->clipper_x, (double)at[Y] * state->clipper_y,
                         (double)at[Z] * state->clipper_z_scale + w * state->clipper_z_offset, w};
    double drawn = 1 / (double)vertex->inv_w;
    bool same = w > 0 && is_close(w, drawn, w * SAME_RATIO) &&
                is_close(vertex->x, clip.x / w, SAME_PIXEL) &&
                is_close(vertex->y, clip.y / w, SAME_PIXEL) &&
                is_close(vertex->z, clip.z / w, SAME_RATIO);
    return same ? (struct place){vertex->x * drawn, vertex->y * drawn, vertex->z * drawn, drawn}
                : clip;
}

/* Returns the determinant of the x, y and w of three places. */
static double triple(const struct place *a, const struct place *b, const struct place *c)
{
    return a->x * (b->y * c->w - b->w * c->y) + a->y * (b->w * c->x - b->x * c->w) +
           a->w * (b->x * c->y - b->y * c->x);
}

/* Computes each vertex's share of 1/Wc at a position in the triangle. The sum of the shares is
 * 1/Wc. */
static void shares_in_triangle(double share[3], const struct clip_vertex *at,
                               const struct place place[3])
{
    const struct place here = {.x = at->x, .y = at->y, .w = 1};
    double whole = triple(&place[0], &place[1], &place[2]);
    for (unsigned i = 0; i < 3; i++)
        share[i] = triple(&here, &place[(i + 1) % 3], &place[(i + 2) % 3]) / whole;
}

/* Like shares_in_triangle(), but for a position on a line. Uses only the coordinate of the line's
 * major axis. */
static void shares_on_line(double share[3], const struct clip_vertex *at,
                           const struct place place[3])
{
    const struct place *a = &place[0], *b = &place[1];
    double x = a->x * b->w - b->x * a->w, y = a->y * b->w - b->y * a->w;
    bool x_major = fabs(x) >= fabs(y);
    double from = x_major ? a->x : a->y, to = x_major ? b->x : b->y, here = x_major ? at->x : at->y;
    share[0] = (here * b->w - to) / (x_major ? x : y);
    share[1] = (from - here * a->w) / (x_major ? x : y);
    share[2] = 0;
}

/* Sets Z, 1/Wc and the weights of a new vertex to those of the primitive at the vertex's position
 * on the 12.4 grid. Z, 1/Wc and varyings of all parts are then the same linear functions of the
 * screen position as before clipping, so clipping changes pixels only at the cuts. If the primitive
 * is so thin or short that the grid position is far outside, the vertex keeps the values of the
 * cut. */
static void move_into_plane(struct clip_vertex *out, unsigned vertices, const struct place place[3])
{
    double share[3], inv_w = 0, z = 0;
    if (vertices == 3)
        shares_in_triangle(share, out, place);
    else
        shares_on_line(share, out, place);
    for (unsigned i = 0; i < vertices; i++) {
        inv_w += share[i];
        z += share[i] * place[i].z;
    }
    for (unsigned i = 0; i < vertices; i++)
        if (!(inv_w > 0) || !is_close(share[i] / inv_w, out->weight[i], MOST_SHIFT))
            return;
    out->z = (float)z;
    out->inv_w = (float)inv_w;
    for (unsigned i = 0; i < vertices; i++)
        out->weight[i] = (float)(share[i] / inv_w);
}

/* Computes the vertex to draw for each corner. */
static void finish_corners(struct polygon *polygon, const struct cl_state *state, unsigned vertices,
                           const struct vertex *const vertex[3])
{
    struct place place[3];
    for (unsigned i = 0; i < vertices; i++)
        place[i] = place_of(vertex[i], state);
    for (unsigned i = 0; i < polygon->count; i++) {
        struct corner *corner = &polygon->corner[i];
        if (corner->original != NEW_VERTEX) {
            corner->vertex = original_vertex(vertex[corner->original], corner->original);
            continue;
        }
        corner->vertex = new_vertex(corner, state);
        move_into_plane(&corner->vertex, vertices, place);
    }
}

/* --- parts --- */

/* Rotates three corners by `turn`, and returns the number of positions i that then contain original
 * vertex i. */
static unsigned in_place(const struct corner *const corner[3], unsigned turn)
{
    unsigned count = 0;
    for (unsigned i = 0; i < 3; i++)
        count += corner[(i + turn) % 3]->original == i;
    return count;
}

static unsigned best_turn(const struct corner *const corner[3])
{
    unsigned best = 0;
    for (unsigned turn = 1; turn < 3; turn++)
        if (in_place(corner, turn) > in_place(corner, best))
            best = turn;
    return best;
}

static void fill_part(struct clip_part *part, unsigned vertices,
                      const struct corner *const corner[3], unsigned turn)
{
    part->clipped = 0;
    for (unsigned i = 0; i < vertices; i++) {
        const struct corner *from = corner[(i + turn) % vertices];
        part->vertex[i] = from->vertex;
        if (from->original != i)
            part->clipped = (uint8_t)(part->clipped | 1u << i);
    }
}

/* Returns twice the signed area of the triangle of the fan with corners 0, i and i + 1. */
static int64_t fan_area(const struct polygon *polygon, unsigned i)
{
    const struct clip_vertex *a = &polygon->corner[0].vertex, *b = &polygon->corner[i].vertex;
    const struct clip_vertex *c = &polygon->corner[i + 1].vertex;
    return (int64_t)(b->x - a->x) * (c->y - a->y) - (int64_t)(c->x - a->x) * (b->y - a->y);
}

/* Splits the polygon into a fan of triangles, one per part. Drops a triangle whose orientation
 * rounding has reversed, because other triangles cover its area. */
static unsigned make_fan(struct clip_part *part, const struct polygon *polygon)
{
    unsigned count = 0;
    int64_t whole = 0;
    for (unsigned i = 1; i + 1 < polygon->count; i++)
        whole += fan_area(polygon, i);
    for (unsigned i = 1; i + 1 < polygon->count; i++) {
        int64_t area = fan_area(polygon, i);
        if (area != 0 && (area > 0) != (whole > 0))
            continue;
        const struct corner *const corner[3] = {&polygon->corner[0], &polygon->corner[i],
                                                &polygon->corner[i + 1]};
        fill_part(&part[count++], 3, corner, best_turn(corner));
    }
    return count;
}

static bool is_finite(const struct vertex *vertex)
{
    for (unsigned i = 0; i < 4; i++)
        if (!isfinite(vertex->clip[i]))
            return false;
    return true;
}

bool clip_is_finite(unsigned vertices, const struct vertex *const vertex[3])
{
    for (unsigned i = 0; i < vertices; i++)
        if (!is_finite(vertex[i]))
            return false;
    return true;
}

/* Copies a primitive to *polygon. Returns false if a coordinate is not finite. */
static bool load_polygon(struct polygon *polygon, unsigned vertices,
                         const struct vertex *const vertex[3])
{
    polygon->count = vertices;
    if (!clip_is_finite(vertices, vertex))
        return false;
    for (unsigned i = 0; i < vertices; i++) {
        polygon->corner[i] = (struct corner){.original = i};
        polygon->corner[i].weight[i] = 1;
        for (unsigned k = 0; k < 4; k++)
            polygon->corner[i].at[k] = vertex[i]->clip[k];
    }
    return true;
}

/* Returns true if all vertices are inside all planes. This is the fast path for most
 * primitives. */
static bool is_inside(const struct cl_state *state, unsigned vertices,
                      const struct vertex *const vertex[3])
{
    for (unsigned i = 0; i < vertices; i++) {
        double at[4];
        for (unsigned k = 0; k < 4; k++)
            at[k] = vertex[i]->clip[k];
        for (enum plane plane = 0; plane < PLANES; plane++)
            if (!(distance(plane, state, at) >= 0))
                return false;
    }
    return true;
}

void clip_whole(struct clip_part *part, unsigned vertices, const struct vertex *const vertex[3])
{
    part->clipped = 0;
    for (unsigned i = 0; i < vertices; i++)
        part->vertex[i] = original_vertex(vertex[i], i);
}

unsigned clip_primitive(struct clip_part part[CLIP_MAX_PARTS], const struct cl_state *state,
                        unsigned vertices, const struct vertex *const vertex[3])
{
    if (is_inside(state, vertices, vertex) && clip_is_finite(vertices, vertex)) {
        clip_whole(part, vertices, vertex);
        return 1;
    }
    struct polygon polygon;
    if (!load_polygon(&polygon, vertices, vertex) || !clip_all_planes(&polygon, state))
        return 0;
    finish_corners(&polygon, state, vertices, vertex);
    if (vertices == 3)
        return make_fan(part, &polygon);
    const struct corner *const corner[3] = {&polygon.corner[0], &polygon.corner[1]};
    fill_part(part, vertices, corner, 0);
    return 1;
}

size_t clip_record_write(const struct clip_part *part, uint8_t out[3 * CLIP_VERTEX_BYTES])
{
    size_t length = 0;
    for (unsigned i = 0; i < 3; i++) {
        if (!(part->clipped >> i & 1))
            continue;
        const struct clip_vertex *vertex = &part->vertex[i];
        uint8_t *at = out + length;
        memset(at, 0, CLIP_VERTEX_BYTES);
        store_le16(at, (uint16_t)vertex->x);
        store_le16(at + 2, (uint16_t)vertex->y);
        store_le32(at + 4, float_bits(vertex->z));
        store_le32(at + 8, float_bits(vertex->inv_w));
        for (unsigned k = 0; k < 3; k++)
            store_le32(at + 12 + 4 * k, float_bits(vertex->weight[k]));
        length += CLIP_VERTEX_BYTES;
    }
    return length;
}

struct clip_vertex clip_record_read(const uint8_t bytes[CLIP_VERTEX_BYTES])
{
    struct clip_vertex vertex = {
        .x = (int16_t)load_le16(bytes),
        .y = (int16_t)load_le16(bytes + 2),
        .z = bits_float(load_le32(bytes + 4)),
        .inv_w = bits_float(load_le32(bytes + 8)),
    };
    for (unsigned k = 0; k < 3; k++)
        vertex.weight[k] = bits_float(load_le32(bytes + 12 + 4 * k));
    return vertex;
}

static float combine(const struct clip_vertex *clipped, unsigned vertices, unsigned n,
                     const struct vertex *const original[3])
{
    double sum = 0;
    for (unsigned k = 0; k < vertices; k++)
        sum += (double)clipped->weight[k] * original[k]->varying[n];
    return (float)sum;
}

void clip_replace(struct vertex *out, const struct clip_vertex *clipped,
                  const struct cl_state *state, unsigned vertices, unsigned varyings,
                  const struct vertex *const original[3])
{
    const struct vertex *provoking = original[vertices - 1];
    out->x = clipped->x;
    out->y = clipped->y;
    out->z = clipped->z;
    out->inv_w = clipped->inv_w;
    out->point_size = provoking->point_size;
    for (unsigned n = 0; n < varyings && n < VERTEX_MAX_VARYINGS; n++) {
        bool flat = n < 32 && bits_get(state->flat_shade, n, n);
        out->varying[n] = flat ? provoking->varying[n] : combine(clipped, vertices, n, original);
    }
}
