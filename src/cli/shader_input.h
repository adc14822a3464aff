/* SPDX-License-Identifier: MIT */
/* shader_input.h - attributes of vertices from files, piece by piece: tables of text, and raw buffers.
 *
 * In:  the arguments of --attribute and --attributes; docs/utgard/run.md has their grammar.
 * Out: for each attribute a buffer with the next vertices, in memory that does not depend on the number of vertices. */
#ifndef CLI_SHADER_INPUT_H
#define CLI_SHADER_INPUT_H

#include <tessera/tessera.h>

#include "csv.h"
#include "shader_missing.h"
#include "shader_names.h"

enum {
    SHADER_MOST_ATTRIBUTES = 96,   /* that any machine has */
    SHADER_PIECE = 16 * 1024, /* vertices that are read at once, at most */
};

/* A format of raw buffers. */
struct shader_format {
    int code;     /* the machine's */
    size_t bytes; /* of a component */
    bool whole;   /* no, of all: it has its own number of components */
};

/* What the command line and the machine say. */
struct shader_input_options {
    const char *title;             /* for messages about the command line */
    const char *const *attributes; /* --attribute */
    size_t attribute_count;
    const char *const *tables; /* --attributes */
    size_t table_count;
    uint64_t first, count; /* vertices; a count of 0: as many as there are */
    size_t together; /* that the machine runs as one: results may depend on each other; 0: one */
    size_t piece;    /* that are read at once; 0: many */
    struct shader_names names;
    bool (*reads)(const void *user, uint32_t attribute); /* whether the program does */
    const void *user;
    /* Takes the name of a column, without its component, that is not an attribute's; NULL if such columns are passed over. */
    void (*unread)(const void *user, const char *file, const char *name);
    struct shader_missing *missing; /* takes the attributes that have no data */
    int plain_format;                                             /* the code of 32-bit floats */
    bool (*format)(const char *name, struct shader_format *format); /* of raw buffers, by name */
    const char *(*format_name)(uint32_t code); /* a name for messages; NULL: none of this code */
};

/* An attribute of the vertices that have been read. */
struct shader_attribute {
    const void *data; /* NULL: there is no such attribute */
    size_t size, stride;
    int format;
    uint32_t components;
    bool missing; /* has no data: the values are those of all vertices */
};

struct shader_table; /* a file of text */
struct shader_raw;   /* a raw buffer */

/* Zero-initialise it, free it with shader_input_close(). */
struct shader_input {
    const struct shader_input_options *options;
    struct tess_sink sink;
    struct shader_attribute attributes[SHADER_MOST_ATTRIBUTES];
    float *values[SHADER_MOST_ATTRIBUTES]; /* of attributes that come from tables */
    struct shader_table *tables;
    struct shader_raw *raws;
    size_t table_count, raw_count;
    size_t piece;   /* vertices that are read at once */
    uint64_t done;  /* vertices before the next piece, without those before the first */
    uint64_t total; /* 0: until the tables end */
    bool wrong;     /* a mistake has been told */
};

/* Opens everything. False after a mistake, which the sink or standard error has been told. */
bool shader_input_open(struct shader_input *input, const struct shader_input_options *options,
                       struct tess_sink sink);

/* Reads the next vertices into .attributes. Returns how many; 0 at the end, or if .wrong. Those before a mistake are
 * returned first. */
size_t shader_input_read(struct shader_input *input);

void shader_input_close(struct shader_input *input);

#endif
