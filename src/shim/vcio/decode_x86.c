/* SPDX-License-Identifier: MIT */
/* decode_x86.c - see decode_x86.h.
 *
 * In:  bytes of an instruction.
 * Out: struct x86_instruction. The module has no state.
 *
 * Source: Zydis, for the tables of the instruction set; Intel 64 and IA-32 Architectures Software
 *         Developer's Manual, volume 2: 2.1 (formats), 2.2.1.6 (RIP-relative addressing), BT (bit
 *         strings), the string instructions.
 * Left out, and refused: gathers and scatters, branches through memory, segments with a base,
 * operands of more than 64 bytes (FXSAVE), masked operations other than moves, and instructions for
 * tile and bounds registers, because a signal handler has its own values of these registers. */
#include "decode_x86.h"

#include <string.h>

#include <Zydis/Zydis.h>

/* ------------------------------------------------------------------ terms of Zydis */

static bool decode(const uint8_t *bytes, size_t size, bool wide, ZydisDecodedInstruction *decoded,
                   ZydisDecodedOperand *operands, bool *more)
{
    ZydisDecoder decoder;
    ZyanStatus status;

    ZydisDecoderInit(&decoder, wide ? ZYDIS_MACHINE_MODE_LONG_64 : ZYDIS_MACHINE_MODE_LEGACY_32,
                     wide ? ZYDIS_STACK_WIDTH_64 : ZYDIS_STACK_WIDTH_32);
    status = ZydisDecoderDecodeFull(&decoder, bytes, size, decoded, operands);
    *more = status == ZYDIS_STATUS_NO_MORE_DATA;
    return ZYAN_SUCCESS(status);
}

static int number_of(ZydisRegister reg)
{
    switch (ZydisRegisterGetClass(reg)) {
    case ZYDIS_REGCLASS_GPR8:
        /* AH, CH, DH and BH are the upper halves of other registers. */
        return reg >= ZYDIS_REGISTER_AH && reg <= ZYDIS_REGISTER_BH ? X86_NONE
                                                                    : ZydisRegisterGetId(reg);
    case ZYDIS_REGCLASS_GPR16:
    case ZYDIS_REGCLASS_GPR32:
    case ZYDIS_REGCLASS_GPR64: return ZydisRegisterGetId(reg);
    case ZYDIS_REGCLASS_IP: return X86_IP;
    default: return X86_NONE;
    }
}

/* True for an instruction that affects only caches. Such an instruction has no effect on a
 * device. */
static bool is_about_caches(ZydisMnemonic mnemonic)
{
    return mnemonic == ZYDIS_MNEMONIC_CLFLUSH || mnemonic == ZYDIS_MNEMONIC_CLFLUSHOPT ||
           mnemonic == ZYDIS_MNEMONIC_CLWB || mnemonic == ZYDIS_MNEMONIC_CLDEMOTE;
}

static bool is_string(ZydisInstructionCategory category)
{
    return category == ZYDIS_CATEGORY_STRINGOP;
}

/* True for a move whose mask is a vector. */
static bool is_masked_move(ZydisMnemonic mnemonic)
{
    switch (mnemonic) {
    case ZYDIS_MNEMONIC_MASKMOVDQU:
    case ZYDIS_MNEMONIC_MASKMOVQ:
    case ZYDIS_MNEMONIC_VMASKMOVDQU:
    case ZYDIS_MNEMONIC_VMASKMOVPD:
    case ZYDIS_MNEMONIC_VMASKMOVPS:
    case ZYDIS_MNEMONIC_VPMASKMOVD:
    case ZYDIS_MNEMONIC_VPMASKMOVQ: return true;
    default: return false;
    }
}

/* True for a store of the x87 unit. If such a store raises an unmasked exception, it does not
 * change memory (SDM volume 1, 8.5). */
