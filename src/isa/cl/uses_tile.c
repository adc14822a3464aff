/* SPDX-License-Identifier: MIT */
/* uses_tile.c - the memory of loads and stores of tiles.
 *
 * In:     the tile rendering mode (record 113), load and store records (24 to 29).
 * Out:    ranges of images and of dumps; images that are loaded and stored through two bus aliases.
 * Source: manual, section 9, table 38. */
#include "isa/cl/cl.h"
#include "isa/cl/image.h"
#include "isa/cl/uses_private.h"

enum { FRAME_8888 = 1, GENERAL_8888 = 0, PLANE_BYTES = 16384 };

static uint32_t tiles_of_frame(const uint8_t *frame)
{
    bool samples = CL_GET(frame, TILE_RENDERING_MODE, MULTISAMPLE);
    bool wide = CL_GET(frame, TILE_RENDERING_MODE, COLOR_64BIT);
    bool halves = CL_GET(frame, TILE_RENDERING_MODE, DOUBLE_BUFFER) && !samples;
    uint32_t width = samples ? 32 : 64, height = 64;
    if (samples)
        height = 32;
    if (wide || halves)
        height /= 2;
    if (wide && halves)
        width /= 2, height = 32;
    uint32_t across = (CL_GET(frame, TILE_RENDERING_MODE, WIDTH) + width - 1) / width;
    return across * ((CL_GET(frame, TILE_RENDERING_MODE, HEIGHT) + height - 1) / height);
}

/* Returns the number of bytes of an image that are accessed. A raster image ends with the last
 * pixel of its last row. Images in other formats are stored with all padding. */
static uint32_t touched(const struct cl_use *use, const struct cl_image *image)
{
    if (use->format != CL_IMAGE_RASTER || use->height == 0)
        return image->bytes;
    return image->row_bytes * (use->height - 1u) + (use->width * use->bits + 7u) / 8;
}

static bool is_same(const struct cl_use *a, const struct cl_use *b)
{
    return a->kind == b->kind && a->frame == b->frame && a->address == b->address &&
           a->size == b->size;
}

static bool continues(const struct cl_use *last, const struct cl_use *use)
{
    return use->width == 0 && last->width == 0 && last->frame == use->frame &&
           last->address + last->size == use->address;
}

/* Merges a use with a recent use of its kind, because the records of each tile name the same images
 * and because dumps of tiles are adjacent. Returns false if no recent use matches. */
static bool joins(struct cl_walk *walk, const struct cl_use *use)
{
    for (unsigned i = 0; i < CL_RECENT; i++) {
        size_t number = walk->recent[use->kind][i];
        struct cl_use *last = number ? &walk->uses->item[number - 1] : NULL;
        if (last && is_same(last, use))
            return true;
        if (!last || !continues(last, use))
            continue;
        last->size += use->size;
        last->whole_size += use->size;
        return true;
    }
    return false;
}

/* Records an alias if an image is loaded and stored through different bus aliases. */
static void note_surface_alias(struct cl_walk *walk, const struct cl_use *use)
{
    for (size_t i = 0; i < walk->uses->count; i++) {
        const struct cl_use *other = &walk->uses->item[i];
        bool loads = use->kind == CL_USE_LOAD;
        const struct cl_use *load = loads ? use : other, *store = loads ? other : use;
        if (load->kind == CL_USE_LOAD && store->kind >= CL_USE_FRAME &&
            store->kind <= CL_USE_DUMP && load->address == store->address)
            cl_walk_note_alias(walk, "pixels", store->whole, load->whole);
    }
}

/* Adds the memory of a load or a store, unless the records of another tile have already added
 * it. */
static void add_surface(struct cl_walk *walk, const struct cl_use *use)
{
    if (use->size == 0 || joins(walk, use))
        return;
    cl_uses_add(walk->uses, use);
    unsigned next = walk->next[use->kind]++ % CL_RECENT;
    walk->recent[use->kind][next] = walk->uses->count;
    note_surface_alias(walk, use);
}

static void add_image(struct cl_walk *walk, enum cl_use_kind kind, uint32_t address,
                      uint32_t format, uint32_t bits, uint32_t record)
{
    const uint8_t *frame = walk->frame;
    uint32_t width = CL_GET(frame, TILE_RENDERING_MODE, WIDTH);
    uint32_t height = CL_GET(frame, TILE_RENDERING_MODE, HEIGHT);
    struct cl_image image;
    if (format >= CL_IMAGE_FORMATS || (uint64_t)width * height >= 1 << 26)
        return;
    cl_image_size(&image, format, width, height, bits);
    struct cl_use use = {.kind = (uint8_t)kind,
                         .threads = CL_BY_RENDERER,
                         .format = (uint8_t)format,
                         .bits = (uint8_t)bits,
                         .width = (uint16_t)width,
                         .height = (uint16_t)height,
                         .tiles = tiles_of_frame(frame),
                         .frame = walk->uses->frames,
                         .frame_address = CL_GET(frame, TILE_RENDERING_MODE, ADDRESS),
                         .address = address & CL_ADDRESS_MASK & ~UINT32_C(15),
                         .whole = address & ~UINT32_C(15),
                         .whole_size = image.bytes,
                         .record = record};
    use.size = touched(&use, &image);
    add_surface(walk, &use);
}

