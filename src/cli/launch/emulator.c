/* SPDX-License-Identifier: MIT */
/* emulator.c - see emulator.h.
 *
 * In:  a program's kind; the environment variable PATH.
 * Out: the command that runs the program under the emulator.
 *
 * Source: QEMU's documentation, "QEMU User space emulator" (-L, -E).
 *
 * -E sets LD_PRELOAD only in the emulated process. The emulator itself could not load the shim,
 * which is a library for another processor. */
#include "cli/launch/emulator.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

bool emulator_runs(const char *program, const struct program_kind *kind)
{
    char path[PATH_MAX];
    const char *emulator = program_emulator(kind);
    return emulator && program_path(emulator, path, sizeof path) &&
           program_path(program, path, sizeof path) && program_library(path).is_elf;
}

static size_t count_of(char **list)
{
    size_t count = 0;
    while (list[count])
        count++;
    return count;
}

bool emulator_make(struct emulator *emulator, const char *title, char **program,
                   const struct program_kind *kind, const char *shim, const char *root)
{
    /* Maximum number of arguments before those of the program:
     * EMULATOR -L ROOT -E LD_PRELOAD=SHIM PROGRAM. */
    enum { OWN = 6 };
    size_t count = 0, rest = count_of(program + 1);
    char **arguments = calloc(OWN + rest + 1, sizeof *arguments);
    if (!arguments || !program_path(program[0], emulator->program, sizeof emulator->program)) {
        fprintf(stderr, "%s: %s: %s\n", title, program[0], strerror(errno));
        free(arguments);
        return false;
    }
    snprintf(emulator->preload, sizeof emulator->preload, "LD_PRELOAD=%s", shim);
    arguments[count++] = (char *)program_emulator(kind);
    if (root) {
        arguments[count++] = (char *)"-L";
        arguments[count++] = (char *)root;
    }
    arguments[count++] = (char *)"-E";
    arguments[count++] = emulator->preload;
    arguments[count++] = emulator->program;
    memcpy(arguments + count, program + 1, rest * sizeof *arguments);
    emulator->arguments = arguments;
    return true;
}

void emulator_free(struct emulator *emulator)
{
    free(emulator->arguments);
}
