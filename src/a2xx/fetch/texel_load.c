/* SPDX-License-Identifier: MIT */
/* texel_load.c - loads texels of 64 lanes from memory: see texture.h. */
#include <string.h>

#include "a2xx/fetch/texel.h"
#include "a2xx/fetch/texture.h"
#include "base/bits.h"

/* Loads a block that is near the end of its range or outside of it. Also loads blocks whose byte
 * swap exchanges bytes with neighbouring blocks. */
static void load_slowly(const struct a2xx_sampler *sampler, uint32_t address, unsigned lane,
                        uint8_t bytes[A2XX_BLOCK_BYTES], struct a2xx_fetch_report *report)
{
    unsigned size = sampler->layout.format->bytes;
    uint32_t change = size % 4 ? a2xx_swap_address(sampler->constant.endian) : 0;
    bool whole = true;
    memset(bytes, 0, A2XX_BLOCK_BYTES);
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

/* Loads the words of blocks in the user's memory. Returns the lanes whose blocks must be loaded
 * slowly: those near the end of the range. */
static uint64_t load_mapped(const struct a2xx_sampler *sampler, const uint8_t level[A2XX_LANES],
                            const uint64_t offset[A2XX_LANES], uint64_t lanes, unsigned count,
                            uint32_t words[4][A2XX_LANES])
{
    const uint8_t *const host[2] = {sampler->host[0], sampler->host[1]};
    const uint64_t size[2] = {sampler->host_size[0], sampler->host_size[1]};
    uint64_t rest = 0;
    for (uint64_t left = lanes; left; left &= left - 1) {
        unsigned lane = (unsigned)__builtin_ctzll(left);
        bool mip = level[lane] > 0;
        if (offset[lane] + A2XX_BLOCK_BYTES > size[mip]) {
            rest |= left & (~left + 1);
            continue;
        }
        const uint8_t *bytes = host[mip] + offset[lane];
        words[0][lane] = load_le32(bytes);
        for (unsigned i = 1; i < count; i++)
            words[i][lane] = load_le32(bytes + 4 * i);
    }
    return rest;
}

/* Loads the blocks that contain the lanes' texels. The width and height of a block are powers of
 * two. */
static void load_blocks(const struct a2xx_sampler *sampler, const uint8_t level[A2XX_LANES],
                        const int32_t *const texel[A2XX_AXES], uint64_t lanes,
                        uint32_t words[4][A2XX_LANES], struct a2xx_fetch_report *report)
{
    const struct a2xx_layout *layout = &sampler->layout;
    unsigned count = (layout->format->bytes + 3U) / 4;
    bool small = layout->format->bytes % 4;
    uint64_t offset[A2XX_LANES];
    a2xx_block_offsets(layout, level, texel[0], texel[1], texel[2], offset);
    if (!(small && sampler->constant.endian))
        lanes = load_mapped(sampler, level, offset, lanes, count, words);
    for (uint64_t left = lanes; left; left &= left - 1) {
        unsigned lane = (unsigned)__builtin_ctzll(left);
        uint32_t base = level[lane] ? sampler->mips : sampler->base;
        uint8_t copy[A2XX_BLOCK_BYTES];
        load_slowly(sampler, base + (uint32_t)offset[lane], lane, copy, report);
        for (unsigned i = 0; i < count; i++)
            words[i][lane] = load_le32(copy + 4 * i);
    }
    if (sampler->constant.endian && !small)
        for (unsigned i = 0; i < count; i++)
            a2xx_swap(words[i], sampler->constant.endian);
}

/* Applies the component signs that do not depend on the format of the block (biased and gamma). */
static void apply_signs(const struct a2xx_sampler *sampler, uint64_t lanes,
                        float data[4][A2XX_LANES])
{
    for (unsigned i = 0; i < 4; i++) {
        bool gamma = sampler->sign[i] == A2XX_GAMMA && sampler->variant == TESS_A2XX_XENOS;
        if (sampler->sign[i] == A2XX_BIASED)
            FOR_LANES(lane, lanes) data[i][lane] = 2 * data[i][lane] - 1;
        if (gamma)
            FOR_LANES(lane, lanes) data[i][lane] = a2xx_gamma(data[i][lane]);
    }
}

static void decode_blocks(const struct a2xx_sampler *sampler, const int32_t *const texel[A2XX_AXES],
                          uint64_t lanes, const uint32_t words[4][A2XX_LANES],
                          float data[4][A2XX_LANES])
{
    unsigned signs = 0;
    for (unsigned i = 0; i < 4; i++)
        signs |= (unsigned)(sampler->sign[i] == A2XX_SIGNED) << i;
    a2xx_texels(sampler->layout.format, words, texel[0], texel[1], lanes, signs, data);
    apply_signs(sampler, lanes, data);
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
        if (lanes != UINT64_MAX)
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
