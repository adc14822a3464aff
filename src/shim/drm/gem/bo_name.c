/* SPDX-License-Identifier: MIT */
/* bo_name.c - see bo_name.h. */
#include "shim/drm/gem/bo_name.h"

#include <ctype.h>
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

/* Copies a label as one word: "tiling texture 64x64" becomes "tiling_texture_64x64". */
static void copy_label(char name[BO_NAME_BYTES], const char *label)
{
    size_t size = 0;
    for (; label[size] && size < BO_NAME_BYTES - 1; size++) {
        const bool is_plain = isalnum((unsigned char)label[size]) || strchr("._-@/:", label[size]);
        name[size] = is_plain ? label[size] : '_';
    }
    name[size] = 0;
}

void bo_name(const struct bo *bo, char name[BO_NAME_BYTES])
{
    if (bo->label && *bo->label)
        copy_label(name, bo->label);
    else
        snprintf(name, BO_NAME_BYTES, "%s%" PRIu32, bo->is_shader ? "shader" : "bo", bo->number);
}

bool bo_name_place(uint32_t address, struct tess_scene_place *place)
{
    enum { NAMES = 4 };
    static char names[NAMES][BO_NAME_BYTES];
    static unsigned next;
    const struct bo *bo = bo_at(address);
    if (!bo)
        return false;
    char *name = names[next++ % NAMES];
    bo_name(bo, name);
    *place = (struct tess_scene_place){.name = name, .offset = address - bo->memory.address};
    return true;
}
