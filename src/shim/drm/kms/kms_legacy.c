/* SPDX-License-Identifier: MIT */
/* kms_legacy.c - the display's requests that are older than atomic updates. Each request becomes
 * an update of a few properties.
 *
 * In:  requests.
 * Out: updates (kms_atomic.c), or an errno.
 *
 * Source: Linux, drivers/gpu/drm/drm_crtc.c (SETCRTC), drm_plane.c (SETPLANE, cursors, PAGE_FLIP),
 *         drm_color_mgmt.c (gamma), drm_mode_object.c, drm_atomic_uapi.c (properties),
 *         drm_atomic_helper.c, vc4_crtc.c (PAGE_FLIP at once). */
#include <errno.h>
#include <string.h>

#include <libdrm/drm_fourcc.h>

#include "shim/common/user.h"
#include "shim/drm/calls/clock.h"
#include "shim/drm/display/display.h"
#include "shim/drm/kms/kms.h"

/* Checks an update, carries it out and waits until the change is visible. */
static int finish(struct kms_update *update)
{
    int error = kms_update_check(update);
    if (!error) {
        display_look();
        kms_update_carry_out(update);
        clock_delay(clock_flip(false).time);
        display_show();
    }
    kms_update_end(update);
    return error;
}

/* Like finish(), but does not wait. All changes before the next vertical blank become visible in
 * the same picture. */
static int finish_soon(struct kms_update *update)
{
    int error = kms_update_check(update);
    if (!error) {
        kms_update_carry_out(update);
        display_change();
    }
    kms_update_end(update);
    return error;
}

static int set_mode_object(struct kms_update *update, struct drm_mode_modeinfo *mode)
{
    const struct drm_mode_modeinfo *before = kms_state_mode(&update->state);
    bool same = before && memcmp(before, mode, sizeof *mode) == 0;
    return same ? 0 : kms_update_mode(update, mode);
}

/* --- SETCRTC --- */

static int check_connectors(const struct drm_mode_crtc *set)
{
    if (set->count_connectors > 1)
        return EINVAL;
    for (uint32_t i = 0, id; i < set->count_connectors; i++) {
        if (!user_read(&id, set->set_connectors_ptr + 4ull * i, sizeof id))
            return EFAULT;
        if (id != KMS_ID_CONNECTOR)
            return ENOENT;
    }
    return 0;
}

/* Finds the framebuffer of the request. fb_id -1 means the framebuffer that the primary plane shows
 * now. */
static int find_fb(const struct drm_mode_crtc *set, struct kms_fb **fb)
{
    bool same = set->fb_id == UINT32_MAX;
    *fb = same ? kms_state()->planes[KMS_PRIMARY].fb
               : kms_object_find(set->fb_id, DRM_MODE_OBJECT_FB);
    return *fb ? 0 : same ? EINVAL : ENOENT;
}

static int turn_off(void)
{
    struct kms_update update;
    kms_update_begin(&update);
    update.may_set_mode = true;
    kms_update_mode(&update, NULL);
    update.state.active = false;
    kms_update_connect(&update, false);
    kms_update_fb(&update, KMS_PRIMARY, NULL);
    kms_update_plane(&update, KMS_PRIMARY, false);
    return finish(&update);
}

static int turn_on(struct drm_mode_crtc *set, struct kms_fb *fb)
{
    struct kms_update update;
    kms_update_begin(&update);
    update.may_set_mode = true;
    int error = set_mode_object(&update, &set->mode);
    if (error) {
        kms_update_end(&update);
        return error;
    }
    update.state.active = true;
    kms_update_connect(&update, true);
    kms_update_fb(&update, KMS_PRIMARY, fb);
    kms_update_plane(&update, KMS_PRIMARY, true);
    struct kms_plane *plane = &update.state.planes[KMS_PRIMARY];
    plane->crtc_x = plane->crtc_y = 0;
    plane->crtc_w = set->mode.hdisplay;
    plane->crtc_h = set->mode.vdisplay;
    plane->src_x = set->x << 16;
    plane->src_y = set->y << 16;
    plane->src_w = plane->crtc_w << 16;
    plane->src_h = plane->crtc_h << 16;
    return finish(&update);
}

