/* SPDX-License-Identifier: MIT */
/* scenes.c - references of whole shaders that are typical of real programs. */
#include "glsl.h"

REFERENCE(transform)
{
    glsl_transform(4, in->uniform, in->position, out->position);
    out->v[0][0] = in->attribute[0][0];
    out->v[0][1] = in->attribute[0][1];
}

/* Computes the direction from one point to another. */
static void direction(const double *from, const double *to, double *out)
{
    double difference[3];
    for (int c = 0; c < 3; c++)
        difference[c] = to[c] - from[c];
    glsl_normalize(3, difference, out);
}

/* Rows of the uniforms: mvp from 0, model from 4, light 8, eye 9, ambient 10, diffuse 11, shine
 * 12. */
REFERENCE(lighting)
{
    const double(*model)[4] = in->uniform + 4;
    double n[3], l[3], e[3], h[3], place[4];
    glsl_transform(3, model, in->attribute[0], n);
    glsl_normalize(3, n, n);
    glsl_transform(4, model, in->position, place);
    direction(place, in->uniform[8], l);
    direction(place, in->uniform[9], e);
    for (int c = 0; c < 3; c++)
        h[c] = l[c] + e[c];
    glsl_normalize(3, h, h);
    double lit = fmax(glsl_dot(3, n, l), 0);
    double glint = lit > 0 ? pow(fmax(glsl_dot(3, n, h), 0), in->uniform[12][0]) : 0;
    for (int c = 0; c < 4; c++)
        out->v[0][c] = in->uniform[10][c] + in->uniform[11][c] * lit + glint;
    glsl_transform(4, in->uniform, in->position, out->position);
}

REFERENCE(lights)
{
    for (int c = 0; c < 4; c++)
        out->v[0][c] = 0.125;
    for (int i = 0; i < 4; i++) {
        double l[3], distance[3];
        direction(in->position, in->uniform[i], l);
        for (int c = 0; c < 3; c++)
            distance[c] = in->uniform[i][c] - in->position[c];
        double strength = fmax(glsl_dot(3, in->attribute[0], l), 0) / glsl_length(3, distance);
        for (int c = 0; c < 4; c++)
            out->v[0][c] += in->uniform[4 + i][c] * strength;
    }
}

REFERENCE(skinning)
{
    double first[4], second[4];
    glsl_transform(4, in->uniform, in->position, first);
    glsl_transform(4, in->uniform + 4, in->position, second);
    for (int c = 0; c < 4; c++)
        out->position[c] = out->v[0][c] = first[c] * in->attribute[0][0] +
                                          second[c] * in->attribute[0][1];
}

REFERENCE(morph)
{
    double t = glsl_smoothstep(0, 1, in->uniform[0][0]);
    for (int c = 0; c < 4; c++)
        out->position[c] = out->v[0][c] = glsl_mix(in->position[c], in->attribute[0][c], t);
}

REFERENCE(fog)
{
    const double *bounds = in->uniform[4];
    glsl_transform(4, in->uniform, in->position, out->position);
    double d = out->position[2] * bounds[0];
    out->v[0][0] = glsl_clamp(exp(-d * d), bounds[1], 1);
}

REFERENCE(wave)
{
    const double *wave = in->uniform[0], *p = in->position;
    double phase = p[0] * wave[0] + p[2] * wave[1] + wave[3];
    double slope = cos(phase) * wave[2];
    const double normal[] = {-slope * wave[0], 1, -slope * wave[1]};
    glsl_normalize(3, normal, out->v[0]);
    out->position[1] = p[1] + sin(phase) * wave[2];
}

REFERENCE(sphere_map)
{
    double ray[3], normal[3], r[3];
    glsl_normalize(3, in->position, ray);
    glsl_normalize(3, in->attribute[0], normal);
    glsl_reflect(ray, normal, r);
    double m = 2 * sqrt(r[0] * r[0] + r[1] * r[1] + (r[2] + 1) * (r[2] + 1));
    for (int c = 0; c < 2; c++)
        out->v[0][c] = r[c] / m + 0.5;
}

