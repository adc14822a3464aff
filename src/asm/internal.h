/* SPDX-License-Identifier: MIT */
/* internal.h - types and functions that the assembler's files share: its state, statements,
 * diagnostics. */
#ifndef ASM_INTERNAL_H
#define ASM_INTERNAL_H

#include "asm/asm.h"
#include "asm/source.h"

enum {
    DEPTH_MAX = 200,         /* maximum depth of nested files, macros and loops */
    IF_DEPTH_MAX = 64,       /* maximum depth of nested conditions in a block */
    PARAMETERS_MAX = 64,     /* maximum number of parameters of a macro */
    LINE_MAX_LENGTH = 65536, /* maximum length of a line after substitution of arguments */
    INCLUDE_SIZE_MAX = 256 << 20,
    BACK_MAX = 10, /* maximum number of instructions that .back moves */
    CLONE_MAX = 3,
    REPEAT_MAX = 0x1000000,
    ARGUMENT_MAX = 1000, /* maximum length of an argument that is used as text */
};

/* Limit of the work in one pass, which stops endless macros. Work is the number of executed bytes
 * of source, plus WORK_LINE for each line. */
#define WORK_MAX  (UINT64_C(1) << 28)
#define WORK_LINE 64

struct macro_parameter {
    char *name;
    char *preset; /* default argument, NULL if the argument is required */
};

enum macro_kind {
    MACRO_CODE,       /* .macro */
    MACRO_FUNCTION,   /* .func */
    MACRO_EXPRESSION, /* .set name(parameters) expression */
};

/* A macro or function. */
struct macro {
    struct macro *next; /* previously defined macro */
    enum macro_kind kind;
    char *name;
    const struct source_line *line; /* line of the macro's definition */
    const struct source_line *body; /* lines of the body, none for MACRO_EXPRESSION */
    size_t body_count;
    char *expression;         /* text of the line that defines a MACRO_EXPRESSION */
    size_t expression_offset; /* offset of the expression in the text of the line */
    struct macro_parameter *parameters;
    size_t parameter_count;
    bool has_text; /* true if the body contains a backslash; arguments are then also kept as text */
};

/* A name that is only visible in one file, macro, function, loop or .local block. */
struct local {
    const char *name;
    char *owned; /* copy of the name that has to be freed, or NULL */
    size_t length;
    uint32_t hash;
    bool has_value, final;
    struct asm_value value;
    char *text; /* replacement for \name in a macro */
    const struct source_line *line;
};

enum frame_kind { FRAME_FILE, FRAME_MACRO, FRAME_FUNCTION, FRAME_LOOP, FRAME_BLOCK };

struct frame {
    struct frame *parent;
    enum frame_kind kind;
    /* Name of the file, macro or function; for loops the directive. */
    const char *name;
    /* Line that entered the frame, NULL for a source of the request. */
    const struct source_line *call;
    struct local *locals;
    size_t local_count;
    uint32_t serial; /* replacement for \@ */
    uint32_t trace;  /* number of the frame's trace in the program plus 1, 0 if not added yet */

    /* Result of a function frame. */
    struct asm_value *result;
    bool has_result;
};

/* One definition of a label that may be defined more than once, or a future definition that "1f"
 * refers to. */
struct numbered_label {
    uint32_t address;
    uint32_t pass; /* pass that last reached the definition, 0 before the first */
};

enum target_kind { TARGET_LABEL, TARGET_NUMBERED, TARGET_UNNAMED };

/* A possible branch target. Targets are in order of definition. */
struct target {
    enum target_kind kind;
    bool colon; /* true if the label is written ":name" or ":" */
    size_t index;
    uint32_t address;
    size_t record; /* number of records in the current run before the target */
};

/* A .clone whose source is further down. Its bytes are copied after the last pass. */
struct copy {
    uint32_t from, to, size;
    const struct source_line *line;
};

