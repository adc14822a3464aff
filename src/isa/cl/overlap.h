/* SPDX-License-Identifier: MIT */
/* overlap.h - finds memory that two parts of a frame share and one of them writes. The check runs
 * before anything is drawn.
 *
 * In:  the memory uses of a binning list and of a rendering list.
 * Out: pairs of uses that overlap, reported at the record of the written use. For each written use,
 *      only the pair nearest to the beginning of the written range is reported. */
#ifndef ISA_CL_OVERLAP_H
#define ISA_CL_OVERLAP_H

#include "isa/cl/uses.h"

enum cl_overlap_kind {
    CL_OVERLAP_NONE,
    CL_OVERLAP_BROKEN, /* the shared memory is used after it has been overwritten */
    CL_OVERLAP_RISK,   /* the next frame, or a binner that needs more memory, may overwrite the
                        * shared memory */
};

struct cl_overlap {
    enum cl_overlap_kind kind;
    struct cl_use writer, other;
};

struct cl_overlap_sink {
    void (*found)(void *user, const struct cl_overlap *overlap);
    void *user;
};

/* Reports overlaps within a binning list. */
void cl_overlaps_bin(const struct cl_uses *binning, struct cl_overlap_sink sink);

/* Reports overlaps within a rendering list, and between the rendering list and the binning list. */
void cl_overlaps_render(const struct cl_uses *rendering, const struct cl_uses *binning,
                        struct cl_overlap_sink sink);

/* Compares a use that may be a write with a use that reads. The kind of the result is
 * CL_OVERLAP_NONE if the first use is not a write, if the two ranges do not overlap, or if the
 * overlap is legal. */
struct cl_overlap cl_overlap_pair(const struct cl_use *writer, const struct cl_use *read);

/* Text of a finding about aliases. Arguments: the data, the address written, the address read. */
#define CL_ALIAS_TEXT "%s are written at 0x%08x and read at 0x%08x, through another bus alias"

/* Writes a text such as "36 tiles need 1728 bytes of state from 0x40020000 on, and the tile lists
 * (32768 bytes from 0x40020400 on) begin 1024 bytes into that range". */
void cl_overlap_text(char *text, size_t size, const struct cl_overlap *overlap);

#endif
