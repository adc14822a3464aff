/* SPDX-License-Identifier: MIT */
/* scanout.c - see scanout.h.
 *
 * In:  planes.
 * Out: pixels.
 *
 * The screen is computed row by row. Rows of the image are read as RGBA, scaled horizontally,
 * scaled vertically, and blended. If a plane's source extends beyond the image, the nearest pixel
 * of the image is read.
 *
 * Choices: channels with fewer than 8 bits are expanded with rounding
 *          (SCALER_CTL0_RGBA_EXPAND_ROUND). Scaling uses a triangle filter. The filter is as wide
 *          as a pixel of the source or a pixel of the screen, whichever is larger. The chip has
 *          other filters: a cubic one (Mitchell, Netravali) and a trapezoid. Colour samples that
 *          several pixels share are not interpolated.
 * Left out: the chip's SAND formats, which its video decoder writes; interlaced modes. */
#include "shim/drm/display/scanout.h"

#include <stdlib.h>
#include <string.h>

#include <libdrm/drm_fourcc.h>

#include "isa/cl/t_format.h"

/* --- formats --- */

/* Order of the channels in a pixel, or of the parts of a YUV image. */
enum scanout_order {
    ORDER_ARGB8888,
    ORDER_ABGR8888,
    ORDER_RGB565,
    ORDER_BGR565,
    ORDER_ARGB1555,
    ORDER_RGB888,
    ORDER_BGR888,
    ORDER_YUV, /* three parts: Y, U, V */
    ORDER_YVU,
    ORDER_Y_UV, /* two parts: Y, and U and V interleaved */
    ORDER_Y_VU,
};

static const struct scanout_format formats[] = {
    /* clang-format off */
    {DRM_FORMAT_XRGB8888, 1, {4},       1, 1, 24, false, true,  ORDER_ARGB8888},
    {DRM_FORMAT_ARGB8888, 1, {4},       1, 1, 32, true,  true,  ORDER_ARGB8888},
    {DRM_FORMAT_ABGR8888, 1, {4},       1, 1, 0,  true,  true,  ORDER_ABGR8888},
    {DRM_FORMAT_XBGR8888, 1, {4},       1, 1, 0,  false, true,  ORDER_ABGR8888},
    {DRM_FORMAT_RGB565,   1, {2},       1, 1, 16, false, true,  ORDER_RGB565},
    {DRM_FORMAT_BGR565,   1, {2},       1, 1, 0,  false, true,  ORDER_BGR565},
    {DRM_FORMAT_ARGB1555, 1, {2},       1, 1, 0,  true,  true,  ORDER_ARGB1555},
    {DRM_FORMAT_XRGB1555, 1, {2},       1, 1, 15, false, true,  ORDER_ARGB1555},
    {DRM_FORMAT_RGB888,   1, {3},       1, 1, 24, false, false, ORDER_RGB888},
    {DRM_FORMAT_BGR888,   1, {3},       1, 1, 0,  false, false, ORDER_BGR888},
    {DRM_FORMAT_YUV422,   3, {1, 1, 1}, 2, 1, 0,  false, false, ORDER_YUV},
    {DRM_FORMAT_YVU422,   3, {1, 1, 1}, 2, 1, 0,  false, false, ORDER_YVU},
    {DRM_FORMAT_YUV444,   3, {1, 1, 1}, 1, 1, 0,  false, false, ORDER_YUV},
    {DRM_FORMAT_YVU444,   3, {1, 1, 1}, 1, 1, 0,  false, false, ORDER_YVU},
    {DRM_FORMAT_YUV420,   3, {1, 1, 1}, 2, 2, 0,  false, false, ORDER_YUV},
    {DRM_FORMAT_YVU420,   3, {1, 1, 1}, 2, 2, 0,  false, false, ORDER_YVU},
    {DRM_FORMAT_NV12,     2, {1, 2},    2, 2, 0,  false, false, ORDER_Y_UV},
    {DRM_FORMAT_NV21,     2, {1, 2},    2, 2, 0,  false, false, ORDER_Y_VU},
    {DRM_FORMAT_NV16,     2, {1, 2},    2, 1, 0,  false, false, ORDER_Y_UV},
    {DRM_FORMAT_NV61,     2, {1, 2},    2, 1, 0,  false, false, ORDER_Y_VU},
    /* clang-format on */
};

