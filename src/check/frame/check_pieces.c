/* SPDX-License-Identifier: MIT */
/* check_pieces.c - see check_pieces.h. */
#include "check/frame/check_pieces.h"

static bool is_code(const struct check_input *input, size_t word)
{
    return !input->content || input->content[word] != CHECK_DATA;
}

/* Returns true if the input has a sure entry at the word with the index `word`. */
static bool begins(const struct check_input *input, uint32_t word_bytes, size_t word)
{
    for (size_t i = 0; i < input->entry_count; i++)
        if (input->entries[i].sure &&
            input->entries[i].address - input->base == (uint32_t)word * word_bytes)
            return true;
    return false;
}

static bool any_begins(const struct check_input *input)
{
    for (size_t i = 0; i < input->entry_count; i++)
        if (input->entries[i].sure)
            return true;
    return false;
}

/* Returns the piece that begins at word first. The piece ends at the next sure entry or after the
 * last word of code. */
static struct check_piece piece_at(const struct check_input *input, uint32_t word_bytes,
                                   size_t first)
{
    struct check_piece piece = {.first = first, .end = first};
    for (size_t i = first; i < input->count && (i == first || !begins(input, word_bytes, i)); i++)
        piece.end = is_code(input, i) ? i + 1 : piece.end;
    for (piece.data = first; piece.data < piece.end && is_code(input, piece.data); piece.data++)
        ;
    return piece;
}

bool check_next_piece(const struct check_input *input, uint32_t word_bytes, size_t *from,
                      struct check_piece *piece)
{
    bool given = any_begins(input);
    for (size_t i = *from; i < input->count; i++) {
        if (given ? !begins(input, word_bytes, i) : !is_code(input, i))
            continue;
        *piece = piece_at(input, word_bytes, i);
        *from = given ? i + 1 : input->count;
        return true;
    }
    return false;
}
