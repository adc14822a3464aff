/* SPDX-License-Identifier: MIT */
/* steps.h - parser for the text of section ".tessera". */
#ifndef SCENE_STEPS_H
#define SCENE_STEPS_H

#include "scene/scene_private.h"

/* Parses scene->elf.text and stores the steps in the scene. The scene's regions, and its symbols
 * sorted by name, must be set before. Parses all lines even after errors, so that one call reports
 * all errors. Errors: TESS_BAD_INPUT (reported to the sink), TESS_NO_MEMORY. */
enum tess_status steps_parse(struct tess_scene *scene, struct tess_sink sink);

#endif
