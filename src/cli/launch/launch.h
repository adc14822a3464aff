/* SPDX-License-Identifier: MIT */
/* launch.h - runs a program whose environment loads a shim, and derives an exit status from the
 * program's status and the shim's reports. */
#ifndef CLI_LAUNCH_LAUNCH_H
#define CLI_LAUNCH_LAUNCH_H

#include <stdbool.h>
#include <sys/types.h>

/* A program to run. All members except title and program may be 0. */
struct launch {
    const char *title;
    char **program; /* name, arguments and NULL */
    /* Called after the program has started. Returns when the process has ended, and leaves the call
     * of waitpid() to the caller. Returns true if this function ended the process. May be NULL. */
    bool (*meanwhile)(void *context, pid_t process);
    void *context;
    bool *used; /* result: true if a process of the program used the GPU; may be NULL */
    /* Called after the program has ended, once for each finding or baseline line that the program's
     * processes wrote to the verdict file. May be NULL. */
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
