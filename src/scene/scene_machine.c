/* SPDX-License-Identifier: MIT */
/* scene_machine.c - see scene_machine.h. What all parts of a run use: the sink, the status, and the
 * memory of the device. */
#include "scene/scene_machine.h"

#include <string.h>

#include "base/text.h"

static const char *name_of(void *user, uint32_t address, uint32_t *offset)
{
    const struct machine *machine = user;
    struct tess_scene_place place;
    if (!tess_scene_nearest(machine->scene, address, &place))
        return NULL;
    *offset = place.offset;
    return place.name;
}

/* True for findings about shared memory. pass_on() appends symbol names to the addresses in the
 * texts of these findings. */
static bool names_memory(const struct tess_finding *diag)
{
    static const char *const rules[] = {"cl-overlap", "cl-overlap-later",
                                        "cl-alias",   "scene-image-format",
                                        "tmu-frame",  "tmu-frame-format"};
    for (size_t i = 0; diag->id && i < sizeof rules / sizeof *rules; i++)
        if (strcmp(diag->id, rules[i]) == 0)
            return true;
    return false;
}

/* Forwards a finding to the caller's sink and adds the scene's name. */
static void pass_on(void *user, const struct tess_finding *diag)
{
    struct machine *machine = user;
    struct tess_finding named = *diag;
    machine->findings += diag->level != TESS_NOTE;
    char text[700];
    if (!named.file)
        named.file = machine->scene->name;
    if (names_memory(diag)) {
        address_text(text, sizeof text, diag->text, &(struct address_namer){name_of, machine});
        named.text = text;
    }
    if (machine->sink.report)
        machine->sink.report(machine->sink.user, &named);
}

struct tess_sink machine_sink(struct machine *machine)
{
    return (struct tess_sink){pass_on, machine};
}

void machine_note(struct machine *machine, enum tess_status status)
{
    if (status != TESS_OK && (machine->status == TESS_OK || machine->status == TESS_WRONG))
        machine->status = status;
}

const uint8_t *machine_span(const struct machine *machine, uint32_t address, uint32_t *available)
{
    const struct scene_region *region = scene_region_at(machine->scene, address);
    if (!region) {
        *available = 0;
        return NULL;
    }
    *available = region->size - ((address & ELF_ADDRESS_MASK) - region->base);
    return tess_vc4_memory(machine->vc4, address, *available);
}
