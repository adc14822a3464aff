/* SPDX-License-Identifier: MIT */
/* findings.c - tests the GP's sanitizer: vertex and instruction of a finding, the limit of
 * repetitions, and independence from threads. Also tests findings about buffers, which the
 * tessera command cannot raise. tests/programs/gp_findings.py tests all other findings. */
#include <stdlib.h>

#include "../../register.h"
#include "rig.h"

#include "base/file.h"
#include "finding/rules.h"
#include "mali/gp/fault.h"

static void fill(struct rig *rig)
{
    for (unsigned v = 0; v < RIG_VERTICES; v++)
        for (unsigned c = 0; c < 4; c++)
            rig->in[v][c] = (float)(v * 4 + c);
}

static struct rig *load(const char *source)
{
    struct rig *rig = calloc(1, sizeof *rig);
    assert_non_null(rig);
    fill(rig);
    rig_load(rig, source);
    return rig;
}

static void release(struct rig *rig)
{
    rig_free(rig);
    free(rig);
}

static struct rig *load_file(const char *name)
{
    char path[512];
    struct buffer text = {0};
    snprintf(path, sizeof path, "%s/programs/gp_findings/%s.gp", TEST_DATA, name);
    assert_int_equal(file_read(path, &text), TESS_OK);
    struct rig *rig = load((const char *)text.data);
    buffer_free(&text);
    rig->varyings[0].components = 1;
    return rig;
}

TEST(test_attribute_beyond)
{
    struct rig *rig = load_file("gp-attribute-beyond");
    rig->attributes[0].size = 16 * 40 + 3; /* vertex 40 has only three bytes of x */
    assert_int_equal(rig_run(rig, 0, 50), TESS_OK);
    assert_int_equal(rig->findings, 1);
    assert_string_equal(rig->rules[0], "gp-attribute-beyond");
    assert_string_equal(
        rig->texts[0],
        "instruction 0, vertex 40: component x of attribute 0 is beyond the end of its buffer "
        "(10 times)");
    assert_float_equal(rig->out[39][0], 39 * 4, 0);
    assert_float_equal(rig->out[40][0], 0, 0);
    release(rig);
}

TEST(test_varying_beyond)
{
    struct rig *rig = load_file("gp-varying-beyond");
    rig->varyings[0].size = 16 * 33 + 4; /* ends after x of vertex 33 */
    assert_int_equal(rig_run(rig, 0, 40), TESS_OK);
    assert_int_equal(rig->findings, 1);
    assert_string_equal(rig->rules[0], "gp-varying-beyond");
    assert_string_equal(
        rig->texts[0],
        "vertex 34, out: component x of varying 0 does not fit into its buffer (6 times)");
    assert_float_equal(rig->out[33][0], 1, 0);
    assert_float_equal(rig->out[34][0], 0, 0);
    release(rig);
}

/* The first operand of complex1 is correct, but the third is not. */
TEST(test_complex1_third)
{
    struct rig rig = {0};
    rig_load(&rig,
             "load.attr 0; complex.rcp attr.w; mul0.complex2 attr.w, attr.w; mul1.mov attr.w\n"
             "mul0.complex1 complex[-1], mul0[-1], mul1[-1], mul1[-1]\n");
    rig.varyings[0].data = NULL;
    assert_int_equal(rig_run(&rig, 0, 1), TESS_OK);
    assert_int_equal(rig.findings, 1);
    assert_string_equal(rig.rules[0], "gp-complex1-table");
    assert_non_null(strstr(rig.texts[0], "the third operand of complex1 is not"));
    rig_free(&rig);
}

/* Vertices from 300 on branch to an instruction that reads a register. Only the other vertices
 * have written the register. */
static const char some_unset[] = ".constant limit, 1200\n"
                                 "    load.attr 0; load.unif limit; acc0.ge attr.x, unif.x\n"
                                 "    pass.mov acc0[-1]; branch late\n"
                                 "    load.attr 0; acc0.mov attr.y; store0.reg 1, acc0, _\n"
                                 "    nop\n"
                                 "    nop\n"
                                 "late:\n"
                                 "    load.reg1 1; acc0.mov reg1.x; store0.varying 0, acc0, acc0\n"
                                 "    ; store1.varying 0, acc0, acc0\n";

TEST(test_first_vertex)
{
    struct rig *rig = load(some_unset);
    assert_int_equal(rig_run(rig, 0, 310), TESS_OK);
    assert_int_equal(rig->findings, 1);
    assert_string_equal(rig->rules[0], "gp-register-unset");
    assert_string_equal(
        rig->texts[0],
        "instruction 5 (late), vertex 300: register 1.x has not been written (10 times)");
    assert_float_equal(rig->out[299][0], 299 * 4 + 1, 0);
    assert_float_equal(rig->out[300][0], 0, 0);
    assert_int_equal(rig_run(rig, 0, 310), TESS_OK); /* the finding has been reported already */
    assert_int_equal(rig->findings, 1);
    release(rig);
}

