/* SPDX-License-Identifier: MIT */
/* interface.h - reads the interface of a GP program from the section ".tessera" of its file.
 *
 * In:  text with one symbol per line (docs/isa/gp.md):
 *          attribute NAME NUMBER COMPONENTS        uniform NAME FIRST_ROW ROWS
 *          varying NAME NUMBER COMPONENTS          temporary NAME FIRST_ROW ROWS
 *          constant NAME ROW 0xBITS 0xBITS 0xBITS 0xBITS
 * Out: symbols; a diagnostic for each line that is malformed or out of range. */
#ifndef ISA_GP_INTERFACE_H
#define ISA_GP_INTERFACE_H

#include <tessera/utgard.h>

#include "isa/interface_read.h"

/* The interface of a program. Must be zero-initialised. Free it with gp_interface_free(). */
struct gp_interface {
    struct tess_gp_symbol *symbols; /* symbols of .lines, in the same order */
    size_t count;
    struct interface_lines lines;
};

/* Reads size bytes of text. `name` is the file's name for diagnostics. Reads all lines even after
 * an error, so that one run reports every mistake. Returns TESS_BAD_INPUT or TESS_NO_MEMORY on
 * errors. The caller frees *interface in every case. */
enum tess_status gp_interface_read(const char *text, size_t size, const char *name,
                                   struct tess_sink sink, struct gp_interface *interface);

void gp_interface_free(struct gp_interface *interface);

#endif