int kms_set_crtc(struct file *file, void *argument)
{
    struct drm_mode_crtc *set = argument;
    struct kms_fb *fb = NULL;
    (void)file;
    if ((set->x | set->y) >> 16)
        return ERANGE;
    if (set->crtc_id != KMS_ID_CRTC)
        return ENOENT;
    int error = set->mode_valid ? find_fb(set, &fb) : 0;
    if (error)
        return error;
    if (fb && !kms_mode_is_good(&set->mode))
        return EINVAL;
    if (fb && (set->x + set->mode.hdisplay > fb->width || set->y + set->mode.vdisplay > fb->height))
        return ENOSPC;
    if (!set->count_connectors != !fb)
        return EINVAL;
    error = check_connectors(set);
    if (error)
        return error;
    return fb ? turn_on(set, fb) : turn_off();
}

/* --- planes --- */

static void clear_places(struct kms_plane *plane)
{
    plane->crtc_x = plane->crtc_y = 0;
    plane->crtc_w = plane->crtc_h = 0;
    plane->src_x = plane->src_y = plane->src_w = plane->src_h = 0;
}

int kms_set_plane(struct file *file, void *argument)
{
    const struct drm_mode_set_plane *set = argument;
    unsigned index = kms_plane_index(set->plane_id);
    struct kms_fb *fb = set->fb_id ? kms_object_find(set->fb_id, DRM_MODE_OBJECT_FB) : NULL;
    struct kms_update update;
    (void)file;
    if (index >= KMS_PLANES || (set->fb_id && !fb) || (fb && set->crtc_id != KMS_ID_CRTC))
        return ENOENT;
    kms_update_begin(&update);
    kms_update_fb(&update, index, fb);
    kms_update_plane(&update, index, fb != NULL);
    struct kms_plane *plane = &update.state.planes[index];
    clear_places(plane); /* as in __drm_atomic_helper_disable_plane() */
    if (fb) {
        plane->crtc_x = set->crtc_x;
        plane->crtc_y = set->crtc_y;
        plane->crtc_w = set->crtc_w;
        plane->crtc_h = set->crtc_h;
        plane->src_x = set->src_x;
        plane->src_y = set->src_y;
        plane->src_w = set->src_w;
        plane->src_h = set->src_h;
    }
    return index == KMS_CURSOR ? finish_soon(&update) : finish(&update);
}

/* --- PAGE_FLIP --- */

static int check_flip(const struct kms_fb *fb)
{
    const struct kms_plane *plane = &kms_state()->planes[KMS_PRIMARY];
    if (!plane->fb)
        return EBUSY;
    if (!fb)
        return ENOENT;
    if (plane->src_w > fb->width << 16 || plane->src_x > (fb->width << 16) - plane->src_w ||
        plane->src_h > fb->height << 16 || plane->src_y > (fb->height << 16) - plane->src_h)
        return ENOSPC;
    if (plane->fb->format != fb->format || !kms_state()->active)
        return EINVAL;
    return 0;
}

/* Checks that the file's queue has room for the event of a flip, and that no flip is pending. */
static int check_moment(const struct file *file, const struct drm_mode_crtc_page_flip *flip)
{
    if (flip->flags & DRM_MODE_PAGE_FLIP_EVENT && !clock_has_room(file))
        return ENOMEM;
    return clock_is_flipping() && !(flip->flags & DRM_MODE_PAGE_FLIP_ASYNC) ? EBUSY : 0;
}

