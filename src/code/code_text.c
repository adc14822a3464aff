/* SPDX-License-Identifier: MIT */
/* code_text.c - reads machine code from text: C arrays, hexadecimal words, hexadecimal dumps.
 *
 * In: the text. C: arrays "name[] = { numbers }" with any declaration, or an initialiser alone.
 *     Hexadecimal: words with or without 0x, or bytes (docs/dis.md). A word of up to 8 digits has
 *     32 bits, and a word of more digits has 64 bits.
 * Out:      one segment for each array, with its name; or one for the whole text.
 * Source:   vc4asm's -c, -C and -x forms (doc/index.html); xxd, hexdump -C, od for dumps.
 * Left out: the preprocessor, except "#if 0"; expressions. */
#include <string.h>

#include "base/ascii.h"
#include "base/bits.h"
#include "code/code_read.h"

enum { DIGITS_MAX = 16, DIGITS_OVERFLOW = 1 << 20 };

struct scan {
    struct code_reader *reader;
    const char *text;
    size_t size, at;
    size_t line_start;
    uint32_t line;
    bool c; /* true for C; false for hexadecimal text */
};

static struct scan scan_begin(struct code_reader *reader, bool c)
{
    const char *text = (const char *)reader->bytes;
    return (struct scan){.reader = reader, .text = text, .size = reader->size, .line = 1, .c = c};
}

static char peek(const struct scan *scan, size_t ahead)
{
    return ahead < scan->size - scan->at ? scan->text[scan->at + ahead] : 0;
}

static bool at_end(const struct scan *scan)
{
    return scan->at >= scan->size;
}

static void advance(struct scan *scan)
{
    if (scan->text[scan->at++] == '\n') {
        scan->line++;
        scan->line_start = scan->at;
    }
}

#define REFUSE(scan, rule, hint, ...)                                                            \
    code_refuse((scan)->reader, (rule), (scan)->line, (scan)->at - (scan)->line_start + 1, hint, \
                __VA_ARGS__)

static bool is_blank(char c)
{
    return c && strchr(" \t\n\v\f\r", c);
}

/* --- comments --- */

static void skip_line(struct scan *scan)
{
    while (!at_end(scan) && peek(scan, 0) != '\n')
        advance(scan);
}

/* Skips a directive. A backslash at the end of a line continues it on the next. */
static void skip_directive(struct scan *scan)
{
    char last = 0;
    for (; !at_end(scan); advance(scan)) {
        char c = peek(scan, 0);
        if (c == '\n' && last != '\\')
            return;
        last = c == '\r' ? last : c;
    }
}

/* Returns true if the directive at the position has a name that begins with word, and its argument
 * is the single character in argument. If argument is "", any argument matches. */
static bool is_directive(struct scan scan, const char *word, const char *argument)
{
    size_t length = strlen(word);
    for (scan.at++; peek(&scan, 0) == ' ' || peek(&scan, 0) == '\t';)
        scan.at++;
    if (length > scan.size - scan.at || memcmp(scan.text + scan.at, word, length) != 0)
        return false;
    for (scan.at += length; peek(&scan, 0) == ' ' || peek(&scan, 0) == '\t';)
        scan.at++;
    return !argument[0] || (peek(&scan, 0) == argument[0] && !ascii_in_name(peek(&scan, 1)));
}

/* Skips "#if 0" and the lines up to the matching #else, #elif or #endif. Compilers put listings
 * into such blocks. */
static void skip_disabled(struct scan *scan)
{
    size_t depth = 0;
    while (!at_end(scan)) {
        while (!at_end(scan) && is_blank(peek(scan, 0)))
            advance(scan);
        if (!at_end(scan) && peek(scan, 0) == '#') {
            depth += is_directive(*scan, "if", "");
            if (depth == 1 && is_directive(*scan, "el", ""))
                return;
            if (is_directive(*scan, "endif", "") && --depth == 0)
                return;
        }
        skip_line(scan);
    }
}

/* Skips a comment. Returns false, with the position unchanged, if the comment does not end. */
static bool skip_block_comment(struct scan *scan)
{
    struct scan start = *scan;
    for (scan->at += 2; !at_end(scan); advance(scan)) {
        if (peek(scan, 0) == '*' && peek(scan, 1) == '/') {
            scan->at += 2;
            return true;
        }
    }
    *scan = start;
    return false;
}

