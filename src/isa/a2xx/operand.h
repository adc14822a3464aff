/* SPDX-License-Identifier: MIT */
/* operand.h - parses operands and destinations of ALU instructions. docs/isa/a2xx.md describes
 * them. */
#ifndef ISA_A2XX_OPERAND_H
#define ISA_A2XX_OPERAND_H

#include "isa/a2xx/line.h"
#include "isa/a2xx/record.h"

enum a2xx_relative { A2XX_ABSOLUTE, A2XX_PLUS_AL, A2XX_PLUS_A0 };

/* An operand such as "-|R1.xyzz|" or "C[a0+5]". */
struct a2xx_operand_text {
    size_t at; /* position in the text */
    bool constant, negative, absolute, swizzled;
    enum a2xx_relative relative;
    unsigned number;
    uint8_t components[4]; /* for each component, the source component that it reads (0 to 3) */
};

/* A destination such as "R1.xy__" or "export0.xyz1". */
struct a2xx_destination {
    size_t at;
    bool exported, relative;
    unsigned number, mask, zeros, ones; /* mask, zeros and ones have bits 1 << component */
};

/* Parse an operand or a destination. Return false after an error, with the message in
 * line->error. */
bool a2xx_take_operand(struct a2xx_line *line, struct a2xx_operand_text *operand);
bool a2xx_take_destination(struct a2xx_line *line, struct a2xx_destination *destination);

/* Parses "R1" or "R[aL+1]" of a fetch, without the part after the dot. */
bool a2xx_take_register(struct a2xx_line *line, unsigned *number, bool *relative);

/* Parses a dot and 1 to `most` letters. Sets *length to 0 and returns true if there is no dot. */
bool a2xx_take_letters(struct a2xx_line *line, const char *allowed, size_t most,
                       const char **letters, size_t *length);

/* Stores an operand in the fields of source 1, 2 or 3. Call in the order 1, 2, 3. */
bool a2xx_set_source(struct a2xx_line *line, struct a2xx_record *record, struct a2xx_alu *alu,
                     unsigned source, const struct a2xx_operand_text *operand);

/* Stores the operands of MUL_CONST and similar operations: the constant, and the register after
 * it. */
bool a2xx_set_const_sources(struct a2xx_line *line, struct a2xx_record *record,
                            struct a2xx_alu *alu, const struct a2xx_operand_text *constant,
                            const struct a2xx_operand_text *other);

#endif
