/* SPDX-License-Identifier: MIT */
/* cle.c - see cle.h. Executes records; cle_primitives.c executes the lists of primitives.
 *
 * Source:   manual sections 8 and 9, table 38; docs/vc4/cle.md for the records that the manual
 *           leaves out.
 * Modelled: all records of both threads except 19 and 20; two levels of sub-lists; the two counting
 *           semaphores; halts; errors.
 * Left out: records 19 and 20, which are reported. Markers (records 2 and 3) are counted, but no
 *           register returns the count: the register that does is unknown.
 * Choices:  the manual says both "two levels" and "one-deep return stack". The model has two
 *           levels, and V3D_CTnRA0 shows the latest return address. */
#include "vc4/lists/cle.h"

#include "base/order.h"
#include "vc4/lists/cle_private.h"
#include "vc4/raster/samples.h"

void cle_reset(struct cle *cle)
{
    *cle = (struct cle){0};
    for (unsigned i = 0; i < CLE_THREADS; i++)
        state_reset(&cle->thread[i].state);
}

static void set_place(struct cle *cle, const struct cle_ports *ports, unsigned thread)
{
    const struct cle_thread *t = cle_thread_of(cle, thread);
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

/* --- semaphores, flush, end of frame --- */

/* Carries out the pending increments of record 7. */
static void give_semaphores(struct cle *cle, const struct cle_ports *ports, unsigned from)
{
    struct cle_thread *giver = cle_thread_of(cle, from);
    for (uint32_t i = 0; i < giver->pending_increments && i <= CLE_SEMAPHORE_MAX; i++)
        giver->given_at[(giver->given + i) % (CLE_SEMAPHORE_MAX + 1)] = giver->flushed;
    giver->given += giver->pending_increments;
    giver->pending_increments = 0;
    if (cle_semaphore_of(cle, from) <= CLE_SEMAPHORE_MAX)
        return;
    fault(ports->log, FAULT_CL_ORDER,
          "a semaphore exceeds its maximum of %u; increments are lost" WITH_HINT
          "let the other thread wait (record 8) once for each increment (record 7)",
          CLE_SEMAPHORE_MAX);
    giver->given = cle_thread_of(cle, !from)->taken + CLE_SEMAPHORE_MAX;
}

static enum cle_step step_flush(struct cle *cle, const struct cle_ports *ports,
                                struct cle_thread *t)
{
    switch (ptb_flush(ports->ptb, ports->ptb_ports, &t->state, t->flush_all_state)) {
    case PTB_STALLED: return CLE_WAITS;
    case PTB_FAILED: return cle_stop_with_error(t);
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
    case PTB_FAILED: return cle_stop_with_error(t);
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
    struct cle_thread *t = cle_thread_of(cle, thread);
    t->waiting = cle_semaphore_of(cle, !thread) == 0;
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
        return cle_stop_with_error(t);
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
    struct cle_thread *t = cle_thread_of(cle, thread);
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
    return cle_stop_with_error(t);
}

/* Executes the thread's current record. data points to the byte after the id. The thread's ca is
 * already the address after the record. */
static enum cle_step execute(struct cle *cle, const struct cle_ports *ports, unsigned thread,
                             const uint8_t *data)
{
    struct cle_thread *t = cle_thread_of(cle, thread);
    switch ((enum cl_code)t->record) {
    case CL_HALT: return cle_stop_at(t, true);
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
    case CL_VERTEX_ARRAY_PRIMITIVES: return cle_begin_primitives(cle, ports, thread, data);
    case CL_COMPRESSED_PRIMITIVE_LIST:
    case CL_CLIPPED_PRIMITIVE_LIST: return cle_begin_compressed(cle, ports, thread, data);
    case CL_VG_COORDINATE_ARRAY_PRIMITIVES:
    case CL_VG_INLINE_PRIMITIVES: return cle_begin_coordinates(cle, ports, thread, data);
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
        return ptb_configure(ports->ptb, ports->ptb_ports, data) == PTB_DONE
                   ? CLE_MOVED
                   : cle_stop_with_error(t);
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
    return cle_stop_with_error(t);
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
    struct cle_thread *t = cle_thread_of(cle, thread);
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
    struct cle_thread *t = cle_thread_of(cle, thread);
    if (t->ca == t->ea)
        return cle_stop_at(t, false);

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
        return cle_stop_with_error(t);
    }
    const struct cl_packet *packet = cl_packet(bytes[0]);
    bus_observe(ports->bus, BUS_CLE, t->ca, packet ? packet->bytes : 1, false);
    if (!packet)
        return unknown_record(ports, t, bytes, available);
    if (packet->bytes > available) {
        bus_get(ports->bus, BUS_CLE, t->ca, packet->bytes, packet->words);
        return cle_stop_with_error(t);
    }
    uint32_t to_end = t->ea - t->ca;
    if (to_end < packet->bytes) {
        fault_at(ports->log, FAULT_CL_TRUNCATED, t->ca,
                 "record %u (%s) has %u bytes, but the list ends after %u of them", packet->code,
                 packet->words, packet->bytes, to_end);
        return cle_stop_with_error(t);
    }
    if (!allowed(ports, packet, thread))
        return cle_stop_with_error(t);
    if (t->unseen)
        check_memory(cle, ports, thread, bytes + 1);
    cle->records++;
    t->ca += packet->bytes;
    return execute(cle, ports, thread, bytes + 1);
}

static enum cle_step step(struct cle *cle, const struct cle_ports *ports, unsigned thread)
{
    struct cle_thread *t = cle_thread_of(cle, thread);
    if (t->work == CLE_RECORDS && !t->waiting)
        return step_record(cle, ports, thread);
    set_place(cle, ports, thread);
    if (t->waiting)
        return wait_on_semaphore(cle, thread);
    switch (t->work) {
    case CLE_PRIMITIVES: return cle_step_primitives(cle, ports, thread);
    case CLE_COMPRESSED: return cle_step_compressed(cle, ports, thread);
    case CLE_COORDINATES: return cle_step_coordinates(cle, ports, thread);
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
    const struct cle_thread *t = cle_thread_of(cle, thread);
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
