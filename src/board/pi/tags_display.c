/* SPDX-License-Identifier: MIT */
/* tags_display.c - tags about the display: framebuffer, palette, cursor.
 *
 * In:  requests.
 * Out: replies; the framebuffer's settings.
 *
 * Source: see tags.def.
 * Choices: the board has no display, so the tags for EDID and Dispmanx fail. All other tags behave
 *          as with a display of 640x480. */
#include <string.h>

#include "board/pi/pi.h"
#include "board/pi/tags.h"

enum { LARGEST = 4096, ALPHA_MODES = 3, CURSOR_LEAST = 16, CURSOR_MOST = 64, FAILED = 1 };

/* --- the framebuffer --- */

bool tag_allocate_framebuffer(struct tess_pi *pi, struct tag_value *v)
{
    pi_framebuffer_allocate(pi, v->word[0]);
    v->word[0] = pi->framebuffer.address;
    v->word[1] = pi->framebuffer.size;
    return true;
}

bool tag_release_framebuffer(struct tess_pi *pi, struct tag_value *v)
{
    (void)v;
    pi_framebuffer_release(pi);
    return true;
}

bool tag_blank(struct tess_pi *pi, struct tag_value *v)
{
    pi->blanked = v->word[0] &= 1;
    return true;
}

static bool possible_size(const struct tag_value *v)
{
    return v->word[0] && v->word[1] && v->word[0] <= LARGEST && v->word[1] <= LARGEST;
}

/* Replies with the size that tag_set_physical_size() or tag_set_virtual_size() would set, or with
 * zeros if the requested size is not possible. */
bool tag_test_size(struct tess_pi *pi, struct tag_value *v)
{
    (void)pi;
    if (!possible_size(v))
        v->word[0] = v->word[1] = 0;
    return true;
}

bool tag_get_physical_size(struct tess_pi *pi, struct tag_value *v)
{
    v->word[0] = pi->framebuffer.width;
    v->word[1] = pi->framebuffer.height;
    return true;
}

bool tag_set_physical_size(struct tess_pi *pi, struct tag_value *v)
{
    if (possible_size(v)) {
        pi->framebuffer.width = v->word[0];
        pi->framebuffer.height = v->word[1];
    }
    return tag_get_physical_size(pi, v);
}

bool tag_get_virtual_size(struct tess_pi *pi, struct tag_value *v)
{
    v->word[0] = pi->framebuffer.virtual_width;
    v->word[1] = pi->framebuffer.virtual_height;
    return true;
}

bool tag_set_virtual_size(struct tess_pi *pi, struct tag_value *v)
{
    if (possible_size(v)) {
        pi->framebuffer.virtual_width = v->word[0];
        pi->framebuffer.virtual_height = v->word[1];
    }
    return tag_get_virtual_size(pi, v);
}

static bool possible_depth(uint32_t depth)
{
    return depth == 8 || depth == 16 || depth == 24 || depth == 32;
}

bool tag_get_depth(struct tess_pi *pi, struct tag_value *v)
{
    v->word[0] = pi->framebuffer.depth;
    return true;
}

bool tag_test_depth(struct tess_pi *pi, struct tag_value *v)
{
    (void)pi;
    v->word[0] = possible_depth(v->word[0]) ? v->word[0] : 0;
    return true;
}

bool tag_set_depth(struct tess_pi *pi, struct tag_value *v)
{
    if (possible_depth(v->word[0]))
        pi->framebuffer.depth = v->word[0];
    return tag_get_depth(pi, v);
}

bool tag_get_pixel_order(struct tess_pi *pi, struct tag_value *v)
{
    v->word[0] = pi->framebuffer.pixel_order;
    return true;
}

bool tag_test_pixel_order(struct tess_pi *pi, struct tag_value *v)
{
    (void)pi;
    v->word[0] &= 1;
    return true;
}

bool tag_set_pixel_order(struct tess_pi *pi, struct tag_value *v)
{
    pi->framebuffer.pixel_order = v->word[0] & 1;
    return tag_get_pixel_order(pi, v);
}

bool tag_get_alpha_mode(struct tess_pi *pi, struct tag_value *v)
{
    v->word[0] = pi->alpha_mode;
    return true;
}

bool tag_test_alpha_mode(struct tess_pi *pi, struct tag_value *v)
{
    if (v->word[0] >= ALPHA_MODES)
        return tag_get_alpha_mode(pi, v);
    return true;
}

bool tag_set_alpha_mode(struct tess_pi *pi, struct tag_value *v)
{
    if (v->word[0] < ALPHA_MODES)
        pi->alpha_mode = v->word[0];
    return tag_get_alpha_mode(pi, v);
}

