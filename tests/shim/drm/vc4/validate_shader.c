/* SPDX-License-Identifier: MIT */
/* Tests of src/shim/drm/vc4/validate_shader.c. For each rule, there are a program that keeps the
 * rule and a program that breaks it.
 *
 * Expected: values worked out by hand from Linux, drivers/gpu/drm/vc4/vc4_validate_shaders.c: the
 * order of the rules, and the uniform of each TMU parameter. */
#include <errno.h>

#include "../../../register.h"
#include "../../../vc4/qpu/program.h"
#include "shim/drm/vc4/validate_shader.h"

enum { MOST_WORDS = 64 };

#define END "nop; thrend\nnop\nnop\n"

static uint64_t words[MOST_WORDS];

/* Assembles a text into words. Returns the number of instructions. */
static uint32_t assemble(const char *text)
{
    uint8_t bytes[MOST_WORDS * 8] = {0};
    uint32_t count = 0;
    program_assemble(bytes, text);
    for (uint32_t i = 0; i < MOST_WORDS; i++) {
        memcpy(&words[i], bytes + 8 * i, 8);
        count = words[i] ? i + 1 : count;
    }
    return count;
}

static struct shader *accept(const char *text)
{
    struct shader *shader;
    struct refusal why;
    const int error = shader_validate(&shader, words, assemble(text), &why);
    if (error)
        fail_msg("%s", why.text);
    return shader;
}

/* Checks that the first `count` words are refused with `message`, which contains the number of the
 * instruction. */
static void refuse_words(uint32_t count, const char *message)
{
    struct shader *shader;
    struct refusal why;
    assert_int_equal(shader_validate(&shader, words, count, &why), EINVAL);
    assert_null(shader);
    assert_string_equal(why.rule, "drm-shader");
    assert_non_null(why.instead);
    assert_string_equal(why.text, message);
}

static void refuse_text(const char *text, const char *message)
{
    refuse_words(assemble(text), message);
}

/* --- uniforms --- */

TEST(test_uniforms_are_counted)
{
    struct shader *shader = accept("mov r0, unif\n"
                                   /* both ALUs read the same uniform */
                                   "fadd r0, r0, unif; fmul r1, r0, unif\n"
                                   "mov r2, 3\n" END);
    assert_int_equal(shader->uniforms_size, 8);
    assert_int_equal(shader->source_size, 8);
    assert_int_equal(shader->sample_count, 0);
    assert_int_equal(shader->address_count, 0);
    assert_false(shader->is_threaded);
    shader_free(shader);
    shader_free(NULL);
}

/* Operand 32 must not count as a uniform if it is a small immediate, which means 1.0. */
TEST(test_small_immediate_is_no_uniform)
{
    struct shader *shader = accept("mov r0, 1.0\n" END);
    assert_int_equal(shader->uniforms_size, 0);
    shader_free(shader);
}

/* --- textures --- */

TEST(test_texture)
{
    struct shader *shader = accept("mov r0, unif\n"
                                   "mov t0t, r0\n"
                                   "mov t0s, r0\n"
                                   "mov t1b, r0\n"
                                   "mov t1t, r0\n"
                                   "mov t1s, r0\n" END);
    assert_int_equal(shader->uniforms_size, 24);
    assert_int_equal(shader->source_size, 24 + 8);
    assert_int_equal(shader->sample_count, 2);
    const struct shader_sample *first = &shader->samples[0], *second = &shader->samples[1];
    assert_false(first->is_direct);
    assert_int_equal(first->offset[0], 4);
    assert_int_equal(first->offset[1], 8);
    assert_int_equal(first->offset[2], SHADER_NOWHERE);
    assert_int_equal(second->offset[0], 12);
    assert_int_equal(second->offset[1], 16);
    assert_int_equal(second->offset[2], 20);
    assert_int_equal(second->offset[3], SHADER_NOWHERE);
    shader_free(shader);
}

#define CLAMPED "max r0, r0, 0\nmin r0, r0, unif\n"

