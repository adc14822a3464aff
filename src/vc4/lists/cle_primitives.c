/* SPDX-License-Identifier: MIT */
/* cle_primitives.c - the lists of primitives that both control list threads execute, one primitive
 * at a time.
 *
 * In:     records 32, 33, 41, 42, 48 and 49; indices, coordinates and compressed items from memory.
 * Out:    primitives to the PTB (binning thread) or to the tile's job (rendering thread); draws
 *         for the statistics of draws.
 * Source: manual sections 8 and 9, table 38; docs/vc4/cle.md. */
#include <string.h>

#include "vc4/fault/fault.h"
#include "vc4/lists/cle_private.h"

/* Data types of record 56. */
enum { LIST_INDEX = 1, LIST_XY = 3, XY_BYTES = 4 };

/* --- primitives --- */

/* Reads the current shader record, unless the record has been read since the latest shader state
 * record. Reports the record's errors if the record has changed. Returns false if the record cannot
 * be read. */
static bool need_shader(struct cle *cle, const struct cle_ports *ports, struct cle_thread *t)
{
    if (t->shader_read)
        return true;
    struct shader_record before = t->shader;
    t->shader_read = shader_record_read(&t->shader, &t->state, ports->bus);
    if (t->shader_read && memcmp(&before, &t->shader, sizeof before) != 0)
        shader_record_check(&t->shader,
                            t == &cle->thread[CLE_BINNING] ? STAGE_COORDINATE : STAGE_VERTEX,
                            ports->log);
    return t->shader_read;
}

/* Sends a primitive to the tile's renderer. Sends the state first if the state has changed. */
static enum cle_step draw(const struct cle_ports *ports, struct cle_thread *t,
                          const struct render_primitive *primitive)
{
    if (!t->state_sent) {
        jobs_state(ports->jobs, ports->jobs_ports, &t->state, &t->shader);
        t->state_sent = true;
    }
    jobs_draw(ports->jobs, ports->jobs_ports, primitive);
    return CLE_MOVED;
}

/* Begins a draw for the current record, for the statistics of draws (draws.h). A record in a tile
 * list belongs to a draw of the binning list, so no new draw begins. */
static void begin_draw(struct cle *cle, const struct cle_ports *ports, unsigned thread)
{
    struct cle_thread *t = cle_thread_of(cle, thread);
    const struct draw_record record = {.address = t->record_address,
                                       .code = t->record,
                                       .thread = (uint8_t)thread,
                                       .mode = (uint8_t)t->mode,
                                       .length = t->length,
                                       .flush = cle->thread[CLE_BINNING].flushed + 1,
                                       .state = &t->state};
    if (thread == CLE_BINNING)
        ports->ptb->draw = draws_begin(ports->draws, &record);
    else if (!t->list.active)
        t->list.draw = draws_begin(ports->draws, &record);
}

/* Reads the index of vertex n of the current list (record 32 or 33), without clamping. Returns
 * false if no memory is mapped at the index's address. */
static bool raw_index(const struct cle_ports *ports, const struct cle_thread *t, uint32_t n,
                      uint32_t *value)
{
    if (t->record == CL_VERTEX_ARRAY_PRIMITIVES) {
        *value = t->first + n;
        return true;
    }
    uint32_t address = t->index_address + n * t->index_bytes;
    const uint8_t *at = bus_peek(ports->bus, address, t->index_bytes);
    bus_observe(ports->bus, BUS_CLE, address, t->index_bytes, false);
    if (at)
        *value = t->index_bytes == 1 ? at[0] : load_le16(at);
    return at;
}

static bool is_above_maximum(const struct cle_thread *t, uint32_t value)
{
    return t->record == CL_INDEXED_PRIMITIVE_LIST && value > t->maximum_index;
}

/* Reads the index of vertex n of the current list. Clamps the index to the maximum index, and keeps
 * the low 16 bits. Returns false if no memory is mapped at the index's address. */
static bool peek_index(const struct cle_ports *ports, const struct cle_thread *t, uint32_t n,
                       uint32_t *index)
{
    uint32_t value;
    if (!raw_index(ports, t, n, &value))
        return false;
    *index = (is_above_maximum(t, value) ? t->maximum_index : value) & UINT16_MAX;
    return true;
}

