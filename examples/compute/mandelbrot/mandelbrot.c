/* SPDX-License-Identifier: MIT */
/* mandelbrot - the Mandelbrot set on up to 12 QPUs, as a PNG file. mandelbrot.qasm is the QPUs'
 * part, which counts the steps of each pixel; this file computes colours from them.
 *
 * All counts must be exact. At the rim of the set the last bit of a product decides, so a bound of
 * errors would test nothing. But a QPU's arithmetic is that of IEEE 754 rounded toward zero, as
 * long as numbers are neither infinite nor below 2^-126, and C can select this rounding:
 * fesetround(FE_TOWARDZERO). The host executes the same operations in the same order, and must
 * compute the same counts. The compiler must neither fold constants nor fuse a multiplication with
 * an addition: -frounding-math -ffp-contract=off. */
#include <fenv.h>
#include <float.h>
#include <math.h>
#include <png.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "example.h"

#if FLT_EVAL_METHOD != 0
#error "float must be computed as float: on 32-bit x86, add -msse2 -mfpmath=sse"
#endif

static const uint32_t code[] = {
#include "mandelbrot.hex"
};

enum { BLOCK = 64 }; /* pixels, as in mandelbrot.qasm */

/* In the order in which mandelbrot.qasm reads them. */
struct uniforms {
    uint32_t number, count, rows, blocks, out, skip, steps;
    float left, top, size;
};

struct view {
    uint32_t width, height, steps;
    uint32_t pitch;        /* pixels from one row to the next: whole blocks */
    float left, top, size; /* of the picture, and of a pixel */
};

/* --- on the QPUs --- */

static void set_uniforms(const struct gpu_kernel *kernel, const struct gpu_memory *out,
                         const struct view *view)
{
    for (uint32_t i = 0; i < kernel->qpus; i++) {
        const struct uniforms uniforms = {
            .number = i,
            .count = kernel->qpus,
            .rows = (view->height - i + kernel->qpus - 1) / kernel->qpus,
            .blocks = view->pitch / BLOCK,
            .out = out->bus + i * view->pitch * 4,
            .skip = (kernel->qpus - 1) * view->pitch * 4,
            .steps = view->steps,
            .left = view->left,
            .top = view->top,
            .size = view->size,
        };
        gpu_set_uniforms(kernel, i, &uniforms);
    }
}

static bool compute(struct gpu *gpu, const struct example *example, const struct view *view,
                    uint32_t *counts)
{
    uint32_t bytes = view->pitch * view->height * 4;
    unsigned qpus = view->height < example->qpus ? view->height : example->qpus;
    struct gpu_memory out;
    struct gpu_kernel kernel;
    bool done = gpu_allocate(gpu, bytes, &out) &&
                gpu_load(gpu, code, sizeof code, qpus, sizeof(struct uniforms), &kernel);
    if (done) {
        set_uniforms(&kernel, &out, view);
        done = example_run(gpu, example, &kernel) >= 0;
    }
    if (done)
        gpu_read(&out, 0, counts, bytes);
    gpu_release(gpu, &out);
    return done;
}

/* --- on the host --- */

/* Returns the steps of a pixel, as mandelbrot.qasm counts them. */
static uint32_t steps_of(const struct view *view, uint32_t row, uint32_t column)
{
    float imaginary = view->top - ((float)row + 0.5f) * view->size;
    float real = view->left + ((float)column + 0.5f) * view->size;
    float x = 0, y = 0;
    for (uint32_t steps = 0; steps < view->steps; steps++) {
        float xx = x * x, yy = y * y, xy = x * y;
        if (!(xx + yy < 4))
            return steps;
        x = xx - yy + real;
        y = xy + xy + imaginary;
    }
    return view->steps;
}

static int check(const struct view *view, const uint32_t *counts)
{
    struct comparison comparison = {0};
    fesetround(FE_TOWARDZERO);
    for (uint32_t row = 0; row < view->height; row++)
        for (uint32_t column = 0; column < view->width; column++)
            compare(&comparison, (uint64_t)row * view->width + column,
                    counts[row * view->pitch + column], steps_of(view, row, column), 0);
    fesetround(FE_TONEAREST);
    return compare_status(&comparison);
}

