/* SPDX-License-Identifier: MIT */
/* kms_picture.c - the display's state as a picture.
 *
 * In:  the state; the memory of framebuffers. Out: pixels.
 *
 * Planes that the program has given one place lie over each other by their number. Sources: Linux,
 * drivers/gpu/drm/vc4/vc4_plane.c, vc4_crtc.c (gamma), vc4_hvs.c (colour matrix); drm_blend.c (rotation, places). */
#include <string.h>

#include <libdrm/drm_fourcc.h>

#include "kms.h"

static bool find_part(struct scanout_image *image, const struct kms_fb *fb, unsigned part)
{
    const struct bo *bo = fb->bos[part];
    if (!bo || fb->offsets[part] > bo->size || !bo->memory.host)
        return false;
    image->parts[part].bytes = bo->memory.host + fb->offsets[part];
    image->parts[part].size = bo->size - fb->offsets[part];
    image->parts[part].pitch = fb->pitches[part];
    return true;
}

static bool find_image(struct scanout_image *image, const struct kms_fb *fb)
{
    *image = (struct scanout_image){.format = fb->format,
                                    .tiled = fb->modifier == DRM_FORMAT_MOD_BROADCOM_VC4_T_TILED,
                                    .width = fb->width,
                                    .height = fb->height};
    for (unsigned i = 0; i < fb->format->parts; i++)
        if (!find_part(image, fb, i))
            return false;
    return true;
}

static bool find_plane(struct scanout_plane *out, const struct kms_plane *plane)
{
    bool turned = plane->rotation & DRM_MODE_ROTATE_180;
    *out = (struct scanout_plane){
        .source_x = plane->src_x,
        .source_y = plane->src_y,
        .source_width = plane->src_w,
        .source_height = plane->src_h,
        .x = plane->crtc_x,
        .y = plane->crtc_y,
        .width = plane->crtc_w,
        .height = plane->crtc_h,
        .alpha = (uint8_t)(plane->alpha >> 8),
        .blend = (enum scanout_blend)plane->blend,
        .mirror_x = turned != !!(plane->rotation & DRM_MODE_REFLECT_X),
        .mirror_y = turned != !!(plane->rotation & DRM_MODE_REFLECT_Y),
        .encoding = (enum scanout_encoding)plane->encoding,
        .full_range = plane->range,
    };
    return find_image(&out->image, plane->fb);
}

/* The planes that are on, from the bottom. */
static size_t find_planes(struct scanout_plane planes[KMS_PLANES], const struct kms_state *state)
{
    size_t count = 0;
    for (uint32_t zpos = 0; zpos <= KMS_OVERLAYS + 1; zpos++)
        for (unsigned i = 0; i < KMS_PLANES; i++)
            if (state->planes[i].fb && state->planes[i].zpos == zpos)
                count += find_plane(&planes[count], &state->planes[i]);
    return count;
}

/* Sign and magnitude of 31.32 bits as 16.16. */
static void find_matrix(struct scanout_colour *colour, const struct kms_blob *blob)
{
    struct drm_color_ctm matrix;
    memcpy(&matrix, blob->bytes, sizeof matrix);
    for (unsigned i = 0; i < 9; i++) {
        int32_t magnitude = (int32_t)((matrix.matrix[i] & INT64_MAX) >> 16);
        colour->matrix[i] = matrix.matrix[i] >> 63 ? -magnitude : magnitude;
    }
    colour->has_matrix = true;
}

static void find_curve(struct scanout_colour *colour, const struct kms_blob *blob)
{
    for (unsigned i = 0; i < KMS_CURVE_SIZE; i++) {
        struct drm_color_lut entry;
        memcpy(&entry, blob->bytes + i * sizeof entry, sizeof entry);
        colour->curve[0][i] = (uint8_t)(entry.red >> 8);
        colour->curve[1][i] = (uint8_t)(entry.green >> 8);
        colour->curve[2][i] = (uint8_t)(entry.blue >> 8);
    }
    colour->has_curve = true;
}

void kms_picture(uint32_t *pixels)
{
    const struct kms_state *state = kms_state();
    const struct drm_mode_modeinfo *mode = kms_state_mode(state);
    struct scanout_plane planes[KMS_PLANES];
    struct scanout_colour colour = {0};
    size_t count = (size_t)mode->hdisplay * mode->vdisplay;
    if (!scanout_compose(pixels, mode->hdisplay, mode->vdisplay, planes,
                         find_planes(planes, state)))
        memset(pixels, 0, count * sizeof *pixels);
    if (state->matrix)
        find_matrix(&colour, state->matrix);
    if (state->gamma)
        find_curve(&colour, state->gamma);
    scanout_correct(pixels, count, &colour);
}
