/* SPDX-License-Identifier: MIT */
/* tlb.c - tests of the Tile Buffer. Expected values are worked out by hand from manual section 5
 * and tables 27, 28 and 38, unless a comment names another origin. */
#include "vc4/tile/tlb.h"
#include "../../register.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include "base/bits.h"
#include "vc4/memory/layout.h"

enum { MEMORY = 0x100000, MEMORY_SIZE = 0x200000 };

/* Record ids and fields of manual table 38. */
enum { STORE = 24, STORE_EOF = 25, STORE_FULL = 26, STORE_GENERAL = 28 };
enum {
    FRAME_565_DITHERED = 0,
    FRAME_8888 = 1 << 2,
    FRAME_565 = 2 << 2,
    FRAME_T = 1 << 6,
    FRAME_LT = 2 << 6,
    FRAME_MASK = 1 << 8
};
enum { NONE, COLOUR, ZS, Z_ONLY, MASK, FULL };
enum {
    GENERAL_T = 1 << 4,
    GENERAL_LT = 2 << 4,
    GENERAL_565_DITHERED = 1 << 8,
    GENERAL_565 = 2 << 8,
    KEEP_COLOUR = 1 << 13,
    KEEP_ZS = 1 << 14,
    KEEP_MASK = 1 << 15,
    KEEP_ALL = 7 << 13
};
enum { OMIT_COLOUR = 1, OMIT_ZS = 2, OMIT_MASK = 4, GENERAL_EOF = 8, NO_CLEAR = 4, FULL_EOF = 8 };

/* Returns the index of a pixel in the tile buffer. The pixel's number counts in row order in a
 * 64 x 64 tile. */
static uint32_t raster(uint32_t pixel)
{
    const struct tlb_geometry tile = {.width = 64, .height = 64, .samples = 1, .words = 1};
    return tlb_sample_index(&tile, pixel % 64, pixel / 64, 0);
}

struct machine {
    struct fault_log log;
    struct bus bus;
    struct tlb tlb;
    uint8_t *memory;
};

static struct tlb_ports ports;

static int setup(void **state)
{
    struct machine *machine = test_calloc(1, sizeof *machine);
    machine->bus.log = &machine->log;
    assert_int_equal(bus_map(&machine->bus, MEMORY, MEMORY_SIZE, NULL), TESS_OK);
    machine->memory = bus_peek(&machine->bus, MEMORY, MEMORY_SIZE);
    ports = (struct tlb_ports){.bus = &machine->bus, .log = &machine->log};
    tlb_reset(&machine->tlb);
    *state = machine;
    return 0;
}

static int teardown(void **state)
{
    struct machine *machine = *state;
    bus_free(&machine->bus);
    test_free(machine);
    return 0;
}

/* --- records --- */

static void configure(struct tlb *tlb, uint32_t address, uint16_t width, uint16_t height,
                      uint16_t flags)
{
    uint8_t data[10];
    store_le32(data, address);
    store_le16(data + 4, width);
    store_le16(data + 6, height);
    store_le16(data + 8, flags);
    tlb_configure(tlb, &ports, data);
}

static void clear_values(struct tlb *tlb, uint32_t even, uint32_t odd, uint32_t z, uint8_t mask,
                         uint8_t stencil)
{
    uint8_t data[13];
    store_le32(data, even);
    store_le32(data + 4, odd);
    store_le32(data + 8, z | (uint32_t)mask << 24);
    data[12] = stencil;
    tlb_clear_colours(tlb, data);
}

static void coordinates(struct tlb *tlb, uint8_t column, uint8_t row)
{
    tlb_tile_coordinates(tlb, &ports, (uint8_t[]){column, row});
}

static void general(uint8_t data[6], uint32_t bits, uint32_t address)
{
    store_le16(data, (uint16_t)bits);
    store_le32(data + 2, address);
}

static bool store_general(struct tlb *tlb, uint32_t bits, uint32_t address)
{
    uint8_t data[6];
    general(data, bits, address);
    return tlb_store(tlb, &ports, STORE_GENERAL, data);
}

static bool store_full(struct tlb *tlb, uint32_t address)
{
    uint8_t data[4];
    store_le32(data, address);
    return tlb_store(tlb, &ports, STORE_FULL, data);
}

static void load_general(struct tlb *tlb, uint32_t bits, uint32_t address)
{
    uint8_t data[6];
    general(data, bits, address);
    tlb_load_general(tlb, &ports, data);
}

static void load_full(struct tlb *tlb, uint32_t address)
{
    uint8_t data[4];
    store_le32(data, address);
    tlb_load_full(tlb, &ports, data);
}

/* Opens tile (0, 0) of a frame that is cleared to the given values. */
static void begin(struct machine *machine, uint16_t width, uint16_t height, uint16_t flags)
{
    configure(&machine->tlb, MEMORY, width, height, flags);
    coordinates(&machine->tlb, 0, 0);
    store_general(&machine->tlb, NONE, 0);
    coordinates(&machine->tlb, 0, 0);
}

/* --- shader side --- */

/* Lane i's quad lies at x = 2 * (i >> 2), y = 0, so all quads are side by side. */
static struct tlb_fragment fragment(void)
{
    struct tlb_fragment made = {.x = {0, 2, 4, 6}, .depth_function = TLB_ALWAYS};
    memset(made.ms_flags, 0xf, sizeof made.ms_flags);
    tlb_fragment_start(&made);
    return made;
}

#define EVERY_LANE(value) ((lanes){0} + (uint32_t)(value))

static uint32_t read32(const struct machine *machine, uint32_t offset)
{
    return load_le32(machine->memory + offset);
}

TEST_WITH(test_lanes_are_quads, setup, teardown)
{
    struct machine *machine = *fixture;
    begin(machine, 64, 64, FRAME_8888);
    struct tlb_fragment f = {.x = {0, 62, 10, 0}, .y = {0, 62, 4, 0}};
    memset(f.ms_flags, 0xf, 12); /* the fourth quad has no samples */
    lanes colour;
    for (uint32_t i = 0; i < LANES; i++)
        colour[i] = 100 + i;
    tlb_write_colour(&machine->tlb, &ports, &f, &colour, ALL_LANES, true);
    tlb_store(&machine->tlb, &ports, STORE, NULL);
    assert_int_equal(read32(machine, 0), 100);
    assert_int_equal(read32(machine, 4), 101);
    assert_int_equal(read32(machine, 256), 102);
    assert_int_equal(read32(machine, 256 + 4), 103);
    assert_int_equal(read32(machine, 62 * 256 + 62 * 4), 104);
    assert_int_equal(read32(machine, 63 * 256 + 63 * 4), 107);
    assert_int_equal(read32(machine, 4 * 256 + 10 * 4), 108);
    assert_int_equal(read32(machine, 5 * 256 + 10 * 4), 110);
}

/* The pixels of tile (3, 2) begin at (192, 128). */
TEST_WITH(test_position_counts_inside_tile, setup, teardown)
{
    struct machine *machine = *fixture;
    configure(&machine->tlb, MEMORY, 640, 480, FRAME_8888);
    coordinates(&machine->tlb, 0, 0);
    store_general(&machine->tlb, NONE, 0);
    coordinates(&machine->tlb, 3, 2);
    struct tlb_fragment f = fragment();
    for (uint32_t quad = 0; quad < 4; quad++) {
        f.x[quad] = (uint16_t)(192 + 2 * quad);
        f.y[quad] = 130;
    }
    lanes colour = EVERY_LANE(7), out;
    tlb_write_colour(&machine->tlb, &ports, &f, &colour, ALL_LANES, false);
    tlb_read_colour(&machine->tlb, &f, &out);
    for (uint32_t i = 0; i < LANES; i++)
        assert_int_equal(out[i], 7);
    tlb_store(&machine->tlb, &ports, STORE, NULL);
    assert_int_equal(read32(machine, 130 * 2560 + 192 * 4), 7);
    assert_int_equal(read32(machine, 131 * 2560 + 199 * 4), 7);
    assert_int_equal(read32(machine, 132 * 2560 + 192 * 4), 0);
    assert_int_equal(machine->log.errors, 0);
}

TEST_WITH(test_colour_obeys_conditions_and_flags, setup, teardown)
{
    struct machine *machine = *fixture;
    clear_values(&machine->tlb, 5, 5, 0, 0, 0);
    begin(machine, 64, 64, FRAME_8888);
    struct tlb_fragment f = fragment();
    f.ms_flags[1] = 0;
    lanes colour = EVERY_LANE(9), out;
    tlb_write_colour(&machine->tlb, &ports, &f, &colour, 0x0007, true);
    tlb_read_colour(&machine->tlb, &f, &out);
    assert_int_equal(out[0], 9);
    assert_int_equal(out[1], 5); /* this lane is not covered */
    assert_int_equal(out[2], 9);
    assert_int_equal(out[3], 5); /* the condition of this lane failed */
}

/* The written Z is 10. The stored Z is 20, 10 and 5. The functions are in the order of the field
 * in record 96. */
TEST_WITH(test_depth_functions, setup, teardown)
{
    static const struct {
        enum tlb_compare function;
        bool less, equal, greater;
    } cases[] = {
        /* clang-format off */
        /* clang-format off */
        {TLB_NEVER,  false, false, false},
        {TLB_LT,     true,  false, false},
        {TLB_EQ,     false, true,  false},
        {TLB_LE,     true,  true,  false},
        {TLB_GT,     false, false, true},
        {TLB_NE,     true,  false, true},
        {TLB_GE,     false, true,  true},
        {TLB_ALWAYS, true,  true,  true},
        /* clang-format on */
        /* clang-format on */
    };
    struct machine *machine = *fixture;
    begin(machine, 64, 64, FRAME_8888);
    for (size_t i = 0; i < 8; i++) {
        assert_int_equal(cases[i].function, i);
        struct tlb_fragment f = fragment();
        lanes stored = EVERY_LANE(20), incoming = EVERY_LANE(10);
        stored[1] = 10;
        stored[2] = 5;
        f.depth_update = true;
        tlb_write_z(&machine->tlb, &ports, &f, &stored, ALL_LANES);
        assert_int_equal(f.ms_flags[2], 0xf);
        f.depth_function = cases[i].function;
        f.depth_update = false;
        tlb_write_z(&machine->tlb, &ports, &f, &incoming, 0x000f);
        assert_int_equal(f.ms_flags[0], cases[i].less ? 0xf : 0);
        assert_int_equal(f.ms_flags[1], cases[i].equal ? 0xf : 0);
        assert_int_equal(f.ms_flags[2], cases[i].greater ? 0xf : 0);
        assert_int_equal(f.ms_flags[4], 0xf); /* the lane's condition failed, so its flags stay */
    }
}

