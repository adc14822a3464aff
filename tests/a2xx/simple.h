/* SPDX-License-Identifier: MIT */
/* simple.h - a second A2xx, one lane at a time, written in the plainest way from the digest, sections 4 to 10, 12 and 27: what the
 * model computes side by side is compared with it. No fetches, no breaks of loops; functions come from long double. */
#ifndef TESTS_A2XX_SIMPLE_H
#define TESTS_A2XX_SIMPLE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct simple_input {
    const uint32_t *words; /* three for each slot */
    unsigned slots;
    const float (*constants)[4]; /* 256 of the stage */
    const bool *bools;           /* 256 */
    const uint8_t (*loops)[3];   /* 32 of count, start, step */
    float registers[64][4];
    uint64_t limit; /* of instructions */
    bool fused, keep_denormals;
    bool xenos; /* scalar operand b is slot z of source 3's swizzle, else x */
};

struct simple_output {
    float exports[64][4];
    uint8_t exported[64]; /* components */
    bool killed, ended;   /* ended: before the limit */
    uint64_t executed;
};

void simple_run(const struct simple_input *input, struct simple_output *output);

#endif
