/* SPDX-License-Identifier: MIT */
/* kms_properties.c - the properties of the display's objects: names, permitted values and current
 * values.
 *
 * In:  requests; the state of the display.
 * Out: names, types and values.
 *
 * Source: Linux, drivers/gpu/drm/drm_property.c, drm_mode_object.c (requests), drm_atomic_uapi.c
 *         (values), drm_blend.c, drm_color_mgmt.c, drm_connector.c (names), vc4_plane.c,
 *         vc4_crtc.c, vc4_hdmi.c (which properties exist).
 * Left out: margins, colour spaces and TV sub-connectors, which change only the signal on the
 *           cable; the position of chroma samples. */
#include <errno.h>
#include <stddef.h>
#include <string.h>

#include <libdrm/drm_fourcc.h>

#include "shim/common/user.h"
#include "shim/drm/kms/kms.h"

/* --- tables --- */

struct name {
    uint64_t value;
    char text[DRM_PROP_NAME_LEN];
};

static const struct name dpms[] = {{0, "On"}, {1, "Standby"}, {2, "Suspend"}, {3, "Off"}};
static const struct name link_status[] = {{0, "Good"}, {1, "Bad"}};
static const struct name types[] = {{0, "Overlay"}, {1, "Primary"}, {2, "Cursor"}};
static const struct name blend_modes[] = {{2, "None"}, {0, "Pre-multiplied"}, {1, "Coverage"}};
static const struct name rotations[] = {
    /* clang-format off */
    {0, "rotate-0"},
    {2, "rotate-180"},
    {4, "reflect-x"},
    {5, "reflect-y"},
    /* clang-format on */
};
static const struct name encodings[] = {
    /* clang-format off */
    {0, "ITU-R BT.601 YCbCr"},
    {1, "ITU-R BT.709 YCbCr"},
    {2, "ITU-R BT.2020 YCbCr"},
    /* clang-format on */
};
static const struct name ranges[] = {{0, "YCbCr limited range"}, {1, "YCbCr full range"}};

#define NAMES(table) (table), sizeof(table) / sizeof(table)[0]
#define NO_NAMES     NULL, 0
#define RANGE        DRM_MODE_PROP_RANGE
#define SIGNED       DRM_MODE_PROP_SIGNED_RANGE
#define OBJECT       DRM_MODE_PROP_OBJECT
#define BLOB         DRM_MODE_PROP_BLOB
#define ENUM         DRM_MODE_PROP_ENUM
#define FIXED        DRM_MODE_PROP_IMMUTABLE
/* hidden from programs that have not enabled DRM_CLIENT_CAP_ATOMIC */
#define ATOMIC DRM_MODE_PROP_ATOMIC

