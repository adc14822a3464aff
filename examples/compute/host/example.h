/* SPDX-License-Identifier: MIT */
/* example.h - code shared by the examples, besides gpu.h: their command lines, test data, and
 * output. */
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
    double value; /* from here on: values from the command line */
    const char *text;
};

struct example {
    const char *name, *help; /* of the program */
    struct parameter *parameters;
    unsigned count;
    enum gpu_launch launch; /* --direct */
    unsigned qpus;          /* --qpus, 1 to 12 */

    /* Runs the program's work on the GPU. Returns its exit status. */
    int (*run)(struct gpu *gpu, const struct example *example);
};

/* A program's main(): reads the command line, opens the GPU, and calls run. Returns exit status 2
 * if the command line is invalid. */
int example_main(struct example *example, int argc, char **argv);

/* Runs a kernel, prints the number of QPUs and the time, and unloads the kernel. Returns seconds,
 * or a negative number on failure. */
double example_run(struct gpu *gpu, const struct example *example, struct gpu_kernel *kernel);

/* Returns a random number from -1 to 1. The sequence is the same in each run. *state starts with
 * any number. */
float example_random(uint32_t *state);

/* Allocates memory. Ends the program with status 2 if memory is short; never returns NULL. */
void *example_allocate(size_t count, size_t size);

/* The largest relative error of one addition or multiplication of a QPU, which truncates to 24
 * bits. A processor that rounds to nearest has half of this error. */
#define QPU_EPSILON 0x1p-23

/* Returns the largest error of `operations` consecutive roundings, relative to the sum of the
 * inputs' magnitudes: (1 + QPU_EPSILON)^operations - 1. */
double example_bound(double operations);

/* Compares results with their expected values, and records the largest error. */
struct comparison {
    uint64_t count, wrong;
    double worst; /* largest error relative to its bound */
};
void compare(struct comparison *comparison, uint64_t index, double got, double expected,
             double bound);

/* Prints the outcome. Returns the exit status of the program: 1 if a result is wrong, otherwise
 * 0. */
int compare_status(const struct comparison *comparison);

#endif
