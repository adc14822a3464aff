/* SPDX-License-Identifier: MIT */
/* parse.h - the text of an instruction of the GP becomes its 128-bit word.
 *
 * The text has no label, no comment and no directive: slots with ";" between them. docs/isa/gp.md describes them. */
#ifndef ISA_GP_PARSE_H
#define ISA_GP_PARSE_H

#include "isa/gp/slots.h"

enum gp_parse_result {
    GP_PARSE_OK,
    GP_PARSE_UNKNOWN, /* fine so far, but a value is unknown, which counts as 0 */
    GP_PARSE_ERROR,
};

/* Adds slots to an instruction that gp_build_begin() has begun. After an error the slots before the bad one have been
 * added. */
enum gp_parse_result gp_parse_slots(const char *text, size_t length, const struct asm_names *names,
                                    struct gp_build *build, struct asm_error *error);

/* Parses an instruction that is complete. names may be NULL: then there are no symbols. */
enum gp_parse_result gp_parse(const char *text, size_t length, const struct asm_names *names,
                              uint32_t words[GP_WORDS], struct asm_error *error);

/* The names of slots with their operations, of fields and of operands, for suggestions; NULL behind the last one. */
const char *gp_mnemonic(size_t index);

#endif
