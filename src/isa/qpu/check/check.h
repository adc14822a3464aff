/* SPDX-License-Identifier: MIT */
/* check.h - the QPU checker: finds what the hardware would punish in silence.
 *
 * In:       instruction words at bus addresses, which of them are data, and where programs begin.
 * Out:      findings: a rule of rules.def, the instruction, and the other one that it is about.
 * Source:   rules.def names one for each rule.
 * Left out: values that are not constant: rules that depend on values (setups, numbers of words) are silent there. */
#ifndef ISA_QPU_CHECK_H
#define ISA_QPU_CHECK_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <tessera/isa.h>
#include <tessera/tessera.h>

enum check_rule {
#define RULE(NAME, id, level, title, why, instead, source) CHECK_##NAME,
#include "isa/qpu/check/rules.def"
    CHECK_RULES
};

/* The table's row of a rule. */
const struct tess_check_rule *check_rule(enum check_rule rule);

/* Looks up a rule by its id. False if there is none. */
bool check_rule_find(const char *id, size_t length, enum check_rule *rule);

/* Where a program begins, and what is known of it. */
struct check_entry {
    uint32_t address;
    enum tess_shader_kind kind;
    int varyings; /* that the shader record sets up; -1: unknown */
    int rows;     /* of attributes in the VPM; -1: unknown */
    bool sure;    /* a program begins here, whatever else leads here */
    const uint8_t *uniforms; /* the stream, as far as it is in memory; NULL: unknown */
    size_t uniform_words;
};

/* CHECK_UNSURE is code where the program leads to it, and else nothing. */
enum check_content { CHECK_CODE, CHECK_DATA, CHECK_UNSURE };

/* Whether an assembler could have made this word: ports that nobody reads have the address of nop, and no code is
 * reserved. Numbers seldom look like that. */
bool check_is_plausible(uint64_t word);

/* Instructions may be written as numbers, amid others: turns such data into code. */
void check_find_written_as_data(const uint64_t *words, uint8_t *content, size_t count);

struct check_input {
    uint32_t base; /* bus address of the first word, a multiple of 8 */
    const uint64_t *words;
    size_t count;
    const uint8_t *content; /* an enum check_content for each word; NULL: all is code */
    const struct check_entry *entries;
    size_t entry_count;
    bool
        partial; /* may be a part of a program: a missing end is no finding where nothing ends at all */
};

struct check_finding {
    enum check_rule rule;
    uint32_t address; /* of the instruction */
    bool has_other;
    uint32_t other; /* address of the other instruction that it is about */
    uint32_t
        distance;   /* instructions from the other one to this one along the program; 0: unknown */
    uint32_t entry; /* address of the program */
    enum tess_shader_kind kind; /* of the program, given or deduced */
    char text[240];
};

/* Takes findings; strings live during the call only. */
struct check_sink {
    void (*report)(void *user, const struct check_finding *finding);
    void *user;
};

/* Checks all programs. Findings come in order of their addresses, each once. Time and memory are proportional to the
 * number of words. False if the host is out of memory. */
bool check_words(const struct check_input *input, struct check_sink sink);

#endif
