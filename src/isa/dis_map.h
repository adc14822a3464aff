/* SPDX-License-Identifier: MIT */
/* dis_map.h - analysis of an image before it is printed: content of each byte, and
 * names of addresses. */
#ifndef ISA_DIS_MAP_H
#define ISA_DIS_MAP_H

#include <tessera/isa.h>

#include "isa/code.h"
#include "isa/dis_isa.h"

struct dis_label {
    char *name; /* owned by the map */
    uint32_t address;
    bool global, generated, constant;
    bool directive; /* for a constant: a step's directive defines it */
};

/* A line of a scene's steps. */
struct dis_step {
    const char *text; /* in the image; not terminated by NUL */
    size_t length;
    char *directive; /* the instruction set's directive for the step, or NULL for ".scene" */
};

struct dis_map {
    const struct code_image *image;
    const struct dis_isa *isa;
    const struct tess_dis_options *options;
    struct dis_listing *listings; /* of each segment, or NULL if segments are printed slot by
                                   * slot */
    uint8_t **contents;           /* for each segment, enum code_content of each byte; all bytes of
                          * a slot are equal */
    uint32_t start, end; /* address of the first instruction in the file, and past the last one */
    struct dis_label *labels; /* sorted by address */
    size_t label_count;
    struct dis_label *constants; /* stored after the labels; address is the value */
    size_t constant_count;
    struct dis_step *steps; /* in order; without comments and lines that are not printable */
    size_t step_count;
    /* Index of the steps for the instruction set. Built by find_directives(), freed with the
     * map. */
    void *step_index;
};

/* Analyses an image. The machine of the options must have a disassembler. *map must be freed in
 * every case. Returns TESS_OK or TESS_NO_MEMORY. */
enum tess_status dis_map(const struct code_image *image, const struct tess_dis_options *options,
                         struct dis_map *map);
void dis_map_free(struct dis_map *map);

/* Returns the index of the first label at or after an address. */
size_t dis_map_label(const struct dis_map *map, uint32_t address);

/* Returns the offset of the first byte of a segment at which an instruction may start. */
static inline size_t dis_first_slot(const struct dis_map *map, const struct code_segment *segment)
{
    return -segment->address & (map->isa->alignment - 1);
}

/* Returns the index of the piece of a listing that begins at an offset, or SIZE_MAX if none
 * does. */
size_t dis_piece_at(const struct dis_listing *listing, size_t offset);

/* Returns the instruction at an offset of segment number, without labels. */
struct dis_insn dis_map_insn(const struct dis_map *map, size_t number, size_t offset);

#endif
