/* SPDX-License-Identifier: MIT */
/* gl.c - tessera gl: starts a GL program on the modelled DRM device and Mesa's driver for it
 * (docs/gl.md), and derives the exit status.
 *
 * In:  options; a program and its arguments.
 * Out: the environment of the shim and of Mesa; the program's exit status, or 1 if only the shim
 *      reported errors. */
#include <errno.h>
#include <getopt.h>
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
#include "cli/output.h"
#include "cli/stale_files.h"
#include "cli/suggest.h"
#include "front/gl_values.h"
#include "front/limits.h"

/* clang-format off */
static const char help[] =
    "Usage: tessera gl [OPTION]... [--] PROGRAM [ARGUMENT]...\n"
    "       tessera gl --list [--json] [PROGRAM]\n"
    "Run an unmodified OpenGL or OpenGL ES program on Mesa's vc4 driver. The program and the\n"
    "driver see the DRM device of a Raspberry Pi with a modelled VideoCore IV (docs/gl.md).\n"
    "\n"
    "      --list                      list the shim and each Mesa, which Mesa is used, and why\n"
    "      --driver DIR                use the Mesa in DIR, a prefix or a folder of libraries\n"
    "      --gpu NAME                  provide another GPU: vc4, or lima, the render node of a\n"
    "                                  Mali-400, which refuses jobs (default vc4)\n"
    "      --board NAME                also provide the other devices and files of a board:\n"
    "                                  zero, pi1, pi2, pi3 or zero2 (/proc/cpuinfo ...)\n"
    "      --memory MIB                set the GPU memory in MiB (default 256)\n"
    "      --threads N                 use N host threads, 1 to 64 (default: all processors)\n"
    "      --sanitize                  detect uninitialised reads and races (slower)\n"
    "      --strict                    treat warnings as errors; implies --sanitize\n"
    "      --stats[=FILE]              write statistics to FILE, or to standard error\n"
    "      --capture FILE              write jobs to FILE as a scene (%d in FILE: one per job)\n"
    "      --jobs A[-B]                select the jobs of --capture and --dump, counted from 1\n"
    "      --dump                      print the control lists of jobs\n"
    "      --hang FILE                 write the state of a hung GPU to FILE as a hang dump\n"
    "      --mode WIDTHxHEIGHT[@HZ]    set the mode of the display (default 1024x768@60)\n"
    "      --frames DIR                write each shown picture to DIR as a PNG file\n"
    "      --window                    show pictures in a window; closing it ends the program\n"
    "      --fps[=RATE]                print pictures per second, or show RATE per second\n"
    "      --count N                   end the program after N shown pictures\n"
    SHIM_LAST_HELP_TEXT;
/* clang-format on */

enum {
    OPTION_LIST = SHIM_OPTIONS_OWN,
    OPTION_DRIVER,
    OPTION_GPU,
    OPTION_BOARD,
    OPTION_JOBS,
    OPTION_DUMP,
    OPTION_HANG,
    OPTION_MODE,
    OPTION_FRAMES,
    OPTION_WINDOW,
    OPTION_FPS,
    OPTION_COUNT
};

static const struct option options[] = {
    /* clang-format off */
    /* clang-format off */
    SHIM_OPTIONS,
    {"list",   no_argument,       NULL, OPTION_LIST},
    {"driver", required_argument, NULL, OPTION_DRIVER},
    {"gpu",    required_argument, NULL, OPTION_GPU},
    {"board",  required_argument, NULL, OPTION_BOARD},
    {"jobs",   required_argument, NULL, OPTION_JOBS},
    {"dump",   no_argument,       NULL, OPTION_DUMP},
    {"hang",   required_argument, NULL, OPTION_HANG},
    {"mode",   required_argument, NULL, OPTION_MODE},
    {"frames", required_argument, NULL, OPTION_FRAMES},
    {"window", no_argument,       NULL, OPTION_WINDOW},
    {"fps",    optional_argument, NULL, OPTION_FPS},
    {"count",  required_argument, NULL, OPTION_COUNT},
    {NULL,     0,                 NULL, 0},
    /* clang-format on */
    /* clang-format on */
};

struct arguments {
    const char *title;
    struct verdict_options verdict;
    bool list, json, has_window, has_board;
};

/* --- options, which set environment variables of the shim --- */

static bool set_driver(const char *title, const char *folder)
{
    struct stat status;
    if (stat(folder, &status) == 0 && S_ISDIR(status.st_mode))
        return environment_set_path(title, "TESSERA_MESA", folder);
    fprintf(stderr, "%s: --driver %s: %s\n", title, folder, strerror(errno ? errno : ENOTDIR));
    return false;
}

