/* SPDX-License-Identifier: MIT */
/* cl_assemble.c - tests the assembler's statements for records, vertices and texture parameters.
 *
 * Sources: manual tables 15, 16, 38 and 44 to 47 and figure 12 for bit positions, which are entered
 * by hand here. The article "QPU Demo: Triangle with NV Shader" for whole records. IEEE 754 for
 * floats. */
#include <ctype.h>
#include <inttypes.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <tessera/isa.h>

#include "../../register.h"
#include "base/bits.h"
#include "base/buffer.h"
#include "isa/cl/assemble.h"
#include "isa/cl/cl.h"

#include "../../random.h"

/* --- running the assembler --- */

struct findings {
    unsigned errors;
    char rule[40]; /* rule of the first error */
    uint32_t line, column;
    char text[200], hint[200];
};

static void collect(void *user, const struct tess_finding *diag)
{
    struct findings *findings = user;
    if (diag->level != TESS_ERROR || findings->errors++ > 0)
        return;
    snprintf(findings->rule, sizeof findings->rule, "%s", diag->id);
    snprintf(findings->text, sizeof findings->text, "%s", diag->text);
    snprintf(findings->hint, sizeof findings->hint, "%s", diag->hint ? diag->hint : "");
    findings->line = diag->line;
    findings->column = diag->column;
}

static enum tess_status assemble(const char *source, struct findings *findings, uint8_t **out,
                                 size_t *size)
{
    const struct tess_asm_options options = {.format = TESS_ASM_BIN};
    *findings = (struct findings){0};
    *out = NULL;
    *size = 0;
    return tess_assemble_text(source, strlen(source), "test", &options,
                              (struct tess_sink){collect, findings}, out, size);
}

static void expect_bytes(const char *source, const uint8_t *expected, size_t expected_size)
{
    struct findings findings;
    uint8_t *out;
    size_t size;
    if (assemble(source, &findings, &out, &size) != TESS_OK)
        fail_msg("%s\n%u:%u: %s", source, findings.line, findings.column, findings.text);
    if (size != expected_size || memcmp(out, expected, size) != 0) {
        print_error("%s\n", source);
        for (size_t i = 0; i < size; i++)
            print_error("%02x ", out[i]);
        fail_msg("%zu bytes, not the %zu expected", size, expected_size);
    }
    tess_free(out);
}

/* Assembles one statement at address 0 and compares the bytes. */
#define EXPECT(source, ...)                                          \
    do {                                                             \
        const uint8_t expected_bytes[] = {__VA_ARGS__};              \
        expect_bytes(source, expected_bytes, sizeof expected_bytes); \
    } while (0)

/* --- bit positions, entered by hand --- */

struct bits {
    uint16_t bit;
    uint8_t width;
    uint64_t value;
};

enum { BITS_MAX = 12 };

/* Statements, and the positions of their values by the manual. All other bits are 0. The size
 * includes the id. */
