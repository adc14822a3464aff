/* SPDX-License-Identifier: MIT */
/* images.h - what scenes report about the memory of images: who writes them, and how the host reads them. */
#ifndef VC4_IMAGES_H
#define VC4_IMAGES_H

struct cl_view;
struct tess_vc4;

/* From now on only lists and programs of this device write images. */
void vc4_watch_images(struct tess_vc4 *vc4);

/* Forgets the formats of stored images: something else may have written them. */
void vc4_forget_images(struct tess_vc4 *vc4);

/* The host reads an image. Another format than the one stored is a finding. */
void vc4_read_image(struct tess_vc4 *vc4, const struct cl_view *view);

#endif
