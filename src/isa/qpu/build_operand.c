/* SPDX-License-Identifier: MIT */
/* build_operand.c - targets and sources of an ALU operation: the register file of a write, the port
 * and mux of a read.
 *
 * In:     operands, as parsed by operand.c.
 * Out:    write addresses, read addresses and muxes of the word under construction, or an error
 *         if they conflict.
 * Source: as in build.c. */
#include "isa/qpu/build_internal.h"

#include "base/bits.h"
#include "isa/qpu/constant.h"

bool qpu_build_is_register(const struct asm_value *value, struct qpu_operand *operand)
{
    if (value->kind != ASM_OPERAND)
        return false;
    *operand = qpu_operand_unpack(value->integer);
    return operand->kind == QPU_OPERAND_REGISTER;
}

/* --- targets --- */

static bool place_target(struct qpu_build *build, const struct qpu_operand *operand)
{
    bool mul = at_mul(build);
    unsigned other = build->half[mul ? QPU_ADD_UNIT : QPU_MUL_UNIT].target;
    if ((operand->uses & QPU_REGISTER_AB) != QPU_REGISTER_AB) {
        bool free = writes_either_file(other);
        bool swapped = operand->uses & QPU_REGISTER_A ? mul : !mul;
        if (!(operand->uses & QPU_REGISTER_AB) || (!free && build->swapped_write != swapped))
            return FAIL(build, "write one result to the other file or to an accumulator",
                        "both results go to the same register file");
        build->swapped_write = swapped;
    }
    current(build)->target = operand->number;
    return true;
}

/* Checks that a pack mode on the opcode can be applied to the target. */
static bool check_opcode_pack(struct qpu_build *build)
{
    bool mul = at_mul(build);
    bool mine = build->sig != QPU_SIG_BRANCH && build->pack && build->pm == mul &&
                !(!mul && build->swapped_write);
    if (!mine)
        return true;
    if (!mul)
        return (!build->swapped_write && add_of(build)->target < 32) ||
               FAIL(build, "write to ra0..ra31", "the add ALU packs into register file A only");
    if (build->swapped_write && add_of(build)->target < 32 && !build->pm_fixed) {
        build->pm = 0;
        return true;
    }
    return build->pack >= 11 || FAIL(build, "write .8abcds or .8as to .8ds",
                                     "the mul ALU packs to saturated 8-bit colours only");
}

static bool target_suffixes(struct qpu_build *build, const struct asm_value *value)
{
    if (value->kind != ASM_OPERAND)
        return true;
    struct qpu_operand operand = qpu_operand_unpack(value->integer);
    return (!operand.conditional || qpu_build_condition(build, operand.condition)) &&
           (!operand.set_flags || qpu_build_set_flags(build));
}

bool qpu_build_target(struct qpu_build *build, const struct asm_value *value)
{
    struct qpu_operand operand;
    if (!target_suffixes(build, value))
        return false;
    if (!qpu_build_is_register(value, &operand))
        return FAIL(build, "write - if the result is not needed", "the target is not a register");
    if (!(operand.uses & QPU_REGISTER_WRITE))
        return FAIL(build, operand.number == QPU_WR_ACC5 ? "write r5quad or r5rep" : NULL,
                    "this register cannot be written");
    if (!place_target(build, &operand) || !check_opcode_pack(build))
        return false;
    if (operand.rotation == -QPU_ROTATE_R5)
        qpu_build_warn(build, "qpu-rotate-r5", "write << r5",
                       "r5 rotates a target upwards only, as << r5 does");
    int count = operand.rotation == QPU_ROTATE_R5 ? -QPU_ROTATE_R5 : operand.rotation;
    return qpu_build_rotate(build, count) && qpu_build_mode(build, operand.mode);
}

/* --- reading registers --- */

static bool reads_either_file(unsigned address)
{
    return address == QPU_RD_UNIFORM || address == QPU_RD_VARYING || address == QPU_NOP ||
           address == QPU_RD_VPM || address == QPU_RD_MUTEX;
}

/* Exchanges the two read ports if both addresses have the same meaning in both files. */
static bool exchange_ports(struct qpu_build *build)
{
    if (build->ports_fixed || has_small(build) || !is_alu(build) || (build->unpack && !build->pm) ||
        !reads_either_file(build->raddr_a) || !reads_either_file(build->raddr_b))
        return false;
    uint8_t address = build->raddr_a;
    build->raddr_a = build->raddr_b;
    build->raddr_b = address;
    for (unsigned i = 0; i < 4; i++) {
        uint8_t *mux = &build->half[i >> 1].mux[i & 1];
        if (*mux >= QPU_MUX_A)
            *mux ^= QPU_MUX_A ^ QPU_MUX_B;
    }
    return true;
}

static bool port_takes(const struct qpu_build *build, bool port_b, unsigned address)
{
    return !any_input(build, port_b ? QPU_MUX_B : QPU_MUX_A) ||
           (port_b ? build->raddr_b : build->raddr_a) == address;
}

static unsigned use_port(struct qpu_build *build, const struct qpu_operand *operand, bool port_b)
{
    if ((operand->uses & QPU_REGISTER_AB) != QPU_REGISTER_AB)
        build->ports_fixed = true;
    *(port_b ? &build->raddr_b : &build->raddr_a) = operand->number;
    return port_b ? QPU_MUX_B : QPU_MUX_A;
}

