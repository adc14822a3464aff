/* SPDX-License-Identifier: MIT */
/* privileges.c - Hyp and Monitor mode of 32-bit cores, and the state in which kernels start.
 * Expected values follow from the ARM Architecture Reference Manual ARMv7-A, B1.8 and B1.9, from
 * the firmware's stub (raspberrypi/tools, armstubs/armstub7.S: CPSR 0x1da, SCR 0x131, NSACR
 * 0x63fff), from the Cortex-A53 Technical Reference Manual, 4.5.32 (NSACR), and by hand from the
 * programs. */
#include <tessera/arm.h>
#include <tessera/pi.h>

#include "../../register.h"
#include "base/bits.h"
#include "privileges.h"

enum {
    CODE = 0x8000,
    RESULT = 0x9000,
    VECTORS = 0xa000,
    VECTOR_MONITOR_CALL = VECTORS + 0x08,
    VECTOR_HYP = VECTORS + 0x14,
    VECTOR_IRQ = VECTORS + 0x18,
    LIMIT = 1000000,
    STATE_SVC = 0x1d3, /* with interrupts and aborts masked, as the next two */
    STATE_MONITOR = 0x1d6,
    STATE_HYP = 0x1da,
};

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

static struct tess_pi_machine *open_machine(const char *board)
{
    const struct tess_pi_machine_options options = {
        .board = tess_pi_board_find(board), .engine = tess_arm_unicorn(), .endless_wait = true};
    struct tess_pi_machine *machine;
    assert_int_equal(tess_pi_machine_create(&machine, &options), TESS_OK);
    return machine;
}

static void run(struct tess_pi_machine *machine, const struct tess_pi_kernel *kernel)
{
    assert_int_equal(tess_pi_machine_start(machine, kernel), TESS_OK);
    tess_pi_machine_run(machine, LIMIT);
}

static uint32_t result(struct tess_pi_machine *machine, unsigned index)
{
    return load_le32(tess_pi_machine_memory(machine, RESULT + 4 * index, 4));
}

/* The core leaves Hyp mode, in which the stub starts kernels, and calls it: hvc at 0x8038 has the
 * class 0x12 and the number 5. */
TEST(calls_of_hyp_mode)
{
    static const char *const boards[] = {"pi2", "pi3"};
    for (unsigned i = 0; i < 2; i++) {
        struct tess_pi_machine *machine = open_machine(boards[i]);
        LOAD(machine, CODE, hyp_program);
        LOAD(machine, VECTOR_HYP, hyp_vector);
        run(machine, &(struct tess_pi_kernel){.entry = CODE});
        assert_int_equal(result(machine, 0), STATE_HYP);
        assert_int_equal(result(machine, 1), STATE_SVC);
        assert_int_equal(result(machine, 2), STATE_HYP);
        assert_int_equal(result(machine, 3), CODE + 0x3c);
        assert_int_equal(result(machine, 4), UINT32_C(0x12) << 26 | 1 << 25 | 5);
        assert_int_equal(result(machine, 5), STATE_SVC);
        tess_pi_machine_destroy(machine);
    }
}

/* The stub writes 0x63fff to NSACR, which has the bits 10 and 11. Kernels of LdB-ECM compare the
 * register with 0xc00, and write it otherwise, which is undefined in non-secure state. */
TEST(coprocessors_in_non_secure_state)
{
    struct tess_pi_machine *machine = open_machine("pi2");
    LOAD(machine, CODE, coprocessor_program);
    run(machine, &(struct tess_pi_kernel){.entry = CODE});
    assert_int_equal(result(machine, 0), 0xc00);
    tess_pi_machine_destroy(machine);
}

/* Each core identifies itself in Hyp mode and, where MIDR is a copy, in SVC mode. barebones08 of
 * leiradel/barebones-rpi selects its functions by the core's number. The values are those of the
 * Cortex-A7 and Cortex-A53 Technical Reference Manuals, r0p5 and r0p4. */
TEST(identities_of_cores)
{
    static const struct {
        const char *board;
        uint32_t identity;
    } cases[] = {{"pi2", 0x410fc075}, {"pi3", 0x410fd034}, {"zero2", 0x410fd034}};
    for (unsigned i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        struct tess_pi_machine *machine = open_machine(cases[i].board);
        LOAD(machine, CODE, identity_program);
        run(machine, &(struct tess_pi_kernel){.entry = CODE});
        assert_int_equal(result(machine, 0), cases[i].identity);
        assert_int_equal(result(machine, 1), cases[i].identity);
        tess_pi_machine_destroy(machine);
    }
}

/* HCR.IMO moves an interrupt of the timer, which SVC mode masks, to Hyp mode. The core returns to
 * the branch at 0x8040. */
