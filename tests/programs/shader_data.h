/* SPDX-License-Identifier: MIT */
/* shader_data.h - data of examples with vertex programs, vertices.csv and uniforms.csv, and the files that must come of them.
 *
 * The files beside each example, expected.png or expected.csv, are the reference's. The argument --write makes them anew. A
 * further argument names a folder with the tables and pictures that "tessera run" made, NAME.csv and NAME.png; they are compared. */
#ifndef PROGRAMS_SHADER_DATA_H
#define PROGRAMS_SHADER_DATA_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/buffer.h"
#include "reference/shader.h"

/* A list of names with numbers ends with a NULL. */
struct shader_name {
    const char *name;
    unsigned count; /* rows of a uniform, components of an output */
};

struct shader_example {
    const char *folder;   /* in examples/ */
    const char *name;     /* of what "tessera run" made */
    const char *expected; /* of the file beside the example, without its ending */
    shader_reference *reference;
    const char *attributes[SHADER_MOST_INPUTS + 1];
    struct shader_name uniforms[SHADER_MOST_INPUTS + 1], outputs[SHADER_MOST_OUTPUTS + 1];
};

/* The data of an example, and what must come of it. */
struct shader_table {
    size_t count;
    float rows[SHADER_MOST_ROWS][4];
    struct shader_vertex *vertices;
    struct near (*want)[SHADER_MOST_OUTPUTS][4];
};

/* What the arguments of the test say. */
extern bool shader_writing;
extern const char *shader_made; /* the folder, or NULL */
void shader_arguments(int argc, char **argv);

/* Reads the data and computes the outputs; shader_table_close() frees them. */
void shader_table_open(struct shader_table *table, const struct shader_example *example);
void shader_table_close(struct shader_table *table);

/* A whole file, which must be there. */
struct buffer shader_load(const char *path);

void shader_path(char path[512], const struct shader_example *example, const char *file);
void shader_path_expected(char path[512], const struct shader_example *example, const char *ending);
void shader_path_made(char path[512], const struct shader_example *example, const char *ending);

/* The table beside the example is the reference's. */
void shader_check_table(const struct shader_example *example, const struct shader_table *table);

/* The table that was made has all outputs, and none is off by more than rounding allows. */
void shader_compare_table(const struct shader_example *example, const struct shader_table *table);

#endif
