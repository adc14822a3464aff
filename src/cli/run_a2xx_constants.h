/* SPDX-License-Identifier: MIT */
/* run_a2xx_constants.h - constants of A2xx programs from the command line: uniforms, --bool, --loop.
 *
 * Out: constants of the machine. A uniform that both programs name has one value. */
#ifndef CLI_RUN_A2XX_CONSTANTS_H
#define CLI_RUN_A2XX_CONSTANTS_H

#include <tessera/a2xx.h>

#include "run_a2xx_names.h"
#include "shader_run.h"

struct a2xx_constants {
    struct shader_run *run;
    struct tess_a2xx *a2xx;
    const struct tess_a2xx_program *vertex, *pixel; /* may be NULL */
    const char *files[2];                           /* of the programs, in diagnostics */
    const struct shader_names *names;
    float rows[TESS_A2XX_CONSTANTS][SHADER_COMPONENTS]; /* as the programs see them, for traces */
};

/* Sets all uniforms behind the programs' own constants. Errors: TESS_BAD_INPUT, and it has been told. */
enum tess_status a2xx_constants_set(struct a2xx_constants *constants);

/* NUMBER=0 or NUMBER=1. False after a mistake, which standard error has been told. */
bool a2xx_constants_bools(struct tess_a2xx *a2xx, const char *title,
                          const struct shader_list *arguments);

/* NUMBER=COUNT[,START[,STEP]]. False likewise. */
bool a2xx_constants_loops(struct tess_a2xx *a2xx, const char *title,
                          const struct shader_list *arguments);

#endif
