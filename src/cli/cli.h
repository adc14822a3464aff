/* SPDX-License-Identifier: MIT */
/* cli.h - the verbs of the tessera program. Each verb receives its own arguments, with "tessera
 * VERB" as argv[0], and returns an exit status. */
#ifndef CLI_CLI_H
#define CLI_CLI_H

#include <stdarg.h>
#include <stdint.h>

#include <tessera/isa.h>
#include <tessera/tessera.h>

/* Exit statuses. */
enum {
    CLI_DONE = 0,
    CLI_WRONG = 1, /* the program under test is wrong */
    CLI_USAGE = 2, /* usage error, or unreadable input */
};

int cli_asm(int argc, char **argv);
int cli_check(int argc, char **argv);
int cli_decode(int argc, char **argv);
int cli_dis(int argc, char **argv);
int cli_gl(int argc, char **argv);
int cli_new(int argc, char **argv);
int cli_pi(int argc, char **argv);
int cli_qpu(int argc, char **argv);
int cli_run(int argc, char **argv);
int cli_tutorial(int argc, char **argv);

/* Returns the exit status for the result of a library call. */
int cli_exit_status(enum tess_status status);

/* Prints "tessera VERB: TEXT" and cli_usage_hint() on stderr. Returns CLI_USAGE. */
int cli_usage_error(const char *title, const char *format, ...)
    __attribute__((format(printf, 2, 3)));

void cli_usage_error_list(const char *title, const char *format, va_list arguments)
    __attribute__((format(printf, 2, 0)));

/* Print an error message as cli_usage_error() does, and "tessera VERB: out of memory". Always
 * return false. */
bool cli_refuse(const char *title, const char *format, ...) __attribute__((format(printf, 2, 3)));
bool cli_no_memory(const char *title);

/* Prints "Try 'tessera VERB --help' ..." on stderr, the second line of a usage error. */
void cli_usage_hint(const char *title);

/* Returns the only argument after the options. Returns NULL after an error message if the number of
 * arguments is not 1, or if the argument is a folder. what: noun for the message, such as
 * "scene". */
const char *cli_one_file(const char *title, const char *what, int argc, char **argv);

/* Checks the value of --trace, a file name. Returns false after an error message if path is a
 * number, since the user then probably meant --trace-vertex. */
bool cli_trace_file(const char *title, const char *path);

/* Parses the whole text as a decimal or 0x number of at most 64 bits. Returns false if the text is
 * not such a number. */
bool cli_number(const char *text, uint64_t *value);

/* Finds the machine named by --machine. Returns false after an error message if the name is
 * unknown. */
bool cli_machine(const char *title, const char *name, enum tess_machine *machine);

#endif
