/* SPDX-License-Identifier: MIT */
/* a2xx.c - see a2xx.h. Sums and products are in the order of the examples' GLSL. near.h describes
 * the bounds of their errors. */
#include "a2xx.h"

/* Sets a vector whose fourth component is 1, like an attribute with fewer than four components. */
static void point(struct near out[4], const float *in, unsigned count)
{
    near_copy(out, in, count);
    for (unsigned i = count; i < 4; i++)
        out[i] = near_exact(i == 3);
}

static void constant(struct near out[4], double x, double y, double z, double w)
{
    const double values[4] = {x, y, z, w};
    for (unsigned i = 0; i < 4; i++)
        out[i] = near_exact((double)(float)values[i]);
}

static void transform(struct near out[4], const float (*columns)[4], const struct near vector[4])
{
    for (unsigned i = 0; i < 4; i++)
        out[i] = near_row_times(columns, i, vector, 4);
}

static void normalize(struct near vector[3])
{
    struct near inverse = near_inverse_root(near_dot(vector, vector, 3));
    for (unsigned i = 0; i < 3; i++)
        vector[i] = near_product(vector[i], inverse);
}

/* --- vertex programs --- */

void a2xx_first_listing(const struct shader_vertex *vertex, struct near outputs[][4])
{
    point(outputs[0], vertex->attributes[0], 3);
}

/* The attributes are in_position, in_normal and in_color. */
void a2xx_lighting(const struct shader_vertex *vertex, struct near outputs[][4])
{
    static const double light[3] = {2, 2, 20};
    const float(*view)[4] = vertex->rows;
    struct near position[4], normal[3], colour[3], eye_normal[3], direction[3];
    point(position, vertex->attributes[0], 3);
    near_copy(normal, vertex->attributes[1], 3);
    near_copy(colour, vertex->attributes[2], 3);

    transform(outputs[0], vertex->rows + 4, position);
    struct near inverse_w = near_inverse(near_row_times(view, 3, position, 4));
    for (unsigned i = 0; i < 3; i++) {
        struct near eye = near_product(near_row_times(view, i, position, 4), inverse_w);
        direction[i] = near_minus(near_exact(light[i]), eye);
        eye_normal[i] = near_row_times(vertex->rows + 8, i, normal, 3);
    }
    normalize(direction);
    struct near diffuse = near_clamped(near_dot(eye_normal, direction, 3), 0, INFINITY);
    for (unsigned i = 0; i < 3; i++)
        outputs[1][i] = near_product(diffuse, colour[i]);
    outputs[1][3] = near_exact(1);
}

void a2xx_texture(const struct shader_vertex *vertex, struct near outputs[][4])
{
    near_copy(outputs[0], vertex->attributes[0], 4);
    point(outputs[1], vertex->attributes[1], 2);
}

void a2xx_quad(const struct shader_vertex *vertex, struct near outputs[][4])
{
    point(outputs[0], vertex->attributes[0], 2);
    near_copy(outputs[1], vertex->attributes[0], 2);
}

void a2xx_kill(const struct shader_vertex *vertex, struct near outputs[][4])
{
    near_copy(outputs[0], vertex->attributes[0], 4);
    point(outputs[1], vertex->attributes[1], 3);
    near_copy(outputs[2], vertex->attributes[2], 2);
}

/* The slope of a sine is at most 1, so the error does not grow. The model rounds the sine once
 * (docs/a2xx/core.md). */
static struct near sine(struct near a)
{
    return near_made(sin(a.value), a.error);
}

static struct near height(struct near x, struct near y)
{
    struct near place[2] = {x, y}, waves[2][4];
    constant(waves[0], 5, 1, 0.15, 0);
    constant(waves[1], -3, 6, 0.1, 0);
    return near_plus(near_product(sine(near_dot(place, waves[0], 2)), waves[0][2]),
                     near_product(sine(near_dot(place, waves[1], 2)), waves[1][2]));
}

static void ripples(const struct shader_vertex *vertex, struct near outputs[][4], bool lit)
{
    struct near position[4], slope[3], light[4], step = near_exact(0.0625);
    point(position, vertex->attributes[0], 2);
    struct near x = position[0], y = position[1], here = height(x, y);
    position[2] = here;
    transform(outputs[0], vertex->rows, position);

    slope[0] = near_minus(here, height(near_plus(x, step), y));
    slope[1] = near_minus(here, height(x, near_plus(y, step)));
    slope[2] = step;
    normalize(slope);
    constant(light, 0.6, 0, 0.8, 0);
    struct near bright = near_clamped(near_dot(slope, light, 3), 0, INFINITY);
    constant(outputs[1], 0.3, 0.6, 0.9, 1);
    for (unsigned i = 0; i < 3 && lit; i++)
        outputs[1][i] = near_product(outputs[1][i], bright);
}

void a2xx_ripples(const struct shader_vertex *vertex, struct near outputs[][4])
{
    ripples(vertex, outputs, true);
}

