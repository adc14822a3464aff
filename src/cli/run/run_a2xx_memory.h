/* SPDX-License-Identifier: MIT */
/* run_a2xx_memory.h - memory that programs write: --memory ADDRESS=FILE,size=BYTES.
 *
 * In:  addresses and sizes.
 * Out: ranges of zeros at these addresses before the run; files with the contents of the ranges
 *      after the run. */
#ifndef CLI_RUN_RUN_A2XX_MEMORY_H
#define CLI_RUN_RUN_A2XX_MEMORY_H

#include <tessera/a2xx.h>

#include "cli/run/shader_arguments.h"

struct a2xx_memory_range;

/* The caller sets .title and .a2xx, and sets the other members to 0. */
struct a2xx_memories {
    const char *title;
    struct tess_a2xx *a2xx;
    struct a2xx_memory_range *ranges;
    size_t count;
};

/* Parses all arguments and maps the ranges. Returns false after an error message. */
bool a2xx_memories_take(struct a2xx_memories *memories, const struct option_list *arguments);

/* Writes the files. Returns false after an error message. */
bool a2xx_memories_write(struct a2xx_memories *memories);

void a2xx_memories_free(struct a2xx_memories *memories);

#endif
