/* SPDX-License-Identifier: MIT */
/* images.h - functions for scenes: a scene reports to the model who writes images and how the host
 * reads images, and asks whether the model could draw all images. */
#ifndef VC4_DEVICE_IMAGES_H
#define VC4_DEVICE_IMAGES_H

#include <stdbool.h>

struct cl_view;
struct tess_vc4;

/* Declares that only lists and programs of this device write images from now on. */
void vc4_watch_images(struct tess_vc4 *vc4);

/* Forgets the formats of stored images. Call it when another device or the host may have written
 * images. */
void vc4_forget_images(struct tess_vc4 *vc4);

/* Call when the host reads an image. Reports a finding if the format of the read differs from the
 * format in which a list stored the image. */
void vc4_read_image(struct tess_vc4 *vc4, const struct cl_view *view);

/* Returns true if drawing has stopped because the host was out of memory. */
bool vc4_lacked_memory(const struct tess_vc4 *vc4);

#endif
