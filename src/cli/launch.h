/* SPDX-License-Identifier: MIT */
/* launch.h - runs a program whose environment leads it to a shim, and judges how it ended. */
#ifndef CLI_LAUNCH_H
#define CLI_LAUNCH_H

/* Runs a program: its name, arguments and NULL. Signals for this process reach it. Returns its exit status, if that is not 0; 128
 * and the number of the signal that ended it; CLI_WRONG if its shim counted errors; CLI_USAGE, and stderr has been told, if it
 * could not be started; else 0. */
int launch_judged(const char *title, char **program);

#endif
