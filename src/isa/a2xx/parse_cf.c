/* SPDX-License-Identifier: MIT */
/* parse_cf.c - parses control-flow instructions of the A2xx: a name, and arguments in any order. */
#include "isa/a2xx/a2xx_isa.h"
#include "isa/a2xx/parse.h"

#include <string.h>

#include "base/nearest.h"

#define COUNT(table) (sizeof(table) / sizeof(table)[0])

enum { FLAG = 0 };

/* An argument: a name with a number in parentheses, or a single word for a field of one bit. */
struct argument {
    enum a2xx_form form;
    const char *name;
    size_t field; /* offset of the field in the form's struct, in bytes */
    unsigned bits;
    unsigned written;
};

#define EXEC(name, field, bits, written)                                       \
    {                                                                          \
        A2XX_FORM_EXEC, name, offsetof(struct a2xx_exec, field), bits, written \
    }
#define LOOP(name, field, bits)                                          \
    {                                                                    \
        A2XX_FORM_LOOP, name, offsetof(struct a2xx_loop, field), bits, 0 \
    }
#define JUMP(name, field, bits, written)                                       \
    {                                                                          \
        A2XX_FORM_JUMP, name, offsetof(struct a2xx_jump, field), bits, written \
    }
#define ALLOC(name, field, bits)                                           \
    {                                                                      \
        A2XX_FORM_ALLOC, name, offsetof(struct a2xx_alloc, field), bits, 0 \
    }

/* clang-format off */
static const struct argument arguments[] = {
    EXEC("ADDR", address, 12, A2XX_HAS_ADDR),
    EXEC("CNT", count, 3, A2XX_HAS_CNT),
    EXEC("SEQ", sequence, 12, A2XX_HAS_SEQ),
    EXEC("YIELD", yield, FLAG, 0),
    EXEC("VC", vertex_cache, 6, 0),
    EXEC("BOOL_ADDR", bool_address, 8, 0),
    EXEC("COND", condition, 1, 0),
    EXEC("ABSOLUTE_ADDR", address_mode, FLAG, 0),
    LOOP("ADDR", address, 13),
    LOOP("LOOP_ID", loop_id, 5),
    LOOP("REPEAT", repeat, FLAG),
    LOOP("PRED_BREAK", predicated_break, FLAG),
    LOOP("COND", condition, 1),
    LOOP("ABSOLUTE_ADDR", address_mode, FLAG),
    JUMP("ADDR", address, 13, 0),
    JUMP("DIR", direction, 1, A2XX_HAS_DIR),
    JUMP("FORCE_CALL", unconditional, FLAG, 0),
    JUMP("PRED", predicated, FLAG, 0),
    JUMP("COND", condition, 1, 0),
    JUMP("BOOL_ADDR", bool_address, 8, 0),
    JUMP("ABSOLUTE_ADDR", address_mode, FLAG, 0),
    ALLOC("SIZE", size, 4),
    ALLOC("NO_SERIAL", no_serial, FLAG),
    ALLOC("ALLOC_MODE", alloc_mode, FLAG),
};
/* clang-format on */

static uint32_t *field_of(struct a2xx_cf *cf, const struct argument *argument)
{
    return (uint32_t *)(void *)((char *)&cf->exec + argument->field);
}

static const struct argument *find(enum a2xx_form form, const char *name, size_t length)
{
    for (size_t i = 0; i < COUNT(arguments); i++)
        if (arguments[i].form == form && asm_is_name(name, length, arguments[i].name))
            return &arguments[i];
    return NULL;
}

/* Returns the argument with the most similar name, or NULL. */
static const char *near(enum a2xx_form form, const char *name, size_t length)
{
    struct nearest search = nearest_begin(name, length);
    for (size_t i = 0; i < COUNT(arguments); i++)
        if (arguments[i].form == form)
            nearest_consider(&search, arguments[i].name, strlen(arguments[i].name));
    return search.best;
}

