/* SPDX-License-Identifier: MIT */
/* gp.c - see gp.h. Sums and products are in the order of the examples' GLSL. near.h describes the
 * bounds of their errors. */
#include "gp.h"

#include <stdbool.h>

/* --- the output transform (docs/hardware/utgard.md, section 11) --- */

/* Computes the window position. rows is gl_Mali_ViewportTransform. */
static void to_window(const struct near clip[4], const float (*rows)[4], struct near position[4])
{
    position[3] = near_clamped(near_inverse(clip[3]), -1e10, 1e10);
    for (unsigned i = 0; i < 3; i++) {
        struct near scaled = near_product(clip[i], near_exact((double)rows[0][i]));
        position[i] = near_plus(near_product(scaled, position[3]), near_exact((double)rows[1][i]));
    }
}

/* --- the programs --- */

void gp_passthrough(const struct shader_vertex *vertex, struct near varyings[][4])
{
    near_copy(varyings[0], vertex->attributes[0], 4);
    near_copy(varyings[1], vertex->attributes[1], 4);
}

void gp_mvp(const struct shader_vertex *vertex, struct near varyings[][4])
{
    struct near position[4], clip[4];
    near_copy(position, vertex->attributes[0], 4);
    for (unsigned i = 0; i < 4; i++)
        clip[i] = near_row_times(vertex->rows, i, position, 4);
    to_window(clip, vertex->rows + 4, varyings[0]);
    near_copy(varyings[1], vertex->attributes[1], 4);
}

/* The program multiplies by the inverse root after the dot product. In the GLSL, the
 * multiplication precedes the dot product. */
void gp_lighting(const struct shader_vertex *vertex, struct near varyings[][4])
{
    static const double light[3] = {2, 2, 20};
    const float(*view)[4] = vertex->rows, (*clip_matrix)[4] = vertex->rows + 4;
    struct near position[4], normal[3], colour[4], eye_normal[3], direction[3], clip[4];
    near_copy(position, vertex->attributes[0], 4);
    near_copy(normal, vertex->attributes[1], 3);
    near_copy(colour, vertex->attributes[2], 4);

    struct near inverse_w = near_inverse(near_row_times(view, 3, position, 4));
    for (unsigned i = 0; i < 3; i++) {
        struct near eye = near_product(near_row_times(view, i, position, 4), inverse_w);
        direction[i] = near_minus(near_exact(light[i]), eye);
        eye_normal[i] = near_row_times(vertex->rows + 8, i, normal, 3);
    }
    struct near inverse_length = near_inverse_root(near_dot(direction, direction, 3));
    struct near cosine = near_product(near_dot(eye_normal, direction, 3), inverse_length);
    struct near diffuse = near_clamped(cosine, 0, INFINITY);
    for (unsigned i = 0; i < 3; i++)
        varyings[1][i] = near_product(diffuse, colour[i]);
    varyings[1][3] = near_exact(1);

    for (unsigned i = 0; i < 4; i++)
        clip[i] = near_row_times(clip_matrix, i, position, 4);
    to_window(clip, vertex->rows + 11, varyings[0]);
}

/* Bernstein's polynomials. The construction has 7 levels. On each level, a term is rounded at
 * most three times, by 1 - t, a product and a sum. This is 21 roundings. The sum of all terms is
 * a mean of the points, with weights that add up to 1. */
void gp_temporaries_loop(const struct shader_vertex *vertex, struct near varyings[][4])
{
    static const double binomials[8] = {1, 7, 21, 35, 35, 21, 7, 1};
    const float(*scale)[4] = vertex->rows + 8, (*offset)[4] = vertex->rows + 9;
    double t = (double)vertex->attributes[0][0], factor = 1;
    for (unsigned i = 0; i < 21; i++)
        factor *= 1 + NEAR_U;
    for (unsigned axis = 0; axis < 2; axis++) {
        double sum = 0, whole = 0;
        for (unsigned i = 0; i < 8; i++) {
            double term = binomials[i] * pow(t, i) * pow(1 - t, 7 - i) *
                          (double)vertex->rows[i][axis];
            sum += term;
            whole += fabs(term);
        }
        struct near point = {sum, (factor - 1) * whole};
        varyings[0][axis] = near_plus(near_product(point, near_exact((double)scale[0][axis])),
                                      near_exact((double)offset[0][axis]));
    }
    varyings[0][2] = near_exact((double)offset[0][2]);
    varyings[0][3] = near_exact(1);
    varyings[1][0] = near_exact(t);
    varyings[1][1] = near_minus(near_exact(1), near_exact(t));
    varyings[1][2] = near_exact(1);
}

