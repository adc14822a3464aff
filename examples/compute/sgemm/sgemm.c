/* SPDX-License-Identifier: MIT */
/* sgemm - C = alpha A B + beta C of row-major matrices of floats, on up to 12 QPUs. A has M rows
 * and K columns, B K and N, C M and N. sgemm.qasm is the QPUs' part, and explains the tiles of 32
 * rows and 16 columns that C is divided into.
 *
 * Bound of an element's error: a product is truncated, then takes part in at most K additions, is
 * multiplied by alpha and added to beta C. Each of these operations changes it by at most
 * QPU_EPSILON of its magnitude. So the element is off by at most (1 + QPU_EPSILON)^(K + 3) - 1
 * times |alpha| (|A| |B|) + |beta| |C|, where |A| has the magnitudes of A's elements. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "example.h"

static const uint32_t code[] = {
#include "sgemm.hex"
};

enum {
    ROWS = 32, /* of a tile, as in sgemm.qasm */
    COLUMNS = 16,
    BEHIND_B = 2, /* rows after the last one, which sgemm.qasm fetches without using them */
    /* A row's bytes fit into 16 bits of the DMA's words; the guide lists 13 bits, boards accept
     * more. */
    SIZE_MOST = 4096,
};

/* In the order in which sgemm.qasm reads them. */
struct tile_uniforms {
    uint32_t a, b, c;
};
struct uniforms {
    uint32_t number, count, list, tiles, k, b_row, c_load, c_store, c_half;
    float alpha, beta;
};

/* The matrices' sizes, and those in memory: whole tiles, padded with zeros. */
struct sizes {
    uint32_t m, n, k;
    uint32_t full_m, full_n;
    uint32_t tile_rows, tile_columns; /* of C, in tiles */
    float alpha, beta;
};

struct matrices {
    float *a, *b, *c;
};

/* The matrices in GPU memory; A in panels of 32 rows, column by column. */
struct buffers {
    struct gpu_memory a, b, c;
};

static struct sizes sizes_of(const struct parameter *parameters)
{
    struct sizes sizes = {
        .m = (uint32_t)parameters[0].value,
        .n = (uint32_t)parameters[1].value,
        .k = (uint32_t)parameters[2].value,
        .alpha = (float)parameters[3].value,
        .beta = (float)parameters[4].value,
    };
    sizes.tile_rows = (sizes.m + ROWS - 1) / ROWS;
    sizes.tile_columns = (sizes.n + COLUMNS - 1) / COLUMNS;
    sizes.full_m = sizes.tile_rows * ROWS;
    sizes.full_n = sizes.tile_columns * COLUMNS;
    return sizes;
}

/* --- memory --- */

static bool write_a(struct gpu *gpu, const struct sizes *sizes, const float *a,
                    struct gpu_memory *memory)
{
    size_t count = (size_t)sizes->full_m * sizes->k;
    float *panels = example_allocate(count, sizeof *panels);
    for (uint32_t row = 0; row < sizes->m; row++)
        for (uint32_t k = 0; k < sizes->k; k++)
            panels[((size_t)(row / ROWS) * sizes->k + k) * ROWS + row % ROWS] =
                a[(size_t)row * sizes->k + k];
    bool done = gpu_allocate(gpu, (uint32_t)(count * 4), memory);
    if (done)
        gpu_write(memory, 0, panels, (uint32_t)(count * 4));
    free(panels);
    return done;
}

/* Writes a matrix of `rows` rows and n columns, padded with zeros to the right and below. */
static bool write_matrix(struct gpu *gpu, const struct sizes *sizes, const float *from,
                         uint32_t rows, uint32_t full_rows, struct gpu_memory *memory)
{
    size_t count = (size_t)full_rows * sizes->full_n;
    float *full = example_allocate(count, sizeof *full);
    for (uint32_t row = 0; row < rows; row++)
        memcpy(full + (size_t)row * sizes->full_n, from + (size_t)row * sizes->n,
               sizes->n * sizeof *full);
    bool done = gpu_allocate(gpu, (uint32_t)(count * 4), memory);
    if (done)
        gpu_write(memory, 0, full, (uint32_t)(count * 4));
    free(full);
    return done;
}

static bool write_buffers(struct gpu *gpu, const struct sizes *sizes,
                          const struct matrices *matrices, struct buffers *buffers)
{
    return write_a(gpu, sizes, matrices->a, &buffers->a) &&
           write_matrix(gpu, sizes, matrices->b, sizes->k, sizes->k + BEHIND_B, &buffers->b) &&
           write_matrix(gpu, sizes, matrices->c, sizes->m, sizes->full_m, &buffers->c);
}

static void read_c(const struct sizes *sizes, const struct buffers *buffers, float *c)
{
    for (uint32_t row = 0; row < sizes->m; row++)
        gpu_read(&buffers->c, row * sizes->full_n * 4, c + (size_t)row * sizes->n, sizes->n * 4);
}

/* --- on the QPUs --- */

/* QPU n of Q computes the tiles n, n + Q, n + 2 Q ..., which are numbered along the rows. So QPUs
 * read the same rows of A at the same time, and share the rows in their caches. */
static uint32_t tiles_of(const struct gpu_kernel *kernel, uint32_t qpu, const struct sizes *sizes)
{
    return (sizes->tile_rows * sizes->tile_columns - qpu + kernel->qpus - 1) / kernel->qpus;
}

static struct tile_uniforms tile_uniforms(const struct sizes *sizes, const struct buffers *buffers,
                                          uint32_t tile)
{
    uint32_t row = tile / sizes->tile_columns, column = tile % sizes->tile_columns;
    return (struct tile_uniforms){
        .a = buffers->a.bus + row * ROWS * sizes->k * 4,
        .b = buffers->b.bus + column * COLUMNS * 4,
        .c = buffers->c.bus + (row * ROWS * sizes->full_n + column * COLUMNS) * 4,
    };
}

