/* SPDX-License-Identifier: MIT */
/* kms_fb.c - framebuffers, and buffer objects for programs that draw with the CPU (dumb buffers).
 *
 * In:  requests.
 * Out: framebuffers by number, handles.
 *
 * Source: Linux, drivers/gpu/drm/drm_framebuffer.c, drm_gem_framebuffer_helper.c, drm_fourcc.c,
 *         drm_dumb_buffers.c, vc4_kms.c (tiling without modifiers), vc4_bo.c. */
#include <errno.h>
#include <stdlib.h>

#include <libdrm/drm_fourcc.h>

#include "shim/drm/calls/clock.h"
#include "shim/drm/display/display.h"
#include "shim/drm/kms/kms.h"

enum { COMMAND_PARTS = 4 }; /* number of parts in struct drm_mode_fb_cmd2 */

struct kms_fb *kms_fb_take(struct kms_fb *fb)
{
    if (fb)
        fb->references++;
    return fb;
}

void kms_fb_release(struct kms_fb *fb)
{
    if (!fb || --fb->references)
        return;
    if (fb->id)
        kms_object_remove(fb->id);
    for (unsigned i = 0; i < SCANOUT_PARTS; i++)
        bo_release(fb->bos[i]);
    free(fb);
}

/* --- creation --- */

/* Checks part i of a framebuffer whose format has that part. */
static int check_part(const struct drm_mode_fb_cmd2 *c, const struct scanout_format *format,
                      unsigned i)
{
    uint32_t across = i ? format->across : 1, down = i ? format->down : 1;
    uint64_t width = (c->width + across - 1) / across, height = (c->height + down - 1) / down;
    if (!c->handles[i])
        return EINVAL;
    if (height * c->pitches[i] + c->offsets[i] > UINT32_MAX)
        return ERANGE;
    if (c->pitches[i] < width * format->bytes[i])
        return EINVAL;
    bool modifiers = c->flags & DRM_MODE_FB_MODIFIERS;
    return modifiers        ? (c->modifier[i] == c->modifier[0] ? 0 : EINVAL)
           : c->modifier[i] ? EINVAL
                            : 0;
}

/* Checks that part i is unused. The format does not have that part. */
static int check_no_part(const struct drm_mode_fb_cmd2 *c, unsigned i)
{
    if (c->modifier[i])
        return EINVAL;
    bool modifiers = c->flags & DRM_MODE_FB_MODIFIERS;
    return modifiers && (c->handles[i] || c->pitches[i] || c->offsets[i]) ? EINVAL : 0;
}

static int check(const struct drm_mode_fb_cmd2 *c, const struct scanout_format *format)
{
    int error = 0;
    if (c->flags & ~(uint32_t)(DRM_MODE_FB_INTERLACED | DRM_MODE_FB_MODIFIERS))
        return EINVAL;
    if (!format || !c->width || !c->height || c->width > KMS_MOST || c->height > KMS_MOST)
        return EINVAL;
    for (unsigned i = 0; i < COMMAND_PARTS && !error; i++)
        error = i < format->parts ? check_part(c, format, i) : check_no_part(c, i);
    return error;
}

/* Finds the buffer objects and checks that they are large enough. */
static int find_bos(struct kms_fb *fb, const struct file *file, const struct drm_mode_fb_cmd2 *c)
{
    const struct scanout_format *format = fb->format;
    for (unsigned i = 0; i < format->parts; i++) {
        uint32_t across = i ? format->across : 1, down = i ? format->down : 1;
        uint32_t width = (c->width + across - 1) / across, height = (c->height + down - 1) / down;
        struct bo *bo = file_bo(file, c->handles[i]);
        if (!bo)
            return ENOENT;
        if (bo->size <
            (uint64_t)(height - 1) * c->pitches[i] + width * format->bytes[i] + c->offsets[i])
            return EINVAL;
        fb->bos[i] = bo_take(bo);
        bo->shared = true;
        fb->pitches[i] = c->pitches[i];
        fb->offsets[i] = c->offsets[i];
    }
    return 0;
}

