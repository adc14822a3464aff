/* SPDX-License-Identifier: MIT */
/* program.h - finds the kind of a program, and rejects programs into which no shim can be
 * preloaded. */
#ifndef CLI_PROGRAM_H
#define CLI_PROGRAM_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Properties that a program and its libraries must share. */
struct program_kind {
    bool is_elf;
    bool is_whole;   /* its ELF headers are readable */
    bool is_dynamic; /* a program with an interpreter, or a library */
    uint8_t class;
    uint16_t machine;
};

/* Finds a program as execvp() does, and its kind. Returns false after an error message if it is not
 * a program, or if nothing can be preloaded into it. */
bool program_find(const char *title, const char *name, struct program_kind *kind);

/* Finds the path of a program as execvp() does. Returns false with errno set. */
bool program_path(const char *name, char *path, size_t size);

/* Opens a regular file for reading. Returns -1 with errno set for any other file, since opening a
 * pipe, for example, could block. */
int program_open(const char *path);

/* Returns the kind of a library. The result is all zero if the file cannot be read. */
struct program_kind program_library(const char *path);

/* Returns the kind of this program. */
struct program_kind program_own(void);

/* True if both can be loaded into one process. */
bool program_agrees(const struct program_kind *one, const struct program_kind *other);

/* Prints an error that explains why a program cannot be run, with a suggestion. Always returns
 * false. */
bool program_complain(const char *title, const char *name, const char *why);

/* Returns the name of the program's processor, such as "x86-64", or NULL if the processor is
 * unknown. */
const char *program_processor(const struct program_kind *kind);

/* Returns Debian's name of the processor in library paths, such as "x86_64-linux-gnu", or NULL if
 * the processor is unknown. */
const char *program_triplet(const struct program_kind *kind);

/* Returns the emulator for the program's processor, such as "qemu-aarch64". Returns NULL if this
 * computer runs the program itself, or if no emulator is known. */
const char *program_emulator(const struct program_kind *kind);

#endif
