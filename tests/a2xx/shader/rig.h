/* SPDX-License-Identifier: MIT */
/* rig.h - builds small A2xx programs from the fields of their words, and runs the programs over
 * lanes. */
#ifndef TESTS_A2XX_RIG_H
#define TESTS_A2XX_RIG_H

#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#include <tessera/a2xx.h>

#include "base/bits.h"
#include "isa/a2xx/a2xx_isa.h"

enum { RIG_LANES = 512, RIG_FINDINGS = 40, RIG_CONTROL = 16, RIG_CODE = 96, RIG_INPUTS = 8 };

struct rig {
    struct tess_a2xx_options options;
    enum tess_a2xx_variant variant;
    enum tess_a2xx_stage stage;
    uint64_t control[RIG_CONTROL];
    uint32_t code[RIG_CODE][A2XX_WORDS];
    unsigned controls, instructions;
    struct tess_a2xx *a2xx;
    struct tess_a2xx_program *program;
    struct tess_a2xx_batch batch;
    float in[RIG_INPUTS][RIG_LANES][4];         /* values of input registers; the first .inputs
                                                   are used */
    float out[TESS_A2XX_EXPORTS][RIG_LANES][4]; /* values of all exports */
    unsigned inputs;
    char rules[RIG_FINDINGS][40], texts[RIG_FINDINGS][256];
    unsigned findings;
};

/* Initialisers of ALU instructions. An idle half has MAXv or MAXs. RIG_REGISTERS makes all
 * sources registers. */
#define RIG_OPS(vector, scalar) .vector_opc = (vector), .scalar_opc = (scalar)
#define RIG_REGISTERS           .src1_sel = 1, .src2_sel = 1, .src3_sel = 1

static inline void rig_report(void *user, const struct tess_finding *diag)
{
    struct rig *rig = user;
    if (rig->findings >= RIG_FINDINGS)
        return;
    snprintf(rig->rules[rig->findings], sizeof rig->rules[0], "%s", diag->id ? diag->id : "");
    snprintf(rig->texts[rig->findings++], sizeof rig->texts[0], "%s", diag->text);
}

/* Returns the number of findings with this rule. */
static inline unsigned rig_found(const struct rig *rig, const char *rule)
{
    unsigned found = 0;
    for (unsigned i = 0; i < rig->findings; i++)
        found += strcmp(rig->rules[i], rule) == 0;
    return found;
}

static inline void rig_cf(struct rig *rig, uint64_t cf)
{
    assert_true(rig->controls < RIG_CONTROL);
    rig->control[rig->controls++] = cf;
}

static inline void rig_exec(struct rig *rig, struct a2xx_exec exec)
{
    struct a2xx_cf cf = {.form = A2XX_FORM_EXEC, .opcode = (uint8_t)exec.opcode, .exec = exec};
    rig_cf(rig, a2xx_encode_cf(&cf));
}

static inline void rig_loop(struct rig *rig, struct a2xx_loop loop)
{
    struct a2xx_cf cf = {.form = A2XX_FORM_LOOP, .opcode = (uint8_t)loop.opcode, .loop = loop};
    rig_cf(rig, a2xx_encode_cf(&cf));
}

static inline void rig_jump(struct rig *rig, struct a2xx_jump jump)
{
    struct a2xx_cf cf = {.form = A2XX_FORM_JUMP, .opcode = (uint8_t)jump.opcode, .jump = jump};
    rig_cf(rig, a2xx_encode_cf(&cf));
}

static inline void rig_alloc(struct rig *rig, enum a2xx_buffer kind, unsigned size)
{
    struct a2xx_cf cf = {
        .form = A2XX_FORM_ALLOC,
        .opcode = A2XX_CF_ALLOC,
        .alloc = {.opcode = A2XX_CF_ALLOC, .buffer_select = kind, .size = size},
    };
    rig_cf(rig, a2xx_encode_cf(&cf));
}

/* Appends an instruction. Instructions are in the order of their clauses. The .address of an
 * exec is the index of its first instruction. */
static inline void rig_alu(struct rig *rig, struct a2xx_alu alu)
{
    assert_true(rig->instructions < RIG_CODE);
    a2xx_encode_alu(&alu, rig->code[rig->instructions++]);
}

static inline void rig_vertex(struct rig *rig, struct a2xx_vertex vertex)
{
    struct a2xx_fetch fetch = {.form = A2XX_FORM_VERTEX, .vertex = vertex};
    assert_true(rig->instructions < RIG_CODE);
    a2xx_encode_fetch(&fetch, rig->code[rig->instructions++]);
}

/* Loads the program. Converts the clauses' addresses from indices of instructions to slot
 * addresses. */
static inline void rig_load(struct rig *rig)
{
    uint32_t words[(RIG_CONTROL + RIG_CODE) * A2XX_WORDS] = {0};
    unsigned slots = (rig->controls + 1) / 2;
    for (unsigned i = 0; i < rig->controls; i++) {
        struct a2xx_cf cf = a2xx_decode_cf(rig->control[i]);
        if (cf.form == A2XX_FORM_EXEC)
            cf.exec.address += slots;
        a2xx_set_cf_half(words + i / 2 * A2XX_WORDS, i % 2, a2xx_encode_cf(&cf));
    }
    memcpy(words + slots * A2XX_WORDS, rig->code, rig->instructions * sizeof rig->code[0]);
    assert_int_equal(
        tess_a2xx_program_words(words, slots + rig->instructions, rig->variant, &rig->program),
        TESS_OK);
    rig->options.machine.sink = (struct tess_sink){rig_report, rig};
    assert_int_equal(tess_a2xx_create(&rig->a2xx, &rig->options), TESS_OK);
    assert_int_equal(tess_a2xx_load(rig->a2xx, rig->stage, rig->program), TESS_OK);
    rig->batch.stage = rig->stage;
    for (unsigned i = 0; i < rig->inputs; i++)
        rig->batch.registers[i] = (const float(*)[4])rig->in[i];
    for (unsigned i = 0; i < TESS_A2XX_EXPORTS; i++)
        rig->batch.exports[i] = rig->out[i];
}

static inline enum tess_status rig_run(struct rig *rig, size_t count)
{
    rig->batch.count = count;
    return tess_a2xx_run(rig->a2xx, &rig->batch);
}

static inline void rig_constant(struct rig *rig, unsigned number, float x, float y, float z,
                                float w)
{
    const float values[4] = {x, y, z, w};
    assert_int_equal(tess_a2xx_set_constants(rig->a2xx, rig->stage, number, values, 1), TESS_OK);
}

/* Builds a pixel program of one clause with up to six instructions. The last instruction exports a
 * colour. */
static inline void rig_pixel(struct rig *rig, const struct a2xx_alu *alu, unsigned count)
{
    rig->stage = TESS_A2XX_PIXEL;
    rig_alloc(rig, A2XX_BUFFER_PARAM_PIXEL, 0);
    rig_exec(rig, (struct a2xx_exec){.opcode = A2XX_CF_EXEC_END, .count = count});
    for (unsigned i = 0; i < count; i++)
        rig_alu(rig, alu[i]);
    rig_load(rig);
}

static inline void rig_free(struct rig *rig)
{
    tess_a2xx_destroy(rig->a2xx);
    tess_a2xx_program_free(rig->program);
    rig->a2xx = NULL;
    rig->program = NULL;
}

#endif
