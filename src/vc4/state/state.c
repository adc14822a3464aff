/* SPDX-License-Identifier: MIT */
/* state.c - see state.h.
 *
 * Source: manual table 38 (records 56..106) and tables 45 to 47 (shader records). Broadcom's
 *         released driver, vg_hw_4.c, for reset values that the manual does not specify: point size
 *         and line width 1, no clip window, Z limits 0 and 1. Linux' vc4_validate.c for extended
 *         strides, of which the manual only specifies that they have 26 bits. The byte in the plain
 *         record remains the stride's low byte. Manual table 38, id 64, for the number of attribute
 *         arrays.
 * Choices: reset value 0.5 of Z scale and offset. */
#include "vc4/state/state.h"
#include "base/text.h"

#include <string.h>

void state_reset(struct cl_state *state)
{
    *state = (struct cl_state){
        .point_size = 1.0f,
        .line_width = 1.0f,
        .clip_width = UINT16_MAX,
        .clip_height = UINT16_MAX,
        .z_min = 0.0f,
        .z_max = 1.0f,
        .clipper_z_scale = 0.5f,
        .clipper_z_offset = 0.5f,
        .list_format = 0x12,
        .recognised_format = 0x12,
    };
}

static void set_shader(struct cl_state *state, uint8_t code, const uint8_t *data)
{
    state->recognised_format = state->list_format;
    state->shader_code = code;
    state->shader_word = load_le32(data);
    state->shader_word1 = code == CL_VG_INLINE_SHADER_RECORD ? load_le32(data + 4) : 0;
}

bool state_apply(struct cl_state *state, uint8_t code, const uint8_t *data)
{
    switch (code) {
    case CL_PRIMITIVE_LIST_FORMAT: state->list_format = data[0]; return true;
    case CL_GL_SHADER_STATE:
    case CL_NV_SHADER_STATE:
    case CL_VG_SHADER_STATE:
    case CL_VG_INLINE_SHADER_RECORD: set_shader(state, code, data); return true;
    case CL_CONFIGURATION_BITS:
        state->configuration = cl_bits(data, 0, 24);
        state->configured = true;
        return true;
    case CL_FLAT_SHADE_FLAGS: state->flat_shade = load_le32(data); return true;
    case CL_POINT_SIZE: state->point_size = bits_float(load_le32(data)); return true;
    case CL_LINE_WIDTH: state->line_width = bits_float(load_le32(data)); return true;
    case CL_RHT_X_BOUNDARY: state->rht_x = (int16_t)load_le16(data); return true;
    case CL_DEPTH_OFFSET: state->depth_offset = load_le32(data); return true;
    case CL_CLIP_WINDOW:
        state->clip_left = load_le16(data);
        state->clip_bottom = load_le16(data + 2);
        state->clip_width = load_le16(data + 4);
        state->clip_height = load_le16(data + 6);
        return true;
    case CL_VIEWPORT_OFFSET:
        state->viewport_x = (int16_t)load_le16(data);
        state->viewport_y = (int16_t)load_le16(data + 2);
        return true;
    case CL_Z_MIN_MAX:
        state->z_min = bits_float(load_le32(data));
        state->z_max = bits_float(load_le32(data + 4));
        return true;
    case CL_CLIPPER_XY_SCALING:
        state->clipper_x = bits_float(load_le32(data));
        state->clipper_y = bits_float(load_le32(data + 4));
        return true;
    case CL_CLIPPER_Z_SCALE_OFFSET:
        state->clipper_z_scale = bits_float(load_le32(data));
        state->clipper_z_offset = bits_float(load_le32(data + 4));
        return true;
    default: return false;
    }
}

/* Bits of a 26-bit stride that are from the extended word. */
#define EXTENDED_STRIDE_MASK UINT32_C(0x03ffff00)

enum {
    RECORD_ALIGNMENT = 16,
    NV_RECORD_BYTES = 16,
    VG_RECORD_BYTES = 12,
    GL_RECORD_BYTES = 36, /* size without attribute arrays */
    GL_ARRAY_BYTES = 8,
    GL_STRIDES = GL_RECORD_BYTES + SHADER_ATTRIBUTES * GL_ARRAY_BYTES, /* offset of the stride words
                                                                          in extended records */
    GL_EXTENDED_BYTES = GL_STRIDES + SHADER_ATTRIBUTES * 4,
    GL_COUNT_MASK = 7, /* the number of attribute arrays, in the word of record 64 */
    GL_EXTENDED = 8,
};

