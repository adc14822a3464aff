/* SPDX-License-Identifier: MIT */
/* build.c - puts operations, targets and sources of one line of assembly into one instruction word.
 *
 * In:       what the parser read, in the order of the line.
 * Out:      the word, or the reason why the parts do not fit together.
 * Source:   the choices that the text leaves open (which ALU, which register file, which unused
 * fields) are those of vc4asm: doc/instructions.html, doc/extensions.html, src/AssembleInst.cpp, and the words that it
 * writes. docs/isa/qpu.md lists where we differ. */
#include "isa/qpu/build.h"

#include <math.h>
#include <string.h>

#include "base/bits.h"
#include "isa/qpu/constant.h"
#include "isa/qpu/qpu_isa.h"

#define FAIL(build, hint, ...) \
    asm_fail((build)->error, "asm-instruction", (build)->column, (hint), __VA_ARGS__)
#define WARN(build, rule, hint, ...) warn((build), (rule), (hint), __VA_ARGS__)

enum {
    LOAD_SIGNED = 1,
    LOAD_UNSIGNED = 3,
    LOAD_SEMAPHORE = 4,
    ROTATE_BASE = 48,
    CODE = QPU_MODE_CODE,
    UNPACK_CODE = 7,
    SIZED = QPU_MODE_INTEGER | QPU_MODE_REAL,
    REPLICATE = 3, /* unpack code */
    SOURCES = QPU_AT_SOURCES,
    BOTH = QPU_AT_BOTH,
    NONE = -1,     /* no unpacker */
    MISMATCH = -5, /* file A, but not with integers or not with floats, as it should */
};

static void warn(struct qpu_build *build, const char *rule, const char *hint, const char *text)
{
    struct asm_error warning;
    if (!build->names->warn)
        return;
    asm_fail(&warning, rule, build->column, hint, "%s", text);
    build->names->warn(build->names->user, &warning);
}

void qpu_build_begin(struct qpu_build *build, uint32_t address, const struct asm_names *names,
                     struct asm_error *error)
{
    struct qpu_half idle = {.target = QPU_NOP, .condition = QPU_COND_ALWAYS};
    *build = (struct qpu_build){
        .half = {idle, idle},
        .sig = QPU_SIG_NONE,
        .raddr_a = QPU_NOP,
        .raddr_b = QPU_NOP,
        .address = address,
        .names = names,
        .error = error
    };
}

static bool is_alu(const struct qpu_build *build)
{
    return build->sig < QPU_SIG_LOAD_IMMEDIATE;
}

static bool has_small(const struct qpu_build *build)
{
    return build->sig == QPU_SIG_SMALL_IMMEDIATE;
}

static bool in_use(const struct qpu_half *half)
{
    return half->op != 0 || half->target != QPU_NOP;
}

static bool at_mul(const struct qpu_build *build)
{
    return build->at & QPU_AT_MUL;
}

static struct qpu_half *add_of(struct qpu_build *build)
{
    return &build->half[QPU_ADD_UNIT];
}

static struct qpu_half *mul_of(struct qpu_build *build)
{
    return &build->half[QPU_MUL_UNIT];
}

static struct qpu_half *current(struct qpu_build *build)
{
    return &build->half[at_mul(build) ? QPU_MUL_UNIT : QPU_ADD_UNIT];
}

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

static bool is_unary(unsigned op)
{
    return op == QPU_ADD_FTOI || op == QPU_ADD_ITOF || op == QPU_ADD_NOT || op == QPU_ADD_CLZ;
}

static bool any_input(const struct qpu_build *build, unsigned mux)
{
    const struct qpu_half *add = &build->half[QPU_ADD_UNIT], *mul = &build->half[QPU_MUL_UNIT];
    return add->mux[0] == mux || add->mux[1] == mux || mul->mux[0] == mux || mul->mux[1] == mux;
}

static bool is_accumulator(unsigned mux)
{
    return mux <= QPU_MUX_R3; /* those that rotate by any number */
}

/* Whether a write address means the same in both files, as vc4asm has it: unif_addr counts. */
static bool writes_either_file(unsigned address)
{
    return address >= 32 && address != QPU_WR_ACC5 && address != QPU_WR_QUAD_XY &&
           address != QPU_WR_MS_REV && address != QPU_WR_VPM_SETUP && address != QPU_WR_VPM_ADDRESS;
}

static bool reads_either_file(unsigned address)
{
    return address == QPU_RD_UNIFORM || address == QPU_RD_VARYING || address == QPU_NOP ||
           address == QPU_RD_VPM || address == QPU_RD_MUTEX;
}

/* --- exchanging the ALUs --- */

/* The mul opcode that does the same as an add operation, or -1. */
static int as_mul(const struct qpu_half *add)
{
    bool same = add->mux[0] == add->mux[1];
    switch (add->op) {
    case QPU_ADD_NOP: return QPU_MUL_NOP;
    case QPU_ADD_V8ADDS: return QPU_MUL_V8ADDS;
    case QPU_ADD_V8SUBS: return QPU_MUL_V8SUBS;
    case QPU_ADD_XOR:
    case QPU_ADD_SUB: return same ? QPU_MUL_V8SUBS : -1;
    case QPU_ADD_OR:
    case QPU_ADD_AND:
    case QPU_ADD_MIN:
    case QPU_ADD_MAX: return same ? QPU_MUL_V8MIN : -1;
    }
    return -1;
}

/* The add opcode that does the same as a mul operation, or -1. */
static int as_add(const struct qpu_half *mul)
{
    switch (mul->op) {
    case QPU_MUL_NOP: return QPU_ADD_NOP;
    case QPU_MUL_V8ADDS: return QPU_ADD_V8ADDS;
    case QPU_MUL_V8SUBS: return QPU_ADD_V8SUBS;
    case QPU_MUL_V8MIN:
    case QPU_MUL_V8MAX: return mul->mux[0] == mul->mux[1] ? QPU_ADD_OR : -1;
    }
    return -1;
}

static bool may_exchange(const struct qpu_build *build)
{
    bool mul_pack = build->pack && build->pm;
    bool rotation = has_small(build) && build->raddr_b >= ROTATE_BASE;
    return is_alu(build) && !build->units_fixed && !build->set_flags && !mul_pack && !rotation;
}

static uint8_t other_units(uint8_t places)
{
    return places ? places ^ BOTH : 0;
}

