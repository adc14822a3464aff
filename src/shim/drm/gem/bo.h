/* SPDX-License-Identifier: MIT */
/* bo.h - buffer objects: memory, and the data that the kernel keeps about each buffer object.
 * Handles, framebuffers and jobs share buffer objects. Each of them holds a reference.
 *
 * All functions are called with the device's lock (device_lock.h).
 *
 * Source: Linux, drivers/gpu/drm/drm_gem.c; drivers/gpu/drm/vc4/vc4_bo.c (purging). */
#ifndef SHIM_DRM_GEM_BO_H
#define SHIM_DRM_GEM_BO_H

#include <stdbool.h>
#include <stdint.h>
#include <tessera/scene.h>

#include "shim/drm/gem/memory.h"

struct bo {
    struct memory memory;
    uint32_t size; /* size in bytes, a multiple of the page size */
    uint32_t references;
    uint32_t handles; /* number of handles in all files; each handle counts as a reference */
    uint32_t number;  /* number for messages, from 1; a number is never reused */
    uint32_t name;    /* global name (GEM_FLINK), or 0; closing the last handle deletes the name */
    /* true if the last SET_TILING of this process set T-format; bo_is_tiled() also covers other
     * processes */
    bool tiled;
    /* true for code that the driver has validated: programs can only read it, not export it */
    bool is_shader;
    bool is_hidden; /* true if programs cannot map the object */
    void *data;     /* the driver's data about the object, or NULL */
    char *label;    /* label set by LABEL_BO, or NULL */
    bool purgeable; /* true if GEM_MADVISE has marked the object as not needed */
    bool purged;
    /* true for an object that was exported or imported, or that the display uses; such an object is
     * never purged */
    bool shared;
    bool imported;
    /* sequence numbers of the last job that used the object, and of the last job that wrote to
     * it */
    uint64_t seqno, write_seqno;
    struct bo *previous, *next; /* list of all buffer objects, ordered by number */
};

/* Creates a buffer object with one reference, which the caller owns. Errors: EINVAL (size 0),
 * ENOMEM. */
int bo_create(struct bo **out, uint64_t size);

/* Returns the buffer object of a PRIME file, with a reference. If the process does not have that
 * object yet, creates it. */
int bo_import(struct bo **out, int fd);

struct bo *bo_take(struct bo *bo); /* adds a reference and returns bo */
/* Drops a reference. The last reference frees the object. `bo` may be NULL. */
void bo_release(struct bo *bo);

/* Marks a buffer object as purgeable or as needed (GEM_MADVISE). Has no effect on an object whose
 * memory has been purged. */
void bo_set_purgeable(struct bo *bo, bool purgeable);

/* bo_is_tiled() returns true if the pixels are in T-format, according to the last SET_TILING of any
 * process. bo_set_tiled() carries out SET_TILING. */
bool bo_is_tiled(const struct bo *bo);
void bo_set_tiled(struct bo *bo, bool tiled);

/* Returns the mmap() offset of the buffer object in its node. */
uint64_t bo_offset(const struct bo *bo);

/* Returns the buffer object with an mmap() offset, or NULL if none exists. */
struct bo *bo_of_offset(uint64_t offset);

/* Returns the first of all buffer objects, or NULL if none exists. */
struct bo *bo_first(void);

/* Returns the buffer object whose memory contains the bus address, or NULL if none exists. */
struct bo *bo_at(uint32_t address);

enum { BO_NAME_BYTES = 80 };

/* Writes the object's label as one word. For an object without a label, writes "bo" or "shader"
 * followed by the object's number, such as "bo7". */
void bo_name(const struct bo *bo, char name[BO_NAME_BYTES]);

/* Finds the buffer object at a bus address and sets *place. Returns false if none exists. The name
 * in *place stays valid for three further calls. */
bool bo_name_place(uint32_t address, struct tess_scene_place *place);

#endif
