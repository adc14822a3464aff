/* SPDX-License-Identifier: MIT */
/* run_a2xx_memory.h - memory that programs write: --memory ADDRESS=FILE,size=BYTES.
 *
 * In:  addresses and sizes.
 * Out: zeros at these addresses of the machine before the run, files of what they have become behind it. */
#ifndef CLI_RUN_A2XX_MEMORY_H
#define CLI_RUN_A2XX_MEMORY_H

#include <tessera/a2xx.h>

#include "shader_arguments.h"

struct a2xx_memory_range;

/* Set .title and .a2xx, leave the rest zero. */
struct a2xx_memories {
    const char *title;
    struct tess_a2xx *a2xx;
    struct a2xx_memory_range *ranges;
    size_t count;
};

/* Takes all arguments. False after a mistake, which stderr has been told. */
bool a2xx_memories_take(struct a2xx_memories *memories, const struct shader_list *arguments);

/* Writes the files. False if that fails; stderr has been told. */
bool a2xx_memories_write(struct a2xx_memories *memories);

void a2xx_memories_free(struct a2xx_memories *memories);

#endif
