/* SPDX-License-Identifier: MIT */
/* asm.h - the assembler that all instruction sets share.
 *
 * In:      source text, and an instruction set (struct asm_isa).
 * Out:     bytes at bus addresses, symbols, scene steps. docs/asm.md describes the language. */
#ifndef ASM_ASM_H
#define ASM_ASM_H

#include <tessera/isa.h>
#include <tessera/tessera.h>

#include "asm/expr.h"
#include "asm/regions.h"
#include "asm/symbols.h"
#include "base/buffer.h"

enum { ASM_INSTRUCTION_MAX = 16, ASM_RECORD = 16 };

enum asm_taken { ASM_NOT_MINE, ASM_TAKEN, ASM_WRONG };

/* Properties of an instruction that its bytes do not show. */
enum asm_trait {
    ASM_UNKNOWN = 1, /* a value is not known yet, so the bytes are a placeholder */
    /* The text requires this encoding, so join() must not choose another one. */
    ASM_EXACT = 2,
    ASM_AGAIN = 4, /* encoding changes names->state, so each pass has to encode the instruction */
};

/* A directive that only the instruction set defines. */
struct asm_directive {
    const char *text; /* the whole statement, starting with its dot */
    size_t length;
    const char *name; /* name of the directive, within text */
    size_t name_length;
    size_t at;            /* offset of the arguments in text */
    struct buffer *lines; /* the ".tessera" section; the directive may append lines */
    const struct asm_names *names;

    /* Defines the name text[offset], length characters, as a constant. Reports an error if the name
     * is already defined. */
    void (*define)(const struct asm_directive *directive, size_t offset, size_t length,
                   int64_t value);
};

/* A statement of an instruction set whose statements may span lines. */
struct asm_statement {
    const char *text; /* without comments; line breaks are replaced by blanks */
    size_t length;
    struct buffer *lines; /* the ".tessera" section */
    const struct asm_names *names;

    /* Appends a record to the current run. The record's content is private to the instruction set,
     * whose arrange() encodes the record. */
    void (*put)(const struct asm_statement *statement, const uint8_t record[ASM_RECORD]);
    /* Returns the last record of the current run, which the caller may change, or NULL if the run
     * is empty. */
    uint8_t *(*last)(const struct asm_statement *statement);
};

/* Consecutive records with no data between them. */
struct asm_run {
    const uint8_t *records; /* ASM_RECORD bytes for each record */
    size_t count;
    uint32_t address; /* address of the run's first byte */
    /* True in the second pass, in which labels in records have their final values. */
    bool final;
    void *state; /* state of the instruction set, as in names->state */

    struct buffer *bytes;  /* output: the bytes in memory order */
    struct buffer *places; /* output: a struct asm_place for each piece of bytes, in order */

    /* Reports a message about a record. */
    void (*report)(const struct asm_run *run, enum tess_level severity, size_t record,
                   const char *rule, const char *hint, const char *text);
};

/* A piece of a run's bytes and the number of its record. A label before a record has the address of
 * the record's first piece. */
struct asm_place {
    size_t record;
    uint32_t size;
};

/* Properties and functions of an instruction set that the assembler needs. */
struct asm_isa {
    uint32_t alignment; /* alignment of instructions in bytes, a power of two */
    uint32_t unit;      /* bytes per instruction, 0 if equal to alignment */

    /* True if ";" begins a comment. */
    bool semicolon_comments;

    /* Returns true if a name before ":" is a word of the instruction set and not a label. If NULL,
     * every such name is a label. */
    bool (*is_word)(const char *name, size_t length);

    /* Returns true if a statement begins at the start of text. `before` is the text since the last
     * statement began. Only for instruction sets whose statements begin with certain words and may
     * span lines; such instruction sets also define statement() and arrange(). If NULL, each line
     * is a statement and instruction() encodes the line. */
    bool (*begins)(const char *text, size_t length, const char *before, size_t before_length);

    /* Parses a statement and puts its records (none, one or several). Returns false with *error set
     * on errors. */
    bool (*statement)(const struct asm_statement *statement, struct asm_error *error);

    /* Encodes a run. The number of bytes must not depend on the values of labels. Returns false if
     * the host is out of memory. */
    bool (*arrange)(const struct asm_run *run);

    /* Encodes the instruction text, which contains no comments and does not begin with a blank.
     * Returns the number of bytes written, or 0 with *error set. The number must not depend on
     * values that are unknown or forward. Sets *traits to a set of enum asm_trait. */
    size_t (*instruction)(const char *text, size_t length, uint32_t address,
                          const struct asm_names *names, uint8_t bytes[ASM_INSTRUCTION_MAX],
                          unsigned *traits, struct asm_error *error);

    /* Registers and other operands in expressions. */
    const struct asm_operands *operands;

    /* Encodes a statement that is data, not an instruction, such as a control-list record, and
     * appends its bytes. The number of bytes must not depend on values that are unknown or forward.
     * Returns ASM_NOT_MINE if text is an instruction, which instruction() then encodes. May be
     * NULL. */
    enum asm_taken (*record)(const char *text, size_t length, uint32_t address,
                             const struct asm_names *names, struct buffer *bytes,
                             struct asm_error *error);

