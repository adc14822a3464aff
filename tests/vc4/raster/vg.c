/* SPDX-License-Identifier: MIT */
/* Tests of VG mode: coordinate lists, triangles and RHTs, in whole frames. Shapes are worked out by
 * hand. Five of them are those of PeterLemon's demos (RaspberryPi,
 * V3D/ControlList/VG/Coordinate_Array). */
#include "../../register.h"
#include "vg_frame.h"

#include "vc4/raster/vg.h"

enum { RHTS = 1, RHT_STRIP = 3, TRIANGLES = 4, STRIP = 5, FAN = 6, CONTINUED = 0x10 };

/* --- lists: vg_begin() and vg_next() alone --- */

enum { LIST = 0x1000 };

struct reader {
    struct bus bus;
    struct fault_log log;
    struct vg_list list;
    uint8_t *memory;
};

static void reader_create(struct reader *reader)
{
    memset(reader, 0, sizeof *reader);
    reader->bus.log = &reader->log;
    assert_int_equal(bus_map(&reader->bus, LIST, 4096, NULL), TESS_OK);
    reader->memory = bus_peek(&reader->bus, LIST, 4096);
}

/* Reads an inline list. Stores the primitives' words in order, each primitive followed by a
 * zero. Returns the number of words. */
static uint32_t read_inline(struct reader *reader, uint8_t type, const uint32_t *words,
                            uint32_t count, uint32_t *out)
{
    for (uint32_t i = 0; i < count; i++)
        store_le32(reader->memory + 4 * i, words[i]);
    assert_true(vg_begin(&reader->list, CL_VG_INLINE_PRIMITIVES, &type, LIST, LIST + 4 * count,
                         &reader->log));
    uint32_t size = 0, xy[3];
    for (;;) {
        switch (vg_next(&reader->list, &reader->bus, xy)) {
        case VG_LIST_END: return size;
        case VG_NOTHING: break;
        case VG_UNREADABLE: return UINT32_MAX;
        case VG_PRIMITIVE:
            for (unsigned i = 0; i < 2u + (vg_primitive_type(&reader->list) == PRIMITIVE_TRIANGLE);
                 i++)
                out[size++] = xy[i];
            out[size++] = 0;
            break;
        }
    }
}

#define E VG_END
#define D VG_DUMMY

/* Assembly of primitives from records 41 and 42 (manual section 9). */
TEST(lists_in_line)
{
    static const struct {
        uint8_t type;
        uint32_t words[12], count;
        uint32_t primitives[16];
        uint32_t used; /* number of coordinates that are used */
    } rows[] = {
        /* clang-format off */
        /* clang-format off */
        {RHTS,            {1, 2, 3, 4, 5, E, 9},       7, {1, 2, 0, 3, 4, 0},                   6},
        {RHTS,            {1, D, 3, 4, 5, E},          6, {3, 4, 0},                            6},
        {RHT_STRIP,       {1, 2, 3, E},                4, {1, 2, 0, 2, 3, 0},                   4},
        {RHT_STRIP,       {1, 2, D, D, E},             5, {1, 2, 0},                            5},
        {TRIANGLES,       {1, 2, 3, 4, 5, 6, 7, 8, E}, 9, {1, 2, 3, 0, 4, 5, 6, 0},             9},
        {TRIANGLES,       {1, 2, D, 4, 5, 6, 7, 8, E}, 9, {4, 5, 6, 0},                         9},
        {TRIANGLES,       {E, E, 3, 4, 5, E},          6, {E, E, 3, 0},                         6},
        {STRIP,           {1, 2, 3, 4, 5, E},          6, {1, 2, 3, 0, 3, 2, 4, 0, 3, 4, 5, 0}, 6},
        {FAN,             {1, 2, 3, 4, E},             5, {1, 2, 3, 0, 1, 3, 4, 0},             5},
        {FAN,             {1, 2, 3, D, 4, E},          6, {1, 2, 3, 0, 1, 3, 4, 0},             6},
        {FAN | CONTINUED, {7, 8, 5, 6, E},             5, {1, 4, 5, 0, 1, 5, 6, 0},             5},
        {FAN,             {1, E, 3, 4},                4, {0},                                  3},
        {FAN | CONTINUED, {7, 8, 9, E},                4, {1, 8, 9, 0},                         4},
        /* the list ends inside a triangle */
        {TRIANGLES,       {1, 2, 3, E},                4, {1, 2, 3, 0},                         0},
        /* clang-format on */
        /* clang-format on */
    };
    struct reader reader;
    reader_create(&reader);
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        uint32_t out[16] = {0};
        uint32_t size = read_inline(&reader, rows[i].type, rows[i].words, rows[i].count, out);
        assert_memory_equal(out, rows[i].primitives, sizeof out);
        if (rows[i].used == 0) {
            assert_int_equal(size, UINT32_MAX); /* E ends the list and is not a third coordinate */
            assert_int_equal(reader.log.count[FAULT_CL_TRUNCATED], 1);
            continue;
        }
        assert_int_not_equal(size, UINT32_MAX);
        assert_int_equal(reader.list.address, LIST + 4 * rows[i].used);
    }
    bus_free(&reader.bus);
}

