/* SPDX-License-Identifier: MIT */
/* clear.h - clears objects of some hundred bytes with vector stores. Compilers clear such objects
 * with a string instruction, which takes longer to start. */
#ifndef BASE_CLEAR_H
#define BASE_CLEAR_H

#include <stddef.h>
#include <stdint.h>
#include <string.h>

/* Sets size bytes to 0. size is a multiple of 8. */
static inline void clear_quickly(void *object, size_t size)
{
    typedef uint64_t words __attribute__((vector_size(16)));
    const words zero = {0};
    uint8_t *at = object;
    for (const uint8_t *end = at + size - size % 64; at != end; at += 64) {
        for (unsigned i = 0; i < 64; i += 16)
            memcpy(at + i, &zero, sizeof zero);
        __asm__ volatile("" : "+r"(at)); /* the loop must not become a string instruction */
    }
    for (size_t i = 0; i < size % 64; i += 8)
        memcpy(at + i, &zero, 8);
}

#endif
