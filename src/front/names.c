/* SPDX-License-Identifier: MIT */
/* names.c - see names.h. */
#include "front/names.h"

#include <inttypes.h>
#include <string.h>

#include <unistd.h>

#include "base/json.h"

enum { FOLDER_BYTES = 4096 };

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

/* If a path is below the folder in which the process started, returns the path relative to that
 * folder. */
static const char *short_path(const char *path)
{
    static char folder[FOLDER_BYTES];
    static size_t length;
    if (!path || path[0] != '/')
        return path;
    if (!folder[0] && !getcwd(folder, sizeof folder))
        return path;
    length = length ? length : strlen(folder);
    bool below = strncmp(path, folder, length) == 0 && path[length] == '/';
    return below ? path + length + 1 : path;
}

static bool find_source(const struct address_names *names, uint32_t address, const uint64_t *word,
                        struct tess_source_place *place)
{
    if (!names->sources)
        return false;
    return names->fixed ? tess_sources_at(names->sources, address, word, place)
                        : tess_sources_find(names->sources, address, names->memory, place);
}

/* Returns the last part of a path. */
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
    name->file = short_path(place.file);
    name->line = place.line;
    name->column = place.column;
    if (known)
        return true;
    name->symbol = place.symbol || place.file ? place.symbol : base_name(place.path);
    name->offset = place.offset;
    return true;
}

/* Looks up the source line of bytes that are not code, such as a control record. Works
 * only if the addresses in the sources (.org) are the addresses in memory (names->fixed). */
static bool find_data(const struct address_names *names, uint32_t address,
                      struct address_name *name)
{
    struct tess_source_place place;
    if (!names->fixed || !names->sources ||
        !tess_sources_at(names->sources, address, NULL, &place) || !place.file)
        return false;
    *name = (struct address_name){
        .file = short_path(place.file), .line = place.line, .column = place.column};
    return true;
}

bool names_place(const struct address_names *names, const struct tess_place *place,
                 struct address_name *name)
{
    bool fetched = place->known & TESS_PLACE_INSTRUCTION;
    *name = (struct address_name){0};
    if (place->known & TESS_PLACE_SHADER &&
        names_instruction(names, place->pc, fetched ? &place->instruction : NULL, name) &&
        name->file)
        return true;
    if (place->known & TESS_PLACE_SHADER && names_instruction(names, place->shader, NULL, name) &&
        name->file) /* the program counter is outside of known code, because the program has jumped
                     * out of its code */
        return true;
    if (place->known & TESS_PLACE_LIST && find_data(names, place->list_address, name))
        return true;
    if (place->known & TESS_PLACE_DRAW && find_data(names, place->draw, name))
        return true;
    bool data = place->known & TESS_PLACE_ADDRESS && find_data(names, place->address, name);
    if (!data)
        *name = (struct address_name){0};
    return data;
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

static void put_key(struct json *json, const char *prefix, const char *key)
{
    char text[40];
    snprintf(text, sizeof text, "%s%s", prefix, key);
    json_key(json, text);
}

void names_json(struct json *json, const char *prefix, const struct address_name *name)
{
    if (name->symbol) {
        put_key(json, prefix, "symbol");
        json_string(json, name->symbol);
        put_key(json, prefix, "offset");
        json_uint(json, name->offset);
    }
    if (name->past_end && prefix[0]) {
        put_key(json, prefix, "past_end");
        json_boolean(json, true);
    }
    if (name->file) {
        put_key(json, prefix, "file");
        json_string(json, name->file);
        put_key(json, prefix, "line");
        json_uint(json, name->line);
    }
}
