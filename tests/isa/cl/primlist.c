/* SPDX-License-Identifier: MIT */
/* primlist.c - tests compressed primitive lists. The bytes in the tables were put together by
 * hand from manual tables 39 to 43. Random lists must be the same after writing and reading. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include "../../random.h"
#include "../../register.h"
#include "isa/cl/primlist.h"

enum { POINTS, LINES, TRIANGLES, RHTS };

#define XY(x, y) ((uint32_t)(uint16_t)(x) | (uint32_t)(uint16_t)(y) << 16)

struct step {
    uint32_t vertex[3];
    unsigned coding;
    size_t size;
    uint8_t bytes[PRIMLIST_MAX_ITEM];
};

/* Lists from their first primitive on. The writer must produce the bytes, and the reader the
 * vertices. */
struct list {
    struct primlist_format format;
    struct step step[8]; /* a step of size 0 ends the list */
};

/* clang-format off */
static const struct list lists[] = {
    {{TRIANGLES, 2}, { /* table 39 */
        {{0, 1, 2}, 2, 4, {0x1f, 0x08, 0x00, 0x00}}, /* 15 | 1 << 4 | 2 << 10 */
        {{2, 1, 3}, 0, 1, {0x04}},                   /* shares (2,1), +1 */
        {{2, 3, 4}, 0, 1, {0x05}},                   /* shares (0,2), +1 */
        {{3, 2, 5}, 0, 1, {0x06}},                   /* shares (1,0), +1 */
        {{4, 4, 9}, 1, 2, {0x13, 0x42}},             /* 3 | 1 << 4 | 2 << 8 | 4 << 12 */
        {{1000, 2000, 60000}, 3, 7, {0x81, 0xe8, 0x03, 0xd0, 0x07, 0x60, 0xea}},
    }},
    {{TRIANGLES, 2}, { /* differences at the ends of their ranges */
        {{40, 41, 42}, 2, 4, {0x1f, 0x08, 40, 0}},
        {{42, 41, 11}, 0, 1, {0x84}},              /* -31 = 33 in six bits */
        {{11, 41, 42}, 0, 1, {0x7c}},              /* +31 */
        {{42, 41, 10}, 2, 4, {0xff, 0x83, 42, 0}}, /* -32 is not allowed: -1, -32 from vertex 0 */
        {{34, 48, 2}, 1, 2, {0x83, 0x87}},         /* -8, +7, -8 */
        {{34, 2, 65}, 2, 4, {0x0f, 0x7e, 34, 0}},  /* -32, +31 */
    }},
    {{TRIANGLES, 3}, {
        {{0x123456, 0x123457, 0x123458}, 2, 5, {0x1f, 0x08, 0x56, 0x34, 0x12}},
        {{1, 0x10000, 0xffffff}, 3, 10, {0x81, 1, 0, 0, 0, 0, 1, 0xff, 0xff, 0xff}},
        {{0xffffff, 0x10000, 0xfffffe}, 0, 1, {0xfc}},
    }},
    {{LINES, 2}, { /* table 40 */
        {{5, 6}, 2, 3, {0x06, 5, 0}},
        {{6, 7}, 0, 1, {0x04}},                    /* shares (1), +1 */
        {{6, 9}, 0, 1, {0x09}},                    /* shares (0), +2 */
        {{8, 4}, 1, 2, {0x23, 0x0b}},              /* +2, -5 */
        {{100, 5000}, 3, 5, {0x81, 100, 0, 0x88, 0x13}},
        {{100, 68}, 3, 5, {0x81, 100, 0, 68, 0}},  /* -32 is the branch code */
        {{200, 169}, 2, 3, {0x86, 200, 0}},        /* -31 is the smallest */
    }},
    {{RHTS, 3}, {
        {{0x30201, 0x30200}, 2, 4, {0xfe, 0x01, 0x02, 0x03}},
        {{0, 0x30201}, 3, 7, {0x81, 0, 0, 0, 0x01, 0x02, 0x03}},
    }},
    {{POINTS, 2}, { /* table 41 */
        {{7}, 3, 3, {0x81, 7, 0}},
        {{8}, 0, 1, {0x04}},
        {{108}, 1, 2, {0x93, 0x01}},   /* 3 | 100 << 2 */
        {{76}, 1, 2, {0x83, 0xff}},    /* -32 is a special code */
        {{8267}, 1, 2, {0xff, 0x7f}},  /* +8191 */
        {{75}, 1, 2, {0x03, 0x80}},    /* -8192 */
        {{9000}, 3, 3, {0x81, 0x28, 0x23}},
    }},
    {{POINTS, 3}, {
        {{0xabcdef}, 3, 4, {0x81, 0xef, 0xcd, 0xab}},
    }},
    {{TRIANGLES, 4}, { /* table 42 */
        {{XY(100, 200), XY(101, 198), XY(98, 205)}, 2, 8,
            {0x1f, 0xf0, 0xfb, 0x0b, 100, 0, 200, 0}}, /* +1, -2, -2, +5 */
        {{XY(98, 205), XY(101, 198), XY(101, 201)}, 0, 2, {0x04, 0xf9}}, /* shares (2,1); +3, -4 */
        {{XY(98, 205), XY(101, 201), XY(39, 201)}, 0, 2, {0x85, 0x00}},  /* shares (0,2); -62 */
        {{XY(98, 205), XY(39, 201), XY(-24, 201)}, 1, 3, {0x17, 0x3c, 0x00}}, /* -63 is reserved */
        {{XY(39, 201), XY(98, 205), XY(487, -311)}, 1, 3, {0xfb, 0x1f, 0x80}}, /* +511, -512 */
        {{XY(-1, 1), XY(-2048, 2047), XY(32767, -32768)}, 3, 13,
            {0x81, 0xff, 0xff, 0x01, 0x00, 0x00, 0xf8, 0xff, 0x07, 0xff, 0x7f, 0x00, 0x80}},
    }},
    {{RHTS, 4}, { /* table 43 */
        {{XY(10, 20), XY(13, 16)}, 2, 6, {0x06, 0xf9, 10, 0, 20, 0}},  /* +3, -4 */
        {{XY(13, 16), XY(76, 16)}, 0, 2, {0x7c, 0x01}},                /* shares (1); +63 */
        {{XY(76, 16), XY(176, -84)}, 1, 3, {0x43, 0x06, 0xe7}},        /* shares (1); +100, -100 */
        {{XY(76, 16), XY(177, -84)}, 0, 2, {0x01, 0x01}},              /* shares (0); +1 */
        {{XY(0, 0), XY(-64, 0)}, 3, 9, {0x81, 0, 0, 0, 0, 0xc0, 0xff, 0, 0}}, /* -64 is reserved */
    }},
};
/* clang-format on */

