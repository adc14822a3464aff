/* SPDX-License-Identifier: MIT */
/* kms_atomic.c - atomic updates: properties, and the check of a new state.
 *
 * In:  properties of objects; updates by the older requests (kms_legacy.c).
 * Out: a new state, or an errno.
 *
 * Source: Linux, drivers/gpu/drm/drm_atomic_uapi.c (properties, the request), drm_atomic.c
 *         (drm_atomic_check_only), drm_atomic_helper.c (drm_atomic_helper_check_modeset,
 *         drm_atomic_helper_check_plane_state), vc4_kms.c (colour matrices); drm_fb_helper.c,
 *         drm_client_modeset.c (the console).
 * Left out: the limits of the chip's display list memory, line buffers and bandwidth. */
#include <errno.h>
#include <stddef.h>

#include "shim/common/user.h"
#include "shim/drm/calls/clock.h"
#include "shim/drm/display/display.h"
#include "shim/drm/jobs/syncobj.h"
#include "shim/drm/kms/kms.h"
#include "shim/drm/options.h"

/* --- properties --- */

static int set_mode_blob(struct kms_update *update, uint64_t id)
{
    struct kms_blob *blob = kms_object_find((uint32_t)id, DRM_MODE_OBJECT_BLOB);
    if (id && (!blob || blob->size != sizeof(struct drm_mode_modeinfo)))
        return EINVAL;
    if (blob && !kms_mode_is_good((const struct drm_mode_modeinfo *)blob->bytes))
        return EINVAL;
    kms_update_blob(&update->state.mode, blob);
    return 0;
}

/* Sets a blob that is an array of elements of `element` bytes. If `one` is true, the array must
 * have exactly one element. */
static int set_blob(struct kms_blob **place, uint64_t id, size_t element, bool one)
{
    struct kms_blob *blob = kms_object_find((uint32_t)id, DRM_MODE_OBJECT_BLOB);
    if (id && (!blob || (one ? blob->size != element : blob->size % element != 0)))
        return EINVAL;
    kms_update_blob(place, blob);
    return 0;
}

/* Stores the address at which the program receives the fence. Writes -1 there until the commit. */
static int set_out_fence(struct kms_update *update, uint64_t address)
{
    static const int32_t none = -1;
    if (!address)
        return 0;
    if (!user_write(address, &none, sizeof none))
        return EFAULT;
    update->out_fence = address;
    return 0;
}

static int set_crtc(struct kms_update *update, enum kms_property property, uint64_t value)
{
    struct kms_state *state = &update->state;
    update->crtc = true;
    switch (property) {
    case KMS_ACTIVE: state->active = value; return 0;
    case KMS_MODE_ID: return set_mode_blob(update, value);
    case KMS_VRR_ENABLED: state->vrr = (uint32_t)value; return 0;
    case KMS_CTM: return set_blob(&state->matrix, value, sizeof(struct drm_color_ctm), true);
    case KMS_GAMMA_LUT: return set_blob(&state->gamma, value, sizeof(struct drm_color_lut), false);
    case KMS_OUT_FENCE_PTR: return set_out_fence(update, value);
    default: return EINVAL;
    }
}

static int set_connector(struct kms_update *update, enum kms_property property, uint64_t value)
{
    update->connector = true;
    update->crtc |= update->state.connected;
    switch (property) {
    case KMS_CRTC_ID: kms_update_connect(update, value != 0); return 0;
    case KMS_MAX_BPC: update->state.max_bpc = (uint32_t)value; return 0;
    case KMS_LINK_STATUS: return 0; /* programs cannot report a good link as bad */
    default: return EINVAL;         /* DPMS cannot be set here; atomic programs use ACTIVE */
    }
}

/* Checks the fence for which a plane has to wait. Every fence is already signalled, because a job
 * is finished when its request returns. */
static int set_in_fence(struct kms_update *update, unsigned plane, uint64_t fd)
{
    if (update->fences >> plane & 1)
        return EINVAL;
    if ((int64_t)fd == -1)
        return 0;
    if (!fence_is((int)fd))
        return EINVAL;
    update->fences |= 1u << plane;
    return 0;
}

static int set_rotation(struct kms_plane *plane, uint32_t value)
{
    uint32_t rotation = value & DRM_MODE_ROTATE_MASK;
    if (!rotation || (rotation & (rotation - 1)))
        return EINVAL;
    plane->rotation = value;
    return 0;
}

