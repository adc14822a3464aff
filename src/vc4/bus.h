/* SPDX-License-Identifier: MIT */
/* bus.h - the address space that all blocks of the VideoCore IV share.
 *
 * In:  bus addresses. The top two bits choose the cache alias, not the memory, and are masked off
 *      (docs/vc4/bus.md).
 * Out: bytes of the mapped regions. An access outside of them is a finding; it reads 0 and writes
 *      nothing. */
#ifndef VC4_BUS_H
#define VC4_BUS_H

#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <tessera/tessera.h>

#include "vc4/fault.h"

#define BUS_ADDRESS_MASK UINT32_C(0x3fffffff)

/* Who asks, for findings. */
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

/* Tells about each page that a block reaches, once and before the access. Busses of several threads
 * can share one. */
enum { BUS_PAGE = 4096, BUS_PAGES = (BUS_ADDRESS_MASK + 1) / BUS_PAGE };

struct bus_watch {
    _Atomic uint8_t seen[BUS_PAGES / 8]; /* bit per page */
    atomic_flag telling;                 /* one page at a time */
    void (*page)(void *user, uint32_t page);
    void *user;
};

/* Memory that must not be read yet: earlier work that is still under way will write it. */
enum { BUS_GUARDED = 8 };

struct bus_guard {
    uint32_t count;
    struct {
        uint32_t base, size;
    } range[BUS_GUARDED];
    bool writes;             /* nothing may be written either */
    void (*hit)(void *user); /* called before such an access; it may clear count */
    void *user;
};

/* Regions that are looked at first for an address. */
enum { BUS_GUESSES = 16, BUS_GUESS_SHIFT = 16 };

struct bus {
    struct bus_region *regions; /* sorted by base */
    size_t count;
    size_t last; /* the region that the latest look-up found */
    /* Regions that bus_region() has found, by some bits of addresses. */
    uint16_t guess[BUS_GUESSES];
    struct fault_log *log;
    struct bus_watch *watch; /* NULL: nobody wants to know */
    struct bus_guard *guard; /* NULL: none */
};

/* Whether shaders may write memory now; if not, the guard is told. */
bool bus_may_write(const struct bus *bus);

/* Makes *view see the same memory as bus, with a log and guard of its own. After a change of the
 * regions or of the watch it must not be used before bus_view_again(). */
void bus_view(struct bus *view, const struct bus *bus, struct fault_log *log,
              struct bus_guard *guard);

/* Makes *view see the regions that bus has now, and have who watches it now. */
void bus_view_again(struct bus *view, const struct bus *bus);

/* Whether size bytes at address overlap a guarded range. */
bool bus_guarded(const struct bus_guard *guard, uint32_t address, uint32_t size);

/* As tess_vc4_map() and tess_vc4_unmap(). */
enum tess_status bus_map(struct bus *bus, uint32_t address, uint32_t size, void *host);
enum tess_status bus_unmap(struct bus *bus, uint32_t address);
void bus_free(struct bus *bus);

/* Host pointer to the byte at address and in *available the bytes of its region from there on; NULL
 * (and 0) if nothing is mapped there. No finding. What is watched ends with the next page: at least
 * 4097 bytes, if there are as many. */
uint8_t *bus_span(struct bus *bus, uint32_t address, uint32_t *available);

/* The region around an address, and the guess for it next time; NULL: nothing is mapped there. */
const struct bus_region *bus_find_region(struct bus *bus, uint32_t address);

/* The region around an address, which can be reached through .host if it has the rest, too; NULL: nothing is mapped there, or
 * there is somebody to be told of accesses. */
static inline const struct bus_region *bus_region(struct bus *bus, uint32_t address)
{
    uint32_t at = address & BUS_ADDRESS_MASK;
    uint16_t guess = bus->guess[at >> BUS_GUESS_SHIFT & (BUS_GUESSES - 1)];
    if (bus->watch || (bus->guard && bus->guard->count))
        return NULL;
    if (guess < bus->count && at - bus->regions[guess].base < bus->regions[guess].size)
        return &bus->regions[guess];
    return bus_find_region(bus, address);
}

/* The pages of size bytes at address have been reached. */
void bus_watch_touch(struct bus_watch *watch, uint32_t address, uint32_t size);

/* Host pointer to size bytes for the host: as bus_peek(), but nobody is told. */
uint8_t *bus_host(struct bus *bus, uint32_t address, uint32_t size);

/* Host pointer to size bytes, all inside one region, or NULL. No finding. */
uint8_t *bus_peek(struct bus *bus, uint32_t address, uint32_t size);

/* The same, and a finding if they are not. Use it for runs of bytes; what = "texel", "vertex" ... */
uint8_t *bus_get(struct bus *bus, enum bus_client client, uint32_t address, uint32_t size,
                 const char *what);

/* Little-endian accesses of any alignment. */
uint8_t bus_read8(struct bus *bus, enum bus_client client, uint32_t address);
uint16_t bus_read16(struct bus *bus, enum bus_client client, uint32_t address);
uint32_t bus_read32(struct bus *bus, enum bus_client client, uint32_t address);
void bus_write8(struct bus *bus, enum bus_client client, uint32_t address, uint8_t value);
void bus_write16(struct bus *bus, enum bus_client client, uint32_t address, uint16_t value);
void bus_write32(struct bus *bus, enum bus_client client, uint32_t address, uint32_t value);

#endif
