/* SPDX-License-Identifier: MIT */
/* csv.h - tables in text files, row by row, in memory that does not depend on their length.
 *
 * In:  fields separated by commas, one row a line; fields may be in double quotes ("" stands for one inside), blanks around
 *      them do not count, nor do empty lines, a byte order mark, and carriage returns before line feeds.
 * Out: one row at a time, whose fields lie where they were read; diagnostics with line and column. */
#ifndef CLI_CSV_H
#define CLI_CSV_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#include <tessera/tessera.h>

struct csv_field {
    const char *text; /* without the quotes around; not terminated */
    size_t length;
    uint32_t column; /* from 1, in bytes */
    bool quoted;
};

struct csv {
    const char *name; /* for diagnostics */
    struct tess_sink sink;
    FILE *stream;
    char *bytes; /* read ahead: start to end */
    size_t start, end, capacity;
    bool at_end;
    const char *row; /* the current line, terminated */
    uint32_t line;   /* its number, from 1 */
    struct csv_field *fields;
    size_t count, field_capacity;
};

enum csv_status { CSV_ROW, CSV_END, CSV_WRONG };

/* Opens path; "-" is standard input. False after an error, which sink has been told. *csv must be closed in any case. */
bool csv_open(struct csv *csv, const char *path, struct tess_sink sink);

/* The same for a stream, which csv_close() closes. */
bool csv_open_stream(struct csv *csv, FILE *stream, const char *name, struct tess_sink sink);
void csv_close(struct csv *csv);

/* Goes to the next row. CSV_WRONG: sink has been told. */
enum csv_status csv_next(struct csv *csv);

/* Whether a field is this text. */
bool csv_is(const struct csv_field *field, const char *text);

/* A field of the row as a float. False after an error, which sink has been told. */
bool csv_float(const struct csv *csv, const struct csv_field *field, float *value);

/* Warns of a field of the current row. */
void csv_warn(const struct csv *csv, uint32_t column, const char *rule, const char *hint,
              const char *format, ...) __attribute__((format(printf, 5, 6)));

/* Reports a mistake in the current row; column 0: in the whole of it. Always false. */
bool csv_complain(const struct csv *csv, uint32_t column, const char *rule, const char *hint,
                  const char *format, ...) __attribute__((format(printf, 5, 6)));

#endif
