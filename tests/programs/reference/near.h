/* SPDX-License-Identifier: MIT */
/* near.h - real numbers with a bound of the error of float32 arithmetic.
 *
 * Every operation of the GP is rounded to nearest, so the relative error of its result is at most U
 * = 2^-24, if neither the result nor its operands leave the range of normal numbers. An operand
 * with an error of e adds to the error of the result: e in a sum, e times the other factor in a
 * product, and so on. Both parts together bound the error of the result. The bound is complete, so
 * a correct program cannot exceed it. float64's own errors are smaller by 2^-29, and near_made()
 * rounds up to cover them. */
#ifndef PROGRAMS_REFERENCE_NEAR_H
#define PROGRAMS_REFERENCE_NEAR_H

#include <math.h>

#define NEAR_U 0x1p-24

struct near {
    double value, error; /* a float32 result is from value - error to value + error */
};

static inline struct near near_exact(double value)
{
    return (struct near){value, 0};
}

/* Returns a value that is rounded. passed_on is the error that its operands cause. */
static inline struct near near_made(double value, double passed_on)
{
    return (struct near){value, (passed_on + NEAR_U * (fabs(value) + passed_on)) * (1 + 0x1p-40)};
}

static inline struct near near_negated(struct near a)
{
    return (struct near){-a.value, a.error};
}

static inline struct near near_product(struct near a, struct near b)
{
    return near_made(a.value * b.value,
                     fabs(a.value) * b.error + fabs(b.value) * a.error + a.error * b.error);
}

/* Returns a sum whose terms may be added in any order. Each term goes through at most count - 1
 * additions. */
static inline struct near near_sum(const struct near *terms, unsigned count)
{
    double value = 0, whole = 0, passed_on = 0;
    for (unsigned i = 0; i < count; i++) {
        value += terms[i].value;
        whole += fabs(terms[i].value) + terms[i].error;
        passed_on += terms[i].error;
    }
    double factor = 1;
    for (unsigned i = 1; i < count; i++)
        factor *= 1 + NEAR_U;
    return (struct near){value, (passed_on + (factor - 1) * whole) * (1 + 0x1p-40)};
}

static inline struct near near_plus(struct near a, struct near b)
{
    return near_made(a.value + b.value, a.error + b.error);
}

static inline struct near near_minus(struct near a, struct near b)
{
    return near_plus(a, near_negated(b));
}

/* Returns 1 / a. The error of a must be too small to change its sign. */
static inline struct near near_inverse(struct near a)
{
    double least = fabs(a.value) - a.error;
    return near_made(1 / a.value, least > 0 ? a.error / (fabs(a.value) * least) : INFINITY);
}

static inline struct near near_inverse_root(struct near a)
{
    double least = a.value - a.error, root = 1 / sqrt(a.value);
    return near_made(root, least > 0 ? 1 / sqrt(least) - root : INFINITY);
}

/* Returns the value clamped to a range. This operation does not round. The error is also limited
 * by the range. */
static inline struct near near_clamped(struct near a, double low, double high)
{
    double value = fmin(fmax(a.value, low), high);
    double least = fmin(fmax(a.value - a.error, low), high);
    double most = fmin(fmax(a.value + a.error, low), high);
    return (struct near){value, fmax(most - value, value - least)};
}

#endif