/* An instruction as encoded by pass 1, which pass 2 may reuse. */
struct kept {
    const struct source_line *line;
    uint32_t address;
    bool final; /* true if pass 2 would produce the same bytes and no messages */
    bool exact;
    uint8_t size;
    uint8_t bytes[ASM_INSTRUCTION_MAX];
};

enum segment { SEGMENT_AUTOMATIC, SEGMENT_CODE, SEGMENT_DATA };

enum { SAID_MAX = 32 };

/* A reported message: its source position and the hash of its text. */
struct said {
    const struct source_line *line;
    uint32_t column, hash;
};

/* Start of the latest instruction, which further lines may continue. `line` is NULL before the
 * first instruction. */
struct whole {
    const struct source_line *line;
    struct frame *frame;
    size_t offset;
};

/* A statement that further lines may continue, with the source positions of its text (stream.c). */
struct pending {
    struct buffer text;
    struct buffer pieces; /* a struct piece for each line that contributed text */
    unsigned depth;       /* number of open parentheses */
};

/* Records that are not encoded yet (stream.c). */
struct run {
    struct buffer records;
    struct buffer origins; /* a struct asm_origin for each record */
    size_t first_target;   /* first target that is in the run */
};

struct assembler {
    const struct asm_request *request;
    struct asm_program *program;
    struct binary *binaries;                        /* files read by .incbin */
    struct macro *macros;                           /* all macros, newest first */
    struct asm_symbols macro_names, function_names; /* each value is an index in by_number */
    const struct macro **by_number;
    size_t by_number_count;
    struct frame *frame;
    const struct source_line *line; /* line that is being executed */
    /* True if macro arguments were substituted, so that offsets are not columns. */
    bool line_changed;
    size_t statement; /* offset of the current statement in the line */

    struct asm_symbols
        numbered_names;              /* each value is the number of the current definition plus 1 */
    struct numbered_label *numbered; /* found by pass 1, used by pass 2 */
    size_t numbered_count, numbered_seen;
    struct target *targets;
    size_t target_count;
    struct copy *copies;
    size_t copy_count;

    enum segment segment;
    unsigned bits;  /* used bits of the last byte, 0 if it is full */
    uint64_t open;  /* bit n is 1 if the instruction n places before the latest one ended in ";" */
    uint64_t exact; /* bit n is 1 if the instruction n places before the latest one has ASM_EXACT */
    /* For each line that begins with ";", 1 if pass 1 merged the line with the previous
     * instruction, otherwise 0. */
    struct buffer joins;
    size_t joins_seen;
    struct buffer kept; /* one struct kept per instruction of pass 1 */
    size_t kept_seen;
    uint32_t code_start, code_end; /* range of code addresses, found by pass 1 */
    void *state;                   /* state of the instruction set */
    struct pending pending;
    const struct pending *ending; /* statement that is being parsed, or NULL */
    struct run run;
    struct whole whole; /* latest instruction that as_complete() has not checked */
    bool in_back;       /* true between .back and .endb */
    bool join_first;    /* true if the first instruction of a macro must join the previous one */
    /* true if .back has moved code, so that bytes from pass 1 may be outdated */
    bool moved;

    uint32_t pass; /* 1 or 2: pass 1 finds the labels and reports nothing, pass 2 reports */
    uint32_t serial;
    uint32_t depth;
    uint32_t errors;
    uint32_t silent;   /* messages are suppressed while this count is greater than 0 */
    uint32_t withheld; /* number of messages that pass 1 suppressed */
    uint64_t work;
    bool stop; /* true if a limit was reached, so that assembly ends */
    bool no_memory;
    bool said; /* true if a called function has already reported the error */
    char suggestion[128];
    enum tess_setting setting;      /* setting that the hint of the next message asks to change */
    struct said in_loops[SAID_MAX]; /* latest messages from loops, to suppress repetitions */
    size_t in_loops_seen;
};

/* The text of a statement, and the offset of the next character to read. */
struct cursor {
    const char *text;
    size_t length, at;
};

