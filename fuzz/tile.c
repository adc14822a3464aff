/* SPDX-License-Identifier: MIT */
/* tile.c - fuzz target: the tile buffer and the rasteriser, with any series of tile records, shader
 * accesses to the tile buffer, and primitives. The input is a series of operations. Each operation
 * has a kind and the bytes of its arguments. */
#include <stdlib.h>

#include "base/bits.h"
#include "frame.h"
#include "vc4/raster/fep.h"
#include "vc4/tile/tlb.h"

enum { MEMORY = 0x10000, OPERATIONS = 48 };

enum kind {
    FRAME,
    CLEAR,
    LOAD_FULL,
    LOAD_GENERAL,
    COORDINATES,
    STORE,
    STORE_FULL,
    STORE_GENERAL,
    WRITE_Z,
    WRITE_COLOUR,
    READ,
    STENCIL,
    EARLY_Z,
    QUADS,
    DRAW,
    KINDS
};

struct tile {
    struct fault_log log;
    struct bus bus;
    struct tlb tlb;
    struct cap cap[TLB_HALVES];
    struct tlb_ports ports;
    struct fep fep;
    struct fep_ports fep_ports;
    struct pctr_counts counts;
    struct tlb_fragment fragment;
    struct cl_state state;
    struct input input;
};

static void take(struct tile *tile, uint8_t *bytes, size_t size)
{
    memset(bytes, 0, 16);
    const uint8_t *at = input_bytes(&tile->input, &size);
    memcpy(bytes, at, size);
}

static void take_lanes(struct tile *tile, lanes *value)
{
    *value = (lanes){0} + input_bits(&tile->input, 4);
    for (unsigned i = 0; i < LANES; i++)
        (*value)[i] += i;
}

static void shade(void *user, const struct fep_batch *batch)
{
    struct tile *tile = user;
    struct tlb_fragment *fragment = &tile->fragment;
    memcpy(fragment->x, batch->x, sizeof fragment->x);
    memcpy(fragment->y, batch->y, sizeof fragment->y);
    memcpy(fragment->ms_flags, batch->ms_flags, sizeof fragment->ms_flags);
    fragment->rev_flag = batch->reverse;
    tlb_early_z(&tile->tlb, &tile->ports, fragment, &batch->z);
    tlb_early_coverage(&tile->tlb, &tile->ports, fragment);
    tlb_write_z(&tile->tlb, &tile->ports, fragment, &batch->z, ALL_LANES);
    tlb_write_colour(&tile->tlb, &tile->ports, fragment, &batch->w, ALL_LANES, true);
}

static int16_t take_position(struct tile *tile)
{
    return (int16_t)input_bits(&tile->input, 2);
}

static void draw(struct tile *tile)
{
    static const struct shader_record record = {.varyings = 2};
    const struct tlb *tlb = &tile->tlb;
    struct vertex vertex[3] = {0};
    for (unsigned i = 0; i < 3; i++)
        vertex[i] = (struct vertex){.x = take_position(tile),
                                    .y = take_position(tile),
                                    .z = bits_float(input_bits(&tile->input, 4)),
                                    .inv_w = bits_float(input_bits(&tile->input, 4)),
                                    .point_size = 40};
    int32_t left = (int32_t)(tlb->column * tlb_tile_width(tlb));
    int32_t bottom = (int32_t)(tlb->row * tlb_tile_height(tlb));
    struct fep_window window = {left, bottom, left + (int32_t)tlb_tile_width(tlb),
                                bottom + (int32_t)tlb_tile_height(tlb), tlb_samples(tlb) > 1};
    struct pse_primitive primitive;
    enum primitive_type type = (enum primitive_type)(input_bits(&tile->input, 1) % 3);
    if (pse_setup(&primitive, &tile->state, &record, type,
                  (const struct vertex *const[]){&vertex[0], &vertex[1], &vertex[2]}))
        fep_draw(&tile->fep, &tile->fep_ports, &primitive, &tile->state, &window);
}

static void read_all(struct tile *tile)
{
    lanes out;
    tlb_read_colour(&tile->tlb, &tile->fragment, &out);
    tlb_read_mask(&tile->tlb, &tile->ports, &tile->fragment, &out);
    tlb_read_coverage(&tile->tlb, &tile->ports, &tile->fragment, &out);
}

