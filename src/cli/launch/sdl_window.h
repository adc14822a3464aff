/* SPDX-License-Identifier: MIT */
/* sdl_window.h - a window of SDL2 that shows pictures: --window of tessera gl and tessera pi.
 *
 * The window has the size of the first picture and can be resized; pictures are scaled to it. */
#ifndef TESSERA_CLI_LAUNCH_SDL_WINDOW_H
#define TESSERA_CLI_LAUNCH_SDL_WINDOW_H

#include "cli/launch/sdl.h"

struct sdl_window {
    const char *title; /* of the verb, for messages */
    struct sdl sdl;
    SDL_Window *window;   /* NULL until the first picture */
    SDL_Surface *picture; /* words 0x00RRGGBB */
};

/* Loads and starts SDL2 without a window. Returns false after an error message, also if a window
 * would be invisible. */
bool sdl_window_start(struct sdl_window *window, const char *title);

/* Prepares .picture for a picture of a size in pixels, and opens the window if there is none.
 * Returns false after an error message. */
bool sdl_window_prepare(struct sdl_window *window, int width, int height);

/* Draws .picture. */
void sdl_window_draw(struct sdl_window *window);

/* Closes the window and stops SDL2. */
void sdl_window_stop(struct sdl_window *window);

#endif
