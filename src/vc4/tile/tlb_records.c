/* SPDX-License-Identifier: MIT */
/* tlb_records.c - Tile Buffer, control-list side: executes records 24 to 29 and 113 to 115.
 *
 * In:       data of control records, from the control-list executor.
 * Out:      frame settings, tile position, clears; loads and stores through tlb_memory.c; the end
 *           of the frame.
 * Source:   manual table 38 and the rules before it; the kernel's vc4_render_cl.c for the order of
 *           records in real lists; Mesa's v3d_packet_v21.xml for the numbering of fields.
 * Modelled: tile sizes; loads, which happen at the tile coordinates; clears, which happen at the
 *           store; decimation; double buffering, in which a store swaps the halves of the tile
 *           buffer. */
#include <stddef.h>
#include <string.h>

#include "base/bits.h"
#include "vc4/lanes/quad.h"
#include "vc4/tile/tlb.h"
#include "vc4/tile/tlb_kernels.h"
#include "vc4/tile/tlb_memory.h"

enum { FORMATS = 3, LAYOUTS = 3, SURFACE_ALIGNMENT = 16 };

/* Colour formats by their numbers in record 113 (frame_formats), and in records 28 and 29
 * (general_formats). */
static const enum tlb_format frame_formats[FORMATS] = {TLB_BGR565_DITHERED, TLB_RGBA8888,
                                                       TLB_BGR565};
static const enum tlb_format general_formats[FORMATS] = {TLB_RGBA8888, TLB_BGR565_DITHERED,
                                                         TLB_BGR565};

struct tlb_geometry tlb_geometry(bool multisample, bool colour_64bit, bool double_buffer)
{
    enum { PLAIN, MULTISAMPLE, DOUBLE_BUFFER };
    static const struct {
        uint8_t width, height;
    } sizes[2][3] = {
        {{64, 64}, {32, 32}, {64, 32}},
        {{64, 32}, {32, 16}, {32, 32}},
    };
    unsigned mode = multisample ? MULTISAMPLE : double_buffer ? DOUBLE_BUFFER : PLAIN;
    return (struct tlb_geometry){
        .width = sizes[colour_64bit][mode].width,
        .height = sizes[colour_64bit][mode].height,
        .samples = multisample ? 4 : 1,
        .words = colour_64bit ? 2 : 1,
        .halves = mode == DOUBLE_BUFFER ? TLB_HALVES : 1,
    };
}

struct tlb_geometry tlb_frame_geometry(const uint8_t *data)
{
    return tlb_geometry(CL_GET(data, TILE_RENDERING_MODE, MULTISAMPLE),
                        CL_GET(data, TILE_RENDERING_MODE, COLOR_64BIT),
                        CL_GET(data, TILE_RENDERING_MODE, DOUBLE_BUFFER));
}

void tlb_reset_setup(struct tlb *tlb)
{
    memset(tlb, 0, offsetof(struct tlb, colour));
    tlb->tile = tlb_geometry(false, false, false);
    tlb->kernels = tlb_kernels_native();
}

void tlb_reset(struct tlb *tlb)
{
    tlb_reset_setup(tlb);
    memset(tlb->colour, 0, sizeof tlb->colour);
    memset(tlb->zs, 0, sizeof tlb->zs);
    memset(tlb->mask, 0, sizeof tlb->mask);
}

/* --- record 113 --- */

static void check_reserved(const struct tlb_ports *ports, uint32_t value, uint32_t count,
                           const char *field)
{
    if (value >= count)
        fault(ports->log, FAULT_TLB_CONFIG,
              "%s %u is reserved" WITH_HINT "use a value from 0 to "
              "%u",
              field, value, count - 1);
}

/* Returns a decimation mode if the current frame can use the mode. Otherwise reports a finding and
 * returns TLB_SAMPLE_0. */
