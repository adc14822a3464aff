/* SPDX-License-Identifier: MIT */
/* gl.c - tessera gl: starts a GL program on the modelled DRM device and Mesa's driver for it
 * (docs/gl.md), and derives the exit status.
 *
 * In:  options; a program and its arguments.
 * Out: the environment of the shim and of Mesa; the program's exit status, or 1 if only the shim
 *      reported errors. */
#include <errno.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "cli/cli.h"
#include "cli/environment.h"
#include "cli/launch/emulator.h"
#include "cli/launch/gl_list.h"
#include "cli/launch/gl_mesa.h"
#include "cli/launch/gl_window.h"
#include "cli/launch/launch.h"
#include "cli/launch/program.h"
#include "cli/launch/shim.h"
#include "cli/launch/shim_options.h"
#include "cli/option_rows.h"
#include "cli/stale_files.h"
#include "front/gl_values.h"
#include "front/limits.h"

struct arguments {
    const char *title;
    struct verdict_options verdict;
    bool list, has_window, has_board;
};

/* --- options, which set environment variables of the shim --- */

static bool set_driver(const struct option_use *use)
{
    struct stat status;
    if (stat(use->value, &status) == 0 && S_ISDIR(status.st_mode))
        return environment_set_path(use->title, "TESSERA_MESA", use->value);
    fprintf(stderr, "%s: --driver %s: %s\n", use->title, use->value,
            strerror(errno ? errno : ENOTDIR));
    return false;
}

static bool set_gpu(const struct option_use *use)
{
    if (gl_find_gpu(use->value))
        return environment_set(use->title, "TESSERA_GPU", use->value);
    return option_unknown(use);
}

/* Returns the GPU that the shim will provide. */
static const struct gl_gpu *chosen_gpu(void)
{
    const char *name = getenv("TESSERA_GPU");
    const struct gl_gpu *gpu = name ? gl_find_gpu(name) : NULL;
    return gpu ? gpu : gl_gpu_at(0);
}

static bool set_jobs(const struct option_use *use)
{
    struct gl_jobs jobs;
    if (gl_read_jobs(use->value, &jobs))
        return environment_set(use->title, "TESSERA_JOBS", use->value);
    return option_refuse(
        use, "invalid job range '%s': expected a job number or a range such as 2-5", use->value);
}

static bool set_mode(const struct option_use *use)
{
    struct gl_mode mode = {0};
    if (gl_read_mode(use->value, &mode))
        return environment_set(use->title, "TESSERA_MODE", use->value);
    return option_refuse(
        use, "invalid mode '%s': expected WIDTHxHEIGHT or WIDTHxHEIGHT@HZ, each %d to %d",
        use->value, LIMIT_LEAST_PIXELS, LIMIT_PIXELS);
}

static bool set_frames(const struct option_use *use)
{
    struct stat status;
    if (mkdir(use->value, 0777) == 0 ||
        (errno == EEXIST && stat(use->value, &status) == 0 && S_ISDIR(status.st_mode)))
        return environment_set_path(use->title, "TESSERA_FRAMES", use->value);
    fprintf(stderr, "%s: --frames %s: %s\n", use->title, use->value, strerror(errno));
    return false;
}

/* Sets TESSERA_FPS to the frame rate. Without a value, sets TESSERA_FPS to 1, which makes the shim
 * only print the rate. */
static bool set_rate(const struct option_use *use)
{
    enum { LEAST = 2 };
    uint32_t number;
    if (!use->value)
        return environment_set(use->title, "TESSERA_FPS", "1");
    if (gl_read_number(use->value, LEAST, LIMIT_RATE, &number))
        return environment_set(use->title, "TESSERA_FPS", use->value);
    return option_refuse(use, "invalid frame rate '%s': expected %d to %d", use->value, LEAST,
                         LIMIT_RATE);
}

static bool set_count(const struct option_use *use)
{
    uint32_t number;
    if (gl_read_number(use->value, 1, UINT32_MAX, &number))
        return environment_set(use->title, "TESSERA_COUNT", use->value);
    return option_refuse(use, "invalid frame count '%s': expected 1 or more", use->value);
}

static bool set_hang(const struct option_use *use)
{
    return environment_set_output(use->title, "TESSERA_HANG", use->value);
}

#define TARGET struct arguments
static const struct option_row rows[] = {
#include "cli/launch/gl.def"
    OPTIONS_END};
#undef TARGET

const struct option_table gl_options = {.rows = rows, .column = 34, .before = true};

/* --- The shim and Mesa --- */

static const struct shim drm = {"libtessera-drm.so", "src/shim/drm", "docs/gl.md"};

