/* SPDX-License-Identifier: MIT */
/* until.h - the conditions that end tessera pi: --until and --expect-uart. */
#ifndef CLI_PI_UNTIL_H
#define CLI_PI_UNTIL_H

#include <stdbool.h>
#include <stdint.h>

enum { UNTIL_TEXT = 256 };

/* A text that is searched in a stream of bytes. */
struct awaited {
    char text[UNTIL_TEXT]; /* empty if no text is awaited */
    char latest[UNTIL_TEXT];
    unsigned length; /* bytes in `latest` */
    bool found;
};

struct until {
    struct awaited uart;
    uint64_t frames; /* 0 for no limit */
    uint64_t time;   /* nanoseconds, 0 for no limit */
    bool finding;
};

/* Reads "uart:TEXT", "frames:N", "time:SECONDS" or "finding". Returns false after an error
 * message. */
bool until_take(const char *title, const char *text, struct until *until);

/* Reads a number of seconds such as "2", "0.5s", "20ms" or "100us" as nanoseconds. */
bool until_time(const char *text, uint64_t *nanoseconds);

/* Sets the text of *awaited, in which \n, \r, \t and \\ have their usual meaning. Returns false
 * after an error message if the text is too long or empty. */
bool awaited_set(const char *title, const char *text, struct awaited *awaited);

/* Adds a byte of the stream. Returns true if the text is complete for the first time. */
bool awaited_add(struct awaited *awaited, char byte);

#endif