/* Like peek_index(), but reports findings. */
static bool vertex_index(const struct cle_ports *ports, struct cle_thread *t, unsigned thread,
                         uint32_t n, uint32_t *index)
{
    uint32_t value, address = t->index_address + n * t->index_bytes;
    if (!raw_index(ports, t, n, &value)) {
        bus_get(ports->bus, BUS_CLE, address, t->index_bytes, "vertex index");
        return false;
    }
    if (is_above_maximum(t, value)) {
        fault_at(ports->log, FAULT_CL_INDEX, address,
                 "index %u at position %u is above the record's maximum index %u", value, n,
                 t->maximum_index);
        ports->counts->errors |= thread == CLE_BINNING ? V3D_ERRSTAT_VCMBE : V3D_ERRSTAT_VCMRE;
        value = t->maximum_index;
    }
    /* Tile lists contain 16-bit indices. The hardware wraps larger indices (SW-5891). */
    if (value > UINT16_MAX)
        fault(ports->log, FAULT_CL_INDEX_WRAP, "vertex number %u wraps to %u: indices have 16 bits",
              value, value & UINT16_MAX);
    *index = value & UINT16_MAX;
    return true;
}

/* The binning thread's current primitive, for look_ahead(). */
struct binning {
    const struct cle_ports *ports;
    const struct cle_thread *thread;
};

/* Writes to index[] the vertex indices of the primitives that follow the current primitive. Returns
 * the number of indices. This is a vertex_look_ahead function; user is a struct binning. */
static uint32_t look_ahead(void *user, uint32_t index[], uint32_t max)
{
    const struct binning *binning = user;
    const struct cle_thread *t = binning->thread;
    uint32_t count = 0;
    for (uint32_t n = 1; n < t->remaining && count + 3 <= max; n++) {
        uint32_t position[3];
        unsigned vertices = vcm_primitive_vertices((enum primitive_mode)t->mode, t->length,
                                                   t->position + n, position);
        for (unsigned k = 0; k < vertices; k++)
            if (!peek_index(binning->ports, t, position[k], &index[count++]))
                return count - 1;
    }
    return count;
}

static enum cle_step bin_primitive(const struct cle_ports *ports, struct cle_thread *t,
                                   enum primitive_type type, unsigned count,
                                   const uint32_t index[3])
{
    const struct vertex *vertex[3];
    struct binning binning = {ports, t};
    switch (vertex_pipe_get(ports->vertices, ports->vertices_ports, &t->state, &t->shader,
                            QPU_COORDINATE, (struct vertex_source){look_ahead, &binning}, index,
                            count, vertex)) {
    case VERTEX_READY: break;
    case VERTEX_MISSING: return CLE_MOVED;
    case VERTEX_BUDGET:
    case VERTEX_HUNG: return CLE_WAITS;
    }
    switch (
        ptb_primitive(ports->ptb, ports->ptb_ports, &t->state, &t->shader, type, index, vertex)) {
    case PTB_DONE: return CLE_MOVED;
    case PTB_STALLED: return CLE_WAITS;
    default: return cle_stop_with_error(t);
    }
}

/* Bins or draws a primitive given by vertex indices. */
static enum cle_step primitive_by_index(struct cle *cle, const struct cle_ports *ports,
                                        unsigned thread, enum primitive_type type, unsigned count,
                                        const uint32_t index[3])
{
    struct cle_thread *t = cle_thread_of(cle, thread);
    if (thread == CLE_BINNING)
        return bin_primitive(ports, t, type, count, index);
    return draw(ports, t,
                &(struct render_primitive){.type = (uint8_t)type,
                                           .vertices = (uint8_t)count,
                                           .draw = t->list.draw,
                                           .counted = !t->list.active,
                                           .index = {index[0], index[1], index[2]}});
}

enum cle_step cle_step_primitives(struct cle *cle, const struct cle_ports *ports, unsigned thread)
{
    struct cle_thread *t = cle_thread_of(cle, thread);
    if (t->remaining == 0) {
        t->work = CLE_RECORDS;
        return CLE_MOVED;
    }
    enum primitive_mode mode = t->mode;
    uint32_t position[3], index[3] = {0};
    unsigned count = vcm_primitive_vertices(mode, t->length, t->position, position);
    for (unsigned k = 0; k < count; k++)
        if (!vertex_index(ports, t, thread, position[k], &index[k]))
            return cle_stop_with_error(t);
    enum cle_step step = primitive_by_index(cle, ports, thread, vcm_mode_type(mode), count, index);
    if (step == CLE_MOVED) {
        t->position++;
        t->remaining--;
    }
    return step;
}