static int list(const struct arguments *arguments, const char *program)
{
    char shim[PATH_MAX];
    struct gl_found found = {.kind = program_own()};
    if (program && !program_find(arguments->title, program, &found.kind))
        return CLI_USAGE;
    if (shim_find(&drm, &found.kind, shim, sizeof shim))
        found.shim = shim;
    struct gl_mesas *mesas = gl_mesas_find(chosen_gpu(), &found.kind);
    found.mesas = mesas;
    int status = mesas ? gl_list_print(arguments->title, &found, getenv("TESSERA_JSON") != NULL)
                       : CLI_USAGE;
    free(mesas);
    return status;
}

static bool set_variable(void *context, const char *name, const char *value, bool in_front)
{
    const char *title = context;
    if (!value)
        return unsetenv(name) == 0;
    return in_front ? environment_add(title, name, value, true)
                    : environment_set(title, name, value);
}

static void no_mesa(const char *title, const struct gl_mesas *mesas,
                    const struct program_kind *kind)
{
    const char *processor = program_processor(kind);
    const struct gl_gpu *gpu = chosen_gpu();
    if (mesas && mesas->is_named)
        fprintf(stderr, "%s: cannot use the Mesa in %s: %s\n", title, mesas->list[0].path,
                mesas->list[0].problem);
    else
        fprintf(stderr, "%s: no Mesa with %s found for programs of %s: %s\n", title, gpu->name,
                processor ? processor : "this kind", gl_list_no_mesa(gpu, kind));
    fprintf(stderr, "Run 'tessera gl --list' for details.\n");
}

static bool set_mesa(const char *title, const struct program_kind *kind, char root[PATH_MAX])
{
    struct gl_mesas *mesas = gl_mesas_find(chosen_gpu(), kind);
    bool good = mesas && mesas->used;
    if (good) {
        good = gl_mesa_environment(mesas->used, set_variable, (void *)title);
        memcpy(root, mesas->used->root, PATH_MAX);
    } else {
        no_mesa(title, mesas, kind);
    }
    free(mesas);
    return good;
}

/* --- The program --- */

static int launch_with_window(struct launch *launch, struct verdict_options *verdict)
{
    struct gl_window *window = gl_window_open(launch->title);
    if (!window)
        return CLI_USAGE;
    launch->meanwhile = gl_window_show;
    launch->context = window;
    int status = shim_launch(launch, verdict);
    gl_window_close(window);
    return status;
}

static int start(struct arguments *arguments, char **program)
{
    struct launch launch = {.title = arguments->title, .program = program};
    struct verdict_options *verdict = &arguments->verdict;
    const int tree = stale_files_make_tree(arguments->title);
    const int status = arguments->has_window ? launch_with_window(&launch, verdict)
                                             : shim_launch(&launch, verdict);
    if (tree >= 0)
        close(tree);
    stale_files_sweep();
    return status;
}

/* Adds the shims to the front of LD_PRELOAD. The board's shim is added first, so that it follows
 * the shim of the DRM device in LD_PRELOAD. */
static bool preload(const struct arguments *arguments, const char *program,
                    const struct program_kind *kind, const char *shim)
{
    const char *title = arguments->title;
    return (!arguments->has_board || shim_preload_vcio(title, program, kind)) &&
           shim_preload(title, shim);
}

static bool may_emulate(const struct arguments *arguments, const char *program)
{
    if (arguments->has_board)
        fprintf(stderr,
                "%s: --board does not support '%s', which runs in an emulator; omit --board\n",
                arguments->title, program);
    return !arguments->has_board;
}

static int run(struct arguments *arguments, char **program)
{
    const char *title = arguments->title;
    struct program_kind kind;
    struct emulator emulator;
    char shim[PATH_MAX], root[PATH_MAX];
    if (!program_find(title, program[0], &kind) ||
        !shim_of_program(title, program[0], &drm, &kind, shim, sizeof shim) ||
        !set_mesa(title, &kind, root))
        return CLI_USAGE;
    if (!emulator_runs(program[0], &kind))
        return preload(arguments, program[0], &kind, shim) ? start(arguments, program) : CLI_USAGE;
    if (!may_emulate(arguments, program[0]) ||
        !emulator_make(&emulator, title, program, &kind, shim, *root ? root : NULL))
        return CLI_USAGE;
    int status = start(arguments, emulator.arguments);
    emulator_free(&emulator);
    return status;
}

int cli_gl(int argc, char **argv)
{
    struct arguments arguments = {.title = argv[0], .verdict = {.title = argv[0]}};
    int status = options_parse(&gl_options, &arguments, argc, argv);
    if (status != OPTIONS_PARSED)
        return status;
    if (arguments.list)
        return list(&arguments, argv[optind]);
    if (optind == argc)
        return cli_usage_error(arguments.title, "no program given");
    if (arguments.has_board && chosen_gpu() != gl_gpu_at(0))
        return cli_usage_error(arguments.title, "--board is not possible with --gpu %s",
                               chosen_gpu()->name);
    return run(&arguments, argv + optind);
}
