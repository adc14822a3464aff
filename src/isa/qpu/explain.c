/* SPDX-License-Identifier: MIT */
/* explain.c - describes an instruction word in plain language: every field with its meaning,
 * then the effect.
 *
 * In:       any 64-bit word.
 * Out:      one line for each field, from the lowest bit up, then a plain-language comment.
 * Source:   manual, section 3, tables 1 to 14, including the register names. Both parts follow the
 *           format of the JayStation posts "Shaders, Uniforms, and Varyings" and "VPM". */
#include <string.h>

#include "base/bits.h"
#include "isa/qpu/print.h"

static const char *const read_names[2][20] = {
    {"UNIFORM_READ", [3] = "VARYING_READ", [6] = "ELEMENT_NUMBER", [7] = "NOP",
     [9] = "X_PIXEL_COORD", [10] = "MS_FLAGS", [16] = "VPM_READ", [17] = "VPM_LD_BUSY",
     [18] = "VPM_LD_WAIT", [19] = "MUTEX_ACQUIRE"},
    {"UNIFORM_READ", [3] = "VARYING_READ", [6] = "QPU_NUMBER", [7] = "NOP", [9] = "Y_PIXEL_COORD",
     [10] = "REV_FLAG", [16] = "VPM_READ", [17] = "VPM_ST_BUSY", [18] = "VPM_ST_WAIT",
     [19] = "MUTEX_ACQUIRE"},
};
static const char *const write_names[32] = {
    "ACC0",
    "ACC1",
    "ACC2",
    "ACC3",
    "TMU_NOSWAP",
    "ACC5",
    "HOST_INT",
    "NOP",
    "UNIFORMS_ADDRESS",
    NULL,
    NULL,
    "TLB_STENCIL_SETUP",
    "TLB_Z",
    "TLB_COLOUR_MS",
    "TLB_COLOUR_ALL",
    "TLB_ALPHA_MASK",
    "VPM_WRITE",
    NULL,
    NULL,
    "MUTEX_RELEASE",
    "SFU_RECIP",
    "SFU_RECIPSQRT",
    "SFU_EXP",
    "SFU_LOG",
    "TMU0_S_RETIRING",
    "TMU0_T",
    "TMU0_R",
    "TMU0_B",
    "TMU1_S_RETIRING",
    "TMU1_T",
    "TMU1_R",
    "TMU1_B",
};
/* Write addresses that differ between the files: 41, 42, 49 and 50. */
static const struct {
    unsigned address;
    const char *name[2];
} write_pairs[] = {
    {41, {"QUAD_X", "QUAD_Y"}},
    {42, {"MS_FLAGS", "REV_FLAG"}},
    {49, {"VPMVCD_RD_SETUP", "VPMVCD_WR_SETUP"}},
    {50, {"VPM_LD_ADDR", "VPM_ST_ADDR"}},
};
static const char *const condition_names[8] = {"never", "always",  "Z set", "Z clear",
                                               "N set", "N clear", "C set", "C clear"};
