/* SPDX-License-Identifier: MIT */
/* memory.h - the memory that fetches read and memory exports write: ranges of the user's bytes at GPU addresses.
 *
 * In:      ranges, which do not overlap; addresses of 32 bits.
 * Out:     bytes. What lies in no range cannot be read: the reader decides what it is instead.
 * Left out: caches, and what several lanes do to the same bytes. */
#ifndef A2XX_MEMORY_H
#define A2XX_MEMORY_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <tessera/tessera.h>

struct a2xx_range {
    uint32_t address;
    uint64_t size;
    uint8_t *bytes;
    bool writable;
};

/* Zeroed memory has no ranges. */
struct a2xx_memory {
    struct a2xx_range *ranges; /* in the order of addresses */
    size_t count, room;
};

/* The empty range is allowed, and does nothing. TESS_INVALID if it overlaps another or ends beyond 2^32; TESS_NO_MEMORY. */
enum tess_status a2xx_memory_map(struct a2xx_memory *memory, uint32_t address, void *bytes,
                                 size_t size, bool writable);

/* Takes away the range that begins at the address, if one does. */
void a2xx_memory_unmap(struct a2xx_memory *memory, uint32_t address);

void a2xx_memory_free(struct a2xx_memory *memory);

/* The bytes from the address to the end of its range, *size of them; NULL and 0 if nothing is there. */
const uint8_t *a2xx_memory_at(const struct a2xx_memory *memory, uint32_t address, size_t *size);

/* Copies bytes, which may lie in ranges beside each other. Bytes that are not there become 0, and the result false. */
bool a2xx_memory_load(const struct a2xx_memory *memory, uint32_t address, void *bytes, size_t size);

enum a2xx_store { A2XX_STORE_OK, A2XX_STORE_UNMAPPED, A2XX_STORE_READ_ONLY };

/* Copies bytes to memory; those that cannot be written are left out, and the result tells of the first of them. */
enum a2xx_store a2xx_memory_store(struct a2xx_memory *memory, uint32_t address, const void *bytes,
                                  size_t size);

#endif