static enum tlb_decimate usable_decimate(struct tlb *tlb, const struct tlb_ports *ports,
                                         uint32_t mode, const char *field)
{
    check_reserved(ports, mode, TLB_DECIMATE_MODES, field);
    if (mode == TLB_SAMPLE_0 || mode >= TLB_DECIMATE_MODES)
        return TLB_SAMPLE_0;
    const char *why = NULL;
    if (tlb->tile.words == 2)
        why = "decimation is for 32-bit colour only";
    else if (mode == TLB_MEAN_OF_16 && tlb->tile.samples == 1)
        why = "decimation of 16 samples needs multisample mode";
    if (!why)
        return (enum tlb_decimate)mode;
    fault(ports->log, FAULT_TLB_CONFIG,
          "%s %u: %s; sample 0 is stored" WITH_HINT
          "store without decimation (mode 0), or change the frame's mode in record 113",
          field, mode, why);
    return TLB_SAMPLE_0;
}

/* Selects the half for the next tile. In frames without double buffering, only records the number,
 * for later frames. */
static void select_half(struct tlb *tlb, uint32_t half)
{
    struct tlb_geometry *tile = &tlb->tile;
    tlb->half = half;
    tile->first = tile->halves == TLB_HALVES ? half * tile->width * tile->height : 0;
}

static void check_frame(struct tlb *tlb, const struct tlb_ports *ports)
{
    const struct tlb_frame *frame = &tlb->frame;
    usable_decimate(tlb, ports, TLB_FRAME_GET(frame, DECIMATE), "decimate mode");
    check_reserved(ports, TLB_FRAME_GET(frame, COLOR_FORMAT), FORMATS,
                   "frame buffer colour format");
    check_reserved(ports, TLB_FRAME_GET(frame, MEMORY_FORMAT), LAYOUTS, "memory format");
    if (frame->width == 0 || frame->height == 0)
        fault(ports->log, FAULT_TLB_CONFIG, "a frame of %u x %u pixels is empty", frame->width,
              frame->height);
    if (frame->address % SURFACE_ALIGNMENT)
        fault_at(ports->log, FAULT_TLB_CONFIG, frame->address,
                 "frame buffer address 0x%08x is not a multiple of 16; its low bits are "
                 "ignored" WITH_HINT "align the frame buffer: .align 16 before its label",
                 frame->address);
}

void tlb_configure(struct tlb *tlb, const struct tlb_ports *ports, const uint8_t *data)
{
    if (tlb->in_tile)
        fault(ports->log, FAULT_TLB_ORDER,
              "a new frame begins, but tile (%u, %u) was not stored" WITH_HINT
              "store each tile (records 24 to 26, 28) before the next Tile Rendering Mode "
              "Configuration (113)",
              tlb->column, tlb->row);
    tlb->in_tile = false;
    tlb->frame = (struct tlb_frame){
        .configured = true,
        .address = CL_GET_ADDRESS(data, TILE_RENDERING_MODE, ADDRESS),
        .width = CL_GET(data, TILE_RENDERING_MODE, WIDTH),
        .height = CL_GET(data, TILE_RENDERING_MODE, HEIGHT),
        .flags = cl_bits(data, TLB_FRAME_FLAGS_BIT,
                         CL_TILE_RENDERING_MODE_DOUBLE_BUFFER_BIT + 1 - TLB_FRAME_FLAGS_BIT),
    };
    tlb->tile = tlb_frame_geometry(data);
    select_half(tlb, tlb->half);
    check_frame(tlb, ports);
    tlb->frame.address -= tlb->frame.address % SURFACE_ALIGNMENT;
}

/* --- record 114 and clears --- */

void tlb_clear_colours(struct tlb *tlb, const uint8_t *data)
{
    tlb->clear_colour[0] = CL_GET(data, CLEAR_COLORS, COLOR0);
    tlb->clear_colour[1] = CL_GET(data, CLEAR_COLORS, COLOR1);
    tlb->clear_z = CL_GET(data, CLEAR_COLORS, Z);
    tlb->clear_mask = (uint8_t)CL_GET(data, CLEAR_COLORS, VG_MASK);
    tlb->clear_stencil = (uint8_t)CL_GET(data, CLEAR_COLORS, STENCIL);
}

