/* SPDX-License-Identifier: MIT */
/* qpu_check.c - tests each rule of the QPU checker with a program that breaks the rule and a
 * program that obeys it.
 *
 * The programs follow the sources that rules.def names for each rule. Distances are those of the
 * manual's Summary of Instruction Restrictions. Queue sizes are from its section 4, and conditions
 * from vc4asm's addendum. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <tessera/a2xx.h>
#include <tessera/finding.h>
#include <tessera/utgard.h>

#include "../../register.h"
#include "base/alias.h"
#include "base/bits.h"
#include "check/qpu/qpu_check.h"
#include "isa/qpu/parse.h"

#define SHOWN_RULES "front/examples/rules_qpu.def"
#include "../frame/shown.h"

enum { WORDS = 128, BASE = 0x1000, NOWHERE = -1 };

/* A program with one instruction per line. "=WORD" is a word in hexadecimal. "data" and ".int" are
 * data words. A line that begins with '#' is a comment. */
struct words {
    uint8_t bytes[WORDS * 8];
    uint8_t content[WORDS];
    size_t count;
};

#define END         "thrend; nop\nnop\nnop\n"
#define SWITCH      "thrsw; nop\nnop\nnop\n"
#define LAST_SWITCH "lthrsw; nop\nnop\nnop\n"

enum {
    F = TESS_SHADER_FRAGMENT,
    V = TESS_SHADER_VERTEX,
    C = TESS_SHADER_COORDINATE,
    U = TESS_SHADER_USER
};

/* Words without a mnemonic: a nop with one changed field. */
#define RESERVED_OPCODE "=100009e7099e7000"
#define RESERVED_PACK   "=112002e7349e7000"
#define RESERVED_LOAD   "=e40009e700000000"

