/* SPDX-License-Identifier: MIT */
/* ptb.c - Primitive Tile Binner.
 *
 * In:       record 112, state records, assembled primitives with shaded vertices; memory.
 * Out:      tile lists: state records, record 56, compressed primitive lists, clipped primitive
 *           records.
 * Source:   manual sections 8 and 9, tables 38 to 44; granules and the overspill protocol from
 *           Broadcom's vmcsx driver and Linux' vc4 driver (docs/vc4/ptb.md).
 * Modelled: all state of a tile in guest memory, in the tile state data array; culling, clipping,
 *           an exact overlap test of primitive and tile; stalls for memory at any point.
 * Left out: 24-bit indices.
 * Choices:  the layout of the 48 bytes of tile state, which the manual does not describe; the base
 *           of a relative branch, which is the 32-byte unit that contains the branch.
 *
 * The binner appends pieces to a list. A piece is a record, or a primitive with the record that
 * opens the primitive's compressed list. Each piece is written to one block, and the tile state
 * contains the position after the latest piece. After a stall between pieces, no piece is lost or
 * repeated. Every block has reserved room for the bytes that end the block. */
#include "vc4/bin/ptb.h"

#include <string.h>

#include "base/bits.h"
#include "base/order.h"
#include "isa/cl/cl.h"
#include "isa/cl/primlist.h"
#include "vc4/raster/clip.h"
#include "vc4/raster/outline.h"
#include "vc4/raster/pse.h"
#include "vc4/raster/vg.h"
#include "vc4/tile/tlb.h"

enum {
    POOL_ALIGNMENT = 256, /* alignment of the pool, which follows the tiles' initial blocks */
    GRANULE_ALIGNMENT = PRIMLIST_BRANCH_UNIT, /* required by targets of relative branches */
    SMALLEST_BLOCK = 32,
    LARGEST_BLOCK = SMALLEST_BLOCK << 3,
    LAST_GRANULES = 256, /* granule size near the end of the pool, equal to the largest block */
    MAX_RECORD = 16,
    CLOSE_RECORDS = 5, /* room for a branch, or for record 16 */
    CLOSE_LIST = 6,    /* room for an escape and a branch */
    INDEX_16_BIT = 1,  /* data type of record 56 for vertex numbers */
    XY_32_BIT = 3,     /* data type of record 56 for coordinates */
    XY_BYTES = 4,      /* index_bytes of struct primlist_format for lists of coordinates */
    NO_FORMAT = 0,     /* tile without record 56 so far; no valid value of the record */
    MAX_VERSION = UINT16_MAX,
    STATE_COUNTER_LIMIT = 0x1f01,
};

/* --- results --- */

/* Ends an operation. Keeps the operation's position if the operation stalled, otherwise resets the
 * position. */
static enum ptb_result finish(struct ptb *ptb, enum ptb_result result)
{
    ptb->stalled = result == PTB_STALLED;
    if (!ptb->stalled) {
        ptb->cursor = ptb->sub_cursor = ptb->clip_record = 0;
        ptb->placed = false;
        ptb->dropped = PTB_KEPT;
    }
    return result;
}

/* --- memory --- */

static uint32_t padding(uint32_t address, uint32_t alignment)
{
    return -address & (alignment - 1);
}

/* Makes the overspill block the pool. Returns false if there is no overspill block. */
static bool take_overspill(struct ptb *ptb)
{
    if (ptb->overspill_size == 0)
        return false;
    uint32_t skip = padding(ptb->overspill_address, GRANULE_ALIGNMENT);
    ptb->pool_address = ptb->overspill_address + skip;
    ptb->pool_left = ptb->overspill_size > skip ? ptb->overspill_size - skip : 0;
    ptb->overspill_size = 0;
    ptb->used_overspill = true;
    return true;
}

/* Returns the size of the next granule. Near the end of the pool, granules are smaller, so that
 * there is room for list blocks and for clipped primitive records. */
static uint32_t granule_size(const struct ptb *ptb)
{
    if (ptb->pool_left >= PTB_POOL_GRANULE)
        return PTB_POOL_GRANULE;
    return ptb->pool_left < LAST_GRANULES ? ptb->pool_left : LAST_GRANULES;
}

/* Takes a granule of at least `need` bytes from the pool, or from the overspill block. */
static enum ptb_result take_granule(struct ptb *ptb, const struct ptb_ports *ports, uint32_t need,
                                    uint32_t *address, uint32_t *left)
{
    while (ptb->pool_left < need)
        if (!take_overspill(ptb)) {
            ptb->out_of_memory = true;
            return PTB_STALLED;
        }
    uint32_t size = granule_size(ptb);
    if (!bus_get(ports->bus, BUS_PTB, ptb->pool_address, size, "tile allocation memory"))
        return PTB_FAILED;
    ptb_guard_take(&ptb->guard, ptb->pool_address, size);
    *address = ptb->pool_address;
    *left = size;
    ptb->pool_address += size;
    ptb->pool_left -= size;
    return PTB_DONE;
}

/* Takes size bytes from the current granule, or from a new one if the rest of the current granule
 * is too small. */
static enum ptb_result take_piece(struct ptb *ptb, const struct ptb_ports *ports, uint32_t size,
                                  uint32_t *granule, uint32_t *left, uint32_t *address)
{
    if (*left < size) {
        enum ptb_result result = take_granule(ptb, ports, size, granule, left);
        if (result != PTB_DONE)
            return result;
    }
    *address = *granule;
    *granule += size;
    *left -= size;
    return PTB_DONE;
}

void ptb_overspill(struct ptb *ptb, uint32_t size)
{
    ptb->overspill_size = size;
    if (size != 0)
        ptb->out_of_memory = false;
}

/* --- tile state --- */

/* One entry of the tile state data array, and the host address of the list's end. */
struct tile {
    uint32_t index;
    uint32_t next, end; /* bus addresses of the list's next byte and of the end of the block */
    uint16_t version[PTB_ITEMS];
    struct primlist_primitive previous;
    uint8_t format; /* data byte of record 56, or NO_FORMAT */
    bool in_list;   /* true if the position is inside a compressed list */
    uint8_t *host;  /* host address of the byte at bus address next */
};

