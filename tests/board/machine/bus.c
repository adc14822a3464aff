/* SPDX-License-Identifier: MIT */
/* bus.c - tests what the board says of an ARM's access to an address without RAM or peripheral,
 * and that DMA reaches peripherals. */
#include <string.h>

#include <tessera/arm.h>
#include <tessera/pi.h>

#include "../../register.h"
#include "base/bits.h"

enum { CODE = 0x8000, LIMIT = 1000000 };

struct said {
    char text[160];
    unsigned count;
    uint32_t address;
};

static void keep(void *user, const struct tess_finding *finding)
{
    struct said *said = user;
    if (finding->level != TESS_ERROR)
        return;
    said->count++;
    said->address = finding->place.address;
    strncpy(said->text, finding->text, sizeof said->text - 1);
}

static void load(struct tess_pi_machine *machine, uint32_t address, const uint32_t *words,
                 unsigned count)
{
    uint8_t bytes[4];
    for (uint32_t i = 0; i < count; i++) {
        store_le32(bytes, words[i]);
        assert_int_equal(tess_pi_machine_load(machine, address + 4 * i, bytes, 4), TESS_OK);
    }
}

/* PegasOS for a Pi 4 reads its mailbox at 0xfe00b898 ("BCM2711 ARM Peripherals", section 1.2). The
 * second address is a bus address ("BCM2835 ARM Peripherals", 1.2), the third is in neither. */
TEST(addresses_without_anything)
{
    static const struct {
        uint32_t move, address;
        const char *text;
    } cases[] = {
        {0xe3a004fe, 0xfe000000, "an ARM core uses the address of a Pi 4's peripherals"},
        {0xe3a00103, 0xc0000000,
         "an ARM core uses VideoCore's bus address of RAM, at which the ARM has no RAM"},
        {0xe3e0001f, 0xffffffe0,
         "an ARM core accesses an address that is neither RAM nor a peripheral"},
    };
    for (unsigned i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        const uint32_t program[] = {
            cases[i].move, /* mov or mvn r0, #... */
            0xe5901000,    /* ldr r1, [r0] */
            0xeafffffe,    /* b . */
        };
        struct said said = {0};
        const struct tess_pi_machine_options options = {.board = tess_pi_board_find("pi3"),
                                                        .engine = tess_arm_unicorn(),
                                                        .endless_wait = true,
                                                        .sink = {keep, &said}};
        struct tess_pi_machine *machine;
        assert_int_equal(tess_pi_machine_create(&machine, &options), TESS_OK);
        load(machine, CODE, program, sizeof program / sizeof program[0]);
        assert_int_equal(tess_pi_machine_start(machine, &(struct tess_pi_kernel){.entry = CODE}),
                         TESS_OK);
        tess_pi_machine_run(machine, LIMIT);
        assert_int_equal(said.count, 1);
        assert_int_equal(said.address, cases[i].address);
        assert_string_equal(said.text, cases[i].text);
        tess_pi_machine_destroy(machine);
    }
}

/* On a board of 1 GiB, the bus address of a peripheral without bits 31:30 is that of RAM. A DMA
 * channel copies a word to DAT1 of the PWM: "BCM2835 ARM Peripherals", 1.2.4, 4.2.1 and 9.6. */
TEST(dma_to_a_peripheral)
{
    enum { BLOCK = 0xa000, SOURCE = 0xa020, RESULT = 0x9000 };
    const uint32_t program[] = {
        0xe59f002c, /* ldr r0, channel */
        0xe59f102c, /* ldr r1, block */
        0xe5801004, /* str r1, [r0, #4]: CONBLK_AD */
        0xe3a01001, /* mov r1, #1 */
        0xe5801000, /* str r1, [r0]: ACTIVE in CS */
        0xe5901000, /* wait: ldr r1, [r0] */
        0xe3110002, /* tst r1, #2: END */
        0x0afffffc, /* beq wait */
        0xe59f2014, /* ldr r2, pwm */
        0xe5921014, /* ldr r1, [r2, #0x14]: DAT1 */
        0xe3a03a09, /* mov r3, #0x9000 */
        0xe5831000, /* str r1, [r3] */
        0xeafffffe, /* b . */
        0x3f007000, /* channel */
        0xc000a000, /* block */
        0x3f20c000, /* pwm */
    };
    const uint32_t block[] = {0, 0xc0000000 + SOURCE, 0x7e20c014, 4, 0, 0, 0, 0, 0x12345678};
    const struct tess_pi_machine_options options = {
        .board = tess_pi_board_find("pi2"), .engine = tess_arm_unicorn(), .endless_wait = true};
    struct tess_pi_machine *machine;
    assert_int_equal(tess_pi_machine_create(&machine, &options), TESS_OK);
    load(machine, CODE, program, sizeof program / sizeof program[0]);
    load(machine, BLOCK, block, sizeof block / sizeof block[0]);
    assert_int_equal(tess_pi_machine_start(machine, &(struct tess_pi_kernel){.entry = CODE}),
                     TESS_OK);
    assert_int_equal(tess_pi_machine_run(machine, 20 * LIMIT), TESS_PI_END_WAITS);
    assert_int_equal(load_le32(tess_pi_machine_memory(machine, RESULT, 4)), 0x12345678);
    tess_pi_machine_destroy(machine);
}
