/* SPDX-License-Identifier: MIT */
/* texel_load.c - loads texels of 64 lanes from memory: see texture.h. */
#include <string.h>

#include "a2xx/fetch/texel.h"
#include "a2xx/fetch/texture.h"
#include "base/bits.h"

enum { BYTES = 16 }; /* size of the largest block, in bytes */

/* Loads a block that is near the end of its range or outside of it. Also loads blocks whose byte
 * swap exchanges bytes with neighbouring blocks. */
static void load_slowly(const struct a2xx_sampler *sampler, uint32_t address, unsigned lane,
                        uint8_t bytes[BYTES], struct a2xx_fetch_report *report)
{
    unsigned size = sampler->layout.format->bytes;
    uint32_t change = size % 4 ? a2xx_swap_address(sampler->constant.endian) : 0;
    bool whole = true;
    memset(bytes, 0, BYTES);
    if (!change)
        whole = a2xx_memory_load(sampler->memory, address, bytes, size);
    for (unsigned i = 0; change && i < size; i++)
        whole &= a2xx_memory_load(sampler->memory, (address + i) ^ change, bytes + i, 1);
    if (whole)
        return;
    if (!report->lanes[A2XX_FETCH_UNMAPPED])
        report->address = address;
    report->lanes[A2XX_FETCH_UNMAPPED] |= UINT64_C(1) << lane;
}

/* Returns a pointer to 16 bytes from the start of a block. The pointer is to the user's memory, or
 * to copy[] if the bytes had to be copied. */
static const uint8_t *block_bytes(const struct a2xx_sampler *sampler, unsigned number,
                                  uint64_t offset, unsigned lane, uint8_t copy[BYTES],
                                  struct a2xx_fetch_report *report)
{
    bool mip = number > 0, small = sampler->layout.format->bytes % 4;
    if (offset + BYTES <= sampler->host_size[mip] && !(small && sampler->constant.endian))
        return sampler->host[mip] + offset;
    uint32_t base = mip ? sampler->mips : sampler->base;
    load_slowly(sampler, base + (uint32_t)offset, lane, copy, report);
    return copy;
}

/* Loads the blocks that contain the lanes' texels. The width and height of a block are powers of
 * two. */
static void load_blocks(const struct a2xx_sampler *sampler, const uint8_t level[A2XX_LANES],
                        const int32_t *const texel[A2XX_AXES], uint64_t lanes,
                        uint32_t words[4][A2XX_LANES], struct a2xx_fetch_report *report)
{
    const struct a2xx_layout *layout = &sampler->layout;
    unsigned count = (layout->format->bytes + 3U) / 4;
    unsigned right = (unsigned)__builtin_ctz(layout->format->width);
    unsigned down = (unsigned)__builtin_ctz(layout->format->height);
    for (uint64_t left = lanes; left; left &= left - 1) {
        unsigned lane = (unsigned)__builtin_ctzll(left), number = level[lane];
        uint32_t x = (uint32_t)texel[0][lane], y = (uint32_t)texel[1][lane];
        uint64_t offset = a2xx_block_offset(layout, &layout->level[number], x >> right, y >> down,
                                            (uint32_t)texel[2][lane]);
        uint8_t copy[BYTES];
        const uint8_t *bytes = block_bytes(sampler, number, offset, lane, copy, report);
        for (unsigned i = 0; i < count; i++)
            words[i][lane] = load_le32(bytes + 4 * i);
    }
    if (sampler->constant.endian && layout->format->bytes % 4 == 0)
        for (unsigned i = 0; i < count; i++)
            a2xx_swap(words[i], sampler->constant.endian);
}

/* Applies the component signs that do not depend on the format of the block (biased and gamma). */
static void apply_sign(const struct a2xx_sampler *sampler, float texel[4])
{
    for (unsigned i = 0; i < 4; i++) {
        if (sampler->sign[i] == A2XX_BIASED)
            texel[i] = 2 * texel[i] - 1;
        if (sampler->sign[i] == A2XX_GAMMA && sampler->variant == TESS_A2XX_XENOS)
            texel[i] = a2xx_gamma(texel[i]);
    }
}

static void decode_blocks(const struct a2xx_sampler *sampler, const int32_t *const texel[A2XX_AXES],
                          uint64_t lanes, const uint32_t words[4][A2XX_LANES],
                          float data[4][A2XX_LANES])
{
    const struct a2xx_format *format = sampler->layout.format;
    unsigned signs = 0;
    for (unsigned i = 0; i < 4; i++)
        signs |= (unsigned)(sampler->sign[i] == A2XX_SIGNED) << i;
    for (uint64_t left = lanes; left; left &= left - 1) {
        unsigned lane = (unsigned)__builtin_ctzll(left);
        uint8_t block[BYTES];
        float value[4];
        for (unsigned i = 0; i < format->bytes / 4U; i++)
            store_le32(block + 4 * i, words[i][lane]);
        a2xx_texel(format, block, (uint32_t)texel[0][lane] % format->width,
                   (uint32_t)texel[1][lane] % format->height, signs, value);
        apply_sign(sampler, value);
        for (unsigned i = 0; i < 4; i++)
            data[i][lane] = value[i];
    }
}

void a2xx_texel_load(const struct a2xx_sampler *sampler, const uint8_t level[A2XX_LANES],
                     const int32_t *const texel[A2XX_AXES], uint64_t lanes,
                     float data[4][A2XX_LANES], struct a2xx_fetch_report *report)
{
    uint32_t words[4][A2XX_LANES];
    if (lanes != UINT64_MAX)
        memset(words, 0, sizeof words);
    load_blocks(sampler, level, texel, lanes, words, report);
    if (!sampler->plain) {
        memset(data, 0, 4 * sizeof data[0]);
        decode_blocks(sampler, texel, lanes, (const uint32_t(*)[A2XX_LANES])words, data);
        return;
    }
    for (unsigned i = 0; i < 4; i++) {
        if (i < sampler->components)
            a2xx_unpack(&sampler->component[i], (const uint32_t(*)[A2XX_LANES])words, data[i]);
        else
            memcpy(data[i], data[sampler->components - 1], sizeof data[i]);
    }
}
