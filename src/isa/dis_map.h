/* SPDX-License-Identifier: MIT */
/* dis_map.h - what each byte of an image is, and which addresses have names: what the disassembler knows before it
 * writes. */
#ifndef ISA_DIS_MAP_H
#define ISA_DIS_MAP_H

#include <tessera/isa.h>

#include "isa/code.h"
#include "isa/dis_isa.h"

struct dis_label {
    char *name; /* belongs to the map */
    uint32_t address;
    bool global, generated, constant;
    bool directive; /* of a constant: a step's directive defines it */
};

/* A line of a scene's steps. */
struct dis_step {
    const char *text; /* in the image; no NUL behind it */
    size_t length;
    char *directive; /* the instruction set's directive that gives it; NULL: ".scene" does */
};

struct dis_map {
    const struct code_image *image;
    const struct dis_isa *isa;
    const struct tess_dis_options *options;
    struct dis_listing *listings; /* of each segment; NULL: slot by slot */
    uint8_t **contents;  /* for each segment, enum code_content of each byte; slots are one thing */
    uint32_t start, end; /* of the code: the first instruction of all, and behind the last one */
    struct dis_label *labels; /* sorted by address */
    size_t label_count;
    struct dis_label *constants; /* behind the labels; address is the value */
    size_t constant_count;
    struct dis_step *steps; /* in order; without comments, and what is no text from end to end */
    size_t step_count;
    /* What the instruction set finds them by; made by find_directives(), freed with the map. */
    void *step_index;
};

/* Finds out; the machine of the options must have a disassembler. *map must be freed in any case. Errors:
 * TESS_NO_MEMORY. */
enum tess_status dis_map(const struct code_image *image, const struct tess_dis_options *options,
                         struct dis_map *map);
void dis_map_free(struct dis_map *map);

/* The number of the first label at or behind an address. */
size_t dis_map_label(const struct dis_map *map, uint32_t address);

/* The first byte of a segment that an instruction may start at. */
static inline size_t dis_first_slot(const struct dis_map *map, const struct code_segment *segment)
{
    return -segment->address & (map->isa->alignment - 1);
}

/* The number of the piece of a listing that begins at an offset; SIZE_MAX if none does. */
size_t dis_piece_at(const struct dis_listing *listing, size_t offset);

/* The instruction at an offset of segment number, without labels. */
struct dis_insn dis_map_insn(const struct dis_map *map, size_t number, size_t offset);

#endif