/* Early Z drops a quad if none of its covered pixels can pass. Early Z requires that the depth
 * function matches record 113's update direction (bit 10) and that bit 11 does not disable it. */
TEST_WITH(test_early_z, setup, teardown)
{
    static const struct {
        uint16_t flags;
        enum tlb_compare function;
        lane_mask left;
    } cases[] = {
        /* clang-format off */
        {4,           TLB_LT,    0x00f7},
        {4,           TLB_LE,    0x0ff7},
        {4,           TLB_GT,    0x0ff7},
        {4 | 1 << 10, TLB_LT,    0x0ff7},
        {4 | 1 << 10, TLB_GT,    0x0007},
        {4 | 1 << 11, TLB_LT,    0x0ff7},
        {4,           TLB_NEVER, 0x0ff7},
        /* clang-format on */
    };
    struct machine *machine = *fixture;
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        clear_values(&machine->tlb, 0, 0, 100, 0, 0);
        configure(&machine->tlb, MEMORY, 64, 64, cases[i].flags);
        coordinates(&machine->tlb, 0, 0);
        store_general(&machine->tlb, NONE, 0); /* the store clears the tile */
        coordinates(&machine->tlb, 0, 0);
        /* Quad 0 has Z 50, 150, 50 and an uncovered pixel. All pixels of quad 1 are nearer than
         * the stored 100, and all of quad 2 are equal. Quad 3 is not covered. */
        struct tlb_fragment f = fragment();
        lanes z = {50, 150, 50, 50, 1, 2, 3, 4, 100, 100, 100, 100, 0, 0, 0, 0};
        f.depth_function = cases[i].function;
        for (unsigned lane = 0; lane < LANES; lane++)
            f.ms_flags[lane] = lane == 3 || lane >= 12 ? 0 : 0xf;
        assert_int_equal(tlb_early_z(&machine->tlb, &ports, &f, &z), cases[i].left);
        store_general(&machine->tlb, NONE, 0);
    }
}

TEST_WITH(test_depth_update, setup, teardown)
{
    struct machine *machine = *fixture;
    clear_values(&machine->tlb, 0, 0, 0xffffff, 0, 0x5a);
    begin(machine, 64, 64, FRAME_8888);
    struct tlb_fragment f = fragment();
    f.depth_function = TLB_LT;
    lanes z = EVERY_LANE(0xab000123); /* the upper byte of Z is ignored */
    tlb_write_z(&machine->tlb, &ports, &f, &z, ALL_LANES);
    assert_int_equal(machine->tlb.zs[raster(0)], 0xffffff5a);
    f.depth_update = true;
    tlb_write_z(&machine->tlb, &ports, &f, &z, ALL_LANES);
    assert_int_equal(machine->tlb.zs[raster(0)], 0x0001235a);
    z = EVERY_LANE(0x124); /* fails the depth test: Z and all other contents stay */
    tlb_write_z(&machine->tlb, &ports, &f, &z, ALL_LANES);
    assert_int_equal(machine->tlb.zs[raster(0)], 0x0001235a);
    assert_int_equal(f.ms_flags[0], 0);
    lanes colour = EVERY_LANE(1), out;
    tlb_write_colour(&machine->tlb, &ports, &f, &colour, ALL_LANES, true);
    tlb_read_colour(&machine->tlb, &f, &out);
    assert_int_equal(out[0], 0);
}

/* Returns a setup word with the fields of manual table 27. */
static uint32_t stencil_word(uint32_t faces, uint32_t mask_code, uint32_t z_fail, uint32_t z_pass,
                             uint32_t fail, uint32_t function, uint32_t reference, uint32_t mask)
{
    return faces << 30 | mask_code << 28 | z_fail << 25 | z_pass << 22 | fail << 19 |
           function << 16 | reference << 8 | mask;
}

/* Writes Z to one pixel with this stencil value and a stored Z of 100. Returns the stencil value
 * after the write. */
static uint32_t run_stencil(struct machine *machine, struct tlb_fragment *f, uint32_t word,
                            uint32_t stored, uint32_t z)
{
    machine->tlb.zs[raster(0)] = 100 << 8 | stored;
    tlb_stencil_setup(&machine->tlb, f, word);
    lanes depth = EVERY_LANE(z);
    tlb_write_z(&machine->tlb, &ports, f, &depth, 1);
    return machine->tlb.zs[raster(0)] & 0xff;
}

/* Table 27: codes 0 to 7 are zero, keep, replace, incsat, decsat, invert, inc, dec. The
 * reference is 0x3c. */
TEST_WITH(test_stencil_operations, setup, teardown)
{
    static const struct {
        uint8_t stored, expected[8];
    } cases[] = {
        {0x00, {0x00, 0x00, 0x3c, 0x01, 0x00, 0xff, 0x01, 0xff}},
        {0x7f, {0x00, 0x7f, 0x3c, 0x80, 0x7e, 0x80, 0x80, 0x7e}},
        {0xff, {0x00, 0xff, 0x3c, 0xff, 0xfe, 0x00, 0x00, 0xfe}},
    };
    enum { KEEP = 1, NEVER = 0, ALWAYS = 7 };
    struct machine *machine = *fixture;
    begin(machine, 64, 64, FRAME_8888);
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++)
        for (uint32_t op = 0; op < 8; op++) {
            uint8_t stored = cases[i].stored, expected = cases[i].expected[op];
            struct tlb_fragment f = fragment();
            f.depth_function = TLB_LT;
            uint32_t z_pass = stencil_word(1, 3, KEEP, op, KEEP, ALWAYS, 0x3c, 0xff);
            assert_int_equal(run_stencil(machine, &f, z_pass, stored, 99), expected);
            assert_int_equal(f.ms_flags[0], 0xf);

            uint32_t z_fail = stencil_word(1, 3, op, KEEP, KEEP, ALWAYS, 0x3c, 0xff);
            assert_int_equal(run_stencil(machine, &f, z_fail, stored, 100), expected);
            assert_int_equal(f.ms_flags[0], 0);

            f = fragment(); /* the depth test would pass, but the stencil test fails first */
            f.depth_update = true;
            uint32_t fail = stencil_word(1, 3, KEEP, KEEP, op, NEVER, 0x3c, 0xff);
            assert_int_equal(run_stencil(machine, &f, fail, stored, 99), expected);
            assert_int_equal(f.ms_flags[0], 0);
            assert_int_equal(machine->tlb.zs[raster(0)] >> 8, 100);
        }
}

/* The stencil test is (reference & mask) OP (stored & mask). Here reference 0x12 under mask 0x0f
 * is 2. */
TEST_WITH(test_stencil_functions, setup, teardown)
{
    static const struct {
        uint8_t stored;
        bool passes[8];
    } cases[] = {
        {0xf1, {false, false, false, false, true, true, true, true}}, /* compares 2 with 1 */
        {0x42, {false, false, true, true, false, false, true, true}}, /* compares 2 with 2 */
        {0x03, {false, true, false, true, false, true, false, true}}, /* compares 2 with 3 */
    };
    struct machine *machine = *fixture;
    begin(machine, 64, 64, FRAME_8888);
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++)
        for (uint32_t function = 0; function < 8; function++) {
            struct tlb_fragment f = fragment();
            uint32_t word = stencil_word(3, 3, 1, 1, 1, function, 0x12, 0x0f);
            run_stencil(machine, &f, word, cases[i].stored, 5);
            assert_int_equal(f.ms_flags[0], cases[i].passes[function] ? 0xf : 0);
        }
}

/* Write mask codes 0 to 3 are 0x01, 0x03, 0x0f, 0xff. The operation replaces 0xaa by 0x55. */
TEST_WITH(test_stencil_write_masks, setup, teardown)
{
    static const uint8_t expected[4] = {0xab, 0xa9, 0xa5, 0x55};
    struct machine *machine = *fixture;
    begin(machine, 64, 64, FRAME_8888);
    struct tlb_fragment f = fragment();
    for (uint32_t code = 0; code < 4; code++) {
        uint32_t word = stencil_word(3, code, 2, 2, 2, 7, 0x55, 0xff);
        assert_int_equal(run_stencil(machine, &f, word, 0xaa, 0), expected[code]);
    }
    /* A full word sets the back face to 0xff, and a later word the front face to 0xf0. The later
     * of two writes takes effect, in both orders. */
    assert_int_equal(run_stencil(machine, &f, 0x0000fff0, 0xaa, 0), 0x5a);
    f.rev_flag = 1;
    assert_int_equal(run_stencil(machine, &f, 0x0000fff0, 0xaa, 0), 0x55);
    assert_int_equal(run_stencil(machine, &f, stencil_word(2, 0, 2, 2, 2, 7, 0x55, 0xff), 0xaa, 0),
                     0xab);
}

TEST_WITH(test_stencil_faces, setup, teardown)
{
    struct machine *machine = *fixture;
    begin(machine, 64, 64, FRAME_8888);
    struct tlb_fragment f = fragment();
    /* Only the back face has a setup, which replaces by 9. Lanes of front faces have no stencil
     * test. */
    tlb_stencil_setup(&machine->tlb, &f, stencil_word(2, 3, 2, 2, 2, 7, 9, 0xff));
    assert_false(f.front.enabled);
    assert_true(f.back.enabled);
    f.rev_flag = 0x0002;
    lanes z = EVERY_LANE(0);
    tlb_write_z(&machine->tlb, &ports, &f, &z, ALL_LANES);
    assert_int_equal(machine->tlb.zs[raster(0)], 0);
    assert_int_equal(machine->tlb.zs[raster(1)], 9);
    /* Now the front face also has a setup, which replaces by 3. */
    tlb_stencil_setup(&machine->tlb, &f, stencil_word(1, 3, 2, 2, 2, 7, 3, 0xff));
    tlb_write_z(&machine->tlb, &ports, &f, &z, ALL_LANES);
    assert_int_equal(machine->tlb.zs[raster(0)], 3);
    assert_int_equal(machine->tlb.zs[raster(1)], 9);
    /* Each fragment run begins without a stencil setup (manual, "Z and Stencil"). */
    tlb_fragment_start(&f);
    assert_false(f.front.enabled || f.back.enabled);
}