/* Offsets of an entry's fields, in bytes, and its flags. */
enum {
    AT_NEXT = 0,
    AT_END = 4,
    AT_VERSIONS = 8,
    AT_PREVIOUS = 28,
    AT_FORMAT = 40,
    AT_FLAGS = 41,
    AT_CHECK = 44,
    FLAG_IN_LIST = 1,
    FLAG_PREVIOUS = 2,
};
_Static_assert(AT_VERSIONS + 2 * PTB_ITEMS <= AT_PREVIOUS,
               "versions overlap the previous primitive");

static uint32_t tile_address(const struct ptb *ptb, uint32_t index)
{
    return ptb->state_address + index * PTB_TILE_STATE_BYTES;
}

/* Returns the check value of an entry, which depends on the entry's bytes, the tile and the address
 * of the allocation. The check value detects entries that the binner did not write. */
static uint32_t tile_check(const struct ptb *ptb, uint32_t index, const uint8_t *bytes)
{
    uint32_t hash = (ptb->allocation_address ^ 0x54696c65) + index * 0x9e3779b1;
    for (uint32_t i = 0; i < AT_CHECK; i += 4)
        hash = (hash ^ load_le32(bytes + i)) * 0x85ebca6b;
    return hash ^ hash >> 15;
}

static void store_tile(const struct ptb *ptb, const struct tile *tile, uint8_t *bytes)
{
    store_le32(bytes + AT_NEXT, tile->next);
    store_le32(bytes + AT_END, tile->end);
    for (uint32_t i = 0; i < PTB_ITEMS; i++)
        store_le16(bytes + AT_VERSIONS + 2 * i, tile->version[i]);
    for (uint32_t i = 0; i < 3; i++)
        store_le32(bytes + AT_PREVIOUS + 4 * i, tile->previous.vertex[i]);
    bytes[AT_FORMAT] = tile->format;
    bytes[AT_FLAGS] = (uint8_t)((tile->in_list ? FLAG_IN_LIST : 0) |
                                (tile->previous.valid ? FLAG_PREVIOUS : 0));
    store_le16(bytes + AT_FLAGS + 1, 0);
    store_le32(bytes + AT_CHECK, tile_check(ptb, tile->index, bytes));
}

/* Returns true if an entry has the right check value, and if the room left in the list's block is
 * plausible: enough for the bytes that end the block, and at most the largest block. Otherwise the
 * binner did not write the entry. */
static bool entry_is_ours(const struct ptb *ptb, uint32_t index, const uint8_t *bytes)
{
    uint32_t room = load_le32(bytes + AT_END) - load_le32(bytes + AT_NEXT);
    uint32_t least = bytes[AT_FLAGS] & FLAG_IN_LIST ? CLOSE_LIST : CLOSE_RECORDS;
    return load_le32(bytes + AT_CHECK) == tile_check(ptb, index, bytes) && room >= least &&
           room <= LARGEST_BLOCK;
}

static void unpack_tile(struct tile *tile, uint32_t index, const uint8_t *bytes)
{
    tile->index = index;
    tile->next = load_le32(bytes + AT_NEXT);
    tile->end = load_le32(bytes + AT_END);
    for (uint32_t i = 0; i < PTB_ITEMS; i++)
        tile->version[i] = load_le16(bytes + AT_VERSIONS + 2 * i);
    for (uint32_t i = 0; i < 3; i++)
        tile->previous.vertex[i] = load_le32(bytes + AT_PREVIOUS + 4 * i);
    tile->previous.valid = bytes[AT_FLAGS] & FLAG_PREVIOUS;
    tile->format = bytes[AT_FORMAT];
    tile->in_list = bytes[AT_FLAGS] & FLAG_IN_LIST;
}

/* Reports an entry that the binner did not write. If record 112 does not request auto-initialise,
 * the array was not initialised. Otherwise the entry was overwritten after its initialisation. */
static void report_state(struct ptb *ptb, const struct ptb_ports *ports, uint32_t address,
                         uint32_t index)
{
    uint32_t column = index % ptb->tiles_x, row = index / ptb->tiles_x;
    if (!ptb->auto_initialise)
        fault_at(ports->log, FAULT_PTB_STATE, address,
                 "the state of tile (%u, %u) was not written by the binner in this frame", column,
                 row);
    else
        fault_at(ports->log, FAULT_PTB_STATE, address,
                 "the state of tile (%u, %u) has been changed since the binner wrote it" WITH_HINT
                 "do not write the tile state data array (%u bytes from 0x%08x on) between Start "
                 "Tile Binning (6) and the flush",
                 column, row, ptb->tiles_x * ptb->tiles_y * PTB_TILE_STATE_BYTES,
                 ptb->state_address);
}

/* Reads a tile's entry. Returns the entry's host address for store_tile(). If the entry is invalid
 * or unmapped, reports a finding and returns NULL. */
static uint8_t *load_tile(struct ptb *ptb, const struct ptb_ports *ports, struct tile *tile,
                          uint32_t index)
{
    uint32_t address = tile_address(ptb, index);
    uint8_t *bytes = bus_get(ports->bus, BUS_PTB, address, PTB_TILE_STATE_BYTES, "tile state");
    if (!bytes)
        return NULL;
    if (!entry_is_ours(ptb, index, bytes)) {
        report_state(ptb, ports, address, index);
        return NULL;
    }
    unpack_tile(tile, index, bytes);
    tile->host = bus_get(ports->bus, BUS_PTB, tile->next, tile->end - tile->next,
                         "tile list block");
    bus_observe(ports->bus, BUS_PTB, tile->next, tile->end - tile->next, true);
    return tile->host ? bytes : NULL;
}

/* --- writing a list --- */

static void put(struct tile *tile, const uint8_t *bytes, size_t size)
{
    memcpy(tile->host, bytes, size);
    tile->host += size;
    tile->next += (uint32_t)size;
}

static void leave_list(struct tile *tile)
{
    const uint8_t escape = PRIMLIST_ESCAPE;
    if (tile->in_list)
        put(tile, &escape, 1);
    tile->in_list = false;
    tile->previous.valid = false;
}

/* Writes a relative branch to target. Returns false if the current position is not in a compressed
 * list, or if the target is too far away or not aligned. */
static bool put_relative_branch(struct tile *tile, uint32_t target)
{
    uint32_t base = tile->next & ~(uint32_t)(PRIMLIST_BRANCH_UNIT - 1);
    int32_t distance = (int32_t)(target - base);
    int32_t units = distance / PRIMLIST_BRANCH_UNIT;
    if (!tile->in_list || distance % PRIMLIST_BRANCH_UNIT != 0 || units != (int16_t)units)
        return false;
    uint8_t item[3] = {PRIMLIST_BRANCH};
    store_le16(item + 1, (uint16_t)units);
    put(tile, item, sizeof item);
    return true;
}

