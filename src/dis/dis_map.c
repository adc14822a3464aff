/* SPDX-License-Identifier: MIT */
/* dis_map.c - distinguishes code from data, and names the targets of branches.
 *
 * In:       an image; ranges declared by the file and by the caller.
 * Out:      the content of every byte, and labels.
 * How:      1. Ranges declared by the caller take precedence over those of the file's
 *              mapping symbols.
 *           2. Raw, hex and C input begins with an instruction. Control flow is followed from the
 *              first instruction and from the targets of branches.
 *           3. In a scene, programs whose words are written as numbers are code (dis_written.c).
 *           4. Bytes that control flow does not reach are code if they look like code up to a
 *           program end or a branch. Otherwise, they are data. On instruction sets whose programs
 *           contain no data, all other bytes are code. */
#include "dis/dis_map.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/array.h"
#include "base/ascii.h"

enum { STEP_MAX = 1024 };

/* Slots whose control flow has not been followed yet. */
struct work {
    uint32_t *addresses;
    size_t count;
};

struct finder {
    struct dis_map *map;
    struct work work;
    bool no_memory;
};

/* Returns the index of the segment that contains address, or SIZE_MAX. */
static size_t segment_at(const struct code_image *image, uint32_t address)
{
    size_t next = ARRAY_BELOW(image->segments, image->segment_count, address,
                              address + UINT64_C(1));
    const struct code_segment *segment = next ? &image->segments[next - 1] : NULL;
    return segment && address - segment->address < segment->size ? next - 1 : SIZE_MAX;
}

/* --- given contents --- */

/* Returns the index of the first segment that ends after address. */
static size_t first_segment(const struct code_image *image, uint64_t address)
{
    size_t next = ARRAY_BELOW(image->segments, image->segment_count, address, address + 1);
    const struct code_segment *segment = next ? &image->segments[next - 1] : NULL;
    return segment && (uint64_t)segment->address + segment->size > address ? next - 1 : next;
}

static void set_range(struct dis_map *map, uint64_t start, uint64_t end, enum code_content content)
{
    for (size_t i = first_segment(map->image, start); i < map->image->segment_count; i++) {
        const struct code_segment *segment = &map->image->segments[i];
        uint64_t first = segment->address, last = first + segment->size;
        if (first >= end)
            return;
        first = first > start ? first : start;
        last = last < end ? last : end;
        if (first < last)
            memset(map->contents[i] + (first - segment->address), (int)content, last - first);
    }
}

static void take_ranges(struct dis_map *map, const struct tess_dis_options *options)
{
    for (size_t i = 0; i < map->image->range_count; i++) {
        const struct code_range *range = &map->image->ranges[i];
        set_range(map, range->address, (uint64_t)range->address + range->size, range->content);
    }
    for (size_t i = 0; i < options->range_count; i++)
        set_range(map, options->ranges[i].start, options->ranges[i].end,
                  options->ranges[i].data ? CODE_DATA : CODE_INSTRUCTIONS);
}

/* Gives all bytes of a slot the same kind. A slot with a data byte is data. Bytes outside of slots
 * are data. */
static void settle_slots(struct dis_map *map, size_t number)
{
    const struct code_segment *segment = &map->image->segments[number];
    uint8_t *contents = map->contents[number];
    size_t at = dis_first_slot(map, segment), size = map->isa->size;
    memset(contents, CODE_DATA, at < segment->size ? at : segment->size);
    for (; at + size <= segment->size; at += size) {
        uint8_t content = map->isa->only_code ? CODE_INSTRUCTIONS : CODE_UNKNOWN;
        for (size_t i = 0; i < size; i++)
            if (contents[at + i] > content)
                content = contents[at + i];
        memset(contents + at, content, size);
    }
    if (at < segment->size)
        memset(contents + at, CODE_DATA, segment->size - at);
}

/* --- control flow --- */

static void push(struct finder *finder, uint32_t address)
{
    struct work *work = &finder->work;
    if (ARRAY_GROW(work->addresses, work->count))
        work->addresses[work->count++] = address;
    else
        finder->no_memory = true;
}

size_t dis_piece_at(const struct dis_listing *listing, size_t offset)
{
    size_t at = ARRAY_BELOW(listing->pieces, listing->count, offset, offset);
    return at < listing->count && listing->pieces[at].offset == offset ? at : SIZE_MAX;
}