static void check_list(const struct list *list)
{
    unsigned vertices = primlist_vertices(&list->format);
    struct primlist_primitive written = {.valid = false}, read = {.valid = false};
    for (const struct step *step = list->step; step->size != 0; step++) {
        uint8_t out[PRIMLIST_MAX_ITEM];
        assert_int_equal(primlist_write(&list->format, step->vertex, &written, out), step->size);
        assert_memory_equal(out, step->bytes, step->size);

        size_t used;
        unsigned coding;
        int32_t jump;
        assert_int_equal(
            primlist_read(&list->format, step->bytes, step->size, &read, &used, &coding, &jump),
            PRIMLIST_PRIMITIVE);
        assert_int_equal(used, step->size);
        assert_int_equal(coding, step->coding);
        assert_memory_equal(read.vertex, step->vertex, vertices * sizeof(uint32_t));
        assert_memory_equal(&read, &written, sizeof read);
    }
}

TEST(test_bytes_by_hand)
{
    for (size_t i = 0; i < sizeof lists / sizeof lists[0]; i++)
        check_list(&lists[i]);
}

struct reading {
    struct primlist_format format;
    uint8_t bytes[4];
    size_t size;
    enum primlist_item item;
    uint32_t vertex[3]; /* vertices of the primitive read after {10, 20, 30} */
    int32_t jump;
};

