/* SPDX-License-Identifier: MIT */
/* job_lists.h - finds properties of a job in the job's two control lists. The properties are the
 * tile lists that the job writes and draws, and the picture that it stores.
 *
 * In:      the bytes of a binning list and of a rendering list.
 * Out:     the properties. A list is read up to the first record that is unknown, halts, branches
 *          without return, or is followed by an in-line primitive list. */
#ifndef SCENE_JOB_LISTS_H
#define SCENE_JOB_LISTS_H

#include <stdbool.h>
#include <stdint.h>

#include "vc4/memory/layout.h"

/* A control list. `size` is 0 if the job has no such list. */
struct job_list {
    const uint8_t *bytes;
    uint32_t size;
};

/* Memory that record 112 assigns to binning. */
struct job_tiles {
    uint32_t lists, lists_size; /* address and size of the tile lists */
    uint32_t state, state_size; /* address and size of the tile state data array */
};

/* The picture that a rendering list stores, according to its frame configuration (record 113). */
struct job_picture {
    uint32_t address, width, height, bits; /* bits is the number of bits per pixel */
    enum layout layout;
    const char *format; /* name as in an "image" step */
};

/* Reads the first record 112. Returns false if the list has no record 112. */
bool job_tiles(const struct job_list *bin, struct job_tiles *tiles);

/* True if the binning list writes tile lists at this address. */
bool job_makes(const struct job_list *bin, uint32_t tile_list);

/* Returns the number of bytes up to the end of the first flush record, or 0 if the list has no
 * flush record. */
uint32_t job_flushed(const struct job_list *bin);

/* True if the rendering list waits for the semaphore of the binning thread. */
bool job_waits(const struct job_list *render);

/* Sets *address to the lowest address of the sub-lists that the rendering list calls. Returns false
 * if the list calls no sub-list. */
bool job_first_tile_list(const struct job_list *render, uint32_t *address);

/* Finds the picture that the rendering list stores. Returns false if there is no picture, or if an
 * "image" step cannot show it. */
bool job_picture(const struct job_list *bin, const struct job_list *render,
                 struct job_picture *picture);

#endif
