/* SPDX-License-Identifier: MIT */
/* check.c - fuzz target: the checker, with any bytes as a source or as machine code. Two checks of
 * the same bytes must report the same findings. */
#include <stdlib.h>
#include <string.h>

#include <tessera/isa.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

/* Checksum and number of the findings of one check. */
struct sum {
    uint64_t value;
    size_t count;
};

static void check(bool good)
{
    if (!good)
        abort();
}

static void add(void *user, const struct tess_finding *finding)
{
    struct sum *sum = user;
    const struct tess_check_details *details = finding->check;
    check(finding->text && *finding->text && finding->id && details);
    check(details->place.instruction_bytes > 0);
    uint32_t bytes = details->other.instruction_bytes < details->place.instruction_bytes
                         ? details->other.instruction_bytes
                         : details->place.instruction_bytes;
    uint32_t here = details->place.address, there = details->other.address;
    check(!details->has_other || (here > there ? here - there : there - here) % bytes == 0);
    for (const char *at = finding->text; *at; at++)
        sum->value = sum->value * 31 + (uint8_t)*at;
    sum->value += here;
    sum->count++;
}

static struct sum run(const uint8_t *data, size_t size, uint8_t choice)
{
    enum { GP_FROM = 128, A2XX_FROM = 192 };
    const struct tess_check_options options = {.machine = choice < GP_FROM     ? TESS_MACHINE_QPU
                                                          : choice < A2XX_FROM ? TESS_MACHINE_GP
                                                                               : TESS_MACHINE_A2XX,
                                               .variant = (enum tess_a2xx_variant)(choice & 1),
                                               .kind = (enum tess_shader_kind)(choice % 5)};
    struct sum sum = {0};
    tess_check_bytes(data, size, "bytes", &options, (struct tess_sink){0},
                     (struct tess_sink){add, &sum});
    return sum;
}

/* The input's first byte selects the machine, the variant and the kind of the program. */
int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    if (size < 1)
        return 0;
    struct sum once = run(data + 1, size - 1, data[0]), again = run(data + 1, size - 1, data[0]);
    check(once.value == again.value && once.count == again.count);
    return 0;
}