static bool is_x87_store(const ZydisDecodedInstruction *decoded, ZydisOperandActions actions)
{
    return decoded->meta.category == ZYDIS_CATEGORY_X87_ALU &&
           (actions & ZYDIS_OPERAND_ACTION_MASK_WRITE);
}

/* True for moves and stores. Trial runs can find the bytes that they access. */
static bool can_be_tried(const ZydisDecodedInstruction *decoded)
{
    switch (decoded->meta.category) {
    case ZYDIS_CATEGORY_X87_ALU:
    case ZYDIS_CATEGORY_DATAXFER:
    case ZYDIS_CATEGORY_BROADCAST:
    case ZYDIS_CATEGORY_EXPAND:
    case ZYDIS_CATEGORY_COMPRESS: return true;
    default: return is_masked_move(decoded->mnemonic);
    }
}

/* True for an AVX-512 instruction with a mask register. K0 means that the instruction has no
 * mask. */
static bool is_masked(const ZydisDecodedInstruction *decoded)
{
    return decoded->avx.mask.reg > ZYDIS_REGISTER_K0 && decoded->avx.mask.reg <= ZYDIS_REGISTER_K7;
}

static const char *refuse_instruction(const ZydisDecodedInstruction *decoded)
{
    if (decoded->meta.branch_type != ZYDIS_BRANCH_TYPE_NONE)
        return "it branches to an address that it reads";
    if (decoded->encoding == ZYDIS_INSTRUCTION_ENCODING_MVEX)
        return "it belongs to another kind of processor";
    if (decoded->meta.category == ZYDIS_CATEGORY_AMX_TILE ||
        decoded->meta.category == ZYDIS_CATEGORY_MPX)
        return "it uses tile or bounds registers";
    return NULL;
}

static const char *refuse_operand(const ZydisDecodedOperand *operand)
{
    if (operand->mem.type == ZYDIS_MEMOP_TYPE_VSIB)
        return "it gathers or scatters single elements";
    if (operand->mem.segment == ZYDIS_REGISTER_FS || operand->mem.segment == ZYDIS_REGISTER_GS)
        return "its address is relative to a segment";
    if (operand->encoding != ZYDIS_OPERAND_ENCODING_MODRM_RM &&
        operand->encoding != ZYDIS_OPERAND_ENCODING_NONE &&
        operand->encoding != ZYDIS_OPERAND_ENCODING_DISP16_32_64)
        return "it has a second operand in memory";
    if (operand->size < 8 || operand->size > 8 * X86_OPERAND)
        return "it accesses more than 64 bytes at once";
    return NULL;
}

/* ------------------------------------------------------------------ terms of the shim */

static bool is_conditional(const ZydisDecodedInstruction *decoded, ZydisOperandActions actions)
{
    bool reads = actions & ZYDIS_OPERAND_ACTION_READ, writes = actions & ZYDIS_OPERAND_ACTION_WRITE;

    /* CMPXCHG is not conditional: if the comparison fails, it writes the value that it has read
     * (SDM volume 2). A repeated string instruction is not conditional while elements remain. */
    return is_masked(decoded) || is_masked_move(decoded->mnemonic) ||
           is_x87_store(decoded, actions) ||
           (!reads && !writes && !is_string(decoded->meta.category));
}

static const char *take_operand(const ZydisDecodedInstruction *decoded,
                                const ZydisDecodedOperand *from, struct x86_instruction *into)
{
    const char *refused = refuse_operand(from);
    struct x86_operand *operand = &into->operand[into->operands];

    if (refused)
        return refused;
    if (into->operands == X86_OPERANDS)
        return "it has more than two operands in memory";
    into->operands++;
    operand->implicit = from->encoding == ZYDIS_OPERAND_ENCODING_NONE;
    operand->reads = from->actions & ZYDIS_OPERAND_ACTION_MASK_READ;
    operand->writes = from->actions & ZYDIS_OPERAND_ACTION_MASK_WRITE;
    operand->conditional = is_conditional(decoded, from->actions);
    operand->size = (uint8_t)(from->size / 8);
    operand->base = number_of(from->mem.base);
    operand->index = number_of(from->mem.index);
    operand->scale = from->mem.scale;
    operand->displacement = from->mem.disp.has_displacement ? from->mem.disp.value : 0;
    if (operand->implicit && operand->base == X86_SP && operand->writes)
        operand->below = operand->size;
    if (operand->conditional && !can_be_tried(decoded))
        return "it accesses elements that a mask selects";
    if (!operand->implicit)
        into->encoded = true;
    return NULL;
}

