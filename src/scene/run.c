/* SPDX-License-Identifier: MIT */
/* run.c - runs a scene's steps on a new device through the device's registers, as a bare-metal
 * program does (manual section 10).
 *
 * A step "bin", "render" or "qpu" only starts a list or a program. The device runs later, so that
 * lists and programs can run in parallel as on the hardware. A binning list and a rendering list
 * may wait for each other, and up to 16 user programs may share semaphores. The device runs before
 * a step of another kind, before a step whose control-list thread is in use or whose queue is full,
 * and at the end. */
#include <stdlib.h>
#include <string.h>

#include "base/diag.h"
#include "base/output.h"
#include "isa/cl/images.h"
#include "isa/cl/uses.h"
#include "scene/capture.h"
#include "scene/hang.h"
#include "scene/scene_machine.h"
#include "scene/steps.h"
#include "vc4/device/images.h"

enum { PROGRAM_QUEUE = 16 }; /* depth of the scheduler's queue */

/* --- device --- */

static enum tess_status map_memory(struct machine *machine)
{
    const struct tess_scene *scene = machine->scene;
    for (uint32_t i = 0; i < scene->region_count; i++) {
        const struct scene_region *region = &scene->regions[i];
        enum tess_status status = tess_vc4_map(machine->vc4, region->base, region->size, NULL);
        if (status != TESS_OK)
            return status;
    }
    for (uint32_t i = 0; i < scene->elf.segment_count; i++) {
        const struct elf_segment *segment = &scene->elf.segments[i];
        void *memory = tess_vc4_memory(machine->vc4, segment->base, segment->size);
        if (segment->file_size)
            memcpy(memory, scene->file.data + segment->file_offset, segment->file_size);
    }
    return TESS_OK;
}

static void pass_progress(void *user, const struct tess_vc4_progress *progress)
{
    const struct machine *machine = user;
    const struct tess_scene_progress scene = {machine->frame, machine->frames, *progress};
    machine->options->progress(machine->options->user, &scene);
}

/* Selects the notes about draws that draw nothing. In captures, only empty frames are reported,
 * since real programs draw many objects that are off screen or hidden. */
static enum tess_vc4_draw_notes draw_notes(const struct tess_scene *scene)
{
    for (uint32_t i = 0; i < scene->step_count; i++)
        if (scene->steps[i].kind == STEP_DATA || scene->steps[i].kind == STEP_EXPECT)
            return TESS_VC4_NOTE_EMPTY_FRAMES;
    return TESS_VC4_NOTE_DRAWS;
}

static enum tess_status start_device(struct machine *machine)
{
    struct tess_vc4_options options = {
        .machine.sink = machine_sink(machine),
        .interrupt = replay_interrupt,
        .interrupt_user = machine,
        .progress = machine->options->progress ? pass_progress : NULL,
        .progress_user = machine,
        .machine.max_instructions = machine->options->max_instructions,
        .max_records = machine->options->max_records,
        .max_total_instructions = machine->options->max_total_instructions,
        .machine.strict = machine->options->strict,
        .machine.sanitize = machine->options->sanitize,
        .profile = machine->options->profile,
        .trace = machine->options->trace,
        .trace_user = machine->options->user,
        .machine.threads = machine->options->threads,
        .machine.shown = machine->options->shown,
        .draw_notes = draw_notes(machine->scene),
        .qpus = machine->options->qpus ? machine->options->qpus : machine->scene->qpus,
    };
    enum tess_status status = tess_vc4_create(&machine->vc4, &options);
    if (status == TESS_OK)
        vc4_watch_images(machine->vc4);
    return status == TESS_OK ? map_memory(machine) : status;
}

/* For each control-list thread, its registers, the counter that a list should increment at its end,
 * and texts for diagnostics. */
static const struct {
    uint32_t status, current, end, counter;
    const char *list, *missing, *effect, *hint;
} threads[2] = {
    {V3D_CT0CS, V3D_CT0CA, V3D_CT0EA, V3D_BFC, "binning", "a flush",
     "the tile lists are incomplete, and V3D_BFC and INT_FLDONE never signal the end of binning",
     "end the list with Flush (4) or Flush All State (5)"},
    {V3D_CT1CS, V3D_CT1CA, V3D_CT1EA, V3D_RFC, "rendering", "an end of frame",
     "a program that waits for V3D_RFC or INT_FRDONE waits forever",
     "use record 25 for the last store, "
     "which signals the end of the frame"},
};

