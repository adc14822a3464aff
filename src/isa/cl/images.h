/* SPDX-License-Identifier: MIT */
/* images.h - in which format lists have stored images: so that reading them in another one is
 * found.
 *
 * In:  what rendering lists use, one after the other.
 * Out: the latest image of an address; how another view of its memory differs. */
#ifndef ISA_CL_IMAGES_H
#define ISA_CL_IMAGES_H

#include "isa/cl/uses.h"

enum { CL_IMAGES_MAX = 32 };

/* Zero-initialise it. The oldest image is forgotten when there is no room. */
struct cl_images {
    struct cl_use item[CL_IMAGES_MAX];
    uint32_t count;
};

/* How memory is read. */
struct cl_view {
    uint32_t address, format,
        bits;       /* memory format and bits of a pixel as struct cl_use has them */
    uint32_t width; /* pixels; 0: the image's */
};

/* Adds the frames that a list stores, and forgets what they overwrite. */
void cl_images_add(struct cl_images *images, const struct cl_uses *rendering);

/* The image that begins at an address, or NULL. */
const struct cl_use *cl_images_find(const struct cl_images *images, uint32_t address);

/* Whether a view finds other pixels than were stored. text: "in T-format with 32 bits and 384
 * pixels a row, but the frame ..." */
bool cl_view_differs(const struct cl_use *image, const struct cl_view *view, char *text,
                     size_t size);

#endif
