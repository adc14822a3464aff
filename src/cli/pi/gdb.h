/* SPDX-License-Identifier: MIT */
/* gdb.h - a session with gdb by its remote protocol, without a socket: bytes in, bytes out. */
#ifndef CLI_PI_GDB_H
#define CLI_PI_GDB_H

#include "cli/pi/gdb_packet.h"

/* Why the target stopped. */
enum gdb_event {
    GDB_NOTHING,    /* it did not: it can go on */
    GDB_DONE,       /* the step is done, or the user has interrupted the run */
    GDB_BREAKPOINT, /* a core is at a breakpoint */
    GDB_WATCH,      /* the memory of a watchpoint was accessed; .address, .kind */
    GDB_BEGIN,      /* going back has reached the beginning of the record */
    GDB_END,        /* the run has ended; nothing follows */
};

/* What a watchpoint watches: in the order of gdb's packets from type 2. */
enum gdb_watched { GDB_WRITES, GDB_READS, GDB_ACCESSES };

struct gdb_stop {
    enum gdb_event event;
    unsigned core;
    uint64_t address;
    enum gdb_watched kind;
};

/* Registers by number, as in tessera/pi.h. */
enum { GDB_PC = 32, GDB_SP = 33, GDB_PSR = 34 };

/* What gdb debugs. user is the first argument of all functions. */
struct gdb_target {
    void *user;
    unsigned cores; /* at least 1 */
    bool wide;      /* the cores have 64 bits */

    uint64_t (*get)(void *user, unsigned core, unsigned reg);
    void (*set)(void *user, unsigned core, unsigned reg, uint64_t value);

    /* Read and write memory at a virtual address. Return the number of bytes up to the first one
     * that cannot be accessed. */
    size_t (*read)(void *user, unsigned core, uint64_t address, void *to, size_t size);
    size_t (*write)(void *user, unsigned core, uint64_t address, const void *from, size_t size);

    /* Sets or removes a breakpoint, or a watchpoint. Returns false if there are too many. */
    bool (*breakpoint)(void *user, uint64_t address, bool set);
    bool (*watch)(void *user, enum gdb_watched kind, unsigned core, uint64_t address, size_t size,
                  bool set);

    /* Executes an instruction of a core; runs all cores for a short time. */
    struct gdb_stop (*step)(void *user, unsigned core);
    struct gdb_stop (*run)(void *user);

    /* Goes back by an instruction of a core; to the latest breakpoint. */
    struct gdb_stop (*step_back)(void *user, unsigned core);
    struct gdb_stop (*run_back)(void *user, unsigned core);

    /* Writes a short description of a core's state. */
    void (*describe)(void *user, unsigned core, char *text, size_t size);

    /* Executes a command of gdb's "monitor". */
    void (*monitor)(void *user, const char *command, struct gdb_text *answer);
};

struct gdb {
    const struct gdb_target *target;
    void (*send)(void *user, const void *bytes, size_t size);
    void *send_user;
    struct gdb_reader reader;
    struct gdb_text latest; /* the latest packet to gdb */
    unsigned core;          /* to which registers and memory refer */
    bool no_acknowledge;
    bool running;
    bool detached, killed; /* the session has ended */
};

/* Starts a session. */
void gdb_open(struct gdb *gdb, const struct gdb_target *target,
              void (*send)(void *user, const void *bytes, size_t size), void *send_user);

/* Takes bytes from gdb, and sends the answers. */
void gdb_receive(struct gdb *gdb, const uint8_t *bytes, size_t size);

/* If the target runs, runs it for a short time, and tells gdb if it stops. */
void gdb_turn(struct gdb *gdb);

/* --- gdb_data.c --- */

/* Carry out g, G, p, P, m and M. `at` is the text behind the letter. */
void gdb_read_registers(struct gdb *gdb, struct gdb_text *answer);
void gdb_write_registers(struct gdb *gdb, const char *at, struct gdb_text *answer);
void gdb_read_register(struct gdb *gdb, const char *at, struct gdb_text *answer);
void gdb_write_register(struct gdb *gdb, const char *at, struct gdb_text *answer);
void gdb_read_memory(struct gdb *gdb, const char *at, struct gdb_text *answer);
void gdb_write_memory(struct gdb *gdb, const char *at, struct gdb_text *answer);

/* Writes the description of the registers. */
void gdb_describe(const struct gdb *gdb, struct gdb_text *description);

#endif
