/* SPDX-License-Identifier: MIT */
/* operation_list.h - the operations in the text of an instruction, and the operands of each
 * operation.
 *
 * In:      the printer of a machine marks the beginning and the end of each operation and operand
 *          while it writes the text.
 * Out:     positions in the text, and what each operand refers to. */
#ifndef ISA_OPERATION_LIST_H
#define ISA_OPERATION_LIST_H

#include <stdbool.h>
#include <stdint.h>

#include "base/text.h"

/* 51: the 12 slots and 39 fields of a GP instruction, the longest list */
enum { OPERATION_LIST_MAX = 51, OPERATION_LIST_OPERANDS = 4 };

/* An operand that has a value. */
struct listed_operand {
    uint16_t at, length; /* position in the text, with sign, index and swizzle */
    bool negative, absolute;
    uint8_t place;  /* GP: enum gp_place. A2xx: bits of enum a2xx_operand_place */
    uint8_t number; /* GP: source code. A2xx: number of the register or constant */
    uint8_t component_count, components[4];
};

struct listed_operation {
    uint16_t at, length; /* position in the text */
    uint8_t kind;        /* GP: enum gp_slot. A2xx: enum a2xx_unit */
    uint8_t count;
    struct listed_operand operands[OPERATION_LIST_OPERANDS];
};

struct operation_list {
    unsigned count;
    struct listed_operation list[OPERATION_LIST_MAX];
};

/* Begin and end an operation at the current end of the text. The list may be NULL: then these
 * functions and operation_list_operand() have no effect. */
void operation_list_begin(struct operation_list *operations, const struct text *text,
                          unsigned kind);
void operation_list_end(struct operation_list *operations, const struct text *text);

/* Adds an operand to the last operation. The operand is the text from position `at` to the end;
 * the members for the position are ignored. */
void operation_list_operand(struct operation_list *operations, const struct text *text, size_t at,
                            struct listed_operand operand);

#endif
