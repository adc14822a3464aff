/* SPDX-License-Identifier: MIT */
/* shim_options.c - see shim_options.h.
 *
 * In:  options and their values.
 * Out: TESSERA_* variables, which src/shim/common reads; the exit status of the program's run. */
#include "cli/launch/shim_options.h"

#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <tessera/pi.h>
#include <tessera/vc4.h>

#include "cli/cli.h"
#include "cli/environment.h"
#include "cli/option_rows.h"
#include "cli/output.h"
#include "front/limits.h"

bool shim_board(const struct option_use *use)
{
    if (tess_pi_board_find(use->value))
        return environment_set(use->title, "TESSERA_BOARD", use->value);
    return option_unknown(use);
}

bool shim_capture(const struct option_use *use)
{
    if (strcmp(use->value, "-") != 0)
        return environment_set_output(use->title, "TESSERA_CAPTURE", use->value);
    return option_refuse(use, "--capture cannot write to standard output; name a file");
}

static bool set_memory(const struct option_use *use)
{
    enum { LEAST = 1, MOST = LIMIT_MEBIBYTES };
    char bytes[32];
    uint64_t mebibytes;
    if (!cli_number(use->value, &mebibytes) || mebibytes < LEAST || mebibytes > MOST)
        return option_refuse(use, "invalid memory size '%s': expected %d to %d MiB", use->value,
                             LEAST, MOST);
    snprintf(bytes, sizeof bytes, "%lu", (unsigned long)mebibytes << 20);
    return environment_set(use->title, "TESSERA_MEMORY", bytes);
}

static bool set_stats(const struct option_use *use)
{
    return environment_set_shared_file(use->title, "TESSERA_STATS", use->value ? use->value : "-");
}

#define TARGET struct verdict_options

const struct option_row shim_memory_rows[] = {
#include "cli/launch/shim_memory.def"
    OPTIONS_END};

const struct option_row shim_run_rows[] = {
#include "cli/launch/shim_run.def"
    OPTIONS_END};

const struct option_row shim_last_rows[] = {
#include "cli/launch/shim_last.def"
    OPTIONS_END};

#undef TARGET

/* Returns a message for the first requested output of TESSERA_STATS, TESSERA_TRACE and
 * TESSERA_CAPTURE, or NULL if no output was requested. The caller has found that no process used
 * the GPU, so that the output does not exist. */
static const char *unused_result(void)
{
    static const struct {
        const char *variable, *text;
    } results[] = {
        {"TESSERA_STATS", "no process used the GPU, so there are no statistics"},
        {"TESSERA_TRACE", "no process used the GPU, so there is no trace"},
        {"TESSERA_CAPTURE", "no process used the GPU, so there is no capture"},
    };
    for (size_t i = 0; i < sizeof results / sizeof results[0]; i++)
        if (getenv(results[i].variable))
            return results[i].text;
    return NULL;
}

static void report_unused(struct report *report)
{
    const struct tess_sink sink = report_sink(report);
    const struct tess_finding diag = {
        .level = TESS_NOTE,
        .id = "gpu-unused",
        .text = unused_result(),
        .hint = "check that the program opens the GPU's device and is linked dynamically"};
    if (diag.text)
        sink.report(sink.user, &diag);
}

/* Registers the files of TESSERA_SOURCE as inputs, since the shim reads them. Returns false after
 * an error message if the host is out of memory. */
static bool note_sources(const char *title)
{
    const char *list = getenv("TESSERA_SOURCE");
    char *paths = list ? strdup(list) : NULL, *rest = NULL;
    bool good = !list || paths;
    for (char *path = paths ? strtok_r(paths, ":", &rest) : NULL; path && good;
         path = strtok_r(NULL, ":", &rest))
        good = input_note_path(path);
    free(paths);
    if (!good)
        cli_no_memory(title);
    return good;
}

/* A program's run and its findings. */
struct shim_run {
    const char *program;
    struct verdict_options *verdict;
    struct report report; /* findings of this process */
    bool begun, good;     /* begun: the document of --format has begun; good: no error so far */
};

/* Begins the document of --format on the first call. The first call is after the end of the
 * program, so that a document on standard error follows the program's own output. */
static void begin_log(struct shim_run *run)
{
    if (!run->begun)
        run->good = verdict_log_begin(run->verdict, &run->report, TESS_MACHINE_QPU, run->program);
    run->begun = true;
}

static void take_line(void *user, char *line)
{
    struct shim_run *run = user;
    begin_log(run);
    verdict_take_line(run->verdict, line);
}

static int launch_and_report(struct launch *launch, struct shim_run *run, bool *ran)
{
    bool used = false;
    launch->used = &used;
    launch->take_line = take_line;
    launch->user = run;
    int status = launch_judged(launch, ran);
    if (!*ran)
        return status;
    begin_log(run);
    if (!used && status == CLI_DONE)
        report_unused(&run->report);
    run->good &= verdict_log_close(run->verdict, &run->report, status);
    return run->good ? status : CLI_USAGE;
}

int shim_launch(struct launch *launch, struct verdict_options *verdict)
{
    struct shim_run run = {.program = launch->program[0],
                           .verdict = verdict,
                           .report = {.json = getenv("TESSERA_JSON") != NULL}};
    bool ran = false;
    int status = CLI_USAGE;
    if (note_sources(launch->title) && verdict_begin(verdict, ".") && verdict_export(verdict))
        status = launch_and_report(launch, &run, &ran);
    verdict->failed |= !ran;
    status = verdict_end(verdict, status);
    return ran && !outputs_commit(launch->title) ? CLI_USAGE : status;
}
