/* SPDX-License-Identifier: MIT */
/* csv.c - see csv.h. docs/utgard/run.md shows the messages. */
#include "csv.h"

#include <errno.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include "base/array.h"
#include "number.h"
#include "output.h"

enum {
    LINE_MOST = 1 << 20, /* Maximum length of a line in bytes. A longer line is an error. */
    READ_BYTES = 1 << 16,
    SHOWN = 60, /* Maximum number of bytes of a field that a message quotes. */
    TEXT_MOST = 300,
};

static void report(const struct csv *csv, enum tess_level severity, uint32_t column,
                   const char *rule, const char *hint, const char *format, va_list arguments)
{
    char text[TEXT_MOST];
    vsnprintf(text, sizeof text, format, arguments);
    struct tess_finding diag = {.level = severity,
                                .id = rule,
                                .text = text,
                                .hint = hint,
                                .file = csv->name,
                                .line = csv->line,
                                .column = column,
                                .source_line = csv->row};
    if (csv->sink.report)
        csv->sink.report(csv->sink.user, &diag);
}

void csv_warn(const struct csv *csv, uint32_t column, const char *rule, const char *hint,
              const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    report(csv, TESS_WARNING, column, rule, hint, format, arguments);
    va_end(arguments);
}

bool csv_complain(const struct csv *csv, uint32_t column, const char *rule, const char *hint,
                  const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    report(csv, TESS_ERROR, column, rule, hint, format, arguments);
    va_end(arguments);
    return false;
}

/* --- bytes --- */

static bool complain_of_reading(struct csv *csv)
{
    csv->line = 0;
    csv->row = NULL;
    return csv_complain(csv, 0, "csv-io", NULL, "cannot be read: %s", strerror(errno));
}

bool csv_open_stream(struct csv *csv, FILE *stream, const char *name, struct tess_sink sink)
{
    *csv = (struct csv){.name = name, .sink = sink, .stream = stream};
    if (!stream)
        return complain_of_reading(csv);
    csv->capacity = 2 * READ_BYTES;
    csv->bytes = malloc(csv->capacity + 1);
    errno = ENOMEM;
    return csv->bytes || complain_of_reading(csv);
}

bool csv_open(struct csv *csv, const char *path, struct tess_sink sink)
{
    bool standard = strcmp(path, "-") == 0;
    return csv_open_stream(csv, input_open(path), standard ? "<stdin>" : path, sink);
}

void csv_close(struct csv *csv)
{
    if (csv->stream && csv->stream != stdin)
        fclose(csv->stream);
    free(csv->bytes);
    free(csv->fields);
    *csv = (struct csv){0};
}

/* Discards the bytes before csv->start, which belong to earlier rows, and makes room for READ_BYTES
 * bytes after csv->end. Returns false after an error message if the host is out of memory. */
static bool make_room(struct csv *csv)
{
    memmove(csv->bytes, csv->bytes + csv->start, csv->end - csv->start);
    csv->end -= csv->start;
    csv->start = 0;
    if (csv->capacity - csv->end >= READ_BYTES)
        return true;
    char *larger = realloc(csv->bytes, 2 * csv->capacity + 1);
    errno = ENOMEM;
    if (!larger)
        return complain_of_reading(csv);
    csv->bytes = larger;
    csv->capacity *= 2;
    return true;
}

static bool read_piece(struct csv *csv)
{
    if (!make_room(csv))
        return false;
    errno = 0;
    size_t got = fread(csv->bytes + csv->end, 1, READ_BYTES, csv->stream);
    csv->end += got;
    csv->at_end = got == 0;
    return !ferror(csv->stream) || complain_of_reading(csv);
}

/* --- lines --- */

static enum csv_status too_long(struct csv *csv)
{
    csv->line++;
    csv->row = NULL;
    csv_complain(csv, 0, "csv-line-too-long", "write shorter rows, each on one line",
                 "the line is longer than %d bytes", LINE_MOST);
    return CSV_WRONG;
}

/* Makes the next line of the buffer the current row and terminates the line with a NUL. Reads more
 * bytes while the buffer has no complete line. Sets *length to the line's length in bytes. */
static enum csv_status next_line(struct csv *csv, size_t *length)
{
    size_t seen = 0;
    char *feed = NULL;
    for (;;) {
        size_t left = csv->end - csv->start;
        feed = memchr(csv->bytes + csv->start + seen, '\n', left - seen);
        if (feed || csv->at_end)
            break;
        if (left > LINE_MOST)
            return too_long(csv);
        seen = left;
        if (!read_piece(csv))
            return CSV_WRONG;
    }
    if (csv->start == csv->end)
        return CSV_END;
    char *line = csv->bytes + csv->start, *end = feed ? feed : csv->bytes + csv->end;
    *length = (size_t)(end - line);
    csv->start += *length + (feed != NULL);
    if (*length > LINE_MOST)
        return too_long(csv);
    *end = 0;
    csv->line++;
    csv->row = line;
    return CSV_ROW;
}

