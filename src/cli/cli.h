/* SPDX-License-Identifier: MIT */
/* cli.h - the verbs of the tessera program. Each gets its own arguments, argv[0] being "tessera
 * VERB", and returns an exit status. */
#ifndef CLI_CLI_H
#define CLI_CLI_H

#include <stdint.h>

#include <tessera/isa.h>
#include <tessera/tessera.h>

/* Exit statuses. */
enum {
    CLI_DONE = 0,
    CLI_WRONG = 1, /* the program under test is wrong */
    CLI_USAGE = 2, /* usage, or input that cannot be read */
};

int cli_asm(int argc, char **argv);
int cli_check(int argc, char **argv);
int cli_decode(int argc, char **argv);
int cli_dis(int argc, char **argv);
int cli_gl(int argc, char **argv);
int cli_new(int argc, char **argv);
int cli_qpu(int argc, char **argv);
int cli_run(int argc, char **argv);
int cli_tutorial(int argc, char **argv);

/* The exit status for the result of a library call. */
int cli_exit_status(enum tess_status status);

/* Prints "tessera VERB: text" and where to find help to stderr; returns CLI_USAGE. */
int cli_usage_error(const char *title, const char *format, ...)
    __attribute__((format(printf, 2, 3)));

/* Prints where to find help to stderr: the second line of a usage error. */
void cli_usage_hint(const char *title);

/* The one file behind the options, or NULL, and stderr has been told; what: what it is, "scene". */
const char *cli_one_file(const char *title, const char *what, int argc, char **argv);

/* True if the value of --trace can be a file's name. Numbers are refused, with a message on stderr: --trace-vertex takes them. */
bool cli_trace_file(const char *title, const char *path);

/* Parses a whole argument as a decimal or 0x number of 64 bits. */
bool cli_number(const char *text, uint64_t *value);

/* Looks up the value of --machine. False if there is none, and stderr has been told. */
bool cli_machine(const char *title, const char *name, enum tess_machine *machine);

/* Looks up the value of --variant, of the A2xx. False if there is none, and stderr has been told. */
bool cli_variant(const char *title, const char *name, enum tess_a2xx_variant *variant);

#endif
