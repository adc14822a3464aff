/* SPDX-License-Identifier: MIT */
/* interface.c - see interface.h. */
#include "isa/gp/interface.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/diag.h"
#include "isa/gp/gp_isa.h"

enum {
    MOST_SYMBOLS = 2048, /* more than numbers and rows could tell apart */
    MOST_WORDS = 7,
    CONSTANT_WORDS = 7, /* the kind, the name, the row, four values */
    USUAL_WORDS = 4,
    SHOWN = 80, /* bytes of a word or a line, in diagnostics */
};

static const char hint[] =
    "the assembler writes such lines: attribute NAME NUMBER COMPONENTS, varying likewise, "
    "uniform NAME FIRST_ROW ROWS, temporary likewise, constant NAME ROW and four 0x words";

/* What kinds of lines there are. Numbers go from 0 to .numbers - 1, counts from 1 to .most. */
static const struct form {
    const char *word;
    enum tess_gp_kind kind;
    uint32_t numbers, most;
    const char *number, *count;
} forms[] = {
    {"attribute", TESS_GP_ATTRIBUTE, GP_ATTRIBUTES, 4,       "attribute", "number of components"},
    {"varying",   TESS_GP_VARYING,   GP_VARYINGS,   4,       "varying",   "number of components"},
    {"uniform",   TESS_GP_UNIFORM,   GP_ROWS,       GP_ROWS, "row",       "number of rows"      },
    {"temporary", TESS_GP_TEMPORARY, GP_ROWS,       GP_ROWS, "row",       "number of rows"      },
    {"constant",  TESS_GP_CONSTANT,  GP_ROWS,       1,       "row",       ""                    },
};

enum { FORMS = sizeof forms / sizeof forms[0] };

struct reader {
    const char *file; /* "NAME:.tessera" */
    struct tess_sink sink;
    struct gp_interface *interface;
    const char *line, *shown_line; /* words are cut out of the first one */
    uint32_t number;
    char *words[MOST_WORDS];
    size_t word_count;
    bool wrong;
};

/* Reports a mistake at a word of the line; always false. */
static bool complain(struct reader *reader, const char *at, const char *format, ...)
    __attribute__((format(printf, 3, 4)));

