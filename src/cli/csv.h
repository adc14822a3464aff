/* SPDX-License-Identifier: MIT */
/* csv.h - reads tables in text files row by row, and writes their fields. The memory used does not
 * depend on the length of the file.
 *
 * In:  fields separated by commas, one row per line. A field may be in double quotes. Inside double
 *      quotes, "" means one quote. Blanks around fields, empty lines, a byte order mark and
 *      carriage returns before line feeds are skipped.
 * Out: one row at a time (the row's fields point into the read buffer); diagnostics with line and
 *      column. */
#ifndef CLI_CSV_H
#define CLI_CSV_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#include <tessera/tessera.h>

struct csv_field {
    const char *text; /* text without the quotes around the field, not NUL-terminated */
    size_t length;
    uint32_t column; /* column of the field's first byte, counted in bytes from 1 */
    bool quoted;
};

struct csv {
    const char *name; /* name of the file in diagnostics */
    struct tess_sink sink;
    FILE *stream;
    /* Read buffer of .capacity bytes. The next row begins at offset .start. .end is the offset
     * after the last byte that has been read. */
    char *bytes;
    size_t start, end, capacity;
    bool at_end;
    const char *row; /* the current line, NUL-terminated */
    uint32_t line;   /* number of the current line, from 1 */
    struct csv_field *fields;
    size_t count;
};

enum csv_status { CSV_ROW, CSV_END, CSV_WRONG };

/* Opens path, or standard input if path is "-". Returns false after reporting an error to sink. The
 * caller must call csv_close() even if this function returns false. */
bool csv_open(struct csv *csv, const char *path, struct tess_sink sink);

/* Like csv_open(), but reads from stream. csv_close() closes stream unless it is stdin. */
bool csv_open_stream(struct csv *csv, FILE *stream, const char *name, struct tess_sink sink);
void csv_close(struct csv *csv);

/* Reads the next row. CSV_WRONG means that an error was reported to the sink. */
enum csv_status csv_next(struct csv *csv);

/* True if the content of a field equals text. */
bool csv_is(const struct csv_field *field, const char *text);

/* Parses a field of the current row as a float. Returns false after reporting an error to the
 * sink. */
bool csv_float(const struct csv *csv, const struct csv_field *field, float *value);

/* Reports a warning about a field of the current row. */
void csv_warn(const struct csv *csv, uint32_t column, const char *rule, const char *hint,
              const char *format, ...) __attribute__((format(printf, 5, 6)));

/* Reports an error in the current row. Column 0 refers to the whole row. Always returns false. */
bool csv_complain(const struct csv *csv, uint32_t column, const char *rule, const char *hint,
                  const char *format, ...) __attribute__((format(printf, 5, 6)));

/* Writes a field of two parts, in double quotes if the text contains a comma or a double quote. The
 * suffix contains neither. A comma separates the field from the field before, unless it is the
 * first field of its row. */
void csv_put(FILE *stream, bool first, const char *text, const char *suffix);

#endif
