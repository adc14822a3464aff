/* SPDX-License-Identifier: MIT */
/* instruction_profile.h - profile of instructions: number of executions and stall clocks of each
 * instruction of each program.
 *
 * In:  runs of consecutive instructions, and stalls.
 * Out: sums by program kind, program, address and instruction word.
 *
 * Tables that were filled separately (by slice or by tile) can be merged in any order with the same
 * result. */
#ifndef VC4_WATCH_INSTRUCTION_PROFILE_H
#define VC4_WATCH_INSTRUCTION_PROFILE_H

#include <stddef.h>
#include <stdint.h>

#include <tessera/vc4.h>

enum { PROFILE_PAGE = 64 }; /* number of instructions in a page */

/* A page of a program's code. If the code changes, another version of the page is added. */
struct profile_page {
    enum tess_vc4_shader_kind kind;
    uint64_t code; /* identifies the program's instructions, as in struct tess_vc4_shader_stats */
    uint32_t shader, base; /* bus addresses of the program and of the page's first instruction */
    uint32_t other;        /* index + 1 of the next version of the page, or 0 */
    uint64_t known;        /* bit i is set if word[i] is known */
    uint64_t word[PROFILE_PAGE];
    /* Number of executions of each instruction, minus the number of executions of the instruction
     * before it. */
    uint64_t change[PROFILE_PAGE];
    uint64_t stall[PROFILE_PAGE][TESS_VC4_STALLS];
};

/* Initialise with zeros. Release with instruction_profile_free(). */
struct instruction_profile {
    struct profile_page *page;
    uint32_t count, room;
    uint32_t *slot; /* hash table with open addressing: index of a page + 1, or 0 if free */
    uint32_t slots; /* size of slot, a power of two */
};

/* A program whose instructions are counted. */
struct profile_program {
    enum tess_vc4_shader_kind kind;
    uint32_t shader;
    uint64_t code; /* as in struct tess_vc4_shader_stats */
};

/* Counts one execution of each of `count` consecutive instructions. The first is at address. words
 * contains the instructions. */
void instruction_profile_count(struct instruction_profile *insn_profile,
                               struct profile_program program, uint32_t address,
                               const uint64_t *words, uint32_t count);

/* Adds stall clocks to the instruction at address. */
void instruction_profile_stall(struct instruction_profile *insn_profile,
                               struct profile_program program, uint32_t address, uint64_t word,
                               enum tess_vc4_stall cause, uint64_t clocks);

/* Adds all counts of *other to *insn_profile. */
void instruction_profile_merge(struct instruction_profile *insn_profile,
                               const struct instruction_profile *other);

struct state_stream;

/* Lists all counts for saved states (base/state.h). When reading, the table must be empty. */
void instruction_profile_fields(struct state_stream *stream,
                                struct instruction_profile *insn_profile);

/* instruction_profile_clear() removes all counts. instruction_profile_free() also frees the
 * memory. */
void instruction_profile_clear(struct instruction_profile *insn_profile);
void instruction_profile_free(struct instruction_profile *insn_profile);

/* Returns a row for each instruction, sorted by kind, program, address and word. The caller frees
 * the rows with free(). Returns NULL and sets *count to 0 if there are no rows. Returns NULL and
 * sets *count to the number of rows if the host is out of memory. */
struct tess_vc4_hot *instruction_profile_rows(const struct instruction_profile *insn_profile,
                                              size_t *count);

#endif
