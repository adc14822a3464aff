/* SPDX-License-Identifier: MIT */
/* decode.c - lists the control records, shader records, programs and vertices that a scene's steps
 * use, with their bytes, values and meanings.
 *
 * In:      the steps; memory after the steps have run, so that tile lists exist.
 * Out:     a listing (listing.h) in the order of execution, and a diagnostic for each malformed
 *          record.
 * Source:  manual section 9. Tables are in packets.def and decode_words.c.
 * Choices: each sub-list, shader record, program and vertex is shown once per address. A limit on
 *          the total number of shown records bounds the listing. */
#include "scene/scene_machine.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/diag.h"
#include "isa/cl/primlist.h"
#include "isa/qpu/qpu_isa.h"
#include "scene/decode_words.h"
#include "scene/hang.h"
#include "scene/listing.h"
#include "scene/uniform_order.h"
#include "vc4/tile/tlb.h"

enum {
    DEFAULT_RECORDS = 1000000,
    MAX_INSTRUCTIONS = 4096, /* maximum number of instructions shown of a program */
    MAX_VERTICES = 8,        /* maximum number of vertices shown of a primitive list */
    MAX_UNIFORMS = 64,       /* maximum number of unread uniforms shown of a user program */
    SUB_LIST_DEPTH = 2,      /* maximum depth of nested sub-lists (manual table 38, id 17) */
};

/* Marks the end of a VG coordinate list. */
#define VG_END UINT32_C(0xbfff0000)

/* Kind of a shown object. The keys in the set of shown objects consist of a kind and an address. */
enum shown_as {
    AS_SUB_LIST,
    AS_BRANCH,
    AS_ITEMS,
    AS_RECORD,
    AS_PROGRAM,
    AS_VERTEX,
    AS_CLIPPED,
    AS_UNIFORMS
};

/* Hash set with open addressing. The key 0 marks an empty slot. */
struct address_set {
    uint64_t *slots;
    size_t capacity, count;
};

struct decoder {
    const struct tess_scene *scene;
    struct machine *machine;
    struct tess_sink sink;
    struct listing listing;
    struct address_set seen;
    uint64_t left; /* number of records that may still be shown */
    bool wrong, no_memory, out_of_budget;

    uint32_t current[2]; /* V3D_CTnCA as written by the latest step */
    uint32_t uniforms;   /* V3D_SRQUA as written by the latest step */
    uint32_t thread;
    struct primlist_format format; /* format of the latest record 56 */
    bool format_known;
    uint8_t shader_code; /* id of the latest record 64 to 67, 0 before the first */
    uint32_t shader_address;
    struct tlb_geometry tile;
};

/* --- set of shown objects --- */

static size_t find_slot(const struct address_set *set, uint64_t key)
{
    size_t at = (size_t)((key * UINT64_C(0x9e3779b97f4a7c15)) >> 20) & (set->capacity - 1);
    while (set->slots[at] && set->slots[at] != key)
        at = (at + 1) & (set->capacity - 1);
    return at;
}

static bool grow_set(struct address_set *set)
{
    struct address_set larger = {.capacity = set->capacity ? 2 * set->capacity : 256,
                                 .count = set->count};
    larger.slots = calloc(larger.capacity, sizeof *larger.slots);
    if (!larger.slots)
        return false;
    for (size_t i = 0; i < set->capacity; i++)
        if (set->slots[i])
            larger.slots[find_slot(&larger, set->slots[i])] = set->slots[i];
    free(set->slots);
    *set = larger;
    return true;
}

/* Returns true in the first call with this kind and these two addresses. */
static bool first_pair(struct decoder *decoder, enum shown_as as, uint32_t address, uint32_t other)
{
    enum { ADDRESS_BITS = 30 };
    struct address_set *set = &decoder->seen;
    uint64_t key = (uint64_t)(as + 1) << (2 * ADDRESS_BITS) |
                   (uint64_t)(other & ELF_ADDRESS_MASK) << ADDRESS_BITS |
                   (address & ELF_ADDRESS_MASK);
    if (2 * set->count >= set->capacity && !grow_set(set)) {
        decoder->no_memory = true;
        return false;
    }
    size_t slot = find_slot(set, key);
    if (set->slots[slot] == key)
        return false;
    set->slots[slot] = key;
    set->count++;
    return true;
}

/* Returns true in the first call with this kind and address. */
static bool first_time(struct decoder *decoder, enum shown_as as, uint32_t address)
{
    return first_pair(decoder, as, address, 0);
}

/* --- notes and diagnostics --- */

static void note(struct decoder *decoder, const char *format, ...)
    __attribute__((format(printf, 2, 3)));

static void note(struct decoder *decoder, const char *format, ...)
{
    char text[256];
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(text, sizeof text, format, arguments);
    va_end(arguments);
    listing_note(&decoder->listing, text);
}

