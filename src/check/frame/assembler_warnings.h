/* SPDX-License-Identifier: MIT */
/* assembler_warnings.h - collects the warnings of the assembler that are also rules of the checker.
 * Such a warning has a level like any other rule, and a comment can allow it. */
#ifndef CHECK_FRAME_ASSEMBLER_WARNINGS_H
#define CHECK_FRAME_ASSEMBLER_WARNINGS_H

#include "check/frame/rules.h"

struct check_said_warning {
    enum check_rule rule;
    char *text, *hint, *file;
    uint32_t line, column;
};

/* Set sink and zero the other fields. Free it with check_warnings_free(). */
struct check_said {
    struct tess_sink sink; /* receives all other diagnostics */
    struct check_said_warning *items;
    size_t count;
    bool taken; /* true if the last diagnostic was collected; notes that follow such a diagnostic
                 * are dropped */
    bool no_memory;
};

/* Returns a sink for the assembler. The sink adds warnings that are rules of the checker to
 * said->items, and passes all other diagnostics to said->sink. */
struct tess_sink check_warnings_sink(struct check_said *said);

void check_warnings_free(struct check_said *said);

#endif
