/* SPDX-License-Identifier: MIT */
/* interpose_time64.c - the functions of interpose.c and interpose_stat.c for 32-bit programs
 * that were compiled with 64-bit times. The C library has separate functions for such programs.
 * The headers map each function defined here to its separate name, because this file is compiled
 * with 64-bit times.
 *
 * In:  calls.
 * Out: the results of the functions with 32-bit times.
 *
 * Source: glibc's headers. */
#include <stdarg.h>
#include <sys/ioctl.h>

#include "interpose.h"
#include "interpose_stat.h"

INTERPOSE_IOCTL(NEXT_AS(ioctl, __ioctl_time64))
INTERPOSE_STAT(, struct stat, __, 64_time64)
