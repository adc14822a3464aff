/* SPDX-License-Identifier: MIT */
/* Tests of the binner's tile lists. The walker in this file reads the lists back with the record
 * table and the list codec, which have separate tests against the manual. Expected tiles and
 * bytes are worked out by hand. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "../../random.h"
#include "../../register.h"
#include "base/bits.h"
#include "isa/cl/cl.h"
#include "isa/cl/primlist.h"
#include "vc4/bin/ptb.h"
#include "vc4/raster/clip.h"

enum {
    STATES = 0x100000, /* address of the tile state data array */
    ALLOCATION = 0x140000,
    SPILL = 0x180000,
    MEMORY = 0x100000, /* size in bytes of the memory from STATES */
    FAR = 0x900000,    /* too far for a relative branch */
    FAR_MEMORY = 0x10000,
    SHADER = 0x2000,
    AUTO = 4, /* bits of record 112's flags */
    MULTISAMPLE = 1,
    COLOR_64BIT = 2,
    DOUBLE_BUFFER = 0x80,
    BOTH_FACES = 3,
    MAX_SEEN = 4096,
};

/* --- machine --- */

struct machine {
    struct bus bus;
    struct fault_log log;
    struct ptb ptb;
    struct ptb_ports ports;
    struct cl_state state;
    struct shader_record record;
};

static void create(struct machine *m)
{
    memset(m, 0, sizeof *m);
    m->bus.log = &m->log;
    m->ports = (struct ptb_ports){.bus = &m->bus, .log = &m->log};
    ptb_reset(&m->ptb);
    assert_int_equal(bus_map(&m->bus, STATES, MEMORY, NULL), TESS_OK);
    assert_int_equal(bus_map(&m->bus, FAR, FAR_MEMORY, NULL), TESS_OK);
    memset(bus_peek(&m->bus, STATES, MEMORY), 0xee, MEMORY); /* newly mapped memory is not zero */
    m->state = (struct cl_state){
        .shader_code = CL_NV_SHADER_STATE,
        .shader_word = SHADER,
        .configuration = BOTH_FACES,
        .point_size = 1,
        .line_width = 1,
        .clip_width = 2048,
        .clip_height = 2048,
    };
    m->record.code = CL_NV_SHADER_STATE;
}

static void destroy(struct machine *m)
{
    bus_free(&m->bus);
}

static enum ptb_result configure(struct machine *m, uint32_t size, uint8_t columns, uint8_t rows,
                                 uint8_t flags)
{
    uint8_t data[15];
    store_le32(data, ALLOCATION);
    store_le32(data + 4, size);
    store_le32(data + 8, STATES);
    data[12] = columns;
    data[13] = rows;
    data[14] = flags;
    return ptb_configure(&m->ptb, &m->ports, data);
}

static void begin(struct machine *m, uint32_t size, uint8_t columns, uint8_t rows, uint8_t flags)
{
    create(m);
    assert_int_equal(configure(m, size, columns, rows, flags), PTB_DONE);
    assert_int_equal(ptb_start(&m->ptb, &m->ports), PTB_DONE);
}

/* Returns a vertex at a position in pixels. */
static struct vertex pixel(double x, double y)
{
    return (struct vertex){
        .x = (int32_t)(x * 16), .y = (int32_t)(y * 16), .z = 0.5f, .inv_w = 1, .point_size = 1};
}

static enum ptb_result draw(struct machine *m, enum primitive_type type, const struct vertex *v,
                            uint32_t i0, uint32_t i1, uint32_t i2)
{
    const uint32_t index[3] = {i0, i1, i2};
    const struct vertex *vertex[3] = {v, NULL, NULL};
    for (unsigned k = 1; k < 3 && k <= type; k++)
        vertex[k] = v + k;
    return ptb_primitive(&m->ptb, &m->ports, &m->state, &m->record, type, index, vertex);
}

static enum ptb_result triangle(struct machine *m, const struct vertex v[3], uint32_t first)
{
    return draw(m, PRIMITIVE_TRIANGLE, v, first, first + 1, first + 2);
}

static void flush(struct machine *m)
{
    assert_int_equal(ptb_flush(&m->ptb, &m->ports, &m->state, false), PTB_DONE);
}

/* --- walker --- */

struct seen {
    uint8_t format; /* format field of record 56 */
    uint32_t vertex[3];
    uint32_t clipped;                                       /* word of record 49; 0 if there is
                                                               none */
    uint32_t shader, configuration, point_size, line_width; /* first words of state records; 0 if
                                                               the list lacks the record */
};

struct walk {
    struct machine *m;
    uint32_t address;
    bool ended;
    uint32_t count, branches, jumps;
    struct seen seen[MAX_SEEN];
    uint8_t code[MAX_SEEN]; /* ids of records in order, without branches */
    uint32_t codes;
    uint32_t value[256]; /* first data word of the latest record of each id */
    uint8_t format;
    bool shader_wanted; /* true after record 56, until a shader state record follows */
};

static const uint8_t *walk_bytes(struct walk *walk, uint32_t *available)
{
    const uint8_t *bytes = bus_span(&walk->m->bus, walk->address, available);
    assert_non_null(bytes);
    return bytes;
}

static void walk_primitive(struct walk *walk, const struct primlist_primitive *primitive,
                           uint32_t clipped)
{
    assert_true(walk->count < MAX_SEEN);
    assert_false(walk->shader_wanted);
    struct seen *seen = &walk->seen[walk->count++];
    *seen = (struct seen){.format = walk->format,
                          .clipped = clipped,
                          .shader = walk->value[65],
                          .configuration = walk->value[96],
                          .point_size = walk->value[98],
                          .line_width = walk->value[99]};
    memcpy(seen->vertex, primitive->vertex, sizeof seen->vertex);
}

static void walk_list(struct walk *walk, uint32_t clipped)
{
    const struct primlist_format format = {walk->format & 15, 2};
    struct primlist_primitive previous = {.valid = false};
    assert_int_equal(walk->format >> 4, 1);
    for (;;) {
        uint32_t available;
        const uint8_t *bytes = walk_bytes(walk, &available);
        size_t used;
        unsigned coding;
        int32_t jump;
        enum primlist_item item = primlist_read(&format, bytes, available, &previous, &used,
                                                &coding, &jump);
        assert_int_not_equal(item, PRIMLIST_BAD);
        uint32_t base = walk->address & ~31u;
        walk->address += (uint32_t)used;
        if (item == PRIMLIST_END)
            return;
        if (item == PRIMLIST_JUMP) {
            walk->address = base + (uint32_t)jump;
            walk->jumps++;
            continue;
        }
        walk_primitive(walk, &previous, clipped);
        clipped = 0;
    }
}

