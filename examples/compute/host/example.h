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
    double value; /* from here on: what the command line says */
    const char *text;
};

struct example {
    const char *name, *help; /* of the program */
    struct parameter *parameters;
    unsigned count;
    enum gpu_launch launch; /* --direct */
    unsigned qpus;          /* --qpus, 1 to 12 */

    /* What the program does with the GPU, and its exit status. */
    int (*run)(struct gpu *gpu, const struct example *example);
};

/* A program's main(): reads the command line, opens the GPU, and runs. The exit status is 2 if the command line is wrong. */
int example_main(struct example *example, int argc, char **argv);

/* Runs a kernel, tells how many QPUs took how long, and unloads the kernel. Seconds; negative if it has not worked. */
double example_run(struct gpu *gpu, const struct example *example, struct gpu_kernel *kernel);

/* Numbers from -1 to 1 that are the same in each run; *state is any number at first. */
float example_random(uint32_t *state);

/* Ends the program with status 2 if there is no memory; never returns NULL. */
void *example_allocate(size_t count, size_t size);

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
