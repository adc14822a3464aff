/* SPDX-License-Identifier: MIT */
/* rate.h - code shared by the measurements of shader cores. Measures instructions per second with
 * one host thread, with two, and without the sanitizer. */
#ifndef BENCH_RATE_H
#define BENCH_RATE_H

#include <stdbool.h>
#include <stdint.h>

#include <tessera/tessera.h>

/* Result of one run of a program. */
struct rate_run {
    double seconds;
    uint64_t instructions;
    unsigned findings;
};

/* Returns the time of a monotonic clock in seconds. */
double rate_now(void);

/* Returns a sink that prints findings to standard error and counts them in *findings. */
struct tess_sink rate_sink(unsigned *findings);

/* Prints an error and exits with a failure status. */
_Noreturn void rate_stop(const char *what);

/* Prints a line with the best rates of a program. Calls run several (tries) times per kind of
 * measurement. */
void rate_print(const char *name,
                struct rate_run (*run)(const void *program, unsigned threads, bool sanitize),
                const void *program, unsigned tries);

#endif
