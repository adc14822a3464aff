/* SPDX-License-Identifier: MIT */
/* simple.c - the simple GP of the tests (see simple.h). */
#include "simple.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/bits.h"
#include "isa/gp/gp_isa.h"

enum { ACC0, ACC1, MUL0, MUL1, PASS, COMPLEX, UNITS };
enum { NAN_BITS = 0x7fc00000, INFINITE = 0x7f800000 };

struct results {
    uint32_t unit[UNITS]; /* results of units for the next instruction */
    uint32_t mul0_later;  /* result of mul0 for the instruction after the next */
    uint32_t load0[4];
};

struct due {
    uint64_t cycle;
    uint32_t *to, value;
    struct due *next;
};

struct simple {
    const struct tess_gp_choices *choices;
    const uint32_t (*attributes)[4];
    const struct gp_insn *insn;
    uint32_t rows[512][4], registers[16][4], address[4];
    uint32_t load0[4], load1[4], row[4];
    struct results now, p1, p2;
    struct due *first;
    uint64_t cycle;
};

static bool is_nan(uint32_t bits)
{
    return (bits & 0x7fffffff) > INFINITE;
}

static uint32_t flushed(const struct simple *gp, uint32_t bits)
{
    bool denormal = (bits & INFINITE) == 0;
    return denormal && !gp->choices->keep_denormals ? bits & 0x80000000 : bits;
}

static uint32_t finished(const struct simple *gp, uint32_t bits)
{
    return is_nan(bits) ? NAN_BITS : flushed(gp, bits);
}

/* --- operands --- */

static uint32_t raw(const struct simple *gp, unsigned source)
{
    const struct results *p1 = &gp->p1, *p2 = &gp->p2;
    if (source < 4)
        return gp->load0[source];
    if (source < 8)
        return gp->load1[source - 4];
    if (source >= 12 && source < 16)
        return gp->row[source - 12];
    if (source >= 28)
        return p1->load0[source - 28];
    switch (source) {
    case 16: return p1->unit[ACC0];
    case 17: return p1->unit[ACC1];
    case 18: return p1->unit[MUL0];
    case 19: return p1->unit[MUL1];
    case 20: return p1->unit[PASS];
    case 22: return p1->unit[COMPLEX];
    case 23: return p2->unit[PASS];
    case 24: return p2->unit[ACC0];
    case 25: return p2->unit[ACC1];
    case 26: return p2->mul0_later;
    case 27: return p2->unit[MUL1];
    default: return 0;
    }
}

static uint32_t first(const struct simple *gp, unsigned source, bool negative)
{
    return flushed(gp, raw(gp, source)) ^ (negative ? 0x80000000 : 0);
}

static uint32_t second(const struct simple *gp, unsigned source, bool negative, float identity)
{
    uint32_t bits = source == 22 ? float_bits(identity) : flushed(gp, raw(gp, source));
    return bits ^ (negative ? 0x80000000 : 0);
}

static bool works(unsigned source)
{
    return source != 21 && source != 8;
}

/* --- units --- */

static uint32_t truth(bool condition)
{
    return float_bits(condition ? 1.0f : 0.0f);
}

static uint32_t extreme(const struct simple *gp, uint32_t a, uint32_t b, bool greatest)
{
    if (is_nan(a) || is_nan(b)) {
        if (gp->choices->nan_wins || (is_nan(a) && is_nan(b)))
            return NAN_BITS;
        return is_nan(a) ? b : a;
    }
    bool a_less = bits_float(a) < bits_float(b) ||
                  (bits_float(a) == bits_float(b) && a >> 31 > b >> 31);
    return a_less == greatest ? b : a;
}

static uint32_t accumulate(const struct simple *gp, unsigned op, uint32_t a, uint32_t b)
{
    float x = bits_float(a), y = bits_float(b);
    switch (op) {
    case 0: return finished(gp, float_bits(x + y));
    case 1: return finished(gp, float_bits(floorf(x)));
    case 2: return float_bits(x > 0 ? 1.0f : x < 0 ? -1.0f : 0.0f);
    case 4: return truth(x >= y);
    case 5: return truth(x < y);
    case 6: return finished(gp, extreme(gp, a, b, false));
    case 7: return finished(gp, extreme(gp, a, b, true));
    default: return 0;
    }
}

static uint32_t multiply(const struct simple *gp, uint32_t a, uint32_t b, bool negative)
{
    float x = bits_float(a), y = bits_float(b);
    uint32_t product = float_bits(x * y);
    if (gp->choices->zero_times_inf_is_zero && (x == 0 || y == 0) && !is_nan(a) && !is_nan(b))
        product = (a ^ b) & 0x80000000;
    return finished(gp, product ^ (negative ? 0x80000000 : 0));
}