enum { FORMAT_COUNT = sizeof formats / sizeof formats[0] };

const struct scanout_format *scanout_format(uint32_t fourcc)
{
    for (uint32_t i = 0; i < FORMAT_COUNT; i++)
        if (formats[i].fourcc == fourcc)
            return &formats[i];
    return NULL;
}

const struct scanout_format *scanout_format_at(uint32_t index)
{
    return index < FORMAT_COUNT ? &formats[index] : NULL;
}

/* --- pixels --- */

/* Returns a pixel as 0xAARRGGBB. */
static uint32_t pixel(uint32_t red, uint32_t green, uint32_t blue, uint32_t alpha)
{
    return alpha << 24 | red << 16 | green << 8 | blue;
}

/* Expands a channel of `bits` bits to 8 bits, with rounding. */
static uint32_t expand(uint32_t value, uint32_t bits)
{
    uint32_t most = (1u << bits) - 1;
    return ((value & most) * 255 + most / 2) / most;
}

static uint32_t clamp_byte(int32_t value)
{
    return value < 0 ? 0 : value > 255 ? 255 : (uint32_t)value;
}

static void swap_red_and_blue(uint32_t *row, uint32_t count)
{
    for (uint32_t i = 0; i < count; i++)
        row[i] = (row[i] & 0xff00ff00u) | (row[i] & 0xff) << 16 | (row[i] >> 16 & 0xff);
}

static void read_32(uint32_t *row, const uint8_t *bytes, uint32_t count)
{
    for (uint32_t i = 0; i < count; i++, bytes += 4)
        row[i] = pixel(bytes[2], bytes[1], bytes[0], bytes[3]);
}

static void read_24(uint32_t *row, const uint8_t *bytes, uint32_t count)
{
    for (uint32_t i = 0; i < count; i++, bytes += 3)
        row[i] = pixel(bytes[2], bytes[1], bytes[0], 255);
}

static void read_565(uint32_t *row, const uint8_t *bytes, uint32_t count)
{
    for (uint32_t i = 0; i < count; i++, bytes += 2) {
        uint32_t bits = bytes[0] | (uint32_t)bytes[1] << 8;
        row[i] = pixel(expand(bits >> 11, 5), expand(bits >> 5, 6), expand(bits, 5), 255);
    }
}

static void read_1555(uint32_t *row, const uint8_t *bytes, uint32_t count)
{
    for (uint32_t i = 0; i < count; i++, bytes += 2) {
        uint32_t bits = bytes[0] | (uint32_t)bytes[1] << 8;
        row[i] = pixel(expand(bits >> 10, 5), expand(bits >> 5, 5), expand(bits, 5),
                       bits >> 15 ? 255 : 0);
    }
}

/* --- memory --- */

/* A row of a microtile has 16 bytes, and a microtile 4 rows. */
enum { UTILE_ROW_BYTES = 16, TILE_ROW_BYTES = TILE_UTILES * UTILE_ROW_BYTES };

/* Copies bytes of an image. Bytes after the end of the image are 0. */
static void copy(uint8_t *to, const struct scanout_image *image, unsigned part, uint64_t from,
                 uint32_t count)
{
    size_t size = image->parts[part].size, there = 0;
    if (from < size)
        there = size - from < count ? (size_t)(size - from) : count;
    if (there)
        memcpy(to, image->parts[part].bytes + from, there);
    memset(to + there, 0, count - there);
}

static void read_tiled(uint8_t *bytes, const struct scanout_image *image, uint32_t y,
                       uint32_t count)
{
    uint32_t utiles = image->parts[0].pitch / TILE_ROW_BYTES * TILE_UTILES, inside = y & 3;
    for (uint32_t at = 0; at < count; at += UTILE_ROW_BYTES) {
        uint32_t column = at / UTILE_ROW_BYTES,
                 piece = count - at < UTILE_ROW_BYTES ? count - at : UTILE_ROW_BYTES;
        if (column < utiles)
            copy(bytes + at, image, 0,
                 t_format_offset(utiles, column, y / 4) + inside * UTILE_ROW_BYTES, piece);
        else
            memset(bytes + at, 0, piece);
    }
}

