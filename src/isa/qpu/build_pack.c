/* SPDX-License-Identifier: MIT */
/* build_pack.c - pack and unpack modes of a word under construction.
 *
 * A word has one pack mode and one unpack mode. If the bit pm is 0, writes to file A are packed and
 * reads of file A are unpacked. If pm is 1, the mul ALU's result is packed and r4 is unpacked. A
 * mode applies to each such operand of the line.
 *
 * In:     modes on opcodes, targets and sources.
 * Out:    the fields pack, unpack and pm; errors and warnings where a mode also applies to an
 *         operand for which no mode is written.
 * Source: manual, section 3, "Pack/Unpack Bits"; choices as in build.c. */
#include "isa/qpu/build_internal.h"

#include "base/bits.h"

enum {
    SIZED = QPU_MODE_INTEGER | QPU_MODE_REAL,
    REPLICATE = 3, /* code of the unpack mode .8dr */
    NONE = -1,     /* the operand cannot be unpacked */
    MISMATCH = -5, /* the operand is in file A, but the mode is for integers and the operation for
                    * floats, or the reverse */
};

static bool add_takes_floats(const struct qpu_build *build)
{
    return qpu_add_float_in(build->half[QPU_ADD_UNIT].op);
}

static bool mul_takes_floats(const struct qpu_build *build)
{
    return build->half[QPU_MUL_UNIT].op == QPU_MUL_FMUL;
}

static bool gives_float(const struct qpu_build *build, bool mul)
{
    return mul ? mul_takes_floats(build) : qpu_add_float_out(build->half[QPU_ADD_UNIT].op);
}

/* --- packing --- */

static bool fix_pm(struct qpu_build *build, unsigned pm)
{
    if (!build->pm_fixed) {
        build->pm = (uint8_t)pm;
        build->pm_fixed = true;
        return true;
    }
    if (build->pm != pm && (build->pack || build->unpack))
        return FAIL(build, "move one of the modes to the next line",
                    "pack and unpack of file A cannot be mixed with those of the mul ALU and r4");
    return true;
}

/* Returns the packer that a mode needs: 0 for file A, 1 for the mul ALU, -1 if both have the
 * mode. */
static int packer_of(unsigned mode)
{
    unsigned code = mode & PACK_CODE;
    if (code == 0)
        return -1;
    if ((mode & QPU_MODE_INTEGER) || code == QPU_MODE_SATURATE || (code & 7) < 3)
        return 0;
    return mode & QPU_MODE_REAL ? 1 : -1;
}

static bool choose_packer(struct qpu_build *build, unsigned mode)
{
    int packer = packer_of(mode);
    if (packer == 1 && !at_mul(build) && !qpu_build_exchange_units(build))
        return FAIL(build, "use the mul ALU", "only the mul ALU has this pack mode");
    if (packer >= 0)
        return fix_pm(build, (unsigned)packer);
    if (!(build->at & QPU_AT_TARGET))
        return true; /* the target selects the packer later */
    bool needs_mul = !writes_file_a(build);
    if (build->unpack && (at_mul(build) || !needs_mul))
        return true;
    if (needs_mul && !at_mul(build) && !qpu_build_exchange_units(build))
        return FAIL(build, "write to ra0..ra31, or use the mul ALU",
                    "the add ALU packs into register file A only");
    return fix_pm(build, needs_mul);
}

static bool check_pack(struct qpu_build *build, unsigned mode)
{
    if (!(build->at & QPU_AT_TARGET) || build->pm)
        return true;
    if (!writes_file_a(build))
        return FAIL(build, "write to ra0..ra31, or use a mode of the mul ALU such as .8asf",
                    "this pack mode needs a target in register file A");
    unsigned size = mode & 7;
    if (!(mode & SIZED) || (size != 1 && size != 2))
        return true;
    bool real = gives_float(build, at_mul(build));
    if (!(mode & QPU_MODE_REAL) && real)
        return FAIL(build, "write f instead of i", "the operation's result is a float");
    if ((mode & QPU_MODE_REAL) && !real)
        return FAIL(build, "write i instead of f", "the operation's result is an integer");
    return true;
}

static bool pack(struct qpu_build *build, uint8_t mode)
{
    mode &= (uint8_t)(PACK_CODE | SIZED);
    if (mode == 0)
        return true;
    if (build->sig == QPU_SIG_BRANCH)
        return FAIL(build, "leave the suffix out: the link address is written whole",
                    "a branch cannot pack its result");
    if (build->pack)
        return FAIL(build, "move one of the modes to the next line",
                    "a second pack mode in one line");
    if (!choose_packer(build, mode) || !check_pack(build, mode))
        return false;
    build->pack = mode;
    return true;
}

