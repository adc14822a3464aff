/* SPDX-License-Identifier: MIT */
/* card.c - the two controllers of the board's SD card: what one has done with the card, the other
 * one finds. Registers as in tests/board/bcm2835/emmc.c and sdhost.c. */
#include <tessera/arm.h>

#include "../../register.h"
#include "base/bits.h"
#include "board/machine/machine.h"

enum {
    CODE = 0x8000,
    EMMC = 0x300000,
    ARG1 = 0x08,
    CMDTM = 0x0c,
    EMMC_RESPONSE = 0x10,
    CONTROL1 = 0x2c,
    SDHOST = 0x202000,
    SDCMD = 0x00,
    SDARG = 0x04,
    SDCDIV = 0x0c,
    SDHOST_RESPONSE = 0x10,
    SDVDD = 0x30,
    NEW = 1 << 15,
    RCA = 0xaaaa0000,
    STANDBY = 3,
    TRANSFER = 4,
    MILLISECOND = 1000000,
};

static bool card_read(void *user, uint64_t position, void *to, uint32_t size)
{
    (void)user;
    (void)position;
    memset(to, 0, size);
    return true;
}

static struct tess_pi_machine *open_machine(void)
{
    const struct tess_pi_machine_options options = {
        .board = tess_pi_board_find("zero"),
        .engine = tess_arm_unicorn(),
        .card_read = card_read,
        .card_size = 1 << 20,
    };
    struct tess_pi_machine *machine;
    const uint8_t idle[4] = {0xfe, 0xff, 0xff, 0xea}; /* a branch to itself */
    const struct tess_pi_kernel kernel = {.entry = CODE};
    assert_int_equal(tess_pi_machine_create(&machine, &options), TESS_OK);
    assert_int_equal(tess_pi_machine_load(machine, CODE, idle, sizeof idle), TESS_OK);
    assert_int_equal(tess_pi_machine_start(machine, &kernel), TESS_OK);
    return machine;
}

static void wait(struct tess_pi_machine *machine)
{
    tess_pi_machine_run(machine, tess_pi_machine_time(machine) + MILLISECOND);
}

static uint32_t emmc_command(struct tess_pi_machine *machine, uint32_t code, uint32_t argument)
{
    machine_device_write(machine, EMMC + ARG1, argument);
    machine_device_write(machine, EMMC + CMDTM, code);
    wait(machine);
    return machine_device_read(machine, EMMC + EMMC_RESPONSE);
}

static uint32_t sdhost_command(struct tess_pi_machine *machine, uint32_t code, uint32_t argument)
{
    machine_device_write(machine, SDHOST + SDARG, argument);
    machine_device_write(machine, SDHOST + SDCMD, code | NEW);
    wait(machine);
    return machine_device_read(machine, SDHOST + SDHOST_RESPONSE);
}

static uint32_t state_of(uint32_t status)
{
    return status >> 9 & 15;
}

TEST(one_card)
{
    struct tess_pi_machine *machine = open_machine();
    machine_device_write(machine, EMMC + CONTROL1, 1 | 0xe << 16 | 0x68 << 8 | 4);
    emmc_command(machine, 0, 0);
    assert_int_equal(emmc_command(machine, 0x08020000, 0x1aa), 0x1aa);
    for (uint32_t ocr = 0; !(ocr >> 31);) {
        emmc_command(machine, 0x37020000, 0);
        ocr = emmc_command(machine, 0x29020000, 0x51ff8000);
    }
    emmc_command(machine, 0x02010000, 0);
    assert_int_equal(emmc_command(machine, 0x03020000, 0) & 0xffff0000, RCA);
    assert_int_equal(state_of(emmc_command(machine, 0x0d020000, RCA)), STANDBY);

    machine_device_write(machine, SDHOST + SDVDD, 1);
    machine_device_write(machine, SDHOST + SDCDIV, 3);
    assert_int_equal(state_of(sdhost_command(machine, 13, RCA)), STANDBY);
    sdhost_command(machine, 7, RCA); /* selects the card */
    assert_int_equal(state_of(emmc_command(machine, 0x0d020000, RCA)), TRANSFER);
    tess_pi_machine_destroy(machine);
}
