/* SPDX-License-Identifier: MIT */
/* shim_options.h - the options that "tessera qpu" and "tessera gl" share. */
#ifndef CLI_LAUNCH_SHIM_OPTIONS_H
#define CLI_LAUNCH_SHIM_OPTIONS_H

#include <stdbool.h>

#include "cli/launch/launch.h"
#include "cli/verdict_options.h"

/* The options, in three groups of --help. The target of the last group is a struct verdict_options;
 * the others set only environment variables. */
extern const struct option_row shim_memory_rows[], shim_run_rows[], shim_last_rows[];

/* How --board is taken. */
#define BOARD WORDS("board", "zero pi1 pi2 pi3 zero2", BY(shim_board))

/* Runs a program and applies the options about findings. Reports a note if statistics, a trace or a
 * capture were requested but no process used the GPU. Returns the exit status. */
int shim_launch(struct launch *launch, struct verdict_options *verdict);

/* Take --board and --capture. */
bool shim_board(const struct option_use *use);
bool shim_capture(const struct option_use *use);

#endif
