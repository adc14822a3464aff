/* SPDX-License-Identifier: MIT */
/* check_pieces.h - splits an input into programs, for machines whose code is one program unless
 * entries divide it. */
#ifndef CHECK_FRAME_CHECK_PIECES_H
#define CHECK_FRAME_CHECK_PIECES_H

#include "check/frame/check_input.h"

struct check_piece {
    size_t first, end; /* indices of the first word and of the word after the last */
    size_t data;       /* index of the first data word in the piece, or end if all words are code */
};

/* Finds the first program that begins at or after word *from. Sets *from to the index from which
 * the next call searches. Returns false if no program follows. */
bool check_next_piece(const struct check_input *input, uint32_t word_bytes, size_t *from,
                      struct check_piece *piece);

#endif
