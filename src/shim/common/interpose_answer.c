/* SPDX-License-Identifier: MIT */
/* interpose_answer.c - parts that the shims use to answer interposed functions (interpose.h). */
#include <errno.h>
#include <sys/ioctl.h>

#include "device_lock.h"
#include "interpose.h"
#include "user.h"

/* The requests are those that Linux handles in fs/ioctl.c. */
bool interpose_is_of_descriptors(unsigned long request)
{
    static const unsigned long requests[] = {FIOCLEX, FIONCLEX, FIONBIO, FIOASYNC};
    for (size_t i = 0; i < sizeof requests / sizeof *requests; i++)
        if ((uint32_t)request == requests[i])
            return true;
    return false;
}

int interpose_give(void *to, const void *whole, size_t size)
{
    device_lock();
    const bool done = user_write((uintptr_t)to, whole, size);
    device_unlock();
    if (!done)
        errno = EFAULT;
    return done ? 0 : -1;
}
