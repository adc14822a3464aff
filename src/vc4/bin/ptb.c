/* SPDX-License-Identifier: MIT */
/* ptb.c - Primitive Tile Binner: finds the tiles that a primitive touches.
 *
 * In:       assembled primitives with shaded vertices; the clip window.
 * Out:      primitives for tile lists (ptb_list.c), clipped primitive records, counts of primitives
 *           that are not drawn.
 * Source:   manual sections 8 and 9, tables 38 to 44 (docs/vc4/ptb.md).
 * Modelled: culling, clipping, an exact overlap test of primitive and tile; stalls for memory at
 *           any point. */
#include "vc4/bin/ptb.h"

#include <string.h>

#include "base/order.h"
#include "isa/cl/cl.h"
#include "vc4/bin/ptb_private.h"
#include "vc4/raster/clip.h"
#include "vc4/raster/outline.h"
#include "vc4/raster/pse.h"
#include "vc4/raster/vg.h"

/* --- overlap of primitives and tiles --- */

/* The area that the rasteriser can cover for a primitive, or for a convex part of it. */
struct shape {
    struct edge edge[OUTLINE_MAX_CORNERS];
    uint32_t edges;
    struct draw_area area; /* pixels of the bounds that are in the clip window and on tiles */
    bool whole;            /* true if all pixels of the bounds are in the window and on tiles */
};

/* pixel_floor() returns the pixel that contains a coordinate. pixel_ceiling() returns the first
 * pixel that begins at or after the coordinate. */
static int32_t pixel_floor(int64_t raster)
{
    return (int32_t)(raster >> OUTLINE_SUBPIXEL_BITS);
}

static int32_t pixel_ceiling(int64_t raster)
{
    return pixel_floor(raster + OUTLINE_UNIT - 1);
}

static struct draw_area pixels_of(struct corner low, struct corner high)
{
    return (struct draw_area){pixel_floor(low.x), pixel_floor(low.y), pixel_ceiling(high.x),
                              pixel_ceiling(high.y)};
}

static struct draw_area intersection(struct draw_area a, struct draw_area b)
{
    return (struct draw_area){most_i32(a.left, b.left), most_i32(a.bottom, b.bottom),
                              least_i32(a.right, b.right), least_i32(a.top, b.top)};
}

/* Returns the pixels of the clip window that lie on tiles. */
static struct draw_area drawable(const struct ptb *ptb, const struct cl_state *state)
{
    struct draw_area window = {state->clip_left, state->clip_bottom,
                               state->clip_left + state->clip_width,
                               state->clip_bottom + state->clip_height};
    struct draw_area tiles = {0, 0, (int32_t)(ptb->tiles_x * ptb->tile_width),
                              (int32_t)(ptb->tiles_y * ptb->tile_height)};
    return intersection(window, tiles);
}

static void check_point_size(struct ptb *ptb, const struct ptb_ports *ports, float size)
{
    if (!(size >= OUTLINE_MIN_POINT_SIZE) && !ptb->stalled)
        fault(ports->log, FAULT_PTB_POINT_SIZE, "the point size is %g pixels; the minimum is 0.125",
              (double)size);
}

static void drop(struct ptb *ptb, enum ptb_drop why)
{
    if (ptb->dropped < why)
        ptb->dropped = (uint8_t)why;
}

static bool is_empty(const struct draw_area *area)
{
    return area->left >= area->right || area->bottom >= area->top;
}

/* Sets the shape's area to the pixels of `all` that are in the clip window and on tiles. If there
 * are no such pixels, records that the shape is outside, and returns false. */
static bool set_area(struct ptb *ptb, const struct ptb_ports *ports, struct shape *shape,
                     const struct cl_state *state, struct draw_area all)
{
    shape->area = intersection(all, drawable(ptb, state));
    shape->whole = memcmp(&all, &shape->area, sizeof all) == 0;
    if (!is_empty(&shape->area))
        return true;
    drop(ptb, PTB_OUTSIDE);
    if (ports->draws)
        draws_outside(ports->draws, ptb->draw, all);
    return false;
}

/* Sets up the shape of a part. If no pixel of the part can be drawn, records the reason and returns
 * false. */
