/* SPDX-License-Identifier: MIT */
/* kinds.c - kinds of values in registers: integers, and values whose elements differ.
 *
 * In:        an instruction with the state before it.
 * Out:       findings: an integer in a pack mode that takes floats, a shift by 32 or more, a
 *            loop that continues only while a condition holds in all elements although the
 *            elements differ.
 * Source:    qpu_rules.def.
 * Left out:  integers whose bits may be an ordinary float, such as results of shl, of or, and of
 *            sums of unknown values. Programs build floats with these operations. */
#include "check/qpu/qpu_walk.h"
#include "isa/qpu/sides.h"

enum { NO_PLACE = 255, R4 = 64 + QPU_MUX_R4, R5 = 64 + QPU_MUX_R5, FLAGS = 64 + FACTS_FLAGS };

/* Operation and operands of one ALU. */
struct share {
    bool mul;
    uint8_t op, a, b, sources;
};

static struct share share_of(const struct qpu_insn *insn, unsigned unit)
{
    const struct qpu_op_words *op = unit ? qpu_mul_words(insn->op_mul)
                                         : qpu_add_words(insn->op_add);
    return (struct share){.mul = unit == 1,
                          .op = unit ? insn->op_mul : insn->op_add,
                          .a = unit ? insn->mul_a : insn->add_a,
                          .b = unit ? insn->mul_b : insn->add_b,
                          .sources = op ? (uint8_t)op->sources : 0};
}

static bool is_immediate(const struct qpu_insn *insn, unsigned mux)
{
    return mux == QPU_MUX_B && insn->form == QPU_FORM_ALU_IMMEDIATE;
}

/* Returns the address that a mux reads through a port, or QPU_NOP if the mux reads no port. */
static unsigned port_of(const struct qpu_insn *insn, unsigned mux)
{
    if (mux < QPU_MUX_A || is_immediate(insn, mux))
        return QPU_NOP;
    return mux == QPU_MUX_A ? insn->raddr_a : insn->raddr_b;
}

static unsigned place_of(const struct qpu_insn *insn, unsigned mux)
{
    if (mux < QPU_MUX_A)
        return 64 + mux;
    unsigned address = port_of(insn, mux);
    return address >= 32 ? NO_PLACE : mux == QPU_MUX_A ? address : 32 + address;
}

/* Returns the place of the register that is written, or NO_PLACE if the register is not tracked. */
static unsigned target_of(const struct qpu_write *write)
{
    if (!write->present)
        return NO_PLACE;
    if (write->address < 32)
        return write->file_b * 32u + write->address;
    bool accumulator = write->address <= QPU_WR_ACC3 || write->address == QPU_WR_ACC5;
    return accumulator ? 64u + write->address - QPU_WR_ACC0 : NO_PLACE;
}

/* --- integers --- */

/* Returns true if the bits are a denormal or a NaN as a float. Small integers of either sign have
 * such bits. Zero is excluded because it is both an integer and a float. */
static bool is_integer_word(uint32_t value)
{
    uint32_t exponent = value >> 23 & 255, fraction = value & 0x7fffff;
    return (exponent == 0 || exponent == 255) && fraction != 0;
}

static bool is_number(const struct qpu_insn *insn, unsigned mux)
{
    return mux >= QPU_MUX_A && port_of(insn, mux) == QPU_RD_ELEMENT_QPU; /* elem_num or qpu_num */
}

static bool is_unpacked(const struct qpu_insn *insn, unsigned mux)
{
    return insn->unpack && mux == (insn->pm ? QPU_MUX_R4 : QPU_MUX_A);
}

/* Returns true if an operand is certainly an integer. */
static bool takes_integer(const struct walk *walk, unsigned mux)
{
    const struct qpu_insn *insn = &walk->facts->insn;
    uint32_t value;
    if (is_unpacked(insn, mux))
        return !insn->pm && insn->unpack >= 4;
    if (walk_operand(walk, mux, &value))
        return is_integer_word(value);
    unsigned place = place_of(insn, mux);
    return is_number(insn, mux) ||
           (place != NO_PLACE && places_have(&walk->state->integers, place));
}

static bool takes_zero(const struct walk *walk, unsigned mux)
{
    uint32_t value;
    return walk_operand(walk, mux, &value) && value == 0;
}

/* Returns true if both operands are integers, or one is an integer and the other 0. */
static bool takes_integers(const struct walk *walk, const struct share *share)
{
    bool a = takes_integer(walk, share->a), b = takes_integer(walk, share->b);
    return (a && b) || (a && takes_zero(walk, share->b)) || (b && takes_zero(walk, share->a));
}

/* Returns true if a right shift removes the exponent, so that the result is not an ordinary
 * float. */
