/* SPDX-License-Identifier: MIT */
/* run_a2xx_programs.c - see run_a2xx_programs.h. */
#include "cli/run/run_a2xx_programs.h"

#include <stdlib.h>

#include "cli/cli.h"
#include "cli/input_file.h"

enum { MOST_PROGRAM = 64 << 20 };

static enum tess_status read_program(const struct a2xx_arguments *all, const char *path,
                                     struct tess_sink sink, struct tess_a2xx_program **program)
{
    const struct shader_arguments *arguments = &all->shared;
    const struct tess_asm_options how = {.machine = TESS_MACHINE_A2XX,
                                         .variant = all->variant,
                                         .include_dirs = arguments->includes.items,
                                         .include_dir_count = arguments->includes.count,
                                         .defines = arguments->defines.items,
                                         .define_count = arguments->defines.count,
                                         .max_errors = message_limit_errors(),
                                         .skip_check = true};
    uint8_t *bytes;
    size_t size;
    if (!input_file_read(path, MOST_PROGRAM, sink, &bytes, &size))
        return TESS_IO;
    enum tess_status status = tess_a2xx_program_read(bytes, size, input_file_name(path), &how, sink,
                                                     program);
    free(bytes);
    return status;
}

/* Returns false after an error message if options contradict each other or the stage. */
static bool check(const struct a2xx_arguments *arguments, enum tess_a2xx_stage stage)
{
    const char *mistake = NULL;
    if (stage == TESS_A2XX_PIXEL && arguments->pixel)
        mistake = "--pixel needs a vertex program";
    else if (stage == TESS_A2XX_PIXEL && arguments->shared.draw.path)
        mistake = "--draw needs a vertex program; name the pixel program with --pixel";
    else if (arguments->pixel && !arguments->shared.draw.path)
        mistake = "--pixel needs --draw; without --draw, run the pixel program alone";
    else if (arguments->has_trace_pixel && !arguments->pixel)
        mistake = "--trace-pixel needs --pixel";
    if (mistake)
        cli_usage_error(arguments->shared.title, "%s", mistake);
    return !mistake;
}

enum tess_status a2xx_programs_read(struct a2xx_programs *programs,
                                    const struct a2xx_arguments *arguments, struct tess_sink sink)
{
    struct tess_a2xx_program *first = NULL;
    enum tess_status status = read_program(arguments, arguments->shared.path, sink, &first);
    if (status != TESS_OK)
        return status;
    programs->stage = arguments->stage != A2XX_AUTOMATIC ? (enum tess_a2xx_stage)arguments->stage
                      : arguments->pixel                 ? TESS_A2XX_VERTEX
                                                         : tess_a2xx_program_stage(first);
    if (programs->stage == TESS_A2XX_VERTEX)
        programs->vertex = first;
    else
        programs->pixel = first;
    if (!check(arguments, programs->stage))
        return TESS_BAD_INPUT;
    return arguments->pixel ? read_program(arguments, arguments->pixel, sink, &programs->pixel)
                            : TESS_OK;
}

struct tess_a2xx_program *a2xx_programs_main(const struct a2xx_programs *programs)
{
    return programs->stage == TESS_A2XX_VERTEX ? programs->vertex : programs->pixel;
}

void a2xx_programs_free(struct a2xx_programs *programs)
{
    tess_a2xx_program_free(programs->vertex);
    tess_a2xx_program_free(programs->pixel);
    *programs = (struct a2xx_programs){0};
}
