/* SPDX-License-Identifier: MIT */
/* matrices.c - references of the shaders that test matrices, which are stored column by column. */
#include "glsl.h"

static void product(const double (*m)[4], const double (*n)[4], double (*out)[4])
{
    for (int column = 0; column < 4; column++)
        glsl_transform(4, m, n[column], out[column]);
}

REFERENCE(matrix2)
{
    const double *a = in->attribute[0];
    glsl_transform(2, in->uniform, a, out->v[0]);
    glsl_transform_back(2, a + 2, in->uniform, out->v[0] + 2);
}

REFERENCE(matrix3)
{
    glsl_transform(3, in->uniform, in->attribute[0], out->v[0]);
    out->v[0][3] = 1;
    glsl_transform_back(3, in->attribute[0], in->uniform, out->v[1]);
}

REFERENCE(matrix4)
{
    glsl_transform(4, in->uniform, in->attribute[0], out->v[0]);
}

REFERENCE(matrix4_transposed)
{
    glsl_transform_back(4, in->attribute[0], in->uniform, out->v[0]);
}

REFERENCE(matrix_product)
{
    double p[4][4];
    product(in->uniform, in->uniform + 4, p);
    glsl_transform(4, p, in->attribute[0], out->v[0]);
}

REFERENCE(matrix_componentwise)
{
    const double(*m)[4] = in->uniform, (*n)[4] = in->uniform + 2, *a = in->attribute[0];
    double p[2][4], q[2][4];
    for (int column = 0; column < 2; column++)
        for (int c = 0; c < 2; c++) {
            p[column][c] = m[column][c] * n[column][c];
            q[column][c] = m[column][c] + n[column][c];
            out->v[1][2 * column + c] = (m[column][c] - n[column][c]) * a[3];
        }
    glsl_transform(2, p, a, out->v[0]);
    glsl_transform(2, q, a + 2, out->v[0] + 2);
}

REFERENCE(matrix_elements)
{
    const double(*m)[4] = in->uniform, *a = in->attribute[0];
    const double p[3][4] = {
        /* clang-format off */
        {m[0][0], m[0][1], m[0][2]},
        {m[1][0], m[1][1], a[3]},
        {a[2],    a[3],    m[2][2]},
        /* clang-format on */
    };
    glsl_transform(3, p, a, out->v[0]);
    out->v[0][3] = m[3][2];
    out->v[1][0] = m[0][1];
    out->v[1][1] = m[1][0];
    out->v[1][2] = m[2][3];
    out->v[1][3] = p[2][0];
}

REFERENCE(matrix_columns)
{
    glsl_transform(3, in->attribute, in->attribute[3], out->v[0]);
    out->v[0][3] = in->attribute[2][0];
}

REFERENCE(matrix_inverse)
{
    double p[3], q[3], r[3];
    glsl_cross(in->uniform[1], in->uniform[2], p);
    glsl_cross(in->uniform[2], in->uniform[0], q);
    glsl_cross(in->uniform[0], in->uniform[1], r);
    double scale = 1 / glsl_dot(3, in->uniform[0], p);
    const double *a = in->attribute[0],
                 sums[] = {glsl_dot(3, p, a), glsl_dot(3, q, a), glsl_dot(3, r, a), 1};
    for (int c = 0; c < 4; c++)
        out->v[0][c] = sums[c] * scale;
}

/* Computes p = m n, q = n m, t = p a, u = q b, r = a p, s = b q. The columns of x are t, u, r,
 * s. */
REFERENCE(spill)
{
    const double *a = in->attribute[0], *b = in->attribute[1], *last = in->attribute[2];
    double p[4][4], q[4][4], x[4][4];
    product(in->uniform, in->uniform + 4, p);
    product(in->uniform + 4, in->uniform, q);
    glsl_transform(4, p, a, x[0]);
    glsl_transform(4, q, b, x[1]);
    glsl_transform_back(4, a, p, x[2]);
    glsl_transform_back(4, b, q, x[3]);
    glsl_transform(4, x, last, out->v[0]);
    glsl_transform_back(4, last, x, out->v[1]);
    for (int c = 0; c < 4; c++) {
        out->v[0][c] += x[0][c] * x[1][c];
        out->v[1][c] += x[2][c] * x[3][c];
    }
}

/* clang-format off */
#define A IN("a", -2, 2)
#define V {"v", 4}
#define W {"w", 4}

const struct glsl_shader glsl_matrices[] = {
    {"matrix2", matrix2_, {A}, {ROWS("m", -1, 1, 2)}, {V}, 2e-7},
    {"matrix3", matrix3_, {A}, {ROWS("m", -1, 1, 3)}, {V, W}, 3e-7},
    {"matrix4", matrix4_, {A}, {ROWS("m", -1, 1, 4)}, {V}, 5e-7},
    {"matrix4_transposed", matrix4_transposed_, {A}, {ROWS("m", -1, 1, 4)}, {V}, 5e-7},
    {"matrix_product", matrix_product_, {A}, {ROWS("m", -1, 1, 4), ROWS("n", -1, 1, 4)}, {V}, 1e-6},
    {"matrix_componentwise", matrix_componentwise_, {A}, {ROWS("m", -1, 1, 2), ROWS("n", -1, 1, 2)},
     {V, W}, 5e-7},
    {"matrix_elements", matrix_elements_, {A}, {ROWS("m", -1, 1, 4)}, {V, W}, 5e-7},
    {"matrix_columns", matrix_columns_, {IN("m0", -1, 1), IN("m1", -1, 1), IN("m2", -1, 1), A},
     {{0}}, {V}, 3e-7},
    {"matrix_inverse", matrix_inverse_, {A}, {MATRIX("m", -0.5, 0.5, 3)}, {V}, 3e-7},
    {"spill", spill_, {IN("a", -1, 1), IN("b", -1, 1), IN("c", -1, 1)},
     {ROWS("m", -1, 1, 4), ROWS("n", -1, 1, 4)}, {V, W}, 1e-6},
    {0},
};