static bool shifts_exponent_out(const struct walk *walk, const struct share *share)
{
    enum { EXPONENT_AND_SIGN = 9 };
    uint32_t count;
    return walk_operand(walk, share->b, &count) && (count & 31) >= EXPONENT_AND_SIGN;
}

static bool masks_small(const struct walk *walk, unsigned mux)
{
    uint32_t value;
    return walk_operand(walk, mux, &value) && value != 0 && value >> 23 == 0;
}

static bool adds_integer(const struct walk *walk, const struct share *share)
{
    switch (share->op) {
    case QPU_ADD_FTOI:
    case QPU_ADD_CLZ: return true;
    case QPU_ADD_SHR: return shifts_exponent_out(walk, share) || takes_integer(walk, share->a);
    case QPU_ADD_ASR:
    case QPU_ADD_NOT: return takes_integer(walk, share->a);
    case QPU_ADD_AND:
        return masks_small(walk, share->a) || masks_small(walk, share->b) ||
               takes_integers(walk, share);
    case QPU_ADD_ADD:
    case QPU_ADD_SUB:
    case QPU_ADD_MIN:
    case QPU_ADD_MAX:
    case QPU_ADD_OR:
    case QPU_ADD_XOR: return takes_integers(walk, share);
    }
    return false;
}

/* Returns true if an ALU's result before packing is certainly an integer. */
static bool gives_integer(const struct walk *walk, unsigned unit)
{
    const struct qpu_insn *insn = &walk->facts->insn;
    const struct share share = share_of(insn, unit);
    if (insn->form == QPU_FORM_LOAD_32)
        return is_integer_word(insn->immediate);
    if (qpu_layout(insn->form) != QPU_IN_ALU)
        return insn->form == QPU_FORM_LOAD_SIGNED || insn->form == QPU_FORM_LOAD_UNSIGNED;
    if (walk->facts->makes_zero)
        return false;
    if (qpu_moves(insn, share.mul))
        return takes_integer(walk, share.a);
    return share.mul ? share.op == QPU_MUL_MUL24 : adds_integer(walk, &share);
}

/* If the mul ALU passes a constant on, stores the constant in *value and returns true. */
static bool moved_constant(const struct walk *walk, uint32_t *value)
{
    const struct qpu_insn *insn = &walk->facts->insn;
    *value = insn->immediate;
    if (qpu_layout(insn->form) != QPU_IN_ALU)
        return insn->form == QPU_FORM_LOAD_32;
    return qpu_moves(insn, true) && walk_operand(walk, insn->mul_a, value);
}

void qpu_check_packed_integer(const struct walk *walk)
{
    const struct qpu_insn *insn = &walk->facts->insn;
    bool packs = insn->pm && (insn->pack & 7) >= 3 && walk->facts->write[1].present;
    uint32_t value;
    if (insn->form == QPU_FORM_BRANCH || !packs || !gives_integer(walk, 1))
        return;
    if (moved_constant(walk, &value))
        FOUND(walk, CHECK_PACK_INTEGER, CHECK_NONE, 0,
              "the pack mode of the mul ALU takes a float; as a float, the bits of the integer %d "
              "are %s",
              (int32_t)value, value >> 31 ? "not a number" : "close to 0");
    else
        FOUND(walk, CHECK_PACK_INTEGER, CHECK_NONE, 0,
              "the pack mode of the mul ALU takes a float, but the result is an integer");
}

/* --- elements that differ --- */

static bool port_varies(unsigned address, bool file_b)
{
    switch (address) {
    case QPU_RD_ELEMENT_QPU: return !file_b; /* the QPU's number is the same in all elements */
    case QPU_RD_VARYING:
    case QPU_RD_XY_COORD:
    case QPU_RD_MS_REV:
    case QPU_RD_VPM: return true;
    }
    return false;
}

static bool operand_varies(const struct walk *walk, unsigned mux)
{
    const struct qpu_insn *insn = &walk->facts->insn;
    unsigned place = place_of(insn, mux);
    if (place != NO_PLACE)
        return places_have(&walk->state->varying, place);
    return port_varies(port_of(insn, mux), mux == QPU_MUX_B);
}

static bool result_varies(const struct walk *walk, unsigned unit)
{
    const struct share share = share_of(&walk->facts->insn, unit);
    if (qpu_layout(walk->facts->insn.form) != QPU_IN_ALU || walk->facts->makes_zero)
        return false;
    return (share.sources > 0 && operand_varies(walk, share.a)) ||
           (share.sources > 1 && operand_varies(walk, share.b));
}

/* Returns true if the operand is data that comes directly from the TMU or the VPM. */
static bool is_data(const struct walk *walk, unsigned mux)
{
    return (mux == QPU_MUX_R4 && places_have(&walk->state->varying, R4)) ||
           port_of(&walk->facts->insn, mux) == QPU_RD_VPM;
}

