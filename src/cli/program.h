/* SPDX-License-Identifier: MIT */
/* program.h - what a program is, and whether a shim can be loaded into it. */
#ifndef CLI_PROGRAM_H
#define CLI_PROGRAM_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* What must agree between a program and what is loaded into it. */
struct program_kind {
    bool is_elf;
    bool is_whole;   /* its headers can be read */
    bool is_dynamic; /* a program that has an interpreter, or a library */
    uint8_t class;
    uint16_t machine;
};

/* The kind of a program, which is found as execvp() does. False if it is none, or nothing can be preloaded into it; and stderr
 * has been told. */
bool program_find(const char *title, const char *name, struct program_kind *kind);

/* The path of a program, as execvp() finds it. False, and errno says why, if there is none. */
bool program_path(const char *name, char *path, size_t size);

/* Opens a file to be read, if it is a regular one: others, such as pipes, would let the caller wait. -1 and errno: it is none. */
int program_open(const char *path);

/* The kind of a library; of one that cannot be read, nothing is set. */
struct program_kind program_library(const char *path);

/* The kind of this program. */
struct program_kind program_own(void);

/* Whether both can be in one process. */
bool program_agrees(const struct program_kind *one, const struct program_kind *other);

/* Says on stderr why a program cannot be run. Returns false. */
bool program_complain(const char *title, const char *name, const char *why);

/* The processor's name: "x86-64"; NULL if it has none here. */
const char *program_processor(const struct program_kind *kind);

/* The name that Debian has for it in the paths of libraries: "x86_64-linux-gnu"; NULL if it has none here. */
const char *program_triplet(const struct program_kind *kind);

/* What runs its programs here: "qemu-aarch64"; NULL if this processor does, or nothing is known to. */
const char *program_emulator(const struct program_kind *kind);

#endif