enum { STATUS_ERROR = 1 << 3 }; /* manual table 49: CTERR */

/* Reports a list that halts before its end, and a list that ends without incrementing its counter.
 * The hardware accepts such lists, but the program that started the list would wait forever. */
static void check_end(struct machine *machine, unsigned thread, uint32_t count_before)
{
    uint32_t current = tess_vc4_read(machine->vc4, threads[thread].current);
    uint32_t end = tess_vc4_read(machine->vc4, threads[thread].end);
    struct tess_finding diag = {.place = {.known = TESS_PLACE_LIST, .thread = thread}};
    if (tess_vc4_read(machine->vc4, threads[thread].status) & STATUS_ERROR)
        return;
    if (current != end) {
        diag.level = TESS_ERROR;
        diag.id = "list-halted";
        diag.hint = "end the list there, or look for a zero byte that should be a record";
        diag.place.list_address = current - 1;
        diag_report(machine_sink(machine), &diag,
                    "Halt (record 0) stops the %s list before its end at 0x%08x",
                    threads[thread].list, end);
        machine_note(machine, TESS_WRONG);
    } else if (tess_vc4_read(machine->vc4, threads[thread].counter) == count_before) {
        diag.level = machine->options->strict ? TESS_ERROR : TESS_WARNING;
        diag.id = thread == 0 ? "list-not-flushed" : "frame-not-ended";
        diag.hint = threads[thread].hint;
        diag.place = (struct tess_place){.known = TESS_PLACE_ADDRESS, .address = end};
        diag_report(machine_sink(machine), &diag, "the %s list ends without %s: %s",
                    threads[thread].list, threads[thread].missing, threads[thread].effect);
        if (machine->options->strict)
            machine_note(machine, TESS_WRONG);
    }
}

void machine_run_device(struct machine *machine)
{
    bool started[2] = {machine->started[0], machine->started[1]};
    uint32_t count[2];
    machine->started[0] = machine->started[1] = false;
    machine->queued = 0;
    for (unsigned thread = 0; thread < 2; thread++)
        count[thread] = tess_vc4_read(machine->vc4, threads[thread].counter);
    machine->interrupts = 0;
    machine->running = true;
    enum tess_vc4_stop stop = tess_vc4_run(machine->vc4);
    machine->running = false;
    machine->handled = machine->at;
    if (stop == TESS_VC4_PAUSED) {
        machine->stopped = true;
        machine_note(machine, TESS_STOPPED);
        return;
    }
    for (unsigned thread = 0; stop == TESS_VC4_IDLE && thread < 2; thread++)
        if (started[thread])
            check_end(machine, thread, count[thread]);
    if (stop == TESS_VC4_IDLE || replay_may_help(machine))
        return;
    if (stop == TESS_VC4_STUCK)
        tess_vc4_report_stuck(machine->vc4);
    machine->stopped = true;
    machine_note(machine, TESS_WRONG);
}

static void run_started(struct machine *machine)
{
    if (machine->started[0] || machine->started[1] || machine->queued)
        machine_run_device(machine);
}

/* --- steps that start something --- */

static const uint8_t *bytes_at(void *user, uint32_t address, size_t *left)
{
    uint32_t available;
    const uint8_t *bytes = machine_span(user, address, &available);
    *left = available;
    return bytes;
}

/* Returns true if a control list has a semaphore record. Sets *bins to true if the list has a
 * record 112 (Tile Binning Mode Configuration), else to false. */
static bool has_semaphore(struct machine *machine, const struct scene_step *step, bool *bins)
{
    const struct cl_memory memory = {bytes_at, machine};
    struct cl_uses uses = {0};
    cl_uses_bin(&uses, &memory, step->address, step->end);
    bool found = uses.has_semaphore;
    *bins = false;
    for (size_t i = 0; i < uses.count; i++)
        *bins |= uses.item[i].kind == CL_USE_BLOCKS;
    cl_uses_free(&uses);
    return found;
}

/* True if the rendering list must start after the binning list has ended. If neither list has a
 * semaphore record, the host is assumed to wait for the end of binning (V3D_BFC, INT_FLDONE), and a
 * note is reported. */