/* Writes the first bytes of malformed memory for a diagnostic, as in "12 34 56". */
static const char *raw_text(char *text, size_t size, const uint8_t *bytes, uint32_t available)
{
    *text = 0;
    for (uint32_t i = 0; i < available && i < 8 && 3 * i + 4 < size; i++)
        snprintf(text + 3 * i, size - 3 * i, "%02x ", bytes[i]);
    size_t length = strlen(text);
    if (length)
        text[length - 1] = 0;
    return text;
}

/* Reports memory that cannot be decoded, in the listing and to the sink. */
static void trouble(struct decoder *decoder, const char *rule, uint32_t address, const char *format,
                    ...) __attribute__((format(printf, 4, 5)));

static void trouble(struct decoder *decoder, const char *rule, uint32_t address, const char *format,
                    ...)
{
    char text[256], raw[32];
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(text, sizeof text, format, arguments);
    va_end(arguments);

    uint32_t available;
    const uint8_t *bytes = machine_span(decoder->machine, address, &available);
    note(decoder, "error: %s", text);
    struct tess_diag diag = {
        .severity = TESS_ERROR,
        .rule = rule,
        .file = decoder->scene->name,
        .place = {.known = TESS_PLACE_ADDRESS, .address = address},
    };
    if (bytes)
        diag_report(decoder->sink, &diag, "%s; the bytes at 0x%08x are %s", text, address,
                    raw_text(raw, sizeof raw, bytes, available));
    else
        diag_report(decoder->sink, &diag, "%s", text);
    decoder->wrong = true;
}

/* Counts one shown record. Returns false if the limit is reached. */
static bool may_show(struct decoder *decoder)
{
    if (decoder->left > 0 && !decoder->no_memory && !decoder->listing.failed) {
        decoder->left--;
        return true;
    }
    if (!decoder->out_of_budget)
        note(decoder, "the listing ends here: the limit on records is reached");
    decoder->out_of_budget = true;
    return false;
}

/* Returns a pointer to `size` bytes at address, or NULL after reporting a diagnostic. */
static const uint8_t *need(struct decoder *decoder, uint32_t address, uint32_t size,
                           const char *what)
{
    uint32_t available;
    const uint8_t *bytes = machine_span(decoder->machine, address, &available);
    if (bytes && available >= size)
        return bytes;
    trouble(decoder, "bus-unmapped", address,
            "%s at 0x%08x is not completely in mapped memory (%u of %u bytes)", what, address,
            available, size);
    return NULL;
}

/* --- shader programs --- */

/* Sets *furthest to the target of a forward branch if the target is further. */
static void follow_branch(const struct qpu_insn *insn, uint32_t pc, uint32_t *furthest)
{
    if (insn->form != QPU_FORM_BRANCH || !insn->rel || insn->reg)
        return;
    /* The offset is relative to the fourth instruction after the branch. */
    uint32_t target = pc + 32 + insn->immediate;
    if ((int32_t)insn->immediate >= 0 && target > *furthest)
        *furthest = target;
}

static bool show_instruction(struct decoder *decoder, uint32_t address, const uint8_t *bytes)
{
    char text[160];
    if (!may_show(decoder))
        return false;
    qpu_print_nearest(text, sizeof text, load_le64(bytes), address);
    struct listing_record record = {
        .kind = "instruction", .address = address, .bytes = bytes, .size = 8, .name = text};
    listing_record(&decoder->listing, &record);
    listing_end_record(&decoder->listing);
    return true;
}

/* Shows a program up to the two instructions after the program-end signal. Ignores a program-end
 * signal if an earlier branch jumps past it. */
static void show_instructions(struct decoder *decoder, uint32_t address)
{
    uint32_t furthest = address, last = 0;
    bool ended = false;
    for (uint32_t i = 0; i < MAX_INSTRUCTIONS; i++) {
        uint32_t pc = address + 8 * i;
        const uint8_t *bytes = need(decoder, pc, 8, "an instruction");
        if (!bytes || !show_instruction(decoder, pc, bytes))
            return;
        struct qpu_insn insn = qpu_decode(load_le64(bytes));
        follow_branch(&insn, pc, &furthest);
        if (insn.sig == QPU_SIG_PROGRAM_END && pc >= furthest) {
            ended = true;
            last = i + 2;
        }
        if (ended && i == last)
            return;
    }
    note(decoder, "no program end in %d instructions", MAX_INSTRUCTIONS);
}

static void show_program(struct decoder *decoder, uint32_t address, const char *title)
{
    if (!first_time(decoder, AS_PROGRAM, address) || decoder->out_of_budget)
        return;
    listing_open(&decoder->listing, "program", address, 0, title);
    show_instructions(decoder, address);
    listing_close(&decoder->listing);
}

/* --- uniforms --- */

static void show_fields(struct decoder *decoder, const struct cl_part *part, const uint8_t *data)
{
    for (uint32_t i = 0; i < part->field_count; i++)
        listing_field(&decoder->listing, &part->fields[i], data, NULL);
}

