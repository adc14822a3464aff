/* SPDX-License-Identifier: MIT */
/* cl.c - lookups in the control record table.
 *
 * In:       an id byte, or a field and a record's data.
 * Out:      the record's description; a field's value as a number.
 * Source:   manual, table 38 (names of values); the rows are in packets.def.
 * Left out: lists that follow a record inline (ids 42, 48 and 49); isa/cl/primlist.c reads
 *           compressed lists.
 *
 * Names of values are identifiers, so that the assembler accepts them as they are printed. */
#include "isa/cl/cl.h"

#include <stddef.h>

static const char *const cl_pixel_formats[1 << 2] = {"rgba8888", "bgr565_dithered", "bgr565"};
static const char *const cl_frame_formats[1 << 2] = {"bgr565_dithered", "rgba8888", "bgr565"};
static const char *const cl_store_modes[1 << 2] = {"sample_0", "decimate_x4", "decimate_x16"};
static const char *const cl_decimate_modes[1 << 2] = {"x1", "x4", "x16"};
static const char *const cl_memory_formats[1 << 2] = {"raster", "t_format", "lt_format"};
static const char *const cl_buffers[1 << 3] = {"none",   "color",   "z_stencil",
                                               "z_only", "vg_mask", "full"};
static const char *const cl_index_types[1 << 4] = {"uint8", "uint16"};
static const char *const cl_vg_types[1 << 4] = {
    [1] = "rhts",           [3] = "rht_strip",    [4] = "triangles",
    [5] = "triangle_strip", [6] = "triangle_fan",
};
static const char *const cl_list_types[1 << 4] = {"points", "lines", "triangles", "rhts"};
static const char *const cl_data_types[1 << 4] = {[1] = "index_16_bit", [3] = "xy_32_bit"};
static const char *const cl_threading[1 << 3] = {"dual", "single"};
static const char *const cl_coverage_read_types[1 << 1] = {"level_8_bit", "mask_16_bit"};
static const char *const cl_oversample_modes[1 << 2] = {"none", "x4", "x16"};
static const char *const cl_coverage_update_modes[1 << 2] = {"nonzero", "odd", "or", "zero"};
static const char *const cl_coverage_read_modes[1 << 1] = {"clear_on_read", "leave_on_read"};
static const char *const cl_compare_functions[1 << 3] = {"never", "lt", "eq", "le",
                                                         "gt",    "ne", "ge", "always"};
static const char *const cl_block_sizes[1 << 2] = {"bytes_32", "bytes_64", "bytes_128",
                                                   "bytes_256"};
static const char *const cl_early_z_directions[1 << 1] = {"lt_le", "gt_ge"};

/* Primitive modes of records 32 (a field of four bits) and 33 (a field of eight bits). */
static const char *const cl_primitive_modes[1 << 8] = {
    "points", "lines", "line_loop", "line_strip", "triangles", "triangle_strip", "triangle_fan",
};

static const char *const cl_texture_types[1 << 5] = {
    "rgba8888", "rgbx8888", "rgba4444", "rgba5551", "rgb565",  "luminance",
    "alpha",    "lumalpha", "etc1",     "s16f",     "s8",      "s16",
    "bw1",      "a4",       "a1",       "rgba64",   "rgba32r", "yuyv422r",
};
static const char *const cl_mag_filters[1 << 1] = {"linear", "nearest"};
static const char *const cl_min_filters[1 << 3] = {"linear",       "nearest",      "near_mip_near",
                                                   "near_mip_lin", "lin_mip_near", "lin_mip_lin"};
static const char *const cl_wrap_modes[1 << 2] = {"repeat", "clamp", "mirror", "border"};

#define HINT(name) "did you mean '" name "'?"

/* clang-format off */
/* One array of fields for each record or part. The row of the next record or part ends the array.
 * An empty row is at its end because C has no empty arrays. */
#define FIELD_ROW(name, text, at, size, sort, values, ...) \
    {.identifier = name, .words = text, .bit = at, .width = size, .kind = CL_##sort, \
     .meanings = values, .hint = HINT(name), __VA_ARGS__},
#define NEXT_ARRAY(array) \
    {.identifier = NULL}, }; \
    static const struct cl_field array[] = {

static const struct cl_field fields_none[] __attribute__((unused)) = {
#define PACKET(code, bytes, NAME, identifier, words, lists, ...) NEXT_ARRAY(fields_##NAME)
#define FIELD(PACKET, NAME, ...) FIELD_ROW(__VA_ARGS__)
#include "isa/cl/packets.def"
#define PART(NAME, bytes, use) NEXT_ARRAY(part_fields_##NAME)
#define FIELD(PART, NAME, ...) FIELD_ROW(__VA_ARGS__)
#include "isa/cl/records.def"
    {.identifier = NULL},
};

static const struct cl_packet packets[256] = {
#define PACKET(id, size, NAME, name, text, where, ...) \
    [id] = {.code = id, .bytes = size, .lists = where, .identifier = name, .words = text, \
            .fields = fields_##NAME, \
            .field_count = sizeof fields_##NAME / sizeof fields_##NAME[0] - 1, \
            .hint = HINT("cl." name), __VA_ARGS__},
#include "isa/cl/packets.def"
};

const struct cl_part cl_parts[CL_PARTS] = {
#define PART(NAME, bytes, use) \
    [CL_PART_##NAME] = {part_fields_##NAME, \
                        sizeof part_fields_##NAME / sizeof part_fields_##NAME[0] - 1, \
                        bytes, CL_##use},
#include "isa/cl/records.def"
};

static const struct cl_form forms[] = {
#define FORM(NAME, group, name, text, multiple, first, count, ...) \
    {.family = group, .identifier = name, .words = text, .hint = HINT(group "." name), \
     .align = multiple, .parts = &cl_parts[CL_PART_##first], .part_count = count, __VA_ARGS__},
#include "isa/cl/records.def"
};

/* clang-format on */

const struct cl_form *cl_forms(uint32_t *count)
{
    *count = sizeof forms / sizeof forms[0];
    return forms;
}

const struct cl_packet *cl_packet(uint8_t code)
{
    return packets[code].bytes != 0 ? &packets[code] : NULL;
}

uint32_t cl_field_value(const struct cl_field *field, const uint8_t *data)
{
    uint32_t value = cl_bits(data, field->bit, field->width);
    if (field->rest_width > 0)
        value |= cl_bits(data, field->rest_bit, field->rest_width) << field->width;
    switch (field->kind) {
    case CL_FLOAT187: return value << 16;
    case CL_INT:
    case CL_FIX4: return (uint32_t)bits_signed(value, field->width);
    default: return (value << cl_field_shift(field)) + field->bias;
    }
}