static const struct rule_case {
    enum check_rule rule;
    int kind;
    const char *bad;
    int at, other, distance; /* distance in words, not compared if 0 */
    const char *good;
    int varyings; /* number of varyings + 1, or 0 if unknown */
} cases[] = {
    /* --- distances --- */
    {CHECK_REGFILE_READ, U, SHOWN, 2, 1, 1, SHOWN, 0},
    {CHECK_REGFILE_READ, U, "mov rb5, r0\nmov r1, rb5\n" END, 1, 0, 1,
     "mov rb5, r0\nmov r1, ra5\n" END, 0},
    {CHECK_REGFILE_READ, U, "mov ra5, r0\nbra -, ra5\nnop\nnop\nnop\n", 1, 0, 1,
     "mov.ifz ra5, r0\nmov.ifnz r1, ra5\n" END, 0},
    /* The write also changes the flags, so the two conditions do not exclude each other. */
    {CHECK_REGFILE_READ, U, "mov.setf.ifz ra5, r0\nmov.ifnz r1, ra5\n" END, 1, 0, 1,
     "mov.ifz.setf ra5, r0\nnop\nmov.ifnz r1, ra5\n" END, 0},
    /* The register is written in the branch's delay slot, and read at its target. */
    {CHECK_REGFILE_READ, U, "brr -, 16\nnop\nnop\nmov ra5, r0\nnop\nnop\nmov r1, ra5\n" END, 6, 3,
     1, "brr -, 16\nnop\nmov ra5, r0\nnop\nnop\nnop\nmov r1, ra5\n" END, 0},
    /* The register is written at the end of a loop, and read at the loop's start. */
    {CHECK_REGFILE_READ, U,
     "mov ra5, 0\nnop\nmov r1, ra5\nbrr.allz -, -40\nnop\nnop\nmov ra5, 1\n" END, 2, 6, 1,
     "mov ra5, 0\nnop\nmov r1, ra5\nbrr.allz -, -40\nnop\nmov ra5, 1\nnop\n" END, 0},
    /* A packed write changes only a part of the register (manual, tables 6, 7 and 9). A read of
  * another part is correct. The parts are the bytes 8a to 8d and the halves 16a and 16b. */
    {CHECK_REGFILE_READ, U, "mov ra5.8a, r0\nmov r1, ra5.8a\n" END, 1, 0, 1,
     "mov ra5.8d, r0\nmov r1, ra5.8a\n" END, 0},
    {CHECK_REGFILE_READ, U, "mov ra5.8b, r0\nmov r1, ra5.16a\n" END, 1, 0, 1,
     "mov ra5.8c, r0\nmov r1, ra5.16a\n" END, 0},
    {CHECK_REGFILE_READ, U, "mov ra5, r0\nmov r1, ra5.16b\n" END, 1, 0, 1,
     "mov ra5.16a, r0\nmov r1, ra5.16b\n" END, 0},
    {CHECK_REGFILE_READ, U, "mov ra5.8d, r0\nmov r1, ra5\n" END, 1, 0, 1,
     "mov ra5.8c, r0\nmov r1, ra5.8dr\n" END, 0},
    {CHECK_SFU, U, SHOWN, 3, 1, 2, SHOWN, 0},
    {CHECK_SFU, U, "mov t0s, r0\nmov exp, r0\nldtmu0; nop\n" END, 2, 1, 1,
     "mov t0s, r0\nmov exp, r0\nnop\nnop\nldtmu0; nop\n" END, 0},
    {CHECK_SFU, U, "mov exp, r0\nnop\nmov log, r1\n" END, 2, 0, 2,
     "mov exp, r0\nnop\nnop\nmov log, r1\n" END, 0},
    {CHECK_ROTATE_SOURCE, U, SHOWN, 2, 1, 1, SHOWN, 0},
    {CHECK_ROTATE_SOURCE_CONDITION, U, SHOWN, 3, 2, 1, SHOWN, 0},
    {CHECK_ROTATE_SOURCE, U, "mov r5rep, r0\nmov r2, r1 >> r5\n" END, 1, 0, 1,
     "mov r5rep, r0\nnop\nmov r2, r1 >> r5\n" END, 0},
    /* Reading a varying writes C to r5. */
    {CHECK_ROTATE_SOURCE, F, "mov r0, vary\nmov r2, r1 >> r5\n" END, 1, 0, 1,
     "mov r0, vary\nnop\nmov r2, r1 >> r5\n" END, 0},
    /* If s is written after t, the write fetches a uniform. If s is written alone, it does not. */
    {CHECK_UNIFORM_ADDRESS, U,
     "mov t0t, r1\nmov unif_addr, r0\nnop\nmov t0s, r1\nldtmu0; nop\n" END, 3, 1, 2,
     "mov unif_addr, r0\nnop\nmov t0s, r1\nldtmu0; nop\n" END, 0},
    {CHECK_UNIFORM_ADDRESS, U, "mov unif_addr, r0\nnop\nmov r1, unif\n" END, 2, 0, 2,
     "mov unif_addr, r0\nnop\nnop\nmov r1, unif\n" END, 0},
    {CHECK_UNIFORM_ADDRESS, U, "mov unif_addr, r0\nmov t0t, r1\nnop\nmov t0s, r1\n" END, 1, 0, 1,
     "mov unif_addr, r0\nnop\nnop\nmov t0t, r1\n" END, 0},
    {CHECK_NOSWAP_TMU, U, SHOWN, 3, 1, 2, SHOWN, 0},
    {CHECK_NOSWAP_CLOSE, U, SHOWN, 4, 1, 3, SHOWN, 0},
    {CHECK_NOSWAP_LATE, U, SHOWN, 2, 1, 1, SHOWN, 0},
    {CHECK_MS_READ, F, "nop\nnop\nmov tlbz, rb15\nnop\nmov r0, ms_mask\n" END, 4, 2, 2,
     "nop\nnop\nmov tlbz, rb15\nmov tlbc, r0\nnop\nmov r0, ms_mask\n" END, 0},
    {CHECK_VPM_READ_EARLY, U, SHOWN, 3, 0, 3, SHOWN, 0},
    {CHECK_BRANCH_SLOTS, U, SHOWN, 3, 1, 2, SHOWN, 0},
    {CHECK_END_IN_BRANCH, U, SHOWN, 2, 0, 2, SHOWN, 0},
    {CHECK_BRANCH_IN_END, U, SHOWN, 1, 0, 1, SHOWN, 0},
    {CHECK_END_TWICE, U, SHOWN, 1, 0, 1, SHOWN, 0},

    /* --- start and end --- */
    {CHECK_SCOREBOARD_EARLY, F, "nop\nsbwait; nop\nmov tlbc, r0\n" END, 1, NOWHERE, 0,
     "nop\nnop\nsbwait; nop\nmov tlbc, r0\n" END, 0},
    {CHECK_SCOREBOARD_EARLY, F, SHOWN, 0, NOWHERE, 0, SHOWN, 0},
    {CHECK_END_RULES, U, SHOWN, 1, 0, 1, SHOWN, 0},
    {CHECK_END_RULES, F, "thrend; mov r0, vary\nnop\nnop\n", 0, NOWHERE, 0, "mov r0, vary\n" END,
     0},
    {CHECK_END_RULES, U, "ldi vw_setup, 0x1a00\nthrend; nop\nnop\nmov vpm, r0\n", 3, 1, 2,
     "ldi vw_setup, 0x1a00\nmov vpm, r0\n" END, 0},
    {CHECK_END_RULES, U, "thrend; nop\nnop\nmov r0, ra14\n", 2, 0, 2, "mov r0, ra14\n" END, 0},
    {CHECK_END_RULES, U, "thrend; nop\nmov rb14, r0\nnop\n", 1, 0, 1,
     "thrend; nop\nmov rb15, r0\nnop\n", 0},
    {CHECK_END_RULES, U, "thrend; mov ra3, r0\nnop\nnop\n", 0, NOWHERE, 0,
     "thrend; mov r3, r0\nmov ra3, r0\nnop\n", 0},
    {CHECK_END_RULES, F, "nop\nnop\nthrend; nop\nnop\nmov tlbz, rb15\n", 4, 2, 2,
     "nop\nnop\nmov tlbz, rb15\nnop\n" END, 0},
    {CHECK_TLBZ_LATE, F, "nop\nnop\nthrend; nop\nmov tlbz, rb15\nnop\n", 3, 2, 1,
     "nop\nnop\nmov tlbz, rb15\nnop\n" END, 0},
    {CHECK_END_FIRST_TLB, F, "nop\nnop\nthrend; mov tlbc, r0\nnop\nnop\n", 2, NOWHERE, 0,
     "nop\nnop\nsbwait; nop\nthrend; mov tlbc, r0\nnop\nnop\n", 0},
    {CHECK_OFF_END, U, SHOWN, 2, NOWHERE, 0, SHOWN, 0},
    {CHECK_OFF_END, U, "mov r0, 1\nbrr.allz -, -40\nnop\nnop\nnop\n", 4, NOWHERE, 0,
     "mov r0, 1\nbrr -, -40\nnop\nnop\nnop\n", 0},
    {CHECK_INTO_DATA, U, SHOWN, 0, NOWHERE, 0, SHOWN, 0},
    {CHECK_BRANCH_OUTSIDE, U, SHOWN, 0, NOWHERE, 0, SHOWN, 0},
    {CHECK_BRANCH_MISALIGNED, U, SHOWN, 0, NOWHERE, 0, SHOWN, 0},
    {CHECK_NO_END, U, SHOWN, 0, NOWHERE, 0, SHOWN, 0},

    /* --- single instructions --- */
    /* From py-videocore's exit(). A nop in the add ALU writes nothing, so the mul ALU may write the
  * register that the nop names (a nop next to an fmul in qmkl's sgemm_RTT.py). */
    {CHECK_BOTH_WRITE, U, SHOWN, 2, NOWHERE, 0, SHOWN, 0},
    {CHECK_BOTH_WRITE, U, "add r0, r1, r1; mov r0, r1\n" END, 0, NOWHERE, 0,
     "=10024820209e7025\n" END, 0},
    {CHECK_BOTH_WRITE, U, "mov r1, r0; mov r1, r2\n" END, 0, NOWHERE, 0,
     "mov.ifz r1, r0; mov.ifnz r1, r2\n" END, 0},
    {CHECK_BOTH_WRITE, U, "mov.ifz r1, r0; mov.ifn r1, r2\n" END, 0, NOWHERE, 0,
     "mov ra1, r0; mov rb1, r2\n" END, 0},
    {CHECK_BOTH_WRITE_PERIPHERAL, U, "mov.ifz vpm, r0; mov.ifnz vpm, r2\n" END, 0, NOWHERE, 0,
     "mov.ifz r1, r0; mov.ifnz r1, r2\n" END, 0},
    {CHECK_VPM_SETUPS, U, SHOWN, 2, NOWHERE, 0, SHOWN, 0},
    {CHECK_VPM_READ_SETUP, U, "mov r0, vpm; mov vw_setup, r1\n" END, 0, NOWHERE, 0,
     "mov r0, vpm; mov vpm, r1\n" END, 0},
    {CHECK_VPM_WRITE_SETUP, U, "mov vpm, r0; mov vr_setup, r1\n" END, 0, NOWHERE, 0,
     "mov r0, vpm; mov vpm, r1\n" END, 0},
    {CHECK_VPM_LOAD_TMU, U, SHOWN, 3, NOWHERE, 0, SHOWN, 0},
    {CHECK_SEVERAL, U, "mov t0s, r0; mov recip, r1\n" END, 0, NOWHERE, 0,
     "mov t0s, r0\nmov recip, r1\n" END, 0},
    {CHECK_SEVERAL, U, "mov t0s, r0; ldtmu0\n" END, 0, NOWHERE, 0, "mov t0s, r0\nldtmu0; nop\n" END,
     0},
    {CHECK_SEVERAL, U, "sacq t0s, 3\n" END, 0, NOWHERE, 0, "sacq r0, 3\n" END, 0},
    {CHECK_SEVERAL, F, "mov t0s, r0\nmov recip, r0; ldtmu0\n" END, 1, NOWHERE, 0,
     "mov t0s, r0\nmov stencil, r0; ldtmu0\n" END, 0},
    {CHECK_SEVERAL, F, "nop\nnop\nmov tlbz, r0; loadc\n" END, 2, NOWHERE, 0,
     "nop\nnop\nmov stencil, r0; loadc\n" END, 0},
    {CHECK_SEVERAL, F, "nop\nnop\nmov tlbz, r0; mov tlbc, r1\n" END, 2, NOWHERE, 0,
     "nop\nnop\nmov tlbz, r0\nmov tlbc, r1; loadc\n" END, 0},
    {CHECK_COORDINATES, F, SHOWN, 2, NOWHERE, 0, SHOWN, 0},
    {CHECK_CONDITIONAL_TMU, U, SHOWN, 2, NOWHERE, 0, SHOWN, 0},
    {CHECK_CONDITIONAL_VPM, U, "ldi vw_setup, 0x1a00\nmov.ifz vpm, r0\n" END, 1, NOWHERE, 0,
     "mov.ifnz irq, r0\n" END, 0},
    {CHECK_CONDITIONAL, U, SHOWN, 2, NOWHERE, 0, SHOWN, 0},
    {CHECK_CONDITIONAL_TILE, F, SHOWN, 4, NOWHERE, 0, SHOWN, 0},
    {CHECK_PARTIAL, U, "=114049f0809e7000\n" END, 0, NOWHERE, 0, END, 0},
    {CHECK_PACK_IGNORED, U, "=10100827159e7000\n" END, NOWHERE, NOWHERE, 0, "mov ra0.16a, r0\n" END,
     0},
    {CHECK_ROTATE_FULL, U, "mov r0, ra1 << 8\n" END, NOWHERE, NOWHERE, 0, "mov r0, r1 << 8\n" END,
     0},
    {CHECK_ROTATE_MIXED, U, "fmul r0, r1 << 8, ra1\n" END, 0, NOWHERE, 0, "mov r0, r1 << 8\n" END,
     0},
    {CHECK_SEVERAL, F, "mov t0t, unif\nmov t0s, r0\nldtmu0; nop\n" END, 0, NOWHERE, 0,
     "mov r0, unif\nmov t0t, r0\nmov t0s, r0\nldtmu0; nop\n" END, 0},
    {CHECK_SEVERAL, F, "mov t0t, r0\nmov t0s, unif\nldtmu0; nop\n" END, 1, NOWHERE, 0,
     "mov t0s, unif\nldtmu0; nop\n" END, 0},
    {CHECK_RESERVED, U, RESERVED_OPCODE "\n" END, 0, NOWHERE, 0, "nop\n" END, 0},
    {CHECK_RESERVED, U, RESERVED_PACK "\n" END, 0, NOWHERE, 0, "nop\n" END, 0},
    {CHECK_RESERVED, U, RESERVED_LOAD "\n" END, 0, NOWHERE, 0, "ldi r0, 0\n" END, 0},
    {CHECK_RESERVED, U, "=f0c809e700000000\nnop\nnop\nnop\n" END, 0, NOWHERE, 0,
     "brr -, 0\nnop\nnop\nnop\n" END, 0},
    {CHECK_RESERVED, U, "=1002082715879d80\n" END, NOWHERE, NOWHERE, 0, "mov r0, ra1\n" END, 0},
    {CHECK_BREAKPOINT, U, SHOWN, 0, NOWHERE, 0, SHOWN, 0},
    {CHECK_NOP_READ, U, SHOWN, 2, NOWHERE, 0, SHOWN, 0},
    {CHECK_NOP_WRITE, U, "=100049e0009e7000\n" END, 0, NOWHERE, 0, "nop\n" END, 0},

    /* or r1, r0, r0 with unpack 16a; correct: or r1, ra1, ra1. Then both with pm and 8a; correct:
  * or r1, r4, r4. */
    {CHECK_UNPACK_IGNORED, U, "=12020867159e7000\n" END, 0, NOWHERE, 0, "=1202086715067d80\n" END,
     0},
    {CHECK_UNPACK_IGNORED, U, "=19020867159e7000\n" END, 0, NOWHERE, 0, "=19020867159e7900\n" END,
     0},
    /* fadd r1, ra1, r0; v8min r2, ra1, ra1 with unpack 16a. In the correct program unpack is 3,
  * which converts nothing. */
    {CHECK_UNPACK_KIND, U, "=1202486281067c36\n" END, 0, NOWHERE, 0, "=1602486281067c36\n" END, 0},
    /* or r1, ra1, ra1; fmul r2, ra1, ra1 with unpack 8a. The correct program has fmax instead of
  * or. */
    {CHECK_UNPACK_KIND, U, "=1802486235067db6\n" END, 0, NOWHERE, 0, "=1802486224067db6\n" END, 0},
    /* Both correct. First: two integer operations. Second: a float operation next to an operation
  * that reads only r0. */
    {CHECK_UNPACK_KIND, U, "=1802486235067db6\n" END, 0, NOWHERE, 0,
     "=1802486295067db6\n=1802486281067d80\n" END, 0},

    /* --- kinds --- */
    {CHECK_VPM_IN_FRAGMENT, F, "ldi vr_setup, 0x00101a00\n" END, 0, NOWHERE, 0,
     "mov r0, vary\n" END, 0},
    {CHECK_VPM_IN_FRAGMENT, 0, "mov r0, vary\nmov vpm, r0\n" END, 1, NOWHERE, 0,
     "mov vpm, r0\n" END, 0},
    {CHECK_NOT_FRAGMENT, V, "mov r0, vary\n" END, 0, NOWHERE, 0, "mov r0, unif\n" END, 0},
    {CHECK_NOT_FRAGMENT, U, SHOWN, 2, NOWHERE, 0, SHOWN, 0},
    {CHECK_SCOREBOARD_OUTSIDE, C, "sbdone; nop\n" END, 0, NOWHERE, 0, "nop\n" END, 0},
    {CHECK_SWITCH_OUTSIDE, V, SWITCH END, 0, NOWHERE, 0, END, 0},

    /* --- threads --- */
    {CHECK_LOST, F, "mov r1, 0\n" LAST_SWITCH "mov r2, r1\n" END, 4, 1, 3,
     "mov r1, 0\nlthrsw; nop\nmov r2, r1\nmov r2, r1\nmov r1, 1\nmov r2, r1\n" END, 0},
    {CHECK_LOST, F, "mov.setf r1, 0\n" LAST_SWITCH "mov.ifz ra1, 0\n" END, 4, 1, 3,
     "mov.setf r1, 0\n" LAST_SWITCH "mov.setf r1, 0\nmov.ifz ra1, 0\n" END, 0},
    {CHECK_SWITCH, F, SHOWN, 2, 0, 2, SHOWN, 0},
    {CHECK_SWITCH, F, "nop\nnop\nsbwait; nop\n" LAST_SWITCH END, 3, NOWHERE, 0,
     LAST_SWITCH "sbwait; nop\n" END, 0},
    {CHECK_SWITCH, F, LAST_SWITCH SWITCH END, 3, 0, 3, SWITCH LAST_SWITCH END, 0},
    {CHECK_SWITCH_NO_LAST, F, SHOWN, 0, 3, 3, SHOWN, 0},
    {CHECK_HIGH_REGISTER, F, SHOWN, 3, NOWHERE, 0, SHOWN, 0},
    {CHECK_TMU_AT_SWITCH, F, SHOWN, 6, NOWHERE, 0, SHOWN, 0},
    {CHECK_TMU_NO_SWITCH, F, SHOWN, 4, NOWHERE, 0, SHOWN, 0},

    /* --- queues and locks --- */
    {CHECK_TMU_FULL, U,
     "mov t0s, r0\nmov t0s, r0\nmov t0s, r0\nmov t0s, r0\nmov t0s, r0\nmov t0s, r0\nmov t0s, "
     "r0\nmov t0s, r0\nmov t0s, r0\n" END,
     8, NOWHERE, 0,
     "mov t0s, r0\nmov t0s, r0\nmov t0s, r0\nmov t0s, r0\nmov t0s, r0\nmov t0s, r0\nmov t0s, "
     "r0\nmov t0s, r0\nmov t1s, r0\n" END,
     0},
    /* Three requests of s and t use six slots, but a thread has four. */
    {CHECK_TMU_FULL, F, SHOWN, 7, NOWHERE, 0, SHOWN, 0},
    {CHECK_TMU_DIRECT, U, "mov t0s, r0\nmov t0s, r0\nmov t0s, r0\nmov t0s, r0\nmov t0s, r0\n" END,
     4, NOWHERE, 0,
     "mov t0s, r0\nmov t0s, r0\nmov t0s, r0\nmov t0s, r0\nldtmu0; nop\nmov t0s, r0\n" END, 0},
    {CHECK_TMU_EMPTY, U, SHOWN, 2, 1, 1, SHOWN, 0},
    {CHECK_TMU_EMPTY, U, "ldtmu1; nop\n" END, 0, NOWHERE, 0, "mov t0s, r0\nldtmu0; nop\n" END, 0},
    {CHECK_TMU_LEFT, U, SHOWN, 1, 4, 3, SHOWN, 0},
    {CHECK_TMU_UNFINISHED, F, SHOWN, 1, 4, 3, SHOWN, 0},
    {CHECK_VPM_EMPTY, U, SHOWN, 0, NOWHERE, 0, SHOWN, 0},
    {CHECK_VPM_EMPTY, U, "ldi vr_setup, 0x00101a00\nnop\nnop\nnop\nmov r0, vpm\nmov r0, vpm\n" END,
     5, 0, 5, "ldi vr_setup, 0x00201a00\nnop\nnop\nnop\nmov r0, vpm\nmov r0, vpm\n" END, 0},
    /* Setups are also known if they are constants in registers, or sums of constants. */
    {CHECK_VPM_EMPTY, U,
     "ldi ra1, 0x00101a00\nmov r0, 1\nadd rb1, ra1, r0\nnop\nmov vr_setup, rb1\nnop\nnop\nnop\n"
     "mov r0, vpm\nmov r0, vpm\n" END,
     9, 4, 5,
     "ldi ra1, 0x00101a00\nldi.ifz ra1, 0x00201a00\nnop\nmov vr_setup, ra1\nnop\nnop\nnop\n"
     "mov r0, vpm\nmov r0, vpm\n" END,
     0},
    {CHECK_VPM_LEFT, U, SHOWN, 0, 5, 5, SHOWN, 0},
    {CHECK_VPM_LEFT, U,
     "ldi vr_setup, 0x00201a00\nbrr.allz -, 8\nnop\nnop\nmov r0, vpm\nmov r0, vpm\n" END, 0, 6, 5,
     "ldi vr_setup, 0x00201a00\nbrr.allz -, 8\nnop\nmov r0, vpm\nmov r0, vpm\nnop\n" END, 0},
    /* The addendum's own example: two queued setups of two vectors each lose data, but a setup of
  * one followed by a setup of three works. */
    {CHECK_VPM_QUEUED, U, "ldi vr_setup, 0x00201a00\nldi vr_setup, 0x00201a02\n" END, 1, 0, 1,
     "ldi vr_setup, 0x00101a00\nldi vr_setup, 0x00301a01\n" END, 0},
    {CHECK_VPM_NO_WRITE_SETUP, U, SHOWN, 1, NOWHERE, 0, SHOWN, 0},
    /* Reserved codes of tables 32 to 34: id 1, size 3, MODEW 1, bit 15. The last case is a store
  * without a setup. */
    {CHECK_VPM_SETUP, U, SHOWN, 0, NOWHERE, 0, SHOWN, 0},
    {CHECK_VPM_SETUP, U, "ldi vw_setup, 0x1b00\n" END, 0, NOWHERE, 0, "ldi vw_setup, 0x1900\n" END,
     0},
    {CHECK_VPM_SETUP, U, "ldi vw_setup, 0x80904001\n" END, 0, NOWHERE, 0,
     "ldi vw_setup, 0x80904002\n" END, 0},
    {CHECK_VPM_SETUP, U, "ldi vw_setup, 0x8090c000\n" END, 0, NOWHERE, 0,
     "ldi vw_setup, 0x80904000\n" END, 0},
    {CHECK_VPM_SETUP, U, "ldi vw_setup, 0x1a00\nmov vw_addr, r0\nmov -, vw_wait\n" END, 1, NOWHERE,
     0, "ldi vw_setup, 0x80904000\nmov vw_addr, r0\nmov -, vw_wait\n" END, 0},
    {CHECK_VPM_SETUP, U, "mov vr_addr, r0\nmov -, vr_wait\n" END, 0, NOWHERE, 0,
     "ldi vr_setup, 0x80010000\nmov vr_addr, r0\nmov -, vr_wait\n" END, 0},
    /* The store reads five words of a column (depth 5, table 34) from row 15 on. The correct
  * program starts at row 11 and ends with row 15. */
    {CHECK_VPM_COLUMN, U, SHOWN, 2, 1, 1, SHOWN, 0},
    /* In block mode (table 35), each row starts directly after the previous row. */
    {CHECK_VPM_COLUMN, U,
     "ldi vw_setup, 0xc0000000\nldi vw_setup, 0x80850780\nmov vw_addr, r0\nmov -, vw_wait\n" END, 2,
     1, 1,
     "ldi vw_setup, 0xc0010000\nldi vw_setup, 0x80850780\nmov vw_addr, r0\nmov -, vw_wait\n" END,
     0},
    /* Stores of rows of 16 words from column 8 on, where only 8 fit. Then loads of 16 words (code
  * 0) and of 8 from column 8 on (table 36). */
    {CHECK_VPM_WIDTH, U, SHOWN, 2, 1, 1, SHOWN, 0},
    {CHECK_VPM_WIDTH, U, "ldi vr_setup, 0x80010008\nmov vr_addr, r0\nmov -, vr_wait\n" END, 1, 0, 1,
     "ldi vr_setup, 0x80810008\nmov vr_addr, r0\nmov -, vr_wait\n" END, 0},
    /* All programs write row 8. The first wrong program stores row 9, and its correct program row
  * 8. The second wrong program stores rows 7 and 8. In its correct program, a load has filled
  * row 7. The third wrong program reads row 9, and its correct program row 8. */
    {CHECK_VPM_UNWRITTEN, U, SHOWN, 4, 3, 1, SHOWN, 0},
    {CHECK_VPM_UNWRITTEN, U,
     "ldi vw_setup, 0x1a08\nmov vpm, r0\nldi vw_setup, 0x81104380\nmov vw_addr, r0\n"
     "mov -, vw_wait\n" END,
     3, 2, 1,
     "ldi vr_setup, 0x80010070\nmov vr_addr, r0\nmov -, vr_wait\nldi vw_setup, 0x1a08\n"
     "mov vpm, r0\nldi vw_setup, 0x81104380\nmov vw_addr, r0\nmov -, vw_wait\n" END,
     0},
    {CHECK_VPM_UNWRITTEN, U,
     "ldi vw_setup, 0x1a08\nmov vpm, r0\nldi vr_setup, 0x00101a09\nnop\nnop\nnop\n"
     "mov r0, vpm\n" END,
     2, NOWHERE, 0,
     "ldi vw_setup, 0x1a08\nmov vpm, r0\nldi vr_setup, 0x00101a08\nnop\nnop\nnop\n"
     "mov r0, vpm\n" END,
     0},
    /* The checker does not follow other QPUs. After a semaphore, any row may have been written. The
  * checker also reports nothing after a setup whose value is computed. */
    {CHECK_VPM_UNWRITTEN, U,
     "ldi vw_setup, 0x1a08\nmov vpm, r0\nldi vw_setup, 0x80904480\nmov vw_addr, r0\n"
     "mov -, vw_wait\n" END,
     3, 2, 1,
     "ldi vw_setup, 0x1a08\nmov vpm, r0\nsacq -, 3\nldi vw_setup, 0x80904480\nmov vw_addr, r0\n"
     "mov -, vw_wait\n" END,
     0},
    {CHECK_VPM_UNWRITTEN, U,
     "ldi vw_setup, 0x1a08\nmov vpm, r0\nldi vw_setup, 0x80904480\nmov vw_addr, r0\n"
     "mov -, vw_wait\n" END,
     3, 2, 1,
     "mov vw_setup, unif\nmov vpm, r0\nldi vw_setup, 0x80904480\nmov vw_addr, r0\n"
     "mov -, vw_wait\n" END,
     0},
    {CHECK_VPM_ALIGNMENT, U, SHOWN, 1, 0, 1, SHOWN, 0},
    {CHECK_VPM_ALIGNMENT, U,
     "ldi vw_setup, 0xc0000002\nldi vw_setup, 0x81104000\nmov vw_addr, r0\nmov -, vw_wait\n" END, 2,
     0, 2,
     "ldi vw_setup, 0xc0000004\nldi vw_setup, 0x81104000\nmov vw_addr, r0\nmov -, vw_wait\n" END,
     0},
    {CHECK_VPM_DMA_BUSY, U, SHOWN, 4, 3, 1, SHOWN, 0},
    /* A store starts in the last delay slot of a loop. When the loop repeats, the store is still
  * running. */
    {CHECK_VPM_DMA_BUSY, U,
     "ldi vw_setup, 0x80904000\nbrr.anynz -, -32\nnop\nnop\nmov vw_addr, r0\nmov -, vw_wait\n" END,
     4, 4, 0,
     "ldi vw_setup, 0x80904000\nmov -, vw_wait\nbrr.anynz -, -40\nnop\nnop\nmov vw_addr, r0\n"
     "mov -, vw_wait\n" END,
     0},
    {CHECK_VPM_ROW, U, SHOWN, 0, NOWHERE, 0, SHOWN, 0},
    {CHECK_VPM_ROW, U, "ldi vr_setup, 0x80010400\n" END, 0, NOWHERE, 0,
     "ldi vr_setup, 0x80010100\n" END, 0},
    {CHECK_VPM_DMA_LEFT, U, SHOWN, 2, 3, 1, SHOWN, 0},
    {CHECK_VPM_DMA_LEFT, U, "ldi vr_setup, 0x80010000\nmov vr_addr, r0\nmov -, vw_wait\n" END, 1, 3,
     2, "ldi vr_setup, 0x80010000\nmov vr_addr, r0\nmov -, vr_wait\n" END, 0},
    {CHECK_VPM_DMA_LEFT, U, "mov vw_addr, r0\nmov irq, r0\nmov -, vw_wait\n" END, 0, 1, 1,
     "mov vw_addr, r0\nmov -, vw_wait\nmov irq, r0\n" END, 0},
    /* A load of one row of 16 words (table 36) to row 2. The wrong programs read rows 1 and 2, and
  * the correct ones read from row 3 on (table 33). */
    {CHECK_VPM_UNFINISHED, U,
     "ldi vr_setup, 0x80010020\nmov vr_addr, r0\nldi vr_setup, 0x00201a01\n" END, 2, 1, 1,
     "ldi vr_setup, 0x80010020\nmov vr_addr, r0\nldi vr_setup, 0x00201a03\n" END, 0},
    {CHECK_VPM_UNFINISHED, U,
     "ldi vr_setup, 0x80010020\nmov vr_addr, r0\nldi vr_setup, 0x00201a01\n" END, 2, 1, 1,
     "ldi vr_setup, 0x80010020\nmov vr_addr, r0\nmov -, vr_wait\nldi vr_setup, 0x00201a01\n" END,
     0},
    /* A load of 16 words down column 3, from row 4 on. The last row of the load is 4 + 15. */
    {CHECK_VPM_UNFINISHED, U,
     "ldi vr_setup, 0x80010843\nmov vr_addr, r0\nldi vr_setup, 0x00101a13\n" END, 2, 1, 1,
     "ldi vr_setup, 0x80010843\nmov vr_addr, r0\nldi vr_setup, 0x00101a14\n" END, 0},
    /* A store of 2 rows (table 34) from row 5 on. The wrong program writes row 6, and the correct
  * program row 7. */
    {CHECK_VPM_UNFINISHED, U,
     "ldi vw_setup, 0x81104280\nmov vw_addr, r0\nldi vw_setup, 0x1a06\nmov vpm, r0\n" END, 3, 1, 2,
     "ldi vw_setup, 0x81104280\nmov vw_addr, r0\nldi vw_setup, 0x1a07\nmov vpm, r0\n" END, 0},
    {CHECK_VPM_UNFINISHED, U,
     "ldi vr_setup, 0x80010020\nldi vw_setup, 0x80904100\nmov vr_addr, r0\nmov vw_addr, r0\n" END,
     3, 2, 1,
     "ldi vr_setup, 0x80010020\nldi vw_setup, 0x80904100\nmov vr_addr, r0\nmov -, vr_wait\n"
     "mov vw_addr, r0\n" END,
     0},
    {CHECK_ROW_AGAIN, V, "ldi vr_setup, 0x00200a00\nnop\nnop\nnop\nmov r0, vpm\nmov r0, vpm\n" END,
     5, NOWHERE, 0, "ldi vr_setup, 0x00201a00\nnop\nnop\nnop\nmov r0, vpm\nmov r0, vpm\n" END, 0},
    {CHECK_ATTRIBUTE_LEFT, V,
     "ldi vr_setup, 0x00202a00\nnop\nnop\nnop\nmov r0, vpm\nmov r0, vpm\n" END, 6, NOWHERE, 0,
     "ldi vr_setup, 0x00201a00\nnop\nnop\nnop\nmov r0, vpm\nmov r0, vpm\n" END, 0},
    /* One of two paths skips the read of the second row. */
    {CHECK_ATTRIBUTE_LEFT, V,
     "ldi vr_setup, 0x00201a00\nnop\nnop\nmov r0, vpm\nbrr.allz -, 8\nnop\nnop\nnop\nmov r0, "
     "vpm\n" END,
     9, NOWHERE, 0,
     "ldi vr_setup, 0x00201a00\nnop\nnop\nmov r0, vpm\nbrr.allz -, 8\nnop\nnop\nmov r0, "
     "vpm\nnop\n" END,
     0},
    {CHECK_ROW_AGAIN, V, "ldi vw_setup, 0x0a00\nmov vpm, r0\nmov vpm, r0\n" END, 2, NOWHERE, 0,
     "ldi vw_setup, 0x1a00\nmov vpm, r0\nmov vpm, r0\n" END, 0},
    {CHECK_OUTPUT_LEFT, V, SHOWN, 4, NOWHERE, 0, SHOWN, 0},
    {CHECK_OUTPUT_LEFT, C, "ldi vw_setup, 0x1a00\nmov vpm, r0\nmov vpm, r0\nmov vpm, r0\n" END, 4,
     NOWHERE, 0,
     "ldi vw_setup, 0x1a00\nmov vpm, r0\nmov vpm, r0\nmov vpm, r0\nmov vpm, r0\nmov vpm, r0\nmov "
     "vpm, r0\nmov vpm, r0\n" END,
     0},
    {CHECK_VARYING_LEFT, F, SHOWN, 1, NOWHERE, 0, SHOWN, 3},
    {CHECK_VARYING_LEFT, F, "mov r0, vary\nbrr.allz -, 8\nnop\nnop\nnop\nmov r0, vary\n" END, 6,
     NOWHERE, 0, "mov r0, vary\nbrr.allz -, 8\nnop\nnop\nmov r0, vary\nnop\n" END, 3},
    {CHECK_VARYING_EXTRA, F, SHOWN, 3, NOWHERE, 0, SHOWN, 3},
    {CHECK_VARYING_DIFFER, F, SHOWN, 6, NOWHERE, 0, SHOWN, 0},
    {CHECK_TLB_Z_LATE, F, SHOWN, 4, 3, 1, SHOWN, 0},
    /* For a second layer, the correct order is Z, colour, Z, colour. */
    {CHECK_TLB_Z_LATE, F, "nop\nnop\nmov tlbm, r0\nnop\nmov tlbz, rb15\nmov tlbm, r0\nnop\n" END, 4,
     2, 2, "nop\nnop\nmov tlbz, rb15\nmov tlbc, r0\nmov tlbz, rb14\nmov tlbc, r0\nnop\n" END, 0},
    {CHECK_UNLOCK_FREE, F, SHOWN, 3, NOWHERE, 0, SHOWN, 0},
    {CHECK_TILE_AFTER_UNLOCK, F, SHOWN, 5, 4, 1, SHOWN, 0},
    {CHECK_UNLOCK_MISSING, F, SHOWN, 6, NOWHERE, 0, SHOWN, 0},
    {CHECK_MUTEX_HELD, U, SHOWN, 0, 3, 3, SHOWN, 0},
    {CHECK_MUTEX_TWICE, U, SHOWN, 1, 0, 1, SHOWN, 0},
    {CHECK_MUTEX_FREE, U, SHOWN, 0, NOWHERE, 0, SHOWN, 0},

    /* --- undefined values --- */
    /* In a loop: a register that is never written, and a register that is written only after the
  * read, so that the first iteration reads no value. The third case is in an outer loop. */
    {CHECK_UNDEFINED, U,
     "mov r2, unif\nmov r0, r3\nsub.setf r2, r2, 1\nbrr.anynz -, -48\nnop\nnop\nnop\n" END, 1,
     NOWHERE, 0,
     "mov r3, unif\nmov r0, r3\nsub.setf r3, r3, 1\nbrr.anynz -, -48\nnop\nnop\nnop\n" END, 0},
    {CHECK_UNDEFINED, U,
     "mov r2, unif\nadd r3, r3, r2\nsub.setf r2, r2, 1\nbrr.anynz -, -48\nnop\nnop\nnop\n" END, 1,
     NOWHERE, 0,
     "mov r2, unif\nmov r3, 0\nadd r3, r3, r2\nsub.setf r2, r2, 1\nbrr.anynz -, -48\nnop\nnop\n"
     "nop\n" END,
     0},
    {CHECK_UNDEFINED, U,
     "mov r2, unif\nmov r0, ra3\nnop\nmov.setf -, r2\nbrr.anynz -, -56\nnop\nnop\n"
     "mov ra3, r2\n" END,
     1, NOWHERE, 0,
     "mov r2, unif\nbrr -, 8\nnop\nnop\nmov ra3, r2\nnop\nmov r0, ra3\nmov.setf -, r2\n"
     "brr.anynz -, -48\nnop\nnop\nmov ra3, r2\n" END,
     0},
    {CHECK_UNDEFINED, U,
     "mov r2, unif\nmov r1, r3\nmov r3, r2\nsub.setf r2, r2, 1\nbrr.anynz -, -48\nnop\nnop\nnop\n"
     "mov.setf -, r1\nbrr.anynz -, -96\nnop\nnop\nnop\n" END,
     1, NOWHERE, 0,
     "mov r2, unif\nmov.setf -, r2\nbrr.allz -, 48\nnop\nnop\nnop\nmov r3, r2\nbrr -, -80\n"
     "sub r2, r2, 1\nnop\nnop\nnop\nmov r0, r3\n" END,
     0},
    /* Correct: a value is written and read under the same condition. Correct: a register is moved
  * to itself, as in py-videocore's exit(). */
    {CHECK_UNDEFINED, U,
     "mov r2, unif\nadd r3, r3, r2\nsub.setf r2, r2, 1\nbrr.anynz -, -48\nnop\nnop\nnop\n" END, 1,
     NOWHERE, 0,
     "mov r2, unif\nmov.setf -, r2\nadd.ifz r0, r3, r2\nmov.ifnz r3, r2\nbrr.anynz -, -56\nnop\n"
     "nop\nsub.setf r2, r2, 1\n" END,
     0},
    {CHECK_UNDEFINED, U, "mov r1, r0\n" END, 0, NOWHERE, 0,
     "thrend; mov r0, r0; mov r0, r0\nnop\nnop\n", 0},
    /* A nop in the add ALU writes nothing. */
    {CHECK_UNDEFINED, U, "=10020827009e7000\nmov r1, r0\n" END, 1, NOWHERE, 0,
     "mov r0, 1\nmov r1, r0\n" END, 0},
    {CHECK_UNDEFINED, U, "mov r1, r0\n" END, 0, NOWHERE, 0, "sub r0, r0, r0\nmov r1, r0\n" END, 0},
    {CHECK_UNDEFINED, U, "mov r1, ra3\n" END, 0, NOWHERE, 0, "mov ra3, 0\nnop\nmov r1, ra3\n" END,
     0},
    {CHECK_UNDEFINED, F, "mov r1, rb14\n" END, 0, NOWHERE, 0, "mov r1, rb15\n" END, 0},
    {CHECK_PARTIAL_VALUE, U, SHOWN, 3, 2, 1, SHOWN, 0},
    {CHECK_PARTIAL_VALUE, U, "mov.setf r1, elem_num\nmov.ifz r0, 1\nmov vpm, r0\n" END, 2, 1, 1,
     "mov.setf r1, elem_num\nmov.ifz r0, 1\nmov.ifnz r0, 2\nmov vpm, r0\n" END, 0},
    /* Reported: a value that passes through a sum. Not reported: a second write under a condition
  * on other flags, and an output under the same condition as the write. */
    {CHECK_PARTIAL_VALUE, F,
     "mov.setf r1, ra15\nmov.ifn ra0, 1\nnop\nadd r2, ra0, 1\nmov tlbc, r2\nnop\n" END, 4, NOWHERE,
     0,
     "mov.setf r1, ra15\nmov.ifn r0, 1\nmov.setf r1, rb15\nmov.ifn r0, 2\nmov tlbc, r0\nnop\n" END,
     0},
    {CHECK_PARTIAL_VALUE, F, "mov.setf r1, ra15\nmov.ifn r0, 1\nmov tlbc, r0\nnop\n" END, 2, 1, 1,
     "mov.setf r1, ra15\nmov.ifn r0, 1\nmov.ifn tlbc, r0\nnop\n" END, 0},
    /* The correct program writes all elements of r0 after the two paths have joined. */
    {CHECK_PARTIAL_VALUE, U,
     "mov.setf r1, elem_num\nbrr.allz -, 8\nnop\nnop\nmov.ifz r0, 1\nnop\nmov vpm, r0\n" END, 6, 4,
     1,
     "mov.setf r1, elem_num\nbrr.allz -, 8\nnop\nnop\nmov.ifz r0, 1\nmov r0, 2\nmov vpm, r0\n" END,
     0},
    {CHECK_UNDEFINED_FLAGS, U, SHOWN, 0, NOWHERE, 0, SHOWN, 0},

    /* --- errata --- */
    {CHECK_TLBZ_LATE, F, "nop\nnop\nmov tlbz, rb15\n" END, 3, 2, 1,
     "nop\nnop\nmov tlbz, rb15\nnop\n" END, 0},
    {CHECK_TMU_START, F, SHOWN, 1, NOWHERE, 0, SHOWN, 0},
    /* The selector of the setup word (manual table 27): 1 and 2 select one face, 3 selects both,
  * and 0 sets only the masks. */
    {CHECK_STENCIL_FACES, F, "nop\nldi stencil, 0x400700ff\n" END, 1, NOWHERE, 0,
     "nop\nldi stencil, 0xc00700ff\n" END, 0},
    {CHECK_STENCIL_FACES, F, "nop\nldi stencil, 0x800700ff\n" END, 1, NOWHERE, 0,
     "nop\nldi stencil, 0x0000ffff\n" END, 0},
    {CHECK_TMU_ALIGNMENT, U, SHOWN, 0, NOWHERE, 0, SHOWN, 0},
    /* A shift by -16 is a shift by 16. Programs use it because small immediates end at 15. Counts
  * of 64 and more are not reported, because they may be packed words. */
    {CHECK_SHIFT_COUNT, U, SHOWN, 2, NOWHERE, 0, SHOWN, 0},
    {CHECK_SHIFT_COUNT, U, "ldi ra1, 33\nnop\nror r0, r2, ra1\n" END, 2, NOWHERE, 0,
     "shr r0, r2, -16\n" END, 0},
    {CHECK_PACK_INTEGER, U, SHOWN, 0, NOWHERE, 0, SHOWN, 0},
    {CHECK_PACK_INTEGER, U, "mov r0, elem_num\nnop; mov r2.8a, r0\n" END, 1, NOWHERE, 0,
     "itof r0, elem_num\nnop; mov r2.8a, r0\n" END, 0},
    {CHECK_PACK_INTEGER, U, "ftoi r0, r1\nnop; mov r2.8abcd, r0\n" END, 1, NOWHERE, 0,
     "fadd r0, r1, r1\nnop; mov r2.8abcd, r0\n" END, 0},
    {CHECK_PACK_INTEGER, U, "shr r0, r1, 12\nnop; mov r2.8b, r0\n" END, 1, NOWHERE, 0,
     "shr r0, r1, 8\nnop; mov r2.8b, r0\n" END, 0},
    {CHECK_PACK_INTEGER, U, "ldi r0, 255\nadd r0, r0, 1\nnop; mov r2.8b, r0\n" END, 2, NOWHERE, 0,
     "ldi r0, 0x3f000000\nadd r0, r0, 1\nnop; mov r2.8b, r0\n" END, 0},
    /* Only register file A packs integers. */
    {CHECK_PACK_INTEGER, U, "mov r2.8d, 7\n" END, 0, NOWHERE, 0, "mov ra2.8d, 7\n" END, 0},
    /* Floats that are derived from the element numbers differ between elements, and so does TMU
  * data. Counters from a uniform are the same in all elements. */
    {CHECK_BRANCH_ALL, U, SHOWN, 3, NOWHERE, 0, SHOWN, 0},
    {CHECK_BRANCH_ALL, U,
     "mov t0s, r0\nldtmu0; nop\nsub.setf r1, r4, 1\nbrr.allnz -, -40\nnop\nnop\nnop\n" END, 3,
     NOWHERE, 0, "mov r0, elem_num\nsub.setf r1, r0, 1\nbrr.allnz -, -40\nnop\nnop\nnop\n" END, 0},
    {CHECK_BRANCH_ALL, U,
     "mov t0s, r0\nldtmu0; nop\nsub.setf r1, r4, 1\nbrr.allnz -, -40\nnop\nnop\nnop\n" END, 3,
     NOWHERE, 0, "mov r1, unif\nsub.setf r1, r1, 1\nbrr.allnz -, -40\nnop\nnop\nnop\n" END, 0},
    {CHECK_A0_EXP, U, SHOWN, 0, NOWHERE, 0, SHOWN, 0},
    {CHECK_A0_SETUP, U, SHOWN, 1, NOWHERE, 0, SHOWN, 0},
    {CHECK_A0_TMU_SWITCH, F, SHOWN, 3, 2, 1, SHOWN, 0},
    {CHECK_A0_VARYING, F, SHOWN, 3, NOWHERE, 0, SHOWN, 0},
    {CHECK_A0_COLOUR, F, SHOWN, 2, NOWHERE, 0, SHOWN, 0},
    {CHECK_A0_UNLOCK, F, SHOWN, 5, NOWHERE, 0, SHOWN, 0},
};

