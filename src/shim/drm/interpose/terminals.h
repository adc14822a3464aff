/* SPDX-License-Identifier: MIT */
/* terminals.h - virtual terminals, /dev/tty0 to /dev/tty63. A display server opens a terminal
 * before it uses a display.
 *
 * In:  opens, requests.
 * Out: descriptors; answers like those of a console with these terminals.
 *
 *The system's terminals are not changed, because a program on the modelled display must not switch
 *the screen that the user sees. */
#ifndef SHIM_DRM_INTERPOSE_TERMINALS_H
#define SHIM_DRM_INTERPOSE_TERMINALS_H

#include <stdbool.h>
#include <stdint.h>

enum { TERMINAL_MAJOR = 4 };

/* True if a path names a terminal. Then sets *number. */
bool terminals_path(const char *path, unsigned *number);

/* Opens a terminal with the flags of open(). Returns a descriptor, or -1 with errno set. */
int terminals_open(unsigned number, int flags);

/* True if a descriptor is one of the shim's terminals. Another process may have opened the
 * terminal. Sets *number. */
bool terminals_is(int fd, unsigned *number);

/* Carries out ioctl() of a terminal. Returns 0 or an errno. */
int terminals_ioctl(unsigned number, unsigned long request, uint64_t argument);

#endif
