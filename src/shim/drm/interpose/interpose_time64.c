/* SPDX-License-Identifier: MIT */
/* interpose_time64.c - fcntl() of interpose.c and the waiting functions of interpose_io.c, for
 * 32-bit programs that were compiled with 64-bit times. The C library has separate functions for
 * such programs. The headers map each function defined here to its separate name, because this file
 * is compiled with 64-bit times.
 *
 * In:  calls.
 * Out: the results of the functions with 32-bit times.
 *
 * Source: glibc's headers. */
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdarg.h>
#include <sys/select.h>

#include "shim/common/interpose.h"
#include "shim/drm/interpose/interpose_io.h"

INTERPOSE_FCNTL(fcntl, NEXT_AS(fcntl, __fcntl_time64))

INTERPOSE_POLL(ppoll, __ppoll64,
               (struct pollfd * files, nfds_t count, const struct timespec *span,
                const sigset_t *mask),
               (files, count, span, mask))
INTERPOSE_SELECT(select, __select64,
                 (int count, fd_set *in, fd_set *out, fd_set *other, struct timeval *span),
                 (count, in, out, other, span))
INTERPOSE_SELECT(pselect, __pselect64,
                 (int count, fd_set *in, fd_set *out, fd_set *other, const struct timespec *span,
                  const sigset_t *mask),
                 (count, in, out, other, span, mask))