/* Rules that other tests cover: rules about sources, and limits. */
/* Rules about comments and scenes are tested by tests/check/frame/check.c and
 * tests/programs/qpu_mistakes.py, rules about names by tests/cli/check_names.py. The limit is
 * tested below. */
static const enum check_rule elsewhere[] = {
    CHECK_UNUSED_ALLOW,
    CHECK_UNKNOWN_RULE,
    CHECK_LIMIT,
    CHECK_LIST_STATE_COUNTER,
    CHECK_LIST_POINT_SIZE,
    CHECK_LIST_VERTEX_POINT,
    CHECK_LIST_INDEX_WRAP,
    CHECK_LIST_LINE_LOOP,
    CHECK_LIST_COVERAGE,
    CHECK_LIST_EARLY_Z,
    CHECK_TEXTURE_CHILD,
    CHECK_TEXTURE_RASTER,
    CHECK_TEXTURE_HALF,
    CHECK_A0_VG,
    CHECK_A0_HEIGHT,
    CHECK_A0_SHADERS,
    CHECK_NAME_REGISTER,
    CHECK_NUMBER_WRITTEN,
    CHECK_R4_WRITTEN,
    CHECK_VARYING_IMPLICIT,
    CHECK_SEMAPHORE_LEFT,
    CHECK_INTERRUPT_EACH,
    CHECK_READ_DROPPED,
    /* tested by tests/programs/list_memory.py */
    CHECK_LIST_OVERLAP,
    CHECK_LIST_OVERLAP_RISK,
    CHECK_LIST_IMAGE_FORMAT,
    CHECK_LIST_ALIAS,
    CHECK_LIST_ATTRIBUTES_BYTES,
    CHECK_LIST_INVERSE_W,
    CHECK_TEXTURE_FRAME,
    CHECK_TEXTURE_STORED,
};

