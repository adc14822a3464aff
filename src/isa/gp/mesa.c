/* SPDX-License-Identifier: MIT */
/* mesa.c - prints GP instructions in the notation of Mesa's disassembler, for comparison with
 * Mesa's output.
 *
 * In: an instruction, the instruction's number, and the preceding instruction.
 * Out:      one line for each slot in use, in the order accumulators, multipliers, complex, pass,
 *           branch.
 * Source:   docs/hardware/utgard.md, section 20; Mesa 22.3.6,
 *           src/gallium/drivers/lima/ir/gp/disasm.c, for unknown codes and unusual words.
 *           docs/dis.md lists the differences. */
#include "isa/gp/print.h"

/* Units in Mesa's order. Mesa numbers their results through the whole program. */
enum unit { ACC0, ACC1, MUL0, MUL1, PASS, COMPLEX, UNITS };

struct listing {
    struct buffer *out;
    const struct gp_insn *insn, *before;
    unsigned number;
};

static const struct {
    enum gp_unit unit;
    enum gp_store_source store;
} units[UNITS] = {
    /* clang-format off */
    [ACC0]    = {GP_UNIT_ACC0,    GP_STORE_ACC0},
    [ACC1]    = {GP_UNIT_ACC1,    GP_STORE_ACC1},
    [MUL0]    = {GP_UNIT_MUL0,    GP_STORE_MUL0},
    [MUL1]    = {GP_UNIT_MUL1,    GP_STORE_MUL1},
    [PASS]    = {GP_UNIT_PASS,    GP_STORE_PASS},
    [COMPLEX] = {GP_UNIT_COMPLEX, GP_STORE_COMPLEX},
    /* clang-format on */
};

#define PUT(l, ...) buffer_printf((l)->out, __VA_ARGS__)

/* --- destinations --- */

/* The fields of a store unit: two sources and the destination. */
struct store {
    unsigned first, second, number;
    bool temporary, varying;
    const char *names; /* names of the two components: "xy" or "zw" */
};

static struct store store_of(const struct gp_insn *insn, bool second)
{
    if (second)
        return (struct store){insn->store1_src_z,     insn->store1_src_w,   insn->store1_addr,
                              insn->store1_temporary, insn->store1_varying, "zw"};
    return (struct store){insn->store0_src_x,     insn->store0_src_y,   insn->store0_addr,
                          insn->store0_temporary, insn->store0_varying, "xy"};
}

static void put_store(const struct listing *l, const struct store *store, unsigned source)
{
    bool first = store->first == source, second = store->second == source;
    if (!first && !second)
        return;
    if (store->temporary)
        PUT(l, "/t[addr0]");
    else
        PUT(l, "/%c%u", store->varying ? 'v' : '$', store->number);
    PUT(l, ".");
    if (first)
        PUT(l, "%c", store->names[0]);
    if (second)
        PUT(l, "%c", store->names[1]);
}

static void put_destination(const struct listing *l, enum unit unit)
{
    struct store low = store_of(l->insn, false), high = store_of(l->insn, true);
    PUT(l, "^%u", l->number * UNITS + unit);
    put_store(l, &low, units[unit].store);
    put_store(l, &high, units[unit].store);
    if (unit == COMPLEX && l->insn->complex_op >= GP_COMPLEX_ADDR0)
        PUT(l, "/addr%d", l->insn->complex_op - GP_COMPLEX_ADDR0);
}

/* --- sources --- */

static void put_row(const struct listing *l, char component)
{
    PUT(l, "t[%d", l->insn->load_addr);
    if (l->insn->load_offset >= 1 && l->insn->load_offset <= 3)
        PUT(l, "+addr%d", l->insn->load_offset);
    else if (l->insn->load_offset != GP_NO_OFFSET)
        PUT(l, "+unk%d", l->insn->load_offset);
    PUT(l, "].%c", component);
}

/* Writes the number of a result. Results of instructions before the start of the program have
 * negative numbers. */
static void put_result(const struct listing *l, const struct gp_source_row *row)
{
    for (int unit = 0; unit < UNITS; unit++)
        if (units[unit].unit == row->unit)
            PUT(l, "^%d", ((int)l->number - row->back) * UNITS + unit);
}

static void put_source(const struct listing *l, unsigned source)
{
    const struct gp_source_row *row = &gp_sources[source];
    const struct gp_insn *insn = row->back ? l->before : l->insn;
    if (!row->words) {
        PUT(l, "unknown%u", source - 8); /* Mesa numbers unknown codes from 8 up */
        return;
    }
    switch (row->unit) {
    case GP_UNIT_NONE: PUT(l, "unused"); break;
    case GP_UNIT_LOAD0:
        PUT(l, "%c%u.%c", insn->register0_attribute ? 'a' : '$', insn->register0_addr,
            row->component);
        break;
    case GP_UNIT_LOAD1: PUT(l, "$%u.%c", l->insn->register1_addr, row->component); break;
    case GP_UNIT_ROW: put_row(l, row->component); break;
    default: put_result(l, row);
    }
}

/* Writes the second operand of an accumulator or a multiplier. */
static void put_second(const struct listing *l, unsigned source, char identity)
{
    if (gp_is_identity(source))
        PUT(l, "%c", identity);
    else
        put_source(l, source);
}

/* --- slots; each function returns true if it writes a line --- */

