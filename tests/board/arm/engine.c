/* SPDX-License-Identifier: MIT */
/* engine.c - runs small kernels on whole machines: cycles, skipped polls, interrupts, exceptions,
 * several cores, repeated memory, and 64 bits. Expected values follow from the ARM Architecture
 * Reference Manuals and from counting instructions: each takes one cycle. */
#include <string.h>

#include <tessera/arm.h>
#include <tessera/pi.h>

#include "../../register.h"
#include "base/bits.h"
#include "programs.h"

enum { CODE = 0x8000, WIDE_CODE = 0x80000, VECTOR = 0x80c00, RESULT = 0x9000, SECOND = 1000000000 };

static struct tess_pi_machine *open_machine(const char *board, bool wide, uint32_t rate)
{
    const struct tess_pi_machine_options options = {
        .board = tess_pi_board_find(board),
        .engine = tess_arm_unicorn(),
        .wide = wide,
        .arm_rate = rate,
        .endless_wait = true,
    };
    struct tess_pi_machine *machine;
    assert_int_equal(tess_pi_machine_create(&machine, &options), TESS_OK);
    return machine;
}

static void load_words(struct tess_pi_machine *machine, uint32_t address, const uint32_t *words,
                       size_t count)
{
    for (size_t i = 0; i < count; i++) {
        uint8_t bytes[4];
        store_le32(bytes, words[i]);
        assert_int_equal(tess_pi_machine_load(machine, address + 4 * (uint32_t)i, bytes, 4),
                         TESS_OK);
    }
}

#define LOAD(machine, address, program) \
    load_words(machine, address, program, sizeof(program) / sizeof(program)[0])

static void start(struct tess_pi_machine *machine, uint32_t entry)
{
    const struct tess_pi_kernel kernel = {.entry = entry};
    assert_int_equal(tess_pi_machine_start(machine, &kernel), TESS_OK);
}

static uint32_t result(struct tess_pi_machine *machine, unsigned index)
{
    return load_le32(tess_pi_machine_memory(machine, RESULT + 4 * index, 4));
}

/* With 4 MHz, a loop of four instructions takes a microsecond. The loop reads the timer first in
 * cycle 3, and once in each microsecond after: the read in cycle 4003 returns 1000 and ends the
 * loop. The branch to itself in cycle 4009 is followed by another one, which ends the run. */
TEST(polled_counter)
{
    struct tess_pi_machine *machine = open_machine("zero", false, 4000000);
    LOAD(machine, CODE, poll_program);
    start(machine, CODE);
    assert_int_equal(tess_pi_machine_run(machine, SECOND), TESS_PI_END_WAITS);
    assert_int_equal(result(machine, 0), 1000);
    assert_int_equal(tess_pi_machine_cycles(machine), 4010);
    tess_pi_machine_destroy(machine);
}

/* The match of the timer with 50 microseconds sets the flag in cycle 200. The loop of three
 * instructions reads the flag in cycles 4, 7 and so on: first after the match in cycle 202. The
 * branch to itself is in cycle 208. */
TEST(polled_flag)
{
    struct tess_pi_machine *machine = open_machine("zero", false, 4000000);
    LOAD(machine, CODE, flag_program);
    start(machine, CODE);
    assert_int_equal(tess_pi_machine_run(machine, SECOND), TESS_PI_END_WAITS);
    assert_int_equal(result(machine, 0), 205 / 4);
    assert_int_equal(tess_pi_machine_cycles(machine), 209);
    tess_pi_machine_destroy(machine);
}

/* Two interrupts of the timer, after 100 and 300 microseconds. */
TEST(interrupts)
{
    struct tess_pi_machine *machine = open_machine("zero", false, 0);
    LOAD(machine, CODE, irq_program);
    start(machine, CODE);
    tess_pi_machine_run(machine, SECOND / 1000);
    assert_int_equal(result(machine, 0), 300);
    tess_pi_machine_destroy(machine);
}

/* An undefined instruction at 0x8030, a call at 0x8034, and a translation fault of a section at
 * `place`, where the table has no entry for 0x70000124. */
TEST(exceptions)
{
    enum { SECTION = 0xc02, TABLE = 0x4000, PLACE = 0x8058 };
    struct tess_pi_machine *machine = open_machine("zero", false, 0);
    const uint32_t section[] = {SECTION};
    LOAD(machine, TABLE, section);
    LOAD(machine, CODE, traps_program);
    start(machine, CODE);
    assert_int_equal(tess_pi_machine_run(machine, SECOND / 1000), TESS_PI_END_WAITS);
    assert_int_equal(result(machine, 0), 0x8034); /* after the undefined instruction */
    assert_int_equal(result(machine, 1) & 0x1f, 0x13);
    assert_int_equal(result(machine, 2), 0x8038);
    assert_int_equal(result(machine, 3) & 0x9f, 0x93); /* SVC, interrupts masked */
    assert_int_equal(result(machine, 4), PLACE + 8);
    assert_int_equal(result(machine, 5) & 0x40f, 5);
    assert_int_equal(result(machine, 6), 0x70000124);
    tess_pi_machine_destroy(machine);
}