/* Range of samples in a plane, from `first` to end - 1. */
struct samples {
    uint32_t first, end;
};

/* Returns the samples that a clear affects: the tile's half with double buffering, otherwise the
 * whole tile buffer. */
static struct samples to_clear(const struct tlb_geometry *tile)
{
    if (tile->halves == TLB_HALVES)
        return (struct samples){tile->first, tile->first + tile->width * tile->height};
    return (struct samples){0, TLB_SAMPLES};
}

/* Sets the words from `first` to end - 1 of a plane: even words to `even`, odd words to `odd`. */
static void fill(uint32_t *plane, struct samples clear, uint32_t even, uint32_t odd)
{
    const quad_words words = {even, odd, even, odd};
    for (uint32_t i = clear.first; i < clear.end; i += 8) {
        quad_store(&plane[i], words);
        quad_store(&plane[i + 4], words);
    }
}

/* Clears colour. COLOR0 and COLOR1 are the colours of even and odd pixels. With 64-bit colour,
 * COLOR0 and COLOR1 are the two words of every pixel. */
static void clear_colour(struct tlb *tlb, struct samples clear)
{
    const uint32_t *colour = tlb->clear_colour;
    if (tlb->tile.words == 1) {
        fill(tlb->colour, clear, colour[0], colour[1]);
    } else {
        clear.end = clear.end > TLB_SECOND_WORDS ? TLB_SECOND_WORDS : clear.end;
        fill(tlb->colour, clear, colour[0], colour[0]);
        fill(tlb->colour + TLB_SECOND_WORDS, clear, colour[1], colour[1]);
    }
    tlb->known_halves |= tlb_halves(&tlb->tile, tlb->half);
}

static void clear_zs(struct tlb *tlb, const struct tlb_ports *ports, struct samples clear)
{
    const uint32_t zs = tlb->clear_z << 8 | tlb->clear_stencil;
    fill(tlb->zs, clear, zs, zs);
    for (uint32_t half = 0; ports->cap && half < TLB_HALVES; half++)
        if (tlb_halves(&tlb->tile, tlb->half) >> half & 1)
            cap_clear(&ports->cap[half]);
}

static void clear_planes(struct tlb *tlb, const struct tlb_ports *ports, uint32_t planes)
{
    struct samples clear = to_clear(&tlb->tile);
    if (tlb->last_store)
        return;
    if (planes & TLB_COLOUR)
        clear_colour(tlb, clear);
    if (planes & TLB_ZS)
        clear_zs(tlb, ports, clear);
    if (planes & TLB_MASK)
        memset(tlb->mask + clear.first, tlb->clear_mask, clear.end - clear.first);
}

void tlb_clear(struct tlb *tlb, const struct tlb_ports *ports, uint32_t half)
{
    for (uint32_t each = 0; each < tlb->tile.halves; each++) {
        select_half(tlb, each);
        clear_planes(tlb, ports, TLB_PLANES);
    }
    select_half(tlb, half);
}

/* --- functions for loads and stores --- */

/* Decodes BUFFER, PIXEL_FORMAT and FORMAT of records 28 and 29. For reserved values, reports a
 * finding and returns false. */
