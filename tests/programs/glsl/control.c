/* SPDX-License-Identifier: MIT */
/* control.c - references of the shaders that test branches, loops and functions. */
#include "glsl.h"

REFERENCE(if_short)
{
    const double *a = in->attribute[0], *b = in->attribute[1];
    for (int c = 0; c < 4; c++)
        out->v[0][c] = a[0] > b[0] ? b[c] * 2 : a[c];
}

REFERENCE(if_else)
{
    const double *a = in->attribute[0], *b = in->attribute[1];
    for (int c = 0; c < 4; c++) {
        int next = (c + 1) % 4, turned[] = {1, 0, 3, 2};
        double here = sqrt(a[c] * a[c] + b[c] * b[c]);
        double there = sqrt(a[next] * a[next] + b[next] * b[next]);
        if (a[0] + a[1] > b[0])
            out->v[0][c] = here * there + a[c] / (b[c] * b[c] + 1);
        else
            out->v[0][c] = (a[c] - b[c]) * (a[c] + b[3 - c]) * (a[turned[c]] - b[c]) +
                           1 / sqrt(b[c] * b[c] + 1);
    }
}

REFERENCE(if_nested)
{
    const double *a = in->attribute[0], *b = in->attribute[1];
    double t[4];
    for (int c = 0; c < 4; c++)
        t[c] = exp2(b[c] * a[c]);
    for (int c = 0; c < 4; c++) {
        int next = (c + 1) % 4;
        double value;
        if (a[1] > 0)
            value = t[c] / (1 + t[0] * t[0]) + sqrt(t[next] + 2);
        else
            value = t[c] * t[c] - exp2(-t[c] * a[3 - c]);
        value += a[c] * a[next];
        out->v[0][c] = a[0] > 0 ? value : 1 / (b[c] * b[c] + 1) + a[c] * b[c] * b[c] * b[c];
    }
}

REFERENCE(if_chain)
{
    const double *a = in->attribute[0], mode = in->uniform[0][0];
    for (int c = 0; c < 4; c++) {
        double x = a[c], next = a[(c + 1) % 4], far = a[(c + 2) % 4], mirror = a[3 - c];
        if (mode < 1)
            out->v[0][c] = exp2(x) + exp2(next * 0.5);
        else if (mode < 2)
            out->v[0][c] = sqrt(x * x + 1) / sqrt(mirror * mirror + 2);
        else if (mode == 2)
            out->v[0][c] = x * x * x - 2 * x * next + 3 * far - 4;
        else
            out->v[0][c] = c ? a[c - 1] : glsl_dot(4, a, a);
    }
}

REFERENCE(for_constant)
{
    for (int c = 0; c < 4; c++) {
        out->v[0][c] = 1;
        for (int i = 0; i < 5; i++)
            out->v[0][c] = out->v[0][c] * in->attribute[0][c] + i;
    }
}

REFERENCE(for_uniform)
{
    for (int c = 0; c < 4; c++) {
        out->v[0][c] = 1;
        for (int i = 0; i < in->uniform[0][0]; i++)
            out->v[0][c] = out->v[0][c] * in->attribute[0][c] * 0.5 + i;
    }
}

/* Sets the first component of the result. The other components come from the attribute. */
static void with_rest(double first, const double *attribute, struct glsl_result *out)
{
    for (int c = 0; c < 4; c++)
        out->v[0][c] = c ? attribute[c] : first;
}

REFERENCE(for_attribute)
{
    const double *a = in->attribute[0];
    double sum = 0;
    for (int i = 0; i < a[3]; i++)
        sum += i * a[0];
    with_rest(sum, a, out);
}

REFERENCE(for_ints)
{
    double t = in->attribute[0][0];
    for (int i = (int)in->uniform[0][0]; i > 0; i--)
        t = t * 0.5 + i;
    for (int c = 0; c < 4; c++)
        out->v[0][c] = t;
}

REFERENCE(while_loop)
{
    double x = fabs(in->attribute[0][0]), steps = 0;
    for (; x > 0.5; x /= 2)
        steps++;
    with_rest(x, in->attribute[0], out);
    out->v[0][1] = steps;
}

REFERENCE(do_while)
{
    const double *a = in->attribute[0];
    double x = a[0], n = fmax(in->uniform[0][0], 1);
    for (int i = 0; i < n; i++)
        x = x * 0.75 + a[1];
    with_rest(x, a, out);
    out->v[0][1] = n;
}

REFERENCE(break)
{
    const double *a = in->attribute[0];
    double sum = 0, last = -1;
    for (int i = 0; i < in->uniform[0][0]; i++) {
        sum += a[0];
        if (sum > a[1])
            break;
        last = i;
    }
    with_rest(sum, a, out);
    out->v[0][1] = last;
}

REFERENCE(continue)
{
    const double *a = in->attribute[0];
    double sum = 0;
    for (int i = 0; i < in->uniform[0][0]; i += 2)
        sum += a[0] * i + a[1];
    with_rest(sum, a, out);
}

REFERENCE(loops_nested)
{
    const double *a = in->attribute[0], *n = in->uniform[0];
    double sum = 0;
    for (int i = 0; i < n[0]; i++)
        for (int j = i; j < n[1]; j++)
            sum += i * a[0] + j * a[1];
    with_rest(sum, a, out);
}

