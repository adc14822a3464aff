/* SPDX-License-Identifier: MIT */
/* run_a2xx_memory.c - see run_a2xx_memory.h. */
#include "cli/run/run_a2xx_memory.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cli/cli.h"
#include "cli/output.h"

/* Range of addresses for --memory. Addresses from END on are for buffers. */
enum { FIRST = 0x1000, END = 0x10000000 };

static const char marker[] = ",size=";

struct a2xx_memory_range {
    char *path;
    struct output file;
    uint8_t *bytes;
    uint32_t address, size;
};

/* Parses ADDRESS=FILE,size=BYTES and allocates the range. Returns false if the text is invalid. */
static bool parse(struct a2xx_memory_range *range, const char *argument)
{
    const char *equals = strchr(argument, '='), *size = NULL;
    char number[24] = "";
    uint64_t address, bytes;
    for (const char *at = argument; (at = strstr(at, marker)) != NULL; at++)
        size = at;
    if (!equals || !size || size <= equals + 1 || equals - argument >= (ptrdiff_t)sizeof number)
        return false;
    memcpy(number, argument, (size_t)(equals - argument));
    if (!cli_number(number, &address) || !cli_number(size + strlen(marker), &bytes) ||
        address % 4 || address < FIRST || address >= END || bytes == 0 || bytes > END - address)
        return false;
    range->address = (uint32_t)address;
    range->size = (uint32_t)bytes;
    range->path = strndup(equals + 1, (size_t)(size - equals - 1));
    range->bytes = calloc(1, range->size);
    return true;
}

bool a2xx_memories_take(struct a2xx_memories *memories, const struct option_list *arguments)
{
    memories->ranges = calloc(arguments->count + 1, sizeof *memories->ranges);
    for (size_t i = 0; memories->ranges && i < arguments->count; i++) {
        struct a2xx_memory_range *range = &memories->ranges[memories->count++];
        if (!parse(range, arguments->items[i]))
            return cli_refuse(memories->title,
                              "invalid memory '%s': expected ADDRESS=FILE,size=BYTES, ADDRESS a "
                              "multiple of 4 from 0x%x to 0x%x",
                              arguments->items[i], FIRST, END - 4);
        if (!range->path || !range->bytes)
            break;
        if (tess_a2xx_map(memories->a2xx, range->address, range->bytes, range->size, true) ==
            TESS_OK) {
            if (!output_open(&range->file, memories->title, range->path))
                return false;
            continue;
        }
        return cli_refuse(memories->title, "memory '%s' overlaps other memory",
                          arguments->items[i]);
    }
    const struct a2xx_memory_range *last = memories->count ? &memories->ranges[memories->count - 1]
                                                           : NULL;
    if (memories->ranges && (!last || (last->path && last->bytes)))
        return true;
    return cli_no_memory(memories->title);
}

bool a2xx_memories_write(struct a2xx_memories *memories)
{
    for (size_t i = 0; i < memories->count; i++) {
        struct a2xx_memory_range *range = &memories->ranges[i];
        fwrite(range->bytes, 1, range->size, range->file.stream);
        if (!output_close(&range->file))
            return false;
    }
    return true;
}

void a2xx_memories_free(struct a2xx_memories *memories)
{
    for (size_t i = 0; i < memories->count; i++) {
        free(memories->ranges[i].path);
        free(memories->ranges[i].bytes);
    }
    free(memories->ranges);
    *memories = (struct a2xx_memories){0};
}
