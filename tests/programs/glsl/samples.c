/* SPDX-License-Identifier: MIT */
/* samples.c - references of the fragment shaders that use the textures of texels.h, by the
 * OpenGL ES 2.0 specification, sections 3.7.5 (faces of cubes), 3.7.6 (wraps) and 3.7.7 (filters
 * and levels). Coordinates are chosen so that rounding cannot change which texel is sampled, and
 * that filter weights have few bits. For a cube, the quotient of two odd sixteenths is at least
 * a fifteenth of a texel away from the texel's edge. */
#include <string.h>

#include "glsl.h"
#include "texels.h"

#define UV     (in->attribute[0])
#define COLOUR (out->v[0])

/* Returns the index of a texel after the sampler's wrap mode is applied. */
static unsigned wrap(const char *sampler, int texel, int size)
{
    if (texels_are(sampler, "clamp"))
        return (unsigned)(texel < 0 ? 0 : texel >= size ? size - 1 : texel);
    int period = texels_are(sampler, "mirror") ? 2 * size : size;
    int at = (texel % period + period) % period;
    return (unsigned)(at < size ? at : 2 * size - 1 - at);
}

static int rows_of(unsigned level)
{
    return TEXELS_HEIGHT >> level ? TEXELS_HEIGHT >> level : 1;
}

static void texel(const char *sampler, int x, int y, unsigned level, double colour[4])
{
    uint8_t bytes[4];
    texel_bytes(wrap(sampler, x, TEXELS_WIDTH >> level), wrap(sampler, y, rows_of(level)), level, 0,
                bytes);
    texel_colour(sampler, bytes, colour);
}

/* Computes texture2D() for one level. */
static void sample_level(const char *sampler, double s, double t, unsigned level, double colour[4])
{
    double x = s * (TEXELS_WIDTH >> level), y = t * rows_of(level);
    if (!texels_are(sampler, "linear")) {
        texel(sampler, (int)floor(x), (int)floor(y), level, colour);
        return;
    }
    double left = floor(x - 0.5), above = floor(y - 0.5), right = x - 0.5 - left,
           below = y - 0.5 - above;
    memset(colour, 0, 4 * sizeof *colour);
    for (int n = 0; n < 4; n++) {
        double one[4], weight = (n & 1 ? right : 1 - right) * (n & 2 ? below : 1 - below);
        texel(sampler, (int)left + (n & 1), (int)above + (n >> 1), level, one);
        for (int c = 0; c < 4; c++)
            colour[c] += weight * one[c];
    }
}

static void sample(const char *sampler, double s, double t, double colour[4])
{
    sample_level(sampler, s, t, 0, colour);
}

static void sample_cube(const char *sampler, const double way[3], double colour[4])
{
    double x = way[0], y = way[1], z = way[2], ax = fabs(x), ay = fabs(y), az = fabs(z);
    double major, s, t;
    unsigned face;
    if (az >= ax && az >= ay) {
        major = az, s = z < 0 ? -x : x, t = -y, face = z < 0 ? 5 : 4;
    } else if (ay >= ax) {
        major = ay, s = x, t = y < 0 ? -z : z, face = y < 0 ? 3 : 2;
    } else {
        major = ax, s = x < 0 ? z : -z, t = -y, face = x < 0 ? 1 : 0;
    }
    uint8_t bytes[4];
    double column = floor((s / major + 1) / 2 * TEXELS_CUBE),
           row = floor((t / major + 1) / 2 * TEXELS_CUBE);
    texel_bytes((unsigned)fmin(column, TEXELS_CUBE - 1), (unsigned)fmin(row, TEXELS_CUBE - 1), 0,
                face, bytes);
    texel_colour(sampler, bytes, colour);
}

/* Samples the level at which texels are as far apart as fragments, or a level that is smaller by
 * `further` levels. The smallest level is the last. */
static void sample_fitting(const char *sampler, const struct glsl_values *in, unsigned further,
                           double colour[4])
{
    unsigned level = in->level + further, last = 0;
    while (TEXELS_WIDTH >> (last + 1))
        last++;
    sample_level(sampler, UV[0], UV[1], level < last ? level : last, colour);
}

#define SAMPLE(name, sampler)                  \
    REFERENCE(name)                            \
    {                                          \
        sample(sampler, UV[0], UV[1], COLOUR); \
    }

SAMPLE(sample_nearest, "nearest")
SAMPLE(sample_linear, "linear")
SAMPLE(sample_clamp, "nearest_clamp")
SAMPLE(sample_mirror, "nearest_mirror")
SAMPLE(sample_linear_clamp, "linear_clamp")
SAMPLE(sample_linear_mirror, "linear_mirror")
SAMPLE(sample_565, "nearest_565")
SAMPLE(sample_4444, "nearest_4444")
SAMPLE(sample_5551, "nearest_5551")
SAMPLE(sample_luminance, "nearest_luminance")
SAMPLE(sample_alpha, "nearest_alpha")

REFERENCE(sample_mip)
{
    sample_fitting("nearest_mip", in, 0, COLOUR);
}

REFERENCE(sample_bias)
{
    sample_fitting("nearest_mip", in, 1, COLOUR);
}

REFERENCE(sample_two)
{
    double one[4], two[4];
    sample("nearest_one", UV[0], UV[1], one);
    sample("linear_two", UV[1], UV[0], two);
    for (int c = 0; c < 4; c++)
        COLOUR[c] = one[c] * two[c];
}

REFERENCE(sample_dependent)
{
    double where[4];
    sample("nearest_where", UV[0], UV[1], where);
    sample("nearest_what", where[0], where[1], COLOUR);
}