REFERENCE(billboard)
{
    glsl_transform(4, in->uniform, in->position, out->position);
    for (int c = 0; c < 2; c++) {
        out->position[c] += in->attribute[0][c] * in->uniform[4][c];
        out->v[0][c] = in->attribute[0][c] * 0.5 + 0.5;
    }
}

REFERENCE(particle)
{
    const double *start = in->attribute[0], *speed = in->attribute[1];
    double t = in->uniform[0][0] - start[3], p[4] = {0, 0, 0, 2};
    for (int c = 0; c < 3; c++)
        p[c] = start[c] + speed[c] * t;
    p[1] -= 4.905 * t * t;
    if (p[1] < 0) {
        p[1] *= -0.5;
        p[0] *= 0.75;
    }
    out->v[0][0] = t * 0.25;
    out->point_size = 8 / (1 + t * 0.25);
    for (int c = 0; c < 4; c++)
        out->position[c] = p[c] + in->position[c] * 0.125;
}

REFERENCE(quaternion)
{
    const double *q = in->attribute[0], *a = in->attribute[1];
    double t[3], u[3];
    glsl_cross(q, a, t);
    for (int c = 0; c < 3; c++)
        t[c] *= 2;
    glsl_cross(q, t, u);
    for (int c = 0; c < 3; c++)
        out->v[0][c] = a[c] + q[3] * t[c] + u[c];
    out->v[0][3] = a[3];
}

REFERENCE(hsv)
{
    static const double shift[] = {1, 0.625, 0.3125};
    const double *a = in->attribute[0];
    for (int c = 0; c < 3; c++) {
        double p = fabs(glsl_fract(a[0] + shift[c]) * 6 - 3);
        out->v[0][c] = a[2] * glsl_mix(1, glsl_clamp(p - 1, 0, 1), a[1]);
    }
    out->v[0][3] = 1;
}

/* Uses de Casteljau's construction, whereas the shader uses polynomials. */
REFERENCE(bezier)
{
    double t = in->attribute[0][0];
    for (int c = 0; c < 4; c++) {
        double p[4];
        for (int i = 0; i < 4; i++)
            p[i] = in->uniform[i][c];
        for (int left = 3; left > 0; left--)
            for (int i = 0; i < left; i++)
                p[i] = glsl_mix(p[i], p[i + 1], t);
        out->v[0][c] = p[0];
    }
}

struct vec4 {
    double c[4];
};

static struct vec4 splat(double x)
{
    return (struct vec4){.c = {x, x, x, x}};
}

/* Returns a vector whose component c is component order[c] of x. */
static struct vec4 swizzle(struct vec4 x, const char *order)
{
    struct vec4 out;
    for (int c = 0; c < 4; c++)
        out.c[c] = x.c[order[c] == 'w' ? 3 : order[c] - 'x'];
    return out;
}

/* Returns x * y + z. */
static struct vec4 multiply_add(struct vec4 x, struct vec4 y, struct vec4 z)
{
    for (int c = 0; c < 4; c++)
        z.c[c] += x.c[c] * y.c[c];
    return z;
}

static struct vec4 minus(struct vec4 x)
{
    for (int c = 0; c < 4; c++)
        x.c[c] = -x.c[c];
    return x;
}

