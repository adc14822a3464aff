/* SPDX-License-Identifier: MIT */
/* fft - Fourier transforms of 2^8 to 2^16 complex numbers, one or many, on up to 12 QPUs. fft.qasm
 * is the QPUs' part.
 *
 * Stockham's method. Let w(n, k) = exp(-2 pi i k / n). A pass of radix R, after passes whose
 * radices have the product S, computes y from x:
 *
 *     y[q + S (R p + j)] = sum over a of w(R, a j) * w(R S, a q) * x[q + S p + (N / R) a] 0 <= q <
 *     S, 0 <= j, a < R
 *
 * When the product is N, y is the transform of the first x. A butterfly is a pair of p and q; its
 * number is b = q + S p. The factors w(R S, a q), the twiddles, are all 1 in the first pass, where
 * S = 1. In that pass the outputs of adjacent butterflies are R apart, so the DMA stores columns of
 * the VPM. In later passes S is at least 16, and a row of the VPM is a vector of memory.
 *
 * Bound of the error: each number takes part in log2(N) additions, and in at most log2(N)
 * multiplications by rounded twiddles. By theorem 24.2 of N. J. Higham, "Accuracy and Stability of
 * Numerical Algorithms", the error's norm is at most log2(N) * eta / (1 - log2(N) * eta) of the
 * result's norm, where eta = mu + g (sqrt(2) + mu), g = 4 u / (1 - 4 u), u is the largest relative
 * error of an operation, and mu that of a twiddle. QPUs truncate, so u is QPU_EPSILON. The norm of
 * a transform is the root of the sum of all numbers' squares. */
#include <complex.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "example.h"

static const uint32_t code[] = {
#include "fft.hex"
};

enum {
    VECTOR = 16,
    LOG2_LEAST = 8,
    LOG2_MOST = 16, /* larger gaps between stored rows do not fit into the DMA's setup word */
    PASSES_MOST = 4,
};
static const double pi = 3.14159265358979323846;

/* The constants PASS_... of fft.qasm. */
enum kind { PASS_END, PASS_16_PLAIN, PASS_16, PASS_8, PASS_4, PASS_2 };

/* In the order in which fft.qasm reads them. */
struct pass_uniforms {
    uint32_t kind, blocks, transform, group, input, input_step, output, twiddles, twiddle_step;
    uint32_t store, gaps;
};
struct uniforms {
    uint32_t number, count, step, imaginary;
    struct pass_uniforms passes[PASSES_MOST + 1];
};

/* The passes of a transform. */
struct plan {
    uint32_t log2_length, length, batch;
    unsigned passes;
    uint32_t radix[PASSES_MOST];
    uint32_t before[PASSES_MOST];     /* product of the radices of earlier passes */
    uint32_t twiddle_at[PASSES_MOST]; /* in words, from the start of all twiddles */
    uint32_t twiddle_words;
};

/* Memory of the GPU: data before the first pass, and after each pass. */
struct buffers {
    struct gpu_memory data[PASSES_MOST + 1], twiddles;
};

/* --- the plan --- */

static void add_pass(struct plan *plan, uint32_t radix, uint32_t before)
{
    plan->radix[plan->passes] = radix;
    plan->before[plan->passes] = before;
    plan->twiddle_at[plan->passes++] = plan->twiddle_words;
    if (before > 1)
        plan->twiddle_words += (radix - 1) * 2 * before;
}

/* Returns as many passes of radix 16 as possible, then a pass with the remaining radix. */
static struct plan plan_for(uint32_t log2_length, uint32_t batch)
{
    struct plan plan = {
        .log2_length = log2_length, .length = UINT32_C(1) << log2_length, .batch = batch};
    uint32_t before = 1;
    while (before < plan.length) {
        uint32_t left = plan.length / before, radix = left >= 16 ? 16 : left;
        add_pass(&plan, radix, before);
        before *= radix;
    }
    return plan;
}

/* Computes for each a > 0 the real parts of w(R S, a q) for q = 0, 1 ..., then the imaginary
 * parts. */
static void make_twiddles(const struct plan *plan, float *twiddles)
{
    for (unsigned i = 1; i < plan->passes; i++) {
        uint32_t before = plan->before[i];
        float *at = twiddles + plan->twiddle_at[i];
        for (uint32_t a = 1; a < plan->radix[i]; a++, at += 2 * before)
            for (uint32_t q = 0; q < before; q++) {
                double angle = -2 * pi * a * q / (plan->radix[i] * (double)before);
                at[q] = (float)cos(angle);
                at[before + q] = (float)sin(angle);
            }
    }
}

/* --- on the QPUs --- */

/* Setup words of DMA stores: bits 29:23 rows, 22:16 their length, 14 horizontal; second word: bits
 * 15:0 bytes between rows in memory. */
