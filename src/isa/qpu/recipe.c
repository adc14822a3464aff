/* SPDX-License-Identifier: MIT */
/* recipe.c - looks up ALU operations that compute a constant.
 *
 * In:      the constant.
 * Out:     opcodes, small immediates and pack modes that yield the constant, in
 *          order of preference.
 * Source:  the table that make_recipes.c writes during the build. */

#include "isa/qpu/constant.h"

static const struct {
    uint32_t value;
    struct qpu_recipe recipe;
} recipes[] = {
#include "isa/qpu_recipes.inc"
};

enum { COUNT = sizeof recipes / sizeof recipes[0] };

/* Returns the index of the first recipe whose value is at least this value. */
static uint32_t find(uint32_t value)
{
    uint32_t low = 0, high = COUNT;
    while (low < high) {
        uint32_t middle = (low + high) / 2;
        if (recipes[middle].value < value)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

bool qpu_next_recipe(uint32_t value, uint32_t *at, struct qpu_recipe *recipe)
{
    uint32_t index = *at ? *at : find(value);
    *at = index + 1;
    if (index >= COUNT || recipes[index].value != value)
        return false;
    *recipe = recipes[index].recipe;
    return true;
}
