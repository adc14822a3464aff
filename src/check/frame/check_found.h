/* SPDX-License-Identifier: MIT */
/* check_found.h - the findings of a checker: reported in any order, then sorted and handed over.
 *
 * In:  findings, possibly with duplicates. The checker numbers the instructions of a program as it
 *      likes; check_findings.spot converts a number to an address.
 * Out: each finding once, in order of address. If by_program is set, findings are grouped by
 *      program, and in each program, findings that are usually consequences of other findings come
 *      last. Findings whose cause was found in the same program are left out. */
#ifndef CHECK_FRAME_CHECK_FOUND_H
#define CHECK_FRAME_CHECK_FOUND_H

#include "check/frame/check_input.h"

#define CHECK_NONE UINT32_MAX

/* Details of a finding besides its rule and its instruction. */
struct check_about {
    uint32_t other;    /* number of another instruction, or CHECK_NONE */
    uint32_t distance; /* number of instructions from the other instruction; 0 if unknown */
    uint32_t subject;  /* number that distinguishes several findings of a rule at the same
                        * instruction, for example the number of the register */
};
#define CHECK_ALONE                     ((struct check_about){.other = CHECK_NONE})
#define CHECK_SUBJECT(id)               ((struct check_about){.other = CHECK_NONE, .subject = (id)})
#define CHECK_OTHER(insn, distance, id) ((struct check_about){(insn), (distance), (id)})

/* An instruction in memory. */
struct check_spot {
    uint32_t address, bytes; /* bytes: 0 for one instruction word of the machine */
    enum tess_a2xx_slot slot;
};

/* Set spot and user, and zero-initialise the other fields. Free it with check_findings_free(). */
struct check_findings {
    struct check_spot (*spot)(const void *user, uint32_t number);
    const void *user;
    bool by_program;
    size_t limit; /* most findings, or 0 for any number; CHECK_LIMIT is always accepted */

    /* The program being checked: its address and kind. */
    uint32_t entry;
    enum tess_shader_kind kind;

    struct check_found *items;
    size_t count;
    bool too_many; /* true if the limit was reached */
    bool no_memory;
};

/* Reports a finding at an instruction of the program being checked. If the text begins with a
 * capital letter, like a title, the letter becomes a small letter. */
void check_report(struct check_findings *findings, enum check_rule rule, uint32_t at,
                  struct check_about about, const char *format, ...)
    __attribute__((format(printf, 5, 6)));

/* Reports a finding whose text is the title of the rule. */
void check_report_title(struct check_findings *findings, enum check_rule rule, uint32_t at,
                        struct check_about about);

/* Report a finding at the instruction walk->at of the program of walk->checker, with a text and
 * with the title of the rule. */
#define REPORT(walk, rule, about, ...) \
    check_report(&(walk)->checker->out, rule, (walk)->at, about, __VA_ARGS__)
#define TITLE(walk, rule) check_report_title(&(walk)->checker->out, rule, (walk)->at, CHECK_ALONE)

/* Sorts the findings and passes each to the sink once. */
void check_findings_hand_over(struct check_findings *findings, struct check_sink sink);

void check_findings_free(struct check_findings *findings);

#endif
