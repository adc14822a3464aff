/* SPDX-License-Identifier: MIT */
/* shader_instruction.c - see shader_instruction.h.
 *
 * Source: Linux, drivers/gpu/drm/vc4/vc4_validate_shaders.c and vc4_qpu_defines.h. */
#include "shim/drm/vc4/shader_instruction.h"

#include "base/bits.h"

/* The fields of ALU instructions are read last, because raddr_a has another place in branches. */
struct qpu_insn instruction_decode(uint64_t word)
{
    struct qpu_insn now = {0};
#define FIELD(name, high, low, forms) \
    if (!((forms)&QPU_IN_ALU))        \
        now.name = (__typeof__(now.name))bits_get(word, high, low);
#include "isa/qpu/fields.def"
#define FIELD(name, high, low, forms) \
    if ((forms)&QPU_IN_ALU)           \
        now.name = (__typeof__(now.name))bits_get(word, high, low);
#include "isa/qpu/fields.def"
    return now;
}

bool instruction_reads_uniform(const struct qpu_insn *now)
{
    return now->raddr_a == QPU_RD_UNIFORM ||
           (now->raddr_b == QPU_RD_UNIFORM && now->sig != QPU_SIG_SMALL_IMMEDIATE);
}

/* Like the kernel, interprets the field of a small immediate as a register address. */
bool instruction_adds_uniform(const struct qpu_insn *now)
{
    return (now->add_b == QPU_MUX_A && now->raddr_a == QPU_RD_UNIFORM) ||
           (now->add_b == QPU_MUX_B && now->raddr_b == QPU_RD_UNIFORM);
}

bool instruction_is_tmu(uint32_t waddr)
{
    return waddr >= QPU_WR_TMU0_S;
}

int instruction_written_register(uint32_t waddr, bool file_b)
{
    if (waddr < FILE_B)
        return (int)(file_b ? FILE_B + waddr : waddr);
    return waddr <= QPU_WR_ACC3 ? (int)(ACCUMULATORS + waddr - QPU_WR_ACC0) : NO_REGISTER;
}

int instruction_first_operand(const struct qpu_insn *now)
{
    if (now->add_a == QPU_MUX_A)
        return (int)now->raddr_a;
    if (now->add_a == QPU_MUX_B && now->sig != QPU_SIG_SMALL_IMMEDIATE)
        return FILE_B + now->raddr_b < REGISTERS ? (int)(FILE_B + now->raddr_b) : NO_REGISTER;
    return now->add_a <= QPU_MUX_R3 ? (int)(ACCUMULATORS + now->add_a) : NO_REGISTER;
}

bool instruction_is_upper_half(uint32_t address)
{
    return address >= UPPER_HALF && address < FILE_B;
}