/* Exchanges what the two ALUs do, if both can do the other's work. */
static bool exchange_units(struct qpu_build *build)
{
    struct qpu_half *add = add_of(build), *mul = mul_of(build);
    int add_op = as_add(mul), mul_op = as_mul(add);
    if (!may_exchange(build) || add_op < 0 || mul_op < 0)
        return false;
    struct qpu_half old = *add;
    *add = *mul;
    *mul = old;
    add->op = (uint8_t)add_op;
    mul->op = (uint8_t)mul_op;
    if (at_mul(build) || add->target != QPU_NOP || !writes_either_file(mul->target))
        build->swapped_write ^= 1;
    build->at ^= BOTH;
    build->unpacked = other_units(build->unpacked);
    build->rotated = other_units(build->rotated);
    return true;
}

/* --- opcodes --- */

static void begin_operation(struct qpu_build *build, unsigned at)
{
    build->at = (uint8_t)at;
    build->rotated = 0;
    build->unpacked &= BOTH;
}

static bool on_both_units(enum qpu_unit unit, unsigned op)
{
    if (unit == QPU_ADD_UNIT)
        return op == QPU_ADD_NOP || op == QPU_ADD_V8ADDS || op == QPU_ADD_V8SUBS;
    return op == QPU_MUL_NOP || op == QPU_MUL_V8ADDS || op == QPU_MUL_V8SUBS;
}

bool qpu_build_operation(struct qpu_build *build, enum qpu_unit unit, unsigned op, bool exact)
{
    enum qpu_unit other = unit == QPU_ADD_UNIT ? QPU_MUL_UNIT : QPU_ADD_UNIT;
    struct qpu_half probe = {
        .op = (uint8_t)op, .mux = {0, 1}
    };
    if (!is_alu(build))
        return FAIL(build, "give it a line of its own",
                    "an ALU operation cannot share a line with a load, semaphore or branch");
    if (in_use(&build->half[unit])) {
        if (in_use(&build->half[other]))
            return FAIL(build, "move it to the next line", "both ALUs have an operation already");
        if (!exact && on_both_units(unit, op)) {
            op = (unsigned)(unit == QPU_ADD_UNIT ? as_mul(&probe) : as_add(&probe));
            unit = other;
        } else if (!exchange_units(build)) {
            return FAIL(build, "move it to the next line", "the %s ALU has an operation already",
                        unit == QPU_ADD_UNIT ? "add" : "mul");
        }
    }
    build->half[unit].op = (uint8_t)op;
    begin_operation(build, QPU_AT_OPCODE | (unit == QPU_MUL_UNIT ? QPU_AT_MUL : QPU_AT_ADD));
    return true;
}

static bool take_unit(struct qpu_build *build, bool used, bool other_used, const char *name)
{
    if (used && (other_used || !exchange_units(build)))
        return FAIL(build, "move it to the next line", "the %s ALU has an operation already", name);
    build->units_fixed = true;
    return true;
}

static bool choose_unit(struct qpu_build *build, unsigned units, bool add_used, bool mul_used)
{
    switch (units) {
    case QPU_AT_MUL: return take_unit(build, mul_used, add_used, "mul");
    case QPU_AT_ADD: return take_unit(build, add_used, mul_used, "add");
    }
    if (add_used && mul_used)
        return FAIL(build, "move it to the next line", "both ALUs have an operation already");
    return true;
}

bool qpu_build_move(struct qpu_build *build, unsigned units, bool two_targets)
{
    const struct qpu_half *add = add_of(build), *mul = mul_of(build);
    bool load = build->sig == QPU_SIG_LOAD_IMMEDIATE;
    bool add_used = build->nop_seen || add->target != QPU_NOP || (!load && add->op != 0);
    bool mul_used = mul->target != QPU_NOP || (!load && mul->op != 0);
    build->at = (uint8_t)units;
    if (build->sig == QPU_SIG_BRANCH)
        return FAIL(build, "give it a line of its own", "mov cannot share a line with a branch");
    if (two_targets) {
        if (units != BOTH)
            return FAIL(build, "write mov", "amov and mmov write one target only");
        if (add_used || mul_used)
            return FAIL(build, "give it a line of its own", "two targets take both ALUs");
        build->units_fixed = true;
        begin_operation(build, QPU_AT_OPCODE | QPU_AT_ADD);
        return true;
    }
    if (load && units != BOTH)
        return FAIL(build, "write mov", "amov and mmov cannot share a line with a load");
    if (!choose_unit(build, units, add_used, mul_used))
        return false;
    if (units == BOTH)
        units = add_used ? QPU_AT_MUL : QPU_AT_ADD;
    begin_operation(build, QPU_AT_OPCODE | units);
    return true;
}

bool qpu_build_read(struct qpu_build *build)
{
    if (!is_alu(build))
        return FAIL(build, "move it to the next line",
                    "read cannot share a line with a load, semaphore or branch");
    begin_operation(build, SOURCES);
    return true;
}

bool qpu_build_branch(struct qpu_build *build, bool relative)
{
    bool busy = build->half[0].op || build->half[1].op || build->sig != QPU_SIG_NONE ||
                build->raddr_a != QPU_NOP || build->raddr_b != QPU_NOP;
    if (busy)
        return FAIL(build, "give it a line of its own", "a branch must be alone in its line");
    build->sig = QPU_SIG_BRANCH;
    build->branch_condition = 15;
    build->relative = relative;
    build->raddr_a = 0;
    begin_operation(build, QPU_AT_OPCODE | QPU_AT_ADD);
    return true;
}

bool qpu_build_signal(struct qpu_build *build, unsigned sig)
{
    if (build->sig >= QPU_SIG_SMALL_IMMEDIATE)
        return FAIL(build, "move the signal to another line",
                    "a signal cannot share a line with an immediate or a branch");
    if (build->sig != QPU_SIG_NONE)
        return FAIL(build, "move it to another line", "a second signal in one line");
    build->sig = (uint8_t)sig;
    return true;
}

/* --- conditions and flags --- */

static bool set_condition(struct qpu_build *build, unsigned condition)
{
    struct qpu_half *half = current(build);
    if (build->sig == QPU_SIG_BRANCH)
        return FAIL(build, "branch conditions are .allz, .anynz and so on",
                    "a branch takes no .if condition");
    if (half->condition != QPU_COND_ALWAYS)
        return FAIL(build, NULL, "a second condition for one operation");
    half->condition = (uint8_t)condition;
    return true;
}