static bool general_surface(struct tlb *tlb, const struct tlb_ports *ports, uint32_t buffer,
                            uint32_t format, uint32_t layout, struct tlb_surface *surface)
{
    static const enum tlb_format plane_formats[CL_BUFFERS] = {[CL_BUFFER_COLOUR] = TLB_RGBA16F,
                                                              [CL_BUFFER_ZS] = TLB_Z24S8,
                                                              [CL_BUFFER_Z] = TLB_Z24,
                                                              [CL_BUFFER_MASK] = TLB_MASK8};
    check_reserved(ports, buffer, CL_BUFFERS, "buffer");
    check_reserved(ports, layout, LAYOUTS, "memory format");
    if (buffer >= CL_BUFFERS || layout >= LAYOUTS)
        return false;
    bool has_format = buffer == CL_BUFFER_COLOUR && tlb->tile.words == 1;
    if (has_format) {
        check_reserved(ports, format, FORMATS, "pixel colour format");
        if (format >= FORMATS)
            return false;
    }
    if (buffer == CL_BUFFER_MASK && !tlb_has_mask(tlb))
        fault(ports->log, FAULT_TLB_CONFIG,
              "the VG mask buffer is used, but Tile Rendering Mode does not enable it" WITH_HINT
              "set bit 8 of the flags of record 113 (vg_mask), or do not load or store the mask");
    surface->layout = (enum layout)layout;
    surface->format = has_format ? general_formats[format] : plane_formats[buffer];
    return true;
}

/* Returns the planes of a full dump. The record has three bits, each of which excludes one
 * plane. */
static uint32_t dump_planes(const struct tlb *tlb, uint32_t no_colour, uint32_t no_zs,
                            uint32_t no_mask)
{
    return (no_colour ? 0 : TLB_COLOUR) | (no_zs ? 0 : TLB_ZS) |
           (no_mask || !tlb_has_mask(tlb) ? 0 : TLB_MASK);
}

/* --- records 27, 29 and 115: loads --- */

static void latch_load(struct tlb *tlb, const struct tlb_ports *ports, bool full_resolution,
                       uint64_t bits)
{
    if (!tlb->frame.configured) {
        fault(ports->log, FAULT_TLB_ORDER,
              "a load before Tile Rendering Mode Configuration (113) is lost" WITH_HINT
              "send Tile Rendering Mode Configuration (113) before the load");
        return;
    }
    if (tlb->in_tile)
        fault(ports->log, FAULT_TLB_ORDER,
              "a load after the coordinates of tile (%u, %u) takes effect only at the next "
              "tile" WITH_HINT "move the load before the Tile Coordinates (115) of its tile",
              tlb->column, tlb->row);
    if (tlb->load.pending)
        fault(ports->log, FAULT_TLB_ORDER,
              "two loads before one Tile Coordinates record; the first load is lost" WITH_HINT
              "send Tile Coordinates (115) and a store of buffer none between the two loads");
    tlb->load = (struct tlb_load){true, full_resolution, bits};
}

void tlb_load_full(struct tlb *tlb, const struct tlb_ports *ports, const uint8_t *data)
{
    latch_load(tlb, ports, true, load_le32(data));
}

void tlb_load_general(struct tlb *tlb, const struct tlb_ports *ports, const uint8_t *data)
{
    latch_load(tlb, ports, false, load_le16(data) | (uint64_t)load_le32(data + 2) << 16);
}

static void load_planes(struct tlb *tlb, const struct tlb_ports *ports, uint32_t address,
                        uint32_t planes)
{
    tlb_dump_load(tlb, ports, address, planes);
    if (planes & TLB_COLOUR)
        tlb->known_halves |= tlb_halves(&tlb->tile, tlb->half);
    tlb->reloaded = true;
}

static void load_full(struct tlb *tlb, const struct tlb_ports *ports, const uint8_t *data)
{
    uint32_t planes = (CL_GET(data, LOAD_FULL_RES_TILE_BUFFER, DISABLE_COLOR) ? 0 : TLB_COLOUR) |
                      (CL_GET(data, LOAD_FULL_RES_TILE_BUFFER, DISABLE_ZS) ? 0 : TLB_ZS);
    load_planes(tlb, ports, CL_GET_ADDRESS(data, LOAD_FULL_RES_TILE_BUFFER, ADDRESS), planes);
}

