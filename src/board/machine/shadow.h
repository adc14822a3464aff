/* SPDX-License-Identifier: MIT */
/* shadow.h - what is known of each byte of RAM, besides its value: which instruction wrote it,
 * whether it may still be in the data cache of the ARM, and whether anything wrote it at all.
 *
 * Only machines with the sanitizer have a shadow. The cache has lines of SHADOW_LINE bytes and no
 * limit of size: a line stays in it until the ARM cleans or invalidates it. Real caches may write
 * a line back, or drop it, at any time. */
#ifndef BOARD_MACHINE_SHADOW_H
#define BOARD_MACHINE_SHADOW_H

#include "board/arm/engine.h"

struct state_stream;

enum { SHADOW_LINE = 64 };

/* The units other than the ARM that access memory. */
enum shadow_unit { SHADOW_V3D, SHADOW_FIRMWARE, SHADOW_DMA, SHADOW_UNITS };

/* What is wrong with a read. */
enum shadow_fault {
    SHADOW_GOOD,
    SHADOW_DIRTY,     /* the ARM's bytes may still be in its data cache */
    SHADOW_EARLY,     /* no barrier orders the ARM's write before the start of the unit */
    SHADOW_UNWRITTEN, /* nothing has written the byte since power-on */
};

/* Returns a shadow of size bytes of RAM, or NULL if the host is out of memory. Addresses from
 * `checked` on count as written. Free it with shadow_free(), which accepts NULL. If the host runs
 * out of memory later, the pages concerned are not checked. */
struct shadow *shadow_create(uint32_t size, uint32_t checked);
void shadow_free(struct shadow *shadow);

/* The loader or the firmware writes bytes before the ARM starts. */
void shadow_load(struct shadow *shadow, uint32_t address, uint32_t size);

/* The instruction at pc writes memory. */
void shadow_store(struct shadow *shadow, const struct arm_access *access, uint64_t pc);

/* The ARM reads memory. Returns true, once for each line, if the data cache may contain older bytes
 * than another unit has written. Stores this unit in *unit. */
bool shadow_read(struct shadow *shadow, const struct arm_access *access, enum shadow_unit *unit);

/* The ARM maintains its data cache: a line, or with size 0 the whole cache. */
void shadow_maintain(struct shadow *shadow, unsigned what, uint32_t address, uint32_t size);

/* The ARM executes a memory barrier, or writes the register that starts a unit. */
void shadow_barrier(struct shadow *shadow);
void shadow_start(struct shadow *shadow, enum shadow_unit unit);

/* Another unit reads memory. Returns the first fault that the bytes have, and stores its address in
 * *at. SHADOW_UNWRITTEN is only found if `written` is true. */
enum shadow_fault shadow_unit_reads(struct shadow *shadow, enum shadow_unit unit, uint32_t address,
                                    uint32_t size, bool written, uint32_t *at);

/* Another unit writes memory. Returns true if the ARM's data cache may contain changed bytes of the
 * same line, and stores the address of the line in *at; the line then counts as clean. */
bool shadow_unit_writes(struct shadow *shadow, enum shadow_unit unit, uint32_t address,
                        uint32_t size, uint32_t *at);

/* Returns the address of the instruction that wrote the word at an address last, or 0 if another
 * unit did, or nothing. */
uint64_t shadow_writer(const struct shadow *shadow, uint32_t address);

/* The fields of a shadow, for base/state.h. When reading, the shadow must be new. */
void shadow_fields(struct state_stream *stream, struct shadow *shadow);

#endif
