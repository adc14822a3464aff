/* SPDX-License-Identifier: MIT */
/* parse.h - one line of QPU assembly in the vc4asm dialect becomes one instruction word.
 *
 * The line has no label, no comment and no directive. docs/isa/qpu.md describes the dialect. */
#ifndef ISA_QPU_PARSE_H
#define ISA_QPU_PARSE_H

#include "asm/expr.h"

enum qpu_parse_result {
    QPU_PARSE_OK,
    QPU_PARSE_UNKNOWN, /* fine so far, but a value is unknown: *word is a placeholder, a branch for a branch */
    QPU_PARSE_ERROR,
};

/* Parses text, the instruction at address, into *word. names may be NULL: then there are no symbols.
 * Its operands are not looked at. Warnings go to names->warn, with rule ids "qpu-...". */
enum qpu_parse_result qpu_parse(const char *text, size_t length, uint32_t address,
                                const struct asm_names *names, uint64_t *word,
                                struct asm_error *error);

/* The names of instructions; NULL behind the last one. */
const char *qpu_mnemonic(size_t index);

/* Whether two lines may become one word by ";;": not if both use the TMU, the TLB or another unit that serves one request
 * at a time. word is that of both together. */
bool qpu_may_join(uint64_t word);

#endif
