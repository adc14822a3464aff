/* SPDX-License-Identifier: MIT */
/* names.h - names for addresses of a machine: symbols, and source lines of code. */
#ifndef FRONT_NAMES_H
#define FRONT_NAMES_H

#include <stdio.h>

#include <tessera/scene.h>
#include <tessera/sources.h>

struct address_name {
    const char *symbol;    /* NULL if there is no symbol */
    uint32_t offset;       /* distance from the symbol in bytes */
    bool past_end;         /* true if the address is after the end of the symbol's memory */
    const char *file;      /* source file, NULL if unknown */
    uint32_t line, column; /* column is 0 if unknown */
};

/* Sources of names. Zero unused members. */
struct address_names {
    const struct tess_scene *scene;
    struct tess_sources *sources;
    /* True if code is at the addresses given in the sources. Otherwise code is recognised by its
     * contents. */
    bool fixed;
    struct tess_code_reader memory;
    /* Names memory that is not part of a scene, such as buffer objects. The name stays valid for
     * some further calls. */
    bool (*place)(uint32_t address, struct tess_scene_place *place);
};

/* Look up the name of an address or of an instruction, whose word may be NULL if it is unknown.
 * Return false, with *name zeroed, if there is no name. */
bool names_address(const struct address_names *names, uint32_t address, struct address_name *name);
bool names_instruction(const struct address_names *names, uint32_t address, const uint64_t *word,
                       struct address_name *name);

/* Looks up the source line of a place in a machine: the line of the instruction, else of its
 * program, else of the control record, else of the bytes at the address. Returns false, with *name
 * zeroed, if none is known. */
bool names_place(const struct address_names *names, const struct tess_place *place,
                 struct address_name *name);

/* Drops cached recognitions of code, because memory may have changed. */
void names_forget(const struct address_names *names);

/* Removes the folder from the source file's name, for tables. */
void names_shorten(struct address_name *name);

/* Writes the known parts of "loop+0x8, shader.qasm:12", NUL-terminated and cut to size. Writes an
 * empty text if nothing is known. */
void names_text(char *text, size_t size, const struct address_name *name);

#endif
