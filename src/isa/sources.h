/* SPDX-License-Identifier: MIT */
/* sources.h - what the files of tessera/sources.h consist of: pieces of code with names and lines. */
#ifndef ISA_SOURCES_H
#define ISA_SOURCES_H

#include <tessera/sources.h>

#include "isa/code.h"

/* A name, from an offset in bytes on. */
struct source_symbol {
    const char *name;
    uint32_t offset;
};

/* Instructions that lie behind each other. Words belong to it, names to the file. */
struct source_piece {
    uint64_t *words;
    uint32_t count, size;         /* whole words, and bytes */
    uint32_t address;             /* where the file says that it lies */
    uint32_t first;               /* its first word, counted through all pieces */
    uint32_t file;                /* index of the file */
    struct source_symbol *symbol; /* sorted by offset */
    uint32_t symbols;
};

struct source_file {
    char *path;
    struct code_image image; /* for lines and names */
    char **names;            /* those that no image has */
    uint32_t name_count;
    bool unused; /* it has code, and none of it has been recognised */
};

struct tess_sources {
    struct source_file **file; /* each stays where it is */
    uint32_t files;
    struct source_piece *piece;
    uint32_t pieces, words;

    /* Made when it is needed: for each word of all pieces the next one that looks alike, plus 1, and where each chain begins. */
    uint32_t *next, *head, *length;
    uint32_t heads; /* a power of two */
    bool indexed;
    struct source_found *found; /* latest answers, by address */
    uint32_t epoch;             /* of memory, whose answers hold; from 1 */
};

/* Adds a piece, whose bytes need not be aligned, to the latest file. */
enum tess_status sources_add_piece(struct tess_sources *sources, const uint8_t *bytes, size_t size,
                                   uint32_t address);

/* Names a place of the latest piece; offsets must not go down. The string must live as long as the file. */
enum tess_status sources_add_symbol(struct tess_sources *sources, const char *name,
                                    uint32_t offset);

/* Copies a name for the latest file; NULL: no memory. */
const char *sources_copy_name(struct tess_sources *sources, const char *name);

/* Adds the data objects of any ELF file to the latest file. TESS_BAD_INPUT: it cannot be read. */
enum tess_status sources_read_objects(struct tess_sources *sources, const uint8_t *bytes,
                                      size_t size);

#endif
