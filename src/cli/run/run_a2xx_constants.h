/* SPDX-License-Identifier: MIT */
/* run_a2xx_constants.h - constants of A2xx programs from the command line: uniforms, --bool,
 * --loop.
 *
 * In:  uniforms from options and tables; the arguments of --bool and --loop.
 * Out: constants of the modelled A2xx. A uniform that both programs name has one value. */
#ifndef CLI_RUN_RUN_A2XX_CONSTANTS_H
#define CLI_RUN_RUN_A2XX_CONSTANTS_H

#include <tessera/a2xx.h>

#include "cli/run/run_a2xx_names.h"
#include "cli/run/shader_run.h"

struct a2xx_constants {
    struct shader_run *run;
    struct tess_a2xx *a2xx;
    const struct tess_a2xx_program *vertex, *pixel; /* either may be NULL */
    const char *files[2]; /* names of the vertex and pixel program's files, for diagnostics */
    const struct shader_names *names;
    float rows[TESS_A2XX_CONSTANTS][SHADER_COMPONENTS]; /* result: values of all constants */
};

/* Sets the constants that the sources define, then all uniforms. Returns TESS_BAD_INPUT after
 * reporting an error. */
enum tess_status a2xx_constants_set(struct a2xx_constants *constants);

/* Sets booleans from NUMBER=0 and NUMBER=1. Returns false after an error message. */
bool a2xx_constants_bools(struct tess_a2xx *a2xx, const char *title,
                          const struct option_list *arguments);

/* Sets loop constants from NUMBER=COUNT[,START[,STEP]]. Returns false after an error message. */
bool a2xx_constants_loops(struct tess_a2xx *a2xx, const char *title,
                          const struct option_list *arguments);

#endif
