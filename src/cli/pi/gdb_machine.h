/* SPDX-License-Identifier: MIT */
/* gdb_machine.h - a recorded machine as a target of gdb. */
#ifndef CLI_PI_GDB_MACHINE_H
#define CLI_PI_GDB_MACHINE_H

#include "cli/pi/gdb.h"
#include "cli/pi/record.h"

struct gdb_machine {
    struct record *record;

    /* Runs the machine for a short time by record_run(), and gives it inputs. Sets *ends to true if
     * the run has ended for another reason than the machine's. */
    enum tess_pi_end_reason (*run)(void *user, bool *ends);
    void *user;
};

/* Returns the functions of a target. machine must outlive it. */
struct gdb_target gdb_machine_target(struct gdb_machine *machine);

/* Executes a command of "monitor": help, time, v3d, qpu N, list, capture FILE. */
void gdb_monitor(struct record *record, const char *command, struct gdb_text *answer);

#endif
