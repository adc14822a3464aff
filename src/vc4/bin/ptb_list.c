/* SPDX-License-Identifier: MIT */
/* ptb_list.c - the tile lists of the Primitive Tile Binner, and the memory for them.
 *
 * In:       primitives with their tiles; changes of state; the pool and the overspill block.
 * Out:      tile lists: state records, record 56, compressed primitive lists, return records.
 * Source:   manual sections 8 and 9, tables 38 to 44; granules and the overspill protocol from
 *           Broadcom's vmcsx driver and Linux' vc4 driver (docs/vc4/ptb.md).
 * Modelled: all state of a tile in guest memory, in the tile state data array; stalls for memory at
 *           any point.
 * Left out: 24-bit indices.
 * Choices:  the layout of the 48 bytes of tile state, which the manual does not describe; the base
 *           of a relative branch, which is the 32-byte unit that contains the branch.
 *
 * The binner appends pieces to a list. A piece is a record, or a primitive with the record that
 * opens the primitive's compressed list. Each piece is written to one block, and the tile state
 * contains the position after the latest piece. After a stall between pieces, no piece is lost or
 * repeated. Every block has reserved room for the bytes that end the block. */
#include <string.h>

#include "base/bits.h"
#include "isa/cl/cl.h"
#include "vc4/bin/ptb.h"
#include "vc4/bin/ptb_private.h"

enum {
    GRANULE_ALIGNMENT = PRIMLIST_BRANCH_UNIT, /* required by targets of relative branches */
    LARGEST_BLOCK = PTB_SMALLEST_BLOCK << 3,
    LAST_GRANULES = 256, /* granule size near the end of the pool, equal to the largest block */
    MAX_RECORD = 16,
    CLOSE_RECORDS = 5, /* room for a branch, or for record 16 */
    CLOSE_LIST = 6,    /* room for an escape and a branch */
    INDEX_16_BIT = 1,  /* data type of record 56 for vertex numbers */
    XY_32_BIT = 3,     /* data type of record 56 for coordinates */
    NO_FORMAT = 0,     /* tile without record 56 so far; no valid value of the record */
    MAX_VERSION = UINT16_MAX,
    STATE_COUNTER_LIMIT = 0x1f01,
};

/* --- memory --- */

/* Makes the overspill block the pool. Returns false if there is no overspill block. */
static bool take_overspill(struct ptb *ptb)
{
    if (ptb->overspill_size == 0)
        return false;
    uint32_t skip = ptb_padding(ptb->overspill_address, GRANULE_ALIGNMENT);
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

enum ptb_result ptb_take_piece(struct ptb *ptb, const struct ptb_ports *ports, uint32_t size,
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
    enum ptb_result result = ptb_take_piece(ptb, ports, ptb->block, &ptb->block_address,
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

/* Writes the record that opens a compressed list. Returns the record's size in bytes. */
static size_t open_list(const struct ptb *ptb, const struct ptb_job *job, uint8_t *out)
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
                                        struct tile *tile, const struct ptb_job *job)
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
_Static_assert(PTB_SMALLEST_BLOCK >= CLOSE_RECORDS + PRIMLIST_MAX_ITEM + CLOSE_LIST,
               "every piece fits into an empty block");

static enum ptb_result append_pieces(struct ptb *ptb, const struct ptb_ports *ports,
                                     struct tile *tile, const struct ptb_job *job)
{
    uint32_t data_type = job->format.index_bytes == PTB_XY_BYTES ? XY_32_BIT : INDEX_16_BIT;
    uint8_t format = (uint8_t)(data_type << 4 | job->format.type);
    enum ptb_result result = append_format(ptb, ports, tile, format);
    if (result == PTB_DONE)
        result = append_items(ptb, ports, tile, items_of[job->format.type], job->state);
    if (result == PTB_DONE)
        result = append_primitive(ptb, ports, tile, job);
    return result;
}

enum ptb_result ptb_append_job(struct ptb *ptb, const struct ptb_ports *ports, uint32_t index,
                               const struct ptb_job *job)
{
    struct tile tile;
    uint8_t *bytes = load_tile(ptb, ports, &tile, index);
    if (!bytes)
        return PTB_FAILED;
    enum ptb_result result = append_pieces(ptb, ports, &tile, job);
    store_tile(ptb, &tile, bytes); /* even after a stall, to keep the pieces already written */
    return result;
}

/* --- first and last bytes of a list --- */

void ptb_initialise_tiles(struct ptb *ptb, uint8_t *bytes)
{
    for (uint32_t i = 0; i < ptb_tile_count(ptb); i++, bytes += PTB_TILE_STATE_BYTES) {
        struct tile tile = {.index = i, .next = ptb->allocation_address + i * ptb->initial_block};
        tile.end = tile.next + ptb->initial_block;
        store_tile(ptb, &tile, bytes);
    }
}

/* Writes the return record that ends a list. The list's position stays before the return record, so
 * that a record appended later overwrites the return record. */
static void close_list(struct tile *tile)
{
    leave_list(tile);
    tile->host[0] = CL_RETURN_FROM_SUB_LIST;
}

enum ptb_result ptb_flush_tile(struct ptb *ptb, const struct ptb_ports *ports, uint32_t index,
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
