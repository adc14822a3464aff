/* SPDX-License-Identifier: MIT */
/* ptb_guard.h - the sanitizer of tile lists: checks that nothing has changed the lists since the
 * binner wrote the lists.
 *
 * In:  the memory that the binner takes for its lists; the times when the lists are complete and
 *      when they are used.
 * Out: the finding ptb-list-changed with the address, even if the changed bytes are a valid list.
 */
#ifndef VC4_WATCH_PTB_GUARD_H
#define VC4_WATCH_PTB_GUARD_H

#include <stdbool.h>
#include <stdint.h>

struct bus;
struct fault_log;

enum { PTB_GUARD_RANGES = 8, PTB_GUARD_PIECES = 64 };

/* Hashes of the lists' memory. Ranges for which there is no room are not checked. */
struct ptb_guard {
    struct {
        uint32_t address, size;
    } range[PTB_GUARD_RANGES];
    uint32_t ranges;
    uint64_t hash[PTB_GUARD_PIECES]; /* hashes of equally sized pieces of the ranges */
    bool complete;                   /* true if the lists are complete and have hashes */
    bool used;                       /* true if the frame being rendered uses the lists */
};

struct state_stream;

/* Lists the fields for saved states (base/state.h). */
void ptb_guard_fields(struct state_stream *stream, struct ptb_guard *guard);

/* ptb_guard_begin() removes all ranges at the start of binning. ptb_guard_take() adds memory that
 * the binner takes. */
void ptb_guard_begin(struct ptb_guard *guard);
void ptb_guard_take(struct ptb_guard *guard, uint32_t address, uint32_t size);

/* Computes the hashes. Call it when the lists are complete. */
void ptb_guard_close(struct ptb_guard *guard, struct bus *bus);

/* Call when a rendering list branches to address. If the address is inside the lists, checks the
 * lists, at most once per frame. */
void ptb_guard_use(struct ptb_guard *guard, struct bus *bus, struct fault_log *log,
                   uint32_t address);

/* Checks the lists again when the frame has been rendered. */
void ptb_guard_end(struct ptb_guard *guard, struct bus *bus, struct fault_log *log);

#endif
