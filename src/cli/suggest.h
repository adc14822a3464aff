/* SPDX-License-Identifier: MIT */
/* suggest.h - finds the name that is most similar to a mistyped word, for "did you mean 'NAME'?" */
#ifndef CLI_SUGGEST_H
#define CLI_SUGGEST_H

#include <getopt.h>
#include <stddef.h>

/* A search for the name that is nearest to a word. */
struct suggestion {
    const char *word;
    const char *name; /* nearest name so far, or NULL if no name is near */
    size_t distance;  /* distance of name, or the smallest distance that is not near */
};

struct suggestion suggest_begin(const char *word);

/* Compares one more name with the word. Keeps the first of several equally near names. */
void suggest_try(struct suggestion *suggestion, const char *name);

/* Like getopt_long(), but also prints a suggestion on stderr if an option is unknown. */
int suggest_getopt(int argc, char **argv, const char *letters, const struct option *options);

#endif
