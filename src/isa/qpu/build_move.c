/* SPDX-License-Identifier: MIT */
/* build_move.c - sources of moves and loads: a register, a constant that an ALU computes from a
 * small immediate (a recipe), or a load of 32 bits, of elements or of a semaphore.
 *
 * In:     operands and constants.
 * Out:    the opcode and inputs of the move, or the load form of the word, or an error if
 *         neither is possible.
 * Source: as in build.c. */
#include "isa/qpu/build_internal.h"

#include "isa/qpu/constant.h"

/* Values of a load's unpack field. */
enum { LOAD_SIGNED = 1, LOAD_UNSIGNED = 3, LOAD_SEMAPHORE = 4 };

/* --- moves --- */

/* Returns true if the word's fields have room for a recipe. Does not check for a free ALU. */
static bool recipe_fits(struct qpu_build *build, const struct qpu_recipe *recipe)
{
    if (has_small(build) && build->raddr_b != recipe->code)
        return false;
    if (!recipe->mode)
        return true;
    bool of_mul = recipe->mode & QPU_MODE_REAL;
    bool same = ((build->pack ^ recipe->mode) & PACK_CODE) == 0 && build->pm == !of_mul;
    if (build->pack && !same)
        return false;
    /* With .setf, the flags would come from the value before packing, not from the constant. */
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
    if (!has_other || !qpu_build_exchange_units(build))
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
        return FAIL(build, "move the constant to the next line",
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
        return FAIL(build, "move the mov to the next line",
                    "mov of a register cannot share a line with a load");
    if (!qpu_build_choose_mux(build, operand, &mux))
        return false;
    qpu_build_set_mux(build, mux);
    current(build)->op = at_mul(build) ? QPU_MUL_V8MIN : QPU_ADD_OR;
    if ((build->at & BOTH) == BOTH) {
        struct qpu_half *add = add_of(build);
        add->mux[0] = add->mux[1] = (uint8_t)mux;
        add->op = QPU_ADD_OR;
    }
    return qpu_build_mode(build, operand->mode) && qpu_build_rotate_source(build, operand);
}

bool qpu_build_move_source(struct qpu_build *build, const struct asm_value *value, bool *load)
{
    struct qpu_operand operand;
    uint32_t bits;
    *load = false;
    if (qpu_build_is_register(value, &operand) && !(operand.uses & QPU_REGISTER_SEMAPHORE))
        return move_register(build, &operand);
    /* A label always needs a load, so that the instruction's form does not depend on addresses. */
    if (value->kind == ASM_OPERAND || value->label || build->sig == QPU_SIG_LOAD_IMMEDIATE ||
        (build->at & BOTH) == BOTH) {
        *load = true;
        return true;
    }
    return qpu_build_constant(build, value, &bits) && move_constant(build, bits, load);
}

/* --- loads --- */

static bool semaphore_value(struct qpu_build *build, const struct qpu_operand *operand,
                            unsigned *mode, bool acquire, uint32_t *bits)
{
    bool acquires = operand->uses & QPU_REGISTER_ACQUIRE;
    if (operand->mode)
        return FAIL(build, "leave the suffix out", "a load cannot unpack");
    if ((*mode & LOAD_SEMAPHORE) && acquires != acquire)
        return FAIL(build, "write sacqN or N for sacq, srelN or N for srel",
                    "the opcode and the operand disagree about acquire or release");
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
        return FAIL(build,
                    "load signed elements by ldipes, unsigned ones by ldipeu, or either by ldi",
                    "this opcode does not load elements with these values");
    *mode = wanted;
    return true;
}

/* Computes the load mode that an operand needs, and the 32 bits to load. */
static bool load_value(struct qpu_build *build, const struct asm_value *value, unsigned *mode,
                       bool acquire, uint32_t *bits)
{
    struct qpu_operand operand;
    if (value->kind == ASM_OPERAND) {
        bool is_reg = qpu_build_is_register(value, &operand);
        if (is_reg && (operand.uses & QPU_REGISTER_SEMAPHORE))
            return semaphore_value(build, &operand, mode, acquire, bits);
        if (is_reg)
            return FAIL(build, "write mov", "a load takes a constant or a semaphore");
        *bits = operand.elements;
        return elements_mode(build, &operand, mode);
    }
    if ((value->label || value->kind == ASM_FLOAT) && (*mode & LOAD_UNSIGNED))
        return FAIL(build, "use ldi", "this opcode loads small integers for each element");
    if (value->label && *mode)
        return FAIL(build, "use ldi", "this opcode does not load an address");
    if (!qpu_build_constant(build, value, bits))
        return false;
    if (acquire)
        *bits |= 16;
    else if ((*mode & LOAD_SEMAPHORE) && (*bits & 16))
        return FAIL(build, "use a number from 0 to 15",
                    "bit 4 of the number is set, which means acquire, not release");
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
        return FAIL(build, "put one constant on another line",
                    "two different constants in one line");
    bool busy = build->half[0].op || build->half[1].op;
    if (build->sig != QPU_SIG_LOAD_IMMEDIATE && (build->sig != QPU_SIG_NONE || busy))
        return FAIL(build, "load the constant on its own line",
                    "this constant needs a load, which cannot share a line with a signal or an "
                    "ALU operation");
    build->sig = QPU_SIG_LOAD_IMMEDIATE;
    build->load_mode = (uint8_t)mode;
    build->immediate = bits;
    return true;
}
