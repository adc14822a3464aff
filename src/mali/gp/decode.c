/* SPDX-License-Identifier: MIT */
/* decode.c - see code.h. */
#include <stdlib.h>

#include "base/array.h"
#include "mali/gp/code.h"
#include "mali/gp/flow_analysis.h"
#include "mali/gp/sanitize_steps.h"
#include "mali/gp/steps.h"

enum {
    SIGN = INT32_MIN,
    ROW_CELLS = TESS_GP_ROWS * GP_COMPONENTS,
};

struct decoder {
    const struct gp_decode_options *options;
    const struct gp_handlers *run;
    struct gp_flow flow;
    struct gp_code *code;
    uint32_t step_count;
    /* index in code->cells, plus 1, or 0 if the program does not use the cell so far */
    uint16_t cell_of[ROW_CELLS];
    unsigned raw; /* units whose results may be raw bits, such as an integer, instead of floats */
    bool failed;

    /* The instruction that is being decoded. */
    uint32_t k;
    const struct gp_insn *insn;
    unsigned flushed; /* number of operands that have been flushed so far */
    bool row_loaded;  /* true if the instruction has a step that loads the row */
};

/* --- steps --- */

static void step(struct decoder *decoder, struct gp_step step)
{
    struct gp_code *code = decoder->code;
    if (ARRAY_GROW(code->steps, decoder->step_count))
        code->steps[decoder->step_count++] = step;
    else
        decoder->failed = true;
}

#define MEMORY(member)  GP_REF(GP_BASE_MEMORY, offsetof(struct gp_memory, member))
#define NOW(member)     GP_REF(GP_BASE_NOW, offsetof(struct gp_set, member))
#define BACK(n, member) GP_REF((n) == 1 ? GP_BASE_P1 : GP_BASE_P2, offsetof(struct gp_set, member))
#define LANES_BYTES(n)  ((gp_ref)((n) * sizeof(gp_lanes)))

static gp_ref result_now(enum tess_gp_unit unit)
{
    return NOW(unit) + LANES_BYTES(unit);
}

static gp_ref result_back(enum tess_gp_unit unit, unsigned back)
{
    return BACK(back, unit) + LANES_BYTES(unit);
}

/* --- operands --- */

static gp_ref cell(struct decoder *decoder, uint32_t row, unsigned component)
{
    struct gp_code *code = decoder->code;
    uint16_t *known = &decoder->cell_of[row * GP_COMPONENTS + component];
    if (!*known) {
        code->cells[code->cell_count] = (struct gp_cell){(uint16_t)row, (uint8_t)component};
        *known = (uint16_t)++code->cell_count;
    }
    return GP_REF(GP_BASE_UNIFORMS, 0) + LANES_BYTES(*known - 1u);
}

static gp_ref load0(struct decoder *decoder, unsigned component)
{
    const struct gp_insn *insn = decoder->insn;
    gp_ref from = insn->register0_attribute ? MEMORY(attributes) : MEMORY(registers);
    /* a trace shows all components */
    unsigned read = decoder->options->watched ? 0xf : 1u << component;
    if (insn->register0_attribute)
        decoder->code->attributes[insn->register0_addr] |= (uint8_t)read;
    return from + LANES_BYTES(insn->register0_addr * 4u + component);
}

/* Returns the position of a source's bits. */
static gp_ref place(struct decoder *decoder, unsigned source)
{
    const struct gp_source_row *row = &gp_sources[source];
    unsigned component = source & 3;
    switch (row->unit) {
    case GP_UNIT_LOAD0:
        return row->back ? BACK(1, load0) + LANES_BYTES(component) : load0(decoder, component);
    case GP_UNIT_LOAD1:
        return MEMORY(registers) + LANES_BYTES(decoder->insn->register1_addr * 4u + component);
    case GP_UNIT_ROW:
        return decoder->row_loaded ? NOW(row) + LANES_BYTES(component)
                                   : cell(decoder, decoder->insn->load_addr, component);
    case GP_UNIT_NONE: return MEMORY(zero);
    default: return result_back(gp_result_unit(row->unit), row->back);
    }
}

static bool may_be_raw(const struct decoder *decoder, unsigned source)
{
    unsigned unit = gp_result_unit(gp_sources[source].unit);
    return decoder->raw >> unit & 1 && !decoder->options->choices.keep_denormals;
}

/* Meaning of an operand whose source field is 22: the complex unit's result, 0 or 1. */
enum identity { COMPLEX, ZERO, ONE };

