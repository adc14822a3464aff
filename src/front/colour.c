/* SPDX-License-Identifier: MIT */
/* colour.c - see colour.h.
 *
 * In:      --color; NO_COLOR, TERM; the terminal state of a stream.
 * Out:     escape sequences.
 *
 * Source: ECMA-48, 8.3.117 (SGR); https://no-color.org; gcc's manual, -fdiagnostics-color. */
#include "front/colour.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include <unistd.h>

static enum colour_when chosen = COLOUR_AUTO;
static bool is_chosen;
static FILE *follower, *followed;

static const char *const names[] = {
    [COLOUR_AUTO] = "auto", [COLOUR_ALWAYS] = "always", [COLOUR_NEVER] = "never"};

static const char *const sequences[] = {
    [COLOUR_NONE] = "",
    [COLOUR_PLACE] = "\033[1m",
    [COLOUR_ERROR] = "\033[1;31m",
    [COLOUR_WARNING] = "\033[1;35m",
    [COLOUR_NOTE] = "\033[1;36m",
    [COLOUR_CARET] = "\033[1;32m",
};

bool colour_find(const char *name, enum colour_when *when)
{
    for (unsigned i = 0; i < sizeof names / sizeof names[0]; i++) {
        if (strcmp(name, names[i]) != 0)
            continue;
        *when = (enum colour_when)i;
        return true;
    }
    return false;
}

const char *colour_name(enum colour_when when)
{
    return names[when];
}

void colour_choose(enum colour_when when)
{
    chosen = when;
    is_chosen = true;
}

enum colour_when colour_chosen(void)
{
    return chosen;
}

bool colour_is_chosen(void)
{
    return is_chosen;
}

/* Returns true if the environment variables permit colours on terminals. */
static bool is_allowed(void)
{
    const char *no_color = getenv("NO_COLOR"), *term = getenv("TERM");
    return !(no_color && *no_color) && term && strcmp(term, "dumb") != 0;
}

void colour_follow(FILE *stream, FILE *other)
{
    follower = stream;
    followed = other;
}

bool colour_wanted(FILE *stream)
{
    if (stream == follower)
        stream = followed;
    if (chosen != COLOUR_AUTO)
        return chosen == COLOUR_ALWAYS;
    int error = errno; /* isatty() must not change errno of a program in which a shim prints */
    bool wanted = is_allowed() && isatty(fileno(stream));
    errno = error;
    return wanted;
}

const char *colour_begin(FILE *stream, enum colour colour)
{
    return colour_wanted(stream) ? sequences[colour] : "";
}

const char *colour_end(FILE *stream)
{
    return colour_wanted(stream) ? "\033[m" : "";
}