static const struct property {
    char name[DRM_PROP_NAME_LEN];
    uint32_t flags;
    uint64_t values[2]; /* lowest and highest value of a range, or the type of an object */
    const struct name *names;
    uint32_t name_count;
} properties[KMS_PROPERTIES] = {
    /* clang-format off */
    [KMS_EDID]         = {"EDID",        BLOB | FIXED,   {0},                   NO_NAMES},
    [KMS_DPMS]         = {"DPMS",        ENUM,           {0},                   NAMES(dpms)},
    [KMS_LINK_STATUS]  = {"link-status", ENUM,           {0},                   NAMES(link_status)},
    [KMS_NON_DESKTOP]  = {"non-desktop", RANGE | FIXED,  {0, 1},                NO_NAMES},
    [KMS_TILE]         = {"TILE",        BLOB | FIXED,   {0},                   NO_NAMES},
    [KMS_MAX_BPC]      = {"max bpc",     RANGE,          {8, 12},               NO_NAMES},
    [KMS_CRTC_ID]      = {"CRTC_ID",     OBJECT | ATOMIC, {DRM_MODE_OBJECT_CRTC}, NO_NAMES},
    [KMS_ACTIVE]       = {"ACTIVE",      RANGE | ATOMIC, {0, 1},                NO_NAMES},
    [KMS_MODE_ID]      = {"MODE_ID",     BLOB | ATOMIC,  {0},                   NO_NAMES},
    [KMS_OUT_FENCE_PTR] = {"OUT_FENCE_PTR", RANGE | ATOMIC, {0, UINT64_MAX},       NO_NAMES},
    [KMS_VRR_ENABLED]  = {"VRR_ENABLED", RANGE,          {0, 1},                NO_NAMES},
    [KMS_CTM]          = {"CTM",         BLOB,           {0},                   NO_NAMES},
    [KMS_GAMMA_LUT]    = {"GAMMA_LUT",   BLOB,           {0},                   NO_NAMES},
    [KMS_GAMMA_LUT_SIZE] = {"GAMMA_LUT_SIZE", RANGE | FIXED,  {0, UINT32_MAX},       NO_NAMES},
    [KMS_TYPE]         = {"type",        ENUM | FIXED,   {0},                   NAMES(types)},
    [KMS_FB_ID]        = {"FB_ID",       OBJECT | ATOMIC, {DRM_MODE_OBJECT_FB},  NO_NAMES},
    [KMS_IN_FENCE_FD]  = {"IN_FENCE_FD", SIGNED | ATOMIC, {UINT64_MAX, INT32_MAX}, NO_NAMES},
    [KMS_CRTC_X]       = {"CRTC_X",      SIGNED | ATOMIC, {(uint64_t)INT32_MIN, INT32_MAX},
     NO_NAMES},
    [KMS_CRTC_Y]       = {"CRTC_Y",      SIGNED | ATOMIC, {(uint64_t)INT32_MIN, INT32_MAX},
     NO_NAMES},
    [KMS_CRTC_W]       = {"CRTC_W",      RANGE | ATOMIC, {0, INT32_MAX},        NO_NAMES},
    [KMS_CRTC_H]       = {"CRTC_H",      RANGE | ATOMIC, {0, INT32_MAX},        NO_NAMES},
    [KMS_SRC_X]        = {"SRC_X",       RANGE | ATOMIC, {0, UINT32_MAX},       NO_NAMES},
    [KMS_SRC_Y]        = {"SRC_Y",       RANGE | ATOMIC, {0, UINT32_MAX},       NO_NAMES},
    [KMS_SRC_W]        = {"SRC_W",       RANGE | ATOMIC, {0, UINT32_MAX},       NO_NAMES},
    [KMS_SRC_H]        = {"SRC_H",       RANGE | ATOMIC, {0, UINT32_MAX},       NO_NAMES},
    [KMS_IN_FORMATS]   = {"IN_FORMATS",  BLOB | FIXED,   {0},                   NO_NAMES},
    [KMS_ALPHA]        = {"alpha",       RANGE,          {0, 0xffff},           NO_NAMES},
    [KMS_BLEND_MODE]   = {"pixel blend mode", ENUM,           {0},
     NAMES(blend_modes)},
    [KMS_ROTATION]     = {"rotation",    DRM_MODE_PROP_BITMASK, {0},
     NAMES(rotations)},
    [KMS_COLOR_ENCODING] = {"COLOR_ENCODING", ENUM,           {0},
     NAMES(encodings)},
    [KMS_COLOR_RANGE]  = {"COLOR_RANGE", ENUM,           {0},                   NAMES(ranges)},
    [KMS_ZPOS]         = {"zpos",        RANGE,          {1, KMS_OVERLAYS + 1}, NO_NAMES},
    [KMS_ZPOS_PRIMARY] = {"zpos",        RANGE | FIXED,  {0, 0},                NO_NAMES},
    /* clang-format on */
};

/* Properties of the connector, the CRTC and a plane. KMS_PROPERTIES ends a list. The primary plane
 * has KMS_ZPOS_PRIMARY in place of KMS_ZPOS. */
