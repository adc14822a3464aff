/* SPDX-License-Identifier: MIT */
/* symbols.c - see symbols.h.
 *
 * In:  a finding; the symbols of an ELF file.
 * Out: a note such as "started by main+0x12 (main.c:123)". */
#include "cli/pi/symbols.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

#include "cli/input_file.h"

enum { LARGEST = 256 << 20 };

struct tess_pi_symbols *symbols_read(const char *path)
{
    uint8_t *bytes;
    size_t size;
    if (!input_file_read(path, LARGEST, (struct tess_sink){0}, &bytes, &size))
        return NULL;
    struct tess_pi_symbols *symbols = tess_pi_symbols_open(bytes, size);
    free(bytes);
    return symbols;
}

/* Writes "main+0x12 (main.c:123)", or the address if nothing else is known. */
static void describe(const struct tess_pi_symbols *symbols, uint64_t address, char *text,
                     size_t size)
{
    struct tess_pi_symbol found;
    char line[256] = "";
    tess_pi_symbols_find(symbols, address, &found);
    if (found.file)
        snprintf(line, sizeof line, " (%s:%" PRIu32 ")", found.file, found.line);
    if (found.name)
        snprintf(text, size, "%s+0x%" PRIx64 "%s", found.name, found.offset, line);
    else
        snprintf(text, size, "the instruction at 0x%" PRIx64 "%s", address, line);
}

void symbols_note(const struct tess_pi_symbols *symbols, const struct tess_pi_machine *machine,
                  const struct tess_finding *diag, struct tess_sink sink)
{
    struct tess_pi_origin origin;
    tess_pi_machine_origin(machine, diag, &origin);
    const struct {
        const char *what;
        uint64_t address;
    } notes[] = {
        {"accessed", origin.accessed},
        {"started", origin.started},
        {"written", origin.written},
        {"branched to", origin.branched},
    };
    for (unsigned i = 0; i < sizeof notes / sizeof notes[0]; i++) {
        char place[512], text[600];
        if (diag->level == TESS_NOTE || !notes[i].address)
            continue;
        describe(symbols, notes[i].address, place, sizeof place);
        snprintf(text, sizeof text, "%s by %s", notes[i].what, place);
        sink.report(sink.user,
                    &(struct tess_finding){.level = TESS_NOTE, .id = diag->id, .text = text});
    }
}
