/* SPDX-License-Identifier: MIT */
/* simple.c - the simple A2xx of the tests (see simple.h). */
#include "simple.h"

#include <float.h>
#include <math.h>
#include <string.h>

#include "base/bits.h"
#include "isa/a2xx/a2xx_isa.h"

struct simple {
    const struct simple_input *input;
    struct simple_output *output;
    float registers[64][4], ps;
    bool p0;
    int a0, al;
    unsigned depth, calls, loop[4], iteration[4], back[4];
    uint32_t at;
};

/* --- numbers --- */

static float flushed(float x)
{
    return fabsf(x) < FLT_MIN ? copysignf(0, x) : x;
}

static float finished(const struct simple *core, float x)
{
    if (isnan(x))
        return bits_float(0x7fc00000);
    return core->input->keep_denormals ? x : flushed(x);
}

static float product(float x, float y)
{
    return x == 0 || y == 0 ? 0.0f : x * y;
}

static float muladd(const struct simple *core, float x, float y, float z)
{
    if (x == 0 || y == 0)
        return 0.0f + z;
    if (core->input->fused)
        return fmaf(x, y, z);
    volatile float both = x * y;
    return both + z;
}

static float truth(bool condition)
{
    return condition ? 1 : 0;
}

/* --- operands --- */

static float constant(const struct simple *core, int number, unsigned component, bool everywhere)
{
    (void)everywhere; /* the window begins at 0 and contains all constants */
    return number < 0 || number > 255 ? 0 : core->input->constants[number][component];
}

static float source(const struct simple *core, const struct a2xx_alu *alu, unsigned number,
                    unsigned slot)
{
    const uint32_t sources[] = {alu->src1, alu->src2, alu->src3};
    const uint32_t swizzles[] = {alu->src1_swiz, alu->src2_swiz, alu->src3_swiz};
    const uint32_t negates[] = {alu->src1_negate, alu->src2_negate, alu->src3_negate};
    const uint32_t selects[] = {alu->src1_sel, alu->src2_sel, alu->src3_sel};
    uint32_t value = sources[number], c = a2xx_swizzle(swizzles[number], slot);
    bool first = true, absolute;
    float x;
    for (unsigned i = 0; i < number; i++)
        first &= selects[i];
    if (selects[number]) {
        unsigned place = value & 63;
        if (value & 64)
            place = (unsigned)((int)place + core->al) & 63;
        x = core->registers[place][c];
        absolute = value & 128;
    } else {
        bool relative = first ? alu->const_0_rel : alu->const_1_rel;
        int offset = relative ? (alu->address_mode ? core->a0 : core->al) : 0;
        x = constant(core, (int)value + offset, c, false);
        absolute = alu->abs_constants;
    }
    x = flushed(x);
    x = absolute ? fabsf(x) : x;
    return negates[number] ? -x : x;
}

/* --- vector operations --- */

struct vectors {
    float a[4], b[4], c[4];
};

static void cube(const struct vectors *v, float to[4])
{
    float x = v->a[2], y = v->a[3], z = v->a[0];
    if (fabsf(z) >= fabsf(x) && fabsf(z) >= fabsf(y)) {
        to[0] = -y;
        to[1] = z < 0 ? -x : x;
        to[2] = 2 * z;
        to[3] = z < 0 ? 5 : 4;
    } else if (fabsf(y) >= fabsf(x)) {
        to[0] = y < 0 ? -z : z;
        to[1] = x;
        to[2] = 2 * y;
        to[3] = y < 0 ? 3 : 2;
    } else {
        to[0] = -y;
        to[1] = x < 0 ? z : -z;
        to[2] = 2 * x;
        to[3] = x < 0 ? 1 : 0;
    }
}

static bool compare(unsigned kind, float x, float y)
{
    switch (kind) {
    case 0: return x == y;
    case 1: return x > y;
    case 2: return x >= y;
    default: return x != y;
    }
}

/* Evaluates a comparison with 0. KILL and SET operations are in the order E, GT, GTE, NE.
 * PRED_SET operations are in the order E, NE, GT, GTE. */