TEST_WITH(test_alpha_mask, setup, teardown)
{
    struct machine *machine = *fixture;
    clear_values(&machine->tlb, 0, 0, 0, 0x77, 0);
    begin(machine, 64, 64, FRAME_8888 | FRAME_MASK);
    struct tlb_fragment f = fragment();
    f.ms_flags[2] = 0;
    lanes value = EVERY_LANE(0x1234), out;
    tlb_write_mask(&machine->tlb, &ports, &f, &value, 0x0006);
    tlb_read_mask(&machine->tlb, &ports, &f, &out);
    assert_int_equal(out[0], 0x77);
    assert_int_equal(out[1], 0x34);
    assert_int_equal(out[2], 0x77);
    assert_int_equal(machine->log.errors, 0);

    begin(machine, 64, 64, FRAME_8888);
    assert_int_equal(machine->log.count[FAULT_TLB_ORDER], 1); /* this is an error, because the
                                                                 tile is still open */
    tlb_write_mask(&machine->tlb, &ports, &f, &value, 0x0006);
    tlb_read_mask(&machine->tlb, &ports, &f, &out);
    assert_int_equal(machine->log.count[FAULT_TLB_CONFIG], 2);
}

/* --- stores --- */

/* Fills the tile buffer with a pattern that differs in every pixel and plane. */
static void fill(struct tlb *tlb)
{
    for (uint32_t i = 0; i < (64 * 64); i++) {
        tlb->colour[raster(i)] = 0x01000193u * (i + 1);
        tlb->zs[raster(i)] = 0x85ebca6bu * (i + 7);
        tlb->mask[raster(i)] = (uint8_t)(i * 29 + 3);
    }
}

TEST_WITH(test_clears, setup, teardown)
{
    struct machine *machine = *fixture;
    struct tlb *tlb = &machine->tlb;
    clear_values(tlb, 0x11111111, 0x22222222, 0x123456, 0x33, 0x44);
    configure(tlb, MEMORY, 64, 64, FRAME_8888);
    coordinates(tlb, 0, 0);
    assert_int_equal(tlb->colour[raster(0)], 0); /* the store has cleared the tile */
    store_general(tlb, NONE, 0);
    for (uint32_t i = 0; i < (64 * 64); i++) {
        assert_int_equal(tlb->colour[raster(i)], i % 2 ? 0x22222222 : 0x11111111);
        assert_int_equal(tlb->zs[raster(i)], 0x12345644);
        assert_int_equal(tlb->mask[raster(i)], 0x33);
    }
    assert_int_equal(tlb->tiles_stored, 0);

    static const struct {
        uint32_t bits;
        bool colour, zs, mask;
    } cases[] = {
        {KEEP_COLOUR, false, true, true},
        {KEEP_ZS, true, false, true},
        {KEEP_MASK, true, true, false},
        {KEEP_ALL, false, false, false},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        coordinates(tlb, 0, 0);
        fill(tlb);
        uint32_t colour = tlb->colour[raster(5)], zs = tlb->zs[raster(5)];
        uint8_t mask = tlb->mask[raster(5)];
        store_general(tlb, COLOUR | cases[i].bits, MEMORY);
        assert_int_equal(tlb->colour[raster(5)], cases[i].colour ? 0x22222222 : colour);
        assert_int_equal(tlb->zs[raster(5)], cases[i].zs ? 0x12345644 : zs);
        assert_int_equal(tlb->mask[raster(5)], cases[i].mask ? 0x33 : mask);
    }

    coordinates(tlb, 0, 0);
    fill(tlb);
    tlb_store(tlb, &ports, STORE, NULL);
    assert_int_equal(tlb->colour[raster(4)], 0x11111111);
    coordinates(tlb, 0, 0);
    fill(tlb);
    uint32_t kept = tlb->colour[raster(4)];
    store_full(tlb, MEMORY | NO_CLEAR);
    assert_int_equal(tlb->colour[raster(4)], kept);
    coordinates(tlb, 0, 0);
    store_full(tlb, MEMORY);
    assert_int_equal(tlb->colour[raster(4)], 0x11111111);
    assert_int_equal(tlb->mask[raster(4)], 0x33);
    assert_int_equal(tlb->tiles_stored, 7);
    assert_int_equal(machine->log.errors, 0);
}

TEST_WITH(test_end_of_frame, setup, teardown)
{
    struct machine *machine = *fixture;
    struct tlb *tlb = &machine->tlb;
    begin(machine, 64, 64, FRAME_8888);
    assert_false(tlb_store(tlb, &ports, STORE, NULL));
    coordinates(tlb, 0, 0);
    assert_true(tlb_store(tlb, &ports, STORE_EOF, NULL));
    coordinates(tlb, 0, 0);
    assert_false(store_full(tlb, MEMORY));
    coordinates(tlb, 0, 0);
    assert_true(store_full(tlb, MEMORY | FULL_EOF));
    coordinates(tlb, 0, 0);
    assert_false(store_general(tlb, COLOUR, MEMORY));
    coordinates(tlb, 0, 0);
    assert_true(store_general(tlb, NONE, GENERAL_EOF));
    assert_int_equal(machine->log.errors, 0);
}

/* The stored 16 bits are R[15:11] from byte 0, G[10:5] from byte 1, and B[4:0] from byte 2, as
 * Mesa uses RGB565 surfaces. */
TEST_WITH(test_565_store, setup, teardown)
{
    struct machine *machine = *fixture;
    begin(machine, 64, 64, FRAME_565);
    machine->tlb.colour[raster(0)] = 0xaa0f84ff; /* R is 31, G 0x21, B 1 */
    machine->tlb.colour[raster(1)] = 0x00ff0000;
    machine->tlb.colour[raster(64)] = 0x0000ff00;
    tlb_store(&machine->tlb, &ports, STORE, NULL);
    assert_int_equal(load_le16(machine->memory), 0xfc21);
    assert_int_equal(load_le16(machine->memory + 2), 0x001f);
    assert_int_equal(load_le16(machine->memory + 128), 0x07e0);
}

/* Thresholds of the Bayer matrix are 0 8 2 10 in row 0, and 12 4 14 6 in row 1. R and B lose
 * three bits, and half of the threshold is added to them. G loses two bits, and a quarter of the
 * threshold is added. So 4 in R becomes 1 from threshold 8 on, and 5 in G becomes 2 from
 * threshold 12 on. */
TEST_WITH(test_565_dither, setup, teardown)
{
    struct machine *machine = *fixture;
    begin(machine, 64, 64, FRAME_565_DITHERED);
    struct tlb *tlb = &machine->tlb;
    for (uint32_t i = 0; i < (64 * 64); i++)
        tlb->colour[raster(i)] = 0x00040504;
    tlb->colour[raster(2)] = 0xffffffff;
    tlb->colour[raster(65)] = 0;
    tlb_store(tlb, &ports, STORE, NULL);
    assert_int_equal(load_le16(machine->memory), 0x0020);
    assert_int_equal(load_le16(machine->memory + 2), 0x0821);
    assert_int_equal(load_le16(machine->memory + 4), 0xffff); /* white and black are not dithered */
    assert_int_equal(load_le16(machine->memory + 128), 0x0841);
    assert_int_equal(load_le16(machine->memory + 130), 0x0000);
    assert_int_equal(load_le16(machine->memory + 8), 0x0020); /* the matrix repeats every four
                                                                 pixels */

    coordinates(tlb, 0, 0);
    tlb->colour[raster(0)] = 0x00040504;
    tlb->colour[raster(1)] = 0x00040504;
    store_general(tlb, COLOUR | GENERAL_565_DITHERED, MEMORY + 0x10000);
    assert_int_equal(load_le16(machine->memory + 0x10002), 0x0821);
    coordinates(tlb, 0, 0);
    tlb->colour[raster(1)] = 0x00040504;
    store_general(tlb, COLOUR | GENERAL_565, MEMORY + 0x10000);
    assert_int_equal(load_le16(machine->memory + 0x10002), 0x0020);
}

TEST_WITH(test_565_load, setup, teardown)
{
    static const uint32_t formats[] = {GENERAL_565, GENERAL_565_DITHERED};
    struct machine *machine = *fixture;
    begin(machine, 64, 64, FRAME_565);
    tlb_store(&machine->tlb, &ports, STORE, NULL);
    store_le16(machine->memory + 128 + 2, 0xfc21);
    for (size_t i = 0; i < 2; i++) {
        load_general(&machine->tlb, COLOUR | formats[i], MEMORY);
        coordinates(&machine->tlb, 0, 0);
        /* R 31 -> 0xff, G 0x21 -> 0x84 | 2, B 1 -> 8, alpha 255 */
        assert_int_equal(machine->tlb.colour[raster(65)], 0xff0886ff);
        assert_int_equal(machine->tlb.colour[raster(0)], 0xff000000);
        store_general(&machine->tlb, NONE, 0);
    }
    assert_int_equal(machine->log.errors, 0);
}

static uint32_t pixel_value(const struct machine *machine, uint32_t offset, uint32_t bits)
{
    const uint8_t *at = machine->memory + offset;
    return bits == 32 ? load_le32(at) : bits == 16 ? load_le16(at) : *at;
}

/* Every buffer that can be an image, in every layout, for tile (1, 1) of a frame of 120 x 100
 * pixels. A store writes exactly the addresses that layout_offset() returns, and a load restores
 * the contents. */
