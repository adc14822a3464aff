/* SPDX-License-Identifier: MIT */
/* validate.h - validates and copies a job's list for the binner, with its shader records and
 * uniforms. The kernel, not the program, writes addresses. The copy contains these addresses.
 *
 * In:  a program's lists; its buffer objects.
 * Out: a list that V3D can execute, or the reason for refusing the program's list. */
#ifndef SHIM_DRM_VC4_VALIDATE_H
#define SHIM_DRM_VC4_VALIDATE_H

#include <stdbool.h>
#include <stdint.h>

#include "shim/drm/gem/bo.h"
#include "shim/drm/refusal.h"
#include "shim/drm/vc4/validate_shader.h"

/* A shader record of packet 64. */
struct validate_record {
    /* low bits of packet 64: number of attributes, and a flag for long strides */
    uint32_t attributes;
    uint32_t max_index; /* largest vertex index that the record's primitives use */
};

/* The part of a job's data that has not been read yet, and the destination of its copy. */
struct validate_stream {
    const uint8_t *from;
    uint32_t left; /* number of bytes at from */
    uint8_t *to;
    uint32_t address; /* bus address of the bytes at `to` */
};

struct validation {
    /* Input, from the caller. list_to, records.to and uniforms.to have room for the program's data.
     * validate_place() computes the offsets. */
    const uint8_t *list;
    uint32_t list_size;
    uint8_t *list_to;
    struct validate_stream records, uniforms;
    struct validate_record *seen; /* array of record_count elements */
    uint32_t record_count;
    struct bo *const *bos;
    uint32_t bo_count;
    uint32_t binner_address, binner_size; /* memory for tile state and tile lists */

    /* Output. */
    uint32_t list_bytes; /* size of the copied list */
    uint32_t tile_lists; /* bus address of the first tile's list */
    uint32_t tiles_across, tiles_down;
    uint32_t seen_count;

    /* Internal state of the validation. */
    uint32_t indices[2]; /* indices in `bos`, from packet 254 */
    uint32_t records_address;
    bool has_configuration, has_start, has_semaphore, has_flush;
    struct refusal *why;
};

/* Computes the offsets of a job's parts, which follow each other: the list at offset 0, the shader
 * records at *records, the uniforms at *uniforms. *size is the sum of the sizes. Returns false if
 * the sum exceeds 32 bits. */
bool validate_place(uint32_t list_size, uint32_t records_size, uint32_t uniforms_size,
                    uint32_t *records, uint32_t *uniforms, uint32_t *size);

/* Validates a job and writes its copy (validate_record.c). Returns 0, or EINVAL with *why filled
 * in. */
int validate_job(struct validation *v, struct refusal *why);

/* Returns the buffer object at an index. If the index is too large or the object is a shader, fills
 * in *v->why and returns NULL. */
struct bo *validate_bo(struct validation *v, uint32_t index);

/* Validates the list for the binner. */
int validate_list(struct validation *v);

/* Validates a request to a TMU (validate_texture.c). The request's parameters are uniforms. Adds
 * the address of `bo` to the first parameter and writes it to uniforms_to. `bo` is the texture, or
 * the memory that a direct read reads. */
int validate_sample(const struct shader_sample *sample, const struct bo *bo,
                    const uint8_t *uniforms, uint8_t *uniforms_to, struct refusal *why);

#endif
