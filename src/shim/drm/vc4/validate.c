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

#include <errno.h>
#include <stddef.h>
#include <string.h>

#include "shim/drm/vc4/bytes.h"

enum { PACKET_HALT = 0, PACKET_GEM_HANDLES = 254, PACKETS = 256 };

enum {
    RECORD_ALIGNMENT = 16,
    /* packet 64: bits of the address field that contain the number of attributes and a flag */
    RECORD_BITS = 0xf,
    STATE_BYTES = 48,   /* size of a tile's state */
    INITIAL_BYTES = 32, /* initial size of a tile's list */
    GRANULE = 4096,
};

/* Flags in the last byte of packet 112. */
enum {
    BIN_MULTISAMPLE = 1 << 0,
    BIN_64_BIT = 1 << 1,
    BIN_INITIALISE = 1 << 2,
    BIN_INITIAL_SIZE = 3 << 3, /* 0 means 32 bytes */
    BIN_BLOCK_SIZE = 3 << 5,
    BIN_BLOCK_128 = 2 << 5,
    BIN_DOUBLE_BUFFER = 1 << 7,
};

static uint32_t round_up(uint32_t value, uint32_t unit)
{
    return (value + unit - 1) / unit * unit;
}

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
    const uint32_t length = get32(packet + 2), offset = get32(packet + 6),
                   max_index = get32(packet + 10);
    const uint32_t index_size = packet[1] >> 4 ? 2 : 1;
    const int error = use_index(v, max_index);
    const struct bo *bo = error ? NULL : validate_bo(v, v->indices[0]);
    if (!bo)
        return EINVAL;
    if (offset > bo->size || (bo->size - offset) / index_size < length)
        return refuse(
            v->why, "draw fewer indices, or make the buffer object larger",
            "%u indices of %u bytes from byte %u on exceed buffer object %u, which has %u bytes",
            length, index_size, offset, bo->number, bo->size);
    put32(copy + 6, bo->memory.address + offset);
    return 0;
}

static int check_arrays(struct validation *v, const uint8_t *packet, uint8_t *copy)
{
    (void)copy;
    const uint32_t length = get32(packet + 2), first = get32(packet + 6);
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
    const uint32_t attributes = get32(packet + 1);
    if (v->seen_count >= v->record_count)
        return refuse(v->why, "set shader_rec_count to the number of packets with id 64",
                      "the list has more shader records than shader_rec_count, which is %u",
                      v->record_count);
    if (attributes & ~(uint32_t)RECORD_BITS)
        return refuse(v->why, "set the address to 0: the kernel fills it in",
                      "the address of the shader record is 0x%x, not 0", attributes);
    v->seen[v->seen_count++] = (struct validate_record){.attributes = attributes};
    put32(copy + 1, v->records_address + attributes);
    v->records_address += round_up(record_bytes(attributes), RECORD_ALIGNMENT);
    return 0;
}

/* Packet 112: places the tile state at the start of the binner's memory, and the tile lists at the
 * start of the next page. */
static int check_configuration(struct validation *v, const uint8_t *packet, uint8_t *copy)
{
    const uint32_t flags = packet[15];
    if (v->has_configuration)
        return refuse(v->why, "write packet 112 only once", "tile binning is configured twice");
    v->has_configuration = true;
    v->tiles_across = packet[13];
    v->tiles_down = packet[14];
    if (!v->tiles_across || !v->tiles_down)
        return refuse(v->why, "set the number of tiles in each direction",
                      "the frame has %u x %u tiles", v->tiles_across, v->tiles_down);
    if (flags & (BIN_DOUBLE_BUFFER | BIN_64_BIT))
        return refuse(v->why, "clear bits 1 and 7: the kernel does not allow them",
                      "flags 0x%02x are not allowed", flags);
    const uint32_t tiles = v->tiles_across * v->tiles_down,
                   state = round_up(tiles * STATE_BYTES, GRANULE);
    if (state + tiles * INITIAL_BYTES + GRANULE > v->binner_size)
        return refuse(v->why, "draw the frame in several jobs",
                      "the state of %u x %u tiles does not fit in the binner's memory of %u bytes",
                      v->tiles_across, v->tiles_down, v->binner_size);
    v->tile_lists = v->binner_address + state;
    put32(copy + 1, v->tile_lists);
    put32(copy + 5, v->binner_size - state);
    put32(copy + 9, v->binner_address);
    copy[15] = (uint8_t)((flags & ~(uint32_t)(BIN_INITIAL_SIZE | BIN_BLOCK_SIZE)) | BIN_INITIALISE |
                         BIN_BLOCK_128);
    return 0;
}

