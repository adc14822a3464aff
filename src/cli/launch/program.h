/* SPDX-License-Identifier: MIT */
/* program.h - finds the kind of a program, and rejects programs into which no shim can be
 * preloaded. */
#ifndef CLI_LAUNCH_PROGRAM_H
#define CLI_LAUNCH_PROGRAM_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Properties that a program and its libraries must share. */
struct program_kind {
    bool is_elf;
    bool is_whole;   /* true if the ELF headers are valid */
    bool is_dynamic; /* true for a dynamically linked program and for a shared library */
    uint8_t class;
    uint16_t machine;
};

/* Finds a program as execvp() does, and reads its kind. Returns false after an error message if the
 * program is not found, is not executable, or cannot have a library preloaded. */
bool program_find(const char *title, const char *name, struct program_kind *kind);

/* Finds the path of a program as execvp() does. Returns false with errno set if no program is
 * found. */
bool program_path(const char *name, char *path, size_t size);

/* Opens a regular file for reading. Returns -1 with errno set if the file cannot be opened or is
 * not a regular file. Reading from a pipe, for example, could block. */
int program_open(const char *path);

/* Returns the kind of a library. The result is all zero if the file cannot be read. */
struct program_kind program_library(const char *path);

/* Returns the kind of the running tessera program. */
struct program_kind program_own(void);

/* True if a program and a library of these kinds can be loaded into one process. */
bool program_agrees(const struct program_kind *one, const struct program_kind *other);

/* Returns the name of the program's processor, such as "x86-64", or NULL if the processor is
 * unknown. */
const char *program_processor(const struct program_kind *kind);

/* Returns Debian's name of the processor in library paths, such as "x86_64-linux-gnu", or NULL if
 * the processor is unknown. */
const char *program_triplet(const struct program_kind *kind);

/* Returns the name of the emulator for the program's processor, such as "qemu-aarch64". Returns
 * NULL if the host's processor can run the program, or if no emulator is known. */
const char *program_emulator(const struct program_kind *kind);

#endif
