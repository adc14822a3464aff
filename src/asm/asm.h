/* SPDX-License-Identifier: MIT */
/* asm.h - the assembler that all instruction sets share: source text in, bytes at bus addresses,
 * symbols and scene steps out. What an instruction is, struct asm_isa says. docs/asm.md describes
 * the language. */
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

/* What an instruction set tells about an instruction besides its bytes. */
enum asm_trait {
    ASM_UNKNOWN = 1, /* a value is unknown: the bytes are a placeholder */
    ASM_EXACT = 2,   /* its text names this very encoding, which may not change for what joins it */
    ASM_AGAIN = 4,   /* each pass has to encode it: it leaves something in the state */
};

/* A directive of an instruction set. */
struct asm_directive {
    const char *text; /* the whole statement, from its dot on */
    size_t length;
    const char *name; /* in it */
    size_t name_length;
    size_t at;            /* where its arguments begin */
    struct buffer *lines; /* of the ".tessera" section: what it appends comes before what follows */
    const struct asm_names *names;

    /* Makes text[offset], so long, the name of a constant, which must be new; reports if it is not. */
    void (*define)(const struct asm_directive *directive, size_t offset, size_t length,
                   int64_t value);
};

/* A statement of an instruction set whose statements need not end with their lines. */
struct asm_statement {
    const char *text; /* without comments; ends of lines are blanks */
    size_t length;
    struct buffer *lines; /* of the ".tessera" section */
    const struct asm_names *names;

    /* Appends a record to the run, what the instruction set wants to know of the statement when the run is arranged. */
    void (*put)(const struct asm_statement *statement, const uint8_t record[ASM_RECORD]);
    /* The last record of the run, to be changed; NULL if there is none. */
    uint8_t *(*last)(const struct asm_statement *statement);
};

/* Records that stand together, with no data among them. */
struct asm_run {
    const uint8_t *records; /* ASM_RECORD bytes each */
    size_t count;
    uint32_t address; /* of the first byte that becomes of them */
    bool final;       /* labels in records have their values; else this is the first pass */
    void *state;      /* names->state */

    struct buffer *bytes;  /* to be filled: as they stand in memory */
    struct buffer *places; /* to be filled: a struct asm_place for each piece of bytes, in their order */

    /* Reports something about a record. */
    void (*report)(const struct asm_run *run, enum tess_severity severity, size_t record,
                   const char *rule, const char *hint, const char *text);
};

/* A piece of a run's bytes, and the record that it is of. A label in front of a record stands where the first piece of the
 * record does. */
struct asm_place {
    size_t record;
    uint32_t size;
};

/* An instruction set, as far as the assembler needs it. */
struct asm_isa {
    uint32_t alignment; /* of instructions, in bytes, a power of two */
    uint32_t unit;      /* bytes of an instruction; 0: alignment */

    /* ";" begins a comment. */
    bool semicolon_comments;

    /* Whether a name in front of ":" is no label. May be NULL: all are. */
    bool (*is_word)(const char *name, size_t length);

    /* For an instruction set whose statements are told by their first word, not by the ends of lines: whether one begins
     * at the start of text; before is what stands in front of it since the last one began. May be NULL: lines are
     * statements, and instruction() takes them. Else the next two do so. */
    bool (*begins)(const char *text, size_t length, const char *before, size_t before_length);

    /* Takes a statement, which may put any number of records; false with *error filled. */
    bool (*statement)(const struct asm_statement *statement, struct asm_error *error);

    /* Makes bytes of a run. Their number may not depend on labels. False: no memory. */
    bool (*arrange)(const struct asm_run *run);

    /* Encodes the instruction text, which has no comments, and whose first character is not blank.
     * Returns the number of bytes written, or 0 with *error filled. The number must not depend on
     * values that are unknown or forward. *traits is a set of enum asm_trait. */
    size_t (*instruction)(const char *text, size_t length, uint32_t address,
                          const struct asm_names *names, uint8_t bytes[ASM_INSTRUCTION_MAX],
                          unsigned *traits, struct asm_error *error);

    /* What registers and the like are in expressions. */
    const struct asm_operands *operands;

    /* Statements that are data, not instructions (control-list records). Appends the statement's bytes; their number
     * must not depend on values that are unknown or forward. ASM_NOT_MINE leaves the text to instruction(). May be
     * NULL. */
    enum asm_taken (*record)(const char *text, size_t length, uint32_t address,
                             const struct asm_names *names, struct buffer *bytes,
                             struct asm_error *error);

