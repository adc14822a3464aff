/* SPDX-License-Identifier: MIT */
/* display.h - what becomes of the pictures on the screen: files, a window, a rate, and an end after so many of them.
 *
 * In:  changes of the display's state. Out: frame-0001.png and so on; the viewer's window; standard error.
 *
 * A frame is a picture that a program has put on the screen; a screen without a plane is none. All functions are called with
 * the device's lock (gpu.h). */
#ifndef SHIM_DRM_DISPLAY_H
#define SHIM_DRM_DISPLAY_H

/* There is a new picture. */
void display_show(void);

/* The picture may have changed: what it is at the next blank is a frame if it has. */
void display_change(void);

/* A frame, if the program has drawn into the picture on the screen and has told nobody. */
void display_look(void);

/* The process ends. May come more than once. */
void display_end(void);

/* In the child of a fork, which has shown nothing yet. */
void display_in_child(void);

#endif
