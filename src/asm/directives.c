/* SPDX-License-Identifier: MIT */
/* directives.c - directives other than blocks: symbols, layout, data, files, scene steps.
 *
 * Source:  the vc4asm manual (maazl/vc4asm, doc/directives.html); GNU as for .org, .space, .fill,
 *          .ascii, .hword, .word, .single, .incbin.
 * Differs: .org starts a region at a bus address. .word has 32 bits, as in GNU as for ARM and in
 *          published control lists; vc4asm has an undocumented .word of 16 bits. .half and .long
 *          follow vc4asm: a 16-bit float and a 64-bit integer. */
#include <float.h>
#include <math.h>
#include <string.h>

#include "asm/internal.h"
#include "base/ascii.h"
#include "base/bits.h"

struct directive {
    const char *name;
    void (*run)(struct assembler *a, struct cursor *c, const struct directive *directive);
    uint32_t size; /* size of a data item in bits, or another parameter of run() */
};

/* --- symbols --- */

enum { SET_LOCAL = 1, SET_FINAL = 2 };

static bool take_symbol(struct assembler *a, struct cursor *c, const char **name, size_t *length)
{
    *length = ASM_TAKE_NAME(c, name);
    if (*length > 0)
        return true;
    bool digit = c->at < c->length && ascii_is_digit(c->text[c->at]);
    as_report(a, "asm-syntax", c->at, NULL,
              digit ? "a name cannot start with a digit" : "expected a name");
    return false;
}

static void complain_final(struct assembler *a, size_t offset, const char *name, size_t length,
                           const struct source_line *line)
{
    as_report(a, "asm-redefined", offset, "use .set for a constant that changes",
              "constant '%.*s' is already defined", length > 100 ? 100 : (int)length, name);
    as_report_at(a, TESS_NOTE, "asm-redefined", line, "the previous definition is here");
}

static void set_local(struct assembler *a, const char *name, size_t length, size_t offset,
                      const struct asm_value *value, bool final)
{
    struct local *local = as_own_local(a->frame, name, length);
    if (local && local->has_value && (final || local->final)) {
        complain_final(a, offset, name, length, local->line);
        return;
    }
    if (!local)
        local = as_add_local(a, a->frame, name, length, true);
    if (!local)
        return;
    local->value = *value;
    local->has_value = true;
    local->final = final;
    local->line = a->line;
}

static void set_global(struct assembler *a, const char *name, size_t length, size_t offset,
                       const struct asm_value *value, bool final)
{
    struct asm_symbol *constant = symbols_find(&a->program->constants, name, length);
    if (constant && constant->pass == a->pass && (final || constant->final)) {
        complain_final(a, offset, name, length, constant->line);
        return;
    }
    as_define_constant(a, name, length, value);
    constant = final ? symbols_find(&a->program->constants, name, length) : NULL;
    if (constant)
        constant->final = true;
}

/* Handles ".set NAME, VALUE" and ".set NAME(PARAMETERS) EXPRESSION". */
static void run_set(struct assembler *a, struct cursor *c, const struct directive *directive)
{
    const char *name;
    size_t length;
    struct asm_value value;
    if (!take_symbol(a, c, &name, &length))
        return;
    size_t start = (size_t)(name - c->text);
    if (c->at < c->length && c->text[c->at] == '(') {
        as_define_function(a, c, name, length);
        return;
    }
    as_accept(c, ',');
    if (!as_evaluate(a, c, &value) || !as_expect_end(a, c))
        return;
    bool final = directive->size & SET_FINAL;
    if (directive->size & SET_LOCAL)
        set_local(a, name, length, start, &value, final);
    else
        set_global(a, name, length, start, &value, final);
}

/* .unset removes the innermost definition of a name. .lunset only removes a definition of the
 * current file, macro or block. */