REFERENCE(pressure)
{
    const struct vec4 zero = splat(0), one = splat(1);
    struct vec4 a, b;
    for (int c = 0; c < 4; c++) {
        a.c[c] = in->attribute[0][c];
        b.c[c] = in->attribute[1][c];
    }
    struct vec4 p = multiply_add(a, b, zero), q = multiply_add(a, one, b),
                r = multiply_add(a, one, minus(swizzle(b, "wzyx"))),
                s = multiply_add(swizzle(a, "yzwx"), swizzle(b, "zwxy"), zero);
    struct vec4 t = multiply_add(p, swizzle(q, "wzyx"), r),
                u = multiply_add(q, swizzle(r, "yzwx"), s),
                x = multiply_add(r, swizzle(s, "zwxy"), p),
                y = multiply_add(s, swizzle(p, "yxwz"), q);
    struct vec4 v = multiply_add(
        t, swizzle(u, "wzyx"),
        multiply_add(x, swizzle(y, "yzwx"), multiply_add(p, q, multiply_add(r, s, zero))));
    struct vec4 w = multiply_add(
        t, x,
        minus(multiply_add(u, swizzle(y, "zwxy"),
                           multiply_add(swizzle(q, "wxyz"), r, minus(swizzle(p, "yzwx"))))));
    for (int c = 0; c < 4; c++) {
        out->v[0][c] = v.c[c];
        out->v[1][c] = w.c[c];
    }
}

REFERENCE(long)
{
    static const double coefficients[] = {0.5,    -0.25, 0.75,   -1.5, 0.0625, 1.25,
                                          -0.375, 0.875, -0.125, 2,    -1.75,  0.625};
    for (int c = 0; c < 4; c++) {
        double t = 0.03125;
        for (size_t i = 0; i < sizeof coefficients / sizeof coefficients[0]; i++)
            t = t * in->attribute[0][c] + coefficients[i];
        out->v[0][c] = t;
    }
}

/* clang-format off */
#define TURN(name) MATRIX(name, -0.5, 0.5, 4)
#define NORMAL IN("normal", -1, 1)

const struct glsl_shader glsl_scenes[] = {
    {"transform", transform_, {IN("coordinate", 0, 1)}, {TURN("mvp")}, {{"uv", 2}}, 3e-7},
    {"lighting", lighting_, {NORMAL},
     {TURN("mvp"), TURN("model"), IN("light", 9, 12), IN("eye", -12, -9), IN("ambient", 0, 0.5),
      IN("diffuse", 0, 1), IN("shine", 2, 9)}, {{"colour", 4}}, 5e-6},
    {"lights", lights_, {NORMAL}, {ROWS("light", 2, 5, 4), ROWS("tint", 0, 1, 4)}, {{"colour", 4}},
     2e-7},
    {"skinning", skinning_, {IN("weight", 0.25, 0.75)}, {TURN("bone0"), TURN("bone1")}, {{"v", 4}},
     5e-7},
    {"morph", morph_, {IN("target", 1, 3)}, {IN("time", -0.5, 1.5)}, {{"v", 4}}, 5e-7},
    {"fog", fog_, {{0}}, {TURN("view"), IN("fog", 0.1, 0.5)}, {{"mist", 1}}, 3e-7},
    {"wave", wave_, {{0}}, {IN("wave", 0.1, 2)}, {{"normal", 3}}, 4e-3},
    {"sphere_map", sphere_map_, {NORMAL}, {{0}}, {{"uv", 2}}, 2e-6},
    {"billboard", billboard_, {STEPS("corner", -1, 1, 2)}, {TURN("view"), IN("size", 0.25, 2)},
     {{"uv", 2}}, 3e-7},
    {"particle", particle_, {IN("start", 0, 1), IN("speed", -1, 8)}, {IN("time", 1, 2)},
     {{"age", 1}}, 2e-6},
    {"quaternion", quaternion_, {IN("q", -1, 1), IN("a", -2, 2)}, {{0}}, {{"v", 4}}, 1e-6},
    {"hsv", hsv_, {IN("a", 0, 1)}, {{0}}, {{"v", 4}}, 5e-7},
    {"bezier", bezier_, {IN("a", 0, 1)}, {ROWS("p", -2, 2, 4)}, {{"v", 4}}, 5e-7},
    {"pressure", pressure_, {IN("a", -1, 1), IN("b", -1, 1)}, {{0}}, {{"v", 4}, {"w", 4}}, 1e-6},
    {"long", long_, {IN("a", -1.5, 1.5)}, {{0}}, {{"v", 4}}, 5e-6},
    {0},
};