static void run_accumulators(struct simple *gp)
{
    const struct gp_insn *insn = gp->insn;
    if (works(insn->acc0_src0))
        gp->now.unit[ACC0] = accumulate(gp, insn->acc_op,
                                        first(gp, insn->acc0_src0, insn->acc0_src0_neg),
                                        second(gp, insn->acc0_src1, insn->acc0_src1_neg, 0));
    if (works(insn->acc1_src0))
        gp->now.unit[ACC1] = accumulate(gp, insn->acc_op,
                                        first(gp, insn->acc1_src0, insn->acc1_src0_neg),
                                        second(gp, insn->acc1_src1, insn->acc1_src1_neg, 0));
}

static void run_mul1(struct simple *gp)
{
    const struct gp_insn *insn = gp->insn;
    bool known = insn->mul_op == 0 || insn->mul_op == 3;
    if (insn->mul_op == 1 || insn->mul_op == 4 || !works(insn->mul1_src0))
        return;
    gp->now.unit[MUL1] = known ? multiply(gp, first(gp, insn->mul1_src0, false),
                                          second(gp, insn->mul1_src1, false, 1), insn->mul1_neg)
                               : 0;
}

static void run_mul0(struct simple *gp)
{
    const struct gp_insn *insn = gp->insn;
    uint32_t a = first(gp, insn->mul0_src0, false), b = second(gp, insn->mul0_src1, false, 1);
    uint32_t sign = insn->mul0_neg ? 0x80000000 : 0;
    gp->now.mul0_later = gp->now.unit[MUL0];
    if (!works(insn->mul0_src0))
        return;
    switch (insn->mul_op) {
    case 0:
    case 3: gp->now.unit[MUL0] = multiply(gp, a, b, insn->mul0_neg); break;
    case 1: gp->now.mul0_later = raw(gp, insn->mul0_src0) ^ sign; return;
    case 4:
        gp->now.unit[MUL0] = finished(
            gp, (bits_float(b) != 0 ? first(gp, insn->mul1_src0, false) : a) ^ sign);
        break;
    default: gp->now.unit[MUL0] = 0;
    }
    gp->now.mul0_later = gp->now.unit[MUL0];
}

static uint32_t before_exp2(uint32_t bits)
{
    float x = bits_float(bits);
    if (is_nan(bits))
        return NAN_BITS;
    if (x <= -127)
        return 0;
    if (x >= 128)
        return INFINITE;
    return (uint32_t)(127 * 0x800000 + (int32_t)lrint((double)x * 0x1p23));
}

static uint32_t after_log2(uint32_t bits)
{
    if (bits == 0x80000000)
        return float_bits(-INFINITY);
    if ((int32_t)bits > INFINITE)
        return NAN_BITS;
    return bits == INFINITE ? bits
                            : float_bits((float)(((double)(int32_t)bits - 127 * 0x1p23) * 0x1p-23));
}

static void run_pass(struct simple *gp)
{
    const struct gp_insn *insn = gp->insn;
    uint32_t a = first(gp, insn->pass_src, false), result = 0;
    if (!works(insn->pass_src))
        return;
    switch (insn->pass_op) {
    case 2: result = finished(gp, a); break;
    case 4: result = before_exp2(a); break;
    case 5: result = after_log2(raw(gp, insn->pass_src)); break;
    case 6:
        result = finished(gp, extreme(gp, extreme(gp, a, gp->row[0], true), gp->row[1], false));
        break;
    default: break;
    }
    gp->now.unit[PASS] = result;
}

static uint32_t power(const struct simple *gp, uint32_t bits)
{
    if ((int32_t)bits <= 0)
        return 0;
    if (bits >= INFINITE)
        return bits == INFINITE ? bits : NAN_BITS;
    long double fraction = (long double)(bits & 0x7fffff) * 0x1p-23L;
    int exponent = (int)(bits >> 23) - 127;
    return flushed(gp, float_bits((float)ldexpl(exp2l(fraction), exponent)));
}

static uint32_t logarithm(uint32_t bits)
{
    float x = bits_float(bits);
    if (x == 0)
        return 0x80000000;
    if (!(x > 0))
        return NAN_BITS;
    if (bits == INFINITE)
        return bits;
    return (uint32_t)(int32_t)llrintl((log2l((long double)x) + 127) * 0x1p23L);
}

static uint32_t one_by_root(uint32_t bits)
{
    float x = bits_float(bits);
    if (x == 0)
        return bits | INFINITE;
    return x > 0 ? float_bits((float)(1 / sqrtl((long double)x))) : NAN_BITS;
}

static uint32_t look_up(const struct simple *gp, unsigned op, unsigned source)
{
    uint32_t a = first(gp, source, false);
    switch (op) {
    case 2: return power(gp, raw(gp, source));
    case 3: return logarithm(a);
    case 4: return one_by_root(a);
    case 5: return finished(gp, float_bits(1 / bits_float(a)));
    case 9:
    case 12:
    case 13:
    case 14:
    case 15: return finished(gp, a);
    default: return 0;
    }
}

/* --- delayed results --- */

static void send(struct simple *gp, unsigned instructions, uint32_t *to, uint32_t value)
{
    struct due **end = &gp->first, *due = malloc(sizeof *due);
    if (!due)
        abort();
    while (*end)
        end = &(*end)->next;
    *due = (struct due){gp->cycle + instructions, to, value, NULL};
    *end = due;
}