static bool compare_zero(unsigned kind, float x)
{
    static const uint8_t order[] = {0, 3, 1, 2};
    return compare(order[kind], x, 0);
}

static float dot(const struct simple *core, const struct vectors *v, unsigned components)
{
    float sum = 0;
    for (unsigned i = 0; i < components; i++)
        sum = muladd(core, v->a[i], v->b[i], sum);
    return sum;
}

static float greatest4(const float v[4])
{
    if (v[0] >= v[1] && v[0] >= v[2] && v[0] >= v[3])
        return v[0];
    if (v[1] >= v[2] && v[1] >= v[3])
        return v[1];
    return v[2] >= v[3] ? v[2] : v[3];
}

static void fill(float to[4], float value)
{
    for (unsigned i = 0; i < 4; i++)
        to[i] = value;
}

static float each(const struct simple *core, unsigned opcode, float x, float y, float z)
{
    switch (opcode) {
    case 0: return x + y;
    case 1: return product(x, y);
    case 2:
    case 29: return x >= y ? x : y;
    case 3: return x < y ? x : y;
    case 4:
    case 5:
    case 6:
    case 7: return truth(compare(opcode - 4, x, y));
    case 8: return x - floorf(x);
    case 9: return truncf(x);
    case 10: return floorf(x);
    case 11: return muladd(core, x, y, z);
    case 12: return x == 0 ? y : z;
    case 13: return x >= 0 ? y : z;
    case 14: return x > 0 ? y : z;
    default: return 0;
    }
}

static bool any(unsigned kind, const struct vectors *v)
{
    bool found = false;
    for (unsigned i = 0; i < 4; i++)
        found |= compare(kind, v->a[i], v->b[i]);
    return found;
}

static void run_vector(struct simple *core, unsigned opcode, const struct vectors *v, float to[4])
{
    if (opcode == 15 || opcode == 16) {
        fill(to, dot(core, v, opcode == 15 ? 4 : 3));
    } else if (opcode == 17) {
        fill(to, dot(core, v, 2) + v->c[0]);
    } else if (opcode == 18) {
        cube(v, to);
    } else if (opcode == 19) {
        fill(to, greatest4(v->a));
    } else if (opcode >= 20 && opcode <= 23) {
        core->p0 = v->a[3] == 0 && compare_zero(opcode - 20, v->b[3]);
        fill(to, v->a[0] == 0 && compare_zero(opcode - 20, v->b[0]) ? 0 : v->a[0] + 1);
    } else if (opcode >= 24 && opcode <= 27) {
        bool kill = any(opcode - 24, v);
        core->output->killed |= kill;
        fill(to, truth(kill));
    } else if (opcode == 28) {
        to[0] = 1;
        to[1] = product(v->a[1], v->b[1]);
        to[2] = v->a[2];
        to[3] = v->b[3];
    } else {
        for (unsigned i = 0; i < 4; i++)
            to[i] = each(core, opcode, v->a[i], v->b[i], v->c[i]);
    }
}

/* --- scalar operations --- */

static int address(float x)
{
    if (!(x > -256))
        return -256;
    return x < 255 ? (int)x : 255;
}

static float without_infinity(float x, float instead)
{
    return isinf(x) ? copysignf(instead, x) : x;
}

static float predicate(struct simple *core, unsigned opcode, float a)
{
    switch (opcode) {
    case 31: core->p0 = a == 1; return core->p0 ? 0 : a == 0 ? 1 : a;
    case 32: core->p0 = a - 1 <= 0; return core->p0 ? 0 : a - 1;
    case 33: core->p0 = false; return FLT_MAX;
    case 34: core->p0 = a == 0; return core->p0 ? 0 : a;
    default: core->p0 = compare_zero(opcode - 27, a); return truth(!core->p0);
    }
}

static float kill(struct simple *core, bool condition)
{
    core->output->killed |= condition;
    return truth(condition);
}

static float previous2(float a, float b, float ps)
{
    if (ps == -FLT_MAX || !isfinite(ps) || !isfinite(b) || b <= 0)
        return -FLT_MAX;
    return product(a, flushed(ps));
}