static uint32_t store_word(uint32_t radix, bool columns)
{
    return columns ? 2u << 30 | VECTOR << 23 | radix << 16
                   : 2u << 30 | radix << 23 | VECTOR << 16 | 1 << 14;
}

static uint32_t gaps_word(uint32_t before, bool columns)
{
    return 3u << 30 | (columns ? 0 : 4 * (before - VECTOR));
}

static enum kind kind_of(uint32_t radix, uint32_t before)
{
    if (radix == 16)
        return before == 1 ? PASS_16_PLAIN : PASS_16;
    return radix == 8 ? PASS_8 : radix == 4 ? PASS_4 : PASS_2;
}

/* Returns the number of vectors of butterflies in a pass. */
static uint32_t blocks_of(const struct plan *plan, unsigned pass)
{
    return plan->length / plan->radix[pass] / VECTOR * plan->batch;
}

static struct pass_uniforms pass_uniforms(const struct plan *plan, const struct buffers *buffers,
                                          unsigned pass, uint32_t qpu, uint32_t qpus)
{
    uint32_t radix = plan->radix[pass], before = plan->before[pass];
    bool columns = before == 1;
    return (struct pass_uniforms){
        .kind = kind_of(radix, before),
        .blocks = (blocks_of(plan, pass) + qpus - 1 - qpu) / qpus,
        .transform = 4 * (plan->length / radix - 1),
        .group = 4 * (before - 1),
        .input = buffers->data[pass].bus,
        .input_step = 4 * (plan->length / radix),
        .output = buffers->data[pass + 1].bus,
        .twiddles = buffers->twiddles.bus + 4 * plan->twiddle_at[pass],
        .twiddle_step = 4 * before,
        .store = store_word(radix, columns),
        .gaps = gaps_word(before, columns),
    };
}

static void set_uniforms(const struct gpu_kernel *kernel, const struct plan *plan,
                         const struct buffers *buffers)
{
    for (uint32_t i = 0; i < kernel->qpus; i++) {
        struct uniforms uniforms = {
            .number = i,
            .count = kernel->qpus,
            .step = kernel->qpus * VECTOR * 4,
            .imaginary = plan->length * plan->batch * 4,
        };
        for (unsigned pass = 0; pass < plan->passes; pass++)
            uniforms.passes[pass] = pass_uniforms(plan, buffers, pass, i, kernel->qpus);
        gpu_set_uniforms(kernel, i, &uniforms);
    }
}

/* Returns the number of QPUs with work in the last pass, which has the smallest radix, and so the
 * most butterflies. */
static unsigned qpus_for(const struct example *example, const struct plan *plan)
{
    uint32_t most = blocks_of(plan, plan->passes - 1);
    return most < example->qpus ? most : example->qpus;
}

static bool launch(struct gpu *gpu, const struct example *example, const struct plan *plan,
                   const struct buffers *buffers)
{
    struct gpu_kernel kernel;
    unsigned qpus = qpus_for(example, plan);
    if (!gpu_load(gpu, code, sizeof code, qpus, sizeof(struct uniforms), &kernel))
        return false;
    set_uniforms(&kernel, plan, buffers);
    double seconds = example_run(gpu, example, &kernel);
    if (seconds >= 0)
        printf("%.3f ms for each transform of %u numbers, in %u passes\n",
               1e3 * seconds / plan->batch, plan->length, plan->passes);
    return seconds >= 0;
}

static bool allocate(struct gpu *gpu, const struct plan *plan, struct buffers *buffers)
{
    for (unsigned i = 0; i <= plan->passes; i++)
        if (!gpu_allocate(gpu, plan->length * plan->batch * 8, &buffers->data[i]))
            return false;
    return gpu_allocate(gpu, 4 * plan->twiddle_words, &buffers->twiddles);
}

static void release(struct gpu *gpu, struct buffers *buffers)
{
    gpu_release(gpu, &buffers->twiddles);
    for (unsigned i = 0; i <= PASSES_MOST; i++)
        gpu_release(gpu, &buffers->data[i]);
}

/* Transforms data: the real parts of all numbers, then the imaginary parts. */
static bool transform(struct gpu *gpu, const struct example *example, const struct plan *plan,
                      float *data)
{
    struct buffers buffers = {0};
    uint32_t bytes = plan->length * plan->batch * 8;
    float *twiddles = example_allocate(plan->twiddle_words, sizeof *twiddles);
    make_twiddles(plan, twiddles);
    bool done = allocate(gpu, plan, &buffers);
    if (done) {
        gpu_write(&buffers.data[0], 0, data, bytes);
        gpu_write(&buffers.twiddles, 0, twiddles, 4 * plan->twiddle_words);
        done = launch(gpu, example, plan, &buffers);
        gpu_read(&buffers.data[plan->passes], 0, data, bytes);
    }
    release(gpu, &buffers);
    free(twiddles);
    return done;
}

