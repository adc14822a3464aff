/* SPDX-License-Identifier: MIT */
/* dis.c - tessera dis: disassembles or explains a program.
 *
 * In:  options; a file with machine code.
 * Out: source, explanations, JSON, or a listing in the style of Mesa; diagnostics on standard
 *      error. */
#include <errno.h>
#include <getopt.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <tessera/isa.h>

#include "cli/cli.h"
#include "cli/output.h"
#include "cli/suggest.h"
#include "cli/verdict_options.h"
#include "front/report.h"

static const char help[] =
    "Usage: tessera dis [OPTION]... FILE\n"
    "Disassemble a program into source that assembles to the same bytes. FILE contains raw\n"
    "little-endian words, hexadecimal words as text, C arrays, or a listing of Mesa's tools that\n"
    "shows the words; or FILE is an ELF file, an MBS file, or a shader container of the Xenos.\n"
    "'-' is standard input.\n"
    "\n"
    "  -m, --machine NAME    set the machine: qpu, gp or a2xx (default: from FILE, else qpu)\n"
    "      --variant NAME    set the A2xx variant: adreno (default) or xenos\n"
    "  -f, --format FORMAT   set the format of FILE: auto (default), raw (bin), hex, c, elf,\n"
    "                        mbs, listing or xenos\n"
    "      --base ADDRESS    set the address of the first byte, if FILE has no addresses\n"
    "                        (default 0)\n"
    "      --code START-END  treat addresses from START up to END as instructions (repeatable)\n"
    "      --data START-END  treat these addresses as data; the last match applies\n"
    "      --explain         explain every field and the effect of every instruction\n"
    "      --lines           add the source lines as comments, if an ELF FILE has them\n"
    "      --nearest         print mnemonics even if they assemble to other bits\n"
    "      --json            print one JSON document\n"
    "      --style NAME      set the style: tessera (default), or mesa, a listing as Mesa's\n"
    "                        printer writes it (gp, a2xx)\n"
    "      --mesa            same as --style=mesa\n"
    "  -o, --output FILE     write the source to FILE\n"
    "      --color WHEN      use colours: auto (on a terminal), always or never\n"
    "      --max-messages N  show up to N messages per severity (default 100; 0: all)\n"
    "      --help            print this help\n";

enum {
    OPTION_EXPLAIN = 256,
    OPTION_BASE,
    OPTION_CODE,
    OPTION_DATA,
    OPTION_NEAREST,
    OPTION_LINES,
    OPTION_JSON,
    OPTION_MESA,
    OPTION_STYLE,
    OPTION_VARIANT,
    OPTION_HELP
};

enum { MOST_BYTES = 512 << 20 };

static const struct option options[] = {
    /* clang-format off */
    /* clang-format off */
    {"machine", required_argument, NULL, 'm'},
    {"format",  required_argument, NULL, 'f'},
    {"explain", no_argument,       NULL, OPTION_EXPLAIN},
    {"address", required_argument, NULL, OPTION_BASE}, /* older name of --base */
    {"base",    required_argument, NULL, OPTION_BASE},
    {"code",    required_argument, NULL, OPTION_CODE},
    {"data",    required_argument, NULL, OPTION_DATA},
    {"nearest", no_argument,       NULL, OPTION_NEAREST},
    {"lines",   no_argument,       NULL, OPTION_LINES},
    {"json",    no_argument,       NULL, OPTION_JSON},
    {"mesa",    no_argument,       NULL, OPTION_MESA},
    {"style",   required_argument, NULL, OPTION_STYLE},
    {"variant", required_argument, NULL, OPTION_VARIANT},
    {"output",  required_argument, NULL, 'o'},
    MESSAGE_OPTIONS,
    {"help",    no_argument,       NULL, OPTION_HELP},
    {0},
    /* clang-format on */
    /* clang-format on */
};

static const struct {
    const char *name;
    enum tess_dis_input input;
} formats[] = {
    /* clang-format off */
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
    /* clang-format on */
};

struct arguments {
    struct tess_dis_options dis;
    struct tess_dis_range *ranges;
    const char *title, *path, *output;
    bool has_machine, has_variant, help;
};

struct bytes {
    unsigned char *data;
    size_t size, capacity;
};

