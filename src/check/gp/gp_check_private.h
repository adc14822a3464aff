/* SPDX-License-Identifier: MIT */
/* gp_check_private.h - types and functions shared by the files of the GP checker. */
#ifndef CHECK_GP_GP_CHECK_PRIVATE_H
#define CHECK_GP_GP_CHECK_PRIVATE_H

#include <tessera/utgard.h>

#include "check/frame/check_found.h"
#include "check/gp/gp_check.h"
#include "check/gp/gp_check_facts.h"
#include "isa/interface_read.h"

/* --- the interface --- */

/* The declarations of a file, indexed by number. */
struct gpc_interface {
    bool declared;       /* true if the file declares an interface */
    uint32_t attributes; /* mask of the declared attributes (bits 1 << number) */
    /* symbol of each attribute; NULL if the attribute is not declared */
    const struct tess_gp_symbol *attribute[GP_ATTRIBUTES];
    const struct tess_gp_symbol *varyings[GP_VARYINGS];
    /* symbol of each row; NULL if the row is not declared */
    const struct tess_gp_symbol *rows[GP_ROWS];
    int position; /* number of the varying gl_Position, or -1 if the file does not declare it */
    /* a symbol with a row that belongs to a temporary and also to a uniform or constant; NULL if
     * there is no such row */
    const struct tess_gp_symbol *overlap;
};

/* --- paths through the program --- */

/* Number of the pseudo-instruction before the first instruction. */
enum { GPC_START = GP_PROGRAM_MAX + 1 };

/* A step from one instruction to the next. Number `count` is the end of the program. */
struct gpc_edge {
    uint16_t from, to;
    uint16_t next; /* number, plus 1, of the next edge with the same .to, or 0 */
    bool taken;    /* true if the step is a taken branch; a taken branch waits for all stores */
};

struct gpc_flow {
    uint32_t count; /* number of instructions */
    struct gpc_edge edges[2 * GP_PROGRAM_MAX];
    uint32_t edge_count;
    /* number, plus 1, of the first edge that leads to each instruction, or 0 */
    uint16_t into[GP_PROGRAM_MAX + 1];
    /* The edges that start at instruction i are edges[first_after[i]] to
     * edges[first_after[i + 1] - 1]. */
    uint16_t first_after[GP_PROGRAM_MAX + 1];
    bool reached[GP_PROGRAM_MAX + 1], ends[GP_PROGRAM_MAX + 1];
};

/* --- state of the checker --- */

/* Number of a value. Two sources whose values have the same number have the same bits, unless the
 * number is VALUE_UNKNOWN (gp_check_state.h). */
typedef uint16_t gpc_value;

struct gpc_checker {
    const struct check_input *input;
    uint32_t length; /* number of the program's instructions */
    uint32_t count;  /* number of instructions that are checked, at most GP_PROGRAM_MAX */
    struct gpc_interface interface;
    struct gpc_facts facts[GP_PROGRAM_MAX];
    /* values of each instruction's operands, in the order of gpc_facts.operands */
    gpc_value operands[GP_PROGRAM_MAX][GP_OPERANDS_MAX];
    struct gpc_flow flow;

    struct check_findings out;
};

enum { GPC_FAR = 2 }; /* largest distance at which an instruction reads an earlier result */

/* The instructions that can be executed at one distance before an instruction, and so can have
 * produced a result that it reads. */
struct gpc_makers {
    struct {
        uint16_t at; /* GPC_START if the program has not started yet */
        bool taken;  /* true if a taken branch lies between the two instructions */
    } items[GP_PROGRAM_MAX * 2 + 1];
    uint32_t count;
};

/* An instruction that rules look at. The state is that before the instruction, and makers has the
 * distances 1 and 2. Both are NULL for rules about single instructions. */
struct gpc_walk {
    struct gpc_checker *checker;
    const struct gpc_facts *facts;
    struct gpc_state *state;
    const struct gpc_makers *makers;
    uint32_t at;
};

/* --- rules --- */

/* The functions that gp_rules.def names. */
#define ASK_WALK struct gpc_walk
#include "check/frame/asks.h"
#include "check/gp/gp_rules.def"

/* gp_check_flow.c: finds the edges. */
void gpc_flow_build(struct gpc_checker *checker);

/* bypass.c: finds the makers of an instruction's operands. */
void gpc_find_makers(const struct gpc_flow *flow, uint32_t at, struct gpc_makers makers[GPC_FAR]);

/* gp_walk.c: asks the rules about every instruction, and those that follow all paths. Returns false
 * if the host is out of memory. */
bool gpc_check_rules(struct gpc_checker *checker);

/* If a source is a component of a declared constant, sets *value and returns true. Returns false
 * for all other sources. */
bool gpc_constant(const struct gpc_checker *checker, uint32_t at, unsigned source, float *value);

#endif