static uint64_t parse(const char *line, size_t length)
{
    uint64_t word = 0;
    struct asm_error error = {0};
    if (qpu_parse(line, length, 0, NULL, &word, &error) != QPU_PARSE_OK)
        fail_msg("'%.*s': %s", (int)length, line, error.text);
    return word;
}

static void assemble(const char *text, struct words *words)
{
    memset(words, 0, sizeof *words);
    for (const char *line = text; *line;) {
        line += strspn(line, " ");
        size_t length = strcspn(line, "\n");
        if (*line == '#') {
            line += length + (line[length] != 0);
            continue;
        }
        assert_true(words->count < WORDS);
        uint64_t word = 0;
        if (*line == '=')
            word = strtoull(line + 1, NULL, 16);
        else if (strncmp(line, "data", length) == 0 || strncmp(line, ".int ", 5) == 0)
            words->content[words->count] = CHECK_DATA;
        else
            word = parse(line, length);
        store_le64(words->bytes + words->count++ * 8, word);
        line += length + (line[length] != 0);
    }
}

struct seen {
    enum check_rule rule;
    const struct check_finding *last;
    struct check_finding finding;
    unsigned count;
    int at; /* expected place of the finding; NOWHERE if any place is correct */
};

/* Diagnostics start with a lower-case letter, except for names, and have no period. */
static void expect_style(const char *text)
{
    bool capital = *text >= 'A' && *text <= 'Z' && text[1] >= 'a' && text[1] <= 'z';
    if (capital || strncmp(text, "A ", 2) == 0 || text[strlen(text) - 1] == '.')
        fail_msg("'%s' does not read like other diagnostics", text);
}

