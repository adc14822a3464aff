/* SPDX-License-Identifier: MIT */
/* terminals.h - virtual terminals, /dev/tty0 to /dev/tty63, which display servers want to have one of before they use a
 * display.
 *
 * In:  opens, requests. Out: descriptors that do nothing; answers as of a console with these terminals.
 *
 * The system's own stay as they are: a program on the modelled display must not switch the screen that somebody looks at. */
#ifndef SHIM_DRM_TERMINALS_H
#define SHIM_DRM_TERMINALS_H

#include <stdbool.h>
#include <stdint.h>

enum { TERMINAL_MAJOR = 4 };

/* Whether a path is of a terminal, and of which. */
bool terminals_path(const char *path, unsigned *number);

/* Opens one with open()'s flags: a descriptor, or -1 and errno. */
int terminals_open(unsigned number, int flags);

/* Whether a descriptor is of a terminal of ours, and of which; also if it came from another process. */
bool terminals_is(int fd, unsigned *number);

/* ioctl() of one: 0, or an errno. */
int terminals_ioctl(unsigned number, unsigned long request, uint64_t argument);

#endif
