/* SPDX-License-Identifier: MIT */
/* run_a2xx_arguments.c - see run_a2xx_arguments.h. */
#include "cli/run/run_a2xx_arguments.h"

#include <stdlib.h>
#include <string.h>

#include "cli/cli.h"
#include "cli/option_rows.h"
#include "cli/run/runners.h"

static bool find_stage(const char *word, void *value)
{
    bool vertex = strcmp(word, "vertex") == 0;
    *(int *)value = vertex ? TESS_A2XX_VERTEX : TESS_A2XX_PIXEL;
    return vertex || strcmp(word, "pixel") == 0 || strcmp(word, "fragment") == 0;
}

static bool find_front(const char *word, void *value)
{
    bool clockwise = strcmp(word, "clockwise") == 0;
    *(bool *)value = clockwise;
    return clockwise || strcmp(word, "counter-clockwise") == 0;
}

static bool take_param_gen(const struct option_use *use)
{
    struct a2xx_arguments *arguments = use->target;
    uint64_t number;
    if (!cli_number(use->value + (*use->value == 'R'), &number) || number >= TESS_A2XX_REGISTERS)
        return option_refuse(use, "invalid register '%s': expected R0 to R63", use->value);
    arguments->param_gen = (int)number;
    return true;
}

static bool take_trace_pixel(const struct option_use *use)
{
    struct a2xx_arguments *arguments = use->target;
    const char *text = use->value;
    char *end, *last;
    unsigned long x = strtoul(text, &end, 10), y = *end == ',' ? strtoul(end + 1, &last, 10) : 0;
    arguments->has_trace_pixel = true;
    arguments->trace_x = (uint32_t)x;
    arguments->trace_y = (uint32_t)y;
    if (*text >= '0' && *text <= '9' && *end == ',' && end[1] >= '0' && end[1] <= '9' && !*last &&
        x < TESS_PICTURE_MOST && y < TESS_PICTURE_MOST)
        return true;
    return option_refuse(use, "invalid pixel '%s': expected X,Y from the top left corner", text);
}

#define TARGET struct a2xx_arguments

const struct option_row a2xx_rows[] = {
#include "cli/run/a2xx_own.def"
    OPTIONS_END};

static const struct option_row rows[] = {
#include "cli/run/a2xx.def"
    OPTIONS_END};

#undef TARGET

const struct option_table a2xx_options = {.rows = rows, .column = 34};

void a2xx_arguments_begin(struct a2xx_arguments *arguments, const char *title)
{
    *arguments = (struct a2xx_arguments){.stage = A2XX_AUTOMATIC, .param_gen = A2XX_AUTOMATIC};
    shader_arguments_begin(&arguments->shared, title);
    arguments->shared.draw.draw.clip_space = true;
}

void a2xx_arguments_free(struct a2xx_arguments *arguments)
{
    free(arguments->textures.items);
    free(arguments->buffers.items);
    free(arguments->memories.items);
    free(arguments->bools.items);
    free(arguments->loops.items);
    shader_arguments_free(&arguments->shared);
}