static bool read_nv_record(struct shader_record *record, struct bus *bus)
{
    const uint8_t *bytes = bus_get(bus, BUS_CLE, record->address, NV_RECORD_BYTES,
                                   "NV shader state record");
    bus_observe(bus, BUS_CLE, record->address, NV_RECORD_BYTES, false);
    if (!bytes)
        return false;
    record->flags = bytes[0];
    record->vertex_stride = bytes[1];
    record->fragment_uniform_count = bytes[2];
    record->varyings = bytes[3];
    record->fragment_code = load_le32(bytes + 4);
    record->fragment_uniforms = load_le32(bytes + 8);
    record->vertex_address = load_le32(bytes + 12);
    return true;
}

/* Reads the record to which record 66 points, or takes the record from the words of record 67.
 * Record 67 has no number of varyings, so the number stays 0. */
static bool read_vg_record(struct shader_record *record, const struct cl_state *state,
                           struct bus *bus)
{
    if (record->code == CL_VG_INLINE_SHADER_RECORD) {
        record->flags = state->shader_word & SHADER_SINGLE_THREADED;
        record->fragment_code = state->shader_word & ~(uint32_t)7;
        record->fragment_uniforms = state->shader_word1;
        return true;
    }
    const uint8_t *bytes = bus_get(bus, BUS_CLE, record->address, VG_RECORD_BYTES,
                                   "VG shader state record");
    bus_observe(bus, BUS_CLE, record->address, VG_RECORD_BYTES, false);
    if (!bytes)
        return false;
    record->flags = bytes[0];
    record->fragment_uniform_count = bytes[2];
    record->varyings = bytes[3];
    record->fragment_code = load_le32(bytes + 4);
    record->fragment_uniforms = load_le32(bytes + 8);
    return true;
}

static struct shader_program read_program(const uint8_t *bytes)
{
    return (struct shader_program){
        .uniform_count = load_le16(bytes),
        .select = bytes[2],
        .bytes = bytes[3],
        .code = load_le32(bytes + 4),
        .uniforms = load_le32(bytes + 8),
    };
}

static struct shader_attribute read_attribute(const uint8_t *bytes)
{
    return (struct shader_attribute){
        .address = load_le32(bytes),
        .bytes = bytes[4] + 1u,
        .stride = bytes[5],
        .offset = {bytes[6], bytes[7]},
    };
}

static bool read_gl_record(struct shader_record *record, uint32_t word, struct bus *bus)
{
    bool extended = word & GL_EXTENDED;
    uint32_t count = extended ? 0 : word & GL_COUNT_MASK; /* the count is ignored for extended
                                                             records (table 38) */
    count = count ? count : SHADER_ATTRIBUTES;
    record->address = word & ~(uint32_t)(GL_COUNT_MASK | GL_EXTENDED);
    uint32_t size = extended ? GL_EXTENDED_BYTES : GL_RECORD_BYTES + count * GL_ARRAY_BYTES;
    const uint8_t *bytes = bus_get(bus, BUS_CLE, record->address, size, "GL shader state record");
    bus_observe(bus, BUS_CLE, record->address, size, false);
    if (!bytes)
        return false;

    record->flags = load_le16(bytes);
    record->fragment_uniform_count = bytes[2];
    record->varyings = bytes[3];
    record->fragment_code = load_le32(bytes + 4);
    record->fragment_uniforms = load_le32(bytes + 8);
    record->program[STAGE_VERTEX] = read_program(bytes + 12);
    record->program[STAGE_COORDINATE] = read_program(bytes + 24);
    record->attributes = (uint8_t)count;
    for (uint32_t n = 0; n < count; n++) {
        struct shader_attribute *attribute = &record->attribute[n];
        *attribute = read_attribute(bytes + GL_RECORD_BYTES + n * GL_ARRAY_BYTES);
        if (extended)
            attribute->extended = load_le32(bytes + GL_STRIDES + 4 * n);
        attribute->stride |= attribute->extended & EXTENDED_STRIDE_MASK;
    }
    return true;
}

bool shader_record_read(struct shader_record *record, const struct cl_state *state, struct bus *bus)
{
    memset(record, 0, sizeof *record); /* clears the padding as well, because records are compared
                                          as bytes */
    record->code = state->shader_code;
    record->address = state->shader_word;
    switch (state->shader_code) {
    case CL_NV_SHADER_STATE: return read_nv_record(record, bus);
    case CL_GL_SHADER_STATE: return read_gl_record(record, state->shader_word, bus);
    case CL_VG_SHADER_STATE:
    case CL_VG_INLINE_SHADER_RECORD: return read_vg_record(record, state, bus);
    default:
        fault(bus->log, FAULT_CL_ORDER,
              "primitives without an earlier shader state record" WITH_HINT
              "send a shader state record (64 to 67) before the primitives and after Start Tile "
              "Binning (6), because the binner copies only later records into tile lists");
        return false;
    }
}