/* Computes a colour: a cycle of blue, white, gold and dark that slows down as counts grow. Pixels
 * that never escape are black. */
static void colour_of(const struct view *view, uint32_t count, unsigned char *rgb)
{
    enum { STOPS = 5 };
    static const double stops[STOPS][3] = {
        /* clang-format off */
        {8,   16,  84},
        {32,  104, 200},
        {236, 248, 255},
        {255, 176, 32},
        {72,  12,  24},
        /* clang-format on */
    };
    double round = 0.7 * log2(1 + (double)count);
    int from = (int)round % STOPS, to = (from + 1) % STOPS;
    double share = round - floor(round);
    for (int i = 0; i < 3; i++) {
        double value = stops[from][i] + share * (stops[to][i] - stops[from][i]);
        rgb[i] = (unsigned char)(count == view->steps ? 0 : value);
    }
}

static bool write_picture(const struct view *view, const uint32_t *counts, const char *path)
{
    png_image image = {.version = PNG_IMAGE_VERSION,
                       .width = view->width,
                       .height = view->height,
                       .format = PNG_FORMAT_RGB};
    unsigned char *pixels = example_allocate((size_t)view->width * view->height, 3);
    for (uint32_t row = 0; row < view->height; row++)
        for (uint32_t column = 0; column < view->width; column++)
            colour_of(view, counts[row * view->pitch + column],
                      pixels + 3 * ((size_t)row * view->width + column));
    bool done = png_image_write_to_file(&image, path, 0, pixels, 0, NULL) != 0;
    if (!done)
        fprintf(stderr, "%s: %s\n", path, image.message);
    free(pixels);
    return done;
}

/* --- the program --- */

enum { WIDTH, HEIGHT, STEPS, FILE_NAME, REAL, IMAGINARY, SPAN, PARAMETERS };

static struct view view_of(const struct parameter *parameters)
{
    uint32_t width = (uint32_t)parameters[WIDTH].value, height = (uint32_t)parameters[HEIGHT].value;
    double size = parameters[SPAN].value / width;
    return (struct view){
        .width = width,
        .height = height,
        .steps = (uint32_t)parameters[STEPS].value,
        .pitch = (width + BLOCK - 1) / BLOCK * BLOCK,
        .left = (float)(parameters[REAL].value - size * width / 2),
        .top = (float)(parameters[IMAGINARY].value + size * height / 2),
        .size = (float)size,
    };
}

static int run(struct gpu *gpu, const struct example *example)
{
    struct view view = view_of(example->parameters);
    uint32_t *counts = example_allocate((size_t)view.pitch * view.height, sizeof *counts);
    int status = EXIT_FAILURE;
    if (compute(gpu, example, &view, counts)) {
        status = check(&view, counts);
        if (!write_picture(&view, counts, example->parameters[FILE_NAME].text))
            status = EXIT_FAILURE;
    }
    free(counts);
    return status;
}

int main(int argc, char **argv)
{
    /* clang-format off */
    struct parameter parameters[PARAMETERS] = {
        [WIDTH] = {.name = "WIDTH", .help = "pixels", .preset = 640, .least = 1, .most = 4096,
         .whole = true},
        [HEIGHT] = {.name = "HEIGHT", .help = "pixels", .preset = 480, .least = 1, .most = 4096,
         .whole = true},
        [STEPS] = {.name = "STEPS", .help = "at most", .preset = 100, .least = 1, .most = 65535,
         .whole = true},
        [FILE_NAME] = {.name = "FILE", .help = "the picture", .preset_text = "mandelbrot.png"},
        [REAL] = {.name = "REAL", .help = "the middle of the picture", .preset = -0.65, .least = -2,
         .most = 2},
        [IMAGINARY] = {.name = "IMAGINARY", .help = "likewise", .preset = 0, .least = -2,
         .most = 2},
        [SPAN] = {.name = "SPAN", .help = "its width", .preset = 3.2, .least = 1e-4, .most = 8},
    };
    /* clang-format on */
    struct example example = {.name = "mandelbrot",
                              .help = "Draws the Mandelbrot set.",
                              .parameters = parameters,
                              .count = PARAMETERS,
                              .run = run};
    return example_main(&example, argc, argv);
}
