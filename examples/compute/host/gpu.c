/* SPDX-License-Identifier: MIT */
/* gpu.c - see gpu.h.
 *
 * Source: the firmware's wiki page "Mailbox property interface" (github raspberrypi/firmware); the
 *         kernel's drivers/char/broadcom/vcio.c for the ioctl; VideoCore IV 3D Architecture
 *         Reference Guide, section 10, for the registers; hello_fft of raspberrypi/userland for the
 *         registers that must be written, and for the kind of memory on each board. */
#ifndef _GNU_SOURCE
#define _GNU_SOURCE
#endif
#include "gpu.h"

#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <time.h>
#include <unistd.h>

/* The pointer's size is a part of the number: 32-bit and 64-bit programs have different numbers. */
#define IOCTL_PROPERTY _IOWR(100, 0, char *)

enum tag {
    TAG_ALLOCATE = 0x3000c, /* bytes, alignment, flags -> handle */
    TAG_LOCK = 0x3000d,     /* handle -> bus address */
    TAG_UNLOCK = 0x3000e,   /* handle -> 0 */
    TAG_RELEASE = 0x3000f,  /* handle -> 0 */
    TAG_EXECUTE =
        /* number of programs, address of their table, 0 to clear caches, milliseconds -> 0 */
    0x30011,
    TAG_ENABLE = 0x30012, /* 1 or 0 -> 0 */
};

/* Flags of an allocation: the GPU's caches between its users and the memory. */
enum {
    FLAG_DIRECT = 1 << 2,           /* none */
    FLAG_L1_NONALLOCATING = 3 << 2, /* level 2, which the ARM of a Pi 1 uses, too */
    ALIGNMENT = 4096,
};

#define PERIPHERALS_PI1 UINT32_C(0x20000000)
#define BUS_TO_PHYSICAL UINT32_C(0x3fffffff)
#define REPLY_SUCCESS   UINT32_C(0x80000000)

/* Registers of the 3D block, by word. */
enum {
    V3D_BASE = 0xc00000, /* from the peripherals' address */
    V3D_SIZE = 0x1000,
    V3D_IDENT0 = 0x000 / 4,
    V3D_L2CACTL = 0x020 / 4,
    V3D_SLCACTL = 0x024 / 4,
    V3D_SRQPC = 0x430 / 4,
    V3D_SRQUA = 0x434 / 4,
    V3D_SRQCS = 0x43c / 4,
    V3D_DBCFG = 0xe00 / 4,
    V3D_DBQITE = 0xe2c / 4,
    V3D_DBQITC = 0xe30 / 4,
};
#define IDENT0_V3D  UINT32_C(0x02443356) /* "V3D", version 2 */
#define L2C_CLEAR   (UINT32_C(1) << 2)
#define SRQCS_RESET (UINT32_C(1) << 7 | UINT32_C(1) << 8 | UINT32_C(1) << 16) /* error and counts */

struct gpu {
    int vcio, mem; /* files */
    uint32_t peripherals;
    struct gpu_memory table; /* for TAG_EXECUTE: uniforms and code of each program */
    volatile uint32_t *v3d;  /* NULL until GPU_DIRECT needs it */
};

static bool complain(const char *what)
{
    fprintf(stderr, "gpu: %s\n", what);
    return false;
}

static bool complain_errno(const char *what)
{
    fprintf(stderr, "gpu: %s: %s\n", what, strerror(errno));
    return false;
}

/* --- the firmware --- */

/* Sends one tag with count values. Stores the first value of the answer in *result. */
static bool property(const struct gpu *gpu, enum tag tag, unsigned count, const uint32_t *values,
                     uint32_t *result)
{
    enum { HEAD = 5, MOST = 4 };
    uint32_t message[HEAD + MOST + 1] __attribute__((aligned(16))) = {
        (HEAD + count + 1) * 4, 0, (uint32_t)tag, count * 4, count * 4,
    };
    memcpy(message + HEAD, values, count * sizeof *values);
    if (ioctl(gpu->vcio, IOCTL_PROPERTY, message) < 0)
        return complain_errno("/dev/vcio");
    if (message[1] != REPLY_SUCCESS)
        return complain("the firmware does not know a request");
    *result = message[HEAD];
    return true;
}

static bool property1(const struct gpu *gpu, enum tag tag, uint32_t value, uint32_t *result)
{
    return property(gpu, tag, 1, &value, result);
}

static bool enable(const struct gpu *gpu, uint32_t on)
{
    uint32_t status;
    return property1(gpu, TAG_ENABLE, on, &status) &&
           (status == 0 || complain("the firmware does not switch the QPUs"));
}

/* --- addresses --- */

