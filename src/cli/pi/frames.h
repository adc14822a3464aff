/* SPDX-License-Identifier: MIT */
/* frames.h - the pictures of a machine's display, as PNG files. */
#ifndef CLI_PI_FRAMES_H
#define CLI_PI_FRAMES_H

#include <stdbool.h>
#include <stdint.h>

#include <tessera/pi.h>

#include "cli/pi/picture.h"

struct frames {
    const char *title, *folder; /* folder of --frames, or NULL */
    unsigned count;             /* pictures that differ from the picture before */
    uint64_t hash;              /* of the latest picture */
    struct picture picture;     /* the latest picture */
};

/* Creates the folder of --frames if it does not exist. Returns false after an error message. */
bool frames_make_folder(const char *title, const char *folder);

/* Looks at the display. If the picture differs from the latest one, counts it, writes it to the
 * folder, and sets *is_new to true. Returns false after an error message. */
bool frames_look(struct frames *frames, struct tess_pi_machine *machine, bool *is_new);

/* Releases the latest picture. */
void frames_free(struct frames *frames);

/* Writes the present picture to a file. Returns false after an error message. */
bool frames_write(const char *title, struct tess_pi_machine *machine, const char *path);

/* Compares the present picture with a PNG file. Returns false after a message that names the first
 * pixel that differs. */
bool frames_expect(const char *title, struct tess_pi_machine *machine, const char *path);

#endif
