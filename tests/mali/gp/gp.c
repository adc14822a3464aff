/* SPDX-License-Identifier: MIT */
/* gp.c - tests programs that run over vertices: latencies, results of units, destinations.
 *
 * Expected values were calculated by hand from docs/hardware/utgard.md. Each test names the
 * section. */
#include "../../register.h"
#include "base/bits.h"
#include "rig.h"

/* Runs a program for the single vertex (1, 2, 3, 4). The result is varying 0. */
static void run_one(struct rig *rig, const char *source)
{
    const float in[4] = {1, 2, 3, 4};
    rig->options.machine.sanitize = TESS_SANITIZE_OFF;
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

TEST(test_passthrough)
{
    RUN("load.attr 0; acc0.mov attr.x; acc1.mov attr.y; mul0.mov attr.z; mul1.mov attr.w"
        "; store0.varying 0, acc0, acc1; store1.varying 0, mul0, mul1\n");
    IS(0, 1), IS(1, 2), IS(2, 3), IS(3, 4);
}

/* Section 6: a unit's result can be read one and two instructions later. */
TEST(test_results)
{
    RUN("load.attr 0; acc0.mov attr.x; mul0.mul attr.y, attr.z; pass.mov attr.w\n"
        "load.attr 0; acc0.add acc0[-1], attr.x; mul0.mov mul0[-1]; pass.mov pass[-1]; "
        "store0.varying 0, acc0, mul0\n"
        "acc0.mov acc0[-2]; pass.mov pass[-2]; store1.varying 0, acc0, pass\n");
    IS(0, 2), IS(1, 6), IS(2, 1), IS(3, 4);
}

/* Section 3: an instruction can read load unit 0 of the previous instruction. */
TEST(test_load_before)
{
    RUN("load.attr 0\n"
        "acc0.mov attr[-1].y; acc1.mov attr[-1].w; store0.varying 0, acc0, acc1\n");
    IS(0, 2), IS(1, 4);
}

/* --- latencies: read one instruction too early, just in time, and one later --- */

/* Section 6: a register store is visible to a load of either load unit 3 instructions later. */
TEST(test_register_latency)
{
    RUN("load.attr 0; acc0.mov attr.x; store0.reg 2, acc0, _\n"
        "nop\nnop\n"
        "load.attr 0; acc0.mov attr.y; store0.reg 2, acc0, _\n"
        "load.reg0 2; acc0.mov reg0.x; store0.varying 0, acc0, _\n"
        "load.reg1 2; acc0.mov reg1.x; store0.varying 0, _, acc0\n"
        "load.reg0 2; acc0.mov reg0.x; store1.varying 0, acc0, _\n"
        "load.reg1 2; acc0.mov reg1.x; store1.varying 0, _, acc0\n");
    IS(0, 1), IS(1, 1), IS(2, 2), IS(3, 2);
}

/* Like test_register_latency(), but no read is too early. In such a program, the model may store
 * without a delay. */
TEST(test_register_in_time)
{
    RUN("load.attr 0; acc0.mov attr.x; acc1.mov attr.y; mul0.mov attr.z; mul1.mov attr.w"
        "; store0.reg 5, acc0, acc1; store1.reg 6, mul0, mul1\n"
        "nop\nnop\n"
        "load.reg0 5; load.reg1 6; acc0.mov reg0.x; acc1.mov reg0.y; mul0.mov reg1.z; mul1.mov "
        "reg1.w"
        "; store0.varying 0, acc0, acc1; store1.varying 0, mul0, mul1\n");
    IS(0, 1), IS(1, 2), IS(2, 3), IS(3, 4);
}

/* A value in load unit 0 does not change, even if the register changes after the load. */
TEST(test_register_kept)
{
    RUN("load.attr 0; acc0.mov attr.x; store0.reg 2, acc0, _\n"
        "nop\nnop\n"
        "load.attr 0; acc0.mov attr.y; store0.reg 2, acc0, _\n"
        "nop\n"
        "load.reg0 2\n"
        "acc0.mov reg0[-1].x; store0.varying 0, acc0, _\n"
        "load.reg0 2; acc0.mov reg0.x; store0.varying 0, _, acc0\n");
    IS(0, 1), IS(1, 2);
}

/* Section 6: a temporary store is visible 4 instructions later. With address register 0 there is
 * no delay. */
TEST(test_temporary_latency)
{
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

/* Row n contains {10 + n, n}. Address registers select a row. */
#define ROWS ".constant row0, 10, 0\n.constant row1, 11, 1\n.constant row2, 12, 2\n"

/* Section 6: a new value of address registers 1 to 3 is visible 4 instructions later. */
TEST(test_address_latency)
{
    RUN(ROWS "load.unif row1; complex.addr1 unif.y\n"
             "nop\nnop\nnop\n"
             "load.unif row2; complex.addr1 unif.y\n"
             "nop\nnop\n"
             "load.unif row0, addr1; acc0.mov unif.x; store0.varying 0, acc0, _\n"
             "load.unif row0, addr1; acc0.mov unif.x; store0.varying 0, _, acc0\n"
             "load.unif row0, addr1; acc0.mov unif.x; store1.varying 0, acc0, _\n");
    IS(0, 11), IS(1, 12), IS(2, 12);
}

/* Section 4.4: address registers 1 to 3 are separate. A load adds one of them to its row. */
TEST(test_address_registers)
{
    RUN(ROWS "load.unif row0; complex.addr1 unif.y\n"
             "load.unif row1; complex.addr2 unif.y\n"
             "load.unif row2; complex.addr3 unif.y\n"
             "nop\nnop\nnop\n"
             "load.unif row0, addr1; acc0.mov unif.x; store0.varying 0, acc0, _\n"
             "load.unif row0, addr2; acc0.mov unif.x; store0.varying 0, _, acc0\n"
             "load.unif row0, addr3; acc0.mov unif.x; store1.varying 0, acc0, _\n"
             "load.unif row1, addr2; acc0.mov unif.x; store1.varying 0, _, acc0\n");
    IS(0, 10), IS(1, 11), IS(2, 12), IS(3, 12);
}

/* Section 4.4, operation 10: the pass unit's value sets address register 0 at once, and address
 * register 1 four instructions later. */
TEST(test_address_from_pass)
{
    RUN(ROWS
        "load.unif row1; pass.mov unif.y; complex.addr01; acc0.mov unif.x; store0.temp acc0, acc0\n"
        "nop\nnop\n"
        "load.unif row0, addr1; acc0.mov unif.x; store0.varying 0, acc0, _\n"
        "load.unif row0, addr1; acc0.mov unif.y; store0.varying 0, _, acc0\n");
    IS(0, 10), IS(1, 11); /* row 1 now contains (11, 11) */
}

/* Section 23: an address is rounded toward minus infinity. Row numbers wrap. */
TEST(test_address_rounding)
{
    RUN(".constant numbers, -0.5, 1.75, 513, -511\n.constant more, 7\n"
        "load.unif numbers; complex.addr1 unif.x\n"
        "load.unif numbers; complex.addr2 unif.y\n"
        "load.unif numbers; complex.addr3 unif.z\n"
        "nop\nnop\nnop\n"
        "load.unif more, addr1; acc0.mov unif.x; store0.varying 0, acc0, _\n"
        "load.unif numbers, addr2; acc0.mov unif.x; store0.varying 0, _, acc0\n"
        "load.unif numbers, addr3; acc0.mov unif.x; store1.varying 0, acc0, _\n"
        "load.unif numbers; complex.addr1 unif.w\n"
        "nop\nnop\nnop\n"
        "load.unif numbers, addr1; acc0.mov unif.x; store1.varying 0, _, acc0\n");
    IS(0, -0.5f), IS(1, 7), IS(2, 7), IS(3, 7);
}

/* Section 9: four steps compute the function. The result of complex1 can be read exactly two
 * instructions later. */
TEST(test_complex1_latency)
{
    RUN("load.attr 0; mul0.mov attr.z\n"
        "load.attr 0; complex.rcp attr.w; mul0.complex2 attr.w, attr.w; mul1.mov attr.w\n"
        "mul0.complex1 complex[-1], mul0[-1], complex[-1], mul1[-1]\n"
        "acc0.mov mul0[-1]; store0.varying 0, acc0, _\n"
        "acc0.mov mul0[-2]; store0.varying 0, _, acc0\n"
        "acc0.mov mul0[-2]; store1.varying 0, acc0, _\n");
    IS(0, 16), IS(1, 0.25f), IS(2, 16); /* mul0 still contains 16, from complex2 */
}

/* Section 6: results of the complex unit can be read one instruction later, and results of
 * select and clamp one or two later. */
TEST(test_other_latencies)
{
    RUN(".constant bounds, 2, 3\n"
        "load.attr 0; load.unif bounds; complex.mov attr.w; mul0.select attr.x, attr.y, attr.z; "
        "pass.clamp attr.w\n"
        "acc0.mov complex[-1]; mul0.mov mul0[-1]; pass.mov pass[-1]; store0.varying 0, acc0, mul0\n"
        "pass.mov pass[-2]; store1.varying 0, pass, pass\n");
    IS(0, 4), IS(1, 2), IS(2, 3);
}

/* --- branches --- */

/* Section 10: a branch is taken if the condition is not 0. There is no delay slot. */
TEST(test_branch)
{
    RUN(".constant numbers, 1, 0, -0.0\n"
        "load.unif numbers; pass.mov unif.y; branch over; acc0.mov unif.x; store0.varying 0, acc0, "
        "_\n"
        "load.unif numbers; pass.mov unif.z; branch over; acc0.mov unif.x; store0.varying 0, _, "
        "acc0\n"
        "load.unif numbers; pass.mov unif.x; branch over; acc0.mov unif.x; store1.varying 0, acc0, "
        "_\n"
        "load.unif numbers; acc0.mov unif.x; store1.varying 0, _, acc0\n"
        "over:\n"
        "nop\n");
    IS(0, 1), IS(1, 1), IS(2, 1), IS(3, 0);
}

/* Section 6: a taken branch completes all pending stores. A branch that is not taken does not. */
TEST(test_drain)
{
    RUN(".constant numbers, 1, 0\n"
        "load.attr 0; load.unif numbers; acc0.mov attr.y; store0.reg 0, acc0, acc0; pass.mov "
        "unif.x; branch there\n"
        "there:\n"
        "load.attr 0; load.reg1 0; acc0.mov attr.z; acc1.mov reg1.x; store0.varying 0, acc1, _\n"
        "load.attr 0; load.unif numbers; acc0.mov attr.w; store0.reg 0, acc0, _; pass.mov unif.y; "
        "branch there\n"
        "load.reg0 0; acc0.mov reg0.x; store0.varying 0, _, acc0\n"
        "nop\n"
        "load.reg0 0; acc0.mov reg0.x; store1.varying 0, acc0, _\n");
    IS(0, 2), IS(1, 2), IS(2, 4);
}

/* Pending temporaries and addresses are completed in the order of the stores. */
TEST(test_drain_temporaries)
{
    RUN(".temporary heap, 1, 0\n.constant numbers, 1, 0\n"
        "load.attr 0; load.unif numbers; complex.addr0 unif.y; acc0.mov attr.x; store0.temp acc0, "
        "acc0\n"
        "load.attr 0; load.unif numbers; complex.addr0 unif.y; acc0.mov attr.y; store0.temp acc0, "
        "_\n"
        "load.unif numbers; pass.mov unif.x; branch there\n"
        "nop\n"
        "there:\n"
        "load.temp heap; acc0.mov temp.x; acc1.mov temp.y; store0.varying 0, acc0, acc1\n");
    IS(0, 2), IS(1, 1);
}

/* --- units --- */

enum { INF = 0x7f800000, NONE = 0x7fc00000 };
#define F(value) float_bits(value)

/* An operation. Operands and result are the bits of floats. */
struct operation {
    const char *text;
    uint32_t a, b, c, wanted;
    struct tess_gp_choices choices;
};

static void check_operation(const struct operation *operation)
{
    struct rig rig = {
        .options = {.machine.sanitize = TESS_SANITIZE_OFF, .choices = operation->choices}};
    char source[400];
    snprintf(source, sizeof source,
             ".uniform clamped, 1, 0\nload.attr 0; load.unif clamped; %s\n"
             "    ; store0.varying 0, acc0, mul0; store1.varying 0, pass, complex\n",
             operation->text);
    rig_load(&rig, source);
    const float bounds[4] = {bits_float(operation->b), bits_float(operation->c), 0, 0};
    tess_gp_set_rows(rig.gp, 0, bounds, 1);
    const uint32_t in[3] = {operation->a, operation->b, operation->c};
    memcpy(rig.in[0], in, sizeof in);
    assert_int_equal(rig_run(&rig, 0, 1), TESS_OK);
    unsigned component = operation->text[0] == 'a'   ? 0
                         : operation->text[0] == 'm' ? 1
                         : operation->text[0] == 'p' ? 2
                                                     : 3;
    uint32_t got;
    memcpy(&got, &rig.out[0][component], sizeof got);
    if (got != operation->wanted)
        fail_msg("%s of %08x, %08x, %08x is %08x, not %08x", operation->text, operation->a,
                 operation->b, operation->c, got, operation->wanted);
    rig_free(&rig);
}

TEST(test_operations)
{
    const uint32_t minus = 0x80000000;
    const struct operation operations[] = {
        /* clang-format off */
        /* clang-format off */
        {"acc0.add attr.x, attr.y",            F(1.5f),     F(2),        0,    F(3.5f),     {0}},
        {"acc0.add attr.x, -attr.y",           F(1.5f),     F(2),        0,    F(-0.5f),    {0}},
        {"acc0.add -attr.x, -attr.y",          F(1.5f),     F(2),        0,    F(-3.5f),    {0}},
        /* 2^24 + 1 is rounded to even */
        {"acc0.add attr.x, attr.y",            0x4b800000,  F(1),        0,    0x4b800000,  {0}},
        /* 2^24 + 2 + 1 is rounded to even */
        {"acc0.add attr.x, attr.y",            0x4b800001,  F(1),        0,    0x4b800002,  {0}},
        {"acc0.add attr.x, attr.y",            INF,         minus | INF, 0,    NONE,        {0}},
        /* section 4.1: a move keeps -0 */
        {"acc0.mov attr.x",                    minus,       0,           0,    minus,       {0}},
        /* -0 + 0 is 0 */
        {"acc0.add attr.x, ident",             minus,       0,           0,    0,           {0}},
        {"acc0.mov -attr.x",                   F(4),        0,           0,    F(-4),       {0}},
        {"acc0.mov attr.x",                    0xffc12345,  0,           0,    NONE,        {0}},
        {"acc0.floor attr.x",                  F(1.75f),    0,           0,    F(1),        {0}},
        {"acc0.floor attr.x",                  F(-1.25f),   0,           0,    F(-2),       {0}},
        {"acc0.floor attr.x",                  F(-3),       0,           0,    F(-3),       {0}},
        {"acc0.floor attr.x",                  minus,       0,           0,    minus,       {0}},
        {"acc0.floor -attr.x",                 F(0.5f),     0,           0,    F(-1),       {0}},
        {"acc0.floor attr.x",                  0xcb7fffff,  0,           0,    0xcb7fffff,  {0}},
        /* floor(1e30) */
        {"acc0.floor attr.x",                  0x7149f2ca,  0,           0,    0x7149f2ca,  {0}},
        {"acc0.floor attr.x",                  minus | INF, 0,           0,    minus | INF, {0}},
        {"acc0.sign attr.x",                   F(5),        0,           0,    F(1),        {0}},
        {"acc0.sign attr.x",                   F(-5),       0,           0,    F(-1),       {0}},
        {"acc0.sign attr.x",                   minus,       0,           0,    0,           {0}},
        {"acc0.sign attr.x",                   NONE,        0,           0,    0,           {0}},
        {"acc0.ge attr.x, attr.y",             F(2),        F(2),        0,    F(1),        {0}},
        {"acc0.ge attr.x, attr.y",             F(1),        F(2),        0,    0,           {0}},
        {"acc0.ge attr.x, attr.y",             NONE,        F(2),        0,    0,           {0}},
        {"acc0.ge attr.x, attr.y",             minus,       0,           0,    F(1),        {0}},
        {"acc0.lt attr.x, attr.y",             F(1),        F(2),        0,    F(1),        {0}},
        {"acc0.lt attr.x, attr.y",             F(2),        F(2),        0,    0,           {0}},
        {"acc0.lt attr.x, attr.y",             NONE,        F(2),        0,    0,           {0}},
        {"acc0.min attr.x, attr.y",            F(1),        F(-2),       0,    F(-2),       {0}},
        {"acc0.max attr.x, attr.y",            F(1),        F(-2),       0,    F(1),        {0}},
        /* computes the absolute value */
        {"acc0.max attr.x, -attr.x",           F(-7),       0,           0,    F(7),        {0}},
        {"acc0.max attr.x, -attr.x",           minus,       0,           0,    0,           {0}},
        {"acc0.min attr.x, attr.y",            0,           minus,       0,    minus,       {0}},
        {"acc0.min attr.x, attr.y",            NONE,        F(2),        0,    F(2),        {0}},
        {"acc0.max attr.x, attr.y",            F(2),        NONE,        0,    F(2),        {0}},
        {"acc0.max attr.x, attr.y",            F(2),        NONE,        0,    NONE,
         {.nan_wins = true}},
        {"acc0.min attr.x, attr.y",            NONE,        F(2),        0,    NONE,
         {.nan_wins = true}},
        {"acc0.min attr.x, attr.y",            NONE,        NONE,        0,    NONE,        {0}},
        {"mul0.mul attr.x, attr.y",            F(3),        F(-2),       0,    F(-6),       {0}},
        {"mul0.mul -attr.x, attr.y",           F(3),        F(-2),       0,    F(6),        {0}},
        {"mul0.mul -attr.x, -attr.y",          F(3),        F(-2),       0,    F(-6),       {0}},
        {"mul0.mov -attr.x",                   F(3),        0,           0,    F(-3),       {0}},
        /* the product is 1 + 2^-22 + 2^-46 */
        {"mul0.mul attr.x, attr.y",            0x3f800001,  0x3f800001,  0,    0x3f800002,  {0}},
        {"mul0.mul attr.x, attr.y",            0,           INF,         0,    NONE,        {0}},
        {"mul0.mul attr.x, attr.y",            minus,       INF,         0,    minus,
         {.zero_times_inf_is_zero = true}},
        {"mul0.mul attr.x, attr.y",            0,           NONE,        0,    NONE,
         {.zero_times_inf_is_zero = true}},
        /* the result 2^-127 is flushed to 0 */
        {"mul0.mul attr.x, attr.y",            0x00800000,  F(0.5f),     0,    0,           {0}},
        {"mul0.mul attr.x, attr.y",            0x80800000,  F(0.5f),     0,    minus,       {0}},
        {"mul0.mul attr.x, attr.y",            0x00800000,  F(0.5f),     0,    0x00400000,
         {.keep_denormals = true}},
        /* the denormal operand is flushed to 0 */
        {"mul0.mul attr.x, attr.y",            0x00400000,  F(4),        0,    0,           {0}},
        {"mul0.mul attr.x, attr.y",            0x00400000,  F(4),        0,    0x01000000,
         {.keep_denormals = true}},
        {"mul0.mul attr.x, attr.y",            0x7f000000,  F(4),        0,    INF,         {0}},
        /* docs/hardware/utgard.md, section 12, item 1 */
        {"mul0.select attr.x, attr.y, attr.z", F(1),        F(2),        F(3), F(2),        {0}},
        {"mul0.select attr.x, attr.y, attr.z", 0,           F(2),        F(3), F(3),        {0}},
        {"mul0.select attr.x, attr.y, attr.z", minus,       F(2),        F(3), F(3),        {0}},
        {"mul0.select attr.x, attr.y, attr.z", NONE,        F(2),        F(3), F(2),        {0}},
        {"mul0.complex2 attr.x, attr.x",       F(3),        0,           0,    F(9),        {0}},
        {"pass.mov attr.x",                    F(3),        0,           0,    F(3),        {0}},
        /* docs/hardware/utgard.md, section 12, item 2 */
        {"pass.clamp attr.x",                  F(5),        F(-1),       F(2), F(2),        {0}},
        {"pass.clamp attr.x",                  F(-5),       F(-1),       F(2), F(-1),       {0}},
        {"pass.clamp attr.x",                  F(0.5f),     F(-1),       F(2), F(0.5f),     {0}},
        {"pass.clamp attr.x",                  F(0.5f),     F(3),        F(2), F(2),        {0}},
        {"pass.clamp attr.x",                  NONE,        F(-1),       F(2), F(-1),       {0}},
        /* result 128 * 2^23 */
        {"pass.preexp2 attr.x",                F(1),        0,           0,    0x40000000,  {0}},
        {"pass.postlog2 attr.x",               0x40400000,  0,           0,    F(1.5f),     {0}},
        {"complex.mov attr.x",                 F(3),        0,           0,    F(3),        {0}},
        {"complex.rcp attr.x",                 F(8),        0,           0,    F(0.125f),   {0}},
        {"complex.rsqrt attr.x",               F(16),       0,           0,    F(0.25f),    {0}},
        /* result 130 * 2^23 */
        {"complex.log2 attr.x",                F(8),        0,           0,    0x41000000,  {0}},
        {"complex.exp2 attr.x",                0x41000000,  0,           0,    F(8),        {0}},
        {"acc0.add attr.x, attr.y; field.acc_op 3", F(1),        F(2),        0,    0,
         {0}},
        {"mul0.mul attr.x, attr.y; field.mul_op 6", F(1),        F(2),        0,    0,
         {0}},
        {"pass.mov attr.x; field.pass_op 7",   F(1),        F(2),        0,    0,           {0}},
        {"complex.mov attr.x; field.complex_op 11", F(1),        F(2),        0,    0,
         {0}},
        {"acc0.add attr.x, src(9)",            F(1),        F(2),        0,    F(1),        {0}},
        {"acc0.add attr.x, unused",            F(1),        F(2),        0,    F(1),        {0}},
        /* clang-format on */
        /* clang-format on */
    };
    for (size_t i = 0; i < sizeof operations / sizeof operations[0]; i++)
        check_operation(&operations[i]);
}

/* Section 9: log2 and exp2 by the sequences of instructions that compilers write. */
TEST(test_functions)
{
    RUN("load.attr 0; complex.log2 attr.w; mul0.complex2 attr.w, attr.w; mul1.mov attr.w; "
        "pass.preexp2 attr.z\n"
        "mul0.complex1 complex[-1], mul0[-1], complex[-1], mul1[-1]; pass.mov pass[-1]\n"
        "nop\n"
        "pass.postlog2 mul0[-2]; store0.varying 0, pass, _\n"
        "load.attr 0; pass.preexp2 attr.z\n"
        "complex.exp2 pass[-1]; mul0.complex2 pass[-1], pass[-1]; mul1.mov pass[-1]\n"
        "mul0.complex1 complex[-1], mul0[-1], complex[-1], mul1[-1]\n"
        "nop\n"
        "acc0.mov mul0[-2]; store0.varying 0, _, acc0\n");
    IS(0, 2), IS(1, 8);
}

/* --- stores --- */

/* Section 7: each half of a store unit has its own number and kind. Components that are not
 * stored do not change. */
TEST(test_stores)
{
    struct rig rig = {.options = {.machine.sanitize = TESS_SANITIZE_OFF}};
    rig_load(&rig, "load.attr 0; acc0.mov attr.x; acc1.mov attr.y; store0.varying 0, _, acc0; "
                   "store1.varying 3, acc1, _\n"
                   "load.attr 0; acc0.mov attr.z; store0.varying 0, _, acc0\n");
    static uint16_t halves[2][4];
    rig.varyings[3] = (struct tess_gp_varying){.data = halves,
                                               .size = sizeof halves,
                                               .stride = 8,
                                               .format = TESS_GP_OUT_F16,
                                               .components = 4};
    const float in[4] = {1, 2, 3, 4};
    memcpy(rig.in[1], in, sizeof in);
    memset(rig.out, 0x55, sizeof rig.out);
    memset(halves, 0x55, sizeof halves);
    assert_int_equal(rig_run(&rig, 1, 1), TESS_OK);
    assert_int_equal(float_bits(rig.out[1][0]), 0x55555555);
    assert_float_equal(rig.out[1][1], 3, 0); /* the last of several stores wins */
    assert_int_equal(float_bits(rig.out[0][1]), 0x55555555);
    assert_int_equal(halves[1][2], 0x4000);
    assert_int_equal(halves[1][1], 0x5555);
    assert_int_equal(halves[0][2], 0x5555);
    rig_free(&rig);
}

/* Section 8: each vertex starts with the original uniforms, whatever another vertex has stored. */
TEST(test_temporaries_are_private)
{
    struct rig rig = {.options = {.machine.sanitize = TESS_SANITIZE_OFF, .machine.threads = 1}};
    rig_load(&rig,
             ".constant numbers, 5, 0\n"
             "load.unif numbers; acc0.mov unif.x; store0.varying 0, acc0, _; mul0.mov unif.y\n"
             "load.attr 0; mul0.mov mul0[-1]; complex.addr0 mul0[-1]; acc0.mov attr.x; store0.temp "
             "acc0, _\n"
             "nop\nnop\nnop\n"
             "load.unif numbers; acc0.mov unif.x; store0.varying 0, _, acc0\n");
    for (unsigned v = 0; v < 100; v++)
        rig.in[v][0] = (float)(1000 + v);
    assert_int_equal(rig_run(&rig, 0, 100), TESS_OK);
    for (unsigned v = 0; v < 100; v++) {
        assert_float_equal(rig.out[v][0], 5, 0);
        assert_float_equal(rig.out[v][1], (float)(1000 + v), 0);
    }
    assert_float_equal(tess_gp_row(rig.gp, 0)[0], 5, 0);
    rig_free(&rig);
}

/* --- vertices on different paths --- */

/* The program doubles x y times for each vertex. For vertices with z = 1, it first negates x, on
 * a separate path. */
static const char ways[] =
    ".constant numbers, 1, 0.5, 2, 0\n"
    "    load.attr 0; load.unif numbers; acc0.mov attr.x; acc1.mov attr.y; store0.reg 0, acc0, "
    "acc1\n"
    "    load.attr 0; pass.mov attr.z; branch odd\n"
    "    nop\n"
    "again:\n"
    "    load.reg0 0; load.unif numbers; acc0.add reg0.y, -unif.x; mul0.mul reg0.x, unif.z\n"
    "    ; store0.reg 0, mul0, acc0\n"
    "    load.unif numbers; acc0.lt unif.w, acc0[-1]\n"
    "    pass.mov acc0[-1]; branch again\n"
    "    load.reg0 0; acc0.mov reg0.x; acc1.mov reg0.y; store0.varying 0, acc0, acc1\n"
    "    load.unif numbers; pass.mov unif.x; branch done\n"
    "odd:\n"
    "    load.reg0 0; acc0.mov -reg0.x; acc1.mov reg0.y; store0.reg 0, acc0, acc1\n"
    "    load.unif numbers; pass.mov unif.x; branch again\n"
    "done:\n"
    "    load.attr 0; acc0.mov attr.w; store1.varying 0, acc0, acc0\n";

TEST(test_ways)
{
    for (unsigned threads = 1; threads <= 8; threads++) {
        struct rig rig = {.options = {.machine.threads = threads}};
        uint64_t instructions = 0;
        rig_load(&rig, ways);
        for (unsigned v = 0; v < RIG_VERTICES; v++) {
            const float in[4] = {(float)v, (float)(1 + v * 7 % 20), (float)(v * 5 % 3 == 1),
                                 (float)(v + 1)};
            memcpy(rig.in[v], in, sizeof in);
        }
        assert_int_equal(rig_run(&rig, 0, RIG_VERTICES), TESS_OK);
        for (unsigned v = 0; v < RIG_VERTICES; v++) {
            unsigned times = 1 + v * 7 % 20;
            bool odd = v * 5 % 3 == 1;
            assert_float_equal(rig.out[v][0],
                               (odd ? -1.0f : 1.0f) * (float)v * (float)(1u << times), 0);
            assert_float_equal(rig.out[v][1], 0, 0);
            assert_float_equal(rig.out[v][2], (float)(v + 1), 0);
            instructions += 2u + (odd ? 2u : 1u) + 3 * times + 3;
        }
        struct tess_gp_stats stats;
        tess_gp_get_stats(rig.gp, &stats);
        assert_int_equal(stats.instructions, instructions);
        assert_int_equal(stats.vertices, RIG_VERTICES);
        assert_int_equal(rig.findings, 0);
        rig_free(&rig);
    }
}

/* Runs with many chunks and several threads must give the same bytes. */
TEST(test_threads)
{
    enum { MANY = 50000 };
    static float in[MANY][4], out[5][MANY][4];
    const unsigned threads[] = {1, 2, 3, 4, 8};
    for (unsigned i = 0; i < MANY * 4; i++)
        in[i / 4][i % 4] = i % 4 == 1   ? (float)(1 + i / 7 % 30)
                           : i % 4 == 2 ? (float)(i / 11 % 2)
                                        : (float)(i % 1000) / 7;
    for (unsigned t = 0; t < 5; t++) {
        struct rig rig = {.options = {.machine.threads = threads[t]}};
        rig_load(&rig, ways);
        rig.attributes[0].data = in;
        rig.attributes[0].size = sizeof in;
        rig.varyings[0].data = out[t];
        rig.varyings[0].size = sizeof out[t];
        assert_int_equal(rig_run(&rig, 0, MANY), TESS_OK);
        assert_memory_equal(out[t], out[0], sizeof out[0]);
        rig_free(&rig);
    }
}

/* --- the API --- */

TEST(test_errors)
{
    struct rig rig = {.options = {.machine.sanitize = TESS_SANITIZE_OFF}};
    struct tess_gp *none;
    struct tess_gp_batch batch = {0};
    assert_int_equal(tess_gp_create(&none, NULL), TESS_OK);
    assert_int_equal(tess_gp_run(none, &batch), TESS_INVALID); /* no program is loaded */
    assert_int_equal(tess_gp_load(none, NULL), TESS_INVALID);
    tess_gp_destroy(none);
    assert_int_equal(tess_gp_create(NULL, NULL), TESS_INVALID);
    tess_gp_destroy(NULL);
    rig_load(&rig, "nop\n");
    assert_int_equal(tess_gp_set_rows(rig.gp, 511, rig.in[0], 2), TESS_INVALID);
    assert_int_equal(tess_gp_set_rows(rig.gp, UINT32_MAX, rig.in[0], 2), TESS_INVALID);
    assert_int_equal(tess_gp_set_rows(rig.gp, 511, rig.in[0], 1), TESS_OK);
    assert_null(tess_gp_row(rig.gp, 512));
    assert_int_equal(rig_run(&rig, SIZE_MAX, 2), TESS_INVALID);
    assert_int_equal(rig_run(&rig, 0, 0), TESS_OK);
    rig.attributes[0].components = 5;
    assert_int_equal(rig_run(&rig, 0, 1), TESS_INVALID);
    rig.attributes[0].components = 4;
    rig.attributes[0].format = (enum tess_gp_format)0x0c;
    assert_int_equal(rig_run(&rig, 0, 1), TESS_INVALID);
    rig.attributes[0].format = TESS_GP_F32;
    rig.varyings[0].components = 0;
    assert_int_equal(rig_run(&rig, 0, 1), TESS_INVALID);
    rig_free(&rig);
}

struct seen {
    unsigned steps;
    struct tess_gp_step step[8];
    float register0[8][4];
};

static bool look(void *user, const struct tess_gp_step *step)
{
    struct seen *seen = user;
    assert_true(seen->steps < 8);
    seen->step[seen->steps] = *step;
    memcpy(seen->register0[seen->steps++], step->registers[0], sizeof seen->register0[0]);
    return true;
}

/* A traced run does not use the model's short cuts. In the trace, a register changes in the step
 * in which a load first returns the new value. */
TEST(test_trace)
{
    struct rig rig = {0};
    struct seen seen = {0};
    const float in[4] = {1, 2, 3, 4};
    rig_load(&rig,
             ".constant numbers, 7, 0\n"
             "load.attr 0; acc0.mov attr.w; mul0.mul attr.y, attr.z; store0.reg 0, acc0, mul0\n"
             "load.unif numbers; pass.mov unif.x; complex.rcp unif.x; mul0.complex2 unif.x, "
             "unif.x; mul1.mov unif.x\n"
             "mul0.complex1 complex[-1], mul0[-1], complex[-1], mul1[-1]\n"
             "load.reg1 0; acc0.mov reg1.x; acc1.mov reg1.y; store0.varying 0, acc0, acc1\n"
             "load.unif numbers; acc0.mov mul0[-2]; store1.varying 0, acc0, acc0; pass.mov unif.x; "
             "branch end\n"
             "nop\n"
             "end: nop\n");
    memcpy(rig.in[9], in, sizeof in);
    struct tess_gp_batch batch = {rig.attributes, rig.varyings, 0, 0, 100, false};
    assert_int_equal(tess_gp_trace(rig.gp, &batch, 9, look, &seen), TESS_OK);
    assert_int_equal(seen.steps, 6);
    assert_int_equal(seen.step[0].vertex, 109);
    assert_int_equal(seen.step[0].active, 1 << TESS_GP_ACC0 | 1 << TESS_GP_MUL0);
    assert_float_equal(seen.step[0].load0[2], 3, 0);
    assert_float_equal(seen.step[0].results[TESS_GP_ACC0], 4, 0);
    assert_float_equal(seen.step[0].results[TESS_GP_MUL0], 6, 0);
    assert_float_equal(seen.step[1].row[0], 7, 0);
    assert_float_equal(seen.step[2].results[TESS_GP_MUL0], 1.0f / 7, 0);
    assert_float_equal(seen.register0[2][0], 0, 0);
    assert_float_equal(seen.register0[3][0], 4, 0);
    assert_float_equal(seen.step[3].load1[1], 6, 0);
    assert_false(seen.step[3].taken);
    assert_true(seen.step[4].taken);
    assert_int_equal(seen.step[5].instruction, 6);
    assert_int_equal(seen.step[5].cycle, 5);
    assert_float_equal(rig.out[9][2], 1.0f / 7, 0);
    assert_int_equal(rig.findings, 0);
    rig_free(&rig);
}