/* Writes "read at 0x40410010 <shader+0x10>". */
static void reader_text(const struct decoder *decoder, const struct uniform_read *read, char *text,
                        size_t size)
{
    char place[PLACE_TEXT];
    listing_address(decoder->scene, read->pc, place, sizeof place);
    snprintf(text, size, "read at %s", place);
}

static void uniform_name(const struct uniform_read *read, uint32_t value, char *text, size_t size)
{
    if (read && read->texture)
        snprintf(text, size, "0x%08x, texture parameter %u for TMU%u", value, read->parameter,
                 read->unit);
    else
        snprintf(text, size, "0x%08x, as a float %.9g", value, (double)bits_float(value));
}

/* Shows the fields of texture parameter `parameter`, 0 or 1. The fields of both parameters are in
 * one table, in which parameter 0 is bits 31:0 and parameter 1 bits 63:32. */
static void show_base_fields(struct decoder *decoder, uint32_t first, uint32_t second,
                             uint32_t parameter)
{
    uint8_t data[8];
    const struct cl_part *part = &cl_parts[CL_PART_TEXTURE];
    store_le64(data, (uint64_t)second << 32 | first);
    for (uint32_t i = 0; i < part->field_count; i++)
        if (part->fields[i].bit / 32 == parameter)
            listing_field(&decoder->listing, &part->fields[i], data, NULL);
}

/* Shows texture parameter 2 or 3. The upper two bits select the meaning of the word. If these bits
 * are 0, the word is unused. */
static void show_further_fields(struct decoder *decoder, const uint8_t *bytes)
{
    static const enum cl_part_id parts[] = {CL_PART_TEXTURE_CUBE, CL_PART_TEXTURE_CUBE,
                                            CL_PART_TEXTURE_CHILD_SIZE,
                                            CL_PART_TEXTURE_CHILD_OFFSET};
    uint32_t type = load_le32(bytes) >> 30;
    if (type == 0)
        note(decoder, "parameter type 0: unused");
    else
        show_fields(decoder, &cl_parts[parts[type]], bytes);
}

/* Returns the value of a texture parameter of the request to which uniform number `at` belongs. The
 * uniforms are at an address. Returns 0 if the request has no such parameter. */
static uint32_t parameter_word(const struct decoder *decoder, const struct uniform_order *order,
                               uint32_t address, uint32_t at, uint8_t parameter)
{
    uint32_t available;
    const struct uniform_read *read = uniform_order_parameter(order, at, parameter);
    const uint8_t *bytes = read ? machine_span(decoder->machine,
                                               address + 4 * (uint32_t)(read - order->read),
                                               &available)
                                : NULL;
    return bytes && available >= 4 ? load_le32(bytes) : 0;
}

static void show_parameter(struct decoder *decoder, const struct uniform_order *order,
                           uint32_t address, uint32_t at, const uint8_t *bytes)
{
    uint8_t number = order->read[at].parameter;
    if (number > 1)
        show_further_fields(decoder, bytes);
    else
        show_base_fields(decoder, parameter_word(decoder, order, address, at, 0),
                         parameter_word(decoder, order, address, at, 1), number);
}

/* Shows uniform number `at` of the uniforms at an address. Returns false if the listing must
 * end. */
static bool show_uniform(struct decoder *decoder, const struct uniform_order *order,
                         uint32_t address, uint32_t at)
{
    char name[64], reader[PLACE_TEXT + 16];
    uint32_t available, place = address + 4 * at;
    const struct uniform_read *read = at < order->count ? &order->read[at] : NULL;
    const uint8_t *bytes = machine_span(decoder->machine, place, &available);
    if (!bytes || available < 4) {
        note(decoder, "the uniform at 0x%08x is not in mapped memory", place);
        return false;
    }
    if (!may_show(decoder))
        return false;
    uniform_name(read, load_le32(bytes), name, sizeof name);
    if (read)
        reader_text(decoder, read, reader, sizeof reader);
    struct listing_record record = {.kind = "uniform",
                                    .address = place,
                                    .bytes = bytes,
                                    .size = 4,
                                    .name = name,
                                    .note = read ? reader : NULL};
    listing_record(&decoder->listing, &record);
    if (read && read->texture)
        show_parameter(decoder, order, address, at, bytes);
    listing_end_record(&decoder->listing);
    return true;
}

/* Adds a note about the instruction after which the order of uniforms is unknown, if there is such
 * an instruction. */
static void note_order_end(struct decoder *decoder, const struct uniform_order *order)
{
    char place[PLACE_TEXT];
    listing_address(decoder->scene, order->end_pc, place, sizeof place);
    if (order->end == UNIFORMS_BRANCH)
        note(decoder, "the branch at %s decides which uniforms are read next", place);
    else if (order->end == UNIFORMS_ADDRESS)
        note(decoder, "%s sets the uniform address: further uniforms are read from there", place);
    else if (order->end == UNIFORMS_TOO_MANY)
        note(decoder, "further uniforms are not shown");
}

