/* SPDX-License-Identifier: MIT */
/* check_steps.c - reports mistakes in the steps of a scene at their lines in the source.
 *
 * How:      writes the program as a scene file in memory, and loads it as "tessera run" does.
 * Left out: bytes of the section ".tessera.data", which only captures contain. A step that needs
 *           such bytes gives a warning. */
#include "check/frame/check.h"

#include <string.h>

#include <tessera/scene.h>

#include "asm/source.h"
#include "asm/write.h"
#include "base/diag.h"

enum { MISTAKES_MAX = 100 }; /* largest number of mistakes that are reported */

struct steps_check {
    const struct asm_program *program;
    struct tess_sink sink;
    bool wrong;
    unsigned mistakes;
};

/* Returns the ".scene" statement of a line in the section ".tessera", or NULL. Each statement
 * writes one line. */
static const struct asm_step *step_of(const struct asm_program *program, uint32_t line)
{
    const struct asm_step *steps = (const struct asm_step *)(const void *)program->steps.data;
    size_t count = program->steps.size / sizeof *steps;
    return line > 0 && line <= count ? &steps[line - 1] : NULL;
}

/* Returns the column of a diagnostic in the source line, or 0 if a macro changed the text of the
 * step. */
static uint32_t column_of(const struct asm_step *step, const struct tess_finding *diag)
{
    const char *raw = step->line->raw;
    uint32_t before = step->column - 1;
    bool same = diag->source_line && before <= strlen(raw) &&
                strncmp(raw + before, diag->source_line, strlen(diag->source_line)) == 0;
    return same && diag->column ? before + diag->column : 0;
}

static void take(void *user, const struct tess_finding *diag)
{
    struct steps_check *check = user;
    struct tess_finding here = *diag;
    const struct asm_step *step = diag->line ? step_of(check->program, diag->line) : NULL;
    if (!step && diag->line)
        return;
    here.file = step ? step->line->file->path : NULL;
    here.line = step ? step->line->number : 0;
    here.column = step ? column_of(step, diag) : 0;
    here.source_line = step ? step->line->raw : NULL;
    bool captured = diag->id && strcmp(diag->id, "scene-data") == 0;
    if (!step || captured)
        here.level = TESS_WARNING;
    check->wrong |= here.level == TESS_ERROR;
    if (check->mistakes++ >= MISTAKES_MAX)
        return;
    if (check->sink.report)
        check->sink.report(check->sink.user, &here);
    if (step)
        check_report_calls(check->program, step->trace, check->sink);
}

enum tess_status check_steps(const struct asm_program *program, struct tess_sink sink)
{
    struct steps_check check = {.program = program, .sink = sink};
    struct tess_scene *scene = NULL;
    struct buffer file = {0};
    if (program->steps.size == 0)
        return TESS_OK;
    enum tess_status status = asm_write_scene(program, &file);
    if (status == TESS_OK)
        status = tess_scene_load_memory(&scene, file.data, file.size, "scene",
                                        (struct tess_sink){take, &check});
    tess_scene_free(scene);
    buffer_free(&file);
    if (status == TESS_NO_MEMORY)
        return status;
    return check.wrong ? TESS_WRONG : TESS_OK;
}
