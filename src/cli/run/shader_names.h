/* SPDX-License-Identifier: MIT */
/* shader_names.h - names of a shader's data (attributes, varyings and uniforms) for all
 * machines. */
#ifndef CLI_RUN_SHADER_NAMES_H
#define CLI_RUN_SHADER_NAMES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum { SHADER_COMPONENTS = 4 };

struct shader_name {
    const char *name;
    uint32_t number;     /* number of the attribute or varying, or first row of the uniform */
    uint32_t rows;       /* number of rows of a uniform, 1 for an attribute or varying */
    uint32_t components; /* number of components of an attribute or varying */
};

/* A prefix for numbers, as in "C12" and "pixel.C3". */
struct shader_prefix {
    const char *text;
    uint32_t first; /* row that the number 0 refers to, as in "C0" */
    uint32_t count; /* number of rows that can be named with the prefix */
};

/* All names of one kind. */
struct shader_names {
    const char *what; /* the kind, such as "attribute" */
    const struct shader_name *items;
    size_t count;
    uint32_t limit; /* greatest number of an attribute, varying or row, plus 1 */
    /* Prefixes, ended by an element whose text is NULL. NULL if there are no prefixes. */
    const struct shader_prefix *prefixes;
};

/* Finds the attribute, varying or uniform that a text names. The text is a name, or a number below
 * the limit with or without a prefix. found->name is NULL if the number has no name. The text need
 * not be NUL-terminated. Returns false if the text is neither a name nor a number. */
bool shader_names_find(const struct shader_names *names, const char *text, size_t length,
                       struct shader_name *found);

/* Returns the item with a number, or NULL if the number has no name. */
const struct shader_name *shader_names_of(const struct shader_names *names, uint32_t number);

/* Returns 0 to 3 for 'x' to 'w', or 4 for any other letter. */
unsigned shader_component(char letter);

/* Writes a sentence that lists the names to text. Omits names that do not fit. Returns text. */
const char *shader_names_list(const struct shader_names *names, char *text, size_t size);

#endif
