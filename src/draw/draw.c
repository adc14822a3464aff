/* SPDX-License-Identifier: MIT */
/* draw.c - draws primitives onto a picture. Assembles primitives from vertices, clips and culls the
 * primitives, and counts them. See docs/draw.md.
 *
 * In:       vertices in window coordinates with 1/w, or in clip space.
 * Out:      blocks of pixels for shade.h; counts; findings about vertices that cannot be drawn.
 * Left out: blending, multisampling, antialiased lines. */
#include <inttypes.h>
#include <math.h>
#include <string.h>

#include <tessera/draw.h>

#include "base/diag.h"
#include "draw/clip.h"
#include "draw/picture.h"
#include "draw/raster.h"
#include "draw/shade.h"

enum { X, Y, Z, W, PARTS };

static const double guard = 1 << DRAW_GUARD_BITS;
static const double greatest_point = 1 << 14;
static const double least_w = 1e-30; /* smallest w of a corner after clipping */

/* State of one call of tess_picture_draw(). */
struct drawing {
    const struct tess_draw *draw;
    struct draw_target target;
    struct shade shade;
    struct tess_draw_counts counts;
    /* Number of uses of an invalid position, index or point size. */
    uint64_t bad_positions, bad_indices, bad_sizes;
    /* Vertex number, index and vertex number of the first such use. */
    size_t bad_position, bad_index, bad_size;
};

/* --- vertices --- */

static bool is_drawable(const struct drawing *drawing, const struct tess_draw_vertex *vertex)
{
    for (unsigned i = 0; i < 4; i++)
        if (!isfinite(vertex->position[i]))
            return false;
    return drawing->draw->clip_space || vertex->position[W] > 0;
}

/* Returns the vertex at position `number` of the drawing order. If the vertex's index is too large
 * or its position is invalid, counts the mistake and returns NULL. */
static const struct tess_draw_vertex *vertex_at(struct drawing *drawing, size_t number)
{
    const struct tess_draw *draw = drawing->draw;
    size_t index = draw->indices ? draw->indices[number] : number;
    if (index >= draw->vertex_count) {
        if (drawing->bad_indices++ == 0)
            drawing->bad_index = index;
        return NULL;
    }
    if (is_drawable(drawing, &draw->vertices[index]))
        return &draw->vertices[index];
    if (drawing->bad_positions++ == 0)
        drawing->bad_position = index;
    return NULL;
}

/* Converts a vertex to the corner with index `number` of a primitive. The corner's weight for this
 * vertex is 1 in clip space, where weights are linear. On the window, weights multiplied by 1/w are
 * linear, so the corner contains 1/w. */
static struct clip_corner corner_of(struct drawing *drawing, const struct tess_draw_vertex *vertex,
                                    unsigned number)
{
    struct clip_corner corner = {{0}};
    for (unsigned i = 0; i < 4; i++)
        corner.at[i] = (double)vertex->position[i];
    corner.at[PARTS + number] = drawing->draw->clip_space ? 1 : (double)vertex->position[W];
    drawing->shade.corners[number] = (size_t)(vertex - drawing->draw->vertices);
    return corner;
}

/* Converts a corner from clip space to window coordinates, in place. */
static void project(const struct drawing *drawing, struct clip_corner *corner)
{
    double inverse = 1 / corner->at[W];
    corner->at[X] = (corner->at[X] * inverse + 1) / 2 * drawing->target.width;
    corner->at[Y] = (1 - corner->at[Y] * inverse) / 2 * drawing->target.height;
    corner->at[Z] = (corner->at[Z] * inverse + 1) / 2;
    corner->at[W] = inverse;
    for (unsigned i = 0; i < DRAW_CORNERS; i++)
        corner->at[PARTS + i] *= inverse;
}

/* Clips a primitive at the near plane and at the guard band, and converts the remaining corners to
 * window coordinates. Returns the number of remaining corners. */
