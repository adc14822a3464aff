/* SPDX-License-Identifier: MIT */
/* tlb_memory.c - Tile Buffer, memory side: moves planes of the tile to pixels in memory and back.
 *
 * In:       a surface (address, pixel format, memory layout) and the current tile.
 * Out:      bytes in memory (stores), or the tile's planes (loads).
 * Source:   manual sections 5 and 11, table 38. Mesa vc4_job.c and vc4_nir_lower_txf_ms.c and the
 *           kernel's vc4_render_cl.c and vc4_validate.c for pitches, Z/stencil words and dumps.
 * Modelled: stores work row by row. Samples are gathered to pixels, packed, and written to memory.
 *           Loads do the reverse. Whole microtiles are moved where the result is the same. Dumps
 *           copy the planes without conversion.
 * Choices:  dither matrix, rounding, layout of Z-only stores and of dumps without multisampling;
 *           see docs/vc4/tlb.md. */
#include "vc4/tile/tlb_memory.h"

#include <string.h>

#include "vc4/lanes/quad.h"
#include "vc4/tile/tlb_kernels.h"

enum { ROW_WORDS = 2 * TLB_MAX_WIDTH, ROW_BYTES = 4 * ROW_WORDS, MASK_PART = 256 };

/* Rounding threshold of each pixel, 0..15, at [y & 3][x & 3]. This is the 4 x 4 Bayer matrix. */
static const uint8_t dither_matrix[4][4] = {
    {0, 8, 2, 10},
    {12, 4, 14, 6},
    {3, 11, 1, 9},
    {15, 7, 13, 5},
};

/* --- pixel formats: count pixels of row y of a tile's image, as words and as bytes --- */

typedef void pack_fn(const uint32_t *words, uint32_t y, uint32_t count, uint8_t *bytes);
typedef void unpack_fn(uint32_t *words, uint32_t count, const uint8_t *bytes);

static void pack_words(const uint32_t *words, uint32_t y, uint32_t count, uint8_t *bytes)
{
    (void)y;
    if (__BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__) {
        memcpy(bytes, words, count * sizeof *words);
        return;
    }
    for (uint32_t i = 0; i < count; i++)
        store_le32(bytes + 4 * i, words[i]);
}

static void unpack_words(uint32_t *words, uint32_t count, const uint8_t *bytes)
{
    for (uint32_t i = 0; i < count; i++)
        words[i] = load_le32(bytes + 4 * i);
}

static void pack_pairs(const uint32_t *words, uint32_t y, uint32_t count, uint8_t *bytes)
{
    pack_words(words, y, 2 * count, bytes);
}

static void unpack_pairs(uint32_t *words, uint32_t count, const uint8_t *bytes)
{
    unpack_words(words, 2 * count, bytes);
}

/* Drops the lowest bits of an 8-bit channel. threshold is the rounding threshold, 0..15. */
static uint32_t shorten(uint32_t channel, uint32_t drop, uint32_t threshold)
{
    uint32_t raised = channel + (threshold >> (4 - drop));
    return (raised > 0xff ? 0xff : raised) >> drop;
}

static uint16_t pack_bgr565(uint32_t colour, uint32_t threshold)
{
    uint32_t red = shorten(colour & 0xff, 3, threshold);
    uint32_t green = shorten(colour >> 8 & 0xff, 2, threshold);
    uint32_t blue = shorten(colour >> 16 & 0xff, 3, threshold);
    return (uint16_t)(red << 11 | green << 5 | blue);
}

static uint32_t unpack_bgr565(uint32_t pixel)
{
    uint32_t red = pixel >> 11, green = pixel >> 5 & 0x3f, blue = pixel & 0x1f;
    red = red << 3 | red >> 2;
    green = green << 2 | green >> 4;
    blue = blue << 3 | blue >> 2;
    return UINT32_C(0xff000000) | blue << 16 | green << 8 | red;
}