static float run_scalar(struct simple *core, unsigned opcode, float a, float b)
{
    const long double x = (long double)a;
    float ps = flushed(core->ps);
    switch (opcode) {
    case 0:
    case 44:
    case 45: return a + b;
    case 1: return a + ps;
    case 2:
    case 42:
    case 43: return product(a, b);
    case 3: return product(a, ps);
    case 4: return previous2(a, b, core->ps);
    case 5: return a >= b ? a : b;
    case 6: return a < b ? a : b;
    case 7:
    case 8:
    case 9:
    case 10: return truth(compare(opcode - 7, a, 0));
    case 11: return a - floorf(a);
    case 12: return truncf(a);
    case 13: return floorf(a);
    case 14: return (float)exp2l(x);
    case 15: return a == 0 ? -FLT_MAX : (float)log2l(x);
    case 16: return (float)log2l(x);
    case 17: return without_infinity(1 / a, FLT_MAX);
    case 18: return without_infinity(1 / a, 0);
    case 19: return 1 / a;
    case 20: return without_infinity((float)(1 / sqrtl(x)), FLT_MAX);
    case 21: return without_infinity((float)(1 / sqrtl(x)), 0);
    case 22: return (float)(1 / sqrtl(x));
    case 23: core->a0 = address(floorf(a + 0.5f)); return a >= b ? a : b;
    case 24: core->a0 = address(floorf(a)); return a >= b ? a : b;
    case 25:
    case 46:
    case 47: return a - b;
    case 26: return a - ps;
    case 35:
    case 36:
    case 37:
    case 38: return kill(core, compare(opcode - 35, a, 0));
    case 39: return kill(core, a == 1);
    case 40: return sqrtf(a);
    case 48: return (float)sinl(x);
    case 49: return (float)cosl(x);
    default: return opcode >= 27 && opcode <= 34 ? predicate(core, opcode, a) : core->ps;
    }
}

/* --- instructions --- */

static float clamped(float x)
{
    return x > 0 ? fminf(x, 1) : 0;
}

static void write(struct simple *core, const struct a2xx_alu *alu, const float vector[4],
                  float scalar)
{
    unsigned v = alu->vector_write_mask, s = alu->scalar_write_mask;
    unsigned number = alu->vector_dest + (alu->vector_dest_rel ? (unsigned)core->al : 0);
    unsigned other = alu->scalar_dest + (alu->scalar_dest_rel ? (unsigned)core->al : 0);
    for (unsigned c = 0; c < 4; c++) {
        unsigned both = (v >> c & 1) | (s >> c & 1) << 1;
        float *to = core->output->exports[number & 63];
        if (!alu->export_data) {
            if (both & 1)
                core->registers[number & 63][c] = vector[c];
            if (both & 2)
                core->registers[other & 63][c] = scalar;
            continue;
        }
        if (both == 0 && !alu->scalar_dest_rel)
            continue;
        to[c] = both == 0 ? 0 : both == 1 ? vector[c] : both == 2 ? scalar : 1;
        core->output->exported[number & 63] |= (uint8_t)(1 << c);
    }
}

static void run_alu(struct simple *core, const uint32_t *words)
{
    struct a2xx_alu alu = a2xx_decode_alu(words);
    struct vectors v;
    float vector[4], a, b, scalar;
    int old_a0 = core->a0;
    if (alu.is_predicated && core->p0 != alu.pred_condition)
        return;
    for (unsigned c = 0; c < 4; c++) {
        v.a[c] = source(core, &alu, 0, c);
        v.b[c] = source(core, &alu, 1, c);
        v.c[c] = source(core, &alu, 2, c);
    }
    a = source(core, &alu, 2, 3);
    b = source(core, &alu, 2, core->input->xenos ? 2 : 0);
    if (alu.scalar_opc >= 42 && alu.scalar_opc <= 47) {
        struct a2xx_alu reg = alu;
        unsigned number = (alu.scalar_opc & 1) + 2 * alu.src3_sel + (alu.src3_swiz & 0x3c);
        reg.src3_sel = 0;
        a = source(core, &reg, 2, 3);
        reg.src3_sel = 1;
        reg.src3 = number | (alu.abs_constants ? 128u : 0u);
        b = source(core, &reg, 2, 0);
    }
    run_vector(core, alu.vector_opc, &v, vector);
    if (alu.vector_opc == 29)
        old_a0 = address(floorf(v.a[3] + 0.5f));
    scalar = run_scalar(core, alu.scalar_opc, a, b);
    if (alu.scalar_opc != 23 && alu.scalar_opc != 24)
        core->a0 = old_a0;
    if (alu.scalar_opc != 50)
        core->ps = finished(core, scalar);
    scalar = alu.scalar_clamp ? clamped(core->ps) : core->ps;
    for (unsigned c = 0; c < 4; c++) {
        vector[c] = finished(core, vector[c]);
        vector[c] = alu.vector_clamp ? clamped(vector[c]) : vector[c];
    }
    write(core, &alu, vector, scalar);
}

