/* SPDX-License-Identifier: MIT */
/* cl.c - look-ups in the control record table.
 *
 * In:       an id byte, or a field and a record's data.
 * Out:      the record's description; a field's value as a number.
 * Source:   manual table 38 (names of values); the rows themselves are in packets.def.
 * Left out: lists that follow in line (ids 42, 48, 49) are not part of a record;
 *           isa/cl/primlist.c reads compressed ones. Nothing is executed here.
 *
 * Names of values are identifiers, so that an assembler can use them as they are printed. */
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

/* Records 32 (four bits) and 33 (eight bits) share the modes. */
static const char *const cl_primitive_modes[1 << 8] = {
    "points", "lines", "line_loop", "line_strip", "triangles", "triangle_strip", "triangle_fan",
};

/* clang-format off */
/* One array of fields for each record; an empty row ends it, so that none is empty. */
#define PACKET(code, bytes, NAME, identifier, words, lists) \
    static const struct cl_field fields_##NAME[] = {
#define FIELD(PACKET, NAME, identifier, words, bit, width, kind, meanings) \
    {identifier, words, bit, width, CL_##kind, meanings},
#define END_PACKET() \
    {.identifier = NULL}, };
#include "isa/cl/packets.def"
#undef PACKET
#undef FIELD
#undef END_PACKET

static const struct cl_packet packets[256] = {
#define PACKET(code, bytes, NAME, identifier, words, lists) \
    [code] = {code, bytes, lists, identifier, words, fields_##NAME, \
              sizeof fields_##NAME / sizeof fields_##NAME[0] - 1},
#define FIELD(PACKET, NAME, identifier, words, bit, width, kind, meanings)
#define END_PACKET()
#include "isa/cl/packets.def"
#undef PACKET
#undef FIELD
#undef END_PACKET
};

/* clang-format on */

const struct cl_packet *cl_packet(uint8_t code)
{
    return packets[code].bytes != 0 ? &packets[code] : NULL;
}

uint32_t cl_field_value(const struct cl_field *field, const uint8_t *data)
{
    uint32_t value = cl_bits(data, field->bit, field->width);
    switch (field->kind) {
    case CL_ADDRESS: return value << (32 - field->width);
    case CL_FLOAT187: return value << 16;
    case CL_INT:
    case CL_FIX4: return (uint32_t)bits_signed(value, field->width);
    default: return value;
    }
}
