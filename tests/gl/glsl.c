/* SPDX-License-Identifier: MIT */
/* glsl.c - tests built-in functions and operators of shaders, and derivatives.
 *
 * Expected: the C library's functions in double. The tolerance is 2 of 255 (GLSL ES 1.00, 4.5.2:
 * even mediump is precise to 2^-10, and the functions here do not enlarge that error). */
#include "gl_test.h"

#include <math.h>
#include <stdio.h>

/* A function of u and w, which increase from 0 to 1 over the width and the height. Its result
 * should be within 0 to 1. */
struct function {
    const char *glsl;
    double (*c)(double u, double w);
};

#define FUNCTION(name, expression)         \
    static double name(double u, double w) \
    {                                      \
        (void)u;                           \
        (void)w;                           \
        return expression;                 \
    }

static double fraction(double x)
{
    return x - floor(x);
}

static double clamped(double x, double low, double high)
{
    return fmin(fmax(x, low), high);
}

static double smooth(double low, double high, double x)
{
    double t = clamped((x - low) / (high - low), 0, 1);
    return t * t * (3 - 2 * t);
}

FUNCTION(f_sin, sin(u * 6.0) * 0.5 + 0.5)
FUNCTION(f_cos, cos(u * 6.0 - w * 6.0) * 0.5 + 0.5)
FUNCTION(f_tan, tan(u) * 0.5)
FUNCTION(f_asin, asin(u * 2 - 1) / 3.2 + 0.5)
FUNCTION(f_acos, acos(u * 2 - 1) / 3.2)
FUNCTION(f_atan, atan(u * 8 - 4) / 3.2 + 0.5)
FUNCTION(f_atan2, atan2(u - 0.5, w - 0.5) / 6.4 + 0.5)
FUNCTION(f_radians, u * 90 * 3.14159265358979 / 180 * 0.5)
FUNCTION(f_pow, pow(u + 0.1, w * 4) * 0.5)
FUNCTION(f_exp, exp(u) / 3)
FUNCTION(f_exp2, exp2(u * 6 - 6))
FUNCTION(f_log, log(u + 1))
FUNCTION(f_log2, log2(u * 15 + 1) / 4)
FUNCTION(f_sqrt, sqrt(u))
FUNCTION(f_inversesqrt, 1 / sqrt(u * 8 + 1))
FUNCTION(f_divide, (w + 0.1) / (u + 1.2))
FUNCTION(f_abs, fabs(u * 2 - 1))
FUNCTION(f_sign, (u - 0.5 > 0 ? 1 : u - 0.5 < 0 ? -1 : 0) * 0.25 + 0.5)
FUNCTION(f_floor, floor(u * 8 - 4) / 8 + 0.5)
FUNCTION(f_ceil, ceil(u * 8 - 4) / 8 + 0.5)
FUNCTION(f_fract, fraction(u * 4 - 2.125))
FUNCTION(f_mod, (u * 5 - 2 - 1.5 * floor((u * 5 - 2) / 1.5)) / 1.5)
FUNCTION(f_min, fmin(u, w))
FUNCTION(f_max, fmax(u, w))
FUNCTION(f_clamp, clamped(u, 0.3, 0.7))
FUNCTION(f_mix, u *(1 - w) + (1 - u) * w)
FUNCTION(f_step, w < u ? 0 : 1)
FUNCTION(f_smoothstep, smooth(0.2, 0.9, u))
FUNCTION(f_length, sqrt(u *u + w * w) * 0.7)
FUNCTION(f_distance, hypot(u - 0.5, w - 0.25))
FUNCTION(f_dot, (u * w + w * 0.5 + 0.25 * u) * 0.5)
FUNCTION(f_cross, fabs(u * 0.25 - w * 0.5))
FUNCTION(f_normalize, (u + 0.1) / hypot(u + 0.1, w + 0.1))
FUNCTION(f_faceforward, u < 0.5 ? 0.25 : 0.75)
FUNCTION(f_reflect, u * 0.5)
FUNCTION(f_matrix, (0.5 * u + 0.25 * w + 0.125) * 0.9)
FUNCTION(f_any, u > 0.7 || w > 0.7 ? 0.8 : 0.2)
FUNCTION(f_equal, (u < 0.5) == (w < 0.5) ? 0.8 : 0.2)
FUNCTION(f_integers, (double)((int)(u * 100) / 7) / 20)
FUNCTION(f_choice, u > w ? u : 1 - w)