/* --- rows of an image --- */

/* Factors for converting YUV to RGB, 16.16: y for Y; red_v for V in red; green_u and green_v for U
 * and V in green; blue_u for U in blue. */
struct yuv_factors {
    int32_t y, red_v, green_u, green_v, blue_u;
};

/* Factors by range (limited, full) and encoding, computed from the equations of the standards. In
 * the limited range, 219 steps of Y and 224 steps of U and V correspond to 255 steps of RGB. */
static const struct yuv_factors yuv_factors[2][3] = {
    {{76309, 104597, -25675, -53279, 132201},
     {76309, 117489, -13975, -34925, 138438},
     {76309, 110014, -12277, -42626, 140363}},
    {{65536, 91881, -22553, -46802, 116130},
     {65536, 103206, -12276, -30679, 121609},
     {65536, 96639, -10784, -37444, 123299}},
};

static uint32_t from_yuv(const struct yuv_factors *f, int32_t base, int32_t y, int32_t u, int32_t v)
{
    int32_t light = (y - base) * f->y + 0x8000;
    u -= 128;
    v -= 128;
    return pixel(clamp_byte((light + v * f->red_v) >> 16),
                 clamp_byte((light + u * f->green_u + v * f->green_v) >> 16),
                 clamp_byte((light + u * f->blue_u) >> 16), 255);
}

static void read_yuv(uint32_t *row, uint8_t *bytes, const struct scanout_plane *plane, uint32_t y)
{
    const struct scanout_image *image = &plane->image;
    const struct scanout_format *format = image->format;
    const struct yuv_factors *factors = &yuv_factors[plane->full_range][plane->encoding];
    bool pairs = format->parts == 2,
         v_first = format->order == ORDER_YVU || format->order == ORDER_Y_VU;
    uint32_t samples = (image->width + format->across - 1) / format->across;
    uint8_t *first = bytes + image->width, *second = pairs ? first + 1 : first + samples;
    unsigned step = pairs ? 2 : 1;
    copy(bytes, image, 0, (uint64_t)y * image->parts[0].pitch, image->width);
    for (unsigned i = 1; i < format->parts; i++)
        copy(bytes + image->width + (i - 1) * samples, image, i,
             (uint64_t)(y / format->down) * image->parts[i].pitch, samples * format->bytes[i]);
    const uint8_t *u = v_first ? second : first, *v = v_first ? first : second;
    for (uint32_t x = 0; x < image->width; x++) {
        uint32_t at = x / format->across * step;
        row[x] = from_yuv(factors, plane->full_range ? 0 : 16, bytes[x], u[at], v[at]);
    }
}

static void read_rgb(uint32_t *row, uint8_t *bytes, const struct scanout_image *image, uint32_t y)
{
    static void (*const readers[])(uint32_t *, const uint8_t *, uint32_t) = {
        [ORDER_ARGB8888] = read_32, [ORDER_ABGR8888] = read_32,   [ORDER_RGB565] = read_565,
        [ORDER_BGR565] = read_565,  [ORDER_ARGB1555] = read_1555, [ORDER_RGB888] = read_24,
        [ORDER_BGR888] = read_24,
    };
    unsigned order = image->format->order;
    uint32_t count = image->width * image->format->bytes[0];
    if (image->tiled)
        read_tiled(bytes, image, y, count);
    else
        copy(bytes, image, 0, (uint64_t)y * image->parts[0].pitch, count);
    readers[order](row, bytes, image->width);
    if (order == ORDER_ABGR8888 || order == ORDER_BGR565 || order == ORDER_BGR888)
        swap_red_and_blue(row, image->width);
}

/* Reads a row of the image as 0xAARRGGBB. Alpha is 255 if the format has no alpha channel. `bytes`
 * is a buffer that can contain a row of any format. */
