/* SPDX-License-Identifier: MIT */
/* dis_written.c - finds programs of a scene whose words are written as numbers. The file declares
 * such words as data. */
#include <stdlib.h>
#include <string.h>

#include "base/array.h"
#include "check/frame/check.h"
#include "check/frame/check_scene.h"
#include "check/frame/check_written.h"
#include "dis/dis_map.h"

struct finder {
    struct dis_map *map;
    uint32_t *programs;
    size_t count;
    bool no_memory;
};

/* Returns the segment that contains an address, and sets *offset to the offset in the segment.
 * Returns NULL if no segment contains the address. */
static const struct code_segment *segment_of(const struct code_image *image, uint32_t address,
                                             uint32_t *offset)
{
    for (size_t i = 0; i < image->segment_count; i++) {
        /* Bits 31:30 of an address select caching, not memory. */
        *offset = (address - image->segments[i].address) & UINT32_C(0x3fffffff);
        if (*offset < image->segments[i].size)
            return &image->segments[i];
    }
    return NULL;
}

static const uint8_t *scene_memory(void *user, uint32_t address, size_t *left)
{
    const struct finder *finder = user;
    uint32_t offset;
    const struct code_segment *segment = segment_of(finder->map->image, address, &offset);
    *left = segment ? segment->size - offset : 0;
    return segment ? segment->bytes + offset : NULL;
}

static bool find_symbol(const struct code_symbol *symbols, size_t count, const char *name,
                        uint32_t *address)
{
    for (size_t i = 0; i < count; i++) {
        if (symbols[i].name && strcmp(symbols[i].name, name) == 0) {
            *address = symbols[i].address;
            return true;
        }
    }
    return false;
}

static bool scene_symbol(void *user, const char *name, uint32_t *address)
{
    const struct code_image *image = ((const struct finder *)user)->map->image;
    return find_symbol(image->symbols, image->symbol_count, name, address) ||
           find_symbol(image->constants, image->constant_count, name, address);
}

static void scene_program(void *user, const struct check_entry *entry)
{
    struct finder *finder = user;
    uint32_t offset;
    const struct code_segment *segment = segment_of(finder->map->image, entry->address, &offset);
    if (segment && !ARRAY_GROW(finder->programs, finder->count))
        finder->no_memory = true;
    else if (segment)
        finder->programs[finder->count++] = segment->address + offset;
}

/* The disassembler does not report errors in the scene. */
static void scene_found(void *user, enum check_rule rule, uint32_t address, const char *text)
{
    (void)user;
    (void)rule;
    (void)address;
    (void)text;
}

static void find_programs(struct finder *finder)
{
    const char *steps = finder->map->image->steps;
    const struct check_scene scene = {.text = steps ? steps : "",
                                      .size = steps ? strlen(steps) : 0,
                                      .memory = scene_memory,
                                      .symbol = scene_symbol,
                                      .program = scene_program,
                                      .found = scene_found,
                                      .user = finder};
    check_scene_read(&scene);
}

/* --- a segment --- */

static bool called_data(const struct dis_map *map, uint32_t address)
{
    bool data = false;
    for (size_t i = 0; i < map->options->range_count; i++) {
        const struct tess_dis_range *range = &map->options->ranges[i];
        if (address >= range->start && (address < range->end || range->end == 0))
            data = range->data;
    }
    return data;
}

static bool follow(const struct finder *finder, const struct check_written *written)
{
    const struct code_image *image = finder->map->image;
    bool good = true;
    for (size_t i = 0; i < finder->count && good; i++)
        good = check_written_follow(written, finder->programs[i]);
    for (size_t i = 0; i < image->symbol_count && good; i++) {
        uint32_t address = image->symbols[i].address;
        if (!check_written_is_data(written, address) ||
            check_written_begins(written, address, SIZE_MAX))
            good = check_written_follow(written, address);
    }
    return good;
}

static bool find_in(const struct finder *finder, size_t number)
{
    const struct dis_map *map = finder->map;
    const struct code_segment *segment = &map->image->segments[number];
    size_t first = dis_first_slot(map, segment), size = map->isa->size;
    size_t count = segment->size > first ? (segment->size - first) / size : 0;
    uint8_t *contents = map->contents[number] + first, *words = calloc(count + 1, 1),
            *seen = calloc(count + 1, 1);
    const struct check_written written = {map->options->machine,
                                          segment->address + (uint32_t)first,
                                          segment->bytes + first,
                                          count,
                                          words,
                                          seen};
    for (size_t i = 0; words && seen && i < count; i++) {
        bool open = contents[i * size] == CODE_DATA &&
                    !called_data(map, written.base + (uint32_t)(i * size));
        words[i] = contents[i * size] == CODE_INSTRUCTIONS ? CHECK_CODE
                   : open                                  ? CHECK_DATA
                                                           : CHECK_UNSURE;
    }
    if (words && seen)
        check_find_written_as_data(check_machine(written.machine), written.words, words, count);
    bool good = words && seen && follow(finder, &written);
    for (size_t i = 0; good && i < count; i++)
        if (words[i] == CHECK_CODE)
            memset(contents + i * size, CODE_INSTRUCTIONS, size);
    free(words);
    free(seen);
    return good;
}

bool dis_written_find(struct dis_map *map)
{
    struct finder finder = {.map = map};
    if (map->image->format != CODE_ELF || map->isa->only_code)
        return true;
    find_programs(&finder);
    bool good = !finder.no_memory;
    for (size_t i = 0; i < map->image->segment_count && good; i++)
        good = find_in(&finder, i);
    free(finder.programs);
    return good;
}
