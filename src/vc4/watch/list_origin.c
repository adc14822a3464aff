/* SPDX-License-Identifier: MIT */
/* list_origin.c - see list_memory.h. Reads the tile's list from its beginning to the finding's
 * place, to find the shader state record that is in effect at the place. */
#include "vc4/watch/list_memory.h"

#include "isa/cl/cl.h"
#include "isa/cl/primlist.h"

enum { STEPS_MAX = 1 << 16, LEAST_BLOCK = 32, XY_BYTES = 4 };

/* State of reading a tile's list. */
struct reader {
    struct bus *bus;
    uint32_t address;
    struct primlist_format format;
    uint32_t shader; /* data of the latest shader state record: address and count of attributes */
    unsigned left;   /* number of records and items that may still be read */
};

/* Reads one item of a compressed list. If the item contains a primitive, stores it in
 * *primitive. */
static enum primlist_item read_item(struct reader *reader, struct primlist_primitive *primitive)
{
    uint8_t bytes[PRIMLIST_MAX_ITEM] = {0};
    size_t have = 0, used = 0;
    unsigned coding;
    int32_t jump = 0;
    for (const uint8_t *byte; have < sizeof bytes &&
                              (byte = bus_host(reader->bus, reader->address + (uint32_t)have, 1));)
        bytes[have++] = *byte;
    enum primlist_item item = primlist_read(&reader->format, bytes, have, primitive, &used, &coding,
                                            &jump);
    if (item == PRIMLIST_JUMP)
        reader->address = (reader->address & ~(PRIMLIST_BRANCH_UNIT - 1u)) + (uint32_t)jump;
    else
        reader->address += (uint32_t)used;
    return item;
}

/* Skips the rest of a compressed list. Returns false if the list is invalid or its end is not
 * found. */
static bool pass_list(struct reader *reader)
{
    struct primlist_primitive primitive = {.valid = false};
    while (reader->left-- > 0) {
        enum primlist_item item = read_item(reader, &primitive);
        if (item == PRIMLIST_END || item == PRIMLIST_BAD)
            return item == PRIMLIST_END;
    }
    return false;
}

static void take_format(struct reader *reader, const uint8_t *data)
{
    reader->format.type = CL_GET(data, PRIMITIVE_LIST_FORMAT, TYPE) & 3;
    reader->format.index_bytes = CL_GET(data, PRIMITIVE_LIST_FORMAT, DATA_TYPE) == 3 ? XY_BYTES : 2;
}

/* Skips one record. Returns false at the end of the list or at an invalid record. */
static bool pass_record(struct reader *reader)
{
    const uint8_t *id = bus_host(reader->bus, reader->address, 1);
    const struct cl_packet *packet = id ? cl_packet(*id) : NULL;
    const uint8_t *record = packet ? bus_host(reader->bus, reader->address, packet->bytes) : NULL;
    if (!record || record[0] == CL_RETURN_FROM_SUB_LIST || record[0] == CL_HALT)
        return false;
    reader->address += packet->bytes;
    switch (record[0]) {
    case CL_BRANCH: reader->address = load_le32(record + 1); return true;
    case CL_PRIMITIVE_LIST_FORMAT: take_format(reader, record + 1); return true;
    case CL_GL_SHADER_STATE:
    case CL_NV_SHADER_STATE:
    case CL_VG_SHADER_STATE:
    case CL_VG_INLINE_SHADER_RECORD: reader->shader = load_le32(record + 1); return true;
    case CL_COMPRESSED_PRIMITIVE_LIST:
    case CL_CLIPPED_PRIMITIVE_LIST: return pass_list(reader);
    default: return true;
    }
}

/* Reads the first vertex of the compressed list at a record. Returns false on failure. */
static bool first_vertex(struct reader *reader, uint32_t *vertex)
{
    struct primlist_primitive primitive = {.valid = false};
    const uint8_t *id = bus_host(reader->bus, reader->address, 1);
    const struct cl_packet *packet = id ? cl_packet(*id) : NULL;
    if (!packet || (*id != CL_COMPRESSED_PRIMITIVE_LIST && *id != CL_CLIPPED_PRIMITIVE_LIST))
        return false;
    reader->address += packet->bytes;
    while (reader->left-- > 0) {
        enum primlist_item item = read_item(reader, &primitive);
        *vertex = primitive.vertex[0];
        if (item != PRIMLIST_JUMP)
            return item == PRIMLIST_PRIMITIVE;
    }
    return false;
}

static const struct cl_use *find_use(const struct cl_uses *uses, enum cl_use_kind kind)
{
    for (size_t i = 0; i < uses->count; i++)
        if (uses->item[i].kind == kind)
            return &uses->item[i];
    return NULL;
}

static bool is_binners(const struct cl_uses *uses, uint32_t address)
{
    for (size_t i = 0; i < uses->count; i++) {
        const struct cl_use *use = &uses->item[i];
        if (use->kind >= CL_USE_BLOCKS && use->kind <= CL_USE_OVERFLOW &&
            ((address - use->address) & BUS_ADDRESS_MASK) < use->size)
            return true;
    }
    return false;
}

/* Sets *address to the beginning of the tile list that contains the place. Returns false if record
 * 112 is no longer in memory. */
static bool list_begin(const struct list_memory *memory, struct bus *bus,
                       const struct tess_place *place, uint32_t *address)
{
    const struct cl_use *blocks = find_use(&memory->binning, CL_USE_BLOCKS);
    const uint8_t *record =
        blocks ? bus_host(bus, blocks->record, cl_packet(CL_TILE_BINNING_MODE)->bytes) : NULL;
    if (!record || record[0] != CL_TILE_BINNING_MODE)
        return false;
    uint32_t block = (uint32_t)LEAST_BLOCK
                     << CL_GET(record + 1, TILE_BINNING_MODE, INITIAL_BLOCK_SIZE);
    uint32_t tile = place->tile_row * CL_GET(record + 1, TILE_BINNING_MODE, WIDTH) +
                    place->tile_column;
    *address = blocks->whole + tile * block;
    return true;
}

uint32_t list_origin(const struct list_memory *memory, struct bus *bus,
                     const struct tess_place *place)
{
    const uint32_t needed = TESS_PLACE_LIST | TESS_PLACE_TILE;
    struct reader reader = {.bus = bus, .format = {.type = 2, .index_bytes = 2}, .left = STEPS_MAX};
    uint32_t vertex = 0;
    if ((place->known & needed) != needed || !is_binners(&memory->binning, place->list_address) ||
        !list_begin(memory, bus, place, &reader.address))
        return 0;
    while (((reader.address ^ place->list_address) & BUS_ADDRESS_MASK) != 0)
        if (reader.left-- == 0 || !pass_record(&reader))
            return 0;
    bool known = first_vertex(&reader, &vertex) && reader.format.index_bytes != XY_BYTES;
    for (size_t i = 0; i < memory->binning.draws; i++) {
        const struct cl_draw *draw = &memory->binning.draw[i];
        if (draw->shader == reader.shader &&
            (!known || (vertex >= draw->first && vertex <= draw->last)))
            return draw->record;
    }
    return 0;
}
