/* SPDX-License-Identifier: MIT */
/* emulator.h - runs programs for other processors with QEMU's user-mode emulation. */
#ifndef CLI_LAUNCH_EMULATOR_H
#define CLI_LAUNCH_EMULATOR_H

#include <limits.h>

#include "cli/launch/program.h"

struct emulator {
    char program[PATH_MAX];
    char preload[PATH_MAX + sizeof "LD_PRELOAD="];
    char **arguments; /* the emulator's arguments, then the program's arguments, then NULL */
};

/* True if the program is for a processor that needs an emulator, and the emulator is installed. */
bool emulator_runs(const char *program, const struct program_kind *kind);

/* Builds the command that runs a program under the emulator with a shim preloaded. program: name,
 * arguments and NULL. root: folder with the files of another system, or NULL. The emulated program
 * finds its libraries in root. Returns false after an error message. The caller releases the
 * command with emulator_free(). */
bool emulator_make(struct emulator *emulator, const char *title, char **program,
                   const struct program_kind *kind, const char *shim, const char *root);
void emulator_free(struct emulator *emulator);

#endif
