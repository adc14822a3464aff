/* SPDX-License-Identifier: MIT */
/* bus.h - the address space that all blocks of the VideoCore IV share.
 *
 * In:  bus addresses. The top two bits select a cache alias of the same memory and are masked off
 *      (docs/vc4/bus.md).
 * Out: bytes of the mapped regions. An access outside the regions raises a finding. Reads then
 *      return 0, and writes have no effect. */
#ifndef VC4_MEMORY_BUS_H
#define VC4_MEMORY_BUS_H

#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <tessera/tessera.h>

#include "vc4/fault/fault.h"

#define BUS_ADDRESS_MASK UINT32_C(0x3fffffff)

/* The unit that accesses memory, for findings. */
enum bus_client {
    BUS_CLE, /* control lists, index lists, shader records */
    BUS_VCD, /* vertices and DMA loads */
    BUS_VDW, /* DMA stores */
    BUS_PTB, /* tile lists and tile state */
    BUS_QPU_CODE,
    BUS_QPU_UNIFORM,
    BUS_TMU,
    BUS_TLB,
    BUS_CLIENTS
};

struct bus_region {
    uint32_t base, size; /* base without alias bits */
    uint8_t *host;
    bool owned; /* host was allocated by the bus */
};

/* A watch calls page() once for each page of memory, before a block of the model first accesses the
 * page. The buses of several threads can share a watch. */
enum { BUS_PAGE = 4096, BUS_PAGES = (BUS_ADDRESS_MASK + 1) / BUS_PAGE };

struct bus_watch {
    _Atomic uint8_t seen[BUS_PAGES / 8]; /* one bit per page */
    atomic_flag telling;                 /* lock, held while page() runs */
    void (*page)(void *user, uint32_t page);
    void *user;
};

/* An observer is called for each access of a block of the model to memory, before the access. */
struct bus_observer {
    void (*access)(void *user, enum bus_client client, uint32_t address, uint32_t size, bool write);
    void *user;
};

/* Ranges of memory that must not be accessed yet, because earlier unfinished work will write
 * them. */
enum { BUS_GUARDED = 8 };

struct bus_guard {
    uint32_t count;
    struct {
        uint32_t base, size;
    } range[BUS_GUARDED];
    bool ahead; /* true if work is done ahead of its turn: accesses to a range fail, and shaders
                   must not write any memory */
    /* Called before an access to a range, and before a shader writes while .ahead is true. May set
     * .count to 0 or .ahead to false. */
    void (*hit)(void *user);
    void *user;
};

/* Size of the guess table of a bus. The four bits of an address from bit BUS_GUESS_SHIFT up select
 * the address's entry. */
enum { BUS_GUESSES = 16, BUS_GUESS_SHIFT = 16 };

struct bus {
    struct bus_region *regions; /* sorted by base */
    size_t count;
    size_t last; /* index of the region that the latest look-up found */
    /* For each entry, the index of the region that contained the latest address of this entry. */
    uint16_t guess[BUS_GUESSES];
    struct fault_log *log;
    struct bus_watch *watch;             /* NULL if there is no watch */
    const struct bus_observer *observer; /* NULL if there is no observer */
    struct bus_guard *guard;             /* NULL if there is no guard */
};

/* Returns true if shaders may write memory now. Calls the guard's hit() if they must not. */
bool bus_may_write(const struct bus *bus);

/* Initialises *view to address the same memory as bus, with a separate log and guard. After a
 * change of the regions or of the watch, call bus_view_again() before the next use of *view. */
void bus_view(struct bus *view, const struct bus *bus, struct fault_log *log,
              struct bus_guard *guard);

/* Copies the current regions and watch of bus to *view. */
void bus_view_again(struct bus *view, const struct bus *bus);

/* Implement tess_vc4_map() and tess_vc4_unmap(). */
enum tess_status bus_map(struct bus *bus, uint32_t address, uint32_t size, void *host);
enum tess_status bus_unmap(struct bus *bus, uint32_t address);
void bus_free(struct bus *bus);

/* Returns a host pointer to the byte at address, or NULL if no memory is mapped at address. Sets
 * *available to the number of bytes that the caller may use from the pointer on: up to the end of
 * the region or to the next guarded range. *available is 0 if the result is NULL. With a watch, the
 * span also ends at the end of the page after the page of address. Reports no finding. */
uint8_t *bus_span(struct bus *bus, uint32_t address, uint32_t *available);

/* Returns the region that contains address, or NULL if no memory is mapped at address. Updates the
 * guess table. */
const struct bus_region *bus_find_region(struct bus *bus, uint32_t address);

/* Returns the region that contains address, for direct access through .host. The caller must check
 * that the region is long enough. Returns NULL if no memory is mapped at address, or if the access
 * must be reported to a watch, an observer or a guard. */
static inline const struct bus_region *bus_region(struct bus *bus, uint32_t address)
{
    uint32_t at = address & BUS_ADDRESS_MASK;
    uint16_t guess = bus->guess[at >> BUS_GUESS_SHIFT & (BUS_GUESSES - 1)];
    if (bus->watch || bus->observer || (bus->guard && bus->guard->count))
        return NULL;
    if (guess < bus->count && at - bus->regions[guess].base < bus->regions[guess].size)
        return &bus->regions[guess];
    return bus_find_region(bus, address);
}

/* Returns the name of a unit, for findings. */
const char *bus_client_name(enum bus_client client);

/* Reports an access of a block to the observer. The functions that return host pointers do not,
 * because they do not know what the block does with the memory. */
static inline void bus_observe(const struct bus *bus, enum bus_client client, uint32_t address,
                               uint32_t size, bool write)
{
    if (bus->observer && size)
        bus->observer->access(bus->observer->user, client, address & BUS_ADDRESS_MASK, size, write);
}

/* Reports to the watch each page that contains any of the size bytes at address. */
void bus_watch_touch(struct bus_watch *watch, uint32_t address, uint32_t size);

/* Like bus_peek(), but does not report the access to the watch. Used for accesses by the host. */
uint8_t *bus_host(struct bus *bus, uint32_t address, uint32_t size);

/* Returns a host pointer to size bytes at address, or NULL if no single region contains all these
 * bytes, or if a guard forbids the access. Reports no finding. */
uint8_t *bus_peek(struct bus *bus, uint32_t address, uint32_t size);

/* Like bus_peek(), but reports a finding before it returns NULL. `what` is the name of the data in
 * the finding, such as "texel" or "vertex". */
uint8_t *bus_get(struct bus *bus, enum bus_client client, uint32_t address, uint32_t size,
                 const char *what);

/* Read and write little-endian values at any alignment. An access to unmapped memory is reported;
 * reads then return 0. */
uint8_t bus_read8(struct bus *bus, enum bus_client client, uint32_t address);
uint16_t bus_read16(struct bus *bus, enum bus_client client, uint32_t address);
uint32_t bus_read32(struct bus *bus, enum bus_client client, uint32_t address);
void bus_write8(struct bus *bus, enum bus_client client, uint32_t address, uint8_t value);
void bus_write16(struct bus *bus, enum bus_client client, uint32_t address, uint16_t value);
void bus_write32(struct bus *bus, enum bus_client client, uint32_t address, uint32_t value);

#endif
