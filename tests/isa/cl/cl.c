/* SPDX-License-Identifier: MIT */
/* cl.c - compares the table of control records with manual table 38. Ids 2, 3, 19, 20 and 106
 * are missing or misprinted in the manual. Their lengths come from Broadcom's khrn_prod_4.h and
 * Mesa's v3d_packet_v21.xml. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include "../../register.h"
#include "isa/cl/cl.h"

/* clang-format off */
/* Id and length of each record, and its fields as {offset, width} in the order of packets.def. */
static const struct {
    uint8_t code, bytes;
    enum cl_lists lists;
    struct {
        uint8_t bit, width;
    } field[16];
} facts[] = {
    {0, 1, CL_BOTH, {{0, 0}}},
    {1, 1, CL_BOTH, {{0, 0}}},
    {2, 1, CL_BOTH, {{0, 0}}},
    {3, 1, CL_BOTH, {{0, 0}}},
    {4, 1, CL_BIN, {{0, 0}}},
    {5, 1, CL_BIN, {{0, 0}}},
    {6, 1, CL_BIN, {{0, 0}}},
    {7, 1, CL_BOTH, {{0, 0}}},
    {8, 1, CL_BOTH, {{0, 0}}},
    {16, 5, CL_BOTH, {{0, 32}}},
    {17, 5, CL_BOTH, {{0, 32}}},
    {18, 1, CL_BOTH, {{0, 0}}},
    {19, 1, CL_BOTH, {{0, 0}}},
    {20, 1, CL_BOTH, {{0, 0}}},
    {24, 1, CL_RENDER, {{0, 0}}},
    {25, 1, CL_RENDER, {{0, 0}}},
    {26, 5, CL_RENDER, {{4, 28}, {3, 1}, {2, 1}, {1, 1}, {0, 1}}},
    {27, 5, CL_RENDER, {{4, 28}, {1, 1}, {0, 1}}},
    {28, 7, CL_RENDER, {{20, 28}, {19, 1}, {18, 1}, {17, 1}, {16, 1}, {15, 1}, {14, 1}, {13, 1},
        {12, 1}, {8, 2}, {6, 2}, {4, 2}, {0, 3}}},
    {29, 7, CL_RENDER, {{20, 28}, {18, 1}, {17, 1}, {16, 1}, {8, 2}, {4, 2}, {0, 3}}},
    {32, 14, CL_BOTH, {{0, 4}, {4, 4}, {8, 32}, {40, 32}, {72, 32}}},
    {33, 10, CL_BOTH, {{0, 8}, {8, 32}, {40, 32}}},
    {41, 10, CL_BOTH, {{0, 4}, {4, 4}, {8, 32}, {40, 32}}},
    {42, 2, CL_BOTH, {{0, 4}, {4, 4}}},
    {48, 1, CL_BOTH, {{0, 0}}},
    {49, 5, CL_RENDER, {{3, 29}, {0, 3}}},
    {56, 2, CL_BOTH, {{0, 4}, {4, 4}}}, /* only for rendering (R) in the manual, but Mesa also
                                           uses it for binning */
    {64, 5, CL_BOTH, {{4, 28}, {3, 1}, {0, 3}}}, /* the manual prints offset 0 for the address */
    {65, 5, CL_BOTH, {{0, 32}}},
    {66, 5, CL_BOTH, {{0, 32}}},
    {67, 9, CL_BOTH, {{0, 3}, {3, 29}, {32, 32}}},
    {96, 4, CL_BOTH, {{0, 1}, {1, 1}, {2, 1}, {3, 1}, {4, 1}, {5, 1}, {6, 2}, {8, 1}, {9, 2},
        {11, 1}, {12, 3}, {15, 1}, {16, 1}, {17, 1}}},
    {97, 5, CL_BOTH, {{0, 32}}},
    {98, 5, CL_BOTH, {{0, 32}}},
    {99, 5, CL_BOTH, {{0, 32}}},
    {100, 3, CL_BOTH, {{0, 16}}},
    {101, 5, CL_BOTH, {{0, 16}, {16, 16}}},
    {102, 9, CL_BOTH, {{0, 16}, {16, 16}, {32, 16}, {48, 16}}},
    {103, 5, CL_BOTH, {{0, 16}, {16, 16}}},
    {104, 9, CL_BOTH, {{0, 32}, {32, 32}}},
    {105, 9, CL_BIN, {{0, 32}, {32, 32}}},
    {106, 9, CL_BIN, {{0, 32}, {32, 32}}},
    {112, 16, CL_BIN, {{0, 32}, {32, 32}, {64, 32}, {96, 8}, {104, 8}, {112, 1}, {113, 1},
        {114, 1}, {115, 2}, {117, 2}, {119, 1}}},
    {113, 11, CL_RENDER, {{0, 32}, {32, 16}, {48, 16}, {64, 1}, {65, 1}, {66, 2}, {68, 2},
        {70, 2}, {72, 1}, {73, 1}, {74, 1}, {75, 1}, {76, 1}}},
    {114, 14, CL_RENDER, {{0, 32}, {32, 32}, {64, 24}, {88, 8}, {96, 8}}},
    {115, 3, CL_RENDER, {{0, 8}, {8, 8}}},
};

