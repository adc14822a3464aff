/* SPDX-License-Identifier: MIT */
/* quad.h - the four pixels of a quad as one value, for the rasteriser and the tile buffer. Four
 * words fit in a vector register of every host. A condition is a word of all ones or all zeros. */
#ifndef VC4_LANES_QUAD_H
#define VC4_LANES_QUAD_H

#include <stdint.h>
#include <string.h>

typedef uint32_t quad_words __attribute__((vector_size(16)));
typedef int32_t quad_ints __attribute__((vector_size(16)));

static inline quad_words quad_load(const void *from)
{
    quad_words value;
    memcpy(&value, from, sizeof value);
    return value;
}

static inline void quad_store(void *to, quad_words value)
{
    memcpy(to, &value, sizeof value);
}

static inline quad_words quad_all(uint32_t value)
{
    return (quad_words){value, value, value, value};
}

/* Returns a mask with one bit for each pixel whose condition holds. */
static inline uint32_t quad_mask(quad_words condition)
{
    uint64_t half[2];
    quad_words bits = condition & (quad_words){1, 2, 4, 8};
    memcpy(half, &bits, sizeof half);
    half[0] |= half[1];
    return (uint32_t)(half[0] | half[0] >> 32);
}

/* quad_bytes() converts a mask of four bits to four bytes of 0 or 1. The lowest bit becomes the
 * lowest byte. quad_mask_of_bytes() converts the bytes back to bits. */
static inline uint32_t quad_bytes(uint32_t mask)
{
    return mask * 0x204081u & 0x01010101u;
}

static inline uint32_t quad_mask_of_bytes(uint32_t bytes)
{
    return (bytes & 0x01010101u) * 0x10204080u >> 28;
}

/* Returns the number of bytes whose lowest bit is set. */
static inline uint32_t quad_count_bytes(uint32_t bytes)
{
    return (bytes & 0x01010101u) * 0x01010101u >> 24;
}

#endif
