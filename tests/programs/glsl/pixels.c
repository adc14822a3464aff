/* SPDX-License-Identifier: MIT */
/* pixels.c - references of the fragment shaders without textures. */
#include <string.h>

#include "glsl.h"

#define A      (in->attribute[0])
#define B      (in->attribute[1])
#define COLOUR (out->v[0])

/* Defines a reference that computes each component separately. a is a component of A, b of B,
 * and k of the first row of the uniforms. */
#define EACH(name, expression)                                \
    REFERENCE(name)                                           \
    {                                                         \
        for (int i = 0; i < 4; i++) {                         \
            double a = A[i], b = B[i], k = in->uniform[0][i]; \
            COLOUR[i] = (expression);                         \
            (void)a, (void)b, (void)k;                        \
        }                                                     \
    }

static void set(struct glsl_result *out, double x, double y, double z, double w)
{
    COLOUR[0] = x;
    COLOUR[1] = y;
    COLOUR[2] = z;
    COLOUR[3] = w;
}

/* --- colours --- */

EACH(colour_uniform, k)
EACH(colour_varying, a)
EACH(colour_sum, a + b * k)
EACH(clamped, glsl_clamp(a *b + 0.25, 0, 1))
EACH(steps, (b < a ? 0 : 1) * 2 + glsl_smoothstep(-0.5, 0.75, a))
EACH(pixel_bounds, fmin(a, b) * 2 + fmax(fabs(a), b))
EACH(frag_data, a * 2 - 1)

REFERENCE(colour_constants)
{
    set(out, A[0] * 0.5, 0.25, A[1] + 3, 1);
}

REFERENCE(sepia)
{
    double grey = A[0] * 0.25 + A[1] * 0.5 + A[2] * 0.125;
    set(out, glsl_mix(A[0], grey, 0.75), glsl_mix(A[1], 0.75 * grey, 0.75),
        glsl_mix(A[2], 0.5 * grey, 0.75), A[3]);
}

REFERENCE(gamma)
{
    for (int i = 0; i < 3; i++)
        COLOUR[i] = pow(fabs(A[i]) + 0.0625, 0.4545);
    COLOUR[3] = A[3];
}

/* --- discarded fragments --- */

REFERENCE(discard_one)
{
    out->discarded = A[0] < 0;
    memcpy(COLOUR, A, sizeof COLOUR);
}

REFERENCE(discard_uniform)
{
    out->discarded = A[3] > in->uniform[0][0];
    for (int i = 0; i < 4; i++)
        COLOUR[i] = A[i] * in->uniform[0][0];
}

REFERENCE(discard_nested)
{
    out->discarded = A[0] > 0 && A[1] > 0;
    memcpy(COLOUR, A[0] > 0 ? A : B, sizeof COLOUR);
}

REFERENCE(discard_twice)
{
    for (int i = 0; i < 4; i++)
        COLOUR[i] = A[i] * B[i] + B[i];
    out->discarded = A[0] * B[0] > 0.25 || COLOUR[1] < -0.5;
}

REFERENCE(discard_loop)
{
    double t = A[0];
    for (double i = 0; i < in->uniform[0][0]; i++) {
        t = t * 0.5 + A[1];
        out->discarded |= t > 1;
    }
    set(out, t, A[1], A[2], A[3]);
}

/* --- coordinates --- */

REFERENCE(coord_xy)
{
    set(out, in->coord[0], in->coord[1], A[0], A[1]);
}

REFERENCE(coord_zw)
{
    for (int i = 0; i < 4; i++)
        COLOUR[i] = in->coord[i] + A[i];
}

REFERENCE(coord_checker)
{
    double sum = floor(in->coord[0] / 4) + floor(in->coord[1] / 4);
    memcpy(COLOUR, in->uniform[glsl_mod(sum, 2) < 1 ? 0 : 1], sizeof COLOUR);
}

