/* SPDX-License-Identifier: MIT */
/* dis_map.h - analysis of an image before the image is printed: finds the kind of each byte (code
 * or data) and the label of each address. */
#ifndef DIS_DIS_MAP_H
#define DIS_DIS_MAP_H

#include <tessera/isa.h>

#include "code/code.h"
#include "isa/dis_isa.h"

struct a2xx_insn;
struct gp_insn;
struct text;

struct dis_label {
    char *name; /* owned by the map */
    uint32_t address;
    bool global, generated, constant;
    bool directive; /* for a constant: true if the directive of a step defines the constant */
};

/* A line of a scene's steps. */
struct dis_step {
    const char *text; /* points into the image; not terminated by NUL */
    size_t length;
    char *directive; /* the instruction set's directive for the step, or NULL if the step is written
                      * as ".scene" */
};

struct dis_map {
    const struct code_image *image;
    const struct dis_isa *isa;
    const struct tess_dis_options *options;
    struct dis_listing *listings; /* one listing for each segment, or NULL if segments are printed
                                   * slot by slot */
    uint8_t **contents;           /* for each segment, an enum code_content for each byte; the bytes
                                   * of a slot have equal values */
    uint32_t start, end; /* address of the first instruction in the file, and address after the last
                          * instruction */
    struct dis_label *labels; /* sorted by address */
    size_t label_count;
    struct dis_label *constants; /* stored in the same array after the labels; the field address has
                                  * the value */
    size_t constant_count;
    struct dis_step *steps; /* in the order of the scene, without comments and without lines that
                             * are not printable */
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

/* Returns the offset of a segment's first slot, which is the first aligned address in the
 * segment. */
static inline size_t dis_first_slot(const struct dis_map *map, const struct code_segment *segment)
{
    return -segment->address & (map->isa->alignment - 1);
}

/* Returns the index of the piece of a listing that begins at an offset, or SIZE_MAX if no piece
 * begins there. */
size_t dis_piece_at(const struct dis_listing *listing, size_t offset);

/* Returns the instruction at an offset of segment number, without labels. */
struct dis_insn dis_map_insn(const struct dis_map *map, size_t number, size_t offset);

/* dis_written.c: marks data as code at the programs that the scene's steps and shader records name,
 * and at symbols whose data look like a program. Ranges that the caller declares as data are
 * unchanged. Returns false if the host is out of memory. */
bool dis_written_find(struct dis_map *map);

/* gp_dis_steps.c and a2xx_dis_steps.c: find the directives or headers that assemble to the lines of
 * the interface in map->steps, and the constants that they define. Return false if the host is out
 * of memory. */
bool gp_find_directives(struct dis_map *map);
bool a2xx_find_directives(struct dis_map *map);

/* Append a line such as "- row 5 is mvp + 1" for each part of the instruction that has a name:
 * attributes, rows and varyings; constants, exports, texture constants and results of vertex
 * fetches. */
void gp_put_names(struct text *text, const struct dis_map *map, const struct gp_insn *insn);
void a2xx_put_names(struct text *text, const struct dis_map *map, const struct a2xx_insn *insn);

#endif