    /* Merges text, from a line that begins with ";", into the previous instruction, which ended in
     * ";". `address` is the address of the previous instruction. `before` contains the region's
     * bytes so far and ends with the previous instruction. exact is true if that instruction had
     * ASM_EXACT. Returns the number of bytes written, which replace the previous instruction and
     * have the same size. Returns 0 with *error set if the two cannot be merged; text then becomes
     * a separate instruction, unless joins_always is set. If NULL, instructions are never
     * merged. */
    size_t (*join)(const char *text, size_t length, uint32_t address, const struct asm_names *names,
                   const uint8_t *before, size_t before_size, bool exact,
                   uint8_t bytes[ASM_INSTRUCTION_MAX], struct asm_error *error);

    /* True if a line that begins with ";" always continues the previous instruction, even if the
     * previous line did not end in ";". It is an error if the two cannot be merged. */
    bool joins_always;

    /* Checks the latest instruction for missing parts. Called once per instruction, after the last
     * line that can continue the instruction. Returns false with a warning in *error if a part is
     * missing. May be NULL. */
    bool (*complete)(void *state, struct asm_error *error);

    /* Executes a directive, or sets *error. error->offset counts from the start of the statement.
     * Called in both passes. May be NULL. */
    enum asm_taken (*directive)(const struct asm_directive *directive, struct asm_error *error);

    /* Returns the name of directive number index, NULL after the last; used for suggestions. The
     * pointer may be NULL. */
    const char *(*directive_name)(size_t index);

    /* Size in bytes of names->state, which is zeroed at the start of each pass. */
    size_t state_size;

    /* Returns true if the instruction is a branch, which .clone should not copy. May be NULL. */
    bool (*is_branch)(const uint8_t *bytes);

    /* Returns the name of instruction number index, NULL after the last; used for suggestions. The
     * pointer may be NULL. */
    const char *(*mnemonic)(size_t index);

    /* Encoding of the no-op that .align inserts, or NULL if .align inserts zeros. */
    const uint8_t *nop;

    /* Name of the instruction set's standard include file ("vc4.qinc"), or NULL. */
    const char *library;
};

struct asm_source {
    const char *path; /* path of the source, for diagnostics and to find included files */
    const char *text;
    size_t size;
};

/* Default for the number of errors after which assembly stops. */
enum { ASM_ERRORS = 100 };

struct asm_request {
    const struct asm_isa *isa;
    const struct asm_source *sources; /* sources, assembled one after another as one program */
    size_t source_count;
    const char *const *include_dirs;
    size_t include_dir_count;
    /* Files to include, as with .include <...>, before the sources. */
    const char *const *pre_includes;
    size_t pre_include_count;
    const struct tess_asm_define *defines;
    size_t define_count;
    uint32_t address;    /* address of the first byte, unless the program begins with .org */
    unsigned variant;    /* variant of the instruction set, passed on as names->variant */
    uint32_t max_errors; /* number of errors after which assembly stops, 0 for ASM_ERRORS */
    struct tess_sink sink;
};

struct source_file;
struct source_line;

/* An inclusion of a file or an expansion of a macro, function or loop that led to a line. */
struct asm_trace {
    uint32_t parent; /* number of the enclosing trace plus 1, or 0 */
    bool macro;      /* true for a macro, function or loop, false for a file */
    const struct source_line *call;
    char *name;
};

/* A range of bytes that one statement emitted. */
struct asm_origin {
    uint32_t address, size;
    uint32_t column; /* column of the statement in its line, from 1 */
    /* Number of the line's trace plus 1, 0 if the line is in a source of the request. */
    uint32_t trace;
    bool code; /* true for instructions, false for data */
    const struct source_line *line;
};

/* Source position of a line of the ".tessera" section that ".scene" added. */
struct asm_step {
    uint32_t column; /* column of the step's first character, from 1 */
    uint32_t trace;  /* number of the trace, as in struct asm_origin */
    const struct source_line *line;
};

struct asm_program {
    struct asm_regions regions;
    struct asm_symbols labels, constants;
    struct buffer scene; /* contents of the ".tessera" section */
    struct buffer steps; /* a struct asm_step for each ".scene", in order */
    uint32_t alignment;  /* largest alignment of an .align, 0 without .align */
    uint32_t unit;       /* bytes per instruction */

    /* Source positions of the bytes, ordered by address within each region. The lines stay valid
     * until the program is freed. */
    struct asm_origin *origins;
    size_t origin_count;
    struct asm_trace *traces;
    size_t trace_count;
    struct source_file *files;
};

/* Assembles the sources. The caller frees *program in all cases. Errors: TESS_WRONG (reported to
 * the sink), TESS_NO_MEMORY. */
enum tess_status asm_assemble(const struct asm_request *request, struct asm_program *program);

void asm_program_free(struct asm_program *program);

#endif