static void set_uniforms(const struct gpu_kernel *kernel, const struct sizes *sizes,
                         const struct buffers *buffers)
{
    uint32_t row_bytes = sizes->full_n * 4;
    unsigned char *list = example_allocate(1, kernel->uniform_bytes);
    for (uint32_t i = 0; i < kernel->qpus; i++) {
        const struct uniforms uniforms = {
            .number = i,
            .count = kernel->qpus,
            .list = gpu_uniforms_of(kernel, i) + (uint32_t)sizeof uniforms,
            .tiles = tiles_of(kernel, i, sizes),
            .k = sizes->k,
            .b_row = row_bytes,
            .c_load = 9u << 28 | row_bytes,                  /* bytes from one row to the next */
            .c_store = 3u << 30 | (row_bytes - COLUMNS * 4), /* bytes between rows */
            .c_half = row_bytes * ROWS / 2,
            .alpha = sizes->alpha,
            .beta = sizes->beta,
        };
        memcpy(list, &uniforms, sizeof uniforms);
        for (uint32_t tile = 0; tile < uniforms.tiles; tile++) {
            struct tile_uniforms one = tile_uniforms(sizes, buffers, i + tile * kernel->qpus);
            memcpy(list + sizeof uniforms + tile * sizeof one, &one, sizeof one);
        }
        gpu_set_uniforms(kernel, i, list);
    }
    free(list);
}

static bool launch(struct gpu *gpu, const struct example *example, const struct sizes *sizes,
                   const struct buffers *buffers)
{
    struct gpu_kernel kernel;
    uint32_t tiles = sizes->tile_rows * sizes->tile_columns;
    unsigned qpus = tiles < example->qpus ? tiles : example->qpus;
    uint32_t bytes = (uint32_t)(sizeof(struct uniforms) +
                                (tiles + qpus - 1) / qpus * sizeof(struct tile_uniforms));
    if (!gpu_load(gpu, code, sizeof code, qpus, bytes, &kernel))
        return false;
    set_uniforms(&kernel, sizes, buffers);
    double seconds = example_run(gpu, example, &kernel);
    if (seconds >= 0)
        printf("%.3f GFLOPS\n", 2e-9 * sizes->m * sizes->n * sizes->k / seconds);
    return seconds >= 0;
}

/* --- on the host --- */

static int check(const struct sizes *sizes, const struct matrices *before, const float *after)
{
    struct comparison comparison = {0};
    double alpha = (double)sizes->alpha, beta = (double)sizes->beta;
    double share = example_bound(sizes->k + 3.0);
    for (uint32_t row = 0; row < sizes->m; row++)
        for (uint32_t column = 0; column < sizes->n; column++) {
            size_t at = (size_t)row * sizes->n + column;
            double sum = 0, magnitudes = 0;
            for (uint32_t k = 0; k < sizes->k; k++) {
                double product = (double)before->a[(size_t)row * sizes->k + k] *
                                 (double)before->b[(size_t)k * sizes->n + column];
                sum += product;
                magnitudes += fabs(product);
            }
            double old = (double)before->c[at];
            compare(&comparison, at, (double)after[at], alpha * sum + beta * old,
                    share * (fabs(alpha) * magnitudes + fabs(beta * old)));
        }
    return compare_status(&comparison);
}

static float *random_matrix(uint32_t rows, uint32_t columns, uint32_t *random)
{
    size_t count = (size_t)rows * columns;
    float *matrix = example_allocate(count, sizeof *matrix);
    for (size_t i = 0; i < count; i++)
        matrix[i] = example_random(random);
    return matrix;
}

static int run(struct gpu *gpu, const struct example *example)
{
    struct sizes sizes = sizes_of(example->parameters);
    uint32_t random = 1;
    struct matrices matrices = {
        .a = random_matrix(sizes.m, sizes.k, &random),
        .b = random_matrix(sizes.k, sizes.n, &random),
        .c = random_matrix(sizes.m, sizes.n, &random),
    };
    float *result = example_allocate((size_t)sizes.m * sizes.n, sizeof *result);
    struct buffers buffers = {{0}, {0}, {0}};
    int status = EXIT_FAILURE;
    if (write_buffers(gpu, &sizes, &matrices, &buffers) && launch(gpu, example, &sizes, &buffers)) {
        read_c(&sizes, &buffers, result);
        status = check(&sizes, &matrices, result);
    }
    gpu_release(gpu, &buffers.c);
    gpu_release(gpu, &buffers.b);
    gpu_release(gpu, &buffers.a);
    free(result);
    free(matrices.c);
    free(matrices.b);
    free(matrices.a);
    return status;
}

int main(int argc, char **argv)
{
    /* clang-format off */
    struct parameter parameters[] = {
        {.name = "M", .help = "rows of A and C", .preset = 192, .least = 1, .most = SIZE_MOST,
         .whole = true},
        {.name = "N", .help = "columns of B and C", .preset = 192, .least = 1, .most = SIZE_MOST,
         .whole = true},
        {.name = "K", .help = "columns of A, rows of B", .preset = 192, .least = 1,
         .most = SIZE_MOST, .whole = true},
        {.name = "ALPHA", .help = "factor of A B", .preset = 1.5, .least = -100, .most = 100},
        {.name = "BETA", .help = "factor of C", .preset = 0.5, .least = -100, .most = 100},
    };
    /* clang-format on */
    struct example example = {.name = "sgemm",
                              .help = "Multiplies matrices: C = ALPHA A B + BETA C.",
                              .parameters = parameters,
                              .count = 5,
                              .run = run};
    return example_main(&example, argc, argv);
}
