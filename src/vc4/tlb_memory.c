/* SPDX-License-Identifier: MIT */
/* tlb_memory.c - Tile Buffer, memory side: planes of the tile to pixels in memory and back.
 *
 * In:       a surface (address, pixel format, memory layout) and the current tile.
 * Out:      stores: bytes in memory. Loads: the tile's planes.
 * Source:   manual sections 5 and 11, table 38. Mesa vc4_job.c and vc4_nir_lower_txf_ms.c and the
 *           kernel's vc4_render_cl.c and vc4_validate.c for pitches, Z/stencil words and dumps.
 * Choices:  dither matrix, layout of Z-only stores and of dumps without multisampling; see
 *           docs/vc4/tlb.md. */
#include "vc4/tlb_memory.h"

/* Row after row of quads, each quad's four pixels in sequence. */
enum { QUAD_PIXELS = 4, QUADS_PER_ROW = TLB_WIDTH / 2 };

/* Threshold of each pixel, 0..15: the 4 x 4 Bayer matrix, [y & 3][x & 3]. */
static const uint8_t dither_matrix[4][4] = {
    {0,  8,  2,  10},
    {12, 4,  14, 6 },
    {3,  11, 1,  9 },
    {15, 7,  13, 5 },
};

/* Converts count pixels of one row, from the tile's (x, y) on. */
typedef void convert_fn(struct tlb *tlb, uint32_t x, uint32_t y, uint32_t count, uint8_t *bytes);

static void put_words(uint8_t *bytes, const uint32_t *words, uint32_t count)
{
    if (__BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__) {
        memcpy(bytes, words, count * sizeof *words);
        return;
    }
    for (uint32_t i = 0; i < count; i++)
        store_le32(bytes + 4 * i, words[i]);
}

static void get_words(uint32_t *words, const uint8_t *bytes, uint32_t count)
{
    for (uint32_t i = 0; i < count; i++)
        words[i] = load_le32(bytes + 4 * i);
}

static void store_rgba8888(struct tlb *tlb, uint32_t x, uint32_t y, uint32_t count, uint8_t *bytes)
{
    put_words(bytes, &tlb->colour[y * TLB_WIDTH + x], count);
}

static void load_rgba8888(struct tlb *tlb, uint32_t x, uint32_t y, uint32_t count, uint8_t *bytes)
{
    get_words(&tlb->colour[y * TLB_WIDTH + x], bytes, count);
}

/* An 8-bit channel without its lowest drop bits; threshold 0..15 decides which way it goes. */
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

static void store_bgr565(struct tlb *tlb, uint32_t x, uint32_t y, uint32_t count, uint8_t *bytes)
{
    for (uint32_t i = 0; i < count; i++)
        store_le16(bytes + 2 * i, pack_bgr565(tlb->colour[y * TLB_WIDTH + x + i], 0));
}

static void store_bgr565_dithered(struct tlb *tlb, uint32_t x, uint32_t y, uint32_t count,
                                  uint8_t *bytes)
{
    for (uint32_t i = 0; i < count; i++) {
        uint32_t threshold = dither_matrix[y & 3][(x + i) & 3];
        store_le16(bytes + 2 * i, pack_bgr565(tlb->colour[y * TLB_WIDTH + x + i], threshold));
    }
}

static void load_bgr565(struct tlb *tlb, uint32_t x, uint32_t y, uint32_t count, uint8_t *bytes)
{
    for (uint32_t i = 0; i < count; i++)
        tlb->colour[y * TLB_WIDTH + x + i] = unpack_bgr565(load_le16(bytes + 2 * i));
}

static void store_z24s8(struct tlb *tlb, uint32_t x, uint32_t y, uint32_t count, uint8_t *bytes)
{
    put_words(bytes, &tlb->zs[y * TLB_WIDTH + x], count);
}

static void load_z24s8(struct tlb *tlb, uint32_t x, uint32_t y, uint32_t count, uint8_t *bytes)
{
    get_words(&tlb->zs[y * TLB_WIDTH + x], bytes, count);
}

static void store_z24(struct tlb *tlb, uint32_t x, uint32_t y, uint32_t count, uint8_t *bytes)
{
    for (uint32_t i = 0; i < count; i++)
        store_le32(bytes + 4 * i, tlb->zs[y * TLB_WIDTH + x + i] & UINT32_C(0xffffff00));
}

static void store_mask8(struct tlb *tlb, uint32_t x, uint32_t y, uint32_t count, uint8_t *bytes)
{
    memcpy(bytes, &tlb->mask[y * TLB_WIDTH + x], count);
}

static void load_mask8(struct tlb *tlb, uint32_t x, uint32_t y, uint32_t count, uint8_t *bytes)
{
    memcpy(&tlb->mask[y * TLB_WIDTH + x], bytes, count);
}

static const struct {
    const char *plane;
    uint8_t bytes;
    convert_fn *store, *load;
} formats[] = {
    [TLB_RGBA8888] = {"colour",    4, store_rgba8888,        load_rgba8888},
    [TLB_BGR565_DITHERED] = {"colour",    2, store_bgr565_dithered, load_bgr565  },
    [TLB_BGR565] = {"colour",    2, store_bgr565,          load_bgr565  },
    [TLB_Z24S8] = {"Z/stencil", 4, store_z24s8,           load_z24s8   },
    [TLB_Z24] = {"Z",         4, store_z24,             NULL         },
    [TLB_MASK8] = {"VG mask",   1, store_mask8,           load_mask8   },
};

