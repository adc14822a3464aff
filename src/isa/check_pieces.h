/* SPDX-License-Identifier: MIT */
/* check_pieces.h - splits an input into programs, for machines whose code is one program unless
 * entries divide it. */
#ifndef ISA_CHECK_PIECES_H
#define ISA_CHECK_PIECES_H

#include "isa/check_input.h"

struct check_piece {
    size_t first, end; /* word indices */
    size_t data;       /* index of the first word in the piece that is not code, or end if all words
                          are code */
};

/* Finds the first program at or after word *from, and moves *from past its start. Returns false if
 * no program follows. */
bool check_next_piece(const struct check_input *input, uint32_t word_bytes, size_t *from,
                      struct check_piece *piece);

#endif