static void read_row(uint32_t *row, uint8_t *bytes, const struct scanout_plane *plane, uint32_t y)
{
    const struct scanout_image *image = &plane->image;
    if (image->format->order >= ORDER_YUV) {
        read_yuv(row, bytes, plane, y);
        return;
    }
    read_rgb(row, bytes, image, y);
    for (uint32_t x = 0; !image->format->alpha && x < image->width; x++)
        row[x] |= 0xff000000u;
}

/* --- scaling --- */

/* Filter for one pixel of the screen along one axis. weights[i] is the weight of image pixel first
 * + i. The weights add up to ONE. */
enum { ONE = 1 << 14, MOST_TAPS = 64 };

struct taps {
    uint32_t first, count;
    uint16_t weights[MOST_TAPS];
};

struct axis {
    /* first pixel of the image that the source covers, and first pixel after the source */
    uint32_t start, end;
    uint32_t source, length; /* start and length of the source in pixels, 16.16 */
    uint32_t pixels;         /* length of the plane on the screen, in pixels */
    bool mirror;
};

static bool is_unity(const struct axis *axis)
{
    return axis->length == (uint64_t)axis->pixels << 16 && !(axis->source & 0xffff);
}

static uint32_t within(int64_t at, uint32_t start, uint32_t end)
{
    return at < start ? start : at >= end ? end - 1 : (uint32_t)at;
}

/* Returns the image pixel for a pixel of the plane if there is no scaling. */
static uint32_t plain(const struct axis *axis, uint32_t at)
{
    uint32_t offset = axis->mirror ? axis->pixels - 1 - at : at;
    return within((int64_t)axis->start + offset, axis->start, axis->end);
}

/* Rounds the weights. Adds the sum of the rounding errors to the largest weight. */
static void settle(struct taps *taps, const double *weights, double sum)
{
    int32_t left = ONE;
    uint32_t heaviest = 0;
    for (uint32_t i = 0; i < taps->count; i++) {
        taps->weights[i] = (uint16_t)(weights[i] / sum * ONE + 0.5);
        left -= taps->weights[i];
        if (weights[i] > weights[heaviest])
            heaviest = i;
    }
    taps->weights[heaviest] = (uint16_t)(taps->weights[heaviest] + left);
}

/* Returns the largest integer that is not above value. `value` must be above -MOST_TAPS. */
static int64_t floor_of(double value)
{
    return (int64_t)(value + MOST_TAPS) - MOST_TAPS;
}

static void find_taps(struct taps *taps, const struct axis *axis, uint32_t at)
{
    double scale = axis->length / 65536.0 / axis->pixels, reach = scale > 1 ? scale : 1;
    double weights[MOST_TAPS] = {0}, sum = 0;
    reach = reach > MOST_TAPS / 2 - 1 ? MOST_TAPS / 2 - 1 : reach;
    uint32_t offset = axis->mirror ? axis->pixels - 1 - at : at;
    double centre = axis->source / 65536.0 + (offset + 0.5) * scale - 0.5;
    int64_t from = floor_of(centre - reach) + 1, to = floor_of(centre + reach);
    taps->first = within(from, axis->start, axis->end);
    taps->count = within(to, axis->start, axis->end) - taps->first + 1;
    for (int64_t i = from; i <= to; i++) {
        double away = centre > (double)i ? centre - (double)i : (double)i - centre;
        weights[within(i, axis->start, axis->end) - taps->first] += reach - away;
        sum += reach - away;
    }
    settle(taps, weights, sum);
}

struct sum {
    uint32_t channels[4];
};

static void add(struct sum *sum, uint32_t value, uint32_t weight)
{
    for (unsigned i = 0; i < 4; i++)
        sum->channels[i] += (value >> 8 * i & 0xff) * weight;
}

static uint32_t total(const struct sum *sum)
{
    uint32_t value = 0;
    for (unsigned i = 0; i < 4; i++)
        value |= ((sum->channels[i] + ONE / 2) / ONE) << 8 * i;
    return value;
}

