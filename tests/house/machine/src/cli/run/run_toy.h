/* SPDX-License-Identifier: MIT */
/* run_toy.h - tessera run -m toy. */
#ifndef CLI_RUN_RUN_TOY_H
#define CLI_RUN_RUN_TOY_H

/* Runs the verb with its arguments. Returns an exit status. */
int run_toy(int argc, char **argv);

#endif
