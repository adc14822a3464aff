/* SPDX-License-Identifier: MIT */
/* scene_file.h - a scene from a file, which may also be its source. */
#ifndef CLI_SCENE_FILE_H
#define CLI_SCENE_FILE_H

#include <tessera/isa.h>
#include <tessera/scene.h>
#include <tessera/sources.h>

/* How a source is assembled. */
struct scene_source {
    const char *const *include_dirs;
    size_t include_dir_count;
    const struct tess_asm_define *defines;
    size_t define_count;
};

/* Loads a scene or the state of a hung GPU, or assembles a source into a scene. What has nothing to
 * run is refused: a diagnostic says what it is, and what can be done with it. The scene's own lines
 * and symbols go into *sources. Both are to be freed in any case. The errors are those of
 * tess_scene_load() and tess_assemble_text(). */
enum tess_status scene_file_load(struct tess_scene **scene, const char *path,
                                 const struct scene_source *source, struct tess_sink sink,
                                 struct tess_sources **sources);

#endif
