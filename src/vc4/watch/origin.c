/* SPDX-License-Identifier: MIT */
/* origin.c - see origin.h. */
#include "vc4/watch/origin.h"

#include <stdio.h>

#include "base/bits.h"

enum {
    WORDS = 64,    /* number of uniforms that are searched; the latest reads come first */
    NEAR = 0x10000 /* limit of the difference between the address and a lower uniform, in bytes */
};

/* Returns address - uniform if the address is less than NEAR bytes above the uniform. Otherwise
 * returns UINT32_MAX. A uniform of 0 matches only the address 0. */
static uint32_t distance(uint32_t uniform, uint32_t address)
{
    bool near = address - uniform < NEAR && uniform != 0;
    return uniform == address ? 0 : near ? address - uniform : UINT32_MAX;
}

const char *origin_text(const struct origin *origin, struct bus *bus, uint32_t address,
                        char text[ORIGIN_SIZE])
{
    uint32_t read = (origin->next - origin->first) / 4, best = UINT32_MAX;
    text[0] = '\0';
    for (uint32_t i = 0; i < read && i < WORDS && best; i++) {
        uint32_t at = origin->next - 4 - 4 * i;
        const uint8_t *bytes = bus_host(bus, at, 4);
        uint32_t uniform = bytes ? load_le32(bytes) : 0, away = distance(uniform, address);
        if (!bytes || away >= best)
            continue;
        best = away;
        snprintf(text, ORIGIN_SIZE, "; the uniform at 0x%08x, number %u of its stream, is 0x%08x",
                 at, (at - origin->first) / 4 + 1, uniform);
    }
    return text;
}