static bool set_branch_condition(struct qpu_build *build, unsigned condition)
{
    if (build->sig != QPU_SIG_BRANCH)
        return FAIL(build, "ALU conditions are .ifz, .ifnn and so on",
                    "only a branch takes an .all or .any condition");
    if (build->branch_condition != 15)
        return FAIL(build, NULL, "a second condition for one branch");
    build->branch_condition = (uint8_t)condition;
    return true;
}

static bool set_flags(struct qpu_build *build)
{
    if (is_alu(build) && at_mul(build) && in_use(add_of(build)) && !exchange_units(build))
        return FAIL(build, "put .setf on the add operation, or give this one a line of its own",
                    "the flags come from the add ALU while that has an operation");
    if (build->set_flags)
        return FAIL(build, NULL, "a second .setf");
    build->set_flags = 1;
    build->mul_flags = is_alu(build) && at_mul(build);
    build->units_fixed = true;
    return true;
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
        return FAIL(build, "move one of them to the next line",
                    "pack and unpack of file A cannot be mixed with those of the mul ALU and r4");
    return true;
}

/* Whether the current operation's result goes to a physical register of file A. */
static bool writes_file_a(struct qpu_build *build)
{
    return current(build)->target < 32 && build->swapped_write == at_mul(build);
}

/* Which packer a mode asks for: 0 file A, 1 mul ALU, -1 either. */
static int packer_of(unsigned mode)
{
    unsigned code = mode & CODE;
    if (code == 0)
        return -1;
    if ((mode & QPU_MODE_INTEGER) || code == QPU_MODE_SATURATE || (code & 7) < 3)
        return 0;
    return mode & QPU_MODE_REAL ? 1 : -1;
}

static bool choose_packer(struct qpu_build *build, unsigned mode)
{
    int packer = packer_of(mode);
    if (packer == 1 && !at_mul(build) && !exchange_units(build))
        return FAIL(build, "use the mul ALU", "only the mul ALU packs this way");
    if (packer >= 0)
        return fix_pm(build, (unsigned)packer);
    if (!(build->at & QPU_AT_TARGET))
        return true; /* the target decides */
    bool needs_mul = !writes_file_a(build);
    if (build->unpack && (at_mul(build) || !needs_mul))
        return true;
    if (needs_mul && !at_mul(build) && !exchange_units(build))
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
        return FAIL(build, "write f instead of i", "the operation gives a float");
    if ((mode & QPU_MODE_REAL) && !real)
        return FAIL(build, "write i instead of f", "the operation gives an integer");
    return true;
}

static bool pack(struct qpu_build *build, uint8_t mode)
{
    mode &= (uint8_t)(CODE | SIZED);
    if (mode == 0)
        return true;
    if (build->sig == QPU_SIG_BRANCH)
        return FAIL(build, NULL, "a branch cannot pack its result");
    if (build->pack)
        return FAIL(build, "move one of them to the next line", "a second pack mode in one line");
    if (!choose_packer(build, mode) || !check_pack(build, mode))
        return false;
    build->pack = mode;
    return true;
}

/* --- unpacking --- */

/* Which unpacker serves an input: 0 file A, 1 r4, or NONE or MISMATCH. */
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

/* Which unpacker a mode asks for. */
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

/* Nothing is asked for, so nothing should happen because of another source. */
static bool leave_packed(struct qpu_build *build)
{
    if (build->unpacked & QPU_AT_OPCODE)
        return true;
    bool applies = build->unpack && unpacks_input(build, input(build, build->at));
    if ((build->unpacked & ~build->at & BOTH) && applies)
        return FAIL(build, "write the mode on both, or move one of them to the next line",
                    "the unpack mode of the other ALU also applies to this operand");
    if ((build->at & QPU_AT_SECOND) && (build->unpacked & QPU_AT_FIRST) && applies)
        WARN(build, "qpu-unpack-implicit", "write the mode on both sources",
             "the unpack mode of the first source also applies to the second one");
    return true;
}

/* The unpacker for the source here, or an error. */
static bool choose_unpacker(struct qpu_build *build, unsigned mode, int *unpacker)
{
    int wanted = *unpacker, found = unpacker_of(build, input(build, build->at), mode);
    *unpacker = found;
    if (found == NONE)
        return FAIL(build, "copy it to ra0..ra31 first", "only ra0..ra31 and r4 can be unpacked");
    if (found == MISMATCH && (mode & QPU_MODE_INTEGER))
        return FAIL(build, "write f instead of i", "a float operation cannot unpack to integers");
    if (found == MISMATCH) {
        bool is_move = (build->at & SOURCES) == SOURCES;
        if (is_move && ((build->at & QPU_AT_ADD) || exchange_units(build)) &&
            add_of(build)->op == QPU_ADD_OR) {
            add_of(build)->op = QPU_ADD_FMIN; /* a move that takes floats */
            return true;
        }
        return FAIL(build, "write i instead of f",
                    "an operation on integers cannot unpack to floats");
    }
    if (wanted == !found)
        return FAIL(build, "copy it to ra0..ra31 first", "r4 unpacks to floats only");
    return true;
}

static bool unpack(struct qpu_build *build, uint8_t mode)
{
    mode &= UNPACK_CODE | SIZED;
    if (mode == 0)
        return leave_packed(build);
    if (!is_alu(build))
        return FAIL(build, NULL, "a load or branch cannot unpack");
    if (build->unpacked & (build->at | QPU_AT_OPCODE) & (QPU_AT_OPCODE | SOURCES))
        return FAIL(build, "write it once", "a second unpack mode for one operation");
    int unpacker = unpacker_of_mode(mode);
    if ((build->at & SOURCES) && (build->at & BOTH) && !choose_unpacker(build, mode, &unpacker))
        return false;
    if (unpacker >= 0 && !fix_pm(build, (unsigned)unpacker))
        return false;
    if (build->unpack && ((build->unpack ^ mode) & UNPACK_CODE))
        return FAIL(build, "move one of them to the next line", "two unpack modes in one line");
    build->unpack = mode;
    build->unpacked |= build->at;
    if ((build->at & QPU_AT_SECOND) && !(build->unpacked & (QPU_AT_OPCODE | QPU_AT_FIRST)) &&
        unpacks_input(build, input(build, build->at ^ SOURCES)))
        WARN(build, "qpu-unpack-implicit", "write the mode on both sources",
             "the unpack mode of the second source also applies to the first one");
    return true;
}

