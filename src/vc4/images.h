/* SPDX-License-Identifier: MIT */
/* images.h - reports of scenes about images in memory: their writers, and the host's reads. */
#ifndef VC4_IMAGES_H
#define VC4_IMAGES_H

struct cl_view;
struct tess_vc4;

/* Declares that only lists and programs of this device write images from now on. */
void vc4_watch_images(struct tess_vc4 *vc4);

/* Forgets the formats of stored images. Call it when another device or the host may have written
 * images. */
void vc4_forget_images(struct tess_vc4 *vc4);

/* Reports a read of an image by the host. A format other than the stored one is a finding. */
void vc4_read_image(struct tess_vc4 *vc4, const struct cl_view *view);

#endif
