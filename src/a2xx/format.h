/* SPDX-License-Identifier: MIT */
/* format.h - conversion of vertex elements and of texels without blocks to floats.
 *
 * In:      the words of an element for 64 lanes, and the interpretation of each component.
 * Out:     four floats.
 * Source:  docs/hardware/a2xx.md, sections 14 and 17; xenia, src/xenia/gpu/shader_interpreter.cc,
 *          for the interpretation of numbers.
 * Choice:  docs/a2xx/texture.md, "Numbers". */
#ifndef A2XX_FORMAT_H
#define A2XX_FORMAT_H

#include "a2xx/fetch.h"

/* Signs of components, numbered as in texture constants. */
enum a2xx_sign { A2XX_UNSIGNED, A2XX_SIGNED, A2XX_BIASED, A2XX_GAMMA };

/* Interpretation of an integer's bits. */
struct a2xx_numbers {
    enum a2xx_sign sign;
    bool whole;   /* true for whole numbers, false for normalised numbers */
    bool no_zero; /* true if signed numbers mean (2x + 1) / (2^n - 1), never 0 */
};

struct a2xx_component;
typedef void a2xx_convert(const struct a2xx_component *component, const uint32_t *word,
                          float *data);

/* Bits of an element, and the function that converts them. */
struct a2xx_component {
    a2xx_convert *convert;
    uint8_t word, low, bits;
};

/* Returns component i of a format without blocks. A component that the format lacks converts to
 * 0. */
struct a2xx_component a2xx_format_component(const struct a2xx_format *format, unsigned i,
                                            enum tess_a2xx_variant variant,
                                            struct a2xx_numbers numbers);

/* Converts one component of all lanes. */
static inline void a2xx_unpack(const struct a2xx_component *component,
                               const uint32_t words[4][A2XX_LANES], float data[A2XX_LANES])
{
    component->convert(component, words[component->word], data);
}

/* Returns true if the format has one texel per block and a known layout. */
bool a2xx_format_is_plain(const struct a2xx_format *format);

/* Converts words from memory's byte order: 8in16, 8in32, 16in32. */
void a2xx_swap(uint32_t words[A2XX_LANES], uint32_t endian);

/* Returns the number to XOR with a byte's address to find the byte as if the words were swapped. */
static inline uint32_t a2xx_swap_address(uint32_t endian)
{
    static const uint8_t change[4] = {0, 1, 3, 2};
    return change[endian & 3];
}

/* Returns the linear value of a normalised number stored with the Xenos's gamma curve, which
 * consists of four linear pieces. */
float a2xx_gamma(float value);

#endif