/* The count of record 41 is the number of coordinates. If the count ends a fan, the next record
 * can continue the fan with its last edge. */
TEST(lists_with_a_count)
{
    struct reader reader;
    uint32_t xy[3];
    reader_create(&reader);
    for (uint32_t i = 0; i < 8; i++)
        store_le32(reader.memory + 4 * i, i + 1);
    uint8_t data[9] = {FAN};
    store_le32(data + 1, 4);
    store_le32(data + 5, LIST);
    assert_true(vg_begin(&reader.list, 41, data, 0, 0, &reader.log));
    assert_int_equal(vg_next(&reader.list, &reader.bus, xy), VG_PRIMITIVE);
    assert_int_equal(vg_next(&reader.list, &reader.bus, xy), VG_PRIMITIVE);
    assert_memory_equal(xy, ((uint32_t[]){1, 3, 4}), sizeof xy);
    assert_int_equal(vg_next(&reader.list, &reader.bus, xy), VG_LIST_END);

    data[0] = FAN | CONTINUED;
    store_le32(data + 5, LIST + 16);
    assert_true(vg_begin(&reader.list, 41, data, 0, 0, &reader.log));
    assert_int_equal(vg_next(&reader.list, &reader.bus, xy), VG_PRIMITIVE);
    assert_memory_equal(xy, ((uint32_t[]){1, 4, 7}), sizeof xy);
    assert_int_equal(vg_next(&reader.list, &reader.bus, xy), VG_PRIMITIVE);
    assert_memory_equal(xy, ((uint32_t[]){1, 7, 8}), sizeof xy);
    assert_int_equal(vg_next(&reader.list, &reader.bus, xy), VG_LIST_END);
    assert_int_equal(reader.log.errors, 0);

    data[0] = TRIANGLES | CONTINUED; /* only fans can be continued */
    assert_true(vg_begin(&reader.list, 41, data, 0, 0, &reader.log));
    assert_int_equal(reader.log.count[FAULT_VG_CONTINUATION], 1);
    data[0] = 2;
    assert_false(vg_begin(&reader.list, 41, data, 0, 0, &reader.log));
    assert_int_equal(reader.log.count[FAULT_CL_FIELD], 1);
    data[0] = RHTS;
    store_le32(data + 5, 0x700000);
    assert_true(vg_begin(&reader.list, 41, data, 0, 0, &reader.log));
    assert_int_equal(vg_next(&reader.list, &reader.bus, xy), VG_UNREADABLE);
    bus_free(&reader.bus);
}

/* --- frames --- */

static void end(struct vg_frame *frame)
{
    assert_int_equal(frame->rig->errors, 0);
    rig_free(frame->rig);
}

/* Returns twice the signed area of (a, b, p). The sign decides whether a pixel's centre is
 * inside. */
static double side(const double a[2], const double b[2], double x, double y)
{
    return (b[0] - a[0]) * (y - a[1]) - (b[1] - a[1]) * (x - a[0]);
}

static bool in_triangle(const double v[3][2], double x, double y)
{
    double s0 = side(v[0], v[1], x, y), s1 = side(v[1], v[2], x, y), s2 = side(v[2], v[0], x, y);
    return (s0 > 0 && s1 > 0 && s2 > 0) || (s0 < 0 && s1 < 0 && s2 < 0);
}

