/* SPDX-License-Identifier: MIT */
/* finding_relay.c - see finding_relay.h.
 *
 * In:      a finding; a line of text.
 * Out: a line that consists of the word "finding", six numbers and seven texts, separated by tabs;
 *      the finding that such a line contains.
 *
 * A text begins with '='. A missing text is '-'. '\t', '\n' and '\\' in a text are escaped. */
#include "front/finding_relay.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#define WORD "finding"

enum { NUMBERS = 6, TEXTS = 7 };
enum { HAS_ADDRESS = 1, IS_STATEMENT = 2, SEMICOLON_COMMENTS = 4 };

/* Sets texts to the texts of a finding, in the order of a line. */
static void list_texts(struct finding *finding, const char **texts[TEXTS])
{
    struct finding_place *place = &finding->place;
    const char **list[TEXTS] = {&finding->rule,     &finding->text,      &finding->hint,
                                &place->file,       &place->source_line, &place->instruction,
                                &place->disassembly};
    memcpy(texts, list, sizeof list);
}

static void write_text(FILE *stream, const char *text)
{
    if (!text) {
        fputs("\t-", stream);
        return;
    }
    fputs("\t=", stream);
    for (; *text; text++) {
        switch (*text) {
        case '\t': fputs("\\t", stream); break;
        case '\n': fputs("\\n", stream); break;
        case '\\': fputs("\\\\", stream); break;
        default: fputc(*text, stream);
        }
    }
}

void finding_relay_write(FILE *stream, const struct finding *finding)
{
    struct finding copy = *finding;
    const struct finding_place *place = &finding->place;
    const char **texts[TEXTS];
    unsigned flags = (place->has_address ? HAS_ADDRESS : 0U) |
                     (place->statement ? IS_STATEMENT : 0U) |
                     (place->semicolon_comments ? SEMICOLON_COMMENTS : 0U);
    fprintf(stream, WORD "\t%d\t%u\t%" PRIu32 "\t%" PRIu32 "\t%" PRIu32 "\t%" PRIu32,
            (int)finding->level - TESS_OFF, flags, place->line, place->column, place->address,
            place->bytes);
    list_texts(&copy, texts);
    for (size_t i = 0; i < TEXTS; i++)
        write_text(stream, *texts[i]);
    fputc('\n', stream);
}

/* Cuts the next field off the rest of a line. Returns NULL after the last field. */
static char *take_field(char **rest)
{
    char *field = *rest;
    if (!field)
        return NULL;
    *rest = strchr(field, '\t');
    if (*rest)
        *(*rest)++ = 0;
    return field;
}

static bool take_number(char **rest, uint32_t *number)
{
    char *end, *field = take_field(rest);
    if (!field || field[0] < '0' || field[0] > '9')
        return false;
    unsigned long value = strtoul(field, &end, 10);
    *number = (uint32_t)value;
    return *end == 0 && value <= UINT32_MAX;
}

/* Replaces escape sequences in place. */
static void unescape(char *text)
{
    char *to = text;
    for (const char *from = text; *from; from++) {
        if (*from == '\\' && from[1]) {
            from++;
            *to++ = *from == 't' ? '\t' : *from == 'n' ? '\n' : *from;
        } else {
            *to++ = *from;
        }
    }
    *to = 0;
}

static bool take_text(char **rest, const char **text)
{
    char *field = take_field(rest);
    if (!field || (*field != '-' && *field != '='))
        return false;
    *text = *field == '=' ? field + 1 : NULL;
    if (*text)
        unescape(field + 1);
    return true;
}

bool finding_relay_read(char *line, struct finding *finding)
{
    uint32_t numbers[NUMBERS] = {0};
    const char **texts[TEXTS];
    char *rest = line;
    line[strcspn(line, "\n")] = 0;
    if (strncmp(line, WORD "\t", sizeof WORD) != 0)
        return false;
    take_field(&rest);
    *finding = (struct finding){0};
    for (size_t i = 0; i < NUMBERS; i++)
        if (!take_number(&rest, &numbers[i]))
            return false;
    list_texts(finding, texts);
    for (size_t i = 0; i < TEXTS; i++)
        if (!take_text(&rest, texts[i]))
            return false;
    if (numbers[0] > TESS_ERROR - TESS_OFF || !finding->rule || !finding->text)
        return false;
    finding->level = (enum tess_level)((int)numbers[0] + TESS_OFF);
    finding->place.has_address = numbers[1] & HAS_ADDRESS;
    finding->place.statement = numbers[1] & IS_STATEMENT;
    finding->place.semicolon_comments = numbers[1] & SEMICOLON_COMMENTS;
    finding->place.line = numbers[2];
    finding->place.column = numbers[3];
    finding->place.address = numbers[4];
    finding->place.bytes = numbers[5];
    return true;
}
