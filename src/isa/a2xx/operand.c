/* SPDX-License-Identifier: MIT */
/* operand.c - see operand.h.
 *
 * Source:  freedreno's assembler, fdre-a2xx/asm/parser.y and lexer.l; docs/hardware/a2xx.md,
 *          sections 5, 6, 8 and 20. */
#include "isa/a2xx/operand.h"

#include <string.h>

#include "base/ascii.h"
#include "base/nearest.h"

static const char components[] = "xyzw";

static unsigned component_of(char letter)
{
    return (unsigned)(strchr(components, letter) - components);
}

/* --- parts --- */

bool a2xx_take_letters(struct a2xx_line *line, const char *allowed, size_t most,
                       const char **letters, size_t *length)
{
    *length = 0;
    if (!ASM_ACCEPT(line, '.'))
        return true;
    size_t start = line->at;
    *letters = line->text + start;
    while (start + *length < line->length &&
           (ascii_in_name(line->text[start + *length]) || line->text[start + *length] == '?')) {
        char letter = line->text[start + *length];
        if (!strchr(allowed, letter))
            return asm_fail(line->error, "a2xx-swizzle", start + *length,
                            "use x, y, z and w; _ skips a component", "invalid component '%c'",
                            letter);
        ++*length;
    }
    line->at += *length;
    if (*length == 0 || *length > most)
        return asm_fail(line->error, "a2xx-swizzle", start, NULL,
                        *length == 0 ? "expected components" : "more than %u components",
                        (unsigned)most);
    return true;
}

/* Parses "[aL+n]", "[a0+n]", "(EXPRESSION)" or digits. */
static bool take_index(struct a2xx_line *line, const char *what, unsigned most, unsigned *number,
                       enum a2xx_relative *relative)
{
    int64_t value = 0;
    *relative = A2XX_ABSOLUTE;
    if (line->at < line->length && line->text[line->at] == '(') {
        bool good = a2xx_argument(line, what, 0, most, &value);
        *number = (unsigned)value;
        return good;
    }
    if (line->at >= line->length || line->text[line->at] != '[')
        return a2xx_digits(line, what, most, number);
    line->at++;
    if (a2xx_accept_word(line, "aL"))
        *relative = A2XX_PLUS_AL;
    else if (a2xx_accept_word(line, "a0"))
        *relative = A2XX_PLUS_A0;
    else
        return asm_fail(line->error, "a2xx-operand", line->at, "C[a0+5], R[aL+1]",
                        "expected a0 or aL");
    if (ASM_ACCEPT(line, '+') && !a2xx_number(line, what, 0, most, &value))
        return false;
    *number = (unsigned)value;
    return a2xx_expect(line, ']', "C[a0+5], R[aL+1]");
}

/* Parses one of the words in files, such as "R", "C" or "export", if a number follows. Sets *file
 * to the index of the word. Returns false if no such word is at the position. */
static bool take_file(struct a2xx_line *line, const char *const files[], size_t count, size_t *file)
{
    for (*file = 0; *file < count; ++*file) {
        size_t length = strlen(files[*file]), end = line->at + length;
        if (end < line->length && memcmp(line->text + line->at, files[*file], length) == 0 &&
            (ascii_is_digit(line->text[end]) || line->text[end] == '[' || line->text[end] == '(')) {
            line->at = end;
            return true;
        }
    }
    return false;
}

/* Reports a missing or wrong operand. `files` are the words that an operand can begin with; `what`
 * is the hint. */
static bool fail_operand(struct a2xx_line *line, const char *const files[], size_t count,
                         const char *what)
{
    size_t length = asm_name_length(line->text, line->length, line->at), letters = 0;
    const char *name = line->text + line->at;
    while (letters < length && !ascii_is_digit(name[letters]))
        letters++;
    struct nearest search = nearest_begin(name, letters);
    for (size_t i = 0; i < count && letters < length; i++)
        nearest_consider(&search, files[i], strlen(files[i]));
    if (search.best)
        return asm_fail(line->error, "a2xx-operand", line->at, what,
                        "unknown operand '%.*s'; did you mean %s%.*s?",
                        length > 40 ? 40 : (int)length, name, search.best,
                        length > 40 ? 0 : (int)(length - letters), name + letters);
    if (length > 0)
        return asm_fail(line->error, "a2xx-operand", line->at, what, "unknown operand '%.*s'",
                        length > 60 ? 60 : (int)length, line->text + line->at);
    return asm_fail(line->error, "a2xx-operand", line->at, what, "expected an operand");
}

static bool only_al(struct a2xx_line *line, size_t at, enum a2xx_relative relative)
{
    return relative != A2XX_PLUS_A0 ||
           asm_fail(line->error, "a2xx-operand", at,
                    "use aL for registers; a0 is added to constants only",
                    "registers can be relative to aL only");
}

