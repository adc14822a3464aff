/* SPDX-License-Identifier: MIT */
/* dwarf.h - source lines for the addresses of an assembled program, as debuggers, objdump and addr2line read them. */
#ifndef ASM_DWARF_H
#define ASM_DWARF_H

#include "asm/asm.h"

/* A 32-bit word of a section that a linker must add an address to. */
enum dwarf_target { DWARF_TO_CODE, DWARF_TO_ABBREVIATIONS, DWARF_TO_LINES };

struct dwarf_fixup {
    uint32_t offset;
    enum dwarf_target target;
};

/* Contents of .debug_info, .debug_abbrev and .debug_line, and the fixups of the first and the last, in order. Empty if
 * nothing is known about any line. Zero-initialise it, free it with dwarf_free(). */
struct dwarf {
    struct buffer info, abbreviations, lines;
    struct buffer info_fixups, line_fixups; /* of struct dwarf_fixup */
};

/* False if the host is out of memory. */
bool dwarf_write(const struct asm_program *program, struct dwarf *dwarf);

void dwarf_free(struct dwarf *dwarf);

#endif
