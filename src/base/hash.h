/* SPDX-License-Identifier: MIT */
/* hash.h - 64-bit FNV-1a hash of bytes. Source: Fowler, Noll, Vo, draft-eastlake-fnv. */
#ifndef BASE_HASH_H
#define BASE_HASH_H

#include <stddef.h>
#include <stdint.h>

#define HASH_START UINT64_C(0xcbf29ce484222325)

/* Returns hash extended by bytes. Pass HASH_START as the initial hash. */
static inline uint64_t hash_bytes(uint64_t hash, const uint8_t *bytes, size_t size)
{
    for (size_t i = 0; i < size; i++)
        hash = (hash ^ bytes[i]) * UINT64_C(0x100000001b3);
    return hash;
}

#endif
