/* SPDX-License-Identifier: MIT */
/* rig.h - runs small programs, given as text, over vertices with one attribute and one varying of
 * four floats. */
#ifndef TESTS_UTGARD_RIG_H
#define TESTS_UTGARD_RIG_H

#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#include <tessera/utgard.h>

enum { RIG_VERTICES = 512, RIG_FINDINGS = 32 };

struct rig {
    struct tess_gp_options options;
    struct tess_gp *gp;
    struct tess_gp_program *program;
    struct tess_gp_attribute attributes[TESS_GP_ATTRIBUTES];
    struct tess_gp_varying varyings[TESS_GP_VARYINGS];
    float in[RIG_VERTICES][4], out[RIG_VERTICES][4];
    char rules[RIG_FINDINGS][40], texts[RIG_FINDINGS][256];
    unsigned findings;
};

static inline void rig_report(void *user, const struct tess_finding *diag)
{
    struct rig *rig = user;
    if (rig->findings >= RIG_FINDINGS)
        return;
    snprintf(rig->rules[rig->findings], sizeof rig->rules[0], "%s", diag->id ? diag->id : "");
    snprintf(rig->texts[rig->findings++], sizeof rig->texts[0], "%s", diag->text);
}

/* Loads a program. Attribute 0 is rig->in, and varying 0 is rig->out. */
static inline void rig_load(struct rig *rig, const char *source)
{
    struct tess_asm_options options = {.skip_check = true};
    struct tess_sink sink = {rig_report, rig};
    enum tess_status status = tess_gp_program_read(source, strlen(source), "test.gp", &options,
                                                   sink, &rig->program);
    if (status)
        fail_msg("%s", rig->findings ? rig->texts[0] : tess_status_text(status));
    rig->options.machine.sink = sink;
    assert_int_equal(tess_gp_create(&rig->gp, &rig->options), TESS_OK);
    assert_int_equal(tess_gp_load(rig->gp, rig->program), TESS_OK);
    rig->attributes[0] = (struct tess_gp_attribute){
        .data = rig->in, .size = sizeof rig->in, .stride = 16, .components = 4};
    rig->varyings[0] = (struct tess_gp_varying){
        .data = rig->out, .size = sizeof rig->out, .stride = 16, .components = 4};
}

static inline enum tess_status rig_run(struct rig *rig, size_t first, size_t count)
{
    struct tess_gp_batch batch = {rig->attributes, rig->varyings, first, count, 0, false};
    return tess_gp_run(rig->gp, &batch);
}

static inline void rig_free(struct rig *rig)
{
    tess_gp_destroy(rig->gp);
    tess_gp_program_free(rig->program);
    rig->gp = NULL;
    rig->program = NULL;
}

#endif
