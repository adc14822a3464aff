/* SPDX-License-Identifier: MIT */
/* decode.c - see code.h.
 *
 * Every slot is decoded twice, as an ALU instruction and as a fetch. The clause that executes the
 * slot selects one of the two.
 * Source:  docs/hardware/a2xx.md, sections 5 to 8, 10, 13 and 27. */
#include <stdlib.h>
#include <string.h>

#include "a2xx/shader/code.h"
#include "isa/a2xx/round.h"
#include "program/a2xx_program.h"

enum {
    W = 8, /* slot w of source 3, which contains operand a */
    MAGNITUDE = 0x7fffffff,
    SIGN = INT32_MIN
};

/* --- operands --- */

static struct a2xx_source make_source(const struct a2xx_alu *alu, uint32_t source, uint32_t swizzle,
                                      bool negate, bool is_register, bool relative)
{
    struct a2xx_source result = {
        .constant = !is_register,
        .number = (uint8_t)(is_register ? source & 63 : source),
        .relative = is_register ? source >> 6 & 1 : relative,
        .keep = (is_register ? source >> 7 & 1 : alu->abs_constants) ? MAGNITUDE : UINT32_MAX,
        .sign = negate ? (uint32_t)SIGN : 0,
    };
    for (unsigned i = 0; i < 4; i++)
        result.swizzle[i] = (uint8_t)a2xx_swizzle(swizzle, i);
    return result;
}

static bool is_same(const struct a2xx_source *a, const struct a2xx_source *b)
{
    return a->constant == b->constant && a->relative == b->relative && a->number == b->number &&
           a->keep == b->keep && a->sign == b->sign;
}

/* Returns true if the operand can be read from its register. An instruction that sets a0 reads its
 * operand after it has written its results. */
static bool is_plain(const struct a2xx_alu_code *code, const struct a2xx_source *source)
{
    return !source->constant && !source->relative && source->keep == UINT32_MAX && !source->sign &&
           !((code->vector_effects | code->scalar_effects) & A2XX_SETS_ADDRESS);
}

static void decode_sources(struct a2xx_alu_code *code)
{
    const struct a2xx_alu *alu = &code->insn;
    struct a2xx_source *source = code->source;
    struct a2xx_alu whole = *alu;
    whole.vector_write_mask = 15;
    whole.export_data = 0;
    source[0] = make_source(alu, alu->src1, alu->src1_swiz, alu->src1_negate, alu->src1_sel,
                            a2xx_constant_is_relative(alu, 1));
    source[1] = make_source(alu, alu->src2, alu->src2_swiz, alu->src2_negate, alu->src2_sel,
                            a2xx_constant_is_relative(alu, 2));
    source[2] = make_source(alu, alu->src3, alu->src3_swiz, alu->src3_negate, alu->src3_sel,
                            a2xx_constant_is_relative(alu, 3));
    for (unsigned i = 0; i < 3; i++) {
        code->reads[i] = (uint8_t)a2xx_vector_reads(alu, i + 1);
        code->reads_whole[i] = (uint8_t)a2xx_vector_reads(&whole, i + 1);
        source[i].plain = is_plain(code, &source[i]);
        while (!is_same(&source[source[i].same], &source[i]))
            source[i].same++;
    }
    if (!code->const_op)
        return;
    code->first = make_source(alu, alu->src3, alu->src3_swiz, alu->src3_negate, false,
                              a2xx_constant_is_relative(alu, 3));
    code->second = make_source(alu, a2xx_const_op_register(alu), alu->src3_swiz, alu->src3_negate,
                               true, false);
    code->second.keep = code->first.keep;
}

/* Decodes the scalar half. An undefined operation keeps the previous scalar result, as RETAIN_PREV
 * does. */
static void decode_scalar(struct a2xx_alu_code *code, enum tess_a2xx_variant variant)
{
    unsigned opcode = code->insn.scalar_opc, reads = a2xx_scalar_reads(opcode, variant);
    bool hands_on = opcode == A2XX_S_RETAIN_PREV || !a2xx_scalar_ops[opcode].mnemonic;
    code->reads_a = reads & W;
    code->reads_b = reads & ~(unsigned)W;
    code->second_slot = (uint8_t)a2xx_second_slot(opcode, variant);
    code->makes_ps = !hands_on;
    code->reads_ps = hands_on ? code->scalar_mask != 0 : code->scalar_effects & A2XX_READS_PREVIOUS;
}

