/* SPDX-License-Identifier: MIT */
/* shader_random.h - generates random data for programs, and compares results with float64. No
 * error may exceed the bound of float32 arithmetic (reference/near.h), or the bound in a README. */
#ifndef PROGRAMS_SHADER_RANDOM_H
#define PROGRAMS_SHADER_RANDOM_H

#include "reference/near.h"

/* --- data --- */

/* Restarts the sequence of random numbers. */
void shader_random_start(void);

float shader_random(double low, double high);
unsigned shader_random_below(unsigned count);
void shader_random_row(float row[4], double low, double high);

/* Compute random matrices, by columns. The first is a rotation. The second is a rotated model, 4
 * to 8 in front of the eye. The third is the product of a perspective projection, with planes at
 * 1 and 20, and such a view. */
void shader_random_rotation(float rows[][4]);
void shader_random_view(float rows[4][4]);
void shader_random_projected(float rows[4][4]);

/* --- comparison --- */

/* The bound that a README states for some components. The error of a component is at most
 * "units" times 2^-24 of its absolute value, or of "least" if "least" is larger. */
struct shader_promise {
    const char *name;      /* name of the output */
    unsigned first, count; /* first component, and number of components */
    double units, least;
};

/* The largest error of an output's components, in the units of shader_promise. */
struct shader_worst {
    double found, bound;
};

/* Fails the test unless the value is within its bound. */
void shader_compare(const char *example, const struct shader_promise *promise, unsigned lane,
                    unsigned component, float got, struct near want, struct shader_worst *worst);

void shader_report(const char *example, const struct shader_promise *promise,
                   const struct shader_worst *worst);

#endif
