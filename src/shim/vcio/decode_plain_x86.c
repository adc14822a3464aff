/* SPDX-License-Identifier: MIT */
/* decode_plain_x86.c - decodes plain instructions; see plain_x86.h.
 *
 * In:  bytes of an instruction.
 * Out: struct plain. The module has no state.
 *
 * Source: Zydis, for the tables of the instruction set; Intel 64 and IA-32 Architectures Software
 *         Developer's Manual, volume 2, appendix B.1.4.7 (conditions are the low four bits of the
 *         opcode).
 * Left out: instructions that push or pop, prefixes such as LOCK and REP, segments with a base, AH,
 *           CH, DH and BH, and instructions that are rare next to registers of peripherals. */
#include <string.h>

#include <Zydis/Zydis.h>

#include "plain_x86.h"

/* --- kinds of instructions --- */

static const struct row {
    ZydisMnemonic mnemonic;
    enum plain_kind kind;
    enum plain_operation operation;
} rows[] = {
    /* clang-format off */
    {ZYDIS_MNEMONIC_MOV,    PLAIN_MOVE,    0},
    {ZYDIS_MNEMONIC_MOVZX,  PLAIN_MOVE,    0},
    {ZYDIS_MNEMONIC_MOVSX,  PLAIN_EXTEND,  0},
    {ZYDIS_MNEMONIC_MOVSXD, PLAIN_EXTEND,  0},
    {ZYDIS_MNEMONIC_LEA,    PLAIN_ADDRESS, 0},
    {ZYDIS_MNEMONIC_ADD,    PLAIN_OPERATE, PLAIN_ADD},
    {ZYDIS_MNEMONIC_OR,     PLAIN_OPERATE, PLAIN_OR},
    {ZYDIS_MNEMONIC_ADC,    PLAIN_OPERATE, PLAIN_ADC},
    {ZYDIS_MNEMONIC_SBB,    PLAIN_OPERATE, PLAIN_SBB},
    {ZYDIS_MNEMONIC_AND,    PLAIN_OPERATE, PLAIN_AND},
    {ZYDIS_MNEMONIC_SUB,    PLAIN_OPERATE, PLAIN_SUB},
    {ZYDIS_MNEMONIC_XOR,    PLAIN_OPERATE, PLAIN_XOR},
    {ZYDIS_MNEMONIC_CMP,    PLAIN_COMPARE, PLAIN_SUB},
    {ZYDIS_MNEMONIC_TEST,   PLAIN_COMPARE, PLAIN_TEST},
    {ZYDIS_MNEMONIC_INC,    PLAIN_OPERATE, PLAIN_INC},
    {ZYDIS_MNEMONIC_DEC,    PLAIN_OPERATE, PLAIN_DEC},
    {ZYDIS_MNEMONIC_NEG,    PLAIN_OPERATE, PLAIN_NEG},
    {ZYDIS_MNEMONIC_NOT,    PLAIN_OPERATE, PLAIN_NOT},
    {ZYDIS_MNEMONIC_SHL,    PLAIN_OPERATE, PLAIN_SHL},
    {ZYDIS_MNEMONIC_SHR,    PLAIN_OPERATE, PLAIN_SHR},
    {ZYDIS_MNEMONIC_SAR,    PLAIN_OPERATE, PLAIN_SAR},
    {ZYDIS_MNEMONIC_IMUL,   PLAIN_OPERATE, PLAIN_IMUL},
    {ZYDIS_MNEMONIC_BT,     PLAIN_COMPARE, PLAIN_BT},
    {ZYDIS_MNEMONIC_JMP,    PLAIN_JUMP,    0},
    {ZYDIS_MNEMONIC_NOP,    PLAIN_NOTHING, 0},
    {ZYDIS_MNEMONIC_PAUSE,  PLAIN_NOTHING, 0},
    {ZYDIS_MNEMONIC_LFENCE, PLAIN_NOTHING, 0},
    {ZYDIS_MNEMONIC_MFENCE, PLAIN_NOTHING, 0},
    {ZYDIS_MNEMONIC_SFENCE, PLAIN_NOTHING, 0},
    /* clang-format on */
};

static const struct row *row_of(const ZydisDecodedInstruction *decoded)
{
    static const struct row branch = {.kind = PLAIN_JUMP}, set = {.kind = PLAIN_SET},
                            choose = {.kind = PLAIN_CHOOSE};

    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
        if (rows[i].mnemonic == decoded->mnemonic)
            return &rows[i];
    if (decoded->meta.category == ZYDIS_CATEGORY_SETCC)
        return &set;
    if (decoded->meta.category == ZYDIS_CATEGORY_CMOV)
        return &choose;
    /* JCXZ and LOOP have other opcodes. */
    if (decoded->meta.category == ZYDIS_CATEGORY_COND_BR &&
        (decoded->opcode >> 4 == 7 || decoded->opcode_map == ZYDIS_OPCODE_MAP_0F))
        return &branch;
    return NULL;
}

/* --- operands --- */

/* Zydis lists the registers of a byte in the order AL to BL, AH to BH, SPL to DIL, R8B to R15B. */
static int8_t number_of(ZydisRegister reg)
{
    switch (ZydisRegisterGetClass(reg)) {
    case ZYDIS_REGCLASS_GPR8:
        if (reg <= ZYDIS_REGISTER_BL)
            return (int8_t)(reg - ZYDIS_REGISTER_AL);
        return reg < ZYDIS_REGISTER_SPL ? PLAIN_NONE : (int8_t)(4 + (reg - ZYDIS_REGISTER_SPL));
    case ZYDIS_REGCLASS_GPR16:
    case ZYDIS_REGCLASS_GPR32:
    case ZYDIS_REGCLASS_GPR64: return (int8_t)ZydisRegisterGetId(reg);
    case ZYDIS_REGCLASS_IP: return PLAIN_IP;
    default: return PLAIN_NONE;
    }
}

