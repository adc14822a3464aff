/* SPDX-License-Identifier: MIT */
/* code_listing.c - reads the words at the start of the lines in a listing of A2xx programs, as
 * printed by Mesa's and freedreno's tools.
 *
 * In:       text. Lines of these two forms are read. The lines may be indented, and may be part of
 *           a longer report. Lines of scalar operations, which have no words, may occur between
 *           such lines.
 *               "    2003 0007 1000   EXEC ADDR(0x3) CNT(0x2)"   control flow: 48 bits
 *               "03: 19481000 00262688 00000020   (S)FETCH: VERTEX ..."   slot, then words
 * Out:      a segment for each program. Any other line ends a program.
 * Source:   Mesa 22.3.6, src/freedreno/ir2/disasm-a2xx.c (PRINT_RAW), and its capture's decoded
 *           log, src/freedreno/.gitlab-ci/reference. */
#include <string.h>

#include "base/bits.h"
#include "code/code_read.h"
#include "isa/a2xx/a2xx_isa.h"

enum { CF_DIGITS = 4, WORD_DIGITS = 8, GROUPS = 3, SLOT_DIGITS = 4 };

enum kind { OTHER, CONTINUED, CONTROL, INSTRUCTION };

struct line {
    enum kind kind;
    uint32_t slot, words[GROUPS];
};

struct listing {
    struct code_reader *reader;
    struct buffer bytes;
    size_t cf_count, slots; /* numbers of control-flow instructions and of slots in the current
                             * program */
};

/* The rest of a line. */
struct cursor {
    const char *at, *end;
};

static void skip_blanks(struct cursor *cursor)
{
    while (cursor->at < cursor->end && (*cursor->at == ' ' || *cursor->at == '\t'))
        cursor->at++;
}

static int digit(char c)
{
    static const char digits[] = "0123456789abcdef";
    const char *found = c ? memchr(digits, c >= 'A' && c <= 'F' ? c - 'A' + 'a' : c, 16) : NULL;
    return found ? (int)(found - digits) : -1;
}

/* Parses up to most hexadecimal digits into *value. Returns the number of digits. */
static size_t take_digits(struct cursor *cursor, size_t most, uint32_t *value)
{
    size_t count = 0;
    for (*value = 0; count < most && cursor->at < cursor->end && digit(*cursor->at) >= 0; count++)
        *value = *value << 4 | (uint32_t)digit(*cursor->at++);
    return count;
}

/* Parses three numbers of exactly the given number of digits, each followed by a blank. */
static bool take_groups(struct cursor *cursor, size_t digits, uint32_t words[GROUPS])
{
    for (unsigned i = 0; i < GROUPS; i++) {
        if (take_digits(cursor, digits, &words[i]) != digits || cursor->at == cursor->end ||
            (*cursor->at != ' ' && *cursor->at != '\t'))
            return false;
        skip_blanks(cursor);
    }
    return true;
}

static bool skip_word(struct cursor *cursor, const char *word)
{
    size_t length = strlen(word), left = (size_t)(cursor->end - cursor->at);
    bool found = left >= length && memcmp(cursor->at, word, length) == 0;
    cursor->at += found ? length : 0;
    return found;
}

static bool starts_control(struct cursor cursor)
{
    for (size_t i = 0; i < sizeof a2xx_cf_ops / sizeof a2xx_cf_ops[0]; i++) {
        struct cursor copy = cursor;
        if (skip_word(&copy, a2xx_cf_ops[i].mnemonic) &&
            (copy.at == copy.end || strchr(" \t\r", *copy.at)))
            return true;
    }
    return false;
}

static bool starts_instruction(struct cursor cursor)
{
    skip_word(&cursor, "(S)");
    return skip_word(&cursor, "ALU:") || skip_word(&cursor, "FETCH:");
}

static struct line read_line(struct cursor cursor)
{
    struct line line = {OTHER, 0, {0}};
    skip_blanks(&cursor);
    struct cursor copy = cursor;
    if (take_groups(&copy, CF_DIGITS, line.words) && starts_control(copy)) {
        line.kind = CONTROL;
        return line;
    }
    copy = cursor;
    if (take_digits(&copy, SLOT_DIGITS, &line.slot) && skip_word(&copy, ":")) {
        skip_blanks(&copy);
        if (take_groups(&copy, WORD_DIGITS, line.words) && starts_instruction(copy)) {
            line.kind = INSTRUCTION;
            return line;
        }
    }
    for (copy = cursor; copy.at < copy.end; copy.at++)
        if (skip_word(&copy, " = "))
            line.kind = CONTINUED;
    return line;
}