/* Adds the planes of a dump: colour, and Z with stencil. */
static void add_dump(struct cl_walk *walk, enum cl_use_kind kind, uint32_t address, uint32_t planes)
{
    bool halves = CL_GET(walk->frame, TILE_RENDERING_MODE, DOUBLE_BUFFER) &&
                  !CL_GET(walk->frame, TILE_RENDERING_MODE, MULTISAMPLE);
    struct cl_use use = {.kind = (uint8_t)kind,
                         .threads = CL_BY_RENDERER,
                         .tiles = tiles_of_frame(walk->frame),
                         .frame = walk->uses->frames,
                         .frame_address = CL_GET(walk->frame, TILE_RENDERING_MODE, ADDRESS),
                         .address = address & CL_ADDRESS_MASK,
                         .size = planes * PLANE_BYTES / (halves ? 2u : 1u),
                         .whole = address,
                         .record = walk->record};
    use.whole_size = use.size;
    add_surface(walk, &use);
}

static uint32_t colour_bits(const uint8_t *frame, bool is_8888)
{
    if (CL_GET(frame, TILE_RENDERING_MODE, COLOR_64BIT))
        return 64;
    return is_8888 ? 32 : 16;
}

/* Adds the memory of a general store (record 28) or load (record 29). Both records have the fields
 * that are read here. */
static void add_general(struct cl_walk *walk, const uint8_t *data, bool store)
{
    static const uint8_t kinds[] = {[CL_BUFFER_COLOUR] = CL_USE_FRAME,
                                    [CL_BUFFER_ZS] = CL_USE_DEPTH,
                                    [CL_BUFFER_Z] = CL_USE_DEPTH,
                                    [CL_BUFFER_MASK] = CL_USE_MASK};
    uint32_t buffer = CL_GET(data, STORE_TILE_BUFFER_GENERAL, BUFFER);
    uint32_t address = CL_GET_ADDRESS(data, STORE_TILE_BUFFER_GENERAL, ADDRESS);
    uint32_t bits = buffer == CL_BUFFER_MASK ? 8 : 32;
    if (buffer == CL_BUFFER_NONE || buffer > CL_BUFFER_FULL)
        return;
    if (buffer == CL_BUFFER_COLOUR)
        bits = colour_bits(walk->frame,
                           CL_GET(data, STORE_TILE_BUFFER_GENERAL, PIXEL_FORMAT) == GENERAL_8888);
    uint32_t planes = 2 - CL_GET(data, STORE_TILE_BUFFER_GENERAL, DISABLE_COLOR_DUMP) -
                      CL_GET(data, STORE_TILE_BUFFER_GENERAL, DISABLE_ZS_DUMP);
    if (buffer == CL_BUFFER_FULL)
        add_dump(walk, store ? CL_USE_DUMP : CL_USE_LOAD, address, planes);
    else
        add_image(walk, store ? (enum cl_use_kind)kinds[buffer] : CL_USE_LOAD, address,
                  CL_GET(data, STORE_TILE_BUFFER_GENERAL, FORMAT), bits, walk->record);
}

static void add_frame(struct cl_walk *walk)
{
    const uint8_t *frame = walk->frame;
    bool is_8888 = CL_GET(frame, TILE_RENDERING_MODE, COLOR_FORMAT) == FRAME_8888;
    add_image(walk, CL_USE_FRAME, CL_GET(frame, TILE_RENDERING_MODE, ADDRESS),
              CL_GET(frame, TILE_RENDERING_MODE, MEMORY_FORMAT), colour_bits(frame, is_8888),
              walk->frame_record);
}

void cl_walk_tile(struct cl_walk *walk, uint8_t code, const uint8_t *data)
{
    if (code == CL_TILE_RENDERING_MODE) {
        walk->frame = data;
        walk->frame_record = walk->record;
        walk->uses->frames++;
    }
    if (!walk->frame)
        return;
    switch (code) {
    case CL_STORE_MS_TILE_BUFFER:
    case CL_STORE_MS_TILE_BUFFER_AND_EOF: add_frame(walk); break;
    case CL_STORE_TILE_BUFFER_GENERAL: add_general(walk, data, true); break;
    case CL_LOAD_TILE_BUFFER_GENERAL: add_general(walk, data, false); break;
    case CL_STORE_FULL_RES_TILE_BUFFER:
    case CL_LOAD_FULL_RES_TILE_BUFFER:
        add_dump(walk, code == CL_STORE_FULL_RES_TILE_BUFFER ? CL_USE_DUMP : CL_USE_LOAD,
                 CL_GET_ADDRESS(data, STORE_FULL_RES_TILE_BUFFER, ADDRESS),
                 2 - CL_GET(data, STORE_FULL_RES_TILE_BUFFER, DISABLE_COLOR) -
                     CL_GET(data, STORE_FULL_RES_TILE_BUFFER, DISABLE_ZS));
        break;
    }
}
