/* SPDX-License-Identifier: MIT */
/* constant.c - computes the ALUs' results for a small immediate.
 *
 * In:      an opcode, and the value that both inputs have.
 * Out:     the result.
 * Source:  arithmetic of the ALUs: manual, tables 12 and 13.
 * Left out: results that depend on the hardware's treatment of denormals and NaN, and
 *           on its rounding. */
#include "isa/qpu/constant.h"

#include <math.h>

#include "base/bits.h"
#include "isa/qpu/qpu_isa.h"

enum { MUL_CODES = 48 };

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

/* Adds each byte to itself with saturation, or multiplies each byte by itself as a colour from 0.0
 * to 1.0. */
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
