/* SPDX-License-Identifier: MIT */
/* ptb_guard.c - see ptb_guard.h.
 *
 * Left out: which unit changed a list; changes that are undone before the frame ends. */
#include "vc4/watch/ptb_guard.h"

#include <string.h>

#include "base/hash.h"
#include "base/state.h"
#include "vc4/fault/fault.h"
#include "vc4/memory/bus.h"

enum { LEAST_PIECE = 32 }; /* bytes; size of the smallest list block */

void ptb_guard_begin(struct ptb_guard *guard)
{
    guard->ranges = 0;
    guard->complete = guard->used = false;
}

void ptb_guard_take(struct ptb_guard *guard, uint32_t address, uint32_t size)
{
    uint32_t last = guard->ranges - 1;
    if (guard->ranges && guard->range[last].address + guard->range[last].size == address) {
        guard->range[last].size += size;
    } else if (guard->ranges < PTB_GUARD_RANGES) {
        guard->range[guard->ranges].address = address;
        guard->range[guard->ranges++].size = size;
    }
}

static uint32_t piece_size(const struct ptb_guard *guard)
{
    uint32_t total = 0;
    for (uint32_t i = 0; i < guard->ranges; i++)
        total += (guard->range[i].size + LEAST_PIECE - 1) / LEAST_PIECE;
    /* The last piece of each range may be partial. */
    uint32_t blocks = total / (PTB_GUARD_PIECES - PTB_GUARD_RANGES) + 1;
    return blocks * LEAST_PIECE;
}

/* Hashes all pieces. Returns true if a piece has changed since the last call, and stores the
 * address of the first such piece in *first. */
static bool hash_pieces(struct ptb_guard *guard, struct bus *bus, uint32_t *first)
{
    uint32_t size = piece_size(guard), n = 0;
    bool differs = false;
    for (uint32_t i = 0; i < guard->ranges; i++) {
        uint32_t left = guard->range[i].size, address = guard->range[i].address;
        for (; left > 0 && n < PTB_GUARD_PIECES; n++) {
            uint32_t bytes = left < size ? left : size;
            const uint8_t *host = bus_host(bus, address, bytes);
            uint64_t hash = host ? hash_bytes(HASH_START, host, bytes) : 0;
            if (hash != guard->hash[n] && !differs)
                *first = address;
            differs |= hash != guard->hash[n];
            guard->hash[n] = hash;
            address += bytes;
            left -= bytes;
        }
    }
    return differs;
}

void ptb_guard_close(struct ptb_guard *guard, struct bus *bus)
{
    uint32_t first;
    hash_pieces(guard, bus, &first);
    guard->complete = true;
    guard->used = false;
}

static bool contains(const struct ptb_guard *guard, uint32_t address)
{
    for (uint32_t i = 0; i < guard->ranges; i++)
        if (((address - guard->range[i].address) & BUS_ADDRESS_MASK) < guard->range[i].size)
            return true;
    return false;
}

void ptb_guard_use(struct ptb_guard *guard, struct bus *bus, struct fault_log *log,
                   uint32_t address)
{
    uint32_t first = 0;
    if (!guard->complete || guard->used || !contains(guard, address))
        return;
    guard->used = true;
    if (hash_pieces(guard, bus, &first))
        fault_at(log, FAULT_PTB_LISTS, first,
                 "tile lists at 0x%08x have changed since the binner wrote them", first);
}

void ptb_guard_end(struct ptb_guard *guard, struct bus *bus, struct fault_log *log)
{
    uint32_t first = 0;
    if (guard->complete && guard->used && hash_pieces(guard, bus, &first))
        fault_at(log, FAULT_PTB_LISTS, first,
                 "tile lists at 0x%08x were changed while the frame was rendered", first);
    guard->used = false;
}

void ptb_guard_fields(struct state_stream *stream, struct ptb_guard *guard)
{
    state_below(stream, &guard->ranges, PTB_GUARD_RANGES + 1);
    for (uint32_t i = 0; i < guard->ranges; i++) {
        state_u32(stream, &guard->range[i].address);
        state_in(stream, &guard->range[i].size, 0, BUS_ADDRESS_MASK);
    }
    state_u64s(stream, guard->hash, PTB_GUARD_PIECES);
    STATE_FIELDS(stream, &guard->complete, &guard->used);
}
