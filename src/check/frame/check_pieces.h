/* SPDX-License-Identifier: MIT */
/* check_pieces.h - splits an input into programs, for machines whose code is one program unless
 * entries divide it. */
#ifndef CHECK_FRAME_CHECK_PIECES_H
#define CHECK_FRAME_CHECK_PIECES_H

#include "check/frame/check_found.h"

struct check_pieces {
    const struct check_input *input;
    uint32_t word_bytes;
    struct check_findings *findings;
    enum check_rule data_inside; /* rule that a program with data words breaks */

    /* Checks the program in count words from index first on. Returns false if the host is out of
     * memory. */
    bool (*check)(void *user, size_t first, size_t count);
    void *user;
};

/* Checks each program of the input. Reports data inside a program, and does not check that program.
 * Sets findings->entry to the address of each program. Returns false if the host is out of
 * memory. */
bool check_pieces(const struct check_pieces *pieces);

#endif
