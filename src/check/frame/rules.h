/* SPDX-License-Identifier: MIT */
/* rules.h - the rules of all checkers (finding/rules.h), and when a checker asks for each. */
#ifndef CHECK_FRAME_RULES_H
#define CHECK_FRAME_RULES_H

#include <tessera/isa.h>

#include "finding/rules.h"

/* When a checker calls the function of a rule (asks.h). */
enum check_when {
    CHECK_WHEN_NONE,
    CHECK_WHEN_WORD, /* for each instruction */
    CHECK_WHEN_ALU,  /* for each instruction of one kind (A2xx) */
    CHECK_WHEN_FETCH,
    CHECK_WHEN_CONTROL,
    CHECK_WHEN_PAIR,    /* for each two instructions that are close on a path */
    CHECK_WHEN_PATH,    /* for each instruction that a path reaches, with the state before it */
    CHECK_WHEN_WRITE,   /* for each request to a TMU, and each write of a vector, a setup or an
                         * address to the VPM, on a path, with the state before it (QPU) */
    CHECK_WHEN_END,     /* for each end of the program that a path reaches, with the state there */
    CHECK_WHEN_PROGRAM, /* once for the program, after its paths */
};

/* A function with this attribute is compiled once for each value of enum check_when. */
#define CHECK_ASKS static inline __attribute__((always_inline)) void

#endif
