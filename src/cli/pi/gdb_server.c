/* SPDX-License-Identifier: MIT */
/* gdb_server.c - see gdb_server.h.
 *
 * In:  a port; a machine.
 * Out: a gdb session over a socket.
 *
 * Only programs of this host can connect, because a debugger can change everything in the
 * machine. */
#include "cli/pi/gdb_server.h"

#include <errno.h>
#include <poll.h>
#include <stdio.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

#include "cli/pi/loopback.h"

/* A connection. */
struct line {
    int socket;
    bool broken;
};

static void send_bytes(void *user, const void *bytes, size_t size)
{
    struct line *line = user;
    const char *at = bytes;
    while (size && !line->broken) {
        ssize_t sent = send(line->socket, at, size, MSG_NOSIGNAL);
        if (sent < 0 && errno == EINTR)
            continue;
        if (sent <= 0) {
            line->broken = true;
            return;
        }
        at += sent;
        size -= (size_t)sent;
    }
}

/* Returns a socket on which gdb has connected, or -1 after an error message. */
static int accept_gdb(const char *title, unsigned port)
{
    int listener = loopback_listen(title, port, "gdb");
    int connection = listener < 0 ? -1 : loopback_accept(listener);
    if (listener >= 0 && connection < 0)
        fprintf(stderr, "%s: gdb cannot connect: %s\n", title, strerror(errno));
    if (listener >= 0)
        close(listener);
    return connection;
}

/* Takes what gdb has sent; waits for it unless the target runs. Returns false at the end of the
 * connection. */
static bool take_bytes(struct gdb *gdb, const struct line *line)
{
    uint8_t bytes[GDB_PACKET];
    struct pollfd poller = {.fd = line->socket, .events = POLLIN};
    int ready = poll(&poller, 1, gdb->running ? 0 : -1);
    if (ready < 0)
        return errno == EINTR;
    if (ready == 0)
        return true;
    ssize_t size = recv(line->socket, bytes, sizeof bytes, 0);
    if (size < 0 && errno == EINTR)
        return true;
    if (size <= 0)
        return false;
    gdb_receive(gdb, bytes, (size_t)size);
    return true;
}

enum gdb_end gdb_serve(const char *title, unsigned port, struct gdb_machine *machine)
{
    static struct gdb gdb;
    const struct gdb_target target = gdb_machine_target(machine);
    struct line line = {.socket = accept_gdb(title, port)};
    if (line.socket < 0)
        return GDB_FAILS;
    gdb_open(&gdb, &target, send_bytes, &line);
    while (!gdb.killed && !gdb.detached && !line.broken && take_bytes(&gdb, &line))
        gdb_turn(&gdb);
    close(line.socket);
    return gdb.detached ? GDB_DETACHES : GDB_ENDS;
}