bool tag_pitch(struct tess_pi *pi, struct tag_value *v)
{
    v->word[0] = pi->framebuffer.address ? pi->framebuffer.pitch
                                         : pi_framebuffer_pitch(&pi->framebuffer);
    return true;
}

static bool possible_offset(const struct tess_pi *pi, const struct tag_value *v)
{
    return v->word[0] < pi->framebuffer.virtual_width &&
           v->word[1] < pi->framebuffer.virtual_height;
}

bool tag_get_offset(struct tess_pi *pi, struct tag_value *v)
{
    v->word[0] = pi->framebuffer.offset_x;
    v->word[1] = pi->framebuffer.offset_y;
    return true;
}

bool tag_test_offset(struct tess_pi *pi, struct tag_value *v)
{
    return possible_offset(pi, v) ? true : tag_get_offset(pi, v);
}

bool tag_set_offset(struct tess_pi *pi, struct tag_value *v)
{
    if (possible_offset(pi, v)) {
        pi->framebuffer.offset_x = v->word[0];
        pi->framebuffer.offset_y = v->word[1];
    }
    return tag_get_offset(pi, v);
}

bool tag_get_overscan(struct tess_pi *pi, struct tag_value *v)
{
    memcpy(v->word, pi->overscan, sizeof pi->overscan);
    return true;
}

bool tag_test_overscan(struct tess_pi *pi, struct tag_value *v)
{
    (void)pi;
    (void)v; /* every overscan is accepted */
    return true;
}

bool tag_set_overscan(struct tess_pi *pi, struct tag_value *v)
{
    memcpy(pi->overscan, v->word, sizeof pi->overscan);
    return true;
}

bool tag_vsync(struct tess_pi *pi, struct tag_value *v)
{
    (void)pi;
    v->word[0] = 0; /* Replies at once, since the vertical sync is not modelled. */
    return true;
}

bool tag_backlight(struct tess_pi *pi, struct tag_value *v)
{
    (void)pi;
    (void)v; /* the board has no backlight */
    return true;
}

/* --- the palette; a request has the first colour, the number of colours, and their values --- */

static bool possible_colours(const struct tag_value *v)
{
    uint32_t first = v->word[0], count = v->word[1];
    return first < PI_PALETTE && count >= 1 && count <= PI_PALETTE - first &&
           v->given >= 8 + 4 * count;
}

bool tag_test_palette(struct tess_pi *pi, struct tag_value *v)
{
    (void)pi;
    v->word[0] = possible_colours(v) ? 0 : FAILED;
    return true;
}

bool tag_set_palette(struct tess_pi *pi, struct tag_value *v)
{
    if (possible_colours(v))
        memcpy(&pi->palette[v->word[0]], &v->word[2], 4 * v->word[1]);
    return tag_test_palette(pi, v);
}

bool tag_get_palette(struct tess_pi *pi, struct tag_value *v)
{
    memcpy(v->word, pi->palette, sizeof pi->palette);
    return true;
}

/* --- the cursor; its image and its position are not modelled --- */

bool tag_set_cursor_info(struct tess_pi *pi, struct tag_value *v)
{
    (void)pi;
    bool possible = v->word[0] >= CURSOR_LEAST && v->word[0] <= CURSOR_MOST &&
                    v->word[1] >= CURSOR_LEAST && v->word[1] <= CURSOR_MOST;
    v->word[0] = possible ? 0 : FAILED;
    return true;
}

bool tag_set_cursor_state(struct tess_pi *pi, struct tag_value *v)
{
    (void)pi;
    v->word[0] = 0;
    return true;
}

/* --- tags that need a display --- */

bool tag_dispmanx_handle(struct tess_pi *pi, struct tag_value *v)
{
    (void)pi;
    v->word[0] = FAILED;
    v->word[1] = 0;
    return true;
}

bool tag_edid_block(struct tess_pi *pi, struct tag_value *v)
{
    (void)pi;
    v->word[1] = FAILED;
    memset(&v->word[2], 0, 128);
    return true;
}

/* --- buffers that the firmware fills: touch events, and virtual pins --- */

bool tag_get_touch_buffer(struct tess_pi *pi, struct tag_value *v)
{
    v->word[0] = pi->touch_buffer;
    return true;
}

bool tag_set_touch_buffer(struct tess_pi *pi, struct tag_value *v)
{
    pi->touch_buffer = v->word[0];
    v->word[0] = 0;
    return true;
}

bool tag_get_gpio_buffer(struct tess_pi *pi, struct tag_value *v)
{
    v->word[0] = pi->virtual_gpio_buffer;
    return true;
}

bool tag_set_gpio_buffer(struct tess_pi *pi, struct tag_value *v)
{
    pi->virtual_gpio_buffer = v->word[0];
    v->word[0] = 0;
    return true;
}