/* Returns the position of an operand's bits. */
static gp_ref bits(struct decoder *decoder, unsigned source, enum identity identity)
{
    if (identity == COMPLEX || !gp_is_identity(source))
        return place(decoder, source);
    return identity == ONE ? MEMORY(one) : MEMORY(zero);
}

/* Returns the position of an operand as a number. If the operand may be raw bits, adds a step that
 * flushes the operand, and returns the position of the flushed operand. */
static gp_ref number(struct decoder *decoder, unsigned source, enum identity identity)
{
    gp_ref from = bits(decoder, source, identity);
    if (!may_be_raw(decoder, source))
        return from;
    gp_ref to = NOW(flushed) + LANES_BYTES(decoder->flushed++);
    step(decoder, (struct gp_step){.run = decoder->run->flush, .to = to, .a = from});
    return to;
}

static uint32_t sign(unsigned negative)
{
    return negative ? (uint32_t)SIGN : 0;
}

/* --- units --- */

static void hold(struct decoder *decoder, enum tess_gp_unit unit)
{
    if (decoder->flow.held >> unit & 1)
        step(decoder, (struct gp_step){.run = decoder->run->copy,
                                       .to = result_now(unit),
                                       .a = result_back(unit, 1)});
}

static void nothing(struct decoder *decoder, enum tess_gp_unit unit)
{
    step(decoder, (struct gp_step){.run = decoder->run->zero,
                                   .to = result_now(unit),
                                   .a = MEMORY(zero),
                                   .b = MEMORY(zero)});
}

/* Adds a step of the sanitizer, if the decoder's options include the sanitizer. */
static void check(struct decoder *decoder, struct gp_step made)
{
    if (decoder->options->checked)
        step(decoder, made);
}

static void product(struct decoder *decoder, enum tess_gp_unit unit, unsigned a, unsigned b,
                    unsigned negative)
{
    struct gp_step made = {.to = result_now(unit), .sign_a = sign(negative)};
    made.a = made.b = number(decoder, a, COMPLEX);
    if (gp_is_identity(b)) {
        made.run = decoder->run->move;
    } else {
        made.run = decoder->options->choices.zero_times_inf_is_zero ? decoder->run->multiply_zero
                                                                    : decoder->run->multiply;
        made.b = b == a ? made.a : number(decoder, b, ONE);
    }
    step(decoder, made);
}

static void complex1(struct decoder *decoder)
{
    const struct gp_insn *insn = decoder->insn;
    struct gp_line *line = &decoder->code->line[decoder->k];
    line->late = decoder->flow.early;
    gp_ref a = bits(decoder, insn->mul0_src0, COMPLEX);
    check(decoder, (struct gp_step){.run = gp_step_check_complex1,
                                    .a = bits(decoder, insn->mul0_src1, ONE),
                                    .b = bits(decoder, insn->mul1_src1, ONE)});
    step(decoder, (struct gp_step){.run = decoder->run->copy,
                                   .to = line->late ? NOW(late) : result_now(TESS_GP_MUL0),
                                   .a = a,
                                   .sign_a = sign(insn->mul0_neg)});
    if (line->late)
        hold(decoder, TESS_GP_MUL0);
}

static void decode_mul0(struct decoder *decoder)
{
    const struct gp_insn *insn = decoder->insn;
    switch (insn->mul_op) {
    case GP_MUL_COMPLEX2:
        if (insn->mul0_src0 != insn->mul0_src1)
            check(decoder, (struct gp_step){.run = gp_step_check_complex2,
                                            .a = bits(decoder, insn->mul0_src0, COMPLEX),
                                            .b = bits(decoder, insn->mul0_src1, ONE)});
        __attribute__((fallthrough));
    case GP_MUL_MUL:
        product(decoder, TESS_GP_MUL0, insn->mul0_src0, insn->mul0_src1, insn->mul0_neg);
        break;
    case GP_MUL_COMPLEX1: complex1(decoder); break;
    case GP_MUL_SELECT: {
        gp_ref otherwise = number(decoder, insn->mul0_src0, COMPLEX);
        gp_ref condition = number(decoder, insn->mul0_src1, ONE);
        gp_ref then = number(decoder, insn->mul1_src0, COMPLEX);
        step(decoder, (struct gp_step){.run = decoder->run->select,
                                       .to = result_now(TESS_GP_MUL0),
                                       .a = otherwise,
                                       .b = condition,
                                       .c = then,
                                       .sign_a = sign(insn->mul0_neg)});
        break;
    }
    default: nothing(decoder, TESS_GP_MUL0);
    }
}

static void decode_mul1(struct decoder *decoder)
{
    const struct gp_insn *insn = decoder->insn;
    if (gp_mul_ops[insn->mul_op].mnemonic)
        product(decoder, TESS_GP_MUL1, insn->mul1_src0, insn->mul1_src1, insn->mul1_neg);
    else
        nothing(decoder, TESS_GP_MUL1);
}