static void load_dump(struct tlb *tlb, const struct tlb_ports *ports, const uint8_t *data)
{
    uint32_t planes = dump_planes(tlb, CL_GET(data, LOAD_TILE_BUFFER_GENERAL, DISABLE_COLOR),
                                  CL_GET(data, LOAD_TILE_BUFFER_GENERAL, DISABLE_ZS),
                                  CL_GET(data, LOAD_TILE_BUFFER_GENERAL, DISABLE_MASK));
    load_planes(tlb, ports, CL_GET_ADDRESS(data, LOAD_TILE_BUFFER_GENERAL, ADDRESS), planes);
}

static void load_general(struct tlb *tlb, const struct tlb_ports *ports, const uint8_t *data)
{
    uint32_t buffer = CL_GET(data, LOAD_TILE_BUFFER_GENERAL, BUFFER);
    struct tlb_surface surface = {
        .address = CL_GET_ADDRESS(data, LOAD_TILE_BUFFER_GENERAL, ADDRESS),
    };
    if (buffer == CL_BUFFER_NONE)
        return;
    if (buffer == CL_BUFFER_FULL) {
        load_dump(tlb, ports, data);
        return;
    }
    if (buffer == CL_BUFFER_Z) {
        fault(ports->log, FAULT_TLB_CONFIG,
              "buffer 3 (Z only) can be stored, but not loaded" WITH_HINT
              "store and load buffer 2 (Z and stencil)");
        return;
    }
    if (!general_surface(tlb, ports, buffer, CL_GET(data, LOAD_TILE_BUFFER_GENERAL, PIXEL_FORMAT),
                         CL_GET(data, LOAD_TILE_BUFFER_GENERAL, FORMAT), &surface))
        return;
    tlb_surface_load(tlb, ports, &surface);
    if (buffer == CL_BUFFER_COLOUR)
        tlb->known_halves |= tlb_halves(&tlb->tile, tlb->half);
}

static void carry_out_load(struct tlb *tlb, const struct tlb_ports *ports)
{
    uint8_t data[8];
    store_le64(data, tlb->load.bits);
    tlb->load.pending = false;
    if (tlb->load.full_resolution)
        load_full(tlb, ports, data);
    else
        load_general(tlb, ports, data);
}

void tlb_tile_coordinates(struct tlb *tlb, const struct tlb_ports *ports, const uint8_t *data)
{
    if (tlb->in_tile)
        fault(ports->log, FAULT_TLB_ORDER,
              "Tile Coordinates before tile (%u, %u) was stored" WITH_HINT
              "store each tile (records 24 to 26 or 28, also with buffer none) before the "
              "coordinates of the next tile",
              tlb->column, tlb->row);
    tlb->column = CL_GET(data, TILE_COORDINATES, COLUMN);
    tlb->row = CL_GET(data, TILE_COORDINATES, ROW);
    tlb->in_tile = true;
    tlb->reloaded = false;
    if (tlb->load.pending)
        carry_out_load(tlb, ports);
}

/* --- records 24 to 26 and 28: stores --- */

/* Returns true if a store writes memory. */
static bool writes_memory(uint8_t record, const uint8_t *data)
{
    return record != CL_STORE_TILE_BUFFER_GENERAL ||
           CL_GET(data, STORE_TILE_BUFFER_GENERAL, BUFFER) != CL_BUFFER_NONE;
}

static bool is_pixel_drawn(const struct tlb *tlb, uint32_t x, uint32_t y)
{
    for (uint32_t sample = 0; sample < tlb->tile.samples; sample++) {
        uint32_t index = tlb_sample_index(&tlb->tile, x, y, sample);
        if (!(tlb->drawn[index / 64] >> index % 64 & 1))
            return false;
    }
    return true;
}

/* True if shaders have written all those samples of the tile that a store of the frame buffer would
 * use. */
static bool is_fully_drawn(const struct tlb *tlb)
{
    enum tlb_decimate decimate = tlb_frame_decimate(tlb);
    struct tlb_area area = tlb_area(tlb, decimate);
    uint32_t scale = tlb_decimate_scale(tlb, decimate);
    for (uint32_t y = 0; y < area.height * scale; y++)
        for (uint32_t x = 0; x < area.width * scale; x++)
            if (!is_pixel_drawn(tlb, x, y))
                return false;
    return true;
}

