/* SPDX-License-Identifier: MIT */
/* texture.c - finds the texels at a coordinate. */
#include <math.h>

#include "reference.h"

unsigned nearest_texels(double u, int size, int out[2])
{
    /* If a coordinate lies on a border, the next texel is selected. But the float64 value may be
     * slightly too small, so nearby coordinates are tried. */
    static const double offsets[] = {1e-6, -1e-3, 1e-3};
    unsigned count = 0;
    for (int i = 0; i < 3; i++) {
        int at = (int)floor(u + offsets[i]);
        at = at < 0 ? 0 : at >= size ? size - 1 : at;
        if (count == 0 || (count == 1 && out[0] != at))
            out[count++] = at;
    }
    return count;
}

struct colour mix(struct colour a, struct colour b, double share)
{
    return (struct colour){a.r + share * (b.r - a.r), a.g + share * (b.g - a.g),
                           a.b + share * (b.b - a.b), a.a + share * (b.a - a.a)};
}

/* The centres of texels have coordinates that end in 1/2. */
struct colour linear_texel(double u, double v, texel_function *texel, const void *user)
{
    int x = (int)floor(u - 0.5), y = (int)floor(v - 0.5);
    double across = u - 0.5 - x, down = v - 0.5 - y;
    return mix(mix(texel(user, x, y), texel(user, x + 1, y), across),
               mix(texel(user, x, y + 1), texel(user, x + 1, y + 1), across), down);
}
