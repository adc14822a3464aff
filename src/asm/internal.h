/* SPDX-License-Identifier: MIT */
/* internal.h - what the assembler's own files share: its state, statements and diagnostics. */
#ifndef ASM_INTERNAL_H
#define ASM_INTERNAL_H

#include <stdarg.h>

#include "asm/asm.h"
#include "asm/source.h"

enum {
    DEPTH_MAX = 200,         /* files, macros and loops inside each other */
    IF_DEPTH_MAX = 64,       /* conditions inside each other, in one block */
    PARAMETERS_MAX = 64,     /* of a macro */
    LINE_MAX_LENGTH = 65536, /* after macro arguments have been put in */
    INCLUDE_SIZE_MAX = 256 << 20,
    BACK_MAX = 10, /* instructions */
    CLONE_MAX = 3,
    REPEAT_MAX = 0x1000000,
    ARGUMENT_MAX = 1000, /* length of an argument that is used as text */
};

/* Bytes of source executed in one pass, with a surcharge for each line: what ends endless macros.
 */
#define WORK_MAX  (UINT64_C(1) << 28)
#define WORK_LINE 64

struct macro_parameter {
    char *name;
    char *preset; /* the argument if none is given; NULL: it must be given */
};

enum macro_kind {
    MACRO_CODE,       /* .macro */
    MACRO_FUNCTION,   /* .func */
    MACRO_EXPRESSION, /* .set name(parameters) expression */
};

/* Something with parameters. */
struct macro {
    struct macro *next; /* the one defined before */
    enum macro_kind kind;
    char *name;
    const struct source_line *line; /* of its definition */
    const struct source_line *body; /* empty for an expression */
    size_t body_count;
    char *expression;         /* the text of that line, from its start */
    size_t expression_offset; /* where in it the expression starts */
    struct macro_parameter *parameters;
    size_t parameter_count;
    bool has_text; /* the body has a backslash: arguments may be any text */
};

/* A name that is known in one file, macro, function, loop or .local block only. */
struct local {
    const char *name;
    char *owned; /* the name again, if it is to be freed */
    size_t length;
    uint32_t hash;
    bool has_value, final;
    struct asm_value value;
    char *text; /* what \name stands for in a macro */
    const struct source_line *line;
};

enum frame_kind { FRAME_FILE, FRAME_MACRO, FRAME_FUNCTION, FRAME_LOOP, FRAME_BLOCK };

struct frame {
    struct frame *parent;
    enum frame_kind kind;
    const char *name;               /* of the file, macro or function; a loop's directive */
    const struct source_line *call; /* where it was entered; NULL for a source of the request */
    struct local *locals;
    size_t local_count, local_capacity;
    uint32_t serial; /* what \@ stands for */
    uint32_t trace;  /* its number in the program + 1; 0: not noted yet */

    /* Of a function. */
    struct asm_value *result;
    bool has_result;
};

/* A label that may be defined again: each definition, and each promise of one ("1f"). */
struct numbered_label {
    uint32_t address;
    uint32_t pass; /* that defined it last */
};

enum target_kind { TARGET_LABEL, TARGET_NUMBERED, TARGET_UNNAMED };

/* Something that code may jump to, in the order of definition. */
struct target {
    enum target_kind kind;
    bool colon; /* written ":name" or ":" */
    size_t index;
    uint32_t address;
    size_t record; /* of the run, in front of which it stands */
};

/* Bytes to be copied once everything has its place: .clone of what stands further down. */
struct copy {
    uint32_t from, to, size;
    const struct source_line *line;
};

/* An instruction as pass 1 encoded it, for pass 2 to repeat. */
struct kept {
    const struct source_line *line;
    uint32_t address;
    bool final; /* nothing that pass 2 knows or says would be new */
    bool exact;
    uint8_t size;
    uint8_t bytes[ASM_INSTRUCTION_MAX];
};

enum segment { SEGMENT_AUTOMATIC, SEGMENT_CODE, SEGMENT_DATA };

enum { SAID_MAX = 32 };

/* A message: where, and what. */
struct said {
    const struct source_line *line;
    uint32_t column, hash;
};

/* Where an instruction begins that further lines may go on with; line is NULL if there is none. */
struct whole {
    const struct source_line *line;
    struct frame *frame;
    size_t offset;
};

/* A statement that further lines may go on with, and where its text is from: stream.c. */
struct pending {
    struct buffer text;
    struct buffer pieces; /* a struct piece for each line that it has text of */
    unsigned depth;       /* of parentheses at its end */
};

/* Records that have not been arranged yet: stream.c. */
struct run {
    struct buffer records;
    struct buffer origins; /* a struct asm_origin for each record */
    size_t first_target;   /* of those that stand in it */
};

