/* SPDX-License-Identifier: MIT */
/* interpose_time64.c - the functions of interpose_waits.c for 32-bit programs that were compiled
 * with 64-bit times. The C library has separate functions for such programs. The
 * headers map each function defined here to its separate name, because this file is compiled
 * with 64-bit times.
 *
 * In:  calls.
 * Out: the results of the functions with 32-bit times.
 *
 * Source: glibc's headers. */
#include <poll.h>
#include <signal.h>
#include <sys/select.h>
#include <sys/time.h>
#include <time.h>

#include "wait.h"

typedef struct timespec timespec;
typedef struct timeval timeval;

WAIT_AS(int, nanosleep, __nanosleep64, (const timespec *span, timespec *left), (span, left))
WAIT_AS(int, clock_nanosleep, __clock_nanosleep_time64,
        (clockid_t id, int flags, const timespec *span, timespec *left), (id, flags, span, left))
WAIT_AS(int, select, __select64, (int count, fd_set *in, fd_set *out, fd_set *other, timeval *span),
        (count, in, out, other, span))
WAIT_AS(int, pselect, __pselect64,
        (int count, fd_set *in, fd_set *out, fd_set *other, const timespec *span,
         const sigset_t *mask),
        (count, in, out, other, span, mask))
WAIT_AS(int, ppoll, __ppoll64,
        (struct pollfd * files, nfds_t count, const timespec *span, const sigset_t *mask),
        (files, count, span, mask))
WAIT_AS(int, clock_gettime, __clock_gettime64, (clockid_t id, timespec *now), (id, now))
WAIT_AS(int, gettimeofday, __gettimeofday64, (timeval *restrict now, void *restrict zone),
        (now, zone))
WAIT_AS(time_t, time, __time64, (time_t * now), (now))