TEST_WITH(test_layouts_round_trip, setup, teardown)
{
    static const struct {
        uint32_t record_bits, bits;
    } buffers[] = {{COLOUR, 32}, {COLOUR | GENERAL_565, 16}, {ZS, 32}, {MASK, 8}};
    struct machine *machine = *fixture;
    struct tlb *tlb = &machine->tlb;
    begin(machine, 120, 100, FRAME_8888 | FRAME_MASK);
    store_general(tlb, NONE, 0);
    for (size_t i = 0; i < sizeof buffers / sizeof *buffers; i++)
        for (uint32_t layout = LAYOUT_RASTER; layout <= LAYOUT_LT; layout++) {
            uint32_t bits = buffers[i].record_bits | layout << 4 | KEEP_ALL;
            memset(machine->memory, 0xee, 0x20000);
            coordinates(tlb, 1, 1);
            fill(tlb);
            for (uint32_t p = 0; p < (64 * 64); p++) /* this colour survives the conversion to
                                                        565 */
                if (buffers[i].bits == 16)
                    tlb->colour[raster(p)] = p & 1 ? 0xffff00ff : 0xff00ff00;
            struct tlb *before = test_malloc(sizeof *before);
            *before = *tlb;
            store_general(tlb, bits, MEMORY);

            struct image_layout image;
            layout_init(&image, (enum layout)layout, 120, 100, buffers[i].bits);
            uint32_t bytes = buffers[i].bits / 8, touched = 0;
            for (uint32_t y = 0; y < 36; y++)
                for (uint32_t x = 0; x < 56; x++) {
                    uint32_t offset = layout_offset(&image, 64 + x, 64 + y, NULL);
                    uint32_t p = y * 64 + x;
                    uint32_t expected = (buffers[i].record_bits & 7) == ZS ? before->zs[raster(p)]
                                        : (buffers[i].record_bits & 7) == MASK
                                            ? before->mask[raster(p)]
                                        : bytes == 2 ? (p & 1 ? 0xf81f : 0x07e0)
                                                     : before->colour[raster(p)];
                    assert_int_equal(pixel_value(machine, offset, buffers[i].bits), expected);
                    memset(machine->memory + offset, 0xee, bytes);
                }
            for (uint32_t at = 0; at < 0x20000; at++)
                touched += machine->memory[at] != 0xee;
            assert_int_equal(touched, 0);

            coordinates(tlb, 1, 1);
            store_general(tlb, bits, MEMORY);
            load_general(tlb, bits, MEMORY);
            memset(tlb->colour, 0x99, sizeof tlb->colour);
            memset(tlb->zs, 0x99, sizeof tlb->zs);
            memset(tlb->mask, 0x99, sizeof tlb->mask);
            coordinates(tlb, 1, 1);
            uint32_t plane = buffers[i].record_bits & 7;
            for (uint32_t p = 0; p < (64 * 64); p++) {
                bool inside = p % 64 < 56 && p / 64 < 36;
                assert_int_equal(tlb->colour[raster(p)], inside && plane == COLOUR
                                                             ? before->colour[raster(p)]
                                                             : 0x99999999);
                assert_int_equal(tlb->zs[raster(p)],
                                 inside && plane == ZS ? before->zs[raster(p)] : 0x99999999);
                assert_int_equal(tlb->mask[raster(p)],
                                 inside && plane == MASK ? before->mask[raster(p)] : 0x99);
            }
            store_general(tlb, NONE, 0);
            test_free(before);
        }
    assert_int_equal(machine->log.errors, 0);
}

/* Positions of manual figures 13 to 15, worked out by hand, for a frame of 64 x 64 at 32 bits.
 * Microtiles have 4 x 4 pixels, tiles 32 x 32. Pixel (5, 6) is in microtile (1, 1), so its
 * T-format offset is 5 * 64 + 9 * 4. Pixel (0, 32) is in the odd row of tiles, which runs right
 * to left. The pixel is therefore in tile 3, and in the tile's third subtile. */
TEST_WITH(test_t_and_lt_places, setup, teardown)
{
    struct machine *machine = *fixture;
    begin(machine, 64, 64, FRAME_8888 | FRAME_T);
    machine->tlb.colour[raster(6 * 64 + 5)] = 0xcafe;
    machine->tlb.colour[raster(32 * 64)] = 0xbeef;
    tlb_store(&machine->tlb, &ports, STORE, NULL);
    assert_int_equal(read32(machine, 356), 0xcafe);
    assert_int_equal(read32(machine, 3 * 4096 + 2 * 1024), 0xbeef);
    /* LT format: the pixel is in microtile (1, 1), and a row has 16 microtiles. */
    begin(machine, 64, 64, FRAME_8888 | FRAME_LT);
    machine->tlb.colour[raster(6 * 64 + 5)] = 0xcafe;
    tlb_store(&machine->tlb, &ports, STORE, NULL);
    assert_int_equal(read32(machine, 17 * 64 + 36), 0xcafe);
}

/* The pitch of raster format is the width in bytes, padded to 16: 13 pixels of 16 bits are 26
 * bytes, padded to 32. */
TEST_WITH(test_pitch, setup, teardown)
{
    struct machine *machine = *fixture;
    begin(machine, 13, 2, FRAME_565);
    memset(machine->memory, 0xee, 80);
    machine->tlb.colour[raster(64 + 12)] = 0xffffff;
    tlb_store(&machine->tlb, &ports, STORE, NULL);
    assert_int_equal(load_le16(machine->memory + 32 + 24), 0xffff);
    assert_int_equal(machine->memory[26], 0xee);
    assert_int_equal(machine->memory[32 + 26], 0xee);
    assert_int_equal(machine->memory[64], 0xee);
}

/* JayStation's frame of 640 x 480 pixels has ten columns and eight rows of tiles. The upper half
 * of row 7 (pixels 448..511) is outside of the frame. */
TEST_WITH(test_partial_row_of_640x480, setup, teardown)
{
    struct machine *machine = *fixture;
    clear_values(&machine->tlb, 0xff00ffff, 0xff00ffff, 0, 0, 0);
    begin(machine, 640, 480, FRAME_8888);
    tlb_store(&machine->tlb, &ports, STORE, NULL);
    memset(machine->memory, 0, MEMORY_SIZE);
    coordinates(&machine->tlb, 9, 7);
    tlb_store(&machine->tlb, &ports, STORE, NULL);
    assert_int_equal(read32(machine, 448 * 2560 + 576 * 4), 0xff00ffff);
    assert_int_equal(read32(machine, 479 * 2560 + 639 * 4), 0xff00ffff);
    assert_int_equal(read32(machine, 448 * 2560 + 575 * 4), 0);
    assert_int_equal(read32(machine, 447 * 2560 + 639 * 4), 0);
    assert_int_equal(read32(machine, 480 * 2560), 0);
    assert_int_equal(read32(machine, 480 * 2560 + 639 * 4), 0);

    memset(machine->memory, 0, MEMORY_SIZE);
    static const uint8_t outside[][2] = {{10, 0}, {0, 8}, {255, 255}};
    for (size_t i = 0; i < 3; i++) {
        load_general(&machine->tlb, COLOUR, MEMORY);
        coordinates(&machine->tlb, outside[i][0], outside[i][1]);
        tlb_store(&machine->tlb, &ports, STORE, NULL);
        coordinates(&machine->tlb, outside[i][0], outside[i][1]);
        store_full(&machine->tlb, MEMORY);
    }
    for (uint32_t at = 0; at < MEMORY_SIZE; at += 4)
        assert_int_equal(read32(machine, at), 0);
    assert_int_equal(machine->log.errors, 0);
}

TEST_WITH(test_z_only_store, setup, teardown)
{
    struct machine *machine = *fixture;
    begin(machine, 64, 64, FRAME_8888);
    machine->tlb.zs[raster(3)] = 0x123456ab;
    store_general(&machine->tlb, Z_ONLY, MEMORY);
    assert_int_equal(read32(machine, 12), 0x12345600);
    assert_int_equal(machine->log.errors, 0);
    load_general(&machine->tlb, Z_ONLY, MEMORY);
    coordinates(&machine->tlb, 0, 0);
    assert_int_equal(machine->log.count[FAULT_TLB_CONFIG], 1);
}

/* Choice of this model for dumps without multisampling (docs/vc4/tlb.md). A dump consists of
 * quads of 16 bytes, 32 per row. It has 16 KiB of colour, 16 KiB of Z/stencil, and 4 KiB of
 * mask. */
TEST_WITH(test_full_dump, setup, teardown)
{
    static const struct {
        bool record_26;
        uint32_t bits, colour_at, zs_at, mask_at; /* 1 if the plane is not in the dump */
    } cases[] = {
        /* clang-format off */
        {true,  0,                     0, 0x4000, 1},
        {true,  OMIT_COLOUR,           1, 0,      1},
        {true,  OMIT_ZS,               0, 1,      1},
        {false, 0,                     0, 0x4000, 0x8000},
        {false, OMIT_MASK,             0, 0x4000, 1},
        {false, OMIT_ZS | OMIT_COLOUR, 1, 1,      0},
        /* clang-format on */
    };
    struct machine *machine = *fixture;
    struct tlb *tlb = &machine->tlb;
    begin(machine, 70, 70, FRAME_8888 | FRAME_MASK);
    store_general(tlb, NONE, 0);
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        memset(machine->memory, 0xee, 0x10000);
        coordinates(tlb, 1,
                    1); /* only 6 x 6 pixels of this tile are in the frame, but the dump has the
                           whole tile */
        fill(tlb);
        uint32_t p = 37 * 64 + 50, quad = 18 * 32 + 25, place = quad * 4 + 2;
        uint32_t colour = tlb->colour[raster(p)], zs = tlb->zs[raster(p)];
        uint8_t mask = tlb->mask[raster(p)];
        uint32_t address = MEMORY | cases[i].bits;
        if (cases[i].record_26)
            store_full(tlb, address);
        else
            store_general(tlb, FULL, address);
        if (cases[i].colour_at != 1)
            assert_int_equal(read32(machine, cases[i].colour_at + place * 4), colour);
        if (cases[i].zs_at != 1)
            assert_int_equal(read32(machine, cases[i].zs_at + place * 4), zs);
        if (cases[i].mask_at != 1)
            assert_int_equal(machine->memory[cases[i].mask_at + place], mask);

        assert_int_equal(tlb->colour[raster(p)], 0);
        if (cases[i].record_26)
            load_full(tlb, address);
        else
            load_general(tlb, FULL, address);
        coordinates(tlb, 1, 1);
        assert_int_equal(tlb->colour[raster(p)], cases[i].colour_at != 1 ? colour : 0);
        assert_int_equal(tlb->zs[raster(p)], cases[i].zs_at != 1 ? zs : 0);
        assert_int_equal(tlb->mask[raster(p)], cases[i].mask_at != 1 ? mask : 0);
        store_general(tlb, NONE, 0);
    }
    assert_int_equal(machine->log.errors, 0);
}

/* Loads two buffers with the kernel's sequence (vc4_render_cl.c): load colour, coordinates, a
 * store that stores and clears nothing, load Z/stencil, coordinates. */
TEST_WITH(test_two_loads, setup, teardown)
{
    struct machine *machine = *fixture;
    configure(&machine->tlb, MEMORY, 64, 64, FRAME_8888);
    store_le32(machine->memory, 0x01020304);
    store_le32(machine->memory + 0x4000, 0x05060708);
    load_general(&machine->tlb, COLOUR, MEMORY);
    assert_int_equal(machine->tlb.colour[raster(0)], 0); /* the load is executed only at the
                                                            coordinates */
    coordinates(&machine->tlb, 0, 0);
    store_general(&machine->tlb, NONE | KEEP_ALL, 0);
    load_general(&machine->tlb, ZS, MEMORY + 0x4000);
    coordinates(&machine->tlb, 0, 0);
    assert_int_equal(machine->tlb.colour[raster(0)], 0x01020304);
    assert_int_equal(machine->tlb.zs[raster(0)], 0x05060708);
    load_general(&machine->tlb, NONE, MEMORY);
    assert_int_equal(machine->log.count[FAULT_TLB_ORDER], 1); /* a load while a tile is open */
    store_general(&machine->tlb, COLOUR, MEMORY);
    assert_int_equal(machine->log.errors, 1);
}

