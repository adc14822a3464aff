/* SPDX-License-Identifier: MIT */
/* memory.h - the memory that fetches read and memory exports write. It consists of ranges, which
 * place the user's bytes at GPU addresses.
 *
 * In:      ranges, which do not overlap; 32-bit addresses.
 * Out:     bytes. For an address outside of all ranges, the caller chooses a substitute.
 * Left out: caches, and concurrent accesses of several lanes to the same bytes. */
#ifndef A2XX_FETCH_MEMORY_H
#define A2XX_FETCH_MEMORY_H

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

/* A list of ranges. Must be zero-initialised. */
struct a2xx_memory {
    struct a2xx_range *ranges; /* sorted by address */
    size_t count;
};

/* Adds a range. An empty range is ignored. Returns TESS_INVALID if the range overlaps another range
 * or ends after address 2^32. Returns TESS_NO_MEMORY if the host is out of memory. */
enum tess_status a2xx_memory_map(struct a2xx_memory *memory, uint32_t address, void *bytes,
                                 size_t size, bool writable);

/* Removes the range that begins at the address. Does nothing if there is no such range. */
void a2xx_memory_unmap(struct a2xx_memory *memory, uint32_t address);

void a2xx_memory_free(struct a2xx_memory *memory);

/* Returns a pointer to the byte at an address, and stores in *size the number of bytes from there
 * to the end of the address's range. For an unmapped address, returns NULL and stores 0. */
const uint8_t *a2xx_memory_at(const struct a2xx_memory *memory, uint32_t address, size_t *size);

/* Copies bytes from memory. The bytes may be in several adjacent ranges. Unmapped bytes are set to
 * 0. Returns false if any byte is unmapped. */
bool a2xx_memory_load(const struct a2xx_memory *memory, uint32_t address, void *bytes, size_t size);

enum a2xx_store { A2XX_STORE_OK, A2XX_STORE_UNMAPPED, A2XX_STORE_READ_ONLY };

/* Copies bytes to memory. Skips bytes that cannot be written. The result describes the first
 * skipped byte. */
enum a2xx_store a2xx_memory_store(struct a2xx_memory *memory, uint32_t address, const void *bytes,
                                  size_t size);

#endif
