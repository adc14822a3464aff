/* SPDX-License-Identifier: MIT */
/* Runs the NV demo (docs/sources.md), from the bytes in the article to the log that the article
 * prints. The lists, the record and the shader are the article's bytes. The vertices are those
 * of demo/d50.c. Like the handler of the article's driver, the interrupt handler prints
 * V3D_ERRSTAT, V3D_INTCTL and V3D_DBQITC, and clears the latter two. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <tessera/vc4.h>

#include "../register.h"
#include "base/bits.h"

enum {
    PROGRAM = 0x40410000, /* address of the shader and the vertices */
    SHADER = 0x404104f0,
    VERTICES = 0x40410568,
    BINNER = 0x40420000, /* address of the tile state, shader record and tile lists */
    RECORD = 0x40421400,
    TILES = 0x40421500,
    LISTS = 0x40440000,
    FRAME = 0x5eac0000,
    WIDTH = 640,
    HEIGHT = 480,
};

#define YELLOW UINT32_C(0xffffff00) /* the frame's clear colour */

static const uint8_t binning[] = {
    0x70, 0x00, 0x15, 0x42, 0x40, 0x00, 0x00, 0x01, 0x00, 0x00, 0x05, 0x42, 0x40, 0x0a, 0x08, 0x04,
    0x06, 0x07, 0x66, 0x00, 0x00, 0x00, 0x00, 0x80, 0x02, 0xe0, 0x01, 0x60, 0x05, 0x00, 0x00, 0x67,
    0x00, 0x14, 0x00, 0x0f, 0x69, 0x00, 0x00, 0xa0, 0x45, 0x00, 0x00, 0x70, 0x45, 0x41, 0x00, 0x14,
    0x42, 0x40, 0x21, 0x04, 0x03, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x04};

/* The rendering list up to the first tile's store. After it, each tile has coordinates, branch
 * and store, as the article describes. */
static const uint8_t rendering[] = {
    0x72, 0x00, 0xff, 0xff, 0xff, 0x00, 0xff, 0xff, 0xff, 0x00, 0x00, 0x00, 0x00, 0x00, 0x71,
    0x00, 0x00, 0xac, 0x5e, 0x80, 0x02, 0xe0, 0x01, 0x04, 0x00, 0x73, 0x00, 0x00, 0x1c, 0x00,
    0x00, 0x00, 0x00, 0x00, 0x00, 0x73, 0x00, 0x00, 0x08, 0x11, 0x00, 0x15, 0x42, 0x40, 0x18};

static const uint8_t record[] = {0x01, 0x18, 0x00, 0x03, 0xf0, 0x04, 0x41, 0x40,
                                 0x00, 0x00, 0x00, 0x00, 0x68, 0x05, 0x41, 0x40};

static const uint32_t shader[] = {
    0x203e303e, 0x100049e0, 0x019e7140, 0x10020827, 0x203e303e, 0x100049e1, 0x019e7340, 0x10020867,
    0x203e303e, 0x100049e2, 0x019e7540, 0x100208a7, 0xff000000, 0xe00208e7, 0x209e0007, 0xd16049e3,
    0x209e000f, 0xd15049e3, 0x209e0017, 0xd14049e3, 0x159e76c0, 0x50020ba7, 0x159c1fc0, 0xd00209a7,
    0x009e7000, 0x300009e7, 0x009e7000, 0x100009e7, 0x009e7000, 0x100009e7};

struct line {
    uint32_t errstat, intctl, dbqitc;
};

struct board {
    struct tess_vc4 *vc4;
    struct line log[64];
    unsigned lines, errors;
};

static void report(void *user, const struct tess_finding *diag)
{
    struct board *board = user;
    board->errors += diag->level == TESS_ERROR;
}

static void handle_interrupt(void *user, bool level)
{
    struct board *board = user;
    if (!level)
        return;
    assert_true(board->lines < 64);
    struct line *line = &board->log[board->lines++];
    line->errstat = tess_vc4_read(board->vc4, V3D_ERRSTAT);
    line->intctl = tess_vc4_read(board->vc4, V3D_INTCTL);
    line->dbqitc = tess_vc4_read(board->vc4, V3D_DBQITC);
    tess_vc4_write(board->vc4, V3D_INTCTL, line->intctl);
    tess_vc4_write(board->vc4, V3D_DBQITC, line->dbqitc);
}

static uint8_t *at(struct board *board, uint32_t address, uint32_t size)
{
    return tess_vc4_memory(board->vc4, address, size);
}

static void put(struct board *board, uint32_t address, const void *bytes, uint32_t size)
{
    memcpy(at(board, address, size), bytes, size);
}

static void put_vertices(struct board *board)
{
    static const int places[3][2] = {{0, -3193}, {-3195, 3193}, {3195, 3193}};
    for (uint32_t i = 0; i < 3; i++) {
        uint8_t *vertex = at(board, VERTICES + 24 * i, 24);
        store_le32(vertex, ((uint32_t)places[i][0] & 0xffff) | (uint32_t)places[i][1] << 16);
        store_le32(vertex + 4, float_bits(0.94f));
        store_le32(vertex + 8, float_bits(0.25f));
        for (uint32_t colour = 0; colour < 3; colour++)
            store_le32(vertex + 12 + 4 * colour, float_bits(colour == i));
    }
}