/* --- findings --- */

TEST_WITH(test_order, setup, teardown)
{
    struct machine *machine = *fixture;
    struct tlb *tlb = &machine->tlb;
    const uint64_t *found = &machine->log.count[FAULT_TLB_ORDER];
    clear_values(tlb, 1, 1, 0, 0, 0); /* record 114 may precede record 113 */
    assert_int_equal(*found, 0);
    coordinates(tlb, 0, 0);
    assert_int_equal(*found, 0);
    load_general(tlb, COLOUR, MEMORY);
    assert_int_equal(*found, 1);
    load_full(tlb, MEMORY);
    assert_int_equal(*found, 2);
    assert_false(tlb_store(tlb, &ports, STORE, NULL));
    assert_int_equal(*found, 3);
    /* The end of frame takes effect, so no list waits forever. */
    assert_true(tlb_store(tlb, &ports, STORE_EOF, NULL));
    assert_int_equal(*found, 4);

    configure(tlb, MEMORY, 64, 64, FRAME_8888);
    memset(machine->memory, 0xee, 16);
    tlb_store(tlb, &ports, STORE, NULL);
    assert_int_equal(*found, 5);
    assert_int_equal(read32(machine, 0), 0xeeeeeeee);
    coordinates(tlb, 0, 0);
    coordinates(tlb, 0, 0);
    assert_int_equal(*found, 6);
    store_general(tlb, NONE, 0);
    tlb_store(tlb, &ports, STORE, NULL); /* a second store after one coordinates record */
    assert_int_equal(*found, 7);
    load_general(tlb, COLOUR, MEMORY);
    load_general(tlb, ZS, MEMORY);
    assert_int_equal(*found, 8);
    coordinates(tlb, 0, 0);
    configure(tlb, MEMORY, 64, 64, FRAME_8888);
    assert_int_equal(*found, 9);
    assert_int_equal(machine->log.errors, 9);
}

/* The lists of Linux 6.1's vc4_render_cl.c clear the tile buffer before record 113. */
TEST_WITH(test_clear_before_configuration, setup, teardown)
{
    struct machine *machine = *fixture;
    struct tlb *tlb = &machine->tlb;
    clear_values(tlb, 0xff336699, 0xff336699, 0, 0, 0);
    coordinates(tlb, 0, 0);
    store_general(tlb, NONE, 0);
    configure(tlb, MEMORY, 64, 64, FRAME_8888);
    coordinates(tlb, 0, 0);
    assert_true(tlb_store(tlb, &ports, STORE_EOF, NULL));
    assert_int_equal(read32(machine, 0), 0xff336699);
    assert_int_equal(machine->log.errors, 0);
}

TEST_WITH(test_undefined_contents, setup, teardown)
{
    struct machine *machine = *fixture;
    struct tlb *tlb = &machine->tlb;
    configure(tlb, MEMORY, 64, 64, FRAME_8888);
    coordinates(tlb, 0, 0);
    tlb_store(tlb, &ports, STORE, NULL);
    assert_int_equal(machine->log.count[FAULT_TLB_ORDER], 1);
    coordinates(tlb, 0, 0);
    tlb_store(tlb, &ports, STORE,
              NULL); /* is not reported again; the first store has cleared the tile */
    assert_int_equal(machine->log.errors, 1);

    tlb_reset(tlb);
    configure(tlb, MEMORY, 64, 64, FRAME_8888);
    load_general(tlb, COLOUR, MEMORY);
    coordinates(tlb, 0, 0);
    tlb_store(tlb, &ports, STORE, NULL);
    assert_int_equal(machine->log.errors, 1);

    tlb_reset(tlb); /* stores the part of the tile inside the frame */
    configure(tlb, MEMORY, 8, 2, FRAME_8888);
    coordinates(tlb, 0, 0);
    struct tlb_fragment f = fragment();
    lanes colour = EVERY_LANE(1);
    tlb_write_colour(tlb, &ports, &f, &colour, 0x7fff, true);
    assert_int_equal(machine->log.errors, 1);
    struct tlb *copy = test_malloc(sizeof *copy);
    *copy = *tlb;
    tlb_store(copy, &ports, STORE, NULL); /* the image lacks one pixel */
    assert_int_equal(machine->log.errors, 2);
    test_free(copy);
    tlb_write_colour(tlb, &ports, &f, &colour, 0x8000, true);
    tlb_store(tlb, &ports, STORE, NULL);
    assert_int_equal(machine->log.errors, 2);
}

TEST_WITH(test_configuration_findings, setup, teardown)
{
    static const struct {
        uint16_t flags;
        enum fault_rule rule;
    } frames[] = {
        {FRAME_8888 | 2 << 4, FAULT_TLB_CONFIG},          /* decimation by 16 without
                                                             multisampling */
        {FRAME_8888 | 3 << 4, FAULT_TLB_CONFIG},          /* reserved decimation mode */
        {FRAME_8888 | 1 << 1 | 1 << 4, FAULT_TLB_CONFIG}, /* decimation with 64-bit colour */
        {3 << 2, FAULT_TLB_CONFIG},
        {FRAME_8888 | 3 << 6, FAULT_TLB_CONFIG},
    };
    struct machine *machine = *fixture;
    struct tlb *tlb = &machine->tlb;
    for (size_t i = 0; i < sizeof frames / sizeof *frames; i++) {
        uint64_t before = machine->log.count[frames[i].rule];
        configure(tlb, MEMORY, 64, 64, frames[i].flags);
        assert_int_equal(machine->log.count[frames[i].rule], before + 1);
        assert_int_equal(machine->log.errors, i + 1);
    }
    memset(machine->memory, 0xee, 16);
    coordinates(tlb, 0, 0);
    store_general(tlb, NONE, 0);
    coordinates(tlb, 0, 0);
    tlb_store(tlb, &ports, STORE, NULL); /* a store to a reserved layout writes nothing */
    assert_int_equal(read32(machine, 0), 0xeeeeeeee);

    machine->log.errors = 0;
    configure(tlb, MEMORY, 0, 64, FRAME_8888);
    configure(tlb, MEMORY + 4, 64, 64, FRAME_8888);
    assert_int_equal(machine->log.errors, 2);
    assert_int_equal(tlb->frame.address, MEMORY);
}

TEST_WITH(test_reserved_values_of_stores_and_loads, setup, teardown)
{
    static const struct {
        uint32_t bits;
        enum fault_rule rule;
    } stores[] = {
        {6, FAULT_TLB_CONFIG},
        {7, FAULT_TLB_CONFIG},
        {COLOUR | 3 << 4, FAULT_TLB_CONFIG},
        {COLOUR | 3 << 8, FAULT_TLB_CONFIG},
        {COLOUR | 3 << 6, FAULT_TLB_CONFIG},
        {COLOUR | 2 << 6, FAULT_TLB_CONFIG}, /* decimation without multisampling */
        {MASK, FAULT_TLB_CONFIG},            /* the mask plane is not enabled */
    };
    static const uint32_t loads[] = {3, 6, 7, COLOUR | 3 << 4, COLOUR | 3 << 8};
    struct machine *machine = *fixture;
    begin(machine, 64, 64, FRAME_8888);
    store_general(&machine->tlb, NONE, 0);
    for (size_t i = 0; i < sizeof stores / sizeof *stores; i++) {
        uint64_t before = machine->log.count[stores[i].rule];
        coordinates(&machine->tlb, 0, 0);
        store_general(&machine->tlb, stores[i].bits, MEMORY);
        assert_int_equal(machine->log.count[stores[i].rule], before + 1);
        assert_int_equal(machine->log.errors, i + 1);
    }
    machine->log.errors = 0;
    for (size_t i = 0; i < sizeof loads / sizeof *loads; i++) {
        load_general(&machine->tlb, loads[i], MEMORY);
        coordinates(&machine->tlb, 0, 0);
        store_general(&machine->tlb, NONE, 0);
        assert_int_equal(machine->log.errors, i + 1);
    }
}

/* The last rows and columns of the frame are not mapped. Each tile causes one finding. The
 * mapped part is written. */
TEST_WITH(test_unmapped_target, setup, teardown)
{
    struct machine *machine = *fixture;
    struct tlb *tlb = &machine->tlb;
    clear_values(tlb, 3, 3, 3, 3, 3);
    configure(tlb, MEMORY + MEMORY_SIZE - 1024 - 16, 64, 64, FRAME_8888);
    coordinates(tlb, 0, 0);
    store_general(tlb, NONE, 0);
    coordinates(tlb, 0, 0);
    tlb_store(tlb, &ports, STORE, NULL);
    assert_int_equal(machine->log.count[FAULT_BUS_UNMAPPED], 1);
    assert_int_equal(read32(machine, MEMORY_SIZE - 4),
                     3); /* the store writes rows 0 to 3, and four pixels of row 4 */
    assert_int_equal(read32(machine, MEMORY_SIZE - 1024 - 16), 3);

    coordinates(tlb, 0, 0);
    store_general(tlb, ZS | GENERAL_T, 0x3ffffff0);
    assert_int_equal(machine->log.count[FAULT_BUS_UNMAPPED], 2);
    coordinates(tlb, 0, 0);
    store_general(tlb, FULL, 0); /* stores colour and Z/stencil */
    assert_int_equal(machine->log.count[FAULT_BUS_UNMAPPED], 4);
    store_le32(machine->memory + MEMORY_SIZE - 4, 8);
    load_general(tlb, COLOUR, MEMORY + MEMORY_SIZE - 16);
    coordinates(tlb, 0, 0);
    assert_int_equal(machine->log.count[FAULT_BUS_UNMAPPED], 5);
    assert_int_equal(tlb->colour[raster(3)], 8);
    assert_int_equal(tlb->colour[raster(4)], 0); /* unmapped memory reads as 0 */
}

/* The largest frame must not cause an arithmetic overflow or an access outside of host memory. */
TEST_WITH(test_huge_frame, setup, teardown)
{
    struct machine *machine = *fixture;
    for (uint32_t layout = 0; layout < 3; layout++) {
        configure(&machine->tlb, 0xfffffff0, 0xffff, 0xffff, (uint16_t)(FRAME_8888 | layout << 6));
        coordinates(&machine->tlb, 255, 255);
        store_general(&machine->tlb, NONE, 0);
        coordinates(&machine->tlb, 255, 255);
        tlb_store(&machine->tlb, &ports, STORE, NULL);
    }
    assert_true(machine->log.count[FAULT_BUS_UNMAPPED] <= 3);
}