static const uint8_t of_connector[] = {KMS_EDID, KMS_DPMS,    KMS_LINK_STATUS, KMS_NON_DESKTOP,
                                       KMS_TILE, KMS_CRTC_ID, KMS_MAX_BPC,     KMS_PROPERTIES};
static const uint8_t of_crtc[] = {KMS_ACTIVE, KMS_MODE_ID,   KMS_OUT_FENCE_PTR,  KMS_VRR_ENABLED,
                                  KMS_CTM,    KMS_GAMMA_LUT, KMS_GAMMA_LUT_SIZE, KMS_PROPERTIES};
static const uint8_t of_plane[] = {
    KMS_TYPE,     KMS_FB_ID,          KMS_IN_FENCE_FD, KMS_CRTC_ID, KMS_CRTC_X,
    KMS_CRTC_Y,   KMS_CRTC_W,         KMS_CRTC_H,      KMS_SRC_X,   KMS_SRC_Y,
    KMS_SRC_W,    KMS_SRC_H,          KMS_IN_FORMATS,  KMS_ALPHA,   KMS_BLEND_MODE,
    KMS_ROTATION, KMS_COLOR_ENCODING, KMS_COLOR_RANGE, KMS_ZPOS,    KMS_PROPERTIES};

/* Returns the properties of an object, or NULL if the object has no properties. */
static const uint8_t *list_of(uint32_t object)
{
    if (object == KMS_ID_CONNECTOR)
        return of_connector;
    if (object == KMS_ID_CRTC)
        return of_crtc;
    return kms_plane_index(object) < KMS_PLANES ? of_plane : NULL;
}

static enum kms_property really(uint32_t object, enum kms_property property)
{
    return property == KMS_ZPOS && object == KMS_ID_PRIMARY ? KMS_ZPOS_PRIMARY : property;
}

bool kms_property_of(uint32_t object, uint32_t id, enum kms_property *property)
{
    const uint8_t *list = list_of(object);
    for (; list && *list != KMS_PROPERTIES; list++) {
        *property = really(object, *list);
        if (KMS_ID_PROPERTY + (uint32_t)*property == id)
            return true;
    }
    return false;
}

/* --- planes --- */

/* --- permanent blobs --- */

/* Data of an IN_FORMATS blob: a list of formats, and for each modifier a bit mask of the formats
 * that support it. */
struct formats {
    struct drm_format_modifier_blob head;
    uint32_t formats[64];
    struct drm_format_modifier modifiers[2];
};

static const void *formats_blob(uint32_t *size)
{
    static struct formats blob;
    uint32_t count = 0;
    uint64_t tiled = 0;
    for (const struct scanout_format *format; (format = scanout_format_at(count)) != NULL;
         count++) {
        blob.formats[count] = format->fourcc;
        tiled |= (uint64_t)format->tiled << count;
    }
    blob.head = (struct drm_format_modifier_blob){
        .version = FORMAT_BLOB_CURRENT,
        .count_formats = count,
        .formats_offset = offsetof(struct formats, formats),
        .count_modifiers = 2,
        .modifiers_offset = offsetof(struct formats, modifiers)};
    blob.modifiers[0] = (struct drm_format_modifier){
        .formats = tiled, .modifier = DRM_FORMAT_MOD_BROADCOM_VC4_T_TILED};
    blob.modifiers[1] = (struct drm_format_modifier){.formats = (1ull << count) - 1,
                                                     .modifier = DRM_FORMAT_MOD_LINEAR};
    *size = sizeof blob;
    return &blob;
}

/* Returns the data of a permanent blob, or NULL if none exists. */
static const void *kms_fixed_blob(uint32_t id, uint32_t *size)
{
    static uint8_t edid[KMS_EDID_BYTES];
    if (id == KMS_ID_FORMATS)
        return formats_blob(size);
    if (id != KMS_ID_EDID)
        return NULL;
    kms_edid(edid);
    *size = sizeof edid;
    return edid;
}

/* --- values --- */

