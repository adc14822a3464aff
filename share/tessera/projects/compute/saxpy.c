/* saxpy.c - the host program: allocates memory, sets the uniforms, starts a QPU, and checks the
 * results. */
#include <stdio.h>

#include "gpu.h"

static const uint32_t code[] = {
#include "saxpy.hex"
};

enum { LENGTH = 3072, BYTES = LENGTH * 4 };
static float x[LENGTH], y[LENGTH], result[LENGTH];

/* Uniforms of saxpy.qasm, in the order in which the QPU reads them. */
struct uniforms {
    uint32_t vectors, x, y;
    float a;
};

static int count_wrong(float a)
{
    int wrong = 0;
    for (int i = 0; i < LENGTH; i++)
        wrong += result[i] != a * x[i] + y[i];
    return wrong;
}

int main(void)
{
    struct gpu *gpu = gpu_open();
    struct gpu_memory gx, gy;
    struct gpu_kernel kernel;
    if (!gpu || !gpu_allocate(gpu, BYTES, &gx) || !gpu_allocate(gpu, BYTES, &gy) ||
        !gpu_load(gpu, code, sizeof code, 1, sizeof(struct uniforms), &kernel))
        return 1;

    for (int i = 0; i < LENGTH; i++) {
        x[i] = i;
        y[i] = 1000;
    }
    gpu_write(&gx, 0, x, BYTES);
    gpu_write(&gy, 0, y, BYTES);
    gpu_set_uniforms(&kernel, 0, &(struct uniforms){LENGTH / 16, gx.bus, gy.bus, 0.5f});

    bool done = gpu_run(gpu, &kernel, GPU_MAILBOX, 1000);

    gpu_read(&gy, 0, result, BYTES);
    int wrong = count_wrong(0.5f);
    printf("%g %g %g ... %g: %d of %d are wrong\n", result[0], result[1], result[2],
           result[LENGTH - 1], wrong, LENGTH);
    gpu_unload(gpu, &kernel);
    gpu_release(gpu, &gy);
    gpu_release(gpu, &gx);
    gpu_close(gpu);
    return !done || wrong;
}
