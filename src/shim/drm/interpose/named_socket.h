/* SPDX-License-Identifier: MIT */
/* named_socket.h - datagram sockets that stand in for devices: a program that opens a device
 * receives the descriptor of a socket. The socket's name identifies the device. */
#ifndef SHIM_DRM_INTERPOSE_NAMED_SOCKET_H
#define SHIM_DRM_INTERPOSE_NAMED_SOCKET_H

#include <stdbool.h>
#include <sys/un.h>

enum { NAMED_SOCKET_BYTES = sizeof(((struct sockaddr_un *)0)->sun_path) };

/* Creates a socket with a unique name that starts with `beginning`. Of the open() flags in `flags`,
 * only O_CLOEXEC and O_NONBLOCK have an effect. Returns -1 with errno set on error. */
int named_socket_make(const char *beginning, int flags);

/* Reads the name of a socket. Returns false if fd is not a socket or has no abstract name. Does not
 * change errno. */
bool named_socket_read(int fd, char name[NAMED_SOCKET_BYTES]);

#endif
