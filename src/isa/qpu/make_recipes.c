/* SPDX-License-Identifier: MIT */
/* make_recipes.c - a program that the build runs: writes, for recipe.c, every constant that one ALU
 * operation can compute from a small immediate. Rows are ordered by constant, then by preference.
 *
 * Source:  arithmetic of the ALUs: constant.c. The order of preference is vc4asm's
 *          (doc/smallimmediate.html; src/AssembleInst.tables.cpp), so that both assemblers write
 *          the same words. */
#include <stdio.h>
#include <stdlib.h>

#include "base/bits.h"
#include "isa/qpu/constant.h"
#include "isa/qpu/operand.h"
#include "isa/qpu/qpu_isa.h"

enum { CODES = 64, MUL_CODES = 48, SLOTS = 19 };

/* Packing of the result: none, or a mode that fills the whole word. */
enum packing { PLAIN, LOW_BYTE, COLOUR, CLAMPED_BYTE, CLAMPED_WORD, PACKINGS };

static const uint8_t modes[PACKINGS] = {
    [LOW_BYTE] = 3 | QPU_MODE_INTEGER,
    [COLOUR] = 3 | QPU_MODE_SATURATE | QPU_MODE_REAL,
    [CLAMPED_BYTE] = 3 | QPU_MODE_SATURATE | QPU_MODE_INTEGER,
    [CLAMPED_WORD] = QPU_MODE_SATURATE | QPU_MODE_INTEGER,
};

enum { MUL = 0x80 };
#define A(op) QPU_ADD_##op
#define M(op) (MUL | QPU_MUL_##op)

/* The opcodes tried for each packing, terminated by 0. */
static const uint8_t orders[PACKINGS][SLOTS] = {
    [PLAIN] = {A(OR), A(ITOF), A(FADD), A(FSUB), A(ROR), A(ADD), A(FTOI), A(SHL), A(NOT), A(CLZ),
               A(SHR), A(V8ADDS), M(V8MIN), M(MUL24), M(V8ADDS), M(FMUL), M(V8MULD)},
    [LOW_BYTE] = {A(OR), A(ADD), A(FTOI), A(SHL), A(NOT), A(CLZ), A(SHR), A(ROR), M(V8MIN),
                  M(V8ADDS), M(MUL24), M(V8MULD)},
    [COLOUR] = {M(V8MIN), M(FMUL)},
    [CLAMPED_BYTE] = {A(OR), A(ITOF), A(FTOI), A(ADD), A(SHL), A(NOT), A(CLZ), A(SHR), M(V8MIN),
                      M(MUL24), M(V8ADDS), M(V8MULD)},
    [CLAMPED_WORD] = {A(ADD)},
};

static uint32_t clamp_byte(uint32_t value)
{
    return value > 255 ? 255 : value;
}

static uint32_t colour(uint32_t x)
{
    float value = bits_float(x);
    if (value >= 1)
        return 255;
    return value > 0 ? (uint32_t)((double)(value * 255) + 0.5) : 0;
}

static uint32_t pack(enum packing packing, uint32_t x)
{
    switch (packing) {
    case LOW_BYTE: return (x & 255) * 0x01010101;
    case COLOUR: return colour(x) * 0x01010101;
    case CLAMPED_BYTE: return ((int32_t)x < 0 ? 0 : clamp_byte(x)) * 0x01010101;
    default: return x;
    }
}

/* Returns false if the packing cannot yield the value. Also returns false for UINT32_MAX with
 * LOW_BYTE and COLOUR, because the small immediate -1 is UINT32_MAX without packing. */
static bool possible(enum packing packing, uint32_t value)
{
    bool replicated = value == (value & 255) * 0x01010101;
    switch (packing) {
    case LOW_BYTE:
    case COLOUR: return replicated && value != UINT32_MAX;
    case CLAMPED_BYTE: return replicated;
    case CLAMPED_WORD: return value == INT32_MAX;
    default: return true;
    }
}

/* Returns the small immediate code at an index of the search order, which is: small integers,
 * floats in the order of their values, codes of rotations. */
static unsigned code_of(unsigned index)
{
    if (index < 32 || index >= 48)
        return index;
    return index < 40 ? index + 8 : index - 8;
}

/* Computes the packed result of an operation on a small immediate. Returns false if the result is
 * uncertain, or if possible() returns false for it. */
static bool make(enum packing packing, unsigned op, unsigned code, uint32_t *value)
{
    uint32_t x = qpu_small_immediate(code);
    bool mul = op & MUL;
    if (mul && code >= MUL_CODES)
        return false;
    if (packing == CLAMPED_WORD) {
        *value = INT32_MAX;
        return (int32_t)x > 0 && x > INT32_MAX / 2;
    }
    if (packing == COLOUR && (x >> 23 & 255) == 255)
        return false;
    if (!(mul ? qpu_fold_mul(op & 7, x, value) : qpu_fold_add(op, x, value)))
        return false;
    *value = pack(packing, *value);
    return possible(packing, *value);
}

struct entry {
    uint32_t value;
    size_t preference;
    struct qpu_recipe recipe;
};

static int compare(const void *left, const void *right)
{
    const struct entry *a = left, *b = right;
    if (a->value != b->value)
        return a->value < b->value ? -1 : 1;
    return a->preference < b->preference ? -1 : 1;
}

static size_t gather(struct entry *entries)
{
    size_t count = 0;
    for (unsigned packing = 0; packing < PACKINGS; packing++)
        for (const uint8_t *op = orders[packing]; *op; op++)
            for (unsigned index = 0; index < CODES; index++) {
                unsigned code = code_of(index);
                struct entry *entry = &entries[count];
                if (!make((enum packing)packing, *op, code, &entry->value))
                    continue;
                entry->preference = count++;
                entry->recipe = (struct qpu_recipe){*op & MUL, (uint8_t)(*op & ~(unsigned)MUL),
                                                    (uint8_t)code, modes[packing]};
            }
    return count;
}

int main(void)
{
    static struct entry entries[PACKINGS * SLOTS * CODES];
    size_t count = gather(entries);
    qsort(entries, count, sizeof entries[0], compare);
    for (size_t i = 0; i < count; i++) {
        const struct qpu_recipe *recipe = &entries[i].recipe;
        printf("{0x%08x, {%d, %u, %u, 0x%02x}},\n", (unsigned)entries[i].value, recipe->mul,
               recipe->op, recipe->code, recipe->mode);
    }
    return ferror(stdout) || fclose(stdout) ? EXIT_FAILURE : EXIT_SUCCESS;
}