    /* Adds the instruction text to the one before it, which ended in ";", and which starts at address: a line
     * that begins with ";". before is what stands in the region so far, that instruction last; exact tells whether that
     * had ASM_EXACT. Returns the number
     * of bytes written to take its place, as many; or 0 with *error filled, then the text becomes an instruction
     * of its own, unless joins_always. May be NULL: never. */
    size_t (*join)(const char *text, size_t length, uint32_t address, const struct asm_names *names,
                   const uint8_t *before, size_t before_size, bool exact,
                   uint8_t bytes[ASM_INSTRUCTION_MAX], struct asm_error *error);

    /* A line that begins with ";" goes on with the instruction before, however that ended, or is an error. */
    bool joins_always;

    /* Whether the latest instruction, which no line goes on with any more, has all that it needs; else *error is a
     * warning. Called once for each instruction, after it. May be NULL: nothing to say. */
    bool (*complete)(void *state, struct asm_error *error);

    /* Does what a directive says, or fills *error, whose offset counts from the start of the statement. Called in both
     * passes. May be NULL. */
    enum asm_taken (*directive)(const struct asm_directive *directive, struct asm_error *error);

    /* The names of its directives, for suggestions; NULL at the end. May be NULL. */
    const char *(*directive_name)(size_t index);

    /* Bytes that it keeps during a pass, all zero at its start: names->state. */
    size_t state_size;

    /* Whether the instruction is a branch, which .clone should not copy. May be NULL. */
    bool (*is_branch)(const uint8_t *bytes);

    /* The names of instructions, for suggestions; NULL at the end. May be NULL. */
    const char *(*mnemonic)(size_t index);

    /* The instruction that does nothing, with which .align fills up; NULL for zeros. */
    const uint8_t *nop;

    /* The include file that comes with the assembler for it ("vc4.qinc"). May be NULL. */
    const char *library;
};

struct asm_source {
    const char *path; /* for diagnostics, and where includes are looked for */
    const char *text;
    size_t size;
};

/* After so many errors assembling ends, unless the request says otherwise. */
enum { ASM_ERRORS = 100 };

struct asm_request {
    const struct asm_isa *isa;
    const struct asm_source *sources; /* assembled one after the other, as one program */
    size_t source_count;
    const char *const *include_dirs;
    size_t include_dir_count;
    const char *const *pre_includes; /* looked for as .include <...> does, before the sources */
    size_t pre_include_count;
    const struct tess_asm_define *defines;
    size_t define_count;
    uint32_t address; /* of the first byte, unless .org says otherwise */
    unsigned variant; /* of the instruction set: names->variant */
    uint32_t max_errors; /* after which assembling ends; 0: ASM_ERRORS */
    struct tess_sink sink;
};

struct source_file;
struct source_line;

/* An inclusion or expansion: how the assembler came to a line. */
struct asm_trace {
    uint32_t parent; /* number of the trace around it, + 1; 0: none */
    bool macro;      /* else a file */
    const struct source_line *call;
    char *name;
};

/* A run of bytes that one statement put out. */
struct asm_origin {
    uint32_t address, size;
    uint32_t column; /* of the statement in its line, from 1 */
    uint32_t trace;  /* number of its trace, + 1; 0: the line stands in a source of the request */
    bool code;       /* an instruction; else data */
    const struct source_line *line;
};

/* Where a line of the ".tessera" section comes from that ".scene" gives. */
struct asm_step {
    uint32_t column; /* of its first character in its line, from 1 */
    uint32_t trace;  /* as in struct asm_origin */
    const struct source_line *line;
};

struct asm_program {
    struct asm_regions regions;
    struct asm_symbols labels, constants;
    struct buffer scene; /* the ".tessera" section */
    struct buffer steps; /* a struct asm_step for each ".scene", in order */
    uint32_t alignment;  /* the greatest that an .align asks for; 0: none does */
    uint32_t unit;       /* bytes of an instruction */

    /* Where the bytes come from, by address within each region. Lines live as long as the program. */
    struct asm_origin *origins;
    size_t origin_count, origin_capacity;
    struct asm_trace *traces;
    size_t trace_count, trace_capacity;
    struct source_file *files;
};

/* Assembles. *program must be freed in any case. Errors: TESS_WRONG (the sink has the reasons),
 * TESS_NO_MEMORY. */
enum tess_status asm_assemble(const struct asm_request *request, struct asm_program *program);

void asm_program_free(struct asm_program *program);

#endif