static int join(int first, int second)
{
    return (first ^ second) == 1 ? NONE : first & second;
}

/* .unpackXX on the opcode applies to whichever sources can be unpacked. */
static bool settle_unpack(struct qpu_build *build)
{
    const struct qpu_half *half = current(build);
    int wanted = unpacker_of_mode(build->unpack), second = wanted;
    int first = join(wanted, unpacker_of(build, half->mux[0], build->unpack));
    if (at_mul(build) || !is_unary(half->op))
        second = join(wanted, unpacker_of(build, half->mux[1], build->unpack));
    if (first < 0 && second < 0) {
        WARN(build, "qpu-unpack-unused", "write it on a source in ra0..ra31 or r4",
             "the unpack mode applies to no source");
        return true;
    }
    if ((first ^ second) == 1)
        return FAIL(build, "write the mode on the operand",
                    "both r4 and a register of file A could be unpacked");
    return fix_pm(build, (first & second) != 0);
}

/* An unpack mode applies to every use of r4 or of the file A register in the line: it must be meant. */
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
        return FAIL(build, "write the mode on both, or move one of them to the next line",
                    "the unpack mode also applies to the other ALU's operand");
    bool here_floats = here == QPU_AT_ADD ? add_takes_floats(build) : mul_takes_floats(build);
    bool other_floats = here == QPU_AT_ADD ? mul_takes_floats(build) : add_takes_floats(build);
    if ((build->unpacked & ~here & BOTH) && !build->pm && here_floats && !other_floats &&
        (build->unpack & UNPACK_CODE) != REPLICATE)
        return FAIL(build, "write .16af or .8af on both operands",
                    "a float operation makes the other ALU unpack to floats, too");
    return true;
}

bool qpu_build_operation_end(struct qpu_build *build)
{
    if (!is_alu(build) || !build->unpack)
        return true;
    return (!(build->unpacked & QPU_AT_OPCODE) || settle_unpack(build)) && check_other_unit(build);
}

static bool apply_mode(struct qpu_build *build, uint8_t mode)
{
    if (mode & QPU_MODE_PACK) {
        if (build->at & SOURCES)
            return FAIL(build, NULL, "this is a mode to pack a target");
        return pack(build, mode);
    }
    if (mode & QPU_MODE_UNPACK) {
        if (build->at & QPU_AT_TARGET)
            return FAIL(build, NULL, "this is a mode to unpack a source");
        return unpack(build, mode);
    }
    if (build->at & SOURCES)
        return !is_alu(build) || unpack(build, mode);
    if ((build->at & QPU_AT_TARGET) && build->sig != QPU_SIG_BRANCH)
        return pack(build, mode);
    return true;
}

bool qpu_build_suffix(struct qpu_build *build, struct qpu_suffix suffix)
{
    switch (suffix.kind) {
    case QPU_SUFFIX_SET_FLAGS: return set_flags(build);
    case QPU_SUFFIX_CONDITION: return set_condition(build, suffix.code);
    case QPU_SUFFIX_BRANCH_CONDITION: return set_branch_condition(build, suffix.code);
    case QPU_SUFFIX_MODE: return apply_mode(build, suffix.code);
    case QPU_SUFFIX_NONE: break;
    }
    return true;
}

/* --- small immediates and rotations --- */

/* Takes a small immediate for this word. Codes 48..63 also read as -16..-1. */
static bool take_small(struct qpu_build *build, unsigned code)
{
    if (build->sig == QPU_SIG_NONE && build->raddr_b == QPU_NOP) {
        build->sig = QPU_SIG_SMALL_IMMEDIATE;
        build->raddr_b = (uint8_t)code;
        return true;
    }
    if (!has_small(build))
        return FAIL(build, "move it to the next line",
                    "a small immediate or rotation cannot share a line with %s",
                    build->sig == QPU_SIG_NONE ? "a read of register file B" : "a signal");
    if (build->raddr_b == code)
        return true;
    if ((code & 16) && ((build->raddr_b ^ code) & 31) == 0) {
        build->raddr_b |= (uint8_t)code;
        return true;
    }
    return FAIL(build, "move one of them to the next line",
                "a second small immediate or rotation in one line");
}

static bool evaluate_pack(const struct qpu_build *build, uint32_t value, bool mul,
                          uint32_t *result);

/* Lets the add ALU make its constant out of another small immediate, one that is also the rotation. */
static bool remake_constant(struct qpu_build *build, unsigned code, unsigned mask)
{
    struct qpu_half *add = add_of(build);
    const struct qpu_half *mul = mul_of(build);
    uint32_t value = qpu_small_immediate(build->raddr_b), at = 0;
    struct qpu_recipe recipe;
    if (build->raddr_b >= ROTATE_BASE || add->mux[0] != QPU_MUX_B || add->mux[1] != QPU_MUX_B ||
        build->set_flags || mul->mux[0] == QPU_MUX_B || mul->mux[1] == QPU_MUX_B ||
        !qpu_fold_add(add->op, value, &value) || !evaluate_pack(build, value, false, &value) ||
        value == 0)
        return false;
    while (qpu_next_recipe(value, &at, &recipe)) {
        if (recipe.mul || ((recipe.code ^ code) & mask) ||
            (recipe.mode & CODE) != (build->pack & CODE))
            continue;
        add->op = recipe.op;
        build->raddr_b = recipe.code;
        return true;
    }
    return false;
}

/* Makes one code of a rotation and of what the small immediate field holds already. */
static bool merge_rotation(struct qpu_build *build, unsigned *code, bool full, bool loose)
{
    unsigned mask = loose ? 0x13 : 0x1f;
    if (((build->raddr_b ^ *code) & mask) && !remake_constant(build, *code, mask))
        return FAIL(build, "move one of them to the next line",
                    build->raddr_b < ROTATE_BASE
                        ? "the rotation does not go with the small immediate"
                        : "two different rotations in one line");
    if (full)
        build->raddr_b = (uint8_t)*code;
    else
        *code = build->raddr_b | 0x20u;
    return true;
}