/* Report diagnostics. `offset` counts from the start of the line. */
void as_say(struct assembler *a, enum tess_level severity, const char *rule, size_t offset,
            const char *hint, const char *format, ...) __attribute__((format(printf, 6, 7)));
#define as_report(a, ...) as_say(a, TESS_ERROR, __VA_ARGS__)
#define as_warn(a, ...)   as_say(a, TESS_WARNING, __VA_ARGS__)
void as_report_error(struct assembler *a, const struct asm_error *error, size_t base);
void as_report_at(struct assembler *a, enum tess_level severity, const char *rule,
                  const struct source_line *line, const char *format, ...)
    __attribute__((format(printf, 5, 6)));
void as_out_of_memory(struct assembler *a);

/* Read parts of a statement. */
bool as_at_end(struct cursor *c);
bool as_accept(struct cursor *c, char character);
char *as_take_text(struct assembler *a, const char *text, size_t length);
bool as_expect_end(struct assembler *a, struct cursor *c);

/* Evaluate an expression and report its errors. as_evaluate_now() also requires that every symbol
 * is already defined. */
bool as_evaluate(struct assembler *a, struct cursor *c, struct asm_value *value);
bool as_evaluate_now(struct assembler *a, struct cursor *c, struct asm_value *value);
bool as_evaluate_integer(struct assembler *a, struct cursor *c, const char *what, int64_t low,
                         int64_t high, int64_t *number);
struct asm_names as_names_here(struct assembler *a);
uint32_t as_here(const struct assembler *a);

/* Define and find symbols. */
void as_define_label(struct assembler *a, const char *name, size_t length, size_t offset,
                     bool global);
void as_define_numbered(struct assembler *a, const char *name, size_t length);
void as_note_target(struct assembler *a, enum target_kind kind, size_t index);
void as_move_target(struct assembler *a, struct target *target, uint32_t distance);
void as_define_constant(struct assembler *a, const char *name, size_t length,
                        const struct asm_value *value);
struct local *as_find_local(struct assembler *a, const char *name, size_t length);
struct local *as_own_local(struct frame *frame, const char *name, size_t length);

/* Adds a local name without a value. Returns NULL if the host is out of memory. If copy is false,
 * name must stay valid until the pass ends. */
struct local *as_add_local(struct assembler *a, struct frame *frame, const char *name,
                           size_t length, bool copy);
void as_free_locals(struct frame *frame);

/* Emit output and report failures. */
bool as_emit(struct assembler *a, const void *bytes, size_t size, bool code);
bool as_emit_from(struct assembler *a, const void *bytes, size_t size,
                  const struct asm_origin *origin);
void as_origin_here(struct assembler *a, struct asm_origin *origin);
bool as_emit_bits(struct assembler *a, uint64_t value, unsigned bits);
bool as_emit_zeros(struct assembler *a, uint64_t count);
bool as_start_region(struct assembler *a, uint32_t address);

/* Instructions that .back has set aside. */
struct back {
    uint32_t address, size, count;
    uint8_t bytes[BACK_MAX * ASM_INSTRUCTION_MAX];
    uint64_t open, exact;
    size_t targets;
    struct asm_origin *origins;
    size_t origin_count;
};

/* Sets the last count instructions (at most BACK_MAX) aside, so that other code is emitted before
 * them. Returns false after an error. Otherwise as_end_back() must follow and emits the
 * instructions again. */
bool as_begin_back(struct assembler *a, uint32_t count, struct back *back);
void as_end_back(struct assembler *a, struct back *back);

/* Emits copies of count instructions (at most CLONE_MAX) from an address. `known` is true if the
 * address is further up. Otherwise as_finish_copies() copies the bytes later. */
bool as_clone(struct assembler *a, uint32_t from, uint32_t count, bool known);

/* Copies the bytes of clones whose source was not known when .clone was executed. */
void as_finish_copies(struct assembler *a);

