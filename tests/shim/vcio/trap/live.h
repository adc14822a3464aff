/* SPDX-License-Identifier: MIT */
/* live.h - an access to a register while all of the processor's vector registers hold values. */
#ifndef TEST_TRAP_LIVE_H
#define TEST_TRAP_LIVE_H

#include <stdbool.h>
#include <stdint.h>

/* Fills the widest vector and mask registers that the processor has with values made from seed, adds 1 to *word, and compares the
 * registers with what they were filled with. False: one of them changed. */
bool live_add(volatile uint32_t *word, uint32_t seed);

/* The registers that live_add() fills: "AVX-512". */
const char *live_registers(void);

#endif