static enum x86_repeat repeat_of(const ZydisDecodedInstruction *decoded)
{
    if (decoded->attributes & ZYDIS_ATTRIB_HAS_REPE)
        return X86_REPE;
    if (decoded->attributes & ZYDIS_ATTRIB_HAS_REPNE)
        return X86_REPNE;
    return decoded->attributes & ZYDIS_ATTRIB_HAS_REP ? X86_REP : X86_ONCE;
}

/* For BT, BTS, BTR and BTC, returns the register with the bit number, or X86_NONE. The bit may be
 * outside the operand. */
static int bits_of(const ZydisDecodedInstruction *decoded, const ZydisDecodedOperand *operands)
{
    switch (decoded->mnemonic) {
    case ZYDIS_MNEMONIC_BT:
    case ZYDIS_MNEMONIC_BTS:
    case ZYDIS_MNEMONIC_BTR:
    case ZYDIS_MNEMONIC_BTC:
        return operands[1].type == ZYDIS_OPERAND_TYPE_REGISTER ? number_of(operands[1].reg.value)
                                                               : X86_NONE;
    default: return X86_NONE;
    }
}

static bool is_legacy_prefix(uint8_t byte)
{
    static const uint8_t prefixes[] = {0x26, 0x2e, 0x36, 0x3e, 0x64, 0x65,
                                       0x66, 0x67, 0xf0, 0xf2, 0xf3};

    return memchr(prefixes, byte, sizeof prefixes) != NULL;
}

static bool is_rex(uint8_t byte)
{
    return byte >> 4 == 4;
}

/* Copies the bytes before ModRM, or all bytes if there is no ModRM. Drops an address-size prefix,
 * because the copy's addresses have the default size of the mode. Drops a REX prefix that other
 * prefixes follow: it has no effect there, but would have an effect if it became the last
 * prefix. */
static void take_head(const uint8_t *bytes, size_t size, bool wide, struct x86_instruction *into)
{
    size_t prefixes = 0;

    while (prefixes < size &&
           (is_legacy_prefix(bytes[prefixes]) || (wide && is_rex(bytes[prefixes]))))
        prefixes++;
    for (size_t i = 0; i < size; i++) {
        bool dropped = i < prefixes &&
                       (bytes[i] == 0x67 || (i + 1 < prefixes && !is_legacy_prefix(bytes[i])));

        if (!dropped)
            into->head[into->head_size++] = bytes[i];
    }
}

/* Converts MOV between the accumulator and an address in the instruction: opcodes A0 to A3 become
 * opcodes 8A, 8B, 88 and 89. */
static void take_address_form(const uint8_t *bytes, size_t size, bool wide,
                              struct x86_instruction *into)
{
    static const uint8_t opcodes[] = {0x8a, 0x8b, 0x88, 0x89};
    uint8_t *opcode;

    take_head(bytes, size, wide, into);
    opcode = &into->head[into->head_size - 1];
    *opcode = opcodes[*opcode & 3];
    if (wide && into->head_size > 1 && is_rex(opcode[-1]))
        /* in the new opcode, R selects the register; the accumulator needs R = 0 */
        opcode[-1] &= 0x48;
    into->field = 0;
}

static void take_copy(const ZydisDecodedInstruction *decoded, const uint8_t *bytes, bool wide,
                      struct x86_instruction *into)
{
    size_t after;

