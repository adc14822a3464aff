/* SPDX-License-Identifier: MIT */
/* print.c - writes an instruction word as assembly in the vc4asm dialect.
 *
 * In:       any 64-bit word.
 * Out:      one line that assembles to exactly this word. The printer parses its own output
 *           to check this. A word that no line can express (unused fields that differ from
 *           the assembler's values, or reserved codes) becomes ".int", with the nearest
 *           line as a comment.
 * Source:   manual, section 3; vc4asm, doc/instructions.html, doc/extensions.html. */
#include <stdio.h>
#include <string.h>

#include "base/diag.h"
#include "isa/qpu/parse.h"
#include "isa/qpu/print.h"

enum { LINE_SIZE = 320 + QPU_LABEL_MAX };

/* Styles of a line, tried in this order. NUMBERS writes ra32 or rb32 for unif and so on, which
 * fixes the register file. PLAIN writes "or x, x" for mov, which fixes the ALU. EXACT adds .exact,
 * which keeps the conditions of discarded results and prevents the assembler from turning
 * operations into loads. */
enum { NAMES = 0, NUMBERS = 1, PLAIN = 2, EXACT = 4, STYLES = 8 };

struct printer {
    struct text *output;
    const struct qpu_insn *insn;
    unsigned style;
    const char *label; /* name of the branch target, or NULL */
};

static const char *const condition_names[8] = {".never", "",      ".ifz", ".ifnz",
                                               ".ifn",   ".ifnn", ".ifc", ".ifcc"};
static const char *const branch_names[16] = {
    ".allz", ".allnz", ".anyz", ".anynz", ".alln", ".allnn", ".anyn", ".anynn",
    ".allc", ".allcc", ".anyc", ".anycc", ".12",   ".13",    ".14",   "",
};
static const char *const signal_names[16] = {
    "bkpt",  NULL,     "thrsw",  "thrend", "sbwait", "sbdone", "lthrsw", "loadcv",
    "loadc", "ldcend", "ldtmu0", "ldtmu1", "loadam", NULL,     NULL,     NULL,
};
static const char *const format_names[8] = {"32", "16a", "16b", "8abcd", "8a", "8b", "8c", "8d"};

static char file_of(const struct printer *printer, bool mul)
{
    return printer->insn->ws == mul ? 'a' : 'b';
}

static void put_register(const struct printer *printer, const char *name, char file,
                         unsigned address)
{
    bool number = !name || ((printer->style & NUMBERS) && address >= 32 && address != QPU_NOP);
    if (number)
        text_put(printer->output, "r%c%u", file, address);
    else
        text_put(printer->output, "%s", name);
}

static bool any_float_input(const struct qpu_insn *insn)
{
    return qpu_add_float_in(insn->op_add) || insn->op_mul == QPU_MUL_FMUL;
}

static void put_pack(const struct printer *printer, bool mul)
{
    const struct qpu_insn *insn = printer->insn;
    bool float_out = mul ? insn->op_mul == QPU_MUL_FMUL : qpu_add_float_out(insn->op_add);
    bool sized = insn->pack & 7, words = (insn->pack & 7) < 3;
    if (insn->pack == 0 || (insn->pm ? !mul : insn->ws != mul))
        return;
    const char *type = !sized ? "" : words && float_out ? "f" : "i";
    if (insn->pm) { /* In assembly, the mul ALU's codes 4 to 7 and 11 have the suffix sf
                     * (saturation). Codes 3 and 12 to 15 have none. */
        bool saturated = (insn->pack & 4) ? insn->pack < 8 : insn->pack >= 8;
        text_put(printer->output, ".%s%s", format_names[insn->pack & 7], saturated ? "sf" : "");
        return;
    }
    text_put(printer->output, ".%s%s%s", format_names[insn->pack & 7], insn->pack >= 8 ? "s" : "",
             type);
}

static void put_target(const struct printer *printer, bool mul)
{
    unsigned address = mul ? printer->insn->waddr_mul : printer->insn->waddr_add;
    char file = file_of(printer, mul);
    put_register(printer, qpu_write_name(file, address), file, address);
    put_pack(printer, mul);
}

