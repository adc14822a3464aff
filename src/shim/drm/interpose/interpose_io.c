/* SPDX-License-Identifier: MIT */
/* interpose_io.c - interposes functions that read, write, seek and wait. A node's descriptor is a
 * socket. Where a socket would behave differently from a DRM node, these functions behave like
 * the node.
 *
 * In:  calls.
 * Out: events; errors. A node is never ready for writing.
 *
 * Source: the C library's manual; Linux, drivers/gpu/drm/drm_file.c (drm_read, drm_poll; no write),
 *         vc4/vc4_drv.c (DEFINE_DRM_GEM_FOPS: noop_llseek), fs/read_write.c (vfs_write,
 *         do_loop_readv_writev, ksys_lseek). */
#include <errno.h>
#include <limits.h>
#include <poll.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/select.h>
#include <sys/uio.h>
#include <unistd.h>

#include "shim/common/interpose.h"
#include "shim/drm/interpose/interpose_io.h"
#include "shim/drm/interpose/nodes.h"
#include "shim/drm/interpose/terminals.h"

/* --- reading --- */

ssize_t __read_chk(int fd, void *to, size_t size, size_t room);
ssize_t __pread_chk(int fd, void *to, size_t size, off_t at, size_t room);
ssize_t __pread64_chk(int fd, void *to, size_t size, off64_t at, size_t room);

/* Defines a function that reads. The C library answers for a node, too, unless `fits` is true. A
 * node has no file position, so pread() reads like read(). */
#define READ(name, fits, parameters, arguments)            \
    INTERPOSE_RESULT(ssize_t, name, parameters, arguments, \
                     nodes_knows(fd) && (fits) ? nodes_read(fd, to, size) : NEXT(name) arguments)

READ(read, true, (int fd, void *to, size_t size), (fd, to, size))
READ(__read_chk, size <= room, (int fd, void *to, size_t size, size_t room), (fd, to, size, room))
READ(pread64, true, (int fd, void *to, size_t size, off64_t at), (fd, to, size, at))
READ(pread, true, (int fd, void *to, size_t size, off_t at), (fd, to, size, at))
READ(__pread_chk, size <= room, (int fd, void *to, size_t size, off_t at, size_t room),
     (fd, to, size, at, room))
READ(__pread64_chk, size <= room, (int fd, void *to, size_t size, off64_t at, size_t room),
     (fd, to, size, at, room))

/* Reads into the buffers in order. Stops at the first buffer that is not filled. */
static ssize_t read_parts(int fd, const struct iovec *parts, int count)
{
    ssize_t done = 0;
    for (int i = 0; i < count; i++) {
        const ssize_t got = nodes_read(fd, parts[i].iov_base, parts[i].iov_len);
        if (got < 0)
            return done ? done : got;
        done += got;
        if ((size_t)got != parts[i].iov_len)
            break;
    }
    return done;
}

INTERPOSE_RESULT(ssize_t, readv, (int fd, const struct iovec *parts, int count), (fd, parts, count),
                 nodes_knows(fd) && count >= 0 && count <= IOV_MAX ? read_parts(fd, parts, count)
                                                                   : NEXT(readv)(fd, parts, count))

/* --- writing --- */

static size_t size_of(const struct iovec *parts, int count)
{
    size_t size = 0;
    for (int i = 0; i < count; i++)
        size += parts[i].iov_len;
    return size;
}

/* Defines a function that writes `size` bytes. Writing to a node fails with EINVAL. Writing to a
 * terminal succeeds even if the data is too long for the terminal's socket. */
#define WRITE(name, size, parameters, arguments)                            \
    INTERPOSE(ssize_t, name, parameters, arguments)                         \
    {                                                                       \
        unsigned terminal;                                                  \
        if (nodes_knows(fd)) {                                              \
            errno = EINVAL;                                                 \
            return -1;                                                      \
        }                                                                   \
        const int before = errno;                                           \
        const ssize_t done = NEXT(name) arguments;                          \
        if (done >= 0 || errno != EMSGSIZE || !terminals_is(fd, &terminal)) \
            return done;                                                    \
        errno = before;                                                     \
        return (ssize_t)(size);                                             \
    }

WRITE(write, count, (int fd, const void *from, size_t count), (fd, from, count))
WRITE(writev, size_of(parts, count), (int fd, const struct iovec *parts, int count),
      (fd, parts, count))
WRITE(pwrite64, count, (int fd, const void *from, size_t count, off64_t at), (fd, from, count, at))
WRITE(pwrite, count, (int fd, const void *from, size_t count, off_t at), (fd, from, count, at))
WRITE(pwritev64, size_of(parts, count), (int fd, const struct iovec *parts, int count, off64_t at),
      (fd, parts, count, at))
WRITE(pwritev, size_of(parts, count), (int fd, const struct iovec *parts, int count, off_t at),
      (fd, parts, count, at))

/* --- seeking --- */

/* Returns the position of a node after lseek(), which is always 0. */
static int seek(int whence)
{
    if (whence >= SEEK_SET && whence <= SEEK_HOLE)
        return 0;
    errno = EINVAL;
    return -1;
}

