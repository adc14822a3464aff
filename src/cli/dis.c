/* SPDX-License-Identifier: MIT */
/* dis.c - tessera dis: disassembles or explains raw words, hex text or C array text. */
#include <errno.h>
#include <getopt.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <tessera/isa.h>

#include "cli.h"
#include "output.h"

static const char help[] =
    "Usage: tessera dis [OPTION]... FILE\n"
    "Disassembles a program. FILE holds raw little-endian words, or text with hexadecimal words: a "
    "C\n"
    "array, or '0xLOW, 0xHIGH,' pairs; comments are skipped.\n\n"
    "  -m, --machine NAME   instruction set: qpu (default)\n"
    "      --explain        every field of every instruction, and what it does in plain words\n"
    "      --address N      bus address of the first instruction (default 0)\n"
    "  -o, --output FILE    write to FILE\n"
    "      --help           this text\n";

enum { OPTION_EXPLAIN = 256, OPTION_ADDRESS, OPTION_HELP };

enum { MOST_BYTES = 512 << 20 };

static const struct option options[] = {
    {"machine",       required_argument, NULL, 'm'},
    {"explain",           no_argument, NULL, OPTION_EXPLAIN},
    {"address",               required_argument, NULL, OPTION_ADDRESS},
    {"output",required_argument, NULL, 'o'},
    {"help", no_argument, NULL, OPTION_HELP},
    {0      },
};

struct arguments {
    enum tess_machine machine;
    const char *path, *output;
    uint64_t address;
    bool explain, help;
};

struct bytes {
    unsigned char *data;
    size_t size, capacity;
};

static bool take_option(struct arguments *arguments, int option, const char *title)
{
    switch (option) {
    case 'm': return cli_machine(title, optarg, &arguments->machine);
    case 'o': arguments->output = optarg; return true;
    case OPTION_EXPLAIN: arguments->explain = true; return true;
    case OPTION_HELP: arguments->help = true; return true;
    case OPTION_ADDRESS: break;
    default: cli_usage_hint(title); return false;
    }
    if (cli_number(optarg, &arguments->address) && arguments->address <= UINT32_MAX)
        return true;
    cli_usage_error(title, "'%s' is no address", optarg);
    return false;
}

static bool parse(struct arguments *arguments, int argc, char **argv)
{
    int option;
    while ((option = getopt_long(argc, argv, "m:o:", options, NULL)) != -1)
        if (!take_option(arguments, option, argv[0]))
            return false;
    if (arguments->help)
        return true;
    if (optind + 1 != argc) {
        cli_usage_error(argv[0], optind == argc ? "no file given" : "more than one file given");
        return false;
    }
    arguments->path = argv[optind];
    return true;
}

/* --- input --- */