/* Removes a byte order mark from the first row, and a carriage return from the end of a row.
 * Returns the new length. */
static size_t trim(struct csv *csv, size_t length)
{
    static const char mark[] = "\xef\xbb\xbf";
    if (csv->line == 1 && length >= 3 && memcmp(csv->row, mark, 3) == 0) {
        csv->row += 3;
        length -= 3;
    }
    return length && csv->row[length - 1] == '\r' ? length - 1 : length;
}

/* --- fields --- */

static bool is_blank(char c)
{
    return c == ' ' || c == '\t';
}

static struct csv_field *add_field(struct csv *csv)
{
    if (ARRAY_GROW(csv->fields, csv->count))
        return &csv->fields[csv->count++];
    errno = ENOMEM;
    complain_of_reading(csv);
    return NULL;
}

/* Sets a field to the text between the quote at `start` and the closing quote. Returns the position
 * of the comma after the field or of the end of the line, or NULL after an error message. */
static const char *take_quoted(struct csv *csv, struct csv_field *field, const char *start,
                               const char *end)
{
    const char *at = start + 1;
    uint32_t column = (uint32_t)(start - csv->row) + 1;
    while (at < end && (at[0] != '"' || (at + 1 < end && at[1] == '"')))
        at += at[0] == '"' ? 2 : 1;
    if (at >= end) {
        csv_complain(csv, column, "csv-quote", "end the field on the line on which it begins",
                     "missing closing quote");
        return NULL;
    }
    *field = (struct csv_field){start + 1, (size_t)(at - start - 1), column, true};
    for (at++; at < end && is_blank(*at);)
        at++;
    if (at == end || *at == ',')
        return at;
    csv_complain(csv, (uint32_t)(at - csv->row) + 1, "csv-quote", NULL,
                 "expected ',' after the quoted field");
    return NULL;
}

/* Sets a field to the text before the next comma, without trailing blanks. Returns the position of
 * the comma or the end of the line. */
static const char *take_plain(const struct csv *csv, struct csv_field *field, const char *start,
                              const char *end)
{
    size_t left = start < end ? (size_t)(end - start) : 0;
    const char *comma = memchr(start, ',', left), *stop = comma ? comma : end;
    const char *last = stop;
    while (last > start && is_blank(last[-1]))
        last--;
    *field = (struct csv_field){start, (size_t)(last - start), (uint32_t)(start - csv->row) + 1,
                                false};
    return stop;
}

static bool split(struct csv *csv, size_t length)
{
    const char *at = csv->row, *end = csv->row + length;
    csv->count = 0;
    for (;;) {
        struct csv_field *field = add_field(csv);
        while (at < end && is_blank(*at))
            at++;
        if (field)
            at = at < end && *at == '"' ? take_quoted(csv, field, at, end)
                                        : take_plain(csv, field, at, end);
        if (!field || !at)
            return false;
        if (at == end)
            return true;
        at++; /* the comma */
    }
}

enum csv_status csv_next(struct csv *csv)
{
    size_t length;
    do {
        enum csv_status status = next_line(csv, &length);
        if (status != CSV_ROW)
            return status;
        const char *nul = memchr(csv->row, 0, length);
        if (nul) {
            csv_complain(csv, (uint32_t)(nul - csv->row) + 1, "csv-nul",
                         "use --attribute NAME=FILE,format=FORMAT for binary data",
                         "unexpected NUL byte in a text file");
            return CSV_WRONG;
        }
        length = trim(csv, length);
        if (!split(csv, length))
            return CSV_WRONG;
    } while (csv->count == 1 && csv->fields[0].length == 0 && !csv->fields[0].quoted);
    return CSV_ROW;
}

/* --- contents of fields --- */

bool csv_is(const struct csv_field *field, const char *text)
{
    const char *at = field->text, *end = at + field->length;
    for (; at < end && *text; at++, text++) {
        if (*at != *text)
            return false;
        if (field->quoted && *at == '"')
            at++; /* the second quote of "" */
    }
    return at == end && *text == 0;
}

bool csv_float(const struct csv *csv, const struct csv_field *field, float *value)
{
    if (number_parse(field->text, field->length, value))
        return true;
    int shown = field->length < SHOWN ? (int)field->length : SHOWN;
    return csv_complain(
        csv, field->column, "csv-number",
        "write a number such as 1, -2.5, 1e-3, inf or nan, or bits such as 0x3f800000",
        field->length ? "invalid number '%.*s'" : "the field is empty%.*s", shown, field->text);
}

/* --- writing --- */

void csv_put(FILE *stream, bool first, const char *text, const char *suffix)
{
    bool quoted = strpbrk(text, ",\"") != NULL;
    if (!first)
        fputc(',', stream);
    if (quoted)
        fputc('"', stream);
    for (; *text; text++) {
        if (*text == '"')
            fputc('"', stream);
        fputc(*text, stream);
    }
    fputs(suffix, stream);
    if (quoted)
        fputc('"', stream);
}
