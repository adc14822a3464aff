/* SPDX-License-Identifier: MIT */
/* dis_file.h - code shared by the fuzz targets of the shader cores' disassemblers. */
#ifndef FUZZ_DIS_FILE_H
#define FUZZ_DIS_FILE_H

#include <stddef.h>
#include <stdint.h>

#include <tessera/isa.h>

/* Aborts if the condition is false. */
void check(bool good);

/* Checks that a file with any contents disassembles to text that assembles to the same bytes, and
 * that input recognised as another format than raw words gives text that the assembler accepts. The
 * first bytes of data select input, output, variant, base, ranges. */
void check_file(enum tess_machine machine, const uint8_t *data, size_t size);

#endif
