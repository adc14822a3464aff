/* SPDX-License-Identifier: MIT */
/* render_list.h - the control list for the renderer. The kernel writes this list. A program's
 * request names only the surfaces to load and store.
 *
 * In:  the arguments of a job; the job's buffer objects; data from the job's list for the binner.
 * Out: a control list, or the reason for refusing the arguments. */
#ifndef SHIM_DRM_VC4_RENDER_LIST_H
#define SHIM_DRM_VC4_RENDER_LIST_H

#include <stdbool.h>
#include <stdint.h>

#include <libdrm/vc4_drm.h>

#include "shim/drm/gem/bo.h"
#include "shim/drm/refusal.h"

/* Surfaces to load and store. */
enum render_surface {
    RENDER_COLOUR_READ,
    RENDER_COLOUR_WRITE,
    RENDER_ZS_READ,
    RENDER_ZS_WRITE,
    RENDER_MSAA_COLOUR_WRITE,
    RENDER_MSAA_ZS_WRITE,
    RENDER_SURFACES,
};

struct render_list {
    const struct drm_vc4_submit_cl *arguments;
    struct bo *bos[RENDER_SURFACES]; /* buffer objects of the surfaces, NULL for unused surfaces */
    bool has_bin;
    /* bus address of the tile lists, and number of tiles in a row; valid if has_bin is true */
    uint32_t tile_lists, tiles_across;
};

/* Checks the arguments. `bos` are the job's buffer objects. The caller has filled in has_bin,
 * tile_lists and tiles_across of *list. Returns 0, or EINVAL with *why filled in. */
int render_list_check(struct render_list *list, const struct drm_vc4_submit_cl *arguments,
                      struct bo *const *bos, uint32_t bo_count, uint32_t tiles_down,
                      struct refusal *why);

/* Writes the list and returns its size in bytes. If `bytes` is NULL, only returns the size. */
uint32_t render_list_write(const struct render_list *list, uint8_t *bytes);

/* Stores the buffer objects to which the job writes in `written`. Returns their number. */
unsigned render_list_written(const struct render_list *list, struct bo *written[RENDER_SURFACES]);

#endif
