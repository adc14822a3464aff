/* SPDX-License-Identifier: MIT */
/* cle.c - see cle.h.
 *
 * Source:   manual sections 8 and 9, tables 38 and 49 to 54; docs/vc4/cle.md for the records that
 *           the manual leaves out.
 * Modelled: all records of both threads except 19 and 20; two levels of sub-lists; the two counting
 *           semaphores; halts; errors.
 * Left out: records 19 and 20, which are reported. Markers (records 2 and 3) are counted, but no
 *           register returns the count: the register that does is unknown.
 * Choices:  the manual says both "two levels" and "one-deep return stack". The model has two
 *           levels, and V3D_CTnRA0 shows the latest return address. */
#include "vc4/lists/cle.h"

#include <string.h>

#include "base/order.h"
#include "vc4/fault/v3d_errors.h"
#include "vc4/raster/samples.h"

/* Data types of record 56. */
enum { LIST_INDEX = 1, LIST_XY = 3, XY_BYTES = 4 };

static struct cle_thread *thread_of(struct cle *cle, unsigned thread)
{
    return thread == CLE_BINNING ? &cle->thread[CLE_BINNING] : &cle->thread[CLE_RENDERING];
}

void cle_reset(struct cle *cle)
{
    *cle = (struct cle){0};
    for (unsigned i = 0; i < CLE_THREADS; i++)
        state_reset(&cle->thread[i].state);
}

/* --- starting, stopping, errors --- */

static void start(struct cle_thread *t)
{
    t->running = t->unseen = true;
    t->list_start = t->ca;
    t->halted = false;
    t->error = false;
}

static enum cle_step stop_at(struct cle_thread *t, bool halted)
{
    t->running = false;
    t->halted = halted;
    return CLE_STOPPED;
}

/* Stops the thread with CTERR set. V3D_CTnCA is then the address of the record in error. The caller
 * has reported the finding. */
static enum cle_step stop_with_error(struct cle_thread *t)
{
    t->error = true;
    t->work = CLE_RECORDS;
    t->ca = t->record_address;
    return stop_at(t, false);
}

static void set_place(struct cle *cle, const struct cle_ports *ports, unsigned thread)
{
    const struct cle_thread *t = thread_of(cle, thread);
    struct tess_place *place = &ports->log->place;
    place->known = TESS_PLACE_LIST;
    place->thread = thread;
    place->list_address = t->record_address;
    place->record = t->record;
    if (thread == CLE_RENDERING && t->in_tile) {
        place->known |= TESS_PLACE_TILE;
        place->tile_column = t->tile_column;
        place->tile_row = t->tile_row;
    }
}

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
    struct cle_thread *t = thread_of(cle, thread);
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
    default: return stop_with_error(t);
    }
}

/* Bins or draws a primitive given by vertex indices. */
static enum cle_step primitive_by_index(struct cle *cle, const struct cle_ports *ports,
                                        unsigned thread, enum primitive_type type, unsigned count,
                                        const uint32_t index[3])
{
    struct cle_thread *t = thread_of(cle, thread);
    if (thread == CLE_BINNING)
        return bin_primitive(ports, t, type, count, index);
    return draw(ports, t,
                &(struct render_primitive){.type = (uint8_t)type,
                                           .vertices = (uint8_t)count,
                                           .draw = t->list.draw,
                                           .counted = !t->list.active,
                                           .index = {index[0], index[1], index[2]}});
}

static enum cle_step step_primitives(struct cle *cle, const struct cle_ports *ports,
                                     unsigned thread)
{
    struct cle_thread *t = thread_of(cle, thread);
    if (t->remaining == 0) {
        t->work = CLE_RECORDS;
        return CLE_MOVED;
    }
    enum primitive_mode mode = t->mode;
    uint32_t position[3], index[3] = {0};
    unsigned count = vcm_primitive_vertices(mode, t->length, t->position, position);
    for (unsigned k = 0; k < count; k++)
        if (!vertex_index(ports, t, thread, position[k], &index[k]))
            return stop_with_error(t);
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
    struct cle_thread *t = thread_of(cle, thread);
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

static enum cle_step begin_primitives(struct cle *cle, const struct cle_ports *ports,
                                      unsigned thread, const uint8_t *data)
{
    struct cle_thread *t = thread_of(cle, thread);
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
            return stop_with_error(t);
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
        return stop_with_error(t);
    }
    if (!can_draw(cle, ports, thread))
        return stop_with_error(t);
    if (is_vg_shader(t)) {
        fault(ports->log, FAULT_VG_SHADER,
              "a vertex list is drawn with a VG shader" WITH_HINT
              "send a GL or NV shader state record (64 or 65) before vertices");
        return stop_with_error(t);
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
    struct cle_thread *t = thread_of(cle, thread);
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
    default: return stop_with_error(t);
    }
}