static bool starts_line_comment(const struct scan *scan)
{
    char c = peek(scan, 0);
    return (c == '/' && peek(scan, 1) == '/') || (!scan->c && (c == '#' || c == ';'));
}

/* Skips blanks, comments and, in C, directives. Returns false at a comment that is not
 * terminated. */
static bool skip_space(struct scan *scan)
{
    while (!at_end(scan)) {
        if (is_blank(peek(scan, 0)))
            advance(scan);
        else if (starts_line_comment(scan))
            skip_line(scan);
        else if (scan->c && peek(scan, 0) == '#') {
            if (is_directive(*scan, "if", "0"))
                skip_disabled(scan);
            skip_directive(scan);
        } else if (peek(scan, 0) != '/' || peek(scan, 1) != '*')
            return true;
        else if (!skip_block_comment(scan))
            return false;
    }
    return true;
}

static enum tess_status refuse_comment(const struct scan *scan)
{
    return REFUSE(scan, "code-text", "end the comment with */", "unterminated comment");
}

bool code_has_brace(const struct code_reader *reader)
{
    struct code_reader copy = *reader;
    for (int c = 0; c <= 1; c++) {
        struct scan scan = scan_begin(&copy, c);
        for (; skip_space(&scan) && !at_end(&scan); advance(&scan))
            if (peek(&scan, 0) == '{')
                return true;
    }
    return false;
}

/* --- numbers --- */

static void append_number(struct buffer *bytes, uint64_t value, size_t size)
{
    uint8_t little[8];
    store_le64(little, value);
    buffer_append(bytes, little, size);
}

/* Returns the length of the token at the position, which is shown in messages. The length is at
 * most 24. */
static int token_length(const struct scan *scan)
{
    int length = 0;
    while (length < 24 && ascii_in_name(peek(scan, (size_t)length)))
        length++;
    return length ? length : !at_end(scan);
}

static enum tess_status refuse_number(const struct scan *scan, const char *what)
{
    static const char hint[] = "give machine code; 'tessera asm' assembles a source";
    unsigned char c = (unsigned char)peek(scan, 0);
    if (c >= 0x80 || c < 0x20)
        return REFUSE(scan, "code-number", hint, "expected a %s", what);
    return REFUSE(scan, "code-number", hint, "expected a %s, not '%.*s'", what, token_length(scan),
                  scan->text + scan->at);
}

struct number {
    uint64_t value;
    size_t digits;
    bool prefixed;
};

/* Reads the digits of a number. Returns false, with the position unchanged, if there are no digits
 * or the number exceeds 64 bits. */
static bool read_digits(struct scan *scan, unsigned radix, struct number *number)
{
    size_t start = scan->at;
    for (; ascii_digit_value(peek(scan, 0)) < (int)radix; scan->at++, number->digits++) {
        if (number->value > (UINT64_MAX - (unsigned)ascii_digit_value(peek(scan, 0))) / radix)
            number->digits = DIGITS_OVERFLOW;
        number->value = number->value * radix + (unsigned)ascii_digit_value(peek(scan, 0));
    }
    if (number->digits == 0 || number->digits >= DIGITS_OVERFLOW ||
        (radix == 16 && number->digits > DIGITS_MAX))
        scan->at = start;
    return scan->at > start;
}

static bool skip_prefix(struct scan *scan)
{
    bool prefixed = peek(scan, 0) == '0' && (peek(scan, 1) | 0x20) == 'x';
    scan->at += prefixed ? 2 : 0;
    return prefixed;
}

/* --- C --- */

static const struct {
    const char *name;
    uint8_t size;
    bool weak; /* true if another type name in the declaration takes precedence, as in "unsigned
                * char" or "short int" */
} types[] = {
    /* clang-format off */
    {"uint8_t",  1, false},
    {"int8_t",   1, false},
    {"u8",       1, false},
    {"char",     1, false},
    {"uint16_t", 2, false},
    {"int16_t",  2, false},
    {"u16",      2, false},
    {"short",    2, false},
    {"uint32_t", 4, false},
    {"int32_t",  4, false},
    {"u32",      4, false},
    {"int",      4, true},
    {"unsigned", 4, true},
    {"signed",   4, true},
    {"uint64_t", 8, false},
    {"int64_t",  8, false},
    {"u64",      8, false},
    /* clang-format on */
};