/* Packet 254 is for the kernel, so it is not copied to V3D's list. */
static int check_handles(struct validation *v, const uint8_t *packet, uint8_t *copy)
{
    (void)copy;
    v->indices[0] = get32(packet + 1);
    v->indices[1] = get32(packet + 5);
    return 0;
}

/* Permitted packets by id. bytes is the size of a packet with its id. It is 0 for a packet that is
 * not permitted. */
static const struct packet {
    uint8_t bytes;
    const char *name;
    int (*check)(struct validation *v, const uint8_t *packet, uint8_t *copy);
} packets[PACKETS] = {
    /* clang-format off */
    /* clang-format off */
    [PACKET_HALT]        = {1,  "Halt",                            NULL},
    [1]                  = {1,  "NOP",                             NULL},
    [4]                  = {1,  "Flush",                           check_flush},
    [5]                  = {1,  "Flush All State",                 NULL},
    [6]                  = {1,  "Start Tile Binning",              check_start},
    [7]                  = {1,  "Increment Semaphore",             check_semaphore},
    [32]                 = {14, "Indexed Primitive List",          check_indexed},
    [33]                 = {10, "Vertex Array Primitives",         check_arrays},
    [56]                 = {2,  "Primitive List Format",           NULL},
    [64]                 = {5,  "GL Shader State",                 check_record},
    [96]                 = {4,  "Configuration Bits",              NULL},
    [97]                 = {5,  "Flat Shade Flags",                NULL},
    [98]                 = {5,  "Point Size",                      NULL},
    [99]                 = {5,  "Line Width",                      NULL},
    [100]                = {3,  "RHT X Boundary",                  NULL},
    [101]                = {5,  "Depth Offset",                    NULL},
    [102]                = {9,  "Clip Window",                     NULL},
    [103]                = {5,  "Viewport Offset",                 NULL},
    [105]                = {9,  "Clipper XY Scaling",              NULL},
    [106]                = {9,  "Clipper Z Scale and Offset",      NULL},
    [112]                = {16, "Tile Binning Mode Configuration", check_configuration},
    [PACKET_GEM_HANDLES] = {9,  "GEM Handles",                     check_handles},
    /* clang-format on */
    /* clang-format on */
};

/* --- the list --- */

static int check_packet(struct validation *v, uint32_t offset)
{
    const uint8_t *from = v->list + offset;
    uint8_t *copy = v->list_to + v->list_bytes;
    const struct packet *packet = &packets[*from];
    if (!packet->bytes)
        return refuse(v->why, "remove the packet: the kernel does not allow it",
                      "this packet is not allowed");
    if (packet->bytes > v->list_size - offset)
        return refuse(v->why, "submit complete packets",
                      "the packet has %u bytes, but only %u are left in the list", packet->bytes,
                      v->list_size - offset);
    if (*from != PACKET_GEM_HANDLES) {
        memcpy(copy, from, packet->bytes);
        v->list_bytes += packet->bytes;
    }
    return packet->check ? packet->check(v, from, copy) : 0;
}

static int check_packets(struct validation *v)
{
    for (uint32_t offset = 0; offset < v->list_size; offset += packets[v->list[offset]].bytes) {
        const uint8_t id = v->list[offset];
        const char *name = packets[id].name;
        const int error = check_packet(v, offset);
        if (error)
            return refused_at(v->why, error, "byte %u of the list, packet %u%s%s", offset, id,
                              name ? ", " : "", name ? name : "");
        if (id == PACKET_HALT) /* V3D stops reading at this packet */
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