TEST(interrupts_of_hyp_mode)
{
    struct tess_pi_machine *machine = open_machine("pi2");
    LOAD(machine, CODE, route_program);
    LOAD(machine, VECTOR_IRQ, route_vector);
    run(machine, &(struct tess_pi_kernel){.entry = CODE});
    assert_int_equal(result(machine, 0), STATE_HYP);
    assert_int_equal(result(machine, 1), CODE + 0x40);
    assert_int_equal(result(machine, 2), STATE_SVC);
    tess_pi_machine_destroy(machine);
}

/* CNTP_CTL is that of the secure timer in secure state, whose interrupt is source 0, and that of
 * the non-secure timer, source 1, in Hyp mode (ARMv7-A, B8.1.2; QA7, 4.6). */
TEST(banks_of_the_physical_timer)
{
    for (unsigned secure = 0; secure < 2; secure++) {
        struct tess_pi_machine *machine = open_machine("pi2");
        LOAD(machine, CODE, timer_program);
        run(machine, &(struct tess_pi_kernel){.entry = CODE, .no_stub = secure});
        assert_int_equal(result(machine, 0), secure ? 1 << 0 : 1 << 1);
        tess_pi_machine_destroy(machine);
    }
}

/* smc at 0x801c enters Monitor mode, which returns to non-secure state: VBAR of this state is still
 * 0. An ARM1176 starts in secure state, and another core if there is no stub. */
TEST(calls_of_monitor_mode)
{
    static const struct {
        const char *board;
        bool no_stub;
    } cases[] = {{"zero", false}, {"pi2", true}, {"pi3", true}};
    for (unsigned i = 0; i < 3; i++) {
        struct tess_pi_machine *machine = open_machine(cases[i].board);
        LOAD(machine, CODE, monitor_program);
        LOAD(machine, VECTOR_MONITOR_CALL, monitor_vector);
        run(machine, &(struct tess_pi_kernel){.entry = CODE, .no_stub = cases[i].no_stub});
        assert_int_equal(result(machine, 0), STATE_SVC);
        assert_int_equal(result(machine, 1), STATE_MONITOR);
        assert_int_equal(result(machine, 2), CODE + 0x20);
        assert_int_equal(result(machine, 3), STATE_SVC);
        assert_int_equal(result(machine, 4), STATE_SVC);
        assert_int_equal(result(machine, 5), 0);
        tess_pi_machine_destroy(machine);
    }
}

/* SCR.IRQ moves an interrupt of the timer to Monitor mode. The interrupted instruction is the
 * branch at 0x8038. */
TEST(interrupts_of_monitor_mode)
{
    struct tess_pi_machine *machine = open_machine("zero");
    LOAD(machine, CODE, interrupt_program);
    LOAD(machine, VECTOR_IRQ, interrupt_vector);
    run(machine, &(struct tess_pi_kernel){.entry = CODE});
    assert_int_equal(result(machine, 0), STATE_MONITOR);
    assert_int_equal(result(machine, 1), CODE + 0x38 + 4);
    tess_pi_machine_destroy(machine);
}

/* A saved state has the return address of Hyp mode: the run continues in the vector, before
 * elr_hyp is read. */
TEST(saved_state)
{
    enum { STEPS_TO_VECTOR = 15 };
    const struct tess_pi_kernel kernel = {.entry = CODE};
    struct tess_pi_machine *machine = open_machine("pi2");
    LOAD(machine, CODE, hyp_program);
    LOAD(machine, VECTOR_HYP, hyp_vector);
    assert_int_equal(tess_pi_machine_start(machine, &kernel), TESS_OK);
    for (unsigned i = 0; i < STEPS_TO_VECTOR; i++)
        tess_pi_machine_step(machine, 0);
    assert_int_equal(tess_pi_machine_get_register(machine, 0, 32), VECTOR_HYP);
    uint8_t *state;
    size_t size;
    assert_int_equal(tess_pi_machine_save(machine, &state, &size), TESS_OK);
    tess_pi_machine_destroy(machine);
    machine = open_machine("pi2");
    assert_int_equal(tess_pi_machine_restore(machine, state, size), TESS_OK);
    tess_free(state);
    tess_pi_machine_run(machine, LIMIT);
    assert_int_equal(result(machine, 3), CODE + 0x3c);
    tess_pi_machine_destroy(machine);
}

/* The firmware leaves the core clock of a Pi 3 at 250 MHz: 250000000 / (8 * 115200) is 271. */
TEST(baud_rate_of_the_mini_uart)
{
    struct tess_pi_machine *machine = open_machine("pi3");
    LOAD(machine, CODE, baud_program);
    run(machine, &(struct tess_pi_kernel){.entry = CODE, .uart = true});
    assert_int_equal(result(machine, 0), 271 - 1);
    tess_pi_machine_destroy(machine);
}
