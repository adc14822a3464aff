/* SPDX-License-Identifier: MIT */
/* v3d.c - starts the 3D block and its control lists. */
#include "v3d.h"

#include "mailbox.h"

bool v3d_start(void)
{
    uint32_t on[] = {1};
    return mailbox_tag(TAG_ENABLE_QPU, on, 1) && V3D_IDENT0 == 0x02443356; /* "V3D", 2 */
}

void v3d_clear_caches(void)
{
    V3D_L2CACTL = 1 << 2;
    V3D_SLCACTL = 0x0f0f0f0f;
}

void v3d_draw(const void *binning, const void *binning_end, const void *rendering,
              const void *rendering_end)
{
    barrier();
    v3d_clear_caches();
    V3D_BFC = 1; /* clear the counts of finished lists */
    V3D_RFC = 1;
    /* A list starts when its end is written. */
    V3D_CT0CA = bus_address(binning);
    V3D_CT0EA = bus_address(binning_end);
    V3D_CT1CA = bus_address(rendering);
    V3D_CT1EA = bus_address(rendering_end);
}

bool v3d_wait(void)
{
    uint32_t start = microseconds();
    while (V3D_RFC == 0)
        if (microseconds() - start > 1000000)
            return false;
    barrier();
    return true;
}
