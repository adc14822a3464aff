/* SPDX-License-Identifier: MIT */
/* line.h - the other end of the serial line: a file, the terminal, or a client of a TCP port. */
#ifndef CLI_PI_LINE_H
#define CLI_PI_LINE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#include "cli/output.h"

enum { LINE_QUEUE = 4096 };

struct line {
    const char *title;
    struct output output; /* standard output or a file; stream is NULL with a TCP port */
    FILE *input;          /* file of --input, or NULL */
    int listener, client; /* sockets, or -1 */
    bool keyboard;        /* the terminal's keys are sent */
    bool typed;           /* a key was pressed */
    bool escape;          /* the latest key was Ctrl-A */
    bool is_open;         /* the latest byte of the board was not the end of a line */
    bool ended;           /* the user has ended the run, or the output cannot be written */
    uint8_t queue[LINE_QUEUE];
    unsigned first, count; /* bytes of the queue */
};

/* Opens the line. uart is the value of --uart: NULL for standard output, a file, or "tcp:PORT",
 * which waits for a client. input is the file of --input, or NULL. keyboard: whether the keys of
 * the terminal may be sent, if there is neither a port nor a file. Returns false after an error
 * message. */
bool line_open(struct line *line, const char *title, const char *uart, const char *input,
               bool keyboard);

/* Returns true if a person or a program is at the other end, who may send at any time. */
bool line_is_live(const struct line *line);

/* Takes a byte that the board has sent. */
void line_put(struct line *line, uint8_t byte);

/* Takes keys and bytes that have come, as far as there is room. Sets .ended if the user presses
 * Ctrl-A x. */
void line_look(struct line *line);

/* Adds bytes to the queue, such as the keys of a window. Bytes without room are lost. */
void line_add(struct line *line, const uint8_t *bytes, size_t size);

/* Returns the next byte for the board: the next of the queue, or -1 if there is none. */
int line_next(struct line *line);

/* Closes the line. Returns false after an error message if bytes could not be written. */
bool line_close(struct line *line);

#endif
