/* SPDX-License-Identifier: MIT */
/* mailbox.h - ioctl() of /dev/vcio. */
#ifndef VCIO_MAILBOX_H
#define VCIO_MAILBOX_H

#include <stdint.h>

/* Carries out ioctl() of /dev/vcio. Returns 0, or -1 with errno set. `argument` may be any
 * value. */
int mailbox_ioctl(unsigned long request, uintptr_t argument);

#endif