static void run_unset(struct assembler *a, struct cursor *c, const struct directive *directive)
{
    const char *name;
    size_t length;
    if (!take_symbol(a, c, &name, &length) || !as_expect_end(a, c))
        return;
    bool own = directive->size == SET_LOCAL;
    struct local *local = own ? as_own_local(a->frame, name, length)
                              : as_find_local(a, name, length);
    struct asm_symbol *constant = own ? NULL : symbols_find(&a->program->constants, name, length);
    if (local && local->has_value)
        local->has_value = local->final = false;
    else if (constant && constant->pass == a->pass)
        constant->pass = 0;
    else
        as_warn(a, "asm-undefined", (size_t)(name - c->text), NULL, "'%.*s' is not defined here",
                length > 100 ? 100 : (int)length, name);
}

/* Defines the symbol of ".global name, value". The value is an address or a 32-bit number. */
static void set_exported(struct assembler *a, struct cursor *c, const char *name, size_t length)
{
    struct asm_value value;
    ASM_PEEK(c);
    size_t start = c->at;
    if (!as_evaluate(a, c, &value) || !as_expect_end(a, c))
        return;
    if (value.kind != ASM_INTEGER) {
        as_report(a, "asm-type", start, NULL, "a global symbol must be a label or an integer");
        return;
    }
    if (!value.unknown && (value.integer < INT32_MIN || value.integer > UINT32_MAX)) {
        as_report(a, "asm-range", start, NULL, "%lld does not fit in a 32-bit symbol",
                  (long long)value.integer);
        return;
    }
    const struct asm_symbol *old = symbols_find(&a->program->constants, name, length);
    if (old && old->pass == a->pass && old->global && old->value.integer != value.integer)
        as_warn(a, "asm-redefined", start, NULL,
                "global symbol '%s' is redefined with another "
                "value",
                old->name);
    as_define_constant(a, name, length, &value);
    struct asm_symbol *symbol = symbols_find(&a->program->constants, name, length);
    if (symbol)
        symbol->global = true;
}

/* Handles ".global name", ".global :name" and ".global name, value". */
static void run_global(struct assembler *a, struct cursor *c, const struct directive *directive)
{
    (void)directive;
    const char *name;
    as_accept(c, ':');
    size_t length = ASM_TAKE_NAME(c, &name);
    if (length == 0) {
        as_report(a, "asm-syntax", c->at, NULL, "expected a name");
        return;
    }
    if (as_accept(c, ',')) {
        set_exported(a, c, name, length);
        return;
    }
    if (!as_expect_end(a, c))
        return;
    struct asm_symbol *constant = symbols_find(&a->program->constants, name, length);
    struct asm_symbol *symbol = constant && constant->pass == a->pass
                                    ? constant
                                    : symbols_add(&a->program->labels, name, length);
    if (!symbol) {
        as_out_of_memory(a);
        return;
    }
    symbol->global = true;
    if (!symbol->line)
        symbol->line = a->line;
}

static void run_assert(struct assembler *a, struct cursor *c, const struct directive *directive)
{
    (void)directive;
    struct asm_value value;
    ASM_PEEK(c);
    size_t start = c->at;
    if (!as_evaluate(a, c, &value) || !as_expect_end(a, c))
        return;
    if (!value.unknown && !asm_true(&value))
        as_report(a, "asm-assert", start, NULL, "assertion failed");
}

/* --- layout --- */

static void run_org(struct assembler *a, struct cursor *c, const struct directive *directive)
{
    (void)directive;
    int64_t address;
    if (as_evaluate_integer(a, c, "an address", 0, UINT32_MAX, &address) && as_expect_end(a, c))
        as_start_region(a, (uint32_t)address);
}

enum { NOPS_MAX = 64 };

/* Pads with no-ops if the padding has at most 64 bytes, as vc4asm does, and with zeros
 * otherwise. */
static void fill_up(struct assembler *a, uint32_t bytes)
{
    const struct asm_isa *isa = a->request->isa;
    if (!isa->nop || bytes > NOPS_MAX) {
        as_emit_zeros(a, bytes);
        return;
    }
    uint32_t lead = -as_here(a) & (isa->alignment - 1);
    lead = lead < bytes ? lead : bytes;
    if (lead > 0)
        as_emit_zeros(a, lead);
    for (bytes -= lead; bytes >= isa->alignment; bytes -= isa->alignment)
        as_emit(a, isa->nop, isa->alignment, true);
    if (bytes > 0)
        as_emit_zeros(a, bytes);
    a->open = 0;
}