/* One plane on its way. */
struct transfer {
    struct tlb *tlb;
    const struct tlb_surface *surface;
    struct image_layout image;
    struct tlb_area area;
    convert_fn *convert;
    uint32_t pixel_bytes;
    uint32_t run;        /* so many pixels from a multiple of run on are neighbours in memory */
    uint32_t missed;     /* pixels outside mapped memory */
    uint32_t first_miss; /* address */
};

struct tlb_area tlb_area(const struct tlb *tlb)
{
    const struct tlb_frame *frame = &tlb->frame;
    struct tlb_area area = {.x = tlb->column * TLB_WIDTH, .y = tlb->row * TLB_HEIGHT};
    if (area.x >= frame->width || area.y >= frame->height)
        return area;
    uint32_t right = frame->width - area.x, down = frame->height - area.y;
    area.width = right < TLB_WIDTH ? right : TLB_WIDTH;
    area.height = down < TLB_HEIGHT ? down : TLB_HEIGHT;
    return area;
}

uint32_t tlb_dump_bytes(enum tlb_format format)
{
    return (uint32_t)TLB_PIXELS * formats[format].bytes;
}

static uint32_t pixel_address(const struct transfer *transfer, uint32_t x, uint32_t y)
{
    uint32_t offset;
    if (transfer->surface->dump)
        offset = ((y / 2 * QUADS_PER_ROW + x / 2) * QUAD_PIXELS + (y & 1) * 2 + (x & 1)) *
                 transfer->pixel_bytes;
    else
        offset = layout_offset(&transfer->image, transfer->area.x + x, transfer->area.y + y, NULL);
    return transfer->surface->address + offset;
}

/* Where nothing is mapped, loads take zeros and stores go nowhere. */
static void move_pixel(struct transfer *transfer, uint32_t x, uint32_t y, uint32_t address)
{
    uint8_t nowhere[4] = {0};
    uint8_t *bytes = bus_peek(transfer->tlb->bus, address, transfer->pixel_bytes);
    transfer->convert(transfer->tlb, x, y, 1, bytes ? bytes : nowhere);
    if (!bytes && transfer->missed++ == 0)
        transfer->first_miss = address;
}

/* count pixels that are neighbours in memory. */
static void move_run(struct transfer *transfer, uint32_t x, uint32_t y, uint32_t count)
{
    uint32_t address = pixel_address(transfer, x, y);
    uint8_t *bytes = bus_peek(transfer->tlb->bus, address, count * transfer->pixel_bytes);
    if (bytes) {
        transfer->convert(transfer->tlb, x, y, count, bytes);
        return;
    }
    for (uint32_t i = 0; i < count; i++)
        move_pixel(transfer, x + i, y, address + i * transfer->pixel_bytes);
}

static void move_area(struct transfer *transfer)
{
    for (uint32_t y = 0; y < transfer->area.height; y++)
        for (uint32_t x = 0; x < transfer->area.width; x += transfer->run) {
            uint32_t left = transfer->area.width - x;
            move_run(transfer, x, y, left < transfer->run ? left : transfer->run);
        }
}

static void prepare(struct transfer *transfer)
{
    const struct tlb_surface *surface = transfer->surface;
    const struct tlb_frame *frame = &transfer->tlb->frame;
    transfer->pixel_bytes = formats[surface->format].bytes;
    transfer->area = tlb_area(transfer->tlb);
    if (surface->dump) {
        transfer->run = 2;
        if (transfer->area.width) {
            transfer->area.width = TLB_WIDTH;
            transfer->area.height = TLB_HEIGHT;
        }
        return;
    }
    layout_init(&transfer->image, surface->layout, frame->width, frame->height,
                8 * transfer->pixel_bytes);
    transfer->run = surface->layout == LAYOUT_RASTER ? TLB_WIDTH : transfer->image.utile_width;
}

static void move_plane(struct transfer *transfer, const char *verb)
{
    prepare(transfer);
    move_area(transfer);
    if (transfer->missed == 0)
        return;
    fault_at(
        transfer->tlb->log, FAULT_BUS_UNMAPPED, transfer->first_miss,
        "tile buffer (TLB): %s of tile (%u, %u), %s: %u of %u pixels lie outside mapped memory, "
        "the first at 0x%08x",
        verb, transfer->tlb->column, transfer->tlb->row, formats[transfer->surface->format].plane,
        transfer->missed, transfer->area.width * transfer->area.height, transfer->first_miss);
}

void tlb_surface_store(struct tlb *tlb, const struct tlb_surface *surface)
{
    struct transfer transfer = {
        .tlb = tlb, .surface = surface, .convert = formats[surface->format].store};
    move_plane(&transfer, "store");
}

void tlb_surface_load(struct tlb *tlb, const struct tlb_surface *surface)
{
    struct transfer transfer = {
        .tlb = tlb, .surface = surface, .convert = formats[surface->format].load};
    move_plane(&transfer, "load");
}
