/* SPDX-License-Identifier: MIT */
/* dot-product - the dot product of two vectors on up to 12 QPUs, with a sum across elements and a
 * sum across QPUs. dot-product.qasm is the QPUs' part.
 *
 * Bound of the error: truncation in an operation removes at most QPU_EPSILON of the exact result.
 * So the host repeats the sums in the same order in double precision, and computes for each sum a
 * bound of the QPU's error: the bounds of both operands, and QPU_EPSILON of the largest possible
 * sum. This is running error analysis (N. J. Higham, "Accuracy and Stability of Numerical
 * Algorithms", section 3.3). A bound from the number of additions alone would accept any result for
 * long vectors. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "example.h"

static const uint32_t code[] = {
#include "dot-product.hex"
};

enum {
    VECTOR = 16, /* elements */
    VECTOR_BYTES = VECTOR * 4,
    VECTORS_LEAST = 5, /* per QPU: dot-product.qasm's IN_FLIGHT, and one for its loop */
};

/* In the order in which dot-product.qasm reads them. */
struct uniforms {
    uint32_t number, count, vectors, a, b, step, result;
};

struct arrays {
    struct gpu_memory a, b, result;
};

/* Returns the number of QPUs that have enough work. */
static unsigned qpus_for(const struct example *example, uint32_t vectors)
{
    uint32_t most = vectors / VECTORS_LEAST;
    return most < example->qpus ? most : example->qpus;
}

static uint32_t vectors_of(const struct gpu_kernel *kernel, uint32_t qpu, uint32_t vectors)
{
    return (vectors - qpu + kernel->qpus - 1) / kernel->qpus;
}

static void set_uniforms(const struct gpu_kernel *kernel, const struct arrays *arrays,
                         uint32_t vectors)
{
    for (uint32_t i = 0; i < kernel->qpus; i++) {
        const struct uniforms uniforms = {
            .number = i,
            .count = kernel->qpus,
            .vectors = vectors_of(kernel, i, vectors),
            .a = arrays->a.bus + i * VECTOR_BYTES,
            .b = arrays->b.bus + i * VECTOR_BYTES,
            .step = kernel->qpus * VECTOR_BYTES,
            .result = arrays->result.bus,
        };
        gpu_set_uniforms(kernel, i, &uniforms);
    }
}

static bool compute(struct gpu *gpu, const struct example *example, const struct arrays *arrays,
                    uint32_t vectors)
{
    struct gpu_kernel kernel;
    unsigned qpus = qpus_for(example, vectors);
    if (!gpu_load(gpu, code, sizeof code, qpus, sizeof(struct uniforms), &kernel))
        return false;
    set_uniforms(&kernel, arrays, vectors);
    return example_run(gpu, example, &kernel) >= 0;
}

/* The exact value of a sum of the QPUs, and the bound of its error. */
struct sum {
    double value, bound;
};

static struct sum add(struct sum a, struct sum b)
{
    double value = a.value + b.value, bound = a.bound + b.bound;
    return (struct sum){value, bound + QPU_EPSILON * (fabs(value) + bound)};
}

static struct sum multiply(float a, float b)
{
    double value = (double)a * (double)b;
    return (struct sum){value, QPU_EPSILON * fabs(value)};
}

/* Returns a QPU's sum, added in the order of dot-product.qasm's rotations for element 0. */
static struct sum join(struct sum *elements)
{
    for (unsigned distance = VECTOR / 2; distance > 0; distance /= 2)
        for (unsigned i = 0; i < distance; i++)
            elements[i] = add(elements[i], elements[i + distance]);
    return elements[0];
}

static struct sum expected(const float *a, const float *b, uint32_t vectors, uint32_t qpus)
{
    struct sum all = {0, 0};
    for (uint32_t qpu = 0; qpu < qpus; qpu++) {
        struct sum elements[VECTOR] = {{0, 0}};
        for (uint32_t vector = qpu; vector < vectors; vector += qpus)
            for (uint32_t i = 0; i < VECTOR; i++) {
                size_t at = (size_t)vector * VECTOR + i;
                elements[i] = add(elements[i], multiply(a[at], b[at]));
            }
        all = add(all, join(elements));
    }
    return all;
}

static int check(const float *a, const float *b, uint32_t vectors, uint32_t qpus, float result)
{
    struct sum sum = expected(a, b, vectors, qpus);
    printf("%.9g, exactly %.9g, off by %.2g; at most %.2g is right\n", (double)result, sum.value,
           (double)result - sum.value, sum.bound);
    struct comparison comparison = {0};
    compare(&comparison, 0, (double)result, sum.value, sum.bound);
    return compare_status(&comparison);
}

static int run(struct gpu *gpu, const struct example *example)
{
    uint32_t length = (uint32_t)example->parameters[0].value;
    /* Whole vectors, and enough for at least one QPU: zeros after the end do not change the sum. */
    uint32_t vectors = (length + VECTOR - 1) / VECTOR;
    if (vectors < VECTORS_LEAST)
        vectors = VECTORS_LEAST;
    uint32_t bytes = vectors * VECTOR_BYTES, random = 1;
    float *a = example_allocate(bytes, 1), *b = example_allocate(bytes, 1);
    for (uint32_t i = 0; i < length; i++) {
        a[i] = example_random(&random);
        b[i] = example_random(&random);
    }
    struct arrays arrays = {{0}, {0}, {0}};
    int status = EXIT_FAILURE;
    if (gpu_allocate(gpu, bytes, &arrays.a) && gpu_allocate(gpu, bytes, &arrays.b) &&
        gpu_allocate(gpu, sizeof(float), &arrays.result)) {
        gpu_write(&arrays.a, 0, a, bytes);
        gpu_write(&arrays.b, 0, b, bytes);
        if (compute(gpu, example, &arrays, vectors)) {
            float result;
            gpu_read(&arrays.result, 0, &result, sizeof result);
            status = check(a, b, vectors, qpus_for(example, vectors), result);
        }
    }
    gpu_release(gpu, &arrays.result);
    gpu_release(gpu, &arrays.b);
    gpu_release(gpu, &arrays.a);
    free(b);
    free(a);
    return status;
}

int main(int argc, char **argv)
{
    struct parameter length = {.name = "LENGTH",
                               .help = "elements of each vector",
                               .preset = 20000,
                               .least = 1,
                               .most = 1 << 24,
                               .whole = true};
    struct example example = {.name = "dot-product",
                              .help = "The dot product of two vectors of floats.",
                              .parameters = &length,
                              .count = 1,
                              .run = run};
    return example_main(&example, argc, argv);
}