static void put_unpack(const struct printer *printer, unsigned mux)
{
    const struct qpu_insn *insn = printer->insn;
    bool applies = insn->pm ? mux == QPU_MUX_R4 : mux == QPU_MUX_A && insn->raddr_a < 32;
    if (!insn->unpack || !applies)
        return;
    if (insn->unpack == 3)
        text_put(printer->output, ".8dr");
    else
        text_put(printer->output, ".%s%s", format_names[insn->unpack],
                 insn->pm || any_float_input(insn) ? "f" : "i");
}

static void put_rotation(const struct printer *printer, unsigned mux)
{
    int count = qpu_rotation(printer->insn);
    if (count < 0 || mux == QPU_MUX_B || mux == QPU_MUX_R5)
        return;
    if (count == 0)
        text_put(printer->output, " >> r5");
    else
        text_put(printer->output, count < 8 ? " >> %d" : " << %d", count < 8 ? count : 16 - count);
}

static void put_source(const struct printer *printer, unsigned mux, bool mul)
{
    const struct qpu_insn *insn = printer->insn;
    if (mux == QPU_MUX_B && insn->form == QPU_FORM_ALU_IMMEDIATE)
        qpu_put_small(printer->output, insn->raddr_b);
    else if (mux == QPU_MUX_B)
        put_register(printer, qpu_read_name('b', insn->raddr_b), 'b', insn->raddr_b);
    else if (mux == QPU_MUX_A)
        put_register(printer, qpu_read_name('a', insn->raddr_a), 'a', insn->raddr_a);
    else
        text_put(printer->output, "%s", qpu_accumulator_names[mux]);
    put_unpack(printer, mux);
    if (mul)
        put_rotation(printer, mux);
}

/* Writes the condition. Leaves out the condition "never" of a discarded result that does not set
 * the flags, because the assembler sets this condition itself. */
static void put_condition(const struct printer *printer, bool mul)
{
    const struct qpu_insn *insn = printer->insn;
    bool nowhere = (mul ? insn->waddr_mul : insn->waddr_add) == QPU_NOP;
    bool load = insn->sig == QPU_SIG_LOAD_IMMEDIATE;
    bool no_flags = !insn->sf || (mul && (load || insn->op_add != QPU_ADD_NOP));
    unsigned condition = mul ? insn->cond_mul : insn->cond_add;
    if (condition != QPU_COND_NEVER || !nowhere || !no_flags || (printer->style & EXACT))
        text_put(printer->output, "%s", condition_names[condition]);
}

static void put_mnemonic(const struct printer *printer, bool mul, const char *mnemonic)
{
    const struct qpu_insn *insn = printer->insn;
    bool sets_flags = insn->sf && mul == (insn->op_add == QPU_ADD_NOP && insn->op_mul);
    text_put(printer->output, "%s", mnemonic);
    text_put(printer->output, sets_flags ? ".setf" : "");
    text_put(printer->output, printer->style & EXACT ? ".exact" : "");
    put_condition(printer, mul);
}

static void put_operation(const struct printer *printer, bool mul, const char *mnemonic,
                          unsigned sources)
{
    const struct qpu_insn *insn = printer->insn;
    put_mnemonic(printer, mul, mnemonic);
    text_put(printer->output, " ");
    put_target(printer, mul);
    for (unsigned i = 0; i < sources; i++) {
        text_put(printer->output, ", ");
        unsigned mux = mul ? (i ? insn->mul_b : insn->mul_a) : i ? insn->add_b : insn->add_a;
        put_source(printer, mux, mul);
    }
}

static void put_zero(const struct printer *printer, bool mul)
{
    put_operation(printer, mul, "mov", 0);
    text_put(printer->output, ", 0");
}

static bool add_is_move(const struct printer *printer)
{
    const struct qpu_insn *insn = printer->insn;
    return !(printer->style & PLAIN) && insn->op_add == QPU_ADD_OR && insn->add_a == insn->add_b;
}

static bool mul_is_move(const struct printer *printer)
{
    const struct qpu_insn *insn = printer->insn;
    return !(printer->style & PLAIN) && insn->op_mul == QPU_MUL_V8MIN && insn->mul_a == insn->mul_b;
}

