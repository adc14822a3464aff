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
    struct tess_capture *capture; /* NULL: the run is not recorded */
    bool stopped;                 /* the device got stuck: nothing more is started */
    bool started[2];              /* control-list threads that wait for a run */
    const struct scene_step *binning; /* the latest one that was started */
    uint32_t queued;              /* user programs that wait for a run */
    uint32_t frame, frames;       /* the picture that is being made, from 1, of how many */
    uint32_t at;                  /* the current step */
    uint32_t handled;             /* all "interrupt" steps before this one are done */
    uint32_t interrupts;          /* changes of the interrupt line during the current run */
    uint32_t nested;              /* calls of the handler within calls */
    bool running;
    uint32_t met, unmet;     /* "expect" steps */
    uint32_t findings;       /* warnings and errors, as far as they were passed on */
    enum tess_status status; /* TESS_OK or the worst so far: NO_MEMORY, IO, WRONG */
};

/* Runs all steps. *machine must not move; release with machine_free() in any case. */
enum tess_status machine_run(struct machine *machine, const struct tess_scene *scene,
                             const struct tess_scene_options *options, struct tess_sink sink);
void machine_free(struct machine *machine);

/* Keeps the first failure of the host, and prefers it to a finding. */
void machine_note(struct machine *machine, enum tess_status status);

/* A sink that puts the scene's name into findings and passes them on. */
struct tess_sink machine_sink(struct machine *machine);

/* Lets the device run, and looks at how the lists ended that steps have started. */
void machine_run_device(struct machine *machine);

/* Whether a step is one of those that captures consist of; if so, carries it out. */
bool replay_step(struct machine *machine, const struct scene_step *step);

/* What the host does when the interrupt line changes; user is the machine. */
void replay_interrupt(void *user, bool level);

/* Whether steps behind the current one may help a device that is stuck: register writes come next. */
bool replay_may_help(const struct machine *machine);

/* Says that all was as expected, if anything was. */
void replay_end(struct machine *machine);

/* Host pointer to the byte at a bus address and in *available the bytes of its region from there
 * on, or NULL. */
const uint8_t *machine_span(const struct machine *machine, uint32_t address, uint32_t *available);

#endif
