/* SPDX-License-Identifier: MIT */
/* dis_isa.h - an instruction set as the disassembler of whole files takes it.
 *
 * In:  an instruction where it lies.
 * Out: its line, its account, its members in JSON; and what tells code from data.
 * A new instruction set fills a struct dis_isa and gets a row in dis_isa.c; dis.c and dis_map.c know nothing else. */
#ifndef ISA_DIS_ISA_H
#define ISA_DIS_ISA_H

#include <tessera/isa.h>

#include "base/buffer.h"
#include "base/json.h"

/* Labels are not longer, but for a number behind the name; lines are shorter. */
enum { DIS_NAME_MAX = 100, DIS_LINE_MAX = 2048 };

struct dis_map;

/* A part of a segment that is one instruction. */
struct dis_piece {
    uint32_t offset, size;
    bool labelled; /* a label can stand before it */
};

/* How a segment's instructions are listed that are not of one size, or not in the order of their addresses. */
struct dis_listing {
    struct dis_piece
        *pieces; /* in the order of their offsets, without gaps, from the segment's first slot on */
    size_t *order; /* numbers of pieces, in the order of the text */
    size_t count;
    void *view; /* what the instruction set knows of the segment; freed by free() */
};

/* An instruction, and what is around it. */
struct dis_insn {
    const uint8_t *bytes;
    uint32_t address, size;
    size_t segment;            /* its number */
    const struct dis_map *map; /* what is known of the file */
    const uint8_t *slots;      /* the segment from its first slot on, in which it lies */
    size_t slots_size;         /* in bytes */
    uint32_t start, end; /* of the code: the first instruction of all, and behind the last one */
    const char *(*label_at)(void *user, uint32_t address); /* or NULL; NULL: no label at all */
    void *user;
};

struct dis_field {
    const char *name; /* as in fields.def */
    uint32_t value;
    unsigned high, low; /* bits of the instruction */
    const char *meaning;
};
typedef void dis_field_visitor(void *user, const struct dis_field *field);

/* Functions that fill a text cut it at size, and end it with a NUL. */
struct dis_isa {
    const char *name; /* as --machine has it */
    uint32_t size;    /* of an instruction in bytes, a multiple of 4 */
    /* A power of two: a segment's first slot is at a multiple of it; slots follow each other. */
    uint32_t alignment;
    /* Programs hold no data: what nobody calls data is code. Then the next two are NULL. */
    bool only_code;
    const char *mark;   /* begins a comment; NULL: "#" */
    bool colons_behind; /* of labels: "name:"; else ":name" */

    /* How many more instructions run before control flow is elsewhere for good; SIZE_MAX: it goes on. */
    size_t (*instructions_left)(const struct dis_insn *insn);
    /* Whether programs hardly have such an instruction, but data do. */
    bool (*is_implausible)(const struct dis_insn *insn);

    /* Whether it is a branch to an address that it tells, and which. */
    bool (*target)(const struct dis_insn *insn, uint32_t *target);
    /* Whether the assembler reads a name as something else than a label. */
    bool (*is_taken)(const char *name, size_t length);

    /* Writes one line without a comment; of a listing also more of them. Returns whether it assembles to exactly these bytes; otherwise it is only the
     * nearest one. */
    bool (*print)(char *text, size_t size, const struct dis_insn *insn);
    /* Why not. NULL if print() always does. */
    void (*put_reason)(char *text, size_t size, const struct dis_insn *insn);
    /* Why data are no instruction; "" if they could be one. NULL: nobody knows. */
    void (*put_data_reason)(char *text, size_t size, const struct dis_insn *insn);
    /* Every field, then the comment; NULL: as dis_explain() does. The comment alone. */
    void (*explain)(char *text, size_t size, const struct dis_insn *insn);
    void (*comment)(char *text, size_t size, const struct dis_insn *insn);

    /* Finds out how a segment is listed, map->listings[segment]; what is in no piece becomes data. False: no memory. Then
     * ".org" comes before every segment but the first, too. NULL: slot by slot. */
    bool (*list)(struct dis_map *map, size_t segment);
    /* Lines that come before a segment's, each with its end. NULL: none. */
    void (*put_head)(struct buffer *out, const struct dis_map *map, size_t segment);

    /* Finds which steps of a scene have directives of their own, and which constants these define; may make an index
     * for notes. False: no memory. NULL if there are no such directives. */
    bool (*find_directives)(struct dis_map *map);

    /* Every field, from the lowest bit up. */
    void (*each_field)(const struct dis_insn *insn, dis_field_visitor *visit, void *user);
    /* Members "reads", "writes" and what else the instruction set has. */
    void (*json_flow)(struct json *json, const struct dis_insn *insn);
    /* Member "differences" of an instruction whose line is not exact. NULL if all are. */
    void (*json_differences)(struct json *json, const struct dis_insn *insn);

    /* Lines of TESS_DIS_MESA: of an instruction, or of all of a segment. NULL if there is no such listing. */
    void (*put_mesa)(struct buffer *out, const struct dis_insn *insn);
    void (*put_mesa_segment)(struct buffer *out, const struct dis_map *map, size_t segment);
};

/* The account of an instruction: a line for each field, an empty one, the comment; or what the instruction set makes of it. */
void dis_explain(const struct dis_isa *isa, char *text, size_t size, const struct dis_insn *insn);

/* A dis_field_visitor, whose user is a struct text: "0-5     vector_dest         0   (meaning)". */
void dis_put_field(void *text, const struct dis_field *field);

/* NULL if the machine is none, or has no disassembler. */
const struct dis_isa *dis_isa(enum tess_machine machine);

extern const struct dis_isa qpu_dis, gp_dis, a2xx_dis;

#endif
