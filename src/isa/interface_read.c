/* SPDX-License-Identifier: MIT */
/* interface_read.c - see interface_read.h. */
#include "isa/interface_read.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/diag.h"

enum {
    MOST_ENTRIES = 2048, /* exceeds the number of entries that a valid interface can have */
    MOST_WORDS = 7,      /* a kind, a name, a number, four values */
    SHOWN = 80,          /* bytes of a word or a line in diagnostics */
};

struct reader {
    const char *file; /* name in diagnostics: "NAME:.tessera" */
    struct tess_sink sink;
    const struct interface_kind *kind;
    struct interface_entry *entries; /* in the order of the lines */
    size_t count;
    const char *line, *shown_line; /* line is split into words in place; shown_line is an unchanged
                                    * copy */
    uint32_t number;
    char *words[MOST_WORDS];
    size_t word_count;
    bool wrong;
};

/* Reports a mistake at a word of the line. Returns false. */
static bool complain(struct reader *reader, const char *at, const char *format, ...)
    __attribute__((format(printf, 3, 4)));

static bool complain(struct reader *reader, const char *at, const char *format, ...)
{
    struct tess_finding diag = {.level = TESS_ERROR,
                                .id = reader->kind->rule,
                                .hint = reader->kind->hint,
                                .file = reader->file,
                                .line = reader->number,
                                .column = (uint32_t)(at - reader->line) + 1,
                                .source_line = reader->shown_line};
    va_list arguments;
    va_start(arguments, format);
    diag_vreport(reader->sink, &diag, format, arguments);
    va_end(arguments);
    reader->wrong = true;
    return false;
}

/* --- words --- */

/* Splits the line into words. Reports an error and returns false if the line has too many words. */
static bool split(struct reader *reader, char *line)
{
    static const char blanks[] = " \t\r\v\f";
    char *at = line + strspn(line, blanks);
    reader->word_count = 0;
    while (*at) {
        if (reader->word_count == MOST_WORDS)
            return complain(reader, at, "too many words in the line");
        reader->words[reader->word_count++] = at;
        at += strcspn(at, blanks);
        if (*at)
            *at++ = 0;
        at += strspn(at, blanks);
    }
    return true;
}

/* Parses a decimal number. Reports an error if the number is outside of what->least to most. */
static bool take_number(struct reader *reader, const char *word,
                        const struct interface_number *what, int32_t most, int32_t *number)
{
    char *end;
    bool negative = *word == '-';
    errno = 0;
    long value = strtol(word, &end, 10);
    if (word[negative] < '0' || word[negative] > '9' || *end || errno || value < what->least ||
        value > most)
        return complain(reader, word, "'%.*s' is not a valid %s; the range is %d to %d", SHOWN,
                        word, what->what, (int)what->least, (int)most);
    *number = (int32_t)value;
    return true;
}

static bool take_bits(struct reader *reader, const char *word, float *value)
{
    char *end;
    bool hex = word[0] == '0' && word[1] == 'x';
    errno = 0;
    unsigned long bits = hex ? strtoul(word + 2, &end, 16) : 0;
    if (!hex || strspn(word + 2, "0123456789abcdefABCDEF") == 0 || *end || errno ||
        bits > UINT32_MAX)
        return complain(
            reader, word,
            "'%.*s' is not a 32-bit word; expected 0x and up to eight hexadecimal digits", SHOWN,
            word);
    uint32_t word_bits = (uint32_t)bits;
    memcpy(value, &word_bits, sizeof word_bits);
    return true;
}

/* --- lines --- */

static const struct interface_form *find_form(const struct reader *reader, const char *word)
{
    for (size_t i = 0; i < reader->kind->form_count; i++)
        if (strcmp(reader->kind->forms[i].word, word) == 0)
            return &reader->kind->forms[i];
    return NULL;
}

/* Returns true if the interface already has an entry of the same kind with the same name. Kinds
 * without names compare the first number instead. */
static bool is_known(const struct reader *reader, const struct interface_entry *entry)
{
    for (size_t i = 0; i < reader->count; i++) {
        const struct interface_entry *other = &reader->entries[i];
        if (other->form != entry->form)
            continue;
        if (entry->form->named ? strcmp(other->name, entry->name) == 0
                               : other->numbers[0] == entry->numbers[0])
            return true;
    }
    return false;
}

static size_t count_words(const struct interface_form *form)
{
    size_t count = (form->named ? 2 : 1) + (form->values ? (size_t)INTERFACE_VALUES : 0);
    for (size_t i = 0; i < INTERFACE_NUMBERS && form->numbers[i].what; i++)
        count++;
    return count;
}

