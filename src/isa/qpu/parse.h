/* SPDX-License-Identifier: MIT */
/* parse.h - one line of QPU assembly in the vc4asm dialect becomes one instruction word.
 *
 * The line has no label, no comment and no directive. Names that are no registers, and all
 * expressions, go to the caller's evaluate(). docs/isa/qpu.md says which part of the dialect is
 * taken. */
#ifndef ISA_QPU_PARSE_H
#define ISA_QPU_PARSE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* What a register name stands for. */
enum {
    QPU_REGISTER_A = 1, /* it exists in file A, in file B */
    QPU_REGISTER_B = 2,
    QPU_REGISTER_READ = 4, /* through a file's read port */
    QPU_REGISTER_WRITE = 8,
    QPU_REGISTER_ACCUMULATOR = 16, /* address 32..37 is also readable as r0..r5 */
    QPU_REGISTER_ACQUIRE = 32,     /* a semaphore: sacq0..15, srel0..15 */
    QPU_REGISTER_RELEASE = 64,
};
struct qpu_register {
    uint8_t address, uses;
    /* Vector rotation written on it: elements upwards (<<), 0 to 15. QPU_ROTATE_BY_R5 if its amount
     * is r5, QPU_ROTATE_DOWN_BY_R5 for >> r5. */
    uint8_t rotation;
};
enum { QPU_ROTATE_BY_R5 = 16, QPU_ROTATE_DOWN_BY_R5 = 17 };

enum qpu_value_kind {
    QPU_VALUE_INTEGER,
    QPU_VALUE_REAL,
    QPU_VALUE_LABEL,             /* integer is an address; brr makes it a distance */
    QPU_VALUE_REGISTER,          /* a name that stands for a register */
    QPU_VALUE_ELEMENTS,          /* [..] of 0 and 1 only; integer is the pattern of the load */
    QPU_VALUE_ELEMENTS_SIGNED,   /* [..] with -2 or -1 */
    QPU_VALUE_ELEMENTS_UNSIGNED, /* [..] with 2 or 3 */
};
struct qpu_value {
    enum qpu_value_kind kind;
    int64_t integer;
    double real;
    struct qpu_register reg;
    bool relative; /* of a label: written "r:name", for branches only */
    bool unknown;  /* the expression is fine but has no value yet (first pass) */
};

struct qpu_parse_error {
    size_t column; /* byte offset into the text, from 0 */
    char message[160];
    const char *hint; /* what to write instead; static, or NULL */
};

struct qpu_parse_env {
    /* Evaluates all of text. On failure it fills *error (column relative to text) and returns
     * false. */
    bool (*evaluate)(void *user, const char *text, size_t length, struct qpu_value *value,
                     struct qpu_parse_error *error);
    void *user;
};

enum qpu_parse_result {
    QPU_PARSE_OK,
    QPU_PARSE_UNKNOWN, /* fine so far, but a value is unknown: *word is a placeholder */
    QPU_PARSE_ERROR,
};

/* Parses text, the instruction at address, into *word. env may be NULL: then only plain numbers are
 * known. */
enum qpu_parse_result qpu_parse(const char *text, size_t length, uint32_t address,
                                const struct qpu_parse_env *env, uint64_t *word,
                                struct qpu_parse_error *error);

/* Looks up a register, with any of its names ("ra3", "unif", "uniform_read", "sacq7"). */
bool qpu_register_find(const char *name, size_t length, struct qpu_register *reg);

#endif
