/* SPDX-License-Identifier: MIT */
/* profile.h - what each shader program has cost: a table by kind, first instruction and, for user programs, code.
 *
 * In:  programs as they end. Out: sums for each program, in the order of their first end.
 *
 * A rendering context can fill a table of its own; merged in a fixed order, the result is the same
 * whatever the number of threads. */
#ifndef VC4_PROFILE_H
#define VC4_PROFILE_H

#include <tessera/vc4.h>

#include "vc4/hot.h"

enum { PROFILE_SHADERS = 256, PROFILE_SLOTS = 512 };

/* Zero-initialise it, and give it back with profile_free(). */
struct profile {
    uint32_t count;
    uint16_t slot[PROFILE_SLOTS]; /* open addressing: a place in shader plus 1; 0 is free */
    struct tess_vc4_shader_stats shader[PROFILE_SHADERS + 1]; /* the last: all that found no room */
    bool by_instruction;
    struct hot hot; /* if so */
};

struct bus;
struct qpu;

/* Tells programs apart that follow each other at one address: their instructions as a hash value. */
uint64_t profile_code(struct bus *bus, uint32_t start);

/* Where instructions are to be counted; NULL: nowhere. */
static inline struct hot *profile_hot(struct profile *profile)
{
    return profile && profile->by_instruction ? &profile->hot : NULL;
}

/* Adds the numbers of *run to its program's. */
void profile_add(struct profile *profile, const struct tess_vc4_shader_stats *run);

/* The same for a program that has ended, or will never end. */
void profile_run(struct profile *profile, const struct qpu *qpu);

/* Forgets everything; and gives its memory back. */
void profile_clear(struct profile *profile);
void profile_free(struct profile *profile);

/* Adds all of *other. */
void profile_merge(struct profile *profile, const struct profile *other);

#endif