/* Continues a list in a new block: takes the block, and writes a branch to it. */
static enum ptb_result chain(struct ptb *ptb, const struct ptb_ports *ports, struct tile *tile)
{
    uint32_t block;
    enum ptb_result result = take_piece(ptb, ports, ptb->block, &ptb->block_address,
                                        &ptb->block_left, &block);
    if (result != PTB_DONE)
        return result;
    uint8_t *host = bus_get(ports->bus, BUS_PTB, block, ptb->block, "tile list block");
    bus_observe(ports->bus, BUS_PTB, block, ptb->block, true);
    if (!host)
        return PTB_FAILED;

    if (!put_relative_branch(tile, block)) {
        uint8_t record[CLOSE_RECORDS] = {CL_BRANCH};
        store_le32(record + 1, block);
        leave_list(tile);
        put(tile, record, sizeof record);
    }
    tile->next = block;
    tile->end = block + ptb->block;
    tile->host = host;
    return PTB_DONE;
}

/* Appends one record, outside of compressed lists. */
static enum ptb_result append_record(struct ptb *ptb, const struct ptb_ports *ports,
                                     struct tile *tile, const uint8_t *record, uint32_t size)
{
    leave_list(tile);
    if (tile->end - tile->next < size + CLOSE_RECORDS) {
        enum ptb_result result = chain(ptb, ports, tile);
        if (result != PTB_DONE)
            return result;
    }
    put(tile, record, size);
    return PTB_DONE;
}

/* --- state --- */

#define ITEM_BIT(item) (1u << PTB_ITEM_##item)

enum {
    ITEMS_ALL = (1 << PTB_ITEMS) - 1,
    ITEMS_COMMON = ITEM_BIT(SHADER) | ITEM_BIT(CONFIGURATION) | ITEM_BIT(FLAT_SHADE) |
                   ITEM_BIT(CLIP_WINDOW) | ITEM_BIT(VIEWPORT) | ITEM_BIT(Z_MIN_MAX),
};

/* Items that affect each type of primitive. */
static const uint32_t items_of[] = {
    [PRIMITIVE_POINT] = ITEMS_COMMON | ITEM_BIT(POINT_SIZE),
    [PRIMITIVE_LINE] = ITEMS_COMMON | ITEM_BIT(LINE_WIDTH),
    [PRIMITIVE_TRIANGLE] = ITEMS_COMMON | ITEM_BIT(DEPTH_OFFSET),
    [PRIMITIVE_RHT] = ITEMS_COMMON | ITEM_BIT(RHT_X),
};

/* Returns the item of a record, or PTB_ITEMS for records that do not reach tile lists. */
static enum ptb_item item_of(uint8_t code)
{
    switch (code) {
    case CL_GL_SHADER_STATE:
    case CL_NV_SHADER_STATE:
    case CL_VG_SHADER_STATE:
    case CL_VG_INLINE_SHADER_RECORD: return PTB_ITEM_SHADER;
    case CL_CONFIGURATION_BITS: return PTB_ITEM_CONFIGURATION;
    case CL_FLAT_SHADE_FLAGS: return PTB_ITEM_FLAT_SHADE;
    case CL_POINT_SIZE: return PTB_ITEM_POINT_SIZE;
    case CL_LINE_WIDTH: return PTB_ITEM_LINE_WIDTH;
    case CL_RHT_X_BOUNDARY: return PTB_ITEM_RHT_X;
    case CL_DEPTH_OFFSET: return PTB_ITEM_DEPTH_OFFSET;
    case CL_CLIP_WINDOW: return PTB_ITEM_CLIP_WINDOW;
    case CL_VIEWPORT_OFFSET: return PTB_ITEM_VIEWPORT;
    case CL_Z_MIN_MAX: return PTB_ITEM_Z_MIN_MAX;
    default: return PTB_ITEMS;
    }
}

/* Encodes the state's current value of an item: returns the record code and fills data. */
static uint8_t encode_item(enum ptb_item item, const struct cl_state *state, uint8_t *data)
{
    switch (item) {
    case PTB_ITEM_SHADER:
        store_le32(data, state->shader_word);
        store_le32(data + 4, state->shader_word1);
        return state->shader_code;
    case PTB_ITEM_CONFIGURATION:
        store_le32(data, state->configuration);
        return CL_CONFIGURATION_BITS;
    case PTB_ITEM_FLAT_SHADE: store_le32(data, state->flat_shade); return CL_FLAT_SHADE_FLAGS;
    case PTB_ITEM_POINT_SIZE: store_le32(data, float_bits(state->point_size)); return CL_POINT_SIZE;
    case PTB_ITEM_LINE_WIDTH: store_le32(data, float_bits(state->line_width)); return CL_LINE_WIDTH;
    case PTB_ITEM_RHT_X: store_le16(data, (uint16_t)state->rht_x); return CL_RHT_X_BOUNDARY;
    case PTB_ITEM_DEPTH_OFFSET: store_le32(data, state->depth_offset); return CL_DEPTH_OFFSET;
    case PTB_ITEM_CLIP_WINDOW:
        store_le16(data, state->clip_left);
        store_le16(data + 2, state->clip_bottom);
        store_le16(data + 4, state->clip_width);
        store_le16(data + 6, state->clip_height);
        return CL_CLIP_WINDOW;
    case PTB_ITEM_VIEWPORT:
        store_le16(data, (uint16_t)state->viewport_x);
        store_le16(data + 2, (uint16_t)state->viewport_y);
        return CL_VIEWPORT_OFFSET;
    default:
        store_le32(data, float_bits(state->z_min));
        store_le32(data + 4, float_bits(state->z_max));
        return CL_Z_MIN_MAX;
    }
}

static enum ptb_result append_item(struct ptb *ptb, const struct ptb_ports *ports,
                                   struct tile *tile, enum ptb_item item,
                                   const struct cl_state *state)
{
    uint8_t record[MAX_RECORD] = {0};
    record[0] = encode_item(item, state, record + 1);
    bool none = item == PTB_ITEM_SHADER && record[0] == 0;
    enum ptb_result result = PTB_DONE;
    if (!none)
        result = append_record(ptb, ports, tile, record, cl_packet(record[0])->bytes);
    if (result == PTB_DONE)
        tile->version[item] = ptb->version[item];
    return result;
}