static int find_modifier(struct kms_fb *fb, const struct file *file,
                         const struct drm_mode_fb_cmd2 *c)
{
    const struct bo *bo = file_bo(file, c->handles[0]);
    fb->modifier = c->modifier[0];
    if (!(c->flags & DRM_MODE_FB_MODIFIERS)) {
        if (!bo)
            return ENOENT;
        fb->modifier = bo_is_tiled(bo) ? DRM_FORMAT_MOD_BROADCOM_VC4_T_TILED
                                       : DRM_FORMAT_MOD_LINEAR;
    }
    if (fb->modifier == DRM_FORMAT_MOD_LINEAR)
        return 0;
    return fb->modifier == DRM_FORMAT_MOD_BROADCOM_VC4_T_TILED && fb->format->tiled ? 0 : EINVAL;
}

static int enter(struct kms_fb *fb, struct file *file, const struct drm_mode_fb_cmd2 *c)
{
    int error = find_modifier(fb, file, c);
    if (!error)
        error = find_bos(fb, file, c);
    if (error)
        return error;
    fb->id = kms_object_add(DRM_MODE_OBJECT_FB, fb);
    return fb->id ? 0 : ENOMEM;
}

int kms_fb_make(struct kms_fb **out, struct file *file, const struct drm_mode_fb_cmd2 *command)
{
    const struct scanout_format *format = scanout_format(command->pixel_format);
    int error = check(command, format);
    if (error)
        return error;
    struct kms_fb *fb = calloc(1, sizeof *fb);
    if (!fb)
        return ENOMEM;
    fb->references = 1;
    fb->width = command->width;
    fb->height = command->height;
    fb->flags = command->flags;
    fb->format = format;
    error = enter(fb, file, command);
    if (error)
        kms_fb_release(fb);
    else
        *out = fb;
    return error;
}

/* Creates the console's framebuffer with 16 bits per pixel, as vc4_drv.c requests
 * (drm_fbdev_dma_setup). */
struct kms_fb *kms_fb_make_console(void)
{
    const struct drm_mode_modeinfo *mode = kms_mode(0);
    struct kms_fb *fb = calloc(1, sizeof *fb);
    if (!fb)
        return NULL;
    *fb = (struct kms_fb){.references = 1,
                          .width = mode->hdisplay,
                          .height = mode->vdisplay,
                          .format = scanout_format(DRM_FORMAT_RGB565),
                          .modifier = DRM_FORMAT_MOD_LINEAR,
                          .pitches = {mode->hdisplay * 2u}};
    fb->id = kms_object_add(DRM_MODE_OBJECT_FB, fb);
    if (fb->id)
        return fb;
    free(fb);
    return NULL;
}

int kms_add_fb2(struct file *file, void *argument)
{
    struct drm_mode_fb_cmd2 *add = argument;
    struct kms_fb *fb;
    int error = kms_fb_make(&fb, file, add);
    if (error)
        return error;
    fb->owner = file;
    add->fb_id = fb->id;
    return 0;
}

/* Returns the format with a number of bits per pixel and a depth, or 0 if none exists. */
static uint32_t old_format(uint32_t bits, uint32_t depth)
{
    static const struct {
        uint32_t bits, depth, format;
    } known[] = {
        /* clang-format off */
        {16, 15, DRM_FORMAT_XRGB1555},
        {16, 16, DRM_FORMAT_RGB565},
        {24, 24, DRM_FORMAT_RGB888},
        {32, 24, DRM_FORMAT_XRGB8888},
        {32, 32, DRM_FORMAT_ARGB8888},
        /* clang-format on */
    };
    for (unsigned i = 0; i < sizeof known / sizeof known[0]; i++)
        if (known[i].bits == bits && known[i].depth == depth)
            return known[i].format;
    return 0;
}

int kms_add_fb(struct file *file, void *argument)
{
    struct drm_mode_fb_cmd *add = argument;
    struct drm_mode_fb_cmd2 command = {.width = add->width,
                                       .height = add->height,
                                       .pixel_format = old_format(add->bpp, add->depth),
                                       .handles = {add->handle},
                                       .pitches = {add->pitch}};
    int error = kms_add_fb2(file, &command);
    if (!error)
        add->fb_id = command.fb_id;
    return error;
}

/* --- queries --- */

/* Allocates the console's memory at the first request for a handle. */
static int find_memory(struct kms_fb *fb)
{
    return fb->bos[0] ? 0 : bo_create(&fb->bos[0], (uint64_t)fb->pitches[0] * fb->height);
}

/* True if the file may receive handles of framebuffers that other files created. */
static bool may_have_handles(const struct file *file)
{
    return file->is_master || file_is_admin();
}

/* Returns the first part with the same buffer object as `part`, which may be `part` itself. Parts
 * with the same buffer object have the same handle in the request. */
