/* SPDX-License-Identifier: MIT */
/* display.c - tests the picture of the display, for programs that set it up by property tags.
 * Expected colours follow from the definitions of the formats. */
#include "../../register.h"
#include "../pi/machine.h"

#include "board/machine/display.h"

enum { WIDTH = 8, HEIGHT = 4 };

struct screen {
    uint8_t rgba[HEIGHT][WIDTH][4];
};

static uint8_t *ram(void *user, uint32_t bus, uint32_t size)
{
    struct machine *m = user;
    return tess_vc4_memory(m->vc4, bus, size);
}

/* Sets size, depth, order and offset, allocates, and returns the pixels. */
static uint8_t *set_screen(struct machine *m, uint32_t depth, uint32_t order)
{
    send_tag(m, 0x48003, 8, WIDTH, HEIGHT, 0, 0);
    send_tag(m, 0x48004, 8, WIDTH * 2, HEIGHT * 2, 0, 0);
    send_tag(m, 0x48005, 4, depth, 0, 0, 0);
    send_tag(m, 0x48006, 4, order, 0, 0, 0);
    send_tag(m, 0x40001, 8, 16, 0, 0, 0);
    uint32_t address = word(m, VALUE), size = word(m, VALUE + 1);
    uint8_t *pixels = tess_vc4_memory(m->vc4, address, size);
    assert_non_null(pixels);
    return pixels;
}

static void draw(struct machine *m, struct screen *screen)
{
    uint32_t width, height;
    assert_true(display_size(m->pi, &width, &height));
    assert_int_equal(width, WIDTH);
    assert_int_equal(height, HEIGHT);
    memset(screen, 0xcc, sizeof *screen);
    display_draw(m->pi, ram, m, &screen->rgba[0][0][0]);
}

static void check(const struct screen *screen, uint32_t x, uint32_t y, uint32_t rgb)
{
    const uint8_t *p = screen->rgba[y][x];
    assert_int_equal((uint32_t)p[0] << 16 | (uint32_t)p[1] << 8 | p[2], rgb);
    assert_int_equal(p[3], 255);
}

TEST_WITH(no_framebuffer, set_up, tear_down)
{
    struct machine *m = *fixture;
    uint32_t width, height;
    uint8_t row[640 * 4];
    assert_false(display_size(m->pi, &width, &height));
    display_row(m->pi, ram, m, 0, row);
    assert_int_equal(row[0], 0);
    assert_int_equal(row[3], 255);
}

TEST_WITH(depth_32, set_up, tear_down)
{
    struct machine *m = *fixture;
    struct screen screen;
    uint8_t *pixels = set_screen(m, 32, 1);
    memcpy(pixels, "\x11\x22\x33\x00", 4);
    memcpy(pixels + 3 * 64 + 7 * 4, "\x44\x55\x66\x80", 4); /* row 3: the pitch is 64 bytes */
    draw(m, &screen);
    check(&screen, 0, 0, 0x112233);
    check(&screen, 7, 3, 0x445566);
    check(&screen, 1, 0, 0);
    set_screen(m, 32, 0);
    pixels = set_screen(m, 32, 0);
    memcpy(pixels, "\x11\x22\x33\x00", 4);
    draw(m, &screen);
    check(&screen, 0, 0, 0x332211);
}

TEST_WITH(depth_24, set_up, tear_down)
{
    struct machine *m = *fixture;
    struct screen screen;
    uint8_t *pixels = set_screen(m, 24, 1);
    memcpy(pixels + 64 + 3, "\x11\x22\x33", 3); /* 48 bytes, in steps of 32 */
    draw(m, &screen);
    check(&screen, 1, 1, 0x112233);
    pixels = set_screen(m, 24, 0);
    memcpy(pixels + 64 + 3, "\x11\x22\x33", 3);
    draw(m, &screen);
    check(&screen, 1, 1, 0x332211);
}

TEST_WITH(depth_16, set_up, tear_down)
{
    struct machine *m = *fixture;
    struct screen screen;
    for (uint32_t order = 0; order < 2; order++) {
        uint8_t *pixels = set_screen(m, 16, order);
        store_le16(pixels, 0xf800);
        store_le16(pixels + 2, 0x07e0);
        store_le16(pixels + 4, 0x001f);
        store_le16(pixels + 6, 16 << 11 | 32 << 5 | 16);
        draw(m, &screen);
        check(&screen, 0, 0, 0xff0000);
        check(&screen, 1, 0, 0x00ff00);
        check(&screen, 2, 0, 0x0000ff);
        check(&screen, 3, 0, 0x848284);
    }
}

TEST_WITH(palette, set_up, tear_down)
{
    struct machine *m = *fixture;
    struct screen screen;
    uint8_t *pixels = set_screen(m, 8, 1);
    pixels[0] = 7;
    pixels[1] = 200;
    draw(m, &screen);
    check(&screen, 0, 0, 0x070707); /* the palette is grey at first */
    send_tag(m, 0x4800b, 12, 7, 1, 0xff332211, 0);
    assert_int_equal(word(m, VALUE), 0);
    draw(m, &screen);
    check(&screen, 0, 0, 0x112233);
    check(&screen, 1, 0, 0xc8c8c8);
}

TEST_WITH(offset_and_blank, set_up, tear_down)
{
    struct machine *m = *fixture;
    struct screen screen;
    uint8_t *pixels = set_screen(m, 32, 1);
    memcpy(pixels + 5 * 64 + 9 * 4, "\x11\x22\x33\x00", 4);
    send_tag(m, 0x48009, 8, 9, 5, 0, 0);
    draw(m, &screen);
    check(&screen, 0, 0, 0x112233);
    check(&screen, 7, 0, 0); /* outside of the virtual width */
    check(&screen, 0, 3, 0); /* below the virtual height */
    send_tag(m, 0x40002, 4, 1, 0, 0, 0);
    draw(m, &screen);
    check(&screen, 0, 0, 0);
    send_tag(m, 0x40002, 4, 0, 0, 0, 0);
    draw(m, &screen);
    check(&screen, 0, 0, 0x112233);
}

TEST_WITH(alpha, set_up, tear_down)
{
    struct machine *m = *fixture;
    struct screen screen;
    uint8_t *pixels = set_screen(m, 32, 1);
    memcpy(pixels, "\xff\x80\x00\x33", 4); /* 51 is a fifth of 255 */
    send_tag(m, 0x40007, 4, 0, 0, 0, 0);
    assert_int_equal(word(m, VALUE), 2); /* ignored */
    draw(m, &screen);
    check(&screen, 0, 0, 0xff8000);
    send_tag(m, 0x48007, 4, 1, 0, 0, 0);
    draw(m, &screen);
    check(&screen, 0, 0, 0x331a00);
    send_tag(m, 0x48007, 4, 0, 0, 0, 0);
    draw(m, &screen);
    check(&screen, 0, 0, 0xcc6600);
}

/* The program changes the size after the allocation. */
TEST_WITH(changed_size, set_up, tear_down)
{
    struct machine *m = *fixture;
    set_screen(m, 32, 1);
    send_tag(m, 0x48003, 8, 4096, 4096, 0, 0);
    static uint8_t row[4096 * 4];
    uint32_t width, height;
    assert_true(display_size(m->pi, &width, &height));
    for (uint32_t y = 0; y < height; y += 7)
        display_row(m->pi, ram, m, y, row);
    assert_int_equal(row[4096 * 4 - 1], 255);
}