/* Returns a big-endian word of the device tree, or 0 if the word does not exist. */
static uint32_t device_tree_word(const char *path, long offset)
{
    unsigned char bytes[4] = {0};
    FILE *file = fopen(path, "rb");
    if (!file)
        return 0;
    if (fseek(file, offset, SEEK_SET) != 0 || fread(bytes, 1, sizeof bytes, file) != sizeof bytes)
        memset(bytes, 0, sizeof bytes);
    fclose(file);
    return (uint32_t)bytes[0] << 24 | (uint32_t)bytes[1] << 16 | (uint32_t)bytes[2] << 8 | bytes[3];
}

/* Returns the address from Broadcom's library, for systems without a device tree, or 0 without the
 * library. */
static uint32_t library_peripherals(void)
{
    void *library = dlopen("libbcm_host.so", RTLD_LAZY);
    if (!library)
        return 0;
    unsigned (*address)(void);
    *(void **)&address = dlsym(library, "bcm_host_get_peripheral_address");
    uint32_t found = address ? address() : 0;
    dlclose(library);
    return found;
}

/* Returns the ARM's address of the peripherals. In the device tree the address follows the bus
 * address, and has 32 or 64 bits. */
static uint32_t find_peripherals(void)
{
    static const char ranges[] = "/proc/device-tree/soc/ranges";
    uint32_t found = device_tree_word(ranges, 4);
    if (!found)
        found = device_tree_word(ranges, 8);
    if (!found)
        found = library_peripherals();
    return found ? found : PERIPHERALS_PI1;
}

static void *map(const struct gpu *gpu, uint32_t physical, uint32_t size)
{
    void *at = mmap(NULL, size, PROT_READ | PROT_WRITE, MAP_SHARED, gpu->mem, (off_t)physical);
    if (at != MAP_FAILED)
        return at;
    complain_errno("mapping /dev/mem");
    return NULL;
}

/* --- memory --- */

static bool lock_and_map(struct gpu *gpu, struct gpu_memory *memory)
{
    if (!property1(gpu, TAG_LOCK, memory->handle, &memory->bus))
        return false;
    if (!memory->bus)
        return complain("the firmware does not lock memory");
    memory->words = map(gpu, memory->bus & BUS_TO_PHYSICAL, memory->size);
    return memory->words != NULL;
}

bool gpu_allocate(struct gpu *gpu, uint32_t bytes, struct gpu_memory *memory)
{
    uint32_t flags = gpu->peripherals == PERIPHERALS_PI1 ? FLAG_L1_NONALLOCATING : FLAG_DIRECT;
    *memory = (struct gpu_memory){.size = (bytes + ALIGNMENT - 1) & ~(uint32_t)(ALIGNMENT - 1)};
    const uint32_t request[] = {memory->size, ALIGNMENT, flags};
    if (bytes > UINT32_MAX - ALIGNMENT || !property(gpu, TAG_ALLOCATE, 3, request, &memory->handle))
        return false;
    if (!memory->handle)
        return complain("not enough GPU memory: see gpu_mem in config.txt");
    if (lock_and_map(gpu, memory))
        return true;
    gpu_release(gpu, memory);
    return false;
}

void gpu_release(struct gpu *gpu, struct gpu_memory *memory)
{
    uint32_t status;
    if (memory->words)
        munmap((void *)(uintptr_t)memory->words, memory->size);
    if (memory->bus)
        property1(gpu, TAG_UNLOCK, memory->handle, &status);
    if (memory->handle)
        property1(gpu, TAG_RELEASE, memory->handle, &status);
    *memory = (struct gpu_memory){0};
}

void gpu_write(const struct gpu_memory *memory, uint32_t offset, const void *from, uint32_t bytes)
{
    const unsigned char *source = from;
    volatile uint32_t *words = memory->words + offset / 4;
    for (uint32_t i = 0; i < bytes / 4; i++) {
        uint32_t word;
        memcpy(&word, source + (size_t)4 * i, 4);
        words[i] = word;
    }
}

void gpu_read(const struct gpu_memory *memory, uint32_t offset, void *to, uint32_t bytes)
{
    unsigned char *target = to;
    const volatile uint32_t *words = memory->words + offset / 4;
    for (uint32_t i = 0; i < bytes / 4; i++) {
        uint32_t word = words[i];
        memcpy(target + (size_t)4 * i, &word, 4);
    }
}

/* --- kernels --- */

bool gpu_load(struct gpu *gpu, const uint32_t *code, uint32_t code_bytes, unsigned qpus,
              uint32_t uniform_bytes, struct gpu_kernel *kernel)
{
    *kernel = (struct gpu_kernel){.qpus = qpus, .uniform_bytes = uniform_bytes};
    if (!gpu_allocate(gpu, code_bytes, &kernel->code) ||
        !gpu_allocate(gpu, qpus * uniform_bytes, &kernel->uniforms)) {
        gpu_unload(gpu, kernel);
        return false;
    }
    gpu_write(&kernel->code, 0, code, code_bytes);
    return true;
}

void gpu_unload(struct gpu *gpu, struct gpu_kernel *kernel)
{
    gpu_release(gpu, &kernel->uniforms);
    gpu_release(gpu, &kernel->code);
}

