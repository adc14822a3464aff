/* SPDX-License-Identifier: MIT */
/* render_list.h - the list for the renderer, which programs do not write themselves: they say what to load, draw and store.
 *
 * In:  the arguments of a job; its buffer objects; what its list for the binner says. Out: a control list, or why the arguments
 * are refused. */
#ifndef SHIM_DRM_RENDER_LIST_H
#define SHIM_DRM_RENDER_LIST_H

#include <stdbool.h>
#include <stdint.h>

#include <libdrm/vc4_drm.h>

#include "bo.h"
#include "refusal.h"

/* What is loaded and stored. */
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
    struct bo *bos[RENDER_SURFACES]; /* NULL: not that */
    bool has_bin;
    uint32_t tile_lists, tiles_across; /* of the binner, if .has_bin */
};

/* Checks the arguments. bos are the job's buffer objects; list->has_bin, .tile_lists and .tiles_across are filled in, and
 * tiles_down is beside them. Result: 0, or EINVAL and *why. */
int render_list_check(struct render_list *list, const struct drm_vc4_submit_cl *arguments,
                      struct bo *const *bos, uint32_t bo_count, uint32_t tiles_down,
                      struct refusal *why);

/* Writes the list, and returns how many bytes it has; bytes may be NULL. */
uint32_t render_list_write(const struct render_list *list, uint8_t *bytes);

/* The buffer objects that the job writes to; returns how many there are. */
unsigned render_list_written(const struct render_list *list, struct bo *written[RENDER_SURFACES]);

#endif