int kms_get_blob(struct file *file, void *argument)
{
    struct drm_mode_get_blob *get = argument;
    const struct kms_blob *blob = kms_object_find(get->blob_id, DRM_MODE_OBJECT_BLOB);
    uint32_t size = blob ? blob->size : 0;
    const void *bytes = blob ? blob->bytes : kms_fixed_blob(get->blob_id, &size);
    (void)file;
    if (!bytes)
        return ENOENT;
    if (get->length == size && !user_write(get->data, bytes, size))
        return EFAULT;
    get->length = size;
    return 0;
}

static uint64_t blob_id(const struct kms_blob *blob)
{
    return blob ? blob->id : 0;
}

static uint64_t plane_value(unsigned index, enum kms_property property)
{
    const struct kms_plane *plane = &kms_state()->planes[index];
    switch (property) {
    case KMS_TYPE: return index == KMS_PRIMARY ? 1 : index == KMS_CURSOR ? 2 : 0;
    case KMS_FB_ID: return plane->fb ? plane->fb->id : 0;
    case KMS_IN_FENCE_FD: return UINT64_MAX;
    case KMS_CRTC_ID: return plane->on ? KMS_ID_CRTC : 0;
    case KMS_CRTC_X: return (uint64_t)(int64_t)plane->crtc_x;
    case KMS_CRTC_Y: return (uint64_t)(int64_t)plane->crtc_y;
    case KMS_CRTC_W: return plane->crtc_w;
    case KMS_CRTC_H: return plane->crtc_h;
    case KMS_SRC_X: return plane->src_x;
    case KMS_SRC_Y: return plane->src_y;
    case KMS_SRC_W: return plane->src_w;
    case KMS_SRC_H: return plane->src_h;
    case KMS_IN_FORMATS: return KMS_ID_FORMATS;
    case KMS_ALPHA: return plane->alpha;
    case KMS_BLEND_MODE: return plane->blend;
    case KMS_ROTATION: return plane->rotation;
    case KMS_COLOR_ENCODING: return plane->encoding;
    case KMS_COLOR_RANGE: return plane->range;
    default: return plane->zpos;
    }
}

static uint64_t connector_value(enum kms_property property)
{
    const struct kms_state *state = kms_state();
    switch (property) {
    case KMS_EDID: return KMS_ID_EDID;
    case KMS_DPMS: return state->active ? DRM_MODE_DPMS_ON : DRM_MODE_DPMS_OFF;
    case KMS_LINK_STATUS: return state->link_status;
    case KMS_CRTC_ID: return state->connected ? KMS_ID_CRTC : 0;
    case KMS_MAX_BPC: return state->max_bpc;
    default: return 0;
    }
}

static uint64_t crtc_value(enum kms_property property)
{
    const struct kms_state *state = kms_state();
    switch (property) {
    case KMS_ACTIVE: return state->active;
    case KMS_MODE_ID: return blob_id(state->mode);
    case KMS_VRR_ENABLED: return state->vrr;
    case KMS_CTM: return blob_id(state->matrix);
    case KMS_GAMMA_LUT: return blob_id(state->gamma);
    case KMS_GAMMA_LUT_SIZE: return KMS_CURVE_SIZE;
    default: return 0;
    }
}

static uint64_t value_of(uint32_t object, enum kms_property property)
{
    if (object == KMS_ID_CONNECTOR)
        return connector_value(property);
    return object == KMS_ID_CRTC ? crtc_value(property)
                                 : plane_value(kms_plane_index(object), property);
}

static bool is_named(const struct property *property, uint64_t value)
{
    for (uint32_t i = 0; i < property->name_count; i++)
        if (property->names[i].value == value)
            return true;
    return false;
}

static bool is_of_bits(const struct property *property, uint64_t value)
{
    for (uint32_t i = 0; i < property->name_count; i++)
        value &= ~(1ull << property->names[i].value);
    return value == 0;
}

