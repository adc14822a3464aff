/* SPDX-License-Identifier: MIT */
/* texture.c - texels at a coordinate. */
#include <math.h>

#include "reference.h"

unsigned nearest_texels(double u, int size, int out[2])
{
    /* On a border it is the one behind, but float64 may be a bit too small. */
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
