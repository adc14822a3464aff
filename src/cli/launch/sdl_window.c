/* SPDX-License-Identifier: MIT */
/* sdl_window.c - see sdl_window.h.
 *
 * In:  pictures.
 * Out: an SDL2 window.
 *
 * The window is drawn without GL, since tessera gl's environment variables make GL use the
 * model. */
#include "cli/launch/sdl_window.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

/* Returns false with SDL's error set if the window would be invisible. SDL falls back to a driver
 * without a display if no display is found. A driver in SDL_VIDEODRIVER is accepted. */
static bool is_visible(const struct sdl *sdl)
{
    const char *driver = sdl->GetCurrentVideoDriver();
    if (getenv("SDL_VIDEODRIVER") ||
        (driver && strcmp(driver, "offscreen") != 0 && strcmp(driver, "dummy") != 0))
        return true;
    sdl->SetError("no display found; set DISPLAY or WAYLAND_DISPLAY");
    return false;
}

/* Starts SDL. The user may set SDL_VIDEODRIVER=kmsdrm to make a program of tessera gl use the
 * modelled display. The window ignores this value. */
static bool start_sdl(const struct sdl *sdl)
{
    const char *driver = getenv("SDL_VIDEODRIVER");
    char *kept = driver && strcasecmp(driver, "kmsdrm") == 0 ? strdup(driver) : NULL;
    if (kept)
        unsetenv("SDL_VIDEODRIVER");
    sdl->SetHint(SDL_HINT_NO_SIGNAL_HANDLERS, "1");
    sdl->SetHint(SDL_HINT_FRAMEBUFFER_ACCELERATION, "0");
    bool good = sdl->Init(SDL_INIT_VIDEO) == 0 && is_visible(sdl);
    if (kept)
        setenv("SDL_VIDEODRIVER", kept, 1);
    free(kept);
    return good;
}

static bool fail(const struct sdl_window *window)
{
    fprintf(stderr, "%s: --window: %s\n", window->title, window->sdl.GetError());
    return false;
}

bool sdl_window_start(struct sdl_window *window, const char *title)
{
    *window = (struct sdl_window){.title = title};
    if (!sdl_load(&window->sdl, title))
        return false;
    if (start_sdl(&window->sdl))
        return true;
    fail(window);
    window->sdl.Quit();
    return false;
}

bool sdl_window_prepare(struct sdl_window *window, int width, int height)
{
    const struct sdl *sdl = &window->sdl;
    if (window->picture && (window->picture->w != width || window->picture->h != height)) {
        sdl->FreeSurface(window->picture);
        window->picture = NULL;
    }
    if (!window->picture)
        window->picture = sdl->CreateRGBSurfaceWithFormat(0, width, height, 32,
                                                          SDL_PIXELFORMAT_RGB888);
    if (!window->window)
        window->window = sdl->CreateWindow("Tessera", SDL_WINDOWPOS_UNDEFINED,
                                           SDL_WINDOWPOS_UNDEFINED, width, height,
                                           SDL_WINDOW_RESIZABLE);
    return (window->window && window->picture) || fail(window);
}

void sdl_window_draw(struct sdl_window *window)
{
    const struct sdl *sdl = &window->sdl;
    SDL_Surface *surface = window->window ? sdl->GetWindowSurface(window->window) : NULL;
    if (!surface || !window->picture)
        return;
    sdl->UpperBlitScaled(window->picture, NULL, surface, NULL);
    sdl->UpdateWindowSurface(window->window);
}

void sdl_window_stop(struct sdl_window *window)
{
    window->sdl.FreeSurface(window->picture);
    if (window->window)
        window->sdl.DestroyWindow(window->window);
    window->sdl.Quit();
}
