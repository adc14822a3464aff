/* SPDX-License-Identifier: MIT */
/* parse.c - see parse.h: recognises the kinds of statements.
 *
 * Source:  the syntax of freedreno's wiki and of freedreno's assembler, fdre-a2xx/asm/parser.y,
 *          with the additions of Mesa's disassembler and of Tessera; docs/isa/a2xx.md. */
#include "isa/a2xx/parse.h"

#include <string.h>

#define COUNT(table) (sizeof(table) / sizeof(table)[0])

/* --- names --- */

/* Returns true for "ALU" and "FETCH", which are followed by a colon and are not labels. */
static bool is_unit(const char *name, size_t length)
{
    return asm_is_name(name, length, "ALU") || asm_is_name(name, length, "FETCH");
}

/* Returns the opcode of a control-flow instruction, or -1. */
static int find_cf(const char *name, size_t length)
{
    for (int i = 0; i < (int)COUNT(a2xx_cf_ops); i++)
        if (asm_is_name(name, length, a2xx_cf_ops[i].mnemonic))
            return i;
    return -1;
}

bool a2xx_is_word(const char *name, size_t length)
{
    return is_unit(name, length) || find_cf(name, length) >= 0;
}

static const char *const others[] = {
    "ALU:",
    "FETCH:",
    "CF",
#define FORMAT(code, name, ...)        "FMT_" name,
#define ADRENO_FORMAT(code, name, ...) "FMT_" name,
#define XENOS_FORMAT(code, name, ...)  "FMT_" name,
#include "isa/a2xx/formats.def"
};

/* Initialiser for a table of names: address of the first name, distance between two names in bytes,
 * and number of names. A name may be NULL. */
#define NAMES(table)                                         \
    {                                                        \
        &(table)[0].mnemonic, sizeof(table)[0], COUNT(table) \
    }

const char *a2xx_mnemonic(size_t index)
{
    const struct {
        const char *const *first;
        size_t step, count;
    } tables[] = {
        NAMES(a2xx_cf_ops),
        NAMES(a2xx_vector_ops),
        NAMES(a2xx_scalar_ops),
        NAMES(a2xx_fetch_ops),
        {&a2xx_scalar_aliases[0].mnemonic, sizeof a2xx_scalar_aliases[0], a2xx_scalar_alias_count},
        {others, sizeof others[0], COUNT(others)},
    };
    for (size_t i = 0; i < COUNT(tables); index -= tables[i++].count)
        if (index < tables[i].count) {
            const char *name = *(const char *const *)(const void *)((const char *)tables[i].first +
                                                                    index * tables[i].step);
            return name ? name : "";
        }
    return NULL;
}

bool a2xx_take_predicate(const char *name, size_t *length, bool *condition)
{
    if (*length <= 2)
        return false;
    *condition = memcmp(name + *length - 2, "EQ", 2) == 0;
    if (!*condition && memcmp(name + *length - 2, "NE", 2) != 0)
        return false;
    *length -= 2;
    return true;
}

/* --- beginnings of statements --- */

/* Returns true if text ends with word. If alone is set, text must consist only of word and
 * blanks. */
static bool ends_with(const char *text, size_t length, const char *word, bool alone)
{
    while (length > 0 && asm_is_blank(text[length - 1]))
        length--;
    size_t size = strlen(word);
    if (length < size || memcmp(text + length - size, word, size) != 0)
        return false;
    while (alone && length > size && asm_is_blank(text[length - size - 1]))
        length--;
    return !alone || length == size;
}

bool a2xx_begins(const char *text, size_t length, const char *before, size_t before_length)
{
    static const char serialize[] = "(S)";
    size_t name = asm_name_length(text, length, 0);
    if (text[0] == '@')
        return true;
    if (text[0] == '(')
        return length >= strlen(serialize) && memcmp(text, serialize, strlen(serialize)) == 0;
    /* The name after the closing parenthesis of a header does not begin a statement. */
    if (name == 0 ||
        (before_length > 0 && before[0] == '@' && ends_with(before, before_length, ")", false)))
        return false;
    if (name < length && text[name] == ':' && is_unit(text, name))
        return !ends_with(before, before_length, serialize, true);
    if (asm_is_name(text, name, "ALLOC"))
        return !ends_with(before, before_length, "ALLOC NO", true);
    if (a2xx_is_scalar(text, name))
        return !ends_with(before, before_length, ":", false);
    return find_cf(text, name) >= 0 || asm_is_name(text, name, "CF");
}

/* --- statements --- */

