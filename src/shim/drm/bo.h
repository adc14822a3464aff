/* SPDX-License-Identifier: MIT */
/* bo.h - buffer objects: memory with what the kernel keeps about it. Each is shared by the handles, framebuffers and jobs that
 * count as its references.
 *
 * All functions are called with the device's lock (gpu.h). Source: Linux, drivers/gpu/drm/vc4/vc4_bo.c. */
#ifndef SHIM_DRM_BO_H
#define SHIM_DRM_BO_H

#include <stdbool.h>
#include <stdint.h>

#include "memory.h"

struct shader; /* validate_shader.h */

struct bo {
    struct memory memory;
    uint32_t size; /* bytes, as the program asked, rounded up to pages */
    uint32_t references;
    uint32_t handles;      /* of all files, each of which has a reference */
    uint32_t number;       /* from 1, never used twice; for messages */
    uint32_t name;         /* of GEM_FLINK, as long as there are handles; 0: none */
    bool tiled;            /* SET_TILING said so, in this process; bo_is_tiled() knows of all */
    struct shader *shader; /* what the validator found out; NULL: no shader */
    char *label;           /* of LABEL_BO; NULL: none */
    bool purgeable;        /* GEM_MADVISE said "don't need" */
    bool purged;
    bool shared; /* exported, imported or on the display: never purged */
    bool imported;
    uint64_t seqno, write_seqno; /* of the last job that used it, and that wrote to it */
    struct bo *previous, *next;  /* of all buffer objects, in the order of their numbers */
};

/* A new one with one reference, which is the caller's. Errors: EINVAL (size 0), ENOMEM. */
int bo_create(struct bo **out, uint64_t size);

/* The buffer object of a file that PRIME has given: the one that is there already, or a new one; with a reference. */
int bo_import(struct bo **out, int fd);

struct bo *bo_take(struct bo *bo); /* one reference more; returns bo */
void bo_release(struct bo *bo);    /* one less; the last one frees it. NULL is allowed */

/* Whether its memory may be thrown away (GEM_MADVISE). Once it has been needed, memory that is gone stays so. */
void bo_set_purgeable(struct bo *bo, bool purgeable);

/* Whether its pixels are in T-format: what SET_TILING said last, in whatever process. */
bool bo_is_tiled(const struct bo *bo);
void bo_set_tiled(struct bo *bo, bool tiled);

/* What a program maps it at: an offset into the node. */
uint64_t bo_offset(const struct bo *bo);

/* The one with that offset; NULL: none. */
struct bo *bo_of_offset(uint64_t offset);

/* All buffer objects, for dumps; NULL: none. */
struct bo *bo_first(void);

/* The one whose memory has that bus address; NULL: none. */
struct bo *bo_at(uint32_t address);

#endif
