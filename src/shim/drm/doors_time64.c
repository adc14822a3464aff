/* SPDX-License-Identifier: MIT */
/* doors_time64.c - fcntl() of doors.c for 32-bit programs that were compiled for times of 64 bits: the C library has another
 * function for them. This file is compiled as those are, so that the headers give the function defined here its other name.
 *
 * In:  calls.
 * Out: as the function without times of 64 bits.
 *
 * Source: glibc's headers. */
#include <fcntl.h>
#include <stdarg.h>

#include "doors.h"
#include "shim/common/next.h"

SHOWN int fcntl(int fd, int command, ...)
{
    va_list arguments;
    va_start(arguments, command);
    void *argument = va_arg(arguments, void *);
    va_end(arguments);
    return doors_fcntl(fd, command, NEXT_AS(fcntl, __fcntl_time64)(fd, command, argument));
}
