/* SPDX-License-Identifier: MIT */
/* texture_random.c - compares random textures, filters and coordinates with a simple
 * implementation in float64 (see texture_rig.h). */
#include "../../random.h"
#include "../../register.h"
#include "texture_rig.h"

/* Returns the index of the texel that a clamp mode selects, or -1 for the border. */
static int plain_clamp(uint32_t clamp, int at, int size)
{
    int once = at < 0 ? -1 - at : at;
    int turns = (at % (2 * size) + 2 * size) % (2 * size);
    switch (clamp) {
    case WRAP: return (at % size + size) % size;
    case MIRROR: return turns < size ? turns : 2 * size - 1 - turns;
    case LAST: return at < 0 ? 0 : at < size ? at : size - 1;
    case MIRROR_LAST: return once < size ? once : size - 1;
    case BORDER: return at >= 0 && at < size ? at : -1;
    default: return once < size ? once : -1;
    }
}

static double plain_texel(uint32_t level, int x, int y)
{
    int width = (int)(texture.width >> level), height = (int)(texture.height >> level);
    x = plain_clamp(texture.clamp[0], x, width > 0 ? width : 1);
    y = plain_clamp(texture.clamp[1], y, height > 0 ? height : 1);
    return x < 0 || y < 0 ? 0 : *texel(level, (uint32_t)x, (uint32_t)y, 0);
}

static double plain_sample(uint32_t level, double s, double t)
{
    double width = texture.width >> level ? texture.width >> level : 1;
    double height = texture.height >> level ? texture.height >> level : 1;
    double x = s * width - 0.5, y = t * height - 0.5, right = x - floor(x), below = y - floor(y);
    int left = (int)floor(x), top = (int)floor(y);
    return (plain_texel(level, left, top) * (1 - right) +
            plain_texel(level, left + 1, top) * right) *
               (1 - below) +
           (plain_texel(level, left, top + 1) * (1 - right) +
            plain_texel(level, left + 1, top + 1) * right) *
               below;
}

static uint32_t below(uint32_t *random, uint32_t limit)
{
    return next_random(random) % limit;
}

/* Fills all levels with random bytes, and sets random coordinates and random levels of the
 * lanes. */
static void set_random(uint32_t *random, uint32_t most)
{
    texture.levels = most + 1;
    texture.mag = texture.min = texture.mip = 1;
    for (unsigned i = 0; i < RIG_BYTES; i++)
        rig.bytes[i] = (uint8_t)below(random, 256);
    for (unsigned i = 0; i < A2XX_LANES; i++) {
        rig.state.lod[i] = (float)below(random, 100 * (most + 1)) / 100;
        place(i, (float)below(random, 5000) / 1000 - 2, (float)below(random, 5000) / 1000 - 2, 0);
    }
    insn.use_reg_lod = 1;
}

/* Three weights are rounded to 8 bits: the weights in s, in t, and between levels. Each changes
 * the result by at most 255 / 512, because values are at most 255. */
TEST(test_random)
{
    static const uint32_t clamps[] = {WRAP, MIRROR, LAST, MIRROR_LAST, BORDER, MIRROR_BORDER};
    uint32_t random = 1;
    for (unsigned round = 0; round < 72; round++) {
        start(FMT_8, D2, 1 + below(&random, 70), 1 + below(&random, 40));
        uint32_t size = texture.width > texture.height ? texture.width : texture.height;
        uint32_t most = 31 - (uint32_t)__builtin_clz(size);
        texture.tiled = round & 1;
        texture.clamp[0] = clamps[round % 6];
        texture.clamp[1] = clamps[round / 6 % 6];
        set_random(&random, most);
        fetch(false);
        for (unsigned i = 0; i < A2XX_LANES; i++) {
            uint32_t level = (uint32_t)rig.state.lod[i] < most ? (uint32_t)rig.state.lod[i] : most;
            double part = level < most ? (double)rig.state.lod[i] - level : 0;
            double s = (double)rig.coords[0][i], t = (double)rig.coords[1][i];
            double wanted = plain_sample(level, s, t) * (1 - part);
            wanted += part > 0 ? plain_sample(level + 1, s, t) * part : 0;
            if (!(fabs(wanted - (double)rig.data[0][i]) <= 3 * 255 / 512.0))
                fail_msg("round %u, lane %u: %.9g, not %.9g", round, i, (double)rig.data[0][i],
                         wanted);
        }
        rig_faults(&rig, NO_FAULT, 0);
        rig_stop(&rig);
    }
}
