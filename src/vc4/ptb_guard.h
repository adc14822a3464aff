/* SPDX-License-Identifier: MIT */
/* ptb_guard.h - the sanitizer of tile lists: checks that the lists are still as the binner wrote
 * them.
 *
 * In:  the memory that the binner takes for its lists; the times when the lists are complete and
 *      when they are used.
 * Out: the finding ptb-list-changed with the address, even if the changed bytes still form a list.
 */
#ifndef VC4_PTB_GUARD_H
#define VC4_PTB_GUARD_H

#include <stdbool.h>
#include <stdint.h>

struct bus;
struct fault_log;

enum { PTB_GUARD_RANGES = 8, PTB_GUARD_PIECES = 64 };

/* Hashes of the lists' memory. Plain data. Ranges past the last entry are not watched. */
struct ptb_guard {
    struct {
        uint32_t address, size;
    } range[PTB_GUARD_RANGES];
    uint32_t ranges;
    uint64_t hash[PTB_GUARD_PIECES]; /* of equally sized pieces of all ranges */
    bool complete;                   /* the lists are complete; only the binner may change them */
    bool used;                       /* the frame being rendered uses the lists */
};

/* ptb_guard_begin() removes all ranges at the start of binning. ptb_guard_take() adds memory that
 * the binner takes. */
void ptb_guard_begin(struct ptb_guard *guard);
void ptb_guard_take(struct ptb_guard *guard, uint32_t address, uint32_t size);

/* Hashes the lists when they are complete. */
void ptb_guard_close(struct ptb_guard *guard, struct bus *bus);

/* Checks the lists when a rendering list branches to an address inside them, once per frame. */
void ptb_guard_use(struct ptb_guard *guard, struct bus *bus, struct fault_log *log,
                   uint32_t address);

/* Checks the lists again when the frame has been rendered. */
void ptb_guard_end(struct ptb_guard *guard, struct bus *bus, struct fault_log *log);

#endif
