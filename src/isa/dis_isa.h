/* SPDX-License-Identifier: MIT */
/* dis_isa.h - description of an instruction set for the disassembler of whole files.
 *
 * In:  an instruction and its address.
 * Out: its line, its explanation, its members in JSON; tests that distinguish code from data. A new
 *      instruction set fills a struct dis_isa and adds a row in dis_isa.c. dis.c and dis_map.c
 *      contain nothing specific to an instruction set. */
#ifndef ISA_DIS_ISA_H
#define ISA_DIS_ISA_H

#include <tessera/isa.h>

#include "base/buffer.h"
#include "base/json.h"

/* DIS_NAME_MAX: length of a label without a number added to it; DIS_LINE_MAX: size of
 * a line's buffer. */
enum { DIS_NAME_MAX = 100, DIS_LINE_MAX = 2048 };

struct dis_map;

/* A part of a segment that is one instruction. */
struct dis_piece {
    uint32_t offset, size;
    bool labelled; /* a label may precede the instruction */
};

/* Listing of a segment whose instructions differ in size or are printed in another order than that
 * of their addresses. */
struct dis_listing {
    struct dis_piece *pieces; /* sorted by offset, without gaps, from the segment's first slot on */
    size_t *order;            /* indices of pieces, in the order of the text */
    size_t count;
    void *view; /* the instruction set's data about the segment; freed by free() */
};

/* An instruction and its context. */
struct dis_insn {
    const uint8_t *bytes;
    uint32_t address, size;
    size_t segment;            /* index of the segment */
    const struct dis_map *map; /* facts about the file */
    const uint8_t *slots;      /* the segment from its first slot on */
    size_t slots_size;         /* in bytes */
    uint32_t start, end; /* address of the first instruction in the file, and past the last one */
    const char *(*label_at)(void *user, uint32_t address); /* returns a label or NULL; the pointer
                                                            * is NULL if there are no labels */
    void *user;
};

struct dis_field {
    const char *name; /* name in fields.def */
    uint32_t value;
    unsigned high, low; /* bits of the instruction */
    const char *meaning;
};
typedef void dis_field_visitor(void *user, const struct dis_field *field);

/* Functions that fill a text truncate it to size, including the final NUL. */
struct dis_isa {
    const char *name; /* name of the option --machine */
    uint32_t size;    /* bytes of an instruction, a multiple of 4 */
    /* Alignment of a segment's first slot in bytes, a power of two. Slots are adjacent. */
    uint32_t alignment;
    /* Programs contain no data: everything that is not declared as data is code. The next two
     * functions are then NULL. */
    bool only_code;
    const char *mark;   /* beginning of a comment, or NULL for "#" */
    bool colons_behind; /* labels are "name:"; if false, ":name" */

    /* Returns the number of instructions that are executed after this one if the program or the
     * path ends here (for example delay slots), or SIZE_MAX if execution continues. */
    size_t (*instructions_left)(const struct dis_insn *insn);
    /* Returns true if the instruction is rare in programs but common in data. */
    bool (*is_implausible)(const struct dis_insn *insn);

    /* If the instruction is a branch to a known address, stores the address in *target
     * and returns true. */
    bool (*target)(const struct dis_insn *insn, uint32_t *target);
    /* Returns true if the assembler reads a name as something other than a label. */
    bool (*is_taken)(const char *name, size_t length);

    /* Writes one line without a comment; in a listing, possibly several lines. Returns true if the
     * text assembles to exactly these bytes. Returns false if the text is only the nearest one. */
    bool (*print)(char *text, size_t size, const struct dis_insn *insn);
    /* Writes the reason why print() returned false. NULL if print() always returns true. */
    void (*put_reason)(char *text, size_t size, const struct dis_insn *insn);
    /* Writes the reason why data are not an instruction, or "" if they may be one. NULL if the
     * instruction set has no such test. */
    void (*put_data_reason)(char *text, size_t size, const struct dis_insn *insn);
    /* explain() writes every field, then the comment; if it is NULL, dis_explain() does so.
     * comment() writes the comment alone. */
    void (*explain)(char *text, size_t size, const struct dis_insn *insn);
    void (*comment)(char *text, size_t size, const struct dis_insn *insn);

    /* Fills map->listings[segment]. Bytes in no piece become data. Returns false if the host is out
     * of memory. NULL if segments are printed slot by slot. If not NULL, ".org" precedes every
     * segment except the first. */
    bool (*list)(struct dis_map *map, size_t segment);
    /* Writes the lines before a segment's instructions, with line breaks. NULL if there are
     * none. */
    void (*put_head)(struct buffer *out, const struct dis_map *map, size_t segment);

    /* Finds the steps of a scene that have their own directives, and the constants that these
     * define. May build an index for notes. Returns false if the host is out of memory. NULL if
     * there are no such directives. */
    bool (*find_directives)(struct dis_map *map);

    /* Visits every field, from the lowest bit up. */
    void (*each_field)(const struct dis_insn *insn, dis_field_visitor *visit, void *user);
    /* Writes the members "reads", "writes" and others of the instruction set. */
    void (*json_flow)(struct json *json, const struct dis_insn *insn);
    /* Writes the member "differences" of an instruction whose line is not exact. NULL if all
     * lines are exact. */
    void (*json_differences)(struct json *json, const struct dis_insn *insn);

    /* Write the lines of TESS_DIS_MESA for an instruction or for a whole segment. NULL if there is
     * no such listing. */
    void (*put_mesa)(struct buffer *out, const struct dis_insn *insn);
    void (*put_mesa_segment)(struct buffer *out, const struct dis_map *map, size_t segment);
};

/* Writes the explanation of an instruction: a line for each field, an empty line, the comment; or
 * the output of the instruction set's explain(). */
void dis_explain(const struct dis_isa *isa, char *text, size_t size, const struct dis_insn *insn);

/* A dis_field_visitor whose user is a struct text. Writes "0-5     vector_dest         0
 * (meaning)". */
void dis_put_field(void *text, const struct dis_field *field);

/* Returns the description of a machine, or NULL if the machine is invalid or has no
 * disassembler. */
const struct dis_isa *dis_isa(enum tess_machine machine);

extern const struct dis_isa qpu_dis, gp_dis, a2xx_dis;

#endif