REFERENCE(coord_stipple)
{
    out->discarded = glsl_fract(in->coord[0] / 2) > 0.5;
    memcpy(COLOUR, A, sizeof COLOUR);
}

REFERENCE(front_facing)
{
    memcpy(COLOUR, in->front ? A : B, sizeof COLOUR);
}

REFERENCE(front_sign)
{
    for (int i = 0; i < 4; i++)
        COLOUR[i] = in->front ? A[i] : -A[i];
}

REFERENCE(point_coord)
{
    set(out, in->point[0], in->point[1], A[0], A[1]);
}

REFERENCE(point_round)
{
    double x = in->point[0] - 0.5, y = in->point[1] - 0.5, square = x * x + y * y;
    out->discarded = square > 0.25;
    for (int i = 0; i < 4; i++)
        COLOUR[i] = A[i] * (1 - 4 * square);
}

REFERENCE(all_inputs)
{
    set(out, in->coord[0] + A[0], in->coord[2] + A[1], in->point[1] + A[2],
        (in->front ? 1 : -1) + A[3]);
}

/* --- lighting --- */

REFERENCE(pixel_lighting)
{
    const double *place = B, *colour = in->uniform[1];
    double n[3], l[3], r[3], back[3], away[3], way[3];
    glsl_normalize(3, A, n);
    for (int i = 0; i < 3; i++) {
        way[i] = in->uniform[0][i] - place[i];
        away[i] = -place[i];
    }
    glsl_normalize(3, way, l);
    glsl_normalize(3, away, away);
    for (int i = 0; i < 3; i++)
        back[i] = -l[i];
    glsl_reflect(back, n, r);
    double diffuse = fmax(glsl_dot(3, n, l), 0);
    double glance = pow(fmax(glsl_dot(3, r, away), 0.0625), in->uniform[2][0]);
    for (int i = 0; i < 3; i++)
        COLOUR[i] = colour[i] * (0.125 + diffuse) + glance;
    COLOUR[3] = colour[3];
}

REFERENCE(pixel_fog)
{
    const double *fog = in->uniform[0];
    double t = glsl_clamp(exp2(-fog[3] * in->coord[2]), 0, 1);
    for (int i = 0; i < 3; i++)
        COLOUR[i] = glsl_mix(fog[i], A[i], t);
    COLOUR[3] = A[3];
}

REFERENCE(toon)
{
    double t = glsl_dot(3, A, in->uniform[0]);
    double red = t > 0.75 ? 1 : t > 0.5 ? 0.5 : t > 0 ? 0.25 : 0;
    set(out, red, red / 2, red / 2, 1);
}

/* --- loops and branches --- */

REFERENCE(pixel_loop)
{
    for (int i = 0; i < 5; i++)
        for (int c = 0; c < 4; c++)
            COLOUR[c] = COLOUR[c] * A[c] + i;
}

REFERENCE(pixel_loop_uniform)
{
    for (int c = 0; c < 4; c++) {
        COLOUR[c] = 1;
        for (double i = 0; i < in->uniform[0][0]; i++)
            COLOUR[c] = COLOUR[c] * A[c] * 0.5 + i;
    }
}

REFERENCE(pixel_loop_input)
{
    for (int c = 0; c < 4; c++) {
        COLOUR[c] = A[c];
        for (double i = 0; i < B[0]; i++)
            COLOUR[c] = COLOUR[c] * 0.5 + B[c];
    }
}

REFERENCE(pixel_break)
{
    double t = A[0], steps = 0;
    for (double i = 0; i < in->uniform[0][0]; i++) {
        t = t * 1.5 + A[1];
        if (t > 2)
            break;
        steps++;
    }
    set(out, t, steps, A[2], A[3]);
}

REFERENCE(pixel_mandelbrot)
{
    double x = 0, y = 0, steps = 0;
    for (double i = 0; i < in->uniform[0][0]; i++) {
        double next = x * x - y * y + A[0];
        y = 2 * x * y + A[1];
        x = next;
        if (x * x + y * y > 4)
            break;
        steps++;
    }
    set(out, steps, steps, steps, steps);
}

