/* SPDX-License-Identifier: MIT */
/* decode_a64.c - see decode_a64.h.
 *
 * In:  an instruction word.
 * Out: struct a64_instruction. The module has no state.
 *
 * Source: Arm Architecture Reference Manual for A-profile (DDI 0487), C4.1 "Loads and Stores" and
 *         the instructions' pages.
 * Left out, and refused: pointer authentication (LDRAA), exclusives, memory tags, most of SVE,
 * 64-byte accesses (LD64B), memory copies (CPY, SET). */
#include "decode_a64.h"

#include <stddef.h>
#include <string.h>

static uint32_t bits(uint32_t word, unsigned high, unsigned low)
{
    return (word >> low) & (uint32_t)((UINT64_C(1) << (high - low + 1)) - 1);
}

static int64_t signed_bits(uint32_t word, unsigned high, unsigned low)
{
    uint64_t value = (uint64_t)bits(word, high, low) << (63 - (high - low));

    return (int64_t)value >> (63 - (high - low));
}

static int8_t reg(uint32_t word, unsigned low)
{
    return (int8_t)bits(word, low + 4, low);
}

static const char unknown[] = "it is not a supported load or store";

/* Fills in a load or store of `registers` whole registers of `size` bytes each. */
static void set_data(struct a64_instruction *into, bool load, unsigned registers, unsigned size)
{
    into->kind = load ? A64_LOAD : A64_STORE;
    into->registers = (uint8_t)registers;
    into->size = (uint8_t)size;
    into->width = (uint8_t)(into->vector ? 16 : 8);
}

/* Decodes the fields size, V and opc of an instruction that loads or stores one register. */
static const char *single(uint32_t word, struct a64_instruction *into)
{
    unsigned size = bits(word, 31, 30), opc = bits(word, 23, 22);

    into->vector = bits(word, 26, 26);
    if (into->vector) {
        if (opc > 1 && size)
            return unknown;
        set_data(into, opc & 1, 1, opc > 1 ? 16 : 1u << size);
        return NULL;
    }
    set_data(into, opc != 0, 1, 1u << size);
    into->is_signed = opc > 1;
    if (opc == 3)
        into->width = 4;
    if (size == 3 && opc == 2) /* PRFM */
        into->kind = A64_NOTHING;
    return (size == 3 && opc == 3) || (size == 2 && opc == 3) ? unknown : NULL;
}

/* Returns the shift that scales an offset: log2 of the size of the access in bytes. */
static unsigned scale_of(const struct a64_instruction *instruction)
{
    return (unsigned)__builtin_ctz(instruction->size);
}

static const char *unsigned_offset(uint32_t word, struct a64_instruction *into)
{
    const char *refused = single(word, into);

    if (!refused)
        into->offset = (int64_t)bits(word, 21, 10) << scale_of(into);
    return refused;
}

/* Decodes loads and stores with a signed 9-bit offset: unscaled, post-indexed, unprivileged and
 * pre-indexed. */
static const char *signed_offset(uint32_t word, struct a64_instruction *into)
{
    static const enum a64_address forms[] = {A64_OFFSET, A64_POST, A64_OFFSET, A64_PRE};
    const char *refused = single(word, into);
    unsigned form = bits(word, 11, 10);

    into->address = forms[form];
    into->offset = signed_bits(word, 20, 12);
    if (form && into->kind == A64_NOTHING)
        return unknown;
    return form == 2 && into->vector ? unknown : refused;
}

static const char *register_offset(uint32_t word, struct a64_instruction *into)
{
    const char *refused = single(word, into);

    if (refused)
        return refused;
    into->index = reg(word, 16);
    into->extend = (uint8_t)bits(word, 15, 13);
    into->shift = (uint8_t)(bits(word, 12, 12) ? scale_of(into) : 0);
    return into->extend & 2 ? NULL : unknown;
}

static const char *literal(uint32_t word, struct a64_instruction *into)
{
    unsigned opc = bits(word, 31, 30);

    into->vector = bits(word, 26, 26);
    into->address = A64_LITERAL;
    into->offset = signed_bits(word, 23, 5) * 4;
    if (into->vector && opc == 3)
        return unknown;
    set_data(into, true, 1, into->vector ? 4u << opc : opc == 1 ? 8 : 4);
    into->is_signed = !into->vector && opc == 2;
    if (opc == 3) /* PRFM */
        into->kind = A64_NOTHING;
    return NULL;
}