TEST(test_direct_read)
{
    struct shader *shader = accept("mov r1, unif\n" CLAMPED "add t0s, r0, unif\n" END);
    assert_int_equal(shader->uniforms_size, 12);
    assert_int_equal(shader->sample_count, 1);
    assert_true(shader->samples[0].is_direct);
    assert_int_equal(shader->samples[0].offset[0], 8); /* offset of the base address */
    assert_int_equal(shader->samples[0].offset[1], 4); /* offset of the limit */
    shader_free(shader);
}

/* As in the kernel, after one direct read of a TMU, all later requests to that TMU must count as
 * direct reads. */
TEST(test_direct_reads_stick)
{
    struct shader *shader = accept(CLAMPED "add t0s, r0, unif\n"
                                           "mov t0t, r1\nmov t0s, r1\n"
                                           "mov t1t, r1\nmov t1s, r1\n" END);
    assert_int_equal(shader->sample_count, 3);
    assert_true(shader->samples[1].is_direct);
    assert_false(shader->samples[2].is_direct);
    shader_free(shader);
}

TEST(test_refused_tmu)
{
    refuse_text("mov t0t, unif\n" END,
                "instruction 0: an instruction that writes to a TMU reads a uniform");
    refuse_text("mov t0t, r0\nmov t0r, r0\nmov t0b, r0\nmov t0t, r0\nmov t0s, r0\n" END,
                "instruction 4: a TMU receives more than four parameters for one request");
    refuse_text("add t0t, r0, r1; fmul t0r, r0, r1\n" END,
                "instruction 0: both ALUs write to TMUs");
    refuse_text("mov t0s, r0\n" END,
                "instruction 0: the address of a direct TMU read is not a sum");
    refuse_text("add t0s, r0, 4\n" END, "instruction 0: a direct TMU read uses a small immediate");
    refuse_text("add t0s, r0, unif\n" END,
                "instruction 0: the offset of a direct TMU read is not clamped");
    refuse_text(CLAMPED "add t0s, r0, r1\n" END,
                "instruction 2: the base of a direct TMU read is not a uniform");
    refuse_text("min r0, r0, unif\nadd t0s, r0, unif\n" END,
                "instruction 1: the offset of a direct TMU read is not clamped");
    refuse_text("max r0, r0, 1\nmin r0, r0, unif\nadd t0s, r0, unif\n" END,
                "instruction 2: the offset of a direct TMU read is not clamped");
    refuse_text("max.ifz r0, r0, 0\nmin r0, r0, unif\nadd t0s, r0, unif\n" END,
                "instruction 2: the offset of a direct TMU read is not clamped");
    refuse_text(CLAMPED "add r0, r0, r1\nadd t0s, r0, unif\n" END,
                "instruction 3: the offset of a direct TMU read is not clamped");
}

/* --- forbidden registers --- */

TEST(test_refused_registers)
{
    refuse_text("mov irq, 1\n" END, "instruction 0: a write to register 38 is not allowed");
    refuse_text("mov tmurs, 1\n" END, "instruction 0: a write to register 36 is not allowed");
    refuse_text("mov tlbam, 1\n" END, "instruction 0: a write to register 47 is not allowed");
    refuse_text("mov mutex_rel, 1\n" END, "instruction 0: a write to register 51 is not allowed");
    refuse_text("mov vw_addr, r0\n" END, "instruction 0: a DMA transfer of the VPM is started");
    refuse_text("mov vr_addr, r0\n" END, "instruction 0: a DMA transfer of the VPM is started");
    shader_free(accept("mov vw_setup, r0\nmov vpm, r0\nmov stencil, r0\nmov tlbz, r0\nmov tlbc, "
                       "r0\nmov tlbm, r0\n" END));
}

