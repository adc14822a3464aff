/* SPDX-License-Identifier: MIT */
/* engine.c - finds and loads libtessera-arm.so, which is a library of its own because the Unicorn
 * library is large.
 *
 * In:  the folder of the tessera program.
 * Out: the engine. */
#define _GNU_SOURCE /* readlink() */
#include "cli/pi/engine.h"

#include <dlfcn.h>
#include <limits.h>
#include <stdio.h>

#include "cli/launch/program.h"
#include "cli/launch/shim.h"

static const struct shim library = {
    .file = "libtessera-arm.so",
    .tree = "src/board/arm/unicorn",
    .page = "docs/pi-machine.md",
};

const struct tess_arm_engine *engine_load(const char *title)
{
    char path[PATH_MAX];
    struct program_kind kind = program_library("/proc/self/exe");
    if (!shim_find(&library, &kind, path, sizeof path)) {
        fprintf(stderr,
                "%s: the library libtessera-arm.so is missing, which executes ARM instructions; "
                "install libunicorn-dev and build again (docs/pi-machine.md)\n",
                title);
        return NULL;
    }
    void *loaded = dlopen(path, RTLD_NOW | RTLD_LOCAL);
    void *symbol = loaded ? dlsym(loaded, "tess_arm_unicorn") : NULL;
    if (!symbol) {
        fprintf(stderr, "%s: cannot load '%s': %s\n", title, path, dlerror());
        return NULL;
    }
    const struct tess_arm_engine *(*get)(void);
    *(void **)&get = symbol;
    return get();
}
