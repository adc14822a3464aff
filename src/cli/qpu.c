/* SPDX-License-Identifier: MIT */
/* qpu.c - tessera qpu: starts a program of the Raspberry Pi with the shim in front of it (docs/qpu.md), and judges how it ended.
 *
 * In:  options, a program and its arguments.
 * Out: the shim's environment; the program's exit status, or 1 if only the shim found something wrong. */
#define _GNU_SOURCE /* realpath() */
#include <errno.h>
#include <getopt.h>
#include <limits.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <tessera/pi.h>
#include <tessera/vc4.h>

#include "cli.h"
#include "output.h"
#include "qpu_program.h"

static const char help[] =
    "Usage: tessera qpu [OPTION]... [--] PROGRAM [ARGUMENT]...\n"
    "Runs a GPGPU program that was written for a Raspberry Pi, unmodified: it finds /dev/vcio,\n"
    "/dev/mem and what else such programs use, with a modelled VideoCore IV behind them\n"
    "(docs/qpu.md).\n\n"
    "      --board NAME                zero, pi1, pi2 or pi3; default pi1\n"
    "      --memory MIB                GPU memory in MiB, default 256\n"
    "      --timeout SECONDS           of the chip's time, for programs that are started by "
    "registers;\n"
    "                                  default 10, 0: none\n"
    "      --threads COUNT             host threads, 1 to 64; default: as many as processors are "
    "online\n"
    "      --sanitize                  look for uninitialised reads and races, too; slower\n"
    "      --strict                    --sanitize, and warnings are errors\n"
    "      --stats[=FILE]              statistics at the end, to FILE or standard error\n"
    "      --trace FILE                a line for each executed QPU instruction\n"
    "      --capture FILE              record what was run as a scene (docs/scene.md)\n"
    "      --source FILE               .qasm or ELF file whose code the program runs, for labels "
    "and\n"
    "                                  lines in what is reported; repeatable\n"
    "      --json                      statistics as JSON, diagnostics as JSON lines\n"
    "      --help                      this text\n\n"
    "Exit status: the program's, if it is not 0, or 128 and the number of the signal that ended "
    "it;\n"
    "1 if errors were reported; 2 usage, or the program cannot be run this way; else 0.\n";

enum {
    OPTION_HELP = 1,
    OPTION_BOARD,
    OPTION_MEMORY,
    OPTION_TIMEOUT,
    OPTION_THREADS,
    OPTION_SANITIZE,
    OPTION_STRICT,
    OPTION_STATS,
    OPTION_TRACE,
    OPTION_CAPTURE,
    OPTION_SOURCE,
    OPTION_JSON
};

static const struct option options[] = {
    {"help",             no_argument, NULL, OPTION_HELP},
    {"board",              required_argument, NULL, OPTION_BOARD},
    {"memory",                  required_argument, NULL, OPTION_MEMORY},
    {"timeout",required_argument, NULL, OPTION_TIMEOUT},
    {"threads",      required_argument, NULL, OPTION_THREADS},
    {"sanitize",           no_argument, NULL, OPTION_SANITIZE},
    {"strict",              no_argument, NULL, OPTION_STRICT},
    {"stats",                  optional_argument, NULL, OPTION_STATS},
    {"trace",              required_argument, NULL, OPTION_TRACE},
    {"capture",    required_argument, NULL, OPTION_CAPTURE},
    {"source",          required_argument, NULL, OPTION_SOURCE},
    {"json",              no_argument, NULL, OPTION_JSON},
    {0                 },
};

/* --- Options, which become the shim's environment --- */

static bool set(const char *name, const char *value)
{
    if (setenv(name, value, 1) == 0)
        return true;
    fprintf(stderr, "tessera qpu: %s\n", strerror(errno));
    return false;
}

/* A file's name from the root, so that the program may change its folder. "-" stays. */
static bool set_path(const char *name, const char *path)
{
    char folder[PATH_MAX], full[2 * PATH_MAX];
    if (path[0] == '/' || strcmp(path, "-") == 0 || !getcwd(folder, sizeof folder))
        return set(name, path);
    snprintf(full, sizeof full, "%s/%s", folder, path);
    return set(name, full);
}

