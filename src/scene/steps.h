/* SPDX-License-Identifier: MIT */
/* steps.h - parser for the text of section ".tessera". */
#ifndef SCENE_STEPS_H
#define SCENE_STEPS_H

#include "scene/scene_private.h"

/* Parses the scene's text into its steps. Segments, regions and symbols (elf.symbols sorted by
 * name) must be set up before. Parses all lines even after errors, so that one run reports all
 * errors. Errors: TESS_BAD_INPUT (reported), TESS_NO_MEMORY. */
enum tess_status steps_parse(struct tess_scene *scene, struct tess_sink sink);

#endif
