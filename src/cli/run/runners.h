/* SPDX-License-Identifier: MIT */
/* runners.h - tessera run -m gp and -m a2xx (run_gp.c, run_a2xx.c). */
#ifndef CLI_RUN_RUNNERS_H
#define CLI_RUN_RUNNERS_H

#include "cli/options.h"

/* All options of the A2xx, and those that only this machine has. */
extern const struct option_table a2xx_options;
extern const struct option_row a2xx_rows[];

/* Run the verb with its arguments. Return an exit status. */
int run_a2xx(int argc, char **argv);
int run_gp(int argc, char **argv);

#endif
