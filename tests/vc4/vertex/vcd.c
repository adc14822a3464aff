/* SPDX-License-Identifier: MIT */
/* Tests of GL shader state records (manual tables 38 and 45) and of the fetch of attributes into
 * the VPM (manual section 7; article "Vertex and Coordinate Shaders": size, stride, VPM offset).
 * Expected bytes are worked out by hand. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include "../../register.h"
#include "base/bits.h"
#include "vc4/vertex/vcd.h"

enum { BASE = 0x1000, SIZE = 0x2000, RECORD = 0x1100, DATA = 0x1200 };

static struct fault_log log_of_test;
static uint8_t memory[SIZE];

static struct bus fresh(void)
{
    log_of_test = (struct fault_log){0};
    memset(memory, 0, sizeof memory);
    struct bus bus = {.log = &log_of_test};
    assert_int_equal(bus_map(&bus, BASE, SIZE, memory), TESS_OK);
    return bus;
}

static uint8_t *at(uint32_t address)
{
    return memory + address - BASE;
}

/* Reads a record in which every byte has a different value. */
static bool read_record(struct shader_record *record, struct bus *bus, uint32_t bytes, uint32_t low)
{
    for (uint32_t i = 0; i < bytes; i++)
        *at(RECORD + i) = (uint8_t)(i + 1);
    const struct cl_state state = {.shader_code = CL_GL_SHADER_STATE, .shader_word = RECORD | low};
    return shader_record_read(record, &state, bus);
}

TEST(plain_records)
{
    struct bus bus = fresh();
    struct shader_record record;
    assert_true(read_record(&record, &bus, 132, 3));
    assert_int_equal(record.address, RECORD);
    assert_int_equal(record.flags, 0x0201);
    assert_int_equal(record.varyings, 4);
    assert_int_equal(record.fragment_code, 0x08070605);
    assert_int_equal(record.fragment_uniforms, 0x0c0b0a09);
    const struct shader_program *vertex = &record.program[STAGE_VERTEX];
    assert_int_equal(vertex->select, 15);
    assert_int_equal(vertex->bytes, 16);
    assert_int_equal(vertex->code, 0x14131211);
    assert_int_equal(vertex->uniforms, 0x18171615);
    const struct shader_program *coordinate = &record.program[STAGE_COORDINATE];
    assert_int_equal(coordinate->select, 27);
    assert_int_equal(coordinate->bytes, 28);
    assert_int_equal(coordinate->code, 0x201f1e1d);
    assert_int_equal(coordinate->uniforms, 0x24232221);
    assert_int_equal(record.attributes, 3);
    assert_int_equal(record.attribute[2].address, 0x38373635); /* 36 + 2 * 8 */
    assert_int_equal(record.attribute[2].bytes, 0x39 + 1);
    assert_int_equal(record.attribute[2].stride, 0x3a);
    assert_int_equal(record.attribute[2].offset[STAGE_VERTEX], 0x3b);
    assert_int_equal(record.attribute[2].offset[STAGE_COORDINATE], 0x3c);
    assert_int_equal(shader_selected(&record, STAGE_VERTEX), 7); /* 15 arrays are selected, but
                                                                    the record has three */
    assert_int_equal(shader_selected(&record, STAGE_COORDINATE), 3);

    assert_true(read_record(&record, &bus, 132, 0)); /* a count of 0 means 8 arrays */
    assert_int_equal(record.attributes, 8);
    assert_int_equal(record.attribute[7].offset[STAGE_COORDINATE], 100);
    bus_free(&bus);
}

/* An extended record has strides of 26 bits from byte 100 on. The record's count of arrays is
 * ignored. */
TEST(extended_records)
{
    struct bus bus = fresh();
    struct shader_record record;
    assert_true(read_record(&record, &bus, 132, 8 | 2));
    assert_int_equal(record.attributes, 8);
    /* Bytes 108..111 of the record are 0x6d, 0x6e, 0x6f, 0x70. The stride's low byte is byte 41
     * + 2 * 8. */
    assert_int_equal(record.attribute[2].stride, (0x706f6e6d & 0x03ffff00) | 0x3a);
    bus_free(&bus);
}

/* Tests a stride of 300 bytes, whose low byte is in both fields, or only in the plain field. If
 * the low byte is only in the extended field, the low byte is lost. */
TEST(low_bytes_of_extended_strides)
{
    static const struct {
        uint32_t plain, extended, stride;
        bool told;
    } cases[] = {
        {300 & 0xff, 300, 300, false},
        {300 & 0xff, 300 & ~0xff, 300, false},
        {0, 300, 256, true},
        {0, 256, 256, false},
        {16, 0, 16, false},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct bus bus = fresh();
        struct shader_record record;
        memset(at(RECORD), 0, 132);
        *at(RECORD + 14) = 1; /* the vertex shader selects array 0, which has 4 bytes */
        *at(RECORD + 15) = 4;
        *at(RECORD + 40) = 3;
        *at(RECORD + 41) = (uint8_t)cases[i].plain;
        store_le32(at(RECORD + 100), cases[i].extended);
        const struct cl_state state = {.shader_code = CL_GL_SHADER_STATE,
                                       .shader_word = RECORD | 8};
        assert_true(shader_record_read(&record, &state, &bus));
        assert_int_equal(record.attribute[0].stride, cases[i].stride);
        shader_record_check(&record, STAGE_VERTEX, bus.log);
        assert_int_equal(log_of_test.count[FAULT_ATTRIBUTES_STRIDE], cases[i].told);
        assert_int_equal(log_of_test.errors, 0);
        bus_free(&bus);
    }
}

