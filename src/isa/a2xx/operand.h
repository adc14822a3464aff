/* SPDX-License-Identifier: MIT */
/* operand.h - operands and destinations of ALU instructions as they are written. docs/isa/a2xx.md describes them. */
#ifndef ISA_A2XX_OPERAND_H
#define ISA_A2XX_OPERAND_H

#include "isa/a2xx/line.h"
#include "isa/a2xx/record.h"

enum a2xx_relative { A2XX_ABSOLUTE, A2XX_PLUS_AL, A2XX_PLUS_A0 };

/* "-|R1.xyzz|", "C[a0+5]" */
struct a2xx_operand_text {
    size_t at; /* where it stands */
    bool constant, negative, absolute, swizzled;
    enum a2xx_relative relative;
    unsigned number;
    uint8_t components[4]; /* what each component reads */
};

/* "R1.xy__", "export0.xyz1" */
struct a2xx_destination {
    size_t at;
    bool exported, relative;
    unsigned number, mask, zeros, ones; /* bits 1 << component */
};

/* Take what comes next. False after a mistake, of which line->error tells. */
bool a2xx_take_operand(struct a2xx_line *line, struct a2xx_operand_text *operand);
bool a2xx_take_destination(struct a2xx_line *line, struct a2xx_destination *destination);

/* "R1" or "R[aL+1]" of a fetch, without what follows the dot. */
bool a2xx_take_register(struct a2xx_line *line, unsigned *number, bool *relative);

/* Letters behind a dot, at most most; *length is 0 if there is no dot. */
bool a2xx_take_letters(struct a2xx_line *line, const char *allowed, size_t most,
                       const char **letters, size_t *length);

/* Puts an operand into the fields of source 1, 2 or 3. Sources come in the order 1, 2, 3. */
bool a2xx_set_source(struct a2xx_line *line, struct a2xx_record *record, struct a2xx_alu *alu,
                     unsigned source, const struct a2xx_operand_text *operand);

/* The same for the constant of MUL_CONST and the like, and the register behind it. */
bool a2xx_set_const_sources(struct a2xx_line *line, struct a2xx_record *record,
                            struct a2xx_alu *alu, const struct a2xx_operand_text *constant,
                            const struct a2xx_operand_text *other);

#endif