/* Appends the items of a set whose versions differ from the versions in the tile's list. */
static enum ptb_result append_items(struct ptb *ptb, const struct ptb_ports *ports,
                                    struct tile *tile, uint32_t items, const struct cl_state *state)
{
    if (memcmp(tile->version, ptb->version, sizeof tile->version) == 0)
        return PTB_DONE;
    for (enum ptb_item item = 0; item < PTB_ITEMS; item++) {
        if (!(items >> item & 1) || tile->version[item] == ptb->version[item])
            continue;
        enum ptb_result result = append_item(ptb, ports, tile, item, state);
        if (result != PTB_DONE)
            return result;
    }
    return PTB_DONE;
}

/* Appends record 56 if the format changes. Record 56 takes effect with the next shader state
 * record, so the tile's shader item is marked as outdated. */
static enum ptb_result append_format(struct ptb *ptb, const struct ptb_ports *ports,
                                     struct tile *tile, uint8_t format)
{
    if (tile->format == format)
        return PTB_DONE;
    const uint8_t record[] = {CL_PRIMITIVE_LIST_FORMAT, format};
    enum ptb_result result = append_record(ptb, ports, tile, record, sizeof record);
    if (result == PTB_DONE) {
        tile->format = format;
        tile->version[PTB_ITEM_SHADER] = (uint16_t)~ptb->version[PTB_ITEM_SHADER];
    }
    return result;
}

/* Sets every tile's version of an item to 0. Later versions are larger, so the item counts as
 * changed in every tile. */
static void forget_versions(struct ptb *ptb, const struct ptb_ports *ports, enum ptb_item item)
{
    for (uint32_t i = 0; i < ptb->tiles_x * ptb->tiles_y; i++) {
        uint8_t *bytes = bus_peek(ports->bus, tile_address(ptb, i), PTB_TILE_STATE_BYTES);
        if (!bytes || !entry_is_ours(ptb, i, bytes))
            continue; /* the error is reported when a primitive enters the tile */
        store_le16(bytes + AT_VERSIONS + 2 * (uint32_t)item, 0);
        store_le32(bytes + AT_CHECK, tile_check(ptb, i, bytes));
    }
}

/* Counts changes of state after primitives, like the silicon's state counter. When the counter
 * reaches its limit, the hardware flushes the outstanding state and resets the counter, which can
 * put invalid records into tile lists (erratum HW-2116; Broadcom's released driver, vg_hw_4.c). The
 * model reports a finding, and the lists stay valid. */
static void count_change(struct ptb *ptb, const struct ptb_ports *ports)
{
    if (!ptb->drawn)
        return;
    ptb->drawn = false;
    if (++ptb->changes < STATE_COUNTER_LIMIT)
        return;
    fault(ports->log, FAULT_PTB_STATE_COUNTER,
          "the binner's state counter has reached its limit of %u state changes after primitives",
          STATE_COUNTER_LIMIT);
    ptb->changes = 0;
}

void ptb_state_changed(struct ptb *ptb, const struct ptb_ports *ports, uint8_t code)
{
    enum ptb_item item = item_of(code);
    if (!ptb->started || item == PTB_ITEMS)
        return;
    count_change(ptb, ports);
    if (ptb->version[item] == MAX_VERSION) {
        forget_versions(ptb, ports, item);
        ptb->version[item] = 0;
    }
    ptb->version[item]++;
}

/* --- primitives in lists --- */

/* A primitive, or a part of a primitive, that is appended to lists. */
struct job {
    const struct cl_state *state;
    struct primlist_format format;
    uint32_t items;     /* set of the state items that affect the primitive */
    uint32_t vertex[3]; /* vertex numbers, or coordinates in VG mode */
    uint8_t clipped;    /* member clipped of struct clip_part */
};

/* Writes the record that opens a compressed list. Returns the record's size in bytes. */
static size_t open_list(const struct ptb *ptb, const struct job *job, uint8_t *out)
{
    if (job->clipped == 0) {
        out[0] = CL_COMPRESSED_PRIMITIVE_LIST;
        return 1;
    }
    out[0] = CL_CLIPPED_PRIMITIVE_LIST;
    store_le32(out + 1, ptb->clip_record | job->clipped);
    return CLOSE_RECORDS;
}

/* Records in the statistics of draws (draws.h) that the next primitive of the tile's list belongs
 * to the current draw. opening is the size of the record that opens the list, or 0. */
static void mark_draw(struct ptb *ptb, const struct ptb_ports *ports, const struct tile *tile,
                      size_t opening)
{
    if (ports->draws)
        draws_mark(ports->draws, tile->index, tile->next + (uint32_t)opening, ptb->draw);
}

/* Appends the primitive to the compressed list that is open, or opens a compressed list. A clipped
 * primitive always opens a list, because record 49 contains the address of its new vertices. */
static enum ptb_result append_primitive(struct ptb *ptb, const struct ptb_ports *ports,
                                        struct tile *tile, const struct job *job)
{
    if (job->clipped != 0)
        leave_list(tile);
    for (;;) {
        uint8_t bytes[CLOSE_RECORDS + PRIMLIST_MAX_ITEM];
        struct primlist_primitive previous = tile->previous;
        size_t opening = tile->in_list ? 0 : open_list(ptb, job, bytes);
        size_t size = opening +
                      primlist_write(&job->format, job->vertex, &previous, bytes + opening);
        if (tile->end - tile->next >= size + CLOSE_LIST) {
            mark_draw(ptb, ports, tile, opening);
            put(tile, bytes, size);
            tile->previous = previous;
            tile->in_list = true;
            return PTB_DONE;
        }
        enum ptb_result result = chain(ptb, ports, tile); /* may close the list */
        if (result != PTB_DONE)
            return result;
    }
}
_Static_assert(SMALLEST_BLOCK >= CLOSE_RECORDS + PRIMLIST_MAX_ITEM + CLOSE_LIST,
               "every piece fits into an empty block");