bool a2xx_take_register(struct a2xx_line *line, unsigned *number, bool *relative)
{
    static const char *const files[] = {"R"};
    size_t file;
    enum a2xx_relative how;
    ASM_PEEK(line);
    size_t start = line->at;
    if (!take_file(line, files, 1, &file))
        return fail_operand(line, files, 1, "write a register, R0 to R63");
    if (!take_index(line, "register", A2XX_REGISTERS - 1, number, &how) ||
        !only_al(line, start, how))
        return false;
    *relative = how == A2XX_PLUS_AL;
    return true;
}

/* --- operands --- */

/* Parses a swizzle. If it has fewer than four letters, its last letter also applies to the
 * remaining components. */
static bool take_swizzle(struct a2xx_line *line, struct a2xx_operand_text *operand)
{
    const char *letters = "";
    size_t length;
    if (!a2xx_take_letters(line, components, 4, &letters, &length))
        return false;
    for (unsigned i = 0; i < 4; i++)
        operand->components[i] =
            (uint8_t)(length == 0 ? i : component_of(letters[i < length ? i : length - 1]));
    operand->swizzled = length > 0;
    return true;
}

bool a2xx_take_operand(struct a2xx_line *line, struct a2xx_operand_text *operand)
{
    static const char *const files[] = {"R", "C"};
    size_t file;
    ASM_PEEK(line);
    *operand = (struct a2xx_operand_text){.at = line->at};
    while (ASM_ACCEPT(line, '-'))
        operand->negative = !operand->negative;
    operand->absolute = ASM_ACCEPT(line, '|');
    ASM_PEEK(line);
    if (!take_file(line, files, 2, &file))
        return fail_operand(line, files, 2,
                            "write a register, R0 to R63, or a constant, C0 to C255");
    operand->constant = file == 1;
    if (!take_index(line, operand->constant ? "constant" : "register",
                    operand->constant ? A2XX_CONSTANTS - 1 : A2XX_REGISTERS - 1, &operand->number,
                    &operand->relative) ||
        !(operand->constant || only_al(line, operand->at, operand->relative)) ||
        !take_swizzle(line, operand))
        return false;
    bool closed = operand->absolute && ASM_ACCEPT(line, '|');
    return !closed || operand->swizzled || take_swizzle(line, operand);
}

/* --- destinations --- */

/* Sets the components of a destination. Four characters represent x, y, z and w in this order.
 * With fewer characters, "_" may be omitted. */
static bool set_mask(struct a2xx_line *line, struct a2xx_destination *to, const char *letters,
                     size_t length)
{
    size_t start = line->at - length;
    bool placed = length == 4 || memchr(letters, '_', length);
    unsigned place = 0;
    for (size_t i = 0; i < length; i++, place++) {
        bool value = letters[i] == '0' || letters[i] == '1';
        if (letters[i] == '_')
            continue;
        unsigned component = value ? place : component_of(letters[i]);
        if (component < place || (placed && component != place) || place > 3)
            return asm_fail(line->error, "a2xx-mask", start + i,
                            "write x, y, z and w in this order, such as .xy_w",
                            "'%c' is in the wrong position of the mask", letters[i]);
        if (value && (!to->exported || length != 4))
            return asm_fail(line->error, "a2xx-mask", start + i,
                            "use 0 and 1 only in the four characters of an export's mask",
                            "'%c' is not allowed here", letters[i]);
        place = component;
        to->mask |= letters[i] != '0' ? 1u << component : 0;
        to->zeros |= letters[i] == '0' ? 1u << component : 0;
        to->ones |= letters[i] == '1' ? 1u << component : 0;
    }
    return true;
}

bool a2xx_take_destination(struct a2xx_line *line, struct a2xx_destination *to)
{
    static const char *const files[] = {"R", "export"};
    const char *letters = "";
    size_t file, length;
    enum a2xx_relative relative;
    ASM_PEEK(line);
    *to = (struct a2xx_destination){.at = line->at};
    if (!take_file(line, files, 2, &file))
        return fail_operand(line, files, 2,
                            "write a register, R0 to R63, or an export, export0 to export63");
    to->exported = file == 1;
    if (!take_index(line, to->exported ? "export" : "register", A2XX_REGISTERS - 1, &to->number,
                    &relative) ||
        !only_al(line, to->at, relative) ||
        !a2xx_take_letters(line, "xyzw_01", 4, &letters, &length))
        return false;
    to->relative = relative == A2XX_PLUS_AL;
    if (length == 0)
        to->mask = 15;
    return set_mask(line, to, letters, length);
}

/* --- encoding --- */

/* Checks that all constants of the instruction have the same absolute flag and the same address
 * mode, because abs_constants and address_mode apply to all constants. */