static const struct function functions[] = {
    /* clang-format off */
    /* clang-format off */
    {"sin(u * 6.0) * 0.5 + 0.5",                                           f_sin},
    {"cos(u * 6.0 - w * 6.0) * 0.5 + 0.5",                                 f_cos},
    {"tan(u) * 0.5",                                                       f_tan},
    {"asin(u * 2.0 - 1.0) / 3.2 + 0.5",                                    f_asin},
    {"acos(u * 2.0 - 1.0) / 3.2",                                          f_acos},
    {"atan(u * 8.0 - 4.0) / 3.2 + 0.5",                                    f_atan},
    {"atan(u - 0.5, w - 0.5) / 6.4 + 0.5",                                 f_atan2},
    {"radians(u * 90.0) * 0.5",                                            f_radians},
    {"pow(u + 0.1, w * 4.0) * 0.5",                                        f_pow},
    {"exp(u) / 3.0",                                                       f_exp},
    {"exp2(u * 6.0 - 6.0)",                                                f_exp2},
    {"log(u + 1.0)",                                                       f_log},
    {"log2(u * 15.0 + 1.0) / 4.0",                                         f_log2},
    {"sqrt(u)",                                                            f_sqrt},
    {"inversesqrt(u * 8.0 + 1.0)",                                         f_inversesqrt},
    {"(w + 0.1) / (u + 1.2)",                                              f_divide},
    {"abs(u * 2.0 - 1.0)",                                                 f_abs},
    {"sign(u - 0.5) * 0.25 + 0.5",                                         f_sign},
    {"floor(u * 8.0 - 4.0) / 8.0 + 0.5",                                   f_floor},
    {"ceil(u * 8.0 - 4.0) / 8.0 + 0.5",                                    f_ceil},
    {"fract(u * 4.0 - 2.125)",                                             f_fract},
    {"mod(u * 5.0 - 2.0, 1.5) / 1.5",                                      f_mod},
    {"min(u, w)",                                                          f_min},
    {"max(u, w)",                                                          f_max},
    {"clamp(u, 0.3, 0.7)",                                                 f_clamp},
    {"mix(u, 1.0 - u, w)",                                                 f_mix},
    {"step(u, w)",                                                         f_step},
    {"smoothstep(0.2, 0.9, u)",                                            f_smoothstep},
    {"length(vec2(u, w)) * 0.7",                                           f_length},
    {"distance(vec2(u, w), vec2(0.5, 0.25))",                              f_distance},
    {"dot(vec3(u, w, 0.25), vec3(w, 0.5, u)) * 0.5",                       f_dot},
    {"abs(cross(vec3(u, w, 0), vec3(0.5, 0.25, 0)).z)",                    f_cross},
    {"normalize(vec2(u + 0.1, w + 0.1)).x",                                f_normalize},
    {"faceforward(vec2(0.25, 0), vec2(0.5 - u, 0), vec2(-1, 0)).x * (u < 0.5 ? 1.0 : -3.0)",
     f_faceforward},
    {"reflect(vec2(u, -w), vec2(0, 1)).x * 0.5",                           f_reflect},
    {"(mat3(0.5, 0, 0, 0.25, 1, 0, 0.125, 0, 1) * vec3(u, w, 1)).x * 0.9", f_matrix},
    {"any(greaterThan(vec2(u, w), vec2(0.7))) ? 0.8 : 0.2",                f_any},
    {"(u < 0.5) == (w < 0.5) ? 0.8 : 0.2",                                 f_equal},
    {"float(int(u * 100.0) / 7) / 20.0",                                   f_integers},
    {"u > w ? u : 1.0 - w",                                                f_choice},
    /* clang-format on */
    /* clang-format on */
};

static const struct function *now;

/* The 64 pixels are 32 steps of u and w, of 2 pixels each. u = (2 floor(x / 2) + 1.1) / 64 is
 * not close to any jump of the functions. */