/* --- instructions --- */

static void decode_halves(struct a2xx_alu_code *code)
{
    const struct a2xx_alu *alu = &code->insn;
    code->vector_mask = (uint8_t)a2xx_result_mask(alu, A2XX_UNIT_VECTOR);
    code->scalar_mask = (uint8_t)a2xx_result_mask(alu, A2XX_UNIT_SCALAR);
    code->ones = (uint8_t)a2xx_export_ones(alu);
    code->zeros = (uint8_t)a2xx_export_zeros(alu);
    code->vector_effects = (uint8_t)a2xx_vector_effects(alu->vector_opc);
    code->scalar_effects = (uint8_t)a2xx_scalar_effects(alu->scalar_opc);
    code->vector = a2xx_works(alu, A2XX_UNIT_VECTOR);
    code->scalar = a2xx_works(alu, A2XX_UNIT_SCALAR);
    code->const_op = a2xx_is_const_op(alu->scalar_opc);
}

static bool writes_same(const struct a2xx_alu_code *code)
{
    const struct a2xx_alu *alu = &code->insn;
    return !alu->export_data && alu->vector_dest == alu->scalar_dest &&
           alu->vector_dest_rel == alu->scalar_dest_rel && code->vector_mask & code->scalar_mask;
}

/* Returns true if the operation is undefined. Codes 31 (vector) and 63 (scalar) with an empty write
 * mask are not reported, because some programs use them as "no operation". */
static bool is_undefined(const struct a2xx_alu_code *code, bool vector)
{
    if (vector)
        return !a2xx_vector_ops[code->insn.vector_opc].mnemonic &&
               (code->insn.vector_opc != 31 || code->vector_mask);
    return !a2xx_scalar_ops[code->insn.scalar_opc].mnemonic &&
           (code->insn.scalar_opc != 63 || code->scalar_mask);
}

static uint64_t static_faults(const struct a2xx_alu_code *code, enum tess_a2xx_stage stage)
{
    unsigned effects = code->vector_effects | code->scalar_effects;
    uint64_t faults = 0;
    if (is_undefined(code, true))
        faults |= A2XX_FAULT_BIT(VECTOR_OPERATION);
    if (is_undefined(code, false))
        faults |= A2XX_FAULT_BIT(SCALAR_OPERATION);
    if (writes_same(code))
        faults |= A2XX_FAULT_BIT(BOTH_WRITE);
    if (code->vector_effects & code->scalar_effects)
        faults |= A2XX_FAULT_BIT(BOTH_CHANGE);
    if (effects & A2XX_KILLS && stage == TESS_A2XX_VERTEX)
        faults |= A2XX_FAULT_BIT(KILL_VERTEX);
    return faults;
}

static void decode_alu(struct a2xx_code *program, const uint32_t *words, struct a2xx_alu_code *code)
{
    const struct a2xx_alu *alu = &code->insn;
    code->insn = a2xx_decode_alu(words);
    decode_halves(code);
    decode_scalar(code, program->variant);
    decode_sources(code);
    code->operand_count = (uint8_t)a2xx_operands(alu, program->variant, code->operands);
    code->everywhere = program->variant == TESS_A2XX_ADRENO && alu->address_mode &&
                       !alu->const_0_rel && !alu->const_1_rel;
    code->faults = static_faults(code, program->stage);
}

/* --- programs --- */

static void note_register(struct a2xx_code *code, uint32_t number, bool relative)
{
    code->registers |= relative ? UINT64_MAX : UINT64_C(1) << number;
}

