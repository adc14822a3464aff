/* SPDX-License-Identifier: MIT */
/* Tests of the tile buffer's stores of images. The expected bytes are computed pixel by pixel from
 * the definitions in docs/vc4/tlb.md, for all formats, layouts, kinds of tiles and decimation
 * modes. */
#include "vc4/tile/tlb_memory.h"
#include "../../register.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <string.h>

#include "base/bits.h"
#include "vc4/tile/tlb.h"

#include "../../random.h"

enum { ADDRESS = 0x10000, BYTES = 0x40000, SPARE = 8 };

struct machine {
    struct fault_log log;
    struct bus bus;
    struct tlb tlb;
    struct tlb_ports ports;
    uint8_t memory[BYTES + SPARE], expected[BYTES + SPARE];
};

/* A store: the frame, the tile, and the surface. */
struct store {
    uint16_t width, height;
    uint8_t column, row;
    uint16_t frame_flags; /* of record 113 */
    enum tlb_format format;
    enum layout layout;
    enum tlb_decimate decimate;
};

enum { MULTISAMPLE = 1, COLOUR_64BIT = 2, DOUBLE_BUFFER = 1 << 12 };

static bool is_usable(const struct tlb *tlb, const struct store *store)
{
    bool wide = tlb->tile.words == 2, colour = store->format <= TLB_RGBA16F;
    if (colour && wide != (store->format == TLB_RGBA16F))
        return false;
    if (store->decimate != TLB_SAMPLE_0 && (wide || !colour))
        return false;
    return store->decimate != TLB_MEAN_OF_16 || tlb->tile.samples == 4;
}

/* Returns the rounded mean of a channel of the samples that a pixel of the image has. */
static uint32_t plain_mean(const struct tlb *tlb, const struct store *store, uint32_t x, uint32_t y,
                           unsigned shift)
{
    uint32_t scale = tlb_decimate_scale(tlb, store->decimate), sum = 0;
    uint32_t samples = store->decimate == TLB_SAMPLE_0 ? 1 : tlb->tile.samples;
    for (uint32_t i = 0; i < scale * scale * samples; i++) {
        uint32_t pixel = i / samples;
        uint32_t index = tlb_sample_index(&tlb->tile, x * scale + pixel % scale,
                                          y * scale + pixel / scale, i % samples);
        sum += tlb->colour[index] >> shift & 0xff;
    }
    uint32_t count = scale * scale * samples;
    return (sum + count / 2) / count;
}

static uint32_t plain_565(uint32_t red, uint32_t green, uint32_t blue, uint32_t threshold)
{
    red += threshold >> 1;
    green += threshold >> 2;
    blue += threshold >> 1;
    red = red > 255 ? 31 : red >> 3;
    green = green > 255 ? 63 : green >> 2;
    blue = blue > 255 ? 31 : blue >> 3;
    return red << 11 | green << 5 | blue;
}

/* Returns a pixel of the image, which has up to 64 bits. */
static uint64_t plain_pixel(const struct tlb *tlb, const struct store *store, uint32_t x,
                            uint32_t y)
{
    static const uint8_t bayer[4][4] = {
        {0, 8, 2, 10}, {12, 4, 14, 6}, {3, 11, 1, 9}, {15, 7, 13, 5}};
    const uint32_t at = tlb_sample_index(&tlb->tile, x, y, 0);
    uint32_t channel[4];
    for (unsigned i = 0; i < 4; i++)
        channel[i] = plain_mean(tlb, store, x, y, 8 * i);
    switch (store->format) {
    case TLB_RGBA8888: return channel[0] | channel[1] << 8 | channel[2] << 16 | channel[3] << 24;
    case TLB_BGR565_DITHERED:
        return plain_565(channel[0], channel[1], channel[2], bayer[y & 3][x & 3]);
    case TLB_BGR565: return plain_565(channel[0], channel[1], channel[2], 0);
    case TLB_RGBA16F: return tlb->colour[at] | (uint64_t)tlb->colour[at + TLB_SECOND_WORDS] << 32;
    case TLB_Z24S8: return tlb->zs[at];
    case TLB_Z24: return tlb->zs[at] & 0xffffff00;
    case TLB_MASK8: return tlb->mask[at];
    }
    return 0;
}

