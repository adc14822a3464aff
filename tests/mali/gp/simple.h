/* SPDX-License-Identifier: MIT */
/* simple.h - a second GP, written for the tests. The second GP runs one vertex and one instruction
 * at a time without preparation. Every delay is a list of values with their due times. The model
 * and this GP share only the decoding of words.
 * Source:  docs/hardware/utgard.md, sections 3 to 10 and 23; docs/utgard/gp.md for the choices. */
#ifndef TESTS_UTGARD_SIMPLE_H
#define TESTS_UTGARD_SIMPLE_H

#include <tessera/utgard.h>

struct simple_result {
    uint32_t varyings[16][4];
    bool stored[16][4];
    uint64_t instructions;
    bool runaway;
};

/* Runs a program for one vertex. attributes are the bits of floats, as in memory. */
void simple_run(const uint32_t *words, uint32_t instructions, const struct tess_gp_choices *choices,
                uint64_t limit, const uint32_t attributes[16][4], const float rows[512][4],
                struct simple_result *result);

#endif