static size_t from_clip_space(const struct drawing *drawing, struct clip_corner *corners,
                              size_t count)
{
    const double side = drawing->target.width > drawing->target.height ? drawing->target.width
                                                                       : drawing->target.height;
    const double band = 2 * guard / side - 2;
    const struct clip_plane planes[] = {
        /* clang-format off */
        {{0,  0,  0, 1},    -least_w},
        {{0,  0,  1, 1},    0}, /* z >= -w */
        {{1,  0,  0, band}, 0},
        {{-1, 0,  0, band}, 0},
        {{0,  1,  0, band}, 0},
        {{0,  -1, 0, band}, 0},
        /* clang-format on */
    };
    count = clip_cut(corners, count, planes, sizeof planes / sizeof planes[0]);
    for (size_t i = 0; i < count; i++)
        project(drawing, &corners[i]);
    return count;
}

static size_t cut_to_band(struct clip_corner *corners, size_t count)
{
    const struct clip_plane planes[] = {
        {{1, 0, 0, 0}, guard},
        {{-1, 0, 0, 0}, guard},
        {{0, 1, 0, 0}, guard},
        {{0, -1, 0, 0}, guard},
    };
    return clip_cut(corners, count, planes, sizeof planes / sizeof planes[0]);
}

static double within_band(double value)
{
    return value < -guard ? -guard : value > guard ? guard : value;
}

/* Converts corners to window coordinates and clips the primitive to the guard band, which is the
 * range of coordinates that the rasteriser accepts. Returns the number of remaining corners. */
static size_t to_window(const struct drawing *drawing, struct clip_corner *corners, size_t count)
{
    count = drawing->draw->clip_space ? from_clip_space(drawing, corners, count)
                                      : cut_to_band(corners, count);
    for (size_t i = 0; i < count; i++) { /* Rounding may leave a corner outside of the band. */
        corners[i].at[X] = within_band(corners[i].at[X]);
        corners[i].at[Y] = within_band(corners[i].at[Y]);
    }
    return count;
}

static struct draw_point point_of(const struct clip_corner *corner)
{
    struct draw_point point = {corner->at[X], corner->at[Y], corner->at[Z], corner->at[W], {0}};
    for (unsigned i = 0; i < DRAW_CORNERS; i++)
        point.parts[i] = corner->at[PARTS + i];
    return point;
}

/* --- primitives --- */

/* True if the bounding box of points overlaps the picture. margin is the distance, in pixels, by
 * which the primitive extends past its points. */
static bool meets_picture(const struct drawing *drawing, const struct draw_point *points,
                          size_t count, double margin)
{
    double left = points[0].x, right = left, top = points[0].y, bottom = top;
    for (size_t i = 1; i < count; i++) {
        left = fmin(left, points[i].x);
        right = fmax(right, points[i].x);
        top = fmin(top, points[i].y);
        bottom = fmax(bottom, points[i].y);
    }
    return right + margin > 0 && left - margin < drawing->target.width && bottom + margin > 0 &&
           top - margin < drawing->target.height;
}

/* Result of drawing a primitive. Clipping may divide a triangle into several triangles. */
struct parts {
    uint64_t covered; /* count of covered pixels before the primitive */
    /* drawn: true if the primitive was rasterised. meets: true if the bounding box of a rasterised
     * part overlaps the picture. */
    bool drawn, meets;
};

static struct parts begin_parts(const struct drawing *drawing)
{
    return (struct parts){.covered = drawing->counts.covered};
}

/* Counts a primitive that was rasterised but covered no pixel, as uncovered or as outside of the
 * picture. */
static void end_parts(struct drawing *drawing, const struct parts *parts)
{
    if (!parts->drawn || drawing->counts.covered != parts->covered)
        return;
    drawing->counts.uncovered += parts->meets;
    drawing->counts.outside += !parts->meets;
}

