/* SPDX-License-Identifier: MIT */
/* validate.h - validates a job's list for the binner with its shader records and uniforms, and
 * copies them. The copy contains the addresses that the program leaves to the kernel.
 *
 * In:  a program's lists; its buffer objects.
 * Out: a list that V3D can execute, or the reason for refusing it. */
#ifndef SHIM_DRM_VALIDATE_H
#define SHIM_DRM_VALIDATE_H

#include <stdbool.h>
#include <stdint.h>

#include "bo.h"
#include "refusal.h"
#include "validate_shader.h"

/* A shader record of packet 64. */
struct validate_record {
    uint32_t attributes; /* low bits of the packet: count, and a flag for long strides */
    uint32_t max_index;  /* largest index that primitives use */
};

/* Unread part of a job's data, and the place of its copy. */
struct validate_stream {
    const uint8_t *from;
    uint32_t left; /* number of bytes at from */
    uint8_t *to;
    uint32_t address; /* bus address of to */
};

struct validation {
    /* Filled in by the caller. list_to, records.to and uniforms.to have the sizes of the program's
     * data; see validate_place(). */
    const uint8_t *list;
    uint32_t list_size;
    uint8_t *list_to;
    struct validate_stream records, uniforms;
    struct validate_record *seen; /* array of record_count elements */
    uint32_t record_count;
    struct bo *const *bos;
    uint32_t bo_count;
    uint32_t binner_address, binner_size; /* memory for tile state and tile lists */

    /* Results. */
    uint32_t list_bytes; /* size of the copied list */
    uint32_t tile_lists; /* bus address of the first tile's list */
    uint32_t tiles_across, tiles_down;
    uint32_t seen_count;

    /* State of the validation. */
    uint32_t indices[2]; /* indices of buffer objects, from packet 254 */
    uint32_t records_address;
    bool has_configuration, has_start, has_semaphore, has_flush;
    struct refusal *why;
};

/* Places the parts of a job one after another. *records and *uniforms are offsets, and *size is the
 * sum. Returns false if the sum exceeds 32 bits. */
bool validate_place(uint32_t list_size, uint32_t records_size, uint32_t uniforms_size,
                    uint32_t *records, uint32_t *uniforms, uint32_t *size);

/* Validates a job and writes its copy. Returns 0, or EINVAL with *why filled in. */
int validate_job(struct validation *v, struct refusal *why);

/* Returns the buffer object of an index, or NULL with v->why if the index is too large or the
 * object is a shader. */
struct bo *validate_bo(struct validation *v, uint32_t index);

/* Validates all shader records in the order of the list (validate_record.c). */
int validate_records(struct validation *v);

/* Validates a request to a TMU with its parameters in uniforms (validate_texture.c). Writes the
 * first parameter, with its address, to uniforms_to. `bo` is the texture, or the memory of a direct
 * read. */
int validate_sample(const struct shader_sample *sample, const struct bo *bo,
                    const uint8_t *uniforms, uint8_t *uniforms_to, struct refusal *why);

#endif