static void put_add(const struct printer *printer)
{
    const struct qpu_insn *insn = printer->insn;
    const struct qpu_op_words *op = qpu_add_words(insn->op_add);
    bool on_both = insn->op_add == QPU_ADD_V8ADDS || insn->op_add == QPU_ADD_V8SUBS;
    if (insn->op_add == QPU_ADD_NOP && insn->waddr_add == QPU_NOP)
        put_mnemonic(printer, false, "nop");
    else if (insn->op_add == QPU_ADD_NOP)
        put_operation(printer, false, "anop", 0);
    else if (add_is_move(printer))
        put_operation(printer, false, "mov", 1);
    else if (!(printer->style & PLAIN) && insn->op_add == QPU_ADD_XOR && insn->add_a == QPU_MUX_B &&
             insn->add_b == QPU_MUX_B)
        put_zero(printer, false);
    else if (on_both)
        put_operation(printer, false, insn->op_add == QPU_ADD_V8ADDS ? "av8adds" : "av8subs", 2);
    else
        put_operation(printer, false, op ? op->mnemonic : "reserved", op ? op->sources : 2);
}

static void put_mul(const struct printer *printer)
{
    const struct qpu_insn *insn = printer->insn;
    bool idle = insn->op_mul == QPU_MUL_NOP && insn->waddr_mul == QPU_NOP;
    if (idle && (!(printer->style & EXACT) || insn->cond_mul == QPU_COND_NEVER))
        return;
    text_put(printer->output, "; ");
    if (idle)
        put_mnemonic(printer, true, "mnop");
    else if (insn->op_mul == QPU_MUL_NOP)
        put_operation(printer, true, "mnop", 0);
    else if (mul_is_move(printer))
        put_operation(printer, true, "mov", 1);
    else if (!(printer->style & PLAIN) && insn->op_mul == QPU_MUL_V8SUBS &&
             insn->mul_a == QPU_MUX_B && insn->mul_b == QPU_MUX_B)
        put_zero(printer, true);
    else
        put_operation(printer, true, qpu_mul_words(insn->op_mul)->mnemonic, 2);
}

static bool reads_through(const struct qpu_insn *insn, unsigned mux)
{
    return insn->add_a == mux || insn->add_b == mux || insn->mul_a == mux || insn->mul_b == mux;
}

/* Writes register reads that no operation uses. */
static void put_reads(const struct printer *printer)
{
    const struct qpu_insn *insn = printer->insn;
    bool small = insn->form == QPU_FORM_ALU_IMMEDIATE;
    if (insn->raddr_a != QPU_NOP && !reads_through(insn, QPU_MUX_A)) {
        text_put(printer->output, "; read ");
        put_register(printer, qpu_read_name('a', insn->raddr_a), 'a', insn->raddr_a);
    }
    if (reads_through(insn, QPU_MUX_B) || (small ? insn->raddr_b > 47 : insn->raddr_b == QPU_NOP))
        return;
    text_put(printer->output, "; read ");
    put_source(printer, QPU_MUX_B, false);
}

static void put_alu(const struct printer *printer)
{
    put_add(printer);
    put_mul(printer);
    put_reads(printer);
    if (signal_names[printer->insn->sig])
        text_put(printer->output, "; %s", signal_names[printer->insn->sig]);
}

static void put_number(struct text *output, uint32_t value)
{
    text_put(output, value < 256 ? "%u" : "0x%08x", (unsigned)value);
}

static void put_elements(const struct printer *printer)
{
    for (unsigned i = 0; i < 16; i++)
        text_put(printer->output, "%s%d", i ? ", " : "[",
                 (int)(int32_t)qpu_element_immediate(printer->insn, i));
    text_put(printer->output, "]");
}

static const char *load_mnemonic(const struct qpu_insn *insn)
{
    bool large = insn->immediate >> 16;
    switch (insn->form) {
    case QPU_FORM_SEMAPHORE: return insn->immediate & 16 ? "sacq" : "srel";
    case QPU_FORM_LOAD_UNSIGNED: return large ? "ldi" : "ldipeu";
    case QPU_FORM_LOAD_RESERVED: return "reserved";
    default: return "ldi";
    }
}