uint32_t gpu_uniforms_of(const struct gpu_kernel *kernel, unsigned qpu)
{
    return kernel->uniforms.bus + qpu * kernel->uniform_bytes;
}

void gpu_set_uniforms(const struct gpu_kernel *kernel, unsigned qpu, const void *uniforms)
{
    gpu_write(&kernel->uniforms, qpu * kernel->uniform_bytes, uniforms, kernel->uniform_bytes);
}

double gpu_seconds(void)
{
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (double)now.tv_sec + (double)now.tv_nsec * 1e-9;
}

static bool run_by_mailbox(struct gpu *gpu, const struct gpu_kernel *kernel, unsigned timeout_ms)
{
    for (unsigned i = 0; i < kernel->qpus; i++) {
        gpu->table.words[2 * i] = gpu_uniforms_of(kernel, i);
        gpu->table.words[2 * i + 1] = kernel->code.bus;
    }
    const uint32_t request[] = {kernel->qpus, gpu->table.bus, 0, timeout_ms};
    uint32_t status;
    return property(gpu, TAG_EXECUTE, 4, request, &status) &&
           (status == 0 || complain("the programs did not end in time"));
}

static bool map_registers(struct gpu *gpu)
{
    if (!gpu->v3d)
        gpu->v3d = map(gpu, gpu->peripherals + V3D_BASE, V3D_SIZE);
    if (!gpu->v3d)
        return false;
    return gpu->v3d[V3D_IDENT0] == IDENT0_V3D ||
           complain("there is no VideoCore IV, or it is switched off");
}

/* The queue has 16 entries, so all programs fit. */
static bool run_by_registers(struct gpu *gpu, const struct gpu_kernel *kernel, unsigned timeout_ms)
{
    if (!map_registers(gpu))
        return false;
    volatile uint32_t *v3d = gpu->v3d;
    v3d[V3D_DBCFG] = 0; /* no interrupts: the kernel or the firmware would not expect them */
    v3d[V3D_DBQITE] = 0;
    v3d[V3D_DBQITC] = ~UINT32_C(0);
    v3d[V3D_L2CACTL] = L2C_CLEAR;
    v3d[V3D_SLCACTL] = ~UINT32_C(0);
    v3d[V3D_SRQCS] = SRQCS_RESET;
    for (unsigned i = 0; i < kernel->qpus; i++) {
        v3d[V3D_SRQUA] = gpu_uniforms_of(kernel, i);
        v3d[V3D_SRQPC] = kernel->code.bus;
    }
    double end = gpu_seconds() + timeout_ms * 1e-3;
    while ((v3d[V3D_SRQCS] >> 16 & 0xff) != kernel->qpus)
        if (gpu_seconds() > end)
            return complain("the programs did not end in time");
    return true;
}

bool gpu_run(struct gpu *gpu, const struct gpu_kernel *kernel, enum gpu_launch launch,
             unsigned timeout_ms)
{
    /* The ARM's writes must reach memory before the GPU reads. */
    __sync_synchronize();
    bool done = launch == GPU_MAILBOX ? run_by_mailbox(gpu, kernel, timeout_ms)
                                      : run_by_registers(gpu, kernel, timeout_ms);
    __sync_synchronize();
    return done;
}

/* --- open and close --- */

static bool open_files(struct gpu *gpu)
{
    gpu->vcio = open("/dev/vcio", O_RDWR | O_CLOEXEC);
    if (gpu->vcio < 0)
        return complain_errno("/dev/vcio");
    gpu->mem = open("/dev/mem", O_RDWR | O_SYNC | O_CLOEXEC);
    return gpu->mem >= 0 || complain_errno("/dev/mem (try sudo)");
}

static void close_files(const struct gpu *gpu)
{
    if (gpu->mem >= 0)
        close(gpu->mem);
    if (gpu->vcio >= 0)
        close(gpu->vcio);
}

static void switch_off(struct gpu *gpu)
{
    gpu_release(gpu, &gpu->table);
    if (gpu->v3d)
        munmap((void *)(uintptr_t)gpu->v3d, V3D_SIZE);
    enable(gpu, 0);
}

struct gpu *gpu_open(void)
{
    struct gpu *gpu = malloc(sizeof *gpu);
    if (!gpu) {
        complain("out of memory");
        return NULL;
    }
    *gpu = (struct gpu){.vcio = -1, .mem = -1, .peripherals = find_peripherals()};
    if (open_files(gpu) && enable(gpu, 1)) {
        if (gpu_allocate(gpu, GPU_QPUS_MOST * 8, &gpu->table))
            return gpu;
        switch_off(gpu);
    }
    close_files(gpu);
    free(gpu);
    return NULL;
}

void gpu_close(struct gpu *gpu)
{
    if (!gpu)
        return;
    switch_off(gpu);
    close_files(gpu);
    free(gpu);
}