static bool agree(struct a2xx_line *line, struct a2xx_record *record, struct a2xx_alu *alu,
                  const struct a2xx_operand_text *operand)
{
    unsigned bars = operand->absolute ? A2XX_HAS_ABS : A2XX_HAS_PLAIN;
    unsigned mode = operand->relative == A2XX_PLUS_A0   ? A2XX_RELATIVE_A0
                    : operand->relative == A2XX_PLUS_AL ? A2XX_RELATIVE_AL
                                                        : 0;
    record->written |= (uint16_t)(bars | mode);
    alu->abs_constants |= operand->absolute;
    alu->address_mode |= operand->relative == A2XX_PLUS_A0;
    if ((record->written & A2XX_HAS_ABS) && (record->written & A2XX_HAS_PLAIN))
        return asm_fail(line->error, "a2xx-constant-abs", operand->at,
                        "write bars around all constants, or move one to a register first",
                        "one flag makes all constants of an instruction absolute values");
    if ((record->written & A2XX_RELATIVE_A0) && (record->written & A2XX_RELATIVE_AL))
        return asm_fail(line->error, "a2xx-constant-relative", operand->at,
                        "copy this constant to a free register in an earlier instruction, such as "
                        "MAXv R1 = C[aL+2], C[aL+2]",
                        "the constants of an instruction are relative to a0 or to aL, not to both");
    return true;
}

/* Sets the constant's relative flag. `earlier` is the number of constants among the preceding
 * sources. The second and the third constant share a flag. */
static bool set_relative(struct a2xx_line *line, struct a2xx_alu *alu, unsigned earlier,
                         const struct a2xx_operand_text *operand)
{
    bool relative = operand->relative != A2XX_ABSOLUTE;
    if (earlier == 0)
        alu->const_0_rel = relative;
    else if (earlier == 1)
        alu->const_1_rel = relative;
    else if (alu->const_1_rel != relative)
        return asm_fail(
            line->error, "a2xx-constant-relative", operand->at,
            "copy the constant that differs to a free register in an earlier instruction, such as "
            "MAXv R1 = C2, C2; the third source is written first",
            "the second and the third constant share a flag: both are relative, or neither");
    return true;
}

bool a2xx_set_source(struct a2xx_line *line, struct a2xx_record *record, struct a2xx_alu *alu,
                     unsigned source, const struct a2xx_operand_text *operand)
{
    struct {
        uint32_t *field, *select, *swizzle, *negate;
    } sources[] =
        {
            {&alu->src1, &alu->src1_sel, &alu->src1_swiz, &alu->src1_negate},
            {&alu->src2, &alu->src2_sel, &alu->src2_swiz, &alu->src2_negate},
            {&alu->src3, &alu->src3_sel, &alu->src3_swiz, &alu->src3_negate},
        },
      *to = &sources[source - 1];
    *to->select = !operand->constant;
    *to->swizzle = a2xx_make_swizzle(operand->components);
    *to->negate = operand->negative;
    *to->field = operand->number;
    if (!operand->constant) {
        *to->field |= (uint32_t)(operand->relative != A2XX_ABSOLUTE) << 6 |
                      (uint32_t)operand->absolute << 7;
        return true;
    }
    unsigned earlier = (source > 1 && !alu->src1_sel) ? 1 : 0;
    earlier += (source > 2 && !alu->src2_sel) ? 1 : 0;
    return agree(line, record, alu, operand) && set_relative(line, alu, earlier, operand);
}

bool a2xx_set_const_sources(struct a2xx_line *line, struct a2xx_record *record,
                            struct a2xx_alu *alu, const struct a2xx_operand_text *constant,
                            const struct a2xx_operand_text *other)
{
    unsigned number = other->number;
    if (!constant->constant || other->constant || other->relative != A2XX_ABSOLUTE)
        return asm_fail(line->error, "a2xx-operand", constant->at, "MUL_CONST R1.x___ = C4.x, R0.w",
                        "expected a constant and a register");
    if ((other->negative && !constant->negative) || (other->absolute && !constant->absolute))
        return asm_fail(line->error, "a2xx-operand", other->at,
                        "write sign and bars before the constant; they apply to the register, too",
                        "sign and bars apply to both operands");
    alu->src3 = constant->number;
    alu->src3_negate = constant->negative;
    alu->scalar_opc = (alu->scalar_opc & ~1u) | (number & 1);
    alu->src3_sel = number >> 1 & 1;
    /* Slot w of the swizzle has the component of the constant, and slot x the component of the
     * register. Slots y and z have bits 2 to 5 of the register's number. */
    alu->src3_swiz = (((uint32_t)constant->components[0] - 3) & 3) << 6 | (number & 0x3c) |
                     other->components[0];
    return agree(line, record, alu, constant) &&
           set_relative(line, alu, (unsigned)(!alu->src1_sel + !alu->src2_sel), constant);
}
