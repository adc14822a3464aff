/* SPDX-License-Identifier: MIT */
/* kms_picture.c - computes the picture on the screen.
 *
 * In:  the display's state; the memory of framebuffers.
 * Out: pixels.
 *
 * Planes with equal zpos are stacked in the order of their indices.
 *
 * Source: Linux, drivers/gpu/drm/vc4/vc4_plane.c, vc4_crtc.c (gamma), vc4_hvs.c (colour matrix);
 *         drm_blend.c (rotation, zpos). */
#include <string.h>

#include <libdrm/drm_fourcc.h>

#include "shim/drm/kms/kms.h"

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

/* Finds the planes that are on, ordered from bottom to top. Returns the number of planes found. */
static size_t find_planes(struct scanout_plane planes[KMS_PLANES], const struct kms_state *state)
{
    size_t count = 0;
    for (uint32_t zpos = 0; zpos <= KMS_OVERLAYS + 1; zpos++)
        for (unsigned i = 0; i < KMS_PLANES; i++)
            if (state->planes[i].fb && state->planes[i].zpos == zpos)
                count += find_plane(&planes[count], &state->planes[i]);
    return count;
}

/* Converts a colour matrix from sign and magnitude with 31.32 bits to two's complement with 16.16
 * bits. */
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

/* --- hash of the memory --- */

enum { LANES = 4, TILE_ROWS = 32 };

/* Computes FNV-1a over 64-bit words in four independent lanes, because the host can compute the
 * lanes in parallel. Pads the last words with zeros. */
static uint64_t hash_bytes(uint64_t hash, const uint8_t *bytes, size_t size)
{
    static const uint64_t prime = 0x100000001b3;
    uint64_t lanes[LANES] = {hash, hash + 1, hash + 2, hash + 3}, words[LANES];
    for (size_t at = 0; at < size; at += sizeof words) {
        size_t left = size - at;
        if (left < sizeof words)
            memset(words, 0, sizeof words);
        memcpy(words, bytes + at, left < sizeof words ? left : sizeof words);
        for (unsigned i = 0; i < LANES; i++)
            lanes[i] = (lanes[i] ^ words[i]) * prime;
    }
    for (unsigned i = 1; i < LANES; i++)
        lanes[0] = (lanes[0] ^ lanes[i]) * prime;
    return lanes[0];
}

/* Hashes the rows of one part of an image. If the image is tiled, includes all rows of the last row
 * of tiles. */
static uint64_t hash_part(uint64_t hash, const struct scanout_image *image, unsigned part)
{
    uint32_t down = part ? image->format->down : 1, rows = (image->height + down - 1) / down;
    uint64_t size = image->parts[part].size;
    if (image->tiled)
        rows = (rows + TILE_ROWS - 1) / TILE_ROWS * TILE_ROWS;
    uint64_t used = (uint64_t)rows * image->parts[part].pitch;
    return hash_bytes(hash, image->parts[part].bytes, used < size ? used : size);
}

uint64_t kms_picture_hash(void)
{
    const struct kms_state *state = kms_state();
    uint64_t hash = 0xcbf29ce484222325;
    for (unsigned i = 0; i < KMS_PLANES; i++) {
        struct scanout_image image;
        const struct kms_fb *fb = state->planes[i].fb;
        for (unsigned part = 0; fb && find_image(&image, fb) && part < fb->format->parts; part++)
            hash = hash_part(hash, &image, part);
    }
    return hash;
}

/* --- the picture --- */

bool kms_is_blank(void)
{
    const struct kms_state *state = kms_state();
    for (unsigned i = 0; i < KMS_PLANES && state->active; i++)
        if (state->planes[i].fb && !kms_is_console(state->planes[i].fb))
            return false;
    return true;
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
