/* SPDX-License-Identifier: MIT */
/* job_lists.c - tests src/scene/job_lists.c. The lists are written here byte by byte by manual
 * section 9. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <string.h>

#include "../register.h"
#include "scene/job_lists.h"

/* The start of a binning list: record 112 (tile lists at 0x00200000, 0x8000 bytes, state at
 * 0x00208000, 4 x 2 tiles) and record 6. Each test appends its own records. */
#define BINNING 112, 0, 0, 0x20, 0, 0, 0x80, 0, 0, 0, 0x80, 0x20, 0, 4, 2, 4, 6
/* Record 105 with a half-width of 1600 sixteenths, and a half-height of 960 or -960. */
#define UPWARD   105, 0, 0, 0xc8, 0x44, 0, 0, 0x70, 0x44
#define DOWNWARD 105, 0, 0, 0xc8, 0x44, 0, 0, 0x70, 0xc4
#define END      7, 4

/* Record 113 for a frame of 200 x 120 pixels at 0x00100000. */
#define FRAME(low, high) 113, 0, 0, 0x10, 0, 200, 0, 120, 0, low, high
#define WAIT             8
#define TILE(n)          115, n, 0, 17, 32 * (n), 0, 0x20, 0
#define STORE            24
#define STORE_LAST       25

#define LIST(...) \
    (&(struct job_list){(const uint8_t[]){__VA_ARGS__}, sizeof(uint8_t[]){__VA_ARGS__}})

static const struct job_list none;

TEST(tiles)
{
    struct job_tiles tiles;
    assert_false(job_tiles(&none, &tiles));
    assert_false(job_tiles(LIST(END), &tiles));
    assert_true(job_tiles(LIST(BINNING, END), &tiles));
    assert_int_equal(tiles.lists, 0x00200000);
    assert_int_equal(tiles.lists_size, 0x8000);
    assert_int_equal(tiles.state, 0x00208000);
    assert_int_equal(tiles.state_size, 4 * 2 * 48);
    assert_true(job_makes(LIST(BINNING), 0x00200000));
    assert_true(job_makes(LIST(BINNING), 0x00207fe0));
    assert_false(job_makes(LIST(BINNING), 0x00208000));
    assert_false(job_makes(LIST(BINNING), 0x001fffe0));
    assert_false(job_makes(&none, 0));
}

TEST(ends)
{
    assert_int_equal(job_flushed(LIST(BINNING, END, 1, 1)), 19);
    assert_int_equal(job_flushed(LIST(BINNING, 5)), 18);       /* found at Flush All State */
    assert_int_equal(job_flushed(LIST(BINNING, 0, END)), 0);   /* a halt precedes the flush */
    assert_int_equal(job_flushed(LIST(BINNING, 250, END)), 0); /* 250 is not the id of a record */
    assert_int_equal(job_flushed(LIST(112, 0, 4, 4)), 0);      /* the list is truncated */
    assert_int_equal(job_flushed(&none), 0);
}

TEST(tile_lists)
{
    uint32_t address;
    assert_true(job_waits(LIST(FRAME(4, 0), WAIT)));
    assert_false(job_waits(LIST(FRAME(4, 0))));
    assert_false(job_first_tile_list(LIST(FRAME(4, 0), STORE_LAST), &address));
    assert_true(
        job_first_tile_list(LIST(TILE(3), STORE, TILE(1), STORE, TILE(2), STORE_LAST), &address));
    assert_int_equal(address, 0x00200020);
}

TEST(pictures)
{
    static const struct {
        uint8_t low, high; /* the two bytes of record 113's flags */
        uint32_t bits;     /* bits per pixel; 0 if the format is not supported */
        enum layout layout;
        const char *format;
    } cases[] = {
        {0x04, 0, 32, LAYOUT_RASTER, "bgra8888"},
        {0x44, 0, 32, LAYOUT_T, "bgra8888"},
        {0x84, 0, 32, LAYOUT_LT, "bgra8888"},
        {0xc4, 0, 0, 0, NULL}, /* the layout is undefined */
        {0x00, 0, 16, LAYOUT_RASTER, "rgb565"},
        {0x08, 0, 16, LAYOUT_RASTER, "rgb565"},
        {0x45, 0, 32, LAYOUT_T, "bgra8888"}, /* multisampled, and resolved when stored */
        {0x06, 0, 0, 0, NULL},               /* 64 bits per pixel are not supported */
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct job_picture picture;
        const struct job_list *render = LIST(FRAME(cases[i].low, cases[i].high), TILE(0),
                                             STORE_LAST);
        assert_int_equal(job_picture(&none, render, &picture), cases[i].bits != 0);
        if (!cases[i].bits)
            continue;
        assert_int_equal(picture.address, 0x00100000);
        assert_int_equal(picture.width, 200);
        assert_int_equal(picture.height, 120);
        assert_int_equal(picture.bits, cases[i].bits);
        assert_int_equal(picture.layout, cases[i].layout);
        assert_string_equal(picture.format, cases[i].format);
    }
}

TEST(no_pictures)
{
    struct job_picture picture;
    assert_false(job_picture(&none, &none, &picture));
    assert_false(job_picture(&none, LIST(STORE_LAST), &picture));
    assert_false(job_picture(&none, LIST(FRAME(4, 0), TILE(0)), &picture)); /* no tile stored */
    assert_false(
        job_picture(&none, LIST(113, 0, 0, 0x10, 0, 0, 0, 120, 0, 4, 0, STORE_LAST), &picture));
}

/* GL draws windows upside down, with a negative viewport height. Textures are drawn upright,
 * with a positive height. */
TEST(which_way_is_up)
{
    struct job_picture picture;
    const struct job_list *render = LIST(FRAME(4, 0), TILE(0), STORE_LAST);
    assert_true(job_picture(LIST(BINNING, UPWARD, END), render, &picture));
    assert_string_equal(picture.format, "rgba8888");
    assert_true(job_picture(LIST(BINNING, DOWNWARD, END), render, &picture));
    assert_string_equal(picture.format, "bgra8888");
    assert_true(job_picture(LIST(BINNING, END), render, &picture));
    assert_string_equal(picture.format, "bgra8888");
}
