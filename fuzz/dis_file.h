/* SPDX-License-Identifier: MIT */
/* dis_file.h - what the fuzz targets of the shader cores' disassemblers have in common. */
#ifndef FUZZ_DIS_FILE_H
#define FUZZ_DIS_FILE_H

#include <stddef.h>
#include <stdint.h>

#include <tessera/isa.h>

/* Aborts if it is not good. */
void check(bool good);

/* A file, whatever it holds, disassembles to text that assembles to the same bytes; what reads as something else than raw
 * words gives text that the assembler takes. The first bytes of data say how: input, output, variant, base, ranges. */
void check_file(enum tess_machine machine, const uint8_t *data, size_t size);

#endif
