/* SPDX-License-Identifier: MIT */
/* window.c - see window.h.
 *
 * In:  pictures; keys of the user.
 * Out: an SDL2 window; the bytes that a VT220 sends for the keys.
 *
 * Source: "VT220 Programmer Reference Manual", chapter 3; ECMA-48.
 * Choices: Backspace sends 127, and Enter 13, as terminals of Linux do. */
#include "cli/pi/window.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cli/launch/sdl_window.h"

struct window {
    struct sdl_window shown;
};

/* Keys that send other bytes than their text. */
static const struct {
    SDL_Keycode key;
    const char *bytes;
} keys[] = {
    {SDLK_RETURN, "\r"},    {SDLK_KP_ENTER, "\r"},    {SDLK_BACKSPACE, "\177"},
    {SDLK_TAB, "\t"},       {SDLK_ESCAPE, "\033"},    {SDLK_UP, "\033[A"},
    {SDLK_DOWN, "\033[B"},  {SDLK_RIGHT, "\033[C"},   {SDLK_LEFT, "\033[D"},
    {SDLK_HOME, "\033[1~"}, {SDLK_INSERT, "\033[2~"}, {SDLK_DELETE, "\033[3~"},
    {SDLK_END, "\033[4~"},  {SDLK_PAGEUP, "\033[5~"}, {SDLK_PAGEDOWN, "\033[6~"},
    {SDLK_F1, "\033OP"},    {SDLK_F2, "\033OQ"},      {SDLK_F3, "\033OR"},
    {SDLK_F4, "\033OS"},    {SDLK_F5, "\033[15~"},    {SDLK_F6, "\033[17~"},
    {SDLK_F7, "\033[18~"},  {SDLK_F8, "\033[19~"},    {SDLK_F9, "\033[20~"},
    {SDLK_F10, "\033[21~"}, {SDLK_F11, "\033[23~"},   {SDLK_F12, "\033[24~"},
};

struct window *window_open(const char *title)
{
    struct window *window = calloc(1, sizeof *window);
    if (window && sdl_window_start(&window->shown, title)) {
        window->shown.sdl.StartTextInput();
        return window;
    }
    free(window);
    return NULL;
}

void window_close(struct window *window)
{
    if (!window)
        return;
    sdl_window_stop(&window->shown);
    free(window);
}

static void copy_row(const struct picture *picture, uint32_t y, uint8_t *row)
{
    const uint8_t *from = picture->rgba + (size_t)4 * y * picture->width;
    for (uint32_t x = 0; x < picture->width; x++) {
        const uint8_t *pixel = from + (size_t)4 * x;
        uint32_t word = (uint32_t)pixel[0] << 16 | (uint32_t)pixel[1] << 8 | pixel[2];
        memcpy(row + (size_t)4 * x, &word, sizeof word);
    }
}

bool window_show(struct window *window, const struct picture *picture, unsigned number)
{
    struct sdl_window *shown = &window->shown;
    char title[64];
    if (!sdl_window_prepare(shown, (int)picture->width, (int)picture->height))
        return false;
    for (uint32_t y = 0; y < picture->height; y++)
        copy_row(picture, y,
                 (uint8_t *)shown->picture->pixels + (size_t)y * (size_t)shown->picture->pitch);
    snprintf(title, sizeof title, "Tessera: picture %u", number);
    shown->sdl.SetWindowTitle(shown->window, title);
    sdl_window_draw(shown);
    return true;
}

/* Stores the bytes of a key without text, such as an arrow or a letter with Ctrl. Returns their
 * number. */
static size_t bytes_of(const SDL_Keysym *pressed, char *bytes)
{
    if (pressed->mod & KMOD_CTRL && pressed->sym >= SDLK_a && pressed->sym <= SDLK_z) {
        bytes[0] = (char)(pressed->sym - SDLK_a + 1);
        return 1;
    }
    for (size_t i = 0; i < sizeof keys / sizeof *keys; i++)
        if (keys[i].key == pressed->sym) {
            size_t size = strlen(keys[i].bytes);
            memcpy(bytes, keys[i].bytes, size);
            return size;
        }
    return 0;
}

bool window_look(struct window *window, void (*key)(void *user, const void *bytes, size_t size),
                 void *user)
{
    SDL_Event event;
    char bytes[8];
    while (window->shown.sdl.PollEvent(&event)) {
        if (event.type == SDL_QUIT)
            return false;
        if (event.type == SDL_TEXTINPUT)
            key(user, event.text.text, strlen(event.text.text));
        if (event.type == SDL_KEYDOWN)
            key(user, bytes, bytes_of(&event.key.keysym, bytes));
        if (event.type == SDL_WINDOWEVENT)
            sdl_window_draw(&window->shown);
    }
    return true;
}
