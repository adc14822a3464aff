/* SPDX-License-Identifier: MIT */
/* capture.c - see capture.h.
 *
 * In:  a machine that runs.
 * Out: a scene: the V3D's work, and "image" steps for the framebuffer.
 *
 * A scene has pictures of 16 and 32 bits whose rows have no gaps. Other framebuffers are left out,
 * but the work of the V3D for them is in the scene. */
#include "cli/pi/capture.h"

#include <stdio.h>

#include <tessera/scene.h>

static uint64_t clocks_of(struct tess_pi_machine *machine)
{
    struct tess_vc4_stats stats;
    tess_vc4_get_stats(tess_pi_machine_vc4(machine), &stats);
    return stats.clocks;
}

bool capture_begin(struct capture *capture, struct tess_pi_machine *machine)
{
    *capture = (struct capture){.machine = machine};
    return tess_capture_start(&capture->now, tess_pi_machine_vc4(machine)) == TESS_OK;
}

/* Returns the name of the framebuffer's format in scenes, or NULL. */
static const char *format_of(const struct tess_pi_framebuffer *f)
{
    if (f->pitch != f->width * (f->depth / 8) || f->offset_x)
        return NULL;
    if (f->depth == 16)
        return "rgb565";
    return f->depth != 32 ? NULL : f->pixel_order ? "rgba8888" : "bgra8888";
}

void capture_picture(struct capture *capture, unsigned number, bool is_last)
{
    struct tess_pi_framebuffer f;
    char step[128];
    if (!capture->now || number == capture->pictures)
        return;
    uint64_t clocks = clocks_of(capture->machine);
    tess_pi_get_framebuffer(tess_pi_machine_pi(capture->machine), &f);
    const char *format = format_of(&f);
    if ((clocks == capture->clocks && !is_last) || !f.address || !format)
        return;
    uint32_t address = f.address + f.offset_y * f.pitch;
    snprintf(step, sizeof step, "image 0x%08x %u %u %s raster frame-%05u.png", (unsigned)address,
             (unsigned)f.width, (unsigned)f.height, format, number);
    tess_capture_step(capture->now, address, f.pitch * f.height, step);
    capture->clocks = clocks;
    capture->pictures = number;
}

bool capture_save(const struct capture *capture, const char *path, struct tess_sink sink)
{
    return tess_capture_save(capture->now, path, sink) == TESS_OK;
}

void capture_end(struct capture *capture)
{
    tess_capture_end(capture->now);
    capture->now = NULL;
}