static const struct {
    const char *source;
    int id; /* -1 ends the list of bits */
    uint32_t bytes;
    struct bits bits[BITS_MAX];
} records[] = {
    {"cl.halt", 0, 1, {{0, 0, 0}}},
    {"cl.nop", 1, 1, {{0, 0, 0}}},
    {"cl.flush", 4, 1, {{0, 0, 0}}},
    {"cl.flush_all_state", 5, 1, {{0, 0, 0}}},
    {"cl.start_tile_binning", 6, 1, {{0, 0, 0}}},
    {"cl.increment_semaphore", 7, 1, {{0, 0, 0}}},
    {"cl.wait_on_semaphore", 8, 1, {{0, 0, 0}}},
    {"cl.branch address=0xfedcba98", 16, 5, {{0, 32, 0xfedcba98}}},
    {"cl.branch_to_sub_list address=0xffffffff", 17, 5, {{0, 32, 0xffffffff}}},
    {"cl.return_from_sub_list", 18, 1, {{0, 0, 0}}},
    {"cl.store_ms_tile_buffer", 24, 1, {{0, 0, 0}}},
    {"cl.store_ms_tile_buffer_and_eof", 25, 1, {{0, 0, 0}}},
    {"cl.store_full_res_tile_buffer address=0xfffffff0", 26, 5, {{4, 28, 0xfffffff}}},
    {"cl.store_full_res_tile_buffer 0x10, last_tile", 26, 5, {{4, 28, 1}, {3, 1, 1}}},
    {"cl.store_full_res_tile_buffer 0, disable_clear", 26, 5, {{2, 1, 1}}},
    {"cl.store_full_res_tile_buffer 0, disable_zs", 26, 5, {{1, 1, 1}}},
    {"cl.store_full_res_tile_buffer 0, disable_color", 26, 5, {{0, 1, 1}}},
    {"cl.load_full_res_tile_buffer 0x40, disable_zs", 27, 5, {{4, 28, 4}, {1, 1, 1}}},
    {"cl.load_full_res_tile_buffer 0x40, disable_color", 27, 5, {{4, 28, 4}, {0, 1, 1}}},
    {"cl.store_tile_buffer_general address=0xfffffff0, buffer=full, format=lt_format, "
     "mode=decimate_x16, "
     "pixel_format=bgr565",
     28,
     7,
     {{20, 28, 0xfffffff}, {8, 2, 2}, {6, 2, 2}, {4, 2, 2}, {0, 3, 5}}},
    {"cl.store_tile_buffer_general buffer=none, last_tile, disable_mask_dump, disable_zs_dump, "
     "disable_color_dump",
     28,
     7,
     {{19, 1, 1}, {18, 1, 1}, {17, 1, 1}, {16, 1, 1}}},
    {"cl.store_tile_buffer_general buffer=none, disable_mask_clear", 28, 7, {{15, 1, 1}}},
    {"cl.store_tile_buffer_general buffer=none, disable_zs_clear", 28, 7, {{14, 1, 1}}},
    {"cl.store_tile_buffer_general buffer=none, disable_color_clear", 28, 7, {{13, 1, 1}}},
    {"cl.store_tile_buffer_general buffer=none, disable_swap", 28, 7, {{12, 1, 1}}},
    {"cl.load_tile_buffer_general address=0x1230, buffer=z_stencil, format=t_format, "
     "pixel_format=bgr565_dithered",
     29,
     7,
     {{20, 28, 0x123}, {8, 2, 1}, {4, 2, 1}, {0, 3, 2}}},
    {"cl.load_tile_buffer_general buffer=none, disable_mask, disable_zs, disable_color",
     29,
     7,
     {{18, 1, 1}, {17, 1, 1}, {16, 1, 1}}},
    {"cl.indexed_primitive_list mode=triangle_fan, index_type=uint16, length=0xffffffff, "
     "address=0x12345678, "
     "maximum_index=0x89abcdef",
     32,
     14,
     {{0, 4, 6}, {4, 4, 1}, {8, 32, 0xffffffff}, {40, 32, 0x12345678}, {72, 32, 0x89abcdef}}},
    {"cl.vertex_array_primitives mode=line_strip, length=0x01020304, first=0x05060708",
     33,
     10,
     {{0, 8, 3}, {8, 32, 0x01020304}, {40, 32, 0x05060708}}},
    {"cl.vg_coordinate_array_primitives type=rht_strip, continuation=15, length=7, "
     "address=0x11223344",
     41,
     10,
     {{0, 4, 3}, {4, 4, 15}, {8, 32, 7}, {40, 32, 0x11223344}}},
    {"cl.vg_inline_primitives type=triangle_fan, continuation=1", 42, 2, {{0, 4, 6}, {4, 4, 1}}},
    {"cl.compressed_primitive_list", 48, 1, {{0, 0, 0}}},
    {"cl.clipped_primitive_list address=0x30201080, clipped_vertices=5",
     49,
     5,
     {{3, 29, 0x30201080 >> 3}, {0, 3, 5}}},
    {"cl.primitive_list_format type=triangles, data_type=xy_32_bit", 56, 2, {{0, 4, 2}, {4, 4, 3}}},
    {"cl.gl_shader_state address=0x20, extended, attribute_arrays=7",
     64,
     5,
     {{4, 28, 2}, {3, 1, 1}, {0, 3, 7}}},
    {"cl.gl_shader_state address=0x20, attribute_arrays=8", 64, 5, {{4, 28, 2}}},
    {"cl.nv_shader_state address=0xfffffff0", 65, 5, {{0, 32, 0xfffffff0}}},
    {"cl.vg_shader_state address=0x80", 66, 5, {{0, 32, 0x80}}},
    {"cl.vg_inline_shader_record threading=single, code=0x1238, uniforms=0x8004",
     67,
     9,
     {{0, 3, 1}, {3, 29, 0x1238 >> 3}, {32, 32, 0x8004}}},
    {"cl.configuration_bits forward", 96, 4, {{0, 1, 1}}},
    {"cl.configuration_bits reverse", 96, 4, {{1, 1, 1}}},
    {"cl.configuration_bits clockwise", 96, 4, {{2, 1, 1}}},
    {"cl.configuration_bits depth_offset", 96, 4, {{3, 1, 1}}},
    {"cl.configuration_bits antialiased", 96, 4, {{4, 1, 1}}},
    {"cl.configuration_bits coverage_read_type=mask_16_bit", 96, 4, {{5, 1, 1}}},
    {"cl.configuration_bits oversample=x16", 96, 4, {{6, 2, 2}}},
    {"cl.configuration_bits coverage_pipe", 96, 4, {{8, 1, 1}}},
    {"cl.configuration_bits coverage_update=zero", 96, 4, {{9, 2, 3}}},
    {"cl.configuration_bits coverage_read_mode=leave_on_read", 96, 4, {{11, 1, 1}}},
    {"cl.configuration_bits depth_test=always", 96, 4, {{12, 3, 7}}},
    {"cl.configuration_bits z_updates, early_z", 96, 4, {{15, 1, 1}, {16, 1, 1}}},
    {"cl.configuration_bits early_z_updates", 96, 4, {{17, 1, 1}}},
    {"cl.flat_shade_flags 0x80000001", 97, 5, {{0, 32, 0x80000001}}},
    {"cl.point_size 1.5", 98, 5, {{0, 32, 0x3fc00000}}},
    {"cl.line_width -2", 99, 5, {{0, 32, 0xc0000000}}},
    {"cl.rht_x_boundary -2048", 100, 3, {{0, 16, 0x8000}}},
    {"cl.depth_offset factor=1, units=-2", 101, 5, {{0, 16, 0x3f80}, {16, 16, 0xc000}}},
    {"cl.clip_window left=1, bottom=0x203, width=65535, height=4",
     102,
     9,
     {{0, 16, 1}, {16, 16, 0x203}, {32, 16, 65535}, {48, 16, 4}}},
    {"cl.viewport_offset x=-1, y=240.25", 103, 5, {{0, 16, 0xfff0}, {16, 16, 240 * 16 + 4}}},
    {"cl.z_min_max minimum=0, maximum=1", 104, 9, {{32, 32, 0x3f800000}}},
    {"cl.clipper_xy_scaling half_width=5120.0, half_height=3840",
     105,
     9,
     {{0, 32, 0x45a00000}, {32, 32, 0x45700000}}},
    {"cl.clipper_z_scale_offset scale=0.5, offset=-0.5",
     106,
     9,
     {{0, 32, 0x3f000000}, {32, 32, 0xbf000000}}},
    {"cl.tile_binning_mode allocation_address=0x40421500, allocation_size=0x10000, "
     "state_address=0x40420500, width=10, "
     "height=8, auto_initialise",
     112,
     16,
     {{0, 32, 0x40421500},
      {32, 32, 0x10000},
      {64, 32, 0x40420500},
      {96, 8, 10},
      {104, 8, 8},
      {114, 1, 1}}},
    {"cl.tile_binning_mode 0, 0, 0, 255, 0, multisample, color_64bit=on, "
     "initial_block_size=bytes_256, "
     "block_size=bytes_64, double_buffer=1",
     112,
     16,
     {{96, 8, 255}, {112, 1, 1}, {113, 1, 1}, {115, 2, 3}, {117, 2, 1}, {119, 1, 1}}},
    {"cl.tile_rendering_mode address=0x5eac0000, width=640, height=480, color_format=rgba8888",
     113,
     11,
     {{0, 32, 0x5eac0000}, {32, 16, 640}, {48, 16, 480}, {66, 2, 1}}},
    {"cl.tile_rendering_mode 0, 0, 0, multisample, color_64bit, decimate=x4, "
     "memory_format=t_format, vg_mask, "
     "coverage, early_z_direction=gt_ge, early_z_disable, double_buffer",
     113,
     11,
     {{64, 1, 1},
      {65, 1, 1},
      {68, 2, 1},
      {70, 2, 1},
      {72, 1, 1},
      {73, 1, 1},
      {74, 1, 1},
      {75, 1, 1},
      {76, 1, 1}}},
    {"cl.clear_colors color0=0x01020304, color1=0x05060708, z=0xffffff, vg_mask=255, stencil=0x80",
     114,
     14,
     {{0, 32, 0x01020304}, {32, 32, 0x05060708}, {64, 24, 0xffffff}, {88, 8, 255}, {96, 8, 0x80}}},
    {"cl.tile_coordinates column=255, row=1", 115, 3, {{0, 8, 255}, {8, 8, 1}}},
    {"shader.nv single_threaded, point_size, clipping, clip_header, stride=255, uniform_count=2, "
     "varyings=3, "
     "code=0x404104f0, uniforms=0x4, vertices=0x40410568",
     -1,
     16,
     {{0, 8, 15},
      {8, 8, 255},
      {16, 8, 2},
      {24, 8, 3},
      {32, 32, 0x404104f0},
      {64, 32, 4},
      {96, 32, 0x40410568}}},
    {"shader.vg single_threaded, varyings=9, code=8, uniforms=0x10",
     -1,
     12,
     {{0, 1, 1}, {24, 8, 9}, {32, 32, 8}, {64, 32, 16}}},
    {"shader.gl clipping, varyings=1, code=0x100, uniforms=0x200, vertex_attributes=0x81, "
     "vertex_attribute_bytes=24, "
     "vertex_code=0x300, vertex_uniforms=0x400, coordinate_attributes=1, "
     "coordinate_attribute_bytes=12, "
     "coordinate_code=0x500, coordinate_uniforms=0x600",
     -1,
     36,
     {{2, 1, 1},
      {24, 8, 1},
      {32, 32, 0x100},
      {64, 32, 0x200},
      {112, 8, 0x81},
      {120, 8, 24},
      {128, 32, 0x300},
      {160, 32, 0x400},
      {208, 8, 1},
      {216, 8, 12},
      {224, 32, 0x500},
      {256, 32, 0x600}}},
    {"shader.attribute address=0x12345, bytes=256, stride=12, vertex_offset=3, coordinate_offset=4",
     -1,
     8,
     {{0, 32, 0x12345}, {32, 8, 255}, {40, 8, 12}, {48, 8, 3}, {56, 8, 4}}},
    {"shader.extended_stride 0x12345678, 2", -1, 8, {{0, 32, 0x12345678}, {32, 32, 2}}},
    {"vertex.nv x=-199.6875, y=199.5625, z=1, inverse_w=0.5",
     -1,
     12,
     {{0, 16, 0x10000 - 3195}, {16, 16, 3193}, {32, 32, 0x3f800000}, {64, 32, 0x3f000000}}},
    {"vertex.nv 1, 2, 0, 0, varyings=[1, 2.0, -1]",
     -1,
     24,
     {{0, 16, 16},
      {16, 16, 32},
      {96, 32, 0x3f800000},
      {128, 32, 0x40000000},
      {160, 32, 0xbf800000}}},
    {"vertex.nv 1, 2, 0, 0, 1, 2",
     -1,
     20,
     {{0, 16, 16}, {16, 16, 32}, {96, 32, 0x3f800000}, {128, 32, 0x40000000}}},
    {"vertex.nv 1, 2, 0, 0, point_size=2, varyings=[]",
     -1,
     16,
     {{0, 16, 16}, {16, 16, 32}, {96, 32, 0x40000000}}},
    {"vertex.nv 1, 2, 0, 0, point_size=2, varyings=1, clip_x=1, clip_y=2, clip_z=-1, clip_w=-2",
     -1,
     36,
     {{0, 32, 0x3f800000},
      {32, 32, 0x40000000},
      {64, 32, 0xbf800000},
      {96, 32, 0xc0000000},
      {128, 16, 16},
      {144, 16, 32},
      {224, 32, 0x40000000},
      {256, 32, 0x3f800000}}},
    {"vertex.clipped x=1, y=2, z=1, inverse_w=2, weight0=1, weight1=-1, weight2=2",
     -1,
     32,
     {{0, 16, 16},
      {16, 16, 32},
      {32, 32, 0x3f800000},
      {64, 32, 0x40000000},
      {96, 32, 0x3f800000},
      {128, 32, 0xbf800000},
      {160, 32, 0x40000000}}},
    {"vertex.vg -1, 1.0625", -1, 4, {{0, 16, 0xfff0}, {16, 16, 17}}},
    /* Bit 4 of the type is in bit 31 of the second word. */
    {"uniform.texture base=0xfffff000, type=yuyv422r, width=2047, height=2048, levels=16, "
     "mag_filter=nearest, "
     "min_filter=lin_mip_lin, wrap_s=mirror, wrap_t=border",
     -1,
     8,
     {{12, 20, 0xfffff},
      {4, 4, 1},
      {63, 1, 1},
      {40, 11, 2047},
      {0, 4, 15},
      {39, 1, 1},
      {36, 3, 5},
      {34, 2, 3},
      {32, 2, 2}}},
    {"uniform.texture 0, alpha, 1, 1, flip_y, cube_map, cache_swizzle=3, etc_flip",
     -1,
     8,
     {{4, 4, 6}, {40, 11, 1}, {52, 11, 1}, {8, 1, 1}, {9, 1, 1}, {10, 2, 3}, {51, 1, 1}}},
    {"uniform.cube_map stride=0x3ffff000, bias_only",
     -1,
     4,
     {{30, 2, 1}, {12, 18, 0x3ffff}, {0, 1, 1}}},
    {"uniform.child_size width=2047, height=1", -1, 4, {{30, 2, 2}, {12, 11, 1}, {0, 11, 2047}}},
    {"uniform.child_offset x=1, y=2047", -1, 4, {{30, 2, 3}, {12, 11, 2047}, {0, 11, 1}}},
};