/* Returns t after n steps of t * factor + addend. */
static double again(double t, double factor, double addend, double n)
{
    for (double i = 0; i < n; i++)
        t = t * factor + addend;
    return t;
}

REFERENCE(branch_loop)
{
    double n = in->uniform[0][0];
    for (int c = 0; c < 4; c++)
        COLOUR[c] = A[0] > 0 ? again(B[c], 0.5, A[c], n) : A[c] - B[c];
}

REFERENCE(branch_loops)
{
    double n = in->uniform[0][0];
    for (int c = 0; c < 4; c++)
        COLOUR[c] = A[0] > B[0] ? again(B[c], 0.5, A[c], n) : again(B[c], 0.25, -A[c], n);
}

REFERENCE(branch_deep)
{
    double n = in->uniform[0][0];
    for (int c = 0; c < 4; c++) {
        if (A[0] <= 0)
            COLOUR[c] = A[c] * B[c];
        else if (A[1] > 0)
            COLOUR[c] = again(B[c], 0.5, A[c], n) + 1;
        else
            COLOUR[c] = again(B[c], 0.25, -B[c], n) + 1;
    }
}

REFERENCE(branch_flat)
{
    for (int c = 0; c < 4; c++) {
        int from = A[1] < B[1] ? 3 - c : c;
        if (A[0] > 0)
            COLOUR[c] = A[from] * A[from] + B[from];
        else if (A[2] > 0)
            COLOUR[c] = A[c] - B[c] * 2;
        else
            COLOUR[c] = c ? A[c - 1] : glsl_dot(4, A, B);
    }
}

/* --- numbers --- */

REFERENCE(pixel_matrix4)
{
    glsl_transform(4, in->uniform, A, COLOUR);
}

REFERENCE(pixel_matrix3)
{
    glsl_transform(3, in->uniform, A, COLOUR);
    COLOUR[3] = glsl_dot(3, A, A);
}

REFERENCE(pixel_matrix2)
{
    glsl_transform(2, in->uniform, A, COLOUR);
    glsl_transform_back(2, A, in->uniform, COLOUR + 2);
}

REFERENCE(pixel_exp_log)
{
    set(out, exp2(A[0]), log2(fabs(A[1]) + 0.5), exp(A[2]), log(fabs(A[3]) + 0.25));
}

REFERENCE(pixel_roots)
{
    set(out, sqrt(fabs(A[0])), 1 / sqrt(fabs(A[1]) + 0.125), pow(fabs(A[2]) + 0.25, 2.5),
        1 / (A[3] + 3));
}

REFERENCE(pixel_waves)
{
    set(out, sin(A[0]), cos(A[1]), sin(A[2]) * cos(A[2]), sin(A[3] * 4));
}

REFERENCE(pixel_parts)
{
    set(out, floor(A[0] * 4), ceil(A[1] * 4), glsl_fract(A[2] * 4), (A[3] > 0) - (A[3] < 0));
}

REFERENCE(pixel_products)
{
    glsl_cross(A, B, COLOUR);
    COLOUR[3] = glsl_dot(3, A, B);
}

REFERENCE(pixel_distance)
{
    double difference[3];
    for (int i = 0; i < 3; i++)
        difference[i] = A[i] - B[i];
    set(out, glsl_length(3, A), glsl_length(3, difference), glsl_length(2, A), fabs(B[0]));
}

/* Computes refract() of section 8.4. */
static void bend(const double *i, const double *n, double eta, double *to)
{
    double d = glsl_dot(3, n, i), k = 1 - eta * eta * (1 - d * d);
    for (int c = 0; c < 3; c++)
        to[c] = k < 0 ? 0 : eta * i[c] - (eta * d + sqrt(k)) * n[c];
}

