/* SPDX-License-Identifier: MIT */
/* qpu_check_private.h - types and functions that the files of the checker share. */
#ifndef CHECK_QPU_QPU_CHECK_PRIVATE_H
#define CHECK_QPU_QPU_CHECK_PRIVATE_H

#include "check/qpu/qpu_check.h"
#include "check/qpu/qpu_check_flow.h"

enum {
    UNIFORM_DISTANCE = 3, /* smallest distance from a write of the uniform address to the next fetch
                           * of a uniform */
    VALUES_MAX = 256,
};

/* Facts that hold at every end of the program. */
struct checker_ends {
    unsigned count;
    uint8_t raised[16]; /* lowest count of each semaphore over all ends, as in state.raised */
    bool interrupt;
    uint32_t word; /* word of the instruction that signals the first end */
};

/* The program that is being checked. */
struct checker {
    const struct check_input *input;
    const struct qpu_facts *facts;
    struct flow flow;
    struct check_entry entry;
    enum tess_shader_kind kind; /* given by the caller or deduced */
    bool fresh;    /* execution certainly begins at the entry; if false, any state is possible */
    bool threaded; /* the program contains a thread switch */
    bool ends;     /* some program in the input contains a program end */
    bool reported_busy; /* CHECK_VPM_DMA_BUSY was reported, which happens once for each program at
                         * most */
    bool computed;      /* some branch uses an address in a register, which may be any label */

    uint32_t values[VALUES_MAX]; /* constants that registers contain; states refer to them by
                                  * index */
    unsigned value_count;        /* highest index in use; index 0 means that a value is unknown */

    struct checker_ends at_ends;
    struct first *first; /* results of searches (first.c) */

    struct check_findings out;
};

/* Returns the number of instructions on the shortest path from a word to this node, or 0 if the
 * word is not found among the nearest nodes. */
uint32_t found_distance(const struct flow *flow, uint32_t word, uint32_t node);

/* first.c: returns true if a register (numbered as in struct places) may have been written when the
 * program first reaches the node's instruction: on a path that has not passed the instruction
 * before. Also returns true if the search limit prevents an answer. first_free() frees the results
 * of the searches, which are kept for the program. */
bool first_may_be_written(struct checker *checker, uint32_t node, unsigned place);
void first_free(struct checker *checker);

/* Asks the rules about each instruction, and about all paths through the program. Returns false if
 * the host is out of memory. */
bool check_program(struct checker *checker);

/* Returns a register's name, such as "ra5" or "t0s". file is 0 for A, 1 for B. */
const char *check_read_name(unsigned file, unsigned address);
const char *check_write_name(unsigned file, unsigned address);

#endif
