/* SPDX-License-Identifier: MIT */
/* shader_instruction.c - see shader_instruction.h.
 *
 * Source: Linux, drivers/gpu/drm/vc4/vc4_validate_shaders.c and vc4_qpu_defines.h. */
#include "shim/drm/vc4/shader_instruction.h"

static uint32_t bits(uint64_t word, unsigned high, unsigned low)
{
    return (uint32_t)(word >> low) & (uint32_t)((UINT64_C(1) << (high - low + 1)) - 1);
}

struct instruction instruction_decode(uint64_t word)
{
    return (struct instruction){
        .signal = bits(word, 63, 60),
        .pm = bits(word, 56, 56),
        .pack = bits(word, 55, 52),
        .is_relative = bits(word, 51, 51),
        .is_by_register = bits(word, 50, 50),
        .cond_add = bits(word, 51, 49),
        .cond_mul = bits(word, 48, 46),
        .ws = bits(word, 44, 44),
        .waddr_add = bits(word, 43, 38),
        .waddr_mul = bits(word, 37, 32),
        .op_add = bits(word, 28, 24),
        .raddr_a = bits(word, 23, 18),
        .raddr_b = bits(word, 17, 12),
        .add_a = bits(word, 11, 9),
        .add_b = bits(word, 8, 6),
        .immediate = bits(word, 31, 0),
    };
}

bool instruction_reads_uniform(const struct instruction *now)
{
    return now->raddr_a == READ_UNIFORM ||
           (now->raddr_b == READ_UNIFORM && now->signal != SIGNAL_SMALL_IMMEDIATE);
}

/* Like the kernel, interprets the field of a small immediate as a register address. */
bool instruction_adds_uniform(const struct instruction *now)
{
    return (now->add_b == MUX_A && now->raddr_a == READ_UNIFORM) ||
           (now->add_b == MUX_B && now->raddr_b == READ_UNIFORM);
}

bool instruction_is_tmu(uint32_t waddr)
{
    return waddr >= WRITE_TMU0_S;
}

int instruction_written_register(uint32_t waddr, bool file_b)
{
    if (waddr < FILE_B)
        return (int)(file_b ? FILE_B + waddr : waddr);
    return waddr <= WRITE_R3 ? (int)(ACCUMULATORS + waddr - WRITE_R0) : NO_REGISTER;
}

int instruction_first_operand(const struct instruction *now)
{
    if (now->add_a == MUX_A)
        return (int)now->raddr_a;
    if (now->add_a == MUX_B && now->signal != SIGNAL_SMALL_IMMEDIATE)
        return FILE_B + now->raddr_b < REGISTERS ? (int)(FILE_B + now->raddr_b) : NO_REGISTER;
    return now->add_a <= MUX_R3 ? (int)(ACCUMULATORS + now->add_a) : NO_REGISTER;
}

bool instruction_is_upper_half(uint32_t address)
{
    return address >= UPPER_HALF && address < FILE_B;
}
