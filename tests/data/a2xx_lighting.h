/* SPDX-License-Identifier: MIT */
/* a2xx_lighting.h - words of the lighting shader of freedreno's wiki, by slot
 * (docs/hardware/a2xx.md, section 19). */
#ifndef TESTS_DATA_A2XX_LIGHTING_H
#define TESTS_DATA_A2XX_LIGHTING_H

#include <stddef.h>
#include <stdint.h>
#include <string.h>

enum { LIGHTING_SLOTS = 24 };

static const struct {
    unsigned slot;
    uint32_t words[3];
} lighting_words[] = {
    /* clang-format off */
    {0,  {0x00956003, 0x00001000, 0xc2000000}},
    {1,  {0x00006009, 0x400f1000, 0x10000000}},
    {2,  {0x00000000, 0x5013c400, 0x20000000}},
    {3,  {0x0d481000, 0x00393e88, 0x0000000c}},
    {4,  {0x01482000, 0x40393a88, 0x0000000c}},
    {5,  {0x03483000, 0x40393e88, 0x0000000c}},
    {6,  {0x140f0000, 0x001b0000, 0xa1020700}},
    {7,  {0x140f0000, 0x00c60000, 0xab020600}},
    {8,  {0x140f0000, 0x00b10000, 0xab020500}},
    {9,  {0x140f803e, 0x006c0000, 0xab020400}},
    {14, {0x4c170402, 0x00060000, 0xa1030a00}},
    {15, {0x14070000, 0x04002c0c, 0xcb00040b}},
    {19, {0x58800000, 0x00000040, 0xe2000004}},
    {23, {0x14878000, 0x00002c40, 0xc101000c}},
    /* clang-format on */
};

/* Compares a program's words with the words above. */
static inline void expect_lighting_words(const uint32_t *words)
{
    for (size_t i = 0; i < sizeof lighting_words / sizeof lighting_words[0]; i++)
        assert_memory_equal(words + (size_t)3 * lighting_words[i].slot, lighting_words[i].words,
                            sizeof lighting_words[i].words);
}

#endif
