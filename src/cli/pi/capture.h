/* SPDX-License-Identifier: MIT */
/* capture.h - the work of a machine's V3D as a scene that tessera run can run again. */
#ifndef CLI_PI_CAPTURE_H
#define CLI_PI_CAPTURE_H

#include <stdbool.h>
#include <stdint.h>

#include <tessera/pi.h>

struct tess_capture;

struct capture {
    struct tess_pi_machine *machine;
    struct tess_capture *now; /* NULL if nothing is recorded */
    uint64_t clocks;          /* of the V3D, at the latest picture */
    unsigned pictures;        /* number of the latest picture in the capture */
};

/* Starts a capture. The V3D then executes each job at once. Returns false if the host is out of
 * memory. */
bool capture_begin(struct capture *capture, struct tess_pi_machine *machine);

/* Adds picture `number` of the display, if the V3D has worked since the latest one, or if it is the
 * last. Without a capture, does nothing. */
void capture_picture(struct capture *capture, unsigned number, bool is_last);

/* Writes the capture to a file. Errors go to `sink`. */
bool capture_save(const struct capture *capture, const char *path, struct tess_sink sink);

void capture_end(struct capture *capture);

#endif
