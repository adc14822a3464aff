/* SPDX-License-Identifier: MIT */
/* list_memory.c - see list_memory.h. The comparison is in isa/cl/overlap.c, which the checker also
 * uses. */
#include "vc4/watch/list_memory.h"

#include "base/array.h"
#include "base/state.h"
#include "isa/cl/cl.h"
#include "vc4/state/tlb_setup.h"

static const uint8_t *bytes_at(void *user, uint32_t address, size_t *left)
{
    uint32_t available;
    const uint8_t *bytes = bus_span(user, address, &available);
    *left = available;
    return bytes;
}

/* Reports an overlap. The finding's place is the record that contains the address of the written
 * range. */
static void report(void *user, const struct cl_overlap *overlap)
{
    struct bus *bus = user;
    char text[400];
    const struct tess_place before = bus->log->place;
    const uint8_t *record = bus_peek(bus, overlap->writer.record, 1);
    cl_overlap_text(text, sizeof text, overlap);
    bus->log->place = (struct tess_place){.known = TESS_PLACE_LIST,
                                          .thread = overlap->writer.kind > CL_USE_OVERFLOW,
                                          .list_address = overlap->writer.record,
                                          .record = record ? *record : 0};
    fault_at(bus->log,
             overlap->kind == CL_OVERLAP_BROKEN ? FAULT_CL_OVERLAP : FAULT_CL_OVERLAP_RISK,
             overlap->other.whole, "%s", text);
    bus->log->place = before;
}

void list_memory_bin(struct list_memory *memory, struct bus *bus, uint32_t start, uint32_t end,
                     uint32_t overflow, uint32_t overflow_size)
{
    const struct cl_memory all = {bytes_at, bus};
    cl_uses_bin(&memory->binning, &all, start, end);
    cl_uses_add(&memory->binning, &(struct cl_use){.kind = CL_USE_OVERFLOW,
                                                   .threads = CL_BY_BINNER,
                                                   .address = overflow,
                                                   .size = overflow_size,
                                                   .record = start});
    cl_overlaps_bin(&memory->binning, (struct cl_overlap_sink){report, bus});
}

static void report_alias(struct bus *bus, const struct cl_alias *alias)
{
    if (!alias->what)
        return;
    const struct tess_place before = bus->log->place;
    const uint8_t *record = bus_peek(bus, alias->record, 1);
    bus->log->place = (struct tess_place){.known = TESS_PLACE_LIST,
                                          .thread = 1,
                                          .list_address = alias->record,
                                          .record = record ? *record : 0};
    fault_at(bus->log, FAULT_CL_ALIAS, alias->read, CL_ALIAS_TEXT, alias->what, alias->written,
             alias->read);
    bus->log->place = before;
}

/* --- stored images --- */

void list_memory_forget(struct list_memory *memory)
{
    memory->images.count = 0;
}

static bool is_of_frame(const struct cl_use *use, const struct tlb_frame *frame)
{
    return (use->frame_address & ~UINT32_C(15)) == frame->address && use->width == frame->width &&
           use->height == frame->height;
}

void list_memory_picture(const struct list_memory *memory, const struct cl_view *view,
                         struct fault_log *log)
{
    const struct cl_use *image = cl_images_find(&memory->images, view->address);
    char text[300];
    log->place = (struct tess_place){.known = TESS_PLACE_LIST, .thread = 1};
    if (!image || !cl_view_differs(image, view, text, sizeof text))
        return;
    log->place.list_address = image->record;
    log->place.record = CL_TILE_RENDERING_MODE;
    fault_at(log, FAULT_IMAGE_FORMAT, image->whole, "the picture is read %s", text);
}