/* Returns true if a slot or a piece that may have a label begins at address. The last slot of a
 * segment may be truncated. Sets *number to the index of the segment, and *offset to the offset in
 * the segment. */
static bool slot_at(const struct dis_map *map, uint32_t address, size_t *number, size_t *offset)
{
    *number = segment_at(map->image, address);
    if (*number == SIZE_MAX)
        return false;
    const struct code_segment *segment = &map->image->segments[*number];
    size_t first = dis_first_slot(map, segment);
    *offset = address - segment->address;
    if (map->listings) {
        size_t piece = dis_piece_at(&map->listings[*number], *offset);
        return piece != SIZE_MAX && map->listings[*number].pieces[piece].labelled;
    }
    return *offset >= first && (*offset - first) % map->isa->size == 0;
}

static void push_target(struct finder *finder, size_t number, size_t offset)
{
    struct dis_insn insn = dis_map_insn(finder->map, number, offset);
    uint32_t target;
    if (finder->map->isa->target(&insn, &target))
        push(finder, target);
}

/* Marks the code that control flow reaches from a slot on. Stops at slots whose kind is already
 * known. */
static void follow(struct finder *finder, uint32_t start)
{
    const struct dis_isa *isa = finder->map->isa;
    size_t number, at, left = SIZE_MAX;
    if (!slot_at(finder->map, start, &number, &at))
        return;
    const struct code_segment *segment = &finder->map->image->segments[number];
    uint8_t *contents = finder->map->contents[number];
    for (; at + isa->size <= segment->size && left > 0 && contents[at] == CODE_UNKNOWN;
         at += isa->size) {
        struct dis_insn insn = dis_map_insn(finder->map, number, at);
        size_t more = isa->instructions_left(&insn);
        memset(contents + at, CODE_INSTRUCTIONS, isa->size);
        push_target(finder, number, at);
        left = left == SIZE_MAX ? more : left - 1;
    }
}

static void follow_all(struct finder *finder)
{
    while (finder->work.count && !finder->no_memory)
        follow(finder, finder->work.addresses[--finder->work.count]);
}

/* Adds the targets of branches in declared code. */
static void push_given(struct finder *finder, size_t number)
{
    const struct dis_map *map = finder->map;
    const struct code_segment *segment = &map->image->segments[number];
    size_t size = map->isa->size;
    for (size_t at = dis_first_slot(map, segment); at + size <= segment->size; at += size)
        if (map->contents[number][at] == CODE_INSTRUCTIONS)
            push_target(finder, number, at);
}

/* --- bytes that control flow does not reach --- */

struct run {
    size_t size, instructions, implausible;
    bool ends; /* true if the run ends with a program end or an unconditional branch */
};

/* Returns the run of slots of unknown kind that begins at offset at. The run ends at the end of a
 * program. In an ELF file, an implausible instruction also ends the run. */
static struct run find_run(const struct dis_map *map, size_t number, size_t at)
{
    const struct code_segment *segment = &map->image->segments[number];
    const struct dis_isa *isa = map->isa;
    struct run run = {0};
    size_t left = SIZE_MAX;
    for (; at + run.size + isa->size <= segment->size && left > 0;
         run.size += isa->size, run.instructions++) {
        if (map->contents[number][at + run.size] != CODE_UNKNOWN)
            break;
        struct dis_insn insn = dis_map_insn(map, number, at + run.size);
        bool implausible = isa->is_implausible(&insn);
        size_t more = implausible ? SIZE_MAX : isa->instructions_left(&insn);
        run.implausible += implausible;
        if (implausible && map->image->format == CODE_ELF)
            left = 1;
        left = left == SIZE_MAX ? more : left - 1;
        run.ends |= left != SIZE_MAX;
    }
    return run;
}

/* Returns true if a run looks like code. A scene's memory may contain any data, so its programs
 * must be complete. Other files contain mostly programs. */
static bool looks_like_code(const struct run *run, enum code_format format)
{
    if (format == CODE_ELF)
        return run->implausible == 0 && run->ends;
    return 2 * run->implausible < run->instructions;
}

