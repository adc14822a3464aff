/* SPDX-License-Identifier: MIT */
/* sources.h - finds the source of QPU code in memory.
 *
 * A program that generates, copies or patches its shaders leaves only words in memory. These
 * functions compare the words in memory with files that the code may come from, and return the
 * symbols and source lines of the code. */
#ifndef TESSERA_SOURCES_H
#define TESSERA_SOURCES_H

#include <tessera/tessera.h>

#ifdef __cplusplus
extern "C" {
#endif

struct tess_sources;

/* Creates an empty collection of files. The caller releases *out with tess_sources_free(). *out is
 * NULL unless the result is TESS_OK. Returns TESS_INVALID or TESS_NO_MEMORY on failure. */
TESS_API enum tess_status tess_sources_create(struct tess_sources **out);

/* Releases the collection and all strings returned from it. NULL is allowed. */
TESS_API void tess_sources_free(struct tess_sources *sources);

/* Adds a file:
 *   - QPU assembly, which is assembled; files that it includes are searched in its directory;
 *   - an ELF file written by tess_assemble() or vc4asm, with its labels and its line table;
 *   - any other ELF file, for example an executable: its data objects that may be code, by name; or
 *   its data sections, if it has no symbols;
 *   - code as words in a C array, as hexadecimal text, or raw.
 * Returns TESS_INVALID (a NULL pointer), TESS_IO, TESS_WRONG or TESS_BAD_INPUT (the reasons are
 * reported to sink), or TESS_NO_MEMORY on failure. */
TESS_API enum tess_status tess_sources_add(struct tess_sources *sources, const char *path,
                                           struct tess_sink sink);

/* Adds size bytes in memory like tess_sources_add(). name is used in place of a file name. */
TESS_API enum tess_status tess_sources_add_bytes(struct tess_sources *sources, const void *bytes,
                                                 size_t size, const char *name,
                                                 struct tess_sink sink);

/* Adds a program's own executable. Only data objects are searched. An executable without data
 * objects is not an error. Returns TESS_INVALID, TESS_IO or TESS_NO_MEMORY on failure. */
TESS_API enum tess_status tess_sources_add_executable(struct tess_sources *sources,
                                                      const char *path);

/* Reader of instruction words in memory. read() returns false for words that are unknown. */
struct tess_code_reader {
    bool (*read)(void *user, uint32_t address, uint64_t *word);
    void *user;
};

/* Source of an instruction. Strings live as long as the collection. */
struct tess_source_place {
    const char *path;   /* name of the added file */
    const char *symbol; /* nearest symbol at or before the instruction, or NULL */
    uint32_t offset;    /* bytes from the symbol, or from the start of the code */
    const char *file;   /* source file, or NULL if unknown */
    uint32_t line;      /* line number in the source file; 0 if .file is NULL */
    uint32_t column;    /* from 1, in bytes; 0 if unknown */
};

/* Recognises the instruction at an address. The words around it are compared with each position in
 * the files that could be its source. Each word has a score: 2 if the words are equal; 1 if the
 * word is a branch or a load of an immediate and differs only in its 32-bit immediate, as after
 * relocation; 0 if the word in memory is unknown or both words are 0; -1 otherwise. The instruction
 * itself and at least four words must match, or all words if the code is shorter. The position with
 * the highest sum is the result. Between equal sums, the code that matches best as a whole is
 * chosen, then the file that was added first. Returns false if there is no match. */
TESS_API bool tess_sources_find(struct tess_sources *sources, uint32_t address,
                                struct tess_code_reader memory, struct tess_source_place *place);

/* Discards cached results. tess_sources_find() caches a result as long as the instruction and both
 * its neighbours stay the same; call this function if different code with the same three words may
 * have been loaded there. */
TESS_API void tess_sources_forget(struct tess_sources *sources);

/* Returns the path of a file that has code but was never the result of tess_sources_find(). index
 * counts these files in the order in which they were added. Returns NULL past the last. */
TESS_API const char *tess_sources_unused(const struct tess_sources *sources, size_t index);

/* Finds the source of the code or data whose address in its file equals address, without searching
 * memory. For scenes, whose files define addresses. word is the instruction in memory, which must
 * match by the rules of tess_sources_find(), or NULL to accept any byte of code or data. */
TESS_API bool tess_sources_at(const struct tess_sources *sources, uint32_t address,
                              const uint64_t *word, struct tess_source_place *place);

#ifdef __cplusplus
}
#endif

#endif
