/* SPDX-License-Identifier: MIT */
/* names.c - see names.h. */
#include "isa/a2xx/names.h"

#include <string.h>

enum { VALUES_MAX = 8 };

static const char *const names[][VALUES_MAX] = {
    [A2XX_KIND_BUFFER] = {"NONE", "POSITION", "PARAM/PIXEL", "MEMORY"},
    [A2XX_KIND_FILTER] = {"POINT", "LINEAR", "BASEMAP"},
    [A2XX_KIND_ANISO] = {"DISABLED", "MAX_1_1", "MAX_2_1", "MAX_4_1", "MAX_8_1", "MAX_16_1"},
    [A2XX_KIND_ARBITRARY] = {"2x4_SYM", "2x4_ASYM", "4x2_SYM", "4x2_ASYM", "4x4_SYM", "4x4_ASYM"},
    [A2XX_KIND_LOCATION] = {"CENTROID", "CENTER"},
    [A2XX_KIND_DIMENSION] = {"1D", "2D", "3D", "CUBE"},
};

enum { KINDS = sizeof names / sizeof names[0] };

const char *a2xx_value_name(enum a2xx_kind kind, uint32_t value)
{
    return (unsigned)kind < KINDS && value < VALUES_MAX ? names[kind][value] : NULL;
}

const char *a2xx_predicate_name(bool predicated, bool condition)
{
    return !predicated ? "" : condition ? "EQ" : "NE";
}

bool a2xx_value_find(enum a2xx_kind kind, const char *name, size_t length, uint32_t *value)
{
    for (uint32_t i = 0; i < VALUES_MAX; i++) {
        const char *known = a2xx_value_name(kind, i);
        if (known && strlen(known) == length && memcmp(known, name, length) == 0) {
            *value = i;
            return true;
        }
    }
    return false;
}
