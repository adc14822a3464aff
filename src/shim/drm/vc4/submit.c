/* SPDX-License-Identifier: MIT */
/* submit.c - see submit.h.
 *
 * In:  the request's structure, and the data in the program's memory to which it points.
 * Out: a job.
 *
 * Source: Linux 6.1, drivers/gpu/drm/vc4/vc4_gem.c (vc4_submit_cl_ioctl, vc4_cl_lookup_bos,
 *         vc4_get_bcl), for the order of checks and their errors.
 * Choices: a job needs memory in addition to the program's buffer objects. That memory is kept for
 *          the next job, and replaced by larger memory when a job needs more. */
#include "shim/drm/vc4/submit.h"

#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "shim/common/user.h"
#include "shim/drm/jobs/syncobj.h"
#include "shim/drm/vc4/gpu.h"
#include "shim/drm/vc4/perfmon.h"
#include "shim/drm/vc4/render_list.h"
#include "shim/drm/vc4/run.h"
#include "shim/drm/vc4/validate.h"

enum { MOST_BOS = 1 << 20, MOST_BYTES = 1 << 28, SMALLEST_MEMORY = 1 << 16 };

/* Memory for jobs. It is kept until the process ends. */
static struct {
    uint64_t latest;
    struct bo *memories[JOB_MEMORIES];
    uint8_t *scratch; /* copies of the program's data */
    size_t scratch_size;
    struct bo **bos;
    uint32_t *handles;
    uint32_t bo_room;
} jobs;

/* A request that the functions below turn into a job. */
struct request {
    struct file *file;
    struct drm_vc4_submit_cl *arguments;
    struct job job;
    struct perfmon *perfmon; /* performance monitor of the job, or NULL */
    struct syncobj *out_sync;
    struct validation bin;
    struct refusal why;
};

void submit_refused(const struct refusal *why)
{
    gpu_report(&(struct tess_finding){
        .level = TESS_WARNING, .id = why->rule, .text = why->text, .hint = why->instead});
}

uint64_t submit_latest(void)
{
    return jobs.latest;
}

/* --- memory --- */

/* Makes sure that a buffer object of the job's memory exists and has at least `size` bytes.
 * Replaces a smaller buffer object, which is lost if there is no memory for the new one. */
static int provide(enum job_memory which, uint32_t size)
{
    static const char *const names[] = {
        [JOB_LISTS] = "bin_list", [JOB_RENDER] = "render_list", [JOB_BINNER] = "binner_memory"};
    uint32_t room = SMALLEST_MEMORY;
    if (jobs.memories[which] && jobs.memories[which]->size >= size)
        return 0;
    while (room < size && room < MOST_BYTES)
        room *= 2;
    bo_release(jobs.memories[which]);
    jobs.memories[which] = NULL;
    const int error = bo_create(&jobs.memories[which], room > size ? room : size);
    if (!error)
        jobs.memories[which]->label = strdup(names[which]);
    return error;
}

static int provide_scratch(size_t size)
{
    if (size <= jobs.scratch_size)
        return 0;
    if (size > MOST_BYTES)
        return ENOMEM;
    uint8_t *scratch = realloc(jobs.scratch, size);
    if (!scratch)
        return ENOMEM;
    jobs.scratch = scratch;
    jobs.scratch_size = size;
    return 0;
}

static int provide_bos(uint32_t count)
{
    if (count <= jobs.bo_room)
        return 0;
    if (count > MOST_BOS)
        return ENOMEM;
    struct bo **bos = realloc(jobs.bos, count * sizeof *bos);
    jobs.bos = bos ? bos : jobs.bos;
    uint32_t *handles = realloc(jobs.handles, count * sizeof *handles);
    jobs.handles = handles ? handles : jobs.handles;
    if (!bos || !handles)
        return ENOMEM;
    jobs.bo_room = count;
    return 0;
}

static void forget_memories(void)
{
    for (unsigned i = 0; i < JOB_MEMORIES; i++) {
        bo_release(jobs.memories[i]);
        jobs.memories[i] = NULL;
    }
}

void submit_in_child(void)
{
    forget_memories();
}

/* --- flags and objects of the request --- */

