/* SPDX-License-Identifier: MIT */
/* functions.c - references of the shaders that test the built-in functions. A tolerance above
 * 2e-6 is the accuracy of the formula that Mesa 22.3.6 uses
 * (src/compiler/nir/nir_opt_algebraic.py for sin and cos,
 * src/compiler/glsl/builtin_functions.cpp for the arcs), because GLSL ES does not bound the
 * error of these functions. */
#include "glsl.h"

/* Define references that compute each component separately. Varying v is an expression of a and,
 * in COMPONENTS2, of b. COMPONENTS2 also computes varying w. */
#define COMPONENTS(name, expression)        \
    REFERENCE(name)                         \
    {                                       \
        for (int i = 0; i < 4; i++) {       \
            double a = in->attribute[0][i]; \
            out->v[0][i] = (expression);    \
        }                                   \
    }
#define COMPONENTS2(name, expression, expression2)                   \
    REFERENCE(name)                                                  \
    {                                                                \
        for (int i = 0; i < 4; i++) {                                \
            double a = in->attribute[0][i], b = in->attribute[1][i]; \
            out->v[0][i] = (expression);                             \
            out->v[1][i] = (expression2);                            \
            (void)b;                                                 \
        }                                                            \
    }

static const double pi = 3.14159265358979323846;

COMPONENTS2(angles, a *pi / 180, a * 180 / pi)
COMPONENTS(sin, sin(a))
COMPONENTS(cos, cos(a))
COMPONENTS(tan, tan(a))
COMPONENTS(asin, asin(a))
COMPONENTS(acos, acos(a))
COMPONENTS(atan, atan(a))
COMPONENTS2(atan2, atan2(a, b), 0)
COMPONENTS2(pow, pow(a, b), 0)
COMPONENTS(exp, exp(a))
COMPONENTS(log, log(a))
COMPONENTS(exp2, exp2(a))
COMPONENTS(log2, log2(a))
COMPONENTS(sqrt, sqrt(a))
COMPONENTS(inversesqrt, 1 / sqrt(a))
COMPONENTS(abs, fabs(a))
COMPONENTS(sign, a > 0 ? 1 : a < 0 ? -1 : 0)
COMPONENTS(floor, floor(a))
COMPONENTS(ceil, ceil(a))
COMPONENTS(fract, glsl_fract(a))
COMPONENTS2(mod, glsl_mod(a, b), glsl_mod(a, 0.75))
COMPONENTS2(min, fmin(a, b), fmin(a, 0.5))
COMPONENTS2(max, fmax(a, b), fmax(a, 0.5))
COMPONENTS2(step, b < a ? 0 : 1, a < 0.5 ? 0 : 1)
COMPONENTS2(smoothstep, glsl_smoothstep(b, b + 2, a), glsl_smoothstep(-0.5, 0.75, a))
COMPONENTS2(less_than, a < b, a <= b)
COMPONENTS2(greater_than, a > b, a >= b)
COMPONENTS2(equal_components, a == b, a != b)

REFERENCE(clamp)
{
    for (int i = 0; i < 4; i++) {
        double a = in->attribute[0][i], b = in->attribute[1][i];
        out->v[0][i] = glsl_clamp(a, -1, 0.5);
        out->v[1][i] = glsl_clamp(a, in->uniform[0][0], in->uniform[1][0]);
        out->v[2][i] = glsl_clamp(a, b, b + 1);
    }
}

REFERENCE(mix)
{
    const double *c = in->attribute[2];
    for (int i = 0; i < 4; i++) {
        double a = in->attribute[0][i], b = in->attribute[1][i];
        out->v[0][i] = glsl_mix(a, b, c[i]);
        out->v[1][i] = glsl_mix(a, b, c[0]);
        out->v[2][i] = glsl_mix(a, b, 0.25);
    }
}

REFERENCE(length)
{
    const double *a = in->attribute[0];
    for (int i = 0; i < 3; i++)
        out->v[0][i] = glsl_length(i + 2, a);
    out->v[0][3] = fabs(a[3]);
}

REFERENCE(distance)
{
    struct glsl_values difference = *in;
    for (int i = 0; i < 4; i++)
        difference.attribute[0][i] -= in->attribute[1][i];
    length_(&difference, out);
}

REFERENCE(dot)
{
    const double *a = in->attribute[0], *b = in->attribute[1];
    for (int i = 0; i < 3; i++)
        out->v[0][i] = glsl_dot(i + 2, a, b);
    out->v[0][3] = a[3] * b[3];
}

REFERENCE(cross)
{
    glsl_cross(in->attribute[0], in->attribute[1], out->v[0]);
    out->v[0][3] = 1;
}

REFERENCE(normalize)
{
    glsl_normalize(4, in->attribute[0], out->v[0]);
    glsl_normalize(3, in->attribute[0], out->v[1]);
}

REFERENCE(faceforward)
{
    bool towards = glsl_dot(3, in->attribute[2], in->attribute[1]) < 0;
    for (int i = 0; i < 3; i++)
        out->v[0][i] = towards ? in->attribute[0][i] : -in->attribute[0][i];
    out->v[0][3] = 1;
}

REFERENCE(reflect)
{
    double normal[3];
    glsl_normalize(3, in->attribute[1], normal);
    glsl_reflect(in->attribute[0], normal, out->v[0]);
    out->v[0][3] = 1;
}

