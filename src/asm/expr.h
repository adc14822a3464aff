/* SPDX-License-Identifier: MIT */
/* expr.h - expressions of the assembler: C's operators and precedence, and the additions of the
 * vc4asm dialect ("**", "<<<", "><<", "<=>", "===", "!^", "^^", functions such as "sin", labels
 * written ":name" and "r:name", operands of the instruction set).
 *
 * In:      text, and callbacks that look up symbols.
 * Out:     a 64-bit integer (arithmetic wraps), a double or an operand; or an error with its offset
 *          in the text. */
#ifndef ASM_EXPR_H
#define ASM_EXPR_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <tessera/tessera.h>

enum asm_kind {
    ASM_INTEGER,
    ASM_FLOAT,
    ASM_OPERAND, /* value of the instruction set: a register, a per-element constant ... */
};

struct asm_value {
    enum asm_kind kind;
    int64_t integer; /* value if ASM_INTEGER; private to the instruction set if ASM_OPERAND */
    double real;     /* value if ASM_FLOAT */
    /* true if the value depends on a symbol that is not known yet; only in the first pass */
    bool unknown;
    bool forward;  /* true if the value depends on a symbol that is defined further down */
    bool label;    /* true for an address: a label or ".", also with an added number */
    bool relative; /* true for an address written "r:name" */
    /* true for an address with a colon, which compares greater than every number */
    bool colon;
};

/* An error and the offset in the text at which it occurred. */
struct asm_error {
    size_t offset;
    const char *rule, *hint;   /* static strings; hint may be NULL */
    enum tess_setting setting; /* setting that the hint asks to change */
    const char *name;          /* the unknown name, which points into the source text, or NULL */
    size_t name_length;
    const char *near; /* known name that is most similar, for the hint: a static string, or NULL */
    char text[400];   /* the message, which may include a hint after WITH_HINT (base/diag.h) */
};

enum asm_operand_operator {
    ASM_OPERAND_ADD,
    ASM_OPERAND_SUBTRACT,
    ASM_OPERAND_LEFT,
    ASM_OPERAND_RIGHT,
    ASM_OPERAND_AND, /* "&" between two operands */
    /* Unary; the right side is NULL. */
    ASM_OPERAND_NEGATE,
    ASM_OPERAND_NOT,
};

/* Operands that an instruction set adds to expressions: values of kind ASM_OPERAND, whose integer
 * only the instruction set interprets. Functions return false with *error set on errors.
 * error->offset counts from the start of the text passed to the function. A NULL member disables
 * the syntax. */
struct asm_operands {
    /* Finds the operand with a name ("ra5", "unif"). Returns false without setting an error if
     * there is no such operand. */
    bool (*find)(const char *name, size_t length, struct asm_value *value);

    /* Applies ".name" after a value ("ra5.8a") to the value. */
    bool (*suffix)(const char *name, size_t length, struct asm_value *value,
                   struct asm_error *error);

    /* Applies "+", "-", "<<", ">>" or "&" to an operand on the left ("ra0 + 3", "r0 << r5"), or
     * unary "-" or "~". "3 + ra0" is passed as "ra0 + 3". */
    bool (*apply)(enum asm_operand_operator operator, struct asm_value * left,
                  const struct asm_value *right, struct asm_error *error);

    /* Evaluates "[a, b, ...]", a constant with one value per element. */
    bool (*elements)(const struct asm_value *items, size_t count, struct asm_value *value,
                     struct asm_error *error);

    /* Evaluates ":[a, b, ...]", an operand given by its numbers. */
    bool (*raw)(const struct asm_value *items, size_t count, struct asm_value *value,
                struct asm_error *error);

    /* Writes an operand as source text for diagnostics. */
    size_t (*print)(char *text, size_t size, const struct asm_value *value);

    /* Compares two operands: returns less than, equal to or greater than 0. If the pointer is NULL,
     * the operands' integers are compared. */
    int (*compare)(const struct asm_value *left, const struct asm_value *right);

    /* Returns the name of operand number index, NULL after the last; used for suggestions. The
     * pointer may be NULL. */
    const char *(*name)(size_t index);
};

/* Selects a definition of a label that can be defined more than once (":1", ":.loop"). */
enum asm_which {
    ASM_CURRENT, /* "r:1": the latest definition, or the next one if a "1f" already refers to it */
    ASM_NEXT,    /* "r:1f": the next definition */
    ASM_LAST,    /* "1b": the latest definition */
};

/* Symbols and functions that an expression may use. */
struct asm_names {
    /* Looks up a symbol. Returns false if the symbol is not defined. only_labels excludes
     * constants. */
    bool (*lookup)(void *user, const char *name, size_t length, bool only_labels,
                   struct asm_value *value);

