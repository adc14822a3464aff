/* SPDX-License-Identifier: MIT */
/* sdl.h - the functions of SDL2 that the window calls.
 *
 * The library is loaded when the first window opens. SDL2 loads about forty other libraries, and
 * the other verbs start faster without them. */
#ifndef TESSERA_CLI_LAUNCH_SDL_H
#define TESSERA_CLI_LAUNCH_SDL_H

#include <stdbool.h>

#include <SDL.h>

/* Functions by their names without "SDL_". SDL_BlitScaled() is a macro of SDL_UpperBlitScaled(). */
#define SDL_FUNCTIONS(X)          \
    X(CreateRGBSurfaceWithFormat) \
    X(CreateWindow)               \
    X(DestroyWindow)              \
    X(FreeSurface)                \
    X(GetCurrentVideoDriver)      \
    X(GetError)                   \
    X(GetWindowSurface)           \
    X(Init)                       \
    X(PollEvent)                  \
    X(Quit)                       \
    X(SetError)                   \
    X(SetHint)                    \
    X(SetWindowTitle)             \
    X(StartTextInput)             \
    X(UpdateWindowSurface)        \
    X(UpperBlitScaled)

struct sdl {
#define SDL_MEMBER(name) __typeof__(SDL_##name) *name;
    SDL_FUNCTIONS(SDL_MEMBER)
#undef SDL_MEMBER
};

/* Loads SDL2 and sets all members of *sdl. The library stays loaded. Returns false after an error
 * message that starts with `title`. */
bool sdl_load(struct sdl *sdl, const char *title);

#endif