int kms_page_flip(struct file *file, void *argument)
{
    const struct drm_mode_crtc_page_flip *flip = argument;
    struct kms_fb *fb = kms_object_find(flip->fb_id, DRM_MODE_OBJECT_FB);
    struct kms_update update;
    if ((flip->flags & ~(uint32_t)(DRM_MODE_PAGE_FLIP_EVENT | DRM_MODE_PAGE_FLIP_ASYNC)) ||
        flip->reserved)
        return EINVAL;
    if (flip->crtc_id != KMS_ID_CRTC)
        return ENOENT;
    int error = check_flip(fb);
    if (!error)
        error = check_moment(file, flip);
    if (error)
        return error;
    kms_update_begin(&update);
    kms_update_fb(&update, KMS_PRIMARY, fb);
    display_look();
    kms_update_carry_out(&update);
    kms_update_end(&update);
    struct clock_blank blank = clock_flip(flip->flags & DRM_MODE_PAGE_FLIP_ASYNC);
    display_show();
    return flip->flags & DRM_MODE_PAGE_FLIP_EVENT ? kms_send_flip(file, blank, flip->user_data) : 0;
}

/* --- the cursor --- */

static int make_cursor(struct kms_fb **fb, struct file *file, const struct drm_mode_cursor2 *cursor)
{
    const struct drm_mode_fb_cmd2 command = {.width = cursor->width,
                                             .height = cursor->height,
                                             .pixel_format = DRM_FORMAT_ARGB8888,
                                             .handles = {cursor->handle},
                                             .pitches = {cursor->width * 4}};
    *fb = NULL;
    return cursor->handle ? kms_fb_make(fb, file, &command) : 0;
}

static int set_image(struct kms_update *update, struct file *file,
                     const struct drm_mode_cursor2 *cursor)
{
    struct kms_plane *plane = &update->state.planes[KMS_CURSOR];
    struct kms_fb *fb;
    int error = make_cursor(&fb, file, cursor);
    if (error)
        return error;
    kms_update_fb(update, KMS_CURSOR, fb);
    kms_update_plane(update, KMS_CURSOR, fb != NULL);
    kms_fb_release(fb);
    clear_places(plane);
    plane->crtc_w = fb ? fb->width : 0;
    plane->crtc_h = fb ? fb->height : 0;
    plane->src_w = plane->crtc_w << 16;
    plane->src_h = plane->crtc_h << 16;
    return 0;
}

/* Position of the cursor. It is kept while the cursor has no image (drm_mode_cursor_universal). */
static int32_t cursor_x, cursor_y;

static void place_cursor(struct kms_update *update)
{
    struct kms_plane *plane = &update->state.planes[KMS_CURSOR];
    update->planes |= 1u << KMS_CURSOR;
    plane->crtc_x = plane->fb ? cursor_x : 0;
    plane->crtc_y = plane->fb ? cursor_y : 0;
}

static int change_cursor(struct file *file, const struct drm_mode_cursor2 *cursor)
{
    struct kms_update update;
    if (!cursor->flags || (cursor->flags & ~(uint32_t)DRM_MODE_CURSOR_FLAGS))
        return EINVAL;
    if (cursor->crtc_id != KMS_ID_CRTC)
        return ENOENT;
    kms_update_begin(&update);
    int error = cursor->flags & DRM_MODE_CURSOR_BO ? set_image(&update, file, cursor) : 0;
    if (error) {
        kms_update_end(&update);
        return error;
    }
    if (cursor->flags & DRM_MODE_CURSOR_MOVE) {
        cursor_x = cursor->x;
        cursor_y = cursor->y;
    }
    place_cursor(&update);
    return finish_soon(&update);
}

int kms_cursor(struct file *file, void *argument)
{
    struct drm_mode_cursor2 cursor = {0};
    memcpy(&cursor, argument, sizeof(struct drm_mode_cursor));
    return change_cursor(file, &cursor);
}

int kms_cursor2(struct file *file, void *argument)
{
    return change_cursor(file, argument);
}

/* --- gamma --- */

static uint64_t channel_of(const struct drm_mode_crtc_lut *lut, unsigned channel)
{
    return channel == 0 ? lut->red : channel == 1 ? lut->green : lut->blue;
}