static void guess(struct finder *finder, size_t number)
{
    struct dis_map *map = finder->map;
    const struct code_segment *segment = &map->image->segments[number];
    size_t size = map->isa->size;
    for (size_t at = dis_first_slot(map, segment); at + size <= segment->size;) {
        struct run run = find_run(map, number, at);
        if (run.size == 0) {
            at += size;
        } else if (looks_like_code(&run, map->image->format)) {
            push(finder, (uint32_t)(segment->address + at));
            follow_all(finder);
        } else {
            memset(map->contents[number] + at, CODE_DATA, run.size);
        }
        if (finder->no_memory)
            return;
    }
}

static void find_code(struct finder *finder)
{
    const struct code_image *image = finder->map->image;
    for (size_t i = 0; i < image->segment_count; i++) {
        const struct code_segment *segment = &image->segments[i];
        push_given(finder, i);
        if (image->format != CODE_ELF)
            push(finder, segment->address + (uint32_t)dis_first_slot(finder->map, segment));
    }
    follow_all(finder);
    for (size_t i = 0; i < image->segment_count && !finder->no_memory; i++)
        guess(finder, i);
}

static uint32_t find_start(const struct dis_map *map)
{
    for (size_t i = 0; i < map->image->segment_count; i++) {
        const struct code_segment *segment = &map->image->segments[i];
        const uint8_t *first = memchr(map->contents[i], CODE_INSTRUCTIONS, segment->size);
        if (first)
            return segment->address + (uint32_t)(first - map->contents[i]);
    }
    return 0;
}

static uint32_t find_end(const struct dis_map *map)
{
    for (size_t i = map->image->segment_count; i-- > 0;)
        for (size_t at = map->image->segments[i].size; at > 0; at--)
            if (map->contents[i][at - 1] == CODE_INSTRUCTIONS)
                return map->image->segments[i].address + (uint32_t)at;
    return 0;
}

struct dis_insn dis_map_insn(const struct dis_map *map, size_t number, size_t offset)
{
    const struct code_segment *segment = &map->image->segments[number];
    size_t first = dis_first_slot(map, segment), piece = SIZE_MAX;
    if (map->listings)
        piece = dis_piece_at(&map->listings[number], offset);
    return (struct dis_insn){
        .bytes = segment->bytes + offset,
        .size = piece != SIZE_MAX ? map->listings[number].pieces[piece].size : map->isa->size,
        .segment = number,
        .map = map,
        .address = segment->address + (uint32_t)offset,
        .slots = segment->bytes + first,
        .slots_size = segment->size - first,
        .start = map->start,
        .end = map->end,
    };
}

/* --- labels --- */

static bool add_label(struct dis_map *map, struct dis_label label)
{
    if (!ARRAY_GROW(map->labels, map->label_count)) {
        free(label.name);
        return false;
    }
    map->labels[map->label_count++] = label;
    return label.name != NULL;
}

/* Returns a symbol's name in a form that the assembler accepts as a label. Adds "_" before a name
 * that is a register or begins with a digit, and replaces other characters with "_". */
static char *label_name(const struct dis_map *map, const char *symbol)
{
    size_t length = strlen(symbol);
    length = length < DIS_NAME_MAX ? length : DIS_NAME_MAX;
    char *name = malloc(length + 2);
    if (!name)
        return NULL;
    bool prefix = !ascii_starts_name(symbol[0]);
    prefix |= map->isa->is_taken(symbol, length);
    size_t at = 0;
    if (prefix)
        name[at++] = '_';
    for (size_t i = 0; i < length; i++)
        name[at++] = ascii_in_name(symbol[i]) ? symbol[i] : '_';
    name[at] = 0;
    return name;
}

/* Returns true if address is in reserved memory, whose contents the file does not store. */
static bool is_reserved(const struct code_image *image, uint32_t address)
{
    size_t count = ARRAY_BELOW(image->reserves, image->reserve_count, address,
                               address + UINT64_C(1));
    return count && address - image->reserves[count - 1].address < image->reserves[count - 1].size;
}

/* Returns true if a label can be written at address. A label can be between instructions, between
 * bytes of data, in reserved memory, and directly after a segment or reserved memory. */
static bool can_have_label(const struct dis_map *map, uint32_t address)
{
    const struct code_image *image = map->image;
    size_t number = segment_at(image, address);
    if (number == SIZE_MAX)
        return is_reserved(image, address) ||
               (address > 0 &&
                (segment_at(image, address - 1) != SIZE_MAX || is_reserved(image, address - 1)));
    size_t offset = address - map->image->segments[number].address;
    return slot_at(map, address, &number, &offset) ||
           map->contents[number][offset] != CODE_INSTRUCTIONS;
}