bool a2xx_parse_words(struct a2xx_line *line, struct a2xx_record *record)
{
    static const char usage[] = "ALU: 0x00000000, 0x00000000, 0x00000000";
    record->written |= A2XX_IS_RAW;
    for (unsigned i = 0; i < A2XX_WORDS; i++) {
        int64_t word = 0;
        if ((i > 0 && !a2xx_expect(line, ',', usage)) ||
            !a2xx_number(line, "a word", 0, UINT32_MAX, &word))
            return false;
        record->words[i] = (uint32_t)word;
    }
    return a2xx_expect_end(line, usage);
}

static bool parse_instruction(struct a2xx_line *line, struct a2xx_state *state,
                              struct a2xx_record *record)
{
    const char *name;
    if (ASM_ACCEPT(line, '(')) {
        record->written |= A2XX_SERIALIZED;
        ASM_TAKE_NAME(line, &name);
        (void)ASM_ACCEPT(line, ')');
    }
    size_t length = ASM_TAKE_NAME(line, &name);
    bool fetch = asm_is_name(name, length, "FETCH");
    if ((!fetch && !asm_is_name(name, length, "ALU")) || !ASM_ACCEPT(line, ':'))
        return asm_fail(line->error, "a2xx-syntax", line->at, NULL, "expected ALU: or FETCH:");
    record->kind = fetch ? A2XX_RECORD_FETCH : A2XX_RECORD_ALU;
    return fetch ? a2xx_parse_fetch(line, state, record) : a2xx_parse_alu(line, state, record);
}

/* Parses a scalar operation that belongs to the preceding ALU instruction. */
static bool parse_second(struct a2xx_line *line, const struct asm_statement *statement)
{
    struct a2xx_record record;
    uint8_t *last = statement->last(statement);
    if (last)
        memcpy(&record, last, sizeof record);
    if (!last || record.kind != A2XX_RECORD_ALU || (record.written & A2XX_IS_RAW))
        return asm_fail(line->error, "a2xx-coissue", 0, "put ALU: before the operation",
                        "there is no vector operation to combine this scalar operation with");
    if (record.written & A2XX_HAS_SCALAR)
        return asm_fail(line->error, "a2xx-coissue", 0, "put ALU: before the operation",
                        "the instruction already has a scalar operation");
    if (!a2xx_parse_scalar(line, &record))
        return false;
    memcpy(last, &record, sizeof record);
    return true;
}

/* Returns true for operations that need "ALU:" or "FETCH:" before them. */
static bool needs_unit(const char *name, size_t length)
{
    for (size_t i = 0; i < COUNT(a2xx_vector_ops); i++)
        if (a2xx_vector_ops[i].mnemonic && asm_is_name(name, length, a2xx_vector_ops[i].mnemonic))
            return true;
    for (size_t i = 0; i < COUNT(a2xx_fetch_ops); i++)
        if (a2xx_fetch_ops[i].mnemonic && asm_is_name(name, length, a2xx_fetch_ops[i].mnemonic))
            return true;
    return false;
}

static bool parse(struct a2xx_line *line, const struct asm_statement *statement,
                  struct a2xx_record *record, bool *put)
{
    const char *name;
    char first = ASM_PEEK(line);
    *put = true;
    if (first == '@') {
        *put = false;
        return a2xx_parse_header(line, statement->lines);
    }
    size_t start = line->at, length = first == '(' ? 0 : ASM_TAKE_NAME(line, &name);
    if (first == '(' || is_unit(name, length)) {
        line->at = start;
        return parse_instruction(line, statement->names->state, record);
    }
    if (asm_is_name(name, length, "CF"))
        return a2xx_parse_raw_cf(line, record);
    int cf = find_cf(name, length);
    if (cf >= 0)
        return a2xx_parse_cf(line, (unsigned)cf, record);
    line->at = start;
    *put = false;
    if (a2xx_is_scalar(name, length))
        return parse_second(line, statement);
    if (needs_unit(name, length))
        return asm_fail(line->error, "a2xx-unknown", start,
                        "write ALU: or FETCH: before an operation",
                        "no instruction begins with '%.*s'", (int)length, name);
    if (length > 0)
        return asm_fail_name(line->error, "a2xx-unknown", start, name, length,
                             "unknown instruction");
    return asm_fail(line->error, "a2xx-syntax", start, NULL, "expected an instruction");
}

bool a2xx_statement(const struct asm_statement *statement, struct asm_error *error)
{
    struct a2xx_line line = {.text = statement->text,
                             .length = statement->length,
                             .names = statement->names,
                             .error = error};
    struct a2xx_record record = {0};
    uint8_t bytes[ASM_RECORD];
    bool put, good = parse(&line, statement, &record, &put);
    /* A statement with an error also produces a record, so that later addresses are correct. */
    memcpy(bytes, &record, sizeof record);
    if (put)
        statement->put(statement, bytes);
    return good;
}
