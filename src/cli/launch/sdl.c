/* SPDX-License-Identifier: MIT */
/* sdl.c - see sdl.h. */
#include "cli/launch/sdl.h"

#include <dlfcn.h>
#include <stdio.h>
#include <string.h>

static const char LIBRARY[] = "libSDL2-2.0.so.0";

/* Copies the address of a function to `member`, a pointer to a function. */
static bool find(void *library, const char *name, void *member)
{
    void *address = dlsym(library, name);
    memcpy(member, &address, sizeof address);
    return address;
}

bool sdl_load(struct sdl *sdl, const char *title)
{
    void *library = dlopen(LIBRARY, RTLD_NOW | RTLD_LOCAL);
#define SDL_FIND(name) &&find(library, "SDL_" #name, &sdl->name)
    if (library SDL_FUNCTIONS(SDL_FIND))
        return true;
#undef SDL_FIND
    fprintf(stderr, "%s: --window: %s\n", title, dlerror());
    return false;
}
