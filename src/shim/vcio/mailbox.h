/* SPDX-License-Identifier: MIT */
/* mailbox.h - ioctl() of /dev/vcio. */
#ifndef VCIO_MAILBOX_H
#define VCIO_MAILBOX_H

#include <stdint.h>

/* What the driver does for ioctl(fd, request, argument): 0, or -1 and errno. argument may be anything. */
int mailbox_ioctl(unsigned long request, uintptr_t argument);

#endif