static const char *pair(uint32_t word, struct a64_instruction *into)
{
    static const enum a64_address forms[] = {A64_OFFSET, A64_POST, A64_OFFSET, A64_PRE};
    unsigned opc = bits(word, 31, 30), form = bits(word, 24, 23);
    bool load = bits(word, 22, 22);

    into->vector = bits(word, 26, 26);
    if (opc == 3 || (opc == 1 && !into->vector && (!load || form == 0)))
        return unknown;
    set_data(into, load, 2, into->vector ? 4u << opc : opc == 2 ? 8 : 4);
    into->is_signed = opc == 1 && !into->vector;
    into->reg[1] = reg(word, 10);
    into->address = forms[form];
    into->offset = signed_bits(word, 21, 15) * into->size;
    return NULL;
}

/* Decodes CASP, and refuses exclusive accesses. An exclusive store would always fail, because the
 * return from the handler clears the monitor that the exclusive load has set, and peripherals have
 * no monitor. */
static const char *exclusive(uint32_t word, struct a64_instruction *into)
{
    unsigned size = bits(word, 31, 30);

    if (!bits(word, 21, 21) || size > 1)
        return "peripherals do not support exclusive accesses";
    /* CASP requires that the first register of a pair has an even number. */
    set_data(into, true, 2, 4u << size);
    into->kind = A64_COMPARE;
    into->source = reg(word, 16);
    into->reg[1] = (int8_t)(into->reg[0] + 1);
    return reg(word, 10) != 31 || (into->source | into->reg[0]) & 1 ? unknown : NULL;
}

/* Decodes LDAR, STLR, LDLAR, STLLR and CAS. */
static const char *ordered(uint32_t word, struct a64_instruction *into)
{
    set_data(into, bits(word, 22, 22), 1, 1u << bits(word, 31, 30));
    if (!bits(word, 21, 21))
        return NULL;
    into->kind = A64_COMPARE;
    into->source = reg(word, 16);
    return reg(word, 10) != 31 ? unknown : NULL;
}

/* Decodes LDAPUR and STLUR. */
static const char *ordered_unscaled(uint32_t word, struct a64_instruction *into)
{
    const char *refused = single(word, into);

    into->offset = signed_bits(word, 20, 12);
    return into->kind == A64_NOTHING ? unknown : refused;
}

static const char *atomic(uint32_t word, struct a64_instruction *into)
{
    unsigned operation = bits(word, 15, 12);

    if (bits(word, 26, 26))
        return unknown;
    set_data(into, true, 1, 1u << bits(word, 31, 30));
    if (operation == 12 && bits(word, 23, 22) == 2) /* LDAPR */
        return NULL;
    into->kind = A64_ATOMIC;
    into->source = reg(word, 16);
    into->operation = (enum a64_operation)operation;
    return operation > A64_SWP ? unknown : NULL;
}

static const char *zero(uint32_t word, struct a64_instruction *into)
{
    into->kind = A64_ZERO;
    into->base = (int8_t)(reg(word, 0) == 31 ? A64_NONE : reg(word, 0));
    return NULL;
}

/* ------------------------------------------------------------------ structures of Advanced SIMD */

static void consecutive_registers(struct a64_instruction *into)
{
    for (int i = 0; i < 4; i++)
        into->reg[i] = (int8_t)((into->reg[0] + i) & 31);
}

/* Decodes a post-indexed address. The base register advances by an index register, or by the number
 * of accessed bytes. */
static void post_index(uint32_t word, struct a64_instruction *into)
{
    unsigned bytes = (unsigned)into->registers * into->elements * into->size;

    if (!bits(word, 23, 23))
        return;
    into->address = A64_POST;
    into->offset = bytes;
    if (reg(word, 16) == 31)
        return;
    into->index = reg(word, 16);
    into->extend = 3; /* UXTX */
}

static const char *structures(uint32_t word, struct a64_instruction *into)
{
    /* By opcode: number of registers; true if their elements are interleaved. */
    static const struct {
        uint8_t registers;
        bool together;
    } forms[16] = {
        /* clang-format off */
        [0]  = {4, true},
        [2]  = {4, false},
        [4]  = {3, true},
        [6]  = {3, false},
        [7]  = {1, false},
        [8]  = {2, true},
        [10] = {2, false},
        /* clang-format on */
    };
    unsigned opcode = bits(word, 15, 12), size = bits(word, 11, 10),
             whole = bits(word, 30, 30) ? 16 : 8;

    if (!forms[opcode].registers || (!bits(word, 23, 23) && reg(word, 16)))
        return unknown;
    if (forms[opcode].together && size == 3 && whole == 8)
        return unknown;
    into->vector = true;
    set_data(into, bits(word, 22, 22), forms[opcode].registers, 1u << size);
    into->elements = (uint8_t)(whole >> size);
    into->groups = forms[opcode].together ? 1 : into->registers;
    consecutive_registers(into);
    post_index(word, into);
    return NULL;
}