static gp_handler *acc_handler(const struct decoder *decoder, unsigned op)
{
    const struct gp_handlers *run = decoder->run;
    bool nan = decoder->options->choices.nan_wins;
    switch (op) {
    case GP_ACC_ADD: return run->add;
    case GP_ACC_FLOOR: return run->floor;
    case GP_ACC_SIGN: return run->sign;
    case GP_ACC_GE: return run->ge;
    case GP_ACC_LT: return run->lt;
    case GP_ACC_MIN: return nan ? run->min_nan : run->min;
    case GP_ACC_MAX: return nan ? run->max_nan : run->max;
    default: return run->zero;
    }
}

static void accumulate(struct decoder *decoder, enum tess_gp_unit unit, const unsigned source[2],
                       const unsigned negative[2])
{
    unsigned op = decoder->insn->acc_op;
    struct gp_step made = {
        .run = acc_handler(decoder, op),
        .to = result_now(unit),
        .sign_a = sign(negative[0]),
        .sign_b = sign(negative[1]),
    };
    made.a = made.b = number(decoder, source[0], COMPLEX);
    /* x + -0 is x, so the addition becomes a move */
    if (op == GP_ACC_ADD && gp_is_identity(source[1]) && negative[1])
        made.run = decoder->run->move;
    else if (gp_acc_ops[op].operands > 1)
        made.b = number(decoder, source[1], ZERO);
    step(decoder, made);
}

static void decode_acc0(struct decoder *decoder)
{
    const struct gp_insn *insn = decoder->insn;
    accumulate(decoder, TESS_GP_ACC0, (const unsigned[]){insn->acc0_src0, insn->acc0_src1},
               (const unsigned[]){insn->acc0_src0_neg, insn->acc0_src1_neg});
}

static void decode_acc1(struct decoder *decoder)
{
    const struct gp_insn *insn = decoder->insn;
    accumulate(decoder, TESS_GP_ACC1, (const unsigned[]){insn->acc1_src0, insn->acc1_src1},
               (const unsigned[]){insn->acc1_src0_neg, insn->acc1_src1_neg});
}

static void decode_pass(struct decoder *decoder)
{
    const struct gp_insn *insn = decoder->insn;
    struct gp_step made = {.to = result_now(TESS_GP_PASS)};
    const struct gp_handlers *run = decoder->run;
    switch (insn->pass_op) {
    case GP_PASS_MOV: made.run = run->move; break;
    case GP_PASS_PREEXP2: made.run = run->preexp2; break;
    case GP_PASS_POSTLOG2: made.run = run->postlog2; break;
    case GP_PASS_CLAMP:
        made.run = decoder->options->choices.nan_wins ? run->clamp_nan : run->clamp;
        break;
    default: nothing(decoder, TESS_GP_PASS); return;
    }
    made.a = made.b = insn->pass_op == GP_PASS_POSTLOG2 ? bits(decoder, insn->pass_src, COMPLEX)
                                                        : number(decoder, insn->pass_src, COMPLEX);
    if (insn->pass_op == GP_PASS_CLAMP) {
        made.b = place(decoder, GP_SRC_ROW_X);
        made.c = place(decoder, GP_SRC_ROW_Y);
        check(decoder, (struct gp_step){.run = gp_step_check_bounds, .a = made.b, .b = made.c});
    }
    step(decoder, made);
}

static gp_handler *complex_handler(const struct decoder *decoder, unsigned op)
{
    const struct gp_handlers *run = decoder->run;
    switch (op) {
    case GP_COMPLEX_EXP2: return run->exp2;
    case GP_COMPLEX_LOG2: return run->log2;
    case GP_COMPLEX_RSQRT: return run->rsqrt;
    case GP_COMPLEX_RCP: return run->rcp;
    case GP_COMPLEX_MOV:
    case GP_COMPLEX_ADDR0:
    case GP_COMPLEX_ADDR1:
    case GP_COMPLEX_ADDR2:
    case GP_COMPLEX_ADDR3: return run->move;
    default: return run->zero;
    }
}

