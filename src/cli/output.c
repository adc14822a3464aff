/* SPDX-License-Identifier: MIT */
/* output.c - see output.h.
 *
 * Source: GNU coreutils, closeout.c (errors of standard output); gnulib, stdopen.c (closed standard
 *         descriptors) and its removal of temporary files on signals. */
#include "output.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <tessera/output.h>

#include "cli.h"
#include "written_files.h"

static struct tess_outputs *set;
static bool abandoned, committed;

/* --- outputs --- */

static bool fail(const char *title)
{
    fprintf(stderr, "%s: %s\n", title, tess_outputs_error());
    return false;
}

bool output_open(struct output *output, const char *title, const char *path)
{
    *output = (struct output){.title = title};
    if (tess_output_open(set, path ? path : "-", &output->file) != TESS_OK)
        return fail(title);
    written_files_note(path);
    output->stream = tess_output_stream(output->file);
    return true;
}

bool output_close(struct output *output)
{
    output->stream = NULL;
    return tess_output_finish(output->file) == TESS_OK || fail(output->title);
}

bool output_claim(const char *title, const char *path)
{
    return tess_outputs_claim(set, path) == TESS_OK || fail(title);
}

bool output_plan(const char *title, const char *path)
{
    return tess_outputs_reserve(set, path) == TESS_OK || fail(title);
}

bool output_flush_standard(const char *title)
{
    if (!ferror(stdout))
        errno = 0; /* clears the error of an earlier call */
    if (fflush(stdout) == 0 && !ferror(stdout))
        return true;
    fprintf(stderr, "%s: cannot write to standard output: %s\n", title,
            errno ? strerror(errno) : "a write failed");
    clearerr(stdout); /* keeps a later call from reporting the same error */
    return false;
}

/* --- inputs --- */

bool input_note(int descriptor, const char *path)
{
    return !set || tess_outputs_add_input(set, descriptor, path) == TESS_OK;
}

bool input_note_path(const char *path)
{
    int descriptor = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY);
    bool good = descriptor < 0 || input_note(descriptor, path);
    if (descriptor >= 0)
        close(descriptor);
    return good;
}

FILE *input_open(const char *path)
{
    bool standard = strcmp(path, "-") == 0;
    FILE *stream = standard ? stdin : fopen(path, "rb");
    if (!stream || input_note(fileno(stream), path))
        return stream;
    if (!standard)
        fclose(stream);
    errno = ENOMEM;
    return NULL;
}

/* --- start and end of the program --- */

/* Opens /dev/null for each closed standard descriptor. Standard input is opened for writing, and
 * standard output and error are opened for reading, so that their use fails as on a closed
 * descriptor. */
static void open_standard(void)
{
    static const int ways[] = {O_WRONLY, O_RDONLY, O_RDONLY};
    for (int i = STDIN_FILENO; i <= STDERR_FILENO; i++)
        if (fcntl(i, F_GETFD) < 0 && open("/dev/null", ways[i]) != i)
            _exit(CLI_USAGE);
}

static void clean_up(int signal_number)
{
    sigset_t this;
    tess_outputs_remove_temporaries();
    signal(signal_number, SIG_DFL);
    raise(signal_number);
    sigemptyset(&this);
    sigaddset(&this, signal_number);
    sigprocmask(SIG_UNBLOCK, &this, NULL);
}

/* Handler of SIGXFSZ, which does nothing. Without a handler, a write beyond the file-size limit
 * would end the program. With a handler, the write returns an error. */
static void go_on(int signal_number)
{
    (void)signal_number;
}

static void take_signal(int number, void (*handler)(int))
{
    struct sigaction action = {.sa_handler = handler, .sa_flags = SA_RESTART}, before;
    sigfillset(&action.sa_mask);
    if (sigaction(number, NULL, &before) == 0 && before.sa_handler == SIG_DFL)
        sigaction(number, &action, NULL);
}

static void take_signals(void)
{
    static const int ending[] = {SIGHUP,  SIGINT,  SIGQUIT, SIGPIPE,   SIGALRM,
                                 SIGTERM, SIGUSR1, SIGUSR2, SIGVTALRM, SIGXCPU};
    for (size_t i = 0; i < sizeof ending / sizeof *ending; i++)
        take_signal(ending[i], clean_up);
    take_signal(SIGXFSZ, go_on);
}

bool outputs_begin(void)
{
    open_standard();
    if (tess_outputs_create(&set) != TESS_OK)
        return fail("tessera");
    take_signals();
    tess_outputs_use(set);
    return true;
}

bool outputs_check(const char *title)
{
    return tess_outputs_check(set) == TESS_OK || fail(title);
}

bool outputs_commit(const char *title)
{
    if (!output_flush_standard(title))
        return false;
    if (!abandoned && tess_outputs_commit(set) != TESS_OK)
        return fail(title);
    committed = !abandoned;
    return true;
}

bool outputs_committed(void)
{
    return committed;
}

void outputs_abandon(void)
{
    abandoned = true;
}

void outputs_end(void)
{
    tess_outputs_free(set);
    set = NULL;
}