static void warn_rotation(struct qpu_build *build, unsigned mux, unsigned code)
{
    if (mux == QPU_MUX_R5)
        WARN(build, "qpu-rotate-r5", "copy it to r0..r3 first", "r5 cannot be rotated");
    if (!is_accumulator(mux) && code > ROTATE_BASE + 3 && code < 64 - 3)
        WARN(build, "qpu-rotate-quad", "copy it to r0..r3 first",
             "only r0..r3 rotate by any number; others rotate within four elements");
}

/* Rotates the mul result upwards by count elements; 16 is an r5 in the wrong direction. */
static bool rotate(struct qpu_build *build, int count)
{
    if (count == 0) {
        unsigned code = build->raddr_b;
        if ((build->at & QPU_AT_SECOND) && (build->rotated & QPU_AT_FIRST) &&
            (is_accumulator(mul_of(build)->mux[1]) || (code & 3) || code == ROTATE_BASE))
            WARN(build, "qpu-rotate-implicit", "rotate both, or swap the sources",
                 "the rotation of the first source also applies to the second one");
        return true;
    }
    if (build->rotated & (QPU_AT_OPCODE | (build->at & SOURCES)))
        return FAIL(build, "write it once", "a second rotation for one operation");
    if ((build->at & BOTH) != QPU_AT_MUL && !exchange_units(build))
        return FAIL(build, "use a mul operation, or mmov", "only the mul ALU rotates vectors");
    build->units_fixed = true;
    const struct qpu_half *mul = mul_of(build);
    bool second = build->at & QPU_AT_SECOND;
    unsigned mux = mul->mux[second], code = ROTATE_BASE + ((unsigned)count & 15);
    bool full = is_accumulator(mux);
    warn_rotation(build, mux, code);
    bool first_stays = second && !is_accumulator(mul->mux[0]) && !any_input(build, QPU_MUX_B);
    if (has_small(build) && !merge_rotation(build, &code, full, !full || first_stays))
        return false;
    if ((build->at & SOURCES) == QPU_AT_SECOND &&
        (!has_small(build) || build->raddr_b < ROTATE_BASE) &&
        (is_accumulator(mul->mux[0]) || (code & 3)))
        WARN(build, "qpu-rotate-implicit", "rotate both, or swap the sources",
             "the rotation of the second source also applies to the first one");
    build->rotated |= build->at;
    return take_small(build, code);
}

/* --- operands --- */

static bool is_register(const struct asm_value *value, struct qpu_operand *operand)
{
    if (value->kind != ASM_OPERAND)
        return false;
    *operand = qpu_operand_unpack(value->integer);
    return operand->kind == QPU_OPERAND_REGISTER;
}

static bool place_target(struct qpu_build *build, const struct qpu_operand *operand)
{
    bool mul = at_mul(build);
    unsigned other = build->half[mul ? QPU_ADD_UNIT : QPU_MUL_UNIT].target;
    if ((operand->uses & QPU_REGISTER_AB) != QPU_REGISTER_AB) {
        bool free = writes_either_file(other);
        bool swapped = operand->uses & QPU_REGISTER_A ? mul : !mul;
        if (!(operand->uses & QPU_REGISTER_AB) || (!free && build->swapped_write != swapped))
            return FAIL(build, "write one of them to the other file or to an accumulator",
                        "both results go to the same register file");
        build->swapped_write = swapped;
    }
    current(build)->target = operand->number;
    return true;
}

/* A pack mode on the opcode meets its target. */
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
    return (!operand.conditional || set_condition(build, operand.condition)) &&
           (!operand.set_flags || set_flags(build));
}

bool qpu_build_target(struct qpu_build *build, const struct asm_value *value)
{
    struct qpu_operand operand;
    if (!target_suffixes(build, value))
        return false;
    if (!is_register(value, &operand))
        return FAIL(build, "write - if the result is not needed", "the target is no register");
    if (!(operand.uses & QPU_REGISTER_WRITE))
        return FAIL(build, operand.number == QPU_WR_ACC5 ? "write r5quad or r5rep" : NULL,
                    "this register cannot be written");
    if (!place_target(build, &operand) || !check_opcode_pack(build))
        return false;
    if (operand.rotation == -QPU_ROTATE_R5)
        WARN(build, "qpu-rotate-r5", "write << r5", "a target is rotated upwards by r5");
    int count = operand.rotation == QPU_ROTATE_R5 ? -QPU_ROTATE_R5 : operand.rotation;
    return rotate(build, count) && apply_mode(build, operand.mode);
}

/* --- reading registers --- */

/* Exchanges the two read ports, if both addresses mean the same on either. */
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
        return FAIL(build, "copy one of them to an accumulator first",
                    "register file B cannot be read next to a small immediate or rotation");
    if (!port_b || (in_b && port_takes(build, true, operand->number))) {
        *mux = use_port(build, operand, port_b);
        return true;
    }
    if (in_a != in_b && port_takes(build, in_a, operand->number) && exchange_ports(build)) {
        *mux = use_port(build, operand, in_b);
        return true;
    }
    return FAIL(build, "copy one of them to an accumulator first",
                "two registers of one file are read in one line");
}

/* Finds a way to read a register and says through which mux. */
static bool choose_mux(struct qpu_build *build, const struct qpu_operand *operand, unsigned *mux)
{
    if (operand->uses & QPU_REGISTER_SEMAPHORE)
        return FAIL(build, "write mov or ldi", "only a move takes a semaphore");
    if (operand->uses & QPU_REGISTER_READ)
        return read_through_port(build, operand, mux);
    *mux = operand->number ^ 32u;
    return *mux <= QPU_MUX_R5 || FAIL(build, NULL, "this register cannot be read");
}

static void set_mux(struct qpu_build *build, unsigned mux)
{
    struct qpu_half *half = current(build);
    if (build->at & QPU_AT_FIRST)
        half->mux[0] = (uint8_t)mux;
    if (build->at & QPU_AT_SECOND)
        half->mux[1] = (uint8_t)mux;
}

/* A rotation as a source has it: taking an element from n places up moves the result n down. */
static bool rotate_source(struct qpu_build *build, const struct qpu_operand *operand)
{
    if (operand->rotation == QPU_ROTATE_R5)
        WARN(build, "qpu-rotate-r5", "write >> r5", "a source is rotated upwards by r5: >> r5");
    int count = operand->rotation == -QPU_ROTATE_R5 ? operand->rotation : -operand->rotation;
    return rotate(build, count);
}

