/* SPDX-License-Identifier: MIT */
/* Tests of vertex fetch in NV mode (manual figure 12: four memory formats) and of primitive
 * assembly (manual table 38, OpenGL ES 2.0 section 2.6 for the order of vertices). Expected
 * values are worked out by hand. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include "../../register.h"
#include "vc4/vertex/vcm.h"

static struct fault_log log_of_test;
static uint8_t memory[256];

static struct bus fresh(void)
{
    log_of_test = (struct fault_log){0};
    memset(memory, 0, sizeof memory);
    struct bus bus = {.log = &log_of_test};
    assert_int_equal(bus_map(&bus, 0x1000, sizeof memory, memory), TESS_OK);
    return bus;
}

static void put_float(uint32_t offset, float value)
{
    store_le32(memory + offset, float_bits(value));
}

/* Fetches the second vertex of an array in each of the four layouts, with two varyings. */
TEST(four_layouts)
{
    for (unsigned layout = 0; layout < 4; layout++) {
        bool size = layout & 1, header = layout & 2;
        struct bus bus = fresh();
        uint32_t words = 3u + size + (header ? 4 : 0) + 2;
        uint32_t at = words * 4;
        struct shader_record record = {
            .flags = (uint16_t)((size ? SHADER_POINT_SIZE : 0) | (header ? SHADER_CLIP_HEADER : 0)),
            .varyings = 2,
            .vertex_stride = (uint8_t)(words * 4),
            .vertex_address = 0x1000,
        };
        struct cl_state cl = {.point_size = 9.0f};
        for (unsigned i = 0; header && i < 4; i++, at += 4)
            put_float(at, (float)i + 0.5f);
        store_le16(memory + at, (uint16_t)-3195);
        store_le16(memory + at + 2, 3193);
        put_float(at + 4, 0.94f);
        put_float(at + 8, 0.25f);
        at += 12;
        if (size) {
            put_float(at, 4.0f);
            at += 4;
        }
        put_float(at, 1.0f);
        put_float(at + 4, -2.0f);

        struct vertex vertex;
        assert_true(vcm_fetch_nv(&vertex, &record, &cl, &bus, 1, true));
        assert_int_equal(vertex.x, -3195);
        assert_int_equal(vertex.y, 3193);
        assert_true(vertex.z == 0.94f && vertex.inv_w == 0.25f);
        assert_true(vertex.point_size == (size ? 4.0f : 9.0f));
        assert_true(vertex.varying[0] == 1.0f && vertex.varying[1] == -2.0f);
        assert_true(vertex.clip[3] == (header ? 3.5f : 0.0f));
        assert_int_equal(log_of_test.errors, 0);
        bus_free(&bus);
    }
}

TEST(bad_vertices)
{
    struct bus bus = fresh();
    struct vertex vertex;
    struct cl_state cl = {0};
    struct shader_record record = {.vertex_stride = 12,
                                   .vertex_address = 0x1000 + sizeof memory - 8};
    assert_false(vcm_fetch_nv(&vertex, &record, &cl, &bus, 0, true));
    assert_int_equal(log_of_test.count[FAULT_BUS_UNMAPPED], 1);
    record.vertex_address = 0x1000;
    record.varyings = 3;
    assert_true(vcm_fetch_nv(&vertex, &record, &cl, &bus, 0, true));
    assert_int_equal(log_of_test.count[FAULT_VERTEX], 1);
    record.varyings = 255;
    assert_false(vcm_fetch_nv(&vertex, &record, &cl, &bus, 0, true));
    assert_int_equal(log_of_test.count[FAULT_RECORD], 1);
    bus_free(&bus);
}

TEST(assembly)
{
    static const struct {
        enum primitive_mode mode;
        uint32_t vertices, primitives;
        unsigned corners;
        uint32_t position[4][3]; /* vertex numbers of the first primitives */
    } cases[] = {
        /* clang-format off */
        /* clang-format off */
        {MODE_POINTS,         2, 2, 1, {{0}, {1}}},
        {MODE_LINES,          5, 2, 2, {{0, 1}, {2, 3}}},
        {MODE_LINE_LOOP,      3, 3, 2, {{0, 1}, {1, 2}, {2, 0}}},
        {MODE_LINE_LOOP,      2, 0, 2, {{0}}},
        {MODE_LINE_STRIP,     4, 3, 2, {{0, 1}, {1, 2}, {2, 3}}},
        {MODE_LINE_STRIP,     1, 0, 2, {{0}}},
        {MODE_TRIANGLES,      8, 2, 3, {{0, 1, 2}, {3, 4, 5}}},
        {MODE_TRIANGLE_STRIP, 6, 4, 3, {{0, 1, 2}, {2, 1, 3}, {2, 3, 4}, {4, 3, 5}}},
        {MODE_TRIANGLE_FAN,   5, 3, 3, {{0, 1, 2}, {0, 2, 3}, {0, 3, 4}}},
        {MODE_TRIANGLE_FAN,   2, 0, 3, {{0}}},
        {MODE_TRIANGLES,      0, 0, 3, {{0}}},
        /* clang-format on */
        /* clang-format on */
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        assert_int_equal(vcm_primitive_count(cases[i].mode, cases[i].vertices),
                         cases[i].primitives);
        for (uint32_t n = 0; n < cases[i].primitives; n++) {
            uint32_t position[3];
            assert_int_equal(vcm_primitive_vertices(cases[i].mode, cases[i].vertices, n, position),
                             cases[i].corners);
            for (unsigned k = 0; k < cases[i].corners; k++)
                assert_int_equal(position[k], cases[i].position[n][k]);
        }
    }
}