static unsigned same_part(const struct kms_fb *fb, unsigned part)
{
    unsigned i = 0;
    while (fb->bos[i] != fb->bos[part])
        i++;
    return i;
}

/* Creates handles for the buffer objects of the parts. The program has to close the handles. If the
 * file may not have handles, creates none and leaves `handles` unchanged. */
static int part_handles(struct file *file, struct kms_fb *fb, uint32_t *handles)
{
    if (!may_have_handles(file))
        return 0;
    int error = find_memory(fb);
    for (unsigned i = 0; i < fb->format->parts && !error; i++) {
        unsigned same = same_part(fb, i);
        handles[i] = same < i ? handles[same] : file_new_handle(file, fb->bos[i]);
        error = handles[i] ? 0 : ENOMEM;
    }
    return error;
}

int kms_get_fb(struct file *file, void *argument)
{
    struct drm_mode_fb_cmd *get = argument;
    struct kms_fb *fb = kms_object_find(get->fb_id, DRM_MODE_OBJECT_FB);
    if (!fb)
        return ENOENT;
    if (fb->format->parts > 1)
        return EINVAL;
    get->width = fb->width;
    get->height = fb->height;
    get->depth = fb->format->depth;
    get->bpp = fb->format->bytes[0] * 8u;
    get->pitch = fb->pitches[0];
    get->handle = 0;
    return part_handles(file, fb, &get->handle);
}

int kms_get_fb2(struct file *file, void *argument)
{
    struct drm_mode_fb_cmd2 *get = argument;
    struct kms_fb *fb = kms_object_find(get->fb_id, DRM_MODE_OBJECT_FB);
    if (!fb)
        return ENOENT;
    *get = (struct drm_mode_fb_cmd2){.fb_id = fb->id,
                                     .width = fb->width,
                                     .height = fb->height,
                                     .pixel_format = fb->format->fourcc,
                                     .flags = fb->flags | DRM_MODE_FB_MODIFIERS};
    for (unsigned i = 0; i < fb->format->parts; i++) {
        get->pitches[i] = fb->pitches[i];
        get->offsets[i] = fb->offsets[i];
        get->modifier[i] = fb->modifier;
    }
    return part_handles(file, fb, get->handles);
}

/* Notes that the picture may have changed. Returns ENOSYS like vc4, because the screen is refreshed
 * all the time. */
int kms_dirty_fb(struct file *file, void *argument)
{
    const struct drm_mode_fb_dirty_cmd *dirty = argument;
    (void)file;
    if (!kms_object_find(dirty->fb_id, DRM_MODE_OBJECT_FB))
        return ENOENT;
    if (!dirty->num_clips != !dirty->clips_ptr)
        return EINVAL;
    if ((dirty->flags & DRM_MODE_FB_DIRTY_ANNOTATE_COPY) && dirty->num_clips % 2)
        return EINVAL;
    if (dirty->num_clips > DRM_MODE_FB_DIRTY_MAX_CLIPS)
        return EINVAL;
    display_change();
    return ENOSYS;
}

/* --- dumb buffers --- */

int kms_create_dumb(struct file *file, void *argument)
{
    struct drm_mode_create_dumb *create = argument;
    uint64_t pitch = ((uint64_t)create->width * create->bpp + 7) / 8, size;
    struct bo *bo;
    create->handle = create->pitch = 0;
    create->size = 0;
    if (!create->width || !create->height || !create->bpp || create->bpp > UINT32_MAX - 8 ||
        pitch > UINT32_MAX || __builtin_mul_overflow(pitch, (uint64_t)create->height, &size) ||
        size > UINT32_MAX - MEMORY_PAGE)
        return EINVAL;
    int error = bo_create(&bo, size);
    if (error)
        return error;
    create->handle = file_handle(file, bo);
    bo_release(bo);
    if (!create->handle)
        return ENOMEM;
    create->pitch = (uint32_t)pitch;
    create->size = size;
    return 0;
}

int kms_map_dumb(struct file *file, void *argument)
{
    struct drm_mode_map_dumb *map = argument;
    const struct bo *bo = file_bo(file, map->handle);
    if (!bo)
        return ENOENT;
    map->offset = bo_offset(bo);
    return 0;
}

int kms_destroy_dumb(struct file *file, void *argument)
{
    const struct drm_mode_destroy_dumb *destroy = argument;
    return file_close_handle(file, destroy->handle);
}
