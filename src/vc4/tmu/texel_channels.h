/* SPDX-License-Identifier: MIT */
/* texel_channels.h - macros that pack and widen the channels of texels. The operands are vectors of
 * words of any width. */
#ifndef VC4_TMU_TEXEL_CHANNELS_H
#define VC4_TMU_TEXEL_CHANNELS_H

#define RGBA(red, green, blue, alpha) ((red) | (green) << 8 | (blue) << 16 | (alpha) << 24)
#define FIELD(word, high, low)        ((word) >> (low) & ((2u << ((high) - (low))) - 1))
#define WIDEN4(value)                 ((value)*17)
#define WIDEN5(value)                 ((value) << 3 | (value) >> 2)
#define WIDEN6(value)                 ((value) << 2 | (value) >> 4)

#define OPAQUE                        0xff000000u

#endif
