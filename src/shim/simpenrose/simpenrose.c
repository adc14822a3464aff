/* SPDX-License-Identifier: MIT */
/* simpenrose.c - see simpenrose.h.
 *
 * In:      calls; the environment variables TESSERA_SANITIZE, TESSERA_STRICT, TESSERA_THREADS,
 *          TESSERA_JSON, TESSERA_STATS, TESSERA_CAPTURE and TESSERA_VERDICT, with the same meaning
 *          as for tessera gl.
 * Out:     register writes; reports through shim/common/report.c.
 *
 * Source:  Mesa, src/gallium/drivers/vc4/vc4_simulator.c; VideoCore IV 3D Architecture Reference
 *          Guide, section 10.
 * Choices: a driver supplies the overflow memory once. Each job is binned and rendered before the
 *          next one, so the overflow memory is free again when the next list for the binner
 *          starts. */
#include "simpenrose.h"

#include <pthread.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>

#include <tessera/vc4.h>

#include "shim/common/report.h"

enum {
    L2CACTL_CLEAR = 1 << 2,
    CTNCS_RESET = 1 << 15,
    COUNTS = 256, /* V3D_BFC and V3D_RFC are counters modulo this number */
};

/* clears all caches of all slices */
#define SLCACTL_ALL UINT32_C(0x0f0f0f0f)

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;

static struct {
    struct tess_vc4 *vc4; /* NULL before the first call of simpenrose_init_hardware_supply_mem() */
    const uint8_t *memory;
    uint32_t size;
    uint32_t overflow, overflow_size;
    bool reports; /* true if the hooks for forks and for the end of the process are installed */
} gpu;

/* --- the process --- */

static void tell_end(void)
{
    pthread_mutex_lock(&mutex);
    if (gpu.vc4)
        report_end();
    pthread_mutex_unlock(&mutex);
}

static void before_fork(void)
{
    pthread_mutex_lock(&mutex);
    if (gpu.vc4)
        tess_vc4_rest(gpu.vc4);
}

static void in_parent(void)
{
    pthread_mutex_unlock(&mutex);
}

static void in_child(void)
{
    if (gpu.vc4)
        report_child();
    pthread_mutex_unlock(&mutex);
}

/* --- the device --- */

static bool make_device(void)
{
    static struct settings settings;
    struct tess_vc4_options device = {0};
    settings = settings_read();
    report_begin(&(struct report_options){.settings = &settings, .capture = settings.capture},
                 &device);
    if (tess_vc4_create(&gpu.vc4, &device) != TESS_OK)
        return false;
    report_watch(gpu.vc4, NULL);
    if (!gpu.reports) {
        atexit(tell_end);
        pthread_atfork(before_fork, in_parent, in_child);
    }
    gpu.reports = true;
    return true;
}

/* Replaces the device's memory. The device itself exists until the process ends, so that the report
 * at the end covers all jobs. */
static bool put_memory(void *memory, uint32_t size)
{
    if (gpu.memory)
        tess_vc4_unmap(gpu.vc4, 0);
    gpu.memory = NULL;
    gpu.overflow_size = 0;
    if (tess_vc4_map(gpu.vc4, 0, size, memory) != TESS_OK)
        return false;
    gpu.memory = memory;
    gpu.size = size;
    return true;
}

void simpenrose_init_hardware_supply_mem(void *memory, uint32_t size)
{
    pthread_mutex_lock(&mutex);
    if (!memory || (!gpu.vc4 && !make_device()) || !put_memory(memory, size))
        fprintf(stderr, "simpenrose: error: cannot create a GPU with %u bytes of memory\n", size);
    pthread_mutex_unlock(&mutex);
}

void simpenrose_supply_overflow_mem(uint32_t offset, uint32_t size)
{
    pthread_mutex_lock(&mutex);
    gpu.overflow = offset;
    gpu.overflow_size = size;
    pthread_mutex_unlock(&mutex);
}

uint32_t simpenrose_hw_addr(const void *place)
{
    pthread_mutex_lock(&mutex);
    const uintptr_t offset = (uintptr_t)place - (uintptr_t)gpu.memory;
    const bool inside = gpu.memory && offset < gpu.size;
    pthread_mutex_unlock(&mutex);
    return inside ? (uint32_t)offset : UINT32_MAX;
}

/* --- lists --- */

/* Registers of a control-list thread. */
struct thread {
    uint32_t current, end, status, counter;
};

static const struct thread binner = {V3D_CT0CA, V3D_CT0EA, V3D_CT0CS, V3D_BFC};
static const struct thread renderer = {V3D_CT1CA, V3D_CT1EA, V3D_CT1CS, V3D_RFC};

static void clear_caches(void)
{
    tess_vc4_write(gpu.vc4, V3D_L2CACTL, L2CACTL_CLEAR);
    tess_vc4_write(gpu.vc4, V3D_SLCACTL, SLCACTL_ALL);
}

static void reset(void)
{
    tess_vc4_write(gpu.vc4, V3D_CT0CS, CTNCS_RESET);
    tess_vc4_write(gpu.vc4, V3D_CT1CS, CTNCS_RESET);
    tess_vc4_stop_programs(gpu.vc4);
}

static int run(const struct thread *thread, uint32_t address, uint32_t end)
{
    const uint32_t before = tess_vc4_read(gpu.vc4, thread->counter);
    clear_caches();
    if (thread == &binner) {
        tess_vc4_write(gpu.vc4, V3D_BPOA, gpu.overflow);
        tess_vc4_write(gpu.vc4, V3D_BPOS, gpu.overflow_size);
    }
    tess_vc4_write(gpu.vc4, thread->current, address);
    tess_vc4_write(gpu.vc4, thread->end, end);
    const enum tess_vc4_stop stop = tess_vc4_run(gpu.vc4);
    const uint32_t count = (tess_vc4_read(gpu.vc4, thread->counter) - before) % COUNTS;
    if (stop == TESS_VC4_STUCK)
        tess_vc4_report_stuck(gpu.vc4);
    if (stop != TESS_VC4_IDLE)
        reset();
    return (int)count;
}

static int run_locked(const struct thread *thread, uint32_t address, uint32_t end)
{
    int count = 0;
    pthread_mutex_lock(&mutex);
    if (gpu.memory)
        count = run(thread, address, end);
    else
        fprintf(stderr, "simpenrose: error: cannot run a list: the GPU has no memory\n");
    pthread_mutex_unlock(&mutex);
    return count;
}

int simpenrose_do_binning(uint32_t address, uint32_t end)
{
    return run_locked(&binner, address, end);
}

int simpenrose_do_rendering(uint32_t address, uint32_t end)
{
    return run_locked(&renderer, address, end);
}
