/* SPDX-License-Identifier: MIT */
/* example.h - what the examples have in common besides gpu.h: their command lines, data to compute with, and what they tell. */
#ifndef EXAMPLE_H
#define EXAMPLE_H

#include <stddef.h>

#include "gpu.h"

/* An argument: a number, or a text if preset_text is not NULL. */
struct parameter {
    const char *name, *help;
    double preset, least, most;
    const char *preset_text;
    bool whole;
    double value; /* from here on: what example_arguments() has found */
    const char *text;
};

struct example {
    const char *name, *help; /* of the program */
    struct parameter *parameters;
    unsigned count;
    enum gpu_launch launch; /* --direct */
    unsigned qpus;          /* --qpus, 1 to 12 */
};

/* Reads the command line. Ends the program with status 2 if it is wrong, with 0 after --help. */
void example_arguments(struct example *example, int argc, char **argv);

/* Numbers from -1 to 1 that are the same in each run; *state is any number at first. */
float example_random(uint32_t *state);

/* Ends the program with status 2 if there is no memory; never returns NULL. */
void *example_allocate(size_t count, size_t size);

/* Tells how many QPUs took how long. */
void example_time(unsigned qpus, double seconds);

/* The largest relative error of one addition or multiplication of a QPU, which cuts off what does not fit into 24 bits. A processor that
 * rounds has half of it. */
#define QPU_EPSILON 0x1p-23

/* What `operations` roundings after each other amount to, relative to the sum of the magnitudes that go in:
 * (1 + QPU_EPSILON)^operations - 1. */
double example_bound(double operations);

/* Compares results with what they must be, and tells the largest error. */
struct comparison {
    uint64_t count, wrong;
    double worst; /* error as a share of its bound */
};
void compare(struct comparison *comparison, uint64_t index, double got, double expected,
             double bound);

/* Prints the outcome, and returns the exit status of the program: 1 if anything is wrong. */
int compare_status(const struct comparison *comparison);

#endif
