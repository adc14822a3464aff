/* SPDX-License-Identifier: MIT */
/* decode_primitives.c - see decoder.h.
 *
 * In:     control records that draw; memory after the steps have run.
 * Out:    sections of the listing: shaded vertices, VG coordinates, compressed primitives, clipped
 *         vertices.
 * Source: manual section 9, tables 38 to 44. */
#include "scene/decoder.h"

#include <stdio.h>

#include "base/bits.h"

enum { MAX_VERTICES = 8 }; /* maximum number of vertices shown of a primitive list */

/* Marks the end of a VG coordinate list. */
#define VG_END UINT32_C(0xbfff0000)

/* --- vertices --- */

/* The current NV shader record. */
struct nv_record {
    uint32_t flags, stride, varyings, vertices, header_bytes, used_bytes;
};

static bool read_nv_record(const struct decoder *decoder, struct nv_record *nv)
{
    uint32_t available;
    const uint8_t *bytes = machine_span(decoder->machine, decoder->shader_address, &available);
    if (decoder->shader_code != CL_NV_SHADER_STATE || !bytes || available < NV_RECORD_BYTES)
        return false;
    *nv = (struct nv_record){.flags = bytes[0],
                             .stride = bytes[1],
                             .varyings = bytes[3],
                             .vertices = load_le32(bytes + 12)};
    nv->header_bytes = nv->flags & 8 ? 16 : 0;
    nv->used_bytes = nv->header_bytes + 12 + (nv->flags & 2 ? 4 : 0) + 4 * nv->varyings;
    return true;
}

static void show_vertex_fields(struct decoder *decoder, const struct nv_record *nv,
                               const uint8_t *at)
{
    struct listing *listing = &decoder->listing;
    char comment[24];
    for (unsigned i = 0; i < 4 && nv->header_bytes; i++)
        listing_field(listing, &cl_parts[CL_PART_VERTEX_CLIP].fields[i], at, NULL);
    at += nv->header_bytes;
    for (unsigned i = 0; i < 4; i++)
        listing_field(listing, &cl_parts[CL_PART_VERTEX].fields[i], at, NULL);
    at += 12;
    if (nv->flags & 2) {
        listing_field(listing, cl_parts[CL_PART_VERTEX_POINT_SIZE].fields, at, NULL);
        at += 4;
    }
    for (uint32_t i = 0; i < nv->varyings; i++, at += 4) {
        snprintf(comment, sizeof comment, "number %u", i);
        listing_field(listing, cl_parts[CL_PART_VERTEX_VARYING].fields, at, comment);
    }
}

static bool show_vertex(struct decoder *decoder, const struct nv_record *nv, uint32_t index)
{
    uint32_t address = nv->vertices + index * nv->stride;
    char name[32];
    if (!decoder_first_time(decoder, AS_VERTEX, address))
        return true;
    const uint8_t *bytes = decoder_need(decoder, address, nv->used_bytes, "a shaded vertex");
    if (!bytes || !decoder_may_show(decoder))
        return false;
    snprintf(name, sizeof name, "Vertex %u", index);
    struct listing_record record = {
        .kind = "vertex", .address = address, .bytes = bytes, .size = nv->used_bytes, .name = name};
    listing_record(&decoder->listing, &record);
    show_vertex_fields(decoder, nv, bytes);
    listing_end_record(&decoder->listing);
    return true;
}

void decode_vertices(struct decoder *decoder, uint32_t first, uint32_t length,
                     const uint8_t *indices, uint32_t index_bytes)
{
    struct nv_record nv;
    if (length == 0 || !read_nv_record(decoder, &nv))
        return;
    listing_open(&decoder->listing, "vertices", nv.vertices, 0, "Shaded vertices");
    for (uint32_t i = 0; i < length && i < MAX_VERTICES; i++) {
        uint32_t index = !indices           ? first + i
                         : index_bytes == 1 ? indices[i]
                                            : load_le16(indices + 2 * (size_t)i);
        if (!show_vertex(decoder, &nv, index))
            break;
    }
    if (length > MAX_VERTICES)
        decoder_note(decoder, "%u more vertices are not shown", length - MAX_VERTICES);
    listing_close(&decoder->listing);
}