/* Writes the bits one at a time, without use of the code under test. */
static void place(uint8_t *data, const struct bits *bits)
{
    for (uint32_t i = 0; i < bits->width; i++)
        if (bits->value >> i & 1)
            data[(bits->bit + i) / 8] |= (uint8_t)(1 << (bits->bit + i) % 8);
}

TEST(test_positions)
{
    for (size_t i = 0; i < sizeof records / sizeof records[0]; i++) {
        uint8_t expected[64] = {0};
        uint32_t head = records[i].id >= 0;
        if (head)
            expected[0] = (uint8_t)records[i].id;
        for (size_t k = 0; k < BITS_MAX; k++)
            place(expected + head, &records[i].bits[k]);
        expect_bytes(records[i].source, expected, records[i].bytes);
    }
}

/* Records of the article's binning list, with the bytes that the article prints. */
TEST(test_article)
{
    EXPECT("cl.viewport_offset x=320, y=240", 0x67, 0x00, 0x14, 0x00, 0x0f);
    EXPECT("cl.clipper_xy_scaling half_width=320 * 16, half_height=240 * 16", 0x69, 0x00, 0x00,
           0xa0, 0x45, 0x00, 0x00, 0x70, 0x45);
    EXPECT("cl.configuration_bits forward, clockwise, early_z_updates=0", 0x60, 0x05, 0x00, 0x00);
    EXPECT("cl.clear_colors color=0xffffff00", 0x72, 0x00, 0xff, 0xff, 0xff, 0x00, 0xff, 0xff, 0xff,
           0, 0, 0, 0, 0);
    EXPECT("cl.store_tile_buffer_general buffer=none", 0x1c, 0, 0, 0, 0, 0, 0);
}

