/* SPDX-License-Identifier: MIT */
/* decode.c - lists the control records that a scene's steps use, with their bytes, values and
 * meanings. decode_shaders.c and decode_primitives.c list what the records point to.
 *
 * In:      the steps; memory after the steps have run, so that tile lists exist.
 * Out:     a listing (listing.h) in the order of execution, and a diagnostic for each malformed
 *          record.
 * Source:  manual section 9. Tables are in packets.def and decode_words.c.
 * Choices: each sub-list, shader record, program and vertex is shown once per address. A limit on
 *          the total number of shown records bounds the listing. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/bits.h"
#include "scene/decoder.h"
#include "scene/hang.h"

enum {
    DEFAULT_RECORDS = 1000000,
    SUB_LIST_DEPTH = 2, /* maximum depth of nested sub-lists (manual table 38, id 17) */
};

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
        decoder_trouble(decoder, "cl-nesting", at, "a third level of sub-lists is called at 0x%08x",
                        at);
        return;
    }
    if (!decoder_first_time(decoder, AS_SUB_LIST, target)) {
        decoder_note(decoder, "this list is shown above");
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
    case CL_VG_SHADER_STATE: decode_shader_record(decoder, code, data); return;
    case CL_VG_INLINE_SHADER_RECORD:
        decoder->shader_code = code;
        decode_program(decoder, CL_GET_ADDRESS(data, VG_INLINE_SHADER_RECORD, CODE),
                       "Fragment shader");
        decode_uniforms(decoder, CL_GET_ADDRESS(data, VG_INLINE_SHADER_RECORD, CODE),
                        CL_GET_ADDRESS(data, VG_INLINE_SHADER_RECORD, UNIFORMS), 0,
                        "Uniforms of the fragment shader");
        return;
    case CL_VERTEX_ARRAY_PRIMITIVES:
        decode_vertices(decoder, CL_GET(data, VERTEX_ARRAY_PRIMITIVES, FIRST),
                        CL_GET(data, VERTEX_ARRAY_PRIMITIVES, LENGTH), NULL, 0);
        return;
    case CL_VG_COORDINATE_ARRAY_PRIMITIVES: decode_coordinate_array(decoder, data); return;
    case CL_CLIPPED_PRIMITIVE_LIST: decode_clipped(decoder, data); return;
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
        flow.stop = !decoder_first_time(decoder, AS_BRANCH, flow.next);
        if (flow.stop)
            decoder_note(decoder, "the records at 0x%08x are shown above", flow.next);
        else
            decoder_note(decoder, "continues at 0x%08x", flow.next);
        break;
    case CL_INDEXED_PRIMITIVE_LIST: break;
    case CL_COMPRESSED_PRIMITIVE_LIST:
    case CL_CLIPPED_PRIMITIVE_LIST:
        flow.next = decode_items(decoder, next);
        flow.stop = flow.next == 0;
        break;
    case CL_VG_INLINE_PRIMITIVES:
        flow.next = decode_inline_coordinates(decoder, next,
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
        decode_indexed_vertices(decoder, data);
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
    *bytes = decoder_need(decoder, address, 1, "a control record");
    if (!*bytes)
        return NULL;
    const struct cl_packet *packet = cl_packet(**bytes);
    if (!packet) {
        decoder_trouble(decoder, "cl-unknown-record", address,
                        "unknown control record id %u (0x%02x)", **bytes, **bytes);
        return NULL;
    }
    if (end && address < *end && *end - address < packet->bytes) {
        decoder_trouble(decoder, "cl-truncated", address,
                        "'%s' at 0x%08x has %u bytes, but the list ends after %u", packet->words,
                        address, packet->bytes, *end - address);
        return NULL;
    }
    *bytes = decoder_need(decoder, address, packet->bytes, packet->words);
    return *bytes ? packet : NULL;
}

/* Decodes records in the order of execution. `depth` is the number of enclosing sub-lists. */
static void decode_list(struct decoder *decoder, uint32_t address, const uint32_t *end,
                        uint32_t depth)
{
    struct flow flow = {address, false};
    while (!flow.stop && !(end && flow.next == *end)) {
        const uint8_t *bytes;
        if (!decoder_may_show(decoder))
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
    if (decoder_first_time(decoder, AS_PROGRAM, step->address))
        decode_instructions(decoder, step->address);
    else
        decoder_note(decoder, "the program is shown above");
    listing_close(&decoder->listing);
    decode_uniforms(decoder, step->address, step->uniforms, step->counted ? step->count : 0,
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