static const char *const branch_names[16] = {
    "all Z flags set", "all Z flags clear", "any Z flag set", "any Z flag clear",
    "all N flags set", "all N flags clear", "any N flag set", "any N flag clear",
    "all C flags set", "all C flags clear", "any C flag set", "any C flag clear",
    "reserved",        "reserved",          "reserved",       "always",
};
static const char *const signal_names[16] = {
    "software breakpoint",
    "no signal",
    "thread switch",
    "program end",
    "wait for scoreboard",
    "scoreboard unlock",
    "last thread switch",
    "coverage load from tile buffer to r4",
    "colour load from tile buffer to r4",
    "colour load and program end",
    "load data from tmu0 to r4",
    "load data from tmu1 to r4",
    "alpha-mask load from tile buffer to r4",
    "small immediate signal",
    "load immediate signal",
    "branch signal",
};
static const char *const integer_unpacks[8] = {
    "32->32 No unpack (NOP)",
    "16a->32 signed int16->signed int32",
    "16b->32 signed int16->signed int32",
    "8d->32 Replicate ms byte (alpha) across word",
    "8a->32 unsigned int8->int32",
    "8b->32 unsigned int8->int32",
    "8c->32 unsigned int8->int32",
    "8d->32 unsigned int8->int32",
};
static const char *const float_unpacks[8] = {
    "32->32 No unpack (NOP)",
    "16a->32 Float16->float32",
    "16b->32 Float16->float32",
    "8d->32 Replicate ms byte (alpha) across word",
    "8a->32 8-bit color value (in range [0, 1.0]) to 32 bit float",
    "8b->32 8-bit color value (in range [0, 1.0]) to 32 bit float",
    "8c->32 8-bit color value (in range [0, 1.0]) to 32 bit float",
    "8d->32 8-bit color value (in range [0, 1.0]) to 32 bit float",
};
static const char *const pack_formats[8] = {"32", "16a", "16b", "8888", "8a", "8b", "8c", "8d"};
static const char *const channels[8] = {"", "", "", "all channels", "R", "G", "B", "A"};

/* Returns the number of ALUs that use the unpacked operand (r4 or file A). Sets *is_float to true
 * if an operation that uses the unpacked operand takes floats. */
static unsigned unpack_users(const struct qpu_insn *insn, bool *is_float)
{
    unsigned mux = insn->pm ? QPU_MUX_R4 : QPU_MUX_A;
    const struct qpu_op_words *add = qpu_add_words(insn->op_add),
                              *mul = qpu_mul_words(insn->op_mul);
    bool add_takes = add && ((add->sources > 0 && insn->add_a == mux) ||
                             (add->sources > 1 && insn->add_b == mux));
    bool mul_takes = mul && mul->sources > 0 && (insn->mul_a == mux || insn->mul_b == mux);
    *is_float = insn->pm || (add_takes && qpu_add_float_in(insn->op_add)) ||
                (mul_takes && insn->op_mul == QPU_MUL_FMUL);
    return add_takes + mul_takes;
}

/* Describes the unpack mode. File A is unpacked once for both ALUs, to floats if either operation
 * takes floats (manual, table 6). */
static void put_unpack(struct text *output, const struct qpu_insn *insn)
{
    bool is_float;
    unsigned users = unpack_users(insn, &is_float);
    if (users == 0)
        text_put(output, "no effect: no operation uses %s", insn->pm ? "r4" : "file A");
    else
        text_put(output, "%s", (is_float ? float_unpacks : integer_unpacks)[insn->unpack]);
    if (users > 0 && !insn->pm && insn->unpack != 3)
        text_put(output, is_float ? ", since a float operation uses it"
                                  : ", since no float operation uses it");
}

static const char *file_write_name(unsigned address, bool file_b)
{
    for (size_t i = 0; i < sizeof write_pairs / sizeof write_pairs[0]; i++)
        if (write_pairs[i].address == address)
            return write_pairs[i].name[file_b];
    return address < 32 ? NULL : write_names[address - 32];
}

static const char *file_read_name(unsigned address, bool file_b)
{
    return address < 32 || address >= 52 ? NULL : read_names[file_b][address - 32];
}

static void put_register(struct text *output, const char *name, unsigned address)
{
    if (name)
        text_put(output, "%s", name);
    else
        text_put(output, "R%u", address);
}

static void put_pack(struct text *output, const struct qpu_insn *insn)
{
    unsigned format = insn->pack & 7;
    bool saturate = insn->pack & 8;
    text_put(output, "32->%s ", pack_formats[format]);
    if (insn->pack == 0)
        text_put(output, "No pack (NOP)");
    else if (insn->pm && (format < 3 || saturate))
        text_put(output, "reserved");
    else if (insn->pm)
        text_put(output, "Convert mul float result to 8-bit color in range [0, 1.0]");
    else if (format == 0)
        text_put(output, "Saturate (signed) 32-bit number");
    else if (format < 3)
        text_put(output, "Convert to 16 bit float if input was float result, else to int16 (%s)",
                 saturate ? "with saturation" : "no saturation, just take ls 16 bits");
    else
        text_put(output, "Convert to 8-bit unsigned int (%s)",
                 saturate ? "with saturation" : "no saturation, just take ls 8 bits");
    if (insn->pack && format == 3)
        text_put(output, " and replicate across all bytes of 32-bit word");
    text_put(output, " (PM%u)", insn->pm);
}