static bool take_format(struct arguments *arguments, const char *name)
{
    for (size_t i = 0; i < sizeof formats / sizeof formats[0]; i++) {
        if (strcmp(name, formats[i].name) == 0) {
            arguments->dis.input = formats[i].input;
            return true;
        }
    }
    cli_usage_error(arguments->title,
                    "unknown format '%s'; expected auto, raw, bin, hex, c, elf, mbs, listing or "
                    "xenos",
                    name);
    return false;
}

static bool take_address(const char *text, uint32_t *address)
{
    uint64_t value;
    bool good = cli_number(text, &value) && value <= UINT32_MAX;
    *address = good ? (uint32_t)value : 0;
    return good;
}

/* Parses "START-END" and adds the range. Returns false after an error message. */
static bool take_range(struct arguments *arguments, char *text, bool data)
{
    struct tess_dis_range range = {.data = data};
    char *dash = strchr(text, '-');
    if (dash)
        *dash = '\0';
    bool good = dash && take_address(text, &range.start) && take_address(dash + 1, &range.end);
    if (dash)
        *dash = '-';
    if (!good || range.end <= range.start) {
        cli_usage_error(arguments->title, "invalid address range '%s': expected START-END", text);
        return false;
    }
    arguments->ranges[arguments->dis.range_count++] = range;
    return true;
}

static bool take_output(struct arguments *arguments, enum tess_dis_output output)
{
    if (arguments->dis.output != TESS_DIS_TEXT && arguments->dis.output != output) {
        cli_usage_error(arguments->title,
                        "--explain, --nearest, --json and --mesa are mutually exclusive");
        return false;
    }
    arguments->dis.output = output;
    return true;
}

static bool take_style(struct arguments *arguments, const char *name)
{
    if (strcmp(name, "mesa") == 0)
        return take_output(arguments, TESS_DIS_MESA);
    if (strcmp(name, "tessera") == 0)
        return true;
    cli_usage_error(arguments->title, "unknown style '%s'; expected tessera or mesa", name);
    return false;
}

static bool take_option(struct arguments *arguments, int option)
{
    switch (option) {
    case 'm':
        arguments->has_machine = true;
        return cli_machine(arguments->title, optarg, &arguments->dis.machine);
    case 'f': return take_format(arguments, optarg);
    case 'o': arguments->output = optarg; return true;
    case OPTION_EXPLAIN: return take_output(arguments, TESS_DIS_EXPLAIN);
    case OPTION_NEAREST: return take_output(arguments, TESS_DIS_NEAREST);
    case OPTION_JSON: return take_output(arguments, TESS_DIS_JSON);
    case OPTION_MESA: return take_output(arguments, TESS_DIS_MESA);
    case OPTION_STYLE: return take_style(arguments, optarg);
    case OPTION_VARIANT:
        arguments->has_variant = true;
        return cli_variant(arguments->title, optarg, &arguments->dis.variant);
    case OPTION_LINES: arguments->dis.lines = true; return true;
    case OPTION_CODE:
    case OPTION_DATA: return take_range(arguments, optarg, option == OPTION_DATA);
    case VERDICT_COLOR: return verdict_color(arguments->title);
    case VERDICT_MAX_MESSAGES: return verdict_max_messages(arguments->title);
    case OPTION_HELP: arguments->help = true; return true;
    case OPTION_BASE: break;
    default: cli_usage_hint(arguments->title); return false;
    }
    if (take_address(optarg, &arguments->dis.base))
        return true;
    cli_usage_error(arguments->title, "invalid address '%s': expected 0 to 0xffffffff", optarg);
    return false;
}

static bool parse(struct arguments *arguments, int argc, char **argv)
{
    int option;
    while ((option = suggest_getopt(argc, argv, "m:f:o:", options)) != -1)
        if (!take_option(arguments, option))
            return false;
    if (arguments->help)
        return true;
    arguments->path = cli_one_file(argv[0], "file", argc, argv);
    return arguments->path != NULL;
}

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
    cli_usage_error(arguments->title, "--style=mesa needs -m gp or -m a2xx");
    return false;
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
    int result = CLI_USAGE;
    arguments.ranges = calloc((size_t)argc, sizeof *arguments.ranges);
    if (!arguments.ranges) {
        fprintf(stderr, "%s: %s\n", argv[0], tess_status_text(TESS_NO_MEMORY));
    } else if (parse(&arguments, argc, argv)) {
        if (arguments.help)
            fputs(help, stdout);
        result = arguments.help ? CLI_DONE : disassemble(&arguments);
    }
    free(arguments.ranges);
    return result;
}
