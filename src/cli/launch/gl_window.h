/* SPDX-License-Identifier: MIT */
/* gl_window.h - the window of tessera gl --window: shows the frames of the modelled display. */
#ifndef CLI_LAUNCH_GL_WINDOW_H
#define CLI_LAUNCH_GL_WINDOW_H

#include <stdbool.h>
#include <sys/types.h>

struct gl_window;

/* Opens the socket for frames and sets TESSERA_WINDOW and TESSERA_WINDOW_KEY for the programs.
 * Returns NULL after an error message if a window cannot be opened. */
struct gl_window *gl_window_open(const char *title);

/* Shows frames until the process has ended. The caller must still call waitpid() for the process.
 * window is a struct gl_window. If the user closes the window, the function sends SIGTERM to the
 * process, and SIGKILL if the process has not ended some seconds later. Returns true if the user
 * closed the window. */
bool gl_window_show(void *window, pid_t process);

/* Closes the window. NULL is allowed. */
void gl_window_close(struct gl_window *window);

#endif
