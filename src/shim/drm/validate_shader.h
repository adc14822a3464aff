/* SPDX-License-Identifier: MIT */
/* validate_shader.h - what the kernel asks of a QPU program before a job may use it, and what it finds out about its uniforms.
 *
 * In:  the instructions of a shader buffer object. Out: struct shader, or why it is refused.
 *
 * A V3D has no MMU, so a program may reach memory by textures and clamped reads only, whose addresses the kernel fills in. For
 * that it has to know which uniforms they are. */
#ifndef SHIM_DRM_VALIDATE_SHADER_H
#define SHIM_DRM_VALIDATE_SHADER_H

#include <stdbool.h>
#include <stdint.h>

#include "refusal.h"

enum { SHADER_PARAMETERS = 4 };

/* Where a value is not in the uniforms. */
#define SHADER_NOWHERE UINT32_MAX

/* A request to a TMU. */
struct shader_sample {
    bool is_direct; /* a read of one word by its address, no texture */
    /* Of its parameters in the uniforms, in bytes; SHADER_NOWHERE: not given. Those of a direct read are the address to
     * which the offset is added, and the greatest offset. */
    uint32_t offset[SHADER_PARAMETERS];
};

struct shader {
    uint32_t uniforms_size; /* bytes that it reads */
    uint32_t source_size; /* bytes in a job's stream: an index for each sample, then the uniforms */
    struct shader_sample *samples;
    uint32_t sample_count;
    uint32_t *address_slots; /* uniforms that get the address of the uniforms themselves */
    uint32_t address_count;
    bool is_threaded;
};

/* words are count instructions. Result: 0 and *out, to be freed with shader_free(); EINVAL and *why; ENOMEM. */
int shader_validate(struct shader **out, const uint64_t *words, uint32_t count,
                    struct refusal *why);

/* NULL is allowed. */
void shader_free(struct shader *shader);

#endif