/* --- checks of a record --- */

/* State of a check of a record and of one of its shaders. */
struct check {
    const struct shader_record *record;
    struct fault_log *log;
    enum shader_stage stage;
    const char *shader; /* for example "vertex shader" */
};

#define BAD_RECORD(check, rule, ...) \
    fault_at((check)->log, (rule), (check)->record->address, __VA_ARGS__)

enum { CODE_ALIGNMENT = 8, UNIFORM_ALIGNMENT = 4, CLIP_HEADER_ALIGNMENT = 16 };

static void check_alignment(const struct check *check, const char *shader, uint32_t code,
                            uint32_t uniforms)
{
    if (code % CODE_ALIGNMENT)
        BAD_RECORD(check, FAULT_RECORD,
                   "the %s's code address 0x%08x is not a multiple of 8" WITH_HINT
                   "align the program: .align 8 before its label",
                   shader, code);
    if (uniforms % UNIFORM_ALIGNMENT)
        BAD_RECORD(check, FAULT_RECORD,
                   "the %s's uniforms address 0x%08x is not a multiple of 4" WITH_HINT
                   "align the uniforms: .align 4 before their label",
                   shader, uniforms);
}

static void check_common(const struct check *check, uint32_t flags)
{
    const struct shader_record *record = check->record;
    if (record->address % RECORD_ALIGNMENT)
        BAD_RECORD(check, FAULT_RECORD,
                   "shader state record at 0x%08x is not 16-byte aligned" WITH_HINT
                   "align the record: .align 16 before its label",
                   record->address);
    if (record->flags & ~flags)
        BAD_RECORD(check, FAULT_RECORD,
                   "flags 0x%04x: bits 0x%04x are not defined" WITH_HINT
                   "clear these bits; flags are 1 single threaded, 2 point size, 4 clipping%s",
                   record->flags, record->flags & ~flags,
                   record->code == CL_NV_SHADER_STATE ? ", 8 clip header" : "");
    check_alignment(check, "fragment shader", record->fragment_code, record->fragment_uniforms);
}

static void check_nv(const struct check *check)
{
    const struct shader_record *record = check->record;
    check_common(check,
                 SHADER_SINGLE_THREADED | SHADER_POINT_SIZE | SHADER_CLIPPING | SHADER_CLIP_HEADER);
    if (record->flags & SHADER_CLIP_HEADER && record->vertex_address % CLIP_HEADER_ALIGNMENT)
        BAD_RECORD(
            check, FAULT_RECORD,
            "vertices with a clip header are at 0x%08x, which is not 16-byte aligned" WITH_HINT
            "align the vertices: .align 16 before their label",
            record->vertex_address);
}

/* Checks the shader record of VG mode. Record 66 has the record's address, and record 67 contains
 * the record. */
static void check_vg(const struct check *check)
{
    const struct shader_record *record = check->record;
    if (record->code == CL_VG_SHADER_STATE)
        check_common(check, SHADER_SINGLE_THREADED);
    else
        check_alignment(check, "fragment shader", record->fragment_code, record->fragment_uniforms);
    if (record->varyings)
        BAD_RECORD(check, FAULT_RECORD,
                   "the VG shader state record has %u varying%s, but VG primitives have no "
                   "varyings" WITH_HINT
                   "set the number of varyings to 0, and do not read varyings in the shader",
                   record->varyings, text_plural(record->varyings));
}

/* Checks an extended stride. Its low byte must be 0 or equal to the stride in the plain record. */
static void check_extended_stride(const struct check *check, uint32_t n)
{
    const struct shader_attribute *attribute = &check->record->attribute[n];
    uint32_t low = attribute->extended & UINT8_MAX;
    if (low != 0 && low != (attribute->stride & UINT8_MAX))
        BAD_RECORD(check, FAULT_ATTRIBUTES_STRIDE,
                   "attribute array %u has the extended stride 0x%x and the plain stride 0x%02x; "
                   "the low byte is taken from the plain stride, which results in 0x%x",
                   n, attribute->extended, attribute->stride & UINT8_MAX, attribute->stride);
}