/* --- constants --- */

/* The 32 bits of a constant. */
static bool constant_bits(struct qpu_build *build, const struct asm_value *value, uint32_t *bits)
{
    if (value->kind == ASM_OPERAND)
        return FAIL(build, NULL, "a constant is needed here");
    if (value->kind == ASM_FLOAT) {
        bool overflow = isfinite(value->real) && fabs(value->real) > 0x1.fffffep127;
        if (overflow)
            WARN(build, "qpu-float-range", NULL,
                 "the constant does not fit a 32-bit float: infinity");
        *bits = float_bits(overflow ? (value->real < 0 ? -INFINITY : INFINITY)
                                    : (float)value->real);
        return true;
    }
    if (value->relative)
        return FAIL(build, "write :name for the address", "r:name is for branches only");
    if (value->integer < INT32_MIN || value->integer > UINT32_MAX)
        return FAIL(build, NULL, "the constant does not fit 32 bits");
    *bits = (uint32_t)value->integer;
    return true;
}

/* Adding 16 is subtracting -16, which is a small immediate; shifts use five bits of their count. */
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

static bool small_source(struct qpu_build *build, uint32_t value)
{
    unsigned code = qpu_small_code(value);
    if (code == QPU_NO_SMALL)
        return FAIL(build, "load it with ldi into a register first",
                    "0x%x is no small immediate (-16 to 15, 1.0 to 128.0, 1/256 to 1/2)", value);
    return take_small(build, code);
}

bool qpu_build_source(struct qpu_build *build, const struct asm_value *value)
{
    struct qpu_operand operand;
    uint32_t bits;
    unsigned mux = QPU_MUX_B;
    if (!is_register(value, &operand)) {
        if (value->kind == ASM_OPERAND || value->label)
            return FAIL(build, "load it with ldi into a register first",
                        "an operand is a register or a small immediate");
        if (!constant_bits(build, value, &bits) ||
            !small_source(build, adjust_constant(build, bits)))
            return false;
        set_mux(build, mux);
        return true;
    }
    if (!choose_mux(build, &operand, &mux))
        return false;
    set_mux(build, mux);
    return apply_mode(build, operand.mode) && rotate_source(build, &operand);
}

/* --- moves --- */

/* Whether the word as it is leaves room for a recipe, its ALU aside. */
static bool recipe_fits(struct qpu_build *build, const struct qpu_recipe *recipe)
{
    if (has_small(build) && build->raddr_b != recipe->code)
        return false;
    if (!recipe->mode)
        return true;
    bool of_mul = recipe->mode & QPU_MODE_REAL;
    bool same = ((build->pack ^ recipe->mode) & CODE) == 0 && build->pm == !of_mul;
    if (build->pack && !same)
        return false;
    /* With .setf the flags would come from the value before it is packed. */
    return of_mul || (!build->set_flags && writes_file_a(build));
}

static bool find_recipe(struct qpu_build *build, uint32_t value, struct qpu_recipe *recipe)
{
    struct qpu_recipe other, each;
    uint32_t at = 0;
    bool has_other = false;
    while (qpu_next_recipe(value, &at, &each)) {
        if (!recipe_fits(build, &each))
            continue;
        *recipe = each;
        if (each.mul == at_mul(build))
            return true;
        if (!has_other)
            other = each;
        has_other = true;
    }
    if (!has_other || !exchange_units(build))
        return false;
    *recipe = other;
    return true;
}

static void use_recipe(struct qpu_build *build, const struct qpu_recipe *recipe)
{
    struct qpu_half *half = &build->half[recipe->mul ? QPU_MUL_UNIT : QPU_ADD_UNIT];
    half->mux[0] = half->mux[1] = QPU_MUX_B;
    half->op = recipe->op;
}

static bool move_constant(struct qpu_build *build, uint32_t value, bool *load)
{
    struct qpu_recipe recipe = {at_mul(build), at_mul(build) ? QPU_MUL_V8SUBS : QPU_ADD_XOR, 0, 0};
    if (value == 0) { /* x xor x needs no immediate */
        build->zero_moves++;
        use_recipe(build, &recipe);
        return true;
    }
    if (build->sig != QPU_SIG_NONE && !has_small(build))
        return FAIL(build, "move the signal to another line",
                    "a constant cannot share a line with a signal");
    if (build->sig == QPU_SIG_NONE && build->raddr_b != QPU_NOP)
        return FAIL(build, "move it to the next line",
                    "a constant cannot share a line with a read of register file B");
    if (!find_recipe(build, value, &recipe)) {
        *load = true;
        return true;
    }
    build->sig = QPU_SIG_SMALL_IMMEDIATE;
    build->raddr_b = recipe.code;
    if (recipe.mode) {
        build->pack = recipe.mode;
        build->pm = (recipe.mode & QPU_MODE_REAL) != 0;
        build->pm_fixed = true;
    }
    use_recipe(build, &recipe);
    return true;
}

static bool move_register(struct qpu_build *build, const struct qpu_operand *operand)
{
    unsigned mux;
    if (build->sig == QPU_SIG_LOAD_IMMEDIATE)
        return FAIL(build, "move it to the next line",
                    "mov of a register cannot share a line with a load");
    if (!choose_mux(build, operand, &mux))
        return false;
    set_mux(build, mux);
    current(build)->op = at_mul(build) ? QPU_MUL_V8MIN : QPU_ADD_OR;
    if ((build->at & BOTH) == BOTH) {
        struct qpu_half *add = add_of(build);
        add->mux[0] = add->mux[1] = (uint8_t)mux;
        add->op = QPU_ADD_OR;
    }
    return apply_mode(build, operand->mode) && rotate_source(build, operand);
}

bool qpu_build_move_source(struct qpu_build *build, const struct asm_value *value, bool *load)
{
    struct qpu_operand operand;
    uint32_t bits;
    *load = false;
    if (is_register(value, &operand) && !(operand.uses & QPU_REGISTER_SEMAPHORE))
        return move_register(build, &operand);
    /* A label always, so that the instruction's form does not depend on where things lie. */
    if (value->kind == ASM_OPERAND || value->label || build->sig == QPU_SIG_LOAD_IMMEDIATE ||
        (build->at & BOTH) == BOTH) {
        *load = true;
        return true;
    }
    return constant_bits(build, value, &bits) && move_constant(build, bits, load);
}

/* --- loads --- */

