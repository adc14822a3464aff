/* SPDX-License-Identifier: MIT */
/* assemble.c - connects the toy machine's instruction set to the assembler core. */
#include <stdlib.h>
#include <string.h>

#include "asm/asm.h"
#include "base/bits.h"
#include "isa/toy/toy_isa.h"

static enum toy_op find_op(const char *text, size_t length)
{
    unsigned op = 0;
    while (op < TOY_OPS &&
           (strlen(toy_ops[op].name) != length || memcmp(toy_ops[op].name, text, length) != 0))
        op++;
    return op;
}

/* Parses "r1" or "12" at *at, and advances *at past the operand and a comma. Returns false if there
 * is another text. */
static bool parse_operand(const char **at, char kind, uint8_t *value)
{
    char *end;
    *at += strspn(*at, " ,");
    if (kind != 'n' && *(*at)++ != 'r')
        return false;
    unsigned long number = strtoul(*at, &end, 0);
    bool good = end > *at && number <= (kind == 'n' ? UINT8_MAX : TOY_REGISTERS - 1);
    *value = (uint8_t)number;
    *at = end;
    return good;
}

static size_t instruction(const char *text, size_t length, uint32_t address,
                          const struct asm_names *names, uint8_t bytes[ASM_INSTRUCTION_MAX],
                          unsigned *traits, struct asm_error *error)
{
    char line[128] = "";
    (void)address;
    (void)names;
    if (length < sizeof line)
        memcpy(line, text, length);
    size_t name = strcspn(line, " ");
    struct toy_insn insn = {.op = find_op(line, name)};
    const char *at = line + name;
    bool good = insn.op < TOY_OPS;
    for (unsigned i = 0; good && toy_ops[insn.op].operands[i]; i++)
        good = parse_operand(&at, toy_ops[insn.op].operands[i], &insn.operand[i]);
    if (!good || at[strspn(at, " ")]) {
        asm_fail(error, "asm-syntax", 0, "write nop; set rD, N; add rD, rA, rB; out rA; or end",
                 "this is no instruction");
        return 0;
    }
    *traits = 0;
    store_le32(bytes, toy_encode(&insn));
    return 4;
}

const struct asm_isa toy_asm_isa = {.alignment = 4, .instruction = instruction};
