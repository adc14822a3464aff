/* SPDX-License-Identifier: MIT */
/* sources.h - where QPU code in memory comes from.
 *
 * A program that generates, copies or patches its shaders leaves nothing in memory but words. Given the files that they may come
 * from, code is recognised by these words, wherever it lies, and gets back its symbols and source lines. */
#ifndef TESSERA_SOURCES_H
#define TESSERA_SOURCES_H

#include <tessera/tessera.h>

#ifdef __cplusplus
extern "C" {
#endif

struct tess_sources;

/* *out is NULL unless the result is TESS_OK. Release with tess_sources_free(). Errors: TESS_INVALID, TESS_NO_MEMORY. */
TESS_API enum tess_status tess_sources_create(struct tess_sources **out);

/* Releases it, and all strings that it has given. NULL is allowed. */
TESS_API void tess_sources_free(struct tess_sources *sources);

/* Adds a file:
 *   - QPU assembly, which is assembled; its includes are looked for beside it;
 *   - an ELF file that tess_assemble() or vc4asm wrote, with its labels and its line table;
 *   - another ELF file, an executable for example: its data objects that may be code, under their names; without symbols, its
 *     sections of data;
 *   - code as words in a C array, in hexadecimal text, or raw.
 * Errors: TESS_INVALID (a NULL), TESS_IO, TESS_WRONG or TESS_BAD_INPUT (the sink has the reasons), TESS_NO_MEMORY. */
TESS_API enum tess_status tess_sources_add(struct tess_sources *sources, const char *path,
                                           struct tess_sink sink);

/* The same for bytes in memory; name stands for the file. */
TESS_API enum tess_status tess_sources_add_bytes(struct tess_sources *sources, const void *bytes,
                                                 size_t size, const char *name,
                                                 struct tess_sink sink);

/* The same for a program's own executable: nothing but data objects is looked for, and nothing is said if there are none. */
TESS_API enum tess_status tess_sources_add_executable(struct tess_sources *sources,
                                                      const char *path);

/* Reads instruction words of memory; false where they are not known. */
struct tess_code_reader {
    bool (*read)(void *user, uint32_t address, uint64_t *word);
    void *user;
};

/* Where an instruction comes from. Strings live as long as the sources. */
struct tess_source_place {
    const char *path;   /* of the file that was added */
    const char *symbol; /* the nearest one before it; NULL: none */
    uint32_t offset;    /* bytes from the symbol on, or from the start of the code */
    const char *file;   /* source file and line; NULL and 0: not known */
    uint32_t line;
    uint32_t column; /* from 1, in bytes; 0: not known */
};

/* Recognises the instruction at an address. The words around it are compared with each place in the files where they could be
 * from: an equal word counts 2, a branch or load immediate that differs in its 32-bit immediate (as relocation leaves it) counts
 * 1, another one -1; what is not known, and words that are 0, count nothing. At least four words must agree, or all if
 * the code is shorter; the instruction itself must. The best place wins; of equal ones that of the code that
 * fits best as a whole, then that of the file that was added first. False: none. */
TESS_API bool tess_sources_find(struct tess_sources *sources, uint32_t address,
                                struct tess_code_reader memory, struct tess_source_place *place);

/* Answers are kept, for as long as the instruction and both its neighbours are the same. Forgets them: other code may have come to
 * memory, of which just these are equal. */
TESS_API void tess_sources_forget(struct tess_sources *sources);

/* The path of the index-th of the files with code of which tess_sources_find() has recognised nothing, in the order in which they
 * were added; NULL: there are no more. */
TESS_API const char *tess_sources_unused(const struct tess_sources *sources, size_t index);

/* The same as tess_sources_find() for code that lies where the files say, as that of a scene does; word: the instruction, which
 * must agree as above, or NULL: any byte of code or data. */
TESS_API bool tess_sources_at(const struct tess_sources *sources, uint32_t address,
                              const uint64_t *word, struct tess_source_place *place);

#ifdef __cplusplus
}
#endif

#endif
