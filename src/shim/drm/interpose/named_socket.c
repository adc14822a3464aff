/* SPDX-License-Identifier: MIT */
/* named_socket.c - see named_socket.h.
 *
 * In:  names.
 * Out: sockets.
 *
 * Choices: a name in the abstract namespace needs no file and vanishes with the socket. The process
 *          number and a counter make it unique. Any process could send messages to such a name.
 *          So the socket is connected to itself, and receives no messages from other sockets.
 * Source: the manual pages unix(7), connect(2); Linux, net/unix/af_unix.c (unix_may_send). */
#include "shim/drm/interpose/named_socket.h"

#include <errno.h>
#include <fcntl.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

#include "shim/common/next.h"

static bool bind_name(int fd, const char *beginning)
{
    static unsigned counter;
    struct sockaddr_un address = {.sun_family = AF_UNIX};
    do {
        int length = snprintf(address.sun_path + 1, sizeof address.sun_path - 1, "%s-%ld-%u",
                              beginning, (long)getpid(),
                              __atomic_add_fetch(&counter, 1, __ATOMIC_RELAXED));
        socklen_t size = (socklen_t)(offsetof(struct sockaddr_un, sun_path) + 1 + (size_t)length);
        if (bind(fd, (struct sockaddr *)&address, size) == 0)
            return true;
    } while (errno == EADDRINUSE);
    return false;
}

/* Connects the socket to itself, and drops messages that other processes sent before the
 * connection. */
static bool close_to_strangers(int fd)
{
    struct sockaddr_un address;
    socklen_t size = sizeof address;
    if (getsockname(fd, (struct sockaddr *)&address, &size) != 0 ||
        connect(fd, (struct sockaddr *)&address, size) != 0)
        return false;
    while (recv(fd, NULL, 0, MSG_DONTWAIT | MSG_TRUNC) >= 0)
        continue;
    return true;
}

int named_socket_make(const char *beginning, int flags)
{
    int type = SOCK_DGRAM | (flags & O_CLOEXEC ? SOCK_CLOEXEC : 0) |
               (flags & O_NONBLOCK ? SOCK_NONBLOCK : 0);
    int fd = socket(AF_UNIX, type, 0);
    if (fd < 0 || (bind_name(fd, beginning) && close_to_strangers(fd)))
        return fd;
    real_close(fd);
    errno = EMFILE;
    return -1;
}

bool named_socket_read(int fd, char name[NAMED_SOCKET_BYTES])
{
    struct sockaddr_un address = {0};
    socklen_t length = sizeof address;
    const int before = errno;
    const bool is_named = getsockname(fd, (struct sockaddr *)&address, &length) == 0 &&
                          address.sun_family == AF_UNIX && !address.sun_path[0] &&
                          length < sizeof address;
    errno = before;
    if (is_named)
        memcpy(name, address.sun_path + 1, sizeof address.sun_path - 1);
    return is_named;
}
