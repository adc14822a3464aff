/* SPDX-License-Identifier: MIT */
/* vg.c - VG mode: coordinate lists, RHTs.
 *
 * In:       records 41, 42 and 100; compressed lists of coordinates; the viewport offset.
 * Out:      convex parts of primitives, for the PTB and for rendering.
 * Source:   manual sections 8 and 9, tables 38, 42 and 43; PeterLemon/RaspberryPi,
 *           V3D/ControlList/VG (unit of a record's length, units of coordinates, filled side of an
 *           RHT); Broadcom's released driver, vg_hw_4.c and vg_tess_4.c (range of coordinates,
 *           continued fans, lists in binning lists).
 * Modelled: all five types, escape codes, continued fans; RHTs on both sides of the boundary.
 * Choices:  see docs/vc4/vg.md: the effect of a dummy primitive in a strip or fan, the continuation
 *           of a fan after a list with a count, the boundary's origin, and the facing of an RHT.
 * Differs:  in manual table 38, record 41 has a number of primitives. Programs pass a number of
 *           coordinates, as the model expects. */
#include "vc4/raster/vg.h"

#include "base/bits.h"

enum { COORDINATE_BYTES = 4, RHT_EDGES = 4 };

/* --- lists --- */

static bool is_rht(uint8_t type)
{
    return type == VG_RHTS || type == VG_RHT_STRIP;
}

enum primitive_type vg_primitive_type(const struct vg_list *list)
{
    return is_rht(list->type) ? PRIMITIVE_RHT : PRIMITIVE_TRIANGLE;
}

/* Returns the number of vertices that the next list takes from the previous list's last
 * triangle. */
static uint32_t continued(const struct vg_list *previous, uint8_t type, struct fault_log *log)
{
    if (type == VG_TRIANGLE_FAN && previous->type == VG_TRIANGLE_FAN && previous->held > 0)
        return previous->held;
    fault(log, FAULT_VG_CONTINUATION, "a list of type %u continues a list of type %u", type,
          previous->type);
    return 0;
}

bool vg_begin(struct vg_list *list, uint8_t record, const uint8_t *data, uint32_t address,
              uint32_t end, struct fault_log *log)
{
    uint8_t type = (uint8_t)CL_GET(data, VG_INLINE_PRIMITIVES, TYPE);
    bool continuation = CL_GET(data, VG_INLINE_PRIMITIVES, CONTINUATION);
    if (type != VG_RHTS && (type < VG_RHT_STRIP || type > VG_TRIANGLE_FAN)) {
        fault(log, FAULT_CL_FIELD, "VG primitive type %u is reserved", type);
        return false;
    }
    list->replaced = continuation ? continued(list, type, log) : 0;
    list->type = type;
    list->counted = record == CL_VG_COORDINATE_ARRAY_PRIMITIVES;
    list->left = list->counted ? CL_GET(data, VG_COORDINATE_ARRAY_PRIMITIVES, LENGTH) : 0;
    list->address = list->counted ? CL_GET(data, VG_COORDINATE_ARRAY_PRIMITIVES, ADDRESS) : address;
    list->end = end;
    list->flip = false;
    list->first = true;
    list->held = 0;
    return true;
}

static bool is_cut(const struct vg_list *list, struct fault_log *log)
{
    if (list->counted || list->end - list->address >= COORDINATE_BYTES)
        return false;
    fault_at(log, FAULT_CL_TRUNCATED, list->address,
             "the inline VG primitives extend past the end of the control list");
    return true;
}

/* Reads the next coordinate. Returns VG_PRIMITIVE if it was read, VG_LIST_END if the list has no
 * more coordinates, or VG_UNREADABLE after a finding. */
