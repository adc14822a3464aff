/* SPDX-License-Identifier: MIT */
/* window.h - the window of tessera pi --window. */
#ifndef CLI_PI_WINDOW_H
#define CLI_PI_WINDOW_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "cli/pi/picture.h"

struct window;

/* Starts SDL2. The window opens with the first picture. Returns NULL after an error message. */
struct window *window_open(const char *title);

/* Shows a picture. Returns false after an error message. */
bool window_show(struct window *window, const struct picture *picture, unsigned number);

/* Handles what the user has done. Calls `key` with the bytes of each key that was pressed. Returns
 * false if the user has closed the window. */
bool window_look(struct window *window, void (*key)(void *user, const void *bytes, size_t size),
                 void *user);

/* Closes the window. NULL is allowed. */
void window_close(struct window *window);

#endif
