/* SPDX-License-Identifier: MIT */
/* loopback.c - see loopback.h.
 *
 * In:  a port.
 * Out: sockets. */
#include "cli/pi/loopback.h"

#include <arpa/inet.h>
#include <errno.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

int loopback_listen(const char *title, unsigned port, const char *what)
{
    struct sockaddr_in address = {.sin_family = AF_INET, .sin_port = htons((uint16_t)port)};
    socklen_t size = sizeof address;
    int one = 1, listener = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
    address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    if (listener >= 0 && setsockopt(listener, SOL_SOCKET, SO_REUSEADDR, &one, sizeof one) == 0 &&
        bind(listener, (struct sockaddr *)&address, size) == 0 && listen(listener, 1) == 0 &&
        getsockname(listener, (struct sockaddr *)&address, &size) == 0) {
        fprintf(stderr, "listening on 127.0.0.1:%u\n", ntohs(address.sin_port));
        return listener;
    }
    fprintf(stderr, "%s: cannot listen on 127.0.0.1:%u for %s: %s; choose another port\n", title,
            port, what, strerror(errno));
    if (listener >= 0)
        close(listener);
    return -1;
}

int loopback_accept(int listener)
{
    int one = 1, connection;
    do
        connection = accept(listener, NULL, NULL);
    while (connection < 0 && errno == EINTR);
    if (connection >= 0)
        setsockopt(connection, IPPROTO_TCP, TCP_NODELAY, &one, sizeof one);
    return connection;
}