static void decode_complex(struct decoder *decoder)
{
    const struct gp_insn *insn = decoder->insn;
    gp_ref a = insn->complex_op == GP_COMPLEX_EXP2 ? bits(decoder, insn->complex_src, COMPLEX)
                                                   : number(decoder, insn->complex_src, COMPLEX);
    check(decoder, (struct gp_step){.run = gp_step_keep_operand, .a = a, .b = NOW(operand)});
    step(decoder, (struct gp_step){.run = complex_handler(decoder, insn->complex_op),
                                   .to = result_now(TESS_GP_COMPLEX),
                                   .a = a,
                                   .b = a});
    if (insn->complex_op == GP_COMPLEX_LOG2 || insn->complex_op == GP_COMPLEX_RSQRT ||
        insn->complex_op == GP_COMPLEX_RCP)
        check(decoder, (struct gp_step){.run = gp_step_note_function,
                                        .a = NOW(operand),
                                        .b = result_now(TESS_GP_COMPLEX)});
}

static void decode_units(struct decoder *decoder)
{
    static void (*const decode[TESS_GP_UNITS])(struct decoder *) = {
        [TESS_GP_MUL0] = decode_mul0,       [TESS_GP_MUL1] = decode_mul1,
        [TESS_GP_ACC0] = decode_acc0,       [TESS_GP_ACC1] = decode_acc1,
        [TESS_GP_COMPLEX] = decode_complex, [TESS_GP_PASS] = decode_pass,
    };
    unsigned idle = gp_idle_units(decoder->insn);
    for (unsigned unit = 0; unit < TESS_GP_UNITS; unit++)
        if (idle >> unit & 1)
            hold(decoder, unit);
        else
            decode[unit](decoder);
}

/* --- loads and stores --- */

/* Returns the register components that may be read before they are written or while a store is
 * pending. The program alone does not prove that their reads are valid. */
static uint64_t doubtful(const struct decoder *decoder)
{
    return decoder->flow.unset_registers | decoder->flow.watched_registers;
}

static void check_registers(struct decoder *decoder)
{
    uint64_t loaded = gp_flow_registers_loaded(&decoder->flow, decoder->k) & doubtful(decoder);
    for (; loaded; loaded &= loaded - 1)
        check(decoder, (struct gp_step){.run = gp_step_check_register,
                                        .value = (uint32_t)__builtin_ctzll(loaded)});
}

static void decode_loads(struct decoder *decoder)
{
    const struct gp_insn *insn = decoder->insn;
    unsigned components = gp_reads(insn, GP_UNIT_ROW, 0), offset = gp_row_offset(insn);
    decoder->row_loaded = components && (offset || decoder->code->temporaries);
    if (decoder->row_loaded)
        check(decoder,
              (struct gp_step){.run = gp_step_check_row, .b = offset, .value = insn->load_addr});
    if (decoder->row_loaded)
        step(decoder, (struct gp_step){.run = gp_step_load_row,
                                       .b = offset,
                                       .value = insn->load_addr,
                                       .more = components});
    for (unsigned c = 0; c < GP_COMPONENTS; c++)
        if (decoder->flow.kept[decoder->k] >> c & 1)
            step(decoder, (struct gp_step){.run = decoder->run->copy,
                                           .to = NOW(load0) + LANES_BYTES(c),
                                           .a = load0(decoder, c)});
}

static void decode_addresses(struct decoder *decoder)
{
    const struct gp_insn *insn = decoder->insn;
    bool from_pass = insn->complex_op == GP_COMPLEX_ADDR01;
    gp_ref from = result_now(from_pass ? TESS_GP_PASS : TESS_GP_COMPLEX);
    unsigned set = gp_addresses_set(insn);
    for (unsigned n = 0; n < GP_ADDRESSES; n++)
        if (set >> n & 1) {
            check(decoder, (struct gp_step){.run = gp_step_check_address, .a = from});
            if (decoder->code->unset_addresses >> n & 1)
                check(decoder, (struct gp_step){.run = gp_step_mark_address, .value = n});
            bool later = n > 0 &&
                         (decoder->options->watched || decoder->flow.watched_addresses >> n & 1);
            step(decoder,
                 (struct gp_step){.run = later ? gp_step_send_address : gp_step_set_address,
                                  .a = from,
                                  .value = n});
        }
}

