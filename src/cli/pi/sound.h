/* SPDX-License-Identifier: MIT */
/* sound.h - the sound of a run as a WAV file: --audio. */
#ifndef CLI_PI_SOUND_H
#define CLI_PI_SOUND_H

#include <stdbool.h>
#include <stdio.h>

#include <tessera/pi.h>

/* Starts to record the sound of a machine. Returns a temporary file, or NULL after an error
 * message. */
FILE *sound_begin(const char *title, struct tess_pi_machine *machine);

/* Ends the recording, and copies it to the file `path`. Closes `file`. Returns false after an error
 * message. */
bool sound_end(const char *title, struct tess_pi_machine *machine, FILE *file, const char *path);

#endif