static bool waits_for_host(struct machine *machine, const struct scene_step *step)
{
    struct tess_finding diag = {
        .level = TESS_NOTE,
        .id = "cl-no-wait",
        .hint = "insert the step 'run' between 'bin' and 'render' if the host waits there; "
                "otherwise increment the semaphore (record 7) before the flush of the binning "
                "list, and wait for it (record 8) in the rendering list",
        .place = {.known = TESS_PLACE_LIST, .thread = 1, .list_address = step->address}};
    const uint8_t *record = tess_vc4_memory(machine->vc4, step->address, 1);
    diag.place.record = record ? *record : 0;
    bool bins, renders;
    if (has_semaphore(machine, machine->binning, &bins) || !bins ||
        has_semaphore(machine, step, &renders))
        return false;
    diag_report(machine_sink(machine), &diag,
                "no semaphore orders the binning list and the rendering list: the rendering list "
                "is started after the binning list has ended");
    return true;
}

static void start_list(struct machine *machine, const struct scene_step *step)
{
    static const uint32_t current[] = {V3D_CT0CA, V3D_CT1CA}, end[] = {V3D_CT0EA, V3D_CT1EA};
    unsigned thread = step->kind == STEP_RENDER;
    if (machine->queued || machine->started[thread] ||
        (machine->started[0] && waits_for_host(machine, step)))
        run_started(machine);
    if (machine->stopped)
        return;
    if (thread == 0)
        machine->binning = step;
    tess_vc4_write(machine->vc4, current[thread], step->address);
    tess_vc4_write(machine->vc4, end[thread], step->end);
    machine->started[thread] = true;
}

static void start_program(struct machine *machine, const struct scene_step *step)
{
    if (machine->started[0] || machine->started[1] || machine->queued == PROGRAM_QUEUE)
        run_started(machine);
    if (machine->stopped)
        return;
    vc4_forget_images(machine->vc4);
    tess_vc4_write(machine->vc4, V3D_SRQUA, step->uniforms);
    tess_vc4_write(machine->vc4, V3D_SRQUL, step->count);
    tess_vc4_write(machine->vc4, V3D_SRQPC, step->address);
    machine->queued++;
}

static void check_picture(struct machine *machine, const struct scene_step *step)
{
    const struct cl_view view = {step->address, (uint32_t)step->layout, step->format->bits,
                                 step->width};
    vc4_read_image(machine->vc4, &view);
}

/* --- recording --- */

static int compare_orders(const void *left, const void *right)
{
    const struct elf_symbol *a = left, *b = right;
    return (a->order > b->order) - (a->order < b->order);
}

static enum tess_status record_symbol(struct machine *machine, const struct elf_symbol *symbol)
{
    const struct capture_symbol copy = {.value = symbol->value,
                                        .size = symbol->size,
                                        .info = symbol->info,
                                        .constant = symbol->constant,
                                        .name = (char *)symbol->name};
    return capture_add_symbol(machine->capture, &copy);
}

/* Adds all symbols in the order of the scene's symbol table. */
static enum tess_status record_symbols(struct machine *machine)
{
    const struct elf *elf = &machine->scene->elf;
    uint32_t count = elf->symbol_count + elf->mark_count;
    struct elf_symbol *all = calloc(count + 1, sizeof *all);
    enum tess_status status = all ? TESS_OK : TESS_NO_MEMORY;
    for (uint32_t i = 0; all && i < count; i++)
        all[i] = i < elf->symbol_count ? elf->symbols[i] : elf->marks[i - elf->symbol_count];
    if (all)
        qsort(all, count, sizeof *all, compare_orders);
    for (uint32_t i = 0; status == TESS_OK && i < count; i++)
        status = record_symbol(machine, &all[i]);
    free(all);
    return status;
}

static enum tess_status start_recording(struct machine *machine)
{
    if (!machine->options->capture)
        return TESS_OK;
    enum tess_status status = tess_capture_start(&machine->capture, machine->vc4);
    return status == TESS_OK ? record_symbols(machine) : status;
}

/* Adds an "image" or "dump" step to the capture, so that a run of the capture writes the same
 * file. */
static void record_output(struct machine *machine, const struct scene_step *step)
{
    struct buffer text = {0};
    struct image_layout layout;
    uint32_t size;
    if (!machine->capture)
        return;
    if (step->kind == STEP_IMAGE) {
        size = scene_image_bytes(step, &layout);
        buffer_printf(&text, "image 0x%08x %u %u %s %s \"%s\"", step->address, step->width,
                      step->height, step->format->name, scene_layout_names[step->layout],
                      step->file);
    } else {
        size = step->count * step->type->bytes;
        buffer_printf(&text, "dump 0x%08x %u %s \"%s\"", step->address, step->count,
                      step->type->name, step->file);
    }
    buffer_byte(&text, 0);
    machine_note(machine, text.failed ? TESS_NO_MEMORY
                                      : tess_capture_step(machine->capture, step->address, size,
                                                          (const char *)text.data));
    buffer_free(&text);
}

