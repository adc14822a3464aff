/* SPDX-License-Identifier: MIT */
/* operators.c - references of the shaders that test operators, constructors, swizzles, types,
 * arrays and structures. */
#include "glsl.h"

REFERENCE(copy)
{
    for (int c = 0; c < 4; c++)
        out->v[0][c] = in->attribute[0][c];
}

REFERENCE(add)
{
    for (int c = 0; c < 4; c++) {
        out->v[0][c] = in->attribute[0][c] + in->attribute[1][c];
        out->v[1][c] = in->attribute[0][c] - in->attribute[1][c];
    }
}

REFERENCE(multiply)
{
    for (int c = 0; c < 4; c++) {
        out->v[0][c] = in->attribute[0][c] * in->attribute[1][c];
        out->v[1][c] = -in->attribute[0][c];
    }
}

REFERENCE(divide)
{
    for (int c = 0; c < 4; c++) {
        out->v[0][c] = in->attribute[0][c] / in->attribute[1][c];
        out->v[1][c] = in->attribute[0][c] / in->attribute[1][0];
    }
}

REFERENCE(scalars)
{
    double k = in->uniform[0][0];
    for (int c = 0; c < 4; c++) {
        out->v[0][c] = 2 * in->attribute[0][c] + 1;
        out->v[1][c] = (k - in->attribute[0][c]) * k;
    }
}

REFERENCE(uniforms)
{
    for (int c = 0; c < 4; c++)
        out->v[0][c] = in->attribute[0][c] * in->uniform[0][c] + in->uniform[1][c];
}

REFERENCE(constants)
{
    static const double factor[] = {0.25, -3.5, 1024, 0.0078125}, more[] = {1, 0.5, -7, 3.140625};
    for (int c = 0; c < 4; c++)
        out->v[0][c] = in->attribute[0][c] * factor[c] + more[c];
}

REFERENCE(assignments)
{
    double t[4];
    for (int c = 0; c < 4; c++)
        t[c] = (in->attribute[0][c] + in->attribute[1][c]) * 0.5;
    t[0] += 1;
    t[1] -= 1;
    t[2] -= t[3];
    t[3] /= 4;
    double last = t[0]--;
    for (int c = 0; c < 4; c++)
        out->v[0][c] = t[c] + last;
}

REFERENCE(swizzle_read)
{
    const double *a = in->attribute[0];
    const double first[] = {a[3] - a[0], a[2] - a[0], a[1] - a[1], a[0] - a[1]};
    const double second[] = {a[2] * a[0], a[3] * a[1], a[1] * a[2], a[0] * a[3]};
    for (int c = 0; c < 4; c++) {
        out->v[0][c] = first[c];
        out->v[1][c] = second[c];
    }
}

REFERENCE(swizzle_write)
{
    out->v[0][2] = in->attribute[0][0];
    out->v[0][0] = in->attribute[0][1];
    out->v[0][3] = in->attribute[1][0] * 2;
    out->v[0][1] = in->attribute[1][1] * 2;
}

REFERENCE(constructors)
{
    const double *a = in->attribute[0], *b = in->attribute[1];
    const double first[] = {b[0], b[1], a[0], a[1]}, second[] = {b[2], a[2], a[3], 1};
    for (int c = 0; c < 4; c++) {
        out->v[0][c] = first[c];
        out->v[1][c] = second[c] + 0.5;
    }
}

REFERENCE(compare)
{
    const double *a = in->attribute[0], *b = in->attribute[1];
    out->v[0][0] = a[0] < b[0];
    out->v[0][1] = a[1] <= b[1];
    out->v[0][2] = a[2] > b[2];
    out->v[0][3] = a[3] >= b[3];
}

REFERENCE(equal)
{
    const double *a = in->attribute[0], *b = in->attribute[1];
    out->v[0][0] = a[0] == b[0];
    out->v[0][1] = a[1] != b[1];
    out->v[0][2] = a[0] == b[0] && a[1] == b[1];
    out->v[0][3] = a[2] != b[2] || a[3] != b[3];
}

REFERENCE(logic)
{
    const double *a = in->attribute[0];
    bool p = a[0] > 0, q = a[1] > 0, r = a[2] > 0;
    out->v[0][0] = p && q;
    out->v[0][1] = q || r;
    out->v[0][2] = p != r;
    out->v[0][3] = !q;
}

REFERENCE(ternary)
{
    const double *a = in->attribute[0], *b = in->attribute[1];
    for (int c = 0; c < 4; c++)
        out->v[0][c] = a[0] < b[0] ? a[c] : b[c];
    out->v[1][0] = a[1] > 0 ? a[2] : b[2];
    out->v[1][1] = a[2] > b[3] ? 1 : a[3] < 0 ? 2 : 3;
    out->v[1][2] = b[0] != 0 ? b[1] : a[1];
    out->v[1][3] = 4;
}

