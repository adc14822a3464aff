/* SPDX-License-Identifier: MIT */
/* until.c - reads and checks the conditions that end tessera pi.
 *
 * In:  values of options; bytes of the UART.
 * Out: conditions; the moment at which a text is complete. */
#include "cli/pi/until.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cli/cli.h"

static const struct {
    const char *unit;
    double nanoseconds;
} units[] = {{"", 1e9}, {"s", 1e9}, {"ms", 1e6}, {"us", 1e3}};

enum { UNITS = sizeof units / sizeof units[0] };

#define LONGEST 1e6 /* seconds */

bool until_time(const char *text, uint64_t *nanoseconds)
{
    char *end;
    double value = strtod(text, &end);
    if (end == text || !(value >= 0) || value > LONGEST)
        return false;
    for (unsigned i = 0; i < UNITS; i++)
        if (strcmp(units[i].unit, end) == 0) {
            *nanoseconds = (uint64_t)(value * units[i].nanoseconds);
            return true;
        }
    return false;
}

static char unescaped(char letter)
{
    return (char)(letter == 'n' ? '\n' : letter == 'r' ? '\r' : letter == 't' ? '\t' : letter);
}

bool awaited_set(const char *title, const char *text, struct awaited *awaited)
{
    size_t length = 0;
    *awaited = (struct awaited){0};
    for (; *text && length < UNTIL_TEXT - 1; text++) {
        bool escape = *text == '\\' && text[1];
        text += escape;
        awaited->text[length++] = escape ? unescaped(*text) : *text;
    }
    if (!*text && length)
        return true;
    cli_usage_error(title, "the text to wait for must have 1 to %d bytes", UNTIL_TEXT - 1);
    return false;
}

bool awaited_add(struct awaited *awaited, char byte)
{
    unsigned size = (unsigned)strlen(awaited->text);
    if (!size || awaited->found)
        return false;
    if (awaited->length == size)
        memmove(awaited->latest, awaited->latest + 1, --awaited->length);
    awaited->latest[awaited->length++] = byte;
    awaited->found = awaited->length == size && memcmp(awaited->latest, awaited->text, size) == 0;
    return awaited->found;
}

static bool take_frames(const char *text, struct until *until)
{
    uint64_t number;
    bool good = cli_number(text, &number) && number >= 1 && number <= 1000000;
    until->frames = good ? number : 0;
    return good;
}

bool until_take(const char *title, const char *text, struct until *until)
{
    if (strncmp(text, "uart:", 5) == 0)
        return awaited_set(title, text + 5, &until->uart);
    if (strcmp(text, "finding") == 0)
        return until->finding = true;
    if (strncmp(text, "frames:", 7) == 0 && take_frames(text + 7, until))
        return true;
    if (strncmp(text, "time:", 5) == 0 && until_time(text + 5, &until->time) && until->time)
        return true;
    cli_usage_error(title,
                    "invalid condition '%s' for --until; expected uart:TEXT, frames:N, "
                    "time:SECONDS or finding",
                    text);
    return false;
}