/* The functions below write the meaning of a field's value. Each function handles one kind of
 * field. */

static void mean_mux(struct text *output, const struct qpu_insn *insn, const char *input,
                     unsigned mux)
{
    text_put(output, "%s ", input);
    if (mux == QPU_MUX_A)
        text_put(output, "uses value from register file A");
    else if (mux == QPU_MUX_B)
        text_put(output, "uses value from register file B%s",
                 insn->form == QPU_FORM_ALU_IMMEDIATE ? ", or small immediate" : "");
    else
        text_put(output, "uses accumulator ACC%u", mux);
}

static void mean_small(struct text *output, const struct qpu_insn *insn)
{
    int rotation = qpu_rotation(insn);
    if (rotation == 0)
        text_put(output, "rotate the mul result upwards by r5");
    else if (rotation > 0)
        text_put(output, "rotate the mul result upwards by %d", rotation);
    else
        qpu_put_small(output, insn->raddr_b);
    if (insn->raddr_b >= 32 && insn->raddr_b < 48)
        text_put(output, "f");
}

static void mean_read(struct text *output, unsigned address, bool file_b)
{
    const char *name = file_read_name(address, file_b);
    char file = file_b ? 'b' : 'a';
    if (address == QPU_NOP)
        text_put(output, "regfile %c uses register 39: NOP, no read", file_b ? 'B' : 'A');
    else if (name)
        text_put(output, "regfile %c uses register %u: r%u%c is %s", file_b ? 'B' : 'A', address,
                 address, file, name);
    else if (address == 15)
        text_put(output, "r15%c, which contains %s when a fragment shader starts", file,
                 file_b ? "Z" : "the W for varying interpolation");
    else
        text_put(output, "regfile %c uses register %u", file_b ? 'B' : 'A', address);
}

static void mean_write(struct text *output, const struct qpu_insn *insn, bool mul)
{
    unsigned address = mul ? insn->waddr_mul : insn->waddr_add;
    bool file_b = insn->ws != mul;
    const char *name = file_write_name(address, file_b);
    text_put(output, "%s ALU writes to ", mul ? "mul" : "add");
    if (address == QPU_NOP)
        text_put(output, "NOP, no write");
    else
        text_put(output, "r%u%c%s%s", address, file_b ? 'b' : 'a', name ? ", is " : "",
                 name ? name : "");
}

static void mean_op(struct text *output, const char *unit, unsigned op,
                    const struct qpu_op_words *words)
{
    if (op == 0)
        text_put(output, "%s ALU is NOP", unit);
    else
        text_put(output, words ? "%s ALU does %s" : "reserved", unit, words ? words->mnemonic : "");
}

static void mean_pack(struct text *output, const struct qpu_insn *insn)
{
    unsigned format = insn->pack & 7;
    if (insn->pack == 0)
        text_put(output, "no packing");
    else if (insn->pm && insn->pack == 3)
        text_put(output, "normalized float to u8, write all channels");
    else if (insn->pm && format > 3 && insn->pack < 8)
        text_put(output, "normalized float to u8, write only %s channel", channels[format]);
    else
        put_pack(output, insn);
}

static void mean_pm(struct text *output, const struct qpu_insn *insn)
{
    if (insn->pack == 0 && (insn->unpack == 0 || insn->sig == QPU_SIG_LOAD_IMMEDIATE))
        text_put(output, "no packing or unpacking, so this bit does not matter");
    else
        text_put(output, insn->pm ? "use mul ALU packing and r4 unpacking"
                                  : "use regfile A packing and unpacking");
}

