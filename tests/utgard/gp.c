/* SPDX-License-Identifier: MIT */
/* gp.c - programs run over vertices: when values are visible, what units compute, where results go.
 *
 * Expected values are calculated by hand from the digest utgard.md (sections named at each test). */
#include "rig.h"

/* Runs a program for one vertex (1, 2, 3, 4); its varying 0. */
static void run_one(struct rig *rig, const char *source)
{
    const float in[4] = {1, 2, 3, 4};
    rig->options.no_findings = true;
    rig_load(rig, source);
    memcpy(rig->in[0], in, sizeof in);
    assert_int_equal(rig_run(rig, 0, 1), TESS_OK);
    rig_free(rig);
}

#define RUN(source)                \
    struct rig rig = {0};          \
    run_one(&rig, source);         \
    const float *out = rig.out[0]; \
    (void)out

#define IS(component, value) assert_float_equal(out[component], value, 0)

static void test_passthrough(void **state)
{
    (void)state;
    RUN("load.attr 0; acc0.mov attr.x; acc1.mov attr.y; mul0.mov attr.z; mul1.mov attr.w"
        "; store0.varying 0, acc0, acc1; store1.varying 0, mul0, mul1\n");
    IS(0, 1), IS(1, 2), IS(2, 3), IS(3, 4);
}

/* Section 6: results are visible one and two instructions back. */
static void test_results(void **state)
{
    (void)state;
    RUN("load.attr 0; acc0.mov attr.x; mul0.mul attr.y, attr.z; pass.mov attr.w\n"
        "load.attr 0; acc0.add acc0[-1], attr.x; mul0.mov mul0[-1]; pass.mov pass[-1]; "
        "store0.varying 0, acc0, mul0\n"
        "acc0.mov acc0[-2]; pass.mov pass[-2]; store1.varying 0, acc0, pass\n");
    IS(0, 2), IS(1, 6), IS(2, 1), IS(3, 4);
}

/* Section 3: load unit 0 of the instruction before. */
static void test_load_before(void **state)
{
    (void)state;
    RUN("load.attr 0\n"
        "acc0.mov attr[-1].y; acc1.mov attr[-1].w; store0.varying 0, acc0, acc1\n");
    IS(0, 2), IS(1, 4);
}

/* Section 6: a register load sees a store 3 instructions earlier. */
static void test_register_latency(void **state)
{
    (void)state;
    RUN("load.attr 0; acc0.mov attr.x; store0.reg 2, acc0, _\n"
        "nop\nnop\n"
        "load.attr 0; acc0.mov attr.y; store0.reg 2, acc0, _\n"
        "load.reg0 2; acc0.mov reg0.x; store0.varying 0, acc0, _\n"
        "load.reg1 2; acc0.mov reg1.x; store0.varying 0, _, acc0\n"
        "load.reg0 2; acc0.mov reg0.x; store1.varying 0, acc0, _\n"
        "load.reg0 2; acc0.mov reg0.x; store1.varying 0, _, acc0\n");
    IS(0, 1), IS(1, 1), IS(2, 2), IS(3, 2);
}

/* Section 6: a temporary takes 4; address register 0 is there at once. */
static void test_temporary_latency(void **state)
{
    (void)state;
    RUN(".temporary heap, 1, 9\n.constant nine, 9\n"
        "load.attr 0; load.unif nine; acc0.mov attr.x; complex.addr0 unif.x; store0.temp acc0, _\n"
        "nop\nnop\nnop\n"
        "load.attr 0; acc0.mov attr.y; store0.temp acc0, _\n"
        "nop\nnop\n"
        "load.unif heap; acc0.mov unif.x; store0.varying 0, acc0, _\n"
        "load.unif heap; acc0.mov unif.x; store0.varying 0, _, acc0\n"
        "load.unif heap; acc0.mov unif.x; store1.varying 0, acc0, _\n");
    IS(0, 1), IS(1, 2), IS(2, 2);
}

/* Section 9: the four steps make the function; readable two instructions after complex1. */
static void test_rcp(void **state)
{
    (void)state;
    RUN("load.attr 0; complex.rcp attr.w; mul0.complex2 attr.w, attr.w; mul1.mov attr.w\n"
        "mul0.complex1 complex[-1], mul0[-1], complex[-1], mul1[-1]\n"
        "nop\n"
        "acc0.mov mul0[-2]; store0.varying 0, acc0, _\n");
    IS(0, 0.25f);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_passthrough),       cmocka_unit_test(test_results),
        cmocka_unit_test(test_load_before),       cmocka_unit_test(test_register_latency),
        cmocka_unit_test(test_temporary_latency), cmocka_unit_test(test_rcp),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
