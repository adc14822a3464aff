/* SPDX-License-Identifier: MIT */
/* csv.h - reads the tables of captured values in tests/data. */
#ifndef TESTS_VC4_CSV_H
#define TESTS_VC4_CSV_H

#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { CSV_FIELDS = 24 };

struct csv {
    FILE *file;
    char line[512];
    char *field[CSV_FIELDS];
    unsigned fields;
};

static inline void csv_open(struct csv *csv, const char *name)
{
    char path[1024];
    snprintf(path, sizeof path, "%s/data/%s", TEST_DATA, name);
    csv->file = fopen(path, "r");
    if (!csv->file) {
        perror(path);
        abort();
    }
}

/* Splits the next row into fields, and skips comments. At the end of the file, closes the file
 * and returns false. */
static inline bool csv_row(struct csv *csv)
{
    do {
        if (!fgets(csv->line, sizeof csv->line, csv->file)) {
            fclose(csv->file);
            return false;
        }
    } while (csv->line[0] == '#');
    csv->line[strcspn(csv->line, "\n")] = '\0';
    csv->fields = 0;
    for (char *at = csv->line; at && csv->fields < CSV_FIELDS; csv->fields++) {
        csv->field[csv->fields] = at;
        at = strchr(at, ',');
        if (at)
            *at++ = '\0';
    }
    return true;
}

static inline uint32_t csv_hex(const struct csv *csv, unsigned field)
{
    return (uint32_t)strtoul(csv->field[field], NULL, 16);
}

#endif
