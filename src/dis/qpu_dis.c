/* SPDX-License-Identifier: MIT */
/* qpu_dis.c - QPU functions of the disassembler of whole files.
 *
 * In:     an instruction and its address.
 * Out:    the text that print.c and explain.c write, the instruction's registers as JSON, and the
 *         number of instructions that run after a program end or a branch.
 * Source: manual, section 3: a program ends two instructions after its program end signal; a branch
 *         takes effect after three instructions. */
#include <stdio.h>

#include "base/bits.h"
#include "isa/dis_isa.h"
#include "isa/qpu/operand.h"
#include "isa/qpu/print.h"
#include "isa/qpu/sides.h"

enum { PROGRAM_END_DELAY = 2, BRANCH_DELAY = 3 };

_Static_assert(DIS_NAME_MAX <= QPU_LABEL_MAX / 2, "labels must fit into lines");

static uint64_t word_of(const struct dis_insn *insn)
{
    return load_le64(insn->bytes);
}

/* --- code and data --- */

static size_t instructions_left(const struct dis_insn *insn)
{
    struct qpu_insn fields = qpu_decode(word_of(insn));
    bool links = fields.waddr_add != QPU_NOP || fields.waddr_mul != QPU_NOP;
    if (fields.sig == QPU_SIG_PROGRAM_END || fields.sig == QPU_SIG_COLOUR_LOAD_END)
        return PROGRAM_END_DELAY;
    return fields.form == QPU_FORM_BRANCH && fields.cond_br == 15 && !links ? BRANCH_DELAY
                                                                            : SIZE_MAX;
}

/* Returns true if the word has a reserved code or is a breakpoint, so it is probably data. Data
 * words often have a high half below 0x10000000, which decodes as a breakpoint. */
static bool is_implausible(const struct dis_insn *insn)
{
    struct qpu_differences found;
    uint64_t word = word_of(insn);
    return word >> 60 == QPU_SIG_BREAKPOINT || qpu_find_reserved(word, &found);
}

static bool target(const struct dis_insn *insn, uint32_t *address)
{
    return qpu_branch_target(word_of(insn), insn->address, address);
}

static bool is_taken(const char *name, size_t length)
{
    struct qpu_operand operand;
    return length < 32 && qpu_register_find(name, length, &operand);
}

/* --- text --- */

static bool print(char *text, size_t size, const struct dis_insn *insn)
{
    return qpu_print_line(text, size, word_of(insn), insn->address, insn->label_at, insn->user);
}

static void put_reason(char *text, size_t size, const struct dis_insn *insn)
{
    struct text output = {text, size, 0};
    struct qpu_differences found;
    qpu_find_differences(word_of(insn), &found);
    qpu_put_reason(&output, word_of(insn), &found);
}

static void put_data_reason(char *text, size_t size, const struct dis_insn *insn)
{
    struct text output = {text, size, 0};
    struct qpu_differences found;
    text_put(&output, "%s", "");
    if (qpu_find_reserved(word_of(insn), &found))
        qpu_put_reason(&output, word_of(insn), &found);
}

static void explain(char *text, size_t size, const struct dis_insn *insn)
{
    qpu_explain(text, size, word_of(insn), insn->address);
}

static void comment(char *text, size_t size, const struct dis_insn *insn)
{
    qpu_comment(text, size, word_of(insn), insn->address);
}

/* --- JSON --- */

static void each_field(const struct dis_insn *insn, dis_field_visitor *visit, void *user)
{
    qpu_each_field(word_of(insn), visit, user);
}

static void json_register(struct json *json, const char *name, char file, unsigned address)
{
    char text[16];
    snprintf(text, sizeof text, "r%c%u", file, address & 63);
    json_string(json, name ? name : text);
}

static bool reads_mux(const struct qpu_insn *insn, unsigned mux)
{
    const struct qpu_op_words *add = qpu_add_words(insn->op_add);
    unsigned sources = add ? add->sources : 2;
    return (sources > 0 && insn->add_a == mux) || (sources > 1 && insn->add_b == mux) ||
           (insn->op_mul && (insn->mul_a == mux || insn->mul_b == mux));
}

static bool is_conditional(unsigned condition)
{
    return condition > QPU_COND_ALWAYS;
}

/* Lists the registers that are read. A read port reads its register even if no
 * operation uses the value. */
static void json_reads(struct json *json, const struct qpu_insn *insn)
{
    bool alu = qpu_layout(insn->form) == QPU_IN_ALU, branch = insn->form == QPU_FORM_BRANCH;
    json_member_array(json, "reads");
    for (unsigned mux = QPU_MUX_R0; alu && mux <= QPU_MUX_R5; mux++)
        if (reads_mux(insn, mux))
            json_register(json, (const char[]){'r', (char)('0' + mux), 0}, 'r', 0);
    if ((alu && insn->raddr_a != QPU_NOP) || (branch && insn->reg))
        json_register(json, qpu_read_name('a', insn->raddr_a), 'a', insn->raddr_a);
    if (insn->form == QPU_FORM_ALU && insn->raddr_b != QPU_NOP)
        json_register(json, qpu_read_name('b', insn->raddr_b), 'b', insn->raddr_b);
    if (branch ? insn->cond_br != 15
               : is_conditional(insn->cond_add) || is_conditional(insn->cond_mul))
        json_string(json, "flags");
    json_end_array(json);
}

static void json_write(struct json *json, unsigned address, unsigned condition, bool file_b)
{
    char file = file_b ? 'b' : 'a';
    if (address != QPU_NOP && condition != QPU_COND_NEVER)
        json_register(json, qpu_write_name(file, address), file, address);
}

static void json_writes(struct json *json, const struct qpu_insn *insn)
{
    bool branch = insn->form == QPU_FORM_BRANCH;
    bool loads = qpu_loads_r4(insn->sig);
    json_member_array(json, "writes");
    json_write(json, insn->waddr_add, branch ? QPU_COND_ALWAYS : insn->cond_add, insn->ws);
    json_write(json, insn->waddr_mul, branch ? QPU_COND_ALWAYS : insn->cond_mul, !insn->ws);
    if (loads)
        json_string(json, "r4");
    if (branch ? insn->raddr_a & 1 : insn->sf)
        json_string(json, "flags");
    json_end_array(json);
}

static void json_flow(struct json *json, const struct dis_insn *insn)
{
    struct qpu_insn fields = qpu_decode(word_of(insn));
    json_reads(json, &fields);
    json_writes(json, &fields);
}

static void json_differences(struct json *json, const struct dis_insn *insn)
{
    struct qpu_differences found;
    qpu_find_differences(word_of(insn), &found);
    json_member_array(json, "differences");
    for (size_t i = 0; i < found.count; i++) {
        json_begin_object(json);
        json_member_string(json, "field", found.items[i].field);
        json_member_uint(json, "value", found.items[i].value);
        json_key(json, found.items[i].reserved ? "reserved" : "written");
        if (found.items[i].reserved)
            json_boolean(json, true);
        else
            json_uint(json, found.items[i].written);
        json_end_object(json);
    }
    json_end_array(json);
}

const struct dis_isa qpu_dis = {
    .name = "qpu",
    .size = 8,
    .alignment = 8,
    .instructions_left = instructions_left,
    .is_implausible = is_implausible,
    .target = target,
    .is_taken = is_taken,
    .print = print,
    .put_reason = put_reason,
    .put_data_reason = put_data_reason,
    .explain = explain,
    .comment = comment,
    .each_field = each_field,
    .json_flow = json_flow,
    .json_differences = json_differences,
};
