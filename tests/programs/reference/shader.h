/* SPDX-License-Identifier: MIT */
/* shader.h - inputs and outputs of the reference of a vertex or pixel program, and vectors of
 * numbers with errors (near.h). */
#ifndef PROGRAMS_REFERENCE_SHADER_H
#define PROGRAMS_REFERENCE_SHADER_H

#include "near.h"

enum { SHADER_MOST_INPUTS = 4, SHADER_MOST_ROWS = 64, SHADER_MOST_OUTPUTS = 4 };

/* Inputs of one vertex or one pixel. These are attributes or varyings, and rows of uniforms, in
 * the order in which the program declares them. */
struct shader_vertex {
    float attributes[SHADER_MOST_INPUTS][4];
    const float (*rows)[4];
};

/* Computes the outputs, in the order in which the program declares them. */
typedef void shader_reference(const struct shader_vertex *vertex, struct near outputs[][4]);

/* --- vectors --- */

static inline void near_copy(struct near *out, const float *in, unsigned count)
{
    for (unsigned i = 0; i < count; i++)
        out[i] = near_exact((double)in[i]);
}

static inline struct near near_dot(const struct near *a, const struct near *b, unsigned count)
{
    struct near products[4];
    for (unsigned i = 0; i < count; i++)
        products[i] = near_product(a[i], b[i]);
    return near_sum(products, count);
}

/* Multiplies row "row" of a matrix, which is stored by columns, with the vector. */
static inline struct near near_row_times(const float (*columns)[4], unsigned row,
                                         const struct near *vector, unsigned count)
{
    struct near elements[4];
    for (unsigned i = 0; i < count; i++)
        elements[i] = near_exact((double)columns[i][row]);
    return near_dot(elements, vector, count);
}

#endif
