/* SPDX-License-Identifier: MIT */
/* options.c - see options.h.
 *
 * In:  the environment, TESSERA_*.
 * Out: the options, and complaints on standard error.
 *
 * The environment and not a file, because it reaches the programs that the program itself starts. */
#include "options.h"

#include <errno.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <tessera/pi.h>
#include <tessera/vc4.h>

enum { MEBIBYTE = 1 << 20 };

static struct options options;
static pthread_once_t once = PTHREAD_ONCE_INIT;

static void complain(const char *name, const char *text, const char *wanted)
{
    fprintf(stderr, "tessera: %s=%s: %s\n", name, text, wanted);
}

/* A variable's value; NULL if it is not set or empty. */
static const char *variable(const char *name)
{
    const char *text = getenv(name);
    return text && *text ? text : NULL;
}

static const char *text_of(const char *name)
{
    const char *text = variable(name);
    return text ? strdup(text) : NULL;
}

static bool flag(const char *name)
{
    const char *text = variable(name);
    if (!text || strcmp(text, "0") == 0)
        return false;
    if (strcmp(text, "1") != 0)
        complain(name, text, "is 0 or 1");
    return true;
}

static uint32_t number(const char *name, uint32_t least, uint32_t most, uint32_t otherwise)
{
    char *end;
    const char *text = variable(name);
    if (!text)
        return otherwise;
    errno = 0;
    unsigned long long value = strtoull(text, &end, 0);
    if (*text >= '0' && *text <= '9' && !*end && !errno && value >= least && value <= most)
        return (uint32_t)value;
    char wanted[64];
    snprintf(wanted, sizeof wanted, "is a number from %u to %u", least, most);
    complain(name, text, wanted);
    return otherwise;
}

static uint32_t host_threads(void)
{
    long online = sysconf(_SC_NPROCESSORS_ONLN);
    if (online < 1)
        return 1;
    return online < TESS_VC4_MAX_THREADS ? (uint32_t)online : TESS_VC4_MAX_THREADS;
}

static const char *board(void)
{
    const char *name = text_of("TESSERA_BOARD");
    if (name && tess_pi_board_find(name))
        return name;
    if (name)
        complain("TESSERA_BOARD", name, "is one of zero, pi1, pi2, pi3");
    return "pi1"; /* what programs assume when they cannot find out */
}

static void read_options(void)
{
    options = (struct options){
        .board = board(),
        .threads = number("TESSERA_THREADS", 1, TESS_VC4_MAX_THREADS, host_threads()),
        .strict = flag("TESSERA_STRICT"),
        .sanitize = flag("TESSERA_SANITIZE"),
        .json = flag("TESSERA_JSON"),
        .stats = text_of("TESSERA_STATS"),
        .trace = text_of("TESSERA_TRACE"),
        .capture = text_of("TESSERA_CAPTURE"),
        .source = text_of("TESSERA_SOURCE"),
        .verdict = text_of("TESSERA_VERDICT"),
        .memory = number("TESSERA_MEMORY", MEBIBYTE, 960u * MEBIBYTE, 256u * MEBIBYTE),
        .polls = number("TESSERA_POLLS", 1, UINT32_MAX, 1u << 20),
        .timeout = number("TESSERA_TIMEOUT", 0, 1000000, 10),
    };
    options.sanitize |= options.strict;
}

const struct options *options_get(void)
{
    pthread_once(&once, read_options);
    return &options;
}
