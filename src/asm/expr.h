/* SPDX-License-Identifier: MIT */
/* expr.h - constant expressions of the assembler: C's operators and precedence, plus what the
 * vc4asm dialect adds ("**", "<<<", ">>>", "^^", labels written ":name" and "r:name").
 *
 * In:  text, and a callback that knows the symbols.
 * Out: a 64-bit integer (arithmetic wraps) or a double, or an error with its place in the text. */
#ifndef ASM_EXPR_H
#define ASM_EXPR_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum asm_kind { ASM_INTEGER, ASM_FLOAT };

struct asm_value {
    enum asm_kind kind;
    int64_t integer; /* ASM_INTEGER */
    double real;     /* ASM_FLOAT */
    bool unknown;    /* depends on a symbol that has no value yet: only in the first pass */
    bool forward;    /* depends on a symbol that is defined further down */
    bool label;      /* a place: a label, ".", or one of them plus or minus a number */
    bool relative;   /* a place written "r:name" */
};

/* What is wrong, and the byte of the text where it is. */
struct asm_error {
    size_t offset;
    const char *rule, *hint; /* static strings; hint may be NULL */
    char text[200];
};

/* The names that an expression may use. */
struct asm_names {
    /* Looks name up; false if there is no such symbol. only_labels leaves constants out. */
    bool (*lookup)(void *user, const char *name, size_t length, bool only_labels,
                   struct asm_value *value);
    /* Looks up the nearest label number (":1") before or after this place. */
    bool (*numbered)(void *user, uint32_t number, bool after, struct asm_value *value);
    void *user;
    uint32_t address; /* the value of "." */
};

/* Evaluates the longest expression that starts at text[*at] and moves *at behind it and the blanks
 * that follow. False leaves the reason in *error. */
bool asm_evaluate(const char *text, size_t length, size_t *at, const struct asm_names *names,
                  struct asm_value *value, struct asm_error *error);

/* Fills *error and returns false, so that a parser can "return asm_fail(...)". */
bool asm_fail(struct asm_error *error, const char *rule, size_t offset, const char *hint,
              const char *format, ...) __attribute__((format(printf, 5, 6)));

/* Reads one possibly escaped character of a string or character constant at text[*at]. False if the
 * escape is unknown or incomplete. */
bool asm_character(const char *text, size_t length, size_t *at, uint8_t *character);

double asm_real(const struct asm_value *value);
bool asm_true(const struct asm_value *value);

bool asm_is_blank(char character);
bool asm_is_digit(char character);
bool asm_starts_name(char character);
bool asm_in_name(char character);

/* The length of the name that starts at text[at]; 0 if none does. */
size_t asm_name_length(const char *text, size_t length, size_t at);

#endif