static bool take_numbers(struct reader *reader, struct interface_entry *entry, char **words)
{
    const struct interface_number *what = entry->form->numbers;
    for (size_t i = 0; i < INTERFACE_NUMBERS && what[i].what; i++) {
        int32_t most = what[i].within ? what[i - 1].most + 1 - entry->numbers[i - 1] : what[i].most;
        if (!take_number(reader, words[i], &what[i], most, &entry->numbers[i]))
            return false;
    }
    return true;
}

static bool take_values(struct reader *reader, struct interface_entry *entry, char **words)
{
    for (size_t i = 0; i < INTERFACE_VALUES && entry->form->values; i++)
        if (!take_bits(reader, words[i], &entry->values[i]))
            return false;
    return true;
}

static bool complain_of_double(struct reader *reader, const struct interface_entry *entry)
{
    const char *word = reader->words[1];
    return complain(reader, word, "duplicate %s '%.*s'", entry->form->word, SHOWN, word);
}

/* Parses the words of a line. */
static bool take_entry(struct reader *reader, struct interface_entry *entry)
{
    const struct interface_form *form = find_form(reader, reader->words[0]);
    if (!form)
        return complain(reader, reader->words[0], "unknown interface entry '%.*s'", SHOWN,
                        reader->words[0]);
    size_t wanted = count_words(form);
    if (reader->word_count != wanted)
        return complain(reader, reader->words[0],
                        "a line that begins with %s has %zu words, not %zu", form->word, wanted,
                        reader->word_count);
    char **numbers = reader->words + 1 + form->named;
    *entry = (struct interface_entry){.form = form, .name = form->named ? reader->words[1] : ""};
    if (form->named && is_known(reader, entry))
        return complain_of_double(reader, entry);
    if (!take_numbers(reader, entry, numbers))
        return false;
    if (!form->named && is_known(reader, entry))
        return complain_of_double(reader, entry);
    return take_values(reader, entry,
                       reader->words + wanted - (form->values ? INTERFACE_VALUES : 0));
}

/* Reads a line. line is modified. */
static void take_line(struct reader *reader, char *line)
{
    char shown[SHOWN * 4];
    struct interface_entry entry;
    snprintf(shown, sizeof shown, "%s", line);
    reader->number++;
    reader->line = line;
    reader->shown_line = shown;
    if (!split(reader, line) || reader->word_count == 0 || !take_entry(reader, &entry))
        return;
    if (reader->count == MOST_ENTRIES) {
        complain(reader, line, "the interface has more than %d entries", MOST_ENTRIES);
        return;
    }
    reader->entries[reader->count++] = entry;
}

/* Reads all lines. A NUL ends a line like a line break, because names cannot contain a NUL. */
static void take_lines(struct reader *reader, char *text, size_t size)
{
    for (size_t start = 0, length; start < size; start += length + 1) {
        length = strcspn(text + start, "\n");
        text[start + length] = 0;
        take_line(reader, text + start);
    }
}

static size_t count_lines(const char *text, size_t size)
{
    size_t lines = 1;
    for (size_t i = 0; i < size; i++)
        lines += text[i] == '\n' || text[i] == 0;
    return lines;
}

static enum tess_status make_symbols(struct interface_lines *lines, const struct reader *reader)
{
    const struct interface_kind *kind = reader->kind;
    char *symbols = calloc(reader->count + 1, kind->symbol_size);
    for (size_t i = 0; symbols && i < reader->count; i++)
        kind->make(symbols + i * kind->symbol_size, &reader->entries[i]);
    lines->symbols = symbols;
    lines->count = symbols ? reader->count : 0;
    return symbols ? TESS_OK : TESS_NO_MEMORY;
}

enum tess_status interface_read(struct interface_lines *lines, const struct interface_kind *kind,
                                const char *text, size_t size, const char *name,
                                struct tess_sink sink)
{
    if (!name)
        name = "";
    size_t most = count_lines(text, size), file_size = strlen(name) + sizeof ":.tessera";
    char *file = malloc(file_size);
    struct reader reader = {
        .file = file,
        .sink = sink,
        .kind = kind,
        .entries = calloc(most < MOST_ENTRIES ? most : MOST_ENTRIES, sizeof *reader.entries),
    };
    enum tess_status status = TESS_NO_MEMORY;
    *lines = (struct interface_lines){.names = malloc(size + 1)};
    if (file && lines->names && reader.entries) {
        snprintf(file, file_size, "%s:.tessera", name);
        memcpy(lines->names, text ? text : "", size);
        lines->names[size] = 0;
        take_lines(&reader, lines->names, size);
        status = reader.wrong ? TESS_BAD_INPUT : make_symbols(lines, &reader);
    }
    free(file);
    free(reader.entries);
    return status;
}

void interface_free(struct interface_lines *lines)
{
    free(lines->names);
    free(lines->symbols);
    *lines = (struct interface_lines){0};
}
