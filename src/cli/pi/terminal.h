/* SPDX-License-Identifier: MIT */
/* terminal.h - the terminal of standard input and output: keys without echo, size, abilities. */
#ifndef CLI_PI_TERMINAL_H
#define CLI_PI_TERMINAL_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Returns true if standard input is a terminal whose keys this process may read. */
bool terminal_has_keys(void);

/* Delivers each key at once and without echo: Enter as 13. Ctrl-C still raises SIGINT. Returns
 * false if the terminal refuses. */
bool terminal_take_keys(void);

/* Gives the terminal its settings back. May be called in a signal handler, and if no keys were
 * taken. */
void terminal_give_back(void);

/* Reads keys that were pressed. Returns their number, 0 if there are none, or -1 if the terminal is
 * gone. */
int terminal_read(uint8_t *keys, size_t size);

/* The size of the terminal of standard output. cell_height is that of a character in pixels. */
struct terminal_size {
    unsigned columns, lines, width, cell_height; /* width: pixels */
};

/* Returns the size, or 80x24 characters of 10x20 pixels for an output that has none. */
struct terminal_size terminal_get_size(void);

/* Asks the terminal whether it can show sixel pictures (device attributes, parameter 4). Returns
 * false if standard input or output is not a terminal, or if it does not answer within a fifth of a
 * second. */
bool terminal_has_sixel(void);

#endif
