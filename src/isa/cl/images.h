/* SPDX-License-Identifier: MIT */
/* images.h - keeps the formats of stored images, to find reads of the same memory
 * in another format.
 *
 * In:  the memory uses of rendering lists, in order.
 * Out: the last image stored at an address; the differences between the format of that image and
 *      the format in which its memory is read. */
#ifndef ISA_CL_IMAGES_H
#define ISA_CL_IMAGES_H

#include "isa/cl/uses.h"

enum { CL_IMAGES_MAX = 32 };

/* Stored images. Must be zero-initialised. The oldest image is dropped when the array is full. */
struct cl_images {
    struct cl_use item[CL_IMAGES_MAX];
    uint32_t count;
};

/* The format in which memory is read. */
struct cl_view {
    uint32_t address, format, bits; /* memory format and bits per pixel, as in struct cl_use */
    uint32_t width;                 /* pixels per row; 0 for the width of the stored image */
};

/* Adds the frames that a list stores. Removes older images that overlap these frames. */
void cl_images_add(struct cl_images *images, const struct cl_uses *rendering);

/* Returns the image that begins at an address, or NULL if there is none. */
const struct cl_use *cl_images_find(const struct cl_images *images, uint32_t address);

/* Returns true if the pixels that a view reads differ from the pixels that were stored. Writes
 * the reason to text: "in T-format with 32 bits per pixel and 384 pixels per row, but the frame
 * ...". */
bool cl_view_differs(const struct cl_use *image, const struct cl_view *view, char *text,
                     size_t size);

#endif