/* Computes the expected memory. mapped is the number of bytes that can be written. */
static void store_plainly(struct machine *machine, const struct store *store, uint8_t *memory,
                          uint32_t mapped)
{
    static const uint8_t sizes[] = {[TLB_RGBA8888] = 4, [TLB_BGR565_DITHERED] = 2, [TLB_BGR565] = 2,
                                    [TLB_RGBA16F] = 8,  [TLB_Z24S8] = 4,           [TLB_Z24] = 4,
                                    [TLB_MASK8] = 1};
    const struct tlb_area area = tlb_area(&machine->tlb, store->decimate);
    const uint32_t size = sizes[store->format];
    struct image_layout image;
    layout_init(&image, store->layout, store->width, store->height, 8 * size);
    for (uint32_t y = 0; y < area.height; y++)
        for (uint32_t x = 0; x < area.width; x++) {
            uint32_t offset = layout_offset(&image, area.x + x, area.y + y, NULL);
            uint64_t pixel = plain_pixel(&machine->tlb, store, x, y);
            for (uint32_t i = 0; i < size && offset + size <= mapped; i++)
                memory[offset + i] = (uint8_t)(pixel >> 8 * i);
        }
}

/* Stores a tile to memory that begins at the host address `to` and has `mapped` bytes. */
static void check_store(struct machine *machine, const struct store *store, uint8_t *to,
                        uint32_t mapped)
{
    uint8_t *expected = machine->expected + (to - machine->memory);
    assert_int_equal(bus_map(&machine->bus, ADDRESS, mapped, to), TESS_OK);
    memcpy(machine->expected, machine->memory, sizeof machine->memory);
    store_plainly(machine, store, expected, mapped);
    tlb_surface_store(&machine->tlb, &machine->ports,
                      &(struct tlb_surface){.address = ADDRESS,
                                            .format = store->format,
                                            .layout = store->layout,
                                            .decimate = store->decimate});
    assert_memory_equal(machine->memory, machine->expected, sizeof machine->memory);
    assert_int_equal(bus_unmap(&machine->bus, ADDRESS), TESS_OK);
}

static void begin(struct machine *machine, const struct store *store, uint32_t *seed)
{
    uint8_t data[10] = {0};
    struct tlb *tlb = &machine->tlb;
    store_le16(data + 4, store->width);
    store_le16(data + 6, store->height);
    store_le16(data + 8, store->frame_flags);
    tlb_reset(tlb);
    tlb->half = *seed & 1;
    tlb_configure(tlb, &machine->ports, data);
    tlb->column = store->column;
    tlb->row = store->row;
    for (unsigned i = 0; i < TLB_SAMPLES; i++) {
        tlb->colour[i] = next_random(seed);
        tlb->zs[i] = next_random(seed);
        tlb->mask[i] = (uint8_t)next_random(seed);
    }
}

/* Checks the stores of one tile in all formats, layouts and modes. */
static void check_tile(struct machine *machine, struct store store, uint32_t *seed)
{
    begin(machine, &store, seed);
    for (unsigned i = 0; i < 7 * 3 * 3; i++) {
        store.format = (enum tlb_format)(i % 7);
        store.layout = (enum layout)(i / 7 % 3);
        store.decimate = (enum tlb_decimate)(i / 21);
        if (!is_usable(&machine->tlb, &store))
            continue;
        check_store(machine, &store, machine->memory, BYTES);
        check_store(machine, &store, machine->memory + 1, BYTES);
        check_store(machine, &store, machine->memory + 4, 0x1230);
    }
}

static const uint16_t kinds[] = {0, MULTISAMPLE, COLOUR_64BIT, MULTISAMPLE | COLOUR_64BIT,
                                 DOUBLE_BUFFER};

/* Whole tiles, and tiles that the border of the frame cuts at odd positions. */
TEST(stores)
{
    static const struct {
        uint16_t width, height;
        uint8_t column, row;
    } frames[] = {
        /* clang-format off */
        {128, 128, 0, 0},
        {128, 128, 1, 1},
        {104,  68, 1, 1},
        { 75,  67, 0, 0},
        { 75,  67, 1, 1},
        { 70,  66, 1, 1},
        {  3,   1, 0, 0},
        { 16, 128, 0, 1},
        /* clang-format on */
    };
    struct machine *machine = test_calloc(1, sizeof *machine);
    uint32_t seed = 1;
    machine->bus.log = &machine->log;
    machine->ports = (struct tlb_ports){.bus = &machine->bus, .log = &machine->log};
    for (unsigned kind = 0; kind < sizeof kinds / sizeof *kinds; kind++)
        for (unsigned i = 0; i < sizeof frames / sizeof *frames; i++)
            check_tile(machine,
                       (struct store){.width = frames[i].width,
                                      .height = frames[i].height,
                                      .column = frames[i].column,
                                      .row = frames[i].row,
                                      .frame_flags = kinds[kind]},
                       &seed);
    bus_free(&machine->bus);
    test_free(machine);
}
