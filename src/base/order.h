/* SPDX-License-Identifier: MIT */
/* order.h - minimum, maximum and comparison of two numbers. */
#ifndef BASE_ORDER_H
#define BASE_ORDER_H

#include <stdint.h>

static inline uint64_t least_u64(uint64_t a, uint64_t b)
{
    return a < b ? a : b;
}

static inline uint64_t most_u64(uint64_t a, uint64_t b)
{
    return a > b ? a : b;
}

static inline uint32_t least_u32(uint32_t a, uint32_t b)
{
    return a < b ? a : b;
}

static inline uint32_t most_u32(uint32_t a, uint32_t b)
{
    return a > b ? a : b;
}

static inline int32_t least_i32(int32_t a, int32_t b)
{
    return a < b ? a : b;
}

static inline int32_t most_i32(int32_t a, int32_t b)
{
    return a > b ? a : b;
}

/* Compares two numbers for sorting. Returns less than 0, 0 or more than 0 if a is less than, equal
 * to or greater than b. */
static inline int order_u32(uint32_t a, uint32_t b)
{
    return a < b ? -1 : a > b;
}

#endif
