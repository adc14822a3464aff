/* SPDX-License-Identifier: MIT */
/* dis.c - tessera dis: disassembles or explains a program.
 *
 * In:  options; a file with machine code.
 * Out: source, explanations, JSON, or a listing in the style of Mesa; diagnostics on standard
 *      error. */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <tessera/isa.h>

#include "base/array.h"
#include "cli/cli.h"
#include "cli/option_rows.h"
#include "cli/output.h"
#include "cli/verdict_options.h"
#include "front/report.h"

enum { MOST_BYTES = 512 << 20 };

static const struct {
    const char *name;
    enum tess_dis_input input;
} formats[] = {
    /* clang-format off */
    {"auto",    TESS_DIS_AUTO},
    {"raw",     TESS_DIS_RAW},
    {"bin",     TESS_DIS_RAW},
    {"hex",     TESS_DIS_HEX},
    {"c",       TESS_DIS_C},
    {"elf",     TESS_DIS_ELF},
    {"mbs",     TESS_DIS_MBS},
    {"listing", TESS_DIS_LISTING},
    {"xenos",   TESS_DIS_XENOS},
    /* clang-format on */
};

struct arguments {
    struct tess_dis_options dis;
    struct tess_dis_range *ranges;
    const char *title, *path, *output;
    bool has_machine, has_variant;
};

struct bytes {
    unsigned char *data;
    size_t size, capacity;
};

static bool find_format(const char *name, void *value)
{
    for (size_t i = 0; i < sizeof formats / sizeof formats[0]; i++) {
        if (strcmp(name, formats[i].name) != 0)
            continue;
        *(enum tess_dis_input *)value = formats[i].input;
        return true;
    }
    return false;
}

static bool take_address(const char *text, uint32_t *address)
{
    uint64_t value;
    bool good = cli_number(text, &value) && value <= UINT32_MAX;
    *address = good ? (uint32_t)value : 0;
    return good;
}

/* Parses "START-END" and adds the range. */
static bool take_range(const struct option_use *use)
{
    struct arguments *arguments = use->target;
    struct tess_dis_range range = {.data = use->row->detail != 0};
    char *dash = strchr(use->value, '-');
    if (dash)
        *dash = '\0';
    bool good = dash && take_address(use->value, &range.start) &&
                take_address(dash + 1, &range.end);
    if (dash)
        *dash = '-';
    if (!good || range.end <= range.start)
        return option_refuse(use, "invalid address range '%s': expected START-END", use->value);
    if (!ARRAY_GROW(arguments->ranges, arguments->dis.range_count))
        return cli_no_memory(use->title);
    arguments->ranges[arguments->dis.range_count++] = range;
    return true;
}

static bool set_output(const struct option_use *use, enum tess_dis_output output)
{
    struct arguments *arguments = use->target;
    if (arguments->dis.output != TESS_DIS_TEXT && arguments->dis.output != output)
        return option_refuse(use, "--explain, --nearest, --json and --mesa are mutually exclusive");
    arguments->dis.output = output;
    return true;
}

static bool take_output(const struct option_use *use)
{
    return set_output(use, (enum tess_dis_output)use->row->detail);
}

static bool take_style(const struct option_use *use)
{
    if (strcmp(use->value, "mesa") == 0)
        return set_output(use, TESS_DIS_MESA);
    return strcmp(use->value, "tessera") == 0 || option_unknown(use);
}

#define TARGET struct arguments
static const struct option_row rows[] = {
#include "cli/code/dis.def"
    OPTIONS_END};
#undef TARGET

const struct option_table dis_options = {.rows = rows, .column = 24};

/* --- input --- */