/* --- names --- */

TEST(test_names)
{
    /* Names are the manual's words, with and without parentheses, or abbreviations. */
    EXPECT("cl.tile_binning_mode_configuration tile_allocation_memory_address=0x100, "
           "tile_allocation_memory_size=2, "
           "tile_state_data_array_address=0x30, width_in_tiles=4, height=5, "
           "auto_initialise_tile_state_data_array, "
           "multisample_mode_4x=0",
           112, 0, 1, 0, 0, 2, 0, 0, 0, 0x30, 0, 0, 0, 4, 5, 4);
    EXPECT("cl.store_multi_sample_resolved_tile_color_buffer", 24);
    EXPECT("cl.store_multi_sample_resolved_tile_color_buffer_and_signal_end_of_frame", 25);
    EXPECT("cl.NOP", 1);
    EXPECT("cl.store", 24);
    EXPECT("cl.wait", 8);
    EXPECT("cl.tile_coord col=1, r=2", 115, 1, 2);
    EXPECT("cl.clear_colours colour=1", 114, 1, 0, 0, 0, 1, 0, 0, 0, 0, 0, 0, 0, 0);
}

/* Converts the manual's words to a name, without a change of upper and lower case. */
static void normalise(const char *words, char out[128])
{
    size_t size = 0;
    bool gap = false;
    for (; *words; words++) {
        bool good = (*words >= 'a' && *words <= 'z') || (*words >= 'A' && *words <= 'Z') ||
                    (*words >= '0' && *words <= '9');
        if (good && gap && size > 0)
            out[size++] = '_';
        if (good)
            out[size++] = *words;
        gap = !good;
    }
    out[size] = '\0';
}

