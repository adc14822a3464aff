/* SPDX-License-Identifier: MIT */
/* rate.c - see rate.h. */
#include "rate.h"

#include <stdio.h>
#include <stdlib.h>
#include <time.h>

double rate_now(void)
{
    struct timespec time;
    clock_gettime(CLOCK_MONOTONIC, &time);
    return (double)time.tv_sec + (double)time.tv_nsec * 1e-9;
}

static void count(void *user, const struct tess_finding *diag)
{
    unsigned *findings = user;
    fprintf(stderr, "%s\n", diag->text);
    ++*findings;
}

struct tess_sink rate_sink(unsigned *findings)
{
    return (struct tess_sink){count, findings};
}

void rate_stop(const char *what)
{
    fprintf(stderr, "%s\n", what);
    exit(1);
}

/* Returns the best rate of several runs, in millions of instructions per second. */
static double best(struct rate_run (*run)(const void *program, unsigned threads, bool sanitize),
                   const void *program, unsigned tries, unsigned threads, bool sanitize,
                   unsigned *findings)
{
    double rate = 0;
    for (unsigned i = 0; i < tries; i++) {
        struct rate_run measured = run(program, threads, sanitize);
        double this = (double)measured.instructions / measured.seconds / 1e6;
        rate = this > rate ? this : rate;
        *findings += measured.findings;
    }
    return rate;
}

void rate_print(const char *name,
                struct rate_run (*run)(const void *program, unsigned threads, bool sanitize),
                const void *program, unsigned tries)
{
    unsigned findings = 0;
    double one = best(run, program, tries, 1, true, &findings);
    double two = best(run, program, tries, 2, true, &findings);
    double bare = best(run, program, tries, 1, false, &findings);
    printf("%-40s %6.0f, two threads %6.0f (%.2f), without sanitizer %6.0f million "
           "instructions/s, %u findings\n",
           name, one, two, two / one, bare, findings);
}