/* Appends size bytes of data. Returns false with errno set on failure. */
static bool append(struct bytes *bytes, const void *data, size_t size)
{
    if (size > MOST_BYTES - bytes->size) {
        errno = EFBIG; /* ends the reading of a device such as /dev/zero, which has no end */
        return false;
    }
    if (bytes->size + size > bytes->capacity) {
        size_t capacity = 2 * (bytes->size + size);
        unsigned char *larger = realloc(bytes->data, capacity);
        if (!larger)
            return false;
        bytes->data = larger;
        bytes->capacity = capacity;
    }
    memcpy(bytes->data + bytes->size, data, size);
    bytes->size += size;
    return true;
}

/* Reads the whole file. Returns false with errno set on failure. */
static bool read_file(const char *path, struct bytes *bytes)
{
    char chunk[65536];
    size_t got;
    bool standard = strcmp(path, "-") == 0, good = true;
    FILE *stream = input_open(path);
    if (!stream)
        return false;
    while (good && (got = fread(chunk, 1, sizeof chunk, stream)) > 0)
        good = append(bytes, chunk, got);
    good = good && !ferror(stream);
    int error = errno;
    if (!standard)
        fclose(stream);
    errno = error;
    return good;
}

/* Reads the input. Returns false after an error message if the file cannot be read. */
static bool read_input(const struct arguments *arguments, struct bytes *bytes)
{
    bool good = read_file(arguments->path, bytes) && append(bytes, "", 1);
    if (good)
        bytes->size--; /* The extra byte only makes bytes->data non-NULL for an empty file. */
    else
        fprintf(stderr, "%s: cannot read '%s': %s\n", arguments->title, arguments->dis.name,
                strerror(errno));
    return good;
}

static bool write_output(const struct arguments *arguments, const char *text, size_t size)
{
    struct output output;
    if (!output_open(&output, arguments->title, arguments->output))
        return false;
    fwrite(text, 1, size, output.stream);
    return output_close(&output);
}

/* Sets the machine from the file unless -m is given, and the variant unless --variant is given.
 * Returns false after an error message if --style=mesa is given for the QPU, which has no Mesa
 * listing. */
static bool settle(struct arguments *arguments, const struct bytes *bytes)
{
    struct tess_file_kind kind;
    tess_file_recognise(bytes->data, bytes->size, arguments->dis.name, &kind);
    if (!arguments->has_machine)
        arguments->dis.machine = kind.machine;
    if (!arguments->has_variant)
        arguments->dis.variant = kind.variant;
    if (arguments->dis.output != TESS_DIS_MESA || arguments->dis.machine != TESS_MACHINE_QPU)
        return true;
    return cli_refuse(arguments->title, "--style=mesa needs -m gp or -m a2xx");
}

static int disassemble(struct arguments *arguments)
{
    struct bytes bytes = {0};
    struct report report = {.json = arguments->dis.output == TESS_DIS_JSON};
    char *text = NULL;
    size_t size = 0;
    arguments->dis.name = strcmp(arguments->path, "-") == 0 ? "<stdin>" : arguments->path;
    arguments->dis.ranges = arguments->ranges;
    int result = CLI_USAGE;
    if (read_input(arguments, &bytes) && settle(arguments, &bytes)) {
        enum tess_status status = tess_disassemble(bytes.data, bytes.size, &arguments->dis,
                                                   report_sink(&report), &text, &size);
        if (status == TESS_NO_MEMORY)
            fprintf(stderr, "%s: %s\n", arguments->title, tess_status_text(status));
        result = cli_exit_status(status);
    }
    if (result == CLI_DONE && !write_output(arguments, text, size))
        result = CLI_USAGE;
    tess_free(text);
    free(bytes.data);
    return result;
}

int cli_dis(int argc, char **argv)
{
    struct arguments arguments = {.title = argv[0]};
    int result = options_parse(&dis_options, &arguments, argc, argv);
    if (result == OPTIONS_PARSED) {
        arguments.path = cli_one_file(argv[0], "file", argc, argv);
        result = arguments.path ? disassemble(&arguments) : CLI_USAGE;
    }
    free(arguments.ranges);
    return result;
}
