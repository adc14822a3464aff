/* SPDX-License-Identifier: MIT */
/* assemble.c - binds the A2xx to the assembler core. */
#include "isa/a2xx/assemble.h"

static size_t instruction(const char *text, size_t length, uint32_t address,
                          const struct asm_names *names, uint8_t bytes[ASM_INSTRUCTION_MAX],
                          unsigned *traits, struct asm_error *error)
{
    (void)text, (void)length, (void)address, (void)names, (void)bytes;
    *traits = 0;
    asm_fail(error, "a2xx-syntax", 0, NULL, "this statement is not understood");
    return 0;
}

const struct asm_isa a2xx_asm_isa = {.alignment = 4, .instruction = instruction};
