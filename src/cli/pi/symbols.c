/* SPDX-License-Identifier: MIT */
/* symbols.c - see symbols.h.
 *
 * In:  a finding; the symbols of an ELF file.
 * Out: a note such as "started by main+0x12 (main.c:123)". */
#include "cli/pi/symbols.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

#include <tessera/finding.h>

#include "cli/input_file.h"

enum { LARGEST = 256 << 20, IN_V3D = TESS_PLACE_LIST | TESS_PLACE_TILE | TESS_PLACE_SHADER };

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

/* Returns true if the finding is of the V3D. */
static bool is_of_v3d(const char *id)
{
    const struct tess_rule *rule = tess_rule_find(id);
    return rule && rule->of == TESS_RULE_VC4;
}

void symbols_note(const struct tess_pi_symbols *symbols, const struct tess_pi_machine *machine,
                  const struct tess_diag *diag, struct tess_sink sink)
{
    char place[512], text[600];
    bool in_v3d = diag->place.known & IN_V3D;
    uint64_t access = tess_pi_machine_access(machine);
    uint64_t address = in_v3d || !access ? tess_pi_machine_v3d_writer(machine) : access;
    if (diag->severity == TESS_NOTE || !address || (!in_v3d && !access && !is_of_v3d(diag->rule)))
        return;
    describe(symbols, address, place, sizeof place);
    snprintf(text, sizeof text, "%s by %s", in_v3d || !access ? "started" : "accessed", place);
    sink.report(sink.user,
                &(struct tess_diag){.severity = TESS_NOTE, .rule = diag->rule, .text = text});
}
