/* SPDX-License-Identifier: MIT */
/* decode_shaders.c - see decoder.h.
 *
 * In:      addresses from control records and shader records; memory after the steps have run.
 * Out:     sections of the listing: instructions, uniforms with their readers, shader records.
 * Source:  manual section 9, tables 45 to 47, and section 4 for texture parameters.
 * Choices: a program ends two instructions after a program-end signal that no earlier branch jumps
 *          past. */
#include "scene/decoder.h"

#include <stdio.h>

#include "base/bits.h"
#include "isa/qpu/qpu_isa.h"
#include "scene/uniform_order.h"

enum {
    MAX_INSTRUCTIONS = 4096, /* maximum number of instructions shown of a program */
    MAX_UNIFORMS = 64,       /* maximum number of unread uniforms shown of a user program */
};

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
    if (!decoder_may_show(decoder))
        return false;
    qpu_print_nearest(text, sizeof text, load_le64(bytes), address);
    struct listing_record record = {
        .kind = "instruction", .address = address, .bytes = bytes, .size = 8, .name = text};
    listing_record(&decoder->listing, &record);
    listing_end_record(&decoder->listing);
    return true;
}

void decode_instructions(struct decoder *decoder, uint32_t address)
{
    uint32_t furthest = address, last = 0;
    bool ended = false;
    for (uint32_t i = 0; i < MAX_INSTRUCTIONS; i++) {
        uint32_t pc = address + 8 * i;
        const uint8_t *bytes = decoder_need(decoder, pc, 8, "an instruction");
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
    decoder_note(decoder, "no program end in %d instructions", MAX_INSTRUCTIONS);
}

void decode_program(struct decoder *decoder, uint32_t address, const char *title)
{
    if (!decoder_first_time(decoder, AS_PROGRAM, address) || decoder->out_of_budget)
        return;
    listing_open(&decoder->listing, "program", address, 0, title);
    decode_instructions(decoder, address);
    listing_close(&decoder->listing);
}

/* --- uniforms --- */

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
        decoder_note(decoder, "parameter type 0: unused");
    else
        decoder_show_fields(decoder, &cl_parts[parts[type]], bytes);
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
        decoder_note(decoder, "the uniform at 0x%08x is not in mapped memory", place);
        return false;
    }
    if (!decoder_may_show(decoder))
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
        decoder_note(decoder, "the branch at %s decides which uniforms are read next", place);
    else if (order->end == UNIFORMS_ADDRESS)
        decoder_note(decoder, "%s sets the uniform address: further uniforms are read from there",
                     place);
    else if (order->end == UNIFORMS_TOO_MANY)
        decoder_note(decoder, "further uniforms are not shown");
}

void decode_uniforms(struct decoder *decoder, uint32_t code, uint32_t address, uint32_t count,
                     const char *title)
{
    struct uniform_order order;
    uniform_order_find(&order, decoder->machine, code);
    uint32_t shown = count < MAX_UNIFORMS ? count : MAX_UNIFORMS;
    uint32_t wanted = order.count > shown ? order.count : shown;
    if (wanted == 0 || !decoder_first_pair(decoder, AS_UNIFORMS, address, code) ||
        decoder->out_of_budget)
        return;
    listing_open(&decoder->listing, "uniforms", address, 0, title);
    for (uint32_t i = 0; i < wanted; i++)
        if (!show_uniform(decoder, &order, address, i))
            break;
    note_order_end(decoder, &order);
    if (count > wanted)
        decoder_note(decoder, "%u more uniforms are not shown", count - wanted);
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
        decode_program(decoder, start, shaders[i].program);
        decode_uniforms(decoder, start, load_le32(bytes + shaders[i].at + 4), 0,
                        shaders[i].uniforms);
    }
}

static void show_record_body(struct decoder *decoder, uint8_t code, uint32_t address,
                             uint32_t attributes, bool extended)
{
    const struct record_kind *kind = record_kind(code);
    uint32_t size = record_bytes(code, attributes, extended);
    const uint8_t *bytes = decoder_need(decoder, address, size, "the shader record");
    if (!bytes || !decoder_may_show(decoder))
        return;
    struct listing_record record = {.kind = "shader_record",
                                    .address = address,
                                    .bytes = bytes,
                                    .size = size,
                                    .name = kind->title};
    listing_record(&decoder->listing, &record);
    decoder_show_fields(decoder, kind->part, bytes);
    if (code == CL_GL_SHADER_STATE)
        show_attributes(decoder, bytes, attributes, extended);
    show_record_programs(decoder, code, bytes);
    listing_end_record(&decoder->listing);
}

void decode_shader_record(struct decoder *decoder, uint8_t code, const uint8_t *data)
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
    if (!decoder_first_time(decoder, AS_RECORD, decoder->shader_address))
        return;
    listing_open(&decoder->listing, "shader_record", decoder->shader_address, 0,
                 record_kind(code)->title);
    show_record_body(decoder, code, decoder->shader_address, attributes, extended);
    listing_close(&decoder->listing);
}
