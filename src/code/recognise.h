/* SPDX-License-Identifier: MIT */
/* recognise.h - recognises the kind of a file before the file is read: a program of a machine, a
 * scene, or a file of a foreign format. */
#ifndef CODE_RECOGNISE_H
#define CODE_RECOGNISE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <tessera/isa.h>

/* Returns false if one of the bytes is a control character that does not occur in text. */
bool recognise_is_text(const uint8_t *bytes, size_t size);

/* Fills *kind from the headers of an ELF file. Checks all header fields against the file's size
 * before it uses them. */
void recognise_elf(const uint8_t *bytes, size_t size, struct tess_file_kind *kind);

/* Returns true for the ELF machine numbers of files that may contain QPU code: none, ARM (objects
 * for its linker), and VideoCore 1, 3 and 5. */
bool recognise_may_hold_code(unsigned elf_machine);

/* If the file has a foreign format, reports an error of the rule "foreign-file" and returns
 * true. */
bool recognise_refuse(const void *bytes, size_t size, const char *name, struct tess_sink sink);

/* Like recognise_refuse(), but refuses machine code in a binary format. */
bool recognise_refuse_code(const void *bytes, size_t size, const char *name, struct tess_sink sink);

/* Like recognise_refuse(), but for the text of a source: refuses prose and other languages. */
bool recognise_refuse_prose(const char *text, size_t size, const char *name,
                            enum tess_machine machine, struct tess_sink sink);

#endif