struct assembler {
    const struct asm_request *request;
    struct asm_program *program;
    struct binary *binaries;                        /* every file read by .incbin */
    struct macro *macros;                           /* all, the newest first */
    struct asm_symbols macro_names, function_names; /* operand of a value: index in by_number */
    const struct macro **by_number;
    size_t by_number_count, by_number_capacity;
    struct frame *frame;
    const struct source_line *line; /* being executed */
    bool line_changed;              /* macro arguments were put in: columns no longer count */
    size_t statement;               /* offset of the statement in the line */

    struct asm_symbols numbered_names; /* integer: number of the current definition + 1 */
    struct numbered_label *numbered;   /* kept from pass 1 for pass 2 */
    size_t numbered_count, numbered_capacity, numbered_seen;
    struct target *targets;
    size_t target_count, target_capacity;
    struct copy *copies;
    size_t copy_count, copy_capacity;

    enum segment segment;
    unsigned bits;  /* of the last byte that are taken; 0: all */
    uint64_t open;  /* bit n: the instruction n before the last one ended in ";" */
    uint64_t exact; /* and likewise: it has ASM_EXACT */
    struct buffer
        joins; /* whether each line with a ";" in front joined its predecessor; from pass 1 */
    size_t joins_seen;
    struct buffer kept; /* a struct kept for each instruction of pass 1 */
    size_t kept_seen;
    uint32_t code_start, code_end; /* the lowest and the end of the highest code; from pass 1 */
    void *state;                   /* of the instruction set */
    struct pending pending;
    const struct pending *ending; /* while its statement is being read */
    struct run run;
    struct whole whole;            /* the latest instruction that as_complete() has not looked at */
    bool in_back;                  /* between .back and .endb */
    bool join_first;               /* the first instruction of a macro has to join the one before */
    bool moved;                    /* .back has moved code: what pass 1 encoded may refer to its old place */

    uint32_t pass; /* 1 is silent and finds the labels, 2 reports */
    uint32_t serial;
    uint32_t depth;
    uint32_t errors;
    uint32_t silent;   /* > 0: errors are not reported */
    uint32_t withheld; /* what pass 1 would have reported */
    uint64_t work;
    bool stop; /* a limit was reached */
    bool no_memory;
    bool said; /* a function has reported why there is no value */
    char suggestion[128];
    struct said in_loops[SAID_MAX]; /* what was said in repetitions, the latest of it */
    size_t in_loops_seen;
};

/* The text of a statement and how far it has been read. */
struct cursor {
    const char *text;
    size_t length, at;
};

/* Diagnostics; offset counts from the start of the line's text. */
void as_say(struct assembler *a, enum tess_severity severity, const char *rule, size_t offset,
            const char *hint, const char *format, ...) __attribute__((format(printf, 6, 7)));
#define as_report(a, ...) as_say(a, TESS_ERROR, __VA_ARGS__)
#define as_warn(a, ...)   as_say(a, TESS_WARNING, __VA_ARGS__)
void as_report_error(struct assembler *a, const struct asm_error *error, size_t base);
void as_report_at(struct assembler *a, enum tess_severity severity, const char *rule,
                  const struct source_line *line, const char *format, ...)
    __attribute__((format(printf, 5, 6)));
void as_out_of_memory(struct assembler *a);

/* Reading a statement. */
void as_skip_blanks(struct cursor *c);
bool as_at_end(struct cursor *c);
bool as_accept(struct cursor *c, char character);
char *as_take_text(struct assembler *a, const char *text, size_t length);
size_t as_take_name(struct cursor *c, const char **name);
bool as_expect_end(struct assembler *a, struct cursor *c);

/* Evaluates an expression; errors are reported. now: every symbol must be defined already. */
bool as_evaluate(struct assembler *a, struct cursor *c, struct asm_value *value);
bool as_evaluate_now(struct assembler *a, struct cursor *c, struct asm_value *value);
bool as_evaluate_integer(struct assembler *a, struct cursor *c, const char *what, int64_t low,
                         int64_t high, int64_t *number);
struct asm_names as_names_here(struct assembler *a);
uint32_t as_here(const struct assembler *a);

/* Symbols. */
void as_define_label(struct assembler *a, const char *name, size_t length, size_t offset,
                     bool global);
void as_define_numbered(struct assembler *a, const char *name, size_t length);
void as_note_target(struct assembler *a, enum target_kind kind, size_t index);
void as_define_constant(struct assembler *a, const char *name, size_t length,
                        const struct asm_value *value);
struct local *as_find_local(struct assembler *a, const char *name, size_t length);
struct local *as_own_local(struct frame *frame, const char *name, size_t length);

/* Adds a local without a value, or returns NULL. The name is copied unless it lives as long as the pass. */
struct local *as_add_local(struct assembler *a, struct frame *frame, const char *name,
                           size_t length, bool copy);
void as_free_locals(struct frame *frame);