/* clang-format on */

enum { FACTS = sizeof facts / sizeof facts[0] };

TEST(test_lengths_and_fields)
{
    for (size_t i = 0; i < FACTS; i++) {
        const struct cl_packet *packet = cl_packet(facts[i].code);
        assert_non_null(packet);
        assert_int_equal(packet->code, facts[i].code);
        assert_int_equal(packet->bytes, facts[i].bytes);
        assert_int_equal(packet->lists, facts[i].lists);
        uint32_t count = 0;
        while (count < 16 && facts[i].field[count].width != 0)
            count++;
        assert_int_equal(packet->field_count, count);
        for (uint32_t k = 0; k < count; k++) {
            assert_int_equal(packet->fields[k].bit, facts[i].field[k].bit);
            assert_int_equal(packet->fields[k].width, facts[i].field[k].width);
        }
    }
}

TEST(test_all_others_are_reserved)
{
    uint32_t known = 0;
    for (unsigned code = 0; code < 256; code++)
        known += cl_packet((uint8_t)code) != NULL;
    assert_int_equal(known, FACTS);
}

TEST(test_fields_fit_and_do_not_overlap)
{
    for (size_t i = 0; i < FACTS; i++) {
        const struct cl_packet *packet = cl_packet(facts[i].code);
        uint8_t taken[128] = {0};
        for (uint32_t k = 0; k < packet->field_count; k++) {
            const struct cl_field *field = &packet->fields[k];
            assert_non_null(field->identifier);
            assert_non_null(field->words);
            assert_true(field->width >= 1 && field->width <= 32);
            assert_true(field->bit + field->width <= 8 * (packet->bytes - 1));
            for (uint32_t bit = 0; bit < field->width; bit++)
                assert_int_equal(taken[field->bit + bit]++, 0);
        }
    }
}

TEST(test_meanings_belong_to_enums)
{
    for (size_t i = 0; i < FACTS; i++) {
        const struct cl_packet *packet = cl_packet(facts[i].code);
        for (uint32_t k = 0; k < packet->field_count; k++) {
            const struct cl_field *field = &packet->fields[k];
            assert_int_equal(field->kind == CL_ENUM, field->meanings != NULL);
            for (uint32_t v = 0; field->meanings && v < UINT32_C(1) << field->width; v++)
                if (field->meanings[v])
                    assert_true(strlen(field->meanings[v]) > 0);
        }
    }
}

static const struct cl_field *field_of(uint8_t code, const char *identifier)
{
    const struct cl_packet *packet = cl_packet(code);
    for (uint32_t k = 0; k < packet->field_count; k++)
        if (strcmp(packet->fields[k].identifier, identifier) == 0)
            return &packet->fields[k];
    fail_msg("no field %s", identifier);
    return NULL;
}