TEST(test_refused_signals)
{
    refuse_text("nop; bkpt\n" END, "instruction 0: signal 0 is not allowed");
    refuse_text("nop; loadcv\n" END, "instruction 0: signal 7 is not allowed");
    refuse_text("nop; ldcend\n" END, "instruction 0: signal 9 is not allowed");
    refuse_text("nop; loadam\n" END, "instruction 0: signal 12 is not allowed");
    shader_free(accept("nop; sbwait\nnop; sbdone\nnop; loadc\nnop; ldtmu0\nnop; ldtmu1\n" END));
}

/* The kernel treats semaphore instructions like instructions that load an immediate, so they must
 * be accepted. */
TEST(test_semaphores_pass)
{
    shader_free(accept("sacq -, 1\n" END));
}

/* --- the address of the uniforms --- */

/* A loop as Mesa generates it. Each branch target begins by setting the address of the uniforms to
 * `distance` plus the start of all uniforms, which the addition reads from a uniform. */
#define RESET(distance) "ldi r0, " #distance "\nadd unif_addr, r0, unif\n"

TEST(test_loop)
{
    /* Numbers are byte offsets of uniforms. Slots are uniforms that contain the address. */
    struct shader *shader = accept("mov r1, unif\n"                                /* 0 */
                                   ":loop\n" RESET(8)                              /* slot 1 */
                                   "mov r2, unif\n"                                /* 8 */
                                   "brr.anynz -, :loop\nnop\nnop\nnop\n" RESET(16) /* slot 3 */
                                   "mov r3, unif\n"                                /* 16 */
                                   END);
    assert_int_equal(shader->uniforms_size, 20);
    assert_int_equal(shader->address_count, 2);
    assert_int_equal(shader->address_slots[0], 1);
    assert_int_equal(shader->address_slots[1], 3);
    shader_free(shader);
}

/* After a backward branch, the uniforms must contain a word for the address, even if no instruction
 * reads that word. */
TEST(test_loop_at_the_end)
{
    struct shader *shader = accept("nop\nnop\n"
                                   ":loop\nnop\n"
                                   "brr.anynz -, :loop\nnop\nnop\nnop\n" END);
    assert_int_equal(shader->uniforms_size, 4);
    assert_int_equal(shader->address_count, 1);
    assert_int_equal(shader->address_slots[0], 0);
    shader_free(shader);
}

TEST(test_refused_address)
{
    refuse_text("ldi r0, 8\nadd unif_addr, r0, unif\n" END,
                "instruction 1: the address of the uniforms is set with a distance of 8 bytes, but "
                "the next uniform is at byte 4");
    refuse_text("mov unif_addr_rel, r0\n" END,
                "instruction 0: the address of the uniforms is set to a relative value");
    refuse_text("mov unif_addr, r0\n" END,
                "instruction 0: the address of the uniforms is set to a value that is not a sum");
    refuse_text("ldi r0, 4\nadd.ifz unif_addr, r0, unif\n" END,
                "instruction 1: the address of the uniforms is set under a condition");
    refuse_text("ldi r0, 4\nadd unif_addr, r0, r1\n" END,
                "instruction 1: the address of the uniforms is set to a sum whose second operand "
                "is not a uniform");
    refuse_text("ldi r0, 4\nadd unif_addr, r4, unif\n" END,
                "instruction 1: the address of the uniforms is set to a sum whose first operand is "
                "not a register");
    refuse_text(
        "ldi r0, 4\nadd unif_addr, r0, unif; sbwait\n" END,
        "instruction 1: the address of the uniforms is set by an instruction with signal 4");
    shader_free(accept("ldi r0, 4\nadd unif_addr, r0, unif; ldtmu0\n" END));
}

TEST(test_unknown_address)
{
    refuse_text("nop\nnop\nbrr.anynz -, :end\nnop\nnop\nnop\n:end\nmov r0, unif\n" END,
                "instruction 6: a uniform is read while the address of the uniforms is unknown");
    refuse_text("nop\nnop\nbrr.anynz -, :end\nnop\nnop\nnop\n:end\nmov t0t, r0\n" END,
                "instruction 6: a TMU is written while the address of the uniforms is unknown");
}

