/* SPDX-License-Identifier: MIT */
/* launch.c - see launch.h.
 *
 * In:  a program and its arguments; signals sent to this process.
 * Out: TESSERA_VERDICT and TESSERA_VERDICT_FD; an exit status. */
#define _GNU_SOURCE /* pipe2(), mkostemp() */
#include "cli/launch/launch.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "cli/cli.h"
#include "cli/environment.h"
#include "cli/output.h"
#include "cli/stale_files.h"
#include "front/stale_files.h"

/* --- the program --- */

static volatile sig_atomic_t running; /* process number of the program */

static void pass_on(int signal)
{
    kill((pid_t)running, signal);
}

static const int passed[] = {SIGTERM, SIGHUP, SIGUSR1, SIGUSR2};

/* Blocks the signals that are forwarded to the program. While the program does not run, such a
 * signal stays pending, so that this process can remove its files first. */
static void hold_signals(sigset_t *before)
{
    sigset_t held;
    sigemptyset(&held);
    for (size_t i = 0; i < sizeof passed / sizeof *passed; i++)
        sigaddset(&held, passed[i]);
    sigprocmask(SIG_BLOCK, &held, before);
}

enum { TAKEN = 6, NOT_STARTED = -1 };

static const int taken[TAKEN] = {SIGTERM, SIGHUP, SIGUSR1, SIGUSR2, SIGINT, SIGQUIT};

/* Forwards signals to the program while it runs. SIGINT and SIGQUIT are ignored, since a terminal
 * sends them to both processes. */
