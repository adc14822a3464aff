/* SPDX-License-Identifier: MIT */
/* run_a2xx_names.h - names for the data of A2xx programs: attributes, inputs of pixels, exports,
 * constants.
 *
 * In:  programs with the names in their sources.
 * Out: names for shader_names.h. Data without a name in the source is named by its number. */
#ifndef CLI_RUN_RUN_A2XX_NAMES_H
#define CLI_RUN_RUN_A2XX_NAMES_H

#include <tessera/a2xx.h>
#include <tessera/draw.h>

#include "cli/run/shader_names.h"

/* Output numbers. The number of a parameter or colour equals its export number. The other outputs
 * have the numbers after the parameters or colours. */
enum {
    /* Vertex programs. Numbers 0 to 15 are parameters. */
    A2XX_OUT_POSITION = 16,
    A2XX_OUT_POINT,
    /* Pixel programs. Numbers 0 to 3 are colours. */
    A2XX_OUT_DEPTH = 4,
    A2XX_OUT_KILLED,
    /* Both stages. Address and data of memory exports. */
    A2XX_OUT_MEMORY = 18,
    A2XX_OUT_END = 24,
};

enum { A2XX_NO_EXPORT = TESS_A2XX_EXPORTS };

/* Number of constants per stage. The constants of the vertex program come first. */
enum { A2XX_STAGE_CONSTANTS = TESS_A2XX_CONSTANTS / 2 };

/* A list of names. The caller sets the structure to zero first and releases it with
 * a2xx_names_free(). */
struct a2xx_names {
    struct shader_names list;
    struct shader_name *items;
    char **texts; /* generated names, which a2xx_names_free() releases */
    size_t text_count;
};

/* Lists the attributes of a vertex program. Vertex fetches with the same constant, format, stride
 * and offset read the same attribute. Stores the first fetch of each attribute in fetches, which
 * has room for SHADER_MOST_ATTRIBUTES. Returns false if the host is out of memory or if there are
 * too many attributes. */
bool a2xx_names_attributes(struct a2xx_names *names, const struct tess_a2xx_program *program,
                           const struct tess_a2xx_vertex_fetch **fetches);

/* Lists the input registers of a pixel program. */
bool a2xx_names_inputs(struct a2xx_names *names, const struct tess_a2xx_program *program);

/* Lists the exports of a stage. */
bool a2xx_names_outputs(struct a2xx_names *names, const struct tess_a2xx_program *program,
                        enum tess_a2xx_stage stage);

/* Lists the constants of both programs. Either program may be NULL. */
bool a2xx_names_constants(struct a2xx_names *names, const struct tess_a2xx_program *vertex,
                          const struct tess_a2xx_program *pixel);

void a2xx_names_free(struct a2xx_names *names);

/* Returns the export number of an output number. Returns A2XX_NO_EXPORT for the output "killed",
 * which is not an export. */
uint32_t a2xx_output_export(enum tess_a2xx_stage stage, uint32_t output);

#endif
