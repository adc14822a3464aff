/* SPDX-License-Identifier: MIT */
/* emulator.h - programs of other processors, which QEMU's emulation of processes runs. */
#ifndef CLI_EMULATOR_H
#define CLI_EMULATOR_H

#include <limits.h>

#include "program.h"

struct emulator {
    char program[PATH_MAX];
    char preload[PATH_MAX + sizeof "LD_PRELOAD="];
    char **arguments; /* of the command: the emulator's, the program's, and NULL */
};

/* Whether a program needs an emulator, and there is one. */
bool emulator_runs(const char *program, const struct program_kind *kind);

/* Makes the command that runs a program (its name, arguments and NULL) with a shim in front of it, and with the files of a
 * root in front of this computer's; NULL: no root. False, and stderr has been told, if it cannot be made. */
bool emulator_make(struct emulator *emulator, const char *title, char **program,
                   const struct program_kind *kind, const char *shim, const char *root);
void emulator_free(struct emulator *emulator);

#endif
