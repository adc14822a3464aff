/* SPDX-License-Identifier: MIT */
/* steps.h - the text of section ".tessera". */
#ifndef SCENE_STEPS_H
#define SCENE_STEPS_H

#include "scene/scene_private.h"

/* Parses the scene's text into its steps; segments, regions and symbols (elf.symbols sorted by
 * name) must be there. All lines are looked at, so that one run shows all mistakes. Errors:
 * TESS_BAD_INPUT, TESS_NO_MEMORY. */
enum tess_status steps_parse(struct tess_scene *scene, struct tess_sink sink);

#endif