static void take_signals(struct sigaction before[TAKEN])
{
    for (size_t i = 0; i < TAKEN; i++) {
        bool ours = taken[i] == SIGINT || taken[i] == SIGQUIT;
        struct sigaction action = {.sa_handler = ours ? SIG_IGN : pass_on, .sa_flags = SA_RESTART};
        sigaction(taken[i], &action, &before[i]);
    }
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

/* Runs in the child process. If the program is executed, the kernel closes the pipe
 * (close-on-exec). Otherwise the child writes a byte to the pipe. */
static _Noreturn void become(const struct launch *launch, const sigset_t *signals, int failed)
{
    sigprocmask(SIG_SETMASK, signals, NULL);
    prctl(PR_SET_PDEATHSIG, SIGKILL); /* ends the program if tessera is killed */
    execvp(launch->program[0], launch->program);
    fprintf(stderr, "%s: %s: %s\n", launch->title, launch->program[0], strerror(errno));
    _exit(write(failed, "", 1) == 1 ? CLI_USAGE : CLI_WRONG);
}

static bool has_started(pid_t process, int failed)
{
    char byte;
    ssize_t length;
    do
        length = read(failed, &byte, 1);
    while (length < 0 && errno == EINTR);
    return length == 0 || waitpid(process, NULL, 0) < 0;
}

/* Starts the program. Returns its process number, or -1 after an error message if the program could
 * not be started. */
static pid_t start(const struct launch *launch, const sigset_t *signals)
{
    int failed[2];
    fflush(NULL);
    pid_t process = pipe2(failed, O_CLOEXEC) == 0 ? fork() : -1;
    if (process == 0)
        become(launch, signals, failed[1]);
    if (process < 0) {
        fprintf(stderr, "%s: %s\n", launch->title, strerror(errno));
        return -1;
    }
    close(failed[1]);
    bool started = has_started(process, failed[0]);
    close(failed[0]);
    return started ? process : -1;
}

/* Runs the program. Returns the program's exit status, or NOT_STARTED. If launch->meanwhile() ended
 * the program, returns CLI_DONE, since many programs report failure when a signal ends them. */
static int run_program(const struct launch *launch, const sigset_t *signals)
{
    bool is_told = false;
    sigset_t held;
    struct sigaction before[TAKEN];
    pid_t process = start(launch, signals);
    if (process < 0)
        return NOT_STARTED;
    running = process;
    take_signals(before);
    sigprocmask(SIG_SETMASK, signals, &held);
    if (launch->meanwhile)
        is_told = launch->meanwhile(launch->context, process);
    int status = wait_for(launch->title, process);
    sigprocmask(SIG_SETMASK, &held, NULL);
    for (size_t i = 0; i < TAKEN; i++)
        sigaction(taken[i], &before[i], NULL);
    return is_told ? CLI_DONE : status;
}

/* --- the verdict file: each process of the program appends lines to it ---
 * A number is the count of errors of the process. "ended" means that the shim ended the process
 * because the requested work was done. "used" means that the process used the GPU. "lost" means
 * that the shim could not write a requested output. Other lines are for launch->take_line(). */

struct verdict {
    bool has_errors, was_ended, was_used, has_lost;
};

static struct verdict read_verdict(const struct launch *launch, const char *path)
{
    struct verdict verdict = {0};
    char *line = NULL;
    size_t size = 0;
    FILE *file = fopen(path, "re");
    while (file && getline(&line, &size, file) > 0) {
        if (strcmp(line, "ended\n") == 0)
            verdict.was_ended = true;
        else if (strcmp(line, STALE_FILE_LOST) == 0)
            verdict.has_lost = true;
        else if (strcmp(line, "used\n") == 0)
            verdict.was_used = true;
        else if (line[0] >= '0' && line[0] <= '9')
            verdict.has_errors |= strtoull(line, NULL, 10) > 0;
        else if (launch->take_line)
            launch->take_line(launch->user, line);
    }
    if (!file || ferror(file) || !feof(file)) {
        fprintf(stderr, "%s: %s: %s\n", launch->title, path, strerror(errno));
        verdict.has_lost = true;
    }
    free(line);
    if (file)
        fclose(file);
    return verdict;
}

/* Passes the verdict file to the program as an open descriptor, since a program that root started
 * may drop its privileges and could then not open the file by name. The descriptor has a high
 * number, since programs rarely use such numbers. */
static bool pass_verdict(const char *title, int file)
{
    enum { HIGH = 1000 };
    char number[16];
    const int high = fcntl(file, F_DUPFD, HIGH);
    snprintf(number, sizeof number, "%d", high >= 0 ? high : file);
    if (high >= 0)
        close(file);
    else
        fcntl(file, F_SETFD, 0);
    return environment_set(title, "TESSERA_VERDICT_FD", number);
}

static bool make_verdict(const char *title, char *path, size_t size)
{
    const int file = stale_files_make_file(title, path, size);
    return file >= 0 && pass_verdict(title, file);
}

static int run_and_read(const struct launch *launch, const char *path, const sigset_t *signals,
                        bool *ran)
{
    int status = NOT_STARTED;
    if (environment_set(launch->title, "TESSERA_VERDICT", path))
        status = run_program(launch, signals);
    *ran = status != NOT_STARTED;
    struct verdict verdict = *ran ? read_verdict(launch, path) : (struct verdict){0};
    unlink(path);
    if (launch->used)
        *launch->used = verdict.was_used;
    stale_files_sweep(); /* removes temporary files of a program that was killed */
    if (!*ran)
        return CLI_USAGE;
    if (verdict.was_ended)
        status = CLI_DONE;
    if (verdict.has_lost)
        outputs_abandon();
    return status == CLI_DONE && (verdict.has_errors || verdict.has_lost) ? CLI_WRONG : status;
}

int launch_judged(const struct launch *launch, bool *ran)
{
    char path[PATH_MAX];
    sigset_t signals;
    int status = CLI_USAGE;
    *ran = false;
    if (!outputs_check(launch->title))
        return status;
    hold_signals(&signals);
    if (make_verdict(launch->title, path, sizeof path))
        status = run_and_read(launch, path, &signals, ran);
    sigprocmask(SIG_SETMASK, &signals, NULL);
    return status;
}
