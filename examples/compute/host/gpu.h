/* SPDX-License-Identifier: MIT */
/* gpu.h - QPU programs from Linux on a Raspberry Pi 0 to 3: memory that the GPU sees, and two ways to start programs.
 *
 * Needs nothing but the C library: copy gpu.h and gpu.c into your project. The program must run as root, and nothing else may use
 * the 3D block meanwhile: no "vc4" kernel driver (dtoverlay=vc4-kms-v3d), no OpenGL.
 *
 * All functions that can fail return false or NULL, and have told standard error why. */
#ifndef GPU_H
#define GPU_H

#include <stdbool.h>
#include <stdint.h>

enum { GPU_QPUS_MOST = 12 };

/* The GPU, opened: one for each process. */
struct gpu;

/* A block of memory that both sides see. */
struct gpu_memory {
    uint32_t bus;  /* where QPUs find it */
    uint32_t size; /* bytes */
    uint32_t handle;
    volatile uint32_t *words; /* where this process finds it; see gpu_write() */
};

/* How programs are started, and how the host learns of their end. */
enum gpu_launch {
    GPU_MAILBOX, /* the firmware does it; the end is an interrupt: the last QPU must write to "irq" */
    GPU_DIRECT, /* by registers of the 3D block; the end is a count of programs that have ended */
};

/* Code, and a list of uniforms for each QPU that runs it. */
struct gpu_kernel {
    unsigned qpus;
    uint32_t uniform_bytes; /* of one QPU's list; the lists follow each other */
    struct gpu_memory code, uniforms;
};

/* Switches the QPUs on. */
struct gpu *gpu_open(void);

/* Switches them off. Memory must have been released: the firmware does not do so when a process ends. gpu may be NULL. */
void gpu_close(struct gpu *gpu);

/* Allocates at least 1 byte, at a multiple of 4096. Its content is undefined. */
bool gpu_allocate(struct gpu *gpu, uint32_t bytes, struct gpu_memory *memory);

/* Does nothing if memory is all zeros. */
void gpu_release(struct gpu *gpu, struct gpu_memory *memory);

/* Copy to and from memory. offset and bytes are multiples of 4, and inside of it. To a 64-bit ARM this memory is a device, which takes
 * aligned words only: memcpy() and memset() may end in SIGBUS there. */
void gpu_write(const struct gpu_memory *memory, uint32_t offset, const void *from, uint32_t bytes);
void gpu_read(const struct gpu_memory *memory, uint32_t offset, void *to, uint32_t bytes);

/* Copies code to the GPU, with room for a list of uniforms for each of qpus QPUs, 1 to GPU_QPUS_MOST. */
bool gpu_load(struct gpu *gpu, const uint32_t *code, uint32_t code_bytes, unsigned qpus,
              uint32_t uniform_bytes, struct gpu_kernel *kernel);

/* Does nothing if kernel is all zeros. */
void gpu_unload(struct gpu *gpu, struct gpu_kernel *kernel);

/* Where the uniforms of a QPU are, for QPUs. */
uint32_t gpu_uniforms_of(const struct gpu_kernel *kernel, unsigned qpu);

/* Writes the uniforms of a QPU, uniform_bytes of them. */
void gpu_set_uniforms(const struct gpu_kernel *kernel, unsigned qpu, const void *uniforms);

/* Clears the GPU's caches, starts the kernel on all its QPUs, and returns when all have ended: false if they have not after
 * timeout_ms milliseconds. Then they may still run, in memory that is soon somebody else's: close the GPU, which switches them off. */
bool gpu_run(struct gpu *gpu, const struct gpu_kernel *kernel, enum gpu_launch launch,
             unsigned timeout_ms);

/* Seconds since some moment in the past. */
double gpu_seconds(void);

#endif
