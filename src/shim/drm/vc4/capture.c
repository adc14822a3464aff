/* SPDX-License-Identifier: MIT */
/* capture.c - see capture.h.
 *
 * In:  the device. tessera/scene.h records it while selected jobs run.
 * Out: a scene for each job if the file name contains "%d", otherwise one scene with all jobs. Each
 *      job has an "image" step for the picture that it stored. Symbols name the control lists and
 *      the buffer objects. A buffer object's symbol is its label (LABEL_BO), or a name such as
 *      "bo7" or "shader9".
 *
 * Choices: the listing of a job is printed from the job's scene. The scene runs a second time,
 *          without messages, so that the listing includes the binner's output. */
#include "shim/drm/vc4/capture.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

#include <tessera/isa.h>
#include <tessera/scene.h>

#include "base/array.h"
#include "shim/drm/gem/bo.h"
#include "shim/drm/options.h"
#include "shim/drm/vc4/gpu.h"
#include "shim/drm/vc4/job.h"

enum { NAME_BYTES = 32 };

static struct {
    struct tess_capture *now; /* current recording, or NULL */
    uint32_t *named;          /* numbers of the buffer objects that already have symbols */
    uint32_t named_count;
    uint64_t first, last; /* numbers of the first and of the last recorded job */
} capture;

static void pass_on(void *user, const struct tess_finding *diag)
{
    (void)user;
    gpu_report(diag);
}

static const struct tess_sink sink = {pass_on, NULL};

/* --- selection of jobs --- */

static bool is_chosen(const struct job *job)
{
    const struct options *options = options_get();
    return (options->common.capture || options->decode) && job->number >= options->first_job &&
           job->number <= options->last_job;
}

/* True if each job has its own recording. */
static bool is_single(void)
{
    const char *name = options_get()->common.capture;
    return !name || job_file_is_single(name);
}

/* --- symbols --- */

static bool is_new(uint32_t number)
{
    for (uint32_t i = 0; i < capture.named_count; i++)
        if (capture.named[i] == number)
            return false;
    if (!ARRAY_GROW(capture.named, capture.named_count))
        return false;
    capture.named[capture.named_count++] = number;
    return true;
}

static void name_memory(const struct bo *bo)
{
    char name[BO_NAME_BYTES];
    if (!bo || !is_new(bo->number))
        return;
    bo_name(bo, name);
    tess_capture_symbol(capture.now, name, bo->memory.address, bo->size);
}

static void name_job(const struct job *job)
{
    for (uint32_t i = 0; i < job->bo_count; i++)
        name_memory(job->bos[i]);
    for (unsigned i = 0; i < JOB_MEMORIES; i++)
        name_memory(job->memories[i]);
}

/* --- recording --- */

static void forget(void)
{
    tess_capture_end(capture.now);
    free(capture.named);
    capture.now = NULL;
    capture.named = NULL;
    capture.named_count = 0;
}

void capture_begin(const struct job *job)
{
    if (!is_chosen(job))
        return;
    if (!capture.now)
        capture.first = job->number;
    if (!capture.now && tess_capture_start(&capture.now, gpu_get()) != TESS_OK)
        gpu_report(&(struct tess_finding){
            .level = TESS_ERROR, .id = "drm-capture", .text = "not enough memory to record a job"});
    if (capture.now)
        name_job(job);
}

static void save(void)
{
    char *name = job_file_name(options_get()->common.capture, capture.first);
    if (name)
        tess_capture_save(capture.now, name, sink);
    free(name);
}

/* --- the listing --- */

static void print(void *user, const char *text, size_t size)
{
    fwrite(text, 1, size, user);
}

static void list(void)
{
    const struct tess_scene_options options = {.quiet_files = true};
    const struct tess_sink none = {0};
    struct tess_scene *scene = NULL;
    uint8_t *bytes;
    size_t size;
    if (tess_capture_save_memory(capture.now, &bytes, &size, sink) != TESS_OK)
        return;
    if (tess_scene_load_memory(&scene, bytes, size, "job", sink) == TESS_OK) {
        fprintf(stderr, "tessera: job %" PRIu64, capture.first);
        fprintf(stderr, capture.last > capture.first ? " to job %" PRIu64 "\n" : "\n",
                capture.last);
        tess_scene_decode(scene, &options, TESS_DECODE_TEXT, (struct tess_text_out){print, stderr},
                          none);
    }
    tess_scene_free(scene);
    tess_free(bytes);
}

/* --- completion --- */

static void finish(void)
{
    if (options_get()->decode)
        list();
    if (options_get()->common.capture)
        save();
    forget();
}

void capture_end(const struct job *job)
{
    const struct tess_job_lists lists = {job->bin_start, job->bin_end, job->render_start,
                                         job->render_end};
    char picture[NAME_BYTES];
    if (!capture.now || !is_chosen(job))
        return;
    snprintf(picture, sizeof picture, "job-%" PRIu64 ".png", job->number);
    tess_capture_picture(capture.now, &lists, picture);
    capture.last = job->number;
    if (is_single() || job->number == options_get()->last_job)
        finish();
}

void capture_finish(void)
{
    if (capture.now)
        finish();
}

void capture_in_child(void)
{
    forget();
}