INTERPOSE_RESULT(off64_t, lseek64, (int fd, off64_t to, int whence), (fd, to, whence),
                 nodes_knows(fd) ? seek(whence) : NEXT(lseek64)(fd, to, whence))
INTERPOSE_RESULT(off_t, lseek, (int fd, off_t to, int whence), (fd, to, whence),
                 nodes_knows(fd) ? seek(whence) : NEXT(lseek)(fd, to, whence))

/* --- waiting --- */

enum { WRITABLE = POLLOUT | POLLWRNORM | POLLWRBAND };

static bool waits_to_write(const struct pollfd *one)
{
    return one->events & WRITABLE && nodes_knows(one->fd);
}

bool interpose_poll_needs(const struct pollfd *files, nfds_t count)
{
    for (nfds_t i = 0; i < count; i++)
        if (waits_to_write(&files[i]))
            return true;
    return false;
}

struct pollfd *interpose_poll_begin(const struct pollfd *files, nfds_t count,
                                    struct pollfd few[INTERPOSE_FEW])
{
    struct pollfd *copy = count <= INTERPOSE_FEW ? few : malloc(count * sizeof *copy);
    if (!copy) {
        errno = ENOMEM;
        return NULL;
    }
    memcpy(copy, files, count * sizeof *copy);
    for (nfds_t i = 0; i < count; i++)
        if (waits_to_write(&copy[i]))
            copy[i].events &= (short)~WRITABLE;
    return copy;
}

void interpose_poll_end(struct pollfd *files, nfds_t count, struct pollfd *copy,
                        const struct pollfd few[INTERPOSE_FEW])
{
    const int error = errno;
    for (nfds_t i = 0; i < count; i++)
        files[i].revents = copy[i].revents;
    if (copy != few)
        free(copy);
    errno = error;
}

int __poll_chk(struct pollfd *files, nfds_t count, int span, size_t size);
int __ppoll_chk(struct pollfd *files, nfds_t count, const struct timespec *span,
                const sigset_t *mask, size_t size);

INTERPOSE_POLL(poll, poll, (struct pollfd * files, nfds_t count, int span), (files, count, span))
INTERPOSE_POLL(ppoll, ppoll,
               (struct pollfd * files, nfds_t count, const struct timespec *span,
                const sigset_t *mask),
               (files, count, span, mask))
INTERPOSE_RESULT(int, __poll_chk, (struct pollfd * files, nfds_t count, int span, size_t size),
                 (files, count, span, size),
                 size / sizeof *files < count ? NEXT(__poll_chk)(files, count, span, size)
                                              : door_poll(files, count, span))
INTERPOSE_RESULT(int, __ppoll_chk,
                 (struct pollfd * files, nfds_t count, const struct timespec *span,
                  const sigset_t *mask, size_t size),
                 (files, count, span, mask, size),
                 size / sizeof *files < count ? NEXT(__ppoll_chk)(files, count, span, mask, size)
                                              : door_ppoll(files, count, span, mask))

/* Tests a bit without FD_ISSET(), because a set may be larger than fd_set. */
static bool is_in(const fd_set *set, int fd)
{
    return set->fds_bits[fd / NFDBITS] >> fd % NFDBITS & 1;
}

static void toggle(fd_set *set, int fd)
{
    set->fds_bits[fd / NFDBITS] ^= (fd_mask)(1ul << fd % NFDBITS);
}

void interpose_select_begin(struct interpose_taken *taken, int count, fd_set *out)
{
    taken->count = 0;
    for (int fd = 0; out && fd < count && taken->count < INTERPOSE_MOST_TAKEN; fd++)
        if (is_in(out, fd) && nodes_knows(fd)) {
            toggle(out, fd);
            taken->fd[taken->count++] = fd;
        }
}

void interpose_select_end(const struct interpose_taken *taken, fd_set *out, int result)
{
    for (int i = 0; result < 0 && i < taken->count; i++)
        toggle(out, taken->fd[i]);
}

INTERPOSE_SELECT(select, select,
                 (int count, fd_set *in, fd_set *out, fd_set *other, struct timeval *span),
                 (count, in, out, other, span))
INTERPOSE_SELECT(pselect, pselect,
                 (int count, fd_set *in, fd_set *out, fd_set *other, const struct timespec *span,
                  const sigset_t *mask),
                 (count, in, out, other, span, mask))

INTERPOSE(int, epoll_ctl, (int waiting, int operation, int fd, struct epoll_event *event),
          (waiting, operation, fd, event))
{
    enum file_node node;
    if (operation == EPOLL_CTL_DEL || !event || !nodes_is(fd, &node))
        return NEXT(epoll_ctl)(waiting, operation, fd, event);
    struct epoll_event readable = *event;
    readable.events &= ~(uint32_t)(EPOLLOUT | EPOLLWRNORM | EPOLLWRBAND);
    return NEXT(epoll_ctl)(waiting, operation, fd, &readable);
}
