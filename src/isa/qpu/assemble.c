/* SPDX-License-Identifier: MIT */
/* assemble.c - connects the QPU's instruction set to the assembler core: instructions, control
 * records between them, and lines that continue an instruction. */
#include <stdio.h>
#include <string.h>

#include "base/bits.h"
#include "isa/asm_isa.h"
#include "isa/cl/assemble.h"
#include "isa/qpu/operand.h"
#include "isa/qpu/parse.h"
#include "isa/qpu/qpu_isa.h"

static size_t qpu_instruction(const char *text, size_t length, uint32_t address,
                              const struct asm_names *names, uint8_t bytes[ASM_INSTRUCTION_MAX],
                              unsigned *traits, struct asm_error *error)
{
    static const char load[] = "ldi";
    uint64_t word;
    enum qpu_parse_result result = qpu_parse(text, length, address, names, &word, error);
    if (result == QPU_PARSE_ERROR)
        return 0;
    *traits = result == QPU_PARSE_UNKNOWN ? ASM_UNKNOWN : 0;
    if (length >= strlen(load) && memcmp(text, load, strlen(load)) == 0)
        *traits |= ASM_EXACT;
    store_le64(bytes, word);
    return sizeof word;
}

/* Rewrites "ldi A, B, 0" as "mov A, 0; mov B, 0", because the source may contain those two moves.
 * Returns the new length of the text. */
static size_t split_zeros(char *text, size_t size, size_t length)
{
    char first[32], second[32];
    int end = 0;
    if (sscanf(text, "ldi %31[^,], %31[^,], 0%n", first, second, &end) != 2 ||
        (size_t)end != length)
        return length;
    return (size_t)snprintf(text, size, "mov %s, 0; mov %s, 0", first, second);
}

/* Prints the instruction word as text to which another operation can be appended. If exact is
 * false, "ldi" becomes "mov", because a move can share its word with another operation. A nop in
 * the add ALU is dropped. Returns the length of the text, or 0 if nothing can be appended to the
 * instruction. */
static size_t open_text(char *text, size_t size, uint64_t word, uint32_t address, bool exact)
{
    static const char idle[] = "nop; ", load[] = "ldi";
    size_t length = qpu_print(text, size, word, address);
    if (length >= size || text[0] == '.' || word >> 60 == QPU_SIG_BRANCH)
        return 0;
    if (!exact)
        length = split_zeros(text, size, length);
    if (!exact && memcmp(text, load, strlen(load)) == 0)
        memcpy(text, "mov", strlen(load));
    if (length > strlen(idle) && memcmp(text, idle, strlen(idle)) == 0) {
        length -= strlen(idle);
        memmove(text, text + strlen(idle), length + 1);
    }
    return length;
}

static bool is_qpu_branch(const uint8_t *bytes)
{
    return bytes[7] >> 4 == QPU_SIG_BRANCH;
}

/* Returns true if the code ends with a branch and its three delay slots, and execution can continue
 * after them. Execution can continue if the branch is conditional or stores a return address.
 * Source: vc4asm, src/Parser.cpp, assembleBRANCH(). */
static bool is_return(const uint8_t *before, size_t before_size)
{
    enum { BACK = 4 * 8, ALWAYS = 15 };
    if (before_size < BACK)
        return false;
    struct qpu_insn insn = qpu_decode(load_le64(before + before_size - BACK));
    bool links = insn.waddr_add != QPU_NOP || insn.waddr_mul != QPU_NOP;
    return insn.form == QPU_FORM_BRANCH &&
           (insn.cond_br != ALWAYS || (links && (insn.immediate || insn.reg)));
}

static size_t qpu_join(const char *text, size_t length, uint32_t address,
                       const struct asm_names *names, const uint8_t *before, size_t before_size,
                       bool exact, uint8_t bytes[ASM_INSTRUCTION_MAX], struct asm_error *error)
{
    char line[1024];
    uint64_t word;
    if (before_size < sizeof word || is_return(before, before_size))
        return 0;
    size_t first = open_text(line, sizeof line, load_le64(before + before_size - sizeof word),
                             address, exact);
    if (first == 0 || length >= sizeof line - first - 1)
        return 0;
    line[first++] = ';';
    memcpy(line + first, text, length);
    enum qpu_parse_result result = qpu_parse(line, first + length, address, names, &word, error);
    if (result == QPU_PARSE_ERROR || (result == QPU_PARSE_OK && !qpu_may_join(word))) {
        error->offset = error->offset > first ? error->offset - first : 0;
        return 0;
    }
    store_le64(bytes, word);
    return sizeof word;
}

static const uint8_t qpu_nop[] = {0x00, 0x70, 0x9e, 0x00, 0xe7, 0x09, 0x00, 0x10};

const struct asm_isa qpu_asm_isa = {.alignment = 8,
                                    .instruction = qpu_instruction,
                                    .record = cl_assemble,
                                    .operands = &qpu_operands,
                                    .join = qpu_join,
                                    .is_branch = is_qpu_branch,
                                    .nop = qpu_nop,
                                    .mnemonic = qpu_mnemonic,
                                    .library = "vc4.qinc"};
