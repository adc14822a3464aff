/* SPDX-License-Identifier: MIT */
/* gpu.h - QPU programs from Linux on a Raspberry Pi 0 to 3: memory shared with the GPU, and two
 * methods to start programs.
 *
 * Needs only the C library: copy gpu.h and gpu.c into your project. The program must run as root,
 * and no other program may use the 3D block meanwhile: no "vc4" kernel driver
 * (dtoverlay=vc4-kms-v3d), no OpenGL.
 *
 * All functions that can fail return false or NULL, after printing the reason to standard error. */
#ifndef GPU_H
#define GPU_H

#include <stdbool.h>
#include <stdint.h>

enum { GPU_QPUS_MOST = 12 };

/* The opened GPU. A process can open it once. */
struct gpu;

/* A block of memory that the host and the GPU share. */
struct gpu_memory {
    uint32_t bus;  /* bus address, for QPUs */
    uint32_t size; /* bytes */
    uint32_t handle;
    volatile uint32_t *words; /* mapping in this process; see gpu_write() */
};

/* Method of starting programs, and of detecting their end. */
enum gpu_launch {
    /* the firmware starts them; the end is an interrupt: the last QPU must write to "irq" */
    GPU_MAILBOX,
    /* registers of the 3D block start them; the end is detected by a count of ended programs */
    GPU_DIRECT,
};

/* Code, and a list of uniforms for each QPU that runs the code. */
struct gpu_kernel {
    unsigned qpus;
    uint32_t uniform_bytes; /* size of one QPU's list; the lists follow each other */
    struct gpu_memory code, uniforms;
};

/* Opens the GPU and enables the QPUs. */
struct gpu *gpu_open(void);

/* Disables the QPUs and closes the GPU. Release all memory first: the firmware does not free it
 * when a process ends. gpu may be NULL. */
void gpu_close(struct gpu *gpu);

/* Allocates at least 1 byte, at a multiple of 4096. The contents are undefined. */
bool gpu_allocate(struct gpu *gpu, uint32_t bytes, struct gpu_memory *memory);

/* Releases memory. Does nothing if *memory is all zeros. */
void gpu_release(struct gpu *gpu, struct gpu_memory *memory);

/* Copy to and from memory. offset and bytes are multiples of 4, within the memory. On a 64-bit ARM
 * this memory is device memory, which permits only aligned accesses: memcpy() and memset() may
 * cause SIGBUS. */
void gpu_write(const struct gpu_memory *memory, uint32_t offset, const void *from, uint32_t bytes);
void gpu_read(const struct gpu_memory *memory, uint32_t offset, void *to, uint32_t bytes);

/* Copies code to the GPU, with room for a list of uniforms for each of qpus QPUs, 1 to
 * GPU_QPUS_MOST. */
bool gpu_load(struct gpu *gpu, const uint32_t *code, uint32_t code_bytes, unsigned qpus,
              uint32_t uniform_bytes, struct gpu_kernel *kernel);

/* Releases a kernel. Does nothing if *kernel is all zeros. */
void gpu_unload(struct gpu *gpu, struct gpu_kernel *kernel);

/* Returns the bus address of a QPU's uniforms. */
uint32_t gpu_uniforms_of(const struct gpu_kernel *kernel, unsigned qpu);

/* Writes the uniforms of a QPU, uniform_bytes of them. */
void gpu_set_uniforms(const struct gpu_kernel *kernel, unsigned qpu, const void *uniforms);

/* Clears the GPU's caches, starts the kernel on all its QPUs, and waits for their end. Returns
 * false if a QPU has not ended after timeout_ms milliseconds. It may then still write to memory
 * that is soon used otherwise: close the GPU, which disables the QPUs. */
bool gpu_run(struct gpu *gpu, const struct gpu_kernel *kernel, enum gpu_launch launch,
             unsigned timeout_ms);

/* Returns seconds since an arbitrary moment. */
double gpu_seconds(void);

#endif