static int set_plane(struct kms_update *update, struct file *file, unsigned index,
                     enum kms_property property, uint64_t value)
{
    struct kms_plane *plane = kms_update_concern(update, index);
    uint32_t word = (uint32_t)value;
    (void)file;
    switch (property) {
    case KMS_FB_ID: kms_update_fb(update, index, kms_object_find(word, DRM_MODE_OBJECT_FB)); break;
    case KMS_IN_FENCE_FD: return set_in_fence(update, index, value);
    case KMS_CRTC_ID: kms_update_plane(update, index, value != 0); break;
    case KMS_CRTC_X: plane->crtc_x = (int32_t)word; break;
    case KMS_CRTC_Y: plane->crtc_y = (int32_t)word; break;
    case KMS_CRTC_W: plane->crtc_w = word; break;
    case KMS_CRTC_H: plane->crtc_h = word; break;
    case KMS_SRC_X: plane->src_x = word; break;
    case KMS_SRC_Y: plane->src_y = word; break;
    case KMS_SRC_W: plane->src_w = word; break;
    case KMS_SRC_H: plane->src_h = word; break;
    case KMS_ALPHA: plane->alpha = word; break;
    case KMS_BLEND_MODE: plane->blend = word; break;
    case KMS_ROTATION: return set_rotation(plane, word);
    case KMS_COLOR_ENCODING: plane->encoding = word; break;
    case KMS_COLOR_RANGE: plane->range = word; break;
    case KMS_ZPOS: plane->zpos = word; break;
    default: return EINVAL;
    }
    return 0;
}

int kms_update_property(struct kms_update *update, struct file *file, uint32_t object,
                        enum kms_property property, uint64_t value)
{
    if (!kms_property_may_be(property, value))
        return EINVAL;
    if (object == KMS_ID_CRTC)
        return set_crtc(update, property, value);
    if (object == KMS_ID_CONNECTOR)
        return set_connector(update, property, value);
    return set_plane(update, file, kms_plane_index(object), property, value);
}

/* --- checks --- */

static int check_plane(const struct kms_plane *plane)
{
    const struct kms_fb *fb = plane->fb;
    if (plane->on != (fb != NULL))
        return EINVAL;
    if (!fb)
        return 0;
    if (plane->crtc_w > INT32_MAX || plane->crtc_x > INT32_MAX - (int32_t)plane->crtc_w ||
        plane->crtc_h > INT32_MAX || plane->crtc_y > INT32_MAX - (int32_t)plane->crtc_h)
        return ERANGE;
    uint32_t width = fb->width << 16, height = fb->height << 16;
    if (plane->src_w > width || plane->src_x > width - plane->src_w || plane->src_h > height ||
        plane->src_y > height - plane->src_h)
        return ENOSPC;
    return 0;
}

/* Checks the scaling factors. A factor must not round down to 0. Called after all other checks, as
 * in the driver. */
static int check_scaling(const struct kms_plane *plane)
{
    if (!plane->fb)
        return 0;
    bool good = plane->crtc_w && plane->src_w / plane->crtc_w && plane->crtc_h &&
                plane->src_h / plane->crtc_h;
    return good ? 0 : ERANGE;
}

/* The chip's colour matrix has no integer bits, so no coefficient may be above 1 or below -1. */
static int check_matrix(const struct kms_blob *blob)
{
    const struct drm_color_ctm *matrix = blob ? (const struct drm_color_ctm *)blob->bytes : NULL;
    for (unsigned i = 0; matrix && i < 9; i++)
        if ((matrix->matrix[i] & INT64_MAX) > 1ull << 32)
            return EINVAL;
    return 0;
}

static int check_crtc(const struct kms_update *update)
{
    const struct kms_state *state = &update->state;
    if (state->active && !state->mode)
        return EINVAL;
    if (update->wants_event && !state->active && !kms_state()->active)
        return EINVAL;
    if (state->gamma && state->gamma->size != KMS_CURVE_SIZE * sizeof(struct drm_color_lut))
        return EINVAL;
    return 0;
}

int kms_update_check(const struct kms_update *update)
{
    const struct kms_state *state = &update->state;
    int error = 0;
    for (unsigned i = 0; i < KMS_PLANES && !error; i++)
        error = update->planes >> i & 1 ? check_plane(&state->planes[i]) : 0;
    if (!error && update->crtc)
        error = check_crtc(update);
    if (error)
        return error;
    if ((state->mode != NULL) != state->connected)
        return EINVAL;
    for (unsigned i = 0; i < KMS_PLANES && !error; i++)
        error = update->planes >> i & 1 ? check_scaling(&state->planes[i]) : 0;
    if (!error)
        error = check_matrix(state->matrix);
    if (!error && !update->may_set_mode && kms_sets_mode(kms_state(), state))
        error = EINVAL;
    return error;
}

