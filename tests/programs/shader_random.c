/* SPDX-License-Identifier: MIT */
/* shader_random.c - see shader_random.h. */
#include "shader_random.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "../random.h"

static uint32_t dice;

void shader_random_start(void)
{
    dice = 1;
}

float shader_random(double low, double high)
{
    return (float)(low + (high - low) * (next_random(&dice) / 4294967296.0));
}

unsigned shader_random_below(unsigned count)
{
    return next_random(&dice) % count;
}

void shader_random_row(float row[4], double low, double high)
{
    for (unsigned i = 0; i < 4; i++)
        row[i] = shader_random(low, high);
}

/* Computes a rotation from a random quaternion. */
void shader_random_rotation(float rows[][4])
{
    double q[4], length = 0;
    do {
        length = 0;
        for (unsigned i = 0; i < 4; i++) {
            q[i] = (double)shader_random(-1, 1);
            length += q[i] * q[i];
        }
    } while (length < 0.1);
    double x = q[0], y = q[1], z = q[2], w = q[3], s = 2 / length;
    const double elements[3][3] = {
        {1 - s * (y * y + z * z), s * (x * y + z * w), s * (x * z - y * w)},
        {s * (x * y - z * w), 1 - s * (x * x + z * z), s * (y * z + x * w)},
        {s * (x * z + y * w), s * (y * z - x * w), 1 - s * (x * x + y * y)},
    };
    for (unsigned column = 0; column < 3; column++)
        for (unsigned i = 0; i < 3; i++)
            rows[column][i] = (float)elements[column][i];
}

void shader_random_view(float rows[4][4])
{
    memset(rows, 0, 4 * sizeof rows[0]);
    shader_random_rotation(rows);
    rows[3][0] = shader_random(-1, 1);
    rows[3][1] = shader_random(-1, 1);
    rows[3][2] = shader_random(-8, -4);
    rows[3][3] = 1;
}

void shader_random_projected(float rows[4][4])
{
    float view[4][4];
    shader_random_view(view);
    for (unsigned column = 0; column < 4; column++) {
        rows[column][0] = 1.5F * view[column][0];
        rows[column][1] = 2 * view[column][1];
        rows[column][2] = (-21 * view[column][2] - 40 * view[column][3]) / 19;
        rows[column][3] = -view[column][2];
    }
}

void shader_compare(const char *example, const struct shader_promise *promise, unsigned lane,
                    unsigned component, float got, struct near want, struct shader_worst *worst)
{
    double off = fabs((double)got - want.value);
    double unit = fmax(fabs(want.value), promise->least) * NEAR_U *
                  (1 + 0x1p-20); /* terms of the order of (2^-24)^2 are ignored */
    if (!(off <= want.error) || want.error > promise->units * unit)
        fail_msg("%s, %u: %s.%c is %.9g, not %.9g: off by %g, of %g at most; %g is said", example,
                 lane, promise->name, "xyzw"[component], (double)got, want.value, off, want.error,
                 promise->units * unit);
    if (want.error > 0) {
        worst->found = fmax(worst->found, off / unit);
        worst->bound = fmax(worst->bound, want.error / unit);
    }
}

void shader_report(const char *example, const struct shader_promise *promise,
                   const struct shader_worst *worst)
{
    print_message("%s: %s.%c: off by %.2f, of %.2f at most; %g is said\n", example, promise->name,
                  "xyzw"[promise->first], worst -> found, worst -> bound, promise -> units);
}
