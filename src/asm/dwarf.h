/* SPDX-License-Identifier: MIT */
/* dwarf.h - DWARF line tables of an assembled program, for debuggers, objdump and addr2line. */
#ifndef ASM_DWARF_H
#define ASM_DWARF_H

#include "asm/asm.h"

/* Section to whose address a 32-bit word of a DWARF section is relative. The linker adds that
 * address. */
enum dwarf_target { DWARF_TO_CODE, DWARF_TO_ABBREVIATIONS, DWARF_TO_LINES };

struct dwarf_fixup {
    uint32_t offset;
    enum dwarf_target target;
};

/* Contents of .debug_info, .debug_abbrev and .debug_line, and the fixups of .debug_info and
 * .debug_line. All buffers are empty if no source line is known. Zero-initialise the struct and
 * free the buffers with dwarf_free(). */
struct dwarf {
    struct buffer info, abbreviations, lines;
    struct buffer info_fixups, line_fixups; /* arrays of struct dwarf_fixup */
};

/* Fills *dwarf. Returns false if the host is out of memory. */
bool dwarf_write(const struct asm_program *program, struct dwarf *dwarf);

void dwarf_free(struct dwarf *dwarf);

#endif