static void put_load(const struct printer *printer)
{
    const struct qpu_insn *insn = printer->insn;
    bool exact = printer->style & EXACT;
    text_put(printer->output, "%s%s%s ", load_mnemonic(insn), insn->sf ? ".setf" : "",
             exact ? ".exact" : "");
    put_target(printer, false);
    put_condition(printer, false);
    text_put(printer->output, ", ");
    if (insn->waddr_mul != QPU_NOP || (exact && insn->cond_mul != QPU_COND_ALWAYS)) {
        put_target(printer, true);
        put_condition(printer, true);
        text_put(printer->output, ", ");
    }
    if (insn->form == QPU_FORM_SEMAPHORE)
        put_number(printer->output, insn->immediate & ~UINT32_C(16));
    else if (insn->form == QPU_FORM_LOAD_SIGNED || insn->form == QPU_FORM_LOAD_UNSIGNED)
        put_elements(printer);
    else
        put_number(printer->output, insn->immediate);
}

static void put_branch(const struct printer *printer)
{
    const struct qpu_insn *insn = printer->insn;
    bool both = insn->waddr_mul != QPU_NOP;
    text_put(printer->output, "%s%s%s ", insn->rel ? "brr" : "bra", branch_names[insn->cond_br],
             !insn->reg && (insn->raddr_a & 1) ? ".setf" : "");
    put_register(printer, qpu_write_name(file_of(printer, false), insn->waddr_add),
                 file_of(printer, false), insn->waddr_add);
    if (both) {
        text_put(printer->output, ", ");
        put_register(printer, qpu_write_name(file_of(printer, true), insn->waddr_mul),
                     file_of(printer, true), insn->waddr_mul);
    }
    if (insn->reg)
        text_put(printer->output, ", ra%u", insn->raddr_a);
    else if (both)
        text_put(printer->output, ", -");
    if (insn->reg && !insn->immediate && !both)
        return;
    if (printer->label)
        text_put(printer->output, ", %s:%s", insn->rel ? "r" : "", printer->label);
    else if (insn->rel)
        text_put(printer->output, ", %+d", (int)(int32_t)insn->immediate);
    else
        text_put(printer->output, ", 0x%08x", (unsigned)insn->immediate);
}

static void put_line(const struct printer *printer)
{
    switch (printer->insn->form) {
    case QPU_FORM_ALU:
    case QPU_FORM_ALU_IMMEDIATE: put_alu(printer); break;
    case QPU_FORM_BRANCH: put_branch(printer); break;
    default: put_load(printer); break;
    }
}

/* --- check that the line assembles to the word --- */

struct label {
    const char *name;
    uint32_t address;
};

/* Looks up the branch target's label, the only name in a line. */
static bool lookup_label(void *user, const char *name, size_t length, bool only_labels,
                         struct asm_value *value)
{
    const struct label *label = user;
    (void)only_labels;
    if (strlen(label->name) != length || memcmp(label->name, name, length) != 0)
        return false;
    *value = (struct asm_value){.kind = ASM_INTEGER, .integer = label->address, .label = true};
    return true;
}

/* A line and the word that it assembles to. */
struct attempt {
    char line[LINE_SIZE];
    bool parsed;
    uint64_t word;
    struct asm_error error;
};

static void try_style(struct attempt *attempt, const struct qpu_insn *insn, uint32_t address,
                      unsigned style, const struct label *label)
{
    struct text output = {attempt->line, sizeof attempt->line, 0};
    const struct printer printer = {&output, insn, style, label ? label->name : NULL};
    struct label target = label ? *label : (struct label){0};
    const struct asm_names names = {.lookup = lookup_label, .user = &target, .address = address};
    put_line(&printer);
    attempt->parsed = output.length < sizeof attempt->line &&
                      qpu_parse(attempt->line, output.length, address, label ? &names : NULL,
                                &attempt->word, &attempt->error) == QPU_PARSE_OK;
}

/* Returns true if the field has no effect in this instruction. */
static bool is_idle(const struct qpu_insn *insn, const char *field)
{
    bool alu = qpu_layout(insn->form) == QPU_IN_ALU;
    const struct qpu_op_words *add = qpu_add_words(insn->op_add);
    if (strcmp(field, "pm") == 0)
        return !insn->pack && (!insn->unpack || !alu);
    if (!alu || !add)
        return false;
    if (strcmp(field, "add_a") == 0 || strcmp(field, "cond_add") == 0)
        return insn->op_add == QPU_ADD_NOP;
    if (strcmp(field, "add_b") == 0)
        return add->sources < 2;
    return insn->op_mul == QPU_MUL_NOP && strstr("mul_a mul_b cond_mul", field);
}