static bool is_vg_shader(const struct cle_thread *t)
{
    return t->shader.code == CL_VG_SHADER_STATE || t->shader.code == CL_VG_INLINE_SHADER_RECORD;
}

static bool can_draw(struct cle *cle, const struct cle_ports *ports, unsigned thread)
{
    struct cle_thread *t = cle_thread_of(cle, thread);
    if (thread == CLE_BINNING && !ports->ptb->started) {
        fault(ports->log, FAULT_CL_ORDER,
              "primitives are drawn before Start Tile Binning (record 6)" WITH_HINT
              "begin the binning list with Tile Binning Mode Configuration (112) and Start Tile "
              "Binning (6)");
        return false;
    }
    if (thread == CLE_RENDERING && !t->frame_configured) {
        fault(ports->log, FAULT_TLB_ORDER,
              "primitives are drawn before Tile Rendering Mode Configuration (113)" WITH_HINT
              "send Tile Rendering Mode Configuration (113) before the first tile that is drawn");
        return false;
    }
    if (thread == CLE_RENDERING && !t->in_tile) {
        fault(ports->log, FAULT_CL_ORDER,
              "primitives are drawn before Tile Coordinates (record 115)" WITH_HINT
              "send Tile Rendering Mode Configuration (113), then the Tile Coordinates (115) of "
              "each tile before its primitives or the branch to its list");
        return false;
    }
    if (!t->state.configured)
        fault(ports->log, FAULT_CL_STATE,
              "the %s thread has no Configuration Bits (record 96): nothing is drawn",
              thread == CLE_BINNING ? "binning" : "rendering");
    if (!need_shader(cle, ports, t))
        return false;
    if (thread == CLE_RENDERING)
        vg_check_errata(&t->history, &t->state, &t->shader, ports->log);
    return true;
}

enum cle_step cle_begin_primitives(struct cle *cle, const struct cle_ports *ports, unsigned thread,
                                   const uint8_t *data)
{
    struct cle_thread *t = cle_thread_of(cle, thread);
    if (t->record == CL_INDEXED_PRIMITIVE_LIST) {
        t->mode = CL_GET(data, INDEXED_PRIMITIVE_LIST, MODE);
        t->length = CL_GET(data, INDEXED_PRIMITIVE_LIST, LENGTH);
        t->index_address = CL_GET_ADDRESS(data, INDEXED_PRIMITIVE_LIST, ADDRESS);
        t->maximum_index = CL_GET(data, INDEXED_PRIMITIVE_LIST, MAXIMUM_INDEX);
        uint32_t type = CL_GET(data, INDEXED_PRIMITIVE_LIST, INDEX_TYPE);
        if (type > 1) {
            fault(ports->log, FAULT_CL_FIELD,
                  "index type %u is reserved; 0 is 8-bit, 1 is 16-bit" WITH_HINT
                  "set bits 7 to 4 of the first byte after the id to 0 or 1; bits 3 to 0 of this "
                  "byte are the primitive mode",
                  type);
            return cle_stop_with_error(t);
        }
        t->index_bytes = type + 1;
    } else {
        t->mode = CL_GET(data, VERTEX_ARRAY_PRIMITIVES, MODE);
        t->length = CL_GET(data, VERTEX_ARRAY_PRIMITIVES, LENGTH);
        t->first = CL_GET(data, VERTEX_ARRAY_PRIMITIVES, FIRST);
    }
    if (t->mode >= MODE_COUNT) {
        fault(ports->log, FAULT_CL_FIELD,
              "primitive mode %u is reserved" WITH_HINT
              "use a mode from 0 to 6: points, lines, line loop, line strip, triangles, "
              "triangle strip, triangle fan",
              t->mode);
        return cle_stop_with_error(t);
    }
    if (!can_draw(cle, ports, thread))
        return cle_stop_with_error(t);
    if (is_vg_shader(t)) {
        fault(ports->log, FAULT_VG_SHADER,
              "a vertex list is drawn with a VG shader" WITH_HINT
              "send a GL or NV shader state record (64 or 65) before vertices");
        return cle_stop_with_error(t);
    }
    if (t->mode == MODE_LINE_LOOP && t->length == 2)
        fault(ports->log, FAULT_CL_LINE_LOOP, "a line loop of two vertices is not drawn");
    if (thread == CLE_BINNING)
        vertex_pipe_reset(ports->vertices);
    begin_draw(cle, ports, thread);
    t->position = 0;
    t->remaining = vcm_primitive_count((enum primitive_mode)t->mode, t->length);
    t->work = CLE_PRIMITIVES;
    return CLE_MOVED;
}