void gp_point_size(const struct shader_vertex *vertex, struct near varyings[][4])
{
    const float *sizes = vertex->rows[6];
    struct near position[4], clip[4];
    near_copy(position, vertex->attributes[0], 4);
    for (unsigned i = 0; i < 4; i++)
        clip[i] = near_row_times(vertex->rows, i, position, 4);
    to_window(clip, vertex->rows + 4, varyings[0]);
    near_copy(varyings[1], vertex->attributes[1], 3);
    struct near size = near_product(near_exact((double)vertex->attributes[1][3]), varyings[0][3]);
    varyings[2][0] = near_product(near_clamped(size, (double)sizes[0], (double)sizes[1]),
                                  near_exact((double)sizes[2]));
}

/* rcp and rsqrt are rounded once (docs/utgard/gp.md). preexp2 rounds x to a multiple of 2^-23,
 * so x has an error of up to 2^-24. The relative error of the power is ln 2 times the error of
 * x, plus the rounding. log2 also has an error of up to 2^-24 before postlog2 rounds. */
void gp_functions(const struct shader_vertex *vertex, struct near varyings[][4])
{
    double x = (double)vertex->attributes[0][0];
    varyings[0][0] = near_made(exp2(x), exp2(x) * (exp2(0x1p-24) - 1));
    varyings[0][1] = near_made(log2(x), 0x1p-24);
    varyings[0][2] = near_inverse(near_exact(x));
    varyings[0][3] = near_inverse_root(near_exact(x));
}

static struct near by_bone(const struct shader_vertex *vertex, unsigned bone, unsigned axis)
{
    const float *row = vertex->rows[3 * (unsigned)vertex->attributes[1][bone] + axis];
    struct near position[4], elements[4];
    near_copy(position, vertex->attributes[0], 3);
    position[3] = near_exact(1);
    near_copy(elements, row, 4);
    struct near weight = near_exact((double)vertex->attributes[1][2 + bone]);
    return near_product(near_dot(elements, position, 4), weight);
}

void gp_skinning(const struct shader_vertex *vertex, struct near varyings[][4])
{
    const float(*viewport)[4] = vertex->rows + 12;
    for (unsigned axis = 0; axis < 3; axis++) {
        struct near place = near_plus(by_bone(vertex, 0, axis), by_bone(vertex, 1, axis));
        struct near scaled = near_product(place, near_exact((double)viewport[0][axis]));
        varyings[0][axis] = near_plus(scaled, near_exact((double)viewport[1][axis]));
    }
    varyings[0][3] = near_exact(1);
    near_copy(varyings[1], vertex->attributes[2], 3);
}

/* If a vertex's distance is so close to the radius that the result of the comparison depends on
 * rounding, both colours are valid. */
void gp_if_else(const struct shader_vertex *vertex, struct near varyings[][4])
{
    const float *lamp = vertex->rows[0], *colour = vertex->attributes[1];
    struct near position[2];
    near_copy(position, vertex->attributes[0], 2);
    struct near square = near_dot(position, position, 2);
    bool doubt = fabs(square.value - (double)lamp[3]) <= square.error;
    for (unsigned i = 0; i < 2; i++)
        varyings[0][i] = position[i];
    varyings[0][2] = near_exact(0);
    varyings[0][3] = near_exact(1);
    near_copy(varyings[1], square.value < (double)lamp[3] ? lamp : colour, 3);
    for (unsigned i = 0; i < 3 && doubt; i++)
        varyings[1][i].error = INFINITY;
}