/* Parses "(LABEL)" or "(NUMBER)". A label is converted to a number when the program is arranged. */
static bool take_target(struct a2xx_line *line, struct a2xx_record *record, uint32_t *field)
{
    struct asm_value value;
    if (!a2xx_expect(line, '(', "ADDR(LABEL)"))
        return false;
    ASM_PEEK(line);
    size_t start = line->at;
    if (!asm_evaluate(line->text, line->length, &line->at, line->names, &value, line->error))
        return false;
    bool label = value.label && !value.unknown;
    if (value.kind != ASM_INTEGER ||
        (!label && !value.unknown && (value.integer < 0 || value.integer > 0x1fff)))
        return asm_fail(line->error, "a2xx-range", start, NULL,
                        "the target must be a label, or the number of a control-flow instruction "
                        "from 0 to 8191");
    if (label) {
        record->written |= A2XX_HAS_LABEL;
        record->words[2] = (uint32_t)value.integer;
    } else {
        *field = value.unknown ? 0 : (uint32_t)value.integer;
    }
    return a2xx_expect(line, ')', "ADDR(LABEL)");
}

static bool take_argument(struct a2xx_line *line, struct a2xx_cf *cf, struct a2xx_record *record,
                          const struct argument *argument)
{
    uint32_t *field = field_of(cf, argument);
    int64_t number = 1;
    record->written |= (uint16_t)argument->written;
    bool target = (cf->form == A2XX_FORM_LOOP || cf->form == A2XX_FORM_JUMP) &&
                  strcmp(argument->name, "ADDR") == 0;
    if (target)
        return take_target(line, record, field);
    if (argument->bits != FLAG &&
        !a2xx_argument(line, argument->name, 0, (1 << argument->bits) - 1, &number))
        return false;
    *field = (uint32_t)number;
    return true;
}

/* Parses the arguments. Sets bit 1 << i of *given for each argument, where i is its index in the
 * table arguments. */
static bool take_arguments(struct a2xx_line *line, struct a2xx_cf *cf, struct a2xx_record *record,
                           uint32_t *given)
{
    *given = 0;
    while (!a2xx_at_end(line)) {
        const char *name;
        size_t start = line->at, length = ASM_TAKE_NAME(line, &name);
        const struct argument *argument = find(cf->form, name, length);
        if (length == 0)
            return a2xx_expect_end(line, NULL);
        if (!argument) {
            asm_fail(line->error, "a2xx-argument", start,
                     "begin an operation with ALU: or FETCH:", "%s has no argument '%.*s'",
                     a2xx_cf_ops[cf->opcode].mnemonic, length > 60 ? 60 : (int)length, name);
            line->error->near = near(cf->form, name, length);
            return false;
        }
        uint32_t bit = UINT32_C(1) << (argument - arguments);
        if (*given & bit)
            return asm_fail(line->error, "a2xx-argument", start, NULL, "%s is given twice",
                            argument->name);
        *given |= bit;
        if (!take_argument(line, cf, record, argument))
            return false;
    }
    return true;
}

static bool is_given(enum a2xx_form form, uint32_t given, const char *name)
{
    const struct argument *argument = find(form, name, strlen(name));
    return given >> (argument - arguments) & 1;
}

/* Parses the buffer of ALLOC: "POSITION", "PARAM/PIXEL", "MEMORY", "COORD" (freedreno's wiki) or
 * "NO ALLOC" (Mesa). */
