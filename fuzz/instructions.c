/* SPDX-License-Identifier: MIT */
/* instructions.c - fuzz target: the shim's decoders of host instructions that access device
 * registers, with any bytes. A decoder must not read past the end of the instruction, and its
 * results must be within its limits. A copy of an x86 instruction with another operand address is
 * decoded with Zydis, and must differ only in the address. */
#include <stdlib.h>
#include <string.h>

#include <Zydis/Zydis.h>

#include "shim/vcio/decode_a64.h"
#include "shim/vcio/decode_x86.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void check(bool good)
{
    if (!good)
        abort();
}

enum { AT = 0x10000, OPERAND = 0x20040 };

static bool decode(const uint8_t *bytes, size_t size, bool wide, ZydisDecodedInstruction *decoded,
                   ZydisDecodedOperand *operands)
{
    ZydisDecoder decoder;

    ZydisDecoderInit(&decoder, wide ? ZYDIS_MACHINE_MODE_LONG_64 : ZYDIS_MACHINE_MODE_LEGACY_32,
                     wide ? ZYDIS_STACK_WIDTH_64 : ZYDIS_STACK_WIDTH_32);
    return ZYAN_SUCCESS(ZydisDecoderDecodeFull(&decoder, bytes, size, decoded, operands));
}

/* Checks an operand of a copied instruction. A memory operand that ModRM encodes must have the
 * address OPERAND. Other properties of the operand must be unchanged. */
static void check_operand(const ZydisDecodedInstruction *copy, const ZydisDecodedOperand *was,
                          const ZydisDecodedOperand *is)
{
    ZyanU64 address;

    if (was->visibility == ZYDIS_OPERAND_VISIBILITY_HIDDEN)
        return; /* Hidden operands, such as counters and pointers, may change their size. */
    check(was->type == is->type && was->size == is->size && was->actions == is->actions);
    if (was->type == ZYDIS_OPERAND_TYPE_REGISTER)
        check(was->reg.value == is->reg.value);
    if (was->type == ZYDIS_OPERAND_TYPE_IMMEDIATE)
        check(was->imm.value.u == is->imm.value.u);
    if (is->type != ZYDIS_OPERAND_TYPE_MEMORY || is->encoding != ZYDIS_OPERAND_ENCODING_MODRM_RM ||
        is->mem.type == ZYDIS_MEMOP_TYPE_AGEN)
        return;
    check(ZYAN_SUCCESS(ZydisCalcAbsoluteAddress(copy, is, AT, &address)) && address == OPERAND);
}

static void check_copy(const struct x86_instruction *instruction, const uint8_t *bytes, bool wide)
{
    uint8_t copied[X86_COPY];
    size_t size = x86_copy(instruction, wide, copied, AT, OPERAND);
    ZydisDecodedInstruction was, is;
    ZydisDecodedOperand were[ZYDIS_MAX_OPERAND_COUNT], are[ZYDIS_MAX_OPERAND_COUNT];

    check(size <= X86_COPY);
    check(decode(bytes, instruction->length, wide, &was, were) &&
          decode(copied, size, wide, &is, are));
    check(is.length == size && is.mnemonic == was.mnemonic &&
          is.operand_count == was.operand_count);
    for (unsigned i = 0; i < is.operand_count; i++)
        check_operand(&is, &were[i], &are[i]);
}

static void check_x86(const uint8_t *data, size_t size, bool wide)
{
    struct x86_instruction instruction, exact;
    bool more, more_of_exact;
    const char *refused = x86_decode(data, size, wide, &instruction, &more);
    uint8_t *bytes;

    if (!instruction.length)
        return;
    check(instruction.length <= size && instruction.length <= X86_LENGTH && !more);
    bytes = malloc(instruction.length); /* sanitizers then detect reads past the end */
    check(bytes != NULL);
    memcpy(bytes, data, instruction.length);
    check(x86_decode(bytes, instruction.length, wide, &exact, &more_of_exact) == refused);
    check(!memcmp(&exact, &instruction, sizeof exact));
    check(instruction.operands <= X86_OPERANDS);
    for (unsigned i = 0; i < instruction.operands && !refused; i++)
        check(instruction.operand[i].size >= 1 && instruction.operand[i].size <= X86_OPERAND);
    if (!refused && !instruction.nothing && instruction.operands)
        check_copy(&instruction, bytes, wide);
    free(bytes);
}

static void check_a64(uint32_t word)
{
    struct a64_instruction instruction;

    if (a64_decode(word, &instruction) || instruction.kind == A64_NOTHING ||
        instruction.kind == A64_ZERO)
        return;
    check(instruction.registers >= 1 && instruction.registers <= 4);
    check(instruction.size && !(instruction.size & (instruction.size - 1)) &&
          instruction.size <= 16);
    check(instruction.registers * instruction.elements * instruction.size <= 64);
    check(instruction.elements * instruction.size <= 16);
    check(instruction.lane == A64_NONE || (instruction.lane + 1) * instruction.size <= 16);
    check(instruction.base >= 0 && instruction.base <= A64_SP);
    for (int i = 0; i < instruction.registers; i++)
        check(instruction.reg[i] >= 0 && instruction.reg[i] <= 31);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    uint32_t word;

    for (size_t at = 0; at + sizeof word <= size; at += sizeof word) {
        memcpy(&word, data + at, sizeof word);
        check_a64(word);
    }
    check_x86(data, size, true);
    check_x86(data, size, false);
    return 0;
}
