/* SPDX-License-Identifier: MIT */
/* kms_objects.c - numbers of the display's objects, and blobs.
 *
 * In:  requests.
 * Out: objects by number.
 *
 * A new object receives the lowest free number, as in the kernel. A blob exists, and can be found
 * by its number, as long as its owner or the display's state refers to it.
 *
 * Source: Linux, drivers/gpu/drm/drm_mode_object.c, drm_property.c. */
#include <errno.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>

#include "shim/common/user.h"
#include "shim/drm/kms/kms.h"

enum { MOST_OBJECTS = 1 << 16, MOST_BLOB = 1 << 24 };

static struct object {
    uint32_t type; /* type of the object, 0 for a free number */
    void *object;
} * objects;
static uint32_t object_count;

static bool make_room(void)
{
    uint32_t count = object_count ? 2 * object_count : 64;
    struct object *grown = count <= MOST_OBJECTS ? realloc(objects, count * sizeof *objects) : NULL;
    if (!grown)
        return false;
    memset(grown + object_count, 0, (count - object_count) * sizeof *objects);
    objects = grown;
    object_count = count;
    return true;
}

uint32_t kms_object_add(uint32_t type, void *object)
{
    uint32_t i = 0;
    while (i < object_count && objects[i].type)
        i++;
    if (i == object_count && !make_room())
        return 0;
    objects[i] = (struct object){type, object};
    return KMS_ID_FREE + i;
}

void *kms_object_find(uint32_t id, uint32_t type)
{
    uint32_t i = id - KMS_ID_FREE;
    return id >= KMS_ID_FREE && i < object_count && objects[i].type == type ? objects[i].object
                                                                            : NULL;
}

void kms_object_remove(uint32_t id)
{
    objects[id - KMS_ID_FREE] = (struct object){0};
}

void *kms_object_at(uint32_t index, uint32_t *type)
{
    *type = index < object_count ? objects[index].type : 0;
    return index < object_count ? objects[index].object : NULL;
}

uint32_t kms_object_count(void)
{
    return object_count;
}

unsigned kms_plane_index(uint32_t id)
{
    if (id == KMS_ID_PRIMARY)
        return KMS_PRIMARY;
    return id >= KMS_ID_OVERLAY && id <= KMS_ID_CURSOR ? id - KMS_ID_OVERLAY + 1 : KMS_PLANES;
}

uint32_t kms_plane_id(unsigned index)
{
    return index == KMS_PRIMARY ? KMS_ID_PRIMARY : KMS_ID_OVERLAY + index - 1;
}

uint32_t kms_object_type(uint32_t id)
{
    uint32_t type;
    if (id >= KMS_ID_FREE) {
        kms_object_at(id - KMS_ID_FREE, &type);
        return type;
    }
    if (kms_plane_index(id) < KMS_PLANES)
        return DRM_MODE_OBJECT_PLANE;
    switch (id) {
    case 0: return 0;
    case KMS_ID_CRTC: return DRM_MODE_OBJECT_CRTC;
    case KMS_ID_ENCODER: return DRM_MODE_OBJECT_ENCODER;
    case KMS_ID_CONNECTOR: return DRM_MODE_OBJECT_CONNECTOR;
    case KMS_ID_EDID:
    case KMS_ID_FORMATS: return DRM_MODE_OBJECT_BLOB;
    default: return DRM_MODE_OBJECT_PROPERTY;
    }
}

/* --- blobs --- */

struct kms_blob *kms_blob_make(const struct file *owner, const void *bytes, uint32_t size)
{
    struct kms_blob *blob = malloc(sizeof *blob + size);
    if (!blob)
        return NULL;
    *blob = (struct kms_blob){.references = 1, .owner = owner, .size = size};
    memcpy(blob->bytes, bytes, size);
    blob->id = kms_object_add(DRM_MODE_OBJECT_BLOB, blob);
    if (!blob->id) {
        free(blob);
        return NULL;
    }
    return blob;
}

struct kms_blob *kms_blob_take(struct kms_blob *blob)
{
    if (blob)
        blob->references++;
    return blob;
}

void kms_blob_release(struct kms_blob *blob)
{
    if (!blob || --blob->references)
        return;
    kms_object_remove(blob->id);
    free(blob);
}

int kms_create_blob(struct file *file, void *argument)
{
    struct drm_mode_create_blob *create = argument;
    void *bytes;
    if (!create->length || create->length > INT_MAX)
        return EINVAL;
    int error = user_array(&bytes, create->data, create->length, 1, MOST_BLOB);
    if (error)
        return error;
    struct kms_blob *blob = kms_blob_make(file, bytes, create->length);
    free(bytes);
    if (!blob)
        return ENOMEM;
    create->blob_id = blob->id;
    return 0;
}

int kms_destroy_blob(struct file *file, void *argument)
{
    const struct drm_mode_destroy_blob *destroy = argument;
    struct kms_blob *blob = kms_object_find(destroy->blob_id, DRM_MODE_OBJECT_BLOB);
    if (!blob)
        return destroy->blob_id && kms_object_type(destroy->blob_id) == DRM_MODE_OBJECT_BLOB
                   ? EPERM
                   : ENOENT;
    if (blob->owner != file)
        return EPERM;
    blob->owner = NULL;
    kms_blob_release(blob);
    return 0;
}