static bool take_buffer(struct a2xx_line *line, uint32_t *buffer)
{
    static const char parameters[] = "PARAM/PIXEL";
    ASM_PEEK(line);
    size_t start = line->at, left = line->length - start;
    const char *name;
    if (left >= strlen(parameters) &&
        memcmp(line->text + start, parameters, strlen(parameters)) == 0) {
        line->at += strlen(parameters);
        *buffer = A2XX_BUFFER_PARAM_PIXEL;
        return true;
    }
    size_t length = ASM_TAKE_NAME(line, &name);
    if (asm_is_name(name, length, "COORD")) {
        *buffer = A2XX_BUFFER_POSITION;
        return true;
    }
    if (asm_is_name(name, length, "NO") && a2xx_accept_word(line, "ALLOC")) {
        *buffer = A2XX_BUFFER_NONE;
        return true;
    }
    return a2xx_value_find(A2XX_KIND_BUFFER, name, length, buffer) ||
           asm_fail(line->error, "a2xx-argument", start,
                    "ALLOC POSITION SIZE(0), ALLOC PARAM/PIXEL SIZE(0), ALLOC MEMORY SIZE(0)",
                    "expected POSITION, PARAM/PIXEL or MEMORY");
}

static bool expect(struct a2xx_line *line, const struct a2xx_cf *cf, uint32_t given,
                   const char *name)
{
    return is_given(cf->form, given, name) ||
           asm_fail(line->error, "a2xx-argument", 0, NULL, "%s needs %s(..)",
                    a2xx_cf_ops[cf->opcode].mnemonic, name);
}

/* Warns of a jump without a condition. Such a jump tests boolean constant 0, because its fields are
 * zero. */
static void warn_of_condition(struct a2xx_line *line, const struct a2xx_cf *cf, uint32_t given)
{
    struct asm_error warning = {0};
    bool tests = cf->jump.unconditional || cf->jump.predicated ||
                 is_given(cf->form, given, "BOOL_ADDR");
    if (tests || cf->opcode == A2XX_CF_RETURN || !line->names->warn)
        return;
    asm_fail(&warning, "a2xx-condition", 0,
             "add FORCE_CALL for an unconditional jump, or COND(1) to test the predicate",
             "%s without a condition is taken only if boolean constant 0 is false",
             a2xx_cf_ops[cf->opcode].mnemonic);
    line->names->warn(line->names->user, &warning);
}

static bool check(struct a2xx_line *line, struct a2xx_cf *cf, uint32_t given)
{
    switch (cf->form) {
    case A2XX_FORM_ALLOC: return expect(line, cf, given, "SIZE");
    case A2XX_FORM_LOOP:
        return expect(line, cf, given, "ADDR") && expect(line, cf, given, "LOOP_ID");
    case A2XX_FORM_JUMP:
        /* COND without BOOL_ADDR is a test of the predicate, because Mesa prints predicated jumps
         * with COND only and other conditional jumps with COND and BOOL_ADDR. */
        if (is_given(cf->form, given, "COND") && !is_given(cf->form, given, "BOOL_ADDR"))
            cf->jump.predicated = 1;
        warn_of_condition(line, cf, given);
        return cf->opcode == A2XX_CF_RETURN || expect(line, cf, given, "ADDR");
    default: return true;
    }
}

bool a2xx_parse_cf(struct a2xx_line *line, unsigned opcode, struct a2xx_record *record)
{
    struct a2xx_cf cf = a2xx_decode_cf((uint64_t)opcode << 44);
    uint32_t given;
    record->kind = A2XX_RECORD_CF;
    a2xx_record_set_cf(record, a2xx_encode_cf(&cf));
    if (cf.form == A2XX_FORM_ALLOC && !take_buffer(line, &cf.alloc.buffer_select))
        return false;
    if (!take_arguments(line, &cf, record, &given) || !check(line, &cf, given))
        return false;
    a2xx_record_set_cf(record, a2xx_encode_cf(&cf));
    return true;
}

bool a2xx_parse_raw_cf(struct a2xx_line *line, struct a2xx_record *record)
{
    int64_t cf = 0;
    record->kind = A2XX_RECORD_CF;
    record->written |= A2XX_IS_RAW;
    if (!a2xx_number(line, "a control-flow instruction", 0, (INT64_C(1) << 48) - 1, &cf))
        return false;
    a2xx_record_set_cf(record, (uint64_t)cf);
    return a2xx_expect_end(line, "CF 0x123456789abc");
}
