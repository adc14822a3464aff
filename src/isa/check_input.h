/* SPDX-License-Identifier: MIT */
/* check_input.h - what the checker of a machine gets, and what it gives.
 *
 * In:  instruction words at addresses, which of them are data, and where programs begin.
 * Out: findings: a rule, the instruction, and the other one that it is about. */
#ifndef ISA_CHECK_INPUT_H
#define ISA_CHECK_INPUT_H

#include <stdarg.h>

#include "base/diag.h"
#include "isa/cl/uses.h"
#include "isa/rules.h"

enum { CHECK_TEXT = 480 };

/* An image that a rendering list of the scene stores, and the number of that list among all
 * lists of the scene, from 1. */
struct check_stored {
    struct cl_use use;
    uint32_t list;
};

/* Where a program begins, and what is known of it. */
struct check_entry {
    uint32_t address;
    enum tess_shader_kind kind;
    int varyings;            /* that the shader record sets up; -1: unknown */
    int implicit_least; /* coordinates of points (two) and lines (one), which come before them */
    int implicit_most;
    bool drawn;     /* control lists say which primitives the program draws */
    uint32_t alike; /* QPU programs that a scene runs, if all of them begin here; 0: unknown */
    bool mixed;        /* the scene runs other QPU programs, too */
    int rows;                /* of attributes in the VPM; -1: unknown */
    int outputs;             /* words of a shaded vertex; 0: unknown */
    int registers;           /* that the program is given; 0: unknown */
    bool sure;               /* a program begins here, whatever else leads here */
    const uint8_t *uniforms; /* the stream, as far as it is in memory; NULL: unknown */
    size_t uniform_words;
    uint32_t list; /* the first list of the scene that draws with the program; 0: unknown */
};

/* CHECK_UNSURE is code where the program leads to it, and else nothing. */
enum check_content { CHECK_CODE, CHECK_DATA, CHECK_UNSURE };

struct check_input {
    uint32_t base;        /* address of the first word */
    const uint8_t *words; /* as in memory; how many bytes each has, the machine says */
    size_t count;
    const uint8_t *content; /* an enum check_content for each word; NULL: all is code */
    const struct check_entry *entries;
    size_t entry_count;
    const struct check_stored *stored; /* by lists of the scene, in their order */
    size_t stored_count;
    bool
        partial; /* may be a part of a program: a missing end is no finding where nothing ends at all */
    const char
        *notes; /* the text of ".tessera", if the machine keeps no scenes there; NULL: none */
    size_t notes_size;
    enum tess_a2xx_variant variant; /* of TESS_MACHINE_A2XX */
    const char *name;               /* of the file */
    struct tess_sink sink; /* for mistakes in the notes */
};

struct check_finding {
    enum check_rule rule;
    uint32_t address; /* of the instruction */
    bool has_other;
    uint32_t other; /* address of the other instruction that it is about */
    uint32_t
        distance;   /* instructions from the other one to this one along the program; 0: unknown */
    uint32_t bytes, other_bytes; /* of both instructions; 0: as the machine's words */
    enum tess_a2xx_slot slot, other_slot; /* of TESS_MACHINE_A2XX: what both are */
    uint32_t entry;              /* address of the program */
    enum tess_shader_kind kind; /* of the program, given or deduced */
    char text[CHECK_TEXT]; /* may have a hint of its own: WITH_HINT */
};

/* Writes the text of a finding, which may begin like a title. */
void check_finding_text(struct check_finding *finding, const char *format, va_list arguments);

/* Takes findings; strings live during the call only. */
struct check_sink {
    void (*report)(void *user, const struct check_finding *finding);
    void *user;
};

/* A machine that programs can be checked for. */
struct check_machine {
    uint32_t word_bytes; /* of an instruction */
    uint32_t alignment;  /* of instructions */

    /* ".tessera" has the steps of a scene; programs begin where these, a comment or a global label say. Else all code is
     * one program, from the first instruction on. */
    bool scenes;

    /* Checks all programs. Findings come in order of their addresses, each once. Time and memory are proportional to the
     * number of words. False if the host is out of memory. */
    bool (*check)(const struct check_input *input, struct check_sink sink);

    /* Whether an assembler could have made this word. Numbers seldom look like that. NULL: nobody knows. */
    bool (*is_plausible)(const uint8_t *word);
};

/* NULL if no checker knows the machine. */
const struct check_machine *check_machine(enum tess_machine machine);

#endif