/* Names of values that the manual lists with the fields. */
TEST(test_names_of_values)
{
    static const struct {
        uint8_t code;
        const char *field;
        uint32_t value;
        const char *name;
    } names[] = {
        {96, "depth_test", 0, "never"},
        {96, "depth_test", 1, "lt"},
        {96, "depth_test", 7, "always"},
        {96, "coverage_update", 3, "zero"},
        {96, "oversample", 3, NULL},
        {32, "mode", 6, "triangle_fan"},
        {32, "mode", 7, NULL},
        {33, "mode", 4, "triangles"},
        {33, "mode", 255, NULL},
        {32, "index_type", 1, "uint16"},
        {41, "type", 0, NULL},
        {41, "type", 1, "rhts"},
        {41, "type", 3, "rht_strip"},
        {56, "type", 3, "rhts"},
        {56, "data_type", 2, NULL},
        {112, "block_size", 3, "bytes_256"},
        {28, "pixel_format", 0, "rgba8888"},
        {113, "color_format", 1, "rgba8888"},
        {113, "memory_format", 1, "t_format"},
        {28, "buffer", 5, "full"},
        {28, "mode", 1, "decimate_x4"},
        {113, "decimate", 2, "x16"},
    };
    for (size_t i = 0; i < sizeof names / sizeof names[0]; i++) {
        const char *name = field_of(names[i].code, names[i].field)->meanings[names[i].value];
        if (names[i].name)
            assert_string_equal(name, names[i].name);
        else
            assert_null(name);
    }
}

/* Records whose bytes are put together by hand. The first is from the NV demo (tile binning
 * mode). */
TEST(test_field_values)
{
    static const uint8_t binning[] = {0x00, 0x15, 0x42, 0x40, 0x00, 0x00, 0x01, 0x00,
                                      0x00, 0x05, 0x42, 0x40, 0x0a, 0x08, 0x04};
    assert_int_equal(cl_field_value(field_of(112, "allocation_address"), binning), 0x40421500);
    assert_int_equal(cl_field_value(field_of(112, "allocation_size"), binning), 0x10000);
    assert_int_equal(cl_field_value(field_of(112, "width"), binning), 10);
    assert_int_equal(cl_field_value(field_of(112, "height"), binning), 8);
    assert_int_equal(cl_field_value(field_of(112, "auto_initialise"), binning), 1);
    assert_int_equal(cl_field_value(field_of(112, "block_size"), binning), 0);

    static const uint8_t store[] = {0x11, 0x80, 0x45, 0x23, 0x01, 0x40}; /* data word 0x40012345 */
    assert_int_equal(cl_field_value(field_of(28, "buffer"), store), 1);
    assert_int_equal(cl_field_value(field_of(28, "format"), store), 1);
    assert_int_equal(cl_field_value(field_of(28, "disable_mask_clear"), store), 1);
    assert_int_equal(cl_field_value(field_of(28, "disable_zs_dump"), store), 0);
    static const uint8_t offset[] = {0x80, 0x3f, 0x00, 0xc0}; /* the upper halves of 1.0 and -2.0 */
    assert_int_equal(cl_field_value(field_of(101, "factor"), offset), 0x3f800000);
    assert_int_equal(cl_field_value(field_of(101, "units"), offset), 0xc0000000);
    assert_int_equal(cl_field_value(field_of(28, "disable_color_dump"), store), 1);
    assert_int_equal(cl_field_value(field_of(28, "disable_mask_dump"), store), 1);
    assert_int_equal(cl_field_value(field_of(28, "address"), store), 0x40012340);

    static const uint8_t viewport[] = {0xf0, 0xff, 0x00, 0x0f};
    assert_int_equal((int32_t)cl_field_value(field_of(103, "x"), viewport), -16);
    assert_int_equal((int32_t)cl_field_value(field_of(103, "y"), viewport), 240 * 16);

    static const uint8_t clipped[] = {0x85, 0x10, 0x20, 0x30};
    assert_int_equal(cl_field_value(field_of(49, "address"), clipped), 0x30201080);
    assert_int_equal(cl_field_value(field_of(49, "clipped_vertices"), clipped), 5);
}
