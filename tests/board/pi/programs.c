/* SPDX-License-Identifier: MIT */
/* programs.c - tests user programs that are started by the mailbox tags 0x30011 and 0x30012. The
 * expected results of the tags are from gpu_fft_base.c of raspberrypi/userland. For timeouts, an
 * instruction takes four clocks. */
#include "../../register.h"
#include "machine.h"

#include <stdlib.h>

enum { CODE = 0x2000, PAIRS = 0x3000, EXECUTE = 0x30011, ENABLE = 0x30012, NOFLUSH = 1 };

#define TIMED_OUT 0x80000000

static const uint32_t ends[] = {0x009e7000, 0x300009e7, 0x009e7000,
                                0x100009e7, 0x009e7000, 0x100009e7};

/* Words of instructions. The host interrupt is the NV demo's "ori host_int, 1, 1". */
#define HOST_INTERRUPT 0x159c1fc0, 0xd00209a7
#define NOP            0x009e7000, 0x100009e7
#define RELEASE(n)     (n), 0xe80009e7
#define ACQUIRE(n)     0x10 | (n), 0xe80009e7
#define BRANCH_BACK(n) \
    (uint32_t)(-8 * (n)-32), 0xf0f809e7 /* relative to the address after the delay slots */

/* Stores a program's words at an address, followed by a program end. */
static void put_program(struct machine *m, uint32_t address, const uint32_t *words, unsigned count)
{
    put_words(m, address, words, count);
    put_words(m, address + 4 * count, ends, sizeof ends / sizeof *ends);
}

static void put_pair(struct machine *m, unsigned number, uint32_t code)
{
    const uint32_t pair[] = {0, code};
    put_words(m, PAIRS + 8 * number, pair, 2);
}

static void switch_on(struct machine *m)
{
    send_tag(m, ENABLE, 4, 1, 0, 0, 0);
}

/* Executes `count` pairs of uniforms and code. Returns the tag's result. */
static uint32_t execute(struct machine *m, uint32_t count, uint32_t milliseconds)
{
    send_tag(m, EXECUTE, 16, count, PAIRS, NOFLUSH, milliseconds);
    assert_int_equal(word(m, 1), 0x80000000);
    assert_int_equal(word(m, REQUEST), 0x80000004);
    return word(m, VALUE);
}

static uint64_t instructions(struct machine *m)
{
    struct tess_vc4_stats stats;
    tess_vc4_get_stats(m->vc4, &stats);
    return stats.instructions;
}

/* Stores a program that raises the host interrupt and ends. */
static void put_interrupting(struct machine *m)
{
    static const uint32_t code[] = {HOST_INTERRUPT};
    put_program(m, CODE, code, 2);
}

TEST_WITH(execute_program, set_up, tear_down)
{
    struct machine *m = *fixture;
    switch_on(m);
    put_interrupting(m);
    put_pair(m, 0, CODE);
    assert_int_equal(execute(m, 1, 1000), 0);
    assert_int_equal(instructions(m), 4);
    assert_int_equal(tess_vc4_read(m->vc4, V3D_DBQITC), 0);
    assert_int_equal(m->findings, 0);
    /* Without a host interrupt, the firmware waits until the timeout. */
    put_pair(m, 0, CODE + 8);
    assert_int_equal(execute(m, 1, 1000), TIMED_OUT);
    assert_string_equal(m->rule, "pi-execute-no-interrupt");
}

/* Executes more programs than there are QPUs and queue entries. py-videocore's driver of 2015
 * allows 1024 programs in one call. The first program acquires semaphore 0, and the last program
 * releases it. */
TEST_WITH(execute_many_programs, set_up, tear_down)
{
    struct machine *m = *fixture;
    static const uint32_t takes[] = {ACQUIRE(0)}, gives[] = {RELEASE(0)};
    switch_on(m);
    put_interrupting(m);
    put_program(m, 0x2100, takes, 2);
    put_program(m, 0x2200, gives, 2);
    for (unsigned i = 0; i < 100; i++)
        put_pair(m, i, i == 0 ? 0x2100 : i == 99 ? 0x2200 : CODE);
    assert_int_equal(execute(m, 100, 1000), 0);
    assert_int_equal(tess_vc4_read(m->vc4, V3D_SRQCS) & 0xffff3f, 100u << 16 | 100u << 8);
    assert_int_equal(m->findings + m->vc4_findings, 0);
}

/* A program waits forever for its semaphore. The call must return at once and report the wait.
 * In the next call, all QPUs must be free. */
TEST_WITH(deadlocks_time_out_at_once, set_up, tear_down)
{
    struct machine *m = *fixture;
    static const uint32_t takes[] = {ACQUIRE(5)};
    switch_on(m);
    put_interrupting(m);
    put_program(m, 0x2100, takes, 2);
    for (unsigned i = 0; i < 12; i++)
        put_pair(m, i, 0x2100);
    assert_int_equal(execute(m, 12, UINT32_MAX), TIMED_OUT);
    assert_string_equal(m->rule, "pi-execute-timeout");
    assert_non_null(strstr(m->vc4_text, "12 QPUs wait for semaphore 5"));
    assert_int_equal(instructions(m), 0); /* no program could complete its first instruction */

    m->findings = 0;
    put_pair(m, 0, CODE);
    assert_int_equal(execute(m, 1, 1000), 0);
    assert_int_equal(m->findings, 0);
}

