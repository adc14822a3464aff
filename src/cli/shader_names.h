/* SPDX-License-Identifier: MIT */
/* shader_names.h - what the data of a shader is called: attributes, varyings and uniforms, whichever the machine. */
#ifndef CLI_SHADER_NAMES_H
#define CLI_SHADER_NAMES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum { SHADER_COMPONENTS = 4 };

struct shader_name {
    const char *name;
    uint32_t number;     /* of the attribute, the varying, or the first row */
    uint32_t rows;       /* of uniforms; 1 */
    uint32_t components; /* of attributes and varyings */
};

/* Another way to write numbers: "C12", "pixel.C3". */
struct shader_prefix {
    const char *text;
    uint32_t first, count; /* what "...0" stands for, and how many follow */
};

/* All names of a kind. */
struct shader_names {
    const char *what; /* "attribute" */
    const struct shader_name *items;
    size_t count;
    uint32_t limit; /* numbers end before it */
    const struct shader_prefix *prefixes; /* NULL: none; ended by one without a text */
};

/* Finds a name, or a number below the limit, also behind a prefix, in a text that need not be terminated; .name is NULL if that has no name.
 * False if there is none. */
bool shader_names_find(const struct shader_names *names, const char *text, size_t length,
                       struct shader_name *found);

/* The name of a number, or NULL. */
const struct shader_name *shader_names_of(const struct shader_names *names, uint32_t number);

/* 'x' to 'w' as 0 to 3; 4 if it is none. */
unsigned shader_component(char letter);

/* Tells which names there are, as far as there is room. Returns text. */
const char *shader_names_list(const struct shader_names *names, char *text, size_t size);

#endif