static void decode_store(struct decoder *decoder, const struct gp_store *store)
{
    enum tess_gp_unit unit = gp_result_unit(gp_store_sources[store->source].unit);
    gp_ref from = unit == TESS_GP_UNITS ? MEMORY(zero) : result_now(unit);
    unsigned cell = store->number * 4u + store->component;
    struct gp_step made = {.a = from, .value = cell};
    if (store->temporary) {
        check(decoder, (struct gp_step){.run = gp_step_check_temporary});
        made.run = gp_step_send_temporary;
        made.value = store->component;
    } else if (store->varying) {
        decoder->code->varyings[store->number] |= (uint8_t)(1u << store->component);
        made.run = decoder->run->store_varying;
        made.to = MEMORY(varyings) + LANES_BYTES(cell);
        made.value = store->number;
        made.more = store->component;
        check(decoder, (struct gp_step){.run = gp_step_check_number,
                                        .a = from,
                                        .value = store->number,
                                        .more = (int)store->number == decoder->options->position});
        if ((int)store->number == decoder->options->position && store->component == 3)
            check(decoder, (struct gp_step){.run = gp_step_check_w, .a = from});
    } else if (decoder->options->watched || decoder->flow.watched_registers >> cell & 1) {
        made.run = gp_step_send_register;
    } else {
        made.run = decoder->run->store_register;
        made.to = MEMORY(registers) + LANES_BYTES(cell);
    }
    if (!store->temporary && !store->varying && doubtful(decoder) >> cell & 1)
        check(decoder, (struct gp_step){.run = gp_step_mark_register, .value = cell});
    step(decoder, made);
}

static void decode_stores(struct decoder *decoder)
{
    struct gp_store stores[GP_STORES_MAX];
    unsigned count = gp_stores(decoder->insn, stores);
    for (unsigned i = 0; i < count; i++)
        decode_store(decoder, &stores[i]);
}

/* --- programs --- */

static void decode_line(struct decoder *decoder, uint32_t k)
{
    struct gp_line *line = &decoder->code->line[k];
    decoder->k = k;
    decoder->insn = &line->insn;
    decoder->flushed = 0;
    line->steps = decoder->step_count;
    line->needed1 = decoder->flow.needed1[k];
    line->needed2 = decoder->flow.needed2[k];
    line->branch = line->insn.branch;
    line->target = gp_branch_target(&line->insn);
    line->condition = result_now(TESS_GP_PASS);
    check_registers(decoder);
    decode_loads(decoder);
    decode_units(decoder);
    decode_addresses(decoder);
    decode_stores(decoder);
    step(decoder, (struct gp_step){0});
}

static bool stores_temporaries(const struct gp_insn *insn)
{
    struct gp_store stores[GP_STORES_MAX];
    for (unsigned i = gp_stores(insn, stores); i-- > 0;)
        if (stores[i].temporary)
            return true;
    return false;
}

static unsigned raw_results(const struct gp_insn *insn)
{
    return (unsigned)(insn->pass_op == GP_PASS_PREEXP2) << TESS_GP_PASS |
           (unsigned)(insn->complex_op == GP_COMPLEX_LOG2) << TESS_GP_COMPLEX |
           (unsigned)(insn->mul_op == GP_MUL_COMPLEX1) << TESS_GP_MUL0;
}

static void decode_all(struct decoder *decoder, const uint32_t *words, uint32_t instructions)
{
    struct gp_code *code = decoder->code;
    struct gp_insn insn[GP_PROGRAM_MAX];
    code->lines = instructions;
    for (uint32_t k = 0; k < instructions; k++) {
        insn[k] = code->line[k].insn = gp_decode(words + (size_t)k * GP_WORDS);
        code->temporaries |= stores_temporaries(&insn[k]);
        decoder->raw |= raw_results(&insn[k]);
    }
    gp_flow_find(&decoder->flow, insn, instructions);
    code->checked = decoder->options->checked;
    code->position = decoder->options->position;
    code->unset_registers = decoder->options->watched ? UINT64_MAX : doubtful(decoder);
    code->unset_addresses = decoder->options->watched
                                ? UINT8_MAX
                                : decoder->flow.unset_addresses | decoder->flow.watched_addresses;
    code->holds = decoder->flow.held || gp_reads(&insn[0], GP_UNIT_LOAD0, 1);
    for (uint32_t k = 0; k < instructions; k++)
        decode_line(decoder, k);
}

enum tess_status gp_decode_program(const uint32_t *words, uint32_t instructions,
                                   const struct gp_decode_options *options, struct gp_code **code)
{
    struct decoder *decoder = calloc(1, sizeof *decoder);
    *code = calloc(1, sizeof **code);
    if (*code)
        (*code)->cells = calloc(ROW_CELLS, sizeof *(*code)->cells);
    bool failed = !decoder || !*code || !(*code)->cells;
    if (!failed) {
        decoder->options = options;
        decoder->run = options->handlers;
        decoder->code = *code;
        decode_all(decoder, words, instructions);
        failed = decoder->failed;
    }
    free(decoder);
    if (!failed)
        return TESS_OK;
    gp_code_free(*code);
    *code = NULL;
    return TESS_NO_MEMORY;
}

void gp_code_free(struct gp_code *code)
{
    if (!code)
        return;
    free(code->steps);
    free(code->cells);
    free(code);
}