/* --- VG mode --- */

/* Bins or draws a primitive given by coordinates. */
static enum cle_step primitive_by_coordinates(struct cle *cle, const struct cle_ports *ports,
                                              unsigned thread, enum primitive_type type,
                                              const uint32_t xy[3])
{
    struct cle_thread *t = cle_thread_of(cle, thread);
    if (thread == CLE_RENDERING)
        return draw(ports, t,
                    &(struct render_primitive){.type = (uint8_t)type,
                                               .coordinates = true,
                                               .draw = t->list.draw,
                                               .counted = !t->list.active,
                                               .index = {xy[0], xy[1], xy[2]}});
    switch (ptb_coordinates(ports->ptb, ports->ptb_ports, &t->state, type, xy)) {
    case PTB_DONE: return CLE_MOVED;
    case PTB_STALLED: return CLE_WAITS;
    default: return cle_stop_with_error(t);
    }
}

static enum cle_step end_coordinates(struct cle_thread *t)
{
    if (!t->vg.counted)
        t->ca = t->vg.address;
    t->work = CLE_RECORDS;
    return CLE_MOVED;
}

enum cle_step cle_step_coordinates(struct cle *cle, const struct cle_ports *ports, unsigned thread)
{
    struct cle_thread *t = cle_thread_of(cle, thread);
    enum vg_item item = t->xy_waiting ? VG_PRIMITIVE : vg_next(&t->vg, ports->bus, t->xy);
    switch (item) {
    case VG_NOTHING: return CLE_MOVED;
    case VG_LIST_END: return end_coordinates(t);
    case VG_UNREADABLE: return cle_stop_with_error(t);
    case VG_PRIMITIVE: break;
    }
    enum cle_step step = primitive_by_coordinates(cle, ports, thread, vg_primitive_type(&t->vg),
                                                  t->xy);
    t->xy_waiting = step == CLE_WAITS;
    return step;
}

enum cle_step cle_begin_coordinates(struct cle *cle, const struct cle_ports *ports, unsigned thread,
                                    const uint8_t *data)
{
    struct cle_thread *t = cle_thread_of(cle, thread);
    if (!vg_begin(&t->vg, t->record, data, t->ca, t->ea, ports->log) ||
        !can_draw(cle, ports, thread))
        return cle_stop_with_error(t);
    if (!is_vg_shader(t))
        fault(ports->log, FAULT_VG_SHADER,
              "a coordinate list is drawn with a GL or NV shader" WITH_HINT
              "send a VG shader state record (66 or 67) before coordinate lists");
    begin_draw(cle, ports, thread);
    t->xy_waiting = false;
    t->work = CLE_COORDINATES;
    return CLE_MOVED;
}

/* --- compressed lists --- */

static enum cle_step compressed_primitive(struct cle *cle, const struct cle_ports *ports,
                                          unsigned thread)
{
    struct cle_thread *t = cle_thread_of(cle, thread);
    enum primitive_type type = (enum primitive_type)t->format.type;
    unsigned count = primlist_vertices(&t->format);
    const uint32_t *index = t->previous.vertex;
    if (t->format.index_bytes == XY_BYTES)
        return primitive_by_coordinates(cle, ports, thread, type, index);
    if (thread == CLE_BINNING)
        return bin_primitive(ports, t, type, count, index);
    uint8_t clipped = (uint8_t)t->clipped_flags;
    t->clipped_flags = 0;
    return draw(ports, t,
                &(struct render_primitive){.type = (uint8_t)type,
                                           .vertices = (uint8_t)count,
                                           .clipped_flags = clipped,
                                           .draw = t->list.draw,
                                           .counted = !t->list.active,
                                           .index = {index[0], index[1], index[2]},
                                           .clipped_address = t->clipped_address});
}

