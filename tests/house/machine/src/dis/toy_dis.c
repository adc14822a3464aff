/* SPDX-License-Identifier: MIT */
/* toy_dis.c - the toy machine's part of the disassembler for whole files. */
#include "base/bits.h"
#include "base/text.h"
#include "isa/dis_isa.h"
#include "isa/toy/toy_isa.h"

static bool target(const struct dis_insn *insn, uint32_t *address)
{
    (void)insn;
    (void)address;
    return false;
}

static bool is_taken(const char *name, size_t length)
{
    (void)name;
    (void)length;
    return false;
}

static bool print(char *text, size_t size, const struct dis_insn *insn)
{
    struct text output = {text, size, 0};
    struct toy_insn fields;
    if (!toy_decode(load_le32(insn->bytes), &fields)) {
        text_put(&output, "nop");
        return false;
    }
    const char *kind = toy_ops[fields.op].operands;
    text_put(&output, "%s", toy_ops[fields.op].name);
    for (unsigned i = 0; kind[i]; i++)
        text_put(&output, "%s %s%u", i ? "," : "", kind[i] == 'n' ? "" : "r", fields.operand[i]);
    return true;
}

static void put_reason(char *text, size_t size, const struct dis_insn *insn)
{
    struct text output = {text, size, 0};
    (void)insn;
    text_put(&output, "the operation does not exist");
}

static void comment(char *text, size_t size, const struct dis_insn *insn)
{
    (void)insn;
    *text = size ? '\0' : *text;
}

static void each_field(const struct dis_insn *insn, dis_field_visitor *visit, void *user)
{
    const struct dis_field op = {"op", insn->bytes[3], 31, 24, "operation"};
    visit(user, &op);
}

static void json_flow(struct json *json, const struct dis_insn *insn)
{
    (void)json;
    (void)insn;
}

const struct dis_isa toy_dis = {
    .name = "toy",
    .size = 4,
    .alignment = 4,
    .only_code = true,
    .colons_behind = true,
    .target = target,
    .is_taken = is_taken,
    .print = print,
    .put_reason = put_reason,
    .comment = comment,
    .each_field = each_field,
    .json_flow = json_flow,
};
