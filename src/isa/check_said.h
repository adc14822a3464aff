/* SPDX-License-Identifier: MIT */
/* check_said.h - warnings of the assembler that are also rules of the checker: they have levels,
 * and comments can allow them. */
#ifndef ISA_CHECK_SAID_H
#define ISA_CHECK_SAID_H

#include "isa/rules.h"

struct check_said_warning {
    enum check_rule rule;
    char *text, *hint, *file;
    uint32_t line, column;
};

/* Set sink and zero the other fields. Free it with check_warnings_free(). */
struct check_said {
    struct tess_sink sink; /* receives all other diagnostics */
    struct check_said_warning *items;
    size_t count, capacity;
    bool taken; /* the last diagnostic was kept; notes about it are dropped */
    bool no_memory;
};

/* Returns a sink for the assembler that keeps warnings of this kind in *said. */
struct tess_sink check_warnings_sink(struct check_said *said);

void check_warnings_free(struct check_said *said);

#endif