void decode_indexed_vertices(struct decoder *decoder, const uint8_t *data)
{
    uint32_t length = CL_GET(data, INDEXED_PRIMITIVE_LIST, LENGTH);
    uint32_t address = CL_GET_ADDRESS(data, INDEXED_PRIMITIVE_LIST, ADDRESS);
    uint32_t bytes = CL_GET(data, INDEXED_PRIMITIVE_LIST, INDEX_TYPE) ? 2 : 1;
    uint32_t shown = length < MAX_VERTICES ? length : MAX_VERTICES;
    uint32_t available;
    const uint8_t *indices = machine_span(decoder->machine, address, &available);
    if (!indices || available < shown * bytes)
        decoder_trouble(decoder, "bus-unmapped", address,
                        "the index list at 0x%08x is not in mapped memory", address);
    else
        decode_vertices(decoder, 0, length, indices, bytes);
}

/* --- VG coordinates --- */

static void show_coordinate(struct decoder *decoder, uint32_t address, const uint8_t *bytes)
{
    struct listing_record record = {.kind = "coordinate",
                                    .address = address,
                                    .bytes = bytes,
                                    .size = 4,
                                    .name = load_le32(bytes) == VG_END ? "End of list"
                                                                       : "Coordinate"};
    listing_record(&decoder->listing, &record);
    listing_field(&decoder->listing, &cl_parts[CL_PART_VG_VERTEX].fields[0], bytes, NULL);
    listing_field(&decoder->listing, &cl_parts[CL_PART_VG_VERTEX].fields[1], bytes, NULL);
    listing_end_record(&decoder->listing);
}

void decode_coordinate_array(struct decoder *decoder, const uint8_t *data)
{
    uint32_t length = CL_GET(data, VG_COORDINATE_ARRAY_PRIMITIVES, LENGTH);
    uint32_t address = CL_GET_ADDRESS(data, VG_COORDINATE_ARRAY_PRIMITIVES, ADDRESS);
    listing_open(&decoder->listing, "coordinates", address, 0, "VG coordinates");
    for (uint32_t i = 0; i < length && i < MAX_VERTICES; i++) {
        const uint8_t *bytes = decoder_need(decoder, address + 4 * i, 4, "a coordinate");
        if (!bytes || !decoder_may_show(decoder))
            break;
        show_coordinate(decoder, address + 4 * i, bytes);
    }
    if (length > MAX_VERTICES)
        decoder_note(decoder, "%u more coordinates are not shown", length - MAX_VERTICES);
    listing_close(&decoder->listing);
}

/* True if coordinate n (counted from 0) of an inline list may be the end marker. In triangle lists,
 * the marker may be the third coordinate of a triangle. In RHT lists, it may be the second
 * coordinate of an RHT. In RHT strips it may be any coordinate after the first, and in triangle
 * strips and fans any coordinate after the second (manual, VG Inline Primitives). */
static bool may_end_inline(uint32_t type, uint32_t n)
{
    switch (type) {
    case 1: return n % 2 == 1;
    case 3: return n >= 1;
    case 4: return n % 3 == 2;
    default: return n >= 2;
    }
}

uint32_t decode_inline_coordinates(struct decoder *decoder, uint32_t address, uint32_t type)
{
    for (uint32_t n = 0;; n++, address += 4) {
        const uint8_t *bytes = decoder_need(decoder, address, 4, "an inline coordinate");
        if (!bytes || !decoder_may_show(decoder))
            return 0;
        show_coordinate(decoder, address, bytes);
        if (may_end_inline(type, n) && load_le32(bytes) == VG_END)
            return address + 4;
    }
}

/* --- compressed primitive lists --- */

static void item_name(const struct decoder *decoder, const struct primlist_primitive *primitive,
                      char *text, size_t size)
{
    static const char *const types[] = {"Point", "Line", "Triangle", "RHT"};
    bool coordinates = decoder->format.index_bytes == 4;
    size_t used = (size_t)snprintf(text, size, "%s", types[decoder->format.type & 3]);
    for (unsigned i = 0; i < primlist_vertices(&decoder->format); i++) {
        uint32_t vertex = primitive->vertex[i];
        if (coordinates)
            used += (size_t)snprintf(text + used, size - used, " (%.4f, %.4f)",
                                     bits_signed(vertex, 16) / 16.0,
                                     bits_signed(vertex >> 16, 16) / 16.0);
        else
            used += (size_t)snprintf(text + used, size - used, " %u", vertex);
    }
}

