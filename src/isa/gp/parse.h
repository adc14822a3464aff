/* SPDX-License-Identifier: MIT */
/* parse.h - encodes the text of a GP instruction as its 128-bit word.
 *
 * The text consists of slots separated by ";", without labels, comments and directives.
 * docs/isa/gp.md describes the syntax. */
#ifndef ISA_GP_PARSE_H
#define ISA_GP_PARSE_H

#include "isa/gp/slots.h"

enum gp_parse_result {
    GP_PARSE_OK,
    GP_PARSE_UNKNOWN, /* valid so far, but the value of a symbol is unknown and taken as 0 */
    GP_PARSE_ERROR,
};

/* Adds the slots in text to an instruction that gp_build_begin() has begun. After an error, the
 * instruction contains the slots before the slot with the error. */
enum gp_parse_result gp_parse_slots(const char *text, size_t length, const struct asm_names *names,
                                    struct gp_build *build, struct asm_error *error);

/* Parses a complete instruction. `names` may be NULL if the text uses no symbols. */
enum gp_parse_result gp_parse(const char *text, size_t length, const struct asm_names *names,
                              uint32_t words[GP_WORDS], struct asm_error *error);

/* Returns the name with the given index among all names of slots, fields and operands, or NULL
 * after the last name. Used to suggest a name after a spelling mistake. */
const char *gp_mnemonic(size_t index);

#endif
