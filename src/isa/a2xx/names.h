/* SPDX-License-Identifier: MIT */
/* names.h - how the values of fields are written: filters, places, what is allocated.
 *
 * In:      a kind of field and a value, or a name.
 * Out:     the name as the assembler takes it, or the value.
 * Source:  Mesa 22.3.6, src/freedreno/ir2/disasm-a2xx.c; xenia, src/xenia/gpu/xenos.h, for dimensions. */
#ifndef ISA_A2XX_NAMES_H
#define ISA_A2XX_NAMES_H

#include "isa/a2xx/a2xx_isa.h"

/* NULL if the kind has no names, or the value has none. */
const char *a2xx_value_name(enum a2xx_kind kind, uint32_t value);

/* What stands behind the name of a predicated instruction: "EQ", "NE"; "" if it is none. */
const char *a2xx_predicate_name(bool predicated, bool condition);

/* False if no value of the kind has this name. */
bool a2xx_value_find(enum a2xx_kind kind, const char *name, size_t length, uint32_t *value);

#endif
