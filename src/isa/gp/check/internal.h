/* SPDX-License-Identifier: MIT */
/* internal.h - what the GP checker's own files share. */
#ifndef ISA_GP_CHECK_INTERNAL_H
#define ISA_GP_CHECK_INTERNAL_H

#include "isa/check_found.h"
#include "isa/gp/check/check.h"
#include "isa/gp/check/facts.h"
#include "isa/gp/interface.h"

#define GPC_NONE UINT32_MAX

/* --- the interface --- */

/* What a file declares, by number. */
struct gpc_interface {
    bool declared;       /* else nothing is known */
    uint32_t attributes; /* bits 1 << number */
    const struct tess_gp_symbol *attribute[GP_ATTRIBUTES]; /* NULL: not declared */
    const struct tess_gp_symbol *varyings[GP_VARYINGS];
    const struct tess_gp_symbol *rows[GP_ROWS]; /* NULL: nothing */
    int position;                               /* the varying gl_Position; -1 */
    const struct tess_gp_symbol
        *overlap; /* one whose rows are temporaries and something else; NULL */
};

/* --- the program's ways --- */

enum { GPC_START = GP_PROGRAM_MAX + 1 }; /* what comes before the first instruction */

/* From one instruction to the next; number `count` is the end. */
struct gpc_edge {
    uint16_t from, to;
    bool taken; /* a branch, which also waits for all stores */
};

struct gpc_flow {
    uint32_t count; /* of instructions */
    struct gpc_edge edges[2 * GP_PROGRAM_MAX];
    uint32_t edge_count;
    /* Edges that lead to an instruction, and from it: up to edge number first[i + 1]. */
    uint16_t before[2 * GP_PROGRAM_MAX], first_before[GP_PROGRAM_MAX + 2];
    uint16_t first_after[GP_PROGRAM_MAX + 2];
    bool reached[GP_PROGRAM_MAX + 1], ends[GP_PROGRAM_MAX + 1];
};

/* --- a program under check --- */

struct gpc_checker {
    const struct check_input *input;
    uint32_t base;  /* address of the program */
    uint32_t count; /* of its instructions */
    struct gpc_interface interface;
    struct gpc_facts facts[GP_PROGRAM_MAX];
    struct gpc_flow flow;

    struct check_found_list found;
};

/* What a finding is about beside the instruction. */
struct gpc_about {
    uint32_t other; /* instruction; GPC_NONE */
    uint32_t distance, subject;
};
#define GPC_ALONE                    (&(const struct gpc_about){.other = GPC_NONE})
#define GPC_SUBJECT(number)          (&(const struct gpc_about){.other = GPC_NONE, .subject = (number)})
#define GPC_OTHER(insn, far, number) (&(const struct gpc_about){(insn), (far), (number)})

void gpc_report(struct gpc_checker *checker, enum check_rule rule, uint32_t at,
                const struct gpc_about *about, const char *format, ...)
    __attribute__((format(printf, 5, 6)));

/* Reports a rule by its title. */
void gpc_report_title(struct gpc_checker *checker, enum check_rule rule, uint32_t at);

/* --- rules --- */

/* flow.c: finds the ways, and reports branches that lead nowhere. */
void gpc_flow_build(struct gpc_checker *checker);
void gpc_check_flow(struct gpc_checker *checker);

/* word.c: rules about one instruction. */
void gpc_check_word(struct gpc_checker *checker, uint32_t at);

/* bypass.c: results of earlier instructions. */
void gpc_check_results(struct gpc_checker *checker, uint32_t at);

/* walk.c: rules about all ways. False if the host is out of memory. */
bool gpc_check_ways(struct gpc_checker *checker);

/* The value that an instruction's source has in every run. False if it is no declared constant. */
bool gpc_constant(const struct gpc_checker *checker, uint32_t at, unsigned source, float *value);

#endif