static bool set_shape(struct ptb *ptb, const struct ptb_ports *ports, struct shape *shape,
                      const struct cl_state *state, enum primitive_type type,
                      const struct clip_part *part, const struct vertex *const vertex[3])
{
    struct outline outline;
    struct corner position[3], low, high;
    for (unsigned i = 0; i <= (unsigned)type; i++)
        position[i] = outline_position(state, part->vertex[i].x, part->vertex[i].y);
    if (type == PRIMITIVE_POINT)
        check_point_size(ptb, ports, vertex[0]->point_size);
    if (!outline_set(&outline, state, type, position, vertex[0]->point_size)) {
        drop(ptb, PTB_NO_AREA);
        return false;
    }
    bool reverse = type == PRIMITIVE_TRIANGLE && pse_is_reverse(state, outline.area);
    if (type == PRIMITIVE_TRIANGLE && !pse_is_drawn(state, reverse)) {
        drop(ptb, reverse ? PTB_REVERSED : PTB_FORWARD);
        return false;
    }
    shape->edges = outline.count;
    for (uint32_t i = 0; i < outline.count; i++)
        shape->edge[i] = outline_edge(&outline, i);
    outline_bounds(&outline, &low, &high);
    return set_area(ptb, ports, shape, state, pixels_of(low, high));
}
_Static_assert(PRIMITIVE_POINT == 0 && PRIMITIVE_LINE == 1 && PRIMITIVE_TRIANGLE == 2,
               "a type is one less than its vertices");

/* Returns true if a rectangle of pixels has points inside the edge. */
static bool reaches(const struct edge *edge, const struct draw_area *area)
{
    int64_t x = (int64_t)(edge->a > 0 ? area->right : area->left) * OUTLINE_UNIT;
    int64_t y = (int64_t)(edge->b > 0 ? area->top : area->bottom) * OUTLINE_UNIT;
    return edge->a * x + edge->b * y + edge->c > 0;
}

/* Returns true if the shape overlaps a tile. The test of the bounds and of each edge is exact,
 * because the tile is a rectangle and the shape is convex. */
static bool touches(const struct ptb *ptb, const struct shape *shape, uint32_t column, uint32_t row)
{
    int32_t left = (int32_t)(column * ptb->tile_width), bottom = (int32_t)(row * ptb->tile_height);
    struct draw_area tile = {left, bottom, left + (int32_t)ptb->tile_width,
                             bottom + (int32_t)ptb->tile_height};
    tile = intersection(tile, shape->area);
    if (is_empty(&tile))
        return false;
    for (uint32_t i = 0; i < shape->edges; i++)
        if (!reaches(&shape->edge[i], &tile))
            return false;
    return true;
}

/* Writes the part's clipped primitive record, unless the record was written for an earlier tile or
 * the part has no new vertices. */
static enum ptb_result write_clip_record(struct ptb *ptb, const struct ptb_ports *ports,
                                         const struct clip_part *part)
{
    if (part->clipped == 0 || ptb->clip_record != 0)
        return PTB_DONE;
    uint8_t bytes[3 * CLIP_VERTEX_BYTES];
    uint32_t size = (uint32_t)clip_record_write(part, bytes), address;
    enum ptb_result result = ptb_take_piece(ptb, ports, size, &ptb->clip_address, &ptb->clip_left,
                                            &address);
    if (result != PTB_DONE)
        return result;
    uint8_t *host = bus_get(ports->bus, BUS_PTB, address, size, "clipped primitive record");
    bus_observe(ports->bus, BUS_PTB, address, size, true);
    if (!host)
        return PTB_FAILED;
    memcpy(host, bytes, size);
    ptb->clip_record = address;
    return PTB_DONE;
}

static bool any_touches(const struct ptb *ptb, const struct shape *shape, unsigned shapes,
                        uint32_t column, uint32_t row)
{
    for (unsigned i = 0; i < shapes; i++)
        if (touches(ptb, &shape[i], column, row))
            return true;
    return false;
}

static struct draw_area area_around(const struct shape *shape, unsigned shapes)
{
    struct draw_area area = shape[0].area;
    for (unsigned i = 1; i < shapes; i++) {
        area.left = least_i32(area.left, shape[i].area.left);
        area.bottom = least_i32(area.bottom, shape[i].area.bottom);
        area.right = most_i32(area.right, shape[i].area.right);
        area.top = most_i32(area.top, shape[i].area.top);
    }
    return area;
}

/* Appends a primitive, or a part of it, to the lists of all tiles that one of its shapes touches.
 * Begins at tile ptb->cursor. part is NULL in VG mode. */
