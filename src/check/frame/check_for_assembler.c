/* SPDX-License-Identifier: MIT */
/* check_for_assembler.c - runs the checker after assembly, for tess_assemble().
 *
 * In:  an assembled program, and the warnings of the assembler.
 * Out: warnings and errors of the checker as diagnostics, with notes for macro calls. */
#include "base/diag.h"
#include "check/frame/check.h"

/* State of report_warning(), which converts findings to the assembler's diagnostics. */
struct assembler_sink {
    const struct asm_program *program;
    const struct check_job *job;
    struct tess_sink sink;
};

static void report_warning(void *user, const struct tess_check_finding *finding)
{
    struct assembler_sink *to = user;
    if (finding->level < TESS_CHECK_WARNING)
        return;
    const struct tess_diag diag = {.severity = TESS_WARNING,
                                   .rule = finding->rule->id,
                                   .hint = finding->hint,
                                   .file = finding->place.file,
                                   .line = finding->place.line,
                                   .column = finding->place.column,
                                   .source_line = finding->place.source_line};
    diag_report(to->sink, &diag, "%s", finding->text);
    check_report_calls(to->program, to->job->origin ? to->job->origin->trace : 0, to->sink);
}

enum tess_status check_for_assembler(const struct asm_program *program, enum tess_machine machine,
                                     enum tess_a2xx_variant variant, const struct check_said *said,
                                     struct tess_sink sink)
{
    const struct tess_check_options options = {.machine = machine, .variant = variant};
    struct check_job job;
    struct assembler_sink to = {program, &job, sink};
    size_t bad;
    if (!check_machine(machine) ||
        !check_job_begin(&job, &options, (struct tess_check_sink){report_warning, &to}, &bad))
        return TESS_OK;
    job.partial = true; /* code placed before this program may write the registers that
                         * the program reads */
    job.levels[CHECK_UNDEFINED] = job.levels[CHECK_UNDEFINED_FLAGS] = TESS_CHECK_OFF;
    job.said = said;
    return check_assembled(&job, program, sink);
}
