/* SPDX-License-Identifier: MIT */
/* run_a2xx_programs.h - reads the programs of tessera run -m a2xx.
 *
 * In:  files with sources or machine code; options.
 * Out: a vertex program, a pixel program, or both; the stage of the program that runs over the
 *      input data. */
#ifndef CLI_RUN_RUN_A2XX_PROGRAMS_H
#define CLI_RUN_RUN_A2XX_PROGRAMS_H

#include "cli/run/run_a2xx_arguments.h"

/* The caller sets the structure to zero first and releases it with a2xx_programs_free(). */
struct a2xx_programs {
    struct tess_a2xx_program *vertex, *pixel; /* either may be NULL */
    enum tess_a2xx_stage stage; /* stage of the program that runs over the input data */
};

/* Reads the programs. After reporting an error, returns TESS_BAD_INPUT (an error in a program, or
 * contradicting options), TESS_IO or TESS_NO_MEMORY. */
enum tess_status a2xx_programs_read(struct a2xx_programs *programs,
                                    const struct a2xx_arguments *arguments, struct tess_sink sink);

/* Returns the program that runs over the input data. */
struct tess_a2xx_program *a2xx_programs_main(const struct a2xx_programs *programs);

void a2xx_programs_free(struct a2xx_programs *programs);

#endif
