/* SPDX-License-Identifier: MIT */
/* texture_setup.c - sets up a sampler from a fetch instruction and a texture constant; see
 * texture.h.
 *
 * Source:  docs/hardware/a2xx.md, sections 15 and 16; xenia, src/xenia/gpu/ucode.h and
 *          dxbc_shader_translator_fetch.cc.
 * Choice:  docs/a2xx/texture.md. */
#include <string.h>

#include "a2xx/fetch/texel.h"
#include "a2xx/fetch/texture.h"

enum { FILTER_CONSTANT = 3, ANISO_CONSTANT = 7, CODE_24_8 = 22 };

static uint32_t overridden(uint32_t insn, uint32_t keep, uint32_t constant)
{
    return insn == keep ? constant : insn;
}

static void set_filters(struct a2xx_sampler *sampler, const struct a2xx_texture *insn)
{
    const struct a2xx_texture_constant *constant = &sampler->constant;
    sampler->linear[A2XX_MAG] = overridden(insn->mag_filter, FILTER_CONSTANT,
                                           constant->mag_filter) == 1;
    sampler->linear[A2XX_MIN] = overridden(insn->min_filter, FILTER_CONSTANT,
                                           constant->min_filter) == 1;
    sampler->layers_linear[A2XX_MAG] = overridden(insn->vol_mag_filter, FILTER_CONSTANT,
                                                  constant->vol_mag_filter) == 1;
    sampler->layers_linear[A2XX_MIN] = overridden(insn->vol_min_filter, FILTER_CONSTANT,
                                                  constant->vol_min_filter) == 1;
    uint32_t mip = overridden(insn->mip_filter, FILTER_CONSTANT, constant->mip_filter);
    sampler->mip = mip < A2XX_MIP_BASE ? (enum a2xx_mip)mip : A2XX_MIP_BASE;
    uint32_t aniso = overridden(insn->aniso_filter, ANISO_CONSTANT, constant->aniso_filter);
    sampler->samples = aniso >= 1 && aniso <= 5 ? 1U << (aniso - 1) : 1;
    sampler->bias = (float)a2xx_signed(insn->lod_bias, 7) / 16 +
                    (float)a2xx_signed(constant->lod_bias, 10) / 32;
}

static void set_border(struct a2xx_sampler *sampler)
{
    static const float colours[4][4] = {
        {0, 0, 0, 0},       /* black */
        {1, 1, 1, 1},       /* white */
        {0.5F, 0, 0.5F, 0}, /* black for components in the order Cr, Y, Cb */
        {0, 0.5F, 0.5F, 0}, /* black for components in the order Y, Cr, Cb */
    };
    memcpy(sampler->border, colours[sampler->constant.border_color], sizeof sampler->border);
    if (sampler->constant.force_bcw_max)
        sampler->border[3] = 1;
}

static void set_axes(struct a2xx_sampler *sampler, const struct a2xx_texture *insn)
{
    static const uint8_t axes[] = {[A2XX_1D] = 1, [A2XX_2D] = 2, [A2XX_3D] = 3, [A2XX_CUBE] = 3};
    const struct a2xx_texture_constant *constant = &sampler->constant;
    bool picks = sampler->variant == TESS_A2XX_ADRENO || insn->dimension == A2XX_3D;
    bool stacked = sampler->layout.dimension == A2XX_2D && constant->stacked && picks;
    sampler->axes = axes[sampler->layout.dimension] + stacked;
    sampler->clamp[0] = (enum a2xx_clamp)constant->clamp_x;
    sampler->clamp[1] = (enum a2xx_clamp)constant->clamp_y;
    sampler->clamp[2] = stacked ? A2XX_LAST : (enum a2xx_clamp)constant->clamp_z;
    if (sampler->layout.dimension == A2XX_CUBE)
        sampler->clamp[0] = sampler->clamp[1] = sampler->clamp[2] = A2XX_LAST;
    if (sampler->layout.dimension == A2XX_CUBE) /* faces are not blended */
        sampler->layers_linear[A2XX_MAG] = sampler->layers_linear[A2XX_MIN] = false;
    sampler->texels = insn->coord_denorm;
    const uint32_t offsets[A2XX_AXES] = {insn->offset_x, insn->offset_y, insn->offset_z};
    for (unsigned i = 0; i < A2XX_AXES; i++)
        sampler->offset[i] = (float)a2xx_signed(offsets[i], 5) / 2;
}