enum cle_step cle_step_compressed(struct cle *cle, const struct cle_ports *ports, unsigned thread)
{
    struct cle_thread *t = cle_thread_of(cle, thread);
    uint32_t available;
    const uint8_t *bytes = bus_span(ports->bus, t->ca, &available);
    if (!bytes) {
        bus_get(ports->bus, BUS_CLE, t->ca, 1, "compressed primitive list");
        return cle_stop_with_error(t);
    }
    size_t used;
    unsigned coding;
    int32_t jump;
    uint32_t item = t->ca;
    struct primlist_primitive previous = t->previous;
    enum primlist_item read = primlist_read(&t->format, bytes, available, &t->previous, &used,
                                            &coding, &jump);
    bus_observe(ports->bus, BUS_CLE, item, (uint32_t)used, false);
    switch (read) {
    case PRIMLIST_END:
        t->ca += (uint32_t)used;
        t->work = CLE_RECORDS;
        return CLE_MOVED;
    case PRIMLIST_JUMP:
        t->ca = (item & ~(PRIMLIST_BRANCH_UNIT - 1u)) + (uint32_t)jump;
        return CLE_MOVED;
    case PRIMLIST_BAD:
        fault_at(ports->log, FAULT_CL_COMPRESSED, item,
                 "byte 0x%02x at 0x%08x is not an item of a compressed primitive list", bytes[0],
                 item);
        return cle_stop_with_error(t);
    case PRIMLIST_PRIMITIVE: break;
    }
    draws_follow(ports->draws, &t->list, item);
    enum cle_step step = compressed_primitive(cle, ports, thread);
    if (step == CLE_WAITS)
        t->previous = previous; /* the retry decodes the item again */
    if (step == CLE_MOVED)
        t->ca += (uint32_t)used;
    return step;
}

/* Checks that the kind of the current shader matches a compressed list. xy is true for a list of
 * coordinates, which requires a VG shader. Reports a mismatch. Returns false for vertex indices
 * with a VG shader; coordinates are drawn with any shader. */
static bool format_fits_shader(const struct cle_ports *ports, const struct cle_thread *t, bool xy)
{
    if (xy == is_vg_shader(t))
        return true;
    fault(ports->log, FAULT_VG_SHADER,
          "a compressed list of %s is drawn with a %s shader" WITH_HINT
          "send a shader state record %s before the list",
          xy ? "coordinates" : "vertex indices", xy ? "GL or NV" : "VG",
          xy ? "66 or 67 (VG)" : "64 or 65 (GL or NV)");
    return xy;
}

/* Reports a Primitive List Format (record 56) that no shader state record has followed. Manual
 * section 9: "A Primitive List Format item must be followed by a Shader State item to be
 * recognized." */
static void check_list_format(const struct cle_ports *ports, const struct cl_state *state)
{
    if (state->list_format != state->recognised_format)
        fault(ports->log, FAULT_CL_LIST_FORMAT,
              "record 56 sets the format 0x%02x, but no shader state record has followed; the "
              "latest shader state record followed the format 0x%02x",
              state->list_format, state->recognised_format);
}

enum cle_step cle_begin_compressed(struct cle *cle, const struct cle_ports *ports, unsigned thread,
                                   const uint8_t *data)
{
    struct cle_thread *t = cle_thread_of(cle, thread);
    check_list_format(ports, &t->state);
    uint32_t type = t->state.list_format & 15u, data_type = t->state.list_format >> 4;
    bool xy = data_type == LIST_XY;
    if ((!xy && data_type != LIST_INDEX) || type > PRIMITIVE_RHT ||
        (xy && type < PRIMITIVE_TRIANGLE)) {
        fault(ports->log, FAULT_CL_FIELD,
              "primitive list format 0x%02x is reserved" WITH_HINT
              "give record 56 the data type 1 (indices) with a primitive type from 0 to 3, or 3 "
              "(coordinates) with the type 2 or 3",
              t->state.list_format);
        return cle_stop_with_error(t);
    }
    if (!xy && type == PRIMITIVE_RHT && thread == CLE_BINNING) {
        fault(ports->log, FAULT_NOT_MODELLED,
              "binning of RHTs with vertex indices is not modelled");
        return cle_stop_with_error(t);
    }
    if (!can_draw(cle, ports, thread) || !format_fits_shader(ports, t, xy))
        return cle_stop_with_error(t);
    begin_draw(cle, ports, thread);
    t->clipped_flags = 0;
    if (t->record == CL_CLIPPED_PRIMITIVE_LIST) {
        t->clipped_address = CL_GET_ADDRESS(data, CLIPPED_PRIMITIVE_LIST, ADDRESS);
        t->clipped_flags = CL_GET(data, CLIPPED_PRIMITIVE_LIST, CLIPPED_VERTICES);
    }
    t->format = (struct primlist_format){.type = (uint8_t)type, .index_bytes = xy ? XY_BYTES : 2};
    t->previous = (struct primlist_primitive){0};
    if (thread == CLE_BINNING)
        vertex_pipe_reset(ports->vertices);
    t->work = CLE_COMPRESSED;
    return CLE_MOVED;
}
