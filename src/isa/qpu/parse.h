/* SPDX-License-Identifier: MIT */
/* parse.h - parses one line of QPU assembly in the vc4asm dialect into one instruction word.
 *
 * The line has no label, comment or directive. docs/isa/qpu.md describes the dialect. */
#ifndef ISA_QPU_PARSE_H
#define ISA_QPU_PARSE_H

#include "asm/expr.h"

enum qpu_parse_result {
    QPU_PARSE_OK,
    QPU_PARSE_UNKNOWN, /* valid so far, but a value is not known yet; *word is a placeholder, which
                        * is a branch if the line is a branch */
    QPU_PARSE_ERROR,
};

/* Parses text, the instruction at address, into *word. If names is NULL, the line cannot
 * use symbols. names->operands is ignored. Warnings go to names->warn with rule ids that
 * begin with "qpu-". */
enum qpu_parse_result qpu_parse(const char *text, size_t length, uint32_t address,
                                const struct asm_names *names, uint64_t *word,
                                struct asm_error *error);

/* Returns the mnemonic at index, or NULL after the last one. */
const char *qpu_mnemonic(size_t index);

/* Returns true if ";;" may join two lines to word. Returns false if word uses the TMU, the TLB or
 * another unit that serves one request at a time more than once. */
bool qpu_may_join(uint64_t word);

#endif
