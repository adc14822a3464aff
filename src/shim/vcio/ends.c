/* SPDX-License-Identifier: MIT */
/* ends.c - see ends.h. For now exit() alone. */
#include "ends.h"

#include <stdlib.h>

static void (*at_end)(void);

void ends_install(void (*end)(void))
{
    at_end = end;
}

__attribute__((destructor)) static void end_process(void)
{
    if (at_end)
        at_end();
}

void ends_fatal(void)
{
}
