/* SPDX-License-Identifier: MIT */
/* gl_window.h - the window of tessera gl --window: shows what a program puts on the modelled display. */
#ifndef CLI_GL_WINDOW_H
#define CLI_GL_WINDOW_H

#include <stdbool.h>
#include <sys/types.h>

struct gl_window;

/* Gets ready for pictures, and tells programs where with TESSERA_WINDOW. NULL, and stderr has been told, if there can be no
 * window. */
struct gl_window *gl_window_open(const char *title);

/* Shows pictures until the process has ended, which is still to be waited for then. window is a struct gl_window. True: the
 * user has closed the window, and the process was told to end. */
bool gl_window_show(void *window, pid_t process);

/* NULL is allowed. */
void gl_window_close(struct gl_window *window);

#endif
