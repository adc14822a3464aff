/* SPDX-License-Identifier: MIT */
/* expr.h - expressions of the assembler: C's operators and precedence, plus what the vc4asm dialect
 * adds ("**", "<<<", "><<", "<=>", "===", "!^", "^^", functions such as "sin", labels written
 * ":name" and "r:name", operands of the instruction set).
 *
 * In:  text, and a callback that knows the symbols.
 * Out: a 64-bit integer (arithmetic wraps), a double or an operand; or an error with its place in
 *      the text. */
#ifndef ASM_EXPR_H
#define ASM_EXPR_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum asm_kind {
    ASM_INTEGER,
    ASM_FLOAT,
    ASM_OPERAND, /* something of the instruction set: a register, a per-element constant ... */
};

struct asm_value {
    enum asm_kind kind;
    int64_t integer; /* ASM_INTEGER; of ASM_OPERAND what the instruction set makes of it */
    double real;     /* ASM_FLOAT */
    bool unknown;    /* depends on a symbol that has no value yet: only in the first pass */
    bool forward;    /* depends on a symbol that is defined further down */
    bool label;      /* a place: a label, ".", or one of them plus or minus a number */
    bool relative;   /* a place written "r:name" */
    bool colon;      /* a place written with a colon: no number equals it, all are less */
};

/* What is wrong, and the byte of the text where it is. */
struct asm_error {
    size_t offset;
    const char *rule, *hint; /* static strings; hint may be NULL */
    const char *name;        /* in the source: the name that means nothing; or NULL */
    size_t name_length;
    const char
        *near; /* a static string: the known name that comes nearest, for the hint; or NULL */
    char text[400]; /* may have a hint with numbers and names in it: WITH_HINT (base/diag.h) */
};

enum asm_operand_operator {
    ASM_OPERAND_ADD,
    ASM_OPERAND_SUBTRACT,
    ASM_OPERAND_LEFT,
    ASM_OPERAND_RIGHT,
    ASM_OPERAND_AND, /* both are operands */
    /* The right side is NULL. */
    ASM_OPERAND_NEGATE,
    ASM_OPERAND_NOT,
};

/* What an instruction set adds to expressions: values of kind ASM_OPERAND, whose integer is its own affair.
 * Functions return false with *error filled, its offset counting from the start of what they were given. A NULL
 * member means that there is no such thing. */
struct asm_operands {
    /* The operand of this name ("ra5", "unif"); false, and nothing else, if there is none. */
    bool (*find)(const char *name, size_t length, struct asm_value *value);

    /* ".name" behind a value ("ra5.8a"); it changes the value. */
    bool (*suffix)(const char *name, size_t length, struct asm_value *value,
                   struct asm_error *error);

    /* "+", "-", "<<", ">>" or "&" with an operand on its left ("ra0 + 3", "r0 << r5"); "-" and "~" before one.
     * "3 + ra0" comes as "ra0 + 3". */
    bool (*apply)(enum asm_operand_operator operator, struct asm_value * left,
                  const struct asm_value *right, struct asm_error *error);

    /* "[a, b, ...]": a constant with a value for each element. */
    bool (*elements)(const struct asm_value *items, size_t count, struct asm_value *value,
                     struct asm_error *error);

    /* ":[a, b, ...]": an operand by its numbers. */
    bool (*raw)(const struct asm_value *items, size_t count, struct asm_value *value,
                struct asm_error *error);

    /* Writes the operand as source text for diagnostics. */
    size_t (*print)(char *text, size_t size, const struct asm_value *value);

    /* Orders two operands: less than, equal to or greater than 0. NULL: by their integers. */
    int (*compare)(const struct asm_value *left, const struct asm_value *right);

    /* Names of operands, for suggestions; NULL at the end. May be NULL. */
    const char *(*name)(size_t index);
};

/* Which of the labels that may be defined again (":1", ":.loop") is meant. */
enum asm_which {
    ASM_CURRENT, /* "r:1": the last one, or the next one if somebody has asked for that */
    ASM_NEXT,    /* "r:1f" */
    ASM_LAST,    /* "1b" */
};

/* The names that an expression may use. */
struct asm_names {
    /* Looks name up; false if there is no such symbol. only_labels leaves constants out. */
    bool (*lookup)(void *user, const char *name, size_t length, bool only_labels,
                   struct asm_value *value);

    /* Looks up a label whose name starts with a digit or ".". */
    bool (*numbered)(void *user, const char *name, size_t length, enum asm_which which,
                     struct asm_value *value);

    /* The function of this name and the number of its parameters, or NULL. The member may be NULL. */
    const void *(*function)(void *user, const char *name, size_t length, size_t *parameters);
    /* The same for a function that nothing defines, before the name of a call is an error. May be NULL. */
    const void *(*standard)(void *user, const char *name, size_t length, size_t *parameters);
    bool (*call)(void *user, const void *function, const struct asm_value *arguments,
                 struct asm_value *result, struct asm_error *error);

    /* Reports something doubtful; offset counts from the start of the instruction. May be NULL. */
    void (*warn)(void *user, const struct asm_error *warning);

    void *user;
    uint32_t address;                    /* the value of "." */
    bool placed;                         /* ".org" has said what addresses are */
    uint32_t code_start, code_end;       /* the lowest and the end of the highest code; both 0 in the first pass */
    void *state;                         /* what the instruction set keeps during a pass */
    unsigned variant;                    /* of the instruction set, which gives it its meaning */
    const struct asm_operands *operands; /* NULL: none */
};

/* No symbols and no functions: for text that comes without an assembler. */
extern const struct asm_names asm_no_names;

enum { ASM_ARGUMENTS_MAX = 64 }; /* of a function; items of "[...]" */

/* Evaluates the longest expression that starts at text[*at] and moves *at behind it and the blanks
 * that follow. False leaves the reason in *error. */
bool asm_evaluate(const char *text, size_t length, size_t *at, const struct asm_names *names,
                  struct asm_value *value, struct asm_error *error);

/* Fills *error and returns false, so that a parser can "return asm_fail(...)". */
bool asm_fail(struct asm_error *error, const char *rule, size_t offset, const char *hint,
              const char *format, ...) __attribute__((format(printf, 5, 6)));

/* The same for a name that means nothing, "WHAT 'NAME'". Who reports the error may suggest another name. */
bool asm_fail_name(struct asm_error *error, const char *rule, size_t offset, const char *name,
                   size_t length, const char *what);

/* Reads one possibly escaped character of a string or character constant at text[*at]. False if the
 * escape is unknown or incomplete. */
bool asm_character(const char *text, size_t length, size_t *at, uint8_t *character);

double asm_real(const struct asm_value *value);
bool asm_true(const struct asm_value *value);

static inline bool asm_is_blank(char character)
{
    return character == ' ' || character == '\t';
}

static inline bool asm_is_digit(char character)
{
    return character >= '0' && character <= '9';
}

static inline bool asm_starts_name(char character)
{
    return (character >= 'a' && character <= 'z') || (character >= 'A' && character <= 'Z') ||
           character == '_';
}

static inline bool asm_in_name(char character)
{
    return asm_starts_name(character) || asm_is_digit(character);
}

/* The length of the name that starts at text[at]; 0 if none does. */
size_t asm_name_length(const char *text, size_t length, size_t at);

/* The name of built-in function number i, such as "sin", for suggestions; NULL after the last. */
const char *asm_function_name(size_t i);

#endif
