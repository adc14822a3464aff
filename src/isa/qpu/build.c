/* SPDX-License-Identifier: MIT */
/* build.c - puts operations, targets and sources of one line of assembly into one instruction word.
 *
 * In:       what the parser read, in the order of the line.
 * Out:      the word, or the reason why the parts do not fit together.
 * Source:   the choices that the text leaves open (which ALU, which register file, which unused
 * fields) are those of vc4asm: doc/instructions.html, doc/extensions.html, and the words of its
 * test corpus. Left out: mov of constants that are no small immediates next to another operation;
 * joining of lines. */
#include "isa/qpu/build.h"

#include <math.h>
#include <string.h>

#include "base/bits.h"
#include "isa/qpu/qpu_isa.h"

#define FAIL(build, hint, ...) qpu_parse_fail((build)->error, (build)->column, (hint), __VA_ARGS__)

enum { LOAD_SIGNED = 1, LOAD_UNSIGNED = 3, LOAD_SEMAPHORE = 4, ROTATE_BASE = 48, NO_SMALL = 64 };

void qpu_build_begin(struct qpu_build *build, uint32_t address, struct qpu_parse_error *error)
{
    struct qpu_half idle = {.target = QPU_NOP, .condition = QPU_COND_ALWAYS};
    *build = (struct qpu_build){
        .half = {idle, idle},
        .sig = QPU_SIG_NONE,
        .raddr_a = QPU_NOP,
        .raddr_b = QPU_NOP,
        .address = address,
        .error = error
    };
}

static bool is_alu(const struct qpu_build *build)
{
    return build->sig < QPU_SIG_LOAD_IMMEDIATE;
}

static bool in_use(const struct qpu_half *half)
{
    return half->op != 0 || half->target != QPU_NOP;
}

static struct qpu_half *current(struct qpu_build *build)
{
    return &build->half[build->unit];
}

static bool float_operation(const struct qpu_build *build)
{
    return qpu_add_float_in(build->half[QPU_ADD_UNIT].op) ||
           build->half[QPU_MUL_UNIT].op == QPU_MUL_FMUL;
}

static bool float_result(const struct qpu_build *build)
{
    return build->unit == QPU_MUL_UNIT ? build->half[QPU_MUL_UNIT].op == QPU_MUL_FMUL
                                       : qpu_add_float_out(build->half[QPU_ADD_UNIT].op);
}

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
    bool rotation = build->sig == QPU_SIG_SMALL_IMMEDIATE && build->raddr_b >= ROTATE_BASE;
    return is_alu(build) && !build->units_fixed && !build->set_flags && !mul_pack && !rotation;
}

/* Exchanges what the two ALUs do, if both can do the other's work. */
static bool exchange_units(struct qpu_build *build)
{
    int add_op = as_add(&build->half[QPU_MUL_UNIT]);
    int mul_op = as_mul(&build->half[QPU_ADD_UNIT]);
    if (!may_exchange(build) || add_op < 0 || mul_op < 0)
        return false;
    struct qpu_half add = build->half[QPU_ADD_UNIT];
    build->half[QPU_ADD_UNIT] = build->half[QPU_MUL_UNIT];
    build->half[QPU_MUL_UNIT] = add;
    build->half[QPU_ADD_UNIT].op = (uint8_t)add_op;
    build->half[QPU_MUL_UNIT].op = (uint8_t)mul_op;
    if (build->unit == QPU_MUL_UNIT || build->half[QPU_ADD_UNIT].target != QPU_NOP ||
        build->half[QPU_MUL_UNIT].target_fixed)
        build->swapped_write ^= 1;
    build->unit = build->unit == QPU_ADD_UNIT ? QPU_MUL_UNIT : QPU_ADD_UNIT;
    return true;
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
    build->unit = unit;
    build->nop_seen |= op == 0;
    current(build)->op = (uint8_t)op;
    return true;
}

bool qpu_build_move(struct qpu_build *build, bool add_allowed, bool mul_allowed)
{
    bool load = build->sig == QPU_SIG_LOAD_IMMEDIATE;
    bool add_used = build->nop_seen || build->half[QPU_ADD_UNIT].target != QPU_NOP ||
                    (!load && build->half[QPU_ADD_UNIT].op != 0);
    bool mul_used = build->half[QPU_MUL_UNIT].target != QPU_NOP ||
                    (!load && build->half[QPU_MUL_UNIT].op != 0);
    if (build->sig == QPU_SIG_BRANCH)
        return FAIL(build, "give it a line of its own", "mov cannot share a line with a branch");
    if (add_used && mul_used)
        return FAIL(build, "move it to the next line", "both ALUs have an operation already");
    if (add_allowed && mul_allowed) {
        build->unit = add_used ? QPU_MUL_UNIT : QPU_ADD_UNIT;
    } else {
        build->unit = add_allowed ? QPU_ADD_UNIT : QPU_MUL_UNIT;
        if ((add_allowed ? add_used : mul_used) && !exchange_units(build))
            return FAIL(build, "move it to the next line", "this ALU has an operation already");
        build->unit = add_allowed ? QPU_ADD_UNIT : QPU_MUL_UNIT;
        build->units_fixed = true;
    }
    current(build)->is_move = true;
    return true;
}

