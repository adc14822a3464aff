/* SPDX-License-Identifier: MIT */
/* step_files.h - the files that the steps "image" and "dump" write.
 *
 * In:  steps; memory of the device; the options of the run.
 * Out: PNG files and text files; diagnostics about files that cannot be written. */
#ifndef SCENE_STEP_FILES_H
#define SCENE_STEP_FILES_H

#include "scene/scene_machine.h"

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

#endif
