/* SPDX-License-Identifier: MIT */
/* vector-add - c = a + b on up to 12 QPUs: the smallest complete compute program. vector-add.qasm
 * is the QPUs' part.
 *
 * Bound of a sum's error: a QPU truncates, so its sum has the exact sum's 24 leading bits. This
 * number is not larger than the exact sum, and smaller by less than one unit of the last bit, which
 * is at most QPU_EPSILON times the sum. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "example.h"

static const uint32_t code[] = {
#include "vector-add.hex"
};

enum { BLOCK = 64, BLOCK_BYTES = BLOCK * 4 }; /* as in vector-add.qasm */

/* In the order in which vector-add.qasm reads them. */
struct uniforms {
    uint32_t number, count, blocks, a, b, c, step;
};

struct arrays {
    struct gpu_memory a, b, c;
};

static void set_uniforms(const struct gpu_kernel *kernel, const struct arrays *arrays,
                         uint32_t blocks)
{
    for (uint32_t i = 0; i < kernel->qpus; i++) {
        uint32_t first = i * BLOCK_BYTES;
        const struct uniforms uniforms = {
            .number = i,
            .count = kernel->qpus,
            .blocks = (blocks - i + kernel->qpus - 1) / kernel->qpus,
            .a = arrays->a.bus + first,
            .b = arrays->b.bus + first,
            .c = arrays->c.bus + first,
            .step = kernel->qpus * BLOCK_BYTES,
        };
        gpu_set_uniforms(kernel, i, &uniforms);
    }
}

static bool compute(struct gpu *gpu, const struct example *example, const struct arrays *arrays,
                    uint32_t blocks)
{
    struct gpu_kernel kernel;
    unsigned qpus = blocks < example->qpus ? blocks : example->qpus; /* so that each QPU has work */
    if (!gpu_load(gpu, code, sizeof code, qpus, sizeof(struct uniforms), &kernel))
        return false;
    set_uniforms(&kernel, arrays, blocks);
    return example_run(gpu, example, &kernel) >= 0;
}

static int check(const float *a, const float *b, const float *c, uint32_t length)
{
    struct comparison comparison = {0};
    for (uint32_t i = 0; i < length; i++) {
        double sum = (double)a[i] + (double)b[i];
        compare(&comparison, i, (double)c[i], sum, QPU_EPSILON * fabs(sum));
    }
    return compare_status(&comparison);
}

static int run(struct gpu *gpu, const struct example *example)
{
    uint32_t length = (uint32_t)example->parameters[0].value;
    /* Whole blocks: elements after the end are computed, too, but not used. */
    uint32_t blocks = (length + BLOCK - 1) / BLOCK, bytes = blocks * BLOCK_BYTES;
    float *a = example_allocate(bytes, 1), *b = example_allocate(bytes, 1);
    float *c = example_allocate(bytes, 1);
    uint32_t random = 1;
    for (uint32_t i = 0; i < length; i++) {
        a[i] = 1000 * example_random(&random);
        b[i] = example_random(&random);
    }
    struct arrays arrays = {{0}, {0}, {0}};
    int status = EXIT_FAILURE;
    if (gpu_allocate(gpu, bytes, &arrays.a) && gpu_allocate(gpu, bytes, &arrays.b) &&
        gpu_allocate(gpu, bytes, &arrays.c)) {
        gpu_write(&arrays.a, 0, a, bytes);
        gpu_write(&arrays.b, 0, b, bytes);
        if (compute(gpu, example, &arrays, blocks)) {
            gpu_read(&arrays.c, 0, c, bytes);
            status = check(a, b, c, length);
        }
    }
    gpu_release(gpu, &arrays.c);
    gpu_release(gpu, &arrays.b);
    gpu_release(gpu, &arrays.a);
    free(c);
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
    struct example example = {.name = "vector-add",
                              .help = "Adds two vectors of floats.",
                              .parameters = &length,
                              .count = 1,
                              .run = run};
    return example_main(&example, argc, argv);
}