static void run_align(struct assembler *a, struct cursor *c, const struct directive *directive)
{
    (void)directive;
    int64_t bytes, base = 0;
    ASM_PEEK(c);
    size_t start = c->at;
    if (!as_evaluate_integer(a, c, "an alignment in bytes", 0, 1 << 28, &bytes))
        return;
    if (as_accept(c, ',') &&
        !as_evaluate_integer(a, c, "the base of an alignment", INT64_MIN, INT64_MAX, &base))
        return;
    if (!as_expect_end(a, c) || bytes == 0)
        return;
    if (bytes & (bytes - 1)) {
        as_report(a, "asm-range", start, "give the alignment in bytes, as in vc4asm",
                  "an alignment must be a power of two");
        return;
    }
    if (bytes > a->program->alignment)
        a->program->alignment = (uint32_t)bytes;
    as_end_run(a);
    fill_up(a, (uint32_t)(((uint64_t)base - as_here(a)) & ((uint64_t)bytes - 1)));
    a->bits = 0;
}

/* Handles ".clone LABEL, COUNT". */
static void run_clone(struct assembler *a, struct cursor *c, const struct directive *directive)
{
    (void)directive;
    struct asm_value label;
    int64_t count;
    ASM_PEEK(c);
    size_t start = c->at;
    if (!as_moves_code(a, ".clone"))
        return;
    if (!as_evaluate(a, c, &label))
        return;
    if (label.kind != ASM_INTEGER || (!label.label && !label.unknown)) {
        as_report(a, "asm-type", start, NULL, ".clone needs a label");
        return;
    }
    if (!as_accept(c, ',')) {
        as_report(a, "asm-syntax", c->at, "write .clone LABEL, COUNT", "expected ',' and a count");
        return;
    }
    if (!as_evaluate_integer(a, c, "a number of instructions", 0, CLONE_MAX, &count) ||
        !as_expect_end(a, c))
        return;
    const struct asm_isa *isa = a->request->isa;
    bool known = !label.unknown && !label.forward;
    for (uint32_t i = 0; known && isa->is_branch && i < (uint32_t)count; i++) {
        const uint8_t *bytes = regions_at(
            &a->program->regions, (uint32_t)label.integer + i * isa->alignment, isa->alignment);
        if (bytes && isa->is_branch(bytes))
            as_warn(a, "asm-clone", start, NULL,
                    "instruction %u is a branch; its copy branches to another address", i + 1);
    }
    if (as_here(a) % isa->alignment != 0)
        as_emit_zeros(a, isa->alignment - as_here(a) % isa->alignment);
    as_clone(a, (uint32_t)label.integer, (uint32_t)count, known);
}

/* Emits the low size bytes of value count times. */
static void emit_repeated(struct assembler *a, uint64_t count, size_t size, int64_t value)
{
    uint8_t item[8], chunk[4096];
    store_le64(item, (uint64_t)value);
    bool zero = true;
    for (size_t i = 0; i < size; i++)
        zero = zero && item[i] == 0;
    if (zero || size == 0) {
        as_emit_zeros(a, count * size);
        return;
    }
    size_t whole = sizeof chunk / size;
    for (size_t i = 0; i < whole; i++)
        memcpy(chunk + i * size, item, size);
    while (count > 0) {
        size_t items = count < whole ? (size_t)count : whole;
        if (!as_emit(a, chunk, items * size, false))
            return;
        count -= items;
    }
}

/* Handles ".space SIZE [, BYTE]". */
static void run_space(struct assembler *a, struct cursor *c, const struct directive *directive)
{
    (void)directive;
    int64_t size, value = 0;
    if (!as_evaluate_integer(a, c, "a size", 0, UINT32_MAX, &size))
        return;
    if (as_accept(c, ',') && !as_evaluate_integer(a, c, "a byte", INT8_MIN, UINT8_MAX, &value))
        return;
    if (as_expect_end(a, c))
        emit_repeated(a, (uint64_t)size, 1, value);
}

