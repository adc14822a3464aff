/* SPDX-License-Identifier: MIT */
/* ptb_guard.h - the sanitizer of tile lists: whether they still are what the binner wrote.
 *
 * In:  the memory that the binner takes for its lists; the moments when they are complete and when they are used.
 * Out: the finding ptb-list-changed, with the place, also when the bytes still are a list. */
#ifndef VC4_PTB_GUARD_H
#define VC4_PTB_GUARD_H

#include <stdbool.h>
#include <stdint.h>

struct bus;
struct fault_log;

enum { PTB_GUARD_RANGES = 8, PTB_GUARD_PIECES = 64 };

/* Plain data. Ranges beyond the last one are not watched. */
struct ptb_guard {
    struct {
        uint32_t address, size;
    } range[PTB_GUARD_RANGES];
    uint32_t ranges;
    uint64_t hash[PTB_GUARD_PIECES]; /* of equal pieces of all ranges together */
    bool complete;                   /* the lists are; nobody but the binner may change them */
    bool used;                       /* by the frame being rendered */
};

/* The binner begins anew; memory that it takes. */
void ptb_guard_begin(struct ptb_guard *guard);
void ptb_guard_take(struct ptb_guard *guard, uint32_t address, uint32_t size);

/* The lists are complete. */
void ptb_guard_close(struct ptb_guard *guard, struct bus *bus);

/* A rendering list branches to an address: looks once a frame, if it is a tile list. */
void ptb_guard_use(struct ptb_guard *guard, struct bus *bus, struct fault_log *log,
                   uint32_t address);

/* The frame has been rendered: looks again. */
void ptb_guard_end(struct ptb_guard *guard, struct bus *bus, struct fault_log *log);

#endif