static void walk_record(struct walk *walk)
{
    uint32_t available;
    const uint8_t *bytes = walk_bytes(walk, &available);
    const struct cl_packet *packet = cl_packet(bytes[0]);
    assert_non_null(packet);
    assert_true(packet->lists != CL_BIN && available >= packet->bytes);
    uint32_t word = 0;
    for (unsigned i = 1; i < packet->bytes && i < 5; i++)
        word |= (uint32_t)bytes[i] << 8 * (i - 1);
    walk->address += packet->bytes;
    if (packet->code == CL_BRANCH) {
        walk->branches++;
        walk->address = word;
        return;
    }
    assert_true(walk->codes < MAX_SEEN);
    walk->code[walk->codes++] = packet->code;
    walk->value[packet->code] = word;
    if (packet->code == CL_RETURN_FROM_SUB_LIST)
        walk->ended = true;
    if (packet->code == CL_PRIMITIVE_LIST_FORMAT) {
        walk->format = (uint8_t)word;
        walk->shader_wanted = true;
    }
    if (packet->code >= CL_GL_SHADER_STATE && packet->code <= CL_VG_INLINE_SHADER_RECORD)
        walk->shader_wanted = false;
    if (packet->code == CL_COMPRESSED_PRIMITIVE_LIST || packet->code == CL_CLIPPED_PRIMITIVE_LIST)
        walk_list(walk, packet->code == CL_CLIPPED_PRIMITIVE_LIST ? word : 0);
}

/* Reads the list of a tile in the order in which the renderer follows it. The caller frees the
 * result. */
static struct walk *walk_tile(struct machine *m, uint32_t column, uint32_t row)
{
    struct walk *walk = calloc(1, sizeof *walk);
    assert_non_null(walk);
    walk->m = m;
    uint32_t tile = row * m->ptb.tiles_x + column;
    walk->address = ALLOCATION + tile * m->ptb.initial_block;
    while (!walk->ended)
        walk_record(walk);
    return walk;
}

static uint32_t primitives_in(struct machine *m, uint32_t column, uint32_t row)
{
    struct walk *walk = walk_tile(m, column, row);
    uint32_t count = walk->count;
    free(walk);
    return count;
}

/* Compares the number of primitives in each tile with a string of digits '0' to '9', the top row
 * of tiles first. */
static void check_tiles(struct machine *m, const char *expected)
{
    for (uint32_t i = 0; i < m->ptb.tiles_x * m->ptb.tiles_y; i++)
        assert_int_equal('0' + primitives_in(m, i % m->ptb.tiles_x, i / m->ptb.tiles_x),
                         expected[i]);
}

/* --- binning --- */

/* A right triangle with legs of two tiles: the hypotenuse passes through the corner of tile (1,
 * 1). */
TEST(test_one_triangle_over_tiles)
{
    struct machine m;
    begin(&m, 0x10000, 3, 3, AUTO);
    ptb_state_changed(&m.ptb, &m.ports, CL_NV_SHADER_STATE);
    ptb_state_changed(&m.ptb, &m.ports, CL_CONFIGURATION_BITS);
    const struct vertex v[3] = {pixel(0, 0), pixel(128, 0), pixel(0, 128)};
    assert_int_equal(triangle(&m, v, 7), PTB_DONE);
    flush(&m);
    check_tiles(&m, "110"
                    "100"
                    "000");
    assert_int_equal(m.ptb.primitives, 1);

    static const uint8_t list[] = {56,   0x12, 65, 0x00, 0x20, 0x00, 0x00, 96,   0x03,
                                   0x00, 0x00, 48, 0x1f, 0x08, 0x07, 0x00, 0x80, 18};
    assert_memory_equal(bus_peek(&m.bus, ALLOCATION, 32), list, sizeof list);
    static const uint8_t untouched[] = {18};
    assert_memory_equal(bus_peek(&m.bus, ALLOCATION + 8 * 32, 32), untouched, 1);
    destroy(&m);
}

/* Culling as in the NV demo: y grows downwards, clockwise triangles face forward, and reverse
 * triangles are culled. */
TEST(test_facing)
{
    static const struct {
        uint32_t configuration;
        bool swap, drawn;
    } rows[] = {
        /* clang-format off */
        {5, false, true},
        {5, true,  false},
        {6, false, false},
        {6, true,  true},
        {1, false, false},
        {1, true,  true},
        {0, false, false},
        {3, true,  true},
        /* clang-format on */
    };
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        struct machine m;
        begin(&m, 0x10000, 10, 8, AUTO);
        m.state.configuration = rows[i].configuration;
        m.state.viewport_x = 320 * 16;
        m.state.viewport_y = 240 * 16;
        m.state.clip_width = 640;
        m.state.clip_height = 480;
        struct vertex a = {.x = 0, .y = -3193}, b = {.x = -3195, .y = 3193},
                      c = {.x = 3195, .y = 3193};
        const struct vertex v[3] = {a, rows[i].swap ? c : b, rows[i].swap ? b : c};
        assert_int_equal(triangle(&m, v, 0), PTB_DONE);
        flush(&m);
        assert_int_equal(primitives_in(&m, 5, 3), rows[i].drawn);
        assert_int_equal(primitives_in(&m, 0, 0), 0); /* outside of the triangle's hypotenuse */
        destroy(&m);
    }
}

TEST(test_what_is_dropped)
{
    struct machine m;
    begin(&m, 0x10000, 2, 2, AUTO);
    m.state.clip_left = 64;
    m.state.clip_width = 64;
    m.state.clip_height = 64; /* limits the clip window to tile (1, 0) */
    const struct vertex none[3] = {pixel(70, 10), pixel(80, 20), pixel(90, 30)};
    assert_int_equal(triangle(&m, none, 0), PTB_DONE); /* the triangle has no area */
    const struct vertex left[3] = {pixel(1, 1), pixel(63, 1), pixel(1, 63)};
    assert_int_equal(triangle(&m, left, 0), PTB_DONE); /* outside of the clip window */
    const struct vertex all[3] = {pixel(-100, -100), pixel(400, -100), pixel(-100, 400)};
    assert_int_equal(triangle(&m, all, 0), PTB_DONE);
    const struct vertex far[3] = {pixel(500, 0), pixel(600, 0), pixel(500, 90)};
    assert_int_equal(triangle(&m, far, 0), PTB_DONE); /* outside of the frame's tiles */
    flush(&m);
    check_tiles(&m, "01"
                    "00");
    assert_int_equal(m.ptb.primitives, 1);
    assert_int_equal(m.log.errors, 0);
    destroy(&m);
}

