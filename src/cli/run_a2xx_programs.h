/* SPDX-License-Identifier: MIT */
/* run_a2xx_programs.h - the programs that tessera run -m a2xx is given.
 *
 * In:  files with sources or machine code, and what the command line says of them.
 * Out: a vertex program, a pixel program, or both, and which of them runs over data. */
#ifndef CLI_RUN_A2XX_PROGRAMS_H
#define CLI_RUN_A2XX_PROGRAMS_H

#include "run_a2xx_arguments.h"

/* Zero-initialise it, free it with a2xx_programs_free(). */
struct a2xx_programs {
    struct tess_a2xx_program *vertex, *pixel; /* one of them may be NULL */
    enum tess_a2xx_stage stage;               /* of the program that runs over data */
};

/* Errors: TESS_BAD_INPUT, for options that cannot go together, too; TESS_IO, TESS_NO_MEMORY. They have been told. */
enum tess_status a2xx_programs_read(struct a2xx_programs *programs,
                                    const struct a2xx_arguments *arguments, struct tess_sink sink);

/* The program that runs over data. */
struct tess_a2xx_program *a2xx_programs_main(const struct a2xx_programs *programs);

void a2xx_programs_free(struct a2xx_programs *programs);

#endif
