/* SPDX-License-Identifier: MIT */
/* loops.c - loops that wait. A run, which skips repetitions, must end with the same memory as a run
 * that executes each instruction by a step. Steps take interrupts before each instruction, runs
 * before each block, so times after an interrupt may differ by a repetition of the loop. */
#include <tessera/arm.h>
#include <tessera/pi.h>

#include "../../register.h"
#include "base/bits.h"
#include "loops.h"

enum { CODE = 0x8000, RESULT = 0x9000, SECOND = 1000000000, RATE = 4000000, MOST_STEPS = 100000 };

struct program {
    const char *board;
    bool wide;
    const uint32_t *words;
    size_t count;
};

#define PROGRAM(board, wide, words)                          \
    {                                                        \
        board, wide, words, sizeof(words) / sizeof(words)[0] \
    }

static struct tess_pi_machine *start(const struct program *program)
{
    const struct tess_pi_machine_options options = {
        .board = tess_pi_board_find(program->board),
        .engine = tess_arm_unicorn(),
        .wide = program->wide,
        .arm_rate = RATE,
        .endless_wait = true,
    };
    const struct tess_pi_kernel kernel = {.entry = CODE};
    struct tess_pi_machine *machine;
    assert_int_equal(tess_pi_machine_create(&machine, &options), TESS_OK);
    for (size_t i = 0; i < program->count; i++) {
        uint8_t bytes[4];
        store_le32(bytes, program->words[i]);
        assert_int_equal(tess_pi_machine_load(machine, CODE + 4 * (uint32_t)i, bytes, 4), TESS_OK);
    }
    assert_int_equal(tess_pi_machine_start(machine, &kernel), TESS_OK);
    return machine;
}

static uint32_t result(struct tess_pi_machine *machine, unsigned index)
{
    return load_le32(tess_pi_machine_memory(machine, RESULT + 4 * index, 4));
}

/* Steps until the program branches to itself. */
static void step_to_the_end(struct tess_pi_machine *machine)
{
    enum { PC = 32 };
    uint64_t before = 0, pc = 1;
    for (unsigned i = 0; before != pc && i < MOST_STEPS; i++) {
        before = pc;
        tess_pi_machine_step(machine, 0);
        pc = tess_pi_machine_get_register(machine, 0, PC);
    }
    assert_int_equal(before, pc);
}

/* Runs a program in both ways. Stores the words of the first way's result. The other result may
 * differ by `tolerance`. */
static void run_both(const struct program *program, uint32_t tolerance, uint32_t results[2])
{
    struct tess_pi_machine *skips = start(program), *steps = start(program);
    assert_int_equal(tess_pi_machine_run(skips, SECOND), TESS_PI_END_WAITS);
    step_to_the_end(steps);
    for (unsigned i = 0; i < 2; i++) {
        uint32_t other = result(steps, i);
        results[i] = result(skips, i);
        assert_in_range(results[i] + tolerance, other, other + 2 * tolerance);
    }
    tess_pi_machine_destroy(skips);
    tess_pi_machine_destroy(steps);
}

/* The loop calls a function that stores registers and reads both halves of the system timer. It
 * ends 1000 microseconds after its start, or one repetition of 12 instructions later. */
TEST(functions)
{
    static const struct program program = PROGRAM("zero", false, call_program);
    uint32_t results[2];
    run_both(&program, 0, results);
    assert_in_range(results[0], 1000, 1008);
    assert_int_equal(results[1], 0);
}

/* Loops that end with bit 9 of the counter, with a value of its bits 31:7, and by a signed
 * difference. */
TEST(bits_and_differences)
{
    static const struct program program = PROGRAM("zero", false, bits_program);
    uint32_t results[2];
    run_both(&program, 0, results);
    assert_int_equal(results[0], 512);
    assert_int_equal(results[1], 1000);
}

/* A handler sets a flag in memory after 300 microseconds. */
TEST(flag_in_memory)
{
    static const struct program program = PROGRAM("zero", false, flag_program);
    uint32_t results[2];
    run_both(&program, 2, results);
    assert_int_equal(results[0], 1);
    assert_in_range(results[1], 300, 320);
}

/* The count of the generic timers: 0x4b00 counts, or at most one repetition more. A microsecond has
 * 19.2 counts and 4 cycles. */
TEST(generic_timer)
{
    static const struct program program = PROGRAM("pi3", true, wide_wait);
    uint32_t results[2];
    run_both(&program, 20, results);
    assert_in_range(results[0], 0x4b00, 0x4b00 + 20);
}