static bool read_through_port(struct qpu_build *build, const struct qpu_operand *operand,
                              unsigned *mux)
{
    bool in_a = operand->uses & QPU_REGISTER_A, in_b = operand->uses & QPU_REGISTER_B;
    bool port_b = !(in_a && port_takes(build, false, operand->number));
    if (port_b && in_b && has_small(build))
        return FAIL(build, "copy the register to an accumulator first",
                    "register file B cannot be read next to a small immediate or rotation");
    if (!port_b || (in_b && port_takes(build, true, operand->number))) {
        *mux = use_port(build, operand, port_b);
        return true;
    }
    if (in_a != in_b && port_takes(build, in_a, operand->number) && exchange_ports(build)) {
        *mux = use_port(build, operand, in_b);
        return true;
    }
    return FAIL(build, "copy one register to an accumulator first",
                "two registers of one file are read in one line");
}

bool qpu_build_choose_mux(struct qpu_build *build, const struct qpu_operand *operand, unsigned *mux)
{
    if (operand->uses & QPU_REGISTER_SEMAPHORE)
        return FAIL(build, "write mov or ldi", "only a move takes a semaphore");
    if (operand->uses & QPU_REGISTER_READ)
        return read_through_port(build, operand, mux);
    *mux = operand->number ^ 32u;
    return *mux <= QPU_MUX_R5 || FAIL(build,
                                      "read r0 to r5, a register of file A or B, or one of the "
                                      "inputs such as unif or vary",
                                      "this register cannot be read");
}

void qpu_build_set_mux(struct qpu_build *build, unsigned mux)
{
    struct qpu_half *half = current(build);
    if (build->at & QPU_AT_FIRST)
        half->mux[0] = (uint8_t)mux;
    if (build->at & QPU_AT_SECOND)
        half->mux[1] = (uint8_t)mux;
}

bool qpu_build_rotate_source(struct qpu_build *build, const struct qpu_operand *operand)
{
    if (operand->rotation == QPU_ROTATE_R5)
        qpu_build_warn(build, "qpu-rotate-r5", "write >> r5",
                       "r5 rotates a source upwards only, as >> r5 does");
    int count = operand->rotation == -QPU_ROTATE_R5 ? operand->rotation : -operand->rotation;
    return qpu_build_rotate(build, count);
}

/* --- sources --- */

/* Replaces a constant by another that is a small immediate and yields the same result. Adding 16
 * becomes subtracting -16. Shift counts are reduced to five bits, because the ALU uses no other
 * bits. */
static uint32_t adjust_constant(struct qpu_build *build, uint32_t value)
{
    struct qpu_half *half = add_of(build);
    if (build->at != (QPU_AT_SECOND | QPU_AT_ADD))
        return value;
    switch (half->op) {
    case QPU_ADD_ADD:
    case QPU_ADD_SUB: {
        bool negated = has_small(build) && qpu_small_immediate(build->raddr_b) == 0 - value;
        if (value != 16 && !negated)
            return value;
        half->op ^= QPU_ADD_ADD ^ QPU_ADD_SUB;
        return 0 - value;
    }
    case QPU_ADD_SHR:
    case QPU_ADD_ASR:
    case QPU_ADD_ROR:
    case QPU_ADD_SHL: return (uint32_t)bits_signed(value, 5);
    }
    return value;
}

bool qpu_build_source(struct qpu_build *build, const struct asm_value *value)
{
    struct qpu_operand operand;
    uint32_t bits;
    unsigned mux = QPU_MUX_B;
    if (!qpu_build_is_register(value, &operand)) {
        if (value->kind == ASM_OPERAND || value->label)
            return FAIL(build, "load the value into a register with ldi first",
                        "an operand is a register or a small immediate");
        if (!qpu_build_constant(build, value, &bits) ||
            !qpu_build_small(build, value, adjust_constant(build, bits)))
            return false;
        qpu_build_set_mux(build, mux);
        return true;
    }
    if (!qpu_build_choose_mux(build, &operand, &mux))
        return false;
    qpu_build_set_mux(build, mux);
    return qpu_build_mode(build, operand.mode) && qpu_build_rotate_source(build, &operand);
}

/* Records the operand of "read". No ALU uses the value, so a later operand of the line may take the
 * port. qpu_build_end() warns about reads that are displaced in this way. */
static bool want_read(struct qpu_build *build, const struct qpu_wanted_read *read)
{
    if (build->read_count == QPU_READS_MAX)
        return FAIL(build, "put some of the reads into another line",
                    "an instruction reads at most two registers of the files");
    build->reads[build->read_count] = *read;
    build->reads[build->read_count++].column = build->column;
    return true;
}

static bool read_small(struct qpu_build *build, const struct asm_value *value)
{
    uint32_t bits;
    if (!qpu_build_constant(build, value, &bits) || !qpu_build_small(build, value, bits))
        return false;
    const struct qpu_wanted_read read = {.number = build->raddr_b, .small = true};
    return want_read(build, &read);
}

bool qpu_build_read_source(struct qpu_build *build, const struct asm_value *value)
{
    struct qpu_operand operand;
    unsigned mux;
    if (!qpu_build_is_register(value, &operand))
        return read_small(build, value);
    if (operand.rotation)
        return FAIL(build, "write mov TARGET, REGISTER >> N, which rotates", "read cannot rotate");
    if (!qpu_build_choose_mux(build, &operand, &mux))
        return false;
    if (mux <= QPU_MUX_R5)
        return FAIL(build, "read an accumulator as a source of an operation",
                    "read takes a register of file A or B");
    const struct qpu_wanted_read read = {.number = operand.number,
                                         .in_a = operand.uses & QPU_REGISTER_A,
                                         .in_b = operand.uses & QPU_REGISTER_B,
                                         .port_b = mux == QPU_MUX_B};
    return want_read(build, &read) && qpu_build_mode(build, operand.mode);
}