static int check_flags(struct request *r)
{
    enum {
        KNOWN = VC4_SUBMIT_CL_USE_CLEAR_COLOR | VC4_SUBMIT_CL_FIXED_RCL_ORDER |
                VC4_SUBMIT_CL_RCL_ORDER_INCREASING_X | VC4_SUBMIT_CL_RCL_ORDER_INCREASING_Y
    };
    if (r->arguments->flags & ~(uint32_t)KNOWN)
        return refuse(&r->why, "set only bits 0 to 3 of the flags", "invalid flags 0x%x",
                      r->arguments->flags);
    if (r->arguments->pad2)
        return refuse(&r->why, "set pad2 to 0", "pad2 is 0x%x, not 0", r->arguments->pad2);
    return 0;
}

static int look_up_bo(struct request *r, uint32_t number)
{
    struct bo *bo = file_bo(r->file, jobs.handles[number]);
    if (!bo)
        return refuse(&r->why, "submit only open handles",
                      "buffer object %u of the job: unknown handle %u", number,
                      jobs.handles[number]);
    if (bo->purged || (bo->purgeable && !bo->shared))
        return refuse(
            &r->why,
            "mark the buffer object with VC4_MADV_WILLNEED first, and check that it was retained",
            "buffer object %u of the job (handle %u) %s", number, jobs.handles[number],
            bo->purged ? "has been purged" : "is marked as not needed");
    jobs.bos[number] = bo;
    return 0;
}

static int look_up_bos(struct request *r)
{
    const uint32_t count = r->arguments->bo_handle_count;
    if (!count)
        return refuse(&r->why, "submit the handles of all buffer objects that the job uses",
                      "the job has no buffer objects");
    if (provide_bos(count))
        return ENOMEM;
    if (!user_read(jobs.handles, r->arguments->bo_handles, count * sizeof *jobs.handles))
        return EFAULT;
    for (uint32_t i = 0; i < count; i++)
        if (look_up_bo(r, i))
            return EINVAL;
    r->job.bos = jobs.bos;
    r->job.bo_count = count;
    return 0;
}

static int look_up_perfmon(struct request *r)
{
    if (!r->arguments->perfmonid)
        return 0;
    r->perfmon = perfmon_find(r->file, r->arguments->perfmonid);
    return r->perfmon ? 0 : ENOENT;
}

/* Checks the fence for which the job has to wait. Every fence is already signalled, because a job
 * is finished when its request returns. */
static int look_up_in_sync(struct request *r)
{
    return r->arguments->in_sync ? syncobj_check_fence(r->file, r->arguments->in_sync) : 0;
}

static int look_up_out_sync(struct request *r)
{
    r->why.rule = "drm-submit";
    if (!r->arguments->out_sync)
        return 0;
    r->out_sync = file_syncobj(r->file, r->arguments->out_sync);
    return r->out_sync ? 0
                       : refuse(&r->why, "set out_sync to the handle of a sync object, or to 0",
                                "unknown sync object %u", r->arguments->out_sync);
}

/* --- lists --- */

/* Copies the list, the shader records and the uniforms to the scratch memory. The validator's array
 * of records follows the copies. */
static int copy_in(struct request *r, uint32_t *size)
{
    const struct drm_vc4_submit_cl *a = r->arguments;
    struct validation *v = &r->bin;
    uint32_t records, uniforms;
    if (!validate_place(a->bin_cl_size, a->shader_rec_size, a->uniforms_size, &records, &uniforms,
                        size) ||
        a->shader_rec_count >= (UINT32_MAX - *size) / sizeof *v->seen)
        return refuse(&r->why, "split the job into smaller ones",
                      "the list, shader records and uniforms exceed 4 GiB");
    const size_t seen = ((size_t)*size + sizeof *v->seen - 1) / sizeof *v->seen * sizeof *v->seen;
    if (provide_scratch(seen + a->shader_rec_count * sizeof *v->seen))
        return ENOMEM;
    if (!user_read(jobs.scratch, a->bin_cl, a->bin_cl_size) ||
        !user_read(jobs.scratch + records, a->shader_rec, a->shader_rec_size) ||
        !user_read(jobs.scratch + uniforms, a->uniforms, a->uniforms_size))
        return EFAULT;
    *v = (struct validation){
        .list = jobs.scratch,
        .list_size = a->bin_cl_size,
        .records = {.from = jobs.scratch + records, .left = a->shader_rec_size},
        .uniforms = {.from = jobs.scratch + uniforms, .left = a->uniforms_size},
        .seen = (void *)(jobs.scratch + seen),
        .record_count = a->shader_rec_count,
        .bos = r->job.bos,
        .bo_count = r->job.bo_count,
    };
    return 0;
}

/* For each validated copy, sets its destination, which is in the buffer object that V3D reads. The
 * offsets are the same as in the scratch memory. */