static bool complain(struct reader *reader, const char *at, const char *format, ...)
{
    struct tess_diag diag = {.severity = TESS_ERROR,
                             .rule = "gp-interface",
                             .hint = hint,
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

/* Cuts the line into words. False if there are too many. */
static bool split(struct reader *reader, char *line)
{
    static const char blanks[] = " \t\r\v\f";
    char *at = line + strspn(line, blanks);
    reader->word_count = 0;
    while (*at) {
        if (reader->word_count == MOST_WORDS)
            return complain(reader, at, "there is more than belongs into a line");
        reader->words[reader->word_count++] = at;
        at += strcspn(at, blanks);
        if (*at)
            *at++ = 0;
        at += strspn(at, blanks);
    }
    return true;
}

/* A number from least to most, decimal. */
static bool take_number(struct reader *reader, const char *word, const char *what, uint32_t least,
                        uint32_t most, uint32_t *number)
{
    char *end;
    errno = 0;
    unsigned long value = strtoul(word, &end, 10);
    if (*word < '0' || *word > '9' || *end || errno || value < least || value > most)
        return complain(reader, word, "'%.*s' is no %s: %u to %u", SHOWN, word, what,
                        (unsigned)least, (unsigned)most);
    *number = (uint32_t)value;
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
        return complain(reader, word, "'%.*s' is no word of 32 bits: 0x and up to eight digits",
                        SHOWN, word);
    uint32_t word_bits = (uint32_t)bits;
    memcpy(value, &word_bits, sizeof word_bits);
    return true;
}

/* --- lines --- */

static const struct form *find_form(const char *word)
{
    for (size_t i = 0; i < FORMS; i++)
        if (strcmp(forms[i].word, word) == 0)
            return &forms[i];
    return NULL;
}

static bool is_known(const struct gp_interface *interface, enum tess_gp_kind kind, const char *name)
{
    for (size_t i = 0; i < interface->count; i++)
        if (interface->symbols[i].kind == kind && strcmp(interface->symbols[i].name, name) == 0)
            return true;
    return false;
}

static bool take_constant(struct reader *reader, struct tess_gp_symbol *symbol)
{
    symbol->count = 1;
    for (size_t i = 0; i < 4; i++)
        if (!take_bits(reader, reader->words[3 + i], &symbol->values[i]))
            return false;
    return true;
}

static bool take_count(struct reader *reader, const struct form *form,
                       struct tess_gp_symbol *symbol)
{
    bool rows = form->numbers == GP_ROWS;
    uint32_t most = rows ? form->most - symbol->number : form->most, count = 0;
    if (!take_number(reader, reader->words[3], form->count, 1, most, &count))
        return false;
    symbol->count = rows ? count : 1;
    symbol->components = rows ? 0 : count;
    return true;
}

/* The words of a line as a symbol. */
static bool take_symbol(struct reader *reader, struct tess_gp_symbol *symbol)
{
    const struct form *form = find_form(reader->words[0]);
    if (!form)
        return complain(reader, reader->words[0], "'%.*s' is no part of an interface", SHOWN,
                        reader->words[0]);
    bool constant = form->kind == TESS_GP_CONSTANT;
    size_t wanted = constant ? CONSTANT_WORDS : USUAL_WORDS;
    if (reader->word_count != wanted)
        return complain(reader, reader->words[0], "a line of %s has %zu words, not %zu", form->word,
                        wanted, reader->word_count);
    *symbol = (struct tess_gp_symbol){.kind = form->kind, .name = reader->words[1]};
    if (is_known(reader->interface, form->kind, symbol->name))
        return complain(reader, symbol->name, "there is another %s '%.*s'", form->word, SHOWN,
                        symbol->name);
    if (!take_number(reader, reader->words[2], form->number, 0, form->numbers - 1, &symbol->number))
        return false;
    return constant ? take_constant(reader, symbol) : take_count(reader, form, symbol);
}

/* line is the reader's to cut up. */
static void take_line(struct reader *reader, char *line)
{
    char shown[SHOWN * 4];
    struct tess_gp_symbol symbol;
    snprintf(shown, sizeof shown, "%s", line);
    reader->number++;
    reader->line = line;
    reader->shown_line = shown;
    if (!split(reader, line) || reader->word_count == 0 || !take_symbol(reader, &symbol))
        return;
    if (reader->interface->count == MOST_SYMBOLS) {
        complain(reader, line, "there are more than %d names", MOST_SYMBOLS);
        return;
    }
    reader->interface->symbols[reader->interface->count++] = symbol;
}

/* A NUL ends a line as a line break does: no name can hold one. */
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

enum tess_status gp_interface_read(const char *text, size_t size, const char *name,
                                   struct tess_sink sink, struct gp_interface *interface)
{
    size_t lines = count_lines(text, size), file_size = strlen(name) + sizeof ":.tessera";
    char *file = malloc(file_size);
    *interface = (struct gp_interface){
        .names = malloc(size + 1),
        .symbols = calloc(lines < MOST_SYMBOLS ? lines : MOST_SYMBOLS, sizeof *interface->symbols),
    };
    struct reader reader = {.file = file, .sink = sink, .interface = interface};
    if (!file || !interface->names || !interface->symbols) {
        free(file);
        return TESS_NO_MEMORY;
    }
    snprintf(file, file_size, "%s:.tessera", name);
    memcpy(interface->names, text, size);
    interface->names[size] = 0;
    take_lines(&reader, interface->names, size);
    free(file);
    return reader.wrong ? TESS_BAD_INPUT : TESS_OK;
}

void gp_interface_free(struct gp_interface *interface)
{
    free(interface->symbols);
    free(interface->names);
    *interface = (struct gp_interface){0};
}
