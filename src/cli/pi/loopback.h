/* SPDX-License-Identifier: MIT */
/* loopback.h - a TCP port of the loopback address, to which programs of this host connect. */
#ifndef CLI_PI_LOOPBACK_H
#define CLI_PI_LOOPBACK_H

/* Listens on a port of 127.0.0.1, or on any free port if it is 0, and prints the port on standard
 * error. what: what the port is for, such as "gdb". Returns a socket, or -1 after an error
 * message. */
int loopback_listen(const char *title, unsigned port, const char *what);

/* Waits for a client. Returns a socket, which sends bytes without delay, or -1 with errno set. */
int loopback_accept(int listener);

#endif