REFERENCE(sample_projected)
{
    sample("nearest", UV[0] / UV[2], UV[1] / UV[2], COLOUR);
}

REFERENCE(sample_cube)
{
    sample_cube("cube_nearest", UV, COLOUR);
}

REFERENCE(sample_discard)
{
    sample("nearest", UV[0], UV[1], COLOUR);
    out->discarded = COLOUR[3] < in->uniform[0][0];
}

REFERENCE(sample_tint)
{
    static const int bgra[] = {2, 1, 0, 3};
    double t[4];
    sample("nearest", UV[0], UV[1], t);
    for (int c = 0; c < 4; c++)
        COLOUR[c] = t[bgra[c]] * in->uniform[0][c];
}

REFERENCE(sample_blur)
{
    for (int y = -1; y <= 1; y++)
        for (int x = -1; x <= 1; x++) {
            double t[4];
            sample("nearest", UV[0] + x * 0.0625, UV[1] + y * 0.125, t);
            for (int c = 0; c < 4; c++)
                COLOUR[c] += t[c] / 8;
        }
}

REFERENCE(sample_loop)
{
    for (double i = 0; i < in->uniform[0][0]; i++) {
        double t[4];
        sample("nearest", UV[0] + i * 0.0625, UV[1], t);
        for (int c = 0; c < 4; c++)
            COLOUR[c] += t[c];
    }
}

REFERENCE(sample_bump)
{
    double t[4], n[3];
    sample("nearest", UV[0], UV[1], t);
    for (int c = 0; c < 3; c++)
        t[c] = t[c] * 2 - 1.0625;
    glsl_normalize(3, t, n);
    for (int c = 0; c < 3; c++)
        COLOUR[c] = fmax(glsl_dot(3, n, in->uniform[0]), 0);
    COLOUR[3] = 1;
}

REFERENCE(sample_or_not)
{
    if (in->attribute[1][0] > 0)
        sample("nearest", UV[0], UV[1], COLOUR);
    else
        memcpy(COLOUR, in->attribute[1], sizeof COLOUR);
}

/* clang-format off */
/* Coordinates at centres of 64ths of a texel. Filter weights then have few bits, and no
 * coordinate is on a texel's edge. */
#define PLACE(name) STEPS(name, -2 + 1.0 / 2048, 2 - 1.0 / 2048, 1.0 / 1024)
/* Like PLACE, but at least an eighth of a texel away from edges, because smaller levels have
 * fewer texels. */
#define FAR_PLACE(name) STEPS(name, -2 + 1.0 / 128, 2 - 1.0 / 128, 1.0 / 64)

const struct glsl_shader glsl_samples[] = {
    {"sample_nearest", sample_nearest_, {PLACE("uv")}, {{0}}, {{0}}, 1e-7},
    {"sample_linear", sample_linear_, {PLACE("uv")}, {{0}}, {{0}}, 3e-7},
    {"sample_clamp", sample_clamp_, {PLACE("uv")}, {{0}}, {{0}}, 1e-7},
    {"sample_mirror", sample_mirror_, {PLACE("uv")}, {{0}}, {{0}}, 1e-7},
    {"sample_linear_clamp", sample_linear_clamp_, {PLACE("uv")}, {{0}}, {{0}}, 3e-7},
    {"sample_linear_mirror", sample_linear_mirror_, {PLACE("uv")}, {{0}}, {{0}}, 3e-7},
    {"sample_two", sample_two_, {PLACE("uv")}, {{0}}, {{0}}, 3e-7},
    {"sample_dependent", sample_dependent_, {PLACE("uv")}, {{0}}, {{0}}, 1e-7},
    {"sample_projected", sample_projected_, {STEPS("uvw", 0.4375, 1.5625, 0.125)}, {{0}}, {{0}},
     1e-7},
    {"sample_565", sample_565_, {PLACE("uv")}, {{0}}, {{0}}, 1e-7},
    {"sample_4444", sample_4444_, {PLACE("uv")}, {{0}}, {{0}}, 1e-7},
    {"sample_5551", sample_5551_, {PLACE("uv")}, {{0}}, {{0}}, 1e-7},
    {"sample_luminance", sample_luminance_, {PLACE("uv")}, {{0}}, {{0}}, 1e-7},
    {"sample_alpha", sample_alpha_, {PLACE("uv")}, {{0}}, {{0}}, 1e-7},
    {"sample_cube", sample_cube_, {STEPS("way", -0.9375, 0.9375, 0.125)}, {{0}}, {{0}}, 1e-7},
    {"sample_mip", sample_mip_, {FAR_PLACE("uv")}, {{0}}, {{0}}, 1e-7},
    {"sample_bias", sample_bias_, {FAR_PLACE("uv")}, {{0}}, {{0}}, 1e-7},
    {"sample_discard", sample_discard_, {PLACE("uv")}, {IN("limit", 0.5, 1)}, {{0}}, 1e-7},
    {"sample_tint", sample_tint_, {PLACE("uv")}, {IN("k", 0, 1)}, {{0}}, 2e-7},
    {"sample_blur", sample_blur_, {PLACE("uv")}, {{0}}, {{0}}, 5e-7},
    {"sample_loop", sample_loop_, {PLACE("uv")}, {STEPS("n", 0, 6, 1)}, {{0}}, 5e-7},
    {"sample_bump", sample_bump_, {PLACE("uv")}, {IN("light", -1, 1)}, {{0}}, 2e-6},
    {"sample_or_not", sample_or_not_, {PLACE("uv"), IN("a", -1, 1)}, {{0}}, {{0}}, 1e-7},
    {0},
};