/* --- a plane --- */

struct layer {
    const struct scanout_plane *plane;
    struct axis across, down;
    bool unity_across;
    /* filters for the visible pixels, or NULL if there is no horizontal scaling */
    struct taps *columns;
    uint32_t left, right; /* visible pixels of the plane along a row: left to right - 1 */
    uint32_t *row;        /* a row of the image */
    uint8_t *bytes;
    uint32_t *scaled; /* a scaled row of the plane, starting at pixel `left` */
    struct sum *sums; /* sums for vertical scaling of a row of the plane */
};

static bool set_axis(struct axis *axis, uint32_t source, uint32_t length, uint32_t limit,
                     uint32_t pixels, bool mirror)
{
    uint64_t end = ((uint64_t)source + length + 0xffff) >> 16;
    *axis = (struct axis){.start = source >> 16,
                          .end = end < limit ? (uint32_t)end : limit,
                          .source = source,
                          .length = length,
                          .pixels = pixels,
                          .mirror = mirror};
    return axis->start < axis->end && pixels;
}

/* Computes the visible pixels of a plane along one axis: *first to *last - 1. `at` is the screen
 * coordinate at which the plane begins. */
static void clip(int32_t at, uint32_t pixels, uint32_t screen, uint32_t *first, uint32_t *last)
{
    int64_t end = (int64_t)screen - at;
    *first = at < 0 ? (uint32_t) - (int64_t)at : 0;
    *last = end < 0 ? 0 : end < pixels ? (uint32_t)end : pixels;
}

static void layer_end(struct layer *layer)
{
    free(layer->columns);
    free(layer->row);
    free(layer->bytes);
    free(layer->scaled);
    free(layer->sums);
}

/* Allocates buffers. Returns false if there is no memory. */
static bool layer_begin(struct layer *layer)
{
    const struct scanout_image *image = &layer->plane->image;
    uint32_t count = layer->right - layer->left;
    layer->row = malloc((size_t)image->width * sizeof *layer->row);
    layer->bytes = malloc((size_t)image->width * 4 + 4); /* largest row (4:4:4) */
    layer->scaled = malloc(count * sizeof *layer->scaled);
    layer->sums = malloc(count * sizeof *layer->sums);
    layer->columns = is_unity(&layer->across) ? NULL : malloc(count * sizeof *layer->columns);
    if (!layer->row || !layer->bytes || !layer->scaled || !layer->sums ||
        (!layer->columns && !is_unity(&layer->across))) {
        layer_end(layer);
        return false;
    }
    for (uint32_t i = 0; layer->columns && i < count; i++)
        find_taps(&layer->columns[i], &layer->across, layer->left + i);
    return true;
}

/* Reads a row of the image and scales it horizontally into layer->scaled. */
static void scale_across(struct layer *layer, uint32_t y)
{
    uint32_t count = layer->right - layer->left;
    read_row(layer->row, layer->bytes, layer->plane, y);
    for (uint32_t i = 0; i < count && !layer->columns; i++)
        layer->scaled[i] = layer->row[plain(&layer->across, layer->left + i)];
    for (uint32_t i = 0; i < count && layer->columns; i++) {
        const struct taps *taps = &layer->columns[i];
        struct sum sum = {{0}};
        for (uint32_t j = 0; j < taps->count; j++)
            add(&sum, layer->row[taps->first + j], taps->weights[j]);
        layer->scaled[i] = total(&sum);
    }
}

/* Computes a row of the plane into layer->scaled. */
static void scale_down(struct layer *layer, uint32_t y)
{
    uint32_t count = layer->right - layer->left;
    struct taps taps;
    if (is_unity(&layer->down)) {
        scale_across(layer, plain(&layer->down, y));
        return;
    }
    find_taps(&taps, &layer->down, y);
    memset(layer->sums, 0, count * sizeof *layer->sums);
    for (uint32_t j = 0; j < taps.count; j++) {
        scale_across(layer, taps.first + j);
        for (uint32_t i = 0; i < count; i++)
            add(&layer->sums[i], layer->scaled[i], taps.weights[j]);
    }
    for (uint32_t i = 0; i < count; i++)
        layer->scaled[i] = total(&layer->sums[i]);
}

