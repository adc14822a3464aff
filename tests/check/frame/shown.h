/* SPDX-License-Identifier: MIT */
/* shown.h - access to the programs that "tessera help" shows for the rules of a checker. The
 * checker's test defines SHOWN_RULES as the name of the table's file before it includes this
 * file. */
#ifndef TESTS_ISA_SHOWN_H
#define TESTS_ISA_SHOWN_H

#include <stdbool.h>
#include <string.h>

#define EXAMPLE(id, kind, wrong, right) {id, wrong, right},
static const struct shown {
    const char *id, *wrong, *right;
} shown_programs[] = {
#include SHOWN_RULES
};
#undef EXAMPLE

/* As the program of a case: the program that "tessera help" shows for the rule. */
#define SHOWN NULL

/* Returns the program of a case. For SHOWN, returns the wrong or the right program of the rule's
 * help. */
static inline const char *case_program(const char *program, const char *id, bool right)
{
    if (program)
        return program;
    for (size_t i = 0; i < sizeof shown_programs / sizeof shown_programs[0]; i++)
        if (strcmp(shown_programs[i].id, id) == 0)
            return right ? shown_programs[i].right : shown_programs[i].wrong;
    fail_msg("%s has no example", id);
    return "";
}

#endif
