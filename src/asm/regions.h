/* SPDX-License-Identifier: MIT */
/* regions.h - assembled bytes by region. A region starts at a bus address. Zeros at the end of a
 * region are counted but not stored, so a frame buffer costs no memory. */
#ifndef ASM_REGIONS_H
#define ASM_REGIONS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/buffer.h"

enum {
    ASM_STORED_MAX = 256 << 20, /* maximum number of stored bytes of all regions */
    ASM_REGIONS_MAX = 4096,
};

struct source_line;

struct asm_region {
    uint32_t address;
    struct buffer bytes;
    uint32_t zeros; /* number of zero bytes after the stored bytes */
    /* Line of the region's .org, NULL for the first region without .org. */
    const struct source_line *line;
};

/* Zero-initialise the struct and free it with regions_free(). */
struct asm_regions {
    struct asm_region *items;
    size_t count;
    size_t stored; /* total number of bytes stored in all regions */
};

enum regions_result {
    REGIONS_OK,
    REGIONS_NO_MEMORY,
    REGIONS_TOO_MANY, /* more than ASM_REGIONS_MAX regions */
    REGIONS_TOO_BIG,  /* more than ASM_STORED_MAX stored bytes */
    REGIONS_TOO_HIGH, /* the region would exceed the 32-bit address space */
};

/* Starts a region. If the newest region is empty, the new region replaces it. */
enum regions_result regions_start(struct asm_regions *regions, uint32_t address,
                                  const struct source_line *line);

/* Append to the newest region, which must exist. */
enum regions_result regions_append(struct asm_regions *regions, const void *bytes, size_t size);
enum regions_result regions_zeros(struct asm_regions *regions, uint64_t count);

/* Returns the last size bytes of the newest region, which the caller may change until the next
 * call. Returns NULL if the region is smaller. */
uint8_t *regions_last(struct asm_regions *regions, size_t size);

/* Removes the last size bytes of the newest region. Call regions_last() with the same size first,
 * so that those bytes are stored. */
void regions_cut(struct asm_regions *regions, size_t size);

/* Returns the size bytes at address, or NULL if the bytes are not all stored in one region. */
uint8_t *regions_at(const struct asm_regions *regions, uint32_t address, size_t size);

/* Returns the address after the newest region's last byte. */
uint32_t regions_end(const struct asm_regions *regions);

/* Returns true if an .org set the address of the newest region. */
bool regions_placed(const struct asm_regions *regions);

/* Returns the size of a region in bytes, including the zeros at its end. */
uint32_t region_size(const struct asm_region *region);

/* Finds two regions that overlap in memory: the top two address bits, which select caching, are
 * ignored. Returns false if no regions overlap. */
bool regions_overlap(const struct asm_regions *regions, size_t *one, size_t *other);

void regions_free(struct asm_regions *regions);

#endif