TEST(test_base)
{
    struct rig *rig = load(some_unset);
    struct tess_gp_batch batch = {rig->attributes, rig->varyings, 290, 20, 1000, false};
    assert_int_equal(tess_gp_run(rig->gp, &batch), TESS_OK);
    assert_int_equal(rig->findings, 1);
    assert_non_null(strstr(rig->texts[0], "vertex 1300:"));
    release(rig);
}

/* The same data is in two pieces: vertices 300 to 309, and vertices 1300 to 1309. */
TEST(test_pieces)
{
    struct rig *rig = load(some_unset);
    struct tess_gp_batch batch = {
        .attributes = rig->attributes, .varyings = rig->varyings, .first = 300, .count = 10};
    batch.more = true;
    assert_int_equal(tess_gp_run(rig->gp, &batch), TESS_OK);
    batch.base = 1000;
    assert_int_equal(tess_gp_run(rig->gp, &batch), TESS_OK);
    assert_int_equal(rig->findings, 0);
    assert_int_equal(tess_gp_run(rig->gp, &(struct tess_gp_batch){.count = 0}), TESS_OK);
    assert_int_equal(rig->findings, 1);
    assert_non_null(strstr(rig->texts[0], "vertex 300:"));
    assert_non_null(strstr(rig->texts[0], "(20 times)"));
    release(rig);
}

/* If two findings of the same kind are at different instructions, both are reported. At most
 * eight are reported. */
TEST(test_shown)
{
    struct rig *rig = load(
        ".rep i, 12\n"
        "    load.reg1 1; acc0.mov reg1.x\n"
        ".endr\n"
        "    store0.varying 0, acc0, acc0; store1.varying 0, acc0, acc0; acc0.mov acc0[-1]\n");
    assert_int_equal(rig_run(rig, 0, 64), TESS_OK);
    assert_int_equal(rig->findings, 9);
    for (unsigned i = 0; i < 8; i++) {
        char place[40];
        snprintf(place, sizeof place, "instruction %u, vertex 0:", i);
        assert_non_null(strstr(rig->texts[i], place));
        assert_non_null(strstr(rig->texts[i], "(64 times)"));
    }
    assert_string_equal(rig->texts[8], "further findings of this kind are not shown");
    release(rig);
}

TEST(test_no_findings)
{
    struct rig *rig = calloc(1, sizeof *rig);
    assert_non_null(rig);
    rig->options.machine.sanitize = TESS_SANITIZE_OFF;
    fill(rig);
    rig_load(rig, some_unset);
    assert_int_equal(rig_run(rig, 0, 310), TESS_OK);
    assert_int_equal(rig->findings, 0);
    release(rig);
}

/* The program never ends for vertex 200. All earlier vertices must have run. The result must not
 * depend on the number of threads. */
TEST(test_runaway)
{
    static const char source[] =
        ".constant bad, 800\n"
        "    load.attr 0; load.unif bad; acc0.ge attr.x, unif.x; acc1.ge unif.x, attr.x\n"
        "    acc0.min acc0[-1], acc1[-1]\n"
        "    acc0.mov acc0[-1]; store0.reg 0, acc0, _\n"
        "again:\n"
        "    nop\n"
        "    nop\n"
        "    load.reg0 0; pass.mov reg0.x; branch again\n"
        "    load.attr 0; acc0.mov attr.x; store0.varying 0, acc0, acc0\n"
        "    ; store1.varying 0, acc0, acc0\n";
    for (unsigned threads = 1; threads <= 8; threads *= 2) {
        struct rig *rig = calloc(1, sizeof *rig);
        assert_non_null(rig);
        rig->options.machine.threads = threads;
        rig->options.machine.max_instructions = 1000;
        fill(rig);
        rig_load(rig, source);
        assert_int_equal(rig_run(rig, 0, 512), TESS_WRONG);
        assert_int_equal(rig->findings, 1);
        assert_string_equal(rig->rules[0], "gp-runaway");
        assert_non_null(strstr(rig->texts[0], "vertex 200: the loop from instruction"));
        assert_float_equal(rig->out[199][0], 199 * 4, 0);
        release(rig);
    }
}

TEST(test_table)
{
    assert_true(FAULT_RULES > 30);
    for (size_t i = 0; i < FAULT_RULES; i++) {
        const struct tess_rule *finding = tess_rule_get(RULE_GP_FIRST + i);
        assert_ptr_equal(tess_rule_find(finding->id, TESS_RULES_OF_RUNS), finding);
        assert_int_equal(finding->of, TESS_RULE_GP);
        assert_memory_equal(finding->id, "gp-", 3);
    }
}
