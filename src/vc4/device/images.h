/* SPDX-License-Identifier: MIT */
/* images.h - functions by which a scene reports to the model who writes images and how the host
 * reads images. */
#ifndef VC4_DEVICE_IMAGES_H
#define VC4_DEVICE_IMAGES_H

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

#endif
