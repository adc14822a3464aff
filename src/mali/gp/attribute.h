/* SPDX-License-Identifier: MIT */
/* attribute.h - the attribute unit: loads vertex attributes from memory into lanes.
 *
 * In:      descriptors (struct tess_gp_attribute) and the memory that they describe.
 * Out:     .attributes of struct gp_memory, which the program's loads read.
 * Source:  docs/hardware/utgard.md, section 15; Mesa 22.3.6, src/gallium/drivers/lima/lima_draw.c
 *          (formats). */
#ifndef MALI_GP_ATTRIBUTE_H
#define MALI_GP_ATTRIBUTE_H

#include "mali/gp/batch.h"

/* Loads the attribute components that the program reads, for `count` vertices starting at
 * `first`. */
void gp_attributes_load(struct gp_machine *machine, size_t first, unsigned count);

/* Returns true if the model supports the descriptor's format and number of components. */
bool gp_attribute_is_valid(const struct tess_gp_attribute *attribute);

#endif