/* --- multisampling, 64-bit colour, decimation, double buffering --- */

enum {
    FRAME_MS = 1 << 0,
    FRAME_64 = 1 << 1,
    FRAME_4X = 1 << 4,
    FRAME_16X = 2 << 4,
    FRAME_DOUBLE = 1 << 12,
    GENERAL_4X = 1 << 6,
    GENERAL_16X = 2 << 6,
    NO_SWAP = 1 << 12
};

/* Manual section 5: "64x64 pixels in non-multisample mode and 32x32 pixels in 4x multisample
 * mode. With 64-bit color depth the tile height is halved". With double buffering, a tile has 64
 * x 32 pixels, as in Broadcom's driver, or 32 x 32 with 64-bit colour (docs/vc4/tlb.md). */
TEST_WITH(test_tile_sizes, setup, teardown)
{
    static const struct {
        uint16_t flags;
        uint32_t width, height, samples;
    } cases[] = {
        /* clang-format off */
        /* clang-format off */
        {0,                                  64, 64, 1},
        {FRAME_MS,                           32, 32, 4},
        {FRAME_64,                           64, 32, 1},
        {FRAME_MS | FRAME_64,                32, 16, 4},
        {FRAME_DOUBLE,                       64, 32, 1},
        {FRAME_DOUBLE | FRAME_64,            32, 32, 1},
        {FRAME_DOUBLE | FRAME_MS,            32, 32, 4},
        {FRAME_DOUBLE | FRAME_MS | FRAME_64, 32, 16, 4},
        /* clang-format on */
        /* clang-format on */
    };
    struct machine *machine = *fixture;
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        configure(&machine->tlb, MEMORY, 64, 64, (uint16_t)(FRAME_8888 | cases[i].flags));
        assert_int_equal(tlb_tile_width(&machine->tlb), cases[i].width);
        assert_int_equal(tlb_tile_height(&machine->tlb), cases[i].height);
        assert_int_equal(tlb_samples(&machine->tlb), cases[i].samples);
    }
    assert_int_equal(machine->log.errors, 0);
}

/* Writes to TLB_COLOUR_MS go to samples 0 to 3, one after the other, and each write obeys its
 * sample's flag. Pixel 0 has samples 0 and 2, pixel 1 has all samples, and pixel 2 has none. The
 * store writes (a + b + c + d + 2) >> 2. */
TEST_WITH(test_samples_in_turn, setup, teardown)
{
    struct machine *machine = *fixture;
    clear_values(&machine->tlb, 0x01010101, 0x01010101, 0, 0, 0);
    begin(machine, 64, 64, FRAME_8888 | FRAME_MS | FRAME_4X);
    struct tlb_fragment f = fragment();
    f.ms_flags[0] = 5;
    f.ms_flags[2] = 0;
    for (uint32_t sample = 0; sample < 4; sample++) {
        lanes colour = EVERY_LANE(0x10 + sample * 0x11);
        tlb_write_colour(&machine->tlb, &ports, &f, &colour, 0x00ff, false);
    }
    static const uint32_t expected[4][3] = {{0x10, 0x10, 0x01010101},
                                            {0x01010101, 0x21, 0x01010101},
                                            {0x32, 0x32, 0x01010101},
                                            {0x01010101, 0x43, 0x01010101}};
    for (uint32_t sample = 0; sample < 4; sample++) {
        lanes out;
        tlb_read_colour(&machine->tlb, &f, &out);
        for (uint32_t lane = 0; lane < 3; lane++)
            assert_int_equal(out[lane], expected[sample][lane]);
        assert_int_equal(out[15], 0x01010101);
    }
    tlb_store(&machine->tlb, &ports, STORE, NULL);
    /* Pixel 0: the low byte is (0x10 + 1 + 0x32 + 1 + 2) / 4 = 17, and the other bytes are (1 +
     * 1 + 2) / 4 = 1. */
    assert_int_equal(read32(machine, 0), 0x01010111);
    assert_int_equal(read32(machine, 4), (0x10 + 0x21 + 0x32 + 0x43 + 2) / 4);
    assert_int_equal(machine->log.errors, 0);
}

/* TLB_COLOUR_ALL writes all samples that the flags enable. Record 24 without decimation stores
 * sample 0. */
TEST_WITH(test_all_samples, setup, teardown)
{
    struct machine *machine = *fixture;
    begin(machine, 64, 64, FRAME_8888 | FRAME_MS);
    struct tlb_fragment f = fragment();
    f.ms_flags[1] = 0xe;
    lanes colour = EVERY_LANE(8);
    tlb_write_colour(&machine->tlb, &ports, &f, &colour, ALL_LANES, true);
    store_general(&machine->tlb, COLOUR | GENERAL_4X | KEEP_ALL, MEMORY + 0x8000);
    assert_int_equal(read32(machine, 0x8000), 8);
    assert_int_equal(read32(machine, 0x8004), 6); /* (0 + 3 * 8 + 2) >> 2 */
    coordinates(&machine->tlb, 0, 0);
    tlb_store(&machine->tlb, &ports, STORE, NULL);
    assert_int_equal(read32(machine, 0), 8);
    assert_int_equal(read32(machine, 4), 0);
}

/* Each sample has its own Z and stencil. A sample that fails a test loses only its own flag. */
TEST_WITH(test_depth_of_samples, setup, teardown)
{
    struct machine *machine = *fixture;
    clear_values(&machine->tlb, 0, 0, 100, 0, 7);
    begin(machine, 64, 64, FRAME_8888 | FRAME_MS);
    struct tlb *tlb = &machine->tlb;
    struct tlb_fragment f = fragment();
    f.depth_function = TLB_LT;
    f.depth_update = true;
    f.ms_flags[0] = 0x3;
    lanes z = EVERY_LANE(50);
    tlb_write_z(tlb, &ports, &f, &z, 1);
    assert_int_equal(f.ms_flags[0], 0x3);
    f.ms_flags[0] = 0xf;
    z = EVERY_LANE(60); /* nearer than samples 2 and 3, not than 0 and 1 */
    tlb_write_z(tlb, &ports, &f, &z, 1);
    assert_int_equal(f.ms_flags[0], 0xc);
    for (uint32_t s = 0; s < 4; s++)
        assert_int_equal(tlb->zs[tlb_sample_index(&tlb->tile, 0, 0, s)],
                         (s < 2 ? 50 : 60) << 8 | 7);
    /* The depth test fails for samples 0 and 1, whose stencil values count up. It passes for
     * samples 2 and 3, whose values count down. */
    f.ms_flags[0] = 0xf;
    tlb_stencil_setup(tlb, &f, stencil_word(3, 3, 6, 7, 1, 7, 0, 0xff));
    z = EVERY_LANE(55);
    tlb_write_z(tlb, &ports, &f, &z, 1);
    assert_int_equal(f.ms_flags[0], 0xc);
    for (uint32_t s = 0; s < 4; s++)
        assert_int_equal(tlb->zs[tlb_sample_index(&tlb->tile, 0, 0, s)],
                         s < 2 ? 50 << 8 | 8 : 55 << 8 | 6);
    /* Early Z keeps a quad if at least one covered sample can pass. */
    z = EVERY_LANE(52);
    f.ms_flags[0] = 0xf;
    memset(f.ms_flags + 1, 0, 15);
    assert_int_equal(tlb_early_z(tlb, &ports, &f, &z), 1);
    f.ms_flags[0] = 0x3;
    assert_int_equal(tlb_early_z(tlb, &ports, &f, &z), 0);
}

/* Mesa's vc4_nir_lower_txf_ms.c reads multisample dumps at (y / 2) * 1024 + (x / 2) * 64 + sample *
 * 16 + (y & 1) * 8 + (x & 1) * 4. Z/stencil follow after 16 KiB. A load restores both. */
TEST_WITH(test_multisample_dump, setup, teardown)
{
    struct machine *machine = *fixture;
    struct tlb *tlb = &machine->tlb;
    begin(machine, 64, 64, FRAME_8888 | FRAME_MS);
    for (uint32_t y = 0; y < 32; y++)
        for (uint32_t x = 0; x < 32; x++)
            for (uint32_t s = 0; s < 4; s++) {
                uint32_t index = tlb_sample_index(&tlb->tile, x, y, s);
                tlb->colour[index] = y << 16 | x << 8 | s;
                tlb->zs[index] = 0x80000000 | y << 16 | x << 8 | s;
            }
    store_full(tlb, MEMORY);
    for (uint32_t y = 0; y < 32; y++)
        for (uint32_t x = 0; x < 32; x++)
            for (uint32_t s = 0; s < 4; s++) {
                uint32_t at = y / 2 * 1024 + x / 2 * 64 + s * 16 + (y & 1) * 8 + (x & 1) * 4;
                assert_int_equal(read32(machine, at), y << 16 | x << 8 | s);
                assert_int_equal(read32(machine, 0x4000 + at), 0x80000000 | y << 16 | x << 8 | s);
            }
    load_full(tlb, MEMORY);
    coordinates(tlb, 1, 1);
    assert_int_equal(tlb->colour[tlb_sample_index(&tlb->tile, 31, 30, 2)], 30 << 16 | 31 << 8 | 2);
    assert_int_equal(tlb->zs[tlb_sample_index(&tlb->tile, 3, 7, 3)],
                     0x80000000 | 7 << 16 | 3 << 8 | 3);
    /* Erratum HW-2905: early Z is used after a load of a multisample dump. */
    struct tlb_fragment f = fragment();
    lanes z = EVERY_LANE(1);
    f.depth_function = TLB_LT;
    tlb_early_z(tlb, &ports, &f, &z);
    tlb_early_z(tlb, &ports, &f, &z);
    assert_int_equal(machine->log.count[FAULT_TLB_EARLY_Z_RELOAD], 1);
    assert_int_equal(machine->log.errors, 0);
}

/* A general load writes a pixel's value to all four samples. Stores of Z/stencil read sample 0. The
 * second tile of 32 x 32 begins at (32, 0). */