/* Returns true if an ALU compares floats or loaded data that differ between elements. Integer
 * counters that start with the element number usually reach their limit in all elements at once, as
 * hello_fft's ra_points does. */
static bool compares(const struct walk *walk, unsigned unit)
{
    const struct share share = share_of(&walk->facts->insn, unit);
    bool floats = unit ? share.op == QPU_MUL_FMUL : qpu_add_float_in(share.op);
    bool data = (share.sources > 0 && is_data(walk, share.a)) ||
                (share.sources > 1 && is_data(walk, share.b));
    return (floats || data) && result_varies(walk, unit);
}

void qpu_check_loop_end(const struct walk *walk)
{
    enum { ANY = 2, UNCONDITIONAL = 12 };
    const struct qpu_insn *insn = &walk->facts->insn;
    uint32_t here = walk->checker->flow.base + walk->word * 8;
    bool back = !insn->reg && (insn->rel ? insn->immediate + 32 >= UINT32_C(0x80000000)
                                         : insn->immediate <= here);
    if (insn->form == QPU_FORM_BRANCH && insn->cond_br < UNCONDITIONAL && !(insn->cond_br & ANY) &&
        back && places_have(&walk->state->varying, FLAGS))
        FOUND(
            walk, CHECK_BRANCH_ALL, CHECK_NONE, 0,
            "the loop ends as soon as the condition fails in one element, but the elements differ");
}

/* --- shifts --- */

void qpu_check_shift(const struct walk *walk)
{
    /* Counts from BITS to LIKELY - 1 are reported. Larger operands are not, because they are often
     * words whose low bits are the intended count. */
    enum { BITS = 32, LIKELY = 64 };
    const struct qpu_insn *insn = &walk->facts->insn;
    uint32_t count;
    bool shifts = insn->op_add == QPU_ADD_SHR || insn->op_add == QPU_ADD_ASR ||
                  insn->op_add == QPU_ADD_ROR || insn->op_add == QPU_ADD_SHL;
    if (qpu_layout(insn->form) == QPU_IN_ALU && shifts && walk->facts->write[0].present &&
        !is_unpacked(insn, insn->add_b) && walk_operand(walk, insn->add_b, &count) &&
        count >= BITS && count < LIKELY)
        FOUND(walk, CHECK_SHIFT_COUNT, CHECK_NONE, 0, "%s by %u shifts by %u",
              qpu_add_words(insn->op_add)->mnemonic, count, count & 31);
}

/* --- state after the instruction --- */

/* Records the kind of a written value. After a conditional write, the register holds an integer
 * only if both the old and the new value are integers. Its elements differ if the elements of the
 * old or of the new value differ. */
static void put_kinds(struct walk *walk, unsigned unit, bool integer, bool varies)
{
    struct state *state = walk->state;
    const struct qpu_write *write = &walk->facts->write[unit];
    unsigned place = target_of(write);
    if (place == NO_PLACE)
        return;
    bool whole = write->condition == QPU_COND_ALWAYS;
    bool packed = walk->facts->insn.pack && (walk->facts->insn.pm ? unit == 1 : place < 32);
    bool spread = place == R5 && write->file_b; /* element 0 is copied to all elements */
    integer &= whole || places_have(&state->integers, place);
    varies |= !whole && places_have(&state->varying, place);
    places_put(&state->integers, place, integer && !packed);
    places_put(&state->varying, place, varies && !spread);
}

/* Records whether the flags differ between elements. Flags that are set under a condition
 * are not tracked. */
static void put_flags(struct walk *walk)
{
    const struct qpu_insn *insn = &walk->facts->insn;
    if (!(walk->facts->sets & 1 << FACTS_FLAGS))
        return;
    bool alu = qpu_layout(insn->form) == QPU_IN_ALU;
    bool by_mul = alu && insn->op_add == QPU_ADD_NOP;
    bool whole = alu && (by_mul ? insn->cond_mul : insn->cond_add) <= QPU_COND_ALWAYS;
    places_put(&walk->state->varying, FLAGS, whole && compares(walk, by_mul));
}

void walk_kinds(struct walk *walk)
{
    bool integer[2], varies[2];
    put_flags(walk);
    for (unsigned unit = 0; unit < 2; unit++) {
        integer[unit] = gives_integer(walk, unit);
        varies[unit] = result_varies(walk, unit);
    }
    for (unsigned unit = 0; unit < 2; unit++)
        put_kinds(walk, unit, integer[unit], varies[unit]);
    /* The SFU's result differs between elements if its operand does. Signals load data that
     * differs. */
    if (walk->facts->sets & 1 << QPU_MUX_R4)
        places_put(&walk->state->varying, R4, walk->facts->r4_load || varies[0] || varies[1]);
    if (walk->facts->accesses & ACCESS_VARYING)
        places_put(&walk->state->varying, R5, true);
}
