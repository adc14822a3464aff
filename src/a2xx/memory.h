/* SPDX-License-Identifier: MIT */
/* memory.h - the memory that fetches read and memory exports write: ranges of the user's bytes at
 * GPU addresses.
 *
 * In:      ranges, which do not overlap; addresses of 32 bits.
 * Out:     bytes. Addresses outside of all ranges cannot be read; the caller chooses a substitute.
 * Left out: caches, and concurrent accesses of several lanes to the same bytes. */
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

/* A list of ranges. Initialise to zero. */
struct a2xx_memory {
    struct a2xx_range *ranges; /* ranges, sorted by address */
    size_t count, room;
};

/* Adds a range. An empty range is ignored. Returns TESS_INVALID if it overlaps another range or
 * ends beyond 2^32, or TESS_NO_MEMORY. */
enum tess_status a2xx_memory_map(struct a2xx_memory *memory, uint32_t address, void *bytes,
                                 size_t size, bool writable);

/* Removes the range that begins at the address, if there is one. */
void a2xx_memory_unmap(struct a2xx_memory *memory, uint32_t address);

void a2xx_memory_free(struct a2xx_memory *memory);

/* Returns the bytes from the address to the end of its range, and their number in *size. Returns
 * NULL and 0 for an unmapped address. */
const uint8_t *a2xx_memory_at(const struct a2xx_memory *memory, uint32_t address, size_t *size);

/* Copies bytes from memory, from several adjacent ranges if necessary. Returns false if a byte
 * is unmapped; such bytes are set to 0. */
bool a2xx_memory_load(const struct a2xx_memory *memory, uint32_t address, void *bytes, size_t size);

enum a2xx_store { A2XX_STORE_OK, A2XX_STORE_UNMAPPED, A2XX_STORE_READ_ONLY };

/* Copies bytes to memory. Bytes that cannot be written are skipped. The result describes the
 * first of them. */
enum a2xx_store a2xx_memory_store(struct a2xx_memory *memory, uint32_t address, const void *bytes,
                                  size_t size);

#endif
