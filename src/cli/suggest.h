/* SPDX-License-Identifier: MIT */
/* suggest.h - "did you mean": which of a list of names a mistyped word may stand for. */
#ifndef CLI_SUGGEST_H
#define CLI_SUGGEST_H

#include <getopt.h>
#include <stddef.h>

/* A search for the name that is nearest to a word. */
struct suggestion {
    const char *word;
    const char *name; /* the nearest so far; NULL: none is near */
    size_t distance;
};

struct suggestion suggest_begin(const char *word);

/* Compares with one more name; of equally near ones the first counts. */
void suggest_try(struct suggestion *suggestion, const char *name);

/* getopt_long(), which also says on stderr which option a mistyped one may stand for. */
int suggest_getopt(int argc, char **argv, const char *letters, const struct option *options);

#endif