/* A total size is rounded up to whole words. An array of 5 bytes fits a total size of 5, and an
 * array of 256 bytes fits a total size of 255. At least one word is reserved: Broadcom's driver
 * (glxx_hw_4.c, do_vcd_setup) has an array of 1 byte with a total size of 0. */
TEST(total_sizes_are_words)
{
    static const struct {
        uint16_t bytes, total;
        unsigned found;
    } cases[] = {
        /* clang-format off */
        {5,   5,   0},
        {5,   8,   0},
        {5,   4,   1},
        {256, 255, 0},
        {256, 252, 1},
        {1,   0,   0},
        {5,   0,   1},
        /* clang-format on */
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct bus bus = fresh();
        const struct shader_record record = {
            .code = CL_GL_SHADER_STATE,
            .attributes = 1,
            .program = {{.select = 1, .bytes = cases[i].total}},
            .attribute = {{DATA, cases[i].bytes, 4, {0, 0}, 0}},
        };
        shader_record_check(&record, STAGE_VERTEX, bus.log);
        assert_int_equal(log_of_test.count[FAULT_ATTRIBUTES_SIZE], cases[i].found);
        bus_free(&bus);
    }
}

TEST(records_outside_of_memory)
{
    struct bus bus = fresh();
    struct shader_record record;
    struct cl_state state = {.shader_code = CL_GL_SHADER_STATE,
                             .shader_word = (BASE + SIZE - 48) | 1};
    assert_true(shader_record_read(&record, &state, &bus)); /* the record has 44 bytes */
    state.shader_word = (BASE + SIZE - 48) | 2;             /* 52 */
    assert_false(shader_record_read(&record, &state, &bus));
    assert_int_equal(log_of_test.count[FAULT_BUS_UNMAPPED], 1);
    bus_free(&bus);
}

/* The article's picture has three arrays with the attributes [A, B], [C, D, E] and [F]. The
 * first array has a stride of 12, so one word of each vertex is not fetched. */
TEST(three_streams)
{
    struct bus bus = fresh();
    const struct shader_record record = {
        .attributes = 3,
        .program = {{.select = 7, .bytes = 24}, {.select = 4, .bytes = 4}},
        .attribute = {{DATA, 8, 12, {0, 0}, 0},
                      {DATA + 0x100, 12, 12, {8, 0}, 0},
                      {DATA + 0x200, 4, 4, {20, 0}, 0}},
    };
    for (uint32_t i = 0; i < 16; i++) {
        for (uint32_t k = 0; k < 2; k++)
            store_le32(at(DATA + 12 * i + 4 * k), 0x100 * k + i);
        for (uint32_t k = 0; k < 3; k++)
            store_le32(at(DATA + 0x100 + 12 * i + 4 * k), 0x100 * (k + 2) + i);
        store_le32(at(DATA + 0x200 + 4 * i), 0x500 + i);
    }
    static const uint32_t index[] = {3, 0, 15, 7};
    uint32_t row[VCD_ROWS][VCD_BATCH];
    memset(row, 0xee, sizeof row);
    vcd_fetch(row, &record, STAGE_VERTEX, &bus, index, 4);
    assert_int_equal(vcd_filled(&record, STAGE_VERTEX), 0x3f);
    for (uint32_t k = 0; k < 6; k++)
        for (uint32_t i = 0; i < VCD_BATCH; i++)
            assert_int_equal(row[k][i], i < 4 ? 0x100 * k + index[i] : 0);
    assert_int_equal(row[6][0], 0xeeeeeeee);
    vcd_fetch(row, &record, STAGE_COORDINATE, &bus, index, 4);
    assert_int_equal(row[0][2], 0x500 + 15);
    assert_int_equal(row[1][2], 0x100 + 15);
    assert_int_equal(log_of_test.errors, 0);
    bus_free(&bus);
}

/* Attributes whose size is not a multiple of 4 are padded with zeros. With a stride of 0, all
 * vertices read the same data. */
TEST(odd_sizes)
{
    struct bus bus = fresh();
    memcpy(at(DATA), (uint8_t[]){1, 2, 3, 4, 5, 6, 7, 8, 9, 10}, 10);
    const struct shader_record record = {
        .attributes = 2,
        .program = {{.select = 3, .bytes = 16}},
        .attribute = {{DATA, 7, 3, {0, 0}, 0}, {DATA + 1, 1, 0, {8, 0}, 0}},
    };
    static const uint32_t index[] = {0, 1};
    uint32_t row[VCD_ROWS][VCD_BATCH];
    vcd_fetch(row, &record, STAGE_VERTEX, &bus, index, 2);
    assert_int_equal(row[0][0], 0x04030201);
    assert_int_equal(row[1][0], 0x00070605);
    assert_int_equal(row[0][1], 0x07060504);
    assert_int_equal(row[1][1], 0x000a0908);
    assert_true(row[2][0] == 2 && row[2][1] == 2);
    bus_free(&bus);
}

/* The largest array at the largest offset stays within the last row of the VPM. */
TEST(rows_that_are_not_there)
{
    struct bus bus = fresh();
    memset(at(DATA), 0x77, 256);
    const struct shader_record record = {
        .attributes = 1,
        .program = {{.select = 0xff, .bytes = 255}},
        .attribute = {{DATA, 256, 0, {252, 0}, 0}},
    };
    static const uint32_t index[] = {0};
    uint32_t row[VCD_ROWS + 1][VCD_BATCH] = {{0}};
    vcd_fetch(row, &record, STAGE_VERTEX, &bus, index, 1);
    assert_int_equal(row[63][0], 0x77777777);
    assert_int_equal(row[64][0], 0);
    assert_true(vcd_filled(&record, STAGE_VERTEX) == UINT64_C(1) << 63);
    bus_free(&bus);
}
