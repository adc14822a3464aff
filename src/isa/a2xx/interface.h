/* SPDX-License-Identifier: MIT */
/* interface.h - what an A2xx program calls its inputs, outputs and constants: the lines of its section ".tessera".
 *
 * In:  text, one thing a line (docs/isa/a2xx.md):
 *          attribute NAME REGISTER COUNT      uniform NAME FIRST COUNT     constant NUMBER 0xBITS 0xBITS 0xBITS 0xBITS
 *          varying NAME NUMBER COUNT          sampler NAME NUMBER          bool NUMBER 0|1
 *                                                                          loop NUMBER COUNT START STEP
 * Out: symbols. What is malformed or out of range is a diagnostic. */
#ifndef ISA_A2XX_INTERFACE_H
#define ISA_A2XX_INTERFACE_H

#include <tessera/a2xx.h>

#include "isa/interface_read.h"

/* Zero-initialise it, free it with a2xx_interface_free(). */
struct a2xx_interface {
    struct tess_a2xx_symbol *symbols; /* those of .lines, in their order */
    size_t count;
    struct interface_lines lines;
};

/* Reads size bytes of text; name is that of the file. Errors: TESS_BAD_INPUT, TESS_NO_MEMORY. *interface must be freed in any
 * case. */
enum tess_status a2xx_interface_read(const char *text, size_t size, const char *name,
                                     struct tess_sink sink, struct a2xx_interface *interface);

void a2xx_interface_free(struct a2xx_interface *interface);

#endif
