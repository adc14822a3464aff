/* SPDX-License-Identifier: MIT */
/* bus.c - tests what the board says of an ARM's access to an address without RAM or peripheral. */
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

static void load(struct tess_pi_machine *machine, const uint32_t *words, unsigned count)
{
    uint8_t bytes[4];
    for (uint32_t i = 0; i < count; i++) {
        store_le32(bytes, words[i]);
        assert_int_equal(tess_pi_machine_load(machine, CODE + 4 * i, bytes, 4), TESS_OK);
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
        load(machine, program, sizeof program / sizeof program[0]);
        assert_int_equal(tess_pi_machine_start(machine, &(struct tess_pi_kernel){.entry = CODE}),
                         TESS_OK);
        tess_pi_machine_run(machine, LIMIT);
        assert_int_equal(said.count, 1);
        assert_int_equal(said.address, cases[i].address);
        assert_string_equal(said.text, cases[i].text);
        tess_pi_machine_destroy(machine);
    }
}