/* Erratum HW-2726: points smaller than 1/8 pixel cause a finding, and are drawn with size 1/8. */
TEST(test_points)
{
    struct machine m;
    begin(&m, 0x10000, 3, 3, AUTO);
    struct vertex point = pixel(96, 60);
    point.point_size = 8; /* covers 92..100 by 56..64, so ends at the border of row 1 */
    assert_int_equal(draw(&m, PRIMITIVE_POINT, &point, 1, 0, 0), PTB_DONE);
    point.point_size = 9; /* extends to y = 64.5, into row 1 */
    assert_int_equal(draw(&m, PRIMITIVE_POINT, &point, 2, 0, 0), PTB_DONE);
    point = pixel(32, 160);
    point.point_size = 0;
    assert_int_equal(draw(&m, PRIMITIVE_POINT, &point, 3, 0, 0), PTB_DONE);
    assert_int_equal(m.log.count[FAULT_PTB_POINT_SIZE], 1);
    point.point_size = NAN;
    assert_int_equal(draw(&m, PRIMITIVE_POINT, &point, 4, 0, 0), PTB_DONE);
    assert_int_equal(m.log.count[FAULT_PTB_POINT_SIZE], 2);
    flush(&m);
    check_tiles(&m, "020"
                    "010"
                    "200");
    struct walk *walk = walk_tile(&m, 1, 0);
    assert_int_equal(walk->seen[0].format, 0x10);
    assert_int_equal(walk->seen[0].vertex[0], 1);
    assert_int_equal(walk->seen[1].vertex[0], 2);
    free(walk);

    /* A point of size 10000 is limited to 512. Its centre is at x = 192 + 257, so it does not
     * reach tile column 2, which ends at 192. */
    point = pixel(192 + 257, 32);
    point.point_size = 10000;
    assert_int_equal(draw(&m, PRIMITIVE_POINT, &point, 5, 0, 0), PTB_DONE);
    flush(&m);
    assert_int_equal(primitives_in(&m, 2, 0), 0);
    destroy(&m);
}

TEST(test_lines)
{
    struct machine m;
    begin(&m, 0x10000, 3, 3, AUTO);
    m.state.line_width = 4;
    const struct vertex flat[2] = {pixel(10, 62), pixel(150, 62)}; /* covers rows 60..64 */
    assert_int_equal(draw(&m, PRIMITIVE_LINE, flat, 1, 2, 0), PTB_DONE);
    m.state.line_width = 6; /* covers rows 59..65 */
    assert_int_equal(draw(&m, PRIMITIVE_LINE, flat, 3, 4, 0), PTB_DONE);
    m.state.line_width = 100; /* the width is limited to 32: columns 134..166, not 200 */
    const struct vertex steep[2] = {pixel(150, 130), pixel(150, 190)};
    assert_int_equal(draw(&m, PRIMITIVE_LINE, steep, 5, 6, 0), PTB_DONE);
    m.state.line_width = NAN;
    assert_int_equal(draw(&m, PRIMITIVE_LINE, steep, 7, 8, 0), PTB_DONE);
    flush(&m);
    check_tiles(&m, "222"
                    "111"
                    "001");
    struct walk *walk = walk_tile(&m, 0, 0);
    assert_int_equal(walk->seen[1].format, 0x11);
    assert_int_equal(walk->seen[1].vertex[0], 3);
    assert_int_equal(walk->seen[1].vertex[1], 4);
    free(walk);
    destroy(&m);
}

/* A thin diagonal triangle is listed only in the tiles that it touches, not in all tiles of its
 * bounding box. */
TEST(test_thin_diagonal)
{
    struct machine m;
    begin(&m, 0x10000, 3, 3, AUTO);
    const struct vertex v[3] = {pixel(2, 0), pixel(192, 190), pixel(0, 2)};
    assert_int_equal(triangle(&m, v, 0), PTB_DONE);
    flush(&m);
    check_tiles(&m, "110" /* the hypotenuse x - y = 2 enters tile (1, 0) */
                    "111"
                    "001");
    destroy(&m);
}

static int64_t side(const struct vertex *a, const struct vertex *b, int32_t x, int32_t y)
{
    return (int64_t)(b->x - a->x) * (y - a->y) - (int64_t)(b->y - a->y) * (x - a->x);
}

/* Returns true if a pixel centre inside a 32-pixel tile is in the triangle, edges included.
 * Tests every pixel of the tile. */
static bool covers_tile(const struct vertex v[3], int32_t left, int32_t bottom)
{
    for (int32_t y = bottom * 16 + 8; y < (bottom + 32) * 16; y += 16)
        for (int32_t x = left * 16 + 8; x < (left + 32) * 16; x += 16) {
            int64_t a = side(&v[0], &v[1], x, y), b = side(&v[1], &v[2], x, y);
            int64_t c = side(&v[2], &v[0], x, y);
            if ((a >= 0 && b >= 0 && c >= 0) || (a <= 0 && b <= 0 && c <= 0))
                return true;
        }
    return false;
}

TEST(test_no_covered_tile_is_missed)
{
    uint32_t seed = 11;
    for (int n = 0; n < 300; n++) {
        struct machine m;
        begin(&m, 0x10000, 4, 4, AUTO | MULTISAMPLE);
        struct vertex v[3];
        uint32_t range = 16u << next_random(&seed) % 8;
        int32_t x = (int32_t)(next_random(&seed) % 2048), y = (int32_t)(next_random(&seed) % 2048);
        for (unsigned k = 0; k < 3; k++)
            v[k] = (struct vertex){.x = x + (int32_t)(next_random(&seed) % range),
                                   .y = y + (int32_t)(next_random(&seed) % range)};
        bool area = side(&v[0], &v[1], v[2].x, v[2].y) != 0;
        assert_int_equal(triangle(&m, v, 0), PTB_DONE);
        flush(&m);
        for (uint32_t i = 0; area && i < 16; i++)
            if (covers_tile(v, (int32_t)(i % 4) * 32, (int32_t)(i / 4) * 32))
                assert_int_equal(primitives_in(&m, i % 4, i / 4), 1);
        destroy(&m);
    }
}

/* The flags of record 112 select the tile size. The tile buffer holds 4096 samples of 32 bits. */
TEST(test_tile_sizes)
{
    static const struct {
        uint8_t flags;
        uint32_t width, height;
    } rows[] = {
        {0, 64, 64},
        {MULTISAMPLE, 32, 32},
        {COLOR_64BIT, 64, 32},
        {MULTISAMPLE | COLOR_64BIT, 32, 16},
        {DOUBLE_BUFFER, 64, 32},
        {DOUBLE_BUFFER | COLOR_64BIT, 32, 32},
    };
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        struct machine m;
        begin(&m, 0x10000, 2, 2, AUTO | rows[i].flags);
        assert_int_equal(m.ptb.tile_width, rows[i].width);
        assert_int_equal(m.ptb.tile_height, rows[i].height);
        destroy(&m);
    }
}

/* --- lists --- */

static const struct vertex small[3] = {
    /* clang-format off */
    {.x = 160, .y = 160},
    {.x = 320, .y = 160},
    {.x = 160, .y = 320},
    /* clang-format on */
};