/* Reports a store of colour that was not cleared, loaded or drawn. Each half is reported once. */
static void check_contents(struct tlb *tlb, const struct tlb_ports *ports)
{
    if (tlb_contents_known(tlb) || is_fully_drawn(tlb))
        return;
    fault(ports->log, FAULT_TLB_ORDER,
          "undefined contents: colour is stored, but was neither cleared nor loaded since reset (a "
          "first store of buffer 'none' clears %s)" WITH_HINT
          "send Clear Colors (114), Tile Coordinates (115) and a store of buffer none (28) "
          "before the first tile, or load each tile",
          tlb->tile.halves == TLB_HALVES ? "one half of a double buffer" : "the tile");
    tlb->known_halves |= tlb_halves(&tlb->tile, tlb->half);
}

static void store_image(struct tlb *tlb, const struct tlb_ports *ports,
                        const struct tlb_surface *surface, bool colour)
{
    if (colour)
        check_contents(tlb, ports);
    tlb_surface_store(tlb, ports, surface);
    tlb->tiles_stored++;
}

static void store_dump(struct tlb *tlb, const struct tlb_ports *ports, uint32_t address,
                       uint32_t planes)
{
    if (planes & TLB_COLOUR)
        check_contents(tlb, ports);
    tlb_dump_store(tlb, ports, address, planes);
    if (planes)
        tlb->tiles_stored++;
}

/* Ends a store. With double buffering, selects the other half for the next tile. */
static void swap_halves(struct tlb *tlb, const struct tlb_ports *ports, uint32_t cleared)
{
    if (tlb->tile.halves == 1)
        return;
    if (cleared != TLB_PLANES)
        fault(ports->log, FAULT_TLB_SWAP,
              "a store keeps contents and swaps the double buffer, so the contents return in the "
              "tile after the next tile, not in the next tile");
    select_half(tlb, tlb->half ^ 1);
}

/* Executes records 24 and 25. */
static void store_resolved(struct tlb *tlb, const struct tlb_ports *ports)
{
    uint32_t format = TLB_FRAME_GET(&tlb->frame, COLOR_FORMAT);
    uint32_t layout = TLB_FRAME_GET(&tlb->frame, MEMORY_FORMAT);
    if ((format < FORMATS || tlb->tile.words == 2) && layout < LAYOUTS)
        store_image(tlb, ports,
                    &(struct tlb_surface){
                        .address = tlb->frame.address,
                        .format = tlb->tile.words == 2 ? TLB_RGBA16F : frame_formats[format],
                        .layout = (enum layout)layout,
                        .decimate = tlb_frame_decimate(tlb),
                    },
                    true);
    clear_planes(tlb, ports, TLB_PLANES);
    swap_halves(tlb, ports, TLB_PLANES);
}

/* Executes record 26. */
static void store_full(struct tlb *tlb, const struct tlb_ports *ports, const uint8_t *data)
{
    uint32_t planes = (CL_GET(data, STORE_FULL_RES_TILE_BUFFER, DISABLE_COLOR) ? 0 : TLB_COLOUR) |
                      (CL_GET(data, STORE_FULL_RES_TILE_BUFFER, DISABLE_ZS) ? 0 : TLB_ZS);
    store_dump(tlb, ports, CL_GET_ADDRESS(data, STORE_FULL_RES_TILE_BUFFER, ADDRESS), planes);
    uint32_t cleared = CL_GET(data, STORE_FULL_RES_TILE_BUFFER, DISABLE_CLEAR) ? 0 : TLB_PLANES;
    clear_planes(tlb, ports, cleared);
    swap_halves(tlb, ports, cleared);
}

