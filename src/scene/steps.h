/* SPDX-License-Identifier: MIT */
/* steps.h - parser for the text of section ".tessera" (steps.c), and files that steps write
 * (step_files.c). */
#ifndef SCENE_STEPS_H
#define SCENE_STEPS_H

#include <tessera/scene.h>

#include "base/buffer.h"
#include "scene/scene_machine.h"
#include "scene/scene_private.h"

/* Parses scene->elf.text and stores the steps in the scene. The scene's regions, and its symbols
 * sorted by name, must be set before. Parses all lines even after errors, so that one call reports
 * all errors. Errors: TESS_BAD_INPUT (reported to the sink), TESS_NO_MEMORY. */
enum tess_status steps_parse(struct tess_scene *scene, struct tess_sink sink);

/* Returns the index of the step after the last requested frame. */
uint32_t step_last(const struct machine *machine);

/* Reserves all files that the run will write. Fails if a file is also an input or would be written
 * twice. */
enum tess_status step_reserve_files(struct machine *machine);

/* Writes the picture of a step "image". */
void step_write_image(struct machine *machine, const struct scene_step *step);

/* Writes the values of a step "dump" as text. */
void step_write_dump(struct machine *machine, const struct scene_step *step);

/* Reports that an output is lost if status is TESS_IO. Returns status. */
enum tess_status step_report_lost(struct tess_sink sink, enum tess_status status);

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
