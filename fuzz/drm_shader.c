/* SPDX-License-Identifier: MIT */
/* drm_shader.c - fuzz target: the check of shaders that programs pass to the DRM device,
 * src/shim/drm/vc4/validate_shader.c. The input is combined by XOR with a valid shader, so a zero
 * bit leaves the shader's bit unchanged. */
#include <errno.h>
#include <stdlib.h>

#include "frame.h"
#include "shim/drm/vc4/validate_shader.h"

enum { MOST_WORDS = 256 };

/* A valid shader, which has a texture request, a memory lookup, thread switches, and a loop. */
static const char seed[] = "mov r0, unif\nmov t0t, r0\nmov t0s, r0\nnop; thrsw\nnop\nnop\n"
                           ":loop\nldi r0, 16\nadd unif_addr, r0, unif\n"
                           "max ra0, r1, 0\nmin ra0, ra0, unif\nadd t1s, ra0, unif\n"
                           "brr.anynz -, :loop\nnop\nnop\nnop\n"
                           "nop; lthrsw\nnop\nnop\nmov r0, r4; ldtmu0\nnop; thrend\nnop\nnop\n";

/* Checks that all reported offsets are offsets of the program's uniforms or of the word after
 * them. */
static void look(const struct shader *shader, uint32_t count)
{
    if (shader->uniforms_size > 8 * (count + 1) || shader->sample_count > count ||
        shader->address_count > count + 1)
        __builtin_trap();
    for (uint32_t i = 0; i < shader->sample_count; i++)
        for (unsigned p = 0; p < SHADER_PARAMETERS; p++)
            if (shader->samples[i].offset[p] != SHADER_NOWHERE &&
                shader->samples[i].offset[p] > shader->uniforms_size)
                __builtin_trap();
    for (uint32_t i = 0; i < shader->address_count; i++)
        if (4 * (uint64_t)shader->address_slots[i] >= shader->uniforms_size)
            __builtin_trap();
}

/* Validates code in an allocation of exactly count words, so that sanitizers detect reads past the
 * end of the code. */
static void try(const uint8_t *code, uint32_t count)
{
    struct shader *shader;
    struct refusal why;
    uint64_t *words = malloc(count * sizeof *words);
    if (count)
        memcpy(words, code, count * sizeof *words);
    if (shader_validate(&shader, words, count, &why) == 0)
        look(shader, count);
    else if (!*why.text || !why.instead || shader)
        __builtin_trap();
    shader_free(shader);
    free(words);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    static uint8_t *valid;
    static size_t valid_size;
    uint8_t code[MOST_WORDS * 8] = {0};
    if (!valid)
        valid = frame_assemble(seed, &valid_size);
    if (size < 1 || size > sizeof code)
        return 0;
    memcpy(code, valid, valid_size);
    for (size_t i = 1; i < size; i++)
        code[i - 1] ^= data[i];
    const uint32_t count = (uint32_t)valid_size / 8 + data[0] % 4;
    try(code, size / 8 > count ? (uint32_t)(size / 8) : count);
    return 0;
}