static void mean_unpack(struct text *output, const struct qpu_insn *insn)
{
    static const char *const loads[8] = {"32-bit immediate", "per-element signed immediates",
                                         "reserved",         "per-element unsigned immediates",
                                         "semaphore",        "reserved",
                                         "reserved",         "reserved"};
    if (insn->sig == QPU_SIG_LOAD_IMMEDIATE)
        text_put(output, "%s", loads[insn->unpack]);
    else if (insn->unpack == 0)
        text_put(output, "no unpacking of input operands");
    else
        put_unpack(output, insn);
}

static void mean_cond(struct text *output, unsigned condition)
{
    text_put(output, "cond %s", condition_names[condition]);
}

static void mean_flag(struct text *output, unsigned value, const char *set, const char *clear)
{
    text_put(output, "%s", value ? set : clear);
}

/* Returns the name of a field in the output. Some names depend on the form of the instruction. */
static const char *account_name(const struct qpu_insn *insn, const char *field)
{
    if (strcmp(field, "raddr_b") == 0 && insn->form == QPU_FORM_ALU_IMMEDIATE)
        return "small_imm";
    if (strcmp(field, "sig") != 0)
        return field;
    switch (insn->sig) {
    case QPU_SIG_SMALL_IMMEDIATE: return "1101";
    case QPU_SIG_LOAD_IMMEDIATE: return "1110";
    case QPU_SIG_BRANCH: return "1111";
    }
    return "signal";
}