/* 75 ms at a Pi Zero's 300 MHz are 5,625,000 instructions of each program. The number of
 * executed instructions must be the same for any number of host threads. */
TEST_WITH(endless_programs_time_out, set_up, tear_down)
{
    enum { PROGRAMS = 6, EXPECTED = 5625000 * PROGRAMS };
    static const uint32_t loop[] = {NOP, BRANCH_BACK(1), NOP, NOP, NOP};
    uint64_t first = 0;
    for (uint32_t threads = 1; threads <= 3; threads++) {
        struct machine m;
        machine_open(&m, NULL, threads);
        switch_on(&m);
        put_interrupting(&m);
        put_program(&m, 0x2100, loop, 10);
        for (unsigned i = 0; i < PROGRAMS; i++)
            put_pair(&m, i, 0x2100);
        assert_int_equal(execute(&m, PROGRAMS, 75), TIMED_OUT);
        assert_string_equal(m.rule, "pi-execute-timeout");
        assert_non_null(strstr(m.vc4_text, "has not ended after"));
        assert_in_range(instructions(&m), EXPECTED - EXPECTED / 100, EXPECTED + EXPECTED / 100);
        if (threads == 1)
            first = instructions(&m);
        assert_int_equal(instructions(&m), first);
        put_pair(&m, 0, CODE);
        assert_int_equal(execute(&m, 1, 75), 0);
        machine_close(&m);
    }
}

/* Only the timeout limits a long program. Its 20 million instructions are more than the default
 * budget, and take 267 ms at 300 MHz. */
TEST_WITH(long_programs_have_the_time_they_ask_for, set_up, tear_down)
{
    struct machine *m = *fixture;
    static const uint32_t count_down[] = {
        0x159c1fc0,
        0xd00209a7, /* "ori host_int, 1, 1" */
        4000000,
        0xe0020827, /* "ldi r0, 4000000" */
        0x0d9c11c0,
        0xd0022827, /* "sub.setf r0, r0, 1" */
        (uint32_t)(-8 - 32),
        0xf03809e7, /* branches back to the subtraction */
        NOP,
        NOP,
        NOP,
    };
    switch_on(m);
    put_program(m, CODE, count_down, sizeof count_down / sizeof *count_down);
    put_pair(m, 0, CODE);
    assert_int_equal(execute(m, 1, 270), 0);
    assert_int_equal(m->vc4_findings, 0);
    assert_int_equal(instructions(m), 2 + 5 * 4000000 + 3);
    assert_int_equal(execute(m, 1, 260), TIMED_OUT);
    assert_string_equal(m->rule, "pi-execute-timeout");
}

/* Timeouts use the clock that tag 0x38002 sets: 4 ms at 250 MHz are 250,000 instructions. */
TEST_WITH(timeouts_follow_the_clock, set_up, tear_down)
{
    struct machine *m = *fixture;
    static const uint32_t loop[] = {NOP, BRANCH_BACK(1), NOP, NOP, NOP};
    switch_on(m);
    put_program(m, CODE, loop, 10);
    put_pair(m, 0, CODE);
    send_tag(m, 0x38002, 12, TESS_PI_CLOCK_V3D, 250000000, 1, 0);
    assert_int_equal(word(m, VALUE + 1), 250000000);
    assert_int_equal(execute(m, 1, 4), TIMED_OUT);
    assert_in_range(instructions(m), 250000, 251000);
}

TEST_WITH(impossible_control_blocks, set_up, tear_down)
{
    struct machine *m = *fixture;
    static const struct {
        uint32_t count, control;
    } cases[] = {
        /* clang-format off */
        {0,          PAIRS},
        {5000,       PAIRS},
        {UINT32_MAX, PAIRS},
        {1,          PAIRS + 2},
        {1,          0x0ffffff0},
        {2,          MEMORY - 8},
        {1,          0xfffffffc},
        /* clang-format on */
    };
    switch_on(m);
    put_interrupting(m);
    for (unsigned i = 0; i < 1024; i++)
        put_pair(m, i, CODE);
    put_words(m, MEMORY - 8, (const uint32_t[]){0, CODE}, 2);
    for (unsigned i = 0; i < sizeof cases / sizeof *cases; i++) {
        m->rule = "";
        send_tag(m, EXECUTE, 16, cases[i].count, cases[i].control, NOFLUSH, 1000);
        assert_int_equal(word(m, VALUE), TIMED_OUT);
        assert_string_equal(m->rule, "pi-execute-qpu");
    }
    assert_int_equal(instructions(m), 0); /* no program could start */
}