/* Output; failures are reported. */
bool as_emit(struct assembler *a, const void *bytes, size_t size, bool code);
bool as_emit_from(struct assembler *a, const void *bytes, size_t size,
                  const struct asm_origin *origin);
void as_origin_here(struct assembler *a, struct asm_origin *origin);
bool as_emit_bits(struct assembler *a, uint64_t value, unsigned bits);
bool as_emit_zeros(struct assembler *a, uint64_t count);
bool as_start_region(struct assembler *a, uint32_t address);

/* What .back has set aside. */
struct back {
    uint32_t address, size, count;
    uint8_t bytes[BACK_MAX * ASM_INSTRUCTION_MAX];
    uint64_t open, exact;
    size_t targets;
    struct asm_origin *origins;
    size_t origin_count;
};

/* Sets the last count instructions, at most BACK_MAX, aside, so that code comes before them. False after an
 * error; else as_end_back() puts them back. */
bool as_begin_back(struct assembler *a, uint32_t count, struct back *back);
void as_end_back(struct assembler *a, struct back *back);

/* Puts out copies of count instructions, at most CLONE_MAX, from an address. known: it lies further up. */
bool as_clone(struct assembler *a, uint32_t from, uint32_t count, bool known);

/* Does at the end what as_clone() could not. */
void as_finish_copies(struct assembler *a);

/* Adds work done; too much of it ends assembly. */
void as_charge(struct assembler *a, uint64_t work);

/* Blocks. */
void as_run_file(struct assembler *a, const struct source_file *file);
void as_run_lines(struct assembler *a, const struct source_line *lines, size_t count);
bool as_enter(struct assembler *a, struct frame *frame);
void as_leave(struct assembler *a, struct frame *frame);

/* Labels at the beginning of a line, and what follows them: statement.c. */
void as_take_labels(struct assembler *a, struct cursor *c);
void as_run_statement(struct assembler *a, struct cursor *c);

/* Nothing goes on with the latest instruction: warns if it lacks something. */
void as_complete(struct assembler *a);

/* Instruction sets whose statements need not end with their lines: stream.c. Takes the rest of a line; ends the statement
 * that is open; arranges the run that is open. as_end_*() do nothing if there is none. */
void as_run_stream(struct assembler *a, struct cursor *c);
bool as_moves_code(struct assembler *a, const char *directive); /* else reports that it cannot */
void as_end_statement(struct assembler *a);
void as_end_run(struct assembler *a);
size_t as_run_count(const struct assembler *a);

/* Reads the standard include file if it has the function: include.c. */
const void *as_standard_function(void *user, const char *name, size_t length, size_t *parameters);

/* Macros and functions: macro.c. */
void as_macro_define(struct assembler *a, struct cursor *c, enum macro_kind kind,
                     const struct source_line *lines, size_t count);

/* .set NAME(PARAMETERS) EXPRESSION; the cursor stands at the parenthesis. */
void as_define_function(struct assembler *a, struct cursor *c, const char *name, size_t length);
const void *as_function_find(void *user, const char *name, size_t length, size_t *parameters);
bool as_function_call(void *user, const void *function, const struct asm_value *arguments,
                      struct asm_value *result, struct asm_error *error);
const struct macro *as_macro_find(struct assembler *a, const char *name, size_t length);
void as_macro_call(struct assembler *a, const struct macro *macro, struct cursor *c);
void as_macros_free(struct assembler *a);

/* Puts macro arguments in for \name and \@. NULL if the text has none, or after an error. */
bool as_macro_substitute(struct assembler *a, const char *text, size_t length, struct buffer *out);

/* Directives, and those of the instruction set: directives.c. False if there is none of this name. */
bool as_run_directive(struct assembler *a, struct cursor *c, const char *name, size_t length);
bool as_run_isa_directive(struct assembler *a, struct cursor *c, const char *name, size_t length);
const char *as_directive_name(size_t index);

/* Hints for a name that means nothing, "did you mean ...?" among them, or NULL: suggest.c. They live until the next
 * one. */
const char *as_suggest_directive(struct assembler *a, const char *name, size_t length);
const char *as_suggest_statement(struct assembler *a, const char *name, size_t length);
const char *as_suggest_near(struct assembler *a, const char *near);

/* The same for a statement whose first word means nothing: it may be a label without its colon. */
const char *as_suggest_first(struct assembler *a, const char *text, size_t length,
                             const struct asm_error *error);
const char *as_suggest_symbol(struct assembler *a, const char *name, size_t length);

/* Files: include.c. */
struct source_file *as_read_include(struct assembler *a, struct cursor *c);
const struct buffer *as_read_binary(struct assembler *a, struct cursor *c);
void as_binaries_free(struct assembler *a);

/* Whether the include file that comes with the assembler for the instruction set defines the name: as a macro, or as a
 * constant or function. */
bool as_standard_defines(const struct assembler *a, const char *name, size_t length, bool macro);

#endif
