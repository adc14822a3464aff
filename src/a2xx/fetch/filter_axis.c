/* SPDX-License-Identifier: MIT */
/* filter_axis.c - computes texels and weights from a coordinate: see texture.h.
 *
 * Coordinates are rounded to 1/256 of a texel, halves up. The weights are computed from the rounded
 * coordinate. Outside of the texture, the clamp mode selects the texel.
 * Source:  docs/hardware/a2xx.md, sections 16 and 27. The clamp modes have the meaning of the
 *          OpenGL wrap modes that Mesa 22.3.6, fd2_texture.c, maps to them. */
#include "a2xx/fetch/texture.h"

enum {
    PARTS = 256,     /* number of steps in a texel */
    SMALL = 1 << 30, /* limit of parts for arithmetic in 32 bits */
};

/* Converts a coordinate from texels to parts. Very large coordinates are limited to a value that is
 * outside of every texture. */
static int64_t to_parts(double at)
{
    double far = 0x1p40, parts = at * PARTS + 0.5;
    if (!(parts > -far))
        return -(INT64_C(1) << 40);
    if (parts > far)
        return INT64_C(1) << 40;
    int64_t whole = (int64_t)parts;
    return whole - (parts < (double)whole);
}

/* Applies the clamp modes that change the coordinate and not the texel. */
static int64_t move_parts(enum a2xx_clamp clamp, int64_t parts, int64_t size)
{
    if (clamp != A2XX_HALF_BORDER && clamp != A2XX_MIRROR_HALF_BORDER)
        return parts;
    if (parts < 0)
        parts = clamp == A2XX_HALF_BORDER ? 0 : -parts;
    return parts < size * PARTS ? parts : size * PARTS;
}

/* Returns the texel that replaces a texel outside of the texture, or -1 for the border colour. */
static int64_t clamped(enum a2xx_clamp clamp, int64_t texel, int64_t size, bool linear)
{
    int64_t mirrored = texel < 0 ? -1 - texel : texel, last = mirrored < size ? mirrored : size - 1;
    switch (clamp) {
    case A2XX_WRAP: texel %= size; return texel < 0 ? texel + size : texel;
    case A2XX_MIRROR:
        mirrored %= 2 * size;
        return mirrored < size ? mirrored : 2 * size - 1 - mirrored;
    case A2XX_LAST: return texel < 0 ? 0 : size - 1;
    case A2XX_MIRROR_LAST: return last;
    case A2XX_HALF_BORDER: return linear ? -1 : last;
    case A2XX_MIRROR_HALF_BORDER: return linear && mirrored >= size ? -1 : last;
    case A2XX_BORDER: return -1;
    case A2XX_MIRROR_BORDER: return mirrored < size ? mirrored : -1;
    }
    return -1;
}

static uint32_t size_of(const struct a2xx_sampler *sampler, unsigned axis, unsigned number)
{
    const struct a2xx_level *level = &sampler->layout.level[number];
    if (axis == 2 && sampler->layout.dimension != A2XX_3D)
        return sampler->layout.layers;
    return axis == 0 ? level->width : axis == 1 ? level->height : level->depth;
}

/* Converts coordinates to parts in 32 bits. Compilers vectorise the loop. Returns false if a
 * coordinate is too large. */
static bool small_parts(const double texels[A2XX_LANES], int32_t parts[A2XX_LANES])
{
    int32_t outside = 0;
    for (unsigned lane = 0; lane < A2XX_LANES; lane++) {
        double value = texels[lane] * PARTS + 0.5;
        bool fits = value > -(double)SMALL && value < (double)SMALL;
        double limited = fits ? value : 0;
        int32_t whole = (int32_t)limited;
        parts[lane] = whole - (limited < (double)whole);
        outside |= !fits;
    }
    return !outside;
}

/* Sets both texels and the weight of a lane. */
static void set_lane(enum a2xx_clamp clamp, int64_t parts, int64_t size, bool blend, unsigned lane,
                     struct a2xx_axis *result)
{
    parts = move_parts(clamp, parts, size) - (blend ? PARTS / 2 : 0);
    int64_t texel = parts >> 8, next = texel + 1;
    result->weight[lane] = blend ? (float)(parts & (PARTS - 1)) / PARTS : 0;
    result->two |= result->weight[lane] != 0;
    result->texel[0][lane] =
        (int32_t)(texel >= 0 && texel < size ? texel : clamped(clamp, texel, size, blend));
    result->texel[1][lane] =
        (int32_t)(next >= 0 && next < size ? next : clamped(clamp, next, size, blend));
}

/* Sets the texels and weights of all lanes as if no lane's texels were outside of the texture.
 * Compilers vectorise the loop. Sets outside[lane] to nonzero if a texel of the lane is outside.
 * Returns false if no lane has such a texel. back[lane] is half a texel in parts if the lane has a
 * linear filter, otherwise 0. */
static bool set_inner(const int32_t parts[A2XX_LANES], const int32_t sizes[A2XX_LANES],
                      const int32_t back[A2XX_LANES], int32_t outside[A2XX_LANES],
                      struct a2xx_axis *result)
{
    int32_t any = 0, two = 0;
    for (unsigned lane = 0; lane < A2XX_LANES; lane++) {
        int32_t moved = parts[lane] - back[lane], texel = moved >> 8;
        int32_t part = moved & (2 * back[lane] - (back[lane] != 0));
        result->weight[lane] = (float)part / PARTS;
        result->texel[0][lane] = texel;
        result->texel[1][lane] = texel + 1;
        outside[lane] = (texel | (sizes[lane] - 2 - texel)) >> 31;
        two |= part & ~outside[lane];
        any |= outside[lane];
    }
    result->two = two != 0;
    return any;
}

void a2xx_filter_axis(const struct a2xx_sampler *sampler, unsigned axis,
                      const double at[A2XX_LANES], const uint8_t level[A2XX_LANES],
                      const struct a2xx_choice *choice, struct a2xx_axis *result)
{
    enum a2xx_clamp clamp = sampler->clamp[axis];
    const bool *linear = axis == 2 ? sampler->layers_linear : sampler->linear;
    double base = size_of(sampler, axis, 0), offset = (double)sampler->offset[axis];
    int32_t size[A2XX_LEVELS], sizes[A2XX_LANES], back[A2XX_LANES], parts[A2XX_LANES];
    int32_t outside[A2XX_LANES];
    double scale[A2XX_LEVELS], texels[A2XX_LANES];
    for (unsigned i = 0; i <= sampler->layout.last; i++) {
        size[i] = (int32_t)size_of(sampler, axis, i);
        scale[i] = (double)size[i] / base;
    }
    for (unsigned lane = 0; lane < A2XX_LANES; lane++) {
        sizes[lane] = size[level[lane]];
        back[lane] = linear[choice->minified[lane]] ? PARTS / 2 : 0;
        texels[lane] = at[lane] * scale[level[lane]] + offset;
    }
    result->two = false;
    bool small = small_parts(texels, parts);
    if (small && !set_inner(parts, sizes, back, outside, result))
        return;
    for (unsigned lane = 0; lane < A2XX_LANES; lane++)
        if (!small || outside[lane])
            set_lane(clamp, to_parts(texels[lane]), sizes[lane], back[lane], lane, result);
}