static bool add_symbols(struct dis_map *map)
{
    for (size_t i = 0; i < map->image->symbol_count; i++) {
        const struct code_symbol *symbol = &map->image->symbols[i];
        struct dis_label label = {.name = label_name(map, symbol->name),
                                  .address = symbol->address,
                                  .global = symbol->global};
        if (!can_have_label(map, symbol->address))
            free(label.name);
        else if (!add_label(map, label))
            return false;
    }
    return true;
}

static char *generated_name(const struct dis_map *map, uint32_t address)
{
    char name[16];
    snprintf(name, sizeof name, "L_%04x", (unsigned)address);
    return label_name(map, name);
}

static bool add_target(struct dis_map *map, const struct dis_insn *insn)
{
    uint32_t target;
    size_t number, offset;
    if (!map->isa->target(insn, &target) || !slot_at(map, target, &number, &offset))
        return true;
    return add_label(map, (struct dis_label){.name = generated_name(map, target),
                                             .address = target,
                                             .generated = true});
}

static bool add_targets_of(struct dis_map *map, size_t number)
{
    const struct code_segment *segment = &map->image->segments[number];
    size_t size = map->isa->size;
    for (size_t at = dis_first_slot(map, segment); at + size <= segment->size;) {
        struct dis_insn insn = dis_map_insn(map, number, at);
        at += insn.size;
        bool code = map->contents[number][insn.address - segment->address] == CODE_INSTRUCTIONS;
        if (code && !add_target(map, &insn))
            return false;
    }
    return true;
}

static bool add_targets(struct dis_map *map)
{
    for (size_t i = 0; i < map->image->segment_count; i++)
        if (!add_targets_of(map, i))
            return false;
    return true;
}

static int compare_places(const void *one, const void *other)
{
    const struct dis_label *a = one, *b = other;
    if (a->constant != b->constant)
        return a->constant ? 1 : -1;
    if (a->address != b->address)
        return a->address < b->address ? -1 : 1;
    if (a->generated != b->generated)
        return a->generated ? 1 : -1;
    if (a->global != b->global)
        return a->global ? -1 : 1;
    return strcmp(a->name, b->name);
}

static int compare_names(const void *one, const void *other)
{
    const struct dis_label *a = one, *b = other;
    int order = strcmp(a->name, b->name);
    return order ? order : (a->address > b->address) - (a->address < b->address);
}

static void sort_labels(struct dis_map *map, int (*order)(const void *, const void *))
{
    if (map->label_count > 1)
        qsort(map->labels, map->label_count, sizeof *map->labels, order);
}

/* Drops a label if the preceding label has the same name (by_name), or if the label is generated
 * and the preceding label has the same address. */
static void drop_repeated(struct dis_map *map, bool by_name)
{
    size_t kept = 0;
    for (size_t i = 0; i < map->label_count; i++) {
        struct dis_label label = map->labels[i], *before = kept ? &map->labels[kept - 1] : NULL;
        bool repeats = before && (by_name ? strcmp(before->name, label.name) == 0
                                          : before->address == label.address && label.generated);
        if (repeats)
            free(label.name);
        else
            map->labels[kept++] = label;
    }
    map->label_count = kept;
}

/* If several labels have the same name, appends the address to each name except the first. Local
 * symbols of different source files may have the same name. */
static bool number_names(struct dis_map *map)
{
    sort_labels(map, compare_names);
    for (size_t i = map->label_count; i-- > 1;) {
        struct dis_label *label = &map->labels[i];
        if (strcmp(label->name, map->labels[i - 1].name) != 0)
            continue;
        size_t size = strlen(label->name) + 24;
        char *name = malloc(size);
        if (!name)
            return false;
        snprintf(name, size, "%s_%04x", label->name, (unsigned)label->address);
        free(label->name);
        label->name = name;
    }
    return true;
}

/* Adds the constants to the labels, because the names of constants and labels must all differ. */
static bool add_constants(struct dis_map *map)
{
    for (size_t i = 0; i < map->image->constant_count; i++) {
        const struct code_symbol *symbol = &map->image->constants[i];
        struct dis_label label = {.name = label_name(map, symbol->name),
                                  .address = symbol->address,
                                  .global = symbol->global,
                                  .constant = true};
        if (!add_label(map, label))
            return false;
    }
    return true;
}