bool qpu_build_condition(struct qpu_build *build, unsigned condition)
{
    struct qpu_half *half = current(build);
    if (build->sig == QPU_SIG_BRANCH)
        return FAIL(build, "branch conditions are .allz, .anynz and so on",
                    "a branch takes no .if condition");
    if (half->conditioned)
        return FAIL(build, NULL, "a second condition for one operation");
    half->conditioned = true;
    half->condition = (uint8_t)condition;
    return true;
}

bool qpu_build_set_flags(struct qpu_build *build)
{
    if (is_alu(build) && build->unit == QPU_MUL_UNIT && in_use(&build->half[QPU_ADD_UNIT]) &&
        !exchange_units(build))
        return FAIL(build, "put .setf on the add operation, or give this one a line of its own",
                    "the flags come from the add ALU while that has an operation");
    if (build->set_flags)
        return FAIL(build, NULL, "a second .setf");
    build->set_flags = 1;
    build->flags_unit = build->unit;
    build->units_fixed = true;
    return true;
}

static bool fix_pm(struct qpu_build *build, unsigned pm)
{
    if (build->pm_fixed && build->pm != pm)
        return FAIL(build, "move one of them to the next line",
                    "pack and unpack of file A cannot be mixed with those of the mul ALU and r4");
    build->pm = (uint8_t)pm;
    build->pm_fixed = true;
    return true;
}

/* Whether the current operation's result goes to a physical register of file A. */
static bool writes_file_a(const struct qpu_build *build)
{
    bool mul = build->unit == QPU_MUL_UNIT;
    return build->half[build->unit].target < 32 && build->swapped_write == mul;
}

/* Which packer a mode asks for: 0 file A, 1 mul ALU, -1 either. */
static int packer_of(struct qpu_pack pack)
{
    unsigned format = pack.code & 7;
    if (pack.integer || format < 3)
        return 0;
    return pack.real ? 1 : -1;
}

static bool check_pack(struct qpu_build *build, struct qpu_pack pack)
{
    unsigned format = pack.code & 7;
    if (build->pm) {
        if (build->unit != QPU_MUL_UNIT)
            return FAIL(build, NULL, "only the mul ALU has this pack mode");
        if (pack.code < 11)
            return FAIL(build, "write .8abcds or .8as to .8ds",
                        "the mul ALU packs to saturated 8-bit colours only");
        return true;
    }
    if (!writes_file_a(build))
        return FAIL(build, "write to ra0..ra31, or use a mode of the mul ALU such as .8asf",
                    "this pack mode needs a target in register file A");
    if (format != 1 && format != 2)
        return true;
    if (pack.integer && float_result(build))
        return FAIL(build, "write f instead of i", "the operation gives a float");
    if (pack.real && !float_result(build))
        return FAIL(build, "write i instead of f", "the operation gives an integer");
    return true;
}

bool qpu_build_pack(struct qpu_build *build, struct qpu_pack pack)
{
    if (build->sig == QPU_SIG_BRANCH)
        return FAIL(build, NULL, "a branch cannot pack its result");
    if (pack.only_unpack)
        return FAIL(build, NULL, "this is a mode to unpack a source");
    if (pack.code == 0)
        return true;
    if (build->pack)
        return FAIL(build, "move one of them to the next line", "a second pack mode in one line");
    int packer = packer_of(pack);
    if (packer < 0 && build->unpack)
        packer = build->pm;
    if (packer < 0)
        packer = writes_file_a(build) ? 0 : 1;
    if (packer && build->unit != QPU_MUL_UNIT && !exchange_units(build))
        return FAIL(build, "write to ra0..ra31, or use fmul", "only the mul ALU packs this way");
    if (!fix_pm(build, (unsigned)packer) || !check_pack(build, pack))
        return false;
    build->pack = build->pm ? pack.code & 7 : pack.code;
    return true;
}