/* Handles ".fill COUNT [, SIZE [, VALUE]]". */
static void run_fill(struct assembler *a, struct cursor *c, const struct directive *directive)
{
    (void)directive;
    int64_t count, size = 1, value = 0;
    if (!as_evaluate_integer(a, c, "a count", 0, UINT32_MAX, &count))
        return;
    if (as_accept(c, ',') && !as_evaluate_integer(a, c, "an item size", 0, 8, &size))
        return;
    if (as_accept(c, ',') && !as_evaluate_integer(a, c, "a value", INT64_MIN, INT64_MAX, &value))
        return;
    if (as_expect_end(a, c))
        emit_repeated(a, (uint64_t)count, (size_t)size, value);
}

/* --- data --- */

#define HALF_MAX  65504.0
#define WHOLE_MAX 9e18 /* whole floats of smaller magnitude fit in a 64-bit integer */

/* Returns the IEEE half-precision float nearest to value, ties to even. */
static uint16_t half_bits(double value)
{
    uint64_t bits;
    memcpy(&bits, &value, sizeof bits);
    uint64_t sign = bits >> 63 << 15, mantissa = bits_get(bits, 51, 0);
    int exponent = (int)bits_get(bits, 62, 52) - 1023;
    if (exponent == 1024)
        return (uint16_t)(sign | 0x7c00 | (mantissa ? 0x200 : 0));
    if (exponent > 15)
        return (uint16_t)(sign | 0x7c00);
    if (exponent < -26)
        return (uint16_t)sign;
    /* A carry out of the mantissa increments the exponent, which is the correct result. */
    mantissa |= UINT64_C(1) << 52;
    int shift = exponent < -14 ? 42 - 14 - exponent : 42;
    uint64_t kept = mantissa >> shift, rest = bits_get(mantissa, (unsigned)shift - 1, 0);
    uint64_t tie = UINT64_C(1) << (shift - 1);
    kept += rest > tie || (rest == tie && (kept & 1));
    return (uint16_t)(sign | (exponent < -14 ? kept : kept + ((uint64_t)(exponent + 14) << 10)));
}

static uint64_t float_item(double value, uint32_t size)
{
    uint64_t bits;
    if (size == 2)
        return half_bits(value);
    if (size == 4)
        return float_bits((float)value);
    memcpy(&bits, &value, sizeof bits);
    return bits;
}

static bool integer_fits(int64_t value, uint32_t bits)
{
    if (bits == 64)
        return true;
    if (bits == 1)
        return value == 0 || value == 1;
    int64_t span = INT64_C(1) << bits;
    return value >= -span / 2 && value < span;
}

/* Reads a list of expressions. An invalid item becomes 0, so that the following items keep their
 * addresses. */
static void run_list(struct assembler *a, struct cursor *c, uint32_t bits,
                     uint64_t (*convert)(struct assembler *a, size_t start,
                                         const struct asm_value *value, uint32_t bits))
{
    if (a->bits % bits != 0 && (a->bits & 7) != 0)
        as_warn(a, "asm-alignment", a->statement, "insert .align 1 before the data",
                "this data does not begin at a byte boundary");
    uint32_t errors = a->errors;
    do {
        struct asm_value value;
        uint64_t item = 0;
        ASM_PEEK(c);
        size_t start = c->at;
        bool good = as_evaluate(a, c, &value);
        if (good && value.kind == ASM_OPERAND && !value.unknown)
            as_report(a, "asm-type", start, NULL, "data must be integers or floats");
        else if (good && !value.unknown)
            item = convert(a, start, &value, bits);
        as_emit_bits(a, item, bits);
        if (!good)
            return;
    } while (as_accept(c, ',') && !a->stop);
    if (a->errors == errors)
        as_expect_end(a, c);
}

static uint64_t convert_integer(struct assembler *a, size_t start, const struct asm_value *value,
                                uint32_t bits)
{
    bool whole = value->kind == ASM_FLOAT && fabs(value->real) < WHOLE_MAX &&
                 floor(value->real) == value->real;
    if (value->kind == ASM_FLOAT && !whole) {
        as_report(a, "asm-type", start, "write floats with .float, .single, .half or .double",
                  "this directive accepts integers, not floats");
        return 0;
    }
    int64_t integer = whole ? (int64_t)value->real : value->integer;
    if (!integer_fits(integer, bits))
        as_warn(a, "asm-range", start, NULL,
                "%lld does not fit in %u bit%s; the upper bits are lost", (long long)integer, bits,
                bits == 1 ? "" : "s");
    return (uint64_t)integer & (UINT64_MAX >> (64 - bits));
}

