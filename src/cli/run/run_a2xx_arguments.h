/* SPDX-License-Identifier: MIT */
/* run_a2xx_arguments.h - the command line of tessera run -m a2xx. */
#ifndef CLI_RUN_RUN_A2XX_ARGUMENTS_H
#define CLI_RUN_RUN_A2XX_ARGUMENTS_H

#include <tessera/a2xx.h>

#include "cli/run/shader_arguments.h"

enum { A2XX_AUTOMATIC = -1 };

struct a2xx_arguments {
    struct shader_arguments shared;
    struct option_list textures, buffers, memories, bools, loops;
    const char *pixel;
    int stage; /* enum tess_a2xx_stage, or A2XX_AUTOMATIC */
    enum tess_a2xx_variant variant;
    int param_gen; /* register number, or A2XX_AUTOMATIC */
    bool clockwise_front, quads, has_trace_pixel;
    uint32_t trace_x, trace_y;
};

/* Sets the defaults. Vertex programs export positions in clip space, since the A2xx divides by w
 * itself. */
void a2xx_arguments_begin(struct a2xx_arguments *arguments, const char *title);
void a2xx_arguments_free(struct a2xx_arguments *arguments);

#endif
