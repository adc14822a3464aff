/* SPDX-License-Identifier: MIT */
/* validate_shader.h - the kernel's rules for QPU programs, and the data about their uniforms that
 * the kernel extracts.
 *
 * In:  the instructions of a shader's buffer object.
 * Out: struct shader, or the reason for refusing it.
 *
 * V3D has no MMU. So a program may reach memory only through textures and clamped reads, whose
 * addresses the kernel fills in. The kernel needs to know which uniforms contain those
 * addresses. */
#ifndef SHIM_DRM_VALIDATE_SHADER_H
#define SHIM_DRM_VALIDATE_SHADER_H

#include <stdbool.h>
#include <stdint.h>

#include "refusal.h"

enum { SHADER_PARAMETERS = 4 };

/* Offset of a value that is not in the uniforms. */
#define SHADER_NOWHERE UINT32_MAX

/* A request to a TMU. */
struct shader_sample {
    bool is_direct; /* true if the request reads one word by its address, not a texture */
    /* Byte offsets of the parameters in the uniforms; SHADER_NOWHERE if absent. The parameters of a
     * direct read are the base address and the largest offset. */
    uint32_t offset[SHADER_PARAMETERS];
};

struct shader {
    uint32_t uniforms_size; /* bytes of uniforms that the program reads */
    uint32_t source_size; /* bytes in a job's stream: an index for each sample, then the uniforms */
    struct shader_sample *samples;
    uint32_t sample_count;
    uint32_t *address_slots; /* indices of uniforms that receive the address of the uniforms */
    uint32_t address_count;
    bool is_threaded;
};

/* Validates count instructions. Returns 0 with *out, which the caller frees with shader_free();
 * EINVAL with *why; or ENOMEM. */
int shader_validate(struct shader **out, const uint64_t *words, uint32_t count,
                    struct refusal *why);

/* shader may be NULL. */
void shader_free(struct shader *shader);

#endif
