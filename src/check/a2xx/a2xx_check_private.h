/* SPDX-License-Identifier: MIT */
/* a2xx_check_private.h - types and functions shared by the files of the A2xx checker. */
#ifndef CHECK_A2XX_A2XX_CHECK_PRIVATE_H
#define CHECK_A2XX_A2XX_CHECK_PRIVATE_H

#include "check/a2xx/a2xx_check.h"
#include "check/frame/check_found.h"
#include "isa/a2xx/facts.h"

/* --- the interface --- */

/* The declarations of a file. any_constant, any_varying and any_sampler are true if the file
 * declares at least one item of the kind. If the file declares none, items of the kind are not
 * checked. */
struct a2c_interface {
    bool any_constant, any_varying, any_sampler;
    bool constants[A2XX_CONSTANTS];
    const char *attributes[A2XX_REGISTERS]; /* name of the attribute in each register, or NULL */
    /* mask of the declared varyings (bits 1 << number); the number is that of the export in vertex
     * programs, and that of the register in pixel programs */
    uint64_t varyings;
    uint32_t samplers;
};

/* --- state of the checker --- */

struct a2c_checker {
    const struct check_input *input;
    enum tess_a2xx_variant variant;
    enum tess_shader_kind kind; /* VERTEX or FRAGMENT */
    uint32_t *words;            /* A2XX_WORDS words per slot */
    uint8_t *kinds;             /* A2XX_SLOT_... bits of each slot */
    uint32_t slots, cf_slots;
    struct a2xx_cf *cfs;
    uint32_t cf_count;
    bool *reached;        /* for each element of .cfs, true if a path reaches it */
    bool passes_end;      /* true if a path runs past the last control-flow instruction */
    uint32_t registers;   /* number of registers of the program, or 0 if unknown */
    uint64_t exports;     /* mask of the exports of all clauses (bits 1 << number) */
    uint8_t position;     /* components of the position that clauses export */
    uint32_t position_at; /* slot of the last export of the position */
    bool relative_exports;
    struct a2c_interface interface;
    struct check_findings out;
};

/* Numbers of instructions for findings. The number of a slot is its index. */
#define A2C_CONTROL UINT32_C(0x80000000) /* bit of the number of a control-flow instruction */

static inline uint32_t a2c_cf(uint32_t cf)
{
    return A2C_CONTROL | cf;
}

static inline const uint32_t *a2c_words(const struct a2c_checker *checker, uint32_t slot)
{
    return checker->words + (size_t)slot * A2XX_WORDS;
}

/* Returns the number of instructions of a clause that are inside the program. */
static inline uint32_t a2c_count(const struct a2c_checker *checker, const struct a2xx_exec *exec)
{
    uint32_t left = exec->address < checker->slots ? checker->slots - exec->address : 0;
    return exec->count < left ? exec->count : left;
}

/* Writes the letters of the components in mask, such as "xz" for bits 0 and 2. Returns text. */
enum { A2C_COMPONENTS_MAX = 5 };
const char *a2c_components(char text[A2C_COMPONENTS_MAX], unsigned mask);

/* An instruction that rules look at: one of a clause, with alu or fetch set, or one of the control
 * flow. */
struct a2c_walk {
    struct a2c_checker *checker;
    struct a2c_state *state; /* state before the instruction and after (S), or NULL for rules that
                              * need none */
    const struct a2xx_alu *alu;
    const struct a2xx_fetch *fetch;
    /* operands of an ALU instruction, or the register with the index or coordinates of a fetch */
    struct a2xx_operand operands[A2XX_OPERANDS_MAX];
    unsigned operand_count;
    uint32_t cf;     /* number of the current control-flow instruction */
    uint32_t at;     /* number of the instruction in findings: its slot, or a2c_cf(cf) */
    unsigned calls;  /* number of calls that a path is inside, and the number of the last of them */
    uint32_t caller; /* (control-flow instruction) */
    bool divergent;  /* true if some pixels may skip the clause */
    bool contrary;   /* true if the words look like an instruction of the other kind */
};

/* Returns the control-flow instruction that rules look at, or NULL for one of a clause. */
static inline const struct a2xx_cf *a2c_control(const struct a2c_walk *walk)
{
    return walk->alu || walk->fetch ? NULL : &walk->checker->cfs[walk->cf];
}

/* --- rules --- */

/* The functions that a2xx_rules.def names. */
#define ASK_WALK struct a2c_walk
#include "check/frame/asks.h"

#include "check/a2xx/a2xx_rules.def"

/* a2xx_walk.c: asks the rules about a program. Returns false if the host is out of memory. */
bool a2c_ask_all(struct a2c_checker *checker);

/* fetch.c: return true if the words look like a fetch and not like an ALU instruction, and the
 * other way round. */
bool a2c_looks_like_fetch(const uint32_t words[A2XX_WORDS], enum tess_a2xx_variant variant);
bool a2c_looks_like_alu(const uint32_t words[A2XX_WORDS], enum tess_a2xx_variant variant);

#endif