/* Adds to the work of the pass. Stops assembly if the work exceeds WORK_MAX. */
void as_charge(struct assembler *a, uint64_t work);

/* Run files and blocks (block.c). */
void as_run_file(struct assembler *a, const struct source_file *file);
void as_run_lines(struct assembler *a, const struct source_line *lines, size_t count);
bool as_enter(struct assembler *a, struct frame *frame);
void as_leave(struct assembler *a, struct frame *frame);

/* Take the labels at the beginning of a line, then run the statement after them (statement.c). */
void as_take_labels(struct assembler *a, struct cursor *c);
void as_run_statement(struct assembler *a, struct cursor *c);

/* Checks the latest instruction, which no further line can continue. Warns if something is
 * missing. */
void as_complete(struct assembler *a);

/* Statements that may span lines (stream.c). as_run_stream() reads the rest of a line.
 * as_end_statement() parses the pending statement, and as_end_run() encodes the pending run. Both
 * functions do nothing if nothing is pending. */
void as_run_stream(struct assembler *a, struct cursor *c);
/* Returns true if .back and .clone are available for the instruction set. Otherwise reports that
 * the directive is not available. */
bool as_moves_code(struct assembler *a, const char *directive);
void as_end_statement(struct assembler *a);
void as_end_run(struct assembler *a);
size_t as_run_count(const struct assembler *a);

/* Finds a function in the standard include file and reads that file if it defines the function
 * (include.c). */
const void *as_standard_function(void *user, const char *name, size_t length, size_t *parameters);

/* Define and call macros and functions (macro.c). */
void as_macro_define(struct assembler *a, struct cursor *c, enum macro_kind kind,
                     const struct source_line *lines, size_t count);

/* Handles .set NAME(PARAMETERS) EXPRESSION. The cursor is at the parenthesis. */
void as_define_function(struct assembler *a, struct cursor *c, const char *name, size_t length);
const void *as_function_find(void *user, const char *name, size_t length, size_t *parameters);
bool as_function_call(void *user, const void *function, const struct asm_value *arguments,
                      struct asm_value *result, struct asm_error *error);
const struct macro *as_macro_find(struct assembler *a, const char *name, size_t length);
void as_macro_call(struct assembler *a, const struct macro *macro, struct cursor *c);
void as_macros_free(struct assembler *a);

/* Replaces \name and \@ by macro arguments. Returns false outside of macros and after an error. */
bool as_macro_substitute(struct assembler *a, const char *text, size_t length, struct buffer *out);

/* Run a directive of the assembler or of the instruction set (directives.c). Return false if there
 * is no directive with this name. */
bool as_run_directive(struct assembler *a, struct cursor *c, const char *name, size_t length);
bool as_run_isa_directive(struct assembler *a, struct cursor *c, const char *name, size_t length);
const char *as_directive_name(size_t index);

/* Return a hint for an unknown name, such as "did you mean ...?", or NULL (suggest.c). A hint is
 * valid until the next call. */
const char *as_suggest_directive(struct assembler *a, const char *name, size_t length);
const char *as_suggest_statement(struct assembler *a, const char *name, size_t length);
const char *as_suggest_near(struct assembler *a, const char *near);

/* Returns a hint for a statement whose first word is unknown. The first word may be a label without
 * its colon. */
const char *as_suggest_first(struct assembler *a, const char *text, size_t length,
                             const struct asm_error *error);
const char *as_suggest_symbol(struct assembler *a, const char *name, size_t length);

/* Read included files (include.c). */
struct source_file *as_read_include(struct assembler *a, struct cursor *c);
const struct buffer *as_read_binary(struct assembler *a, struct cursor *c);
void as_binaries_free(struct assembler *a);

/* Returns true if the instruction set's standard include file defines the name: as a macro if macro
 * is true, otherwise as a constant or function. */
bool as_standard_defines(const struct assembler *a, const char *name, size_t length, bool macro);

#endif