static uint64_t convert_float(struct assembler *a, size_t start, const struct asm_value *value,
                              uint32_t bits)
{
    double real = asm_real(value), most = bits == 16 ? HALF_MAX : FLT_MAX;
    if (bits < 64 && fabs(real) > most && !isinf(real))
        as_warn(a, "asm-range", start, NULL, "%g does not fit in a %u-bit float", real, bits);
    return float_item(real, bits / 8);
}

static void run_integers(struct assembler *a, struct cursor *c, const struct directive *directive)
{
    run_list(a, c, directive->size, convert_integer);
}

static void run_floats(struct assembler *a, struct cursor *c, const struct directive *directive)
{
    run_list(a, c, directive->size, convert_float);
}

static bool take_string(struct assembler *a, struct cursor *c)
{
    ASM_PEEK(c);
    size_t start = c->at++;
    if (start >= c->length || c->text[start] != '"') {
        as_report(a, "asm-syntax", start, NULL, "expected a string in quotes");
        return false;
    }
    while (c->at < c->length && c->text[c->at] != '"') {
        uint8_t character;
        size_t at = c->at;
        if (!asm_character(c->text, c->length, &c->at, &character)) {
            as_report(a, "asm-syntax", at, NULL, "invalid escape sequence in a string");
            return false;
        }
        if (!as_emit(a, &character, 1, false))
            return false;
    }
    if (c->at == c->length) {
        as_report(a, "asm-syntax", start, NULL, "unterminated string");
        return false;
    }
    c->at++;
    return true;
}

/* Emits strings. directive->size is the number of NULs after each string. */
static void run_strings(struct assembler *a, struct cursor *c, const struct directive *directive)
{
    do {
        if (!take_string(a, c))
            return;
        as_emit(a, "", directive->size, false);
    } while (as_accept(c, ','));
    as_expect_end(a, c);
}

/* --- files and scene --- */

static void run_include(struct assembler *a, struct cursor *c, const struct directive *directive)
{
    (void)directive;
    const struct source_file *file = as_read_include(a, c);
    if (file && as_expect_end(a, c))
        as_run_file(a, file);
}

/* Handles '.incbin "file" [, SKIP [, COUNT]]'. */
static void run_incbin(struct assembler *a, struct cursor *c, const struct directive *directive)
{
    (void)directive;
    const struct buffer *bytes = as_read_binary(a, c);
    int64_t skip = 0, count;
    if (!bytes)
        return;
    int64_t size = (int64_t)bytes->size;
    if (as_accept(c, ',') && !as_evaluate_integer(a, c, "the offset", 0, size, &skip))
        return;
    count = size - skip;
    if (as_accept(c, ',') && !as_evaluate_integer(a, c, "the count", 0, size - skip, &count))
        return;
    if (as_expect_end(a, c) && count > 0)
        as_emit(a, bytes->data + skip, (size_t)count, false);
}

/* Handles ".scene TEXT", which adds a line to the ".tessera" section. */
static void run_scene(struct assembler *a, struct cursor *c, const struct directive *directive)
{
    (void)directive;
    ASM_PEEK(c);
    size_t length = c->length - c->at;
    while (length > 0 && asm_is_blank(c->text[c->at + length - 1]))
        length--;
    if (length == 0) {
        as_report(a, "asm-syntax", c->at,
                  "write, for example, .scene bin FROM TO (docs/scene.md "
                  "lists all steps)",
                  "expected a scene step");
        return;
    }
    struct asm_origin origin;
    as_origin_here(a, &origin);
    const struct asm_step step = {
        .column = (uint32_t)c->at + 1, .trace = origin.trace, .line = a->line};
    buffer_append(&a->program->steps, &step, sizeof step);
    buffer_append(&a->program->scene, c->text + c->at, length);
    buffer_byte(&a->program->scene, '\n');
}

/* Handles .code, .text, .rodata and .data. These directives mark the following bytes as code or
 * data for the checker and for mapping symbols. The bytes do not change. */
