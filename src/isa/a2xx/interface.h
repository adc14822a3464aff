/* SPDX-License-Identifier: MIT */
/* interface.h - reads the interface of an A2xx program from the section ".tessera" of its file:
 * inputs, outputs and constants.
 *
 * In:  text with one symbol per line (docs/isa/a2xx.md):
 *          attribute NAME REGISTER COUNT      uniform NAME FIRST COUNT
 *          varying NAME NUMBER COUNT          sampler NAME NUMBER
 *          bool NUMBER 0|1                    constant NUMBER 0xBITS 0xBITS 0xBITS 0xBITS
 *          loop NUMBER COUNT START STEP
 * Out: symbols; a diagnostic for each line that is malformed or out of range. */
#ifndef ISA_A2XX_INTERFACE_H
#define ISA_A2XX_INTERFACE_H

#include <tessera/a2xx.h>

#include "isa/interface_read.h"

/* The interface of a program. Must be zero-initialised. Free it with a2xx_interface_free(). */
struct a2xx_interface {
    struct tess_a2xx_symbol *symbols; /* symbols of .lines, in the same order */
    size_t count;
    struct interface_lines lines;
};

/* Reads size bytes of text. `name` is the file's name for diagnostics. Returns TESS_BAD_INPUT or
 * TESS_NO_MEMORY on errors. The caller frees *interface in every case. */
enum tess_status a2xx_interface_read(const char *text, size_t size, const char *name,
                                     struct tess_sink sink, struct a2xx_interface *interface);

void a2xx_interface_free(struct a2xx_interface *interface);

#endif