static int check_gamma(const struct drm_mode_crtc_lut *lut)
{
    if (lut->crtc_id != KMS_ID_CRTC)
        return ENOENT;
    return lut->gamma_size == KMS_CURVE_SIZE ? 0 : EINVAL;
}

/* Returns an entry of the gamma table. If there is no table, each value maps to itself. */
static uint16_t gamma_value(const struct kms_blob *blob, unsigned index, unsigned channel)
{
    struct drm_color_lut entry;
    if (!blob)
        return (uint16_t)(index * 0x101);
    memcpy(&entry, blob->bytes + index * sizeof entry, sizeof entry);
    return channel == 0 ? entry.red : channel == 1 ? entry.green : entry.blue;
}

int kms_get_gamma(struct file *file, void *argument)
{
    const struct drm_mode_crtc_lut *get = argument;
    uint16_t values[KMS_CURVE_SIZE];
    int error = check_gamma(get);
    (void)file;
    for (unsigned channel = 0; channel < 3 && !error; channel++) {
        for (unsigned i = 0; i < KMS_CURVE_SIZE; i++)
            values[i] = gamma_value(kms_state()->gamma, i, channel);
        error = user_write(channel_of(get, channel), values, sizeof values) ? 0 : EFAULT;
    }
    return error;
}

int kms_set_gamma(struct file *file, void *argument)
{
    const struct drm_mode_crtc_lut *set = argument;
    struct drm_color_lut table[KMS_CURVE_SIZE] = {{0}};
    uint16_t values[3][KMS_CURVE_SIZE];
    struct kms_update update;
    int error = check_gamma(set);
    (void)file;
    for (unsigned channel = 0; channel < 3 && !error; channel++)
        error = user_read(values[channel], channel_of(set, channel), sizeof values[channel])
                    ? 0
                    : EFAULT;
    if (error)
        return error;
    for (unsigned i = 0; i < KMS_CURVE_SIZE; i++)
        table[i] = (struct drm_color_lut){values[0][i], values[1][i], values[2][i], 0};
    struct kms_blob *blob = kms_blob_make(NULL, table, sizeof table);
    if (!blob)
        return ENOMEM;
    kms_update_begin(&update);
    error = kms_update_property(&update, file, KMS_ID_CRTC, KMS_GAMMA_LUT, blob->id);
    kms_blob_release(blob);
    if (!error)
        return finish_soon(&update);
    kms_update_end(&update);
    return error;
}

/* --- properties --- */

static int set_dpms(uint64_t value)
{
    struct kms_update update;
    if (!kms_state()->connected)
        return 0;
    kms_update_begin(&update);
    update.may_set_mode = true;
    update.crtc = true;
    update.state.active = value == DRM_MODE_DPMS_ON;
    return finish_soon(&update);
}

static int set_property(struct file *file, uint32_t object, uint32_t id, uint64_t value)
{
    enum kms_property property;
    struct kms_update update;
    if (!kms_property_of(object, id, &property) || !kms_property_may_be(property, value))
        return EINVAL;
    if (property == KMS_DPMS)
        return set_dpms(value);
    kms_update_begin(&update);
    int error = kms_update_property(&update, file, object, property, value);
    if (!error)
        return finish_soon(&update);
    kms_update_end(&update);
    return error;
}

int kms_set_property(struct file *file, void *argument)
{
    const struct drm_mode_obj_set_property *set = argument;
    uint32_t type = kms_object_type(set->obj_id);
    if (!type || (set->obj_type != DRM_MODE_OBJECT_ANY && set->obj_type != type))
        return ENOENT;
    return set_property(file, set->obj_id, set->prop_id, set->value);
}

int kms_set_connector_property(struct file *file, void *argument)
{
    const struct drm_mode_connector_set_property *set = argument;
    if (set->connector_id != KMS_ID_CONNECTOR)
        return ENOENT;
    return set_property(file, set->connector_id, set->prop_id, set->value);
}
