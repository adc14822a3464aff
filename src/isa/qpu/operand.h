/* SPDX-License-Identifier: MIT */
/* operand.h - operands and suffixes of QPU assembly: text in, values out. */
#ifndef ISA_QPU_OPERAND_H
#define ISA_QPU_OPERAND_H

#include "isa/qpu/parse.h"

/* A piece of the line. offset is its place in the whole line, for error columns. */
struct qpu_text {
    const char *text;
    size_t length, offset;
};

/* A pack or unpack mode as written. */
struct qpu_pack {
    uint8_t code;       /* pack 0..15 (8: saturate) or unpack 0..7 */
    bool integer, real; /* "i" or "f" was written */
    bool only_pack, only_unpack;
};

/* All suffixes of an opcode or operand. */
struct qpu_suffixes {
    bool set_flags, has_condition, has_branch, has_pack;
    uint8_t condition, branch;
    struct qpu_pack pack;
};

struct qpu_operand {
    struct qpu_value value;
    struct qpu_suffixes suffixes;
    size_t offset;
};

/* Fills *error and returns false. */
bool qpu_parse_fail(struct qpu_parse_error *error, size_t column, const char *hint,
                    const char *format, ...) __attribute__((format(printf, 4, 5)));

/* text without blanks at its ends. */
struct qpu_text qpu_trim(struct qpu_text text);

/* length bytes of text from start. */
struct qpu_text qpu_part(struct qpu_text text, size_t start, size_t length);

/* The length of the name at the start of text; 0 if there is none. */
size_t qpu_name_length(struct qpu_text text);

/* The place of the first stop character outside of brackets, or the length. */
size_t qpu_find(struct qpu_text text, char stop);

/* Takes ".name" pieces from the start of *text. */
bool qpu_parse_suffixes(struct qpu_text *text, bool of_opcode, struct qpu_suffixes *suffixes,
                        struct qpu_parse_error *error);

bool qpu_parse_operand(struct qpu_text text, const struct qpu_parse_env *env,
                       struct qpu_operand *operand, struct qpu_parse_error *error);

#endif
