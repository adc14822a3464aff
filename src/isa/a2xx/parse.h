/* SPDX-License-Identifier: MIT */
/* parse.h - the statements of an A2xx program: what begins one, and what it becomes. docs/isa/a2xx.md describes them.
 *
 * In:      text, and the symbols that it may use.
 * Out:     records, lines of the interface; or a message with its column and a hint. */
#ifndef ISA_A2XX_PARSE_H
#define ISA_A2XX_PARSE_H

#include "asm/asm.h"
#include "isa/a2xx/defaults.h"
#include "isa/a2xx/line.h"
#include "isa/a2xx/record.h"

/* What the assembler keeps during a pass; zero at its start. */
struct a2xx_state {
    enum a2xx_idle idle; /* .idle */
    bool in_memory;      /* .layout memory */
    bool has_vertex;     /* a vertex fetch has been written in this program */
};

/* Whether a statement begins with this text, which stands behind `before`: a hook of src/asm/asm.h. */
bool a2xx_begins(const char *text, size_t length, const char *before, size_t before_length);
bool a2xx_statement(const struct asm_statement *statement, struct asm_error *error);

/* Names that are no labels: "ALU" and "FETCH", which have a ":" behind them, and those of control flow. */
bool a2xx_is_word(const char *name, size_t length);

/* The names of instructions and formats, for suggestions; NULL behind the last one. */
const char *a2xx_mnemonic(size_t index);

/* A control-flow instruction whose name has been read: parse_cf.c. */
bool a2xx_parse_cf(struct a2xx_line *line, unsigned opcode, struct a2xx_record *record);
bool a2xx_parse_raw_cf(struct a2xx_line *line, struct a2xx_record *record);

/* What stands behind "ALU:", and a scalar operation for the instruction before: parse_alu.c. */
bool a2xx_parse_alu(struct a2xx_line *line, const struct a2xx_state *state,
                    struct a2xx_record *record);
bool a2xx_parse_scalar(struct a2xx_line *line, struct a2xx_record *record);

/* Whether a scalar operation has this name, with or without its predicate. */
bool a2xx_is_scalar(const char *name, size_t length);

/* What stands behind "FETCH:": parse_fetch.c. */
bool a2xx_parse_fetch(struct a2xx_line *line, struct a2xx_state *state, struct a2xx_record *record);

/* Three words as numbers. */
bool a2xx_parse_words(struct a2xx_line *line, struct a2xx_record *record);

/* "@attribute(R1) name" and the like: headers.c. */
bool a2xx_parse_header(struct a2xx_line *line, struct buffer *lines);
const char *a2xx_header_name(size_t index);

/* Takes "EQ" or "NE" off the end of a name. Returns whether one was there. */
bool a2xx_take_predicate(const char *name, size_t *length, bool *condition);

#endif
