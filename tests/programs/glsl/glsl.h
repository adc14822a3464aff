/* SPDX-License-Identifier: MIT */
/* glsl.h - references of the shaders of this folder: for each shader its inputs, its outputs, and a
 * C function in float64.
 *
 * In:      attributes, or varyings of a fragment, and uniforms, in the order of the shader's
 *          declarations.
 * Out:     gl_Position before the viewport transform, gl_PointSize before its bounds, and the
 *          varyings.
 * Source:  The OpenGL ES Shading Language 1.00, chapters 5, 6 and 8; one function for each shader,
 *          written from its text. */
#ifndef TESTS_GLSL_H
#define TESTS_GLSL_H

#include <math.h>
#include <stdbool.h>
#include <stddef.h>

enum { GLSL_ATTRIBUTES = 15, GLSL_UNIFORMS = 7, GLSL_VARYINGS = 11, GLSL_ROWS = 24 };

/* An input whose values are from low to high. If grid is not 0, values are multiples of grid. */
struct glsl_input {
    const char *name; /* name in the shader */
    double low, high, grid;
    unsigned rows;   /* number of rows of a uniform; 0 means one */
    double diagonal; /* number added to component r of row r, so that a matrix is invertible */
};

/* clang-format off */
#define IN(name, low, high)           {name, low, high, 0, 0, 0}
#define STEPS(name, low, high, grid)  {name, low, high, grid, 0, 0}
#define ROWS(name, low, high, rows)   {name, low, high, 0, rows, 0}
#define MATRIX(name, low, high, rows) {name, low, high, 0, rows, 3}
/* clang-format on */

struct glsl_output {
    const char *name;
    unsigned components;
};

struct glsl_values {
    double position[4];
    double attribute[GLSL_ATTRIBUTES][4]; /* attributes other than the position, which all
                                             shaders have */
    double uniform[GLSL_ROWS][4];         /* rows of all uniforms, in the order of the uniforms */
    /* Inputs of a fragment. Its varyings are in attribute[]. */
    double coord[4], point[2];
    bool front;
    unsigned
        level; /* level of detail for textures with levels: one texel of the level per fragment */
};

struct glsl_result {
    double position[4];         /* the position input, unless the shader changes it */
    double point_size;          /* negative if the shader does not write it */
    double v[GLSL_VARYINGS][4]; /* v[0] of a fragment shader is gl_FragColor */
    bool discarded;
};

struct glsl_shader {
    const char *name;
    void (*run)(const struct glsl_values *in, struct glsl_result *out);
    struct glsl_input attributes[GLSL_ATTRIBUTES];
    struct glsl_input uniforms[GLSL_UNIFORMS];
    struct glsl_output varyings[GLSL_VARYINGS];
    double tolerance; /* largest error, relative to max(1, |value|) */
};

/* Tables of vertex shaders. Each ends with an entry without a name. */
extern const struct glsl_shader glsl_operators[], glsl_functions[], glsl_matrices[], glsl_control[],
    glsl_scenes[];

/* Tables of fragment shaders. The entries' attributes are varyings, and the entries' varyings
 * contain gl_FragColor. */
extern const struct glsl_shader glsl_pixels[], glsl_samples[];

#define REFERENCE(name) static void name##_(const struct glsl_values *in, struct glsl_result *out)

static inline double glsl_dot(int components, const double *a, const double *b)
{
    double sum = 0;
    for (int c = 0; c < components; c++)
        sum += a[c] * b[c];
    return sum;
}

static inline double glsl_length(int components, const double *a)
{
    return sqrt(glsl_dot(components, a, a));
}

static inline void glsl_normalize(int components, const double *a, double *out)
{
    double length = glsl_length(components, a);
    for (int c = 0; c < components; c++)
        out[c] = a[c] / length;
}

static inline void glsl_cross(const double *a, const double *b, double *out)
{
    for (int c = 0; c < 3; c++) {
        int d = (c + 1) % 3, e = (c + 2) % 3;
        out[c] = a[d] * b[e] - a[e] * b[d];
    }
}

/* Computes i - 2 dot(n, i) n. */
static inline void glsl_reflect(const double *i, const double *n, double *out)
{
    double twice = 2 * glsl_dot(3, n, i);
    for (int c = 0; c < 3; c++)
        out[c] = i[c] - twice * n[c];
}

/* Multiplies a matrix, which is stored by columns, with a vector. */
static inline void glsl_transform(int size, const double (*m)[4], const double *v, double *out)
{
    for (int c = 0; c < size; c++) {
        out[c] = 0;
        for (int column = 0; column < size; column++)
            out[c] += m[column][c] * v[column];
    }
}

/* Multiplies a vector with a matrix, which is stored by columns. */
static inline void glsl_transform_back(int size, const double *v, const double (*m)[4], double *out)
{
    for (int column = 0; column < size; column++)
        out[column] = glsl_dot(size, v, m[column]);
}

static inline double glsl_clamp(double x, double low, double high)
{
    return fmin(fmax(x, low), high);
}

static inline double glsl_mix(double x, double y, double a)
{
    return x * (1 - a) + y * a;
}

static inline double glsl_smoothstep(double low, double high, double x)
{
    double t = glsl_clamp((x - low) / (high - low), 0, 1);
    return t * t * (3 - 2 * t);
}

static inline double glsl_fract(double x)
{
    return x - floor(x);
}

static inline double glsl_mod(double x, double y)
{
    return x - y * floor(x / y);
}

#endif