/* --- the request --- */

/* Addresses of the next elements of the request's arrays of property ids and values. */
struct cursor {
    uint64_t ids, values;
};

static int read_properties(struct kms_update *update, struct file *file, uint32_t object,
                           uint32_t count, struct cursor *at)
{
    for (uint32_t i = 0; i < count; i++, at->ids += 4, at->values += 8) {
        enum kms_property property;
        uint64_t value;
        uint32_t id;
        if (!user_read(&id, at->ids, sizeof id))
            return EFAULT;
        if (!kms_property_of(object, id, &property))
            return ENOENT;
        if (!user_read(&value, at->values, sizeof value))
            return EFAULT;
        int error = kms_update_property(update, file, object, property, value);
        if (error)
            return error;
    }
    return 0;
}

static int read_objects(struct kms_update *update, struct file *file,
                        const struct drm_mode_atomic *atomic)
{
    struct cursor at = {atomic->props_ptr, atomic->prop_values_ptr};
    for (uint32_t i = 0; i < atomic->count_objs; i++) {
        uint32_t object, count, type;
        if (!user_read(&object, atomic->objs_ptr + 4ull * i, sizeof object))
            return EFAULT;
        type = kms_object_type(object);
        if (type != DRM_MODE_OBJECT_PLANE && type != DRM_MODE_OBJECT_CRTC &&
            type != DRM_MODE_OBJECT_CONNECTOR)
            return ENOENT;
        if (!user_read(&count, atomic->count_props_ptr + 4ull * i, sizeof count))
            return EFAULT;
        int error = read_properties(update, file, object, count, &at);
        if (error)
            return error;
    }
    return 0;
}

static int check_request(const struct file *file, const struct drm_mode_atomic *atomic)
{
    if (!(file->client_caps >> DRM_CLIENT_CAP_ATOMIC & 1))
        return EINVAL;
    if ((atomic->flags & ~(uint32_t)DRM_MODE_ATOMIC_FLAGS) || atomic->reserved ||
        (atomic->flags & DRM_MODE_PAGE_FLIP_ASYNC))
        return EINVAL;
    bool both = (atomic->flags & DRM_MODE_ATOMIC_TEST_ONLY) &&
                (atomic->flags & DRM_MODE_PAGE_FLIP_EVENT);
    return both ? EINVAL : 0;
}

/* If the program requested a fence, stores the descriptor of a signalled fence at the address
 * out_fence. */
static int give_out_fence(const struct kms_update *update)
{
    int fd;
    if (!update->out_fence)
        return 0;
    int error = fence_create(&fd);
    if (error)
        return error;
    return user_write(update->out_fence, &fd, sizeof fd) ? 0 : EFAULT;
}

static int commit(struct kms_update *update, struct file *file,
                  const struct drm_mode_atomic *atomic)
{
    bool visible = update->crtc, later = atomic->flags & DRM_MODE_ATOMIC_NONBLOCK;
    if (visible && later && clock_is_flipping())
        return EBUSY;
    int error = give_out_fence(update);
    if (error)
        return error;
    if (!visible) {
        kms_update_carry_out(update);
        return 0;
    }
    display_look();
    kms_update_carry_out(update);
    struct clock_blank blank = clock_flip(false);
    display_show();
    if (!later || update->out_fence)
        /* The returned fence is already signalled. So this request waits for the blank. */
        clock_delay(blank.time);
    return update->wants_event ? kms_send_flip(file, blank, atomic->user_data) : 0;
}

int kms_atomic(struct file *file, void *argument)
{
    const struct drm_mode_atomic *atomic = argument;
    struct kms_update update;
    int error = check_request(file, atomic);
    if (error)
        return error;
    kms_update_begin(&update);
    update.may_set_mode = atomic->flags & DRM_MODE_ATOMIC_ALLOW_MODESET;
    update.wants_event = atomic->flags & DRM_MODE_PAGE_FLIP_EVENT;
    error = read_objects(&update, file, atomic);
    if (!error && update.wants_event)
        error = !update.crtc ? EINVAL : clock_has_room(file) ? 0 : ENOMEM;
    if (!error)
        error = kms_update_check(&update);
    if (!error && !(atomic->flags & DRM_MODE_ATOMIC_TEST_ONLY))
        error = commit(&update, file, atomic);
    kms_update_end(&update);
    return error;
}
