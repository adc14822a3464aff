/* SPDX-License-Identifier: MIT */
/* vpm.c - tests of the VPM and its DMA engines. Values are from manual section 7 (figures 8 and 9,
 * tables 32 to 37), from the blog post "VPM, VCD, and VCM For Vertex Shaders" (below: the article),
 * or from programs that ran on silicon: asurati/x03 demo/d2.c to d4.c. Other values are worked out
 * by hand. */
#include "vc4/vpm/vpm.h"
#include "../../register.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include "base/bits.h"
#include "vc4/watch/race.h"

enum { MEMORY = 0x10000, MEMORY_SIZE = 0x80000, OUT = MEMORY + 0x20000 };

struct machine {
    struct fault_log log;
    struct bus bus;
    struct vpm vpm;
    struct vpm_ports ports;
    struct vpm_port port;
    uint8_t *memory;
};

static int setup(void **state)
{
    struct machine *machine = test_calloc(1, sizeof *machine);
    machine->bus.log = &machine->log;
    assert_int_equal(bus_map(&machine->bus, MEMORY, MEMORY_SIZE, NULL), TESS_OK);
    machine->memory = bus_peek(&machine->bus, MEMORY, MEMORY_SIZE);
    machine->ports = (struct vpm_ports){.bus = &machine->bus, .log = &machine->log};
    vpm_reset(&machine->vpm);
    vpm_port_user(&machine->port, 0, 0);
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

static void read_setup(struct machine *machine, uint32_t word)
{
    vpm_read_setup(&machine->vpm, &machine->ports, &machine->port, word);
}

static void write_setup(struct machine *machine, uint32_t word)
{
    vpm_write_setup(&machine->ports, &machine->port, word);
}

/* Writes a vector whose element i is first + i * step. */
static void write_vector(struct machine *machine, uint32_t first, uint32_t step)
{
    lanes value;
    for (uint32_t i = 0; i < LANES; i++)
        value[i] = first + i * step;
    vpm_write(&machine->vpm, &machine->ports, &machine->port, &value, ALL_LANES);
}

static uint32_t read_first(struct machine *machine)
{
    lanes value;
    vpm_check_latency(&machine->ports, &machine->port);
    assert_true(vpm_read(&machine->vpm, &machine->ports, &machine->port, &value));
    return value[0];
}

static void load(struct machine *machine, uint32_t word, uint32_t address)
{
    read_setup(machine, word);
    vpm_load(&machine->vpm, &machine->ports, &machine->port, address);
}

static void store(struct machine *machine, uint32_t word, uint32_t address)
{
    write_setup(machine, word);
    vpm_store(&machine->vpm, &machine->ports, &machine->port, address);
}

static uint32_t in_memory(const struct machine *machine, uint32_t address)
{
    return load_le32(machine->memory + (address - MEMORY));
}

static uint8_t byte_of(uint32_t word, uint32_t byte)
{
    return (uint8_t)(word >> 8 * byte);
}

/* Sets word (row, column) of the VPM to row << 8 | column, so that every word shows its
 * position. */
static void number_words(struct machine *machine)
{
    for (uint32_t row = 0; row < VPM_ROWS; row++)
        for (uint32_t column = 0; column < VPM_COLUMNS; column++)
            machine->vpm.word[row][column] = row << 8 | column;
}

/* Sets memory word n to base + n. */
static void number_memory(struct machine *machine, uint32_t base)
{
    for (uint32_t n = 0; n < 0x4000; n++)
        store_le32(machine->memory + 4 * n, base + n);
}

/* --- QPU accesses --- */

struct spot {
    uint8_t row, column, byte;
};

/* Figures 8 and 9, each with cases (a) to (e): positions of the first byte of elements 0, 1, 5
 * and 15. */
static const struct {
    const char *figure;
    uint32_t setup;
    uint32_t bytes;
    struct spot spots[4];
} figures[] = {
    {"8a", 0x802, 1, {{0, 8, 0}, {0, 8, 1}, {0, 9, 1}, {0, 11, 3}}},
    {"8b", 0xc05, 1, {{1, 0, 1}, {1, 1, 1}, {1, 5, 1}, {1, 15, 1}}},
    {"8c", 0xd04, 2, {{2, 0, 0}, {2, 1, 0}, {2, 5, 0}, {2, 15, 0}}},
    {"8d", 0x907, 2, {{3, 8, 0}, {3, 8, 2}, {3, 10, 2}, {3, 15, 2}}},
    {"8e", 0xa3f, 4, {{63, 0, 0}, {63, 1, 0}, {63, 5, 0}, {63, 15, 0}}},
    {"9a", 0x001, 1, {{4, 0, 0}, {4, 0, 1}, {5, 0, 1}, {7, 0, 3}}},
    {"9b", 0x406, 1, {{0, 1, 2}, {1, 1, 2}, {5, 1, 2}, {15, 1, 2}}},
    {"9c", 0x504, 2, {{0, 2, 0}, {1, 2, 0}, {5, 2, 0}, {15, 2, 0}}},
    {"9d", 0x11f, 2, {{8, 15, 0}, {8, 15, 2}, {10, 15, 2}, {15, 15, 2}}},
    {"9e", 0x211, 4, {{16, 1, 0}, {17, 1, 0}, {21, 1, 0}, {31, 1, 0}}},
};

/* As in the figures, every byte of element i holds the same number, here 0x80 + i. */
TEST_WITH(test_figures_8_and_9, setup, teardown)
{
    static const uint32_t elements[4] = {0, 1, 5, 15};
    struct machine *machine = *fixture;
    for (size_t f = 0; f < sizeof figures / sizeof *figures; f++) {
        print_message("figure %s\n", figures[f].figure);
        memset(machine->vpm.word, 0xee, sizeof machine->vpm.word);
        write_setup(machine, figures[f].setup | 1 << 12);
        write_vector(machine, 0x80808080, 0x01010101);
        for (size_t e = 0; e < 4; e++)
            for (uint32_t b = 0; b < figures[f].bytes; b++) {
                struct spot spot = figures[f].spots[e];
                uint32_t word = machine->vpm.word[spot.row][spot.column];
                assert_int_equal(byte_of(word, spot.byte + b), 0x80 + elements[e]);
            }
        uint32_t changed = 0;
        for (uint32_t row = 0; row < VPM_ROWS; row++)
            for (uint32_t column = 0; column < VPM_COLUMNS; column++)
                for (uint32_t b = 0; b < 4; b++)
                    changed += byte_of(machine->vpm.word[row][column], b) != 0xee;
        assert_int_equal(changed, 16 * figures[f].bytes);

        lanes value;
        read_setup(machine, figures[f].setup | 1 << 12 | 1 << 20);
        assert_true(vpm_read(&machine->vpm, &machine->ports, &machine->port, &value));
        for (uint32_t i = 0; i < LANES; i++) {
            uint32_t all = 0x80808080 + i * 0x01010101; /* reads of bytes and halves are zero-
                                                           extended */
            assert_int_equal(value[i], all >> (32 - 8 * figures[f].bytes));
        }
    }
    assert_int_equal(machine->log.errors, 0);
}

TEST_WITH(test_strides, setup, teardown)
{
    struct machine *machine = *fixture;
    write_setup(machine, 2 << 12 | 0xa00 | 62); /* stride 2: rows 62, 0 and 2 */
    for (uint32_t i = 1; i <= 3; i++)
        write_vector(machine, i, 0);
    assert_int_equal(machine->vpm.word[62][3], 1);
    assert_int_equal(machine->vpm.word[0][3], 2);
    assert_int_equal(machine->vpm.word[2][3], 3);

    write_setup(machine, 1 << 12 | 0x200 | 15); /* vertical: rows 0 to 15 and then 16 to 31 of
                                                   column 15 */
    write_vector(machine, 7, 0);
    write_vector(machine, 8, 0);
    assert_int_equal(machine->vpm.word[0][15], 7);
    assert_int_equal(machine->vpm.word[15][15], 7);
    assert_int_equal(machine->vpm.word[16][0], 8);
    assert_int_equal(machine->vpm.word[31][0], 8);

    write_setup(machine,
                1 << 12 | 0x800 | 0xff); /* bytes: last quarter of row 63, then first of row 0 */
    write_vector(machine, 0x11, 0);
    write_vector(machine, 0x22, 0);
    assert_int_equal(machine->vpm.word[63][12], 0x11111111);
    assert_int_equal(machine->vpm.word[63][11], 0);
    assert_int_equal(machine->vpm.word[0][0], 0x22222222);

    write_setup(machine, 0xa00 | 5); /* stride 0 is 64: the same row again */
    write_vector(machine, 1, 0);
    write_vector(machine, 2, 0);
    assert_int_equal(machine->vpm.word[5][0], 2);
    write_setup(machine, 0x900 | 8 << 1); /* halves: 64 vectors of 16 halves fill 32 rows */
    write_vector(machine, 0x33, 0);
    write_vector(machine, 0x44, 0);
    assert_int_equal(machine->vpm.word[8][0], 0x00330033);
    assert_int_equal(machine->vpm.word[40][7], 0x00440044);

    write_setup(machine, 63 << 12 | 0xa00 | 20); /* stride -1, as vc4asm's vpm_setup() allows */
    write_vector(machine, 5, 0);
    write_vector(machine, 6, 0);
    assert_int_equal(machine->vpm.word[19][0], 6);
}

TEST_WITH(test_read_counts, setup, teardown)
{
    struct machine *machine = *fixture;
    number_words(machine);
    lanes value;
    assert_false(vpm_read(&machine->vpm, &machine->ports, &machine->port, &value));
    read_setup(machine, 3 << 20 | 1 << 12 | 0xa00 | 62);
    assert_int_equal(read_first(machine), 62 << 8);
    assert_int_equal(read_first(machine), 63 << 8);
    assert_int_equal(read_first(machine), 0);
    assert_false(vpm_read(&machine->vpm, &machine->ports, &machine->port, &value));
    read_setup(machine, 1 << 12 | 0xa00); /* a count of 0 means 16 */
    for (uint32_t i = 0; i < 16; i++)
        assert_int_equal(read_first(machine), i << 8);
    assert_false(vpm_read(&machine->vpm, &machine->ports, &machine->port, &value));
    assert_int_equal(machine->log.count[FAULT_VPM_EMPTY], 3);
    assert_int_equal(machine->log.errors, 3);
}

/* vc4asm's addendum: a setup of 1 vector followed by a setup of 3 works on silicon, and a setup
 * of 2 followed by a setup of 2 does not. */
TEST_WITH(test_read_queue, setup, teardown)
{
    enum { ROW = 1 << 12 | 0xa00 };
    struct machine *machine = *fixture;
    number_words(machine);
    read_setup(machine, 1 << 20 | ROW | 10);
    read_setup(machine, 3 << 20 | ROW | 20);
    assert_int_equal(machine->log.count[FAULT_VPM_QUEUE], 0);
    assert_int_equal(read_first(machine), 10 << 8);
    assert_int_equal(read_first(machine), 20 << 8);
    assert_int_equal(read_first(machine), 21 << 8);
    read_setup(machine, 2 << 20 | ROW | 30); /* one vector is left */
    assert_int_equal(machine->log.count[FAULT_VPM_QUEUE], 0);
    assert_int_equal(read_first(machine), 22 << 8);
    read_setup(machine, 2 << 20 | ROW | 40); /* 2 and 2: the model queues the second setup, as in
                                                the manual, and warns */
    assert_int_equal(machine->log.count[FAULT_VPM_QUEUE], 1);
    assert_int_equal(read_first(machine), 30 << 8);
    assert_int_equal(read_first(machine), 31 << 8);
    read_setup(machine, 1 << 20 | ROW | 50);
    assert_int_equal(machine->log.count[FAULT_VPM_QUEUE], 2);
    assert_int_equal(machine->log.errors, 0);
    read_setup(machine, 1 << 20 | ROW | 60); /* a third setup is not queued */
    assert_int_equal(machine->log.count[FAULT_VPM_SETUP], 1);
    assert_int_equal(read_first(machine), 40 << 8);
    assert_int_equal(read_first(machine), 41 << 8);
    assert_int_equal(read_first(machine), 50 << 8);
    lanes value;
    assert_false(vpm_read(&machine->vpm, &machine->ports, &machine->port, &value));
}

TEST_WITH(test_conditional_write, setup, teardown)
{
    struct machine *machine = *fixture;
    number_words(machine);
    write_setup(machine, 1 << 12 | 0xa00 | 1);
    lanes value = (lanes){0} + 9;
    vpm_write(&machine->vpm, &machine->ports, &machine->port, &value, 0x0002);
    assert_int_equal(machine->vpm.word[1][0], 1 << 8);
    assert_int_equal(machine->vpm.word[1][1], 9);
    assert_int_equal(machine->log.count[FAULT_VPM_CONDITION], 1);
    vpm_write(&machine->vpm, &machine->ports, &machine->port, &value,
              ALL_LANES); /* the write address has
                                                                    advanced by one */
    assert_int_equal(machine->vpm.word[2][0], 9);
    assert_int_equal(machine->log.count[FAULT_VPM_CONDITION], 1);
}

/* --- DMA --- */

/* Runs the article's program: writes five rows from row 2 on, and two from row 0 on, then stores
 * 7 rows of 16 words. */
TEST_WITH(test_article_store, setup, teardown)
{
    struct machine *machine = *fixture;
    write_setup(machine, 0x17bc1ac2);
    static const uint32_t rows_2_to_6[] = {0x00000000, 0x3f800000, 0x1c000200, 0x3f800000,
                                           0x3f800000};
    for (size_t i = 0; i < 5; i++)
        write_vector(machine, rows_2_to_6[i], 0);
    write_setup(machine, 0x17bc1ac0);
    write_vector(machine, 0xbf665c24, 0);
    write_vector(machine, 0x3f5edd42, 0);
    number_memory(machine, 0);
    store(machine, 0x83904000, MEMORY);

    static const uint32_t expected[7] = {0xbf665c24, 0x3f5edd42, 0x00000000, 0x3f800000,
                                         0x1c000200, 0x3f800000, 0x3f800000};
    for (uint32_t word = 0; word < 7 * 16; word++)
        assert_int_equal(in_memory(machine, MEMORY + 4 * word), expected[word / 16]);
    assert_int_equal(in_memory(machine, MEMORY + 4 * 7 * 16), 7 * 16);
    assert_int_equal(machine->log.errors, 0);
}

/* Runs x03 d2.c: a vertical load of 4 x 16 words into column 15 and the next columns, then
 * stores column by column. */
TEST_WITH(test_d2_vertical_load_and_stores, setup, teardown)
{
    struct machine *machine = *fixture;
    number_memory(machine, 1000);
    load(machine, 0x8304080f, MEMORY);
    for (uint32_t row = 0; row < 64; row++) {
        assert_int_equal(machine->vpm.word[row][15], 1000 + row);
        assert_int_equal(machine->vpm.word[row][14], 0);
    }
    for (uint32_t i = 0; i < 4; i++)
        store(machine, 0x80900078 + i * 0x800, OUT + i * 0x40);
    for (uint32_t word = 0; word < 64; word++)
        assert_int_equal(in_memory(machine, OUT + 4 * word), 1000 + word);
    assert_int_equal(machine->log.errors, 0);
}

/* x03 d2.c, in a comment: after column 15, vertical units continue 16 rows further down in
 * columns 0 to 2. */
TEST_WITH(test_d2_vertical_units_wrap, setup, teardown)
{
    struct machine *machine = *fixture;
    number_words(machine);
    store(machine, 0x82100078, OUT);
    for (uint32_t i = 0; i < 16; i++) {
        assert_int_equal(in_memory(machine, OUT + 4 * i), i << 8 | 15);
        assert_int_equal(in_memory(machine, OUT + 64 + 4 * i), (16 + i) << 8 | 0);
        assert_int_equal(in_memory(machine, OUT + 128 + 4 * i), (16 + i) << 8 | 1);
        assert_int_equal(in_memory(machine, OUT + 192 + 4 * i), (16 + i) << 8 | 2);
    }
    assert_int_equal(machine->log.errors, 0);
}

/* Runs x03 d3.c: the vertical load of d2.c, then reads and writes of four vertical vectors that
 * are 16 rows apart. */
TEST_WITH(test_d3_inverts, setup, teardown)
{
    struct machine *machine = *fixture;
    number_memory(machine, 1000);
    load(machine, 0x8304080f, MEMORY);
    lanes value[4];
    read_setup(machine, 0x0041020f);
    for (uint32_t i = 0; i < 4; i++)
        assert_true(vpm_read(&machine->vpm, &machine->ports, &machine->port, &value[i]));
    write_setup(machine, 0x0001020f);
    for (uint32_t i = 0; i < 4; i++) {
        value[i] = ~value[i];
        vpm_write(&machine->vpm, &machine->ports, &machine->port, &value[i], ALL_LANES);
    }
    for (uint32_t i = 0; i < 4; i++)
        store(machine, 0x80900078 + i * 0x800, OUT + i * 0x40);
    for (uint32_t word = 0; word < 64; word++)
        assert_int_equal(in_memory(machine, OUT + 4 * word), ~(1000 + word));
    assert_int_equal(machine->log.errors, 0);
}

/* Runs x03 d4.c: loads one row, reads and writes one vector, stores one row. */
TEST_WITH(test_d4_row, setup, teardown)
{
    struct machine *machine = *fixture;
    number_memory(machine, 50);
    load(machine, 0x80010000, MEMORY);
    read_setup(machine, 0x00100a00);
    lanes value;
    assert_true(vpm_read(&machine->vpm, &machine->ports, &machine->port, &value));
    assert_int_equal(value[15], 65);
    store(machine, 0x80904000, OUT);
    assert_int_equal(in_memory(machine, OUT + 60), 65);
    assert_int_equal(in_memory(machine, OUT + 64), 0);
    assert_int_equal(machine->log.errors, 0);
}

/* Returns a setup word with the fields of table 34. */
static uint32_t store_word(uint32_t units, uint32_t depth, bool horizontal, uint32_t y, uint32_t x,
                           uint32_t mode)
{
    return 2u << 30 | (units & 127) << 23 | (depth & 127) << 16 | (uint32_t)horizontal << 14 |
           y << 7 | x << 3 | mode;
}

/* Returns a setup word with the fields of table 36. */
static uint32_t load_word(uint32_t mode, uint32_t memory_pitch, uint32_t length, uint32_t rows,
                          uint32_t vpm_pitch, bool vertical, uint32_t y, uint32_t x)
{
    return 1u << 31 | mode << 28 | memory_pitch << 24 | (length & 15) << 20 | (rows & 15) << 16 |
           (vpm_pitch & 15) << 12 | (uint32_t)vertical << 11 | y << 4 | x;
}

/* The stride of a store is the gap between units. Units of one word with a gap of 12 bytes begin
 * 16 bytes apart. */
TEST_WITH(test_store_stride_is_a_gap, setup, teardown)
{
    struct machine *machine = *fixture;
    number_words(machine);
    write_setup(machine, 0xc0000000 | 12);
    store(machine, store_word(4, 1, true, 3, 2, 0), OUT);
    for (uint32_t i = 0; i < 4; i++)
        assert_int_equal(in_memory(machine, OUT + 16 * i), (3 + i) << 8 | 2);
    assert_int_equal(in_memory(machine, OUT + 4), 0);
    write_setup(machine, 0xc0000000 | 0x8000); /* the stride field has 16 bits, not 13 */
    store(machine, store_word(2, 1, true, 3, 2, 0), OUT);
    assert_int_equal(in_memory(machine, OUT + 0x8004), 4 << 8 | 2);
    assert_int_equal(machine->log.errors, 0);
}

TEST_WITH(test_store_block_mode, setup, teardown)
{
    struct machine *machine = *fixture;
    number_words(machine);
    write_setup(machine, 0xc0010000 | 4);
    store(machine, store_word(3, 8, true, 6, 0, 0), OUT); /* units of 8 words with gaps of 4
                                                             bytes */
    assert_int_equal(in_memory(machine, OUT), 6 << 8);
    assert_int_equal(in_memory(machine, OUT + 36), 6 << 8 | 8);
    assert_int_equal(in_memory(machine, OUT + 72), 7 << 8 | 0);
    store(machine, store_word(2, 8, false, 6, 1, 0), OUT + 256);
    assert_int_equal(in_memory(machine, OUT + 256), 6 << 8 | 1);
    assert_int_equal(in_memory(machine, OUT + 256 + 36), 14 << 8 | 1);
    assert_int_equal(in_memory(machine, OUT + 256 + 36 + 8),
                     0 << 8 | 2); /* after row 15, the unit continues in the next column */
    assert_int_equal(machine->log.errors, 0);
}

/* mn416/QPULib (Lib/Target/LoadStore.cpp) writes a vector down a column and stores the column as
 * 16 units of one word, with HORIZ. Early versions set BLOCKMODE, and later versions do not.
 * Both ran on silicon. */
TEST_WITH(test_store_of_single_words, setup, teardown)
{
    enum { QPU = 5 };
    struct machine *machine = *fixture;
    for (uint32_t block = 0; block < 2; block++) {
        write_setup(machine, 0x00100200 | 2 << 4 | QPU);
        write_vector(machine, 100 + block, 3);
        write_setup(machine, 0xc0000000 | block << 16);
        store(machine, 0x88014000 | 16 * 2 << 7 | QPU << 3, OUT);
        for (uint32_t i = 0; i < 16; i++)
            assert_int_equal(in_memory(machine, OUT + 4 * i), 100 + block + 3 * i);
    }
    assert_int_equal(machine->log.errors, 0);
}

/* maazl/vc4asm, issue 27: a vertical store of 16 units of 32 words stores the same 16 rows
 * twice. */
TEST_WITH(test_store_of_long_columns, setup, teardown)
{
    struct machine *machine = *fixture;
    number_words(machine);
    store(machine, store_word(16, 32, false, 0, 0, 0), OUT);
    for (uint32_t unit = 0; unit < 16; unit++)
        for (uint32_t i = 0; i < 32; i++)
            assert_int_equal(in_memory(machine, OUT + 4 * (32 * unit + i)), (i % 16) << 8 | unit);
    assert_int_equal(machine->log.count[FAULT_VPM_COLUMN], 1);
    store(machine, store_word(16, 16, false, 32, 0, 0), OUT);
    store(machine, store_word(1, 32, false, 32, 0, 2), OUT); /* with 16-bit width, 32 halves are
                                                                16 words */
    write_setup(machine, 0xc0010000);
    store(machine, store_word(3, 16, false, 32, 0, 0), OUT); /* stores the halves packed into
                                                                columns */
    assert_int_equal(in_memory(machine, OUT + 4 * 33), 33 << 8 | 2);
    assert_int_equal(machine->log.count[FAULT_VPM_COLUMN], 1);
    assert_int_equal(machine->log.errors, 0);
}

/* Measured on a Raspberry Pi 3 B+: QPU n stores five rows from row 5n on. Some of these stores
 * cross a multiple of 16 rows: those of the fourth, the seventh and the tenth QPU. These stores
 * contain wrong words. */
TEST_WITH(test_store_past_16_rows, setup, teardown)
{
    struct machine *machine = *fixture;
    number_words(machine);
    for (uint32_t qpu = 0; qpu < 12; qpu++) {
        uint32_t first = 5 * qpu, passes = qpu == 3 || qpu == 6 || qpu == 9;
        uint64_t before = machine->log.count[FAULT_VPM_COLUMN];
        store(machine, store_word(16, 5, false, first, 0, 0), OUT);
        for (uint32_t i = 0; i < 5; i++) {
            uint32_t row = first + i;
            row -= passes && row / 16 > first / 16 ? 16 : 0;
            assert_int_equal(in_memory(machine, OUT + 4 * i), row << 8);
            assert_int_equal(in_memory(machine, OUT + 4 * (15 * 5 + i)), row << 8 | 15);
        }
        assert_int_equal(machine->log.count[FAULT_VPM_COLUMN] - before, passes);
    }
    assert_int_equal(machine->log.errors, 0);
}

/* Two buffers from the mailbox are adjacent in memory. Rows of 64 bytes lie 64 bytes apart, so
 * the second row lies in the second buffer. */
TEST_WITH(test_store_ends_in_other_memory, setup, teardown)
{
    enum { END = MEMORY + MEMORY_SIZE };
    struct machine *machine = *fixture;
    number_words(machine);
    assert_int_equal(bus_map(&machine->bus, END, 4096, NULL), TESS_OK);
    store(machine, store_word(2, 16, true, 0, 0, 0), END - 128);
    assert_int_equal(machine->log.count[FAULT_VPM_BEYOND], 0);
    store(machine, store_word(2, 16, true, 0, 0, 0), END - 64);
    assert_int_equal(machine->log.count[FAULT_VPM_BEYOND], 1);
    write_setup(machine, 0xc0000000 | 4096); /* the second row is 4 KiB after the first, outside
                                                of both buffers */
    store(machine, store_word(2, 16, true, 0, 0, 0), END);
    assert_int_equal(machine->log.count[FAULT_VPM_BEYOND], 1);
    assert_int_equal(machine->log.count[FAULT_BUS_UNMAPPED], 1);
}

/* Words past column 15 are taken from the next row, with a finding. Stores of whole rows, and of
 * columns from column 12 on, cause no finding. */
TEST_WITH(test_store_past_column_15, setup, teardown)
{
    struct machine *machine = *fixture;
    number_words(machine);
    store(machine, store_word(2, 16, true, 0, 0, 0), OUT);
    store(machine, store_word(4, 8, false, 0, 12, 0), OUT);
    assert_int_equal(machine->log.count[FAULT_VPM_WIDTH], 0);
    store(machine, store_word(1, 8, true, 0, 12, 0), OUT);
    assert_int_equal(in_memory(machine, OUT + 12), 15);
    assert_int_equal(in_memory(machine, OUT + 16), 1 << 8);
    assert_int_equal(machine->log.count[FAULT_VPM_WIDTH], 1);
    assert_int_equal(machine->log.errors, 0);
}

/* Loads may continue past a multiple of 16 rows, unlike stores. The VCD loads vertices down
 * columns, and attributes that begin at any row. */
TEST_WITH(test_load_past_16_rows, setup, teardown)
{
    struct machine *machine = *fixture;
    number_memory(machine, 700);
    load(machine, load_word(0, 1, 5, 1, 1, true, 15, 3), MEMORY);
    for (uint32_t i = 0; i < 5; i++)
        assert_int_equal(machine->vpm.word[15 + i][3], 700 + i);
    assert_int_equal(machine->vpm.word[0][3], 0);
    assert_int_equal(machine->log.errors, 0);
}

TEST_WITH(test_store_counts_of_zero_are_128, setup, teardown)
{
    struct machine *machine = *fixture;
    number_words(machine);
    store(machine, store_word(1, 0, true, 8, 0, 0), OUT); /* stores eight rows */
    assert_int_equal(in_memory(machine, OUT + 4 * 127), 15 << 8 | 15);
    assert_int_equal(in_memory(machine, OUT + 4 * 128), 0);
    assert_int_equal(machine->log.errors, 0);
    store(machine, store_word(0, 1, true, 0, 0, 0), OUT); /* 128 rows, more than the VPM has */
    assert_int_equal(in_memory(machine, OUT + 4 * 63), 63 << 8);
    assert_int_equal(in_memory(machine, OUT + 4 * 64), 0);
    assert_int_equal(in_memory(machine, OUT + 4 * 127), 63 << 8);
    assert_int_equal(machine->log.count[FAULT_VPM_SETUP], 1);
}

/* Byte n of a row is byte n % 4 of word n / 4. MODEW 5 starts at word 4, and MODEW 3 at word 8. */
TEST_WITH(test_narrow_stores, setup, teardown)
{
    struct machine *machine = *fixture;
    for (uint32_t i = 0; i < 64; i++)
        machine->vpm.word[2][i / 4] |= (0x40 + i) << 8 * (i % 4);
    store(machine, store_word(1, 16, true, 2, 0, 5), OUT);
    for (uint32_t i = 0; i < 16; i++)
        assert_int_equal(machine->memory[OUT - MEMORY + i], 0x50 + i);
    assert_int_equal(machine->memory[OUT - MEMORY + 16], 0);
    store(machine, store_word(1, 3, true, 2, 1, 3), OUT); /* starts at word 9 */
    assert_int_equal(in_memory(machine, OUT), 0x67666564);
    assert_int_equal(load_le16(machine->memory + (OUT - MEMORY) + 4), 0x6968);
    assert_int_equal(machine->memory[OUT - MEMORY + 6], 0x56);

    for (uint32_t i = 0; i < 16; i++)
        machine->vpm.word[16 + i][7] = 0x03020100 + i * 0x04040404;
    store(machine, store_word(1, 16, false, 16, 7, 6), OUT); /* down a column, rows 8 to 11 */
    for (uint32_t i = 0; i < 16; i++)
        assert_int_equal(machine->memory[OUT - MEMORY + i], 32 + i);
    assert_int_equal(machine->log.errors, 0);
}

/* Loads a block of 8 x 8 words to (4, 4). No other word may change. MPITCH 2 is 32 bytes. */
TEST_WITH(test_load_block, setup, teardown)
{
    struct machine *machine = *fixture;
    number_memory(machine, 1);
    load(machine, load_word(0, 2, 8, 8, 1, false, 4, 4), MEMORY);
    for (uint32_t row = 0; row < 64; row++)
        for (uint32_t column = 0; column < 16; column++) {
            bool inside = row >= 4 && row < 12 && column >= 4 && column < 12;
            uint32_t expected = inside ? 1 + (row - 4) * 8 + column - 4 : 0;
            assert_int_equal(machine->vpm.word[row][column], expected);
        }
    assert_int_equal(machine->log.errors, 0);
}

/* VPITCH carries from Y[3:0] into Y[5:4]. The value 0 means 16 in VPITCH, NROWS and ROWLEN. */
TEST_WITH(test_load_pitches, setup, teardown)
{
    struct machine *machine = *fixture;
    number_memory(machine, 1);
    load(machine, load_word(0, 3, 1, 3, 12, false, 10, 0), MEMORY);
    assert_int_equal(machine->vpm.word[10][0], 1);
    assert_int_equal(machine->vpm.word[22][0], 17);
    assert_int_equal(machine->vpm.word[34][0], 33);

    read_setup(machine, 0x90000000 | 100); /* an extended pitch of 100 bytes */
    load(machine, load_word(0, 0, 16, 16, 1, false, 0, 0), MEMORY);
    assert_int_equal(machine->vpm.word[15][15], 1 + 15 * 25 + 15);
    load(machine, load_word(0, 12, 1, 2, 1, false, 40, 0), MEMORY); /* MPITCH 12 is 8 << 12 bytes */
    assert_int_equal(machine->vpm.word[41][0], 1 + 8192);
    assert_int_equal(machine->log.errors, 0);
}

/* The extended pitch can exceed the 13 bits that the manual lists: examples/sgemm.py of
 * nineties/py-videocore, which ran on boards, loads blocks of a matrix of 3072 floats per row. */
TEST_WITH(test_load_pitch_of_12288, setup, teardown)
{
    struct machine *machine = *fixture;
    number_memory(machine, 1);
    read_setup(machine, 0x90000000 | 3072 * 4);
    load(machine, load_word(0, 0, 16, 3, 1, false, 0, 0), MEMORY);
    assert_int_equal(machine->vpm.word[1][0], 1 + 3072);
    assert_int_equal(machine->vpm.word[2][15], 1 + 2 * 3072 + 15);
    assert_int_equal(machine->log.errors, 0);
}

/* Table 36: VPITCH counts quarter rows if the width is 8 bits, and half rows if the width is 16
 * bits. */
TEST_WITH(test_narrow_loads, setup, teardown)
{
    struct machine *machine = *fixture;
    for (uint32_t i = 0; i < 256; i++)
        machine->memory[i] = (uint8_t)i;
    load(machine, load_word(5, 1, 16, 4, 1, false, 3, 0),
         MEMORY); /* loads 16 bytes per row, from B = 1 on */
    assert_int_equal(machine->vpm.word[3][0], 0);
    assert_int_equal(machine->vpm.word[3][4], 0x03020100);
    assert_int_equal(machine->vpm.word[3][15], 0x2f2e2d2c);
    assert_int_equal(machine->vpm.word[4][0], 0x33323130); /* the sum carries from B into Y */
    assert_int_equal(machine->vpm.word[4][4], 0);
    load(machine, load_word(2, 2, 16, 3, 1, false, 8, 0), MEMORY); /* loads 32 bytes per row */
    assert_int_equal(machine->vpm.word[8][0], 0x03020100);
    assert_int_equal(machine->vpm.word[8][8], 0x23222120);
    assert_int_equal(machine->vpm.word[9][7], 0x5f5e5d5c);
    load(machine, load_word(4, 1, 5, 1, 1, true, 16, 2), MEMORY + 1); /* loads down a column */
    assert_int_equal(machine->vpm.word[16][2], 0x04030201);
    assert_int_equal(machine->vpm.word[17][2], 0x00000005);
    assert_int_equal(machine->log.errors, 0);
}

/* --- findings --- */

TEST_WITH(test_setup_findings, setup, teardown)
{
    static const struct {
        bool write_side;
        uint32_t word;
    } words[] = {
        /* clang-format off */
        {false, 0x00100b00}, /* reserved size 3 */
        {false, 0x40000000}, /* reserved id 1 */
        {true,  0x00000b00},
        {true,  0x40000000},
        {true,  0x80904001}, /* reserved MODEW 1 */
        {true,  0x8090c000}, /* the laned bit is reserved */
        /* clang-format on */
    };
    struct machine *machine = *fixture;
    for (size_t i = 0; i < sizeof words / sizeof *words; i++) {
        assert_false(vpm_sets_up_quietly(&machine->ports, &machine->port, !words[i].write_side,
                                         words[i].word));
        if (words[i].write_side)
            write_setup(machine, words[i].word);
        else
            read_setup(machine, words[i].word);
        assert_int_equal(machine->log.count[FAULT_VPM_SETUP], i + 1);
    }
}

static uint64_t all_findings(const struct machine *machine)
{
    uint64_t findings = 0;
    for (unsigned rule = 0; rule < FAULT_RULES; rule++)
        findings += machine->log.count[rule];
    return findings;
}

/* Some setup words never cause a finding, whatever the previous setup was. Most setup words are
 * of this kind. */
TEST_WITH(test_quiet_setups, setup, teardown)
{
    enum { WORDS = 20000 };
    struct machine *machine = *fixture;
    unsigned quiet = 0;
    uint32_t word = 1;
    for (unsigned i = 0; i < WORDS; i++) {
        word = word * 1664525 + 1013904223;
        bool reads = i & 1;
        if (i % 8 == 0)
            vpm_port_user(&machine->port, 0, 0);
        if (!vpm_sets_up_quietly(&machine->ports, &machine->port, reads, word))
            continue;
        uint64_t before = all_findings(machine);
        (reads ? read_setup : write_setup)(machine, word);
        assert_int_equal(all_findings(machine), before);
        quiet++;
    }
    assert_in_range(quiet, WORDS / 3, WORDS - 1);
}

TEST_WITH(test_nothing_set_up, setup, teardown)
{
    struct machine *machine = *fixture;
    number_words(machine);
    number_memory(machine, 1);
    vpm_store(&machine->vpm, &machine->ports, &machine->port, OUT);
    vpm_load(&machine->vpm, &machine->ports, &machine->port, MEMORY);
    write_vector(machine, 1, 1);
    assert_int_equal(machine->log.count[FAULT_VPM_SETUP], 2);
    assert_int_equal(machine->log.count[FAULT_VPM_NO_SETUP], 1);
    assert_int_equal(machine->vpm.word[0][1], 1);
    assert_int_equal(in_memory(machine, OUT), 0);
}

TEST_WITH(test_unmapped_memory, setup, teardown)
{
    struct machine *machine = *fixture;
    number_words(machine);
    store(machine, store_word(4, 16, true, 1, 0, 0),
          MEMORY - 64 - 8); /* row 2 begins at an address 2 words before the mapped memory */
    assert_int_equal(machine->log.count[FAULT_BUS_UNMAPPED], 1);
    assert_int_equal(in_memory(machine, MEMORY), 2 << 8 | 2);
    assert_int_equal(in_memory(machine, MEMORY + 56), 3 << 8);
    load(machine, load_word(0, 3, 16, 1, 1, false, 0, 0), MEMORY + MEMORY_SIZE - 4);
    assert_int_equal(machine->log.count[FAULT_BUS_UNMAPPED], 2);
    assert_int_equal(machine->vpm.word[0][1], 0); /* unmapped memory reads as 0 */
    store(machine, store_word(0, 0, true, 0, 0, 0), 0xffffffff);
    assert_int_equal(machine->log.count[FAULT_BUS_UNMAPPED], 3);
}

TEST_WITH(test_alignment, setup, teardown)
{
    struct machine *machine = *fixture;
    number_words(machine);
    store(machine, store_word(1, 1, true, 9, 0, 0), OUT + 3);
    assert_int_equal(machine->log.count[FAULT_VPM_ALIGNMENT], 1);
    assert_int_equal(in_memory(machine, OUT), 9 << 8);
    store(machine, store_word(1, 1, true, 9, 0, 2), OUT + 2);
    store(machine, store_word(1, 1, true, 9, 0, 4), OUT + 3);
    assert_int_equal(machine->log.count[FAULT_VPM_ALIGNMENT], 1);
    write_setup(machine, 0xc0000001);
    store(machine, store_word(2, 1, true, 9, 0, 0), OUT);
    assert_int_equal(machine->log.count[FAULT_VPM_ALIGNMENT], 2);
    assert_int_equal(in_memory(machine, OUT + 4), 10 << 8);
    assert_int_equal(machine->log.errors, 0);
}

TEST_WITH(test_rows_wrap, setup, teardown)
{
    struct machine *machine = *fixture;
    number_words(machine);
    store(machine, store_word(2, 16, true, 63, 0, 0), OUT);
    assert_int_equal(in_memory(machine, OUT), 63 << 8);
    assert_int_equal(in_memory(machine, OUT + 64), 0);
    assert_int_equal(in_memory(machine, OUT + 68), 1);
    assert_int_equal(machine->log.count[FAULT_VPM_SETUP], 1);
    number_memory(machine, 0x700);
    load(machine, load_word(0, 3, 1, 2, 1, false, 63, 0), MEMORY);
    assert_int_equal(machine->vpm.word[0][0], 0x710);
    assert_int_equal(machine->log.count[FAULT_VPM_SETUP], 2);
}

/* Tries samples of all setup words. No access may be outside of the VPM or mapped memory. */
TEST_WITH(test_any_setup_word, setup, teardown)
{
    struct machine *machine = *fixture;
    uint32_t word = 1;
    for (uint32_t i = 0; i < 20000; i++) {
        word = word * 1664525 + 1013904223;
        lanes value;
        read_setup(machine, word);
        write_setup(machine, word ^ i);
        (void)vpm_read(&machine->vpm, &machine->ports, &machine->port, &value);
        write_vector(machine, word, 3);
        if (i % 16 == 0) {
            vpm_load(&machine->vpm, &machine->ports, &machine->port,
                     MEMORY + (word >> 12) % MEMORY_SIZE);
            vpm_store(&machine->vpm, &machine->ports, &machine->port, word);
        }
    }
    for (uint32_t row = VPM_USER_ROWS; row < VPM_ROWS; row++)
        for (uint32_t column = 0; column < VPM_COLUMNS; column++)
            assert_int_equal(machine->vpm.word[row][column], 0);
}

/* --- every setup word, against a second model --- The second model uses only the figures and
 * tables, and another method. Its VPM is an array of bytes, and a vector or a unit of a transfer
 * is a path through the array. */

enum { ROW_BYTES = 64 };

struct path {
    uint32_t row, byte; /* position of the first element; byte is from 0 to 63 */
    uint32_t size;      /* bytes per element */
    uint32_t step;      /* distance in bytes to the next element of a row, or of a column if
                           vertical */
    bool vertical;
};

/* Returns the position of element n of a path: row << 8 | byte. */
static uint32_t on_path(const struct path *path, uint32_t n)
{
    if (!path->vertical) {
        uint32_t byte = path->byte + n * path->step;
        return (path->row + byte / ROW_BYTES) % 64 << 8 | byte % ROW_BYTES;
    }
    uint32_t down = path->byte % 4 + n * path->step;
    return (path->row + down / 4) % 64 << 8 | (path->byte / 4 * 4 + down % 4);
}

static uint32_t vpm_bytes(const struct machine *machine, uint32_t place, uint32_t size)
{
    uint32_t word = machine->vpm.word[place >> 8][(place & 63) / 4] >> place % 4 * 8;
    return size == 4 ? word : word & ((1u << 8 * size) - 1);
}

/* Returns a vector's path by figures 8 and 9 and the article. Y is a row. In a vertical vector,
 * X and Y are the top of a column. B or H is the lane of each word. For packed vectors, B or H
 * is the number of a block of 16 elements, to the right or further down. */
static struct path vector_path(uint32_t setup, uint32_t address)
{
    uint32_t size = 1u << (setup >> 8 & 3), parts = 4 / size;
    bool vertical = !(setup >> 11 & 1), laned = setup >> 10 & 1 && size < 4;
    uint32_t part = address % parts, y = address / parts % 64;
    struct path path = {.row = y, .size = size, .step = laned ? 4 : size, .vertical = vertical};
    if (vertical) {
        path.row = y / 16 * 16 + (laned ? 0 : part * 16 * size / 4);
        path.byte = y % 16 * 4 + (laned ? part * size : 0);
    } else {
        path.byte = laned ? part * size : part * 16 * size;
    }
    return path;
}

static void fill_vpm(struct machine *machine, uint32_t seed)
{
    for (uint32_t row = 0; row < VPM_USER_ROWS; row++)
        for (uint32_t column = 0; column < VPM_COLUMNS; column++) {
            seed = seed * 1664525 + 1013904223;
            machine->vpm.word[row][column] = seed ^ seed >> 13;
        }
}

/* Reads and writes three vectors with every HORIZ, LANED, SIZE and ADDR, and with many strides. */
TEST_WITH(test_every_vector_setup, setup, teardown)
{
    struct machine *machine = *fixture;
    for (uint32_t mode = 0; mode < 3 << 10; mode++) {
        uint32_t setup = (mode & 0xff) | mode / 0x300 << 10 | mode / 0x100 % 3 << 8;
        uint32_t stride = mode * 7 % 64, wrap = 256 >> (setup >> 8 & 3);
        fill_vpm(machine, mode);
        read_setup(machine, setup | stride << 12 | 3 << 20);
        for (uint32_t n = 0; n < 3; n++) {
            struct path path = vector_path(setup, (mode + n * (stride ? stride : 64)) % wrap);
            lanes value;
            assert_true(vpm_read(&machine->vpm, &machine->ports, &machine->port, &value));
            for (uint32_t i = 0; i < LANES; i++)
                assert_int_equal(value[i], vpm_bytes(machine, on_path(&path, i), path.size));
        }
        write_setup(machine, setup | stride << 12);
        for (uint32_t n = 0; n < 3; n++) {
            struct path path = vector_path(setup, (mode + n * (stride ? stride : 64)) % wrap);
            uint32_t outside = on_path(&path, 15) ^ 32 << 8,
                     before = vpm_bytes(machine, outside, 4);
            write_vector(machine, 0x89abcdef + mode, 0x11111);
            for (uint32_t i = 0; i < LANES; i++)
                assert_int_equal(vpm_bytes(machine, on_path(&path, i), path.size),
                                 (0x89abcdef + mode + i * 0x11111) &
                                     UINT32_MAX >> (32 - 8 * path.size));
            assert_int_equal(vpm_bytes(machine, outside, 4), before);
        }
    }
    assert_int_equal(machine->log.errors, 0);
}

/* Returns a unit's path. MODEW selects the width, and the block of 16 elements. */
static struct path dma_path(uint32_t mode, bool vertical, uint32_t row, uint32_t column)
{
    uint32_t size = mode >= 4 ? 1 : mode >= 2 ? 2 : 4, part = mode % (4 / size);
    struct path path = {.row = row, .size = size, .step = size, .vertical = vertical};
    path.byte = column * 4 + (vertical ? 0 : part * 16 * size);
    path.row += vertical ? part * 4 * size : 0;
    return path;
}

static uint32_t random_word(uint32_t *seed)
{
    *seed = *seed * 1664525 + 1013904223;
    return *seed ^ *seed >> 15;
}

/* Returns the count in a field that begins at bit 0. The field counts from 1 to `highest`, and 0
 * encodes `highest`. */
static uint32_t counted(uint32_t word, uint32_t highest)
{
    return word % highest ? word % highest : highest;
}

static uint32_t memory_bytes(const struct machine *machine, uint32_t address, uint32_t size)
{
    uint32_t value = 0;
    for (uint32_t i = 0; i < size; i++)
        value |= (uint32_t)machine->memory[address - MEMORY + i] << 8 * i;
    return value;
}

/* Compares loads with every field of tables 36 and 37. */
TEST_WITH(test_every_load_setup, setup, teardown)
{
    struct machine *machine = *fixture;
    uint32_t seed = 1;
    for (uint32_t i = 0; i < MEMORY_SIZE; i++)
        machine->memory[i] = (uint8_t)(random_word(&seed) >> 9);
    for (uint32_t run = 0; run < 3000; run++) {
        uint32_t word = 1u << 31 | random_word(&seed), extended = random_word(&seed) & 0x3ffc;
        uint32_t mode = word >> 28 & 7, pitch = word >> 24 & 15;
        if (mode == 1 || pitch > 10)
            continue;
        uint32_t length = counted(word >> 20, 16);
        uint32_t rows = counted(word >> 16, 16);
        uint32_t step = counted(word >> 12, 16);
        fill_vpm(machine, run);
        read_setup(machine, 9u << 28 | extended);
        load(machine, word, MEMORY + run * 4);
        struct path first = dma_path(mode, word >> 11 & 1, 0, word & 15);
        uint32_t parts = 4 / first.size, where = (word >> 4 & 0x7f) * parts + mode % parts;
        uint32_t last = (rows - 1) * step + where; /* rows can overlap, so only the last loaded
                                                      row is compared */
        struct path path = dma_path(mode - mode % parts + last % parts, first.vertical,
                                    last / parts, word & 15);
        uint32_t address = MEMORY + run * 4 + (rows - 1) * (pitch ? 8u << pitch : extended);
        for (uint32_t i = 0; i < length; i++)
            assert_int_equal(vpm_bytes(machine, on_path(&path, i), path.size),
                             memory_bytes(machine, address + i * path.size, path.size));
    }
}

/* Compares stores with every field of tables 34 and 35. */
TEST_WITH(test_every_store_setup, setup, teardown)
{
    struct machine *machine = *fixture;
    uint32_t seed = 2;
    fill_vpm(machine, 3);
    for (uint32_t run = 0; run < 1500; run++) {
        uint32_t word = random_word(&seed), mode = word & 7, gap = random_word(&seed) & 0x1fc;
        bool vertical = !(word >> 14 & 1), block = random_word(&seed) & 1;
        if (mode == 1)
            continue;
        word = 2u << 30 | (word & 0x3fff7fff);
        uint32_t units = counted(word >> 23, 128);
        uint32_t depth = counted(word >> 16, 128);
        write_setup(machine, 3u << 30 | (uint32_t)block << 16 | gap);
        store(machine, word, OUT);
        block &= depth > 1;
        for (uint32_t unit = 0; unit < units; unit++)
            for (uint32_t i = 0; i < depth; i++) {
                uint32_t n = block ? unit * depth + i : i;
                uint32_t row = word >> 7 & 127, column = word >> 3 & 15;
                struct path path = dma_path(mode, vertical, 0, 0);
                uint32_t words = (path.row * 4 + n * path.size) / 4; /* the words are down a
                                                                        column */
                words += vertical ? row % 16 : 0;
                row -= vertical ? row % 16 : 0;
                column += vertical && !block ? unit : vertical ? words / 16 : 0;
                row += vertical ? words % 16 + column / 16 * 16 : block ? 0 : unit;
                path = dma_path(vertical ? 0 : mode, vertical, row,
                                vertical ? column % 16 : column);
                path.size = path.step = mode >= 4 ? 1 : mode >= 2 ? 2 : 4;
                uint32_t place = vertical ? on_path(&path, n % (4 / path.size)) : on_path(&path, n);
                uint32_t address = OUT + unit * (depth * path.size + gap) + i * path.size;
                if (vpm_bytes(machine, place, path.size) !=
                    memory_bytes(machine, address, path.size))
                    fail_msg("setup %08x, unit %u, element %u", word, unit, i);
            }
    }
}

/* --- windows --- */

/* Returns a setup for `count` horizontal 32-bit vectors from `row` on (tables 32 and 33): HORIZ,
 * SIZE 2, STRIDE 1. */
static uint32_t read_rows(uint32_t row, uint32_t count)
{
    return (count & 15) << 20 | 1 << 12 | 1 << 11 | 2 << 8 | row;
}

static uint32_t write_rows(uint32_t row)
{
    return 1 << 12 | 1 << 11 | 2 << 8 | row;
}

/* Manual section 7: "the addresses of read and write accesses are automatically mapped to the
 * correct locations in the VPM". */
TEST_WITH(test_shader_has_windows, setup, teardown)
{
    struct machine *machine = *fixture;
    number_words(machine);
    vpm_port_shader(&machine->port, (struct vpm_window){40, 3}, (struct vpm_window){100, 7});
    read_setup(machine, read_rows(0, 3));
    for (uint32_t row = 0; row < 3; row++)
        assert_int_equal(read_first(machine), (40 + row) << 8);
    write_setup(machine, write_rows(5));
    write_vector(machine, 0xabc00, 1);
    write_vector(machine, 0xdef00, 1);
    assert_int_equal(machine->vpm.word[105][3], 0xabc03);
    assert_int_equal(machine->vpm.word[106][15], 0xdef0f);
    assert_int_equal(machine->vpm.word[5][0], 5 << 8);
    assert_int_equal(vpm_rows_read(&machine->port), 7);
    assert_int_equal(vpm_rows_written(&machine->port), 3 << 5);
    assert_int_equal(machine->log.count[FAULT_VPM_WINDOW], 0);
}

/* Manual section 7: writes outside of the window are masked, and reads outside of it return
 * data. */
TEST_WITH(test_shader_leaves_its_windows, setup, teardown)
{
    struct machine *machine = *fixture;
    number_words(machine);
    vpm_port_shader(&machine->port, (struct vpm_window){40, 3}, (struct vpm_window){100, 7});
    read_setup(machine, read_rows(3, 1));
    assert_int_equal(read_first(machine), 43 << 8);
    assert_int_equal(machine->log.count[FAULT_VPM_WINDOW], 1);
    assert_int_equal(vpm_rows_read(&machine->port), 1 << 3);
    write_setup(machine, write_rows(7));
    write_vector(machine, 0xabc00, 1);
    assert_int_equal(machine->vpm.word[107][0], 107 << 8);
    assert_int_equal(machine->log.count[FAULT_VPM_WINDOW], 2);
    assert_int_equal(vpm_rows_written(&machine->port), 1 << 7);
    /* The vector is column 2, from row 0 down. Its first 7 elements are inside of the window. */
    write_setup(machine, 2 << 8 | 2);
    write_vector(machine, 0xabc00, 1);
    assert_int_equal(machine->vpm.word[106][2], 0xabc06);
    assert_int_equal(machine->vpm.word[107][2], 107 << 8 | 2);
}

TEST_WITH(test_shader_window_wraps_at_the_end_of_memory, setup, teardown)
{
    struct machine *machine = *fixture;
    number_words(machine);
    vpm_port_shader(&machine->port, (struct vpm_window){190, 4}, (struct vpm_window){0, 64});
    read_setup(machine, read_rows(2, 1));
    assert_int_equal(read_first(machine), 0);
}

/* A program accesses rows outside of its reservation (manual table 69). docs/vc4/vpm.md explains
 * why the access still happens. */
TEST_WITH(test_user_program_leaves_its_reservation, setup, teardown)
{
    struct machine *machine = *fixture;
    vpm_port_user(&machine->port, 0, 8);
    write_setup(machine, write_rows(7));
    write_vector(machine, 1, 0);
    assert_int_equal(machine->log.count[FAULT_VPM_RESERVATION], 0);
    write_vector(machine, 2, 0);
    assert_int_equal(machine->log.count[FAULT_VPM_RESERVATION], 1);
    assert_int_equal(machine->vpm.word[8][0], 2);
}

/* --- time --- */

/* Manual section 7: a program can poll the busy register or wait, and a second load cannot start
 * before the first has ended. The durations are estimates, so only the order of events is
 * tested. */
TEST_WITH(test_transfers_take_time, setup, teardown)
{
    struct machine *machine = *fixture;
    struct vpm *vpm = &machine->vpm;
    const struct vpm_ports *ports = &machine->ports;
    struct vpm_port *port = &machine->port;
    assert_false(vpm_load_busy(ports, port));
    assert_int_equal(vpm_wait_load(ports, port), 0);
    read_setup(machine, 0x80000000 | 1 << 16 | 1 << 24);
    assert_int_equal(vpm_load(vpm, ports, port, MEMORY), 0);
    assert_true(vpm_load_busy(ports, port));
    assert_false(vpm_store_busy(ports, port));
    uint64_t whole = vpm_load(vpm, ports, port, MEMORY);
    assert_true(whole > 0);
    port->now += whole;
    port->now += 1;
    assert_int_equal(vpm_wait_load(ports, port), whole - 1);
    port->now += whole - 1;
    assert_false(vpm_load_busy(ports, port));
    vpm_load(vpm, ports, port, MEMORY);
    port->now += whole;
    assert_false(vpm_load_busy(ports, port));
    write_setup(machine, 0x80904000 | 1 << 3);
    assert_int_equal(vpm_store(vpm, ports, port, OUT), 0);
    assert_true(vpm_store_busy(ports, port));
    vpm_end(ports, port);
    assert_int_equal(machine->log.count[FAULT_VPM_DMA_LEFT], 1);
    vpm_end(ports, port);
    assert_int_equal(machine->log.count[FAULT_VPM_DMA_LEFT], 1);
}

/* A setup and its data are three instructions apart; the following vectors arrive one per
 * instruction. A vector that the QPU reads late delays the vectors after it. */
TEST_WITH(test_vectors_take_time, setup, teardown)
{
    struct machine *machine = *fixture;
    struct vpm_port *port = &machine->port;
    port->now = 100;
    assert_int_equal(vpm_read_stall(port), 0);
    read_setup(machine, read_rows(0, 3));
    port->now = 104;
    assert_int_equal(vpm_read_stall(port), 12);
    port->now = 116;
    assert_int_equal(vpm_read_stall(port), 0);
    read_first(machine);
    assert_int_equal(vpm_read_stall(port), 4);
    port->now = 200;
    assert_int_equal(vpm_read_stall(port), 0);
    read_first(machine);
    assert_int_equal(vpm_read_stall(port), 4);
    read_setup(machine, read_rows(8, 1)); /* waits for one vector, but not for the full latency */
    port->now = 204;
    read_first(machine);
    assert_int_equal(vpm_read_stall(port), 12);
}

/* The FIFO fetches a vector as soon as the QPU reads the previous one. A later write by the
 * program does not reach the fetched vector. By vc4asm's addendum, the FIFO holds one vector. */
TEST_WITH(test_a_vector_is_fetched_ahead, setup, teardown)
{
    struct machine *machine = *fixture;
    number_words(machine);
    write_setup(machine, write_rows(0));
    read_setup(machine, read_rows(0, 3));
    write_vector(machine, 0x5000, 0);
    assert_int_equal(read_first(machine), 0 << 8); /* the vector was fetched before the write */
    write_vector(machine, 0x5001, 0);
    assert_int_equal(read_first(machine), 1 << 8);
    read_setup(machine, read_rows(0, 1));
    assert_int_equal(read_first(machine), 2 << 8);
    assert_int_equal(read_first(machine), 0x5000);
    assert_int_equal(machine->log.errors, 0);
}

/* Manual section 7: "Up to two writes are queued in a FIFO". One write leaves the FIFO per
 * instruction, so the FIFO fills up only while DMA accesses the VPM. In that time, a third write
 * in three instructions stalls. A store that is started after the writes waits for all of them
 * (Terminus-IMRC in maazl/vc4asm, issue 9). */
TEST_WITH(test_two_writes_are_queued, setup, teardown)
{
    struct machine *machine = *fixture;
    struct vpm_port *port = &machine->port;
    lanes value = {0};
    write_setup(machine, write_rows(0));
    for (uint32_t i = 0; i < 20; i++, port->now += 4)
        assert_int_equal(vpm_write(&machine->vpm, &machine->ports, port, &value, ALL_LANES), 0);
    load(machine, 0x80000000 | 1 << 24 | 16 << 4, MEMORY); /* loads 16 rows, which takes more
                                                              than 100 clocks */
    port->now += 4;
    uint64_t stalls = 0;
    for (uint32_t i = 0; i < 6; i++, port->now += 4) {
        uint64_t stall = vpm_write(&machine->vpm, &machine->ports, port, &value, ALL_LANES);
        assert_true(i < 2 ? stall == 0 : stall <= 4);
        stalls += stall;
        port->now += stall;
    }
    assert_true(stalls >= 12);
    write_setup(machine, 0x80904000);
    uint64_t drained = port->write_done[VPM_WRITES - 1];
    assert_true(drained > port->now);
    assert_int_equal(vpm_store(&machine->vpm, &machine->ports, port, OUT), 0);
    uint64_t behind = port->store.ready - drained;
    vpm_wait_store(&machine->ports, port);
    port->now = 1000000;
    vpm_store(&machine->vpm, &machine->ports, port, OUT);
    assert_int_equal(port->store.ready - port->now, behind);
}

/* One VCD and one VDW serve all QPUs. Transfers of one kind run one after the other; a load and
 * a store run in parallel. A request for an earlier time, which arrives later, is served in a
 * gap between transfers. */
TEST_WITH(test_qpus_share_the_engines, setup, teardown)
{
    struct machine *machine = *fixture;
    struct vpm *vpm = &machine->vpm;
    const struct vpm_ports *ports = &machine->ports;
    struct vpm_port *one = &machine->port, other;
    vpm_port_user(&other, 1, 0);
    other.now = one->now = 1000;
    load(machine, 0x80000000 | 1 << 16 | 1 << 24, MEMORY);
    uint64_t alone = one->load.ready - 1000;
    vpm_read_setup(vpm, ports, &other, 0x80000000 | 1 << 16 | 1 << 24);
    assert_int_equal(vpm_load(vpm, ports, &other, MEMORY), 0); /* requests do not stall, waits do */
    assert_int_equal(other.load.ready, 1000 + 2 * alone);
    assert_int_equal(vpm_wait_load(ports, &other), 2 * alone);
    store(machine, 0x80904000, OUT);
    uint64_t storing = one->store.ready - 1000;
    vpm_write_setup(ports, &other, 0x80904000);
    vpm_store(vpm, ports, &other, OUT + 64);
    assert_int_equal(other.store.ready, 1000 + 2 * storing);
    other.now = 100; /* this request arrives later, but is for an earlier time */
    vpm_load(vpm, ports, &other, MEMORY);
    assert_int_equal(other.load.ready, 100 + alone);
    vpm_restart(vpm);
    other.now = 1000;
    vpm_load(vpm, ports, &other, MEMORY);
    assert_int_equal(other.load.ready, 1000 + alone);
}

/* Starts more transfers than an engine records. */
TEST(test_engine_forgets_the_past)
{
    struct vpm_engine engine = {.count = 0};
    for (uint32_t i = 0; i < 3 * VPM_SPANS; i++)
        assert_int_equal(vpm_engine_add(&engine, 0, 10), 10 * (i + 1));
    vpm_engine_restart(&engine);
    assert_int_equal(vpm_engine_add(&engine, 50, 10), 60);
    assert_int_equal(vpm_engine_add(&engine, 10, 20), 30);
    assert_int_equal(vpm_engine_add(&engine, 0, 25), 85); /* fits neither before the transfers
                                                             nor between them */
    assert_int_equal(vpm_engine_add(&engine, 0, 20), 50); /* fits between the transfers */
    assert_int_equal(vpm_engine_add(&engine, 0, 10), 10);
    assert_false(vpm_engine_busy(&engine, 85));
    assert_true(vpm_engine_busy(&engine, 84));
    assert_true(vpm_engine_busy(&engine, 0));
}

TEST_WITH(test_collisions_are_counted, setup, teardown)
{
    struct machine *machine = *fixture;
    struct pctr_counts counts = {.clocks = 0};
    machine->ports.counts = &counts;
    write_setup(machine, write_rows(8));
    write_vector(machine, 1, 0);
    load(machine, 0x80000000 | 1 << 16 | 1 << 24, MEMORY);
    write_vector(machine, 1, 0);
    write_vector(machine, 1, 0);
    store(machine, 0x80904000, OUT);
    machine->port.now = 30; /* the writes have ended, but the transfers have not */
    write_setup(machine, write_rows(8));
    write_vector(machine, 1, 0);
    assert_int_equal(counts.of[PCTR_VPM_VCD_STALL], 3);
    assert_int_equal(counts.of[PCTR_VPM_VDW_STALL], 1);
}

/* --- the run-time sanitizer --- */

static uint64_t count(const struct machine *machine, enum fault_rule rule)
{
    return machine->log.count[rule];
}

static int setup_sanitizer(void **state)
{
    setup(state);
    struct machine *machine = *state;
    machine->ports.sanitize = true;
    machine->ports.race = race_new(&machine->log);
    return machine->ports.race ? 0 : -1;
}

static int teardown_sanitizer(void **state)
{
    struct machine *machine = *state;
    race_free(machine->ports.race);
    return teardown(state);
}

TEST_WITH(test_unwritten_words, setup_sanitizer, teardown_sanitizer)
{
    struct machine *machine = *fixture;
    machine->port.executed = 10;
    read_setup(machine, read_rows(5, 1));
    machine->port.executed = 14;
    read_first(machine);
    assert_int_equal(count(machine, FAULT_VPM_UNINITIALISED), 1);
    /* Writes byte 1 of each word of row 5 (laned). Reading these bytes causes no finding, and
     * reading whole words does. */
    write_setup(machine, 1 << 12 | 1 << 11 | 1 << 10 | 5 << 2 | 1);
    write_vector(machine, 1, 0);
    read_setup(machine, 1 << 20 | 1 << 12 | 1 << 11 | 1 << 10 | 5 << 2 | 1);
    machine->port.executed = 20;
    read_first(machine);
    assert_int_equal(count(machine, FAULT_VPM_UNINITIALISED), 1);
    store(machine, 0x80000000 | 1 << 23 | 16 << 16 | 1 << 14 | 5 << 7, OUT);
    assert_int_equal(count(machine, FAULT_VPM_UNINITIALISED), 2);
    vpm_wait_store(&machine->ports, &machine->port);
    vpm_mark_written(&machine->vpm, &machine->ports, 5, 1);
    store(machine, 0x80000000 | 1 << 23 | 16 << 16 | 1 << 14 | 5 << 7, OUT);
    assert_int_equal(count(machine, FAULT_VPM_UNINITIALISED), 2);
    load(machine, 0x80000000 | 1 << 16 | 1 << 24 | 9 << 4, MEMORY);
    vpm_wait_load(&machine->ports, &machine->port);
    read_setup(machine, read_rows(9, 1));
    machine->port.executed = 30;
    read_first(machine);
    assert_int_equal(count(machine, FAULT_VPM_UNINITIALISED), 2);
    assert_int_equal(count(machine, FAULT_VPM_UNFINISHED), 0);
}

/* Manual section 7: a program needs at least three instructions between setup and data. */
TEST_WITH(test_reads_before_the_latency, setup_sanitizer, teardown_sanitizer)
{
    struct machine *machine = *fixture;
    vpm_mark_written(&machine->vpm, &machine->ports, 0, VPM_ROWS);
    machine->port.executed = 100;
    read_setup(machine, read_rows(0, 2));
    machine->port.executed = 103;
    read_first(machine);
    assert_int_equal(count(machine, FAULT_VPM_LATENCY), 1);
    machine->port.executed = 104;
    read_first(machine);
    assert_int_equal(count(machine, FAULT_VPM_LATENCY), 1);
}

TEST_WITH(test_use_of_unfinished_dma, setup_sanitizer, teardown_sanitizer)
{
    struct machine *machine = *fixture;
    const struct vpm_ports *ports = &machine->ports;
    struct vpm_port *port = &machine->port;
    /* Reads row 0 before and after the wait for a load into this row. Only the read before the
     * wait causes a finding. */
    load(machine, 0x80000000 | 1 << 16 | 1 << 24, MEMORY);
    read_setup(machine, read_rows(0, 1));
    assert_int_equal(count(machine, FAULT_VPM_UNFINISHED), 1);
    port->now += 10;
    read_first(machine);
    vpm_wait_load(ports, port);
    read_setup(machine, read_rows(0, 1));
    port->now += 10;
    read_first(machine);
    assert_int_equal(count(machine, FAULT_VPM_UNFINISHED), 1);
    /* Overwrites row 0 before the wait for a store of this row, which causes a finding. Row 1
     * may be written. */
    store(machine, 0x80000000 | 1 << 23 | 16 << 16 | 1 << 14, OUT);
    write_setup(machine, write_rows(1));
    write_vector(machine, 1, 0);
    assert_int_equal(count(machine, FAULT_VPM_UNFINISHED), 1);
    write_setup(machine, write_rows(0));
    write_vector(machine, 1, 0);
    assert_int_equal(count(machine, FAULT_VPM_UNFINISHED), 2);
    /* Loads from memory to which a store is still writing. */
    load(machine, 0x80000000 | 1 << 16 | 1 << 24 | 8 << 4, OUT);
    assert_int_equal(count(machine, FAULT_VPM_UNFINISHED), 3);
    vpm_wait_load(ports, port);
    vpm_wait_store(ports, port);
    load(machine, 0x80000000 | 1 << 16 | 1 << 24 | 8 << 4, OUT);
    assert_int_equal(count(machine, FAULT_VPM_UNFINISHED), 3);
}

TEST_WITH(test_write_into_what_is_being_fetched, setup_sanitizer, teardown_sanitizer)
{
    struct machine *machine = *fixture;
    vpm_mark_written(&machine->vpm, &machine->ports, 0, VPM_ROWS);
    read_setup(machine, read_rows(0, 2));
    machine->port.executed = 10;
    read_first(machine);
    write_setup(machine, write_rows(0));
    write_vector(machine, 1, 0); /* the vector has already been read: no finding */
    assert_int_equal(count(machine, FAULT_VPM_PREFETCH), 0);
    write_vector(machine, 1, 0); /* the vector has not been read yet: a finding */
    assert_int_equal(count(machine, FAULT_VPM_PREFETCH), 1);
}

/* Two QPUs access row 3. The enum is the kind of synchronisation between them. */
enum ordering { ORDER_NONE, ORDER_SEMAPHORE, ORDER_MUTEX, ORDER_HOST, ORDER_OTHER_SEMAPHORE };

static void order(struct race *race, enum ordering how)
{
    switch (how) {
    case ORDER_NONE: break;
    case ORDER_SEMAPHORE:
        race_semaphore(race, 0, 5, false);
        race_semaphore(race, 1, 5, true);
        break;
    case ORDER_MUTEX:
        race_mutex(race, 0, false);
        race_mutex(race, 1, true);
        break;
    case ORDER_HOST:
        race_host(race);
        race_start(race, 1);
        break;
    case ORDER_OTHER_SEMAPHORE:
        race_semaphore(race, 0, 5, false);
        race_semaphore(race, 1, 6, true);
        break;
    }
}

TEST(test_races_in_the_vpm)
{
    static const struct {
        enum ordering how;
        uint32_t row;
        unsigned races;
    } cases[] = {
        /* clang-format off */
        {ORDER_NONE,            3, 1},
        {ORDER_NONE,            4, 0},
        {ORDER_SEMAPHORE,       3, 0},
        {ORDER_MUTEX,           3, 0},
        {ORDER_HOST,            3, 0},
        {ORDER_OTHER_SEMAPHORE, 3, 1},
        /* clang-format on */
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        void *own;
        assert_int_equal(setup_sanitizer(&own), 0);
        struct machine *machine = own;
        struct vpm_port other;
        vpm_port_user(&other, 1, 0);
        write_setup(machine, write_rows(3));
        write_vector(machine, 1, 0);
        order(machine->ports.race, cases[i].how);
        vpm_write_setup(&machine->ports, &other, write_rows(cases[i].row));
        lanes value = {0};
        vpm_write(&machine->vpm, &machine->ports, &other, &value, ALL_LANES);
        assert_int_equal(count(machine, FAULT_VPM_RACE), cases[i].races);
        teardown_sanitizer(&own);
    }
}

/* Accesses to different bytes of the same words are not a race (laned bytes 0 and 2 of row 3). */
TEST_WITH(test_bytes_of_a_word_are_apart, setup_sanitizer, teardown_sanitizer)
{
    struct machine *machine = *fixture;
    struct vpm_port other;
    vpm_port_user(&other, 1, 0);
    write_setup(machine, 1 << 11 | 1 << 10 | 3 << 2);
    write_vector(machine, 1, 0);
    vpm_write_setup(&machine->ports, &other, 1 << 11 | 1 << 10 | 3 << 2 | 2);
    lanes value = {0};
    vpm_write(&machine->vpm, &machine->ports, &other, &value, ALL_LANES);
    assert_int_equal(count(machine, FAULT_VPM_RACE), 0);
}

/* QPU 0 stores to memory that QPU 1 reads with a TMU lookup. */
static void memory_race(struct machine *machine, bool waits, enum ordering how)
{
    const struct vpm_ports *ports = &machine->ports;
    lanes address = {0};
    const lane_mask all = ALL_LANES;
    for (uint32_t i = 0; i < LANES; i++)
        address[i] = OUT + 4 * i;
    write_setup(machine, write_rows(0));
    write_vector(machine, 1, 0);
    store(machine, 0x80000000 | 1 << 23 | 16 << 16 | 1 << 14, OUT);
    if (waits)
        vpm_wait_store(ports, &machine->port);
    order(machine->ports.race, how);
    const struct race_lookup lookup = {
        .qpu = 1, .taps = 1, .size = 4, .address = &address, .used = &all};
    race_lookup(machine->ports.race, &lookup);
}

TEST(test_races_in_memory)
{
    static const struct {
        bool waits;
        enum ordering how;
        unsigned races;
    } cases[] = {
        {true, ORDER_NONE, 1},
        {true, ORDER_SEMAPHORE, 0},
        {false, ORDER_SEMAPHORE, 1},
        {true, ORDER_MUTEX, 0},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        void *own;
        assert_int_equal(setup_sanitizer(&own), 0);
        struct machine *machine = own;
        memory_race(machine, cases[i].waits, cases[i].how);
        assert_int_equal(count(machine, FAULT_MEMORY_RACE), cases[i].races);
        teardown_sanitizer(&own);
    }
}