static bool put_acc(const struct listing *l, enum unit unit)
{
    const struct gp_insn *insn = l->insn;
    bool one = unit == ACC1;
    unsigned first = one ? insn->acc1_src0 : insn->acc0_src0;
    unsigned second = one ? insn->acc1_src1 : insn->acc0_src1;
    bool first_neg = one ? insn->acc1_src0_neg : insn->acc0_src0_neg;
    bool second_neg = one ? insn->acc1_src1_neg : insn->acc0_src1_neg;
    const struct gp_op *op = &gp_acc_ops[insn->acc_op];
    bool move = gp_is_identity(second) && second_neg;
    if (first == GP_SRC_UNUSED)
        return false;
    if (move || op->mnemonic)
        PUT(l, "\t%s.a%d ", move ? "mov" : op->mnemonic, one);
    else
        PUT(l, "\top%u.a%d ", insn->acc_op, one);
    put_destination(l, unit);
    PUT(l, first_neg ? " -" : " ");
    put_source(l, first);
    if (!move && op->operands > 1) {
        PUT(l, second_neg ? " -" : " ");
        put_second(l, second, '0');
    }
    PUT(l, "\n");
    return true;
}

static bool put_multiplier(const struct listing *l, enum unit unit)
{
    const struct gp_insn *insn = l->insn;
    bool one = unit == MUL1, negative = one ? insn->mul1_neg : insn->mul0_neg;
    unsigned first = one ? insn->mul1_src0 : insn->mul0_src0;
    unsigned second = one ? insn->mul1_src1 : insn->mul0_src1;
    bool move = gp_is_identity(second) && !negative;
    const char *name = insn->mul_op == GP_MUL_COMPLEX2 && !one ? "complex2" : "mul";
    if (first == GP_SRC_UNUSED || second == GP_SRC_UNUSED)
        return false;
    PUT(l, "\t%s.m%d ", move ? "mov" : name, one);
    put_destination(l, unit);
    PUT(l, " ");
    put_source(l, first);
    if (!move) {
        PUT(l, negative ? " -" : " ");
        put_second(l, second, '1');
    }
    PUT(l, "\n");
    return true;
}

static void put_wide(const struct listing *l)
{
    const struct gp_insn *insn = l->insn;
    if (insn->mul_op == GP_MUL_COMPLEX1)
        PUT(l, "\tcomplex1.m01 ");
    else
        PUT(l, "\tunknown%u.m01 ", insn->mul_op);
    put_destination(l, MUL0);
    PUT(l, " ");
    put_source(l, insn->mul0_src0);
    PUT(l, " ");
    put_second(l, insn->mul0_src1, '1');
    PUT(l, " ");
    put_source(l, insn->mul1_src0);
    PUT(l, " ");
    put_second(l, insn->mul1_src1, '1');
    PUT(l, "\n");
}

/* Writes the operands of select in Mesa's order: the condition, the value if the condition is 0,
 * the value if the condition is not 0. */
static void put_select(const struct listing *l)
{
    PUT(l, "\tsel.m01 ");
    put_destination(l, MUL0);
    PUT(l, " ");
    put_second(l, l->insn->mul0_src1, '1');
    PUT(l, " ");
    put_source(l, l->insn->mul0_src0);
    PUT(l, " ");
    put_source(l, l->insn->mul1_src0);
    PUT(l, "\n");
}

static bool put_multipliers(const struct listing *l)
{
    bool written;
    switch (l->insn->mul_op) {
    case GP_MUL_MUL:
    case GP_MUL_COMPLEX2:
        written = put_multiplier(l, MUL0);
        return put_multiplier(l, MUL1) || written;
    case GP_MUL_SELECT: put_select(l); return true;
    default: put_wide(l); return true;
    }
}

static bool put_complex(const struct listing *l)
{
    unsigned op = l->insn->complex_op;
    bool address = op >= GP_COMPLEX_ADDR0, known = gp_complex_ops[op].mnemonic;
    if (l->insn->complex_src == GP_SRC_UNUSED || op == GP_COMPLEX_NONE)
        return false;
    if (known && op != GP_COMPLEX_ADDR01)
        PUT(l, "\t%s.c ", address ? "mov" : gp_complex_ops[op].mnemonic);
    else
        PUT(l, "\tunk%u.c ", op);
    put_destination(l, COMPLEX);
    PUT(l, " ");
    put_source(l, l->insn->complex_src);
    PUT(l, "\n");
    return true;
}

static bool put_pass(const struct listing *l)
{
    const struct gp_op *op = &gp_pass_ops[l->insn->pass_op];
    if (l->insn->pass_src == GP_SRC_UNUSED)
        return false;
    if (op->mnemonic)
        PUT(l, "\t%s.p ", op->mnemonic);
    else
        PUT(l, "\tunk%u.p ", l->insn->pass_op);
    put_destination(l, PASS);
    PUT(l, " ");
    put_source(l, l->insn->pass_src);
    if (l->insn->pass_op == GP_PASS_CLAMP) {
        PUT(l, " ");
        put_row(l, 'x');
        PUT(l, " ");
        put_row(l, 'y');
    }
    PUT(l, "\n");
    return true;
}

static bool put_flow(const struct listing *l)
{
    if (l->insn->branch)
        PUT(l, "\tbranch ^%u %03u\n", l->number * UNITS + PASS, gp_branch_target(l->insn));
    if (l->insn->unknown_1)
        PUT(l, "\tunknown_1 %u\n", l->insn->unknown_1);
    return l->insn->branch || l->insn->unknown_1;
}

void gp_put_mesa(struct buffer *out, const struct gp_insn *insn, const struct gp_insn *before,
                 unsigned number)
{
    const struct gp_insn idle = gp_nop();
    const struct listing l = {out, insn, before ? before : &idle, number};
    PUT(&l, "%03u:", number);
    bool written = put_acc(&l, ACC0);
    written |= put_acc(&l, ACC1);
    written |= put_multipliers(&l);
    written |= put_complex(&l);
    written |= put_pass(&l);
    written |= put_flow(&l);
    if (!written)
        PUT(&l, "\tnop\n");
}
