/* SPDX-License-Identifier: MIT */
/* kms.c - the table of the display's requests, and the requests that list its objects.
 *
 * In:  requests.
 * Out: descriptions of objects, like the kernel's.
 *
 * A count in a request contains the number of entries in the program's array on entry, and the
 * number of existing objects on return.
 *
 * Source: Linux, drivers/gpu/drm/drm_mode_config.c, drm_connector.c, drm_encoder.c, drm_crtc.c,
 *         drm_plane.c, drm_lease.c; drm_ioctl.c (permissions).
 * Left out: leases cannot be created (EOPNOTSUPP). A lessee is another process, and each process
 *           has its own display. */
#include "shim/drm/kms/kms.h"

#include <errno.h>

#include "shim/common/user.h"
#include "shim/drm/calls/clock.h"
#include "shim/drm/calls/ioctl.h"
#include "shim/drm/display/display.h"

enum { CONNECTED = 1, SUBPIXEL_UNKNOWN = 0 }; /* values of the kernel's enums */

/* Writes the number of an object to the program's array if there is room, and counts it. */
static int tell(uint64_t to, uint32_t room, uint32_t *count, uint32_t id)
{
    if (*count < room && !user_write(to + 4ull * *count, &id, sizeof id))
        return EFAULT;
    ++*count;
    return 0;
}

static int report_fbs(const struct file *file, uint64_t to, uint32_t *room)
{
    uint32_t count = 0, type;
    for (uint32_t i = 0; i < kms_object_count(); i++) {
        const struct kms_fb *fb = kms_object_at(i, &type);
        int error = type == DRM_MODE_OBJECT_FB && fb->owner == file
                        ? tell(to, *room, &count, fb->id)
                        : 0;
        if (error)
            return error;
    }
    *room = count;
    return 0;
}

static int report_one(uint64_t to, uint32_t *room, uint32_t id)
{
    uint32_t count = 0;
    int error = tell(to, *room, &count, id);
    if (!error)
        *room = count;
    return error;
}

int kms_get_resources(struct file *file, void *argument)
{
    struct drm_mode_card_res *get = argument;
    get->min_width = get->min_height = 0;
    get->max_width = get->max_height = KMS_MOST;
    int error = report_fbs(file, get->fb_id_ptr, &get->count_fbs);
    if (!error)
        error = report_one(get->crtc_id_ptr, &get->count_crtcs, KMS_ID_CRTC);
    if (!error)
        error = report_one(get->encoder_id_ptr, &get->count_encoders, KMS_ID_ENCODER);
    if (!error)
        error = report_one(get->connector_id_ptr, &get->count_connectors, KMS_ID_CONNECTOR);
    return error;
}

int kms_get_crtc(struct file *file, void *argument)
{
    struct drm_mode_crtc *get = argument;
    const struct kms_state *state = kms_state();
    const struct kms_plane *primary = &state->planes[KMS_PRIMARY];
    const struct drm_mode_modeinfo *mode = kms_state_mode(state);
    (void)file;
    if (get->crtc_id != KMS_ID_CRTC)
        return ENOENT;
    get->gamma_size = KMS_CURVE_SIZE;
    get->fb_id = primary->fb ? primary->fb->id : 0;
    get->x = primary->src_x >> 16;
    get->y = primary->src_y >> 16;
    get->mode_valid = mode != NULL;
    if (mode)
        get->mode = *mode;
    return 0;
}

int kms_get_encoder(struct file *file, void *argument)
{
    struct drm_mode_get_encoder *get = argument;
    (void)file;
    if (get->encoder_id != KMS_ID_ENCODER)
        return ENOENT;
    get->encoder_type = DRM_MODE_ENCODER_TMDS;
    get->crtc_id = kms_state()->connected ? KMS_ID_CRTC : 0;
    get->possible_crtcs = 1;
    get->possible_clones = 1;
    return 0;
}

