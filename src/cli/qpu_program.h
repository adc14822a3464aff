/* SPDX-License-Identifier: MIT */
/* qpu_program.h - whether a program can be run with the shim in front of it, and with which. */
#ifndef CLI_QPU_PROGRAM_H
#define CLI_QPU_PROGRAM_H

#include <stdbool.h>
#include <stddef.h>

/* The path of the shim that fits a program, which is found as execvp() does. False if there is none, the program is none, or
 * nothing can be preloaded into it; and stderr has been told. */
bool qpu_program_shim(const char *title, const char *program, char *shim, size_t size);

#endif
