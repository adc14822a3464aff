/* SPDX-License-Identifier: MIT */
/* lima_submit.c - see lima_submit.h.
 *
 * In:  the request's structure, and the data in the program's memory to which it points.
 * Out: an errno; a finding for the first job that the kernel would accept.
 *
 * Source: Linux 6.12, drivers/gpu/drm/lima/lima_drv.c (lima_ioctl_gem_submit), lima_gp.c and
 *         lima_pp.c (checks of frames), lima_gem.c (lima_gem_submit), for the order of checks and
 *         their errors. The kernel does not check streams, because the GPU has an MMU. */
#include "shim/drm/lima/lima_submit.h"

#include <errno.h>
#include <stdlib.h>

#include "shim/common/report.h"
#include "shim/common/user.h"
#include "shim/drm/jobs/syncobj.h"
#include "shim/drm/lima/lima_drm.h"
#include "shim/drm/options.h"

enum { MOST_BYTES = 1 << 24 }; /* largest size of the list of buffer objects */

/* --- contexts --- */

/* The object of every context, whose number in the table is its id plus 1. */
static const char context;

static void release(void *object)
{
    (void)object;
}

int64_t lima_context_create(struct file *file)
{
    return (int64_t)file_table_add(&file->of_driver, (void *)&context, release) - 1;
}

bool lima_context_free(struct file *file, uint32_t id)
{
    return id < UINT32_MAX && file_table_remove(&file->of_driver, id + 1);
}

/* --- findings --- */

static struct tess_sink sink;

/* Reports the first refused job. Only the sink of the options is used, because there is no
 * model. */
static void report_refusal(void)
{
    static const struct tess_finding refusal = {
        .level = TESS_ERROR,
        .id = "drm-no-model",
        .text =
            "a job for the Mali-400 is refused, because there is no model of this GPU (reported "
            "once)",
        .hint = "run the program with --gpu vc4, or with TESSERA_GPU=vc4"};
    struct tess_vc4_options device = {0};
    if (sink.report)
        return;
    report_begin(&(struct report_options){.settings = &options_get()->common}, &device);
    sink = device.machine.sink;
    sink.report(sink.user, &refusal);
}

void lima_end(void)
{
    if (sink.report)
        report_end();
}

void lima_in_child(bool whole)
{
    (void)whole;
    if (sink.report)
        report_child();
}

/* --- checks --- */

static int check_gp(const uint32_t *frame)
{
    const bool has_vs = frame[LIMA_VS] != frame[LIMA_VS_END],
               has_plbu = frame[LIMA_PLBU] != frame[LIMA_PLBU_END];
    if (frame[LIMA_VS] > frame[LIMA_VS_END] || frame[LIMA_PLBU] > frame[LIMA_PLBU_END] ||
        frame[LIMA_HEAP] > frame[LIMA_HEAP_END])
        return EINVAL;
    return has_vs || has_plbu ? 0 : EINVAL;
}

static int check_pp(const uint32_t *frame)
{
    return frame[LIMA_PP_COUNT] >= 1 && frame[LIMA_PP_COUNT] <= LIMA_PPS ? 0 : EINVAL;
}

static int check_frame(const struct lima_gem_submit *request)
{
    uint32_t frame[LIMA_PP_WORDS];
    if (!user_read(frame, request->frame, request->frame_size))
        return EFAULT;
    return request->pipe == LIMA_GP ? check_gp(frame) : check_pp(frame);
}

/* A buffer object must not be in the list twice. */
static int check_bos(const struct file *file, const struct lima_submit_bo *bos, uint32_t count)
{
    static uint64_t number; /* number of the job */
    number++;
    for (uint32_t i = 0; i < count; i++)
        if (!file_bo(file, bos[i].handle))
            return ENOENT;
    for (uint32_t i = 0; i < count; i++) {
        struct bo *bo = file_bo(file, bos[i].handle);
        if (bo->seqno == number)
            return EALREADY;
        bo->seqno = number;
    }
    return 0;
}

static int check_objects(const struct file *file, const struct lima_gem_submit *request,
                         const struct lima_submit_bo *bos)
{
    if (request->context == UINT32_MAX || !file_table_get(&file->of_driver, request->context + 1))
        return ENOENT;
    if (request->out_sync && !file_syncobj(file, request->out_sync))
        return ENOENT;
    int error = check_bos(file, bos, request->bo_count);
    for (unsigned i = 0; i < 2 && !error; i++)
        if (request->in_sync[i])
            error = syncobj_check_fence(file, request->in_sync[i]);
    return error;
}

static int check(const struct file *file, const struct lima_gem_submit *request)
{
    static const uint32_t words[LIMA_PIPES] = {LIMA_GP_WORDS, LIMA_PP_WORDS};
    void *bos;
    if (request->pipe >= LIMA_PIPES || request->bo_count == 0 ||
        request->flags & ~(uint32_t)LIMA_EXPLICIT_FENCE ||
        request->frame_size != words[request->pipe] * sizeof *words)
        return EINVAL;
    int error = user_array(&bos, request->bos, request->bo_count, sizeof(struct lima_submit_bo),
                           MOST_BYTES);
    if (!error)
        error = check_frame(request);
    if (!error)
        error = check_objects(file, request, bos);
    free(bos);
    return error;
}

int lima_submit(struct file *file, void *argument)
{
    const int error = check(file, argument);
    if (error)
        return error;
    report_refusal();
    return EOPNOTSUPP;
}
