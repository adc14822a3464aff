/* SPDX-License-Identifier: MIT */
/* ranges.c - see ranges.h. */
#include "isa/cl/ranges.h"

#include <stdlib.h>

#include "base/array.h"

void cl_uses_add(struct cl_uses *uses, const struct cl_use *use)
{
    if (use->size == 0)
        return;
    if (!ARRAY_GROW(uses->item, uses->count)) {
        uses->incomplete = true;
        return;
    }
    struct cl_use *added = &uses->item[uses->count++];
    *added = *use;
    added->address &= CL_ADDRESS_MASK;
    if (added->whole_size == 0) {
        added->whole = use->address;
        added->whole_size = use->size;
    }
}

bool cl_uses_meet(const struct cl_use *a, const struct cl_use *b)
{
    return ((b->address - a->address) & CL_ADDRESS_MASK) < a->size ||
           ((a->address - b->address) & CL_ADDRESS_MASK) < b->size;
}

void cl_uses_free(struct cl_uses *uses)
{
    free(uses->item);
    free(uses->draw);
    *uses = (struct cl_uses){0};
}
