/* SPDX-License-Identifier: MIT */
/* gdb_server.h - waits for gdb on a TCP port of the loopback address. */
#ifndef CLI_PI_GDB_SERVER_H
#define CLI_PI_GDB_SERVER_H

#include "cli/pi/gdb_machine.h"

enum gdb_end {
    GDB_ENDS,     /* gdb, or the run, has ended */
    GDB_DETACHES, /* the machine runs on without gdb */
    GDB_FAILS,    /* there is no connection; an error message was printed */
};

/* Waits for a connection, and serves gdb until the session ends. */
enum gdb_end gdb_serve(const char *title, unsigned port, struct gdb_machine *machine);

#endif