/* Takes a small immediate for this word. Codes 48..63 also read as -16..-1. */
static bool take_small(struct qpu_build *build, unsigned code)
{
    if (build->sig == QPU_SIG_NONE && build->raddr_b == QPU_NOP) {
        build->sig = QPU_SIG_SMALL_IMMEDIATE;
        build->raddr_b = (uint8_t)code;
        return true;
    }
    if (build->sig != QPU_SIG_SMALL_IMMEDIATE)
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

/* Rotates the mul result upwards by count 1..15 elements, or by r5 (0). */
static bool rotate(struct qpu_build *build, unsigned count, bool rotates_source, unsigned mux)
{
    unsigned code = ROTATE_BASE + count;
    if (build->unit != QPU_MUL_UNIT && !exchange_units(build))
        return FAIL(build, "use a mul operation, or mmov", "only the mul ALU rotates vectors");
    build->units_fixed = true;
    if (rotates_source && mux == QPU_MUX_R5)
        return FAIL(build, "copy it to r0..r3 first", "r5 cannot be rotated");
    return take_small(build, code);
}

static bool apply_target_rotation(struct qpu_build *build, const struct qpu_register *reg)
{
    if (reg->rotation == 0)
        return true;
    if (reg->rotation == QPU_ROTATE_DOWN_BY_R5)
        return FAIL(build, "write << r5", "a target can only be rotated upwards by r5");
    return rotate(build, reg->rotation & 15, false, 0);
}

/* Taking a source from n elements further up moves the result n elements down. */
static bool apply_source_rotation(struct qpu_build *build, const struct qpu_register *reg,
                                  unsigned mux)
{
    if (reg->rotation == 0)
        return true;
    if (reg->rotation == QPU_ROTATE_BY_R5)
        return FAIL(build, "write >> r5", "a source can only be rotated downwards by r5");
    return rotate(build, reg->rotation == QPU_ROTATE_DOWN_BY_R5 ? 0 : 16u - reg->rotation, true,
                  mux);
}

static bool place_target(struct qpu_build *build, const struct qpu_register *reg)
{
    struct qpu_half *half = current(build);
    const struct qpu_half *other = &build->half[build->unit == QPU_ADD_UNIT];
    bool mul = build->unit == QPU_MUL_UNIT;
    bool in_a = reg->uses & QPU_REGISTER_A, in_b = reg->uses & QPU_REGISTER_B;
    if (!(reg->uses & QPU_REGISTER_WRITE))
        return FAIL(build,
                    (reg->uses & QPU_REGISTER_ACCUMULATOR) && reg->address == QPU_WR_ACC5
                        ? "write r5quad or r5rep"
                        : NULL,
                    "this register cannot be written");
    if (in_a != in_b) {
        bool swapped = in_a ? mul : !mul;
        if (other->target_fixed && build->swapped_write != swapped)
            return FAIL(build, "write one of them to the other file or to an accumulator",
                        "both results go to the same register file");
        build->swapped_write = swapped;
    }
    half->target = reg->address;
    half->target_fixed = in_a != in_b;
    return true;
}

bool qpu_build_target(struct qpu_build *build, const struct qpu_operand *operand)
{
    const struct qpu_suffixes *suffixes = &operand->suffixes;
    build->column = operand->offset;
    if (operand->value.kind != QPU_VALUE_REGISTER)
        return FAIL(build, "write - if the result is not needed", "the target is no register");
    if (suffixes->has_condition && !qpu_build_condition(build, suffixes->condition))
        return false;
    if (suffixes->set_flags && !qpu_build_set_flags(build))
        return false;
    return place_target(build, &operand->value.reg) &&
           apply_target_rotation(build, &operand->value.reg) &&
           (!suffixes->has_pack || qpu_build_pack(build, suffixes->pack));
}

/* Exchanges the two read ports, if both addresses mean the same on either. */
static bool exchange_ports(struct qpu_build *build)
{
    uint64_t either = UINT64_C(1) << QPU_RD_UNIFORM | UINT64_C(1) << QPU_RD_VARYING |
                      UINT64_C(1) << QPU_NOP | UINT64_C(1) << QPU_RD_VPM |
                      UINT64_C(1) << QPU_RD_MUTEX;
    if (build->ports_fixed || build->sig == QPU_SIG_SMALL_IMMEDIATE ||
        (build->unpack && !build->pm) || !(either >> build->raddr_a & 1) ||
        !(either >> build->raddr_b & 1))
        return false;
    uint8_t address = build->raddr_a;
    build->raddr_a = build->raddr_b;
    build->raddr_b = address;
    bool used = build->port_a_used;
    build->port_a_used = build->port_b_used;
    build->port_b_used = used;
    for (unsigned i = 0; i < 4; i++) {
        uint8_t *mux = &build->half[i >> 1].mux[i & 1];
        if (*mux >= QPU_MUX_A)
            *mux ^= QPU_MUX_A ^ QPU_MUX_B;
    }
    return true;
}

static bool port_a_takes(const struct qpu_build *build, unsigned address)
{
    return !build->port_a_used || build->raddr_a == address;
}

static bool port_b_takes(const struct qpu_build *build, unsigned address)
{
    return !build->port_b_used || build->raddr_b == address;
}

static unsigned use_port(struct qpu_build *build, const struct qpu_register *reg, bool port_b)
{
    uint8_t both = QPU_REGISTER_A | QPU_REGISTER_B;
    build->ports_fixed |= (reg->uses & both) != both;
    if (port_b) {
        build->raddr_b = reg->address;
        build->port_b_used = true;
        return QPU_MUX_B;
    }
    build->raddr_a = reg->address;
    build->port_a_used = true;
    return QPU_MUX_A;
}

/* Finds a way to read reg and says through which mux. */
static bool choose_mux(struct qpu_build *build, const struct qpu_register *reg, unsigned *mux)
{
    bool in_a = reg->uses & QPU_REGISTER_A, in_b = reg->uses & QPU_REGISTER_B;
    if (!(reg->uses & QPU_REGISTER_READ)) {
        *mux = reg->address ^ 32u;
        return (reg->uses & QPU_REGISTER_ACCUMULATOR) ||
               FAIL(build, NULL, "this register cannot be read");
    }
    bool small = build->sig == QPU_SIG_SMALL_IMMEDIATE;
    if (in_a && !port_a_takes(build, reg->address) && !in_b)
        if (port_b_takes(build, build->raddr_a))
            exchange_ports(build);
    if (in_a && port_a_takes(build, reg->address)) {
        *mux = use_port(build, reg, false);
        return true;
    }
    if (in_b && small)
        return FAIL(build, "copy one of them to an accumulator first",
                    "register file B cannot be read next to a small immediate or rotation");
    if (in_b && !port_b_takes(build, reg->address) && !in_a && !build->port_a_used)
        exchange_ports(build);
    if (in_b && port_b_takes(build, reg->address)) {
        *mux = use_port(build, reg, true);
        return true;
    }
    return FAIL(build, "copy one of them to an accumulator first",
                "two registers of one file are read in one line");
}

/* Which unpacker serves a source: 0 file A, 1 r4, -1 none. */
static int unpacker_of(const struct qpu_build *build, unsigned mux)
{
    if (mux == QPU_MUX_R4)
        return 1;
    return mux == QPU_MUX_A && build->raddr_a < 32 ? 0 : -1;
}

static bool request_unpack(struct qpu_build *build, struct qpu_pack pack)
{
    if (pack.only_pack)
        return FAIL(build, NULL, "this is a mode to pack a target");
    if (build->unpack && build->unpack != pack.code)
        return FAIL(build, "move one of them to the next line", "two unpack modes in one line");
    build->unpack = pack.code;
    build->unpack_integer |= pack.integer;
    build->unpack_real |= pack.real;
    return true;
}

/* Unpacking to float decides the opcode of a move: fmin instead of or. */
static bool move_as_float(struct qpu_build *build, unsigned mux)
{
    if (unpacker_of(build, mux) != 0 || float_operation(build) || !current(build)->is_move)
        return true;
    if (build->unit == QPU_MUL_UNIT && !exchange_units(build))
        return FAIL(build, "use the add ALU", "the mul ALU cannot move a value as a float");
    current(build)->op = QPU_ADD_FMIN;
    return true;
}

static bool unpack_source(struct qpu_build *build, unsigned index, struct qpu_pack pack)
{
    unsigned mux = current(build)->mux[index];
    int unpacker = unpacker_of(build, mux);
    if (pack.code == 0)
        return true;
    if (unpacker < 0)
        return FAIL(build, "copy it to ra0..ra31 first", "only ra0..ra31 and r4 can be unpacked");
    if (unpacker == 1 && pack.integer)
        return FAIL(build, "copy it to ra0..ra31 first", "r4 unpacks to floats only");
    if (!request_unpack(build, pack) || !fix_pm(build, (unsigned)unpacker))
        return false;
    if (pack.real && pack.code != 3 && !move_as_float(build, mux))
        return false;
    current(build)->unpack[index] = true;
    return true;
}

static unsigned small_code(uint32_t value)
{
    for (unsigned code = 0; code < ROTATE_BASE; code++)
        if (qpu_small_immediate(code) == value)
            return code;
    return NO_SMALL;
}

/* The 32 bits of a constant. */
static bool constant_bits(struct qpu_build *build, const struct qpu_value *value, uint32_t *bits)
{
    if (value->kind == QPU_VALUE_REAL) {
        bool overflow = isfinite(value->real) && fabs(value->real) >= 0x1.ffffffp127;
        float nearest = overflow ? (value->real < 0 ? -INFINITY : INFINITY) : (float)value->real;
        *bits = float_bits(nearest);
        return true;
    }
    if (value->kind == QPU_VALUE_REGISTER)
        return FAIL(build, NULL, "a constant is needed here");
    if (value->relative)
        return FAIL(build, "write :name for the address", "r:name is for branches only");
    if (value->integer < INT32_MIN || value->integer > UINT32_MAX)
        return FAIL(build, NULL, "the constant does not fit 32 bits");
    *bits = (uint32_t)value->integer;
    return true;
}

/* Adding 16 is subtracting -16, which is a small immediate; shifts use five bits of their count. */
static uint32_t adjust_constant(struct qpu_build *build, unsigned index, uint32_t value)
{
    struct qpu_half *half = current(build);
    if (build->unit != QPU_ADD_UNIT || index != 1)
        return value;
    switch (half->op) {
    case QPU_ADD_ADD:
    case QPU_ADD_SUB: {
        bool negated = build->sig == QPU_SIG_SMALL_IMMEDIATE &&
                       qpu_small_immediate(build->raddr_b) == 0 - value;
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

static bool constant_source(struct qpu_build *build, unsigned index,
                            const struct qpu_operand *operand)
{
    uint32_t value;
    build->unknown |= operand->value.unknown;
    if (operand->value.kind >= QPU_VALUE_ELEMENTS)
        return FAIL(build, NULL, "an operand is a register or a small immediate");
    if (!constant_bits(build, &operand->value, &value))
        return false;
    unsigned code = small_code(adjust_constant(build, index, value));
    if (operand->value.unknown)
        code = 0;
    if (code == NO_SMALL)
        return FAIL(build, "load it with ldi into a register first",
                    "0x%x is no small immediate (-16 to 15, 1.0 to 128.0, 1/256 to 1/2)", value);
    if (!take_small(build, code))
        return false;
    build->port_b_used = true;
    current(build)->mux[index] = QPU_MUX_B;
    return true;
}

bool qpu_build_source(struct qpu_build *build, unsigned index, const struct qpu_operand *operand)
{
    const struct qpu_suffixes *suffixes = &operand->suffixes;
    unsigned mux;
    build->column = operand->offset;
    if (suffixes->set_flags || suffixes->has_condition)
        return FAIL(build, "write it on the opcode", "a source takes no .setf and no condition");
    if (operand->value.kind != QPU_VALUE_REGISTER)
        return constant_source(build, index, operand);
    if (!choose_mux(build, &operand->value.reg, &mux))
        return false;
    current(build)->mux[index] = (uint8_t)mux;
    return (!suffixes->has_pack || unpack_source(build, index, suffixes->pack)) &&
           apply_source_rotation(build, &operand->value.reg, mux);
}

static unsigned source_count(const struct qpu_build *build, enum qpu_unit unit)
{
    unsigned op = build->half[unit].op;
    if (op == 0)
        return 0;
    bool unary = unit == QPU_ADD_UNIT && (op == QPU_ADD_FTOI || op == QPU_ADD_ITOF ||
                                          op == QPU_ADD_NOT || op == QPU_ADD_CLZ);
    return unary ? 1 : 2;
}

/* .unpackXX on an opcode: it applies to whichever sources can be unpacked. */
static bool unpack_operation(struct qpu_build *build, struct qpu_pack pack)
{
    struct qpu_half *half = current(build);
    int chosen = -1;
    if (pack.code == 0)
        return true;
    for (unsigned i = 0; i < source_count(build, build->unit); i++) {
        int unpacker = unpacker_of(build, half->mux[i]);
        bool sized = pack.code != 3 && (pack.integer || pack.real);
        bool mismatch = sized &&
                        (unpacker == 1 ? pack.integer : pack.integer == float_operation(build));
        if (unpacker < 0 || mismatch)
            continue;
        if (chosen >= 0 && chosen != unpacker)
            return FAIL(build, "write the mode on the operand",
                        "both r4 and a register of file A could be unpacked");
        chosen = unpacker;
        half->unpack[i] = true;
    }
    if (chosen < 0)
        return FAIL(build, NULL, "no operand can be unpacked this way");
    return request_unpack(build, pack) && fix_pm(build, (unsigned)chosen);
}

/* An unpack mode applies to every use of r4 or of the file A register in the line; both ALUs must
 * say so. Within one operation one mention is enough. */
static bool check_unpack(struct qpu_build *build)
{
    for (enum qpu_unit unit = QPU_ADD_UNIT; unit <= QPU_MUL_UNIT; unit++) {
        const struct qpu_half *half = &build->half[unit];
        bool named = half->unpack[0] || half->unpack[1];
        for (unsigned i = 0; i < source_count(build, unit); i++)
            if (!named && unpacker_of(build, half->mux[i]) == build->pm)
                return FAIL(build, "write the mode on both operands",
                            "the unpack mode also applies to the other ALU's operand");
    }
    bool sized = !build->pm && build->unpack != 3;
    if (sized && build->unpack_integer && float_operation(build))
        return FAIL(build, "write f instead of i",
                    "an integer unpack mode next to a float operation gives floats");
    if (sized && build->unpack_real && !float_operation(build))
        return FAIL(build, "write i instead of f", "no float operation uses the unpacked value");
    return true;
}

/* Without i or f, the mode must mean the same to both ALUs. */
static bool check_unpack_type(struct qpu_build *build)
{
    const struct qpu_half *add = &build->half[QPU_ADD_UNIT], *mul = &build->half[QPU_MUL_UNIT];
    bool both = (add->unpack[0] || add->unpack[1]) && (mul->unpack[0] || mul->unpack[1]);
    bool mixed = qpu_add_float_in(add->op) != (mul->op == QPU_MUL_FMUL);
    if (both && mixed && !build->pm && build->unpack != 3 && !build->unpack_real)
        return FAIL(build, "write .16af or .8af on both operands",
                    "one ALU unpacks to integer, the other to float");
    return true;
}

bool qpu_build_operation_end(struct qpu_build *build, const struct qpu_suffixes *suffixes)
{
    if (suffixes->has_pack && suffixes->pack.only_unpack &&
        !unpack_operation(build, suffixes->pack))
        return false;
    return !build->unpack || (check_unpack(build) && check_unpack_type(build));
}

/* mov of a small immediate or of zero. Zero needs no immediate: x xor x. */
static bool move_constant(struct qpu_build *build, uint32_t value, bool *load)
{
    struct qpu_half *half = current(build);
    bool mul = build->unit == QPU_MUL_UNIT;
    unsigned code = small_code(value);
    if (value && (code == NO_SMALL || build->sig == QPU_SIG_LOAD_IMMEDIATE)) {
        *load = true;
        return true;
    }
    if (value && !take_small(build, code))
        return false;
    build->port_b_used = true;
    half->mux[0] = half->mux[1] = QPU_MUX_B;
    if (value)
        half->op = mul ? QPU_MUL_V8MIN : QPU_ADD_OR;
    else
        half->op = mul ? QPU_MUL_V8SUBS : QPU_ADD_XOR;
    return true;
}

static bool move_register(struct qpu_build *build, const struct qpu_operand *operand)
{
    struct qpu_half *half = current(build);
    unsigned mux;
    if (build->sig == QPU_SIG_LOAD_IMMEDIATE)
        return FAIL(build, "move it to the next line",
                    "mov of a register cannot share a line with a load");
    if (!choose_mux(build, &operand->value.reg, &mux))
        return false;
    half->mux[0] = half->mux[1] = (uint8_t)mux;
    half->op = build->unit == QPU_MUL_UNIT ? QPU_MUL_V8MIN : QPU_ADD_OR;
    if (operand->suffixes.has_pack && !unpack_source(build, 0, operand->suffixes.pack))
        return false;
    current(build)->unpack[1] = current(build)->unpack[0];
    return apply_source_rotation(build, &operand->value.reg, mux);
}

static bool is_semaphore(const struct qpu_value *value)
{
    return value->kind == QPU_VALUE_REGISTER &&
           (value->reg.uses & (QPU_REGISTER_ACQUIRE | QPU_REGISTER_RELEASE));
}

bool qpu_build_move_source(struct qpu_build *build, const struct qpu_operand *operand, bool *load)
{
    uint32_t value;
    build->column = operand->offset;
    *load = false;
    if (operand->suffixes.set_flags || operand->suffixes.has_condition)
        return FAIL(build, "write it on the opcode", "a source takes no .setf and no condition");
    /* A label always, so that the instruction's form does not depend on where things lie. */
    if (is_semaphore(&operand->value) || operand->value.kind >= QPU_VALUE_ELEMENTS ||
        operand->value.kind == QPU_VALUE_LABEL || operand->value.unknown) {
        *load = true;
        return true;
    }
    if (operand->value.kind == QPU_VALUE_REGISTER)
        return move_register(build, operand);
    return constant_bits(build, &operand->value, &value) && move_constant(build, value, load);
}

/* The load mode that an operand needs, and its 32 bits. */
static bool load_value(struct qpu_build *build, const struct qpu_value *value, unsigned *mode,
                       bool acquire, uint32_t *bits)
{
    bool plain = *mode == 0;
    if (is_semaphore(value)) {
        bool acquires = value->reg.uses & QPU_REGISTER_ACQUIRE;
        if (!plain && (*mode != LOAD_SEMAPHORE || acquires != acquire))
            return FAIL(build, NULL, "this opcode does not go with this semaphore operand");
        *mode = LOAD_SEMAPHORE;
        *bits = value->reg.address | (acquires ? 16u : 0);
        return true;
    }
    if (value->kind == QPU_VALUE_LABEL && !plain)
        return FAIL(build, "load it with ldi", "this opcode does not load an address");
    if (!constant_bits(build, value, bits))
        return false;
    if (value->kind >= QPU_VALUE_ELEMENTS) {
        unsigned wanted = value->kind == QPU_VALUE_ELEMENTS_UNSIGNED ? LOAD_UNSIGNED : LOAD_SIGNED;
        if (value->kind == QPU_VALUE_ELEMENTS && *mode == LOAD_UNSIGNED)
            wanted = LOAD_UNSIGNED;
        if (!plain && *mode != wanted)
            return FAIL(build, NULL, "this opcode does not load such elements");
        *mode = wanted;
    }
    if (*mode == LOAD_SEMAPHORE && acquire)
        *bits |= 16;
    if (*mode == LOAD_SEMAPHORE && !acquire && (*bits & 16))
        return FAIL(build, "semaphores are 0 to 15", "bit 4 set means acquire, not release");
    return true;
}

bool qpu_build_load(struct qpu_build *build, const struct qpu_operand *operand, unsigned mode,
                    bool acquire)
{
    uint32_t bits;
    build->column = operand->offset;
    build->unknown |= operand->value.unknown;
    if (operand->suffixes.has_pack)
        return FAIL(build, NULL, "a load cannot unpack");
    if (!load_value(build, &operand->value, &mode, acquire, &bits))
        return false;
    bool again = build->sig == QPU_SIG_LOAD_IMMEDIATE;
    bool busy = build->half[0].op || build->half[1].op || build->port_a_used || build->port_b_used;
    if (again && (build->immediate != bits || build->load_mode != mode))
        return FAIL(build, "give it a line of its own", "two different constants in one line");
    if (!again && (build->sig != QPU_SIG_NONE || busy))
        return FAIL(build, "load the constant in a line of its own",
                    "this constant needs a load, which cannot share a line with a signal or an "
                    "ALU operation");
    build->sig = QPU_SIG_LOAD_IMMEDIATE;
    build->load_mode = (uint8_t)mode;
    build->immediate = bits;
    return true;
}

bool qpu_build_read(struct qpu_build *build, const struct qpu_operand *operand)
{
    uint32_t value;
    unsigned mux;
    build->column = operand->offset;
    if (!is_alu(build))
        return FAIL(build, NULL, "read cannot share a line with a load or branch");
    if (operand->value.kind == QPU_VALUE_REGISTER) {
        if (operand->value.reg.rotation || operand->suffixes.has_pack)
            return FAIL(build, NULL, "read takes a plain register");
        if (!(operand->value.reg.uses & QPU_REGISTER_READ))
            return FAIL(build, NULL, "read takes a register of file A or B");
        return choose_mux(build, &operand->value.reg, &mux);
    }
    build->unknown |= operand->value.unknown;
    if (!constant_bits(build, &operand->value, &value))
        return false;
    unsigned code = operand->value.unknown ? 0 : small_code(value);
    if (code == NO_SMALL)
        return FAIL(build, NULL, "0x%x is no small immediate", value);
    return take_small(build, code);
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

bool qpu_build_branch(struct qpu_build *build, bool relative, const struct qpu_suffixes *suffixes)
{
    bool busy = build->half[0].op || build->half[1].op || build->nop_seen || build->port_a_used ||
                build->port_b_used || build->sig != QPU_SIG_NONE;
    if (busy)
        return FAIL(build, "give it a line of its own", "a branch must be alone in its line");
    build->sig = QPU_SIG_BRANCH;
    build->unit = QPU_ADD_UNIT;
    build->branch_condition = suffixes->has_branch ? suffixes->branch : 15;
    build->relative = relative;
    build->raddr_a = 0;
    build->set_flags = suffixes->set_flags;
    return true;
}

static bool branch_register(struct qpu_build *build, const struct qpu_register *reg)
{
    bool none = reg->address == QPU_NOP && (reg->uses & QPU_REGISTER_READ) && !reg->rotation;
    if (none)
        return true;
    if (!(reg->uses & QPU_REGISTER_A) || !(reg->uses & QPU_REGISTER_READ) || reg->address >= 32 ||
        reg->rotation)
        return FAIL(build, "copy the address to ra0..ra31",
                    "a branch takes its target from ra0..ra31");
    if (build->reg)
        return FAIL(build, NULL, "a second register as branch target");
    if (build->set_flags && !(reg->address & 1))
        return FAIL(build, "use an odd register",
                    "a branch with .setf and a register needs an odd register");
    build->reg = 1;
    build->raddr_a = reg->address;
    return true;
}

bool qpu_build_branch_source(struct qpu_build *build, const struct qpu_operand *operand)
{
    build->column = operand->offset;
    if (operand->suffixes.has_pack || operand->suffixes.set_flags ||
        operand->suffixes.has_condition)
        return FAIL(build, NULL, "a branch target takes no suffix");
    if (operand->value.kind == QPU_VALUE_REGISTER)
        return branch_register(build, &operand->value.reg);
    if (operand->value.kind == QPU_VALUE_REAL || operand->value.kind >= QPU_VALUE_ELEMENTS)
        return FAIL(build, NULL, "a branch target is a label, a whole number or ra0..ra31");
    build->unknown |= operand->value.unknown;
    struct qpu_value target = {.kind = QPU_VALUE_INTEGER, .integer = operand->value.integer};
    if (operand->value.kind == QPU_VALUE_LABEL && build->relative) {
        uint32_t distance = (uint32_t)target.integer - (build->address + 32);
        target.integer = (int32_t)distance;
    }
    uint32_t bits;
    if (operand->value.unknown)
        return true;
    if (build->immediate && target.integer)
        return FAIL(build, NULL, "a second constant as branch target");
    if (!constant_bits(build, &target, &bits))
        return false;
    build->immediate |= bits;
    return true;
}

/* The integer value of an add operation on two equal constants, for what turns into a load. */
static bool fold_add(unsigned op, uint32_t x, uint32_t *value)
{
    uint32_t count = x & 31;
    switch (op) {
    case QPU_ADD_ADD: *value = x + x; return true;
    case QPU_ADD_SHR: *value = x >> count; return true;
    case QPU_ADD_ASR: *value = (uint32_t)((int32_t)x >> count); return true;
    case QPU_ADD_ROR: *value = count ? x >> count | x << (32 - count) : x; return true;
    case QPU_ADD_SHL: *value = x << count; return true;
    case QPU_ADD_SUB:
    case QPU_ADD_XOR:
    case QPU_ADD_V8SUBS: *value = 0; return true;
    case QPU_ADD_FMIN:
    case QPU_ADD_FMAX:
    case QPU_ADD_MIN:
    case QPU_ADD_MAX:
    case QPU_ADD_AND:
    case QPU_ADD_OR: *value = x; return true;
    }
    return false;
}

static bool fold_mul(unsigned op, uint32_t x, uint32_t *value)
{
    uint32_t low = x & 0xffffff;
    switch (op) {
    case QPU_MUL_MUL24: *value = low * low; return true;
    case QPU_MUL_V8MIN:
    case QPU_MUL_V8MAX: *value = x; return true;
    case QPU_MUL_V8SUBS: *value = 0; return true;
    }
    return false;
}

static bool idle(const struct qpu_half *half)
{
    return half->op == 0 && half->target == QPU_NOP;
}

static bool both_from_b(const struct qpu_half *half)
{
    return half->op && half->mux[0] == QPU_MUX_B && half->mux[1] == QPU_MUX_B;
}

static void make_load(struct qpu_build *build, uint32_t value)
{
    struct qpu_half *add = &build->half[QPU_ADD_UNIT], *mul = &build->half[QPU_MUL_UNIT];
    if (build->raddr_a != QPU_NOP)
        return;
    build->sig = QPU_SIG_LOAD_IMMEDIATE;
    build->load_mode = 0;
    build->immediate = value;
    if (add->target != QPU_NOP || build->pm)
        return;
    struct qpu_half moved = *mul;
    *mul = *add;
    *add = moved;
    build->swapped_write = !build->swapped_write && add->target_fixed;
}

/* A constant that one ALU computes alone becomes a load, which saves the ALU's power. */
static void fold(struct qpu_build *build)
{
    const struct qpu_half *add = &build->half[QPU_ADD_UNIT], *mul = &build->half[QPU_MUL_UNIT];
    uint32_t value, x = qpu_small_immediate(build->raddr_b);
    bool small = build->sig == QPU_SIG_SMALL_IMMEDIATE && !build->pack && !build->set_flags;
    bool quiet = build->sig == QPU_SIG_NONE && build->raddr_b == QPU_NOP;
    bool same = add->mux[0] == add->mux[1];
    if (small && idle(mul) && both_from_b(add) && fold_add(add->op, x, &value))
        make_load(build, value);
    else if (small && idle(add) && both_from_b(mul) && fold_mul(mul->op, x, &value))
        make_load(build, value);
    else if (quiet && mul->target == QPU_NOP && same &&
             (add->op == QPU_ADD_XOR || add->op == QPU_ADD_SUB))
        make_load(build, 0);
    else if (quiet && add->target == QPU_NOP && !build->set_flags && mul->op == QPU_MUL_V8SUBS &&
             mul->mux[0] == mul->mux[1])
        make_load(build, 0);
}

/* Fields that do nothing get the values that vc4asm gives them. */
static void settle(struct qpu_build *build)
{
    struct qpu_half *add = &build->half[QPU_ADD_UNIT], *mul = &build->half[QPU_MUL_UNIT];
    bool load = build->sig == QPU_SIG_LOAD_IMMEDIATE;
    if (add->target == QPU_NOP && !build->set_flags)
        add->condition = QPU_COND_NEVER;
    if (mul->target == QPU_NOP && (load || !build->set_flags || add->op != 0))
        mul->condition = QPU_COND_NEVER;
    if (source_count(build, QPU_ADD_UNIT) == 1)
        add->mux[1] = add->mux[0];
}

static struct qpu_insn gather(const struct qpu_build *build)
{
    const struct qpu_half *add = &build->half[QPU_ADD_UNIT], *mul = &build->half[QPU_MUL_UNIT];
    bool load = build->sig == QPU_SIG_LOAD_IMMEDIATE, branch = build->sig == QPU_SIG_BRANCH;
    bool bare_flags = branch && !build->reg;
    return (struct qpu_insn){
        .form = load     ? QPU_FORM_LOAD_32
                : branch ? QPU_FORM_BRANCH
                         : QPU_FORM_ALU,
        .sig = build->sig,
        .unpack = load ? build->load_mode : build->unpack,
        .pm = build->pm,
        .pack = build->pack,
        .cond_add = add->condition,
        .cond_mul = mul->condition,
        .sf = build->set_flags,
        .ws = build->swapped_write,
        .waddr_add = add->target,
        .waddr_mul = mul->target,
        .op_mul = mul->op,
        .op_add = add->op,
        .raddr_a = bare_flags ? build->set_flags : build->raddr_a,
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

bool qpu_build_end(struct qpu_build *build, uint64_t *word)
{
    bool of_mul = build->set_flags && build->flags_unit == QPU_MUL_UNIT;
    if (is_alu(build) && of_mul && build->half[QPU_ADD_UNIT].op)
        return FAIL(build, "put .setf on the add operation, or give one a line of its own",
                    "the flags come from the add ALU while that has an operation");
    if (is_alu(build))
        fold(build);
    if (build->sig != QPU_SIG_BRANCH)
        settle(build);
    struct qpu_insn insn = gather(build);
    *word = qpu_encode(&insn);
    return true;
}
