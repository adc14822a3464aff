/* SPDX-License-Identifier: MIT */
/* symbols.h - the place in the kernel to which a finding belongs. */
#ifndef CLI_PI_SYMBOLS_H
#define CLI_PI_SYMBOLS_H

#include <tessera/pi.h>

/* Reads the symbols of a kernel's file. Returns NULL if it is no ELF file. */
struct tess_pi_symbols *symbols_read(const char *path);

/* Reports a note after a finding: which instruction of the kernel has started the V3D, or has made
 * the access that the finding is about. Reports nothing if the machine does not know it. */
void symbols_note(const struct tess_pi_symbols *symbols, const struct tess_pi_machine *machine,
                  const struct tess_finding *diag, struct tess_sink sink);

#endif