void list_memory_texture(const struct list_memory *memory, const struct tlb_frame *frame,
                         uint32_t address, const struct image_layout *texture,
                         struct fault_log *log)
{
    const struct cl_use read = {.kind = CL_USE_TEXTURE,
                                .threads = CL_BY_RENDERER,
                                .address = address & BUS_ADDRESS_MASK,
                                .size = texture->size_bytes,
                                .whole = address,
                                .whole_size = texture->size_bytes};
    const struct cl_view view = {address, (uint32_t)texture->layout, texture->bits_per_pixel, 0};
    const struct cl_use *image = cl_images_find(&memory->images, address);
    struct cl_overlap overlap = {.kind = CL_OVERLAP_NONE};
    char text[400];
    for (size_t i = 0; i < memory->rendering.count && overlap.kind != CL_OVERLAP_BROKEN; i++)
        if (is_of_frame(&memory->rendering.item[i], frame))
            overlap = cl_overlap_pair(&memory->rendering.item[i], &read);
    if (overlap.kind == CL_OVERLAP_BROKEN) {
        cl_overlap_text(text, sizeof text, &overlap);
        fault_at(log, FAULT_TMU_FRAME, address, "%s", text);
    } else if (image && !is_of_frame(image, frame) &&
               cl_view_differs(image, &view, text, sizeof text)) {
        fault_at(log, FAULT_TMU_STORED, address, "the texture is read %s", text);
    }
}

void list_memory_render(struct list_memory *memory, struct bus *bus, uint32_t start, uint32_t end)
{
    const struct cl_memory all = {bytes_at, bus};
    cl_uses_render(&memory->rendering, &all, start, end, &memory->binning);
    cl_overlaps_render(&memory->rendering, &memory->binning, (struct cl_overlap_sink){report, bus});
    report_alias(bus, &memory->rendering.alias);
    if (memory->remembers)
        cl_images_add(&memory->images, &memory->rendering);
}

void list_memory_free(struct list_memory *memory)
{
    cl_uses_free(&memory->binning);
    cl_uses_free(&memory->rendering);
}

/* --- saved states --- */

enum { USE_BYTES = 41, DRAW_BYTES = 16 /* bytes of a use and of a draw in a state */ };

/* True if the numbers in a use are in the ranges that messages need. */
static bool is_plausible(const struct cl_use *use)
{
    bool of_shader = use->kind == CL_USE_CODE || use->kind == CL_USE_UNIFORMS;
    return !of_shader || use->number <= CL_SHADER_COORDINATE;
}

static void use_fields(struct state_stream *stream, struct cl_use *use)
{
    state_below(stream, &use->kind, CL_USE_KINDS);
    STATE_FIELDS(stream, &use->threads, &use->number, &use->format, &use->bits, &use->width,
                 &use->height, &use->tiles, &use->frame, &use->frame_address, &use->address,
                 &use->size, &use->whole, &use->whole_size, &use->record);
    state_require(stream, is_plausible(use));
}

static void drawn_fields(struct state_stream *stream, struct cl_draw *draw)
{
    STATE_FIELDS(stream, &draw->record, &draw->shader, &draw->first, &draw->last);
}

/* Lists the uses of a list. .alias is only used while the list is checked. */
static void uses_fields(struct state_stream *stream, struct cl_uses *uses)
{
    uint32_t items = state_count(stream, (uint32_t)uses->count, UINT32_MAX, USE_BYTES);
    uint32_t draws = state_count(stream, (uint32_t)uses->draws, UINT32_MAX, DRAW_BYTES);
    if (!state_allocate(stream, &uses->item, array_room(items), sizeof *uses->item) ||
        !state_allocate(stream, &uses->draw, array_room(draws), sizeof *uses->draw))
        return;
    if (state_is_reading(stream)) {
        uses->count = items;
        uses->draws = draws;
    }
    for (uint32_t i = 0; i < items; i++)
        use_fields(stream, &uses->item[i]);
    for (uint32_t i = 0; i < draws; i++)
        drawn_fields(stream, &uses->draw[i]);
    STATE_FIELDS(stream, &uses->frames, &uses->has_semaphore, &uses->has_tile_lists,
                 &uses->incomplete);
}

/* True if an image has a size that can be computed. */
static bool is_image(const struct cl_use *use)
{
    return use->kind == CL_USE_FRAME && use->format < 4 &&
           (use->bits == 16 || use->bits == 32 || use->bits == 64);
}

void list_memory_fields(struct state_stream *stream, struct list_memory *memory)
{
    struct state_section section = state_open(stream, STATE_TAG('L', 'I', 'S', 'T'));
    uses_fields(stream, &memory->binning);
    uses_fields(stream, &memory->rendering);
    state_bool(stream, &memory->remembers);
    state_in(stream, &memory->images.count, 0, CL_IMAGES_MAX);
    for (uint32_t i = 0; i < memory->images.count; i++) {
        use_fields(stream, &memory->images.item[i]);
        state_require(stream, is_image(&memory->images.item[i]));
    }
    state_close(stream, &section);
}
