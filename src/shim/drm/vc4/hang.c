/* SPDX-License-Identifier: MIT */
/* hang.c - see hang.h.
 *
 * Source: Linux, drivers/gpu/drm/vc4/vc4_gem.c (vc4_save_hang_state, vc4_get_hang_state_ioctl);
 *         anholt/vc4-gpu-tools, tools/vc4_dump_hang_state.c (the file; docs/hang.md).
 * Choices: the state covers one job with all of its memory, including the tile lists, so that tools
 *          can follow the lists. The first kernels with GET_HANG_STATE saved the same memory. */
#include "shim/drm/vc4/hang.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <tessera/output.h>

#include "shim/common/user.h"
#include "shim/drm/options.h"
#include "shim/drm/vc4/gpu.h"
#include "shim/drm/vc4/job.h"

enum {
    V3D_DBGE = 0xf00,
    V3D_FDBGO = 0xf04,
    V3D_FDBGB = 0xf08,
    V3D_FDBGR = 0xf0c,
    V3D_FDBGS = 0xf10
};

struct state {
    /* registers for GET_HANG_STATE; bo_count is the length of bos */
    struct drm_vc4_get_hang_state words;
    struct bo *bos[];
};

static struct state *kept; /* state that GET_HANG_STATE has not read yet, or NULL */

/* --- saving --- */

static void read_registers(struct tess_vc4 *vc4, struct drm_vc4_get_hang_state *words)
{
    const struct {
        __u32 *to;
        uint32_t offset;
    } registers[] = {
        /* clang-format off */
        {&words->ct0ca,   V3D_CT0CA},
        {&words->ct0ea,   V3D_CT0EA},
        {&words->ct1ca,   V3D_CT1CA},
        {&words->ct1ea,   V3D_CT1EA},
        {&words->ct0cs,   V3D_CT0CS},
        {&words->ct1cs,   V3D_CT1CS},
        {&words->ct0ra0,  V3D_CT00RA0},
        {&words->ct1ra0,  V3D_CT01RA0},
        {&words->bpca,    V3D_BPCA},
        {&words->bpcs,    V3D_BPCS},
        {&words->bpoa,    V3D_BPOA},
        {&words->bpos,    V3D_BPOS},
        {&words->vpmbase, V3D_VPMBASE},
        {&words->dbge,    V3D_DBGE},
        {&words->fdbgo,   V3D_FDBGO},
        {&words->fdbgb,   V3D_FDBGB},
        {&words->fdbgr,   V3D_FDBGR},
        {&words->fdbgs,   V3D_FDBGS},
        {&words->errstat, V3D_ERRSTAT},
        /* clang-format on */
    };
    for (size_t i = 0; i < sizeof registers / sizeof *registers; i++)
        *registers[i].to = tess_vc4_read(vc4, registers[i].offset);
}

static void add_bo(struct state *state, struct bo *bo)
{
    if (bo)
        state->bos[state->words.bo_count++] = bo_take(bo);
}

static struct state *make_state(struct tess_vc4 *vc4, const struct job *job, bool is_binned)
{
    struct state *state = calloc(1, sizeof *state +
                                        (job->bo_count + JOB_MEMORIES) * sizeof *state->bos);
    if (!state)
        return NULL;
    for (uint32_t i = 0; i < job->bo_count; i++)
        add_bo(state, job->bos[i]);
    add_bo(state, job->memories[JOB_RENDER]);
    if (job->bin_start != job->bin_end) {
        add_bo(state, job->memories[JOB_LISTS]);
        add_bo(state, job->memories[JOB_BINNER]);
        state->words.start_bin = job->bin_start;
    }
    if (is_binned)
        state->words.start_render = job->render_start;
    read_registers(vc4, &state->words);
    return state;
}

static void free_state(struct state *state)
{
    for (uint32_t i = 0; state && i < state->words.bo_count; i++)
        bo_release(state->bos[i]);
    free(state);
}

/* --- the file --- */

static void write_state(FILE *file, const struct state *state)
{
    const uint32_t version = 0;
    fwrite(&version, sizeof version, 1, file);
    fwrite(&state->words, sizeof state->words, 1, file);
    for (uint32_t i = 0; i < state->words.bo_count; i++) {
        const struct bo *bo = state->bos[i];
        const struct drm_vc4_get_hang_state_bo entry = {
            .handle = bo->number, .paddr = bo->memory.address, .size = bo->size};
        fwrite(&entry, sizeof entry, 1, file);
    }
    for (uint32_t i = 0; i < state->words.bo_count; i++)
        fwrite(state->bos[i]->memory.host, 1, state->bos[i]->size, file);
}

static bool write_whole(const char *name, const struct state *state)
{
    struct tess_outputs *outputs;
    struct tess_output *output;
    if (tess_outputs_create(&outputs) != TESS_OK)
        return false;
    bool good = tess_output_open(outputs, name, &output) == TESS_OK;
    if (good) {
        write_state(tess_output_stream(output), state);
        good = tess_outputs_commit(outputs) == TESS_OK;
    }
    tess_outputs_free(outputs);
    return good;
}

static void complain(const char *why)
{
    char text[1200];
    snprintf(text, sizeof text, "cannot write the state of the hang: %s", why);
    gpu_report(&(struct tess_finding){.level = TESS_ERROR, .id = "io", .text = text});
}

static void write_file(const struct state *state, const struct job *job)
{
    static bool written;
    const char *pattern = options_get()->hang;
    if (!pattern || (written && !job_file_is_single(pattern)))
        return;
    written = true;
    char *name = job_file_name(pattern, job->number);
    if (!name)
        complain(strerror(ENOMEM));
    else if (!write_whole(name, state))
        complain(tess_outputs_error());
    free(name);
}

void hang_keep(const struct job *job, bool is_binned)
{
    struct state *state = make_state(gpu_get(), job, is_binned);
    if (!state)
        return;
    write_file(state, job);
    if (kept)
        free_state(state);
    else
        kept = state;
}

/* --- the request --- */

/* Creates handles in the caller's file and writes the descriptions of the buffer objects to the
 * address `to`. */
static int hand_over(struct file *file, const struct state *state, uint64_t to)
{
    struct drm_vc4_get_hang_state_bo entry = {0};
    for (uint32_t i = 0; i < state->words.bo_count; i++) {
        entry.handle = file_new_handle(file, state->bos[i]);
        entry.paddr = state->bos[i]->memory.address;
        entry.size = state->bos[i]->size;
        if (!entry.handle)
            return ENOMEM;
        if (!user_write(to + i * sizeof entry, &entry, sizeof entry))
            return EFAULT;
    }
    return 0;
}

int hang_get_state(struct file *file, void *argument)
{
    struct drm_vc4_get_hang_state *request = argument;
    if (!kept)
        return ENOENT;
    if (request->bo_count < kept->words.bo_count) {
        request->bo_count = kept->words.bo_count;
        return 0;
    }
    struct state *state = kept;
    kept = NULL;
    state->words.bo = request->bo;
    *request = state->words;
    int error = hand_over(file, state, request->bo);
    free_state(state);
    return error;
}