REFERENCE(array_uniform)
{
    for (int c = 0; c < 4; c++)
        out->v[0][c] = in->attribute[0][c] * in->uniform[0][c] + in->uniform[3][c] -
                       in->uniform[4][c] * in->uniform[1][c];
}

REFERENCE(array_unrolled)
{
    for (int i = 0; i < 6; i++)
        for (int c = 0; c < 4; c++)
            out->v[0][c] += in->uniform[i][c] * in->attribute[0][c];
}

REFERENCE(array_local)
{
    for (int c = 0; c < 4; c++) {
        double a = in->attribute[0][c], b = in->attribute[1][c];
        out->v[0][c] = (a + b) * b - (a + b);
    }
}

REFERENCE(array_chosen)
{
    int n = (int)in->uniform[4][0];
    for (int c = 0; c < 4; c++)
        out->v[0][c] = in->attribute[0][c] + in->uniform[n >= 1 && n <= 3 ? n : 0][c];
}

REFERENCE(struct_local)
{
    const double *a = in->attribute[0], *b = in->attribute[1];
    for (int c = 0; c < 3; c++)
        out->v[0][c] = a[c] + b[c] * a[3];
    out->v[0][3] = 1;
}

REFERENCE(struct_uniform)
{
    for (int c = 0; c < 4; c++)
        out->v[0][c] = in->attribute[0][c] * in->uniform[0][c] * in->uniform[1][0] +
                       (c < 3 ? in->uniform[2][c] : 1);
}

REFERENCE(integers)
{
    int i = (int)in->attribute[0][0], j = (int)in->uniform[0][0] * 3 - i;
    out->v[0][0] = i;
    out->v[0][1] = j;
    out->v[0][2] = in->uniform[1][0] + 2 * i;
    out->v[0][3] = in->uniform[1][1] + 2 * j;
}

REFERENCE(integer_division)
{
    int i = (int)in->attribute[0][0];
    out->v[0][0] = i / 4;
    out->v[0][1] = (int)in->uniform[0][0] / 2;
    out->v[0][2] = i % 8;
    out->v[0][3] = -i / 2;
}

REFERENCE(integer_compare)
{
    int i = (int)in->attribute[0][0], n = (int)in->uniform[0][0];
    out->v[0][0] = i < n;
    out->v[0][1] = i == n;
    out->v[0][2] = i != 2;
    out->v[0][3] = i >= n ? 5 : 6;
}

REFERENCE(conversions)
{
    const double *a = in->attribute[0];
    out->v[0][0] = a[0] != 0;
    out->v[0][1] = a[1] != 0;
    out->v[0][2] = a[2] > 0;
    out->v[0][3] = trunc(a[3]) != 0;
    for (int c = 0; c < 4; c++)
        out->v[1][c] = trunc(a[c]);
}

REFERENCE(bool_uniform)
{
    bool p = in->uniform[0][0] != 0;
    const double *q = in->uniform[1];
    for (int c = 0; c < 4; c++)
        out->v[0][c] = in->attribute[p ? 0 : 1][c] + (c < 2 ? q[c] : 0);
    if (!p && q[0] != 0)
        out->v[0][2] = 7;
}

REFERENCE(varyings)
{
    for (int c = 0; c < 4; c++) {
        double a = in->attribute[0][c], b = in->attribute[1][c];
        const double values[] = {a,
                                 b,
                                 a + b,
                                 a - b,
                                 a * b,
                                 a * 2,
                                 in->attribute[1][3 - c],
                                 a + 1,
                                 b / 2,
                                 -a,
                                 a + in->attribute[1][0]};
        for (int i = 0; i < 11; i++)
            out->v[i][c] = values[i];
    }
}

REFERENCE(attributes)
{
    for (int i = 0; i < GLSL_ATTRIBUTES; i++)
        for (int c = 0; c < 4; c++)
            out->v[0][c] += i % 2 ? -in->attribute[i][c] : in->attribute[i][c];
}

REFERENCE(varying_types)
{
    const double *a = in->attribute[0], *b = in->attribute[1];
    out->v[0][0] = a[0] * b[0];
    out->v[1][0] = a[1] + b[1];
    out->v[1][1] = a[2] + b[2];
    for (int c = 0; c < 4; c++) {
        out->v[2][c] = a[c] * 3;
        out->v[3][c] = b[c];
    }
}

REFERENCE(varying_columns)
{
    const double *a = in->attribute[0], *b = in->attribute[1];
    for (int c = 0; c < 3; c++) {
        out->v[0][c] = a[c];
        out->v[1][c] = b[c];
        out->v[2][c] = a[c] * b[3];
    }
}

REFERENCE(varying_again)
{
    for (int c = 0; c < 4; c++)
        out->v[0][c] = in->attribute[0][c] * 0.5;
    out->v[0][0] = out->v[0][3] = (in->attribute[0][0] + in->attribute[1][0]) * 0.5;
}

