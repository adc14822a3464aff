/* SPDX-License-Identifier: MIT */
/* toy.h - a machine for the test of the recipe "Add a machine": eight registers and five
 * operations, executed for each item of a batch. */
#ifndef TESSERA_TOY_H
#define TESSERA_TOY_H

#include <tessera/machine.h>

#ifdef __cplusplus
extern "C" {
#endif

struct tess_toy_options {
    struct tess_machine_options machine;
};

struct tess_toy;

/* Creates a machine, which the caller releases with tess_toy_destroy(). options may be NULL. *out
 * is NULL unless the result is TESS_OK. Returns TESS_INVALID or TESS_NO_MEMORY on failure. */
TESS_API enum tess_status tess_toy_create(struct tess_toy **out,
                                          const struct tess_toy_options *options);
TESS_API void tess_toy_destroy(struct tess_toy *toy);

/* Loads a program of 1 to 256 words, which are copied. Returns TESS_INVALID for other numbers. */
TESS_API enum tess_status tess_toy_load(struct tess_toy *toy, const uint32_t *words, size_t count);

/* Runs the program for items 0 to count - 1: r0 begins as the item's number, and the operation out
 * writes results[item]. Returns TESS_WRONG if an item does not end, TESS_INVALID without a program,
 * or TESS_NO_MEMORY. */
TESS_API enum tess_status tess_toy_run(struct tess_toy *toy, uint32_t *results, size_t count);

struct tess_toy_stats {
    uint64_t items, instructions;
};
TESS_API void tess_toy_get_stats(const struct tess_toy *toy, struct tess_toy_stats *stats);

#ifdef __cplusplus
}
#endif

#endif
