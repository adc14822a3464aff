/* SPDX-License-Identifier: MIT */
/* dis_file.h - code shared by the fuzz targets of the shader cores' disassemblers. */
#ifndef FUZZ_DIS_FILE_H
#define FUZZ_DIS_FILE_H

#include <stddef.h>
#include <stdint.h>

#include <tessera/isa.h>

/* Aborts if the condition is false. */
void check(bool good);

/* Disassembles a file with any contents. The first 8 bytes of data select the input format, the
 * output, the variant, the base address and the ranges. If the file is read as raw words, checks
 * that the text assembles to the same bytes. If the file is recognised as another format, checks
 * that the assembler accepts the text. */
void check_file(enum tess_machine machine, const uint8_t *data, size_t size);

#endif