static void store_general_buffer(struct tlb *tlb, const struct tlb_ports *ports,
                                 const uint8_t *data)
{
    uint32_t buffer = CL_GET(data, STORE_TILE_BUFFER_GENERAL, BUFFER);
    uint32_t address = CL_GET_ADDRESS(data, STORE_TILE_BUFFER_GENERAL, ADDRESS);
    if (buffer == CL_BUFFER_NONE)
        return;
    if (buffer == CL_BUFFER_FULL) {
        store_dump(tlb, ports, address,
                   dump_planes(tlb, CL_GET(data, STORE_TILE_BUFFER_GENERAL, DISABLE_COLOR_DUMP),
                               CL_GET(data, STORE_TILE_BUFFER_GENERAL, DISABLE_ZS_DUMP),
                               CL_GET(data, STORE_TILE_BUFFER_GENERAL, DISABLE_MASK_DUMP)));
        return;
    }
    struct tlb_surface surface = {.address = address};
    if (!general_surface(tlb, ports, buffer, CL_GET(data, STORE_TILE_BUFFER_GENERAL, PIXEL_FORMAT),
                         CL_GET(data, STORE_TILE_BUFFER_GENERAL, FORMAT), &surface))
        return;
    if (buffer == CL_BUFFER_COLOUR)
        surface.decimate = usable_decimate(
            tlb, ports, CL_GET(data, STORE_TILE_BUFFER_GENERAL, MODE), "store mode");
    store_image(tlb, ports, &surface, buffer == CL_BUFFER_COLOUR);
}

/* Executes record 28. */
static void store_general(struct tlb *tlb, const struct tlb_ports *ports, const uint8_t *data)
{
    store_general_buffer(tlb, ports, data);
    uint32_t cleared = (CL_GET(data, STORE_TILE_BUFFER_GENERAL, DISABLE_COLOR_CLEAR) ? 0
                                                                                     : TLB_COLOUR) |
                       (CL_GET(data, STORE_TILE_BUFFER_GENERAL, DISABLE_ZS_CLEAR) ? 0 : TLB_ZS) |
                       (CL_GET(data, STORE_TILE_BUFFER_GENERAL, DISABLE_MASK_CLEAR) ? 0 : TLB_MASK);
    clear_planes(tlb, ports, cleared);
    if (tlb_swaps(CL_STORE_TILE_BUFFER_GENERAL, data))
        swap_halves(tlb, ports, cleared);
}

bool tlb_swaps(uint8_t record, const uint8_t *data)
{
    return record != CL_STORE_TILE_BUFFER_GENERAL ||
           !CL_GET(data, STORE_TILE_BUFFER_GENERAL, DISABLE_SWAP);
}

bool tlb_ends_frame(uint8_t record, const uint8_t *data)
{
    switch (record) {
    case CL_STORE_MS_TILE_BUFFER_AND_EOF: return true;
    case CL_STORE_FULL_RES_TILE_BUFFER: return CL_GET(data, STORE_FULL_RES_TILE_BUFFER, LAST_TILE);
    case CL_STORE_TILE_BUFFER_GENERAL: return CL_GET(data, STORE_TILE_BUFFER_GENERAL, LAST_TILE);
    default: return false;
    }
}

bool tlb_store(struct tlb *tlb, const struct tlb_ports *ports, uint8_t record, const uint8_t *data)
{
    if (!tlb->in_tile)
        fault(ports->log, FAULT_TLB_ORDER,
              "a store without earlier Tile Coordinates has no effect" WITH_HINT
              "send the Tile Coordinates (115) of the tile before its store");
    else if (!tlb->frame.configured && writes_memory(record, data))
        fault(ports->log, FAULT_TLB_ORDER,
              "a store before Tile Rendering Mode Configuration (113) has no effect" WITH_HINT
              "send Tile Rendering Mode Configuration (113) before the first tile that is stored");
    else if (record == CL_STORE_FULL_RES_TILE_BUFFER)
        store_full(tlb, ports, data);
    else if (record == CL_STORE_TILE_BUFFER_GENERAL)
        store_general(tlb, ports, data);
    else
        store_resolved(tlb, ports);
    tlb->in_tile = false;
    return tlb_ends_frame(record, data);
}