static void note_alu(struct a2xx_code *code, const struct a2xx_alu_code *alu)
{
    const struct a2xx_alu *insn = &alu->insn;
    code->reads_ps |= alu->reads_ps;
    for (unsigned i = 0; i < 3; i++)
        if (!alu->source[i].constant)
            note_register(code, alu->source[i].number, alu->source[i].relative);
    if (alu->const_op)
        note_register(code, alu->second.number, false);
    if (insn->export_data)
        return;
    note_register(code, insn->vector_dest, insn->vector_dest_rel);
    note_register(code, insn->scalar_dest, insn->scalar_dest_rel);
}

static void note_fetch(struct a2xx_code *code, const struct a2xx_fetch *fetch)
{
    struct a2xx_fetch_register source = a2xx_fetch_source(fetch, code->variant),
                               result = a2xx_fetch_result(fetch);
    note_register(code, source.number, source.relative);
    note_register(code, result.number, result.relative);
}

/* Records the registers and exports of a clause. `proper` is false for slots after the control flow
 * that happen to decode as an EXEC. Only a wrong program executes such slots, so their exports are
 * not recorded. */
static void note_clause(struct a2xx_code *code, const struct a2xx_exec *exec, bool proper)
{
    for (uint32_t i = 0; i < exec->count && exec->address + i < code->slots; i++) {
        const struct a2xx_alu_code *alu = &code->alu[exec->address + i];
        if (a2xx_is_fetch(exec, i)) {
            note_fetch(code, &code->fetch[exec->address + i]);
            continue;
        }
        note_alu(code, alu);
        if (proper && alu->insn.export_data)
            code->exports[alu->insn.vector_dest] |= (uint8_t)a2xx_export_mask(&alu->insn);
    }
}

static void decode_slots(struct a2xx_code *code, const uint32_t *words)
{
    for (uint32_t i = 0; i < code->slots; i++) {
        const uint32_t *slot = words + (size_t)i * A2XX_WORDS;
        code->cf[2 * i] = a2xx_decode_cf(a2xx_cf_half(slot, 0));
        code->cf[2 * i + 1] = a2xx_decode_cf(a2xx_cf_half(slot, 1));
        decode_alu(code, slot, &code->alu[i]);
        code->fetch[i] = a2xx_decode_fetch(slot);
    }
    for (uint32_t i = 0; i < 2 * code->slots; i++)
        if (code->cf[i].form == A2XX_FORM_EXEC)
            note_clause(code, &code->cf[i].exec, i < 2 * code->cf_slots);
}

/* For each predicated break, finds a register that another iteration of the loop changes in lanes
 * that have already reached the condition of the break. */
static void note_breaks(struct a2xx_code *code, const uint32_t *words)
{
    const struct a2xx_body body = {.words = words,
                                   .slots = code->slots,
                                   .cfs = code->cf,
                                   .cf_count = 2 * code->slots,
                                   .variant = code->variant};
    memset(code->changed, A2XX_REGISTERS, body.cf_count);
    for (uint32_t i = 0; i < body.cf_count; i++)
        if (code->cf[i].opcode == A2XX_CF_LOOP_END && code->cf[i].loop.predicated_break)
            code->changed[i] = (uint8_t)a2xx_changed_by_round(&body, i);
}

struct a2xx_code *a2xx_decode(const struct tess_a2xx_program *program, enum tess_a2xx_stage stage)
{
    struct a2xx_code *code = calloc(1, sizeof *code);
    if (!code)
        return NULL;
    code->stage = stage;
    code->variant = program->variant;
    code->slots = (uint32_t)program->slots;
    code->cf_slots = (uint32_t)program->cf_slots;
    code->cf = calloc(program->slots, 2 * sizeof *code->cf);
    code->alu = calloc(program->slots, sizeof *code->alu);
    code->fetch = calloc(program->slots, sizeof *code->fetch);
    code->changed = calloc(program->slots, 2 * sizeof *code->changed);
    if (!code->cf || !code->alu || !code->fetch || !code->changed) {
        a2xx_code_free(code);
        return NULL;
    }
    decode_slots(code, program->words);
    note_breaks(code, program->words);
    return code;
}

void a2xx_code_free(struct a2xx_code *code)
{
    if (!code)
        return;
    free(code->cf);
    free(code->alu);
    free(code->fetch);
    free(code->changed);
    free(code);
}