static void see(void *user, const struct check_finding *finding)
{
    struct seen *seen = user;
    expect_style(finding->text);
    if (finding->rule != seen->rule)
        return;
    seen->count++;
    bool here = seen->at == NOWHERE || finding->address == BASE + (uint32_t)seen->at * 8;
    if (seen->count == 1 || here)
        seen->finding = *finding;
}

static struct seen check(const char *text, const struct rule_case *c)
{
    struct words words;
    struct seen seen = {.rule = c->rule, .at = c->at};
    const struct check_entry entry = {.address = BASE,
                                      .kind = (enum tess_shader_kind)c->kind,
                                      .varyings = c->varyings - 1,
                                      .rows = -1,
                                      .sure = true};
    assemble(text, &words);
    const struct check_input input = {.base = BASE,
                                      .words = words.bytes,
                                      .count = words.count,
                                      .content = words.content,
                                      .entries = &entry,
                                      .entry_count = 1};
    assert_true(qpu_check_machine.check(&input, (struct check_sink){see, &seen}));
    return seen;
}

TEST(test_rules)
{
    unsigned failed = 0;
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        const struct rule_case *c = &cases[i];
        const char *id = check_rule(c->rule)->id;
        struct seen bad = check(case_program(c->bad, id, false), c);
        struct seen good = check(case_program(c->good, id, true), c);
        int at = c->at == NOWHERE ? 0 : c->at;
        bool here = bad.count > 0 && bad.finding.address == BASE + (uint32_t)at * 8;
        bool other = bad.finding.has_other ? bad.finding.other == BASE + (uint32_t)c->other * 8
                                           : c->other == NOWHERE;
        bool far = c->distance == 0 || bad.finding.distance == (uint32_t)c->distance;
        if (here && other && far && good.count == 0)
            continue;
        print_error("%s (case %zu): found %u at word %d, other %d, distance %u: %s; in the good "
                    "program %u: %s\n",
                    id, i, bad.count, (int)(bad.finding.address - BASE) / 8,
                    (int)(bad.finding.other - BASE) / 8, bad.finding.distance, bad.finding.text,
                    good.count, good.finding.text);
        failed++;
    }
    assert_int_equal(failed, 0);
}

