/* SPDX-License-Identifier: MIT */
/* forms.h - instructions, and what they access. */
#ifndef TEST_TRAP_FORMS_H
#define TEST_TRAP_FORMS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* A piece of straight code, and its accesses of registers: "r0 w4" is a read of the register at the base, then a write of
 * the next one. */
struct form {
    const uint8_t *code, *end;
    const char *text, *accesses;
};

/* The linker gathers them. */
extern const struct form __start_trap_forms[], __stop_trap_forms[];

/* The code is run twice at the same address with the same contents: on memory, and on registers. Both must have the same
 * effects. */

/* Sets all registers of the processor from a seed; the base register has this address, a second one has that of ordinary
 * memory. */
void forms_prepare(uint64_t seed, uintptr_t base, uintptr_t memory);

/* Runs code. False: the processor does not know it, or it fails. */
bool forms_call(const uint8_t *code, size_t size);

/* All registers after a run, in one piece. */
const void *forms_state(size_t *size);

/* The text of an instruction that the shim must refuse and does not; NULL: there is none. */
const char *forms_accepted(void);

/* A random instruction that accesses [base, + 64), at most 16 bytes of code, that is worth trying. Returns its size, 0:
 * try again. *whole: whether it only writes whole registers. */
size_t forms_random(uint64_t (*random)(void), uint8_t code[16], bool *whole);

#endif
