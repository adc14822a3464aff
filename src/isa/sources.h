/* SPDX-License-Identifier: MIT */
/* sources.h - contents of the files of tessera/sources.h: pieces of code with names and lines. */
#ifndef ISA_SOURCES_H
#define ISA_SOURCES_H

#include <tessera/sources.h>

#include "isa/code.h"

/* A name that begins at an offset in bytes. */
struct source_symbol {
    const char *name;
    uint32_t offset;
};

/* A run of adjacent instructions. The piece owns its words; the file owns the names. */
struct source_piece {
    uint64_t *words;
    uint32_t count, size;         /* count: whole words; size: bytes */
    uint32_t address;             /* address of the piece in its file */
    uint32_t first;               /* index of its first word among the words of all pieces */
    uint32_t file;                /* index of the file */
    struct source_symbol *symbol; /* sorted by offset */
    uint32_t symbols;
};

struct source_file {
    char *path;
    struct code_image image; /* source of lines and names */
    char **names;            /* names that no image owns */
    uint32_t name_count;
    bool unused; /* none of the file's code has been recognised */
};

struct tess_sources {
    struct source_file **file; /* pointers remain valid when files are added */
    uint32_t files;
    struct source_piece *piece;
    uint32_t pieces, words;

    /* An index of equal-looking words, built on demand. next: for each word, the next in its chain,
     * plus 1. head: first word of each chain, plus 1. length: number of words in each chain. */
    uint32_t *next, *head, *length;
    uint32_t heads; /* number of chains, a power of two */
    bool indexed;
    struct source_found *found; /* recent answers, indexed by address */
    uint32_t epoch;             /* version of memory, from 1; older answers are invalid */
};

/* Adds a piece to the last file. bytes need not be aligned. */
enum tess_status sources_add_piece(struct tess_sources *sources, const uint8_t *bytes, size_t size,
                                   uint32_t address);

/* Names an offset of the last piece. Offsets must not decrease. name must live as long as the
 * file. */
enum tess_status sources_add_symbol(struct tess_sources *sources, const char *name,
                                    uint32_t offset);

/* Copies a name for the last file. Returns NULL if the host is out of memory. */
const char *sources_copy_name(struct tess_sources *sources, const char *name);

/* Adds the data objects of any ELF file to the last file. Returns TESS_BAD_INPUT if the
 * file cannot be read. */
enum tess_status sources_read_objects(struct tess_sources *sources, const uint8_t *bytes,
                                      size_t size);

#endif