/* --- branches --- */

TEST(test_refused_branches)
{
    refuse_text("nop\nbrr -, :end\nnop\nnop\nnop\n:end\n" END,
                "instruction 1: a branch is too close to the previous one");
    refuse_text("nop\nnop\nbrr -, :a\nnop\nnop\nbrr -, :a\n:a\nnop\nnop\nnop\n" END,
                "instruction 5: a branch is too close to the previous one");
    refuse_text("nop\nnop\nbra -, 64\nnop\nnop\nnop\n" END,
                "instruction 2: a branch has an absolute target");
    refuse_text("nop\nnop\nbrr -, ra0, 0\nnop\nnop\nnop\n" END,
                "instruction 2: a branch adds a register to its target");
    refuse_text("nop\nnop\nbrr ra0, :end\nnop\nnop\nnop\n:end\n" END,
                "instruction 2: a branch writes to a register");
    refuse_text("nop\nnop\nbrr -, -64\nnop\nnop\nnop\n" END,
                "instruction 2: the target of a branch, instruction -2, is outside the program");
    refuse_text("nop\nnop\nbrr -, 4\nnop\nnop\nnop\n" END,
                "instruction 2: a branch's distance of 4 bytes is not a multiple of 8");
    refuse_text("nop\nmov t0t, r0\nbrr -, :end\nnop\nnop\nnop\n:end\nmov t0s, r0\n" END,
                "instruction 6: the target of a branch is between two parameters of a TMU");
    /* The end of the program is in the delay slots of the branch. If the branch is not taken,
     * execution continues after the end. */
    refuse_text("nop\nnop\nbrr -, -32\nnop; thrend\nnop\nnop\n",
                "instruction 2: the program continues past its end if a branch is not taken");
}

TEST(test_branch_behind_the_end)
{
    /* The end signal is in the second delay slot of the branch. */
    refuse_text("nop\nnop\nbrr -, -32\nnop\nnop; thrend\nnop\nnop\n",
                "instruction 2: a branch is too close to the end of the program");
}

/* --- the end, threads --- */

TEST(test_end)
{
    refuse_text("nop\nnop\n", "the program has no end");
    /* the second instruction after the end signal is missing */
    refuse_text("nop\nnop; thrend\nnop\n", "the program has no end");
    refuse_words(0, "the program has no end");
    shader_free(accept(END "nop; bkpt\n")); /* instructions after the end must not be checked */
}

TEST(test_threads)
{
    struct shader *shader = accept(
        "nop; thrsw\nnop\nnop\nnop; lthrsw\nnop\nnop\nmov ra15, rb15\n" END);
    assert_true(shader->is_threaded);
    shader_free(shader);
    refuse_text("nop; thrsw\nnop\nnop; thrsw\n" END,
                "instruction 2: a thread switch is too close to the previous one");
    refuse_text("nop\nnop; thrsw\nnop\nbrr -, :end\nnop\nnop\nnop\n:end\n" END,
                "instruction 3: a branch is too close to a thread switch");
    refuse_text("nop; thrsw\nnop\nnop\nmov ra16, r0\n" END,
                "a program with thread switches uses the upper half of the registers");
    refuse_text("nop; thrsw\nnop\nnop\nmov r0, rb31\n" END,
                "a program with thread switches uses the upper half of the registers");
    shader_free(accept("mov ra16, rb31\n" END));
}

/* After a thread switch, the clamped value of an accumulator must not be used, because the other
 * thread may have written the accumulator. */
TEST(test_switch_forgets_clamps)
{
    refuse_text(CLAMPED "nop; thrsw\nnop\nnop\nadd t0s, r0, unif\n" END,
                "instruction 5: the offset of a direct TMU read is not clamped");
    struct shader *shader = accept(
        "max r0, r0, 0\nmin ra0, r0, unif\nnop; thrsw\nnop\nnop\nadd t0s, ra0, unif\n" END);
    shader_free(shader);
}