static void place_copies(struct request *r)
{
    const struct bo *lists = jobs.memories[JOB_LISTS];
    struct validation *v = &r->bin;
    const uint32_t records = (uint32_t)(v->records.from - v->list),
                   uniforms = (uint32_t)(v->uniforms.from - v->list);
    v->list_to = lists->memory.host;
    v->records.to = lists->memory.host + records;
    v->records.address = lists->memory.address + records;
    v->uniforms.to = lists->memory.host + uniforms;
    v->uniforms.address = lists->memory.address + uniforms;
    v->binner_address = jobs.memories[JOB_BINNER]->memory.address;
    v->binner_size = RUN_SLOT_BYTES;
}

static int make_bin_list(struct request *r)
{
    uint32_t size;
    if (!r->arguments->bin_cl_size)
        return 0;
    int error = copy_in(r, &size);
    if (!error)
        error = provide(JOB_LISTS, size);
    if (!error)
        error = provide(JOB_BINNER, RUN_SLOTS * RUN_SLOT_BYTES);
    if (error)
        return error;
    place_copies(r);
    error = validate_job(&r->bin, &r->why);
    r->job.bin_start = jobs.memories[JOB_LISTS]->memory.address;
    r->job.bin_end = r->job.bin_start + r->bin.list_bytes;
    return error;
}

static int make_render_list(struct request *r, struct render_list *list)
{
    *list = (struct render_list){
        .has_bin = r->arguments->bin_cl_size != 0,
        .tile_lists = r->bin.tile_lists,
        .tiles_across = r->bin.tiles_across,
    };
    int error = render_list_check(list, r->arguments, r->job.bos, r->job.bo_count,
                                  r->bin.tiles_down, &r->why);
    if (error)
        return error;
    const uint32_t size = render_list_write(list, NULL);
    error = provide(JOB_RENDER, size);
    if (error)
        return error;
    render_list_write(list, jobs.memories[JOB_RENDER]->memory.host);
    r->job.render_start = jobs.memories[JOB_RENDER]->memory.address;
    r->job.render_end = r->job.render_start + size;
    return 0;
}

/* --- the job --- */

static int look_up(struct request *r)
{
    int error = check_flags(r);
    if (!error)
        error = look_up_bos(r);
    if (!error)
        error = look_up_perfmon(r);
    return error ? error : look_up_in_sync(r);
}

static void number_bos(const struct request *r, const struct render_list *list)
{
    struct bo *written[RENDER_SURFACES];
    const unsigned count = render_list_written(list, written);
    for (uint32_t i = 0; i < r->job.bo_count; i++)
        r->job.bos[i]->seqno = r->job.number;
    for (unsigned i = 0; i < count; i++)
        written[i]->write_seqno = r->job.number;
}

static void run(struct request *r)
{
    memcpy(r->job.memories, jobs.memories, sizeof r->job.memories);
    if (r->perfmon)
        perfmon_start(r->perfmon);
    /* GET_HANG_STATE needs the memory of the job that hung, so the next job receives new memory. */
    if (!run_job(&r->job))
        forget_memories();
    if (r->perfmon)
        perfmon_stop(r->perfmon);
    if (r->out_sync)
        syncobj_signal(r->out_sync);
}

/* Reports once that there is no memory. Drivers continue without the job. */
static void report_out_of_memory(struct refusal *why)
{
    static bool is_told;
    if (is_told)
        return;
    is_told = true;
    why->rule = "drm-memory";
    why->instead = "raise --memory or TESSERA_MEMORY; the binner alone needs 16 MiB";
    snprintf(why->text, sizeof why->text,
             "a job is skipped: all %" PRIu64 " MiB of GPU memory are in use",
             memory_limit() >> 20);
    submit_refused(why);
}

int submit_cl(struct file *file, void *argument)
{
    struct drm_vc4_submit_cl *arguments = argument;
    struct request r = {
        .file = file, .arguments = arguments, .job.arguments = arguments, .why.rule = "drm-submit"};
    struct render_list list;
    int error = look_up(&r);
    if (!error)
        error = make_bin_list(&r);
    if (!error)
        error = make_render_list(&r, &list);
    if (!error)
        error = look_up_out_sync(&r);
    if (error) {
        if (*r.why.text)
            submit_refused(&r.why);
        else if (error == ENOMEM)
            report_out_of_memory(&r.why);
        return error;
    }
    r.job.number = ++jobs.latest;
    number_bos(&r, &list);
    run(&r);
    arguments->seqno = r.job.number;
    return 0;
}
