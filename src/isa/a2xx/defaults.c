/* SPDX-License-Identifier: MIT */
/* defaults.c - see defaults.h. */
#include "isa/a2xx/defaults.h"

/* Values of filter fields that select the filter of the fetch constant. */
enum { FILTER_OF_CONSTANT = 3, ANISO_OF_CONSTANT = 7 };

enum { DST_XYZW = 0 | 1 << 3 | 2 << 6 | 3 << 9 };

struct a2xx_alu a2xx_idle_alu(enum a2xx_idle idle)
{
    if (idle == A2XX_IDLE_ZERO)
        return (struct a2xx_alu){.vector_opc = A2XX_V_ADD, .scalar_opc = A2XX_S_ADD};
    return (struct a2xx_alu){.vector_opc = A2XX_V_MAX,
                             .src1_sel = 1,
                             .src2_sel = 1,
                             .scalar_opc = A2XX_S_MAX,
                             .src3_sel = 1};
}

struct a2xx_vertex a2xx_default_vertex(enum tess_a2xx_variant variant, bool first)
{
    return (struct a2xx_vertex){.opcode = A2XX_FETCH_VERTEX,
                                .dst_swiz = DST_XYZW,
                                .must_be_one = 1,
                                .num_format_all = 1,
                                .prefetch = first,
                                .mini_fetch = variant == TESS_A2XX_ADRENO && !first};
}

struct a2xx_texture a2xx_default_texture(void)
{
    return (struct a2xx_texture){.opcode = A2XX_FETCH_SAMPLE,
                                 .dst_swiz = DST_XYZW,
                                 .mag_filter = FILTER_OF_CONSTANT,
                                 .min_filter = FILTER_OF_CONSTANT,
                                 .mip_filter = FILTER_OF_CONSTANT,
                                 .aniso_filter = ANISO_OF_CONSTANT,
                                 .arbitrary_filter = ANISO_OF_CONSTANT,
                                 .vol_mag_filter = FILTER_OF_CONSTANT,
                                 .vol_min_filter = FILTER_OF_CONSTANT,
                                 .use_comp_lod = 1};
}
