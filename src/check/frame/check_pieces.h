/* SPDX-License-Identifier: MIT */
/* check_pieces.h - reads the interface of an input and splits the input into programs, for machines
 * whose code is one program unless entries divide it. */
#ifndef CHECK_FRAME_CHECK_PIECES_H
#define CHECK_FRAME_CHECK_PIECES_H

#include "check/frame/check_found.h"
#include "isa/interface_read.h"

struct check_pieces {
    const struct check_input *input;
    uint32_t word_bytes;
    struct check_findings *findings;
    enum check_rule data_inside; /* rule that a program with data words breaks */

    const struct interface_kind *kind; /* the form of the machine's interfaces */
    /* Takes what the checker needs. The symbols are valid until check_pieces() returns. */
    void (*take_interface)(void *user, const struct interface_lines *interface);

    /* Checks the program in count words from index first on. Returns false if the host is out of
     * memory. */
    bool (*check)(void *user, size_t first, size_t count);
    void *user;
};

/* Checks each program of the input. Reports data inside a program, and does not check that program.
 * Sets findings->entry to the address of each program. Hands the findings over to the sink, and
 * frees them. Returns false if the host is out of memory. */
bool check_pieces(const struct check_pieces *pieces, struct check_sink sink);

#endif