TEST_WITH(test_multisample_load, setup, teardown)
{
    struct machine *machine = *fixture;
    struct tlb *tlb = &machine->tlb;
    configure(tlb, MEMORY, 64, 64, FRAME_8888 | FRAME_MS);
    store_le32(machine->memory + 2 * 256 + 33 * 4, 0xabcdef01);
    load_general(tlb, COLOUR, MEMORY);
    coordinates(tlb, 1, 0);
    for (uint32_t s = 0; s < 4; s++)
        assert_int_equal(tlb->colour[tlb_sample_index(&tlb->tile, 1, 2, s)], 0xabcdef01);
    store_general(tlb, NONE | KEEP_ALL, 0);
    load_general(tlb, ZS, MEMORY);
    coordinates(tlb, 1, 0);
    for (uint32_t s = 0; s < 4; s++)
        assert_int_equal(tlb->zs[tlb_sample_index(&tlb->tile, 1, 2, s)], 0xabcdef01);
    tlb->zs[tlb_sample_index(&tlb->tile, 1, 2, 3)] = 0;
    store_general(tlb, ZS, MEMORY + 0x8000);
    assert_int_equal(read32(machine, 0x8000 + 2 * 256 + 33 * 4), 0xabcdef01);
    assert_int_equal(machine->log.errors, 0);
}

/* With multisampling, decimation by 16 averages the sixteen samples of 2 x 2 pixels. Without
 * multisampling, decimation by 4 averages four pixels. Tile (1, 1) of a frame of 32 x 32 pixels
 * has 16 x 16 or 32 x 32 of the averaged pixels. */
TEST_WITH(test_decimation_of_pixels, setup, teardown)
{
    struct machine *machine = *fixture;
    struct tlb *tlb = &machine->tlb;
    begin(machine, 32, 32, FRAME_8888 | FRAME_MS | FRAME_16X);
    store_general(tlb, NONE, 0);
    coordinates(tlb, 1, 1);
    for (uint32_t i = 0; i < 16; i++) /* pixels (2..3, 4..5): R is 0, 16 .. 240, G is 255 */
        tlb->colour[tlb_sample_index(&tlb->tile, 2 + (i & 1), 4 + (i >> 1 & 1), i >> 2)] = i << 4 |
                                                                                           0xff00;
    tlb_store(tlb, &ports, STORE, NULL);
    /* The mean of R is (0 + 16 + .. + 240 + 8) / 16 = 120.5, truncated to 120. */
    assert_int_equal(read32(machine, (16 + 2) * 128 + (16 + 1) * 4), 0xff00 | 120);
    assert_int_equal(read32(machine, (16 + 2) * 128 + (16 + 2) * 4), 0);

    begin(machine, 64, 64, FRAME_8888 | FRAME_4X);
    store_general(tlb, NONE, 0);
    coordinates(tlb, 1, 1);
    tlb->colour[tlb_sample_index(&tlb->tile, 6, 2, 0)] = 0xff000003;
    tlb->colour[tlb_sample_index(&tlb->tile, 7, 3, 0)] = 0xff000003;
    tlb_store(tlb, &ports, STORE, NULL);
    assert_int_equal(read32(machine, (32 + 1) * 256 + (32 + 3) * 4), 0x80000002);
    assert_int_equal(machine->log.errors, 0);
}

/* With 64-bit colour a sample takes two accesses: red and green, then blue and alpha (manual
 * section 5). An image has 8 bytes per pixel. The two clear words form one pixel. */
TEST_WITH(test_64_bit_colour, setup, teardown)
{
    struct machine *machine = *fixture;
    struct tlb *tlb = &machine->tlb;
    clear_values(tlb, 0x11111111, 0x22222222, 0, 0, 0);
    begin(machine, 64, 32, FRAME_8888 | FRAME_64);
    struct tlb_fragment f = fragment();
    lanes red_green = EVERY_LANE(0x3c003800), blue_alpha = EVERY_LANE(0x40003400), out;
    tlb_write_colour(tlb, &ports, &f, &red_green, 0x0001, true);
    tlb_write_colour(tlb, &ports, &f, &blue_alpha, 0x0001,
                     false); /* ALL and MS are equivalent without
                                                              multisampling */
    tlb_read_colour(tlb, &f, &out);
    assert_int_equal(out[0], 0x3c003800);
    assert_int_equal(out[1], 0x11111111);
    tlb_read_colour(tlb, &f, &out);
    assert_int_equal(out[0], 0x40003400);
    assert_int_equal(out[1], 0x22222222);
    tlb_store(tlb, &ports, STORE, NULL);
    assert_int_equal(read32(machine, 0), 0x3c003800);
    assert_int_equal(read32(machine, 4), 0x40003400);
    assert_int_equal(read32(machine, 8), 0x11111111);
    assert_int_equal(read32(machine, 31 * 512 + 63 * 8 + 4), 0x22222222);

    load_general(tlb, COLOUR, MEMORY); /* the image is loaded again, and stored as a dump of
                                          64-bit pixels */
    coordinates(tlb, 0, 0);
    store_full(tlb, MEMORY + 0x8000);
    assert_int_equal(read32(machine, 0x8000), 0x3c003800);
    assert_int_equal(read32(machine, 0x8004), 0x40003400);
    assert_int_equal(read32(machine, 0x8008), 0x11111111);
    load_full(tlb, MEMORY + 0x8000);
    coordinates(tlb, 0, 0);
    assert_int_equal(tlb->colour[TLB_SECOND_WORDS], 0x40003400);
    assert_int_equal(machine->log.errors, 0);
}

/* 64-bit colour with multisampling: eight consecutive accesses access the two words of sample 0,
 * and then those of samples 1, 2 and 3. */
TEST_WITH(test_64_bit_samples, setup, teardown)
{
    struct machine *machine = *fixture;
    struct tlb *tlb = &machine->tlb;
    begin(machine, 64, 64, FRAME_8888 | FRAME_64 | FRAME_MS);
    struct tlb_fragment f = fragment();
    for (uint32_t access = 0; access < 8; access++) {
        lanes colour = EVERY_LANE(access);
        tlb_write_colour(tlb, &ports, &f, &colour, ALL_LANES, false);
    }
    for (uint32_t access = 0; access < 8; access++) {
        lanes out;
        tlb_read_colour(tlb, &f, &out);
        assert_int_equal(out[9], access);
    }
    for (uint32_t s = 0; s < 4; s++)
        assert_int_equal(tlb->colour[tlb_sample_index(&tlb->tile, 5, 1, s)], 2 * s);
}

/* Writes a colour to the tile's first eight columns and two rows, as a shader does. */
static void paint(struct tlb *tlb, uint32_t value)
{
    struct tlb_fragment f = fragment();
    lanes colour = EVERY_LANE(value);
    tlb_write_colour(tlb, &ports, &f, &colour, ALL_LANES, true);
}

static uint32_t painted(struct tlb *tlb)
{
    struct tlb_fragment f = fragment();
    lanes out;
    tlb_read_colour(tlb, &f, &out);
    return out[9];
}

/* Opens tile (0, 0) of a double-buffered frame, with both halves cleared to 5. */
static void begin_double(struct machine *machine, uint16_t flags)
{
    clear_values(&machine->tlb, 5, 5, 0, 0, 0);
    configure(&machine->tlb, MEMORY, 64, 64, FRAME_DOUBLE | flags);
    for (unsigned half = 0; half < 2; half++) {
        coordinates(&machine->tlb, 0, 0);
        store_general(&machine->tlb, NONE, 0);
    }
    coordinates(&machine->tlb, 0, 0);
}

/* Manual table 38, record 28, bit 12: a store swaps the halves unless the bit disables the swap.
 * Contents that a store does not clear are found again two tiles later, in the same half. */
TEST_WITH(test_double_buffer, setup, teardown)
{
    struct machine *machine = *fixture;
    struct tlb *tlb = &machine->tlb;
    begin_double(machine, FRAME_8888);
    paint(tlb, 9);
    store_general(tlb, COLOUR | KEEP_ALL | NO_SWAP, MEMORY);
    assert_int_equal(read32(machine, 256 + 4), 9);
    assert_int_equal(machine->log.count[FAULT_TLB_SWAP], 0);
    coordinates(tlb, 0, 1);
    assert_int_equal(painted(tlb), 9);
    store_general(tlb, COLOUR | KEEP_COLOUR, MEMORY);
    assert_int_equal(read32(machine, 33 * 256 + 4), 9);
    assert_int_equal(machine->log.count[FAULT_TLB_SWAP], 1);
    coordinates(tlb, 0, 0);
    assert_int_equal(painted(tlb), 5);
    paint(tlb, 7);
    store_general(tlb, COLOUR, MEMORY); /* clears the current half only */
    coordinates(tlb, 0, 0);
    assert_int_equal(painted(tlb), 9);
    store_general(tlb, COLOUR | NO_SWAP, MEMORY);
    coordinates(tlb, 0, 0);
    assert_int_equal(painted(tlb), 5);
    tlb_store(tlb, &ports, STORE, NULL);
    coordinates(tlb, 0, 0);
    assert_int_equal(painted(tlb), 5);
    assert_int_equal(machine->log.count[FAULT_TLB_SWAP], 1);
}

/* Record 26 always swaps the halves. */
TEST_WITH(test_double_buffer_full_resolution, setup, teardown)
{
    struct machine *machine = *fixture;
    struct tlb *tlb = &machine->tlb;
    begin_double(machine, FRAME_8888);
    paint(tlb, 9);
    store_full(tlb, MEMORY | NO_CLEAR);
    assert_int_equal(machine->log.count[FAULT_TLB_SWAP], 1);
    assert_int_equal(read32(machine, 0), 9);
    coordinates(tlb, 0, 0);
    store_full(tlb, (MEMORY + 0x10000) | NO_CLEAR); /* stores the other half */
    assert_int_equal(read32(machine, 0x10000), 5);
    load_full(tlb, MEMORY);
    coordinates(tlb, 0, 0);
    load_full(tlb, MEMORY + 0x10000);
    assert_int_equal(painted(tlb), 9);
}

/* Each half has its own planes of colour, Z and stencil, and mask. The test uses one and two
 * words of colour. */