/* Each further triangle of a strip needs one byte (manual table 39, coding 0). */
TEST(test_strip_is_compact)
{
    struct machine m;
    begin(&m, 0x10000, 1, 1, AUTO);
    assert_int_equal(draw(&m, PRIMITIVE_TRIANGLE, small, 0, 1, 2), PTB_DONE);
    assert_int_equal(draw(&m, PRIMITIVE_TRIANGLE, small, 2, 1, 3), PTB_DONE);
    assert_int_equal(draw(&m, PRIMITIVE_TRIANGLE, small, 2, 3, 4), PTB_DONE);
    assert_int_equal(draw(&m, PRIMITIVE_TRIANGLE, small, 4, 3, 5), PTB_DONE);
    flush(&m);
    static const uint8_t list[] = {56,   0x12, 65, 0x00, 0x20, 0x00, 0x00, 48, 0x1f,
                                   0x08, 0,    0,  0x04, 0x05, 0x04, 0x80, 18};
    assert_memory_equal(bus_peek(&m.bus, ALLOCATION, 32), list, sizeof list);
    destroy(&m);
}

TEST(test_state_before_start_is_prefix)
{
    struct machine m;
    create(&m);
    assert_int_equal(configure(&m, 0x10000, 1, 1, AUTO), PTB_DONE);
    ptb_state_changed(&m.ptb, &m.ports, CL_CONFIGURATION_BITS);
    ptb_state_changed(&m.ptb, &m.ports, CL_VIEWPORT_OFFSET);
    assert_int_equal(ptb_start(&m.ptb, &m.ports), PTB_DONE);
    ptb_state_changed(&m.ptb, &m.ports, CL_CLIP_WINDOW);
    ptb_state_changed(&m.ptb, &m.ports, CL_POINT_SIZE);
    ptb_state_changed(&m.ptb, &m.ports,
                      CL_CLIPPER_XY_SCALING); /* this record is not copied, because the
                                                         renderer does not use it */
    assert_int_equal(triangle(&m, small, 0), PTB_DONE);
    flush(&m);
    struct walk *walk = walk_tile(&m, 0, 0);
    static const uint8_t codes[] = {56, 65, 102, 48, 18};
    assert_int_equal(walk->codes, sizeof codes);
    assert_memory_equal(walk->code, codes, sizeof codes);
    free(walk);
    destroy(&m);
}

/* Each primitive is listed with the state at the time of its draw. A tile's list has only the
 * state records that its primitives need. */
TEST(test_state_changes)
{
    struct machine m;
    begin(&m, 0x10000, 2, 1, AUTO);
    const struct vertex *v = small;
    const struct vertex right[3] = {pixel(74, 10), pixel(84, 10), pixel(74, 20)};
    ptb_state_changed(&m.ptb, &m.ports, CL_NV_SHADER_STATE);
    ptb_state_changed(&m.ptb, &m.ports, CL_CONFIGURATION_BITS);
    assert_int_equal(triangle(&m, v, 0), PTB_DONE);
    m.state.configuration = 0x8003;
    ptb_state_changed(&m.ptb, &m.ports, CL_CONFIGURATION_BITS);
    m.state.point_size = 2;
    ptb_state_changed(&m.ptb, &m.ports, CL_POINT_SIZE);
    assert_int_equal(triangle(&m, v, 3), PTB_DONE);
    assert_int_equal(draw(&m, PRIMITIVE_POINT, v, 6, 0, 0), PTB_DONE);
    m.state.shader_word = 0x3000;
    ptb_state_changed(&m.ptb, &m.ports, CL_NV_SHADER_STATE);
    assert_int_equal(draw(&m, PRIMITIVE_POINT, v, 7, 0, 0), PTB_DONE);
    assert_int_equal(triangle(&m, right, 8), PTB_DONE);
    flush(&m);

    struct walk *walk = walk_tile(&m, 0, 0);
    static const uint8_t codes[] = {56, 65, 96, 48, 96, 48, 56, 65, 98, 48, 65, 48, 18};
    assert_int_equal(walk->codes, sizeof codes);
    assert_memory_equal(walk->code, codes, sizeof codes);
    static const struct {
        uint8_t format;
        uint32_t first, shader, configuration, point_size;
    } expected[] = {
        {0x12, 0, 0x2000, 3, 0},
        {0x12, 3, 0x2000, 0x8003, 0},
        {0x10, 6, 0x2000, 0x8003, 0x40000000},
        {0x10, 7, 0x3000, 0x8003, 0x40000000},
    };
    assert_int_equal(walk->count, 4);
    for (uint32_t i = 0; i < walk->count; i++) {
        assert_int_equal(walk->seen[i].format, expected[i].format);
        assert_int_equal(walk->seen[i].vertex[0], expected[i].first);
        assert_int_equal(walk->seen[i].shader, expected[i].shader);
        assert_int_equal(walk->seen[i].configuration, expected[i].configuration);
        assert_int_equal(walk->seen[i].point_size, expected[i].point_size);
    }
    free(walk);

    walk = walk_tile(&m, 1, 0);
    static const uint8_t right_codes[] = {56, 65, 96, 48, 18};
    assert_int_equal(walk->codes, sizeof right_codes);
    assert_memory_equal(walk->code, right_codes, sizeof right_codes);
    assert_int_equal(walk->seen[0].shader, 0x3000);
    free(walk);
    destroy(&m);
}

/* After Flush All State, every list has every state record, in the layout of manual table 38.
 * Each value is worked out by hand. */
TEST(test_flush_all_state)
{
    struct machine m;
    begin(&m, 0x10000, 1, 1, AUTO | 3 << 3);
    m.state = (struct cl_state){.shader_code = CL_GL_SHADER_STATE,
                                .shader_word = 0x12345672,
                                .configuration = 0x030201,
                                .flat_shade = 0x0a0b0c0d,
                                .point_size = 1,
                                .line_width = 2,
                                .rht_x = -2,
                                .depth_offset = 0x3f804000,
                                .clip_left = 1,
                                .clip_bottom = 2,
                                .clip_width = 0x300,
                                .clip_height = 0x400,
                                .viewport_x = -1,
                                .viewport_y = 0x102,
                                .z_min = 0,
                                .z_max = 1};
    static const uint8_t codes[] = {64, 96, 97, 98, 99, 100, 101, 102, 103, 104};
    for (size_t i = 0; i < sizeof codes; i++)
        ptb_state_changed(&m.ptb, &m.ports, codes[i]);
    assert_int_equal(ptb_flush(&m.ptb, &m.ports, &m.state, true), PTB_DONE);
    static const uint8_t list[] = {
        64,   0x72, 0x56, 0x34, 0x12, 96, 1, 2, 3, 97,   0x0d, 0x0c, 0x0b, 0x0a,
        98,   0,    0,    0x80, 0x3f, 99, 0, 0, 0, 0x40, 100,  0xfe, 0xff, 101,
        0,    0x40, 0x80, 0x3f, 102,  1,  0, 2, 0, 0,    3,    0,    4,    103,
        0xff, 0xff, 2,    1,    104,  0,  0, 0, 0, 0,    0,    0x80, 0x3f, 18};
    assert_memory_equal(bus_peek(&m.bus, ALLOCATION, sizeof list), list, sizeof list);
    destroy(&m);
}