static void pack_565_raised(const uint32_t *words, const uint8_t thresholds[4], uint32_t count,
                            uint8_t *bytes)
{
    if (__BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__) {
        tlb_kernels_native()->pack_565(words, thresholds, count, (uint16_t *)bytes);
        return;
    }
    for (uint32_t i = 0; i < count; i++)
        store_le16(bytes + 2 * i, pack_bgr565(words[i], thresholds[i & 3]));
}

static void pack_565(const uint32_t *words, uint32_t y, uint32_t count, uint8_t *bytes)
{
    (void)y;
    pack_565_raised(words, (const uint8_t[4]){0}, count, bytes);
}

static void pack_565_dithered(const uint32_t *words, uint32_t y, uint32_t count, uint8_t *bytes)
{
    pack_565_raised(words, dither_matrix[y & 3], count, bytes);
}

static void unpack_565(uint32_t *words, uint32_t count, const uint8_t *bytes)
{
    for (uint32_t i = 0; i < count; i++)
        words[i] = unpack_bgr565(load_le16(bytes + 2 * i));
}

static void pack_z24(const uint32_t *words, uint32_t y, uint32_t count, uint8_t *bytes)
{
    (void)y;
    for (uint32_t i = 0; i < count; i++)
        store_le32(bytes + 4 * i, words[i] & UINT32_C(0xffffff00));
}

static void pack_bytes(const uint32_t *words, uint32_t y, uint32_t count, uint8_t *bytes)
{
    (void)y;
    for (uint32_t i = 0; i < count; i++)
        bytes[i] = (uint8_t)words[i];
}

static void unpack_bytes(uint32_t *words, uint32_t count, const uint8_t *bytes)
{
    for (uint32_t i = 0; i < count; i++)
        words[i] = bytes[i];
}

static const struct {
    const char *plane;
    uint8_t bytes;
    pack_fn *pack;
    unpack_fn *unpack;
} formats[] = {
    [TLB_RGBA8888] = {"colour", 4, pack_words, unpack_words},
    [TLB_BGR565_DITHERED] = {"colour", 2, pack_565_dithered, unpack_565},
    [TLB_BGR565] = {"colour", 2, pack_565, unpack_565},
    [TLB_RGBA16F] = {"colour", 8, pack_pairs, unpack_pairs},
    [TLB_Z24S8] = {"Z/stencil", 4, pack_words, unpack_words},
    [TLB_Z24] = {"Z", 4, pack_z24, NULL},
    [TLB_MASK8] = {"VG mask", 1, pack_bytes, unpack_bytes},
};

/* --- samples and words --- */

/* Returns the rounded mean of 1 << shift RGBA8888 samples. Two channels are summed in one word. A
 * sum needs at most 16 bits: 16 values of 255, plus half of the divisor for rounding. */
static uint32_t mean(const uint32_t *samples, unsigned shift)
{
    const uint32_t channels = 0x00ff00ff, half = UINT32_C(0x00010001) << (shift - 1);
    uint32_t low = half, high = half;
    for (uint32_t i = 0; i < 1u << shift; i++) {
        low += samples[i] & channels;
        high += samples[i] >> 8 & channels;
    }
    return (low >> shift & channels) | (high >> shift & channels) << 8;
}

static void gather_pairs(const struct tlb *tlb, uint32_t y, uint32_t count, uint32_t *words)
{
    for (uint32_t x = 0; x < count; x++) {
        uint32_t index = tlb_sample_index(&tlb->tile, x, y, 0);
        words[2 * x] = tlb->colour[index];
        words[2 * x + 1] = tlb->colour[index + TLB_SECOND_WORDS];
    }
}

static void gather_mask(const struct tlb *tlb, uint32_t y, uint32_t count, uint32_t *words)
{
    for (uint32_t x = 0; x < count; x++)
        words[x] = tlb->mask[tlb_sample_index(&tlb->tile, x, y, 0)];
}

/* Computes the means of the four pixels of each quad, without multisampling. */
static void gather_means_of_4(const struct tlb *tlb, uint32_t y, uint32_t count, uint32_t *words)
{
    for (uint32_t x = 0; x < count; x++)
        words[x] = mean(&tlb->colour[tlb_sample_index(&tlb->tile, x * 2, y * 2, 0)], 2);
}