static bool semaphore_value(struct qpu_build *build, const struct qpu_operand *operand,
                            unsigned *mode, bool acquire, uint32_t *bits)
{
    bool acquires = operand->uses & QPU_REGISTER_ACQUIRE;
    if (operand->mode)
        return FAIL(build, NULL, "a load cannot unpack");
    if ((*mode & LOAD_SEMAPHORE) && acquires != acquire)
        return FAIL(build, NULL, "acquire and release of a semaphore contradict each other");
    *mode |= LOAD_SEMAPHORE;
    *bits = operand->number | (acquires ? 16u : 0);
    return true;
}

static bool elements_mode(struct qpu_build *build, const struct qpu_operand *operand,
                          unsigned *mode)
{
    unsigned wanted = operand->kind == QPU_OPERAND_ELEMENTS_UNSIGNED ? LOAD_UNSIGNED : LOAD_SIGNED;
    if (operand->kind == QPU_OPERAND_ELEMENTS && *mode == LOAD_UNSIGNED)
        wanted = LOAD_UNSIGNED;
    if (*mode != 0 && *mode != wanted)
        return FAIL(build, NULL, "this opcode does not load such elements");
    *mode = wanted;
    return true;
}

/* The load mode that an operand needs, and its 32 bits. */
static bool load_value(struct qpu_build *build, const struct asm_value *value, unsigned *mode,
                       bool acquire, uint32_t *bits)
{
    struct qpu_operand operand;
    if (value->kind == ASM_OPERAND) {
        bool is_reg = is_register(value, &operand);
        if (is_reg && (operand.uses & QPU_REGISTER_SEMAPHORE))
            return semaphore_value(build, &operand, mode, acquire, bits);
        if (is_reg)
            return FAIL(build, "write mov", "a load takes a constant or a semaphore");
        *bits = operand.elements;
        return elements_mode(build, &operand, mode);
    }
    if ((value->label || value->kind == ASM_FLOAT) && (*mode & LOAD_UNSIGNED))
        return FAIL(build, "load it with ldi", "this opcode loads small integers for each element");
    if (value->label && *mode)
        return FAIL(build, "load it with ldi", "this opcode does not load an address");
    if (!constant_bits(build, value, bits))
        return false;
    if (acquire)
        *bits |= 16;
    else if ((*mode & LOAD_SEMAPHORE) && (*bits & 16))
        return FAIL(build, "semaphores are 0 to 15", "bit 4 set means acquire, not release");
    return true;
}

bool qpu_build_load(struct qpu_build *build, const struct asm_value *value, unsigned mode,
                    bool acquire)
{
    uint32_t bits;
    if (!load_value(build, value, &mode, acquire, &bits))
        return false;
    if (build->sig == QPU_SIG_LOAD_IMMEDIATE &&
        (build->immediate != bits || build->load_mode != mode))
        return FAIL(build, "give it a line of its own", "two different constants in one line");
    bool busy = build->half[0].op || build->half[1].op;
    if (build->sig != QPU_SIG_LOAD_IMMEDIATE && (build->sig != QPU_SIG_NONE || busy))
        return FAIL(build, "load the constant in a line of its own",
                    "this constant needs a load, which cannot share a line with a signal or an "
                    "ALU operation");
    build->sig = QPU_SIG_LOAD_IMMEDIATE;
    build->load_mode = (uint8_t)mode;
    build->immediate = bits;
    return true;
}

/* --- read --- */

bool qpu_build_read_source(struct qpu_build *build, const struct asm_value *value)
{
    struct qpu_operand operand;
    uint32_t bits;
    unsigned mux;
    if (!is_register(value, &operand))
        return constant_bits(build, value, &bits) && small_source(build, bits);
    if (operand.rotation)
        return FAIL(build, NULL, "read cannot rotate");
    if (!choose_mux(build, &operand, &mux))
        return false;
    if (mux <= QPU_MUX_R5)
        return FAIL(build, NULL, "read takes a register of file A or B");
    return apply_mode(build, operand.mode);
}

/* --- branches --- */

static bool branch_register(struct qpu_build *build, const struct qpu_operand *operand)
{
    bool in_a = operand->uses & QPU_REGISTER_A;
    if (operand->number == QPU_NOP && !operand->rotation && (operand->uses & QPU_REGISTER_AB))
        return true;
    if (!in_a || operand->number >= 32)
        return FAIL(build, "copy the address to ra0..ra31",
                    "a branch takes its target from ra0..ra31");
    if (operand->rotation || operand->mode)
        return FAIL(build, NULL, "a branch cannot rotate or unpack its target");
    if (build->reg)
        return FAIL(build, NULL, "a second register as branch target");
    bool odd = operand->number & 1;
    if (build->set_flags && !odd)
        return FAIL(build, "use an odd register",
                    "a branch with .setf and a register needs an odd register");
    if (odd && !build->set_flags)
        WARN(build, "qpu-branch-odd-register", "write .setf, or use an even register",
             "a branch to an odd register also sets the flags");
    build->reg = 1;
    build->raddr_a = operand->number;
    return true;
}

bool qpu_build_branch_source(struct qpu_build *build, const struct asm_value *value)
{
    struct qpu_operand operand;
    struct asm_value target = {.kind = ASM_INTEGER, .integer = value->integer};
    uint32_t bits;
    if (is_register(value, &operand))
        return branch_register(build, &operand);
    if (value->kind != ASM_INTEGER)
        return FAIL(build, NULL, "a branch target is a label, a whole number or ra0..ra31");
    if (value->label && build->relative)
        target.integer = (int32_t)((uint32_t)target.integer - (build->address + 32));
    else if (value->label)
        WARN(build, "qpu-branch-absolute", "write brr",
             "bra to a label makes code that works at one address only");
    if (build->immediate)
        return FAIL(build, NULL, "a second constant as branch target");
    if (!constant_bits(build, &target, &bits))
        return false;
    if (bits & 3)
        WARN(build, "qpu-branch-alignment", "instructions are at multiples of 8",
             "the branch target is not a multiple of 4");
    build->immediate = bits;
    return true;
}

/* --- the finished word --- */