static bool set_gpu(const char *title, const char *name)
{
    if (gl_find_gpu(name))
        return environment_set(title, "TESSERA_GPU", name);
    cli_usage_error(title, "unknown GPU '%s'; expected vc4 or lima", name);
    return false;
}

/* Returns the GPU that the shim will provide. */
static const struct gl_gpu *chosen_gpu(void)
{
    const char *name = getenv("TESSERA_GPU");
    const struct gl_gpu *gpu = name ? gl_find_gpu(name) : NULL;
    return gpu ? gpu : gl_gpu_at(0);
}

static bool set_jobs(const char *title, const char *text)
{
    struct gl_jobs jobs;
    if (gl_read_jobs(text, &jobs))
        return environment_set(title, "TESSERA_JOBS", text);
    cli_usage_error(title, "invalid job range '%s': expected a job number or a range such as 2-5",
                    text);
    return false;
}

static bool set_mode(const char *title, const char *text)
{
    struct gl_mode mode = {0};
    if (gl_read_mode(text, &mode))
        return environment_set(title, "TESSERA_MODE", text);
    cli_usage_error(title,
                    "invalid mode '%s': expected WIDTHxHEIGHT or WIDTHxHEIGHT@HZ, each %d to %d",
                    text, LIMIT_LEAST_PIXELS, LIMIT_PIXELS);
    return false;
}

static bool set_frames(const char *title, const char *folder)
{
    struct stat status;
    if (mkdir(folder, 0777) == 0 ||
        (errno == EEXIST && stat(folder, &status) == 0 && S_ISDIR(status.st_mode)))
        return environment_set_path(title, "TESSERA_FRAMES", folder);
    fprintf(stderr, "%s: --frames %s: %s\n", title, folder, strerror(errno));
    return false;
}

/* Sets TESSERA_FPS to the frame rate in text. If text is NULL, sets TESSERA_FPS to 1, which makes
 * the shim only print the rate. */
static bool set_rate(const char *title, const char *text)
{
    enum { LEAST = 2 };
    uint32_t number;
    if (!text)
        return environment_set(title, "TESSERA_FPS", "1");
    if (gl_read_number(text, LEAST, LIMIT_RATE, &number))
        return environment_set(title, "TESSERA_FPS", text);
    cli_usage_error(title, "invalid frame rate '%s': expected %d to %d", text, LEAST, LIMIT_RATE);
    return false;
}

static bool set_count(const char *title, const char *text)
{
    uint32_t number;
    if (gl_read_number(text, 1, UINT32_MAX, &number))
        return environment_set(title, "TESSERA_COUNT", text);
    cli_usage_error(title, "invalid frame count '%s': expected 1 or more", text);
    return false;
}

static bool take_option(struct arguments *arguments, int option)
{
    const char *title = arguments->title;
    if (verdict_is_option(option))
        return verdict_take(&arguments->verdict, option);
    switch (option) {
    case OPTION_LIST: return arguments->list = true;
    case OPTION_DRIVER: return set_driver(title, optarg);
    case OPTION_GPU: return set_gpu(title, optarg);
    case OPTION_BOARD: arguments->has_board = true; return shim_board(title, optarg);
    case OPTION_JOBS: return set_jobs(title, optarg);
    case OPTION_DUMP: return environment_set(title, "TESSERA_DUMP", "decode");
    case OPTION_HANG: return environment_set_output(title, "TESSERA_HANG", optarg);
    case OPTION_MODE: return set_mode(title, optarg);
    case OPTION_FRAMES: return set_frames(title, optarg);
    case OPTION_WINDOW: return arguments->has_window = true;
    case OPTION_FPS: return set_rate(title, optarg);
    case OPTION_COUNT: return set_count(title, optarg);
    case SHIM_OPTION_JSON: arguments->json = true; return shim_option(title, option);
    default: return shim_option(title, option);
    }
}

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
    int status = mesas ? gl_list_print(arguments->title, &found, arguments->json) : CLI_USAGE;
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
    int option;
    struct arguments arguments = {.title = argv[0], .verdict = {.title = argv[0]}};
    while ((option = suggest_getopt(argc, argv, "+" VERDICT_LETTERS, options)) != -1) {
        if (option == SHIM_OPTION_HELP)
            return output_text(arguments.title, help);
        if (!take_option(&arguments, option))
            return CLI_USAGE;
    }
    if (arguments.list)
        return list(&arguments, argv[optind]);
    if (optind == argc)
        return cli_usage_error(arguments.title, "no program given");
    if (arguments.has_board && chosen_gpu() != gl_gpu_at(0))
        return cli_usage_error(arguments.title, "--board is not possible with --gpu %s",
                               chosen_gpu()->name);
    return run(&arguments, argv + optind);
}