static enum vg_item read_coordinate(struct vg_list *list, struct bus *bus, uint32_t *coordinate)
{
    if (list->counted && list->left == 0)
        return VG_LIST_END;
    if (is_cut(list, bus->log))
        return VG_UNREADABLE;
    const uint8_t *at = bus_get(bus, BUS_CLE, list->address, COORDINATE_BYTES, "VG coordinate");
    bus_observe(bus, BUS_CLE, list->address, COORDINATE_BYTES, false);
    if (!at)
        return VG_UNREADABLE;
    *coordinate = load_le32(at);
    list->address += COORDINATE_BYTES;
    list->left--;
    return VG_PRIMITIVE;
}

/* Keeps the vertices that the next primitive shares with the current primitive. */
static void share_vertices(struct vg_list *list)
{
    uint32_t *vertex = list->vertex;
    list->first = false;
    list->held = 0;
    switch (list->type) {
    case VG_RHT_STRIP:
        vertex[0] = vertex[1];
        list->held = 1;
        break;
    case VG_TRIANGLE_STRIP:
        vertex[0] = vertex[1];
        vertex[1] = vertex[2];
        list->held = 2;
        list->flip = !list->flip;
        break;
    case VG_TRIANGLE_FAN:
        vertex[1] = vertex[2];
        list->held = 2;
        break;
    default: break;
    }
}

/* Returns a primitive's vertices in xy[]. In a strip, swaps the first two vertices of every second
 * triangle, so that all triangles have the same facing. */
static void take_primitive(struct vg_list *list, uint32_t xy[3])
{
    for (uint32_t i = 0; i < 3; i++)
        xy[i] = list->vertex[i];
    if (list->flip) {
        xy[0] = list->vertex[1];
        xy[1] = list->vertex[0];
    }
    share_vertices(list);
}

/* Skips a dummy primitive. In a strip or fan, the shared vertices are kept. */
static enum vg_item skip_dummy(struct vg_list *list)
{
    if (list->type == VG_RHTS || list->type == VG_TRIANGLES)
        list->held = 0;
    return VG_NOTHING;
}

/* True if the next coordinate is the second vertex of a fan's first triangle. A VG_END at this
 * position ends the list, although the list contains one more coordinate. */
static bool ends_early(const struct vg_list *list)
{
    return list->type == VG_TRIANGLE_FAN && list->first && list->held == 1;
}

enum vg_item vg_next(struct vg_list *list, struct bus *bus, uint32_t xy[3])
{
    uint32_t last = is_rht(list->type) ? 1 : 2;
    for (;;) {
        uint32_t coordinate;
        enum vg_item item = read_coordinate(list, bus, &coordinate);
        if (item != VG_PRIMITIVE)
            return item;
        if (list->held < list->replaced) {
            list->held++;
            continue;
        }
        if (coordinate == VG_END && list->held == last)
            return VG_LIST_END;
        if (coordinate == VG_END && ends_early(list)) {
            item = read_coordinate(list, bus, &coordinate);
            return item == VG_UNREADABLE ? item : VG_LIST_END;
        }
        if (coordinate == VG_DUMMY && list->held == last)
            return skip_dummy(list);
        list->vertex[list->held] = coordinate;
        if (list->held++ < last)
            continue;
        list->replaced = 0;
        take_primitive(list, xy);
        return VG_PRIMITIVE;
    }
}

/* --- shapes --- */

/* Decodes x or y of a coordinate. The numbers range from -0x4000 to 0xbfff (Broadcom, vg_hw_4.c),
 * so VG_END and VG_DUMMY have the largest y. */
static int32_t decode(uint32_t half)
{
    return (int32_t)half - (half >= 0xc000 ? 0x10000 : 0);
}

static struct corner position(const struct cl_state *state, uint32_t xy)
{
    return outline_position(state, decode(xy & 0xffff), decode(xy >> 16));
}