/* Computes the means of all 16 samples of each quad. */
static void gather_means_of_16(const struct tlb *tlb, uint32_t y, uint32_t count, uint32_t *words)
{
    for (uint32_t x = 0; x < count; x++)
        words[x] = mean(&tlb->colour[tlb_sample_index(&tlb->tile, x * 2, y * 2, 0)], 4);
}

/* Gathers row y of an image whose pixels are not single words (splits_quads()). */
static void gather(const struct tlb *tlb, const struct tlb_surface *surface, uint32_t y,
                   uint32_t count, uint32_t *words)
{
    if (surface->format == TLB_MASK8)
        gather_mask(tlb, y, count, words);
    else if (surface->format == TLB_RGBA16F)
        gather_pairs(tlb, y, count, words);
    else if (surface->decimate == TLB_MEAN_OF_4)
        gather_means_of_4(tlb, y, count, words);
    else
        gather_means_of_16(tlb, y, count, words);
}

/* True if a pixel of a store is the word of sample 0, or the mean of the pixel's samples. */
static bool splits_quads(const struct tlb *tlb, const struct tlb_surface *surface)
{
    bool words = surface->format != TLB_MASK8 && surface->format != TLB_RGBA16F;
    return words && tlb_decimate_scale(tlb, surface->decimate) == 1;
}

/* Gathers the pixels of the rows y and y + 1 of an image. y is even. Changes up to TLB_ROW_STEP - 1
 * words after the first `count` words. */
static void gather_rows(const struct tlb *tlb, const struct tlb_surface *surface, uint32_t y,
                        uint32_t count, uint32_t *low, uint32_t *high)
{
    const bool depth = surface->format == TLB_Z24S8 || surface->format == TLB_Z24;
    const uint32_t *quads = (depth ? tlb->zs : tlb->colour) + tlb_sample_index(&tlb->tile, 0, y, 0);
    if (!splits_quads(tlb, surface)) {
        gather(tlb, surface, y, count, low);
        gather(tlb, surface, y + 1, count, high);
    } else if (surface->decimate == TLB_MEAN_OF_4) {
        tlb->kernels->split_means(quads, count, low, high);
    } else {
        tlb->kernels->split(quads, tlb->tile.samples, count, low, high);
    }
}

/* Writes the pixels of row y to all samples of these pixels. */
static void scatter(struct tlb *tlb, enum tlb_format format, uint32_t y, uint32_t count,
                    const uint32_t *words)
{
    for (uint32_t x = 0; x < count; x++)
        for (uint32_t sample = 0; sample < tlb->tile.samples; sample++) {
            uint32_t index = tlb_sample_index(&tlb->tile, x, y, sample);
            if (format == TLB_Z24S8) {
                tlb->zs[index] = words[x];
            } else if (format == TLB_MASK8) {
                tlb->mask[index] = (uint8_t)words[x];
            } else if (format == TLB_RGBA16F) {
                tlb->colour[index] = words[2 * x];
                tlb->colour[index + TLB_SECOND_WORDS] = words[2 * x + 1];
            } else {
                tlb->colour[index] = words[x];
            }
        }
}

/* --- images --- */

/* A transfer of one plane to or from an image. */
struct transfer {
    struct tlb *tlb;
    const struct tlb_ports *ports;
    const struct tlb_surface *surface;
    bool store;
    struct image_layout image;
    struct tlb_area area;
    uint8_t *memory;     /* host address of the image if all of it is mapped in one piece, otherwise
                            NULL */
    uint32_t run;        /* number of pixels that are adjacent in memory; such a run starts at a
                            multiple of this number */
    uint32_t missed;     /* number of pixels outside mapped memory */
    uint32_t first_miss; /* address of the first such pixel */
};

enum tlb_decimate tlb_frame_decimate(const struct tlb *tlb)
{
    uint32_t mode = TLB_FRAME_GET(&tlb->frame, DECIMATE);
    bool usable = tlb->tile.words == 1 &&
                  (mode == TLB_MEAN_OF_4 || (mode == TLB_MEAN_OF_16 && tlb->tile.samples == 4));
    return usable ? (enum tlb_decimate)mode : TLB_SAMPLE_0;
}

