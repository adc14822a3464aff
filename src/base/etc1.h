/* SPDX-License-Identifier: MIT */
/* etc1.h - decodes ETC1 blocks of 4 x 4 texels.
 *
 * Source: the OpenGL ES extension OES_compressed_ETC1_RGB8_texture. */
#ifndef BASE_ETC1_H
#define BASE_ETC1_H

#include <stdint.h>

/* Decodes a block to 16 texels, row by row. A texel has red in the lowest byte and alpha 255 in the
 * highest. `bits` contains the block's eight bytes as a little-endian number. */
void etc1_decode(uint64_t bits, uint32_t texel[16]);

/* Decodes one texel of a block. x and y are from 0 to 3. The result is the value that etc1_decode()
 * writes to texel[4 * y + x]. */
uint32_t etc1_texel(uint64_t bits, uint32_t x, uint32_t y);

#endif
