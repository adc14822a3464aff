/* SPDX-License-Identifier: MIT */
/* hot.h - how often each instruction of each program was executed, and how long it kept the QPU waiting.
 *
 * In:  runs of instructions that were executed one after the other; stalls. Out: sums, by program kind, program, address and
 * instruction word.
 *
 * All are sums: tables that were filled apart (by slices, by tiles) give the same when they are merged, in any order. */
#ifndef VC4_HOT_H
#define VC4_HOT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <tessera/vc4.h>

enum { HOT_PAGE = 64 }; /* instructions */

/* Code of a program, as long as its words are the same; else there is another version of the page. */
struct hot_page {
    enum tess_vc4_shader_kind kind;
    uint64_t code;         /* of the program */
    uint32_t shader, base; /* bus addresses; base: of the page's first instruction */
    uint32_t other;        /* the place of another version plus 1; 0: none */
    uint64_t known;        /* instructions whose words are known, bit by bit */
    uint64_t word[HOT_PAGE];
    uint64_t change[HOT_PAGE]; /* executions, less those of the instruction before */
    uint64_t stall[HOT_PAGE][TESS_VC4_STALLS];
};

/* Zero-initialise it, free it with hot_free(). */
struct hot {
    struct hot_page *page;
    uint32_t count, room;
    uint32_t *slot; /* open addressing: the place of a page plus 1; 0 is free */
    uint32_t slots; /* a power of two */
};

/* Whose instructions are counted. */
struct hot_program {
    enum tess_vc4_shader_kind kind;
    uint32_t shader;
    uint64_t code; /* as in struct tess_vc4_shader_stats */
};

/* So many instructions from address on have been executed once; words: theirs. */
void hot_count(struct hot *hot, struct hot_program program, uint32_t address, const uint64_t *words,
               uint32_t count);

/* The instruction at address has stalled for so many clocks. */
void hot_stall(struct hot *hot, struct hot_program program, uint32_t address, uint64_t word,
               enum tess_vc4_stall cause, uint64_t clocks);

/* Adds all of *other. */
void hot_merge(struct hot *hot, const struct hot *other);

/* Forgets everything; and gives the memory back. */
void hot_clear(struct hot *hot);
void hot_free(struct hot *hot);

/* Rows for all instructions, sorted by kind, program, address and word; to be released with free(). NULL with *count 0: there
 * are none; NULL with another *count: no memory. */
struct tess_vc4_hot *hot_rows(const struct hot *hot, size_t *count);

#endif