/* --- control flow --- */

static void set_al(struct simple *core)
{
    int value = 0;
    if (core->depth) {
        const uint8_t *loop = core->input->loops[core->loop[core->depth - 1]];
        value = (int)core->iteration[core->depth - 1] * (int8_t)loop[2] + loop[1];
    }
    core->al = value < -256 ? -256 : value > 256 ? 256 : value;
}

static void run_loop(struct simple *core, const struct a2xx_loop *loop)
{
    if (loop->opcode == 7) {
        if (core->depth == 4) {
            core->at = loop->address;
            return;
        }
        if (!loop->repeat)
            core->iteration[core->depth] = 0;
        if (core->iteration[core->depth] >= core->input->loops[loop->loop_id][0])
            core->at = loop->address;
        else
            core->loop[core->depth++] = loop->loop_id;
    } else if (core->depth) {
        if (++core->iteration[core->depth - 1] < core->input->loops[core->loop[core->depth - 1]][0])
            core->at = loop->address;
        else
            core->depth--;
    }
    set_al(core);
}

static void run_jump(struct simple *core, const struct a2xx_jump *jump)
{
    bool test = jump->predicated ? core->p0 : core->input->bools[jump->bool_address];
    bool go = jump->unconditional || test == jump->condition;
    if (jump->opcode == 10) {
        if (core->calls)
            core->at = core->back[--core->calls];
    } else if (go && jump->opcode == 11) {
        core->at = jump->address;
    } else if (go && core->calls < 4) {
        core->back[core->calls++] = core->at;
        core->at = jump->address;
    }
}

/* Runs a clause. Returns true if the program has ended. */
static bool run_exec(struct simple *core, const struct a2xx_exec *exec)
{
    bool conditional = exec->opcode != 1 && exec->opcode != 2;
    bool predicated = exec->opcode == 5 || exec->opcode == 6;
    bool test = predicated ? core->p0 : core->input->bools[exec->bool_address];
    if (conditional && test != exec->condition)
        return false;
    for (unsigned i = 0; i < exec->count && exec->address + i < core->input->slots; i++) {
        run_alu(core, core->input->words + (size_t)(exec->address + i) * 3);
        core->output->executed++;
    }
    return exec->opcode == 2 || exec->opcode == 4 || exec->opcode == 6 || exec->opcode == 14;
}

void simple_run(const struct simple_input *input, struct simple_output *output)
{
    struct simple core = {.input = input, .output = output};
    memcpy(core.registers, input->registers, sizeof core.registers);
    while (core.at < 2 * input->slots && output->executed < input->limit) {
        struct a2xx_cf cf = a2xx_decode_cf(
            a2xx_cf_half(input->words + (size_t)(core.at / 2) * 3, core.at % 2));
        core.at++;
        if (cf.form == A2XX_FORM_EXEC && run_exec(&core, &cf.exec)) {
            output->executed++;
            output->ended = true;
            return;
        }
        if (cf.form == A2XX_FORM_LOOP)
            run_loop(&core, &cf.loop);
        if (cf.form == A2XX_FORM_JUMP)
            run_jump(&core, &cf.jump);
        output->executed++;
    }
    output->ended = core.at >= 2 * input->slots;
}