static void set_quads(struct tile *tile)
{
    struct tlb_fragment *fragment = &tile->fragment;
    for (unsigned q = 0; q < 4; q++) {
        fragment->x[q] = (uint16_t)input_bits(&tile->input, 2);
        fragment->y[q] = (uint16_t)input_bits(&tile->input, 2);
    }
    for (unsigned i = 0; i < LANES; i++)
        fragment->ms_flags[i] = input_bits(&tile->input, 1) & 15;
    uint32_t bits = input_bits(&tile->input, 2);
    fragment->depth_function = (enum tlb_compare)(bits & 7);
    fragment->depth_update = bits & 8;
    fragment->rev_flag = (lane_mask)bits;
    tlb_fragment_start(fragment);
}

static void store(struct tile *tile, uint8_t record, const uint8_t *data)
{
    fep_flush(&tile->fep, &tile->fep_ports);
    tlb_store(&tile->tlb, &tile->ports, record, data);
}

static void operate(struct tile *tile)
{
    struct tlb *tlb = &tile->tlb;
    const struct tlb_ports *ports = &tile->ports;
    uint8_t data[16];
    lanes value;
    switch ((enum kind)(input_bits(&tile->input, 1) % KINDS)) {
    case FRAME:
        take(tile, data, 10);
        tlb_configure(tlb, ports, data);
        break;
    case CLEAR:
        take(tile, data, 13);
        tlb_clear_colours(tlb, data);
        break;
    case LOAD_FULL:
        take(tile, data, 4);
        tlb_load_full(tlb, ports, data);
        break;
    case LOAD_GENERAL:
        take(tile, data, 6);
        tlb_load_general(tlb, ports, data);
        break;
    case COORDINATES:
        take(tile, data, 2);
        tlb_tile_coordinates(tlb, ports, data);
        break;
    case STORE: store(tile, 24, NULL); break;
    case STORE_FULL:
        take(tile, data, 4);
        store(tile, 26, data);
        break;
    case STORE_GENERAL:
        take(tile, data, 6);
        store(tile, 28, data);
        break;
    case WRITE_Z:
        take_lanes(tile, &value);
        tlb_write_z(tlb, ports, &tile->fragment, &value, (lane_mask)input_bits(&tile->input, 2));
        break;
    case WRITE_COLOUR:
        take_lanes(tile, &value);
        tlb_write_colour(tlb, ports, &tile->fragment, &value, ALL_LANES,
                         input_bits(&tile->input, 1) & 1);
        tlb_write_mask(tlb, ports, &tile->fragment, &value, ALL_LANES);
        break;
    case READ: read_all(tile); break;
    case STENCIL: tlb_stencil_setup(tlb, &tile->fragment, input_bits(&tile->input, 4)); break;
    case EARLY_Z:
        take_lanes(tile, &value);
        tlb_early_z(tlb, ports, &tile->fragment, &value);
        break;
    case QUADS: set_quads(tile); break;
    case DRAW: draw(tile); break;
    case KINDS: break;
    }
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct tile *tile = aligned_alloc(64, (sizeof *tile + 63) / 64 * 64);
    if (!tile)
        return 0;
    memset(tile, 0, sizeof *tile);
    tile->bus.log = &tile->log;
    tile->ports = (struct tlb_ports){
        .bus = &tile->bus, .log = &tile->log, .counts = &tile->counts, .cap = tile->cap};
    tile->fep_ports = (struct fep_ports){.counts = &tile->counts, .shade = shade, .user = tile};
    tile->input = (struct input){data, size};
    tile->state = (struct cl_state){
        .configuration = 3, .point_size = 1, .line_width = 3, .z_max = 1};
    tlb_reset(&tile->tlb);
    if (bus_map(&tile->bus, 0, MEMORY, NULL) == TESS_OK)
        for (unsigned i = 0; i < OPERATIONS && tile->input.left > 0; i++)
            operate(tile);
    bus_free(&tile->bus);
    free(tile);
    return 0;
}