static enum ptb_result append_pieces(struct ptb *ptb, const struct ptb_ports *ports,
                                     struct tile *tile, const struct job *job)
{
    uint32_t data_type = job->format.index_bytes == XY_BYTES ? XY_32_BIT : INDEX_16_BIT;
    uint8_t format = (uint8_t)(data_type << 4 | job->format.type);
    enum ptb_result result = append_format(ptb, ports, tile, format);
    if (result == PTB_DONE)
        result = append_items(ptb, ports, tile, job->items, job->state);
    if (result == PTB_DONE)
        result = append_primitive(ptb, ports, tile, job);
    return result;
}

static enum ptb_result append_job(struct ptb *ptb, const struct ptb_ports *ports, uint32_t index,
                                  const struct job *job)
{
    struct tile tile;
    uint8_t *bytes = load_tile(ptb, ports, &tile, index);
    if (!bytes)
        return PTB_FAILED;
    enum ptb_result result = append_pieces(ptb, ports, &tile, job);
    store_tile(ptb, &tile, bytes); /* even after a stall, to keep the pieces already written */
    return result;
}

/* --- overlap of primitives and tiles --- */

/* The area that the rasteriser can cover for a primitive, or for a convex part of it. */
struct shape {
    struct edge edge[OUTLINE_MAX_CORNERS];
    uint32_t edges;
    struct draw_area area; /* pixels of the bounds that are in the clip window and on tiles */
    bool whole;            /* true if all pixels of the bounds are in the window and on tiles */
};

/* pixel_floor() returns the pixel that contains a coordinate. pixel_ceiling() returns the first
 * pixel that begins at or after the coordinate. */
static int32_t pixel_floor(int64_t raster)
{
    return (int32_t)(raster >> OUTLINE_SUBPIXEL_BITS);
}

static int32_t pixel_ceiling(int64_t raster)
{
    return pixel_floor(raster + OUTLINE_UNIT - 1);
}

static struct draw_area pixels_of(struct corner low, struct corner high)
{
    return (struct draw_area){pixel_floor(low.x), pixel_floor(low.y), pixel_ceiling(high.x),
                              pixel_ceiling(high.y)};
}

static struct draw_area intersection(struct draw_area a, struct draw_area b)
{
    return (struct draw_area){most_i32(a.left, b.left), most_i32(a.bottom, b.bottom),
                              least_i32(a.right, b.right), least_i32(a.top, b.top)};
}

/* Returns the pixels of the clip window that lie on tiles. */
static struct draw_area drawable(const struct ptb *ptb, const struct cl_state *state)
{
    struct draw_area window = {state->clip_left, state->clip_bottom,
                               state->clip_left + state->clip_width,
                               state->clip_bottom + state->clip_height};
    struct draw_area tiles = {0, 0, (int32_t)(ptb->tiles_x * ptb->tile_width),
                              (int32_t)(ptb->tiles_y * ptb->tile_height)};
    return intersection(window, tiles);
}

static void check_point_size(struct ptb *ptb, const struct ptb_ports *ports, float size)
{
    if (!(size >= OUTLINE_MIN_POINT_SIZE) && !ptb->stalled)
        fault(ports->log, FAULT_PTB_POINT_SIZE, "the point size is %g pixels; the minimum is 0.125",
              (double)size);
}

static void drop(struct ptb *ptb, enum ptb_drop why)
{
    if (ptb->dropped < why)
        ptb->dropped = (uint8_t)why;
}

static bool is_empty(const struct draw_area *area)
{
    return area->left >= area->right || area->bottom >= area->top;
}

/* Sets the shape's area to the pixels of `all` that are in the clip window and on tiles. If there
 * are no such pixels, records that the shape is outside, and returns false. */
static bool set_area(struct ptb *ptb, const struct ptb_ports *ports, struct shape *shape,
                     const struct cl_state *state, struct draw_area all)
{
    shape->area = intersection(all, drawable(ptb, state));
    shape->whole = memcmp(&all, &shape->area, sizeof all) == 0;
    if (!is_empty(&shape->area))
        return true;
    drop(ptb, PTB_OUTSIDE);
    if (ports->draws)
        draws_outside(ports->draws, ptb->draw, all);
    return false;
}

/* Sets up the shape of a part. If no pixel of the part can be drawn, records the reason and returns
 * false. */
static bool set_shape(struct ptb *ptb, const struct ptb_ports *ports, struct shape *shape,
                      const struct cl_state *state, enum primitive_type type,
                      const struct clip_part *part, const struct vertex *const vertex[3])
{
    struct outline outline;
    struct corner position[3], low, high;
    for (unsigned i = 0; i <= (unsigned)type; i++)
        position[i] = outline_position(state, part->vertex[i].x, part->vertex[i].y);
    if (type == PRIMITIVE_POINT)
        check_point_size(ptb, ports, vertex[0]->point_size);
    if (!outline_set(&outline, state, type, position, vertex[0]->point_size)) {
        drop(ptb, PTB_NO_AREA);
        return false;
    }
    bool reverse = type == PRIMITIVE_TRIANGLE && pse_is_reverse(state, outline.area);
    if (type == PRIMITIVE_TRIANGLE && !pse_is_drawn(state, reverse)) {
        drop(ptb, reverse ? PTB_REVERSED : PTB_FORWARD);
        return false;
    }
    shape->edges = outline.count;
    for (uint32_t i = 0; i < outline.count; i++)
        shape->edge[i] = outline_edge(&outline, i);
    outline_bounds(&outline, &low, &high);
    return set_area(ptb, ports, shape, state, pixels_of(low, high));
}
_Static_assert(PRIMITIVE_POINT == 0 && PRIMITIVE_LINE == 1 && PRIMITIVE_TRIANGLE == 2,
               "a type is one less than its vertices");

/* Returns true if a rectangle of pixels has points inside the edge. */
static bool reaches(const struct edge *edge, const struct draw_area *area)
{
    int64_t x = (int64_t)(edge->a > 0 ? area->right : area->left) * OUTLINE_UNIT;
    int64_t y = (int64_t)(edge->b > 0 ? area->top : area->bottom) * OUTLINE_UNIT;
    return edge->a * x + edge->b * y + edge->c > 0;
}

/* Returns true if the shape overlaps a tile. The test of the bounds and of each edge is exact,
 * because the tile is a rectangle and the shape is convex. */