/* --- blending --- */

static uint32_t times(uint32_t a, uint32_t b)
{
    return (a * b + 127) / 255;
}

static uint32_t blend_pixel(uint32_t under, uint32_t over, uint32_t alpha, enum scanout_blend mode)
{
    uint32_t opacity = mode == SCANOUT_OPAQUE ? alpha : times(over >> 24, alpha);
    uint32_t factor = mode == SCANOUT_COVERAGE ? opacity : alpha, result = 0;
    for (unsigned shift = 0; shift < 24; shift += 8) {
        uint32_t value = times(over >> shift & 0xff, factor) +
                         times(under >> shift & 0xff, 255 - opacity);
        result |= (value > 255 ? 255 : value) << shift;
    }
    return result;
}

static void blend_row(uint32_t *under, const struct layer *layer)
{
    const struct scanout_plane *plane = layer->plane;
    uint32_t count = layer->right - layer->left;
    bool opaque = plane->alpha == 255 &&
                  (plane->blend == SCANOUT_OPAQUE || !plane->image.format->alpha);
    for (uint32_t i = 0; i < count; i++)
        under[i] = opaque ? layer->scaled[i] & 0xffffff
                          : blend_pixel(under[i], layer->scaled[i], plane->alpha, plane->blend);
}

static bool compose_plane(uint32_t *pixels, uint32_t width, uint32_t height,
                          const struct scanout_plane *plane)
{
    struct layer layer = {.plane = plane};
    uint32_t top, bottom;
    clip(plane->x, plane->width, width, &layer.left, &layer.right);
    clip(plane->y, plane->height, height, &top, &bottom);
    if (layer.left >= layer.right || top >= bottom ||
        !set_axis(&layer.across, plane->source_x, plane->source_width, plane->image.width,
                  plane->width, plane->mirror_x) ||
        !set_axis(&layer.down, plane->source_y, plane->source_height, plane->image.height,
                  plane->height, plane->mirror_y))
        return true;
    if (!layer_begin(&layer))
        return false;
    for (uint32_t y = top; y < bottom; y++) {
        size_t row = (size_t)((int64_t)plane->y + y),
               column = (size_t)((int64_t)plane->x + layer.left);
        scale_down(&layer, y);
        blend_row(pixels + row * width + column, &layer);
    }
    layer_end(&layer);
    return true;
}

bool scanout_compose(uint32_t *pixels, uint32_t width, uint32_t height,
                     const struct scanout_plane *planes, size_t count)
{
    memset(pixels, 0, (size_t)width * height * sizeof *pixels);
    for (size_t i = 0; i < count; i++)
        if (!compose_plane(pixels, width, height, &planes[i]))
            return false;
    return true;
}

/* --- colour corrections --- */

static uint32_t apply_matrix(uint32_t value, const int32_t matrix[9])
{
    int64_t channels[3] = {value >> 16 & 0xff, value >> 8 & 0xff, value & 0xff};
    uint32_t result = 0;
    for (unsigned i = 0; i < 3; i++) {
        int64_t sum = 0x8000;
        for (unsigned j = 0; j < 3; j++)
            sum += channels[j] * matrix[3 * i + j];
        sum >>= 16;
        result = result << 8 | (sum < 0 ? 0 : sum > 255 ? 255 : (uint32_t)sum);
    }
    return result;
}

void scanout_correct(uint32_t *pixels, size_t count, const struct scanout_colour *colour)
{
    for (size_t i = 0; i < count && colour->has_matrix; i++)
        pixels[i] = apply_matrix(pixels[i], colour->matrix);
    for (size_t i = 0; i < count && colour->has_curve; i++)
        pixels[i] = (uint32_t)colour->curve[0][pixels[i] >> 16 & 0xff] << 16 |
                    (uint32_t)colour->curve[1][pixels[i] >> 8 & 0xff] << 8 |
                    colour->curve[2][pixels[i] & 0xff];
}
