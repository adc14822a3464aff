/* SPDX-License-Identifier: MIT */
/* instruction_profile.h - profile of instructions: number of executions and stall clocks of each instruction of
 * each program.
 *
 * In:  runs of consecutive instructions, and stalls.
 * Out: sums by program kind, program, address and instruction word.
 *
 * Tables that were filled separately (by slice or by tile) can be merged in any order with the same
 * result. */
#ifndef VC4_HOT_H
#define VC4_HOT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <tessera/vc4.h>

enum { HOT_PAGE = 64 }; /* number of instructions */

/* A page of a program's code. If the code changes, another version of the page is added. */
struct hot_page {
    enum tess_vc4_shader_kind kind;
    uint64_t code; /* identifies the program's instructions, as in struct tess_vc4_shader_stats */
    uint32_t shader, base; /* bus addresses of the program and of the page's first instruction */
    uint32_t other;        /* index + 1 of another version of the page, or 0 */
    uint64_t known;        /* bit i: word[i] is known */
    uint64_t word[HOT_PAGE];
    /* executions of an instruction minus those of the instruction before it */
    uint64_t change[HOT_PAGE];
    uint64_t stall[HOT_PAGE][TESS_VC4_STALLS];
};

/* Initialise with zeros. Release with hot_free(). */
struct hot {
    struct hot_page *page;
    uint32_t count, room;
    uint32_t *slot; /* hash table with open addressing: index of a page + 1, or 0 if free */
    uint32_t slots; /* size of slot, a power of two */
};

/* A program whose instructions are counted. */
struct hot_program {
    enum tess_vc4_shader_kind kind;
    uint32_t shader;
    uint64_t code; /* as in struct tess_vc4_shader_stats */
};

/* Counts one execution of `count` consecutive instructions from address on. words contains the
 * instructions. */
void hot_count(struct hot *hot, struct hot_program program, uint32_t address, const uint64_t *words,
               uint32_t count);

/* Adds stall clocks to the instruction at address. */
void hot_stall(struct hot *hot, struct hot_program program, uint32_t address, uint64_t word,
               enum tess_vc4_stall cause, uint64_t clocks);

/* Adds all counts of *other. */
void hot_merge(struct hot *hot, const struct hot *other);

/* hot_clear() removes all counts. hot_free() also frees the memory. */
void hot_clear(struct hot *hot);
void hot_free(struct hot *hot);

/* Returns a row for each instruction, sorted by kind, program, address and word. The caller frees
 * the rows with free(). Returns NULL with *count 0 if there are none, or NULL with another *count
 * if the host is out of memory. */
struct tess_vc4_hot *hot_rows(const struct hot *hot, size_t *count);

#endif