static bool touches(const struct ptb *ptb, const struct shape *shape, uint32_t column, uint32_t row)
{
    int32_t left = (int32_t)(column * ptb->tile_width), bottom = (int32_t)(row * ptb->tile_height);
    struct draw_area tile = {left, bottom, left + (int32_t)ptb->tile_width,
                             bottom + (int32_t)ptb->tile_height};
    tile = intersection(tile, shape->area);
    if (is_empty(&tile))
        return false;
    for (uint32_t i = 0; i < shape->edges; i++)
        if (!reaches(&shape->edge[i], &tile))
            return false;
    return true;
}

/* Writes the part's clipped primitive record, unless the record was written for an earlier tile or
 * the part has no new vertices. */
static enum ptb_result write_clip_record(struct ptb *ptb, const struct ptb_ports *ports,
                                         const struct clip_part *part)
{
    if (part->clipped == 0 || ptb->clip_record != 0)
        return PTB_DONE;
    uint8_t bytes[3 * CLIP_VERTEX_BYTES];
    uint32_t size = (uint32_t)clip_record_write(part, bytes), address;
    enum ptb_result result = take_piece(ptb, ports, size, &ptb->clip_address, &ptb->clip_left,
                                        &address);
    if (result != PTB_DONE)
        return result;
    uint8_t *host = bus_get(ports->bus, BUS_PTB, address, size, "clipped primitive record");
    bus_observe(ports->bus, BUS_PTB, address, size, true);
    if (!host)
        return PTB_FAILED;
    memcpy(host, bytes, size);
    ptb->clip_record = address;
    return PTB_DONE;
}

static bool any_touches(const struct ptb *ptb, const struct shape *shape, unsigned shapes,
                        uint32_t column, uint32_t row)
{
    for (unsigned i = 0; i < shapes; i++)
        if (touches(ptb, &shape[i], column, row))
            return true;
    return false;
}

static struct draw_area area_around(const struct shape *shape, unsigned shapes)
{
    struct draw_area area = shape[0].area;
    for (unsigned i = 1; i < shapes; i++) {
        area.left = least_i32(area.left, shape[i].area.left);
        area.bottom = least_i32(area.bottom, shape[i].area.bottom);
        area.right = most_i32(area.right, shape[i].area.right);
        area.top = most_i32(area.top, shape[i].area.top);
    }
    return area;
}

/* Appends a primitive, or a part of it, to the lists of all tiles that one of its shapes touches.
 * Begins at tile ptb->cursor. part is NULL in VG mode. */
static enum ptb_result bin_shapes(struct ptb *ptb, const struct ptb_ports *ports,
                                  const struct shape *shape, unsigned shapes,
                                  const struct clip_part *part, const struct job *job)
{
    struct draw_area area = area_around(shape, shapes);
    uint32_t left = (uint32_t)area.left / ptb->tile_width;
    uint32_t bottom = (uint32_t)area.bottom / ptb->tile_height;
    uint32_t columns = (uint32_t)(area.right - 1) / ptb->tile_width - left + 1;
    uint32_t rows = (uint32_t)(area.top - 1) / ptb->tile_height - bottom + 1;
    bool one_tile = columns * rows == 1 && shapes == 1 && shape->whole;
    for (; ptb->cursor < columns * rows; ptb->cursor++) {
        uint32_t column = left + ptb->cursor % columns, row = bottom + ptb->cursor / columns;
        if (!one_tile && !any_touches(ptb, shape, shapes, column, row))
            continue;
        enum ptb_result result = part ? write_clip_record(ptb, ports, part) : PTB_DONE;
        if (result == PTB_DONE)
            result = append_job(ptb, ports, row * ptb->tiles_x + column, job);
        if (result != PTB_DONE)
            return result;
        ptb->placed = true;
    }
    return PTB_DONE;
}

/* --- operations --- */

void ptb_reset(struct ptb *ptb)
{
    *ptb = (struct ptb){.primitives = ptb->primitives};
}

void ptb_abandon(struct ptb *ptb)
{
    ptb->stalled = ptb->placed = ptb->started = ptb->out_of_memory = false;
    ptb->dropped = PTB_KEPT;
    ptb->cursor = ptb->sub_cursor = ptb->clip_record = 0;
}

static bool bit(const uint8_t *data, uint32_t position)
{
    return cl_bits(data, position, 1) != 0;
}

static void set_tile_size(struct ptb *ptb, const uint8_t *data)
{
    struct tlb_geometry tile = tlb_geometry(bit(data, CL_TILE_BINNING_MODE_MULTISAMPLE_BIT),
                                            bit(data, CL_TILE_BINNING_MODE_COLOR_64BIT_BIT),
                                            bit(data, CL_TILE_BINNING_MODE_DOUBLE_BUFFER_BIT));
    ptb->tile_width = tile.width;
    ptb->tile_height = tile.height;
}

static void read_configuration(struct ptb *ptb, const uint8_t *data)
{
    ptb->allocation_address = CL_GET(data, TILE_BINNING_MODE, ALLOCATION_ADDRESS);
    ptb->allocation_size = CL_GET(data, TILE_BINNING_MODE, ALLOCATION_SIZE);
    ptb->state_address = CL_GET(data, TILE_BINNING_MODE, STATE_ADDRESS);
    ptb->tiles_x = CL_GET(data, TILE_BINNING_MODE, WIDTH);
    ptb->tiles_y = CL_GET(data, TILE_BINNING_MODE, HEIGHT);
    ptb->initial_block = (uint32_t)SMALLEST_BLOCK
                         << CL_GET(data, TILE_BINNING_MODE, INITIAL_BLOCK_SIZE);
    ptb->block = (uint32_t)SMALLEST_BLOCK << CL_GET(data, TILE_BINNING_MODE, BLOCK_SIZE);
    ptb->auto_initialise = CL_GET(data, TILE_BINNING_MODE, AUTO_INITIALISE);
    set_tile_size(ptb, data);
}

static uint32_t tile_count(const struct ptb *ptb)
{
    return ptb->tiles_x * ptb->tiles_y;
}

