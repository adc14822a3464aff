/* SPDX-License-Identifier: MIT */
/* check_said.h - warnings of the assembler that are rules of the checker: they have levels, and
 * comments allow them. */
#ifndef ISA_CHECK_SAID_H
#define ISA_CHECK_SAID_H

#include "isa/rules.h"

struct check_said_warning {
    enum check_rule rule;
    char *text, *hint, *file;
    uint32_t line, column;
};

/* Zero-initialise it but for the sink; free it with check_said_free(). */
struct check_said {
    struct tess_sink sink; /* gets everything else */
    struct check_said_warning *items;
    size_t count, capacity;
    bool taken; /* the last one was; notes about it may follow */
    bool no_memory;
};

/* A sink for the assembler that takes such warnings out. */
struct tess_sink check_said_sink(struct check_said *said);

void check_said_free(struct check_said *said);

#endif
