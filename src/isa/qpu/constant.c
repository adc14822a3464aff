/* SPDX-License-Identifier: MIT */
/* constant.c - constants that an ALU makes out of one small immediate.
 *
 * In:      the constant.
 * Out:     opcodes, small immediates and pack modes that make it, in order of preference.
 * Source:  arithmetic of the ALUs: manual tables 12 and 13. The order is that in which vc4asm tries them
 *          (doc/smallimmediate.html; src/AssembleInst.tables.cpp), so that the same words result.
 * Left out: results that depend on how the hardware treats denormals and NaN, and sqrt-like rounding. */
#include "isa/qpu/constant.h"

#include <math.h>
#include <stddef.h>

#include "base/bits.h"
#include "isa/qpu/operand.h"
#include "isa/qpu/qpu_isa.h"

enum { CODES = 64, MUL_CODES = 48, OPS_MAX = 12 };

/* What is done to the result: nothing, or a pack that fills the whole word. */
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

/* The opcodes tried for each packing, ended by 0. */
static const uint8_t orders[PACKINGS][OPS_MAX + 7] = {
    [PLAIN] = {A(OR),    A(ITOF), A(FADD), A(FSUB), A(ROR), A(ADD), A(FTOI), A(SHL), A(NOT), A(CLZ),
               A(SHR), A(V8ADDS), M(V8MIN), M(MUL24), M(V8ADDS), M(FMUL), M(V8MULD)},
    [LOW_BYTE] = {A(OR), A(ADD), A(FTOI), A(SHL), A(NOT), A(CLZ), A(SHR), A(ROR), M(V8MIN),
               M(V8ADDS), M(MUL24), M(V8MULD)},
    [COLOUR] = {M(V8MIN),  M(FMUL)},
    [CLAMPED_BYTE] = {A(OR), A(ITOF), A(FTOI), A(ADD), A(SHL), A(NOT), A(CLZ), A(SHR), M(V8MIN),
               M(MUL24), M(V8ADDS), M(V8MULD)},
    [CLAMPED_WORD] = {A(ADD) },
};

unsigned qpu_small_code(uint32_t value)
{
    for (unsigned code = 0; code < MUL_CODES; code++)
        if (qpu_small_immediate(code) == value)
            return code;
    return QPU_NO_SMALL;
}

static bool is_normal(uint32_t x)
{
    return (x >> 23 & 255) - 1 < 254;
}

static bool is_special(uint32_t x)
{
    return (x >> 23 & 255) == 255;
}

static uint32_t infinity(uint32_t sign)
{
    return (sign & 0x80000000) | 0x7f800000;
}

static uint32_t clamp_byte(uint32_t value)
{
    return value > 255 ? 255 : value;
}

/* Adds each byte to itself, or multiplies it by itself as a colour. */
static uint32_t bytes(uint32_t x, bool multiply)
{
    uint32_t result = 0;
    for (unsigned shift = 0; shift < 32; shift += 8) {
        uint32_t byte = x >> shift & 255;
        result |= (multiply ? (byte * byte + 127) / 255 : clamp_byte(byte + byte)) << shift;
    }
    return result;
}

static uint32_t leading_zeros(uint32_t x)
{
    uint32_t count = 32;
    for (; x; x >>= 1)
        count--;
    return count;
}

static bool fold_float(unsigned op, uint32_t x, uint32_t *result)
{
    float value = bits_float(x);
    switch (op) {
    case QPU_ADD_FMIN:
    case QPU_ADD_FMAX: *result = x; return true;
    case QPU_ADD_FMINABS:
    case QPU_ADD_FMAXABS: *result = x & 0x7fffffff; return true;
    }
    if (x != 0 && !is_normal(x) && !is_special(x))
        return false;
    switch (op) {
    case QPU_ADD_FADD:
        *result = is_special(x) ? infinity(x) : float_bits(value + value);
        return true;
    case QPU_ADD_FSUB: *result = is_special(x) ? infinity(~x) : 0; return true;
    case QPU_ADD_FTOI: *result = is_special(x) ? 0 : (uint32_t)(int32_t)value; return true;
    }
    return false;
}