static void show_item(struct decoder *decoder, uint32_t address, const uint8_t *bytes, size_t size,
                      const char *kind, const char *name)
{
    struct listing_record record = {
        .kind = kind, .address = address, .bytes = bytes, .size = (uint32_t)size, .name = name};
    listing_record(&decoder->listing, &record);
    listing_end_record(&decoder->listing);
}

static void show_primitive(struct decoder *decoder, uint32_t address, const uint8_t *bytes,
                           size_t size, const struct primlist_primitive *primitive, unsigned coding)
{
    char name[128], text[160];
    item_name(decoder, primitive, name, sizeof name);
    snprintf(text, sizeof text, "%s, coding %u", name, coding);
    show_item(decoder, address, bytes, size, "primitive", text);
}

static uint32_t jump_target(uint32_t address, int32_t jump)
{
    return (address & ~(PRIMLIST_BRANCH_UNIT - 1u)) + (uint32_t)jump;
}

/* Decodes one item and moves *address past the item. Returns false at the end of the list and if
 * the item cannot be decoded. Sets *ended if the item is the escape code that ends the list. */
static bool decode_item(struct decoder *decoder, uint32_t *address,
                        struct primlist_primitive *previous, bool *ended)
{
    uint32_t available, at = *address;
    const uint8_t *bytes = decoder_need(decoder, at, 1, "a compressed primitive");
    if (!bytes || !decoder_may_show(decoder))
        return false;
    machine_span(decoder->machine, at, &available);

    size_t used = 0;
    unsigned coding = 0;
    int32_t jump = 0;
    enum primlist_item item = primlist_read(&decoder->format, bytes, available, previous, &used,
                                            &coding, &jump);
    *address = at + (uint32_t)used;
    switch (item) {
    case PRIMLIST_PRIMITIVE:
        show_primitive(decoder, at, bytes, used, previous, coding);
        return true;
    case PRIMLIST_JUMP:
        show_item(decoder, at, bytes, used, "branch", "Relative branch");
        *address = jump_target(at, jump);
        if (decoder_first_time(decoder, AS_ITEMS, *address))
            return true;
        decoder_note(decoder, "the list at 0x%08x is shown above", *address);
        return false;
    case PRIMLIST_END:
        show_item(decoder, at, bytes, used, "end", "End of primitive list");
        *ended = true;
        return false;
    case PRIMLIST_BAD: break;
    }
    decoder_trouble(decoder, "cl-compressed-list", at, "invalid compressed primitive at 0x%08x",
                    at);
    return false;
}

uint32_t decode_items(struct decoder *decoder, uint32_t address)
{
    struct primlist_primitive previous = {0};
    bool ended = false;
    if (!decoder->format_known)
        decoder_note(decoder,
                     "no Primitive List Format precedes this list; assuming 16-bit triangles");
    while (decode_item(decoder, &address, &previous, &ended))
        ;
    return ended ? address : 0;
}

void decode_clipped(struct decoder *decoder, const uint8_t *data)
{
    uint32_t address = CL_GET_ADDRESS(data, CLIPPED_PRIMITIVE_LIST, ADDRESS);
    uint32_t flags = CL_GET(data, CLIPPED_PRIMITIVE_LIST, CLIPPED_VERTICES);
    uint32_t n = 0;
    if (!decoder_first_time(decoder, AS_CLIPPED, address))
        return;
    listing_open(&decoder->listing, "clipped_primitive", address, 0, "Clipped primitive");
    for (uint32_t i = 0; i < 3; i++) {
        char name[32];
        uint32_t at = address + CLIPPED_VERTEX_BYTES * n;
        if (!(flags >> i & 1))
            continue;
        const uint8_t *bytes = decoder_need(decoder, at, CLIPPED_VERTEX_BYTES, "a clipped vertex");
        if (!bytes || !decoder_may_show(decoder))
            break;
        snprintf(name, sizeof name, "Clipped vertex %u", i);
        struct listing_record record = {.kind = "clipped_vertex",
                                        .address = at,
                                        .bytes = bytes,
                                        .size = CLIPPED_VERTEX_BYTES,
                                        .name = name};
        listing_record(&decoder->listing, &record);
        decoder_show_fields(decoder, &cl_parts[CL_PART_CLIPPED_VERTEX], bytes);
        listing_end_record(&decoder->listing);
        n++;
    }
    listing_close(&decoder->listing);
}
