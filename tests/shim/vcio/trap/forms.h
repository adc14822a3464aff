/* SPDX-License-Identifier: MIT */
/* forms.h - instruction forms, and the accesses of each form. */
#ifndef TEST_TRAP_FORMS_H
#define TEST_TRAP_FORMS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* A piece of straight-line code, and its accesses to registers: "r0 w4" is a read of the register
 * at the base, then a write of the next register. */
struct form {
    const uint8_t *code, *end;
    const char *text, *accesses;
};

/* The linker collects the forms in a section. */
extern const struct form __start_trap_forms[], __stop_trap_forms[];

/* The code runs twice at the same address with the same contents: on memory, and on registers. Both
 * runs must have the same effects. */

/* Sets all registers of the processor from a seed. The base register receives the base address, a
 * second register the address of ordinary memory. */
void forms_prepare(uint64_t seed, uintptr_t base, uintptr_t memory);

/* Runs code. Returns false if the processor lacks an instruction, or if the code faults. */
bool forms_call(const uint8_t *code, size_t size);

/* Returns all registers after a run, as one object. */
const void *forms_state(size_t *size);

/* Returns the text of an instruction that the shim must refuse and does not, or NULL. */
const char *forms_accepted(void);

/* Writes a random instruction of at most 16 bytes that accesses [base, + 64). Returns its size, or
 * 0 if the attempt gave no usable instruction. Sets *whole to true if the instruction writes only
 * whole registers. */
size_t forms_random(uint64_t (*random)(void), uint8_t code[16], bool *whole);

#endif