/* Parts of a declaration that have been read. */
struct declaration {
    const char *name, *word;
    size_t name_length, word_length;
    unsigned size; /* size of an element in bytes; 0 if the value of each number determines the
                    * size */
    bool strong, long_seen, initialiser;
};

static bool is_word(const struct declaration *declaration, const char *name)
{
    return strlen(name) == declaration->word_length &&
           memcmp(name, declaration->word, declaration->word_length) == 0;
}

static void take_word(struct scan *scan, struct declaration *declaration)
{
    declaration->word = scan->text + scan->at;
    declaration->word_length = 0;
    for (; ascii_in_name(peek(scan, 0)); scan->at++)
        declaration->word_length++;
    for (size_t i = 0; i < sizeof types / sizeof types[0]; i++) {
        if (!is_word(declaration, types[i].name) || (types[i].weak && declaration->strong))
            continue;
        declaration->size = types[i].size;
        declaration->strong = !types[i].weak;
    }
    if (is_word(declaration, "long")) {
        declaration->size = declaration->long_seen ? 8 : 0;
        declaration->strong = declaration->long_seen = true;
    }
}

static void name_array(struct declaration *declaration)
{
    if (declaration->name_length)
        return;
    declaration->name = declaration->word;
    declaration->name_length = declaration->word_length;
}

/* Reads a C integer with sign and suffixes, and appends it to bytes. */
static enum tess_status read_element(struct scan *scan, unsigned size, struct buffer *bytes)
{
    struct number number = {0};
    struct scan start = *scan;
    bool negative = peek(scan, 0) == '-';
    scan->at += negative;
    number.prefixed = skip_prefix(scan);
    bool octal = !number.prefixed && peek(scan, 0) == '0';
    bool good = read_digits(scan, number.prefixed ? 16 : octal ? 8 : 10, &number);
    while (good && peek(scan, 0) && strchr("uUlL", peek(scan, 0)))
        scan->at++;
    if (!good || ascii_in_name(peek(scan, 0)) || peek(scan, 0) == '.')
        return refuse_number(&start, "number");
    if (size == 0)
        size = (number.prefixed ? number.digits > 8 : number.value > UINT32_MAX) ? 8 : 4;
    if (size < 8 && number.value >> (8 * size))
        return REFUSE(&start, "code-number", NULL, "the number does not fit in %u bits", 8 * size);
    append_number(bytes, negative ? 0 - number.value : number.value, size);
    return TESS_OK;
}

/* Reads the elements of an array. The position is at its first brace. */
static enum tess_status read_elements(struct scan *scan, unsigned size, struct buffer *bytes)
{
    struct scan start = *scan;
    size_t depth = 0;
    enum tess_status status = TESS_OK;
    while (status == TESS_OK) {
        if (!skip_space(scan))
            return refuse_comment(scan);
        if (at_end(scan))
            return REFUSE(&start, "code-text", "end the array with }", "unterminated array");
        char c = peek(scan, 0);
        if (c == '{' || c == '}' || c == ',')
            advance(scan);
        else
            status = read_element(scan, size, bytes);
        depth += c == '{';
        depth -= c == '}';
        if (depth == 0)
            return status;
    }
    return status;
}

static enum tess_status read_array(struct scan *scan, const struct declaration *declaration)
{
    struct code_reader *reader = scan->reader;
    struct buffer bytes = {0};
    enum tess_status status = read_elements(scan, declaration->size, &bytes);
    if (status != TESS_OK) {
        buffer_free(&bytes);
        return status;
    }
    code_unpack_xenos(&bytes);
    size_t size = bytes.size;
    status = code_add_segment(reader->image, reader->base, &bytes, declaration->name,
                              declaration->name_length);
    if (status == TESS_OK && size && declaration->name_length)
        status = code_add_symbol(reader->image, declaration->name, declaration->name_length,
                                 reader->base, true);
    uint64_t alignment = reader->alignment;
    uint64_t next = reader->base + ((uint64_t)size + alignment - 1) / alignment * alignment;
    if (next > UINT32_MAX && next != UINT64_C(1) << 32)
        return REFUSE(scan, "code-range", "give a smaller base address",
                      "the arrays exceed the 32-bit address space");
    reader->base = (uint32_t)next;
    return status;
}