/* Decodes the element size and the lane of a single element. The upper two bits of the opcode give
 * the size. Q, S and the size field give the lane. */
static const char *lane_of(uint32_t word, struct a64_instruction *into, unsigned *size)
{
    unsigned scale = bits(word, 15, 14), s = bits(word, 12, 12), field = bits(word, 11, 10),
             q = bits(word, 30, 30);
    unsigned number = q << 3 | s << 2 | field;

    if ((scale == 1 && field & 1) || (scale == 2 && (field > 1 || (field && s))))
        return unknown;
    if (scale == 2 && field)
        scale = 3;
    *size = 1u << scale;
    into->lane = (int8_t)(number >> scale);
    return NULL;
}

static const char *structure(uint32_t word, struct a64_instruction *into)
{
    unsigned size = 1u << bits(word, 11, 10),
             registers = 1 + 2 * bits(word, 13, 13) + bits(word, 21, 21);
    const char *refused = NULL;
    bool load = bits(word, 22, 22);

    if (!bits(word, 23, 23) && reg(word, 16))
        return unknown;
    into->vector = true;
    into->replicate = bits(word, 15, 14) == 3;
    if (into->replicate)
        refused = !load || bits(word, 12, 12) ? unknown : NULL;
    else
        refused = lane_of(word, into, &size);
    set_data(into, load, registers, size);
    if (into->replicate && !bits(word, 30, 30))
        into->width = 8;
    consecutive_registers(into);
    post_index(word, into);
    return refused;
}

/* ------------------------------------------------------------------ SVE */

/* Decodes LD1B to LD1D and ST1B to ST1D whose elements are as wide in memory as in the register.
 * The C library uses these instructions to copy memory. */
static const char *masked(uint32_t word, struct a64_instruction *into, unsigned scale)
{
    into->predicate = (int8_t)bits(word, 12, 10);
    into->size = (uint8_t)(1u << scale);
    into->registers = 1;
    into->vector = true;
    if (bits(word, 15, 13) != 2) { /* the offset is an immediate value */
        into->offset = signed_bits(word, 19, 16);
        return NULL;
    }
    into->index = reg(word, 16);
    into->extend = 3; /* UXTX */
    into->shift = (uint8_t)scale;
    return into->index == 31 ? unknown : NULL;
}

static const char *masked_load(uint32_t word, struct a64_instruction *into)
{
    unsigned type = bits(word, 24, 21);

    into->kind = A64_MASKED_LOAD;
    return type % 5 ? unknown : masked(word, into, type / 5);
}

static const char *masked_store(uint32_t word, struct a64_instruction *into)
{
    into->kind = A64_MASKED_STORE;
    return bits(word, 24, 23) != bits(word, 22, 21) ? unknown
                                                    : masked(word, into, bits(word, 24, 23));
}

/* ------------------------------------------------------------------ classes */

static const struct {
    uint32_t mask, value;
    const char *(*decode)(uint32_t word, struct a64_instruction *into);
} classes[] = {
    /* clang-format off */
    {0x3f800000, 0x08000000, exclusive},
    {0x3f800000, 0x08800000, ordered},
    {0x3b000000, 0x18000000, literal},
    {0x3a000000, 0x28000000, pair},
    {0x3b000000, 0x39000000, unsigned_offset},
    {0x3b200000, 0x38000000, signed_offset},
    {0x3b200c00, 0x38200800, register_offset},
    {0x3b200c00, 0x38200000, atomic},
    {0x3f200c00, 0x19000000, ordered_unscaled},
    {0xbf200000, 0x0c000000, structures},
    {0xbf000000, 0x0d000000, structure},
    {0xfe10e000, 0xa400a000, masked_load},
    {0xfe00e000, 0xa4004000, masked_load},
    {0xfe10e000, 0xe400e000, masked_store},
    {0xfe00e000, 0xe4004000, masked_store},
    {0xffffffe0, 0xd50b7420, zero},
    /* clang-format on */
};

const char *a64_decode(uint32_t word, struct a64_instruction *instruction)
{
    memset(instruction, 0, sizeof *instruction);
    instruction->elements = 1;
    instruction->groups = 1;
    instruction->lane = A64_NONE;
    instruction->index = A64_NONE;
    instruction->reg[0] = reg(word, 0);
    instruction->base = reg(word, 5);
    for (size_t i = 0; i < sizeof classes / sizeof *classes; i++)
        if ((word & classes[i].mask) == classes[i].value)
            return classes[i].decode(word, instruction);
    return unknown;
}
