/* SPDX-License-Identifier: MIT */
/* format.h - elements of vertex buffers and texels that stand alone: from bits to floats, and back.
 *
 * In:      the words of an element, of 64 lanes at once, and how each component is to be read.
 * Out:     four floats.
 * Source:  digest a2xx.md, sections 14 and 17; xenia, src/xenia/gpu/shader_interpreter.cc, for the ways numbers are read.
 * Choice:  docs/a2xx/texture.md, "Numbers". */
#ifndef A2XX_FORMAT_H
#define A2XX_FORMAT_H

#include "a2xx/fetch.h"

/* Signs of components, as texture constants number them. */
enum a2xx_sign { A2XX_UNSIGNED, A2XX_SIGNED, A2XX_BIASED, A2XX_GAMMA };

/* How an integer's bits are to be read. */
struct a2xx_numbers {
    enum a2xx_sign sign;
    bool whole;   /* not normalised */
    bool no_zero; /* of signed ones: (2x + 1) / (2^n - 1) */
};

struct a2xx_component;
typedef void a2xx_convert(const struct a2xx_component *component, const uint32_t *word,
                          float *data);

/* Bits of an element, and what makes a float of them. */
struct a2xx_component {
    a2xx_convert *convert;
    uint8_t word, low, bits;
};

/* Component i of a format that stands alone. One that the format does not have reads 0. */
struct a2xx_component a2xx_format_component(const struct a2xx_format *format, unsigned i,
                                            enum tess_a2xx_variant variant,
                                            struct a2xx_numbers numbers);

/* Makes one component of all lanes. */
static inline void a2xx_unpack(const struct a2xx_component *component,
                               const uint32_t words[4][A2XX_LANES], float data[A2XX_LANES])
{
    component->convert(component, words[component->word], data);
}

/* Whether texels stand alone, and their layout is known. */
bool a2xx_format_is_plain(const struct a2xx_format *format);

/* Swaps the bytes of words that memory holds in another order: 8in16, 8in32, 16in32. */
void a2xx_swap(uint32_t words[A2XX_LANES], uint32_t endian);

/* What a byte's address is changed by, so that it is found where the swap would bring it. */
static inline uint32_t a2xx_swap_address(uint32_t endian)
{
    static const uint8_t change[4] = {0, 1, 3, 2};
    return change[endian & 3];
}

/* Of a normalised value that was stored by the Xenos's gamma curve, four straight pieces. */
float a2xx_gamma(float value);

#endif