REFERENCE(pixel_refract)
{
    double p[3], q[3], bent[3];
    glsl_normalize(3, A, p);
    glsl_normalize(3, B, q);
    bend(p, q, 0.625, bent);
    glsl_reflect(A, q, COLOUR);
    for (int i = 0; i < 3; i++)
        COLOUR[i] += bent[i];
    COLOUR[3] = 1;
}

REFERENCE(pixel_swizzle)
{
    double t[] = {B[1], A[2] + A[0], B[3], A[0] + A[0]}; /* components x, y, z, w */
    set(out, t[1], t[0], t[3], t[2]);
}

REFERENCE(pixel_logic)
{
    bool less[4], any = false, all = true;
    for (int i = 0; i < 4; i++) {
        less[i] = A[i] < B[i];
        any |= less[i];
        all &= less[i];
    }
    set(out, any, all, (!less[0] && less[1]) || less[2], (A[0] == B[0]) != less[3]);
}

REFERENCE(pixel_integers)
{
    double n = trunc(A[0] * 8), m = trunc(A[1] * 8);
    set(out, n + m, n * m - 3, n > m ? n : m, n * 0.5);
}

/* The shader exchanges p and q. The rest is a quarter of p. */
REFERENCE(pixel_functions)
{
    for (int i = 0; i < 4; i++)
        COLOUR[i] = B[i] * 0.25 * (B[0] + B[1]) - A[i];
}

REFERENCE(pixel_struct)
{
    const double(*light)[4] = in->uniform;
    for (int i = 0; i < 4; i++)
        COLOUR[i] = A[i] * light[0][i] * light[1][0] + (i < 3 ? light[2][i] : 1);
}

REFERENCE(pixel_array)
{
    const double(*k)[4] = in->uniform;
    for (int i = 0; i < 4; i++)
        COLOUR[i] = A[i] * k[0][i] + k[3][i] - k[5][i] * k[1][i];
}

REFERENCE(pixel_array_loop)
{
    for (int i = 0; i < 4; i++) {
        COLOUR[i] = A[i];
        for (int n = 0; n < 6; n++)
            COLOUR[i] = COLOUR[i] * 0.5 + in->uniform[n][i];
    }
}

REFERENCE(eight_varyings)
{
    const double(*v)[4] = in->attribute;
    for (int i = 0; i < 4; i++)
        COLOUR[i] = v[0][i] + v[1][i] * v[2][i] - v[3][i] * v[4][i] + v[5][i] * v[6][i] * v[7][i];
}

REFERENCE(pixel_scalars)
{
    double p = A[0], q = B[0];
    const double *r = in->attribute[2];
    set(out, p * p, q * p, r[0] * p, r[1] * p);
}

REFERENCE(pixel_spill)
{
    static const int wzyx[] = {3, 2, 1, 0}, yzwx[] = {1, 2, 3, 0}, zwxy[] = {2, 3, 0, 1},
                     yxwz[] = {1, 0, 3, 2};
    double p[4], q[4], r[4], s[4], t[4], u[4], x[4], y[4];
    for (int i = 0; i < 4; i++) {
        p[i] = A[i] * B[i];
        q[i] = A[i] + B[wzyx[i]];
        r[i] = A[i] - B[yzwx[i]];
        s[i] = A[yzwx[i]] * B[zwxy[i]];
    }
    for (int i = 0; i < 4; i++) {
        t[i] = p[i] * q[wzyx[i]] + r[i];
        u[i] = q[i] * r[yzwx[i]] + s[i];
        x[i] = r[i] * s[zwxy[i]] + p[i];
        y[i] = s[i] * p[yxwz[i]] + q[i];
    }
    for (int i = 0; i < 4; i++)
        COLOUR[i] = t[i] * u[wzyx[i]] + x[i] * y[yzwx[i]] + p[i] * q[i] + r[i] * s[i];
}

