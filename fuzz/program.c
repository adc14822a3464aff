/* SPDX-License-Identifier: MIT */
/* program.c - fuzz target: the inspection of a program before a shim is preloaded,
 * src/cli/launch/program.c. The input is the program's file. It may contain ELF headers, or be a script
 * whose interpreter is the script itself, a folder, a pipe or a device. */
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "cli/launch/program.h"

int LLVMFuzzerInitialize(int *count, char ***arguments);
int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static char folder[64];

static void leave(void)
{
    unlink("p");
    unlink("f");
    rmdir(folder);
}

/* Creates the folder. The names in the folder are short, so that the fuzzer finds them. "./p" is
 * the program, and "./f" is a pipe without a writer. */
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

/* Enters the folder at the first input. Not done in LLVMFuzzerInitialize(), since the paths of
 * seeds may be relative to the current folder. */
static void enter(void)
{
    static bool there;
    if (there)
        return;
    there = true;
    if (chdir(folder) != 0 || mkfifo("f", 0700) != 0 || !(stderr = fopen("/dev/null", "we")))
        abort();
    atexit(leave);
}

static void write_program(const uint8_t *data, size_t size)
{
    int file = open("p", O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0700);
    if (file < 0 || write(file, data, size) != (ssize_t)size)
        abort();
    close(file);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct program_kind kind = {0}, library, own = program_own();
    enter();
    write_program(data, size);
    bool found = program_find("fuzz", "./p", &kind);
    library = program_library("./p");
    if (found && (!kind.is_elf || !kind.is_whole || !kind.is_dynamic))
        abort();
    if (library.is_dynamic && !library.is_whole)
        abort();
    program_agrees(&kind, &own);
    program_processor(&library);
    program_triplet(&library);
    program_emulator(&library);
    return 0;
}
