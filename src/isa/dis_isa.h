/* SPDX-License-Identifier: MIT */
/* dis_isa.h - description of an instruction set for the disassembler of whole files.
 *
 * In:  an instruction of the set, and its address.
 * Out: the instruction as a source line, as an explanation and as JSON; tests that distinguish code
 *      from data. A new instruction set needs a struct dis_isa and a row in dis_isa.c. dis.c and
 *      dis_map.c contain nothing that is specific to an instruction set. */
#ifndef ISA_DIS_ISA_H
#define ISA_DIS_ISA_H

#include <tessera/isa.h>

#include "base/buffer.h"
#include "base/json.h"

/* DIS_NAME_MAX: largest length of a label before a number is appended. DIS_LINE_MAX: size of the
 * buffer of a line. */
enum { DIS_NAME_MAX = 100, DIS_LINE_MAX = 2048 };

struct dis_map;

/* A part of a segment that is one instruction. */
struct dis_piece {
    uint32_t offset, size;
    bool labelled; /* true if a label may precede the instruction */
};

/* Listing of a segment. Needed on instruction sets whose instructions differ in size, or whose
 * source order differs from the order of addresses. */
struct dis_listing {
    struct dis_piece *pieces; /* sorted by offset; the first piece begins at the segment's first
                               * slot, and there are no gaps */
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
    uint32_t start, end; /* address of the first instruction in the file, and address after the last
                          * instruction */
    /* Returns the label at an address, or NULL; label_at itself is NULL if there are no labels. */
    const char *(*label_at)(void *user, uint32_t address);
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
    /* True if programs contain no data, so that everything that is not declared as data is code.
     * instructions_left and is_implausible are then NULL. */
    bool only_code;
    const char *mark;   /* beginning of a comment, or NULL for "#" */
    bool colons_behind; /* true if a label is written "name:"; false if it is written ":name" */

    /* If the instruction ends the program or branches unconditionally, returns the number of
     * instructions after it that are still executed, such as delay slots. Returns SIZE_MAX
     * otherwise. */
    size_t (*instructions_left)(const struct dis_insn *insn);
    /* Returns true if the instruction is rare in programs but common in data. */
    bool (*is_implausible)(const struct dis_insn *insn);

    /* If the instruction is a branch to a known address, stores the address in *target
     * and returns true. */
    bool (*target)(const struct dis_insn *insn, uint32_t *target);
    /* Returns true if the name cannot be a label because it means something else to the assembler,
     * such as a register. */
    bool (*is_taken)(const char *name, size_t length);

    /* Writes the instruction as one line without a comment, or as several lines if the segment has
     * a listing. Returns true if the text assembles to exactly the instruction's bytes. Returns
     * false if the text is only the nearest instruction that can be written. */
    bool (*print)(char *text, size_t size, const struct dis_insn *insn);
    /* Writes the reason why print() returned false. NULL if print() always returns true. */
    void (*put_reason)(char *text, size_t size, const struct dis_insn *insn);
    /* Writes the reason why data cannot be an instruction, or "" if the data may be an instruction.
     * NULL if the instruction set has no such test. */
    void (*put_data_reason)(char *text, size_t size, const struct dis_insn *insn);
    /* explain() writes every field and then the comment. If explain is NULL, dis_explain() writes
     * them. comment() writes only the comment. */
    void (*explain)(char *text, size_t size, const struct dis_insn *insn);
    void (*comment)(char *text, size_t size, const struct dis_insn *insn);

    /* Fills map->listings[segment]. Bytes that are in no piece become data. Returns false if the
     * host is out of memory. NULL if the instruction set has no listings and segments are printed
     * slot by slot. If list is not NULL, ".org" precedes every segment except the first. */
    bool (*list)(struct dis_map *map, size_t segment);
    /* Writes the lines that precede a segment's instructions, each with a line break. NULL if no
     * lines precede them. */
    void (*put_head)(struct buffer *out, const struct dis_map *map, size_t segment);

    /* Finds the steps of a scene that have a directive of the instruction set, and the constants
     * that the directives define. May build map->step_index. Returns false if the host is out of
     * memory. NULL if the instruction set has no such directives. */
    bool (*find_directives)(struct dis_map *map);

    /* Visits every field, from the lowest bit up. */
    void (*each_field)(const struct dis_insn *insn, dis_field_visitor *visit, void *user);
    /* Writes the members "reads" and "writes", and other members that are specific to the
     * instruction set. */
    void (*json_flow)(struct json *json, const struct dis_insn *insn);
    /* Writes the member "differences" of an instruction for which print() returned false. NULL if
     * print() always returns true. */
    void (*json_differences)(struct json *json, const struct dis_insn *insn);

    /* Write the lines of the output TESS_DIS_MESA, put_mesa() for an instruction and
     * put_mesa_segment() for a whole segment. NULL if the instruction set does not have this
     * output. */
    void (*put_mesa)(struct buffer *out, const struct dis_insn *insn);
    void (*put_mesa_segment)(struct buffer *out, const struct dis_map *map, size_t segment);
};

/* Writes the explanation of an instruction: the output of the instruction set's explain() or, if
 * explain is NULL, a line for each field, an empty line and the comment. */
void dis_explain(const struct dis_isa *isa, char *text, size_t size, const struct dis_insn *insn);

/* A dis_field_visitor that writes a field as a line to a struct text, such as "0-5 vector_dest 0
 * (meaning)". The first argument is the struct text. */
void dis_put_field(void *text, const struct dis_field *field);

/* Returns the description of a machine, or NULL if the machine is invalid or has no
 * disassembler. */
const struct dis_isa *dis_isa(enum tess_machine machine);

#define MACHINE(NAME, name, extension, prefix, MODEL) extern const struct dis_isa prefix##_dis;
#include "isa/machines.def"

#endif
