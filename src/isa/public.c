/* SPDX-License-Identifier: MIT */
/* public.c - the public door to the instruction sets: disassembly and explanation.
 *
 * In:  the caller's instruction word and buffer.
 * Out: text. Assembly has a door of its own. */
#include <tessera/isa.h>

#include "isa/qpu/qpu_isa.h"

size_t tess_qpu_disassemble(char *text, size_t size, uint64_t word, uint32_t address)
{
    return qpu_print(text, size, word, address);
}

size_t tess_qpu_mnemonic(char *text, size_t size, uint64_t word, uint32_t address)
{
    return qpu_print_nearest(text, size, word, address);
}

size_t tess_qpu_explain(char *text, size_t size, uint64_t word, uint32_t address)
{
    return qpu_explain(text, size, word, address);
}