/* False with errno set. */
static bool append(struct bytes *bytes, const void *data, size_t size)
{
    if (size > MOST_BYTES - bytes->size) {
        errno = EFBIG; /* devices such as /dev/zero never end */
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

/* False with errno set. */
static bool read_file(const char *path, struct bytes *bytes)
{
    char chunk[65536];
    size_t got;
    bool standard = strcmp(path, "-") == 0, good = true;
    FILE *stream = standard ? stdin : fopen(path, "rb");
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

/* Programs hold zero bytes or others that text has not, within their first words. */
static bool is_text(const struct bytes *bytes)
{
    for (size_t i = 0; i < bytes->size; i++) {
        unsigned char c = bytes->data[i];
        if (c == 0x7f || c >= 0x80 || (c < 0x20 && !strchr("\t\n\v\f\r", c)) || c == 0)
            return false;
    }
    return true;
}

static bool is_elf(const struct bytes *bytes)
{
    return bytes->size >= 4 && memcmp(bytes->data,
                                      "\x7f"
                                      "ELF",
                                      4) == 0;
}

/* Whether two bytes start a comment that ends at the line's end. */
static bool starts_line_comment(const unsigned char *at, size_t left)
{
    return *at == '#' || *at == ';' || (left > 1 && at[0] == '/' && at[1] == '/');
}

/* Overwrites comments with spaces. A brace opens an array: what came before it is overwritten too.
 */
static void blank_out(unsigned char *text, size_t size)
{
    size_t kept = 0; /* everything before is blank */
    for (size_t i = 0; i < size; i++) {
        if (starts_line_comment(text + i, size - i)) {
            while (i < size && text[i] != '\n')
                text[i++] = ' ';
        } else if (i + 1 < size && text[i] == '/' && text[i + 1] == '*') {
            while (i < size && !(i + 1 < size && text[i] == '*' && text[i + 1] == '/'))
                text[i++] = ' ';
            for (size_t end = i + 2; i < end && i < size; i++)
                text[i] = ' ';
        } else if (text[i] == '{') {
            memset(text + kept, ' ', i + 1 - kept);
            kept = i + 1;
        }
    }
}

static int hex_digit(unsigned char c)
{
    const char *digits = "0123456789abcdef";
    const char *at = c ? strchr(digits, c >= 'A' && c <= 'F' ? c | 0x20 : c) : NULL;
    return at ? (int)(at - digits) : -1;
}

/* Reads a number with at most 16 hexadecimal digits; 0x in front is optional. Returns its digits.
 */
static size_t read_hex(const unsigned char *text, size_t size, size_t *at, uint64_t *value)
{
    size_t digits = 0;
    if (*at + 1 < size && text[*at] == '0' && (text[*at + 1] | 0x20) == 'x')
        *at += 2;
    for (*value = 0; *at < size && hex_digit(text[*at]) >= 0; (*at)++, digits++)
        *value = *value << 4 | (uint64_t)hex_digit(text[*at]);
    return digits <= 16 ? digits : 0;
}

static bool append_word(struct bytes *out, uint64_t word, size_t size)
{
    unsigned char bytes[8];
    for (size_t i = 0; i < size; i++)
        bytes[i] = (unsigned char)(word >> (8 * i));
    return append(out, bytes, size);
}

static bool is_separator(unsigned char c)
{
    return c && strchr(" \t\n\v\f\r,;{}=uUlL", c);
}

/* Words of up to 8 digits are 32 bits, longer ones 64. False with a message. */
static bool parse_text(const char *title, struct bytes *text, struct bytes *out)
{
    blank_out(text->data, text->size);
    size_t at = 0;
    while (at < text->size) {
        uint64_t word;
        if (is_separator(text->data[at])) {
            at++;
            continue;
        }
        size_t start = at, digits = read_hex(text->data, text->size, &at, &word);
        bool ends = at == text->size || is_separator(text->data[at]);
        if (digits == 0 || !ends) {
            cli_usage_error(title, "the text has something that is no hexadecimal word: '%.16s'",
                            (const char *)text->data + start);
            return false;
        }
        if (!append_word(out, word, digits > 8 ? 8 : 4))
            return false;
    }
    return true;
}

/* Reads the program's bytes into *code. */
static int read_program(const struct arguments *arguments, const char *title, struct bytes *code)
{
    struct bytes file = {0};
    const char *name = strcmp(arguments->path, "-") == 0 ? "<stdin>" : arguments->path;
    bool good = read_file(arguments->path, &file) && append(&file, "", 1);
    if (!good)
        fprintf(stderr, "%s: cannot read '%s': %s\n", title, name, strerror(errno));
    if (good)
        file.size--; /* the NUL ends messages */
    if (good && is_elf(&file)) {
        fprintf(stderr, "%s: '%s' is an ELF file; 'tessera decode' lists a scene\n", title, name);
        good = false;
    }
    if (good && is_text(&file)) {
        good = parse_text(title, &file, code);
        free(file.data);
    } else {
        *code = file;
    }
    if (good && code->size % 8) {
        fprintf(stderr, "%s: '%s' is not a whole number of 64-bit instructions: %zu bytes\n", title,
                name, code->size);
        good = false;
    }
    return good ? CLI_DONE : CLI_USAGE;
}

/* --- output --- */

typedef size_t writer(char *text, size_t size, uint64_t word, uint32_t address);

/* The whole text of one instruction, however long; to be freed. */
static char *instruction_text(writer *write, uint64_t word, uint32_t address)
{
    char probe[1];
    size_t size = write(probe, sizeof probe, word, address) + 1;
    char *text = malloc(size);
    if (text)
        write(text, size, word, address);
    return text;
}

/* Source that the assembler reads, with place and words as a comment. */
static void print_plain(FILE *stream, uint64_t word, uint32_t address, const char *text)
{
    fprintf(stream, "%-56s // %08" PRIx32 ": 0x%08" PRIx32 ", 0x%08" PRIx32 "\n", text, address,
            (uint32_t)word, (uint32_t)(word >> 32));
}

static void print_instruction(FILE *stream, uint64_t word, uint32_t address, bool explain)
{
    char *text = instruction_text(tess_qpu_disassemble, word, address);
    char *account = explain ? instruction_text(tess_qpu_explain, word, address) : NULL;
    if (text)
        print_plain(stream, word, address, text);
    if (account)
        fprintf(stream, "%s%s\n", account,
                *account && account[strlen(account) - 1] == '\n' ? "" : "\n");
    free(text);
    free(account);
}

static int print_program(const struct arguments *arguments, const char *title,
                         const struct bytes *code)
{
    struct output output;
    if (!output_open(&output, title, arguments->output))
        return CLI_USAGE;
    for (size_t i = 0; i < code->size; i += 8) {
        uint64_t word = 0;
        for (unsigned k = 8; k-- > 0;)
            word = word << 8 | code->data[i + k];
        print_instruction(output.stream, word, (uint32_t)(arguments->address + i),
                          arguments->explain);
    }
    return output_close(&output) ? CLI_DONE : CLI_USAGE;
}

int cli_dis(int argc, char **argv)
{
    struct arguments arguments = {0};
    if (!parse(&arguments, argc, argv))
        return CLI_USAGE;
    if (arguments.help) {
        fputs(help, stdout);
        return CLI_DONE;
    }
    struct bytes code = {0};
    int status = read_program(&arguments, argv[0], &code);
    if (status == CLI_DONE)
        status = print_program(&arguments, argv[0], &code);
    free(code.data);
    return status;
}
