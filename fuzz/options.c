/* SPDX-License-Identifier: MIT */
/* options.c - fuzz target: command lines of the verbs asm, check, decode, dis and run. The input's
 * first character selects the verb. The lines that follow are the verb's arguments. The verb runs
 * in a temporary folder with small files. Arguments cannot name files in other folders. */
#include <fcntl.h>
#include <getopt.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "cli/cli.h"
#include "cli/output.h"
#include "cli/written_files.h"

int LLVMFuzzerInitialize(int *count, char ***arguments);
int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

enum { ARGUMENTS = 24, BYTES = 1024 };

static const struct {
    const char *name, *text;
} files[] = {
    /* clang-format off */
    /* clang-format off */
    {"s.qasm", ".org 0x1000\nshader:\nmov ra1, unif\nmov r0, ra1\nnop; thrend\nnop\nnop\n"
     "uniforms:\n.word 42\n.scene qpu shader uniforms 1\n"},
    {"v.gp",         ".attribute position 0\n.varying position 0\nuniform 0 { }\n"},
    {"p.a2xx",       "EXEC\nEND\n"},
    {"t.csv",        "position.x,position.y,position.z\n0,0,0\n1,0,0\n0,1,0\n"},
    {"u.csv",        "c0,1,2,3,4\n"},
    {"tessera.toml", "fail-on = \"warning\"\n[rules]\nuniform-after-address = \"off\"\n"},
    /* clang-format on */
    /* clang-format on */
};

enum { FILES = sizeof files / sizeof *files };

static char folder[64];

static void write_files(void)
{
    for (size_t i = 0; i < FILES; i++) {
        FILE *file = fopen(files[i].name, "w");
        if (!file || fputs(files[i].text, file) < 0 || fclose(file) != 0)
            abort();
    }
}

/* Removes the folder with all files, including outputs of the verbs. */
static void leave(void)
{
    char command[128];
    snprintf(command, sizeof command, "rm -rf %s", folder);
    if (chdir("/") != 0 || system(command) != 0)
        abort();
}

int LLVMFuzzerInitialize(int *count, char ***arguments)
{
    const char *temporary = getenv("TMPDIR");
    (void)count;
    (void)arguments;
    snprintf(folder, sizeof folder, "%.30s/tessera-fuzz-XXXXXX",
             temporary && *temporary ? temporary : "/tmp");
    if (!mkdtemp(folder))
        abort();
    return 0;
}

static void enter(void)
{
    static bool there;
    int nothing = open("/dev/null", O_RDWR);
    if (!there &&
        (chdir(folder) != 0 || nothing < 0 || dup2(nothing, STDIN_FILENO) != 0 ||
         dup2(nothing, STDOUT_FILENO) != STDOUT_FILENO || !(stderr = fopen("/dev/null", "we"))))
        abort();
    close(nothing);
    if (!there)
        atexit(leave);
    there = true;
    write_files();
}

/* Changes a text so that no argument can name a file outside of the folder. */
static void make_harmless(char *text, size_t size)
{
    for (size_t i = 0; i < size; i++)
        if (text[i] == '/' || text[i] == '~' || text[i] == 0)
            text[i] = '_';
    for (char *at = text; (at = strstr(at, "..")); at++)
        *at = '_';
}

static int run_verb(char which, int count, char **arguments)
{
    optind = 0; /* resets getopt_long() */
    opterr = 0;
    switch (which) {
    case 'a': arguments[0] = "tessera asm"; return cli_asm(count, arguments);
    case 'c': arguments[0] = "tessera check"; return cli_check(count, arguments);
    case 'd': arguments[0] = "tessera decode"; return cli_decode(count, arguments);
    case 'i': arguments[0] = "tessera dis"; return cli_dis(count, arguments);
    default: arguments[0] = "tessera run"; return cli_run(count, arguments);
    }
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    static char text[BYTES + 1];
    char *arguments[ARGUMENTS + 2] = {0}, *rest = NULL;
    int count = 1;
    if (size < 2 || size > BYTES)
        return 0;
    memcpy(text, data, size);
    text[size] = 0;
    make_harmless(text, size);
    enter();
    for (char *line = strtok_r(text + 1, "\n", &rest); line && count <= ARGUMENTS;
         line = strtok_r(NULL, "\n", &rest))
        arguments[count++] = line;
    if (!outputs_begin())
        return 0;
    int status = run_verb(text[0], count, arguments);
    if (status < CLI_DONE || status > CLI_USAGE)
        abort();
    outputs_abandon();
    written_files_end(false);
    outputs_end();
    return 0;
}
