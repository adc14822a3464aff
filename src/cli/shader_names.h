/* SPDX-License-Identifier: MIT */
/* shader_names.h - names of a shader's data (attributes, varyings and uniforms) for all
 * machines. */
#ifndef CLI_SHADER_NAMES_H
#define CLI_SHADER_NAMES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum { SHADER_COMPONENTS = 4 };

struct shader_name {
    const char *name;
    uint32_t number;     /* number of the attribute or varying, or first row of the uniform */
    uint32_t rows;       /* rows of a uniform; 1 for other kinds */
    uint32_t components; /* components of an attribute or varying */
};

/* A prefix for numbers, as in "C12" and "pixel.C3". */
struct shader_prefix {
    const char *text;
    uint32_t first; /* number that the prefix with 0 means */
    uint32_t count; /* count of numbers with the prefix */
};

/* All names of one kind. */
struct shader_names {
    const char *what; /* the kind, such as "attribute" */
    const struct shader_name *items;
    size_t count;
    uint32_t limit; /* greatest number + 1 */
    const struct shader_prefix *prefixes; /* the last one has no text; NULL if there are none */
};

/* Finds a name, or a number below the limit with or without a prefix. The text need not be
 * terminated. found->name is NULL if the number has no name. Returns false if the text is
 * neither. */
bool shader_names_find(const struct shader_names *names, const char *text, size_t length,
                       struct shader_name *found);

/* Returns the name of a number, or NULL. */
const struct shader_name *shader_names_of(const struct shader_names *names, uint32_t number);

/* Returns 0 to 3 for 'x' to 'w', or 4 for any other letter. */
unsigned shader_component(char letter);

/* Writes a sentence that lists the names to text. Omits names that do not fit. Returns text. */
const char *shader_names_list(const struct shader_names *names, char *text, size_t size);

#endif
