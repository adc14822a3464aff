/* SPDX-License-Identifier: MIT */
/* simple.h - a second A2xx, which runs one lane at a time, written as simply as possible from
 * docs/hardware/a2xx.md, sections 4 to 10, 12 and 27. The tests compare the model's results with
 * this A2xx. It has no fetches and no loop breaks. Functions are computed in long double. */
#ifndef TESTS_A2XX_SIMPLE_H
#define TESTS_A2XX_SIMPLE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct simple_input {
    const uint32_t *words; /* words of the program, three per slot */
    unsigned slots;
    const float (*constants)[4]; /* the stage's 256 constants */
    const bool *bools;           /* the 256 boolean constants */
    const uint8_t (*loops)[3];   /* the 32 loop constants: {count, start, step} */
    float registers[64][4];
    uint64_t limit; /* maximum number of instructions */
    bool fused, keep_denormals;
    bool xenos; /* true: scalar operand b is in slot z of source 3's swizzle; false: in slot x */
};

struct simple_output {
    float exports[64][4];
    uint8_t exported[64]; /* masks of exported components */
    bool killed, ended;   /* ended: true if the program ended before the limit */
    uint64_t executed;
};

void simple_run(const struct simple_input *input, struct simple_output *output);

#endif