static void end_recording(struct machine *machine)
{
    if (!machine->capture)
        return;
    enum tess_status status = tess_capture_save(machine->capture, machine->options->capture,
                                                machine->sink);
    if (status == TESS_OK && machine->options->wrote)
        machine->options->wrote(machine->options->user, machine->options->capture);
    machine_note(machine, status == TESS_INVALID ? TESS_BAD_INPUT : status);
    tess_capture_end(machine->capture);
    machine->capture = NULL;
}

/* --- all steps --- */

static void run_step(struct machine *machine, const struct scene_step *step)
{
    if (replay_step(machine, step))
        return;
    switch (step->kind) {
    case STEP_BIN:
    case STEP_RENDER: start_list(machine, step); return;
    case STEP_QPU: start_program(machine, step); return;
    default: break;
    }
    run_started(machine);
    if (step->kind == STEP_IMAGE)
        check_picture(machine, step);
    record_output(machine, step);
    if (!machine->options->quiet_files && machine->frame >= machine->options->first_frame) {
        if (step->kind == STEP_IMAGE)
            step_write_image(machine, step);
        else
            step_write_dump(machine, step);
    }
    if (step->kind == STEP_IMAGE && machine->frame < machine->frames)
        machine->frame++;
}

/* Counts the frames and checks the options against their number. */
static enum tess_status check_options(struct machine *machine)
{
    for (uint32_t i = 0; i < machine->scene->step_count; i++)
        machine->frames += machine->scene->steps[i].kind == STEP_IMAGE;
    machine->frame = machine->frames > 0;
    return output_check(machine->options, machine->frames, machine->sink);
}

enum tess_status machine_run(struct machine *machine, const struct tess_scene *scene,
                             const struct tess_scene_options *options, struct tess_sink sink)
{
    static const struct tess_scene_options defaults = {0};
    *machine = (struct machine){
        .scene = scene, .options = options ? options : &defaults, .sink = sink};
    enum tess_status status = check_options(machine);
    if (status == TESS_OK)
        status = start_device(machine);
    if (status == TESS_OK)
        status = start_recording(machine);
    if (status == TESS_OK)
        status = step_reserve_files(machine);
    if (status != TESS_OK)
        return status;
    hang_report(machine);
    uint32_t end = step_last(machine);
    for (machine->at = 0; machine->at < end; machine->at++)
        run_step(machine, &scene->steps[machine->at]);
    run_started(machine);
    replay_end(machine);
    hang_compare(machine);
    end_recording(machine);
    if (vc4_lacked_memory(machine->vc4))
        machine_note(machine, TESS_NO_MEMORY);
    if (tess_vc4_error_count(machine->vc4) > 0)
        machine_note(machine, TESS_WRONG);
    return machine->status;
}

void machine_free(struct machine *machine)
{
    tess_capture_end(machine->capture);
    machine->capture = NULL;
    tess_vc4_destroy(machine->vc4);
    machine->vc4 = NULL;
}

static enum tess_status run_scene(struct tess_scene *scene,
                                  const struct tess_scene_options *options, struct tess_sink sink,
                                  struct tess_vc4_stats *stats)
{
    struct machine machine;
    enum tess_status status = machine_run(&machine, scene, options, sink);
    if (stats) {
        *stats = (struct tess_vc4_stats){0};
        if (machine.vc4)
            tess_vc4_get_stats(machine.vc4, stats);
    }
    if (machine.vc4 && machine.options->finished)
        machine.options->finished(machine.options->user, machine.vc4);
    machine_free(&machine);
    return status;
}

enum tess_status tess_scene_run(struct tess_scene *scene, const struct tess_scene_options *options,
                                struct tess_sink sink, struct tess_vc4_stats *stats)
{
    struct tess_outputs *own;
    enum tess_status status = output_begin(&own);
    if (status != TESS_OK)
        return status;
    status = run_scene(scene, options, sink, stats);
    enum tess_status ended = output_end(own, status);
    return ended == status ? status : step_report_lost(sink, ended);
}