/* One mistake must cause one finding. The first case has 20 requests to a queue of eight. The
 * second reads a result from the wrong TMU. */
TEST(test_consequences)
{
    static const struct {
        const char *program;
        enum check_rule rule;
        unsigned count;
    } rows[] = {
        {"R\nR\nR\nR\nR\nR\nR\nR\nR\nR\nR\nR\n" END, CHECK_TMU_FULL, 1},
        {"R\nR\nR\nR\nR\nR\nR\nR\nR\nR\nR\nR\n" END, CHECK_TMU_DIRECT, 0},
        {"R\nR\nR\nR\nR\nR\nR\nR\nR\nR\nR\nR\n" END, CHECK_TMU_LEFT, 0},
        {"R\nR\nR\nR\nR\nR\nR\n" END, CHECK_TMU_DIRECT, 1},
        {"R\nldtmu1; nop\n" END, CHECK_TMU_EMPTY, 1},
        {"R\nldtmu1; nop\n" END, CHECK_TMU_LEFT, 0},
        {"R\nR\nldtmu0; nop\n" END, CHECK_TMU_LEFT, 1},
    };
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        char program[512] = "";
        for (const char *at = rows[i].program; *at; at++) {
            const char letter[2] = {*at, 0};
            bool request = *at == 'R' && (at == rows[i].program || at[-1] == '\n');
            strncat(program, request ? "mov t0s, r0" : letter,
                    sizeof program - strlen(program) - 1);
        }
        const struct rule_case c = {.rule = rows[i].rule, .kind = U, .at = NOWHERE};
        struct seen seen = check(program, &c);
        if (seen.count != rows[i].count)
            fail_msg("row %zu: %u of %s", i, seen.count, check_rule(rows[i].rule)->id);
    }
}

