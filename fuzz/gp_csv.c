/* SPDX-License-Identifier: MIT */
/* gp_csv.c - fuzz target: the readers of tables, of numbers, and of the lines that declare a GP
 * program's interface, and the printer of numbers. The input's first byte selects one of these.
 * Numbers must equal the results of the C library. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <tessera/utgard.h>

#include "cli/csv.h"
#include "cli/number.h"
#include "isa/interface_read.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void listen(void *user, const struct tess_finding *diag)
{
    unsigned *count = user;
    (void)diag;
    ++*count;
}

/* Checks that the column of a diagnostic is inside of the quoted line. */
static void listen_to_table(void *user, const struct tess_finding *diag)
{
    if (diag->source_line && diag->column > strlen(diag->source_line) + 1)
        abort();
    listen(user, diag);
}

static void read_table(const uint8_t *data, size_t size)
{
    unsigned count = 0;
    struct csv csv;
    float value;
    FILE *stream = fmemopen((void *)data, size, "rb");
    enum csv_status status = CSV_END;
    if (csv_open_stream(&csv, stream, "table", (struct tess_sink){listen_to_table, &count}))
        while ((status = csv_next(&csv)) == CSV_ROW)
            for (size_t i = 0; i < csv.count; i++)
                csv_float(&csv, &csv.fields[i], &value);
    if (status == CSV_WRONG && count == 0)
        abort();
    csv_close(&csv);
}

static void read_interface(const uint8_t *data, size_t size)
{
    unsigned count = 0;
    struct interface_lines interface;
    enum tess_status status = interface_read(&interface, &gp_interface, (const char *)data, size,
                                             "file", (struct tess_sink){listen, &count});
    const struct tess_gp_symbol *symbols = interface.symbols;
    if ((status == TESS_OK) != (count == 0))
        abort();
    for (size_t i = 0; i < interface.count; i++)
        if (symbols[i].count < 1 || symbols[i].number >= TESS_GP_ROWS)
            abort();
    interface_free(&interface);
}

static bool same(float a, float b)
{
    return isnan(a) ? isnan(b) : memcmp(&a, &b, sizeof a) == 0;
}

static void read_number(const uint8_t *data, size_t size)
{
    char text[64], printed[NUMBER_TEXT], *end;
    float value, again;
    size_t length = size < sizeof text ? size : sizeof text - 1;
    memcpy(text, data, length);
    text[length] = 0;
    if (!number_parse(text, length, &value))
        return;
    bool bits = strpbrk(text, "xX") && !strpbrk(text, "pP");
    if (!bits && (!same(value, strtof(text, &end)) || end != text + length))
        abort();
    if (!number_parse(printed, number_print(printed, value), &again) || !same(value, again))
        abort();
}

static void print_number(const uint8_t *data, size_t size)
{
    for (; size >= sizeof(float); data += sizeof(float), size -= sizeof(float)) {
        char text[NUMBER_TEXT], wanted[NUMBER_TEXT];
        float value;
        memcpy(&value, data, sizeof value);
        size_t length = number_print(text, value);
        snprintf(wanted, sizeof wanted, "%.9g", (double)value);
        if (!isnan(value) && (strlen(wanted) != length || memcmp(wanted, text, length) != 0))
            abort();
    }
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    static void (*const readers[])(const uint8_t *, size_t) = {read_table, read_interface,
                                                               read_number, print_number};
    if (size > 1)
        readers[data[0] % 4](data + 1, size - 1);
    return 0;
}
