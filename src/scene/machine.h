/* SPDX-License-Identifier: MIT */
/* machine.h - a device that runs a scene's steps. */
#ifndef SCENE_MACHINE_H
#define SCENE_MACHINE_H

#include "scene/scene_private.h"

struct machine {
    const struct tess_scene *scene;
    const struct tess_scene_options *options;
    struct tess_sink sink; /* the caller's sink */
    struct tess_vc4 *vc4;
    struct tess_capture *capture; /* NULL if the run is not captured */
    bool stopped;                 /* true if the device is stuck, so nothing more is started */
    /* true for control-list threads that are started but have not run */
    bool started[2];
    const struct scene_step *binning; /* latest "bin" step that was started */
    uint32_t queued;                  /* number of user programs that are queued but have not run */
    /* Number of the current picture, from 1; total number of pictures. */
    uint32_t frame, frames;
    uint32_t at;      /* index of the current step */
    uint32_t handled; /* index of the first "interrupt" step that is not done */
    /* Number of changes of the interrupt line during the current run. */
    uint32_t interrupts;
    uint32_t nested; /* depth of nested calls of the interrupt handler */
    bool running;
    uint32_t met, unmet;     /* numbers of "expect" steps that match and that differ */
    uint32_t findings;       /* number of warnings and errors that were reported */
    enum tess_status status; /* TESS_OK or the worst status so far: NO_MEMORY, IO, WRONG */
};

/* Runs all steps. *machine must not move afterwards. Call machine_free() in all cases. */
enum tess_status machine_run(struct machine *machine, const struct tess_scene *scene,
                             const struct tess_scene_options *options, struct tess_sink sink);
void machine_free(struct machine *machine);

/* Records a status. The first failure of the host has priority over TESS_WRONG. */
void machine_note(struct machine *machine, enum tess_status status);

/* Returns a sink that adds the scene's name to findings and forwards them to the caller's sink. */
struct tess_sink machine_sink(struct machine *machine);

/* Runs the device until it stops, and checks the ends of the lists that were started. */
void machine_run_device(struct machine *machine);

/* Runs a step of the kinds that captures contain. Returns false for other kinds. */
bool replay_step(struct machine *machine, const struct scene_step *step);

/* Writes the registers that the host's interrupt handler wrote. Callback for changes of the
 * interrupt line; `user` is the machine. */
void replay_interrupt(void *user, bool level);

/* True if the next steps may unblock a stuck device, because they write registers or run the device
 * again. */
bool replay_may_help(const struct machine *machine);

/* Reports that all "expect" steps matched, if there were any. */
void replay_end(struct machine *machine);

/* Returns a host pointer to the byte at a bus address, and in *available the number of bytes up to
 * the end of its region. Returns NULL if the address is unmapped. */
const uint8_t *machine_span(const struct machine *machine, uint32_t address, uint32_t *available);

#endif