/* Generates a random valid value of the field as text. Also returns the number that
 * cl_field_value() must return for it. */
static void random_value(const struct cl_field *field, uint32_t *random, char text[40],
                         uint32_t *value)
{
    uint32_t shift = cl_field_shift(field), width = (uint32_t)field->width + field->rest_width;
    uint32_t raw = (uint32_t)bits_get(next_random(random), width - 1, 0);
    if (field->align > 1)
        raw &= ~(uint32_t)(field->align - 1);
    switch (field->kind) {
    case CL_FIX4: *value = (uint32_t)bits_signed(raw, width); break;
    case CL_FLOAT187:
    case CL_FLOAT:
        raw = field->kind == CL_FLOAT ? raw & 0xbfffffff : (raw & 0xbfff) << 16;
        *value = raw;
        break;
    default: *value = (raw << shift) + field->bias; break;
    }
    if (field->kind == CL_FLOAT || field->kind == CL_FLOAT187)
        snprintf(text, 40, "%.9g", (double)bits_float(raw));
    else if (field->kind == CL_FIX4)
        snprintf(text, 40, "%.4f", (double)(int32_t)*value / 16);
    else
        snprintf(text, 40, "%" PRIu32, *value);
    if (field->kind == CL_ENUM && field->meanings[raw])
        snprintf(text, 40, "%s", field->meanings[raw]);
}