void a2xx_dark_ripples(const struct shader_vertex *vertex, struct near outputs[][4])
{
    ripples(vertex, outputs, false);
}

static struct near by_bone(const struct shader_vertex *vertex, unsigned bone, unsigned axis)
{
    const float *row = vertex->rows[3 * (unsigned)vertex->attributes[1][bone] + axis];
    struct near position[4], elements[4];
    point(position, vertex->attributes[0], 3);
    near_copy(elements, row, 4);
    struct near weight = near_exact((double)vertex->attributes[1][2 + bone]);
    return near_product(near_dot(elements, position, 4), weight);
}

void a2xx_skinning(const struct shader_vertex *vertex, struct near outputs[][4])
{
    const float *view = vertex->rows[12];
    for (unsigned axis = 0; axis < 2; axis++) {
        struct near place = near_plus(by_bone(vertex, 0, axis), by_bone(vertex, 1, axis));
        outputs[0][axis] = near_plus(near_product(place, near_exact((double)view[axis])),
                                     near_exact((double)view[2 + axis]));
    }
    outputs[0][2] = near_exact(0);
    outputs[0][3] = near_exact(1);
    point(outputs[1], vertex->attributes[2], 3);
}

void a2xx_cube(const struct shader_vertex *vertex, struct near outputs[][4])
{
    struct near position[4], normal[3];
    point(position, vertex->attributes[0], 3);
    near_copy(normal, vertex->attributes[1], 3);
    transform(outputs[0], vertex->rows, position);
    for (unsigned i = 0; i < 3; i++)
        outputs[1][i] = near_row_times(vertex->rows + 4, i, normal, 3);
    near_copy(outputs[2], vertex->attributes[2], 2);
}

/* --- pixel programs --- */

static void in_doubt(struct near *values, unsigned count)
{
    for (unsigned i = 0; i < count; i++)
        values[i].error = INFINITY;
}

void a2xx_plain(const struct shader_vertex *pixel, struct near outputs[][4])
{
    (void)pixel;
    constant(outputs[0], 1, 0.75, 0.25, 1);
}

void a2xx_colour(const struct shader_vertex *pixel, struct near outputs[][4])
{
    near_copy(outputs[0], pixel->attributes[0], 4);
}

void a2xx_branch(const struct shader_vertex *pixel, struct near outputs[][4])
{
    struct near place[2], core[4], to_rim[4];
    near_copy(place, pixel->attributes[0], 2);
    struct near square = near_dot(place, place, 2);
    struct near level = near_minus(square, near_exact(0.5));
    constant(outputs[0], 0.05, 0.05, 0.2, 1);
    if (level.value < 0) {
        constant(core, 1, 0.9, 0.3, 1);
        constant(to_rim, -0.2, -0.7, -0.2, 0);
        for (unsigned i = 0; i < 3; i++)
            outputs[0][i] = near_plus(core[i],
                                      near_product(near_product(square, near_exact(2)), to_rim[i]));
    }
    if (fabs(level.value) <= level.error)
        in_doubt(outputs[0], 3);
}

void a2xx_loop(const struct shader_vertex *pixel, struct near outputs[][4])
{
    static const double lamps[][5] = {
        /* clang-format off */
        {-0.75, -0.5,  0.030, 0.004, 0.004},
        {-0.35, 0.45,  0.024, 0.018, 0.002},
        {0,     -0.3,  0.004, 0.026, 0.006},
        {0.3,   0.55,  0.002, 0.020, 0.024},
        {0.55,  -0.55, 0.004, 0.006, 0.034},
        {0.8,   0.25,  0.024, 0.003, 0.026},
        /* clang-format on */
    };
    struct near place[2], ground[4];
    near_copy(place, pixel->attributes[0], 2);
    constant(ground, 0.02, 0.02, 0.05, 1);
    constant(outputs[0], 0.02, 0.02, 0.05, 1);
    for (unsigned lamp = 0; lamp < 6; lamp++) {
        struct near d[2];
        for (unsigned i = 0; i < 2; i++)
            d[i] = near_minus(place[i], near_exact((double)(float)lamps[lamp][i]));
        struct near terms[3] = {ground[0], near_product(d[0], d[0]), near_product(d[1], d[1])};
        struct near share = near_inverse(near_sum(terms, 3));
        for (unsigned i = 0; i < 3; i++)
            outputs[0][i] = near_plus(
                outputs[0][i], near_product(share, near_exact((double)(float)lamps[lamp][2 + i])));
    }
    for (unsigned i = 0; i < 3; i++)
        outputs[0][i] = near_clamped(outputs[0][i], 0, 1);
}

/* The relative error of a square root is half of its operand's relative error. */
static struct near root(struct near a)
{
    return near_made(sqrt(a.value), a.value > 0 ? a.error / sqrt(a.value) : 0);
}