/* Returns true if the point is between the boundary and the edge. The edge may have either
 * direction. */
static bool in_rht(const double v[2][2], double boundary, double x, double y)
{
    double low = v[0][1] < v[1][1] ? v[0][1] : v[1][1], high = v[0][1] + v[1][1] - low;
    if (y < low || y > high)
        return false;
    double edge = v[0][0] + (v[1][0] - v[0][0]) * (y - v[0][1]) / (v[1][1] - v[0][1]);
    return (x - boundary) * (x - edge) < 0;
}

static bool in_shape(uint32_t type, const double (*v)[2], uint32_t count, double boundary, double x,
                     double y)
{
    bool inside = false;
    for (uint32_t i = 0; i + 1 < count && type == RHT_STRIP; i++)
        inside |= in_rht(&v[i], boundary, x, y);
    for (uint32_t i = 0; i + 1 < count && type == RHTS; i += 2)
        inside |= in_rht(&v[i], boundary, x, y);
    for (uint32_t i = 0; i + 2 < count && type == STRIP; i++)
        inside |= in_triangle(&v[i], x, y);
    for (uint32_t i = 0; i + 2 < count && type == TRIANGLES; i += 3)
        inside |= in_triangle(&v[i], x, y);
    for (uint32_t i = 1; i + 1 < count && type == FAN; i++) {
        const double t[3][2] = {{v[0][0], v[0][1]}, {v[i][0], v[i][1]}, {v[i + 1][0], v[i + 1][1]}};
        inside |= in_triangle(t, x, y);
    }
    return inside;
}

/* PeterLemon's demos have 640 x 480 pixels and the boundary at x = 32. Pixels whose centres are
 * on an edge are not compared, because other tests cover the fill rule. */
TEST(public_demos)
{
    static const struct {
        uint32_t type, count;
        double v[4][2];
    } demos[] = {
        {RHTS, 2, {{608, 32}, {320, 448}}},
        {RHT_STRIP, 3, {{608, 32}, {320, 240}, {608, 448}}},
        {TRIANGLES, 3, {{320, 32}, {32, 448}, {608, 448}}},
        {FAN, 4, {{320, 32}, {32, 32}, {320, 448}, {608, 32}}},
        {STRIP, 4, {{32, 32}, {32, 448}, {608, 32}, {608, 448}}},
    };
    for (size_t i = 0; i < sizeof demos / sizeof *demos; i++) {
        struct vg_frame frame = vg_frame_begin(640, 480);
        uint32_t wrong = 0, white = 0;
        vg_flat_program(&frame, 0, RIG_WHITE);
        vg_boundary(&frame, 32);
        vg_array(&frame, demos[i].type, demos[i].v, demos[i].count);
        vg_frame_run(&frame);
        for (uint32_t y = 0; y < 480; y++)
            for (uint32_t x = 0; x < 640; x++) {
                bool left = in_shape(demos[i].type, demos[i].v, demos[i].count, 32, x + 0.499,
                                     y + 0.5);
                bool right = in_shape(demos[i].type, demos[i].v, demos[i].count, 32, x + 0.501,
                                      y + 0.5);
                bool drawn = vg_pixel(&frame, x, y) == RIG_WHITE;
                white += drawn;
                wrong += left == right && drawn != left;
            }
        assert_int_equal(wrong, 0);
        if (demos[i].type == STRIP)
            assert_int_equal(white, (608 - 32) * (448 - 32));
        end(&frame);
    }
}

static uint32_t count_white(const struct vg_frame *frame)
{
    uint32_t white = 0;
    for (uint32_t y = 0; y < frame->height; y++)
        for (uint32_t x = 0; x < frame->width; x++)
            white += vg_pixel(frame, x, y) == RIG_WHITE;
    return white;
}

/* The shape's edge crosses the boundary. The edge runs at 45 degrees from (20, 10) to (60, 50),
 * and the boundary is x = 40. In row y (centre y + 0.5) the edge is at y + 10.5, which gives a
 * triangle of 20 rows on each side of the boundary. The edge passes through the centre of the
 * pixel x = y + 10. The pixel belongs to the left part, where the edge is a left edge. In the
 * right part, row y ends before this pixel. */