/* Core 0 starts the others through their mailboxes. MPIDR of a Cortex-A7 of the BCM2836 is
 * 0x80000f00 plus the number of the core. */
TEST(four_cores)
{
    struct tess_pi_machine *machine = open_machine("pi2", false, 0);
    LOAD(machine, CODE, cores_program);
    start(machine, CODE);
    assert_int_equal(tess_pi_machine_run(machine, SECOND / 1000), TESS_PI_END_WAITS);
    for (unsigned i = 0; i < 4; i++)
        assert_int_equal(result(machine, i), 0x80000f00 + i);
    tess_pi_machine_destroy(machine);
}

/* From EL2 to EL1 and EL0, and two calls from EL0 to EL1. A call's syndrome has class 0x15. */
TEST(levels_of_64_bits)
{
    struct tess_pi_machine *machine = open_machine("pi3", true, 0);
    LOAD(machine, WIDE_CODE, wide_program);
    LOAD(machine, VECTOR, wide_vector_program);
    start(machine, WIDE_CODE);
    assert_int_equal(tess_pi_machine_run(machine, SECOND / 1000), TESS_PI_END_WAITS);
    assert_int_equal(result(machine, 0), 2 << 2); /* CurrentEL */
    assert_int_equal(result(machine, 2), 1 << 2);
    assert_int_equal(result(machine, 4), 0x5600000a); /* svc #10 */
    assert_int_equal(result(machine, 6), WIDE_CODE + 4 * 24);
    assert_int_equal(result(machine, 8), 0x5000); /* the stack pointer of EL1 */
    assert_int_equal(result(machine, 12), 0x80000000);
    tess_pi_machine_destroy(machine);
}

/* Instructions that a kernel changes execute as they are, also if many stores to their page precede
 * them: the three calls return 1, 2 and 3. */
TEST(changed_instructions)
{
    static const struct {
        const char *board;
        bool wide;
        uint32_t code;
    } cases[] = {{"zero", false, CODE}, {"pi2", false, CODE}, {"pi3", true, WIDE_CODE}};
    for (unsigned i = 0; i < 3; i++) {
        struct tess_pi_machine *machine = open_machine(cases[i].board, cases[i].wide, 0);
        if (cases[i].wide)
            LOAD(machine, cases[i].code, wide_change_program);
        else
            LOAD(machine, cases[i].code, change_program);
        start(machine, cases[i].code);
        assert_int_equal(tess_pi_machine_run(machine, SECOND), TESS_PI_END_WAITS);
        for (unsigned call = 0; call < 3; call++)
            assert_int_equal(result(machine, call), call + 1);
        tess_pi_machine_destroy(machine);
    }
}

/* Core 1 calls the changed function: 1 before the change, 2 after. */
TEST(instructions_that_another_core_changes)
{
    struct tess_pi_machine *machine = open_machine("pi2", false, 0);
    LOAD(machine, CODE, line_program);
    start(machine, CODE);
    tess_pi_machine_run(machine, SECOND / 1000);
    assert_int_equal(result(machine, 0), 1);
    assert_int_equal(result(machine, 1), 2);
    tess_pi_machine_destroy(machine);
}

/* A run that is cut into pieces of any length ends like a run in one piece. */
TEST(pieces)
{
    struct tess_pi_machine *machine = open_machine("zero", false, 4000000);
    LOAD(machine, CODE, poll_program);
    start(machine, CODE);
    uint64_t until = 0;
    while (tess_pi_machine_run(machine, until += 1700) == TESS_PI_END_TIME)
        assert_true(until < SECOND);
    assert_int_equal(result(machine, 0), 1000);
    assert_int_equal(tess_pi_machine_cycles(machine), 4010);
    tess_pi_machine_destroy(machine);
}

/* An instruction of 0 is undefined. It enters the vector 0x200 of EL2, where memory contains 0. On
 * a 32-bit core, the vector is 4. */
TEST(exceptions_without_a_handler)
{
    const uint32_t undefined[] = {0xe7f000f0};
    struct tess_pi_machine *machine = open_machine("pi3", true, 0);
    start(machine, WIDE_CODE);
    assert_int_equal(tess_pi_machine_run(machine, SECOND), TESS_PI_END_WAITS);
    assert_int_equal(tess_pi_machine_get_end(machine)->pc, 0x200);
    tess_pi_machine_destroy(machine);

    machine = open_machine("zero", false, 0);
    LOAD(machine, CODE, undefined);
    LOAD(machine, 4, undefined);
    start(machine, CODE);
    assert_int_equal(tess_pi_machine_run(machine, SECOND), TESS_PI_END_WAITS);
    assert_int_equal(tess_pi_machine_get_end(machine)->pc, 4);
    tess_pi_machine_destroy(machine);
}

/* The handler of undefined instructions executes one itself, after the decrement of its stack
 * pointer: the core does nothing more, and says so once. */