/* Draws more primitives than fit into a block, for every pair of block sizes. The indices jump,
 * so that the codings alternate. */
TEST(test_chains_of_blocks)
{
    for (uint8_t sizes = 0; sizes < 16; sizes++) {
        struct machine m;
        begin(&m, 0x10000, 1, 1, (uint8_t)(AUTO | sizes << 3));
        assert_int_equal(m.ptb.initial_block, 32u << (sizes & 3));
        assert_int_equal(m.ptb.block, 32u << (sizes >> 2));
        uint32_t seed = sizes + 1u, first[600];
        for (uint32_t i = 0; i < 600; i++) {
            first[i] = i % 3 ? first[i - 1] + next_random(&seed) % 9 : next_random(&seed) % 60000;
            assert_int_equal(triangle(&m, small, first[i]), PTB_DONE);
            if (i % 50 == 0)
                ptb_state_changed(&m.ptb, &m.ports, CL_CONFIGURATION_BITS);
        }
        flush(&m);
        struct walk *walk = walk_tile(&m, 0, 0);
        assert_int_equal(walk->count, 600);
        for (uint32_t i = 0; i < 600; i++)
            assert_int_equal(walk->seen[i].vertex[1], first[i] + 1);
        assert_true(walk->jumps > 0);
        free(walk);
        destroy(&m);
    }
}

/* --- memory --- */

TEST(test_pool)
{
    struct machine m;
    begin(&m, 0x2000, 10, 8, AUTO); /* the size that a public demo uses; 2560 bytes of first
                                       blocks */
    assert_int_equal(m.ptb.pool_address, ALLOCATION + 0xa00);
    assert_int_equal(m.ptb.pool_left, 0x1600);
    for (uint32_t i = 0; i < 40; i++)
        assert_int_equal(triangle(&m, small, i * 100), PTB_DONE);
    assert_int_equal(m.ptb.pool_address, ALLOCATION + 0xa00 + 0x1000); /* the remaining pool is
                                                                          one granule */
    assert_int_equal(m.ptb.pool_left, 0x600);
    flush(&m);
    assert_int_equal(primitives_in(&m, 0, 0), 40);
    destroy(&m);

    begin(&m, 0x1000, 10, 8, AUTO); /* the pool has less than a second granule left */
    assert_int_equal(m.ptb.pool_left, 0x600);
    for (uint32_t i = 0; i < 40; i++)
        assert_int_equal(triangle(&m, small, i * 100), PTB_DONE);
    assert_int_equal(m.ptb.pool_left % 256, 0); /* the rest is used in pieces of 256 bytes */
    assert_in_range(m.ptb.pool_left, 0x100, 0x500);
    flush(&m);
    assert_int_equal(primitives_in(&m, 0, 0), 40);
    destroy(&m);
}

static void arm(struct machine *m, uint32_t address, uint32_t size)
{
    m->ptb.overspill_address = address;
    ptb_overspill(&m->ptb, size);
}

/* Draws over four tiles with a pool that runs out of memory in the middle of primitives. Answers
 * every stall with `size` bytes. Returns the number of stalls. */
static uint32_t draw_starved(struct machine *m, uint32_t spill, uint32_t size)
{
    const struct vertex v[3] = {pixel(1, 1), pixel(127, 1), pixel(1, 127)};
    const struct vertex w[3] = {pixel(127, 127), pixel(127, 1), pixel(1, 127)};
    uint32_t stalls = 0;
    for (uint32_t i = 0; i < 200; i++) {
        if (i % 20 == 0)
            ptb_state_changed(&m->ptb, &m->ports, CL_CLIP_WINDOW);
        for (;;) {
            enum ptb_result result = triangle(m, i % 2 ? v : w, 300 * i);
            assert_int_equal(result == PTB_STALLED, m->ptb.out_of_memory);
            if (result == PTB_DONE)
                break;
            assert_int_equal(result, PTB_STALLED);
            arm(m, spill, size);
            assert_false(m->ptb.out_of_memory);
            spill += size;
            assert_true(++stalls < 10000);
        }
    }
    return stalls;
}

static void check_starved(struct machine *m)
{
    flush(m);
    assert_int_equal(m->ptb.primitives, 200);
    for (uint32_t tile = 0; tile < 4; tile++) {
        struct walk *walk = walk_tile(m, tile % 2, tile / 2);
        /* Tile (0, 0) has only the triangles of even draws (v), below the diagonal. Tile 3 has
         * only those of odd draws (w), above the diagonal. */
        bool odd = tile == 0, even = tile == 3;
        assert_int_equal(walk->count, odd || even ? 100 : 200);
        for (uint32_t i = 0; i < walk->count; i++)
            assert_int_equal(walk->seen[i].vertex[0],
                             300 * (odd || even ? 2 * i + (odd ? 1 : 0) : i) & 0xffff);
        free(walk);
    }
}

TEST(test_out_of_memory)
{
    static const struct {
        uint32_t pool, spill, size, block;
    } rows[] = {
        /* clang-format off */
        {0x100, SPILL,     0x1000, 0},
        {0x300, SPILL,     32,     0},
        {0x100, SPILL,     0x140,  1},
        {0x100, SPILL,     0x100,  3},
        {0x100, FAR,       64,     0},
        {0x100, SPILL + 4, 64,     0},
        {0x200, FAR + 0x7, 100,    1},
        /* clang-format on */
    };
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        struct machine m;
        begin(&m, rows[i].pool, 2, 2, (uint8_t)(AUTO | rows[i].block << 5));
        assert_true(draw_starved(&m, rows[i].spill, rows[i].size) > 0);
        check_starved(&m);
        assert_int_equal(m.log.errors, 0);
        destroy(&m);
    }
}

/* A stall persists if no memory is supplied. A supplied block that is too small for any use is
 * accepted, but the stall persists. */
TEST(test_out_of_memory_without_overspill)
{
    struct machine m;
    begin(&m, 32, 1, 1, AUTO);
    enum ptb_result result = PTB_DONE;
    uint32_t drawn = 0;
    for (; result == PTB_DONE; drawn++)
        result = triangle(&m, small, 300 * drawn);
    assert_int_equal(result, PTB_STALLED);
    drawn--;
    assert_true(m.ptb.out_of_memory);
    assert_int_equal(triangle(&m, small, 300 * drawn), PTB_STALLED);
    ptb_overspill(&m.ptb, 0);
    assert_true(m.ptb.out_of_memory);
    arm(&m, SPILL, 16);
    assert_false(m.ptb.out_of_memory);
    assert_int_equal(triangle(&m, small, 300 * drawn), PTB_STALLED);
    assert_true(m.ptb.used_overspill);
    assert_int_equal(m.ptb.overspill_size, 0);
    arm(&m, SPILL, 4096);
    assert_int_equal(triangle(&m, small, 300 * drawn), PTB_DONE);
    flush(&m);
    assert_int_equal(primitives_in(&m, 0, 0), drawn + 1);
    destroy(&m);
}