TEST(rhts_on_both_sides)
{
    static const double edge[2][2] = {{20, 10}, {60, 50}};
    struct vg_frame frame = vg_frame_begin(128, 128);
    vg_flat_program(&frame, 0, RIG_WHITE);
    vg_boundary(&frame, 40);
    vg_array(&frame, RHTS, edge, 2);
    vg_frame_run(&frame);
    for (uint32_t y = 0; y < 128; y++)
        for (uint32_t x = 0; x < 128; x++) {
            bool rows = y >= 10 && y < 50;
            bool left = rows && x < 40 && x >= y + 10;
            bool right = rows && x >= 40 && x < y + 10;
            assert_int_equal(vg_pixel(&frame, x, y) == RIG_WHITE, left || right);
        }
    assert_int_equal(count_white(&frame), 20 * 21 / 2 + 19 * 20 / 2);
    end(&frame);
}

/* The viewport offset is added to coordinates and boundary. Coordinates from 2048.0 to 3071.9 are
 * positive. */
TEST(offset_and_range)
{
    static const double edge[2][2] = {{0, -10}, {10, 10}};
    struct vg_frame frame = vg_frame_begin(128, 128);
    vg_flat_program(&frame, 0, RIG_WHITE);
    rig_u8(frame.rig, 103);
    rig_u16(frame.rig, 64 * 16);
    rig_u16(frame.rig, 64 * 16);
    vg_boundary(&frame, -20);
    vg_array(&frame, RHTS, edge, 2);
    vg_frame_run(&frame);
    /* The shape covers rows 54 to 73 from x = 44 on. Row y ends at 64 + (y + 0.5 - 54) / 2. */
    for (uint32_t y = 0; y < 128; y++)
        for (uint32_t x = 0; x < 128; x++) {
            bool inside = y >= 54 && y < 74 && x >= 44 && x + 0.5 < 64 + (y + 0.5 - 54) / 2;
            assert_int_equal(vg_pixel(&frame, x, y) == RIG_WHITE, inside);
        }
    end(&frame);

    frame = vg_frame_begin(128, 128);
    vg_flat_program(&frame, 0, RIG_WHITE);
    vg_rectangle(&frame, -1000, -1000, 3000, 3000);
    vg_frame_run(&frame);
    assert_int_equal(count_white(&frame), 128 * 128);
    end(&frame);
}

/* Triangles are culled by their facing as in NV mode. RHTs are drawn in either winding
 * direction. */
TEST(facing)
{
    static const struct {
        uint32_t configuration, triangle, rht;
    } rows[] = {
        /* clang-format off */
        {0, 0,  0},
        {1, 45, 100}, /* a positive area faces forward */
        {2, 0,  100},
        {3, 45, 100},
        {5, 0,  100},
        {6, 45, 100},
        /* clang-format on */
    };
    static const double triangle[3][2] = {{10, 10}, {20, 10}, {10, 20}};
    static const double edge[2][2] = {{50, 20}, {50, 10}};
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        struct vg_frame frame = vg_frame_begin(64, 64);
        vg_flat_program(&frame, 0, RIG_WHITE);
        vg_boundary(&frame, 40);
        vg_state(&frame, rows[i].configuration);
        vg_array(&frame, TRIANGLES, triangle, 3);
        vg_array(&frame, RHTS, edge, 2);
        vg_frame_run(&frame);
        assert_int_equal(count_white(&frame), rows[i].triangle + rows[i].rht);
        end(&frame);
    }
}

/* Tests record 66 with its shader record, inline lists, a compressed list inside the binning
 * list as in Broadcom's driver, and several tiles. */
