/* SPDX-License-Identifier: MIT */
/* texel.h - decodes texels of compressed formats: DXT1 to DXT5, DXT3A, DXT5A, DXN, CTX1, ATC, ETC1,
 * and Y Cb Cr.
 *
 * In:      the bytes of a block, after the byte swap of its texture constant.
 * Out:     four floats, 0 to 1, or -1 to 1 for signed components.
 * Source:  EXT_texture_compression_s3tc, EXT_texture_compression_rgtc, AMD_compressed_ATC_texture,
 *          and for ETC1 OES_compressed_ETC1_RGB8_texture; xenia,
 *          src/xenia/gpu/shaders/pixel_formats.xesli for DXT3A, CTX1 and Y Cb Cr.
 * Choice:  docs/a2xx/texture.md, "Compressed formats". */
#ifndef A2XX_FETCH_TEXEL_H
#define A2XX_FETCH_TEXEL_H

#include <stdbool.h>
#include <stdint.h>

#include "a2xx/lanes/lanes.h"
#include "isa/a2xx/a2xx_isa.h"

enum { A2XX_BLOCK_BYTES = 16 }; /* size of the largest block, in bytes */

/* Returns true if texels of the format are in blocks with a known layout. */
bool a2xx_texel_is_known(const struct a2xx_format *format);

/* Decodes texel (x, y) of a block. Bit i of signs is set if component i is signed. If the format
 * has fewer than four components, the last one is repeated. */
void a2xx_texel(const struct a2xx_format *format, const uint8_t *block, unsigned x, unsigned y,
                unsigned signs, float texel[4]);

/* Decodes texels for the lanes in a mask. words[i][lane] is the little-endian word i of the lane's
 * block. The lane's texel is at (x[lane], y[lane]) of the texture. `data` of other lanes does not
 * change. */
void a2xx_texels(const struct a2xx_format *format, const uint32_t words[4][A2XX_LANES],
                 const int32_t x[A2XX_LANES], const int32_t y[A2XX_LANES], uint64_t lanes,
                 unsigned signs, float data[4][A2XX_LANES]);

#endif
