/* SPDX-License-Identifier: MIT */
/* names.h - names for addresses of a machine: symbols, and source lines of code. */
#ifndef FRONT_NAMES_H
#define FRONT_NAMES_H

#include <tessera/scene.h>
#include <tessera/sources.h>

struct json;

struct address_name {
    const char *symbol;    /* NULL if there is no symbol */
    uint32_t offset;       /* distance from the symbol in bytes */
    bool past_end;         /* true if the address is after the end of the symbol's memory */
    const char *file;      /* source file, NULL if unknown */
    uint32_t line, column; /* column is 0 if unknown */
};

/* Sources of names. Members that are not needed must be zero. */
struct address_names {
    const struct tess_scene *scene;
    struct tess_sources *sources;
    /* True if the addresses that the sources define are the addresses in memory. If false, code is
     * recognised by its contents. */
    bool fixed;
    struct tess_code_reader memory;
    /* Names memory that is not part of a scene, such as buffer objects. The name stays valid for
     * some further calls. */
    bool (*place)(uint32_t address, struct tess_scene_place *place);
};

/* Look up the name of an address, or of an instruction. word is NULL if the instruction's word is
 * unknown. Return false, with *name zeroed, if there is no name. */
bool names_address(const struct address_names *names, uint32_t address, struct address_name *name);
bool names_instruction(const struct address_names *names, uint32_t address, const uint64_t *word,
                       struct address_name *name);

/* Looks up the source line of a place in a machine. Uses the first known line among those of the
 * instruction, the program's start, the control record, the drawing record and the bytes at the
 * address. Returns false, with *name zeroed, if no line is known. */
bool names_place(const struct address_names *names, const struct tess_place *place,
                 struct address_name *name);

/* Discards cached results. Must be called if code in memory may have changed. */
void names_forget(const struct address_names *names);

/* Removes the folder from the name of the source file, so that the name fits into a table. */
void names_shorten(struct address_name *name);

/* Writes a name such as "loop+0x8, shader.qasm:12", without the parts that are unknown.
 * NUL-terminated and truncated to size bytes. The text is empty if nothing is known. */
void names_text(char *text, size_t size, const struct address_name *name);

/* Writes the members symbol, offset, file and line that are known, with a prefix before their
 * names. With a prefix, also writes past_end. */
void names_json(struct json *json, const char *prefix, const struct address_name *name);

#endif
