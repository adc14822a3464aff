/* SPDX-License-Identifier: MIT */
/* scene_machine.h - a device that runs a scene's steps. */
#ifndef SCENE_SCENE_MACHINE_H
#define SCENE_SCENE_MACHINE_H

#include "scene/scene_private.h"

struct machine {
    const struct tess_scene *scene;
    const struct tess_scene_options *options;
    struct tess_sink sink; /* the caller's sink */
    struct tess_vc4 *vc4;
    struct tess_capture *capture; /* NULL if the run is not captured */
    bool stopped; /* true if the device is stuck, so that later steps start nothing */
    /* True for each control-list thread that has been started but not run yet. */
    bool started[2];
    const struct scene_step *binning; /* latest "bin" step that was started */
    uint32_t queued; /* number of user programs that have been queued but not run yet */
    /* Number of the current picture, from 1; total number of pictures. */
    uint32_t frame, frames;
    uint32_t at;      /* index of the current step */
    uint32_t handled; /* index of the step from which to search the next "interrupt" step */
    /* Number of changes of the interrupt line during the current run. */
    uint32_t interrupts;
    uint32_t nested; /* depth of nested calls of the interrupt handler */
    bool running;
    uint32_t met, unmet; /* numbers of "expect" steps that matched and that did not */
    uint32_t findings;   /* number of warnings and errors that were reported */
    /* TESS_OK, TESS_WRONG, or the first failure of the host (see machine_note()). */
    enum tess_status status;
};

/* Runs all steps. *machine must not be moved afterwards. The caller must call machine_free() even
 * after an error. */
enum tess_status machine_run(struct machine *machine, const struct tess_scene *scene,
                             const struct tess_scene_options *options, struct tess_sink sink);
void machine_free(struct machine *machine);

/* Records a status in machine->status. A failure of the host (TESS_NO_MEMORY, TESS_IO) replaces
 * TESS_WRONG. Later failures do not replace the first failure of the host. */
void machine_note(struct machine *machine, enum tess_status status);

/* Returns a sink that adds the scene's name to findings and forwards them to the caller's sink. */
struct tess_sink machine_sink(struct machine *machine);

/* Runs the device until it stops. Then checks that the control lists that were started have run to
 * their ends, and have signalled the end of the frame or of binning. */
void machine_run_device(struct machine *machine);

/* Runs a step of a kind that mainly captures contain, such as "write" or "expect". Returns false
 * for other kinds, such as "bin" or "image". */
bool replay_step(struct machine *machine, const struct scene_step *step);

/* Callback for changes of the interrupt line. Repeats the register writes of the captured host's
 * interrupt handler. `user` is the machine. */
void replay_interrupt(void *user, bool level);

/* True if the next steps may unblock a stuck device, because they write registers or run the device
 * again. */
bool replay_may_help(const struct machine *machine);

/* Reports a note if the scene has "expect" steps and all of them matched. */
void replay_end(struct machine *machine);

/* Returns a host pointer to the byte at a bus address. Sets *available to the number of bytes up to
 * the end of the address's region. Returns NULL if the address is unmapped. */
const uint8_t *machine_span(const struct machine *machine, uint32_t address, uint32_t *available);

#endif