bool qpu_fold_add(unsigned op, uint32_t x, uint32_t *result)
{
    unsigned count = x & 31;
    switch (op) {
    case QPU_ADD_ITOF: *result = float_bits((float)(int32_t)x); return true;
    case QPU_ADD_ADD: *result = x + x; return true;
    case QPU_ADD_SHR: *result = x >> count; return true;
    case QPU_ADD_ASR: *result = (uint32_t)((int32_t)x >> count); return true;
    case QPU_ADD_ROR: *result = count ? x >> count | x << (32 - count) : x; return true;
    case QPU_ADD_SHL: *result = x << count; return true;
    case QPU_ADD_NOT: *result = ~x; return true;
    case QPU_ADD_CLZ: *result = leading_zeros(x); return true;
    case QPU_ADD_V8ADDS: *result = bytes(x, false); return true;
    case QPU_ADD_SUB:
    case QPU_ADD_XOR:
    case QPU_ADD_V8SUBS: *result = 0; return true;
    case QPU_ADD_MIN:
    case QPU_ADD_MAX:
    case QPU_ADD_AND:
    case QPU_ADD_OR: *result = x; return true;
    }
    return fold_float(op, x, result);
}

bool qpu_fold_mul(unsigned op, uint32_t x, uint32_t *result)
{
    uint32_t low = x & 0xffffff;
    float value = bits_float(x);
    switch (op) {
    case QPU_MUL_FMUL:
        *result = is_special(x) ? 0x7f800000 : float_bits(value * value);
        return is_special(x) || is_normal(x) || x == 0;
    case QPU_MUL_MUL24: *result = low * low; return true;
    case QPU_MUL_V8MULD: *result = bytes(x, true); return true;
    case QPU_MUL_V8MIN:
    case QPU_MUL_V8MAX: *result = x; return true;
    case QPU_MUL_V8ADDS: *result = bytes(x, false); return true;
    case QPU_MUL_V8SUBS: *result = 0; return true;
    }
    return false;
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

/* Whether a packing can give the value at all. */
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

/* Small integers, then floats by value, then the codes of rotations. */
static unsigned code_of(unsigned index)
{
    if (index < 32 || index >= 48)
        return index;
    return index < 40 ? index + 8 : index - 8;
}

static bool makes(uint32_t value, enum packing packing, unsigned op, unsigned code)
{
    uint32_t x = qpu_small_immediate(code), result;
    bool mul = op & MUL;
    if (mul && code >= MUL_CODES)
        return false;
    if (packing == CLAMPED_WORD)
        return (int32_t)x > 0 && x > INT32_MAX / 2;
    if (packing == COLOUR && is_special(x))
        return false;
    bool known = mul ? qpu_fold_mul(op & 7, x, &result) : qpu_fold_add(op, x, &result);
    return known && pack(packing, result) == value;
}

bool qpu_next_recipe(uint32_t value, uint32_t *at, struct qpu_recipe *recipe)
{
    enum { SLOTS = OPS_MAX + 7 };
    while (*at < PACKINGS * SLOTS * CODES) {
        uint32_t index = *at;
        enum packing packing = (enum packing)(index / (SLOTS * CODES));
        unsigned op = orders[packing][index / CODES % SLOTS], code = code_of(index % CODES);
        if (!possible(packing, value)) {
            *at = ((uint32_t)packing + 1) * SLOTS * CODES;
            continue;
        }
        if (op == 0) {
            *at = (index / CODES + 1) * CODES;
            continue;
        }
        ++*at;
        if (makes(value, packing, op, code)) {
            *recipe = (struct qpu_recipe){(op & MUL) != 0, (uint8_t)(op & ~(unsigned)MUL),
                                          (uint8_t)code, modes[packing]};
            return true;
        }
    }
    return false;
}
