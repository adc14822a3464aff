/* SPDX-License-Identifier: MIT */
/* names.c - see names.h. */
#include "front/names.h"

#include <inttypes.h>
#include <string.h>

bool names_address(const struct address_names *names, uint32_t address, struct address_name *name)
{
    struct tess_scene_place place;
    *name = (struct address_name){0};
    if (!(names->scene && tess_scene_nearest(names->scene, address, &place)) &&
        !(names->place && names->place(address, &place)))
        return false;
    *name = (struct address_name){
        .symbol = place.name, .offset = place.offset, .past_end = place.past_end};
    return true;
}

static bool find_source(const struct address_names *names, uint32_t address, const uint64_t *word,
                        struct tess_source_place *place)
{
    if (!names->sources)
        return false;
    return names->fixed ? tess_sources_at(names->sources, address, word, place)
                        : tess_sources_find(names->sources, address, names->memory, place);
}

/* The last part of a path. */
static const char *base_name(const char *path)
{
    const char *slash = strrchr(path, '/');
    return slash ? slash + 1 : path;
}

bool names_instruction(const struct address_names *names, uint32_t address, const uint64_t *word,
                       struct address_name *name)
{
    struct tess_source_place place;
    bool known = names_address(names, address, name);
    if (!find_source(names, address, word, &place))
        return known;
    name->file = place.file;
    name->line = place.line;
    if (known)
        return true;
    name->symbol = place.symbol || place.file ? place.symbol : base_name(place.path);
    name->offset = place.offset;
    return true;
}

void names_forget(const struct address_names *names)
{
    tess_sources_forget(names->sources);
}

void names_shorten(struct address_name *name)
{
    if (name->file)
        name->file = base_name(name->file);
}

void names_text(char *text, size_t size, const struct address_name *name)
{
    char offset[24] = "", line[24] = "";
    if (name->symbol && name->offset)
        snprintf(offset, sizeof offset, "+0x%" PRIx32, name->offset);
    if (name->line)
        snprintf(line, sizeof line, ":%" PRIu32, name->line);
    snprintf(text, size, "%s%s%s%s%s%s", name->symbol ? name->symbol : "", offset,
             name->past_end ? ", past its end" : "", name->symbol && name->file ? ", " : "",
             name->file ? name->file : "", name->file ? line : "");
}