static void skip_literal(struct scan *scan)
{
    char quote = peek(scan, 0);
    for (advance(scan); !at_end(scan) && peek(scan, 0) != quote && peek(scan, 0) != '\n';
         advance(scan))
        if (peek(scan, 0) == '\\' && peek(scan, 1))
            advance(scan);
    if (!at_end(scan))
        advance(scan);
}

/* Reads a token that is outside of all arrays. */
static void take_token(struct scan *scan, struct declaration *declaration)
{
    char c = peek(scan, 0);
    declaration->initialiser = false;
    if (ascii_in_name(c)) {
        take_word(scan, declaration);
        return;
    }
    if (c == '"' || c == '\'') {
        skip_literal(scan);
        return;
    }
    if (c == '[' || c == '=')
        name_array(declaration);
    if (c == ';' || c == '}' || c == '{')
        *declaration = (struct declaration){0};
    declaration->initialiser = c == '=';
    advance(scan);
}

enum tess_status code_read_c(struct code_reader *reader)
{
    struct scan scan = scan_begin(reader, true);
    struct declaration declaration = {.initialiser = true};
    enum tess_status status = TESS_OK;
    size_t arrays = 0;
    while (status == TESS_OK) {
        if (!skip_space(&scan))
            return refuse_comment(&scan);
        if (at_end(&scan))
            break;
        if (peek(&scan, 0) == '{' && declaration.initialiser) {
            status = read_array(&scan, &declaration);
            declaration = (struct declaration){0};
            arrays++;
        } else {
            take_token(&scan, &declaration);
        }
    }
    if (status == TESS_OK && arrays == 0)
        return REFUSE(&scan, "code-text", "write an array as name[] = { 0x12345678, ... };",
                      "the text has no array of numbers");
    return status;
}

/* --- hex --- */

enum dump { NO_DUMP, DUMP_XXD, DUMP_HEXDUMP };

struct hex {
    struct scan scan;
    bool bytes; /* true if the digits are bytes in memory order; false if they are words */
    /* Set in the first pass. seen_word: a number that is not a byte has been read. seen_run: a
     * sequence of digits longer than a word has been read. */
    bool seen_word, seen_run;
    bool dumped;        /* true if a line of hexdump -C has been read; the dump then ends with a
                         * line that has only an address */
    struct buffer *out; /* NULL in the first pass */
};

static size_t digits_at(const struct scan *scan, size_t from)
{
    size_t digits = 0;
    while (ascii_digit_value(peek(scan, from + digits)) < 16)
        digits++;
    return digits;
}

/* Detects the form of a line: "00000000: 1122 3344 ...  text" or "00000000  11 22 ...  |text|". */
static enum dump dump_form(const struct scan *scan)
{
    size_t digits = digits_at(scan, 0), at = digits;
    if (digits < 4 || digits > DIGITS_MAX)
        return NO_DUMP;
    if (peek(scan, digits) == ':') {
        for (at++; peek(scan, at) == ' ';)
            at++;
        size_t group = peek(scan, at + 1) == 'x' ? 8 : digits_at(scan, at);
        return group == 2 || group == 4 ? DUMP_XXD : NO_DUMP;
    }
    if (peek(scan, digits) != ' ' || peek(scan, digits + 1) != ' ')
        return NO_DUMP;
    for (; peek(scan, at) == ' ' || ascii_digit_value(peek(scan, at)) < 16; at++)
        ;
    return peek(scan, at) == '|' ? DUMP_HEXDUMP : NO_DUMP;
}

