/* SPDX-License-Identifier: MIT */
/* replay.c - runs the kinds of steps that capture.c writes. These are register writes, runs, the
 * host's changes to memory, register writes of the host's interrupt handler, and comparisons of
 * memory. docs/scene.md describes the steps. */
#include <string.h>

#include "base/diag.h"
#include "base/hash.h"
#include "scene/scene_machine.h"
#include "vc4/device/images.h"

static void put_data(struct machine *machine, const struct scene_step *step)
{
    void *memory = tess_vc4_memory(machine->vc4, step->address, step->count);
    memcpy(memory, machine->scene->elf.data + step->value, step->count);
    vc4_forget_images(machine->vc4);
}

static void check_memory(struct machine *machine, const struct scene_step *step)
{
    const uint8_t *memory = tess_vc4_memory(machine->vc4, step->address, step->count);
    uint64_t hash = hash_bytes(HASH_START, memory, step->count);
    if (hash == step->hash) {
        machine->met++;
        return;
    }
    machine->unmet++;
    machine_note(machine, TESS_WRONG);
    const struct tess_finding diag = {
        .level = TESS_ERROR,
        .id = "expect-differs",
        .hint = "compare with a run of the version that wrote the capture, or correct the step's "
                "hash",
        .file = machine->scene->text_name,
        .line = step->line,
        .place = {.known = TESS_PLACE_ADDRESS, .address = step->address},
    };
    diag_report(machine_sink(machine), &diag,
                "%u bytes at 0x%08x differ from the expected bytes: their hash is 0x%016llx",
                step->count, step->address, (unsigned long long)hash);
}

bool replay_step(struct machine *machine, const struct scene_step *step)
{
    switch (step->kind) {
    case STEP_WRITE:
        if (!machine->stopped)
            tess_vc4_write(machine->vc4, step->address, step->value);
        return true;
    case STEP_RUN:
        if (!machine->stopped)
            machine_run_device(machine);
        return true;
    case STEP_DATA: put_data(machine, step); return true;
    case STEP_EXPECT: check_memory(machine, step); return true;
    case STEP_INTERRUPT: /* replay_interrupt() performs this step during a run. */
    case STEP_QPUS: return true;
    default: return false;
    }
}

/* Returns the next "interrupt" step of call `number` of the interrupt handler, or NULL after the
 * last. The steps before a "run" step are ordered by their call numbers. */
static const struct scene_step *next_handled(struct machine *machine, uint32_t number)
{
    for (; machine->handled < machine->at; machine->handled++) {
        const struct scene_step *step = &machine->scene->steps[machine->handled];
        if (step->kind == STEP_INTERRUPT && step->count > number)
            return NULL;
        if (step->kind == STEP_INTERRUPT && step->count == number) {
            machine->handled++;
            return step;
        }
    }
    return NULL;
}

/* A register write may change the interrupt line, and this function is then called again before it
 * returns. */
void replay_interrupt(void *user, bool level)
{
    enum { NESTED = 64 };
    (void)level;
    struct machine *machine = user;
    if (!machine->running || machine->nested == NESTED)
        return;
    uint32_t number = ++machine->interrupts;
    const struct scene_step *step;
    machine->nested++;
    while ((step = next_handled(machine, number)) != NULL)
        tess_vc4_write(machine->vc4, step->address, step->value);
    machine->nested--;
}

bool replay_may_help(const struct machine *machine)
{
    for (uint32_t i = machine->at + 1; i < machine->scene->step_count; i++) {
        switch (machine->scene->steps[i].kind) {
        case STEP_WRITE:
        case STEP_RUN: return true;
        case STEP_EXPECT:
        case STEP_IMAGE:
        case STEP_DUMP:
        case STEP_DATA:
        case STEP_INTERRUPT: break;
        default: return false;
        }
    }
    return false;
}

void replay_end(struct machine *machine)
{
    const struct tess_finding diag = {.level = TESS_NOTE, .id = "expect-met"};
    if (machine->met && !machine->unmet)
        diag_report(machine_sink(machine), &diag, "memory matches all %u 'expect' steps",
                    machine->met);
}
