/* SPDX-License-Identifier: MIT */
/* validate.h - a job's list for the binner, with the shader records and uniforms that it leads to: checked, and copied with the
 * addresses filled in that the program has left to the kernel.
 *
 * In:  what a program submits; its buffer objects. Out: a list that V3D can execute, or why it is refused. */
#ifndef SHIM_DRM_VALIDATE_H
#define SHIM_DRM_VALIDATE_H

#include <stdbool.h>
#include <stdint.h>

#include "bo.h"
#include "refusal.h"
#include "validate_shader.h"

/* A record that packet 64 leads to. */
struct validate_record {
    uint32_t attributes; /* the packet's low bits: how many, and whether strides are long */
    uint32_t max_index;  /* the greatest that primitives use */
};

/* Part of the stream of a job that has not been used yet, and where its copy goes. */
struct validate_stream {
    const uint8_t *from;
    uint32_t left; /* bytes at .from */
    uint8_t *to;
    uint32_t address; /* of .to on the bus */
};

struct validation {
    /* Filled in by the caller. The three parts of *to have as many bytes as those of the program; see validate_place(). */
    const uint8_t *list;
    uint32_t list_size;
    uint8_t *list_to;
    struct validate_stream records, uniforms;
    struct validate_record *seen; /* room for record_count */
    uint32_t record_count;
    struct bo *const *bos;
    uint32_t bo_count;
    uint32_t binner_address, binner_size; /* memory for the tiles' state and lists */

    /* Results. */
    uint32_t list_bytes; /* of the checked list */
    uint32_t tile_lists; /* bus address of the first tile's list */
    uint32_t tiles_across, tiles_down;
    uint32_t seen_count;

    /* While it is checked. */
    uint32_t indices[2]; /* into the buffer objects, of packet 254 */
    uint32_t records_address;
    bool has_configuration, has_start, has_semaphore, has_flush;
    struct refusal *why;
};

/* Where the parts of a job are behind each other: *records and *uniforms are offsets, and *size is the sum. False: more than
 * there are addresses. */
bool validate_place(uint32_t list_size, uint32_t records_size, uint32_t uniforms_size,
                    uint32_t *records, uint32_t *uniforms, uint32_t *size);

/* Checks a job and writes its copy. Result: 0, or EINVAL and *why. */
int validate_job(struct validation *v, struct refusal *why);

/* The buffer object of that index, if it is there and no shader's; else NULL, and v->why. */
struct bo *validate_bo(struct validation *v, uint32_t index);

/* All records of the list, in their order (validate_record.c). */
int validate_records(struct validation *v);

/* Checks the request to a TMU whose parameters are in uniforms (validate_texture.c), and writes the first one, with its
 * address, to uniforms_to. bo is the texture, or where words are read from. */
int validate_sample(const struct shader_sample *sample, const struct bo *bo,
                    const uint8_t *uniforms, uint8_t *uniforms_to, struct refusal *why);

#endif