/* Adds to a list with colons between. */
static bool add(const char *name, const char *value, bool in_front)
{
    const char *before = getenv(name);
    if (!before || !*before)
        return set(name, value);
    size_t size = strlen(before) + strlen(value) + 2;
    char *both = malloc(size);
    if (!both)
        return false;
    snprintf(both, size, "%s:%s", in_front ? value : before, in_front ? before : value);
    bool good = set(name, both);
    free(both);
    return good;
}

/* A file that all processes of the program add to begins empty. "%p" makes one for each. */
static bool set_shared_file(const char *title, const char *name, const char *path)
{
    if (strcmp(path, "-") != 0 && !strstr(path, "%p")) {
        FILE *file = fopen(path, "w");
        if (!file || fclose(file) != 0) {
            fprintf(stderr, "%s: %s: %s\n", title, path, strerror(errno));
            return false;
        }
    }
    return set_path(name, path);
}

static bool set_capture(const char *title, const char *path)
{
    if (strcmp(path, "-") != 0)
        return set_path("TESSERA_CAPTURE", path);
    cli_usage_error(title, "a capture needs a file of its own");
    return false;
}

static bool add_source(const char *title, const char *path)
{
    char *full = realpath(path, NULL);
    if (!full) {
        fprintf(stderr, "%s: %s: %s\n", title, path, strerror(errno));
        return false;
    }
    bool good = add("TESSERA_SOURCE", full, false);
    free(full);
    return good;
}

static bool set_board(const char *title, const char *name)
{
    if (tess_pi_board_find(name))
        return set("TESSERA_BOARD", name);
    cli_usage_error(title, "there is no board '%s'; they are zero, pi1, pi2 and pi3", name);
    return false;
}

static bool set_threads(const char *title, const char *text)
{
    uint64_t count;
    if (cli_number(text, &count) && count >= 1 && count <= TESS_VC4_MAX_THREADS)
        return set("TESSERA_THREADS", text);
    cli_usage_error(title, "'%s' is no number of threads: 1 to %d", text, TESS_VC4_MAX_THREADS);
    return false;
}

static bool set_timeout(const char *title, const char *text)
{
    enum { MOST = 1000000 };
    uint64_t seconds;
    if (cli_number(text, &seconds) && seconds <= MOST)
        return set("TESSERA_TIMEOUT", text);
    cli_usage_error(title, "'%s' is no timeout: 0 to %d seconds", text, MOST);
    return false;
}

static bool set_memory(const char *title, const char *text)
{
    enum { LEAST = 1, MOST = 960 };
    char bytes[32];
    uint64_t mebibytes;
    if (!cli_number(text, &mebibytes) || mebibytes < LEAST || mebibytes > MOST) {
        cli_usage_error(title, "'%s' is no size of GPU memory: %d to %d MiB", text, LEAST, MOST);
        return false;
    }
    snprintf(bytes, sizeof bytes, "%lu", (unsigned long)mebibytes << 20);
    return set("TESSERA_MEMORY", bytes);
}

static bool take_option(const char *title, int option)
{
    switch (option) {
    case OPTION_BOARD: return set_board(title, optarg);
    case OPTION_MEMORY: return set_memory(title, optarg);
    case OPTION_TIMEOUT: return set_timeout(title, optarg);
    case OPTION_THREADS: return set_threads(title, optarg);
    case OPTION_SANITIZE: return set("TESSERA_SANITIZE", "1");
    case OPTION_STRICT: return set("TESSERA_STRICT", "1");
    case OPTION_STATS: return set_shared_file(title, "TESSERA_STATS", optarg ? optarg : "-");
    case OPTION_TRACE: return set_shared_file(title, "TESSERA_TRACE", optarg);
    case OPTION_CAPTURE: return set_capture(title, optarg);
    case OPTION_SOURCE: return add_source(title, optarg);
    case OPTION_JSON: return set("TESSERA_JSON", "1");
    default: cli_usage_hint(title); return false;
    }
}

/* --- The shim --- */