/* Writes all pending values whose time has come, or all pending values (after a branch). */
static void arrive(struct simple *gp, bool all)
{
    for (struct due **at = &gp->first; *at;) {
        struct due *due = *at;
        if (!all && due->cycle > gp->cycle) {
            at = &due->next;
            continue;
        }
        *due->to = due->value;
        *at = due->next;
        free(due);
    }
}

static uint32_t address_of(uint32_t bits)
{
    double value = floor((double)bits_float(bits));
    if (is_nan(bits))
        return 0;
    value = value > 0x1p30 ? 0x1p30 : value < -0x1p30 ? -0x1p30 : value;
    return (uint32_t)(int32_t)value;
}

static void run_complex(struct simple *gp)
{
    const struct gp_insn *insn = gp->insn;
    unsigned op = insn->complex_op;
    if (op == 10) {
        gp->address[0] = address_of(gp->now.unit[PASS]);
        send(gp, 4, &gp->address[1], address_of(gp->now.unit[PASS]));
        return;
    }
    if (op == 0 || !works(insn->complex_src))
        return;
    gp->now.unit[COMPLEX] = look_up(gp, op, insn->complex_src);
    if (op == 12)
        gp->address[0] = address_of(gp->now.unit[COMPLEX]);
    else if (op > 12)
        send(gp, 4, &gp->address[op - 12], address_of(gp->now.unit[COMPLEX]));
}

static void store(struct simple *gp, struct simple_result *result, unsigned component,
                  unsigned source)
{
    const struct gp_insn *insn = gp->insn;
    static const int units[8] = {ACC0, ACC1, MUL0, MUL1, PASS, -1, COMPLEX, -1};
    bool low = component < 2;
    unsigned address = low ? insn->store0_addr : insn->store1_addr;
    uint32_t value = units[source] >= 0 ? gp->now.unit[units[source]] : 0;
    if (source == 7)
        return;
    if (low ? insn->store0_temporary : insn->store1_temporary) {
        send(gp, 4, &gp->rows[gp->address[0] % 512][component], value);
    } else if (low ? insn->store0_varying : insn->store1_varying) {
        result->varyings[address][component] = value;
        result->stored[address][component] = true;
    } else {
        send(gp, 3, &gp->registers[address][component], value);
    }
}

/* --- programs --- */

static void load(struct simple *gp)
{
    const struct gp_insn *insn = gp->insn;
    unsigned offset = insn->load_offset >= 1 && insn->load_offset <= 3 ? insn->load_offset : 0;
    uint32_t row = (insn->load_addr + (offset ? gp->address[offset] : 0)) % 512;
    for (unsigned c = 0; c < 4; c++) {
        gp->load0[c] = insn->register0_attribute
                           ? finished(gp, gp->attributes[insn->register0_addr][c])
                           : gp->registers[insn->register0_addr][c];
        gp->load1[c] = gp->registers[insn->register1_addr][c];
        gp->row[c] = gp->rows[row][c];
    }
    memcpy(gp->now.load0, gp->load0, sizeof gp->load0);
}

/* Runs one instruction. Returns the number of the next instruction. */
static uint32_t run_instruction(struct simple *gp, struct simple_result *result, uint32_t here)
{
    const struct gp_insn *insn = gp->insn;
    arrive(gp, false);
    load(gp);
    run_accumulators(gp);
    run_mul0(gp);
    run_mul1(gp);
    run_pass(gp);
    run_complex(gp);
    store(gp, result, 0, insn->store0_src_x);
    store(gp, result, 1, insn->store0_src_y);
    store(gp, result, 2, insn->store1_src_z);
    store(gp, result, 3, insn->store1_src_w);
    bool taken = insn->branch && bits_float(gp->now.unit[PASS]) != 0;
    gp->cycle++;
    if (taken)
        arrive(gp, true);
    gp->p2 = gp->p1;
    gp->p1 = gp->now;
    return taken ? gp_branch_target(insn) : here + 1;
}

void simple_run(const uint32_t *words, uint32_t instructions, const struct tess_gp_choices *choices,
                uint64_t limit, const uint32_t attributes[16][4], const float rows[512][4],
                struct simple_result *result)
{
    struct simple *gp = calloc(1, sizeof *gp);
    if (!gp)
        abort();
    memset(result, 0, sizeof *result);
    gp->choices = choices;
    gp->attributes = attributes;
    for (unsigned i = 0; i < 512 * 4; i++)
        gp->rows[i / 4][i % 4] = finished(gp, float_bits(rows[i / 4][i % 4]));
    for (uint32_t here = 0; here < instructions;) {
        if (gp->cycle >= limit) {
            result->runaway = true;
            break;
        }
        struct gp_insn insn = gp_decode(words + 4 * (size_t)here);
        gp->insn = &insn;
        here = run_instruction(gp, result, here);
    }
    result->instructions = gp->cycle;
    arrive(gp, true);
    free(gp);
}
