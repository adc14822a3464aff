/* SPDX-License-Identifier: MIT */
/* bus.c - see bus.h.
 *
 * Source:   manual section 2 (AXI arbiter); docs/vc4/bus.md for aliases and bus errors.
 * Left out: caches. Memory is coherent, and the alias bits have no effect on data.
 *
 * Guards are used while tiles are drawn before earlier tiles have been stored (job.c). */
#include "vc4/memory/bus.h"

#include <stdlib.h>
#include <string.h>

#include "base/bits.h"

/* Number of bytes for which bus_span() checks the guard. A guarded range that begins later shortens
 * the span. */
enum { GUARD_MARGIN = 64 };

static const char *const client_names[BUS_CLIENTS] = {
    [BUS_CLE] = "control list executor",  [BUS_VCD] = "vertex DMA (VCD)",
    [BUS_VDW] = "VPM DMA writer (VDW)",   [BUS_PTB] = "tile binner (PTB)",
    [BUS_QPU_CODE] = "instruction fetch", [BUS_QPU_UNIFORM] = "uniform fetch",
    [BUS_TMU] = "texture unit (TMU)",     [BUS_TLB] = "tile buffer (TLB)",
};

/* Hints for accesses to unmapped memory. */
static const char *const client_hints[BUS_CLIENTS] = {
    [BUS_CLE] = "correct the address in the control record, the list or the register that points "
                "there, or map memory there",
    [BUS_VCD] = "correct the address or the stride in the shader record, keep indices below the "
                "number of vertices, or map memory there",
    [BUS_VDW] = "correct the address that the program writes to the DMA store's address register, "
                "or map memory there",
    [BUS_PTB] = "give record 112 addresses of mapped memory for the tile allocation memory and for "
                "the tile state of all tiles",
    [BUS_QPU_CODE] = "correct the program's address, or map memory there",
    [BUS_QPU_UNIFORM] = "correct the address of the uniforms, or map memory there",
    [BUS_TMU] = "correct the address that the program writes to the TMU, or map memory there",
    [BUS_TLB] = "correct the address in the record that loads or stores the tile buffer, or in "
                "record 113, or map memory for whole tiles of the frame",
};

const char *bus_client_name(enum bus_client client)
{
    return client_names[client];
}

