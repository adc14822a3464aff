/* SPDX-License-Identifier: MIT */
/* machine.h - a device that has carried out a scene's steps. */
#ifndef SCENE_MACHINE_H
#define SCENE_MACHINE_H

#include "scene/scene_private.h"

struct machine {
    const struct tess_scene *scene;
    const struct tess_scene_options *options;
    struct tess_sink sink; /* the caller's */
    struct tess_vc4 *vc4;
    bool stopped;            /* the device got stuck: nothing more is started */
    bool started[2];         /* control-list threads that wait for a run */
    uint32_t queued;         /* user programs that wait for a run */
    enum tess_status status; /* TESS_OK or the worst so far: NO_MEMORY, IO, WRONG */
};

/* Runs all steps. *machine must not move; release with machine_free() in any case. */
enum tess_status machine_run(struct machine *machine, const struct tess_scene *scene,
                             const struct tess_scene_options *options, struct tess_sink sink);
void machine_free(struct machine *machine);

/* Host pointer to the byte at a bus address and in *available the bytes of its region from there
 * on, or NULL. */
const uint8_t *machine_span(const struct machine *machine, uint32_t address, uint32_t *available);

#endif
