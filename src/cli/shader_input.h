/* SPDX-License-Identifier: MIT */
/* shader_input.h - reads attributes of vertices from files, piece by piece: text tables and raw
 * buffers.
 *
 * In:  the arguments of --attribute and --attributes, whose grammar is in docs/utgard/run.md.
 * Out: a buffer per attribute with the next vertices. The memory used does not depend on the number
 *      of vertices. */
#ifndef CLI_SHADER_INPUT_H
#define CLI_SHADER_INPUT_H

#include <tessera/tessera.h>

#include "csv.h"
#include "shader_missing.h"
#include "shader_names.h"

enum {
    SHADER_MOST_ATTRIBUTES = 96, /* greatest number of attributes of any machine */
    SHADER_PIECE = 16 * 1024,    /* greatest number of vertices per read */
};

/* A format of raw buffers. */
struct shader_format {
    int code;     /* code in the machine's numbering */
    size_t bytes; /* bytes of a component */
    bool whole;   /* bytes is the size of all components, whose number the format fixes */
};

/* Parameters from the command line and the machine. */
struct shader_input_options {
    const char *title;             /* name of the verb for error messages */
    const char *const *attributes; /* arguments of --attribute */
    size_t attribute_count;
    const char *const *tables; /* arguments of --attributes */
    size_t table_count;
    uint64_t first, count; /* number of the first vertex; number of vertices, 0 for all */
    /* number of vertices that the machine runs together, so that the results of one may depend on
     * the others; 0 or 1 if it runs each vertex alone */
    size_t together;
    size_t piece; /* vertices per read; 0 for SHADER_PIECE */
    struct shader_names names;
    /* true if the program reads the attribute */
    bool (*reads)(const void *user, uint32_t attribute);
    const void *user;
    /* Receives the name, without component, of each column that is not an attribute. NULL if such
     * columns are ignored. */
    void (*unread)(const void *user, const char *file, const char *name);
    struct shader_missing *missing; /* collects the attributes without data */
    int plain_format;               /* code of 32-bit floats */
    /* finds a format of raw buffers by name */
    bool (*format)(const char *name, struct shader_format *format);
    const char *(*format_name)(uint32_t code); /* returns a format's name for messages, or NULL */
};

/* An attribute of the vertices that were read last. */
struct shader_attribute {
    const void *data; /* NULL if there is no such attribute */
    size_t size, stride;
    int format;
    uint32_t components;
    bool missing; /* has no data; all vertices share one default value */
};

struct shader_table; /* a text file */
struct shader_raw;   /* a raw buffer */

/* State of the input. Zero-initialise, release with shader_input_close(). */
struct shader_input {
    const struct shader_input_options *options;
    struct tess_sink sink;
    struct shader_attribute attributes[SHADER_MOST_ATTRIBUTES];
    float *values[SHADER_MOST_ATTRIBUTES]; /* buffers of attributes from tables */
    struct shader_table *tables;
    struct shader_raw *raws;
    size_t table_count, raw_count;
    size_t piece;   /* vertices per read */
    uint64_t done;  /* vertices read so far, without those before the first */
    uint64_t total; /* 0 until the tables end */
    bool wrong;     /* an error was reported */
};

/* Opens all files. Returns false after reporting an error. */
bool shader_input_open(struct shader_input *input, const struct shader_input_options *options,
                       struct tess_sink sink);

/* Reads the next vertices into .attributes. Returns their number, or 0 at the end or if .wrong is
 * set. Vertices before an error are returned first. */
size_t shader_input_read(struct shader_input *input);

void shader_input_close(struct shader_input *input);

#endif