/* Writes all modes to the program's array, or none if they do not all fit. */
static int report_modes(uint64_t to, uint32_t *room)
{
    uint32_t count = 0;
    while (kms_mode(count))
        count++;
    for (uint32_t i = 0; i < count && count <= *room; i++)
        if (!user_write(to + i * sizeof(struct drm_mode_modeinfo), kms_mode(i),
                        sizeof(struct drm_mode_modeinfo)))
            return EFAULT;
    *room = count;
    return 0;
}

int kms_get_connector(struct file *file, void *argument)
{
    struct drm_mode_get_connector *get = argument;
    if (get->connector_id != KMS_ID_CONNECTOR)
        return ENOENT;
    get->encoder_id = kms_state()->connected ? KMS_ID_ENCODER : 0;
    get->connector_type = DRM_MODE_CONNECTOR_HDMIA;
    get->connector_type_id = 1;
    get->connection = CONNECTED;
    get->subpixel = SUBPIXEL_UNKNOWN;
    kms_screen_size(&get->mm_width, &get->mm_height);
    int error = report_one(get->encoders_ptr, &get->count_encoders, KMS_ID_ENCODER);
    if (!error)
        error = report_modes(get->modes_ptr, &get->count_modes);
    if (!error)
        error = kms_properties_report(file, KMS_ID_CONNECTOR, get->props_ptr, get->prop_values_ptr,
                                      &get->count_props);
    return error;
}

/* True for the primary plane and the cursor if the program has not requested universal planes. */
static bool is_hidden(const struct file *file, unsigned plane)
{
    return (plane == KMS_PRIMARY || plane == KMS_CURSOR) &&
           !(file->client_caps >> DRM_CLIENT_CAP_UNIVERSAL_PLANES & 1);
}

int kms_get_plane_resources(struct file *file, void *argument)
{
    struct drm_mode_get_plane_res *get = argument;
    uint32_t count = 0;
    for (unsigned i = 0; i < KMS_PLANES; i++) {
        int error = is_hidden(file, i)
                        ? 0
                        : tell(get->plane_id_ptr, get->count_planes, &count, kms_plane_id(i));
        if (error)
            return error;
    }
    get->count_planes = count;
    return 0;
}

/* Writes all formats to the program's array, or none if they do not all fit. */
static int report_formats(uint64_t to, uint32_t *room)
{
    uint32_t count = 0, written = 0;
    while (scanout_format_at(count))
        count++;
    while (written < count && count <= *room)
        if (tell(to, *room, &written, scanout_format_at(written)->fourcc))
            return EFAULT;
    *room = count;
    return 0;
}

int kms_get_plane(struct file *file, void *argument)
{
    struct drm_mode_get_plane *get = argument;
    unsigned index = kms_plane_index(get->plane_id);
    (void)file;
    if (index >= KMS_PLANES)
        return ENOENT;
    const struct kms_plane *plane = &kms_state()->planes[index];
    get->crtc_id = plane->on ? KMS_ID_CRTC : 0;
    get->fb_id = plane->fb ? plane->fb->id : 0;
    get->possible_crtcs = 1;
    get->gamma_size = 0;
    return report_formats(get->format_type_ptr, &get->count_format_types);
}

/* --- removal --- */

/* Turns off the planes that show a framebuffer, as the kernel does. */
static void hide(struct kms_fb *fb)
{
    struct kms_update update;
    if (fb->references < 2)
        return;
    kms_update_begin(&update);
    for (unsigned i = 0; i < KMS_PLANES; i++)
        if (update.state.planes[i].fb == fb) {
            kms_update_fb(&update, i, NULL);
            kms_update_plane(&update, i, false);
        }
    if (update.planes) {
        display_look();
        kms_update_carry_out(&update);
        display_change();
    }
    kms_update_end(&update);
}

static void remove_fb(struct kms_fb *fb)
{
    fb->owner = NULL;
    hide(fb);
    kms_fb_release(fb);
}

int kms_remove_fb(struct file *file, void *argument)
{
    const unsigned *id = argument;
    struct kms_fb *fb = kms_object_find(*id, DRM_MODE_OBJECT_FB);
    if (!fb || fb->owner != file)
        return ENOENT;
    remove_fb(fb);
    return 0;
}

