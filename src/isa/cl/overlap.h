/* SPDX-License-Identifier: MIT */
/* overlap.h - memory that two parts of a frame share, one of which is written: found before
 * anything is drawn.
 *
 * In:  what a binning list and a rendering list use.
 * Out: pairs, each at the record of the part that is written: the pair that is next to its
 * beginning. */
#ifndef ISA_CL_OVERLAP_H
#define ISA_CL_OVERLAP_H

#include "isa/cl/uses.h"

enum cl_overlap_kind {
    CL_OVERLAP_NONE,
    CL_OVERLAP_BROKEN, /* what is shared is used after it has been overwritten */
    CL_OVERLAP_RISK,   /* by the next frame, or where the binner needs more memory */
};

struct cl_overlap {
    enum cl_overlap_kind kind;
    struct cl_use writer, other;
};

struct cl_overlap_sink {
    void (*found)(void *user, const struct cl_overlap *overlap);
    void *user;
};

/* Overlaps of a binning list with itself. */
void cl_overlaps_bin(const struct cl_uses *binning, struct cl_overlap_sink sink);

/* Overlaps that a rendering list adds: with itself and with the binning list. */
void cl_overlaps_render(const struct cl_uses *rendering, const struct cl_uses *binning,
                        struct cl_overlap_sink sink);

/* What a part that is written, if it is, shares with one that is read. */
struct cl_overlap cl_overlap_pair(const struct cl_use *writer, const struct cl_use *read);

/* Of a finding about aliases: what is read, and its addresses. */
#define CL_ALIAS_TEXT "%s are written at 0x%08x and read at 0x%08x, by another alias of the bus"

/* "36 tiles need 1728 bytes of state from 0x40020000 on, and the tile lists (32768 bytes from 0x40020400 on) begin after 1024
 * of them" */
void cl_overlap_text(char *text, size_t size, const struct cl_overlap *overlap);

#endif
