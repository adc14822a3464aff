/* SPDX-License-Identifier: MIT */
/* profile.h - cost of each shader program: a table with one row for each program. A program is
 * identified by its kind and the address of its first instruction. For user programs, a hash of the
 * code can be part of the identity.
 *
 * In:  programs as they end.
 * Out: sums for each program, in the order in which the programs first ended.
 *
 * Each tile job has its own table. The tables are merged in a fixed order, so the result does not
 * depend on the number of host threads. */
#ifndef VC4_QPU_PROFILE_H
#define VC4_QPU_PROFILE_H

#include <tessera/vc4.h>

#include "vc4/watch/instruction_profile.h"

enum { PROFILE_SHADERS = 256, PROFILE_SLOTS = 512 };

/* A table of programs. Must be zero-initialised; profile_free() releases its memory. */
struct profile {
    uint32_t count;
    uint16_t slot[PROFILE_SLOTS]; /* hash table with open addressing: index into shader plus 1,
                                     or 0 if free */
    struct tess_vc4_shader_stats shader[PROFILE_SHADERS + 1]; /* the last entry is the sum of all
                                                                 programs without their own entry */
    bool by_instruction;
    struct instruction_profile insn_profile; /* filled if by_instruction is set */
};

struct bus;
struct qpu;

/* Returns a hash of the instructions of the program at start. The hash distinguishes programs that
 * use the same address one after the other. */
uint64_t profile_code(struct bus *bus, uint32_t start);

/* Returns the table that counts single instructions, or NULL if they are not counted. */
static inline struct instruction_profile *profile_hot(struct profile *profile)
{
    return profile && profile->by_instruction ? &profile->insn_profile : NULL;
}

/* Adds the numbers of *run to the row of its program. */
void profile_add(struct profile *profile, const struct tess_vc4_shader_stats *run);

/* Adds the numbers of a program that has ended, or that will never end. */
void profile_run(struct profile *profile, const struct qpu *qpu);

/* Remove all rows. profile_clear() keeps the memory for reuse, and profile_free() releases the
 * memory. */
void profile_clear(struct profile *profile);
void profile_free(struct profile *profile);

struct state_stream;

/* Lists all rows for saved states (base/state.h). When reading, the table must be empty. */
void profile_fields(struct state_stream *stream, struct profile *profile);

/* Adds all rows of *other to *profile. */
void profile_merge(struct profile *profile, const struct profile *other);

#endif