/* Returns the index of the first region that ends above address. */
static size_t lower_bound(const struct bus *bus, uint32_t address)
{
    size_t low = 0, high = bus->count;
    while (low < high) {
        size_t middle = low + (high - low) / 2;
        const struct bus_region *region = &bus->regions[middle];
        if (region->base + region->size <= address)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

enum tess_status bus_map(struct bus *bus, uint32_t address, uint32_t size, void *host)
{
    uint32_t base = address & BUS_ADDRESS_MASK;
    if (size == 0 || size > BUS_ADDRESS_MASK + 1 - base)
        return TESS_INVALID;
    size_t at = lower_bound(bus, base);
    if (at < bus->count && bus->regions[at].base < base + size)
        return TESS_INVALID;

    struct bus_region *regions = realloc(bus->regions, (bus->count + 1) * sizeof *regions);
    if (!regions)
        return TESS_NO_MEMORY;
    bus->regions = regions;
    uint8_t *bytes = host ? host : calloc(1, size);
    if (!bytes)
        return TESS_NO_MEMORY;
    memmove(&regions[at + 1], &regions[at], (bus->count - at) * sizeof *regions);
    regions[at] = (struct bus_region){.base = base, .size = size, .host = bytes, .owned = !host};
    bus->count++;
    bus->last = at;
    return TESS_OK;
}

enum tess_status bus_unmap(struct bus *bus, uint32_t address)
{
    uint32_t base = address & BUS_ADDRESS_MASK;
    size_t at = lower_bound(bus, base);
    if (at >= bus->count || bus->regions[at].base != base)
        return TESS_INVALID;
    if (bus->regions[at].owned)
        free(bus->regions[at].host);
    bus->count--;
    memmove(&bus->regions[at], &bus->regions[at + 1], (bus->count - at) * sizeof *bus->regions);
    bus->last = 0;
    return TESS_OK;
}

void bus_free(struct bus *bus)
{
    for (size_t i = 0; i < bus->count; i++)
        if (bus->regions[i].owned)
            free(bus->regions[i].host);
    free(bus->regions);
    bus->regions = NULL;
    bus->count = bus->last = 0;
}

/* --- watching --- */

static bool has_seen(const struct bus_watch *watch, uint32_t page)
{
    return atomic_load_explicit(&watch->seen[page / 8], memory_order_acquire) >> page % 8 & 1;
}

/* Calls page() for a page that has not been reported, and then sets the page's bit. A thread writes
 * to the page only after the bit is set. */
static void tell(struct bus_watch *watch, uint32_t page)
{
    while (atomic_flag_test_and_set_explicit(&watch->telling, memory_order_acquire))
        continue;
    if (!has_seen(watch, page)) {
        watch->page(watch->user, page);
        atomic_fetch_or_explicit(&watch->seen[page / 8], (uint8_t)(1u << page % 8),
                                 memory_order_release);
    }
    atomic_flag_clear_explicit(&watch->telling, memory_order_release);
}

void bus_watch_touch(struct bus_watch *watch, uint32_t address, uint32_t size)
{
    uint32_t base = address & BUS_ADDRESS_MASK;
    if (size == 0)
        return;
    for (uint32_t page = base / BUS_PAGE; page <= (base + size - 1) / BUS_PAGE; page++)
        if (page < BUS_PAGES && !has_seen(watch, page))
            tell(watch, page);
}

/* --- looking up --- */

void bus_view(struct bus *view, const struct bus *bus, struct fault_log *log,
              struct bus_guard *guard)
{
    *view = (struct bus){.regions = bus->regions,
                         .count = bus->count,
                         .log = log,
                         .guard = guard,
                         .watch = bus->watch,
                         .observer = bus->observer};
}

void bus_view_again(struct bus *view, const struct bus *bus)
{
    view->regions = bus->regions;
    view->count = bus->count;
    view->last = 0;
    view->watch = bus->watch;
    view->observer = bus->observer;
}

/* Returns true if size bytes at address overlap a guarded range. */
static bool bus_guarded(const struct bus_guard *guard, uint32_t address, uint32_t size)
{
    uint32_t at = address & BUS_ADDRESS_MASK;
    for (uint32_t i = 0; i < guard->count; i++)
        if (at - guard->range[i].base < guard->range[i].size || guard->range[i].base - at < size)
            return true;
    return false;
}

bool bus_may_write(const struct bus *bus)
{
    if (!bus->guard || !bus->guard->ahead)
        return true;
    bus->guard->hit(bus->guard->user);
    return !bus->guard->ahead;
}

/* Returns true if a guard forbids an access. */
static bool is_forbidden(const struct bus *bus, uint32_t address, uint32_t size)
{
    if (!bus->guard || !bus->guard->count || !bus_guarded(bus->guard, address, size))
        return false;
    bus->guard->hit(bus->guard->user);
    return bus->guard->ahead;
}

/* Returns the number of available bytes from `at` up to the next guarded range. `at` is outside all
 * guarded ranges. */
static uint32_t up_to_guard(const struct bus *bus, uint32_t at, uint32_t available)
{
    for (uint32_t i = 0; bus->guard && i < bus->guard->count; i++) {
        uint32_t distance = bus->guard->range[i].base - at;
        if (distance >= GUARD_MARGIN && distance < available)
            available = distance;
    }
    return available;
}

static uint8_t *find(struct bus *bus, uint32_t address, uint32_t *available)
{
    uint32_t at = address & BUS_ADDRESS_MASK;
    *available = 0;
    if (bus->last >= bus->count ||
        at - bus->regions[bus->last].base >= bus->regions[bus->last].size) {
        size_t found = lower_bound(bus, at);
        if (found >= bus->count || at < bus->regions[found].base)
            return NULL;
        bus->last = found;
    }
    const struct bus_region *region = &bus->regions[bus->last];
    *available = region->size - (at - region->base);
    return region->host + (at - region->base);
}

const struct bus_region *bus_find_region(struct bus *bus, uint32_t address)
{
    uint32_t at = address & BUS_ADDRESS_MASK;
    size_t found = lower_bound(bus, at);
    if (found >= bus->count || found > UINT16_MAX || at < bus->regions[found].base)
        return NULL;
    bus->guess[at >> BUS_GUESS_SHIFT & (BUS_GUESSES - 1)] = (uint16_t)found;
    return &bus->regions[found];
}

uint8_t *bus_span(struct bus *bus, uint32_t address, uint32_t *available)
{
    *available = 0;
    if (is_forbidden(bus, address, GUARD_MARGIN))
        return NULL;
    uint8_t *bytes = find(bus, address, available);
    *available = up_to_guard(bus, address & BUS_ADDRESS_MASK, *available);
    if (bytes && bus->watch) {
        uint32_t most = 2 * BUS_PAGE - address % BUS_PAGE;
        *available = *available < most ? *available : most;
        bus_watch_touch(bus->watch, address, *available);
    }
    return bytes;
}

uint8_t *bus_host(struct bus *bus, uint32_t address, uint32_t size)
{
    uint32_t available;
    if (is_forbidden(bus, address, size))
        return NULL;
    uint8_t *bytes = find(bus, address, &available);
    return bytes && size <= available ? bytes : NULL;
}

uint8_t *bus_peek(struct bus *bus, uint32_t address, uint32_t size)
{
    uint8_t *bytes = bus_host(bus, address, size);
    if (bytes && bus->watch)
        bus_watch_touch(bus->watch, address, size);
    return bytes;
}

static void report_miss(struct bus *bus, enum bus_client client, uint32_t address, uint32_t size,
                        const char *what)
{
    fault_at(bus->log, FAULT_BUS_UNMAPPED, address,
             "%s: %s of %u byte%s at 0x%08x is outside mapped memory" WITH_HINT "%s",
             client_names[client], what, size, size == 1 ? "" : "s", address, client_hints[client]);
}

uint8_t *bus_get(struct bus *bus, enum bus_client client, uint32_t address, uint32_t size,
                 const char *what)
{
    uint8_t *bytes = bus_peek(bus, address, size);
    if (!bytes)
        report_miss(bus, client, address, size, what);
    return bytes;
}

/* Copies size (1, 2 or 4) bytes to or from memory. The bytes may lie in two adjacent regions. */
static bool transfer(struct bus *bus, uint32_t address, uint8_t *bytes, uint32_t size, bool write)
{
    for (uint32_t i = 0; i < size; i++)
        if (!bus_peek(bus, address + i, 1))
            return false;
    for (uint32_t i = 0; i < size; i++) {
        uint8_t *cell = bus_peek(bus, address + i, 1);
        if (write)
            *cell = bytes[i];
        else
            bytes[i] = *cell;
    }
    return true;
}

static void read_bytes(struct bus *bus, enum bus_client client, uint32_t address, uint8_t *bytes,
                       uint32_t size)
{
    const uint8_t *at = bus_peek(bus, address, size);
    if (at) {
        memcpy(bytes, at, size);
        return;
    }
    memset(bytes, 0, size);
    if (!transfer(bus, address, bytes, size, false))
        report_miss(bus, client, address, size, "read");
}

static void write_bytes(struct bus *bus, enum bus_client client, uint32_t address, uint8_t *bytes,
                        uint32_t size)
{
    uint8_t *at = bus_peek(bus, address, size);
    if (at)
        memcpy(at, bytes, size);
    else if (!transfer(bus, address, bytes, size, true))
        report_miss(bus, client, address, size, "write");
}

uint8_t bus_read8(struct bus *bus, enum bus_client client, uint32_t address)
{
    uint8_t byte;
    read_bytes(bus, client, address, &byte, 1);
    return byte;
}

uint16_t bus_read16(struct bus *bus, enum bus_client client, uint32_t address)
{
    uint8_t bytes[2];
    read_bytes(bus, client, address, bytes, sizeof bytes);
    return load_le16(bytes);
}

uint32_t bus_read32(struct bus *bus, enum bus_client client, uint32_t address)
{
    uint8_t bytes[4];
    read_bytes(bus, client, address, bytes, sizeof bytes);
    return load_le32(bytes);
}

void bus_write8(struct bus *bus, enum bus_client client, uint32_t address, uint8_t value)
{
    write_bytes(bus, client, address, &value, 1);
}

void bus_write16(struct bus *bus, enum bus_client client, uint32_t address, uint16_t value)
{
    uint8_t bytes[2];
    store_le16(bytes, value);
    write_bytes(bus, client, address, bytes, sizeof bytes);
}

void bus_write32(struct bus *bus, enum bus_client client, uint32_t address, uint32_t value)
{
    uint8_t bytes[4];
    store_le32(bytes, value);
    write_bytes(bus, client, address, bytes, sizeof bytes);
}