static bool take_memory(const ZydisDecodedOperand *operand, struct plain *plain)
{
    const bool segment = operand->mem.segment == ZYDIS_REGISTER_FS ||
                         operand->mem.segment == ZYDIS_REGISTER_GS;

    plain->base = number_of(operand->mem.base);
    plain->index = number_of(operand->mem.index);
    plain->scale = operand->mem.scale;
    if (operand->mem.disp.has_displacement)
        plain->displacement = (uintptr_t)operand->mem.disp.value;
    return operand->mem.type == ZYDIS_MEMOP_TYPE_AGEN ||
           (operand->mem.type == ZYDIS_MEMOP_TYPE_MEM && !segment);
}

static bool take_operand(const ZydisDecodedOperand *operand, struct plain *plain,
                         struct plain_operand *into)
{
    into->size = (uint8_t)(operand->size / 8);
    switch (operand->type) {
    case ZYDIS_OPERAND_TYPE_REGISTER:
        into->place = PLAIN_REGISTER;
        into->reg = number_of(operand->reg.value);
        return into->reg != PLAIN_NONE && into->reg != PLAIN_IP;
    case ZYDIS_OPERAND_TYPE_IMMEDIATE:
        into->place = PLAIN_VALUE;
        into->value = (uintptr_t)operand->imm.value.s;
        return true;
    case ZYDIS_OPERAND_TYPE_MEMORY: into->place = PLAIN_MEMORY; return take_memory(operand, plain);
    default: return false;
    }
}

static bool take_operands(const ZydisDecodedInstruction *decoded,
                          const ZydisDecodedOperand *operands, struct plain *plain)
{
    const unsigned count = decoded->operand_count_visible;

    if (plain->kind == PLAIN_NOTHING)
        return true;
    if (plain->kind == PLAIN_JUMP) {
        if (decoded->attributes & ZYDIS_ATTRIB_HAS_OPERANDSIZE)
            return false; /* processors differ */
        plain->value = (uintptr_t)operands[0].imm.value.s;
        return operands[0].type == ZYDIS_OPERAND_TYPE_IMMEDIATE && operands[0].imm.is_relative;
    }
    if (count < 1 || count > 3 || !take_operand(&operands[0], plain, &plain->to) ||
        (count > 1 && !take_operand(&operands[1], plain, &plain->from)))
        return false;
    if (plain->kind == PLAIN_ADDRESS)
        plain->from.place = PLAIN_ABSENT; /* LEA does not access memory */
    if (count < 3)
        return true;
    plain->kind = PLAIN_SCALE;
    plain->value = (uintptr_t)operands[2].imm.value.s;
    return operands[2].type == ZYDIS_OPERAND_TYPE_IMMEDIATE;
}

/* True for forms that need more than plain_execute() does: IMUL with one operand writes two
 * registers, and BT of memory may read outside the operand. Shifts have a second operand. */
static bool is_unusual(const struct plain *plain)
{
    switch (plain->operation) {
    case PLAIN_SHL:
    case PLAIN_SHR:
    case PLAIN_SAR:
    case PLAIN_IMUL: return plain->from.place == PLAIN_ABSENT;
    case PLAIN_BT: return plain->to.place == PLAIN_MEMORY;
    default: return false;
    }
}

static bool take(const ZydisDecodedInstruction *decoded, const ZydisDecodedOperand *operands,
                 struct plain *plain)
{
    const ZydisInstructionAttributes refused = ZYDIS_ATTRIB_HAS_LOCK | ZYDIS_ATTRIB_HAS_XACQUIRE |
                                               ZYDIS_ATTRIB_HAS_XRELEASE | ZYDIS_ATTRIB_HAS_REP;
    const struct row *row = row_of(decoded);

    if (!row || decoded->attributes & refused ||
        decoded->encoding != ZYDIS_INSTRUCTION_ENCODING_LEGACY)
        return false;
    plain->kind = row->kind;
    plain->operation = row->operation;
    plain->length = decoded->length;
    plain->address_width = decoded->address_width;
    plain->condition = decoded->mnemonic == ZYDIS_MNEMONIC_JMP ? PLAIN_ALWAYS
                                                               : decoded->opcode & 15;
    return take_operands(decoded, operands, plain) && !is_unusual(plain);
}

void plain_decode(const uint8_t *bytes, size_t size, bool wide, struct plain *plain)
{
    ZydisDecodedInstruction decoded;
    ZydisDecodedOperand operands[ZYDIS_MAX_OPERAND_COUNT];
    ZydisDecoder decoder;

    memset(plain, 0, sizeof *plain);
    plain->base = plain->index = PLAIN_NONE;
    ZydisDecoderInit(&decoder, wide ? ZYDIS_MACHINE_MODE_LONG_64 : ZYDIS_MACHINE_MODE_LEGACY_32,
                     wide ? ZYDIS_STACK_WIDTH_64 : ZYDIS_STACK_WIDTH_32);
    if (!ZYAN_SUCCESS(ZydisDecoderDecodeFull(&decoder, bytes, size, &decoded, operands)) ||
        !take(&decoded, operands, plain))
        plain->kind = PLAIN_UNKNOWN;
}