/* Checks record 112 and reports its errors. Returns false if binning is impossible. */
static bool configuration_is_usable(struct ptb *ptb, const struct ptb_ports *ports)
{
    uint32_t blocks = tile_count(ptb) * ptb->initial_block;
    if (blocks == 0) {
        fault(ports->log, FAULT_PTB_CONFIG,
              "invalid binning size of %u by %u tiles" WITH_HINT
              "set the width and the height in Tile Binning Mode Configuration (112) to the "
              "image's size in tiles, each at least 1",
              ptb->tiles_x, ptb->tiles_y);
        return false;
    }
    if (blocks > ptb->allocation_size)
        fault_at(ports->log, FAULT_PTB_CONFIG, ptb->allocation_address,
                 "the tile allocation memory has %u bytes, but the first blocks of %u tiles need "
                 "%u and extend past its end" WITH_HINT
                 "set the tile allocation memory size to %u bytes or more",
                 ptb->allocation_size, tile_count(ptb), blocks, blocks);
    if (ptb->state_address % 16 != 0)
        fault_at(
            ports->log, FAULT_PTB_CONFIG, ptb->state_address,
            "the tile state data array is not 16-byte aligned; the low bits are ignored" WITH_HINT
            "align the array: .align 16 before its label");
    ptb->state_address &= ~UINT32_C(15);
    return bus_get(ports->bus, BUS_PTB, ptb->allocation_address, blocks,
                   "first tile list blocks") &&
           bus_get(ports->bus, BUS_PTB, ptb->state_address, tile_count(ptb) * PTB_TILE_STATE_BYTES,
                   "tile state data array");
}

/* Sets the pool to the memory after the initial blocks. If the initial blocks are larger than the
 * allocation, the subtraction wraps and the pool becomes very large. This matches the silicon,
 * which continues and draws: asurati/x03 demo/d53.c allocates only 4096 bytes for 300 tiles. */
static void set_pool(struct ptb *ptb)
{
    uint32_t blocks = tile_count(ptb) * ptb->initial_block;
    uint32_t skip = padding(ptb->allocation_address + blocks, POOL_ALIGNMENT);
    uint32_t behind = ptb->allocation_size - blocks;
    ptb->pool_address = ptb->allocation_address + blocks + skip;
    ptb->pool_left = behind > skip ? behind - skip : 0;
    ptb->block_left = ptb->clip_left = 0;
}

enum ptb_result ptb_configure(struct ptb *ptb, const struct ptb_ports *ports, const uint8_t *data)
{
    ptb->configured = ptb->started = false;
    ptb->out_of_memory = false;
    read_configuration(ptb, data);
    if (!configuration_is_usable(ptb, ports))
        return finish(ptb, PTB_FAILED);
    set_pool(ptb);
    ptb_guard_begin(&ptb->guard);
    ptb_guard_take(&ptb->guard, ptb->allocation_address, tile_count(ptb) * ptb->initial_block);
    ptb->configured = true;
    if (ports->draws)
        draws_begin_binning(ports->draws, ptb->allocation_address, ptb->initial_block, ptb->tiles_x,
                            ptb->tiles_y);
    return finish(ptb, PTB_DONE);
}

static void initialise_tiles(struct ptb *ptb, uint8_t *bytes)
{
    for (uint32_t i = 0; i < tile_count(ptb); i++, bytes += PTB_TILE_STATE_BYTES) {
        struct tile tile = {.index = i, .next = ptb->allocation_address + i * ptb->initial_block};
        tile.end = tile.next + ptb->initial_block;
        store_tile(ptb, &tile, bytes);
    }
}

enum ptb_result ptb_start(struct ptb *ptb, const struct ptb_ports *ports)
{
    if (!ptb->configured) {
        fault(ports->log, FAULT_CL_ORDER,
              "Start Tile Binning (6) without an earlier Tile Binning Mode Configuration "
              "(112)" WITH_HINT
              "send Tile Binning Mode Configuration (112) before Start Tile Binning (6)");
        return finish(ptb, PTB_FAILED);
    }
    memset(ptb->version, 0, sizeof ptb->version);
    ptb->started = true;
    ptb->changes = 0;
    ptb->drawn = false;
    if (!ptb->auto_initialise)
        return finish(ptb, PTB_DONE);
    uint8_t *bytes = bus_get(ports->bus, BUS_PTB, ptb->state_address,
                             tile_count(ptb) * PTB_TILE_STATE_BYTES, "tile state data array");
    if (!bytes)
        return finish(ptb, PTB_FAILED);
    bus_observe(ports->bus, BUS_PTB, ptb->state_address, tile_count(ptb) * PTB_TILE_STATE_BYTES,
                true);
    initialise_tiles(ptb, bytes);
    return finish(ptb, PTB_DONE);
}

static bool has_started(struct ptb *ptb, const struct ptb_ports *ports, const char *what)
{
    if (!ptb->started)
        fault(ports->log, FAULT_CL_ORDER,
              "%s before Start Tile Binning (6)" WITH_HINT
              "send Start Tile Binning (6) after Tile Binning Mode Configuration (112), and "
              "before all primitives and flushes",
              what);
    return ptb->started;
}

/* Returns true if the shader record enables clipping and the vertices have clip coordinates.
 * Reports vertices without clip coordinates. */
static bool wants_clipping(struct ptb *ptb, const struct ptb_ports *ports,
                           const struct shader_record *record)
{
    if (!(record->flags & SHADER_CLIPPING) || ptb->clip_disabled)
        return false;
    if (record->code == CL_NV_SHADER_STATE && !(record->flags & SHADER_CLIP_HEADER)) {
        if (!ptb->stalled)
            fault_at(
                ports->log, FAULT_PTB_CLIP_HEADER, record->address,
                "the shader record enables clipping, but its vertices have no clip coordinates");
        return false;
    }
    return true;
}

/* Splits the primitive into the parts to bin. Returns the number of parts. */
static unsigned make_parts(struct ptb *ptb, const struct ptb_ports *ports,
                           struct clip_part part[CLIP_MAX_PARTS], const struct cl_state *state,
                           const struct shader_record *record, enum primitive_type type,
                           const struct vertex *const vertex[3])
{
    unsigned vertices = (unsigned)type + 1;
    if (!wants_clipping(ptb, ports, record)) {
        clip_whole(part, vertices, vertex);
        return 1;
    }
    unsigned count = clip_primitive(part, state, vertices, vertex);
    if (count == 0)
        drop(ptb, clip_is_finite(vertices, vertex) ? PTB_CLIPPED : PTB_NOT_FINITE);
    bool no_scale = state->clipper_x == 0 || state->clipper_y == 0;
    if (count != 0 && part[0].clipped != 0 && no_scale && !ptb->stalled)
        fault(ports->log, FAULT_PTB_CLIP_SCALE,
              "a primitive was clipped with a viewport of %g by %g (record 105)",
              (double)state->clipper_x, (double)state->clipper_y);
    return count;
}