TEST(records)
{
    struct vg_frame frame = vg_frame_begin(128, 128);
    struct rig *rig = frame.rig;
    vg_flat_program(&frame, 1, RIG_WHITE);
    store_le32(rig->memory + RIG_RECORD, 1);
    store_le32(rig->memory + RIG_RECORD + 4, VG_SHADERS + VG_SHADER_BYTES);
    rig_u8(rig, 56); /* must precede the shader record that uses it */
    rig_u8(rig, 0x32);
    rig_u8(rig, 66);
    rig_u32(rig, RIG_RECORD);
    rig_u8(rig, 42);
    rig_u8(rig, STRIP);
    rig_u32(rig, vg_xy(50, 50));
    rig_u32(rig, vg_xy(50, 80));
    rig_u32(rig, vg_xy(80, 50));
    rig_u32(rig, vg_xy(80, 80));
    rig_u32(rig, VG_END);
    rig_u8(rig, 48);
    rig_u8(rig, 0x81);
    rig_u32(rig, vg_xy(100, 100));
    rig_u32(rig, vg_xy(110, 100));
    rig_u32(rig, vg_xy(100, 110));
    rig_u8(rig, 0x80);
    vg_frame_run(&frame);
    assert_int_equal(count_white(&frame), 30 * 30 + 45);
    assert_int_equal(vg_pixel(&frame, 50, 50), RIG_WHITE);
    assert_int_equal(vg_pixel(&frame, 79, 79), RIG_WHITE);
    assert_int_equal(vg_pixel(&frame, 100, 108), RIG_WHITE);
    end(&frame);
}

/* RHTs are in the lists of exactly the tiles that they touch. Expected bytes are worked out by
 * hand from tables 38, 40 and 43. */
TEST(tile_lists)
{
    static const double edge[2][2] = {{190, 0}, {0, 192}};
    struct vg_frame frame = vg_frame_begin(192, 192);
    vg_flat_program(&frame, 0, RIG_WHITE);
    vg_array(&frame, RHTS, edge, 2);
    vg_frame_run(&frame);
    /* With boundary 0 the shape is the triangle (0,0) (190,0) (0,192). Tiles above its
     * hypotenuse do not list the triangle. */
    static const char touched[] = "111"
                                  "110"
                                  "100";
    for (uint32_t i = 0; i < 9; i++) {
        const uint8_t *list = frame.rig->memory + RIG_LISTS + i * VG_INITIAL_BLOCK;
        assert_int_equal(list[0], touched[i] == '1' ? 56 : 18);
        if (touched[i] == '1')
            assert_int_equal(list[1], 0x33);
    }
    end(&frame);
}

/* An edge that crosses the boundary has a shape on each side. A tile's list contains the two
 * shapes as one primitive. */
TEST(crossing_edge_once_in_a_list)
{
    static const double edge[2][2] = {{0, 0}, {60, 60}};
    struct vg_frame frame = vg_frame_begin(64, 64);
    vg_flat_program(&frame, 0, RIG_WHITE);
    vg_boundary(&frame, 30);
    vg_array(&frame, RHTS, edge, 2);
    vg_frame_run(&frame);
    struct tess_vc4_stats stats;
    tess_vc4_get_stats(frame.rig->vc4, &stats);
    assert_int_equal(stats.primitives_binned, 1);
    assert_int_equal(count_white(&frame), 30 * 31 / 2 + 29 * 30 / 2);
    end(&frame);
}

/* Table 40: a tile list contains an RHT, whose vertices are those of an NV shader record. */
TEST(rht_by_index)
{
    struct vg_frame frame = vg_frame_begin(64, 64);
    struct rig *rig = frame.rig;
    uint32_t at = rig->at;
    rig_flat_shader(rig, RIG_WHITE);
    rig_shader_record(rig, 1, 12, 0);
    rig->at = RIG_VERTICES;
    rig_vertex(rig, 30, 10);
    rig_vertex(rig, 30, 20);
    static const uint8_t list[] = {
        56, 0x13, 65, RIG_RECORD & 0xff, RIG_RECORD >> 8, 0, 0, 48, 0x06, 0, 0, 0x80, 18};
    rig->at = at;
    rig_u8(rig, 4);
    rig_start(rig, 0, RIG_BIN, rig->at);
    assert_int_equal(tess_vc4_run(rig->vc4), TESS_VC4_IDLE);
    /* These state records are those that the binner would write to the tile list. */
    rig->at = RIG_OVERSPILL;
    rig_u8(rig, 102);
    rig_u32(rig, 0);
    rig_u16(rig, 64);
    rig_u16(rig, 64);
    vg_state(&frame, CONFIGURATION_FACES);
    vg_boundary(&frame, 10);
    for (size_t i = 0; i < sizeof list; i++)
        rig_u8(rig, list[i]);
    uint32_t end_of_list = vg_render_list(&frame);
    for (uint32_t i = RIG_RENDER; i < end_of_list; i++) /* finds the first branch to a sub-list */
        if (rig->memory[i] == 17 && load_le32(rig->memory + i + 1) == RIG_LISTS)
            store_le32(rig->memory + i + 1, RIG_OVERSPILL);
    tess_vc4_write(rig->vc4, V3D_CT1CA, RIG_RENDER);
    tess_vc4_write(rig->vc4, V3D_CT1EA, end_of_list);
    assert_int_equal(tess_vc4_run(rig->vc4), TESS_VC4_IDLE);
    assert_int_equal(count_white(&frame), 20 * 10);
    end(&frame);
}