static enum ptb_result bin_shapes(struct ptb *ptb, const struct ptb_ports *ports,
                                  const struct shape *shape, unsigned shapes,
                                  const struct clip_part *part, const struct ptb_job *job)
{
    struct draw_area area = area_around(shape, shapes);
    uint32_t left = (uint32_t)area.left / ptb->tile_width;
    uint32_t bottom = (uint32_t)area.bottom / ptb->tile_height;
    uint32_t columns = (uint32_t)(area.right - 1) / ptb->tile_width - left + 1;
    uint32_t rows = (uint32_t)(area.top - 1) / ptb->tile_height - bottom + 1;
    bool one_tile = columns * rows == 1 && shapes == 1 && shape->whole;
    for (; ptb->cursor < columns * rows; ptb->cursor++) {
        uint32_t column = left + ptb->cursor % columns, row = bottom + ptb->cursor / columns;
        if (!one_tile && !any_touches(ptb, shape, shapes, column, row))
            continue;
        enum ptb_result result = part ? write_clip_record(ptb, ports, part) : PTB_DONE;
        if (result == PTB_DONE)
            result = ptb_append_job(ptb, ports, row * ptb->tiles_x + column, job);
        if (result != PTB_DONE)
            return result;
        ptb->placed = true;
    }
    return PTB_DONE;
}

/* --- operations --- */

void ptb_reset(struct ptb *ptb)
{
    *ptb = (struct ptb){.primitives = ptb->primitives};
}

void ptb_abandon(struct ptb *ptb)
{
    ptb->stalled = ptb->placed = ptb->started = ptb->early = ptb->out_of_memory = false;
    ptb->dropped = PTB_KEPT;
    ptb->cursor = ptb->sub_cursor = ptb->clip_record = 0;
}

static bool has_started(struct ptb *ptb, const struct ptb_ports *ports, const char *what)
{
    if (!ptb->started)
        fault(ports->log, FAULT_CL_ORDER,
              "%s before Start Tile Binning (6)" WITH_HINT
              "send Start Tile Binning (6) after Tile Binning Mode Configuration (112), and "
              "before all primitives and flushes",
              what);
    ptb->early = false;
    return ptb->started;
}

/* Returns true if the shader record enables clipping and the vertices have clip coordinates.
 * Reports vertices without clip coordinates. */
static bool wants_clipping(struct ptb *ptb, const struct ptb_ports *ports,
                           const struct shader_record *record)
{
    if (!(record->flags & SHADER_CLIPPING) || ptb->clip_disabled)
        return false;
    if (record->code == CL_NV_SHADER_STATE && !(record->flags & SHADER_CLIP_HEADER)) {
        if (!ptb->stalled)
            fault_at(
                ports->log, FAULT_PTB_CLIP_HEADER, record->address,
                "the shader record enables clipping, but its vertices have no clip coordinates");
        return false;
    }
    return true;
}

/* Splits the primitive into the parts to bin. Returns the number of parts. */
static unsigned make_parts(struct ptb *ptb, const struct ptb_ports *ports,
                           struct clip_part part[CLIP_MAX_PARTS], const struct cl_state *state,
                           const struct shader_record *record, enum primitive_type type,
                           const struct vertex *const vertex[3])
{
    unsigned vertices = (unsigned)type + 1;
    if (!wants_clipping(ptb, ports, record)) {
        clip_whole(part, vertices, vertex);
        return 1;
    }
    unsigned count = clip_primitive(part, state, vertices, vertex);
    if (count == 0)
        drop(ptb, clip_is_finite(vertices, vertex) ? PTB_CLIPPED : PTB_NOT_FINITE);
    bool no_scale = state->clipper_x == 0 || state->clipper_y == 0;
    if (count != 0 && part[0].clipped != 0 && no_scale && !ptb->stalled)
        fault(ports->log, FAULT_PTB_CLIP_SCALE,
              "a primitive was clipped with a viewport of %g by %g (record 105)",
              (double)state->clipper_x, (double)state->clipper_y);
    return count;
}

static enum ptb_result bin_part(struct ptb *ptb, const struct ptb_ports *ports, struct ptb_job *job,
                                enum primitive_type type, const struct clip_part *part,
                                const struct vertex *const vertex[3])
{
    struct shape shape;
    job->clipped = part->clipped;
    if (!set_shape(ptb, ports, &shape, job->state, type, part, vertex))
        return PTB_DONE;
    return bin_shapes(ptb, ports, &shape, 1, part, job);
}

/* Adds the primitive to the counts of its draw. */
static void count_draw(struct ptb *ptb, const struct ptb_ports *ports)
{
    static const uint8_t counters[PTB_DROPS] = {
        [PTB_KEPT] = TESS_VC4_DRAW_OUTSIDE,    [PTB_NO_AREA] = TESS_VC4_DRAW_NO_AREA,
        [PTB_FORWARD] = TESS_VC4_DRAW_CULLED,  [PTB_NOT_FINITE] = TESS_VC4_DRAW_NOT_FINITE,
        [PTB_CLIPPED] = TESS_VC4_DRAW_CLIPPED, [PTB_OUTSIDE] = TESS_VC4_DRAW_OUTSIDE,
        [PTB_REVERSED] = TESS_VC4_DRAW_CULLED,
    };
    if (!ports->draws)
        return;
    draws_count(ports->draws, ptb->draw, TESS_VC4_DRAW_PRIMITIVES, 1);
    draws_count(ports->draws, ptb->draw,
                ptb->placed ? TESS_VC4_DRAW_BINNED : counters[ptb->dropped], 1);
}