    /* Looks up a label whose name starts with a digit or ".". */
    bool (*numbered)(void *user, const char *name, size_t length, enum asm_which which,
                     struct asm_value *value);

    /* Returns the function with a name and sets *parameters to the number of its parameters, or
     * returns NULL if there is no such function. The pointer may be NULL. */
    const void *(*function)(void *user, const char *name, size_t length, size_t *parameters);
    /* Like function(), but searches the standard include file. Called for an undefined name before
     * "(". May be NULL. */
    const void *(*standard)(void *user, const char *name, size_t length, size_t *parameters);
    bool (*call)(void *user, const void *function, const struct asm_value *arguments,
                 struct asm_value *result, struct asm_error *error);

    /* Reports a warning. warning->offset counts from the start of the instruction. May be NULL. */
    void (*warn)(void *user, const struct asm_error *warning);

    void *user;
    uint32_t address; /* value of "." */
    bool placed;      /* true after ".org": addresses are bus addresses */
    /* First address of code and end of code; both 0 in the first pass. */
    uint32_t code_start, code_end;
    void *state;                         /* state of the instruction set during a pass */
    unsigned variant;                    /* variant of the instruction set */
    const struct asm_operands *operands; /* may be NULL */
};

/* Names for expressions that are evaluated outside of an assembly: no symbols and no functions. */
extern const struct asm_names asm_no_names;

enum { ASM_ARGUMENTS_MAX = 64 }; /* maximum arguments of a function, and items of "[...]" */

/* Evaluates the longest expression that starts at text[*at] and moves *at past the expression and
 * the blanks after it. Returns false with *error set on errors. */
bool asm_evaluate(const char *text, size_t length, size_t *at, const struct asm_names *names,
                  struct asm_value *value, struct asm_error *error);

/* Sets *error and returns false, so that a parser can "return asm_fail(...)". */
bool asm_fail(struct asm_error *error, const char *rule, size_t offset, const char *hint,
              const char *format, ...) __attribute__((format(printf, 5, 6)));

/* Like asm_fail(), for an unknown name: the message is "WHAT 'NAME'". The assembler may add a
 * similar name as a hint. */
bool asm_fail_name(struct asm_error *error, const char *rule, size_t offset, const char *name,
                   size_t length, const char *what);

/* Reads one character of a string or character constant at text[*at], resolving escapes. Returns
 * false if an escape is unknown or incomplete. */
bool asm_character(const char *text, size_t length, size_t *at, uint8_t *character);

double asm_real(const struct asm_value *value);
bool asm_true(const struct asm_value *value);

static inline bool asm_is_blank(char character)
{
    return character == ' ' || character == '\t';
}

/* Returns the length of the name that starts at text[at], 0 if no name starts there. */
size_t asm_name_length(const char *text, size_t length, size_t at);

/* Returns the length of the run of letters, digits and underscores at a position. */
size_t asm_word_length(const char *text, size_t length, size_t at);

/* A reader is a struct with the members text and length, and with the member at, the position up to
 * which the text has been read. ASM_PEEK() skips blanks and returns the next character, or 0 at the
 * end of the text. ASM_ACCEPT() also consumes the character if it is the given one, and is true in
 * that case. ASM_TAKE_NAME() skips blanks and consumes a name. Its value is the length of the name,
 * or 0 if no name is next. */
#define ASM_PEEK(reader)              asm_next((reader)->text, (reader)->length, &(reader)->at)
#define ASM_ACCEPT(reader, character) (ASM_PEEK(reader) == (character) && ++(reader)->at)
#define ASM_TAKE_NAME(reader, name) \
    asm_take_name((reader)->text, (reader)->length, &(reader)->at, name)

static inline char asm_next(const char *text, size_t length, size_t *at)
{
    while (*at < length && asm_is_blank(text[*at]))
        ++*at;
    return *at < length ? text[*at] : '\0';
}

static inline size_t asm_take_name(const char *text, size_t length, size_t *at, const char **name)
{
    asm_next(text, length, at);
    size_t name_length = asm_name_length(text, length, *at);
    *name = text + *at;
    *at += name_length;
    return name_length;
}

/* Returns true if the name equals word. */
static inline bool asm_is_name(const char *name, size_t length, const char *word)
{
    return strlen(word) == length && memcmp(name, word, length) == 0;
}

/* Returns the bits of the value as a 32-bit float, or 0 if the value is unknown. Warns if a finite
 * value is too large. `at` is the offset of the value. */
uint32_t asm_float_bits(const struct asm_value *value, const struct asm_names *names, size_t at);

/* Returns the name of built-in function number i, such as "sin", or NULL after the last; used for
 * suggestions. */
const char *asm_function_name(size_t i);

#endif
