/* SPDX-License-Identifier: MIT */
/* constant_public.c - fetch constants for users: see tessera/a2xx.h. */
#include <tessera/a2xx.h>

#include "a2xx/constant.h"

void tess_a2xx_vertex_constant(uint32_t address, uint32_t bytes, uint32_t words[2])
{
    uint32_t most = 0x3fffffc; /* of 24 bits of dwords */
    words[0] = (address & ~UINT32_C(3)) | A2XX_TYPE_VERTEX;
    words[1] = bytes > most ? most : (bytes + 3) & ~UINT32_C(3);
}