bool qpu_build_packed(const struct qpu_build *build, uint32_t value, bool mul, uint32_t *result)
{
    unsigned code = build->pack & PACK_CODE;
    *result = value;
    if (build->pm && mul && (code & 7) == 3) {
        float real = bits_float(value);
        uint32_t byte = real >= 1 ? 255 : real > 0 ? (uint32_t)((double)(real * 255) + 0.5) : 0;
        *result = byte * 0x01010101;
    } else if (!build->pm && mul == build->swapped_write && code == 3) {
        *result = (value & 255) * 0x01010101;
    } else if (!build->pm && mul == build->swapped_write && code == 11) {
        *result = ((int32_t)value < 0 ? 0 : value > 255 ? 255 : value) * 0x01010101;
    }
    bool idle = code == QPU_MODE_SATURATE && (build->pm || mul != build->swapped_write);
    return code == 0 || code == 3 || code == 11 || idle;
}

/* --- unpacking --- */

/* Returns the unpacker of an input: 0 for file A, 1 for r4, NONE or MISMATCH. */
static int unpacker_of(const struct qpu_build *build, unsigned mux, unsigned mode)
{
    if (mux == QPU_MUX_R4)
        return 1;
    if (mux != QPU_MUX_A || build->raddr_a >= 32)
        return NONE;
    bool floats = add_takes_floats(build) || mul_takes_floats(build);
    bool sized = (mode & SIZED) && (mode & UNPACK_CODE) != REPLICATE;
    return sized && floats != !(mode & QPU_MODE_INTEGER) ? MISMATCH : 0;
}

/* Returns the unpacker that a mode needs: 0 for file A, or NONE if both have the mode. */
static int unpacker_of_mode(unsigned mode)
{
    unsigned code = mode & UNPACK_CODE;
    return code && code != REPLICATE && (mode & QPU_MODE_INTEGER) ? 0 : NONE;
}

static unsigned input(const struct qpu_build *build, unsigned at)
{
    return build->half[at & QPU_AT_MUL ? QPU_MUL_UNIT : QPU_ADD_UNIT]
        .mux[at & QPU_AT_SECOND ? 1 : 0];
}

static bool unpacks_input(const struct qpu_build *build, unsigned mux)
{
    return build->pm == unpacker_of(build, mux, build->unpack);
}

/* Handles a source for which no mode is written. Reports a mode of another source that also applies
 * to this one. */
static bool leave_packed(struct qpu_build *build)
{
    if (build->unpacked & QPU_AT_OPCODE)
        return true;
    bool applies = build->unpack && unpacks_input(build, input(build, build->at));
    if ((build->unpacked & ~build->at & BOTH) && applies)
        return FAIL(build,
                    "write the mode on both operands, or move one operation to the next line",
                    "the unpack mode of the other ALU also applies to this operand");
    if ((build->at & QPU_AT_SECOND) && (build->unpacked & QPU_AT_FIRST) && applies)
        qpu_build_warn(build, "qpu-unpack-implicit", "write the mode on both sources",
                       "the unpack mode of the first source also applies to the second one");
    return true;
}

/* Chooses the unpacker of the current source, or reports an error. */
static bool choose_unpacker(struct qpu_build *build, unsigned mode, int *unpacker)
{
    int wanted = *unpacker, found = unpacker_of(build, input(build, build->at), mode);
    *unpacker = found;
    if (found == NONE)
        return FAIL(build, "copy the operand to ra0..ra31 first",
                    "only ra0..ra31 and r4 can be unpacked");
    if (found == MISMATCH && (mode & QPU_MODE_INTEGER))
        return FAIL(build, "write f instead of i", "a float operation cannot unpack to integers");
    if (found == MISMATCH) {
        bool is_move = (build->at & SOURCES) == SOURCES;
        if (is_move && ((build->at & QPU_AT_ADD) || qpu_build_exchange_units(build)) &&
            add_of(build)->op == QPU_ADD_OR) {
            add_of(build)->op = QPU_ADD_FMIN; /* fmin x, x moves a float */
            return true;
        }
        return FAIL(build, "write i instead of f",
                    "an operation on integers cannot unpack to floats");
    }
    if (wanted == !found)
        return FAIL(build, "copy the operand to ra0..ra31 first", "r4 unpacks to floats only");
    return true;
}