static enum tess_status take_pairs(struct hex *hex, size_t digits)
{
    struct scan *scan = &hex->scan;
    if (digits == 0 || digits % 2)
        return refuse_number(scan, "whole number of bytes");
    for (size_t i = 0; i < digits; i += 2) {
        int value = ascii_digit_value(peek(scan, i)) * 16 + ascii_digit_value(peek(scan, i + 1));
        if (hex->out)
            buffer_byte(hex->out, (uint8_t)value);
    }
    scan->at += digits;
    return TESS_OK;
}

/* Reads a line of a dump: bytes in order, followed by text that is skipped. */
static enum tess_status take_dump_line(struct hex *hex, enum dump form)
{
    struct scan *scan = &hex->scan;
    enum tess_status status = TESS_OK;
    scan->at += digits_at(scan, 0) + (form == DUMP_XXD);
    while (status == TESS_OK) {
        size_t blanks = 0;
        for (; peek(scan, 0) == ' '; scan->at++)
            blanks++;
        size_t digits = digits_at(scan, 0);
        if (digits == 0 || (form == DUMP_XXD && blanks > 1))
            break;
        status = take_pairs(hex, digits);
    }
    hex->dumped |= form == DUMP_HEXDUMP;
    skip_line(scan);
    return status;
}

static bool ends_word(const struct scan *scan)
{
    char c = peek(scan, 0);
    return at_end(scan) || is_blank(c) || strchr(",;#/", c);
}

static enum tess_status take_word_digits(struct hex *hex)
{
    struct scan *scan = &hex->scan, start = *scan;
    struct number number = {.prefixed = skip_prefix(scan)};
    size_t digits = digits_at(scan, 0);
    bool run = !number.prefixed && digits > DIGITS_MAX;
    hex->seen_run |= run;
    hex->seen_word |= !run && (number.prefixed || digits != 2);
    if (!number.prefixed && (hex->bytes || (run && !hex->out)))
        return take_pairs(hex, digits);
    bool good = read_digits(scan, 16, &number);
    while (good && peek(scan, 0) && strchr("uUlL", peek(scan, 0)))
        scan->at++;
    if (!good || !ends_word(scan))
        return refuse_number(&start, "hexadecimal word");
    if (hex->out)
        append_number(hex->out, number.value, number.digits > 8 ? 8 : 4);
    return TESS_OK;
}

static bool at_line_start(const struct scan *scan)
{
    for (size_t i = scan->line_start; i < scan->at; i++)
        if (!is_blank(scan->text[i]))
            return false;
    return true;
}

/* Skips an address such as "0010:" before words. */
static bool skip_address(struct scan *scan)
{
    size_t digits = digits_at(scan, 0);
    bool address = digits && digits <= DIGITS_MAX && peek(scan, digits) == ':';
    scan->at += address ? digits + 1 : 0;
    return address;
}

static enum tess_status take_hex(struct hex *hex)
{
    struct scan *scan = &hex->scan;
    if (peek(scan, 0) == ',') {
        advance(scan);
        return TESS_OK;
    }
    if (at_line_start(scan)) {
        enum dump form = dump_form(scan);
        if (form != NO_DUMP)
            return take_dump_line(hex, form);
        if (skip_address(scan))
            return TESS_OK;
        if (hex->dumped) {
            skip_line(scan);
            return TESS_OK;
        }
    }
    return take_word_digits(hex);
}

static enum tess_status read_hex_pass(struct hex *hex)
{
    enum tess_status status = TESS_OK;
    while (status == TESS_OK) {
        if (!skip_space(&hex->scan))
            return refuse_comment(&hex->scan);
        if (at_end(&hex->scan))
            break;
        status = take_hex(hex);
    }
    return status;
}

/* Reads the text twice. The first pass determines if the digits are bytes or words, which depends
 * on the whole text. */
enum tess_status code_read_hex(struct code_reader *reader)
{
    struct hex first = {.scan = scan_begin(reader, false)};
    struct buffer bytes = {0};
    enum tess_status status = read_hex_pass(&first);
    if (status != TESS_OK)
        return status;
    struct hex second = {.scan = scan_begin(reader, false), .out = &bytes};
    second.bytes = first.seen_run || !first.seen_word;
    status = read_hex_pass(&second);
    if (status == TESS_OK)
        return code_add_segment(reader->image, reader->base, &bytes, NULL, 0);
    buffer_free(&bytes);
    return status;
}