static enum cle_step end_coordinates(struct cle_thread *t)
{
    if (!t->vg.counted)
        t->ca = t->vg.address;
    t->work = CLE_RECORDS;
    return CLE_MOVED;
}

static enum cle_step step_coordinates(struct cle *cle, const struct cle_ports *ports,
                                      unsigned thread)
{
    struct cle_thread *t = thread_of(cle, thread);
    enum vg_item item = t->xy_waiting ? VG_PRIMITIVE : vg_next(&t->vg, ports->bus, t->xy);
    switch (item) {
    case VG_NOTHING: return CLE_MOVED;
    case VG_LIST_END: return end_coordinates(t);
    case VG_UNREADABLE: return stop_with_error(t);
    case VG_PRIMITIVE: break;
    }
    enum cle_step step = primitive_by_coordinates(cle, ports, thread, vg_primitive_type(&t->vg),
                                                  t->xy);
    t->xy_waiting = step == CLE_WAITS;
    return step;
}

static enum cle_step begin_coordinates(struct cle *cle, const struct cle_ports *ports,
                                       unsigned thread, const uint8_t *data)
{
    struct cle_thread *t = thread_of(cle, thread);
    if (!vg_begin(&t->vg, t->record, data, t->ca, t->ea, ports->log) ||
        !can_draw(cle, ports, thread))
        return stop_with_error(t);
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
    struct cle_thread *t = thread_of(cle, thread);
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

static enum cle_step step_compressed(struct cle *cle, const struct cle_ports *ports,
                                     unsigned thread)
{
    struct cle_thread *t = thread_of(cle, thread);
    uint32_t available;
    const uint8_t *bytes = bus_span(ports->bus, t->ca, &available);
    if (!bytes) {
        bus_get(ports->bus, BUS_CLE, t->ca, 1, "compressed primitive list");
        return stop_with_error(t);
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
        return stop_with_error(t);
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

static enum cle_step begin_compressed(struct cle *cle, const struct cle_ports *ports,
                                      unsigned thread, const uint8_t *data)
{
    struct cle_thread *t = thread_of(cle, thread);
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
        return stop_with_error(t);
    }
    if (!xy && type == PRIMITIVE_RHT && thread == CLE_BINNING) {
        fault(ports->log, FAULT_NOT_MODELLED,
              "binning of RHTs with vertex indices is not modelled");
        return stop_with_error(t);
    }
    if (!can_draw(cle, ports, thread) || !format_fits_shader(ports, t, xy))
        return stop_with_error(t);
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

/* --- semaphores, flush, end of frame --- */

/* Returns the field CTSEMA of a thread: the value of the semaphore that the thread increments and
 * the other thread waits on. Two public programs show that CTSEMA belongs to the incrementing
 * thread. Broadcom's driver (khrn_prod_4.c) reads CT0CS before it sends the binner another list
 * with an increment. asurati/x03 (dev/v3d.c) resets thread 1 after the binner's increment and
 * before thread 1's wait. */
static uint32_t semaphore_of(const struct cle *cle, unsigned thread)
{
    return cle->thread[thread].given - cle->thread[!thread].taken;
}

/* Carries out the pending increments of record 7. */
static void give_semaphores(struct cle *cle, const struct cle_ports *ports, unsigned from)
{
    struct cle_thread *giver = thread_of(cle, from);
    for (uint32_t i = 0; i < giver->pending_increments && i <= CLE_SEMAPHORE_MAX; i++)
        giver->given_at[(giver->given + i) % (CLE_SEMAPHORE_MAX + 1)] = giver->flushed;
    giver->given += giver->pending_increments;
    giver->pending_increments = 0;
    if (semaphore_of(cle, from) <= CLE_SEMAPHORE_MAX)
        return;
    fault(ports->log, FAULT_CL_ORDER,
          "a semaphore exceeds its maximum of %u; increments are lost" WITH_HINT
          "let the other thread wait (record 8) once for each increment (record 7)",
          CLE_SEMAPHORE_MAX);
    giver->given = thread_of(cle, !from)->taken + CLE_SEMAPHORE_MAX;
}

static enum cle_step step_flush(struct cle *cle, const struct cle_ports *ports,
                                struct cle_thread *t)
{
    switch (ptb_flush(ports->ptb, ports->ptb_ports, &t->state, t->flush_all_state)) {
    case PTB_STALLED: return CLE_WAITS;
    case PTB_FAILED: return stop_with_error(t);
    case PTB_DONE: break;
    }
    t->work = CLE_RECORDS;
    if (ports->sanitize)
        ptb_guard_close(&ports->ptb->guard, ports->bus);
    ports->v3d->flush_count++;
    ports->v3d->int_status |= V3D_INT_FLDONE;
    t->flushed++;
    give_semaphores(cle, ports, CLE_BINNING);
    return CLE_MOVED;
}

static enum cle_step step_start(const struct cle_ports *ports, struct cle_thread *t)
{
    switch (ptb_start(ports->ptb, ports->ptb_ports)) {
    case PTB_STALLED: return CLE_WAITS;
    case PTB_FAILED: return stop_with_error(t);
    case PTB_DONE: break;
    }
    t->work = CLE_RECORDS;
    return CLE_MOVED;
}

static void store_tile(struct cle *cle, const struct cle_ports *ports, struct cle_thread *t,
                       const uint8_t *data)
{
    jobs_store(ports->jobs, ports->jobs_ports, t->record, data);
    t->in_tile = false;
    if (!tlb_ends_frame(t->record, data))
        return;
    jobs_sync(ports->jobs, ports->jobs_ports);
    if (ports->jobs->hung)
        return;
    draws_end_frame(ports->draws, t->record_address, t->record);
    ports->draws->flush_known = t->flush_known;
    ptb_guard_end(&ports->ptb->guard, ports->bus, ports->log);
    ports->v3d->frame_count++;
    ports->v3d->int_status |= V3D_INT_FRDONE;
    give_semaphores(cle, ports, CLE_RENDERING);
}

/* Executes records 27, 29 and 113 to 115. */
static enum cle_step tile_record(const struct cle_ports *ports, struct cle_thread *t,
                                 const uint8_t *data)
{
    if (t->record == CL_TILE_RENDERING_MODE) {
        t->frame_configured = true;
        t->in_tile = t->list_reported = false;
    }
    if (t->record == CL_TILE_COORDINATES && t->frame_configured) {
        t->in_tile = true;
        t->tile_column = CL_GET(data, TILE_COORDINATES, COLUMN);
        t->tile_row = CL_GET(data, TILE_COORDINATES, ROW);
    }
    jobs_tile_record(ports->jobs, ports->jobs_ports, t->record, data);
    return CLE_MOVED;
}

/* --- records --- */

/* Executes Wait on Semaphore (record 8). V3D_CTnCA is the address after the record, even while the
 * thread waits. Broadcom's driver (khrn_prod_4.c) relies on this address. */
static enum cle_step wait_on_semaphore(struct cle *cle, unsigned thread)
{
    struct cle_thread *t = thread_of(cle, thread);
    t->waiting = semaphore_of(cle, !thread) == 0;
    if (t->waiting)
        return CLE_WAITS;
    if (thread == CLE_RENDERING)
        t->flush_known = most_u64(
            t->flush_known, cle->thread[CLE_BINNING].given_at[t->taken % (CLE_SEMAPHORE_MAX + 1)]);
    t->taken++;
    return CLE_MOVED;
}

/* Checks that records 112 and 113 have the same tile size. */
static void check_tile_size(const struct cle_ports *ports)
{
    const struct ptb *ptb = ports->ptb;
    if (!ports->jobs->setup.frame_known)
        return;
    struct tlb_geometry tile = tlb_frame_geometry(ports->jobs->setup.frame);
    if (tile.width == ptb->tile_width && tile.height == ptb->tile_height)
        return;
    fault(ports->log, FAULT_TLB_TILE_SIZE,
          "a list for tiles of %u x %u pixels (record 112) is drawn in tiles of %u x %u pixels "
          "(record 113)",
          ptb->tile_width, ptb->tile_height, tile.width, tile.height);
}

/* Reports the use of a tile list that the binner may not have flushed yet. The rendering thread
 * must be started after the flush, or wait for the semaphore. A report marks the flush as known, so
 * that each flush is reported at most once. */
static void check_order(struct cle *cle, const struct cle_ports *ports, struct cle_thread *t,
                        uint32_t list)
{
    uint64_t flushed = cle->thread[CLE_BINNING].flushed;
    if (t->flush_known >= flushed)
        return;
    t->flush_known = flushed;
    fault_at(ports->log, FAULT_CL_UNORDERED, list,
             "the rendering thread executes the tile list at 0x%08x, but it was started before the "
             "binner's flush and has not waited for the flush",
             list);
}

/* Checks that the tile list at an address belongs to the tile being drawn. */
static void check_tile(const struct cle_ports *ports, struct cle_thread *t, uint32_t list)
{
    const struct ptb *ptb = ports->ptb;
    uint32_t offset = (list - ptb->allocation_address) & BUS_ADDRESS_MASK,
             number = offset / ptb->initial_block;
    uint32_t column = number % ptb->tiles_x, row = number / ptb->tiles_x;
    if (!t->in_tile || offset % ptb->initial_block || t->list_reported ||
        (column == t->tile_column && row == t->tile_row))
        return;
    t->list_reported = true;
    bool exchanged = ptb->tiles_x != ptb->tiles_y &&
                     number == t->tile_row * ptb->tiles_y + t->tile_column;
    fault_at(ports->log, FAULT_CL_TILE_LIST, list,
             "tile %u,%u is drawn with the list of tile %u,%u of the %u x %u tiles of record 112%s",
             t->tile_column, t->tile_row, column, row, ptb->tiles_x, ptb->tiles_y,
             exchanged ? "; with width and height swapped, it would be the list of this tile" : "");
}

/* Checks a rendering list's branch to a tile list of the binner. Lists outside the tile
 * allocation memory of the current record 112 are not checked: an earlier configuration may have
 * written them. */
static void check_list(struct cle *cle, const struct cle_ports *ports, struct cle_thread *t,
                       uint32_t list)
{
    const struct ptb *ptb = ports->ptb;
    uint32_t size = ptb->tiles_x * ptb->tiles_y * ptb->initial_block;
    if (!ptb->configured || ((list - ptb->allocation_address) & BUS_ADDRESS_MASK) >= size)
        return;
    check_order(cle, ports, t, list);
    check_tile(ports, t, list);
    check_tile_size(ports);
}

/* Records that the thread enters a tile list, unless the thread is already inside one. */
static void enter_list(const struct cle_ports *ports, struct cle_thread *t, uint32_t list)
{
    if (t->list.active)
        return;
    t->list = draws_enter(ports->draws, list);
    t->list_depth = t->depth + 1;
}

static enum cle_step branch_to_sub_list(struct cle *cle, const struct cle_ports *ports,
                                        struct cle_thread *t, uint32_t target)
{
    if (t->depth == CLE_STACK) {
        fault(ports->log, FAULT_CL_NESTING,
              "a third level of sub-lists: the branch is in a sub-list of a sub-list");
        return stop_with_error(t);
    }
    if (t == &cle->thread[CLE_RENDERING]) {
        check_list(cle, ports, t, target);
        ptb_guard_use(&ports->ptb->guard, ports->bus, ports->log, target);
        enter_list(ports, t, target);
    }
    t->stack[t->depth++] = t->ca;
    t->ca = target;
    return CLE_MOVED;
}

static enum cle_step return_from_sub_list(struct cle_thread *t)
{
    t->returns = (t->returns + 1) & 0xffff;
    if (t->depth > 0)
        t->ca = t->stack[--t->depth];
    if (t->depth < t->list_depth)
        t->list.active = false;
    return CLE_MOVED;
}

/* Reports a clip window without area. Sub-lists are not checked, because tile lists repeat the
 * windows of the binning list, which were checked there. */
static void check_clip_window(const struct cle_ports *ports, const struct cle_thread *t,
                              const uint8_t *data)
{
    uint32_t width = CL_GET(data, CLIP_WINDOW, WIDTH), height = CL_GET(data, CLIP_WINDOW, HEIGHT);
    if (t->depth == 0 && (width == 0 || height == 0))
        fault(ports->log, FAULT_CL_NO_WINDOW, "the clip window has %u x %u pixels", width, height);
}

/* Reports a reserved oversample mode and the antialiasing bit of record 96. Sub-lists are not
 * checked, because tile lists repeat the records of the binning list. */
static void check_configuration(const struct cle_ports *ports, const struct cle_thread *t)
{
    if (t->record != CL_CONFIGURATION_BITS || t->depth > 0)
        return;
    if (CONFIGURATION_GET(t->state.configuration, OVERSAMPLE) > SAMPLES_16)
        fault(ports->log, FAULT_CL_FIELD,
              "oversample mode 3 is reserved; 16 samples are used" WITH_HINT
              "set bits 7 and 6 of record 96 to 0 (none), 1 (4 samples) or 2 (16 samples)");
    if (CONFIGURATION_GET(t->state.configuration, ANTIALIASED))
        fault(ports->log, FAULT_CL_ANTIALIASED, "antialiased points and lines are not supported");
}

static enum cle_step apply_state(struct cle *cle, const struct cle_ports *ports, unsigned thread,
                                 const uint8_t *data)
{
    struct cle_thread *t = thread_of(cle, thread);
    state_apply(&t->state, t->record, data);
    check_configuration(ports, t);
    if (t->record == CL_CLIP_WINDOW)
        check_clip_window(ports, t, data);
    if (t->record >= CL_GL_SHADER_STATE && t->record <= CL_VG_INLINE_SHADER_RECORD)
        t->shader_read = false;
    t->state_sent = false;
    if (thread == CLE_BINNING)
        ptb_state_changed(ports->ptb, ports->ptb_ports, t->record);
    return CLE_MOVED;
}

static enum cle_step not_modelled(const struct cle_ports *ports, struct cle_thread *t)
{
    fault(ports->log, FAULT_NOT_MODELLED, "record %u (%s) is not modelled", t->record,
          cl_packet(t->record)->words);
    return stop_with_error(t);
}

/* Executes the thread's current record. data points to the byte after the id. The thread's ca is
 * already the address after the record. */
static enum cle_step execute(struct cle *cle, const struct cle_ports *ports, unsigned thread,
                             const uint8_t *data)
{
    struct cle_thread *t = thread_of(cle, thread);
    switch ((enum cl_code)t->record) {
    case CL_HALT: return stop_at(t, true);
    case CL_NOP: return CLE_MOVED;
    case CL_MARKER: t->markers++; return CLE_MOVED;
    case CL_RESET_MARKER_COUNT: t->markers = 0; return CLE_MOVED;
    case CL_FLUSH:
    case CL_FLUSH_ALL_STATE:
        t->flushes = (t->flushes + 1) & 0xffff;
        t->flush_all_state = t->record == CL_FLUSH_ALL_STATE;
        t->work = CLE_FLUSHING;
        return CLE_MOVED;
    case CL_START_TILE_BINNING: t->work = CLE_STARTING; return CLE_MOVED;
    case CL_INCREMENT_SEMAPHORE: t->pending_increments++; return CLE_MOVED;
    case CL_WAIT_ON_SEMAPHORE: return wait_on_semaphore(cle, thread);
    case CL_BRANCH: t->ca = load_le32(data); return CLE_MOVED;
    case CL_BRANCH_TO_SUB_LIST: return branch_to_sub_list(cle, ports, t, load_le32(data));
    case CL_RETURN_FROM_SUB_LIST: return return_from_sub_list(t);
    case CL_STORE_MS_TILE_BUFFER:
    case CL_STORE_MS_TILE_BUFFER_AND_EOF: store_tile(cle, ports, t, NULL); return CLE_MOVED;
    case CL_STORE_FULL_RES_TILE_BUFFER:
    case CL_STORE_TILE_BUFFER_GENERAL: store_tile(cle, ports, t, data); return CLE_MOVED;
    case CL_LOAD_FULL_RES_TILE_BUFFER:
    case CL_LOAD_TILE_BUFFER_GENERAL:
    case CL_TILE_RENDERING_MODE:
    case CL_CLEAR_COLORS:
    case CL_TILE_COORDINATES: return tile_record(ports, t, data);
    case CL_INDEXED_PRIMITIVE_LIST:
    case CL_VERTEX_ARRAY_PRIMITIVES: return begin_primitives(cle, ports, thread, data);
    case CL_COMPRESSED_PRIMITIVE_LIST:
    case CL_CLIPPED_PRIMITIVE_LIST: return begin_compressed(cle, ports, thread, data);
    case CL_VG_COORDINATE_ARRAY_PRIMITIVES:
    case CL_VG_INLINE_PRIMITIVES: return begin_coordinates(cle, ports, thread, data);
    case CL_PRIMITIVE_LIST_FORMAT:
    case CL_GL_SHADER_STATE:
    case CL_NV_SHADER_STATE:
    case CL_VG_SHADER_STATE:
    case CL_VG_INLINE_SHADER_RECORD:
    case CL_CONFIGURATION_BITS:
    case CL_FLAT_SHADE_FLAGS:
    case CL_POINT_SIZE:
    case CL_LINE_WIDTH:
    case CL_RHT_X_BOUNDARY:
    case CL_DEPTH_OFFSET:
    case CL_CLIP_WINDOW:
    case CL_VIEWPORT_OFFSET:
    case CL_Z_MIN_MAX:
    case CL_CLIPPER_XY_SCALING:
    case CL_CLIPPER_Z_SCALE_OFFSET: return apply_state(cle, ports, thread, data);
    case CL_TILE_BINNING_MODE:
        return ptb_configure(ports->ptb, ports->ptb_ports, data) == PTB_DONE ? CLE_MOVED
                                                                             : stop_with_error(t);
    case CL_REPEAT_START_MARKER:
    case CL_REPEAT_FROM_START_MARKER: return not_modelled(ports, t);
    }
    return CLE_MOVED;
}

/* Reports a reserved record id with the first bytes at its address. */
static enum cle_step unknown_record(const struct cle_ports *ports, struct cle_thread *t,
                                    const uint8_t *bytes, uint32_t available)
{
    uint8_t shown[8] = {0};
    uint32_t count = available < sizeof shown ? available : (uint32_t)sizeof shown;
    for (uint32_t i = 0; i < count; i++)
        shown[i] = bytes[i];
    fault_at(ports->log, FAULT_CL_UNKNOWN_RECORD, t->ca,
             "control record id %u at 0x%08x is reserved; the bytes there are "
             "%02x %02x %02x %02x %02x %02x %02x %02x",
             bytes[0], t->ca, shown[0], shown[1], shown[2], shown[3], shown[4], shown[5], shown[6],
             shown[7]);
    return stop_with_error(t);
}

/* Returns true if the record is valid in this thread's lists. */
static bool allowed(const struct cle_ports *ports, const struct cl_packet *packet, unsigned thread)
{
    enum cl_lists needed = thread == CLE_BINNING ? CL_BIN : CL_RENDER;
    if (packet->lists == CL_BOTH || packet->lists == needed)
        return true;
    fault(ports->log, FAULT_CL_WRONG_LIST, "record %u (%s) is valid only in %s lists", packet->code,
          packet->words, packet->lists == CL_BIN ? "binning" : "rendering");
    return false;
}

/* Returns true for the records with which a rendering list begins to draw. Any wait for the binner
 * precedes these records. */
static bool begins_to_draw(uint8_t record, const uint8_t *data)
{
    switch (record) {
    case CL_STORE_TILE_BUFFER_GENERAL: return CL_GET(data, STORE_TILE_BUFFER_GENERAL, BUFFER) != 0;
    case CL_BRANCH_TO_SUB_LIST:
    case CL_STORE_MS_TILE_BUFFER:
    case CL_STORE_MS_TILE_BUFFER_AND_EOF:
    case CL_STORE_FULL_RES_TILE_BUFFER: return true;
    default: return record >= CL_INDEXED_PRIMITIVE_LIST && record <= CL_CLIPPED_PRIMITIVE_LIST;
    }
}

/* Reports overlaps of the memory that a list uses. A binning list is checked at the first record
 * after the thread starts, a rendering list at the first record that draws. */
static void check_memory(struct cle *cle, const struct cle_ports *ports, unsigned thread,
                         const uint8_t *data)
{
    struct cle_thread *t = thread_of(cle, thread);
    const struct ptb *ptb = ports->ptb;
    if (thread == CLE_RENDERING && !begins_to_draw(t->record, data))
        return;
    t->unseen = false;
    if (thread == CLE_BINNING)
        list_memory_bin(ports->list_memory, ports->bus, t->list_start, t->ea,
                        ptb->overspill_address, ptb->overspill_size);
    else
        list_memory_render(ports->list_memory, ports->bus, t->list_start, t->ea);
}

static enum cle_step step_record(struct cle *cle, const struct cle_ports *ports, unsigned thread)
{
    struct cle_thread *t = thread_of(cle, thread);
    if (t->ca == t->ea)
        return stop_at(t, false);

    uint32_t available;
    const uint8_t *bytes = bus_span(ports->bus, t->ca, &available);
    t->record_address = t->ca;
    t->record = bytes ? bytes[0] : 0;
    set_place(cle, ports, thread);
    if (!bytes) {
        fault_at(ports->log, FAULT_BUS_UNMAPPED, t->ca,
                 "the control list continues at 0x%08x, where no memory is mapped; the list's end "
                 "address is 0x%08x",
                 t->ca, t->ea);
        return stop_with_error(t);
    }
    const struct cl_packet *packet = cl_packet(bytes[0]);
    bus_observe(ports->bus, BUS_CLE, t->ca, packet ? packet->bytes : 1, false);
    if (!packet)
        return unknown_record(ports, t, bytes, available);
    if (packet->bytes > available) {
        bus_get(ports->bus, BUS_CLE, t->ca, packet->bytes, packet->words);
        return stop_with_error(t);
    }
    uint32_t to_end = t->ea - t->ca;
    if (to_end < packet->bytes) {
        fault_at(ports->log, FAULT_CL_TRUNCATED, t->ca,
                 "record %u (%s) has %u bytes, but the list ends after %u of them", packet->code,
                 packet->words, packet->bytes, to_end);
        return stop_with_error(t);
    }
    if (!allowed(ports, packet, thread))
        return stop_with_error(t);
    if (t->unseen)
        check_memory(cle, ports, thread, bytes + 1);
    cle->records++;
    t->ca += packet->bytes;
    return execute(cle, ports, thread, bytes + 1);
}

static enum cle_step step(struct cle *cle, const struct cle_ports *ports, unsigned thread)
{
    struct cle_thread *t = thread_of(cle, thread);
    if (t->work == CLE_RECORDS && !t->waiting)
        return step_record(cle, ports, thread);
    set_place(cle, ports, thread);
    if (t->waiting)
        return wait_on_semaphore(cle, thread);
    switch (t->work) {
    case CLE_PRIMITIVES: return step_primitives(cle, ports, thread);
    case CLE_COMPRESSED: return step_compressed(cle, ports, thread);
    case CLE_COORDINATES: return step_coordinates(cle, ports, thread);
    case CLE_FLUSHING: return step_flush(cle, ports, t);
    default: return step_start(ports, t);
    }
}

/* Called after an error of the rendering thread. Checks whether a tile list was overwritten, which
 * may have caused the error. */
static void look_for_cause(const struct cle_ports *ports)
{
    if (!ports->ptb->guard.used)
        return;
    jobs_sync(ports->jobs, ports->jobs_ports);
    ptb_guard_end(&ports->ptb->guard, ports->bus, ports->log);
}

enum cle_step cle_step(struct cle *cle, const struct cle_ports *ports, unsigned thread)
{
    const struct cle_thread *t = thread_of(cle, thread);
    if (!t->running)
        return CLE_STOPPED;
    if (thread == CLE_RENDERING ? ports->jobs->hung : ports->vertices->hung)
        return CLE_WAITS;
    enum cle_step result = step(cle, ports, thread);
    if (thread == CLE_RENDERING && t->error)
        look_for_cause(ports);
    return result;
}

/* Returns the reason why a thread will not increment the semaphore that the other thread waits
 * for. */
static const char *why_no_increment(const struct cle *cle, unsigned giver)
{
    const struct cle_thread *t = &cle->thread[giver];
    if (t->error)
        return "stopped with an error";
    if (t->halted)
        return "is halted";
    if (t->waiting)
        return "also waits for a semaphore";
    if (t->running)
        return "cannot continue";
    if (t->pending_increments)
        return giver == CLE_BINNING
                   ? "has executed Increment Semaphore with no Flush after it"
                   : "has executed Increment Semaphore with no end of frame after it";
    if (t->record_address == 0 && t->ca == 0)
        return "was never started";
    return "has reached its end without another Increment Semaphore";
}

void cle_report_wait(struct cle *cle, const struct cle_ports *ports, unsigned thread)
{
    const struct cle_thread *t = &cle->thread[thread];
    if (!t->running)
        return;
    set_place(cle, ports, thread);
    if (t->waiting)
        fault(ports->log, FAULT_CL_STUCK,
              "the %s thread waits for a semaphore, but the %s thread %s (V3D_CT%uCA is "
              "0x%08x)" WITH_HINT
              "let the %s list execute another Increment Semaphore (7) before %s, or remove this "
              "Wait on Semaphore (8)",
              thread == CLE_BINNING ? "binning" : "rendering",
              thread == CLE_BINNING ? "rendering" : "binning", why_no_increment(cle, !thread),
              !thread, cle->thread[!thread].ca, thread == CLE_BINNING ? "rendering" : "binning",
              thread == CLE_BINNING ? "the store that ends the frame" : "its flush (4 or 5)");
    else if (thread == CLE_BINNING && ports->ptb->out_of_memory)
        fault(ports->log, FAULT_PTB_MEMORY,
              "the binner has run out of tile allocation memory, and V3D_BPOS is 0; %u "
              "primitive%s left",
              t->remaining, t->remaining == 1 ? "" : "s");
}

/* --- registers (manual tables 49 to 54) --- */

enum {
    CS_RESET = 1 << 15,
    CS_SEMAPHORE_SHIFT = 12,
    CS_DEPTH_SHIFT = 8,
    CS_RUN = 1 << 5,
    CS_SUBMODE = 1 << 4,
    CS_ERROR = 1 << 3,
    CS_PREFIXING = 1 << 0,
};

uint32_t cle_read_cs(const struct cle *cle, const struct cle_ports *ports, unsigned thread)
{
    const struct cle_thread *t = &cle->thread[thread];
    uint32_t value = semaphore_of(cle, thread) << CS_SEMAPHORE_SHIFT | t->depth << CS_DEPTH_SHIFT;
    if (t->running)
        value |= CS_RUN;
    if (t->running ? t->waiting : t->halted)
        value |= CS_SUBMODE;
    if (t->error)
        value |= CS_ERROR;
    if (thread == CLE_BINNING && ports->ptb->configured && !ports->ptb->started)
        value |= CS_PREFIXING;
    return value;
}

/* Stops the thread and resets all fields of its control and status register, V3D_CTnCS. */
static void reset_thread(struct cle *cle, const struct cle_ports *ports, unsigned thread)
{
    struct cle_thread *t = thread_of(cle, thread);
    t->running = t->halted = t->error = t->waiting = false;
    t->given = thread_of(cle, !thread)->taken;
    t->pending_increments = 0;
    t->depth = 0;
    t->remaining = 0;
    t->work = CLE_RECORDS;
    t->in_tile = t->list.active = false;
    if (thread == CLE_RENDERING)
        jobs_abandon(ports->jobs, ports->jobs_ports);
    if (thread == CLE_BINNING) {
        ptb_abandon(ports->ptb);
        vertex_pipe_abandon(ports->vertices);
    }
}

/* Marks all earlier flushes of the binner as known to the rendering thread. Called when the host
 * starts a thread; does nothing for the binning thread. */
static void see_flushes(struct cle *cle, unsigned thread)
{
    if (thread == CLE_RENDERING)
        cle->thread[CLE_RENDERING].flush_known = cle->thread[CLE_BINNING].flushed;
}

static void start_if_work(struct cle_thread *t)
{
    if (t->ca != t->ea || t->work != CLE_RECORDS || t->waiting)
        start(t);
}

void cle_write_cs(struct cle *cle, const struct cle_ports *ports, unsigned thread, uint32_t value)
{
    struct cle_thread *t = thread_of(cle, thread);
    if (value & CS_RESET) {
        reset_thread(cle, ports, thread);
        return;
    }
    if (value & CS_RUN)
        stop_at(t, true);
    if (value & CS_SUBMODE && t->halted) {
        t->halted = false;
        see_flushes(cle, thread);
        start_if_work(t);
    }
}

void cle_write_ea(struct cle *cle, unsigned thread, uint32_t value)
{
    struct cle_thread *t = thread_of(cle, thread);
    t->ea = value;
    see_flushes(cle, thread);
    if (!t->running && !t->halted)
        start_if_work(t);
}

void cle_write_ca(struct cle *cle, const struct cle_ports *ports, unsigned thread, uint32_t value)
{
    struct cle_thread *t = thread_of(cle, thread);
    if (t->running) {
        fault(ports->log, FAULT_REGISTER_ACCESS,
              "V3D_CT%uCA can only be written while the thread is stopped", thread);
        return;
    }
    t->ca = value;
    t->halted = false;
    t->work = CLE_RECORDS;
    t->waiting = false;
}
