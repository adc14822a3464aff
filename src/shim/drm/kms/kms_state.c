/* SPDX-License-Identifier: MIT */
/* kms_state.c - the state of the display, the console, and updates.
 *
 * In:  updates.
 * Out: a new state.
 *
 * An update is a copy of the state that a request changes. If the new state passes the check
 * (kms_atomic.c), it replaces the state.
 *
 * Source: Linux, drivers/gpu/drm/drm_atomic_helper.c; drm_fb_helper.c, drm_client_modeset.c (the
 *         console). */
#include <errno.h>
#include <stddef.h>
#include <string.h>

#include "shim/drm/calls/clock.h"
#include "shim/drm/kms/kms.h"
#include "shim/drm/options.h"

enum { OPAQUE = 0xffff };

static struct kms_state current;

/* Sets the values that the objects have after a reset in the kernel. */
static void reset(struct kms_state *state)
{
    for (unsigned i = 0; i < KMS_PLANES; i++)
        state->planes[i] = (struct kms_plane){.alpha = OPAQUE,
                                              .blend = SCANOUT_PREMULTIPLIED,
                                              .rotation = DRM_MODE_ROTATE_0,
                                              .zpos = i,
                                              .encoding = SCANOUT_BT709};
    state->max_bpc = 8;
}

const struct drm_mode_modeinfo *kms_state_mode(const struct kms_state *state)
{
    return state->mode ? (const struct drm_mode_modeinfo *)state->mode->bytes : NULL;
}

static void start_clock(const struct kms_state *state)
{
    uint32_t asked = options_get()->rate;
    clock_start(asked ? asked * 1000 : kms_mode_rate(kms_state_mode(state)));
}

/* --- the console --- */

static struct kms_fb *console; /* framebuffer of the console, with a reference */

bool kms_is_console(const struct kms_fb *fb)
{
    return fb && fb == console;
}

/* Shows the console on the screen. The screen stays dark if there is no memory for the console. */
static void add_console(struct kms_state *state)
{
    const struct drm_mode_modeinfo *mode = kms_mode(0);
    if (!console)
        console = kms_fb_make_console();
    state->mode = console ? kms_blob_make(NULL, mode, sizeof *mode) : NULL;
    if (!state->mode)
        return;
    struct kms_plane *primary = &state->planes[KMS_PRIMARY];
    primary->fb = kms_fb_take(console);
    primary->on = state->active = state->connected = true;
    primary->crtc_w = mode->hdisplay;
    primary->crtc_h = mode->vdisplay;
    primary->src_w = primary->crtc_w << 16;
    primary->src_h = primary->crtc_h << 16;
}

const struct kms_state *kms_state(void)
{
    if (!current.max_bpc) {
        reset(&current);
        add_console(&current);
        if (current.active)
            start_clock(&current);
    }
    return &current;
}

/* --- creating and changing an update --- */

static void take(const struct kms_state *state)
{
    for (unsigned i = 0; i < KMS_PLANES; i++)
        kms_fb_take(state->planes[i].fb);
    kms_blob_take(state->mode);
    kms_blob_take(state->gamma);
    kms_blob_take(state->matrix);
}

static void release(const struct kms_state *state)
{
    for (unsigned i = 0; i < KMS_PLANES; i++)
        kms_fb_release(state->planes[i].fb);
    kms_blob_release(state->mode);
    kms_blob_release(state->gamma);
    kms_blob_release(state->matrix);
}

void kms_update_begin(struct kms_update *update)
{
    *update = (struct kms_update){.state = *kms_state()};
    take(&update->state);
}

void kms_update_end(struct kms_update *update)
{
    release(&update->state);
}

struct kms_plane *kms_update_concern(struct kms_update *update, unsigned plane)
{
    update->planes |= 1u << plane;
    update->crtc |= update->state.planes[plane].on;
    return &update->state.planes[plane];
}

void kms_update_fb(struct kms_update *update, unsigned index, struct kms_fb *fb)
{
    struct kms_plane *plane = kms_update_concern(update, index);
    kms_fb_take(fb);
    kms_fb_release(plane->fb);
    plane->fb = fb;
}

void kms_update_plane(struct kms_update *update, unsigned index, bool on)
{
    kms_update_concern(update, index)->on = on;
    update->crtc |= on;
}

void kms_update_connect(struct kms_update *update, bool connected)
{
    update->connector = true;
    update->crtc |= connected || update->state.connected;
    update->state.connected = connected;
}

void kms_update_blob(struct kms_blob **place, struct kms_blob *blob)
{
    kms_blob_take(blob);
    kms_blob_release(*place);
    *place = blob;
}

int kms_update_mode(struct kms_update *update, const struct drm_mode_modeinfo *mode)
{
    update->crtc = true;
    if (!mode) {
        kms_update_blob(&update->state.mode, NULL);
        return 0;
    }
    if (!kms_mode_is_good(mode))
        return EINVAL;
    struct kms_blob *blob = kms_blob_make(NULL, mode, sizeof *mode);
    if (!blob)
        return ENOMEM;
    kms_update_blob(&update->state.mode, blob);
    kms_blob_release(blob);
    return 0;
}

static bool modes_are_equal(const struct drm_mode_modeinfo *a, const struct drm_mode_modeinfo *b)
{
    return a == b || (a && b && a->clock == b->clock &&
                      memcmp(&a->hdisplay, &b->hdisplay,
                             offsetof(struct drm_mode_modeinfo, vrefresh) -
                                 offsetof(struct drm_mode_modeinfo, hdisplay)) == 0 &&
                      a->flags == b->flags);
}

bool kms_sets_mode(const struct kms_state *before, const struct kms_state *after)
{
    return !modes_are_equal(kms_state_mode(before), kms_state_mode(after)) ||
           before->active != after->active || before->connected != after->connected;
}

void kms_update_carry_out(struct kms_update *update)
{
    struct kms_state before = current;
    bool sets = kms_sets_mode(&before, &update->state);
    current = update->state;
    update->state = before; /* kms_update_end() releases the old state */
    if (sets && current.active)
        start_clock(&current);
}

/* Turns off all planes except the primary one, and resets the colours, like
 * drm_client_modeset_commit(). */
void kms_show_console(void)
{
    struct kms_update update;
    kms_update_begin(&update);
    for (unsigned i = 0; i < KMS_PLANES; i++) {
        kms_update_fb(&update, i, NULL);
        kms_update_plane(&update, i, false);
    }
    kms_update_blob(&update.state.mode, NULL);
    kms_update_blob(&update.state.gamma, NULL);
    kms_update_blob(&update.state.matrix, NULL);
    reset(&update.state);
    update.state.active = update.state.connected = false;
    add_console(&update.state);
    kms_update_carry_out(&update);
    kms_update_end(&update);
}
