/* SPDX-License-Identifier: MIT */
/* qpu_decoded.c - see qpu_decoded.h.
 *
 * Source: manual tables 1 to 14 and "Summary of Instruction Restrictions". */
#include "vc4/qpu/qpu_decoded.h"

/* Differs from every register number and from QPU_NO_REGISTER. */
enum { READS_NONE = QPU_NO_REGISTER - 1 };

/* Number of operands, by opcode. Operations with one operand ignore b. */
static const uint8_t add_sources[32] = {
#define ADD_OP(code, NAME, mnemonic, sources, is_float, words) [code] = sources,
#include "isa/qpu/ops.def"
};

struct qpu_side qpu_add_side(const struct qpu_insn *insn)
{
    return (struct qpu_side){
        .add = true,
        .op = insn->op_add,
        .waddr = insn->waddr_add,
        .cond = insn->form == QPU_FORM_BRANCH ? QPU_COND_ALWAYS : insn->cond_add,
        .a = insn->add_a,
        .b = insn->add_b,
        .sources = add_sources[insn->op_add],
        .file_a = !insn->ws,
    };
}

struct qpu_side qpu_mul_side(const struct qpu_insn *insn)
{
    return (struct qpu_side){
        .op = insn->op_mul,
        .waddr = insn->waddr_mul,
        .cond = insn->form == QPU_FORM_BRANCH ? QPU_COND_ALWAYS : insn->cond_mul,
        .a = insn->mul_a,
        .b = insn->mul_b,
        .sources = insn->op_mul == QPU_MUL_NOP ? 0 : 2,
        .file_a = insn->ws,
    };
}

bool qpu_takes(const struct qpu_side *side, unsigned mux)
{
    return (side->sources > 0 && side->a == mux) || (side->sources > 1 && side->b == mux);
}

bool qpu_zeroes(const struct qpu_side *side)
{
    if (side->sources < 2 || side->a != side->b)
        return false;
    return side->add
               ? side->op == QPU_ADD_XOR || side->op == QPU_ADD_SUB || side->op == QPU_ADD_V8SUBS
               : side->op == QPU_MUL_V8SUBS;
}

static bool is_alu(const struct qpu_insn *insn)
{
    return insn->form == QPU_FORM_ALU || insn->form == QPU_FORM_ALU_IMMEDIATE;
}

/* True if an ALU's part of the instruction can change a register or the flags. */
static bool has_effect(const struct qpu_insn *insn, const struct qpu_side *side)
{
    bool sets_flags = insn->sf && side->add == (insn->op_add != QPU_ADD_NOP);
    return side->cond != QPU_COND_NEVER && (side->waddr != QPU_NOP || sets_flags);
}

/* --- traits --- */

static bool takes_float(const struct qpu_side *side)
{
    return side->add ? qpu_add_float_in(side->op) : side->op == QPU_MUL_FMUL;
}

static uint32_t use_traits(const struct qpu_insn *insn, const struct qpu_side *side)
{
    if (!has_effect(insn, side))
        return 0;
    uint32_t traits = 0;
    if (qpu_takes(side, QPU_MUX_A))
        traits |= side->add ? QPU_ADD_USES_A : QPU_MUL_USES_A;
    if (qpu_takes(side, QPU_MUX_B))
        traits |= side->add ? QPU_ADD_USES_B : QPU_MUL_USES_B;
    if (qpu_takes(side, QPU_MUX_R4))
        traits |= side->add ? QPU_ADD_USES_R4 : QPU_MUL_USES_R4;
    return traits;
}

static uint32_t unpack_traits(const struct qpu_insn *insn, const struct qpu_side *side)
{
    unsigned unpacked = insn->pm ? QPU_MUX_R4 : QPU_MUX_A;
    return qpu_takes(side, unpacked) && takes_float(side) ? QPU_UNPACK_FLOAT : 0;
}

static bool is_vpm(unsigned address)
{
    return address >= QPU_RD_VPM && address <= QPU_RD_VPM_WAIT;
}

static uint32_t read_traits(unsigned address)
{
    uint32_t traits = 0;
    if (address == QPU_RD_UNIFORM)
        traits |= QPU_READS_UNIFORM;
    if (address == QPU_RD_MUTEX)
        traits |= QPU_READS_MUTEX;
    if (address == QPU_RD_VARYING || is_vpm(address))
        traits |= QPU_VARYING_OR_VPM;
    if (address == 14)
        traits |= QPU_TOUCHES_14;
    return traits;
}