uint32_t tlb_decimate_scale(const struct tlb *tlb, enum tlb_decimate decimate)
{
    if (decimate == TLB_SAMPLE_0)
        return 1;
    return decimate == TLB_MEAN_OF_16 || tlb->tile.samples == 1 ? 2 : 1;
}

struct tlb_area tlb_area(const struct tlb *tlb, enum tlb_decimate decimate)
{
    const struct tlb_frame *frame = &tlb->frame;
    uint32_t scale = tlb_decimate_scale(tlb, decimate);
    uint32_t width = tlb->tile.width / scale, height = tlb->tile.height / scale;
    struct tlb_area area = {.x = tlb->column * width, .y = tlb->row * height};
    if (area.x >= frame->width || area.y >= frame->height)
        return area;
    uint32_t right = frame->width - area.x, down = frame->height - area.y;
    area.width = right < width ? right : width;
    area.height = down < height ? down : height;
    return area;
}

/* Moves bytes in the transfer's direction. memory is NULL if it is not mapped. Loads from unmapped
 * memory set the bytes to 0. */
static void move_bytes(const struct transfer *transfer, uint8_t *memory, uint8_t *bytes,
                       uint32_t count)
{
    if (!transfer->store && memory)
        memcpy(bytes, memory, count);
    else if (!transfer->store)
        memset(bytes, 0, count);
    else if (memory)
        memcpy(memory, bytes, count);
}

/* Moves count pixels that are adjacent in memory. */
static void move_run(struct transfer *transfer, uint32_t x, uint32_t y, uint8_t *bytes,
                     uint32_t count)
{
    uint32_t size = formats[transfer->surface->format].bytes;
    uint32_t offset = layout_offset(&transfer->image, transfer->area.x + x, transfer->area.y + y,
                                    NULL);
    uint32_t address = transfer->surface->address + offset;
    uint8_t *memory = transfer->memory ? transfer->memory + offset
                                       : bus_peek(transfer->ports->bus, address, count * size);
    if (memory) {
        move_bytes(transfer, memory, bytes, count * size);
        return;
    }
    for (uint32_t i = 0; i < count; i++, address += size, bytes += size) {
        memory = bus_peek(transfer->ports->bus, address, size);
        move_bytes(transfer, memory, bytes, size);
        if (!memory && transfer->missed++ == 0)
            transfer->first_miss = address;
    }
}

static void move_row(struct transfer *transfer, uint32_t y, uint8_t bytes[ROW_BYTES])
{
    uint32_t size = formats[transfer->surface->format].bytes;
    for (uint32_t x = 0; x < transfer->area.width; x += transfer->run) {
        uint32_t left = transfer->area.width - x;
        move_run(transfer, x, y, bytes + x * size, left < transfer->run ? left : transfer->run);
    }
}

static void load_area(struct transfer *transfer)
{
    enum tlb_format format = transfer->surface->format;
    uint32_t count = transfer->area.width;
    for (uint32_t y = 0; y < transfer->area.height; y++) {
        uint32_t words[ROW_WORDS];
        uint8_t bytes[ROW_BYTES];
        move_row(transfer, y, bytes);
        formats[format].unpack(words, count, bytes);
        scatter(transfer->tlb, format, y, count, words);
    }
}

/* --- bands --- */

/* Number of rows of a band, which are packed together. Most microtiles have as many rows. */
enum { BAND = 4 };

/* Stores a band of an image of microtiles with BAND rows. y is the band's first row. */
static void store_utile_rows(const struct transfer *transfer, uint32_t y,
                             uint8_t bytes[BAND][ROW_BYTES])
{
    const uint32_t size = formats[transfer->surface->format].bytes, run = transfer->run;
    for (uint32_t x = 0; x < transfer->area.width; x += run) {
        uint32_t left = transfer->area.width - x, count = left < run ? left : run;
        uint8_t *utile = transfer->memory + layout_offset(&transfer->image, transfer->area.x + x,
                                                          transfer->area.y + y, NULL);
        for (uint32_t row = 0; row < BAND; row++)
            memcpy(utile + row * run * size, bytes[row] + x * size, count * size);
    }
}