TEST(exceptions_of_a_handler)
{
    const uint32_t undefined[] = {0xe7f000f0};
    const uint32_t handler[] = {
        0xea000006,                               /* b 0x24 */
        0,          0, 0, 0, 0, 0, 0, 0xe24dd01c, /* 0x24: sub sp, sp, #28 */
        0xe7f000f0,                               /* undefined */
    };
    struct tess_pi_machine *machine = open_machine("zero", false, 0);
    LOAD(machine, CODE, undefined);
    LOAD(machine, 4, handler);
    start(machine, CODE);
    assert_int_equal(tess_pi_machine_run(machine, SECOND), TESS_PI_END_WAITS);
    assert_int_equal(tess_pi_machine_get_end(machine)->pc, 0x28);
    assert_in_range(tess_pi_machine_cycles(machine), 3000, 4000);
    tess_pi_machine_destroy(machine);
}

/* The core has fetched the branch before the write of SCTLR takes effect: the new tables map the
 * target, 0x40080100, but not the branch. The block descriptor 0x401 maps the second GiB to
 * physical address 0. */
TEST(branch_after_the_start_of_translation)
{
    const uint32_t program[] = {
        0xd2a00020, /* mov x0, #0x10000 */
        0xd51c2000, /* msr ttbr0_el2, x0 */
        0xd2800320, /* mov x0, #25: addresses of 39 bits */
        0xd51c2040, /* msr tcr_el2, x0 */
        0xd5033fdf, /* isb */
        0xd2a80101, /* mov x1, #0x40080000 */
        0x91040021, /* add x1, x1, #0x100 */
        0xd2800020, /* mov x0, #1 */
        0xd51c1000, /* msr sctlr_el2, x0 */
        0xd61f0020, /* br x1 */
    };
    const uint32_t target[] = {
        0xd2a80002, /* mov x2, #0x40000000 */
        0x91402442, /* add x2, x2, #0x9000 */
        0xd28000a3, /* mov x3, #5 */
        0xb9000043, /* str w3, [x2] */
        0x14000000, /* b . */
    };
    const uint32_t table[] = {0, 0, 0x401, 0};
    struct tess_pi_machine *machine = open_machine("pi3", true, 0);
    LOAD(machine, WIDE_CODE, program);
    LOAD(machine, WIDE_CODE + 0x100, target);
    LOAD(machine, 0x10000, table);
    start(machine, WIDE_CODE);
    assert_int_equal(tess_pi_machine_run(machine, SECOND), TESS_PI_END_WAITS);
    assert_int_equal(result(machine, 0), 5);
    tess_pi_machine_destroy(machine);
}

/* The BCM2835 repeats RAM at 0x40000000, for instructions and data. */
TEST(repeated_memory)
{
    const uint32_t program[] = {
        0xe3a00101, /* mov r0, #0x40000000 */
        0xe2800a09, /* add r0, r0, #0x9000 */
        0xe28ff101, /* add pc, pc, #0x40000000: to the second instruction after this one */
        0xe7f000f0, /* undefined */
        0xe5801000, /* str r1, [r0]: 0xc42, the machine type */
        0xe580f004, /* str pc, [r0, #4] */
        0xeafffffe, /* b . */
    };
    struct tess_pi_machine *machine = open_machine("zero", false, 0);
    LOAD(machine, CODE, program);
    start(machine, CODE);
    assert_int_equal(tess_pi_machine_run(machine, SECOND), TESS_PI_END_WAITS);
    assert_int_equal(result(machine, 0), 0xc42);
    assert_int_equal(result(machine, 1), 0x4000801c);
    tess_pi_machine_destroy(machine);
}

/* Runs a program on a core whose clock counts as the timer does. The stream of bit 7 has an event
 * at each change of the bit to 1, or to 0. The core reads the count when it wakes, which is up to a
 * cycle late, because events have times in nanoseconds. */
static void check_stream(const char *board, bool wide, const uint32_t *words, size_t count,
                         uint32_t first)
{
    enum { TIMER_RATE = 19200000 };
    struct tess_pi_machine *machine = open_machine(board, wide, TIMER_RATE);
    uint32_t code = wide ? WIDE_CODE : CODE;
    load_words(machine, code, words, count);
    start(machine, code);
    assert_int_equal(tess_pi_machine_run(machine, SECOND), TESS_PI_END_WAITS);
    assert_in_range(result(machine, 0), first, first + 1);
    assert_in_range(result(machine, 1), first + 256, first + 257);
    tess_pi_machine_destroy(machine);
}

TEST(event_stream)
{
    enum { WORDS = sizeof stream_program / sizeof stream_program[0] };
    uint32_t falling[WORDS];
    memcpy(falling, stream_program, sizeof falling);
    falling[1] |= 8; /* EVNTDIR */
    check_stream("pi2", false, stream_program, WORDS, 128);
    check_stream("pi2", false, falling, WORDS, 256);
    check_stream("pi3", true, wide_stream_program, WORDS, 128);
}
