/* SPDX-License-Identifier: MIT */
/* display.h - output of the pictures on the screen: files, a window, the frame rate, and the end of
 * the process after a number of frames.
 *
 * In:  changes of the display's state.
 * Out: frame-0001.png and so on; the viewer's window; standard error.
 *
 * A frame is a picture that the program shows on the screen. A screen on which no plane is on does
 * not count as a frame. All functions are called with the device's lock (device_lock.h). */
#ifndef SHIM_DRM_DISPLAY_DISPLAY_H
#define SHIM_DRM_DISPLAY_DISPLAY_H

#include <stdbool.h>
#include <stdint.h>

/* The screen, as mode setting (kms.h) provides it. */
struct display_screen {
    bool (*is_blank)(void); /* true if no plane shows a picture of a program */
    void (*size)(uint32_t *width, uint32_t *height); /* size of the mode in pixels */
    /* Computes the picture: `pixels` receives 0x00RRGGBB values. */
    void (*picture)(uint32_t *pixels);
    uint64_t (*hash)(void); /* hash of the memory that the picture shows */
    /* Writes the reports of the process, because the process is about to be killed. */
    void (*end)(void);
};

/* Sets the screen. Without a screen, the other functions do nothing. */
void display_begin(const struct display_screen *screen);

/* Called when the program has put a new picture on the screen. */
void display_show(void);

/* Called when the picture may have changed. If the picture has changed, the next vertical blank
 * counts a frame. */
void display_change(void);

/* Counts a frame if the program has changed the pixels of the picture on the screen since the last
 * check. A program may do so without any request. */
void display_look(void);

/* Called when the process ends, possibly more than once. */
void display_end(void);

/* Called in the child of a fork. The child starts with 0 frames. */
void display_in_child(void);

#endif