static unsigned triangle_part(struct vg_part *part, const struct cl_state *state,
                              const struct corner position[3])
{
    struct outline outline;
    if (!outline_set(&outline, state, PRIMITIVE_TRIANGLE, position, 0))
        return 0;
    part->reverse = pse_is_reverse(state, outline.area);
    if (!pse_is_drawn(state, part->reverse))
        return 0;
    part->edges = outline.count;
    outline_bounds(&outline, &part->low, &part->high);
    for (uint32_t i = 0; i < outline.count; i++)
        part->edge[i] = outline_edge(&outline, i);
    return 1;
}

/* Returns the part of an RHT on one side of the boundary. The part is bounded by the slanted edge,
 * whose ends are `low` (smaller y) and `high` (larger y). */
static struct vg_part rht_side(struct corner low, struct corner high, int64_t boundary, bool right)
{
    int64_t side = right ? 1 : -1;
    int64_t least = low.x < high.x ? low.x : high.x, most = low.x + high.x - least;
    struct edge slanted = {.a = -side * (high.y - low.y), .b = side * (high.x - low.x)};
    slanted.c = -(slanted.a * low.x + slanted.b * low.y);
    return (struct vg_part){
        .edge = {{0, 1, -low.y}, {0, -1, high.y}, {side, 0, -side * boundary}, slanted},
        .edges = RHT_EDGES,
        .low = {right ? boundary : least, low.y},
        .high = {right ? most : boundary, high.y},
    };
}

/* Splits an RHT at the boundary. The edge's direction determines the facing of each part. The
 * facing is opposite on the two sides, because the edge is part of the outline of both polygons. */
static unsigned rht_parts(struct vg_part part[VG_MAX_PARTS], const struct cl_state *state,
                          struct corner from, struct corner to)
{
    int64_t boundary = outline_position(state, state->rht_x, 0).x;
    bool down = from.y < to.y;
    struct corner low = down ? from : to, high = down ? to : from;
    unsigned count = 0;
    bool any = pse_is_drawn(state, false) || pse_is_drawn(state, true);
    if (!any || low.y == high.y)
        return 0;
    for (unsigned side = 0; side < 2; side++) {
        bool right = side == 1;
        if (right ? low.x <= boundary && high.x <= boundary
                  : low.x >= boundary && high.x >= boundary)
            continue;
        part[count] = rht_side(low, high, boundary, right);
        part[count++].reverse = pse_is_reverse(state, down == right ? 1 : -1);
    }
    return count;
}

unsigned vg_parts(struct vg_part part[VG_MAX_PARTS], const struct cl_state *state,
                  enum primitive_type type, const uint32_t xy[3])
{
    struct corner corner[3] = {position(state, xy[0]), position(state, xy[1])};
    if (type == PRIMITIVE_RHT)
        return rht_parts(part, state, corner[0], corner[1]);
    corner[2] = position(state, xy[2]);
    return triangle_part(part, state, corner);
}

void vg_setup(struct pse_primitive *out, const struct cl_state *state, enum primitive_type type,
              const struct vg_part *part)
{
    pse_set_convex(out, part->edge, part->edges, part->low, part->high);
    pse_set_constant(out, state, type, 0.5, 1.0);
    out->reverse = part->reverse;
}

/* --- errata --- */

static bool is_vg_shader(const struct shader_record *shader)
{
    return shader->code == CL_VG_SHADER_STATE || shader->code == CL_VG_INLINE_SHADER_RECORD;
}

void vg_check_errata(struct vg_history *history, const struct cl_state *state,
                     const struct shader_record *shader, struct fault_log *log)
{
    bool coverage = CONFIGURATION_GET(state->configuration, COVERAGE_PIPE);
    bool vg = is_vg_shader(shader);
    if (history->vg && !vg)
        fault(log, FAULT_VG_INTERLEAVED, "a GL or NV shader follows a VG shader");
    if (coverage && history->varyings)
        fault(log, FAULT_CAP_VARYINGS,
              "the coverage pipe is used after a fragment shader with varyings");
    history->vg = vg;
    if (coverage)
        history->varyings = false; /* so that the erratum is reported only once */
    else
        history->varyings = shader->varyings > 0;
}