bool kms_property_may_be(enum kms_property id, uint64_t value)
{
    const struct property *property = &properties[id];
    switch (property->flags & (DRM_MODE_PROP_LEGACY_TYPE | DRM_MODE_PROP_EXTENDED_TYPE)) {
    case DRM_MODE_PROP_RANGE:
        if (value < property->values[0] || value > property->values[1])
            return false;
        break;
    case DRM_MODE_PROP_SIGNED_RANGE:
        if ((int64_t)value < (int64_t)property->values[0] ||
            (int64_t)value > (int64_t)property->values[1])
            return false;
        break;
    case DRM_MODE_PROP_ENUM:
        if (!is_named(property, value))
            return false;
        break;
    case DRM_MODE_PROP_BITMASK:
        if (!is_of_bits(property, value))
            return false;
        break;
    case DRM_MODE_PROP_BLOB:
        if (value &&
            (value > UINT32_MAX || kms_object_type((uint32_t)value) != DRM_MODE_OBJECT_BLOB))
            return false;
        break;
    default:
        if (value &&
            (value > UINT32_MAX || kms_object_type((uint32_t)value) != property->values[0]))
            return false;
    }
    return !(property->flags & FIXED);
}

/* --- requests --- */

int kms_properties_report(const struct file *file, uint32_t object, uint64_t ids, uint64_t values,
                          uint32_t *count)
{
    bool atomic = file->client_caps >> DRM_CLIENT_CAP_ATOMIC & 1;
    uint32_t told = 0;
    for (const uint8_t *list = list_of(object); *list != KMS_PROPERTIES; list++) {
        enum kms_property property = really(object, *list);
        if ((properties[property].flags & ATOMIC) && !atomic)
            continue;
        uint32_t id = KMS_ID_PROPERTY + (uint32_t)property;
        uint64_t value = value_of(object, property);
        if (told < *count && (!user_write(ids + 4ull * told, &id, 4) ||
                              !user_write(values + 8ull * told, &value, 8)))
            return EFAULT;
        told++;
    }
    *count = told;
    return 0;
}

int kms_get_properties(struct file *file, void *argument)
{
    struct drm_mode_obj_get_properties *get = argument;
    uint32_t type = kms_object_type(get->obj_id);
    if (!type || (get->obj_type != DRM_MODE_OBJECT_ANY && get->obj_type != type))
        return ENOENT;
    if (!list_of(get->obj_id))
        return EINVAL;
    return kms_properties_report(file, get->obj_id, get->props_ptr, get->prop_values_ptr,
                                 &get->count_props);
}

static int report_names(struct drm_mode_get_property *get, const struct property *property)
{
    for (uint32_t i = 0; i < property->name_count && i < get->count_enum_blobs; i++) {
        struct drm_mode_property_enum one = {.value = property->names[i].value};
        memcpy(one.name, property->names[i].text, sizeof one.name);
        if (!user_write(get->enum_blob_ptr + i * sizeof one, &one, sizeof one))
            return EFAULT;
    }
    get->count_enum_blobs = property->name_count;
    return 0;
}

static uint32_t value_count(const struct property *property)
{
    if (property->names)
        return property->name_count;
    if (property->flags & DRM_MODE_PROP_BLOB)
        return 0;
    return (property->flags & DRM_MODE_PROP_EXTENDED_TYPE) == DRM_MODE_PROP_OBJECT ? 1 : 2;
}

int kms_get_property(struct file *file, void *argument)
{
    struct drm_mode_get_property *get = argument;
    uint32_t index = get->prop_id - KMS_ID_PROPERTY;
    (void)file;
    if (index >= KMS_PROPERTIES)
        return ENOENT;
    const struct property *property = &properties[index];
    uint32_t count = value_count(property);
    memcpy(get->name, property->name, sizeof get->name);
    get->flags = property->flags;
    for (uint32_t i = 0; i < count && i < get->count_values; i++) {
        const uint64_t *value = property->names ? &property->names[i].value : &property->values[i];
        if (!user_write(get->values_ptr + 8ull * i, value, 8))
            return EFAULT;
    }
    get->count_values = count;
    return report_names(get, property);
}