REFERENCE(point_size)
{
    copy_(in, out);
    out->point_size = in->attribute[0][0];
}

/* clang-format off */
#define A IN("a", -8, 8)
#define B IN("b", -8, 8)
#define E(name) IN(name, -1, 1)
#define GRID 0.25
#define V {"v", 4}
#define W {"w", 4}

const struct glsl_shader glsl_operators[] = {
    {"copy", copy_, {A}, {{0}}, {V}, 0},
    {"add", add_, {A, B}, {{0}}, {V, W}, 1e-7},
    {"multiply", multiply_, {A, B}, {{0}}, {V, W}, 1e-7},
    {"divide", divide_, {A, IN("b", 0.5, 4)}, {{0}}, {V, W}, 2e-7},
    {"scalars", scalars_, {A}, {IN("k", -3, 3)}, {V, W}, 2e-7},
    {"uniforms", uniforms_, {A}, {IN("k", -3, 3), IN("l", -3, 3)}, {V}, 3e-7},
    {"constants", constants_, {A}, {{0}}, {V}, 2e-7},
    {"assignments", assignments_, {A, B}, {{0}}, {V}, 1e-6},
    {"swizzle_read", swizzle_read_, {A}, {{0}}, {V, W}, 1e-7},
    {"swizzle_write", swizzle_write_, {A, B}, {{0}}, {V}, 0},
    {"constructors", constructors_, {A, B}, {{0}}, {V, W}, 1e-7},
    {"compare", compare_, {STEPS("a", -1, 1, GRID), STEPS("b", -1, 1, GRID)}, {{0}}, {V}, 0},
    {"equal", equal_, {STEPS("a", -1, 1, 1), STEPS("b", -1, 1, 1)}, {{0}}, {V}, 0},
    {"logic", logic_, {STEPS("a", -1, 1, GRID)}, {{0}}, {V}, 0},
    {"ternary", ternary_, {STEPS("a", -1, 1, GRID), STEPS("b", -1, 1, GRID)}, {{0}}, {V, W}, 0},
    {"array_uniform", array_uniform_, {A}, {ROWS("k", -2, 2, 5)}, {V}, 5e-7},
    {"array_unrolled", array_unrolled_, {A}, {ROWS("k", -2, 2, 6)}, {V}, 1e-6},
    {"array_local", array_local_, {A, B}, {{0}}, {V}, 1e-6},
    {"array_chosen", array_chosen_, {A}, {ROWS("k", -2, 2, 4), STEPS("n", -1, 5, 1)}, {V}, 1e-7},
    {"struct_local", struct_local_, {A, B}, {{0}}, {V}, 1e-6},
    {"struct_uniform", struct_uniform_, {A}, {ROWS("light", -2, 2, 3)}, {V}, 3e-7},
    {"integers", integers_, {IN("a", -9, 9)}, {STEPS("n", -4, 4, 1), STEPS("m", -4, 4, 1)}, {V}, 0},
    {"integer_division", integer_division_, {IN("a", -40, 40)}, {STEPS("n", -9, 9, 1)}, {V}, 0},
    {"integer_compare", integer_compare_, {IN("a", -5, 5)}, {STEPS("n", -4, 4, 1)}, {V}, 0},
    {"conversions", conversions_, {STEPS("a", -2, 2, GRID)}, {{0}}, {V, W}, 0},
    {"bool_uniform", bool_uniform_, {A, B}, {STEPS("p", 0, 1, 1), STEPS("q", 0, 1, 1)}, {V}, 1e-7},
    {"varyings", varyings_, {A, B}, {{0}},
     {{"v0", 4}, {"v1", 4}, {"v2", 4}, {"v3", 4}, {"v4", 4}, {"v5", 4}, {"v6", 4}, {"v7", 4},
      {"v8", 4}, {"v9", 4}, {"v10", 4}}, 1e-7},
    {"attributes", attributes_,
     {E("a0"), E("a1"), E("a2"), E("a3"), E("a4"), E("a5"), E("a6"), E("a7"), E("a8"), E("a9"),
      E("a10"), E("a11"), E("a12"), E("a13"), E("a14")}, {{0}}, {V}, 1e-6},
    {"varying_types", varying_types_, {A, B}, {{0}}, {{"s", 1}, {"t", 2}, {"u", 3}, V}, 1e-7},
    {"varying_columns", varying_columns_, {A, B}, {{0}}, {{"m0", 3}, {"m1", 3}, {"m2", 3}}, 1e-7},
    {"varying_again", varying_again_, {A, B}, {{0}}, {V}, 1e-7},
    {"point_size", point_size_, {IN("a", -10, 120)}, {{0}}, {V}, 0},
    {0},
};