    if (!into->encoded) {
        take_head(bytes, decoded->length, wide, into);
        return;
    }
    if (!(decoded->attributes & ZYDIS_ATTRIB_HAS_MODRM)) {
        take_address_form(bytes, decoded->raw.disp.offset, wide, into);
        return;
    }
    take_head(bytes, decoded->raw.modrm.offset, wide, into);
    into->modrm = bytes[decoded->raw.modrm.offset];
    into->field = decoded->raw.modrm.reg;
    after = decoded->raw.modrm.offset + 1u +
            (decoded->attributes & ZYDIS_ATTRIB_HAS_SIB ? 1u : 0u) + decoded->raw.disp.size / 8u;
    into->tail_size = (uint8_t)(decoded->length - after);
    memcpy(into->tail, bytes + after, into->tail_size);
}

const char *x86_decode(const uint8_t *bytes, size_t size, bool wide,
                       struct x86_instruction *instruction, bool *more)
{
    ZydisDecodedInstruction decoded;
    ZydisDecodedOperand operands[ZYDIS_MAX_OPERAND_COUNT];
    const char *refused;

    memset(instruction, 0, sizeof *instruction);
    if (!decode(bytes, size, wide, &decoded, operands, more))
        return "it is not a known instruction";
    instruction->length = decoded.length;
    instruction->address_width = decoded.address_width;
    instruction->stack_width = decoded.stack_width;
    instruction->nothing = is_about_caches(decoded.mnemonic);
    instruction->bits = bits_of(&decoded, operands);
    if (is_string(decoded.meta.category))
        instruction->repeat = repeat_of(&decoded);
    refused = instruction->nothing ? NULL : refuse_instruction(&decoded);
    for (unsigned i = 0; i < decoded.operand_count && !refused && !instruction->nothing; i++)
        if (operands[i].type == ZYDIS_OPERAND_TYPE_MEMORY &&
            operands[i].mem.type != ZYDIS_MEMOP_TYPE_AGEN)
            refused = take_operand(&decoded, &operands[i], instruction);
    if (refused)
        return refused;
    take_copy(&decoded, bytes, wide, instruction);
    if (instruction->encoded && instruction->head_size + 5 + instruction->tail_size > X86_LENGTH)
        return "it has too many prefixes";
    return NULL;
}

uint8_t x86_copy_modrm(const struct x86_instruction *instruction)
{
    /* mod 0, r/m 5: only a displacement, which in 64-bit mode is relative to the next
     * instruction */
    return (uint8_t)(instruction->field << 3 | 5);
}

size_t x86_copy(const struct x86_instruction *instruction, bool wide, uint8_t *into, uintptr_t at,
                uintptr_t operand)
{
    size_t size = instruction->head_size, end;
    uint32_t displacement;

    memcpy(into, instruction->head, size);
    if (!instruction->encoded)
        return size;
    end = size + 5 + instruction->tail_size;
    displacement = (uint32_t)(wide ? operand - (at + end) : operand);
    into[size] = x86_copy_modrm(instruction);
    memcpy(into + size + 1, &displacement, sizeof displacement);
    memcpy(into + size + 5, instruction->tail, instruction->tail_size);
    return end;
}

void x86_text(const uint8_t *bytes, size_t size, bool wide, uintptr_t at, char *text,
              size_t text_size)
{
    ZydisDecodedInstruction decoded;
    ZydisDecodedOperand operands[ZYDIS_MAX_OPERAND_COUNT];
    ZydisFormatter formatter;
    bool more;

    text[0] = '\0';
    if (!decode(bytes, size, wide, &decoded, operands, &more))
        return;
    ZydisFormatterInit(&formatter, ZYDIS_FORMATTER_STYLE_INTEL);
    if (!ZYAN_SUCCESS(ZydisFormatterFormatInstruction(&formatter, &decoded, operands,
                                                      decoded.operand_count_visible, text,
                                                      text_size, at, NULL)))
        text[0] = '\0';
}
