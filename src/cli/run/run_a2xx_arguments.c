/* SPDX-License-Identifier: MIT */
/* run_a2xx_arguments.c - see run_a2xx_arguments.h. */
#include "cli/run/run_a2xx_arguments.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cli/cli.h"
#include "cli/run/run_a2xx.h"
#include "cli/suggest.h"

static const struct option options[] = {SHADER_OPTIONS, A2XX_OPTIONS, {0}};

static bool take_stage(struct a2xx_arguments *arguments)
{
    bool vertex = strcmp(optarg, "vertex") == 0;
    arguments->stage = vertex ? TESS_A2XX_VERTEX : TESS_A2XX_PIXEL;
    if (vertex || strcmp(optarg, "pixel") == 0 || strcmp(optarg, "fragment") == 0)
        return true;
    cli_usage_error(arguments->shared.title,
                    "unknown stage '%s'; expected vertex or pixel (also called fragment)", optarg);
    return false;
}

static bool take_param_gen(struct a2xx_arguments *arguments)
{
    uint64_t number;
    const char *text = optarg + (*optarg == 'R');
    if (cli_number(text, &number) && number < TESS_A2XX_REGISTERS) {
        arguments->param_gen = (int)number;
        return true;
    }
    cli_usage_error(arguments->shared.title, "invalid register '%s': expected R0 to R63", optarg);
    return false;
}

static bool take_front(struct a2xx_arguments *arguments)
{
    arguments->clockwise_front = strcmp(optarg, "clockwise") == 0;
    if (arguments->clockwise_front || strcmp(optarg, "counter-clockwise") == 0)
        return true;
    cli_usage_error(arguments->shared.title,
                    "unknown winding '%s'; expected clockwise or counter-clockwise", optarg);
    return false;
}

static bool take_trace_pixel(struct a2xx_arguments *arguments)
{
    char *end, *last;
    unsigned long x = strtoul(optarg, &end, 10), y = *end == ',' ? strtoul(end + 1, &last, 10) : 0;
    arguments->has_trace_pixel = true;
    arguments->trace_x = (uint32_t)x;
    arguments->trace_y = (uint32_t)y;
    if (*optarg >= '0' && *optarg <= '9' && *end == ',' && end[1] >= '0' && end[1] <= '9' &&
        !*last && x < TESS_PICTURE_MOST && y < TESS_PICTURE_MOST)
        return true;
    cli_usage_error(arguments->shared.title,
                    "invalid pixel '%s': expected X,Y from the top left corner", optarg);
    return false;
}

static bool take_option(struct a2xx_arguments *arguments, int option)
{
    switch (option) {
    case A2XX_PIXEL: arguments->pixel = optarg; return true;
    case A2XX_STAGE: return take_stage(arguments);
    case A2XX_VARIANT: return cli_variant(arguments->shared.title, optarg, &arguments->variant);
    case A2XX_TEXTURE: return shader_list_add(&arguments->textures, optarg);
    case A2XX_BUFFER: return shader_list_add(&arguments->buffers, optarg);
    case A2XX_MEMORY: return shader_list_add(&arguments->memories, optarg);
    case A2XX_BOOL: return shader_list_add(&arguments->bools, optarg);
    case A2XX_LOOP: return shader_list_add(&arguments->loops, optarg);
    case A2XX_PARAM_GEN: return take_param_gen(arguments);
    case A2XX_FRONT: return take_front(arguments);
    case A2XX_QUADS: return arguments->quads = true;
    case A2XX_TRACE_PIXEL: return take_trace_pixel(arguments);
    default: return shader_arguments_take(&arguments->shared, option);
    }
}

static struct shader_list *list_of(struct a2xx_arguments *arguments, size_t index)
{
    struct shader_list *const lists[] = {&arguments->textures, &arguments->buffers,
                                         &arguments->memories, &arguments->bools,
                                         &arguments->loops};
    return index < sizeof lists / sizeof lists[0] ? lists[index] : NULL;
}

/* Sets the defaults. Vertex programs export positions in clip space, since the A2xx divides by w
 * itself. Returns false after an error message if the host is out of memory. */
static bool begin(struct a2xx_arguments *arguments, int argc, char **argv)
{
    struct shader_list *list;
    bool good = shader_arguments_begin(&arguments->shared, argc, argv);
    arguments->stage = A2XX_AUTOMATIC;
    arguments->param_gen = A2XX_AUTOMATIC;
    arguments->shared.draw.draw.clip_space = true;
    for (size_t i = 0; good && (list = list_of(arguments, i)) != NULL; i++) {
        good = shader_list_begin(list, (size_t)argc);
        if (!good)
            fprintf(stderr, "%s: %s\n", argv[0], tess_status_text(TESS_NO_MEMORY));
    }
    return good;
}

static bool parse(struct a2xx_arguments *arguments, int argc, char **argv)
{
    int option;
    while ((option = suggest_getopt(argc, argv, SHADER_LETTERS, options)) != -1)
        if (!take_option(arguments, option))
            return false;
    return shader_arguments_end(&arguments->shared, argc, argv);
}

bool a2xx_arguments_take(struct a2xx_arguments *arguments, int argc, char **argv)
{
    *arguments = (struct a2xx_arguments){0};
    return begin(arguments, argc, argv) && parse(arguments, argc, argv);
}

void a2xx_arguments_free(struct a2xx_arguments *arguments)
{
    struct shader_list *list;
    for (size_t i = 0; (list = list_of(arguments, i)) != NULL; i++)
        free(list->items);
    shader_arguments_free(&arguments->shared);
}
