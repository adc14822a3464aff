/* SPDX-License-Identifier: MIT */
/* texture_words.h - reads the parameters of a texture, which are uniforms, by the rows of
 * records.def (manual, tables 15 to 18). */
#ifndef ISA_CL_TEXTURE_WORDS_H
#define ISA_CL_TEXTURE_WORDS_H

#include "isa/cl/cl.h"

/* Types of parameters 2 and 3 (table 17). */
enum {
    TEXTURE_PTYPE_NONE,
    TEXTURE_PTYPE_CUBE,
    TEXTURE_PTYPE_CHILD_SIZE,
    TEXTURE_PTYPE_CHILD_OFFSET
};

enum { TEXTURE_SIZE_MOST = 2048, TEXTURE_TYPE_ETC1 = 8 };

static inline uint32_t texture_bits(const uint32_t *words, unsigned bit, unsigned width)
{
    return words[bit / 32] >> bit % 32 & (UINT32_MAX >> (32 - width));
}

/* Reads a field, such as TEXTURE_READ(parameter, TEXTURE, WRAP_S). words points to parameters 0
 * and 1 for PART TEXTURE, to parameter 2 or 3 for the others. */
#define TEXTURE_READ(words, PART, NAME) \
    texture_bits(words, CL_##PART##_##NAME##_BIT, CL_##PART##_##NAME##_WIDTH)

/* Returns the size in texels of a width or height field, in which 0 means 2048. */
static inline uint32_t texture_size(uint32_t field)
{
    return field ? field : TEXTURE_SIZE_MOST;
}

/* Returns the texture type. Its highest bit is bit 31 of parameter 1. */
static inline uint32_t texture_type(const uint32_t words[2])
{
    return TEXTURE_READ(words, TEXTURE, TYPE) | words[1] >> 31 << CL_TEXTURE_TYPE_WIDTH;
}

/* Returns the address of the largest level. */
static inline uint32_t texture_address(const uint32_t words[2])
{
    return TEXTURE_READ(words, TEXTURE, BASE) << CL_TEXTURE_BASE_BIT;
}

/* Returns the distance of a cube map's faces in bytes, from parameter 2 or 3. */
static inline uint32_t texture_cube_stride(uint32_t word)
{
    return TEXTURE_READ(&word, TEXTURE_CUBE, STRIDE) << CL_TEXTURE_CUBE_STRIDE_BIT;
}

#endif