void a2xx_mandelbrot(const struct shader_vertex *pixel, struct near outputs[][4])
{
    struct near scale[4], c[2], z[2] = {{0}}, n = {0}, step = near_exact((double)0.05F);
    bool inside = true, doubt = false;
    constant(scale, 1.5, 1.2, -0.5, 0);
    c[0] = near_plus(near_product(near_exact((double)pixel->attributes[0][0]), scale[0]), scale[2]);
    c[1] = near_product(near_exact((double)pixel->attributes[0][1]), scale[1]);
    for (unsigned i = 0; i < 20 && inside; i++) {
        struct near terms[3] = {near_exact(4), near_negated(near_product(z[0], z[0])),
                                near_negated(near_product(z[1], z[1]))};
        struct near room = near_sum(terms, 3);
        doubt = doubt || fabs(room.value) <= room.error;
        inside = room.value > 0;
        if (!inside)
            break;
        struct near product = near_product(z[0], z[1]);
        z[0] = near_plus(c[0], near_minus(near_product(z[0], z[0]), near_product(z[1], z[1])));
        z[1] = near_plus(c[1], (struct near){2 * product.value, 2 * product.error});
        n = near_plus(n, step);
    }
    constant(outputs[0], 0, 0, 0, 1);
    if (!inside) {
        outputs[0][0] = root(n);
        outputs[0][1] = n;
        outputs[0][2] = near_product(n, n);
    }
    if (doubt)
        in_doubt(outputs[0], 3);
}

/* The varyings are v_colour and v_place. */
void a2xx_kill_pixel(const struct shader_vertex *pixel, struct near outputs[][4])
{
    struct near d[2], limit = near_exact((double)0.12F);
    for (unsigned i = 0; i < 2; i++) {
        double place = (double)pixel->attributes[1][i];
        d[i] = near_minus(near_made(place - floor(place), 0), near_exact(0.5));
    }
    struct near terms[3] = {limit, near_negated(near_product(d[0], d[0])),
                            near_negated(near_product(d[1], d[1]))};
    struct near room = near_sum(terms, 3);
    near_copy(outputs[0], pixel->attributes[0], 4);
    outputs[1][0] = near_exact(room.value > 0);
    if (fabs(room.value) <= room.error)
        in_doubt(outputs[1], 1);
}

/* --- textures --- */

struct a2xx_picture a2xx_picture;

static int clamp_to(int value, int size)
{
    return value < 0 ? 0 : value >= size ? size - 1 : value;
}

static double texel(int x, int y, unsigned channel)
{
    x = clamp_to(x, a2xx_picture.width);
    y = clamp_to(y, a2xx_picture.height);
    return a2xx_picture.rgb[3 * (y * a2xx_picture.width + x) + (int)channel] / 255.0;
}

/* Coordinates are rounded to a 256th of a texel (docs/a2xx/texture.md). Errors of the varyings
 * are negligible, because shader_picture.h moves the pixel's centre by more. */
static double in_texels(float coordinate, int size)
{
    return floor((double)coordinate * size * 256 + 0.5) / 256;
}

void a2xx_nearest(const struct shader_vertex *pixel, struct near outputs[][4])
{
    double u = in_texels(pixel->attributes[0][0], a2xx_picture.width);
    double v = in_texels(pixel->attributes[0][1], a2xx_picture.height);
    for (unsigned i = 0; i < 3; i++)
        outputs[0][i] = near_exact(texel((int)floor(u), (int)floor(v), i));
    outputs[0][3] = near_exact(1);
}

/* The result is not rounded here, because the picture's tolerance covers the rounding. */
static void sample_linear(const float place[4], struct near colour[4])
{
    double u = (double)place[0] * a2xx_picture.width - 0.5;
    double v = (double)place[1] * a2xx_picture.height - 0.5;
    int x = (int)floor(u), y = (int)floor(v);
    for (unsigned i = 0; i < 3; i++) {
        double upper = texel(x, y, i) + (u - x) * (texel(x + 1, y, i) - texel(x, y, i));
        double lower = texel(x, y + 1, i) + (u - x) * (texel(x + 1, y + 1, i) - texel(x, y + 1, i));
        colour[i] = near_exact(upper + (v - y) * (lower - upper));
    }
    colour[3] = near_exact(1);
}

void a2xx_linear(const struct shader_vertex *pixel, struct near outputs[][4])
{
    sample_linear(pixel->attributes[0], outputs[0]);
}

/* The varyings are v_normal and v_place. */
void a2xx_crate(const struct shader_vertex *pixel, struct near outputs[][4])
{
    struct near normal[3], light[4], shade[4];
    near_copy(normal, pixel->attributes[0], 3);
    normalize(normal);
    constant(light, 0.36, 0.48, 0.8, 0);
    constant(shade, 0.25, 0.75, 0, 0);
    struct near cosine = near_clamped(near_dot(normal, light, 3), 0, INFINITY);
    struct near bright = near_plus(shade[0], near_product(cosine, shade[1]));
    sample_linear(pixel->attributes[1], outputs[0]);
    for (unsigned i = 0; i < 3; i++)
        outputs[0][i] = near_product(outputs[0][i], bright);
}
