/* SPDX-License-Identifier: MIT */
/* job_lists.h - what the two control lists of a job say about it: the tile lists that it makes and draws, and its picture.
 *
 * In:  the bytes of a binning list and of a rendering list, as they lie in memory.
 * Out: facts. A list is followed up to a record that is none, halts, or goes elsewhere for good. */
#ifndef SCENE_JOB_LISTS_H
#define SCENE_JOB_LISTS_H

#include <stdbool.h>
#include <stdint.h>

#include "vc4/layout.h"

/* size 0: there is no such list. */
struct job_list {
    const uint8_t *bytes;
    uint32_t size;
};

/* Record 112. */
struct job_tiles {
    uint32_t lists, lists_size; /* memory for tile lists */
    uint32_t state, state_size; /* the tile state data array */
};

/* The picture that a rendering list's frame configuration (record 113) and its stores make. */
struct job_picture {
    uint32_t address, width, height, bits; /* bits: of a pixel */
    enum layout layout;
    const char *format; /* as an "image" step names it */
};

/* False: the list does not say. */
bool job_tiles(const struct job_list *bin, struct job_tiles *tiles);

/* Whether tile lists at an address are of those that the list makes. */
bool job_makes(const struct job_list *bin, uint32_t tile_list);

/* Bytes up to the end of the first flush; 0: there is none. */
uint32_t job_flushed(const struct job_list *bin);

/* Whether the rendering list waits for the binning thread's semaphore. */
bool job_waits(const struct job_list *render);

/* The lowest address of the sub-lists that are called; false: none is. */
bool job_first_tile_list(const struct job_list *render, uint32_t *address);

/* False: the list stores no picture that an "image" step can show. */
bool job_picture(const struct job_list *bin, const struct job_list *render,
                 struct job_picture *picture);

#endif
