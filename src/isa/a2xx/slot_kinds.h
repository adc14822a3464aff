/* SPDX-License-Identifier: MIT */
/* slot_kinds.h - what each slot of an A2xx program contains: control flow, ALU instructions or
 * fetches. */
#ifndef ISA_A2XX_SLOT_KINDS_H
#define ISA_A2XX_SLOT_KINDS_H

#include <stddef.h>
#include <stdint.h>

/* Kinds of contents of a slot, as bits. A slot can have several bits, because clauses can overlap
 * each other and, in faulty programs, the control flow. */
enum {
    A2XX_SLOT_CONTROL = 1,
    A2XX_SLOT_ALU = 2,
    A2XX_SLOT_FETCH = 4,
};

/* Fills kinds with one element per slot. */
void a2xx_slot_kinds(const uint32_t *words, size_t slots, size_t cf_slots, uint8_t *kinds);

#endif
