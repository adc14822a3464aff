/* SPDX-License-Identifier: MIT */
/* guard.c - prevents the program from accessing GPU memory while work is pending.
 *
 * In:  guard_close() and guard_open() from the machine.
 * Out: the protection of the mappings in the table of ranges.h.
 *
 * An access to a closed mapping faults. The handler in trap.c then lets the machine do its pending
 * work, which opens the guard.
 *
 * Left out: if the program passes a pointer into a closed mapping to a system call, the system call
 *           fails with EFAULT. interpose_waits.c does pending work before the system calls that it
 *           interposes, so those succeed. */
#include "guard.h"

#include <sys/mman.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "ranges.h"

static bool closed; /* true if the guard is closed; changed only with the lock of ranges.h */

bool guard_is_closed(void)
{
    return __atomic_load_n(&closed, __ATOMIC_ACQUIRE);
}

/* Uses a direct system call, because the shim interposes mprotect() (interpose.c). */
static void protect(const struct range *range, int protection)
{
    syscall(SYS_mprotect, range->start, range->end - range->start, protection);
}

/* Closes or opens all mappings of GPU memory. */
static void set(bool wanted)
{
    struct range *range;

    ranges_lock();
    if (closed != wanted) {
        __atomic_store_n(&closed, wanted, __ATOMIC_RELEASE);
        for (range = ranges_at(0); range; range = ranges_at(range->end))
            if (range->kind == RANGE_MEMORY)
                protect(range, wanted ? PROT_NONE : range->protection);
    }
    ranges_unlock();
}

void guard_close(void)
{
    set(true);
}

void guard_open(void)
{
    set(false);
}
