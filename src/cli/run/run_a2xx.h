/* SPDX-License-Identifier: MIT */
/* run_a2xx.h - tessera run -m a2xx: runs A2xx programs over vertices or pixels, and draws
 * pictures. */
#ifndef CLI_RUN_RUN_A2XX_H
#define CLI_RUN_RUN_A2XX_H

#include "cli/options.h"

/* All options of the machine, and those that only this machine has. */
extern const struct option_table a2xx_options;
extern const struct option_row a2xx_rows[];

int run_a2xx(int argc, char **argv);

#endif
