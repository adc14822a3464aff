/* SPDX-License-Identifier: MIT */
/* launch.h - runs a program whose environment leads it to a shim, and judges how it ended. */
#ifndef CLI_LAUNCH_H
#define CLI_LAUNCH_H

#include <stdbool.h>
#include <sys/types.h>

/* Zero every member that you do not care about. */
struct launch {
    const char *title;
    char **program; /* its name, arguments and NULL */
    /* What is done until the process has ended, which is still to be waited for then. True: it was told to end. */
    bool (*meanwhile)(void *context, pid_t process);
    void *context;
    bool *used; /* set to true if a process has used the GPU; may be NULL */
    /* Receives each line that the program's processes added for the verb (findings, baselines), after the program has ended. May be
     * NULL. */
    void (*take_line)(void *user, char *line);
    void *user;
};

/* Runs a program. Signals for this process reach it. Returns its exit status, if that is not 0, or 128 and the number of
 * the signal that ended it, unless it was told to end, or ended by its shim; CLI_WRONG if its shim counted errors, or what fails; CLI_USAGE,
 * and stderr has been told, if it could not be started; else 0. *ran: it was started. The outputs are still to be committed. */
int launch_judged(const struct launch *launch, bool *ran);

#endif
