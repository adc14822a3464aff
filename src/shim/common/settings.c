/* SPDX-License-Identifier: MIT */
/* settings.c - see settings.h.
 *
 * In:  the environment, TESSERA_*.
 * Out: values; error messages on standard error.
 *
 * Settings are passed in the environment, because programs that the program starts inherit the
 * environment. */
#include "settings.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <tessera/vc4.h>

#include "front/limits.h"

void setting_complain(const char *name, const char *text, const char *wanted)
{
    fprintf(stderr, "tessera: %s=%s: %s\n", name, text, wanted);
}

const char *setting(const char *name)
{
    const char *text = getenv(name);
    return text && *text ? text : NULL;
}

const char *setting_text(const char *name)
{
    const char *text = setting(name), *copy = text ? strdup(text) : NULL;
    /* If there is no memory for a copy, use the environment's text, which the program may
     * change. */
    return copy ? copy : text;
}

/* Reads a flag, "0" or "1". Returns false if the variable is not set. If the variable has any other
 * value, prints a message and returns true. */
static bool setting_flag(const char *name)
{
    const char *text = setting(name);
    if (!text || strcmp(text, "0") == 0)
        return false;
    if (strcmp(text, "1") != 0)
        setting_complain(name, text, "expected 0 or 1");
    return true;
}

uint32_t setting_number(const char *name, uint32_t least, uint32_t most, uint32_t otherwise)
{
    char *end;
    const char *text = setting(name);
    if (!text)
        return otherwise;
    errno = 0;
    unsigned long long value = strtoull(text, &end, 0);
    if (*text >= '0' && *text <= '9' && !*end && !errno && value >= least && value <= most)
        return (uint32_t)value;
    char wanted[64];
    snprintf(wanted, sizeof wanted, "expected a number from %u to %u", least, most);
    setting_complain(name, text, wanted);
    return otherwise;
}

static uint32_t host_threads(void)
{
    long online = sysconf(_SC_NPROCESSORS_ONLN);
    if (online < 1)
        return 1;
    return online < TESS_MAX_THREADS ? (uint32_t)online : TESS_MAX_THREADS;
}

struct settings settings_read(void)
{
    struct settings settings = {
        .threads = setting_number("TESSERA_THREADS", 1, TESS_MAX_THREADS, host_threads()),
        .strict = setting_flag("TESSERA_STRICT"),
        .sanitize = setting_flag("TESSERA_SANITIZE"),
        .json = setting_flag("TESSERA_JSON"),
        .stats = setting_text("TESSERA_STATS"),
        .verdict = setting_text("TESSERA_VERDICT"),
        .capture = setting_text("TESSERA_CAPTURE"),
    };
    settings.sanitize |= settings.strict;
    return settings;
}

uint32_t setting_memory(void)
{
    enum { MEBIBYTE = 1 << 20, MOST = LIMIT_MEBIBYTES * MEBIBYTE, DEFAULT = 256 * MEBIBYTE };
    return setting_number("TESSERA_MEMORY", MEBIBYTE, MOST, DEFAULT);
}