static void round_trip(const struct cl_packet *packet, uint32_t *random, bool by_words)
{
    struct buffer source = {0};
    uint32_t values[32];
    char name[128], text[40];
    struct findings findings;
    uint8_t *out;
    size_t size;
    normalise(packet->words, name);
    buffer_printf(&source, "cl.%s", by_words ? name : packet->identifier);
    for (uint32_t i = 0; i < packet->field_count; i++) {
        normalise(packet->fields[i].words, name);
        random_value(&packet->fields[i], random, text, &values[i]);
        buffer_printf(&source, "%s %s = %s", i ? " ," : "",
                      by_words && !isdigit(*name) ? name : packet->fields[i].identifier, text);
    }
    buffer_byte(&source, 0);
    if (assemble((const char *)source.data, &findings, &out, &size) != TESS_OK)
        fail_msg("%s: %s", (const char *)source.data, findings.text);
    assert_int_equal(size, packet->bytes);
    assert_int_equal(out[0], packet->code);
    for (uint32_t i = 0; i < packet->field_count; i++)
        if (cl_field_value(&packet->fields[i], out + 1) != values[i])
            fail_msg("%s: %s", (const char *)source.data, packet->fields[i].identifier);
    tess_free(out);
    buffer_free(&source);
}

/* Every record and field is accepted by its identifier. It is also accepted by the manual's
 * words unless these begin with a digit. The decoder must read the values that the assembler
 * wrote. */
TEST(test_round_trip)
{
    uint32_t random = 1;
    for (unsigned code = 0; code < 256; code++)
        for (unsigned i = 0; i < 100 && cl_packet((uint8_t)code); i++)
            round_trip(cl_packet((uint8_t)code), &random, i & 1);
}

/* --- symbols --- */

