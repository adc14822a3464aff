/* SPDX-License-Identifier: MIT */
/* names.h - names of field values: filters, sample locations, dimensions, ALLOC's buffers.
 *
 * In:      a kind of field and a value, or a name.
 * Out:     the name that the assembler accepts, or the value.
 * Source:  Mesa 22.3.6, src/freedreno/ir2/disasm-a2xx.c; xenia, src/xenia/gpu/xenos.h, for
 *          dimensions. */
#ifndef ISA_A2XX_NAMES_H
#define ISA_A2XX_NAMES_H

#include "isa/a2xx/a2xx_isa.h"

/* Returns the name of a value, or NULL if the value has no name. */
const char *a2xx_value_name(enum a2xx_kind kind, uint32_t value);

/* Returns the suffix of an instruction's name: "EQ" or "NE" if the instruction is predicated, and
 * otherwise "". */
const char *a2xx_predicate_name(bool predicated, bool condition);

/* Finds the value of a name. Returns false if the kind has no such name. */
bool a2xx_value_find(enum a2xx_kind kind, const char *name, size_t length, uint32_t *value);

#endif
