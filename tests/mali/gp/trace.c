/* SPDX-License-Identifier: MIT */
/* trace.c - tests the operations and the pending writes in the steps of a trace.
 *
 * The values are calculated by hand. The delays are those of docs/hardware/utgard.md, sections 6 to
 * 8. */
#include "../../register.h"
#include "../../step_text.h"
#include "rig.h"

enum { STEPS_MOST = 5 };

struct seen {
    unsigned steps;
    char operations[STEPS_MOST][700], pending[STEPS_MOST][100];
};

static bool look(void *user, const struct tess_gp_step *step)
{
    struct seen *seen = user;
    assert_true(seen->steps < STEPS_MOST);
    struct text operations = {seen->operations[seen->steps], sizeof seen->operations[0], 0};
    struct text pending = {seen->pending[seen->steps++], sizeof seen->pending[0], 0};
    step_text(&operations, step->operations, step->operation_count);
    for (size_t i = 0; i < step->pending_count; i++)
        text_put(&pending, "%s at %u; ", step->pending[i].text, (unsigned)step->pending[i].cycle);
    return true;
}

static void trace(const char *source, struct seen *seen)
{
    struct rig rig = {.in = {{1, 2, 3, 4}}};
    rig_load(&rig, source);
    struct tess_gp_batch batch = {rig.attributes, rig.varyings, 0, 0, 0, false};
    assert_int_equal(tess_gp_trace(rig.gp, &batch, 0, look, seen), TESS_OK);
    rig_free(&rig);
}

/* Operands of the same instruction, of one and two instructions back, with signs; a store of a
 * register and of a temporary; a branch, which performs all pending writes. */
TEST(test_operations)
{
    struct seen seen = {0};
    trace(".constant numbers, 7, 0.5, -2, 3\n"
          "load.attr 0; load.unif numbers; acc0.add -attr.x, unif.y; acc1.add attr.w, -unif.z\n"
          "; mul0.mul -attr.y, unif.x; mul1.mov attr.z; pass.mov unif.w; store0.reg 2, acc0, mul0\n"
          "load.reg0 2; acc0.add attr[-1].y, acc0[-1]; mul1.mul -mul1[-1], pass[-1]\n"
          "; pass.mov mul0[-1]\n"
          "load.unif numbers; acc0.max acc0[-2], acc0[-1]; complex.addr0 unif.w\n"
          "; store1.temp acc0, _\n"
          "load.unif numbers; pass.mov unif.x; branch end\n"
          "nop\n"
          "end: load.reg0 2; acc0.ge reg0.y, ident; acc1.ge -reg0.x, ident\n"
          "; store0.varying 0, acc0, acc1\n",
          &seen);
    assert_int_equal(seen.steps, 5);
    assert_string_equal(seen.operations[0],
                        "load.attr 0: -> 1,2,3,4 loaded\n"
                        "load.unif 0: -> 7,0.5,-2,3 loaded (row 0, numbers)\n"
                        "mul0.mul -attr.y, unif.x: -attr.y=-2 unif.x=7 -> -14\n"
                        "mul1.mov attr.z: attr.z=3 -> 3\n"
                        "acc0.add -attr.x, unif.y: -attr.x=-1 unif.y=0.5 -> -0.5\n"
                        "acc1.add attr.w, -unif.z: attr.w=4 -unif.z=2 -> 6\n"
                        "pass.mov unif.w: unif.w=3 -> 3\n"
                        "store0.reg 2, acc0, mul0: acc0=-0.5 mul0=-14\n");
    assert_string_equal(seen.operations[1],
                        "load.reg0 2: -> 0,0,0,0 loaded\n"
                        "mul1.mul -mul1[-1], pass[-1]: -mul1[-1]=-3 pass[-1]=3 -> -9\n"
                        "acc0.add attr[-1].y, acc0[-1]: attr[-1].y=2 acc0[-1]=-0.5 -> 1.5\n"
                        "pass.mov mul0[-1]: mul0[-1]=-14 -> -14\n");
    assert_string_equal(seen.operations[2],
                        "load.unif 0: -> 7,0.5,-2,3 loaded (row 0, numbers)\n"
                        "acc0.max acc0[-2], acc0[-1]: acc0[-2]=-0.5 acc0[-1]=1.5 -> 1.5\n"
                        "complex.addr0 unif.w: unif.w=3 -> 3\n"
                        "store1.temp acc0, _: acc0=1.5\n");
    assert_string_equal(seen.operations[3], "load.unif 0: -> 7,0.5,-2,3 loaded (row 0, numbers)\n"
                                            "pass.mov unif.x: unif.x=7 -> 7\n"
                                            "branch end: taken\n");
    assert_string_equal(seen.operations[4], "load.reg0 2: -> -0.5,-14,0,0 loaded\n"
                                            "acc0.ge reg0.y, ident: reg0.y=-14 ident=0 -> 0\n"
                                            "acc1.ge -reg0.x, ident: -reg0.x=0.5 ident=0 -> 1\n"
                                            "store0.varying 0, acc0, acc1: acc0=0 acc1=1\n");
    assert_string_equal(seen.pending[0], "register 2.xy at 3; ");
    assert_string_equal(seen.pending[1], "register 2.xy at 3; ");
    assert_string_equal(seen.pending[2], "temporary 3.z at 6; ");
    assert_string_equal(seen.pending[3], "");
    assert_string_equal(seen.pending[4], "");
}

/* Writes of several instructions are listed in the order of the instructions. */
TEST(test_pending)
{
    struct seen seen = {0};
    trace(".constant numbers, 1, 2\n"
          "load.unif numbers; complex.addr2 unif.x; acc0.mov unif.y; store0.reg 4, _, acc0\n"
          "load.unif numbers; acc0.mov unif.y; store0.varying 0, acc0, acc0; store1.reg 5, acc0, "
          "acc0\n"
          "nop\n"
          "nop\n"
          "nop\n",
          &seen);
    assert_string_equal(seen.pending[0], "address 2 at 4; register 4.y at 3; ");
    assert_string_equal(seen.pending[1], "address 2 at 4; register 4.y at 3; register 5.zw at 4; ");
    assert_string_equal(seen.pending[2], "address 2 at 4; register 5.zw at 4; ");
    assert_string_equal(seen.pending[3], "");
}
