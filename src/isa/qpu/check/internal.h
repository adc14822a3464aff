/* SPDX-License-Identifier: MIT */
/* internal.h - what the checker's own files share. */
#ifndef ISA_QPU_CHECK_INTERNAL_H
#define ISA_QPU_CHECK_INTERNAL_H

#include "isa/qpu/check/check.h"
#include "isa/qpu/check/flow.h"

enum {
    UNIFORM_DISTANCE = 3, /* instructions from a write of the uniform address to the next uniform */
    VALUES_MAX = 256,
};

/* What holds whichever of the program's ends is reached. */
struct checker_ends {
    unsigned count;
    uint8_t raised[16]; /* semaphores, as in struct state */
    bool interrupt;
    uint32_t word; /* of the first end's signal */
};

/* A program under check. */
struct checker {
    const struct check_input *input;
    const struct check_facts *facts;
    struct flow flow;
    struct check_entry entry;
    enum tess_shader_kind kind; /* given or deduced */
    bool fresh;    /* a program surely begins at the entry; else any state is possible there */
    bool threaded; /* it has a thread switch */
    bool ends;     /* some program has an end */
    bool told_busy; /* a store that another one is in the way of was reported: once is enough */
    bool computed; /* some branch goes to an address in a register, perhaps to any label */

    uint32_t values[VALUES_MAX]; /* constants that registers have; states name them by number */
    unsigned value_count;        /* number 0 is no value */

    struct checker_ends at_ends;
    struct first *first; /* see first.h */

    struct check_found *found;
    size_t found_count, found_capacity;
    bool too_many; /* findings; the rest is left out */
    bool no_memory;
};

/* A finding before it is sorted. */
struct check_found {
    struct check_finding finding;
    uint32_t
        subject; /* tells findings of one rule at one instruction apart: a register, for example */
};

/* What a finding is about beside the instruction itself. */
struct check_about {
    uint32_t other;    /* word; FLOW_NONE: none */
    uint32_t distance; /* 0: to be counted */
    uint32_t subject;
};
#define ABOUT_NOTHING ((struct check_about){.other = FLOW_NONE})

void found(struct checker *checker, enum check_rule rule, uint32_t word, struct check_about about,
           const char *format, ...) __attribute__((format(printf, 5, 6)));

/* Instructions from the nearest node of a word to this node; 0 if it is far away. */
uint32_t found_distance(const struct flow *flow, uint32_t word, uint32_t node);

/* Rules about one instruction, in whatever context. */
void check_local(struct checker *checker, uint32_t node);

/* Rules about two instructions that are too close. */
void check_hazards(struct checker *checker, uint32_t node);

/* Rules about all ways through the program. */
bool check_program(struct checker *checker);

/* "ra5", "t0s": a register's name; file 0 A, 1 B. */
const char *check_read_name(unsigned file, unsigned address);
const char *check_write_name(unsigned file, unsigned address);

#endif