static double argument(int pixel)
{
    return (2 * (pixel / 2) + 1.1) / 64;
}

static struct rgba function_picture(int x, int y)
{
    return RGBA(gl_byte(now->c(argument(x), argument(y))), 0, 0, 255);
}

static const char fragment_format[] =
    "precision highp float; varying vec2 v; uniform float zero; void main() {"
    "vec2 at = (floor(v / 2.0) * 2.0 + 1.1) / 64.0; float u = at.x, w = at.y;"
    "gl_FragColor = vec4(%s, 0, 0, 1); }";

static void in_fragments(void)
{
    for (int i = 0; i < (int)(sizeof(functions) / sizeof(*functions)); i++) {
        char source[1024];
        now = &functions[i];
        snprintf(source, sizeof(source), fragment_format, now->glsl);
        gl_program(gl_vertex_texture, source);
        gl_textured_quad(0, 0, 64, 64, 0, 0, 64, 64);
        gl_about(now->glsl);
        EXPECT_PICTURE(function_picture, 2);
    }
}

/* Computes the functions in vertex shaders. Each of the 16 x 16 pairs of arguments has a point. */
static void in_vertices(void)
{
    static float points[256][4];
    for (int i = 0; i < 256; i++) {
        int x = i % 16 * 4, y = i / 16 * 4;
        points[i][0] = gl_ndc((float)x + 0.5f);
        points[i][1] = gl_ndc((float)y + 0.5f);
        points[i][2] = (float)argument(x);
        points[i][3] = (float)argument(y);
    }
    for (int i = 0; i < (int)(sizeof(functions) / sizeof(*functions)); i++) {
        char source[1024];
        now = &functions[i];
        snprintf(
            source, sizeof(source),
            "attribute vec4 position; varying vec4 v; void main() { gl_Position = "
            "vec4(position.xy, 0, 1);"
            "gl_PointSize = 1.0; float u = position.z, w = position.w; v = vec4(%s, 0, 0, 1); }",
            now->glsl);
        gl_program(source, gl_fragment_value);
        glVertexAttribPointer(POSITION, 4, GL_FLOAT, GL_FALSE, 0, points);
        glEnableVertexAttribArray(POSITION);
        glDrawArrays(GL_POINTS, 0, 256);
        gl_about(now->glsl);
        for (int k = 0; k < 256; k += 15)
            EXPECT_PIXEL(k % 16 * 4, k / 16 * 4, function_picture(k % 16 * 4, k / 16 * 4), 2);
    }
}

/* Tests OES_standard_derivatives. u = x / 64 + y / 32 has the derivatives 1/64 and 1/32 per
 * pixel, so its fwidth is 3/64. The picture shows these values times 16. */
static void derivatives(void)
{
    gl_need("GL_OES_standard_derivatives");
    gl_program(gl_vertex_texture,
               "#extension GL_OES_standard_derivatives : require\n"
               "precision highp float; varying vec2 v; void main() {"
               "float u = v.x + 2.0 * v.y;"
               "gl_FragColor = vec4(dFdx(u), dFdy(u), fwidth(u), 1.0 / 16.0) * 16.0; }");
    gl_textured_quad(0, 0, 64, 64, 0, 0, 1, 1);
    EXPECT_RECT(0, 0, 64, 64, RGBA(64, 128, 191, 255), 1);
    /* A negative derivative of -1/64 in x is shown as 1/2 + 16 dFdx. */
    gl_program(gl_vertex_texture, "#extension GL_OES_standard_derivatives : require\n"
                                  "precision highp float; varying vec2 v;"
                                  "void main() { gl_FragColor = vec4(0.5 + 16.0 * dFdx(v.x), 0.5 + "
                                  "16.0 * dFdy(v.y), 0, 1); }");
    gl_textured_quad(0, 0, 64, 64, 1, 1, 0, 0);
    EXPECT_RECT(0, 0, 64, 64, RGBA(64, 64, 0, 255), 1);
}

const struct gl_case gl_cases[] = {
    {"in_fragments", in_fragments, ON_FBO},
    {"in_vertices", in_vertices, ON_FBO},
    {"derivatives", derivatives, ON_BOTH},
    {NULL, NULL, ON_BOTH},
};