/* Counts a primitive whose binning is complete. */
static void count_primitive(struct ptb *ptb, const struct ptb_ports *ports, bool clipped)
{
    count_draw(ptb, ports);
    ptb->primitives += ptb->placed;
    ptb->drawn = true;
    if (!ports->counts)
        return;
    ports->counts->of[PCTR_PTB_CLIPPED] += clipped;
    if (ptb->placed)
        return;
    ports->counts->of[PCTR_PTB_OUTSIDE] += ptb->dropped >= PTB_NOT_FINITE &&
                                           ptb->dropped <= PTB_OUTSIDE;
    ports->counts->of[PCTR_PSE_REVERSED] += ptb->dropped == PTB_REVERSED;
}

enum ptb_result ptb_primitive(struct ptb *ptb, const struct ptb_ports *ports,
                              const struct cl_state *state, const struct shader_record *record,
                              enum primitive_type type, const uint32_t index[3],
                              const struct vertex *const vertex[3])
{
    if (!has_started(ptb, ports, "a primitive"))
        return ptb_finish(ptb, PTB_FAILED);

    struct ptb_job job = {.state = state, .format = {(uint8_t)type, 2}};
    memcpy(job.vertex, index, ((size_t)type + 1) * sizeof *index);
    struct clip_part part[CLIP_MAX_PARTS];
    unsigned count = make_parts(ptb, ports, part, state, record, type, vertex);
    for (; ptb->sub_cursor < count; ptb->sub_cursor++) {
        enum ptb_result result = bin_part(ptb, ports, &job, type, &part[ptb->sub_cursor], vertex);
        if (result != PTB_DONE)
            return ptb_finish(ptb, result);
        ptb->cursor = ptb->clip_record = 0;
    }
    count_primitive(ptb, ports, count > 1 || (count == 1 && part[0].clipped));
    return ptb_finish(ptb, PTB_DONE);
}

static bool set_part_shape(struct ptb *ptb, const struct ptb_ports *ports, struct shape *shape,
                           const struct cl_state *state, const struct vg_part *part)
{
    shape->edges = part->edges;
    memcpy(shape->edge, part->edge, sizeof shape->edge);
    return set_area(ptb, ports, shape, state, pixels_of(part->low, part->high));
}

enum ptb_result ptb_coordinates(struct ptb *ptb, const struct ptb_ports *ports,
                                const struct cl_state *state, enum primitive_type type,
                                const uint32_t xy[3])
{
    if (!has_started(ptb, ports, "a primitive"))
        return ptb_finish(ptb, PTB_FAILED);
    struct ptb_job job = {.state = state, .format = {(uint8_t)type, PTB_XY_BYTES}};
    struct vg_part part[VG_MAX_PARTS];
    struct shape shape[VG_MAX_PARTS];
    unsigned shapes = 0, parts = vg_parts(part, state, type, xy);
    memcpy(job.vertex, xy, sizeof job.vertex);
    for (unsigned i = 0; i < parts; i++)
        shapes += set_part_shape(ptb, ports, &shape[shapes], state, &part[i]);
    if (parts == 0)
        drop(ptb, PTB_NO_AREA);
    enum ptb_result result = shapes ? bin_shapes(ptb, ports, shape, shapes, NULL, &job) : PTB_DONE;
    if (result == PTB_DONE) {
        ptb->primitives += ptb->placed;
        count_draw(ptb, ports);
    }
    return ptb_finish(ptb, result);
}

enum ptb_result ptb_flush(struct ptb *ptb, const struct ptb_ports *ports,
                          const struct cl_state *state, bool all_state)
{
    if (!has_started(ptb, ports, "a flush"))
        return ptb_finish(ptb, PTB_FAILED);
    for (; ptb->cursor < ptb_tile_count(ptb); ptb->cursor++) {
        enum ptb_result result = ptb_flush_tile(ptb, ports, ptb->cursor, state, all_state);
        if (result != PTB_DONE)
            return ptb_finish(ptb, result);
    }
    if (all_state)
        ptb->changes = 0;
    return ptb_finish(ptb, PTB_DONE);
}