/* Shows the uniforms that a program reads, in the order of the reads. If `count` is larger than the
 * number of reads, shows `count` uniforms, or MAX_UNIFORMS if `count` is larger. */
static void show_uniforms(struct decoder *decoder, uint32_t code, uint32_t address, uint32_t count,
                          const char *title)
{
    struct uniform_order order;
    uniform_order_find(&order, decoder->machine, code);
    uint32_t shown = count < MAX_UNIFORMS ? count : MAX_UNIFORMS;
    uint32_t wanted = order.count > shown ? order.count : shown;
    if (wanted == 0 || !first_pair(decoder, AS_UNIFORMS, address, code) || decoder->out_of_budget)
        return;
    listing_open(&decoder->listing, "uniforms", address, 0, title);
    for (uint32_t i = 0; i < wanted; i++)
        if (!show_uniform(decoder, &order, address, i))
            break;
    note_order_end(decoder, &order);
    if (count > wanted)
        note(decoder, "%u more uniforms are not shown", count - wanted);
    listing_close(&decoder->listing);
}

/* --- shader records --- */

static void show_attributes(struct decoder *decoder, const uint8_t *record, uint32_t count,
                            bool extended)
{
    char comment[32];
    const struct cl_part *part = &cl_parts[CL_PART_GL_ATTRIBUTE];
    for (uint32_t n = 0; n < count; n++) {
        const uint8_t *attribute = record + GL_RECORD_BYTES + n * GL_ATTRIBUTE_BYTES;
        snprintf(comment, sizeof comment, "array %u", n);
        for (uint32_t i = 0; i < part->field_count; i++)
            listing_field(&decoder->listing, &part->fields[i], attribute, comment);
        if (extended)
            listing_field(&decoder->listing, cl_parts[CL_PART_GL_STRIDE].fields,
                          record + GL_EXTENDED_AT + 4 * n, comment);
    }
}

/* A kind of shader record. */
struct record_kind {
    const char *title;
    const struct cl_part *part;
};

static const struct record_kind *record_kind(uint8_t code)
{
    static const struct record_kind gl = {"GL Shader State Record", &cl_parts[CL_PART_GL_RECORD]};
    static const struct record_kind nv = {"NV Shader State Record", &cl_parts[CL_PART_NV_RECORD]};
    static const struct record_kind vg = {"VG Shader State Record", &cl_parts[CL_PART_VG_RECORD]};
    return code == CL_GL_SHADER_STATE ? &gl : code == CL_NV_SHADER_STATE ? &nv : &vg;
}

static uint32_t record_bytes(uint8_t code, uint32_t attributes, bool extended)
{
    if (code != CL_GL_SHADER_STATE)
        return record_kind(code)->part->bytes;
    return extended ? GL_EXTENDED_AT + 4 * attributes
                    : GL_RECORD_BYTES + GL_ATTRIBUTE_BYTES * attributes;
}

/* Shows the shaders of a shader record. shaders[].at is the offset of the code's address in the
 * record. The next word is the address of the uniforms. */
static void show_record_programs(struct decoder *decoder, uint8_t code, const uint8_t *bytes)
{
    static const struct {
        uint32_t at;
        const char *program, *uniforms;
    } shaders[] = {
        {4, "Fragment shader", "Uniforms of the fragment shader"},
        {16, "Vertex shader", "Uniforms of the vertex shader"},
        {28, "Coordinate shader", "Uniforms of the coordinate shader"},
    };
    unsigned count = code == CL_GL_SHADER_STATE ? 3 : 1;
    for (unsigned i = 0; i < count; i++) {
        uint32_t start = load_le32(bytes + shaders[i].at);
        show_program(decoder, start, shaders[i].program);
        show_uniforms(decoder, start, load_le32(bytes + shaders[i].at + 4), 0, shaders[i].uniforms);
    }
}

static void show_record_body(struct decoder *decoder, uint8_t code, uint32_t address,
                             uint32_t attributes, bool extended)
{
    const struct record_kind *kind = record_kind(code);
    uint32_t size = record_bytes(code, attributes, extended);
    const uint8_t *bytes = need(decoder, address, size, "the shader record");
    if (!bytes || !may_show(decoder))
        return;
    struct listing_record record = {.kind = "shader_record",
                                    .address = address,
                                    .bytes = bytes,
                                    .size = size,
                                    .name = kind->title};
    listing_record(&decoder->listing, &record);
    show_fields(decoder, kind->part, bytes);
    if (code == CL_GL_SHADER_STATE)
        show_attributes(decoder, bytes, attributes, extended);
    show_record_programs(decoder, code, bytes);
    listing_end_record(&decoder->listing);
}

/* Shows the shader record to which a control record points. code: id of the control record, 64 to
 * 66. data: bytes after the id. */