TEST(test_overspill_that_is_armed_before)
{
    struct machine m;
    begin(&m, 0x100, 2, 2, AUTO);
    arm(&m, SPILL, 0x20000);
    assert_int_equal(draw_starved(&m, 0, 0), 0);
    assert_true(m.ptb.used_overspill);
    assert_int_equal(m.ptb.overspill_size, 0);
    assert_int_equal(m.ptb.pool_left % 4096, 0);
    check_starved(&m);
    destroy(&m);
}

/* Flush All State needs memory too. After a stall the flush is repeated. */
TEST(test_flush_that_stalls)
{
    struct machine m;
    begin(&m, 0x100, 2, 2, AUTO);
    for (uint8_t code = 64; code <= 104; code++)
        if (code != 66 && code != 67)
            ptb_state_changed(&m.ptb, &m.ports, code);
    m.state.shader_code = CL_NV_SHADER_STATE;
    uint32_t stalls = 0;
    while (ptb_flush(&m.ptb, &m.ports, &m.state, true) == PTB_STALLED) {
        arm(&m, SPILL + 32 * stalls, 32);
        assert_true(++stalls < 100);
    }
    assert_true(stalls > 3);
    static const uint8_t codes[] = {65, 96, 97, 98, 99, 100, 101, 102, 103, 104, 18};
    for (uint32_t i = 0; i < 4; i++) {
        struct walk *walk = walk_tile(&m, i % 2, i / 2);
        assert_int_equal(walk->codes, sizeof codes);
        assert_memory_equal(walk->code, codes, sizeof codes);
        free(walk);
    }
    destroy(&m);
}

/* --- clipping --- */

static void set_clipping(struct machine *m)
{
    m->record.flags = SHADER_CLIPPING | SHADER_CLIP_HEADER;
    m->state.clipper_x = m->state.clipper_y = 32 * 16;
    m->state.clipper_z_scale = m->state.clipper_z_offset = 0.5f;
    m->state.viewport_x = m->state.viewport_y = 64 * 16;
}

/* The vertices of tests/vc4/raster/clip.c: z + w is -2 at the first vertex, and 2 at the others. */
static const struct vertex crossing[3] = {
    {.clip = {0, 0, -3, 1}},
    {.x = 512, .z = 1, .inv_w = 1, .clip = {1, 0, 1, 1}},
    {.y = 512, .z = 1, .inv_w = 1, .clip = {0, 1, 1, 1}},
};

TEST(test_clipped_triangle)
{
    struct machine m;
    begin(&m, 0x10000, 2, 2, AUTO);
    set_clipping(&m);
    assert_int_equal(triangle(&m, crossing, 10), PTB_DONE);
    flush(&m);
    check_tiles(&m, "00"
                    "02");
    struct walk *walk = walk_tile(&m, 1, 1);
    for (uint32_t i = 0; i < 2; i++) {
        assert_int_equal(walk->seen[i].vertex[0], 10); /* the list has the original indices */
        assert_int_equal(walk->seen[i].vertex[2], 12);
    }
    /* In the first part cut(01), half-way to vertex 1, replaces vertex 0. */
    assert_int_equal(walk->seen[0].clipped & 7, 1);
    static const uint8_t entry[32] = {0, 1, 0, 0,    0, 0, 0, 0,    0, 0, 0x80, 0x3f,
                                      0, 0, 0, 0x3f, 0, 0, 0, 0x3f, 0, 0, 0,    0};
    assert_memory_equal(bus_peek(&m.bus, walk->seen[0].clipped & ~7u, 32), entry, 32);
    assert_int_equal(walk->seen[1].clipped & 7, 3);
    assert_int_equal(walk->seen[1].clipped & ~7u, (walk->seen[0].clipped & ~7u) + 32);
    free(walk);
    /* Clip records and list blocks are in separate granules. */
    assert_int_equal(m.ptb.clip_left, 4096 - 96);
    assert_int_equal(m.ptb.primitives, 1);
    destroy(&m);
}

/* All tiles of a clipped primitive share one record, and a stall does not write a record twice.
 * Memory is supplied in 4 pieces of 64 bytes. They are used for the first part's record, blocks
 * for two tiles, a block for the third tile, and the second part's record. */
TEST(test_clipped_triangle_out_of_memory)
{
    struct machine m;
    begin(&m, 0x80, 2, 2, AUTO);
    set_clipping(&m);
    m.state.viewport_x = m.state.viewport_y = 48 * 16; /* the triangle covers three tiles */
    ptb_state_changed(&m.ptb, &m.ports, CL_CLIP_WINDOW);
    ptb_state_changed(&m.ptb, &m.ports,
                      CL_VIEWPORT_OFFSET); /* the first block has no room for record 49 */
    uint32_t stalls = 0;
    while (triangle(&m, crossing, 10) == PTB_STALLED) {
        arm(&m, SPILL + 64 * stalls, 64);
        assert_true(++stalls < 100);
    }
    assert_int_equal(stalls, 4);
    flush(&m);
    /* The corners of the two parts are (64, 48), (80, 48), (48, 80) and (48, 64), (64, 48), (48,
     * 80). */
    check_tiles(&m, "21"
                    "20");
    struct walk *one = walk_tile(&m, 0, 0), *two = walk_tile(&m, 1, 0);
    assert_int_equal(one->seen[0].clipped, two->seen[0].clipped);
    free(one);
    free(two);
    assert_int_equal(m.ptb.primitives, 1);
    destroy(&m);
}

TEST(test_clipping_switches)
{
    struct machine m;
    begin(&m, 0x10000, 2, 2, AUTO);
    set_clipping(&m);
    m.ptb.clip_disabled = true; /* bit 1 of V3D_BXCF disables clipping */
    assert_int_equal(triangle(&m, crossing, 0), PTB_DONE);
    m.ptb.clip_disabled = false;
    m.record.flags = SHADER_CLIPPING;
    assert_int_equal(m.log.count[FAULT_PTB_CLIP_HEADER], 0);
    assert_int_equal(triangle(&m, crossing, 0), PTB_DONE);
    assert_int_equal(m.log.count[FAULT_PTB_CLIP_HEADER], 1);
    m.record.flags = SHADER_CLIPPING | SHADER_CLIP_HEADER;
    m.state.clipper_x = 0;
    assert_int_equal(triangle(&m, crossing, 0), PTB_DONE);
    assert_int_equal(m.log.count[FAULT_PTB_CLIP_SCALE], 1);
    flush(&m);
    struct walk *walk = walk_tile(&m, 1, 1);
    /* Only one part of the third triangle has an area: the part with original vertices. */
    assert_int_equal(walk->count, 3);
    assert_int_equal(walk->seen[0].clipped, 0);
    assert_int_equal(walk->seen[1].clipped, 0);
    free(walk);
    destroy(&m);
}

