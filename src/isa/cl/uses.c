/* SPDX-License-Identifier: MIT */
/* uses.c - see uses.h.
 *
 * Source:   manual, section 9, table 38.
 * Left out: lists that branch to addresses without memory. */
#include "isa/cl/uses.h"

#include "base/bits.h"
#include "isa/cl/cl.h"
#include "isa/cl/uses_private.h"

enum {
    RECORDS_MAX = 1 << 16, /* most records of one list */
    WORK_MAX = 1 << 24,    /* limit of the work for one list: examined words, indices and items */
    STATE_BYTES = 48,      /* bytes of a tile's state */
    LEAST_BLOCK = 32,
};

/* --- the binner's memory --- */

/* Drops the binner's memory of an earlier list, because this list has its own tile binning mode
 * (record 112). */
static void forget_configuration(struct cl_walk *walk)
{
    struct cl_uses *uses = walk->uses;
    for (size_t i = walk->kept; i < uses->count; i++)
        uses->item[i - walk->kept] = uses->item[i];
    uses->count -= walk->kept;
    walk->list -= walk->list > 0 ? walk->kept : 0;
    walk->kept = 0;
}

static void take_binning(struct cl_walk *walk, const uint8_t *data)
{
    uint32_t tiles = CL_GET(data, TILE_BINNING_MODE, WIDTH) *
                     CL_GET(data, TILE_BINNING_MODE, HEIGHT);
    uint32_t address = CL_GET(data, TILE_BINNING_MODE, ALLOCATION_ADDRESS);
    uint32_t size = CL_GET(data, TILE_BINNING_MODE, ALLOCATION_SIZE);
    uint32_t blocks = tiles * ((uint32_t)LEAST_BLOCK
                               << CL_GET(data, TILE_BINNING_MODE, INITIAL_BLOCK_SIZE));
    uint32_t first = blocks < size ? blocks : size;
    struct cl_use use = {.kind = CL_USE_BLOCKS,
                         .threads = CL_BY_BINNER,
                         .tiles = tiles,
                         .address = address,
                         .size = first,
                         .whole = address,
                         .whole_size = size,
                         .record = walk->record};
    forget_configuration(walk);
    cl_uses_add(walk->uses, &use);
    use.kind = CL_USE_POOL;
    use.address = address + first;
    use.size = size - first;
    cl_uses_add(walk->uses, &use);
    use.kind = CL_USE_STATE;
    use.address = use.whole = CL_GET(data, TILE_BINNING_MODE, STATE_ADDRESS) & ~UINT32_C(15);
    use.size = use.whole_size = tiles * STATE_BYTES;
    cl_uses_add(walk->uses, &use);
}

/* Returns true if the sub-list at an address is a tile list, which the binner writes. */
static bool is_tile_list(struct cl_walk *walk, uint32_t address)
{
    for (size_t i = 0; walk->binning && i < walk->binning->count; i++) {
        const struct cl_use *use = &walk->binning->item[i];
        if (use->kind < CL_USE_BLOCKS || use->kind > CL_USE_OVERFLOW ||
            ((address - use->address) & CL_ADDRESS_MASK) >= use->size)
            continue;
        cl_walk_note_alias(walk, "the tile lists", use->whole, address);
        return true;
    }
    return false;
}

/* --- lists --- */

static void take_record(struct cl_walk *walk, uint8_t code, const uint8_t *data)
{
    switch (code) {
    case CL_TILE_BINNING_MODE: take_binning(walk, data); break;
    case CL_GL_SHADER_STATE:
    case CL_NV_SHADER_STATE:
    case CL_VG_SHADER_STATE:
    case CL_VG_INLINE_SHADER_RECORD: cl_walk_shader_state(walk, code, data); break;
    case CL_VERTEX_ARRAY_PRIMITIVES: cl_walk_array(walk, data); break;
    case CL_INDEXED_PRIMITIVE_LIST: cl_walk_indexed(walk, data); break;
    case CL_VG_COORDINATE_ARRAY_PRIMITIVES:
    case CL_VG_INLINE_PRIMITIVES:
    case CL_COMPRESSED_PRIMITIVE_LIST:
    case CL_CLIPPED_PRIMITIVE_LIST: cl_walk_draw(walk, 0, UINT32_MAX); break;
    case CL_INCREMENT_SEMAPHORE:
    case CL_WAIT_ON_SEMAPHORE: walk->uses->has_semaphore = true; break;
    default: cl_walk_tile(walk, code, data);
    }
}

/* Returns the address after the coordinates of record 42 (VG inline primitives), or 0 if the end of
 * the coordinates is not found. */
static uint32_t after_coordinates(struct cl_walk *walk, uint32_t address)
{
    const uint32_t end = UINT32_C(0xbfff0000);
    for (const uint8_t *word; cl_walk_spend(walk) && (word = cl_walk_bytes(walk, address, 4));
         address += 4)
        if (load_le32(word) == end)
            return address + 4;
    return 0;
}

/* Returns the address after the compressed list of record 48 or 49, or 0 if the end of the list is
 * not found. */