REFERENCE(loop_with_if)
{
    const double *a = in->attribute[0];
    double x = a[0], y = a[1];
    for (int i = 0; i < in->uniform[0][0]; i++) {
        double new_x = x > y ? x * 0.5 + sqrt(fabs(y)) : y * 0.25 - x;
        y = x > y ? y + exp2(-fabs(x)) + 1 / (1 + x * x)
                  : x - 1 + 1 / sqrt(1 + y * y) + y * x * 0.125;
        x = new_x;
    }
    with_rest(x, a, out);
    out->v[0][1] = y;
}

static void turn(const double (*m)[4], double t[4], double u[4])
{
    double product[4], before[4];
    glsl_transform(4, m, u, product);
    for (int c = 0; c < 4; c++)
        t[c] = 1 / sqrt(t[c] * t[c] + 8) + product[c];
    glsl_transform_back(4, t, m, product);
    for (int c = 0; c < 4; c++) {
        u[c] = 1 / (u[c] * u[c] + 4) - product[c];
        before[c] = t[c];
    }
    for (int c = 0; c < 4; c++)
        t[c] = exp2(before[(c + 1) % 4] * 0.125) + sqrt(before[c] * before[c] + u[c] * u[c]);
    for (int c = 0; c < 4; c++)
        u[c] = log2(t[c] * t[c] + u[c] * u[c] + 1) - t[3 - c] * 0.25;
}

REFERENCE(far_branches)
{
    const double n = in->uniform[4][0];
    double t[4], u[4];
    for (int c = 0; c < 4; c++) {
        t[c] = in->attribute[0][c];
        u[c] = in->attribute[0][3 - c];
    }
    for (int i = 0; i < n; i++) {
        turn(in->uniform, t, u);
        turn(in->uniform, u, t);
        turn(in->uniform, t, u);
    }
    for (int i = 0; i < n; i += 2) {
        double x[4];
        for (int c = 0; c < 4; c++) {
            if (t[0] > t[1])
                x[c] = exp2(t[3 - c] * 0.125) + 1 / (t[c] * t[c] + 2);
            else
                x[c] = 1 / sqrt(t[c] * t[c] + 1) + t[(c + 1) % 4] * u[0] * 0.0625;
        }
        for (int c = 0; c < 4; c++)
            t[c] = x[c];
    }
    for (int c = 0; c < 4; c++)
        out->v[0][c] = t[c];
}

REFERENCE(return_early)
{
    for (int c = 0; c < 4; c++)
        out->v[0][c] = in->attribute[0][c] < 0 ? -1 : sqrt(in->attribute[0][c]);
}

REFERENCE(functions)
{
    const double *a = in->attribute[0], *b = in->attribute[1];
    for (int c = 0; c < 4; c++)
        out->v[0][c] = 2 * a[(c + 1) % 4] + b[c];
    out->v[1][0] = 2 * (a[1] + a[2]);
    for (int c = 1; c < 4; c++)
        out->v[1][c] = a[c];
}

REFERENCE(mandelbrot)
{
    const double *a = in->attribute[0];
    double x = 0, y = 0, steps = 0;
    while (steps < in->uniform[0][0]) {
        double new_x = x * x - y * y + a[0];
        y = 2 * x * y + a[1];
        x = new_x;
        if (x * x + y * y > 4)
            break;
        steps++;
    }
    for (int c = 0; c < 4; c++)
        out->v[0][c] = steps;
}

REFERENCE(newton)
{
    with_rest(cbrt(in->attribute[0][0]), in->attribute[0], out);
}

/* clang-format off */
#define A IN("a", -2, 2)
#define B IN("b", -2, 2)
#define N STEPS("n", -1, 6, 1)
#define V {"v", 4}
#define W {"w", 4}

const struct glsl_shader glsl_control[] = {
    {"if_short", if_short_, {A, B}, {{0}}, {V}, 1e-7},
    {"if_else", if_else_, {A, B}, {{0}}, {V}, 1e-6},
    {"if_nested", if_nested_, {A, B}, {{0}}, {V}, 2e-6},
    {"if_chain", if_chain_, {A}, {STEPS("mode", 0, 4, 0.5)}, {V}, 2e-6},
    {"for_constant", for_constant_, {A}, {{0}}, {V}, 1e-6},
    {"for_uniform", for_uniform_, {A}, {N}, {V}, 3e-7},
    {"for_attribute", for_attribute_, {IN("a", -2, 6)}, {{0}}, {V}, 2e-7},
    {"for_ints", for_ints_, {A}, {N}, {V}, 2e-7},
    {"while_loop", while_loop_, {IN("a", -40, 40)}, {{0}}, {V}, 0},
    {"do_while", do_while_, {A}, {N}, {V}, 3e-7},
    {"break", break_, {STEPS("a", 0, 4, 0.0625)}, {N}, {V}, 0},
    {"continue", continue_, {A}, {N}, {V}, 2e-7},
    {"loops_nested", loops_nested_, {A}, {N}, {V}, 5e-7},
    {"loop_with_if", loop_with_if_, {A}, {N}, {V}, 2e-5},
    {"far_branches", far_branches_, {A}, {ROWS("m", -0.25, 0.25, 4), STEPS("n", -1, 3, 1)}, {V},
     5e-7},
    {"return_early", return_early_, {A}, {{0}}, {V}, 2e-7},
    {"functions", functions_, {A, B}, {{0}}, {V, W}, 2e-7},
    {"mandelbrot", mandelbrot_, {STEPS("a", -2, 1, 0.015625)}, {STEPS("limit", 1, 6, 1)}, {V}, 0},
    {"newton", newton_, {IN("a", 0.2, 8)}, {{0}}, {V}, 2e-6},
    {0},
};