static void store_band(struct transfer *transfer, uint32_t y, uint32_t rows)
{
    const struct tlb_surface *surface = transfer->surface;
    const uint32_t count = transfer->area.width;
    uint32_t words[BAND][ROW_WORDS];
    uint8_t bytes[BAND][ROW_BYTES];
    for (uint32_t row = 0; row < rows; row += 2)
        gather_rows(transfer->tlb, surface, y + row, count, words[row], words[row + 1]);
    for (uint32_t row = 0; row < rows; row++)
        formats[surface->format].pack(words[row], y + row, count, bytes[row]);
    if (rows == BAND && surface->layout != LAYOUT_RASTER && transfer->memory &&
        transfer->image.utile_height == BAND) {
        store_utile_rows(transfer, y, bytes);
        return;
    }
    for (uint32_t row = 0; row < rows; row++)
        move_row(transfer, y + row, bytes[row]);
}

static void store_area(struct transfer *transfer)
{
    for (uint32_t y = 0; y < transfer->area.height; y += BAND) {
        uint32_t left = transfer->area.height - y;
        store_band(transfer, y, left < BAND ? left : BAND);
    }
}

/* Returns a row of a raster image of words in memory, or NULL if the row cannot be written as words
 * by kernels, which write a multiple of TLB_ROW_STEP columns. */
static uint32_t *row_in_memory(const struct transfer *transfer, uint32_t y)
{
    const struct tlb_surface *surface = transfer->surface;
    const bool words = surface->format == TLB_RGBA8888 || surface->format == TLB_Z24S8;
    if (!words || __BYTE_ORDER__ != __ORDER_LITTLE_ENDIAN__ || surface->layout != LAYOUT_RASTER ||
        !transfer->memory || transfer->area.width % TLB_ROW_STEP)
        return NULL;
    uint8_t *row = transfer->memory +
                   layout_offset(&transfer->image, transfer->area.x, transfer->area.y + y, NULL);
    return (uintptr_t)row % sizeof(uint32_t) ? NULL : (uint32_t *)(void *)row;
}

/* Stores rows of words directly to a raster image. Returns false if this is not possible. */
static bool store_words(const struct transfer *transfer)
{
    const struct tlb_area *area = &transfer->area;
    if (area->height % 2 || !row_in_memory(transfer, 0))
        return false;
    for (uint32_t y = 0; y < area->height; y += 2)
        gather_rows(transfer->tlb, transfer->surface, y, area->width, row_in_memory(transfer, y),
                    row_in_memory(transfer, y + 1));
    return true;
}

/* --- microtiles --- */

enum { UTILE = 4 }; /* rows and columns of a microtile of words */

/* True if whole microtiles can be moved. The image must consist of microtiles of 4 x 4 words, the
 * tile must have one sample per pixel, and the area must have no partial microtiles. */
static bool moves_utiles(const struct transfer *transfer)
{
    const struct tlb_surface *surface = transfer->surface;
    const bool is_words = surface->format == TLB_RGBA8888 || surface->format == TLB_Z24S8;
    return is_words && __BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__ && transfer->memory &&
           surface->layout != LAYOUT_RASTER && surface->decimate == TLB_SAMPLE_0 &&
           transfer->tlb->tile.samples == 1 &&
           (transfer->area.width | transfer->area.height) % UTILE == 0;
}

/* Copies two rows of a microtile to or from two adjacent quads of the tile. Each row contains two
 * pixels of each quad. */
static void copy_rows(void *to, const void *from)
{
    const quad_words first = quad_load(from), second = quad_load((const char *)from + sizeof first);
    quad_store(to, __builtin_shufflevector(first, second, 0, 1, 4, 5));
    quad_store((char *)to + sizeof first, __builtin_shufflevector(first, second, 2, 3, 6, 7));
}