/* What arrives in the register when an ALU gives value. False if only a part of it is written. */
static bool evaluate_pack(const struct qpu_build *build, uint32_t value, bool mul, uint32_t *result)
{
    unsigned code = build->pack & CODE;
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

static bool from_small(const struct qpu_half *half)
{
    return half->mux[0] == QPU_MUX_B && half->mux[1] == QPU_MUX_B;
}

/* Whether the word does nothing but make one constant, and which. */
static bool is_constant(struct qpu_build *build, uint32_t *value)
{
    const struct qpu_half *add = add_of(build), *mul = mul_of(build);
    uint32_t x = qpu_small_immediate(build->raddr_b);
    if (!has_small(build) || build->set_flags)
        return false;
    if (!in_use(mul) && from_small(add) && qpu_fold_add(add->op, x, value))
        return evaluate_pack(build, *value, false, value);
    if (!add->op && from_small(mul) && qpu_fold_mul(mul->op, x, value))
        return evaluate_pack(build, *value, true, value);
    return false;
}

static void make_load(struct qpu_build *build, uint32_t value, bool keep_pack)
{
    struct qpu_half *add = add_of(build), *mul = mul_of(build);
    if (!keep_pack)
        build->pm = build->pack = 0;
    build->sig = QPU_SIG_LOAD_IMMEDIATE;
    build->load_mode = 0;
    build->immediate = value;
    if (add->target == QPU_NOP && !build->pm) {
        struct qpu_half moved = *mul;
        *mul = *add;
        *add = moved;
        build->swapped_write = !build->swapped_write && !writes_either_file(add->target);
    }
    if (add->target == QPU_NOP && !build->set_flags)
        add->condition = QPU_COND_NEVER;
    if (mul->target == QPU_NOP)
        mul->condition = QPU_COND_NEVER;
}

static bool same_inputs(const struct qpu_half *half)
{
    return half->mux[0] == half->mux[1];
}

/* A result that goes nowhere is never written, except where its condition decides the flags; zero
 * alone becomes a load, which saves the ALU's power. */
static void settle_alu(struct qpu_build *build)
{
    struct qpu_half *add = add_of(build), *mul = mul_of(build);
    bool quiet = build->sig == QPU_SIG_NONE && build->raddr_b == QPU_NOP &&
                 build->raddr_a == QPU_NOP;
    if (add->target == QPU_NOP && !build->set_flags)
        add->condition = QPU_COND_NEVER;
    bool add_zero = (add->op == QPU_ADD_XOR || add->op == QPU_ADD_SUB) && mul->target == QPU_NOP &&
                    same_inputs(add);
    if (mul->target == QPU_NOP && !add_zero && (!build->set_flags || add->op))
        mul->condition = QPU_COND_NEVER;
    bool mul_zero = mul->op == QPU_MUL_V8SUBS && !build->set_flags && add->target == QPU_NOP &&
                    same_inputs(mul);
    if (quiet && (add_zero || mul_zero))
        make_load(build, 0, true);
    if (is_alu(build) && is_unary(add->op))
        add->mux[1] = add->mux[0];
}

/* "mov a, 0; mov b, 0" and nothing else: Broadcom's assembler writes a load with two targets (userland, hello_fft). */
static bool is_two_zeros(const struct qpu_build *build)
{
    const struct qpu_half *add = &build->half[QPU_ADD_UNIT], *mul = &build->half[QPU_MUL_UNIT];
    bool quiet = build->sig == QPU_SIG_NONE && build->raddr_a == QPU_NOP &&
                 build->raddr_b == QPU_NOP && !build->pack && !build->unpack;
    bool always = add->condition == QPU_COND_ALWAYS && mul->condition == QPU_COND_ALWAYS;
    bool two = add->target != QPU_NOP && mul->target != QPU_NOP;
    return build->zero_moves == 2 && quiet && always && two && !build->set_flags &&
           !build->units_fixed;
}

static void settle(struct qpu_build *build)
{
    struct qpu_half *add = add_of(build), *mul = mul_of(build);
    uint32_t value;
    if (build->sig == QPU_SIG_LOAD_IMMEDIATE) {
        if (add->target == QPU_NOP && !build->set_flags)
            add->condition = QPU_COND_NEVER;
        if (mul->target == QPU_NOP)
            mul->condition = QPU_COND_NEVER;
    } else if (is_two_zeros(build)) {
        make_load(build, 0, false);
    } else if (!is_constant(build, &value)) {
        settle_alu(build);
    } else if (build->raddr_a == QPU_NOP) {
        make_load(build, value, false);
    }
}

static unsigned pack_field(const struct qpu_build *build)
{
    unsigned code = build->pack & CODE;
    return build->pm && (code & 4) ? code ^ QPU_MODE_SATURATE : code;
}

static struct qpu_insn gather(const struct qpu_build *build)
{
    const struct qpu_half *add = &build->half[QPU_ADD_UNIT], *mul = &build->half[QPU_MUL_UNIT];
    bool load = build->sig == QPU_SIG_LOAD_IMMEDIATE, branch = build->sig == QPU_SIG_BRANCH;
    return (struct qpu_insn){
        .form = load     ? QPU_FORM_LOAD_32
                : branch ? QPU_FORM_BRANCH
                         : QPU_FORM_ALU,
        .sig = build->sig,
        .unpack = load ? build->load_mode : build->unpack & UNPACK_CODE,
        .pm = build->pm,
        .pack = (uint8_t)pack_field(build),
        .cond_add = add->condition,
        .cond_mul = mul->condition,
        .sf = build->set_flags,
        .ws = build->swapped_write,
        .waddr_add = add->target,
        .waddr_mul = mul->target,
        .op_mul = mul->op,
        .op_add = add->op,
        .raddr_a = branch ? build->raddr_a | build->set_flags : build->raddr_a,
        .raddr_b = build->raddr_b,
        .add_a = add->mux[0],
        .add_b = add->mux[1],
        .mul_a = mul->mux[0],
        .mul_b = mul->mux[1],
        .cond_br = build->branch_condition,
        .rel = build->relative,
        .reg = build->reg,
        .immediate = build->immediate,
    };
}

uint64_t qpu_build_end(struct qpu_build *build)
{
    if (build->sig != QPU_SIG_BRANCH)
        settle(build);
    struct qpu_insn insn = gather(build);
    if (is_alu(build) && build->mul_flags && insn.op_add != QPU_ADD_NOP)
        WARN(build, "qpu-flags-unit", "write .setf on the add operation",
             "the flags come from the add ALU, not from the operation with .setf");
    return qpu_encode(&insn);
}
