/* SPDX-License-Identifier: MIT */
/* gp_isa.c - the tables of the GP's instruction word, its decoder and its encoder. */
#include "isa/gp/gp_isa.h"

#define FIELD(name, low, bits, idle, kind, meaning) \
    {#name, meaning, low, bits, idle, GP_KIND_##kind, offsetof(struct gp_insn, name)},
const struct gp_field gp_fields[GP_FIELDS] = {
#include "isa/gp/fields.def"
};

const struct gp_op gp_acc_ops[8] = {
#define ACC_OP(code, NAME, mnemonic, operands, words) [code] = {mnemonic, operands, words},
#include "isa/gp/ops.def"
};
const struct gp_op gp_mul_ops[8] = {
#define MUL_OP(code, NAME, mnemonic, operands, words) [code] = {mnemonic, operands, words},
#include "isa/gp/ops.def"
};
const struct gp_op gp_pass_ops[8] = {
#define PASS_OP(code, NAME, mnemonic, words) [code] = {mnemonic, 1, words},
#include "isa/gp/ops.def"
};
const struct gp_op gp_complex_ops[16] = {
#define COMPLEX_OP(code, NAME, mnemonic, words) [code] = {mnemonic, 1, words},
#include "isa/gp/ops.def"
};
const struct gp_source_row gp_sources[GP_SOURCES] = {
#define SOURCE(code, NAME, unit, component, back, words) \
    [code] = {words, GP_UNIT_##unit, component, back},
#include "isa/gp/ops.def"
};
const struct gp_source_row gp_store_sources[8] = {
#define STORE_SOURCE(code, NAME, unit, words) [code] = {words, GP_UNIT_##unit, 0, 0},
#include "isa/gp/ops.def"
};

/* Returns a field. Some fields cross the boundary of two 32-bit words (register1_addr,
 * store1_addr). */
static unsigned get_bits(const uint32_t words[GP_WORDS], unsigned low, unsigned bits)
{
    uint64_t pair = words[low / 32];
    if (low / 32 + 1 < GP_WORDS)
        pair |= (uint64_t)words[low / 32 + 1] << 32;
    return (unsigned)(pair >> low % 32) & ((1u << bits) - 1);
}

static void put_bits(uint32_t words[GP_WORDS], unsigned low, unsigned bits, unsigned value)
{
    uint64_t shifted = (uint64_t)(value & ((1u << bits) - 1)) << low % 32;
    words[low / 32] |= (uint32_t)shifted;
    if (low / 32 + 1 < GP_WORDS)
        words[low / 32 + 1] |= (uint32_t)(shifted >> 32);
}

struct gp_insn gp_decode(const uint32_t words[GP_WORDS])
{
    struct gp_insn insn;
#define FIELD(name, low, bits, idle, kind, meaning) \
    insn.name = (uint16_t)get_bits(words, low, bits);
#include "isa/gp/fields.def"
    return insn;
}

void gp_encode(const struct gp_insn *insn, uint32_t words[GP_WORDS])
{
    for (unsigned i = 0; i < GP_WORDS; i++)
        words[i] = 0;
#define FIELD(name, low, bits, idle, kind, meaning) put_bits(words, low, bits, insn->name);
#include "isa/gp/fields.def"
}

struct gp_insn gp_nop(void)
{
    return (struct gp_insn){
#define FIELD(name, low, bits, idle, kind, meaning) .name = idle,
#include "isa/gp/fields.def"
    };
}

unsigned gp_field_get(const struct gp_insn *insn, unsigned field)
{
    return *(const uint16_t *)((const char *)insn + gp_fields[field].offset);
}

void gp_field_set(struct gp_insn *insn, unsigned field, unsigned value)
{
    uint16_t *member = (uint16_t *)((char *)insn + gp_fields[field].offset);
    *member = (uint16_t)(value & ((1u << gp_fields[field].bits) - 1));
}

unsigned gp_branch_target(const struct gp_insn *insn)
{
    return insn->branch_target + (insn->branch_target_lo ? 0u : 256u);
}

void gp_set_branch_target(struct gp_insn *insn, unsigned target)
{
    insn->branch_target = target & 0xff;
    insn->branch_target_lo = target < 256;
}