static void set_components(struct a2xx_sampler *sampler)
{
    const struct a2xx_texture_constant *constant = &sampler->constant;
    const struct a2xx_format *format = sampler->layout.format;
    const uint32_t signs[4] = {constant->sign_x, constant->sign_y, constant->sign_z,
                               constant->sign_w};
    bool depth = sampler->variant == TESS_A2XX_XENOS && constant->format == CODE_24_8;
    sampler->components = depth ? 1 : a2xx_format_components(format);
    for (unsigned i = 0; i < 4; i++) {
        sampler->sign[i] = (enum a2xx_sign)signs[i];
        struct a2xx_numbers numbers = {.sign = sampler->sign[i], .whole = constant->num_format};
        if (sampler->plain)
            sampler->component[i] = a2xx_format_component(format, i + depth, sampler->variant,
                                                          numbers);
        if (depth)
            break;
    }
}

static void set_memory(struct a2xx_sampler *sampler, const struct a2xx_memory *memory)
{
    sampler->memory = memory;
    sampler->base = sampler->constant.base_address << 12;
    sampler->mips = sampler->constant.mip_address << 12;
    sampler->host[0] = a2xx_memory_at(memory, sampler->base, &sampler->host_size[0]);
    sampler->host[1] = a2xx_memory_at(memory, sampler->mips, &sampler->host_size[1]);
}

/* Returns true if the dimensions of instruction and constant differ on the Xenos. A 3D fetch from a
 * stack is allowed, although the dimension in a stack's constant is 2D. */
static bool dimensions_differ(const struct a2xx_sampler *sampler, const struct a2xx_texture *insn)
{
    uint32_t dimension = sampler->constant.dimension;
    bool stack = dimension == A2XX_2D && sampler->constant.stacked && insn->dimension == A2XX_3D;
    return sampler->variant == TESS_A2XX_XENOS && insn->dimension != dimension && !stack;
}

static bool wrong_type(const struct a2xx_sampler *sampler)
{
    uint32_t type = sampler->constant.type;
    return type != A2XX_TYPE_TEXTURE && (type != 0 || sampler->variant == TESS_A2XX_XENOS);
}

bool a2xx_texture_setup(struct a2xx_sampler *sampler, const struct a2xx_fetch_unit *unit,
                        const struct a2xx_texture *insn, uint64_t active,
                        struct a2xx_fetch_report *report)
{
    const uint32_t *words = unit->constants + (size_t)insn->const_index * A2XX_TEXTURE_WORDS;
    sampler->variant = unit->variant;
    sampler->constant = a2xx_decode_texture(words);
    a2xx_layout(&sampler->layout, &sampler->constant, unit->variant);
    sampler->plain = a2xx_format_is_plain(sampler->layout.format);
    set_memory(sampler, unit->memory);
    set_filters(sampler, insn);
    set_border(sampler);
    set_axes(sampler, insn);
    set_components(sampler);

    bool unset = true;
    for (unsigned i = 0; i < A2XX_TEXTURE_WORDS; i++)
        unset = unset && !words[i];
    bool known = sampler->plain || a2xx_texel_is_known(sampler->layout.format);
    const bool faults[A2XX_FETCH_FAULTS] = {
        [A2XX_FETCH_UNSET] = unset,
        [A2XX_FETCH_FORMAT] = !unset && !known,
        [A2XX_FETCH_TYPE] = !unset && wrong_type(sampler),
        [A2XX_FETCH_DIMENSION] = !unset && dimensions_differ(sampler, insn),
        [A2XX_FETCH_PITCH] = !unset && known && sampler->layout.narrow,
    };
    for (unsigned i = 0; i < A2XX_FETCH_FAULTS; i++)
        if (faults[i])
            report->lanes[i] |= active;
    return !unset && known;
}
