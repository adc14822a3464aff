/* SPDX-License-Identifier: MIT */
/* output.h - where the pictures of a scene go. */
#ifndef SCENE_OUTPUT_H
#define SCENE_OUTPUT_H

#include <tessera/scene.h>

#include "base/buffer.h"

/* Looks whether output, first_frame and last_frame suit a scene of so many pictures. Error: TESS_INVALID
 * (the sink has the reason). */
enum tess_status output_check(const struct tess_scene_options *options, uint32_t frames,
                              struct tess_sink sink);

/* Whether all pictures go to one pipe or device, one after the other. */
bool output_is_one_for_all(const struct tess_scene_options *options);

/* Appends a picture's file name, with its NUL: file, unless output, which has been checked, says
 * otherwise. number is from 1. */
void output_name(struct buffer *name, const char *output, const char *file, uint32_t number);

#endif