/* --- mistakes --- */

TEST(test_bad_configurations)
{
    struct machine m;
    create(&m);
    assert_int_equal(ptb_start(&m.ptb, &m.ports), PTB_DONE);
    assert_int_equal(triangle(&m, small, 0), PTB_FAILED);
    assert_int_equal(ptb_flush(&m.ptb, &m.ports, &m.state, false), PTB_FAILED);
    assert_int_equal(m.log.count[FAULT_CL_ORDER], 3);

    assert_int_equal(configure(&m, 0x1000, 0, 3, AUTO), PTB_FAILED);
    assert_int_equal(configure(&m, 0x1000, 3, 0, AUTO), PTB_FAILED);
    assert_int_equal(m.log.count[FAULT_PTB_CONFIG], 2);
    assert_int_equal(configure(&m, 9 * 32, 3, 3, AUTO), PTB_DONE);
    assert_int_equal(m.ptb.pool_left, 0);
    assert_int_equal(m.log.count[FAULT_PTB_CONFIG], 2);

    uint8_t data[15] = {0};
    store_le32(data, 0x00700000); /* an address that is not mapped */
    store_le32(data + 4, 0x1000);
    store_le32(data + 8, STATES);
    data[12] = data[13] = 1;
    assert_int_equal(ptb_configure(&m.ptb, &m.ports, data), PTB_FAILED);
    store_le32(data, ALLOCATION);
    store_le32(data + 8, 0x00700000);
    assert_int_equal(ptb_configure(&m.ptb, &m.ports, data), PTB_FAILED);
    assert_int_equal(m.log.count[FAULT_BUS_UNMAPPED], 2);
    assert_int_equal(ptb_start(&m.ptb, &m.ports), PTB_DONE);
    assert_int_equal(triangle(&m, small, 0), PTB_FAILED);
    destroy(&m);
}

/* Silicon draws with record 6 before record 112: kumaashi/RaspberryPI,
 * Sample_V3D_TEX_TFORMAT_08. */
TEST(test_start_before_the_configuration)
{
    struct machine m;
    create(&m);
    for (unsigned frame = 1; frame <= 2; frame++) {
        assert_int_equal(ptb_start(&m.ptb, &m.ports), PTB_DONE);
        assert_int_equal(configure(&m, 0x10000, 1, 1, AUTO), PTB_DONE);
        assert_int_equal(m.log.count[FAULT_CL_ORDER], frame);
        assert_int_equal(triangle(&m, small, 0), PTB_DONE);
        assert_int_equal(m.ptb.primitives, frame);
        assert_int_equal(ptb_flush(&m.ptb, &m.ports, &m.state, false), PTB_DONE);
    }
    assert_int_equal(configure(&m, 0x10000, 1, 1, AUTO), PTB_DONE); /* the next frame, in order */
    assert_int_equal(triangle(&m, small, 0), PTB_FAILED);           /* without record 6 */
    assert_int_equal(m.log.count[FAULT_CL_ORDER], 3);
    destroy(&m);
}

/* The memory is too small for the first blocks. Demos that ran on silicon do this: 4096 bytes
 * for 20 x 15 tiles in asurati/x03, demo/d53.c, and 8192 bytes in PeterLemon/RaspberryPi,
 * V3D/ControlList/Multi_Sample. */
TEST(test_first_blocks_that_do_not_fit)
{
    struct machine m;
    begin(&m, 0x1000, 20, 15, AUTO);
    assert_int_equal(m.log.count[FAULT_PTB_CONFIG], 1);
    assert_int_equal(m.ptb.pool_address, ALLOCATION + 9728); /* first blocks: 300 * 32 bytes,
                                                                rounded up to a multiple of 256 */
    for (uint32_t i = 0; i < 40; i++)
        assert_int_equal(triangle(&m, small, i * 100), PTB_DONE);
    flush(&m);
    assert_int_equal(primitives_in(&m, 0, 0), 40);
    assert_int_equal(m.log.errors, 1);
    destroy(&m);
}

/* If the pool extends outside mapped memory, the binning stops with a finding. */
TEST(test_pool_outside_memory)
{
    struct machine m;
    begin(&m, 0xffffffff - ALLOCATION, 1, 1, AUTO);
    arm(&m, 0x700000, 0x1000);
    m.ptb.pool_left = 0;
    enum ptb_result result = PTB_DONE;
    for (uint32_t i = 0; result == PTB_DONE && i < 100; i++)
        result = triangle(&m, small, 300 * i);
    assert_int_equal(result, PTB_FAILED);
    assert_true(m.log.count[FAULT_BUS_UNMAPPED] > 0);
    destroy(&m);
}

TEST(test_garbage_in_the_tile_state)
{
    for (uint8_t garbage = 0; garbage < 3; garbage++) {
        struct machine m;
        create(&m);
        assert_int_equal(configure(&m, 0x10000, 2, 2, 0), PTB_DONE); /* without the auto-
                                                                        initialise flag */
        memset(bus_peek(&m.bus, STATES, 4 * 48), garbage * 0x55, 4 * 48);
        assert_int_equal(ptb_start(&m.ptb, &m.ports), PTB_DONE);
        assert_int_equal(triangle(&m, small, 0), PTB_FAILED);
        assert_int_equal(ptb_flush(&m.ptb, &m.ports, &m.state, false), PTB_FAILED);
        assert_int_equal(m.log.count[FAULT_PTB_STATE], 2);
        destroy(&m);
    }
    /* The test changes one byte of the lists in the middle of a frame. */
    struct machine m;
    begin(&m, 0x10000, 2, 2, AUTO);
    assert_int_equal(triangle(&m, small, 0), PTB_DONE);
    *bus_peek(&m.bus, STATES, 1) ^= 1;
    assert_int_equal(triangle(&m, small, 0), PTB_FAILED);
    assert_int_equal(m.log.count[FAULT_PTB_STATE], 1);
    destroy(&m);
}

/* Erratum HW-2116: the counter of state changes after primitives overflows at 0x1f01 (Broadcom's
 * driver, vg_hw_4.c). */