TEST(test_each_rule_has_a_case)
{
    bool has[CHECK_RULES] = {false};
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++)
        has[cases[i].rule] = true;
    for (size_t i = 0; i < sizeof elsewhere / sizeof elsewhere[0]; i++)
        has[elsewhere[i]] = true;
    for (unsigned rule = 0; rule < CHECK_RULES; rule++)
        if (!has[rule] && check_rule_is_for((enum check_rule)rule, TESS_MACHINE_QPU))
            fail_msg("%s has no case", check_rule((enum check_rule)rule)->id);
}

/* Ids must consist of lower-case letters and hyphens, and every rule must have all its texts. */
TEST(test_table)
{
    for (unsigned i = 0; i < CHECK_RULES; i++) {
        const struct tess_rule *rule = check_rule((enum check_rule)i);
        enum check_rule same;
        assert_int_equal(strspn(rule->id, "abcdefghijklmnopqrstuvwxyz0123456789-"),
                         strlen(rule->id));
        assert_true(check_rule_find(rule->id, strlen(rule->id), &same) && same == i);
        assert_true(*rule->title && *rule->why && *rule->instead && *rule->source);
        expect_style(rule->instead);
    }
}

/* Old ids are aliases of rules. No rule may have the id of an alias. */
TEST(test_aliases)
{
    const char *old, *id;
    size_t count = 0;
    for (; alias_get(count, &old, &id); count++) {
        const struct tess_rule *rule = tess_rule_find(old, TESS_RULES_OF_CHECKS);
        if (!rule || strcmp(rule->id, id) != 0)
            fail_msg("%s does not lead to %s", old, id);
        assert_non_null(tess_rule_find(id, TESS_RULES_OF_RUNS));
        assert_ptr_equal(tess_rule_find(old, TESS_RULES_OF_RUNS),
                         tess_rule_find(id, TESS_RULES_OF_RUNS));
    }
    assert_string_equal(tess_rule_find("regfile-read-after-write", TESS_RULES_OF_CHECKS)->id,
                        "qpu-read-after-write");
    assert_true(count > 50);
}

/* A finding that the checker and the run share must have the same level in both. */
TEST(test_levels_agree_with_the_run)
{
    unsigned common = 0;
    for (unsigned i = 0; i < CHECK_RULES; i++) {
        const struct tess_rule *rule = check_rule((enum check_rule)i);
        const struct tess_rule *finding = tess_rule_find(rule->id, TESS_RULES_OF_RUNS);
        if (!finding || finding->of != TESS_RULE_VC4)
            continue;
        common++;
        if (rule->level != finding->level)
            fail_msg("the levels of %s differ", rule->id);
    }
    assert_true(common > 40);
}