static bool is_sfu(unsigned address)
{
    return address >= QPU_WR_SFU_RECIP && address <= QPU_WR_SFU_LOG;
}

static uint32_t write_traits(unsigned address)
{
    uint32_t traits = 0;
    if (address < 32)
        traits |= QPU_WRITES_FILE;
    if (address == 14)
        traits |= QPU_TOUCHES_14;
    if (address == QPU_WR_TLB_Z)
        traits |= QPU_WRITES_Z;
    if (is_vpm(address))
        traits |= QPU_VARYING_OR_VPM;
    if (is_sfu(address))
        traits |= QPU_WRITES_R4;
    return traits;
}

/* True for the tile buffer's colour writes. Such a write may be in the same instruction as a colour
 * load. */
static bool is_colour(unsigned address)
{
    return address == QPU_WR_TLB_COLOUR_MS || address == QPU_WR_TLB_COLOUR_ALL;
}

static bool is_tile_buffer(unsigned address)
{
    return address >= QPU_WR_STENCIL_SETUP && address <= QPU_WR_TLB_ALPHA_MASK;
}

/* True for write addresses that count as peripheral accesses. The stencil setup does not count,
 * because it conflicts only with other tile buffer writes. Mesa's driver combines the setup with
 * accesses to other peripherals (vc4_qpu.c, qpu_num_sf_accesses). */
static bool is_peripheral(unsigned address)
{
    return (is_tile_buffer(address) && address != QPU_WR_STENCIL_SETUP) ||
           address >= QPU_WR_SFU_RECIP;
}

static bool writes_tile_buffer_twice(unsigned add, unsigned mul)
{
    return is_tile_buffer(add) && is_tile_buffer(mul);
}

static bool loads_r4(unsigned sig)
{
    return (sig >= QPU_SIG_COVERAGE_LOAD && sig <= QPU_SIG_ALPHA_MASK_LOAD);
}

/* Returns the number of accesses to closely coupled peripherals. An instruction may have one. */
static unsigned peripherals(const struct qpu_insn *insn, unsigned add, unsigned mul, bool mutex)
{
    bool colour_load = insn->sig == QPU_SIG_COLOUR_LOAD || insn->sig == QPU_SIG_COLOUR_LOAD_END;
    unsigned writes = is_peripheral(add) + is_peripheral(mul);
    if (writes_tile_buffer_twice(add, mul))
        writes = 2;
    if (colour_load && writes == 1 && (is_colour(add) || is_colour(mul)))
        writes = 0;
    return writes + mutex + (insn->form == QPU_FORM_SEMAPHORE) + loads_r4(insn->sig);
}

/* True if both ALUs write to the same register or I/O address, which can store only one of the
 * results. */
static bool one_target(unsigned add, unsigned mul)
{
    return add == mul && ((add >= QPU_WR_ACC0 && add <= QPU_WR_ACC3) || add == QPU_WR_ACC5 ||
                          add == QPU_WR_UNIFORM_ADDRESS || add == QPU_WR_VPM);
}

/* True for register addresses 48 to 51. Other QPUs can see the effects of accesses to these
 * addresses. */
static bool is_shared(unsigned address)
{
    return address >= QPU_RD_VPM && address <= QPU_RD_MUTEX;
}

static bool shares(const struct qpu_insn *insn)
{
    const unsigned to[] = {insn->waddr_add, insn->waddr_mul};
    for (unsigned i = 0; i < 2; i++)
        if (is_shared(to[i]) || to[i] == QPU_WR_HOST_INT)
            return true;
    return insn->form == QPU_FORM_SEMAPHORE || (is_alu(insn) && is_shared(insn->raddr_a)) ||
           (insn->form == QPU_FORM_ALU && is_shared(insn->raddr_b));
}

uint8_t qpu_may_wait(const struct qpu_decoded *d)
{
    unsigned number = d->insn.immediate & 15;
    bool acquire = d->insn.immediate >> 4 & 1;
    if (d->path == QPU_PATH_SEMAPHORE)
        return (uint8_t)(number | (acquire ? QPU_MAY_ACQUIRE : QPU_MAY_RELEASE));
    return d->traits & QPU_READS_MUTEX ? QPU_MAY_TAKE : 0;
}

