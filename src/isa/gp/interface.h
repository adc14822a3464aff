/* SPDX-License-Identifier: MIT */
/* interface.h - what a GP program's file says about its names: the lines of its section ".tessera".
 *
 * In:  text, one name a line (docs/isa/gp.md):
 *          attribute NAME NUMBER COMPONENTS        uniform NAME FIRST_ROW ROWS
 *          varying NAME NUMBER COMPONENTS          temporary NAME FIRST_ROW ROWS
 *          constant NAME ROW 0xBITS 0xBITS 0xBITS 0xBITS
 * Out: symbols. What is malformed or out of range is a diagnostic. */
#ifndef ISA_GP_INTERFACE_H
#define ISA_GP_INTERFACE_H

#include <tessera/utgard.h>

#include "isa/interface_read.h"

/* Zero-initialise it, free it with gp_interface_free(). */
struct gp_interface {
    struct tess_gp_symbol *symbols; /* those of .lines, in their order */
    size_t count;
    struct interface_lines lines;
};

/* Reads size bytes of text; name is that of the file. All lines are looked at, so that one run shows all mistakes.
 * Errors: TESS_BAD_INPUT, TESS_NO_MEMORY. *interface must be freed in any case. */
enum tess_status gp_interface_read(const char *text, size_t size, const char *name,
                                   struct tess_sink sink, struct gp_interface *interface);

void gp_interface_free(struct gp_interface *interface);

#endif
