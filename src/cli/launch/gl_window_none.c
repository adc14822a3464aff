/* SPDX-License-Identifier: MIT */
/* gl_window_none.c - gl_window.h for builds without SDL2.
 *
 * In:  nothing.
 * Out: an error message. */
#include <stdio.h>

#include "cli/launch/gl_window.h"

struct gl_window *gl_window_open(const char *title)
{
    fprintf(stderr, "%s: --window: this tessera was built without SDL2 (Meson option 'window')\n",
            title);
    return NULL;
}

bool gl_window_show(void *window, pid_t process)
{
    (void)window;
    (void)process;
    return false;
}

void gl_window_close(struct gl_window *window)
{
    (void)window;
}
