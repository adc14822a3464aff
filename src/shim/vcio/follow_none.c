/* SPDX-License-Identifier: MIT */
/* follow_none.c - cpu_follow() and cpu_catch() of cpu.h for processors whose instructions the shim
 * cannot follow: each access to registers of peripherals costs one fault. */
#include "cpu.h"

unsigned cpu_follow(ucontext_t *context, const struct cpu_following *following)
{
    (void)context, (void)following;
    return 0;
}

bool cpu_catch(int number, siginfo_t *info, ucontext_t *context)
{
    (void)number, (void)info, (void)context;
    return false;
}
