/* SPDX-License-Identifier: MIT */
/* launch.h - runs a program whose environment loads a shim, and derives an exit status from the
 * program's status and the shim's reports. */
#ifndef CLI_LAUNCH_H
#define CLI_LAUNCH_H

#include <stdbool.h>
#include <sys/types.h>

/* A program to run. Zero-initialise; all members except title and program are optional. */
struct launch {
    const char *title;
    char **program; /* name, arguments and NULL */
    /* Called while the program runs; returns when the process has ended, without waiting for it.
     * Returns true if it made the process end. */
    bool (*meanwhile)(void *context, pid_t process);
    void *context;
    bool *used; /* set to true if a process used the GPU; may be NULL */
    /* Receives each line that the program's processes wrote for the verb (findings, baselines),
     * after the program has ended. May be NULL. */
    void (*take_line)(void *user, char *line);
    void *user;
};

/* Runs a program. Forwards signals sent to this process to the program. Sets *ran to true if the
 * program was started. The caller commits the outputs. Returns:
 * - CLI_USAGE after an error message if the program could not be started;
 * - 0 if launch->meanwhile or the shim ended the program, else the program's exit status, or 128
 *   plus the number of the signal that ended it;
 * - CLI_WRONG in place of 0 if the shim counted errors or could not write an output. */
int launch_judged(const struct launch *launch, bool *ran);

#endif