static uint64_t instruction_misses(struct machine *m)
{
    struct tess_vc4_shader_stats stats;
    assert_true(tess_vc4_get_shader_stats(m->vc4, 0, &stats));
    return stats.instruction_misses;
}

/* With the flag "noflush", the caches keep their contents. So the second run has no misses. */
TEST_WITH(noflush_keeps_the_caches, set_up, tear_down)
{
    struct machine *m = *fixture;
    switch_on(m);
    put_interrupting(m);
    put_pair(m, 0, CODE);
    for (uint32_t noflush = 0; noflush < 2; noflush++) {
        send_tag(m, EXECUTE, 16, 1, PAIRS, 0, 1000);
        uint64_t before = instruction_misses(m);
        assert_true(before > 0);
        send_tag(m, EXECUTE, 16, 1, PAIRS, noflush, 1000);
        assert_int_equal(word(m, VALUE), 0);
        assert_int_equal(instruction_misses(m) == before, noflush);
    }
}

/* If V3D has no power, it does not respond (asurati/x03). The firmware then waits for an
 * interrupt until the timeout. */
TEST_WITH(nothing_runs_while_v3d_is_off, set_up, tear_down)
{
    struct machine *m = *fixture;
    put_interrupting(m);
    put_pair(m, 0, CODE);
    assert_int_equal(execute(m, 1, 1000), TIMED_OUT);
    assert_string_equal(m->rule, "pi-v3d-off");
    assert_int_equal(instructions(m), 0);
    switch_on(m);
    assert_int_equal(execute(m, 1, 1000), 0);
}

/* GPU_FFT and py-videocore use 64 rows of the VPM after tag 0x30012. If a bare-metal program has
 * set V3D_VPMBASE, the tag keeps that value. */
TEST_WITH(enabling_reserves_vpm_rows, set_up, tear_down)
{
    struct machine *m = *fixture;
    assert_int_equal(tess_vc4_read(m->vc4, V3D_VPMBASE), 0);
    send_tag(m, ENABLE, 4, 1, 0, 0, 0);
    assert_int_equal(tess_vc4_read(m->vc4, V3D_VPMBASE), 16);
    tess_vc4_write(m->vc4, V3D_VPMBASE, 8);
    send_tag(m, ENABLE, 4, 1, 0, 0, 0);
    assert_int_equal(tess_vc4_read(m->vc4, V3D_VPMBASE), 8);
}

/* Enabling is counted: hello_fft_2d prepares two transforms and releases them one by one. Switching
 * off the power removes hung programs. */
TEST_WITH(enabling_is_counted, set_up, tear_down)
{
    struct machine *m = *fixture;
    static const uint32_t takes[] = {ACQUIRE(5)};
    put_program(m, 0x2100, takes, 2);
    send_tag(m, ENABLE, 4, 1, 0, 0, 0);
    send_tag(m, ENABLE, 4, 1, 0, 0, 0);
    send_tag(m, ENABLE, 4, 0, 0, 0, 0);
    assert_true(tess_pi_v3d_enabled(m->pi));
    tess_pi_write(m->pi, TESS_PI_V3D + V3D_SRQPC, 0x2100);
    assert_int_equal(tess_vc4_run(m->vc4), TESS_VC4_STUCK);
    send_tag(m, ENABLE, 4, 0, 0, 0, 0);
    assert_false(tess_pi_v3d_enabled(m->pi));
    assert_int_equal(tess_vc4_run(m->vc4), TESS_VC4_IDLE);
    send_tag(m, ENABLE, 4, 0, 0, 0, 0); /* one release too many */
    send_tag(m, ENABLE, 4, 1, 0, 0, 0);
    assert_true(tess_pi_v3d_enabled(m->pi));
}

/* With a clock limit of rate / 1000, a run takes a millisecond at V3D's clock rate. The system
 * timer must advance by the clocks of the run. */
TEST_WITH(the_timer_goes_on_with_the_clock_limit, set_up, tear_down)
{
    struct machine *m = *fixture;
    static const uint32_t loop[] = {NOP, BRANCH_BACK(1), NOP, NOP, NOP};
    switch_on(m);
    put_program(m, CODE, loop, sizeof loop / sizeof *loop);
    uint64_t millisecond = tess_pi_clock_rate(m->pi, TESS_PI_CLOCK_V3D) / 1000;
    uint32_t before = tess_pi_read(m->pi, TESS_PI_TIMER_LOW);
    tess_pi_write(m->pi, TESS_PI_V3D + V3D_SRQPC, CODE);
    for (uint32_t i = 1; i <= 3; i++) {
        tess_vc4_set_clock_limit(m->vc4, millisecond);
        assert_int_equal(tess_vc4_run(m->vc4), TESS_VC4_BUDGET);
        uint32_t passed = tess_pi_read(m->pi, TESS_PI_TIMER_LOW) - before;
        assert_in_range(passed, i * 1000, i * 1100);
    }
    assert_int_equal(m->findings + m->vc4_findings, 0);
    tess_vc4_stop_programs(m->vc4);
    tess_vc4_set_clock_limit(m->vc4, 0);
}
