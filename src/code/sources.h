/* SPDX-License-Identifier: MIT */
/* sources.h - internal data of tessera/sources.h: the pieces of code in the files, with names and
 * lines. */
#ifndef CODE_SOURCES_H
#define CODE_SOURCES_H

#include <tessera/sources.h>

#include "code/code.h"

/* A name that begins at an offset in bytes. */
struct source_symbol {
    const char *name;
    uint32_t offset;
};

/* A sequence of adjacent instructions in a file. The piece owns its words, and the file owns the
 * names. */
struct source_piece {
    uint64_t *words;
    uint32_t count, size;         /* count: number of whole 64-bit words; size: number of bytes */
    uint32_t address;             /* address of the piece in its file */
    uint32_t first;               /* index of its first word among the words of all pieces */
    uint32_t file;                /* index of the file */
    struct source_symbol *symbol; /* sorted by offset */
    uint32_t symbols;
};

struct source_file {
    char *path;
    struct code_image image; /* image of the file, which has the source lines and the names */
    char **names;            /* names that the image does not own */
    uint32_t name_count;
    bool unused; /* true until code of the file has been recognised in memory */
};

struct tess_sources {
    struct source_file **file; /* pointers remain valid when files are added */
    uint32_t files;
    struct source_piece *piece;
    uint32_t pieces, words;

    /* Hash index of the words of all pieces, built on demand. Words with equal hashes form a chain.
     * next: for each word, 1 plus the index of the next word in the chain. head: for each chain, 1
     * plus the index of the first word. length: number of words in each chain. 0 in next and head
     * means that no word follows. */
    uint32_t *next, *head, *length;
    uint32_t heads; /* number of chains, a power of two */
    bool indexed;
    struct source_found *found; /* recent answers, indexed by address */
    uint32_t epoch;             /* version of memory, counted from 1; answers of older versions are
                                 * invalid */
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

/* Searches an ELF file for data objects that contain QPU code, and adds each of these objects as a
 * piece to the file that was added last. If no object contains code, whole sections are searched.
 * Any ELF file is accepted. Returns TESS_BAD_INPUT if the bytes are not a readable ELF file. */
enum tess_status sources_read_objects(struct tess_sources *sources, const uint8_t *bytes,
                                      size_t size);

#endif
