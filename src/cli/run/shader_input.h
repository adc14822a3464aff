/* SPDX-License-Identifier: MIT */
/* shader_input.h - reads attributes of vertices from text tables and raw buffers, piece by piece.
 *
 * In:  the arguments of --attribute and --attributes (docs/utgard/run.md describes their syntax).
 * Out: a buffer per attribute with the values for the next vertices. The memory used does not
 *      depend on the number of vertices. */
#ifndef CLI_RUN_SHADER_INPUT_H
#define CLI_RUN_SHADER_INPUT_H

#include <tessera/tessera.h>

#include "cli/csv.h"
#include "cli/run/shader_missing.h"
#include "cli/run/shader_names.h"

enum {
    SHADER_MOST_ATTRIBUTES = 96, /* greatest number of attributes of any machine */
    SHADER_PIECE = 16 * 1024,    /* greatest number of vertices per read */
};

/* A format of raw buffers. */
struct shader_format {
    int code;     /* the machine's code of the format */
    size_t bytes; /* size of one component, or of all components if whole is true */
    bool whole;   /* true if the format determines the number of components */
};

/* Parameters from the command line and the machine. */
struct shader_input_options {
    const char *title;             /* name of the verb for error messages */
    const char *const *attributes; /* arguments of --attribute */
    size_t attribute_count;
    const char *const *tables; /* arguments of --attributes */
    size_t table_count;
    uint64_t first, count; /* number of the first vertex; number of vertices, or 0 for all */
    /* Number of vertices that the machine runs together. The results of such vertices may depend on
     * each other. 0 or 1 if the machine runs each vertex alone. */
    size_t together;
    size_t piece; /* number of vertices per read, or 0 for SHADER_PIECE */
    struct shader_names names;
    /* Returns true if the program reads the attribute. */
    bool (*reads)(const void *user, uint32_t attribute);
    const void *user;
    /* Called with NAME for each column "NAME.x" that is not an attribute of the program. NULL if
     * such columns are ignored. */
    void (*unread)(const void *user, const char *file, const char *name);
    struct shader_missing *missing; /* collects the attributes without data */
    int plain_format;               /* code of the format with 32-bit floats */
    /* Finds a format of raw buffers by name. Returns false if the name is unknown. */
    bool (*format)(const char *name, struct shader_format *format);
    /* Returns a format's name for messages, or NULL if there is no such format. */
    const char *(*format_name)(uint32_t code);
};

/* Values of an attribute for the current piece of vertices. */
struct shader_attribute {
    const void *data; /* values, or NULL if the input has no such attribute */
    size_t size, stride;
    int format;
    uint32_t components;
    bool missing; /* true if the attribute has no data, and all vertices have one default value */
};

struct shader_table; /* a text file */
struct shader_raw;   /* a raw buffer */

/* State of the input. The caller sets the structure to zero first and releases it with
 * shader_input_close(). */
struct shader_input {
    const struct shader_input_options *options;
    struct tess_sink sink;
    struct shader_attribute attributes[SHADER_MOST_ATTRIBUTES];
    float *values[SHADER_MOST_ATTRIBUTES]; /* buffers of attributes from tables */
    struct shader_table *tables;
    struct shader_raw *raws;
    size_t table_count, raw_count;
    size_t piece;   /* number of vertices per read */
    uint64_t done;  /* number of vertices read so far, counted from options->first */
    uint64_t total; /* number of vertices of the run, or 0 if the tables determine it */
    bool wrong;     /* true after an error was reported */
};

/* Opens all files. Returns false after reporting an error. */
bool shader_input_open(struct shader_input *input, const struct shader_input_options *options,
                       struct tess_sink sink);

/* Reads the next vertices into .attributes. Returns the number of vertices, or 0 at the end of the
 * data. If an error occurs, sets .wrong and returns the number of vertices before the error. The
 * next call then returns 0. */
size_t shader_input_read(struct shader_input *input);

void shader_input_close(struct shader_input *input);

#endif