/* --- on the host --- */

/* Transforms `length` numbers of x, `step` apart, in double precision: combines the transforms of
 * the even and of the odd numbers. */
static void exact_transform(const double complex *x, double complex *y, uint32_t length,
                            uint32_t step)
{
    if (length == 1) {
        y[0] = x[0];
        return;
    }
    uint32_t half = length / 2;
    exact_transform(x, y, half, 2 * step);
    exact_transform(x + step, y + half, half, 2 * step);
    for (uint32_t k = 0; k < half; k++) {
        double complex even = y[k], odd = cexp(-2 * I * pi * k / length) * y[half + k];
        y[k] = even + odd;
        y[half + k] = even - odd;
    }
}

/* Returns one number of the transform by its definition. */
static double complex definition(const double complex *x, uint32_t length, uint32_t k)
{
    double complex sum = 0;
    for (uint32_t n = 0; n < length; n++)
        sum += x[n] * cexp(-2 * I * pi * (double)((uint64_t)n * k % length) / length);
    return sum;
}

/* Returns the bound of the error relative to the norm; the head of this file explains it. */
static double bound_of(const struct plan *plan)
{
    const double mu = 0x1p-24,
                 u = QPU_EPSILON; /* twiddles are rounded to nearest, in two parts below 1 */
    double eta = mu + 4 * u / (1 - 4 * u) * (sqrt(2) + mu);
    return plan->log2_length * eta / (1 - plan->log2_length * eta);
}

/* Checks the reference itself: compares some of its numbers with the definition, within double
 * precision. */
static void check_reference(const double complex *x, const double complex *y, uint32_t length,
                            struct comparison *comparison)
{
    double magnitudes = 0;
    for (uint32_t n = 0; n < length; n++)
        magnitudes += cabs(x[n]);
    for (uint32_t k = 1; k < length; k += length / 8 + 1)
        compare(comparison, k, cabs(y[k] - definition(x, length, k)), 0, 1e-12 * magnitudes);
}

/* Compares one transform. x and y are buffers for its input and output. Returns the error relative
 * to the norm. */
static double check_one(const struct plan *plan, const float *input, const float *output,
                        uint32_t index, double complex *x, double complex *y,
                        struct comparison *comparison)
{
    uint32_t length = plan->length, first = index * length, imaginary = length * plan->batch;
    double error = 0, norm = 0;
    for (uint32_t n = 0; n < length; n++)
        x[n] = (double)input[first + n] + I * (double)input[imaginary + first + n];
    exact_transform(x, y, length, 1);
    check_reference(x, y, length, comparison);
    for (uint32_t k = 0; k < length; k++) {
        double complex got = (double)output[first + k] + I * (double)output[imaginary + first + k];
        error += pow(cabs(got - y[k]), 2);
        norm += pow(cabs(y[k]), 2);
    }
    double share = sqrt(error / norm);
    compare(comparison, index, share, 0, bound_of(plan));
    return share;
}

static int check(const struct plan *plan, const float *input, const float *output)
{
    struct comparison comparison = {0};
    double complex *x = example_allocate(plan->length, sizeof *x);
    double complex *y = example_allocate(plan->length, sizeof *y);
    double worst = 0;
    for (uint32_t i = 0; i < plan->batch; i++)
        worst = fmax(worst, check_one(plan, input, output, i, x, y, &comparison));
    free(y);
    free(x);
    printf("relative error %.2f ppm; at most %.2f ppm is right\n", 1e6 * worst,
           1e6 * bound_of(plan));
    return compare_status(&comparison);
}

/* --- the program --- */

static int run(struct gpu *gpu, const struct example *example)
{
    uint32_t batch = (uint32_t)example->parameters[1].value;
    struct plan plan = plan_for((uint32_t)example->parameters[0].value, batch);
    uint32_t words = 2 * plan.length * batch, random = 1;
    float *input = example_allocate(words, sizeof *input),
          *output = example_allocate(words, sizeof *output);
    for (uint32_t i = 0; i < words; i++)
        output[i] = input[i] = example_random(&random);
    int status = transform(gpu, example, &plan, output) ? check(&plan, input, output)
                                                        : EXIT_FAILURE;
    free(output);
    free(input);
    return status;
}

int main(int argc, char **argv)
{
    /* clang-format off */
    struct parameter parameters[] = {
        {.name = "LOG2", .help = "transforms have 2^LOG2 numbers", .preset = 12,
         .least = LOG2_LEAST, .most = LOG2_MOST, .whole = true},
        {.name = "BATCH", .help = "transforms", .preset = 1, .least = 1, .most = 64, .whole = true},
    };
    /* clang-format on */
    struct example example = {.name = "fft",
                              .help = "Fourier transforms of complex numbers.",
                              .parameters = parameters,
                              .count = 2,
                              .run = run};
    return example_main(&example, argc, argv);
}
