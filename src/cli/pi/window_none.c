/* SPDX-License-Identifier: MIT */
/* window_none.c - window.h for builds without SDL2.
 *
 * In:  nothing.
 * Out: an error message. */
#include <stdio.h>

#include "cli/pi/window.h"

struct window *window_open(const char *title)
{
    fprintf(stderr, "%s: --window: this tessera was built without SDL2 (Meson option 'window')\n",
            title);
    return NULL;
}

bool window_show(struct window *window, const struct picture *picture, unsigned number)
{
    (void)window;
    (void)picture;
    (void)number;
    return false;
}

bool window_look(struct window *window, void (*key)(void *user, const void *bytes, size_t size),
                 void *user)
{
    (void)window;
    (void)key;
    (void)user;
    return false;
}

void window_close(struct window *window)
{
    (void)window;
}