static bool idles(const struct qpu_insn *insn)
{
    return insn->form == QPU_FORM_ALU && insn->sig == QPU_SIG_NONE && !insn->sf &&
           insn->op_add == QPU_ADD_NOP && insn->op_mul == QPU_MUL_NOP && insn->raddr_a == QPU_NOP &&
           insn->raddr_b == QPU_NOP && insn->waddr_add == QPU_NOP && insn->waddr_mul == QPU_NOP;
}

static bool is_reserved(const struct qpu_insn *insn, const struct qpu_side *add,
                        const struct qpu_side *mul)
{
    switch (insn->form) {
    case QPU_FORM_LOAD_RESERVED: return true;
    case QPU_FORM_BRANCH: return insn->cond_br >= 12 && insn->cond_br <= 14;
    default: break;
    }
    bool mul_pack = insn->pm && !qpu_mul_pack_defined(insn->pack);
    return !alu_add_ops[add->op].element || (mul_pack && has_effect(insn, mul));
}

static uint32_t find_traits(const struct qpu_insn *insn, const struct qpu_side *add,
                            const struct qpu_side *mul)
{
    uint32_t traits = 0;
    unsigned add_to = add->cond == QPU_COND_NEVER ? QPU_NOP : add->waddr;
    unsigned mul_to = mul->cond == QPU_COND_NEVER ? QPU_NOP : mul->waddr;
    if (is_alu(insn)) {
        if (insn->op_add == QPU_ADD_NOP)
            add_to = QPU_NOP;
        traits |= use_traits(insn, add) | use_traits(insn, mul);
        traits |= unpack_traits(insn, add) | unpack_traits(insn, mul);
        traits |= read_traits(insn->raddr_a);
        if (insn->form == QPU_FORM_ALU)
            traits |= read_traits(insn->raddr_b);
    }
    if (is_reserved(insn, add, mul))
        traits |= QPU_RESERVED_CODE;
    traits |= write_traits(add_to) | write_traits(mul_to);
    if (loads_r4(insn->sig))
        traits |= QPU_WRITES_R4;
    if (peripherals(insn, add_to, mul_to, traits & QPU_READS_MUTEX) > 1)
        traits |= QPU_TWO_PERIPHERALS;
    if (one_target(add_to, mul_to))
        traits |= QPU_ONE_TARGET;
    if (insn->sig == QPU_SIG_PROGRAM_END || insn->sig == QPU_SIG_COLOUR_LOAD_END)
        traits |= QPU_ENDS;
    if (shares(insn))
        traits |= QPU_SHARES;
    if (idles(insn))
        traits |= QPU_IDLES;
    return traits;
}

/* --- decoding --- */

static void find_reads(struct qpu_decoded *d)
{
    const struct qpu_insn *insn = &d->insn;
    if (insn->raddr_a < 32)
        d->read_a = insn->raddr_a;
    if (insn->raddr_b < 32 && insn->form == QPU_FORM_ALU)
        d->read_b = insn->raddr_b;
    if (d->traits & (QPU_ADD_USES_A | QPU_MUL_USES_A))
        d->used_a = d->read_a;
    if (d->traits & (QPU_ADD_USES_B | QPU_MUL_USES_B))
        d->used_b = d->read_b;
}

static enum qpu_path path_of(enum qpu_form form)
{
    switch (form) {
    case QPU_FORM_ALU:
    case QPU_FORM_ALU_IMMEDIATE: return QPU_PATH_ALU;
    case QPU_FORM_SEMAPHORE: return QPU_PATH_SEMAPHORE;
    case QPU_FORM_BRANCH: return QPU_PATH_BRANCH;
    default: return QPU_PATH_LOAD;
    }
}

void qpu_prepare(struct qpu_decoded *d, uint64_t word)
{
    *d = (struct qpu_decoded){
        .word = word,
        .read_a = READS_NONE,
        .read_b = READS_NONE,
        .used_a = READS_NONE,
        .used_b = READS_NONE,
        .insn = qpu_decode(word),
    };
    struct qpu_side add = qpu_add_side(&d->insn), mul = qpu_mul_side(&d->insn);
    d->path = (uint8_t)path_of(d->insn.form);
    d->traits = find_traits(&d->insn, &add, &mul);
    if (!is_alu(&d->insn))
        return;
    if (d->insn.form == QPU_FORM_ALU_IMMEDIATE)
        d->immediate = qpu_small_immediate(d->insn.raddr_b);
    find_reads(d);
}