TEST(test_state_counter_limit)
{
    struct machine m;
    begin(&m, 0x40000, 1, 1, AUTO);
    for (uint32_t i = 1; i <= 0x1f01; i++) {
        assert_int_equal(m.log.count[FAULT_PTB_STATE_COUNTER], 0);
        assert_int_equal(triangle(&m, small, 0), PTB_DONE);
        m.state.configuration = 3 | i << 8;
        ptb_state_changed(&m.ptb, &m.ports, CL_CONFIGURATION_BITS);
        ptb_state_changed(&m.ptb, &m.ports,
                          CL_CLIP_WINDOW); /* several state changes count as one */
        if (i == 100)                      /* a flush restarts the count */
            assert_int_equal(ptb_flush(&m.ptb, &m.ports, &m.state, true), PTB_DONE);
    }
    assert_int_equal(m.log.count[FAULT_PTB_STATE_COUNTER], 0);
    for (uint32_t i = 0; i < 100; i++) {
        assert_int_equal(triangle(&m, small, 0), PTB_DONE);
        ptb_state_changed(&m.ptb, &m.ports, CL_CONFIGURATION_BITS);
    }
    assert_int_equal(m.log.count[FAULT_PTB_STATE_COUNTER], 1);
    destroy(&m);
}

/* Counters in the model have 16 bits. The lists must stay correct when a counter wraps. */
TEST(test_state_counter_wraps)
{
    struct machine m;
    begin(&m, 0x10000, 1, 1, AUTO);
    ptb_state_changed(&m.ptb, &m.ports, CL_CONFIGURATION_BITS);
    assert_int_equal(triangle(&m, small, 0), PTB_DONE);
    for (uint32_t i = 0; i < 65534; i++)
        ptb_state_changed(&m.ptb, &m.ports, CL_CONFIGURATION_BITS);
    m.state.configuration = 0x1003;
    ptb_state_changed(&m.ptb, &m.ports, CL_CONFIGURATION_BITS);
    assert_int_equal(triangle(&m, small, 3), PTB_DONE);
    flush(&m);
    struct walk *walk = walk_tile(&m, 0, 0);
    assert_int_equal(walk->count, 2);
    assert_int_equal(walk->seen[1].configuration, 0x1003);
    free(walk);
    destroy(&m);
}

/* Tests the counters of manual table 82, sources 10 to 12. */
TEST(test_counters)
{
    struct machine m;
    begin(&m, 0x10000, 1, 1, AUTO);
    struct pctr_counts counts = {.clocks = 0};
    m.ports.counts = &counts;
    assert_int_equal(triangle(&m, small, 0), PTB_DONE);
    assert_int_equal(counts.of[PCTR_PTB_OUTSIDE] + counts.of[PCTR_PSE_REVERSED], 0);
    const struct vertex outside[3] = {pixel(-9, 2), pixel(-2, 2), pixel(-9, 8)};
    assert_int_equal(triangle(&m, outside, 0), PTB_DONE);
    assert_int_equal(counts.of[PCTR_PTB_OUTSIDE], 1);
    const struct vertex reversed[3] = {small[1], small[0], small[2]};
    m.state.configuration = 1; /* draws forward faces only; one of the two triangles is reversed */
    assert_int_equal(triangle(&m, small, 0), PTB_DONE);
    assert_int_equal(triangle(&m, reversed, 0), PTB_DONE);
    assert_int_equal(counts.of[PCTR_PSE_REVERSED], 1);
    const struct vertex empty[3] = {small[0], small[0], small[2]};
    assert_int_equal(triangle(&m, empty, 0), PTB_DONE);

    m.record.flags = SHADER_CLIPPING | SHADER_CLIP_HEADER;
    m.state.clipper_x = m.state.clipper_y = 64 * 16;
    struct vertex far[3] = {small[0], small[1], small[2]};
    for (unsigned i = 0; i < 3; i++)
        memcpy(far[i].clip, (float[]){0, 0, 2, 1}, sizeof far[i].clip);
    assert_int_equal(triangle(&m, far, 0), PTB_DONE); /* outside of the far plane */
    assert_int_equal(counts.of[PCTR_PTB_OUTSIDE], 2);
    assert_int_equal(counts.of[PCTR_PTB_CLIPPED], 0);
    memcpy(far[0].clip, (float[]){0.5f, 0.25f, 0, 1}, sizeof far[0].clip);
    assert_int_equal(triangle(&m, far, 0), PTB_DONE);
    assert_int_equal(counts.of[PCTR_PTB_CLIPPED], 1);
    destroy(&m);
}

/* Draws a list of coordinates, in 1/16 pixel. Expected bytes follow from manual tables 38, 42
 * and 43. */
TEST(test_coordinates)
{
    static const uint32_t rht[3] = {10 | 20 << 16, 13 | 16 << 16};
    static const uint32_t triangle[3] = {100 | 200 << 16, 101 | 198 << 16, 98 | 205 << 16};
    static const uint32_t flat[3] = {0 | 160 << 16, 160 | 160 << 16};
    static const uint8_t list[] = {56,   0x33, 66,   0x00, 0x20, 0x00, 0x00, 48,
                                   0x06, 0xf9, 10,   0,    20,   0,    0x80, 56,
                                   0x32, 66,   0x00, 0x20, 0x00, 0x00, 0x00, 0x00};
    struct machine m;
    begin(&m, 0x10000, 1, 1, AUTO);
    m.state.shader_code = CL_VG_SHADER_STATE;
    assert_int_equal(ptb_coordinates(&m.ptb, &m.ports, &m.state, PRIMITIVE_RHT, rht), PTB_DONE);
    assert_int_equal(ptb_coordinates(&m.ptb, &m.ports, &m.state, PRIMITIVE_RHT, flat),
                     PTB_DONE); /* the shape has no area */
    assert_int_equal(ptb_coordinates(&m.ptb, &m.ports, &m.state, PRIMITIVE_TRIANGLE, triangle),
                     PTB_DONE);
    flush(&m);
    assert_memory_equal(bus_peek(&m.bus, ALLOCATION, 32), list, 22);
    assert_int_equal(m.ptb.primitives, 2);
    destroy(&m);
}

/* A second Start Tile Binning begins new lists. They contain no state of the first lists. */
TEST(test_start_again)
{
    struct machine m;
    begin(&m, 0x10000, 1, 1, AUTO);
    assert_int_equal(triangle(&m, small, 0), PTB_DONE);
    flush(&m);
    flush(&m); /* flushes lists that are already complete */
    assert_int_equal(primitives_in(&m, 0, 0), 1);
    assert_int_equal(ptb_start(&m.ptb, &m.ports), PTB_DONE);
    assert_int_equal(triangle(&m, small, 40), PTB_DONE);
    assert_int_equal(triangle(&m, small, 50), PTB_DONE);
    flush(&m);
    struct walk *walk = walk_tile(&m, 0, 0);
    assert_int_equal(walk->count, 2);
    assert_int_equal(walk->seen[0].vertex[0], 40);
    free(walk);
    destroy(&m);
}
