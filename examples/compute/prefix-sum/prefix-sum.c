/* SPDX-License-Identifier: MIT */
/* prefix-sum - running totals of 32-bit integers on up to 12 QPUs, which pass a carry from one to
 * the next with semaphores. prefix-sum.qasm is the QPUs' part.
 *
 * All totals must be exact: integers wrap at 2^32, on QPUs as in C. */
#include <stdio.h>
#include <stdlib.h>

#include "example.h"

static const uint32_t code[] = {
#include "prefix-sum.hex"
};

enum { BLOCK = 256, BLOCK_BYTES = BLOCK * 4 }; /* as in prefix-sum.qasm */

/* In the order in which prefix-sum.qasm reads them. */
struct uniforms {
    uint32_t number, count, blocks, carries, values, sums, step;
};

static void set_uniforms(const struct gpu_kernel *kernel, const struct gpu_memory *values,
                         const struct gpu_memory *sums, uint32_t blocks)
{
    for (uint32_t i = 0; i < kernel->qpus; i++) {
        uint32_t own = (blocks - i + kernel->qpus - 1) / kernel->qpus;
        bool last = (blocks - 1) % kernel->qpus == i;
        const struct uniforms uniforms = {
            .number = i,
            .count = kernel->qpus,
            .blocks = own,
            .carries = last ? own - 1 : own,
            .values = values->bus + i * BLOCK_BYTES,
            .sums = sums->bus + i * BLOCK_BYTES,
            .step = kernel->qpus * BLOCK_BYTES,
        };
        gpu_set_uniforms(kernel, i, &uniforms);
    }
}

static bool compute(struct gpu *gpu, const struct example *example, const struct gpu_memory *values,
                    const struct gpu_memory *sums, uint32_t blocks)
{
    struct gpu_kernel kernel;
    unsigned qpus = blocks < example->qpus ? blocks : example->qpus; /* so that each QPU has work */
    if (!gpu_load(gpu, code, sizeof code, qpus, sizeof(struct uniforms), &kernel))
        return false;
    set_uniforms(&kernel, values, sums, blocks);
    return example_run(gpu, example, &kernel) >= 0;
}

static int check(const uint32_t *values, const uint32_t *sums, uint32_t length)
{
    struct comparison comparison = {0};
    uint32_t sum = 0;
    for (uint32_t i = 0; i < length; i++) {
        sum += values[i];
        compare(&comparison, i, sums[i], sum, 0);
    }
    return compare_status(&comparison);
}

static int run(struct gpu *gpu, const struct example *example)
{
    uint32_t length = (uint32_t)example->parameters[0].value;
    /* Whole blocks: elements after the end are computed, too, but not used. */
    uint32_t blocks = (length + BLOCK - 1) / BLOCK, bytes = blocks * BLOCK_BYTES, random = 1;
    uint32_t *values = example_allocate(bytes, 1), *sums = example_allocate(bytes, 1);
    for (uint32_t i = 0; i < length; i++)
        values[i] = (uint32_t)(int32_t)(1e9f * example_random(&random));
    struct gpu_memory gpu_values = {0}, gpu_sums = {0};
    int status = EXIT_FAILURE;
    if (gpu_allocate(gpu, bytes, &gpu_values) && gpu_allocate(gpu, bytes, &gpu_sums)) {
        gpu_write(&gpu_values, 0, values, bytes);
        if (compute(gpu, example, &gpu_values, &gpu_sums, blocks)) {
            gpu_read(&gpu_sums, 0, sums, bytes);
            status = check(values, sums, length);
        }
    }
    gpu_release(gpu, &gpu_sums);
    gpu_release(gpu, &gpu_values);
    free(sums);
    free(values);
    return status;
}

int main(int argc, char **argv)
{
    struct parameter length = {.name = "LENGTH",
                               .help = "values",
                               .preset = 50000,
                               .least = 1,
                               .most = 1 << 24,
                               .whole = true};
    struct example example = {.name = "prefix-sum",
                              .help = "Running totals of 32-bit integers.",
                              .parameters = &length,
                              .count = 1,
                              .run = run};
    return example_main(&example, argc, argv);
}
