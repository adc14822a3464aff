/* SPDX-License-Identifier: MIT */
/* run.h - a run of a machine: its inputs, what is seen of it, and its end. */
#ifndef CLI_PI_RUN_H
#define CLI_PI_RUN_H

#include <stdbool.h>
#include <stdint.h>

#include <tessera/pi.h>

#include "cli/pi/arguments.h"
#include "cli/pi/capture.h"
#include "cli/pi/frames.h"
#include "cli/pi/line.h"
#include "cli/pi/pin_log.h"
#include "cli/pi/preview.h"
#include "cli/pi/record.h"
#include "cli/pi/window.h"

struct run {
    const struct arguments *arguments;
    struct tess_pi_machine *machine;
    struct tess_sink sink;
    struct tess_pi_symbols *symbols; /* of an ELF file, otherwise NULL */
    struct until until;
    struct awaited expected;
    struct pins pins;
    struct pin_log pin_log;
    struct line line;
    struct frames frames;
    struct window *window; /* of --window, otherwise NULL */
    struct preview preview;
    struct capture capture;
    struct record *record; /* while gdb debugs the machine, otherwise NULL */
    uint64_t now;          /* time up to which the machine has run */
    uint64_t host_start;   /* host's time in nanoseconds at the machine's time 0, for live runs */
    bool live;             /* a person or a program may send at any time */
    bool has_finding, broken, closed; /* closed: the user has ended the run */
};

/* Callbacks of the machine. */
void run_take_finding(void *user, const struct tess_finding *diag);
void run_take_byte(void *user, bool mini, uint8_t byte);
void run_take_pin(void *user, uint64_t time, unsigned pin, bool level);

/* Runs a loaded machine up to its end, and prints and writes what is known then. Returns the status
 * of the kernel. */
enum tess_status run_machine(struct run *run);

#endif
