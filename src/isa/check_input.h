/* SPDX-License-Identifier: MIT */
/* check_input.h - interface between the checker core and the checker of a machine.
 *
 * In:  instruction words at addresses, which of them are data, and where programs begin.
 * Out: findings: a rule, the instruction, and the other instruction involved. */
#ifndef ISA_CHECK_INPUT_H
#define ISA_CHECK_INPUT_H

#include <stdarg.h>

#include "base/diag.h"
#include "isa/cl/uses.h"
#include "isa/rules.h"

enum { CHECK_TEXT = 480 };

/* An image that a rendering list of the scene stores, and the number of that list among all lists
 * of the scene, from 1. */
struct check_stored {
    struct cl_use use;
    uint32_t list;
};

/* Start of a program, and facts about the program. */
struct check_entry {
    uint32_t address;
    enum tess_shader_kind kind;
    int varyings;       /* number that the shader record sets up; -1 if unknown */
    int implicit_least; /* least number of implicit coordinates before the varyings: 2 for
                         * points, 1 for lines */
    int implicit_most;
    bool drawn;     /* control lists determine the primitives that the program draws */
    uint32_t alike; /* number of QPU programs that a scene runs, if all begin here; 0 if unknown */
    bool mixed;     /* the scene also runs other QPU programs */
    int rows;       /* VPM rows of attributes; -1 if unknown */
    int outputs;    /* words of a shaded vertex; 0 if unknown */
    int registers;  /* number of registers available to the program; 0 if unknown */
    bool sure;      /* a program certainly begins here, even if other code leads here */
    const uint8_t *uniforms; /* uniform stream, up to the end of known memory, or NULL if unknown */
    size_t uniform_words;
    uint32_t list; /* first list of the scene that draws with the program; 0 if unknown */
};

/* Kind of a word. CHECK_UNSURE is code if the program reaches it, and otherwise ignored. */
enum check_content { CHECK_CODE, CHECK_DATA, CHECK_UNSURE };

struct check_input {
    uint32_t base;        /* address of the first word */
    const uint8_t *words; /* bytes in memory order; struct check_machine has the size of a word */
    size_t count;
    const uint8_t *content; /* an enum check_content for each word, or NULL if all words are code */
    const struct check_entry *entries;
    size_t entry_count;
    const struct check_stored *stored; /* in the order of the scene's lists */
    size_t stored_count;
    bool partial; /* the words may be part of a program; a missing end is not reported if the input
                  * contains no program end */
    const char
        *notes; /* text of ".tessera", if the machine keeps no scenes there; otherwise NULL */
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
    uint32_t distance; /* instructions from the other one to this one along the program; 0 if
                     * unknown */
    uint32_t bytes, other_bytes; /* lengths of both instructions; 0 for one word of the machine */
    enum tess_a2xx_slot slot, other_slot; /* for TESS_MACHINE_A2XX: slots of both instructions */
    uint32_t entry;                       /* address of the program */
    enum tess_shader_kind kind;           /* kind of the program, given or deduced */
    char text[CHECK_TEXT];                /* may contain its own hint after WITH_HINT */
};

/* Formats the text of a finding. The text may begin with a capital, as a title does. */
void check_finding_text(struct check_finding *finding, const char *format, va_list arguments);

/* Receives findings. Strings are valid during the call only. */
struct check_sink {
    void (*report)(void *user, const struct check_finding *finding);
    void *user;
};

/* A machine that has a checker. */
struct check_machine {
    uint32_t word_bytes; /* bytes of an instruction */
    uint32_t alignment;  /* alignment of instructions in bytes */

    /* True if ".tessera" contains the steps of a scene. Programs then begin where the steps, a
     * comment or a global label say. If false, all code is one program that begins at the
     * first instruction. */
    bool scenes;

    /* Checks all programs. Reports findings in order of address, each once. Time and memory are
     * proportional to the number of words. Returns false if the host is out of memory. */
    bool (*check)(const struct check_input *input, struct check_sink sink);

    /* Returns true if an assembler could have written this word. Data words rarely have this form.
     * NULL if the machine has no such test. */
    bool (*is_plausible)(const uint8_t *word);
};

/* Returns the checker of a machine, or NULL if the machine has no checker. */
const struct check_machine *check_machine(enum tess_machine machine);

#endif