static void move_utile(const struct transfer *transfer, uint8_t *memory, uint32_t *quads)
{
    uint32_t *below = quads + 2 * transfer->tlb->tile.width;
    if (transfer->store) {
        copy_rows(memory, quads);
        copy_rows(memory + UTILE_BYTES / 2, below);
    } else {
        copy_rows(quads, memory);
        copy_rows(below, memory + UTILE_BYTES / 2);
    }
}

static void move_utiles(const struct transfer *transfer)
{
    struct tlb *tlb = transfer->tlb;
    const struct tlb_area *area = &transfer->area;
    uint32_t *plane = transfer->surface->format == TLB_Z24S8 ? tlb->zs : tlb->colour;
    for (uint32_t y = 0; y < area->height; y += UTILE)
        for (uint32_t x = 0; x < area->width; x += UTILE) {
            uint32_t offset = layout_offset(&transfer->image, area->x + x, area->y + y, NULL);
            move_utile(transfer, transfer->memory + offset,
                       plane + tlb_sample_index(&tlb->tile, x, y, 0));
        }
}

static void report_missed(struct tlb *tlb, const struct tlb_ports *ports,
                          const struct transfer *transfer, const char *plane, uint32_t count)
{
    if (transfer->missed == 0)
        return;
    fault_at(ports->log, FAULT_BUS_UNMAPPED, transfer->first_miss,
             "tile buffer (TLB): %s of tile (%u, %u), %s: %u of %u pixels lie outside mapped "
             "memory, the first at 0x%08x",
             transfer->store ? "store" : "load", tlb->column, tlb->row, plane, transfer->missed,
             count, transfer->first_miss);
}

/* True if the image is small enough for its size in bytes to fit in struct image_layout. Larger
 * images (2^26 pixels or more) are moved without transfer->memory. */
static bool has_size(const struct tlb_frame *frame)
{
    return (uint64_t)frame->width * frame->height < 1 << 26;
}

/* Reports the accesses to the pixels of the area to the observer of the bus. */
static void observe_area(const struct transfer *transfer)
{
    const struct tlb_area *area = &transfer->area;
    uint32_t size = formats[transfer->surface->format].bytes;
    for (uint32_t y = 0; y < area->height; y++)
        for (uint32_t x = 0; x < area->width; x += transfer->run) {
            uint32_t left = area->width - x, count = left < transfer->run ? left : transfer->run;
            uint32_t offset = layout_offset(&transfer->image, area->x + x, area->y + y, NULL);
            bus_observe(transfer->ports->bus, BUS_TLB, transfer->surface->address + offset,
                        count * size, transfer->store);
        }
}

static void move_surface(struct tlb *tlb, const struct tlb_ports *ports,
                         const struct tlb_surface *surface, bool store)
{
    struct transfer transfer = {.tlb = tlb,
                                .ports = ports,
                                .surface = surface,
                                .store = store,
                                .area = tlb_area(tlb, surface->decimate)};
    const struct tlb_frame *frame = &tlb->frame;
    layout_init(&transfer.image, surface->layout, frame->width, frame->height,
                8u * formats[surface->format].bytes);
    transfer.run = surface->layout == LAYOUT_RASTER ? TLB_MAX_WIDTH : transfer.image.utile_width;
    if (has_size(frame))
        transfer.memory = bus_peek(ports->bus, surface->address, transfer.image.size_bytes);
    if (ports->bus->observer)
        observe_area(&transfer);
    if (moves_utiles(&transfer))
        move_utiles(&transfer);
    else if (!store)
        load_area(&transfer);
    else if (!store_words(&transfer))
        store_area(&transfer);
    report_missed(tlb, ports, &transfer, formats[surface->format].plane,
                  transfer.area.width * transfer.area.height);
}

void tlb_surface_store(struct tlb *tlb, const struct tlb_ports *ports,
                       const struct tlb_surface *surface)
{
    move_surface(tlb, ports, surface, true);
}

void tlb_surface_load(struct tlb *tlb, const struct tlb_ports *ports,
                      const struct tlb_surface *surface)
{
    move_surface(tlb, ports, surface, false);
}