/* The binner waits for memory in the middle of a coordinate list, and loses no primitive. */
TEST(stall)
{
    struct vg_frame frame = vg_frame_begin(64, 64);
    struct rig *rig = frame.rig;
    vg_flat_program(&frame, 0, RIG_WHITE);
    store_le32(rig->memory + RIG_BIN + 5,
               256);                  /* the tile allocation memory holds only the first block */
    for (unsigned i = 0; i < 30; i++) /* squares of 2 x 1 pixels in every second row and column */
        vg_rectangle(&frame, 2.0 * i, 2.0 * i, 2.0 * i + 2, 2.0 * i + 1);
    rig->give_memory = 4096;
    tess_vc4_write(rig->vc4, V3D_INTENA, V3D_INT_OUTOMEM);
    vg_frame_run(&frame);
    assert_int_equal(rig->give_memory, 0);
    assert_int_equal(count_white(&frame), 60);
    end(&frame);
}

/* --- errors --- */

TEST(wrong_shaders)
{
    static const uint8_t lists[][12] = {
        {33, 4, 3},
        {32, 4, 3},
    };
    for (size_t i = 0; i < sizeof lists / sizeof *lists; i++) {
        struct vg_frame frame = vg_frame_begin(64, 64);
        for (size_t k = 0; k < sizeof lists[0]; k++)
            rig_u8(frame.rig, lists[i][k]);
        rig_u16(frame.rig, 0);
        rig_start(frame.rig, 0, RIG_BIN, frame.rig->at);
        tess_vc4_run(frame.rig->vc4);
        assert_string_equal(frame.rig->rules[0], "vg-shader");
        rig_free(frame.rig);
    }
}

TEST(varyings_of_a_vg_record)
{
    struct vg_frame frame = vg_frame_begin(64, 64);
    vg_flat_program(&frame, 0, RIG_WHITE);
    store_le32(frame.rig->memory + RIG_RECORD, 1 | 3u << 24);
    store_le32(frame.rig->memory + RIG_RECORD + 4, VG_SHADERS);
    rig_u8(frame.rig, 66);
    rig_u32(frame.rig, RIG_RECORD);
    vg_rectangle(&frame, 0, 0, 8, 8);
    vg_frame_run(&frame);
    assert_string_equal(frame.rig->rules[0], "shader-record");
    assert_int_equal(count_white(&frame), 64);
    rig_free(frame.rig);
}

/* HW-2781: a frame contains VG primitives and then NV primitives. */
TEST(interleaved_shaders)
{
    struct vg_frame frame = vg_frame_begin(64, 64);
    struct rig *rig = frame.rig;
    uint32_t at = rig->at;
    vg_flat_program(&frame, 0, RIG_WHITE);
    rig_shader_record(rig, 1, 12, 0);
    rig->at = RIG_INDICES; /* NV vertices; RIG_VERTICES has the VG coordinates */
    rig_vertex(rig, 20, 20);
    rig_vertex(rig, 30, 20);
    rig_vertex(rig, 20, 30);
    store_le32(rig->memory + RIG_RECORD + 12, RIG_INDICES);
    rig->at = at;
    vg_rectangle(&frame, 0, 0, 8, 8);
    rig_u8(rig, 65);
    rig_u32(rig, RIG_RECORD);
    rig_array(rig, 4, 3, 0);
    vg_frame_run(&frame);
    assert_int_equal(rig->warnings, 0); /* only a note, because no board has the affected silicon */
    assert_string_equal(rig->rules[0], "vg-interleaved");
    assert_int_equal(count_white(&frame), 64 + 45);
    end(&frame);
}
