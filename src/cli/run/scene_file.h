/* SPDX-License-Identifier: MIT */
/* scene_file.h - loads a scene from a file or from its source. */
#ifndef CLI_RUN_SCENE_FILE_H
#define CLI_RUN_SCENE_FILE_H

#include <tessera/isa.h>
#include <tessera/scene.h>
#include <tessera/sources.h>

#include "cli/options.h"

/* Options for assembling a source. */
struct scene_source {
    struct option_list include_dirs;
    struct option_defines defines;
};

/* Loads a scene or the state of a hung GPU, or assembles a source into a scene. If the file has
 * nothing to run, reports the kind of the file and a remedy, and returns TESS_BAD_INPUT. Stores the
 * scene's lines and symbols in *sources. The caller must free *scene and *sources even after an
 * error. Returns the errors of tess_scene_load() and tess_assemble_text(). */
enum tess_status scene_file_load(struct tess_scene **scene, const char *path,
                                 const struct scene_source *source, struct tess_sink sink,
                                 struct tess_sources **sources);

#endif
