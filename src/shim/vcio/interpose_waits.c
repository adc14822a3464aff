/* SPDX-License-Identifier: MIT */
/* interpose_waits.c - interposes functions that wait or read the clock, and functions that pass
 * addresses in the program's memory to the kernel. These functions do pending work first. Until
 * then GPU memory is closed (trap.h). The shim can handle an access by the program to closed
 * memory, but the kernel would return EFAULT.
 *
 * In:  calls.
 * Out: calls of the C library's functions after pending work is done.
 *
 * Source: the C library's manual; glibc's headers for the names used by fortified calls and by
 *         64-bit offsets. */
#include <poll.h>
#include <sched.h>
#include <signal.h>
#include <stdio.h>
#include <sys/select.h>
#include <sys/socket.h>
#include <sys/time.h>
#include <sys/uio.h>
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

/* --- addresses of memory --- */

#undef fread_unlocked
#undef fwrite_unlocked

WAIT(ssize_t, read, (int fd, void *to, size_t size), (fd, to, size))
WAIT(ssize_t, write, (int fd, const void *from, size_t size), (fd, from, size))
WAIT(ssize_t, pread, (int fd, void *to, size_t size, off_t at), (fd, to, size, at))
WAIT(ssize_t, pread64, (int fd, void *to, size_t size, off64_t at), (fd, to, size, at))
WAIT(ssize_t, pwrite, (int fd, const void *from, size_t size, off_t at), (fd, from, size, at))
WAIT(ssize_t, pwrite64, (int fd, const void *from, size_t size, off64_t at), (fd, from, size, at))
WAIT(ssize_t, readv, (int fd, const struct iovec *parts, int count), (fd, parts, count))
WAIT(ssize_t, writev, (int fd, const struct iovec *parts, int count), (fd, parts, count))

WAIT(ssize_t, preadv, (int fd, const struct iovec *parts, int count, off_t at),
     (fd, parts, count, at))
WAIT(ssize_t, preadv64, (int fd, const struct iovec *parts, int count, off64_t at),
     (fd, parts, count, at))
WAIT(ssize_t, pwritev, (int fd, const struct iovec *parts, int count, off_t at),
     (fd, parts, count, at))
WAIT(ssize_t, pwritev64, (int fd, const struct iovec *parts, int count, off64_t at),
     (fd, parts, count, at))

WAIT(ssize_t, send, (int fd, const void *from, size_t size, int flags), (fd, from, size, flags))
WAIT(ssize_t, recv, (int fd, void *to, size_t size, int flags), (fd, to, size, flags))
WAIT(ssize_t, sendto,
     (int fd, const void *from, size_t size, int flags, const struct sockaddr *whom,
      socklen_t length),
     (fd, from, size, flags, whom, length))
WAIT(ssize_t, recvfrom,
     (int fd, void *restrict to, size_t size, int flags, struct sockaddr *restrict whom,
      socklen_t *restrict length),
     (fd, to, size, flags, whom, length))
WAIT(ssize_t, sendmsg, (int fd, const struct msghdr *message, int flags), (fd, message, flags))
WAIT(ssize_t, recvmsg, (int fd, struct msghdr *message, int flags), (fd, message, flags))

WAIT(size_t, fread, (void *restrict to, size_t size, size_t count, FILE *restrict stream),
     (to, size, count, stream))
WAIT(size_t, fwrite, (const void *restrict from, size_t size, size_t count, FILE *restrict stream),
     (from, size, count, stream))
WAIT(size_t, fread_unlocked, (void *restrict to, size_t size, size_t count, FILE *restrict stream),
     (to, size, count, stream))
WAIT(size_t, fwrite_unlocked,
     (const void *restrict from, size_t size, size_t count, FILE *restrict stream),
     (from, size, count, stream))

ssize_t __read_chk(int fd, void *to, size_t size, size_t room);
ssize_t __pread_chk(int fd, void *to, size_t size, off_t at, size_t room);
ssize_t __pread64_chk(int fd, void *to, size_t size, off64_t at, size_t room);
ssize_t __recv_chk(int fd, void *to, size_t size, size_t room, int flags);
size_t __fread_chk(void *restrict to, size_t room, size_t size, size_t count,
                   FILE *restrict stream);
WAIT(ssize_t, __read_chk, (int fd, void *to, size_t size, size_t room), (fd, to, size, room))
WAIT(ssize_t, __pread_chk, (int fd, void *to, size_t size, off_t at, size_t room),
     (fd, to, size, at, room))
WAIT(ssize_t, __pread64_chk, (int fd, void *to, size_t size, off64_t at, size_t room),
     (fd, to, size, at, room))
WAIT(ssize_t, __recv_chk, (int fd, void *to, size_t size, size_t room, int flags),
     (fd, to, size, room, flags))
WAIT(size_t, __fread_chk,
     (void *restrict to, size_t room, size_t size, size_t count, FILE *restrict stream),
     (to, room, size, count, stream))
