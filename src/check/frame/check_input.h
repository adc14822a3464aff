/* SPDX-License-Identifier: MIT */
/* check_input.h - interface between the checker core and the checker of a machine.
 *
 * In:  instruction words, their addresses, the kind of each word (code or data), and the addresses
 *      at which programs begin.
 * Out: findings. A finding names a rule, an instruction and, for some rules, a second
 *      instruction. */
#ifndef CHECK_FRAME_CHECK_INPUT_H
#define CHECK_FRAME_CHECK_INPUT_H

#include "base/diag.h"
#include "check/frame/rules.h"
#include "isa/cl/uses.h"

enum { CHECK_TEXT = 480 };

/* An image that a rendering list of the scene stores. list is the number of the rendering list
 * among all lists of the scene, counted from 1. */
struct check_stored {
    struct cl_use use;
    uint32_t list;
};

/* Start of a program, and facts about the program. */
struct check_entry {
    uint32_t address;
    enum tess_shader_kind kind;
    int varyings;       /* number of varyings that the shader record declares; -1 if unknown */
    int implicit_least; /* least number of coordinates that the hardware adds before the varyings: 2
                         * for points, 1 for lines, 0 for triangles */
    int implicit_most;
    bool drawn;     /* true if the control lists show which primitives the program draws */
    uint32_t alike; /* number of "qpu" steps of the scene, if all of them run this program;
                     * otherwise 0 */
    bool mixed;     /* true if the "qpu" steps of the scene run different programs */
    int rows;       /* VPM rows of attributes; -1 if unknown */
    int outputs;    /* number of words in a vertex that the program writes; 0 if unknown */
    int registers;  /* number of registers available to the program; 0 if unknown */
    bool sure;      /* true if a program certainly begins at the address, even if other code
                     * continues into it */
    const uint8_t *uniforms; /* uniform stream up to the end of the known memory, or NULL if
                              * unknown */
    size_t uniform_words;
    uint32_t list; /* first list of the scene that draws with the program; 0 if unknown */
};

/* Kind of a word. A word of the kind CHECK_UNSURE is code if a program reaches it, and is ignored
 * otherwise. */
enum check_content { CHECK_CODE, CHECK_DATA, CHECK_UNSURE };

struct check_input {
    uint32_t base;        /* address of the first word */
    const uint8_t *words; /* bytes of the words in memory order; each word has word_bytes of struct
                           * check_machine */
    size_t count;
    const uint8_t *content; /* an enum check_content for each word, or NULL if all words are code */
    const struct check_entry *entries;
    size_t entry_count;
    const struct check_stored *stored; /* in the order of the scene's lists */
    size_t stored_count;
    bool partial; /* true if the words may be only a part of a program; a missing program end is
                   * then not reported if the input has no program end at all */
    const char
        *notes; /* text of the section ".tessera", or NULL if that section contains a scene */
    size_t notes_size;
    enum tess_a2xx_variant variant; /* for TESS_MACHINE_A2XX only */
    const char *name;               /* file name */
    struct tess_sink sink;          /* receives errors in the notes */
};

struct check_finding {
    enum check_rule rule;
    uint32_t address; /* address of the instruction */
    bool has_other;
    uint32_t other;    /* address of the other instruction involved */
    uint32_t distance; /* number of instructions from the other instruction to this instruction
                        * along the program; 0 if unknown */
    /* Lengths of the two instructions in bytes; 0 means one instruction word of the machine. */
    uint32_t bytes, other_bytes;
    enum tess_a2xx_slot slot, other_slot; /* for TESS_MACHINE_A2XX: slots of both instructions */
    uint32_t entry;                       /* address of the program */
    enum tess_shader_kind kind;           /* kind of the program, which is given in the input or
                                           * deduced from the code */
    char text[CHECK_TEXT];                /* text of the finding; a hint may follow the text after
                                           * WITH_HINT (base/diag.h). A capital letter at the start,
                                           * as in a title, has become a small letter */
};

/* Receives findings. Strings are valid during the call only. */
struct check_sink {
    void (*report)(void *user, const struct check_finding *finding);
    void *user;
};

/* A machine that has a checker. */
struct check_machine {
    uint32_t word_bytes; /* bytes of an instruction */
    uint32_t alignment;  /* alignment of instructions in bytes */

    /* True if the section ".tessera" contains the steps of a scene. Programs then begin at the
     * addresses that the steps, comments and global labels give. If false, all code is one program,
     * which begins at the first instruction. */
    bool scenes;

    /* Checks all programs. Reports each finding once, in order of address. Time and memory are
     * proportional to the number of words. Returns false if the host is out of memory. */
    bool (*check)(const struct check_input *input, struct check_sink sink);

    /* Returns true if the word looks like an instruction that an assembler writes. Data words
     * rarely do. NULL if the machine has no such test. */
    bool (*is_plausible)(const uint8_t *word);
};

/* Returns the checker of a machine, or NULL if the machine has no checker. */
const struct check_machine *check_machine(enum tess_machine machine);

#endif