REFERENCE(refract)
{
    const double eta = 1.3;
    double ray[3], normal[3];
    glsl_normalize(3, in->attribute[0], ray);
    glsl_normalize(3, in->attribute[1], normal);
    double cosine = glsl_dot(3, normal, ray), k = 1 - eta * eta * (1 - cosine * cosine);
    for (int i = 0; i < 3; i++)
        out->v[0][i] = k < 0 ? 0 : eta * ray[i] - (eta * cosine + sqrt(k)) * normal[i];
    out->v[0][3] = 1;
}

REFERENCE(any_all)
{
    const double *a = in->attribute[0], *b = in->attribute[1];
    bool p[4];
    for (int i = 0; i < 4; i++)
        p[i] = a[i] < b[i];
    out->v[0][0] = p[0] || p[1] || p[2] || p[3];
    out->v[0][1] = p[0] && p[1];
    out->v[0][2] = !p[0] && !p[1] && !p[2] && !p[3];
    out->v[0][3] = !p[2] || !p[3];
}

/* clang-format off */
#define A IN("a", -8, 8)
#define B IN("b", -8, 8)
#define GRID 0.25
#define AG STEPS("a", -2, 2, GRID)
#define BG STEPS("b", -2, 2, GRID)
#define V {"v", 4}
#define W {"w", 4}
#define X {"x", 4}

const struct glsl_shader glsl_functions[] = {
    {"angles", angles_, {A}, {{0}}, {V, W}, 2e-7},
    {"sin", sin_, {A}, {{0}}, {V}, 1.2e-3},
    {"cos", cos_, {A}, {{0}}, {V}, 1.2e-3},
    {"tan", tan_, {IN("a", -1.2, 1.2)}, {{0}}, {V}, 3e-3},
    {"asin", asin_, {IN("a", -1, 1)}, {{0}}, {V}, 5e-4},
    {"acos", acos_, {IN("a", -1, 1)}, {{0}}, {V}, 2e-4},
    {"atan", atan_, {A}, {{0}}, {V}, 5e-6},
    {"atan2", atan2_, {A, B}, {{0}}, {V}, 5e-6},
    {"pow", pow_, {IN("a", 0.125, 4), IN("b", -3, 3)}, {{0}}, {V}, 1e-6},
    {"exp", exp_, {A}, {{0}}, {V}, 1e-6},
    {"log", log_, {IN("a", 0.01, 100)}, {{0}}, {V}, 2e-7},
    {"exp2", exp2_, {A}, {{0}}, {V}, 2e-7},
    {"log2", log2_, {IN("a", 0.01, 100)}, {{0}}, {V}, 2e-7},
    {"sqrt", sqrt_, {IN("a", 0, 20)}, {{0}}, {V}, 2e-7},
    {"inversesqrt", inversesqrt_, {IN("a", 0.01, 20)}, {{0}}, {V}, 2e-7},
    {"abs", abs_, {AG}, {{0}}, {V}, 0},
    {"sign", sign_, {AG}, {{0}}, {V}, 0},
    {"floor", floor_, {AG}, {{0}}, {V}, 0},
    {"ceil", ceil_, {AG}, {{0}}, {V}, 0},
    {"fract", fract_, {AG}, {{0}}, {V}, 0},
    {"mod", mod_, {A, IN("b", 1, 3)}, {{0}}, {V, W}, 1e-6},
    {"min", min_, {AG, BG}, {{0}}, {V, W}, 0},
    {"max", max_, {AG, BG}, {{0}}, {V, W}, 0},
    {"clamp", clamp_, {IN("a", -2, 2), BG}, {IN("low", -1, 0), IN("high", 0, 1)}, {V, W, X}, 0},
    {"mix", mix_, {A, B, IN("c", 0, 1)}, {{0}}, {V, W, X}, 1e-6},
    {"step", step_, {AG, BG}, {{0}}, {V, W}, 0},
    {"smoothstep", smoothstep_, {IN("a", -3, 4), IN("b", -2, 1)}, {{0}}, {V, W}, 2e-7},
    {"length", length_, {A}, {{0}}, {V}, 2e-7},
    {"distance", distance_, {A, B}, {{0}}, {V}, 3e-7},
    {"dot", dot_, {IN("a", -1, 1), IN("b", -1, 1)}, {{0}}, {V}, 2e-7},
    {"cross", cross_, {IN("a", -1, 1), IN("b", -1, 1)}, {{0}}, {V}, 2e-7},
    {"normalize", normalize_, {A}, {{0}}, {V, W}, 2e-7},
    {"faceforward", faceforward_, {A, B, IN("c", -8, 8)}, {{0}}, {V}, 0},
    {"reflect", reflect_, {A, B}, {{0}}, {V}, 2e-6},
    {"refract", refract_, {A, B}, {{0}}, {V}, 5e-6},
    {"less_than", less_than_, {AG, BG}, {{0}}, {V, W}, 0},
    {"greater_than", greater_than_, {AG, BG}, {{0}}, {V, W}, 0},
    {"equal_components", equal_components_, {AG, BG}, {{0}}, {V, W}, 0},
    {"any_all", any_all_, {AG, BG}, {{0}}, {V}, 0},
    {0},
};
