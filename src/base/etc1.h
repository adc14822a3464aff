/* SPDX-License-Identifier: MIT */
/* etc1.h - blocks of 4 x 4 texels that are compressed as ETC1.
 *
 * Source:   the OpenGL ES extension OES_compressed_ETC1_RGB8_texture. */
#ifndef BASE_ETC1_H
#define BASE_ETC1_H

#include <stdint.h>

/* The 16 texels of a block, row by row: red in the lowest byte, alpha 255. bits: its eight bytes as a little-endian number. */
void etc1_decode(uint64_t bits, uint32_t texel[16]);

#endif
