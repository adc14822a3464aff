/* SPDX-License-Identifier: MIT */
/* live.h - accesses a register of a peripheral while all vector registers of the processor contain
 * values. */
#ifndef TEST_TRAP_LIVE_H
#define TEST_TRAP_LIVE_H

#include <stdbool.h>
#include <stdint.h>

/* Fills the processor's widest vector registers and mask registers with values derived from `seed`,
 * adds 1 to *word, and compares the registers with these values. Returns false if a register has
 * changed. */
bool live_add(volatile uint32_t *word, uint32_t seed);

/* Returns the name of the registers that live_add() fills, such as "AVX-512". */
const char *live_registers(void);

#endif