/* The local controller's prescaler 0x06aaaaab gives the generic timers a count in each microsecond
 * (QA7, 3.1.1). */
TEST(generic_timer_with_prescaler)
{
    static const struct program program = PROGRAM("pi3", true, wide_prescaler);
    uint32_t results[2];
    run_both(&program, 2, results);
    assert_in_range(results[0], 1000, 1002);
}

/* Microseconds, as the count times 1000000 divided by the timer's frequency (rsta2/circle,
 * lib/timer.cpp). A repetition of 7 instructions takes at most 2 microseconds. */
TEST(quotients)
{
    static const struct program program = PROGRAM("pi3", true, wide_quotient);
    uint32_t results[2];
    run_both(&program, 2, results);
    assert_in_range(results[0], 700, 702);
}

TEST(functions_of_64_bits)
{
    static const struct program program = PROGRAM("pi3", true, wide_call);
    uint32_t results[2];
    run_both(&program, 0, results);
    assert_in_range(results[0], 1000, 1008);
}

/* Core 1 waits by wfe until core 0 executes sev; then both wait forever. */
TEST(events_of_64_bits)
{
    static const struct program program = PROGRAM("pi3", true, wide_event);
    struct tess_pi_machine *machine = start(&program);
    assert_int_equal(tess_pi_machine_run(machine, SECOND), TESS_PI_END_WAITS);
    assert_int_equal(result(machine, 0), 500);
    assert_in_range(result(machine, 1), 500, 510);
    tess_pi_machine_destroy(machine);
}

/* Runs wide_event with wfi in place of one of its instructions. Returns the second result. */
static uint32_t run_with_wfi(unsigned index)
{
    uint32_t words[sizeof wide_event / sizeof wide_event[0]];
    memcpy(words, wide_event, sizeof words);
    words[index] = 0xd503207f;
    struct program program = PROGRAM("pi3", true, wide_event);
    program.words = words;
    struct tess_pi_machine *machine = start(&program);
    tess_pi_machine_run(machine, SECOND);
    uint32_t time = result(machine, 1);
    tess_pi_machine_destroy(machine);
    return time;
}

/* wfi after sev ends the block and the core's run. */
TEST(event_before_wfi)
{
    enum { WFE_OF_CORE_0 = 12 };
    assert_in_range(run_with_wfi(WFE_OF_CORE_0), 500, 510);
}

/* Core 1 waits by wfi, which an event does not end (ARMv8-A, D1.17.2). */
TEST(wfi_without_interrupt)
{
    enum { WFE_OF_CORE_1 = 17 };
    assert_int_equal(run_with_wfi(WFE_OF_CORE_1), 0);
}

/* Runs a program whose loop is skipped, as it would take a thousand seconds of the host otherwise,
 * and stores the words of its result. */
static void run_long(const struct program *program, uint32_t results[2])
{
    struct tess_pi_machine *machine = start(program);
    assert_int_equal(tess_pi_machine_run(machine, UINT64_C(2000) * SECOND), TESS_PI_END_WAITS);
    for (unsigned i = 0; i < 2; i++)
        results[i] = result(machine, i);
    tess_pi_machine_destroy(machine);
}

/* The loop reads the upper half of the system timer, the lower half, and the upper half again,
 * until 1000 s. The first read of the lower half is instruction 4, the period 7 instructions, and a
 * microsecond has 4: instruction 4 + 7 * 571428571 is the first after 1000 s, by 0.25 us. */
TEST(two_halves)
{
    static const struct program program = PROGRAM("zero", false, halves_program);
    uint32_t results[2];
    run_long(&program, results);
    assert_int_equal(results[0], 1000000000);
    assert_int_equal(results[1], 0);
}

/* A lock is taken again and again by exclusive accesses, until 1000 s. The first read of the timer
 * is instruction 7, the period 9 instructions: 7 + 9 * 444444444 is 1000 s and 0.75 us. */
TEST(locks)
{
    static const struct program program = PROGRAM("zero", false, lock_program);
    uint32_t results[2];
    run_long(&program, results);
    assert_int_equal(results[0], 1000000000);
    assert_int_equal(results[1], 1);
}

/* The same with 64 bits and a generic timer, of which a cycle has 4.8 counts. The period is 7
 * instructions, or 33.6 counts. */
TEST(locks_of_64_bits)
{
    static const struct program program = PROGRAM("pi3", true, wide_lock);
    uint32_t results[2];
    run_long(&program, results);
    assert_in_range(results[0], 2000000000, 2000000033);
    assert_int_equal(results[1], 1);
}