static void draw_one_point(struct drawing *drawing, const struct tess_draw_vertex *vertex,
                           size_t index)
{
    struct clip_corner corners[CLIP_CORNERS] = {corner_of(drawing, vertex, 0)};
    corners[1] = corners[0]; /* The point is clipped as a line of length 0. */
    double side = (double)vertex->point_size;
    if (!(side > 0)) {
        if (drawing->bad_sizes++ == 0)
            drawing->bad_size = index;
        drawing->counts.skipped++;
        return;
    }
    drawing->counts.primitives++;
    if (to_window(drawing, corners, 2) < 2) {
        drawing->counts.clipped++;
        return;
    }
    const struct draw_point centre = point_of(&corners[0]);
    side = fmin(side, greatest_point);
    drawing->shade.point[0] = centre.x - side / 2;
    drawing->shade.point[1] = centre.y - side / 2;
    drawing->shade.side = side;
    struct parts parts = begin_parts(drawing);
    parts.drawn = true;
    parts.meets = meets_picture(drawing, &centre, 1, side / 2);
    draw_square(&drawing->target, &centre, side);
    end_parts(drawing, &parts);
}

static void draw_one_line(struct drawing *drawing, const struct tess_draw_vertex *const ends[2])
{
    struct clip_corner corners[CLIP_CORNERS] = {corner_of(drawing, ends[0], 0),
                                                corner_of(drawing, ends[1], 1)};
    drawing->counts.primitives++;
    if (to_window(drawing, corners, 2) < 2) {
        drawing->counts.clipped++;
        return;
    }
    const struct draw_point points[2] = {point_of(&corners[0]), point_of(&corners[1])};
    struct parts parts = begin_parts(drawing);
    parts.drawn = true;
    parts.meets = meets_picture(drawing, points, 2, 0);
    draw_line(&drawing->target, points);
    end_parts(drawing, &parts);
}

static bool is_culled(const struct drawing *drawing, int64_t area)
{
    enum tess_draw_cull cull = drawing->draw->cull;
    return area == 0 || (area > 0 && cull == TESS_DRAW_CULL_CLOCKWISE) ||
           (area < 0 && cull == TESS_DRAW_CULL_COUNTER_CLOCKWISE);
}

static void draw_one_triangle(struct drawing *drawing, const struct tess_draw_vertex *const from[3])
{
    struct clip_corner corners[CLIP_CORNERS];
    struct parts parts = begin_parts(drawing);
    bool area_seen = false;
    for (unsigned i = 0; i < 3; i++)
        corners[i] = corner_of(drawing, from[i], i);
    size_t count = to_window(drawing, corners, 3);
    for (size_t i = 2; i < count; i++) {
        const struct draw_point points[3] = {point_of(&corners[0]), point_of(&corners[i - 1]),
                                             point_of(&corners[i])};
        int64_t area = draw_area(points);
        area_seen |= area != 0;
        if (is_culled(drawing, area))
            continue;
        drawing->shade.clockwise = area > 0;
        parts.meets |= meets_picture(drawing, points, 3, 0);
        draw_triangle(&drawing->target, points);
        parts.drawn = true;
    }
    drawing->counts.primitives++;
    drawing->counts.clipped += count < 3;
    drawing->counts.culled += !parts.drawn && count > 2;
    drawing->counts.no_area += !parts.drawn && count > 2 && !area_seen;
    end_parts(drawing, &parts);
}

/* --- order --- */

/* Primitive types. corners: number of corners. step: number of vertices between the first vertices
 * of consecutive primitives. */
static const struct {
    const char *name;
    unsigned corners, step;
} shapes[] = {
    /* clang-format off */
    [TESS_DRAW_POINTS]         = {"points",     1, 1},
    [TESS_DRAW_LINES]          = {"lines",      2, 2},
    [TESS_DRAW_LINE_STRIP]     = {"line-strip", 2, 1},
    [TESS_DRAW_TRIANGLES]      = {"triangles",  3, 3},
    [TESS_DRAW_TRIANGLE_STRIP] = {"strip",      3, 1},
    [TESS_DRAW_TRIANGLE_FAN]   = {"fan",        3, 1},
    /* clang-format on */
};

enum { SHAPES = sizeof shapes / sizeof shapes[0] };

bool tess_draw_primitive_find(const char *name, enum tess_draw_primitive *primitive)
{
    for (unsigned i = 0; name && i < SHAPES; i++) {
        if (strcmp(shapes[i].name, name) == 0) {
            if (primitive)
                *primitive = (enum tess_draw_primitive)i;
            return true;
        }
    }
    return false;
}

