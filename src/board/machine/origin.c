/* SPDX-License-Identifier: MIT */
/* origin.c - the ARM instructions to which a finding belongs.
 *
 * In:  a finding that is being reported.
 * Out: the instructions that made the access, started the V3D, or wrote the memory at fault. */
#include "board/machine/machine.h"

#include <tessera/finding.h>

#include "board/machine/shadow.h"
#include "board/pi/pi.h"

enum { IN_V3D = TESS_PLACE_LIST | TESS_PLACE_TILE | TESS_PLACE_SHADER };

/* Returns the writer of the memory that a finding of the V3D names, or of the control record in
 * which it is. */
static uint64_t writer_of(const struct tess_pi_machine *machine, const struct tess_place *place)
{
    uint64_t writer = 0;
    if (!machine->shadow)
        return 0;
    if (place->known & TESS_PLACE_ADDRESS)
        writer = shadow_writer(machine->shadow, place->address & PI_ADDRESS);
    if (!writer && place->known & TESS_PLACE_LIST)
        writer = shadow_writer(machine->shadow, place->list_address & PI_ADDRESS);
    return writer;
}

static bool is_of_v3d(const char *id)
{
    const struct tess_rule *rule = tess_rule_find(id, TESS_RULES_OF_RUNS);
    return rule && rule->of == TESS_RULE_VC4;
}

void tess_pi_machine_origin(const struct tess_pi_machine *machine, const struct tess_finding *diag,
                            struct tess_pi_origin *origin)
{
    const struct machine_checks *checks = &machine->checks;
    bool in_v3d = checks->in_v3d || diag->place.known & IN_V3D;
    *origin = (struct tess_pi_origin){.branched = checks->from, .written = checks->writer};
    if (checks->from)
        return;
    if (in_v3d || (!machine->access && is_of_v3d(diag->id)))
        origin->started = machine->v3d_writer;
    else
        origin->accessed = machine->access;
    if (diag->place.known & IN_V3D)
        origin->written = writer_of(machine, &diag->place);
}