static uint32_t after_primitives(struct cl_walk *walk, uint32_t address)
{
    struct primlist_primitive previous = {.valid = false};
    enum primlist_item item = PRIMLIST_PRIMITIVE;
    while (item == PRIMLIST_PRIMITIVE && cl_walk_spend(walk)) {
        size_t left = 0, used = 0;
        unsigned coding;
        int32_t jump;
        const uint8_t *bytes = walk->memory->at(walk->memory->user, address, &left);
        item = bytes ? primlist_read(&walk->format, bytes, left, &previous, &used, &coding, &jump)
                     : PRIMLIST_BAD;
        address += (uint32_t)used;
    }
    return item == PRIMLIST_END ? address : 0;
}

static uint32_t after_inline(struct cl_walk *walk, uint8_t code, const uint8_t *data,
                             uint32_t address)
{
    switch (code) {
    case CL_PRIMITIVE_LIST_FORMAT:
        walk->format.type = CL_GET(data, PRIMITIVE_LIST_FORMAT, TYPE) & 3;
        walk->format.index_bytes = CL_GET(data, PRIMITIVE_LIST_FORMAT, DATA_TYPE) == 3 ? 4 : 2;
        return address;
    case CL_VG_INLINE_PRIMITIVES: return after_coordinates(walk, address);
    case CL_COMPRESSED_PRIMITIVE_LIST:
    case CL_CLIPPED_PRIMITIVE_LIST: return after_primitives(walk, address);
    default: return address;
    }
}

/* Follows branches. Returns false at the list's end. Tile lists are skipped. */
static bool follow(struct cl_walk *walk, uint8_t code, const uint8_t *data, uint32_t *address)
{
    switch (code) {
    case CL_HALT: return false;
    case CL_BRANCH: *address = load_le32(data); return true;
    case CL_BRANCH_TO_SUB_LIST:
        if (is_tile_list(walk, load_le32(data))) {
            walk->uses->has_tile_lists = true;
            return true;
        }
        if (!cl_walk_bytes(walk, load_le32(data), 1))
            return true;
        if (walk->depth == CL_SUB_LISTS_MAX)
            return false;
        walk->back[walk->depth++] = *address;
        *address = load_le32(data);
        return true;
    case CL_RETURN_FROM_SUB_LIST:
        if (walk->depth == 0)
            return false;
        *address = walk->back[--walk->depth];
        return true;
    }
    return true;
}

/* Adds the bytes of a record to the memory of the list. Adjacent records become one use. */
static void add_list(struct cl_walk *walk, uint32_t address, uint32_t bytes)
{
    struct cl_uses *uses = walk->uses;
    struct cl_use *last = walk->list > 0 ? &uses->item[walk->list - 1] : NULL;
    if (last && last->address + last->size == (address & CL_ADDRESS_MASK)) {
        last->size += bytes;
        last->whole_size += bytes;
        return;
    }
    size_t count = uses->count;
    cl_walk_add(walk, CL_USE_LIST, address, bytes, 0, walk->thread);
    if (uses->count > count)
        walk->list = uses->count;
}

static void walk_list(struct cl_walk *walk, uint32_t address, uint32_t end)
{
    unsigned left = RECORDS_MAX;
    for (; address != end && left > 0; left--) {
        const uint8_t *id = cl_walk_bytes(walk, address, 1);
        const struct cl_packet *packet = id ? cl_packet(*id) : NULL;
        const uint8_t *record = packet ? cl_walk_bytes(walk, address, packet->bytes) : NULL;
        if (!record)
            return;
        walk->record = address;
        take_record(walk, record[0], record + 1);
        add_list(walk, address, packet->bytes);
        address = after_inline(walk, record[0], record + 1, address + packet->bytes);
        if (!address || !follow(walk, record[0], record + 1, &address))
            return;
    }
    walk->uses->incomplete |= left == 0;
}

/* Keeps only the memory of the tile binning mode (record 112). A list without record 112 continues
 * to use that memory. */
static void keep_configuration(struct cl_uses *uses)
{
    size_t kept = 0;
    for (size_t i = 0; i < uses->count; i++)
        if (uses->item[i].kind <= CL_USE_POOL)
            uses->item[kept++] = uses->item[i];
    uses->count = kept;
    uses->draws = 0;
    uses->has_semaphore = uses->incomplete = false;
}

void cl_uses_bin(struct cl_uses *uses, const struct cl_memory *memory, uint32_t start, uint32_t end)
{
    keep_configuration(uses);
    struct cl_walk walk = {.uses = uses,
                           .memory = memory,
                           .kept = uses->count,
                           .thread = CL_BY_BINNER,
                           .work = WORK_MAX,
                           .format = {.type = 2, .index_bytes = 2}};
    walk_list(&walk, start, end);
}

void cl_uses_render(struct cl_uses *uses, const struct cl_memory *memory, uint32_t start,
                    uint32_t end, const struct cl_uses *binning)
{
    struct cl_walk walk = {.uses = uses,
                           .memory = memory,
                           .binning = binning,
                           .thread = CL_BY_RENDERER,
                           .work = WORK_MAX,
                           .format = {.type = 2, .index_bytes = 2}};
    uses->count = 0;
    uses->frames = 0;
    uses->has_tile_lists = uses->has_semaphore = false;
    uses->alias = (struct cl_alias){0};
    walk_list(&walk, start, end);
}
