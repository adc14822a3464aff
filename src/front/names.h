/* SPDX-License-Identifier: MIT */
/* names.h - what addresses of a machine are called: symbols, and source lines of code. */
#ifndef FRONT_NAMES_H
#define FRONT_NAMES_H

#include <stdio.h>

#include <tessera/scene.h>
#include <tessera/sources.h>

struct address_name {
    const char *symbol; /* NULL: none */
    uint32_t offset;    /* bytes behind it */
    bool past_end;      /* the address is not the symbol's memory */
    const char *file;   /* source line; NULL: unknown */
    uint32_t line, column; /* column: 0 if unknown */
};

/* Where names come from. Zero every member that there is nothing for. */
struct address_names {
    const struct tess_scene *scene;
    struct tess_sources *sources;
    bool fixed; /* code lies where the sources say; else it is recognised in memory */
    struct tess_code_reader memory;
    /* Names memory that is in no scene: buffer objects. The name lasts for some further calls. */
    bool (*place)(uint32_t address, struct tess_scene_place *place);
};

/* The name of an address; and of an instruction, whose word may be NULL: not known. False if there is none; *name is zeroed then. */
bool names_address(const struct address_names *names, uint32_t address, struct address_name *name);
bool names_instruction(const struct address_names *names, uint32_t address, const uint64_t *word,
                       struct address_name *name);

/* The source line that a place of a machine comes from: that of the instruction, else of its program, else of the control record,
 * else of the bytes at the address. False if none is known; *name is zeroed then. */
bool names_place(const struct address_names *names, const struct tess_place *place,
                 struct address_name *name);

/* Memory may have other code by now. */
void names_forget(const struct address_names *names);

/* Leaves folders out of the name of the source file, for tables. */
void names_shorten(struct address_name *name);

/* Writes "loop+0x8, shader.qasm:12", or what is known of it, NUL-terminated and cut at size. Nothing is an empty text. */
void names_text(char *text, size_t size, const struct address_name *name);

#endif