static bool set_shim(const char *title, const char *program)
{
    char shim[PATH_MAX];
    if (!qpu_program_shim(title, program, shim, sizeof shim) || !add("LD_PRELOAD", shim, true))
        return false;
#ifdef TESS_PRELOAD_FIRST /* the sanitizers' libraries, of a build that has them */
    if (!add("LD_PRELOAD", TESS_PRELOAD_FIRST, true))
        return false;
#endif
    *strrchr(shim, '/') = 0; /* the folder has libbcm_host, too */
    return add("LD_LIBRARY_PATH", shim, false);
}

/* --- The program --- */

static volatile sig_atomic_t running; /* its process number */

static void pass_on(int signal)
{
    kill((pid_t)running, signal);
}

/* While the program runs it gets what this process gets. A terminal's own signals reach both already. */
static void set_signals(void (*pass)(int), void (*leave)(int))
{
    static const int passed[] = {SIGTERM, SIGHUP, SIGUSR1, SIGUSR2}, left[] = {SIGINT, SIGQUIT};
    for (size_t i = 0; i < sizeof passed / sizeof *passed; i++)
        signal(passed[i], pass);
    for (size_t i = 0; i < sizeof left / sizeof *left; i++)
        signal(left[i], leave);
}

static int wait_for(const char *title, pid_t process)
{
    int status;
    while (waitpid(process, &status, 0) < 0)
        if (errno != EINTR) {
            fprintf(stderr, "%s: %s\n", title, strerror(errno));
            return CLI_USAGE;
        }
    return WIFSIGNALED(status) ? 128 + WTERMSIG(status) : WEXITSTATUS(status);
}

static int run_program(const char *title, char **program)
{
    fflush(NULL);
    pid_t process = fork();
    if (process == 0) {
        prctl(PR_SET_PDEATHSIG, SIGKILL); /* whoever kills the verb means the program */
        execvp(program[0], program);
        fprintf(stderr, "%s: %s: %s\n", title, program[0], strerror(errno));
        _exit(CLI_USAGE);
    }
    if (process < 0) {
        fprintf(stderr, "%s: %s\n", title, strerror(errno));
        return CLI_USAGE;
    }
    running = process;
    set_signals(pass_on, SIG_IGN);
    int status = wait_for(title, process);
    set_signals(SIG_DFL, SIG_DFL);
    return status;
}

/* --- The verdict: a file to which each process adds the number of its errors --- */

static bool has_errors(const char *path)
{
    unsigned long long count = 0, errors = 0;
    FILE *file = fopen(path, "r");
    while (file && fscanf(file, "%llu", &count) == 1)
        errors += count;
    if (file)
        fclose(file);
    return errors > 0;
}

static bool make_verdict(const char *title, char *path, size_t size)
{
    const char *folder = getenv("TMPDIR");
    snprintf(path, size, "%s/tessera-XXXXXX", folder && *folder ? folder : "/tmp");
    int file = mkstemp(path);
    if (file < 0) {
        fprintf(stderr, "%s: %s: %s\n", title, path, strerror(errno));
        return false;
    }
    fchmod(file, 0666); /* programs that were started by root may become somebody else */
    close(file);
    return true;
}

static int run_judged(const char *title, char **program)
{
    char verdict[PATH_MAX];
    if (!make_verdict(title, verdict, sizeof verdict))
        return CLI_USAGE;
    int status = CLI_USAGE;
    if (set("TESSERA_VERDICT", verdict))
        status = run_program(title, program);
    if (status == CLI_DONE && has_errors(verdict))
        status = CLI_WRONG;
    unlink(verdict);
    return status;
}

int cli_qpu(int argc, char **argv)
{
    int option;
    const char *title = argv[0];
    while ((option = getopt_long(argc, argv, "+", options, NULL)) != -1) {
        if (option == OPTION_HELP)
            return output_text(title, help);
        if (!take_option(title, option))
            return CLI_USAGE;
    }
    if (optind == argc)
        return cli_usage_error(title, "no program given");
    if (!set_shim(title, argv[optind]))
        return CLI_USAGE;
    return run_judged(title, argv + optind);
}