static bool unpack(struct qpu_build *build, uint8_t mode)
{
    mode &= UNPACK_CODE | SIZED;
    if (mode == 0)
        return leave_packed(build);
    if (!is_alu(build))
        return FAIL(build, "leave the suffix out: there is no register to unpack",
                    "a load or branch cannot unpack");
    if (build->unpacked & (build->at | QPU_AT_OPCODE) & (QPU_AT_OPCODE | SOURCES))
        return FAIL(build, "write one unpack mode", "a second unpack mode for one operation");
    int unpacker = unpacker_of_mode(mode);
    if ((build->at & SOURCES) && (build->at & BOTH) && !choose_unpacker(build, mode, &unpacker))
        return false;
    if (unpacker >= 0 && !fix_pm(build, (unsigned)unpacker))
        return false;
    if (build->unpack && ((build->unpack ^ mode) & UNPACK_CODE))
        return FAIL(build, "move one of the modes to the next line",
                    "two unpack modes in one line");
    build->unpack = mode;
    build->unpacked |= build->at;
    if ((build->at & QPU_AT_SECOND) && !(build->unpacked & (QPU_AT_OPCODE | QPU_AT_FIRST)) &&
        unpacks_input(build, input(build, build->at ^ SOURCES)))
        qpu_build_warn(build, "qpu-unpack-implicit", "write the mode on both sources",
                       "the unpack mode of the second source also applies to the first one");
    return true;
}

static int join(int first, int second)
{
    return (first ^ second) == 1 ? NONE : first & second;
}

/* Applies .unpackXX on the opcode to every source that can be unpacked. */
static bool settle_unpack(struct qpu_build *build)
{
    const struct qpu_half *half = current(build);
    int wanted = unpacker_of_mode(build->unpack), second = wanted;
    int first = join(wanted, unpacker_of(build, half->mux[0], build->unpack));
    if (at_mul(build) || !is_unary(half->op))
        second = join(wanted, unpacker_of(build, half->mux[1], build->unpack));
    if (first < 0 && second < 0) {
        qpu_build_warn(build, "qpu-unpack-unused", "write the mode on a source in ra0..ra31 or r4",
                       "the unpack mode applies to no source");
        return true;
    }
    if ((first ^ second) == 1)
        return FAIL(build, "write the mode on the operand",
                    "both r4 and a register of file A could be unpacked");
    return fix_pm(build, (first & second) != 0);
}

/* An unpack mode applies to every use of r4 or of the file A register in the line. Reports uses by
 * the other ALU where no mode is written. */
static bool check_other_unit(struct qpu_build *build)
{
    unsigned here = build->at & BOTH;
    const struct qpu_half *other = &build->half[here == QPU_AT_ADD ? QPU_MUL_UNIT : QPU_ADD_UNIT];
    if ((here != QPU_AT_ADD && here != QPU_AT_MUL) || !in_use(other))
        return true;
    bool one_input = other == add_of(build) && is_unary(other->op);
    bool applies = unpacks_input(build, other->mux[0]) ||
                   (!one_input && unpacks_input(build, other->mux[1]));
    if ((build->unpacked & BOTH) == here && applies)
        return FAIL(build,
                    "write the mode on both operands, or move one operation to the next line",
                    "the unpack mode also applies to the other ALU's operand");
    bool here_floats = here == QPU_AT_ADD ? add_takes_floats(build) : mul_takes_floats(build);
    bool other_floats = here == QPU_AT_ADD ? mul_takes_floats(build) : add_takes_floats(build);
    if ((build->unpacked & ~here & BOTH) && !build->pm && here_floats && !other_floats &&
        (build->unpack & UNPACK_CODE) != REPLICATE)
        return FAIL(build, "write .16af or .8af on both operands",
                    "a float operation converts the unpacked operand of the other ALU to a float");
    return true;
}

bool qpu_build_operation_end(struct qpu_build *build)
{
    if (!is_alu(build) || !build->unpack)
        return true;
    return (!(build->unpacked & QPU_AT_OPCODE) || settle_unpack(build)) && check_other_unit(build);
}

/* --- modes --- */

bool qpu_build_mode(struct qpu_build *build, uint8_t mode)
{
    if (mode & QPU_MODE_PACK) {
        if (build->at & SOURCES)
            return FAIL(build, "write the mode on the target", "this mode packs a target");
        return pack(build, mode);
    }
    if (mode & QPU_MODE_UNPACK) {
        if (build->at & QPU_AT_TARGET)
            return FAIL(build, "write the mode on a source", "this mode unpacks a source");
        return unpack(build, mode);
    }
    if (build->at & SOURCES)
        return !is_alu(build) || unpack(build, mode);
    if ((build->at & QPU_AT_TARGET) && build->sig != QPU_SIG_BRANCH)
        return pack(build, mode);
    return true;
}
