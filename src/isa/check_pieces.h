/* SPDX-License-Identifier: MIT */
/* check_pieces.h - the programs of an input, for machines whose code is one program unless entries divide it. */
#ifndef ISA_CHECK_PIECES_H
#define ISA_CHECK_PIECES_H

#include "isa/check_input.h"

struct check_piece {
    size_t first, end; /* words */
    size_t data;       /* the first word amid it that is no code; end: none */
};

/* Finds the first program from word *from on, and moves *from behind its start. False if there is none. */
bool check_next_piece(const struct check_input *input, uint32_t word_bytes, size_t *from,
                      struct check_piece *piece);

#endif
