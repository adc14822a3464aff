/* SPDX-License-Identifier: MIT */
/* attribute.h - the attribute unit: vertices in memory to lanes.
 *
 * In:      descriptors (struct tess_gp_attribute) and the memory that they describe.
 * Out:     struct gp_memory.attributes, as the program's loads find them.
 * Source:  digest utgard.md, section 15; Mesa 22.3.6, src/gallium/drivers/lima/lima_draw.c (formats). */
#ifndef UTGARD_ATTRIBUTE_H
#define UTGARD_ATTRIBUTE_H

#include "utgard/machine.h"

/* Loads what the program reads, for `count` vertices from first on. */
void gp_attributes_load(struct gp_machine *machine, size_t first, unsigned count);

/* Whether the model can read what the descriptor describes. */
bool gp_attribute_is_valid(const struct tess_gp_attribute *attribute);

#endif
