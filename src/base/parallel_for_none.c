/* SPDX-License-Identifier: MIT */
/* parallel_for_none.c - parallel_for.h for builds without threads: the caller's thread runs all
 * pieces in order. */
#include <fenv.h>

#include "base/parallel_for.h"

bool parallel_for(const struct parallel_for *deal)
{
    fenv_t before;
    if (!deal->ready(deal->user, 0))
        return false;
    fegetenv(&before);
    fesetenv(FE_DFL_ENV);
    for (uint32_t piece = 0; piece < deal->pieces && deal->run(deal->user, 0, piece); piece++)
        continue;
    fesetenv(&before);
    return true;
}