/* Returns true if the words differ only in fields that have no effect. Conditions count as
 * differences because .exact can preserve them. */
static bool differs_idly(const struct qpu_insn *insn, uint64_t word)
{
    struct qpu_insn written = qpu_decode(word);
    unsigned layout = qpu_layout(insn->form);
    if (layout != qpu_layout(written.form))
        return false;
#define FIELD(name, high, low, forms)                               \
    if ((layout & (forms)) && insn->name != written.name &&         \
        (!is_idle(insn, #name) || strncmp(#name, "cond_", 5) == 0)) \
        return false;
#include "isa/qpu/fields.def"
    return true;
}

/* Returns true if the word has a code that no line can produce. */
static bool is_unwritable(const struct qpu_insn *insn)
{
    bool branch = insn->form == QPU_FORM_BRANCH, alu = qpu_layout(insn->form) == QPU_IN_ALU;
    bool bad_branch = branch && ((insn->cond_br > 11 && insn->cond_br < 15) || insn->unused);
    return bad_branch || insn->form == QPU_FORM_LOAD_RESERVED ||
           (alu && !qpu_add_words(insn->op_add));
}

static bool find_line(struct attempt *attempt, uint64_t word, uint32_t address,
                      const struct label *label)
{
    struct qpu_insn insn = qpu_decode(word);
    for (unsigned style = 0; style < STYLES && !is_unwritable(&insn); style++) {
        try_style(attempt, &insn, address, style, label);
        if (attempt->parsed && attempt->word == word)
            return true;
        if (attempt->parsed && differs_idly(&insn, attempt->word))
            return false;
    }
    return false;
}

bool qpu_branch_target(uint64_t word, uint32_t address, uint32_t *target)
{
    struct qpu_insn insn = qpu_decode(word);
    *target = insn.immediate + (insn.rel ? address + 32 : 0);
    return insn.form == QPU_FORM_BRANCH && !insn.reg;
}

/* --- reasons --- */

static void add_difference(struct qpu_differences *found, const char *field, uint32_t value,
                           uint32_t written, bool reserved)
{
    struct qpu_difference *item = &found->items[found->count];
    if (found->count < QPU_DIFFERENCES_MAX)
        found->count++;
    else
        item--;
    *item = (struct qpu_difference){field, value, written, reserved};
}

/* Finds codes that the manual reserves, for which no mnemonic can exist. */
static void find_reserved(struct qpu_differences *found, const struct qpu_insn *insn)
{
    bool branch = insn->form == QPU_FORM_BRANCH, alu = qpu_layout(insn->form) == QPU_IN_ALU;
    bool mul_pack = !branch && insn->pm && insn->pack;
    if (alu && !qpu_add_words(insn->op_add))
        add_difference(found, "op_add", insn->op_add, 0, true);
    if (insn->form == QPU_FORM_LOAD_RESERVED)
        add_difference(found, "unpack", insn->unpack, 0, true);
    if (mul_pack && (insn->pack < 3 || insn->pack > 7))
        add_difference(found, "pack", insn->pack, 0, true);
    if (branch && insn->cond_br > 11 && insn->cond_br < 15)
        add_difference(found, "cond_br", insn->cond_br, 15, true);
    if (branch && insn->unused)
        add_difference(found, "unused", insn->unused, 0, true);
}

static void compare_fields(struct qpu_differences *found, const struct qpu_insn *insn,
                           const struct qpu_insn *written)
{
    unsigned layout = qpu_layout(insn->form);
    if (layout != qpu_layout(written->form)) {
        add_difference(found, "sig", insn->sig, written->sig, false);
        return;
    }
#define FIELD(name, high, low, forms)                      \
    if ((layout & (forms)) && insn->name != written->name) \
        add_difference(found, #name, insn->name, written->name, false);
#include "isa/qpu/fields.def"
#include "isa/qpu/sides.h"
}

bool qpu_find_reserved(uint64_t word, struct qpu_differences *found)
{
    struct qpu_insn insn = qpu_decode(word);
    *found = (struct qpu_differences){0};
    find_reserved(found, &insn);
    return found->count > 0;
}

/* Finds the fields in which the word differs from the closest line that the assembler accepts. If
 * the assembler accepts no line, stores its message and returns false. */
static bool find_closest(const struct qpu_insn *insn, struct qpu_differences *best)
{
    struct attempt attempt;
    bool have = false, idle = false;
    for (unsigned style = 0; style < STYLES && !idle && (!have || best->count > 1); style++) {
        struct qpu_differences found = {0};
        try_style(&attempt, insn, 0, style, NULL);
        if (!attempt.parsed) {
            if (!have && !best->message[0])
                snprintf(best->message, sizeof best->message, "%.*s",
                         (int)diag_text_length(attempt.error.text), attempt.error.text);
            continue;
        }
        struct qpu_insn written = qpu_decode(attempt.word);
        compare_fields(&found, insn, &written);
        if (!have || found.count < best->count)
            *best = found;
        have = true;
        idle = differs_idly(insn, attempt.word);
    }
    return have;
}

void qpu_find_differences(uint64_t word, struct qpu_differences *found)
{
    struct qpu_insn insn = qpu_decode(word);
    *found = (struct qpu_differences){0};
    if (is_unwritable(&insn) || !find_closest(&insn, found))
        find_reserved(found, &insn);
}

void qpu_put_reason(struct text *output, uint64_t word, const struct qpu_differences *found)
{
    struct qpu_insn insn = qpu_decode(word);
    for (size_t i = 0; i < found->count; i++) {
        const struct qpu_difference *item = &found->items[i];
        bool mux = strlen(item->field) == 5 && item->field[3] == '_';
        text_put(output, "%s%s%s%s is %u", i ? ", " : "",
                 is_idle(&insn, item->field) ? "unused " : "", item->field, mux ? " mux" : "",
                 (unsigned)item->value);
        if (item->reserved)
            text_put(output, ", which is reserved");
        else
            text_put(output, " where the assembler writes %u", (unsigned)item->written);
    }
    if (found->count == 0)
        text_put(output, "the assembler refuses the nearest line: %s", found->message);
}

/* --- text --- */

/* Writes the target of a relative branch as a comment. */
static void put_branch_comment(struct text *output, uint64_t word, uint32_t address)
{
    uint32_t target;
    if (qpu_branch_target(word, address, &target) && qpu_decode(word).rel)
        text_put(output, " # 0x%08x", (unsigned)target);
}

static void put_nearest(struct text *output, uint64_t word)
{
    struct qpu_insn insn = qpu_decode(word);
    put_line(&(struct printer){output, &insn, NAMES, NULL});
}

bool qpu_print_line(char *text, size_t size, uint64_t word, uint32_t address,
                    const char *(*label_at)(void *user, uint32_t address), void *user)
{
    struct text output = {text, size, 0};
    struct attempt attempt;
    struct label label = {0};
    bool known = label_at && qpu_branch_target(word, address, &label.address);
    label.name = known ? label_at(user, label.address) : NULL;
    if (label.name && find_line(&attempt, word, address, &label)) {
        text_put(&output, "%s", attempt.line);
        return true;
    }
    bool found = find_line(&attempt, word, address, NULL);
    if (found)
        text_put(&output, "%s", attempt.line);
    else
        put_nearest(&output, word);
    return found;
}

size_t qpu_print(char *text, size_t size, uint64_t word, uint32_t address)
{
    struct text output = {text, size, 0};
    struct attempt attempt;
    if (find_line(&attempt, word, address, NULL)) {
        text_put(&output, "%s", attempt.line);
        put_branch_comment(&output, word, address);
        return output.length;
    }
    text_put(&output, ".int 0x%08x, 0x%08x # ", (unsigned)word, (unsigned)(word >> 32));
    put_nearest(&output, word);
    return output.length;
}

size_t qpu_print_nearest(char *text, size_t size, uint64_t word, uint32_t address)
{
    struct text output = {text, size, 0};
    put_nearest(&output, word);
    put_branch_comment(&output, word, address);
    return output.length;
}