/* Rows of a column, as bits: rows that arrays fill (rows), and first rows of arrays (starts). */
struct taken {
    uint64_t rows, starts;
};

/* Checks for overlaps. Arrays are loaded in the order of their numbers. An array that begins inside
 * an earlier array overwrites the end of that array, which is only reported as suspicious. An array
 * that overwrites the beginning of another array is an error. */
static void check_overlap(const struct check *check, uint32_t n, struct taken *taken)
{
    const struct shader_attribute *attribute = &check->record->attribute[n];
    uint64_t rows = shader_attribute_rows(attribute, check->stage);
    if (rows & taken->starts)
        BAD_RECORD(check, FAULT_ATTRIBUTES,
                   "attribute array %u overlaps another array in the %s's VPM column", n,
                   check->shader);
    else if (rows & taken->rows)
        BAD_RECORD(check, FAULT_ATTRIBUTES_SIZE,
                   "attribute array %u overlaps the end of another array in the %s's VPM column", n,
                   check->shader);
    taken->rows |= rows;
    taken->starts |= rows & -rows;
}

/* Checks one selected array's position in the column, and its overlaps with other arrays. */
static void check_attribute(const struct check *check, uint32_t n, struct taken *taken)
{
    const struct shader_attribute *attribute = &check->record->attribute[n];
    uint32_t offset = attribute->offset[check->stage];
    uint32_t end = shader_attribute_row(attribute, check->stage) +
                   shader_attribute_words(attribute);
    if (offset % 4)
        BAD_RECORD(check, FAULT_ATTRIBUTES,
                   "attribute array %u has VPM offset %u in the %s; it must be a multiple of 4", n,
                   offset, check->shader);
    if (end > shader_rows(check->record, check->stage))
        BAD_RECORD(check, FAULT_ATTRIBUTES_SIZE,
                   "attribute array %u fills bytes %u to %u of the %s's VPM column; the total "
                   "attributes size is %u",
                   n, offset & ~3u, end * 4 - 1, check->shader,
                   check->record->program[check->stage].bytes);
    if (attribute->stride && attribute->bytes > attribute->stride)
        BAD_RECORD(check, FAULT_ATTRIBUTES_BYTES,
                   "attribute array %u has %u bytes per vertex, but a stride of %u bytes", n,
                   attribute->bytes, attribute->stride);
    check_extended_stride(check, n);
    check_overlap(check, n, taken);
}

/* Checks whether arrays fill all rows within the total attributes size. */
static void check_total(const struct check *check, uint64_t taken)
{
    uint32_t rows = shader_rows(check->record, check->stage);
    unsigned unfilled = (unsigned)__builtin_popcountll(shader_first_rows(rows) & ~taken);
    if (taken == 0)
        BAD_RECORD(check, FAULT_ATTRIBUTES_GAP, "the %s selects no attribute array", check->shader);
    else if (unfilled)
        BAD_RECORD(check, FAULT_ATTRIBUTES_GAP,
                   "the %s's total attributes size is %u bytes, but its attribute arrays leave %u "
                   "of these words unfilled",
                   check->shader, check->record->program[check->stage].bytes, unfilled);
}

static void check_gl(const struct check *check)
{
    const struct shader_program *program = &check->record->program[check->stage];
    uint32_t selected = shader_selected(check->record, check->stage);
    struct taken taken = {0};
    check_common(check, SHADER_SINGLE_THREADED | SHADER_POINT_SIZE | SHADER_CLIPPING);
    check_alignment(check, check->shader, program->code, program->uniforms);
    if (selected != program->select)
        BAD_RECORD(check, FAULT_ATTRIBUTES,
                   "the %s selects attribute arrays 0x%02x, but the record has %u", check->shader,
                   program->select, check->record->attributes);
    for (uint32_t n = 0; n < check->record->attributes; n++)
        if (selected >> n & 1)
            check_attribute(check, n, &taken);
    check_total(check, taken.rows);
}

void shader_record_check(const struct shader_record *record, enum shader_stage stage,
                         struct fault_log *log)
{
    static const char *const shaders[] = {
        [STAGE_VERTEX] = "vertex shader", [STAGE_COORDINATE] = "coordinate shader"};
    const struct check check = {record, log, stage, shaders[stage]};
    if (record->code == CL_GL_SHADER_STATE)
        check_gl(&check);
    else if (record->code == CL_NV_SHADER_STATE)
        check_nv(&check);
    else
        check_vg(&check);
}