/* Writes the rendering list. Returns the address of its end. */
static uint32_t put_rendering_list(struct board *board, uint32_t address)
{
    put(board, address, rendering, sizeof rendering);
    uint8_t *byte = at(board, address + sizeof rendering, 79 * 9);
    for (uint32_t tile = 1; tile < 80; tile++, byte += 9) {
        byte[0] = 0x73;
        byte[1] = (uint8_t)(tile % 10);
        byte[2] = (uint8_t)(tile / 10);
        byte[3] = 0x11;
        store_le32(byte + 4, TILES + tile * 32);
        byte[8] = tile < 79 ? 0x18 : 0x19;
    }
    return address + sizeof rendering + 79 * 9;
}

static void start(struct board *board, unsigned thread, uint32_t from, uint32_t to)
{
    tess_vc4_write(board->vc4, V3D_CT0CS + 4 * thread, 1u << 15);
    tess_vc4_write(board->vc4, V3D_CT0CA + 4 * thread, from);
    tess_vc4_write(board->vc4, V3D_CT0EA + 4 * thread, to);
}

static void run_demo(struct board *board)
{
    const struct tess_sink sink = {report, board};
    struct tess_vc4_options options = {
        .machine.sink = sink, .interrupt = handle_interrupt, .interrupt_user = board};
    *board = (struct board){.lines = 0};
    assert_int_equal(tess_vc4_create(&board->vc4, &options), TESS_OK);
    assert_int_equal(tess_vc4_map(board->vc4, PROGRAM, 0x1000, NULL), TESS_OK);
    assert_int_equal(tess_vc4_map(board->vc4, BINNER, 0x12000, NULL), TESS_OK);
    assert_int_equal(tess_vc4_map(board->vc4, LISTS, 0x1000, NULL), TESS_OK);
    assert_int_equal(tess_vc4_map(board->vc4, FRAME, WIDTH * HEIGHT * 4, NULL), TESS_OK);
    put(board, LISTS, binning, sizeof binning);
    put(board, RECORD, record, sizeof record);
    for (uint32_t i = 0; i < sizeof shader / sizeof *shader; i++)
        store_le32(at(board, SHADER + 4 * i, 4), shader[i]);
    put_vertices(board);
    uint32_t list = LISTS + 0x100, end = put_rendering_list(board, list);
    tess_vc4_write(board->vc4, V3D_INTENA, V3D_INT_FRDONE | V3D_INT_FLDONE);
    tess_vc4_write(board->vc4, V3D_DBCFG, 1);
    tess_vc4_write(board->vc4, V3D_DBQITE, 0xfff);
    start(board, 0, LISTS, LISTS + sizeof binning);
    start(board, 1, list, end);
    assert_int_equal(tess_vc4_run(board->vc4), TESS_VC4_IDLE);
}

/* "There are three interrupts raised. The first is raised when the Tile-Binning is complete ...
 * The second and third are raised because the Fragment Shader requested raising a host interrupt
 * ... The third is also raised because ... the Renderer has written out all the tiles." In the
 * log, errstat is 1000 each time. dbqitc is 0 at first. The later values of dbqitc together have
 * the bits of all twelve QPUs. How many interrupts report the shaders' requests depends on the
 * host's speed. The first intctl of the log, 6, is unexplained (docs/vc4/v3d.md). */
TEST(the_articles_log)
{
    struct board board;
    run_demo(&board);
    assert_true(board.lines >= 2);
    assert_int_equal(board.log[0].intctl, V3D_INT_FLDONE);
    assert_int_equal(board.log[0].dbqitc, 0);
    uint32_t qpus = 0;
    for (unsigned i = 0; i < board.lines; i++) {
        assert_int_equal(board.log[i].errstat, 0x1000);
        qpus |= board.log[i].dbqitc;
        if (i > 0)
            assert_int_equal(board.log[i].intctl, i + 1 < board.lines ? 0 : V3D_INT_FRDONE);
    }
    assert_int_equal(qpus, 0xfff);
    assert_false(tess_vc4_interrupt_level(board.vc4));
    assert_int_equal(board.errors, 0); /* the log's "d50: err 0" */
    assert_int_equal(tess_vc4_read(board.vc4, V3D_BFC), 1);
    assert_int_equal(tess_vc4_read(board.vc4, V3D_RFC), 1);
    tess_vc4_destroy(board.vc4);
}

static uint32_t pixel(struct board *board, uint32_t x, uint32_t y)
{
    return load_le32(at(board, FRAME + (y * WIDTH + x) * 4, 4));
}

/* The corners (320, 40.4), (120.3, 439.6), (519.7, 439.6) are red, green and blue. All W are
 * equal, so there is no perspective, and the three colours add up to one. The frame buffer is
 * BGRA, "also known as 0xaarrggbb". */
TEST(the_articles_picture)
{
    struct board board;
    run_demo(&board);
    assert_int_equal(pixel(&board, 0, 0), YELLOW);
    assert_int_equal(pixel(&board, 639, 479), YELLOW);
    assert_int_equal(pixel(&board, 320, 39), YELLOW);
    static const struct {
        uint32_t x, y, shift;
    } corners[] = {{320, 46, 16}, {124, 438, 8}, {515, 438, 0}};
    for (unsigned i = 0; i < 3; i++) {
        uint32_t colour = pixel(&board, corners[i].x, corners[i].y);
        assert_int_equal(colour >> 24, 0xff);
        assert_in_range(colour >> corners[i].shift & 0xff, 245, 255);
    }
    for (uint32_t y = 50; y < 430; y += 19) {
        uint32_t colour = pixel(&board, 320, y);
        assert_in_range((colour >> 16 & 0xff) + (colour >> 8 & 0xff) + (colour & 0xff), 253, 257);
    }
    tess_vc4_destroy(board.vc4);
}