/* --- dumps --- */

/* Moves one piece of a plane in the order of the tile buffer. If the piece is not completely
 * mapped, moves it pixel by pixel. */
static void move_dump_piece(struct transfer *transfer, uint32_t address, uint8_t *bytes,
                            uint32_t count, uint32_t pixel)
{
    uint8_t *memory = bus_peek(transfer->ports->bus, address, count);
    bus_observe(transfer->ports->bus, BUS_TLB, address, count, transfer->store);
    if (memory) {
        move_bytes(transfer, memory, bytes, count);
        return;
    }
    for (uint32_t i = 0; i < count; i += pixel) {
        memory = bus_peek(transfer->ports->bus, address + i, pixel);
        move_bytes(transfer, memory, bytes + i, pixel);
        if (!memory && transfer->missed++ == 0)
            transfer->first_miss = address + i;
    }
}

/* Moves a quad's four words. With 64-bit colour, moves four pairs of words. The first word of a
 * pair is in the lower half of the colour memory, and the second word in the upper half. */
static void move_dump_quad(struct transfer *transfer, uint32_t address, uint32_t *plane,
                           uint32_t words)
{
    uint32_t pixels[8];
    uint8_t bytes[sizeof pixels];
    for (uint32_t i = 0; i < 4; i++)
        for (uint32_t word = 0; word < words; word++)
            pixels[i * words + word] = plane[i + word * TLB_SECOND_WORDS];
    pack_words(pixels, 0, 4 * words, bytes);
    move_dump_piece(transfer, address, bytes, 16 * words, 4 * words);
    if (transfer->store)
        return;
    unpack_words(pixels, 4 * words, bytes);
    for (uint32_t i = 0; i < 4; i++)
        for (uint32_t word = 0; word < words; word++)
            plane[i + word * TLB_SECOND_WORDS] = pixels[i * words + word];
}

/* Moves one plane of a dump. Returns the address after the plane. */
static uint32_t move_dump_plane(struct tlb *tlb, const struct tlb_ports *ports, uint32_t address,
                                uint32_t plane, bool store)
{
    const struct tlb_geometry *tile = &tlb->tile;
    struct transfer transfer = {.tlb = tlb, .ports = ports, .store = store};
    uint32_t samples = tile->width * tile->height * tile->samples;
    uint32_t words = plane == TLB_COLOUR ? tile->words : 1;
    uint32_t bytes = plane == TLB_MASK ? 1 : 4 * words;
    if (plane == TLB_MASK)
        for (uint32_t i = 0; i < samples; i += MASK_PART)
            move_dump_piece(&transfer, address + i, tlb->mask + tile->first + i, MASK_PART, 1);
    else
        for (uint32_t i = 0; i < samples; i += 4)
            move_dump_quad(&transfer, address + i * bytes,
                           (plane == TLB_COLOUR ? tlb->colour : tlb->zs) + tile->first + i, words);
    static const enum tlb_format names[] = {
        [TLB_COLOUR] = TLB_RGBA8888, [TLB_ZS] = TLB_Z24S8, [TLB_MASK] = TLB_MASK8};
    report_missed(tlb, ports, &transfer, formats[names[plane]].plane, samples);
    return address + samples * bytes;
}

static void move_dump(struct tlb *tlb, const struct tlb_ports *ports, uint32_t address,
                      uint32_t planes, bool store)
{
    if (tlb_area(tlb, tlb_frame_decimate(tlb)).width == 0)
        return;
    for (uint32_t plane = TLB_COLOUR; plane <= TLB_MASK; plane <<= 1)
        if (planes & plane)
            address = move_dump_plane(tlb, ports, address, plane, store);
}

void tlb_dump_store(struct tlb *tlb, const struct tlb_ports *ports, uint32_t address,
                    uint32_t planes)
{
    move_dump(tlb, ports, address, planes, true);
}

void tlb_dump_load(struct tlb *tlb, const struct tlb_ports *ports, uint32_t address,
                   uint32_t planes)
{
    move_dump(tlb, ports, address, planes, false);
}