TEST_WITH(test_double_buffer_planes, setup, teardown)
{
    struct machine *machine = *fixture;
    struct tlb *tlb = &machine->tlb;
    for (unsigned wide = 0; wide < 2; wide++) {
        uint32_t words = wide ? 2 : 1, bytes = 32 * (wide ? 32u : 64u) * (4 * words + 4 + 1);
        begin_double(machine, (uint16_t)(FRAME_8888 | FRAME_MASK | (wide ? FRAME_64 : 0)));
        memset(machine->memory, 0xa1, bytes);
        memset(machine->memory + 0x10000, 0xb2, bytes);
        store_general(tlb, NONE | NO_SWAP, 0);
        load_general(tlb, FULL, MEMORY);
        coordinates(tlb, 0, 0);
        store_general(tlb, NONE | KEEP_ALL, 0);
        load_general(tlb, FULL, MEMORY + 0x10000);
        coordinates(tlb, 0, 0);
        store_general(tlb, NONE | KEEP_ALL, 0);
        coordinates(tlb, 0, 0);
        store_general(tlb, FULL | KEEP_ALL, MEMORY + 0x20000);
        assert_memory_equal(machine->memory + 0x20000, machine->memory, bytes);
        coordinates(tlb, 0, 0);
        store_general(tlb, FULL, MEMORY + 0x20000);
        assert_memory_equal(machine->memory + 0x20000, machine->memory + 0x10000, bytes);
        coordinates(tlb, 0, 0); /* the first half, which the clear did not change */
        store_general(tlb, FULL, MEMORY + 0x20000);
        assert_memory_equal(machine->memory + 0x20000, machine->memory, bytes);
        assert_int_equal(machine->log.errors, 0);
    }
}

/* A clear affects only one half. The contents of the other half remain undefined. */
TEST_WITH(test_double_buffer_undefined, setup, teardown)
{
    struct machine *machine = *fixture;
    struct tlb *tlb = &machine->tlb;
    begin(machine, 64, 64, FRAME_8888 | FRAME_DOUBLE);
    tlb_store(tlb, &ports, STORE, NULL);
    assert_int_equal(machine->log.count[FAULT_TLB_ORDER], 1);
    coordinates(tlb, 0, 1);
    tlb_store(tlb, &ports, STORE, NULL);
    assert_int_equal(machine->log.errors, 1);
    /* Without double buffering, or with multisampling, a clear affects the whole buffer. */
    tlb_reset(tlb);
    begin(machine, 64, 64, FRAME_8888 | FRAME_DOUBLE | FRAME_MS);
    tlb_store(tlb, &ports, STORE, NULL);
    configure(tlb, MEMORY, 64, 64, FRAME_8888 | FRAME_DOUBLE);
    for (uint8_t row = 0; row < 2; row++) {
        coordinates(tlb, 0, row);
        tlb_store(tlb, &ports, STORE, NULL);
    }
    assert_int_equal(machine->log.errors, 1);
}

/* --- random stencil and depth states, against a second implementation of the rules --- */

/* A face's state with readable fields, from tables 27 and 28. */
struct face {
    bool on;
    uint32_t mask, depth_fails, passes, fails, test, reference, compare;
};

static uint32_t next_random(uint32_t *seed, uint32_t below)
{
    *seed = *seed * 1664525 + 1013904223;
    return (uint32_t)((uint64_t)*seed * below >> 32);
}

/* Functions 0 to 7 are never, lt, eq, le, gt, ne, ge, always. */
static bool holds(uint32_t test, uint32_t left, uint32_t right)
{
    switch (test) {
    case 1: return left < right;
    case 2: return left == right;
    case 3: return left <= right;
    case 4: return left > right;
    case 5: return left != right;
    case 6: return left >= right;
    default: return test == 7;
    }
}

/* Operations 0 to 7 are zero, keep, replace, incsat, decsat, invert, inc, dec. The write mask
 * selects the bits to change. */
static uint32_t after(const struct face *face, uint32_t operation, uint32_t stored)
{
    int value = (int)stored;
    const int results[8] = {0,
                            value,
                            (int)face->reference,
                            value == 255 ? 255 : value + 1,
                            value == 0 ? 0 : value - 1,
                            255 - value,
                            (value + 1) % 256,
                            (value + 255) % 256};
    uint32_t out = 0;
    for (unsigned bit = 0; bit < 8; bit++)
        out |= (face->mask >> bit & 1 ? (uint32_t)results[operation] : stored) & 1u << bit;
    return out;
}

static uint32_t random_setup(uint32_t *seed, struct face faces[2])
{
    static const uint32_t masks[4] = {1, 3, 15, 255};
    uint32_t select = next_random(seed, 4);
    if (select == 0) {
        faces[0].mask = next_random(seed, 256);
        faces[1].mask = next_random(seed, 256);
        return faces[1].mask << 8 | faces[0].mask | next_random(seed, 1 << 14) << 16;
    }
    uint32_t code = next_random(seed, 4);
    struct face face = {true,
                        masks[code],
                        next_random(seed, 8),
                        next_random(seed, 8),
                        next_random(seed, 8),
                        next_random(seed, 8),
                        next_random(seed, 2) ? 0x5a : next_random(seed, 256),
                        next_random(seed, 2) ? 0xff : next_random(seed, 256)};
    for (unsigned side = 0; side < 2; side++)
        if (select >> side & 1)
            faces[side] = face;
    return select << 30 | code << 28 | face.depth_fails << 25 | face.passes << 22 |
           face.fails << 19 | face.test << 16 | face.reference << 8 | face.compare;
}

TEST_WITH(test_random_states, setup, teardown)
{
    struct machine *machine = *fixture;
    struct tlb *tlb = &machine->tlb;
    uint32_t seed = 1;
    for (unsigned round = 0; round < 20000; round++) {
        bool multisample = round & 1;
        if (round < 2)
            begin(machine, 32, 32, (uint16_t)(FRAME_8888 | (multisample ? FRAME_MS : 0)));
        tlb->tile = tlb_geometry(multisample, false, false);
        struct tlb_fragment f = fragment();
        struct face faces[2] = {{.on = false}, {.on = false}};
        for (unsigned n = next_random(&seed, 4); n > 0; n--)
            tlb_stencil_setup(tlb, &f, random_setup(&seed, faces));
        f.rev_flag = round & 2 ? ALL_LANES : 0;
        f.depth_function = (enum tlb_compare)next_random(&seed, 8);
        f.depth_update = next_random(&seed, 2);
        f.ms_flags[6] = (uint8_t)next_random(&seed, 16);
        uint32_t z = next_random(&seed, 4) + 0x7ffffe, before[4], flags = f.ms_flags[6];
        for (uint32_t s = 0; s < tlb->tile.samples; s++) {
            before[s] = (0x7ffffe + next_random(&seed, 4)) << 8 |
                        (next_random(&seed, 2) ? 0x5a : next_random(&seed, 256));
            tlb->zs[tlb_sample_index(&tlb->tile, 2, 1, s)] = before[s];
        }
        lanes incoming = EVERY_LANE(z | 0xab000000); /* only the lower 24 bits are used */
        tlb_write_z(tlb, &ports, &f, &incoming, 1 << 6);
        const struct face *face = &faces[round >> 1 & 1];
        for (uint32_t s = 0; s < tlb->tile.samples; s++) {
            bool covered = multisample ? flags >> s & 1 : flags != 0;
            uint32_t depth = before[s] >> 8, stencil = before[s] & 255;
            bool pass = !face->on ||
                        holds(face->test, face->reference & face->compare, stencil & face->compare);
            bool nearer = holds(f.depth_function, z, depth);
            uint32_t operation = !pass ? face->fails : nearer ? face->passes : face->depth_fails;
            if (covered && face->on)
                stencil = after(face, operation, stencil);
            if (covered && pass && nearer && f.depth_update)
                depth = z;
            assert_int_equal(tlb->zs[tlb_sample_index(&tlb->tile, 2, 1, s)], depth << 8 | stencil);
            bool left = multisample ? f.ms_flags[6] >> s & 1 : f.ms_flags[6] != 0;
            assert_int_equal(left, covered && pass && nearer);
        }
    }
}

/* Erratum HW-2924: one write of Z covers quads of both faces, whose stencil setups differ. */
TEST_WITH(test_faces_in_one_batch, setup, teardown)
{
    struct machine *machine = *fixture;
    struct tlb *tlb = &machine->tlb;
    begin(machine, 64, 64, FRAME_8888);
    struct tlb_fragment f = fragment();
    lanes z = EVERY_LANE(0);
    f.rev_flag = 0x00f0;
    tlb_stencil_setup(tlb, &f, stencil_word(3, 3, 1, 2, 1, 7, 9, 0xff));
    tlb_write_z(tlb, &ports, &f, &z, ALL_LANES); /* now both faces have the same setup */
    assert_int_equal(machine->log.count[FAULT_TLB_STENCIL_FACES], 0);
    tlb_stencil_setup(tlb, &f, stencil_word(2, 3, 1, 2, 1, 7, 8, 0xff));
    tlb_write_z(tlb, &ports, &f, &z, 0xff0f); /* only front faces */
    assert_int_equal(machine->log.count[FAULT_TLB_STENCIL_FACES], 0);
    tlb_write_z(tlb, &ports, &f, &z, ALL_LANES);
    assert_int_equal(machine->log.count[FAULT_TLB_STENCIL_FACES], 1);
}

/* Manual table 82: sources 4 to 6 and 9, and source 2 for early Z. Quad 0 passes, 1 fails the
 * stencil test, 2 fails the depth test, 3 is not covered. */
TEST_WITH(test_counts, setup, teardown)
{
    struct machine *machine = *fixture;
    struct tlb *tlb = &machine->tlb;
    struct pctr_counts counts = {0};
    ports.counts = &counts;
    clear_values(tlb, 0, 0, 100, 0, 0);
    begin(machine, 64, 64, FRAME_8888);
    struct tlb_fragment f = fragment();
    f.depth_function = TLB_LT;
    memset(f.ms_flags + 12, 0, 4);
    for (uint32_t i = 0; i < 4; i++)
        tlb->zs[4 + i] = 100 << 8 | 1;
    lanes z = {50, 50, 50, 50, 50, 50, 50, 50, 200, 200, 200, 200};
    assert_int_equal(tlb_early_z(tlb, &ports, &f, &z), 0x00ff);
    assert_int_equal(counts.of[PCTR_FEP_CLIPPED_QUADS], 1);
    tlb_stencil_setup(tlb, &f, stencil_word(3, 3, 1, 1, 1, 2, 0, 0xff)); /* test: equal to 0 */
    tlb_write_z(tlb, &ports, &f, &z, ALL_LANES);
    lanes colour = EVERY_LANE(1);
    tlb_write_colour(tlb, &ports, &f, &colour, ALL_LANES, true);
    assert_int_equal(counts.of[PCTR_TLB_QUADS_STENCIL_FAILED], 1);
    assert_int_equal(counts.of[PCTR_TLB_QUADS_TESTS_FAILED], 2);
    assert_int_equal(counts.of[PCTR_TLB_QUADS_TESTS_PASSED], 1);
    assert_int_equal(counts.of[PCTR_TLB_QUADS_WRITTEN], 1);
}