/* --- programs --- */

static uint8_t *slot_at(struct listing *listing, size_t slot)
{
    while (listing->slots <= slot && !listing->bytes.failed) {
        for (unsigned i = 0; i < A2XX_WORDS; i++)
            buffer_le32(&listing->bytes, 0);
        listing->slots++;
    }
    return listing->bytes.failed ? NULL : listing->bytes.data + slot * A2XX_SLOT_BYTES;
}

static void take_control(struct listing *listing, const struct line *line)
{
    size_t number = listing->cf_count++;
    uint8_t *bytes = slot_at(listing, number / A2XX_CF_PER_SLOT);
    bytes += bytes ? number % A2XX_CF_PER_SLOT * A2XX_CF_BYTES : 0;
    for (unsigned i = 0; bytes && i < GROUPS; i++)
        store_le16(bytes + 2 * i, (uint16_t)line->words[i]);
}

static void take_instruction(struct listing *listing, const struct line *line)
{
    uint8_t *bytes = slot_at(listing, line->slot);
    for (unsigned i = 0; bytes && i < GROUPS; i++)
        store_le32(bytes + 4 * i, line->words[i]);
}

static enum tess_status end_program(struct listing *listing)
{
    struct code_reader *reader = listing->reader;
    size_t size = listing->bytes.size;
    enum tess_status status = code_add_segment(reader->image, reader->base, &listing->bytes, NULL,
                                               0);
    if (size > UINT32_MAX - reader->base)
        return code_refuse(reader, "code-range", 0, 0, "give a smaller base address",
                           "the programs exceed the 32-bit address space");
    reader->base += (uint32_t)size;
    listing->cf_count = listing->slots = 0;
    return status;
}

static enum tess_status take_line(struct listing *listing, const struct line *line, uint32_t number)
{
    if (line->kind == INSTRUCTION && line->slot >= A2XX_SLOTS_MAX)
        return code_refuse(listing->reader, "code-text", number, 0, NULL,
                           "slot %u is too large; clause addresses reach slots 0 to 4095",
                           (unsigned)line->slot);
    if (line->kind == CONTROL && listing->cf_count >= A2XX_CF_PER_SLOT * A2XX_SLOTS_MAX)
        return code_refuse(listing->reader, "code-text", number, 0, NULL,
                           "the program has more than 8192 control-flow instructions");
    if (line->kind == CONTROL)
        take_control(listing, line);
    if (line->kind == INSTRUCTION)
        take_instruction(listing, line);
    if (line->kind == OTHER && listing->slots)
        return end_program(listing);
    return TESS_OK;
}

/* Returns the next line of the file in *cursor. Returns false after the last line. */
static bool next_line(const struct code_reader *reader, size_t *at, struct cursor *cursor)
{
    const char *text = (const char *)reader->bytes + *at;
    if (*at >= reader->size)
        return false;
    const char *end = memchr(text, '\n', reader->size - *at);
    size_t length = end ? (size_t)(end - text) : reader->size - *at;
    *cursor = (struct cursor){text, text + length};
    *at += length + 1;
    return true;
}

bool code_is_listing(const struct code_reader *reader)
{
    struct cursor cursor;
    for (size_t at = 0; next_line(reader, &at, &cursor);)
        if (read_line(cursor).kind >= CONTROL)
            return true;
    return false;
}

enum tess_status code_read_listing(struct code_reader *reader)
{
    struct listing listing = {.reader = reader};
    struct cursor cursor;
    enum tess_status status = TESS_OK;
    uint32_t number = 1;
    for (size_t at = 0; status == TESS_OK && next_line(reader, &at, &cursor); number++) {
        struct line line = read_line(cursor);
        status = take_line(&listing, &line, number);
    }
    if (status == TESS_OK && listing.slots)
        status = end_program(&listing);
    buffer_free(&listing.bytes);
    if (status == TESS_OK && reader->image->segment_count == 0)
        return code_refuse(
            reader, "code-text", 0, 0,
            "give a listing with lines such as \"03: 19481000 00262688 00000020 FETCH: ...\"",
            "no line of the listing begins with the words of an instruction");
    return status;
}
