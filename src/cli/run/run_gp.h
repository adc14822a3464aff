/* SPDX-License-Identifier: MIT */
/* run_gp.h - tessera run -m gp. */
#ifndef CLI_RUN_RUN_GP_H
#define CLI_RUN_RUN_GP_H

/* Runs the verb with its arguments. Returns an exit status. */
int run_gp(int argc, char **argv);

#endif
