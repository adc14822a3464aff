/* SPDX-License-Identifier: MIT */
/* regions.h - what has been assembled: runs of bytes at bus addresses. Zeros at a region's end are
 * counted, not stored, so that a frame buffer costs nothing. */
#ifndef ASM_REGIONS_H
#define ASM_REGIONS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/buffer.h"

enum {
    ASM_STORED_MAX = 256 << 20, /* bytes of all regions together */
    ASM_REGIONS_MAX = 4096,
};

struct source_line;

struct asm_region {
    uint32_t address;
    struct buffer bytes;
    uint32_t zeros;                 /* behind the bytes */
    const struct source_line *line; /* of its .org; NULL without one */
};

/* Zero-initialise it, free it with regions_free(). */
struct asm_regions {
    struct asm_region *items;
    size_t count, capacity;
    size_t stored; /* bytes of all regions */
};

enum regions_result {
    REGIONS_OK,
    REGIONS_NO_MEMORY,
    REGIONS_TOO_MANY, /* more than ASM_REGIONS_MAX regions */
    REGIONS_TOO_BIG,  /* more than ASM_STORED_MAX bytes to be stored */
    REGIONS_TOO_HIGH, /* the region would leave the 32-bit address space */
};

/* Starts a region; one without content is replaced. */
enum regions_result regions_start(struct asm_regions *regions, uint32_t address,
                                  const struct source_line *line);

/* Append to the newest region; there must be one. */
enum regions_result regions_append(struct asm_regions *regions, const void *bytes, size_t size);
enum regions_result regions_zeros(struct asm_regions *regions, uint64_t count);

/* The newest region's last size bytes, or NULL if it has fewer. They may be changed until the next call. */
uint8_t *regions_last(struct asm_regions *regions, size_t size);

/* Takes the newest region's last size bytes away; there must be as many, and no zeros behind them that
 * regions_last() has not stored. */
void regions_cut(struct asm_regions *regions, size_t size);

/* The size bytes at address, or NULL if they are not all in one region and stored. */
uint8_t *regions_at(const struct asm_regions *regions, uint32_t address, size_t size);

/* The address behind the newest region's last byte. */
uint32_t regions_end(const struct asm_regions *regions);

/* Whether the newest region has its address from an .org. */
bool regions_placed(const struct asm_regions *regions);

/* Bytes with and without the zeros at the end. */
uint32_t region_size(const struct asm_region *region);

/* Two regions that overlap once the top two address bits, which choose caching, are masked off. */
bool regions_overlap(const struct asm_regions *regions, size_t *one, size_t *other);

void regions_free(struct asm_regions *regions);

#endif
