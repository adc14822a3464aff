/* SPDX-License-Identifier: MIT */
/* recipe.c - looks up ALU operations that compute a constant.
 *
 * In:      the constant.
 * Out:     opcodes, small immediates and pack modes that yield the constant, in
 *          order of preference.
 * Source:  the table that make_recipes.c writes during the build. */

#include "base/array.h"
#include "isa/qpu/constant.h"

static const struct {
    uint32_t value;
    struct qpu_recipe recipe;
} recipes[] = {
#include "isa/qpu_recipes.inc"
};

enum { COUNT = sizeof recipes / sizeof recipes[0] };

bool qpu_next_recipe(uint32_t value, uint32_t *at, struct qpu_recipe *recipe)
{
    uint32_t index = *at ? *at : (uint32_t)ARRAY_BELOW(recipes, COUNT, value, value);
    *at = index + 1;
    if (index >= COUNT || recipes[index].value != value)
        return false;
    *recipe = recipes[index].recipe;
    return true;
}
