/* SPDX-License-Identifier: MIT */
/* arguments.h - the command line of tessera pi. */
#ifndef CLI_PI_ARGUMENTS_H
#define CLI_PI_ARGUMENTS_H

#include <stdbool.h>
#include <stdint.h>

#include "cli/pi/pins.h"
#include "cli/pi/preview.h"
#include "cli/pi/until.h"
#include "cli/verdict_options.h"

/* The value of a number that the command line does not contain. */
#define ARGUMENTS_NONE UINT64_MAX

struct arguments {
    const char *title, *path, *board, *append, *dtb, *initrd, *card, *uart, *input;
    const char *output, *frames, *expect_frame, *audio, *capture, *gpio_log;
    uint64_t gpu_mib, rate, address, threads, gdb_port; /* rate: Hz; ARGUMENTS_NONE if not given */
    bool stats, quiet, strict, sanitize, window;
    enum preview_kind preview;
    struct until until;
    struct awaited expected;
    struct pins pins;
    struct verdict_options verdict;
};

/* Reads the command line. Returns OPTIONS_PARSED, or the exit status of the verb after --help or an
 * error message. */
int arguments_parse(struct arguments *arguments, int argc, char **argv);

#endif
