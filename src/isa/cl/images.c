/* SPDX-License-Identifier: MIT */
/* images.c - see images.h. */
#include "isa/cl/images.h"

#include "base/text.h"
#include "isa/cl/image.h"

static void add(struct cl_images *images, const struct cl_use *use)
{
    uint32_t kept = 0;
    for (uint32_t i = 0; i < images->count; i++)
        if (!cl_uses_meet(&images->item[i], use))
            images->item[kept++] = images->item[i];
    const uint32_t first = kept == CL_IMAGES_MAX;
    for (uint32_t i = first; i < kept; i++)
        images->item[i - first] = images->item[i];
    images->count = kept - first;
    images->item[images->count++] = *use;
}

void cl_images_add(struct cl_images *images, const struct cl_uses *rendering)
{
    for (size_t i = 0; i < rendering->count; i++)
        if (rendering->item[i].kind == CL_USE_FRAME)
            add(images, &rendering->item[i]);
}

const struct cl_use *cl_images_find(const struct cl_images *images, uint32_t address)
{
    for (uint32_t i = 0; i < images->count; i++)
        if (images->item[i].address == (address & CL_ADDRESS_MASK))
            return &images->item[i];
    return NULL;
}

static void put_view(struct text *text, uint32_t format, uint32_t bits, uint32_t width)
{
    static const char *const formats[CL_IMAGE_FORMATS] = {"raster", "T-format", "LT-format"};
    text_put(text, "in %s with %u bits per pixel", formats[format % CL_IMAGE_FORMATS], bits);
    if (width)
        text_put(text, " and %u pixels per row", width);
}

bool cl_view_differs(const struct cl_use *image, const struct cl_view *view, char *buffer,
                     size_t size)
{
    struct text text = {buffer, size, 0};
    struct cl_image stored, read = {0};
    cl_image_size(&stored, image->format, image->width, 1, image->bits);
    if (view->width)
        cl_image_size(&read, view->format, view->width, 1, view->bits);
    /* An image that is one microtile wide has the same layout in LT-format and in raster. */
    bool narrow = view->format != CL_IMAGE_T && image->format != CL_IMAGE_T &&
                  stored.width == stored.utile_width;
    bool same = view->bits == image->bits && (view->format == image->format || narrow) &&
                (!view->width || read.width == stored.width);
    if (same)
        return false;
    put_view(&text, view->format, view->bits, view->width ? read.width : 0);
    text_put(&text, ", but the frame at 0x%08x is stored ", image->whole);
    put_view(&text, image->format, image->bits, view->width ? stored.width : 0);
    return true;
}