static void run_section(struct assembler *a, struct cursor *c, const struct directive *directive)
{
    if (as_expect_end(a, c))
        a->segment = (enum segment)directive->size;
}

/* --- table of directives --- */

static const struct directive directives[] = {
    /* clang-format off */
    {"set",     run_set,      0},
    {"equ",     run_set,      0},
    {"define",  run_set,      0},
    {"const",   run_set,      SET_FINAL},
    {"lset",    run_set,      SET_LOCAL},
    {"lconst",  run_set,      SET_LOCAL | SET_FINAL},
    {"lunset",  run_unset,    SET_LOCAL},
    {"unset",   run_unset,    0},
    {"undef",   run_unset,    0},
    {"global",  run_global,   0},
    {"globl",   run_global,   0},
    {"assert",  run_assert,   0},

    {"org",     run_org,      0},
    {"align",   run_align,    0},
    {"space",   run_space,    0},
    {"skip",    run_space,    0},
    {"fill",    run_fill,     0},

    {"clone",   run_clone,    0},

    {"bit",     run_integers, 1},
    {"int1",    run_integers, 1},
    {"int2",    run_integers, 2},
    {"int4",    run_integers, 4},
    {"byte",    run_integers, 8},
    {"int8",    run_integers, 8},
    {"short",   run_integers, 16},
    {"hword",   run_integers, 16},
    {"int16",   run_integers, 16},
    {"int",     run_integers, 32},
    {"word",    run_integers, 32},
    {"dword",   run_integers, 32},
    {"int32",   run_integers, 32},
    {"long",    run_integers, 64},
    {"quad",    run_integers, 64},
    {"qword",   run_integers, 64},
    {"int64",   run_integers, 64},

    {"half",    run_floats,   16},
    {"float16", run_floats,   16},
    {"float",   run_floats,   32},
    {"single",  run_floats,   32},
    {"float32", run_floats,   32},
    {"double",  run_floats,   64},
    {"float64", run_floats,   64},

    {"ascii",   run_strings,  0},
    {"asciz",   run_strings,  1},
    {"string",  run_strings,  1},

    {"include", run_include,  0},
    {"incbin",  run_incbin,   0},
    {"scene",   run_scene,    0},
    {"code",    run_section,  SEGMENT_CODE},
    {"text",    run_section,  SEGMENT_CODE},
    {"rodata",  run_section,  SEGMENT_DATA},
    {"data",    run_section,  SEGMENT_DATA},
    /* clang-format on */
};

bool as_run_directive(struct assembler *a, struct cursor *c, const char *name, size_t length)
{
    for (size_t i = 0; i < sizeof directives / sizeof directives[0]; i++) {
        if (length > 0 && directives[i].name[0] == name[0] &&
            strlen(directives[i].name) == length && memcmp(directives[i].name, name, length) == 0) {
            directives[i].run(a, c, &directives[i]);
            return true;
        }
    }
    return false;
}

/* --- directives of the instruction set --- */

static void define_for_isa(const struct asm_directive *directive, size_t offset, size_t length,
                           int64_t number)
{
    struct assembler *a = directive->names->user;
    const struct asm_value value = {.kind = ASM_INTEGER, .integer = number};
    set_global(a, directive->text + offset, length, a->statement + offset, &value, true);
}

bool as_run_isa_directive(struct assembler *a, struct cursor *c, const char *name, size_t length)
{
    const struct asm_isa *isa = a->request->isa;
    struct asm_names names = as_names_here(a);
    struct asm_error error = {0};
    const struct asm_directive directive = {.text = c->text + a->statement,
                                            .length = c->length - a->statement,
                                            .name = name,
                                            .name_length = length,
                                            .at = c->at - a->statement,
                                            .lines = &a->program->scene,
                                            .names = &names,
                                            .define = define_for_isa};
    enum asm_taken taken = isa->directive ? isa->directive(&directive, &error) : ASM_NOT_MINE;
    if (taken == ASM_WRONG)
        as_report_error(a, &error, a->statement);
    return taken != ASM_NOT_MINE;
}

const char *as_directive_name(size_t index)
{
    return index < sizeof directives / sizeof directives[0] ? directives[index].name : NULL;
}
