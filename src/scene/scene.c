/* SPDX-License-Identifier: MIT */
/* scene.c - loads a scene, which consists of memory regions, symbols and steps. See
 * tessera/scene.h and docs/scene.md. */
#include "base/array.h"
#include "scene/scene_private.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "base/diag.h"
#include "base/file.h"
#include "scene/hang.h"
#include "scene/steps.h"

/* --- memory --- */

static enum tess_status build_regions(struct tess_scene *scene)
{
    scene->regions = calloc(scene->elf.segment_count, sizeof *scene->regions);
    if (!scene->regions)
        return TESS_NO_MEMORY;
    for (uint32_t i = 0; i < scene->elf.segment_count; i++) {
        const struct elf_segment *segment = &scene->elf.segments[i];
        struct scene_region *last = scene->region_count ? &scene->regions[scene->region_count - 1]
                                                        : NULL;
        if (last && last->base + last->size == segment->base)
            last->size += segment->size;
        else
            scene->regions[scene->region_count++] = (struct scene_region){segment->base,
                                                                          segment->size};
    }
    return TESS_OK;
}

const struct scene_region *scene_region_at(const struct tess_scene *scene, uint32_t address)
{
    uint32_t at = address & ELF_ADDRESS_MASK, low = 0, high = scene->region_count;
    while (low < high) {
        uint32_t middle = low + (high - low) / 2;
        const struct scene_region *region = &scene->regions[middle];
        if (at < region->base)
            high = middle;
        else if (at - region->base >= region->size)
            low = middle + 1;
        else
            return region;
    }
    return NULL;
}

/* --- symbols --- */

static int compare_names(const void *left, const void *right)
{
    const struct elf_symbol *a = left, *b = right;
    int order = strcmp(a->name, b->name);
    return order ? order : (a->order > b->order) - (a->order < b->order);
}

static int compare_addresses(const void *left, const void *right)
{
    const struct elf_symbol *a = left, *b = right;
    if (a->value != b->value)
        return a->value > b->value ? 1 : -1;
    return (a->order > b->order) - (a->order < b->order);
}

/* Sorts elf.symbols by name, and copies the symbols of mapped memory to by_address, sorted by
 * address. */
static enum tess_status build_symbols(struct tess_scene *scene)
{
    const struct elf *elf = &scene->elf;
    if (elf->symbol_count == 0)
        return TESS_OK;
    qsort(elf->symbols, elf->symbol_count, sizeof *elf->symbols, compare_names);
    scene->by_address = calloc(elf->symbol_count, sizeof *scene->by_address);
    if (!scene->by_address)
        return TESS_NO_MEMORY;
    for (uint32_t i = 0; i < elf->symbol_count; i++) {
        struct elf_symbol symbol = elf->symbols[i];
        symbol.value &= ELF_ADDRESS_MASK;
        if (!symbol.constant && scene_region_at(scene, symbol.value))
            scene->by_address[scene->by_address_count++] = symbol;
    }
    qsort(scene->by_address, scene->by_address_count, sizeof *scene->by_address, compare_addresses);
    return TESS_OK;
}

/* Returns the last symbol at or before an address, or NULL if there is no such symbol. */
static const struct elf_symbol *symbol_before(const struct tess_scene *scene, uint32_t at)
{
    size_t next = ARRAY_BELOW(scene->by_address, scene->by_address_count, value, at + UINT64_C(1));
    return next ? &scene->by_address[next - 1] : NULL;
}

const char *tess_scene_symbol(const struct tess_scene *scene, uint32_t address, uint32_t *offset)
{
    const struct scene_region *region = scene_region_at(scene, address);
    uint32_t at = address & ELF_ADDRESS_MASK;
    const struct elf_symbol *symbol = symbol_before(scene, at);
    if (!region || !symbol || symbol->value < region->base)
        return NULL;
    *offset = at - symbol->value;
    return symbol->name;
}

bool tess_scene_nearest(const struct tess_scene *scene, uint32_t address,
                        struct tess_scene_place *place)
{
    uint32_t at = address & ELF_ADDRESS_MASK;
    const struct elf_symbol *symbol = symbol_before(scene, at);
    if (!symbol)
        return false;
    const struct scene_region *region = scene_region_at(scene, symbol->value);
    uint32_t offset = at - symbol->value;
    bool unmapped = at - region->base >= region->size;
    *place = (struct tess_scene_place){.name = symbol->name,
                                       .offset = offset,
                                       .past_end = unmapped ||
                                                   (symbol->size && offset >= symbol->size)};
    return true;
}

/* --- loading --- */

static char *join(const char *left, const char *right)
{
    size_t left_size = strlen(left), right_size = strlen(right) + 1;
    char *text = malloc(left_size + right_size);
    if (text) {
        memcpy(text, left, left_size);
        memcpy(text + left_size, right, right_size);
    }
    return text;
}

static enum tess_status build(struct tess_scene *scene, struct tess_sink sink)
{
    enum tess_status status = hang_is(&scene->file)
                                  ? hang_read(scene, sink)
                                  : elf_read(&scene->elf, &scene->file, scene->name, sink);
    if (status == TESS_OK)
        status = build_regions(scene);
    if (status == TESS_OK)
        status = build_symbols(scene);
    if (status == TESS_OK)
        status = steps_parse(scene, sink);
    return status;
}

/* Loads the scene. Takes ownership of file, even if an error occurs. */
static enum tess_status load(struct tess_scene **out, struct buffer file, const char *name,
                             struct tess_sink sink)
{
    struct tess_scene *scene = calloc(1, sizeof *scene);
    if (!scene) {
        buffer_free(&file);
        return TESS_NO_MEMORY;
    }
    scene->file = file;
    scene->name = join(name, "");
    scene->text_name = join(name, ":.tessera");
    enum tess_status status = scene->name && scene->text_name ? build(scene, sink) : TESS_NO_MEMORY;
    if (status == TESS_OK)
        *out = scene;
    else
        tess_scene_free(scene);
    return status;
}

enum tess_status tess_scene_load(struct tess_scene **out, const char *path, struct tess_sink sink)
{
    *out = NULL;
    struct buffer file;
    const char *name = strcmp(path, "-") == 0 ? "<stdin>" : path;
    enum tess_status status = file_read(path, &file);
    if (status == TESS_IO) {
        struct tess_finding diag = {.level = TESS_ERROR, .id = "io", .file = name};
        diag_report(sink, &diag, "cannot read the scene: %s", strerror(errno));
    }
    return status == TESS_OK ? load(out, file, name, sink) : status;
}

enum tess_status tess_scene_load_memory(struct tess_scene **out, const void *bytes, size_t size,
                                        const char *name, struct tess_sink sink)
{
    *out = NULL;
    struct buffer file = {0};
    buffer_append(&file, bytes, size);
    if (file.failed)
        return TESS_NO_MEMORY;
    return load(out, file, name, sink);
}

void tess_scene_free(struct tess_scene *scene)
{
    if (!scene)
        return;
    for (uint32_t i = 0; i < scene->step_count; i++)
        free(scene->steps[i].file);
    free(scene->steps);
    free(scene->by_address);
    free(scene->regions);
    elf_free(&scene->elf);
    hang_free(scene->hang);
    buffer_free(&scene->file);
    free(scene->text_name);
    free(scene->name);
    free(scene);
}
