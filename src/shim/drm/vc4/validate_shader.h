/* SPDX-License-Identifier: MIT */
/* validate_shader.h - checks QPU programs by the kernel's rules, and extracts the data about their
 * uniforms that the kernel needs.
 *
 * In:  the instructions of a shader's buffer object.
 * Out: struct shader, or the reason for refusing the program.
 *
 * V3D has no MMU. So the kernel permits memory accesses only through textures and through direct
 * reads with a clamped offset. The kernel writes the addresses of both to uniforms, and has to know
 * which uniforms these are. */
#ifndef SHIM_DRM_VC4_VALIDATE_SHADER_H
#define SHIM_DRM_VC4_VALIDATE_SHADER_H

#include <stdbool.h>
#include <stdint.h>

#include "shim/drm/gem/bo.h"
#include "shim/drm/refusal.h"

enum { SHADER_PARAMETERS = 4 };

/* Offset of a parameter that is not in the uniforms. */
#define SHADER_NOWHERE UINT32_MAX

/* A request to a TMU. */
struct shader_sample {
    /* true for a direct read, which reads one word at an address; false for a texture */
    bool is_direct;
    /* Byte offsets of the parameters in the uniforms. SHADER_NOWHERE if the request does not have
     * the parameter. A direct read has two parameters: the base address and the largest offset. */
    uint32_t offset[SHADER_PARAMETERS];
};

struct shader {
    uint32_t uniforms_size; /* number of bytes of uniforms that the program reads */
    /* number of bytes that a job submits for the program: an index for each TMU request, then the
     * uniforms */
    uint32_t source_size;
    struct shader_sample *samples;
    uint32_t sample_count;
    uint32_t *address_slots; /* indices of the uniforms that receive the address of the uniforms */
    uint32_t address_count;
    bool is_threaded;
};

/* Validates `count` instructions. On success, returns 0 and sets *out, which the caller frees with
 * shader_free(). Otherwise returns EINVAL with *why filled in, or ENOMEM. */
int shader_validate(struct shader **out, const uint64_t *words, uint32_t count,
                    struct refusal *why);

/* Frees a shader, which may be NULL. */
void shader_free(struct shader *shader);

/* Returns the result of validating a buffer object's code, or NULL if the object is not a
 * shader. */
static inline const struct shader *bo_shader(const struct bo *bo)
{
    return bo->data;
}

#endif