TEST(test_symbols)
{
    EXPECT("cl.branch later\n.set n, 3\ncl.tile_coordinates n + 1, n * 2\nlater:", 16, 8, 0, 0, 0,
           115, 4, 6);
    EXPECT("1: cl.branch 1f\ncl.branch 1b\n1:", 16, 10, 0, 0, 0, 16, 0, 0, 0, 0);
    EXPECT(".macro at, c, r\ncl.tile_coordinates c, row=r\n.endm\n.rep i, 2\nat i, 7\n.endr", 115,
           0, 7, 115, 1, 7);
    /* In a value, a name of the field's values has precedence over a symbol. Other symbols may
     * be used. */
    EXPECT(".set lt, 7\n.set other, 5\ncl.configuration_bits depth_test=lt\n"
           "cl.configuration_bits depth_test=other",
           96, 0, 0x10, 0, 96, 0, 0x50, 0);
    /* A name without a value is a switch, even if a symbol has the same name. */
    EXPECT(".set forward, 0\ncl.configuration_bits forward", 96, 1, 0, 0);
    EXPECT("cl.tile_coordinates (1 == 1 ? 2 : 3), 4 # comment", 115, 2, 4);
}

/* --- mistakes --- */

static void expect_error(const char *source, const char *rule, uint32_t column, const char *text)
{
    struct findings findings;
    uint8_t *out;
    size_t size;
    enum tess_status status = assemble(source, &findings, &out, &size);
    if (status != TESS_WRONG || findings.errors != 1 || strcmp(findings.rule, rule) != 0 ||
        findings.column != column || (!strstr(findings.text, text) && !strstr(findings.hint, text)))
        fail_msg("%s: %u errors, the first is %s at column %u: %s (%s)", source, findings.errors,
                 findings.rule, findings.column, findings.text, findings.hint);
    tess_free(out);
}

TEST(test_mistakes)
{
    expect_error("cl.clip_window width=65536, height=1", "asm-range", 22, "from 0 to 65535");
    expect_error("cl.clip_window width=-1, height=1", "asm-range", 22, "from 0 to 65535");
    expect_error("cl.tile_coordinates 256, 0", "asm-range", 21, "'column'");
    expect_error("cl.clear_colors 0, z=0x1000000", "asm-range", 22, "0xffffff");
    expect_error("cl.branch 0x100000000", "asm-range", 11, "0xffffffff");
    expect_error("cl.branch -1", "asm-range", 11, "-0x1");
    expect_error("cl.viewport_offset x=2048", "asm-range", 22, "2047.9375");
    expect_error("cl.viewport_offset x=0.0/0.0", "asm-range", 22, "2047.9375");
    expect_error("cl.point_size 1e39", "asm-range", 15, "float");
    expect_error("cl.configuration_bits depth_test=8", "asm-range", 34, "from 0 to 7");
    expect_error("cl.configuration_bits forward=2", "asm-range", 31, "from 0 to 1");
    expect_error("uniform.texture 0, rgba8888, 2049, 1", "asm-range", 30, "from 0 to 2048");
    expect_error("uniform.texture 0, rgba8888, 1, 1, levels=0", "asm-range", 43, "from 1 to 16");
    expect_error("cl.tile_coordinates 1.5, 0", "asm-type", 21, "integer");
    expect_error("cl.nv_shader_state 8", "asm-alignment", 20, "multiple of 16");
    expect_error("cl.gl_shader_state 8, attribute_arrays=1", "asm-alignment", 20, "multiple of 16");
    expect_error("uniform.texture base=0x800, type=0, width=1, height=1", "asm-alignment", 22,
                 "4096");
    expect_error("shader.nv stride=1, code=4, vertices=0", "asm-alignment", 26, "multiple of 8");
    expect_error(".byte 1\nshader.nv stride=1, code=8, vertices=0", "asm-alignment", 1, ".align");

    expect_error("cl.clip_window 0, 0, 1, 2, 3", "asm-syntax", 28, "no field left");
    expect_error("cl.clip_window 0, 0, 1, height=2, width=3", "asm-redefined", 35, "'width'");
    expect_error("cl.configuration_bits forward, forward", "asm-redefined", 32, "'forward'");
    expect_error("cl.clip_window width=1, 0", "asm-syntax", 1, "needs height=");
    expect_error("cl.clip_window widht=1, height=2", "asm-unknown", 16, "did you mean 'width'?");
    expect_error("cl.clip_windo_ 1", "asm-syntax", 1, "needs width=");
    expect_error("cl.clop_window 1", "asm-unknown", 1, "did you mean 'cl.clip_window'?");
    expect_error("cl.zzz", "asm-unknown", 1, "cl.zzz");
    expect_error("cl. nop", "asm-syntax", 4, "expected a name");
    expect_error("cl.load 1", "asm-unknown", 1, "'cl.load_tile_buffer_general'");
    expect_error("cl.tile_binning_mode alloc=1", "asm-unknown", 22, "'allocation_size'");
    expect_error("cl.branch", "asm-syntax", 1, "needs address=");
    expect_error("cl.store_tile_buffer_general buffer=color", "asm-syntax", 1, "needs address=");
    expect_error("cl.vertex_array_primitives trianglez, 3", "asm-undefined", 28,
                 "did you mean 'triangles'?");
    expect_error("cl.branch nowhere", "asm-undefined", 11, "nowhere");
    expect_error("cl.tile_coordinates 1 2", "asm-syntax", 23, "separate fields by ','");
    expect_error("cl.tile_coordinates 1,", "asm-syntax", 23, "expected a field");
    expect_error("cl.flush 1", "asm-syntax", 10, "no field left");
    expect_error("vertex.nv 1, 2, 3, 4, varyings=[1, 2", "asm-syntax", 32, "unterminated list");
    expect_error("vertex.nv 1, 2, 3, 4, clip_x=1", "asm-syntax", 1, "needs clip_y=");
    expect_error("vertex.nv 1, 2, 3", "asm-syntax", 1, "needs inverse_w=");
    expect_error("shader.extended_stride", "asm-syntax", 1, "needs extended_stride=");
}

