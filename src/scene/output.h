/* SPDX-License-Identifier: MIT */
/* output.h - file names of a scene's pictures. */
#ifndef SCENE_OUTPUT_H
#define SCENE_OUTPUT_H

#include <tessera/scene.h>

#include "base/buffer.h"

/* Checks options->output, first_frame and last_frame for a scene of `frames` pictures. Error:
 * TESS_INVALID (reported to the sink). */
enum tess_status output_check(const struct tess_scene_options *options, uint32_t frames,
                              struct tess_sink sink);

/* True if all pictures are written to one pipe or device, one after another. */
bool output_is_one_for_all(const struct tess_scene_options *options);

/* Appends a picture's file name and a NUL. If output is NULL, the name is file. Otherwise output is
 * a pattern or a folder that output_check() has accepted. `number` is the picture's number, counted
 * from 1. */
void output_name(struct buffer *name, const char *output, const char *file, uint32_t number);

#endif
