/* SPDX-License-Identifier: MIT */
/* shader_data.h - reads the data of examples with vertex programs (vertices.csv and uniforms.csv),
 * and compares their results with the expected files.
 *
 * The files beside each example, expected.png or expected.csv, are written by the reference. The
 * argument --write writes them again. A further argument names a folder with tables and pictures
 * that "tessera run" has written, NAME.csv and NAME.png, to be compared. */
#ifndef PROGRAMS_SHADER_DATA_H
#define PROGRAMS_SHADER_DATA_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/buffer.h"
#include "reference/shader.h"

/* A name with a number. A list of these ends with NULL. */
struct shader_name {
    const char *name;
    unsigned count; /* rows of a uniform, or components of an output */
};

struct shader_example {
    const char *folder;   /* the example's folder in examples/ */
    const char *name;     /* name of the files of "tessera run", without their endings */
    const char *expected; /* name of the expected file beside the example, without its ending */
    shader_reference *reference;
    const char *attributes[SHADER_MOST_INPUTS + 1];
    struct shader_name uniforms[SHADER_MOST_INPUTS + 1], outputs[SHADER_MOST_OUTPUTS + 1];
};

/* The data of an example, and the expected results. */
struct shader_table {
    size_t count;
    float rows[SHADER_MOST_ROWS][4];
    struct shader_vertex *vertices;
    struct near (*want)[SHADER_MOST_OUTPUTS][4];
};

/* Variables set from the test's arguments: --write, and the folder. */
extern bool shader_writing;
extern const char *shader_made; /* the folder that the argument names, or NULL */
void shader_arguments(int argc, char **argv);

/* Reads the data and computes the outputs. shader_table_close() frees them. */
void shader_table_open(struct shader_table *table, const struct shader_example *example);
void shader_table_close(struct shader_table *table);

/* Returns a whole file, which must exist. */
struct buffer shader_load(const char *path);

void shader_path(char path[512], const struct shader_example *example, const char *file);
void shader_path_expected(char path[512], const struct shader_example *example, const char *ending);
void shader_path_made(char path[512], const struct shader_example *example, const char *ending);

/* Compares the table beside the example with the reference's table. */
void shader_check_table(const struct shader_example *example, const struct shader_table *table);

/* Compares the table of "tessera run" with the reference. All outputs must be present, with
 * errors within the bound of rounding. */
void shader_compare_table(const struct shader_example *example, const struct shader_table *table);

#endif
