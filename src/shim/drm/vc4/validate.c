/* SPDX-License-Identifier: MIT */
/* validate.c - see validate.h.
 *
 * In:  a program's list for the binner.
 * Out: a copy of the list that V3D can execute.
 *
 * Source: Linux, drivers/gpu/drm/vc4/vc4_validate.c and vc4_gem.c (vc4_get_bcl).
 * Choices: this code refuses frames whose tile state does not fit in the binner's memory. The
 *          kernel writes such state after the end of that memory. */
#include "shim/drm/vc4/validate.h"
#include "base/bits.h"
#include "isa/cl/cl.h"

#include <errno.h>
#include <stddef.h>
#include <string.h>

enum { GEM_HANDLES = 254, GEM_HANDLES_BYTES = 9, PACKETS = 256 };

enum {
    RECORD_ALIGNMENT = 16,
    /* packet 64: bits of the address field that contain the number of attributes and a flag */
    RECORD_BITS = 0xf,
    STATE_BYTES = 48,   /* size of a tile's state */
    INITIAL_BYTES = 32, /* initial size of a tile's list */
    GRANULE = 4096,
    BLOCK_128 = 2, /* value of the size of a tile's further blocks: 128 bytes */
};

/* All bits of a field of packet 112 in its last byte. */
#define BIN_FLAG(field)                                \
    (((1 << CL_TILE_BINNING_MODE_##field##_WIDTH) - 1) \
     << (CL_TILE_BINNING_MODE_##field##_BIT - CL_TILE_BINNING_MODE_MULTISAMPLE_BIT))

bool validate_place(uint32_t list_size, uint32_t records_size, uint32_t uniforms_size,
                    uint32_t *records, uint32_t *uniforms, uint32_t *size)
{
    const uint64_t first = ((uint64_t)list_size + RECORD_ALIGNMENT - 1) / RECORD_ALIGNMENT *
                           RECORD_ALIGNMENT;
    const uint64_t second = first + records_size, end = second + uniforms_size;
    *records = (uint32_t)first;
    *uniforms = (uint32_t)second;
    *size = (uint32_t)end;
    return end <= UINT32_MAX;
}

struct bo *validate_bo(struct validation *v, uint32_t index)
{
    if (index >= v->bo_count) {
        refuse(v->why, "use the index of a submitted buffer object",
               "buffer object index %u is out of range; the job has %u buffer objects", index,
               v->bo_count);
        return NULL;
    }
    if (v->bos[index]->is_shader) {
        refuse(v->why,
               "use a buffer object that is not a shader: only shader records may refer to shaders",
               "buffer object %u is a shader", v->bos[index]->number);
        return NULL;
    }
    return v->bos[index];
}

/* --- packets: each function receives a packet and its copy --- */

static bool is_at(const struct validation *v, const uint8_t *packet, uint32_t from_end)
{
    return v->list_size >= from_end && packet == v->list + (v->list_size - from_end);
}

static int check_flush(struct validation *v, const uint8_t *packet, uint8_t *copy)
{
    (void)copy;
    v->has_flush = true;
    return is_at(v, packet, 1) ? 0
                               : refuse(v->why, "end the list with a single packet 4",
                                        "this packet must be the last");
}

static int check_semaphore(struct validation *v, const uint8_t *packet, uint8_t *copy)
{
    (void)copy;
    v->has_semaphore = true;
    return is_at(v, packet, 2) ? 0
                               : refuse(v->why, "write packet 7 directly before packet 4",
                                        "this packet must be the second to last");
}

static int check_start(struct validation *v, const uint8_t *packet, uint8_t *copy)
{
    (void)packet, (void)copy;
    if (v->has_start)
        return refuse(v->why, "write packet 6 only once", "tile binning is started twice");
    v->has_start = true;
    return v->has_configuration ? 0
                                : refuse(v->why, "write packet 112 before packet 6",
                                         "tile binning is not configured");
}

/* Writes a 32-bit field of a packet's copy. `bit` is the field's position in the data. */
static void put_word(uint8_t *copy, uint32_t bit, uint32_t value)
{
    store_le32(copy + 1 + bit / 8, value);
}

/* Records that a primitive uses a vertex index. A primitive belongs to the latest shader record. */
static int use_index(struct validation *v, uint32_t index)
{
    if (!v->seen_count)
        return refuse(v->why, "write packet 64 before the primitives",
                      "the primitives have no shader record");
    struct validate_record *record = &v->seen[v->seen_count - 1];
    if (index > record->max_index)
        record->max_index = index;
    return 0;
}

static int check_indexed(struct validation *v, const uint8_t *packet, uint8_t *copy)
{
    const uint8_t *data = packet + 1;
    const uint32_t length = CL_GET(data, INDEXED_PRIMITIVE_LIST, LENGTH),
                   offset = CL_GET(data, INDEXED_PRIMITIVE_LIST, ADDRESS),
                   max_index = CL_GET(data, INDEXED_PRIMITIVE_LIST, MAXIMUM_INDEX);
    const uint32_t index_size = CL_GET(data, INDEXED_PRIMITIVE_LIST, INDEX_TYPE) ? 2 : 1;
    const int error = use_index(v, max_index);
    const struct bo *bo = error ? NULL : validate_bo(v, v->indices[0]);
    if (!bo)
        return EINVAL;
    if (offset > bo->size || (bo->size - offset) / index_size < length)
        return refuse(
            v->why, "draw fewer indices, or make the buffer object larger",
            "%u indices of %u bytes from byte %u on exceed buffer object %u, which has %u bytes",
            length, index_size, offset, bo->number, bo->size);
    put_word(copy, CL_INDEXED_PRIMITIVE_LIST_ADDRESS_BIT, bo->memory.address + offset);
    return 0;
}

static int check_arrays(struct validation *v, const uint8_t *packet, uint8_t *copy)
{
    (void)copy;
    const uint32_t length = CL_GET(packet + 1, VERTEX_ARRAY_PRIMITIVES, LENGTH),
                   first = CL_GET(packet + 1, VERTEX_ARRAY_PRIMITIVES, FIRST);
    const int error = use_index(v, 0);
    if (error)
        return error;
    if (length + first < length)
        return refuse(v->why, "draw fewer vertices",
                      "%u vertices from index %u on exceed the 32-bit range", length, first);
    return use_index(v, length + first - 1);
}

static uint32_t record_bytes(uint32_t attributes)
{
    const uint32_t count = attributes & 7 ? attributes & 7 : 8;
    return attributes & 8 ? 100 + count * 4 : 36 + count * 8;
}

static int check_record(struct validation *v, const uint8_t *packet, uint8_t *copy)
{
    const uint32_t attributes = load_le32(packet + 1);
    if (v->seen_count >= v->record_count)
        return refuse(v->why, "set shader_rec_count to the number of packets with id 64",
                      "the list has more shader records than shader_rec_count, which is %u",
                      v->record_count);
    if (attributes & ~(uint32_t)RECORD_BITS)
        return refuse(v->why, "set the address to 0: the kernel fills it in",
                      "the address of the shader record is 0x%x, not 0", attributes);
    v->seen[v->seen_count++] = (struct validate_record){.attributes = attributes};
    put_word(copy, 0, v->records_address + attributes);
    v->records_address += round_up(record_bytes(attributes), RECORD_ALIGNMENT);
    return 0;
}

/* Packet 112: places the tile state at the start of the binner's memory, and the tile lists at the
 * start of the next page. */
static int check_configuration(struct validation *v, const uint8_t *packet, uint8_t *copy)
{
    const uint8_t *data = packet + 1;
    const uint32_t flags = data[CL_TILE_BINNING_MODE_MULTISAMPLE_BIT / 8];
    if (v->has_configuration)
        return refuse(v->why, "write packet 112 only once", "tile binning is configured twice");
    v->has_configuration = true;
    v->tiles_across = CL_GET(data, TILE_BINNING_MODE, WIDTH);
    v->tiles_down = CL_GET(data, TILE_BINNING_MODE, HEIGHT);
    if (!v->tiles_across || !v->tiles_down)
        return refuse(v->why, "set the number of tiles in each direction",
                      "the frame has %u x %u tiles", v->tiles_across, v->tiles_down);
    if (flags & (BIN_FLAG(DOUBLE_BUFFER) | BIN_FLAG(COLOR_64BIT)))
        return refuse(v->why, "clear bits 1 and 7: the kernel does not allow them",
                      "flags 0x%02x are not allowed", flags);
    const uint32_t tiles = v->tiles_across * v->tiles_down,
                   state = round_up(tiles * STATE_BYTES, GRANULE);
    if (state + tiles * INITIAL_BYTES + GRANULE > v->binner_size)
        return refuse(v->why, "draw the frame in several jobs",
                      "the state of %u x %u tiles does not fit in the binner's memory of %u bytes",
                      v->tiles_across, v->tiles_down, v->binner_size);
    v->tile_lists = v->binner_address + state;
    put_word(copy, CL_TILE_BINNING_MODE_ALLOCATION_ADDRESS_BIT, v->tile_lists);
    put_word(copy, CL_TILE_BINNING_MODE_ALLOCATION_SIZE_BIT, v->binner_size - state);
    put_word(copy, CL_TILE_BINNING_MODE_STATE_ADDRESS_BIT, v->binner_address);
    uint8_t *last = copy + 1 + CL_TILE_BINNING_MODE_MULTISAMPLE_BIT / 8;
    *last = (uint8_t)(flags & ~(uint32_t)(BIN_FLAG(INITIAL_BLOCK_SIZE) | BIN_FLAG(BLOCK_SIZE)));
    *last |= BIN_FLAG(AUTO_INITIALISE);
    cl_put_bits(copy + 1, CL_TILE_BINNING_MODE_BLOCK_SIZE_BIT,
                CL_TILE_BINNING_MODE_BLOCK_SIZE_WIDTH, BLOCK_128);
    return 0;
}

/* Packet 254 is for the kernel, so it is not copied to V3D's list. */
static int check_handles(struct validation *v, const uint8_t *packet, uint8_t *copy)
{
    (void)copy;
    v->indices[0] = load_le32(packet + 1);
    v->indices[1] = load_le32(packet + 5);
    return 0;
}

static int check_nothing(struct validation *v, const uint8_t *packet, uint8_t *copy)
{
    (void)v, (void)packet, (void)copy;
    return 0;
}

/* Functions that check the permitted packets, by id. NULL for packets that are not permitted. */
static int (*const checks[PACKETS])(struct validation *v, const uint8_t *packet, uint8_t *copy) = {
    /* clang-format off */
    [CL_HALT]                    = check_nothing,
    [CL_NOP]                     = check_nothing,
    [CL_FLUSH]                   = check_flush,
    [CL_FLUSH_ALL_STATE]         = check_nothing,
    [CL_START_TILE_BINNING]      = check_start,
    [CL_INCREMENT_SEMAPHORE]     = check_semaphore,
    [CL_INDEXED_PRIMITIVE_LIST]  = check_indexed,
    [CL_VERTEX_ARRAY_PRIMITIVES] = check_arrays,
    [CL_PRIMITIVE_LIST_FORMAT]   = check_nothing,
    [CL_GL_SHADER_STATE]         = check_record,
    [CL_CONFIGURATION_BITS]      = check_nothing,
    [CL_FLAT_SHADE_FLAGS]        = check_nothing,
    [CL_POINT_SIZE]              = check_nothing,
    [CL_LINE_WIDTH]              = check_nothing,
    [CL_RHT_X_BOUNDARY]          = check_nothing,
    [CL_DEPTH_OFFSET]            = check_nothing,
    [CL_CLIP_WINDOW]             = check_nothing,
    [CL_VIEWPORT_OFFSET]         = check_nothing,
    [CL_CLIPPER_XY_SCALING]      = check_nothing,
    [CL_CLIPPER_Z_SCALE_OFFSET]  = check_nothing,
    [CL_TILE_BINNING_MODE]       = check_configuration,
    [GEM_HANDLES]                = check_handles,
    /* clang-format on */
};

/* Returns the size of a permitted packet with its id. */
static uint32_t packet_bytes(uint8_t id)
{
    return id == GEM_HANDLES ? GEM_HANDLES_BYTES : cl_packet(id)->bytes;
}

/* Returns the name of a permitted packet, or NULL. */
static const char *packet_name(uint8_t id)
{
    if (id == GEM_HANDLES)
        return "GEM Handles";
    return checks[id] ? cl_packet(id)->words : NULL;
}

/* --- the list --- */

static int check_packet(struct validation *v, uint32_t offset)
{
    const uint8_t *from = v->list + offset;
    uint8_t *copy = v->list_to + v->list_bytes;
    if (!checks[*from])
        return refuse(v->why, "remove the packet: the kernel does not allow it",
                      "this packet is not allowed");
    const uint32_t bytes = packet_bytes(*from);
    if (bytes > v->list_size - offset)
        return refuse(v->why, "submit complete packets",
                      "the packet has %u bytes, but only %u are left in the list", bytes,
                      v->list_size - offset);
    if (*from != GEM_HANDLES) {
        memcpy(copy, from, bytes);
        v->list_bytes += bytes;
    }
    return checks[*from](v, from, copy);
}

static int check_packets(struct validation *v)
{
    for (uint32_t offset = 0; offset < v->list_size; offset += packet_bytes(v->list[offset])) {
        const uint8_t id = v->list[offset];
        const char *name = packet_name(id);
        const int error = check_packet(v, offset);
        if (error)
            return refused_at(v->why, error, "byte %u of the list, packet %u%s%s", offset, id,
                              name ? ", " : "", name ? name : "");
        if (id == CL_HALT) /* V3D stops reading at this packet */
            break;
    }
    return 0;
}

int validate_list(struct validation *v)
{
    const int error = check_packets(v);
    if (error)
        return error;
    if (!v->has_start)
        return refuse(v->why, "write packet 6 after packet 112",
                      "the list does not start tile binning");
    if (!v->has_semaphore || !v->has_flush)
        return refuse(v->why, "end the list with packets 7 and 4: rendering waits for them",
                      "the list does not end with a semaphore and a flush");
    return 0;
}
