/* SPDX-License-Identifier: MIT */
/* memory.c - functions that GCC calls by itself, for example to copy structs.
 *
 * volatile prevents that GCC replaces their loops with calls to themselves. */
#include <stddef.h>
#include <stdint.h>

void *memset(void *to, int byte, size_t size)
{
    volatile uint8_t *out = to;
    while (size--)
        *out++ = (uint8_t)byte;
    return to;
}

void *memcpy(void *to, const void *from, size_t size)
{
    volatile uint8_t *out = to;
    const uint8_t *in = from;
    while (size--)
        *out++ = *in++;
    return to;
}
