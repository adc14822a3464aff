/* SPDX-License-Identifier: MIT */
/* constant.h - decodes and encodes fetch constants.
 *
 * In:      words of the fetch constants.
 * Out:     struct a2xx_texture_constant and a2xx_vertex_constant, with one member for each row of
 *          constants.def. */
#ifndef A2XX_FETCH_CONSTANT_H
#define A2XX_FETCH_CONSTANT_H

#include <stdint.h>

enum { A2XX_TEXTURE_WORDS = 6, A2XX_VERTEX_WORDS = 2 };

/* Values of the members .type. */
enum { A2XX_TYPE_TEXTURE = 2, A2XX_TYPE_VERTEX = 3 };

/* Fields as they are stored, without sign extension or scaling. */
struct a2xx_texture_constant {
#define TEXTURE_CONSTANT(name, word, low, bits, meaning) uint32_t name;
#include "a2xx/fetch/constants.def"
};
struct a2xx_vertex_constant {
#define VERTEX_CONSTANT(name, word, low, bits, meaning) uint32_t name;
#include "a2xx/fetch/constants.def"
};

static inline uint32_t a2xx_constant_field(uint32_t word, unsigned low, unsigned bits)
{
    return word >> low & ((UINT32_C(1) << bits) - 1);
}

static inline struct a2xx_texture_constant a2xx_decode_texture(const uint32_t *words)
{
    return (struct a2xx_texture_constant){
#define TEXTURE_CONSTANT(name, word, low, bits, meaning) \
    .name = a2xx_constant_field(words[word], low, bits),
#include "a2xx/fetch/constants.def"
    };
}

static inline struct a2xx_vertex_constant a2xx_decode_vertex(const uint32_t *words)
{
    return (struct a2xx_vertex_constant){
#define VERTEX_CONSTANT(name, word, low, bits, meaning) \
    .name = a2xx_constant_field(words[word], low, bits),
#include "a2xx/fetch/constants.def"
    };
}

/* Encodes a constant. If members share the same bits, they must be equal, or all but one must be
 * 0. */
static inline void a2xx_encode_texture(const struct a2xx_texture_constant *constant,
                                       uint32_t words[A2XX_TEXTURE_WORDS])
{
    for (unsigned i = 0; i < A2XX_TEXTURE_WORDS; i++)
        words[i] = 0;
#define TEXTURE_CONSTANT(name, word, low, bits, meaning) words[word] |= constant->name << low;
#include "a2xx/fetch/constants.def"
}

#endif
