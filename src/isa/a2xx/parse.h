/* SPDX-License-Identifier: MIT */
/* parse.h - parses the statements of an A2xx program. docs/isa/a2xx.md describes them.
 *
 * In:      text, and the symbols that it may use.
 * Out:     records and lines of the interface, or a message with its column and a hint. */
#ifndef ISA_A2XX_PARSE_H
#define ISA_A2XX_PARSE_H

#include "asm/asm.h"
#include "isa/a2xx/defaults.h"
#include "isa/a2xx/line.h"
#include "isa/a2xx/record.h"

/* State of the assembler during a pass. Zero at the start of the pass. */
struct a2xx_state {
    enum a2xx_idle idle; /* contents of idle halves, set by .idle */
    bool in_memory;      /* true after .layout memory */
    bool has_vertex;     /* true if the program already has a vertex fetch */
};

/* Returns true if a statement begins at this text. `before` is the text from the beginning of the
 * preceding statement up to this text. The assembler core calls the function through struct asm_isa
 * (src/asm/asm.h). */
bool a2xx_begins(const char *text, size_t length, const char *before, size_t before_length);
bool a2xx_statement(const struct asm_statement *statement, struct asm_error *error);

/* Returns true for words that cannot be labels: "ALU" and "FETCH", which precede a ":", and the
 * names of control flow. */
bool a2xx_is_word(const char *name, size_t length);

/* Returns the name with the given index among the names of instructions and formats, or NULL after
 * the last name. Used to suggest a name after a spelling mistake. */
const char *a2xx_mnemonic(size_t index);

/* parse_cf.c: parse a control-flow instruction whose name has been read. */
bool a2xx_parse_cf(struct a2xx_line *line, unsigned opcode, struct a2xx_record *record);
bool a2xx_parse_raw_cf(struct a2xx_line *line, struct a2xx_record *record);

/* parse_alu.c: parse the part after "ALU:", and a scalar operation for the preceding
 * instruction. */
bool a2xx_parse_alu(struct a2xx_line *line, const struct a2xx_state *state,
                    struct a2xx_record *record);
bool a2xx_parse_scalar(struct a2xx_line *line, struct a2xx_record *record);

/* Returns true if a scalar operation has this name, with or without a predicate. */
bool a2xx_is_scalar(const char *name, size_t length);

/* parse_fetch.c: parses the part after "FETCH:". */
bool a2xx_parse_fetch(struct a2xx_line *line, struct a2xx_state *state, struct a2xx_record *record);

/* Parses three words as numbers. */
bool a2xx_parse_words(struct a2xx_line *line, struct a2xx_record *record);

/* headers.c: parses a header such as "@attribute(R1) name". */
bool a2xx_parse_header(struct a2xx_line *line, struct buffer *lines);
const char *a2xx_header_name(size_t index);

/* Removes a final "EQ" or "NE" from a name. Returns true if the name had such a suffix. */
bool a2xx_take_predicate(const char *name, size_t *length, bool *condition);

#endif
