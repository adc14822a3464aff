/* SPDX-License-Identifier: MIT */
/* Tests of the kernels of the VRI. Expected values are computed pixel by pixel from the equation of
 * manual section 6. */
#include "vc4/raster/vri_kernels.h"
#include "../../register.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <string.h>

#include "../../random.h"
#include "vc4/raster/vri.h"

enum { ROUNDS = 20000, VARYINGS = 5 };

/* Numbers of all sizes, and borders of floats and doubles. */
static double number(uint32_t *seed)
{
    static const double border[] = {0,
                                    -0.0,
                                    1,
                                    -1,
                                    1e300,
                                    -1e300,
                                    INFINITY,
                                    -INFINITY,
                                    NAN,
                                    0x1p-149,
                                    0x1p-150,
                                    0x1.ffffffp127,
                                    5e-324,
                                    0x1p-126,
                                    0x1.000001p0,
                                    -0x1.000003p0};
    uint32_t choice = next_random(seed), exponent = next_random(seed) % 300;
    if (choice % 4 == 0)
        return border[choice >> 4 & 15];
    return ldexp((double)(int32_t)next_random(seed), (int)exponent - 180);
}

static void check(const struct vri_kernels *kernels)
{
    uint32_t seed = 1;
    for (unsigned round = 0; round < ROUNDS; round++) {
        struct vri_coefficients varying[VARYINGS];
        lanes partial[VARYINGS + 1], c[VARYINGS + 1];
        const uint32_t count = round % (VARYINGS + 1), quad = round % 4;
        double x = (int32_t)next_random(&seed) / 0x1p17, y = (int32_t)next_random(&seed) / 0x1p17;
        memset(partial, 0x55, sizeof partial);
        memset(c, 0x55, sizeof c);
        for (unsigned n = 0; n < VARYINGS; n++)
            varying[n] = (struct vri_coefficients){number(&seed), number(&seed),
                                                   (float)number(&seed)};
        kernels->interpolate(varying, count, x, y, quad, partial, c);
        for (unsigned i = 0; i < (VARYINGS + 1) * LANES; i++) {
            unsigned n = i / LANES, lane = i % LANES;
            if (n >= count || lane / 4 != quad) {
                assert_int_equal(partial[n][lane], 0x55555555);
                assert_int_equal(c[n][lane], 0x55555555);
                continue;
            }
            double value = 0 + varying[n].a * (x + (lane & 1)) +
                           varying[n].b * (y + (lane >> 1 & 1));
            assert_int_equal(partial[n][lane], vri_float_bits(value));
            assert_int_equal(c[n][lane], float_bits(varying[n].c));
        }
    }
}

TEST(interpolate)
{
    check(&vri_kernels_portable);
    check(vri_kernels_native());
}
