/* SPDX-License-Identifier: MIT */
/* machine_options.h - reads a caller's options of a machine (tessera/machine.h). */
#ifndef EXEC_MACHINE_OPTIONS_H
#define EXEC_MACHINE_OPTIONS_H

#include <tessera/machine.h>

/* What a machine has for options that are 0. */
struct machine_defaults {
    uint64_t max_instructions;
    bool sanitize;
};

/* Copies options of any version to *to, which has `size` bytes and begins with struct
 * tess_machine_options, and sets the defaults. .threads is then the number of threads, and
 * .sanitize is TESS_SANITIZE_ON or TESS_SANITIZE_OFF. from may be NULL. Returns false if a common
 * option is out of range, or if a member is set that this version does not have. */
bool machine_options_take(void *to, size_t size, const void *from,
                          const struct machine_defaults *defaults);

static inline bool machine_sanitizes(const struct tess_machine_options *options)
{
    return options->sanitize == TESS_SANITIZE_ON;
}

#endif
