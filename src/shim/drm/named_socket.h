/* SPDX-License-Identifier: MIT */
/* named_socket.h - datagram sockets that programs get for devices: their names say what they stand for. */
#ifndef SHIM_DRM_NAMED_SOCKET_H
#define SHIM_DRM_NAMED_SOCKET_H

#include <stdbool.h>
#include <sys/un.h>

enum { NAMED_SOCKET_BYTES = sizeof(((struct sockaddr_un *)0)->sun_path) };

/* A socket whose name begins so, and which no other has. Of open()'s flags those that sockets have count. -1 and errno: there is
 * none. */
int named_socket_make(const char *beginning, int flags);

/* The name of a socket; false: it is none, or has none of this kind. errno stays. */
bool named_socket_read(int fd, char name[NAMED_SOCKET_BYTES]);

#endif
