/* SPDX-License-Identifier: MIT */
/* interpose_waits.c - interposes functions that wait or read the clock. These functions do
 * pending work first.
 *
 * In:  calls.
 * Out: calls of the C library's functions after pending work is done.
 *
 * Source: the C library's manual; glibc's headers for the names used by fortified calls. */
#include <poll.h>
#include <sched.h>
#include <signal.h>
#include <sys/select.h>
#include <sys/time.h>
#include <time.h>
#include <unistd.h>

#include "wait.h"

typedef struct timespec timespec;
typedef struct timeval timeval;

WAIT(int, usleep, (useconds_t span), (span))
WAIT(unsigned, sleep, (unsigned span), (span))
WAIT(int, nanosleep, (const timespec *span, timespec *left), (span, left))
WAIT(int, clock_nanosleep, (clockid_t id, int flags, const timespec *span, timespec *left),
     (id, flags, span, left))
WAIT(int, sched_yield, (void), ())
WAIT(int, pause, (void), ())
WAIT(int, select, (int count, fd_set *in, fd_set *out, fd_set *other, timeval *span),
     (count, in, out, other, span))
WAIT(int, pselect,
     (int count, fd_set *in, fd_set *out, fd_set *other, const timespec *span,
      const sigset_t *mask),
     (count, in, out, other, span, mask))
WAIT(int, poll, (struct pollfd * files, nfds_t count, int span), (files, count, span))
WAIT(int, ppoll, (struct pollfd * files, nfds_t count, const timespec *span, const sigset_t *mask),
     (files, count, span, mask))
WAIT(int, clock_gettime, (clockid_t id, timespec *now), (id, now))
WAIT(int, gettimeofday, (timeval *restrict now, void *restrict zone), (now, zone))
WAIT(time_t, time, (time_t * now), (now))
WAIT(clock_t, clock, (void), ())

int __poll_chk(struct pollfd *files, nfds_t count, int span, size_t size);
int __ppoll_chk(struct pollfd *files, nfds_t count, const timespec *span, const sigset_t *mask,
                size_t size);
WAIT(int, __poll_chk, (struct pollfd * files, nfds_t count, int span, size_t size),
     (files, count, span, size))
WAIT(int, __ppoll_chk,
     (struct pollfd * files, nfds_t count, const timespec *span, const sigset_t *mask, size_t size),
     (files, count, span, mask, size))