/* clang-format off */
static const struct reading readings[] = {
    /* Valid codings that the writer never uses. */
    {{TRIANGLES, 2}, {0x17, 0x42}, 2, PRIMLIST_PRIMITIVE, {11, 22, 34}, 0}, /* bits 3:2 are 1 */
    {{TRIANGLES, 2}, {0x1b, 0x42}, 2, PRIMLIST_PRIMITIVE, {11, 22, 34}, 0}, /* bits 3:2 are 2 */
    {{LINES, 2}, {0x1b, 0xf2}, 2, PRIMLIST_PRIMITIVE, {11, 22}, 0},         /* bits 15:12 unused */
    {{POINTS, 2}, {0x05}, 1, PRIMLIST_PRIMITIVE, {11}, 0},                  /* bits 1:0 are 1 */
    {{RHTS, 4}, {0x1b, 0x00, 0x00}, 3, PRIMLIST_PRIMITIVE, {20, 21}, 0},    /* bits 3:2 are 2 */
    /* Special codes, in all formats. */
    {{TRIANGLES, 2}, {0x80}, 1, PRIMLIST_END, {0}, 0},
    {{LINES, 2}, {0x80}, 1, PRIMLIST_END, {0}, 0},
    {{POINTS, 3}, {0x80}, 1, PRIMLIST_END, {0}, 0},
    {{TRIANGLES, 4}, {0x80}, 1, PRIMLIST_END, {0}, 0},
    {{RHTS, 4}, {0x80}, 1, PRIMLIST_END, {0}, 0},
    {{TRIANGLES, 2}, {0x82, 0x01, 0x00}, 3, PRIMLIST_JUMP, {0}, 32},
    {{LINES, 2}, {0x82, 0xff, 0xff}, 3, PRIMLIST_JUMP, {0}, -32},
    {{POINTS, 2}, {0x82, 0x00, 0x80}, 3, PRIMLIST_JUMP, {0}, -1048576},
    {{RHTS, 4}, {0x82, 0xff, 0x7f}, 3, PRIMLIST_JUMP, {0}, 1048544},
    /* Reserved codes and truncated primitives are rejected. */
    {{POINTS, 2}, {0x06, 0x03}, 2, PRIMLIST_BAD, {0}, 0}, /* coding 2 is not implemented */
    {{LINES, 2}, {0x0f, 0x00}, 2, PRIMLIST_BAD, {0}, 0},
    {{RHTS, 4}, {0x0f, 0x00, 0x00}, 3, PRIMLIST_BAD, {0}, 0},
    {{TRIANGLES, 2}, {0x82, 0x01}, 2, PRIMLIST_BAD, {0}, 0},
    {{TRIANGLES, 2}, {0x13}, 1, PRIMLIST_BAD, {0}, 0},
    {{TRIANGLES, 2}, {0x81, 0, 0}, 3, PRIMLIST_BAD, {0}, 0},
    {{TRIANGLES, 2}, {0}, 0, PRIMLIST_BAD, {0}, 0},
    /* Formats that do not exist are rejected. */
    {{POINTS, 4}, {0x80}, 1, PRIMLIST_BAD, {0}, 0},
    {{LINES, 4}, {0x80}, 1, PRIMLIST_BAD, {0}, 0},
    {{4, 2}, {0x80}, 1, PRIMLIST_BAD, {0}, 0},
    {{TRIANGLES, 1}, {0x80}, 1, PRIMLIST_BAD, {0}, 0},
    {{TRIANGLES, 5}, {0x80}, 1, PRIMLIST_BAD, {0}, 0},
};
/* clang-format on */

TEST(test_reader_by_hand)
{
    for (size_t i = 0; i < sizeof readings / sizeof readings[0]; i++) {
        const struct reading *row = &readings[i];
        struct primlist_primitive previous = {{10, 20, 30}, true};
        size_t used;
        unsigned coding;
        int32_t jump = 0;
        uint8_t bytes[4];
        memcpy(bytes, row->bytes, sizeof bytes);
        assert_int_equal(
            primlist_read(&row->format, bytes, row->size, &previous, &used, &coding, &jump),
            row->item);
        assert_int_equal(used, row->item == PRIMLIST_BAD ? 0 : row->size);
        assert_int_equal(jump, row->jump);
        if (row->item == PRIMLIST_PRIMITIVE)
            assert_memory_equal(previous.vertex, row->vertex,
                                primlist_vertices(&row->format) * sizeof(uint32_t));
    }
}

/* A relative coding needs a previous primitive, so it is invalid at the start of a list. */
TEST(test_relative_needs_a_previous_primitive)
{
    const struct primlist_format format = {TRIANGLES, 2};
    static const uint8_t relative[][2] = {{0x04}, {0x13, 0x42}};
    for (size_t i = 0; i < 2; i++) {
        struct primlist_primitive none = {.valid = false};
        size_t used;
        unsigned coding;
        int32_t jump;
        assert_int_equal(primlist_read(&format, relative[i], 2, &none, &used, &coding, &jump),
                         PRIMLIST_BAD);
    }
}

