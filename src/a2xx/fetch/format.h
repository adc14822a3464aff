/* SPDX-License-Identifier: MIT */
/* format.h - converts vertex elements, and texels of formats without blocks, to floats.
 *
 * In:      the words of an element for 64 lanes, and the interpretation of each component.
 * Out:     four floats for each lane.
 * Source:  docs/hardware/a2xx.md, sections 14 and 17; xenia, src/xenia/gpu/shader_interpreter.cc,
 *          for the interpretation of numbers.
 * Choice:  docs/a2xx/texture.md, "Numbers". */
#ifndef A2XX_FETCH_FORMAT_H
#define A2XX_FETCH_FORMAT_H

#include "a2xx/fetch/fetch.h"

/* Signs of components, numbered as in texture constants. */
enum a2xx_sign { A2XX_UNSIGNED, A2XX_SIGNED, A2XX_BIASED, A2XX_GAMMA };

/* Interpretation of the bits of a component. */
struct a2xx_numbers {
    enum a2xx_sign sign;
    bool whole;   /* true for whole numbers, false for normalised numbers */
    bool no_zero; /* true if a signed number x means (2x + 1) / (2^n - 1), which is never 0 */
};

struct a2xx_component;
typedef void a2xx_convert(const struct a2xx_component *component, const uint32_t *word,
                          float *data);

/* Position of a component's bits in an element, and the function that converts them. */
struct a2xx_component {
    a2xx_convert *convert;
    uint8_t word, low, bits;
};

/* Returns component i of a format without blocks. If the format does not have the component, the
 * result converts to 0. */
struct a2xx_component a2xx_format_component(const struct a2xx_format *format, unsigned i,
                                            enum tess_a2xx_variant variant,
                                            struct a2xx_numbers numbers);

/* Converts one component in all lanes. */
static inline void a2xx_unpack(const struct a2xx_component *component,
                               const uint32_t words[4][A2XX_LANES], float data[A2XX_LANES])
{
    component->convert(component, words[component->word], data);
}

/* Returns true if the format has one texel per block and a known layout. */
bool a2xx_format_is_plain(const struct a2xx_format *format);

/* Converts words from the byte order of memory. endian is 1 for 8in16, 2 for 8in32, or 3 for
 * 16in32. Other values change nothing. */
void a2xx_swap(uint32_t words[A2XX_LANES], uint32_t endian);

/* Returns a mask for reading single bytes without swapping their words. The byte that a swap would
 * move to address A is at address A ^ mask. */
static inline uint32_t a2xx_swap_address(uint32_t endian)
{
    static const uint8_t change[4] = {0, 1, 3, 2};
    return change[endian & 3];
}

/* Returns the linear value of a normalised number that is stored with the Xenos's gamma curve. The
 * curve consists of four straight pieces. */
float a2xx_gamma(float value);

#endif