/* After an error, the following statements have the same addresses, and each statement has a
 * separate diagnostic. */
TEST(test_many_mistakes)
{
    struct findings findings;
    uint8_t *out;
    size_t size;
    assemble("cl.clip_window width=70000, height=1\nvertex.vg 5000, 0\n.assert . == 13\n"
             "cl.tile_coordinates 300, 0\n.assert . == 16",
             &findings, &out, &size);
    assert_int_equal(findings.errors, 3);
    tess_free(out);
}

/* Looks up a name without an instruction set. Finds none. */
static bool no_names(void *user, const char *name, size_t length, bool only_labels,
                     struct asm_value *value)
{
    (void)user, (void)name, (void)length, (void)only_labels, (void)value;
    return false;
}

TEST(test_not_mine)
{
    static const char *const texts[] = {"", "nop", "cl", "cl flush", "clx.flush", "x.flush", "cl:"};
    const struct asm_names names = {.lookup = no_names};
    struct asm_error error = {0};
    struct buffer bytes = {0};
    for (size_t i = 0; i < sizeof texts / sizeof texts[0]; i++)
        assert_int_equal(cl_assemble(texts[i], strlen(texts[i]), 0, &names, &bytes, &error),
                         ASM_NOT_MINE);
    assert_int_equal(bytes.size, 0);
    assert_int_equal(cl_assemble("cl.flush", 8, 0, &names, &bytes, &error), ASM_TAKEN);
    assert_int_equal(bytes.size, 1);
    buffer_free(&bytes);
}

/* The assembler must accept or reject any text in a short time. ASan checks the accesses. */
TEST(test_garbage)
{
    static const char *const words[] = {"cl.",
                                        "vertex.nv",
                                        "cl.clip_window",
                                        "uniform.texture",
                                        "shader.gl",
                                        " ",
                                        "width",
                                        "=",
                                        ",",
                                        "[",
                                        "]",
                                        "(",
                                        ")",
                                        "1",
                                        "-",
                                        "varyings",
                                        "forward",
                                        "0x",
                                        "1e999",
                                        "_",
                                        "color",
                                        "\x80",
                                        "?",
                                        ":",
                                        "'"};
    enum { WORDS = sizeof words / sizeof words[0] };
    uint32_t random = 7;
    for (unsigned i = 0; i < 20000; i++) {
        char text[200] = "";
        snprintf(text, sizeof text, "%s ", words[next_random(&random) % 5]);
        for (unsigned k = 0; k < 12; k++)
            strcat(text, words[next_random(&random) % WORDS]);
        struct findings findings;
        uint8_t *out;
        size_t size;
        assemble(text, &findings, &out, &size);
        tess_free(out);
    }
}
