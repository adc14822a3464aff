/* SPDX-License-Identifier: MIT */
/* state_pi.c - fuzz target: saved states of a whole Raspberry Pi with wrong bytes. A machine
 * refuses them, or restores them, and then survives a run of 50 microseconds.
 *
 * Input: see state_damage.h. The first byte selects the board, and whether the sanitizer is on. An
 * offset has three bytes. */
#include <stdlib.h>
#include <string.h>

#include <tessera/arm.h>
#include <tessera/isa.h>
#include <tessera/pi.h>

#include "../tests/board/machine/kernel.h"
#include "base/bits.h"
#include "state_damage.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

enum { KINDS = 4, MICROSECOND = 1000 };

static const struct {
    const char *board;
    bool wide, sanitize;
} kinds[KINDS] = {
    {"zero", false, false}, {"zero", false, true}, {"pi2", false, false}, {"pi3", true, false}};

/* Returns a machine with a kernel that has run for a while. The kernel's code is that of a Pi Zero;
 * other cores execute its words in some way. */
static struct tess_pi_machine *make_machine(unsigned kind)
{
    const struct tess_vc4_options vc4 = {.machine.sanitize = kinds[kind].sanitize};
    const struct tess_pi_machine_options options = {
        .board = tess_pi_board_find(kinds[kind].board),
        .engine = tess_arm_unicorn(),
        .wide = kinds[kind].wide,
        .vc4 = &vc4,
    };
    struct tess_pi_machine *machine;
    uint8_t image[sizeof kernel_words];
    const struct tess_pi_kernel kernel = {.entry = KERNEL_ADDRESS};
    for (size_t i = 0; i < sizeof image / 4; i++)
        store_le32(image + 4 * i, kernel_words[i]);
    check(tess_pi_machine_create(&machine, &options) == TESS_OK);
    check(tess_pi_machine_load(machine, KERNEL_ADDRESS, image, sizeof image) == TESS_OK);
    check(tess_pi_machine_start(machine, &kernel) == TESS_OK);
    tess_pi_machine_run(machine, 700 * MICROSECOND);
    return machine;
}

static struct state_image save(const struct tess_pi_machine *machine)
{
    struct state_image image;
    uint8_t *bytes;
    size_t size;
    check(tess_pi_machine_save(machine, &bytes, &size) == TESS_OK);
    image = image_of_size(size);
    memcpy(image.bytes, bytes, size);
    tess_free(bytes);
    return image;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    static struct tess_pi_machine *machines[KINDS];
    static struct state_image first[KINDS];
    if (size < STATE_INPUT)
        return 0;
    unsigned kind = data[0] % KINDS;
    if (!machines[kind]) {
        machines[kind] = make_machine(kind);
        first[kind] = save(machines[kind]);
    }
    struct tess_pi_machine *machine = machines[kind];
    check(tess_pi_machine_restore(machine, first[kind].bytes, first[kind].size) == TESS_OK);
    struct state_image damaged = save(machine);
    image_damage(&damaged, data, size, 3);
    enum tess_status status = tess_pi_machine_restore(machine, damaged.bytes, damaged.size);
    check(status == TESS_OK || status == TESS_BAD_INPUT || status == TESS_MISMATCH);
    free(damaged.bytes);
    tess_pi_machine_run(machine, tess_pi_machine_time(machine) + 50 * MICROSECOND);
    return 0;
}