static void show_shader_record(struct decoder *decoder, uint8_t code, const uint8_t *data)
{
    uint32_t word = load_le32(data), attributes = 0;
    bool extended = false;
    decoder->shader_code = code;
    decoder->shader_address = word;
    if (code == CL_GL_SHADER_STATE) {
        decoder->shader_address = CL_GET_ADDRESS(data, GL_SHADER_STATE, ADDRESS);
        attributes = CL_GET(data, GL_SHADER_STATE, ATTRIBUTE_ARRAYS);
        attributes = attributes ? attributes : GL_ATTRIBUTES;
        extended = CL_GET(data, GL_SHADER_STATE, EXTENDED) != 0;
    }
    if (!first_time(decoder, AS_RECORD, decoder->shader_address))
        return;
    listing_open(&decoder->listing, "shader_record", decoder->shader_address, 0,
                 record_kind(code)->title);
    show_record_body(decoder, code, decoder->shader_address, attributes, extended);
    listing_close(&decoder->listing);
}

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
    if (!first_time(decoder, AS_VERTEX, address))
        return true;
    const uint8_t *bytes = need(decoder, address, nv->used_bytes, "a shaded vertex");
    if (!bytes || !may_show(decoder))
        return false;
    snprintf(name, sizeof name, "Vertex %u", index);
    struct listing_record record = {
        .kind = "vertex", .address = address, .bytes = bytes, .size = nv->used_bytes, .name = name};
    listing_record(&decoder->listing, &record);
    show_vertex_fields(decoder, nv, bytes);
    listing_end_record(&decoder->listing);
    return true;
}

/* Shows the first vertices of a primitive list. `indices` is NULL for consecutive vertices. */
static void show_vertices(struct decoder *decoder, uint32_t first, uint32_t length,
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
        note(decoder, "%u more vertices are not shown", length - MAX_VERTICES);
    listing_close(&decoder->listing);
}

