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
    ERRORS_MAX = 100,
    INCLUDE_SIZE_MAX = 256 << 20,
    OPERAND_MAX = 1000, /* length of an operand that a name stands for */
};

/* Bytes of source executed in one pass, with a surcharge for each line: what ends endless macros.
 */
#define WORK_MAX  (UINT64_C(1) << 28)
#define WORK_LINE 64

struct macro_parameter {
    char *name;
    char *preset; /* the argument if none is given; NULL: it must be given */
};

struct macro {
    struct macro *next;
    char *name;
    const struct source_line *line; /* the .macro line */
    const struct source_line *body;
    size_t body_count;
    struct macro_parameter parameters[PARAMETERS_MAX];
    size_t parameter_count;
};

/* A name that is known in one file, macro or loop only. text is what \name stands for in a macro.
 */
struct local {
    char *name;
    char *text;
    char *operand;
    struct asm_value value;
};

enum frame_kind { FRAME_FILE, FRAME_MACRO, FRAME_LOOP };

struct frame {
    struct frame *parent;
    enum frame_kind kind;
    const char *name;               /* of the file or macro */
    const struct source_line *call; /* where it was entered; NULL for a source of the request */
    struct local *locals;
    size_t local_count;
    uint32_t serial; /* what \@ stands for */
};

struct numbered_label {
    uint32_t number, address;
};

struct assembler {
    const struct asm_request *request;
    struct asm_program *program;
    struct source_file *files; /* every file read so far */
    struct binary *binaries;   /* the same for .incbin */
    struct macro *macros;
    struct frame *frame;
    const struct source_line *line; /* being executed */
    bool line_changed;              /* macro arguments were put in: columns no longer count */
    size_t statement;               /* offset of the statement in the line */

    struct numbered_label *numbered; /* all ":1" labels in order; kept from pass 1 for pass 2 */
    size_t numbered_count, numbered_capacity, numbered_seen;

    uint32_t pass; /* 1 is silent and finds the labels, 2 reports */
    uint32_t serial;
    uint32_t depth;
    uint32_t errors;
    uint64_t work;
    bool stop; /* a limit was reached */
    bool no_memory;
    bool has_operands; /* any name stands for an operand */
    char suggestion[128];
};

/* The text of a statement and how far it has been read. */
struct cursor {
    const char *text;
    size_t length, at;
};

/* Diagnostics; offset counts from the start of the line's text. */
void as_report(struct assembler *a, const char *rule, size_t offset, const char *hint,
               const char *format, ...) __attribute__((format(printf, 5, 6)));
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

/* A value, or else an operand, as .set and macro arguments take it. */
struct definition {
    struct asm_value value;
    const char *operand; /* NULL for a value */
    size_t operand_length;
};

/* Symbols. */
void as_define_label(struct assembler *a, const char *name, size_t length, size_t offset,
                     bool global);
void as_define_numbered(struct assembler *a, uint32_t number);
void as_define_constant(struct assembler *a, const char *name, size_t length,
                        const struct definition *definition);
struct local *as_find_local(struct assembler *a, const char *name, size_t length);
bool as_add_local(struct assembler *a, struct frame *frame, const char *name, size_t length);
void as_free_locals(struct frame *frame);

/* Reads text up to end; nothing is reported. */
bool as_take_definition(struct assembler *a, struct cursor *c, size_t end,
                        struct definition *definition, struct asm_error *error);

/* Output; failures are reported. */
bool as_emit(struct assembler *a, const void *bytes, size_t size);
bool as_emit_zeros(struct assembler *a, uint64_t count);
bool as_start_region(struct assembler *a, uint32_t address);

/* Blocks. */
void as_run_file(struct assembler *a, const struct source_file *file);
void as_run_lines(struct assembler *a, const struct source_line *lines, size_t count);
bool as_enter(struct assembler *a, struct frame *frame);
void as_leave(struct assembler *a, struct frame *frame);

/* The index of the line that closes the block opened at start, or count. */
size_t as_block_end(struct assembler *a, const struct source_line *lines, size_t count,
                    size_t start);

/* Macros: macro.c. */
void as_macro_define(struct assembler *a, struct cursor *c, const struct source_line *lines,
                     size_t count);
const struct macro *as_macro_find(struct assembler *a, const char *name, size_t length);
void as_macro_call(struct assembler *a, const struct macro *macro, struct cursor *c);
void as_macros_free(struct assembler *a);

/* Puts macro arguments in for \name and \@. NULL if the text has none, or after an error. */
bool as_macro_substitute(struct assembler *a, const char *text, size_t length, struct buffer *out);

/* Directives: directives.c. False if there is none of this name. */
bool as_run_directive(struct assembler *a, struct cursor *c, const char *name, size_t length);
const char *as_nearest_name(struct assembler *a, const char *name, size_t length, bool directive);

/* Files: include.c. */
struct source_file *as_read_include(struct assembler *a, struct cursor *c);
const struct buffer *as_read_binary(struct assembler *a, struct cursor *c);
void as_binaries_free(struct assembler *a);

#endif
