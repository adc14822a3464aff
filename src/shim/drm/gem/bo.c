/* SPDX-License-Identifier: MIT */
/* bo.c - see bo.h.
 *
 * In:  sizes; files of other processes.
 * Out: buffer objects.
 *
 * Source: Linux, drivers/gpu/drm/vc4/vc4_bo.c, drivers/gpu/drm/drm_vma_manager.c (offsets). */
#include "shim/drm/gem/bo.h"

#include <ctype.h>
#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "shim/drm/driver.h"

/* First mmap() offset of buffer objects, as in drm_vma_manager.h. It depends on the size of a long,
 * because the offset has to fit in a long. */
#define FIRST_OFFSET (sizeof(long) == 8 ? UINT64_C(1) << 32 : UINT64_C(1) << 28)

static struct {
    struct bo *first, *last;
    uint32_t number; /* number of the newest buffer object */
} all;

static void enter(struct bo *bo)
{
    bo->number = ++all.number;
    bo->previous = all.last;
    if (all.last)
        all.last->next = bo;
    else
        all.first = bo;
    all.last = bo;
}

static void leave(struct bo *bo)
{
    if (bo->previous)
        bo->previous->next = bo->next;
    else
        all.first = bo->next;
    if (bo->next)
        bo->next->previous = bo->previous;
    else
        all.last = bo->previous;
}

/* --- purging --- */

static bool may_purge(const struct bo *bo)
{
    return bo->purgeable && !bo->purged && !bo->shared;
}

/* Frees the memory of all purgeable buffer objects. Returns false if no object was purgeable. */
static bool purge_all(void)
{
    bool found = false;
    for (struct bo *bo = all.first; bo; bo = bo->next) {
        if (!may_purge(bo))
            continue;
        memory_give_back(&bo->memory);
        bo->purged = found = true;
    }
    return found;
}

void bo_set_purgeable(struct bo *bo, bool purgeable)
{
    if (!bo->purged)
        bo->purgeable = purgeable;
}

/* --- creation and release --- */

int bo_create(struct bo **out, uint64_t size)
{
    *out = NULL;
    struct bo *bo = calloc(1, sizeof *bo);
    if (!bo)
        return ENOMEM;
    int error = memory_take(&bo->memory, size);
    if (error == ENOMEM && purge_all())
        error = memory_take(&bo->memory, size);
    if (error) {
        free(bo);
        return error;
    }
    bo->size = bo->memory.size;
    bo->references = 1;
    enter(bo);
    *out = bo;
    return 0;
}

static struct bo *find(int fd)
{
    uint64_t device, inode;
    if (!memory_identify(fd, &device, &inode))
        return NULL;
    for (struct bo *bo = all.first; bo; bo = bo->next)
        if (bo->memory.fd >= 0 && bo->memory.inode == inode && bo->memory.device == device)
            return bo;
    return NULL;
}

int bo_import(struct bo **out, int fd)
{
    *out = NULL;
    struct bo *bo = find(fd);
    if (bo) {
        *out = bo_take(bo);
        return 0;
    }
    bo = calloc(1, sizeof *bo);
    if (!bo)
        return ENOMEM;
    int error = memory_import(&bo->memory, fd);
    if (error) {
        free(bo);
        return error;
    }
    bo->size = bo->memory.size;
    bo->references = 1;
    bo->shared = bo->imported = true;
    enter(bo);
    *out = bo;
    return 0;
}

struct bo *bo_take(struct bo *bo)
{
    bo->references++;
    return bo;
}

void bo_release(struct bo *bo)
{
    if (!bo || --bo->references > 0)
        return;
    leave(bo);
    if (bo->data)
        drm_driver()->free_data(bo->data);
    if (!bo->purged)
        memory_give_back(&bo->memory);
    free(bo->label);
    free(bo);
}

/* --- lookup --- */

bool bo_is_tiled(const struct bo *bo)
{
    bool marked;
    return memory_get_mark(&bo->memory, &marked) ? marked : bo->tiled;
}

void bo_set_tiled(struct bo *bo, bool tiled)
{
    if (tiled != bo_is_tiled(bo))
        memory_set_mark(&bo->memory, tiled);
    bo->tiled = tiled;
}

uint64_t bo_offset(const struct bo *bo)
{
    return FIRST_OFFSET + bo->memory.address;
}

struct bo *bo_of_offset(uint64_t offset)
{
    for (struct bo *bo = all.first; bo; bo = bo->next)
        if (!bo->purged && bo_offset(bo) == offset)
            return bo;
    return NULL;
}

struct bo *bo_first(void)
{
    return all.first;
}

struct bo *bo_at(uint32_t address)
{
    for (struct bo *bo = all.first; bo; bo = bo->next)
        if (!bo->purged && address - bo->memory.address < bo->memory.size)
            return bo;
    return NULL;
}

/* --- names for messages --- */

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