static void show_indexed_vertices(struct decoder *decoder, const uint8_t *data)
{
    uint32_t length = CL_GET(data, INDEXED_PRIMITIVE_LIST, LENGTH);
    uint32_t address = CL_GET_ADDRESS(data, INDEXED_PRIMITIVE_LIST, ADDRESS);
    uint32_t bytes = CL_GET(data, INDEXED_PRIMITIVE_LIST, INDEX_TYPE) ? 2 : 1;
    uint32_t shown = length < MAX_VERTICES ? length : MAX_VERTICES;
    uint32_t available;
    const uint8_t *indices = machine_span(decoder->machine, address, &available);
    if (!indices || available < shown * bytes)
        trouble(decoder, "bus-unmapped", address,
                "the index list at 0x%08x is not in mapped memory", address);
    else
        show_vertices(decoder, 0, length, indices, bytes);
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

static void show_coordinate_array(struct decoder *decoder, const uint8_t *data)
{
    uint32_t length = CL_GET(data, VG_COORDINATE_ARRAY_PRIMITIVES, LENGTH);
    uint32_t address = CL_GET_ADDRESS(data, VG_COORDINATE_ARRAY_PRIMITIVES, ADDRESS);
    listing_open(&decoder->listing, "coordinates", address, 0, "VG coordinates");
    for (uint32_t i = 0; i < length && i < MAX_VERTICES; i++) {
        const uint8_t *bytes = need(decoder, address + 4 * i, 4, "a coordinate");
        if (!bytes || !may_show(decoder))
            break;
        show_coordinate(decoder, address + 4 * i, bytes);
    }
    if (length > MAX_VERTICES)
        note(decoder, "%u more coordinates are not shown", length - MAX_VERTICES);
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

/* Shows the coordinates after record 42. Returns the address after the end marker, or 0 if there is
 * no end marker. */
static uint32_t show_inline_coordinates(struct decoder *decoder, uint32_t address, uint32_t type)
{
    for (uint32_t n = 0;; n++, address += 4) {
        const uint8_t *bytes = need(decoder, address, 4, "an inline coordinate");
        if (!bytes || !may_show(decoder))
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
    const uint8_t *bytes = need(decoder, at, 1, "a compressed primitive");
    if (!bytes || !may_show(decoder))
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
        if (first_time(decoder, AS_ITEMS, *address))
            return true;
        note(decoder, "the list at 0x%08x is shown above", *address);
        return false;
    case PRIMLIST_END:
        show_item(decoder, at, bytes, used, "end", "End of primitive list");
        *ended = true;
        return false;
    case PRIMLIST_BAD: break;
    }
    trouble(decoder, "cl-compressed-list", at, "invalid compressed primitive at 0x%08x", at);
    return false;
}

/* Decodes a compressed primitive list. Returns the address after the list, or 0 if the list has no
 * end. */
static uint32_t decode_items(struct decoder *decoder, uint32_t address)
{
    struct primlist_primitive previous = {0};
    bool ended = false;
    if (!decoder->format_known)
        note(decoder, "no Primitive List Format precedes this list; assuming 16-bit triangles");
    while (decode_item(decoder, &address, &previous, &ended))
        ;
    return ended ? address : 0;
}

static void show_clipped(struct decoder *decoder, const uint8_t *data)
{
    uint32_t address = CL_GET_ADDRESS(data, CLIPPED_PRIMITIVE_LIST, ADDRESS);
    uint32_t flags = CL_GET(data, CLIPPED_PRIMITIVE_LIST, CLIPPED_VERTICES);
    uint32_t n = 0;
    if (!first_time(decoder, AS_CLIPPED, address))
        return;
    listing_open(&decoder->listing, "clipped_primitive", address, 0, "Clipped primitive");
    for (uint32_t i = 0; i < 3; i++) {
        char name[32];
        uint32_t at = address + CLIPPED_VERTEX_BYTES * n;
        if (!(flags >> i & 1))
            continue;
        const uint8_t *bytes = need(decoder, at, CLIPPED_VERTEX_BYTES, "a clipped vertex");
        if (!bytes || !may_show(decoder))
            break;
        snprintf(name, sizeof name, "Clipped vertex %u", i);
        struct listing_record record = {.kind = "clipped_vertex",
                                        .address = at,
                                        .bytes = bytes,
                                        .size = CLIPPED_VERTEX_BYTES,
                                        .name = name};
        listing_record(&decoder->listing, &record);
        show_fields(decoder, &cl_parts[CL_PART_CLIPPED_VERTEX], bytes);
        listing_end_record(&decoder->listing);
        n++;
    }
    listing_close(&decoder->listing);
}

/* --- control records --- */

/* Result of decoding a record. next is the address of the next record. stop is true if no record
 * follows. */
struct flow {
    uint32_t next;
    bool stop;
};

static void decode_list(struct decoder *decoder, uint32_t address, const uint32_t *end,
                        uint32_t depth);

static void pixels_comment(const struct decoder *decoder, uint8_t code,
                           const struct cl_field *field, const uint8_t *data, char *comment,
                           size_t size)
{
    uint32_t value = cl_field_value(field, data);
    const char *name = field->identifier;
    bool horizontal = strcmp(name, "width") == 0 || strcmp(name, "column") == 0;
    uint32_t side = horizontal ? decoder->tile.width : decoder->tile.height;
    *comment = 0;
    switch (code) {
    case CL_TILE_BINNING_MODE:
        if (horizontal || strcmp(name, "height") == 0)
            snprintf(comment, size, "%u pixels", value * side);
        return;
    case CL_TILE_COORDINATES:
        snprintf(comment, size, "from pixel %s %u", horizontal ? "column" : "row", value * side);
        return;
    case CL_CLIPPER_XY_SCALING:
        snprintf(comment, size, "%.9g pixels", (double)bits_float(value) / 16.0);
        return;
    case CL_CLEAR_COLORS:
        if (strncmp(name, "color", 5) == 0)
            snprintf(comment, size, "bytes in memory %02x %02x %02x %02x", value & 255,
                     value >> 8 & 255, value >> 16 & 255, value >> 24);
        return;
    default: return;
    }
}

/* Stores the tile size and the primitive list format, which later records depend on. */
static void note_state(struct decoder *decoder, uint8_t code, const uint8_t *data)
{
    if (code == CL_TILE_BINNING_MODE) {
        decoder->tile = tlb_geometry(CL_GET(data, TILE_BINNING_MODE, MULTISAMPLE),
                                     CL_GET(data, TILE_BINNING_MODE, COLOR_64BIT),
                                     CL_GET(data, TILE_BINNING_MODE, DOUBLE_BUFFER));
    } else if (code == CL_TILE_RENDERING_MODE) {
        decoder->tile = tlb_frame_geometry(data);
    } else if (code == CL_PRIMITIVE_LIST_FORMAT) {
        decoder->format.type = CL_GET(data, PRIMITIVE_LIST_FORMAT, TYPE) & 3;
        decoder->format.index_bytes = CL_GET(data, PRIMITIVE_LIST_FORMAT, DATA_TYPE) == 3 ? 4 : 2;
        decoder->format_known = true;
    }
}

static void enter_sub_list(struct decoder *decoder, uint32_t at, uint32_t target, uint32_t depth)
{
    if (depth == SUB_LIST_DEPTH) {
        trouble(decoder, "cl-nesting", at, "a third level of sub-lists is called at 0x%08x", at);
        return;
    }
    if (!first_time(decoder, AS_SUB_LIST, target)) {
        note(decoder, "this list is shown above");
        return;
    }
    listing_open(&decoder->listing, "list", target, 0, "Sub-list");
    decode_list(decoder, target, NULL, depth + 1);
    listing_close(&decoder->listing);
}

/* Shows the memory to which a control record points, as sections of the record. */
static void show_targets(struct decoder *decoder, uint8_t code, uint32_t address,
                         const uint8_t *data, uint32_t depth)
{
    switch (code) {
    case CL_BRANCH_TO_SUB_LIST: enter_sub_list(decoder, address, load_le32(data), depth); return;
    case CL_GL_SHADER_STATE:
    case CL_NV_SHADER_STATE:
    case CL_VG_SHADER_STATE: show_shader_record(decoder, code, data); return;
    case CL_VG_INLINE_SHADER_RECORD:
        decoder->shader_code = code;
        show_program(decoder, CL_GET_ADDRESS(data, VG_INLINE_SHADER_RECORD, CODE),
                     "Fragment shader");
        show_uniforms(decoder, CL_GET_ADDRESS(data, VG_INLINE_SHADER_RECORD, CODE),
                      CL_GET_ADDRESS(data, VG_INLINE_SHADER_RECORD, UNIFORMS), 0,
                      "Uniforms of the fragment shader");
        return;
    case CL_VERTEX_ARRAY_PRIMITIVES:
        show_vertices(decoder, CL_GET(data, VERTEX_ARRAY_PRIMITIVES, FIRST),
                      CL_GET(data, VERTEX_ARRAY_PRIMITIVES, LENGTH), NULL, 0);
        return;
    case CL_VG_COORDINATE_ARRAY_PRIMITIVES: show_coordinate_array(decoder, data); return;
    case CL_CLIPPED_PRIMITIVE_LIST: show_clipped(decoder, data); return;
    default: return;
    }
}

/* Returns the next record after a record. Decodes an in-line primitive list, if one follows the
 * record. */
static struct flow follow(struct decoder *decoder, uint8_t code, uint32_t next, const uint8_t *data,
                          uint32_t depth)
{
    struct flow flow = {next, false};
    switch (code) {
    case CL_HALT: flow.stop = true; break;
    case CL_RETURN_FROM_SUB_LIST: flow.stop = depth > 0; break;
    case CL_BRANCH:
        flow.next = load_le32(data);
        flow.stop = !first_time(decoder, AS_BRANCH, flow.next);
        if (flow.stop)
            note(decoder, "the records at 0x%08x are shown above", flow.next);
        else
            note(decoder, "continues at 0x%08x", flow.next);
        break;
    case CL_INDEXED_PRIMITIVE_LIST: break;
    case CL_COMPRESSED_PRIMITIVE_LIST:
    case CL_CLIPPED_PRIMITIVE_LIST:
        flow.next = decode_items(decoder, next);
        flow.stop = flow.next == 0;
        break;
    case CL_VG_INLINE_PRIMITIVES:
        flow.next = show_inline_coordinates(decoder, next,
                                            CL_GET(data, VG_INLINE_PRIMITIVES, TYPE));
        flow.stop = flow.next == 0;
        break;
    default: break;
    }
    return flow;
}

static void show_control_fields(struct decoder *decoder, const struct cl_packet *packet,
                                const uint8_t *data)
{
    char comment[64];
    for (uint32_t i = 0; i < packet->field_count; i++) {
        pixels_comment(decoder, packet->code, &packet->fields[i], data, comment, sizeof comment);
        listing_field(&decoder->listing, &packet->fields[i], data, comment);
    }
}

static struct flow decode_record(struct decoder *decoder, const struct cl_packet *packet,
                                 uint32_t address, const uint8_t *bytes, uint32_t depth)
{
    const uint8_t *data = bytes + 1;
    struct listing_record record = {
        .kind = "control",
        .address = address,
        .bytes = bytes,
        .size = packet->bytes,
        .name = packet->words,
        .identifier = packet->identifier,
        .note = control_record_note(packet->code),
    };
    listing_record(&decoder->listing, &record);
    note_state(decoder, packet->code, data);
    show_control_fields(decoder, packet, data);
    if (decoder->scene->hang)
        hang_note_record(&decoder->listing, decoder->scene->hang, address, packet->bytes);
    if (packet->code == CL_INDEXED_PRIMITIVE_LIST && decoder->shader_code == CL_NV_SHADER_STATE)
        show_indexed_vertices(decoder, data);
    else
        show_targets(decoder, packet->code, address, data, depth);
    listing_end_record(&decoder->listing);
    return follow(decoder, packet->code, address + packet->bytes, data, depth);
}

/* Returns the record at an address, or NULL after reporting a diagnostic. `end` is the end of the
 * list, NULL for sub-lists. */
static const struct cl_packet *record_at(struct decoder *decoder, uint32_t address,
                                         const uint32_t *end, const uint8_t **bytes)
{
    *bytes = need(decoder, address, 1, "a control record");
    if (!*bytes)
        return NULL;
    const struct cl_packet *packet = cl_packet(**bytes);
    if (!packet) {
        trouble(decoder, "cl-unknown-record", address, "unknown control record id %u (0x%02x)",
                **bytes, **bytes);
        return NULL;
    }
    if (end && address < *end && *end - address < packet->bytes) {
        trouble(decoder, "cl-truncated", address,
                "'%s' at 0x%08x has %u bytes, but the list ends after %u", packet->words, address,
                packet->bytes, *end - address);
        return NULL;
    }
    *bytes = need(decoder, address, packet->bytes, packet->words);
    return *bytes ? packet : NULL;
}

/* Decodes records in the order of execution. `depth` is the number of enclosing sub-lists. */
static void decode_list(struct decoder *decoder, uint32_t address, const uint32_t *end,
                        uint32_t depth)
{
    struct flow flow = {address, false};
    while (!flow.stop && !(end && flow.next == *end)) {
        const uint8_t *bytes;
        if (!may_show(decoder))
            return;
        const struct cl_packet *packet = record_at(decoder, flow.next, end, &bytes);
        if (!packet)
            return;
        flow = decode_record(decoder, packet, flow.next, bytes, depth);
    }
}

/* --- steps --- */

static void decode_control_step(struct decoder *decoder, const struct scene_step *step)
{
    decoder->thread = step->kind == STEP_RENDER;
    listing_open(&decoder->listing, scene_step_names[step->kind], step->address, step->line,
                 decoder->thread ? "rendering list (control-list thread 1)"
                                 : "binning list (control-list thread 0)");
    decode_list(decoder, step->address, &step->end, 0);
    listing_close(&decoder->listing);
}

static void decode_program_step(struct decoder *decoder, const struct scene_step *step)
{
    listing_open(&decoder->listing, "qpu", step->address, step->line, "user program");
    if (first_time(decoder, AS_PROGRAM, step->address))
        show_instructions(decoder, step->address);
    else
        note(decoder, "the program is shown above");
    listing_close(&decoder->listing);
    show_uniforms(decoder, step->address, step->uniforms, step->counted ? step->count : 0,
                  "Uniforms");
}

/* Decodes a "write" step. A write of V3D_CTnEA starts a control list, and a write of V3D_SRQPC
 * starts a user program. Both are shown like the steps "bin", "render" and "qpu". */
static void decode_write_step(struct decoder *decoder, const struct scene_step *step)
{
    struct scene_step started = {.line = step->line, .address = step->value};
    switch (step->address) {
    case V3D_CT0CA:
    case V3D_CT1CA: decoder->current[step->address == V3D_CT1CA] = step->value; return;
    case V3D_CT0EA:
    case V3D_CT1EA:
        started.kind = step->address == V3D_CT1EA ? STEP_RENDER : STEP_BIN;
        started.address = decoder->current[step->address == V3D_CT1EA];
        started.end = step->value;
        decode_control_step(decoder, &started);
        return;
    case V3D_SRQUA: decoder->uniforms = step->value; return;
    case V3D_SRQPC:
        started.kind = STEP_QPU;
        started.uniforms = decoder->uniforms;
        decode_program_step(decoder, &started);
        return;
    default: return;
    }
}

static void decode_steps(struct decoder *decoder)
{
    for (uint32_t i = 0; i < decoder->scene->step_count && !decoder->out_of_budget; i++) {
        const struct scene_step *step = &decoder->scene->steps[i];
        if (step->kind == STEP_QPU)
            decode_program_step(decoder, step);
        else if (step->kind == STEP_BIN || step->kind == STEP_RENDER)
            decode_control_step(decoder, step);
        else if (step->kind == STEP_WRITE)
            decode_write_step(decoder, step);
    }
}

static enum tess_status decode(struct machine *machine, const struct tess_scene_options *options,
                               enum tess_decode_format format, struct tess_text_out out,
                               struct tess_sink sink)
{
    struct decoder decoder = {
        .scene = machine->scene,
        .machine = machine,
        .sink = sink,
        .listing = {.scene = machine->scene, .format = format, .out = out},
        .left = options && options->max_records ? options->max_records : DEFAULT_RECORDS,
        .format = {.type = 2, .index_bytes = 2},
        .tile = tlb_geometry(false, false, false),
    };
    listing_begin(&decoder.listing);
    if (machine->scene->hang)
        hang_list(&decoder.listing, machine->scene->hang);
    decode_steps(&decoder);
    listing_end(&decoder.listing);
    free(decoder.seen.slots);
    if (decoder.no_memory || decoder.listing.failed)
        return TESS_NO_MEMORY;
    return decoder.wrong ? TESS_WRONG : TESS_OK;
}

enum tess_status tess_scene_decode(struct tess_scene *scene,
                                   const struct tess_scene_options *options,
                                   enum tess_decode_format format, struct tess_text_out out,
                                   struct tess_sink sink)
{
    struct machine machine;
    enum tess_status ran = machine_run(&machine, scene, options, sink);
    enum tess_status decoded = ran;
    if (machine.vc4 && ran != TESS_NO_MEMORY)
        decoded = decode(&machine, options, format, out, sink);
    machine_free(&machine);
    return decoded == TESS_OK ? ran : ran == TESS_IO ? ran : decoded;
}

const char *tess_control_record_name(uint32_t id)
{
    const struct cl_packet *packet = id < 256 ? cl_packet((uint8_t)id) : NULL;
    return packet ? packet->words : NULL;
}
