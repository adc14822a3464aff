/* SPDX-License-Identifier: MIT */
/* recognise.h - what a file is, before it is read: a program and its machine, a scene, or something
 * foreign. */
#ifndef ISA_RECOGNISE_H
#define ISA_RECOGNISE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <tessera/isa.h>

/* Fills in what the headers of an ELF file say. Nothing in the file is trusted. */
void recognise_elf(const uint8_t *bytes, size_t size, struct tess_file_kind *kind);

/* Whether the file is foreign; then it is reported, as an error of the rule "foreign-file". */
bool recognise_refuse(const void *bytes, size_t size, const char *name, struct tess_sink sink);

/* The same for machine code in a form of its own, which no source is. */
bool recognise_refuse_code(const void *bytes, size_t size, const char *name, struct tess_sink sink);

/* The same for text that is to be assembled: whether it is prose, or in another language. */
bool recognise_refuse_prose(const char *text, size_t size, const char *name,
                            enum tess_machine machine, struct tess_sink sink);

#endif