static enum ptb_result bin_part(struct ptb *ptb, const struct ptb_ports *ports, struct job *job,
                                enum primitive_type type, const struct clip_part *part,
                                const struct vertex *const vertex[3])
{
    struct shape shape;
    job->clipped = part->clipped;
    if (!set_shape(ptb, ports, &shape, job->state, type, part, vertex))
        return PTB_DONE;
    return bin_shapes(ptb, ports, &shape, 1, part, job);
}

/* Adds the primitive to the counts of its draw. */
static void count_draw(struct ptb *ptb, const struct ptb_ports *ports)
{
    static const uint8_t counters[PTB_DROPS] = {
        [PTB_KEPT] = TESS_VC4_DRAW_OUTSIDE,    [PTB_NO_AREA] = TESS_VC4_DRAW_NO_AREA,
        [PTB_FORWARD] = TESS_VC4_DRAW_CULLED,  [PTB_NOT_FINITE] = TESS_VC4_DRAW_NOT_FINITE,
        [PTB_CLIPPED] = TESS_VC4_DRAW_CLIPPED, [PTB_OUTSIDE] = TESS_VC4_DRAW_OUTSIDE,
        [PTB_REVERSED] = TESS_VC4_DRAW_CULLED,
    };
    if (!ports->draws)
        return;
    draws_count(ports->draws, ptb->draw, TESS_VC4_DRAW_PRIMITIVES, 1);
    draws_count(ports->draws, ptb->draw,
                ptb->placed ? TESS_VC4_DRAW_BINNED : counters[ptb->dropped], 1);
}

/* Counts a primitive whose binning is complete. */
static void count_primitive(struct ptb *ptb, const struct ptb_ports *ports, bool clipped)
{
    count_draw(ptb, ports);
    ptb->primitives += ptb->placed;
    ptb->drawn = true;
    if (!ports->counts)
        return;
    ports->counts->of[PCTR_PTB_CLIPPED] += clipped;
    if (ptb->placed)
        return;
    ports->counts->of[PCTR_PTB_OUTSIDE] += ptb->dropped >= PTB_NOT_FINITE &&
                                           ptb->dropped <= PTB_OUTSIDE;
    ports->counts->of[PCTR_PSE_REVERSED] += ptb->dropped == PTB_REVERSED;
}

enum ptb_result ptb_primitive(struct ptb *ptb, const struct ptb_ports *ports,
                              const struct cl_state *state, const struct shader_record *record,
                              enum primitive_type type, const uint32_t index[3],
                              const struct vertex *const vertex[3])
{
    if (!has_started(ptb, ports, "a primitive"))
        return finish(ptb, PTB_FAILED);

    struct job job = {.state = state, .format = {(uint8_t)type, 2}, .items = items_of[type]};
    memcpy(job.vertex, index, ((size_t)type + 1) * sizeof *index);
    struct clip_part part[CLIP_MAX_PARTS];
    unsigned count = make_parts(ptb, ports, part, state, record, type, vertex);
    for (; ptb->sub_cursor < count; ptb->sub_cursor++) {
        enum ptb_result result = bin_part(ptb, ports, &job, type, &part[ptb->sub_cursor], vertex);
        if (result != PTB_DONE)
            return finish(ptb, result);
        ptb->cursor = ptb->clip_record = 0;
    }
    count_primitive(ptb, ports, count > 1 || (count == 1 && part[0].clipped));
    return finish(ptb, PTB_DONE);
}

static bool set_part_shape(struct ptb *ptb, const struct ptb_ports *ports, struct shape *shape,
                           const struct cl_state *state, const struct vg_part *part)
{
    shape->edges = part->edges;
    memcpy(shape->edge, part->edge, sizeof shape->edge);
    return set_area(ptb, ports, shape, state, pixels_of(part->low, part->high));
}

enum ptb_result ptb_coordinates(struct ptb *ptb, const struct ptb_ports *ports,
                                const struct cl_state *state, enum primitive_type type,
                                const uint32_t xy[3])
{
    if (!has_started(ptb, ports, "a primitive"))
        return finish(ptb, PTB_FAILED);
    struct job job = {.state = state, .format = {(uint8_t)type, XY_BYTES}, .items = items_of[type]};
    struct vg_part part[VG_MAX_PARTS];
    struct shape shape[VG_MAX_PARTS];
    unsigned shapes = 0, parts = vg_parts(part, state, type, xy);
    memcpy(job.vertex, xy, sizeof job.vertex);
    for (unsigned i = 0; i < parts; i++)
        shapes += set_part_shape(ptb, ports, &shape[shapes], state, &part[i]);
    if (parts == 0)
        drop(ptb, PTB_NO_AREA);
    enum ptb_result result = shapes ? bin_shapes(ptb, ports, shape, shapes, NULL, &job) : PTB_DONE;
    if (result == PTB_DONE) {
        ptb->primitives += ptb->placed;
        count_draw(ptb, ports);
    }
    return finish(ptb, result);
}

/* Writes the return record that ends a list. The list's position stays before the return record, so
 * that a record appended later overwrites the return record. */
static void close_list(struct tile *tile)
{
    leave_list(tile);
    tile->host[0] = CL_RETURN_FROM_SUB_LIST;
}

static enum ptb_result flush_tile(struct ptb *ptb, const struct ptb_ports *ports, uint32_t index,
                                  const struct cl_state *state, bool all_state)
{
    struct tile tile;
    uint8_t *bytes = load_tile(ptb, ports, &tile, index);
    if (!bytes)
        return PTB_FAILED;
    enum ptb_result result = PTB_DONE;
    if (all_state)
        result = append_items(ptb, ports, &tile, ITEMS_ALL, state);
    if (result == PTB_DONE)
        close_list(&tile);
    store_tile(ptb, &tile, bytes);
    return result;
}

enum ptb_result ptb_flush(struct ptb *ptb, const struct ptb_ports *ports,
                          const struct cl_state *state, bool all_state)
{
    if (!has_started(ptb, ports, "a flush"))
        return finish(ptb, PTB_FAILED);
    for (; ptb->cursor < tile_count(ptb); ptb->cursor++) {
        enum ptb_result result = flush_tile(ptb, ports, ptb->cursor, state, all_state);
        if (result != PTB_DONE)
            return finish(ptb, result);
    }
    if (all_state)
        ptb->changes = 0;
    return finish(ptb, PTB_DONE);
}
