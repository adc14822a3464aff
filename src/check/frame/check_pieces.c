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

/* Returns the index after the program that begins at word first. The program ends at the next sure
 * entry or after the last word of code. */
static size_t end_of(const struct check_input *input, uint32_t word_bytes, size_t first)
{
    size_t end = first;
    for (size_t i = first; i < input->count && (i == first || !begins(input, word_bytes, i)); i++)
        end = is_code(input, i) ? i + 1 : end;
    return end;
}

static bool check_one(const struct check_pieces *pieces, size_t first)
{
    size_t end = end_of(pieces->input, pieces->word_bytes, first), data = first;
    pieces->findings->entry = pieces->input->base + (uint32_t)first * pieces->word_bytes;
    while (data < end && is_code(pieces->input, data))
        data++;
    if (data == end)
        return end == first || pieces->check(pieces->user, first, end - first);
    check_report_title(pieces->findings, pieces->data_inside, (uint32_t)(data - first),
                       CHECK_ALONE);
    return true;
}

static bool check_all(const struct check_pieces *pieces)
{
    const struct check_input *input = pieces->input;
    bool given = false; /* true if entries divide the input */
    for (size_t i = 0; i < input->entry_count; i++)
        given |= input->entries[i].sure;
    for (size_t i = 0; i < input->count && !pieces->findings->no_memory; i++) {
        if (given ? !begins(input, pieces->word_bytes, i) : !is_code(input, i))
            continue;
        if (!check_one(pieces, i))
            return false;
        if (!given)
            break;
    }
    return !pieces->findings->no_memory;
}

bool check_pieces(const struct check_pieces *pieces, struct check_sink sink)
{
    const struct check_input *input = pieces->input;
    struct interface_lines interface;
    enum tess_status status = interface_read(&interface, pieces->kind, input->notes,
                                             input->notes_size, input->name, input->sink);
    bool good = status != TESS_NO_MEMORY;
    if (good) {
        pieces->take_interface(pieces->user, &interface);
        good = check_all(pieces);
    }
    if (good)
        check_findings_hand_over(pieces->findings, sink);
    check_findings_free(pieces->findings);
    interface_free(&interface);
    return good;
}
