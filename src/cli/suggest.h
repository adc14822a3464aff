/* SPDX-License-Identifier: MIT */
/* suggest.h - suggestions ("did you mean"): finds the name in a list that is nearest to a mistyped
 * word. */
#ifndef CLI_SUGGEST_H
#define CLI_SUGGEST_H

#include <getopt.h>
#include <stddef.h>

/* A search for the name that is nearest to a word. */
struct suggestion {
    const char *word;
    const char *name; /* nearest name so far; NULL if none is near */
    size_t distance;
};

struct suggestion suggest_begin(const char *word);

/* Compares one more name. The first of several equally near names is kept. */
void suggest_try(struct suggestion *suggestion, const char *name);

/* Like getopt_long(), but suggests on stderr the option nearest to an unknown one. */
int suggest_getopt(int argc, char **argv, const char *letters, const struct option *options);

#endif
