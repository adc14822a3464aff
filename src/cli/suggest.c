/* SPDX-License-Identifier: MIT */
/* suggest.c - see suggest.h.
 *
 * Choices: a name is near if the number of mistakes (base/nearest.h) is at most a third of the
 *          word's length, or at most 1 for a word of up to 5 letters. */
#include "suggest.h"

#include <stdbool.h>
#include <stdio.h>
#include <string.h>

#include "base/nearest.h"

enum { LONGEST = 40 };

struct suggestion suggest_begin(const char *word)
{
    size_t third = strlen(word) / 3;
    return (struct suggestion){.word = word, .distance = third ? third + 1 : 2};
}

void suggest_try(struct suggestion *suggestion, const char *name)
{
    size_t far = nearest_distance(suggestion->word, strlen(suggestion->word), name, strlen(name));
    if (far >= suggestion->distance)
        return;
    suggestion->distance = far;
    suggestion->name = name;
}

/* Suggests the long option nearest to an argument. argument begins with a dash. */
static void suggest_option(const char *argument, const struct option *options)
{
    char name[LONGEST + 1];
    const char *start = argument + strspn(argument, "-");
    snprintf(name, sizeof name, "%.*s", (int)strcspn(start, "="), start);
    struct suggestion suggestion = suggest_begin(name);
    for (size_t i = 0; options[i].name && name[0] && name[1]; i++)
        suggest_try(&suggestion, options[i].name);
    if (suggestion.name)
        fprintf(stderr, "Did you mean '--%s'?\n", suggestion.name);
}

/* True if an argument is neither a long option nor the beginning of a long option. For other
 * errors, getopt's own message is enough. */
static bool is_unknown(const char *argument, const struct option *options)
{
    const char *name = argument + strspn(argument, "-");
    size_t length = strcspn(name, "=");
    for (size_t i = 0; options[i].name; i++)
        if (argument[1] == '-' && strncmp(options[i].name, name, length) == 0)
            return false;
    return argument[0] == '-';
}

/* Returns the argument that getopt has just rejected. `from` is the value of optind before the
 * call. If getopt rejected a letter, optopt is the letter, and the argument is at index `from` or
 * later. If getopt rejected a long option, the argument is the one before optind, since getopt
 * moves arguments that are not options to the end. */
static const char *find_refused(int argc, char **argv, int from)
{
    for (int i = from; optopt && i < argc; i++)
        if (argv[i][0] == '-' && argv[i][1] != '-' && strchr(argv[i], optopt))
            return argv[i];
    return optind > from ? argv[optind - 1] : NULL;
}

int suggest_getopt(int argc, char **argv, const char *letters, const struct option *options)
{
    int from = optind > 0 ? optind : 1;
    int option = getopt_long(argc, argv, letters, options, NULL);
    const char *argument = option == '?' ? find_refused(argc, argv, from) : NULL;
    if (argument && is_unknown(argument, options))
        suggest_option(argument, options);
    return option;
}