/* Shows the console after the last card node is closed, like drm_lastclose(). */
static void show_console_after_last(const struct file *file)
{
    for (const struct file *other = file_first(); other; other = other->next)
        if (other != file && other->node == FILE_CARD)
            return;
    kms_show_console();
}

/* Called when a file is closed. Removes its framebuffers, blobs and events. */
static void kms_close(struct file *file)
{
    if (file->node != FILE_CARD)
        return;
    clock_forget(file);
    display_look();
    show_console_after_last(file);
    for (uint32_t i = 0, type; i < kms_object_count(); i++) {
        void *object = kms_object_at(i, &type);
        if (type == DRM_MODE_OBJECT_FB && ((struct kms_fb *)object)->owner == file)
            remove_fb(object);
        if (type == DRM_MODE_OBJECT_BLOB && ((struct kms_blob *)object)->owner == file) {
            ((struct kms_blob *)object)->owner = NULL;
            kms_blob_release(object);
        }
    }
}

/* --- leases --- */

static int list_lessees(struct file *file, void *argument)
{
    struct drm_mode_list_lessees *list = argument;
    (void)file;
    if (list->pad)
        return EINVAL;
    list->count_lessees = 0;
    return 0;
}

/* A program without a lease can access all objects. */
static int get_lease(struct file *file, void *argument)
{
    struct drm_mode_get_lease *get = argument;
    uint32_t count = 0;
    (void)file;
    if (get->pad)
        return EINVAL;
    int error = tell(get->objects_ptr, get->count_objects, &count, KMS_ID_CRTC);
    if (!error)
        error = tell(get->objects_ptr, get->count_objects, &count, KMS_ID_CONNECTOR);
    for (unsigned i = 0; i < KMS_PLANES && !error; i++)
        error = tell(get->objects_ptr, get->count_objects, &count, kms_plane_id(i));
    if (!error)
        get->count_objects = count;
    return error;
}

static int revoke_lease(struct file *file, void *argument)
{
    (void)file;
    (void)argument;
    return ENOENT;
}

/* --- the table --- */

static const struct ioctl_entry entries[] = {
#define REQUEST(request, carry_out, permissions) {request, carry_out, permissions},
#include "requests.def"
#undef REQUEST
    {DRM_IOCTL_MODE_CREATE_LEASE, ioctl_unsupported, IOCTL_MASTER},
    {DRM_IOCTL_MODE_LIST_LESSEES, list_lessees, IOCTL_MASTER},
    {DRM_IOCTL_MODE_GET_LEASE, get_lease, IOCTL_MASTER},
    {DRM_IOCTL_MODE_REVOKE_LEASE, revoke_lease, IOCTL_MASTER},
    {0, NULL, 0},
};

/* --- registration --- */

static void size(uint32_t *width, uint32_t *height)
{
    const struct drm_mode_modeinfo *mode = kms_state_mode(kms_state());
    *width = mode->hdisplay;
    *height = mode->vdisplay;
}

static int refuse_dumb(struct file *file, void *argument)
{
    (void)file;
    (void)argument;
    return ENOSYS;
}

static bool is_dumb(unsigned long request)
{
    return request == DRM_IOCTL_MODE_CREATE_DUMB || request == DRM_IOCTL_MODE_MAP_DUMB ||
           request == DRM_IOCTL_MODE_DESTROY_DUMB;
}

/* Source: Linux, drivers/gpu/drm/drm_mode_config.c and others (drm_core_check_feature),
 * drm_dumb_buffers.c. */
static const struct ioctl_entry *refused(void)
{
    static struct ioctl_entry table[sizeof entries / sizeof *entries];
    for (size_t i = 0; entries[i].request; i++) {
        table[i] = entries[i];
        table[i].carry_out = is_dumb(entries[i].request) ? refuse_dumb : ioctl_unsupported;
    }
    return table;
}

void kms_begin(bool has_display, void (*end)(void))
{
    static struct display_screen screen = {
        .is_blank = kms_is_blank, .size = size, .picture = kms_picture, .hash = kms_picture_hash};
    ioctl_add(has_display ? entries : refused());
    if (!has_display)
        return;
    screen.end = end;
    display_begin(&screen);
    file_at_destroy(kms_close);
}