static void part_constants(struct dis_map *map)
{
    size_t count = map->label_count;
    while (count && map->labels[count - 1].constant)
        count--;
    map->constants = map->labels ? map->labels + count : NULL;
    map->constant_count = map->label_count - count;
    map->label_count = count;
}

static bool find_labels(struct dis_map *map)
{
    if (!add_symbols(map) || !add_targets(map))
        return false;
    sort_labels(map, compare_places);
    drop_repeated(map, false);
    if (!add_constants(map) || !number_names(map))
        return false;
    sort_labels(map, compare_names);
    drop_repeated(map, true);
    sort_labels(map, compare_places);
    part_constants(map);
    return true;
}

size_t dis_map_label(const struct dis_map *map, uint32_t address)
{
    return ARRAY_BELOW(map->labels, map->label_count, address, address);
}

/* --- steps --- */

/* Returns true if a line is a step. Empty lines, comments and lines with characters that are not
 * printable are not steps. */
static bool is_step(const char *text, size_t length)
{
    size_t blanks = strspn(text, " \t"), printable = 0;
    while (printable < length && ((uint8_t)text[printable] >= ' ' || text[printable] == '\t'))
        printable++;
    return printable == length && blanks < length && text[blanks] != '#' && length < STEP_MAX;
}

static bool find_steps(struct dis_map *map)
{
    const char *text = map->image->steps;
    size_t lines = 0;
    for (const char *at = text; at && *at; at++)
        lines += *at == '\n' || !at[1];
    map->steps = lines ? calloc(lines, sizeof *map->steps) : NULL;
    for (size_t length; map->steps && *text; text += length, text += *text == '\n') {
        length = strcspn(text, "\n");
        if (is_step(text, length))
            map->steps[map->step_count++] = (struct dis_step){.text = text, .length = length};
    }
    return lines == 0 || map->steps;
}

/* --- whole map --- */

static bool allocate(struct dis_map *map)
{
    size_t count = map->image->segment_count;
    map->contents = calloc(count + 1, sizeof *map->contents);
    for (size_t i = 0; map->contents && i < count; i++) {
        map->contents[i] = calloc(map->image->segments[i].size, sizeof **map->contents);
        if (!map->contents[i])
            return false;
    }
    return map->contents != NULL;
}

static bool find_listings(struct dis_map *map)
{
    size_t count = map->image->segment_count;
    bool good = true;
    if (!map->isa->list)
        return true;
    map->listings = calloc(count + 1, sizeof *map->listings);
    for (size_t i = 0; map->listings && good && i < count; i++)
        good = map->isa->list(map, i);
    return good && map->listings;
}

enum tess_status dis_map(const struct code_image *image, const struct tess_dis_options *options,
                         struct dis_map *map)
{
    struct finder finder = {.map = map};
    *map = (struct dis_map){.image = image, .isa = dis_isa(options->machine), .options = options};
    if (!allocate(map))
        return TESS_NO_MEMORY;
    take_ranges(map, options);
    for (size_t i = 0; i < image->segment_count; i++)
        settle_slots(map, i);
    if (!dis_written_find(map))
        return TESS_NO_MEMORY;
    if (!map->isa->only_code)
        find_code(&finder);
    free(finder.work.addresses);
    if (!find_listings(map))
        return TESS_NO_MEMORY;
    map->start = find_start(map);
    map->end = find_end(map);
    bool good = !finder.no_memory && find_labels(map) && find_steps(map) &&
                (!map->isa->find_directives || map->isa->find_directives(map));
    return good ? TESS_OK : TESS_NO_MEMORY;
}

void dis_map_free(struct dis_map *map)
{
    for (size_t i = 0; map->contents && i < map->image->segment_count; i++)
        free(map->contents[i]);
    for (size_t i = 0; map->listings && i < map->image->segment_count; i++) {
        free(map->listings[i].pieces);
        free(map->listings[i].order);
        free(map->listings[i].view);
    }
    free(map->listings);
    for (size_t i = 0; i < map->label_count + map->constant_count; i++)
        free(map->labels[i].name);
    for (size_t i = 0; i < map->step_count; i++)
        free(map->steps[i].directive);
    free(map->step_index);
    free(map->steps);
    free(map->contents);
    free(map->labels);
    *map = (struct dis_map){0};
}