/* clang-format off */
#define INPUT_A IN("a", -1, 1)
#define INPUT_B IN("b", -1, 1)
#define INPUT_P IN("p", -1, 1)
#define INPUT_Q IN("q", 0.25, 1)
#define COUNT   STEPS("n", 0, 6, 1)

const struct glsl_shader glsl_pixels[] = {
    {"colour_uniform", colour_uniform_, {{0}}, {IN("k", -2, 2)}, {{0}}, 0},
    {"colour_varying", colour_varying_, {INPUT_A}, {{0}}, {{0}}, 0},
    {"colour_sum", colour_sum_, {INPUT_A, INPUT_B}, {IN("k", -2, 2)}, {{0}}, 2e-7},
    {"colour_constants", colour_constants_, {INPUT_A}, {{0}}, {{0}}, 1e-7},
    {"clamped", clamped_, {INPUT_A, INPUT_B}, {{0}}, {{0}}, 1e-7},
    {"steps", steps_, {INPUT_A, INPUT_B}, {{0}}, {{0}}, 5e-7},
    {"sepia", sepia_, {INPUT_A}, {{0}}, {{0}}, 3e-7},
    {"gamma", gamma_, {INPUT_A}, {{0}}, {{0}}, 1e-6},
    {"frag_data", frag_data_, {INPUT_A}, {{0}}, {{0}}, 1e-7},
    {"discard_one", discard_one_, {INPUT_A}, {{0}}, {{0}}, 0},
    {"discard_uniform", discard_uniform_, {INPUT_A}, {IN("limit", -1, 1)}, {{0}}, 1e-7},
    {"discard_nested", discard_nested_, {INPUT_A, INPUT_B}, {{0}}, {{0}}, 0},
    {"discard_twice", discard_twice_, {INPUT_A, INPUT_B}, {{0}}, {{0}}, 2e-7},
    {"discard_loop", discard_loop_, {INPUT_A}, {COUNT}, {{0}}, 3e-7},
    {"coord_xy", coord_xy_, {INPUT_A}, {{0}}, {{0}}, 0},
    {"coord_zw", coord_zw_, {INPUT_A}, {{0}}, {{0}}, 2e-7},
    {"coord_checker", coord_checker_, {{0}}, {IN("k", 0, 1), IN("l", 0, 1)}, {{0}}, 0},
    {"coord_stipple", coord_stipple_, {INPUT_A}, {{0}}, {{0}}, 0},
    {"front_facing", front_facing_, {INPUT_A, INPUT_B}, {{0}}, {{0}}, 0},
    {"front_sign", front_sign_, {INPUT_A}, {{0}}, {{0}}, 0},
    {"point_coord", point_coord_, {INPUT_A}, {{0}}, {{0}}, 0},
    {"point_round", point_round_, {INPUT_A}, {{0}}, {{0}}, 4e-7},
    {"all_inputs", all_inputs_, {INPUT_A}, {{0}}, {{0}}, 2e-7},
    {"pixel_lighting", pixel_lighting_, {IN("normal", 0.25, 1), IN("place", -3, -1)},
     {IN("light", 2, 5), IN("colour", 0, 1), IN("shine", 2, 9)}, {{0}}, 5e-6},
    {"pixel_fog", pixel_fog_, {INPUT_A}, {IN("fog", 0.25, 2)}, {{0}}, 5e-7},
    {"toon", toon_, {IN("normal", -1, 1)}, {IN("light", -1, 1)}, {{0}}, 0},
    {"pixel_loop", pixel_loop_, {INPUT_A}, {{0}}, {{0}}, 5e-7},
    {"pixel_loop_uniform", pixel_loop_uniform_, {INPUT_A}, {COUNT}, {{0}}, 5e-7},
    {"pixel_loop_input", pixel_loop_input_, {INPUT_A, IN("b", -2, 6)}, {{0}}, {{0}}, 5e-7},
    {"pixel_break", pixel_break_, {INPUT_A}, {COUNT}, {{0}}, 2e-6},
    {"pixel_mandelbrot", pixel_mandelbrot_, {STEPS("a", -2, 2, 0.125)}, {STEPS("limit", 0, 4, 1)},
     {{0}}, 0},
    {"branch_loop", branch_loop_, {INPUT_A, INPUT_B}, {COUNT}, {{0}}, 5e-7},
    {"branch_loops", branch_loops_, {INPUT_A, INPUT_B}, {COUNT}, {{0}}, 5e-7},
    {"branch_deep", branch_deep_, {INPUT_A, INPUT_B}, {COUNT}, {{0}}, 5e-7},
    {"branch_flat", branch_flat_, {INPUT_A, INPUT_B}, {{0}}, {{0}}, 3e-7},
    {"pixel_matrix4", pixel_matrix4_, {INPUT_A}, {ROWS("m", -1, 1, 4)}, {{0}}, 3e-7},
    {"pixel_matrix3", pixel_matrix3_, {IN("normal", -1, 1)}, {ROWS("m", -1, 1, 3)}, {{0}}, 3e-7},
    {"pixel_matrix2", pixel_matrix2_, {INPUT_P}, {ROWS("m", -1, 1, 2)}, {{0}}, 2e-7},
    {"pixel_exp_log", pixel_exp_log_, {INPUT_A}, {{0}}, {{0}}, 1e-6},
    {"pixel_roots", pixel_roots_, {INPUT_A}, {{0}}, {{0}}, 1e-6},
    {"pixel_waves", pixel_waves_, {INPUT_A}, {{0}}, {{0}}, 2e-6},
    {"pixel_parts", pixel_parts_, {INPUT_A}, {{0}}, {{0}}, 1e-7},
    {"pixel_bounds", pixel_bounds_, {INPUT_A, INPUT_B}, {{0}}, {{0}}, 2e-7},
    {"pixel_products", pixel_products_, {INPUT_P, INPUT_Q}, {{0}}, {{0}}, 3e-7},
    {"pixel_distance", pixel_distance_, {INPUT_P, INPUT_Q}, {{0}}, {{0}}, 5e-7},
    {"pixel_refract", pixel_refract_, {INPUT_P, INPUT_Q}, {{0}}, {{0}}, 5e-6},
    {"pixel_swizzle", pixel_swizzle_, {INPUT_A, INPUT_B}, {{0}}, {{0}}, 1e-7},
    {"pixel_logic", pixel_logic_, {STEPS("a", -1, 1, 0.5), STEPS("b", -1, 1, 0.5)}, {{0}}, {{0}},
     0},
    {"pixel_integers", pixel_integers_, {INPUT_A}, {{0}}, {{0}}, 0},
    {"pixel_functions", pixel_functions_, {INPUT_A, INPUT_B}, {{0}}, {{0}}, 3e-7},
    {"pixel_struct", pixel_struct_, {INPUT_A}, {ROWS("light", -1, 1, 3)}, {{0}}, 2e-7},
    {"pixel_array", pixel_array_, {INPUT_A}, {ROWS("k", -1, 1, 6)}, {{0}}, 3e-7},
    {"pixel_array_loop", pixel_array_loop_, {INPUT_A}, {ROWS("k", -1, 1, 6)}, {{0}}, 3e-7},
    {"eight_varyings", eight_varyings_,
     {IN("v0", -1, 1), IN("v1", -1, 1), IN("v2", -1, 1), IN("v3", -1, 1), IN("v4", -1, 1),
      IN("v5", -1, 1), IN("v6", -1, 1), IN("v7", -1, 1)}, {{0}}, {{0}}, 5e-7},
    {"pixel_scalars", pixel_scalars_, {INPUT_P, INPUT_Q, IN("r", -1, 1)}, {{0}}, {{0}}, 1e-7},
    {"pixel_spill", pixel_spill_, {INPUT_A, INPUT_B}, {{0}}, {{0}}, 2e-6},
    {0},
};