/* Returns the position, in drawing order, of the vertex for a corner of the primitive that begins
 * at position `first`. In every second triangle of a strip, the first two corners are swapped, so
 * that all triangles have the same orientation. */
static size_t corner_number(enum tess_draw_primitive primitive, size_t first, unsigned corner)
{
    static const unsigned turned[3] = {1, 0, 2};
    if (primitive == TESS_DRAW_TRIANGLE_FAN)
        return corner ? first + corner : 0;
    if (primitive == TESS_DRAW_TRIANGLE_STRIP && first % 2)
        return first + turned[corner];
    return first + corner;
}

static void draw_at(struct drawing *drawing, size_t first)
{
    enum tess_draw_primitive primitive = drawing->draw->primitive;
    const struct tess_draw_vertex *vertices[3];
    bool whole = true;
    for (unsigned i = 0; i < shapes[primitive].corners; i++) {
        vertices[i] = vertex_at(drawing, corner_number(primitive, first, i));
        whole &= vertices[i] != NULL;
    }
    if (!whole)
        drawing->counts.skipped++;
    else if (shapes[primitive].corners == 1)
        draw_one_point(drawing, vertices[0], (size_t)(vertices[0] - drawing->draw->vertices));
    else if (shapes[primitive].corners == 2)
        draw_one_line(drawing, vertices);
    else
        draw_one_triangle(drawing, vertices);
}

static void draw_all(struct drawing *drawing)
{
    const struct tess_draw *draw = drawing->draw;
    size_t count = draw->indices ? draw->index_count : draw->vertex_count;
    size_t corners = shapes[draw->primitive].corners;
    for (size_t i = 0; count >= corners && i <= count - corners && drawing->shade.status == TESS_OK;
         i += shapes[draw->primitive].step)
        draw_at(drawing, i);
    shade_end(&drawing->shade);
}

/* --- findings --- */

static void warn(struct tess_sink sink, const char *rule, const char *hint, const char *format,
                 size_t first, uint64_t times) __attribute__((format(printf, 4, 0)));

static void warn(struct tess_sink sink, const char *rule, const char *hint, const char *format,
                 size_t first, uint64_t times)
{
    const struct tess_finding diag = {.level = TESS_WARNING, .id = rule, .hint = hint};
    if (times)
        diag_report(sink, &diag, format, first, times, times == 1 ? "" : "s");
}

static void tell(const struct drawing *drawing, struct tess_sink sink)
{
    warn(sink, "draw-position",
         drawing->draw->clip_space
             ? "use finite numbers as positions"
             : "use finite numbers with 1/w greater than 0 as window positions, or select clip "
               "space for positions before the division by w",
         "vertex %zu has an invalid position; found %" PRIu64 " time%s", drawing->bad_position,
         drawing->bad_positions);
    warn(sink, "draw-index", "use indices from 0 to the number of vertices minus 1",
         "index %zu is out of range; found %" PRIu64 " time%s", drawing->bad_index,
         drawing->bad_indices);
    warn(sink, "draw-point-size", "use point sizes greater than 0",
         "vertex %zu has an invalid point size; found %" PRIu64 " time%s", drawing->bad_size,
         drawing->bad_sizes);
}

enum tess_status tess_picture_draw(struct tess_picture *picture, const struct tess_draw *draw,
                                   struct tess_sink sink, struct tess_draw_counts *counts)
{
    if (!picture || !draw || (unsigned)draw->primitive >= SHAPES ||
        (unsigned)draw->cull > TESS_DRAW_CULL_COUNTER_CLOCKWISE ||
        (!draw->vertices && draw->vertex_count) || draw->varying_count > TESS_DRAW_VARYINGS ||
        (!draw->varyings && draw->varying_count))
        return TESS_INVALID;
    struct drawing drawing = {.draw = draw};
    drawing.target = (struct draw_target){picture->width, picture->height, shade_quad,
                                          &drawing.shade};
    if (!shade_begin(&drawing.shade, picture, draw, &drawing.counts))
        return TESS_NO_MEMORY;
    draw_all(&drawing);
    tell(&drawing, sink);
    if (counts)
        *counts = drawing.counts;
    return drawing.shade.status;
}