TEST(test_writer_refuses_missing_formats)
{
    const struct primlist_format missing[] = {{POINTS, 4}, {LINES, 4}, {7, 2}, {TRIANGLES, 0}};
    const uint32_t vertex[3] = {1, 2, 3};
    for (size_t i = 0; i < 4; i++) {
        struct primlist_primitive previous = {.valid = false};
        uint8_t out[PRIMLIST_MAX_ITEM];
        assert_int_equal(primlist_write(&missing[i], vertex, &previous, out), 0);
    }
}

/* Returns a vertex at a random distance from one of the vertices of the previous primitive. One
 * index in 16 is entirely random. */
static uint32_t random_vertex(uint32_t *seed, const struct primlist_format *format,
                              const uint32_t previous[3])
{
    uint32_t from = previous[next_random(seed) % 3];
    uint32_t range = UINT32_C(1) << next_random(seed) % 15;
    uint32_t step = next_random(seed) % range - range / 2;
    if (format->index_bytes == 4)
        return XY((from & 0xffff) + step, (from >> 16) + next_random(seed) % range - range / 2);
    uint32_t mask = format->index_bytes == 2 ? 0xffff : 0xffffff;
    uint32_t value = next_random(seed) % 16 == 0 ? next_random(seed) : from + step;
    return value & mask;
}

static void check_random(const struct primlist_format *format, uint32_t seed)
{
    unsigned seen = 0;
    struct primlist_primitive written = {.valid = false}, read = {.valid = false};
    for (int i = 0; i < 4000; i++) {
        uint32_t vertex[3] = {0};
        uint8_t out[PRIMLIST_MAX_ITEM];
        for (unsigned k = 0; k < primlist_vertices(format); k++)
            vertex[k] = next_random(&seed) % 3 ? written.vertex[next_random(&seed) % 3]
                                               : random_vertex(&seed, format, written.vertex);
        size_t size = primlist_write(format, vertex, &written, out);
        assert_in_range(size, 1, PRIMLIST_MAX_ITEM);

        size_t used;
        unsigned coding;
        int32_t jump;
        struct primlist_primitive before = read;
        assert_int_equal(primlist_read(format, out, size, &read, &used, &coding, &jump),
                         PRIMLIST_PRIMITIVE);
        assert_int_equal(used, size);
        assert_memory_equal(read.vertex, vertex, sizeof vertex);
        assert_memory_equal(&read, &written, sizeof read);
        assert_int_equal(primlist_read(format, out, size - 1, &before, &used, &coding, &jump),
                         PRIMLIST_BAD);
        seen |= 1u << coding;
    }
    assert_int_equal(seen, format->type == POINTS ? 0xb : 0xf); /* every coding must have
                                                                   occurred */
}

TEST(test_random_sequences)
{
    const struct primlist_format formats[] = {
        /* clang-format off */
        /* clang-format off */
        {POINTS,    2},
        {POINTS,    3},
        {LINES,     2},
        {LINES,     3},
        {RHTS,      2},
        {RHTS,      3},
        {TRIANGLES, 2},
        {TRIANGLES, 3},
        {TRIANGLES, 4},
        {RHTS,      4},
        /* clang-format on */
        /* clang-format on */
    };
    for (uint32_t i = 0; i < sizeof formats / sizeof formats[0]; i++)
        check_random(&formats[i], i + 1);
}

/* Random bytes must be read or rejected. No byte after their end may be read. */
TEST(test_random_bytes)
{
    uint32_t seed = 4;
    for (int i = 0; i < 20000; i++) {
        struct primlist_format format = {(uint8_t)(next_random(&seed) % 5),
                                         (uint8_t)(next_random(&seed) % 6)};
        uint8_t bytes[PRIMLIST_MAX_ITEM];
        size_t size = next_random(&seed) % PRIMLIST_MAX_ITEM, used;
        uint8_t *end = bytes + sizeof bytes - size;
        for (size_t k = 0; k < size; k++)
            end[k] = (uint8_t)next_random(&seed);
        struct primlist_primitive previous = {{1, 2, 3}, next_random(&seed) & 1};
        unsigned coding;
        int32_t jump;
        enum primlist_item item = primlist_read(&format, end, size, &previous, &used, &coding,
                                                &jump);
        assert_true(used <= size && (used == 0) == (item == PRIMLIST_BAD));
    }
}