/* Writes the meaning of a field's value. field is a name that account_name() returns. */
static void put_meaning(struct text *output, const struct qpu_insn *insn, const char *field)
{
    const char *swap_on = "write swap: add ALU writes to regfile B, mul ALU writes to regfile A";
    const char *swap_off = "ws off: add ALU writes to regfile A, mul ALU writes to regfile B";
#define MEANS(name, call)            \
    if (strcmp(field, #name) == 0) { \
        call;                        \
        return;                      \
    }
    MEANS(mul_b, mean_mux(output, insn, "mul input 2", insn->mul_b))
    MEANS(mul_a, mean_mux(output, insn, "mul input 1", insn->mul_a))
    MEANS(add_b, mean_mux(output, insn, "add input 2", insn->add_b))
    MEANS(add_a, mean_mux(output, insn, "add input 1", insn->add_a))
    MEANS(small_imm, mean_small(output, insn))
    MEANS(raddr_b, mean_read(output, insn->raddr_b, true))
    MEANS(raddr_a, mean_read(output, insn->raddr_a, false))
    MEANS(op_add, mean_op(output, "add", insn->op_add, qpu_add_words(insn->op_add)))
    MEANS(op_mul, mean_op(output, "mul", insn->op_mul, qpu_mul_words(insn->op_mul)))
    MEANS(waddr_mul, mean_write(output, insn, true))
    MEANS(waddr_add, mean_write(output, insn, false))
    MEANS(ws, mean_flag(output, insn->ws, swap_on, swap_off))
    MEANS(sf, mean_flag(output, insn->sf, "set flags", "don't set flags"))
    MEANS(cond_mul, mean_cond(output, insn->cond_mul))
    MEANS(cond_add, mean_cond(output, insn->cond_add))
    MEANS(pack, mean_pack(output, insn))
    MEANS(pm, mean_pm(output, insn))
    MEANS(unpack, mean_unpack(output, insn))
    MEANS(immediate, text_put(output, "0x%08X", (unsigned)insn->immediate))
    MEANS(reg, mean_flag(output, insn->reg, "add regfile A register to the target", "no register"))
    MEANS(rel, mean_flag(output, insn->rel, "relative to this address + 32", "absolute"))
    MEANS(cond_br, text_put(output, "%s", branch_names[insn->cond_br]))
    MEANS(unused, text_put(output, "no function"))
#undef MEANS
    text_put(output, "%s", signal_names[insn->sig]);
}

static void put_fields(struct text *output, const struct qpu_insn *insn)
{
    unsigned layout = qpu_layout(insn->form);
#define FIELD(field, high, low, forms)                                   \
    if (layout & (forms)) {                                              \
        const char *name = account_name(insn, #field);                   \
        text_put(output, "m_%-14s %-2u (", name, (unsigned)insn->field); \
        put_meaning(output, insn, name);                                 \
        text_put(output, ")\n");                                         \
    }
#include "isa/qpu/fields.def"
}

void qpu_each_field(uint64_t word, dis_field_visitor *visit, void *user)
{
    struct qpu_insn insn = qpu_decode(word);
    unsigned layout = qpu_layout(insn.form);
    char meaning[320];
#define FIELD(member, high_bit, low_bit, forms)                                             \
    if (layout & (forms)) {                                                                 \
        struct text output = {meaning, sizeof meaning, 0};                                  \
        put_meaning(&output, &insn, account_name(&insn, #member));                          \
        visit(user, &(struct dis_field){#member, insn.member, high_bit, low_bit, meaning}); \
    }
#include "isa/qpu/fields.def"
#include "isa/qpu/sides.h"
}

static void put_immediate(struct text *output, unsigned field)
{
    float value = bits_float(qpu_small_immediate(field));
    if (field < 32 || field > 47)
        text_put(output, "int %d", (int)(int32_t)qpu_small_immediate(field));
    else
        text_put(output, field < 40 ? "float %.0f.f" : "float %.9gf", (double)value);
}

static void put_source(struct text *output, const struct qpu_insn *insn, unsigned mux)
{
    bool small = insn->form == QPU_FORM_ALU_IMMEDIATE;
    if (mux == QPU_MUX_A)
        put_register(output, file_read_name(insn->raddr_a, false), insn->raddr_a);
    else if (mux == QPU_MUX_B && small)
        put_immediate(output, insn->raddr_b);
    else if (mux == QPU_MUX_B)
        put_register(output, file_read_name(insn->raddr_b, true), insn->raddr_b);
    else
        text_put(output, "acc r%u", mux);
}

/* Writes a line such as "add pipe: Floating point add, ACC0, acc r0, acc r5, cond: always". */
static void put_pipe(struct text *output, const struct qpu_insn *insn, bool mul)
{
    const char *unit = mul ? "mul" : "add";
    unsigned op = mul ? insn->op_mul : insn->op_add;
    unsigned address = mul ? insn->waddr_mul : insn->waddr_add;
    const struct qpu_op_words *words = mul ? qpu_mul_words(op) : qpu_add_words(op);
    const char *condition = condition_names[mul ? insn->cond_mul : insn->cond_add];
    if (op == 0) {
        text_put(output, "%s op: No operation, %s cond: %s\n", unit, unit, condition);
        return;
    }
    text_put(output, "%s pipe: %s, ", unit, words ? words->words : "reserved operation");
    put_register(output, file_write_name(address, insn->ws != mul), address);
    text_put(output, ", ");
    put_source(output, insn, mul ? insn->mul_a : insn->add_a);
    text_put(output, ", ");
    put_source(output, insn, mul ? insn->mul_b : insn->add_b);
    bool sets_flags = insn->sf && (!mul || insn->op_add == QPU_ADD_NOP);
    text_put(output, ", cond: %s%s\n", condition, sets_flags ? ", set flags" : "");
}

static void comment_alu(struct text *output, const struct qpu_insn *insn)
{
    put_pipe(output, insn, false);
    put_pipe(output, insn, true);
    int rotation = qpu_rotation(insn);
    if (rotation == 0)
        text_put(output, "     mul result rotated upwards by r5\n");
    if (rotation > 0)
        text_put(output, "     mul result rotated upwards by %d elements\n", rotation);
    if (insn->unpack) {
        text_put(output, "     unpack mode: ");
        put_unpack(output, insn);
        text_put(output, " (PM%u)\n", insn->pm);
    }
    if (insn->pack) {
        text_put(output, "     pack mode: ");
        put_pack(output, insn);
        text_put(output, "\n");
    }
    if (insn->form == QPU_FORM_ALU)
        text_put(output, "signal: %s\n", signal_names[insn->sig]);
}

/* Writes a line such as "add write addr: 49 (VPMVCD_WR_SETUP B), cond: always". */
static void put_write(struct text *output, const struct qpu_insn *insn, bool mul)
{
    unsigned address = mul ? insn->waddr_mul : insn->waddr_add;
    bool file_b = insn->ws != mul;
    if (mul && address == QPU_NOP)
        return;
    text_put(output, "%s write addr: %u (", mul ? "mul" : "add", address);
    put_register(output, file_write_name(address, file_b), address);
    text_put(output, " %c)", file_b ? 'B' : 'A');
    if (insn->form != QPU_FORM_BRANCH)
        text_put(output, ", cond: %s", condition_names[mul ? insn->cond_mul : insn->cond_add]);
    text_put(output, "\n");
}

static void put_loaded(struct text *output, const struct qpu_insn *insn)
{
    unsigned exponent = insn->immediate >> 23 & 255;
    switch (insn->form) {
    case QPU_FORM_SEMAPHORE:
        text_put(output, "semaphore %u, %s", (unsigned)insn->immediate & 15,
                 insn->immediate & 16 ? "acquire (decrement)" : "release (increment)");
        break;
    case QPU_FORM_LOAD_SIGNED:
    case QPU_FORM_LOAD_UNSIGNED:
        text_put(output, "loaded per-element immediates are ");
        for (unsigned i = 0; i < 16; i++)
            text_put(output, "%s%d", i ? ", " : "", (int)(int32_t)qpu_element_immediate(insn, i));
        break;
    default:
        text_put(output, "loaded 32 immediate is 0x%X", (unsigned)insn->immediate);
        if (exponent > 127 - 24 && exponent < 127 + 24)
            text_put(output, " (as float %f)", (double)bits_float(insn->immediate));
    }
    text_put(output, "\n");
}

static void comment_load(struct text *output, const struct qpu_insn *insn)
{
    put_write(output, insn, false);
    put_write(output, insn, true);
    text_put(output, "write swap: %u, set flags: %u, pm: %u\npack mode: ", insn->ws, insn->sf,
             insn->pm);
    put_pack(output, insn);
    text_put(output, "\nimmediate type is 0x%X, ", (unsigned)(insn->sig << 3 | insn->unpack));
    put_loaded(output, insn);
}

static void comment_branch(struct text *output, const struct qpu_insn *insn, uint32_t address)
{
    uint32_t target = insn->immediate + (insn->rel ? address + 32 : 0);
    text_put(output, "branch to 0x%08X", (unsigned)target);
    if (insn->reg)
        text_put(output, " + R%u of element 15", insn->raddr_a);
    text_put(output, " (%s), cond: %s\n", insn->rel ? "relative" : "absolute",
             branch_names[insn->cond_br]);
    put_write(output, insn, false);
    put_write(output, insn, true);
}

static void put_comment(struct text *output, const struct qpu_insn *insn, uint32_t address)
{
    if (insn->form == QPU_FORM_ALU || insn->form == QPU_FORM_ALU_IMMEDIATE)
        comment_alu(output, insn);
    else if (insn->form == QPU_FORM_BRANCH)
        comment_branch(output, insn, address);
    else
        comment_load(output, insn);
    qpu_put_notes(output, insn, address);
}

size_t qpu_comment(char *text, size_t size, uint64_t word, uint32_t address)
{
    struct qpu_insn insn = qpu_decode(word);
    struct text output = {text, size, 0};
    put_comment(&output, &insn, address);
    return output.length;
}

size_t qpu_explain(char *text, size_t size, uint64_t word, uint32_t address)
{
    struct qpu_insn insn = qpu_decode(word);
    struct text output = {text, size, 0};
    put_fields(&output, &insn);
    text_put(&output, "\n");
    put_comment(&output, &insn, address);
    return output.length;
}
